//! Which statements and branches of which cards no scenario has run.

use std::collections::BTreeSet;

use cw_duel::{Game, Point, StepResult};
use cw_program::ModelId;

/// A step of a program that was taken, and what came of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TakenStep {
    /// Whose rule.
    pub model: ModelId,
    /// Which step of its program.
    pub step: u16,
    /// What came of it.
    pub result: StepResult,
}

/// How much of a card's rule was run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CardCoverage {
    /// The card.
    pub model: ModelId,
    /// Statements and branches of its rule.
    pub total: usize,
    /// Those that no scenario has run.
    pub missing: Vec<Point>,
}

/// Compares what was taken with all that there is: a line for each card that has statements.
pub fn coverage(game: &Game, taken: &BTreeSet<TakenStep>) -> Vec<CardCoverage> {
    let mut cards = Vec::new();
    for (model, found) in game.numbered() {
        let Some(program) = &found.program else { continue };
        let points = program.points();
        let total = points.len();
        let reached = |point: &Point| {
            taken.iter().any(|taken| {
                taken.model == model && taken.step == point.step && point.goal.is_reached_by(taken.result)
            })
        };
        let missing: Vec<Point> = points.into_iter().filter(|point| !reached(point)).collect();
        if total > 0 {
            cards.push(CardCoverage {
                model,
                total,
                missing,
            });
        }
    }
    cards
}
