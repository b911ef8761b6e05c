//! Playing a plan on several threads, and keeping what was played.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::ops::ControlFlow;
use std::path::Path;

use anyhow::Context;
use cw_sim::{Detail, DuelPlan, Pair, Results, StopRule};
use cw_stats::{Interval, Verdict, elo};
use serde_json::{Value, json};

use crate::cannot_write;
use crate::contestant::Contestant;
use crate::crew::{Crew, MachineSettings};
use crate::open::values;
use crate::summary::CONFIDENCE;

/// Where the interval that may be looked at any time is narrowest.
pub const PLANNED: u64 = 500;

/// What the pairs came to, and how the players behaved in those that were played now.
#[derive(Debug, Default)]
pub struct Finished {
    /// The sums.
    pub results: Results,
    /// Answers that were none.
    pub faults: [u64; 2],
    /// Microseconds of their answers, if they were wanted.
    pub micros: [Vec<u32>; 2],
}

/// How a plan is played.
#[derive(Debug)]
pub struct How<'a> {
    /// How this machine plays.
    pub here: MachineSettings<'a>,
    /// Answers are timed.
    pub timed: bool,
    /// Where pairs are kept.
    pub kept: Option<&'a mut MatchFile>,
}

impl How<'_> {
    /// Plays the plan on several threads; results are added up in the order of the pairs' numbers.
    ///
    /// # Errors
    /// If a player cannot be started, pairs cannot be kept, or who looks on ends it.
    pub fn play(
        &mut self,
        plan: &DuelPlan,
        contestants: [&Contestant; 2],
        mut on_pair: impl FnMut(&Pair),
    ) -> anyhow::Result<Finished> {
        let names = contestants.map(ToString::to_string);
        let mut digest = plan.digest(names.each_ref().map(String::as_str));
        // Weights of the game's own decide what the levels choose.
        if let Some(values) = values(&plan.game) {
            digest = format!("{digest}{:016x}", values.digest());
        }
        let mut results = Results::default();
        if let Some(kept) = &mut self.kept {
            if let Some(why) = kept.begin(&digest, plan, contestants)? {
                self.here.watch.note(&why);
            }
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
            here: self.here,
            timed: self.timed,
        };
        let watch = self.here.watch;
        watch.begins(plan.stop.most());
        let names = names.join(" against ");
        let behaviour = crew.work(
            left,
            |at, one, two| plan.play_noting(Detail::Duel, from + at, one, two),
            |_, pair| {
                let came_to = Results::from(&pair);
                if let Some(kept) = &mut self.kept {
                    kept.keep(&digest, pair.number, &came_to)?;
                }
                results.join(&came_to);
                on_pair(&pair);
                watch.done(results.pairs.number(), &|| {
                    let Interval { low, high } = results.pairs.sequence(PLANNED, CONFIDENCE);
                    let score = results.pairs.score();
                    format!("{names}: {score:.3} [{low:.3}, {high:.3}]")
                });
                Ok(match plan.stop.is_reached(&results) {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                })
            },
        );
        watch.ends();
        let behaviour = behaviour?;
        Ok(Finished {
            results,
            faults: behaviour.faults,
            micros: behaviour.micros,
        })
    }
}

impl Finished {
    /// What the plan's test came to, where it has one.
    pub fn verdict(&self, plan: &DuelPlan) -> Option<Verdict> {
        plan.stop.verdict(&self.results)
    }

    /// The interval of the score: the number of pairs was fixed beforehand, or chosen by what was seen.
    pub fn interval(&self, plan: &DuelPlan) -> Interval {
        match plan.stop {
            StopRule::After(_) | StopRule::Each { .. } => self.results.pairs.interval(CONFIDENCE),
            StopRule::Test { .. } | StopRule::Ahead { .. } | StopRule::Width { .. } => {
                self.results.pairs.sequence(PLANNED, CONFIDENCE)
            }
        }
    }
}

/// A file in which every pair that was played is a line, so that a plan can be interrupted.
#[derive(Debug)]
pub struct MatchFile {
    file: File,
    name: String,
    /// Plans that have a line of their own, for people; and those lines.
    plans: Vec<(String, Value)>,
    pairs: BTreeMap<(String, u64), Results>,
}

