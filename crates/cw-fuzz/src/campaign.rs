//! The search for one card: positions around it, choices from there, and what is worth varying again.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use cw_duel::{Choice, Decision, Duel, DuelPosition, Game, Goal, Point, StepResult};
use cw_players::{RandomPlayer, mix};
use cw_program::{Command, ModelId, Op, Program, RuleEffectKind};
use cw_scenario::TakenStep;

use crate::positions::{CardPool, around};
use crate::shrink::{FindTrace, shortest};
use crate::watch::{StepPlace, Watcher};
use crate::{FindKind, FuzzFind, FuzzOptions};

/// Choices from a position, at most.
const CHOICES: usize = 40;
/// Ways that are kept to be varied.
const KEPT: usize = 200;
/// An effect that ran so often and never changed anything is reported.
const OFTEN: u64 = 60;
/// A card that ran into the loop guard so often is not played on: each time takes thousands of steps (D13).
const LOOPS: u64 = 40;
/// Ways to a find that are tried to be written down.
const WAYS: usize = 6;

/// A position and the choices from it.
#[derive(Clone, Debug)]
pub(crate) struct Way {
    pub(crate) position: DuelPosition,
    pub(crate) choices: Vec<Choice>,
}

/// What went wrong in a campaign, before it is written down.
#[derive(Debug, Default)]
struct Fault {
    times: u64,
    ways: Vec<Way>,
}

/// What came of one card's campaign.
#[derive(Debug)]
pub(crate) struct Campaign {
    pub(crate) taken: BTreeSet<TakenStep>,
    results: BTreeMap<TakenStep, u64>,
    pub(crate) finds: Vec<FuzzFind>,
    pub(crate) positions: usize,
    pub(crate) choices: usize,
}

pub(crate) fn run(game: &Arc<Game>, focus: ModelId, options: &FuzzOptions) -> Campaign {
    let pool = CardPool::new(game, focus);
    let mut random = RandomPlayer::new(mix(&[options.seed, u64::from(focus.0)]));
    let mut search = CardSearch {
        game,
        focus,
        watcher: Watcher::default(),
        faults: BTreeMap::new(),
        ran: BTreeMap::new(),
        choices: 0,
    };
    let mut kept: Vec<Way> = Vec::new();
    let mut positions = 0;
    let points = game.model(focus).program.as_ref().map(|program| program.points());
    let points = points.unwrap_or_default();
    for number in 0..options.positions {
        // Once all has run, what may still go wrong gets a quarter of the positions.
        let is_enough = number * 4 >= options.positions && number > 0;
        if is_enough && points.iter().all(|point| search.is_reached(point)) {
            break;
        }
        if search.loops() >= LOOPS {
            break;
        }
        positions += 1;
        let way = match kept.len() {
            0 => Way::new(around(game, &pool, &mut random)),
            _ if random.below(2) == 0 => Way::new(around(game, &pool, &mut random)),
            many => varied(&kept[random.below(many)], game, &pool, &mut random),
        };
        if let Some(way) = search.play(way, &mut random) {
            if kept.len() == KEPT {
                kept.swap_remove(random.below(KEPT));
            }
            kept.push(way);
        }
    }
    let finds = search.finds(focus);
    Campaign {
        taken: search.watcher.taken,
        results: search.watcher.results,
        finds,
        positions,
        choices: search.choices,
    }
}

impl Way {
    fn new(position: DuelPosition) -> Way {
        Way {
            position,
            choices: Vec::new(),
        }
    }
}

/// A way with another end, or from a position that differs in a part.
fn varied(way: &Way, game: &Game, pool: &CardPool, random: &mut RandomPlayer) -> Way {
    let mut way = way.clone();
    way.choices.truncate(random.below(way.choices.len() + 1));
    if random.below(2) > 0 {
        return way;
    }
    let other = around(game, pool, random);
    let seat = if random.below(2) == 0 {
        cw_duel::Seat::One
    } else {
        cw_duel::Seat::Two
    };
    let (mine, others) = (&mut way.position.players[seat], &other.players[seat]);
    match random.below(7) {
        0 => mine.hp = others.hp,
        1 => mine.sp = others.sp,
        2 => mine.discards.clone_from(&others.discards),
        3 => mine.deck.clone_from(&others.deck),
        4 => mine.ring.clone_from(&others.ring),
        5 => mine.hand.extend(others.hand.iter().copied()),
        _ => way.position.phase = other.phase,
    }
    way
}

