//! Finding the game that a command is about.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::bail;
use clap::{CommandFactory as _, error::ErrorKind};
use cw_duel::Game;
use cw_lab::{find_deck, find_game, package_above};
use cw_load::{Loaded, Project, ReadOptions};
use cw_octgn::{PackageFiles, PackageLimits};
use cw_program::ModelId;
use cw_text::{Diagnostic, Sources};

use crate::input::join;
use crate::limits::limits;
use crate::output;
use crate::progress::WorkProgress;

/// A game: a folder, an archive, or the demo game that the program carries.
pub(crate) fn project(path: Option<&Path>) -> anyhow::Result<Project> {
    read_with(path, limits())
}

/// Of the game that is meant the definition and the cards: its decks are not read, and the form of its files
/// is not judged.
pub(crate) fn cards(path: Option<&Path>) -> anyhow::Result<Project> {
    read_with(
        path,
        PackageLimits {
            only_cards: true,
            ..limits()
        },
    )
}

fn read_with(path: Option<&Path>, limits: PackageLimits) -> anyhow::Result<Project> {
    let path = here(path)?;
    let project = read_behind(path.as_deref(), &Sources::new(), limits)?;
    refuse_without_definition(path.as_deref(), &project)?;
    Ok(project)
}

/// The game of exactly this folder, whether it has a definition or not; its texts can be joined to these. A
/// bar on standard error shows how far reading is where that takes longer than a moment.
pub(crate) fn project_behind(path: Option<&Path>, sources: &Sources) -> anyhow::Result<Project> {
    read_behind(path, sources, limits())
}

fn read_behind(path: Option<&Path>, sources: &Sources, limits: PackageLimits) -> anyhow::Result<Project> {
    let bar = WorkProgress::of_bytes("reading");
    let progress = |bytes: u64| bar.add(bytes);
    let root = path
        .map(|path| path.to_string_lossy().into_owned())
        .unwrap_or_default();
    let reading = ReadOptions {
        limits,
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
    let project = cw_lab::open(path, &reading, &progress);
    drop(bar);
    project
}

/// The game that is meant: the one that is named, else the one whose folder the user is in; none: the demo.
fn here(path: Option<&Path>) -> anyhow::Result<Option<PathBuf>> {
    match path {
        Some(path) => find_game(path).map(Some),
        None => Ok(package_above(Path::new("definition.xml"))),
    }
}

/// The game that is named, else the one whose folder the user is in, for commands that the demo game is no
/// use to. Without either the command line is wrong.
pub(crate) fn standing_in(path: Option<PathBuf>) -> anyhow::Result<PathBuf> {
    if let Some(path) = here(path.as_deref())? {
        return Ok(path);
    }
    let message = "name the folder of a game, or change to one: there is no definition.xml here or above";
    crate::CommandLine::command()
        .error(ErrorKind::MissingRequiredArgument, message)
        .exit()
}

/// Says which game a command is about, before anything else.
pub(crate) fn say_which(path: Option<&Path>, project: &Project) {
    let name = match project.name() {
        "" => "one without a name",
        name => name,
    };
    let found = here(path).ok().flatten();
    let which = match (path, found) {
        (Some(path), found) => {
            format!(
                "game: {name}, from “{}”",
                found.as_deref().unwrap_or(path).display()
            )
        }
        (None, Some(_)) => format!("game: {name}, the one whose folder you are in"),
        (None, None) => format!("game: {name}, the demo game"),
    };
    output::note(&which);
}

/// The files of a game: a folder, an archive, or the demo game.
pub(crate) fn files(path: Option<&Path>) -> anyhow::Result<Box<dyn PackageFiles + Send>> {
    cw_lab::open_files(here(path)?.as_deref(), &limits())
}

/// Refuses what is no game at all, and a game whose definition cannot be read: it would seem to be empty.
fn refuse_without_definition(path: Option<&Path>, project: &Project) -> anyhow::Result<()> {
    if project.package.has_definition {
        return Ok(());
    }
    let is_there = |name: &String| name.eq_ignore_ascii_case("definition.xml");
    let Some(path) = path.filter(|_| !project.package.files.iter().any(is_there)) else {
        output::findings(&project.package.sources, &project.obstacles());
        bail!(
            "the definition cannot be read, so there is no game; \
             `cardwright check` reports everything that is wrong"
        );
    };
    let shown = path.display();
    bail!("“{shown}” has no def/definition.xml, so it is not a game")
}

/// D38: a game whose rules have errors is refused, with every error.
pub(crate) fn refuse_rule_errors(loaded: &Loaded) -> anyhow::Result<()> {
    let errors = loaded.project.rule_errors();
    if errors.is_empty() {
        return Ok(());
    }
    output::findings(&loaded.project.package.sources, &errors);
    bail!("the rules have errors; fix them, or use --allow-errors to play those cards without their rules")
}

/// D72: who plays a game without rules for its cards must say that this is meant.
pub(crate) fn refuse_without_rules(loaded: &Loaded, rules: bool) -> anyhow::Result<()> {
    if rules || loaded.project.has_rules() {
        return Ok(());
    }
    bail!(
        "{} has no rules for its cards (Rules/*.rules), so nobody can referee it; \
         --rules plays it without the cards' texts",
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
    say_which(path, &project);
    Ok(project)
}

/// The folder of the game that is meant, if it is one.
pub(crate) fn folder(path: Option<&Path>) -> anyhow::Result<Option<PathBuf>> {
    Ok(here(path)?.filter(|path| path.is_dir()))
}

/// As [`open`], for a project that was read.
pub(crate) fn load(project: Project) -> anyhow::Result<(Loaded, Arc<Game>)> {
    let loaded = Loaded::of(project)?;
    if let Some(game) = &loaded.game
        && let Some(why) = cw_lab::keep_values(&loaded.project, game)?
    {
        output::note(&why);
    }
    let Some(game) = loaded.game.clone() else {
        let errors: Vec<Diagnostic> = loaded.project.obstacles();
        if errors.is_empty() {
            bail!("{} has no cards, so it cannot be played", loaded.project.name());
        }
        output::findings(&loaded.project.package.sources, &errors);
        bail!("the game cannot be played until this is fixed");
    };
    Ok((loaded, game))
}

/// How many copies of each card the named deck has.
pub(crate) fn copies_in_deck(loaded: &Loaded, wanted: &str) -> anyhow::Result<BTreeMap<ModelId, usize>> {
    let (_, cards) = deck(loaded, Some(wanted), 0, true)?;
    let mut copies = BTreeMap::new();
    for card in cards {
        *copies.entry(card).or_insert(0) += 1;
    }
    Ok(copies)
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

/// The name by which other seats learn of a deck: names of the host's own files stay with the host.
pub(crate) fn announced_name(wanted: Option<&str>, name: String) -> String {
    match wanted.is_some_and(|wanted| Path::new(wanted).is_file()) {
        true => OWN_DECK.to_owned(),
        false => name,
    }
}

/// What other seats read instead of the name of a file.
pub(crate) const OWN_DECK: &str = "Own deck";

/// The cards of the package's decks.
pub(crate) fn lists(loaded: &Loaded) -> Vec<Vec<ModelId>> {
    loaded.decks.iter().map(|deck| deck.cards.clone()).collect()
}
