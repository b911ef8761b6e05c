//! A table's state as bytes: a table that was played for long stands again without playing all of it.
//!
//! It is no format for others. Only the program that wrote it reads it, and what was read counts only if its
//! digest is the one that the record names for that step (F40): what was written by another version, or is
//! damaged, is nothing.

use std::sync::Arc;

use cw_chance::{Chance, Seed};

use crate::kit::Protection;
use crate::state::Handles;
use crate::{
    CardGroup, CardSide, Colour, DeckList, DeckPart, LookerSet, PileId, Quarter, RemoteRule, Rights,
    ScriptReach, ScriptRule, SeatState, Sides, TableCard, TableCardId, TableModel, TableNote, TablePile,
    TableSeat, TableSettings, TableState, TakeRule, Viewers,
};

/// What is left to be read.
pub(crate) struct ByteReader<'a>(pub(crate) &'a [u8]);

impl<'a> ByteReader<'a> {
    fn next(&mut self, many: usize) -> Option<&'a [u8]> {
        let (part, rest) = self.0.split_at_checked(many)?;
        self.0 = rest;
        Some(part)
    }
}

/// What can be kept.
pub(crate) trait Keep: Sized {
    fn put(&self, out: &mut Vec<u8>);
    fn take(from: &mut ByteReader<'_>) -> Option<Self>;
}

macro_rules! numbers {
    ($($number:ty),*) => { $(
        impl Keep for $number {
            fn put(&self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }

            fn take(from: &mut ByteReader<'_>) -> Option<$number> {
                Some(<$number>::from_le_bytes(from.next(size_of::<$number>())?.try_into().ok()?))
            }
        }
    )* };
}

numbers!(u8, u16, u32, u64, i32);

/// All fields, in order: a new one cannot be forgotten.
macro_rules! structs {
    ($($name:ident { $($field:ident),* })*) => { $(
        impl Keep for $name {
            fn put(&self, out: &mut Vec<u8>) {
                let $name { $($field),* } = self;
                $($field.put(out);)*
            }

            fn take(from: &mut ByteReader<'_>) -> Option<$name> {
                $(let $field = Keep::take(from)?;)*
                Some($name { $($field),* })
            }
        }
    )* };
}

/// Types around one value.
macro_rules! wrappers {
    ($($name:ident),*) => { $(
        impl Keep for $name {
            fn put(&self, out: &mut Vec<u8>) {
                self.0.put(out);
            }

            fn take(from: &mut ByteReader<'_>) -> Option<$name> {
                Keep::take(from).map($name)
            }
        }
    )* };
}

/// Enums without values, by their place in a list of all.
macro_rules! choices {
    ($($name:ident { $($variant:ident),* })*) => { $(
        impl Keep for $name {
            fn put(&self, out: &mut Vec<u8>) {
                out.push(match self { $($name::$variant => $name::$variant as u8),* });
            }

            fn take(from: &mut ByteReader<'_>) -> Option<$name> {
                let number = u8::take(from)?;
                [$($name::$variant),*].into_iter().find(|one| *one as u8 == number)
            }
        }
    )* };
}

wrappers!(TableCardId, PileId, Colour, TableSeat);

choices! {
    CardSide { Up, Down }
    Quarter { Zero, One, Two, Three }
    Sides { One, Two, Four }
    Rights { Own, Open }
    TakeRule { Free, Ask }
    ScriptRule { On, Ask, Off }
    RemoteRule { Ask, Free }
    ScriptReach { Public, Own }
    Protection { Free, Ask, Never }
}

structs! {
    TableCard {
        model, form, owner, controller, group, face, x, y, far, quarter, markers, highlight, filter, target,
        anchored, locked, host, note, token, maker, peekers, lookers, shown, tracked, remembered, seen
    }
    TablePile { kind, owner, controller, cards, viewers, keep_top, protection, granted, windows, whole }
    TableNote { id, author, x, y, text, private }
    SeatState {
        name, counters, present, conceded, ready, stops, end_stop, sealed, opens, decks, pool, pool_unlimited,
        last_place, opening_hand, wants_end, untouched
    }
    TableSettings {
        names, sides, rights, take, spectators_see_hands, shuffle_after_loading, solo, custom_sleeves,
        referee, scripts, remote, reach
    }
    DeckList { name, parts, sleeve }
    DeckPart { section, shared, pile, cards }
    Handles { of, given }
}

impl Keep for bool {
    fn put(&self, out: &mut Vec<u8>) {
        out.push(u8::from(*self));
    }

