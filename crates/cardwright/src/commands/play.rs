//! `cardwright play`: a duel in the browser, by a plain line prompt, or between two computers.
//!
//! With a person at one of the seats the table opens in the browser. `--plain` keeps the line
//! prompt instead; a prompt is also what remains where the standard input is no terminal, so that
//! a duel can be played through a pipe. Two computers never open a browser.

use std::fs::File;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, bail};
use clap::CommandFactory as _;
use clap::builder::{PossibleValue, TypedValueParser, ValueParser, ValueParserFactory};
use clap::error::ErrorKind;
use cw_duel::{Duel, DuelSetup, PerSeat, Seat, Seed};
use cw_lab::{Contestant, ContestantKind};
use cw_players::Level;
use cw_wire::{DuelTimeline, Recorder};

use crate::commands::free::{self, FreeArgs};
use crate::game;
use crate::log::AnswerLog;
use crate::output::{note, say};
use crate::prompt::{self, PromptTable};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Folder or .o8g of the game [default: the one you are in, or the demo game]
    #[arg(long, value_name = "PATH")]
    game: Option<PathBuf>,
    /// Deck of player 1: a name in the game, or an .o8d file
    #[arg(long, value_name = "DECK")]
    deck1: Option<String>,
    /// Deck of player 2
    #[arg(long, value_name = "DECK")]
    deck2: Option<String>,
    /// Seed for all randomness: a number, or 64 hexadecimal digits [default: a random one]
    #[arg(long)]
    seed: Option<Seed>,
    /// Who plays for player 1: `human`, `computer` (its usual level), one of its levels, or `cmd:PROGRAM` for
    /// a bot
    #[arg(long, value_name = "WHO", default_value = "human")]
    seat1: SeatPlayerArg,
    /// Who plays for player 2 [default: the computer]
    #[arg(long, value_name = "WHO")]
    seat2: Option<SeatPlayerArg>,
    /// Play at a line prompt, not in the browser
    #[arg(long)]
    plain: bool,
    /// Print the table's address without opening a browser
    #[arg(long, conflicts_with = "plain")]
    no_open: bool,
    /// Port of the table [default: 7313 if it is free, otherwise any]
    #[arg(long, conflicts_with = "plain")]
    port: Option<u16>,
    /// Let devices on your network reach the table, so that you can invite a friend; NAME is the address or
    /// host name to give them instead of this machine's own address
    #[arg(
        long,
        value_name = "NAME",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "",
        conflicts_with = "plain"
    )]
    host: Option<String>,
    /// Keep duels in this file [default: duels.db in your data folder]
    #[arg(long, value_name = "FILE", conflicts_with = "plain")]
    store: Option<PathBuf>,
    /// Address of a public page of the game, as written by `cardwright site`; shared links point to it
    #[arg(long, value_name = "URL", conflicts_with = "plain")]
    page: Option<String>,
    /// Play from the beginning of a scenario: a position, a puzzle or a lesson
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["plain", "deck1", "deck2", "seed", "first", "record"]
    )]
    scenario: Option<PathBuf>,
    /// Play the first scenario of the file whose name contains these words
    #[arg(long, value_name = "WORDS", requires = "scenario")]
    only: Option<String>,
    /// Begin where the scenario's steps end
    #[arg(long, requires = "scenario")]
    after_steps: bool,
    /// Play the guided first duel
    #[arg(long, conflicts_with_all = ["plain", "scenario", "deck1", "deck2", "seed", "first", "record"])]
    lesson: bool,
    /// Who goes first [default: drawn by chance]
    #[arg(long, value_parser = clap::value_parser!(u8).range(1..=2))]
    first: Option<u8>,
    /// Write a record of the duel, for `cardwright replay`
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Allow illegal decks
    #[arg(long)]
    illegal_decks: bool,
    /// Play even if rules have errors; cards with errors play without their rules
    #[arg(long)]
    allow_errors: bool,
    /// Play a game whose cards have no rules as a duel, using only numbers and types
    #[arg(long)]
    rules: bool,
    /// Print only the result
    #[arg(long, short)]
    quiet: bool,
    #[command(flatten, next_help_heading = "The free table")]
    free: FreeArgs,
}

/// Who decides for a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum SeatPlayerArg {
    /// A person, in the browser or at this terminal.
    Human,
    /// The computer at a level, or a program of somebody's own.
    Player(Contestant),
}

