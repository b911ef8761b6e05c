//! What a plan came to: for people, as JSON, and as rows.

use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use cw_sim::{Exchange, Oddity, Pair, Plan, Stop, Sums, Total, Written};
use cw_stats::{Interval, Pairs, Verdict};
use cw_tables::Tables;
use serde_json::{Value, json};

use crate::commands::arena::cannot_write;
use crate::commands::arena::report::rounded;
use crate::output::say;

/// How sure intervals are.
pub(crate) const CONFIDENCE: f64 = 0.95;

/// Rows of duels and of cards, on their way to files.
pub(crate) struct Rows<'a> {
    tables: Option<Tables<'a, BufWriter<File>>>,
    folder: PathBuf,
}

impl<'a> Rows<'a> {
    pub(crate) fn open(folder: Option<&Path>, plan: &'a Plan, written: &Written) -> anyhow::Result<Rows<'a>> {
        let Some(folder) = folder else {
            return Ok(Rows {
                tables: None,
                folder: PathBuf::new(),
            });
        };
        fs::create_dir_all(folder).with_context(|| cannot_write(folder))?;
        let file = |name: &str| {
            let path = folder.join(name);
            let file = File::create(&path).with_context(|| cannot_write(&path))?;
            Ok::<_, anyhow::Error>(BufWriter::new(file))
        };
        let (duels, cards) = (file("duels.parquet")?, file("cards.parquet")?);
        let tables = Tables::begin(plan, &written.id(), written.players.clone(), duels, cards);
        Ok(Rows {
            tables: Some(tables.with_context(|| cannot_write(folder))?),
            folder: folder.to_owned(),
        })
    }

    pub(crate) fn pair(&mut self, pair: &Pair) -> anyhow::Result<()> {
        let written = self.tables.as_mut().map_or(Ok(()), |tables| tables.pair(pair));
        written.with_context(|| cannot_write(&self.folder))
    }

    pub(crate) fn finish(self) -> anyhow::Result<()> {
        let finish = |tables: Tables<'_, BufWriter<File>>| {
            let files = tables.finish()?;
            files.into_iter().try_for_each(|mut file| file.flush())
        };
        let finished = self.tables.map_or(Ok(()), finish);
        finished.with_context(|| cannot_write(&self.folder))
    }
}

/// The score's interval: what was seen may have ended the plan, or not.
fn interval(plan: &Plan, pairs: &Pairs) -> Interval {
    match plan.stop {
        Stop::After(_) => pairs.interval(CONFIDENCE),
        Stop::Test { .. } | Stop::Ahead { .. } | Stop::Width { .. } => {
            pairs.sequence(plan.stop.planned(), CONFIDENCE)
        }
    }
}

fn verdict(plan: &Plan, total: &Total) -> Option<&'static str> {
    let known = interval(plan, &total.results.pairs);
    match plan.stop {
        Stop::After(_) => None,
        Stop::Test { .. } => Some(match plan.stop.verdict(&total.results) {
            Some(Verdict::Accepted) => "accepted",
            Some(Verdict::Rejected) => "rejected",
            None => "undecided",
        }),
        Stop::Ahead { .. } if known.low > 0.5 => Some("ahead"),
        Stop::Ahead { .. } if known.high < 0.5 => Some("behind"),
        Stop::Ahead { .. } => Some("undecided"),
        Stop::Width { half, .. } if known.high - known.low <= 2.0 * half => Some("known"),
        Stop::Width { .. } => Some("undecided"),
    }
}

fn scored(pairs: &Pairs, interval: Interval) -> Value {
    json!({
        "pairs": pairs.number(),
        "score": rounded(pairs.score()),
        "low": rounded(interval.low),
        "high": rounded(interval.high),
        "counts": pairs.counts,
    })
}

