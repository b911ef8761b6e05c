//! A short scenario of a find: cut out of the duel, then line by line and card by card made shorter while it
//! still shows the same.

use std::sync::Arc;

use cw_duel::{Choice, Duel, DuelEvent, Game, Sink};
use cw_program::ModelId;
use cw_scenario::{RunOptions, ScenarioReport, bless, cut, read, run, skeleton};

use crate::FindKind;
use crate::campaign::Way;
use crate::watch::StepPlace;

/// What a scenario has to show.
#[derive(Debug)]
pub(crate) struct FindTrace<'a> {
    pub(crate) kind: FindKind,
    pub(crate) place: StepPlace,
    /// The card's name, as events have it.
    pub(crate) name: &'a str,
}

/// Notes whether an event of the find came.
struct Waiting<'a> {
    trace: &'a FindTrace<'a>,
    is_seen: bool,
}

impl Sink for Waiting<'_> {
    fn event(&mut self, event: &DuelEvent) {
        let place = match (self.trace.kind, event) {
            (FindKind::FailedExpression, DuelEvent::Failed { place, .. })
            | (FindKind::GuardedLoop, DuelEvent::Guarded { place, .. }) => *place,
            (FindKind::IdleEffect, DuelEvent::Step { place, .. }) => Some(*place),
            _ => None,
        };
        self.is_seen |= place.is_some_and(|place| (place.model, place.step) == self.trace.place);
    }
}

/// The shortest scenario that one of the ways leads to.
pub(crate) fn shortest(game: &Arc<Game>, trace: &FindTrace<'_>, ways: &[Way]) -> Option<String> {
    let all = ways.iter().filter_map(|way| scenario(game, trace, way));
    all.min_by_key(|text| (text.lines().count(), text.len()))
}

fn scenario(game: &Arc<Game>, trace: &FindTrace<'_>, way: &Way) -> Option<String> {
    let mut waiting = Waiting {
        trace,
        is_seen: false,
    };
    let mut duel = Duel::from_position_with(Arc::clone(game), &way.position, &mut waiting).ok()?;
    waiting.is_seen = false;
    let mut states = vec![duel.clone()];
    let mut choices: Vec<Choice> = Vec::new();
    for choice in &way.choices {
        duel.answer(*choice, &mut waiting).ok()?;
        states.push(duel.clone());
        choices.push(*choice);
        if waiting.is_seen {
            break;
        }
    }
    if !waiting.is_seen {
        return None;
    }
    let name = format!("{}: {}", trace.name, trace.kind.words());
    let text = cut(&states, &choices, &name).ok()?;
    Some(shrunk(game, trace, &text))
}

/// Whether a scenario still shows the find, whatever it expects.
fn shows(game: &Arc<Game>, trace: &FindTrace<'_>, text: &str) -> Option<ScenarioReport> {
    let scenario = read(text).ok()?.scenarios.into_iter().next()?;
    let options = RunOptions {
        record: false,
        bless: true,
    };
    let report = run(&scenario, game, options);
    if report.failure.is_some() {
        return None;
    }
    let says = |words: &str| {
        let mut events = report.steps.iter().flat_map(|step| &step.events);
        events.any(|event| event.contains(words) && event.contains(trace.name))
    };
    let is_shown = match trace.kind {
        FindKind::FailedExpression => says("cannot be worked out"),
        FindKind::GuardedLoop => says("loop guard"),
        FindKind::IdleEffect => {
            let mut taken = report.taken.iter();
            taken.any(|taken| (taken.model, taken.step) == trace.place)
        }
        FindKind::EndlessDuel => false,
    };
    is_shown.then_some(report)
}

/// Leaves out whatever the find does not need: lines, then parts of lists.
fn shrunk(game: &Arc<Game>, trace: &FindTrace<'_>, text: &str) -> String {
    // Without its expectations: others hold in a smaller position, and are filled in at the end.
    let bare: String = text
        .lines()
        .map(|line| match line.find(", expect = {") {
            Some(at) => format!("{}, expect = {{}} }},\n", &line[..at]),
            None => format!("{line}\n"),
        })
        .collect();
    if shows(game, trace, &bare).is_none() {
        return text.to_owned();
    }
    let best = least(bare, |candidate| shows(game, trace, candidate).is_some());
    filled(game, trace, &best).unwrap_or(best)
}

