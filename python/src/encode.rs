//! What a seat sees as numbers: an observation of a fixed length, a mask of options, and what each option is
//! about.
//!
//! Everything here is in the seat's view: what is hidden has no influence on any number.

use cw_duel::{CardId, Choice, Decision, Duel, Glance, MAX_SLOTS, Phase, Question, Seat};
use cw_program::{ClosedWord as _, Keyword, ModelId, PileName};
use numpy::{PyReadwriteArray1, PyReadwriteArray2, PyUntypedArrayMethods as _};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::duel::Duel as PyDuel;
use crate::given;

/// Raised whenever a number of an observation, or its place, comes to mean something else.
pub(crate) const ENCODING: u32 = 4;
/// Options that an action can name.
pub(crate) const ACTIONS: usize = 128;
/// Numbers about an option.
pub(crate) const FEATURES: usize = 8;
/// Numbers about the duel, about a side, and about a character.
const HEAD: [&str; 12] = [
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
    "i began",
];
const SIDE: [&str; 18] = [
    "hp",
    "sp",
    "hand",
    "deck",
    "discards",
    "removed",
    "characters played",
    "characters a turn",
    "back-ups made",
    "damaged outside combat",
    "extra turns",
    "skips",
    "keywords",
    "deck top 0",
    "deck top 1",
    "deck top 2",
    "deck top 3",
    "deck top 4",
];
/// The first of the top cards of the deck.
const TOP: usize = 13;
const FIGHTER: [&str; 17] = [
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
    "united",
    "keywords",
    "back-up 0",
    "back-up 1",
    "back-up 2",
    "back-up 3",
];
const ABOUT: [&str; FEATURES] = ["kind", "card", "model", "side", "place", "bp", "sp", "number"];
/// Piles of which it is counted what the seat knows in them, card by card.
const COUNTED: [(&str, PileName); 4] = [
    ("hand", PileName::Hand),
    ("deck", PileName::Deck),
    ("discards", PileName::Discards),
    ("removed", PileName::Removed),
];
/// Counts that are of no pile: what all one's own cards are, and actions and reactions in play.
const OTHERS: [&str; 2] = ["my list", "in play"];
const AGAINST: usize = 9;
const BACKUPS: usize = 10;
const UNITED: usize = 11;
const BACKUP: usize = 13;
const SHOWN_BACKUPS: usize = FIGHTER.len() - BACKUP;
const OF_RING: usize = MAX_SLOTS * FIGHTER.len();
const OF_SIDE: usize = SIDE.len() + OF_RING;

/// Questions and options are of so many kinds, taken together.
pub(crate) const KINDS: u16 = 1024;

/// How long an observation of this game is.
pub(crate) fn length(game: &cw_duel::Game) -> usize {
    HEAD.len() + 2 * OF_SIDE + (2 * COUNTED.len() + OTHERS.len()) * game.models.len()
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
    for other in OTHERS {
        let models = game.game.models.iter();
        names.extend(models.map(|model| format!("{other}: {}", model.name)));
    }
    (names, ABOUT.to_vec())
}

/// Which options a learner may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Takebacks {
    /// All that the rules offer.
    Offered,
    /// Those that take nothing back, while there is another one. Nothing bounds how often an attack is
    /// declared and called back, so a learner that may do so can play for ever.
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

/// Whether a choice undoes what the same seat has begun: it calls an attacker or a blocker back, or declines
/// to go on.
fn takes_back(choice: Choice) -> bool {
    matches!(
        choice,
        Choice::CancelAttack(_) | Choice::CancelBlock(_) | Choice::Decline
    )
}

/// Writes what a seat sees of a duel into arrays: `int16` of the encoding's length, `int8` of 128 and `int16`
/// of 128 × 8. The mask is 0 throughout where the seat is not asked, and where an option takes something back
/// unless `takebacks`.
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

