//! `cardwright arena A B`: which of two players is better, in pairs of duels with the seats exchanged.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use cw_bot::Limits;
use cw_duel::{PerSeat, Seat, Silent};
use cw_load::Loaded;
use cw_players::Budget;
use cw_sim::{Matchup, Pair, Plan, Results, Stop};
use cw_stats::{Interval, Sprt, Verdict, elo};
use cw_wire::{Recorder, Replay};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};

use crate::contestant::Contestant;
use crate::game;
use crate::output::{self, say};

/// Measure which of two players is better
///
/// Each pair of duels has one seed, one matchup of decks and one first player; the two players play
/// it twice, with their seats exchanged. The same seed gives the same result on any machine and with
/// any number of threads. With --sprt it plays no more pairs than the question needs.
///
/// Exit codes: 0 done, or accepted by --sprt; 3 rejected; 4 undecided after all pairs.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The player that is measured: random, plain, novice, easy, computer (the best of them), or “cmd:PROGRAM” for a bot
    one: Contestant,
    /// The player it is measured against
    two: Contestant,
    /// Folder of the game; the demo game if left out
    #[arg(long, value_name = "PATH")]
    game: Option<PathBuf>,
    /// A deck that is played, by name or as an .o8d file; may be given several times; all of the game's if left out
    #[arg(long = "deck", value_name = "DECK")]
    decks: Vec<String>,
    /// How many pairs of duels; with --sprt the most [default: 200, with --sprt 10000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    pairs: Option<u64>,
    /// Plays until it is known whether the score is A or B, as in 0.50:0.55, wrong in one of twenty
    #[arg(long, value_name = "A:B", value_parser = bounds)]
    sprt: Option<Sprt>,
    /// The seed of everything
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many options a player may try out for one answer
    #[arg(long, value_name = "N")]
    playouts: Option<u32>,
    /// How many duels at the same time; as many as there are processors if left out
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Milliseconds that a bot has for an answer
    #[arg(long, value_name = "MS", default_value_t = Limits::default().ms)]
    bot_ms: u64,
    /// Writes the first 20 duels that the first player lost into this folder, for `cardwright replay`
    #[arg(long, value_name = "FOLDER")]
    losses: Option<PathBuf>,
    /// Plays although rules have errors; those cards are played without their rules
    #[arg(long)]
    allow_errors: bool,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

/// Of a test that rejected, and of one that could not say.
const REJECTED: u8 = 3;
const UNDECIDED: u8 = 4;
/// How sure intervals are.
const CONFIDENCE: f64 = 0.95;
/// Where the interval that may be looked at any time is narrowest.
const PLANNED: u64 = 500;
/// The most duels that are written down.
const MOST_LOSSES: usize = 20;

/// Reads `0.50:0.55`.
fn bounds(text: &str) -> Result<Sprt, String> {
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
    let (loaded, game) = game::open(args.game.as_deref())?;
    if !args.allow_errors {
        game::refuse_rule_errors(&loaded)?;
    }
    let budget = args
        .playouts
        .map_or_else(Budget::default, |playouts| Budget { playouts });
    let plan = Plan {
        matchups: matchups(&loaded, &args.decks)?,
        game,
        seed: args.seed,
        budgets: [budget; 2],
        stop: match args.sprt {
            Some(sprt) => Stop::Test {
                sprt,
                most: args.pairs.unwrap_or(10_000),
            },
            None => Stop::After(args.pairs.unwrap_or(200)),
        },
    };
    plan.check()?;
    if let Some(folder) = &args.losses {
        fs::create_dir_all(folder).with_context(|| cannot_write(folder))?;
    }
    let mut losses = Vec::new();
    let wants_losses = args.losses.is_some();
    let limits = Limits {
        ms: args.bot_ms,
        ..Limits::default()
    };
    let players = [(&args.one, limits), (&args.two, limits)];
    let played = play(&plan, players, args.threads, |pair| {
        if wants_losses && losses.len() < MOST_LOSSES {
            losses.extend(lost(&plan, pair));
        }
    })?;
    for (name, replay) in losses.iter().take(MOST_LOSSES) {
        let folder = args.losses.as_deref().unwrap_or(Path::new(""));
        let path = folder.join(name);
        fs::write(&path, replay.write()).with_context(|| cannot_write(&path))?;
    }
    let report = Report {
        plan: &plan,
        names: [args.one.name(), args.two.name()],
        played,
    };
    if args.json {
        output::line(&report.json().to_string());
    } else {
        report.print();
    }
    Ok(match (plan.stop, report.verdict()) {
        (Stop::After(_), _) | (Stop::Test { .. }, Some(Verdict::Accepted)) => ExitCode::SUCCESS,
        (Stop::Test { .. }, Some(Verdict::Rejected)) => ExitCode::from(REJECTED),
        (Stop::Test { .. }, None) => ExitCode::from(UNDECIDED),
    })
}

fn cannot_write(path: &Path) -> String {
    format!("cannot write to “{}”", path.display())
}

