//! The free table by a line prompt: `cardwright play --free` (F220), and `play` on a package without rules.
//!
//! A line is a verb in the table's notation, a `/` command, or one of the prompt's own words (`help`).
//! `2: draw 1` lets seat 2 draw. Every accepted verb is written down before its result is shown.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, IsTerminal, Seek, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use clap::error::ErrorKind;
use cw_load::Project;
use cw_octgn::{Deck, Package};
use cw_table::{
    Actor, ChatLine, DeckList, DeckProblem, EntryMark, EntryRuns, FreeRecord, FreeTable, Kit, Looker,
    MAPPING, Mapped, Mapping, PackageAction, RemoteRule, Rights, ScriptReach, ScriptRule, Sides, TableEvent,
    TableSeat, TableSettings, TableVerb, VERBS,
};
use cw_text::{Severity, Sources};

use crate::limits::limits;
use crate::output::{self, note, say};
use crate::scenario_files::ReadScenarios;

/// What only a free table takes (F222).
#[derive(Debug, clap::Args)]
pub(crate) struct FreeArgs {
    /// Open the free table: your cards, no rules
    #[arg(long, conflicts_with = "rules")]
    pub(crate) free: bool,
    /// Number of seats at the free table
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=8))]
    pub(crate) seats: Option<u8>,
    /// Deck for the next seat; may be repeated
    #[arg(long = "deck", value_name = "DECK")]
    pub(crate) decks: Vec<String>,
    /// Use this game mode of the package, which sets the number of seats
    #[arg(long, value_name = "NAME")]
    pub(crate) mode: Option<String>,
    /// Show all cards upright to all seats
    #[arg(long, conflicts_with = "four_sided")]
    pub(crate) one_sided: bool,
    /// Place the seats on all four sides of the table
    #[arg(long)]
    pub(crate) four_sided: bool,
    /// `open`: every seat may act on every open card
    #[arg(long, value_parser = ["own", "open"], value_name = "WHOSE")]
    pub(crate) rights: Option<String>,
    /// `hands`: spectators see hands
    #[arg(long, value_parser = ["hands"], value_name = "WHAT")]
    pub(crate) spectators: Option<String>,
    /// Let one person play all seats; everything can be taken back
    #[arg(long)]
    pub(crate) solo: bool,
    /// `off`: do not run the package's own scripts; `ask`: run them once every seat has agreed
    #[arg(long, value_parser = ["on", "ask", "off"], value_name = "HOW")]
    pub(crate) scripts: Option<String>,
    /// `free`: scripts may act on another seat's hidden cards without asking
    #[arg(long, value_parser = ["ask", "free"], value_name = "HOW")]
    pub(crate) remote: Option<String>,
    /// `own`: scripts may change marks and counters only on their own seat's cards and counters
    #[arg(long, value_parser = ["public", "own"], value_name = "HOW")]
    pub(crate) reach: Option<String>,
    /// Show the pictures of this image pack (.o8c); may be repeated
    #[arg(long, value_name = "FILE")]
    pub(crate) pictures: Vec<PathBuf>,
    /// Apply this mapping of menu entries on top of the package's own `Rules/table.toml`
    #[arg(long, value_name = "FILE")]
    pub(crate) mapping: Option<PathBuf>,
    /// Continue the record of a free table, and add to it
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = [
            "record", "seed", "decks", "deck1", "deck2", "seats", "mode", "rights", "one_sided",
            "four_sided", "spectators", "solo", "scripts", "remote", "reach"
        ]
    )]
    pub(crate) resume: Option<PathBuf>,
}

impl FreeArgs {
    /// Whether something asks for a free table.
    pub(crate) fn asked(&self) -> bool {
        self.free
            || self.seats.is_some_and(|seats| seats != 2)
            || self.decks.len() > 2
            || self.mode.is_some()
            || self.one_sided
            || self.four_sided
            || self.rights.is_some()
            || self.spectators.is_some()
            || self.solo
            || self.scripts.is_some()
            || self.remote.is_some()
            || self.reach.is_some()
            || !self.pictures.is_empty()
            || self.mapping.is_some()
            || self.resume.is_some()
    }
}

/// Why `play` opens the free table; `None` where it plays a duel (F220, F221, D75). `is_duel` says that
/// something was asked for which only duels have.
pub(crate) fn choose(project: &Project, free: &FreeArgs, is_duel: bool) -> Option<&'static str> {
    if free.asked() {
        return Some("as you asked");
    }
    let is_free = !is_duel && !project.has_rules();
    is_free.then_some("because the package has no rules for its cards")
}

/// How a free table begins.
#[derive(Debug)]
pub(crate) struct FreeStart<'a> {
    pub(crate) free: &'a FreeArgs,
    pub(crate) decks: Vec<String>,
    pub(crate) seed: cw_duel::Seed,
    pub(crate) record: Option<&'a Path>,
    pub(crate) quiet: bool,
    /// Why it is a free table (F220).
    pub(crate) why: &'a str,
}

/// Reads a package for the table: its scripts are read, never run; its mapping is checked.
pub(crate) fn kit(project: Project, own_mapping: Option<&Path>) -> anyhow::Result<Kit> {
    kit_with_faults(project, own_mapping).map(|(kit, _)| kit)
}

