//! Python 2.7 expressions: read, compiled once, evaluated many times in a sandbox.
//!
//! Knows Python's grammar of expressions, its values and its built-ins; does not know cards, zones,
//! players or RuleScript. It reads files of statements too ([`parse_file`]), but does not run them:
//! `cw-script` does, and asks a [`Calculator`] what one operation on numbers and texts gives.
//! A game's names and objects enter through [`Dialect`] when an expression is
//! compiled and through [`ExprHost`] when it is evaluated. Evaluation keeps nothing: a host that needs an
//! answer first returns [`Error::suspend`] and evaluates again later.
//!
//! ```
//! use cw_expr::{ExprLimits, NoHost, PlainPython, Syntax, compile, eval_repr};
//!
//! let code = compile("[7 / 2, -7 / 2, 2 ** 64]", &Syntax::default(), &PlainPython, &ExprLimits::CARD)?;
//! let shown = eval_repr(&code, &mut NoHost, &ExprLimits::CARD)?;
//! assert_eq!(shown, "[3, -4, 18446744073709551616L]");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation))]
#![warn(clippy::disallowed_types, clippy::disallowed_methods)]

// The rooms, lowest first: each imports only from those above it (`cargo xtask tidy`).

mod base;

mod tree;

mod value;

mod vm;

mod compile;

mod calculate;

#[cfg(feature = "oracle")]
mod walker;

/// What tests and fuzzing compare with.
#[cfg(feature = "oracle")]
pub mod oracle {
    pub use crate::walker::{looked_at, looks_at_identity, walk_repr};
}

pub use base::error::{CompileError, CompileErrorKind, Error, ErrorKind, ExceptionKind};
pub use base::id::{AttributeId, FunctionId, HostNameId, HostObject};
pub use base::limits::ExprLimits;
pub use base::syntax::Syntax;
pub use calculate::{Calculator, method_named, stand_in};
pub use compile::{GROUP_ELEMENT, compile, compile_ast};
pub use tree::ast;
pub use tree::block::parse_file;
pub use tree::parse::{GroupParts, Parameters, parse, parse_group};
pub use tree::statement;
pub use value::builtin::Builtin;
pub use value::host::{Dialect, ExprHost, NameMeaning, NoHost, PlainPython};
pub use value::kind::PythonType;
pub use value::quick::CompiledExpr;
pub use value::table::{HashTable, TableEntry};
pub use value::word::{compare_small, length};
pub use value::{Complex, Sequence, Value};
pub use vm::builtin::{builtin_names, builtin_value, refused};
pub use vm::float_text::repr as float_repr;
pub use vm::method::{has_attribute_named, has_method_named};
pub use vm::{eval, eval_repr, eval_truth};
