//! Players: the program's own, and those that are functions or objects of Python.

use std::sync::{Arc, Mutex, PoisonError};

use cw_players::{Ask, Lists, Player, PlayerAnswer, SearchBudget, SearchInsight, SeatEyes, mix};
use cw_program::ModelId;
use cw_wire::notation;
use pyo3::prelude::*;
use pyo3::types::{PyAnyMethods, PyDict, PyString};

use crate::duel::Duel;
use crate::errors::ChoiceError;
use crate::game::Game;
use crate::given::{self, Given};
use crate::threads::while_signals_are_heard;

/// A level of the computer. It is a pure function: the same position, seed and playouts give the same choice.
#[pyclass(module = "cardwright", frozen, eq, hash)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Level {
    pub(crate) level: cw_players::Level,
    pub(crate) budget: SearchBudget,
}

/// The names of all levels, the weakest first.
#[pyfunction]
pub(crate) fn levels() -> Vec<&'static str> {
    cw_players::Level::ALL.map(cw_players::Level::name).to_vec()
}

impl Level {
    /// The seed that somebody gives, or that of the duel's levels.
    fn seed(duel: &Duel, given: Option<u64>) -> u64 {
        given.map_or_else(|| duel.level_seed(), |seed| mix(&[seed]))
    }

    /// Its name as it is read again, with what it tries out if that is not the usual number.
    pub(crate) fn named_again(self) -> String {
        match self.budget == self.level.budget() {
            true => self.level.name().to_owned(),
            false => format!("{}@{}", self.level.name(), self.budget.playouts),
        }
    }

    pub(crate) fn named(name: &str, playouts: Option<u32>) -> PyResult<Level> {
        let wrong = pyo3::exceptions::PyValueError::new_err::<String>;
        let read = name.parse::<cw_lab::Contestant>().map_err(wrong)?;
        match read.kind {
            cw_lab::ContestantKind::Level(level) => Ok(Level {
                level,
                budget: read.budget(playouts),
            }),
            cw_lab::ContestantKind::Bot(_) | cw_lab::ContestantKind::Guest(_) => Err(wrong(
                "a program plays in `simulate` and `arena`, not here: \
                 here a level is wanted, as easy or normal@500"
                    .to_owned(),
            )),
        }
    }
}

/// A player as Python names it.
pub(crate) enum Who {
    /// A level by name, or a program.
    Name(String),
    Level(Level),
    Policy(Policy),
}

impl<'py> Given<'py> for Who {
    fn given(name: &str, value: &Bound<'py, PyAny>) -> PyResult<Who> {
        if value.is_instance_of::<PyString>() {
            return String::given(name, value).map(Who::Name);
        }
        if let Ok(level) = value.cast::<Level>() {
            return Ok(Who::Level(*level.get()));
        }
        match Policy::of(value) {
            Some(policy) => Ok(Who::Policy(policy)),
            None => Err(given::wrong(
                name,
                "a player: the name of a level, a cardwright.Level, \
                 a function of a duel, or an object with `choose`",
                value,
            )),
        }
    }
}

impl<'py> Given<'py> for Vec<Option<Who>> {
    fn given(name: &str, value: &Bound<'py, PyAny>) -> PyResult<Vec<Option<Who>>> {
        given::all(name, "a list of players", value)
    }
}

impl<'py> Given<'py> for Vec<Who> {
    fn given(name: &str, value: &Bound<'py, PyAny>) -> PyResult<Vec<Who>> {
        given::all(name, "a list of one player or two", value)
    }
}

/// A function of Python that answers for a seat, or an object with a method `choose`: it is given a duel that
/// the seat cannot tell from the true one, and gives the place of an option.
#[derive(Clone)]
pub(crate) struct Policy {
    pub(crate) name: Arc<str>,
    /// What was handed over.
    pub(crate) object: Arc<Py<PyAny>>,
    choose: Arc<Py<PyAny>>,
}

impl Policy {
    /// How names of such players begin in reports and plans.
    pub(crate) const PREFIX: &str = "python:";

