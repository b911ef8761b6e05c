//! The server: requests, streams, limits of connections, and a store in one file.
//!
//! [`cw_hall`] says who sits where, [`cw_pages`] what they see; here is only HTTP. `routes` says what requests may do at
//! a seat, `front` those of the front page, `invite` the way of a friend to a seat, `guard` what each request must pass;
//! `stream` sends what changes, `work` does what may take long on threads of its own, `serve` watches the connections;
//! `reach` is how a network gets there, `sqlite` keeps the tables, `chance` draws secrets, and `free` is the same for
//! tables without rules.
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation))]

mod chance;
mod free;
mod front;
mod guard;
mod invite;
mod reach;
mod routes;
mod runtime;
mod serve;
mod server;
mod sqlite;
mod stream;
mod work;

pub use chance::fresh_secret;
pub use cw_hall::free::{FreeHost, FreeInvitation, FreeSetting, PicturePacks, RecordSink};
pub use cw_hall::host::{DuelHost, FreeMaker, HostError, HostSettings, Invitation, Resumed};
pub use cw_hall::quota::HostLimits;
pub use cw_hall::store::{DuelStanding, DuelStore, KeptDuel, Memory, StoreError, TableRecord};
pub use cw_pages::entry::DuelEntry;
pub use cw_pages::ladder::Opponent;
pub use cw_pages::package::{DuelPackage, ShownRule, rule_texts};
pub use cw_pages::secret::Secret;
pub use cw_pages::stage::ScenarioStage;
pub use cw_pages::table::{CannotBegin, DuelStart, DuelTable, PhaseStop, Refused, SeatPlayer};
pub use server::{Serve, ServeError, keep_watch};
pub use sqlite::Sqlite;
