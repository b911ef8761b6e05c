//! A package's own scripts at the table (`docs/spec/scripts.md`): what they keep, what they ask, how one is
//! run.
//!
//! One choice of an entry is one *run*: [`room::ScriptRoom`] is a copy of the table, with the interpreters of
//! the seats that take part. Scripts act there by verbs of their seat, as a person would. At the end the copy
//! is put in place or dropped; at a question without an answer it is dropped, the question waits in the
//! table's value ([`WaitingRun`]), and the answer runs the entry again from its beginning (S176).

mod ask;
mod calls;
mod cards;
mod check;
mod events;
mod groups;
mod people;
mod room;
mod thing;

use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, LazyLock, Mutex, OnceLock};

use cw_script::{HostValue, Interpreter, RunEnd, ScriptLimits, ScriptPackage};

use crate::kept::{ByteReader, Keep};
use crate::state::Handles;
use crate::{
    CardGroup, Kit, LookerSet, PileId, TableCardId, TableModel, TableSeat, TableSettings, TableState,
};

pub(crate) use ask::check;
pub use check::{EntryRuns, FT006, FT007, FT008, FT009};
pub(crate) use events::asked_for;
pub(crate) use events::happened;
pub use events::{AskedMove, MovedCard, ScriptEvent};
pub(crate) use room::{EntryPlace, RunOutcome, perform, shown};

/// What of the interface is Python of our own, compiled once.
const PRELUDE: &str = include_str!("script/prelude.py");
static COMPILED_PRELUDE: LazyLock<ScriptPackage> =
    LazyLock::new(|| ScriptPackage::new(&[(PRELUDE_NAME, PRELUDE)]));
/// How that file is named in places.
const PRELUDE_NAME: &str = "table.py";

/// Which version of the interface the package declares (S5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ScriptVersion {
    /// 3.1.0.0
    First,
    /// 3.1.0.1
    Second,
    /// 3.1.0.2
    Third,
}

/// A package's scripts, compiled once for all tables (S217).
#[derive(Debug)]
pub struct ScriptKit {
    package: ScriptPackage,
    /// How many lines they have.
    pub lines: usize,
    pub(crate) version: ScriptVersion,
    /// Names of the functions at top level, as a table of two seats has loaded them.
    pub faults: Vec<String>,
    functions: BTreeMap<String, usize>,
    /// Events that scripts want to hear of, with the functions that do (S140).
    pub(crate) events: Vec<(String, String)>,
    /// What they define and use, read without running them.
    pub(crate) usage: cw_script::PackageUsage,
    /// The names that stand before the first file.
    pub(crate) names: std::collections::BTreeSet<String>,
    pub(crate) unloaded: check::Unloaded,
    /// What the last run has called of the interface, while that is recorded (S250).
    calls: Mutex<Option<Vec<String>>>,
    /// What tables with these settings begin with.
    loaded: Mutex<Vec<(TableSettings, Vec<Arc<SeatScripts>>)>>,
}

/// How many settings are remembered.
const LOADED: usize = 16;

