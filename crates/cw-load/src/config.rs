//! `Rules/game.toml`: what the cards' properties mean, the numbers of the game, what a deck has to be, and
//! how much findings weigh (D60, D71, D72). Its one reader; every key stands in [`KEYS`].

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use cw_check::{SeverityLevel, SeveritySettings};
use cw_duel::{Constants, MAX_FOLLOWERS, MAX_SLOTS};
use cw_syntax::rs;
use cw_text::{Diagnostic, FileId, FindingCode, Safety, Severity, Span, nearest};
use toml::Spanned;
use toml::de::DeValue;

use crate::face::{FaceSection, ImportSection, PicturePlace, SearchSection};
use crate::toml_reader::{ConfigName, TomlReader, sorted};

/// The settings of a game: the defaults of the specification, and what `game.toml` changes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Config {
    /// The name to show; default: the definition's.
    pub name: Option<String>,
    /// The numbers of the game.
    pub constants: Constants,
    /// Which property of a card holds what.
    pub properties: Properties,
    /// The values of the property of ability types.
    pub abilities: Abilities,
    /// The values of the property of card types.
    pub types: Types,
    /// What a deck has to be; none if the file does not say.
    pub deck: Option<DeckConfig>,
    /// What stands where on the faces of cards.
    pub face: FaceSection,
    /// How cards are searched.
    pub search: SearchSection,
    /// What the columns of imported spreadsheets mean.
    pub import: ImportSection,
    /// Whom one can play against, the easiest first.
    pub opponents: Vec<OpponentConfig>,
    /// Severities of findings by code.
    pub severities: SeveritySettings,
    /// The properties that the file names, with their places.
    pub(crate) named: Vec<(String, Span)>,
}

/// `[properties]`: names of custom properties of the definition (G8). In a [`Project`](crate::Project) they
/// are spelled as the definition does.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each field is named after what it holds")]
pub struct Properties {
    pub card_type: String,
    pub subtype: String,
    pub bp: String,
    pub sp: String,
    pub ability: String,
    pub ability_type: String,
    pub ability_name: String,
    pub rules: String,
    pub backups: Vec<String>,
    pub rarity: String,
}

impl Default for Properties {
    fn default() -> Properties {
        Properties {
            card_type: "Type".into(),
            subtype: "Subtype".into(),
            bp: "BP".into(),
            sp: "SP".into(),
            ability: "Ability".into(),
            ability_type: "Ability Type".into(),
            ability_name: "Ability Name".into(),
            rules: "Rules".into(),
            backups: vec!["Backup 1".into(), "Backup 2".into(), "Backup 3".into()],
            rarity: "Rarity".into(),
        }
    }
}

impl Properties {
    /// All names, to be spelled otherwise.
    pub(crate) fn all_mut(&mut self) -> impl Iterator<Item = &mut String> {
        let Properties {
            card_type,
            subtype,
            bp,
            sp,
            ability,
            ability_type,
            ability_name,
            rules,
            backups,
            rarity,
        } = self;
        let single = [
            card_type,
            subtype,
            bp,
            sp,
            ability,
            ability_type,
            ability_name,
            rules,
            rarity,
        ];
        single.into_iter().chain(backups)
    }
}

/// `[abilities]`: the symbols in the cards' data (G9).
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each field is named after what it holds")]
pub struct Abilities {
    pub instant: String,
    pub triggered: String,
    pub auto: String,
}

impl Default for Abilities {
    fn default() -> Abilities {
        Abilities {
            instant: "\u{a2}".into(),
            triggered: "\u{a3}".into(),
            auto: "\u{a4}".into(),
        }
    }
}

/// `[types]`: the card types in the cards' data.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each field is named after what it holds")]
pub struct Types {
    pub character: String,
    pub action: String,
    pub reaction: String,
}

impl Default for Types {
    fn default() -> Types {
        Types {
            character: "Character".into(),
            action: "Action".into(),
            reaction: "Reaction".into(),
        }
    }
}

/// `[deck]`: what a deck has to be (D72). What is not given is as for all games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeckConfig {
    /// How many cards, least and most.
    pub size: Option<RangeInclusive<u32>>,
    /// How many of one card at most.
    pub copies: Option<u32>,
    /// Names of cards of which there may be another number, with their places; none: any number.
    pub exceptions: Vec<(String, Span, Option<u32>)>,
    /// How many cards in sections of these names, with their places.
    pub sections: Vec<(String, Span, RangeInclusive<u32>)>,
    /// How many cards a deck of a sealed game or a draft has.
    pub limited_size: Option<RangeInclusive<u32>>,
    /// How many of one card at most in a sealed game or a draft.
    pub limited_copies: Option<u32>,
}

/// `[[opponents]]`: somebody for whom the computer plays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OpponentConfig {
    /// What they are called.
    pub name: String,
    /// The name of the card whose illustration is their face.
    pub card: Option<Mention>,
    /// The name of their deck, as its file is called.
    pub deck: Option<Mention>,
    /// How well the computer plays for them.
    pub level: String,
    /// Who they are, in a few words.
    pub about: String,
    /// What they say when a duel begins, after a good blow of theirs, and at the end.
    pub lines: [String; 3],
}

