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
pub use cw_hall::free::{FreeHost, FreeInvitation, FreeSetting, Pictures, RecordSink};
pub use cw_hall::host::{FreeMaker, Host, HostError, Invitation, Resumed, Setting};
pub use cw_hall::quota::Limits;
pub use cw_hall::store::{Kept, Memory, Standing, Store, StoreError, TableRecord};
pub use cw_pages::entry::Entry;
pub use cw_pages::ladder::Opponent;
pub use cw_pages::package::{DuelPackage, RuleText, rule_texts};
pub use cw_pages::secret::Secret;
pub use cw_pages::stage::Stage;
pub use cw_pages::table::{CannotBegin, Refused, Start, Stop, Table, Who};
pub use server::{Serve, ServeError, keep_watch};
pub use sqlite::Sqlite;
