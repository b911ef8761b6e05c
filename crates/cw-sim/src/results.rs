//! What pairs came to.

use cw_duel::DuelOutcome;
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

impl From<&Pair> for Results {
    fn from(pair: &Pair) -> Results {
        let mut results = Results::default();
        results.pairs.add(pair.quarters());
        pair.duels.iter().for_each(|duel| results.add_duel(duel));
        results
    }
}

impl Results {
    /// Adds a pair.
    pub fn add(&mut self, pair: &Pair) {
        self.join(&Results::from(pair));
    }

    /// Adds what other pairs came to.
    pub fn join(&mut self, other: &Results) {
        let sum = |into: &mut [u64], from: &[u64]| {
            into.iter_mut().zip(from).for_each(|(into, from)| *into += from);
        };
        sum(&mut self.pairs.counts, &other.pairs.counts);
        sum(&mut self.duels, &other.duels);
        sum(&mut self.gave_up, &other.gave_up);
        self.first_won += other.first_won;
        self.turns += other.turns;
        self.decisions += other.decisions;
        self.most_decisions = self.most_decisions.max(other.most_decisions);
        self.guarded += other.guarded;
    }

    fn add_duel(&mut self, duel: &Played) {
        let seat = duel.measured;
        self.duels[2 - usize::from(duel.halves(seat))] += 1;
        let winner = match duel.outcome {
            DuelOutcome::Won { winner, .. } => Some(winner),
            DuelOutcome::Drawn => None,
        };
        self.first_won += u64::from(winner == Some(duel.first));
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

    /// All of it as numbers, in a fixed order, to be kept.
    pub fn numbers(&self) -> [u64; 15] {
        let [a, b, c, d, e] = self.pairs.counts;
        let [won, drawn, lost] = self.duels;
        let [one, two] = self.gave_up;
        let most = u64::from(self.most_decisions);
        let Results {
            first_won,
            turns,
            decisions,
            guarded,
            ..
        } = *self;
        [
            a, b, c, d, e, won, drawn, lost, first_won, turns, decisions, most, guarded, one, two,
        ]
    }

    /// Reads what [`Results::numbers`] gave.
    pub fn of_numbers(numbers: [u64; 15]) -> Option<Results> {
        let [
            a,
            b,
            c,
            d,
            e,
            won,
            drawn,
            lost,
            first_won,
            turns,
            decisions,
            most,
            guarded,
            one,
            two,
        ] = numbers;
        Some(Results {
            pairs: Pairs {
                counts: [a, b, c, d, e],
            },
            duels: [won, drawn, lost],
            first_won,
            turns,
            decisions,
            most_decisions: u32::try_from(most).ok()?,
            guarded,
            gave_up: [one, two],
        })
    }
}