/// Everything as one JSON object; the same bytes for the same plan.
pub(crate) fn summary(plan: &Plan, written: &Written, total: &Total) -> Value {
    let results = &total.results;
    let oddities = Oddity::ALL.into_iter().zip(&total.oddities).map(|(oddity, (number, first))| {
        json!({ "kind": oddity.name(), "duels": number, "first": first.iter().map(|(pair, half)| json!({ "pair": pair, "duel": half + 1 })).collect::<Vec<_>>() })
    });
    let matchups = plan.matchups.iter().zip(&total.matchups).map(|(matchup, sums)| {
        let mut value = scored(&sums.results.pairs, sums.results.pairs.interval(CONFIDENCE));
        value["decks"] = json!(matchup.names.0);
        value["first"] = scored(&sums.firsts, sums.firsts.interval(CONFIDENCE));
        value["endings"] = endings(sums);
        value["turns"] = sums
            .turns
            .iter()
            .map(|(turn, duels)| json!([turn, duels]))
            .collect();
        value["choices"] = json!(sums.results.decisions);
        value
    });
    let mut value = scored(&results.pairs, interval(plan, &results.pairs));
    let rest = json!({
        "plan": written.id(),
        "players": written.players,
        "playouts": written.playouts,
        "game": { "name": plan.game.name, "fingerprint": plan.game.fingerprint, "scripted": is_scripted(plan) },
        "exchange": written.exchange,
        "seed": plan.seed,
        "most": plan.stop.most(),
        "duels": results.number_of_duels(),
        "confidence": CONFIDENCE,
        "verdict": verdict(plan, total),
        "won": results.duels[0],
        "drawn": results.duels[1],
        "lost": results.duels[2],
        "first": scored(&total.firsts, total.firsts.interval(CONFIDENCE)),
        "turns": results.turns,
        "choices": results.decisions,
        "most_choices": results.most_decisions,
        "oddities": oddities.collect::<Vec<_>>(),
        "matchups": matchups.collect::<Vec<_>>(),
    });
    if let (Value::Object(into), Value::Object(rest)) = (&mut value, rest) {
        into.extend(rest);
    }
    value
}

/// Whether any card of these decks has rules.
pub(crate) fn is_scripted(plan: &Plan) -> bool {
    let mut cards = plan
        .matchups
        .iter()
        .flat_map(|matchup| matchup.decks.0.iter().flatten());
    cards.any(|model| plan.game.model(*model).program.is_some())
}

fn endings(sums: &Sums) -> Value {
    let [hp, deck, gave_up, drawn] = sums.endings;
    json!({ "hp": hp, "deck": deck, "gave_up": gave_up, "drawn": drawn })
}

/// For people.
pub(crate) fn print(plan: &Plan, written: &Written, total: &Total) {
    let results = &total.results;
    let [one, two] = &written.players;
    let who = match plan.exchange {
        Exchange::Players => format!("{one} against {two}"),
        Exchange::Turns => format!("{one} plays both sides"),
    };
    let duels = results.number_of_duels();
    say!(
        "{who}: {}{}, {} pairs of duels, {} matchups of decks, seed {}, plan {}",
        plan.game.name,
        if is_scripted(plan) {
            ""
        } else {
            " (unscripted: cards are played without their texts)"
        },
        results.pairs.number(),
        plan.matchups.len(),
        plan.seed,
        written.id()
    );
    let line = |pairs: &Pairs, interval: Interval| {
        format!("{:.3} [{:.3}, {:.3}]", pairs.score(), interval.low, interval.high)
    };
    if plan.exchange == Exchange::Players || plan.matchups.len() == 1 {
        let whose = match plan.exchange {
            Exchange::Players => one,
            Exchange::Turns => &plan.matchups[0].names.0[0],
        };
        let known = interval(plan, &results.pairs);
        let verdict = verdict(plan, total).map_or(String::new(), |verdict| format!("; {verdict}"));
        say!("  score of {whose} {}{verdict}", line(&results.pairs, known));
    }
    say!(
        "  who goes first scores {}",
        line(&total.firsts, total.firsts.interval(CONFIDENCE))
    );
    say!(
        "  {:.1} turns and {:.0} choices a duel, at most {}",
        results.turns as f64 / duels.max(1) as f64,
        results.decisions as f64 / duels.max(1) as f64,
        results.most_decisions
    );
    for (oddity, (number, first)) in Oddity::ALL.into_iter().zip(&total.oddities) {
        if let Some((pair, half)) = first.first() {
            let what = match oddity {
                Oddity::LoopGuard => "the loop guard ended something in",
                Oddity::Drawn => "drawn:",
                Oddity::GaveUp => "given up:",
            };
            say!(
                "  {what} {number} of {duels} duels, first in pair {pair}, duel {}",
                half + 1
            );
        }
    }
    if plan.matchups.len() > 1 {
        let names = || plan.matchups.iter().map(|matchup| matchup.names.0.join(" – "));
        let width = names().map(|name| name.chars().count()).max().unwrap_or(0);
        for (name, sums) in names().zip(&total.matchups) {
            let pairs = &sums.results.pairs;
            say!("  {name:width$}  {}", line(pairs, pairs.interval(CONFIDENCE)));
        }
        say!(
            "  the score is the first deck's{}; intervals hold 95 of 100 times, each for itself",
            match plan.exchange {
                Exchange::Players => ", in the hands of the first player",
                Exchange::Turns => "",
            }
        );
    }
}