/// Every deck against every deck, itself included.
pub(crate) fn matchups(loaded: &Loaded, wanted: &[String]) -> anyhow::Result<Vec<Matchup>> {
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
    let mut matchups = Vec::new();
    for (at, one) in decks.iter().enumerate() {
        for two in &decks[at..] {
            matchups.push(Matchup {
                names: PerSeat([one.0.clone(), two.0.clone()]),
                decks: PerSeat([one.1.clone(), two.1.clone()]),
            });
        }
    }
    Ok(matchups)
}

/// What the pairs came to, and how the bots among the players behaved.
struct Finished {
    results: Results,
    faults: [u64; 2],
}

/// Plays the plan on several threads. Each has players of its own and takes the next pair; results
/// are added up here in the order of the pairs' numbers, so nothing depends on who was faster.
fn play(
    plan: &Plan,
    contestants: [(&Contestant, Limits); 2],
    threads: Option<u16>,
    mut on_pair: impl FnMut(&Pair),
) -> anyhow::Result<Finished> {
    let available = || std::thread::available_parallelism().map_or(1, usize::from);
    let threads = threads.map_or_else(available, usize::from);
    let next = AtomicU64::new(0);
    let enough = AtomicBool::new(false);
    let faults = [AtomicU64::new(0), AtomicU64::new(0)];
    let mut results = Results::default();
    let bar = Bar::new(plan.stop.most());
    std::thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        for _ in 0..threads {
            let sender = sender.clone();
            let (next, enough, faults) = (&next, &enough, &faults);
            scope.spawn(move || {
                let seated = |at: usize| {
                    let (contestant, limits) = contestants[at];
                    contestant.seat(&plan.game, limits)
                };
                let (mut one, mut two) = match (seated(0), seated(1)) {
                    (Ok(one), Ok(two)) => (one, two),
                    (Err(error), _) | (_, Err(error)) => {
                        let _ = sender.send(Err(error));
                        return;
                    }
                };
                while !enough.load(Ordering::Relaxed) {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= plan.stop.most() {
                        break;
                    }
                    let pair = plan.play(number, one.player(), two.player());
                    if sender.send(Ok(pair)).is_err() {
                        break;
                    }
                }
                for (seated, faults) in [one, two].into_iter().zip(faults) {
                    faults.fetch_add(seated.leave(), Ordering::Relaxed);
                }
            });
        }
        drop(sender);
        let mut waiting: BTreeMap<u64, Pair> = BTreeMap::new();
        let mut collect = || -> anyhow::Result<()> {
            for pair in &receiver {
                let pair = pair?;
                waiting.insert(pair.number, pair);
                while let Some(pair) = waiting.remove(&results.pairs.number()) {
                    results.add(&pair);
                    on_pair(&pair);
                    bar.show(&results);
                    if plan.stop.is_reached(&results) {
                        return Ok(());
                    }
                }
            }
            Ok(())
        };
        let collected = collect();
        enough.store(true, Ordering::Relaxed);
        collected
    })?;
    bar.clear();
    Ok(Finished {
        results,
        faults: faults.map(AtomicU64::into_inner),
    })
}

/// How far it is, on standard error where that is a terminal.
struct Bar {
    bar: ProgressBar,
    began: Instant,
}

impl Bar {
    fn new(most: u64) -> Bar {
        let style =
            ProgressStyle::with_template("{wide_bar} {pos}/{len} pairs, {per_sec}, {eta} left; {msg}");
        let bar = ProgressBar::new(most);
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Bar {
            bar,
            began: Instant::now(),
        }
    }

    fn show(&self, results: &Results) {
        // Only what takes longer than a moment shows a bar.
        if self.began.elapsed() < Duration::from_millis(300) {
            return;
        }
        let Interval { low, high } = results.pairs.sequence(PLANNED, CONFIDENCE);
        let score = results.pairs.score();
        self.bar
            .set_message(format!("score {score:.3} [{low:.3}, {high:.3}]"));
        self.bar.set_position(results.pairs.number());
    }

    fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

/// The duels of a pair that the first player lost, as records with their files' names.
fn lost(plan: &Plan, pair: &Pair) -> Vec<(String, Replay)> {
    let mut lost = Vec::new();
    for (seat, played) in Seat::BOTH.into_iter().zip(&pair.duels) {
        if played.halves(seat) > 0 {
            continue;
        }
        let decks = &plan.matchup(pair.number).decks;
        let mut recorder = Recorder::new(&plan.game, decks, pair.seed, Some(pair.first));
        let mut duel = plan.duel(pair.number);
        for choice in &played.choices {
            let taken = recorder.answer(&mut duel, *choice, &mut Silent);
            taken.expect("it was taken in the same duel");
        }
        if let Some(quitter) = played.gave_up() {
            recorder.forfeit(&mut duel, quitter, &mut Silent);
        }
        let name = format!("pair-{}-seat-{}.json", pair.number, seat.index() + 1);
        lost.push((name, recorder.replay().clone()));
    }
    lost
}

/// What is told in the end.
struct Report<'a> {
    plan: &'a Plan,
    names: [String; 2],
    played: Finished,
}

