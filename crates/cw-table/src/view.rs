//! What one looker may see. An unknown card cannot be in it: there is no place for its face (F150).

use std::sync::Arc;

use crate::count::{long, short};
use crate::place::TableSide;
use crate::script::{ScriptQuestion, WaitingRun};
use crate::state::Sides;
use crate::{
    CardGroup, CardSide, Colour, Kit, Looker, LookerSet, PileId, Quarter, QuestionKind, TableCardId,
    TableNote, TableSeat, TableState, Viewers, kit,
};

/// A printed face that the looker knows.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FaceView {
    /// The card of the package; a blank if none.
    pub model: Option<u32>,
    /// Its form.
    pub form: u8,
    /// The form's name.
    pub name: String,
}

/// A card that the looker can tell from others.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TableCardView {
    /// The looker's own name for it (F151).
    pub handle: u32,
    /// What it is, if the looker knows.
    pub face: Option<FaceView>,
    /// Known from seeing it go there, not from looking (F156).
    pub remembered: bool,
    /// Which side is up; on the table.
    pub up: bool,
    /// Picture of the back: it shows whatever the face is (F154).
    pub back: String,
    /// Width as this looker sees it (F6).
    pub width: i32,
    /// Height.
    pub height: i32,
    /// Whose it is.
    pub owner: Option<TableSeat>,
    /// Who may act on it.
    pub controller: Option<TableSeat>,
    /// Left edge, in side A's coordinates.
    pub x: i32,
    /// Upper edge.
    pub y: i32,
    /// How it is turned.
    pub quarter: Quarter,
    /// The side that it faces (F176, F178); far side's cards are drawn upside down for the near one.
    pub faces: TableSide,
    /// Markers with their number.
    pub markers: Vec<(u16, u16)>,
    /// Colour of the edge.
    pub highlight: Option<Colour>,
    /// Colour over the face.
    pub filter: Option<Colour>,
    /// Who targets it.
    pub target: Option<TableSeat>,
    /// Not to be dragged.
    pub anchored: bool,
    /// Left out when all are straightened.
    pub locked: bool,
    /// Handle of the card it is attached to.
    pub host: Option<u32>,
    /// Its note, for who knows the card (F109).
    pub note: Option<Arc<str>>,
    /// Ceases to be when it leaves the table.
    pub token: bool,
    /// Who has ever seen its face, for who knows the card (F157).
    pub seen_by: LookerSet,
    /// To whom it is shown although its pile does not show it, for who knows the card (F84).
    pub shown_to: LookerSet,
}

/// A card in a pile, with its place if the looker may know that.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PileCard {
    /// Place from the top, in ordered piles.
    pub place: Option<u32>,
    /// The card.
    pub card: TableCardView,
}

/// A pile: how many cards, and those that the looker knows or can follow (F152).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PileView {
    /// Which.
    pub id: PileId,
    /// Its name.
    pub name: String,
    /// Whose it is.
    pub owner: Option<TableSeat>,
    /// Who may act on it.
    pub controller: Option<TableSeat>,
    /// How many cards.
    pub count: usize,
    /// Whether its order matters.
    pub ordered: bool,
    /// Who sees its cards.
    pub viewers: Viewers,
    /// To whom the top card is shown.
    pub keep_top: LookerSet,
    /// Who looks into it (F157).
    pub windows: LookerSet,
    /// The cards that the looker can tell apart.
    pub cards: Vec<PileCard>,
}

/// A seat.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SeatView {
    /// The name of who sits there.
    pub name: Arc<str>,
    /// The header (F19).
    pub summary: String,
    /// Counters with their values.
    pub counters: Vec<(String, i32)>,
    /// Somebody is there.
    pub present: bool,
    /// Gave up.
    pub conceded: bool,
    /// Ready.
    pub ready: bool,
    /// Has sealed a value (F111).
    pub has_sealed: bool,
}

/// A question that waits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct QuestionView {
    /// Its number.
    pub id: u32,
    /// Who asks.
    pub by: TableSeat,
    /// Who has not answered yet.
    pub open: LookerSet,
    /// The step to go back to, if that is asked.
    pub rewind: Option<u32>,
}

/// An entry that waits for an answer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RunView {
    /// Its number.
    pub id: u32,
    /// Who chose it.
    pub by: TableSeat,
    /// What it is called in the menu.
    pub name: String,
    /// Who is asked.
    pub of: TableSeat,
    /// What is asked, for who is asked.
    pub question: Option<ScriptQuestion>,
}

