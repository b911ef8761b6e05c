//! What stands in a line for the piles, cards and models of a table.

use crate::{CardAt, CardGroup, Kit, Looker, LookerSet, PileId, TableModel, TableState, VerbCards};

/// The table that a line is written about.
pub(crate) struct LineWriter<'a> {
    pub(super) kit: &'a Kit,
    pub(super) state: &'a TableState,
}

/// A text in quotes. A line stays one line: what ends lines is escaped, as quotes are.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '\\' | '"' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// A name that needs no quotes stands without.
pub(super) fn bare(text: &str) -> String {
    let plain = text.chars().all(|c| c.is_alphanumeric() || "-_.".contains(c));
    let starts = text.starts_with(char::is_alphabetic);
    if plain && starts {
        text.to_owned()
    } else {
        quoted(text)
    }
}

impl LineWriter<'_> {
    pub(super) fn pile(&self, pile: PileId) -> String {
        let Some(found) = self.state.piles.get(pile.index()) else {
            return format!("#{}", pile.0);
        };
        let owner = found
            .owner
            .map_or_else(|| "*".to_owned(), |owner| owner.to_string());
        let name = &found.kind(self.kit).name;
        let first = self.state.piles.iter().position(|other| {
            let kind = other.kind(self.kit);
            other.owner == found.owner && (kind.name == *name || kind.written == *name)
        });
        if first == Some(pile.index()) {
            return format!("{owner}/{}", bare(name));
        }
        format!("{owner}/#{}", pile.0)
    }

    pub(super) fn group(&self, group: CardGroup) -> String {
        match group {
            CardGroup::Table => "table".to_owned(),
            CardGroup::Pile(pile) => self.pile(pile),
        }
    }

    pub(super) fn cards(&self, cards: &VerbCards) -> String {
        let refs: Vec<String> = cards
            .cards
            .iter()
            .map(|card| match card {
                CardAt::Handle(handle) => handle.to_string(),
                CardAt::Card(_) => "card".to_owned(),
                CardAt::Place(place) => format!("@{}", u64::from(*place) + 1),
            })
            .collect();
        format!("{}:{}", self.group(cards.group), refs.join(","))
    }

    pub(super) fn model(&self, model: &TableModel) -> String {
        match model {
            TableModel::Blank(name) => format!("={}", quoted(name)),
            TableModel::Card(index) => {
                let id = self.kit.card(model).map(|card| card.id.value);
                match id.filter(|id| self.kit.by_id(*id).as_ref() == Some(model)) {
                    Some(id) => format!("={id}"),
                    None => format!("=#{index}"),
                }
            }
        }
    }
}

pub(super) fn eyes_text(eyes: LookerSet) -> String {
    match eyes {
        LookerSet::ALL => "everybody".to_owned(),
        LookerSet::NONE => "nobody".to_owned(),
        eyes => eyes_list(eyes),
    }
}

pub(super) fn eyes_list(eyes: LookerSet) -> String {
    let mut parts: Vec<String> = eyes.seats().map(|seat| seat.to_string()).collect();
    if eyes.has(Looker::Spectators) {
        parts.push("spectators".to_owned());
    }
    if parts.is_empty() {
        "nobody".to_owned()
    } else {
        parts.join(",")
    }
}
