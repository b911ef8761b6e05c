//! A page in a browser that serves its own tables.
//!
//! The same routes, pages and words as the server's, behind messages instead of connections: a worker of the
//! page holds this crate as a WebAssembly module and asks it as it would ask a server. In reading order:
//! `files` are those of a static site, `desk` takes requests and gives frames, `open` makes the hall of a
//! package and `free` its free tables, `keep` says what the page must write down before anything is shown,
//! `tasks` are those of the page's own loop with their pauses, `cookies` what a browser would have kept,
//! `workshop` is a game in the making; `twin` proves that a page plays as every other platform does; `module`
//! is the border to the page's scripts, and the only place that knows WebAssembly.
//!
//! A site has two modules of this crate. The one that a visitor waits for holds duels alone: it lacks the
//! feature `whole`, and what draws pictures, since those lie in files. The whole one is loaded when somebody
//! wants a free table, a game of their own, or the playground; the worker starts it with what was kept.
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation))]

pub mod cookies;
pub mod desk;
pub mod files;
#[cfg_attr(not(feature = "whole"), path = "no_free.rs")]
mod free;
pub mod keep;
#[cfg(target_arch = "wasm32")]
mod module;
pub mod open;
#[cfg(feature = "whole")]
mod sheet;
pub mod tasks;
pub mod twin;
#[cfg(feature = "whole")]
pub mod workshop;
