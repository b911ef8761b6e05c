//! A digest of everything that decides how the duel goes on.

use std::fmt;
use std::hash::{Hash, Hasher};

use cw_program::PileName;

use crate::Seat;
use crate::duel::Duel;
use crate::state::State;

/// The rules' version: it changes whenever the same answers may lead to another state.
pub const RULES_VERSION: &str = "cardwright duel 3";

/// A digest of a state: equal states have equal hashes on every platform.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StateHash(pub [u8; 16]);

impl fmt::Display for StateHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for StateHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Duel {
    /// The digest of the state as it is now (BLAKE3 over a canonical encoding, cut to 128 bits).
    pub fn hash(&self) -> StateHash {
        let mut encoder = Encoder(blake3::Hasher::new());
        encoder.write(RULES_VERSION.as_bytes());
        encode(&self.state, &mut encoder);
        let digest = encoder.0.finalize();
        StateHash(digest.as_bytes()[..16].try_into().expect("a digest has 32 bytes"))
    }
}

/// Writes numbers in little-endian order and sizes as 64 bits, so that neither byte order nor word
/// size shows. Golden hashes in the tests pin the encoding.
struct Encoder(blake3::Hasher);

impl Hasher for Encoder {
    fn finish(&self) -> u64 {
        0 // the digest is taken from the inner hasher
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    fn write_u8(&mut self, value: u8) {
        self.write(&[value]);
    }

    fn write_u16(&mut self, value: u16) {
        self.write(&value.to_le_bytes());
    }

    fn write_u32(&mut self, value: u32) {
        self.write(&value.to_le_bytes());
    }

    fn write_u64(&mut self, value: u64) {
        self.write(&value.to_le_bytes());
    }

    fn write_usize(&mut self, value: usize) {
        self.write_u64(value as u64);
    }

    fn write_i32(&mut self, value: i32) {
        self.write(&value.to_le_bytes());
    }

    fn write_i64(&mut self, value: i64) {
        self.write(&value.to_le_bytes());
    }

    fn write_isize(&mut self, value: isize) {
        self.write_i64(value as i64);
    }
}

/// Every field is named, so that a new one cannot be forgotten.
fn encode(state: &State, encoder: &mut Encoder) {
    let State {
        cards,
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
    for card in cards.iter() {
        card.hash(encoder);
    }
    for seat in Seat::BOTH {
        for pile in <PileName as cw_program::Word>::ALL {
            let pile = state.pile(seat, *pile);
            encoder.write_usize(pile.len());
            encoder.write(pile);
        }
        players[seat].hash(encoder);
        for slot in &rings[seat] {
            slot.hash(encoder);
        }
    }
    (backups, table, united, blocks, fight).hash(encoder);
    (turn, phase, active, first, outcome, chance).hash(encoder);
    (free_actions, steps, depth, reply, register).hash(encoder);
    (tasks, frames, arena).hash(encoder);
    (listeners, serial, heard, changes, queue).hash(encoder);
}
