//! Source texts, places in them, and what can be said about them.
//!
//! Knows text, lines and columns; does not know any language. A checker returns
//! [`Diagnostic`]s as plain data; faces render them.
#![warn(clippy::disallowed_types, clippy::disallowed_methods)]

mod diagnostic;
mod nearest;
mod source;
mod span;

pub use diagnostic::{Code, Diagnostic, Edit, Fix, Label, Safety, Severity};
pub use nearest::nearest;
pub use source::{FileId, LineColumn, LineIndex, Source, Sources};
pub use span::Span;
