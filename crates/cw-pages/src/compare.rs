//! Two decks beside each other: what each has more of, what both share, and how each is judged.

use std::ops::RangeInclusive;

use cw_load::{DeckCurve, Project, counted_cards, deck_curves};
use cw_octgn::{CardRef, Deck, Package, PackageLimits, Pool};
use cw_text::{Severity, Sources};

use crate::decks::rules_of;

/// A deck that is compared, with all that is said of it alone.
#[derive(Clone, Debug, PartialEq)]
pub struct ComparedDeck {
    /// What it is called.
    pub name: String,
    /// Its cards.
    pub deck: Deck,
    /// How many cards it has.
    pub total: u64,
    /// How many it may have; none where only people know.
    pub size: Option<RangeInclusive<u32>>,
    /// Why it may not be played.
    pub reasons: Vec<String>,
    /// Its curves.
    pub curves: Vec<DeckCurve>,
}

impl ComparedDeck {
    /// Judges a deck as `deck check` does. A package of free tables has no project: there only the cards and
    /// sections of a deck are judged (D72).
    pub fn new(
        package: &Package,
        project: Option<&Project>,
        name: &str,
        deck: Deck,
        pool: Option<&Pool>,
    ) -> ComparedDeck {
        let rules = project.and_then(|project| rules_of(project, pool));
        let reasons = match project {
            Some(project) => project.reasons(&deck, rules.as_ref()),
            None => cw_octgn::check_deck(package, &deck)
                .into_iter()
                .filter(|found| found.severity == Severity::Error)
                .map(|found| found.message)
                .collect(),
        };
        let counted = counted_cards(package, &deck);
        ComparedDeck {
            name: name.to_owned(),
            total: counted.iter().map(|(_, count)| u64::from(*count)).sum(),
            size: rules.map(|rules| rules.size.clone()),
            reasons,
            curves: deck_curves(package, &counted),
            deck,
        }
    }
}

/// A card with the copies that each deck has of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ComparedCard {
    /// The card.
    pub card: CardRef,
    /// Copies by deck.
    pub copies: [u32; 2],
}

impl ComparedCard {
    /// Copies that both decks have.
    pub fn shared(&self) -> u32 {
        self.copies[0].min(self.copies[1])
    }

    /// Copies that a deck has and the other one has not.
    pub fn more(&self, side: usize) -> u32 {
        self.copies[side] - self.shared()
    }
}

/// The cards of one section of both decks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComparedSection {
    /// Its name.
    pub name: String,
    /// Cards by their names.
    pub cards: Vec<ComparedCard>,
}

impl ComparedSection {
    /// Copies that both decks have.
    pub fn shared(&self) -> u64 {
        self.cards.iter().map(|card| u64::from(card.shared())).sum()
    }

    /// Copies that a deck has and the other one has not.
    pub fn more(&self, side: usize) -> u64 {
        self.cards.iter().map(|card| u64::from(card.more(side))).sum()
    }
}

/// The values of one property in both decks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComparedCurve {
    /// The property.
    pub name: String,
    /// Whether its values are whole numbers; they are in their order.
    pub is_number: bool,
    /// Each value with how many cards of each deck have it.
    pub values: Vec<(String, [u32; 2])>,
}

/// Remarks on a list that are shown.
const MOST_REMARKS: usize = 8;

/// Reads a list of cards, or the text of an `.o8d` file: the deck, unless no line names a card of the
/// package; and what is wrong with lines.
pub fn pasted_deck(package: &Package, text: &str) -> (Option<Deck>, Vec<String>) {
    let text = text.trim_start_matches('\u{feff}').trim();
    let file = if text.starts_with('<') {
        "list.o8d"
    } else {
        "list.txt"
    };
    let (mut sources, limits) = (Sources::new(), PackageLimits::default());
    let (deck, found) = package.read_deck(file, text.as_bytes().to_vec(), &limits, &mut sources);
    let errors = found
        .into_iter()
        .filter(|found| found.severity == Severity::Error);
    let remarks = errors.map(|found| found.message).take(MOST_REMARKS).collect();
    let deck = deck.filter(|deck| {
        let sections = package.resolve(deck).sections;
        sections.iter().any(|section| !section.lines.is_empty())
    });
    (deck, remarks)
}

