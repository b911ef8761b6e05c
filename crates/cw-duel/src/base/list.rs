//! Lists of objects that running programs hold, in one flat region of the state.

use smallvec::SmallVec;

use crate::Seat;
use crate::base::bounded::Bounded;
use crate::base::card::CardId;
use crate::base::count::word;

/// A card or a player, in one byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DuelObject(pub(crate) u8);

impl DuelObject {
    /// The subject of a change that is on the whole game.
    pub(crate) const GAME: DuelObject = DuelObject(253);

    /// The player.
    pub fn player(seat: Seat) -> DuelObject {
        DuelObject(254 + seat as u8)
    }

    /// The card.
    pub fn card(card: CardId) -> DuelObject {
        DuelObject(card.0)
    }

    /// The player, if it is one.
    pub fn as_player(self) -> Option<Seat> {
        (self.0 >= 254).then(|| Seat::from_index(usize::from(self.0 - 254)))
    }

    /// The card, if it is one.
    pub fn as_card(self) -> Option<CardId> {
        (self.0 < 250).then_some(CardId(self.0))
    }
}

/// Objects in the order they were found.
pub(crate) type Objects = SmallVec<[DuelObject; 32]>;
/// Cards in the order of their places.
pub(crate) type CardList = SmallVec<[CardId; 64]>;

/// A list in the [`Arena`]; the undefined one is no list at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub(crate) struct ArenaList(u16);

impl ArenaList {
    pub const UNDEFINED: ArenaList = ArenaList(0);
    pub const EMPTY: ArenaList = ArenaList(1);

    pub fn raw(self) -> u16 {
        self.0
    }

    pub fn from_raw(raw: u16) -> ArenaList {
        ArenaList(raw)
    }

    pub fn is_defined(self) -> bool {
        self != ArenaList::UNDEFINED
    }
}

/// Bytes the arena can hold.
pub(crate) const ARENA: usize = 768;

/// Where lists live: bytes with a two-byte length in front. Lists of a frame go when the frame
/// goes; a list that is replaced earlier stays until the region is compacted.
#[derive(Clone, Debug)]
pub(crate) struct Arena(Bounded<u8, 96, ARENA>);

/// There is no room, even after compacting: the loop guard ends the unit (D13).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ArenaFull;

/// Offset 0 is the undefined list, 1 and 2 the empty one.
const FIRST: u16 = 3;

impl std::hash::Hash for Arena {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        state.write_u16(self.top());
        state.write(&self.0);
    }
}

impl Arena {
    pub fn new() -> Arena {
        Arena(Bounded::EMPTY)
    }

    pub fn is_spilled(&self) -> bool {
        self.0.is_spilled()
    }

    pub fn spilled_bytes(&self) -> usize {
        self.0.spilled_bytes()
    }

    pub fn top(&self) -> u16 {
        FIRST + word(self.0.len())
    }

    pub fn reset(&mut self, top: u16) {
        debug_assert!(top <= self.top(), "frames go in reverse order");
        self.0.truncate(usize::from(top.saturating_sub(FIRST)));
    }

    /// Everything that is kept, lengths included.
    pub fn all(&self) -> &[u8] {
        &self.0
    }

    pub fn get(&self, list: ArenaList) -> &[u8] {
        if list.0 < FIRST {
            return &[];
        }
        let bytes = &self.0[usize::from(list.0 - FIRST)..];
        let length = usize::from(u16::from_le_bytes([bytes[0], bytes[1]]));
        &bytes[2..2 + length]
    }

    pub fn get_mut(&mut self, list: ArenaList) -> &mut [u8] {
        if list.0 < FIRST {
            return &mut [];
        }
        let at = usize::from(list.0 - FIRST);
        let length = usize::from(u16::from_le_bytes([self.0[at], self.0[at + 1]]));
        &mut self.0[at + 2..at + 2 + length]
    }

    pub fn objects(&self, list: ArenaList) -> impl ExactSizeIterator<Item = DuelObject> + '_ {
        self.get(list).iter().map(|byte| DuelObject(*byte))
    }

    /// Adds a list; `ArenaFull` if the caller should compact and try again.
    pub fn add(&mut self, items: &[u8]) -> Result<ArenaList, ArenaFull> {
        if items.is_empty() {
            return Ok(ArenaList::EMPTY);
        }
        let at = self.top();
        if usize::from(at - FIRST) + 2 + items.len() > ARENA {
            return Err(ArenaFull);
        }
        let length = word(items.len()).to_le_bytes();
        self.0.extend_from_slice(&length).map_err(|_| ArenaFull)?;
        self.0.extend_from_slice(items).map_err(|_| ArenaFull)?;
        Ok(ArenaList(at))
    }

    /// Moves the given lists together and forgets all others. `marks` are heights of the region
    /// that must stay in order with the lists (where frames begin).
    pub fn compact(&mut self, lists: &mut [&mut ArenaList], marks: &mut [&mut u16]) {
        let mut order: Vec<usize> = (0..lists.len()).filter(|i| lists[*i].0 >= FIRST).collect();
        order.sort_by_key(|i| lists[*i].0);
        let mut to = FIRST;
        let mut moved: Vec<(u16, u16)> = Vec::new(); // old place, new place
        for index in order {
            let from = lists[index].0;
            if let Some((old, new)) = moved.last()
                && *old == from
            {
                lists[index].0 = *new; // two names for one list
                continue;
            }
            let at = usize::from(from - FIRST);
            let length = 2 + usize::from(u16::from_le_bytes([self.0[at], self.0[at + 1]]));
            self.0.copy_within(at..at + length, usize::from(to - FIRST));
            moved.push((from, to));
            lists[index].0 = to;
            to += word(length);
        }
        for mark in marks {
            // The new height of a mark: where the first list at or above it now begins.
            **mark = moved
                .iter()
                .find(|(old, _)| old >= mark)
                .map_or(to, |(_, new)| *new);
        }
        self.0.truncate(usize::from(to - FIRST));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compacting_keeps_named_lists() {
        let mut arena = Arena::new();
        let mut a = arena.add(&[1, 2, 3]).unwrap();
        arena.add(&[9; 100]).unwrap();
        let mut mark = arena.top();
        let mut b = arena.add(&[4]).unwrap();
        let mut same = b;
        arena.compact(&mut [&mut b, &mut a, &mut same], &mut [&mut mark]);
        assert_eq!(arena.get(a), [1, 2, 3]);
        assert_eq!(arena.get(b), [4]);
        assert_eq!(same, b);
        assert_eq!(arena.top(), FIRST + 5 + 3);
        assert_eq!(mark, FIRST + 5);
        assert_eq!(arena.add(&[0; ARENA]), Err(ArenaFull));
        assert_eq!(arena.add(&[]), Ok(ArenaList::EMPTY));
        assert_eq!(arena.get(ArenaList::EMPTY), [0u8; 0]);
    }
}
