//! Playing a plan on several threads, and keeping what was played.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::ops::ControlFlow;
use std::path::Path;

use anyhow::Context;
use cw_bot::Limits;
use cw_sim::{Pair, Plan, Results};
use cw_stats::Interval;
use serde_json::{Value, json};

use super::{CONFIDENCE, PLANNED, cannot_write};
use crate::contestant::Contestant;
use crate::crew::{Bar, Crew};

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

/// Plays the plan on several threads; results are added up in the order of the pairs' numbers.
pub(super) fn play(
    plan: &Plan,
    contestants: [&Contestant; 2],
    how: &mut How<'_>,
    mut on_pair: impl FnMut(&Pair),
) -> anyhow::Result<Finished> {
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
    let from = results.pairs.number();
    let left = match plan.stop.is_reached(&results) {
        true => 0,
        false => plan.stop.most() - from,
    };
    let crew = Crew {
        contestants,
        game: &plan.game,
        limits: how.limits,
        threads: how.threads,
        timed: how.timed,
    };
    let bar = Bar::new(plan.stop.most());
    let names = contestants.map(ToString::to_string).join(" against ");
    let behaviour = crew.work(
        left,
        |at, one, two| plan.play(from + at, one, two),
        |_, pair| {
            let came_to = Results::from(&pair);
            if let Some(kept) = &mut how.kept {
                kept.keep(&digest, pair.number, &came_to)?;
            }
            results.join(&came_to);
            on_pair(&pair);
            bar.show(results.pairs.number(), || {
                let Interval { low, high } = results.pairs.sequence(PLANNED, CONFIDENCE);
                let score = results.pairs.score();
                format!("{names}: {score:.3} [{low:.3}, {high:.3}]")
            });
            Ok(match plan.stop.is_reached(&results) {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            })
        },
    )?;
    bar.clear();
    Ok(Finished {
        results,
        faults: behaviour.faults,
        micros: behaviour.micros,
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
