//! Python 2.7 expressions: read, compiled once, evaluated many times in a sandbox.
//!
//! Knows Python's grammar of expressions, its values and its built-ins; does not know cards, zones,
//! players or RuleScript. A game's names and objects enter through [`Dialect`] when an expression is
//! compiled and through [`Host`] when it is evaluated. Evaluation keeps nothing: a host that needs an
//! answer first returns [`Error::suspend`] and evaluates again later.
//!
//! ```
//! use cw_expr::{Limits, NoHost, Plain, Syntax, compile, eval_repr};
//!
//! let code = compile("[7 / 2, -7 / 2, 2 ** 64]", &Syntax::default(), &Plain, &Limits::CARD)?;
//! let shown = eval_repr(&code, &mut NoHost, &Limits::CARD)?;
//! assert_eq!(shown, "[3, -4, 18446744073709551616L]");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation))]
#![warn(clippy::disallowed_types, clippy::disallowed_methods)]
#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "an operation of a dynamic language names the types and tokens it knows and refuses all others"
)]

mod limits;
mod syntax;
mod work;

mod lex;
mod literal;

pub mod ast;
mod parse;

mod code;
mod compile;

mod error;
mod host;
mod value;

mod quick;
mod vm;
mod word;

mod access;
mod builtin;
mod codec;
mod compare;
mod construct;
mod float_text;
mod format;
mod iterate;
mod method;
mod number;
#[cfg(feature = "oracle")]
pub mod oracle;
mod power;
mod repr;
mod table;
mod text;
mod text_method;

pub use builtin::{Builtin, builtin_names, builtin_value, refused};
pub use code::Code;
pub use compile::{GROUP_ELEMENT, compile, compile_ast};
pub use error::{Cause, CompileError, Error, ErrorKind, ExceptionKind};
pub use host::{AttributeId, Dialect, FunctionId, Host, Meaning, NameId, NoHost, Object, Plain};
pub use limits::Limits;
pub use method::has_attribute_named;
pub use parse::{GroupParts, parse, parse_group};
pub use syntax::Syntax;
pub use value::{Complex, Sequence, Type, Value};
pub use vm::{eval, eval_repr, eval_truth};
