//! All that changes during a game.

use std::sync::Arc;

use cw_chance::Chance;

use crate::eyes::LOOKERS;
use crate::kit::{Protection, TableModel, Visibility};
use crate::script::{ScriptState, WaitingRun};
use crate::{DeckList, Kit, LookerSet, TableSeat, TableVerb};

/// A card at the table, by its place in the state. It says nothing about what the card is, and no view shows
/// it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TableCardId(pub u16);

impl TableCardId {
    /// The card at a place in the state.
    ///
    /// # Panics
    /// If no state holds so many: [`Limits::cards`](crate::TableLimits::cards) stays far below.
    pub fn at(index: usize) -> TableCardId {
        TableCardId(u16::try_from(index).expect("a state holds fewer cards"))
    }

    pub(crate) fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// A pile: the shared ones first, then those of each seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PileId(pub u16);

impl PileId {
    /// The pile at a place in the state.
    ///
    /// # Panics
    /// If no state holds so many: [`Limits::piles`](crate::TableLimits::piles) stays far below.
    pub fn at(index: usize) -> PileId {
        PileId(u16::try_from(index).expect("a state holds fewer piles"))
    }

    pub(crate) fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// Where a card lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CardGroup {
    /// On the table.
    Table,
    /// In a pile.
    Pile(PileId),
}

/// Which side lies up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum CardSide {
    /// The printed side.
    #[default]
    Up,
    /// The back.
    Down,
}

/// How a card is turned, clockwise (F44).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Quarter {
    /// Upright.
    #[default]
    Zero,
    /// 90 degrees.
    One,
    /// 180 degrees.
    Two,
    /// 270 degrees.
    Three,
}

impl Quarter {
    /// So many quarter turns.
    pub fn of(quarters: u8) -> Quarter {
        match quarters % 4 {
            0 => Quarter::Zero,
            1 => Quarter::One,
            2 => Quarter::Two,
            _ => Quarter::Three,
        }
    }

    /// How many quarter turns.
    pub fn quarters(self) -> u8 {
        match self {
            Quarter::Zero => 0,
            Quarter::One => 1,
            Quarter::Two => 2,
            Quarter::Three => 3,
        }
    }

    /// In degrees.
    pub fn degrees(self) -> u16 {
        u16::from(self.quarters()) * 90
    }
}

/// A colour (F47).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Colour(pub u32);

impl Colour {
    /// Reads `#RRGGBB` (F203).
    pub fn parse(text: &str) -> Option<Colour> {
        let digits = text.strip_prefix('#')?;
        let hexadecimal = digits.len() == 6 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        hexadecimal.then(|| u32::from_str_radix(digits, 16).ok().map(Colour))?
    }
}

impl std::fmt::Display for Colour {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "#{:06X}", self.0 & 0xff_ffff)
    }
}

/// A card at the table (F41).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TableCard {
    /// What it is.
    pub model: TableModel,
    /// Its form: 0 is the base form.
    pub form: u8,
    /// Whose it is; never changes (F50).
    pub owner: Option<TableSeat>,
    /// Who may act on it; anybody if none.
    pub controller: Option<TableSeat>,
    /// Where it lies.
    pub group: CardGroup,
    /// Which side is up: on the table, and in piles that set no face (F52).
    pub face: CardSide,
    /// Left edge of the upright card; without meaning in piles (F42).
    pub x: i32,
    /// Upper edge.
    pub y: i32,
    /// How it is turned.
    pub quarter: Quarter,
    /// Markers with their number, in the order they came (F46).
    pub markers: Vec<(u16, u16)>,
    /// Colour of its edge.
    pub highlight: Option<Colour>,
    /// Colour over its face.
    pub filter: Option<Colour>,
    /// Who targets it (F48).
    pub target: Option<TableSeat>,
    /// Whether it faces side B of a two-sided table: decided when it is put somewhere, not while it lies
    /// there (D88).
    pub far: bool,
    /// Not to be dragged (F49).
    pub anchored: bool,
    /// Left out when all are straightened (F91).
    pub locked: bool,
    /// The card it is attached to (F105).
    pub host: Option<TableCardId>,
    /// A line below the card, for who knows it (F109).
    pub note: Option<Arc<str>>,
    /// Ceases to be when it changes its group (F69).
    pub token: bool,
    /// Who made it here (F100); forgotten when it changes its group.
    pub maker: Option<TableSeat>,
    /// Who peeks at it (F83).
    pub peekers: LookerSet,
    /// Who looks at it in an open window (F80).
    pub lookers: LookerSet,
    /// To whom it is shown although its pile does not show it (F51).
    pub shown: LookerSet,
    /// Who can still say which card of a hidden pile it is.
    pub tracked: LookerSet,
    /// Those of them who saw its face when it went there (F156).
    pub remembered: LookerSet,
    /// Who has ever seen its face since it was last among unknown ones (F157).
    pub seen: LookerSet,
}

