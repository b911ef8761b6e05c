//! Booster drafts as values: packs go round, and everybody takes a card of each.
//!
//! Knows packs, seats, picks and what a card is held to be worth; does not know how any game is played, nor
//! files, clocks, threads or screens. Seed and acts decide everything: who keeps the packs and the acts can
//! have every state again, byte for byte.
//!
//! In reading order: [`DraftPacks`] are the packs of all rounds, opened; [`Draft`] is the draft as it stands,
//! which a [`DraftAct`] changes; [`DraftView`] is what one seat may know of it; [`DraftRecord`] is a draft
//! with everything that was done, for going on and for looking back; [`pick_of_computer`] says what a
//! computer takes, by [`CardFigures`] where there are some.
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation))]
#![warn(clippy::disallowed_types, clippy::disallowed_methods)]

mod act;
mod draft;
mod figures;
mod packs;
mod record;
mod view;

pub use act::{DraftAct, DraftRefused};
pub use draft::{Draft, DraftPlayer, MOST_SEATS};
pub use figures::{CardFigures, NoFigures, pick_of_computer};
pub use packs::{CubeTooSmall, DraftPack, DraftPacks, PickTimer};
pub use record::{CardFate, DraftRecord, NotThisDraft, PickReview};
pub use view::{DraftView, PassSide, SeatSight};