/// As [`kit`], with the number of mistakes in its mappings; they are shown.
pub(crate) fn kit_with_faults(project: Project, own_mapping: Option<&Path>) -> anyhow::Result<(Kit, usize)> {
    if !project.package.has_definition {
        output::findings(&project.package.sources, &project.obstacles());
        bail!("the package cannot be put on a table until this is fixed");
    }
    let Project { files, package, .. } = project;
    let read = Kit::read(&*files, package, &limits())?;
    if !read.findings.is_empty() {
        output::findings(&read.sources, &read.findings);
    }
    let (mut kit, mut faults) = (read.kit, read.findings.len());
    if let Some(path) = own_mapping {
        let bytes = cw_files::read(path, cw_files::MAPPING)
            .with_context(|| format!("cannot read “{}”", path.display()))?;
        let mut sources = Sources::new();
        let (own, found) = Mapping::read_bytes(&bytes, &path.display().to_string(), &mut sources, &kit);
        if !found.is_empty() {
            output::findings(&sources, &found);
        }
        faults += found.len();
        let mapping = std::mem::take(&mut kit.mapping).under(own);
        kit = kit.with_mapping(mapping);
    }
    Ok((kit, faults))
}

/// What is wrong with what a package brings to the free table: its scripts, its mapping and its scenarios.
/// With how many files the first two are; `name` is what the mapping's file is called.
pub(crate) fn check_table(
    project: &mut Project,
    name: &str,
    scenarios: &mut ReadScenarios,
    sources: &mut Sources,
) -> anyhow::Result<(Vec<cw_text::Diagnostic>, usize)> {
    let package = &project.package;
    let is_mapped = package.files.iter().any(|name| name == MAPPING);
    let brings = is_mapped || !package.scripts.is_empty() || scenarios.are_free();
    if !package.has_definition || !brings {
        return Ok((Vec::new(), 0));
    }
    // All of it is shared, where that can be; else the project is done with.
    let shared = package.with_texts(&BTreeMap::new());
    let package = shared.unwrap_or_else(|| std::mem::take(&mut project.package));
    let files = &project.files;
    let kit = Arc::new(Kit::to_check(&**files, package, &limits()));
    let mut found = kit.script_findings();
    scenarios.check_free(&kit);
    if is_mapped {
        let bytes = files.read(MAPPING, limits().file)?;
        found.extend(Mapping::read_bytes(&bytes, name, sources, &kit).1);
    }
    Ok((found, usize::from(is_mapped)))
}

/// The entry of a package that a path means.
pub(crate) fn entry_named(kit: &Kit, path: &str) -> anyhow::Result<usize> {
    kit.entry_named(path).map_err(anyhow::Error::msg)
}

pub(super) fn settings(kit: &Kit, free: &FreeArgs, decks: usize) -> anyhow::Result<TableSettings> {
    let modes = &kit.package.definition.tabletop.modes;
    let mode = match &free.mode {
        None => modes.first(),
        Some(wanted) => {
            let found = modes.iter().find(|mode| mode.name.eq_ignore_ascii_case(wanted));
            if found.is_none() {
                let names: Vec<String> = modes.iter().map(|mode| format!("“{}”", mode.name)).collect();
                let message = match names.as_slice() {
                    [] => format!("there is no game mode “{wanted}”; the package has none, leave --mode out"),
                    names => format!(
                        "there is no game mode “{wanted}”; the package has {}",
                        names.join(", ")
                    ),
                };
                super::play::usage(ErrorKind::InvalidValue, message);
            }
            found
        }
    };
    // F21: a mode preselects the number of seats, it never limits it.
    let preselected = mode.map_or(2, |mode| mode.players.clamp(1, 8) as usize);
    let seats = free.seats.map_or(preselected.max(decks).min(8), usize::from);
    let mut settings = TableSettings::for_seats(seats);
    settings.sides = match (free.one_sided, free.four_sided) {
        (true, _) => Some(Sides::One),
        (_, true) => Some(Sides::Four),
        _ => mode
            .and_then(|mode| mode.two_sided)
            .map(|two| if two { Sides::Two } else { Sides::One }),
    };
    if free.rights.as_deref() == Some("open") {
        settings.rights = Rights::Open;
    }
    settings.spectators_see_hands = free.spectators.is_some();
    settings.solo = free.solo || seats == 1;
    settings.scripts = match free.scripts.as_deref() {
        Some("off") => ScriptRule::Off,
        Some("ask") => ScriptRule::Ask,
        _ => ScriptRule::On,
    };
    if free.remote.as_deref() == Some("free") {
        settings.remote = RemoteRule::Free;
    }
    if free.reach.as_deref() == Some("own") {
        settings.reach = ScriptReach::Own;
    }
    Ok(settings)
}