/// A pile at the table (F51).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TablePile {
    /// Its place among the kit's piles of its kind.
    pub kind: u16,
    /// Whose it is; nobody's if shared.
    pub owner: Option<TableSeat>,
    /// Who may act on it; anybody if none.
    pub controller: Option<TableSeat>,
    /// Its cards, the top one first.
    pub cards: Vec<TableCardId>,
    /// Who sees them without doing anything.
    pub viewers: Viewers,
    /// To whom the top card is always shown (F87).
    pub keep_top: LookerSet,
    /// Who else may look into it.
    pub protection: Protection,
    /// Who may look into it for good (F16).
    pub granted: LookerSet,
    /// Who has a window open on it, and whether cards that arrive are seen too (F80).
    pub windows: LookerSet,
    /// Those whose window shows all of it.
    pub whole: LookerSet,
}

/// Who sees the cards of a pile (F13).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Viewers {
    /// Nobody.
    Nobody,
    /// Everybody.
    Everybody,
    /// These.
    List(LookerSet),
    /// Each card keeps its own face.
    ByFace,
}

/// Text on the table (F53).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TableNote {
    /// Its number; never used again.
    pub id: u32,
    /// Who wrote it.
    pub author: TableSeat,
    /// Left edge.
    pub x: i32,
    /// Upper edge.
    pub y: i32,
    /// What it says.
    pub text: Arc<str>,
    /// Only its author sees it.
    pub private: bool,
}

/// A seat.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SeatState {
    /// The name of who sits there.
    pub name: Arc<str>,
    /// Its counters, in the kit's order.
    pub counters: Vec<i32>,
    /// Whether somebody is there (F161).
    pub present: bool,
    /// Gave up (F122).
    pub conceded: bool,
    /// Ready, or done (F116).
    pub ready: bool,
    /// Bit n: phase n is stopped (F113).
    pub stops: u64,
    /// The end of the turn is stopped.
    pub end_stop: bool,
    /// A value that nobody else sees until it is opened (F111).
    pub sealed: Option<Arc<str>>,
    /// Waits for the others' sealed values before its own is opened.
    pub opens: bool,
    /// The decks that were loaded, for a reset (F123).
    pub decks: Vec<Arc<DeckList>>,
    /// What it may build a deck of (F217).
    pub pool: Vec<TableModel>,
    /// Cards of that pool of which it may take any number.
    pub pool_unlimited: Vec<TableModel>,
    /// Where it placed its last card (F180).
    pub last_place: Option<(i32, i32)>,
    /// Size of its last opening hand (F214).
    pub opening_hand: u32,
    /// Agrees that the game has ended (F162).
    pub wants_end: bool,
    /// Nothing was done by it since the last reset: it may still change its deck (F124).
    pub untouched: bool,
}

/// How seats sit (F174, F178).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sides {
    /// All on one side.
    One,
    /// Opposite each other, sharing sides.
    Two,
    /// Around the table.
    Four,
}

/// On whose cards a seat may act (F62).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rights {
    /// On those it controls.
    Own,
    /// On every card that lies open.
    Open,
}

/// How control is taken from a seat that is there (F107).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TakeRule {
    /// At once, on the table.
    Free,
    /// After it agreed.
    Ask,
}

/// Whether the package's own scripts run (S170).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum ScriptRule {
    /// They run.
    #[default]
    On,
    /// They run once every seat has agreed.
    Ask,
    /// They do not run.
    Off,
}

