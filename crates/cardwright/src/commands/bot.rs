//! `cardwright bot check`: whether a program speaks the bot protocol.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use cw_bot::{Bot, BotLimits, Command};
use cw_players::{Level, SearchBudget};
use cw_sim::{DuelPlan, Results, StopRule};

use crate::commands::arena;
use crate::game;
use crate::output::{self, say};
use crate::progress::WorkProgress;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: BotSubcommand,
}

#[derive(Debug, clap::Subcommand)]
enum BotSubcommand {
    /// Let a program play some duels and report everything that breaks the bot protocol
    Check(BotCheckArgs),
}

#[derive(Debug, clap::Args)]
struct BotCheckArgs {
    /// The program and its arguments
    #[arg(
        required = true,
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "PROGRAM"
    )]
    command: Vec<String>,
    /// Folder or .o8g of the game [default: the one you are in, or the demo game]
    #[arg(long, value_name = "PATH")]
    game: Option<PathBuf>,
    /// How many pairs of duels
    #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    pairs: u64,
    /// Milliseconds for an answer
    #[arg(long, default_value_t = BotLimits::default().ms)]
    ms: u64,
    /// Seed for all randomness
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    let BotSubcommand::Check(args) = args.command;
    let command = Command::of(&args.command).map_err(anyhow::Error::msg)?;
    let (loaded, game) = game::open(args.game.as_deref())?;
    let plan = DuelPlan {
        matchups: cw_lab::matchups(&arena::decks(&loaded, &[])?),
        game: Arc::clone(&game),
        seed: args.seed,
        budgets: [SearchBudget::default(); 2],
        exchange: cw_sim::Exchange::Players,
        stop: StopRule::After(args.pairs),
    };
    plan.check()?;
    let limits = BotLimits {
        ms: args.ms,
        twice: 10,
        ..BotLimits::default()
    };
    let began = Instant::now();
    let mut bot = Bot::start(command, game, limits)?;
    say!(
        "ok    it is ready: “{}”, after {}",
        bot.name(),
        time(began.elapsed())
    );
    let mut results = Results::default();
    let progress = WorkProgress::of(args.pairs, "pairs of duels");
    for number in 0..args.pairs {
        // Somebody who plays at random leads into every corner of the game.
        let mut other = if number % 2 == 0 {
            Level::Random
        } else {
            Level::BEST
        };
        results.add(&plan.play(number, &mut bot, &mut other));
        progress.add(1);
    }
    drop(progress);
    let faults = bot.faults().clone();
    let mut fine = true;
    let mut tell = |holds: bool, words: String| {
        fine &= holds;
        say!("{} {words}", if holds { "ok   " } else { "FAIL " });
    };
    let [won, drawn, lost] = results.duels;
    tell(
        faults.number() == 0,
        format!(
            "{} ({won} won, {drawn} drawn, {lost} lost), {}, {}: \
             {} late, {} unreadable, {} not offered, {} not there",
            output::count(results.number_of_duels(), "duel"),
            output::count(bot.asked(), "question"),
            output::count(faults.number(), "fault"),
            faults.late,
            faults.unreadable,
            faults.not_offered,
            faults.dead
        ),
    );
    if faults.number() > 0 {
        tell(false, format!("the last fault: {}", faults.last));
        tell(
            results.gave_up[0] == 0,
            format!(
                "{} forfeited after three faults",
                output::count(results.gave_up[0], "duel")
            ),
        );
    }
    if bot.is_deterministic() {
        let words = format!(
            "the same question gets the same answer: {} differed",
            faults.differed
        );
        tell(faults.differed == 0, words);
    }
    if let (Some(half), Some(all)) = (bot.timing().quantile(0.5), bot.timing().quantile(0.99)) {
        let words = format!(
            "half of the answers take up to {}, 99 of 100 at most {}; the limit is {} ms",
            time(half),
            time(all),
            args.ms
        );
        tell(true, words);
    }
    let errors = bot.errors();
    tell(bot.leave(), "it ends within a second after “bye”".to_owned());
    if !errors.is_empty() {
        say!("      standard error begins: {errors}");
    }
    Ok(if fine {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn time(time: Duration) -> String {
    match time.as_micros() {
        micros @ ..10_000 => format!("{micros} µs"),
        micros => format!("{} ms", micros / 1000),
    }
}
