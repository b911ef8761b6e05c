//! Duels, their decisions, and records of them.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context as _;
use cw_duel::{Outcome, PerSeat, Reason, Seat, Setup, Silent};
use cw_program::ModelId;
use cw_wire::{Recorder, Timeline, notation, read_notation};
use cw_words::Reader;
use pyo3::prelude::*;

use crate::errors::{ChoiceError, GameError, ReplayError};
use crate::game::Game;
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
        format!("<Choice {}: {}>", self.key, self.words)
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
        format!(
            "<Decision of seat {}: {} {} options>",
            self.seat,
            self.question,
            self.options.len()
        )
    }
}

/// How a duel came to where it stands.
#[derive(Clone)]
struct Past {
    /// Where the record begins, with the duel at its beginning.
    start: Arc<(cw_duel::Duel, Recorder)>,
    taken: Vec<Act>,
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
    /// None for samples, which never were played, and where nobody has written it down.
    past: Option<Past>,
}

/// An answer as Python names it.
#[derive(FromPyObject)]
enum Answer {
    Place(usize),
    Choice(Py<Choice>),
    Key(String),
}

impl Duel {
    pub(crate) fn begin(
        game: Py<Game>,
        decks: PerSeat<Vec<ModelId>>,
        seed: u64,
        first: Option<u8>,
        illegal: bool,
    ) -> PyResult<Duel> {
        let first = first.map(seat_of).transpose()?;
        let setup = Setup {
            first,
            allow_illegal_decks: illegal,
            ..Setup::from(seed)
        };
        let of = &game.get().game;
        let duel = cw_duel::Duel::new(Arc::clone(of), &decks, setup)
            .map_err(|error| GameError::new_err((error.to_string(), "")))?;
        let recorder = Recorder::new(of, &decks, seed, first);
        Ok(Duel::of(game, duel, recorder))
    }

    /// A duel that nobody has written down.
    pub(crate) fn without_record(game: Py<Game>, duel: cw_duel::Duel) -> Duel {
        Duel {
            game,
            duel,
            past: None,
        }
    }

    fn of(game: Py<Game>, duel: cw_duel::Duel, recorder: Recorder) -> Duel {
        Duel {
            game,
            past: Some(Past {
                start: Arc::new((duel.clone(), recorder)),
                taken: Vec::new(),
            }),
            duel,
        }
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
        let reader = Reader {
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

    /// What a seat sees.
    fn view(&self, py: Python<'_>, seat: u8) -> PyResult<View> {
        View::of(py, self.game.get(), &self.duel, seat_of(seat)?)
    }

    /// What a seat sees, as the JSON that `cardwright replay --view` prints and bots are given.
    fn view_json(&self, seat: u8) -> PyResult<String> {
        let view = self.duel.view(seat_of(seat)?);
        Ok(cw_wire::seen_json(&view, self.duel.game()).to_string())
    }

    /// Answers the question that waits: with one of its options, an option's place, or its notation.
    fn answer(&mut self, py: Python<'_>, choice: Answer) -> PyResult<()> {
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
        self.duel
            .answer_silently(choice)
            .map_err(|error| ChoiceError::new_err(error.to_string()))?;
        if let Some(past) = &mut self.past {
            past.taken.push(Act::Chose(choice));
        }
        Ok(())
    }

    /// The seat gives up.
    fn give_up(&mut self, seat: u8) -> PyResult<()> {
        let seat = seat_of(seat)?;
        if self.duel.outcome().is_none() {
            self.duel.forfeit(seat, &mut Silent);
            if let Some(past) = &mut self.past {
                past.taken.push(Act::GaveUp(seat));
            }
        }
        Ok(())
    }

    /// A copy; both go on independently.
    fn copy(&self, py: Python<'_>) -> Duel {
        Duel {
            game: self.game.clone_ref(py),
            duel: self.duel.clone(),
            past: self.past.clone(),
        }
    }

    fn __copy__(&self, py: Python<'_>) -> Duel {
        self.copy(py)
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: Py<PyAny>) -> Duel {
        self.copy(py)
    }

    /// A duel that the seat cannot tell from this one: what it does not know is dealt anew, and chance is another. None
    /// where nothing can be said without looking.
    #[pyo3(signature = (seat, seed))]
    fn sample(&self, py: Python<'_>, seat: u8, seed: u64) -> PyResult<Option<Duel>> {
        let sample = self.duel.sample(seat_of(seat)?, seed);
        Ok(sample.map(|duel| Duel::without_record(self.game.clone_ref(py), duel)))
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
            Outcome::Won { winner, .. } => winner.number(),
            Outcome::Drawn => 0,
        })
    }

