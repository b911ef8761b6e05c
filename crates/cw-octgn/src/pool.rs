//! The cards that a player of a limited game may use, with what the packs made of them.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::booster::find;
use crate::limited::{counted, deck_of};
use crate::{
    Booster, CardRef, Deck, DrawnCard, Guid, Include, LocatedValue, OpenedBooster, Package, PackageCard, Str,
};

/// A copy of a card in a pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PoolCard {
    /// Which card.
    pub card: CardRef,
    /// The include that brought it, if it did not come with the pack's set (P82).
    pub include: Option<IncludeRef>,
}

/// An include of a pack, by places.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct IncludeRef {
    /// Index into [`Package::sets`].
    pub set: u32,
    /// The pack's place in the set.
    pub pack: u32,
    /// The include's place in the pack.
    pub include: u32,
}

impl PoolCard {
    /// A card that no include changes.
    pub fn plain(card: CardRef) -> PoolCard {
        PoolCard { card, include: None }
    }

    /// What was drawn from a booster.
    pub fn of(booster: &Booster, drawn: DrawnCard) -> PoolCard {
        let entry = booster.pool[drawn.entry as usize];
        let include = entry.include.map(|include| IncludeRef {
            set: booster.set,
            pack: booster.pack,
            include,
        });
        PoolCard {
            card: entry.card,
            include,
        }
    }

    /// The include that changes it, if it is of this package.
    pub fn changes(self, package: &Package) -> Option<&Include> {
        let found = self.include?;
        let pack = package
            .sets
            .get(found.set as usize)?
            .packs
            .get(found.pack as usize)?;
        pack.includes.get(found.include as usize)
    }

    /// The card as it is in the pool: as printed, or with what an include overwrites or adds (P82).
    pub fn effective(self, package: &Package) -> Cow<'_, PackageCard> {
        let printed = package.card(self.card);
        let Some(include) = self.changes(package) else {
            return Cow::Borrowed(printed);
        };
        let mut card = printed.clone();
        for changed in &include.properties {
            match card.properties.iter_mut().find(|own| *own.name == *changed.name) {
                Some(own) => own.value = changed.value.clone(),
                None => card.properties.push(changed.clone()),
            }
        }
        Cow::Owned(card)
    }

    /// Its *effective* property: the include's value, else the card's base form (P82, P114).
    pub fn text<'p>(self, package: &'p Package, property: &str) -> Option<&'p str> {
        let changed = self
            .changes(package)
            .and_then(|include| find(&include.properties, property));
        match changed {
            Some(property) => property.value.plain(),
            None => package.card(self.card).text(property),
        }
    }
}

/// The cards that a player of a limited game may use.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Pool {
    /// One entry for each copy (P111).
    pub cards: Vec<PoolCard>,
    /// Cards that may be used in any number (P113); each once.
    pub unlimited: Vec<PoolCard>,
}

/// What a line of the notes begins with that names an unlimited card of a saved pool.
const UNLIMITED: &str = "unlimited ";
/// The same for copies that an include changes: how many, the card, the pack, the include's place.
const INCLUDED: &str = "included ";
/// The same for those that may be used in any number.
const UNLIMITED_INCLUDED: &str = "unlimited-included ";
/// No pool has more of a card than this.
const MAX_COPIES: u32 = 10_000;

impl Pool {
    /// How many cards a deck of the pool can have, where of a card at most so many may be in it. What a pack
    /// gives in any number may be in it in any number, if it may be in it at all (P113).
    pub fn playable(&self, most: &dyn Fn(CardRef) -> u32) -> u32 {
        let cards = counted(self.cards.iter().map(|card| card.card));
        let limited = cards.into_iter().map(|(card, count)| count.min(most(card)));
        let unlimited = self.unlimited.iter().map(|card| match most(card.card) {
            0 => 0,
            _ => u32::MAX,
        });
        limited.chain(unlimited).fold(0, u32::saturating_add)
    }

    pub(crate) fn add(&mut self, booster: &Booster, opened: &OpenedBooster) {
        let card = |drawn: &DrawnCard| PoolCard::of(booster, *drawn);
        self.cards.extend(opened.limited.iter().map(card));
        self.add_unlimited(opened.unlimited.iter().map(card));
    }

    /// Adds cards that may be used in any number, each once.
    pub fn add_unlimited(&mut self, cards: impl Iterator<Item = PoolCard>) {
        for card in cards {
            if !self.unlimited.contains(&card) {
                self.unlimited.push(card);
            }
        }
    }

