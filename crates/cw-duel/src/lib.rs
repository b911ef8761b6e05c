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
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation))]
#![warn(clippy::disallowed_types, clippy::disallowed_methods)]

// The rooms, lowest first: each imports only from those above it (`cargo xtask tidy`).

mod base;

mod game;

mod state;

mod event;

mod machine;

mod script;

mod legal;

mod turn;

mod duel;

pub use base::card::{CardId, ZoneKind};
pub use base::cost::CostChange;
pub use base::list::Object;
pub use base::phase::Phase;
pub use base::place::RulePlace;
pub use base::refusal::Refusal;
pub use base::seat::{PerSeat, Seat, Seats};
pub use cw_chance::{Chance, NoSeed, Seed, Shuffle};
pub use cw_history::StateHash;
pub use cw_program::{Ending, Goal, Point, Program, StepResult};
pub use duel::explain::{Base, Explanation, Ledger, Share, Value, Why};
pub use duel::glance::{Fighter, Glance};
pub use duel::hash::RULES_VERSION;
pub use duel::position::{
    AbilityNow, CharacterPosition, PlayerPosition, Position, PositionError, PositionFault,
};
pub use duel::snapshot::{
    ChangeSnapshot, Changed, CharacterSnapshot, Lasts, ListenerSnapshot, PlayerSnapshot, QueuedSnapshot,
    Snapshot,
};
pub use duel::view::{CardView, CharacterView, PlayerView, View};
pub use duel::why_not::Attempt;
pub use duel::{AnswerError, Decks, Duel, Setup, SetupError};
pub use event::trace::{TraceStep, TraceValue, Traced, Variable};
pub use event::{Cause, Event, Location, Origin, Silent, Sink, Wants};
pub use game::{
    Ability, AbilityKind, Constants, DeckFault, DeckRules, Game, MAX_BACKUPS, MAX_CARDS, MAX_FOLLOWERS,
    MAX_SLOTS, Model,
};
pub use state::decision::{Choice, Decision, INLINE_OPTIONS, Question};
pub use state::seen::{Seen, Subject};
pub use state::{Outcome, Part, Reason};
