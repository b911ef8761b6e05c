//! Duels, their decisions, and records of them.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context as _;
use cw_duel::{DuelOutcome, DuelSetup, PerSeat, Seat, Silent, WinReason};
use cw_players::{mix, players_seed, seed_of};
use cw_program::ModelId;
use cw_wire::{DuelTimeline, Recorder, notation, read_notation};
use cw_words::EventReader;
use pyo3::prelude::*;
use pyo3::types::PyString;
use serde::{Deserialize, Serialize};

use crate::encode::Takebacks;
use crate::errors::{ChoiceError, GameError, ReplayError};
use crate::game::Game;
use crate::given::{self, Given};
use crate::seat_of;
use crate::view::View;

/// One answer.
#[pyclass(module = "cardwright", frozen, eq, hash)]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct Choice {
    pub(crate) choice: cw_duel::Choice,
    key: String,
    words: String,
}

#[pymethods]
impl Choice {
    /// Its notation, as records have it.
    #[getter]
    fn key(&self) -> &str {
        &self.key
    }

    /// What it means, in words, for who is asked.
    #[getter]
    fn words(&self) -> &str {
        &self.words
    }

    /// What kind of answer: the notation's word.
    #[getter]
    fn kind(&self) -> &str {
        self.key.split(':').next().unwrap_or_default()
    }

    /// The card that it is about, if it is about one.
    #[getter]
    fn card(&self) -> Option<u8> {
        self.choice.card().map(|card| card.0)
    }

    fn __repr__(&self) -> String {
        crate::short(format!("<Choice {}: {}>", self.key, self.words))
    }
}

/// A question to a seat, with every answer that is allowed.
#[pyclass(module = "cardwright", frozen, get_all)]
pub(crate) struct Decision {
    seat: u8,
    /// What is asked, in words.
    question: String,
    /// The card on whose behalf it is asked.
    source: Option<u8>,
    phase: String,
    /// Whether what was begun may be taken back.
    declinable: bool,
    /// The answers; never empty.
    options: Vec<Py<Choice>>,
}

#[pymethods]
impl Decision {
    fn __repr__(&self) -> String {
        crate::short(format!(
            "<Decision of seat {}: {} {} options>",
            self.seat,
            self.question,
            self.options.len()
        ))
    }
}

/// How a duel came to where it stands.
#[derive(Clone)]
struct Past {
    start: Arc<PastStart>,
    taken: Vec<Act>,
}

/// Where a past begins.
struct PastStart {
    duel: cw_duel::Duel,
    origin: PastOrigin,
}

/// What makes the beginning of a past again.
enum PastOrigin {
    /// The record up to there.
    Recorded(Box<Recorder>),
    /// Another duel, sampled for a seat by a number.
    Sampled {
        of: Past,
        /// What that duel's levels were seeded by.
        chance: LevelChance,
        seat: Seat,
        seed: u64,
    },
}

/// The chance of the levels that play a duel: made of the duel's seed, so that the same duel is played in the
/// same way, and every duel in its own.
#[derive(Clone, Copy)]
struct LevelChance {
    seed: u64,
    /// Answers that the duel has had.
    answers: u64,
}

#[derive(Clone, Copy)]
enum Act {
    Chose(cw_duel::Choice),
    GaveUp(Seat),
}

/// A duel at one of its decisions, or at its end.
#[pyclass(module = "cardwright")]
pub(crate) struct Duel {
    pub(crate) game: Py<Game>,
    pub(crate) duel: cw_duel::Duel,
    /// None where nobody has written it down.
    past: Option<Past>,
    chance: LevelChance,
}

/// An answer as Python names it.
enum Answer {
    Place(usize),
    Choice(Py<Choice>),
    Key(String),
}

