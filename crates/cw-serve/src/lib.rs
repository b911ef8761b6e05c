//! The server: requests, streams, limits of connections, and a store in one file.
//!
//! [`cw_hall`] says who sits where, [`cw_pages`] what they see, [`cw_routes`] what a request gets; here are
//! only connections and the machine. `server` begins, `serve` watches the connections, `reach` is how a
//! network gets there, `runtime` what runs beside requests, `sqlite` keeps the tables, and `chance` draws
//! secrets.
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation))]

mod chance;
mod fault;
mod reach;
mod runtime;
mod serve;
mod server;
mod sqlite;

pub use chance::fresh_secret;
pub use cw_hall::duels::{DuelHost, FreeMaker, HostSettings, Invitation, Resumed};
pub use cw_hall::duels::{RenewedTables, UnfitTable};
pub use cw_hall::free::{FreeHost, FreeInvitation, FreeSetting, PicturePacks, RecordSink};
pub use cw_hall::hall::HostError;
pub use cw_hall::quota::HostLimits;
pub use cw_hall::shared::{SharedPackage, Workbench};
pub use cw_hall::store::{DuelStanding, DuelStore, KeptDuel, Memory, StoreError, TableRecord};
pub use cw_pages::entry::DuelEntry;
pub use cw_pages::ladder::Opponent;
pub use cw_pages::linked::{LinkedThing, meaning as meaning_of_link};
pub use cw_pages::listed::WantedDuel;
pub use cw_pages::markup::about as about_link;
pub use cw_pages::notice::{NoticeLine, WorkNotice, WorkNoticeKind, WorkScenario};
pub use cw_pages::package::{DuelPackage, ShownRule, rule_texts};
pub use cw_pages::secret::Secret;
pub use cw_pages::stage::{ScenarioStage, shelf};
pub use cw_pages::table::{CannotBegin, DuelStart, DuelTable, PhaseStop, Refused, SeatPlayer};
pub use cw_routes::watch as keep_watch;
pub use fault::ServeError;
pub use server::Serve;
pub use sqlite::Sqlite;