impl ScriptKit {
    /// Compiles the scripts of a package, and loads them once to see what they define.
    pub(crate) fn new(kit: &Kit, files: &[(String, Vec<u8>)]) -> ScriptKit {
        let named: Vec<(&str, &[u8])> = files
            .iter()
            .map(|(name, bytes)| (name.as_str(), bytes.as_slice()))
            .collect();
        let declared = kit.package.definition.script_version.as_ref();
        let declared = declared
            .map(|version| version.value.to_string())
            .unwrap_or_default();
        let package = ScriptPackage::new(&named);
        let mut scripts = ScriptKit {
            usage: cw_script::PackageUsage::of(&package),
            names: check::names(),
            unloaded: Vec::new(),
            package,
            lines: files
                .iter()
                .map(|(_, bytes)| bytes.iter().filter(|byte| **byte == b'\n').count())
                .sum(),
            version: match declared.as_str() {
                "3.1.0.2" => ScriptVersion::Third,
                "3.1.0.1" => ScriptVersion::Second,
                _ => ScriptVersion::First,
            },
            faults: Vec::new(),
            functions: BTreeMap::new(),
            events: Vec::new(),
            calls: Mutex::default(),
            loaded: Mutex::default(),
        };
        let mut settings = TableSettings::for_seats(2);
        settings.scripts = crate::ScriptRule::Off;
        let state = TableState::new(kit, settings, cw_chance::Chance::seeded(0), 0);
        let (loaded, runs) = room::load_runs(kit, &scripts, &state, TableSeat(0));
        scripts.faults = runs
            .iter()
            .filter_map(|(file, run)| fault(file, &run.end))
            .collect();
        scripts.unloaded = runs
            .iter()
            .filter_map(|(file, run)| {
                let words = fault(file, &run.end)?;
                let words = words.split_once(": ").map_or(&*words, |(_, why)| why);
                let words = words
                    .rsplit_once(", line ")
                    .map_or(words, |(why, _)| why)
                    .to_owned();
                let line = match &run.end {
                    RunEnd::Failed(error) => {
                        let own = error.trace.iter().find(|place| *place.file == **file);
                        own.map_or(1, |place| place.line)
                    }
                    _ => 1,
                };
                Some((Arc::from(file.as_str()), words, line))
            })
            .collect();
        for function in kit.package.scripts.iter().flat_map(|(_, script)| &script.names) {
            if let Some(takes) = loaded.interpreter.takes(function) {
                scripts.functions.insert(function.to_string(), takes);
            }
        }
        for event in &kit.package.definition.tabletop.events {
            let (name, function) = (event.name.to_string(), event.action.to_string());
            if let Some(takes) = loaded.interpreter.takes(&function) {
                scripts.functions.insert(function.clone(), takes);
                scripts.events.push((name, function));
            }
        }
        for action in &kit.actions {
            let action = &action.definition;
            for function in [&action.execute, &action.show_if, &action.get_name] {
                if let Some(takes) = loaded.interpreter.takes(function) {
                    scripts.functions.insert(function.to_string(), takes);
                }
            }
        }
        scripts
    }

    /// Whether a function of the scripts hears of this event.
    pub fn hears(&self, event: &str) -> bool {
        self.events.iter().any(|(name, _)| name == event)
    }

    /// Whether the scripts define this function.
    pub fn defines(&self, function: &str) -> bool {
        self.functions.contains_key(function)
    }
}

/// The scripts of one seat as they stand.
#[derive(Clone, Debug)]
pub(crate) struct SeatScripts {
    pub(crate) interpreter: Interpreter,
    /// Made when it is first asked for: most entries are never compared with anything.
    digest: OnceLock<[u8; 32]>,
}

impl SeatScripts {
    /// Takes an interpreter over when a run is put in place.
    pub(crate) fn of(mut interpreter: Interpreter) -> Arc<SeatScripts> {
        interpreter.sweep();
        Arc::new(SeatScripts {
            interpreter,
            digest: OnceLock::new(),
        })
    }

    /// What they are equal by, wherever their objects lie (S174).
    pub(crate) fn digest(&self) -> [u8; 32] {
        *self.digest.get_or_init(|| self.interpreter.digest())
    }
}

impl PartialEq for SeatScripts {
    fn eq(&self, other: &SeatScripts) -> bool {
        self.digest() == other.digest()
    }
}

impl Eq for SeatScripts {}

impl Hash for SeatScripts {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.digest().hash(state);
    }
}

/// Names with their values, sorted by name.
pub(crate) type Variables = Vec<(Arc<str>, Arc<str>)>;

/// A text that a script has written over a property of a card's form.
pub(crate) type PropertyOverride = (TableCardId, u8, Arc<str>, Arc<str>);

/// A card that a seat's scripts hold from one run to the next.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct HeldCard {
    pub(crate) seat: TableSeat,
    /// As the scripts know it.
    pub(crate) number: u32,
    /// The seat's own name for it; 0 once it was lost.
    pub(crate) handle: u32,
    pub(crate) card: TableCardId,
    /// Where the seat has seen it last.
    pub(crate) group: CardGroup,
}

