//! The table in the browser: pages of what a seat may see, and a server for them.
//!
//! Knows views, decisions and HTTP; does not know the rules: it shows what `view(seat)` and
//! `pending()` say, and hands back one of the offered options. Nothing of the other seat's view is
//! ever rendered for a seat, so no page and no message can hold what the seat may not know.
//!
//! In reading order: [`table`](Table) is one duel with its history and its seats, a value; `room` is what
//! is behind a seat's door, a table or two people who agree on a shuffle first; `scene` is what a seat
//! sees at one step, and `beats` cuts a fight into its blows; `pages` turns a scene into keyed regions of markup; `stream` sends the regions that
//! changed; `server` hosts the tables and stores every change before it shows it; `store` keeps the
//! logs, `kept` how a duel began; `routes` says what requests may do, `front` those of the front page, `guard` what each must pass, `quota`
//! what a seat may use up, `work` does what may take long on threads of its own, `serve` watches the
//! connections; `reach` is how a network gets there, `invite` the way of a friend to a seat, `presence` who is at
//! the table; `unasked` is what a seat answers by its settings; `ladder` is the opponents of a package, `story` is a duel in short, `review` what its choices cost; `stage` plays scenarios as lessons and puzzles.
//! `free` is the table without rules, for any package.
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation))]

mod free;
mod front;
mod guard;
mod invite;
mod kept;
mod presence;
mod quota;
mod reach;
mod reviews;
mod routes;
mod secrets;
mod serve;
mod server;
mod store;
mod stream;
mod work;

pub use cw_pages::entry::Entry;
pub use cw_pages::ladder::Opponent;
pub use cw_pages::package::{DuelPackage, RuleText, rule_texts};
pub use cw_pages::secret::Secret;
pub use cw_pages::stage::Stage;
pub use cw_pages::table::{CannotBegin, Refused, Start, Stop, Table, Who};
pub use free::{FreeHost, FreeInvitation, FreeSetting, Pictures, RecordSink};
pub use quota::Limits;
pub use secrets::fresh_secret;
pub use server::{FreeMaker, Host, HostError, Invitation, Resumed, Setting};
pub use store::{Kept, Memory, Sqlite, Standing, Store, StoreError, TableRecord};
