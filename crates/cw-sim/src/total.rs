//! What a plan came to.

use cw_duel::Outcome;
use cw_stats::{Correction, Pairs};

use crate::luck::Luck;
use crate::plan::Plan;
use crate::play::{Pair, Played};
use crate::results::Results;
use crate::sums::Sums;

/// Something about a duel that should not happen, or hardly ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Oddity {
    /// The loop guard ended something (D13).
    LoopGuard,
    /// It was drawn: it reached the most turns, or both lost at once (D14).
    Drawn,
    /// A player gave up, as a program that makes too many mistakes does.
    GaveUp,
}

impl Oddity {
    /// All, in order.
    pub const ALL: [Oddity; 3] = [Oddity::LoopGuard, Oddity::Drawn, Oddity::GaveUp];

    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            Oddity::LoopGuard => "loop-guard",
            Oddity::Drawn => "drawn",
            Oddity::GaveUp => "gave-up",
        }
    }

    /// Whether a duel has it.
    pub fn is_in(self, duel: &Played) -> bool {
        match self {
            Oddity::LoopGuard => duel.guarded > 0,
            Oddity::Drawn => duel.outcome == Outcome::Drawn,
            Oddity::GaveUp => duel.gave_up().is_some(),
        }
    }
}

/// So many duels with an oddity are named, the first ones.
pub const NAMED: usize = 20;

/// The sums over a plan's pairs, added in the order of their numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Total {
    /// Over all matchups.
    pub results: Results,
    /// The score of who went first, over all matchups.
    pub firsts: Pairs,
    /// By matchup.
    pub matchups: Vec<Sums>,
    /// The luck of the draw, where one player plays both sides.
    pub luck: Option<Luck>,
    /// By kind: how many duels, and the pair and half of the first ones.
    pub oddities: [(u64, Vec<(u64, usize)>); Oddity::ALL.len()],
}

impl Total {
    /// Of nothing yet.
    pub fn of(plan: &Plan) -> Total {
        Total {
            results: Results::default(),
            firsts: Pairs::default(),
            matchups: plan.matchups.iter().map(Sums::of).collect(),
            luck: Luck::of(plan),
            oddities: Default::default(),
        }
    }

    /// The matchups' scores without the luck of the draw, where it is known of every pair and of enough of them.
    pub fn corrected(&self) -> Option<Correction> {
        let luck = self.luck.as_ref();
        let luck = luck.filter(|luck| luck.number() == self.results.pairs.number());
        luck.and_then(Luck::corrected)
    }

    /// Adds the next pair. Says whether the plan wants more.
    pub fn add(&mut self, plan: &Plan, pair: &Pair) -> bool {
        self.results.add(pair);
        self.firsts.add(pair.quarters_of_first());
        if let Some(luck) = &mut self.luck {
            luck.add(pair);
        }
        let turn = usize::try_from(pair.number % self.matchups.len() as u64);
        self.matchups[turn.expect("less than there are matchups")].add(pair);
        for ((number, first), oddity) in self.oddities.iter_mut().zip(Oddity::ALL) {
            for (half, duel) in pair.duels.iter().enumerate() {
                if oddity.is_in(duel) {
                    *number += 1;
                    if first.len() < NAMED {
                        first.push((pair.number, half));
                    }
                }
            }
        }
        !plan.stop.is_reached(&self.results)
    }
}