impl SeatPlayerArg {
    /// The computer, as well as it can.
    fn computer() -> SeatPlayerArg {
        SeatPlayerArg::Player(Level::BEST.into())
    }

    fn is_bot(&self) -> bool {
        matches!(self, SeatPlayerArg::Player(player) if matches!(player.kind, ContestantKind::Bot(_)))
    }
}

/// Reads who plays, and names all but the programs for help and completions.
#[derive(Clone)]
struct WhoParser;

impl TypedValueParser for WhoParser {
    type Value = SeatPlayerArg;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &std::ffi::OsStr,
    ) -> Result<SeatPlayerArg, clap::Error> {
        let read = |name: &str| match name {
            "human" => Ok(SeatPlayerArg::Human),
            name => name
                .parse()
                .map(SeatPlayerArg::Player)
                .map_err(|why: String| why.replacen("a player is ", "a player is human, ", 1)),
        };
        read.parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let levels = Level::ALL.map(Level::name);
        let names = ["human", "computer"].into_iter().chain(levels);
        Some(Box::new(names.map(PossibleValue::new)))
    }
}

impl ValueParserFactory for SeatPlayerArg {
    type Parser = ValueParser;

    fn value_parser() -> ValueParser {
        ValueParser::new(WhoParser)
    }
}

impl Args {
    fn seats(&self) -> PerSeat<SeatPlayerArg> {
        PerSeat([
            self.seat1.clone(),
            self.seat2.clone().unwrap_or_else(SeatPlayerArg::computer),
        ])
    }

    /// Whether something is asked for that only duels have (F222).
    fn is_duel(&self) -> bool {
        let computer = self.seat1 != SeatPlayerArg::Human
            || self
                .seat2
                .as_ref()
                .is_some_and(|who| *who != SeatPlayerArg::Human);
        self.rules || self.lesson || self.scenario.is_some() || computer || self.first.is_some()
    }
}

