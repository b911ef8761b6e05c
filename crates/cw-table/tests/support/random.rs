//! Verbs by chance: most of them possible, some not.

use std::sync::Arc;

use cw_table::{
    ArrivalSpot, CardAt, CardGroup, CardSide, Colour, Created, DeckList, DeckPart, FreeTable, LookerSet,
    NumberChange, PileEnd, PileId, PilePart, Protection, Rotation, TableModel, TableSeat, TableVerb, Then,
    Turning, VerbCards, Viewers,
};

/// A small generator for tests; the table's own chance is not touched.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(seed)
    }

    /// From which it goes on as it does now.
    pub fn seed(&self) -> u64 {
        self.0
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, bound: u64) -> u64 {
        if bound == 0 { 0 } else { self.next() % bound }
    }

    fn coin(&mut self) -> bool {
        self.below(2) == 0
    }
}

struct Maker<'a> {
    dice: &'a mut Dice,
    table: &'a FreeTable,
    seat: TableSeat,
}

/// A verb of a seat.
pub fn verb(dice: &mut Dice, table: &FreeTable, seat: TableSeat) -> TableVerb {
    Maker { dice, table, seat }.verb()
}

/// What the host says.
pub fn of_host(dice: &mut Dice, table: &FreeTable) -> TableVerb {
    let mut maker = Maker {
        dice,
        table,
        seat: TableSeat(0),
    };
    match maker.dice.below(6) {
        0 => TableVerb::Away { seat: maker.a_seat() },
        1 => TableVerb::TimeOut {
            question: maker.question(),
        },
        _ => TableVerb::Present { seat: maker.a_seat() },
    }
}

