//! The program's own players.

use cw_players::{Budget, Eyes, Insight, Lists, mix};
use cw_program::ModelId;
use cw_wire::notation;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::duel::Duel;
use crate::errors::ChoiceError;

/// A level of the computer. It is a pure function: the same position, seed and playouts give the same choice.
#[pyclass(module = "cardwright", frozen)]
#[derive(Clone, Copy)]
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

    /// What it answers to the question that waits. It sees what the seat sees; with `closed_lists` it does not know the
    /// other's deck beforehand, but those of the game.
    #[pyo3(signature = (duel, *, seed=0, closed_lists=false))]
    fn choose(&self, py: Python<'_>, duel: &Duel, seed: u64, closed_lists: bool) -> PyResult<usize> {
        let (truth, level, budget) = (&duel.duel, self.level, self.budget);
        let game = duel.game.get();
        let choice = py.detach(|| {
            let values = cw_lab::values(truth.game());
            let lists = game.lists();
            let eyes = Eyes::of_who_is_asked(truth)?.valuing(values.as_deref());
            let eyes = if closed_lists {
                eyes.knowing(Lists::Closed(&lists))
            } else {
                eyes
            };
            let ask = cw_players::Ask {
                budget,
                ..eyes.ask(mix(&[seed]))
            };
            let choice = level.choose(&ask);
            eyes.decision()
                .options
                .iter()
                .position(|option| *option == choice)
        });
        choice.ok_or_else(|| ChoiceError::new_err("the duel is over: nobody is asked any more"))
    }

    /// What it thinks about the options: those that it looked at, the one it would choose first. None for levels that do
    /// not search, and where nothing can be said without looking.
    #[pyo3(signature = (duel, *, seed=0, threads=1))]
    fn think<'py>(
        &self,
        py: Python<'py>,
        duel: &Duel,
        seed: u64,
        threads: usize,
    ) -> PyResult<Option<Vec<Bound<'py, PyDict>>>> {
        let (truth, level, budget) = (&duel.duel, self.level, self.budget);
        let thought: Option<Insight> = py.detach(|| {
            let values = cw_lab::values(truth.game());
            let eyes = Eyes::of_who_is_asked(truth)?.valuing(values.as_deref());
            let ask = cw_players::Ask {
                budget,
                ..eyes.ask(mix(&[seed]))
            };
            level.think(&ask, threads)
        });
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
