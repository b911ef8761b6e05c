//! Secrets that follow from the key of the store: none of them lies among what is kept.
//!
//! Each has one purpose, and each purpose is written here once: two that were equal would open each other's
//! doors.

use cw_duel::Seat;
use cw_pages::secret::Secret;
use cw_table::Looker;

/// Makes the secrets of a hall out of the key of its store.
#[derive(Clone, Debug)]
pub struct HallKeys(Secret);

impl HallKeys {
    pub(crate) fn new(key: Secret) -> HallKeys {
        HallKeys(key)
    }

    /// Who can show it may see the front page: whoever runs the host.
    pub(crate) fn front_page(&self) -> Secret {
        self.0.child("cardwright front page")
    }

    /// Shows that whoever has it was invited to the seat of this name.
    pub(crate) fn invitation(&self, name: &str) -> Secret {
        self.0.child(&format!("cardwright invitation to {name}"))
    }

    /// Proves that a browser sits at a seat of a table of duels.
    pub(crate) fn seat(&self, table: &str, seat: Seat) -> Secret {
        let number = seat.index() + 1;
        self.0.child(&format!("cardwright seat {number} of {table}"))
    }

    /// The host's part in the shuffle of a duel.
    pub(crate) fn shuffle(&self, duel: &str) -> Secret {
        self.0.child(&format!("cardwright shuffle of {duel}"))
    }

    /// The name of the duel that follows this one at its table.
    pub(crate) fn next_duel(&self, duel: &str) -> String {
        self.0.child(&format!("cardwright duel after {duel}")).public()
    }

    /// Proves that a browser sits at a seat of a draft.
    pub(crate) fn draft_seat(&self, draft: &str, seat: usize) -> Secret {
        self.0
            .child(&format!("cardwright seat {seat} of the draft {draft}"))
    }

    /// Opens the view of somebody who looks at a free table.
    pub(crate) fn looker(&self, table: &str, looker: Looker) -> Secret {
        self.0.child(&match looker {
            Looker::Seat(seat) => format!("cardwright seat {seat} of the free table {table}"),
            Looker::Spectators | Looker::Referee => {
                format!("cardwright spectators of the free table {table}")
            }
        })
    }
}
