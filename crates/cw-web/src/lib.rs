//! The table in the browser: pages of what a seat may see, and a server for them.
//!
//! Knows views, decisions and HTTP; does not know the rules: it shows what `view(seat)` and
//! `pending()` say, and hands back one of the offered options. Nothing of the other seat's view is
//! ever rendered for a seat, so no page and no message can hold what the seat may not know.
//!
//! In reading order: [`table`](Table) is one duel with its history and its seats; `scene` is what a
//! seat sees at one step; `pages` turns a scene into keyed regions of markup; `stream` sends the
//! regions that changed; `server` hosts the tables, `routes` says what requests may do and `guard` what
//! each must pass; `stage` plays scenarios as lessons and puzzles; `store` keeps the answers, so that
//! a duel survives a restart.

mod effects;
mod guard;
mod labels;
mod pages;
mod preview;
mod routes;
mod scene;
mod secret;
mod server;
mod shown;
mod stage;
mod store;
mod stream;
mod table;

pub use secret::Secret;
pub use server::{Host, HostError, Invitation};
pub use stage::Stage;
pub use store::{Memory, Sqlite, Store, StoreError, TableRecord};
pub use table::{CannotBegin, Refused, Start, Stop, Table, Who};
