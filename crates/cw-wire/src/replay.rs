//! A recorded duel: what is needed to play it again, and a hash after every choice.
//!
//! ```json
//! {
//!   "format": "cardwright-replay-2",
//!   "rules": "cardwright duel 5",
//!   "game": { "name": "Saltmarsh", "fingerprint": "<package id> <content hash>" },
//!   "seed": 7,
//!   "first": null,
//!   "decks": [[{ "id": "<card GUID>", "name": "Rook", "copies": 3 }], []],
//!   "moves": [{ "seat": 1, "choice": "play:12", "hash": "<32 hex digits>" }],
//!   "result": "player 1 wins"
//! }
//! ```
//!
//! `seed` is a number, or 64 hexadecimal digits in a string where it is none ([`Seed`]).
//! Between people it was made of what stands in `shuffle` ([`Agreement`]), which is checked.
//! `rules` is the version of the rules that were played; other rules may lead elsewhere.
//! `seat` is 1 or 2. `choice` is an option of the decision in [notation](crate::notation), `forfeit`
//! where a player gave up, `draw` where one accepted a draw, or `reseed:` with a seed where a player took
//! something back by consent and what nobody had seen was shuffled anew. `hash` is the state after it.

use std::fmt;
use std::sync::Arc;

use cw_duel::{
    Chance, Choice, Duel, DuelOutcome, DuelSetup, Game, PerSeat, Seat, Seed, SetupError, Silent, Sink,
};
use cw_program::ModelId;
use serde::{Deserialize, Serialize};

use crate::timeline::{DuelTimeline, TimelineAct};
use crate::{Agreement, notation, read_notation};

/// The value of `format`.
pub const REPLAY_FORMAT: &str = "cardwright-replay-2";

/// A recorded duel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Replay {
    /// [`REPLAY_FORMAT`].
    pub format: String,
    /// [`cw_duel::RULES_VERSION`] of what was played.
    pub rules: String,
    /// Which game, and which content of it.
    pub game: GameOf,
    /// The seed of all chance.
    #[serde(with = "seed_form")]
    pub seed: Seed,
    /// What the seed was made of, between people (D70).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shuffle: Option<Agreement>,
    /// Who goes first, 1 or 2; drawn from the seed if left out.
    pub first: Option<u8>,
    /// The decks of both players, in order.
    pub decks: [Vec<DeckLine>; 2],
    /// Whether decks that are not legal were played.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub illegal_decks: bool,
    /// Every choice, in order.
    pub moves: Vec<Move>,
    /// How it ended, in words; for people.
    pub result: Option<String>,
}

/// A seed in JSON: a number where it is one, so that old records are read, else its digits.
mod seed_form {
    use cw_duel::Seed;
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

    #[derive(Serialize, Deserialize)]
    #[serde(untagged)]
    enum SeedForm {
        Number(u64),
        Text(String),
    }

    pub(super) fn serialize<S: Serializer>(seed: &Seed, serializer: S) -> Result<S::Ok, S::Error> {
        let form = match seed.number() {
            Some(number) => SeedForm::Number(number),
            None => SeedForm::Text(seed.to_string()),
        };
        form.serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Seed, D::Error> {
        match SeedForm::deserialize(deserializer)? {
            SeedForm::Number(number) => Ok(number.into()),
            SeedForm::Text(text) => text.parse().map_err(de::Error::custom),
        }
    }
}

/// Which game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameOf {
    /// Its name; for people.
    pub name: String,
    /// The package's id and the hash of its content.
    pub fingerprint: String,
}

/// Copies of one card.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DeckLine {
    /// The card's GUID.
    pub id: String,
    /// Its name; for people.
    pub name: String,
    /// How many.
    pub copies: u8,
}

/// One choice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Move {
    /// Who chose, 1 or 2.
    pub seat: u8,
    /// What, in notation, [`Move::FORFEIT`], or [`Move::RESEED`] and a seed.
    pub choice: String,
    /// The state after it.
    pub hash: String,
}

/// What every version of a record begins with.
#[derive(Deserialize)]
struct RecordFormat {
    format: String,
}

