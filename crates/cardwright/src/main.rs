//! The `cardwright` command: arguments in, exit code out.
//!
//! Exit codes: 0 all is well, 1 the user's input is wrong, 2 the command line is wrong.

mod commands;
mod game;
mod input;
mod log;
mod output;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

#[derive(Debug, Parser)]
#[command(name = "cardwright", version, about)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

/// Each variant is one module of `commands`: an `Args` struct and `run(args) -> anyhow::Result<ExitCode>`.
#[derive(Debug, Subcommand)]
enum Command {
    /// Play a duel: against the computer, against each other, or let two computers play
    Play(commands::play::Args),
    /// Run a recorded duel again and verify every choice
    Replay(commands::replay::Args),
    Check(commands::check::Args),
    Explain(commands::explain::Args),
    Fmt(commands::fmt::Args),
    Rules(commands::rules::Args),
    /// Run scenario files: what cards and rules should do, written down
    Test(commands::test::Args),
}

fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        Command::Play(args) => commands::play::run(args),
        Command::Replay(args) => commands::replay::run(args),
        Command::Check(args) => commands::check::run(args),
        Command::Explain(args) => commands::explain::run(args),
        Command::Fmt(args) => commands::fmt::run(args),
        Command::Rules(args) => commands::rules::run(args),
        Command::Test(args) => commands::test::run(args),
    };
    result.unwrap_or_else(|error| {
        output::error(&error);
        ExitCode::FAILURE
    })
}
