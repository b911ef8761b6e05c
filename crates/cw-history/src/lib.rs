//! What every game that is a value has in common: how a state is digested, and the way that led to it.
//!
//! Knows states, steps and their numbers; does not know any game, its rules, files or clocks.
//!
//! * A [`StateHash`] is made of what is written to a [`StateHasher`], the same on every platform.
//! * A [`Timeline`] is a log of steps that only grows or is cut, with the state after each of them. Few
//!   states are kept; the others are made again. A step may go on from an earlier state than the newest
//!   ([`HistoryStep::base`]): so going back can itself be a step, and the log tells all that was ever done.
//!
//! Duels and the free table are both histories: `cw-wire` and `cw-table` say what a step is there.
//!
//! ```
//! use cw_history::{HistoryStep, Timeline};
//!
//! struct Add(u32);
//! impl HistoryStep for Add {
//!     type Game = ();
//!     type State = u32;
//!     fn again(&self, (): &(), state: &mut u32) {
//!         *state += self.0;
//!     }
//! }
//! let mut sums = Timeline::new((), 0);
//! for n in 1..=100 {
//!     sums.push(Add(n), sums.now() + n);
//! }
//! assert_eq!((sums.at(10), *sums.now()), (55, 5050));
//! ```
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation))]
#![warn(clippy::disallowed_types, clippy::disallowed_methods)]

mod digest;
mod timeline;

pub use digest::{StateHash, StateHasher};
pub use timeline::{HistoryStep, Timeline};
