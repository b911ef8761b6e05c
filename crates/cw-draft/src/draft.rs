//! A draft as it stands.

use std::collections::VecDeque;
use std::hash::Hash;
use std::sync::Arc;

use cw_history::{StateHash, StateHasher};
use cw_octgn::{Pool, PoolCard};

use crate::{DraftAct, DraftPacks, DraftRefused};

/// Nobody drafts with more seats.
pub const MOST_SEATS: usize = 12;

/// A booster draft (P110–P113 say nothing of it; it is ours). Each seat opens a pack, takes a card and passes
/// the rest on, to the left in the first round, to the right in the second, and so on. A pack waits for its
/// seat; a seat that is quicker than its neighbour waits for packs. When all packs of a round are empty,
/// everybody opens the next one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draft {
    pub(crate) packs: Arc<DraftPacks>,
    /// The round that is being drafted, from 1.
    pub(crate) round: usize,
    pub(crate) seats: Vec<DraftSeat>,
}

/// Who picks for a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DraftPlayer {
    /// A person.
    Person,
    /// A computer.
    Computer,
    /// A computer in the place of a person who is gone.
    StandIn,
}

impl DraftPlayer {
    /// Whether a computer picks.
    pub fn is_computer(self) -> bool {
        self != DraftPlayer::Person
    }
}

/// A seat of a draft.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct DraftSeat {
    pub(crate) player: DraftPlayer,
    pub(crate) pool: Pool,
    /// The packs that lie before the seat; the first one is being looked at.
    pub(crate) waiting: VecDeque<PassedPack>,
}

/// A pack that goes round.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct PassedPack {
    /// Who opened it.
    pub(crate) opener: usize,
    /// What is left of it, with the places that the cards had when it was opened.
    pub(crate) cards: Vec<(usize, PoolCard)>,
}

impl Draft {
    /// The first packs are opened. There is a player for each seat; seats without one are computers.
    pub fn new(packs: Arc<DraftPacks>, players: &[DraftPlayer]) -> Draft {
        let seats = (0..packs.seats).map(|seat| DraftSeat {
            player: players.get(seat).copied().unwrap_or(DraftPlayer::Computer),
            pool: Pool::default(),
            waiting: VecDeque::new(),
        });
        let mut draft = Draft {
            seats: seats.collect(),
            round: 0,
            packs,
        };
        draft.open_packs();
        draft
    }

    /// A sealed game: a draft in which nothing goes round. Everybody keeps the packs that they open, so that
    /// it is over as it begins (P110, P111).
    pub fn sealed(packs: Arc<DraftPacks>, players: &[DraftPlayer]) -> Draft {
        let mut draft = Draft::new(packs, players);
        let rounds = draft.packs.rounds.len();
        for (at, seat) in draft.seats.iter_mut().enumerate() {
            seat.waiting.clear();
            seat.pool = Pool::default();
            for pack in draft.packs.rounds.iter().filter_map(|packs| packs.get(at)) {
                seat.pool.cards.extend(&pack.cards);
                seat.pool.add_unlimited(pack.unlimited.iter().copied());
            }
        }
        draft.round = rounds;
        draft
    }

    /// Everybody opens a pack, unless one lies before somebody; rounds of empty packs are skipped.
    fn open_packs(&mut self) {
        while self.seats.iter().all(|seat| seat.waiting.is_empty()) {
            let Some(packs) = self.packs.rounds.get(self.round) else {
                return;
            };
            self.round += 1;
            for (opener, (seat, pack)) in self.seats.iter_mut().zip(packs).enumerate() {
                // What a pack gives in any number, it gives to whoever opened it (P113).
                seat.pool.add_unlimited(pack.unlimited.iter().copied());
                let cards: Vec<(usize, PoolCard)> = pack.cards.iter().copied().enumerate().collect();
                if !cards.is_empty() {
                    seat.waiting.push_back(PassedPack { opener, cards });
                }
            }
        }
    }

