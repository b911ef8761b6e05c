//! The subcommands, one module each.

pub(crate) mod cards;
pub(crate) mod deck;
pub(crate) mod draft;
pub(crate) mod export;
pub(crate) mod images;
pub(crate) mod new;
pub(crate) mod packs;
pub(crate) mod play;
pub(crate) mod replay;
pub(crate) mod sealed;