    fn of(value: &Bound<'_, PyAny>) -> Option<Policy> {
        let method = value.getattr("choose").ok().filter(PyAnyMethods::is_callable);
        let is_class = value.is_instance_of::<pyo3::types::PyType>();
        let choose = method.or_else(|| value.is_callable().then(|| value.clone()));
        let choose = choose.filter(|_| !is_class)?;
        let text = |attribute| value.getattr(attribute).ok()?.extract::<String>().ok();
        let name = text("__name__").or_else(|| text("name")).unwrap_or_else(|| {
            let kind = value.get_type().name();
            kind.map_or_else(|_| "player".to_owned(), |kind| kind.to_string())
        });
        let name: String = name.chars().filter(|one| !one.is_control()).take(60).collect();
        Some(Policy {
            name: format!("{}{name}", Policy::PREFIX).into(),
            object: Arc::new(value.clone().unbind()),
            choose: Arc::new(choose.unbind()),
        })
    }

    /// Asks it. Where nothing can be dealt anew without looking, nothing can be shown to it either: `plain`
    /// answers.
    pub(crate) fn choose(&self, game: &Py<Game>, ask: &Ask<'_>) -> PyResult<cw_duel::Choice> {
        let options = &ask.decision.options;
        if let [only] = options[..] {
            return Ok(only);
        }
        let Some(guess) = ask.guess(0) else {
            return Ok(cw_players::Level::Plain.choose(ask));
        };
        Python::attach(|py| {
            let duel = Duel::without_record(game.clone_ref(py), guess.fork(), ask.seed);
            let answer = self.choose.call1(py, (Py::new(py, duel)?,))?;
            let named = format!("the answer of {}", self.name);
            let most = i128::try_from(options.len()).map_or(0, |number| number - 1);
            let place = given::whole(&named, answer.bind(py), 0, most)?;
            let choice = usize::try_from(place).ok().and_then(|place| options.get(place));
            choice
                .copied()
                .ok_or_else(|| ChoiceError::new_err("an answer was not checked"))
        })
    }
}

/// What a function of Python raised while others played on.
#[derive(Clone, Default)]
pub(crate) struct Failure(Arc<Mutex<Option<PyErr>>>);

impl Failure {
    fn tell(&self, error: PyErr) {
        let mut first = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        first.get_or_insert(error);
    }

    /// Whether something was raised.
    pub(crate) fn is_there(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// The first thing that was raised.
    pub(crate) fn take(&self) -> Option<PyErr> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// A function of Python that sits at a duel.
pub(crate) struct Sitting {
    pub(crate) policy: Policy,
    pub(crate) game: Arc<Py<Game>>,
    pub(crate) failure: Failure,
}

impl Player for Sitting {
    fn answer(&mut self, ask: &Ask<'_>) -> PlayerAnswer {
        if self.failure.is_there() {
            return PlayerAnswer::GiveUp;
        }
        match self.policy.choose(&self.game, ask) {
            Ok(choice) => PlayerAnswer::Choice(choice),
            Err(error) => {
                self.failure.tell(error);
                PlayerAnswer::GiveUp
            }
        }
    }
}

#[pymethods]
impl Level {
    #[new]
    #[pyo3(
        signature = (name="easy".to_owned(), *, playouts=None),
        text_signature = "(name='easy', *, playouts=None)"
    )]
    fn new(
        #[pyo3(from_py_with = given::name)] name: String,
        #[pyo3(from_py_with = given::playouts)] playouts: Option<u32>,
    ) -> PyResult<Level> {
        Level::named(&name, playouts)
    }