impl<'py> Given<'py> for Answer {
    fn given(name: &str, value: &Bound<'py, PyAny>) -> PyResult<Answer> {
        const WANTED: &str = "an option, its place as a whole number, or its notation as text";
        if let Ok(place) = value.extract::<usize>() {
            return Ok(Answer::Place(place));
        }
        if let Ok(choice) = value.cast::<Choice>() {
            return Ok(Answer::Choice(choice.clone().unbind()));
        }
        if value.is_instance_of::<PyString>() {
            return String::given(name, value).map(Answer::Key);
        }
        let whole = given::whole(name, value, 0, u32::MAX.into());
        // A number that is no place is offered by nobody; anything else is no number.
        whole.map(|_| Answer::Place(usize::MAX)).map_err(|error| {
            match error.is_instance_of::<pyo3::exceptions::PyValueError>(value.py()) {
                true => ChoiceError::new_err(format!("there is no option {}", given::told(value))),
                false => given::wrong(name, WANTED, value),
            }
        })
    }
}

impl Duel {
    pub(crate) fn begin(
        game: Py<Game>,
        decks: PerSeat<Vec<ModelId>>,
        seed: u64,
        first: Option<Seat>,
        illegal: bool,
    ) -> PyResult<Duel> {
        let setup = DuelSetup {
            first,
            allow_illegal_decks: illegal,
            ..DuelSetup::from(seed)
        };
        let of = &game.get().game;
        let duel = cw_duel::Duel::new(Arc::clone(of), &decks, setup)
            .map_err(|error| GameError::new_err((error.to_string(), "")))?;
        let recorder = Recorder::new(of, &decks, seed, first);
        let chance = LevelChance {
            seed: players_seed(seed.into()),
            answers: 0,
        };
        Ok(Duel::since(
            game,
            duel,
            PastOrigin::Recorded(Box::new(recorder)),
            chance,
        ))
    }

    /// A duel that nobody has written down; its levels have this seed.
    pub(crate) fn without_record(game: Py<Game>, duel: cw_duel::Duel, seed: u64) -> Duel {
        Duel {
            game,
            duel,
            past: None,
            chance: LevelChance { seed, answers: 0 },
        }
    }

    /// A duel whose past begins here.
    fn since(game: Py<Game>, duel: cw_duel::Duel, origin: PastOrigin, chance: LevelChance) -> Duel {
        let start = PastStart {
            duel: duel.clone(),
            origin,
        };
        Duel {
            game,
            past: Some(Past {
                start: Arc::new(start),
                taken: Vec::new(),
            }),
            duel,
            chance,
        }
    }

    /// The seed of a level that answers the question that waits.
    pub(crate) fn level_seed(&self) -> u64 {
        let seat = self.duel.pending().map_or(Seat::One, |decision| decision.seat);
        seed_of(self.chance.seed, seat, self.chance.answers)
    }

    /// Replays a past from the text that [`Past::text`] made of it.
    fn restore(game: &Py<Game>, text: &PastText) -> Result<Duel, String> {
        let of = &game.get().game;
        let misfit = || "the state does not fit this game".to_owned();
        let mut duel = match &text.origin {
            OriginText::Record(record) => {
                let replay = cw_wire::Replay::read(record).map_err(|error| told(&error))?;
                let timeline = DuelTimeline::of(&replay, of).map_err(|error| told(&error))?;
                let (start, end) = (timeline.at(timeline.len()), timeline.len());
                let origin = PastOrigin::Recorded(Box::new(Recorder::resume(&replay, end)));
                Python::attach(|py| Duel::since(game.clone_ref(py), start, origin, text.chance.into()))
            }
            OriginText::Sample { of, seat, seed } => {
                let from = Duel::restore(game, of)?;
                let seat = seat_of(*seat).map_err(|error| error.to_string())?;
                let sample = Python::attach(|py| from.sample(py, seat, *seed));
                sample.map_err(|error| error.to_string())?.ok_or_else(misfit)?
            }
        };
        for act in &text.acts {
            let act = match act {
                ActText::Choice(key) => Act::Chose(read_notation(of, key).ok_or_else(misfit)?),
                ActText::GaveUp(seat) => Act::GaveUp(seat_of(*seat).map_err(|error| error.to_string())?),
            };
            duel.take(act).map_err(|error| error.to_string())?;
        }
        duel.chance = text.chance.into();
        Ok(duel)
    }

