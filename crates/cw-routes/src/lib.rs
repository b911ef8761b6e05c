//! What a request may do at a table, and what it gets.
//!
//! Requests and responses are values here: no connection, no thread, no clock of the machine. A server gives
//! its requests to [`duels`] or [`free_tables`], and so does a page in a browser that is its own server. In
//! reading order: `connection` is what a request knows of the way it came, `guard` what each request must
//! pass, `visitor` who asks; `ways` lead to seats, `work` does what may take long, one piece at a time for
//! each seat, `stream` sends what changes. `duel` says what requests may do at a seat of a duel, `free` the
//! same for tables without rules; `front` are those of the front page, `invite` is the way of a friend to a
//! seat; `cards` are those of a package, to be searched, `decks` are built of them, and `drafts` hand them
//! round; `daily` is the way to the puzzle of the day. `asset` sends the pages' own files, compressed,
//! `page_files` names them, and `pictures` draws.
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation))]

mod arena;
mod asked_cards;
mod asset;
mod beside_duels;
mod cards;
mod compare;
pub mod connection;
mod daily;
mod decks;
mod drafts;
mod duel;
mod free;
mod front;
mod guard;
mod invite;
mod page_files;
mod pictures;
mod runs;
mod stream;
mod visitor;
mod ways;
mod work;
mod workbench;

pub use asset::without_comments;
pub use beside_duels::watch;
pub use duel::router as duels;
pub use duel::router_beside_files as duels_beside_files;
pub use free::router as free_tables;
pub use page_files::assets;