/// The search for one card as it stands.
struct CardSearch<'a> {
    game: &'a Arc<Game>,
    focus: ModelId,
    watcher: Watcher,
    faults: BTreeMap<(FindKind, StepPlace), Fault>,
    /// The shortest way on which each effect of the card ran and has changed nothing so far, and how often it
    /// ran.
    ran: BTreeMap<StepPlace, (u64, Way)>,
    choices: usize,
}

impl CardSearch<'_> {
    fn is_reached(&self, point: &Point) -> bool {
        self.watcher.taken.iter().any(|taken| {
            taken.model == self.focus && taken.step == point.step && point.goal.is_reached_by(taken.result)
        })
    }

    /// How often the loop guard had to step in.
    fn loops(&self) -> u64 {
        let loops = self
            .faults
            .iter()
            .filter(|((kind, _), _)| *kind == FindKind::GuardedLoop);
        loops.map(|(_, fault)| fault.times).sum()
    }

    /// Plays a way to its end and on by chance; what did something new is given back with all of its choices.
    fn play(&mut self, mut way: Way, random: &mut RandomPlayer) -> Option<Way> {
        self.watcher.is_news = false;
        let mut duel =
            Duel::from_position_with(Arc::clone(self.game), &way.position, &mut self.watcher).ok()?;
        let given = std::mem::take(&mut way.choices);
        let mut given = given.into_iter();
        let turn = duel.turn();
        for _ in 0..CHOICES {
            self.note(&way);
            let Some(decision) = duel.pending() else { break };
            if duel.turn() > turn + 2 {
                break;
            }
            let wanted = given.next().filter(|choice| decision.options.contains(choice));
            let choice = wanted.unwrap_or_else(|| self.choice(&duel, decision, random));
            way.choices.push(choice);
            self.choices += 1;
            if duel.answer(choice, &mut self.watcher).is_err() {
                break;
            }
        }
        self.note(&way);
        self.watcher.is_news.then_some(way)
    }

    /// Any option; those with the card are four times as likely.
    fn choice(&self, duel: &Duel, decision: &Decision, random: &mut RandomPlayer) -> Choice {
        const LIKELIER: usize = 4;
        let is_own =
            |choice: &&Choice| choice.card().and_then(|card| duel.true_model(card)) == Some(self.focus);
        let own = decision.options.iter().filter(is_own).count();
        let number = random.below(decision.options.len() + own * (LIKELIER - 1));
        match decision.options.get(number) {
            Some(choice) => *choice,
            None => {
                let mut all = decision.options.iter().filter(is_own);
                let at = (number - decision.options.len()) % own.max(1);
                *all.nth(at).unwrap_or(&decision.options[0])
            }
        }
    }

    /// Takes down what the last choice has shown.
    fn note(&mut self, way: &Way) {
        let failed = std::mem::take(&mut self.watcher.failed);
        let guarded = std::mem::take(&mut self.watcher.guarded);
        let failed = failed
            .into_iter()
            .map(|place| (FindKind::FailedExpression, place));
        let guarded = guarded.into_iter().map(|place| (FindKind::GuardedLoop, place));
        for (kind, place) in failed.chain(guarded) {
            let fault = self.faults.entry((kind, (place.model, place.step))).or_default();
            fault.times += 1;
            // What goes wrong before the first choice no scenario shows.
            if way.choices.is_empty() {
                continue;
            }
            // The shortest ways make the shortest scenarios.
            if fault.ways.len() < WAYS {
                fault.ways.push(way.clone());
            } else if let Some(longest) = fault.ways.iter_mut().max_by_key(|known| known.choices.len())
                && way.choices.len() < longest.choices.len()
            {
                *longest = way.clone();
            }
        }
        for (place, count) in &self.watcher.effects {
            if place.0 != self.focus || count.changes > 0 {
                continue;
            }
            let runs = self.ran.entry(*place).or_insert_with(|| (0, way.clone()));
            if runs.0 < count.runs && (runs.0 == 0 || way.choices.len() < runs.1.choices.len()) {
                runs.1.clone_from(way);
            }
            runs.0 = count.runs;
        }
    }

    fn finds(&mut self, focus: ModelId) -> Vec<FuzzFind> {
        let mut finds = Vec::new();
        for ((kind, place), fault) in std::mem::take(&mut self.faults) {
            let runs: u64 = self
                .watcher
                .results
                .iter()
                .filter(|(taken, _)| (taken.model, taken.step) == place)
                .map(|(_, count)| *count)
                .sum();
            finds.push(self.find(kind, place, (fault.times, runs.max(fault.times)), &fault.ways));
        }
        let idle: Vec<(StepPlace, u64)> = self
            .watcher
            .effects
            .iter()
            .filter(|(place, count)| place.0 == focus && count.runs >= OFTEN && count.changes == 0)
            .map(|(place, count)| (*place, count.runs))
            .collect();
        for (place, runs) in idle {
            if self.shows_nothing(place) {
                continue;
            }
            let ways: Vec<Way> = self
                .ran
                .get(&place)
                .map(|(_, way)| way.clone())
                .into_iter()
                .collect();
            finds.push(self.find(FindKind::IdleEffect, place, (runs, runs), &ways));
        }
        finds
    }

    fn find(&self, kind: FindKind, place: StepPlace, times: (u64, u64), ways: &[Way]) -> FuzzFind {
        let card = self.game.model(place.0);
        let statement = card
            .program
            .as_ref()
            .and_then(|program| program.statement_at(place.1));
        let trace = FindTrace {
            kind,
            place,
            name: &card.name,
        };
        FuzzFind {
            kind,
            model: Some(place.0),
            statement: statement.unwrap_or_default(),
            times,
            scenario: shortest(self.game, &trace, ways),
        }
    }

    /// Whether an effect works without an event of its own: what it changes is asked for, or other statements
    /// do it.
    fn shows_nothing(&self, place: StepPlace) -> bool {
        let Some(program) = &self.game.model(place.0).program else {
            return true;
        };
        let Some(Op::Effect(effect)) = program.ops.get(usize::from(place.1)) else {
            return true;
        };
        match &program.effects[usize::from(*effect)].effect.kind {
            RuleEffectKind::Command(command) => matches!(
                command,
                Command::ModCost { .. }
                    | Command::ModDamage { .. }
                    | Command::Activate { .. }
                    | Command::Each { .. }
                    | Command::Clear
            ),
            RuleEffectKind::Grant(keyword) | RuleEffectKind::Remove(keyword) => {
                self.watcher.keywords.contains(&(place.0, *keyword))
            }
        }
    }
}

