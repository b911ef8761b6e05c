/// How much a table holds at most (F200). At a limit the verb is refused, nothing is dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TableLimits {
    /// Seats.
    pub seats: usize,
    /// Cards.
    pub cards: usize,
    /// Kinds of piles: of a seat, and shared ones. A package's further ones are left out, and that is said.
    pub piles: usize,
    /// Cards of one verb.
    pub at_once: usize,
    /// Verbs of one step.
    pub together: usize,
    /// Tokens of one seat.
    pub tokens: usize,
    /// Kinds of markers on one card.
    pub marker_kinds: usize,
    /// Greatest distance from the middle of the table, in table units; beyond it is clamped.
    pub position: i32,
    /// Arrows.
    pub arrows: usize,
    /// Notes.
    pub notes: usize,
    /// Characters of a note.
    pub note: usize,
    /// Characters of the name that a person takes.
    pub name: usize,
    /// Characters of a line of chat.
    pub chat: usize,
    /// Dice of one roll.
    pub dice: u32,
    /// Sides of a die.
    pub sides: u32,
    /// Characters of a card's own note.
    pub card_note: usize,
    /// Steps of one table.
    pub steps: usize,
    /// Bytes of a request (F201).
    pub request: usize,
}

impl Default for TableLimits {
    fn default() -> TableLimits {
        TableLimits {
            seats: 8,
            cards: 5_000,
            piles: 100,
            at_once: 1_000,
            together: 32,
            tokens: 500,
            marker_kinds: 64,
            position: 100_000,
            arrows: 500,
            notes: 200,
            note: 1_000,
            name: 24,
            chat: 500,
            dice: 20,
            sides: 1_000,
            card_note: 80,
            steps: 100_000,
            request: 16 << 10,
        }
    }
}
