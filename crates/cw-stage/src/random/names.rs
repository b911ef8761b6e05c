//! The names of random cards, which their rules may use.

pub(crate) const SUBTYPES: [&str; 3] = ["Rope", "Bell", "Ladle"];

/// The spelling of the id of the card with this number.
pub(crate) fn guid(number: usize) -> String {
    format!("00000000-0000-0000-0000-{number:012}")
}

pub(crate) fn name(number: usize) -> String {
    format!("Card {number:02}") // in order of the numbers (D29)
}
