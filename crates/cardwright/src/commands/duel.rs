//! `cardwright duel`: looks into a recorded duel.

mod thoughts;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, bail};
use cw_duel::{
    CardId, Choice, Duel, DuelEvent, DuelObject, FramePart, Game, Ledger, Seat, Sink, StatementsEnding,
    StepResult, TraceStep, TraceValue, Traced,
};
use cw_load::Loaded;
use cw_program::ModelId;
use cw_wire::{DuelTimeline, Replay, TimelineAct};
use cw_words::EventReader;
use serde_json::{Map, Value, json};

use crate::commands::replay::place_of;
use crate::game;
use crate::output::say;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: DuelCommand,
}

#[derive(Debug, clap::Subcommand)]
enum DuelCommand {
    /// Print what every statement did: conditions, targets, effects, success, variables
    Trace {
        /// The record
        file: PathBuf,
        #[command(flatten)]
        of: Of,
        /// Show only the consequences of this choice, counted from 0; negative numbers count from the end
        #[arg(long, value_name = "N", allow_hyphen_values = true)]
        at: Option<i64>,
    },
    /// Print every number that a player sees, and where it comes from
    Explain {
        /// The record
        file: PathBuf,
        #[command(flatten)]
        of: Of,
        /// Before which choice, counted from 0; negative numbers count from the end
        #[arg(long, value_name = "N", allow_hyphen_values = true)]
        at: Option<i64>,
        /// Which player
        #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=2))]
        seat: u8,
    },
    /// Show how a level rates the options of a choice: how often it tried each, and the chance of winning
    Think {
        /// The record
        file: PathBuf,
        #[command(flatten)]
        of: Of,
        /// Which choice, counted from 0; negative numbers count from the end
        #[arg(long, value_name = "N", allow_hyphen_values = true)]
        at: Option<i64>,
        #[command(flatten)]
        thinker: thoughts::Thinker,
    },
    /// Show how much each choice lowered the chance of winning, and the turning points
    Review {
        /// The record
        file: PathBuf,
        #[command(flatten)]
        of: Of,
        /// Show every choice, not only turning points
        #[arg(long)]
        all: bool,
        #[command(flatten)]
        thinker: thoughts::Thinker,
    },
    /// Print why a player cannot use its cards now, with the rules
    WhyNot {
        /// The record
        file: PathBuf,
        #[command(flatten)]
        of: Of,
        /// Stop before this choice, counted from 0; negative numbers count from the end
        #[arg(long, value_name = "N", allow_hyphen_values = true)]
        at: Option<i64>,
        /// The player whose cards are examined
        #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=2))]
        seat: u8,
    },
}

#[derive(Debug, clap::Args)]
struct Of {
    /// Folder or .o8g of the game that was played [default: the one you are in, or the demo game]
    #[arg(long, value_name = "PATH")]
    game: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    match args.what {
        DuelCommand::Trace { file, of, at } => trace(&open(&file, of)?, at),
        DuelCommand::Explain { file, of, at, seat } => explain(&open(&file, of)?, at, seat_of(seat)),
        DuelCommand::Think {
            file,
            of,
            at,
            thinker,
        } => thoughts::think(&open(&file, of)?, at, &thinker),
        DuelCommand::Review {
            file,
            of,
            all,
            thinker,
        } => thoughts::review(&open(&file, of)?, all, &thinker),
        DuelCommand::WhyNot { file, of, at, seat } => why_not(&open(&file, of)?, at, seat_of(seat)),
    }
}

fn seat_of(number: u8) -> Seat {
    Seat::from_index(usize::from(number) - 1)
}

/// A recorded duel with its game.
struct Recorded {
    loaded: Loaded,
    game: Arc<Game>,
    timeline: DuelTimeline,
    json: bool,
}

fn open(file: &Path, of: Of) -> anyhow::Result<Recorded> {
    let replay = read(file)?;
    let (loaded, game) = game::open(of.game.as_deref())?;
    let timeline =
        DuelTimeline::of(&replay, &game).with_context(|| format!("cannot replay “{}”", file.display()))?;
    Ok(Recorded {
        loaded,
        game,
        timeline,
        json: of.json,
    })
}

