//! A digest of everything that decides how the duel goes on.

use std::hash::{Hash, Hasher};

use cw_history::{StateHash, StateHasher};
use cw_program::PileName;
use smallvec::SmallVec;

use crate::Seat;
use crate::duel::Duel;
use crate::state::DuelState;

/// The rules' version: it changes whenever the same answers may lead to another state.
pub const RULES_VERSION: &str = "cardwright duel 5";

impl Duel {
    /// The digest of the state as it is now (BLAKE3 over a canonical encoding, cut to 128 bits).
    pub fn hash(&self) -> StateHash {
        let mut digest = StateHasher::new();
        digest.write(RULES_VERSION.as_bytes());
        self.state.cards.iter().for_each(|card| card.hash(&mut digest));
        encode(&self.state, &mut digest);
        digest.hash()
    }
}

/// As [`Duel::hash`], into any hasher: for players that look up positions, where BLAKE3 would be most of the
/// work.
impl Hash for Duel {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.state
            .cards
            .iter()
            .for_each(|card| hasher.write_u64(card.packed()));
        encode(&self.state, hasher);
    }
}

/// All but the cards. Every field is named, so that a new one cannot be forgotten.
fn encode(state: &DuelState, digest: &mut impl Hasher) {
    let DuelState {
        cards: _, // told before
        order: _, // told by the piles
        pile_len: _,
        players,
        rings,
        backups,
        table,
        united,
        blocks,
        fight,
        turn,
        phase,
        active,
        first,
        outcome,
        chance,
        free_actions,
        steps,
        depth,
        reply,
        register,
        tasks,
        frames,
        arena,
        listeners,
        serial,
        heard,
        changes,
        queue,
        decision: _, // follows from the others
    } = state;
    for seat in Seat::BOTH {
        for pile in <PileName as cw_program::ClosedWord>::ALL {
            let pile = state.pile(seat, *pile);
            digest.write_usize(pile.len());
            let cards: SmallVec<[u8; 64]> = pile.iter().map(|card| card.0).collect();
            digest.write(&cards);
        }
        players[seat].hash(digest);
        for slot in &rings[seat] {
            slot.hash(digest);
        }
    }
    (backups, table, united, blocks, fight).hash(digest);
    (turn, phase, active, first, outcome, chance).hash(digest);
    (free_actions, steps, depth, reply, register).hash(digest);
    (tasks, frames, arena).hash(digest);
    (listeners, serial, heard, changes, queue).hash(digest);
}
