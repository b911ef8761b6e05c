//! The table without a browser: what pages hold, what requests do, what is kept, what a seat may use up.

#![allow(
    clippy::unwrap_used,
    reason = "helpers of tests: what is missing ends the test"
)]

mod attacks;
mod begin;
mod cards;
mod decks;
mod drafts;
mod feats;
mod free;
mod front;
mod invite;
mod keep;
mod kills;
mod limits;
mod links;
mod opened;
mod play;
mod runs;
mod styles;
mod table;
mod takeback;
