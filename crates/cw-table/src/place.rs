//! Where things lie and how they are drawn: all coordinates are side A's (F175).

use crate::{CardSide, Kit, Looker, Quarter, Sides, TableCard, TableCardId, TableSeat, TableState};

/// A side of the table, clockwise from the near one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TableSide {
    /// Near.
    A,
    /// To the left.
    Left,
    /// Far.
    B,
    /// To the right.
    Right,
}

/// Where a card is drawn, and whether upside down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CardPlacement {
    /// Left edge.
    pub x: i32,
    /// Upper edge.
    pub y: i32,
    /// Width as it lies.
    pub width: i32,
    /// Height as it lies.
    pub height: i32,
    /// The side that it faces, beyond its own orientation (F176, F178).
    pub faces: TableSide,
}

/// The side at which a seat sits (F174, F178).
pub fn side_of(sides: Sides, seats: usize, seat: TableSeat) -> TableSide {
    match sides {
        Sides::One => TableSide::A,
        Sides::Two if seat.0.is_multiple_of(2) => TableSide::A,
        Sides::Two => TableSide::B,
        Sides::Four => {
            let order = [TableSide::A, TableSide::Left, TableSide::B, TableSide::Right];
            let at = if seats > 4 { seat.index() / 2 } else { seat.index() };
            order[at % 4]
        }
    }
}

/// A point of the table as somebody at a side sees it (F174).
pub fn seen_from(side: TableSide, (x, y): (i32, i32)) -> (i32, i32) {
    match side {
        TableSide::A => (x, y),
        TableSide::B => (-x, -y),
        // The left side's own edge is at the bottom of its view.
        TableSide::Left => (y, -x),
        TableSide::Right => (-y, x),
    }
}

/// Whether the middle of what is drawn, from this upper edge down, lies in the far half of a
/// two-sided table (F176).
fn is_far(top: i32, height: i32) -> bool {
    // y < -h/2 without halves.
    top.saturating_mul(2) < -height
}

impl TableState {
    /// The measures with which a looker sees a card: its front's while it is known, else its back's (F6).
    pub fn measures(&self, kit: &Kit, looker: Looker, id: TableCardId) -> (i32, i32) {
        let card = self.card(id);
        let known = match card.group {
            crate::CardGroup::Table => card.face == CardSide::Up,
            crate::CardGroup::Pile(_) => self.visible(kit, id).has(looker),
        };
        let measures = kit.measures(&card.model, if known { card.form } else { 0 });
        (measures.width, measures.height)
    }

    /// The side that a card on the table faces: on a two-sided table as was decided when it was put there
    /// (D88), on a four-sided one that in whose triangle, cut by the diagonals, its middle lies (F178).
    fn faces(&self, kit: &Kit, card: &TableCard, (width, height): (i32, i32)) -> TableSide {
        match self.sides(kit) {
            Sides::Two if card.far => TableSide::B,
            Sides::One | Sides::Two => TableSide::A,
            Sides::Four => {
                // Twice the middle, so that there are no halves.
                let middle = |at: i32, size: i32| i64::from(at) * 2 + i64::from(size);
                let (across, down) = (middle(card.x, width), middle(card.y, height));
                let (wide, high) = (i64::from(kit.table.0), i64::from(kit.table.1));
                if across.abs() * high <= down.abs() * wide {
                    if down < 0 { TableSide::B } else { TableSide::A }
                } else if across < 0 {
                    TableSide::Left
                } else {
                    TableSide::Right
                }
            }
        }
    }

    /// Where a card on the table is drawn (F44). What faces a side of a four-sided table lies across about
    /// its middle.
    pub fn drawn(&self, kit: &Kit, id: TableCardId) -> CardPlacement {
        let card = self.card(id);
        let (width, height) = self.measures(kit, Looker::Referee, id);
        let across = matches!(card.quarter, Quarter::One | Quarter::Three);
        let faces = self.faces(kit, card, (width, height));
        let (x, y) = match (faces, across) {
            (TableSide::A | TableSide::B, false) | (TableSide::Left | TableSide::Right, true) => {
                return CardPlacement {
                    x: card.x,
                    y: card.y,
                    width,
                    height,
                    faces,
                };
            }
            (TableSide::A, true) => (card.x, card.y + height - width),
            (TableSide::B, true) => (card.x - height + width, card.y),
            (TableSide::Left | TableSide::Right, false) => {
                (card.x + (width - height) / 2, card.y + (height - width) / 2)
            }
        };
        CardPlacement {
            x,
            y,
            width: height,
            height: width,
            faces,
        }
    }

