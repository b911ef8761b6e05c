//! What happened, as sentences, by turn.

use std::collections::BTreeSet;

use cw_duel::{CardId, DuelEvent, Game, Seat, ZoneKind};
use cw_program::{ModelId, PileName};
use cw_words::EventReader;
use maud::{Markup, html};

use super::{PageRegion, region};
use crate::labels;
use crate::scene::SeatScene;
use crate::table::{DuelTable, SentenceNames};

/// What a seat reads of one event.
#[derive(Clone, Debug)]
pub(crate) enum LogLine {
    Turn {
        /// The place of the event that began it, in its step.
        event: usize,
        number: u16,
        title: String,
    },
    /// Of the event with this place in its step.
    Sentence { event: usize, words: Markup },
}

struct LogTurn<'a> {
    number: u16,
    title: &'a str,
    /// The step, and what is said of it.
    lines: Vec<(usize, &'a Markup)>,
}

pub(super) fn log(out: &mut Vec<PageRegion>, scene: &SeatScene<'_>) {
    for turn in turns(scene) {
        let id = format!("log-{}", turn.number);
        let markup = html! {
            section id=(id) {
                h3 { (turn.title) }
                ol {
                    @for (step, words) in &turn.lines {
                        li { a href=(format!("moment/{step}")) { (words) } }
                    }
                }
            }
        };
        out.push(region(id, "log-turns", markup));
    }
}

fn turns<'a>(scene: &SeatScene<'a>) -> Vec<LogTurn<'a>> {
    let mut turns = vec![LogTurn {
        number: 0,
        title: match scene.table.start.stage {
            None => labels::BEFORE_THE_FIRST_TURN,
            Some(_) => labels::BEGINNING,
        },
        lines: Vec::new(),
    }];
    let unsaid = called_back(scene);
    for (at, step) in scene.table.steps().iter().enumerate().take(scene.at + 1) {
        for told in step.told[scene.seat].get_or_init(|| tell(scene.table, at, scene.seat)) {
            let turn = turns.last_mut().expect("there is a first");
            let (LogLine::Turn { event, .. } | LogLine::Sentence { event, .. }) = told;
            // Of a fight that is being shown not everything has happened yet.
            if at == scene.at && *event >= scene.moment.end && *event < step.events.len() {
                continue;
            }
            match told {
                LogLine::Turn { number, title, .. } => turns.push(LogTurn {
                    number: *number,
                    title,
                    lines: Vec::new(),
                }),
                LogLine::Sentence { event, words } if !unsaid.contains(&(at, *event)) => {
                    turn.lines.push((at, words));
                }
                LogLine::Sentence { .. } => {}
            }
        }
    }
    turns.retain(|turn| turn.number > 0 || !turn.lines.is_empty());
    turns
}

/// Attacks and counters that were declared and called back: in the end nothing happened. By step and event.
fn called_back(scene: &SeatScene<'_>) -> BTreeSet<(usize, usize)> {
    let mut unsaid = BTreeSet::new();
    let mut declared: Vec<(CardId, (usize, usize))> = Vec::new();
    for (at, step) in scene.table.steps().iter().enumerate().take(scene.at + 1) {
        for (place, event) in step.events.iter().enumerate() {
            match *event {
                DuelEvent::AttackDeclared { card }
                | DuelEvent::Joined { card, .. }
                | DuelEvent::BlockDeclared { card, .. } => {
                    declared.push((card.card, (at, place)));
                }
                DuelEvent::AttackCancelled { card, by: None } | DuelEvent::BlockCancelled { card } => {
                    if let Some(found) = declared.iter().rposition(|(who, _)| *who == card.card) {
                        unsaid.insert(declared.remove(found).1);
                        unsaid.insert((at, place));
                    }
                }
                // What is left stands.
                DuelEvent::PhaseBegan { .. } => declared.clear(),
                _ => {}
            }
        }
    }
    unsaid
}

fn tell(table: &DuelTable, at: usize, seat: Seat) -> Vec<LogLine> {
    let (step, duel) = (&table.steps()[at], table.duel_at(at));
    let reader = EventReader {
        duel: &duel,
        seat: Some(seat),
    };
    let place = &table.seats[seat.other()];
    let other = labels::other(place.who, place.name.as_deref());
    let told = cw_words::story(reader, &step.events).into_iter();
    let told = told.map(|(at, words)| {
        if let DuelEvent::TurnBegan { turn, seat: whose } = step.events[at] {
            return LogLine::Turn {
                event: at,
                number: turn,
                title: labels::turn(turn, whose == seat),
            };
        }
        LogLine::Sentence {
            event: at,
            words: with_names(
                &labels::told(&words, &step.events[at], &other),
                duel.game(),
                &table.names,
            ),
        }
    });
    let again = step.reseeded.then(|| LogLine::Sentence {
        event: usize::MAX,
        words: html! { (labels::SHUFFLED_ANEW) },
    });
    again.into_iter().chain(told).collect()
}

/// The sentence with each name of a card as something to point at. The sentence holds only names
/// that its reader may know.
fn with_names(words: &str, game: &Game, names: &SentenceNames) -> Markup {
    let mut parts: Vec<(&str, Option<ModelId>)> = Vec::new();
    let mut plain = 0;
    let mut at = 0;
    while at < words.len() {
        let rest = &words[at..];
        match names.at_the_start_of(rest, game) {
            Some((length, model)) => {
                parts.push((&words[plain..at], None));
                parts.push((&rest[..length], Some(model)));
                at += length;
                plain = at;
            }
            None => at += next_word(rest),
        }
    }
    parts.push((&words[plain..], None));
    html! {
        @for (part, model) in parts {
            @match model {
                Some(model) => span.name data-model=(model.0) { (part) },
                None => (part),
            }
        }
    }
}

/// Bytes up to the beginning of the next word.
fn next_word(text: &str) -> usize {
    let end = text.find(' ').unwrap_or(text.len());
    let gap = text[end..]
        .find(|letter| letter != ' ')
        .unwrap_or(text.len() - end);
    (end + gap).max(1)
}

/// The newest sentences, to be read aloud. Where a card goes that is KOed is said by that.
pub(crate) fn aloud(scene: &SeatScene<'_>) -> String {
    let events = scene.news();
    let told = cw_words::story(scene.reader(), events).into_iter();
    let other = scene.other();
    let is_said = |at: usize| match events.get(at) {
        Some(DuelEvent::Moved { card, to, .. }) => {
            let koed = |event: &DuelEvent| match event {
                DuelEvent::KnockedOut { card: other } => other.card == card.card,
                _ => false,
            };
            to.zone == ZoneKind::Pile(PileName::Discards) && events[..at].iter().any(koed)
        }
        _ => false,
    };
    let told: Vec<String> = told
        .filter(|(at, _)| !is_said(*at))
        .map(|(at, words)| labels::told(&words, &events[at], &other))
        .collect();
    told.join(" ")
}
