//! A stage for the rules, for tests and fuzzing only: cards, a position, choices and facts in a few words
//! each, and small games of random rules.
//!
//! Knows how to make a game of cards with rules, without a package, and a duel that stands where it is
//! wanted; does not know packages, files, or what should come of a choice. What does not fit ends the test
//! at the line that said it. [`RandomGame`] makes the same game of the same bytes everywhere.
//!
//! ```
//! // An unblocked attack takes its BP from the defender's HP.
//! cw_stage::check("", "phase attack; me a500", "attack a, pass, pass", "opp.hp 2500");
//! ```
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation))]

pub use cw_load::names;

mod random;
mod scene;
pub mod script;

pub use random::{ByteSource, RandomGame};
pub use scene::{
    AUTO, DuelScene, INSTANT, Play, SceneCard, SceneCardKind, TRIGGERED, game, game_of, game_with, model,
    named, read_rule,
};
pub use script::{check, check_with, go, holds, offered, start, start_with, triggered};
