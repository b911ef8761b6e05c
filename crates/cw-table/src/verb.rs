//! What a seat can ask for (F72–F119).

use std::sync::Arc;

use crate::{CardGroup, CardSide, Colour, DeckList, LookerSet, PileId, TableModel, TableSeat, Viewers};

/// Which cards a verb is about: all in one group (F63, F64).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct VerbCards {
    /// Where the seat sees them.
    pub group: CardGroup,
    /// The cards.
    pub cards: Vec<CardAt>,
}

/// One card, as the seat names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CardAt {
    /// By the handle of its own view.
    Handle(u32),
    /// By its place in an ordered pile, 0 at the top; everybody is told the place.
    Place(u32),
}

/// Where in its new group a card arrives (F68).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ArrivalSpot {
    /// Last in the hand, in unordered piles and on the table, else on top.
    Usual,
    /// First.
    Top,
    /// Last.
    Bottom,
    /// At this place from the top; negative: from the end.
    At(i32),
}

/// An end of a pile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PileEnd {
    /// The first cards.
    Top,
    /// The last ones.
    Bottom,
}

/// Which cards of a pile are looked at (F80).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PilePart {
    /// All, also those that arrive.
    All,
    /// So many at an end; the set only shrinks.
    End(PileEnd, u32),
}

/// What happens to random cards (F85).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Then {
    /// They are shown to all.
    Show,
    /// They are moved.
    Move(CardGroup),
    /// They are targeted; on the table only.
    Target,
}

/// How cards are turned over (F88).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Turning {
    /// Face up.
    Up,
    /// Face down.
    Down,
    /// The other side of each.
    Other,
}

/// How cards are rotated (F89).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rotation {
    /// To so many quarter turns.
    To(u8),
    /// By so many.
    By(u8),
    /// To 90 degrees if all are upright, else upright.
    Toggle,
}

/// How a number changes (F93, F96).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NumberChange {
    /// By so much; always applies (F202).
    By(i64),
    /// To this.
    To(i64),
}

/// What is made (F98).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Created {
    /// What.
    pub model: TableModel,
    /// How many.
    pub count: u32,
    /// Where; a free place if none.
    pub at: Option<(i32, i32)>,
    /// Which side is up.
    pub face: CardSide,
    /// No token: it stays when it changes its group.
    pub kept: bool,
}