impl Campaign {
    /// Why a statement or branch of the card never ran, in words.
    pub(crate) fn why_not(
        &self,
        game: &Game,
        model: ModelId,
        point: &Point,
        taken: &BTreeSet<TakenStep>,
    ) -> String {
        let Some(program) = &game.model(model).program else {
            return String::new();
        };
        let of_card = |step: u16| {
            taken
                .iter()
                .filter(move |one| one.model == model && one.step == step)
                .map(|one| (one.result, self.results.get(one).copied().unwrap_or_default()))
        };
        let start = start_of(program, point.step);
        let mut reached = (start..=point.step)
            .rev()
            .filter(|step| of_card(*step).next().is_some());
        let Some(last) = reached.next() else {
            return "nothing of it ever began: no card, cost or event led there".to_owned();
        };
        let results: Vec<String> = of_card(last).map(|(result, count)| said(result, count)).collect();
        let what = match &program.ops[usize::from(last)] {
            Op::If { condition, .. } => {
                let formula = program.rule.formulas.get(usize::from(condition.0));
                format!("`{}`", formula.map_or("the condition", |formula| &formula.text))
            }
            Op::Effect(_) => format!("`{}`", program.describe(last).unwrap_or_default()),
            Op::To(_) => "its targets".to_owned(),
            _ => "what stands before it".to_owned(),
        };
        if last == point.step
            && let Goal::Is(_) = point.goal
        {
            return format!("{what} {}", results.join(", "));
        }
        format!("it came as far as {what}: {}", results.join(", "))
    }
}

/// Where the action or auto begins that a step belongs to.
fn start_of(program: &Program, step: u16) -> u16 {
    let autos = program.autos.iter().map(|auto| auto.start);
    let starts = program.actions.iter().copied().chain(autos);
    starts.filter(|start| *start <= step).max().unwrap_or_default()
}

fn said(result: StepResult, count: u64) -> String {
    let what = match result {
        StepResult::Condition(true) => "was true",
        StepResult::Condition(false) => "was false",
        StepResult::Targets(_) => "found targets",
        StepResult::NoTargets => "found no targets",
        StepResult::Effect(true) => "was done",
        StepResult::Effect(false) => "did not succeed",
        StepResult::Skipped => "was skipped",
        StepResult::Paid => "the costs were paid",
        StepResult::Unpaid => "the costs could not be paid",
        StepResult::Reverted => "was taken back",
    };
    match count {
        0 => what.to_owned(),
        1 => format!("{what} once"),
        count => format!("{what} {count} times"),
    }
}
