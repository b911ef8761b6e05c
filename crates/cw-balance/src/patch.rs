//! Changes to a game, as a small TOML file.

use std::fmt;
use std::sync::Arc;

use cw_duel::Game;
use cw_program::{CompiledRule, ModelId};
use cw_sim::{DuelPlan, Matchup};
use serde::{Deserialize, Serialize};

/// What would be changed.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Patch {
    /// The changes, made one after the other.
    #[serde(default, rename = "change")]
    pub changes: Vec<PatchChange>,
}

/// One change. A card's property, a card's rules, a number of the game, or the copies of a card in a deck.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PatchChange {
    /// The card, by its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub card: Option<String>,
    /// `bp` or `sp` of the card.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub property: Option<String>,
    /// The number that the property or the constant gets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<i32>,
    /// The card's rule, in the language of rules; an empty text takes its rule away.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<String>,
    /// A number of the game, as in `game.toml`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub constant: Option<String>,
    /// The deck, by its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deck: Option<String>,
    /// How many copies of the card it has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub copies: Option<u8>,
}

/// What a change is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// A card's number.
    Property(ModelId, bool),
    /// A card's rule.
    Rules(ModelId),
    /// A number of the game.
    Constant,
    /// A deck's copies of a card.
    Copies(ModelId),
}

/// Why a patch cannot be applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatchError {
    /// Which change, from 1; none: the file cannot be read.
    pub change: Option<usize>,
    /// Why, with a remedy.
    pub why: String,
}

impl fmt::Display for PatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.change {
            Some(change) => write!(f, "change {change}: {}", self.why),
            None => f.write_str(&self.why),
        }
    }
}

impl std::error::Error for PatchError {}

impl fmt::Display for PatchChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let card = self.card.as_deref().unwrap_or("?");
        let to = self.to.unwrap_or_default();
        match self {
            PatchChange {
                deck: Some(deck),
                copies: Some(copies),
                ..
            } => write!(f, "{deck}: {copies} of {card}"),
            PatchChange {
                property: Some(property),
                ..
            } => write!(f, "{card}: {} {to}", property.to_uppercase()),
            PatchChange {
                rules: Some(rules), ..
            } if rules.trim().is_empty() => write!(f, "{card}: no rule"),
            PatchChange {
                rules: Some(rules), ..
            } => write!(f, "{card}: {}", rules.trim()),
            PatchChange {
                constant: Some(constant),
                ..
            } => write!(f, "{constant} = {to}"),
            _ => f.write_str("nothing"),
        }
    }
}

impl Patch {
    /// Reads a patch.
    ///
    /// # Errors
    /// If it is no patch, with the place.
    pub fn read(text: &str) -> Result<Patch, PatchError> {
        let unreadable = |why: String| PatchError { change: None, why };
        let patch: Patch =
            toml::from_str(text).map_err(|error| unreadable(error.to_string().trim_end().to_owned()))?;
        if patch.changes.is_empty() {
            return Err(unreadable(
                "there is no [[change]] in it, as in: \
                 [[change]] card = \"Crumb\", property = \"bp\", to = 300"
                    .to_owned(),
            ));
        }
        Ok(patch)
    }

    /// The plan with all changes made. `compile` makes a rule of its text.
    ///
    /// # Errors
    /// If a change names what is not there, or cannot be made.
    pub fn apply(
        &self,
        plan: &DuelPlan,
        compile: &dyn Fn(&Game, ModelId, &str) -> Result<CompiledRule, String>,
    ) -> Result<DuelPlan, PatchError> {
        let mut game = Game::clone(&plan.game);
        let mut matchups = plan.matchups.clone();
        for (at, change) in (1..).zip(&self.changes) {
            change
                .apply(&mut game, &mut matchups, compile)
                .map_err(|why| PatchError {
                    change: Some(at),
                    why,
                })?;
        }
        let plan = DuelPlan {
            game: Arc::new(game),
            matchups,
            ..plan.clone()
        };
        let start = plan.check();
        start.map_err(|error| PatchError {
            change: None,
            why: error.to_string(),
        })?;
        Ok(plan)
    }
}

const FORMS: &str =
    "a change has card, property and to; card and rules; constant and to; or deck, card and copies";