/// The text without whatever `keeps` can do without.
fn least(text: String, keeps: impl Fn(&str) -> bool) -> String {
    let mut best = text;
    while let Some(next) = shorter(&best).into_iter().find(|candidate| keeps(candidate)) {
        best = next;
    }
    best
}

/// What the card does when it is played, as a scenario without what makes no difference to it; its name says
/// what is doubtful.
pub(crate) fn played(game: &Arc<Game>, model: ModelId, doubt: &str) -> Option<String> {
    let card = game.model(model);
    // A scenario names cards: of two with one name it could mean either.
    if game.named(&card.name).count() != 1 {
        return None;
    }
    let text = skeleton(game, &card.id).ok()?;
    let named: Vec<String> = text
        .lines()
        .map(|line| match line.starts_with("name = ") {
            // What Rust writes of a text, TOML reads alike, but for letters that nobody sees.
            true => format!("name = {:?}\n", format!("{}: {doubt}", card.name)),
            false => format!("{line}\n"),
        })
        .collect();
    let text = named.concat();
    let seen = outcome(game, &text)?;
    let is_same =
        |candidate: &str| outcome(game, candidate).is_some_and(|other| steps(&other) == steps(&seen));
    let bare = outcome(game, &least(text, is_same))?;
    // The printed text stands above it, if there is room.
    if bare.lines().filter(|line| !line.is_empty()).count() <= MOST_LINES {
        return Some(bare);
    }
    let lines = bare.lines().filter(|line| !line.starts_with('#'));
    Some(lines.map(|line| format!("{line}\n")).collect())
}

/// How long the scenario of a hint is at most.
const MOST_LINES: usize = 12;

/// A scenario with what really happens in it.
fn outcome(game: &Arc<Game>, text: &str) -> Option<String> {
    let scenario = read(text).ok()?.scenarios.into_iter().next()?;
    let options = RunOptions {
        record: false,
        bless: true,
    };
    let report = run(&scenario, game, options);
    report.failure.is_none().then(|| bless(text, [&report]).0)
}

/// The steps of a scenario, as they are written.
fn steps(text: &str) -> &str {
    text.find("steps = [").map_or("", |at| &text[at..])
}

fn filled(game: &Arc<Game>, trace: &FindTrace<'_>, text: &str) -> Option<String> {
    let report = shows(game, trace, text)?;
    let (filled, _) = bless(text, [&report]);
    shows(game, trace, &filled)?;
    Some(filled)
}

/// The texts with one line, or one part of a list, less.
fn shorter(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let mut all = Vec::new();
    let without = |from: usize, count: usize| -> String {
        let kept = lines
            .iter()
            .enumerate()
            .filter(|(at, _)| *at < from || *at >= from + count);
        kept.map(|(_, line)| format!("{line}\n")).collect()
    };
    for (at, line) in lines.iter().enumerate() {
        let is_fixed = line.starts_with("[[") || line.starts_with("name =") || line.starts_with("steps =");
        let is_end = line.starts_with([']', '#']) || line.is_empty();
        if is_fixed || is_end {
            continue;
        }
        // A list over several lines goes as a whole, or by its lines.
        if line.ends_with('[') {
            let end = lines[at..]
                .iter()
                .position(|line| line.starts_with(']'))
                .unwrap_or(0);
            all.push(without(at, end + 1));
            continue;
        }
        if !line.contains("expect = {") {
            all.push(without(at, 1));
        }
    }
    for (at, line) in lines.iter().enumerate() {
        let Some((key, list)) = line.split_once(" = [") else {
            continue;
        };
        let Some(list) = list.strip_suffix(']') else {
            continue;
        };
        let parts: Vec<&str> = list.split(", ").filter(|part| !part.is_empty()).collect();
        for left in 0..parts.len() {
            let kept: Vec<&str> = parts
                .iter()
                .enumerate()
                .filter(|(part, _)| *part != left)
                .map(|(_, part)| *part)
                .collect();
            let mut changed: Vec<String> = lines.iter().map(|line| format!("{line}\n")).collect();
            changed[at] = format!("{key} = [{}]\n", kept.join(", "));
            all.push(changed.concat());
        }
    }
    all
}
