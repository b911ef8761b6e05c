//! File formats of duels.
//!
//! Knows the JSON of a recorded duel; does not know files or sockets.
#![warn(clippy::disallowed_types, clippy::disallowed_methods)]

mod replay;

pub use replay::{DeckLine, Diverged, GameOf, Move, REPLAY_FORMAT, ReadError, Recorder, Replay, ReplayError};
