//! `cardwright sim`: many duels between any players and decks, here or in shares on many machines.

mod report;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use cw_bot::BotLimits;
use cw_lab::{Contestant, ProgressWatch, make_folder};
use cw_sim::{DuelPlan, Exchange, Shard, StopRule, Written};
use cw_stats::Sprt;

use super::arena;
use crate::output::{self, say};
use crate::progress::Terminal;
use crate::{game, package};

/// Play many duels between any players and decks, and sum up the results
///
/// With two players, measure the first against the second: the duels of a pair have the same cards, with the
/// players' seats exchanged. With one player, measure decks: that player plays both sides of all pairs of
/// decks, and in the second duel of a pair the other deck goes first. The same seed gives the same result, to
/// the byte, on any number of threads or machines: `sim plan` writes a plan, `sim run` plays a share of it,
/// and `sim merge` joins the shares.
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    step: Option<SimStep>,
    #[command(flatten)]
    what: PlanOptions,
    #[command(flatten)]
    here: MachineArgs,
    #[command(flatten)]
    result: Outputs,
}

#[derive(Debug, clap::Subcommand)]
enum SimStep {
    /// Write a plan of what to play, for many machines
    Plan(PlanArgs),
    /// Play a share of a plan, or continue a share that was interrupted
    Run(RunArgs),
    /// Join the shares of a plan, in any order
    Merge(MergeArgs),
}

/// What is to be played.
#[derive(Debug, clap::Args)]
pub(crate) struct PlanOptions {
    /// Who plays: two players separated by a comma, or one who plays both sides.
    /// A player is random, plain, novice, easy, normal, hard, expert, one of these with its own number of
    /// playouts (easy@500), or `cmd:PROGRAM` for a bot
    #[arg(long, value_name = "A,B|A", required = true, value_delimiter = ',')]
    players: Vec<Contestant>,
    /// Folder or .o8g of the game [default: the one you are in, or the demo game]
    #[arg(long, value_name = "PATH")]
    game: Option<PathBuf>,
    /// Play this deck: a name or an .o8d file; may be repeated [default: all decks of the game]
    #[arg(long = "deck", value_name = "DECK")]
    decks: Vec<String>,
    /// Play each --deck only against these decks: names, .o8d files, or `all` decks of the game
    #[arg(long, value_name = "DECK|all", requires = "decks")]
    against: Vec<String>,
    /// Maximum number of pairs of duels; the matchups of decks take turns [default: 1000; with --width and
    /// several matchups, 2000 of each]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    pairs: Option<u64>,
    /// Seed for all randomness
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Stop as soon as it is known which side is ahead
    #[arg(long, conflicts_with_all = ["width", "sprt"])]
    ahead: bool,
    /// Stop when the score is known to within this many per cent; with one player, stop each matchup of decks
    /// separately
    #[arg(long, value_name = "PERCENT", conflicts_with = "sprt", value_parser = percent)]
    width: Option<f64>,
    /// Stop when a test has decided whether the score is A or B, as in 0.50:0.55, with a 5 % error rate
    #[arg(long, value_name = "A:B", value_parser = arena::bounds)]
    sprt: Option<Sprt>,
    /// Number of playouts a player may use for one answer, unless its name gives one (easy@500)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    playouts: Option<u32>,
    /// Play even if rules have errors; cards with errors play without their rules
    #[arg(long)]
    allow_errors: bool,
}

/// How it is played on this machine; nothing of it changes the result.
#[derive(Debug, clap::Args)]
pub(crate) struct MachineArgs {
    /// How many duels to play at the same time [default: the number of processors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Time limit for a bot's answer, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = BotLimits::default().ms)]
    pub bot_ms: u64,
}

impl MachineArgs {
    pub(crate) fn with<'a>(&self, watch: &'a dyn ProgressWatch) -> cw_lab::MachineSettings<'a> {
        cw_lab::MachineSettings {
            threads: self.threads,
            limits: BotLimits {
                ms: self.bot_ms,
                ..BotLimits::default()
            },
            watch,
        }
    }
}

