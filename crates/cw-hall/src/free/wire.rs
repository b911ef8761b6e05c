//! A view as it is sent: sections, and cards by the reader's own numbers. Only what changed is sent again.

use std::collections::BTreeMap;

use cw_table::{
    Kit, Looker, LookerSet, PileView, Sides, TableCardView, TableSeat, TableSide, TableView, Viewers, side_of,
};
use serde_json::{Map, Value, json};

use super::room::{Live, ToldEvent};
use super::{FreeHall, FreeRoom};

/// What a reader has been sent.
#[derive(Debug, Default)]
pub struct SentPicture {
    sections: BTreeMap<&'static str, Value>,
    cards: BTreeMap<u32, Value>,
    told: usize,
    begun: bool,
}

/// What one looker may see at one moment, ready to be compared and sent.
#[derive(Debug)]
pub struct TablePicture {
    sections: BTreeMap<&'static str, Value>,
    cards: BTreeMap<u32, Value>,
    log: Vec<Value>,
    told: usize,
}

impl TablePicture {
    /// What a looker sees, with what was told since.
    pub fn of(
        hall: &FreeHall,
        room: &FreeRoom,
        live: &Live,
        looker: Looker,
        sent: &SentPicture,
        there: &[bool],
    ) -> TablePicture {
        let kit = &hall.setting.kit;
        let now = live.table.view(looker);
        // S179: who is asked sees the table as it would be.
        let preview = match looker {
            Looker::Seat(seat) if now.runs.iter().any(|run| run.question.is_some()) => {
                live.table.preview(seat)
            }
            Looker::Seat(_) | Looker::Spectators | Looker::Referee => None,
        };
        let (mut view, said) = preview.unwrap_or_else(|| (now.clone(), Vec::new()));
        (view.runs, view.questions) = (now.runs, now.questions);
        let mut cards = BTreeMap::new();
        for (_, card) in view.cards() {
            cards.insert(card.handle, card_json(hall, kit, card));
        }
        let mut sections = sections(kit, live, &view, there);
        sections.insert(
            "runs",
            view.runs.iter().map(|run| run_json(kit, run, &said)).collect(),
        );
        sections.insert("born", json!(room.beside.born));
        sections.insert("scripts", json!(live.table.about_scripts()));
        sections.insert("table", view.table.iter().map(|card| card.handle).collect());
        sections.insert(
            "piles",
            view.piles.iter().map(|pile| pile_json(kit, pile)).collect(),
        );
        let skip = sent.told.saturating_sub(live.before);
        let log = live.told.iter().skip(skip).filter_map(|told| line(told, looker));
        TablePicture {
            sections,
            cards,
            log: log.collect(),
            told: live.told(),
        }
    }

    /// What of it the reader has not been sent; nothing if there is nothing.
    pub fn since(self, sent: &mut SentPicture) -> Option<String> {
        let mut message = Map::new();
        if !sent.begun {
            message.insert("fresh".to_owned(), json!(true));
        }
        for (name, value) in &self.sections {
            if sent.sections.get(name) != Some(value) {
                message.insert((*name).to_owned(), value.clone());
            }
        }
        let changed = self
            .cards
            .iter()
            .filter(|(handle, card)| sent.cards.get(handle) != Some(card));
        let changed: Vec<&Value> = changed.map(|(_, card)| card).collect();
        if !changed.is_empty() {
            message.insert("cards".to_owned(), json!(changed));
        }
        let gone: Vec<u32> = sent
            .cards
            .keys()
            .filter(|handle| !self.cards.contains_key(handle))
            .copied()
            .collect();
        if !gone.is_empty() {
            message.insert("gone".to_owned(), json!(gone));
        }
        if !self.log.is_empty() {
            message.insert("log".to_owned(), json!(self.log));
        }
        *sent = SentPicture {
            sections: self.sections,
            cards: self.cards,
            told: self.told,
            begun: true,
        };
        (!message.is_empty()).then(|| Value::Object(message).to_string())
    }
}

fn line(told: &ToldEvent, looker: Looker) -> Option<Value> {
    let message = told.event.message(looker)?;
    // Which cards an event without words is about is seen on the table.
    let pointed = told.pointed.iter().find(|(whose, _)| *whose == looker);
    let cards = pointed.map_or(&[][..], |(_, cards)| cards);
    if message.text.is_empty() && cards.is_empty() {
        return None;
    }
    let mut sent = json!({
        "step": told.step,
        "by": message.by.map(TableSeat::index),
        "kind": message.kind,
        "text": message.text,
        "cards": cards,
    });
    // Who reads more than those who watch is told so.
    let all_read = told.event.message(Looker::Spectators);
    if all_read.is_none_or(|read| read.text != message.text) {
        sent["own"] = json!(true);
    }
    Some(sent)
}

