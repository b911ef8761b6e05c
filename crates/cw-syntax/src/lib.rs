//! RuleScript text to tree: any text gives a tree with exact spans and all that is wrong with it.
//!
//! Knows the grammar (R201 with D23, D28–D30), layout and comments, and how rules lie in files.
//! Does not know commands, events, cards or expressions: names are texts with spans, and an
//! expression is the text it is written as.
//!
//! ```
//! use cw_syntax::{Arena, dump, parse};
//! use cw_text::{FileId, Span};
//!
//! let (arena, text) = (Arena::new(), "action = draw(2)");
//! let parsed = parse(&arena, FileId(0), text, Span::new(0, text.len()));
//! assert!(parsed.diagnostics.is_empty());
//! assert!(dump(&parsed.rule).contains("draw"));
//! ```
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation))]
#![warn(clippy::disallowed_types, clippy::disallowed_methods)]

mod codes;
mod dump;
mod files;
mod format;
mod lexer;
mod lossless;
mod mark;
mod parser;
mod statement;
mod target;
mod tree;

pub use bumpalo::Bump as Arena;
pub use bumpalo::collections::Vec as List;
pub use codes::{LINTS, Lint, rs};
pub use dump::dump;
pub use files::{
    CardRule, Header, MOST_FINDINGS, RuleFile, guid, parse_part, parse_python, parse_rules, parts,
};
pub use format::{AsWritten, NameKind, Spelling, format_rules};
pub use lexer::{RuleToken, RuleTokenKind, tokens};
pub use lossless::{RuleScript, SyntaxKind, SyntaxNode, lossless};
pub use parser::{Parse, parse, parse_target, parse_targets};
pub use tree::{
    ArgForm, Argument, Assign, BranchSyntax, Condition, CostArgument, CostSyntax, EachSyntax, EffectSyntax,
    EffectSyntaxKind, EventSyntax, FilterSyntax, JoinerSyntax, Keys, LabelSyntax, NumberSign, Operator,
    PickSyntax, Prefix, PropertySyntax, PropertyValueSyntax, QuantityForm, QuantitySyntax, RuleSyntax,
    Selector, StatementBody, StatementSyntax, Target, TargetClauseSyntax, Trigger, TypeJoiner, TypeSyntax,
    WordSyntax, is_word, lower,
};