/// Whether a seat is asked before another's script acts on its hidden cards (S185).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum RemoteRule {
    /// It is asked.
    #[default]
    Ask,
    /// It is not: people who trust each other.
    Free,
}

/// On whose things scripts act (S189).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum ScriptReach {
    /// On all that lies open.
    #[default]
    Public,
    /// On what their seat controls.
    Own,
}

/// What is fixed before the start and shown to all.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TableSettings {
    /// Names of who sits at the table, by seat.
    pub names: Vec<Arc<str>>,
    /// How they sit; the package's own way if none (F22).
    pub sides: Option<Sides>,
    /// On whose cards a seat may act (F62).
    pub rights: Rights,
    /// How control is taken from a seat that is there (F107).
    pub take: TakeRule,
    /// Spectators see hands and what is looked at (F159).
    pub spectators_see_hands: bool,
    /// Piles that a deck filled and that nobody sees are shuffled (F213).
    pub shuffle_after_loading: bool,
    /// One person plays all seats: everything can be taken back (F136, F171).
    pub solo: bool,
    /// Pictures of one's own on the backs of cards (F211).
    pub custom_sleeves: bool,
    /// All seats let a referee see everything (F160).
    pub referee: bool,
    /// Whether the package's scripts run: always, after a question, or never (S170).
    pub scripts: ScriptRule,
    /// Whether a call at another seat asks there before it touches hidden cards (S185).
    pub remote: RemoteRule,
    /// Whose cards and piles a script may change (S189).
    pub reach: ScriptReach,
}

impl TableSettings {
    /// The defaults, for so many seats.
    pub fn for_seats(seats: usize) -> TableSettings {
        let seats = seats.clamp(1, crate::eyes::MOST_SEATS);
        TableSettings {
            names: (1..=seats)
                .map(|seat| Arc::from(format!("Seat {seat}")))
                .collect(),
            sides: None,
            rights: Rights::Own,
            take: TakeRule::Free,
            spectators_see_hands: false,
            shuffle_after_loading: true,
            solo: false,
            custom_sleeves: false,
            referee: false,
            scripts: ScriptRule::On,
            remote: RemoteRule::Ask,
            reach: ScriptReach::Public,
        }
    }

    /// The defaults, for these people.
    pub fn for_people(names: &[&str]) -> TableSettings {
        let mut settings = TableSettings::for_seats(names.len());
        for (name, given) in settings.names.iter_mut().zip(names) {
            *name = Arc::from(crate::state::plain(given, 40, "Seat"));
        }
        settings
    }
}

/// Something that waits for others to agree.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ConsentQuestion {
    /// Its number; never used again.
    pub id: u32,
    /// Who asks.
    pub by: TableSeat,
    /// Who has to agree.
    pub of: LookerSet,
    /// Who has.
    pub agreed: LookerSet,
    /// What is asked.
    pub kind: QuestionKind,
}

/// What is asked.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum QuestionKind {
    /// This verb is performed once all agree.
    Perform(Arc<TableVerb>),
    /// Everything after this step is taken back once all agree (F132).
    Rewind(u32),
}

/// Handles of one looker: by card, 0 where it has none.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub(crate) struct Handles {
    /// By card.
    pub(crate) of: Vec<u32>,
    /// How many were ever given.
    pub(crate) given: u32,
}