/// A name of something else in the package, with its place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mention {
    /// The name.
    pub name: String,
    /// Where it stands.
    pub(crate) span: Span,
}

/// The names of the computer's levels.
pub const LEVELS: &[&str] = &["random", "plain", "novice", "easy", "normal", "hard", "expert"];

/// A fault in `game.toml`: it is no TOML, a key is unknown, a value is of another kind or too large.
pub(crate) const GT001: FindingCode = FindingCode("GT001");

/// What a key wants.
enum WantedValue {
    /// A whole number from the first to the second.
    Number(i64, i64, fn(&mut Constants, i64)),
    /// The name of a property of cards.
    Property(fn(&mut Properties) -> &mut String),
    /// Names of properties.
    Properties(fn(&mut Properties) -> &mut Vec<String>),
    /// Properties on faces; with a slash between, several in one place.
    Shown(fn(&mut FaceSection) -> &mut Vec<String>),
    /// Any text but an empty one.
    Text(fn(&mut Config) -> &mut String),
    /// What its section's own function reads.
    Own(ConfigValueKind),
}

struct ConfigKey {
    section: &'static str,
    name: &'static str,
    wanted: WantedValue,
    /// What a person has to know of it.
    meaning: &'static str,
    /// As it would stand in the file; empty: nothing.
    default: &'static str,
    /// A value that means something else.
    example: &'static str,
}

/// What kind of value a key has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConfigValueKind {
    /// A whole number from the first to the second.
    Number(i64, i64),
    /// A text.
    Text,
    /// A list of texts.
    Texts,
    /// A number, or a table with `min` and `max`; each from the first to the second.
    Range(i64, i64),
    /// A table of whole numbers, from the first to the second, under names that the game chooses.
    Numbers(i64, i64),
    /// A table of ranges, as [`ConfigValueKind::Range`], under names that the game chooses.
    Ranges(i64, i64),
    /// A table of texts, under names that the game chooses.
    Names,
    /// One of these words.
    Word(&'static [&'static str]),
}

/// A key of `Rules/game.toml`, for people and for editors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameSetting {
    /// The section, without brackets; `deck.limited` is a section inside `deck`.
    pub section: &'static str,
    /// The key; empty where the game chooses the keys of the section.
    pub key: &'static str,
    /// What it means: the beginning of a sentence.
    pub meaning: &'static str,
    /// What its value may be.
    pub kind: ConfigValueKind,
    /// What holds without the key, as it would stand in the file; empty: nothing.
    pub default: &'static str,
    /// A value that means something else, as it would stand in the file.
    pub example: &'static str,
}

/// Every key that the reader knows, in the order of the file's description.
pub fn settings() -> impl Iterator<Item = GameSetting> {
    KEYS.iter().map(|key| GameSetting {
        section: key.section,
        key: key.name,
        meaning: key.meaning,
        kind: match key.wanted {
            WantedValue::Number(least, most, _) => ConfigValueKind::Number(least, most),
            WantedValue::Property(_) | WantedValue::Text(_) => ConfigValueKind::Text,
            WantedValue::Properties(_) | WantedValue::Shown(_) => ConfigValueKind::Texts,
            WantedValue::Own(kind) => kind,
        },
        default: key.default,
        example: key.example,
    })
}

const U8: i64 = u8::MAX as i64;
const U16: i64 = u16::MAX as i64;
const I32: i64 = i32::MAX as i64;

// Keys are read within the limits beside them; a number beyond would be the largest that fits.

fn byte(number: i64) -> u8 {
    u8::try_from(number).unwrap_or(u8::MAX)
}

fn word(number: i64) -> u16 {
    u16::try_from(number).unwrap_or(u16::MAX)
}

