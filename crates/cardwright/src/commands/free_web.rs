//! The free table in the browser: `cardwright play` on a package without rules, or with `--free` (F220).

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, bail};
use clap::error::ErrorKind;
use cw_load::{Loaded, Project};
use cw_octgn::{Archive, Deck, Package, PackageFiles, image_pack};
use cw_serve::{FreeHost, FreeInvitation, FreeSetting, PicturePacks, RecordSink, Serve as _};
use cw_table::{FreeRecord, FreeTable};
use cw_text::Sources;

use super::free::{self, FreeStart};
use super::play_web;
use crate::game;
use crate::limits::limits;
use crate::output::{self, note, say};

/// What the command line says about the browser.
#[derive(Debug)]
pub(super) struct FreeWebOptions<'a> {
    pub open: bool,
    pub port: Option<u16>,
    pub store: Option<&'a Path>,
    pub pictures: &'a [PathBuf],
    pub game: Option<&'a Path>,
    /// How a network reaches the table.
    pub host: Option<&'a str>,
}

/// Serves until the program is ended.
pub(super) fn run(
    project: Project,
    start: &FreeStart<'_>,
    options: &FreeWebOptions<'_>,
) -> anyhow::Result<ExitCode> {
    let loaded = Loaded::of(project)?;
    let catalogue = Arc::new(cw_faces::Catalogue::of(&loaded.project));
    let aliases = loaded.project.config.search.aliases.clone();
    let (drawn, decks) = (loaded.game.clone(), loaded.project.package.decks.clone());
    let kit = Arc::new(free::kit(loaded.project, start.free.mapping.as_deref())?);
    say!("{}: the free table, {}", *kit.package.definition.name, start.why);
    for remark in &kit.remarks {
        note(remark);
    }
    let pictures = pictures(options.pictures, &kit.package)?;
    let wanted: Vec<Deck> = start
        .decks
        .iter()
        .map(|wanted| {
            let deck = named_deck(&kit.package, &decks, wanted)?;
            let name = game::announced_name(Some(wanted), deck.name.to_string());
            Ok(Deck {
                name: name.into(),
                ..deck
            })
        })
        .collect::<anyhow::Result<_>>()?;
    let mut told = Vec::new();
    let (table, record) = match &start.free.resume {
        Some(path) => {
            let cannot = || format!("“{}” cannot be resumed", path.display());
            let (mut file, text) = free::open_record(path).with_context(cannot)?;
            let record = FreeRecord::read(&text).with_context(cannot)?;
            let played = record.play_telling(&kit, |step, events| told.push((step, events)));
            let table = played.with_context(cannot)?;
            free::cut(&mut file, &text).with_context(cannot)?;
            (table, Some(file))
        }
        None => {
            let settings = free::settings(&kit, start.free, wanted.len())?;
            if wanted.len() > settings.names.len() {
                bail!("there are more decks than seats");
            }
            let table = FreeTable::new(Arc::clone(&kit), settings, start.seed);
            let record = start
                .record
                .map(|path| free::new_record(path, &table))
                .transpose()?;
            (table, record)
        }
    };
    let record = record.map(|file| -> RecordSink {
        let file = Mutex::new(file);
        Box::new(move |line| free::append(&mut file.lock().unwrap_or_else(PoisonError::into_inner), line))
    });
    let (store, lasts) = play_web::store(options.store)?;
    let host = FreeHost::new(FreeSetting {
        one_device: false,
        chance: cw_serve::fresh_secret,
        kit,
        game: drawn,
        catalogue,
        aliases,
        files: Some(game::files(options.game)?),
        pictures,
        decks,
        store,
        limits: cw_serve::HostLimits::default(),
        reach: options.host.map(str::to_owned),
        record,
    });
    let earlier = host.resume()?;
    let invitations = host.take_over(table, told)?;
    for (invitation, deck) in invitations.iter().zip(&wanted) {
        let remarks = host
            .load_deck(invitation, deck)
            .map_err(|why| anyhow::anyhow!("{why}"))?;
        for remark in remarks {
            note(&remark);
        }
    }
    let ticket = invitations
        .first()
        .filter(|_| options.open)
        .map(|first| host.ticket(first));
    let reached = host.clone();
    host.serve(options.port, |address| {
        let own = format!("http://{address}");
        announce(&own, reached.reached_at().as_deref(), &invitations, &earlier);
        say!("{}", lasts.at_the_end("game"));
        if let Some(ticket) = ticket {
            play_web::open_browser(&format!("http://{address}{ticket}"));
        }
    })?;
    Ok(ExitCode::SUCCESS)
}

