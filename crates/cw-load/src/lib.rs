//! A package as one [`Project`]: what its cards are, what is wrong with them, and the game that they make.
//!
//! Knows packages, `Rules/game.toml`, rule texts and the checks of all of them; does not know how a duel
//! goes. Whatever else reads a package (checks, duels, decks, faces, tests) asks the project, so that all
//! agree: what [`Project::check`] has no error about is never refused later.
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation))]
#![warn(clippy::disallowed_types, clippy::disallowed_methods)]

mod cards;
mod check;
mod config;
mod decks;
mod face;
mod figures;
mod limited;
mod mends;
mod project;
mod rules;
mod run;
mod toml_reader;
mod twist;

pub use cards::names;
pub use check::ProjectFindings;
pub use config::{
    Abilities, Config, ConfigValueKind, DeckConfig, GameSetting, LEVELS, Mention, OpponentConfig, Properties,
    Types, settings,
};
pub use decks::{DeckRules, ReadDeck};
pub use face::{FaceSection, ImportSection, PicturePlace, SearchSection};
pub use figures::{DeckCurve, counted_cards, deck_curves};
pub use limited::FIGURES;
pub use project::{Loaded, LoadedDeck, Playable, Project, ReadOptions, load};
pub use rules::{Language, RuleSource, RuleText};
pub use run::{CharmConfig, FoeConfig, RUN_TOML, RunConfig, RunSetting, StepConfig, run_settings};
pub use twist::{NoTwist, RuleTwist, TwistChange, TwistLine, TwistNumber, TwistSide, twisted_rules};

/// The pages of the findings about a game: its settings, and what keeps it from being played.
pub static PAGES: cw_text::FindingPages =
    cw_text::FindingPages::new(include_str!("../../../docs/findings/games.md"));
