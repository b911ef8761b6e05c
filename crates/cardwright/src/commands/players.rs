//! `cardwright players`: the computer's levels, and what positions are worth to them.

use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, bail};
use cw_bot::BotLimits;
use cw_lab::{Contestant, ContestantKind, Crew, MachineSettings, Nobody, cannot_write, make_folder};
use cw_players::{Fitted, Level, Positions, fit};
use cw_sim::{DuelPlan, Exchange, StopRule};
use serde_json::json;

use super::arena;
use crate::game;
use crate::output::{self, say};
use crate::progress::WorkProgress;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Option<PlayersSubcommand>,
}

#[derive(Debug, clap::Subcommand)]
enum PlayersSubcommand {
    /// Learn from duels how searching levels value positions and cards of a game
    ///
    /// Play duels of a level against itself, find the weights that predict best which positions were won, and
    /// write them into Players/values.toml of the game's folder. Every command uses them from there. The
    /// result depends only on the game and the options: the same command writes the same file.
    Fit(FitArgs),
}

#[derive(Debug, clap::Args)]
struct FitArgs {
    /// Folder or .o8g of the game [default: the one you are in, or the demo game]
    #[arg(long, value_name = "PATH")]
    game: Option<PathBuf>,
    /// Play this deck: a name or an .o8d file; may be repeated [default: all decks of the game]
    #[arg(long = "deck", value_name = "DECK")]
    decks: Vec<String>,
    /// How many duels to play
    #[arg(
        long,
        value_name = "N",
        default_value_t = 12_000,
        value_parser = clap::value_parser!(u64).range(10..=1_000_000)
    )]
    duels: u64,
    /// The level that plays them, such as easy or normal@60
    #[arg(long, value_name = "LEVEL", default_value = "easy")]
    player: Contestant,
    /// Seed for all randomness
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many duels to play at the same time [default: the number of processors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// File to write [default: Players/values.toml in the game's folder]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Play even if rules have errors; cards with errors play without their rules
    #[arg(long)]
    allow_errors: bool,
    /// Print one JSON object that says how well the weights predict the winner
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    match args.command {
        Some(PlayersSubcommand::Fit(args)) => fitted(&args),
        None => {
            for level in Level::ALL {
                let usual = if level == Level::BEST {
                    " (the usual one)"
                } else {
                    ""
                };
                say!("{:<8} {}{usual}", level.name(), level.manner());
            }
            Ok(ExitCode::SUCCESS)
        }
    }
}

fn fitted(args: &FitArgs) -> anyhow::Result<ExitCode> {
    let ContestantKind::Level(level) = args.player.kind else {
        bail!("weights are fitted to duels of a level; a bot's cannot be repeated");
    };
    let file = file(args)?;
    let (loaded, game) = game::open(args.game.as_deref())?;
    if !args.allow_errors {
        game::refuse_rule_errors(&loaded)?;
    }
    let plan = DuelPlan {
        matchups: cw_lab::matchups(&arena::decks(&loaded, &args.decks)?),
        game: Arc::clone(&game),
        seed: args.seed,
        budgets: [args.player.budget(None); 2],
        exchange: Exchange::Players,
        stop: StopRule::After(args.duels),
    };
    plan.check()?;
    let crew = Crew {
        contestants: [&args.player, &args.player],
        game: &game,
        here: MachineSettings {
            threads: args.threads,
            limits: BotLimits::default(),
            watch: &Nobody,
        },
        timed: false,
    };
    let progress = WorkProgress::of(args.duels, "duels played");
    let mut duels: Vec<Positions> = Vec::new();
    crew.work(
        args.duels,
        |number, _, _| plan.positions(number, level),
        |_, positions| {
            duels.push(positions);
            progress.add(1);
            Ok(ControlFlow::Continue(()))
        },
    )?;
    drop(progress);
    let found = fit(&game, &duels);
    if let Some(folder) = file.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        make_folder(folder)?;
    }
    let text = written(args, loaded.project.name(), &game.fingerprint, &found);
    cw_files::write(&file, text.as_bytes()).with_context(|| cannot_write(&file))?;
    tell(args, &file, &found);
    Ok(ExitCode::SUCCESS)
}

/// Where the weights go.
fn file(args: &FitArgs) -> anyhow::Result<PathBuf> {
    if let Some(file) = &args.output {
        return Ok(file.clone());
    }
    match game::folder(args.game.as_deref())? {
        Some(folder) => Ok(folder.join(cw_lab::VALUES)),
        None => bail!(
            "use --output to say where the weights go: \
             the game is not a folder, so they cannot be written into it"
        ),
    }
}

fn written(args: &FitArgs, name: &str, digest: &str, found: &Fitted) -> String {
    let mut text = String::from(
        "# What positions are worth to players that search: \
         thousandths of log odds for each thousand of what\n\
         # is counted, for the side whose turn it is and for the other one, \
         and for single cards in the ring\n\
         # and in the hand. Made by `cardwright players fit`; \
         cards that are not here are worth what the other\n\
         # numbers say.\n\n[from]\n",
    );
    let [all, held] = found.positions;
    let _ = writeln!(text, "game = {name:?}");
    let _ = writeln!(text, "digest = {digest:?}");
    if !args.decks.is_empty() {
        let _ = writeln!(text, "decks = {:?}", args.decks);
    }
    let _ = writeln!(text, "player = {:?}", args.player.to_string());
    let _ = writeln!(text, "duels = {}", args.duels);
    let _ = writeln!(text, "seed = {}", args.seed);
    let _ = writeln!(text, "positions = {all}");
    let _ = writeln!(text, "held-out = {held}");
    let _ = writeln!(text, "log-loss = {:.4}", found.loss);
    let _ = writeln!(text, "log-loss-without-cards = {:.4}", found.loss_of_shared);
    text + &found.tables
}

fn tell(args: &FitArgs, file: &Path, found: &Fitted) {
    let [all, held] = found.positions;
    if args.json {
        let tenths: Vec<_> = found
            .calibration
            .iter()
            .map(|(number, won)| json!({ "positions": number, "won": won }))
            .collect();
        let value = json!({
            "file": file.display().to_string(),
            "duels": args.duels,
            "positions": all,
            "held_out": held,
            "log_loss": found.loss,
            "log_loss_without_cards": found.loss_of_shared,
            "calibration": tenths,
        });
        output::line(&value.to_string());
        return;
    }
    say!(
        "{all} positions of {} duels; {held} of them held out to measure the weights",
        args.duels
    );
    say!(
        "log-loss {:.4}, without weights of single cards {:.4}, by tossing a coin {:.4}",
        found.loss,
        found.loss_of_shared,
        std::f64::consts::LN_2
    );
    say!("where the chance of winning is said to be   it was won");
    for (tenth, (number, won)) in found.calibration.iter().enumerate() {
        if *number > 0 {
            say!(
                "  {:>3}–{:>3} %   {number:>8} positions       {:>5.1} %",
                tenth * 10,
                tenth * 10 + 10,
                won * 100.0
            );
        }
    }
    say!("written to “{}”", file.display());
}
