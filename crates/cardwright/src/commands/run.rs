//! `cardwright run`: a run at the line prompt, or many by computers.

mod simulate;
mod words;

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context as _, bail};
use cw_duel::{Duel, DuelOutcome, DuelSetup, PerSeat, Seat};
use cw_lab::Contestant;
use cw_load::Loaded;
use cw_players::Level;
use cw_run::{Run, RunAct, RunBook, RunPhase, RunSeed};
use cw_wire::DuelTimeline;

use super::play::SeatPlayerArg;
use crate::game;
use crate::log::AnswerLog;
use crate::output::{self, note, say};
use crate::prompt::PromptTable;

/// Play a run: draft a few cards, then win one duel after another
///
/// You begin with a starter deck and draft cards from packs. On the way, two opponents wait at each step:
/// beat one of them and choose a reward (a card, a card less, or a charm, which changes the rules a little).
/// Some opponents are bosses with a rule of their own. A duel that you do not win costs a life.
///
/// The same seed gives the same packs, opponents and shuffles; without one, it is the run of today's date
/// (UTC), which is the same for everybody. A package may describe its run in `Rules/run.toml`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Which run: a date, as in 2026-11-27, or a number [default: today]
    seed: Option<RunSeed>,
    /// Folder or .o8g of the game [default: the one you are in, or the demo game]
    #[arg(long, value_name = "PATH")]
    game: Option<PathBuf>,
    /// Keep the run in this file after each step; if the file exists, continue that run
    #[arg(long, value_name = "FILE", conflicts_with_all = ["from", "simulate"])]
    keep: Option<PathBuf>,
    /// Continue from the text of a run, as this command prints it at the end
    #[arg(long, value_name = "TEXT", conflicts_with_all = ["seed", "simulate"])]
    from: Option<String>,
    /// Show the way and the state of the run, and stop
    #[arg(long, conflicts_with = "simulate")]
    show: bool,
    /// Let computers play so many runs, and report how many get past each step
    #[arg(long, value_name = "RUNS", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    simulate: Option<u64>,
    /// The level that plays the simulated runs, perhaps with its number of playouts (easy@500)
    #[arg(long, value_name = "PLAYER", default_value = "normal", requires = "simulate")]
    player: Contestant,
    /// How many duels to play at the same time [default: the number of processors]
    #[arg(
        long,
        value_name = "N",
        requires = "simulate",
        value_parser = clap::value_parser!(u16).range(1..=1024)
    )]
    threads: Option<u16>,
    /// Print one JSON object
    #[arg(long, requires = "simulate")]
    json: bool,
}

pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    let (loaded, _) = game::open(args.game.as_deref())?;
    game::refuse_rule_errors(&loaded)?;
    let mistakes = loaded.project.run_mistakes();
    if !mistakes.is_empty() {
        let found: Vec<cw_text::Diagnostic> = mistakes.into_iter().cloned().collect();
        output::findings(&loaded.project.package.sources, &found);
    }
    let book = Arc::new(RunBook::of(&loaded)?);
    if let Some(runs) = args.simulate {
        return simulate::run(&loaded, &book, runs, &args);
    }
    let mut table = RunPrompt {
        loaded: &loaded,
        run: begin(&book, &args)?,
        keep: args.keep.as_deref(),
    };
    // Whoever cannot write it down is told before the first card, not after the last one.
    table.keep()?;
    words::greet(&table.run);
    if args.show {
        words::standing(&table.run);
        return Ok(ExitCode::SUCCESS);
    }
    table.play()
}

/// The run that is meant: one that was kept, one whose text is given, or a new one.
fn begin(book: &Arc<RunBook>, args: &Args) -> anyhow::Result<Run> {
    if let Some(text) = &args.from {
        return Run::read(Arc::clone(book), text.trim())
            .with_context(|| format!("“{}” is not a run of this game", shortened(text)));
    }
    if let Some(path) = args.keep.as_deref().filter(|path| path.exists()) {
        let shown = path.display();
        let text =
            cw_files::read_text(path, cw_files::RUN).with_context(|| format!("cannot read “{shown}”"))?;
        let kept = Run::read(Arc::clone(book), text.trim())
            .with_context(|| format!("“{shown}” does not hold a run of this game; name another file"))?;
        if args.seed.is_some_and(|seed| seed != kept.seed()) {
            bail!(
                "“{shown}” holds the run {}; \
                 name another file for a new run, or leave the seed out to continue",
                kept.seed()
            );
        }
        return Ok(kept);
    }
    Ok(Run::new(Arc::clone(book), args.seed.unwrap_or_else(today)))
}

fn shortened(text: &str) -> String {
    text.chars().take(40).collect()
}

/// The run of today. The engine of runs has no clock: the day is handed in.
fn today() -> RunSeed {
    let since = std::time::SystemTime::UNIX_EPOCH.elapsed();
    RunSeed::of_time(since.map_or(0, |since| since.as_secs()))
}

/// A run at the prompt.
struct RunPrompt<'a> {
    loaded: &'a Loaded,
    run: Run,
    keep: Option<&'a Path>,
}

/// What somebody answers.
enum RunAnswer {
    Act(RunAct),
    /// The input has ended, or they want to go on another time.
    Later,
}

