//! `cardwright fuzz`: plays an author's cards until every statement of their rules has run.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::bail;
use cw_duel::{Game, PerSeat};
use cw_fuzz::{FuzzFind, FuzzOptions, FuzzReport, FuzzedCard};
use cw_load::Loaded;
use cw_program::ModelId;
use cw_text::LineIndex;
use serde_json::{Value, json};

use crate::output::{self, count, say};
use crate::progress::busy;
use crate::{game, package};

/// Play cards until every statement of their rules has run
///
/// Stages thousands of positions around each card, plays on at random, and keeps to what shows something new.
/// Reports expressions that fail, loops that only the guard ends, effects that never change anything, duels
/// without end, and statements that never ran, with the reason. Hints name cards whose text has numbers or
/// keywords that the rule does not have, or the other way round, and cards that come to nothing. Each find
/// comes with a short scenario that shows it. The same seed gives the same report. Exits with 1 if there are
/// finds.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Folder or .o8g of the game [default: the one you are in, or the demo game]
    #[arg(value_name = "PATH")]
    game: Option<PathBuf>,
    /// Play only this card; may be repeated
    #[arg(long = "card", value_name = "NAME")]
    cards: Vec<String>,
    /// Maximum number of positions for each card
    #[arg(
        long,
        value_name = "N",
        default_value_t = 2_000,
        value_parser = clap::value_parser!(u32).range(1..=10_000_000)
    )]
    positions: u32,
    /// Number of whole duels to look for one without end
    #[arg(
        long,
        value_name = "N",
        default_value_t = 200,
        value_parser = clap::value_parser!(u32).range(0..=10_000_000)
    )]
    duels: u32,
    /// Seed for all randomness
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Write the scenarios of all finds to this file
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Overwrite the file
    #[arg(long, requires = "output")]
    force: bool,
    /// Fuzz even if rules have errors; cards with errors are left out
    #[arg(long)]
    allow_errors: bool,
    /// Print JSON, for programs
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    if let Some(path) = &args.output {
        package::refuse_old(path, args.force)?;
    }
    let (loaded, game) = game::open(args.game.as_deref())?;
    if !loaded.project.has_rules() {
        bail!(
            "{} has no rules for its cards (Rules/*.rules), so there is nothing to play",
            loaded.project.name()
        );
    }
    if !args.allow_errors {
        game::refuse_rule_errors(&loaded)?;
    }
    let options = FuzzOptions {
        seed: args.seed,
        positions: args.positions as usize,
        duels: args.duels as usize,
        cards: cards(&game, &args.cards)?,
        shows_hints: args.output.is_some() || args.json,
    };
    let all = &loaded.decks;
    let decks: Vec<_> = (0..all.len())
        .map(|at| PerSeat([all[at].cards.clone(), all[(at + 1) % all.len()].cards.clone()]))
        .collect();
    let report = busy("playing the cards", || cw_fuzz::fuzz(&game, &decks, &options));
    if let Some(path) = &args.output {
        package::write_new(path, scenarios(&game, args.seed, &report).as_bytes(), args.force)?;
    }
    match args.json {
        true => say!("{}", as_json(&loaded, &game, &report)),
        false => say_report(&loaded, &game, &report, args.output.is_some()),
    }
    Ok(match report.finds.is_empty() {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    })
}

/// The cards of these names; those without a rule are refused.
fn cards(game: &Game, names: &[String]) -> anyhow::Result<Vec<ModelId>> {
    let mut cards = Vec::new();
    for name in names {
        let of_name: Vec<ModelId> = game.named(name).collect();
        if of_name.is_empty() {
            let known = game.models.iter().map(|card| &*card.name);
            match cw_text::nearest(name, known) {
                Some(near) => bail!("there is no card “{name}”; did you mean “{near}”?"),
                None => bail!("there is no card “{name}”; `cardwright cards` lists all"),
            }
        }
        let before = cards.len();
        cards.extend(
            of_name
                .into_iter()
                .filter(|model| game.model(*model).program.is_some()),
        );
        if cards.len() == before {
            bail!("“{name}” has no rule, so there is nothing to play");
        }
    }
    Ok(cards)
}

