//! What one player came to against another.

use cw_lab::{Finished, match_json, times};
use cw_sim::{DuelPlan, Results, StopRule};
use cw_stats::{Interval, Verdict, elo};
use serde_json::Value;

use crate::output::{count, say};

/// What is told in the end.
pub(super) struct ArenaReport<'a> {
    pub plan: &'a DuelPlan,
    pub names: [String; 2],
    pub played: Finished,
}

impl ArenaReport<'_> {
    pub(super) fn verdict(&self) -> Option<Verdict> {
        self.played.verdict(self.plan)
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
        let Interval { low, high } = self.played.interval(self.plan);
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
                    "  {name} answers half of the questions within {half:.1} ms, \
                     95 % within {most:.1} ms, 99 % within {nearly_all:.1} ms"
                );
            }
        }
        if let StopRule::Test { sprt, .. } = self.plan.stop {
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
        match_json(self.plan, &self.names, &self.played)
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
