//! Many duels, a step at a time, in arrays that are made once.

use std::sync::Arc;

use cw_duel::{Decks, Duel, DuelOutcome, DuelSetup, PerSeat, Seat};
use cw_players::{SeatEyes, mix, seed_of};
use numpy::{PyArray1, PyArray2, PyArray3, PyArrayMethods as _};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rayon::prelude::*;

use crate::duel::Duel as PyDuel;
use crate::encode::{ACTIONS, FEATURES, KINDS, Last, Out, Printed, Takebacks, TooMany, kind, length, write};
use crate::errors::GameError;
use crate::game::Game;
use crate::given;
use crate::players::{Level, Policy, Who};
use crate::threads::ForkedPool;

/// What all duels have in common.
struct Common {
    game: Arc<cw_duel::Game>,
    matchups: Vec<Decks>,
    opponent: Option<Opponent>,
    values: Option<Arc<cw_players::PositionWeights>>,
    takebacks: Takebacks,
    /// So many answers of learners in a duel, and no more.
    max_steps: u64,
}

/// Who has seat 2.
enum Opponent {
    Level(Level),
    Policy(Policy, Arc<Py<Game>>),
}

fn failed(why: impl std::fmt::Display) -> PyErr {
    GameError::new_err((why.to_string(), ""))
}

/// One of the duels.
struct Lane {
    duel: Duel,
    /// Of all its duels.
    seed: u64,
    /// How many it has begun.
    begun: u64,
    /// Answers of the opponent in this one.
    asked: u64,
    /// Answers of learners in this one.
    steps: u64,
    last: Last,
}

impl Lane {
    /// Begins the next duel.
    fn begin(&mut self, common: &Common) -> PyResult<()> {
        let seed = mix(&[self.seed, self.begun]);
        let turn = usize::try_from(seed % common.matchups.len() as u64).unwrap_or(0);
        let setup = DuelSetup {
            allow_illegal_decks: true,
            ..DuelSetup::from(seed)
        };
        let begun = Duel::new(Arc::clone(&common.game), &common.matchups[turn], setup);
        self.duel = begun.map_err(failed)?;
        self.begun += 1;
        (self.asked, self.steps) = (0, 0);
        self.go_on(common)
    }

    /// Answers what needs no answer of the learner: where it may take one option only, and the opponent's
    /// questions.
    fn go_on(&mut self, common: &Common) -> PyResult<()> {
        while let Some(decision) = self.duel.pending() {
            let opponent = common.opponent.as_ref().filter(|_| decision.seat == Seat::Two);
            // A level takes back what it likes: it is known to end.
            let takebacks = match opponent {
                Some(_) => Takebacks::Offered,
                None => common.takebacks,
            };
            let choice = match (takebacks.only(&decision.options), opponent) {
                (Some(only), _) => {
                    self.duel.take_option(only);
                    continue;
                }
                (None, Some(opponent)) => {
                    let seed = seed_of(mix(&[self.seed, self.begun]), decision.seat, self.asked);
                    let Some(eyes) = SeatEyes::of_who_is_asked(&self.duel) else {
                        return Ok(());
                    };
                    let eyes = eyes.valuing(common.values.as_deref());
                    self.asked += 1;
                    match opponent {
                        Opponent::Level(level) => level.level.choose(&cw_players::Ask {
                            budget: level.budget,
                            ..eyes.ask(seed)
                        }),
                        Opponent::Policy(policy, game) => policy.choose(game, &eyes.ask(seed))?,
                    }
                }
                (None, None) => return Ok(()),
            };
            self.duel.answer_silently(choice).map_err(failed)?;
        }
        Ok(())
    }

    /// Whether the duel has had all the answers that it may have, and goes on no longer.
    fn is_cut(&self, common: &Common) -> bool {
        self.steps >= common.max_steps && self.duel.pending().is_some()
    }

    /// What kind of step it is to take the option with this number: what is asked, and what is answered.
    fn kind(&self, action: i64) -> u16 {
        let decision = self.duel.pending();
        decision.map_or(0, |decision| {
            let chosen = usize::try_from(action).ok();
            let choice = chosen.and_then(|action| decision.options.get(action));
            kind(decision.question, choice.copied())
        })
    }

