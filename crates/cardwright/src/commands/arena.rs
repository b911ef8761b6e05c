//! `cardwright arena A B`: which of two players is better, in pairs of duels with the seats exchanged;
//! `cardwright arena --ladder`: how strong all of them are.

mod ladder;
mod report;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::error::ErrorKind;
use cw_bot::BotLimits;
use cw_lab::{Contestant, How, MachineSettings, MatchFile, cannot_write, make_folder, record};
use cw_load::Loaded;
use cw_program::ModelId;
use cw_sim::{DuelPlan, Exchange, NAMED, Oddity, Pair, StopRule};
use cw_stats::{Sprt, Verdict};
use cw_wire::Replay;

use self::report::ArenaReport;
use crate::game;
use crate::output;
use crate::progress::Terminal;

/// Measure which of two players is better
///
/// Each pair of duels has one seed, one matchup of decks and one first player; the two players play
/// it twice, with their seats exchanged. The same seed gives the same result on any machine and with
/// any number of threads. With --sprt, play stops as soon as the test has decided. With --ladder,
/// every player of a list meets every other one, and all are rated.
///
/// Exit codes: 0 done, or accepted by --sprt; 3 rejected; 4 undecided after all pairs.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Who plays: the player to measure and its opponent; with --ladder any number of players [default: all
    /// levels]. A player is random, plain, novice, easy, normal, hard, expert, computer (the usual one,
    /// easy), one of these with its own number of playouts (easy@500), or `cmd:PROGRAM` for a bot
    #[arg(value_name = "PLAYER", required_unless_present = "ladder")]
    players: Vec<Contestant>,
    /// Play every player against every other, and rate them all
    #[arg(long, conflicts_with_all = ["sprt", "losses"])]
    ladder: bool,
    /// Folder or .o8g of the game [default: the one you are in, or the demo game]
    #[arg(long, value_name = "PATH")]
    game: Option<PathBuf>,
    /// Play this deck: a name or an .o8d file; may be repeated [default: all decks of the game]
    #[arg(long = "deck", value_name = "DECK")]
    decks: Vec<String>,
    /// Number of pairs of duels; with --sprt, the maximum [default: 200, with --sprt 10000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    pairs: Option<u64>,
    /// Play until a test decides whether the score is A or B, as in 0.50:0.55, with a 5 % error rate
    #[arg(long, value_name = "A:B", value_parser = bounds)]
    sprt: Option<Sprt>,
    /// Seed for all randomness
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of playouts a player may use for one answer, unless its name gives one (easy@500)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    playouts: Option<u32>,
    /// How many duels to play at the same time [default: the number of processors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Time limit for a bot's answer, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = BotLimits::default().ms)]
    bot_ms: u64,
    /// Write the first 20 duels that the first player lost to this folder, for `cardwright replay`
    #[arg(long, value_name = "FOLDER")]
    losses: Option<PathBuf>,
    /// Write the first 20 duels of each kind of oddity in this run to this folder, for `cardwright replay`
    #[arg(long, value_name = "FOLDER", conflicts_with = "ladder")]
    oddities: Option<PathBuf>,
    /// Keep every played pair in this file, so that the same command continues after an interruption
    #[arg(long, value_name = "FILE", conflicts_with = "losses")]
    keep: Option<PathBuf>,
    /// Report answer times on this machine
    #[arg(long)]
    times: bool,
    /// Play even if rules have errors; cards with errors play without their rules
    #[arg(long)]
    allow_errors: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Of a test that rejected, and of one that could not say.
const REJECTED: u8 = 3;
const UNDECIDED: u8 = 4;
/// The most duels that are written down.
const MOST_LOSSES: usize = 20;

/// Reads `0.50:0.55`.
pub(crate) fn bounds(text: &str) -> Result<Sprt, String> {
    let number = |text: &str| {
        text.trim()
            .parse::<f64>()
            .ok()
            .filter(|score| *score > 0.0 && *score < 1.0)
    };
    let numbers = text
        .split_once(':')
        .map(|(worse, better)| (number(worse), number(better)));
    match numbers {
        Some((Some(worse), Some(better))) if worse < better => Ok(Sprt::new(worse, better)),
        _ => Err("two scores between 0 and 1, the lower first, as in 0.50:0.55".to_owned()),
    }
}

pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    let is_ladder = args.ladder;
    if !is_ladder && args.players.len() != 2 {
        let message =
            "two players are measured, as in `cardwright arena easy novice`; --ladder takes any number";
        super::play::usage(ErrorKind::WrongNumberOfValues, message);
    }
    let (loaded, game) = game::open(args.game.as_deref())?;
    if !args.allow_errors {
        game::refuse_rule_errors(&loaded)?;
    }
    game::say_unscripted(&loaded);
    let plan = DuelPlan {
        matchups: cw_lab::matchups(&decks(&loaded, &args.decks)?),
        game,
        seed: args.seed,
        budgets: [cw_players::SearchBudget::default(); 2],
        exchange: Exchange::Players,
        stop: match args.sprt {
            Some(sprt) => StopRule::Test {
                sprt,
                most: args.pairs.unwrap_or(10_000),
            },
            None => StopRule::After(args.pairs.unwrap_or(200)),
        },
    };
    plan.check()?;
    let mut kept = args.keep.as_deref().map(MatchFile::open).transpose()?;
    let terminal = Terminal::default();
    let mut how = How {
        here: MachineSettings {
            threads: args.threads,
            limits: BotLimits {
                ms: args.bot_ms,
                ..BotLimits::default()
            },
            watch: &terminal,
        },
        timed: args.times,
        kept: kept.as_mut(),
    };
    if is_ladder {
        return ladder::run(&args, &plan, &mut how);
    }
    measure(&args, plan, &mut how)
}

/// One player against another.
fn measure(args: &Args, plan: DuelPlan, how: &mut How<'_>) -> anyhow::Result<ExitCode> {
    let [one, two] = &args.players[..] else {
        bail!("two players are measured");
    };
    let plan = DuelPlan {
        budgets: [one, two].map(|player| player.budget(args.playouts)),
        ..plan
    };
    for folder in args.losses.iter().chain(&args.oddities) {
        make_folder(folder)?;
    }
    let mut losses = Vec::new();
    let wants_losses = args.losses.is_some();
    let (mut odd, mut unwritten) = ([0; Oddity::ALL.len()], Ok(()));
    let played = how.play(&plan, [one, two], |pair| {
        if wants_losses && losses.len() < MOST_LOSSES {
            losses.extend(lost(&plan, pair));
        }
        if let (Some(folder), Ok(())) = (&args.oddities, &unwritten) {
            unwritten = odd_ones(&plan, pair, &mut odd, folder);
        }
    })?;
    unwritten?;
    for (name, replay) in losses.iter().take(MOST_LOSSES) {
        let folder = args.losses.as_deref().unwrap_or(Path::new(""));
        let path = folder.join(name);
        cw_files::write(&path, replay.write().as_bytes()).with_context(|| cannot_write(&path))?;
    }
    let report = ArenaReport {
        plan: &plan,
        names: [one.to_string(), two.to_string()],
        played,
    };
    if args.json {
        output::line(&report.json().to_string());
    } else {
        report.print();
    }
    Ok(match (plan.stop, report.verdict()) {
        (StopRule::After(_) | StopRule::Ahead { .. } | StopRule::Width { .. } | StopRule::Each { .. }, _)
        | (StopRule::Test { .. }, Some(Verdict::Accepted)) => ExitCode::SUCCESS,
        (StopRule::Test { .. }, Some(Verdict::Rejected)) => ExitCode::from(REJECTED),
        (StopRule::Test { .. }, None) => ExitCode::from(UNDECIDED),
    })
}

/// Decks that are named, or all of the game's, with their cards.
pub(crate) fn decks(loaded: &Loaded, wanted: &[String]) -> anyhow::Result<Vec<(String, Vec<ModelId>)>> {
    let mut decks = Vec::new();
    let number = if wanted.is_empty() {
        loaded.decks.len()
    } else {
        wanted.len()
    };
    for at in 0..number {
        decks.push(game::deck(loaded, wanted.get(at).map(String::as_str), at, false)?);
    }
    if decks.is_empty() {
        bail!("the game has no decks; give --deck as .o8d files");
    }
    for (at, (name, _)) in decks.iter().enumerate() {
        // Results go by names.
        if decks[..at].iter().any(|(other, _)| other == name) {
            bail!("two of the decks are called “{name}”; name each only once, or rename one of the files");
        }
    }
    Ok(decks)
}

/// Writes the duels of a pair that have an oddity, as long as there are few of its kind.
fn odd_ones(
    plan: &DuelPlan,
    pair: &Pair,
    odd: &mut [usize; Oddity::ALL.len()],
    folder: &Path,
) -> anyhow::Result<()> {
    for (number, oddity) in odd.iter_mut().zip(Oddity::ALL) {
        for (half, duel) in pair.duels.iter().enumerate() {
            if *number < NAMED && oddity.is_in(duel) {
                *number += 1;
                cw_lab::write_oddity(plan, pair, half, oddity, folder)?;
            }
        }
    }
    Ok(())
}

/// The duels of a pair that the first player lost, as records with their files' names.
fn lost(plan: &DuelPlan, pair: &Pair) -> Vec<(String, Replay)> {
    let lost = pair.duels.iter().enumerate();
    let lost = lost.filter(|(_, played)| played.halves(played.measured) == 0);
    lost.map(|(half, played)| {
        let name = format!("pair-{}-seat-{}.json", pair.number, played.measured.number());
        (name, record(plan, pair, half))
    })
    .collect()
}
