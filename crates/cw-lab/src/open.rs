//! Finding games: folders, archives, and the demo game that the program carries.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, bail};
use cw_duel::Game;
use cw_load::{Project, ReadDeck, Reading};
use cw_octgn::{Archive, EmbeddedFiles, Files, Folder, Limits};
use cw_players::Values;

/// Where a package keeps what positions are worth, as `cardwright players fit` writes it.
pub const VALUES: &str = "Players/values.toml";

static DEMO: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/demo.rs"));

/// Reads a game: a folder, an archive, or the demo game where none is named. `progress` is told the number of bytes of
/// each file done.
///
/// # Errors
/// If it is none, or cannot be read.
pub fn open(
    path: Option<&Path>,
    reading: &Reading<'_>,
    progress: &(dyn Fn(u64) + Sync),
) -> anyhow::Result<Project> {
    let project = match path {
        None => Project::read_with(Box::new(EmbeddedFiles(DEMO)), reading, progress),
        Some(path) => match source(path, &reading.limits)? {
            Source::Folder(folder) => Project::read_with(Box::new(folder), reading, progress),
            Source::Archive(archive) => Project::read_archive(archive, reading, progress),
        },
    };
    project.with_context(|| format!("cannot read “{}”", reading.at))
}

/// Reads a game from the bytes of an archive.
///
/// # Errors
/// If it is none.
pub fn open_bytes(bytes: Vec<u8>, reading: &Reading<'_>) -> anyhow::Result<Project> {
    let archive = archive_of(bytes, &reading.limits, reading.at)?;
    let project = Project::read_archive(archive, reading, &|_| {});
    project.with_context(|| format!("cannot read “{}”", reading.at))
}

enum Source {
    Folder(Folder),
    Archive(Archive),
}

fn source(path: &Path, limits: &Limits) -> anyhow::Result<Source> {
    let shown = path.display();
    let about = std::fs::metadata(path).with_context(|| format!("cannot open the game “{shown}”"))?;
    if about.is_dir() {
        return Ok(Source::Folder(Folder::new(path)));
    }
    let bytes = std::fs::read(path).with_context(|| format!("cannot read “{shown}”"))?;
    archive_of(bytes, limits, &shown.to_string()).map(Source::Archive)
}

fn archive_of(bytes: Vec<u8>, limits: &Limits, shown: &str) -> anyhow::Result<Archive> {
    Archive::new(bytes, limits).with_context(|| {
        format!("“{shown}” is no game: a game is a folder with a definition.xml in it, or an .o8g")
    })
}

/// The files of a game: a folder, an archive, or the demo game.
///
/// # Errors
/// If it is none.
pub fn open_files(path: Option<&Path>, limits: &Limits) -> anyhow::Result<Box<dyn Files + Send>> {
    let Some(path) = path else {
        return Ok(Box::new(EmbeddedFiles(DEMO)));
    };
    Ok(match source(path, limits)? {
        Source::Folder(folder) => Box::new(folder),
        Source::Archive(archive) => Box::new(archive.package()),
    })
}

/// Of the games that were loaded, by their fingerprints.
static OWN_VALUES: Mutex<Vec<(String, Arc<Values>)>> = Mutex::new(Vec::new());

/// What positions of this game are worth to the computer, where its package says so; else it goes by what
/// comes with the program.
pub fn values(game: &Game) -> Option<Arc<Values>> {
    let own = OWN_VALUES.lock().ok()?;
    let found = own.iter().find(|(game_of, _)| *game_of == game.fingerprint);
    found.map(|(_, values)| Arc::clone(values))
}

/// Reads the package's own values, if it has any. Those that cannot be read are left out: the text says why.
///
/// # Errors
/// If the files cannot be had any more.
pub fn keep_values(project: &Project, game: &Game) -> anyhow::Result<Option<String>> {
    const MOST: u64 = 1 << 22;
    if !project.files.list()?.iter().any(|name| name == VALUES) {
        return Ok(None);
    }
    let bytes = project.files.read(VALUES, MOST)?;
    match Values::read(&String::from_utf8_lossy(&bytes), game) {
        Ok(values) => {
            let mut own = OWN_VALUES.lock().unwrap_or_else(PoisonError::into_inner);
            own.retain(|(game_of, _)| *game_of != game.fingerprint);
            own.push((game.fingerprint.clone(), Arc::new(values)));
            Ok(None)
        }
        Err(why) => Ok(Some(format!("{VALUES} is left out: {why}"))),
    }
}

/// A deck by the path of a file, or by its name in the package, with all that is wrong with it.
///
/// # Errors
/// If there is none; the nearest name is told.
pub fn find_deck(project: &Project, wanted: &str) -> anyhow::Result<ReadDeck> {
    if Path::new(wanted).is_file() {
        let bytes = std::fs::read(wanted).with_context(|| format!("cannot read the deck “{wanted}”"))?;
        return Ok(project.read_deck(wanted, bytes));
    }
    let decks = &project.package.decks;
    if let Some(deck) = decks.iter().find(|deck| deck.name.eq_ignore_ascii_case(wanted)) {
        return Ok(project.deck_of_package(deck));
    }
    match cw_text::nearest(wanted, decks.iter().map(|deck| deck.name.as_str())) {
        Some(nearest) => bail!("there is no deck “{wanted}”; did you mean “{nearest}”?"),
        None => {
            let names: Vec<String> = decks.iter().map(|deck| format!("“{}”", deck.name)).collect();
            let has = match names.is_empty() {
                true => "none".to_owned(),
                false => names.join(", "),
            };
            bail!("there is no deck “{wanted}”, neither as a file nor in the game; it has {has}")
        }
    }
}
