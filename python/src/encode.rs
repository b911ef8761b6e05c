//! What a seat sees as numbers: an observation of a fixed length, a mask of options, and what each option is about.
//!
//! Everything here is in the seat's view: what is hidden has no influence on any number.

use cw_duel::{CardId, Choice, Decision, Duel, Glance, MAX_SLOTS, Question, Seat};
use cw_program::{ModelId, PileName};
use numpy::{PyReadwriteArray1, PyReadwriteArray2, PyUntypedArrayMethods as _};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::duel::Duel as PyDuel;
use crate::given;

/// Raised whenever a number of an observation, or its place, comes to mean something else.
pub(crate) const ENCODING: u32 = 3;
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
const FIGHTER: [&str; 11] = [
    "card",
    "bp",
    "ability",
    "fresh",
    "frozen",
    "activated",
    "attacks",
    "follows",
    "blocks",
    "against",
    "back-ups",
];
const ABOUT: [&str; FEATURES] = ["kind", "card", "model", "side", "place", "bp", "sp", "number"];
/// Piles of which it is counted what the seat knows in them, card by card.
const COUNTED: [(&str, PileName); 2] = [("hand", PileName::Hand), ("discards", PileName::Discards)];
const AGAINST: usize = 9;
const BACKUPS: usize = 10;
const OF_RING: usize = MAX_SLOTS * FIGHTER.len();
const OF_SIDE: usize = SIDE.len() + OF_RING;

/// Questions and options are of so many kinds, taken together.
pub(crate) const KINDS: u16 = 1024;

/// How long an observation of this game is.
pub(crate) fn length(game: &cw_duel::Game) -> usize {
    HEAD.len() + 2 * OF_SIDE + 2 * COUNTED.len() * game.models.len()
}

/// The names of the numbers of an observation of this game, and of those about an option.
#[pyfunction]
pub(crate) fn encoding(
    #[pyo3(from_py_with = given::game)] game: Py<crate::game::Game>,
) -> (Vec<String>, Vec<&'static str>) {
    let game = game.get();
    let mut names: Vec<String> = HEAD.map(str::to_owned).to_vec();
    for side in ["my", "other"] {
        names.extend(SIDE.map(|name| format!("{side} {name}")));
        for at in 0..MAX_SLOTS {
            names.extend(FIGHTER.map(|name| format!("{side} character {at} {name}")));
        }
    }
    for (pile, _) in COUNTED {
        for side in ["my", "other"] {
            let models = game.game.models.iter();
            names.extend(models.map(|model| format!("{side} {pile}: {}", model.name)));
        }
    }
    (names, ABOUT.to_vec())
}

/// Which options a learner may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Takebacks {
    /// All that the rules offer.
    Offered,
    /// Those that take nothing back, while there is another one. Nothing bounds how often an attack is declared and
    /// called back, so a learner that may do so can play for ever.
    Masked,
}

impl Takebacks {
    pub(crate) fn of(offered: bool) -> Takebacks {
        match offered {
            true => Takebacks::Offered,
            false => Takebacks::Masked,
        }
    }

    /// The place of the only option that may be taken; `None` if there are several, or none at all.
    pub(crate) fn only(self, options: &[Choice]) -> Option<usize> {
        let mut allowed = options
            .iter()
            .enumerate()
            .filter(|(_, choice)| self.allow(options, **choice));
        let (only, _) = allowed.next()?;
        allowed.next().is_none().then_some(only)
    }

    /// Whether an option of the decision may be taken.
    pub(crate) fn allow(self, options: &[Choice], choice: Choice) -> bool {
        match self {
            Takebacks::Offered => true,
            Takebacks::Masked => !takes_back(choice) || options.iter().all(|option| takes_back(*option)),
        }
    }
}

/// Whether a choice undoes what the same seat has begun: it calls an attacker or a blocker back, or declines to go on.
fn takes_back(choice: Choice) -> bool {
    matches!(
        choice,
        Choice::CancelAttack(_) | Choice::CancelBlock(_) | Choice::Decline
    )
}

/// Writes what a seat sees of a duel into arrays: `int16` of the encoding's length, `int8` of 128 and `int16` of 128 × 8. The
/// mask is 0 throughout where the seat is not asked, and where an option takes something back unless `takebacks`.
#[pyfunction]
#[pyo3(signature = (duel, seat, observation, mask, features, *, takebacks=true))]
pub(crate) fn observe(
    #[pyo3(from_py_with = given::duel)] duel: PyRef<'_, PyDuel>,
    #[pyo3(from_py_with = given::seat)] seat: Seat,
    #[pyo3(from_py_with = given::observation)] mut observation: PyReadwriteArray1<'_, i16>,
    #[pyo3(from_py_with = given::mask)] mut mask: PyReadwriteArray1<'_, i8>,
    #[pyo3(from_py_with = given::features)] mut features: PyReadwriteArray2<'_, i16>,
    #[pyo3(from_py_with = given::takebacks)] takebacks: bool,
) -> PyResult<()> {
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
    let printed = &duel.game.get().printed;
    let mut last = Last::new(Takebacks::of(takebacks));
    write(&duel.duel, seat, printed, out, &mut last).map_err(TooMany::raised)
}

