//! What players read: questions, choices and events in words, from one seat's side.
//!
//! Knows how to say things; does not know screens, nor any card that the reader may not know.
//!
//! ```
//! use cw_duel::Seat;
//! use cw_words::{EventReader, choice, question};
//!
//! let play = cw_stage::start("", "phase attack; me Rook; opp.hand Spark300");
//! let reader = EventReader { duel: &play.duel, seat: Some(Seat::One) };
//! let decision = play.duel.pending().expect("the duel goes on");
//! assert_eq!(question(reader, decision), "Attack phase. Who attacks?");
//! let options: Vec<String> =
//!     decision.options.iter().map(|option| choice(reader, decision, *option)).collect();
//! assert_eq!(options, ["attack with Rook #10", "end the Attack phase"]);
//! ```
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation))]
#![warn(clippy::disallowed_types, clippy::disallowed_methods)]

mod carried;
mod choices;
mod events;
mod explain;
mod names;
mod said;

pub use carried::{carry_fault, carry_note, changes};
pub use choices::{choice, question};
pub use events::{event, place_when_shown, story};
pub use explain::{explanation, value};
pub use names::{EventReader, ability_symbol, keyword, rule, signed};
pub use said::{RuleText, TextStyle, UnsaidPart, rule_text};
