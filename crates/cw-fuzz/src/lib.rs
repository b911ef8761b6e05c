//! Plays the cards of an author until every statement, branch and listener of their rules has run, and
//! reports what goes wrong on the way.
//!
//! Knows the engine, how to stage a position around a card, and scenarios; does not know files, clocks or
//! terminals. The same game, seed and number of positions give the same report everywhere, on any number of
//! threads.
//!
//! A campaign is guided by coverage, as fuzzers of programs are: positions and choices from which a card did
//! something new are kept and varied, others are forgotten. In reading order: `positions` stages a card among
//! others, `watch` notes what its rule does, `campaign` searches, `shrink` makes a short scenario of a find.
//! `printed` compares a card's text with its rule, and plays the card once where they differ.
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation))]
#![warn(clippy::disallowed_types, clippy::disallowed_methods)]

mod campaign;
mod positions;
mod printed;
mod shrink;
mod watch;

use std::collections::BTreeSet;
use std::sync::Arc;

use cw_duel::{Decks, Duel, Game, Point};
use cw_players::{RandomPlayer, mix};
use cw_program::ModelId;
use cw_scenario::TakenStep;
use rayon::prelude::*;

/// How much is tried.
#[derive(Clone, Debug)]
pub struct FuzzOptions {
    /// What all positions and choices come from.
    pub seed: u64,
    /// Positions for each card, at most; a card whose statements have all run gets a quarter of them.
    pub positions: usize,
    /// Whole duels by chance, to find those that do not end.
    pub duels: usize,
    /// Only these cards; all where it is empty.
    pub cards: Vec<ModelId>,
    /// Whether hints get a scenario.
    pub shows_hints: bool,
}

impl Default for FuzzOptions {
    fn default() -> FuzzOptions {
        FuzzOptions {
            seed: 1,
            positions: 2_000,
            duels: 200,
            cards: Vec::new(),
            shows_hints: true,
        }
    }
}

/// What a campaign found out.
#[derive(Clone, Debug, Default)]
pub struct FuzzReport {
    /// A line for each card that has statements, in the order of the game.
    pub cards: Vec<FuzzedCard>,
    /// What went wrong, card by card.
    pub finds: Vec<FuzzFind>,
    /// What is doubtful about cards as they are printed.
    pub hints: Vec<FuzzHint>,
    /// Positions that were played from.
    pub positions: usize,
    /// Choices that were made.
    pub choices: usize,
}

/// How much of a card's rule has run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FuzzedCard {
    /// The card.
    pub model: ModelId,
    /// Its statements and branches.
    pub total: usize,
    /// Those that never ran, each with why.
    pub missing: Vec<MissingPoint>,
}

/// A statement or branch that never ran.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingPoint {
    /// Which.
    pub point: Point,
    /// What kept it from running, in words.
    pub why: String,
}

/// What is doubtful about a card: its text says something that its rule does not do, or nothing comes of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FuzzHint {
    /// The card.
    pub model: ModelId,
    /// What, as a clause.
    pub what: String,
    /// A scenario file in which the card is played, with what came of it; none if nobody wants one, if the
    /// card cannot be played, or if another one has its name.
    pub scenario: Option<String>,
}

/// What went wrong with a card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FuzzFind {
    /// What.
    pub kind: FindKind,
    /// The card whose rule it is; `None` for a duel without end.
    pub model: Option<ModelId>,
    /// The statement, in words.
    pub statement: String,
    /// How often it happened, of how many times.
    pub times: (u64, u64),
    /// A scenario file that shows it, where the position can be written down.
    pub scenario: Option<String>,
}

/// The kinds of finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FindKind {
    /// An expression could not be evaluated, and its statement was skipped (R1004).
    FailedExpression,
    /// The loop guard had to end what a card began (D13).
    GuardedLoop,
    /// An effect ran many times and never changed anything.
    IdleEffect,
    /// A duel by chance did not come to its end.
    EndlessDuel,
}

