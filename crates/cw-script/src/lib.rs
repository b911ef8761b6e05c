//! A package's own scripts: Python 2.7 statements, run in a closed room.
//!
//! Knows Python's statements, objects and modules; does not know cards, tables, files, clocks or the net.
//! Whatever a script wants from the table goes through a [`ScriptHost`]. Grammar, numbers, texts and formats
//! are those of `cw-expr`.
//!
//! A [`ScriptPackage`] is compiled once and shared. An [`Interpreter`] is one seat's state, a plain value:
//! objects lie in a heap by number, in pieces that copies share until one of them changes. A call runs a
//! stack machine over it, which counts every step and byte, so that it stops at the same place on every
//! machine. A question ends the call, and with its answer the table calls again: see [`ScriptHost`].
//!
//! ```
//! use cw_script::{EmptyRoom, Interpreter, RunEnd, ScriptLimits};
//!
//! let mut scripts = Interpreter::new(&mut EmptyRoom);
//! let text = "seen = []\ndef draw(n, seen=seen):\n    seen.append(n)\n    return len(seen)\n";
//! scripts.run(text, "actions.py", &mut EmptyRoom, &ScriptLimits::LOAD);
//! let before = scripts.clone();
//! let run = scripts.call("draw", &[cw_script::HostValue::Int(7)], &mut EmptyRoom, &ScriptLimits::RUN);
//! assert_eq!(run.end, RunEnd::Done("1".to_owned()));
//! assert_eq!(
//!     before.clone().values(&mut EmptyRoom).iter().find(|(name, _)| name == "seen").unwrap().1,
//!     "[]"
//! );
//! ```
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation))]
#![warn(clippy::disallowed_types, clippy::disallowed_methods)]
#![expect(
    clippy::needless_pass_by_value,
    reason = "arguments are taken off the stack and handed on; most who get them keep them"
)]

mod code;
mod compile;
mod digest;
mod hash;
mod heap;
mod host;
mod interpreter;
mod limits;
mod machine;
mod object;
mod pattern;
mod usage;
mod value;

pub use compile::{ScriptFault, compiled_files};
pub use cw_expr::ExceptionKind;
pub use host::{EmptyRoom, HostForm, HostStop, HostValue, ScriptHost};
pub use interpreter::{Interpreter, RunEnd, ScriptError, ScriptPackage, ScriptRun};
pub use limits::{ScriptLimit, ScriptLimits};
pub use machine::RunStop;
pub use object::TracePlace;
pub use usage::{DefinedFunction, PackageUsage, ScriptUse, UsedThing};
pub use value::HostHandle;
