//! What a plan came to: as JSON, and as rows.

use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use cw_files::FileDraft;
use cw_sim::{DuelPlan, Oddity, Pair, StopRule, Sums, Total, Written};
use cw_stats::{Interval, Pairs, Verdict};
use serde_json::{Value, json};

use crate::again::Again;
use crate::matches::rounded;
use crate::tables::{Choices, Tables};
use crate::{cannot_write, make_folder};

/// The files of a result, in its folder.
pub const SUMMARY: &str = "summary.json";
/// A row for every duel.
pub const DUELS: &str = "duels.parquet";
/// A row for every card of every deck.
pub const CARDS: &str = "cards.parquet";
/// A row for every choice.
pub const CHOICES: &str = "choices.parquet";

/// How sure intervals are.
pub const CONFIDENCE: f64 = 0.95;

/// Rows of duels and of cards, on their way to `duels.parquet` and `cards.parquet`.
#[derive(Debug)]
pub struct Rows<'a> {
    tables: Option<Tables<'a, BufWriter<FileDraft>>>,
    choices: Option<Choices<'a, BufWriter<FileDraft>>>,
    /// Plays pairs of which only the numbers are there.
    again: Option<Again<'a>>,
    folder: PathBuf,
}

impl<'a> Rows<'a> {
    /// Rows that go to files in this folder, if there is one.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn open(folder: Option<&Path>, plan: &'a DuelPlan, written: &Written) -> anyhow::Result<Rows<'a>> {
        let Some(folder) = folder else {
            return Ok(Rows {
                tables: None,
                choices: None,
                again: None,
                folder: PathBuf::new(),
            });
        };
        make_folder(folder)?;
        let (duels, cards) = (file(folder, DUELS)?, file(folder, CARDS)?);
        let tables = Tables::begin(plan, &written.id(), written.players.clone(), duels, cards);
        Ok(Rows {
            tables: Some(tables.with_context(|| cannot_write(folder))?),
            choices: None,
            again: None,
            folder: folder.to_owned(),
        })
    }

    /// The same rows, and one for every choice of such a share of the pairs, 0 to 1, on its way to
    /// `choices.parquet`. Pairs of which only the numbers are there, as from [`merge`](crate::merge), are
    /// played again by `again`.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn with_choices(
        self,
        share: f64,
        plan: &'a DuelPlan,
        written: &Written,
        again: Option<Again<'a>>,
    ) -> anyhow::Result<Rows<'a>> {
        let to = file(&self.folder, CHOICES)?;
        let choices = Choices::begin(plan, &written.id(), written.players.clone(), share, to);
        let choices = choices.with_context(|| cannot_write(&self.folder))?;
        Ok(Rows {
            choices: Some(choices),
            again,
            ..self
        })
    }

    /// The next pair.
    ///
    /// # Errors
    /// If it cannot be written, or does not come out the same when it is played again.
    pub fn pair(&mut self, pair: &Pair) -> anyhow::Result<()> {
        let written = self.tables.as_mut().map_or(Ok(()), |tables| tables.pair(pair));
        written.with_context(|| cannot_write(&self.folder))?;
        let Some(choices) = self.choices.as_mut().filter(|choices| choices.wants(pair)) else {
            return Ok(());
        };
        let written = match &mut self.again {
            Some(again) => choices.pair(&again.play(pair)?),
            None => choices.pair(pair),
        };
        written.with_context(|| cannot_write(&self.folder))
    }

    /// There are no more.
    ///
    /// # Errors
    /// If what is left cannot be written.
    pub fn finish(self) -> anyhow::Result<()> {
        let finish = |tables: Tables<'_, BufWriter<FileDraft>>| {
            let files = tables.finish()?;
            files.into_iter().try_for_each(keep)
        };
        let choices = |choices: Choices<'_, BufWriter<FileDraft>>| keep(choices.finish()?);
        let finished = self.tables.map_or(Ok(()), finish);
        let finished = finished.and_then(|()| self.choices.map_or(Ok(()), choices));
        finished.with_context(|| cannot_write(&self.folder))
    }
}

