//! Many duels: plans, shares of them, and what they come to. The bytes are those of the command line.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::str::FromStr as _;
use std::sync::Arc;

use anyhow::Context as _;
use cw_balance::{Patch, PatchError, page};
use cw_bot::BotLimits;
use cw_lab::{Contestant, GuestPlayer, How, MachineSettings, ProgressWatch, Rows};
use cw_players::Player;
use cw_sim::{Exchange, Shard, StopRule, Written};
use cw_stats::Sprt;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::errors::{PlanError, plan as failed};
use crate::game::Game;
use crate::given::{self, Function, Given};
use crate::players::{Failure, Policy, Sitting, Who};

/// Python looks on: signals are handled, and who wants to know is told how far it is.
struct Looks {
    progress: Option<Py<PyAny>>,
    most: Cell<u64>,
    /// What a player of Python has raised.
    failure: Failure,
}

impl Looks {
    fn new(progress: Option<Function>, failure: Failure) -> Looks {
        Looks {
            progress: progress.map(|progress| progress.0),
            most: Cell::new(0),
            failure,
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

impl ProgressWatch for Looks {
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
        anyhow::ensure!(!self.failure.is_there(), "a player has failed");
        #[expect(
            clippy::redundant_closure_for_method_calls,
            reason = "the method is not general enough in its lifetime"
        )]
        let raised = Python::attach(|py| py.check_signals());
        Ok(raised?)
    }
}

