//! The log of a duel, as it happens.

use cw_duel::{Duel, Event, Seat, Sink};
use cw_words::Reader;

use crate::output::say;

/// Keeps the events of one answer, to be told when the state is there to name things.
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
        let reader = Reader { duel, seat };
        for event in self.events.drain(..) {
            if let Some(words) = cw_words::event(reader, &event) {
                let indent = if matches!(event, Event::TurnBegan { .. }) {
                    ""
                } else {
                    "  "
                };
                say!("{indent}{words}");
            }
        }
    }

    /// Forgets what happened.
    pub(crate) fn clear(&mut self) {
        self.events.clear();
    }
}
