//! The cards, their numbers and the decks.

use std::sync::Arc;

use cw_duel::{Ability, AbilityKind, CardModel, Constants, Decks, Game, PerSeat};
use cw_program::{CardNameId, CardType, CompiledRule, ModelId, PackageNames, SubtypeId, compile};
use cw_syntax::{Arena, parse};
use cw_text::{FileId, Severity, Span};

use super::bytes::ByteSource;
use super::names::{SUBTYPES, guid, name};
use super::rule;

/// A game of random cards, with two decks that are legal in it.
#[derive(Clone, Debug)]
pub struct RandomGame {
    /// The game.
    pub game: Arc<Game>,
    /// A deck for each player.
    pub decks: Decks,
    /// The rule of each card, as text; empty where it has none.
    pub texts: Vec<String>,
    /// What the compiler refused, in words: nothing, or the generator is wrong.
    pub refused: Vec<String>,
}

impl RandomGame {
    /// Reads a game off the bytes; what they say behind it is left for choices.
    pub fn read(bytes: &mut ByteSource<'_>) -> RandomGame {
        let count = 8 + bytes.below(9);
        let mut game = Game {
            name: "random".into(),
            constants: constants(bytes, count),
            subtypes: SUBTYPES.map(Into::into).to_vec(),
            ..Game::default()
        };
        let mut texts = Vec::with_capacity(count);
        for number in 0..count {
            let (model, text) = card(bytes, number, count);
            game.names.push(model.name.to_lowercase().into());
            game.models.push(model);
            texts.push(text);
        }
        let mut refused = Vec::new();
        let rules: Vec<Option<CompiledRule>> = {
            let names = NamedCards(&game);
            texts
                .iter()
                .map(|text| compiled(text, &names, &mut refused))
                .collect()
        };
        for (model, rule) in game.models.iter_mut().zip(rules) {
            if let Some(rule) = rule {
                model.set_rule(rule);
            }
        }
        let size = usize::from(game.constants.deck_size);
        let decks = PerSeat::from_fn(|_| deck(bytes.below(count), size, count));
        RandomGame {
            game: Arc::new(game),
            decks,
            texts,
            refused,
        }
    }
}

/// Numbers with which every kind of end comes up soon.
fn constants(bytes: &mut ByteSource<'_>, cards: usize) -> Constants {
    let small = |number: i32| u8::try_from(number).unwrap_or(u8::MAX);
    let copies = bytes.between(2, 3);
    let most = i32::try_from(cards).unwrap_or(8) * copies;
    Constants {
        ring_slots: small(bytes.between(2, 4)),
        characters_per_turn: small(bytes.between(1, 2)),
        backups_per_turn: small(bytes.between(1, 2)),
        united_sp: -bytes.between(0, 2),
        copies: small(copies),
        opening_hand: small(bytes.between(3, 6)),
        hp: 100 * bytes.between(8, 40),
        sp: bytes.between(0, 6),
        deck_size: small(bytes.between(12, most.min(30))),
        max_turns: 24,
        max_free_actions: 30,
        max_steps: 1500,
        ..Constants::default()
    }
}

fn card(bytes: &mut ByteSource<'_>, number: usize, count: usize) -> (CardModel, String) {
    // Two of three are characters, as in most games.
    let card_type = match bytes.below(6) {
        0..=3 => CardType::Character,
        4 => CardType::Action,
        _ => CardType::Reaction,
    };
    let character = card_type == CardType::Character;
    let kind = match bytes.below(4) {
        _ if !character => None,
        0 => None,
        1 => Some(AbilityKind::Instant),
        2 => Some(AbilityKind::Triggered),
        _ => Some(AbilityKind::Auto),
    };
    let text = rule::text(bytes, card_type, kind, count);
    let small = |number: usize| u16::try_from(number).unwrap_or(0);
    let subtype = |bytes: &mut ByteSource<'_>| SubtypeId(small(bytes.below(SUBTYPES.len())));
    let icons = if character { 1 + bytes.below(3) } else { 0 };
    let model = CardModel {
        id: guid(number).into(),
        name: name(number).into(),
        name_id: CardNameId(small(number)),
        card_type: Some(card_type),
        subtype: character.then(|| subtype(bytes)),
        bp: if character { 100 * bytes.between(1, 9) } else { 0 },
        sp: bytes.between(-2, if character { 4 } else { 0 }),
        ability: kind.map(|kind| Ability {
            kind,
            name: "RANDOM".into(),
        }),
        text: if text.is_empty() {
            ""
        } else {
            "What its rule says."
        }
        .into(),
        backups: (0..icons).map(|_| subtype(bytes)).collect(),
        program: None,
    };
    (model, text)
}

/// Copies of all cards in turn, from some card on.
fn deck(from: usize, size: usize, cards: usize) -> Vec<ModelId> {
    let model = |at: usize| ModelId(u16::try_from((from + at) % cards).unwrap_or(0));
    (0..size).map(model).collect()
}

fn compiled(text: &str, names: &NamedCards<'_>, refused: &mut Vec<String>) -> Option<CompiledRule> {
    if text.is_empty() {
        return None;
    }
    let arena = Arena::new();
    let parsed = parse(&arena, FileId(0), text, Span::new(0, text.len()));
    let compiled = compile(FileId(0), text, &parsed.rule, names);
    let mut errors = parsed
        .diagnostics
        .iter()
        .chain(&compiled.diagnostics)
        .filter(|found| found.severity == Severity::Error)
        .map(|found| format!("{} {}: {text}", found.code, found.message))
        .peekable();
    if errors.peek().is_some() {
        refused.extend(errors);
        return None;
    }
    Some(compiled.rule)
}

/// The cards by the names that the generator uses.
struct NamedCards<'a>(&'a Game);

impl PackageNames for NamedCards<'_> {
    fn subtype(&self, name: &str) -> Option<SubtypeId> {
        let mut all = self.0.subtypes.iter();
        let at = all.position(|subtype| subtype.eq_ignore_ascii_case(name))?;
        Some(SubtypeId(u16::try_from(at).ok()?))
    }

    fn card_name(&self, name: &str) -> Option<CardNameId> {
        let at = self.0.names.iter().position(|other| **other == *name)?;
        Some(CardNameId(u16::try_from(at).ok()?))
    }

    fn model(&self, guid: &str) -> Option<ModelId> {
        let mut all = self.0.models.iter();
        let at = all.position(|model| model.id.eq_ignore_ascii_case(guid))?;
        Some(ModelId(u16::try_from(at).ok()?))
    }
}
