//! What a deck is made of, and what it draws: curves of its properties, exact chances.

use std::collections::BTreeMap;

use cw_octgn::{BigRational, CardRef, Deck, Package, PropertyKind, TextKind, chance_to_draw};

use crate::Project;

/// How many cards of a deck have each value of a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeckCurve {
    /// The property.
    pub name: String,
    /// Whether its values are whole numbers; they are in their order.
    pub is_number: bool,
    /// Values with how many cards have each.
    pub values: Vec<(String, u32)>,
}

/// A list of nearly as many values as cards says nothing.
const MOST_VALUES: usize = 24;

/// A deck's cards with how many of each, sections together.
pub fn counted_cards(package: &Package, deck: &Deck) -> Vec<(CardRef, u32)> {
    let resolved = package.resolve(deck);
    let lines = resolved.sections.iter().flat_map(|section| &section.lines);
    let mut sums: Vec<(CardRef, u32)> = Vec::new();
    for line in lines {
        match sums.iter_mut().find(|(card, _)| *card == line.card) {
            Some((_, sum)) => *sum = sum.saturating_add(line.quantity),
            None => sums.push((line.card, line.quantity)),
        }
    }
    sums
}

/// A curve for each visible property that is a whole number or has few values.
pub fn deck_curves(package: &Package, cards: &[(CardRef, u32)]) -> Vec<DeckCurve> {
    let properties = package.definition.properties.iter();
    let curves = properties.filter_map(|property| {
        let is_number = property.kind == PropertyKind::Integer;
        let few = matches!(property.text_kind, TextKind::Enum | TextKind::Tokens(_));
        if property.hidden || !(is_number || few) {
            return None;
        }
        curve(package, cards, &property.name, is_number, &property.text_kind)
    });
    curves.collect()
}

fn curve(
    package: &Package,
    cards: &[(CardRef, u32)],
    name: &str,
    is_number: bool,
    kind: &TextKind,
) -> Option<DeckCurve> {
    let mut values: BTreeMap<(i64, String), u32> = BTreeMap::new();
    for (card, count) in cards {
        let text = package.card(*card).text(name).unwrap_or_default().trim();
        let parts: Vec<&str> = match kind {
            TextKind::Tokens(delimiter) if !delimiter.is_empty() => text.split(delimiter.as_str()).collect(),
            TextKind::Tokens(_) | TextKind::Free | TextKind::Enum => vec![text],
        };
        for part in parts.into_iter().filter(|part| !part.is_empty()) {
            let order = if is_number {
                part.parse().unwrap_or(i64::MAX)
            } else {
                0
            };
            *values.entry((order, part.to_owned())).or_default() += count;
        }
    }
    let values: Vec<(String, u32)> = values
        .into_iter()
        .map(|((_, value), count)| (value, count))
        .collect();
    (1..=MOST_VALUES).contains(&values.len()).then(|| DeckCurve {
        name: name.to_owned(),
        is_number,
        values,
    })
}

impl Project {
    /// As [`counted_cards`].
    pub fn counted_cards(&self, deck: &Deck) -> Vec<(CardRef, u32)> {
        counted_cards(&self.package, deck)
    }

    /// As [`deck_curves`].
    pub fn deck_curves(&self, cards: &[(CardRef, u32)]) -> Vec<DeckCurve> {
        deck_curves(&self.package, cards)
    }

    /// The exact chance to have drawn one of so many copies by each of so many turns, of a deck of `total`
    /// cards.
    pub fn draw_chances(&self, total: usize, copies: usize, turns: u32, second: bool) -> Vec<BigRational> {
        let hand = usize::from(self.config.constants.opening_hand);
        // Who goes first draws no card on the first turn (G37).
        let first = usize::from(second);
        (0..turns as usize)
            .map(|turn| chance_to_draw(total, copies, hand + turn + first, 1))
            .collect()
    }
}
