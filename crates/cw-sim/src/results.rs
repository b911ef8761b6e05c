//! What pairs came to.

use cw_duel::{Outcome, Seat};
use cw_stats::Pairs;

use crate::play::{Pair, Played};

/// Sums over pairs. Integers only: they add up to the same in any order and on any machine.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Results {
    /// The pairs by the first player's score.
    pub pairs: Pairs,
    /// Duels that the first player won, drew and lost.
    pub duels: [u64; 3],
    /// Duels that were won by who went first.
    pub first_won: u64,
    /// Turns in all.
    pub turns: u64,
    /// Decisions with more than one option in all.
    pub decisions: u64,
    /// The most of them in one duel.
    pub most_decisions: u32,
    /// Duels in which the loop guard ended something (D13).
    pub guarded: u64,
    /// Duels that each player gave up.
    pub gave_up: [u64; 2],
}

impl Results {
    /// Adds a pair.
    pub fn add(&mut self, pair: &Pair) {
        self.pairs.add(pair.quarters());
        for (seat, duel) in Seat::BOTH.into_iter().zip(&pair.duels) {
            self.add_duel(pair, seat, duel);
        }
    }

    /// `seat` is the first player's.
    fn add_duel(&mut self, pair: &Pair, seat: Seat, duel: &Played) {
        self.duels[2 - usize::from(duel.halves(seat))] += 1;
        let winner = match duel.outcome {
            Outcome::Won { winner, .. } => Some(winner),
            Outcome::Drawn => None,
        };
        self.first_won += u64::from(winner == Some(pair.first));
        self.turns += u64::from(duel.turns);
        self.decisions += u64::from(duel.decisions);
        self.most_decisions = self.most_decisions.max(duel.decisions);
        self.guarded += u64::from(duel.guarded > 0);
        if let Some(quitter) = duel.gave_up() {
            self.gave_up[usize::from(quitter != seat)] += 1;
        }
    }

    /// Duels played.
    pub fn number_of_duels(&self) -> u64 {
        self.duels.iter().sum()
    }
}
