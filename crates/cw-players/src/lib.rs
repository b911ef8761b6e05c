//! Who decides: players that see a view and answer a decision.
//!
//! Knows views and decisions; does not know hidden cards, screens or files.
#![warn(clippy::disallowed_types, clippy::disallowed_methods)]

mod policy;
mod preview;
mod sensible;
mod sight;

use cw_duel::{Choice, Decision, View};

pub use policy::{Habit, Policy, Stop};
pub use preview::{Preview, preview};
pub use sensible::Sensible;
pub use sight::sight;

/// Somebody who answers decisions.
pub trait Player {
    /// Answers one decision of its seat. `view` is made only if it is wanted.
    fn choose(&mut self, decision: &Decision, view: &mut dyn FnMut() -> View) -> Choice;
}

/// Chooses any option, all equally likely; the same seed gives the same choices everywhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Random {
    state: u64,
}

impl Random {
    /// A player with this seed.
    pub fn new(seed: u64) -> Random {
        // SplitMix64's increment: no seed leads to the fixed point 0.
        Random {
            state: seed.wrapping_mul(2).wrapping_add(0x9E37_79B9_7F4A_7C15) | 1,
        }
    }

    /// A number below `bound`; 0 for a bound of 0 (xorshift64*, Marsaglia 2003).
    pub fn below(&mut self, bound: usize) -> usize {
        self.state ^= self.state >> 12;
        self.state ^= self.state << 25;
        self.state ^= self.state >> 27;
        let word = self.state.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 32;
        ((word * bound as u64) >> 32) as usize
    }

    /// Chooses without looking at anything but the options.
    pub fn pick(&mut self, decision: &Decision) -> Choice {
        decision.options[self.below(decision.options.len())]
    }
}

impl Player for Random {
    fn choose(&mut self, decision: &Decision, _: &mut dyn FnMut() -> View) -> Choice {
        self.pick(decision)
    }
}

#[cfg(test)]
mod tests {
    use super::Random;

    #[test]
    fn all_outcomes_come_up() {
        let mut random = Random::new(0);
        let mut seen = [0; 5];
        for _ in 0..1000 {
            seen[random.below(5)] += 1;
        }
        assert!(seen.iter().all(|count| (120..280).contains(count)), "{seen:?}");
        assert_eq!(random.below(0), 0);
    }
}
