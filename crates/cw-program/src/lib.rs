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
    AutoEntry, Goal, Op, Point, Program, ProgramStep, Revert, StatementsEnding, StepResult, event_bit,
    keyword_bit,
};
pub use listing::{Labels, auto_listing, listing, trigger_listing};
pub use rule::{
    Amount, Auto, AutoKind, CardNameId, CardTest, CompiledRule, CostAmount, CountRange, EachEffect,
    EachGroup, EffectJoiner, Few, FilterComparison, FilterTest, FormulaId, Freezing, ModelId, NoNames,
    NumberArgument, PackageNames, PilePosition, PileRef, Restriction, RestrictionEnd, RuleAction, RuleBranch,
    RuleCost, RuleEffect, RuleEffectKind, RuleFormula, RuleStatement, RuleValue, StatementKind, SubtypeId,
    Target, TargetClause, TargetFilter, TargetKind, TargetQuantity, TargetType, Transform, TriggerEvent,
    TypeItem, Var, Whose, Zone, ZonePlace, ZoneSide,
};
pub use spelling::Manual;
pub use visit::ArgumentVisitor;
pub use words::{
    CardType, ClosedWord, CostKind, EventName, FilterFlag, Keyword, PhaseName, PileName, PileViewState,
    RuleFlag, Scope,
};
