//! The subcommands, one module each.

pub(crate) mod play;
pub(crate) mod replay;
