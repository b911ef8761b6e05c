//! What a game's duels say about its decks and cards, and how sure that is.
//!
//! Knows the questions of who makes a game, which duels answer them, and how the answers are shown;
//! does not know files, threads, clocks or the command line. Duels are those of [`cw_sim`], every
//! interval is made by [`cw_stats`].
//!
//! - [`BalanceReport`] is what one run says about a whole game, as data; [`page`] draws it.
//! - [`Patch`] is a change to a game: a number, a rule, a deck. A [`Versus`] plays it against the game as
//!   it is, on the same seeds.
//! - [`CardComparison`] replaces a card of one deck, to find out what the card is worth.
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation))]
#![warn(clippy::disallowed_types, clippy::disallowed_methods)]

mod page;
mod patch;
mod plots;
mod report;
mod stand;
mod together;

pub use page::page;
pub use patch::{Patch, PatchChange, PatchError, Target};
pub use report::{
    BalanceReport, CONFIDENCE, CardReport, DeckReport, Figure, MatchupChange, Opening, RunSummary, Shift,
    Suggestion, TriedCard, TurnLeads, WhatIf, WithoutLuck,
};
pub use stand::{CardComparison, CardReplacement, Versus, ordinary};
pub use together::{Combination, Together};