/// What scripts keep at a table.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub(crate) struct ScriptState {
    /// By seat; nothing if no scripts run here.
    pub(crate) seats: Vec<Arc<SeatScripts>>,
    /// What each was when it was loaded.
    pub(crate) loaded: Vec<[u8; 32]>,
    /// Variables of the table (S119).
    pub(crate) globals: Variables,
    /// Variables of each seat (S117).
    pub(crate) own: Vec<Variables>,
    /// Settings of each seat (S214).
    pub(crate) settings: Vec<Variables>,
    /// What scripts have written over properties: card, form, property, text (S67).
    pub(crate) overrides: Vec<PropertyOverride>,
    /// Numbers of cards as scripts know them (S220).
    pub(crate) numbers: Handles,
    /// Numbers that a seat's scripts hold, with the seat's own handle for that card: they go on meaning it
    /// for as long as the seat can follow it, whatever its number is meanwhile (S221).
    pub(crate) held: Vec<HeldCard>,
    /// Who lets whose entry act on what is hidden, for good (S185).
    pub(crate) allowed: Vec<(TableSeat, TableSeat, u16)>,
    /// Who has agreed that scripts run at all, where that is asked (S170).
    pub(crate) agreed: LookerSet,
    /// How many runs were begun (S178).
    pub(crate) started: u32,
    /// Scripts were told that the game has begun (S216).
    pub(crate) begun: bool,
}

/// What of it never goes back.
#[derive(Clone, Debug)]
pub(crate) struct ScriptConstants {
    started: u32,
    given: u32,
    settings: Vec<Variables>,
}

impl ScriptState {
    pub(crate) fn constants(&self) -> ScriptConstants {
        ScriptConstants {
            started: self.started,
            given: self.numbers.given,
            settings: self.settings.clone(),
        }
    }

    /// Carries over to an earlier state what never goes back.
    pub(crate) fn carry(&mut self, constants: &ScriptConstants) {
        self.started = constants.started;
        self.numbers.given = constants.given;
        for (old, new) in self.settings.iter_mut().zip(&constants.settings) {
            old.clone_from(new);
        }
    }

    /// Whether loading leads to the interpreters as they are now.
    pub(crate) fn is_kept(&self, _: &Kit, state: &TableState) -> bool {
        let seats = self.seats.iter().map(|seat| seat.digest());
        self.seats.is_empty()
            || (seats.eq(self.loaded.iter().copied()) && self.seats.len() == state.settings.names.len())
    }

    /// Somebody can no longer follow a card: its number means nothing from here on (S220).
    pub(crate) fn lose_number(&mut self, id: TableCardId) {
        if let Some(number) = self.numbers.of.get_mut(id.index()) {
            *number = 0;
        }
    }

    /// Gives a number to each card that has none.
    pub(crate) fn give_numbers(&mut self, order: &[TableCardId], count: usize, number: impl Fn(u32) -> u32) {
        if self.seats.is_empty() {
            return;
        }
        self.numbers.of.resize(count, 0);
        for id in order {
            let own = &mut self.numbers.of[id.index()];
            if *own == 0 {
                *own = number(self.numbers.given);
                self.numbers.given += 1;
            }
        }
    }

    /// A card changes its group: what was written over its properties is lost.
    pub(crate) fn forget(&mut self, id: TableCardId) {
        self.overrides.retain(|(card, ..)| *card != id);
    }

    pub(crate) fn number(&self, id: TableCardId) -> u32 {
        self.numbers.of.get(id.index()).copied().unwrap_or(0)
    }
}

fn put_overrides(overrides: &[PropertyOverride], out: &mut Vec<u8>) {
    let cards: Vec<(TableCardId, u8)> = overrides.iter().map(|(card, form, ..)| (*card, *form)).collect();
    let texts: Vec<(Arc<str>, Arc<str>)> = overrides
        .iter()
        .map(|(.., name, text)| (name.clone(), text.clone()))
        .collect();
    cards.put(out);
    texts.put(out);
}

