//! Files of this machine: read with a limit, written whole or not at all.
//!
//! Knows paths, links, permissions and full disks; does not know what is in a file. Every face of the program
//! reads what a user names by [`read`], and writes results by [`write()`], [`write_new`] or a [`FileDraft`]:
//! whoever is killed in the middle, or has no room left, finds the old file or the new one, never a part.
//! `cargo xtask tidy` keeps other code from opening files by itself.
//!
//! ```
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("notes.txt");
//! cw_files::write(&path, b"all of it")?;
//! assert_eq!(cw_files::read_text(&path, cw_files::SCENARIO).unwrap(), "all of it");
//! # Ok::<(), std::io::Error>(())
//! ```
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation))]

mod draft;
mod many;
mod read;

pub use draft::{FileDraft, write, write_new};
pub use many::{write_all, write_folder};
pub use read::{
    ANSWER, DECK, FileKind, FileReadError, IMAGE_PACK, MAPPING, MATCHES, MODULE, PART_LINE, PATCH, PICTURE,
    PLAN, RECORD, REPORT, RUN, SCENARIO, SHEET, read, read_from, read_line, read_text,
};