/// The text is no record of a duel.
#[derive(Debug, thiserror::Error)]
pub enum ReplayReadError {
    /// It is not the JSON that it should be.
    #[error("not a recorded duel: {0}")]
    Json(#[from] serde_json::Error),
    /// It is of another version.
    #[error("a record of the format “{0}”; this program reads “{REPLAY_FORMAT}”")]
    Format(String),
    /// The seed is not what its parts make.
    #[error("the parts of the shuffle make another seed than the record's")]
    Shuffle,
    /// Something is of a player that there is not.
    #[error("`{place}` is {seat}, players are 1 and 2")]
    Seat {
        /// Where in the record.
        place: String,
        /// What stands there.
        seat: u8,
    },
}

/// Why a record cannot be played again.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// It is of another game, or of another content of it.
    #[error("the record is of “{recorded_name}” ({recorded}), this package is “{name}” ({fingerprint})")]
    OtherGame {
        /// The name in the record.
        recorded_name: String,
        /// The fingerprint in the record.
        recorded: String,
        /// The name of the game given.
        name: String,
        /// Its fingerprint.
        fingerprint: String,
    },
    /// It was played by other rules.
    #[error(
        "the record was played by the rules “{recorded}”, this program has “{}”",
        cw_duel::RULES_VERSION
    )]
    OtherRules {
        /// The version in the record.
        recorded: String,
    },
    /// A card of a deck is not in the game.
    #[error("the game has no card {id} (“{name}”)")]
    UnknownCard {
        /// Its GUID.
        id: String,
        /// Its name in the record.
        name: String,
    },
    /// A deck is not legal (G33).
    #[error("the deck of player {seat} is not legal: {fault}")]
    IllegalDeck {
        /// Whose, 1 or 2.
        seat: usize,
        /// The first fault, in words.
        fault: String,
    },
    /// The duel cannot start.
    #[error(transparent)]
    Setup(SetupError),
    /// It goes another way.
    #[error(transparent)]
    Diverged(#[from] Box<Diverged>),
}

/// Where a record and the duel part.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Diverged {
    /// The choice, from 1.
    pub choice: usize,
    /// What the record says.
    pub expected: String,
    /// What is.
    pub got: String,
}

impl fmt::Display for Diverged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the record diverges at choice {}: expected {}, got {}",
            self.choice, self.expected, self.got
        )
    }
}

impl Replay {
    /// Reads the text of a record.
    ///
    /// # Errors
    /// If it is none.
    pub fn read(text: &str) -> Result<Replay, ReplayReadError> {
        // What is of another version may have other fields.
        let RecordFormat { format } = serde_json::from_str(text)?;
        if format != REPLAY_FORMAT {
            return Err(ReplayReadError::Format(format));
        }
        let replay: Replay = serde_json::from_str(text)?;
        if replay
            .shuffle
            .as_ref()
            .is_some_and(|made| made.seed() != replay.seed)
        {
            return Err(ReplayReadError::Shuffle);
        }
        let first = replay.first.map(|seat| ("first".to_owned(), seat));
        let moves = replay.moves.iter().enumerate();
        let mut seats = first
            .into_iter()
            .chain(moves.map(|(index, made)| (format!("seat of choice {}", index + 1), made.seat)));
        if let Some((place, seat)) = seats.find(|(_, seat)| !matches!(seat, 1 | 2)) {
            return Err(ReplayReadError::Seat { place, seat });
        }
        Ok(replay)
    }

    /// The text of the record.
    ///
    /// # Panics
    /// Never: its parts are texts and numbers.
    pub fn write(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("texts and numbers are always JSON");
        text.push('\n');
        text
    }

    /// Starts the recorded duel.
    ///
    /// # Errors
    /// If the game is another one, or the duel cannot start.
    pub fn start(&self, game: &Arc<Game>, sink: &mut dyn Sink) -> Result<Duel, ReplayError> {
        if self.game.fingerprint != game.fingerprint || self.game.name != game.name {
            return Err(ReplayError::OtherGame {
                recorded_name: self.game.name.clone(),
                recorded: self.game.fingerprint.clone(),
                name: game.name.clone(),
                fingerprint: game.fingerprint.clone(),
            });
        }
        if self.rules != cw_duel::RULES_VERSION {
            return Err(ReplayError::OtherRules {
                recorded: self.rules.clone(),
            });
        }
        let decks = PerSeat([self.deck(game, 0)?, self.deck(game, 1)?]);
        let setup = DuelSetup {
            chance: Chance::seeded(self.seed),
            script: Vec::new(),
            first: self.first.map(|first| Seat::from_index(usize::from(first) - 1)),
            allow_illegal_decks: self.illegal_decks,
        };
        Duel::new_with(Arc::clone(game), &decks, setup, sink).map_err(|error| match error {
            SetupError::IllegalDeck { seat, fault } => ReplayError::IllegalDeck {
                seat: seat.index() + 1,
                fault: fault.describe(game).to_string(),
            },
            SetupError::TooManyCards { .. } | SetupError::TooLarge { .. } => ReplayError::Setup(error),
        })
    }