    /// Does something, or leaves everything as it is.
    ///
    /// # Errors
    /// Why it cannot be done.
    pub fn act(&mut self, act: DraftAct) -> Result<(), DraftRefused> {
        match act {
            DraftAct::Pick { seat, number, place } => self.pick(seat, number, place),
            DraftAct::Leave { seat } => {
                let player = self.player_mut(seat)?;
                if *player != DraftPlayer::Person {
                    return Err(DraftRefused::NoPerson);
                }
                *player = DraftPlayer::StandIn;
                Ok(())
            }
            DraftAct::Return { seat } => {
                let player = self.player_mut(seat)?;
                if *player != DraftPlayer::StandIn {
                    return Err(DraftRefused::NotAway);
                }
                *player = DraftPlayer::Person;
                Ok(())
            }
        }
    }

    fn player_mut(&mut self, seat: usize) -> Result<&mut DraftPlayer, DraftRefused> {
        let seat = self.seats.get_mut(seat).ok_or(DraftRefused::NoSeat)?;
        Ok(&mut seat.player)
    }

    fn pick(&mut self, at: usize, number: usize, place: usize) -> Result<(), DraftRefused> {
        let over = self.is_over();
        let seat = self.seats.get_mut(at).ok_or(DraftRefused::NoSeat)?;
        let next = seat.pool.cards.len();
        if number != next {
            return Err(DraftRefused::Stale { next });
        }
        if over {
            return Err(DraftRefused::Over);
        }
        let pack = seat.waiting.front_mut().ok_or(DraftRefused::NoPack)?;
        if place >= pack.cards.len() {
            return Err(DraftRefused::NoPlace);
        }
        let (_, card) = pack.cards.remove(place);
        seat.pool.cards.push(card);
        let many = self.packs.seats;
        let left = if self.passes_left() { at + 1 } else { at + many - 1 } % many;
        if let Some(pack) = self.seats[at].waiting.pop_front()
            && !pack.cards.is_empty()
        {
            self.seats[left].waiting.push_back(pack);
        }
        self.open_packs();
        Ok(())
    }

    /// Whether packs go to the left, in the order of the seats.
    pub(crate) fn passes_left(&self) -> bool {
        self.round % 2 == 1
    }

    /// The round that is being drafted, from 1.
    pub fn round(&self) -> usize {
        self.round
    }

    /// How many seats there are.
    pub fn seats(&self) -> usize {
        self.packs.seats
    }

    /// Who picks for a seat.
    pub fn player(&self, seat: usize) -> Option<DraftPlayer> {
        self.seats.get(seat).map(|seat| seat.player)
    }

    /// Whether all cards are taken.
    pub fn is_over(&self) -> bool {
        self.round >= self.packs.rounds.len() && self.seats.iter().all(|seat| seat.waiting.is_empty())
    }

    /// The cards of the pack before a seat.
    pub fn before(&self, seat: usize) -> Vec<PoolCard> {
        let pack = self.seats.get(seat).and_then(|seat| seat.waiting.front());
        pack.map_or_else(Vec::new, |pack| {
            pack.cards.iter().map(|(_, card)| *card).collect()
        })
    }

    /// What a seat has taken, in the order of its picks.
    ///
    /// # Panics
    /// If there is no such seat.
    pub fn pool(&self, seat: usize) -> &Pool {
        &self.seats[seat].pool
    }

    /// The first seat before which a pack lies and for which a computer picks.
    pub fn computer_to_pick(&self) -> Option<usize> {
        self.seats
            .iter()
            .position(|seat| seat.player.is_computer() && !seat.waiting.is_empty())
    }

    /// A digest of everything that the draft is, the packs that nobody has opened among it.
    pub fn hash(&self) -> StateHash {
        let mut hasher = StateHasher::new();
        self.packs.hash(&mut hasher);
        self.round.hash(&mut hasher);
        self.seats.hash(&mut hasher);
        StateHasher::hash(&hasher)
    }
}