    #[getter]
    fn name(&self) -> &'static str {
        self.level.name()
    }

    #[getter]
    fn playouts(&self) -> u32 {
        self.budget.playouts
    }

    /// Returns the place of the option that the level takes. It sees what the seat sees; with `closed_lists`
    /// it does not know the other's deck beforehand, but those of the game. Without a `seed` its chance is
    /// made of the duel's seed and of the number of answers so far, as on the command line.
    #[pyo3(signature = (duel, *, seed=None, closed_lists=false))]
    fn choose(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = given::duel)] duel: PyRef<'_, Duel>,
        #[pyo3(from_py_with = given::seed)] seed: Option<u64>,
        #[pyo3(from_py_with = given::closed_lists)] closed_lists: bool,
    ) -> PyResult<usize> {
        let (level, budget, seed) = (self.level, self.budget, Level::seed(&duel, seed));
        let lists = closed_lists.then(|| duel.game.get().lists());
        let choose = move |truth: &cw_duel::Duel| {
            let values = cw_lab::values(truth.game());
            let eyes = SeatEyes::of_who_is_asked(truth)?.valuing(values.as_deref());
            let eyes = match &lists {
                Some(lists) => eyes.knowing(Lists::Closed(lists)),
                None => eyes,
            };
            let ask = cw_players::Ask {
                budget,
                ..eyes.ask(seed)
            };
            let choice = level.choose(&ask);
            let mut options = eyes.decision().options.iter();
            options.position(|option| *option == choice)
        };
        let choice = match level.searches() {
            true => {
                let truth = duel.duel.clone();
                while_signals_are_heard(py, move || choose(&truth))?
            }
            false => {
                let truth = &duel.duel;
                py.detach(|| choose(truth))
            }
        };
        choice.ok_or_else(|| ChoiceError::new_err("the duel is over: nobody is asked any more"))
    }

    /// What it thinks about the options: those that it looked at, the one it would choose first. None for
    /// levels that do not search, and where nothing can be said without looking.
    #[pyo3(signature = (duel, *, seed=None, threads=1))]
    fn think<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = given::duel)] duel: PyRef<'py, Duel>,
        #[pyo3(from_py_with = given::seed)] seed: Option<u64>,
        #[pyo3(from_py_with = given::threads)] threads: usize,
    ) -> PyResult<Option<Vec<Bound<'py, PyDict>>>> {
        let (level, budget, seed) = (self.level, self.budget, Level::seed(&duel, seed));
        let owned = duel.duel.clone();
        let thought: Option<SearchInsight> = while_signals_are_heard(py, move || {
            let values = cw_lab::values(owned.game());
            let eyes = SeatEyes::of_who_is_asked(&owned)?.valuing(values.as_deref());
            let ask = cw_players::Ask {
                budget,
                ..eyes.ask(seed)
            };
            level.think(&ask, threads)
        })?;
        let truth = &duel.duel;
        let Some(thought) = thought else { return Ok(None) };
        let options = thought.options.iter().map(|weighed| {
            let one = PyDict::new(py);
            one.set_item("key", notation(truth.game(), weighed.choice))?;
            one.set_item("visits", weighed.visits)?;
            one.set_item("win", weighed.win)?;
            one.set_item("low", weighed.low)?;
            one.set_item("high", weighed.high)?;
            one.set_item("prior", weighed.prior)?;
            Ok(one)
        });
        options.collect::<PyResult<Vec<_>>>().map(Some)
    }

    fn __copy__(slf: Py<Level>) -> Py<Level> {
        slf
    }

    fn __reduce__(slf: &Bound<'_, Level>) -> PyResult<(Py<PyAny>, (&'static str, u32))> {
        let level = slf.get();
        let restore = slf.get_type().getattr("_restore")?.unbind();
        Ok((restore, (level.level.name(), level.budget.playouts)))
    }

    /// Makes a level of what `pickle` has kept.
    #[staticmethod]
    fn _restore(
        #[pyo3(from_py_with = given::name)] name: String,
        #[pyo3(from_py_with = given::playouts)] playouts: u32,
    ) -> PyResult<Level> {
        let level = Level::named(&name, None)?;
        let budget = SearchBudget { playouts };
        Ok(Level { budget, ..level })
    }

    fn __repr__(&self) -> String {
        crate::short(format!("<Level {}@{}>", self.level.name(), self.budget.playouts))
    }
}

impl crate::game::Game {
    /// The cards of the game's decks.
    pub(crate) fn lists(&self) -> Vec<Vec<ModelId>> {
        self.loaded.decks.iter().map(|deck| deck.cards.clone()).collect()
    }
}
