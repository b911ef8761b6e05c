//! What a seat can ask for (F72–F119).

use std::sync::Arc;

use crate::{Colour, DeckList, Eyes, Face, Group, Model, PileId, Seat, Viewers};

/// Which cards a verb is about: all in one group (F63, F64).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Cards {
    /// Where the seat sees them.
    pub group: Group,
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
pub enum Spot {
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
pub enum End {
    /// The first cards.
    Top,
    /// The last ones.
    Bottom,
}

/// Which cards of a pile are looked at (F80).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// All, also those that arrive.
    All,
    /// So many at an end; the set only shrinks.
    End(End, u32),
}

/// What happens to random cards (F85).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Then {
    /// They are shown to all.
    Show,
    /// They are moved.
    Move(Group),
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
pub enum Change {
    /// By so much; always applies (F202).
    By(i64),
    /// To this.
    To(i64),
}

/// What is made (F98).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Created {
    /// What.
    pub model: Model,
    /// How many.
    pub count: u32,
    /// Where; a free place if none.
    pub at: Option<(i32, i32)>,
    /// Which side is up.
    pub face: Face,
    /// No token: it stays when it changes its group.
    pub kept: bool,
}

/// One request of a seat, or of the table itself.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[expect(
    missing_docs,
    reason = "the fields are named after the arguments of the rules that are cited"
)]
pub enum Verb {
    /// F72.
    Move {
        cards: Cards,
        to: Group,
        spot: Spot,
        face: Option<Face>,
    },
    /// F73: the first card here, the others keep their distances.
    Place {
        cards: Cards,
        x: i32,
        y: i32,
        face: Option<Face>,
    },
    /// F74.
    Draw { pile: PileId, count: u32, end: End },
    /// F75.
    MoveAll {
        from: PileId,
        to: Group,
        spot: Spot,
        random: bool,
    },
    /// F76.
    MoveTop {
        pile: PileId,
        end: End,
        count: u32,
        to: Group,
        spot: Spot,
        face: Option<Face>,
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
    ShufflePart { pile: PileId, end: End, count: u32 },
    /// F80.
    Look { pile: PileId, part: Part },
    /// F81.
    Search { pile: PileId },
    /// The window is closed.
    Close { pile: PileId, shuffle: bool },
    /// The same without a shuffle, and not a step: it does not stand in the way of going back (F131).
    Leave { pile: PileId },
    /// F82: these cards to these places; others keep their order.
    Reorder { cards: Cards, places: Vec<u32> },
    /// F83.
    Peek { cards: Cards },
    /// F84.
    Reveal { cards: Cards, to: Eyes },
    /// The end of F84.
    Hide { cards: Cards },
    /// F85.
    Random { pile: PileId, count: u32, then: Then },
    /// F86.
    SetViewers { pile: PileId, viewers: Viewers },
    /// F87.
    KeepTop { pile: PileId, to: Eyes },
    /// Whether others may look into it (F16).
    Protect {
        pile: PileId,
        protection: crate::Protection,
    },
    /// F88.
    Turn { cards: Cards, how: Turning },
    /// F89.
    Rotate { cards: Cards, how: Rotation },
    /// F90.
    Straighten,
    /// F91.
    Lock { cards: Cards, on: bool },
    /// F92; the next form if none.
    SwitchForm { cards: Cards, form: Option<u8> },
    /// F93.
    Marker {
        cards: Cards,
        marker: u16,
        change: Change,
    },
    /// F94.
    MoveMarker {
        from: Cards,
        to: Cards,
        marker: u16,
        count: u16,
        copy: bool,
    },
    /// F95.
    Highlight { cards: Cards, colour: Option<Colour> },
    /// F95.
    Filter { cards: Cards, colour: Option<Colour> },
    /// F96; of nobody if no seat.
    Counter {
        of: Option<Seat>,
        counter: u16,
        change: Change,
    },
    /// F97.
    Anchor { cards: Cards, on: bool },
    /// F98.
    Create(Created),
    /// F99.
    Copy { cards: Cards },
    /// F100.
    Delete { cards: Cards },
    /// F101.
    Target { cards: Cards, on: bool },
    /// F101.
    Arrow { from: Cards, to: Cards },
    /// F101.
    ClearMarks,
    /// F102.
    Point { cards: Cards },
    /// F102.
    Shake { cards: Cards },
    /// F103.
    Front { cards: Cards },
    /// F103.
    Back { cards: Cards },
    /// F104.
    Arrange { cards: Cards, columns: u32 },
    /// F105.
    Attach { cards: Cards, to: Option<Cards> },
    /// F106.
    Give { cards: Cards, to: Seat },
    /// F106.
    GivePile { pile: PileId, to: Seat },
    /// F107.
    Take { cards: Cards },
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
    CardNote { cards: Cards, text: String },
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
    PassTurn { to: Option<Seat>, force: bool },
    /// F115.
    SetActive { seat: Option<Seat> },
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
    Whisper { to: Seat, text: String },
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
    ShowDeck { to: Eyes },
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
    Together { verbs: Arc<[Verb]> },
    /// The host: nobody is at this seat (F161).
    Away { seat: Seat },
    /// The host: somebody is there again.
    Present { seat: Seat },
    /// The host: the time for an answer is over (D74).
    TimeOut { question: u32 },
}

impl Verb {
    /// The verbs that it is made of; mostly itself.
    pub fn parts(&self) -> &[Verb] {
        match self {
            Verb::Together { verbs } => verbs,
            verb => std::slice::from_ref(verb),
        }
    }

    /// Whether it is a step that others' undo has to mind (F131): chat, names, pointing, stops and readiness
    /// are not.
    pub fn is_step(&self) -> bool {
        if let Verb::Together { verbs } = self {
            return verbs.iter().any(Verb::is_step);
        }
        !matches!(
            self,
            Verb::Say { .. }
                | Verb::Me { .. }
                | Verb::Announce { .. }
                | Verb::Whisper { .. }
                | Verb::Sound { .. }
                | Verb::Point { .. }
                | Verb::Shake { .. }
                | Verb::Leave { .. }
                | Verb::Stop { .. }
                | Verb::Ready { .. }
                | Verb::Rename { .. }
                | Verb::Away { .. }
                | Verb::Present { .. }
                | Verb::Propose { .. }
                | Verb::Answer { .. }
                | Verb::TimeOut { .. }
        )
    }

    /// Only the table's host may say it.
    pub fn is_of_host(&self) -> bool {
        matches!(
            self,
            Verb::Away { .. } | Verb::Present { .. } | Verb::TimeOut { .. }
        )
    }
}