fn sections(kit: &Kit, live: &Live, view: &TableView, there: &[bool]) -> BTreeMap<&'static str, Value> {
    let me = match view.looker {
        Looker::Seat(seat) => Some(seat.index()),
        Looker::Spectators | Looker::Referee => None,
    };
    let seats = view.seats.iter().enumerate().map(|(at, seat)| {
        let side = side_of(view.sides, view.seats.len(), TableSeat::at(at));
        json!({
            "name": &*seat.name, "summary": seat.summary, "counters": seat.counters,
            "here": there.get(at), "came": live.has_come(TableSeat::at(at)),
            "present": seat.present, "conceded": seat.conceded,
            "ready": seat.ready, "sealed": seat.has_sealed, "side": side_number(side),
        })
    });
    let questions = view.questions.iter().map(|question| {
        let words = live.question_words(question.id, view.looker).unwrap_or_default();
        json!({
            "id": question.id, "by": question.by.index(), "rewind": question.rewind, "words": words,
            "open": question.open.seats().map(TableSeat::index).collect::<Vec<_>>(),
            "mine": me.is_some() && question.open.has(view.looker),
        })
    });
    let arrows = view
        .arrows
        .iter()
        .map(|(seat, from, to)| json!([seat.index(), from, to]));
    let notes = view.notes.iter().map(|note| {
        json!({
            "id": note.id, "by": note.author.index(), "x": note.x, "y": note.y,
            "text": &*note.text, "private": note.private
        })
    });
    let turn = json!({
        "active": view.active.map(TableSeat::index), "turn": view.turn, "phase": view.phase,
        "stops": (0..=kit.phases()).filter(|phase| view.stops >> phase & 1 == 1).collect::<Vec<u8>>(),
        "end": view.end_stop, "ended": view.ended,
    });
    BTreeMap::from([
        ("me", json!(me)),
        ("two", json!(view.sides != Sides::One)),
        ("seats", seats.collect()),
        ("shared", json!(view.shared_counters)),
        ("turn", turn),
        ("arrows", arrows.collect()),
        ("notes", notes.collect()),
        ("questions", questions.collect()),
        ("board", json!(view.board)),
        ("turned", json!(view.background_turned)),
        ("sealed", json!(view.sealed.as_deref())),
        ("pool", json!(view.pool)),
        ("undone", undone(live)),
    ])
}

/// Steps of the log that were taken back (F137); the taking back itself is none.
fn undone(live: &Live) -> Value {
    let mut steps: Vec<usize> = live.told.iter().map(|told| told.step).collect();
    steps.dedup();
    steps.retain(|step| {
        let gone = live.table.became(*step).is_some_and(|taken| taken.undone);
        gone && live.table.became(*step).is_some_and(|taken| taken.is_step)
    });
    json!(steps)
}

/// An entry that waits; what is asked, for who is asked.
fn run_json(kit: &Kit, run: &cw_table::RunView, said: &[String]) -> Value {
    use cw_table::ScriptQuestion as Asks;
    let shown = |cards: &[cw_table::ShownCard]| -> Vec<Value> {
        let one = |card: &cw_table::ShownCard| match &card.face {
            None => json!({ "name": "a card" }),
            Some((model, form)) => {
                let face = match model {
                    cw_table::TableModel::Card(at) => Some([*at, u32::from(*form)]),
                    cw_table::TableModel::Blank(_) => None,
                };
                json!({ "name": kit.name(model, *form), "face": face })
            }
        };
        cards.iter().map(one).collect()
    };
    let question = run.question.as_ref().map(|question| match question {
        Asks::Confirm { text } => json!({ "kind": "confirm", "text": text }),
        Asks::Number { text, default } => json!({ "kind": "number", "text": text, "value": default }),
        Asks::Text { text, default } => json!({ "kind": "text", "text": text, "value": default }),
        Asks::Choice {
            text,
            choices,
            buttons,
        } => json!({
            "kind": "choice", "text": text, "buttons": buttons,
            "choices": choices.iter()
                .map(|(text, colour)| json!([text, colour.map(|colour| colour.to_string())]))
                .collect::<Vec<_>>(),
        }),
        Asks::Marker => json!({ "kind": "marker", "text": question.text() }),
        Asks::Model { text, models } => json!({
            "kind": "model", "text": text,
            "models": models.iter().take(MOST_MODELS)
                .map(|at| kit.name(&cw_table::TableModel::Card(*at), 0).to_owned())
                .collect::<Vec<_>>(),
        }),
        Asks::Cards {
            title,
            text,
            label,
            bottom_label,
            cards,
            bottom,
            least,
            most,
        } => json!({
            "kind": "cards", "text": if text.is_empty() { title } else { text },
            "label": label, "below": bottom_label,
            "cards": shown(cards), "bottom": bottom.as_ref().map(|bottom| shown(bottom)),
            "least": least, "most": most,
        }),
    });
    json!({
        "id": run.id, "by": run.by.index(), "name": run.name, "of": run.of.index(),
        "q": question, "said": said
    })
}

