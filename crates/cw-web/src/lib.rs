//! The table in the browser: pages of what a seat may see, and a server for them.
//!
//! Knows views, decisions and HTTP; does not know the rules: it shows what `view(seat)` and
//! `pending()` say, and hands back one of the offered options. Nothing of the other seat's view is
//! ever rendered for a seat, so no page and no message can hold what the seat may not know.
//!
//! In reading order: [`table`](Table) is one duel with its history and its seats; `scene` is what a
//! seat sees at one step; `pages` turns a scene into keyed regions of markup; `stream` sends the
//! regions that changed; `server` has the routes and `guard` what every request must pass; `store`
//! keeps the answers, so that a duel survives a restart.

mod effects;
mod guard;
mod labels;
mod pages;
mod preview;
mod scene;
mod secret;
mod server;
mod store;
mod stream;
mod table;

pub use secret::Secret;
pub use server::{Host, HostError, Invitation};
pub use store::{Memory, Sqlite, Store, StoreError, TableRecord};
pub use table::{Refused, Start, Stop, Table, Who};