    fn take(from: &mut ByteReader<'_>) -> Option<bool> {
        match u8::take(from)? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }
}

impl Keep for LookerSet {
    fn put(&self, out: &mut Vec<u8>) {
        self.bits().put(out);
    }

    fn take(from: &mut ByteReader<'_>) -> Option<LookerSet> {
        let bits = u16::take(from)?;
        let each = (0..crate::eyes::LOOKERS).filter(|index| bits & (1 << index) != 0);
        Some(each.fold(LookerSet::NONE, |all, index| all | LookerSet::index(index)))
    }
}

impl Keep for String {
    fn put(&self, out: &mut Vec<u8>) {
        put_size(self.len(), out);
        out.extend_from_slice(self.as_bytes());
    }

    fn take(from: &mut ByteReader<'_>) -> Option<String> {
        let size = take_size(from)?;
        String::from_utf8(from.next(size)?.to_vec()).ok()
    }
}

impl Keep for Arc<str> {
    fn put(&self, out: &mut Vec<u8>) {
        put_size(self.len(), out);
        out.extend_from_slice(self.as_bytes());
    }

    fn take(from: &mut ByteReader<'_>) -> Option<Arc<str>> {
        String::take(from).map(Arc::from)
    }
}

impl<T: Keep> Keep for Arc<T> {
    fn put(&self, out: &mut Vec<u8>) {
        T::put(self, out);
    }

    fn take(from: &mut ByteReader<'_>) -> Option<Arc<T>> {
        T::take(from).map(Arc::new)
    }
}

impl<T: Keep> Keep for Option<T> {
    fn put(&self, out: &mut Vec<u8>) {
        self.is_some().put(out);
        if let Some(value) = self {
            value.put(out);
        }
    }

    fn take(from: &mut ByteReader<'_>) -> Option<Option<T>> {
        match bool::take(from)? {
            true => T::take(from).map(Some),
            false => Some(None),
        }
    }
}

impl<T: Keep> Keep for Vec<T> {
    fn put(&self, out: &mut Vec<u8>) {
        put_size(self.len(), out);
        self.iter().for_each(|one| one.put(out));
    }

    fn take(from: &mut ByteReader<'_>) -> Option<Vec<T>> {
        // Nothing is reserved for a size that damage may have made.
        (0..take_size(from)?).map(|_| T::take(from)).collect()
    }
}

impl<A: Keep, B: Keep> Keep for (A, B) {
    fn put(&self, out: &mut Vec<u8>) {
        self.0.put(out);
        self.1.put(out);
    }

    fn take(from: &mut ByteReader<'_>) -> Option<(A, B)> {
        Some((A::take(from)?, B::take(from)?))
    }
}

impl<A: Keep, B: Keep, C: Keep> Keep for (A, B, C) {
    fn put(&self, out: &mut Vec<u8>) {
        self.0.put(out);
        self.1.put(out);
        self.2.put(out);
    }

    fn take(from: &mut ByteReader<'_>) -> Option<(A, B, C)> {
        Some((A::take(from)?, B::take(from)?, C::take(from)?))
    }
}

impl Keep for CardGroup {
    fn put(&self, out: &mut Vec<u8>) {
        match self {
            CardGroup::Table => None,
            CardGroup::Pile(pile) => Some(*pile),
        }
        .put(out);
    }

    fn take(from: &mut ByteReader<'_>) -> Option<CardGroup> {
        <Option<PileId> as Keep>::take(from).map(|pile| pile.map_or(CardGroup::Table, CardGroup::Pile))
    }
}

impl Keep for TableModel {
    fn put(&self, out: &mut Vec<u8>) {
        match self {
            TableModel::Card(card) => (Some(*card), None),
            TableModel::Blank(name) => (None, Some(Arc::clone(name))),
        }
        .put(out);
    }

