//! What one player came to against another.

use cw_sim::{Plan, Results, Stop};
use cw_stats::{Interval, Verdict, elo};
use serde_json::{Value, json};

use super::matches::Finished;
use super::{CONFIDENCE, PLANNED};
use crate::output::{count, say};

/// What is told in the end.
pub(super) struct Report<'a> {
    pub plan: &'a Plan,
    pub names: [String; 2],
    pub played: Finished,
}

impl Report<'_> {
    pub(super) fn verdict(&self) -> Option<Verdict> {
        self.plan.stop.verdict(&self.played.results)
    }

    /// Fixed beforehand, or chosen by what was seen: each has its own interval.
    pub(super) fn interval(&self) -> Interval {
        match self.plan.stop {
            Stop::After(_) => self.played.results.pairs.interval(CONFIDENCE),
            Stop::Test { .. } | Stop::Ahead { .. } | Stop::Width { .. } => {
                self.played.results.pairs.sequence(PLANNED, CONFIDENCE)
            }
        }
    }

    pub(super) fn print(&self) {
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
            "{one} against {two}: {}, {} of duels, {} of decks, seed {}",
            self.plan.game.name,
            count(pairs.number(), "pair"),
            count(self.plan.matchups.len(), "matchup"),
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
                    "  {name}: {}, {} forfeited",
                    count(self.played.faults[at], "fault"),
                    count(gave_up[at], "duel")
                );
            }
        }
        for (name, micros) in self.names.iter().zip(&self.played.micros) {
            if let Some([half, most, nearly_all]) = times(micros) {
                say!(
                    "  {name} answers half of the questions within {half:.1} ms, 95 % within {most:.1} ms, 99 % within {nearly_all:.1} ms"
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

    pub(super) fn json(&self) -> Value {
        let results = &self.played.results;
        let pairs = &results.pairs;
        let Interval { low, high } = self.interval();
        let matchups = self.plan.matchups.iter().map(|matchup| &matchup.names.0);
        let sprt = match self.plan.stop {
            Stop::After(_) | Stop::Ahead { .. } | Stop::Width { .. } => Value::Null,
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
        let mut value = json!({
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
        });
        // Times are the machine's: without them the object is the same everywhere.
        if self.played.micros.iter().any(|micros| !micros.is_empty()) {
            value["ms"] = self
                .played
                .micros
                .each_ref()
                .map(|micros| times(micros))
                .into_iter()
                .collect();
        }
        value
    }
}

/// Elo points for people; a score of 0 or 1 has no end.
pub(super) fn points(elo: f64) -> String {
    match elo {
        f64::INFINITY => "+∞".to_owned(),
        f64::NEG_INFINITY => "−∞".to_owned(),
        // Minus nothing is nothing.
        elo => format!("{:+.0}", elo.round() + 0.0),
    }
}

/// To a millionth; `null` where there is no end.
pub(crate) fn rounded(number: f64) -> Value {
    match number.is_finite() {
        true => json!((number * 1e6).round() / 1e6),
        false => Value::Null,
    }
}

/// The milliseconds within which half, 95 % and 99 % of the answers came.
pub(super) fn times(micros: &[u32]) -> Option<[f64; 3]> {
    let mut micros = micros.to_vec();
    micros.sort_unstable();
    let last = micros.len().checked_sub(1)?;
    Some([50, 95, 99].map(|percent| f64::from(micros[(micros.len() * percent / 100).min(last)]) / 1000.0))
}