impl MatchFile {
    /// Reads what is kept; what is no line of a pair, as the last one of a program that was killed
    /// may be, is nothing.
    ///
    /// # Errors
    /// If the file cannot be read or written.
    pub fn open(path: &Path) -> anyhow::Result<MatchFile> {
        let mut options = OpenOptions::new();
        let opened = options.read(true).append(true).create(true).open(path);
        let mut file = opened.with_context(|| cannot_write(path))?;
        let shown = path.display();
        let bytes = cw_files::read_from(&mut file, 0, cw_files::MATCHES)
            .with_context(|| format!("cannot read “{shown}”"))?;
        let mut kept = MatchFile {
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
                (None, _) => kept.plans.push((plan, line)),
            }
        }
        // A line that was cut off is not gone on with.
        if !bytes.is_empty() && bytes.last() != Some(&b'\n') {
            kept.write("\n")?;
        }
        Ok(kept)
    }

    /// Writes the plan's own line, where it has none; if pairs of the same players are kept that were played
    /// otherwise, the text says so.
    fn begin(
        &mut self,
        digest: &str,
        plan: &DuelPlan,
        players: [&Contestant; 2],
    ) -> anyhow::Result<Option<String>> {
        if self.plans.iter().any(|(known, _)| known == digest) {
            return Ok(None);
        }
        let line = json!({
            "plan": digest,
            "players": players.map(ToString::to_string),
            "game": plan.game.name,
            "seed": plan.seed,
            "playouts": plan.budgets.map(|budget| budget.playouts),
        });
        self.write(&format!("{line}\n"))?;
        let alike = |known: &Value| {
            let mut names = ["players", "game", "seed", "playouts"].into_iter();
            names.all(|name| known[name] == line[name])
        };
        let other = self.plans.iter().any(|(_, known)| alike(known)).then(|| {
            format!(
                "“{}” holds pairs of these players with other cards, decks or weights, or another version of \
                 rules or players: they are not counted, and this begins anew",
                self.name
            )
        });
        self.plans.push((digest.to_owned(), line));
        Ok(other)
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

/// What one player came to against another, as one JSON object: the same everywhere, but for times.
pub fn match_json(plan: &DuelPlan, names: &[String; 2], played: &Finished) -> Value {
    let results = &played.results;
    let pairs = &results.pairs;
    let Interval { low, high } = played.interval(plan);
    let matchups = plan.matchups.iter().map(|matchup| &matchup.names.0);
    let sprt = match plan.stop {
        StopRule::After(_) | StopRule::Ahead { .. } | StopRule::Width { .. } | StopRule::Each { .. } => {
            Value::Null
        }
        StopRule::Test { sprt, .. } => json!({
            "worse": sprt.worse,
            "better": sprt.better,
            "llr": rounded(sprt.llr(pairs)),
            "verdict": match played.verdict(plan) {
                Some(Verdict::Accepted) => "accepted",
                Some(Verdict::Rejected) => "rejected",
                None => "undecided",
            },
        }),
    };
    let mut value = json!({
        "players": names,
        "game": { "name": plan.game.name, "fingerprint": plan.game.fingerprint },
        "matchups": matchups.collect::<Vec<_>>(),
        "seed": plan.seed,
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
        "faults": played.faults,
    });
    // Times are the machine's: without them the object is the same everywhere.
    if played.micros.iter().any(|micros| !micros.is_empty()) {
        value["ms"] = played
            .micros
            .each_ref()
            .map(|micros| times(micros))
            .into_iter()
            .collect();
    }
    value
}

/// To a millionth; `null` where there is no end.
pub fn rounded(number: f64) -> Value {
    match number.is_finite() {
        true => json!((number * 1e6).round() / 1e6),
        false => Value::Null,
    }
}

/// The milliseconds within which half, 95 % and 99 % of the answers came.
pub fn times(micros: &[u32]) -> Option<[f64; 3]> {
    let mut micros = micros.to_vec();
    micros.sort_unstable();
    let last = micros.len().checked_sub(1)?;
    Some([50, 95, 99].map(|percent| f64::from(micros[(micros.len() * percent / 100).min(last)]) / 1000.0))
}