fn take_overrides(from: &mut ByteReader<'_>) -> Option<Vec<PropertyOverride>> {
    let cards: Vec<(TableCardId, u8)> = Keep::take(from)?;
    let texts: Vec<(Arc<str>, Arc<str>)> = Keep::take(from)?;
    let all = cards.into_iter().zip(texts);
    Some(
        all.map(|((card, form), (name, text))| (card, form, name, text))
            .collect(),
    )
}

impl Keep for ScriptState {
    fn put(&self, out: &mut Vec<u8>) {
        // Interpreters stand as they were loaded: else such a state is not kept.
        let ScriptState {
            seats: _,
            loaded: _,
            globals,
            own,
            settings,
            overrides,
            numbers,
            held: _,
            allowed,
            agreed,
            started,
            begun,
        } = self;
        globals.put(out);
        own.put(out);
        settings.put(out);
        put_overrides(overrides, out);
        numbers.put(out);
        allowed.put(out);
        agreed.put(out);
        started.put(out);
        begun.put(out);
    }

    fn take(from: &mut ByteReader<'_>) -> Option<ScriptState> {
        Some(ScriptState {
            seats: Vec::new(),
            loaded: Vec::new(),
            globals: Keep::take(from)?,
            own: Keep::take(from)?,
            settings: Keep::take(from)?,
            overrides: take_overrides(from)?,
            numbers: Keep::take(from)?,
            held: Vec::new(),
            allowed: Keep::take(from)?,
            agreed: Keep::take(from)?,
            started: Keep::take(from)?,
            begun: Keep::take(from)?,
        })
    }
}

/// After a step: cards that scripts hold lie where their seats saw them go (S222).
pub(crate) fn follow_held(state: &mut TableState) {
    let mut held = std::mem::take(&mut state.scripts.held);
    for one in held.iter_mut().filter(|one| one.handle != 0) {
        let there = state.by_handle(one.seat.into(), one.handle);
        if there.is_none() {
            one.handle = 0;
        }
        if state.is_there(one.card) {
            one.group = state.card(one.card).group;
        }
    }
    state.scripts.held = held;
}

/// Loads the scripts of a new table, one interpreter for each seat (S6).
pub(crate) fn load(kit: &Kit, state: &mut TableState) {
    let Some(scripts) = &kit.scripts else { return };
    let known = scripts.loaded.lock().ok().and_then(|known| {
        let found = known.iter().find(|(settings, _)| *settings == state.settings);
        found.map(|(_, seats)| seats.clone())
    });
    let seats = known.unwrap_or_else(|| {
        let seats: Vec<Arc<SeatScripts>> = state
            .seat_ids()
            .map(|seat| room::load_runs(kit, scripts, state, seat).0)
            .collect();
        if let Ok(mut known) = scripts.loaded.lock() {
            known.truncate(LOADED - 1);
            known.insert(0, (state.settings.clone(), seats.clone()));
        }
        seats
    });
    let top = &kit.package.definition.tabletop;
    let variables = |written: &[(cw_octgn::Str, cw_octgn::Str)]| -> Variables {
        let named = written
            .iter()
            .map(|(name, value)| (Arc::from(name.as_str()), Arc::from(value.as_str())));
        named.collect::<BTreeMap<_, _>>().into_iter().collect()
    };
    state.scripts.loaded = seats.iter().map(|seat| seat.digest()).collect();
    state.scripts.seats = seats;
    state.scripts.globals = variables(&top.variables);
    state.scripts.own = state
        .seat_ids()
        .map(|_| variables(&top.player_variables))
        .collect();
    state.scripts.settings = state.seat_ids().map(|_| Vec::new()).collect();
}

/// Loads the scripts for the seat that was added last (S212).
pub(crate) fn load_seat(kit: &Kit, state: &mut TableState) {
    let Some(scripts) = kit.scripts.as_ref().filter(|_| !state.scripts.seats.is_empty()) else {
        return;
    };
    let seat = TableSeat::at(state.seats.len() - 1);
    let loaded = room::load_runs(kit, scripts, state, seat).0;
    state.scripts.loaded.push(loaded.digest());
    state.scripts.seats.push(loaded);
    let top = &kit.package.definition.tabletop;
    let variables = top.player_variables.iter();
    let variables = variables.map(|(name, value)| (Arc::from(name.as_str()), Arc::from(value.as_str())));
    let variables: BTreeMap<Arc<str>, Arc<str>> = variables.collect();
    state.scripts.own.push(variables.into_iter().collect());
    state.scripts.settings.push(Vec::new());
}

