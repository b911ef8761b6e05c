//! What a seat sees as numbers: an observation of a fixed length, a mask of options, and what each option is about.
//!
//! Everything here is in the seat's view: what is hidden has no influence on any number.

use cw_duel::{Choice, Decision, Duel, Fighter, MAX_SLOTS, Question, Seat};
use cw_program::PileName;
use numpy::{PyReadwriteArray1, PyReadwriteArray2, PyUntypedArrayMethods as _};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::duel::Duel as PyDuel;
use crate::seat_of;

/// Options that an action can name.
pub(crate) const ACTIONS: usize = 128;
/// Numbers about an option.
pub(crate) const FEATURES: usize = 8;
/// Numbers about the duel, about a side, and about a character.
const HEAD: [&str; 11] = [
    "seat",
    "turn",
    "phase",
    "my turn",
    "question",
    "options",
    "source",
    "chosen",
    "least",
    "most",
    "may be taken back",
];
const SIDE: [&str; 6] = ["hp", "sp", "hand", "deck", "discards", "removed"];
const FIGHTER: [&str; 10] = [
    "card",
    "bp",
    "ability",
    "fresh",
    "frozen",
    "activated",
    "attacks",
    "follows",
    "blocks",
    "back-ups",
];
const ABOUT: [&str; FEATURES] = ["kind", "card", "model", "side", "in ring", "bp", "sp", "number"];
const OF_SIDE: usize = SIDE.len() + MAX_SLOTS * FIGHTER.len();

/// How long an observation of this game is.
pub(crate) fn length(game: &cw_duel::Game) -> usize {
    HEAD.len() + 2 * OF_SIDE + 2 * game.models.len()
}

/// The names of the numbers of an observation of this game, and of those about an option.
#[pyfunction]
pub(crate) fn encoding(game: &crate::game::Game) -> (Vec<String>, Vec<&'static str>) {
    let mut names: Vec<String> = HEAD.map(str::to_owned).to_vec();
    for side in ["my", "other"] {
        names.extend(SIDE.map(|name| format!("{side} {name}")));
        for at in 0..MAX_SLOTS {
            names.extend(FIGHTER.map(|name| format!("{side} character {at} {name}")));
        }
    }
    for side in ["my", "other"] {
        let models = game.game.models.iter();
        names.extend(models.map(|model| format!("{side} hand: {}", model.name)));
    }
    (names, ABOUT.to_vec())
}

/// Writes what a seat sees of a duel into arrays: `int32` of the encoding's length, `int8` of 128 and `int16` of 128 × 8. The
/// mask is 0 throughout where the seat is not asked.
#[pyfunction]
pub(crate) fn observe(
    duel: &PyDuel,
    seat: u8,
    mut observation: PyReadwriteArray1<'_, i32>,
    mut mask: PyReadwriteArray1<'_, i8>,
    mut features: PyReadwriteArray2<'_, i16>,
) -> PyResult<()> {
    let seat = seat_of(seat)?;
    let shapes = (
        observation.len(),
        mask.len(),
        features.shape() == [ACTIONS, FEATURES],
    );
    if shapes != (length(duel.duel.game()), ACTIONS, true) {
        return Err(PyValueError::new_err(format!(
            "the arrays are to have {} numbers, {ACTIONS}, and {ACTIONS} × {FEATURES}",
            length(duel.duel.game())
        )));
    }
    let out = Out {
        observation: observation.as_slice_mut()?,
        mask: mask.as_slice_mut()?,
        features: features.as_slice_mut()?,
    };
    write(&duel.duel, seat, out).map_err(TooMany::raised)
}

/// Where the numbers go.
pub(crate) struct Out<'a> {
    pub(crate) observation: &'a mut [i32],
    pub(crate) mask: &'a mut [i8],
    pub(crate) features: &'a mut [i16],
}

/// A question has more options than an action can name.
#[derive(Clone, Debug)]
pub(crate) struct TooMany {
    question: String,
    options: usize,
}

impl TooMany {
    pub(crate) fn raised(self) -> PyErr {
        PyValueError::new_err(format!(
            "a question has {} options, and actions name {ACTIONS}: {}",
            self.options, self.question
        ))
    }
}

/// Writes one number after the other.
struct Pen<'a>(std::slice::IterMut<'a, i32>);

impl Pen<'_> {
    fn write(&mut self, number: i32) {
        if let Some(place) = self.0.next() {
            *place = number;
        }
    }

    fn count(&mut self, number: usize) {
        self.write(i32::try_from(number).unwrap_or(i32::MAX));
    }

    fn flag(&mut self, is: bool) {
        self.write(i32::from(is));
    }
}

