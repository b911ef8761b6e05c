//! Cards and players as they appear in what is told.

use cw_program::ModelId;

use crate::base::card::CardId;
use crate::base::seat::{Seat, SeatSet};

/// A card as it appears in an event: which one, what it was at that moment, and who knew that.
/// Later it may be another card (G243), or the same index stands for another one (D50); an event
/// goes on telling what happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    /// Which card.
    pub card: CardId,
    /// What it was; not to be shown to others than `to`.
    model: ModelId,
    /// Who knows.
    pub to: SeatSet,
}

impl Seen {
    pub(crate) fn new(card: CardId, model: ModelId, to: SeatSet) -> Seen {
        Seen { card, model, to }
    }

    /// What the card was, as far as this player knew.
    pub fn model(self, seat: Seat) -> Option<ModelId> {
        self.to.contains(seat).then_some(self.model)
    }

    /// What the card was, for a log that hides nothing.
    pub fn true_model(self) -> ModelId {
        self.model
    }
}

/// A card or a player as it appears in an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A card.
    Card(Seen),
    /// A player.
    Player(Seat),
}