/// The sections of both decks: those that have cards, in the order of the definition, then those that it does
/// not know.
pub fn compared_sections(package: &Package, decks: [&Deck; 2]) -> Vec<ComparedSection> {
    let known = package.definition.sections.iter();
    let mut all: Vec<ComparedSection> = known
        .map(|section| ComparedSection {
            name: section.name.to_string(),
            cards: Vec::new(),
        })
        .collect();
    for (side, deck) in decks.into_iter().enumerate() {
        for section in package.resolve(deck).sections {
            let at = all.iter().position(|own| own.name == *section.name);
            let at = at.unwrap_or_else(|| {
                all.push(ComparedSection {
                    name: section.name.to_string(),
                    cards: Vec::new(),
                });
                all.len() - 1
            });
            let cards = &mut all[at].cards;
            for line in section.lines {
                let known = cards.iter().position(|card| card.card == line.card);
                let known = known.unwrap_or_else(|| {
                    cards.push(ComparedCard {
                        card: line.card,
                        copies: [0, 0],
                    });
                    cards.len() - 1
                });
                let copies = &mut cards[known].copies[side];
                *copies = copies.saturating_add(line.quantity);
            }
        }
    }
    all.retain(|section| !section.cards.is_empty());
    for section in &mut all {
        section
            .cards
            .sort_by_cached_key(|card| (package.card(card.card).name.to_lowercase(), card.card));
    }
    all
}

/// The curves of both decks, value by value. A property that only one of them has is there, too.
pub fn compared_curves(curves: [&[DeckCurve]; 2]) -> Vec<ComparedCurve> {
    let mut all: Vec<ComparedCurve> = Vec::new();
    for (side, own) in curves.into_iter().enumerate() {
        for curve in own {
            let known = all.iter().position(|known| known.name == curve.name);
            let known = known.unwrap_or_else(|| {
                all.push(ComparedCurve {
                    name: curve.name.clone(),
                    is_number: curve.is_number,
                    values: Vec::new(),
                });
                all.len() - 1
            });
            let values = &mut all[known].values;
            for (value, count) in &curve.values {
                match values.iter_mut().find(|(own, _)| own == value) {
                    Some((_, counts)) => counts[side] = *count,
                    None => {
                        let mut counts = [0, 0];
                        counts[side] = *count;
                        values.push((value.clone(), counts));
                    }
                }
            }
        }
    }
    for curve in &mut all {
        let is_number = curve.is_number;
        curve.values.sort_by_cached_key(|(value, _)| {
            let number = if is_number {
                value.parse().unwrap_or(i64::MAX)
            } else {
                0
            };
            (number, value.clone())
        });
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(name: &str, values: &[(&str, u32)]) -> DeckCurve {
        DeckCurve {
            name: name.to_owned(),
            is_number: true,
            values: values
                .iter()
                .map(|(value, count)| ((*value).to_owned(), *count))
                .collect(),
        }
    }

    /// Values of numbers stand in their order, also where only one deck has them.
    #[test]
    fn curves_lie_beside_each_other() {
        let one = [curve("Cost", &[("2", 4), ("10", 1)])];
        let other = [curve("Cost", &[("1", 3), ("2", 2)]), curve("Power", &[("5", 1)])];
        let both = compared_curves([&one, &other]);
        let shown: Vec<String> = both
            .iter()
            .map(|curve| {
                let values = curve.values.iter();
                let values: Vec<String> = values.map(|(value, [a, b])| format!("{value}={a}:{b}")).collect();
                format!("{} {}", curve.name, values.join(" "))
            })
            .collect();
        assert_eq!(shown, ["Cost 1=0:3 2=4:2 10=1:0", "Power 5=0:1"]);
    }

    #[test]
    fn what_both_have_is_shared_and_the_rest_is_more() {
        let card = ComparedCard {
            card: CardRef { set: 0, card: 0 },
            copies: [3, 1],
        };
        assert_eq!((card.shared(), card.more(0), card.more(1)), (1, 2, 0));
    }
}