/// Opens the table and reads lines until they end.
pub(crate) fn run(project: Project, start: &FreeStart<'_>) -> anyhow::Result<ExitCode> {
    let decks = project.package.decks.clone();
    let kit = Arc::new(kit(project, start.free.mapping.as_deref())?);
    let name = kit.package.definition.name.to_string();
    say!("{name}: the free table, {}", start.why);
    for remark in &kit.remarks {
        note(remark);
    }
    let (table, log) = match &start.free.resume {
        Some(path) => {
            let cannot = || format!("“{}” cannot be resumed", path.display());
            let (mut file, text) = open_record(path).with_context(cannot)?;
            let record = FreeRecord::read(&text).with_context(cannot)?;
            let table = record.play(&kit).with_context(cannot)?;
            cut(&mut file, &text).with_context(cannot)?;
            (table, Some(file))
        }
        None => {
            let settings = settings(&kit, start.free, start.decks.len())?;
            for deck in start.decks.iter().filter(|deck| !Path::new(deck).is_file()) {
                if let Err(error) = find_deck(&kit.package, &decks, deck) {
                    super::play::usage(ErrorKind::InvalidValue, error);
                }
            }
            if start.decks.len() > settings.names.len() {
                bail!("there are more decks than seats");
            }
            let table = FreeTable::new(Arc::clone(&kit), settings, start.seed);
            let log = start.record.map(|path| new_record(path, &table)).transpose()?;
            (table, log)
        }
    };
    if let Some(about) = table.about_scripts() {
        say!("{about}");
    }
    let mut prompt = Prompt {
        table,
        decks,
        seat: TableSeat(0),
        log,
        quiet: start.quiet,
        private: io::stdin().is_terminal(),
        likely: None,
        proposed: BTreeMap::new(),
    };
    if start.free.resume.is_none() {
        for (seat, deck) in start.decks.iter().enumerate() {
            let seat = TableSeat(u8::try_from(seat).unwrap_or(u8::MAX));
            prompt.load(seat, deck)?;
        }
        let documents = &prompt.table.kit().package.definition.tabletop.documents;
        if !documents.is_empty() && !start.quiet {
            let names: Vec<&str> = documents.iter().map(|document| document.name.as_str()).collect();
            say!("The package brings: {}", names.join(", "));
        }
    }
    prompt.lines()
}

/// The text of a file that is the record of a free table.
pub(crate) fn record(file: &Path) -> Option<String> {
    let text = cw_files::read_text(file, cw_files::RECORD).ok()?;
    FreeRecord::is_one(&text).then_some(text)
}

/// Plays a record again and compares every state.
pub(crate) fn verify(game: &Path, file: &Path, text: &str) -> anyhow::Result<ExitCode> {
    let cannot = || format!("cannot replay “{}”", file.display());
    let project = crate::package::open(Some(game))?.into_project();
    let record = FreeRecord::read(text).with_context(cannot)?;
    let table = record.play(&Arc::new(kit(project, None)?)).with_context(cannot)?;
    if !text.ends_with('\n') {
        note("the last line is incomplete, and is left out");
    }
    say!(
        "{} of a free table verified, state {}",
        output::count(table.len(), "step"),
        table.hash()
    );
    Ok(ExitCode::SUCCESS)
}

/// A deck of the package by its name, or one from a file.
pub(super) fn find_deck(package: &Package, decks: &[Deck], wanted: &str) -> anyhow::Result<Deck> {
    if Path::new(wanted).is_file() {
        return read_deck(package, wanted);
    }
    let found = decks.iter().find(|deck| deck.name.eq_ignore_ascii_case(wanted));
    found.cloned().with_context(|| {
        let names = decks.iter().map(|deck| deck.name.as_str());
        let near = cw_text::nearest(wanted, names.clone());
        let help = match near {
            Some(near) => format!("; did you mean “{near}”?"),
            None if decks.is_empty() => {
                ": the package has none; name an .o8d file or a list of cards".to_owned()
            }
            None => {
                let names: Vec<String> = names.map(|name| format!("“{name}”")).collect();
                format!("; the package has {}", names.join(", "))
            }
        };
        format!("there is no deck “{wanted}”{help}")
    })
}

/// A deck from a file; what is wrong with one that cannot be read is shown, and what a list may mean
/// otherwise.
fn read_deck(package: &Package, path: &str) -> anyhow::Result<Deck> {
    let bytes = cw_files::read(Path::new(path), cw_files::DECK)
        .with_context(|| format!("cannot read the deck “{path}”"))?;
    let mut sources = Sources::new();
    let is_list = cw_octgn::is_card_list(path, &bytes);
    let (deck, found) = package.read_deck(path, bytes, &limits(), &mut sources);
    if deck.is_none() || is_list && !found.is_empty() {
        output::findings(&sources, &found);
    }
    deck.filter(|_| !is_list || found.iter().all(|one| one.severity != Severity::Error))
        .with_context(|| format!("the deck “{path}” cannot be read"))
}

/// The file that every accepted verb is appended to.
pub(super) fn new_record(path: &Path, table: &FreeTable) -> anyhow::Result<File> {
    let file = super::play::new_record(path, "; `--resume` goes on with it")?;
    hold(&file, path)?;
    let mut file = file;
    let cannot = || super::play::cannot_record(path);
    file.write_all(FreeRecord::write(table).as_bytes())
        .with_context(cannot)?;
    file.sync_data().with_context(cannot)?;
    Ok(file)
}

/// The file of a game that goes on, held by this program alone, and what is in it.
pub(super) fn open_record(path: &Path) -> anyhow::Result<(File, String)> {
    let mut file = OpenOptions::new().read(true).write(true).open(path)?;
    hold(&file, path)?;
    let bytes = cw_files::read_from(&mut file, 0, cw_files::RECORD)?;
    let text = String::from_utf8(bytes).map_err(|_| cw_files::FileReadError::NotText)?;
    Ok((file, text))
}

