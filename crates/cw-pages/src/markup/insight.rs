//! Where a number comes from, and what the engine did: for those who want to look behind the table.

use std::collections::BTreeMap;
use std::ops::Range;

use cw_duel::{
    CardId, DuelObject, ExplainedNumber, Explanation, Seat, StepResult, TraceStep, TraceValue, Traced,
};
use cw_program::{ModelId, PileName};
use maud::{Markup, html};

use crate::labels;
use crate::package::ShownRule;
use crate::scene::SeatScene;

/// A number's name in addresses: `hp-me`, `deck-them`, `bp-12`.
pub(crate) fn address(scene: &SeatScene<'_>, value: ExplainedNumber) -> Option<String> {
    let side = |seat: Seat| if seat == scene.seat { "me" } else { "them" };
    Some(match value {
        ExplainedNumber::Hp(seat) => format!("hp-{}", side(seat)),
        ExplainedNumber::Sp(seat) => format!("sp-{}", side(seat)),
        ExplainedNumber::Cards(seat, pile) => format!("{}-{}", pile, side(seat)),
        ExplainedNumber::Bp(card) => format!("bp-{}", card.0),
        ExplainedNumber::Cost(card) => format!("cost-{}", card.0),
        ExplainedNumber::Attack(card) => format!("attack-{}", card.0),
        ExplainedNumber::Turn
        | ExplainedNumber::CharactersPlayed(_)
        | ExplainedNumber::CharactersPerTurn(_)
        | ExplainedNumber::Backups(_)
        | ExplainedNumber::ExtraTurns(_)
        | ExplainedNumber::UnitedCost(_) => return None,
    })
}

/// Which number an address means.
pub fn value(seat: Seat, address: &str) -> Option<ExplainedNumber> {
    let (kind, of) = address.split_once('-')?;
    let card = || of.parse().ok().map(CardId);
    let whose = || match of {
        "me" => Some(seat),
        "them" => Some(seat.other()),
        _ => None,
    };
    let pile = |pile| Some(ExplainedNumber::Cards(whose()?, pile));
    match kind {
        "hp" => Some(ExplainedNumber::Hp(whose()?)),
        "sp" => Some(ExplainedNumber::Sp(whose()?)),
        "bp" => Some(ExplainedNumber::Bp(card()?)),
        "cost" => Some(ExplainedNumber::Cost(card()?)),
        "attack" => Some(ExplainedNumber::Attack(card()?)),
        "hand" => pile(PileName::Hand),
        "deck" => pile(PileName::Deck),
        "discards" => pile(PileName::Discards),
        "removed" => pile(PileName::Removed),
        _ => None,
    }
}

/// Stands for the newest step in the address of an explanation.
pub const NOW: &str = "now";

/// A number that leads to its explanation. At the table that is played the address names no step: with it
/// every region that holds a number would change with every choice, and be sent again.
pub(crate) fn number(scene: &SeatScene<'_>, value: ExplainedNumber, words: &str) -> Markup {
    let Some(of) = address(scene, value) else {
        return html! { (words) };
    };
    let step = if scene.is_played() {
        NOW.to_owned()
    } else {
        scene.at.to_string()
    };
    html! {
        a.number href=(format!("explain/{step}/{of}")) title=(labels::EXPLAIN_HINT) { (words) }
    }
}

/// Base and changes, as lines.
pub fn explanation(scene: &SeatScene<'_>, explained: &Explanation) -> Markup {
    let reader = scene.reader();
    let title = labels::capital(&cw_words::value(reader, explained.of));
    let mut lines = cw_words::explanation(reader, explained).into_iter();
    html! {
        h3 { (title) ": " (explained.value) }
        ol.shares {
            @if let Some(base) = lines.next() { li.base { (base) } }
            @for line in lines { li { (line) } }
        }
    }
}

/// What programs did on the way to this step. During the duel a seat reads only what ran for it.
pub fn trace(
    scene: &SeatScene<'_>,
    lines: &[Traced],
    rules: &BTreeMap<ModelId, ShownRule>,
    over: bool,
) -> Markup {
    let shown: Vec<&Traced> = lines
        .iter()
        .filter(|line| over || line.executor == scene.seat)
        .filter(|line| line.depth > 0)
        .collect();
    let mut runs: Vec<Vec<&Traced>> = Vec::new();
    for line in shown {
        match runs.last_mut() {
            Some(run) if same_run(run[0], line) => run.push(line),
            _ => runs.push(vec![line]),
        }
    }
    html! {
        h3 { (labels::TRACE) }
        @if runs.is_empty() { p.hint { (labels::NO_TRACE) } }
        @for run in runs.iter().take(MOST_RUNS) { (one_run(scene, run, rules)) }
    }
}

