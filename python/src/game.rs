//! Games, what is wrong with them, and expressions.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use cw_duel::PerSeat;
use cw_load::{Loaded, Project, ReadOptions};
use cw_octgn::{MemoryFiles, PackageLimits};
use cw_program::ModelId;
use cw_text::{Diagnostic, FindingFormat, NoCatalog, Sources};
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::duel::Duel;
use crate::encode::Printed;
use crate::errors::{EvalError, GameError, game};
use crate::given::{self, Given};
use crate::threads::on_own_threads;
use crate::view::Model;

/// A game that can be played: a package with the rules of its cards.
#[pyclass(module = "cardwright", frozen, weakref)]
pub(crate) struct Game {
    pub(crate) loaded: Loaded,
    pub(crate) game: Arc<cw_duel::Game>,
    pub(crate) models: Vec<Py<Model>>,
    pub(crate) printed: Printed,
    path: Option<PathBuf>,
    /// It was made of files that were handed over.
    in_memory: bool,
    allow_errors: bool,
}

/// What `pickle` keeps of a game: path, files, whether errors are allowed, fingerprint.
type Pickled = (Option<PathBuf>, Option<BTreeMap<String, Vec<u8>>>, bool, String);

/// The findings as JSON, for Python to make objects of.
fn findings(sources: &Sources, found: &[Diagnostic]) -> String {
    cw_text::render(FindingFormat::Json, sources, found, false, &NoCatalog)
}

/// The findings as people read them.
fn words(sources: &Sources, found: &[Diagnostic]) -> String {
    cw_text::render(FindingFormat::Text, sources, found, false, &NoCatalog)
}

/// A game is refused, with everything that is wrong.
pub(crate) fn refused(sources: &Sources, found: &[Diagnostic], why: &str) -> PyErr {
    let text = format!("{why}\n{}", words(sources, found).trim_end());
    GameError::new_err((text, findings(sources, found)))
}

fn read(path: Option<PathBuf>, files: Option<BTreeMap<String, Vec<u8>>>) -> PyResult<Project> {
    let path = path.as_deref().map(cw_lab::find_game).transpose().map_err(game)?;
    let root = path
        .as_deref()
        .map(|path| path.to_string_lossy().into_owned())
        .unwrap_or_default();
    let reading = ReadOptions {
        at: &root,
        called: |at, name| match at {
            "" => name.to_owned(),
            at => format!("{}/{name}", at.trim_end_matches('/')),
        },
        ..ReadOptions::default()
    };
    let read = match files {
        None => cw_lab::open(path.as_deref(), &reading, &|_| {}),
        Some(files) => {
            let memory = files
                .into_iter()
                .fold(MemoryFiles::new(), |memory, (name, bytes)| {
                    memory.with(name, bytes)
                });
            Project::read_with(Box::new(memory), &reading, &|_| {}).map_err(anyhow::Error::from)
        }
    };
    read.map_err(game)
}

#[pymethods]
impl Game {
    /// Reads a game: a folder or an .o8g; the demo game if none is named. Instead of a path there may be the
    /// files themselves, by name.
    #[new]
    #[pyo3(signature = (path=None, *, files=None, allow_errors=false))]
    fn new(
        py: Python<'_>,
        #[pyo3(from_py_with = given::path)] path: Option<PathBuf>,
        #[pyo3(from_py_with = given::files)] files: Option<BTreeMap<String, Vec<u8>>>,
        #[pyo3(from_py_with = given::allow_errors)] allow_errors: bool,
    ) -> PyResult<Game> {
        let kept = path.clone();
        let in_memory = files.is_some();
        let (loaded, errors) = on_own_threads(py, move || {
            let project = read(path, files)?;
            let loaded = Loaded::of(project).map_err(|error| game(error.into()))?;
            if let Some(game_of) = &loaded.game
                && let Some(why) = cw_lab::keep_values(&loaded.project, game_of).map_err(game)?
            {
                return Err(GameError::new_err((why, "")));
            }
            // Rules are checked on all cores: here, so that it is not done by the pool of the whole process.
            let errors = loaded.project.rule_errors();
            Ok((loaded, errors))
        })?;
        let project = &loaded.project;
        let sources = &project.package.sources;
        let Some(game) = loaded.game.clone() else {
            let obstacles = project.obstacles();
            return Err(match obstacles.is_empty() {
                true => GameError::new_err((
                    format!("{} has no cards, so it cannot be played", project.name()),
                    "",
                )),
                false => refused(
                    sources,
                    &obstacles,
                    "the game cannot be played until this is fixed:",
                ),
            });
        };
        if !errors.is_empty() && !allow_errors {
            return Err(refused(
                sources,
                &errors,
                "the rules have errors; fix them, \
                 or play those cards without their rules: Game(…, allow_errors=True)",
            ));
        }
        let models = game
            .numbered()
            .map(|(id, _)| Py::new(py, Model::of(&game, id)))
            .collect::<PyResult<_>>()?;
        Ok(Game {
            loaded,
            printed: Printed::of(&game),
            game,
            models,
            path: kept,
            in_memory,
            allow_errors,
        })
    }

