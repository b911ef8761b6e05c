//! Scenarios at the table: positions to play from, puzzles, and lessons with a coach.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use cw_duel::{Choice, Duel, DuelEvent, Game, Seat};
use cw_octgn::{FilesError, PackageFiles};
use cw_run::RunSeed;
use cw_scenario::{RunOptions, Scenario, ScenarioFault};

/// What stands before the day in the name of its puzzle.
const DAY_PUZZLE: &str = "Puzzle of ";

/// A scenario that can be played.
#[derive(Clone, Debug)]
pub struct ScenarioStage {
    /// The text of its file, which is how a store keeps it.
    pub text: Arc<str>,
    /// Its place in the file.
    pub index: usize,
    scenario: Scenario,
    game: Arc<Game>,
    /// What the steps choose; they run when that is asked for the first time, since most stages of a shelf
    /// are only listed.
    script: OnceLock<StageScript>,
    /// Whether a coach leads through the steps.
    lesson: bool,
    /// Whether the table begins where the steps end.
    pub played: bool,
}

/// What a scenario's steps choose, and what a coach says to it.
#[derive(Clone, Debug, Default)]
struct StageScript {
    /// The choices of both players, in order.
    cues: Vec<Cue>,
    /// What the coach says when the script has ended.
    farewell: Option<String>,
}

/// What a shelf lists together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ShelfGroup {
    Lessons,
    /// Puzzles by how hard they are; those whose file does not say so come first.
    Puzzles(Option<u8>),
    Positions,
}

/// The stages of a shelf in groups, lessons first; each with its place on the shelf.
pub(crate) fn in_groups(shelf: &[Arc<ScenarioStage>]) -> BTreeMap<ShelfGroup, Vec<(usize, &ScenarioStage)>> {
    let mut groups: BTreeMap<ShelfGroup, Vec<(usize, &ScenarioStage)>> = BTreeMap::new();
    for (at, stage) in shelf.iter().enumerate() {
        groups.entry(stage.group()).or_default().push((at, stage));
    }
    groups
}

/// Lessons and puzzles of a game: its scenario files in `Lessons`, in the order of their names. The words say
/// which are left out, and why.
///
/// # Errors
/// If the files cannot be had any more.
pub fn shelf(
    files: &dyn PackageFiles,
    game: &Arc<Game>,
) -> Result<(Vec<Arc<ScenarioStage>>, Vec<String>), FilesError> {
    const MOST: u64 = 1 << 20;
    let (mut shelf, mut left_out) = (Vec::new(), Vec::new());
    for name in files.list()? {
        if !name.starts_with("Lessons/") || !name.ends_with(".toml") {
            continue;
        }
        let text = String::from_utf8_lossy(&files.read(&name, MOST)?).into_owned();
        match ScenarioStage::read(&text, game) {
            Ok(stages) => shelf.extend(stages),
            Err(fault) => left_out.push(format!("{name} is left out: {}", fault.message)),
        }
    }
    Ok((shelf, left_out))
}

/// One choice of a lesson.
#[derive(Clone, Debug)]
pub(crate) struct Cue {
    pub(crate) choice: Choice,
    /// What the coach says before it.
    pub(crate) says: Option<String>,
}

impl ScenarioStage {
    /// The scenarios of a file, in its order. One whose steps have notes is a lesson: the coach
    /// says them, and both players follow the steps. One with a goal is a puzzle.
    ///
    /// # Errors
    /// The first fault of the file, or of a position in it.
    pub fn read(text: &str, game: &Arc<Game>) -> Result<Vec<Arc<ScenarioStage>>, ScenarioFault> {
        let text: Arc<str> = text.into();
        let file = cw_scenario::read(&text)?;
        let stages = file.scenarios.into_iter().map(|scenario| {
            cw_scenario::check(&scenario, game)?;
            Ok(Arc::new(ScenarioStage::new(Arc::clone(&text), scenario, game)))
        });
        stages.collect()
    }

    fn new(text: Arc<str>, scenario: Scenario, game: &Arc<Game>) -> ScenarioStage {
        ScenarioStage {
            text,
            index: scenario.index,
            lesson: scenario.goal.is_none() && scenario.steps.iter().any(|step| step.note.is_some()),
            scenario,
            game: Arc::clone(game),
            script: OnceLock::new(),
            played: false,
        }
    }