fn count(number: i64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

fn number32(number: i64) -> i32 {
    i32::try_from(number).unwrap_or(if number < 0 { i32::MIN } else { i32::MAX })
}

const fn key(section: &'static str, name: &'static str, wanted: WantedValue) -> ConfigKey {
    let (meaning, default, example) = ("", "", "");
    ConfigKey {
        section,
        name,
        wanted,
        meaning,
        default,
        example,
    }
}

const fn number(name: &'static str, least: i64, most: i64, set: fn(&mut Constants, i64)) -> ConfigKey {
    key("constants", name, WantedValue::Number(least, most, set))
}

const fn property(name: &'static str, find: fn(&mut Properties) -> &mut String) -> ConfigKey {
    key("properties", name, WantedValue::Property(find))
}

const fn shown(name: &'static str, find: fn(&mut FaceSection) -> &mut Vec<String>) -> ConfigKey {
    key("face", name, WantedValue::Shown(find))
}

const fn text(section: &'static str, name: &'static str, find: fn(&mut Config) -> &mut String) -> ConfigKey {
    key(section, name, WantedValue::Text(find))
}

const fn own(section: &'static str, name: &'static str, kind: ConfigValueKind) -> ConfigKey {
    key(section, name, WantedValue::Own(kind))
}

impl ConfigKey {
    const fn means(mut self, meaning: &'static str) -> ConfigKey {
        self.meaning = meaning;
        self
    }

    const fn default(mut self, default: &'static str) -> ConfigKey {
        self.default = default;
        self
    }

    const fn example(mut self, example: &'static str) -> ConfigKey {
        self.example = example;
        self
    }
}

/// Every key. One without a name stands for those that the package chooses.
const KEYS: &[ConfigKey] = &[
    text("game", "name", |config| config.name.get_or_insert_default())
        .means("The name to show; without it, the definition's")
        .example("\"Harbour\""),
    number("ring-slots", 1, MAX_SLOTS as i64, |c, n| c.ring_slots = byte(n))
        .means("Slots in a ring")
        .default("4")
        .example("3"),
    number("characters-per-turn", 0, U8, |c, n| {
        c.characters_per_turn = byte(n);
    })
    .means("Characters that a player may play in a turn")
    .default("1")
    .example("2"),
    number("backups-per-turn", 0, U8, |c, n| c.backups_per_turn = byte(n))
        .means("Back-ups that a player may make in a turn")
        .default("1")
        .example("2"),
    number("backup-bp", -I32, I32, |c, n| c.backup_bp = number32(n))
        .means("BP that a back-up adds")
        .default("300")
        .example("200"),
    number("united-followers", 0, MAX_FOLLOWERS as i64, |c, n| {
        c.united_followers = byte(n);
    })
    .means("Followers of a United Attack, at most")
    .default("2")
    .example("1"),
    number("united-sp", -I32, I32, |c, n| c.united_sp = number32(n))
        .means("SP of a United Attack for each follower; if negative, it is a cost")
        .default("-5")
        .example("-4"),
    number("copies", 0, U8, |c, n| c.copies = byte(n))
        .means("Copies of a card in a deck, at most")
        .default("3")
        .example("4"),
    number("opening-hand", 0, U8, |c, n| c.opening_hand = byte(n))
        .means("Cards drawn at the start")
        .default("5")
        .example("6"),
    number("hp", 1, I32, |c, n| c.hp = number32(n))
        .means("HP at the start")
        .default("3000")
        .example("2000"),
    number("sp", 0, I32, |c, n| c.sp = number32(n))
        .means("SP at the start")
        .default("0")
        .example("3"),
    number("deck-size", 1, MOST_CARDS, |c, n| c.deck_size = byte(n))
        .means("Cards in a deck")
        .default("50")
        .example("40"),
    number("max-turns", 1, U16, |c, n| c.max_turns = word(n))
        .means("Turns after which the duel is a draw")
        .default("200")
        .example("100"),
    number("max-free-actions", 0, U16, |c, n| c.max_free_actions = word(n))
        .means("Maximum number of actions in one phase; after that the player can only end it")
        .default("200")
        .example("50"),
    number("max-steps", 0, U16, |c, n| c.max_steps = word(n))
        .means("Steps after which one action is cut short")
        .default("10000")
        .example("5000"),
    number("max-depth", 1, 16, |c, n| c.max_depth = byte(n))
        .means("Depth of events triggered by other events after which the action is cut short")
        .default("16")
        .example("8"),
    number("max-asks", 1, 32, |c, n| c.max_asks = byte(n))
        .means("Questions and random draws in one expression, at most")
        .default("32")
        .example("16"),
    property("type", |p| &mut p.card_type)
        .means("The property with the card's type")
        .default("\"Type\"")
        .example("\"Kind\""),
    property("subtype", |p| &mut p.subtype)
        .means("The property with a character's subtype")
        .default("\"Subtype\"")
        .example("\"School\""),
    property("bp", |p| &mut p.bp)
        .means("The property with a character's BP")
        .default("\"BP\"")
        .example("\"Power\""),
    property("sp", |p| &mut p.sp)
        .means("The property with the SP that a card gives or costs")
        .default("\"SP\"")
        .example("\"Cost\""),
    property("ability", |p| &mut p.ability)
        .means("The property with symbol and name of the ability")
        .default("\"Ability\"")
        .example("\"Skill\""),
    property("ability-type", |p| &mut p.ability_type)
        .means("The property with the symbol of the ability alone")
        .default("\"Ability Type\"")
        .example("\"Skill Type\""),
    property("ability-name", |p| &mut p.ability_name)
        .means("The property with the name of the ability alone")
        .default("\"Ability Name\"")
        .example("\"Skill Name\""),
    property("rules", |p| &mut p.rules)
        .means("The property with the printed text")
        .default("\"Rules\"")
        .example("\"Text\""),
    key(
        "properties",
        "backups",
        WantedValue::Properties(|p| &mut p.backups),
    )
    .means("The properties with back-up icons")
    .default("[\"Backup 1\", \"Backup 2\", \"Backup 3\"]")
    .example("[\"Icon\"]"),
    property("rarity", |p| &mut p.rarity)
        .means("The property with the rarity")
        .default("\"Rarity\"")
        .example("\"Scarcity\""),
    text("abilities", "instant", |config| &mut config.abilities.instant)
        .means("The word in the cards' data for instant abilities")
        .default("\"¢\"")
        .example("\"instant\""),
    text("abilities", "triggered", |config| &mut config.abilities.triggered)
        .means("The word for triggered abilities")
        .default("\"£\"")
        .example("\"triggered\""),
    text("abilities", "auto", |config| &mut config.abilities.auto)
        .means("The word for automatic abilities")
        .default("\"¤\"")
        .example("\"auto\""),
    text("types", "character", |config| &mut config.types.character)
        .means("The word in the cards' data for characters")
        .default("\"Character\"")
        .example("\"Hero\""),
    text("types", "action", |config| &mut config.types.action)
        .means("The word in the cards' data for actions")
        .default("\"Action\"")
        .example("\"Spell\""),
    text("types", "reaction", |config| &mut config.types.reaction)
        .means("The word in the cards' data for reactions")
        .default("\"Reaction\"")
        .example("\"Answer\""),
    own("deck", "size", ConfigValueKind::Range(0, MOST_CARDS))
        .means("How many cards a deck has; without it, `deck-size`")
        .example("{ min = 40, max = 60 }"),
    own("deck", "copies", ConfigValueKind::Number(1, U8))
        .means("How many copies of one card a deck may have; without it, `copies` of `[constants]`")
        .example("4"),
    own("deck", "unlimited", ConfigValueKind::Texts)
        .means("Names of cards that a deck may have any number of")
        .default("[]")
        .example("[\"Plain Loaf\"]"),
    own("deck", "exceptions", ConfigValueKind::Numbers(0, U8))
        .means("How many copies of these cards a deck may have")
        .default("{}")
        .example("{ \"The Only Key\" = 1 }"),
    own("deck", "sections", ConfigValueKind::Ranges(0, MOST_CARDS))
        .means("How many cards these sections have; other sections are free")
        .default("{}")
        .example("{ Main = { min = 40 }, Side = { max = 10 } }"),
    own("deck.limited", "size", ConfigValueKind::Range(0, MOST_CARDS))
        .means("How many cards a deck of a sealed game or a draft has")
        .example("30"),
    own("deck.limited", "copies", ConfigValueKind::Number(1, U8))
        .means("How many copies of one card such a deck may have")
        .example("9"),
    shown("kind", |face| &mut face.kind)
        .means("Properties below the name, in this order")
        .default("[]")
        .example("[\"Type\", \"Subtype\"]"),
    shown("corner", |face| &mut face.corner)
        .means("Properties at the upper right")
        .default("[]")
        .example("[\"Cost\"]"),
    shown("lines", |face| &mut face.lines)
        .means("Properties below the illustration, with their names")
        .default("[]")
        .example("[\"Faction\"]"),
    shown("text", |face| &mut face.text)
        .means("Properties in the box")
        .default("[]")
        .example("[\"Rules\"]"),
    shown("flavour", |face| &mut face.flavour)
        .means("Properties in italics below the text")
        .default("[]")
        .example("[\"Flavour\"]"),
    shown("numbers", |face| &mut face.numbers)
        .means("Properties on plates; with a slash, two on one")
        .default("[]")
        .example("[\"Power/Toughness\"]"),
    shown("foot", |face| &mut face.foot)
        .means("Properties in small letters")
        .default("[]")
        .example("[\"Artist\"]"),
    shown("hide", |face| &mut face.hide)
        .means("Properties that are not shown")
        .default("[]")
        .example("[\"Instructions\"]"),
    own("face", "colour", ConfigValueKind::Text)
        .means("The property whose value chooses the colours")
        .example("\"Faction\""),
    own("face", "labels", ConfigValueKind::Names)
        .means("Names of properties on the face")
        .default("{}")
        .example("{ Stat = \"Strength\" }"),
    own(
        "face",
        "picture",
        ConfigValueKind::Word(&["frame", "full", "none"]),
    )
    .means("Where the package's pictures go")
    .default("\"frame\"")
    .example("\"full\""),
    own("search", "aliases", ConfigValueKind::Names)
        .means("Short names of properties for searching: the short name, then the property's")
        .default("{}")
        .example("{ t = \"Type\" }"),
    own("import", "columns", ConfigValueKind::Names)
        .means(
            "Meanings of columns in imported spreadsheets: the heading, then a property, \
             a word such as `@id`, or `-`",
        )
        .default("{}")
        .example("{ Prize = \"SP\", Notes = \"-\" }"),
    own(OPPONENTS, "name", ConfigValueKind::Text)
        .means("The opponent's name")
        .example("\"Crumb\""),
    own(OPPONENTS, "card", ConfigValueKind::Text)
        .means("The name of the card whose illustration is their face")
        .example("\"Crumb\""),
    own(OPPONENTS, "deck", ConfigValueKind::Text)
        .means("Their deck: a deck file's name without its ending; without it, the first one")
        .example("\"Second Rise\""),
    own(OPPONENTS, "level", ConfigValueKind::Word(LEVELS))
        .means("The level that plays for them; without it, the usual one")
        .example("\"novice\""),
    own(OPPONENTS, "about", ConfigValueKind::Text)
        .means("Who they are, in a few words")
        .example("\"Bakes.\""),
    own(OPPONENTS, "begin", ConfigValueKind::Text)
        .means("What they say when a duel begins")
        .example("\"Flour up.\""),
    own(OPPONENTS, "blow", ConfigValueKind::Text)
        .means("What they say after landing a good blow")
        .example("\"Crusty!\""),
    own(OPPONENTS, "end", ConfigValueKind::Text)
        .means("What they say when the duel is over")
        .example("\"More tea?\""),
    own(
        "severities",
        "",
        ConfigValueKind::Word(&["allow", "hint", "warning", "error"]),
    )
    .means("How serious findings with this code are")
    .example("\"allow\""),
];

/// The most cards of a deck: a duel holds twice as many (D9).
const MOST_CARDS: i64 = cw_duel::MAX_CARDS as i64 / 2;

/// A section that may stand in the file many times, as `[[opponents]]`.
const OPPONENTS: &str = "opponents";

/// The sections of the file, in the order of its description.
const SECTIONS: [&str; 11] = [
    "game",
    "constants",
    "properties",
    "abilities",
    "types",
    "deck",
    "face",
    "search",
    "import",
    OPPONENTS,
    "severities",
];

/// The keys of a section by name, with those that are tables of their own.
fn keys_of(section: &str) -> impl Iterator<Item = &'static str> + Clone {
    let limited = (section == "deck").then_some("limited");
    let named = KEYS.iter().filter(move |key| key.section == section);
    let named: Vec<&str> = named.map(|key| key.name).chain(limited).collect();
    named.into_iter()
}

