//! The host: the tables behind the server, and what happens to them between requests.

use std::collections::BTreeMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::{Duration, Instant};

use axum::Router;
use cw_duel::{Game, PerSeat, Seat};
use cw_faces::Catalogue;
use cw_octgn::Files;
use cw_players::{Eyes, Level, Sight as _, mix, sight};
use cw_program::ModelId;
use serde::{Deserialize, Serialize};
use tokio::sync::watch;

use crate::guard::{Allowance, Budget};
use crate::pages::RuleText;
use crate::store::{Store, StoreError, TableRecord};
use crate::table::{CannotBegin, Done, Start, Table, Who};
use crate::{Secret, Stage, routes};

/// Why there is no table.
#[derive(Debug, thiserror::Error)]
pub enum HostError {
    /// The duel cannot start.
    #[error(transparent)]
    Begin(#[from] CannotBegin),
    /// It cannot be kept.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// No port can be had.
    #[error("cannot listen on {address}: {source}")]
    Listen {
        /// Where.
        address: SocketAddr,
        /// Why not.
        source: std::io::Error,
    },
}

/// The way to a seat: whoever opens it sits there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invitation {
    /// Which seat.
    pub seat: Seat,
    /// Who sits there.
    pub who: Who,
    /// The path below the server's address. It holds the seat's secret.
    pub path: String,
}

/// Tables of one game, behind a server.
#[derive(Clone)]
pub struct Host {
    pub(crate) inner: Arc<Inner>,
}

pub(crate) struct Inner {
    pub game: Arc<Game>,
    pub catalogue: Arc<Catalogue>,
    store: Box<dyn Store>,
    /// The package's files, for its pictures.
    pub files: Option<Box<dyn Files + Send>>,
    /// The rules' texts, to show which statement ran.
    pub rules: BTreeMap<ModelId, RuleText>,
    /// Lessons and puzzles that every seat may open.
    pub shelf: Vec<Arc<Stage>>,
    /// Is given the record of each duel that ends.
    over: Option<Over>,
    /// By the public names of the seats.
    pub seats: RwLock<BTreeMap<String, (Arc<Cell>, Seat)>>,
}

/// Takes the text of a record.
type Over = Box<dyn Fn(&str) + Send + Sync>;

/// A table that several requests share.
#[derive(Debug)]
pub(crate) struct Cell {
    table: Mutex<Table>,
    kept: Mutex<Kept>,
    pub(crate) allowance: Mutex<Allowance>,
    /// The time that may be spent on this table.
    pub(crate) budget: Mutex<Budget>,
    /// How many connections follow the table.
    pub(crate) followers: AtomicUsize,
    /// Whether a computer thinks about this table already.
    thinking: AtomicBool,
    pub(crate) changed: watch::Sender<u64>,
}

/// How the store keeps a table's duel.
#[derive(Debug)]
struct Kept {
    /// Under which name.
    id: String,
    /// How many entries it has.
    entries: u64,
    /// Nobody brings it back any more.
    finished: bool,
}

impl Cell {
    pub(crate) fn table(&self) -> MutexGuard<'_, Table> {
        locked(&self.table)
    }
}

pub(crate) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// How a duel began, as the store keeps it.
#[derive(Debug, Serialize, Deserialize)]
struct StartRecord {
    seed: u64,
    first: Option<u8>,
    decks: [Vec<String>; 2],
    names: [String; 2],
    who: [Who; 2],
    secrets: [String; 2],
    illegal_decks: bool,
    /// The text of a scenario file, and which of its scenarios.
    #[serde(default)]
    stage: Option<(String, usize)>,
    /// Whether the table begins behind the scenario's steps.
    #[serde(default)]
    after_steps: bool,
    /// Whether no coach leads through them.
    #[serde(default)]
    uncoached: bool,
    /// Where the numbers of its decisions begin: those of an earlier duel of the same seats are stale.
    #[serde(default)]
    number: u64,
}

impl std::fmt::Debug for Host {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Host")
            .field("game", &self.inner.game.name)
            .finish_non_exhaustive()
    }
}

