//! What a seat sees of a duel: scenes, and pages of markup made of them.
//!
//! Everything here is a value or a function of values. There is no clock, thread, socket or file, and no
//! chance: times and secrets are handed in. So the same pages are made behind a server, in a browser without
//! one, and in tests. Nothing of the other seat's view is ever rendered for a seat, so no page can hold what
//! the seat may not know.
//!
//! In reading order: [`table`] is one duel with its history and its seats; [`room`] is what is behind a
//! seat's door, a table or two people who agree on a shuffle first; [`package`] is what a game brings to its
//! duels, [`ladder`] its opponents, [`stage`] its scenarios as lessons and puzzles, [`linked`] what links
//! carry here and there. [`scene`] is what a seat sees at one step, [`beats`] cuts a fight into its blows,
//! [`preview`] tries out what an option would bring, [`review`] judges what choices cost and [`story`] tells
//! a duel in short, and [`feats`] which achievements were earned in it. [`library`] is where cards are looked
//! for, [`decks`] and [`mod@bench`] are what decks are built of, and [`drafts`] what is drafted. [`notice`]
//! is what whoever works on the game tells every table. [`labels`] holds the words, [`markup`] turns a scene
//! into keyed regions, and [`frames`] finds those that a page does not show yet.
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation))]
#![warn(clippy::disallowed_types, clippy::disallowed_methods)]

pub mod arena;
pub mod beats;
pub mod bench;
pub mod compare;
pub mod decks;
pub mod drafts;
pub mod effects;
pub mod entry;
pub mod feats;
pub mod frames;
pub mod free_page;
pub mod labels;
pub mod ladder;
pub mod library;
pub mod linked;
pub mod listed;
pub mod markup;
pub mod notice;
pub mod package;
pub mod presence;
pub mod preview;
pub mod review;
pub mod room;
pub mod runs;
pub mod scene;
pub mod secret;
pub mod several;
pub mod shown;
pub mod stage;
pub mod story;
pub mod table;
pub mod unasked;
