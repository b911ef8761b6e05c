//! Finding the game that a command is about.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail};
use cw_duel::Game;
use cw_load::Loaded;
use cw_octgn::{Archive, EmbeddedFiles, Files, Folder};
use cw_program::ModelId;
use cw_text::{Diagnostic, Severity};

use crate::limits::limits;
use crate::output;

static DEMO: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/demo.rs"));

/// The files of a game: a folder, or the demo game that the program carries.
pub(crate) fn files(path: Option<&Path>) -> anyhow::Result<Box<dyn Files + Send>> {
    let Some(path) = path else {
        return Ok(Box::new(EmbeddedFiles(DEMO)));
    };
    let about =
        std::fs::metadata(path).with_context(|| format!("cannot open the game “{}”", path.display()))?;
    if !about.is_dir() {
        return archive(path);
    }
    if !path.join("definition.xml").is_file() {
        bail!(
            "“{}” holds no definition.xml, so it is no game; name the folder that does, or leave --game out for the demo game",
            path.display()
        );
    }
    Ok(Box::new(Folder::new(path)))
}

/// The files of an `.o8g` or `.nupkg` archive; what is dangerous in it is printed and left out.
fn archive(path: &Path) -> anyhow::Result<Box<dyn Files + Send>> {
    let shown = path.display();
    let bytes = std::fs::read(path).with_context(|| format!("cannot read “{shown}”"))?;
    let archive = Archive::new(bytes, &limits()).with_context(|| {
        format!("“{shown}” is no game: a game is a folder with a definition.xml in it, or an .o8g")
    })?;
    for (code, message) in archive.troubles() {
        output::note(&format!("{shown}: {code}: {message}"));
    }
    let archive = archive.package();
    if !archive.list()?.iter().any(|name| name == "definition.xml") {
        bail!("“{shown}” holds no def/definition.xml, so it is no game");
    }
    Ok(Box::new(archive))
}

/// D38: a game whose rules have errors is refused, with every error.
pub(crate) fn refuse_rule_errors(loaded: &Loaded) -> anyhow::Result<()> {
    let errors: Vec<Diagnostic> = loaded.rule_errors().cloned().collect();
    if errors.is_empty() {
        return Ok(());
    }
    output::findings(&loaded.package.sources, &errors);
    bail!(
        "the rules have errors; mend them, or play with --allow-errors, which plays those cards without their rules (D38)"
    )
}

/// Reads a game to be played. What makes that impossible is printed.
pub(crate) fn open(path: Option<&Path>) -> anyhow::Result<(Loaded, Arc<Game>)> {
    let files = files(path)?;
    let mut loaded = cw_load::load(&*files)?;
    let Some(game) = loaded.game.clone() else {
        let errors: Vec<Diagnostic> = loaded
            .diagnostics
            .iter()
            .filter(|found| found.severity == Severity::Error)
            .cloned()
            .collect();
        output::findings(&loaded.package.sources, &errors);
        bail!("the game cannot be played before this is mended");
    };
    loaded.diagnostics.sort_by_key(|found| (found.file, found.span));
    Ok((loaded, game))
}

/// A deck by its name in the package, or by the path of a file.
pub(crate) fn deck(
    loaded: &Loaded,
    wanted: Option<&str>,
    index: usize,
) -> anyhow::Result<(String, Vec<ModelId>)> {
    let names = || {
        loaded
            .decks
            .iter()
            .map(|deck| format!("“{}”", deck.name))
            .collect::<Vec<_>>()
            .join(", ")
    };
    let found = match wanted {
        None => loaded.decks.get(index % loaded.decks.len().max(1)),
        Some(name) if Path::new(name).is_file() => return deck_file(loaded, &PathBuf::from(name)),
        Some(name) => loaded
            .decks
            .iter()
            .find(|deck| deck.name.eq_ignore_ascii_case(name)),
    };
    let Some(deck) = found else {
        let Some(name) = wanted else {
            bail!("the game has no decks; give --deck1 and --deck2 as .o8d files")
        };
        let nearest = cw_text::nearest(name, loaded.decks.iter().map(|deck| deck.name.as_str()));
        match nearest {
            Some(nearest) => bail!("there is no deck “{name}”; did you mean “{nearest}”?"),
            None => bail!(
                "there is no deck “{name}”, neither as a file nor in the game; it has {}",
                names()
            ),
        }
    };
    complete(&deck.name, &deck.missing)?;
    Ok((deck.name.clone(), deck.cards.clone()))
}

fn deck_file(loaded: &Loaded, path: &Path) -> anyhow::Result<(String, Vec<ModelId>)> {
    let text = std::fs::read(path).with_context(|| format!("cannot read the deck “{}”", path.display()))?;
    let name = path
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let (deck, sources, found) = loaded.read_deck(&path.display().to_string(), text);
    let errors: Vec<Diagnostic> = found
        .into_iter()
        .filter(|found| found.severity == Severity::Error)
        .collect();
    let Some(deck) = deck.filter(|_| errors.is_empty()) else {
        output::findings(&sources, &errors);
        bail!("the deck “{}” cannot be read", path.display());
    };
    complete(&name, &deck.missing)?;
    Ok((name, deck.cards))
}

fn complete(name: &str, missing: &[String]) -> anyhow::Result<()> {
    match missing {
        [] => Ok(()),
        [first, rest @ ..] => {
            let more = if rest.is_empty() {
                String::new()
            } else {
                format!(" and {} more", rest.len())
            };
            bail!("the deck “{name}” names a card that the game does not have: {first}{more} (P134)")
        }
    }
}

/// Refuses decks that are not legal, with every fault.
pub(crate) fn check_deck(game: &Game, name: &str, deck: &[ModelId]) -> anyhow::Result<()> {
    let faults = game.deck_faults(deck);
    if faults.is_empty() {
        return Ok(());
    }
    let words: Vec<String> = faults
        .iter()
        .map(|fault| format!("  {}", fault.describe(game)))
        .collect();
    bail!(
        "the deck “{name}” is not legal:\n{}\nplay it all the same with --illegal-decks",
        words.join("\n")
    )
}
