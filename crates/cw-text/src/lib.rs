//! Source texts, places in them, and what can be said about them.
//!
//! Knows text, lines and columns; does not know any language. A checker returns
//! [`Diagnostic`]s as plain data; faces render them.
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation))]
#![warn(clippy::disallowed_types, clippy::disallowed_methods)]

mod diagnostic;
mod fix;
mod nearest;
mod render;
mod source;
mod span;

pub use diagnostic::{Code, Diagnostic, Edit, Fix, Label, Safety, Severity};
pub use fix::apply_fixes;
pub use nearest::nearest;
pub use render::{Catalog, Counts, Format, NoCatalog, render};
pub use source::{FileId, LineColumn, LineIndex, Source, Sources};
pub use span::{Span, offset};
