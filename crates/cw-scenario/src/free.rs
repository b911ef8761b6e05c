//! Scenarios of the free table: a position, menu entries with the answers to what their scripts ask, verbs,
//! facts.
//!
//! Such a file names its package by `table` in place of `game`. `read.rs` reads it, `lay.rs` makes a position
//! of what it says, `run.rs` takes the steps, `facts.rs` says how the table stands and compares it with what
//! is expected; `check.rs` finds what is wrong before anything is run.

mod check;
mod facts;
mod lay;
mod read;
mod run;

pub use check::check_free;
pub use read::{FreeFile, FreeScenario, read_free};
pub use run::run_free;

pub(crate) use read::file;

/// What the first seats are called; the others are `seat-3` to `seat-8`.
pub(crate) const SEATS: [&str; 8] = [
    "me", "opponent", "seat-3", "seat-4", "seat-5", "seat-6", "seat-7", "seat-8",
];