/// Free tables beside duels of the same game.
pub(super) fn of_duels(
    path: Option<&Path>,
    drawn: &Arc<cw_duel::Game>,
    catalogue: &Arc<cw_faces::Catalogue>,
    store: &Arc<dyn cw_serve::DuelStore>,
) -> Option<FreeHost> {
    let made = || -> anyhow::Result<FreeHost> {
        let project = game::project(path)?;
        let decks = project.package.decks.clone();
        let aliases = project.config.search.aliases.clone();
        Ok(FreeHost::new(FreeSetting {
            one_device: false,
            chance: cw_serve::fresh_secret,
            kit: Arc::new(free::kit(project, None)?),
            game: Some(Arc::clone(drawn)),
            catalogue: Arc::clone(catalogue),
            aliases,
            files: Some(game::files(path)?),
            pictures: None,
            decks,
            store: Arc::clone(store),
            limits: cw_serve::HostLimits::default(),
            reach: None,
            record: None,
        }))
    };
    match made() {
        Ok(host) => Some(host),
        Err(fault) => {
            note(&format!("no free table can be set up: {fault}"));
            None
        }
    }
}

fn named_deck(package: &Package, decks: &[Deck], wanted: &str) -> anyhow::Result<Deck> {
    free::find_deck(package, decks, wanted).map_err(|error| match Path::new(wanted).is_file() {
        true => error,
        false => super::play::usage(ErrorKind::InvalidValue, error),
    })
}

/// Pictures of cards from image packs: checked as `cardwright images add` does, read when they are asked for.
fn pictures(packs: &[PathBuf], package: &Package) -> anyhow::Result<Option<PicturePacks>> {
    if packs.is_empty() {
        return Ok(None);
    }
    let mut all = PicturePacks::default();
    for path in packs {
        let shown = path.display().to_string();
        let bytes = crate::input::read_archive(path).with_context(|| format!("cannot read “{shown}”"))?;
        let archive = Archive::new(bytes, &limits()).with_context(|| format!("cannot use “{shown}”"))?;
        let mut sources = Sources::new();
        let (found, faults) = image_pack(&archive, &shown, package, &limits(), &mut sources)?;
        if !faults.is_empty() {
            output::findings(&sources, &faults);
        }
        let before = all.files.len();
        for picture in found
            .into_iter()
            .filter(|picture| !picture.path.contains("Crops/"))
        {
            let file = picture.path.rsplit('/').next().unwrap_or(&picture.path);
            let name = file
                .rsplit_once('.')
                .map_or(file, |(name, _)| name)
                .to_lowercase();
            all.files.entry(name).or_insert((all.packs.len(), picture.entry));
        }
        say!(
            "{}: {}",
            shown,
            output::count(all.files.len() - before, "picture")
        );
        let pack: Box<dyn PackageFiles + Send> = Box::new(archive);
        all.packs.push(pack);
    }
    Ok(Some(all))
}

/// Links for this machine; those of others are for the network where it reaches the table.
fn announce(
    own: &str,
    network: Option<&str>,
    invitations: &[FreeInvitation],
    earlier: &[Vec<FreeInvitation>],
) {
    let first = cw_table::TableSeat(0);
    let link = |invitation: &FreeInvitation| match network {
        Some(network) if invitation.seat != Some(first) => format!("{network}{}", invitation.path),
        _ => format!("{own}{}", invitation.path),
    };
    for invitation in invitations {
        match invitation.seat {
            Some(_) => say!("{}: {}", invitation.name, link(invitation)),
            None => say!("To watch: {}", link(invitation)),
        }
    }
    for (at, table) in earlier.iter().take(3).enumerate() {
        if at == 0 {
            say!("Unfinished tables:");
        }
        for invitation in table.iter().filter(|invitation| invitation.seat.is_some()) {
            say!("  {}: {}", invitation.name, link(invitation));
        }
    }
}