fn here(watch: &Looks, threads: Option<u16>, bot_ms: Option<u64>) -> MachineSettings<'_> {
    let usual = BotLimits::default();
    MachineSettings {
        threads: threads.filter(|threads| *threads > 0),
        limits: BotLimits {
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

/// Who plays: as one that can be named, and as what it is in Python if it comes from there.
fn who(who: Who) -> PyResult<Contestant2> {
    match who {
        Who::Name(name) => Ok((contestant(&name)?, None)),
        Who::Level(level) => Ok((contestant(&level.named_again())?, None)),
        Who::Policy(policy) => {
            // Only its name is asked for; who plays is seated with the game and a place for what it raises.
            let named = GuestPlayer::new(&policy.name, |_| Box::new(cw_players::Level::Plain));
            Ok((named.into(), Some(policy)))
        }
    }
}

type Contestant2 = (Contestant, Option<Policy>);

/// Seats a player of Python, or leaves one that has a name as it is.
fn seated(named: Contestant, policy: Option<&Policy>, game: &Arc<Py<Game>>, failure: &Failure) -> Contestant {
    let Some(policy) = policy.cloned() else {
        return named;
    };
    let (game, failure) = (Arc::clone(game), failure.clone());
    let name = Arc::clone(&policy.name);
    let sit = move |_: &Arc<cw_duel::Game>| -> Box<dyn Player> {
        Box::new(Sitting {
            policy: policy.clone(),
            game: Arc::clone(&game),
            failure: failure.clone(),
        })
    };
    GuestPlayer::new(&name, sit).into()
}

/// One thread where a function of Python plays, unless more are wanted: nobody promises that it can be called
/// by several.
fn threads_for(threads: Option<u16>, policies: [Option<&Policy>; 2]) -> Option<u16> {
    match policies {
        [None, None] => threads,
        _ => threads.or(Some(1)),
    }
}

/// What came of it, or what a player of Python has raised.
fn unless_failed<T>(done: anyhow::Result<T>, failure: &Failure) -> PyResult<T> {
    match failure.take() {
        Some(error) => Err(error),
        None => done.map_err(failed),
    }
}

/// What is to be played: the same text means the same duels, on any machine.
#[pyclass(module = "cardwright", frozen)]
pub(crate) struct Plan {
    written: Written,
    /// The players that are functions or objects of Python.
    own: [Option<Policy>; 2],
}

/// When a plan is played: all of it, or as soon as a question is answered.
enum Until {
    /// `all` or `ahead`.
    Word(String),
    /// `(0.50, 0.55)`: which of two scores it is.
    Test((f64, f64)),
    /// So many per cent either way; where one player measures several matchups, each of them.
    Width(f64),
}

impl<'py> Given<'py> for Until {
    fn given(name: &str, value: &Bound<'py, PyAny>) -> PyResult<Until> {
        if value.is_instance_of::<PyString>() {
            return String::given(name, value).map(Until::Word);
        }
        if let Ok(percent) = value.extract::<f64>() {
            return Ok(Until::Width(percent));
        }
        let test = <(f64, f64)>::given(name, value).map(Until::Test);
        test.map_err(|_| given::wrong(name, UNTIL, value))
    }
}

const UNTIL: &str = "“all”, “ahead”, a number of per cent either way, or two scores as (0.50, 0.55)";

#[pymethods]
impl Plan {
    /// Two players are measured against each other; one plays both sides and measures decks.
    #[new]
    #[pyo3(signature = (game, players, *, decks=None, pairs=None, seed=1, until=None, playouts=None))]
    fn new(
        #[pyo3(from_py_with = given::game)] game: Py<Game>,
        #[pyo3(from_py_with = given::players)] players: Vec<Who>,
        #[pyo3(from_py_with = given::decks)] decks: Option<Vec<String>>,
        #[pyo3(from_py_with = given::pairs)] pairs: Option<u64>,
        #[pyo3(from_py_with = given::seed)] seed: u64,
        #[pyo3(from_py_with = given::until)] until: Option<Until>,
        #[pyo3(from_py_with = given::playouts)] playouts: Option<u32>,
    ) -> PyResult<Plan> {
        let game = game.get();
        let mut players = players
            .into_iter()
            .map(who)
            .collect::<PyResult<Vec<_>>>()?
            .into_iter();
        let ((one, first), (two, second), exchange) = match (players.next(), players.next(), players.next()) {
            (Some(one), None, _) => (one.clone(), one, Exchange::Turns),
            (Some(one), Some(two), None) => (one, two, Exchange::Players),
            _ => {
                return Err(PlanError::new_err(
                    "name one player or two, as in [\"easy\"] or [\"easy\", \"novice\"]",
                ));
            }
        };
        if pairs.is_some_and(|pairs| !(1..=100_000_000).contains(&pairs)) {
            return Err(PlanError::new_err("pairs are from 1 to 100,000,000"));
        }
        let most = pairs.unwrap_or(StopRule::PAIRS);
        let decks = game.decks_of(decks)?;
        let matchups = match exchange {
            Exchange::Players => cw_lab::matchups(&decks),
            Exchange::Turns => cw_lab::different(&decks),
        };
        let stop = match until {
            None => StopRule::After(most),
            Some(Until::Word(word)) if word == "all" => StopRule::After(most),
            Some(Until::Word(word)) if word == "ahead" => StopRule::Ahead { most },
            Some(Until::Width(percent)) if percent > 0.0 && percent < 50.0 => {
                StopRule::known(percent / 100.0, exchange, matchups.len(), pairs)
            }
            Some(Until::Test((worse, better))) if 0.0 < worse && worse < better && better < 1.0 => {
                StopRule::Test {
                    sprt: Sprt::new(worse, better),
                    most,
                }
            }
            Some(_) => {
                return Err(PlanError::new_err(format!("until is {UNTIL}")));
            }
        };
        if exchange == Exchange::Turns
            && matchups.len() > 1
            && matches!(stop, StopRule::Ahead { .. } | StopRule::Test { .. })
        {
            return Err(PlanError::new_err(format!(
                "“ahead” and two scores ask one question, and there are {} matchups of decks; \
                 name two decks, or two players",
                matchups.len()
            )));
        }
        let plan = cw_sim::DuelPlan {
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
            own: [first, second],
        })
    }

    /// Reads a plan's text; one of another version of the engine is refused.
    #[staticmethod]
    fn parse(#[pyo3(from_py_with = given::text)] text: String) -> PyResult<Plan> {
        let written = Written::read(&text).map_err(|error| PlanError::new_err(error.to_string()))?;
        Ok(Plan {
            written,
            own: [None, None],
        })
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
    fn part(
        &self,
        #[pyo3(from_py_with = given::number)] number: u64,
        #[pyo3(from_py_with = given::of)] of: u64,
    ) -> PyResult<String> {
        Ok(cw_lab::part(shard(number, of)?))
    }

    /// The first and the last pair of a share; None if it has nothing to do.
    fn pairs_of(
        &self,
        #[pyo3(from_py_with = given::number)] number: u64,
        #[pyo3(from_py_with = given::of)] of: u64,
    ) -> PyResult<Option<(u64, u64)>> {
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
        crate::short(format!(
            "<Plan {}: {} of {}, {} pairs at most>",
            self.written.id(),
            self.written.players.join(" and "),
            self.written.game,
            self.written.pairs
        ))
    }

    fn __eq__(&self, other: &Plan) -> bool {
        self.written == other.written
    }

    fn __hash__(&self) -> u64 {
        let id = self.written.id();
        u64::from_str_radix(&id[..16], 16).unwrap_or_default()
    }

    fn __reduce__(slf: &Bound<'_, Plan>) -> PyResult<(Py<PyAny>, Pickled)> {
        let own = slf.get().own.each_ref();
        let own = own.map(|own| own.as_ref().map(|policy| policy.object.clone_ref(slf.py())));
        let restore = slf.get_type().getattr("_restore")?.unbind();
        Ok((restore, (slf.get().text(), own.into())))
    }

    /// Makes a plan of what `pickle` has kept.
    #[staticmethod]
    fn _restore(
        #[pyo3(from_py_with = given::text)] text: String,
        #[pyo3(from_py_with = given::players)] players: Vec<Option<Who>>,
    ) -> PyResult<Plan> {
        let mut plan = Plan::parse(text)?;
        for (own, player) in plan.own.iter_mut().zip(players) {
            if let Some(Who::Policy(policy)) = player {
                *own = Some(policy);
            }
        }
        Ok(plan)
    }
}

/// What `pickle` keeps of a plan: its text, and the players that are Python's.
type Pickled = (String, (Option<Py<PyAny>>, Option<Py<PyAny>>));

impl Plan {
    /// Who plays it.
    fn contestants(&self, game: &Arc<Py<Game>>, failure: &Failure) -> PyResult<[Contestant; 2]> {
        let seat = |at: usize| {
            let (name, own) = (&self.written.players[at], self.own[at].as_ref());
            let named = match (own, name.strip_prefix(Policy::PREFIX)) {
                (Some(_), _) => Contestant::from(cw_players::Level::Plain),
                (None, Some(function)) => {
                    return Err(PlanError::new_err(format!(
                        "the player “{function}” is a function of Python, \
                         and only the plan that it was given to has it"
                    )));
                }
                (None, None) => contestant(name)?,
            };
            Ok(seated(named, own, game, failure))
        };
        Ok([seat(0)?, seat(1)?])
    }

    fn policies(&self) -> [Option<&Policy>; 2] {
        self.own.each_ref().map(Option::as_ref)
    }

    fn of(&self, game: &Game) -> PyResult<cw_sim::DuelPlan> {
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

/// Plays a plan on this machine; the result as JSON. With a folder, `summary.json` and the tables are written
/// there.
#[pyfunction]
#[pyo3(
    name = "_simulate",
    signature = (game, plan, *, folder=None, threads=None, bot_ms=None, progress=None)
)]
pub(crate) fn simulate(
    py: Python<'_>,
    #[pyo3(from_py_with = given::game)] game: Py<Game>,
    #[pyo3(from_py_with = given::plan)] plan: Py<Plan>,
    #[pyo3(from_py_with = given::folder)] folder: Option<PathBuf>,
    #[pyo3(from_py_with = given::threads)] threads: Option<u16>,
    #[pyo3(from_py_with = given::bot_ms)] bot_ms: Option<u64>,
    #[pyo3(from_py_with = given::progress)] progress: Option<Function>,
) -> PyResult<String> {
    let (plan, failure, game) = (plan.get(), Failure::default(), Arc::new(game));
    let (of, players) = (plan.of(game.get())?, plan.contestants(&game, &failure)?);
    let (written, threads) = (&plan.written, threads_for(threads, plan.policies()));
    let done = py.detach(|| {
        let looks = Looks::new(progress, failure.clone());
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
    unless_failed(done, &failure)
}

/// Plays a share of a plan: the bytes of the file that `cardwright sim run --shard` writes.
#[pyfunction]
#[pyo3(name = "_share", signature = (game, plan, number, of, *, threads=1, bot_ms=None))]
pub(crate) fn share<'py>(
    py: Python<'py>,
    #[pyo3(from_py_with = given::game)] game: Py<Game>,
    #[pyo3(from_py_with = given::plan)] plan: Py<Plan>,
    #[pyo3(from_py_with = given::number)] number: u64,
    #[pyo3(from_py_with = given::of)] of: u64,
    #[pyo3(from_py_with = given::threads)] threads: u16,
    #[pyo3(from_py_with = given::bot_ms)] bot_ms: Option<u64>,
) -> PyResult<Bound<'py, PyBytes>> {
    let shard = shard(number, of)?;
    let (plan, failure, game) = (plan.get(), Failure::default(), Arc::new(game));
    let (whole, players) = (plan.of(game.get())?, plan.contestants(&game, &failure)?);
    let written = &plan.written;
    let done = py.detach(|| {
        let looks = Looks::new(None, failure.clone());
        let here = here(&looks, Some(threads), bot_ms);
        cw_lab::share(&whole, written, players.each_ref(), shard, &here)
    });
    Ok(PyBytes::new(py, &unless_failed(done, &failure)?))
}

/// Whether these bytes are the whole of a share, undamaged.
#[pyfunction]
#[pyo3(name = "_is_whole")]
pub(crate) fn is_whole(
    py: Python<'_>,
    #[pyo3(from_py_with = given::plan)] plan: Py<Plan>,
    #[pyo3(from_py_with = given::number)] number: u64,
    #[pyo3(from_py_with = given::of)] of: u64,
    #[pyo3(from_py_with = given::bytes)] bytes: Vec<u8>,
) -> PyResult<bool> {
    let shard = shard(number, of)?;
    let plan = plan.get();
    let whole = py.detach(|| cw_lab::is_whole(&bytes, &plan.written, shard));
    whole.map_err(failed)
}

/// Joins parts in any order: the result as JSON, and which pairs are missing.
#[pyfunction]
#[pyo3(name = "_merge", signature = (game, plan, parts, *, folder=None))]
pub(crate) fn merge(
    py: Python<'_>,
    #[pyo3(from_py_with = given::game)] game: Py<Game>,
    #[pyo3(from_py_with = given::plan)] plan: Py<Plan>,
    #[pyo3(from_py_with = given::parts)] parts: Vec<PathBuf>,
    #[pyo3(from_py_with = given::folder)] folder: Option<PathBuf>,
) -> PyResult<(String, Option<String>)> {
    let plan = plan.get();
    let (of, written) = (plan.of(game.get())?, &plan.written);
    let done = py.detach(|| {
        let looks = Looks::new(None, Failure::default());
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
#[pyo3(
    name = "_arena",
    signature = (
        game, one, two, *, decks=None, pairs=None, seed=1, sprt=None, playouts=None, threads=None,
        bot_ms=None, progress=None
    )
)]
#[expect(clippy::too_many_arguments, reason = "they have names in Python")]
pub(crate) fn arena(
    py: Python<'_>,
    #[pyo3(from_py_with = given::game)] game: Py<Game>,
    #[pyo3(from_py_with = given::one)] one: Who,
    #[pyo3(from_py_with = given::two)] two: Who,
    #[pyo3(from_py_with = given::decks)] decks: Option<Vec<String>>,
    #[pyo3(from_py_with = given::pairs)] pairs: Option<u64>,
    #[pyo3(from_py_with = given::seed)] seed: u64,
    #[pyo3(from_py_with = given::sprt)] sprt: Option<(f64, f64)>,
    #[pyo3(from_py_with = given::playouts)] playouts: Option<u32>,
    #[pyo3(from_py_with = given::threads)] threads: Option<u16>,
    #[pyo3(from_py_with = given::bot_ms)] bot_ms: Option<u64>,
    #[pyo3(from_py_with = given::progress)] progress: Option<Function>,
) -> PyResult<String> {
    let (failure, game) = (Failure::default(), Arc::new(game));
    let ((one, first), (two, second)) = (who(one)?, who(two)?);
    let threads = threads_for(threads, [first.as_ref(), second.as_ref()]);
    let one = seated(one, first.as_ref(), &game, &failure);
    let two = seated(two, second.as_ref(), &game, &failure);
    let game = game.get();
    let stop = match sprt {
        None => StopRule::After(pairs.unwrap_or(200)),
        Some((worse, better)) if 0.0 < worse && worse < better && better < 1.0 => StopRule::Test {
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
    let plan = cw_sim::DuelPlan {
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
        let looks = Looks::new(progress, failure.clone());
        let mut how = How {
            here: here(&looks, threads, bot_ms),
            timed: false,
            kept: None,
        };
        let played = how.play(&plan, [&one, &two], |_| {})?;
        let names = [one.to_string(), two.to_string()];
        Ok(cw_lab::match_json(&plan, &names, &played).to_string())
    });
    unless_failed(done, &failure)
}

/// Which decks and cards are too strong, as JSON, and as a page. Changes are the path of a file, or JSON.
#[pyfunction]
#[pyo3(
    name = "_balance",
    signature = (
        game, player, *, decks=None, pairs=None, card_pairs=None, seed=1, playouts=None, what_if=None,
        changes=None, target=None, threads=None, bot_ms=None, progress=None
    )
)]
#[expect(clippy::too_many_arguments, reason = "they have names in Python")]
pub(crate) fn balance(
    py: Python<'_>,
    #[pyo3(from_py_with = given::game)] game: Py<Game>,
    #[pyo3(from_py_with = given::player)] player: Who,
    #[pyo3(from_py_with = given::decks)] decks: Option<Vec<String>>,
    #[pyo3(from_py_with = given::pairs)] pairs: Option<u64>,
    #[pyo3(from_py_with = given::card_pairs)] card_pairs: Option<u64>,
    #[pyo3(from_py_with = given::seed)] seed: u64,
    #[pyo3(from_py_with = given::playouts)] playouts: Option<u32>,
    #[pyo3(from_py_with = given::what_if)] what_if: Option<PathBuf>,
    #[pyo3(from_py_with = given::changes)] changes: Option<String>,
    #[pyo3(from_py_with = given::target)] target: Option<String>,
    #[pyo3(from_py_with = given::threads)] threads: Option<u16>,
    #[pyo3(from_py_with = given::bot_ms)] bot_ms: Option<u64>,
    #[pyo3(from_py_with = given::progress)] progress: Option<Function>,
) -> PyResult<(String, String)> {
    let (failure, game) = (Failure::default(), Arc::new(game));
    let (player, own) = who(player)?;
    let threads = threads_for(threads, [own.as_ref(), None]);
    let player = seated(player, own.as_ref(), &game, &failure);
    let game = game.get();
    let names = decks.clone().unwrap_or_default();
    let matchups = cw_lab::different(&game.decks_of(decks)?);
    let pairs = pairs.unwrap_or(20 * matchups.len() as u64).max(1);
    let card_pairs = card_pairs.unwrap_or(cw_lab::card_pairs(pairs));
    let plan = cw_sim::DuelPlan {
        game: game.game.clone(),
        matchups,
        seed,
        budgets: [player.budget(playouts); 2],
        exchange: Exchange::Turns,
        stop: StopRule::After(pairs),
    };
    plan.check()
        .map_err(|error| PlanError::new_err(error.to_string()))?;
    let target = target
        .as_deref()
        .map(cw_lab::wanted)
        .transpose()
        .map_err(|why| PlanError::new_err(format!("target is {why}")))?;
    let patch = match (what_if, &changes) {
        (Some(path), _) => {
            let text = cw_files::read_text(&path, cw_files::PATCH)
                .with_context(|| format!("cannot read “{}”", path.display()))
                .map_err(crate::errors::plan)?;
            Some((text, path.display().to_string()))
        }
        (None, Some(changes)) => Some((changes.clone(), "what_if".to_owned())),
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
        let looks = Looks::new(progress, failure.clone());
        let asked = cw_lab::BalanceRequest {
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
    unless_failed(done, &failure)
}