/// Half a line at a record's end, of a program that was killed, goes.
pub(super) fn cut(file: &mut File, text: &str) -> io::Result<()> {
    let whole = text.rfind('\n').map_or(0, |end| end + 1);
    file.set_len(whole as u64)?;
    file.seek(io::SeekFrom::End(0))?;
    Ok(())
}

/// Two programs that write one record would make it a record of neither game.
fn hold(file: &File, path: &Path) -> anyhow::Result<()> {
    match file.try_lock() {
        Err(std::fs::TryLockError::WouldBlock) => bail!(
            "“{}” is being written by another Cardwright; \
             `quit` there first, or copy the record and go on with the copy",
            path.display()
        ),
        // Where files cannot be locked, as on some network folders, the game goes on without.
        Err(std::fs::TryLockError::Error(_)) | Ok(()) => Ok(()),
    }
}

/// Appends a line. What was written of one that does not fit goes again, lest the next one follow half a
/// line.
pub(super) fn append(log: &mut File, line: &str) -> io::Result<()> {
    let before = log.stream_position()?;
    log.write_all(line.as_bytes())
        .and_then(|()| log.sync_data())
        .or_else(|error| {
            log.set_len(before)?;
            log.seek(io::SeekFrom::Start(before))?;
            Err(error)
        })
}

struct Prompt {
    table: FreeTable,
    decks: Vec<Deck>,
    seat: TableSeat,
    log: Option<File>,
    quiet: bool,
    /// People sit at this screen: changing the seat covers what the last one saw (F172).
    private: bool,
    /// What an entry of the package probably means, until somebody says yes.
    likely: Option<Likely>,
    /// When a seat proposed last to take something back (F132).
    proposed: BTreeMap<usize, Instant>,
}

/// An entry that waits for a yes (F34).
struct Likely {
    seat: TableSeat,
    action: PackageAction,
    cards: String,
    pile: String,
    answers: BTreeMap<String, String>,
}

/// Words of the prompt itself.
const OWN: [(&str, &str); 10] = [
    ("view [spectator]", "what the seat sees, or a spectator"),
    ("seat N", "the screen goes to seat N"),
    ("N: LINE", "seat N does that line"),
    ("deck NAME", "loads a deck of the package or an .o8d file"),
    ("decks", "the package's decks"),
    ("actions", "the package's own menu entries"),
    ("do PATH [on CARDS|PILE] [n=1]", "chooses one of them"),
    (
        "yes [to=PILE] [marker=NAME] …",
        "does what an entry probably means",
    ),
    ("/…", "commands of the chat (`/help`)"),
    ("quit", "leaves the table; what was done is in the record"),
];

impl Prompt {
    fn lines(&mut self) -> anyhow::Result<ExitCode> {
        let stdin = io::stdin();
        let mut input = stdin.lock();
        loop {
            if self.private {
                output::raw(&format!("{}> ", self.table.state().seat(self.seat).name));
            }
            let mut bytes = Vec::new();
            let most = self.table.kit().limits.request;
            let read = io::Read::take(&mut input, most as u64).read_until(b'\n', &mut bytes);
            if read.context("the input cannot be read")? == 0 {
                return Ok(ExitCode::SUCCESS);
            }
            if bytes.len() == most && !bytes.ends_with(b"\n") {
                input.skip_until(b'\n').context("the input cannot be read")?;
                say!("No: the line is too long");
                continue;
            }
            let line = String::from_utf8_lossy(&bytes);
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
            if word.eq_ignore_ascii_case("quit") {
                if rest.trim().is_empty() {
                    return Ok(ExitCode::SUCCESS);
                }
                say!("No: `quit` stands alone");
                continue;
            }
            if let Err(error) = self.line(line, &mut input) {
                say!("No: {error}");
            }
        }
    }

    fn line(&mut self, line: &str, input: &mut dyn BufRead) -> anyhow::Result<()> {
        let (seat, line) = match line.split_once(':') {
            Some((seat, rest)) if seat.parse::<u8>().is_ok_and(|seat| seat > 0) => {
                (TableSeat(seat.parse::<u8>()? - 1), rest.trim())
            }
            _ => (self.seat, line),
        };
        if seat.index() >= self.table.state().seats.len() {
            bail!("there is no such seat");
        }
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word.to_lowercase().as_str() {
            "help" => {
                help();
                Ok(())
            }
            "view" => {
                match rest.trim() {
                    "" => self.show(seat.into()),
                    "spectator" | "spectators" => self.show(Looker::Spectators),
                    other => bail!("“{other}” has no view here: `view`, `2: view` or `view spectator`"),
                }
                Ok(())
            }
            "seat" => self.change_seat(rest.trim(), input),
            "deck" => self.load(seat, rest.trim()),
            // The record writes a whole list after `load`; people mean a deck by its name.
            "load" if !rest.contains(" section ") => self.load(seat, rest.trim().trim_matches('"')),
            "decks" => {
                let names: Vec<&str> = self.decks.iter().map(|deck| deck.name.as_str()).collect();
                say!("{}", names.join("\n"));
                Ok(())
            }
            "actions" => {
                print_actions(self.table.kit());
                Ok(())
            }
            "do" => self.choose(seat, rest.trim()),
            "yes" => self.confirm(seat, rest.trim()),
            _ if line.starts_with('/') => match self.table.chat(seat, line, "")? {
                ChatLine::Help(text) => {
                    say!("{text}");
                    Ok(())
                }
                ChatLine::Verb(verb) => self.act(seat, *verb),
            },
            _ => {
                let verb = self.table.parse(seat, line)?;
                self.act(seat, verb)
            }
        }
    }

