//! The words that a game's own texts prefer, learnt from all of them.

use cw_duel::Game;

/// A word or phrase for which games have several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StyleSlot {
    Opponent,
    Enemy,
    Damage,
    KnockOut,
    Discards,
    Signed,
    EndOfTurn,
}

/// A choice: what is written, and what texts are searched for.
type StyleChoice = (&'static str, &'static [&'static str]);

/// Each slot's choices, the usual one first.
const SLOTS: [(StyleSlot, &[StyleChoice]); 7] = [
    (
        StyleSlot::Opponent,
        &[
            ("the opponent", &["the opponent"]),
            ("your opponent", &["your opponent"]),
        ],
    ),
    (
        StyleSlot::Enemy,
        &[("enemy", &["enemy"]), ("opposing", &["opposing"])],
    ),
    (
        StyleSlot::Damage,
        &[
            ("damage", &[" damage"]),
            // Each of these is counted above, too.
            ("damage points", &["damage points", "damage points"]),
        ],
    ),
    (
        StyleSlot::KnockOut,
        &[
            ("KO", &["ko ", "koed", "ko'd"]),
            ("destroy", &["destroy"]),
            ("defeat", &["defeat"]),
        ],
    ),
    (
        StyleSlot::Discards,
        &[
            ("discard pile", &["discard pile"]),
            ("discards", &["your discards", "opponent's discards"]),
        ],
    ),
    (
        StyleSlot::Signed,
        &[
            (
                "200",
                &["gains 1", "gains 2", "gains 3", "gain 1", "gain 2", "gain 3"],
            ),
            ("+200", &["gains +", "gets +", "gain +", "get +"]),
        ],
    ),
    (
        StyleSlot::EndOfTurn,
        &[
            ("until the end of the turn", &["until the end of the turn"]),
            ("until the end of this turn", &["until the end of this turn"]),
            ("until end of turn", &["until end of turn"]),
        ],
    ),
];

/// How the texts of a game say things, for [`rule_text`](crate::rule_text).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextStyle {
    // Invariant: for each of `SLOTS` the number of its choice; empty: the first of each.
    chosen: Vec<usize>,
}

impl TextStyle {
    /// Learns from the printed texts of all cards: of several ways, the one that is used most.
    pub fn of(game: &Game) -> TextStyle {
        let texts: Vec<String> = game.models.iter().map(|card| card.text.to_lowercase()).collect();
        let times = |word: &&str| -> usize { texts.iter().map(|text| text.matches(*word).count()).sum() };
        let choice = |(_, choices): &(StyleSlot, &[StyleChoice])| {
            let counts: Vec<usize> = choices
                .iter()
                .map(|(_, words)| words.iter().map(times).sum())
                .collect();
            let most = counts.iter().copied().max().unwrap_or_default();
            counts.iter().position(|count| *count == most).unwrap_or_default()
        };
        TextStyle {
            chosen: SLOTS.iter().map(choice).collect(),
        }
    }

    pub(super) fn word(&self, slot: StyleSlot) -> &'static str {
        let at = SLOTS
            .iter()
            .position(|(known, _)| *known == slot)
            .unwrap_or_default();
        let chosen = self.chosen.get(at).copied().unwrap_or_default();
        SLOTS[at].1[chosen].0
    }

    /// An amount that is gained: `200` or `+200`.
    pub(super) fn gained(&self, amount: u32) -> String {
        match self.word(StyleSlot::Signed) {
            "+200" => format!("+{amount}"),
            _ => amount.to_string(),
        }
    }

    /// KO and its form of one: `KOs`, `destroys`.
    pub(super) fn knock_out(&self) -> (&'static str, &'static str, &'static str) {
        match self.word(StyleSlot::KnockOut) {
            "destroy" => ("destroys", "destroy", "destroyed"),
            "defeat" => ("defeats", "defeat", "defeated"),
            _ => ("KOs", "KO", "KOed"),
        }
    }
}
