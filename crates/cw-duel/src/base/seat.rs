use std::ops::{Index, IndexMut};

/// One of the two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Seat {
    /// The player whose deck was given first.
    One = 0,
    /// The other one.
    Two = 1,
}

impl Seat {
    /// Both, in order.
    pub const BOTH: [Seat; 2] = [Seat::One, Seat::Two];

    /// The other player.
    #[must_use]
    pub fn other(self) -> Seat {
        match self {
            Seat::One => Seat::Two,
            Seat::Two => Seat::One,
        }
    }

    /// 0 or 1.
    pub fn index(self) -> usize {
        self as usize
    }

    /// 1 or 2, as people and files count players.
    pub fn number(self) -> u8 {
        match self {
            Seat::One => 1,
            Seat::Two => 2,
        }
    }

    /// The seat with this index; anything but 0 is [`Seat::Two`].
    pub fn from_index(index: usize) -> Seat {
        if index == 0 { Seat::One } else { Seat::Two }
    }
}

/// One value for each player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Hash)]
pub struct PerSeat<T>(pub [T; 2]);

impl<T> PerSeat<T> {
    /// Makes both values.
    pub fn from_fn(mut make: impl FnMut(Seat) -> T) -> PerSeat<T> {
        PerSeat([make(Seat::One), make(Seat::Two)])
    }
}

impl<T> Index<Seat> for PerSeat<T> {
    type Output = T;
    fn index(&self, seat: Seat) -> &T {
        &self.0[seat.index()]
    }
}

impl<T> IndexMut<Seat> for PerSeat<T> {
    fn index_mut(&mut self, seat: Seat) -> &mut T {
        &mut self.0[seat.index()]
    }
}

/// A set of players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Hash)]
pub struct SeatSet(pub u8);

impl SeatSet {
    /// Nobody.
    pub const NONE: SeatSet = SeatSet(0);
    /// Both.
    pub const BOTH: SeatSet = SeatSet(3);

    /// Only this one.
    pub fn only(seat: Seat) -> SeatSet {
        SeatSet(1 << seat.index())
    }

    /// Whether the player is in it.
    pub fn contains(self, seat: Seat) -> bool {
        self.0 & (1 << seat.index()) != 0
    }

    /// Those in either.
    #[must_use]
    pub fn union(self, other: SeatSet) -> SeatSet {
        SeatSet(self.0 | other.0)
    }
}
