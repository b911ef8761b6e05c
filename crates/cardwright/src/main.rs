//! The `cardwright` command: arguments in, exit code out.
//!
//! Exit codes: 0 all is well, 1 the user's input is wrong, 2 the command line is wrong;
//! `arena --sprt` ends with 3 if it rejects, and with 4 if it cannot say.
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation))]
#![expect(
    clippy::needless_pass_by_value,
    reason = "every command takes its arguments the same way"
)]

mod commands;
mod findings;
mod game;
mod help;
mod input;
mod limits;
mod log;
mod output;
mod package;
mod progress;
mod prompt;
mod scenario_files;

use std::process::ExitCode;

use clap::{FromArgMatches as _, Parser, Subcommand};

/// The static program brings its own memory: musl's is small and slow, and threads wait for each other in it.
#[cfg(target_env = "musl")]
#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[derive(Debug, Parser)]
#[command(name = "cardwright", version, about)]
struct CommandLine {
    /// Raise a limit on how much of a package is read, as in `--limit file=200000000`
    ///
    /// The names: cards (of a package), entries (files in an archive), file (bytes of one file), files
    /// (definitions, sets and decks of a package), findings (about a package), ratio (unpacked bytes for each
    /// packed byte of a file in an archive), unpacked (bytes of an archive, and of all its files unpacked),
    /// xml (bytes of all definitions, sets and decks together).
    #[arg(long, global = true, value_name = "NAME=NUMBER", display_order = 900)]
    limit: Vec<limits::Limit>,
    /// Colour the output; auto: on a terminal, unless NO_COLOR is set
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t = output::Color::Auto)]
    #[arg(display_order = 901)]
    color: output::Color,
    #[command(subcommand)]
    command: Command,
}

/// Each variant is one module of `commands`: an `Args` struct and `run(args) -> anyhow::Result<ExitCode>`.
#[derive(Debug, Subcommand)]
enum Command {
    Arena(commands::arena::Args),
    Balance(Box<commands::balance::Args>),
    /// Test a bot (a program of your own that plays)
    Bot(commands::bot::Args),
    Cards(commands::cards::Args),
    /// Build, check and study decks
    Deck(commands::deck::Args),
    Dev(commands::dev::Args),
    /// Examine a recorded duel: what every statement did, and where numbers come from
    Duel(commands::duel::Args),
    Draft(commands::draft::Args),
    /// Pack a game's folder into an .o8g for OCTGN
    Export(commands::export::Args),
    /// Copy the pictures of an image pack into a game
    Images(commands::images::Args),
    New(commands::new::Args),
    Open(commands::open::Args),
    /// List, open and study booster packs
    Packs(commands::packs::Args),
    /// List the computer's levels, or learn from duels how to value positions
    Players(commands::players::Args),
    /// Play a duel against the computer or another person, or let two computers play
    Play(Box<commands::play::Args>),
    /// Run a recorded duel again and verify it; look at any choice, or play on from there
    Replay(commands::replay::Args),
    Run(commands::run::Args),
    Sealed(commands::sealed::Args),
    Sim(Box<commands::sim::Args>),
    Site(commands::site::Args),
    Table(commands::table::Args),
    Check(commands::check::Args),
    Eval(commands::eval::Args),
    Explain(commands::explain::Args),
    Fmt(commands::fmt::Args),
    Fuzz(commands::fuzz::Args),
    Lsp(commands::lsp::Args),
    Rules(commands::rules::Args),
    /// Run scenario files, which say what cards and rules should do
    Test(commands::test::Args),
    /// Write a scenario, or play one and show every step
    Scenario(commands::scenario::Args),
    Completions(help::CompletionsArgs),
    Man(help::ManArgs),
    Health(commands::health::Args),
}

impl Command {
    /// Whether programs of other people's may play: where `cmd:` names a player, and where a bot is tested.
    fn may_start_programs(&self) -> bool {
        matches!(
            self,
            Command::Arena(_) | Command::Balance(_) | Command::Bot(_) | Command::Play(_) | Command::Sim(_)
        )
    }
}

/// Ctrl-C, and whatever else ends this program politely, ends the bots with all that they started; they do
/// not hear of it themselves, as each leads a process group of its own.
fn end_programs_with_us() {
    // Where there can be no handler, bots end when their input does.
    let _ = ctrlc::set_handler(|| {
        cw_bot::end_all();
        std::process::exit(INTERRUPTED);
    });
}

/// The exit code of a program that was interrupted: 128 and the number of SIGINT, as shells have it.
const INTERRUPTED: i32 = 130;

fn main() -> ExitCode {
    let matches = match help::command().try_get_matches() {
        Ok(matches) => matches,
        // Help that was asked for goes where results go, and is missing there if it cannot be printed.
        Err(told) if !told.use_stderr() => {
            output::raw(&told.render().ansi().to_string());
            return ExitCode::SUCCESS;
        }
        Err(error) => error.exit(),
    };
    let arguments = CommandLine::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    limits::set(&arguments.limit);
    output::set_color(arguments.color);
    if arguments.command.may_start_programs() {
        end_programs_with_us();
    }
    let result = match arguments.command {
        Command::Arena(args) => commands::arena::run(args),
        Command::Balance(args) => commands::balance::run(&args),
        Command::Bot(args) => commands::bot::run(args),
        Command::Cards(args) => commands::cards::run(args),
        Command::Deck(args) => commands::deck::run(args),
        Command::Dev(args) => commands::dev::run(args),
        Command::Duel(args) => commands::duel::run(args),
        Command::Draft(args) => commands::draft::run(args),
        Command::Export(args) => commands::export::run(args),
        Command::Images(args) => commands::images::run(args),
        Command::New(args) => commands::new::run(args),
        Command::Open(args) => commands::open::run(args),
        Command::Packs(args) => commands::packs::run(args),
        Command::Players(args) => commands::players::run(args),
        Command::Play(args) => commands::play::run(*args),
        Command::Replay(args) => commands::replay::run(args),
        Command::Run(args) => commands::run::run(args),
        Command::Sealed(args) => commands::sealed::run(args),
        Command::Sim(args) => commands::sim::run(*args),
        Command::Site(args) => commands::site::run(args),
        Command::Table(args) => commands::table::run(args),
        Command::Check(args) => commands::check::run(args),
        Command::Eval(args) => commands::eval::run(args),
        Command::Explain(args) => commands::explain::run(args),
        Command::Fuzz(args) => commands::fuzz::run(args),
        Command::Fmt(args) => commands::fmt::run(args),
        Command::Lsp(args) => commands::lsp::run(args),
        Command::Rules(args) => commands::rules::run(args),
        Command::Test(args) => commands::test::run(args),
        Command::Scenario(args) => commands::scenario::run(args),
        Command::Completions(args) => help::completions(args),
        Command::Man(args) => help::man(args),
        Command::Health(args) => commands::health::run(args),
    };
    result.unwrap_or_else(|error| {
        output::error(&error);
        ExitCode::FAILURE
    })
}
