//! The luck of the draw in a plan's pairs, and the scores without it.

use cw_duel::Seat;
use cw_program::ModelId;
use cw_stats::{Correction, PARTS};

use crate::plan::{DuelPlan, Exchange};
use crate::play::Pair;

/// What luck brought of each card in the pairs of a plan in which one player plays both sides, by matchup.
///
/// How a matchup came out depends much on who drew what. How much of each card came to one deck more than was
/// to be expected, and to the other one less, is known of every duel ([`CardRow::surprise`](crate::CardRow)),
/// and what a card more is worth shows over all matchups. Both together say by how much the first deck's
/// score was luck. Only pairs count of which it was noted what the cards did. Integers, as in
/// [`Sums`](crate::Sums).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawLuck {
    /// By matchup: the cards of both decks.
    models: Vec<Vec<ModelId>>,
    sums: cw_stats::LuckSums,
}

impl DrawLuck {
    /// Of no pairs yet; none between two players, where both have the same luck.
    pub fn of(plan: &DuelPlan) -> Option<DrawLuck> {
        if plan.exchange == Exchange::Players {
            return None;
        }
        let sorted = |mut models: Vec<ModelId>| {
            models.sort_unstable();
            models.dedup();
            models
        };
        let of_both = |decks: &cw_duel::Decks| sorted(decks.0.concat());
        let models: Vec<Vec<ModelId>> = plan
            .matchups
            .iter()
            .map(|matchup| of_both(&matchup.decks))
            .collect();
        let all = sorted(models.concat());
        let groups = models.iter().map(|models| {
            let places = models.iter().map(|model| all.binary_search(model));
            places.filter_map(Result::ok).collect()
        });
        let sums = cw_stats::LuckSums::new(all.len(), groups);
        Some(DrawLuck { models, sums })
    }

    /// Adds a pair.
    pub(crate) fn add(&mut self, pair: &Pair) {
        let matchups = self.models.len() as u64;
        let matchup = usize::try_from(pair.number % matchups).unwrap_or(0);
        let models = &self.models[matchup];
        let mut luck = vec![0_i64; models.len()];
        for duel in &pair.duels {
            if duel.cards.0.iter().all(Vec::is_empty) {
                return;
            }
            for seat in Seat::BOTH {
                let sign = if seat == duel.measured { 1 } else { -1 };
                for row in &duel.cards[seat] {
                    if let Ok(at) = models.binary_search(&row.model) {
                        luck[at] += sign * i64::from(row.surprise);
                    }
                }
            }
        }
        // The mean of both duels, in other parts. Nobody draws a hundred cards more than are in a deck.
        for luck in &mut luck {
            *luck = (*luck / (2 * 1_000_000 / PARTS)).clamp(-100 * PARTS, 100 * PARTS);
        }
        self.sums
            .add(matchup, pair.number / matchups, pair.quarters(), &luck);
    }

    /// Pairs.
    pub fn number(&self) -> u64 {
        self.sums.number()
    }

    /// With fewer pairs than this nothing is corrected.
    pub fn least(&self) -> u64 {
        self.sums.least()
    }

    /// The first deck's score in each matchup without luck; none of too few pairs.
    pub fn corrected(&self) -> Option<Correction> {
        self.sums.corrected()
    }
}
