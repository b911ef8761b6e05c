//! What a card *is*: type, subtype, back-ups, ability, numbers, text. Decided here from the package and
//! `game.toml`, and nowhere else (D71).

use std::collections::BTreeMap;

use cw_check::{AbilityType, KnownCards};
use cw_duel::{Ability, AbilityKind, CardModel, Game};
use cw_octgn::{CardRef, Package, PackageCard};
use cw_program::{CardNameId, CardType, ModelId, SubtypeId};

use crate::config::Config;

/// The most cards of a game, and the most subtypes: their numbers have 16 bits, because the state of a duel
/// holds one for each card; the last number means none.
pub(crate) const MAX_MODELS: usize = u16::MAX as usize;

/// Every card of every set as a model without a rule, by (name, id): how files are arranged must not show in
/// a duel (D29). What a game cannot hold is left out.
pub(crate) fn bare_game(name: &str, package: &Package, config: &Config) -> (Game, Vec<CardRef>) {
    let mut subtypes = Numbers::default();
    let mut names = Numbers::default();
    let mut sorted: Vec<(CardRef, &PackageCard)> = package.cards().collect();
    sorted.sort_by_cached_key(|(_, card)| (card.name.value.to_lowercase(), card.id.value.to_string()));
    let (refs, models) = sorted
        .into_iter()
        .take(MAX_MODELS)
        .map(|(at, card)| (at, model(card, config, &mut subtypes, &mut names)))
        .unzip();
    let game = Game {
        name: name.to_owned(),
        constants: config.constants.clone(),
        models,
        subtypes: subtypes.spelled,
        names: names
            .spelled
            .iter()
            .map(|name| name.to_lowercase().into())
            .collect(),
        ..Game::default()
    };
    (game, refs)
}

fn model(card: &PackageCard, config: &Config, subtypes: &mut Numbers, names: &mut Numbers) -> CardModel {
    let properties = &config.properties;
    let text = |name: &str| card.text(name).unwrap_or("").trim();
    let number = |name: &str| text(name).parse::<i32>().unwrap_or(0);
    let card_type = card_type(text(&properties.card_type), config);
    let is_character = card_type == Some(CardType::Character);
    let subtype = text(&properties.subtype);
    let icons = properties
        .backups
        .iter()
        .map(|name| text(name))
        .filter(|icon| !icon.is_empty());
    CardModel {
        id: card.id.value.to_string().into(),
        name: card.name.value.as_str().into(),
        name_id: CardNameId(names.number(&card.name.value)),
        card_type,
        subtype: (is_character && !subtype.is_empty()).then(|| SubtypeId(subtypes.number(subtype))),
        bp: number(&properties.bp).max(0),
        sp: number(&properties.sp),
        ability: ability(card, config).filter(|_| is_character),
        text: text(&properties.rules).into(),
        backups: icons.map(|icon| SubtypeId(subtypes.number(icon))).collect(),
        program: None,
    }
}

/// The type that a value means, in any case.
pub(crate) fn card_type(value: &str, config: &Config) -> Option<CardType> {
    let types = &config.types;
    let same = |name: &str| !name.is_empty() && name.eq_ignore_ascii_case(value.trim());
    [
        (&types.character, CardType::Character),
        (&types.action, CardType::Action),
        (&types.reaction, CardType::Reaction),
    ]
    .into_iter()
    .find(|(name, _)| same(name))
    .map(|(_, card_type)| card_type)
}

/// The symbol from the property of ability types, else from the start of the ability (G8, G9).
fn ability(card: &PackageCard, config: &Config) -> Option<Ability> {
    let properties = &config.properties;
    let text = |name: &str| card.text(name).unwrap_or("").trim();
    let whole = text(&properties.ability);
    let symbol = match text(&properties.ability_type) {
        "" => whole.split_whitespace().next().unwrap_or(""),
        symbol => symbol,
    };
    let abilities = &config.abilities;
    let kind = [
        (&abilities.instant, AbilityKind::Instant),
        (&abilities.triggered, AbilityKind::Triggered),
        (&abilities.auto, AbilityKind::Auto),
    ]
    .into_iter()
    .find(|(name, _)| !name.is_empty() && name.eq_ignore_ascii_case(symbol))
    .map(|(_, kind)| kind)?;
    let name = match text(&properties.ability_name) {
        "" => whole.strip_prefix(symbol).unwrap_or(whole).trim(),
        name => name,
    };
    Some(Ability {
        kind,
        name: name.into(),
    })
}

/// The names of a game's cards, subtypes and models, with the numbers they have in the game: what rules
/// are compiled with, and checked against.
pub fn names(game: &Game) -> KnownCards {
    let card = |model: &CardModel| cw_check::KnownCard {
        id: model.id.to_string(),
        name: model.name.to_string(),
        card_type: model.card_type,
        subtype: model
            .subtype
            .map(|subtype| game.subtypes[usize::from(subtype.0)].to_string()),
        ability: model.ability_kind().map(|kind| match kind {
            AbilityKind::Instant => AbilityType::Instant,
            AbilityKind::Triggered => AbilityType::Triggered,
            AbilityKind::Auto => AbilityType::Auto,
        }),
        text: model.text.to_string(),
    };
    let cards = game.models.iter().map(card).collect();
    KnownCards::numbered(cards, &game.subtypes, &game.names)
}

/// Which model each card of the package is.
pub(crate) fn models_of(refs: &[CardRef]) -> BTreeMap<CardRef, ModelId> {
    let numbered = (0u16..).zip(refs);
    numbered.map(|(model, card)| (*card, ModelId(model))).collect()
}

/// Gives each text a number, regardless of case.
#[derive(Default)]
struct Numbers {
    known: BTreeMap<String, u16>,
    spelled: Vec<Box<str>>,
}

impl Numbers {
    fn number(&mut self, text: &str) -> u16 {
        // The last number means "none".
        let next = u16::try_from(self.spelled.len()).unwrap_or(u16::MAX);
        let number = *self.known.entry(text.to_lowercase()).or_insert(next);
        if number == next && next < u16::MAX {
            self.spelled.push(text.into());
        }
        number
    }
}
