//! Counts and places between the widths in which verbs, states and lists keep them. Nothing is cut off: what
//! does not fit is the largest number, and fails at a limit.

/// A count of a verb as one of a list.
pub(crate) fn whole(count: u32) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}

/// A count or place of a list as one of a verb or view.
pub(crate) fn short(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// A count as a number to be compared with others.
pub(crate) fn long(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// A measure in table units; what is no number is 0.
#[expect(
    clippy::cast_possible_truncation,
    reason = "it is whole, and a float's cast saturates"
)]
pub(crate) fn rounded(measure: f64) -> i32 {
    measure.round() as i32
}