    /// Takes the option with this number; who is over begins anew.
    fn step(&mut self, common: &Common, action: i64) -> PyResult<()> {
        if self.duel.pending().is_none() || self.is_cut(common) {
            return self.begin(common);
        }
        let action = usize::try_from(action).ok();
        let taken = action.and_then(|action| self.duel.take_option(action));
        taken.ok_or_else(|| failed("an option was not checked"))?;
        self.steps += 1;
        self.go_on(common)
    }
}

/// So many duels take their step before what comes of it is written: the processor goes from one task to the
/// other more seldom, and so many fit into what it has at hand.
const TOGETHER: usize = 64;

/// Among so many duels those whose next step is of one kind come one after the other: the processor has at
/// hand what such a step needs, and guesses right where it branches.
const SORTED: usize = 1024;

/// So many duels before its turn a duel is asked for.
const AHEAD: usize = 2;

/// The numbers from 0, those of the least kind first.
fn by_kind(kinds: &[u16]) -> Vec<usize> {
    let mut starts = [0; KINDS as usize];
    for kind in kinds {
        starts[usize::from(*kind)] += 1;
    }
    let mut sum = 0;
    for start in &mut starts {
        (*start, sum) = (sum, sum + *start);
    }
    let mut order = vec![0; kinds.len()];
    for (at, kind) in kinds.iter().enumerate() {
        let place = &mut starts[usize::from(*kind)];
        order[*place] = at;
        *place += 1;
    }
    order
}

/// Some of the duels, and where what comes of them is written.
struct Share<'a> {
    lanes: &'a mut [Lane],
    actions: Option<&'a [i64]>,
    obs: &'a mut [i16],
    mask: &'a mut [i8],
    features: &'a mut [i16],
    offered: &'a mut [i32],
    seat: &'a mut [i8],
    reward: &'a mut [f32],
    done: &'a mut [bool],
    truncated: &'a mut [bool],
}

impl Share<'_> {
    /// Takes the step of each duel, or begins it anew where there are no actions, and writes what comes of
    /// it.
    fn go(&mut self, common: &Common, printed: &Printed) -> PyResult<()> {
        let order = match self.actions {
            Some(actions) => {
                let chosen = self.lanes.iter().zip(actions);
                let kinds: Vec<u16> = chosen.map(|(lane, action)| lane.kind(*action)).collect();
                by_kind(&kinds)
            }
            None => (0..self.lanes.len()).collect(),
        };
        let mut coming = order.iter().skip(AHEAD);
        for together in order.chunks(TOGETHER) {
            for at in together.iter().copied() {
                if let Some(next) = coming.next() {
                    self.lanes[*next].duel.fetch();
                }
                let lane = &mut self.lanes[at];
                match self.actions {
                    Some(actions) => lane.step(common, actions[at])?,
                    None => lane.begin(common)?,
                }
            }
            for at in together.iter().copied() {
                self.write(at, common, printed).map_err(TooMany::raised)?;
            }
        }
        Ok(())
    }

    fn write(&mut self, at: usize, common: &Common, printed: &Printed) -> Result<(), TooMany> {
        let lane = &mut self.lanes[at];
        self.truncated[at] = lane.is_cut(common);
        let duel = &lane.duel;
        (self.reward[at], self.done[at]) = match duel.outcome() {
            Some(DuelOutcome::Won { winner, .. }) => (if winner == Seat::One { 1.0 } else { -1.0 }, true),
            Some(DuelOutcome::Drawn) => (0.0, true),
            None => (0.0, false),
        };
        let decision = duel.pending();
        let options = decision.map_or(0, |decision| decision.options.len());
        self.offered[at] = i32::try_from(options).unwrap_or(i32::MAX);
        let asked = decision.map(|decision| decision.seat);
        self.seat[at] = asked.map_or(0, |seat| i8::try_from(seat.number()).unwrap_or(0));
        let width = length(duel.game());
        let out = Out {
            observation: &mut self.obs[at * width..][..width],
            mask: &mut self.mask[at * ACTIONS..][..ACTIONS],
            features: &mut self.features[at * ACTIONS * FEATURES..][..ACTIONS * FEATURES],
        };
        write(duel, asked.unwrap_or(Seat::One), printed, out, &mut lane.last)
    }
}