impl Host {
    /// A host for this game.
    pub fn new(game: Arc<Game>, catalogue: Arc<Catalogue>, store: Box<dyn Store>) -> Host {
        let seats = RwLock::default();
        Host {
            inner: Arc::new(Inner {
                game,
                catalogue,
                store,
                files: None,
                rules: BTreeMap::new(),
                shelf: Vec::new(),
                over: None,
                seats,
            }),
        }
    }

    /// Gives the record of each duel that ends, as `cardwright replay` reads it, to `over`.
    ///
    /// # Panics
    /// If the host is shared already.
    #[must_use]
    pub fn when_over(mut self, over: Box<dyn Fn(&str) + Send + Sync>) -> Host {
        let inner = Arc::get_mut(&mut self.inner).expect("a new host is not shared yet");
        inner.over = Some(over);
        self
    }

    /// Shows the pictures that the package brings.
    ///
    /// # Panics
    /// If the host is shared already.
    #[must_use]
    pub fn with_pictures(mut self, files: Box<dyn Files + Send>) -> Host {
        let inner = Arc::get_mut(&mut self.inner).expect("a new host is not shared yet");
        inner.files = Some(files);
        self
    }

    /// Shows the statements of the rules that ran.
    ///
    /// # Panics
    /// If the host is shared already.
    #[must_use]
    pub fn with_rules(mut self, loaded: &cw_load::Loaded) -> Host {
        let inner = Arc::get_mut(&mut self.inner).expect("a new host is not shared yet");
        let text = |rule: &cw_load::RuleText| {
            let file = &loaded.package.sources.get(rule.file).text;
            RuleText {
                start: rule.body.range().start,
                text: without_what_follows(file.get(rule.body.range()).unwrap_or("")).to_owned(),
            }
        };
        inner.rules = loaded
            .rules
            .iter()
            .map(|(model, rule)| (*model, text(rule)))
            .collect();
        self
    }

    /// Puts lessons and puzzles on the shelf, from which every seat may take them.
    ///
    /// # Panics
    /// If the host is shared already.
    #[must_use]
    pub fn with_shelf(mut self, shelf: Vec<Arc<Stage>>) -> Host {
        let inner = Arc::get_mut(&mut self.inner).expect("a new host is not shared yet");
        inner.shelf = shelf;
        self
    }

    /// Begins a duel.
    ///
    /// # Errors
    /// If it cannot start, or cannot be kept.
    pub fn open(&self, start: Start) -> Result<Vec<Invitation>, HostError> {
        let secrets = PerSeat::from_fn(|_| Secret::new());
        let mut table = Table::new(start, secrets)?;
        let kept = self.inner.keep_all(&mut table)?;
        Ok(self.seat(table, kept))
    }