/// A state that was kept, with its interpreters as they were loaded.
pub(crate) fn restored(kit: &Kit, mut now: TableState) -> TableState {
    if now.settings.scripts != crate::ScriptRule::Off && kit.scripts.is_some() {
        let fresh = TableState::new(kit, now.settings.clone(), now.chance, now.salt);
        now.scripts.seats = fresh.scripts.seats;
        now.scripts.loaded = fresh.scripts.loaded;
    }
    now
}

/// Markers that scripts name as `("name", "id")`: pairs of texts, the second without blanks.
pub(crate) fn markers_of(texts: &[String]) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    let literal = |text: &str| -> Option<(String, usize)> {
        let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        let end = text[1..].find(quote)? + 1;
        let inside = &text[1..end];
        let plain = !inside.contains(['\n', '\\']) && inside.len() <= 80;
        plain.then(|| (inside.to_owned(), end + 1))
    };
    for text in texts {
        for (at, _) in text.match_indices('(') {
            let rest = text[at + 1..].trim_start();
            let Some((name, end)) = literal(rest) else {
                continue;
            };
            let Some(rest) = rest[end..].trim_start().strip_prefix(',') else {
                continue;
            };
            let rest = rest.trim_start();
            let Some((id, end)) = literal(rest) else { continue };
            let closes = rest[end..].trim_start().starts_with(')');
            let is_id = !id.is_empty() && !id.contains(char::is_whitespace);
            if closes && is_id && !name.is_empty() && !found.iter().any(|(_, other)| *other == id) {
                found.push((name, id));
            }
        }
    }
    found
}

/// An answer to what a script asks.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ScriptAnswer {
    /// The window was closed.
    Closed,
    /// Yes.
    Yes,
    /// No.
    No,
    /// A number; of choices the place counted from 1, of buttons below 0.
    Number(i64),
    /// A text.
    Text(String),
    /// Things of the list, by their places from 0, in this order.
    Places(Vec<u32>),
    /// So many of the thing at this place.
    Counted(u32, u32),
}

/// A card in a question, with its face if the seat may see it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ShownCard {
    /// Which.
    pub card: TableCardId,
    /// What it is and its form; nothing if only its back is shown.
    pub face: Option<(TableModel, u8)>,
}

/// What a script asks a person (S53–S59, S60a).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the fields are those of the interface")]
pub enum ScriptQuestion {
    /// Yes or no.
    Confirm { text: String },
    /// A number, 0 or more.
    Number { text: String, default: i64 },
    /// A line.
    Text { text: String, default: String },
    /// One of several, or one of the buttons below them. Colours stand beside choices if there are any.
    Choice {
        text: String,
        choices: Vec<(String, Option<crate::Colour>)>,
        buttons: Vec<String>,
    },
    /// A marker and how many.
    Marker,
    /// A card of the package and how many, out of these.
    Model { text: String, models: Vec<u32> },
    /// Cards of a list; with a second list, cards are put into either.
    Cards {
        title: String,
        text: String,
        label: String,
        bottom_label: String,
        cards: Vec<ShownCard>,
        bottom: Option<Vec<ShownCard>>,
        least: u32,
        most: u32,
    },
}

impl ScriptQuestion {
    /// Its words.
    pub fn text(&self) -> &str {
        match self {
            ScriptQuestion::Confirm { text }
            | ScriptQuestion::Number { text, .. }
            | ScriptQuestion::Text { text, .. }
            | ScriptQuestion::Choice { text, .. }
            | ScriptQuestion::Model { text, .. } => text,
            ScriptQuestion::Marker => "Which marker?",
            ScriptQuestion::Cards { title, text, .. } => {
                if text.is_empty() {
                    title
                } else {
                    text
                }
            }
        }
    }
}