/// A file of this name in a folder, to be written.
fn file(folder: &Path, name: &str) -> anyhow::Result<BufWriter<FileDraft>> {
    let path = folder.join(name);
    let file = FileDraft::begin(&path).with_context(|| cannot_write(&path))?;
    Ok(BufWriter::new(file))
}

/// A file of rows has its name when all of it is there: one without its end can be read by nobody.
fn keep(mut file: BufWriter<FileDraft>) -> io::Result<()> {
    file.flush()?;
    let (draft, _) = file.into_parts();
    draft.keep()
}

/// The score's interval: what was seen may have ended the plan, or not.
pub fn interval(plan: &DuelPlan, pairs: &Pairs) -> Interval {
    match plan.stop {
        StopRule::After(_) | StopRule::Each { .. } => pairs.interval(CONFIDENCE),
        StopRule::Test { .. } | StopRule::Ahead { .. } | StopRule::Width { .. } => {
            pairs.sequence(plan.stop.planned(), CONFIDENCE)
        }
    }
}

/// What the plan's question came to, in a word, where it asks one.
pub fn verdict(plan: &DuelPlan, total: &Total) -> Option<&'static str> {
    let known = interval(plan, &total.results.pairs);
    match plan.stop {
        StopRule::After(_) => None,
        StopRule::Test { .. } => Some(match plan.stop.verdict(&total.results) {
            Some(Verdict::Accepted) => "accepted",
            Some(Verdict::Rejected) => "rejected",
            None => "undecided",
        }),
        StopRule::Ahead { .. } if known.low > 0.5 => Some("ahead"),
        StopRule::Ahead { .. } if known.high < 0.5 => Some("behind"),
        StopRule::Ahead { .. } => Some("undecided"),
        StopRule::Width { half, .. } if known.high - known.low <= 2.0 * half => Some("known"),
        StopRule::Width { .. } => Some("undecided"),
        StopRule::Each { half, .. } if total.unknown(half) == 0 => Some("known"),
        StopRule::Each { .. } => Some("undecided"),
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
pub fn summary(plan: &DuelPlan, written: &Written, total: &Total) -> Value {
    let results = &total.results;
    let oddities = Oddity::ALL
        .into_iter()
        .zip(&total.oddities)
        .map(|(oddity, (number, first))| {
            json!({
                "kind": oddity.name(),
                "duels": number,
                "first": first
                    .iter()
                    .map(|(pair, half)| json!({ "pair": pair, "duel": half + 1 }))
                    .collect::<Vec<_>>()
            })
        });
    let correction = total.corrected();
    let matchups = plan
        .matchups
        .iter()
        .zip(&total.matchups)
        .enumerate()
        .map(|(at, (matchup, sums))| {
            let mut value = scored(&sums.results.pairs, sums.results.pairs.interval(CONFIDENCE));
            value["decks"] = json!(matchup.names.0);
            value["without_luck"] = json!(correction.as_ref().map(|correction| {
                let (corrected, interval) =
                    (&correction.groups[at], correction.groups[at].interval(CONFIDENCE));
                json!({
                    "score": rounded(corrected.score),
                    "low": rounded(interval.low),
                    "high": rounded(interval.high)
                })
            }));
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
        "game": {
            "name": plan.game.name,
            "fingerprint": plan.game.fingerprint,
            "scripted": is_scripted(plan)
        },
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
        "luck": total.luck.as_ref().map(|luck| json!({
            "saves": correction.as_ref().map(|correction| rounded(correction.saves)),
            "least": luck.least(),
        })),
        "oddities": oddities.collect::<Vec<_>>(),
        "matchups": matchups.collect::<Vec<_>>(),
    });
    if let (Value::Object(into), Value::Object(rest)) = (&mut value, rest) {
        into.extend(rest);
    }
    value
}

/// Whether any card of these decks has rules.
pub fn is_scripted(plan: &DuelPlan) -> bool {
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

/// Writes the summary into its file in the folder.
///
/// # Errors
/// If it cannot be written.
pub fn write_summary(folder: &Path, summary: &Value) -> anyhow::Result<()> {
    let path = folder.join(SUMMARY);
    cw_files::write(&path, format!("{summary:#}\n").as_bytes()).with_context(|| cannot_write(&path))
}
