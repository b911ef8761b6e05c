//! An entry of a log: what was done at a table, as a store keeps it.

/// Something that was done in a duel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DuelEntry {
    /// How `choice` is written: [`DuelEntry::VERSION`] in what this program writes.
    pub version: u32,
    /// Its place in the log, from 0, without gaps.
    pub number: u64,
    /// The number of the question that was answered, or on whose page it was done.
    pub question: u64,
    /// What was done.
    pub choice: String,
}

impl DuelEntry {
    /// Choices stand in the notation of `cw_wire::notation`. (Version 1 kept them in the words of
    /// buttons.)
    pub const VERSION: u32 = 2;
}