/// Cards of the package that a question lists.
const MOST_MODELS: usize = 500;

fn side_number(side: TableSide) -> u8 {
    match side {
        TableSide::A => 0,
        TableSide::Left => 1,
        TableSide::B => 2,
        TableSide::Right => 3,
    }
}

fn pile_json(kit: &Kit, pile: &PileView) -> Value {
    let own = pile.owner.is_some();
    let kinds = if own { &kit.piles } else { &kit.shared_piles };
    let kind = kinds.iter().position(|kind| kind.name == pile.name);
    let viewers = match pile.viewers {
        Viewers::Nobody => json!("nobody"),
        Viewers::Everybody => json!("everybody"),
        Viewers::ByFace => json!("byface"),
        Viewers::List(eyes) => json!(numbers(eyes)),
    };
    let cards: Vec<Value> = pile
        .cards
        .iter()
        .map(|card| json!([card.card.handle, card.place]))
        .collect();
    json!({
        "id": pile.id.0, "kind": kind, "name": pile.name, "owner": pile.owner.map(TableSeat::index),
        "controller": pile.controller.map(TableSeat::index), "count": pile.count, "ordered": pile.ordered,
        "viewers": viewers, "top": numbers(pile.keep_top), "windows": numbers(pile.windows), "cards": cards,
    })
}

/// Seats, and 8 for those who watch.
fn numbers(eyes: LookerSet) -> Vec<usize> {
    let watching = eyes.has(Looker::Spectators).then_some(8);
    eyes.seats().map(TableSeat::index).chain(watching).collect()
}

/// Only what differs from a plain card stands there.
fn card_json(hall: &FreeHall, kit: &Kit, card: &TableCardView) -> Value {
    let mut out = Map::new();
    let mut put = |name: &str, value: Value| {
        out.insert(name.to_owned(), value);
    };
    put("h", json!(card.handle));
    if let Some(face) = &card.face {
        put("name", json!(face.name));
        let forms = face
            .model
            .map_or(1, |model| kit.forms(&cw_table::TableModel::Card(model)));
        put("face", json!([face.model, face.form, forms]));
    }
    put("size", json!([card.width, card.height]));
    put("at", json!([card.x, card.y]));
    let back = hall.backs.iter().position(|back| *back == card.back).unwrap_or(0);
    let flags = [
        ("up", card.up),
        ("remembered", card.remembered),
        ("anchored", card.anchored),
        ("locked", card.locked),
        ("token", card.token),
    ];
    for (name, _) in flags.iter().filter(|(_, is)| *is) {
        put(name, json!(true));
    }
    if back != 0 {
        put("back", json!(back));
    }
    if card.quarter.quarters() != 0 {
        put("quarter", json!(card.quarter.quarters()));
    }
    if card.faces != TableSide::A {
        put("side", json!(side_number(card.faces)));
    }
    for (name, seat) in [
        ("owner", card.owner),
        ("by", card.controller),
        ("target", card.target),
    ] {
        if let Some(seat) = seat {
            put(name, json!(seat.index()));
        }
    }
    if !card.markers.is_empty() {
        put("markers", json!(card.markers));
    }
    for (name, colour) in [("edge", card.highlight), ("tint", card.filter)] {
        if let Some(colour) = colour {
            put(name, json!(colour.to_string()));
        }
    }
    if let Some(host) = card.host {
        put("host", json!(host));
    }
    if let Some(note) = &card.note {
        put("note", json!(&**note));
    }
    if card.face.is_some() {
        put("seen", json!(numbers(card.seen_by)));
    }
    if !card.shown_to.is_empty() {
        put("shown", json!(numbers(card.shown_to)));
    }
    Value::Object(out)
}
