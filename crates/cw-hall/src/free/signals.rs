//! What passes and is not kept: where a seat points, what it moves. Never what a card is.
//!
//! A signal names cards of the table only, by handles of whoever reads it. What somebody does with the cards
//! of a hand or a hidden pile is not told at all: their places would tell one card from another (F152).

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use cw_table::{CardGroup, FreeTable, Looker, TableCardId, TableSeat};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::bell::{Bell, BellListener};
use crate::lock::locked;

/// What a seat's pointer does, in the coordinates of side A.
#[derive(Clone, Debug)]
pub struct Signal {
    by: TableSeat,
    at: Option<(i32, i32)>,
    /// Cards of the table that it looks at or moves.
    cards: Vec<TableCardId>,
    /// They move with the pointer, from where they lie, by so much.
    shift: Option<(i32, i32)>,
}

/// Signals on their way: the newest, for whoever follows the table. Who is slow misses the oldest.
#[derive(Debug, Default)]
pub struct Signals {
    waiting: Mutex<Waiting>,
    bell: Arc<Bell>,
}

#[derive(Debug, Default)]
struct Waiting {
    newest: VecDeque<Signal>,
    /// How many were sent before those.
    before: u64,
}

/// Signals that wait for those who follow.
const MOST_WAITING: usize = 64;

impl Signals {
    /// Sends a signal to all who follow.
    pub fn send(&self, signal: Signal) {
        let mut waiting = locked(&self.waiting);
        waiting.newest.push_back(signal);
        if waiting.newest.len() > MOST_WAITING {
            waiting.newest.pop_front();
            waiting.before += 1;
        }
        drop(waiting);
        self.bell.ring();
    }

    /// Follows the signals from now on.
    pub fn follow(self: &Arc<Signals>) -> SignalReader {
        let waiting = locked(&self.waiting);
        let read = waiting.before + waiting.newest.len() as u64;
        drop(waiting);
        SignalReader {
            listener: self.bell.listen(),
            signals: Arc::clone(self),
            read,
        }
    }
}

/// Reads signals one after the other.
#[derive(Debug)]
pub struct SignalReader {
    signals: Arc<Signals>,
    listener: BellListener,
    /// How many of all signals were read, or missed.
    read: u64,
}

impl SignalReader {
    /// The next signal, when there is one. Nothing is lost if the wait is given up.
    pub async fn next(&mut self) -> Signal {
        loop {
            if let Some(signal) = self.take() {
                return signal;
            }
            self.listener.rung().await;
        }
    }

    fn take(&mut self) -> Option<Signal> {
        let waiting = locked(&self.signals.waiting);
        self.read = self.read.max(waiting.before);
        let at = usize::try_from(self.read - waiting.before).ok()?;
        let signal = waiting.newest.get(at)?.clone();
        self.read += 1;
        Some(signal)
    }
}

/// What a page sends.
#[derive(Debug, Deserialize)]
pub struct SentSignal {
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
    pub fn of(table: &FreeTable, by: TableSeat, sent: &SentSignal) -> Signal {
        let state = table.state();
        let most = table.kit().limits.position;
        let near = |(x, y): (i32, i32)| (x.clamp(-most, most), y.clamp(-most, most));
        let cards = sent.cards.iter().take(MOST);
        let cards = cards.filter_map(|handle| state.by_handle(Looker::Seat(by), *handle));
        Signal {
            by,
            at: sent.at.map(near),
            cards: cards
                .filter(|card| state.card(*card).group == CardGroup::Table)
                .collect(),
            shift: sent.shift.map(near),
        }
    }

    /// The signal as somebody else reads it; nothing for who sent it.
    pub fn read_by(&self, table: &FreeTable, looker: Looker) -> Option<Value> {
        if looker == Looker::Seat(self.by) {
            return None;
        }
        let state = table.state();
        let is_there = |card: &&TableCardId| state.table.contains(card);
        let cards: Vec<u32> = self
            .cards
            .iter()
            .filter(is_there)
            .map(|card| state.handle(looker, *card))
            .collect();
        Some(json!({ "by": self.by.index(), "at": self.at, "cards": cards, "shift": self.shift }))
    }
}
