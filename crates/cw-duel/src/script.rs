//! Running the rules of cards: targets, expressions, statements, commands, events.

pub(crate) mod commands;
pub(crate) mod dispatch;
pub(crate) mod formula;
pub(crate) mod query;
pub(crate) mod run;
pub(crate) mod tracing;
