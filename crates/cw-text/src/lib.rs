//! Source texts, places in them, and what can be said about them.
//!
//! Knows text, lines and columns; does not know any language. A checker returns
//! [`Diagnostic`]s as plain data; faces render them.
//!
//! ```
//! use cw_text::{FindingCode, Diagnostic, FindingFormat, NoCatalog, Severity, Sources, Span, render};
//!
//! let mut sources = Sources::new();
//! let file = sources.add("a.rules", "action = drow()");
//! let found = Diagnostic::new(
//!     FindingCode("RS003"),
//!     Severity::Error,
//!     file,
//!     Span::new(9, 13),
//!     "unknown command `drow`",
//! );
//! let shown = render(FindingFormat::Short, &sources, &[found], false, &NoCatalog);
//! assert_eq!(shown.trim_end(), "a.rules:1:10: error[RS003]: unknown command `drow`");
//! ```
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation))]
#![warn(clippy::disallowed_types, clippy::disallowed_methods)]

mod count;
mod diagnostic;
mod fix;
mod line;
mod nearest;
mod page;
mod render;
mod source;
mod span;

pub use count::count;
pub use diagnostic::{Diagnostic, FindingCode, FindingFix, FindingLabel, Safety, Severity, TextEdit};
pub use fix::apply_fixes;
pub use line::one_line;
pub use nearest::nearest;
pub use page::{FindingPage, FindingPages};
pub use render::{Catalog, FindingFormat, NoCatalog, SeverityCounts, render};
pub use source::{FileId, LineColumn, LineIndex, SharedText, SourceText, Sources};
pub use span::{Span, offset};
