//! Cards by their names.

use cw_duel::Game;
use cw_program::{ClosedWord, Keyword, ModelId};
use cw_text::{Span, nearest};

use crate::node::{CARD, KIND, ScenarioFault, ScenarioKey, ScenarioNode, ScenarioValue};

/// Where a name is written: which of several cards of the name it can mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NamePlace {
    /// In a pile lie all cards that can be played.
    Pile,
    /// In a ring stand characters, and behind them others as back-ups.
    Ring,
}

/// All cards with this whole name, in any case, or the one with this id.
pub(crate) fn all(game: &Game, name: &str) -> Vec<ModelId> {
    let name = name.trim();
    let named: Vec<ModelId> = game.named(name).collect();
    if !named.is_empty() {
        return named;
    }
    let with_id = game
        .numbered()
        .filter(|(_, model)| model.id.eq_ignore_ascii_case(name));
    with_id.map(|(number, _)| number).take(1).collect()
}

/// What names this card and no other: its name, or its id where several cards share the name.
///
/// # Panics
/// If the game has no such card.
pub fn unambiguous_name(game: &Game, model: ModelId) -> &str {
    let model = game.model(model);
    match game.named(&model.name).nth(1) {
        None => &model.name,
        Some(_) => &model.id,
    }
}

/// All cards of the name, at least one; else says which one was probably meant.
pub(crate) fn cards(game: &Game, name: &str, span: Span) -> Result<Vec<ModelId>, ScenarioFault> {
    let found = all(game, name);
    if !found.is_empty() {
        return Ok(found);
    }
    let fault = ScenarioFault::new(CARD, span, format!("{} has no card “{name}”", game.name));
    let names = game.models.iter().map(|model| &*model.name);
    Err(match nearest(name, names).or_else(|| containing(game, name)) {
        Some(nearest) => fault.help(format!("did you mean “{nearest}”?")),
        None => fault,
    })
}

/// The card that a name means in this place.
pub(crate) fn card(game: &Game, name: &str, place: NamePlace, span: Span) -> Result<ModelId, ScenarioFault> {
    let found = cards(game, name, span)?;
    let fits = |number: &ModelId| match place {
        NamePlace::Pile => game.model(*number).card_type.is_some(),
        NamePlace::Ring => game.model(*number).is_character(),
    };
    let fitting: Vec<ModelId> = found.iter().copied().filter(fits).collect();
    match fitting[..] {
        [only] => Ok(only),
        // What cannot lie there is refused with the position.
        [] => Ok(found[0]),
        _ => Err(ambiguous(game, name, &fitting, span)),
    }
}

/// Several cards share the name, and nothing tells which is meant.
pub(crate) fn ambiguous(game: &Game, name: &str, found: &[ModelId], span: Span) -> ScenarioFault {
    let ids: Vec<&str> = found.iter().map(|number| &*game.model(*number).id).collect();
    ScenarioFault::new(CARD, span, format!("{} cards are called “{name}”", ids.len()))
        .help(format!("write the id of the one you mean: {}", ids.join(", ")))
}

/// The only card whose name contains the words.
fn containing<'g>(game: &'g Game, words: &str) -> Option<&'g str> {
    let words = words.trim().to_lowercase();
    let mut found = game
        .models
        .iter()
        .filter(|model| words.len() > 2 && model.name.to_lowercase().contains(&words));
    match (found.next(), found.next()) {
        (Some(model), None) => Some(&model.name),
        _ => None,
    }
}

/// Words after a character's name, and the key of the table that they stand for. A keyword means the ability:
/// the mark of the same name has only the long form.
const MARKS: [(&str, &str); 7] = [
    ("fresh", "fresh"),
    ("frozen", "frozen"),
    ("activated", "activated"),
    ("attacks", "attacks"),
    ("follows", "follows"),
    ("blocks", "blocks"),
    ("pierces", "pierces"),
];

