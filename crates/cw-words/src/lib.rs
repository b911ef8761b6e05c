//! What players read: questions, choices and events in words, from one seat's side.
//!
//! Knows how to say things; does not know screens, nor any card that the reader may not know.
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation))]
#![warn(clippy::disallowed_types, clippy::disallowed_methods)]

mod choices;
mod events;
mod explain;
mod names;

pub use choices::{choice, question};
pub use events::{event, story};
pub use explain::{explanation, value};
pub use names::{Reader, ability_symbol, signed};