    fn deck(&self, game: &Game, index: usize) -> Result<Vec<ModelId>, ReplayError> {
        let mut deck = Vec::new();
        for line in &self.decks[index] {
            let same = |model: &cw_duel::CardModel| *model.id == *line.id && *model.name == *line.name;
            let found = game.numbered().find(|(_, model)| same(model));
            let Some((model, _)) = found else {
                return Err(ReplayError::UnknownCard {
                    id: line.id.clone(),
                    name: line.name.clone(),
                });
            };
            deck.extend(std::iter::repeat_n(model, usize::from(line.copies)));
        }
        Ok(deck)
    }

    /// Plays the record's first `choices` choices; each is checked, and so is the hash of
    /// the state after it.
    ///
    /// # Errors
    /// As [`Replay::start`], or at the first choice that goes another way.
    pub fn play(&self, game: &Arc<Game>, choices: usize, sink: &mut dyn Sink) -> Result<Duel, ReplayError> {
        let mut duel = self.start(game, sink)?;
        for (index, recorded) in self.moves.iter().enumerate().take(choices) {
            play_move(&mut duel, index + 1, recorded, sink)?;
        }
        if choices >= self.moves.len() {
            self.check_result(&duel)?;
        }
        Ok(duel)
    }
}

impl Replay {
    /// The result is what the last choice led to.
    pub(crate) fn check_result(&self, duel: &Duel) -> Result<(), Box<Diverged>> {
        let is = result_of(duel);
        if self.result == is {
            return Ok(());
        }
        let words = |result: &Option<String>| match result {
            Some(words) => format!("the result “{words}”"),
            None => "no result".to_owned(),
        };
        Err(diverged(self.moves.len(), words(&self.result), words(&is)))
    }
}

/// How a duel ended, in the words of a record.
fn result_of(duel: &Duel) -> Option<String> {
    duel.outcome().map(|outcome| match outcome {
        DuelOutcome::Won { winner, .. } => format!("player {} wins", winner.index() + 1),
        DuelOutcome::Drawn => "draw".into(),
    })
}

/// Plays one recorded choice.
fn play_move(
    duel: &mut Duel,
    number: usize,
    recorded: &Move,
    sink: &mut dyn Sink,
) -> Result<(), Box<Diverged>> {
    read_move(duel, number, recorded)?.repeat(duel, sink);
    check_hash(duel, number, recorded)
}

pub(crate) fn diverged(choice: usize, expected: String, got: impl Into<String>) -> Box<Diverged> {
    let got = got.into();
    Box::new(Diverged {
        choice,
        expected,
        got,
    })
}

/// Why a recorded choice does not fit a duel.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {expected}, got {got}")]
pub struct Misfit {
    /// What the record says.
    pub expected: String,
    /// What is.
    pub got: String,
}

impl Move {
    /// The choice of who gives up.
    pub const FORFEIT: &str = "forfeit";

    /// The choice of who accepts a draw.
    pub const DRAW: &str = "draw";

    /// Before the digits of the seed from which follows, since then, what nobody knows.
    pub const RESEED: &str = "reseed:";

    /// How a step is written.
    pub fn words(act: TimelineAct, game: &Game) -> String {
        match act {
            TimelineAct::Chose(choice) => notation(game, choice),
            TimelineAct::GaveUp(_) => Move::FORFEIT.to_owned(),
            TimelineAct::AgreedDraw(_) => Move::DRAW.to_owned(),
            TimelineAct::Reseeded(_, seed) => format!("{}{seed}", Move::RESEED),
        }
    }

    /// What it means where the duel stands.
    ///
    /// # Errors
    /// If that is not offered there.
    pub fn read(&self, duel: &Duel) -> Result<TimelineAct, Misfit> {
        let Some(decision) = duel.pending() else {
            return Err(Misfit {
                expected: format!("“{}”", self.choice),
                got: "the end of the duel".to_owned(),
            });
        };
        let by = Seat::from_index(usize::from(self.seat.saturating_sub(1)));
        if self.choice == Move::FORFEIT {
            return Ok(TimelineAct::GaveUp(by));
        }
        if self.choice == Move::DRAW {
            return Ok(TimelineAct::AgreedDraw(by));
        }
        if let Some(digits) = self.choice.strip_prefix(Move::RESEED) {
            // One way to write each.
            let seed = digits
                .parse()
                .ok()
                .filter(|seed: &Seed| seed.to_string() == digits);
            return seed
                .map(|seed| TimelineAct::Reseeded(by, seed))
                .ok_or_else(|| Misfit {
                    expected: "a seed".to_owned(),
                    got: format!("“{digits}”"),
                });
        }
        let game = duel.game();
        let seat = decision.seat.index() + 1;
        let choice = read_notation(game, &self.choice)
            .filter(|choice| usize::from(self.seat) == seat && decision.options.contains(choice));
        choice.map(TimelineAct::Chose).ok_or_else(|| {
            let options = decision.options.iter().map(|choice| notation(game, *choice));
            let options: Vec<String> = options.collect();
            Misfit {
                expected: format!("player {} to choose “{}”", self.seat, self.choice),
                got: format!("player {seat} with the options: {}", options.join(", ")),
            }
        })
    }