/// All scenarios in one file.
fn scenarios(game: &Game, seed: u64, report: &FuzzReport) -> String {
    let finds = report.finds.iter().filter_map(|find| find.scenario.as_deref());
    let mut texts: Vec<&str> = finds.collect();
    let found = count(texts.len(), "find");
    // A card has one scenario for all of its hints.
    let mut hints: Vec<&str> = report
        .hints
        .iter()
        .filter_map(|hint| hint.scenario.as_deref())
        .collect();
    hints.dedup();
    let hinted = count(hints.len(), "hinted card");
    texts.extend(hints);
    format!(
        "# {found} and {hinted} of `cardwright fuzz` in {}, seed {seed}\n\n{}",
        game.name,
        texts.join("\n")
    )
}

/// The file and the line of a card's rule.
fn place(loaded: &Loaded, model: ModelId) -> Option<String> {
    let rule = loaded.rules.get(&model)?;
    let source = loaded.project.package.sources.find(rule.file)?;
    let lines = LineIndex::new(&source.text);
    let line = lines.line_column(&source.text, rule.header.start).line;
    Some(format!("{}:{line}", source.name))
}

fn headline(loaded: &Loaded, game: &Game, find: &FuzzFind) -> String {
    let Some(model) = find.model else {
        return format!("{}: {}", find.kind.words(), find.statement);
    };
    let name = &game.model(model).name;
    let at = place(loaded, model).map_or_else(String::new, |place| format!(" ({place})"));
    format!("{name}{at}: {}: `{}`", find.kind.words(), find.statement)
}

fn say_report(loaded: &Loaded, game: &Arc<Game>, report: &FuzzReport, is_written: bool) {
    for find in &report.finds {
        say!("FOUND {}", headline(loaded, game, find));
        say!("  {} of {} times", find.times.0, find.times.1);
        match &find.scenario {
            Some(_) if is_written => {}
            Some(text) => text.lines().for_each(|line| say!("    {line}")),
            None => say!("  its position cannot be written as a scenario; the same seed shows it again"),
        }
        say!("");
    }
    for hint in &report.hints {
        let name = &game.model(hint.model).name;
        let at = place(loaded, hint.model).map_or_else(String::new, |place| format!(" ({place})"));
        say!("HINT {name}{at}: {}", output::safe(&hint.what));
    }
    for card in report.cards.iter().filter(|card| !card.missing.is_empty()) {
        let name = &game.model(card.model).name;
        let at = place(loaded, card.model).map_or_else(String::new, |place| format!(" ({place})"));
        say!("{name}{at}: {} of {} never ran", card.missing.len(), card.total);
        for missing in &card.missing {
            say!("  {}: {}", missing.point.what, missing.why);
        }
    }
    let total: usize = report.cards.iter().map(|card| card.total).sum();
    let missing: usize = report.cards.iter().map(|card| card.missing.len()).sum();
    let percent = ((total - missing) * 100).checked_div(total).unwrap_or(100);
    say!(
        "{}: {} of {total} statements and branches ran ({percent} %), in {} and {}; {}.",
        game.name,
        total - missing,
        count(report.positions, "position"),
        count(report.choices, "choice"),
        match report.finds.len() {
            0 => "nothing went wrong".to_owned(),
            many => count(many, "find"),
        }
    );
}

fn as_json(loaded: &Loaded, game: &Game, report: &FuzzReport) -> Value {
    let card = |card: &FuzzedCard| {
        let missing = card.missing.iter();
        json!({
            "card": game.model(card.model).name,
            "rule": place(loaded, card.model),
            "total": card.total,
            "missing": missing.map(|missing| json!({
                "what": missing.point.what,
                "why": missing.why,
            })).collect::<Vec<_>>(),
        })
    };
    let find = |find: &FuzzFind| {
        json!({
            "kind": find.kind.word(),
            "card": find.model.map(|model| &game.model(model).name),
            "rule": find.model.and_then(|model| place(loaded, model)),
            "statement": find.statement,
            "times": find.times.0,
            "of": find.times.1,
            "scenario": find.scenario,
        })
    };
    json!({
        "game": game.name,
        "positions": report.positions,
        "choices": report.choices,
        "cards": report.cards.iter().map(card).collect::<Vec<_>>(),
        "finds": report.finds.iter().map(find).collect::<Vec<_>>(),
        "hints": report.hints.iter().map(|hint| json!({
            "card": game.model(hint.model).name,
            "rule": place(loaded, hint.model),
            "what": hint.what,
            "scenario": hint.scenario,
        })).collect::<Vec<_>>(),
    })
}
