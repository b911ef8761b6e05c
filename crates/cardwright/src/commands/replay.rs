//! `cardwright replay`: runs a recorded duel again, verifies it, shows it at any choice, and goes on
//! from there.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, bail};
use cw_duel::{Game, PerSeat, Seat};
use cw_program::ModelId;
use cw_wire::{DuelTimeline, Recorder, Replay};
use cw_words::EventReader;

use crate::commands::duel::read;
use crate::commands::play::{SeatPlayerArg, cannot_record};
use crate::game;
use crate::log::AnswerLog;
use crate::output::{raw, say};
use crate::prompt;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The record, as `cardwright play --record` wrote it
    file: PathBuf,
    /// Folder or .o8g of the game that was played [default: the one you are in, or the demo game]
    #[arg(long, value_name = "PATH")]
    game: Option<PathBuf>,
    /// Print the log of the duel
    #[arg(long)]
    log: bool,
    /// Stop before this choice, counted from 0; negative numbers count from the end
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    at: Option<i64>,
    /// Print the complete state there as JSON
    #[arg(long, conflicts_with_all = ["view", "to_scenario", "continue_"])]
    json: bool,
    /// Print what this player sees there as JSON
    #[arg(
        long,
        value_name = "SEAT",
        value_parser = clap::value_parser!(u8).range(1..=2),
        conflicts_with_all = ["to_scenario", "continue_"]
    )]
    view: Option<u8>,
    /// Print a scenario file that leads to this choice and makes it
    #[arg(long, conflicts_with = "continue_")]
    to_scenario: bool,
    /// Continue playing from there, at the line prompt
    #[arg(long = "continue", id = "continue_")]
    go_on: bool,
    /// Who continues for player 1
    #[arg(long, default_value = "human", requires = "continue_")]
    seat1: SeatPlayerArg,
    /// Who continues for player 2
    #[arg(long, default_value = "computer", requires = "continue_")]
    seat2: SeatPlayerArg,
    /// Write a record of the continued duel
    #[arg(long, value_name = "FILE", requires = "continue_")]
    record: Option<PathBuf>,
    /// Print only the result of the continued duel
    #[arg(long, short, requires = "continue_")]
    quiet: bool,
}

pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    if let Some(record) = super::free::record(&args.file) {
        return free(&args, &record);
    }
    let replay = read(&args.file)?;
    let (loaded, game) = game::open(args.game.as_deref())?;
    let path = args.file.display();
    if args.log {
        let mut log = AnswerLog::default();
        let choices = args
            .at
            .map_or(Ok(usize::MAX), |at| place_of(at, replay.moves.len()))?;
        let duel = replay
            .play(&game, choices, &mut log)
            .with_context(|| format!("cannot replay “{path}”"))?;
        log.print(&duel, None);
    }
    let timeline = DuelTimeline::of(&replay, &game).with_context(|| format!("cannot replay “{path}”"))?;
    let at = args
        .at
        .map_or(Ok(timeline.len()), |at| place_of(at, timeline.len()))?;
    if args.go_on {
        let table = table(&args, &replay, game::lists(&loaded), &game)?;
        return go_on(&args, &replay, &timeline, at, table);
    }
    if args.to_scenario {
        return to_scenario(&args, &timeline, at);
    }
    let duel = timeline.at(at);
    let value = match args.view {
        Some(seat) => Some(cw_wire::view_json(&duel, Seat::from_index(usize::from(seat) - 1))),
        None => args.json.then(|| cw_scenario::state(&duel)),
    };
    if let Some(value) = value {
        say!(
            "{}",
            serde_json::to_string_pretty(&value).expect("texts and numbers are always JSON")
        );
        return Ok(ExitCode::SUCCESS);
    }
    let result = replay.result.as_deref().unwrap_or("not finished");
    say!(
        "{} verified, state {}, {result}",
        crate::output::count(replay.moves.len(), "choice"),
        timeline.now().hash()
    );
    if let Some(made) = &replay.shuffle {
        say!(
            "the shuffle was agreed on: the host was bound by {}, and the seed follows from all parts",
            made.commitment()
        );
    }
    if args.at.is_some() {
        say!("{}", what_waits(&timeline, at));
    }
    Ok(ExitCode::SUCCESS)
}