/// Many duels that go on together. `step` answers the question that waits in each with the option of that
/// number, and writes what is seen then into the same arrays; a duel that is over begins anew at the next
/// step, whatever its action says.
#[pyclass(module = "cardwright")]
pub(crate) struct VecDuels {
    of: Py<Game>,
    common: Common,
    lanes: Vec<Lane>,
    pool: Option<ForkedPool>,
    arrays: Arrays,
    /// What Python gets of them: nothing can be written there, as only what changes is written here.
    #[pyo3(get)]
    obs: Py<PyAny>,
    #[pyo3(get)]
    mask: Py<PyAny>,
    #[pyo3(get)]
    option_features: Py<PyAny>,
    /// How many options each has; 0 where it is over.
    #[pyo3(get)]
    options: Py<PyAny>,
    #[pyo3(get)]
    seat: Py<PyAny>,
    #[pyo3(get)]
    reward: Py<PyAny>,
    #[pyo3(get)]
    done: Py<PyAny>,
    /// Where a duel was cut off; it begins anew at the next step, whatever its action says.
    #[pyo3(get)]
    truncated: Py<PyAny>,
}

struct Arrays {
    obs: Py<PyArray2<i16>>,
    mask: Py<PyArray2<i8>>,
    option_features: Py<PyArray3<i16>>,
    options: Py<PyArray1<i32>>,
    seat: Py<PyArray1<i8>>,
    reward: Py<PyArray1<f32>>,
    done: Py<PyArray1<bool>>,
    truncated: Py<PyArray1<bool>>,
}

/// A view of an array that cannot be written through.
fn shown<T>(py: Python<'_>, array: &Py<T>) -> PyResult<Py<PyAny>> {
    let view = array.call_method0(py, "view")?.into_bound(py);
    view.getattr("flags")?.setattr("writeable", false)?;
    Ok(view.unbind())
}

