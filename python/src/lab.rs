//! Many duels: plans, shares of them, and what they come to. The bytes are those of the command line.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::str::FromStr as _;

use anyhow::Context as _;
use cw_balance::{Patch, PatchError, page};
use cw_bot::Limits;
use cw_lab::{Contestant, Here, How, Rows, Watch};
use cw_sim::{Exchange, Shard, Stop, Written};
use cw_stats::Sprt;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::errors::{PlanError, plan as failed};
use crate::game::Game;

/// Python looks on: signals are handled, and who wants to know is told how far it is.
struct Looks {
    progress: Option<Py<PyAny>>,
    most: Cell<u64>,
}

impl Looks {
    fn new(progress: Option<Py<PyAny>>) -> Looks {
        Looks {
            progress,
            most: Cell::new(0),
        }
    }

    fn call(&self, done: u64, message: &str) {
        let Some(progress) = &self.progress else { return };
        // What it raises is told, and changes nothing: the duels have nothing to do with it.
        Python::attach(|py| {
            if let Err(error) = progress.call1(py, (done, self.most.get(), message)) {
                error.write_unraisable(py, Some(progress.bind(py)));
            }
        });
    }
}

impl Watch for Looks {
    fn begins(&self, most: u64) {
        self.most.set(most);
    }

    fn done(&self, done: u64, message: &dyn Fn() -> String) {
        if self.progress.is_some() {
            self.call(done, &message());
        }
    }

    fn note(&self, text: &str) {
        Python::attach(|py| {
            let warned = py
                .import("warnings")
                .and_then(|module| module.call_method1("warn", (text,)));
            // A filter may make an error of a warning; the work goes on all the same.
            drop(warned);
        });
    }

    fn goes_on(&self) -> anyhow::Result<()> {
        #[expect(
            clippy::redundant_closure_for_method_calls,
            reason = "the method is not general enough in its lifetime"
        )]
        let raised = Python::attach(|py| py.check_signals());
        Ok(raised?)
    }
}

fn here(watch: &Looks, threads: Option<u16>, bot_ms: Option<u64>) -> Here<'_> {
    let usual = Limits::default();
    Here {
        threads: threads.filter(|threads| *threads > 0),
        limits: Limits {
            ms: bot_ms.unwrap_or(usual.ms),
            ..usual
        },
        watch,
    }
}

fn contestant(name: &str) -> PyResult<Contestant> {
    Contestant::from_str(name)
        .map_err(|why| PlanError::new_err(format!("the player “{name}” is unknown: {why}")))
}

fn contestants(written: &Written) -> PyResult<[Contestant; 2]> {
    let [one, two] = &written.players;
    Ok([contestant(one)?, contestant(two)?])
}

/// What is to be played: the same text means the same duels, on any machine.
#[pyclass(module = "cardwright", frozen)]
pub(crate) struct Plan {
    written: Written,
}

/// When a plan is played: all of it, or as soon as a question is answered.
#[derive(FromPyObject)]
enum Until {
    /// `all` or `ahead`.
    Word(String),
    /// `(0.50, 0.55)`: which of two scores it is.
    Test((f64, f64)),
    /// So many per cent either way; where one player measures several matchups, each of them.
    Width(f64),
}