    /// Takes an act that is offered, and writes it down.
    fn take(&mut self, act: Act) -> Result<(), cw_duel::AnswerError> {
        match act {
            Act::Chose(choice) => self.duel.answer_silently(choice)?,
            Act::GaveUp(seat) => self.duel.forfeit(seat, &mut Silent),
        }
        self.chance.answers += 1;
        if let Some(past) = &mut self.past {
            past.taken.push(act);
        }
        Ok(())
    }
}

impl Past {
    /// Everything that makes this past again, as data.
    fn text(&self, game: &cw_duel::Game, chance: LevelChance) -> Result<PastText, String> {
        let (origin, acts) = match &self.start.origin {
            PastOrigin::Recorded(_) => (OriginText::Record(self.replay()?.write()), Vec::new()),
            PastOrigin::Sampled {
                of,
                chance,
                seat,
                seed,
            } => {
                let acts = self.taken.iter().map(|act| match act {
                    Act::Chose(choice) => ActText::Choice(notation(game, *choice)),
                    Act::GaveUp(seat) => ActText::GaveUp(seat.number()),
                });
                let of = Box::new(of.text(game, *chance)?);
                let (seat, seed) = (seat.number(), *seed);
                (OriginText::Sample { of, seat, seed }, acts.collect())
            }
        };
        Ok(PastText {
            origin,
            acts,
            chance: (chance.seed, chance.answers),
        })
    }

    /// The record of a duel that was played from its beginning.
    fn replay(&self) -> Result<cw_wire::Replay, String> {
        let PastOrigin::Recorded(recorder) = &self.start.origin else {
            return Err(
                "this duel has no record: samples were never played, and VecDuels keeps none".to_owned(),
            );
        };
        let (mut duel, mut recorder) = (self.start.duel.clone(), Recorder::clone(recorder));
        for act in &self.taken {
            match act {
                Act::Chose(choice) => recorder
                    .answer(&mut duel, *choice, &mut Silent)
                    .map_err(|error| error.to_string())?,
                Act::GaveUp(seat) => recorder.forfeit(&mut duel, *seat, &mut Silent),
            }
        }
        Ok(recorder.replay().clone())
    }
}

/// What `pickle` keeps of a duel: what makes it again, and what that is given.
type Pickled = (Py<PyAny>, (Py<Game>, String));