#[pymethods]
impl VecDuels {
    #[new]
    #[pyo3(signature = (
        game, n, *, decks=None, opponent=None, threads=1, seed=0, takebacks=false, max_steps=4096
    ))]
    #[expect(clippy::too_many_arguments, reason = "in Python they have names")]
    fn new(
        py: Python<'_>,
        #[pyo3(from_py_with = given::game)] game: Py<Game>,
        #[pyo3(from_py_with = given::n)] n: usize,
        #[pyo3(from_py_with = given::decks)] decks: Option<Vec<String>>,
        #[pyo3(from_py_with = given::opponent)] opponent: Option<Who>,
        #[pyo3(from_py_with = given::threads)] threads: usize,
        #[pyo3(from_py_with = given::seed)] seed: u64,
        #[pyo3(from_py_with = given::takebacks)] takebacks: bool,
        #[pyo3(from_py_with = given::max_steps)] max_steps: u64,
    ) -> PyResult<VecDuels> {
        if n == 0 || n > 1 << 20 {
            return Err(PyValueError::new_err("n is to be from 1 to 1,048,576"));
        }
        if max_steps == 0 {
            return Err(PyValueError::new_err("max_steps is to be 1 at least"));
        }
        if threads > 1024 {
            return Err(PyValueError::new_err("threads are 1,024 at most"));
        }
        let of = game.get();
        let decks = of.decks_of(decks)?;
        let mut matchups = Vec::new();
        for (_, one) in &decks {
            matchups.extend(decks.iter().map(|(_, two)| PerSeat([one.clone(), two.clone()])));
        }
        let opponent = match opponent {
            None => None,
            Some(Who::Name(name)) => Some(Opponent::Level(Level::named(&name, None)?)),
            Some(Who::Level(level)) => Some(Opponent::Level(level)),
            Some(Who::Policy(policy)) => Some(Opponent::Policy(policy, Arc::new(game.clone_ref(py)))),
        };
        let common = Common {
            game: Arc::clone(&of.game),
            matchups,
            opponent,
            values: cw_lab::values(&of.game),
            takebacks: Takebacks::of(takebacks),
            max_steps,
        };
        let first = Duel::new(
            Arc::clone(&common.game),
            &common.matchups[0],
            DuelSetup {
                allow_illegal_decks: true,
                ..DuelSetup::from(0)
            },
        )
        .map_err(|error| GameError::new_err((error.to_string(), "")))?;
        let pool = match threads {
            0 | 1 => None,
            threads => Some(ForkedPool::new(threads)?),
        };
        let lanes = (0..n).map(|at| Lane {
            duel: first.clone(),
            seed: mix(&[seed, at as u64]),
            begun: 0,
            asked: 0,
            steps: 0,
            last: Last::new(common.takebacks),
        });
        let arrays = Arrays {
            obs: PyArray2::zeros(py, [n, length(&common.game)], false).unbind(),
            mask: PyArray2::zeros(py, [n, ACTIONS], false).unbind(),
            option_features: PyArray3::zeros(py, [n, ACTIONS, FEATURES], false).unbind(),
            options: PyArray1::zeros(py, n, false).unbind(),
            seat: PyArray1::zeros(py, n, false).unbind(),
            reward: PyArray1::zeros(py, n, false).unbind(),
            done: PyArray1::from_vec(py, vec![false; n]).unbind(),
            truncated: PyArray1::from_vec(py, vec![false; n]).unbind(),
        };
        let mut made = VecDuels {
            lanes: lanes.collect(),
            pool,
            obs: shown(py, &arrays.obs)?,
            mask: shown(py, &arrays.mask)?,
            option_features: shown(py, &arrays.option_features)?,
            options: shown(py, &arrays.options)?,
            seat: shown(py, &arrays.seat)?,
            reward: shown(py, &arrays.reward)?,
            done: shown(py, &arrays.done)?,
            truncated: shown(py, &arrays.truncated)?,
            arrays,
            common,
            of: game,
        };
        made.reset(py, Some(seed))?;
        Ok(made)
    }

    /// How many duels there are.
    #[getter]
    fn n(&self) -> usize {
        self.lanes.len()
    }

    /// Begins all anew. The same seed and the same actions give the same numbers, on any number of threads.
    #[pyo3(signature = (seed=None))]
    fn reset(
        &mut self,
        py: Python<'_>,
        #[pyo3(from_py_with = given::seed)] seed: Option<u64>,
    ) -> PyResult<()> {
        if let Some(seed) = seed {
            for (at, lane) in self.lanes.iter_mut().enumerate() {
                (lane.seed, lane.begun) = (mix(&[seed, at as u64]), 0);
            }
        }
        self.all(py, None)
    }

    /// Takes an option in each duel, by its number: any sequence or array of whole numbers.
    fn step(&mut self, py: Python<'_>, actions: &Bound<'_, PyAny>) -> PyResult<()> {
        let actions = whole_numbers(actions)?;
        let actions = actions.try_readonly()?;
        let actions = actions.as_slice()?;
        if actions.len() != self.lanes.len() {
            return Err(PyValueError::new_err(format!(
                "there are {} duels, and {} actions",
                self.lanes.len(),
                actions.len()
            )));
        }
        // Nothing changes if one of them is not offered.
        let (options, mask, truncated) = (
            self.arrays.options.bind(py).try_readonly()?,
            self.arrays.mask.bind(py).try_readonly()?,
            self.arrays.truncated.bind(py).try_readonly()?,
        );
        let cut = truncated.as_slice()?;
        let masks = mask.as_slice()?.chunks_exact(ACTIONS);
        for (at, ((offered, mask), action)) in options.as_slice()?.iter().zip(masks).zip(actions).enumerate()
        {
            let allowed = usize::try_from(*action).ok().and_then(|action| mask.get(action));
            match allowed {
                _ if *offered == 0 || cut[at] => {}
                Some(1) => {}
                Some(_) if *action < i64::from(*offered) => {
                    return Err(PyValueError::new_err(format!(
                        "option {action} of duel {at} takes something back, and the mask is 0 there: \
                         VecDuels(…, takebacks=True) allows it"
                    )));
                }
                Some(_) | None => {
                    return Err(PyValueError::new_err(format!(
                        "duel {at} has no option {action}: there are {offered}, counted from 0"
                    )));
                }
            }
        }
        drop((options, mask, truncated));
        self.all(py, Some(actions))
    }

    /// A copy of one of the duels as it stands; it has no record.
    fn duel(&self, py: Python<'_>, #[pyo3(from_py_with = given::at)] at: usize) -> PyResult<PyDuel> {
        let lane = self.lanes.get(at);
        let lane = lane.ok_or_else(|| {
            PyValueError::new_err(format!("there is no duel {at}: there are {}", self.lanes.len()))
        })?;
        let seed = mix(&[lane.seed, lane.begun]);
        Ok(PyDuel::without_record(
            self.of.clone_ref(py),
            lane.duel.clone(),
            seed,
        ))
    }

    fn __len__(&self) -> usize {
        self.lanes.len()
    }

    fn __repr__(&self) -> String {
        crate::short(format!(
            "<VecDuels: {} duels of {}>",
            self.lanes.len(),
            self.common.game.name
        ))
    }
}

