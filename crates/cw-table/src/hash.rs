use std::fmt;
use std::hash::{Hash, Hasher};

use crate::{Kit, State};

/// Digest of a state's canonical form (F40).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StateHash(pub [u8; 16]);

/// Raised whenever equal verbs may lead to other states than before: old records are not replayed by new code.
pub(crate) const VERSION: u32 = 1;

impl StateHash {
    /// The digest of a state.
    pub fn of(kit: &Kit, state: &State) -> StateHash {
        let mut hasher = Canonical(blake3::Hasher::new());
        VERSION.hash(&mut hasher);
        kit.hash.hash(&mut hasher);
        state.hash(&mut hasher);
        let mut short = [0; 16];
        short.copy_from_slice(&hasher.0.finalize().as_bytes()[..16]);
        StateHash(short)
    }
}

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

/// Takes numbers in one order of bytes and one width, whatever the machine's.
struct Canonical(blake3::Hasher);

impl Hasher for Canonical {
    fn finish(&self) -> u64 {
        0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    fn write_u16(&mut self, number: u16) {
        self.write(&number.to_le_bytes());
    }

    fn write_u32(&mut self, number: u32) {
        self.write(&number.to_le_bytes());
    }

    fn write_u64(&mut self, number: u64) {
        self.write(&number.to_le_bytes());
    }

    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }

    fn write_i32(&mut self, number: i32) {
        self.write(&number.to_le_bytes());
    }

    fn write_i64(&mut self, number: i64) {
        self.write(&number.to_le_bytes());
    }

    fn write_isize(&mut self, number: isize) {
        self.write_i64(number as i64);
    }
}
