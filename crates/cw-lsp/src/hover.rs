//! What is said about the place under the pointer: findings with their pages, words, cards.

use cw_check::KnownCard;
use cw_load::Language;
use cw_program::{ClosedWord as _, CommandName};
use cw_text::{FileId, Span};
use serde_json::{Value, json};

use crate::pages;
use crate::told::GamePlaces;
use crate::words::{self, KnownWord, WordClass};

/// What is said about a byte of a text.
pub(crate) fn hover(places: &GamePlaces<'_>, file: FileId, at: usize) -> Option<Value> {
    let source = places.read.sources.find(file)?;
    let text: &str = &source.text;
    let at_span = Span::at(at);
    let mut parts: Vec<String> = Vec::new();
    let mut marked: Option<Span> = None;
    if let Some((span, card)) = card_at(places, text, at) {
        parts.push(face(places, card));
        marked = Some(span);
    } else if Language::in_package(&source.name) == Some(Language::Rules)
        && let Some((span, word)) = known_at(text, at)
    {
        parts.push(describe(&word));
        marked = Some(span);
    }
    let found = places.read.found.iter();
    let mut codes: Vec<&str> = Vec::new();
    for one in found.filter(|one| one.file == file && one.span.touches(at_span)) {
        if !codes.contains(&one.code.0) {
            codes.push(one.code.0);
            parts.extend(pages::markdown(one.code.0));
        }
        marked.get_or_insert(one.span);
    }
    let span = marked?;
    Some(json!({
        "contents": { "kind": "markdown", "value": parts.join("\n\n---\n\n") },
        "range": places.range(file, span),
    }))
}

/// The word at a byte of a line of rules, unless it stands in a comment.
fn known_at(text: &str, at: usize) -> Option<(Span, KnownWord)> {
    let span = words::word_at(text, at)?;
    let before = text.get(..span.start as usize)?;
    let line = before.rsplit('\n').next().unwrap_or_default();
    if line.trim_start().starts_with('#') {
        return None;
    }
    let first = match line.trim_end().chars().next_back() {
        None => Some(WordClass::Key),
        Some('@') => Some(WordClass::Zone),
        Some('~' | '?') => Some(WordClass::Event),
        Some('.') => Some(WordClass::Attribute),
        Some('[' | '&' | '|') if line.contains('[') => Some(WordClass::Filter),
        Some(_) if line.trim_start().starts_with("abilities") => Some(WordClass::Ability),
        Some(_) => None,
    };
    Some((span, words::find(text.get(span.range())?, first)?))
}

/// A word as the reference has it.
pub(crate) fn describe(word: &KnownWord) -> String {
    let shown = word.usage.as_ref().unwrap_or(&word.word);
    let mut out = format!("`{shown}` – {}\n\n{}.", word.class.describe(), word.meaning);
    let command = (word.class == WordClass::Command).then(|| CommandName::find(&word.word));
    if let Some(command) = command.flatten() {
        let form = command.signature();
        for (index, argument) in form.arguments.iter().enumerate() {
            let left_out = match index < form.required {
                true => "",
                false => " (may be left out)",
            };
            out.push_str(&format!(
                "\n- Argument {}{left_out}: {}",
                index + 1,
                argument.describe()
            ));
        }
    }
    out
}

/// The card that is named at a byte: by its id, or by its name between quotes or tags.
pub(crate) fn card_at<'a>(places: &GamePlaces<'a>, text: &str, at: usize) -> Option<(Span, &'a KnownCard)> {
    let (before, behind) = text.split_at_checked(at)?;
    let cards = places.read.project.cards();
    let is_id = |letter: char| letter.is_ascii_hexdigit() || letter == '-';
    let start = before.trim_end_matches(is_id).len();
    let end = at + (behind.len() - behind.trim_start_matches(is_id).len());
    if let Some(card) = text
        .get(start..end)
        .filter(|id| id.len() >= 32)
        .and_then(|id| cards.find(id))
    {
        return Some((Span::new(start, end), card));
    }
    let is_end = |letter: char| matches!(letter, '"' | '\'' | '<' | '>' | '\n');
    let start = before.rfind(is_end).map_or(0, |at| at + 1);
    let end = at + behind.find(is_end).unwrap_or(behind.len());
    let named = text.get(start..end)?;
    // Scenarios say more behind the name, as in "Fop 300".
    let fits = |card: &&KnownCard| {
        let rest = named
            .get(..card.name.len())
            .filter(|first| first.eq_ignore_ascii_case(&card.name));
        let next = named.get(card.name.len()..).and_then(|rest| rest.chars().next());
        !card.name.is_empty() && rest.is_some() && !next.is_some_and(char::is_alphanumeric)
    };
    let card = cards
        .all()
        .iter()
        .filter(fits)
        .max_by_key(|card| card.name.len())?;
    Some((Span::new(start, start + card.name.len()), card))
}

/// A card as text: its name, and what its properties say.
pub(crate) fn face(places: &GamePlaces<'_>, card: &KnownCard) -> String {
    let project = &places.read.project;
    let mut out = format!("**{}**", card.name);
    let mut cards = project.package.cards();
    let printed = cards.find(|(_, one)| one.id.value.to_string().eq_ignore_ascii_case(&card.id));
    let Some((_, printed)) = printed else {
        out.push_str(&format!("\n\n{}", card.text));
        return out;
    };
    let rules = &project.config.properties.rules;
    let shown = project.package.definition.properties.iter();
    let shown = shown.filter(|property| !property.hidden && *property.name != **rules);
    let values = shown.filter_map(|property| {
        let value = printed.text(&property.name)?.trim();
        (!value.is_empty()).then(|| format!("{}: {value}", property.name.value))
    });
    let values: Vec<String> = values.collect();
    if !values.is_empty() {
        out.push_str(&format!("\n\n{}", values.join(" · ")));
    }
    if !card.text.is_empty() {
        out.push_str(&format!("\n\n{}", card.text));
    }
    out
}