    fn script(&self) -> &StageScript {
        self.script.get_or_init(|| {
            let mut script = StageScript::default();
            for step in cw_scenario::run(&self.scenario, &self.game, RunOptions::default()).steps {
                let note = step
                    .index
                    .and_then(|index| self.scenario.steps[index].note.clone());
                if step.answers.is_empty() {
                    script.farewell = note.or(script.farewell);
                    continue;
                }
                script.cues.extend(step.answers.iter().map(|answered| Cue {
                    choice: answered.choice,
                    says: note.clone(),
                }));
            }
            script
        })
    }

    /// The same scenario, with its steps taken already: the table begins where they end.
    #[must_use]
    pub fn after_its_steps(&self) -> ScenarioStage {
        ScenarioStage {
            lesson: false,
            played: true,
            ..self.clone()
        }
    }

    /// The same scenario from where it begins, without a coach.
    pub fn before_its_steps(&self) -> ScenarioStage {
        ScenarioStage {
            lesson: false,
            played: false,
            ..self.clone()
        }
    }

    /// What it is called.
    pub fn name(&self) -> &str {
        &self.scenario.name
    }

    /// What is to be reached before the turn ends, if it is a puzzle.
    pub fn goal(&self) -> Option<&str> {
        self.scenario.goal.as_deref()
    }

    /// The day whose puzzle it is, if it is one of a day.
    pub fn day(&self) -> Option<RunSeed> {
        self.goal()?;
        let day = self.name().strip_prefix(DAY_PUZZLE)?.parse().ok()?;
        matches!(day, RunSeed::Day(_)).then_some(day)
    }

    /// The puzzle of a day: the same one wherever it is made. Nothing if the game has too few cards for one.
    pub fn of_day(day: RunSeed, game: &Arc<Game>) -> Option<Arc<ScenarioStage>> {
        let RunSeed::Day(number) = day else { return None };
        let made = cw_scenario::puzzle_for(game, u64::from(number), &format!("{DAY_PUZZLE}{day}"))?;
        // What was made is read as any file: a lesson or a link could bring it, too.
        ScenarioStage::read(&made.text, game).ok()?.into_iter().next()
    }

    /// How hard a puzzle is, if its file says so.
    pub(crate) fn grade(&self) -> Option<u8> {
        self.scenario.grade
    }

    /// Where a shelf lists it.
    fn group(&self) -> ShelfGroup {
        match (self.goal(), self.lesson) {
            (Some(_), _) => ShelfGroup::Puzzles(self.grade()),
            (None, true) => ShelfGroup::Lessons,
            (None, false) => ShelfGroup::Positions,
        }
    }

    /// Whether a coach leads through it.
    pub fn is_lesson(&self) -> bool {
        self.lesson
    }

    /// Whether its steps show how it is done.
    pub fn has_solution(&self) -> bool {
        !self.script().cues.is_empty()
    }

    /// What comes after it on a shelf: the next of its kind, and after the last lesson the first puzzle.
    pub fn next_on(&self, shelf: &[Arc<ScenarioStage>]) -> Option<Arc<ScenarioStage>> {
        let puzzle = |stage: &&Arc<ScenarioStage>| stage.goal().is_some();
        let mut later = shelf
            .iter()
            .skip_while(|stage| stage.name() != self.name())
            .skip(1);
        let next = match self.goal() {
            Some(_) => later.find(puzzle),
            None => later.find(|stage| stage.is_lesson()),
        };
        next.or_else(|| shelf.iter().find(puzzle)).cloned()
    }

    /// What people are told at the beginning.
    pub(crate) fn note(&self) -> Option<&str> {
        self.scenario.note.as_deref()
    }

    /// The scripted choice after so many choices.
    pub(crate) fn cue(&self, after: usize) -> Option<&Cue> {
        let cues = self.lesson.then(|| &self.script().cues)?;
        cues.get(after)
    }

    /// What the steps choose, if the table is to begin behind them.
    pub(crate) fn choices(&self) -> impl Iterator<Item = Choice> {
        let script = self.played.then(|| self.script());
        script
            .into_iter()
            .flat_map(|script| script.cues.iter().map(|cue| cue.choice))
    }

    /// What the coach says after so many choices.
    pub(crate) fn coach(&self, after: usize) -> Option<&str> {
        if !self.lesson {
            return None;
        }
        let StageScript { cues, farewell } = self.script();
        match cues.get(after) {
            Some(cue) => cue.says.as_deref(),
            None => farewell.as_deref().filter(|_| after == cues.len()),
        }
    }

    /// The duel at the beginning, and how it came to its first question.
    pub(crate) fn begin(&self, game: &Arc<Game>) -> Result<(Duel, Vec<DuelEvent>), ScenarioFault> {
        cw_scenario::begin(&self.scenario, game)
    }

    /// Whose view the scenario takes.
    pub const SEAT: Seat = Seat::One;
}
