//! A deck being built: what may be added, how it is filtered, and what the deck is so far. Knows no terminal.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::bail;
use cw_octgn::{
    CardQuery, CardRef, Deck, DeckSection, LocatedValue, Package, Pool, PoolCard, PropertyKind, QueryError,
    SearchedForm, Sleeve, Str, TextKind, counted, deck_of,
};

use crate::package::OpenedGame;
use cw_load::DeckRules;

/// A card that may be added.
#[derive(Clone, Copy, Debug)]
pub(super) struct CardOffer {
    pub(super) card: PoolCard,
    /// How many copies the pool has; any number if none.
    pub(super) present: Option<u32>,
}

/// A section of the deck with its cards.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Section {
    pub(super) name: String,
    pub(super) shared: bool,
    pub(super) cards: Vec<(PoolCard, u32)>,
}

impl Section {
    pub(super) fn count(&self) -> u64 {
        self.cards.iter().map(|(_, count)| u64::from(*count)).sum()
    }
}

/// A property by whose values cards can be chosen (P114).
#[derive(Clone, Debug)]
pub(super) struct PropertyFilter {
    pub(super) property: String,
    pub(super) values: Vec<FilterValue>,
    /// For values that are several words: what stands between them.
    delimiter: Option<String>,
}

#[derive(Clone, Debug)]
pub(super) struct FilterValue {
    /// Empty for cards that have none.
    pub(super) text: String,
    /// How many of the offered cards have it.
    pub(super) count: usize,
    pub(super) on: bool,
}

impl PropertyFilter {
    pub(super) fn is_on(&self) -> bool {
        self.values.iter().any(|value| value.on)
    }

    fn parts<'t>(&self, text: &'t str) -> Vec<&'t str> {
        match &self.delimiter {
            Some(delimiter) => text
                .split(delimiter.as_str())
                .map(str::trim)
                .filter(|part| !part.is_empty())
                .collect(),
            None => Some(text.trim())
                .filter(|text| !text.is_empty())
                .into_iter()
                .collect(),
        }
    }

    fn matches(&self, text: &str) -> bool {
        if !self.is_on() {
            return true;
        }
        let parts = self.parts(text);
        self.values.iter().filter(|value| value.on).any(|value| {
            if value.text.is_empty() {
                parts.is_empty()
            } else {
                parts.contains(&value.text.as_str())
            }
        })
    }
}

/// A deck being built.
pub(super) struct DeckBuilder<'a> {
    pub(super) opened: &'a OpenedGame,
    /// What the deck has to be, if that is known.
    pub(super) rules: Option<DeckRules>,
    pub(super) name: String,
    /// Everything that may be added.
    pub(super) offers: Vec<CardOffer>,
    /// Whether only cards of a pool may be used.
    pub(super) limited: bool,
    pub(super) sections: Vec<Section>,
    pub(super) current: usize,
    pub(super) filters: Vec<PropertyFilter>,
    /// What is looked for, beside the filters.
    pub(super) search: String,
    query: Option<CardQuery>,
    /// Places in `offers` that filters and search leave, in the order shown.
    pub(super) shown: Vec<usize>,
    /// Sorted by name, or by this property.
    pub(super) order: CardOrder,
    pub(super) saved: bool,
    /// Whether the file is this deck's, so that saving changes what is in it.
    pub(super) rewrites: bool,
    /// What cannot be edited of the deck that was loaded, and is written as it was.
    kept: KeptParts,
    past: Vec<(Vec<Section>, Vec<DeckSection>)>,
}

/// Parts of a deck that the builder keeps.
#[derive(Clone, Debug, Default)]
struct KeptParts {
    /// Lines of cards and sections that the game does not have.
    unknown: Vec<DeckSection>,
    notes: Option<LocatedValue<Str>>,
    sleeve: Option<LocatedValue<Sleeve>>,
}

/// What the cards are sorted by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum CardOrder {
    Name,
    /// As the sets list them.
    Set,
    Property(String),
}

/// How many steps can be undone.
const MAX_PAST: usize = 500;
/// No line of a deck has more.
const MAX_LINE: u32 = 1000;

