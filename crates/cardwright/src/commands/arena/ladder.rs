//! `cardwright arena --ladder`: every player against every other, and how strong each is.

use std::process::ExitCode;

use clap::error::ErrorKind;
use cw_lab::{CONFIDENCE, Contestant, How, rounded, times};
use cw_players::Level;
use cw_sim::DuelPlan;
use cw_stats::{Match, Pairs, rate};
use serde_json::{Value, json};

use super::Args;
use super::report::points;
use crate::commands::play::usage;
use crate::output::{self, count, say};

/// Plays all matches of the players and tells their ratings; the first player has 0.
pub(super) fn run(args: &Args, plan: &DuelPlan, how: &mut How<'_>) -> anyhow::Result<ExitCode> {
    let mut players = args.players.clone();
    if players.is_empty() {
        let levels = Level::ALL.into_iter().filter(|level| *level != Level::Easy);
        players = [Level::Easy]
            .into_iter()
            .chain(levels)
            .map(Contestant::from)
            .collect();
    }
    for (at, player) in players.iter().enumerate() {
        if players[..at].contains(player) {
            let message = format!("{player} is named twice; nobody plays against itself on the ladder");
            usage(ErrorKind::ArgumentConflict, message);
        }
    }
    if players.len() < 2 {
        let message = "a ladder needs at least two players; leave them out to rate all levels";
        usage(ErrorKind::WrongNumberOfValues, message);
    }
    let mut matches = Vec::new();
    let mut micros: Vec<Vec<u32>> = vec![Vec::new(); players.len()];
    for one in 0..players.len() {
        for two in one + 1..players.len() {
            let both = [&players[one], &players[two]];
            let plan = DuelPlan {
                budgets: both.map(|player| player.budget(args.playouts)),
                ..plan.clone()
            };
            let played = how.play(&plan, both, |_| {})?;
            for (at, took) in [one, two].into_iter().zip(played.micros) {
                micros[at].extend(took);
            }
            matches.push(Match {
                one,
                two,
                pairs: played.results.pairs,
            });
        }
    }
    let ladder = Ladder {
        names: players.iter().map(ToString::to_string).collect(),
        matches,
        micros,
    };
    if args.json {
        output::line(&ladder.json(plan).to_string());
    } else {
        ladder.print(plan);
    }
    Ok(ExitCode::SUCCESS)
}

struct Ladder {
    names: Vec<String>,
    matches: Vec<Match>,
    micros: Vec<Vec<u32>>,
}

impl Ladder {
    /// What a player came to against another.
    fn against(&self, one: usize, two: usize) -> Option<Pairs> {
        self.matches.iter().find_map(|found| {
            if (found.one, found.two) == (one, two) {
                return Some(found.pairs);
            }
            let mut counts = found.pairs.counts;
            counts.reverse();
            ((found.two, found.one) == (one, two)).then_some(Pairs { counts })
        })
    }

    /// The players, the strongest first.
    fn ranked(&self) -> Vec<(usize, cw_stats::Rating)> {
        let ratings = rate(self.names.len(), &self.matches, CONFIDENCE);
        let mut ranked: Vec<_> = ratings.into_iter().enumerate().collect();
        ranked.sort_by(|one, two| two.1.elo.total_cmp(&one.1.elo));
        ranked
    }

    fn print(&self, plan: &DuelPlan) {
        let ranked = self.ranked();
        let width = self
            .names
            .iter()
            .map(|name| name.chars().count())
            .max()
            .unwrap_or(0);
        say!(
            "{} of {}, {} of duels a match, {} of decks, seed {}; Elo above {}",
            count(self.names.len(), "player"),
            plan.game.name,
            count(plan.stop.most(), "pair"),
            count(plan.matchups.len(), "matchup"),
            plan.seed,
            self.names[0]
        );
        for (player, rating) in &ranked {
            let name = &self.names[*player];
            let mut line = format!(
                "  {name:width$}  {:>6}  [{:>6}, {:>6}] ",
                points(rating.elo),
                points(rating.interval.low),
                points(rating.interval.high)
            );
            for (other, _) in &ranked {
                let score = self.against(*player, *other);
                line.push_str(&score.map_or("     –".to_owned(), |pairs| format!(" {:.3}", pairs.score())));
            }
            if let Some([half, _, nearly_all]) = times(&self.micros[*player]) {
                line.push_str(&format!("  {half:.1} ms, 99 % {nearly_all:.1} ms"));
            }
            say!("{line}");
        }
        say!("  columns: the score against each, in the same order");
    }

    fn json(&self, plan: &DuelPlan) -> Value {
        let players = self.ranked().into_iter().map(|(player, rating)| {
            let mut value = json!({
                "player": self.names[player],
                "elo": rounded(rating.elo),
                "low": rounded(rating.interval.low),
                "high": rounded(rating.interval.high),
            });
            if let Some(times) = times(&self.micros[player]) {
                value["ms"] = times.into();
            }
            value
        });
        let matches = self.matches.iter().map(|found| {
            let interval = found.pairs.interval(CONFIDENCE);
            json!({
                "players": [self.names[found.one], self.names[found.two]],
                "counts": found.pairs.counts,
                "score": rounded(found.pairs.score()),
                "low": rounded(interval.low),
                "high": rounded(interval.high),
            })
        });
        json!({
            "game": { "name": plan.game.name, "fingerprint": plan.game.fingerprint },
            "matchups": plan.matchups.iter().map(|matchup| &matchup.names.0).collect::<Vec<_>>(),
            "seed": plan.seed,
            "pairs": plan.stop.most(),
            "confidence": CONFIDENCE,
            "players": players.collect::<Vec<_>>(),
            "matches": matches.collect::<Vec<_>>(),
        })
    }
}