    /// Whether it led where the duel stands.
    ///
    /// # Errors
    /// If it did not.
    pub fn check(&self, duel: &Duel) -> Result<(), Misfit> {
        let hash = duel.hash().to_string();
        if hash == self.hash {
            return Ok(());
        }
        Err(Misfit {
            expected: format!("state {} after “{}”", self.hash, self.choice),
            got: format!("state {hash}"),
        })
    }
}

pub(crate) fn read_move(duel: &Duel, number: usize, recorded: &Move) -> Result<TimelineAct, Box<Diverged>> {
    let found = recorded.read(duel);
    found.map_err(|misfit| diverged(number, misfit.expected, misfit.got))
}

pub(crate) fn check_hash(duel: &Duel, number: usize, recorded: &Move) -> Result<(), Box<Diverged>> {
    let checked = recorded.check(duel);
    checked.map_err(|misfit| diverged(number, misfit.expected, misfit.got))
}

/// Writes a record while a duel is played.
#[derive(Clone, Debug)]
pub struct Recorder {
    replay: Replay,
}

impl Recorder {
    /// Begins the record of a duel that starts with these decks and seed.
    pub fn new(
        game: &Game,
        decks: &PerSeat<Vec<ModelId>>,
        seed: impl Into<Seed>,
        first: Option<Seat>,
    ) -> Recorder {
        let lines = |deck: &[ModelId]| -> Vec<DeckLine> {
            deck.chunk_by(|a, b| a == b)
                .map(|group| {
                    let model = game.model(group[0]);
                    let copies = u8::try_from(group.len()).unwrap_or(u8::MAX);
                    DeckLine {
                        id: model.id.to_string(),
                        name: model.name.to_string(),
                        copies,
                    }
                })
                .collect()
        };
        let replay = Replay {
            format: REPLAY_FORMAT.into(),
            rules: cw_duel::RULES_VERSION.into(),
            game: GameOf {
                name: game.name.clone(),
                fingerprint: game.fingerprint.clone(),
            },
            seed: seed.into(),
            shuffle: None,
            first: first.map(Seat::number),
            decks: [lines(&decks.0[0]), lines(&decks.0[1])],
            illegal_decks: Seat::BOTH
                .into_iter()
                .any(|seat| !game.deck_faults(&decks[seat]).is_empty()),
            moves: Vec::new(),
            result: None,
        };
        Recorder { replay }
    }

    /// The record of a duel that began as this one did and has gone as the timeline says.
    ///
    /// # Panics
    /// If the timeline began otherwise.
    pub fn replay_of(mut self, timeline: &DuelTimeline) -> Replay {
        self.replay.moves.clear();
        self.replay.result = None;
        let mut duel = timeline.at(0);
        for taken in timeline.taken() {
            let words = Move::words(taken.act, duel.game());
            taken.act.repeat(&mut duel, &mut Silent);
            self.note(&duel, taken.seat.number(), words);
        }
        self.replay
    }

    /// Goes on from a record: its first `choices` choices stand, what follows is open.
    pub fn resume(replay: &Replay, choices: usize) -> Recorder {
        let mut replay = replay.clone();
        replay.moves.truncate(choices);
        replay.result = None;
        Recorder { replay }
    }

    /// Answers the pending decision and notes it.
    ///
    /// # Errors
    /// As [`Duel::answer`]; then nothing is noted.
    pub fn answer(
        &mut self,
        duel: &mut Duel,
        choice: Choice,
        sink: &mut dyn Sink,
    ) -> Result<(), cw_duel::AnswerError> {
        let Some(decision) = duel.pending() else {
            return Err(cw_duel::AnswerError::Over);
        };
        let words = notation(duel.game(), choice);
        let seat = decision.seat.number();
        duel.answer(choice, sink)?;
        self.note(duel, seat, words);
        Ok(())
    }

    /// Gives up and notes it.
    pub fn forfeit(&mut self, duel: &mut Duel, seat: Seat, sink: &mut dyn Sink) {
        duel.forfeit(seat, sink);
        self.note(duel, seat.number(), Move::FORFEIT.into());
    }

    fn note(&mut self, duel: &Duel, seat: u8, choice: String) {
        self.replay.moves.push(Move {
            seat,
            choice,
            hash: duel.hash().to_string(),
        });
        self.replay.result = result_of(duel);
    }

    /// The record so far.
    pub fn replay(&self) -> &Replay {
        &self.replay
    }
}
