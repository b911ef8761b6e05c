//! Cards and booster packs.

use std::collections::BTreeMap;

use cw_octgn::{BigRational, Booster, Distribution, Odds, Opener, PackChance, SearchedForm, forms};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::GameError;
use crate::game::Game;
use crate::given;

/// A fraction as text, `numerator/denominator`: Python makes a `Fraction` of it.
fn fraction(number: &BigRational) -> String {
    format!("{}/{}", number.numer(), number.denom())
}

fn fractions(distribution: &Distribution) -> Vec<String> {
    distribution.0.iter().map(fraction).collect()
}

/// A booster pack of a game.
#[pyclass(module = "cardwright", frozen, subclass)]
pub(crate) struct Pack {
    game: Py<Game>,
    name: String,
    booster: Booster,
}

/// The names of all packs, each with its set's.
#[pyfunction]
pub(crate) fn packs(#[pyo3(from_py_with = given::game)] game: Py<Game>) -> Vec<String> {
    let package = &game.get().loaded.project.package;
    let sets = package.sets.iter().enumerate();
    sets.flat_map(|(set, found)| {
        (0..found.packs.len()).map(move |pack| cw_lab::pack_name(package, set, pack))
    })
    .collect()
}

/// The cards that a search finds, every one with its properties.
#[pyfunction]
#[pyo3(signature = (game, query=String::new()), text_signature = "(game, query='')")]
pub(crate) fn cards<'py>(
    py: Python<'py>,
    #[pyo3(from_py_with = given::game)] game: Py<Game>,
    #[pyo3(from_py_with = given::query)] query: String,
) -> PyResult<Vec<Bound<'py, PyDict>>> {
    let project = &game.get().loaded.project;
    let query = project.query(&query).map_err(|error| {
        let help = error.help.as_ref().map(|help| format!(" ({help})"));
        GameError::new_err((
            format!(
                "{error}, at character {} of the search{}",
                error.span.start,
                help.unwrap_or_default()
            ),
            "",
        ))
    })?;
    let found = query.select(forms(&project.package).filter(|form| !form.set.hidden));
    found
        .iter()
        .map(|form| {
            let properties: BTreeMap<String, Option<&str>> = form
                .card
                .effective(form.alternate)
                .into_iter()
                .map(|(name, value)| (name.to_string(), value.plain()))
                .collect();
            let card = PyDict::new(py);
            card.set_item("id", form.card.id.value.to_string())?;
            card.set_item("name", form.name())?;
            card.set_item("set", form.set.name.to_string())?;
            card.set_item("form", form.alternate.map(|alternate| alternate.kind.to_string()))?;
            card.set_item("properties", properties)?;
            Ok(card)
        })
        .collect()
}

#[pymethods]
impl Pack {
    #[new]
    fn new(
        py: Python<'_>,
        #[pyo3(from_py_with = given::game)] game: Py<Game>,
        #[pyo3(from_py_with = given::name)] name: String,
    ) -> PyResult<Pack> {
        let package = &game.borrow(py).loaded.project.package;
        let (set, pack) = cw_lab::find_pack(package, &name).map_err(crate::errors::game)?;
        let (name, booster) = (
            cw_lab::pack_name(package, set, pack),
            Booster::new(package, set, pack),
        );
        Ok(Pack {
            game: game.clone_ref(py),
            name,
            booster,
        })
    }

    /// Its name, with its set's.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// Opens packs: of each the names of its cards. The same seed gives the same packs, everywhere.
    #[pyo3(signature = (seed, *, number=1, unique=false))]
    fn open(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = given::seed)] seed: u64,
        #[pyo3(from_py_with = given::number)] number: usize,
        #[pyo3(from_py_with = given::unique)] unique: bool,
    ) -> Vec<Vec<String>> {
        let package = &self.game.get().loaded.project.package;
        py.detach(|| {
            let mut opener = Opener::new(&self.booster);
            let mut chance = PackChance::new(seed);
            let mut pack = cw_octgn::OpenedBooster::default();
            let mut packs = Vec::with_capacity(number);
            for _ in 0..number {
                if unique {
                    opener.open_unique(package, &self.booster, &mut chance, &mut pack);
                } else {
                    opener.open(&mut chance, &mut pack);
                }
                let drawn = pack.limited.iter().chain(&pack.unlimited);
                let card = |drawn: &cw_octgn::DrawnCard| {
                    let card = self.booster.pool[drawn.entry as usize].card;
                    package.card(card).name.to_string()
                };
                packs.push(drawn.map(card).collect());
            }
            packs
        })
    }

    /// For each card its name, its id, and how likely 0, 1, 2 … copies are in a pack.
    fn _odds(&self, py: Python<'_>) -> PyResult<Vec<(String, String, Vec<String>)>> {
        let package = &self.game.get().loaded.project.package;
        let odds = py.detach(|| {
            let odds = Odds::new(&self.booster).per_card(package)?;
            let lines = odds.iter().map(|one| {
                let card = package.card(self.booster.pool[one.entry as usize].card);
                (
                    card.name.to_string(),
                    card.id.value.to_string(),
                    fractions(&one.copies),
                )
            });
            Ok::<_, cw_octgn::TooManyCards>(lines.collect::<Vec<_>>())
        });
        odds.map_err(too_many)
    }

    /// How likely 0, 1, 2 … of the cards that a search finds are in a pack.
    fn _of(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = given::query)] query: String,
    ) -> PyResult<Vec<String>> {
        let project = &self.game.get().loaded.project;
        let package = &project.package;
        let query = project
            .query(&query)
            .map_err(|error| GameError::new_err((error.to_string(), "")))?;
        let wanted = |entry: u32| {
            let card = self.booster.pool[entry as usize].card;
            query.matches(&SearchedForm {
                set: package.set_of(card),
                card: package.card(card),
                alternate: None,
            })
        };
        let copies = py.detach(|| Odds::new(&self.booster).copies(&wanted));
        copies.map(|copies| fractions(&copies)).map_err(too_many)
    }

    /// How likely each number of cards is.
    fn _size(&self) -> PyResult<Vec<String>> {
        let size = Odds::new(&self.booster).size();
        size.map(|size| fractions(&size)).map_err(too_many)
    }

    fn __repr__(&self) -> String {
        crate::short(format!("<Pack {:?}>", self.name))
    }
}

fn too_many(error: cw_octgn::TooManyCards) -> PyErr {
    GameError::new_err((error.to_string(), ""))
}