impl<'a> DeckBuilder<'a> {
    pub(super) fn new(
        opened: &'a OpenedGame,
        name: &str,
        pool: Option<&Pool>,
    ) -> anyhow::Result<DeckBuilder<'a>> {
        let package = &opened.package;
        let sections: Vec<Section> = package
            .definition
            .sections
            .iter()
            .map(|section| Section {
                name: section.name.to_string(),
                shared: section.shared,
                cards: Vec::new(),
            })
            .collect();
        if sections.is_empty() {
            bail!("the game defines no deck sections");
        }
        let offers = match pool {
            None => all_cards(package),
            Some(pool) => {
                let any = |card: &PoolCard| CardOffer {
                    card: *card,
                    present: None,
                };
                let some = |(card, count)| CardOffer {
                    card,
                    present: Some(count),
                };
                let limited = counted(pool.cards.iter().copied()).into_iter().map(some);
                limited.chain(pool.unlimited.iter().map(any)).collect()
            }
        };
        let mut builder = DeckBuilder {
            opened,
            rules: match pool {
                None => opened.deck_rules(),
                Some(pool) => opened.limited(pool),
            },
            name: name.to_owned(),
            filters: filters(package, &offers),
            offers,
            limited: pool.is_some(),
            current: sections.iter().position(|section| !section.shared).unwrap_or(0),
            sections,
            search: String::new(),
            query: None,
            shown: Vec::new(),
            order: CardOrder::Set,
            saved: true,
            rewrites: false,
            kept: KeptParts::default(),
            past: Vec::new(),
        };
        builder.show();
        Ok(builder)
    }

    pub(super) fn package(&self) -> &'a Package {
        &self.opened.package
    }

    /// Takes the cards of a deck, and keeps what else it has. Of a pool's copies the unchanged ones are taken
    /// first.
    pub(super) fn load(&mut self, deck: &Deck) {
        self.kept = KeptParts {
            unknown: self.package().unknown_lines(deck),
            notes: deck.notes.clone(),
            sleeve: deck.sleeve.clone(),
        };
        for section in self.package().resolve(deck).sections {
            let own = |own: &Section| own.name == *section.name && own.shared == section.shared;
            // A section that the game does not have is kept whole.
            let Some(place) = self.sections.iter().position(own) else {
                continue;
            };
            for line in section.lines {
                for (card, count) in self.copies(line.card, line.quantity) {
                    put(&mut self.sections[place].cards, card, count);
                }
            }
        }
    }

    /// Lines of cards and sections that the game does not have.
    pub(super) fn unknown(&self) -> &[DeckSection] {
        &self.kept.unknown
    }

    /// Takes the lines out that name an unknown card so; how many there were.
    pub(super) fn remove_unknown(&mut self, name: &str) -> usize {
        let is_meant = |section: &DeckSection, line: &cw_octgn::DeckCard| {
            line.name.trim().eq_ignore_ascii_case(name) || section.name.eq_ignore_ascii_case(name)
        };
        let lines = self.kept.unknown.iter();
        let meant = lines
            .flat_map(|section| section.cards.iter().filter(|line| is_meant(section, line)))
            .count();
        if meant > 0 {
            self.remember();
            for section in &mut self.kept.unknown {
                let lines = std::mem::take(&mut section.cards);
                section.cards = lines
                    .into_iter()
                    .filter(|line| !is_meant(section, line))
                    .collect();
            }
            self.kept.unknown.retain(|section| !section.cards.is_empty());
        }
        meant
    }

    /// So many copies of a card as the pool has them, those that are left over as printed.
    fn copies(&self, card: CardRef, wanted: u32) -> Vec<(PoolCard, u32)> {
        let id = self.package().card(card).id.value;
        let mut left = wanted;
        let mut copies = Vec::new();
        for offer in &self.offers {
            if left > 0 && self.package().card(offer.card.card).id.value == id {
                let room = self.left(offer).unwrap_or(u32::MAX).min(left);
                if room > 0 {
                    copies.push((offer.card, room));
                    left -= room;
                }
            }
        }
        if left > 0 {
            match copies.first_mut() {
                Some((_, count)) => *count = count.saturating_add(left),
                None => copies.push((PoolCard::plain(card), left)),
            }
        }
        copies
    }

    /// What is written: sections that have cards, copies of one card as one line, and what is kept.
    pub(super) fn deck(&self) -> Deck {
        let mut deck = deck_of(self.package(), &self.name, &[]);
        let full = self.sections.iter().filter(|section| !section.cards.is_empty());
        deck.sections = full
            .map(|section| {
                let mut lines: Vec<(CardRef, u32)> = Vec::new();
                for (card, count) in &section.cards {
                    match lines.iter_mut().find(|(other, _)| *other == card.card) {
                        Some((_, sum)) => *sum = sum.saturating_add(*count),
                        None => lines.push((card.card, *count)),
                    }
                }
                let mut made = deck_of(self.package(), "", &lines).sections.remove(0);
                made.name = LocatedValue::from(Str::from(section.name.as_str()));
                made.shared = section.shared;
                made
            })
            .collect();
        deck.add_lines(self.kept.unknown.clone());
        deck.notes = self.kept.notes.clone();
        deck.sleeve = self.kept.sleeve.clone();
        deck
    }

    /// Whether the deck is legal, in the words of `deck check`.
    pub(super) fn state(&self) -> String {
        super::in_words(&self.reasons(), self.rules.is_some())
    }

    /// Whether anything says what a legal deck is (D72).
    pub(super) fn knows_legal(&self) -> bool {
        self.rules.is_some()
    }

    /// Why the deck cannot be played; nothing if it can.
    pub(super) fn reasons(&self) -> Vec<String> {
        let mut reasons = self.opened.reasons(&self.deck(), self.rules.as_ref());
        if self.limited {
            let cards: BTreeSet<PoolCard> = self
                .sections
                .iter()
                .flat_map(|section| &section.cards)
                .map(|(card, _)| *card)
                .collect();
            for card in cards {
                let offer = self.offers.iter().find(|offer| offer.card == card);
                let present = offer.map_or(Some(0), |offer| offer.present);
                if let Some(present) = present.filter(|present| self.used(card) > u64::from(*present)) {
                    let name = &self.package().card(card.card).name;
                    reasons.push(format!(
                        "{} of `{}`, the pool has {present}",
                        self.used(card),
                        **name
                    ));
                }
            }
        }
        reasons
    }

    /// ` of 50 cards`, behind the number that the deck has.
    pub(super) fn wanted(&self) -> String {
        match self
            .rules
            .as_ref()
            .map(|rules| (*rules.size.start(), *rules.size.end()))
        {
            None => " cards".to_owned(),
            Some((least, most)) if least == most => format!(" of {}", crate::output::count(least, "card")),
            Some((least, most)) => format!(" of {least} to {}", crate::output::count(most, "card")),
        }
    }

    /// How many of a copy are in the deck.
    pub(super) fn used(&self, card: PoolCard) -> u64 {
        let lines = self.sections.iter().flat_map(|section| &section.cards);
        lines
            .filter(|(other, _)| *other == card)
            .map(|(_, count)| u64::from(*count))
            .sum()
    }

    /// How many of an offer can still be added; any number if none.
    pub(super) fn left(&self, offer: &CardOffer) -> Option<u32> {
        let present = offer.present?;
        Some(present.saturating_sub(u32::try_from(self.used(offer.card)).unwrap_or(u32::MAX)))
    }

    /// Adds copies to the current section.
    ///
    /// # Errors
    /// In words, when the pool has not so many.
    pub(super) fn add(&mut self, offer: usize, count: u32) -> Result<(), String> {
        let offer = self.offers[offer];
        let name = self.package().card(offer.card.card).name.to_string();
        if let Some(left) = self.left(&offer).filter(|left| *left < count) {
            return Err(match left {
                0 => format!("all of {name} that the pool has are in the deck"),
                _ => format!("the pool has only {left} more of {name}"),
            });
        }
        let before = self.used(offer.card);
        if before + u64::from(count) > u64::from(MAX_LINE) {
            return Err(format!(
                "{MAX_LINE} of one card is the most that can be written here"
            ));
        }
        self.remember();
        put(&mut self.sections[self.current].cards, offer.card, count);
        Ok(())
    }

    /// Takes copies out of the current section; all if no number is given.
    pub(super) fn remove(&mut self, card: PoolCard, count: Option<u32>) -> Result<(), String> {
        let cards = &self.sections[self.current].cards;
        let Some(place) = cards.iter().position(|(other, _)| *other == card) else {
            return Err(format!(
                "{} is not in this section",
                *self.package().card(card.card).name
            ));
        };
        self.remember();
        let cards = &mut self.sections[self.current].cards;
        cards[place].1 = count.map_or(0, |count| cards[place].1.saturating_sub(count));
        if cards[place].1 == 0 {
            cards.remove(place);
        }
        Ok(())
    }

    fn remember(&mut self) {
        if self.past.len() == MAX_PAST {
            self.past.remove(0);
        }
        self.past.push((self.sections.clone(), self.kept.unknown.clone()));
        self.saved = false;
    }

    /// Undoes the last change; whether there was one.
    pub(super) fn undo(&mut self) -> bool {
        let Some((sections, unknown)) = self.past.pop() else {
            return false;
        };
        self.sections = sections;
        self.kept.unknown = unknown;
        self.saved = false;
        true
    }

    /// Looks for cards; an empty text finds all.
    ///
    /// # Errors
    /// When it is no query; then the old one stays.
    pub(super) fn look_for(&mut self, text: &str) -> Result<(), QueryError> {
        let query = self.opened.query(text)?;
        self.search = text.to_owned();
        self.query = (!text.trim().is_empty()).then_some(query);
        self.show();
        Ok(())
    }

    /// Switches a value of a filter.
    pub(super) fn switch(&mut self, filter: usize, value: usize) {
        let value = &mut self.filters[filter].values[value];
        value.on = !value.on;
        self.show();
    }

    /// Switches all filters off.
    pub(super) fn clear_filters(&mut self) {
        for value in self.filters.iter_mut().flat_map(|filter| &mut filter.values) {
            value.on = false;
        }
        self.show();
    }

    /// The form by which an offer was found, where that is not the card itself.
    pub(super) fn found_by_form(&self, offer: usize) -> Option<&'a cw_octgn::Alternate> {
        let (query, package) = (self.query.as_ref()?, self.package());
        let card = self.offers[offer].card;
        let found = card.effective(package);
        let form =
            SearchedForm::all_of(package.set_of(card.card), &found).position(|form| query.matches(&form))?;
        package.card(card.card).alternates.get(form.checked_sub(1)?)
    }

    /// Finds anew what is shown. Filters and search look at effective properties (P82, P114), the search at
    /// all forms of a card.
    fn show(&mut self) {
        let package = self.package();
        let wanted = |offer: &CardOffer| {
            let card = offer.card;
            let filtered = self.filters.iter().all(|filter| {
                !filter.is_on() || filter.matches(card.text(package, &filter.property).unwrap_or_default())
            });
            filtered
                && self.query.as_ref().is_none_or(|query| {
                    let found = card.effective(package);
                    SearchedForm::all_of(package.set_of(card.card), &found).any(|form| query.matches(&form))
                })
        };
        let mut shown: Vec<usize> = (0..self.offers.len())
            .filter(|place| wanted(&self.offers[*place]))
            .collect();
        match &self.order {
            CardOrder::Set => {}
            CardOrder::Name => {
                shown.sort_by_key(|place| package.card(self.offers[*place].card.card).name.to_lowercase());
            }
            CardOrder::Property(name) => shown.sort_by_key(|place| {
                let text = self.offers[*place]
                    .card
                    .text(package, name)
                    .unwrap_or_default()
                    .trim();
                // Numbers by size, then texts, then cards that have none.
                let number = text.parse::<i64>().ok();
                let class = if number.is_some() {
                    0
                } else {
                    1 + u8::from(text.is_empty())
                };
                (class, number, text.to_lowercase())
            }),
        }
        self.shown = shown;
    }

    /// Sorts by the next of these.
    pub(super) fn sort_by_next(&mut self, columns: &[String]) {
        let mut orders = vec![CardOrder::Set, CardOrder::Name];
        orders.extend(columns.iter().cloned().map(CardOrder::Property));
        let now = orders.iter().position(|order| *order == self.order).unwrap_or(0);
        self.order = orders[(now + 1) % orders.len()].clone();
        self.show();
    }
}

