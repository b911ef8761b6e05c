use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use crate::Span;

/// A whole text that many share: a copy is a pointer, and making one of a [`String`] copies nothing.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
// An `Arc<str>` would save a step to the bytes, but is twice as large, and files would be copied into it.
pub struct SharedText(Arc<String>);

impl Deref for SharedText {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl From<String> for SharedText {
    fn from(text: String) -> SharedText {
        SharedText(Arc::new(text))
    }
}

impl From<&str> for SharedText {
    fn from(text: &str) -> SharedText {
        SharedText::from(text.to_owned())
    }
}

impl fmt::Debug for SharedText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

/// Which of the [`Sources`] a place lies in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct FileId(pub u32);

/// A text with the name under which people know it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceText {
    /// Path as people would type it, with `/`.
    pub name: String,
    /// The whole text; whoever reads it shares it.
    pub text: SharedText,
}

/// The texts that a set of diagnostics speaks of.
///
/// ```
/// let mut sources = cw_text::Sources::new();
/// let file = sources.add("a.rules", "action = draw()");
/// assert_eq!(sources.get(file).name, "a.rules");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Sources {
    /// The number of the first text.
    first: u32,
    files: Vec<SourceText>,
}

impl Sources {
    /// Makes an empty set.
    pub fn new() -> Sources {
        Sources::default()
    }

    /// Makes an empty set whose ids go on where those of `other` end, so that both can be
    /// [joined](Sources::join).
    pub fn behind(other: &Sources) -> Sources {
        Sources {
            first: other.next().0,
            files: Vec::new(),
        }
    }

    /// Takes in the texts of a set that was made [behind](Sources::behind) this one; their ids stay,
    /// and no text is copied.
    ///
    /// # Panics
    /// If the ids of the other set do not go on where these end.
    pub fn join(&mut self, other: &Sources) {
        assert_eq!(other.first, self.next().0, "the ids go on");
        self.files.extend(other.files.iter().cloned());
    }

    /// The id that the next text will have.
    pub fn next(&self) -> FileId {
        FileId(self.first + u32::try_from(self.files.len()).expect("fewer than 2^32 files"))
    }

    /// Adds a text and tells the id to speak of it.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<SharedText>) -> FileId {
        let id = self.next();
        self.files.push(SourceText {
            name: name.into(),
            text: text.into(),
        });
        id
    }

    /// The first texts, so many, some of them changed; the others are shared.
    pub fn with_texts(&self, count: usize, changed: impl Iterator<Item = (FileId, SharedText)>) -> Sources {
        let mut files: Vec<SourceText> = self.files.iter().take(count).cloned().collect();
        for (file, text) in changed {
            let index = file.0.checked_sub(self.first).map(|index| index as usize);
            if let Some(source) = index.and_then(|index| files.get_mut(index)) {
                source.text = text;
            }
        }
        Sources {
            first: self.first,
            files,
        }
    }

    /// The text with this id.
    ///
    /// # Panics
    /// If the id is of another set.
    pub fn get(&self, id: FileId) -> &SourceText {
        self.find(id).expect("the id is of this set")
    }

    /// The text with this id, if the id is of this set.
    pub fn find(&self, id: FileId) -> Option<&SourceText> {
        let index = id.0.checked_sub(self.first)?;
        self.files.get(index as usize)
    }

    /// All texts with their ids, in order of adding.
    pub fn iter(&self) -> impl Iterator<Item = (FileId, &SourceText)> {
        (self.first..).map(FileId).zip(&self.files)
    }

    /// Calls the texts otherwise: as people would type them from where they are.
    pub fn rename(&mut self, name: impl Fn(&str) -> String) {
        for source in &mut self.files {
            source.name = name(&source.name);
        }
    }

    /// How many texts there are.
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }
}

/// A line and column, both counted from 1; the column counts characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LineColumn {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

/// Where the lines of a text begin.
#[derive(Clone, Debug)]
pub struct LineIndex {
    starts: Vec<u32>,
}

impl LineIndex {
    /// Finds the lines of `text`; `\n` and `\r\n` end a line.
    pub fn new(text: &str) -> LineIndex {
        let after_newline = text
            .bytes()
            .enumerate()
            .filter(|(_, byte)| *byte == b'\n')
            .map(|(at, _)| at + 1);
        let starts = std::iter::once(0).chain(after_newline);
        LineIndex {
            starts: starts
                .map(|start| u32::try_from(start).unwrap_or(u32::MAX))
                .collect(),
        }
    }

    /// Line and column of a byte offset in the text the index was made of.
    ///
    /// ```
    /// let text = "ab\ncd";
    /// let place = cw_text::LineIndex::new(text).line_column(text, 4);
    /// assert_eq!((place.line, place.column), (2, 2));
    /// ```
    pub fn line_column(&self, text: &str, offset: u32) -> LineColumn {
        let line = self.starts.partition_point(|start| *start <= offset) - 1;
        let start = self.starts[line] as usize;
        let end = (offset as usize).min(text.len());
        let before = text.get(start..end).unwrap_or_default();
        LineColumn {
            line: crate::offset(line).saturating_add(1),
            column: crate::offset(before.chars().count()).saturating_add(1),
        }
    }

    /// The span of a line (counted from 1) without its line end, if there is such a line.
    pub fn line_span(&self, text: &str, line: u32) -> Option<Span> {
        let index = (line as usize).checked_sub(1)?;
        let start = *self.starts.get(index)? as usize;
        let end = self
            .starts
            .get(index + 1)
            .map_or(text.len(), |next| *next as usize);
        let line_text = text.get(start..end)?.trim_end_matches(['\n', '\r']);
        Some(Span::new(start, start + line_text.len()))
    }

    /// How many lines there are; a text that ends in a line end has an empty last line.
    pub fn line_count(&self) -> usize {
        self.starts.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_of_a_set_behind_another_stay_when_both_are_joined() {
        let mut first = Sources::new();
        first.add("a", "1");
        let mut second = Sources::behind(&first);
        let file = second.add("b", "2");
        assert_eq!((file, second.len()), (FileId(1), 1));
        assert!(second.find(FileId(0)).is_none());
        first.join(&second);
        assert_eq!(&*first.get(file).text, "2");
    }

    #[test]
    fn columns_count_characters() {
        let text = "ab\r\nüx\n";
        let index = LineIndex::new(text);
        assert_eq!(index.line_column(text, 6), LineColumn { line: 2, column: 2 });
        assert_eq!(index.line_span(text, 1).map(Span::range), Some(0..2));
        assert_eq!(index.line_span(text, 3).map(Span::range), Some(8..8));
        assert_eq!(index.line_span(text, 4), None);
    }
}