    /// Why it is over: hp, deck, gave up, drawn; None if it goes on.
    #[getter]
    fn reason(&self) -> Option<&'static str> {
        self.duel.outcome().map(|outcome| match outcome {
            Outcome::Won { reason, .. } => match reason {
                Reason::Hp => "hp",
                Reason::DeckOut => "deck",
                Reason::Forfeit => "gave up",
            },
            Outcome::Drawn => "drawn",
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
        let Some(past) = &self.past else {
            return Err(ReplayError::new_err(
                "this duel has no record: samples were never played, and VecDuels keeps none",
            ));
        };
        let (mut duel, mut recorder) = (past.start.0.clone(), past.start.1.clone());
        for act in &past.taken {
            match act {
                Act::Chose(choice) => recorder
                    .answer(&mut duel, *choice, &mut Silent)
                    .map_err(|error| ReplayError::new_err(error.to_string()))?,
                Act::GaveUp(seat) => recorder.forfeit(&mut duel, *seat, &mut Silent),
            }
        }
        Ok(Replay {
            replay: recorder.replay().clone(),
        })
    }

    fn __repr__(&self) -> String {
        let state = match (self.asked(), self.winner()) {
            (Some(seat), _) => format!("seat {seat} is asked"),
            (None, Some(0)) => "drawn".to_owned(),
            (None, winner) => format!("won by seat {}", winner.unwrap_or_default()),
        };
        format!(
            "<Duel of {}, turn {}, {state}>",
            self.duel.game().name,
            self.turn()
        )
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
    fn load(path: PathBuf) -> PyResult<Replay> {
        let text = cw_files::read_text(&path, cw_files::RECORD)
            .with_context(|| format!("cannot read “{}”", path.display()))
            .map_err(crate::errors::game)?;
        Replay::parse(&text)
            .map_err(|error| ReplayError::new_err(format!("cannot use “{}”: {error}", path.display())))
    }

    /// Reads the text of a record.
    #[staticmethod]
    fn parse(text: &str) -> PyResult<Replay> {
        let replay = cw_wire::Replay::read(text).map_err(|error| ReplayError::new_err(told(&error)))?;
        Ok(Replay { replay })
    }

    /// Its text.
    #[getter]
    fn text(&self) -> String {
        self.replay.write()
    }

    /// Writes it into a file.
    fn save(&self, path: PathBuf) -> PyResult<()> {
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

    /// The duel before a choice, counted from 0, negative from the end; at the end if none is named. Every state on the way is
    /// compared with the record.
    #[pyo3(signature = (at=None, *, game))]
    fn at(&self, py: Python<'_>, at: Option<i64>, game: Py<Game>) -> PyResult<Duel> {
        let of = Arc::clone(&game.get().game);
        let (replay, number) = (&self.replay, self.replay.moves.len());
        let (start, duel, place) = py.detach(|| {
            let timeline = Timeline::of(replay, &of).map_err(|error| ReplayError::new_err(told(&error)))?;
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
            Ok::<_, PyErr>((timeline.at(place), timeline.at(place), place))
        })?;
        Ok(Duel {
            game,
            duel,
            past: Some(Past {
                start: Arc::new((start, Recorder::resume(replay, place))),
                taken: Vec::new(),
            }),
        })
    }

    fn __repr__(&self) -> String {
        let result = self.replay.result.as_deref().unwrap_or("not finished");
        format!(
            "<Replay of {}: {} choices, {result}>",
            self.replay.game.name,
            self.replay.moves.len()
        )
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