fn put(cards: &mut Vec<(PoolCard, u32)>, card: PoolCard, count: u32) {
    match cards.iter_mut().find(|(other, _)| *other == card) {
        Some((_, sum)) => *sum = sum.saturating_add(count),
        None => cards.push((card, count)),
    }
}

/// Every card of every set that is not hidden (P26), the first of those with one id (P49).
fn all_cards(package: &Package) -> Vec<CardOffer> {
    let mut seen = BTreeSet::new();
    let visible = package.cards().filter(|(card, _)| !package.set_of(*card).hidden);
    visible
        .filter(|(_, found)| seen.insert(found.id.value))
        .map(|(card, _)| CardOffer {
            card: PoolCard::plain(card),
            present: None,
        })
        .collect()
}

/// One for each property that is not hidden and is a whole number or has few values (P59f, P114).
fn filters(package: &Package, offers: &[CardOffer]) -> Vec<PropertyFilter> {
    let chosen = package.definition.properties.iter().filter(|property| {
        let few = matches!(property.text_kind, TextKind::Enum | TextKind::Tokens(_));
        !property.hidden && (few || property.kind == PropertyKind::Integer)
    });
    chosen
        .map(|property| {
            let delimiter = match &property.text_kind {
                TextKind::Tokens(delimiter) if !delimiter.is_empty() => Some(delimiter.to_string()),
                TextKind::Tokens(_) | TextKind::Free | TextKind::Enum => None,
            };
            let mut filter = PropertyFilter {
                property: property.name.to_string(),
                values: Vec::new(),
                delimiter,
            };
            let mut counts: BTreeMap<(u8, i64, String), usize> = BTreeMap::new();
            for offer in offers {
                let text = offer.card.text(package, &property.name).unwrap_or_default();
                let parts: BTreeSet<&str> = filter.parts(text).into_iter().collect();
                if parts.is_empty() {
                    *counts.entry((2, 0, String::new())).or_default() += 1;
                }
                for part in parts {
                    let number = part.parse::<i64>().ok();
                    let order = (u8::from(number.is_none()), number.unwrap_or(0), part.to_owned());
                    *counts.entry(order).or_default() += 1;
                }
            }
            filter.values = counts
                .into_iter()
                .map(|((_, _, text), count)| FilterValue {
                    text,
                    count,
                    on: false,
                })
                .collect();
            filter
        })
        // A value that all cards have, or one for nearly every card, chooses nothing.
        .filter(|filter| filter.values.len() > 1)
        .collect()
}