    /// As a deck of the game's first section. OCTGN's decks hold ids and quantities alone (P115), so
    /// unlimited cards and those that includes change are listed in its notes.
    pub fn to_deck(&self, package: &Package, name: &str) -> Deck {
        let mut notes = String::from("A pool of Cardwright.\n");
        for card in &self.unlimited {
            let found = package.card(card.card);
            notes.push_str(&match card.include {
                None => format!("{UNLIMITED}{} {}\n", found.id.value, *found.name),
                Some(include) => {
                    format!(
                        "{UNLIMITED_INCLUDED}{}\n",
                        named_include(package, card.card, include)
                    )
                }
            });
        }
        let changed = self.cards.iter().filter(|card| card.include.is_some());
        for (PoolCard { card, include }, count) in counted(changed.copied()) {
            if let Some(include) = include {
                let named = named_include(package, card, include);
                notes.push_str(&format!("{INCLUDED}{count} {named}\n"));
            }
        }
        let mut deck = deck_of(package, name, &counted(self.cards.iter().map(|card| card.card)));
        deck.notes = Some(LocatedValue::from(Str::from(notes)));
        deck
    }

    /// A saved deck or pool as a pool (P112); lines without a card are left out.
    pub fn of_deck(package: &Package, deck: &Deck) -> Pool {
        let notes = deck
            .notes
            .as_ref()
            .map(|notes| notes.value.clone())
            .unwrap_or_default();
        let mut changed: BTreeMap<CardRef, Vec<(IncludeRef, u32)>> = BTreeMap::new();
        for line in notes.lines().filter_map(|line| line.strip_prefix(INCLUDED)) {
            if let Some((count, rest)) = line.split_once(' ')
                && let (Ok(count), Some((card, include))) = (count.parse(), included(package, rest))
            {
                changed.entry(card).or_default().push((include, count));
            }
        }
        let mut pool = Pool::default();
        for section in package.resolve(deck).sections {
            for line in section.lines {
                let mut left = line.quantity.min(MAX_COPIES);
                for (include, count) in changed.get_mut(&line.card).into_iter().flatten() {
                    let taken = left.min(*count);
                    *count -= taken;
                    left -= taken;
                    let copy = PoolCard {
                        card: line.card,
                        include: Some(*include),
                    };
                    pool.cards.extend(std::iter::repeat_n(copy, taken as usize));
                }
                let copy = PoolCard::plain(line.card);
                pool.cards.extend(std::iter::repeat_n(copy, left as usize));
            }
        }
        let unlimited = notes
            .lines()
            .filter_map(|line| line.strip_prefix(UNLIMITED))
            .filter_map(|line| line.split(' ').next())
            .filter_map(|id| id.parse::<Guid>().ok())
            .filter_map(|id| package.card_by_id(id));
        pool.add_unlimited(unlimited.map(PoolCard::plain));
        let changed = notes
            .lines()
            .filter_map(|line| line.strip_prefix(UNLIMITED_INCLUDED))
            .filter_map(|line| included(package, line));
        pool.add_unlimited(changed.map(|(card, include)| PoolCard {
            card,
            include: Some(include),
        }));
        pool
    }
}

/// A copy that an include changes, as a line of the notes names it: the card, the pack, the include's place.
fn named_include(package: &Package, card: CardRef, include: IncludeRef) -> String {
    let found = package.card(card);
    let pack = &package.sets[include.set as usize].packs[include.pack as usize];
    format!(
        "{} {} {} {}",
        found.id.value, pack.id.value, include.include, *found.name
    )
}

/// What [`named_include`] names, if the pack is still there and has the include.
fn included(package: &Package, line: &str) -> Option<(CardRef, IncludeRef)> {
    let mut words = line.split(' ');
    let card = package.card_by_id(words.next()?.parse().ok()?)?;
    let wanted: Guid = words.next()?.parse().ok()?;
    let include: u32 = words.next()?.parse().ok()?;
    // Of equal ids the first in directory order (P32).
    let (set, pack) = (0u32..).zip(&package.sets).find_map(|(set, found)| {
        let mut packs = (0u32..).zip(&found.packs);
        packs
            .find(|(_, pack)| pack.id.value == wanted)
            .map(|(pack, _)| (set, pack))
    })?;
    let includes = &package.sets[set as usize].packs[pack as usize].includes;
    let same = includes.get(include as usize)?.id.value == package.card(card).id.value;
    same.then_some((card, IncludeRef { set, pack, include }))
}
