//! Hints within the lines: names beside ids, and what a command acts on that names no target.

use cw_check::KnownCard;
use cw_load::Language;
use cw_program::{ActsOn, ClosedWord as _, CommandName};
use cw_syntax::{
    Arena, BranchSyntax, EffectSyntaxKind, PropertySyntax, PropertyValueSyntax, StatementBody,
    StatementSyntax, parse_rules,
};
use cw_text::{FileId, Span};
use serde_json::{Value, json};

use crate::told::GamePlaces;

/// Letters of a hint at most: editors cut lines that grow too long.
const LONGEST: usize = 30;
/// The length of an id with its dashes.
const ID: usize = 36;

/// The hints of a stretch.
pub(crate) fn hints(places: &GamePlaces<'_>, file: FileId, within: Span) -> Option<Value> {
    let source = places.read.sources.find(file)?;
    let lower = source.name.to_ascii_lowercase();
    let is_rules = Language::in_package(&source.name) == Some(Language::Rules);
    let mut all: Vec<Value> = Vec::new();
    if is_rules || lower.ends_with(".o8d") || lower.ends_with(".toml") {
        for (span, card) in ids(places, &source.text) {
            if span.touches(within) && !says(&source.text, span, card) {
                let words = format!(
                    "This id is that of “{}”. This is a hint, not part of the text.",
                    card.name
                );
                // Behind the bracket or the quote.
                let at = span.end as usize + 1;
                all.push(hint(places, file, at, &card.name, &words));
            }
        }
    }
    if is_rules {
        let arena = Arena::new();
        for rule in parse_rules(&arena, file, &source.text).rules {
            if !rule.header.body.touches(within) {
                continue;
            }
            // An action may act on what `target` has chosen.
            let is_target = |one: &PropertySyntax<'_>| matches!(one.value, PropertyValueSyntax::Target(_));
            let has_target = rule.rule.properties.iter().any(is_target);
            for property in rule.rule.properties {
                let statements = match &property.value {
                    PropertyValueSyntax::Action(statements) if !has_target => *statements,
                    PropertyValueSyntax::Auto(statements) => *statements,
                    PropertyValueSyntax::Action(_)
                    | PropertyValueSyntax::Target(_)
                    | PropertyValueSyntax::Requisite(_)
                    | PropertyValueSyntax::Vars(_)
                    | PropertyValueSyntax::Abilities(_)
                    | PropertyValueSyntax::Label(_) => continue,
                };
                for (at, words) in statements.iter().flat_map(unaimed) {
                    let more = format!(
                        "Without `to(…)` this acts on {words}. This is a hint, not part of the text."
                    );
                    all.push(hint(places, file, at, &format!("→ {words}"), &more));
                }
            }
        }
    }
    Some(Value::Array(all))
}

fn hint(places: &GamePlaces<'_>, file: FileId, at: usize, words: &str, more: &str) -> Value {
    let shown = match words.chars().count() > LONGEST {
        true => words.chars().take(LONGEST - 1).chain(['…']).collect(),
        false => words.to_owned(),
    };
    json!({
        "position": places.range(file, Span::at(at)).start,
        "label": shown,
        "tooltip": more,
        "paddingLeft": true,
    })
}

/// The ids of cards in a text, each with its card.
fn ids<'a>(places: &GamePlaces<'a>, text: &str) -> Vec<(Span, &'a KnownCard)> {
    let cards = places.read.project.cards();
    let is_part = |byte: u8| byte.is_ascii_hexdigit() || byte == b'-';
    let bytes = text.as_bytes();
    let mut all = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let length = bytes.iter().skip(at).take_while(|byte| is_part(**byte)).count();
        if length == ID
            && let Some(card) = text.get(at..at + ID).and_then(|id| cards.find(id))
        {
            all.push((Span::new(at, at + ID), card));
        }
        at += length.max(1);
    }
    all
}

/// Whether the line says the card's name already, or the comment above it.
fn says(text: &str, span: Span, card: &KnownCard) -> bool {
    let (before, behind) = text.split_at(span.start as usize);
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let line = behind.split('\n').next().unwrap_or_default();
    let head = before.get(start..).unwrap_or_default();
    let above = before
        .get(..start)
        .unwrap_or_default()
        .trim_end()
        .rsplit('\n')
        .next();
    let above = above.unwrap_or_default().trim_start();
    let is_above = head.trim() == "[" && above.trim_start_matches('#').trim() == card.name;
    line.contains(&card.name) || head.contains(&card.name) || is_above && above.starts_with('#')
}

/// The commands of a statement that name no target, by where each ends, with what they act on then (R602).
fn unaimed(statement: &StatementSyntax<'_>) -> Vec<(usize, &'static str)> {
    let branches: Vec<&BranchSyntax<'_>> = match &statement.body {
        StatementBody::Plain(branch) => vec![branch],
        StatementBody::May { branch, .. } => vec![branch],
        StatementBody::If { arms, otherwise } => {
            let arms = arms.iter().map(|arm| &arm.branch);
            arms.chain(otherwise.iter().map(|(_, branch)| branch)).collect()
        }
    };
    let mut all = Vec::new();
    for branch in branches.into_iter().filter(|branch| branch.to.is_none()) {
        for effect in branch.effects {
            let EffectSyntaxKind::Call { name, .. } = &effect.kind else {
                continue;
            };
            let words = match CommandName::find(name.text).map(|command| command.signature().acts_on) {
                Some(ActsOn::CardsOrSource | ActsOn::Cards | ActsOn::Both) => "this card",
                Some(ActsOn::PlayersOnly) => "this card's player",
                // Most commands of players are read so by everybody: `draw(1)` needs no hint.
                Some(
                    ActsOn::Players
                    | ActsOn::CardsElsePile
                    | ActsOn::BothElsePile
                    | ActsOn::Nothing
                    | ActsOn::Rules,
                )
                | None => continue,
            };
            all.push((effect.span.end as usize, words));
        }
    }
    all
}
