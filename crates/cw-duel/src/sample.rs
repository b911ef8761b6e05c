//! Another duel that a player cannot tell from this one: what the player does not know is dealt
//! anew (D50).

use cw_program::ModelId;

use crate::Seat;
use crate::card::CardId;
use crate::chance::Chance;
use crate::duel::Duel;

impl Duel {
    /// A copy in which the cards that this player does not know have changed what they are among
    /// each other, separately on both sides of the table; numbers, known cards and places stay.
    /// What the other player is asked may differ; what this player sees and is asked does not.
    ///
    /// `None` in the middle of an effect: it may already have looked at what is dealt anew.
    pub fn with_unknown_redealt(&self, seat: Seat, seed: u64) -> Option<Duel> {
        if !self.state.frames.is_empty() {
            return None;
        }
        let mut duel = self.clone();
        let mut chance = Chance::seeded(seed);
        for side in Seat::BOTH {
            let unknown = duel.unknown_to(seat, side);
            let faces = |card: &CardId| {
                let entry = duel.state.cards[card.index()];
                (entry.model, entry.bp)
            };
            let mut faces: Vec<(ModelId, i32)> = unknown.iter().map(faces).collect();
            chance.shuffle(&mut faces);
            for (card, (model, bp)) in unknown.iter().zip(faces) {
                let entry = &mut duel.state.cards[card.index()];
                (entry.model, entry.bp) = (model, bp);
            }
        }
        if duel.state.outcome.is_none() {
            // The question that waits is asked again; nothing else runs.
            duel.machine(None).run();
        }
        Some(duel)
    }

    /// Cards on one side of the table that the player does not know. The card that the other player
    /// is about to use is left out: it was chosen for what it is.
    fn unknown_to(&self, seat: Seat, side: Seat) -> Vec<CardId> {
        let chosen = self.pending().and_then(|decision| decision.source);
        let cards = (0..self.state.cards.len()).map(|index| CardId(index as u8));
        cards
            .filter(|card| {
                let entry = self.state.cards[card.index()];
                entry.controller() == side && !entry.known().contains(seat) && Some(*card) != chosen
            })
            .collect()
    }
}