impl VecDuels {
    /// Takes the step of every duel, or begins all anew, and writes what comes of it, without the
    /// interpreter's lock.
    fn all(&mut self, py: Python<'_>, actions: Option<&[i64]>) -> PyResult<()> {
        let (mut obs, mut mask, mut features) = (
            self.arrays.obs.bind(py).try_readwrite()?,
            self.arrays.mask.bind(py).try_readwrite()?,
            self.arrays.option_features.bind(py).try_readwrite()?,
        );
        let (mut seat, mut reward, mut done, mut truncated) = (
            self.arrays.seat.bind(py).try_readwrite()?,
            self.arrays.reward.bind(py).try_readwrite()?,
            self.arrays.done.bind(py).try_readwrite()?,
            self.arrays.truncated.bind(py).try_readwrite()?,
        );
        let (obs, mask, features) = (
            obs.as_slice_mut()?,
            mask.as_slice_mut()?,
            features.as_slice_mut()?,
        );
        let (seat, reward, done) = (seat.as_slice_mut()?, reward.as_slice_mut()?, done.as_slice_mut()?);
        let truncated = truncated.as_slice_mut()?;
        let pool = self.pool.as_mut().map(ForkedPool::get).transpose()?;
        let (common, lanes) = (&self.common, &mut self.lanes);
        let mut offered = self.arrays.options.bind(py).try_readwrite()?;
        let (offered, printed) = (offered.as_slice_mut()?, &self.of.get().printed);
        let width = length(&common.game);
        // No thread is to wait for another one, least of all where a level answers, which takes far longer
        // than all this.
        let each = match pool {
            None => SORTED,
            Some(_) if common.opponent.is_some() => TOGETHER / 2,
            Some(pool) => lanes
                .len()
                .div_ceil(2 * pool.current_num_threads())
                .clamp(TOGETHER, SORTED),
        };
        let mut shares: Vec<Share<'_>> = lanes
            .chunks_mut(each)
            .zip(obs.chunks_mut(each * width))
            .zip(mask.chunks_mut(each * ACTIONS))
            .zip(features.chunks_mut(each * ACTIONS * FEATURES))
            .zip(offered.chunks_mut(each).zip(seat.chunks_mut(each)))
            .zip(
                reward
                    .chunks_mut(each)
                    .zip(done.chunks_mut(each))
                    .zip(truncated.chunks_mut(each)),
            )
            .enumerate()
            .map(
                |(at, (((((lanes, obs), mask), features), (offered, seat)), ((reward, done), truncated)))| {
                    Share {
                        actions: actions.map(|actions| &actions[at * each..][..lanes.len()]),
                        lanes,
                        obs,
                        mask,
                        features,
                        offered,
                        seat,
                        reward,
                        done,
                        truncated,
                    }
                },
            )
            .collect();
        let all = |share: &mut Share<'_>| share.go(common, printed);
        py.detach(|| match pool {
            None => shares.iter_mut().try_for_each(all),
            Some(pool) => pool.install(|| shares.par_iter_mut().try_for_each(all)),
        })?;
        // All have taken their step, so whoever stops here may go on.
        py.check_signals()
    }
}

/// The actions as NumPy has them in 64 bits.
fn whole_numbers<'py>(actions: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyArray1<i64>>> {
    const WANTED: &str = "whole numbers, one for each duel";
    let py = actions.py();
    let numpy = py.import("numpy")?;
    let array = numpy.call_method1("asarray", (actions,));
    let array = array.map_err(|_| given::wrong("actions", WANTED, actions))?;
    let (kind, dimensions): (String, usize) = (
        array.getattr("dtype")?.getattr("kind")?.extract()?,
        array.getattr("ndim")?.extract()?,
    );
    if dimensions == 0 {
        return Err(given::wrong("actions", WANTED, actions));
    }
    if !matches!(kind.as_str(), "i" | "u") || dimensions != 1 {
        let dtype = array.getattr("dtype")?.str()?;
        let came = format!(
            "{dtype} in {dimensions} {}",
            if dimensions == 1 {
                "dimension"
            } else {
                "dimensions"
            }
        );
        return Err(given::unfit("actions", WANTED, &came));
    }
    let array = numpy.call_method1("ascontiguousarray", (array, "int64"))?;
    Ok(array.cast_into::<PyArray1<i64>>()?)
}
