use std::fmt;
use std::hash::Hasher;

/// A digest of a state: equal states have equal hashes on every platform.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StateHash(pub [u8; 16]);

impl fmt::Display for StateHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for StateHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// What a state is written to, to be digested: BLAKE3, cut to 128 bits.
///
/// Numbers go in little-endian order and sizes as 64 bits, so that neither byte order nor word size shows.
/// Golden hashes in the games' tests pin the encoding.
#[derive(Debug, Default)]
pub struct StateHasher {
    hasher: blake3::Hasher,
    /// What is yet to be digested: many bytes at once cost a fraction of as many one by one.
    waiting: Vec<u8>,
}

/// So many bytes wait at most.
const WAITING: usize = 64 << 10;

impl StateHasher {
    /// Nothing written yet.
    pub fn new() -> StateHasher {
        StateHasher {
            hasher: blake3::Hasher::new(),
            waiting: Vec::with_capacity(4 << 10),
        }
    }

    /// The digest of all that was written.
    pub fn hash(&self) -> StateHash {
        let mut short = [0; 16];
        if self.hasher.count() == 0 {
            short.copy_from_slice(&blake3::hash(&self.waiting).as_bytes()[..16]);
        } else {
            let mut hasher = self.hasher.clone();
            hasher.update(&self.waiting);
            short.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
        }
        StateHash(short)
    }
}

impl Hasher for StateHasher {
    /// The first 64 bits of the digest; [`StateHasher::hash`] gives all.
    fn finish(&self) -> u64 {
        let mut first = [0; 8];
        first.copy_from_slice(&self.hash().0[..8]);
        u64::from_le_bytes(first)
    }

    fn write(&mut self, bytes: &[u8]) {
        if self.waiting.len() + bytes.len() > WAITING {
            self.hasher.update(&self.waiting);
            self.waiting.clear();
        }
        self.waiting.extend_from_slice(bytes);
    }

    fn write_u8(&mut self, value: u8) {
        self.write(&[value]);
    }

    fn write_u16(&mut self, value: u16) {
        self.write(&value.to_le_bytes());
    }

    fn write_u32(&mut self, value: u32) {
        self.write(&value.to_le_bytes());
    }

    fn write_u64(&mut self, value: u64) {
        self.write(&value.to_le_bytes());
    }

    fn write_usize(&mut self, value: usize) {
        self.write_u64(value as u64);
    }

    fn write_i32(&mut self, value: i32) {
        self.write(&value.to_le_bytes());
    }

    fn write_i64(&mut self, value: i64) {
        self.write(&value.to_le_bytes());
    }

    fn write_isize(&mut self, value: isize) {
        self.write_i64(value as i64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// F40: pinned, so that no platform writes numbers otherwise.
    #[test]
    fn numbers_are_written_the_same_everywhere() {
        let mut digest = StateHasher::new();
        digest.write_u8(1);
        digest.write_u16(2);
        digest.write_u32(3);
        digest.write_usize(4);
        digest.write_i32(-5);
        digest.write_isize(-6);
        let mut bytes = StateHasher::new();
        bytes.write(&[1, 2, 0, 3, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0]);
        bytes.write(&[0xfb, 0xff, 0xff, 0xff]);
        bytes.write(&[0xfa, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]);
        assert_eq!(digest.hash(), bytes.hash());
        // However much is written at once.
        let (mut one, mut other) = (StateHasher::new(), StateHasher::new());
        for n in 0..60_000u64 {
            one.write_u64(n);
        }
        let all: Vec<u8> = (0..60_000u64).flat_map(u64::to_le_bytes).collect();
        all.chunks(70_001).for_each(|part| other.write(part));
        assert_eq!(one.hash(), other.hash());
        assert_eq!(one.hash().0, blake3::hash(&all).as_bytes()[..16]);
        // The digest of nothing, as every program for BLAKE3 computes it.
        assert_eq!(
            StateHasher::new().hash().to_string(),
            "af1349b9f5f9a1a6a0404dea36dcc949"
        );
    }
}
