//! Playing a plan on several threads, and keeping what was played.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use anyhow::Context;
use cw_bot::Limits;
use cw_sim::{Pair, Plan, Results};
use cw_stats::Interval;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};

use super::{CONFIDENCE, PLANNED, cannot_write};
use crate::contestant::Contestant;

/// What the pairs came to, and how the players behaved in those that were played now.
#[derive(Default)]
pub(super) struct Finished {
    pub results: Results,
    pub faults: [u64; 2],
    /// Microseconds of their answers, if they were wanted.
    pub micros: [Vec<u32>; 2],
}

/// How a plan is played.
pub(super) struct How<'a> {
    pub threads: Option<u16>,
    pub limits: Limits,
    /// Answers are timed.
    pub timed: bool,
    /// Where pairs are kept.
    pub kept: Option<&'a mut Kept>,
}

/// Plays the plan on several threads. Each has players of its own and takes the next pair; results
/// are added up here in the order of the pairs' numbers, so nothing depends on who was faster.
pub(super) fn play(
    plan: &Plan,
    contestants: [&Contestant; 2],
    how: &mut How<'_>,
    mut on_pair: impl FnMut(&Pair),
) -> anyhow::Result<Finished> {
    let available = || std::thread::available_parallelism().map_or(1, usize::from);
    let threads = how.threads.map_or_else(available, usize::from);
    let digest = plan.digest(
        contestants
            .map(ToString::to_string)
            .each_ref()
            .map(String::as_str),
    );
    let mut results = Results::default();
    if let Some(kept) = &mut how.kept {
        kept.begin(&digest, plan, contestants)?;
        while !plan.stop.is_reached(&results)
            && let Some(pair) = kept.pair(&digest, results.pairs.number())
        {
            results.join(pair);
        }
    }
    let done = plan.stop.is_reached(&results);
    let (next, enough) = (AtomicU64::new(results.pairs.number()), AtomicBool::new(done));
    let bar = Bar::new(plan.stop.most(), contestants);
    let (mut faults, mut micros) = ([0, 0], [Vec::new(), Vec::new()]);
    std::thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        let mut players = Vec::new();
        for _ in 0..if done { 0 } else { threads } {
            let sender = sender.clone();
            let (next, enough, limits, timed) = (&next, &enough, how.limits, how.timed);
            players.push(scope.spawn(move || {
                let seated = |at: usize| {
                    let seated = contestants[at].seat(&plan.game, limits)?;
                    Ok::<_, anyhow::Error>(if timed { seated.timed() } else { seated })
                };
                let (mut one, mut two) = match (seated(0), seated(1)) {
                    (Ok(one), Ok(two)) => (one, two),
                    (Err(error), _) | (_, Err(error)) => {
                        let _ = sender.send(Err(error));
                        return None;
                    }
                };
                while !enough.load(Ordering::Relaxed) {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= plan.stop.most() {
                        break;
                    }
                    let pair = plan.play(number, &mut one, &mut two);
                    if sender.send(Ok(pair)).is_err() {
                        break;
                    }
                }
                Some([one.leave(), two.leave()])
            }));
        }
        drop(sender);
        let mut waiting: BTreeMap<u64, Pair> = BTreeMap::new();
        let mut collect = || -> anyhow::Result<()> {
            for pair in &receiver {
                let pair = pair?;
                waiting.insert(pair.number, pair);
                while let Some(pair) = waiting.remove(&results.pairs.number()) {
                    let came_to = Results::from(&pair);
                    if let Some(kept) = &mut how.kept {
                        kept.keep(&digest, pair.number, &came_to)?;
                    }
                    results.join(&came_to);
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
        for left in players
            .into_iter()
            .filter_map(|player| player.join().ok().flatten())
        {
            for (at, (made, took)) in left.into_iter().enumerate() {
                faults[at] += made;
                micros[at].extend(took);
            }
        }
        collected
    })?;
    bar.clear();
    Ok(Finished {
        results,
        faults,
        micros,
    })
}

/// A file in which every pair that was played is a line, so that a plan can be interrupted.
pub(super) struct Kept {
    file: File,
    name: String,
    /// Plans that have a line of their own, for people.
    plans: Vec<String>,
    pairs: BTreeMap<(String, u64), Results>,
}

impl Kept {
    /// Reads what is kept; what is no line of a pair, as the last one of a program that was killed
    /// may be, is nothing.
    pub(super) fn open(path: &Path) -> anyhow::Result<Kept> {
        let mut options = OpenOptions::new();
        let opened = options.read(true).append(true).create(true).open(path);
        let mut file = opened.with_context(|| cannot_write(path))?;
        let mut bytes = Vec::new();
        let shown = path.display();
        file.read_to_end(&mut bytes)
            .with_context(|| format!("cannot read “{shown}”"))?;
        let mut kept = Kept {
            file,
            name: shown.to_string(),
            plans: Vec::new(),
            pairs: BTreeMap::new(),
        };
        for line in bytes.split(|byte| *byte == b'\n') {
            let Ok(line) = serde_json::from_slice::<Value>(line) else {
                continue;
            };
            let Some(plan) = line["plan"].as_str().map(str::to_owned) else {
                continue;
            };
            match (line["pair"].as_u64(), &line["came_to"]) {
                (Some(pair), came_to) => {
                    let numbers = serde_json::from_value(came_to.clone()).ok();
                    if let Some(came_to) = numbers.and_then(Results::of_numbers) {
                        kept.pairs.insert((plan, pair), came_to);
                    }
                }
                (None, _) => kept.plans.push(plan),
            }
        }
        // A line that was cut off is not gone on with.
        if !bytes.is_empty() && bytes.last() != Some(&b'\n') {
            kept.write("\n")?;
        }
        Ok(kept)
    }

    fn begin(&mut self, digest: &str, plan: &Plan, players: [&Contestant; 2]) -> anyhow::Result<()> {
        if self.plans.iter().any(|known| known == digest) {
            return Ok(());
        }
        self.plans.push(digest.to_owned());
        let line = json!({
            "plan": digest,
            "players": players.map(ToString::to_string),
            "game": plan.game.name,
            "seed": plan.seed,
            "playouts": plan.budgets.map(|budget| budget.playouts),
        });
        self.write(&format!("{line}\n"))
    }

    fn pair(&self, digest: &str, number: u64) -> Option<&Results> {
        self.pairs.get(&(digest.to_owned(), number))
    }

    fn keep(&mut self, digest: &str, number: u64, came_to: &Results) -> anyhow::Result<()> {
        let line = json!({ "plan": digest, "pair": number, "came_to": came_to.numbers() });
        self.write(&format!("{line}\n"))
    }

    fn write(&mut self, text: &str) -> anyhow::Result<()> {
        let written = self
            .file
            .seek(SeekFrom::End(0))
            .and_then(|_| self.file.write_all(text.as_bytes()));
        written.with_context(|| format!("cannot write to “{}”", self.name))
    }
}

/// How far it is, on standard error where that is a terminal.
struct Bar {
    bar: ProgressBar,
    began: Instant,
    names: String,
}

impl Bar {
    fn new(most: u64, players: [&Contestant; 2]) -> Bar {
        let style =
            ProgressStyle::with_template("{wide_bar} {pos}/{len} pairs, {per_sec}, {eta} left; {msg}");
        let bar = ProgressBar::new(most);
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        let [one, two] = players;
        Bar {
            bar,
            began: Instant::now(),
            names: format!("{one} against {two}"),
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
            .set_message(format!("{}: {score:.3} [{low:.3}, {high:.3}]", self.names));
        self.bar.set_position(results.pairs.number());
    }

    fn clear(&self) {
        self.bar.finish_and_clear();
    }
}
