//! A plan as it is written down, so that other machines can play a share of it.

use std::ops::Range;
use std::sync::Arc;

use cw_duel::{Game, PerSeat};
use cw_players::SearchBudget;
use cw_program::ModelId;
use cw_stats::Sprt;
use serde::{Deserialize, Serialize};

use crate::plan::{DuelPlan, Exchange, Matchup, StopRule};

/// Pairs that are played, kept and joined as one.
pub const BLOCK: u64 = 32;

/// A plan as JSON. Two equal texts mean the same duels, on any machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Written {
    /// The version of this format.
    pub cardwright_plan: u32,
    /// The version of the rules.
    pub rules: String,
    /// The version of the levels.
    pub levels: u32,
    /// The game's name, for people.
    pub game: String,
    /// Identity and content of the game.
    pub fingerprint: String,
    /// The players' names: the first one, the second one.
    pub players: [String; 2],
    /// What each may try out for an answer.
    pub playouts: [u32; 2],
    /// The seed of everything.
    pub seed: u64,
    /// What the duels of a pair differ in: `players` or `turns`.
    pub exchange: String,
    /// Pairs at most.
    pub pairs: u64,
    /// When it is enough.
    pub until: WrittenStop,
    /// The decks.
    pub decks: Vec<WrittenDeck>,
    /// Who meets whom: places in the list of decks.
    pub matchups: Vec<[usize; 2]>,
}

/// When a written plan has been played.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub enum WrittenStop {
    /// After all pairs.
    All,
    /// When it is known who is ahead.
    Ahead,
    /// When the score is known to so much either way.
    Width(f64),
    /// When the score of every matchup is known to so much either way.
    Each(f64),
    /// When a test has decided between two scores.
    Sprt(f64, f64),
}

/// A deck of a written plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WrittenDeck {
    /// Its name.
    pub name: String,
    /// Its cards in order, by identity, and how many follow each other.
    pub cards: Vec<(String, u32)>,
}

/// Why a written plan cannot be played here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unfit {
    /// It is no plan.
    Unreadable(String),
    /// It is of another version of the program; what differs.
    OtherVersion(String),
    /// It is of another game, or of the same one with other cards or rules.
    OtherGame {
        /// Which.
        wanted: String,
    },
    /// A part of it contradicts another.
    Contradicts(String),
}

impl std::fmt::Display for Unfit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Unfit::Unreadable(why) => write!(f, "it is no plan: {why}"),
            Unfit::OtherVersion(what) => write!(
                f,
                "the plan was made by another version of Cardwright ({what}); \
                 make a new one with `cardwright sim plan`"
            ),
            Unfit::OtherGame { wanted } => write!(
                f,
                "the plan is for {wanted}, and the game here has other cards, rules or numbers; \
                 name the right one with --game"
            ),
            Unfit::Contradicts(what) => write!(f, "the plan contradicts itself: {what}"),
        }
    }
}

impl std::error::Error for Unfit {}

impl Written {
    /// Writes a plan of these players down.
    pub fn of(plan: &DuelPlan, players: [String; 2]) -> Written {
        let mut decks: Vec<WrittenDeck> = Vec::new();
        let mut place = |name: &str, cards: &[ModelId]| {
            let deck = WrittenDeck {
                name: name.to_owned(),
                cards: cards
                    .chunk_by(|one, two| one == two)
                    .map(|run| {
                        (
                            plan.game.model(run[0]).id.to_string(),
                            run.len().try_into().unwrap_or(u32::MAX),
                        )
                    })
                    .collect(),
            };
            decks.iter().position(|known| *known == deck).unwrap_or_else(|| {
                decks.push(deck);
                decks.len() - 1
            })
        };
        let matchups = plan
            .matchups
            .iter()
            .map(|Matchup { names, decks }| [0, 1].map(|seat| place(&names.0[seat], &decks.0[seat])))
            .collect();
        Written {
            cardwright_plan: 1,
            rules: cw_duel::RULES_VERSION.to_owned(),
            levels: cw_players::VERSION,
            game: plan.game.name.clone(),
            fingerprint: plan.game.fingerprint.clone(),
            players,
            playouts: plan.budgets.map(|budget| budget.playouts),
            seed: plan.seed,
            exchange: match plan.exchange {
                Exchange::Players => "players".to_owned(),
                Exchange::Turns => "turns".to_owned(),
            },
            pairs: plan.stop.most(),
            until: match plan.stop {
                StopRule::After(_) => WrittenStop::All,
                StopRule::Ahead { .. } => WrittenStop::Ahead,
                StopRule::Width { half, .. } => WrittenStop::Width(half),
                StopRule::Each { half, .. } => WrittenStop::Each(half),
                StopRule::Test { sprt, .. } => WrittenStop::Sprt(sprt.worse, sprt.better),
            },
            decks,
            matchups,
        }
    }