/// All that changes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TableState {
    /// Fixed before the start.
    pub settings: TableSettings,
    /// The seats.
    pub seats: Vec<SeatState>,
    /// Counters of nobody.
    pub shared_counters: Vec<i32>,
    /// Cards on the table, the lowest first (F43).
    pub table: Vec<TableCardId>,
    /// Piles.
    pub piles: Vec<TablePile>,
    /// Arrows: by whom, from which card, to which (F48).
    pub arrows: Vec<(TableSeat, TableCardId, TableCardId)>,
    /// Notes.
    pub notes: Vec<TableNote>,
    /// Whose turn it is.
    pub active: Option<TableSeat>,
    /// The turn's number, from 0.
    pub turn: u32,
    /// The phase, 0 for none (F20).
    pub phase: u8,
    /// The board that lies below the cards, by its place in the definition.
    pub board: Option<u16>,
    /// The background is turned by half.
    pub background_turned: bool,
    /// What waits for agreement.
    pub questions: Vec<ConsentQuestion>,
    /// Entries of the package that wait for an answer (S176).
    pub runs: Vec<WaitingRun>,
    /// Chance.
    pub chance: Chance,
    /// How many steps led here.
    pub step: u32,
    /// The step at which the present game began (F133).
    pub game_start: u32,
    /// All agreed that the game has ended (F162).
    pub ended: bool,
    pub(crate) cards: Vec<Option<TableCard>>,
    pub(crate) handles: Vec<Handles>,
    /// Makes handles that carry no order.
    pub(crate) salt: u64,
    pub(crate) next_number: u32,
    /// The seeds of packs that were opened: promised in the log, told at the end (F217).
    pub(crate) pack_seeds: Vec<Vec<u64>>,
    /// What scripts keep (S174).
    pub(crate) scripts: ScriptState,
}

impl TableState {
    /// An empty table.
    pub(crate) fn new(kit: &Kit, settings: TableSettings, chance: Chance, salt: u64) -> TableState {
        let mut state = TableState {
            seats: Vec::new(),
            shared_counters: kit
                .shared_counters()
                .iter()
                .map(|counter| counter.default)
                .collect(),
            table: Vec::new(),
            piles: Vec::new(),
            arrows: Vec::new(),
            notes: Vec::new(),
            active: None,
            turn: 0,
            phase: 0,
            board: kit.package.definition.tabletop.has_default_board.then_some(0),
            background_turned: false,
            questions: Vec::new(),
            runs: Vec::new(),
            chance,
            step: 0,
            game_start: 0,
            ended: false,
            cards: Vec::new(),
            handles: vec![Handles::default(); LOOKERS],
            salt,
            next_number: 1,
            pack_seeds: Vec::new(),
            scripts: ScriptState::default(),
            settings: settings.clone(),
        };
        for kind in 0..kit.shared_piles.len() {
            state.piles.push(TablePile::new(kit, kind, None));
        }
        for name in settings.names {
            state.add_seat(kit, name);
        }
        if settings.scripts != ScriptRule::Off {
            crate::script::load(kit, &mut state);
        }
        state
    }

    pub(crate) fn add_seat(&mut self, kit: &Kit, name: Arc<str>) {
        let seat = TableSeat::at(self.seats.len());
        self.seats.push(SeatState {
            name,
            counters: kit.counters().iter().map(|counter| counter.default).collect(),
            present: true,
            conceded: false,
            ready: false,
            stops: 0,
            end_stop: false,
            sealed: None,
            opens: false,
            decks: Vec::new(),
            pool: Vec::new(),
            pool_unlimited: Vec::new(),
            last_place: None,
            opening_hand: 7,
            wants_end: false,
            untouched: true,
        });
        for kind in 0..kit.piles.len() {
            self.piles.push(TablePile::new(kit, kind, Some(seat)));
        }
    }

    /// A card.
    ///
    /// # Panics
    /// If there is no such card.
    pub fn card(&self, card: TableCardId) -> &TableCard {
        self.cards[card.index()]
            .as_ref()
            .expect("ids of cards come from the state")
    }

    /// Whether the card has not ceased to be.
    pub(crate) fn is_there(&self, card: TableCardId) -> bool {
        self.cards.get(card.index()).is_some_and(Option::is_some)
    }

    pub(crate) fn card_mut(&mut self, card: TableCardId) -> &mut TableCard {
        self.cards[card.index()]
            .as_mut()
            .expect("ids of cards come from the state")
    }

    /// All cards with their ids.
    pub fn cards(&self) -> impl Iterator<Item = (TableCardId, &TableCard)> {
        let all = self.cards.iter().enumerate();
        all.filter_map(|(index, card)| card.as_ref().map(|card| (TableCardId::at(index), card)))
    }

    /// A pile.
    ///
    /// # Panics
    /// If there is no such pile.
    pub fn pile(&self, pile: PileId) -> &TablePile {
        &self.piles[pile.index()]
    }

