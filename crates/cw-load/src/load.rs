use std::collections::BTreeMap;
use std::sync::Arc;

use cw_duel::{Ability, AbilityKind, Game, Model};
use cw_octgn::{Card, CardRef, ContentHash, Files, FilesError, Limits, Package};
use cw_program::{CardType, ModelId, NameId, SubtypeId};
use cw_text::{Code, Diagnostic, Severity, Sources, Span};

use crate::config::Config;
use crate::rules::{RuleText, read_rules};

/// A package as a game, with what is wrong with it.
#[derive(Debug)]
pub struct Loaded {
    /// The package as it was read.
    pub package: Package,
    /// The settings in force.
    pub config: Config,
    /// The game; none if the package cannot be played at all, see the diagnostics.
    pub game: Option<Arc<Game>>,
    /// The decks of the package.
    pub decks: Vec<LoadedDeck>,
    /// What was found: in the package, in `game.toml`, in the rules.
    pub diagnostics: Vec<Diagnostic>,
    /// Which card of the package each model is.
    pub cards: Vec<CardRef>,
    /// Where the rule of each model is written.
    pub rules: BTreeMap<ModelId, RuleText>,
}

/// A deck with its cards as models.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadedDeck {
    /// Its name: the file's without folder and extension.
    pub name: String,
    /// Its cards, in the deck's order.
    pub cards: Vec<ModelId>,
    /// Lines whose card the package does not have (P134).
    pub missing: Vec<String>,
}

/// The world is wrong.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The files cannot be had.
    #[error(transparent)]
    Files(#[from] FilesError),
}

/// What the package lacks to be played.
const CW001: Code = Code("CW001");

/// More cards, or kinds of them, than a game can number.
const CW003: Code = Code("CW003");

/// The most cards of a game, and the most subtypes: their numbers have 16 bits, because the state of a
/// duel holds one for each card; the last number means none.
const MOST: usize = u16::MAX as usize;

/// The place of the settings (D60).
const GAME_TOML: &str = "Rules/game.toml";

/// Reads a package and makes a game of it.
///
/// # Errors
/// Only when the files cannot be had; what is wrong with the package is in the diagnostics.
pub fn load(files: &dyn Files) -> Result<Loaded, LoadError> {
    let limits = Limits::default();
    let mut package = Package::read(files)?;
    let mut diagnostics = std::mem::take(&mut package.diagnostics);
    let config = read_config(files, &limits, &mut package.sources, &mut diagnostics)?;
    let hash = ContentHash::of(files, &limits)?;
    let unreadable =
        |diagnostic: &Diagnostic| diagnostic.code.0 < "PK007" && diagnostic.severity == Severity::Error;
    let readable = package.has_definition && config.is_some() && !diagnostics.iter().any(unreadable);
    let config = config.unwrap_or_default();
    let (mut game, cards) = make_game(&package, &config, &hash);
    let surplus = too_many(&package, &game);
    let playable = readable && surplus.is_none();
    diagnostics.extend(surplus);
    let rules = read_rules(files, &limits, &mut game, &mut package.sources, &mut diagnostics)?;
    let models = numbers(&cards);
    let decks = package
        .decks
        .iter()
        .map(|deck| make_deck(&package, deck, &models))
        .collect();
    if playable && game.models.is_empty() {
        let (file, _) = package.sources.iter().next().unzip();
        diagnostics.push(Diagnostic::new(
            CW001,
            Severity::Error,
            file.unwrap_or_default(),
            Span::at(0),
            "the package has no cards",
        ));
    }
    let game = (playable && !game.models.is_empty()).then(|| Arc::new(game));
    Ok(Loaded {
        package,
        config,
        game,
        decks,
        diagnostics,
        cards,
        rules,
    })
}

impl Loaded {
    /// What keeps rules from being understood; their cards are played without them (D38).
    pub fn rule_errors(&self) -> impl Iterator<Item = &Diagnostic> {
        let of_rules = |found: &&Diagnostic| found.code.0.starts_with("RS");
        self.diagnostics
            .iter()
            .filter(of_rules)
            .filter(|found| found.severity == Severity::Error)
    }

    /// Reads a deck that is not part of the package; what is wrong with it comes with the text it
    /// speaks of.
    pub fn read_deck(&self, name: &str, bytes: Vec<u8>) -> (Option<LoadedDeck>, Sources, Vec<Diagnostic>) {
        let limits = Limits::default();
        let mut sources = Sources::new();
        let (deck, found) = cw_octgn::Deck::read(name, bytes, &limits, &mut sources);
        (
            deck.map(|deck| make_deck(&self.package, &deck, &self.numbers())),
            sources,
            found,
        )
    }

    /// Which model each card of the package is.
    pub fn numbers(&self) -> BTreeMap<CardRef, ModelId> {
        numbers(&self.cards)
    }
}

fn numbers(cards: &[CardRef]) -> BTreeMap<CardRef, ModelId> {
    let numbered = cards.iter().enumerate();
    numbered
        .map(|(index, card)| (*card, ModelId(number(index))))
        .collect()
}

