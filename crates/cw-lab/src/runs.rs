//! Runs played by computers: how many get past each step.

use std::ops::ControlFlow;
use std::sync::Arc;

use anyhow::bail;
use cw_duel::{Duel, DuelOutcome, DuelSetup, PerSeat, Seat};
use cw_players::{Ask, Level, Lists, Player, PlayerAnswer, SearchBudget, SeatEyes, players_seed, seed_of};
use cw_program::ModelId;
use cw_run::{Run, RunAct, RunBook, RunDuel, RunHabit, RunSeed};
use cw_stats::Interval;

use crate::contestant::{Contestant, Seated};
use crate::crew::{Crew, MachineSettings};
use crate::open::values;
use crate::summary::CONFIDENCE;

/// What simulated runs came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunSurvival {
    /// How many runs were played.
    pub runs: u64,
    /// By step.
    pub steps: Vec<StepSurvival>,
    /// Runs by the lives that were left in the end.
    pub lives: Vec<u64>,
}

/// What simulated runs came to at one step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StepSurvival {
    /// Runs that came to it.
    pub reached: u64,
    /// Runs that got past it.
    pub survived: u64,
    /// Duels that were played there.
    pub duels: u64,
    /// Turns of those duels.
    pub turns: u64,
    /// By foe, in the order of the book: duels against them here, and how many of those were won.
    pub foes: Vec<[u64; 2]>,
}

impl StepSurvival {
    /// The share of all `runs` that got past it.
    pub fn share(&self, runs: u64) -> f64 {
        ratio(self.survived, runs)
    }

    /// Where that share may lie.
    pub fn interval(&self, runs: u64) -> Interval {
        #[expect(clippy::cast_precision_loss, reason = "counts of runs are far below 2^52")]
        let (survived, runs) = (self.survived as f64, runs as f64);
        cw_stats::wilson(survived, runs, CONFIDENCE)
    }

    /// The share of the duels here that were won.
    pub fn won(&self) -> f64 {
        ratio(self.survived, self.duels)
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of duels are far below 2^52")]
fn ratio(part: u64, whole: u64) -> f64 {
    part as f64 / whole.max(1) as f64
}

/// One run, played to its end.
#[derive(Clone, Debug)]
struct PlayedRun {
    run: Run,
    /// Turns of its duels, in their order.
    turns: Vec<u16>,
}

/// Plays runs with the seeds from `first_seed` on: the player plays the duels, and [`RunHabit`] decides
/// between them. What comes out does not depend on the machine, and the first of many runs are those of few.
///
/// # Errors
/// If the player cannot be started, a duel cannot begin, or who looks on ends it.
pub fn simulate_runs(
    book: &Arc<RunBook>,
    player: &Contestant,
    runs: u64,
    first_seed: u64,
    lists: &[Vec<ModelId>],
    here: &MachineSettings<'_>,
) -> anyhow::Result<RunSurvival> {
    let crew = Crew {
        contestants: [player; 2],
        game: &book.game,
        here: *here,
        timed: false,
    };
    let budget = player.budget(None);
    let mut survival = RunSurvival {
        steps: vec![
            StepSurvival {
                foes: vec![[0; 2]; book.foes.len()],
                ..StepSurvival::default()
            };
            book.steps.len()
        ],
        lives: vec![0; book.lives + 1],
        ..RunSurvival::default()
    };
    here.watch.begins(runs);
    let worked = crew.work(
        runs,
        |at, one, _| play_run(book, first_seed.wrapping_add(at), one, budget, lists),
        |at, played| {
            survival.add(&played?);
            here.watch.done(at + 1, &|| survival.so_far());
            Ok(ControlFlow::Continue(()))
        },
    );
    here.watch.ends();
    worked?;
    Ok(survival)
}

impl RunSurvival {
    fn add(&mut self, played: &PlayedRun) {
        let run = &played.run;
        self.runs += 1;
        self.lives[run.lives()] += 1;
        for (at, step) in self.steps.iter_mut().enumerate() {
            step.reached += u64::from(at == 0 || run.step() >= at);
            step.survived += u64::from(run.step() > at);
        }
        for (duel, turns) in run.fought().iter().zip(&played.turns) {
            let step = &mut self.steps[duel.step];
            step.duels += 1;
            step.turns += u64::from(*turns);
            step.foes[duel.foe][0] += 1;
            step.foes[duel.foe][1] += u64::from(duel.won);
        }
    }

    fn so_far(&self) -> String {
        let shares = self
            .steps
            .iter()
            .map(|step| format!("{:.0}", step.share(self.runs) * 100.0));
        format!("% past each step: {}", shares.collect::<Vec<_>>().join(" "))
    }
}

fn play_run(
    book: &Arc<RunBook>,
    seed: u64,
    player: &mut Seated,
    budget: SearchBudget,
    lists: &[Vec<ModelId>],
) -> anyhow::Result<PlayedRun> {
    let mut run = Run::new(Arc::clone(book), RunSeed::Number(seed));
    let mut habit = RunHabit::new(seed);
    let mut turns = Vec::new();
    while !run.is_over() {
        let act = match run.duel() {
            Some(duel) => {
                let (won, lasted) = play_duel(book, &duel, player, budget, lists)?;
                turns.push(lasted);
                if won { RunAct::Won } else { RunAct::Lost }
            }
            None => habit.act(&run).unwrap_or(RunAct::GiveUp),
        };
        if let Err(why) = run.act(act) {
            bail!("a simulated run came to `{act}`, which is refused: {why}");
        }
    }
    Ok(PlayedRun { run, turns })
}

/// Whether the player has won, and after how many turns.
fn play_duel(
    book: &RunBook,
    duel: &RunDuel,
    player: &mut Seated,
    budget: SearchBudget,
    lists: &[Vec<ModelId>],
) -> anyhow::Result<(bool, u16)> {
    let mut foe = Level::named(&duel.level).unwrap_or(Level::BEST);
    let own_values = values(&book.game);
    let setup = DuelSetup {
        allow_illegal_decks: true,
        ..DuelSetup::from(duel.seed)
    };
    let mut table = Duel::new(Arc::clone(&duel.game), &duel.decks, setup)?;
    player.begins(Seat::One);
    let (mut asked, players) = (PerSeat([0, 0]), players_seed(duel.seed));
    while let Some(eyes) = SeatEyes::of_who_is_asked(&table) {
        let seat = eyes.decision().seat;
        // Nobody knows the other's deck, as at a table.
        let eyes = eyes.knowing(Lists::Closed(lists));
        let ask = eyes.ask(seed_of(players, seat, asked[seat]));
        asked[seat] += 1;
        let answer = match seat {
            Seat::One => player.answer(&Ask { budget, ..ask }),
            Seat::Two => foe.answer(&Ask {
                budget: foe.budget(),
                values: own_values.as_deref(),
                ..ask
            }),
        };
        match answer {
            PlayerAnswer::Choice(choice) => table.answer_silently(choice)?,
            PlayerAnswer::GiveUp => table.forfeit(seat, &mut cw_duel::Silent),
        }
    }
    player.ends(table.outcome());
    let won = matches!(
        table.outcome(),
        Some(DuelOutcome::Won {
            winner: Seat::One,
            ..
        })
    );
    Ok((won, table.turn()))
}