    /// The game's name.
    #[getter]
    fn name(&self) -> &str {
        &self.game.name
    }

    /// Identity and content: two games of the same fingerprint play alike.
    #[getter]
    fn fingerprint(&self) -> &str {
        &self.game.fingerprint
    }

    /// Where it was read from; None for the demo game and for files in memory.
    #[getter]
    fn path(&self) -> Option<PathBuf> {
        self.path.clone()
    }

    /// The names of its decks.
    #[getter]
    fn decks(&self) -> Vec<String> {
        self.loaded.decks.iter().map(|deck| deck.name.clone()).collect()
    }

    /// All cards that there are.
    #[getter]
    fn models(&self, py: Python<'_>) -> Vec<Py<Model>> {
        self.models.iter().map(|model| model.clone_ref(py)).collect()
    }

    /// The cards of a deck, by its name in the game or by the path of an .o8d file.
    fn deck<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = given::name)] name: String,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (_, cards) = self.deck_of(&name, true)?;
        let cards: Vec<_> = cards.into_iter().map(|card| self.model(py, card)).collect();
        py.import("cardwright._html")?.call_method1("Deck", (cards,))
    }

    /// Everything that is wrong with the package, as JSON.
    fn _check(&self, py: Python<'_>) -> PyResult<String> {
        let project = &self.loaded.project;
        on_own_threads(py, || {
            Ok(findings(&project.package.sources, &project.check().found))
        })
    }

    /// The files that decide how it is played, by name; pictures are left out.
    fn files(&self) -> PyResult<BTreeMap<String, Vec<u8>>> {
        let files = &self.loaded.project.files;
        let limits = PackageLimits::default();
        let wanted = |name: &String| {
            let name = name.to_ascii_lowercase();
            name == "definition.xml"
                || name.ends_with(".xml") && name.starts_with("sets/")
                || name.ends_with(".o8d")
                || ["rules/", "scripts/", "players/"]
                    .iter()
                    .any(|folder| name.starts_with(folder))
        };
        let names = files.list().map_err(|error| game(error.into()))?;
        let read = names.into_iter().filter(wanted).map(|name| {
            let bytes = files
                .read(&name, limits.file)
                .map_err(|error| game(error.into()))?;
            Ok((name, bytes))
        });
        read.collect()
    }

    /// Begins a duel between two decks, each by its name, the path of an .o8d file, or card by card. The same
    /// seed gives the same duel. Who goes first is drawn unless it is said.
    #[pyo3(signature = (deck1=None, deck2=None, *, seed=0, first=None, illegal_decks=false))]
    fn duel(
        slf: &Bound<'_, Game>,
        #[pyo3(from_py_with = given::deck1)] deck1: Option<Named>,
        #[pyo3(from_py_with = given::deck2)] deck2: Option<Named>,
        #[pyo3(from_py_with = given::seed)] seed: u64,
        #[pyo3(from_py_with = given::first)] first: Option<cw_duel::Seat>,
        #[pyo3(from_py_with = given::illegal_decks)] illegal_decks: bool,
    ) -> PyResult<Duel> {
        let game = slf.get();
        let one = game.named(slf.py(), deck1, 0, illegal_decks)?;
        let two = game.named(slf.py(), deck2, 1, illegal_decks)?;
        Duel::begin(
            slf.clone().unbind(),
            PerSeat([one, two]),
            seed,
            first,
            illegal_decks,
        )
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Game>().is_ok_and(|other| self.same_as(other.get()))
    }

    fn __hash__(&self) -> u64 {
        let digest = blake3::hash(self.game.fingerprint.as_bytes());
        digest
            .as_bytes()
            .first_chunk()
            .copied()
            .map_or(0, u64::from_le_bytes)
    }

    fn __copy__(slf: Py<Game>) -> Py<Game> {
        slf
    }

    fn __deepcopy__(slf: Py<Game>, _memo: Py<PyAny>) -> Py<Game> {
        slf
    }

    /// A game read from a folder or an archive is pickled as its path, any other as its files.
    fn __reduce__(slf: &Bound<'_, Game>) -> PyResult<(Py<PyAny>, Pickled)> {
        let game = slf.get();
        let files = match game.path {
            Some(_) => None,
            None if game.in_memory => Some(game.files()?),
            None => None,
        };
        let restore = slf.get_type().getattr("_restore")?.unbind();
        let fingerprint = game.fingerprint().to_owned();
        Ok((
            restore,
            (game.path.clone(), files, game.allow_errors, fingerprint),
        ))
    }

    /// Makes a game of what `pickle` has kept.
    #[staticmethod]
    fn _restore(
        py: Python<'_>,
        #[pyo3(from_py_with = given::path)] path: Option<PathBuf>,
        #[pyo3(from_py_with = given::files)] files: Option<BTreeMap<String, Vec<u8>>>,
        #[pyo3(from_py_with = given::allow_errors)] allow_errors: bool,
        #[pyo3(from_py_with = given::fingerprint)] fingerprint: String,
    ) -> PyResult<Game> {
        let place = path.clone();
        let game = Game::new(py, path, files, allow_errors)?;
        if *game.fingerprint() == *fingerprint {
            return Ok(game);
        }
        let place = place.map_or_else(|| "the game".to_owned(), |path| format!("“{}”", path.display()));
        Err(GameError::new_err((
            format!("{place} has changed since it was pickled: read it anew with cardwright.Game"),
            "",
        )))
    }

    fn __repr__(&self) -> String {
        let decks = self.loaded.decks.len();
        crate::short(format!(
            "<Game {:?}: {} cards, {decks} decks>",
            self.game.name,
            self.models.len()
        ))
    }

    fn _repr_html_(slf: &Bound<'_, Game>) -> PyResult<String> {
        crate::html("of_game", slf.as_any())
    }
}

