//! Who decides: players that see a view and answer a decision.
//!
//! Knows views, decisions and guesses; does not know hidden cards, screens, files or processes.
//!
//! There is one door. The owner of a duel opens it with [`SeatEyes`], the only thing here that meets the
//! true duel; what a player gets is an [`Ask`]: the decision, the view of its seat, honest
//! [`Guess`]es at what it cannot see, a seed and a budget. A [`Level`] is a pure function of that: it
//! keeps nothing between two calls, so a restart, a replay and an explanation give each choice again.
//!
//! ```
//! # use cw_duel::Duel;
//! use cw_players::{SeatEyes, Level, seed_of};
//!
//! /// Lets the computer answer the pending decision, the `number`th of its seat.
//! fn computer_answers(duel: &mut Duel, seed: u64, number: u64) {
//!     let Some(eyes) = SeatEyes::of_who_is_asked(duel) else { return };
//!     let seat = eyes.decision().seat;
//!     let choice = Level::BEST.choose(&eyes.ask(seed_of(seed, seat, number)));
//!     duel.answer_silently(choice).expect("a level chooses what is offered");
//! }
//! ```
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation))]
#![warn(clippy::disallowed_types, clippy::disallowed_methods)]

/// The version of the levels: raised when one of them chooses otherwise than before. Results of other
/// versions are none of this one's.
pub const VERSION: u32 = 8;

mod door;
mod fit;
mod habit;
mod hurry;
mod insight;
mod level;
mod one_step;
mod policy;
mod preview;
mod proof;
mod random;
mod search;
mod sight;
mod values;
mod ways;

pub use door::{Ask, Guess, Lists, Player, PlayerAnswer, SearchBudget, SeatEyes, Sight};
pub use fit::{Fitted, Positions, fit};
pub use insight::{HandGuess, LeftOut, SearchInsight, Weighed};
pub use level::Level;
pub use policy::{Habit, PhaseStop, SeatPolicy};
pub use preview::{Preview, preview, preview_line};
pub use random::{RandomPlayer, mix, players_seed, seed_of};
pub use sight::sight;
pub use values::{PositionWeights, VALUES, ValuesError};
