//! A page in a browser that serves its own tables.
//!
//! The same routes, pages and words as the server's, behind messages instead of connections: a worker of the page holds
//! this crate as a WebAssembly module and asks it as it would ask a server. In reading order: `files` are those of a static site, `desk` takes requests and
//! gives frames, `open` makes the hall of a package, `keep` says what the page must write down before anything is shown,
//! `pages` are the tasks and pauses of the page's own loop, `cookies` what a browser would have kept, `workshop` is a game in the making; `twin` proves that a page
//! plays as every other platform does; `module` is the
//! border to the page's scripts, and the only place that knows WebAssembly.
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation))]

pub mod cookies;
pub mod desk;
pub mod files;
pub mod keep;
#[cfg(target_arch = "wasm32")]
mod module;
pub mod open;
pub mod tasks;
pub mod twin;
pub mod workshop;
