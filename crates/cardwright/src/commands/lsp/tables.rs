//! Tables that are opened from an editor: one host for each game, which lasts as long as the server.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, bail};
use cw_duel::{GameChange, PerSeat, Seed};
use cw_load::{Loaded, Project, ReadOptions};
use cw_lsp::AskedTable;
use cw_octgn::Folder;
use cw_players::Level;
use cw_serve::{
    DuelHost, DuelPackage, DuelStart, HostSettings, Memory, ScenarioStage, SeatPlayer, Serve as _, UnfitTable,
};

use crate::commands::play_web;
use crate::limits;
use crate::output::note;

/// A port is had or refused at once; this is for machines that stand still.
const PATIENCE: Duration = Duration::from_secs(20);

/// The hosts of tables, by the folders of their games.
#[derive(Default)]
pub(super) struct EditorTables {
    hosts: Mutex<BTreeMap<String, (DuelHost, SocketAddr)>>,
}

impl EditorTables {
    /// Opens a table against the computer; returns its address, which is good for one browser.
    pub(super) fn open(&self, asked: AskedTable) -> anyhow::Result<String> {
        let reading = ReadOptions {
            limits: limits::limits(),
            ..ReadOptions::default()
        };
        let root = asked.root;
        let project = Project::read_with(asked.files, &reading, &|_| {});
        let project = project.with_context(|| format!("“{root}” cannot be read"))?;
        let loaded = Arc::new(Loaded::of(project).with_context(|| format!("“{root}” cannot be read"))?);
        let package = DuelPackage::of(loaded).context("the game's lessons cannot be read")?;
        let Some((package, left_out)) = package else {
            bail!("the game cannot be played as it is now: fix its errors first");
        };
        left_out.iter().for_each(|words| note(words));
        let stages = ScenarioStage::read(&asked.scenario, &package.game);
        let stages = stages.map_err(|fault| anyhow::anyhow!("{}", fault.message))?;
        let start = DuelStart {
            game: Arc::clone(&package.game),
            catalogue: Arc::clone(&package.catalogue),
            decks: PerSeat::default(),
            names: PerSeat::default(),
            who: PerSeat([SeatPlayer::Person, SeatPlayer::Computer(Level::Easy)]),
            seed: Some(Seed(cw_serve::fresh_secret().bytes())),
            first: None,
            allow_illegal_decks: true,
            stage: stages.into_iter().next(),
            invites: None,
            opponent: None,
        };
        let mut hosts = self.hosts.lock().unwrap_or_else(PoisonError::into_inner);
        let (host, address) = match hosts.get(&root) {
            Some((host, address)) => {
                // Tables that are open go on with the texts as they are now.
                let hall = &host.hall;
                let change = GameChange::between(&hall.setting.package.now().game, &package.game);
                match change.is_empty() {
                    true => hall.take_package(package),
                    false => {
                        let renewed = hall.renew(package, &change, UnfitTable::BeginsAgain);
                        renewed.map_err(|fault| anyhow::anyhow!(cw_words::carry_fault(&fault, &change)))?;
                    }
                }
                (host.clone(), *address)
            }
            None => {
                let opened = serve(&root, package)?;
                hosts.insert(root, opened.clone());
                opened
            }
        };
        let invitations = host.open(start)?;
        let mine = invitations.first().context("a table has a seat for a person")?;
        Ok(format!("http://{address}{}", host.ticket(mine)))
    }
}

/// Starts a host of tables on this machine, beside the server.
fn serve(root: &str, package: DuelPackage) -> anyhow::Result<(DuelHost, SocketAddr)> {
    let plain = HostSettings::new(
        Arc::clone(&package.game),
        Arc::clone(&package.catalogue),
        Arc::new(Memory::new(cw_serve::fresh_secret())),
        cw_serve::fresh_secret,
    );
    let host = DuelHost::new(HostSettings {
        package: package.into(),
        files: Some(Box::new(Folder::new(Path::new(root)))),
        note: Some(Box::new(play_web::note_once())),
        has_friends: false,
        ..plain
    });
    let (told, address) = mpsc::channel();
    let served = host.clone();
    thread::spawn(move || {
        let ready = told.clone();
        let ended = served.serve(None, move |address| drop(ready.send(Ok(address))));
        if let Err(fault) = ended {
            // Nobody may wait any more.
            let _ = told.send(Err(fault.to_string()));
        }
    });
    let address = address.recv_timeout(PATIENCE).context("no table can be opened")?;
    Ok((host, address.map_err(|why| anyhow::anyhow!(why))?))
}