/// What is made of the result.
#[derive(Debug, clap::Args)]
struct Outputs {
    /// Write summary.json and tables with a row for every duel and every card to this folder
    #[arg(long, short, value_name = "FOLDER")]
    output: Option<PathBuf>,
    /// Also write a row for every choice in this many per cent of the pairs
    #[arg(long, value_name = "PERCENT", requires = "output", value_parser = share_of_pairs)]
    choices: Option<f64>,
    /// Write the first 20 duels of each kind of oddity to this folder, for `cardwright replay`
    #[arg(long, value_name = "FOLDER")]
    oddities: Option<PathBuf>,
    /// Overwrite existing files
    #[arg(long)]
    force: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Print one table with a row for each matchup of decks
    #[arg(long, conflicts_with = "json")]
    csv: bool,
}

#[derive(Debug, clap::Args)]
struct PlanArgs {
    #[command(flatten)]
    what: PlanOptions,
    /// File to write [default: print it]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Overwrite an existing file
    #[arg(long)]
    force: bool,
}

#[derive(Debug, clap::Args)]
struct RunArgs {
    /// The plan
    plan: PathBuf,
    /// Which share of it, counted from 0: 3/40 is the fourth of 40 [default: everything]
    #[arg(long, value_name = "NUMBER/OF", default_value_t = Shard::ALL)]
    shard: Shard,
    /// Folder or .o8g of the game [default: the one you are in, or the demo game]
    #[arg(long, value_name = "PATH")]
    game: Option<PathBuf>,
    /// Folder for parts; each share writes a file there
    #[arg(long, short, value_name = "FOLDER", default_value = "parts")]
    output: PathBuf,
    #[command(flatten)]
    here: MachineArgs,
}

#[derive(Debug, clap::Args)]
struct MergeArgs {
    /// The plan
    plan: PathBuf,
    /// Folders and files of parts, in any order
    #[arg(required = true)]
    parts: Vec<PathBuf>,
    /// Folder or .o8g of the game [default: the one you are in, or the demo game]
    #[arg(long, value_name = "PATH")]
    game: Option<PathBuf>,
    /// Sum up the pairs that are there even if some are missing; the exit code is then 4
    #[arg(long)]
    partial: bool,
    #[command(flatten)]
    here: MachineArgs,
    #[command(flatten)]
    result: Outputs,
}

/// Of a sum in which pairs are missing.
const MISSING: u8 = 4;

/// Reads a number of per cent.
fn percent(text: &str) -> Result<f64, String> {
    let number = text.trim().trim_end_matches('%').trim().parse::<f64>().ok();
    let number = number.filter(|number| *number > 0.0 && *number < 50.0);
    number.ok_or_else(|| "a percentage above 0 and below 50, such as 2".to_owned())
}

/// Reads how many per cent of the pairs.
fn share_of_pairs(text: &str) -> Result<f64, String> {
    let number = text.trim().trim_end_matches('%').trim().parse::<f64>().ok();
    let number = number.filter(|number| *number > 0.0 && *number <= 100.0);
    number.ok_or_else(|| "a percentage above 0, at most 100".to_owned())
}

pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    match args.step {
        Some(SimStep::Plan(args)) => plan(&args),
        Some(SimStep::Run(args)) => share(&args),
        Some(SimStep::Merge(args)) => merge(&args),
        None => simulate(&args),
    }
}