    /// Does a verb: written down first, shown then.
    fn act(&mut self, seat: TableSeat, verb: TableVerb) -> anyhow::Result<()> {
        let proposes = matches!(verb, TableVerb::Propose { .. }) && !self.table.state().settings.solo;
        if proposes
            && let Some(last) = self.proposed.get(&seat.index())
            && let Some(left) = Duration::from_mins(1).checked_sub(last.elapsed())
        {
            // F132: nobody is worn down by asking.
            bail!("only one proposal a minute: wait {} seconds", left.as_secs() + 1);
        }
        let actor = if verb.is_of_host() {
            Actor::Host
        } else {
            Actor::Seat(seat)
        };
        let next = self.table.prepare(actor, verb)?;
        if let Some(log) = &mut self.log {
            let line = FreeRecord::next_line(&self.table, &next);
            append(log, &line).context("the record cannot be written; nothing has changed")?;
        }
        let events = self.table.commit(next);
        if proposes {
            self.proposed.insert(seat.index(), Instant::now());
        }
        self.tell(seat, &events);
        if self
            .table
            .state()
            .runs
            .iter()
            .any(|run| run.waits().is_some_and(|asked| asked.seat == seat))
        {
            print_asked(self.table.kit(), &self.table.view(seat));
        }
        Ok(())
    }

    fn tell(&self, seat: TableSeat, events: &[TableEvent]) {
        if self.quiet {
            return;
        }
        for text in events.iter().filter_map(|event| event.read_by(seat.into())) {
            if !text.is_empty() {
                say!("{text}");
            }
        }
    }

    fn load(&mut self, seat: TableSeat, wanted: &str) -> anyhow::Result<()> {
        if wanted.is_empty() {
            bail!("which deck? `decks` lists them");
        }
        let deck = find_deck(&self.table.kit().package, &self.decks, wanted)?;
        // F212: it may be meant all the same, and is full of blanks then.
        let game = &self.table.kit().package.definition;
        if deck.game.value != game.id.value {
            note(&format!(
                "the deck “{}” says that it belongs to another game than “{}”",
                deck.name, *game.name
            ));
        }
        let kit = Arc::clone(self.table.kit());
        let (mut list, problems) = DeckList::of(&kit, &deck);
        for problem in problems {
            match problem {
                // F212: OCTGN refuses such a deck; here the cards go to the deck, and that is said.
                DeckProblem::Section(section) => {
                    let pile = kit
                        .deck
                        .or(kit.hand)
                        .context("the package has no piles for a deck")?;
                    note(&format!(
                        "the section “{section}” has no pile; its cards go to {}",
                        kit.piles[pile].name
                    ));
                    list.choose(&section, u16::try_from(pile)?);
                }
                DeckProblem::Card(name, _) => {
                    note(&format!("there is no card “{name}”: a blank takes its place"));
                }
                DeckProblem::CustomSleeve(name) => note(&format!("the sleeve “{name}” is left out")),
            }
        }
        if list.count() == 0 {
            bail!("the deck “{}” has no cards", list.name);
        }
        self.act(seat, TableVerb::Load { deck: Arc::new(list) })
    }

    /// F172: the screen is covered until the next person confirms.
    fn change_seat(&mut self, wanted: &str, input: &mut dyn BufRead) -> anyhow::Result<()> {
        let number: u8 = wanted.parse().context("seat N, please")?;
        let seat = TableSeat(number.checked_sub(1).context("seats count from 1")?);
        let name = self
            .table
            .state()
            .seats
            .get(seat.index())
            .map(|seat| Arc::clone(&seat.name));
        let name = name.context("there is no such seat")?;
        if self.private {
            output::raw(&format!("{}{name}, please. Press Enter. ", "\n".repeat(60)));
            input.skip_until(b'\n')?;
        }
        self.seat = seat;
        Ok(())
    }