#[pymethods]
impl Plan {
    /// Two players are measured against each other; one plays both sides and measures decks.
    #[new]
    #[pyo3(signature = (game, players, *, decks=None, pairs=None, seed=1, until=None, playouts=None))]
    fn new(
        game: &Game,
        players: Vec<String>,
        decks: Option<Vec<String>>,
        pairs: Option<u64>,
        seed: u64,
        until: Option<Until>,
        playouts: Option<u32>,
    ) -> PyResult<Plan> {
        let (one, two, exchange) = match &players[..] {
            [one] => (contestant(one)?, contestant(one)?, Exchange::Turns),
            [one, two] => (contestant(one)?, contestant(two)?, Exchange::Players),
            _ => {
                return Err(PlanError::new_err(
                    "name one player or two, as in [\"easy\"] or [\"easy\", \"novice\"]",
                ));
            }
        };
        if pairs.is_some_and(|pairs| !(1..=100_000_000).contains(&pairs)) {
            return Err(PlanError::new_err("pairs are from 1 to 100,000,000"));
        }
        let most = pairs.unwrap_or(Stop::PAIRS);
        let decks = game.decks_of(decks)?;
        let matchups = match exchange {
            Exchange::Players => cw_lab::matchups(&decks),
            Exchange::Turns => cw_lab::different(&decks),
        };
        let stop = match until {
            None => Stop::After(most),
            Some(Until::Word(word)) if word == "all" => Stop::After(most),
            Some(Until::Word(word)) if word == "ahead" => Stop::Ahead { most },
            Some(Until::Width(percent)) if percent > 0.0 && percent < 50.0 => {
                Stop::known(percent / 100.0, exchange, matchups.len(), pairs)
            }
            Some(Until::Test((worse, better))) if 0.0 < worse && worse < better && better < 1.0 => {
                Stop::Test {
                    sprt: Sprt::new(worse, better),
                    most,
                }
            }
            Some(_) => {
                return Err(PlanError::new_err(
                    "until is “all”, “ahead”, a number of per cent either way, or two scores as (0.50, 0.55)",
                ));
            }
        };
        if exchange == Exchange::Turns
            && matchups.len() > 1
            && matches!(stop, Stop::Ahead { .. } | Stop::Test { .. })
        {
            return Err(PlanError::new_err(format!(
                "“ahead” and two scores ask one question, and there are {} matchups of decks; name two decks, or two players",
                matchups.len()
            )));
        }
        let plan = cw_sim::Plan {
            game: game.game.clone(),
            matchups,
            seed,
            budgets: [&one, &two].map(|player| player.budget(playouts)),
            exchange,
            stop,
        };
        plan.check()
            .map_err(|error| PlanError::new_err(error.to_string()))?;
        Ok(Plan {
            written: Written::of(&plan, [one.named(), two.named()]),
        })
    }

    /// Reads a plan's text; one of another version of the engine is refused.
    #[staticmethod]
    fn parse(text: &str) -> PyResult<Plan> {
        let written = Written::read(text).map_err(|error| PlanError::new_err(error.to_string()))?;
        Ok(Plan { written })
    }

    /// Its text, as `cardwright sim plan` writes it.
    #[getter]
    fn text(&self) -> String {
        self.written.write()
    }

    /// Its identity: 32 hexadecimal digits of its text.
    #[getter]
    fn id(&self) -> String {
        self.written.id()
    }

    /// Pairs at most.
    #[getter]
    fn pairs(&self) -> u64 {
        self.written.pairs
    }

    /// Blocks of pairs; no more shares than these have anything to do.
    #[getter]
    fn blocks(&self) -> u64 {
        self.written.blocks()
    }

    /// Identity and content of the game that it is for.
    #[getter]
    fn fingerprint(&self) -> String {
        self.written.fingerprint.clone()
    }

    /// The players by name.
    #[getter]
    fn players(&self) -> [String; 2] {
        self.written.players.clone()
    }

    /// The name of the file of a share.
    fn part(&self, number: u64, of: u64) -> PyResult<String> {
        Ok(cw_lab::part(shard(number, of)?))
    }

    /// The first and the last pair of a share; None if it has nothing to do.
    fn pairs_of(&self, number: u64, of: u64) -> PyResult<Option<(u64, u64)>> {
        let blocks = shard(number, of)?.blocks(self.written.blocks());
        if blocks.is_empty() {
            return Ok(None);
        }
        let (first, last) = (blocks.start, blocks.end - 1);
        Ok(Some((
            self.written.pairs_of(first).start,
            self.written.pairs_of(last).end - 1,
        )))
    }

    fn __repr__(&self) -> String {
        format!(
            "<Plan {}: {} of {}, {} pairs at most>",
            self.written.id(),
            self.written.players.join(" and "),
            self.written.game,
            self.written.pairs
        )
    }

    fn __eq__(&self, other: &Plan) -> bool {
        self.written == other.written
    }

    fn __hash__(&self) -> u64 {
        let id = self.written.id();
        u64::from_str_radix(&id[..16], 16).unwrap_or_default()
    }

    fn __reduce__(slf: &Bound<'_, Plan>) -> PyResult<(Py<PyAny>, (String,))> {
        let parse = slf.get_type().getattr("parse")?.unbind();
        Ok((parse, (slf.get().text(),)))
    }
}

impl Plan {
    fn of(&self, game: &Game) -> PyResult<cw_sim::Plan> {
        self.written
            .plan(&game.game)
            .map_err(|error| PlanError::new_err(error.to_string()))
    }
}

fn shard(number: u64, of: u64) -> PyResult<Shard> {
    match number < of {
        true => Ok(Shard { number, of }),
        false => Err(PlanError::new_err(format!(
            "there is no share {number} of {of}: shares are counted from 0"
        ))),
    }
}

