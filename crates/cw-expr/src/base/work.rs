//! Counts what reading and compiling look at, where tests ask for it: a text that is twice as long must not
//! cost four times as much.

/// Notes that so many tokens, parts or names were looked at.
#[cfg(not(feature = "oracle"))]
#[inline(always)]
pub(crate) fn count(_: usize) {}

#[cfg(feature = "oracle")]
pub(crate) use counted::{count, done};

#[cfg(feature = "oracle")]
mod counted {
    use std::cell::Cell;

    thread_local! {
        static DONE: Cell<u64> = const { Cell::new(0) };
    }

    pub(crate) fn count(steps: usize) {
        DONE.with(|done| done.set(done.get() + steps as u64));
    }

    /// What was counted on this thread so far.
    pub(crate) fn done() -> u64 {
        DONE.with(Cell::get)
    }
}