pub(crate) fn run(mut args: Args) -> anyhow::Result<ExitCode> {
    if let (None, Some(file)) = (&args.game, &args.scenario) {
        args.game = game_of(file);
    }
    let project = game::read(args.game.as_deref())?;
    if let Some(why) = free::choose(&project, &args.free, args.is_duel()) {
        return play_free(&args, project, why);
    }
    take_decks(&mut args);
    let (loaded, game) = game::load(project)?;
    game::refuse_without_rules(&loaded, args.rules)?;
    if !args.allow_errors {
        game::refuse_rule_errors(&loaded)
            .map_err(|error| anyhow::anyhow!("{error}; --free lays the cards on a table without rules"))?;
    }
    let shelf = shelf(&*game::files(args.game.as_deref())?, &game)?;
    let has_bot = args.seats().0.iter().any(SeatPlayerArg::is_bot);
    if has_bot && (args.lesson || args.scenario.is_some() || asks_for_browser(&args)) {
        usage(
            ErrorKind::ArgumentConflict,
            "a program of your own plays whole duels, at the line prompt or against the computer; \
             do not use --lesson, --scenario, --no-open, --port, --host and --store",
        );
    }
    if args.lesson || args.scenario.is_some() {
        if let Some(path) = args
            .scenario
            .as_deref()
            .filter(|_| !args.seats().0.contains(&SeatPlayerArg::Human))
        {
            return play_alone(&args, path, &loaded, &game);
        }
        let stage = stage(&args, &game, &shelf)?;
        return play_stage(&args, loaded, game, shelf, stage);
    }
    let (name1, deck1) = game::deck(&loaded, args.deck1.as_deref(), 0, args.illegal_decks)?;
    let (name2, deck2) = game::deck(&loaded, args.deck2.as_deref(), 1, args.illegal_decks)?;
    // Whoever cannot write it down is told before the duel, not after it.
    if let Some(path) = &args.record {
        check_record(path)?;
    }
    let seats = args.seats();
    let in_browser = wants_browser(&args);
    // Between people nobody is told what they could compute the shuffle from (D70).
    let between_people = seats.0.iter().all(|who| *who == SeatPlayerArg::Human);
    let seed = match args.seed {
        None if in_browser && between_people => None,
        chosen => Some(chosen.unwrap_or_else(random_seed)),
    };
    let told = seed.filter(|_| !between_people);
    let told = told.map_or_else(String::new, |seed| format!(", seed {seed}"));
    say!("{}: “{name1}” against “{name2}”{told}", game.name);
    name_unscripted(&game, [&deck1, &deck2]);
    let first = args.first.map(|first| Seat::from_index(usize::from(first) - 1));
    let decks = PerSeat([deck1, deck2]);
    if in_browser {
        let start = cw_serve::DuelStart {
            catalogue: Arc::new(cw_faces::Catalogue::of(&loaded.project)),
            game,
            decks,
            names: match between_people || args.host.is_some() {
                true => PerSeat([
                    game::announced_name(args.deck1.as_deref(), name1),
                    game::announced_name(args.deck2.as_deref(), name2),
                ]),
                false => PerSeat([name1, name2]),
            },
            who: at_the_table(&seats),
            seed,
            first,
            // The project has judged them.
            allow_illegal_decks: true,
            stage: None,
            // Who comes to the second seat gets a link that is good once.
            invites: (between_people && seed.is_none()).then_some(Seat::One),
            opponent: None,
        };
        let options = super::play_web::PlayWebOptions {
            game: args.game.clone(),
            open: !args.no_open,
            port: args.port,
            host: args.host,
            store: args.store,
            record: args.record,
            loaded: Arc::new(loaded),
            files: game::files(args.game.as_deref())?,
            shelf,
            page: args.page,
        };
        return super::play_web::run(start, options);
    }
    let seed = seed.unwrap_or_else(random_seed);
    let setup = DuelSetup {
        first,
        allow_illegal_decks: true,
        ..DuelSetup::from(seed)
    };
    let mut log = AnswerLog::default();
    let duel = Duel::new_with(Arc::clone(&game), &decks, setup, &mut log)?;
    let recorder = Recorder::new(&game, &decks, seed, first);
    let mut table = PromptTable::new(&seats, seed, args.quiet, game::lists(&loaded), &game)?;
    let mut timeline = DuelTimeline::new(duel);
    let finished = table.play(&mut timeline, &mut log)?;
    table.tell_faults();
    let replay = recorder.replay_of(&timeline);
    if let Some(path) = &args.record {
        cw_files::write(path, replay.write().as_bytes()).with_context(|| cannot_record(path))?;
    }
    let end = prompt::end(&timeline, finished);
    if finished && between_people {
        say!("The seed was {seed}.");
    }
    Ok(end)
}

/// The game that a scenario file names; what is wrong with the file is said later.
fn game_of(file: &Path) -> Option<PathBuf> {
    let text = cw_files::read_text(file, cw_files::SCENARIO).ok()?;
    let (game, _) = cw_scenario::read(&text).ok()?.game?;
    Some(file.parent().unwrap_or(Path::new("")).join(game))
}

/// The free table (F220–F222): no computers, no lessons.
/// `--deck` names the decks of a duel, too, one seat after the other (F220).
fn take_decks(args: &mut Args) {
    let decks = std::mem::take(&mut args.free.decks);
    if decks.is_empty() {
        return;
    }
    if args.deck1.is_some() || args.deck2.is_some() || args.lesson || args.scenario.is_some() {
        let message = "--deck means --deck1 and --deck2, and cannot be used with lessons and scenarios";
        usage(ErrorKind::ArgumentConflict, message);
    }
    let mut decks = decks.into_iter();
    (args.deck1, args.deck2) = (decks.next(), decks.next());
}

/// Ends the program: the command line is wrong.
pub(crate) fn usage(kind: ErrorKind, message: impl std::fmt::Display) -> ! {
    crate::CommandLine::command().error(kind, message).exit()
}

fn play_free(args: &Args, project: cw_load::Project, why: &str) -> anyhow::Result<ExitCode> {
    if args.is_duel() {
        note("the free table has no rules, computers, lessons or scenarios");
        return Ok(ExitCode::from(2));
    }
    let named = [&args.deck1, &args.deck2].into_iter().flatten();
    let start = free::FreeStart {
        free: &args.free,
        decks: args.free.decks.iter().chain(named).cloned().collect(),
        seed: args.seed.unwrap_or_else(random_seed),
        record: args.record.as_deref(),
        quiet: args.quiet,
        why,
    };
    if args.plain || (!asks_for_browser(args) && has_piped_answers()) {
        return free::run(project, &start);
    }
    let options = super::free_web::FreeWebOptions {
        open: !args.no_open,
        port: args.port,
        store: args.store.as_deref(),
        pictures: &args.free.pictures,
        game: args.game.as_deref(),
        host: args.host.as_deref(),
    };
    super::free_web::run(project, &start, &options)
}

