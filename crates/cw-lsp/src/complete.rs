//! What may stand at the caret, and what a command takes.

use cw_load::Language;
use cw_program::{ArgKind, ClosedWord as _, CommandName};
use cw_text::{FileId, Span};
use serde_json::{Value, json};

use crate::hover::describe;
use crate::told::GamePlaces;
use crate::words::{KnownWord, WordClass, words_of};

/// Items that are listed at once.
const MOST_ITEMS: usize = 200;

/// What may stand at a byte of a text.
pub(crate) fn complete(places: &GamePlaces<'_>, file: FileId, at: usize) -> Option<Value> {
    let source = places.read.sources.find(file)?;
    let (before, behind) = source.text.split_at_checked(at)?;
    let line = before.rsplit(['\n', '\r']).next().unwrap_or_default();
    let is_rules = Language::in_package(&source.name) == Some(Language::Rules);
    let list = Completions { places, file, at };
    let quoted = open_quote(line);
    let items = match quoted {
        Some((quote, inner)) => list.in_quotes(&source.name, line, quote, inner, behind, is_rules),
        None if is_rules => list.in_rules(line, behind),
        None => Vec::new(),
    };
    let is_cut = items.len() > MOST_ITEMS;
    let items: Vec<Value> = items.into_iter().take(MOST_ITEMS).collect();
    Some(json!({ "isIncomplete": is_cut, "items": items }))
}

/// The quote that is open at the end of a line, and what stands behind it.
fn open_quote(line: &str) -> Option<(char, &str)> {
    let mut open = None;
    for (at, letter) in line.char_indices() {
        match open {
            Some((quote, _)) if quote == letter => open = None,
            None if matches!(letter, '"' | '\'') => open = Some((letter, at + 1)),
            _ => {}
        }
    }
    let (quote, start) = open?;
    Some((quote, line.get(start..)?))
}

struct Completions<'p, 'a> {
    places: &'p GamePlaces<'a>,
    file: FileId,
    at: usize,
}

/// Where the word at the end of a line begins.
fn word_start(line: &str) -> usize {
    line.trim_end_matches(|letter: char| letter.is_alphanumeric() || letter == '_')
        .len()
}

/// The brackets that are open at the end of a line, the innermost last; what is in quotes does not count.
fn open_brackets(line: &str) -> Vec<(usize, char)> {
    let mut open: Vec<(usize, char)> = Vec::new();
    let mut quote = None;
    for (at, letter) in line.char_indices() {
        match (quote, letter) {
            (Some(begun), _) if begun == letter => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(letter),
            (None, '(' | '[' | '{') => open.push((at, letter)),
            (None, ')' | ']' | '}') => drop(open.pop()),
            (None, _) => {}
        }
    }
    open
}

impl Completions<'_, '_> {
    fn item(&self, from: usize, to: usize, label: &str, kind: u8, text: &str) -> Value {
        json!({
            "label": label,
            "kind": kind,
            "filterText": label,
            "textEdit": { "range": self.places.range(self.file, Span::new(from, to)), "newText": text },
        })
    }

    fn words(&self, line: &str, classes: &[WordClass]) -> Vec<Value> {
        let start = word_start(line);
        let typed = line.get(start..).unwrap_or_default().to_ascii_lowercase();
        let from = self.at - (line.len() - start);
        let all = classes.iter().flat_map(|class| words_of(*class));
        let fits = |known: &KnownWord| known.word.to_ascii_lowercase().contains(&typed);
        let mut items: Vec<(bool, Value)> = all
            .filter(fits)
            .map(|known| {
                let (kind, text) = match known.class {
                    WordClass::Command => (3, format!("{}()", known.word)),
                    WordClass::Key => (14, format!("{} = ", known.word)),
                    WordClass::Function => (3, known.word.clone()),
                    WordClass::Event => (23, known.word.clone()),
                    WordClass::Attribute => (10, known.word.clone()),
                    WordClass::Name => (6, known.word.clone()),
                    _ => (12, known.word.clone()),
                };
                let mut item = self.item(from, self.at, &known.word, kind, &text);
                item["detail"] = json!(known.usage.as_deref().unwrap_or(known.class.describe()));
                item["documentation"] = json!({ "kind": "markdown", "value": describe(&known) });
                (!known.word.to_ascii_lowercase().starts_with(&typed), item)
            })
            .collect();
        // What begins with the typed letters comes before what only holds them.
        items.sort_by_key(|(is_inside, _)| *is_inside);
        items.into_iter().map(|(_, item)| item).collect()
    }

