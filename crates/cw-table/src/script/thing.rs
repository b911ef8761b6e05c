//! What scripts hold in their hands: objects of the table as numbers, and the arguments of calls.

use cw_script::ExceptionKind;
use cw_script::{HostHandle, HostStop, HostValue};

use crate::{CardGroup, PileId, TableSeat};

/// What a call gives back.
pub(crate) type Flow<T = HostValue> = Result<T, HostStop>;

/// An object of the interface (S40).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Thing {
    /// A card by its number (S220).
    Card(u32),
    /// What an empty group gives (S43).
    NoCard,
    /// A seat; nobody's.
    Player(Option<TableSeat>),
    /// The table or a pile.
    Group(CardGroup),
    /// A counter of a seat or of nobody.
    Counter(Option<TableSeat>, u16),
    /// The markers on a card.
    Markers(u32),
    /// The properties of a card.
    Properties(u32),
    /// The piles of a seat.
    Piles(Option<TableSeat>),
    /// The counters of a seat.
    Counters(Option<TableSeat>),
}

/// What kind of object it is: methods belong to one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ThingKind {
    Card,
    NoCard,
    Player,
    Group,
    Counter,
    Markers,
    Properties,
    Piles,
    Counters,
}

const SHIFT: u32 = 40;
const TABLE: u64 = 0xffff;

fn seat_number(seat: Option<TableSeat>) -> u64 {
    seat.map_or(0, |seat| u64::from(seat.0) + 1)
}

fn seat_of(number: u64) -> Option<TableSeat> {
    u8::try_from(number.checked_sub(1)?).ok().map(TableSeat)
}

impl Thing {
    pub(crate) fn kind(self) -> ThingKind {
        match self {
            Thing::Card(_) => ThingKind::Card,
            Thing::NoCard => ThingKind::NoCard,
            Thing::Player(_) => ThingKind::Player,
            Thing::Group(_) => ThingKind::Group,
            Thing::Counter(..) => ThingKind::Counter,
            Thing::Markers(_) => ThingKind::Markers,
            Thing::Properties(_) => ThingKind::Properties,
            Thing::Piles(_) => ThingKind::Piles,
            Thing::Counters(_) => ThingKind::Counters,
        }
    }

    /// The number that scripts hold.
    pub(crate) fn handle(self) -> HostHandle {
        let (kind, number) = match self {
            Thing::Card(number) => (0, u64::from(number)),
            Thing::NoCard => (9, 0),
            Thing::Player(seat) => (1, seat_number(seat)),
            Thing::Group(CardGroup::Table) => (2, TABLE),
            Thing::Group(CardGroup::Pile(pile)) => (2, u64::from(pile.0)),
            Thing::Counter(seat, counter) => (3, seat_number(seat) << 16 | u64::from(counter)),
            Thing::Markers(card) => (4, u64::from(card)),
            Thing::Properties(card) => (5, u64::from(card)),
            Thing::Piles(seat) => (6, seat_number(seat)),
            Thing::Counters(seat) => (7, seat_number(seat)),
        };
        HostHandle(kind << SHIFT | number)
    }

    /// What a number stands for.
    pub(crate) fn of(handle: HostHandle) -> Option<Thing> {
        let number = handle.0 & ((1 << SHIFT) - 1);
        let card = u32::try_from(number);
        let counter = u16::try_from(number & 0xffff).unwrap_or(0);
        Some(match handle.0 >> SHIFT {
            0 => Thing::Card(card.ok()?),
            1 => Thing::Player(seat_of(number)),
            2 if number == TABLE => Thing::Group(CardGroup::Table),
            2 => Thing::Group(CardGroup::Pile(PileId(u16::try_from(number).ok()?))),
            3 => Thing::Counter(seat_of(number >> 16), counter),
            4 => Thing::Markers(card.ok()?),
            5 => Thing::Properties(card.ok()?),
            6 => Thing::Piles(seat_of(number)),
            7 => Thing::Counters(seat_of(number)),
            9 => Thing::NoCard,
            _ => return None,
        })
    }

    pub(crate) fn value(self) -> HostValue {
        HostValue::Object(self.handle())
    }

    /// The object that a value is.
    pub(crate) fn in_value(value: &HostValue) -> Option<Thing> {
        match value {
            HostValue::Object(handle) => Thing::of(*handle),
            _ => None,
        }
    }
}

/// The group of a pile.
pub(crate) fn pile(pile: PileId) -> HostValue {
    Thing::Group(CardGroup::Pile(pile)).value()
}

/// A seat or nobody.
pub(crate) fn player(seat: Option<TableSeat>) -> HostValue {
    Thing::Player(seat).value()
}

pub(crate) fn text(text: impl Into<String>) -> HostValue {
    HostValue::Text(text.into())
}

pub(crate) fn count(count: usize) -> HostValue {
    HostValue::Int(crate::count::long(count))
}

/// An exception that the script may catch.
pub(crate) fn raise(kind: ExceptionKind, words: impl Into<String>) -> HostStop {
    HostStop::Raise(kind, words.into())
}

pub(crate) fn type_error(words: impl Into<String>) -> HostStop {
    raise(ExceptionKind::TypeError, words)
}