/// What one looker may see.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TableView {
    /// Whose view.
    pub looker: Looker,
    /// The seats.
    pub seats: Vec<SeatView>,
    /// How they sit.
    pub sides: Sides,
    /// Counters of nobody.
    pub shared_counters: Vec<(String, i32)>,
    /// Cards on the table, the lowest first.
    pub table: Vec<TableCardView>,
    /// Piles.
    pub piles: Vec<PileView>,
    /// Arrows: by whom, from and to which handle.
    pub arrows: Vec<(TableSeat, u32, u32)>,
    /// Notes that the looker may read.
    pub notes: Vec<TableNote>,
    /// Whose turn it is.
    pub active: Option<TableSeat>,
    /// The turn's number.
    pub turn: u32,
    /// The phase.
    pub phase: u8,
    /// The board.
    pub board: Option<u16>,
    /// The background is turned.
    pub background_turned: bool,
    /// What waits.
    pub questions: Vec<QuestionView>,
    /// Entries that wait for somebody's answer.
    pub runs: Vec<RunView>,
    /// The looker's own stopped phases, as bits.
    pub stops: u64,
    /// The looker's own stop at the end of the turn.
    pub end_stop: bool,
    /// The looker's own sealed value.
    pub sealed: Option<Arc<str>>,
    /// The looker's own pool: names with how many (F217).
    pub pool: Vec<(String, usize)>,
    /// The game is over.
    pub ended: bool,
}

impl TableView {
    /// Makes the view of one looker.
    pub(crate) fn of(kit: &Kit, state: &TableState, looker: Looker) -> TableView {
        let own = match looker {
            Looker::Seat(seat) => state.seats.get(seat.index()),
            Looker::Spectators | Looker::Referee => None,
        };
        TableView {
            looker,
            seats: state.seat_ids().map(|seat| seat_view(kit, state, seat)).collect(),
            sides: state.sides(kit),
            shared_counters: counters(kit.shared_counters(), &state.shared_counters),
            table: state
                .table
                .iter()
                .map(|id| card_view(kit, state, looker, *id))
                .collect(),
            piles: (0..state.piles.len())
                .map(|at| pile_view(kit, state, looker, PileId::at(at)))
                .collect(),
            arrows: state
                .arrows
                .iter()
                .map(|(by, from, to)| (*by, state.handle(looker, *from), state.handle(looker, *to)))
                .collect(),
            notes: state
                .notes
                .iter()
                .filter(|note| {
                    !note.private || looker == Looker::Seat(note.author) || looker == Looker::Referee
                })
                .cloned()
                .collect(),
            active: state.active,
            turn: state.turn,
            phase: state.phase,
            board: state.board,
            background_turned: state.background_turned,
            questions: state
                .questions
                .iter()
                .map(|question| QuestionView {
                    id: question.id,
                    by: question.by,
                    open: question.of - question.agreed,
                    rewind: match question.kind {
                        QuestionKind::Rewind(step) => Some(step),
                        QuestionKind::Perform(_) => None,
                    },
                })
                .collect(),
            runs: state
                .runs
                .iter()
                .filter_map(|run| run_view(kit, run, looker))
                .collect(),
            stops: own.map_or(0, |seat| seat.stops),
            end_stop: own.is_some_and(|seat| seat.end_stop),
            sealed: own.and_then(|seat| seat.sealed.clone()),
            pool: own.map_or_else(Vec::new, |seat| {
                let mut pool = seat.pool.clone();
                pool.sort();
                let named = pool.chunk_by(|a, b| a == b);
                named
                    .map(|same| (kit.name(&same[0], 0).to_owned(), same.len()))
                    .collect()
            }),
            ended: state.ended,
        }
    }

    /// The pile of this number.
    pub fn pile(&self, pile: PileId) -> Option<&PileView> {
        self.piles.iter().find(|found| found.id == pile)
    }

    /// Every card in it, with its group.
    pub fn cards(&self) -> impl Iterator<Item = (CardGroup, &TableCardView)> {
        let table = self.table.iter().map(|card| (CardGroup::Table, card));
        let piles = self.piles.iter().flat_map(|pile| {
            pile.cards
                .iter()
                .map(move |card| (CardGroup::Pile(pile.id), &card.card))
        });
        table.chain(piles)
    }
}