/// A deck as Python names it.
pub(crate) enum Named {
    /// By name or path.
    Text(String),
    /// Card by card.
    Cards(Vec<Py<Model>>),
}

impl<'py> Given<'py> for Named {
    fn given(name: &str, value: &Bound<'py, PyAny>) -> PyResult<Named> {
        const WANTED: &str = "a deck: its name, the path of a file, or a list of cards";
        if value.is_instance_of::<PyString>() || value.hasattr("__fspath__")? {
            let path = PathBuf::given(name, value)?;
            return Ok(Named::Text(path.to_string_lossy().into_owned()));
        }
        given::all(name, WANTED, value).map(Named::Cards)
    }
}

impl Game {
    /// Whether duels of both go alike.
    pub(crate) fn same_as(&self, other: &Game) -> bool {
        self.game.fingerprint == other.game.fingerprint
    }

    pub(crate) fn model(&self, py: Python<'_>, id: ModelId) -> Py<Model> {
        self.models[usize::from(id.0)].clone_ref(py)
    }

    /// A deck by name or path; one that is not legal is refused with every fault, unless `any`.
    pub(crate) fn deck_of(&self, wanted: &str, any: bool) -> PyResult<(String, Vec<ModelId>)> {
        let project = &self.loaded.project;
        let read = cw_lab::find_deck(project, wanted).map_err(game)?;
        let errors = read.errors();
        match &read.deck {
            None => Err(refused(
                &read.sources,
                &errors,
                &format!("the deck “{wanted}” cannot be read:"),
            )),
            Some(_) if !any && !errors.is_empty() => Err(refused(
                &read.sources,
                &errors,
                &format!("the deck “{wanted}” is not legal; play it all the same with illegal_decks=True:"),
            )),
            Some(deck) => Ok((deck.name.to_string(), project.deck_cards(deck))),
        }
    }