    pub(crate) fn pile_mut(&mut self, pile: PileId) -> &mut TablePile {
        &mut self.piles[pile.index()]
    }

    /// The seat's pile of this kind.
    pub fn pile_of(&self, kit: &Kit, seat: TableSeat, kind: usize) -> PileId {
        PileId::at(kit.shared_piles.len() + seat.index() * kit.piles.len() + kind)
    }

    /// The hand of a seat (F9).
    pub fn hand(&self, kit: &Kit, seat: TableSeat) -> Option<PileId> {
        kit.hand.map(|kind| self.pile_of(kit, seat, kind))
    }

    /// The deck of a seat (F10).
    pub fn deck(&self, kit: &Kit, seat: TableSeat) -> Option<PileId> {
        kit.deck.map(|kind| self.pile_of(kit, seat, kind))
    }

    /// The cards of a group in order.
    pub fn of_group(&self, group: CardGroup) -> &[TableCardId] {
        match group {
            CardGroup::Table => &self.table,
            CardGroup::Pile(pile) => &self.pile(pile).cards,
        }
    }

    /// The seats in order.
    pub fn seat_ids(&self) -> impl Iterator<Item = TableSeat> + use<> {
        (0..self.seats.len()).map(TableSeat::at)
    }

    /// A seat.
    pub fn seat(&self, seat: TableSeat) -> &SeatState {
        &self.seats[seat.index()]
    }

    pub(crate) fn seat_mut(&mut self, seat: TableSeat) -> &mut SeatState {
        &mut self.seats[seat.index()]
    }

    /// The seats whose people are there and have not given up, other than this one.
    pub(crate) fn others_present(&self, but: TableSeat) -> LookerSet {
        let others = self
            .seat_ids()
            .filter(|seat| *seat != but && self.seat(*seat).present);
        others.fold(LookerSet::NONE, |eyes, seat| eyes | LookerSet::of(seat))
    }

    pub(crate) fn number(&mut self) -> u32 {
        self.next_number += 1;
        self.next_number - 1
    }

    /// How seats sit.
    pub fn sides(&self, kit: &Kit) -> Sides {
        let package = if kit.two_sided { Sides::Two } else { Sides::One };
        self.settings.sides.unwrap_or(package)
    }
}

impl TablePile {
    fn new(kit: &Kit, kind: usize, owner: Option<TableSeat>) -> TablePile {
        let of = match owner {
            Some(_) => &kit.piles[kind],
            None => &kit.shared_piles[kind],
        };
        TablePile {
            kind: u16::try_from(kind).expect("a kit has few piles"),
            owner,
            controller: owner,
            cards: Vec::new(),
            viewers: match (of.visibility, owner) {
                (Visibility::None, _) | (Visibility::Me, None) => Viewers::Nobody,
                (Visibility::All, _) => Viewers::Everybody,
                (Visibility::Me, Some(owner)) => Viewers::List(LookerSet::of(owner)),
                (Visibility::Undefined, _) => Viewers::ByFace,
            },
            keep_top: LookerSet::NONE,
            protection: of.protection,
            granted: LookerSet::NONE,
            windows: LookerSet::NONE,
            whole: LookerSet::NONE,
        }
    }

    /// What the definition says of it.
    pub fn kind<'k>(&self, kit: &'k Kit) -> &'k crate::PileKind {
        match self.owner {
            Some(_) => &kit.piles[usize::from(self.kind)],
            None => &kit.shared_piles[usize::from(self.kind)],
        }
    }
}

/// Text without control characters and direction overrides (F203), of at most so many characters.
pub(crate) fn plain(text: &str, most: usize, empty: &str) -> String {
    let overrides = |c: char| {
        let marks = matches!(
            c,
            '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{061c}' | '\u{2060}' | '\u{feff}'
        );
        // Line separators, and what turns the direction of writing.
        marks || matches!(c, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let kept = text.chars().filter(|c| !c.is_control() && !overrides(*c));
    let text: String = kept.take(most).collect();
    if text.trim().is_empty() {
        empty.to_owned()
    } else {
        text
    }
}
