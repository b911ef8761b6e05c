//! What a plan came to.

use cw_duel::DuelOutcome;
use cw_stats::{Correction, Pairs};

use crate::luck::DrawLuck;
use crate::plan::{CONFIDENCE, DuelPlan, StopRule};
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
            Oddity::Drawn => duel.outcome == DuelOutcome::Drawn,
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
    pub luck: Option<DrawLuck>,
    /// By matchup: whether the plan goes on with it ([`StopRule::Each`]).
    open: Vec<bool>,
    /// By kind: how many duels, and the pair and half of the first ones.
    pub oddities: [(u64, Vec<(u64, usize)>); Oddity::ALL.len()],
}

impl Total {
    /// Of nothing yet.
    pub fn of(plan: &DuelPlan) -> Total {
        Total {
            results: Results::default(),
            firsts: Pairs::default(),
            matchups: plan.matchups.iter().map(Sums::of).collect(),
            luck: DrawLuck::of(plan),
            open: vec![true; plan.matchups.len()],
            oddities: Default::default(),
        }
    }

    /// The matchups' scores without the luck of the draw, where it is known of every pair and of enough of
    /// them.
    pub fn corrected(&self) -> Option<Correction> {
        let luck = self.luck.as_ref();
        let luck = luck.filter(|luck| luck.number() == self.results.pairs.number());
        luck.and_then(DrawLuck::corrected)
    }

    /// Whether the plan goes on with a pair's matchup: those that are known are left out where each is played
    /// until then ([`StopRule::Each`]).
    pub fn wants(&self, plan: &DuelPlan, pair: u64) -> bool {
        self.open[plan.place(pair)]
    }

    /// Half of the width of a matchup's interval, without luck where that is known of enough pairs.
    pub fn half(&self, correction: Option<&Correction>, matchup: usize) -> f64 {
        let interval = match correction {
            Some(correction) => correction.groups[matchup].interval(CONFIDENCE),
            None => self.matchups[matchup].results.pairs.interval(CONFIDENCE),
        };
        (interval.high - interval.low) / 2.0
    }

    /// How many matchups are not known to so much either way.
    pub fn unknown(&self, half: f64) -> usize {
        let correction = self.corrected();
        (0..self.matchups.len())
            .filter(|at| self.half(correction.as_ref(), *at) > half)
            .count()
    }

    /// Passes over the next pair, which is not wanted. Says whether the plan wants more.
    pub fn pass(&mut self, plan: &DuelPlan, pair: u64) -> bool {
        let StopRule::Each { half, most } = plan.stop else {
            return !plan.stop.is_reached(&self.results);
        };
        let passed = pair + 1;
        if StopRule::looks(passed, self.matchups.len() as u64) {
            let correction = self.corrected();
            let is_wide = |at: usize| self.half(correction.as_ref(), at) > half;
            let wide: Vec<bool> = (0..self.matchups.len()).map(is_wide).collect();
            // What a card is worth is known better now, and an interval may have become a little wider by
            // that: but for such ones it would be over.
            let is_last = !wide.iter().zip(&self.open).any(|(wide, open)| *wide && *open);
            for (open, wide) in self.open.iter_mut().zip(wide) {
                *open = wide && (is_last || *open);
            }
        }
        passed < most && self.open.contains(&true)
    }

    /// Adds the next pair. Says whether the plan wants more.
    pub fn add(&mut self, plan: &DuelPlan, pair: &Pair) -> bool {
        self.results.add(pair);
        self.firsts.add(pair.quarters_of_first());
        if let Some(luck) = &mut self.luck {
            luck.add(pair);
        }
        self.matchups[plan.place(pair.number)].add(pair);
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
        self.pass(plan, pair.number)
    }
}
