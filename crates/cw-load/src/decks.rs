//! What a deck has to be, and why one is not that (D72). One reading for `check`, `play`, pools and the deck
//! builder.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use cw_duel::DeckFault;
use cw_octgn::{CardRef, Deck, Pool, ResolvedDeck};
use cw_program::ModelId;
use cw_text::{Diagnostic, FindingCode, Severity, Sources, Span};

use crate::Project;
use crate::cards::card_type;
use crate::check::{CW003, CW004, CW005};

/// What a deck has to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeckRules {
    /// How many cards.
    pub size: RangeInclusive<u32>,
    /// How many of one card at most.
    pub copies: u32,
    /// Cards of which there may be another number.
    pub exceptions: BTreeMap<CardRef, u32>,
    /// Cards that no deck may have, since nobody could play them (D60).
    pub unplayable: BTreeSet<CardRef>,
    /// How many cards in these sections; others are free.
    pub sections: Vec<(String, RangeInclusive<u32>)>,
}

/// A deck that was read, with all that is wrong with it.
#[derive(Clone, Debug)]
pub struct ReadDeck {
    /// The deck; nothing if it is not well-formed.
    pub deck: Option<Deck>,
    /// The texts that the findings speak of.
    pub sources: Sources,
    /// What was found, in order of place.
    pub found: Vec<Diagnostic>,
}

impl ReadDeck {
    /// Why it may not be played.
    pub fn errors(&self) -> Vec<Diagnostic> {
        let errors = self
            .found
            .iter()
            .filter(|found| found.severity == Severity::Error);
        errors.cloned().collect()
    }
}

impl DeckRules {
    /// The rules of decks that are built before play: G33, and what `[deck]` says.
    pub(crate) fn of(project: &Project) -> DeckRules {
        let constants = &project.config.constants;
        let size = u32::from(constants.deck_size);
        let mut rules = DeckRules {
            size: size..=size,
            copies: constants.copies.into(),
            exceptions: BTreeMap::new(),
            unplayable: project.unplayable(),
            sections: Vec::new(),
        };
        let Some(deck) = &project.config.deck else {
            return rules;
        };
        rules.size = deck.size.clone().unwrap_or(rules.size);
        rules.copies = deck.copies.unwrap_or(rules.copies);
        for (name, _, copies) in &deck.exceptions {
            let cards = project.package.cards();
            let same = cards.filter(|(_, card)| card.name.eq_ignore_ascii_case(name));
            let most = copies.unwrap_or(u32::MAX);
            rules.exceptions.extend(same.map(|(card, _)| (card, most)));
        }
        let sections = deck.sections.iter();
        rules.sections = sections
            .map(|(name, _, range)| (name.clone(), range.clone()))
            .collect();
        rules
    }

    /// The rules of decks that are made of a pool of so many cards: those of `[deck.limited]`, and never more
    /// cards than the pool gives, so that every pool makes a legal deck.
    #[must_use]
    pub fn limited(mut self, project: &Project, pool: impl Fn(&DeckRules) -> u32) -> DeckRules {
        if let Some(deck) = &project.config.deck {
            self.size = deck.limited_size.clone().unwrap_or(self.size);
            self.copies = deck.limited_copies.unwrap_or(self.copies);
        }
        self.sections.clear();
        let there = pool(&self);
        let (least, most) = self.size.into_inner();
        self.size = least.min(there)..=most.min(there.max(least.min(there)));
        self
    }

    /// The same, for decks of nothing but this pool's cards, as often as it has them. What its packs give in
    /// any number may be in a deck in any number, whatever the limit of copies is (P113).
    #[must_use]
    pub fn of_pool(mut self, pool: &Pool) -> DeckRules {
        let mut there: BTreeMap<CardRef, u32> = BTreeMap::new();
        for card in &pool.cards {
            *there.entry(card.card).or_insert(0) += 1;
        }
        for (card, count) in &mut there {
            *count = (*count).min(self.copies_of(*card));
        }
        let free = pool.unlimited.iter().map(|card| card.card);
        there.extend(
            free.filter(|card| self.copies_of(*card) > 0)
                .map(|card| (card, u32::MAX)),
        );
        self.exceptions = there;
        self.copies = 0;
        self
    }

    /// How many of a card a deck may hold.
    pub fn copies_of(&self, card: CardRef) -> u32 {
        if self.unplayable.contains(&card) {
            return 0;
        }
        self.exceptions.get(&card).copied().unwrap_or(self.copies)
    }

    /// The same for the engine.
    pub(crate) fn of_game(&self, models: &BTreeMap<CardRef, ModelId>) -> cw_duel::DeckLimits {
        let exceptions = self.exceptions.iter();
        cw_duel::DeckLimits {
            size: Some(self.size.clone()),
            copies: Some(self.copies),
            exceptions: exceptions
                .filter_map(|(card, most)| Some((*models.get(card)?, *most)))
                .collect(),
        }
    }
}

impl Project {
    /// Reads a deck that is not part of the package, an `.o8d` file or a list of cards, with all that is
    /// wrong with it.
    pub fn read_deck(&self, name: &str, bytes: Vec<u8>) -> ReadDeck {
        let mut sources = Sources::new();
        let (deck, mut found) = self.package.read_deck(name, bytes, &self.limits, &mut sources);
        if let Some(deck) = &deck {
            found.extend(cw_octgn::check_deck(&self.package, deck));
            found.extend(self.illegal(deck, self.deck_rules().as_ref()));
        }
        let mut found = self.weigh(&sources, found);
        found.sort_by_key(|one| one.span);
        ReadDeck { deck, sources, found }
    }