    /// A deck that is named, or else the one with this number.
    pub(crate) fn named(
        &self,
        py: Python<'_>,
        wanted: Option<Named>,
        index: usize,
        any: bool,
    ) -> PyResult<Vec<ModelId>> {
        match wanted {
            Some(Named::Text(name)) => Ok(self.deck_of(&name, any)?.1),
            Some(Named::Cards(cards)) => {
                let number = |card: &Py<Model>| {
                    let id = ModelId(card.borrow(py).number);
                    let known = self.game.models.get(usize::from(id.0));
                    match known.is_some_and(|known| *known.id == *card.borrow(py).id) {
                        true => Ok(id),
                        false => Err(GameError::new_err((
                            format!("“{}” is a card of another game", card.borrow(py).name),
                            "",
                        ))),
                    }
                };
                cards.iter().map(number).collect()
            }
            None => {
                let decks = &self.loaded.decks;
                match decks.get(index % decks.len().max(1)) {
                    Some(deck) => Ok(self.deck_of(&deck.name, any)?.1),
                    None => Err(GameError::new_err((
                        "the game has no decks; name two .o8d files".to_owned(),
                        "",
                    ))),
                }
            }
        }
    }

    /// Decks by name, or all of the game's.
    pub(crate) fn decks_of(&self, wanted: Option<Vec<String>>) -> PyResult<Vec<(String, Vec<ModelId>)>> {
        let names = match wanted {
            Some(names) if !names.is_empty() => names,
            Some(_) | None => self.decks(),
        };
        if names.is_empty() {
            return Err(GameError::new_err((
                "the game has no decks; name .o8d files".to_owned(),
                "",
            )));
        }
        names.iter().map(|name| self.deck_of(name, false)).collect()
    }
}

/// Everything that is wrong with a package, as JSON, whether it can be played or not.
#[pyfunction]
#[pyo3(signature = (path=None))]
pub(crate) fn check(
    py: Python<'_>,
    #[pyo3(from_py_with = given::path)] path: Option<PathBuf>,
) -> PyResult<String> {
    on_own_threads(py, || {
        let project = read(path, None)?;
        Ok(findings(&project.package.sources, &project.check().found))
    })
}

/// Computes a Python 2.7 expression, as cards have it, and gives its `repr`.
#[pyfunction]
#[pyo3(name = "eval")]
pub(crate) fn evaluate(
    py: Python<'_>,
    #[pyo3(from_py_with = given::expression)] expression: String,
) -> PyResult<String> {
    /// What the limits ask for.
    const STACK: usize = 64 << 20;
    let run = move || {
        let limits = cw_expr::ExprLimits::PROMPT;
        let code = cw_expr::compile(
            &expression,
            &cw_expr::Syntax::default(),
            &cw_expr::PlainPython,
            &limits,
        )
        .map_err(|error| (error.name(), error.text()))?;
        cw_expr::eval_repr(&code, &mut cw_expr::NoHost, &limits)
            .map_err(|error| (error.name(), error.message()))
    };
    let answer = py.detach(|| {
        let worker = std::thread::Builder::new().stack_size(STACK).spawn(run)?;
        match worker.join() {
            Ok(answer) => Ok::<_, std::io::Error>(answer),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })?;
    answer.map_err(|(name, message)| EvalError::new_err((name, message)))
}