/// Plays a plan on this machine; the result as JSON. With a folder, `summary.json` and the tables are written there.
#[pyfunction]
#[pyo3(name = "_simulate", signature = (game, plan, *, folder=None, threads=None, bot_ms=None, progress=None))]
pub(crate) fn simulate(
    py: Python<'_>,
    game: &Game,
    plan: &Plan,
    folder: Option<PathBuf>,
    threads: Option<u16>,
    bot_ms: Option<u64>,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    let (of, players, written) = (plan.of(game)?, contestants(&plan.written)?, &plan.written);
    let done = py.detach(|| {
        let looks = Looks::new(progress);
        let mut rows = Rows::open(folder.as_deref(), &of, written)?;
        let here = here(&looks, threads, bot_ms);
        let detail = cw_lab::detail(&of, folder.is_some());
        let total = cw_lab::play(&of, players.each_ref(), &here, detail, None, |pair| {
            rows.pair(pair)
        })?;
        rows.finish()?;
        let summary = cw_lab::summary(&of, written, &total);
        if let Some(folder) = &folder {
            cw_lab::write_summary(folder, &summary)?;
        }
        Ok(summary.to_string())
    });
    done.map_err(failed)
}

/// Plays a share of a plan: the bytes of the file that `cardwright sim run --shard` writes.
#[pyfunction]
#[pyo3(name = "_share", signature = (game, plan, number, of, *, threads=1, bot_ms=None))]
pub(crate) fn share<'py>(
    py: Python<'py>,
    game: &Game,
    plan: &Plan,
    number: u64,
    of: u64,
    threads: u16,
    bot_ms: Option<u64>,
) -> PyResult<Bound<'py, PyBytes>> {
    let shard = shard(number, of)?;
    let (whole, players, written) = (plan.of(game)?, contestants(&plan.written)?, &plan.written);
    let done = py.detach(|| {
        let looks = Looks::new(None);
        let here = here(&looks, Some(threads), bot_ms);
        cw_lab::share(&whole, written, players.each_ref(), shard, &here)
    });
    Ok(PyBytes::new(py, &done.map_err(failed)?))
}

/// Whether these bytes are the whole of a share, undamaged.
#[pyfunction]
#[pyo3(name = "_is_whole")]
pub(crate) fn is_whole(py: Python<'_>, plan: &Plan, number: u64, of: u64, bytes: Vec<u8>) -> PyResult<bool> {
    let shard = shard(number, of)?;
    let whole = py.detach(|| cw_lab::is_whole(&bytes, &plan.written, shard));
    whole.map_err(failed)
}

/// Joins parts in any order: the result as JSON, and which pairs are missing.
#[pyfunction]
#[pyo3(name = "_merge", signature = (game, plan, parts, *, folder=None))]
pub(crate) fn merge(
    py: Python<'_>,
    game: &Game,
    plan: &Plan,
    parts: Vec<PathBuf>,
    folder: Option<PathBuf>,
) -> PyResult<(String, Option<String>)> {
    let (of, written) = (plan.of(game)?, &plan.written);
    let done = py.detach(|| {
        let looks = Looks::new(None);
        let mut rows = Rows::open(folder.as_deref(), &of, written)?;
        let merged = cw_lab::merge(&of, written, &parts, &looks, |pair| rows.pair(pair))?;
        rows.finish()?;
        let summary = cw_lab::summary(&of, written, &merged.total);
        if let Some(folder) = &folder {
            cw_lab::write_summary(folder, &summary)?;
        }
        Ok((summary.to_string(), merged.missing))
    });
    done.map_err(failed)
}