impl PlanOptions {
    /// The plan, and both players by name.
    fn plan(&self) -> anyhow::Result<(DuelPlan, Written)> {
        let (one, two, exchange) = match &self.players[..] {
            [one] => (one, one, Exchange::Turns),
            [one, two] => (one, two, Exchange::Players),
            _ => super::play::usage(
                clap::error::ErrorKind::WrongNumberOfValues,
                "name one player or two, as in `--players easy` or `--players easy,novice`",
            ),
        };
        let (loaded, game) = game::open(self.game.as_deref())?;
        if !self.allow_errors {
            game::refuse_rule_errors(&loaded)?;
        }
        let decks = arena::decks(&loaded, &self.decks)?;
        let mirrors = exchange == Exchange::Players;
        let matchups = match (&self.against[..], exchange) {
            ([], Exchange::Players) => cw_lab::matchups(&decks),
            ([], Exchange::Turns) => cw_lab::different(&decks),
            ([all], _) if all == "all" => cw_lab::against(&decks, &arena::decks(&loaded, &[])?, mirrors),
            (named, _) => cw_lab::against(&decks, &arena::decks(&loaded, named)?, mirrors),
        };
        if matchups.is_empty() {
            bail!("--against names no deck that --deck does not");
        }
        let most = self.pairs.unwrap_or(StopRule::PAIRS);
        if exchange == Exchange::Turns && matchups.len() > 1 && (self.ahead || self.sprt.is_some()) {
            bail!(
                "--ahead and --sprt ask one question, and there are {} matchups of decks; \
                 name two decks, or two players",
                matchups.len()
            );
        }
        let stop = match (self.ahead, self.width, self.sprt) {
            (true, ..) => StopRule::Ahead { most },
            (_, Some(percent), _) => StopRule::known(percent / 100.0, exchange, matchups.len(), self.pairs),
            (_, _, Some(sprt)) => StopRule::Test { sprt, most },
            _ => StopRule::After(most),
        };
        let plan = DuelPlan {
            game,
            matchups,
            seed: self.seed,
            budgets: [one, two].map(|player| player.budget(self.playouts)),
            exchange,
            stop,
        };
        plan.check()?;
        let written = Written::of(&plan, [one.named(), two.named()]);
        Ok((plan, written))
    }
}

/// The players of a written plan.
fn contestants(written: &Written) -> anyhow::Result<[Contestant; 2]> {
    let read = |name: &String| {
        let read = name.parse::<Contestant>();
        read.map_err(|why| anyhow::anyhow!("the plan's player “{name}” is unknown: {why}"))
    };
    let [one, two] = &written.players;
    Ok([read(one)?, read(two)?])
}

fn simulate(args: &Args) -> anyhow::Result<ExitCode> {
    args.result.refuse_old()?;
    let (plan, written) = args.what.plan()?;
    let players = contestants(&written)?;
    let mut out = args.result.open(&plan, &written, None)?;
    let terminal = Terminal::default();
    let here = args.here.with(&terminal);
    let oddities = args.result.oddities.as_deref();
    let detail = cw_lab::detail(&plan, args.result.output.is_some());
    let played = cw_lab::play(&plan, players.each_ref(), &here, detail, oddities, |pair| {
        out.pair(pair)
    })?;
    args.result.finish(out, &plan, &written, &played)?;
    Ok(ExitCode::SUCCESS)
}

impl Outputs {
    /// Refuses to write over an earlier result, before the work.
    fn refuse_old(&self) -> anyhow::Result<()> {
        let Some(folder) = &self.output else {
            return Ok(());
        };
        let choices = self.choices.map(|_| cw_lab::CHOICES);
        let files = [cw_lab::SUMMARY, cw_lab::DUELS, cw_lab::CARDS]
            .into_iter()
            .chain(choices);
        files
            .into_iter()
            .try_for_each(|file| package::refuse_old(&folder.join(file), self.force))
    }

    /// Opens the files. `again` plays pairs of which only the numbers are there.
    fn open<'a>(
        &self,
        plan: &'a DuelPlan,
        written: &Written,
        again: Option<cw_lab::Again<'a>>,
    ) -> anyhow::Result<cw_lab::Rows<'a>> {
        if let Some(folder) = &self.oddities {
            make_folder(folder)?;
        }
        let rows = cw_lab::Rows::open(self.output.as_deref(), plan, written)?;
        match self.choices {
            Some(percent) => rows.with_choices(percent / 100.0, plan, written, again),
            None => Ok(rows),
        }
    }

    fn finish(
        &self,
        rows: cw_lab::Rows<'_>,
        plan: &DuelPlan,
        written: &Written,
        total: &cw_sim::Total,
    ) -> anyhow::Result<()> {
        rows.finish()?;
        let summary = cw_lab::summary(plan, written, total);
        if let Some(folder) = &self.output {
            cw_lab::write_summary(folder, &summary)?;
        }
        if self.json {
            output::line(&summary.to_string());
        } else if self.csv {
            report::csv(plan, total);
        } else {
            report::print(plan, written, total);
            if let Some(folder) = &self.output {
                let tables = match self.choices {
                    Some(_) => "duels.parquet, cards.parquet and choices.parquet",
                    None => "duels.parquet and cards.parquet",
                };
                say!("  summary.json, {tables} are in {}", folder.display());
            }
        }
        Ok(())
    }
}