impl Config {
    /// Reads the text of a `game.toml`; what is wrong is added to `found`, and the default holds there.
    pub fn read(text: &str, file: FileId, found: &mut Vec<Diagnostic>) -> Config {
        let (table, toml) = TomlReader::begin(text, file, found, GT001);
        let mut reader = ConfigReader {
            toml,
            config: Config::default(),
        };
        for (section, value) in sorted(table.get_ref()) {
            reader.section(section, value);
        }
        reader.config
    }
}

struct ConfigReader<'a> {
    toml: TomlReader<'a>,
    config: Config,
}

impl ConfigReader<'_> {
    fn section(&mut self, name: ConfigName<'_>, value: &Spanned<DeValue<'_>>) {
        if !SECTIONS.contains(&name.text) {
            let of_section = KEYS.iter().find(|key| key.name == name.text);
            if let Some(key) = of_section {
                let help = format!("`{}` stands under `[{}]`", key.name, key.section);
                self.toml.wrong(
                    name.span,
                    format!("`{}` stands under no section", name.text),
                    Some(help),
                );
            } else {
                self.toml.unknown(name, "`game.toml`", SECTIONS.into_iter());
            }
            return;
        }
        if name.text == OPPONENTS {
            self.opponents(name, value);
            return;
        }
        let DeValue::Table(table) = value.get_ref() else {
            self.toml.other_kind(name, value, "a section with keys");
            return;
        };
        for (key, value) in sorted(table) {
            // What the table of keys lacks is no key, even if a section's own function would read it.
            if name.text != "severities" && !keys_of(name.text).any(|known| known == key.text) {
                self.toml
                    .unknown(key, &format!("`[{}]`", name.text), keys_of(name.text));
                continue;
            }
            match name.text {
                "severities" => self.severity(key, value),
                "deck" => self.deck(key, value),
                "search" => self.meanings(
                    key,
                    value,
                    |config| &mut config.search.aliases,
                    |meant| ["name", "set"].contains(&meant),
                ),
                "import" => self.meanings(
                    key,
                    value,
                    |config| &mut config.import.columns,
                    |meant| meant == "-" || meant.starts_with('@'),
                ),
                section => self.key(section, key, value),
            }
        }
    }

    fn key(&mut self, section: &str, name: ConfigName<'_>, value: &Spanned<DeValue<'_>>) {
        let is_meant = |key: &&ConfigKey| key.section == section && key.name == name.text;
        let Some(key) = KEYS.iter().find(is_meant) else {
            return;
        };
        match key.wanted {
            WantedValue::Number(least, most, set) => {
                if let Some(number) = self.toml.number(name, value, least, most) {
                    set(&mut self.config.constants, number);
                    if key.name == "united-sp" && number > 0 {
                        self.gives(number, Span::from(value.span()));
                    }
                }
            }
            WantedValue::Text(find) => {
                if let Some(text) = self.toml.text(name, value) {
                    *find(&mut self.config) = text;
                }
            }
            WantedValue::Property(find) => {
                if let Some(text) = self.toml.text(name, value) {
                    self.config.named.push((text.clone(), Span::from(value.span())));
                    *find(&mut self.config.properties) = text;
                }
            }
            WantedValue::Properties(find) => {
                let texts = self.toml.texts(name, value);
                self.config.named.extend(texts.iter().cloned());
                *find(&mut self.config.properties) = texts.into_iter().map(|(text, _)| text).collect();
            }
            WantedValue::Shown(find) => {
                let texts = self.toml.texts(name, value);
                for (text, span) in &texts {
                    self.mention(text, *span);
                }
                *find(&mut self.config.face) = texts.into_iter().map(|(text, _)| text).collect();
            }
            // Only faces have such keys here; other sections have functions of their own.
            WantedValue::Own(_) => self.face(name, value),
        }
    }

    /// CW010: what is meant as a cost is an SP change, with a minus sign.
    fn gives(&mut self, number: i64, span: Span) {
        let message = format!("each follower of a United Attack gives {number} SP");
        let finding = Diagnostic::new(crate::check::CW010, Severity::Hint, self.toml.file, span, message);
        let finding = finding
            .help("what it costs is written with a minus sign")
            .instead(format!("write `-{number}`"), Safety::Unsafe, format!("-{number}"));
        self.toml.found.push(finding);
    }

    /// A number, or a table with `min` and `max`.
    fn range(&mut self, name: ConfigName<'_>, value: &Spanned<DeValue<'_>>) -> Option<RangeInclusive<u32>> {
        let DeValue::Table(table) = value.get_ref() else {
            let number = self.toml.number(name, value, 0, MOST_CARDS)?;
            return Some(count(number)..=count(number));
        };
        let (mut least, mut most) = (0, MOST_CARDS);
        for (key, value) in sorted(table) {
            match key.text {
                "min" => least = self.toml.number(key, value, 0, MOST_CARDS)?,
                "max" => most = self.toml.number(key, value, 0, MOST_CARDS)?,
                _ => self
                    .toml
                    .unknown(key, &format!("`{}`", name.text), ["min", "max"].into_iter()),
            }
        }
        if least > most {
            let message = format!("`{}` is from {least} to {most}: no deck can have that", name.text);
            self.toml.wrong(Span::from(value.span()), message, None);
            return None;
        }
        Some(count(least)..=count(most))
    }

    fn deck(&mut self, name: ConfigName<'_>, value: &Spanned<DeValue<'_>>) {
        let mut deck = self.config.deck.take().unwrap_or_default();
        match name.text {
            "size" => deck.size = self.range(name, value),
            "copies" => deck.copies = self.toml.number(name, value, 1, U8).map(count),
            "unlimited" => {
                let names = self.toml.texts(name, value);
                let any = names.into_iter().map(|(card, span)| (card, span, None));
                deck.exceptions.extend(any);
            }
            "exceptions" => {
                for (card, value) in self.toml.table(name, value) {
                    if let Some(copies) = self.toml.number(card, value, 0, U8) {
                        let exception = (card.text.to_owned(), card.span, Some(count(copies)));
                        deck.exceptions.push(exception);
                    }
                }
            }
            "sections" => {
                for (section, value) in self.toml.table(name, value) {
                    if let Some(range) = self.range(section, value) {
                        deck.sections.push((section.text.to_owned(), section.span, range));
                    }
                }
            }
            "limited" => {
                for (key, value) in self.toml.table(name, value) {
                    match key.text {
                        "size" => deck.limited_size = self.range(key, value),
                        "copies" => {
                            let copies = self.toml.number(key, value, 1, U8);
                            deck.limited_copies = copies.map(count);
                        }
                        _ => self
                            .toml
                            .unknown(key, "`[deck.limited]`", keys_of("deck.limited")),
                    }
                }
            }
            _ => {}
        }
        self.config.deck = Some(deck);
    }

    fn face(&mut self, name: ConfigName<'_>, value: &Spanned<DeValue<'_>>) {
        match name.text {
            "colour" => self.config.face.colour = self.property(name, value),
            "labels" => {
                for (property, value) in self.toml.table(name, value) {
                    if let Some(label) = self.toml.text(property, value) {
                        self.mention(property.text, property.span);
                        self.config.face.labels.insert(property.text.to_owned(), label);
                    }
                }
            }
            _ => self.picture(name, value),
        }
    }

    fn picture(&mut self, name: ConfigName<'_>, value: &Spanned<DeValue<'_>>) {
        let Some(word) = self.toml.text(name, value) else {
            return;
        };
        match PicturePlace::find(&word) {
            Some(place) => self.config.face.picture = place,
            None => {
                let message = format!("`picture` is `{word}`, it must be frame, full or none");
                self.toml.wrong(Span::from(value.span()), message, None);
            }
        }
    }

    /// A table of names and the properties that they stand for, if not for something else.
    fn meanings(
        &mut self,
        name: ConfigName<'_>,
        value: &Spanned<DeValue<'_>>,
        find: fn(&mut Config) -> &mut BTreeMap<String, String>,
        is_other: fn(&str) -> bool,
    ) {
        for (word, value) in self.toml.table(name, value) {
            let Some(meant) = self.toml.text(word, value) else {
                continue;
            };
            if !is_other(&meant) {
                self.config.named.push((meant.clone(), Span::from(value.span())));
            }
            find(&mut self.config).insert(word.text.to_owned(), meant);
        }
    }

    fn opponents(&mut self, name: ConfigName<'_>, value: &Spanned<DeValue<'_>>) {
        let DeValue::Array(list) = value.get_ref() else {
            self.toml
                .other_kind(name, value, "one or more sections `[[opponents]]`");
            return;
        };
        for one in list {
            let DeValue::Table(table) = one.get_ref() else {
                self.toml
                    .other_kind(name, one, "one or more sections `[[opponents]]`");
                continue;
            };
            let mut opponent = OpponentConfig::default();
            for (key, value) in sorted(table) {
                self.opponent(&mut opponent, key, value);
            }
            self.config.opponents.push(opponent);
        }
    }

    fn opponent(&mut self, opponent: &mut OpponentConfig, key: ConfigName<'_>, value: &Spanned<DeValue<'_>>) {
        if !keys_of(OPPONENTS).any(|known| known == key.text) {
            self.toml.unknown(key, "`[[opponents]]`", keys_of(OPPONENTS));
            return;
        }
        let Some(text) = self.toml.text(key, value) else {
            return;
        };
        let span = Span::from(value.span());
        let mention = |name: String| Some(Mention { name, span });
        let [begin, blow, end] = &mut opponent.lines;
        match key.text {
            "card" => opponent.card = mention(text),
            "deck" => opponent.deck = mention(text),
            "level" => {
                if !LEVELS.contains(&text.as_str()) {
                    let message = format!("`level` is `{text}`, it must be one of {}", LEVELS.join(", "));
                    self.toml.wrong(span, message, None);
                }
                opponent.level = text;
            }
            "about" => opponent.about = text,
            "begin" => *begin = text,
            "blow" => *blow = text,
            "end" => *end = text,
            _ => opponent.name = text,
        }
    }

    /// The name of a property.
    fn property(&mut self, name: ConfigName<'_>, value: &Spanned<DeValue<'_>>) -> Option<String> {
        let text = self.toml.text(name, value)?;
        self.mention(&text, Span::from(value.span()));
        Some(text)
    }

    /// The definition has to have this property; of several with slashes between, each.
    fn mention(&mut self, text: &str, span: Span) {
        let parts = text.split('/').map(|part| (part.trim().to_owned(), span));
        self.config.named.extend(parts);
    }

    /// One line of `[severities]`; an unknown code or level is reported (RS073).
    fn severity(&mut self, code: ConfigName<'_>, value: &Spanned<DeValue<'_>>) {
        if let Some(finding) = unknown_code(self.toml.file, code.text, code.span) {
            self.toml.found.push(finding);
            return;
        }
        let Some(word) = self.toml.text(code, value) else {
            return;
        };
        match SeverityLevel::find(&word) {
            Some(level) => self.config.severities.set(code.text, level),
            None => {
                let message = format!("`{}` is set to `{word}`, which is no level", code.text);
                let finding = rs::RS073.at(self.toml.file, Span::from(value.span()), message);
                self.toml
                    .found
                    .push(finding.help("levels are allow, hint, warning and error"));
            }
        }
    }
}

