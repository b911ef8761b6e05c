//! File formats of duels.
//!
//! Knows the JSON of a recorded duel and of a view, and how to walk along a duel and leave it
//! anywhere; does not know files or sockets.
#![warn(clippy::disallowed_types, clippy::disallowed_methods)]

mod replay;
mod timeline;
mod view;

pub use replay::{DeckLine, Diverged, GameOf, Move, REPLAY_FORMAT, ReadError, Recorder, Replay, ReplayError};
pub use timeline::{Act, Taken, Timeline};
pub use view::{seen_json, view_json};