    /// Brings back the duels of this game that were not over when the program ended, the newest
    /// first. Those that no longer fit the game are left alone.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn resume(&self) -> Result<Vec<Vec<Invitation>>, HostError> {
        let inner = &self.inner;
        let mut found = Vec::new();
        for record in inner.store.unfinished()? {
            if record.fingerprint != inner.game.fingerprint {
                continue;
            }
            let log = inner.store.log(&record.id)?;
            if let Some(table) = inner.restore(&record, &log) {
                let kept = Kept {
                    id: record.id,
                    entries: log.len() as u64,
                    finished: false,
                };
                found.push(self.seat(table, kept));
            }
        }
        Ok(found)
    }

    fn seat(&self, table: Table, kept: Kept) -> Vec<Invitation> {
        let invitations = Seat::BOTH.map(|seat| Invitation {
            seat,
            who: table.seats[seat].who,
            path: format!("/join/{}", table.seats[seat].secret.reveal()),
        });
        let names = Seat::BOTH.map(|seat| (table.seats[seat].secret.public(), seat));
        let cell = Arc::new(Cell {
            changed: watch::Sender::new(table.number()),
            table: Mutex::new(table),
            kept: Mutex::new(kept),
            allowance: Mutex::default(),
            budget: Mutex::default(),
            followers: AtomicUsize::new(0),
            thinking: AtomicBool::new(false),
        });
        let mut seats = self.inner.seats.write().unwrap_or_else(PoisonError::into_inner);
        for (name, seat) in names {
            seats.insert(name, (Arc::clone(&cell), seat));
        }
        drop(seats);
        self.inner.settle(&cell);
        invitations.into()
    }

    /// Begins a lesson or a puzzle of the shelf for a person; the way to their seat.
    pub(crate) fn open_stage(&self, stage: &Arc<Stage>) -> Result<Invitation, HostError> {
        let invitations = self.open(Start {
            game: Arc::clone(&self.inner.game),
            catalogue: Arc::clone(&self.inner.catalogue),
            decks: PerSeat::default(),
            names: PerSeat([stage.name().to_owned(), String::new()]),
            who: PerSeat([Who::Person, Who::COMPUTER]),
            seed: 1,
            first: None,
            allow_illegal_decks: true,
            stage: Some(Arc::clone(stage)),
        })?;
        Ok(invitations[Stage::SEAT.index()].clone())
    }

    /// A table of its own that goes on from a step of this one; the way to the same seat of it.
    pub(crate) fn fork(&self, cell: &Cell, at: usize, seat: Seat) -> Result<Invitation, HostError> {
        let mut table = cell
            .table()
            .going_on_at(at, seat, PerSeat::from_fn(|_| Secret::new()));
        let kept = self.inner.keep_all(&mut table)?;
        Ok(self.seat(table, kept)[seat.index()].clone())
    }

    /// The routes.
    pub fn router(&self) -> Router {
        routes::router(self)
    }

    /// Serves on this machine until the program ends. `ready` is told the address.
    ///
    /// # Errors
    /// If the port cannot be had. Without a wish, the usual port is tried, then any.
    pub fn serve(self, port: Option<u16>, ready: impl FnOnce(SocketAddr)) -> Result<(), HostError> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .map_err(|source| HostError::Listen {
                address: local(port.unwrap_or(0)),
                source,
            })?;
        runtime.block_on(async {
            let listener = match port {
                Some(port) => listen(port).await,
                None => match listen(USUAL_PORT).await {
                    Ok(listener) => Ok(listener),
                    Err(_) => listen(0).await,
                },
            }?;
            let address = listener.local_addr().unwrap_or(local(port.unwrap_or(USUAL_PORT)));
            ready(address);
            self.inner.settle_all();
            axum::serve(listener, self.router())
                .await
                .map_err(|source| HostError::Listen { address, source })
        })
    }
}

/// Where the table is if nobody else is there: so that a page finds it again after a restart.
const USUAL_PORT: u16 = 7313;

fn local(port: u16) -> SocketAddr {
    SocketAddr::from((Ipv4Addr::LOCALHOST, port))
}

async fn listen(port: u16) -> Result<tokio::net::TcpListener, HostError> {
    let address = local(port);
    let listening = tokio::net::TcpListener::bind(address).await;
    listening.map_err(|source| HostError::Listen { address, source })
}

impl Inner {
    /// Writes the beginning of a duel down, and what was done in it already.
    fn keep_all(&self, table: &mut Table) -> Result<Kept, StoreError> {
        let id = self.keep(table)?;
        let mut entries = 0;
        for done in table.take_done() {
            let text = serde_json::to_string(&done).expect("texts and numbers are always JSON");
            self.store.append(&id, entries, &text)?;
            entries += 1;
        }
        Ok(Kept {
            id,
            entries,
            finished: false,
        })
    }

    /// Writes the beginning of a duel down; returns its name.
    fn keep(&self, table: &Table) -> Result<String, StoreError> {
        let start = &table.start;
        let ids = |seat: Seat| {
            let cards = start.decks[seat].iter();
            cards
                .map(|model| self.game.model(*model).id.to_string())
                .collect()
        };
        let record = StartRecord {
            seed: start.seed,
            first: start.first.map(|seat| seat.index() as u8 + 1),
            decks: Seat::BOTH.map(ids),
            names: start.names.0.clone(),
            who: start.who.0,
            secrets: Seat::BOTH.map(|seat| table.seats[seat].secret.reveal()),
            illegal_decks: start.allow_illegal_decks,
            stage: start
                .stage
                .as_ref()
                .map(|stage| (stage.text.to_string(), stage.index)),
            after_steps: start.stage.as_ref().is_some_and(|stage| stage.played),
            uncoached: start.stage.as_ref().is_some_and(|stage| !stage.is_lesson()),
            number: table.number(),
        };
        let id = Secret::new().public();
        self.store.begin(&TableRecord {
            id: id.clone(),
            fingerprint: self.game.fingerprint.clone(),
            start: serde_json::to_string(&record).expect("texts and numbers are always JSON"),
        })?;
        Ok(id)
    }

