//! What one seat may know of a draft.

use cw_octgn::{Pool, PoolCard};

use crate::{Draft, DraftPlayer};

/// What a seat may know: the pack before it, what it has taken, and of the others only how many cards they
/// have and how many packs wait for them. Pages are made of this alone, so none can name a card of a pack
/// that the seat has not seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DraftView {
    /// Whose view it is.
    pub seat: usize,
    /// The round that is being drafted, from 1.
    pub round: usize,
    /// How many rounds there are.
    pub rounds: usize,
    /// Where packs go in this round.
    pub side: PassSide,
    /// All seats, in their order.
    pub seats: Vec<SeatSight>,
    /// The pick that the seat comes to, from 0.
    pub number: usize,
    /// The pack before it; empty while it waits for one.
    pub pack: Vec<PoolCard>,
    /// What it has taken, in the order of its picks, and what its packs gave in any number.
    pub pool: Pool,
    /// Whether all cards are taken.
    pub is_over: bool,
}

/// Where packs go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PassSide {
    /// To the next seat.
    Left,
    /// To the one before.
    Right,
}

/// What everybody sees of a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeatSight {
    /// Who picks.
    pub player: DraftPlayer,
    /// Cards that it has taken.
    pub taken: usize,
    /// Packs that lie before it.
    pub waiting: usize,
}

impl Draft {
    /// What a seat may know.
    ///
    /// # Panics
    /// If there is no such seat.
    pub fn view(&self, seat: usize) -> DraftView {
        let own = &self.seats[seat];
        DraftView {
            seat,
            round: self.round,
            rounds: self.packs.rounds.len(),
            side: if self.passes_left() {
                PassSide::Left
            } else {
                PassSide::Right
            },
            seats: self
                .seats
                .iter()
                .map(|seat| SeatSight {
                    player: seat.player,
                    taken: seat.pool.cards.len(),
                    waiting: seat.waiting.len(),
                })
                .collect(),
            number: own.pool.cards.len(),
            pack: self.before(seat),
            pool: own.pool.clone(),
            is_over: self.is_over(),
        }
    }
}
