//! What happened, as sentences, by turn.

use cw_duel::Event;
use maud::html;

use super::{Region, region};
use crate::scene::Scene;

struct Line {
    step: usize,
    words: String,
}

struct Turn {
    number: u16,
    title: String,
    lines: Vec<Line>,
}

pub(super) fn log(out: &mut Vec<Region>, scene: &Scene<'_>) {
    for turn in turns(scene) {
        let id = format!("log-{}", turn.number);
        let markup = html! {
            section id=(id) {
                h3 { (turn.title) }
                ol {
                    @for line in &turn.lines {
                        li { a href=(format!("moment/{}", line.step)) { (line.words) } }
                    }
                }
            }
        };
        out.push(region(id, "log-turns", markup));
    }
}

fn turns(scene: &Scene<'_>) -> Vec<Turn> {
    let mut turns = vec![Turn {
        number: 0,
        title: "Before the first turn".into(),
        lines: Vec::new(),
    }];
    for (at, step) in scene.table.steps.iter().enumerate().take(scene.at + 1) {
        let reader = cw_words::Reader {
            duel: &step.duel,
            seat: Some(scene.seat),
        };
        for event in &step.events {
            if let Event::TurnBegan { turn, seat } = *event {
                turns.push(Turn {
                    number: turn,
                    title: title(turn, seat == scene.seat),
                    lines: Vec::new(),
                });
                continue;
            }
            let Some(words) = cw_words::event(reader, event) else {
                continue;
            };
            let turn = turns.last_mut().expect("there is a first");
            match turn.lines.last_mut() {
                // Five cards drawn unseen are one line.
                Some(last) if last.words == words && last.step == at => {}
                _ => turn.lines.push(Line { step: at, words }),
            }
        }
    }
    turns
}

fn title(turn: u16, mine: bool) -> String {
    format!("Turn {turn} · {}", if mine { "yours" } else { "theirs" })
}

/// The newest sentences, to be read aloud.
pub(crate) fn aloud(scene: &Scene<'_>) -> String {
    let reader = scene.reader();
    let said = scene
        .step
        .events
        .iter()
        .filter_map(|event| cw_words::event(reader, event));
    said.collect::<Vec<_>>().join(" ")
}