    fn restore(&self, record: &TableRecord, log: &[String]) -> Option<Table> {
        let start: StartRecord = serde_json::from_str(&record.start).ok()?;
        let model = |id: &String| {
            let at = self.game.models.iter().position(|model| *model.id == **id)?;
            Some(ModelId(at as u16))
        };
        let deck = |index: usize| {
            start.decks[index]
                .iter()
                .map(model)
                .collect::<Option<Vec<ModelId>>>()
        };
        let secrets = PerSeat([Secret::read(&start.secrets[0])?, Secret::read(&start.secrets[1])?]);
        let decks = PerSeat([deck(0)?, deck(1)?]);
        let stage = match &start.stage {
            Some((text, index)) => {
                let stage = Stage::read(text, &self.game).ok()?.get(*index).cloned()?;
                Some(match (start.after_steps, start.uncoached) {
                    (true, _) => Arc::new(stage.after_its_steps()),
                    (false, true) => Arc::new(stage.before_its_steps()),
                    (false, false) => stage,
                })
            }
            None => None,
        };
        let number = start.number;
        let start = Start {
            stage,
            game: Arc::clone(&self.game),
            catalogue: Arc::clone(&self.catalogue),
            decks,
            names: PerSeat(start.names),
            who: PerSeat(start.who),
            seed: start.seed,
            first: start
                .first
                .map(|first| Seat::from_index(usize::from(first).saturating_sub(1))),
            allow_illegal_decks: start.illegal_decks,
        };
        let mut table = Table::new(start, secrets).ok()?;
        table.continue_numbers(number);
        table.redo(log).ok()?;
        Some(table)
    }

    /// After a change: keeps what was done, tells the readers, and lets a computer go on.
    pub(crate) fn settle(self: &Arc<Inner>, cell: &Arc<Cell>) {
        let (number, thinking) = {
            let mut table = cell.table();
            self.write_down(cell, &mut table);
            (table.number(), table.computer_to_move().is_some())
        };
        cell.changed.send_replace(number);
        // Outside of a runtime nothing can wait; the server settles all tables when it starts.
        if thinking && let Ok(runtime) = tokio::runtime::Handle::try_current() {
            let (inner, cell) = (Arc::clone(self), Arc::clone(cell));
            runtime.spawn_blocking(move || inner.let_computers_play(&cell));
        }
    }

    fn settle_all(self: &Arc<Inner>) {
        let seats = self.seats.read().unwrap_or_else(PoisonError::into_inner);
        let cells: Vec<Arc<Cell>> = seats
            .values()
            .filter(|(_, seat)| *seat == Seat::One)
            .map(|(cell, _)| Arc::clone(cell))
            .collect();
        drop(seats);
        for cell in cells {
            self.settle(&cell);
        }
    }

    /// A store that fails does not stop the duel: it only cannot be resumed.
    fn write_down(&self, cell: &Cell, table: &mut Table) {
        let mut kept = locked(&cell.kept);
        let mut done = table.take_done();
        let moved = done.iter().any(Done::moves_the_duel);
        let is_over = table.duel().outcome().is_some();
        if let Some(over) = self
            .over
            .as_ref()
            .filter(|_| moved && is_over && table.start.stage.is_none())
        {
            over(&table.record().replay().write());
        }
        if kept.finished && !is_over {
            // A lesson or a puzzle is tried again.
            let Ok(id) = self.keep(table) else { return };
            *kept = Kept {
                id,
                entries: 0,
                finished: false,
            };
            table.settle_anew();
            done.splice(0..0, table.take_done());
        }
        for done in done {
            let text = serde_json::to_string(&done).expect("texts and numbers are always JSON");
            if self.store.append(&kept.id, kept.entries, &text).is_ok() {
                kept.entries += 1;
            }
        }
        if is_over {
            kept.finished = self.store.finish(&kept.id).is_ok();
        }
    }

