//! Whether somebody is at a seat, as the other one reads it.

/// Whether somebody is at a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// A page of the seat follows the table.
    Here,
    /// The last one lost it a moment ago.
    Reconnecting,
    /// The last one has left; when, in seconds since 1970.
    Away(u64),
    /// None was there since the table was woken.
    NotYet,
}