    /// Puts a card of the table somewhere. On a two-sided table the middle of what would be drawn there
    /// decides which side it faces from now on (D88); a card that lies across moves on by (h−w, h−w) when
    /// that changes, so that it is drawn where it was dropped (F177).
    pub(crate) fn put(&mut self, kit: &Kit, id: TableCardId, (x, y): (i32, i32)) {
        let most = kit.limits.position;
        let (mut x, mut y) = (x.clamp(-most, most), y.clamp(-most, most));
        let (width, height) = self.measures(kit, Looker::Referee, id);
        let two = self.sides(kit) == Sides::Two;
        let card = self.card_mut(id);
        let across = matches!(card.quarter, Quarter::One | Quarter::Three);
        let shift = if across { height - width } else { 0 };
        let far = two
            && match (across, card.far) {
                (false, _) => is_far(y, height),
                (true, false) => is_far(y + shift, width),
                (true, true) => is_far(y, width),
            };
        match (card.far, far) {
            (false, true) => (x, y) = (x + shift, y + shift),
            (true, false) => (x, y) = (x - shift, y - shift),
            _ => {}
        }
        card.far = far;
        (card.x, card.y) = (x.clamp(-most, most), y.clamp(-most, most));
    }

    /// A free place for a card of a seat (F180): next to its last one, in its own half, below no other card.
    /// It depends on no face.
    pub(crate) fn free_place(&self, kit: &Kit, seat: TableSeat) -> (i32, i32) {
        let usual = kit.default_measures();
        let (step_x, step_y) = (pitch(usual.width), pitch(usual.height));
        let (wide, high) = (kit.table.0.max(step_x), kit.table.1.max(step_y));
        let far = side_of(self.sides(kit), self.seats.len(), seat) == TableSide::B;
        let left = -wide / 2;
        let columns = (wide / step_x).max(1);
        let rows = (high / 2 / step_y).max(1);
        // Rows go from the middle towards the seat's own edge.
        let row_y = |row: i32| {
            if far {
                -(row + 1) * step_y
            } else {
                row * step_y + step_y - usual.height
            }
        };
        let cell = |index: i32| (left + index % columns * step_x, row_y(index / columns % rows));
        let start = self.seat(seat).last_place.map_or(0, |(x, y)| {
            let column = ((x - left) / step_x + 1).clamp(0, columns);
            let row = (0..rows).find(|row| row_y(*row) == y).unwrap_or(0);
            row * columns + column
        });
        let count = (columns * rows).min(2_000);
        let places: Vec<(i32, i32)> = self
            .table
            .iter()
            .map(|id| (self.card(*id).x, self.card(*id).y))
            .collect();
        let free = |(x, y): (i32, i32)| {
            places.iter().all(|(other_x, other_y)| {
                (x - other_x).abs() >= usual.width || (y - other_y).abs() >= usual.height
            })
        };
        (0..count)
            .map(|offset| cell((start + offset) % (columns * rows)))
            .find(|place| free(*place))
            .unwrap_or_else(|| cell(start % (columns * rows)))
    }
}

/// Cards side by side stand 1.05 of their width apart (F73).
pub(crate) fn pitch(measure: i32) -> i32 {
    (measure * 21 + 19) / 20
}

#[cfg(test)]
mod tests {
    use super::*;

    /// F176: 63×88 at y = −44 is upright, at −45 inverted.
    #[test]
    fn cards_in_the_far_half_are_upside_down() {
        assert!(!is_far(-44, 88));
        assert!(is_far(-45, 88));
    }

    /// Seats sit at two or four sides, and each side sees the table turned to itself (F174, F178).
    #[test]
    fn sides_and_views() {
        let sides = |sides, seats| {
            (0..seats)
                .map(|seat| side_of(sides, seats, TableSeat::at(seat)))
                .collect::<Vec<_>>()
        };
        assert_eq!(sides(Sides::Two, 3), [TableSide::A, TableSide::B, TableSide::A]);
        assert_eq!(
            sides(Sides::Four, 4),
            [TableSide::A, TableSide::Left, TableSide::B, TableSide::Right]
        );
        assert_eq!(
            sides(Sides::Four, 5)[..3],
            [TableSide::A, TableSide::A, TableSide::Left]
        );
        assert_eq!(seen_from(TableSide::B, (3, -4)), (-3, 4));
        // What lies near the left edge is at the bottom of the left side's view.
        assert_eq!(seen_from(TableSide::Left, (-100, 0)), (0, 100));
        assert_eq!(seen_from(TableSide::Right, (100, 0)), (0, 100));
    }
}