/// A past as `pickle` keeps it.
#[derive(Serialize, Deserialize)]
struct PastText {
    origin: OriginText,
    acts: Vec<ActText>,
    /// Seed of the levels, and answers so far.
    chance: (u64, u64),
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum OriginText {
    /// The text of a record.
    Record(String),
    /// A sample of another duel.
    Sample { of: Box<PastText>, seat: u8, seed: u64 },
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum ActText {
    /// An answer, in the notation of records.
    Choice(String),
    /// A seat that gave up.
    GaveUp(u8),
}

impl From<(u64, u64)> for LevelChance {
    fn from((seed, answers): (u64, u64)) -> LevelChance {
        LevelChance { seed, answers }
    }
}

#[pymethods]
impl Duel {
    /// The question that waits; None when the duel is over.
    #[getter]
    fn pending(&self, py: Python<'_>) -> PyResult<Option<Decision>> {
        let Some(decision) = self.duel.pending() else {
            return Ok(None);
        };
        let reader = EventReader {
            duel: &self.duel,
            seat: Some(decision.seat),
        };
        let options = decision.options.iter().map(|choice| {
            Py::new(
                py,
                Choice {
                    choice: *choice,
                    key: notation(self.duel.game(), *choice),
                    words: cw_words::choice(reader, decision, *choice),
                },
            )
        });
        Ok(Some(Decision {
            seat: decision.seat.number(),
            question: cw_words::question(reader, decision),
            source: decision.source.map(|card| card.0),
            phase: decision.phase.name().to_owned(),
            declinable: decision.declinable,
            options: options.collect::<PyResult<_>>()?,
        }))
    }

    /// The seat that is asked; None when the duel is over.
    #[getter]
    fn asked(&self) -> Option<u8> {
        self.duel.pending().map(|decision| decision.seat.number())
    }

    /// How many answers there are; 0 when the duel is over.
    #[getter]
    fn number_of_options(&self) -> usize {
        self.duel.pending().map_or(0, |decision| decision.options.len())
    }

    /// The place of the only option that a learner may take, if there is just one: with `takebacks` of all
    /// options, else of those that take nothing back.
    #[pyo3(signature = (*, takebacks=true))]
    fn only_option(&self, #[pyo3(from_py_with = given::takebacks)] takebacks: bool) -> Option<usize> {
        let decision = self.duel.pending()?;
        Takebacks::of(takebacks).only(&decision.options)
    }

    /// What a seat sees.
    fn view(&self, py: Python<'_>, #[pyo3(from_py_with = given::seat)] seat: Seat) -> PyResult<View> {
        View::of(py, self.game.get(), &self.duel, seat)
    }

    /// What a seat sees, as the JSON that `cardwright replay --view` prints and bots are given.
    fn view_json(&self, #[pyo3(from_py_with = given::seat)] seat: Seat) -> PyResult<String> {
        let view = self.duel.view(seat);
        Ok(cw_wire::seen_json(&view, self.duel.game()).to_string())
    }

    /// Answers the question that waits: with one of its options, an option's place, or its notation.
    fn answer(
        &mut self,
        py: Python<'_>,
        #[pyo3(from_py_with = given::choice)] choice: Answer,
    ) -> PyResult<()> {
        let Some(decision) = self.duel.pending() else {
            return Err(ChoiceError::new_err("the duel is over: nobody is asked any more"));
        };
        let choice = match choice {
            Answer::Choice(choice) => choice.borrow(py).choice,
            Answer::Place(place) => *decision.options.get(place).ok_or_else(|| {
                ChoiceError::new_err(format!(
                    "there is no option {place}: there are {}, counted from 0",
                    decision.options.len()
                ))
            })?,
            Answer::Key(key) => read_notation(self.duel.game(), &key)
                .ok_or_else(|| ChoiceError::new_err(format!("“{key}” is no choice")))?,
        };
        if !decision.options.contains(&choice) {
            let offered: Vec<String> = decision
                .options
                .iter()
                .map(|option| notation(self.duel.game(), *option))
                .collect();
            return Err(ChoiceError::new_err(format!(
                "{} is not offered now; offered are {}",
                notation(self.duel.game(), choice),
                offered.join(", ")
            )));
        }
        self.take(Act::Chose(choice))
            .map_err(|error| ChoiceError::new_err(error.to_string()))
    }

    /// The seat gives up.
    fn give_up(&mut self, #[pyo3(from_py_with = given::seat)] seat: Seat) -> PyResult<()> {
        match self.duel.outcome() {
            Some(_) => Ok(()),
            None => self
                .take(Act::GaveUp(seat))
                .map_err(|error| ChoiceError::new_err(error.to_string())),
        }
    }

    /// A copy; both go on independently.
    fn copy(&self, py: Python<'_>) -> Duel {
        Duel {
            game: self.game.clone_ref(py),
            duel: self.duel.clone(),
            past: self.past.clone(),
            chance: self.chance,
        }
    }

    fn __copy__(&self, py: Python<'_>) -> Duel {
        self.copy(py)
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: Py<PyAny>) -> Duel {
        self.copy(py)
    }

    /// A duel that the seat cannot tell from this one: what it does not know is dealt anew, and chance is
    /// another. None where nothing can be said without looking.
    #[pyo3(signature = (seat, seed))]
    fn sample(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = given::seat)] seat: Seat,
        #[pyo3(from_py_with = given::seed)] seed: u64,
    ) -> PyResult<Option<Duel>> {
        let Some(duel) = self.duel.sample(seat, seed) else {
            return Ok(None);
        };
        let game = self.game.clone_ref(py);
        let chance = LevelChance {
            seed: mix(&[self.chance.seed, seed]),
            answers: self.chance.answers,
        };
        let Some(past) = &self.past else {
            return Ok(Some(Duel {
                game,
                duel,
                past: None,
                chance,
            }));
        };
        let origin = PastOrigin::Sampled {
            of: past.clone(),
            chance: self.chance,
            seat,
            seed,
        };
        Ok(Some(Duel::since(game, duel, origin, chance)))
    }