impl Report<'_> {
    fn verdict(&self) -> Option<Verdict> {
        self.plan.stop.verdict(&self.played.results)
    }

    /// Fixed beforehand, or chosen by what was seen: each has its own interval.
    fn interval(&self) -> Interval {
        match self.plan.stop {
            Stop::After(_) => self.played.results.pairs.interval(CONFIDENCE),
            Stop::Test { .. } => self.played.results.pairs.sequence(PLANNED, CONFIDENCE),
        }
    }

    fn print(&self) {
        let Results {
            pairs,
            duels: [won, drawn, lost],
            first_won,
            turns,
            decisions,
            most_decisions,
            guarded,
            gave_up,
        } = &self.played.results;
        let Interval { low, high } = self.interval();
        let number = self.played.results.number_of_duels();
        let share = |part: u64| part as f64 / number.max(1) as f64;
        let [one, two] = &self.names;
        say!(
            "{one} against {two}: {}, {} pairs of duels, {} matchups of decks, seed {}",
            self.plan.game.name,
            pairs.number(),
            self.plan.matchups.len(),
            self.plan.seed
        );
        say!("  score {:.3} [{low:.3}, {high:.3}]", pairs.score());
        say!(
            "  Elo {} [{}, {}], normalized {}",
            points(pairs.elo()),
            points(elo(low)),
            points(elo(high)),
            points(pairs.normalized_elo())
        );
        let [zero, one_quarter, half, three_quarters, all] = pairs.counts;
        say!("  pairs by score: 0 {zero}, ¼ {one_quarter}, ½ {half}, ¾ {three_quarters}, 1 {all}");
        say!(
            "  duels: {won} won, {drawn} drawn, {lost} lost; who goes first wins {:.1} %",
            share(*first_won) * 100.0
        );
        say!(
            "  {:.1} turns and {:.0} choices a duel, at most {most_decisions}; loop guard in {guarded}",
            share(*turns),
            share(*decisions)
        );
        for (at, name) in self.names.iter().enumerate() {
            if self.played.faults[at] + gave_up[at] > 0 {
                say!(
                    "  {name}: {} faults, {} duels forfeited",
                    self.played.faults[at],
                    gave_up[at]
                );
            }
        }
        if let Stop::Test { sprt, .. } = self.plan.stop {
            let words = match self.verdict() {
                Some(Verdict::Accepted) => "accepted",
                Some(Verdict::Rejected) => "rejected",
                None => "undecided",
            };
            let llr = sprt.llr(pairs);
            say!(
                "  SPRT {}:{}: {words}, log-likelihood ratio {llr:+.2}",
                sprt.worse,
                sprt.better
            );
        }
    }

    fn json(&self) -> Value {
        let results = &self.played.results;
        let pairs = &results.pairs;
        let Interval { low, high } = self.interval();
        let matchups = self.plan.matchups.iter().map(|matchup| &matchup.names.0);
        let sprt = match self.plan.stop {
            Stop::After(_) => Value::Null,
            Stop::Test { sprt, .. } => json!({
                "worse": sprt.worse,
                "better": sprt.better,
                "llr": rounded(sprt.llr(pairs)),
                "verdict": match self.verdict() {
                    Some(Verdict::Accepted) => "accepted",
                    Some(Verdict::Rejected) => "rejected",
                    None => "undecided",
                },
            }),
        };
        json!({
            "players": self.names,
            "game": { "name": self.plan.game.name, "fingerprint": self.plan.game.fingerprint },
            "matchups": matchups.collect::<Vec<_>>(),
            "seed": self.plan.seed,
            "pairs": pairs.number(),
            "counts": pairs.counts,
            "score": rounded(pairs.score()),
            "low": rounded(low),
            "high": rounded(high),
            "confidence": CONFIDENCE,
            "elo": rounded(pairs.elo()),
            "elo_low": rounded(elo(low)),
            "elo_high": rounded(elo(high)),
            "normalized_elo": rounded(pairs.normalized_elo()),
            "sprt": sprt,
            "won": results.duels[0],
            "drawn": results.duels[1],
            "lost": results.duels[2],
            "first_won": results.first_won,
            "turns": results.turns,
            "choices": results.decisions,
            "most_choices": results.most_decisions,
            "guarded": results.guarded,
            "forfeited": results.gave_up,
            "faults": self.played.faults,
        })
    }
}

/// Elo points for people; a score of 0 or 1 has no end.
fn points(elo: f64) -> String {
    match elo {
        f64::INFINITY => "+∞".to_owned(),
        f64::NEG_INFINITY => "−∞".to_owned(),
        elo => format!("{elo:+.0}"),
    }
}

/// To a millionth; `null` where there is no end.
fn rounded(number: f64) -> Value {
    match number.is_finite() {
        true => json!((number * 1e6).round() / 1e6),
        false => Value::Null,
    }
}