impl FindKind {
    /// The kind in words for people.
    pub fn words(self) -> &'static str {
        match self {
            FindKind::FailedExpression => "an expression cannot be evaluated",
            FindKind::GuardedLoop => "a loop that only the guard ends",
            FindKind::IdleEffect => "an effect that never changes anything",
            FindKind::EndlessDuel => "a duel without end",
        }
    }

    /// The kind as programs read it.
    pub fn word(self) -> &'static str {
        match self {
            FindKind::FailedExpression => "failed-expression",
            FindKind::GuardedLoop => "guarded-loop",
            FindKind::IdleEffect => "idle-effect",
            FindKind::EndlessDuel => "endless-duel",
        }
    }
}

/// Choices after which a duel by chance counts as one without end. The longest of a hundred thousand duels of
/// the demo game takes a tenth of it.
pub const ENDLESS: usize = 20_000;

/// Plays the cards of a game, then whole duels with these pairs of decks.
pub fn fuzz(game: &Arc<Game>, decks: &[Decks], options: &FuzzOptions) -> FuzzReport {
    let wanted = |model: &ModelId| options.cards.is_empty() || options.cards.contains(model);
    let models: Vec<ModelId> = game
        .numbered()
        .filter(|(_, card)| card.program.is_some())
        .map(|(model, _)| model)
        .filter(wanted)
        .collect();
    let campaigns: Vec<_> = models
        .par_iter()
        .map(|model| campaign::run(game, *model, options))
        .collect();
    let mut report = FuzzReport {
        hints: printed::hints(game, |model| wanted(&model), options.shows_hints),
        ..FuzzReport::default()
    };
    // What one card's campaign has run of another card's rule counts for that card, too.
    let taken: BTreeSet<TakenStep> = campaigns
        .iter()
        .flat_map(|one| one.taken.iter().copied())
        .collect();
    for card in cw_scenario::coverage(game, &taken) {
        let Some(at) = models.iter().position(|model| *model == card.model) else {
            continue;
        };
        let why = |point: Point| MissingPoint {
            why: campaigns[at].why_not(game, card.model, &point, &taken),
            point,
        };
        report.cards.push(FuzzedCard {
            model: card.model,
            total: card.total,
            missing: card.missing.into_iter().map(why).collect(),
        });
    }
    let mut seen = BTreeSet::new();
    for one in campaigns {
        report.positions += one.positions;
        report.choices += one.choices;
        for find in one.finds {
            if seen.insert((find.kind, find.model, find.statement.clone())) {
                report.finds.push(find);
            }
        }
    }
    report
        .finds
        .sort_by_key(|find| (find.model.map(|model| model.0), find.kind));
    report
        .finds
        .extend(endless(game, decks, options, &mut report.choices));
    report
}

/// Duels by chance that are not over after [`ENDLESS`] choices.
fn endless(
    game: &Arc<Game>,
    decks: &[Decks],
    options: &FuzzOptions,
    choices: &mut usize,
) -> Option<FuzzFind> {
    if decks.is_empty() {
        return None;
    }
    let lengths: Vec<usize> = (0..options.duels)
        .into_par_iter()
        .filter_map(|number| {
            let seed = mix(&[options.seed, 0x0d0e_11ed, number as u64]);
            let mut duel = Duel::new(Arc::clone(game), &decks[number % decks.len()], seed).ok()?;
            let mut random = RandomPlayer::new(seed);
            let mut length = 0;
            while let Some(decision) = duel.pending() {
                if length == ENDLESS {
                    break;
                }
                let number = random.below(decision.options.len());
                duel.take_option(number)?;
                length += 1;
            }
            Some(length)
        })
        .collect();
    *choices += lengths.iter().sum::<usize>();
    let count = lengths.iter().filter(|length| **length == ENDLESS).count() as u64;
    (count > 0).then(|| FuzzFind {
        kind: FindKind::EndlessDuel,
        model: None,
        statement: format!("not over after {ENDLESS} choices"),
        times: (count, lengths.len() as u64),
        scenario: None,
    })
}