/// Runs of programs that are shown at once.
const MOST_RUNS: usize = 24;

fn same_run(first: &Traced, line: &Traced) -> bool {
    (first.place.model, first.source, first.depth) == (line.place.model, line.source, line.depth)
}

fn one_run(scene: &SeatScene<'_>, run: &[&Traced], rules: &BTreeMap<ModelId, ShownRule>) -> Markup {
    let first = run[0];
    let game = scene.game();
    let rule = rules.get(&first.place.model);
    let span = |line: &&Traced| rule?.span(game, line.place);
    let ran: Vec<_> = run.iter().filter_map(span).collect();
    let text = rule.map_or("", |rule| &rule.text);
    html! {
        section.run {
            h4 { (name(scene, first, DuelObject::card(first.source))) }
            (marked(text, &ran))
            ol {
                @for (at, line) in run.iter().enumerate() {
                    @let (words, bound) = (said(line), bound(scene, &run[..at], line));
                    @if words.is_some() || !bound.is_empty() {
                        li {
                            @if let Some(words) = words {
                                @if let Some(statement) = span(line).and_then(|span| text.get(span)) {
                                    code { (statement) } " "
                                }
                                (words)
                            }
                            @if words.is_some() && !line.targets.is_empty() {
                                span.quiet { " → " (names(scene, line, &line.targets)) }
                            }
                            @if !bound.is_empty() {
                                dl.bound {
                                    @for (name, value) in bound { div { dt { (name) } dd { (value) } } }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// A card or player as the line knew it, as far as the reader may.
fn name(scene: &SeatScene<'_>, line: &Traced, object: DuelObject) -> String {
    let reader = scene.reader();
    let over = scene.view.outcome.is_some();
    match (object.as_card(), object.as_player()) {
        (Some(card), _) => line.seen(card).map_or_else(String::new, |seen| match over {
            true => reader.model(seen.true_model()).to_owned(),
            false => reader.seen(seen),
        }),
        (None, Some(seat)) => reader.player(seat).to_owned(),
        (None, None) => String::new(),
    }
}

fn names(scene: &SeatScene<'_>, line: &Traced, objects: &[DuelObject]) -> String {
    let names: Vec<String> = objects.iter().map(|object| name(scene, line, *object)).collect();
    names.join(", ")
}

/// Variables that this line has and the one before it had not, or had otherwise. A value that may
/// tell of hidden cards is kept back until the duel is over.
fn bound<'a>(scene: &SeatScene<'_>, before: &[&Traced], line: &'a Traced) -> Vec<(&'a str, String)> {
    let over = scene.view.outcome.is_some();
    if matches!(line.step, TraceStep::Ends(_)) {
        return Vec::new();
    }
    let had = before.last().map_or(&[][..], |line| &line.variables[..]);
    let fresh = line.variables.iter().filter(|variable| !had.contains(variable));
    let told = fresh.map(|variable| {
        let value = match &variable.value {
            _ if !over && !variable.to.contains(scene.seat) => labels::HIDDEN_VALUE.to_owned(),
            TraceValue::Objects(objects) if objects.is_empty() => labels::NOTHING.to_owned(),
            TraceValue::Objects(objects) => names(scene, line, objects),
            TraceValue::Text(text) => text.clone(),
        };
        (&*variable.name, value)
    });
    told.collect()
}

/// The rule's text, with what ran marked.
fn marked(text: &str, ran: &[Range<usize>]) -> Markup {
    let mut cuts: Vec<usize> = ran.iter().flat_map(|span| [span.start, span.end]).collect();
    cuts.extend([0, text.len()]);
    cuts.sort_unstable();
    cuts.dedup();
    let pieces = cuts.windows(2).filter_map(|cut| {
        let inside = ran.iter().any(|span| span.start <= cut[0] && cut[1] <= span.end);
        Some((text.get(cut[0]..cut[1])?, inside))
    });
    html! {
        pre.rule { @for (piece, inside) in pieces { @if inside { mark { (piece) } } @else { (piece) } } }
    }
}

/// What came of a step, in words; nothing for what goes without saying.
fn said(line: &Traced) -> Option<&'static str> {
    match line.step {
        TraceStep::Step(result) => Some(labels::result_of_step(result)),
        TraceStep::Requisites(false) => Some(labels::NO_REQUISITE),
        TraceStep::Target(false) => Some(labels::result_of_step(StepResult::NoTargets)),
        TraceStep::Target(true) => Some(labels::TARGET_FOUND),
        TraceStep::Begins(_) | TraceStep::Requisites(true) | TraceStep::Vars | TraceStep::Ends(_) => None,
    }
}