    /// Chooses a menu entry of the package (F33–F36, D74).
    fn choose(&mut self, seat: TableSeat, rest: &str) -> anyhow::Result<()> {
        let (path, on, answers) = chosen(rest)?;
        let kit = Arc::clone(self.table.kit());
        let action = &kit.actions[entry_named(&kit, &path)?];
        let pile = action
            .pile
            .clone()
            .map_or(String::new(), |pile| format!("\"{pile}\""));
        let (cards, pile) = if action.definition.of_card {
            (on.as_str(), pile.as_str())
        } else {
            ("", if on.is_empty() { pile.as_str() } else { on.as_str() })
        };
        if let Some(rule) = kit
            .mapping
            .rule(&action.definition.path(), action.definition.of_card)
        {
            return match rule.lines(&self.table, seat, cards, pile, &answers)? {
                Mapped::NotNow(when) => bail!("not now: it needs {when}"),
                Mapped::Lines(lines) => self.all(seat, &lines),
            };
        }
        let number = kit.actions.iter().position(|other| std::ptr::eq(other, action));
        if let Some(number) = number.filter(|number| self.table.runs(*number)) {
            let (place, what) = if action.definition.of_card {
                ("on", cards)
            } else {
                ("in", pile)
            };
            let on = if what.is_empty() {
                String::new()
            } else {
                format!(" {place} {what}")
            };
            let verb = self
                .table
                .parse(seat, &format!("run #{number}{on} time {}", now()))?;
            return self.act(seat, verb);
        }
        match action.mark {
            EntryMark::Exact => {
                let lines = action.filled(cards, pile, &BTreeMap::new());
                let lines = lines.map_err(|open| {
                    anyhow::anyhow!("say on what: do {path} on {}", open.join(", ").to_uppercase())
                })?;
                self.all(seat, &lines)
            }
            EntryMark::Likely => {
                let answers = answers
                    .iter()
                    .map(|(name, value)| (name.clone(), value.to_string()));
                let likely = Likely {
                    seat,
                    action: action.clone(),
                    cards: cards.to_owned(),
                    pile: pile.to_owned(),
                    answers: answers.collect(),
                };
                self.propose(likely);
                Ok(())
            }
            EntryMark::Says => self.act(
                seat,
                TableVerb::Announce {
                    text: action.definition.menu.to_string(),
                },
            ),
            EntryMark::Script => {
                let function = action.definition.execute.as_str();
                let mut scripts = kit.package.scripts.iter().rev();
                let place = scripts
                    .find(|(_, script)| script.names.contains(function))
                    .map_or(String::new(), |(file, _)| {
                        format!(" of {}", kit.package.sources.get(*file).name)
                    });
                say!(
                    "The table runs no scripts: “{}” would call {function}{place}.",
                    action.definition.menu
                );
                if !action.offers.is_empty() {
                    say!("By hand: {}", action.offers.join(", "));
                }
                Ok(())
            }
        }
    }

    /// Does all these lines as one step, or none.
    fn all(&mut self, seat: TableSeat, lines: &[String]) -> anyhow::Result<()> {
        let verb = self.table.parse_together(seat, lines)?;
        self.act(seat, verb)
    }

    /// F34: does what an entry of the package probably means, with what was still open.
    fn confirm(&mut self, seat: TableSeat, rest: &str) -> anyhow::Result<()> {
        let Some(waiting) = &self.likely else {
            bail!("nothing waits for a yes");
        };
        if waiting.seat != seat {
            bail!("that waits for {}", self.table.state().seat(waiting.seat).name);
        }
        let mut answers = waiting.answers.clone();
        answers.extend(named_answers(rest)?);
        let lines = waiting
            .action
            .filled(&waiting.cards, &waiting.pile, &answers)
            .map_err(|open| anyhow::anyhow!("still open: {}", open.join(", ")))?;
        self.all(seat, &lines)?;
        self.likely = None;
        Ok(())
    }

    /// F34: opens what an entry probably means, filled in as far as it was recognised.
    fn propose(&mut self, likely: Likely) {
        let named = |name: &str| format!("<{name}>");
        let holes = match likely.action.filled(&likely.cards, &likely.pile, &likely.answers) {
            Ok(_) => Vec::new(),
            Err(holes) => holes,
        };
        let mut shown = likely.answers.clone();
        shown.extend(holes.iter().map(|hole| (hole.clone(), named(hole))));
        let (cards, pile) = (
            if likely.cards.is_empty() {
                "<cards>"
            } else {
                &likely.cards
            },
            if likely.pile.is_empty() {
                "<pile>"
            } else {
                &likely.pile
            },
        );
        let lines = likely.action.filled(cards, pile, &shown).unwrap_or_default();
        let wanted: String = holes.iter().map(|hole| format!(" {hole}=…")).collect();
        say!("Probably: {}. To do it: yes{wanted}", lines.join("; "));
        self.likely = Some(likely);
    }

    /// The table as a list of text, from one looker's eyes.
    fn show(&self, looker: Looker) {
        let view = self.table.view(looker);
        let kit = self.table.kit();
        let phase = kit
            .phase(view.phase)
            .map_or(String::new(), |name| format!(", {name}"));
        let whose = view.active.map_or("nobody's turn".to_owned(), |active| {
            format!("turn {} of {}", view.turn, view.seats[active.index()].name)
        });
        say!("— {whose}{phase} —");
        for (at, shown) in view.seats.iter().enumerate() {
            let counters: Vec<String> = shown
                .counters
                .iter()
                .map(|(name, value)| format!("{name} {value}"))
                .collect();
            say!("{}. {}  {}", at + 1, shown.name, counters.join(" · "));
            for pile in view
                .piles
                .iter()
                .filter(|pile| pile.owner.is_some_and(|owner| owner.index() == at))
            {
                print_pile(pile);
            }
        }
        for pile in view.piles.iter().filter(|pile| pile.owner.is_none()) {
            print_pile(pile);
        }
        for card in &view.table {
            say!("  {}", card_words(kit, &view, card));
        }
        for (seat, from, to) in &view.arrows {
            say!(
                "  an arrow of {} from [{from}] to [{to}]",
                view.seats[seat.index()].name
            );
        }
        for shown in &view.notes {
            let private = if shown.private { ", for you alone" } else { "" };
            let author = &view.seats[shown.author.index()].name;
            let (id, x, y) = (shown.id, shown.x, shown.y);
            say!("  note {id} of {author} at {x},{y}{private}: “{}”", shown.text);
        }
        for (name, value) in &view.shared_counters {
            say!("  {name} {value}");
        }
        if let Some(sealed) = &view.sealed {
            say!("  you have sealed “{sealed}”");
        }
        for waiting in &view.questions {
            if waiting.open.has(looker) {
                say!("Question {} waits for you.", waiting.id);
            }
        }
        print_asked(kit, &view);
    }
}

