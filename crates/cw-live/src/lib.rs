//! Work on a game while it is played.
//!
//! Knows which scenarios a change of the game can touch; does not know folders, clocks or pages: texts are
//! passed in.
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation))]
#![warn(clippy::disallowed_types, clippy::disallowed_methods)]

mod rehearsal;
mod sandbox;

pub use rehearsal::{FailedScenario, Rehearsal, RehearsalReport, RehearsedCard};
pub use sandbox::{SandboxBoard, SandboxCharacter, SandboxSide};