/// The arguments of a call, by position or by name.
pub(crate) struct Args<'a> {
    pub(crate) at: &'a [HostValue],
    pub(crate) named: &'a [(String, HostValue)],
}

impl<'a> Args<'a> {
    /// An argument, if it is given.
    pub(crate) fn get(&self, at: usize, name: &str) -> Option<&'a HostValue> {
        let named = || {
            self.named
                .iter()
                .find(|(own, _)| own == name)
                .map(|(_, value)| value)
        };
        self.at.get(at).or_else(named)
    }

    pub(crate) fn need(&self, at: usize, name: &str) -> Flow<&'a HostValue> {
        self.get(at, name)
            .ok_or_else(|| type_error(format!("an argument is missing: {name}")))
    }

    /// A text (S52).
    pub(crate) fn text(&self, at: usize, name: &str) -> Flow<&'a str> {
        let value = self.need(at, name)?;
        value
            .text()
            .ok_or_else(|| type_error(format!("{name} must be a text, and it is {}", type_name(value))))
    }

    /// A text that may be left out.
    pub(crate) fn text_or(&self, at: usize, name: &str, default: &str) -> Flow<String> {
        match self.get(at, name) {
            None | Some(HostValue::None) => Ok(default.to_owned()),
            Some(_) => self.text(at, name).map(str::to_owned),
        }
    }

    /// A whole number.
    pub(crate) fn int(&self, at: usize, name: &str) -> Flow<i64> {
        whole(self.need(at, name)?, name)
    }

    pub(crate) fn int_or(&self, at: usize, name: &str, default: i64) -> Flow<i64> {
        match self.get(at, name) {
            None | Some(HostValue::None) => Ok(default),
            Some(value) => whole(value, name),
        }
    }

    /// A number, cut off towards 0 (S34f).
    pub(crate) fn cut(&self, at: usize, name: &str) -> Flow<i64> {
        match self.need(at, name)? {
            HostValue::Float(value) => Ok(cut(*value)),
            value => whole(value, name),
        }
    }

    pub(crate) fn bool_or(&self, at: usize, name: &str, default: bool) -> bool {
        self.get(at, name).map_or(default, truth)
    }

    /// A seat or nobody.
    pub(crate) fn player(&self, at: usize, name: &str) -> Flow<Option<TableSeat>> {
        match Thing::in_value(self.need(at, name)?) {
            Some(Thing::Player(seat)) => Ok(seat),
            _ => Err(type_error(format!("{name} must be a player"))),
        }
    }

    /// A group.
    pub(crate) fn group(&self, at: usize, name: &str) -> Flow<CardGroup> {
        match Thing::in_value(self.need(at, name)?) {
            Some(Thing::Group(group)) => Ok(group),
            _ => Err(type_error(format!("{name} must be a group"))),
        }
    }

    /// Texts of a list.
    pub(crate) fn texts(&self, at: usize, name: &str) -> Flow<Vec<String>> {
        let wrong = || type_error(format!("{name} must be a list of texts"));
        match self.get(at, name) {
            None | Some(HostValue::None) => Ok(Vec::new()),
            Some(HostValue::List(all) | HostValue::Tuple(all) | HostValue::Generator(all)) => all
                .iter()
                .map(|one| one.text().map(str::to_owned).ok_or_else(wrong))
                .collect(),
            Some(_) => Err(wrong()),
        }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "a float's cast saturates")]
fn cut(value: f64) -> i64 {
    value as i64
}

/// A number of a script as a place on the table.
pub(crate) fn place(value: i64) -> i32 {
    i32::try_from(value).unwrap_or(if value < 0 { i32::MIN } else { i32::MAX })
}

fn whole(value: &HostValue, name: &str) -> Flow<i64> {
    match value {
        HostValue::Int(value) => Ok(*value),
        HostValue::Bool(value) => Ok(i64::from(*value)),
        other => Err(type_error(format!(
            "{name} must be a whole number, and it is {}",
            type_name(other)
        ))),
    }
}

/// Whether a value counts as true.
pub(crate) fn truth(value: &HostValue) -> bool {
    match value {
        HostValue::None => false,
        HostValue::Bool(value) => *value,
        HostValue::Int(value) => *value != 0,
        HostValue::Float(value) => *value != 0.0,
        HostValue::Text(text) => !text.is_empty(),
        HostValue::List(all) | HostValue::Tuple(all) => !all.is_empty(),
        HostValue::Dict(all) => !all.is_empty(),
        _ => true,
    }
}

pub(crate) fn type_name(value: &HostValue) -> &'static str {
    match value {
        HostValue::None => "None",
        HostValue::Bool(_) => "a bool",
        HostValue::Int(_) => "an int",
        HostValue::Float(_) => "a float",
        HostValue::Text(_) => "a text",
        HostValue::List(_) => "a list",
        HostValue::Tuple(_) => "a tuple",
        HostValue::Generator(_) => "a generator",
        HostValue::Dict(_) => "a dict",
        HostValue::Object(_) => "an object",
        HostValue::Function(_) | HostValue::Method(_) | HostValue::Script(_) => "a function",
    }
}