impl RunPrompt<'_> {
    fn play(&mut self) -> anyhow::Result<ExitCode> {
        loop {
            let answer = match self.run.phase().clone() {
                RunPhase::Over { won } => {
                    words::ending(&self.run, won);
                    return Ok(ExitCode::SUCCESS);
                }
                RunPhase::Duel { .. } => self.duel()?,
                RunPhase::Draft { pack, cards, left } => {
                    words::pack(&self.run, pack, &cards, left);
                    ask("Which card?", |word| place(word, cards.len()).map(RunAct::Pick))?
                }
                RunPhase::Way => {
                    words::way(&self.run);
                    ask("Whom do you challenge? (deck: your cards)", |word| {
                        place(word, 2).map(RunAct::Fight)
                    })
                    .and_then(|answer| self.unless_deck(answer))?
                }
                RunPhase::Reward { card, charm } => {
                    words::rewards(&self.run, card, charm);
                    self.reward(card.is_some(), charm.is_some())?
                }
            };
            match answer {
                Some(RunAnswer::Act(act)) => match self.run.act(act) {
                    Ok(()) => self.keep()?,
                    Err(why) => say!("That cannot be done: {why}."),
                },
                Some(RunAnswer::Later) => {
                    say!("\nTo continue: cardwright run --from {}", self.run.record());
                    return Ok(ExitCode::SUCCESS);
                }
                // Something was shown; the question is asked again.
                None => {}
            }
        }
    }

    fn unless_deck(&self, answer: Option<RunAnswer>) -> anyhow::Result<Option<RunAnswer>> {
        if answer.is_none() {
            words::deck(&self.run);
        }
        Ok(answer)
    }

    fn reward(&self, card: bool, charm: bool) -> anyhow::Result<Option<RunAnswer>> {
        let can_remove = self.run.can_remove();
        let answer = ask("Which reward? (1, 2 or 3)", |word| match word {
            "1" if card => Some(RunAct::TakeCard),
            "2" if can_remove => Some(RunAct::Remove(0)),
            "3" if charm => Some(RunAct::TakeCharm),
            _ => None,
        })?;
        let Some(RunAnswer::Act(RunAct::Remove(_))) = answer else {
            return self.unless_deck(answer);
        };
        words::deck(&self.run);
        let many = self.run.cards().len();
        ask("Which card leaves your deck? (another answer: back)", |word| {
            place(word, many).map(RunAct::Remove)
        })
    }

    /// Plays the duel that waits.
    fn duel(&self) -> anyhow::Result<Option<RunAnswer>> {
        let Some(duel) = self.run.duel() else {
            return Ok(None);
        };
        words::before(&self.run, &duel);
        let level = Level::named(&duel.level).unwrap_or(Level::BEST);
        let seats = PerSeat([SeatPlayerArg::Human, SeatPlayerArg::Player(level.into())]);
        let setup = DuelSetup {
            allow_illegal_decks: true,
            ..DuelSetup::from(duel.seed)
        };
        let mut log = AnswerLog::default();
        let begun = Duel::new_with(Arc::clone(&duel.game), &duel.decks, setup, &mut log)?;
        let lists = game::lists(self.loaded);
        let mut table = PromptTable::new(&seats, duel.seed, false, lists, &duel.game)?;
        let mut timeline = DuelTimeline::new(begun);
        if !table.play(&mut timeline, &mut log)? {
            note("the input ended before the duel was over; it begins again next time");
            return Ok(Some(RunAnswer::Later));
        }
        let outcome = timeline.now().outcome();
        let won = matches!(
            outcome,
            Some(DuelOutcome::Won {
                winner: Seat::One,
                ..
            })
        );
        words::after(&self.run, &duel, won);
        Ok(Some(RunAnswer::Act(if won { RunAct::Won } else { RunAct::Lost })))
    }

    fn keep(&self) -> anyhow::Result<()> {
        let Some(path) = self.keep else { return Ok(()) };
        let text = format!("{}\n", self.run.record());
        cw_files::write(path, text.as_bytes())
            .with_context(|| format!("cannot write to “{}”", path.display()))
    }
}

fn place(word: &str, many: usize) -> Option<usize> {
    let number: usize = word.parse().ok()?;
    (1..=many).contains(&number).then(|| number - 1)
}

/// Asks until the answer is one; none for `deck` and anything else that is not understood.
fn ask(question: &str, read: impl Fn(&str) -> Option<RunAct>) -> anyhow::Result<Option<RunAnswer>> {
    output::raw(&format!("{question} [later, give up] "));
    let _ = io::stdout().flush();
    let mut line = Vec::new();
    let bytes = cw_files::read_line(&mut io::stdin().lock(), &mut line, cw_files::ANSWER);
    if bytes.context("cannot read the answer")? == 0 {
        say!("");
        return Ok(Some(RunAnswer::Later));
    }
    let line = String::from_utf8_lossy(&line);
    Ok(match line.trim() {
        "later" => Some(RunAnswer::Later),
        "give up" => Some(RunAnswer::Act(RunAct::GiveUp)),
        word => read(word).map(RunAnswer::Act),
    })
}