/// The moment, in seconds since 1970: scripts are told when their entry was chosen.
pub(crate) fn now() -> i64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(0, |since| i64::try_from(since.as_secs()).unwrap_or(0))
}

/// What scripts ask whoever looks, with how it is answered.
pub(crate) fn print_asked(kit: &Kit, view: &cw_table::TableView) {
    use cw_table::ScriptQuestion as Asks;
    for run in &view.runs {
        let Some(question) = &run.question else {
            say!("{} waits for {}.", run.name, view.seats[run.of.index()].name);
            continue;
        };
        say!("{} asks: {}", run.name, question.text());
        let id = run.id;
        let list = |names: &[String]| {
            for (at, name) in names.iter().enumerate() {
                say!("  {at} {name}");
            }
        };
        match question {
            Asks::Confirm { .. } => say!("To answer: reply {id} yes|no|closed"),
            Asks::Number { default, .. } => say!("To answer: reply {id} {default}, or closed"),
            Asks::Text { default, .. } => say!("To answer: reply {id} \"{default}\", or closed"),
            Asks::Choice { choices, buttons, .. } => {
                for (at, (choice, _)) in choices.iter().enumerate() {
                    say!("  {} {choice}", at + 1);
                }
                for (at, button) in buttons.iter().enumerate() {
                    say!("  -{} {button}", at + 1);
                }
                say!("To answer: reply {id} NUMBER, or closed");
            }
            Asks::Marker => {
                list(
                    &kit.markers
                        .iter()
                        .map(|marker| marker.name.clone())
                        .collect::<Vec<_>>(),
                );
                say!("To answer: reply {id} counted PLACE HOW-MANY, or closed");
            }
            Asks::Model { models, .. } => {
                let names = models.iter().take(200);
                let names = names.map(|at| kit.name(&cw_table::TableModel::Card(*at), 0).to_owned());
                list(&names.collect::<Vec<_>>());
                say!("To answer: reply {id} counted PLACE HOW-MANY, or closed");
            }
            Asks::Cards {
                cards,
                bottom,
                least,
                most,
                ..
            } => {
                let all = cards.iter().chain(bottom.iter().flatten());
                let names = all.map(|card| match &card.face {
                    Some((model, form)) => kit.name(model, *form).to_owned(),
                    None => "a card".to_owned(),
                });
                list(&names.collect::<Vec<_>>());
                say!("To answer: reply {id} places N,N ({least} to {most}), or closed");
            }
        }
    }
}

fn print_pile(pile: &cw_table::PileView) {
    let cards: Vec<String> = pile
        .cards
        .iter()
        .map(|card| {
            let name = card.card.face.as_ref().map_or("?", |face| face.name.as_str());
            let place = card
                .place
                .map_or(String::new(), |place| format!("@{} ", place + 1));
            format!("{place}{name} [{}]", card.card.handle)
        })
        .collect();
    let cards = if cards.is_empty() {
        String::new()
    } else {
        format!(": {}", cards.join(", "))
    };
    say!("   {} ({}){cards}", pile.name, pile.count);
}

fn card_words(kit: &Kit, view: &cw_table::TableView, card: &cw_table::TableCardView) -> String {
    let name = card
        .face
        .as_ref()
        .map_or("a card, face down", |face| face.name.as_str());
    let mut notes = Vec::new();
    if card.face.is_some() && !card.up {
        notes.push("face down".to_owned());
    }
    if card.quarter.degrees() > 0 {
        notes.push(format!("{}°", card.quarter.degrees()));
    }
    for (kind, count) in &card.markers {
        if let Some(marker) = kit.markers.get(usize::from(*kind)) {
            notes.push(format!("{count} × {}", marker.name));
        }
    }
    let named = |seat: Option<TableSeat>| seat.and_then(|seat| view.seats.get(seat.index()));
    if let Some(colour) = card.highlight {
        notes.push(format!("highlighted {colour}"));
    }
    if let Some(colour) = card.filter {
        notes.push(format!("tinted {colour}"));
    }
    if let Some(seat) = named(card.target) {
        notes.push(format!("target of {}", seat.name));
    }
    if card.locked {
        notes.push("locked".to_owned());
    }
    if card.anchored {
        notes.push("anchored".to_owned());
    }
    if let Some(host) = card.host {
        notes.push(format!("attached to {host}"));
    }
    if let Some(text) = &card.note {
        notes.push(format!("“{text}”"));
    }
    if let Some(seat) = named(card.controller) {
        notes.push(seat.name.to_string());
    }
    format!(
        "[{}] {name} at {},{} ({})",
        card.handle,
        card.x,
        card.y,
        notes.join(", ")
    )
}

