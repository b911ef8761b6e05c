//! Places as editors count them: lines from 0, and columns in bytes or in units of UTF-16.

use cw_text::{Span, offset};

use crate::protocol::{TextPosition, TextRange};

/// What a column counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum PositionEncoding {
    /// Bytes of UTF-8.
    Utf8,
    /// Units of UTF-16, which every editor knows.
    #[default]
    Utf16,
}

impl PositionEncoding {
    /// The name in the protocol.
    pub fn word(self) -> &'static str {
        match self {
            PositionEncoding::Utf8 => "utf-8",
            PositionEncoding::Utf16 => "utf-16",
        }
    }
}

/// Where the lines of a text begin. As the protocol has it, `\n`, `\r\n` and a lone `\r` each end a line.
///
/// ```
/// use cw_lsp::{LineTable, PositionEncoding::Utf16, TextPosition};
///
/// let text = "a😀b\r\nc";
/// let lines = LineTable::new(text);
/// assert_eq!(lines.position(text, 5, Utf16), TextPosition { line: 0, character: 3 });
/// assert_eq!(lines.offset(text, TextPosition { line: 9, character: 0 }, Utf16), text.len());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineTable {
    // Invariant: sorted, the first is 0, and each is the start of a letter or the end of the text.
    starts: Vec<usize>,
}

impl LineTable {
    /// Finds the lines of a text.
    pub fn new(text: &str) -> LineTable {
        let bytes = text.as_bytes();
        let ends = memchr::memchr2_iter(b'\n', b'\r', bytes);
        let ends = ends.filter(|at| bytes[*at] == b'\n' || bytes.get(at + 1) != Some(&b'\n'));
        LineTable {
            starts: std::iter::once(0).chain(ends.map(|at| at + 1)).collect(),
        }
    }

    /// The place of a byte; one within a letter is taken for the letter's start, one behind the text for its
    /// end.
    pub fn position(&self, text: &str, at: usize, encoding: PositionEncoding) -> TextPosition {
        let at = floor(text, at);
        let line = self
            .starts
            .partition_point(|start| *start <= at)
            .saturating_sub(1);
        let start = self.starts.get(line).copied().unwrap_or_default();
        let before = text.get(start..at).unwrap_or_default();
        let character = match encoding {
            PositionEncoding::Utf8 => before.len(),
            PositionEncoding::Utf16 => before.encode_utf16().count(),
        };
        TextPosition {
            line: offset(line),
            character: offset(character),
        }
    }

    /// The byte of a place: columns behind the line's end are taken for that end, lines behind the text for
    /// the text's end, and a place within a letter for the letter's start.
    pub fn offset(&self, text: &str, place: TextPosition, encoding: PositionEncoding) -> usize {
        let line = usize::try_from(place.line).unwrap_or(usize::MAX);
        let Some(start) = self.starts.get(line).copied() else {
            return text.len();
        };
        let next = line.checked_add(1).and_then(|next| self.starts.get(next));
        let whole = text
            .get(start..next.copied().unwrap_or(text.len()))
            .unwrap_or_default();
        let content = whole.trim_end_matches(['\n', '\r']);
        let wanted = usize::try_from(place.character).unwrap_or(usize::MAX);
        let column = match encoding {
            PositionEncoding::Utf8 => floor(content, wanted),
            PositionEncoding::Utf16 => {
                let mut units = 0;
                let behind = content.char_indices().find(|(_, letter)| {
                    units += letter.len_utf16();
                    units > wanted
                });
                behind.map_or(content.len(), |(at, _)| at)
            }
        };
        start + column
    }

    /// The places of both ends of a span.
    pub fn range(&self, text: &str, span: Span, encoding: PositionEncoding) -> TextRange {
        let Span { start, end } = span;
        TextRange {
            start: self.position(text, start as usize, encoding),
            end: self.position(text, end.max(start) as usize, encoding),
        }
    }

    /// The bytes of a range; one that is written backwards is turned.
    pub fn span(&self, text: &str, range: TextRange, encoding: PositionEncoding) -> std::ops::Range<usize> {
        let start = self.offset(text, range.start, encoding);
        let end = self.offset(text, range.end, encoding);
        start.min(end)..start.max(end)
    }
}

fn floor(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, line: u32, character: u32, encoding: PositionEncoding, expected: usize) {
        let lines = LineTable::new(text);
        let place = TextPosition { line, character };
        assert_eq!(lines.offset(text, place, encoding), expected);
    }

    /// Whatever an editor says is a place in the text.
    #[test]
    fn places_outside_are_taken_for_the_nearest_end() {
        use PositionEncoding::{Utf8, Utf16};
        check("ab\r\ncd", 0, 99, Utf16, 2);
        check("ab\rcd", 1, 1, Utf16, 4);
        check("ab", 7, 0, Utf8, 2);
        check("", 0, u32::MAX, Utf16, 0);
        check("x\n", 1, 5, Utf16, 2);
        // Within the two units of an astral letter, and within its four bytes.
        check("😀x", 0, 1, Utf16, 0);
        check("😀x", 0, 2, Utf16, 4);
        check("😀x", 0, 3, Utf8, 0);
        check("\u{feff}ü", 0, 1, Utf16, 3);
    }

    #[test]
    fn places_and_bytes_are_two_names_of_one_thing() {
        let text = "\u{feff}a😀ü\r\n漢\rb\n";
        let lines = LineTable::new(text);
        for encoding in [PositionEncoding::Utf8, PositionEncoding::Utf16] {
            for (at, _) in text.char_indices() {
                // Between the two letters of a line's end no place is.
                if text.as_bytes()[at] == b'\n' && at > 0 && text.as_bytes()[at - 1] == b'\r' {
                    continue;
                }
                assert_eq!(
                    lines.offset(text, lines.position(text, at, encoding), encoding),
                    at
                );
            }
        }
    }
}
