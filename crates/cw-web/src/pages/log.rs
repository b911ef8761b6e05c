//! What happened, as sentences, by turn.

use cw_duel::{Event, Game, Seat};
use cw_program::ModelId;
use cw_words::Reader;
use maud::{Markup, html};

use super::{Region, region};
use crate::labels;
use crate::scene::Scene;
use crate::table::{Names, Table};

/// What a seat reads of one event.
#[derive(Clone, Debug)]
pub(crate) enum Told {
    Turn { number: u16, title: String },
    Sentence(Markup),
}

struct Turn<'a> {
    number: u16,
    title: &'a str,
    /// The step, and what is said of it.
    lines: Vec<(usize, &'a Markup)>,
}

pub(super) fn log(out: &mut Vec<Region>, scene: &Scene<'_>) {
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

fn turns<'a>(scene: &Scene<'a>) -> Vec<Turn<'a>> {
    let mut turns = vec![Turn {
        number: 0,
        title: match scene.table.start.stage {
            None => labels::BEFORE_THE_FIRST_TURN,
            Some(_) => labels::BEGINNING,
        },
        lines: Vec::new(),
    }];
    for (at, step) in scene.table.steps().iter().enumerate().take(scene.at + 1) {
        for told in step.told[scene.seat].get_or_init(|| tell(scene.table, at, scene.seat)) {
            let turn = turns.last_mut().expect("there is a first");
            match told {
                Told::Turn { number, title } => turns.push(Turn {
                    number: *number,
                    title,
                    lines: Vec::new(),
                }),
                Told::Sentence(words) => turn.lines.push((at, words)),
            }
        }
    }
    turns.retain(|turn| turn.number > 0 || !turn.lines.is_empty());
    turns
}

fn tell(table: &Table, at: usize, seat: Seat) -> Vec<Told> {
    let (step, duel) = (&table.steps()[at], table.duel_at(at));
    let reader = Reader {
        duel: &duel,
        seat: Some(seat),
    };
    let told = cw_words::story(reader, &step.events).into_iter();
    let told = told.map(|(at, words)| {
        if let Event::TurnBegan { turn, seat: whose } = step.events[at] {
            return Told::Turn {
                number: turn,
                title: labels::turn(turn, whose == seat),
            };
        }
        Told::Sentence(with_names(&words, duel.game(), &table.names))
    });
    let again = step
        .reseeded
        .then(|| Told::Sentence(html! { (labels::SHUFFLED_ANEW) }));
    again.into_iter().chain(told).collect()
}

/// The sentence with each name of a card as something to point at. The sentence holds only names
/// that its reader may know.
fn with_names(words: &str, game: &Game, names: &Names) -> Markup {
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

/// The newest sentences, to be read aloud.
pub(crate) fn aloud(scene: &Scene<'_>) -> String {
    let told = cw_words::story(scene.reader(), &scene.step.events).into_iter();
    told.map(|(_, words)| words).collect::<Vec<_>>().join(" ")
}
