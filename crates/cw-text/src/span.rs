use std::fmt;
use std::ops::Range;

/// A place in a text as spans count it. No reader takes a text of 4 GiB; what would lie beyond lies there.
///
/// ```
/// assert_eq!(cw_text::offset("text".len()), 4);
/// ```
#[inline]
pub fn offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// A half-open range of bytes in one source text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// The byte after the last one.
    pub end: u32,
}

impl Span {
    /// Makes the span `start..end`.
    pub fn new(start: usize, end: usize) -> Span {
        Span::between(offset(start), offset(end))
    }

    /// Makes the span between two offsets as spans have them.
    pub const fn between(start: u32, end: u32) -> Span {
        Span { start, end }
    }

    /// Makes the empty span at `offset`.
    pub fn at(offset: usize) -> Span {
        Span::new(offset, offset)
    }

    /// The smallest span that covers both.
    ///
    /// ```
    /// use cw_text::Span;
    ///
    /// assert_eq!(Span::new(2, 3).to(Span::new(5, 9)), Span::new(2, 9));
    /// ```
    pub fn to(self, other: Span) -> Span {
        Span::between(self.start.min(other.start), self.end.max(other.end))
    }

    /// Whether there is nothing in it.
    pub fn is_empty(self) -> bool {
        self.start >= self.end
    }

    /// Whether the two share a byte, or touch where one is empty.
    ///
    /// ```
    /// use cw_text::Span;
    ///
    /// assert!(Span::new(0, 3).touches(Span::at(3)));
    /// assert!(!Span::new(0, 3).touches(Span::new(4, 5)));
    /// ```
    pub fn touches(self, other: Span) -> bool {
        self.start <= other.end && other.start <= self.end
    }

    /// As a range to index a text with.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

impl From<Range<usize>> for Span {
    fn from(range: Range<usize>) -> Span {
        Span::new(range.start, range.end)
    }
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.start, self.end)
    }
}
