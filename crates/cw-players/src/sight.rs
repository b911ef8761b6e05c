//! All that a seat sees, as a number.

use std::hash::{Hash, Hasher};

use cw_duel::DuelView;

/// A number made of everything in the view and of nothing else: a seed for a player whose choices
/// are the same again where it sees the same, and tell nothing of what it does not see (D50).
pub fn sight(view: &DuelView) -> u64 {
    digest(view)
}

/// A number made of everything in this, the same on every platform.
pub(crate) fn digest(of: &impl Hash) -> u64 {
    let mut digest = FnvHasher(0xcbf2_9ce4_8422_2325);
    of.hash(&mut digest);
    digest.0
}

/// The same on every platform, for what hashes numbers rather than their bytes: FNV-1a, by words of eight
/// bytes; a multiplication alone would leave the low bits to themselves.
struct FnvHasher(u64);

impl FnvHasher {
    fn word(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0x0100_0000_01b3);
        self.0 ^= self.0 >> 29;
    }
}

impl Hasher for FnvHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        words.iter().for_each(|word| self.word(u64::from_le_bytes(*word)));
        rest.iter().for_each(|byte| self.word(u64::from(*byte)));
    }

    fn write_u8(&mut self, number: u8) {
        self.word(u64::from(number));
    }

    fn write_u16(&mut self, number: u16) {
        self.word(u64::from(number));
    }

    fn write_u32(&mut self, number: u32) {
        self.word(u64::from(number));
    }

    fn write_u64(&mut self, number: u64) {
        self.word(number);
    }

    fn write_usize(&mut self, number: usize) {
        self.word(number as u64);
    }
}
