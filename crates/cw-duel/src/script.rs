//! Running the rules of cards: targets, expressions, statements, commands, events.

#[allow(
    clippy::cast_possible_truncation,
    reason = "at most 250 cards and 8 slots are counted; a task packs two 16-bit ids in a number"
)]
pub(crate) mod commands;
pub(crate) mod dispatch;
pub(crate) mod formula;
pub(crate) mod query;
pub(crate) mod run;
pub(crate) mod tracing;
