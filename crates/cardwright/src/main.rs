//! The `cardwright` command: arguments in, exit code out.
//!
//! Exit codes: 0 all is well, 1 the user's input is wrong, 2 the command line is wrong.

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
enum Command {}

fn main() -> ExitCode {
    match Arguments::parse().command {}
}
