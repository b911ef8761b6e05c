//! Many duels: a plan of pairs, one pair at a time, and what they came to.
//!
//! Knows plans, pairs and counts; does not know files, threads, clocks or how results are shown. What
//! a pair comes to depends on the plan, its number and the two players, and on nothing else: so any
//! number of threads may play them in any order. Results are integers, added up in the order of the
//! pairs' numbers; whatever was played beyond the pair at which the plan stops is thrown away.
//!
//! A pair is one seed and one matchup of decks, played twice. Between two players these exchange their
//! seats ([`Exchange::Players`]): chance of the players' own belongs to the seat, not to the player, so a
//! player against itself plays the same duel twice and gets exactly half of the points. Between decks
//! the other side goes first ([`Exchange::Turns`]).
//!
//! A plan can be written down ([`Written`]) and played in shares ([`Shard`]) on many machines. A pair is a
//! row of numbers ([`Pair::numbers`]); rows joined in the order of the pairs give the same [`Sums`], whoever
//! played them.
//!
//! ```
//! # use cw_duel::PerSeat;
//! use cw_players::Level;
//! use cw_sim::{DuelPlan, Results, StopRule};
//!
//! /// How often a level wins against another one, in 100 pairs of duels.
//! fn score(plan: &DuelPlan, level: Level, other: Level) -> f64 {
//!     let mut results = Results::default();
//!     for number in 0..100 {
//!         let (mut one, mut two) = (level, other);
//!         results.add(&plan.play(number, &mut one, &mut two));
//!     }
//!     results.pairs.score()
//! }
//! ```
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation))]
#![warn(clippy::disallowed_types, clippy::disallowed_methods)]

mod deck;
mod luck;
mod paced;
mod plan;
mod play;
mod positions;
mod results;
mod rows;
mod sums;
mod tally;
mod total;
mod written;

pub use luck::DrawLuck;
pub use paced::{PacedEnd, PacedPair, PacedSums};
pub use plan::{DuelPlan, Exchange, Matchup, StopRule};
pub use play::{Pair, Played, SeatResult};
pub use results::Results;
pub use rows::digest;
pub use sums::{CardSums, Sums, TurnStanding, Wins};
pub use tally::{CardCount, CardCounts, CardRow, Detail};
pub use total::{NAMED, Oddity, Total};
pub use written::{BLOCK, Shard, Unfit, Written, WrittenDeck, WrittenStop};
