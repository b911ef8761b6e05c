//! From a package to a game that can be played.
//!
//! Knows packages, `Rules/game.toml` and rule files; does not know how a duel goes.
#![allow(
    clippy::cast_possible_truncation,
    reason = "models are counted in 16 bits by the limits of a game"
)]
#![warn(clippy::disallowed_types, clippy::disallowed_methods)]

mod config;
mod load;
mod rules;

pub use config::{Abilities, Config, GameSection, Properties, Types};
pub use load::{LoadError, Loaded, LoadedDeck, load};
pub use rules::{GameNames, RuleText};