    /// Reads a plan.
    ///
    /// # Errors
    /// If the text is no plan of this version.
    pub fn read(text: &str) -> Result<Written, Unfit> {
        let written: Written =
            serde_json::from_str(text).map_err(|error| Unfit::Unreadable(error.to_string()))?;
        let other = |what: &str, there: &dyn std::fmt::Display, here: &dyn std::fmt::Display| {
            Err(Unfit::OtherVersion(format!("{what} {there} instead of {here}")))
        };
        if written.cardwright_plan != 1 {
            return other("format", &written.cardwright_plan, &1);
        }
        if written.rules != cw_duel::RULES_VERSION {
            return other("rules", &written.rules, &cw_duel::RULES_VERSION);
        }
        if written.levels != cw_players::VERSION {
            return other("levels", &written.levels, &cw_players::VERSION);
        }
        Ok(written)
    }

    /// Its text, the same bytes for the same plan.
    pub fn write(&self) -> String {
        let text = serde_json::to_string_pretty(self);
        text.map(|text| text + "\n").unwrap_or_default()
    }

    /// Its identity: 32 hexadecimal digits of its content.
    pub fn id(&self) -> String {
        blake3::hash(self.write().as_bytes()).to_hex()[..32].to_owned()
    }

    /// The plan, of this game.
    ///
    /// # Errors
    /// If the game is another one, or the plan contradicts itself.
    pub fn plan(&self, game: &Arc<Game>) -> Result<DuelPlan, Unfit> {
        if self.fingerprint != game.fingerprint {
            return Err(Unfit::OtherGame {
                wanted: self.game.clone(),
            });
        }
        let contradicts = |what: String| Unfit::Contradicts(what);
        let mut decks = Vec::new();
        for deck in &self.decks {
            let mut cards = Vec::new();
            for (id, number) in &deck.cards {
                let model = game.numbered().find(|(_, model)| *model.id == **id);
                let (model, _) = model.ok_or_else(|| {
                    contradicts(format!("there is no card {id}, which “{}” holds", deck.name))
                })?;
                cards.extend((0..(*number).min(1000)).map(|_| model));
            }
            decks.push((deck.name.clone(), cards));
        }
        let mut matchups = Vec::new();
        for places in &self.matchups {
            let [one, two] = places.map(|place| decks.get(place));
            let (Some(one), Some(two)) = (one, two) else {
                return Err(contradicts(format!(
                    "a matchup of decks {places:?}, of {}",
                    decks.len()
                )));
            };
            matchups.push(Matchup {
                names: PerSeat([one.0.clone(), two.0.clone()]),
                decks: PerSeat([one.1.clone(), two.1.clone()]),
            });
        }
        if matchups.is_empty() || self.pairs == 0 {
            return Err(contradicts("nothing is to be played".to_owned()));
        }
        let most = self.pairs;
        let plan = DuelPlan {
            game: Arc::clone(game),
            matchups,
            seed: self.seed,
            budgets: self.playouts.map(|playouts| SearchBudget { playouts }),
            exchange: match self.exchange.as_str() {
                "players" => Exchange::Players,
                "turns" => Exchange::Turns,
                other => {
                    return Err(contradicts(format!(
                        "exchange is “{other}”, not players or turns"
                    )));
                }
            },
            stop: match self.until {
                WrittenStop::All => StopRule::After(most),
                WrittenStop::Ahead => StopRule::Ahead { most },
                WrittenStop::Width(half) => StopRule::Width { half, most },
                WrittenStop::Each(half) => StopRule::Each { half, most },
                WrittenStop::Sprt(worse, better) if 0.0 < worse && worse < better && better < 1.0 => {
                    StopRule::Test {
                        sprt: Sprt::new(worse, better),
                        most,
                    }
                }
                WrittenStop::Sprt(..) => return Err(contradicts("the scores of its test".to_owned())),
            },
        };
        plan.check().map_err(|error| contradicts(error.to_string()))?;
        Ok(plan)
    }

    /// Blocks in all.
    pub fn blocks(&self) -> u64 {
        self.pairs.div_ceil(BLOCK)
    }

    /// The pairs of a block.
    pub fn pairs_of(&self, block: u64) -> Range<u64> {
        let from = (block * BLOCK).min(self.pairs);
        from..(from + BLOCK).min(self.pairs)
    }
}

/// A share of a plan: the `number`th of so many, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Which.
    pub number: u64,
    /// Of how many.
    pub of: u64,
}

impl Shard {
    /// Everything.
    pub const ALL: Shard = Shard { number: 0, of: 1 };

    /// The blocks of this share, where there are so many. The shares have no block in common, and all
    /// of them together have all.
    pub fn blocks(self, blocks: u64) -> Range<u64> {
        let at = |number: u64| {
            let at = u128::from(blocks) * u128::from(number) / u128::from(self.of);
            u64::try_from(at).unwrap_or(blocks)
        };
        at(self.number)..at(self.number + 1)
    }
}

impl std::str::FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let read = text.split_once('/').and_then(|(number, of)| {
            let (number, of) = (number.parse().ok()?, of.parse().ok()?);
            (number < of).then_some(Shard { number, of })
        });
        read.ok_or_else(|| "a share as 3/40: of 40, counted from 0/40 to 39/40".to_owned())
    }
}

impl std::fmt::Display for Shard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}