    /// Two duels are equal if their games play alike and they stand at the same true state.
    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let Ok(other) = other.cast::<Duel>() else {
            return false;
        };
        let other = other.borrow();
        self.game.get().same_as(other.game.get()) && self.duel.hash() == other.duel.hash()
    }

    fn __reduce__(slf: &Bound<'_, Duel>) -> PyResult<Pickled> {
        let this = slf.borrow();
        let text = match &this.past {
            Some(past) => past.text(this.duel.game(), this.chance),
            None => Err("a duel of VecDuels has no past, so it cannot be pickled".to_owned()),
        };
        let text = text.map_err(ReplayError::new_err)?;
        let text = serde_json::to_string(&text).map_err(|error| ReplayError::new_err(error.to_string()))?;
        let restore = slf.get_type().getattr("_restore")?.unbind();
        Ok((restore, (this.game.clone_ref(slf.py()), text)))
    }

    /// Makes a duel of what `pickle` has kept.
    #[staticmethod]
    fn _restore(
        #[pyo3(from_py_with = given::game)] game: Py<Game>,
        #[pyo3(from_py_with = given::text)] text: String,
    ) -> PyResult<Duel> {
        let text = serde_json::from_str(&text).map_err(|error| ReplayError::new_err(error.to_string()))?;
        Duel::restore(&game, &text).map_err(ReplayError::new_err)
    }

    /// The turn's number, from 1.
    #[getter]
    fn turn(&self) -> u16 {
        self.duel.turn()
    }

    /// The phase.
    #[getter]
    fn phase(&self) -> &'static str {
        self.duel.phase().name()
    }

    /// Whether it is over.
    #[getter]
    fn over(&self) -> bool {
        self.duel.outcome().is_some()
    }

    /// Who has won; 0 if it was drawn, None if it goes on.
    #[getter]
    fn winner(&self) -> Option<u8> {
        self.duel.outcome().map(|outcome| match outcome {
            DuelOutcome::Won { winner, .. } => winner.number(),
            DuelOutcome::Drawn => 0,
        })
    }

    /// Why it is over: hp, deck, gave up, drawn; None if it goes on.
    #[getter]
    fn reason(&self) -> Option<&'static str> {
        self.duel.outcome().map(|outcome| match outcome {
            DuelOutcome::Won { reason, .. } => match reason {
                WinReason::Hp => "hp",
                WinReason::DeckOut => "deck",
                WinReason::Forfeit => "gave up",
            },
            DuelOutcome::Drawn => "drawn",
        })
    }

    /// The digest of the whole true state, as 32 hexadecimal digits.
    #[getter]
    fn hash(&self) -> String {
        self.duel.hash().to_string()
    }

    /// The game.
    #[getter]
    fn game(&self, py: Python<'_>) -> Py<Game> {
        self.game.clone_ref(py)
    }

    /// The record so far.
    fn replay(&self) -> PyResult<Replay> {
        let replay = match &self.past {
            Some(past) => past.replay(),
            None => {
                Err("this duel has no record: samples were never played, and VecDuels keeps none".to_owned())
            }
        };
        let replay = replay.map_err(ReplayError::new_err)?;
        Ok(Replay { replay })
    }

    fn __repr__(&self) -> String {
        let state = match (self.asked(), self.winner()) {
            (Some(seat), _) => format!("seat {seat} is asked"),
            (None, Some(0)) => "drawn".to_owned(),
            (None, winner) => format!("won by seat {}", winner.unwrap_or_default()),
        };
        crate::short(format!(
            "<Duel of {}, turn {}, {state}>",
            self.duel.game().name,
            self.turn()
        ))
    }

    fn _repr_html_(slf: &Bound<'_, Duel>) -> PyResult<String> {
        crate::html("of_duel", slf.as_any())
    }
}

/// A recorded duel.
#[pyclass(module = "cardwright", frozen)]
pub(crate) struct Replay {
    replay: cw_wire::Replay,
}