fn run_view(kit: &Kit, run: &WaitingRun, looker: Looker) -> Option<RunView> {
    let asked = run.waits()?;
    let action = kit.actions.get(usize::from(run.entry));
    let name = action.map_or("What the package does then", |action| &action.definition.menu);
    Some(RunView {
        id: run.id,
        by: run.by,
        name: crate::state::plain(name, 80, "an entry"),
        of: asked.seat,
        question: (looker == Looker::Seat(asked.seat)).then(|| asked.question.clone()),
    })
}

fn counters(kinds: &[cw_octgn::CounterDefinition], values: &[i32]) -> Vec<(String, i32)> {
    kinds
        .iter()
        .zip(values)
        .map(|(kind, value)| (kind.name.to_string(), *value))
        .collect()
}

fn seat_view(kit: &Kit, state: &TableState, seat: TableSeat) -> SeatView {
    let own = state.seat(seat);
    let value = |name: &str| {
        let counter = kit.counters().iter().position(|counter| *counter.name == *name);
        if let Some(at) = counter {
            return own.counters.get(at).map(|value| i64::from(*value));
        }
        let kind = kit
            .piles
            .iter()
            .position(|pile| pile.name == name || pile.written == name)?;
        Some(long(state.pile(state.pile_of(kit, seat, kind)).cards.len()))
    };
    SeatView {
        name: Arc::clone(&own.name),
        summary: kit::summary(kit.package.definition.tabletop.summary.as_ref(), value),
        counters: counters(kit.counters(), &own.counters),
        present: own.present,
        conceded: own.conceded,
        ready: own.ready,
        has_sealed: own.sealed.is_some(),
    }
}

fn pile_view(kit: &Kit, state: &TableState, looker: Looker, id: PileId) -> PileView {
    let pile = state.pile(id);
    let kind = pile.kind(kit);
    let mut cards: Vec<PileCard> = Vec::new();
    for (place, card) in pile.cards.iter().enumerate() {
        let known = state.visible(kit, *card).has(looker);
        if known || state.card(*card).tracked.has(looker) {
            cards.push(PileCard {
                place: kind.ordered.then_some(short(place)),
                card: card_view(kit, state, looker, *card),
            });
        }
    }
    let held = kit.hand == Some(usize::from(pile.kind))
        && pile.owner.is_some_and(|owner| looker == Looker::Seat(owner));
    if !kind.ordered && !held {
        // The order in which they lie is nobody's information (D80): of a deck it would tell what is drawn
        // next. Cards of one's own hand come as they arrived.
        cards.sort_by_key(|card| card.card.handle);
    }
    PileView {
        id,
        name: kind.name.clone(),
        owner: pile.owner,
        controller: pile.controller,
        count: pile.cards.len(),
        ordered: kind.ordered,
        viewers: pile.viewers,
        keep_top: pile.keep_top,
        windows: pile.windows,
        cards,
    }
}

fn card_view(kit: &Kit, state: &TableState, looker: Looker, id: TableCardId) -> TableCardView {
    let card = state.card(id);
    let visible = state.visible(kit, id).has(looker);
    let remembered = !visible && card.remembered.has(looker);
    let known = visible || remembered;
    let on_table = card.group == CardGroup::Table;
    let (width, height) = if known && !on_table {
        let measures = kit.measures(&card.model, card.form);
        (measures.width, measures.height)
    } else {
        state.measures(kit, looker, id)
    };
    TableCardView {
        handle: state.handle(looker, id),
        face: known.then(|| FaceView {
            model: match card.model {
                crate::TableModel::Card(index) => Some(index),
                crate::TableModel::Blank(_) => None,
            },
            form: card.form,
            name: kit.name(&card.model, card.form).to_owned(),
        }),
        remembered,
        up: card.face == CardSide::Up && on_table,
        back: kit.measures(&card.model, 0).back.clone(),
        width,
        height,
        owner: card.owner,
        controller: card.controller,
        x: card.x,
        y: card.y,
        quarter: card.quarter,
        faces: if on_table {
            state.drawn(kit, id).faces
        } else {
            TableSide::A
        },
        markers: card.markers.clone(),
        highlight: card.highlight,
        filter: card.filter,
        target: card.target,
        anchored: card.anchored,
        locked: card.locked,
        host: card.host.map(|host| state.handle(looker, host)),
        note: card.note.clone().filter(|_| known),
        token: card.token,
        seen_by: if known { card.seen } else { LookerSet::NONE },
        shown_to: if known { card.shown } else { LookerSet::NONE },
    }
}
