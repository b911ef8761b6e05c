//! The game as a plain value: what the rules say, and nothing else.
//!
//! Knows zones, phases, targets, commands, listeners and decisions; does not know files, clocks,
//! threads, JSON or screens. A [`Duel`] can be copied at any decision, and both copies go on
//! independently. The same game, decks, seed and answers give the same states everywhere.
//!
//! Besides playing, a duel can be asked:
//! - [`Duel::why_not`], [`Duel::why_not_by`]: why something cannot be done now, with its rule;
//! - [`Ledger`]: where a number of a view comes from, with every change since. It is a [`Sink`];
//!   [`Ledger::explain`] gives the base and every share, [`DuelView::numbers`] what can be asked;
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
pub use base::list::DuelObject;
pub use base::phase::Phase;
pub use base::place::RulePlace;
pub use base::refusal::ChoiceRefusal;
pub use base::seat::{PerSeat, Seat, SeatSet};
pub use cw_chance::{Chance, NoSeed, Seed, Shuffle};
pub use cw_history::StateHash;
pub use cw_program::{Goal, Point, Program, StatementsEnding, StepResult};
pub use duel::carried::{CarriedDuel, CarryFault, CarryNote};
pub use duel::explain::{Base, ChangeReason, ExplainedNumber, Explanation, Ledger, Share};
pub use duel::glance::{Glance, GlanceFighter};
pub use duel::hash::RULES_VERSION;
pub use duel::lookahead::Lookahead;
pub use duel::position::{
    AbilityNow, CharacterPosition, DuelPosition, PlayerPosition, PositionError, PositionFault,
};
pub use duel::snapshot::{
    ChangeSnapshot, ChangedThing, CharacterSnapshot, Lasts, ListenerSnapshot, PlayerSnapshot, QueuedSnapshot,
    Snapshot,
};
pub use duel::view::{CardView, CharacterView, DuelView, PlayerView};
pub use duel::why_not::Attempt;
pub use duel::{AnswerError, Decks, Duel, DuelSetup, SetupError};
pub use event::trace::{TraceStep, TraceValue, Traced, Variable};
pub use event::{ChangeCause, DuelEvent, Silent, Sink, StatementOrigin, Wants, ZoneLocation};
pub use game::change::{CardChange, GameChange, PrintedChange};
pub use game::{
    Ability, AbilityKind, CardModel, Constants, DeckFault, DeckLimits, DuelTwist, Game, MAX_BACKUPS,
    MAX_CARDS, MAX_FOLLOWERS, MAX_SLOTS, SeatTwist,
};
pub use state::decision::{Choice, Decision, INLINE_OPTIONS, Question};
pub use state::seen::{Seen, Subject};
pub use state::{DuelOutcome, FramePart, WinReason};
