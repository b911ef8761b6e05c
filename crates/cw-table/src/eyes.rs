use std::fmt;
use std::ops::{BitAnd, BitOr, BitOrAssign, Sub};

/// A place at the table, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TableSeat(pub u8);

impl TableSeat {
    /// The seat at a place in lists.
    ///
    /// # Panics
    /// If no table has so many seats.
    pub fn at(index: usize) -> TableSeat {
        assert!(index < MOST_SEATS, "a table has at most {MOST_SEATS} seats");
        TableSeat(u8::try_from(index).expect("eight fit"))
    }

    /// Its place in lists.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

impl fmt::Display for TableSeat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0 + 1)
    }
}

/// Whose view it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Looker {
    /// A seat's.
    Seat(TableSeat),
    /// That of all spectators (F159).
    Spectators,
    /// A spectator whom all seats granted to see everything (F160).
    Referee,
}

impl From<TableSeat> for Looker {
    fn from(seat: TableSeat) -> Looker {
        Looker::Seat(seat)
    }
}

/// The most seats (F170).
pub(crate) const MOST_SEATS: usize = 8;
/// Lookers with handles of their own: the seats and the spectators.
pub(crate) const LOOKERS: usize = MOST_SEATS + 1;

/// A set of lookers: seats and spectators. The referee is in every set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct LookerSet(u16);

impl LookerSet {
    /// Nobody.
    pub const NONE: LookerSet = LookerSet(0);
    /// Every seat and the spectators.
    pub const ALL: LookerSet = LookerSet(0x1ff);
    /// The spectators.
    pub const SPECTATORS: LookerSet = LookerSet(0x100);

    /// One seat.
    pub fn of(seat: TableSeat) -> LookerSet {
        LookerSet(1 << (seat.0 & 7))
    }

    /// Whether it holds a looker.
    pub fn has(self, looker: impl Into<Looker>) -> bool {
        match looker.into() {
            Looker::Seat(seat) => self.0 & LookerSet::of(seat).0 != 0,
            Looker::Spectators => self.0 & LookerSet::SPECTATORS.0 != 0,
            Looker::Referee => true,
        }
    }

    /// Whether it is nobody.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Its seats in order.
    pub fn seats(self) -> impl Iterator<Item = TableSeat> {
        (0..MOST_SEATS)
            .map(TableSeat::at)
            .filter(move |seat| self.has(*seat))
    }

    /// Whether all of these are in the other set too.
    pub fn within(self, other: LookerSet) -> bool {
        self.0 & !other.0 == 0
    }

    /// The lookers with handles, by index: the seats, then the spectators.
    pub(crate) fn index(index: usize) -> LookerSet {
        LookerSet(1 << index)
    }

    pub(crate) fn bits(self) -> u16 {
        self.0
    }
}

impl BitOr for LookerSet {
    type Output = LookerSet;

    fn bitor(self, other: LookerSet) -> LookerSet {
        LookerSet(self.0 | other.0)
    }
}

impl BitOrAssign for LookerSet {
    fn bitor_assign(&mut self, other: LookerSet) {
        self.0 |= other.0;
    }
}

impl BitAnd for LookerSet {
    type Output = LookerSet;

    fn bitand(self, other: LookerSet) -> LookerSet {
        LookerSet(self.0 & other.0)
    }
}

/// Those of the first that are not of the second.
impl Sub for LookerSet {
    type Output = LookerSet;

    fn sub(self, other: LookerSet) -> LookerSet {
        LookerSet(self.0 & !other.0)
    }
}
