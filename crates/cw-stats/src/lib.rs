//! Counts and intervals: what a number of results says, and what it does not.
//!
//! Knows counts, scores and chances of error; does not know games, players, files or clocks. Counts
//! are integers and add up in any order; floating-point numbers are made of them when they are
//! reported, by functions that give the same bits everywhere.
//!
//! ```
//! use cw_stats::{Pairs, Sprt, Verdict};
//!
//! // Of 200 pairs of duels 90 were won twice, 60 once, 50 never.
//! let pairs = Pairs { counts: [50, 0, 60, 0, 90] };
//! assert_eq!(pairs.score(), 0.6);
//! let interval = pairs.interval(0.95);
//! assert!(interval.low > 0.54 && interval.high < 0.66);
//! assert_eq!(Sprt::new(0.50, 0.55).verdict(&pairs), Some(Verdict::Accepted));
//! ```
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation))]
#![warn(clippy::disallowed_types, clippy::disallowed_methods)]

mod apart;
mod changes;
mod equilibrium;
mod interval;
mod ladder;
mod luck;
mod pairs;
mod sprt;

pub use apart::Apart;
pub use changes::{Changes, bh, e_bh, evidence};
pub use equilibrium::equilibrium;
pub use interval::{Interval, normal_quantile, two_sided, wilson};
pub use ladder::{Match, Rating, rate};
pub use luck::{Corrected, Correction, LuckSums, PARTS};
pub use pairs::{Pairs, elo};
pub use sprt::{Sprt, Verdict};

#[cfg(test)]
mod simulated;