/// A question of a run, with the seat that is asked.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AskedScript {
    /// Who is asked.
    pub seat: TableSeat,
    /// What.
    pub question: ScriptQuestion,
}

/// Stands for an entry where events are told.
pub(crate) const OF_EVENTS: u16 = u16::MAX;

/// An entry that was chosen and waits for an answer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct WaitingRun {
    /// Its number among questions; never used again.
    pub id: u32,
    /// How many were begun before it: its chance is made from that (S178).
    pub number: u32,
    /// Who chose it.
    pub by: TableSeat,
    /// Its place among the kit's entries; the largest number if it runs what scripts want to hear of.
    pub entry: u16,
    /// What happened, if no entry was chosen.
    pub events: Vec<ScriptEvent>,
    /// The verb that is done if what scripts do in its place fails (S145).
    pub instead: Option<Arc<crate::TableVerb>>,
    /// The cards it was chosen on.
    pub cards: Vec<TableCardId>,
    /// The pile whose menu it stands in.
    pub pile: Option<PileId>,
    /// Where the pointer was.
    pub at: Option<(i32, i32)>,
    /// When it was chosen, in seconds since 1970 (S26).
    pub time: i64,
    /// What was asked so far; the last waits.
    pub asked: Vec<AskedScript>,
    /// What was answered.
    pub answers: Vec<ScriptAnswer>,
    /// What the seats saw meanwhile that they did not know: who, of which pile, how many (S181).
    pub seen: Vec<(LookerSet, CardGroup, u32)>,
    /// A card that it is about has ceased to be; another may have its place by now (S180).
    pub lost: bool,
}

impl WaitingRun {
    /// What waits.
    pub fn waits(&self) -> Option<&AskedScript> {
        self.asked.get(self.answers.len())
    }

    /// Whether it is about this card: it was chosen on it, hears of it or asks about it.
    pub(crate) fn names(&self, id: TableCardId) -> bool {
        let shown = |cards: &[ShownCard]| cards.iter().any(|shown| shown.card == id);
        let asks = |asked: &AskedScript| match &asked.question {
            ScriptQuestion::Cards { cards, bottom, .. } => {
                shown(cards) || bottom.as_deref().is_some_and(shown)
            }
            _ => false,
        };
        self.cards.contains(&id)
            || self.events.iter().any(|event| event.is_of(id))
            || self.asked.iter().any(asks)
    }
}

/// Bounds of a run that the table counts (S195).
pub(crate) struct RunLimits;

impl RunLimits {
    pub(crate) const JOBS: usize = 4_000;
    pub(crate) const CHAIN: u8 = 16;
    pub(crate) const VERBS: usize = 5_000;
    pub(crate) const QUESTIONS: usize = 100;
    pub(crate) const LINES: usize = 300;
    pub(crate) const TEXT: usize = 64 << 10;
}

/// Whether a call ended well; for the loader.
fn fault(file: &str, end: &RunEnd) -> Option<String> {
    match end {
        RunEnd::Done(_) => None,
        RunEnd::Failed(error) => {
            let place = error.trace.iter().find(|place| &*place.file != PRELUDE_NAME);
            let line = place.map_or(String::new(), |place| format!(", line {}", place.line));
            let message = if error.message.is_empty() {
                error.class.clone()
            } else {
                format!("{}: {}", error.class, error.message)
            };
            Some(format!(
                "{file} of the package could not be loaded: {message}{line}"
            ))
        }
        RunEnd::Stopped(stop) => Some(format!(
            "{file} of the package could not be loaded: {}",
            room::stop_words(stop)
        )),
    }
}

/// An interpreter of a seat, with the interface in it.
fn interpreter(room: &mut room::ScriptRoom<'_>) -> Interpreter {
    let mut interpreter = Interpreter::new(room);
    let runs = interpreter.load(&COMPILED_PRELUDE, room, &ScriptLimits::LOAD);
    debug_assert!(
        runs.iter().all(|(_, run)| matches!(run.end, RunEnd::Done(_))),
        "{runs:?}"
    );
    interpreter
}

/// Nothing, as scripts know it.
pub(crate) const NONE: HostValue = HostValue::None;