/// Which of two players is better, as JSON.
#[pyfunction]
#[pyo3(name = "_arena", signature = (game, players, *, decks=None, pairs=None, seed=1, sprt=None, playouts=None, threads=None, bot_ms=None, progress=None))]
#[expect(clippy::too_many_arguments, reason = "they have names in Python")]
pub(crate) fn arena(
    py: Python<'_>,
    game: &Game,
    players: [String; 2],
    decks: Option<Vec<String>>,
    pairs: Option<u64>,
    seed: u64,
    sprt: Option<(f64, f64)>,
    playouts: Option<u32>,
    threads: Option<u16>,
    bot_ms: Option<u64>,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    let [one, two] = [contestant(&players[0])?, contestant(&players[1])?];
    let stop = match sprt {
        None => Stop::After(pairs.unwrap_or(200)),
        Some((worse, better)) if 0.0 < worse && worse < better && better < 1.0 => Stop::Test {
            sprt: Sprt::new(worse, better),
            most: pairs.unwrap_or(10_000),
        },
        Some(_) => {
            return Err(PlanError::new_err(
                "sprt is two scores between 0 and 1, the lower first, as (0.50, 0.55)",
            ));
        }
    };
    if stop.most() == 0 {
        return Err(PlanError::new_err("pairs are 1 at least"));
    }
    let plan = cw_sim::Plan {
        game: game.game.clone(),
        matchups: cw_lab::matchups(&game.decks_of(decks)?),
        seed,
        budgets: [&one, &two].map(|player| player.budget(playouts)),
        exchange: Exchange::Players,
        stop,
    };
    plan.check()
        .map_err(|error| PlanError::new_err(error.to_string()))?;
    let done = py.detach(|| {
        let looks = Looks::new(progress);
        let mut how = How {
            here: here(&looks, threads, bot_ms),
            timed: false,
            kept: None,
        };
        let played = how.play(&plan, [&one, &two], |_| {})?;
        let names = [one.to_string(), two.to_string()];
        Ok(cw_lab::match_json(&plan, &names, &played).to_string())
    });
    done.map_err(failed)
}

/// Which decks and cards are too strong, as JSON, and as a page. Changes are the path of a file, or JSON.
#[pyfunction]
#[pyo3(name = "_balance", signature = (game, player, *, decks=None, pairs=None, card_pairs=None, seed=1, playouts=None, what_if=None, changes=None, target=None, threads=None, bot_ms=None, progress=None))]
#[expect(clippy::too_many_arguments, reason = "they have names in Python")]
pub(crate) fn balance(
    py: Python<'_>,
    game: &Game,
    player: &str,
    decks: Option<Vec<String>>,
    pairs: Option<u64>,
    card_pairs: Option<u64>,
    seed: u64,
    playouts: Option<u32>,
    what_if: Option<PathBuf>,
    changes: Option<&str>,
    target: Option<&str>,
    threads: Option<u16>,
    bot_ms: Option<u64>,
    progress: Option<Py<PyAny>>,
) -> PyResult<(String, String)> {
    let player = contestant(player)?;
    let names = decks.clone().unwrap_or_default();
    let matchups = cw_lab::different(&game.decks_of(decks)?);
    let pairs = pairs.unwrap_or(20 * matchups.len() as u64).max(1);
    let card_pairs = card_pairs.unwrap_or(cw_lab::card_pairs(pairs));
    let plan = cw_sim::Plan {
        game: game.game.clone(),
        matchups,
        seed,
        budgets: [player.budget(playouts); 2],
        exchange: Exchange::Turns,
        stop: Stop::After(pairs),
    };
    plan.check()
        .map_err(|error| PlanError::new_err(error.to_string()))?;
    let target = target
        .map(cw_lab::wanted)
        .transpose()
        .map_err(|why| PlanError::new_err(format!("target is {why}")))?;
    let patch = match (what_if, changes) {
        (Some(path), _) => {
            let text = cw_files::read_text(&path, cw_files::PATCH)
                .with_context(|| format!("cannot read “{}”", path.display()))
                .map_err(crate::errors::plan)?;
            Some((text, path.display().to_string()))
        }
        (None, Some(changes)) => Some((changes.to_owned(), "what_if".to_owned())),
        (None, None) => None,
    };
    let patch = patch.map(|(text, from)| {
        let read = match changes {
            None => Patch::read(&text),
            // What was written in Python.
            Some(_) => match serde_json::from_str::<Patch>(&text) {
                Ok(patch) if patch.changes.is_empty() => Err("there is no change in it".to_owned()),
                Ok(patch) => Ok(patch),
                Err(error) => Err(error.to_string()),
            }
            .map_err(|why| PatchError { change: None, why }),
        };
        read.and_then(|patch| cw_lab::changed(&plan, &patch).map(|_| patch))
            .map_err(|why| PlanError::new_err(format!("“{from}” cannot be used: {why}")))
    });
    let patch = patch.transpose()?;
    let done = py.detach(|| {
        let looks = Looks::new(progress);
        let asked = cw_lab::Asked {
            plan: &plan,
            player: &player,
            card_pairs,
            what_if: patch.as_ref(),
            target,
            command: &cw_lab::balance_command(&plan, &player, card_pairs, &names),
        };
        let report = cw_lab::balance(&asked, &here(&looks, threads, bot_ms))?;
        Ok((serde_json::to_string(&report)?, page(&report, &BTreeMap::new())))
    });
    done.map_err(failed)
}
