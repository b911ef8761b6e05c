//! `cardwright duel think` and `duel review`: what a level thinks of the choices of a recorded duel.

use std::num::NonZero;
use std::process::ExitCode;

use anyhow::{Context, bail};
use cw_duel::{Choice, Duel, Seat};
use cw_players::{
    Ask, LeftOut, Level, SearchBudget, SearchInsight, SeatEyes, Sight as _, mix, seed_of, sight,
};
use cw_wire::TimelineAct;
use cw_words::EventReader;
use serde_json::{Value, json};

use super::{Recorded, print_json};
use crate::commands::replay::place_of;
use crate::output::say;
use crate::progress::WorkProgress;

/// Who thinks.
#[derive(Debug, clap::Args)]
pub(super) struct Thinker {
    /// The level that thinks: normal, hard or expert
    #[arg(long, value_name = "LEVEL", default_value = "normal", value_parser = level)]
    level: Level,
    /// How many playouts it may use for each question [default: those of the level]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    playouts: Option<u32>,
}

fn level(name: &str) -> Result<Level, String> {
    let searches = |level: &Level| matches!(level, Level::Normal | Level::Hard | Level::Expert);
    Level::named(name)
        .filter(searches)
        .ok_or_else(|| "the levels that search are normal, hard and expert".to_owned())
}

impl Thinker {
    /// What is thought of the pending question by who is asked, knowing no more than that seat; `None` if
    /// there is nothing to choose.
    fn think(&self, duel: &Duel) -> Option<SearchInsight> {
        let values = cw_lab::values(duel.game());
        let eyes = SeatEyes::of_who_is_asked(duel)?.valuing(values.as_deref());
        let decision = eyes.decision();
        if decision.options.len() < 2 {
            return None;
        }
        let seed = seed_of(mix(&[sight(&eyes.view())]), decision.seat, 0);
        let usual = self.level.budget();
        let ask = Ask {
            budget: self.playouts.map_or(usual, |playouts| SearchBudget { playouts }),
            ..eyes.ask(seed)
        };
        let threads = std::thread::available_parallelism().map_or(1, NonZero::get);
        self.level.think(&ask, threads)
    }
}

/// What a level thinks of one question.
pub(super) fn think(recorded: &Recorded, at: Option<i64>, thinker: &Thinker) -> anyhow::Result<ExitCode> {
    let timeline = &recorded.timeline;
    let at = at.map_or(Ok(timeline.len()), |at| place_of(at, timeline.len()))?;
    let duel = timeline.at(at);
    let Some(decision) = duel.pending() else {
        bail!("the duel is over here; --at goes back to an earlier choice");
    };
    let Some(insight) = thinker.think(&duel) else {
        bail!("there is nothing to choose here: --at goes to another choice");
    };
    let reader = EventReader {
        duel: &duel,
        seat: Some(decision.seat),
    };
    let words = |choice: Choice| cw_words::choice(reader, decision, choice);
    if recorded.json {
        print_json(&insight_json(&duel, &insight, words));
        return Ok(ExitCode::SUCCESS);
    }
    say!(
        "turn {}, player {}; {} playouts of {}",
        duel.turn(),
        decision.seat.index() + 1,
        insight.playouts,
        thinker.level.name()
    );
    say!("chance of winning, as the player sees it (an interval of what was tried, not of the truth)");
    for weighed in &insight.options {
        let alike = match weighed.alike.len() {
            0 => String::new(),
            number => format!(", and {number} like it"),
        };
        let words = words(weighed.choice);
        if weighed.proven {
            say!("  wins this turn on every guess, whatever the opponent does: {words}{alike}");
            continue;
        }
        if weighed.visits == 0 {
            say!("  not tried, because it looked bad: {words}{alike}");
            continue;
        }
        say!(
            "  {:>5.1} % [{:>4.1}, {:>5.1}]  tried {:>5} times  {words}{alike}",
            weighed.win * 100.0,
            weighed.low * 100.0,
            weighed.high * 100.0,
            weighed.visits,
        );
    }
    for (choice, why) in &insight.left_out {
        say!("  left out, {}: {}", reason(*why), words(*choice));
    }
    for (which, against) in ["worst", "best"].iter().zip(&insight.against) {
        say!(
            "the first option does {which} where the other holds {}: {:.1} %",
            hand(&duel, &against.hand),
            against.win * 100.0
        );
    }
    Ok(ExitCode::SUCCESS)
}

fn reason(why: LeftOut) -> &'static str {
    match why {
        LeftOut::ComesToNothing => "it has no effect",
        LeftOut::TakesBack => "it takes back what was begun",
        LeftOut::Loses => "it loses whatever comes next",
    }
}

fn hand(duel: &Duel, hand: &[cw_program::ModelId]) -> String {
    if hand.is_empty() {
        return "no cards".to_owned();
    }
    let names = hand.iter().map(|model| &*duel.game().model(*model).name);
    names.collect::<Vec<_>>().join(", ")
}

