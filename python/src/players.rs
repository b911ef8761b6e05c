//! The program's own players.

use cw_players::{Budget, Eyes, Insight, Lists, mix};
use cw_program::ModelId;
use cw_wire::notation;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::duel::Duel;
use crate::errors::ChoiceError;
use crate::threads::while_signals_are_heard;

/// A level of the computer. It is a pure function: the same position, seed and playouts give the same choice.
#[pyclass(module = "cardwright", frozen, eq, hash)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Level {
    pub(crate) level: cw_players::Level,
    pub(crate) budget: Budget,
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

    pub(crate) fn named(name: &str, playouts: Option<u32>) -> PyResult<Level> {
        let wrong = pyo3::exceptions::PyValueError::new_err::<String>;
        let read = name.parse::<cw_lab::Contestant>().map_err(wrong)?;
        match read.kind {
            cw_lab::Kind::Level(level) => Ok(Level {
                level,
                budget: read.budget(playouts),
            }),
            cw_lab::Kind::Bot(_) => Err(wrong(
                "a program plays in `simulate` and `arena`, not here: here a level is wanted, as easy or normal@500"
                    .to_owned(),
            )),
        }
    }
}

#[pymethods]
impl Level {
    #[new]
    #[pyo3(signature = (name="easy", *, playouts=None))]
    fn new(name: &str, playouts: Option<u32>) -> PyResult<Level> {
        Level::named(name, playouts)
    }

    #[getter]
    fn name(&self) -> &'static str {
        self.level.name()
    }

    #[getter]
    fn playouts(&self) -> u32 {
        self.budget.playouts
    }

    /// Returns the place of the option that the level takes. It sees what the seat sees; with `closed_lists` it does not
    /// know the other's deck beforehand, but those of the game. Without a `seed` its chance is made of the duel's seed and
    /// of the number of answers so far, as on the command line.
    #[pyo3(signature = (duel, *, seed=None, closed_lists=false))]
    fn choose(&self, py: Python<'_>, duel: &Duel, seed: Option<u64>, closed_lists: bool) -> PyResult<usize> {
        let (level, budget, seed) = (self.level, self.budget, Level::seed(duel, seed));
        let lists = closed_lists.then(|| duel.game.get().lists());
        let choose = move |truth: &cw_duel::Duel| {
            let values = cw_lab::values(truth.game());
            let eyes = Eyes::of_who_is_asked(truth)?.valuing(values.as_deref());
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
            false => py.detach(|| choose(&duel.duel)),
        };
        choice.ok_or_else(|| ChoiceError::new_err("the duel is over: nobody is asked any more"))
    }

    /// What it thinks about the options: those that it looked at, the one it would choose first. None for levels that do
    /// not search, and where nothing can be said without looking.
    #[pyo3(signature = (duel, *, seed=None, threads=1))]
    fn think<'py>(
        &self,
        py: Python<'py>,
        duel: &Duel,
        seed: Option<u64>,
        threads: usize,
    ) -> PyResult<Option<Vec<Bound<'py, PyDict>>>> {
        let (level, budget, seed) = (self.level, self.budget, Level::seed(duel, seed));
        let owned = duel.duel.clone();
        let thought: Option<Insight> = while_signals_are_heard(py, move || {
            let values = cw_lab::values(owned.game());
            let eyes = Eyes::of_who_is_asked(&owned)?.valuing(values.as_deref());
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
    fn _restore(name: &str, playouts: u32) -> PyResult<Level> {
        let level = Level::named(name, None)?;
        let budget = Budget { playouts };
        Ok(Level { budget, ..level })
    }

    fn __repr__(&self) -> String {
        format!("<Level {}@{}>", self.level.name(), self.budget.playouts)
    }
}

impl crate::game::Game {
    /// The cards of the game's decks.
    pub(crate) fn lists(&self) -> Vec<Vec<ModelId>> {
        self.loaded.decks.iter().map(|deck| deck.cards.clone()).collect()
    }
}