impl PatchChange {
    /// What it is about.
    ///
    /// # Errors
    /// If it is none of the four kinds, or names a card that is not there.
    pub fn target(&self, game: &Game) -> Result<Target, String> {
        let card = || {
            let name = self.card.as_deref().ok_or(FORMS)?;
            let nearest = || {
                let lower = name.to_lowercase();
                let like = game
                    .models
                    .iter()
                    .find(|model| model.name.to_lowercase().contains(&lower));
                like.map_or(String::new(), |model| format!("; did you mean “{}”?", model.name))
            };
            game.find(name)
                .ok_or_else(|| format!("there is no card “{name}”{}", nearest()))
        };
        match (
            &self.property,
            &self.rules,
            &self.constant,
            &self.deck,
            self.to,
            self.copies,
        ) {
            (Some(property), None, None, None, Some(_), None) => match property.to_lowercase().as_str() {
                "bp" => Ok(Target::Property(card()?, true)),
                "sp" => Ok(Target::Property(card()?, false)),
                other => Err(format!("a card's numbers are bp and sp, not “{other}”")),
            },
            (None, Some(_), None, None, None, None) => Ok(Target::Rules(card()?)),
            (None, None, Some(_), None, Some(_), None) if self.card.is_none() => Ok(Target::Constant),
            (None, None, None, Some(_), None, Some(_)) => Ok(Target::Copies(card()?)),
            _ => Err(FORMS.to_owned()),
        }
    }

    fn apply(
        &self,
        game: &mut Game,
        matchups: &mut [Matchup],
        compile: &dyn Fn(&Game, ModelId, &str) -> Result<CompiledRule, String>,
    ) -> Result<(), String> {
        let to = self.to.unwrap_or_default();
        match self.target(game)? {
            Target::Property(card, is_bp) => {
                let model = &mut game.models[usize::from(card.0)];
                if is_bp {
                    if !(0..=100_000).contains(&to) {
                        return Err("BP is from 0 to 100000".to_owned());
                    }
                    model.bp = to;
                } else {
                    if !(-1000..=1000).contains(&to) {
                        return Err("SP is from -1000 to 1000".to_owned());
                    }
                    model.sp = to;
                }
            }
            Target::Rules(card) => {
                let text = self.rules.as_deref().unwrap_or_default().trim();
                if text.is_empty() {
                    game.models[usize::from(card.0)].program = None;
                } else {
                    let rule = compile(game, card, text)?;
                    game.models[usize::from(card.0)].set_rule(rule);
                }
            }
            Target::Constant => self.constant(game, to)?,
            Target::Copies(card) => {
                let name = self.deck.as_deref().unwrap_or_default();
                let copies = usize::from(self.copies.unwrap_or_default());
                let mut found = false;
                for matchup in matchups {
                    for (known, deck) in matchup.names.0.iter().zip(&mut matchup.decks.0) {
                        if known.eq_ignore_ascii_case(name) {
                            found = true;
                            let there = deck.iter().position(|model| *model == card).unwrap_or(deck.len());
                            deck.retain(|model| *model != card);
                            let at = there.min(deck.len());
                            deck.splice(at..at, std::iter::repeat_n(card, copies));
                        }
                    }
                }
                if !found {
                    return Err(format!("no deck that is played is called “{name}”"));
                }
            }
        }
        Ok(())
    }

    fn constant(&self, game: &mut Game, to: i32) -> Result<(), String> {
        let name = self.constant.as_deref().unwrap_or_default();
        let small = |most: u8| {
            let number = u8::try_from(to).ok().filter(|number| *number <= most);
            number.ok_or_else(|| format!("“{name}” is from 0 to {most}"))
        };
        // Beyond these, sums of several would not be numbers any more.
        let far = |most: i32| {
            let number = Some(to).filter(|to| (-most..=most).contains(to));
            number.ok_or_else(|| format!("“{name}” is from -{most} to {most}"))
        };
        let constants = &mut game.constants;
        match name {
            "hp" if (1..=1_000_000).contains(&to) => constants.hp = to,
            "hp" => return Err("“hp” is above 0, and 1000000 at most".to_owned()),
            "sp" => constants.sp = far(1_000)?,
            "backup-bp" => constants.backup_bp = far(100_000)?,
            "united-sp" => constants.united_sp = far(1_000)?,
            "opening-hand" => constants.opening_hand = small(50)?,
            "characters-per-turn" => constants.characters_per_turn = small(20)?,
            "backups-per-turn" => constants.backups_per_turn = small(20)?,
            "ring-slots" => constants.ring_slots = small(8)?.max(1),
            "united-followers" => constants.united_followers = small(7)?,
            other => {
                return Err(format!(
                    "“{other}” is none of the numbers that can be tried: \
                     hp, sp, opening-hand, backup-bp, united-sp, \
                     characters-per-turn, backups-per-turn, ring-slots, united-followers"
                ));
            }
        }
        Ok(())
    }
}
