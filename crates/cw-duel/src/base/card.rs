//! Cards of a duel and the places they can be in.

use cw_program::{ModelId, PileName};

use crate::{Seat, SeatSet};

/// A card of a duel, by its index. The index carries no information about what the card is:
/// shuffling exchanges what cards are, not where they lie (D50).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CardId(pub u8);

impl CardId {
    /// No card: it stands in an event where its card cannot be pointed at any more (D64).
    pub const NONE: CardId = CardId(255);

    pub(crate) fn index(self) -> usize {
        usize::from(self.0)
    }

    pub(crate) fn some(self) -> Option<CardId> {
        (self != CardId::NONE).then_some(self)
    }
}

/// Where a card is. Whose zone it is follows from its controller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ZoneKind {
    /// In a pile.
    Pile(PileName),
    /// In a slot of a ring.
    Ring,
    /// Attached to a character as back-up.
    Backup,
    /// An action or reaction card in play, until its unit ends (D1).
    Table,
}

/// What the state keeps of each card: eight bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct DuelCard {
    /// In the ring: BP; if that is 0, minus the BP before the last change (never both 0 but for
    /// printed 0). Outside: the BP it had on leaving the ring, 0 if it never was there (G15).
    pub bp: i32,
    pub model: ModelId,
    place: u8,
}

const ZONES: [ZoneKind; 7] = [
    ZoneKind::Pile(PileName::Hand),
    ZoneKind::Pile(PileName::Deck),
    ZoneKind::Pile(PileName::Discards),
    ZoneKind::Pile(PileName::Removed),
    ZoneKind::Ring,
    ZoneKind::Backup,
    ZoneKind::Table,
];
/// [`ZoneKind::Ring`] among them.
const RING: u8 = 4;
const CONTROLLER: u8 = 1 << 4;
const OWNER: u8 = 1 << 5;
const KNOWN: u8 = 6;

impl DuelCard {
    /// Fills places where no card is.
    pub const BLANK: DuelCard = DuelCard {
        bp: 0,
        model: ModelId(0),
        place: 0,
    };

    /// All of it in one number.
    pub fn packed(self) -> u64 {
        u64::from(self.bp.cast_unsigned()) << 32 | u64::from(self.model.0) << 8 | u64::from(self.place)
    }

    pub fn new(model: ModelId, owner: Seat, zone: ZoneKind) -> DuelCard {
        let mut card = DuelCard {
            bp: 0,
            model,
            place: 0,
        };
        if owner == Seat::Two {
            card.place |= CONTROLLER | OWNER;
        }
        card.set_zone(zone);
        card
    }

    #[inline]
    pub fn zone(self) -> ZoneKind {
        ZONES[usize::from(self.place & 7)]
    }

    /// Whether its zone is a ring.
    #[inline]
    pub fn is_in_ring(self) -> bool {
        self.place & 7 == RING
    }

    /// BP in the ring; printed BP is not looked up here.
    #[inline]
    pub fn ring_bp(self) -> i32 {
        self.bp.max(0)
    }

    pub fn set_zone(&mut self, zone: ZoneKind) {
        let code = match zone {
            ZoneKind::Pile(pile) => pile as u8,
            ZoneKind::Ring => RING,
            ZoneKind::Backup => 5,
            ZoneKind::Table => 6,
        };
        self.place = (self.place & !7) | code;
    }

    #[inline]
    pub fn controller(self) -> Seat {
        Seat::from_index(usize::from(self.place & CONTROLLER))
    }

    pub fn set_controller(&mut self, seat: Seat) {
        match seat {
            Seat::One => self.place &= !CONTROLLER,
            Seat::Two => self.place |= CONTROLLER,
        }
    }

    pub fn owner(self) -> Seat {
        Seat::from_index(usize::from(self.place & OWNER))
    }

    /// Who knows what the card is.
    #[inline]
    pub fn known(self) -> SeatSet {
        SeatSet(self.place >> KNOWN)
    }

    pub fn set_known(&mut self, seats: SeatSet) {
        self.place = (self.place & !(3 << KNOWN)) | (seats.0 << KNOWN);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_keeps_its_parts() {
        let mut card = DuelCard::new(ModelId(7), Seat::Two, ZoneKind::Pile(PileName::Deck));
        for zone in ZONES {
            card.set_zone(zone);
            assert_eq!(card.zone(), zone);
        }
        card.set_known(SeatSet::only(Seat::Two));
        card.set_controller(Seat::One);
        assert_eq!((card.controller(), card.owner()), (Seat::One, Seat::Two));
        assert_eq!(card.known(), SeatSet::only(Seat::Two));
        card.set_known(SeatSet::NONE);
        assert_eq!((card.zone(), card.known()), (ZoneKind::Table, SeatSet::NONE));
        assert_eq!(size_of::<DuelCard>(), 8);
    }
}