/// Reads a record.
pub(crate) fn read(file: &Path) -> anyhow::Result<Replay> {
    let path = file.display();
    let text = cw_files::read_text(file, cw_files::RECORD)
        .with_context(|| format!("cannot read the record “{path}”"))?;
    // The record of a free table is refused with words that say what takes it (F223).
    if cw_table::FreeRecord::is_one(&text) {
        bail!(
            "“{path}” is the record of a free table, not of a duel: use `replay` or `play --free --resume`"
        );
    }
    Replay::read(&text).with_context(|| format!("cannot use “{path}”"))
}

/// Keeps the trace, and nothing else.
#[derive(Default)]
struct TraceKeeper(Vec<Traced>);

impl Sink for TraceKeeper {
    fn event(&mut self, _: &DuelEvent) {}

    fn wants_trace(&self) -> bool {
        true
    }

    fn traced(&mut self, traced: &Traced) {
        // Conditions that are asked for every option come again and again.
        if traced.depth > 0 || self.0.last() != Some(traced) {
            self.0.push(traced.clone());
        }
    }
}

fn trace(recorded: &Recorded, at: Option<i64>) -> anyhow::Result<ExitCode> {
    let timeline = &recorded.timeline;
    let one = at.map(|at| place_of(at, timeline.len())).transpose()?;
    let mut duel = timeline.at(0);
    let mut told = Vec::new();
    for (number, taken) in timeline.taken().iter().enumerate() {
        let title = title(&duel, taken.seat, taken.act);
        let mut kept = TraceKeeper::default();
        taken.act.repeat(&mut duel, &mut kept);
        if kept.0.is_empty() || one.is_some_and(|one| one != number) {
            continue;
        }
        if recorded.json {
            let lines = kept.0.iter().map(|line| line_json(recorded, line));
            told.push(json!({
                "choice": number,
                "seat": taken.seat.index() + 1,
                "what": title,
                "turn": duel.turn(),
                "trace": lines.collect::<Vec<_>>(),
            }));
        } else {
            say!("{number:>4}  player {}: {title}", taken.seat.index() + 1);
            for line in &kept.0 {
                say!("      {}", line_words(recorded, line));
            }
        }
    }
    if recorded.json {
        print_json(&Value::from(told));
    }
    Ok(ExitCode::SUCCESS)
}

fn print_json(value: &Value) {
    let text = serde_json::to_string_pretty(value).expect("texts and numbers are always JSON");
    say!("{text}");
}

fn title(duel: &Duel, seat: Seat, act: TimelineAct) -> String {
    match (act, duel.pending()) {
        (TimelineAct::Chose(choice), Some(decision)) => {
            cw_words::choice(EventReader { duel, seat: None }, decision, choice)
        }
        (TimelineAct::Reseeded(..), _) => format!(
            "player {} took something back: the cards nobody had seen are shuffled again",
            seat.index() + 1
        ),
        (TimelineAct::AgreedDraw(_), _) => format!("player {} accepts a draw", seat.index() + 1),
        (TimelineAct::GaveUp(_) | TimelineAct::Chose(_), _) => {
            format!("player {} gives up", seat.index() + 1)
        }
    }
}

/// File, line and text of the statement at which a program stands.
fn statement(recorded: &Recorded, line: &Traced) -> Option<(String, usize, String)> {
    let rule = recorded.loaded.rules.get(&line.place.model)?;
    let span = recorded.game.statement_at(line.place)?;
    let source = recorded.loaded.project.package.sources.get(rule.file);
    let text = source.text.get(span.clone())?.trim();
    let first = text.lines().next().unwrap_or_default().trim_end();
    Some((
        source.name.clone(),
        source.text[..span.start].matches('\n').count() + 1,
        first.to_owned(),
    ))
}

fn line_words(recorded: &Recorded, line: &Traced) -> String {
    let name = |model: ModelId| recorded.game.model(model).name.to_string();
    let source = line.model(line.source).map_or_else(String::new, name);
    let indent = "  ".repeat(line.depth.saturating_sub(1));
    let mut words = format!("{indent}{source}: {}", step_words(line.step));
    let is_statement = matches!(line.step, TraceStep::Step(_) | TraceStep::Begins(_));
    if let Some((file, number, text)) = statement(recorded, line).filter(|_| is_statement) {
        words.push_str(&format!(" — {file}:{number} `{text}`"));
    }
    if !line.targets.is_empty() {
        words.push_str(&format!("; targets: {}", objects(recorded, line, &line.targets)));
    }
    for variable in &line.variables {
        let value = match &variable.value {
            TraceValue::Objects(list) => objects(recorded, line, list),
            TraceValue::Text(text) => text.clone(),
        };
        words.push_str(&format!("; {} = {value}", variable.name));
    }
    words
}