/// The characters of both rings, the seat's own first.
struct Rings {
    fighters: [[Option<Fighter>; MAX_SLOTS]; 2],
}

impl Rings {
    fn of(duel: &Duel, seat: Seat) -> Rings {
        let mut rings = Rings {
            fighters: [[None; MAX_SLOTS]; 2],
        };
        for (side, whose) in [seat, seat.other()].into_iter().enumerate() {
            for (place, fighter) in rings.fighters[side].iter_mut().zip(duel.glance(whose).fighters()) {
                *place = Some(fighter);
            }
        }
        rings
    }

    fn find(&self, card: cw_duel::CardId) -> Option<(i16, &Fighter)> {
        let sides = [1, 2].into_iter().zip(&self.fighters);
        let mut all =
            sides.flat_map(|(side, ring)| ring.iter().flatten().map(move |fighter| (side, fighter)));
        all.find(|(_, fighter)| fighter.card == card)
    }
}

/// Writes what the seat sees.
pub(crate) fn write(duel: &Duel, seat: Seat, out: Out<'_>) -> Result<(), TooMany> {
    let decision = duel.pending().filter(|decision| decision.seat == seat);
    let known = |card| {
        duel.known_model(seat, card)
            .map_or(0, |model| i32::from(model.0) + 1)
    };
    let (head, rest) = out.observation.split_at_mut(HEAD.len() + 2 * OF_SIDE);
    let (mine, others) = rest.split_at_mut(duel.game().models.len());
    let rings = Rings::of(duel, seat);
    let mut pen = Pen(head.iter_mut());
    pen.write(i32::from(seat.number()));
    pen.write(i32::from(duel.turn()));
    pen.write(i32::from(duel.phase() as u8));
    pen.flag(duel.active() == seat);
    let [question, chosen, least, most] = decision.map_or([0; 4], |decision| question(decision.question));
    pen.write(question);
    pen.count(decision.map_or(0, |decision| decision.options.len()));
    pen.write(decision.and_then(|decision| decision.source).map_or(0, known));
    pen.write(chosen);
    pen.write(least);
    pen.write(most);
    pen.flag(decision.is_some_and(|decision| decision.declinable));
    for (side, whose) in [seat, seat.other()].into_iter().enumerate() {
        let glance = duel.glance(whose);
        pen.write(glance.hp());
        pen.write(glance.sp());
        for pile in [
            PileName::Hand,
            PileName::Deck,
            PileName::Discards,
            PileName::Removed,
        ] {
            pen.count(glance.pile(pile));
        }
        for fighter in &rings.fighters[side] {
            let Some(fighter) = fighter else {
                (0..FIGHTER.len()).for_each(|_| pen.write(0));
                continue;
            };
            pen.write(i32::from(fighter.model.0) + 1);
            pen.write(fighter.bp);
            pen.write(fighter.ability.map_or(0, |model| i32::from(model.0) + 1));
            for mark in [
                fighter.fresh,
                fighter.frozen,
                fighter.activated,
                fighter.attacks,
                fighter.follows,
                fighter.blocks,
            ] {
                pen.flag(mark);
            }
            pen.count(glance.backups(fighter.card));
        }
    }
    mine.fill(0);
    others.fill(0);
    for (into, whose) in [(mine, seat), (others, seat.other())] {
        // What a card is counts only if the seat knows it.
        for (card, _) in duel.glance(whose).hand() {
            if let Some(count) = duel
                .known_model(seat, card)
                .and_then(|model| into.get_mut(usize::from(model.0)))
            {
                *count += 1;
            }
        }
    }
    write_options(duel, seat, decision, &rings, out.mask, out.features)
}

fn write_options(
    duel: &Duel,
    seat: Seat,
    decision: Option<&Decision>,
    rings: &Rings,
    mask: &mut [i8],
    features: &mut [i16],
) -> Result<(), TooMany> {
    let options = decision.map_or(&[][..], |decision| &decision.options);
    if options.len() > ACTIONS {
        let reader = cw_words::Reader {
            duel,
            seat: Some(seat),
        };
        return Err(TooMany {
            question: decision.map_or_else(String::new, |decision| cw_words::question(reader, decision)),
            options: options.len(),
        });
    }
    let (offered, rest) = mask.split_at_mut(options.len());
    offered.fill(1);
    rest.fill(0);
    let (about, rest) = features.split_at_mut(options.len() * FEATURES);
    rest.fill(0);
    for (choice, about) in options.iter().zip(about.chunks_exact_mut(FEATURES)) {
        about.copy_from_slice(&of_choice(duel, seat, rings, *choice));
    }
    Ok(())
}

