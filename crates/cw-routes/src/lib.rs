//! What a request may do at a table, and what it gets.
//!
//! Requests and responses are values here: no connection, no thread, no clock of the machine. A server gives its
//! requests to [`duels`] or [`free_tables`], and so does a page in a browser that is its own server. In reading order:
//! `routes` says what requests may do at a seat, `front` those of the front page, `invite` the way of a friend to a
//! seat, `guard` what each request must pass; `stream` sends what changes, `work` does what may take long, one piece at
//! a time for each seat; `connection` is what a request knows of the way it came; `asset` sends the pages' own files,
//! compressed; `cards` are those of a package, to be searched, `decks` are built of them, `drafts` hand them round; `free` is the same for tables without rules.
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation))]

mod asset;
mod cards;
pub mod connection;
mod decks;
mod drafts;
mod free;
mod front;
mod guard;
mod invite;
mod routes;
mod stream;
mod work;

pub use free::routes::router as free_tables;
pub use free::watch;
pub use routes::router as duels;
pub use routes::router_beside_files as duels_beside_files;

/// The addresses of the pages' own files: styles, scripts, surfaces. They say nothing of a table.
pub fn assets() -> impl Iterator<Item = String> {
    let duels = [
        "table.css",
        "front.css",
        "table.js",
        "shuffle.js",
        "share.js",
        "cards.css",
    ];
    let surfaces = ["planks", "canvas"].map(|name| format!("surface/{name}.svg"));
    let rooms = routes::ROOMS.iter().map(|(name, _)| format!("duel/{name}"));
    let free = free::routes::ASSETS.map(|(name, _)| format!("free/{name}"));
    let cards = cards::ASSETS.iter().map(|(name, _)| format!("cards/{name}"));
    let names = duels
        .map(str::to_owned)
        .into_iter()
        .chain(rooms)
        .chain(surfaces)
        .chain(free)
        .chain(cards);
    names.map(|name| format!("/assets/{name}"))
}
