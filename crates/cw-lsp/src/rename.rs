//! A card's new name, in every text of the game that names it.
//!
//! What names a card is where [`card_at`] would find it: between quotes or tags, in rules, sets, decks,
//! settings and scenarios. Its id stays. Notes of scenarios and lessons speak of cards: there the name is
//! renamed wherever it stands, in its own letters. What a card's printed text says of another card may be an
//! ordinary word: it stays as it is.

use std::collections::BTreeMap;

use cw_check::{KnownCard, KnownCards};
use cw_syntax::{Arena, parse_rules};
use cw_text::{FileId, Span};
use serde_json::{Value, json};

use crate::cards::{mentions, rules};
use crate::hover::card_at;
use crate::protocol::RequestError;
use crate::told::GamePlaces;

/// Characters of a name at most.
const LONGEST: usize = 200;

/// The card at a byte, as the editor offers it for another name; nothing where there is none.
pub(crate) fn prepare(places: &GamePlaces<'_>, file: FileId, at: usize) -> Option<Value> {
    let source = places.read.sources.find(file)?;
    let (span, card) = card_at(places, &source.text, at)?;
    Some(json!({ "range": places.range(file, span), "placeholder": card.name }))
}

/// The edits that give the card at a byte this name.
///
/// # Errors
/// There is no card, the name cannot be one, or another card has it.
pub(crate) fn rename(
    places: &GamePlaces<'_>,
    file: FileId,
    at: usize,
    name: &str,
) -> Result<Value, RequestError> {
    let refused = |why: String| Err(RequestError::Refused(why));
    let source = places.read.sources.find(file);
    let Some((_, card)) = source.and_then(|source| card_at(places, &source.text, at)) else {
        return refused("no card is named here".to_owned());
    };
    let name = name.trim();
    if name.is_empty() || name.chars().count() > LONGEST {
        return refused(format!("a card's name has 1 to {LONGEST} characters"));
    }
    let bad = |letter: char| {
        letter.is_control() || matches!(letter, '"' | '\\' | '<' | '>' | '&' | '[' | ']' | '|')
    };
    if let Some(letter) = name.chars().find(|letter| bad(*letter)) {
        return refused(format!(
            "a name with {letter:?} cannot be named by rules and scenarios"
        ));
    }
    let all = places.read.project.cards().all();
    let is_called = |one: &&KnownCard| one.name.eq_ignore_ascii_case(name);
    if let Some(other) = all
        .iter()
        .find(|one| is_called(one) && !one.name.eq_ignore_ascii_case(&card.name))
    {
        return refused(format!("there is a card called “{}” already", other.name));
    }
    let mut changes: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for (file, span) in named(places, card) {
        let source = places.read.sources.find(file);
        let is_key =
            source.is_some_and(|source| source.name.ends_with(".toml") && is_bare_key(&source.text, span));
        let is_bare = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_');
        let written = match is_key && !name.chars().all(is_bare) {
            true => format!("\"{name}\""),
            false => name.to_owned(),
        };
        let edit = json!({ "range": places.range(file, span), "newText": written });
        changes.entry(places.uri(file)).or_default().push(edit);
    }
    Ok(json!({ "changes": changes }))
}

/// Where the card's name stands, each place once.
fn named(places: &GamePlaces<'_>, card: &KnownCard) -> Vec<(FileId, Span)> {
    let package = &places.read.project.package;
    let mut all: Vec<(FileId, Span)> = Vec::new();
    for (reference, printed) in package.cards() {
        if printed.name.value.eq_ignore_ascii_case(&card.name) {
            let file = package.set_of(reference).file;
            let source = places.read.sources.find(file);
            let text = source.map_or("", |source| &*source.text);
            let within = printed.name.span();
            // The place of an attribute may be the whole of it, and its text may hold entities.
            let stretch = text.get(within.range()).unwrap_or_default();
            if let Some(start) = find_name(stretch, &card.name) {
                let start = within.start as usize + start;
                all.push((file, Span::new(start, start + card.name.len())));
            }
        }
    }
    for (file, source) in places.read.sources.iter() {
        let is_set = package.sets.iter().any(|set| set.file == file);
        if is_set || source.name.ends_with("definition.xml") {
            continue;
        }
        let is_settings = source.name.starts_with("Rules/");
        if source.name.ends_with(".toml") && !is_settings {
            let names = whole_words(&source.text, card, places.read.project.cards());
            all.extend(names.into_iter().map(|span| (file, span)));
            continue;
        }
        let names = mentions(&source.text, card, places.read.project.cards());
        let is_name = |span: &Span| {
            let found = source.text.get(span.range());
            found.is_some_and(|found| found.eq_ignore_ascii_case(&card.name))
        };
        all.extend(names.into_iter().filter(is_name).map(|span| (file, span)));
    }
    for (file, text) in rules(places) {
        let arena = Arena::new();
        let headers = parse_rules(&arena, file, text).rules;
        let own = headers
            .iter()
            .filter(|rule| rule.card.text.eq_ignore_ascii_case(&card.name));
        all.extend(own.map(|rule| (file, rule.card.span)));
        // A comment that says whose rule follows.
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            let words = line.trim_start_matches('#').trim();
            if line.starts_with('#') && words.eq_ignore_ascii_case(&card.name) {
                let at = start + line.find(words).unwrap_or_default();
                all.push((file, Span::new(at, at + words.len())));
            }
            start += line.len();
        }
    }
    all.sort();
    all.dedup();
    all
}

/// Where the name stands in these letters, as words of its own that are no part of a longer name.
fn whole_words(text: &str, card: &KnownCard, all_cards: &KnownCards) -> Vec<Span> {
    let name = &*card.name;
    let longer = all_cards.all().iter().map(|other| &*other.name);
    let longer: Vec<&str> = longer
        .filter(|other| other.len() > name.len() && other.contains(name))
        .collect();
    let is_part = |at: usize| {
        longer.iter().any(|other| {
            let mut within = other.match_indices(name);
            within.any(|(skip, _)| {
                at.checked_sub(skip)
                    .is_some_and(|start| text.get(start..).is_some_and(|text| text.starts_with(other)))
            })
        })
    };
    let is_word =
        |letter: Option<char>| letter.is_some_and(|letter| letter.is_alphanumeric() || letter == '_');
    let found = text.match_indices(name).filter(|(at, _)| {
        let (before, rest) = text.split_at(*at);
        !is_word(before.chars().next_back())
            && !is_word(rest.get(name.len()..).and_then(|rest| rest.chars().next()))
            && !is_part(*at)
    });
    found.map(|(at, name)| Span::new(at, at + name.len())).collect()
}

/// Whether this is a key of TOML without quotes: the line has an even number of quotes before it, and `=` or
/// `.` follows.
fn is_bare_key(text: &str, span: Span) -> bool {
    let before = text.get(..span.start as usize).unwrap_or_default();
    let line = before.rsplit('\n').next().unwrap_or_default();
    let behind = text.get(span.end as usize..).unwrap_or_default().trim_start();
    let quotes = line.matches('"').count();
    quotes.is_multiple_of(2) && behind.starts_with(['=', '.']) && !line.trim_start().starts_with('#')
}

fn find_name(text: &str, name: &str) -> Option<usize> {
    text.to_ascii_lowercase().find(&name.to_ascii_lowercase())
}
