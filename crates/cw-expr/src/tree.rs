//! Text to tree.

pub mod ast;
pub(crate) mod block;
pub(crate) mod lex;
pub(crate) mod literal;
pub(crate) mod parse;
pub mod statement;