    /// Subtypes that cards of this game have.
    fn subtypes(&self, line: &str) -> Vec<Value> {
        let start = word_start(line);
        let typed = line.get(start..).unwrap_or_default().to_lowercase();
        let cards = self.places.read.project.cards().all().iter();
        let mut all: Vec<String> = cards
            .filter_map(|card| card.subtype.as_ref())
            .filter(|subtype| !subtype.is_empty())
            .map(|subtype| subtype.to_lowercase())
            .collect();
        all.sort();
        all.dedup();
        let from = self.at - (line.len() - start);
        let is_word = |one: &str| {
            one.chars()
                .all(|letter| letter.is_alphanumeric() || letter == '_')
        };
        all.iter()
            .filter(|one| one.contains(&typed) && is_word(one))
            .map(|one| {
                let mut item = self.item(from, self.at, one, 20, one);
                item["detail"] = json!("subtype of this game");
                item
            })
            .collect()
    }

    /// Cards by their names; `text` is what is written.
    fn cards(&self, typed: &str, to: usize, writes_id: bool) -> Vec<Value> {
        let lower = typed.to_lowercase();
        let from = self.at - typed.len();
        let cards = self.places.read.project.cards().all().iter();
        let fits = cards.filter(|card| {
            let name = card.name.to_lowercase();
            name.starts_with(&lower)
                || name.split(' ').any(|word| word.starts_with(&lower))
                || card.id.starts_with(&lower)
        });
        fits.take(MOST_ITEMS + 1)
            .map(|card| {
                let text = if writes_id { &card.id } else { &card.name };
                let mut item = self.item(from, to, &card.name, 21, text);
                item["detail"] = json!(card.text);
                // What was typed is a name or the beginning of an id.
                item["filterText"] = json!(format!("{} {}", card.name, card.id));
                item
            })
            .collect()
    }

    fn in_quotes(
        &self,
        name: &str,
        line: &str,
        quote: char,
        inner: &str,
        behind: &str,
        is_rules: bool,
    ) -> Vec<Value> {
        let rest = behind.find([quote, '\n', '\r', '<', '>']).unwrap_or(0);
        let to = self.at + rest;
        let head = line
            .get(..line.len() - inner.len() - quote.len_utf8())
            .unwrap_or_default();
        let is_attribute = |word: &str| head.trim_end_matches(['=', ' ']).ends_with(word);
        let lower = name.to_ascii_lowercase();
        match () {
            () if is_rules => self.cards(inner, to, head.trim_end().ends_with("transform(")),
            () if lower.ends_with(".o8d") && is_attribute("id") => self.cards(inner, to, true),
            () if lower.ends_with(".toml") && lower != "rules/game.toml" => self.cards(inner, to, false),
            () if lower.ends_with("set.xml") && head.contains("<property") && is_attribute("name") => {
                let known = self.places.read.project.package.definition.properties.iter();
                let from = self.at - inner.len();
                known
                    .map(|property| {
                        let name: &str = &property.name.value;
                        self.item(from, to, name, 10, name)
                    })
                    .collect()
            }
            () => Vec::new(),
        }
    }

