//! Where decisions come from: bytes of a fuzzer, or those that a seed makes.

/// Bytes that are read as small numbers. Behind the last one there are zeros, or as many as are
/// wanted where a seed makes them.
#[derive(Clone, Debug)]
pub struct ByteSource<'a> {
    given: &'a [u8],
    /// State of a generator (xorshift64*, Marsaglia 2003); 0 gives zeros.
    state: u64,
}

impl<'a> ByteSource<'a> {
    /// These bytes, then zeros.
    pub fn new(given: &'a [u8]) -> ByteSource<'a> {
        ByteSource { given, state: 0 }
    }

    /// Bytes without end, made of a number.
    pub fn of_seed(seed: u64) -> ByteSource<'static> {
        // SplitMix64's increment: no seed leads to the fixed point 0.
        let state = seed.wrapping_mul(2).wrapping_add(0x9E37_79B9_7F4A_7C15) | 1;
        let mut bytes = ByteSource { given: &[], state };
        bytes.below(2); // neighbours differ from the second number on
        bytes
    }

    /// Whether only zeros follow.
    pub fn is_empty(&self) -> bool {
        self.given.is_empty() && self.state == 0
    }

    /// A number below `bound`; 0 where there is none.
    pub fn below(&mut self, bound: usize) -> usize {
        if bound <= 1 {
            return 0;
        }
        self.word(bound) % bound
    }

    /// As few bytes as a number below `bound` needs.
    fn word(&mut self, bound: usize) -> usize {
        if self.given.is_empty() {
            self.state ^= self.state >> 12;
            self.state ^= self.state << 25;
            self.state ^= self.state >> 27;
            let word = self.state.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33;
            return usize::try_from(word).unwrap_or(0);
        }
        let (first, rest) = self
            .given
            .split_first()
            .map_or((0, self.given), |(byte, rest)| (*byte, rest));
        self.given = rest;
        let low = usize::from(first);
        if bound <= 256 {
            low
        } else {
            low + 256 * self.word(bound / 256)
        }
    }

    /// Whether something of which so many in a hundred are so is so; not, where there are only zeros.
    pub fn percent(&mut self, percent: usize) -> bool {
        self.below(100) >= 100 - percent.min(100)
    }

    /// One of these.
    ///
    /// # Panics
    /// If there are none.
    pub fn pick<'t, T>(&mut self, items: &'t [T]) -> &'t T {
        &items[self.below(items.len())]
    }

    /// A number from `low` to `high`, both included; `low` where the bytes are zero.
    pub fn between(&mut self, low: i32, high: i32) -> i32 {
        let width = usize::try_from(high.saturating_sub(low)).unwrap_or(0);
        let above = i32::try_from(self.below(width + 1)).unwrap_or(0);
        low.saturating_add(above)
    }
}