fn insight_json(duel: &Duel, insight: &SearchInsight, words: impl Fn(Choice) -> String) -> Value {
    let options = insight.options.iter().map(|weighed| {
        json!({
            "what": words(weighed.choice),
            "alike": weighed.alike.iter().map(|choice| words(*choice)).collect::<Vec<_>>(),
            "visits": weighed.visits,
            "proven": weighed.proven,
            "win": weighed.win,
            "low": weighed.low,
            "high": weighed.high,
            "prior": weighed.prior,
        })
    });
    let left_out = insight.left_out.iter();
    let left_out = left_out.map(|(choice, why)| json!({ "what": words(*choice), "why": reason(*why) }));
    let against = insight.against.iter();
    let against = against.map(|against| {
        let names = against.hand.iter().map(|model| &*duel.game().model(*model).name);
        json!({ "hand": names.collect::<Vec<_>>(), "win": against.win })
    });
    json!({
        "options": options.collect::<Vec<_>>(),
        "left_out": left_out.collect::<Vec<_>>(),
        "against": against.collect::<Vec<_>>(),
        "playouts": insight.playouts,
    })
}

/// A choice of the duel, and what it cost.
struct CostedChoice {
    number: usize,
    turn: u16,
    seat: Seat,
    what: String,
    best: String,
    /// The chance of winning before it, if the best option is taken, and with it.
    before: f64,
    with: Option<f64>,
    cost: Option<f64>,
}

/// What a choice has to cost to be told.
const TOLD: f64 = 0.03;
/// How many of them are told.
const TURNING_POINTS: usize = 10;

/// What each choice of the duel cost in chance of winning.
pub(super) fn review(recorded: &Recorded, all: bool, thinker: &Thinker) -> anyhow::Result<ExitCode> {
    let timeline = &recorded.timeline;
    let mut judged: Vec<CostedChoice> = Vec::new();
    let mut duel = timeline.at(0);
    let progress = WorkProgress::of(timeline.len() as u64, "choices judged");
    for (number, taken) in timeline.taken().iter().enumerate() {
        if let (TimelineAct::Chose(choice), Some(insight)) = (taken.act, thinker.think(&duel)) {
            let decision = duel.pending().context("somebody was asked")?;
            let reader = EventReader {
                duel: &duel,
                seat: Some(decision.seat),
            };
            if let Some(best) = insight.best() {
                judged.push(CostedChoice {
                    number,
                    turn: duel.turn(),
                    seat: decision.seat,
                    what: cw_words::choice(reader, decision, choice),
                    best: cw_words::choice(reader, decision, best.choice),
                    before: best.win,
                    with: insight.of(choice).map(|weighed| weighed.win),
                    cost: insight.cost(choice),
                });
            }
        }
        taken.act.repeat(&mut duel, &mut cw_duel::Silent);
        progress.add(1);
    }
    drop(progress);
    if judged.is_empty() {
        bail!("nobody had a choice in this duel");
    }
    let mut points: Vec<&CostedChoice> = judged
        .iter()
        .filter(|one| one.cost.is_some_and(|cost| cost >= TOLD))
        .collect();
    points.sort_by(|one, other| other.cost.unwrap_or(0.0).total_cmp(&one.cost.unwrap_or(0.0)));
    points.truncate(TURNING_POINTS);
    points.sort_by_key(|one| one.number);
    if recorded.json {
        print_json(&json!({
            "level": thinker.level.name(),
            "players": Seat::BOTH.map(|seat| summary(&judged, seat)),
            "turning_points": points.iter().map(|one| one.number).collect::<Vec<_>>(),
            "choices": judged.iter().map(CostedChoice::json).collect::<Vec<_>>(),
        }));
        return Ok(ExitCode::SUCCESS);
    }
    if all {
        judged.iter().for_each(|one| say!("{}", one.words()));
        say!("");
    }
    for seat in Seat::BOTH {
        let of = summary(&judged, seat);
        say!(
            "player {}: {} choices, which cost {:.1} % of a win in all; {} of them {:.0} % or more",
            seat.index() + 1,
            of["choices"],
            of["cost"].as_f64().unwrap_or(0.0) * 100.0,
            of["mistakes"],
            TOLD * 100.0
        );
    }
    if points.is_empty() {
        say!("no choice cost {:.0} % or more", TOLD * 100.0);
    } else {
        say!("turning points:");
        points.iter().for_each(|one| say!("{}", one.words()));
    }
    say!(
        "as {} sees it, knowing what the player knew; it makes mistakes, too",
        thinker.level.name()
    );
    Ok(ExitCode::SUCCESS)
}

fn summary(judged: &[CostedChoice], seat: Seat) -> Value {
    let own = || judged.iter().filter(move |one| one.seat == seat);
    let costs = || own().filter_map(|one| one.cost);
    json!({
        "choices": own().count(),
        "cost": costs().sum::<f64>(),
        "mistakes": costs().filter(|cost| *cost >= TOLD).count(),
    })
}

impl CostedChoice {
    fn words(&self) -> String {
        let cost = match self.cost {
            Some(cost) if cost > 0.0 => {
                format!(
                    "cost {:.1} %; better: {} ({:.1} %)",
                    cost * 100.0,
                    self.best,
                    self.before * 100.0
                )
            }
            Some(_) => "the best".to_owned(),
            None => format!(
                "not looked at; better: {} ({:.1} %)",
                self.best,
                self.before * 100.0
            ),
        };
        let with = self
            .with
            .map_or_else(String::new, |with| format!(" ({:.1} %)", with * 100.0));
        format!(
            "{:>4}  turn {}, player {}: {}{with}: {cost}",
            self.number,
            self.turn,
            self.seat.index() + 1,
            self.what
        )
    }

    fn json(&self) -> Value {
        json!({
            "choice": self.number,
            "turn": self.turn,
            "seat": self.seat.index() + 1,
            "what": self.what,
            "best": self.best,
            "win_before": self.before,
            "win_with": self.with,
            "cost": self.cost,
        })
    }
}
