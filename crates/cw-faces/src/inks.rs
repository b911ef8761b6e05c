//! The two inks of a school: a deep ground and a bright line on it.

use cw_duel::CardModel;
use cw_program::CardType;

/// Two colours that belong together, as `#rrggbb`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inks {
    /// The ground.
    pub deep: &'static str,
    /// What is drawn on it; at least 4.5:1 against the ground.
    pub bright: &'static str,
    /// A second, quieter line.
    pub middle: &'static str,
}

const fn of(deep: &'static str, middle: &'static str, bright: &'static str) -> Inks {
    Inks { deep, bright, middle }
}

/// Schools take these in the order of their numbers; neighbours differ in hue.
const SCHOOLS: [Inks; 12] = [
    of("#4a2410", "#a8551c", "#ffb35c"), // amber
    of("#0f2f5e", "#2468b8", "#6cc4ff"), // sea
    of("#54141a", "#b32f33", "#ff8a72"), // brick
    of("#0b3a44", "#16808c", "#62e2e4"), // verdigris
    of("#3a3512", "#86781c", "#f0dc6a"), // brass
    of("#2a2158", "#6350c4", "#bba8ff"), // violet
    of("#17391f", "#2f8a4a", "#93e59a"), // leaf
    of("#4c0f38", "#b02a7c", "#ff86c0"), // rose
    of("#33261d", "#80614a", "#e2c2a2"), // clay
    of("#1c2c3c", "#4f7391", "#b4d3ea"), // slate
    of("#293a10", "#6a9420", "#cdf06a"), // lime
    of("#3c1250", "#8f34bc", "#e49cff"), // plum
];
const ACTION: Inks = of("#15181f", "#a97b12", "#ffd166");
const REACTION: Inks = of("#15181f", "#2a7f95", "#7fe7ff");
const UNKNOWN: Inks = of("#22252d", "#6b7180", "#d6d9e0");

/// Words for colours, and the inks that are like them.
const NAMED: [(&str, Inks); 20] = [
    ("white", of("#4b473c", "#9a927c", "#f6f1e4")),
    ("blue", SCHOOLS[1]),
    ("black", of("#1f1b26", "#5b4f6e", "#cdbfe0")),
    ("red", SCHOOLS[2]),
    ("green", SCHOOLS[6]),
    ("yellow", SCHOOLS[4]),
    ("gold", SCHOOLS[4]),
    ("orange", SCHOOLS[0]),
    ("purple", SCHOOLS[11]),
    ("violet", SCHOOLS[5]),
    ("pink", SCHOOLS[7]),
    ("brown", SCHOOLS[8]),
    ("grey", UNKNOWN),
    ("gray", UNKNOWN),
    ("silver", SCHOOLS[9]),
    ("cyan", SCHOOLS[3]),
    ("teal", SCHOOLS[3]),
    ("lime", SCHOOLS[10]),
    ("neutral", UNKNOWN),
    ("colorless", UNKNOWN),
];

/// The inks for a value of the property that chooses colours: those it names, else by its place among
/// the others.
pub(crate) fn inks_of(value: &str, known: &[String]) -> Inks {
    let mut words = value.split(|letter: char| !letter.is_alphanumeric());
    let named = |word: &str| {
        let mut inks = NAMED.iter();
        inks.find(|(name, _)| name.eq_ignore_ascii_case(word))
            .map(|(_, inks)| *inks)
    };
    let several =
        value.split_whitespace().count() > 1 && value.split_whitespace().all(|word| named(word).is_some());
    if several {
        return SCHOOLS[4];
    }
    if value.is_empty() {
        return UNKNOWN;
    }
    if let Some(inks) = words.find_map(named) {
        return inks;
    }
    known
        .iter()
        .position(|other| other == value)
        .map_or(UNKNOWN, |at| SCHOOLS[at % SCHOOLS.len()])
}

/// The ground of a symbol's plate, by the colour in its name.
pub(crate) fn symbol_ground(name: &str) -> &'static str {
    let words: Vec<String> = name
        .split(|letter: char| !letter.is_alphanumeric())
        .map(str::to_lowercase)
        .collect();
    let grounds = [
        ("white", "#f6f1e4"),
        ("blue", "#8fc4f2"),
        ("black", "#b9b2c4"),
        ("red", "#f49a85"),
        ("green", "#8fd19a"),
        ("yellow", "#f4dc70"),
        ("orange", "#f7b36c"),
        ("purple", "#cba8ea"),
        ("pink", "#ffb3d6"),
    ];
    let found = words
        .iter()
        .find_map(|word| grounds.iter().find(|(name, _)| name == word));
    found.map_or("#d6d9e0", |(_, ground)| ground)
}

/// The inks of a card: its school's, or those of its type.
pub fn inks(model: &CardModel) -> Inks {
    match (model.card_type, model.subtype) {
        (Some(CardType::Action), _) => ACTION,
        (Some(CardType::Reaction), _) => REACTION,
        (Some(CardType::Character), Some(school)) => SCHOOLS[usize::from(school.0) % SCHOOLS.len()],
        (Some(CardType::Character), None) | (None, _) => UNKNOWN,
    }
}
