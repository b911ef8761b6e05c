//! Sealed games, drafts and decks made of their pools (section 5.3 of the package rules).

use std::collections::BTreeMap;

use crate::BigRational;
use crate::{
    Booster, CardRef, Deck, DeckCard, DeckSection, LocatedValue, Odds, OpenedBooster, Opener, PackChance,
    Package, Pool, PropertyKind, Str, to_f64,
};

/// How many of each card, in order of first appearance.
pub fn counted<T: Copy + Ord>(cards: impl IntoIterator<Item = T>) -> Vec<(T, u32)> {
    let mut order: Vec<(T, u32)> = Vec::new();
    let mut place: BTreeMap<T, usize> = BTreeMap::new();
    for card in cards {
        let index = *place.entry(card).or_insert_with(|| {
            order.push((card, 0));
            order.len() - 1
        });
        order[index].1 += 1;
    }
    order
}

/// A deck of these cards in the game's first section that is not shared.
pub fn deck_of(package: &Package, name: &str, cards: &[(CardRef, u32)]) -> Deck {
    let section = package.definition.sections.iter().find(|section| !section.shared);
    let lines = cards.iter().map(|(card, count)| {
        let found = package.card(*card);
        DeckCard {
            id: LocatedValue::from(found.id.value),
            quantity: LocatedValue::from(i32::try_from(*count).unwrap_or(i32::MAX)),
            name: LocatedValue::from(found.name.value.clone()),
            ..DeckCard::default()
        }
    });
    Deck {
        name: Str::from(name),
        game: LocatedValue::from(package.definition.id.value),
        sections: vec![DeckSection {
            name: section
                .map(|section| LocatedValue::from(section.name.value.clone()))
                .unwrap_or_default(),
            shared: false,
            cards: lines.collect(),
        }],
        ..Deck::default()
    }
}

/// Opens all packs once for each player (P110): player `n` with stream `n` of the seed.
pub fn sealed(boosters: &[Booster], players: u32, seed: u64) -> Vec<Pool> {
    let mut openers: Vec<Opener> = boosters.iter().map(Opener::new).collect();
    (0..players)
        .map(|player| {
            let mut chance = PackChance::stream(seed, u64::from(player));
            let mut pool = Pool::default();
            let mut opened = OpenedBooster::default();
            for (booster, opener) in boosters.iter().zip(&mut openers) {
                opener.open(&mut chance, &mut opened);
                pool.add(booster, &opened);
            }
            pool
        })
        .collect()
}

/// How good a card is held to be, for drafts and automatic decks: higher is better.
///
/// As many points as packs have to be opened for a copy, on average (at most 1000), and up to a hundred for
/// each visible whole-number property: the share of the pool's cards that have less of it.
#[derive(Clone, Debug, Default)]
pub struct Ratings {
    by_card: BTreeMap<CardRef, i64>,
    measured: bool,
}

impl Ratings {
    /// Rates the cards of these packs; by one property alone if it is named.
    pub fn new(package: &Package, boosters: &[Booster], property: Option<&str>) -> Ratings {
        let mut by_card: BTreeMap<CardRef, i64> = BTreeMap::new();
        for booster in boosters {
            let expected = Odds::new(booster).expected();
            // A card may have several entries, of which each brings copies (P83, P117).
            let mut copies: BTreeMap<CardRef, BigRational> = BTreeMap::new();
            for (entry, expected) in booster.pool.iter().zip(&expected) {
                *copies.entry(entry.card).or_default() += expected;
            }
            for (card, copies) in &copies {
                let copies = to_f64(copies);
                let scarce = if copies > 0.0 {
                    (1.0 / copies).min(1000.0)
                } else {
                    0.0
                };
                // The same scale for all packs: 1000 points for one in a thousand.
                #[expect(
                    clippy::cast_possible_truncation,
                    reason = "from 0 to 1000, without its fraction"
                )]
                let scarce = scarce as i64;
                let rating = by_card.entry(*card).or_default();
                *rating = (*rating).max(scarce);
            }
        }
        Ratings::by_properties(package, by_card, property)
    }

    /// Rates cards of which none is rarer than another; by one property alone if it is named.
    pub fn of_cards(package: &Package, cards: &[CardRef], property: Option<&str>) -> Ratings {
        Ratings::by_properties(package, cards.iter().map(|card| (*card, 0)).collect(), property)
    }

    fn by_properties(
        package: &Package,
        mut by_card: BTreeMap<CardRef, i64>,
        property: Option<&str>,
    ) -> Ratings {
        if property.is_some() {
            by_card.values_mut().for_each(|rating| *rating = 0);
        }
        let whole = package
            .definition
            .properties
            .iter()
            .filter(|known| match property {
                Some(wanted) => known.name.eq_ignore_ascii_case(wanted),
                None => known.kind == PropertyKind::Integer && !known.hidden,
            });
        for known in whole {
            let number = |card: &CardRef| package.card(*card).text(&known.name)?.trim().parse::<i64>().ok();
            let mut values: Vec<i64> = by_card.keys().filter_map(number).collect();
            values.sort_unstable();
            for (card, rating) in &mut by_card {
                if let Some(value) = number(card) {
                    let below = values.partition_point(|other| *other < value);
                    *rating += (below * 100 / values.len().max(1)) as i64;
                }
            }
        }
        Ratings {
            by_card,
            measured: false,
        }
    }

    /// Ratings as they are handed in: somebody has measured what cards are worth.
    pub fn of_numbers(by_card: BTreeMap<CardRef, i64>) -> Ratings {
        Ratings {
            by_card,
            measured: true,
        }
    }

    /// Whether they were measured, and do not follow from what is printed.
    pub fn are_measured(&self) -> bool {
        self.measured
    }

    /// The cards that are rated.
    pub fn cards(&self) -> impl Iterator<Item = CardRef> {
        self.by_card.keys().copied()
    }

    /// The rating of a card; 0 for those that no pack has.
    pub fn of(&self, card: CardRef) -> i64 {
        self.by_card.get(&card).copied().unwrap_or(0)
    }
}

/// Builds a deck of at most `size` of the best cards of a pool, with no more of a card than `most` says;
/// shorter if the pool does not have enough. Cards that the pool has in any number fill a deck up to its
/// size, as many of each (P113); where no size is known there are none of them, since any number is not a
/// number.
pub fn build(
    pool: &Pool,
    ratings: &Ratings,
    size: Option<u32>,
    most: &dyn Fn(CardRef) -> u32,
) -> Vec<(CardRef, u32)> {
    let mut best = counted(pool.cards.iter().map(|card| card.card));
    best.sort_by_key(|(card, _)| (std::cmp::Reverse(ratings.of(*card)), *card));
    let mut deck: Vec<(CardRef, u32)> = Vec::new();
    let mut left = size.unwrap_or(u32::MAX);
    for (card, present) in best {
        let count = present.min(most(card)).min(left);
        if count > 0 {
            deck.push((card, count));
            left -= count;
        }
    }
    let filling = pool
        .unlimited
        .iter()
        .filter(|card| size.is_some() && most(card.card) > 0);
    let filling = counted(filling.map(|card| card.card));
    for (at, (card, _)) in (0u32..).zip(&filling) {
        // Those that are still to come share what is left; the first ones take what is over.
        let sharing = u32::try_from(filling.len()).unwrap_or(u32::MAX) - at;
        let count = left.div_ceil(sharing);
        left -= count;
        match deck.iter_mut().find(|(other, _)| other == card) {
            Some((_, sum)) => *sum += count,
            None if count > 0 => deck.push((*card, count)),
            None => {}
        }
    }
    deck
}