impl Maker<'_> {
    fn pile(&mut self) -> PileId {
        let count = self.table.state().piles.len() as u64;
        // Mostly one's own, sometimes one that is not there.
        if self.dice.below(3) > 0 {
            let kinds = self.table.kit().piles.len() as u64;
            let kind = self.dice.below(kinds.max(1)) as usize;
            return self.table.state().pile_of(self.table.kit(), self.seat, kind);
        }
        PileId(self.dice.below(count + 1) as u16)
    }

    fn group(&mut self) -> CardGroup {
        if self.dice.below(3) == 0 {
            CardGroup::Table
        } else {
            CardGroup::Pile(self.pile())
        }
    }

    fn cards_of(&mut self, group: CardGroup) -> VerbCards {
        let state = self.table.state();
        let list = match group {
            CardGroup::Table => state.table.clone(),
            CardGroup::Pile(pile) if (pile.0 as usize) < state.piles.len() => state.pile(pile).cards.clone(),
            CardGroup::Pile(_) => Vec::new(),
        };
        let mut cards = Vec::new();
        for _ in 0..=self.dice.below(3) {
            let beyond = u64::from(self.dice.below(40) == 0);
            let at = self.dice.below(list.len() as u64 + beyond) as usize;
            let handle = list.get(at).map_or(0, |id| state.handle(self.seat.into(), *id));
            let by_place = handle == 0 && group != CardGroup::Table;
            cards.push(if by_place {
                CardAt::Place(at as u32)
            } else {
                CardAt::Handle(handle)
            });
        }
        cards.dedup();
        VerbCards { group, cards }
    }

    fn cards(&mut self) -> VerbCards {
        let group = self.group();
        self.cards_of(group)
    }

    fn lying(&mut self) -> VerbCards {
        if self.dice.below(30) == 0 {
            self.cards()
        } else {
            self.cards_of(CardGroup::Table)
        }
    }

    fn one(&mut self) -> VerbCards {
        let mut cards = self.lying();
        cards.cards.truncate(1);
        cards
    }

    fn spot(&mut self) -> ArrivalSpot {
        match self.dice.below(5) {
            0 => ArrivalSpot::Top,
            1 => ArrivalSpot::Bottom,
            2 => ArrivalSpot::At(self.dice.below(12) as i32 - 4),
            _ => ArrivalSpot::Usual,
        }
    }

    fn face(&mut self) -> Option<CardSide> {
        [None, Some(CardSide::Up), Some(CardSide::Down)][self.dice.below(3) as usize]
    }

    fn end(&mut self) -> PileEnd {
        if self.dice.coin() {
            PileEnd::Top
        } else {
            PileEnd::Bottom
        }
    }

    fn few(&mut self) -> u32 {
        self.dice.below(5) as u32
    }

    fn eyes(&mut self) -> LookerSet {
        match self.dice.below(4) {
            0 => LookerSet::ALL,
            1 => LookerSet::SPECTATORS,
            _ => LookerSet::of(TableSeat(
                self.dice.below(self.table.state().seats.len() as u64) as u8
            )),
        }
    }

    fn a_seat(&mut self) -> TableSeat {
        TableSeat(self.dice.below(self.table.state().seats.len() as u64 + 1) as u8)
    }

    fn text(&mut self) -> String {
        ["a", "two words", "quo\"ted \\ back", "", "é\u{202e}x", "# = ;"][self.dice.below(6) as usize]
            .to_owned()
    }

    fn number(&mut self) -> i64 {
        match self.dice.below(12) {
            0 => i64::MAX,
            1 => i64::MIN,
            _ => self.dice.below(9) as i64 - 4,
        }
    }

    fn change(&mut self) -> NumberChange {
        if self.dice.coin() {
            NumberChange::By(self.number())
        } else {
            NumberChange::To(self.number())
        }
    }

    fn colour(&mut self) -> Option<Colour> {
        self.dice.coin().then(|| Colour(self.dice.below(1 << 24) as u32))
    }

    fn marker(&mut self) -> u16 {
        self.dice.below(self.table.kit().markers.len() as u64 + 1) as u16
    }

    /// Mostly a marker that lies there.
    fn marker_on(&mut self, cards: &VerbCards) -> u16 {
        let state = self.table.state();
        let lies = cards.cards.iter().find_map(|card| match card {
            CardAt::Handle(handle) => {
                let id = state.by_handle(self.seat.into(), *handle)?;
                state.card(id).markers.first().map(|(kind, _)| *kind)
            }
            CardAt::Place(_) | CardAt::Card(_) => None,
        });
        lies.filter(|_| self.dice.below(10) > 0)
            .unwrap_or_else(|| self.marker())
    }

    /// After something was taken back it may be restored.
    fn undone(&self) -> bool {
        let last = self.table.entries().next_back();
        last.is_some_and(|entry| matches!(entry.verb, TableVerb::Undo { .. }))
    }

    fn model(&mut self) -> TableModel {
        if self.dice.coin() {
            return TableModel::Blank(Arc::from(self.text()));
        }
        TableModel::Card(self.dice.below(u64::from(self.table.kit().count()) + 1) as u32)
    }

    fn question(&mut self) -> u32 {
        let questions = &self.table.state().questions;
        let at = self.dice.below(questions.len() as u64 + 1) as usize;
        questions.get(at).map_or(0, |question| question.id)
    }

    fn note(&mut self) -> u32 {
        let notes = &self.table.state().notes;
        let at = self.dice.below(notes.len() as u64 + 1) as usize;
        notes.get(at).map_or(0, |note| note.id)
    }

    fn point(&mut self) -> (i32, i32) {
        let far = self.dice.below(50) == 0;
        let span = if far { u64::from(u32::MAX) } else { 800 };
        let half = (span / 2) as i64;
        (
            (self.dice.below(span) as i64 - half) as i32,
            (self.dice.below(span) as i64 - half) as i32,
        )
    }

    /// A deck of cards of the package, seldom one that does not fit.
    fn deck(&mut self) -> Arc<DeckList> {
        let kit = self.table.kit();
        let shared = self.dice.below(4) == 0;
        let piles = if shared { &kit.shared_piles } else { &kit.piles };
        let pile = self.dice.below(piles.len() as u64 + 1) as u16;
        let count = self.few().max(1);
        let cards = (0..count).map(|_| (self.model(), self.few())).collect();
        Arc::new(DeckList {
            name: self.text(),
            parts: vec![DeckPart {
                section: self.text(),
                shared,
                pile: (self.dice.below(30) > 0).then_some(pile),
                cards,
            }],
            sleeve: self.dice.coin().then(|| self.text()),
        })
    }

    /// One's own deck, with its cards in another section.
    fn rearranged(&mut self) -> Arc<DeckList> {
        let decks = &self.table.state().seat(self.seat).decks;
        let mut whole = DeckList::default();
        for part in decks.iter().flat_map(|deck| &deck.parts) {
            let mut part = part.clone();
            if !part.shared && self.dice.coin() {
                let pile = self.dice.below(self.table.kit().piles.len() as u64);
                part.pile = Some(pile as u16);
                part.section = format!("to {pile}");
            }
            whole.parts.push(part);
        }
        Arc::new(whole)
    }

    /// A deck of the pool.
    fn built(&mut self) -> Arc<DeckList> {
        let seat = self.table.state().seat(self.seat);
        let mut cards: Vec<(TableModel, u32)> = Vec::new();
        for model in seat.pool.iter().chain(&seat.pool_unlimited) {
            if self.dice.coin() {
                match cards.iter_mut().find(|(own, _)| own == model) {
                    Some((_, count)) => *count += 1,
                    None => cards.push((model.clone(), 1)),
                }
            }
        }
        let part = DeckPart {
            section: "Main".into(),
            shared: false,
            pile: Some(1),
            cards,
        };
        Arc::new(DeckList {
            name: "Built".into(),
            parts: vec![part],
            sleeve: None,
        })
    }

    #[expect(clippy::too_many_lines, reason = "one line for each verb")]
    fn verb(&mut self) -> TableVerb {
        let on = self.dice.coin();
        if self.undone() && self.dice.below(3) == 0 {
            return TableVerb::Redo;
        }
        let own = self.table.state().seat(self.seat);
        // That moment is rare, and over with the next verb.
        if own.untouched && !own.decks.is_empty() && self.dice.coin() {
            return TableVerb::Sideboard {
                deck: self.rearranged(),
            };
        }
        match self.dice.below(119) {
            0..6 => TableVerb::Move {
                cards: self.cards(),
                to: self.group(),
                spot: self.spot(),
                face: self.face(),
            },
            6..9 => {
                let (x, y) = self.point();
                TableVerb::Place {
                    cards: self.cards(),
                    x,
                    y,
                    face: self.face(),
                }
            }
            9..13 => TableVerb::Draw {
                pile: self.pile(),
                count: self.few(),
                end: self.end(),
            },
            13 => TableVerb::MoveAll {
                from: self.pile(),
                to: self.group(),
                spot: self.spot(),
                random: on,
            },
            14..17 => TableVerb::MoveTop {
                pile: self.pile(),
                end: self.end(),
                count: self.few(),
                to: self.group(),
                spot: self.spot(),
                face: self.face(),
            },
            17 => TableVerb::MoveUntil {
                pile: self.pile(),
                property: "Kind".to_owned(),
                text: "Pome".to_owned(),
            },
            18 => TableVerb::Shuffle {
                pile: self.pile(),
                part: PilePart::All,
            },
            19 => TableVerb::Shuffle {
                pile: self.pile(),
                part: PilePart::End(self.end(), self.few()),
            },
            20..22 => {
                let part = if on {
                    PilePart::All
                } else {
                    PilePart::End(self.end(), self.few())
                };
                TableVerb::Look {
                    pile: self.pile(),
                    part,
                }
            }
            22 => TableVerb::Search { pile: self.pile() },
            23..26 => TableVerb::Close {
                pile: self.pile(),
                shuffle: on,
            },
            26 => {
                let cards = self.cards();
                let places = cards.cards.iter().map(|_| self.dice.below(8) as u32).collect();
                TableVerb::Reorder { cards, places }
            }
            27..29 => TableVerb::Peek { cards: self.cards() },
            29 => TableVerb::Reveal {
                cards: self.cards(),
                to: self.eyes(),
            },
            30 => TableVerb::Hide { cards: self.cards() },
            31 => {
                let then = match self.dice.below(3) {
                    0 => Then::Show,
                    1 => Then::Target,
                    _ => Then::Move(self.group()),
                };
                TableVerb::Random {
                    pile: self.pile(),
                    count: self.few(),
                    then,
                }
            }
            32 => {
                let viewers = match self.dice.below(4) {
                    0 => Viewers::Nobody,
                    1 => Viewers::Everybody,
                    2 => Viewers::ByFace,
                    _ => Viewers::List(self.eyes()),
                };
                TableVerb::SetViewers {
                    pile: self.pile(),
                    viewers,
                }
            }
            33 => TableVerb::KeepTop {
                pile: self.pile(),
                to: if on { self.eyes() } else { LookerSet::NONE },
            },
            34 => {
                let how = [Protection::Free, Protection::Ask, Protection::Never][self.dice.below(3) as usize];
                TableVerb::Protect {
                    pile: self.pile(),
                    protection: how,
                }
            }
            35..39 => {
                let how = [Turning::Up, Turning::Down, Turning::Other][self.dice.below(3) as usize];
                TableVerb::Turn {
                    cards: self.cards(),
                    how,
                }
            }
            39..41 => {
                let how = match self.dice.below(3) {
                    0 => Rotation::To(self.dice.below(4) as u8),
                    1 => Rotation::By(self.dice.below(4) as u8),
                    _ => Rotation::Toggle,
                };
                TableVerb::Rotate {
                    cards: self.lying(),
                    how,
                }
            }
            41 => TableVerb::Straighten,
            42 => TableVerb::Lock {
                cards: self.lying(),
                on,
            },
            43 => TableVerb::SwitchForm {
                cards: self.lying(),
                form: on.then(|| self.dice.below(4) as u8),
            },
            44..46 => TableVerb::Marker {
                cards: self.lying(),
                marker: self.marker(),
                change: self.change(),
            },
            46 => {
                let from = self.one();
                TableVerb::MoveMarker {
                    marker: self.marker_on(&from),
                    from,
                    to: self.one(),
                    count: self.few() as u16,
                    copy: on,
                }
            }
            47 => TableVerb::Highlight {
                cards: self.lying(),
                colour: self.colour(),
            },
            48 => TableVerb::Filter {
                cards: self.lying(),
                colour: self.colour(),
            },
            49 => {
                let of = on.then(|| self.a_seat());
                TableVerb::Counter {
                    of,
                    counter: self.dice.below(3) as u16,
                    change: self.change(),
                }
            }
            50 => TableVerb::Anchor {
                cards: self.lying(),
                on,
            },
            51..53 => TableVerb::Create {
                created: Created {
                    model: self.model(),
                    count: self.few(),
                    at: on.then(|| self.point()),
                    face: self.face().unwrap_or(CardSide::Up),
                    kept: self.dice.coin(),
                },
            },
            53 => TableVerb::Copy { cards: self.one() },
            54..57 => TableVerb::Delete { cards: self.lying() },
            57 => TableVerb::Target {
                cards: self.lying(),
                on,
            },
            58 => TableVerb::Arrow {
                from: self.one(),
                to: self.one(),
            },
            59 => TableVerb::ClearMarks,
            60 => TableVerb::Point { cards: self.lying() },
            61 => TableVerb::Shake { cards: self.lying() },
            62 => TableVerb::Front { cards: self.lying() },
            63 => TableVerb::Back { cards: self.lying() },
            64 => TableVerb::Arrange {
                cards: self.lying(),
                columns: self.few(),
            },
            65 => TableVerb::Attach {
                cards: self.one(),
                to: on.then(|| self.one()),
            },
            66 => TableVerb::Give {
                cards: self.cards(),
                to: self.a_seat(),
            },
            67 => TableVerb::GivePile {
                pile: self.pile(),
                to: self.a_seat(),
            },
            68 => TableVerb::Take { cards: self.cards() },
            69 => TableVerb::TakePile { pile: self.pile() },
            70 => {
                let (x, y) = self.point();
                TableVerb::Note {
                    text: self.text(),
                    x,
                    y,
                    private: on,
                }
            }
            71 => TableVerb::EditNote {
                note: self.note(),
                text: self.text(),
            },
            72 => TableVerb::RemoveNote { note: self.note() },
            73 => TableVerb::CardNote {
                cards: self.lying(),
                text: self.text(),
            },
            74 => TableVerb::Roll {
                dice: self.few(),
                sides: self.few() * 3,
                add: self.number(),
            },
            75 => TableVerb::Coin { count: self.few() },
            76 => TableVerb::Number {
                from: self.number(),
                to: self.number(),
            },
            77 => TableVerb::Order,
            78 => TableVerb::Seal { text: self.text() },
            79 => {
                if on {
                    TableVerb::Open
                } else {
                    TableVerb::OpenAll
                }
            }
            80 => TableVerb::Phase {
                phase: self.dice.below(7) as u8,
                force: on,
            },
            81 => TableVerb::Stop {
                phase: on.then(|| self.dice.below(7) as u8),
                on: self.dice.coin(),
            },
            82..84 => TableVerb::PassTurn {
                to: on.then(|| self.a_seat()),
                force: self.dice.coin(),
            },
            84 => TableVerb::SetActive {
                seat: on.then(|| self.a_seat()),
            },
            85 => TableVerb::Ready { on },
            86 => TableVerb::Mulligan {
                count: on.then(|| self.few()),
            },
            87 => TableVerb::OpeningHand {
                count: self.few(),
                everyone: on,
            },
            88 => {
                if on {
                    TableVerb::Background
                } else {
                    TableVerb::Board {
                        board: Some(self.dice.below(3) as u16),
                    }
                }
            }
            89 => TableVerb::Say { text: self.text() },
            90 => TableVerb::Whisper {
                to: self.a_seat(),
                text: self.text(),
            },
            91 => TableVerb::Sound {
                name: "bell".to_owned(),
            },
            92 => {
                if self.dice.below(20) == 0 {
                    TableVerb::Concede
                } else {
                    TableVerb::ShowHidden
                }
            }
            93 => {
                if self.dice.below(20) == 0 {
                    TableVerb::Reset { soft: on }
                } else {
                    TableVerb::EndGame
                }
            }
            94 => TableVerb::ShowDeck { to: self.eyes() },
            95 => {
                if self.dice.below(10) == 0 {
                    TableVerb::Clear
                } else {
                    TableVerb::OpenPacks { packs: vec![(0, 0)] }
                }
            }
            96 => TableVerb::Undo { steps: self.few() },
            97 => {
                let entries = self.table.len() as u64;
                TableVerb::Propose {
                    step: entries.saturating_sub(self.dice.below(8)) as u32,
                }
            }
            98 => TableVerb::Redo,
            99..103 => {
                let yes = self.dice.below(3) > 0;
                TableVerb::Answer {
                    question: self.question(),
                    yes,
                    always: yes && on,
                }
            }
            103 => TableVerb::AddSeat { name: self.text() },
            104 => TableVerb::Me { text: self.text() },
            105 if on => TableVerb::Rename { name: self.text() },
            105 => TableVerb::Announce { text: self.text() },
            106 => TableVerb::Load { deck: self.deck() },
            107..109 => TableVerb::Sideboard {
                deck: self.rearranged(),
            },
            109..111 => TableVerb::BuildDeck { deck: self.built() },
            111 => {
                let count = 2 + self.dice.below(2);
                let verbs: Vec<TableVerb> = (0..count)
                    .map(|_| {
                        loop {
                            let verb = self.verb();
                            if !matches!(
                                verb,
                                TableVerb::Together { .. }
                                    | TableVerb::Undo { .. }
                                    | TableVerb::Redo
                                    | TableVerb::Propose { .. }
                            ) {
                                break verb;
                            }
                        }
                    })
                    .collect();
                TableVerb::Together { verbs: verbs.into() }
            }
            115 => TableVerb::EndGame,
            116 => TableVerb::Leave { pile: self.pile() },
            117 => {
                let (x, y) = self.point();
                let note = self.note();
                TableVerb::MoveNote { note, x, y }
            }
            112 => TableVerb::ShowHidden,
            113 => TableVerb::Redo,
            _ => TableVerb::Undo { steps: 1 },
        }
    }
}