fn help() {
    for (word, what) in OWN {
        say!("{word:<32} {what}");
    }
    for (word, arguments, what) in VERBS {
        say!("{:<32} {what}", format!("{word} {arguments}"));
    }
    say!(
        "CARDS: 417 or Hand:417,52 or Deck:@1 (the top card); \
         `at 1` is the top, `at -1` the bottom; PILE: Deck, 2/Deck, */Shared, \"Two words\""
    );
}

/// `PATH [on CARDS] [n=1 …]`.
fn chosen(rest: &str) -> anyhow::Result<(String, String, BTreeMap<String, i64>)> {
    let mut answers = BTreeMap::new();
    let mut words: Vec<&str> = rest.split(' ').collect();
    while let Some((name, value)) = words.last().and_then(|word| word.split_once('=')) {
        let Ok(value) = value.parse() else { break };
        answers.insert(name.to_owned(), value);
        words.pop();
    }
    let rest = words.join(" ");
    let (path, on) = rest.rsplit_once(" on ").unwrap_or((&rest, ""));
    let path = path.trim().trim_matches('"').to_owned();
    if path.is_empty() {
        bail!("which entry? `actions` lists them");
    }
    Ok((path, on.trim().to_owned(), answers))
}

/// `to=Deck name="Two words"`.
fn named_answers(rest: &str) -> anyhow::Result<BTreeMap<String, String>> {
    let mut answers = BTreeMap::new();
    let mut left = rest.trim();
    while !left.is_empty() {
        let Some((name, after)) = left.split_once('=') else {
            bail!("“{left}” is no answer; write to=PILE, for example");
        };
        let mut quoted = false;
        let end = after
            .find(|c: char| {
                quoted ^= c == '"';
                c.is_whitespace() && !quoted
            })
            .unwrap_or(after.len());
        answers.insert(name.trim().to_owned(), after[..end].to_owned());
        left = after[end..].trim_start();
    }
    Ok(answers)
}

/// F38: every entry with its place, mark, built-in and parameters; first what of the scripts could not be
/// loaded.
pub(crate) fn print_actions(kit: &Kit) {
    for fault in kit.scripts.iter().flat_map(|scripts| &scripts.faults) {
        note(fault);
    }
    for action in kit.actions.iter().filter(|action| !action.definition.separator) {
        say!("{}", action_line(kit, action));
    }
}

fn action_line(kit: &Kit, action: &PackageAction) -> String {
    let place = action.pile.as_deref().unwrap_or("table");
    let kind = if action.definition.of_card {
        "card"
    } else {
        "group"
    };
    let key = action
        .key
        .as_deref()
        .map_or(String::new(), |key| format!(" ({key})"));
    let mark = mark_name(kit, action);
    let means = match mark {
        "says" => format!("“{}”", action.definition.menu),
        "cannot" => match kit.entry_runs(action) {
            Some(EntryRuns::Not(why)) => format!("because {why}"),
            _ => String::new(),
        },
        "script" if action.offers.is_empty() => format!("script {}", action.definition.execute),
        "script" => format!(
            "script {}; by hand: {}",
            action.definition.execute,
            action.offers.join(", ")
        ),
        "runs" => match kit.entry_runs(action) {
            Some(EntryRuns::But(words)) => format!(
                "its script {}, but {}",
                action.definition.execute,
                words.join("; ")
            ),
            _ => format!("its script {}", action.definition.execute),
        },
        _ => action.shown().join("; "),
    };
    format!(
        "{place} · {kind} · {}{key} · {mark} · {means}",
        action.definition.path()
    )
}

fn mark_name(kit: &Kit, action: &PackageAction) -> &'static str {
    if kit
        .mapping
        .rule(&action.definition.path(), action.definition.of_card)
        .is_some()
    {
        return "mapped";
    }
    let number = kit.actions.iter().position(|other| std::ptr::eq(other, action));
    let runs = number.is_some_and(|number| kit.runs(number));
    if matches!(kit.entry_runs(action), Some(EntryRuns::Not(_))) && (runs || action.mark == EntryMark::Script)
    {
        return "cannot";
    }
    if runs {
        return "runs";
    }
    match action.mark {
        EntryMark::Exact => "exact",
        EntryMark::Likely => "likely",
        EntryMark::Says => "says",
        EntryMark::Script => "script",
    }
}

/// F38 as JSON.
pub(crate) fn actions_json(kit: &Kit) -> serde_json::Value {
    let entries = kit.actions.iter().filter(|action| !action.definition.separator);
    let entry = |action: &PackageAction| {
        serde_json::json!({
            "place": action.pile.as_deref().unwrap_or("table"),
            "of": if action.definition.of_card { "card" } else { "group" },
            "path": action.definition.path(),
            "key": action.key,
            "default": action.definition.default,
            "mark": mark_name(kit, action),
            "verbs": action.shown(),
            "function": action.definition.execute.to_string(),
            "offers": action.offers,
            "lacks": match kit.entry_runs(action) {
                Some(EntryRuns::But(words)) => words,
                Some(EntryRuns::Not(why)) => vec![why],
                Some(EntryRuns::Well) | None => Vec::new(),
            },
        })
    };
    entries.map(entry).collect()
}