    /// A deck of the package, with all that is wrong with it.
    pub fn deck_of_package(&self, deck: &Deck) -> ReadDeck {
        let of_reading = self
            .package
            .diagnostics
            .iter()
            .filter(|found| found.file == deck.file);
        let mut found: Vec<Diagnostic> = of_reading.cloned().collect();
        found.extend(cw_octgn::check_deck(&self.package, deck));
        found.extend(self.illegal(deck, self.deck_rules().as_ref()));
        let mut found = self.weigh(&self.package.sources, found);
        found.sort_by_key(|one| one.span);
        ReadDeck {
            deck: Some(deck.clone()),
            sources: self.package.sources.clone(),
            found,
        }
    }

    /// A deck that was read, judged by other rules than those of decks that are built before play.
    #[must_use]
    pub fn judged_by(&self, mut read: ReadDeck, rules: &DeckRules) -> ReadDeck {
        let Some(deck) = &read.deck else { return read };
        read.found
            .retain(|found| ![CW003, CW004, CW005].contains(&found.code));
        let found = self.illegal(deck, Some(rules));
        read.found.extend(self.weigh(&read.sources, found));
        read.found.sort_by_key(|one| one.span);
        read
    }

    /// Why a deck may not be played under these rules, in words; nothing if it may.
    pub fn reasons(&self, deck: &Deck, rules: Option<&DeckRules>) -> Vec<String> {
        let mut found = cw_octgn::check_deck(&self.package, deck);
        found.extend(self.illegal(deck, rules));
        self.config.severities.apply(&mut found);
        let errors = found
            .into_iter()
            .filter(|found| found.severity == Severity::Error);
        errors.map(|found| found.message).collect()
    }

    /// Cards of types that the game does not know; without rules nobody knows which may be in decks.
    fn unplayable(&self) -> BTreeSet<CardRef> {
        if !self.has_rules() {
            return BTreeSet::new();
        }
        let name = &self.config.properties.card_type;
        let cards = self.package.cards();
        let unknown =
            cards.filter(|(_, card)| card_type(card.text(name).unwrap_or(""), &self.config).is_none());
        unknown.map(|(card, _)| card).collect()
    }

    /// Why a deck is not legal under these rules, at its lines; nothing where the rules are unknown (D72).
    pub fn illegal(&self, deck: &Deck, rules: Option<&DeckRules>) -> Vec<Diagnostic> {
        let Some(rules) = rules else { return Vec::new() };
        let resolved = self.package.resolve(deck);
        let whole = if deck.game.span().is_empty() {
            Span::at(0)
        } else {
            deck.game.span()
        };
        let error = |code: FindingCode, span: Span, message: String| {
            Diagnostic::new(code, Severity::Error, deck.file, span, message)
        };
        let of_game = rules.of_game(self.numbers());
        let mut found = Vec::new();
        for fault in self.bare().deck_faults_by(&of_game, &self.deck_cards(deck)) {
            let words = fault.describe(self.bare()).to_string();
            found.push(match fault {
                DeckFault::Size { .. } => error(CW003, whole, words),
                DeckFault::Copies { model, .. } => error(CW004, self.place_of(deck, model, whole), words),
                DeckFault::UnknownType { .. } if !self.has_rules() => continue,
                DeckFault::UnknownType { model } => {
                    let kind = &self.config.properties.card_type;
                    let help = format!("its `{kind}` in the set is to be character, action or reaction");
                    error(CW005, self.place_of(deck, model, whole), words).help(help)
                }
            });
        }
        found.extend(self.sections(deck, &resolved, rules, whole, &error));
        // While a deck is built its size is wrong anyway; what else is wrong is worth more.
        found.sort_by_key(|one| one.code == CW003);
        found
    }

    /// The last line of a deck that is about this card.
    fn place_of(&self, deck: &Deck, model: ModelId, whole: Span) -> Span {
        let card = self.refs().get(usize::from(model.0)).copied();
        let lines = deck.sections.iter().flat_map(|section| &section.cards);
        let found = lines
            .rev()
            .find(|line| self.package.find(line).map(|(found, _)| found) == card);
        found.map_or(whole, |line| line.place.0)
    }

    /// CW003 for sections.
    fn sections(
        &self,
        deck: &Deck,
        resolved: &ResolvedDeck,
        rules: &DeckRules,
        whole: Span,
        error: &dyn Fn(FindingCode, Span, String) -> Diagnostic,
    ) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        for (name, range) in &rules.sections {
            let same = resolved.sections.iter().filter(|section| *section.name == **name);
            let lines = same.flat_map(|section| &section.lines);
            let cards: u64 = lines.map(|line| u64::from(line.quantity)).sum();
            if (u64::from(*range.start())..=u64::from(*range.end())).contains(&cards) {
                continue;
            }
            let place = deck.sections.iter().find(|section| *section.name.value == **name);
            let span = place.map_or(whole, |section| section.name.span());
            let wanted = words(range);
            found.push(error(
                CW003,
                span,
                format!(
                    "section `{name}` has {}, it needs {wanted}",
                    cw_text::count(cards, "card")
                ),
            ));
        }
        found
    }
}

/// A range of numbers of cards in words.
pub(crate) fn words(range: &RangeInclusive<u32>) -> String {
    let (least, most) = (range.start(), range.end());
    if least == most {
        format!("exactly {least}")
    } else {
        format!("{least} to {most}")
    }
}
