//! Programs of other people's as players: JSON lines over standard input and output, version 1.
//!
//! Knows processes, clocks and the JSON of a question; does not know rules: a bot gets the legal
//! options with each question. It gets no more than a [`cw_players::Ask`] holds: the view of its
//! seat, and forks of honest guesses where it asks for them.
//!
//! A [`Bot`] never holds up a duel and never harms one. Whatever the program does (late, silent,
//! unreadable, dead), the seat gets an answer: the safe one, and after three faults in a duel it gives
//! up. The protocol stands in `docs/players.md`, its schema in `docs/bot.schema.json`.
//!
//! ```no_run
//! # use std::sync::Arc;
//! use cw_bot::{Bot, Command, BotLimits};
//! # fn with(game: Arc<cw_duel::Game>) -> Result<(), Box<dyn std::error::Error>> {
//! let command = Command::read("python3 mybot.py --careful")?;
//! let bot = Bot::start(command, game, BotLimits::default())?;
//! println!("{} is ready", bot.name());
//! # Ok(())
//! # }
//! ```
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation))]

mod bot;
mod command;
mod message;
mod process;

pub use bot::{Bot, Faults, StartError, Timing};
pub use command::Command;
pub use message::{BotLimits, PROTOCOL};
pub use process::end_all;
