//! Who sits where: duels and free tables behind the names of seats, with their secrets, invitations and presence.
//!
//! The hall holds tables, lets seats change them, and keeps what was done in a [`DuelStore`] before anybody sees it. It
//! knows no protocol and has no thread of its own: a server or a page asks it, and gives it a [`Runtime`] for what runs
//! beside requests. Chance is handed in, too, and time comes from one [`clock`].
//!
//! In reading order: [`store`] says what keeps tables; [`host`] hosts duels, [`free`] tables without rules; [`quota`]
//! counts what a seat uses up, [`presence`] who is there, [`reviews`] judges duels that are over; [`bell`] wakes whoever
//! follows a table.
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation))]

pub mod bell;
pub mod clock;
pub mod free;
pub mod host;
mod kept;
mod keys;
pub mod lock;
pub mod presence;
pub mod quota;
pub mod reach;
pub mod reviews;
pub mod runtime;
pub mod store;
pub mod tickets;

pub use runtime::Runtime;
pub use store::DuelStore;