    fn take(from: &mut ByteReader<'_>) -> Option<TableModel> {
        match Keep::take(from)? {
            (Some(card), None) => Some(TableModel::Card(card)),
            (None, Some(name)) => Some(TableModel::Blank(name)),
            (Some(_), Some(_)) | (None, None) => None,
        }
    }
}

impl Keep for Viewers {
    fn put(&self, out: &mut Vec<u8>) {
        let (kind, eyes) = match self {
            Viewers::Nobody => (0u8, LookerSet::NONE),
            Viewers::Everybody => (1, LookerSet::NONE),
            Viewers::List(eyes) => (2, *eyes),
            Viewers::ByFace => (3, LookerSet::NONE),
        };
        (kind, eyes).put(out);
    }

    fn take(from: &mut ByteReader<'_>) -> Option<Viewers> {
        let (kind, eyes): (u8, LookerSet) = Keep::take(from)?;
        [
            Viewers::Nobody,
            Viewers::Everybody,
            Viewers::List(eyes),
            Viewers::ByFace,
        ]
        .get(usize::from(kind))
        .copied()
    }
}

impl Keep for TableState {
    fn put(&self, out: &mut Vec<u8>) {
        // What waits holds verbs: such a state is not kept.
        let TableState {
            settings,
            seats,
            shared_counters,
            table,
            piles,
            arrows,
            notes,
            active,
            turn,
            phase,
            board,
            background_turned,
            questions: _,
            runs: _,
            chance,
            step,
            game_start,
            ended,
            cards,
            handles,
            salt,
            next_number,
            pack_seeds,
            scripts,
        } = self;
        settings.put(out);
        seats.put(out);
        shared_counters.put(out);
        table.put(out);
        piles.put(out);
        arrows.put(out);
        notes.put(out);
        active.put(out);
        turn.put(out);
        phase.put(out);
        board.put(out);
        background_turned.put(out);
        position(chance).put(out);
        step.put(out);
        game_start.put(out);
        ended.put(out);
        cards.put(out);
        handles.put(out);
        salt.put(out);
        next_number.put(out);
        pack_seeds.put(out);
        scripts.put(out);
    }

    fn take(from: &mut ByteReader<'_>) -> Option<TableState> {
        Some(TableState {
            settings: Keep::take(from)?,
            seats: Keep::take(from)?,
            shared_counters: Keep::take(from)?,
            table: Keep::take(from)?,
            piles: Keep::take(from)?,
            arrows: Keep::take(from)?,
            notes: Keep::take(from)?,
            active: Keep::take(from)?,
            turn: Keep::take(from)?,
            phase: Keep::take(from)?,
            board: Keep::take(from)?,
            background_turned: Keep::take(from)?,
            questions: Vec::new(),
            runs: Vec::new(),
            chance: {
                let (key, position): (Vec<u8>, u64) = Keep::take(from)?;
                let seed = Seed(key.try_into().ok()?);
                Chance::Seeded { seed, position }
            },
            step: Keep::take(from)?,
            game_start: Keep::take(from)?,
            ended: Keep::take(from)?,
            cards: Keep::take(from)?,
            handles: Keep::take(from)?,
            salt: Keep::take(from)?,
            next_number: Keep::take(from)?,
            pack_seeds: Keep::take(from)?,
            scripts: Keep::take(from)?,
        })
    }
}

/// Chance of a table comes from a seed; another one does not come back, and its digest tells.
fn position(chance: &Chance) -> (Vec<u8>, u64) {
    match chance {
        Chance::Seeded { seed, position } => (seed.0.to_vec(), *position),
        Chance::First { .. } | Chance::List { .. } => (Vec::new(), 0),
    }
}

fn put_size(size: usize, out: &mut Vec<u8>) {
    u32::try_from(size).unwrap_or(u32::MAX).put(out);
}

fn take_size(from: &mut ByteReader<'_>) -> Option<usize> {
    usize::try_from(u32::take(from)?).ok()
}
