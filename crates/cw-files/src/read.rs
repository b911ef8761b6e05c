//! Reading with a limit.

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, Read};
use std::path::Path;

/// What a file is, which says how large it may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileKind {
    /// In words, with its article: “a record”.
    pub name: &'static str,
    /// The most bytes that are read.
    pub most: u64,
    /// Which option raises that, if one does.
    pub remedy: Option<&'static str>,
}

impl FileKind {
    /// A kind whose limit nobody raises.
    const fn fixed(name: &'static str, most: u64) -> FileKind {
        FileKind {
            name,
            most,
            remedy: None,
        }
    }
}

/// The record of a duel or of a free table.
pub const RECORD: FileKind = FileKind::fixed("a record", 256 << 20);
/// A deck that is no part of a package.
pub const DECK: FileKind = FileKind::fixed("a deck", 64 << 20);
/// A file of scenarios.
pub const SCENARIO: FileKind = FileKind::fixed("a file of scenarios", 16 << 20);
/// What `sim plan` writes.
pub const PLAN: FileKind = FileKind::fixed("a plan", 64 << 20);
/// Cards in a spreadsheet or in another program's file.
pub const SHEET: FileKind = FileKind::fixed("a sheet of cards", 64 << 20);
/// A picture of a card.
pub const PICTURE: FileKind = FileKind::fixed("a picture", 64 << 20);
/// Changes to a game.
pub const PATCH: FileKind = FileKind::fixed("a patch", 16 << 20);
/// The WebAssembly module of a page.
pub const MODULE: FileKind = FileKind::fixed("a WebAssembly module", 64 << 20);
/// A page that `cardwright balance` has written.
pub const REPORT: FileKind = FileKind::fixed("a balance report", 64 << 20);
/// What the entries of a package's menus mean.
pub const MAPPING: FileKind = FileKind::fixed("a mapping", 16 << 20);
/// A run that goes on.
pub const RUN: FileKind = FileKind::fixed("a run", 4 << 10);
/// The pairs of matches that `arena --keep` goes on with.
pub const MATCHES: FileKind = FileKind::fixed("a file of kept pairs", 256 << 20);
/// An answer to a question at the line prompt.
pub const ANSWER: FileKind = FileKind::fixed("an answer", 64 << 10);
/// A line of a part of a plan: a block of pairs.
pub const PART_LINE: FileKind = FileKind::fixed("a line of a part", 64 << 20);
/// A packed game or image pack, as long as nobody says otherwise.
pub const IMAGE_PACK: FileKind = FileKind {
    name: "an archive",
    most: 4 << 30,
    remedy: Some("`--limit unpacked=BYTES` raises that"),
};

/// Why a file could not be had.
#[derive(Debug, thiserror::Error)]
pub enum FileReadError {
    /// It is larger than files of its kind may be (P178).
    #[error(
        "it is larger than {}, the most that {} may have{}",
        ByteSize(kind.most), kind.name, remedy(kind)
    )]
    TooLarge {
        /// What the file is.
        kind: FileKind,
    },
    /// It should be text.
    #[error("it is not UTF-8 text")]
    NotText,
    /// The operating system says no.
    #[error("{0}")]
    Io(#[from] io::Error),
}

fn remedy(kind: &FileKind) -> String {
    kind.remedy
        .map_or_else(String::new, |remedy| format!("; {remedy}"))
}

/// A number of bytes in the largest unit that divides it.
struct ByteSize(u64);

impl fmt::Display for ByteSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units = [(30, "GiB"), (20, "MiB"), (10, "KiB")];
        let fits = |(power, _): &(u32, &str)| self.0 > 0 && self.0.is_multiple_of(1 << power);
        match units.into_iter().find(fits) {
            Some((power, unit)) => write!(f, "{} {unit}", self.0 >> power),
            None => write!(f, "{} bytes", self.0),
        }
    }
}

/// Reads a file, if it is no larger than its kind may be.
///
/// # Errors
/// If it is larger, or the operating system says no.
pub fn read(path: &Path, kind: FileKind) -> Result<Vec<u8>, FileReadError> {
    let file = File::open(path)?;
    let size = file.metadata()?.len();
    // What is too large is not begun with: a file may be sparse, and larger than all memory.
    if size > kind.most {
        return Err(FileReadError::TooLarge { kind });
    }
    read_from(file, usize::try_from(size).unwrap_or(0), kind)
}

/// Reads text, if there is no more of it than its kind may have.
///
/// # Errors
/// As [`read`]; or it is not UTF-8.
pub fn read_text(path: &Path, kind: FileKind) -> Result<String, FileReadError> {
    String::from_utf8(read(path, kind)?).map_err(|_| FileReadError::NotText)
}

/// Reads what comes from a pipe, of which about so many bytes are expected.
///
/// # Errors
/// As [`read`].
pub fn read_from(from: impl Read, expected: usize, kind: FileKind) -> Result<Vec<u8>, FileReadError> {
    let mut bytes = Vec::with_capacity(expected.saturating_add(1));
    // A device or a file that grows meanwhile tells no size: one byte too many is asked for.
    from.take(kind.most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > kind.most {
        return Err(FileReadError::TooLarge { kind });
    }
    Ok(bytes)
}

/// Reads the next line with its end into `line`, and tells how long it is: 0 at the end of the file.
///
/// # Errors
/// As [`read`]; the kind is that of a line.
pub fn read_line(
    from: &mut impl BufRead,
    line: &mut Vec<u8>,
    kind: FileKind,
) -> Result<usize, FileReadError> {
    line.clear();
    let read = from.take(kind.most.saturating_add(1)).read_until(b'\n', line)?;
    if read as u64 > kind.most {
        return Err(FileReadError::TooLarge { kind });
    }
    Ok(read)
}
