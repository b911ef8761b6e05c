//! Cards through all texts of a game: where each is printed, ruled, listed and named, and what a text holds.

use cw_check::{KnownCard, KnownCards};
use cw_load::Language;
use cw_scenario::AnyScenarios;
use cw_syntax::{Arena, parse_rules};
use cw_text::{FileId, Span};
use serde_json::{Value, json};

use crate::hover::card_at;
use crate::told::GamePlaces;

/// Where a card is printed and where its rule stands; the places of the caret are left out, if others remain.
pub(crate) fn definitions(places: &GamePlaces<'_>, file: FileId, at: usize) -> Option<Value> {
    let source = places.read.sources.find(file)?;
    let (_, card) = card_at(places, &source.text, at)?;
    let mut all = Vec::new();
    for (reference, printed) in places.read.project.package.cards() {
        if printed.id.value.to_string().eq_ignore_ascii_case(&card.id) {
            let set = places.read.project.package.set_of(reference);
            all.push((set.file, printed.place.0));
        }
    }
    for (text, source) in rules(places) {
        let arena = Arena::new();
        let headers = parse_rules(&arena, text, source).rules;
        let own = headers.iter().filter(|rule| {
            let known = rule.id.and_then(|id| places.read.project.cards().model_with(id));
            known.is_some()
                && places
                    .read
                    .project
                    .cards()
                    .find(rule.card.text)
                    .is_some_and(|one| one.id == card.id)
        });
        all.extend(own.map(|rule| (text, rule.card.span)));
    }
    let here = Span::at(at);
    let elsewhere: Vec<(FileId, Span)> = all
        .iter()
        .copied()
        .filter(|(text, span)| *text != file || !span.touches(here))
        .collect();
    let shown = if elsewhere.is_empty() { all } else { elsewhere };
    Some(
        shown
            .into_iter()
            .map(|(file, span)| places.location(file, span))
            .collect(),
    )
}

/// The texts that hold rules.
pub(crate) fn rules<'p>(places: &'p GamePlaces<'_>) -> impl Iterator<Item = (FileId, &'p str)> {
    let all = places.read.project.rules.iter();
    let all = all.filter(|rule| rule.language == Language::Rules);
    all.map(|rule| (rule.file, &*rule.text))
}

/// Every place that names a card, by its id or, between quotes, by its name.
pub(crate) fn references(places: &GamePlaces<'_>, file: FileId, at: usize) -> Option<Value> {
    let source = places.read.sources.find(file)?;
    let (_, card) = card_at(places, &source.text, at)?;
    let mut all = Vec::new();
    for (file, source) in places.read.sources.iter() {
        all.extend(
            mentions(&source.text, card, places.read.project.cards())
                .into_iter()
                .map(|span| places.location(file, span)),
        );
    }
    Some(Value::Array(all))
}

/// Where a text names a card: by its id, or by its name between quotes or tags. Scenarios say more behind a
/// name, and may name a second card behind `+`.
pub(crate) fn mentions(text: &str, card: &KnownCard, all_cards: &KnownCards) -> Vec<Span> {
    let lower = text.to_ascii_lowercase();
    let id = card.id.to_ascii_lowercase();
    let name = card.name.to_ascii_lowercase();
    let mut all: Vec<Span> = lower
        .match_indices(&id)
        .map(|(at, found)| Span::new(at, at + found.len()))
        .collect();
    if !name.is_empty() {
        // Names that begin with this one are other cards'.
        let longer = all_cards.all().iter().filter_map(|other| {
            let other = other.name.to_ascii_lowercase();
            (other.len() > name.len() && other.starts_with(&name)).then_some(other)
        });
        let longer: Vec<String> = longer.collect();
        let named = lower.match_indices(&name).filter(|(at, found)| {
            let before = lower.get(..*at).unwrap_or_default();
            let begins = before.ends_with(['"', '\'', '>']) || before.ends_with(" + ");
            let rest = lower.get(*at..).unwrap_or_default();
            let behind = rest.get(found.len()..).and_then(|rest| rest.chars().next());
            begins
                && !behind.is_some_and(char::is_alphanumeric)
                && !longer.iter().any(|other| rest.starts_with(other.as_str()))
        });
        all.extend(named.map(|(at, found)| Span::new(at, at + found.len())));
    }
    all.sort();
    all
}

/// What a text holds, as a list for its outline: rules, cards, scenarios.
pub(crate) fn symbols(places: &GamePlaces<'_>, file: FileId) -> Option<Value> {
    let source = places.read.sources.find(file)?;
    let package = &places.read.project.package;
    let symbol = |name: &str, kind: u8, whole: Span, name_at: Span| {
        let name = cw_text::one_line(name).unwrap_or_else(|| "(no name)".to_owned());
        json!({
            "name": name,
            "kind": kind,
            "range": places.range(file, whole.to(name_at)),
            "selectionRange": places.range(file, name_at),
        })
    };
    let mut all = Vec::new();
    if Language::in_package(&source.name) == Some(Language::Rules) {
        let arena = Arena::new();
        for rule in parse_rules(&arena, file, &source.text).rules {
            let card = places.read.project.cards().find(rule.card.text);
            let name = card.map_or(rule.card.text, |card| &card.name);
            all.push(symbol(
                name,
                5,
                rule.header.span.to(rule.header.body),
                rule.card.span,
            ));
        }
    }
    for set in package.sets.iter().filter(|set| set.file == file) {
        all.extend(
            set.cards
                .iter()
                .map(|card| symbol(&card.name.value, 23, card.place.0, card.name.span())),
        );
    }
    for deck in package.decks.iter().filter(|deck| deck.file == file) {
        let cards = deck.sections.iter().flat_map(|section| &section.cards);
        all.extend(cards.map(|card| symbol(&card.name.value, 20, card.place.0, card.place.0)));
    }
    if source.name.ends_with(".toml")
        && let Ok(read) = cw_scenario::read_any(&source.text)
    {
        let names: Vec<(&str, Span)> = match &read {
            AnyScenarios::Duels(file) => file.scenarios.iter().map(|one| (&*one.name, one.span)).collect(),
            AnyScenarios::Free(file) => file.scenarios.iter().map(|one| (&*one.name, one.span)).collect(),
        };
        all.extend(names.into_iter().map(|(name, span)| symbol(name, 12, span, span)));
    }
    Some(Value::Array(all))
}