/// Lessons and puzzles of the game.
pub(super) fn shelf(
    files: &dyn cw_octgn::PackageFiles,
    game: &Arc<cw_duel::Game>,
) -> anyhow::Result<Vec<Arc<cw_serve::ScenarioStage>>> {
    let (shelf, left_out) = cw_serve::shelf(files, game)?;
    for words in left_out {
        note(&words);
    }
    Ok(shelf)
}

/// The scenario that the command line asks for.
fn stage(
    args: &Args,
    game: &Arc<cw_duel::Game>,
    shelf: &[Arc<cw_serve::ScenarioStage>],
) -> anyhow::Result<Arc<cw_serve::ScenarioStage>> {
    let Some(path) = &args.scenario else {
        let lesson = shelf.iter().find(|stage| stage.is_lesson());
        return lesson.cloned().context("this game has no lesson");
    };
    let shown = path.display();
    let text =
        cw_files::read_text(path, cw_files::SCENARIO).with_context(|| format!("cannot read “{shown}”"))?;
    let stages = cw_serve::ScenarioStage::read(&text, game)
        .map_err(|fault| anyhow::anyhow!("“{shown}” cannot be played: {}", fault.message))?;
    let words = args.only.as_deref().unwrap_or("").to_lowercase();
    let found = stages
        .iter()
        .find(|stage| stage.name().to_lowercase().contains(&words));
    let found = match found {
        Some(stage) if args.after_steps => Some(Arc::new(stage.after_its_steps())),
        found => found.cloned(),
    };
    found.with_context(|| format!("“{shown}” has no scenario with the words “{words}” in its name"))
}

/// A scenario between two computers: nobody needs a table, and the end is the end.
fn play_alone(
    args: &Args,
    path: &Path,
    loaded: &cw_load::Loaded,
    game: &Arc<cw_duel::Game>,
) -> anyhow::Result<ExitCode> {
    let shown = path.display();
    let text =
        cw_files::read_text(path, cw_files::SCENARIO).with_context(|| format!("cannot read “{shown}”"))?;
    let cannot =
        |fault: cw_scenario::ScenarioFault| anyhow::anyhow!("“{shown}” cannot be played: {}", fault.message);
    let words = args.only.as_deref().unwrap_or("").to_lowercase();
    let mut scenarios = cw_scenario::read(&text).map_err(cannot)?.scenarios.into_iter();
    let scenario = scenarios.find(|scenario| scenario.name.to_lowercase().contains(&words));
    let scenario = scenario
        .with_context(|| format!("“{shown}” has no scenario with the words “{words}” in its name"))?;
    let (mut duel, _) = cw_scenario::begin(&scenario, game).map_err(cannot)?;
    if args.after_steps {
        let steps = cw_scenario::run(&scenario, game, cw_scenario::RunOptions::default()).steps;
        for answered in steps.iter().flat_map(|step| &step.answers) {
            duel.answer_silently(answered.choice)?;
        }
    }
    say!("{}: {}", game.name, scenario.name);
    let seed = args.seed.unwrap_or_else(random_seed);
    let mut table = PromptTable::new(&args.seats(), seed, args.quiet, game::lists(loaded), game)?;
    let mut timeline = DuelTimeline::new(duel);
    let finished = table.play(&mut timeline, &mut AnswerLog::default())?;
    table.tell_faults();
    Ok(prompt::end(&timeline, finished))
}