/// RS073 for a code that no finding has.
pub(crate) fn unknown_code(file: FileId, code: &str, span: Span) -> Option<Diagnostic> {
    let of_rules = cw_syntax::LINTS.iter().map(|lint| lint.code);
    // Their pages are long: what a visitor of a site waits for does without them.
    let of_packages = cw_octgn::codes::ALL.iter().map(|code| code.0);
    let of_games = crate::PAGES.iter().map(|page| page.code.0);
    let known = of_rules.chain(of_packages).chain(of_games);
    if known.clone().any(|known| known.eq_ignore_ascii_case(code)) {
        return None;
    }
    let finding = rs::RS073.at(file, span, format!("no finding has the code `{code}`"));
    Some(match nearest(code, known) {
        Some(near) => finding.help(format!("did you mean `{near}`?")),
        None => finding,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, wanted: &[&str]) -> Config {
        let mut found = Vec::new();
        let config = Config::read(text, FileId(0), &mut found);
        let words = found.iter().map(|one| {
            let help = one
                .help
                .as_deref()
                .map_or(String::new(), |help| format!("; {help}"));
            format!("{:?} {} {}{help}", one.span, one.code, one.message)
        });
        assert_eq!(words.collect::<Vec<_>>(), wanted);
        config
    }

    /// A key as it would stand in the file.
    fn line(setting: &GameSetting, value: &str) -> String {
        // The package chooses the keys of `[severities]`.
        let key = if setting.key.is_empty() {
            "RS061"
        } else {
            setting.key
        };
        let heading = match setting.section {
            OPPONENTS => "[[opponents]]".to_owned(),
            section => format!("[{section}]"),
        };
        format!("{heading}\n{key} = {value}\n")
    }

    /// D60, D71, D72: what the table of keys says of defaults and examples is what the reader does.
    #[test]
    fn every_key_has_its_default_and_an_example() {
        for setting in settings() {
            let example = check(&line(&setting, setting.example), &[]);
            let example = Config {
                named: Vec::new(),
                ..example
            };
            assert_ne!(example, Config::default(), "{setting:?}");
            if setting.default.is_empty() {
                continue;
            }
            let default = check(&line(&setting, setting.default), &[]);
            // A section of decks that says nothing is a section all the same.
            let deck = default.deck.filter(|deck| *deck != DeckConfig::default());
            let default = Config {
                named: Vec::new(),
                deck,
                ..default
            };
            assert_eq!(default, Config::default(), "{setting:?}");
        }
    }

    /// D60: the table of keys gives the limits that the reader keeps.
    #[test]
    fn a_number_beyond_its_limits_is_refused() {
        for setting in settings() {
            let (ConfigValueKind::Number(least, most) | ConfigValueKind::Range(least, most)) = setting.kind
            else {
                continue;
            };
            for (number, fits) in [(least - 1, false), (least, true), (most, true), (most + 1, false)] {
                let mut found = Vec::new();
                let text = line(&setting, &number.to_string());
                Config::read(&text, FileId(0), &mut found);
                // A number may be allowed and still be hardly meant (CW010).
                let is_refused = found.iter().any(|one| one.code == GT001);
                assert_eq!(!is_refused, fits, "{text}");
            }
        }
    }

    /// An empty file gives the default settings (D60, G1).
    #[test]
    fn an_empty_file_is_the_default() {
        assert_eq!(check("", &[]), Config::default());
    }

    /// Numbers and names of properties may differ from the defaults (D60).
    #[test]
    fn numbers_and_names_may_differ() {
        let config = check(
            "[constants]\nhp = 2000\nring-slots = 3\n[properties]\nbp = \"Power\"\n",
            &[],
        );
        assert_eq!((config.constants.hp, config.constants.ring_slots), (2000, 3));
        assert_eq!(config.properties.bp, "Power");
    }

    /// A column of a sheet is one property, also one with a slash in its name (D60).
    #[test]
    fn a_column_means_one_property() {
        let config = check(
            "[import.columns]\n\"P/T\" = \"Power/Toughness\"\nNotes = \"-\"\n",
            &[],
        );
        let named: Vec<&str> = config.named.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(named, ["Power/Toughness"]);
    }

    /// Deck rules are those of the game's `[deck]` (D72).
    #[test]
    fn deck_rules_are_the_games() {
        let config = check(
            "[deck]\nsize = { min = 40, max = 60 }\ncopies = 4\nunlimited = [\"Loaf\"]\n\
             [deck.exceptions]\nOnce = 1\n[deck.sections]\nMain = 40\n[deck.limited]\nsize = 30\n",
            &[],
        );
        let deck = config.deck.unwrap();
        assert_eq!((deck.size, deck.copies), (Some(40..=60), Some(4)));
        let limits: Vec<_> = deck
            .exceptions
            .iter()
            .map(|(name, _, most)| (name.as_str(), *most))
            .collect();
        assert_eq!(limits, [("Loaf", None), ("Once", Some(1))]);
        assert_eq!(deck.sections[0].2, 40..=40);
        assert_eq!(deck.limited_size, Some(30..=30));
    }

    /// D60: every fault has its place, in words of the file; one does not hide the next.
    #[test]
    fn faults_have_a_place() {
        check(
            "[constants]\nhpp = 1\nring-slots = 99\nsp = \"3\"\nhp = 3.5\n[types]\naction = 1\n",
            &[
                "12..15 GT001 `hpp` is no key of `[constants]`; did you mean `hp`?",
                "33..35 GT001 `ring-slots` is 99, it must be from 1 to 8",
                "41..44 GT001 `sp` is a text, it must be a whole number",
                "50..53 GT001 `hp` is a number with a fraction, it must be a whole number",
                "71..72 GT001 `action` is a number, it must be a text in quotes",
            ],
        );
        check(
            "hp = 1\n",
            &["0..2 GT001 `hp` stands under no section; `hp` stands under `[constants]`"],
        );
        check(
            "[deck]\nmin = 40\n",
            &["7..10 GT001 `min` is no key of `[deck]`; did you mean `size`?"],
        );
        for (written, meant) in [
            ("starting-hand", "opening-hand"),
            ("hand-size", "opening-hand"),
            ("starting-hp", "hp"),
            ("life", "hp"),
            ("start-energy", "sp"),
            ("max_copies", "copies"),
            ("min-deck-size", "deck-size"),
            ("slots", "ring-slots"),
            ("turn-limit", "max-turns"),
        ] {
            let told = format!(
                "12..{} GT001 `{written}` is no key of `[constants]`; did you mean `{meant}`?",
                12 + written.len()
            );
            check(&format!("[constants]\n{written} = 6\n"), &[&told]);
        }
        check(
            "[decks]\n",
            &["1..6 GT001 `decks` is no key of `game.toml`; did you mean `deck`?"],
        );
        check(
            "opponents = 3\n",
            &["12..13 GT001 `opponents` is a number, it must be one or more sections `[[opponents]]`"],
        );
        check(
            "[[opponents]]\nnme = \"A\"\nlevel = \"strong\"\nbegin = 1\n",
            &[
                "14..17 GT001 `nme` is no key of `[[opponents]]`; did you mean `name`?",
                "32..40 GT001 `level` is `strong`, \
                 it must be one of random, plain, novice, easy, normal, hard, expert",
                "49..50 GT001 `begin` is a number, it must be a text in quotes",
            ],
        );
        check(
            "[deck]\nsize = { min = 9, max = 2 }\n",
            &["14..34 GT001 `size` is from 9 to 2: no deck can have that"],
        );
    }

    /// Severities need codes that exist and levels that exist (P173, RS073).
    #[test]
    fn severities_name_codes_and_levels() {
        check(
            "[severities]\nRS06 = \"allow\"\nPK066 = \"loud\"\n",
            &[
                "13..17 RS073 no finding has the code `RS06`; did you mean `RS006`?",
                "36..42 RS073 `PK066` is set to `loud`, which is no level; \
                 levels are allow, hint, warning and error",
            ],
        );
    }
}
