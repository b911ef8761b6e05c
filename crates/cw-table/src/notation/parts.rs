//! The parts of a verb's line: how each argument is read and how it is written, side by side.
//!
//! A part is a small value such as [`CARDS`] or `Flag("force")`; the table of verbs in `verb.rs` puts them
//! together. What a part writes it reads back as the same value.

#![expect(
    clippy::redundant_closure_for_method_calls,
    reason = "the path of a method is of one lifetime, a part reads lines of all"
)]

use std::fmt::Write as _;
use std::str::FromStr;
use std::sync::Arc;

use super::reader::{LineReader, Read, name, slash, wrong};
use super::writer::{LineWriter, eyes_list, eyes_text, quoted};
use crate::script::ScriptAnswer;
use crate::{
    ArrivalSpot, CardGroup, CardSide, Colour, Created, DeckList, LookerSet, NumberChange, PileEnd, PileId,
    PilePart, Protection, Rotation, TableSeat, Then, Turning, VerbCards, VerbRefusal, Viewers,
};

/// One argument of a verb in its line.
pub(crate) trait VerbPart<T> {
    /// Reads it from the front of what is left of the line.
    ///
    /// # Errors
    /// If something else stands there, or nothing of that name is at the table.
    fn read(&self, line: &mut LineReader<'_>) -> Read<T>;

    /// Writes it; nothing if it can be left out.
    fn write(&self, line: &LineWriter<'_>, value: &T) -> String;

    /// Whether a verb with this value is written with this part: one verb may have two words, as *attach* and
    /// *detach*.
    fn holds(&self, _value: &T) -> bool {
        true
    }
}

/// A part that two functions make: how it is read, and how it is written.
pub(crate) struct LinePart<T> {
    read: fn(&mut LineReader<'_>) -> Read<T>,
    write: fn(&LineWriter<'_>, &T) -> String,
}

const fn part<T>(
    read: fn(&mut LineReader<'_>) -> Read<T>,
    write: fn(&LineWriter<'_>, &T) -> String,
) -> LinePart<T> {
    LinePart { read, write }
}

impl<T> VerbPart<T> for LinePart<T> {
    fn read(&self, line: &mut LineReader<'_>) -> Read<T> {
        (self.read)(line)
    }
    fn write(&self, line: &LineWriter<'_>, value: &T) -> String {
        (self.write)(line, value)
    }
}

/// A field of a verb, or several fields that one part stands for, taken out of a reference.
pub(crate) trait HeldValue<T> {
    /// The value itself.
    fn held(self) -> T;
}

impl<T: Clone> HeldValue<T> for &T {
    fn held(self) -> T {
        self.clone()
    }
}

impl<A: Clone, B: Clone> HeldValue<(A, B)> for (&A, &B) {
    fn held(self) -> (A, B) {
        (self.0.clone(), self.1.clone())
    }
}

impl<A: Clone, B: Clone, C: Clone> HeldValue<(A, B, C)> for (&A, &B, &C) {
    fn held(self) -> (A, B, C) {
        (self.0.clone(), self.1.clone(), self.2.clone())
    }
}

// ---- any verb's ---------------------------------------------------------------------------------

/// A number.
pub(crate) struct Number;

impl<N: FromStr + ToString> VerbPart<N> for Number {
    fn read(&self, line: &mut LineReader<'_>) -> Read<N> {
        line.number()
    }
    fn write(&self, _: &LineWriter<'_>, value: &N) -> String {
        value.to_string()
    }
}

/// A number of things: one if it is left out.
pub(crate) struct Count;

impl<N: FromStr + ToString + From<u8>> VerbPart<N> for Count {
    fn read(&self, line: &mut LineReader<'_>) -> Read<N> {
        line.number_or(N::from(1))
    }
    fn write(&self, _: &LineWriter<'_>, value: &N) -> String {
        value.to_string()
    }
}

/// A word that is there or not.
pub(crate) struct Flag(pub(crate) &'static str);

impl VerbPart<bool> for Flag {
    fn read(&self, line: &mut LineReader<'_>) -> Read<bool> {
        Ok(line.eat(self.0))
    }
    fn write(&self, _: &LineWriter<'_>, value: &bool) -> String {
        if *value { self.0.to_owned() } else { String::new() }
    }
}

/// A word without which the value is true.
pub(crate) struct Unless(pub(crate) &'static str);

impl VerbPart<bool> for Unless {
    fn read(&self, line: &mut LineReader<'_>) -> Read<bool> {
        Ok(!line.eat(self.0))
    }
    fn write(&self, line: &LineWriter<'_>, value: &bool) -> String {
        Flag(self.0).write(line, &!*value)
    }
}

/// Another part, which must have a value here.
pub(crate) struct Given<P>(pub(crate) P);

impl<T, P: VerbPart<T>> VerbPart<Option<T>> for Given<P> {
    fn read(&self, line: &mut LineReader<'_>) -> Read<Option<T>> {
        self.0.read(line).map(Some)
    }
    fn write(&self, line: &LineWriter<'_>, value: &Option<T>) -> String {
        let text = value.as_ref().map(|value| self.0.write(line, value));
        text.unwrap_or_default()
    }
    fn holds(&self, value: &Option<T>) -> bool {
        value.is_some()
    }
}

/// Another part, or the end of the line.
pub(crate) struct Maybe<P>(pub(crate) P);

impl<T, P: VerbPart<T>> VerbPart<Option<T>> for Maybe<P> {
    fn read(&self, line: &mut LineReader<'_>) -> Read<Option<T>> {
        let nothing = line.peek().is_empty();
        if nothing {
            Ok(None)
        } else {
            self.0.read(line).map(Some)
        }
    }
    fn write(&self, line: &LineWriter<'_>, value: &Option<T>) -> String {
        Given(&self.0).write(line, value)
    }
}

/// A word that means none, or another part.
pub(crate) struct OrWord<P>(pub(crate) &'static str, pub(crate) P);

impl<T, P: VerbPart<T>> VerbPart<Option<T>> for OrWord<P> {
    fn read(&self, line: &mut LineReader<'_>) -> Read<Option<T>> {
        let none = line.eat(self.0);
        if none {
            Ok(None)
        } else {
            self.1.read(line).map(Some)
        }
    }
    fn write(&self, line: &LineWriter<'_>, value: &Option<T>) -> String {
        match value {
            Some(value) => self.1.write(line, value),
            None => self.0.to_owned(),
        }
    }
}

/// Another part behind a word, or neither.
pub(crate) struct Behind<P>(pub(crate) &'static str, pub(crate) P);

impl<T, P: VerbPart<T>> VerbPart<Option<T>> for Behind<P> {
    fn read(&self, line: &mut LineReader<'_>) -> Read<Option<T>> {
        let some = line.eat(self.0);
        if some {
            self.1.read(line).map(Some)
        } else {
            Ok(None)
        }
    }
    fn write(&self, line: &LineWriter<'_>, value: &Option<T>) -> String {
        value.as_ref().map_or(String::new(), |value| {
            format!("{} {}", self.0, self.1.write(line, value))
        })
    }
}

/// A number behind a word: 0 if both are left out.
pub(crate) struct NumberBehind(pub(crate) &'static str);

impl<N: FromStr + ToString + Default + PartialEq> VerbPart<N> for NumberBehind {
    fn read(&self, line: &mut LineReader<'_>) -> Read<N> {
        let some = line.eat(self.0);
        if some { line.number() } else { Ok(N::default()) }
    }
    fn write(&self, _: &LineWriter<'_>, value: &N) -> String {
        if *value == N::default() {
            return String::new();
        }
        format!("{} {}", self.0, value.to_string())
    }
}

impl<T, P: VerbPart<T>> VerbPart<T> for &P {
    fn read(&self, line: &mut LineReader<'_>) -> Read<T> {
        (*self).read(line)
    }
    fn write(&self, line: &LineWriter<'_>, value: &T) -> String {
        (*self).write(line, value)
    }
}

/// A name: one word, or several in quotes.
pub(crate) const NAME: LinePart<String> = part(|line| line.name(), |_, value| quoted(value));

/// The rest of the line, in quotes or not.
pub(crate) const TEXT: LinePart<String> = part(|line| line.text(), |_, value| quoted(value));

/// The rest of the line, if there is one.
pub(crate) const TEXT_OR_NONE: LinePart<String> = part(
    |line| {
        let nothing = line.rest.trim().is_empty();
        if nothing { Ok(String::new()) } else { line.text() }
    },
    |_, value| quoted(value),
);

/// A change of a number: `+N`, `-N`, `=N`.
pub(crate) const CHANGE: LinePart<NumberChange> = part(
    |line| {
        let word = line.given("+N, -N or =N is expected here")?;
        let number = |text: &str| {
            text.parse::<i64>()
                .map_err(|_| wrong(word, "; +N, -N or =N is expected here"))
        };
        match word.strip_prefix('=') {
            Some(to) => Ok(NumberChange::To(number(to)?)),
            None => Ok(NumberChange::By(number(word)?)),
        }
    },
    |_, value| match value {
        NumberChange::By(by) => format!("{by:+}"),
        NumberChange::To(to) => format!("={to}"),
    },
);

/// A colour: `#RRGGBB`.
pub(crate) const COLOUR_NAME: LinePart<Colour> = part(
    |line| {
        let word = line.word();
        Colour::parse(word).ok_or_else(|| wrong(word, "; #RRGGBB or none is expected here"))
    },
    |_, value| value.to_string(),
);

// ---- seats and who sees -------------------------------------------------------------------------

/// A seat, by number or name.
pub(crate) const SEAT: LinePart<TableSeat> = part(|line| line.seat(), |_, value| value.to_string());

/// A seat if one is named here.
pub(crate) const MAYBE_SEAT: LinePart<Option<TableSeat>> = part(
    |line| {
        let named = line.is_seat();
        if named { line.seat().map(Some) } else { Ok(None) }
    },
    |line, value| Given(SEAT).write(line, value),
);

/// Seats, `spectators`, `everybody` or `nobody`.
pub(crate) const EYES: LinePart<LookerSet> = part(|line| line.eyes(), |_, value| eyes_text(*value));

/// `to` and seats; everybody if it is left out.
pub(crate) const TO_EYES: LinePart<LookerSet> = part(
    |line| {
        let some = line.eat("to");
        if some { line.eyes() } else { Ok(LookerSet::ALL) }
    },
    |_, value| format!("to {}", eyes_text(*value)),
);

/// Who sees a pile: `nobody`, `everybody`, `byface` or seats.
pub(crate) const WHO_SEES: LinePart<Viewers> = part(
    |line| {
        if line.eat("nobody") {
            Ok(Viewers::Nobody)
        } else if line.eat("everybody") {
            Ok(Viewers::Everybody)
        } else if line.eat("byface") {
            Ok(Viewers::ByFace)
        } else {
            line.eyes().map(Viewers::List)
        }
    },
    |_, value| match value {
        Viewers::Nobody => "nobody".to_owned(),
        Viewers::Everybody => "everybody".to_owned(),
        Viewers::ByFace => "byface".to_owned(),
        Viewers::List(eyes) => eyes_list(*eyes),
    },
);

/// Whether others may look into a pile: `free`, `ask` or `never`.
pub(crate) const MAY_LOOK: LinePart<Protection> = part(
    |line| match line.word() {
        "free" => Ok(Protection::Free),
        "ask" => Ok(Protection::Ask),
        "never" => Ok(Protection::Never),
        word => Err(wrong(word, "; free, ask or never is expected here")),
    },
    |_, value| {
        let word = match value {
            Protection::Free => "free",
            Protection::Ask => "ask",
            Protection::Never => "never",
        };
        word.to_owned()
    },
);

// ---- cards, piles and places --------------------------------------------------------------------

/// Cards of one group: `GROUP:REF,REF`.
pub(crate) const CARDS: LinePart<VerbCards> = part(|line| line.cards(), |line, value| line.cards(value));

/// The table or a pile.
pub(crate) const GROUP: LinePart<CardGroup> = part(|line| line.group(), |line, value| line.group(*value));

/// A pile.
pub(crate) const PILE: LinePart<PileId> = part(|line| line.pile(), |line, value| line.pile(*value));

/// A pile; the seat's deck if none is named.
pub(crate) const PILE_OR_DECK: LinePart<PileId> =
    part(|line| line.pile_or_deck(), |line, value| line.pile(*value));

/// A pile; the seat's hand if none is named.
pub(crate) const PILE_OR_HAND: LinePart<PileId> = part(
    |line| {
        let word = line.peek();
        let named = !word.starts_with(|c: char| c.is_ascii_digit()) || slash(word).is_some();
        let short = ["show", "to", ""]
            .iter()
            .any(|other| word.eq_ignore_ascii_case(other));
        if named && !short {
            line.pile()
        } else {
            line.state.hand(line.kit, line.seat).ok_or(VerbRefusal::NoHand)
        }
    },
    |line, value| line.pile(*value),
);

/// Where in its new group a card arrives: `top`, `bottom`, `at N`.
pub(crate) const SPOT: LinePart<ArrivalSpot> = part(
    |line| {
        if line.eat("top") {
            return Ok(ArrivalSpot::Top);
        }
        if line.eat("bottom") {
            return Ok(ArrivalSpot::Bottom);
        }
        if line.eat("at") {
            let word = line.peek();
            let place: i32 = line.number()?;
            return match place {
                0 => Err(wrong(word, "; places count from 1, from the end from -1")),
                1.. => Ok(ArrivalSpot::At(place - 1)),
                _ => Ok(ArrivalSpot::At(place)),
            };
        }
        Ok(ArrivalSpot::Usual)
    },
    |_, value| match *value {
        ArrivalSpot::Usual => String::new(),
        ArrivalSpot::Top => "top".to_owned(),
        ArrivalSpot::Bottom => "bottom".to_owned(),
        ArrivalSpot::At(at) if at < 0 => format!("at {at}"),
        ArrivalSpot::At(at) => format!("at {}", i64::from(at) + 1),
    },
);

/// Which side is up, if that is said: `up`, `down`.
pub(crate) const FACE: LinePart<Option<CardSide>> = part(
    |line| {
        if line.eat("up") {
            return Ok(Some(CardSide::Up));
        }
        Ok(line.eat("down").then_some(CardSide::Down))
    },
    |_, value| {
        let word = match value {
            None => "",
            Some(CardSide::Up) => "up",
            Some(CardSide::Down) => "down",
        };
        word.to_owned()
    },
);

/// The end that cards come from: the top unless it says `bottom`.
pub(crate) const FROM_END: LinePart<PileEnd> = part(
    |line| {
        let bottom = line.eat("bottom");
        Ok(if bottom { PileEnd::Bottom } else { PileEnd::Top })
    },
    |line, value| Flag("bottom").write(line, &(*value == PileEnd::Bottom)),
);

/// A part of a pile: `top N`, `bottom N`, or all of it.
pub(crate) const PART: LinePart<PilePart> = part(
    |line| {
        let end = if line.eat("top") {
            PileEnd::Top
        } else if line.eat("bottom") {
            PileEnd::Bottom
        } else {
            return Ok(PilePart::All);
        };
        Ok(PilePart::End(end, line.number_or(1)?))
    },
    |_, value| match value {
        PilePart::All => String::new(),
        PilePart::End(PileEnd::Top, count) => format!("top {count}"),
        PilePart::End(PileEnd::Bottom, count) => format!("bottom {count}"),
    },
);

/// A place on the table: `X,Y`.
pub(crate) const POINT: LinePart<(i32, i32)> = part(|line| line.point(), |_, (x, y)| format!("{x},{y}"));

/// A place on the table; its middle if it is left out.
pub(crate) const POINT_OR_MIDDLE: LinePart<(i32, i32)> = part(
    |line| if line.is_point() { line.point() } else { Ok((0, 0)) },
    |line, value| POINT.write(line, value),
);

/// Places in a pile, from 1: `N,N`.
pub(crate) const PLACES: LinePart<Vec<u32>> = part(
    |line| {
        let word = line.word();
        let places: Option<Vec<u32>> = word
            .split(',')
            .map(|place| place.parse::<u32>().ok()?.checked_sub(1))
            .collect();
        places.ok_or_else(|| wrong(word, "; places is expected here"))
    },
    |_, value| {
        let places: Vec<String> = value
            .iter()
            .map(|place| (u64::from(*place) + 1).to_string())
            .collect();
        places.join(",")
    },
);

/// What happens to random cards: `show`, `target`, `to GROUP`.
pub(crate) const WHAT_THEN: LinePart<Then> = part(
    |line| {
        if line.eat("to") {
            return line.group().map(Then::Move);
        }
        if line.eat("target") {
            return Ok(Then::Target);
        }
        line.eat("show");
        Ok(Then::Show)
    },
    |line, value| match value {
        Then::Show => "show".to_owned(),
        Then::Target => "target".to_owned(),
        Then::Move(to) => format!("to {}", line.group(*to)),
    },
);

/// How cards are turned over: `up`, `down`, `over`.
pub(crate) const TURNED_HOW: LinePart<Turning> = part(
    |line| match FACE.read(line)? {
        Some(CardSide::Up) => Ok(Turning::Up),
        Some(CardSide::Down) => Ok(Turning::Down),
        None => {
            line.eat("over");
            Ok(Turning::Other)
        }
    },
    |_, value| {
        let word = match value {
            Turning::Up => "up",
            Turning::Down => "down",
            Turning::Other => "over",
        };
        word.to_owned()
    },
);

/// How cards are rotated: `to N`, `by N` degrees, or by what they are.
pub(crate) const ANGLE: LinePart<Rotation> = part(
    |line| {
        let to = line.eat("to");
        if !to && !line.eat("by") {
            return Ok(Rotation::Toggle);
        }
        let degrees: u16 = line.number()?;
        let quarters = u8::try_from(degrees / 90).ok();
        match quarters.filter(|quarters| degrees.is_multiple_of(90) && *quarters < 4) {
            Some(quarters) if to => Ok(Rotation::To(quarters)),
            Some(quarters) => Ok(Rotation::By(quarters)),
            None => Err(VerbRefusal::Impossible("that angle")),
        }
    },
    |_, value| match value {
        Rotation::To(quarters) => format!("to {}", u16::from(quarters % 4) * 90),
        Rotation::By(quarters) => format!("by {}", u16::from(quarters % 4) * 90),
        Rotation::Toggle => String::new(),
    },
);

/// How many cards stand side by side: `row` for all, `stack` for none.
pub(crate) const COLUMNS: LinePart<u32> = part(
    |line| {
        if line.eat("stack") {
            Ok(0)
        } else if line.eat("row") {
            Ok(u32::MAX)
        } else {
            line.number()
        }
    },
    |_, value| value.to_string(),
);

/// A kind of marker, by name or `#N`.
pub(crate) const MARKER: LinePart<u16> = part(
    |line| {
        let word = line.given("the name of a marker is expected here")?;
        if let Some(number) = word.strip_prefix('#').and_then(|number| number.parse().ok()) {
            return Ok(number);
        }
        let wanted = name(word)?;
        line.kit.marker(&wanted).ok_or(VerbRefusal::NoSuchMarker)
    },
    |_, value| format!("#{value}"),
);

/// A counter and whose it is: `NAME`, `2/NAME`, `*/NAME`, `1/#N`.
pub(crate) const COUNTER_NAME: LinePart<(Option<TableSeat>, u16)> = part(
    |line| {
        let word = line.given("the name of a counter is expected here")?;
        let (of, rest) = match slash(word) {
            Some(("*", rest)) => (None, rest),
            Some((seat, rest)) => match line.seat_of(seat) {
                Ok(seat) => (Some(seat), rest),
                Err(_) => (Some(line.seat), word),
            },
            None => (Some(line.seat), word),
        };
        if let Some(number) = rest.strip_prefix('#').and_then(|number| number.parse().ok()) {
            return Ok((of, number));
        }
        let wanted = name(rest)?;
        let kinds = match of {
            Some(_) => line.kit.counters(),
            None => line.kit.shared_counters(),
        };
        let found = kinds
            .iter()
            .position(|kind| kind.name.eq_ignore_ascii_case(&wanted));
        let counter = found.and_then(|at| u16::try_from(at).ok());
        Ok((of, counter.ok_or(VerbRefusal::NoSuchCounter)?))
    },
    |_, (of, counter)| match of {
        Some(seat) => format!("{seat}/#{counter}"),
        None => format!("*/#{counter}"),
    },
);

/// Cards that are made: `NAME [N] [at X,Y] [down] [kept]`.
pub(crate) const NEW_CARDS: LinePart<Created> = part(
    |line| {
        let word = line.given("the name of a card is expected here")?;
        Ok(Created {
            model: line.model(word)?,
            count: line.number_or(1)?,
            at: if line.eat("at") { Some(line.point()?) } else { None },
            face: FACE.read(line)?.unwrap_or(CardSide::Up),
            kept: line.eat("kept"),
        })
    },
    |line, value| {
        let at = value.at.map_or(String::new(), |(x, y)| format!(" at {x},{y}"));
        let down = if value.face == CardSide::Down { " down" } else { "" };
        let kept = if value.kept { " kept" } else { "" };
        format!("{} {}{at}{down}{kept}", line.model(&value.model), value.count)
    },
);

// ---- the game -----------------------------------------------------------------------------------

/// A phase, by number or by the beginning of its name.
pub(crate) const PHASE: LinePart<u8> = part(
    |line| {
        let word = line.given("a phase is expected here, by number or name")?;
        if let Ok(number) = word.parse() {
            return Ok(number);
        }
        let wanted = name(word)?.to_lowercase();
        let named = |number: &u8| {
            let name = line.kit.phase(*number).unwrap_or("").to_lowercase();
            name.starts_with(&wanted)
        };
        (1..=line.kit.phases())
            .find(named)
            .ok_or(VerbRefusal::NoSuchPhase)
    },
    |_, value| value.to_string(),
);

/// A board of the package, by number or name.
pub(crate) const BOARD: LinePart<u16> = part(
    |line| {
        let word = line.given("a board is expected here, by number or name, or `none`")?;
        if let Ok(number) = word.parse() {
            return Ok(number);
        }
        let wanted = name(word)?;
        let boards = &line.kit.package.definition.tabletop.boards;
        let found = boards
            .iter()
            .position(|board| board.name.eq_ignore_ascii_case(&wanted));
        found
            .and_then(|at| u16::try_from(at).ok())
            .ok_or(VerbRefusal::NoSuchBoard)
    },
    |_, value| value.to_string(),
);

/// The size of an opening hand; what is usual at this seat if it is left out.
pub(crate) const HAND_SIZE: LinePart<u32> = part(
    |line| {
        let seat = line.state.seats.get(line.seat.index());
        line.number_or(seat.map_or(7, |seat| seat.opening_hand))
    },
    |_, value| value.to_string(),
);

/// Dice: `2d6+1`.
pub(crate) const DICE: LinePart<(u32, u32, i64)> = part(
    |line| {
        let word = line.word();
        let read = || {
            let (dice, rest) = word.split_once(['d', 'D'])?;
            let dice = if dice.is_empty() { 1 } else { dice.parse().ok()? };
            let (sides, add) = rest.split_at(rest.find(['+', '-']).unwrap_or(rest.len()));
            let add = if add.is_empty() { 0 } else { add.parse().ok()? };
            Some((dice, sides.parse().ok()?, add))
        };
        read().ok_or_else(|| wrong(word, "; dice like 2d6+1 is expected here"))
    },
    |_, (dice, sides, add)| format!("{dice}d{sides}{add:+}"),
);

/// Packs to open, by set and pack: `SET.PACK …`.
pub(crate) const PACKS: LinePart<Vec<(u32, u32)>> = part(
    |line| {
        let mut packs = Vec::new();
        while !line.peek().is_empty() {
            let word = line.word();
            let pack = word
                .split_once('.')
                .and_then(|(set, pack)| Some((set.parse().ok()?, pack.parse().ok()?)));
            packs.push(pack.ok_or_else(|| wrong(word, "; SET.PACK is expected here"))?);
        }
        Ok(packs)
    },
    |_, value| {
        let packs: Vec<String> = value.iter().map(|(set, pack)| format!("{set}.{pack}")).collect();
        packs.join(" ")
    },
);

/// A deck: `NAME [sleeve NAME]`, then for each section `section NAME own|shared PILE|- N*CARD …`; a pile by
/// its number among the kinds of piles.
pub(crate) const WHOLE_DECK: LinePart<Arc<DeckList>> = part(
    |line| {
        let mut deck = DeckList {
            name: line.name()?,
            ..DeckList::default()
        };
        if line.eat("sleeve") {
            deck.sleeve = Some(line.name()?);
        }
        while line.eat("section") {
            let section = line.name()?;
            let shared = line.eat("shared");
            if !shared {
                line.need("own")?;
            }
            let pile = if line.eat("-") { None } else { Some(line.number()?) };
            let mut cards = Vec::new();
            while line.peek().contains('*') {
                let word = line.word();
                let (count, model) = word.split_once('*').ok_or_else(|| wrong(word, ""))?;
                let count = count
                    .parse()
                    .map_err(|_| wrong(word, "; N*CARD is expected here"))?;
                cards.push((line.model(model)?, count));
            }
            deck.parts.push(crate::DeckPart {
                section,
                shared,
                pile,
                cards,
            });
        }
        if deck.parts.is_empty() {
            return Err(VerbRefusal::EmptyDeck(deck.name));
        }
        Ok(Arc::new(deck))
    },
    |line, deck| {
        let mut out = quoted(&deck.name);
        if let Some(sleeve) = &deck.sleeve {
            let _ = write!(out, " sleeve {}", quoted(sleeve));
        }
        for part in &deck.parts {
            let kind = if part.shared { "shared" } else { "own" };
            let pile = part.pile.map_or("-".to_owned(), |pile| pile.to_string());
            let _ = write!(out, " section {} {kind} {pile}", quoted(&part.section));
            for (model, count) in &part.cards {
                let _ = write!(out, " {count}*{}", line.model(model));
            }
        }
        out
    },
);

/// Yes or no, and whether for good: `yes`, `no`, `always`.
pub(crate) const REPLY: LinePart<(bool, bool)> = part(
    |line| {
        let always = line.eat("always");
        let yes = always || line.eat("yes");
        if !yes && !line.eat("no") {
            return Err(wrong(line.peek(), "; yes, no or always is expected here"));
        }
        Ok((yes, always))
    },
    |_, value| {
        let word = match value {
            (true, true) => "always",
            (true, false) => "yes",
            (false, _) => "no",
        };
        word.to_owned()
    },
);

// ---- entries that run scripts -------------------------------------------------------------------

/// An entry of the package's menus: by its path, or `#n` where an earlier one has the same.
pub(crate) const MENU_ENTRY: LinePart<u16> = part(
    |line| {
        let written = line.given("an entry of the package's menus")?;
        let actions = &line.kit.actions;
        let number = written
            .strip_prefix('#')
            .and_then(|number| number.parse::<usize>().ok());
        let found = match number {
            Some(number) => Some(number).filter(|at| *at < actions.len()),
            None => {
                let path = name(written)?;
                actions
                    .iter()
                    .position(|action| !action.definition.separator && action.definition.path() == path)
            }
        };
        let found = found.and_then(|at| u16::try_from(at).ok());
        found.ok_or_else(|| wrong(written, "; the package has no such entry"))
    },
    |line, value| {
        let actions = &line.kit.actions;
        let path = actions
            .get(usize::from(*value))
            .map(|action| action.definition.path());
        let first = path.as_ref().and_then(|path| {
            actions
                .iter()
                .position(|action| !action.definition.separator && action.definition.path() == *path)
        });
        match path {
            Some(path) if first == Some(usize::from(*value)) => quoted(&path),
            _ => format!("#{value}"),
        }
    },
);

/// An answer to what a script asks.
pub(crate) const SCRIPT_REPLY: LinePart<ScriptAnswer> = part(
    |line| {
        for (word, answer) in [
            ("yes", ScriptAnswer::Yes),
            ("no", ScriptAnswer::No),
            ("closed", ScriptAnswer::Closed),
        ] {
            if line.eat(word) {
                return Ok(answer);
            }
        }
        if line.eat("places") {
            let written = line.word();
            let parts = written.split(',').filter(|part| !part.is_empty());
            let places: Result<Vec<u32>, _> = parts.map(str::parse).collect();
            return places
                .map(ScriptAnswer::Places)
                .map_err(|_| wrong(written, "; places are numbers with commas"));
        }
        if line.eat("counted") {
            return Ok(ScriptAnswer::Counted(line.number()?, line.number()?));
        }
        if line.peek().starts_with('"') {
            return line.name().map(ScriptAnswer::Text);
        }
        line.number().map(ScriptAnswer::Number)
    },
    |_, value| match value {
        ScriptAnswer::Closed => "closed".to_owned(),
        ScriptAnswer::Yes => "yes".to_owned(),
        ScriptAnswer::No => "no".to_owned(),
        ScriptAnswer::Number(number) => number.to_string(),
        ScriptAnswer::Text(text) => quoted(text),
        ScriptAnswer::Places(places) => {
            let places: Vec<String> = places.iter().map(u32::to_string).collect();
            format!("places {}", places.join(",")).trim_end().to_owned()
        }
        ScriptAnswer::Counted(at, count) => format!("counted {at} {count}"),
    },
);
