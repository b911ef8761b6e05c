//! The log of a duel, as it happens.

use cw_duel::{Duel, Event, Seat, Sink};
use cw_words::Reader;

use crate::output::say;

/// Keeps the events of one answer, to be told when it is done.
#[derive(Debug, Default)]
pub(crate) struct Log {
    events: Vec<Event>,
}

impl Sink for Log {
    fn event(&mut self, event: &Event) {
        self.events.push(*event);
    }
}

impl Log {
    /// Prints what happened, as this seat may know it; `None` knows everything.
    pub(crate) fn print(&mut self, duel: &Duel, seat: Option<Seat>) {
        for (at, words) in cw_words::story(Reader { duel, seat }, &self.events) {
            let indent = if matches!(self.events[at], Event::TurnBegan { .. }) {
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
