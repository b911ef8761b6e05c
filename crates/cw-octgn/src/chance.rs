use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};

/// The source of chance for packs: ChaCha8, so that a seed gives the same packs everywhere (P91).
///
/// The key is the seed (8 bytes, little-endian) and the text `cardwright packs 1` padded with zeros;
/// the stream number is ChaCha's nonce. Numbers are taken from the key stream 32 bits at a time.
#[derive(Debug)]
pub struct PackChance {
    generator: ChaCha8Rng,
}

const DOMAIN: &[u8; 24] = b"cardwright packs 1\0\0\0\0\0\0";

impl PackChance {
    /// The stream 0 of a seed.
    pub fn new(seed: u64) -> PackChance {
        PackChance::stream(seed, 0)
    }

    /// One of many independent streams of a seed: one for each player, say.
    pub fn stream(seed: u64, stream: u64) -> PackChance {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key[8..].copy_from_slice(DOMAIN);
        let mut generator = ChaCha8Rng::from_seed(key);
        generator.set_stream(stream);
        PackChance { generator }
    }

    /// The next 64 bits, as options draw them (P89).
    pub fn bits(&mut self) -> u64 {
        self.generator.next_u64()
    }

    /// A number below `bound`, each equally likely; 0 for 0.
    ///
    /// The high half of a 32-bit number times the bound; products whose low half falls below
    /// 2^32 mod bound are drawn again, which leaves every result the same number of products.
    #[inline]
    pub fn below(&mut self, bound: u32) -> u32 {
        let mut product = u64::from(self.generator.next_u32()) * u64::from(bound);
        if ((product & 0xffff_ffff) as u32) < bound {
            let uneven = bound.wrapping_neg() % bound;
            while ((product & 0xffff_ffff) as u32) < uneven {
                product = u64::from(self.generator.next_u32()) * u64::from(bound);
            }
        }
        (product >> 32) as u32
    }

    /// Puts a list into random order: from the front, each place swaps with itself or a later one.
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for place in 0..list.len() {
            let left = u32::try_from(list.len() - place).expect("limits keep cards far below four billion");
            list.swap(place, place + self.below(left) as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// P91: these numbers never change, on any platform.
    #[test]
    fn golden_numbers() {
        let mut chance = PackChance::new(1);
        let drawn: Vec<u64> = (0..3).map(|_| chance.bits()).collect();
        assert_eq!(
            drawn,
            [10771259104960758563, 9865737814068800074, 9843713273930917121]
        );
        let mut chance = PackChance::stream(1, 1);
        let drawn: Vec<u32> = (0..12).map(|_| chance.below(6)).collect();
        assert_eq!(drawn, [2, 4, 5, 4, 3, 0, 2, 4, 0, 1, 4, 3]);
    }

    #[test]
    fn numbers_stay_below_the_bound_and_are_even() {
        let mut chance = PackChance::new(7);
        let mut counts = [0u32; 3];
        for _ in 0..30_000 {
            counts[chance.below(3) as usize] += 1;
        }
        assert!(
            counts.iter().all(|count| (9_700..10_300).contains(count)),
            "{counts:?}"
        );
        assert_eq!((chance.below(0), chance.below(1)), (0, 0));
        // A bound for which nearly half of all products are drawn again.
        let high = (1u32 << 31) + 1;
        assert!((0..1000).all(|_| chance.below(high) < high));
    }
}
