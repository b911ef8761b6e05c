//! A language server for the authors of games, as a value: messages in, answers and findings out.
//!
//! Knows the protocol of editors, which texts are open, and which game each belongs to; does not know where
//! messages come from, files, clocks or threads: a [`GameFolders`] is handed in. Parameters and answers are
//! JSON values, of which only what the server reads has types: a page in a browser can use the same server,
//! and stays small.
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation))]
#![warn(clippy::disallowed_types, clippy::disallowed_methods)]

mod abilities;
mod actions;
mod cards;
mod commands;
mod complete;
mod documents;
mod folders;
mod folds;
mod games;
mod grammar;
mod hints;
mod hover;
mod lenses;
mod pages;
mod places;
mod protocol;
mod rehearse;
mod rename;
mod server;
mod tokens;
mod told;
mod words;
mod world;

pub use folders::{AskedTable, GameFolders};
pub use grammar::{book_script, grammar};
pub use places::{LineTable, PositionEncoding};
pub use protocol::{RequestError, ServerMessage, TextPosition, TextRange};
pub use server::LanguageServer;
