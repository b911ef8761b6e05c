//! The log of a duel, as it happens.

use cw_duel::{Duel, DuelEvent, Seat, Sink};
use cw_words::EventReader;

use crate::output::say;

/// Keeps the events of one answer, to be told when it is done.
#[derive(Debug, Default)]
pub(crate) struct AnswerLog {
    events: Vec<DuelEvent>,
}

impl Sink for AnswerLog {
    fn event(&mut self, event: &DuelEvent) {
        self.events.push(*event);
    }
}

impl AnswerLog {
    /// Prints what happened, as this seat may know it; `None` knows everything.
    pub(crate) fn print(&mut self, duel: &Duel, seat: Option<Seat>) {
        for (at, words) in cw_words::story(EventReader { duel, seat }, &self.events) {
            let indent = if matches!(self.events[at], DuelEvent::TurnBegan { .. }) {
                ""
            } else {
                "  "
            };
            say!("{indent}{words}");
        }
        self.events.clear();
    }

    /// Forgets what happened.
    pub(crate) fn clear(&mut self) {
        self.events.clear();
    }
}
