//! Counts as the state keeps them: in a byte or two. The limits of the game (D9) and of rules keep
//! them small; whatever passes a limit counts as the largest number, and never as another one.

/// A count in one byte.
pub(crate) fn byte(count: usize) -> u8 {
    u8::try_from(count).unwrap_or(u8::MAX)
}

/// A count in two bytes.
pub(crate) fn word(count: usize) -> u16 {
    u16::try_from(count).unwrap_or(u16::MAX)
}

/// A number of the game in 32 bits: it saturates (D15).
pub(crate) fn saturated(number: i64) -> i32 {
    i32::try_from(number).unwrap_or(if number < 0 { i32::MIN } else { i32::MAX })
}
