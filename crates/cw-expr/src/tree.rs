//! Text to tree.

pub mod ast;
pub(crate) mod lex;
pub(crate) mod literal;
pub(crate) mod parse;