fn object(recorded: &Recorded, line: &Traced, object: DuelObject) -> String {
    match (object.as_card(), object.as_player()) {
        (Some(card), _) => {
            let model = line.model(card);
            model.map_or_else(String::new, |model| recorded.game.model(model).name.to_string())
        }
        (None, Some(seat)) => format!("player {}", seat.index() + 1),
        (None, None) => String::new(),
    }
}

fn objects(recorded: &Recorded, line: &Traced, list: &[DuelObject]) -> String {
    let words: Vec<String> = list.iter().map(|one| object(recorded, line, *one)).collect();
    words.join(", ")
}

fn line_json(recorded: &Recorded, line: &Traced) -> Value {
    let name = |model: ModelId| recorded.game.model(model).name.to_string();
    let all = |list: &[DuelObject]| -> Vec<String> {
        list.iter().map(|one| object(recorded, line, *one)).collect()
    };
    let variables: Map<String, Value> = line
        .variables
        .iter()
        .map(|variable| {
            let value = match &variable.value {
                TraceValue::Objects(list) => Value::from(all(list)),
                TraceValue::Text(text) => Value::from(text.as_str()),
            };
            (variable.name.to_string(), value)
        })
        .collect();
    let place = statement(recorded, line);
    let (step, success) = step_json(line.step);
    json!({
        "source": line.model(line.source).map(name),
        "rule-of": name(line.place.model),
        "executor": line.executor.index() + 1,
        "depth": line.depth,
        "step": step,
        "success": success,
        "file": place.as_ref().map(|(file, ..)| file),
        "line": place.as_ref().map(|(_, line, _)| line),
        "statement": place.as_ref().map(|(.., text)| text),
        "targets": all(&line.targets),
        "variables": variables,
    })
}

fn step_words(step: TraceStep) -> &'static str {
    match step {
        TraceStep::Begins(FramePart::Activation) => "begins",
        TraceStep::Begins(FramePart::Nested) => "begins inside another rule",
        TraceStep::Begins(FramePart::Event) => "begins on an event",
        TraceStep::Begins(FramePart::Entering) => "begins on entering play",
        TraceStep::Requisites(true) => "requisites are met",
        TraceStep::Requisites(false) => "a requisite is missing",
        TraceStep::Target(true) => "the target is found",
        TraceStep::Target(false) => "the target is missing or refused",
        TraceStep::Vars => "variables are made",
        TraceStep::Step(StepResult::Condition(true)) => "the condition holds",
        TraceStep::Step(StepResult::Condition(false)) => "the condition does not hold",
        TraceStep::Step(StepResult::Targets(0)) => "there are no targets, and it goes on",
        TraceStep::Step(StepResult::Targets(_)) => "targets are found",
        TraceStep::Step(StepResult::NoTargets) => "no targets, it stops here",
        TraceStep::Step(StepResult::Effect(true)) => "done",
        TraceStep::Step(StepResult::Effect(false)) => "failed",
        TraceStep::Step(StepResult::Skipped) => "skipped",
        TraceStep::Step(StepResult::Paid) => "costs are paid",
        TraceStep::Step(StepResult::Unpaid) => "costs are not paid",
        TraceStep::Step(StepResult::Reverted) => "grants are taken back",
        TraceStep::Ends(StatementsEnding::Done) => "ends",
        TraceStep::Ends(StatementsEnding::NoEffect) => "ends without effect",
        TraceStep::Ends(StatementsEnding::Cancelled) => "ends unresolved",
        TraceStep::Ends(StatementsEnding::True) => "answers true",
        TraceStep::Ends(StatementsEnding::False) => "answers false",
    }
}