/// A character in short form, as `Crumb 500 frozen, not fresh + Auntie Rye`, becomes the table that
/// it stands for; a table stays what it is. Empty text is an empty slot.
pub(crate) fn character(game: &Game, node: &ScenarioNode) -> Result<Option<ScenarioNode>, ScenarioFault> {
    let text = match &node.value {
        ScenarioValue::Text(text) => text.trim(),
        ScenarioValue::Table(_) => return Ok(Some(node.clone())),
        ScenarioValue::Number(_) | ScenarioValue::Bool(_) | ScenarioValue::List(_) => {
            return Err(ScenarioFault::new(
                KIND,
                node.span,
                format!("expected a character, found {}", node.kind()),
            ));
        }
    };
    if text.is_empty() || text == "-" {
        return Ok(None);
    }
    let mut parts = text.split(" + ");
    let first = parts.next().unwrap_or_default();
    let (name, rest) = longest_name(game, first, node.span)?;
    let mut entries = Vec::new();
    let mut add = |name: &str, value: ScenarioValue| {
        let span = node.span;
        let key = ScenarioKey {
            span,
            name: name.to_owned(),
        };
        entries.push((key, ScenarioNode { span, value }));
    };
    add("card", ScenarioValue::Text(name));
    let mut keywords = Vec::new();
    let mut not = false;
    for word in rest.split([' ', ',']).filter(|word| !word.is_empty()) {
        if word == "not" {
            not = true;
            continue;
        }
        let mark = MARKS.iter().find(|(spelling, _)| *spelling == word);
        if let Ok(bp) = word.parse::<i64>() {
            add("bp", ScenarioValue::Number(bp));
        } else if word == "BP" {
            continue;
        } else if let Some((_, key)) = mark {
            add(key, ScenarioValue::Bool(!not));
        } else if Keyword::find(word).is_some() && !not {
            keywords.push(ScenarioNode {
                span: node.span,
                value: ScenarioValue::Text(word.to_lowercase()),
            });
        } else {
            return Err(unknown_word(word, node.span));
        }
        not = false;
    }
    if !keywords.is_empty() {
        add("abilities", ScenarioValue::List(keywords));
    }
    let backups: Vec<ScenarioNode> = parts
        .map(|name| ScenarioNode {
            span: node.span,
            value: ScenarioValue::Text(name.trim().to_owned()),
        })
        .collect();
    if !backups.is_empty() {
        add("backups", ScenarioValue::List(backups));
    }
    Ok(Some(ScenarioNode {
        span: node.span,
        value: ScenarioValue::Table(entries),
    }))
}

fn unknown_word(word: &str, span: Span) -> ScenarioFault {
    let fault = ScenarioFault::new(KIND, span, format!("“{word}” says nothing about a character"));
    let words = MARKS
        .iter()
        .map(|(word, _)| *word)
        .chain(Keyword::ALL.iter().map(|keyword| keyword.word()));
    match nearest(word, words) {
        Some(nearest) => fault.help(format!("did you mean “{nearest}”?")),
        None => fault.help(
            "after the name: BP, `fresh`, `frozen`, `activated`, \
             `attacks`, `not …`, keyword abilities, `+ Back-up`",
        ),
    }
}

/// The longest name, or the id, that the text begins with, and what follows.
fn longest_name<'t>(game: &Game, text: &'t str, span: Span) -> Result<(String, &'t str), ScenarioFault> {
    let mut best: Option<&str> = None;
    for model in &game.models {
        let length = model.name.len();
        let begins = text
            .get(..length)
            .is_some_and(|start| start.to_lowercase() == model.name.to_lowercase())
            && text[length..]
                .chars()
                .next()
                .is_none_or(|next| next == ' ' || next == ',');
        if begins && best.is_none_or(|best| length > best.len()) {
            best = Some(&model.name);
        }
    }
    let (id, rest) = text.split_once(' ').unwrap_or((text, ""));
    match best {
        Some(name) => Ok((name.to_owned(), &text[name.len()..])),
        None if !all(game, id).is_empty() => Ok((id.to_owned(), rest)),
        None => {
            // The words before the first number or mark are what was meant as the name.
            let words: Vec<&str> = text
                .split(' ')
                .take_while(|word| {
                    word.parse::<i64>().is_err() && !MARKS.iter().any(|(mark, _)| mark == word)
                })
                .collect();
            let name = words.join(" ");
            let found = cards(game, if name.is_empty() { text } else { &name }, span)?;
            Ok((game.model(found[0]).name.to_string(), ""))
        }
    }
}
