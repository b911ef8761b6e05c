//! The two inks of a school: a deep ground and a bright line on it.

use cw_duel::Model;
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

/// The inks of a card: its school's, or those of its type.
pub fn inks(model: &Model) -> Inks {
    match (model.card_type, model.subtype) {
        (Some(CardType::Action), _) => ACTION,
        (Some(CardType::Reaction), _) => REACTION,
        (Some(CardType::Character), Some(school)) => SCHOOLS[usize::from(school.0) % SCHOOLS.len()],
        (Some(CardType::Character), None) | (None, _) => UNKNOWN,
    }
}
