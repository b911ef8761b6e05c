//! What passes and is not kept: where a seat points, what it moves. Never what a card is.
//!
//! A signal names cards of the table only, by handles of whoever reads it. What somebody does with the cards of a
//! hand or a hidden pile is not told at all: their places would tell one card from another (F152).

use cw_table::{CardId, Group, Looker, Seat, Table};
use serde::Deserialize;
use serde_json::{Value, json};

/// What a seat's pointer does, in the coordinates of side A.
#[derive(Clone, Debug)]
pub(crate) struct Signal {
    by: Seat,
    at: Option<(i32, i32)>,
    /// Cards of the table that it looks at or moves.
    cards: Vec<CardId>,
    /// They move with the pointer, from where they lie, by so much.
    shift: Option<(i32, i32)>,
}

/// What a page sends.
#[derive(Debug, Deserialize)]
pub(crate) struct Sent {
    #[serde(default)]
    at: Option<(i32, i32)>,
    #[serde(default)]
    cards: Vec<u32>,
    #[serde(default)]
    shift: Option<(i32, i32)>,
}

/// Cards of one signal.
const MOST: usize = 40;

impl Signal {
    /// What others may know of it.
    pub(super) fn of(table: &Table, by: Seat, sent: &Sent) -> Signal {
        let state = table.state();
        let most = table.kit().limits.position;
        let near = |(x, y): (i32, i32)| (x.clamp(-most, most), y.clamp(-most, most));
        let cards = sent.cards.iter().take(MOST);
        let cards = cards.filter_map(|handle| state.by_handle(Looker::Seat(by), *handle));
        Signal {
            by,
            at: sent.at.map(near),
            cards: cards
                .filter(|card| state.card(*card).group == Group::Table)
                .collect(),
            shift: sent.shift.map(near),
        }
    }

    /// The signal as somebody else reads it; nothing for who sent it.
    pub(super) fn read_by(&self, table: &Table, looker: Looker) -> Option<Value> {
        if looker == Looker::Seat(self.by) {
            return None;
        }
        let state = table.state();
        let is_there = |card: &&CardId| state.table.contains(card);
        let cards: Vec<u32> = self
            .cards
            .iter()
            .filter(is_there)
            .map(|card| state.handle(looker, *card))
            .collect();
        Some(json!({ "by": self.by.index(), "at": self.at, "cards": cards, "shift": self.shift }))
    }
}
