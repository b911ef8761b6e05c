//! RuleScript's expressions: Python 2.7 with the names, attributes and group forms of section 10.
//!
//! Knows what words an expression may use and what kinds of things they are; does not know the state
//! of any game. The engine answers through [`GameFacts`]; [`compile`] gives a [`Formula`] that holds what
//! the checker wants to know beside the code that runs.
//!
//! ```
//! use cw_formula::{Arena, FormulaPlace, FormulaScope, compile};
//!
//! let arena = Arena::new();
//! let formula = compile(
//!     "this.bp >= 300 and all alive in me.ring",
//!     &FormulaScope::new(FormulaPlace::Condition),
//!     &arena,
//! );
//! assert_eq!(formula.expect("it is an expression").findings.len(), 1, "nobody knows `alive`");
//! ```
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation))]
#![warn(clippy::disallowed_types, clippy::disallowed_methods)]

mod words;

mod facts;
mod keep;

mod compile;
mod fails;
mod inspect;
mod rewrite;

pub use compile::{
    FilterLiteral, Formula, FormulaPlace, FormulaScope, GroupFormula, compile, compile_group, group_tree,
    tree,
};
pub use facts::{CardKind, GameFacts, GetTargetsFilter};
pub use inspect::{FormulaFinding, FormulaFindingKind, FormulaMend, IdleOperand, NeverNegative};
pub use keep::{Item, KeptValue, keep, whole_number};
pub use words::{
    ATTRIBUTES, AttributeWord, EngineFunction, EngineName, FUNCTIONS, FunctionWord, KEYWORDS, NAMES, NameSet,
    NameWord, REFUSED, ValueAttribute, VarId, WordKind,
};

pub use cw_expr::ast::{self, Arena};
pub use cw_expr::{Error, ErrorKind, ExprLimits, HostObject, Value, float_repr};