/// One request of a seat, or of the table itself.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[expect(
    missing_docs,
    reason = "the fields are named after the arguments of the rules that are cited"
)]
pub enum TableVerb {
    /// F72.
    Move {
        cards: VerbCards,
        to: CardGroup,
        spot: ArrivalSpot,
        face: Option<CardSide>,
    },
    /// F73: the first card here, the others keep their distances.
    Place {
        cards: VerbCards,
        x: i32,
        y: i32,
        face: Option<CardSide>,
    },
    /// F74.
    Draw { pile: PileId, count: u32, end: PileEnd },
    /// F75.
    MoveAll {
        from: PileId,
        to: CardGroup,
        spot: ArrivalSpot,
        random: bool,
    },
    /// F76.
    MoveTop {
        pile: PileId,
        end: PileEnd,
        count: u32,
        to: CardGroup,
        spot: ArrivalSpot,
        face: Option<CardSide>,
    },
    /// F77.
    MoveUntil {
        pile: PileId,
        property: String,
        text: String,
    },
    /// F78.
    Shuffle { pile: PileId },
    /// F79.
    ShufflePart { pile: PileId, end: PileEnd, count: u32 },
    /// F80.
    Look { pile: PileId, part: PilePart },
    /// F81.
    Search { pile: PileId },
    /// The window is closed.
    Close { pile: PileId, shuffle: bool },
    /// The same without a shuffle, and not a step: it does not stand in the way of going back (F131).
    Leave { pile: PileId },
    /// F82: these cards to these places; others keep their order.
    Reorder { cards: VerbCards, places: Vec<u32> },
    /// F83.
    Peek { cards: VerbCards },
    /// F84.
    Reveal { cards: VerbCards, to: LookerSet },
    /// The end of F84.
    Hide { cards: VerbCards },
    /// F85.
    Random { pile: PileId, count: u32, then: Then },
    /// F86.
    SetViewers { pile: PileId, viewers: Viewers },
    /// F87.
    KeepTop { pile: PileId, to: LookerSet },
    /// Whether others may look into it (F16).
    Protect {
        pile: PileId,
        protection: crate::Protection,
    },
    /// F88.
    Turn { cards: VerbCards, how: Turning },
    /// F89.
    Rotate { cards: VerbCards, how: Rotation },
    /// F90.
    Straighten,
    /// F91.
    Lock { cards: VerbCards, on: bool },
    /// F92; the next form if none.
    SwitchForm { cards: VerbCards, form: Option<u8> },
    /// F93.
    Marker {
        cards: VerbCards,
        marker: u16,
        change: NumberChange,
    },
    /// F94.
    MoveMarker {
        from: VerbCards,
        to: VerbCards,
        marker: u16,
        count: u16,
        copy: bool,
    },
    /// F95.
    Highlight {
        cards: VerbCards,
        colour: Option<Colour>,
    },
    /// F95.
    Filter {
        cards: VerbCards,
        colour: Option<Colour>,
    },
    /// F96; of nobody if no seat.
    Counter {
        of: Option<TableSeat>,
        counter: u16,
        change: NumberChange,
    },
    /// F97.
    Anchor { cards: VerbCards, on: bool },
    /// F98.
    Create(Created),
    /// F99.
    Copy { cards: VerbCards },
    /// F100.
    Delete { cards: VerbCards },
    /// F101.
    Target { cards: VerbCards, on: bool },
    /// F101.
    Arrow { from: VerbCards, to: VerbCards },
    /// F101.
    ClearMarks,
    /// F102.
    Point { cards: VerbCards },
    /// F102.
    Shake { cards: VerbCards },
    /// F103.
    Front { cards: VerbCards },
    /// F103.
    Back { cards: VerbCards },
    /// F104.
    Arrange { cards: VerbCards, columns: u32 },
    /// F105.
    Attach { cards: VerbCards, to: Option<VerbCards> },
    /// F106.
    Give { cards: VerbCards, to: TableSeat },
    /// F106.
    GivePile { pile: PileId, to: TableSeat },
    /// F107.
    Take { cards: VerbCards },
    /// F107.
    TakePile { pile: PileId },
    /// F108.
    Note {
        text: String,
        x: i32,
        y: i32,
        private: bool,
    },
    /// F108.
    EditNote { note: u32, text: String },
    /// F108.
    MoveNote { note: u32, x: i32, y: i32 },
    /// F108.
    RemoveNote { note: u32 },
    /// F109.
    CardNote { cards: VerbCards, text: String },
    /// F110.
    Roll { dice: u32, sides: u32, add: i64 },
    /// F110.
    Coin { count: u32 },
    /// F110.
    Number { from: i64, to: i64 },
    /// F110.
    Order,
    /// F111.
    Seal { text: String },
    /// F111.
    Open,
    /// F111.
    OpenAll,
    /// F112.
    Phase { phase: u8, force: bool },
    /// F113; the end of the turn if no phase.
    Stop { phase: Option<u8>, on: bool },
    /// F114; to the next seat if none.
    PassTurn { to: Option<TableSeat>, force: bool },
    /// F115.
    SetActive { seat: Option<TableSeat> },
    /// F116.
    Ready { on: bool },
    /// F117; as many as before if none.
    Mulligan { count: Option<u32> },
    /// An opening hand for oneself, or for every seat (F214).
    OpeningHand { count: u32, everyone: bool },
    /// F118.
    Board { board: Option<u16> },
    /// F118.
    Background,
    /// F119.
    Say { text: String },
    /// A line about oneself (F125).
    Me { text: String },
    /// A line that stands for a menu entry of the package (F35).
    Announce { text: String },
    /// F119.
    Whisper { to: TableSeat, text: String },
    /// A sound of the package (F24).
    Sound { name: String },
    /// F122.
    Concede,
    /// F123.
    Reset { soft: bool },
    /// F124: the whole deck anew, with other cards in its sections.
    Sideboard { deck: Arc<DeckList> },
    /// F210.
    Load { deck: Arc<DeckList> },
    /// F216.
    Clear,
    /// F217: packs by set and pack, with repeats.
    OpenPacks { packs: Vec<(u32, u32)> },
    /// F217.
    BuildDeck { deck: Arc<DeckList> },
    /// F215.
    ShowDeck { to: LookerSet },
    /// F131: so many of one's own last steps.
    Undo { steps: u32 },
    /// F132: back to the state after this step.
    Propose { step: u32 },
    /// F136.
    Redo,
    /// Yes or no to a question; `always` for good (F16).
    Answer { question: u32, yes: bool, always: bool },
    /// F162: the game is over for this seat.
    EndGame,
    /// F162.
    ShowHidden,
    /// F170.
    AddSeat { name: String },
    /// What the person at this seat is called (F179).
    Rename { name: String },
    /// Several as one step: all of them, or none (F63, D74).
    Together { verbs: Arc<[TableVerb]> },
    /// The host: nobody is at this seat (F161).
    Away { seat: TableSeat },
    /// The host: somebody is there again.
    Present { seat: TableSeat },
    /// The host: the time for an answer is over (D74).
    TimeOut { question: u32 },
}

impl TableVerb {
    /// The verbs that it is made of; mostly itself.
    pub fn parts(&self) -> &[TableVerb] {
        match self {
            TableVerb::Together { verbs } => verbs,
            verb => std::slice::from_ref(verb),
        }
    }

    /// Whether it is a step that others' undo has to mind (F131): chat, names, pointing, stops and readiness
    /// are not.
    pub fn is_step(&self) -> bool {
        if let TableVerb::Together { verbs } = self {
            return verbs.iter().any(TableVerb::is_step);
        }
        !matches!(
            self,
            TableVerb::Say { .. }
                | TableVerb::Me { .. }
                | TableVerb::Announce { .. }
                | TableVerb::Whisper { .. }
                | TableVerb::Sound { .. }
                | TableVerb::Point { .. }
                | TableVerb::Shake { .. }
                | TableVerb::Leave { .. }
                | TableVerb::Stop { .. }
                | TableVerb::Ready { .. }
                | TableVerb::Rename { .. }
                | TableVerb::Away { .. }
                | TableVerb::Present { .. }
                | TableVerb::Propose { .. }
                | TableVerb::Answer { .. }
                | TableVerb::TimeOut { .. }
        )
    }

    /// Only the table's host may say it.
    pub fn is_of_host(&self) -> bool {
        matches!(
            self,
            TableVerb::Away { .. } | TableVerb::Present { .. } | TableVerb::TimeOut { .. }
        )
    }
}
