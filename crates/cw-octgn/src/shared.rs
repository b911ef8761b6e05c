use std::borrow::Borrow;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::{Deref, Range};

use cw_text::{SharedText, Span, offset};

/// A piece of text that is cheap to copy: most are slices of the file they were read from.
#[derive(Clone, Default)]
pub struct Str {
    // Invariant: `start..end` lies in `text`, on character boundaries.
    text: SharedText,
    start: u32,
    end: u32,
}

impl Str {
    /// A slice of a shared text; empty if the range is not in it.
    pub(crate) fn slice(text: &SharedText, range: Range<usize>) -> Str {
        let fits = text.get(range.clone()).is_some();
        let range = if fits { range } else { 0..0 };
        Str {
            text: text.clone(),
            start: offset(range.start),
            end: offset(range.end),
        }
    }

    /// As [`Str::slice`], for places that lie beside tags, quotes and references: these are boundaries.
    pub(crate) fn cut(text: &SharedText, start: u32, end: u32) -> Str {
        debug_assert!(text.get(start as usize..end as usize).is_some());
        Str {
            text: text.clone(),
            start,
            end,
        }
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        self
    }
}

impl Deref for Str {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text[self.start as usize..self.end as usize]
    }
}

impl From<&str> for Str {
    fn from(text: &str) -> Str {
        Str::from(text.to_owned())
    }
}

impl From<String> for Str {
    fn from(text: String) -> Str {
        Str {
            start: 0,
            end: u32::try_from(text.len()).expect("texts are shorter than 4 GiB (P178)"),
            text: SharedText::from(text),
        }
    }
}

impl Borrow<str> for Str {
    fn borrow(&self) -> &str {
        self
    }
}

impl AsRef<str> for Str {
    fn as_ref(&self) -> &str {
        self
    }
}

impl PartialEq for Str {
    fn eq(&self, other: &Str) -> bool {
        // Lengths first: looking at the text is what costs.
        self.end - self.start == other.end - other.start && **self == **other
    }
}

impl Eq for Str {}

impl PartialEq<str> for Str {
    fn eq(&self, other: &str) -> bool {
        (self.end - self.start) as usize == other.len() && **self == *other
    }
}

impl PartialEq<&str> for Str {
    fn eq(&self, other: &&str) -> bool {
        *self == **other
    }
}

impl PartialOrd for Str {
    fn partial_cmp(&self, other: &Str) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Str {
    fn cmp(&self, other: &Str) -> std::cmp::Ordering {
        (**self).cmp(&**other)
    }
}

impl Hash for Str {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (**self).hash(state);
    }
}

impl fmt::Display for Str {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self)
    }
}

impl fmt::Debug for Str {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

/// Where something stands in its file.
///
/// Two places are always equal: two packages are the same when they say the same, wherever it stands.
#[derive(Clone, Copy, Default)]
pub struct FilePlace(pub Span);

impl PartialEq for FilePlace {
    fn eq(&self, _: &FilePlace) -> bool {
        true
    }
}

impl Eq for FilePlace {}

impl fmt::Debug for FilePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

/// A value with the place it was read from; equal if the values are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct LocatedValue<T> {
    /// The value.
    pub value: T,
    /// Where it stands: for an attribute the bytes between its quotes.
    pub place: FilePlace,
}

impl<T> LocatedValue<T> {
    /// A value at a place.
    pub fn new(value: T, span: Span) -> LocatedValue<T> {
        LocatedValue {
            value,
            place: FilePlace(span),
        }
    }

    /// Where it stands.
    pub fn span(&self) -> Span {
        self.place.0
    }
}

impl<T> Deref for LocatedValue<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T> From<T> for LocatedValue<T> {
    fn from(value: T) -> LocatedValue<T> {
        LocatedValue::new(value, Span::default())
    }
}