/// BP and SP as printed, by the model's number, side by side: the models themselves lie far apart.
#[derive(Clone, Debug)]
pub(crate) struct Printed(Box<[[i16; 2]]>);

impl Printed {
    pub(crate) fn of(game: &cw_duel::Game) -> Printed {
        let models = game.models.iter();
        Printed(models.map(|model| [small(model.bp), small(model.sp)]).collect())
    }

    fn get(&self, model: ModelId) -> [i16; 2] {
        self.0.get(usize::from(model.0)).copied().unwrap_or_default()
    }
}

/// Where the numbers go.
pub(crate) struct Out<'a> {
    pub(crate) observation: &'a mut [i16],
    pub(crate) mask: &'a mut [i8],
    pub(crate) features: &'a mut [i16],
}

/// How many options were written into the arrays the last time: only where there are more or fewer now, the mask changes and
/// rows are wiped. At first all of them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Last {
    options: usize,
    takebacks: Takebacks,
}

impl Last {
    pub(crate) fn new(takebacks: Takebacks) -> Last {
        Last {
            options: ACTIONS,
            takebacks,
        }
    }
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

/// Where the characters of both rings stand, and their BP, by card.
struct Places {
    /// By the card's number: 0 is not in a ring; the seat's own are from 1, those of the other one from `MAX_SLOTS` and 1.
    of: [u8; 256],
    bp: [i16; 2 * MAX_SLOTS],
}

impl Places {
    /// The side of a character and its place there, both from 0; `None` if the card is in no ring.
    fn on(&self, card: CardId) -> Option<(usize, usize)> {
        let place = usize::from(self.of[usize::from(card.0)].checked_sub(1)?);
        Some((place / MAX_SLOTS, place % MAX_SLOTS))
    }
}

fn narrow(number: usize) -> i16 {
    i16::try_from(number).unwrap_or(i16::MAX)
}

fn named(model: Option<ModelId>) -> i16 {
    model.map_or(0, |model| narrow(usize::from(model.0) + 1))
}

/// Writes what the seat sees, over what was seen last.
pub(crate) fn write(
    duel: &Duel,
    seat: Seat,
    printed: &Printed,
    out: Out<'_>,
    last: &mut Last,
) -> Result<(), TooMany> {
    let decision = duel.pending().filter(|decision| decision.seat == seat);
    let sides = [seat, seat.other()].map(|whose| duel.glance(whose));
    let (head, counts) = out.observation.split_at_mut(HEAD.len() + 2 * OF_SIDE);
    let places = write_head(duel, seat, decision, sides, head);
    counts.fill(0);
    let mut counts = counts.chunks_exact_mut(duel.game().models.len().max(1));
    for (_, pile) in COUNTED {
        for (side, counts) in sides.into_iter().zip(&mut counts) {
            // What a card is counts only if the seat knows it.
            for model in side.known(pile, seat) {
                if let Some(count) = counts.get_mut(usize::from(model.0)) {
                    *count += 1;
                }
            }
        }
    }
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
    let (offered, beyond) = out.mask.split_at_mut(options.len());
    match last.takebacks {
        Takebacks::Offered => offered.fill(1),
        Takebacks::Masked => {
            for (place, choice) in offered.iter_mut().zip(options) {
                *place = i8::from(last.takebacks.allow(options, *choice));
            }
        }
    }
    let old = last.options.saturating_sub(options.len());
    beyond[..old].fill(0);
    let (rows, _) = out.features.as_chunks_mut::<FEATURES>();
    for (row, choice) in rows.iter_mut().zip(options) {
        *row = of_choice(duel, seat, printed, &places, *choice);
    }
    for old in rows.iter_mut().take(last.options).skip(options.len()) {
        *old = [0; FEATURES];
    }
    last.options = options.len();
    Ok(())
}

/// Writes the numbers about the duel, the sides and the characters.
fn write_head(
    duel: &Duel,
    seat: Seat,
    decision: Option<&Decision>,
    sides: [Glance<'_>; 2],
    head: &mut [i16],
) -> Places {
    let mut places = Places {
        of: [0; 256],
        bp: [0; 2 * MAX_SLOTS],
    };
    let Some((first, rest)) = head.split_first_chunk_mut() else {
        return places;
    };
    let [question, chosen, least, most] = decision.map_or([0; 4], |decision| question(decision.question));
    let source = decision.and_then(|decision| decision.source);
    *first = [
        i16::from(seat.number()),
        narrow(duel.turn().into()),
        i16::from(duel.phase() as u8),
        i16::from(duel.active() == seat),
        question,
        narrow(decision.map_or(0, |decision| decision.options.len())),
        named(source.and_then(|card| duel.known_model(seat, card))),
        chosen,
        least,
        most,
        i16::from(decision.is_some_and(|decision| decision.declinable)),
    ];
    const { assert!(HEAD.len() == 11 && SIDE.len() == 6 && FIGHTER.len() == 11) };
    let (rows, _) = rest.as_chunks_mut::<OF_SIDE>();
    for ((glance, row), offset) in sides.into_iter().zip(&mut *rows).zip([0, MAX_SLOTS]) {
        let Some((about, ring)) = row.split_first_chunk_mut() else {
            continue;
        };
        let pile = |pile| narrow(glance.pile(pile));
        *about = [
            small(glance.hp()),
            small(glance.sp()),
            pile(PileName::Hand),
            pile(PileName::Deck),
            pile(PileName::Discards),
            pile(PileName::Removed),
        ];
        let (ring, _) = ring.as_chunks_mut::<{ FIGHTER.len() }>();
        ring.fill([0; FIGHTER.len()]);
        for fighter in glance.fighters() {
            let at = usize::from(fighter.slot);
            let Some(place) = ring.get_mut(at) else { continue };
            places.of[usize::from(fighter.card.0)] = u8::try_from(offset + at + 1).unwrap_or(0);
            let bp = small(fighter.bp);
            places.bp[offset + at] = bp;
            *place = [
                named(Some(fighter.model)),
                bp,
                named(fighter.ability),
                i16::from(fighter.fresh),
                i16::from(fighter.frozen),
                i16::from(fighter.activated),
                i16::from(fighter.attacks),
                i16::from(fighter.follows),
                i16::from(fighter.blocks),
                0,
                0,
            ];
        }
    }
    for (_, host) in sides[0].backed_up() {
        if let Some((side, at)) = places.on(*host) {
            rows[side][SIDE.len() + at * FIGHTER.len() + BACKUPS] += 1;
        }
    }
    for (attacker, blocker) in sides[0].blocks() {
        if let (Some(one), Some(two)) = (places.on(*attacker), places.on(*blocker)) {
            for ((side, at), (_, whom)) in [(one, two), (two, one)] {
                rows[side][SIDE.len() + at * FIGHTER.len() + AGAINST] = narrow(whom + 1);
            }
        }
    }
    places
}

/// What is beyond the type is at its end.
fn small(number: i32) -> i16 {
    i16::try_from(number.clamp(i16::MIN.into(), i16::MAX.into())).unwrap_or_default()
}

/// The numbers of an option, in the order of `ABOUT`.
fn of_choice(duel: &Duel, seat: Seat, printed: &Printed, places: &Places, choice: Choice) -> [i16; FEATURES] {
    let kind = kind_of(choice);
    // Nearly all are about a card.
    let Some(card) = choice.card() else {
        let player = |whose: Seat| if whose == seat { 1 } else { 2 };
        let number = match choice {
            Choice::Copy(model) => {
                let [bp, sp] = printed.get(model);
                return [kind, 0, named(Some(model)), 0, 0, bp, sp, 0];
            }
            Choice::Slot(number) | Choice::Type(number) | Choice::Action(number) => i16::from(number) + 1,
            Choice::Player(whose) | Choice::Zone(whose) => player(whose),
            _ => 0,
        };
        return [kind, 0, 0, 0, 0, 0, 0, number];
    };
    let model = duel.known_model(seat, card);
    let [bp, sp] = model.map_or([0; 2], |model| printed.get(model));
    let (side, place, bp) = places.on(card).map_or((0, 0, bp), |(side, at)| {
        (narrow(side + 1), narrow(at + 1), places.bp[side * MAX_SLOTS + at])
    });
    [kind, i16::from(card.0) + 1, named(model), side, place, bp, sp, 0]
}

/// The number of an option's kind.
fn kind_of(choice: Choice) -> i16 {
    match choice {
        Choice::Pass => 1,
        Choice::Play(_) => 2,
        Choice::BackUp(_) => 3,
        Choice::Activate(_) => 4,
        Choice::Attack(_) => 5,
        Choice::Join(_) => 6,
        Choice::CancelAttack(_) => 7,
        Choice::Block(_) => 8,
        Choice::CancelBlock(_) => 9,
        Choice::Slot(_) => 10,
        Choice::Card(_) => 11,
        Choice::Copy(_) => 12,
        Choice::Player(_) => 13,
        Choice::Zone(_) => 14,
        Choice::Type(_) => 15,
        Choice::Action(_) => 16,
        Choice::Yes => 17,
        Choice::No => 18,
        Choice::Top => 19,
        Choice::Bottom => 20,
        Choice::Heads => 21,
        Choice::Tails => 22,
        Choice::Done => 23,
        Choice::Decline => 24,
    }
}

/// The number of what is asked and answered, below `KINDS`.
pub(crate) fn kind(asked: Question, choice: Option<Choice>) -> u16 {
    let [asked, ..] = question(asked);
    let kind = asked << 5 | choice.map_or(0, kind_of);
    kind.cast_unsigned() % KINDS
}

/// The number of a question, and how many are chosen, must be and may be.
fn question(question: Question) -> [i16; 4] {
    let many =
        |kind, chosen: u8, least: u8, most: u8| [kind, i16::from(chosen), i16::from(least), i16::from(most)];
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