/// How many options were written into the arrays the last time: only where there are more or fewer now, the
/// mask changes and rows are wiped. At first all of them.
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
    /// By the card's number: 0 is not in a ring; the seat's own are from 1, those of the other one from
    /// `MAX_SLOTS` and 1.
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
    let table = sides[0].table().iter();
    let table = table.filter_map(|card| duel.known_model(seat, *card));
    if let (Some(list), Some(played)) = (counts.next(), counts.next()) {
        let owned = sides[0].owned().map(|model| (true, model));
        for (is_owned, model) in owned.chain(table.map(|model| (false, model))) {
            let counts = if is_owned { &mut *list } else { &mut *played };
            if let Some(count) = counts.get_mut(usize::from(model.0)) {
                *count += 1;
            }
        }
    }
    let options = decision.map_or(&[][..], |decision| &decision.options);
    if options.len() > ACTIONS {
        let reader = cw_words::EventReader {
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
        i16::from(sides[0].began()),
    ];
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
            i16::from(glance.characters().0),
            i16::from(glance.characters().1),
            i16::from(glance.backups_made()),
            i16::from(glance.nc_damaged()),
            i16::from(glance.extra_turns()),
            i16::from(glance.skips()),
            bits(glance.keywords()),
            0,
            0,
            0,
            0,
            0,
        ];
        for (place, top) in about[TOP..].iter_mut().zip(glance.top(PileName::Deck, seat)) {
            *place = named(top);
        }
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
                0,
                bits(glance.keywords_of(fighter.card)),
                0,
                0,
                0,
                0,
            ];
        }
    }
    for (backup, host) in sides[0].backed_up() {
        if let Some((side, at)) = places.on(*host) {
            let row = &mut rows[side][SIDE.len() + at * FIGHTER.len()..][..FIGHTER.len()];
            let which = usize::try_from(row[BACKUPS]).unwrap_or(SHOWN_BACKUPS);
            row[BACKUPS] += 1;
            if let Some(place) = row[BACKUP..].get_mut(which) {
                *place = named(duel.known_model(seat, *backup));
            }
        }
    }
    for (card, place) in sides[0].united().iter().zip(1..) {
        if let Some((side, at)) = places.on(*card) {
            rows[side][SIDE.len() + at * FIGHTER.len() + UNITED] = place;
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

/// Bits as a number; no game has as many as the type.
fn bits(bits: u16) -> i16 {
    bits.cast_signed()
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

/// Makes a table of numbers, names and meanings, and the function that finds a value's number: one source for
/// both.
macro_rules! numbered {
    ($(#[$doc:meta])* $function:ident($type:ty), $table:ident {
        $($pattern:pat => $number:literal $name:literal $meaning:literal,)*
    }) => {
        $(#[$doc])*
        fn $function(value: $type) -> i16 {
            match value { $($pattern => $number,)* }
        }
        const $table: &[(i16, &str, &str)] = &[$(($number, $name, $meaning),)*];
    };
}

numbered! {
    /// The number of an option's kind.
    kind_of(Choice), OPTIONS {
        Choice::Pass => 1 "pass" "does nothing more",
        Choice::Play(_) => 2 "play" "plays a card from the hand",
        Choice::BackUp(_) => 3 "back-up" "puts a card under a character",
        Choice::Activate(_) => 4 "activate" "uses an ability",
        Choice::Attack(_) => 5 "attack" "attacks alone, or leads",
        Choice::Join(_) => 6 "join" "joins a United Attack",
        Choice::CancelAttack(_) => 7 "cancel-attack" "calls an attacker back",
        Choice::Block(_) => 8 "block" "counter-attacks",
        Choice::CancelBlock(_) => 9 "cancel-block" "calls a blocker back",
        Choice::Slot(_) => 10 "slot" "takes a slot of the ring",
        Choice::Card(_) => 11 "card" "chooses a card",
        Choice::Copy(_) => 12 "copy" "chooses a card by what it is",
        Choice::Player(_) => 13 "player" "chooses a player",
        Choice::Zone(_) => 14 "zone" "chooses a zone",
        Choice::Type(_) => 15 "type" "chooses a type of cards",
        Choice::Action(_) => 16 "action" "chooses which of the effects",
        Choice::Yes => 17 "yes" "does what may be done",
        Choice::No => 18 "no" "does not do it",
        Choice::Top => 19 "top" "to the top of the deck",
        Choice::Bottom => 20 "bottom" "to the bottom of the deck",
        Choice::Heads => 21 "heads" "calls heads",
        Choice::Tails => 22 "tails" "calls tails",
        Choice::Done => 23 "done" "chooses no more",
        Choice::Decline => 24 "decline" "takes back what was begun",
    }
}

numbered! {
    /// The number of a question's kind.
    question_of(Question), QUESTIONS {
        Question::Main => 1 "main" "the Main phase: play, back up, use an ability, or pass",
        Question::Attack => 2 "attack" "who attacks",
        Question::CounterAttack => 3 "counter-attack" "who counter-attacks, and reactions",
        Question::SlotFor(_) => 4 "slot" "into which slot the character goes",
        Question::BackUpWhom(_) => 5 "back up whom" "under which character the card goes",
        Question::JoinWhom(_) => 6 "join whom" "whose United Attack it joins",
        Question::BlockWhom(_) => 7 "block whom" "against which attacker",
        Question::Target { .. } => 8 "target" "what an effect is to hit",
        Question::DiscardCost { .. } => 9 "discard as cost" "which cards are discarded to pay",
        Question::SacrificeCost { .. } => 10 "sacrifice as cost" "which characters are given up to pay",
        Question::Discard { .. } => 11 "discard" "which cards are discarded",
        Question::Player => 12 "player" "which player",
        Question::Zone => 13 "zone" "which zone",
        Question::Type => 14 "type" "which type of cards",
        Question::WhichAction => 15 "which effect" "which of the effects",
        Question::May(_) => 16 "may" "whether an effect is wanted",
        Question::Optional => 17 "optional" "whether the rest is wanted",
        Question::TopOrBottom => 18 "top or bottom" "where in the deck the card goes",
        Question::Prophecy { .. } => 19 "prophecy" "in which order cards lie on the deck",
        Question::Coin => 20 "coin" "heads or tails",
        Question::MoveToSlot(_) => 21 "move to slot" "into which slot the character moves",
    }
}

/// All numbers of an encoding that stand for something: what they are of, the number, its name, and what it
/// means. Of keywords and phases that are skipped it is the bit.
#[pyfunction]
#[pyo3(name = "_numbers")]
pub(crate) fn numbers() -> Vec<(&'static str, i16, String, String)> {
    let row = |of, number, name: &str, meaning: &str| (of, number, name.to_owned(), meaning.to_owned());
    let table = |of, rows: &'static [(i16, &'static str, &'static str)]| {
        rows.iter()
            .map(move |(number, name, meaning)| row(of, *number, name, meaning))
    };
    let phases = Phase::ALL
        .into_iter()
        .map(|phase| row("Phase", i16::from(phase as u8), phase.name(), ""));
    let keywords = Keyword::ALL.iter().map(|word| {
        row(
            "Keyword",
            bits(cw_program::keyword_bit(*word)),
            word.word(),
            word.meaning(),
        )
    });
    let all = table("OptionKind", OPTIONS).chain(table("QuestionKind", QUESTIONS));
    all.chain(phases).chain(keywords).collect()
}

/// The number of what is asked and answered, below `KINDS`.
pub(crate) fn kind(asked: Question, choice: Option<Choice>) -> u16 {
    let [asked, ..] = question(asked);
    let kind = asked << 5 | choice.map_or(0, kind_of);
    kind.cast_unsigned() % KINDS
}

/// The number of a question, and how many are chosen, must be and may be.
fn question(question: Question) -> [i16; 4] {
    let (chosen, least, most) = question.counts().unwrap_or_default();
    [question_of(question), chosen.into(), least.into(), most.into()]
}
