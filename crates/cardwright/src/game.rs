//! Finding the game that a command is about.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, bail};
use clap::{CommandFactory as _, error::ErrorKind};
use cw_duel::Game;
use cw_load::{Loaded, Project, ReadDeck, Reading};
use cw_octgn::{Archive, EmbeddedFiles, Files, Folder};
use cw_players::Values;
use cw_program::ModelId;
use cw_text::{Diagnostic, Sources};

use crate::input::{join, package_above};
use crate::limits::limits;
use crate::output;
use crate::progress::Progress;

/// Where a package keeps what positions are worth, as `cardwright players fit` writes it.
pub(crate) const VALUES: &str = "Players/values.toml";

static DEMO: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/demo.rs"));

/// A game: a folder, an archive, or the demo game that the program carries.
pub(crate) fn project(path: Option<&Path>) -> anyhow::Result<Project> {
    project_behind(path, &Sources::new())
}

/// As [`project`]; its texts can be joined to these. A bar on standard error shows how far reading is where
/// that takes longer than a moment.
pub(crate) fn project_behind(path: Option<&Path>, sources: &Sources) -> anyhow::Result<Project> {
    let here = here(path);
    let path = here.as_deref();
    let bar = Progress::of_bytes("reading");
    let progress = |bytes: u64| bar.add(bytes);
    let root = path
        .map(|path| path.to_string_lossy().into_owned())
        .unwrap_or_default();
    let reading = Reading {
        limits: limits(),
        sources: Sources::behind(sources),
        at: &root,
        called: |at, name| {
            if at.is_empty() {
                name.to_owned()
            } else {
                join(Path::new(at), name)
            }
        },
    };
    let project = match path {
        None => Project::read_with(Box::new(EmbeddedFiles(DEMO)), &reading, &progress),
        Some(path) => match source(path)? {
            Source::Folder(folder) => Project::read_with(Box::new(folder), &reading, &progress),
            Source::Archive(archive) => Project::read_archive(archive, &reading, &progress),
        },
    };
    drop(bar);
    project.with_context(|| format!("cannot read “{root}”"))
}

/// The game that is meant: the one that is named, else the one whose folder the user is in; none: the demo.
fn here(path: Option<&Path>) -> Option<PathBuf> {
    let named = path.map(Path::to_path_buf);
    named.or_else(|| package_above(Path::new("definition.xml")))
}

/// The game that is named, else the one whose folder the user is in, for commands that the demo game is no use to.
/// Without either the command line is wrong.
pub(crate) fn standing_in(path: Option<PathBuf>) -> PathBuf {
    here(path.as_deref()).unwrap_or_else(|| {
        let message = "name the folder of a game, or go into one: there is no definition.xml here or above";
        crate::Arguments::command()
            .error(ErrorKind::MissingRequiredArgument, message)
            .exit()
    })
}

/// Says which game a command is about, before anything else.
pub(crate) fn say_which(path: Option<&Path>, project: &Project) {
    let name = match project.name() {
        "" => "one without a name",
        name => name,
    };
    let which = match (path, here(None)) {
        (Some(path), _) => format!("game: {name}, from “{}”", path.display()),
        (None, Some(_)) => format!("game: {name}, in whose folder you are"),
        (None, None) => format!("game: {name}, the demo game"),
    };
    output::note(&which);
}

enum Source {
    Folder(Folder),
    Archive(Archive),
}

fn source(path: &Path) -> anyhow::Result<Source> {
    let shown = path.display();
    let about = std::fs::metadata(path).with_context(|| format!("cannot open the game “{shown}”"))?;
    if about.is_dir() {
        return Ok(Source::Folder(Folder::new(path)));
    }
    let bytes = std::fs::read(path).with_context(|| format!("cannot read “{shown}”"))?;
    let archive = Archive::new(bytes, &limits()).with_context(|| {
        format!("“{shown}” is no game: a game is a folder with a definition.xml in it, or an .o8g")
    })?;
    Ok(Source::Archive(archive))
}

/// The files of a game: a folder, an archive, or the demo game.
pub(crate) fn files(path: Option<&Path>) -> anyhow::Result<Box<dyn Files + Send>> {
    let here = here(path);
    let Some(path) = here.as_deref() else {
        return Ok(Box::new(EmbeddedFiles(DEMO)));
    };
    Ok(match source(path)? {
        Source::Folder(folder) => Box::new(folder),
        Source::Archive(archive) => Box::new(archive.package()),
    })
}

/// Says that a folder or archive is no game at all.
fn refuse_without_definition(path: Option<&Path>, project: &Project) -> anyhow::Result<()> {
    let is_there = |name: &String| name.eq_ignore_ascii_case("definition.xml");
    let Some(path) = path.filter(|_| !project.package.files.iter().any(is_there)) else {
        return Ok(());
    };
    let shown = path.display();
    if path.is_dir() {
        bail!(
            "“{shown}” holds no definition.xml, so it is no game; name the folder that does, or leave --game out for the demo game"
        );
    }
    bail!("“{shown}” holds no def/definition.xml, so it is no game")
}

/// D38: a game whose rules have errors is refused, with every error.
pub(crate) fn refuse_rule_errors(loaded: &Loaded) -> anyhow::Result<()> {
    let errors = loaded.project.rule_errors();
    if errors.is_empty() {
        return Ok(());
    }
    output::findings(&loaded.project.package.sources, &errors);
    bail!(
        "the rules have errors; mend them, or play with --allow-errors, which plays those cards without their rules"
    )
}

