//! One module per subcommand: an `Args` struct and `run(args) -> anyhow::Result<ExitCode>`.

pub(crate) mod arena;
pub(crate) mod balance;
pub(crate) mod bot;
pub(crate) mod cards;
pub(crate) mod check;
pub(crate) mod deck;
pub(crate) mod draft;
pub(crate) mod duel;
pub(crate) mod eval;
pub(crate) mod explain;
pub(crate) mod export;
pub(crate) mod fmt;
pub(crate) mod free;
mod free_web;
pub(crate) mod images;
pub(crate) mod new;
pub(crate) mod packs;
pub(crate) mod play;
mod play_web;
pub(crate) mod players;
pub(crate) mod replay;
pub(crate) mod rules;
pub(crate) mod scenario;
pub(crate) mod sealed;
pub(crate) mod sim;
pub(crate) mod table;
pub(crate) mod test;
