//! `cardwright dev`: a table of a game that goes on while its files are changed.

mod watch;
mod work;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use anyhow::bail;
use cw_duel::{PerSeat, Seed};
use cw_players::Level;
use cw_serve::{DuelHost, DuelStart, HostSettings, Memory, SeatPlayer, Serve as _};

use super::play_web;
use crate::output::{note, say};
use crate::{game, limits};
use watch::FolderWatch;
use work::{ReadWork, Work};

/// Play at a table that goes on from the same position with each save of the game
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Folder of the game [default: the one you are in]
    game: Option<PathBuf>,
    /// Deck of player 1: a name in the game, or a file [default: the game's first deck]
    #[arg(long, value_name = "DECK")]
    deck1: Option<String>,
    /// Deck of player 2 [default: the game's second deck]
    #[arg(long, value_name = "DECK")]
    deck2: Option<String>,
    /// Player 2: `human`, or a level of the computer
    #[arg(long, value_name = "PLAYER", default_value = "easy")]
    p2: String,
    /// Scenario files, or folders of them, to run after each change, in addition to those in the game's
    /// folder and in a folder beside it with the same name and `-tests`
    #[arg(long, value_name = "PATH")]
    scenarios: Vec<PathBuf>,
    /// Start all chance from this number
    #[arg(long)]
    seed: Option<Seed>,
    /// Print the table's address and do not open a browser
    #[arg(long)]
    no_open: bool,
    /// Port of the table [default: 7313, or a free one]
    #[arg(long)]
    port: Option<u16>,
    /// Look for changes once a second instead of being told of them by the system
    #[arg(long)]
    poll: bool,
}

pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    let folder = game::standing_in(args.game.clone())?;
    if !folder.is_dir() {
        bail!(
            "“{}” is not a folder; unpack it first: only files that can be saved are watched",
            folder.display()
        );
    }
    let second = player(&args.p2)?;
    let scenarios = scenario_places(&folder, &args.scenarios)?;
    let (mut watch, why_polled) = FolderWatch::new(&folder, &scenarios, args.poll);
    if let Some(words) = why_polled {
        note(&words);
    }
    // Nothing is lost where the game cannot be played yet: it begins as soon as it can.
    let read = loop {
        let read = ReadWork::of(&folder)?;
        read.say();
        if read.package.is_some() {
            break read;
        }
        say!("The table opens as soon as these errors are fixed.");
        watch.wait();
    };
    let package = read.package.clone().expect("the loop ends with one");
    let loaded = package.loaded.clone().expect("it was read from files");
    let (name1, deck1) = game::deck(&loaded, args.deck1.as_deref(), 0, true)?;
    let (name2, deck2) = game::deck(&loaded, args.deck2.as_deref(), 1, true)?;
    let start = DuelStart {
        game: Arc::clone(&package.game),
        catalogue: Arc::clone(&package.catalogue),
        decks: PerSeat([deck1, deck2]),
        names: PerSeat([name1, name2]),
        who: PerSeat([SeatPlayer::Person, second]),
        // Two people at an author's table need not agree on a shuffle.
        seed: Some(
            args.seed
                .unwrap_or_else(|| Seed(cw_serve::fresh_secret().bytes())),
        ),
        first: None,
        // The author is told, and plays on.
        allow_illegal_decks: true,
        stage: None,
        invites: None,
        opponent: None,
    };
    let work = Arc::new(Work::new(folder.clone(), read));
    let store = Arc::new(Memory::new(cw_serve::fresh_secret()));
    let plain = HostSettings::new(
        Arc::clone(&package.game),
        Arc::clone(&package.catalogue),
        store,
        cw_serve::fresh_secret,
    );
    let host = DuelHost::new(HostSettings {
        package: package.into(),
        files: Some(game::files(Some(&folder))?),
        note: Some(Box::new(play_web::note_once())),
        workbench: Some(work.clone()),
        has_friends: false,
        ..plain
    });
    let invitations = host.open(start)?;
    work.serve(host.clone());
    let ticket = (!args.no_open).then(|| host.ticket(&invitations[0]));
    let front = host.front_page();
    host.serve(args.port, |address| {
        for (number, seat) in (1..).zip(&invitations) {
            if seat.who == SeatPlayer::Person {
                say!("Player {number}: http://{address}{}", seat.path);
            }
        }
        say!("All duels, lessons and cards: http://{address}{front}");
        say!(
            "Watching “{}”: save a file, and the table goes on with it. Press Ctrl+C to end.",
            folder.display()
        );
        if let Some(ticket) = ticket {
            play_web::open_browser(&format!("http://{address}{ticket}"));
        }
        std::thread::spawn(move || {
            work.rehearse(&watch.scenarios());
            loop {
                let saved = watch.wait();
                let begun = Instant::now();
                work.reload(&saved, begun);
                work.rehearse(&watch.scenarios());
            }
        });
    })?;
    Ok(ExitCode::SUCCESS)
}

fn player(words: &str) -> anyhow::Result<SeatPlayer> {
    match Level::named(words) {
        Some(level) => Ok(SeatPlayer::Computer(level)),
        None if words == "human" => Ok(SeatPlayer::Person),
        None => {
            let levels: Vec<&str> = Level::ALL.iter().map(|level| level.name()).collect();
            bail!(
                "nobody plays as “{words}”; player 2 is `human` or one of {}",
                levels.join(", ")
            )
        }
    }
}

/// Where scenarios of the game lie besides its own folder.
fn scenario_places(folder: &Path, named: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    for path in named {
        if !path.exists() {
            bail!("there are no scenarios at “{}”", path.display());
        }
    }
    let beside = folder.canonicalize().ok().and_then(|folder| {
        let name = folder.file_name()?.to_string_lossy().into_owned();
        Some(folder.with_file_name(format!("{name}-tests")))
    });
    let beside = beside.filter(|beside| beside.is_dir());
    Ok(named.iter().cloned().chain(beside).collect())
}

/// As the command line limits what is read.
fn reading() -> cw_octgn::PackageLimits {
    limits::limits()
}
