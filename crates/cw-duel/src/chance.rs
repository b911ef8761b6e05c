//! Chance as a part of the state: a seed and a position, or a script.

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};

/// Where random outcomes come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Chance {
    /// ChaCha8 with this seed; `position` counts the 32-bit words drawn.
    Seeded {
        /// The seed, in the first eight bytes of the key, little-endian.
        seed: u64,
        /// Words drawn so far.
        position: u64,
    },
    /// Scripted: random picks take the first candidates, coins come up heads.
    First {
        /// What a shuffle does.
        shuffle: Shuffle,
    },
    /// Scripted: outcomes from a list that belongs to the duel, then as [`Chance::First`].
    List {
        /// Outcomes taken so far.
        position: u32,
        /// What a shuffle does.
        shuffle: Shuffle,
    },
}

/// What a scripted shuffle does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shuffle {
    /// Nothing.
    Keep,
    /// The top card goes to the bottom.
    Rotate,
}

impl Chance {
    /// Chance from a seed.
    pub fn seeded(seed: u64) -> Chance {
        Chance::Seeded { seed, position: 0 }
    }

    /// A number below `bound`, all equally likely (Lemire, *Fast random integer generation in an
    /// interval*, 2019). A bound of 0 or 1 draws nothing.
    pub(crate) fn below(&mut self, bound: u32, script: &[u32]) -> u32 {
        if bound <= 1 {
            return 0;
        }
        match self {
            Chance::Seeded { seed, position } => {
                let mut words = Words::new(*seed, *position);
                let outcome = words.below(bound);
                *position = words.position;
                outcome
            }
            Chance::First { .. } => 0,
            Chance::List { position, .. } => {
                let outcome = script.get(*position as usize).copied().unwrap_or(0);
                *position = position.saturating_add(1);
                outcome.min(bound - 1)
            }
        }
    }

    /// Puts the items in random order (Fisher–Yates from the end).
    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        match self {
            Chance::Seeded { seed, position } => {
                let mut words = Words::new(*seed, *position);
                for last in (1..items.len()).rev() {
                    let other = words.below(last as u32 + 1);
                    items.swap(last, other as usize);
                }
                *position = words.position;
            }
            Chance::First { shuffle } | Chance::List { shuffle, .. } => match shuffle {
                Shuffle::Keep => {}
                Shuffle::Rotate if items.is_empty() => {}
                Shuffle::Rotate => items.rotate_left(1),
            },
        }
    }
}

struct Words {
    generator: ChaCha8Rng,
    position: u64,
}

impl Words {
    fn new(seed: u64, position: u64) -> Words {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        let mut generator = ChaCha8Rng::from_seed(key);
        generator.set_word_pos(u128::from(position));
        Words { generator, position }
    }

    fn next(&mut self) -> u32 {
        self.position += 1;
        self.generator.next_u32()
    }

    fn below(&mut self, bound: u32) -> u32 {
        let mut product = u64::from(self.next()) * u64::from(bound);
        let mut low = product as u32;
        if low < bound {
            let threshold = bound.wrapping_neg() % bound;
            while low < threshold {
                product = u64::from(self.next()) * u64::from(bound);
                low = product as u32;
            }
        }
        (product >> 32) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// G275: pinned, so that another platform or library version would show.
    #[test]
    fn golden_draws() {
        let mut chance = Chance::seeded(2026);
        let draws: Vec<u32> = (0..8).map(|_| chance.below(50, &[])).collect();
        let mut again = Chance::seeded(2026);
        assert_eq!(draws, (0..8).map(|_| again.below(50, &[])).collect::<Vec<_>>());
        assert_eq!(
            chance,
            Chance::Seeded {
                seed: 2026,
                position: 8
            }
        );
        assert_eq!(draws, GOLDEN, "ChaCha8, Lemire");
        let mut items: Vec<u32> = (0..10).collect();
        Chance::seeded(7).shuffle(&mut items);
        assert_eq!(items, GOLDEN_SHUFFLE);
    }

    const GOLDEN: [u32; 8] = [35, 40, 19, 41, 45, 35, 23, 9];
    const GOLDEN_SHUFFLE: [u32; 10] = [5, 9, 8, 4, 0, 2, 3, 7, 6, 1];

    /// R1402.
    #[test]
    fn scripts_replace_chance() {
        let mut first = Chance::First {
            shuffle: Shuffle::Rotate,
        };
        assert_eq!(first.below(6, &[]), 0);
        let mut cards = [1, 2, 3];
        first.shuffle(&mut cards);
        assert_eq!(cards, [2, 3, 1]);
        let mut list = Chance::List {
            position: 0,
            shuffle: Shuffle::Keep,
        };
        assert_eq!(
            [
                list.below(6, &[5, 9]),
                list.below(6, &[5, 9]),
                list.below(6, &[5, 9])
            ],
            [5, 5, 0]
        );
    }
}