/// The kind of a line, and whether it succeeded, where that can be said.
fn step_json(step: TraceStep) -> (&'static str, Option<bool>) {
    match step {
        TraceStep::Begins(_) => ("begins", None),
        TraceStep::Requisites(met) => ("requisites", Some(met)),
        TraceStep::Target(found) => ("target", Some(found)),
        TraceStep::Vars => ("vars", None),
        TraceStep::Step(StepResult::Condition(holds)) => ("condition", Some(holds)),
        TraceStep::Step(StepResult::Targets(_)) => ("targets", Some(true)),
        TraceStep::Step(StepResult::NoTargets) => ("targets", Some(false)),
        TraceStep::Step(StepResult::Effect(done)) => ("effect", Some(done)),
        TraceStep::Step(StepResult::Skipped) => ("skipped", None),
        TraceStep::Step(StepResult::Paid) => ("costs", Some(true)),
        TraceStep::Step(StepResult::Unpaid) => ("costs", Some(false)),
        TraceStep::Step(StepResult::Reverted) => ("reverted", None),
        TraceStep::Ends(StatementsEnding::Done | StatementsEnding::True) => ("ends", Some(true)),
        TraceStep::Ends(StatementsEnding::NoEffect) => ("ends", None),
        TraceStep::Ends(StatementsEnding::Cancelled | StatementsEnding::False) => ("ends", Some(false)),
    }
}

fn explain(recorded: &Recorded, at: Option<i64>, seat: Seat) -> anyhow::Result<ExitCode> {
    let timeline = &recorded.timeline;
    let at = at.map_or(Ok(timeline.len()), |at| place_of(at, timeline.len()))?;
    let mut duel = timeline.at(0);
    let mut books = Ledger::new(&duel);
    for taken in &timeline.taken()[..at] {
        taken.act.repeat(&mut duel, &mut books);
    }
    let reader = EventReader {
        duel: &duel,
        seat: Some(seat),
    };
    let view = duel.view(seat);
    let mut values: Vec<cw_duel::ExplainedNumber> =
        view.numbers().into_iter().map(|(value, _)| value).collect();
    let hand = view.players[seat].hand.iter();
    values.extend(hand.map(|card| cw_duel::ExplainedNumber::Cost(card.card)));
    let explained: Vec<_> = values
        .into_iter()
        .filter_map(|value| books.explain(&duel, seat, value))
        .collect();
    if recorded.json {
        let all = explained.iter().map(|one| {
            json!({
                "what": cw_words::value(reader, one.of),
                "value": one.value,
                "base": one.base,
                "changes": one.shares.iter().map(|share| share.by).collect::<Vec<_>>(),
                "words": cw_words::explanation(reader, one),
            })
        });
        print_json(&all.collect());
    } else {
        for one in &explained {
            say!("{}: {}", cw_words::value(reader, one.of), one.value);
            for line in cw_words::explanation(reader, one) {
                say!("    {line}");
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn why_not(recorded: &Recorded, at: Option<i64>, seat: Seat) -> anyhow::Result<ExitCode> {
    let timeline = &recorded.timeline;
    let at = at.map_or(Ok(timeline.len()), |at| place_of(at, timeline.len()))?;
    let duel = timeline.at(at);
    let reader = EventReader {
        duel: &duel,
        seat: Some(seat),
    };
    let view = duel.view(seat);
    let player = &view.players[seat];
    let hand = player.hand.iter().map(|held| held.card);
    let in_hand: &[fn(CardId) -> Choice] = &[Choice::Play, Choice::BackUp];
    let in_ring: &[fn(CardId) -> Choice] = &[Choice::Activate, Choice::Attack, Choice::Join, Choice::Block];
    let cards = hand.map(|card| (card, in_hand)).chain(
        player
            .ring
            .iter()
            .flatten()
            .map(|fighter| (fighter.card, in_ring)),
    );
    let mut told = Vec::new();
    for (card, actions) in cards {
        for action in actions {
            let choice = action(card);
            let refusal = duel.why_not_by(seat, cw_duel::Attempt::Answer(choice));
            let what = action_words(choice);
            if recorded.json {
                told.push(json!({
                    "card": reader.card(card),
                    "action": what,
                    "offered": refusal.is_none(),
                    "rules": refusal.map(|refusal| refusal.rules),
                    "why": refusal.map(|refusal| refusal.why),
                }));
            } else {
                let words = refusal.map_or_else(|| "is offered".to_owned(), |refusal| refusal.to_string());
                say!("{what} {}: {words}", reader.card(card));
            }
        }
    }
    if recorded.json {
        print_json(&Value::from(told));
    }
    Ok(ExitCode::SUCCESS)
}

fn action_words(choice: Choice) -> &'static str {
    match choice {
        Choice::Play(_) => "play",
        Choice::BackUp(_) => "back up with",
        Choice::Activate(_) => "activate",
        Choice::Attack(_) => "attack with",
        Choice::Join(_) => "join with",
        Choice::Block(_) => "block with",
        _ => "answer",
    }
}