/// The number of a card, a name or a subtype. Where there are more than [`MOST`], no game is made.
fn number(index: usize) -> u16 {
    u16::try_from(index).unwrap_or(u16::MAX)
}

/// What there is too much of to be played.
fn too_many(package: &Package, game: &Game) -> Option<Diagnostic> {
    let kinds = [
        (package.cards().count(), "cards"),
        (game.subtypes.len(), "subtypes"),
    ];
    let (count, what) = kinds.into_iter().find(|(count, _)| *count > MOST)?;
    let (file, _) = package.sources.iter().next().unzip();
    let message = format!("the package has {count} {what}; at most {MOST} can be played with");
    Some(Diagnostic::new(
        CW003,
        Severity::Error,
        file.unwrap_or_default(),
        Span::at(0),
        message,
    ))
}

/// The settings; `None` if there are some and they are wrong.
fn read_config(
    files: &dyn Files,
    limits: &Limits,
    sources: &mut Sources,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<Option<Config>, FilesError> {
    if !files.list()?.iter().any(|name| name == GAME_TOML) {
        return Ok(Some(Config::default()));
    }
    let bytes = files.read(GAME_TOML, limits.file)?;
    let text = String::from_utf8_lossy(&bytes);
    let file = sources.add(GAME_TOML, &*text);
    Ok(match Config::read(&text, file) {
        Ok(config) => Some(config),
        Err(diagnostic) => {
            diagnostics.push(*diagnostic);
            None
        }
    })
}

/// Every card of every set becomes a model.
fn make_game(package: &Package, config: &Config, hash: &ContentHash) -> (Game, Vec<CardRef>) {
    let mut subtypes = Numbers::default();
    let mut names = Numbers::default();
    // By (name, id): how files are arranged must not show in a duel (D29).
    let mut sorted: Vec<(CardRef, &Card)> = package.cards().collect();
    sorted.sort_by_cached_key(|(_, card)| (card.name.value.to_lowercase(), card.id.value.to_string()));
    let mut models = Vec::new();
    let mut cards = Vec::new();
    for (at, card) in sorted.into_iter().take(MOST) {
        let model = make_model(card, config, &mut subtypes, &mut names);
        models.push(model);
        cards.push(at);
    }
    let name = config
        .game
        .name
        .clone()
        .unwrap_or_else(|| package.definition.name.to_string());
    let game = Game {
        name,
        fingerprint: format!("{} {hash}", package.definition.id.value),
        constants: config.constants(),
        models,
        subtypes: subtypes.spelled,
        names: names
            .spelled
            .into_iter()
            .map(|name| name.to_lowercase().into())
            .collect(),
    };
    (game, cards)
}

fn make_model(card: &Card, config: &Config, subtypes: &mut Numbers, names: &mut Numbers) -> Model {
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
    Model {
        id: card.id.value.to_string().into(),
        name: card.name.value.as_str().into(),
        name_id: NameId(names.number(&card.name.value)),
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

fn card_type(value: &str, config: &Config) -> Option<CardType> {
    let types = &config.types;
    [
        (&types.character, CardType::Character),
        (&types.action, CardType::Action),
        (&types.reaction, CardType::Reaction),
    ]
    .into_iter()
    .find(|(name, _)| name.eq_ignore_ascii_case(value))
    .map(|(_, card_type)| card_type)
}

/// The symbol from the property of ability types, else from the start of the ability (G8, G9).
fn ability(card: &Card, config: &Config) -> Option<Ability> {
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
    .find(|(name, _)| name.as_str() == symbol)
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

fn make_deck(package: &Package, deck: &cw_octgn::Deck, models: &BTreeMap<CardRef, ModelId>) -> LoadedDeck {
    let resolved = package.resolve(deck);
    let mut cards = Vec::new();
    for line in resolved
        .sections
        .iter()
        .filter(|section| !section.shared)
        .flat_map(|section| &section.lines)
    {
        // A deck of more cards than a duel can hold is refused later, by its size.
        let copies = line.quantity.min(1000) as usize;
        cards.extend(
            models
                .get(&line.card)
                .into_iter()
                .flat_map(|model| std::iter::repeat_n(*model, copies)),
        );
    }
    let missing = resolved.missing.iter().map(|(section, line)| {
        let line = &deck.sections[*section].cards[*line];
        format!("{} ({})", line.name.value, line.id.value)
    });
    LoadedDeck {
        name: deck.name.to_string(),
        cards,
        missing: missing.collect(),
    }
}

/// Gives each text a number, regardless of case.
#[derive(Default)]
struct Numbers {
    known: BTreeMap<String, u16>,
    spelled: Vec<Box<str>>,
}

impl Numbers {
    fn number(&mut self, text: &str) -> u16 {
        let next = number(self.spelled.len());
        let number = *self.known.entry(text.to_lowercase()).or_insert(next);
        if number == next {
            self.spelled.push(text.into());
        }
        number
    }
}
