//! What a card's rule means: every word resolved, ready to run.
//!
//! Knows the words of RuleScript (commands, events, keywords, flags) and the shape of a rule;
//! does not know text layout, zones' contents, or how a game is played.
//!
//! ```
//! use cw_program::{Labels, NoNames, compile, listing};
//! use cw_syntax::{Arena, parse};
//! use cw_text::{FileId, Span};
//!
//! let (arena, text) = (Arena::new(), "action = draw(2)");
//! let parsed = parse(&arena, FileId(0), text, Span::new(0, text.len()));
//! let compiled = compile(FileId(0), text, &parsed.rule, &NoNames);
//! assert!(compiled.diagnostics.is_empty());
//! assert!(listing(&compiled.rule, Labels::default()).contains("draw(2)"));
//! ```
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation))]
#![warn(clippy::disallowed_types, clippy::disallowed_methods)]

mod commands;
mod compile;
mod events;
mod flat;
mod listing;
mod rule;
mod spelling;
mod visit;
mod words;

pub use commands::{ActsOn, ArgKind, Command, CommandName, Signature};
pub use compile::{Compiled, compile, compile_into, event_name, find_zone, is_variable, zone_words};
pub use events::{EventForm, EventKind};
pub use flat::{
    AutoEntry, Ending, Goal, Op, Point, Program, Revert, Step, StepResult, event_bit, keyword_bit,
};
pub use listing::{Labels, listing};
pub use rule::{
    Action, Amount, Auto, AutoKind, Branch, CardTest, Compare, Cost, CostAmount, Count, Each, Effect,
    EffectKind, Event, Expr, Few, Filter, FilterTest, Formula, Freezing, Group, Joiner, ModelId, NameId,
    Names, NoNames, Number, Pile, Place, Position, Quantity, Restriction, Rule, RuleValue, Side, Statement,
    StatementKind, SubtypeId, Target, TargetClause, TargetKind, Transform, TypeItem, Until, Var, What, Whose,
    Zone,
};
pub use spelling::Manual;
pub use visit::Visitor;
pub use words::{
    CardType, CostKind, EventName, FilterFlag, Keyword, PhaseName, PileName, PileViewState, RuleFlag, Scope,
    Word,
};
