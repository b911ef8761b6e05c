//! Sealed games, drafts and decks made of their pools (section 5.3 of the package rules).

use std::collections::BTreeMap;

use crate::{
    Booster, CardRef, Deck, DeckCard, DeckSection, LocatedValue, Odds, OpenedBooster, Opener, PackChance,
    Package, Pool, PoolCard, PropertyKind, Str, to_f64,
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
/// A hundred for each time a card is rarer than one copy in a pack (at most 10 times), and up to a
/// hundred for each visible whole-number property: the share of the pool's cards that have less of it.
#[derive(Clone, Debug, Default)]
pub struct Ratings {
    by_card: BTreeMap<CardRef, i64>,
}

impl Ratings {
    /// Rates the cards of these packs; by one property alone if it is named.
    pub fn new(package: &Package, boosters: &[Booster], property: Option<&str>) -> Ratings {
        let mut by_card: BTreeMap<CardRef, i64> = BTreeMap::new();
        for booster in boosters {
            let expected = Odds::new(booster).expected();
            for (entry, expected) in booster.pool.iter().zip(&expected) {
                let copies = to_f64(expected);
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
                let rating = by_card.entry(entry.card).or_default();
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
        Ratings { by_card }
    }

    /// The rating of a card; 0 for those that no pack has.
    pub fn of(&self, card: CardRef) -> i64 {
        self.by_card.get(&card).copied().unwrap_or(0)
    }

    /// The place of the best card, the first of equals; a card of which the player has `copies` already is
    /// worth nothing.
    pub fn best(&self, cards: &[PoolCard], have: &[PoolCard], copies: usize) -> Option<usize> {
        let worth = |card: CardRef| {
            let held = have.iter().filter(|other| other.card == card).count();
            if held >= copies { -1 } else { self.of(card) }
        };
        let places =
            (0..cards.len()).max_by_key(|place| (worth(cards[*place].card), std::cmp::Reverse(*place)));
        places.filter(|_| !cards.is_empty())
    }
}

/// A booster draft (P110–P113 say nothing of it; it is ours): packs go round, everybody takes a card.
#[derive(Clone, Debug)]
pub struct BoosterDraft {
    /// Packs of the rounds, for each round one a seat.
    rounds: Vec<Vec<DraftPack>>,
    round: usize,
    /// What lies before each seat.
    before: Vec<Vec<PoolCard>>,
    /// What each seat has.
    pools: Vec<Pool>,
}

/// What a pack of a draft gives: cards that go round, and those that it gives in any number.
#[derive(Clone, Debug, Default)]
struct DraftPack {
    cards: Vec<PoolCard>,
    unlimited: Vec<PoolCard>,
}

impl BoosterDraft {
    /// Opens the packs of all rounds (one booster each) for all seats: seat `n` with stream `n` of the seed.
    pub fn new(boosters: &[Booster], seats: u32, seed: u64) -> BoosterDraft {
        let mut chances: Vec<PackChance> = (0..seats)
            .map(|seat| PackChance::stream(seed, u64::from(seat)))
            .collect();
        let rounds = boosters.iter().map(|booster| {
            let mut opener = Opener::new(booster);
            let open = |chance: &mut PackChance| {
                let mut opened = OpenedBooster::default();
                opener.open(chance, &mut opened);
                let card = |drawn: &crate::DrawnCard| PoolCard::of(booster, *drawn);
                DraftPack {
                    cards: opened.limited.iter().map(card).collect(),
                    unlimited: opened.unlimited.iter().map(card).collect(),
                }
            };
            chances.iter_mut().map(open).collect()
        });
        BoosterDraft::of_packs(rounds.collect(), seats)
    }

    /// A draft of a cube: its cards are shuffled, and each comes once into the packs of so many cards, in every round
    /// one a seat. Nothing if there are too few of them.
    pub fn of_cube(cube: &[CardRef], seats: u32, rounds: u32, size: u32, seed: u64) -> Option<BoosterDraft> {
        let (seat_count, size) = (seats as usize, size as usize);
        let wanted = seat_count.checked_mul(rounds as usize)?.checked_mul(size)?;
        let mut cards: Vec<PoolCard> = cube.iter().copied().map(PoolCard::plain).collect();
        PackChance::new(seed).shuffle(&mut cards);
        let packs = cards.get(..wanted).filter(|_| wanted > 0)?.chunks(size);
        let mut packs = packs.map(|cards| DraftPack {
            cards: cards.to_vec(),
            unlimited: Vec::new(),
        });
        let rounds = (0..rounds).map(|_| packs.by_ref().take(seat_count).collect());
        Some(BoosterDraft::of_packs(rounds.collect(), seats))
    }

    fn of_packs(rounds: Vec<Vec<DraftPack>>, seats: u32) -> BoosterDraft {
        let mut draft = BoosterDraft {
            rounds,
            round: 0,
            before: vec![Vec::new(); seats as usize],
            pools: vec![Pool::default(); seats as usize],
        };
        draft.deal();
        draft
    }

    /// Puts the packs of the round before the seats; empty ones are skipped.
    fn deal(&mut self) {
        while self.before.iter().all(Vec::is_empty) {
            let Some(packs) = self.rounds.get_mut(self.round) else {
                return;
            };
            self.round += 1;
            for (seat, pack) in std::mem::take(packs).into_iter().enumerate() {
                self.before[seat] = pack.cards;
                // What a pack gives in any number, it gives to whoever opened it.
                self.pools[seat].add_unlimited(pack.unlimited.into_iter());
            }
        }
    }

    /// The round that is being drafted, from 1.
    pub fn round(&self) -> usize {
        self.round
    }

    /// Whether all cards are taken.
    pub fn is_over(&self) -> bool {
        self.before.iter().all(Vec::is_empty)
    }

    /// The cards before a seat.
    pub fn before(&self, seat: usize) -> &[PoolCard] {
        &self.before[seat]
    }

    /// What a seat has taken.
    pub fn pool(&self, seat: usize) -> &Pool {
        &self.pools[seat]
    }

    /// Everybody takes the card at a place of what lies before him, then the rest goes on: to the left in
    /// the first round, to the right in the second, and so on. A place that is not there takes the first card.
    pub fn take(&mut self, places: &[usize]) {
        for (seat, before) in self
            .before
            .iter_mut()
            .enumerate()
            .filter(|(_, before)| !before.is_empty())
        {
            let place = places
                .get(seat)
                .copied()
                .filter(|place| *place < before.len())
                .unwrap_or(0);
            self.pools[seat].cards.push(before.remove(place));
        }
        if self.round % 2 == 1 {
            self.before.rotate_right(1);
        } else {
            self.before.rotate_left(1);
        }
        self.deal();
    }
}

/// Builds a deck of at most `size` of the best cards of a pool, with no more of a card than `most` says;
/// shorter if the pool does not have enough. Cards that the pool has in any number fill a deck up to its size;
/// where no size is known there are none of them, since any number is not a number.
pub fn build(
    pool: &Pool,
    ratings: &Ratings,
    size: Option<u32>,
    most: &dyn Fn(CardRef) -> u32,
) -> Vec<(CardRef, u32)> {
    let mut best = counted(pool.cards.iter().map(|card| card.card));
    best.sort_by_key(|(card, _)| (std::cmp::Reverse(ratings.of(*card)), *card));
    let mut deck = Vec::new();
    let mut left = size.unwrap_or(u32::MAX);
    let filling = pool.unlimited.iter().filter(|_| size.is_some());
    let unlimited = filling.map(|card| (card.card, u32::MAX));
    for (card, present) in best.into_iter().chain(unlimited) {
        let have = deck
            .iter()
            .find(|(other, _)| *other == card)
            .map_or(0, |(_, count)| *count);
        let count = present.min(most(card).saturating_sub(have)).min(left);
        if count > 0 {
            match deck.iter_mut().find(|(other, _)| *other == card) {
                Some((_, sum)) => *sum += count,
                None => deck.push((card, count)),
            }
            left -= count;
        }
    }
    deck
}