fn plan(args: &PlanArgs) -> anyhow::Result<ExitCode> {
    if let Some(path) = &args.output {
        package::refuse_old(path, args.force)?;
    }
    let (plan, written) = args.what.plan()?;
    let Some(path) = &args.output else {
        output::raw(&written.write());
        return Ok(ExitCode::SUCCESS);
    };
    package::write_new(path, written.write().as_bytes(), args.force)?;
    say!(
        "plan {} in {}: {} pairs at most, {} of decks, {} blocks; play it with `cardwright sim run {}`",
        written.id(),
        path.display(),
        plan.stop.most(),
        report::matchups(plan.matchups.len()),
        written.blocks(),
        path.display()
    );
    Ok(ExitCode::SUCCESS)
}

/// Reads a written plan, for the game that is meant.
fn read(path: &Path, game: Option<&Path>) -> anyhow::Result<(DuelPlan, Written)> {
    let shown = path.display();
    let text = cw_files::read_text(path, cw_files::PLAN)
        .with_context(|| format!("cannot read the plan “{shown}”"))?;
    let written = Written::read(&text).with_context(|| format!("cannot use “{shown}”"))?;
    let (_, game) = game::open(game)?;
    let plan = written
        .plan(&game)
        .with_context(|| format!("cannot use “{shown}”"))?;
    Ok((plan, written))
}

fn share(args: &RunArgs) -> anyhow::Result<ExitCode> {
    let (plan, written) = read(&args.plan, args.game.as_deref())?;
    let players = contestants(&written)?;
    make_folder(&args.output)?;
    let path = args.output.join(cw_lab::part(args.shard));
    let terminal = Terminal::default();
    let here = args.here.with(&terminal);
    let came = cw_lab::run(&plan, &written, players.each_ref(), args.shard, &here, &path)?;
    say!(
        "share {} of plan {}: {} pairs in {}{}",
        args.shard,
        written.id(),
        came.pairs,
        path.display(),
        match came.old {
            0 => String::new(),
            old => format!(", {old} of them were there"),
        }
    );
    Ok(ExitCode::SUCCESS)
}

fn merge(args: &MergeArgs) -> anyhow::Result<ExitCode> {
    args.result.refuse_old()?;
    let (plan, written) = read(&args.plan, args.game.as_deref())?;
    let players = contestants(&written)?;
    let terminal = Terminal::default();
    let here = args.here.with(&terminal);
    // Parts have no choices: pairs that are looked into are played again.
    let again = match args.result.choices {
        Some(_) => Some(cw_lab::Again::of(&plan, players.each_ref(), &here)?),
        None => None,
    };
    let mut out = args.result.open(&plan, &written, again)?;
    let merged = cw_lab::merge(&plan, &written, &args.parts, &terminal, |pair| out.pair(pair))?;
    if let Some(folder) = args
        .result
        .oddities
        .as_ref()
        .filter(|_| merged.missing.is_none() || args.partial)
    {
        cw_lab::write_oddities(&plan, players.each_ref(), &here, &merged.total, folder)?;
    }
    let Some(missing) = merged.missing else {
        args.result.finish(out, &plan, &written, &merged.total)?;
        return Ok(ExitCode::SUCCESS);
    };
    if !args.partial {
        bail!("{missing}");
    }
    args.result.finish(out, &plan, &written, &merged.total)?;
    output::note(&missing);
    Ok(ExitCode::from(MISSING))
}
