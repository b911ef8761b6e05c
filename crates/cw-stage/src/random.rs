//! Small games of random rules.
//!
//! Knows the grammar and the words of RuleScript and makes well-formed texts of them, with cards to
//! carry them and decks to play; does not know packages or files. The same bytes make the same game
//! everywhere, fewer bytes a simpler one, so that a fuzzer can shrink what it finds.
//!
//! ```
//! use cw_stage::{ByteSource, RandomGame};
//! use cw_duel::Duel;
//!
//! let mut bytes = ByteSource::of_seed(7);
//! let random = RandomGame::read(&mut bytes);
//! let mut duel = Duel::new(random.game.clone(), &random.decks, 1).expect("the decks are legal");
//! while let Some(decision) = duel.pending() {
//!     let choice = *bytes.pick(&decision.options);
//!     duel.answer_silently(choice).expect("it is offered");
//! }
//! ```
#![warn(clippy::disallowed_types, clippy::disallowed_methods)]

mod bytes;
mod game;
mod names;
mod rule;

pub use bytes::ByteSource;
pub use game::RandomGame;
