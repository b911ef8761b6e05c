//! Seeds, and the chance that players have of their own. It is no part of any duel.

use cw_duel::{Choice, Decision, Seat, Seed};

/// Chooses any option, all equally likely; the same seed gives the same choices everywhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RandomPlayer {
    state: u64,
}

impl RandomPlayer {
    /// A player with this seed.
    pub fn new(seed: u64) -> RandomPlayer {
        // SplitMix64's increment: no seed leads to the fixed point 0.
        RandomPlayer {
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

/// One seed made of several numbers; a change of any of them changes all of it (the finaliser of
/// SplitMix64; Steele, Lea, Flood 2014).
pub fn mix(numbers: &[u64]) -> u64 {
    numbers.iter().fold(0, |seed, number| {
        let mut word = (seed ^ number).wrapping_add(0x9E37_79B9_7F4A_7C15);
        word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        word ^ (word >> 31)
    })
}

/// Returns the seed of the players of a duel with this seed. It is a digest, so players learn nothing about
/// the chance that deals the cards.
pub fn players_seed(duel: Seed) -> u64 {
    let (words, _) = duel.0.as_chunks();
    let words: Vec<u64> = words.iter().map(|word| u64::from_le_bytes(*word)).collect();
    mix(&words)
}

/// The seed of a seat's `number`th decision, for a player with this seed of its own. It is made of
/// no running stream: two duels that part and meet again ask with the same seeds.
pub fn seed_of(player: u64, seat: Seat, number: u64) -> u64 {
    mix(&[player, seat.index() as u64, number])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_outcomes_come_up() {
        let mut random = RandomPlayer::new(0);
        let mut seen = [0; 5];
        for _ in 0..1000 {
            seen[random.below(5)] += 1;
        }
        assert!(seen.iter().all(|count| (120..280).contains(count)), "{seen:?}");
        assert_eq!(random.below(0), 0);
    }

    /// The first number drawn from mixed seeds is even, too: levels draw few numbers from each.
    #[test]
    fn neighbouring_seeds_have_nothing_in_common() {
        let mut seen = [0; 5];
        for number in 0..1000 {
            seen[RandomPlayer::new(seed_of(1, Seat::Two, number)).below(5)] += 1;
        }
        assert!(seen.iter().all(|count| (150..250).contains(count)), "{seen:?}");
        assert_ne!(seed_of(1, Seat::One, 0), seed_of(1, Seat::Two, 0));
        assert_ne!(mix(&[1, 2]), mix(&[2, 1]));
    }
}