#[pymethods]
impl Replay {
    /// Reads a record from a file.
    #[staticmethod]
    fn load(#[pyo3(from_py_with = given::path)] path: PathBuf) -> PyResult<Replay> {
        let text = cw_files::read_text(&path, cw_files::RECORD)
            .with_context(|| format!("cannot read “{}”", path.display()))
            .map_err(crate::errors::game)?;
        Replay::parse(text)
            .map_err(|error| ReplayError::new_err(format!("cannot use “{}”: {error}", path.display())))
    }

    /// Reads the text of a record.
    #[staticmethod]
    fn parse(#[pyo3(from_py_with = given::text)] text: String) -> PyResult<Replay> {
        let replay = cw_wire::Replay::read(&text).map_err(|error| ReplayError::new_err(told(&error)))?;
        Ok(Replay { replay })
    }

    /// Its text.
    #[getter]
    fn text(&self) -> String {
        self.replay.write()
    }

    /// Writes it into a file.
    fn save(&self, #[pyo3(from_py_with = given::path)] path: PathBuf) -> PyResult<()> {
        let written = cw_files::write(&path, self.replay.write().as_bytes());
        written
            .with_context(|| cw_lab::cannot_write(&path))
            .map_err(crate::errors::game)
    }

    /// How it ended, in words; None if it did not.
    #[getter]
    fn result(&self) -> Option<String> {
        self.replay.result.clone()
    }

    /// Its choices: the seat and the notation.
    #[getter]
    fn choices(&self) -> Vec<(u8, String)> {
        let moves = self.replay.moves.iter();
        moves.map(|taken| (taken.seat, taken.choice.clone())).collect()
    }

    fn __len__(&self) -> usize {
        self.replay.moves.len()
    }

    /// The duel before a choice, counted from 0, negative from the end; at the end if none is named. Every
    /// state on the way is compared with the record.
    #[pyo3(signature = (at=None, *, game))]
    fn at(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = given::at)] at: Option<i64>,
        #[pyo3(from_py_with = given::game)] game: Py<Game>,
    ) -> PyResult<Duel> {
        let of = Arc::clone(&game.get().game);
        let (replay, number) = (&self.replay, self.replay.moves.len());
        let (duel, place) = py.detach(|| {
            let timeline =
                DuelTimeline::of(replay, &of).map_err(|error| ReplayError::new_err(told(&error)))?;
            let at = at.unwrap_or_else(|| i64::try_from(timeline.len()).unwrap_or(i64::MAX));
            let from_start = match at < 0 {
                true => i64::try_from(timeline.len())
                    .unwrap_or(i64::MAX)
                    .saturating_add(at),
                false => at,
            };
            let place = usize::try_from(from_start)
                .ok()
                .filter(|place| *place <= timeline.len());
            let place = place.ok_or_else(|| {
                ReplayError::new_err(format!("there is no choice {at}: the record has {number}"))
            })?;
            Ok::<_, PyErr>((timeline.at(place), place))
        })?;
        let chance = LevelChance {
            seed: players_seed(replay.seed),
            answers: place as u64,
        };
        let origin = PastOrigin::Recorded(Box::new(Recorder::resume(replay, place)));
        Ok(Duel::since(game, duel, origin, chance))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other
            .cast::<Replay>()
            .is_ok_and(|other| other.get().text() == self.text())
    }

    fn __hash__(&self) -> u64 {
        let digest = blake3::hash(self.text().as_bytes());
        digest
            .as_bytes()
            .first_chunk()
            .copied()
            .map_or(0, u64::from_le_bytes)
    }

    fn __copy__(slf: Py<Replay>) -> Py<Replay> {
        slf
    }

    fn __reduce__(slf: &Bound<'_, Replay>) -> PyResult<(Py<PyAny>, (String,))> {
        let parse = slf.get_type().getattr("parse")?.unbind();
        Ok((parse, (slf.get().text(),)))
    }

    fn __repr__(&self) -> String {
        let result = self.replay.result.as_deref().unwrap_or("not finished");
        crate::short(format!(
            "<Replay of {}: {} choices, {result}>",
            self.replay.game.name,
            self.replay.moves.len()
        ))
    }
}

/// An error with what it comes from.
fn told(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        if !text.contains(&error.to_string()) {
            text.push_str(&format!("\n  because: {error}"));
        }
        cause = error.source();
    }
    text
}
