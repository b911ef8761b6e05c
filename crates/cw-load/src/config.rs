//! `Rules/game.toml` (D60): which property holds what, the numbers of the game, severities.

use std::collections::BTreeMap;

use cw_duel::Constants;
use cw_text::{Code, Diagnostic, FileId, Severity, Span};
use serde::Deserialize;

/// The whole file; everything may be left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Config {
    /// About the game.
    pub game: GameSection,
    /// Numbers that differ from G1, D13 and D14.
    constants: ConstantsSection,
    /// Which property of a card holds what.
    pub properties: Properties,
    /// The values of the property of ability types.
    pub abilities: Abilities,
    /// The values of the property of card types.
    pub types: Types,
    /// Severities of findings by code: `error`, `warning`, `hint` or `off`.
    pub severities: BTreeMap<String, String>,
}

/// `[game]`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct GameSection {
    /// The name to show; default: the definition's.
    pub name: Option<String>,
}

/// `[properties]`: names of custom properties of the definition (G8).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
#[expect(missing_docs, reason = "each field is named after what it holds")]
pub struct Properties {
    #[serde(rename = "type")]
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

/// `[abilities]`: the symbols in the cards' data (G9).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
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
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
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

/// `[constants]`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct ConstantsSection {
    ring_slots: Option<u8>,
    characters_per_turn: Option<u8>,
    backups_per_turn: Option<u8>,
    backup_bp: Option<i32>,
    united_followers: Option<u8>,
    united_sp: Option<i32>,
    copies: Option<u8>,
    opening_hand: Option<u8>,
    hp: Option<i32>,
    sp: Option<i32>,
    deck_size: Option<u8>,
    max_turns: Option<u16>,
    max_free_actions: Option<u16>,
    max_steps: Option<u16>,
    max_depth: Option<u8>,
    max_asks: Option<u8>,
}

/// A fault in `game.toml`.
const GT001: Code = Code("GT001");

impl Config {
    /// Reads the text of a `game.toml`; what is wrong comes with its place.
    ///
    /// # Errors
    /// The first fault.
    pub fn read(text: &str, file: FileId) -> Result<Config, Box<Diagnostic>> {
        let config: Config = toml::from_str(text).map_err(|error| {
            let span = error.span().map_or(Span::at(0), Span::from);
            let message = error.message().replace('\n', " ");
            Box::new(
                Diagnostic::new(GT001, Severity::Error, file, span, message)
                    .help("the keys and their defaults are listed in docs/game-toml.md"),
            )
        })?;
        config.check_limits(file)?;
        Ok(config)
    }

    fn check_limits(&self, file: FileId) -> Result<(), Box<Diagnostic>> {
        let constants = self.constants();
        let limits: [(&str, i64, i64, i64); 8] = [
            (
                "ring-slots",
                constants.ring_slots.into(),
                1,
                cw_duel::MAX_SLOTS as i64,
            ),
            (
                "united-followers",
                constants.united_followers.into(),
                0,
                cw_duel::MAX_FOLLOWERS as i64,
            ),
            ("deck-size", constants.deck_size.into(), 1, 125),
            ("hp", constants.hp.into(), 1, i32::MAX.into()),
            ("sp", constants.sp.into(), 0, i32::MAX.into()),
            ("max-turns", constants.max_turns.into(), 1, u16::MAX.into()),
            ("max-depth", constants.max_depth.into(), 1, 16),
            ("max-asks", constants.max_asks.into(), 1, 32),
        ];
        for (key, value, least, most) in limits {
            if !(least..=most).contains(&value) {
                let message = format!("`{key}` is {value}, it must be from {least} to {most}");
                let diagnostic = Diagnostic::new(GT001, Severity::Error, file, Span::at(0), message);
                return Err(Box::new(diagnostic));
            }
        }
        Ok(())
    }

    /// The numbers of the game: the defaults of the specification, and what the file changes.
    pub fn constants(&self) -> Constants {
        let given = &self.constants;
        let default = Constants::default();
        Constants {
            ring_slots: given.ring_slots.unwrap_or(default.ring_slots),
            characters_per_turn: given.characters_per_turn.unwrap_or(default.characters_per_turn),
            backups_per_turn: given.backups_per_turn.unwrap_or(default.backups_per_turn),
            backup_bp: given.backup_bp.unwrap_or(default.backup_bp),
            united_followers: given.united_followers.unwrap_or(default.united_followers),
            united_sp: given.united_sp.unwrap_or(default.united_sp),
            copies: given.copies.unwrap_or(default.copies),
            opening_hand: given.opening_hand.unwrap_or(default.opening_hand),
            hp: given.hp.unwrap_or(default.hp),
            sp: given.sp.unwrap_or(default.sp),
            deck_size: given.deck_size.unwrap_or(default.deck_size),
            max_turns: given.max_turns.unwrap_or(default.max_turns),
            max_free_actions: given.max_free_actions.unwrap_or(default.max_free_actions),
            max_steps: given.max_steps.unwrap_or(default.max_steps),
            max_depth: given.max_depth.unwrap_or(default.max_depth),
            max_asks: given.max_asks.unwrap_or(default.max_asks),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// D60, G1.
    #[test]
    fn an_empty_file_is_the_default() {
        let config = Config::read("", FileId(0)).expect("an empty file is well-formed");
        assert_eq!(config, Config::default());
        assert_eq!(config.constants(), Constants::default());
    }

    /// D60.
    #[test]
    fn numbers_and_names_may_differ() {
        let text = "[constants]\nhp = 2000\nring-slots = 3\n[properties]\nbp = \"Power\"\n";
        let config = Config::read(text, FileId(0)).expect("well-formed");
        assert_eq!((config.constants().hp, config.constants().ring_slots), (2000, 3));
        assert_eq!(config.properties.bp, "Power");
    }

    #[test]
    fn faults_have_a_place() {
        let fault = Config::read("[constants]\nhpp = 1\n", FileId(0)).expect_err("unknown key");
        assert_eq!(fault.span.range(), 12..15);
        let fault = Config::read("[constants]\nring-slots = 99\n", FileId(0)).expect_err("too many");
        assert_eq!(fault.message, "`ring-slots` is 99, it must be from 1 to 8");
    }
}
