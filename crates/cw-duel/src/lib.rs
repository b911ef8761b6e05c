//! The game as a plain value: what the rules say, and nothing else.
//!
//! Knows zones, phases, targets, commands, listeners and decisions; does not know files, clocks,
//! threads, JSON or screens. A [`Duel`] can be copied at any decision, and both copies go on
//! independently. The same game, decks, seed and answers give the same states everywhere.
//!
//! Besides playing, a duel can be asked:
//! - [`Duel::why_not`], [`Duel::why_not_by`]: why something cannot be done now, with its rule;
//! - [`Ledger`]: where a number of a view comes from, with every change since. It is a [`Sink`];
//!   [`Ledger::explain`] gives the base and every share, [`View::numbers`] what can be asked;
//! - [`Traced`]: what every statement did, for a [`Sink`] that wants it.
#![allow(
    clippy::cast_possible_truncation,
    reason = "cards, seats and slots are counted in a byte by the limits of `game.toml`"
)]
#![warn(clippy::disallowed_types, clippy::disallowed_methods)]

mod bounded;
mod card;
mod carry;
mod commands;
mod copy;
mod decision;
mod dispatch;
mod duel;
mod event;
mod explain;
mod facts;
mod fight;
mod formula;
mod game;
mod hash;
mod idle;
mod invariants;
mod list;
mod machine;
mod phase;
mod phases;
mod play;
mod position;
mod program;
mod query;
mod run;
mod sample;
mod seat;
mod snapshot;
mod state;
mod table;
mod trace;
mod view;
mod why;
mod why_answer;
mod zones;

pub use card::{CardId, ZoneKind};
pub use cw_chance::{Chance, NoSeed, Seed, Shuffle};
pub use decision::{Choice, Decision, INLINE_OPTIONS, Question, RulePlace};
pub use duel::{AnswerError, Decks, Duel, Setup, SetupError};
pub use event::{Cause, Event, Location, Origin, Seen, Silent, Sink, StepResult, Subject};
pub use explain::{Base, Explanation, Ledger, Share, Value, Why};
pub use game::{
    Ability, AbilityKind, Constants, DeckFault, Game, MAX_BACKUPS, MAX_CARDS, MAX_FOLLOWERS, MAX_SLOTS, Model,
};
pub use hash::{RULES_VERSION, StateHash};
pub use list::Object;
pub use phase::Phase;
pub use position::{
    AbilityNow, CharacterPosition, CostChange, PlayerPosition, Position, PositionError, PositionFault,
};
pub use program::{Ending, Goal, Point, Program};
pub use seat::{PerSeat, Seat, Seats};
pub use snapshot::{
    ChangeSnapshot, Changed, CharacterSnapshot, Lasts, ListenerSnapshot, PlayerSnapshot, QueuedSnapshot,
    Snapshot,
};
pub use state::{Outcome, Part, Reason};
pub use trace::{TraceStep, TraceValue, Traced, Variable};
pub use view::{CardView, CharacterView, PlayerView, View};
pub use why::Refusal;
pub use why_answer::Attempt;