fn small(number: i32) -> i16 {
    i16::try_from(number).unwrap_or(if number < 0 { i16::MIN } else { i16::MAX })
}

/// The numbers of an option, in the order of `ABOUT`.
fn of_choice(duel: &Duel, seat: Seat, rings: &Rings, choice: Choice) -> [i16; FEATURES] {
    let (kind, number) = kind(seat, choice);
    let game = duel.game();
    let model = match choice {
        Choice::Copy(model) => Some(model),
        _ => choice.card().and_then(|card| duel.known_model(seat, card)),
    };
    let fighter = choice.card().and_then(|card| rings.find(card));
    let printed = model.map(|model| game.model(model));
    [
        kind,
        choice.card().map_or(0, |card| i16::from(card.0) + 1),
        model.map_or(0, |model| small(i32::from(model.0) + 1)),
        fighter.map_or(0, |(side, _)| side),
        i16::from(fighter.is_some()),
        fighter.map_or_else(
            || printed.map_or(0, |model| small(model.bp)),
            |(_, fighter)| small(fighter.bp),
        ),
        printed.map_or(0, |model| small(model.sp)),
        number,
    ]
}

/// The number of a kind of option, and what it says besides: a slot, type or action from 1, or a player, 1 for the seat itself.
fn kind(seat: Seat, choice: Choice) -> (i16, i16) {
    let player = |whose: Seat| if whose == seat { 1 } else { 2 };
    match choice {
        Choice::Pass => (1, 0),
        Choice::Play(_) => (2, 0),
        Choice::BackUp(_) => (3, 0),
        Choice::Activate(_) => (4, 0),
        Choice::Attack(_) => (5, 0),
        Choice::Join(_) => (6, 0),
        Choice::CancelAttack(_) => (7, 0),
        Choice::Block(_) => (8, 0),
        Choice::CancelBlock(_) => (9, 0),
        Choice::Slot(number) => (10, i16::from(number) + 1),
        Choice::Card(_) => (11, 0),
        Choice::Copy(_) => (12, 0),
        Choice::Player(whose) => (13, player(whose)),
        Choice::Zone(whose) => (14, player(whose)),
        Choice::Type(number) => (15, i16::from(number) + 1),
        Choice::Action(number) => (16, i16::from(number) + 1),
        Choice::Yes => (17, 0),
        Choice::No => (18, 0),
        Choice::Top => (19, 0),
        Choice::Bottom => (20, 0),
        Choice::Heads => (21, 0),
        Choice::Tails => (22, 0),
        Choice::Done => (23, 0),
        Choice::Decline => (24, 0),
    }
}

/// The number of a question, and how many are chosen, must be and may be.
fn question(question: Question) -> [i32; 4] {
    let many =
        |kind, chosen: u8, least: u8, most: u8| [kind, i32::from(chosen), i32::from(least), i32::from(most)];
    match question {
        Question::Main => [1, 0, 0, 0],
        Question::Attack => [2, 0, 0, 0],
        Question::CounterAttack => [3, 0, 0, 0],
        Question::SlotFor(_) => [4, 0, 0, 0],
        Question::BackUpWhom(_) => [5, 0, 0, 0],
        Question::JoinWhom(_) => [6, 0, 0, 0],
        Question::BlockWhom(_) => [7, 0, 0, 0],
        Question::Target { chosen, min, max, .. } => many(8, chosen, min, max),
        Question::DiscardCost { chosen, min, max } => many(9, chosen, min, max),
        Question::SacrificeCost { chosen, min, max } => many(10, chosen, min, max),
        Question::Discard { chosen, min, max, .. } => many(11, chosen, min, max),
        Question::Player => [12, 0, 0, 0],
        Question::Zone => [13, 0, 0, 0],
        Question::Type => [14, 0, 0, 0],
        Question::WhichAction => [15, 0, 0, 0],
        Question::May(_) => [16, 0, 0, 0],
        Question::Optional => [17, 0, 0, 0],
        Question::TopOrBottom => [18, 0, 0, 0],
        Question::Prophecy { chosen, of } => many(19, chosen, of, of),
        Question::Coin => [20, 0, 0, 0],
        Question::MoveToSlot(_) => [21, 0, 0, 0],
    }
}
