//! A pair that is played one answer at a time, by somebody who does other things in between: a page in a
//! browser has one thread, and a server has others to serve.

use cw_duel::{Duel, DuelOutcome, PerSeat, Seat, Silent};
use cw_players::{Ask, Level, PositionWeights, SeatEyes, seed_of};
use cw_stats::Pairs;

use crate::plan::DuelPlan;

/// A pair of a plan that is being played.
#[derive(Clone, Debug)]
pub struct PacedPair {
    number: u64,
    duel: Duel,
    asked: PerSeat<u64>,
    /// How the first of its duels ended.
    first: Option<PacedEnd>,
}

/// How a duel of a pair ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PacedEnd {
    /// Half points of the first player: 2 for a win, 1 for a draw.
    pub halves: u8,
    /// Half points of who went first.
    pub halves_of_first: u8,
}

/// Sums over pairs that were played at somebody's pace: the same that [`Results`](crate::Results) has of
/// them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PacedSums {
    /// The pairs by the first player's score.
    pub pairs: Pairs,
    /// Duels that the first player won, drew and lost.
    pub duels: [u64; 3],
    /// Duels that were won by who went first.
    pub first_won: u64,
}

impl PacedSums {
    /// Adds the duels of a pair.
    pub fn add(&mut self, ends: [PacedEnd; 2]) {
        self.pairs.add(ends[0].halves + ends[1].halves);
        for end in ends {
            self.duels[usize::from(2 - end.halves.min(2))] += 1;
            self.first_won += u64::from(end.halves_of_first == 2);
        }
    }

    /// Adds other sums.
    pub fn join(&mut self, other: &PacedSums) {
        let counts = self.pairs.counts.iter_mut().zip(other.pairs.counts);
        counts.for_each(|(into, from)| *into += from);
        let duels = self.duels.iter_mut().zip(other.duels);
        duels.for_each(|(into, from)| *into += from);
        self.first_won += other.first_won;
    }
}

impl DuelPlan {
    /// Begins a pair of the plan.
    ///
    /// # Panics
    /// If a duel cannot start: [`DuelPlan::check`] tells beforehand.
    pub fn begin_pair(&self, number: u64) -> PacedPair {
        PacedPair {
            number,
            duel: self.duel(number, 0),
            asked: PerSeat([0, 0]),
            first: None,
        }
    }

    /// Lets whoever is asked give one answer; how both duels ended, after the last one. A pair that is played
    /// so comes to the same as by [`DuelPlan::play`]. Positions are worth what `values` says, where a game
    /// says so itself.
    ///
    /// # Panics
    /// As [`DuelPlan::begin_pair`].
    pub fn go_on(
        &self,
        pair: &mut PacedPair,
        levels: [Level; 2],
        values: Option<&PositionWeights>,
    ) -> Option<[PacedEnd; 2]> {
        let beginning = self.beginning(pair.number);
        let half = usize::from(pair.first.is_some());
        let (first, measured) = (beginning.halves[half].first, beginning.halves[half].seat);
        if let Some(eyes) = SeatEyes::of_who_is_asked(&pair.duel) {
            let seat = eyes.decision().seat;
            let player = usize::from(seat != measured);
            let ask = Ask {
                budget: self.budgets[player],
                values,
                ..eyes.ask(seed_of(beginning.players, seat, pair.asked[seat]))
            };
            pair.asked[seat] += 1;
            let choice = levels[player].choose(&ask);
            let taken = pair.duel.answer(choice, &mut Silent);
            taken.expect("players choose what is offered");
        }
        let outcome = pair.duel.outcome()?;
        let halves = |seat: Seat| match outcome {
            DuelOutcome::Won { winner, .. } => u8::from(winner == seat) * 2,
            DuelOutcome::Drawn => 1,
        };
        let end = PacedEnd {
            halves: halves(measured),
            halves_of_first: halves(first),
        };
        match pair.first {
            Some(first) => Some([first, end]),
            None => {
                pair.first = Some(end);
                pair.duel = self.duel(pair.number, 1);
                pair.asked = PerSeat([0, 0]);
                None
            }
        }
    }
}