/// Plays the record of a free table again (F223).
fn free(args: &Args, record: &str) -> anyhow::Result<ExitCode> {
    let duels_only =
        args.log || args.at.is_some() || args.json || args.view.is_some() || args.to_scenario || args.go_on;
    if duels_only {
        bail!("this is the record of a free table: it is verified only; go on with `play --free --resume`");
    }
    let Some(game) = &args.game else {
        bail!("this is the record of a free table: name its package with --game");
    };
    super::free::verify(game, &args.file, record)
}

/// Which choice is meant: from 0, or from the end.
pub(crate) fn place_of(at: i64, choices: usize) -> anyhow::Result<usize> {
    let from_start = if at < 0 {
        i64::try_from(choices).unwrap_or(i64::MAX).saturating_add(at)
    } else {
        at
    };
    match usize::try_from(from_start) {
        Ok(place) if place <= choices => Ok(place),
        _ => bail!("there is no choice {at}: the record has {choices}"),
    }
}

/// The question at a choice, and what was answered.
fn what_waits(timeline: &DuelTimeline, at: usize) -> String {
    let duel = timeline.at(at);
    let reader = EventReader {
        duel: &duel,
        seat: None,
    };
    let Some(decision) = duel.pending() else {
        return format!("At {at} the duel is over.");
    };
    let who = decision.seat.index() + 1;
    let question = cw_words::question(reader, decision);
    let answered = match timeline.taken().get(at).map(|taken| taken.act) {
        Some(cw_wire::TimelineAct::Chose(choice)) => {
            format!(
                "; the answer was “{}”",
                cw_words::choice(reader, decision, choice)
            )
        }
        Some(cw_wire::TimelineAct::GaveUp(_)) => "; the answer was to give up".to_owned(),
        Some(cw_wire::TimelineAct::AgreedDraw(_)) => "; the players agreed to a draw".to_owned(),
        Some(cw_wire::TimelineAct::Reseeded(..)) => {
            "; before the answer the cards nobody had seen are shuffled again".to_owned()
        }
        None => String::new(),
    };
    format!("At {at} player {who} is asked: {question}{answered}.")
}

/// Who plays on.
fn table(
    args: &Args,
    replay: &Replay,
    lists: Vec<Vec<ModelId>>,
    game: &Arc<Game>,
) -> anyhow::Result<prompt::PromptTable> {
    let seats = PerSeat([args.seat1.clone(), args.seat2.clone()]);
    prompt::PromptTable::new(&seats, replay.seed, args.quiet, lists, game)
}

fn go_on(
    args: &Args,
    replay: &Replay,
    timeline: &DuelTimeline,
    at: usize,
    mut table: prompt::PromptTable,
) -> anyhow::Result<ExitCode> {
    let mut timeline = timeline.branch(at);
    let finished = table.play(&mut timeline, &mut AnswerLog::default())?;
    table.tell_faults();
    if let Some(path) = &args.record {
        let record = Recorder::resume(replay, 0).replay_of(&timeline);
        cw_files::write(path, record.write().as_bytes()).with_context(|| cannot_record(path))?;
    }
    Ok(prompt::end(&timeline, finished))
}

fn to_scenario(args: &Args, timeline: &DuelTimeline, at: usize) -> anyhow::Result<ExitCode> {
    let file = args.file.file_name().unwrap_or_default().to_string_lossy();
    let name = format!("{file}, choice {at}");
    // One choice is made, so that there is something to expect.
    let at = at.min(timeline.len().saturating_sub(1));
    let states: Vec<_> = (0..=at + 1).map(|place| timeline.at(place)).collect();
    let acts = timeline.taken().iter().take(at + 1).map(|taken| match taken.act {
        cw_wire::TimelineAct::Chose(choice) => Some(choice),
        cw_wire::TimelineAct::GaveUp(_)
        | cw_wire::TimelineAct::AgreedDraw(_)
        | cw_wire::TimelineAct::Reseeded(..) => None,
    });
    let choices: Option<Vec<_>> = acts.collect();
    let Some(choices) = choices.filter(|choices| !choices.is_empty()) else {
        bail!(
            "there is no choice to make a scenario from: somebody gave up, agreed to a draw \
             or took something back before, or the record is empty"
        );
    };
    let text = cw_scenario::cut(&states, &choices, &name)?;
    if let Some(folder) = &args.game {
        raw(&format!("game = {:?}\n\n", folder.display().to_string()));
    }
    raw(&text);
    Ok(ExitCode::SUCCESS)
}