    fn in_rules(&self, line: &str, behind: &str) -> Vec<Value> {
        let content = line.trim_start();
        if content.starts_with('#') {
            return Vec::new();
        }
        if let Some(id) = content.strip_prefix('[').filter(|id| !id.contains('[')) {
            let rest = behind.find([']', '\n', '\r']).unwrap_or(0);
            return self.cards(id, self.at + rest, true);
        }
        let start = word_start(line);
        let head = line.get(..start).unwrap_or_default();
        let expression = [WordClass::Name, WordClass::Function];
        if head.trim().is_empty() {
            return self.words(line, &[WordClass::Key]);
        }
        if content.starts_with("abilities") {
            return self.words(line, &[WordClass::Ability]);
        }
        if head.ends_with('@') {
            return self.words(line, &[WordClass::Zone]);
        }
        if head.ends_with('.') {
            return self.words(line, &[WordClass::Attribute]);
        }
        let statement = head.rsplit(';').next().unwrap_or_default();
        if statement.matches('~').count() % 2 == 1 || statement.trim_start() == "?" {
            return self.words(line, &[WordClass::Event]);
        }
        let open = open_brackets(head);
        let (innermost, outer) = (open.last(), open.iter().rev().nth(1));
        match (innermost, outer) {
            (Some((at, '[')), Some((outer, '['))) if *at == outer + 1 => self.words(line, &expression),
            (Some((_, '[')), _) => {
                let mut all = self.words(
                    line,
                    &[WordClass::Filter, WordClass::Ability, WordClass::CardType],
                );
                all.extend(self.subtypes(line));
                all
            }
            (Some((at, '(')), _) => self.argument(line, head, *at),
            _ if head.ends_with(['+', '-']) => self.words(line, &[WordClass::Ability]),
            _ => self.words(line, &[WordClass::Command, WordClass::Duration]),
        }
    }

    fn argument(&self, line: &str, head: &str, paren: usize) -> Vec<Value> {
        let (name, number) = call(head, paren);
        let target = [WordClass::CardType, WordClass::Name, WordClass::Function];
        if name == "to" {
            let mut all = self.words(line, &target);
            all.extend(self.subtypes(line));
            return all;
        }
        let form = CommandName::find(name).map(CommandName::signature);
        match form.and_then(|form| form.arguments.get(number)) {
            Some(ArgKind::Flag) => self.words(line, &[WordClass::Flag]),
            Some(ArgKind::Phase) => self.words(line, &[WordClass::Phase]),
            Some(ArgKind::CostKind) => self.words(line, &[WordClass::Cost]),
            Some(ArgKind::Pile | ArgKind::PileName) => self.words(line, &[WordClass::Pile, WordClass::Zone]),
            Some(ArgKind::Target | ArgKind::Discard) => self.words(line, &target),
            _ => self.words(line, &[WordClass::Name, WordClass::Function]),
        }
    }
}

/// The name before an open parenthesis, and the number of the argument at the end.
fn call(head: &str, paren: usize) -> (&str, usize) {
    let before = head.get(..paren).unwrap_or_default().trim_end_matches('?');
    let name = before.get(word_start(before)..).unwrap_or_default();
    let inner = head.get(paren + 1..).unwrap_or_default();
    let commas = inner.char_indices().filter(|(at, letter)| {
        *letter == ',' && open_brackets(inner.get(..*at).unwrap_or_default()).is_empty()
    });
    (name, commas.count())
}

/// What the command around a byte takes.
pub(crate) fn signature(places: &GamePlaces<'_>, file: FileId, at: usize) -> Option<Value> {
    let source = places.read.sources.find(file)?;
    if Language::in_package(&source.name) != Some(Language::Rules) {
        return None;
    }
    let before = source.text.get(..at)?;
    let line = before.rsplit(['\n', '\r']).next()?;
    if line.trim_start().starts_with('#') {
        return None;
    }
    let open = open_brackets(line);
    let calls = open.iter().rev().filter(|(_, letter)| *letter == '(');
    let mut known = calls.filter_map(|(paren, _)| {
        let (name, number) = call(line, *paren);
        Some((CommandName::find(name)?, number))
    });
    let (command, active) = known.next()?;
    let form = command.signature();
    let inner = form.usage.split_once('(').map_or("", |(_, inner)| inner);
    let parts: Vec<&str> = inner.trim_end_matches(')').split(',').map(str::trim).collect();
    let arguments = form.arguments.iter().enumerate().map(|(index, argument)| {
        let label = parts.get(index).copied().unwrap_or_default();
        json!({ "label": label, "documentation": argument.describe() })
    });
    Some(json!({
        "signatures": [{
            "label": form.usage,
            "documentation": cw_text::one_line(command.meaning()),
            "parameters": arguments.collect::<Vec<Value>>(),
        }],
        "activeSignature": 0,
        "activeParameter": active,
    }))
}
