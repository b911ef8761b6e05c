//! Lengths as whole numbers. What lies beyond a number's range is its end; what is no number is 0.

/// The nearest whole number.
#[expect(
    clippy::cast_possible_truncation,
    reason = "whole, and a float's cast saturates"
)]
pub(crate) fn nearest(length: f32) -> i32 {
    length.round() as i32
}

/// The whole part.
#[expect(
    clippy::cast_possible_truncation,
    reason = "whole, and a float's cast saturates"
)]
pub(crate) fn whole(length: f32) -> i32 {
    length.trunc() as i32
}

/// How often one length goes into another, at least once.
pub(crate) fn times(ratio: f32) -> usize {
    usize::try_from(whole(ratio)).unwrap_or(0).max(1)
}

/// A length of a package, as precise as those of pictures are.
#[expect(
    clippy::cast_possible_truncation,
    reason = "only digits that nobody sees are lost"
)]
pub(crate) fn narrow(length: f64) -> f32 {
    length as f32
}