    /// Computers answer until somebody else must, or the duel is over; one at a time for each table,
    /// and no longer than its budget. The table is not locked while they think.
    fn let_computers_play(&self, cell: &Arc<Cell>) {
        while !cell.thinking.swap(true, Ordering::AcqRel) {
            let thinking = Thinking(&cell.thinking);
            while let Some(thought) = self.next_thought(cell) {
                self.think(cell, &thought);
            }
            drop(thinking);
            // Somebody may have answered between the last look and the release.
            if self.next_thought(cell).is_none() {
                return;
            }
        }
    }

    fn next_thought(&self, cell: &Cell) -> Option<Thought> {
        let table = cell.table();
        let level = table.computer_to_move()?;
        Some(Thought {
            number: table.number(),
            step: table.steps.len() as u64,
            level,
            cue: table.cue(),
            duel: table.duel().clone(),
        })
    }

    fn think(&self, cell: &Cell, thought: &Thought) {
        let begun = Instant::now();
        let choice = match thought.cue {
            // A lesson is followed with the eyes.
            Some(cue) => Some(cue),
            None => think(thought),
        };
        let pause = locked(&cell.budget).spend(begun.elapsed());
        // Who has used its share up thinks slower, so that others get theirs.
        std::thread::sleep(pause.min(MOST_PAUSE));
        let mut table = cell.table();
        if let Some(choice) = choice {
            table.choose_for_computer(thought.number, choice);
        }
        self.write_down(cell, &mut table);
        let number = table.number();
        drop(table);
        cell.changed.send_replace(number);
    }

    /// Begins the next duel at the same table with the same seats.
    pub(crate) fn rematch(&self, cell: &Cell, swap: bool) -> Result<(), HostError> {
        let mut table = cell.table();
        if table.start.stage.is_some() {
            table.again();
            self.write_down(cell, &mut table);
            return Ok(());
        }
        let mut start = table.start.clone();
        start.seed = start.seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1) % 1_000_000;
        start.first = None;
        if swap {
            start.decks.0.swap(0, 1);
            start.names.0.swap(0, 1);
        }
        let secrets = PerSeat::from_fn(|seat| table.seats[seat].secret.clone());
        let number = table.number();
        let settings = PerSeat::from_fn(|seat| table.seats[seat].policy.clone());
        let mut next = Table::with_settings(start, secrets, &settings)?;
        next.continue_numbers(number);
        *locked(&cell.kept) = self.keep_all(&mut next)?;
        *table = next;
        Ok(())
    }
}

/// A rule without the comments and empty lines at its end: they speak of the next card.
fn without_what_follows(text: &str) -> &str {
    let mut end = text.trim_end().len();
    while let Some(line) = text[..end]
        .lines()
        .next_back()
        .filter(|line| line.starts_with('#'))
    {
        end = text[..end - line.len()].trim_end().len();
    }
    &text[..end]
}

/// Tells that a computer thinks, as long as it lives.
struct Thinking<'a>(&'a AtomicBool);

impl Drop for Thinking<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}

/// What a computer thinks about.
struct Thought {
    /// The decision, as the table numbers it.
    number: u64,
    /// How many steps were taken.
    step: u64,
    level: Level,
    /// What a lesson's script wants.
    cue: Option<cw_duel::Choice>,
    duel: cw_duel::Duel,
}

/// The longest pause of a computer between two choices.
const MOST_PAUSE: Duration = Duration::from_secs(5);

/// A computer's choice. Its seed is what it sees and how far the duel has gone, so that the same
/// position gives the same choice again, also after a restart.
fn think(thought: &Thought) -> Option<cw_duel::Choice> {
    let eyes = Eyes::of_who_is_asked(&thought.duel)?;
    let seed = mix(&[sight(&eyes.view()), thought.step]);
    Some(thought.level.choose(&eyes.ask(seed)))
}