fn play_stage(
    args: &Args,
    loaded: cw_load::Loaded,
    game: Arc<cw_duel::Game>,
    shelf: Vec<Arc<cw_serve::ScenarioStage>>,
    stage: Arc<cw_serve::ScenarioStage>,
) -> anyhow::Result<ExitCode> {
    say!("{}: {}", game.name, stage.name());
    let seats = args.seats();
    let start = cw_serve::DuelStart {
        catalogue: Arc::new(cw_faces::Catalogue::of(&loaded.project)),
        game,
        decks: PerSeat::default(),
        names: PerSeat::default(),
        who: at_the_table(&seats),
        seed: Some(args.seed.unwrap_or_else(|| Seed::from(1))),
        first: None,
        allow_illegal_decks: true,
        stage: Some(stage),
        invites: None,
        opponent: None,
    };
    let options = super::play_web::PlayWebOptions {
        game: args.game.clone(),
        open: !args.no_open,
        port: args.port,
        host: args.host.clone(),
        store: args.store.clone(),
        record: None,
        loaded: Arc::new(loaded),
        files: game::files(args.game.as_deref())?,
        shelf,
        page: args.page.clone(),
    };
    super::play_web::run(start, options)
}

/// Refuses a place for a record where none can be written.
fn check_record(path: &Path) -> anyhow::Result<()> {
    refuse_filled(path, "")?;
    cw_files::FileDraft::begin(path)
        .map(drop)
        .with_context(|| cannot_record(path))
}

/// A file for a new record that grows.
pub(crate) fn new_record(path: &Path, else_what: &str) -> anyhow::Result<File> {
    refuse_filled(path, else_what)?;
    let mut options = File::options();
    let file = options.write(true).create(true).truncate(false).open(path);
    file.with_context(|| cannot_record(path))
}

/// A record that has something in it stays as it is: an evening may be in it.
fn refuse_filled(path: &Path, else_what: &str) -> anyhow::Result<()> {
    if path
        .metadata()
        .is_ok_and(|about| about.is_file() && about.len() > 0)
    {
        bail!(
            "“{}” already has something in it and is not overwritten; name another file{else_what}",
            path.display()
        );
    }
    Ok(())
}

pub(crate) fn cannot_record(path: &Path) -> String {
    format!("cannot write the record to “{}”", path.display())
}

/// A person looks at a table rather than at lines, unless answers come through a pipe or a file.
fn wants_browser(args: &Args) -> bool {
    let seats = args.seats().0;
    let (person, bot) = (
        seats.contains(&SeatPlayerArg::Human),
        seats.iter().any(SeatPlayerArg::is_bot),
    );
    person && !bot && !args.plain && (asks_for_browser(args) || !has_piped_answers())
}

fn asks_for_browser(args: &Args) -> bool {
    args.no_open || args.port.is_some() || args.store.is_some() || args.host.is_some()
}

/// Whether somebody may have written answers to the standard input: it is neither a terminal nor
/// nothing at all.
fn has_piped_answers() -> bool {
    if io::stdin().is_terminal() {
        return false;
    }
    #[cfg(unix)]
    if let Ok(input) = std::fs::metadata("/dev/stdin") {
        use std::os::unix::fs::FileTypeExt as _;
        return !input.file_type().is_char_device();
    }
    true
}

/// Who sits at the table in the browser; no program does.
fn at_the_table(seats: &PerSeat<SeatPlayerArg>) -> PerSeat<cw_serve::SeatPlayer> {
    let who = |who: &SeatPlayerArg| match who {
        SeatPlayerArg::Player(player) => match player.kind {
            ContestantKind::Level(level) => cw_serve::SeatPlayer::Computer(level),
            ContestantKind::Bot(_) | ContestantKind::Guest(_) => cw_serve::SeatPlayer::Person,
        },
        SeatPlayerArg::Human => cw_serve::SeatPlayer::Person,
    };
    PerSeat::from_fn(|seat| who(&seats[seat]))
}

/// A seed that nobody could foresee, from the operating system.
fn random_seed() -> Seed {
    Seed(cw_serve::fresh_secret().bytes())
}

/// D17: cards whose text the program cannot apply are named once.
fn name_unscripted(game: &cw_duel::Game, decks: [&Vec<cw_program::ModelId>; 2]) {
    let mut models: Vec<_> = decks.into_iter().flatten().copied().collect();
    models.sort_unstable();
    models.dedup();
    let unscripted: Vec<&str> = models
        .iter()
        .map(|model| game.model(*model))
        .filter(|model| model.is_unscripted())
        .map(|model| &*model.name)
        .collect();
    if !unscripted.is_empty() {
        say!(
            "{} with a text but no rule; played without it: {}",
            crate::output::count(unscripted.len(), "card"),
            unscripted.join(", ")
        );
    }
}