/// D72: who plays a game without rules for its cards must say that this is meant.
pub(crate) fn refuse_without_rules(loaded: &Loaded, rules: bool) -> anyhow::Result<()> {
    if rules || loaded.project.has_rules() {
        return Ok(());
    }
    bail!(
        "{} has no rules for its cards (Rules/*.rules), so nobody can referee it; --rules plays it without the cards' texts",
        loaded.project.name()
    )
}

/// Reads a game to be played. What makes that impossible is printed.
pub(crate) fn open(path: Option<&Path>) -> anyhow::Result<(Loaded, Arc<Game>)> {
    load(read(path)?)
}

/// Says that cards do nothing in the duels of a package without card rules.
pub(crate) fn say_unscripted(loaded: &Loaded) {
    if !loaded.project.has_rules() {
        output::note("this package has no card rules: in its duels only the numbers of the cards count");
    }
}

/// Reads what somebody wants to play, by whatever rules.
pub(crate) fn read(path: Option<&Path>) -> anyhow::Result<Project> {
    let project = project(path)?;
    refuse_without_definition(path, &project)?;
    say_which(path, &project);
    Ok(project)
}

/// What positions of this game are worth to the computer, where its package says so; else it goes by what
/// comes with the program.
pub(crate) fn values(game: &Game) -> Option<Arc<Values>> {
    let own = OWN_VALUES.lock().ok()?;
    let found = own.iter().find(|(game_of, _)| *game_of == game.fingerprint);
    found.map(|(_, values)| Arc::clone(values))
}

/// Of the games that were loaded, by their fingerprints.
static OWN_VALUES: Mutex<Vec<(String, Arc<Values>)>> = Mutex::new(Vec::new());

/// Reads the package's own values, if it has any. Those that cannot be read are told, and left out.
fn keep_values(project: &Project, game: &Game) -> anyhow::Result<()> {
    const MOST: u64 = 1 << 22;
    if !project.files.list()?.iter().any(|name| name == VALUES) {
        return Ok(());
    }
    let bytes = project.files.read(VALUES, MOST)?;
    match Values::read(&String::from_utf8_lossy(&bytes), game) {
        Ok(values) => {
            let mut own = OWN_VALUES.lock().unwrap_or_else(PoisonError::into_inner);
            own.retain(|(game_of, _)| *game_of != game.fingerprint);
            own.push((game.fingerprint.clone(), Arc::new(values)));
        }
        Err(why) => output::note(&format!("{VALUES} is left out: {why}")),
    }
    Ok(())
}

/// The folder of the game that is meant, if it is one.
pub(crate) fn folder(path: Option<&Path>) -> Option<PathBuf> {
    here(path).filter(|path| path.is_dir())
}

/// As [`open`], for a project that was read.
pub(crate) fn load(project: Project) -> anyhow::Result<(Loaded, Arc<Game>)> {
    let loaded = Loaded::of(project)?;
    if let Some(game) = &loaded.game {
        keep_values(&loaded.project, game)?;
    }
    let Some(game) = loaded.game.clone() else {
        let errors: Vec<Diagnostic> = loaded.project.obstacles();
        if errors.is_empty() {
            bail!("{} has no cards, so it cannot be played", loaded.project.name());
        }
        output::findings(&loaded.project.package.sources, &errors);
        bail!("the game cannot be played before this is mended");
    };
    Ok((loaded, game))
}

/// A deck by its name in the package, or by the path of a file; nothing is named: the one with this number.
/// One that is not legal is refused with every fault, unless `any`.
pub(crate) fn deck(
    loaded: &Loaded,
    wanted: Option<&str>,
    index: usize,
    any: bool,
) -> anyhow::Result<(String, Vec<ModelId>)> {
    let project = &loaded.project;
    let decks = &project.package.decks;
    let read = match wanted {
        None => {
            let Some(deck) = decks.get(index % decks.len().max(1)) else {
                bail!("the game has no decks; give --deck1 and --deck2 as .o8d files")
            };
            project.deck_of_package(deck)
        }
        Some(name) => find_deck(project, name)?,
    };
    let name = match wanted {
        Some(wanted) if Path::new(wanted).is_file() => {
            let stem = Path::new(wanted).file_stem().unwrap_or_default();
            stem.to_string_lossy().into_owned()
        }
        _ => read
            .deck
            .as_ref()
            .map_or_else(String::new, |deck| deck.name.to_string()),
    };
    let errors = read.errors();
    let Some(deck) = &read.deck else {
        output::findings(&read.sources, &errors);
        bail!("the deck “{name}” cannot be read");
    };
    if !any && !errors.is_empty() {
        output::findings(&read.sources, &errors);
        bail!("the deck “{name}” is not legal; play it all the same with --illegal-decks");
    }
    Ok((name, project.deck_cards(deck)))
}

/// The cards of the package's decks.
pub(crate) fn lists(loaded: &Loaded) -> Vec<Vec<ModelId>> {
    loaded.decks.iter().map(|deck| deck.cards.clone()).collect()
}

/// A deck by the path of a file, or by its name in the package, with all that is wrong with it.
pub(crate) fn find_deck(project: &Project, wanted: &str) -> anyhow::Result<ReadDeck> {
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
