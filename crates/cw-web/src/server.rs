//! The host: the tables behind the server, and what happens to them between requests.
//!
//! **An answer's way.** Who holds a table's [`Writer`] changes a copy of what is behind its door; the
//! copy's new entries go to the store; then the copy takes the place of what was there and readers are
//! woken. Readers render from what they hold and wait for nobody. What cannot be stored never was: the
//! seat is told, and the question stays. Where the store does not say whether it has written, the table
//! stands still until its log was read again.

use std::collections::{BTreeMap, BTreeSet};
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock};
use std::time::{Duration, Instant};

use axum::Router;
use cw_duel::{Game, PerSeat, Seat};
use cw_faces::Catalogue;
use cw_octgn::Files;
use cw_players::{Eyes, Level, Lists, Sight as _, Values, mix, sight};
use cw_program::ModelId;
use tokio::sync::{Semaphore, watch};

use crate::free::FreeHost;
use crate::kept::StartRecord;
use crate::presence::Attendance;
use crate::quota::{Budget, Quota};
use crate::reach::Reach;
use crate::reviews::Reviews;
use crate::secrets::fresh_secret;
use crate::serve::{Door, serve};
use crate::store::{Standing, Store, StoreError, TableRecord};
use crate::{Limits, Opponent, Secret, Stage, routes};
use cw_pages::entry::Entry;
use cw_pages::ladder::Progress;
use cw_pages::listed::{Changed, Listed, Wanted};
use cw_pages::package::DuelPackage;
use cw_pages::room::{ChosenDeck, Gathering, Room};
use cw_pages::table::{CannotBegin, Origin, Place, Refused, Revealed, Start, Table, Who};

/// Why there is no table.
#[derive(Debug, thiserror::Error)]
pub enum HostError {
    /// The duel cannot start.
    #[error(transparent)]
    Begin(#[from] CannotBegin),
    /// It cannot be kept.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// This machine is in no network.
    #[error("this machine has no address in a network; if it has one after all, name it: --host=ADDRESS")]
    NoNetwork,
    /// A name under which nobody can reach this machine.
    #[error("the tables cannot be reached under “{name}”: {why}")]
    Name {
        /// The name.
        name: String,
        /// Why not.
        why: String,
    },
    /// There are too many tables.
    #[error(
        "so many tables are in use that there is no memory for another one; close one that nobody needs, and try again"
    )]
    Full,
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

/// The duels that a store has kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Resumed {
    /// Those that go on, the newest first.
    pub going: Vec<Vec<Invitation>>,
    /// Those that are over and can be watched, the newest first.
    pub over: Vec<Vec<Invitation>>,
    /// A sentence for each that makes no sense: it is set aside.
    pub aside: Vec<String>,
    /// What each unfinished duel was, as “Deck against deck”, that cannot go on since the game was changed. They are
    /// kept, and go on with the game as it was; the front page can forget them.
    pub changed: Vec<String>,
}

/// Takes the text of a record.
type Over = Box<dyn Fn(&str) + Send + Sync>;

/// Takes a sentence for whoever runs the host.
type Note = Box<dyn Fn(&str) + Send + Sync>;

/// What a host is made of. [`Setting::new`] gives a plain one; its fields may be set.
pub struct Setting {
    /// The game of its tables, and what belongs to it.
    pub package: DuelPackage,
    /// What keeps the duels.
    pub store: Box<dyn Store>,
    /// The package's files, for its pictures.
    pub files: Option<Box<dyn Files + Send>>,
    /// Is given the record of each duel that ends, as `cardwright replay` reads it.
    pub over: Option<Over>,
    /// Is told what whoever runs the host should know: a store that fails, a card that takes too long.
    pub note: Option<Note>,
    /// What a seat may use up.
    pub limits: Limits,
    /// The name or address of this machine under which others in the network reach the tables; if empty,
    /// the address that it has there. Nobody else reaches them if `None`, until the front page is asked to.
    pub reach: Option<String>,
    /// Makes free tables of the same package, when somebody first wants one.
    pub free: Option<FreeMaker>,
}

/// Makes what free tables need; nothing if that cannot be.
pub type FreeMaker = Box<dyn Fn() -> Option<FreeHost> + Send + Sync>;

impl Setting {
    /// Tables without pictures, texts of rules and lessons.
    pub fn new(game: Arc<Game>, catalogue: Arc<Catalogue>, store: Box<dyn Store>) -> Setting {
        Setting {
            package: DuelPackage::new(game, catalogue),
            store,
            files: None,
            over: None,
            note: None,
            limits: Limits::default(),
            reach: None,
            free: None,
        }
    }
}

impl std::fmt::Debug for Setting {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Setting")
            .field("package", &self.package)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}

/// The seat of the person who plays against the computer.
fn only_person(who: [Who; 2]) -> Option<Seat> {
    match who {
        [Who::Person, Who::Computer(_)] => Some(Seat::One),
        [Who::Computer(_), Who::Person] => Some(Seat::Two),
        [Who::Person, Who::Person] | [Who::Computer(_), Who::Computer(_)] => None,
    }
}

/// Tables of one game, behind a server.
#[derive(Clone)]
pub struct Host {
    pub(crate) inner: Arc<Inner>,
}

impl std::fmt::Debug for Host {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Host").field(&self.inner.setting).finish()
    }
}

pub(crate) struct Inner {
    free: OnceLock<Option<FreeHost>>,
    pub setting: Setting,
    key: Secret,
    /// Who can show it may see the front page: whoever runs the host.
    pub home: Secret,
    seats: RwLock<Seats>,
    /// Where this machine's own browsers find the tables, and others in the network, once they are served.
    own: RwLock<Option<SocketAddr>>,
    reach: RwLock<Option<Reach>>,
    /// Ways to a seat that lead there once, and when they were made.
    tickets: Mutex<BTreeMap<String, Ticket>>,
    /// Computers that think at the same time.
    pub(crate) thinkers: Semaphore,
    /// Pictures that are drawn or read at the same time, and those that were drawn.
    pub(crate) drawing: Arc<Semaphore>,
    pub(crate) drawn: Mutex<BTreeMap<String, Arc<str>>>,
    /// Cards that took too long, each told once.
    slow: Mutex<BTreeSet<ModelId>>,
    /// Unfinished duels that cannot go on since the game was changed, the newest first.
    changed: Mutex<Vec<Changed>>,
}

/// By the public names of the seats.
#[derive(Default)]
struct Seats {
    awake: BTreeMap<String, (Arc<Cell>, Seat)>,
    asleep: BTreeMap<String, Arc<Sleeping>>,
}

/// A table that only the store holds.
struct Sleeping {
    record: TableRecord,
    quotas: PerSeat<Arc<Quota>>,
    opened: bool,
}

/// A table that several requests share.
#[derive(Debug)]
pub(crate) struct Cell {
    room: Mutex<Arc<Room>>,
    writer: Mutex<Writer>,
    pub(crate) secrets: PerSeat<Secret>,
    pub(crate) quotas: PerSeat<Arc<Quota>>,
    /// Who is at the table.
    pub(crate) presence: Arc<Attendance>,
    /// What the choices of the duel that is over cost.
    pub(crate) reviews: Reviews,
    /// The time that computers may think about this table.
    budget: Mutex<Budget>,
    /// Whether a computer thinks about this table already.
    thinking: AtomicBool,
    /// When a seat last asked for anything.
    used: Mutex<Instant>,
    /// A seat opened it: nobody misses it if nothing was done there.
    opened: bool,
    asleep: AtomicBool,
    pub(crate) changed: watch::Sender<u64>,
}

/// Why a table cannot be brought back.
enum Broken {
    /// What is kept of it makes no sense, and never will.
    Damaged(String),
    /// It cannot be read now.
    Unread(StoreError),
}

impl From<String> for Broken {
    fn from(why: String) -> Broken {
        Broken::Damaged(why)
    }
}

impl From<StoreError> for Broken {
    fn from(fault: StoreError) -> Broken {
        match fault {
            StoreError::Damaged(why) => Broken::Damaged(why),
            other => Broken::Unread(other),
        }
    }
}

/// The right to change a table.
#[derive(Debug)]
struct Writer {
    /// How the store calls the duel.
    record: TableRecord,
    /// What was to be stored when the store failed: it may have been stored all the same.
    unsure: Option<(Room, Vec<Entry>)>,
    /// This program does not play the table on.
    closed: bool,
}

impl Cell {
    /// What is behind the door now.
    pub(crate) fn room(&self) -> Arc<Room> {
        Arc::clone(&locked(&self.room))
    }

    /// Notes that a seat asks for something.
    pub(crate) fn use_now(&self) {
        *locked(&self.used) = Instant::now();
    }

    /// Only the store holds it.
    pub(crate) fn is_asleep(&self) -> bool {
        self.asleep.load(Ordering::Acquire)
    }

    fn is_followed(&self) -> bool {
        self.quotas.0.iter().any(|quota| quota.is_followed())
    }

    fn name(&self) -> String {
        self.secrets[Seat::One].public()
    }
}

pub(crate) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Finished duels that are kept to be watched.
const MOST_OVER: usize = 200;
/// Unfinished duels that are looked through when the program starts.
const MOST_GOING: usize = 64;
/// A way that leads somewhere once.
struct Ticket {
    /// How long it is good; until the program ends if none.
    until: Option<Instant>,
    way: String,
}

impl Ticket {
    fn is_good(&self) -> bool {
        self.until.is_none_or(|until| Instant::now() < until)
    }
}

/// How long a way that leads to a seat once is open.
const TICKET: Duration = Duration::from_secs(60);
/// The longest pause of a computer between two choices.
const MOST_PAUSE: Duration = Duration::from_secs(5);
/// When a computer whose choice could not be stored tries again.
const TRY_AGAIN: Duration = Duration::from_secs(1);
/// A thought that takes longer is told to whoever runs the host.
const LONG_THOUGHT: Duration = Duration::from_secs(2);
/// How often tables that nobody looks at are looked for.
const SWEEP: Duration = Duration::from_secs(60);

impl Host {
    /// A host without tables.
    pub fn new(setting: Setting) -> Host {
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        let key = setting.store.key();
        Host {
            inner: Arc::new(Inner {
                setting,
                home: key.child("cardwright front page"),
                key,
                seats: RwLock::default(),
                own: RwLock::default(),
                reach: RwLock::default(),
                tickets: Mutex::default(),
                thinkers: Semaphore::new(cores),
                drawing: Arc::new(Semaphore::new(2)),
                drawn: Mutex::default(),
                free: OnceLock::new(),
                slow: Mutex::default(),
                changed: Mutex::default(),
            }),
        }
    }

    /// Begins a duel, or lets two people agree on its shuffle first.
    ///
    /// # Errors
    /// If it cannot start, or cannot be kept.
    pub fn open(&self, start: Start) -> Result<Vec<Invitation>, HostError> {
        self.inner.open(start, None)
    }

    /// Begins a duel as [`Host::open`] does. Where such a duel between two people waits in which nobody has done anything,
    /// it is that one: whoever starts the program again and again leaves no empty ones behind, and links stay good.
    ///
    /// # Errors
    /// If it cannot start, or cannot be kept.
    pub fn open_or_find(&self, start: Start) -> Result<Vec<Invitation>, HostError> {
        match self.inner.untouched_like(&start) {
            Some(cell) => Ok(self.inner.invitations(&cell.room(), &cell.secrets)),
            None => self.open(start),
        }
    }

    /// Brings back the duels of this game. Those that no longer fit the game are left alone and told, those in
    /// which nothing was done are forgotten, those that make no sense are set aside.
    ///
    /// # Errors
    /// If the store cannot be read at all.
    pub fn resume(&self) -> Result<Resumed, HostError> {
        self.inner.resume()
    }

    /// A way to the seat that leads there once, and soon: what stands in the list of processes may be
    /// read by others.
    pub fn ticket(&self, invitation: &Invitation) -> String {
        self.inner.issue(invitation.path.clone(), Some(TICKET))
    }

    /// The link for somebody else's seat: good until one person has sat down by it, or has opened it where the duel goes
    /// on already.
    pub fn link_for_guest(&self, invitation: &Invitation) -> String {
        self.inner.link_for_guest(invitation)
    }

    /// The path of the front page, below the server's address. It holds a secret: the page leads to all
    /// duels of one person against the computer.
    pub fn front_page(&self) -> String {
        format!("/front/open/{}", self.inner.home.reveal())
    }

    /// A way to the front page that leads there once, and soon.
    pub fn ticket_to_front_page(&self) -> String {
        self.inner.issue(self.front_page(), Some(TICKET))
    }

    /// Puts tables that nobody looks at to sleep. The server does that by itself now and then.
    pub fn sweep(&self) {
        self.inner.sweep();
    }

    /// Lets others in the network reach the tables, under one name. It stays so until the program ends.
    pub(crate) async fn open_to_network(&self, name: &str) -> Result<(), HostError> {
        if self.inner.reach().is_some() {
            return Ok(());
        }
        let own = *self.inner.own.read().unwrap_or_else(PoisonError::into_inner);
        let port = own.map_or(USUAL_PORT, |address| address.port());
        let (listener, reach) = crate::reach::listen(name, port).await?;
        *self.inner.reach.write().unwrap_or_else(PoisonError::into_inner) = Some(reach);
        let (router, limits) = (self.router(), self.inner.setting.limits);
        tokio::spawn(serve(listener, router, limits, Door::Network));
        Ok(())
    }

    /// Free tables of the same package, made when they are first wanted.
    pub(crate) async fn free(&self) -> Option<FreeHost> {
        let host = self.clone();
        let made = tokio::task::spawn_blocking(move || {
            let make = host.inner.setting.free.as_ref()?;
            host.inner
                .free
                .get_or_init(|| {
                    let free = make()?;
                    // Tables whose links are known already; what cannot be read now is no reason against new ones.
                    let _ = free.resume();
                    free.keep_watch();
                    Some(free)
                })
                .clone()
        });
        let free = made.await.ok()??;
        free.is_reached_as(self.inner.reach());
        Some(free)
    }

    /// The address under which others in the network reach the tables, if they do.
    pub fn reached_at(&self) -> Option<String> {
        self.inner.reach().map(|reach| reach.origin())
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
        listen_somewhere(port, async move |listener, address| {
            *self.inner.own.write().unwrap_or_else(PoisonError::into_inner) = Some(address);
            if let Some(name) = self.inner.setting.reach.clone() {
                self.open_to_network(&name).await?;
            }
            ready(address);
            for cell in self.inner.cells() {
                self.inner.settle(&cell);
            }
            let sweeper = self.clone();
            tokio::spawn(async move {
                loop {
                    tokio::time::sleep(SWEEP).await;
                    sweeper.sweep();
                }
            });
            serve(listener, self.router(), self.inner.setting.limits, Door::Own).await;
            Ok(())
        })
    }
}

/// Listens on this machine and goes on with what is given. Without a wish, the usual port is tried, then any.
pub(crate) fn listen_somewhere(
    port: Option<u16>,
    go_on: impl AsyncFnOnce(tokio::net::TcpListener, SocketAddr) -> Result<(), HostError>,
) -> Result<(), HostError> {
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
        go_on(listener, address).await
    })
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

// --- Tables: opened, brought back, put to sleep -----------------------------------------------------

impl Inner {
    /// How others in the network reach the tables, if they do.
    pub(crate) fn reach(&self) -> Option<Reach> {
        self.reach.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Before the path of a link for this machine's own browsers, once the tables are served.
    pub(crate) fn own_origin(&self) -> Option<String> {
        let own = *self.own.read().unwrap_or_else(PoisonError::into_inner);
        own.map(|address| format!("http://{address}"))
    }

    /// Shows that whoever has it was invited to the seat of this name.
    pub(crate) fn invitation_to(&self, name: &str) -> Secret {
        self.key.child(&format!("cardwright invitation to {name}"))
    }

    /// Whether whoever runs the host sits at this seat: alone against the computer, or with a friend whom
    /// they have invited, and not at a table that another seat has opened.
    pub(crate) fn is_the_hosts(&self, name: &str) -> bool {
        self.find(name).is_some_and(|(cell, seat)| {
            let room = cell.room();
            let alone = only_person(Seat::BOTH.map(|seat| room.seats()[seat].who)).is_some();
            !cell.opened && (alone || room.start().invites == Some(seat))
        })
    }

    /// The duels of one person against the computer, and those to which somebody was invited, the newest
    /// first: those that go on, then those that are over. No page leads to a friend's seat.
    pub(crate) fn listed(&self) -> Vec<Listed> {
        let mut all: Vec<Listed> = self
            .cells()
            .iter()
            .filter_map(|cell| self.listed_cell(cell))
            .collect();
        let asleep: BTreeMap<String, Arc<Sleeping>> = {
            let seats = self.seats.read().unwrap_or_else(PoisonError::into_inner);
            let by_id = |sleeping: &Arc<Sleeping>| (sleeping.record.id.clone(), Arc::clone(sleeping));
            seats.asleep.values().map(by_id).collect()
        };
        for sleeping in asleep.values() {
            let Ok(begun) = StartRecord::read(&sleeping.record.start) else {
                continue;
            };
            let own = only_person(begun.who).or(begun.invites());
            let Some(seat) = own.filter(|_| !begun.is_staged()) else {
                continue;
            };
            let purpose = format!("cardwright seat {} of {}", seat.index() + 1, begun.table);
            all.push(Listed {
                seat: self.key.child(&purpose),
                opponent: begun.who[seat.other().index()],
                name: begun.opponent.map(|opponent| opponent.name),
                decks: [seat, seat.other()].map(|seat| begun.names[seat.index()].clone()),
                turn: None,
                over: sleeping.record.standing == Standing::Over,
                won: None,
                begun: begun.begun,
            });
        }
        all.sort_by_key(|one| (one.over, std::cmp::Reverse(one.begun)));
        all
    }

    fn listed_cell(&self, cell: &Arc<Cell>) -> Option<Listed> {
        let begun = StartRecord::read(&locked(&cell.writer).record.start).ok()?;
        let room = cell.room();
        let start = room.start();
        let seat = only_person(start.who.0).or(start.invites);
        let seat = seat.filter(|_| start.stage.is_none())?;
        if !room.is_touched() && start.invites.is_none() {
            return None;
        }
        let duel = room.table().map(Table::duel);
        Some(Listed {
            seat: cell.secrets[seat].clone(),
            opponent: start.who[seat.other()],
            name: room.seats()[seat.other()].name.clone(),
            decks: [seat, seat.other()].map(|seat| start.names[seat].clone()),
            turn: duel.map(cw_duel::Duel::turn),
            over: room.table().is_some_and(Table::is_over),
            won: duel
                .and_then(cw_duel::Duel::outcome)
                .map(|outcome| match outcome {
                    cw_duel::Outcome::Won { winner, .. } => Some(winner == seat),
                    cw_duel::Outcome::Drawn => None,
                }),
            begun: begun.begun,
        })
    }

    /// Begins a duel for whoever runs the host: against the computer, or a friend who is yet to come.
    pub(crate) fn new_duel(self: &Arc<Inner>, wanted: &Wanted) -> Result<Invitation, HostError> {
        self.duel_against(wanted, None, None)
    }

    fn duel_against(
        self: &Arc<Inner>,
        wanted: &Wanted,
        opponent: Option<Arc<Opponent>>,
        by: Option<&Arc<Quota>>,
    ) -> Result<Invitation, HostError> {
        let decks = &self.setting.package.decks;
        let deck = |at: usize| decks.get(at).or(decks.first()).cloned().unwrap_or_default();
        let [own, other] = wanted.decks.map(deck);
        let start = Start {
            game: Arc::clone(&self.setting.package.game),
            catalogue: Arc::clone(&self.setting.package.catalogue),
            names: PerSeat([own.0, other.0]),
            decks: PerSeat([own.1, other.1]),
            who: PerSeat([Who::Person, wanted.opponent]),
            seed: None,
            first: wanted.first,
            allow_illegal_decks: false,
            stage: None,
            invites: (wanted.opponent == Who::Person).then_some(Seat::One),
            opponent,
        };
        Ok(self.open(start, by)?[Seat::One.index()].clone())
    }

    /// Begins a duel against an opponent of the package, if they may be challenged.
    pub(crate) fn challenge(self: &Arc<Inner>, at: usize, own: usize) -> Result<Invitation, HostError> {
        self.challenge_by(at, own, None)
    }

    /// After a lesson: begins a duel against whom to challenge next.
    pub(crate) fn real_duel(self: &Arc<Inner>, by: &Arc<Quota>) -> Result<Invitation, HostError> {
        self.challenge_by(self.progress().next().unwrap_or(0), 0, Some(by))
    }

    fn challenge_by(
        self: &Arc<Inner>,
        at: usize,
        own: usize,
        by: Option<&Arc<Quota>>,
    ) -> Result<Invitation, HostError> {
        let setting = &self.setting;
        let progress = self.progress();
        let at = if progress.is_open(at) {
            at
        } else {
            progress.next().unwrap_or(0)
        };
        let opponent = setting
            .package
            .opponents
            .get(at)
            .or(setting.package.opponents.last());
        let name = opponent.map_or("", |opponent| &*opponent.deck);
        let other = setting
            .package
            .decks
            .iter()
            .position(|(deck, _)| deck == name)
            .unwrap_or(0);
        self.duel_against(
            &Wanted {
                decks: [own, other],
                opponent: opponent.map_or(Who::COMPUTER, Opponent::who),
                first: None,
            },
            opponent.cloned().map(Arc::new),
            by,
        )
    }

    /// How far whoever runs the host has come on the ladder.
    pub(crate) fn progress(&self) -> Progress {
        let setting = &self.setting;
        Progress::read(
            &setting.store.facts().unwrap_or_default(),
            &setting.package.game,
            &setting.package.opponents,
        )
    }

    /// Begins a table. `by` is the seat that asks for it, if it is not whoever runs the host.
    fn open(self: &Arc<Inner>, start: Start, by: Option<&Arc<Quota>>) -> Result<Vec<Invitation>, HostError> {
        self.make_room()?;
        let id = fresh_secret().public();
        let room = self.room_for(Arc::new(start), &id)?;
        self.keep_and_seat(room, &id, by)
    }

    /// A table between two people that begins like this, and at which nobody has done anything.
    fn untouched_like(&self, start: &Start) -> Option<Arc<Cell>> {
        let is_like = |cell: &Arc<Cell>| {
            let room = cell.room();
            let other = room.start();
            !cell.opened
                && !room.is_touched()
                && other.between_people()
                && (&other.decks, &other.names) == (&start.decks, &start.names)
                && (other.seed, other.first, other.invites) == (start.seed, start.first, start.invites)
                && other.allow_illegal_decks == start.allow_illegal_decks
                && other.stage.is_none()
        };
        let wanted = start.between_people() && start.stage.is_none();
        self.cells().into_iter().filter(|_| wanted).find(is_like)
    }

    /// What is behind the door when a table is opened.
    fn room_for(&self, start: Arc<Start>, id: &str) -> Result<Room, HostError> {
        let seats = self.places(&start, id);
        if start.between_people() && start.seed.is_none() && start.stage.is_none() {
            // What cannot begin is refused now, not when everybody has come.
            Table::set_up(
                Arc::clone(&start),
                seats.clone(),
                Origin::drawn(&fresh_secret()),
                1,
                fresh_secret(),
            )?;
            let secret = self.part_in_shuffle(id);
            return Ok(Room::Gathering(Box::new(Gathering::new(start, seats, secret, 1))));
        }
        let origin = start
            .seed
            .map_or_else(|| Origin::drawn(&fresh_secret()), Origin::Given);
        let mut table = self.allow(Table::set_up(start, seats, origin, 1, self.next_part(id))?);
        table.pass_for_the_idle();
        Ok(Room::Playing(Box::new(table)))
    }

    fn keep_and_seat(
        self: &Arc<Inner>,
        mut room: Room,
        id: &str,
        by: Option<&Arc<Quota>>,
    ) -> Result<Vec<Invitation>, HostError> {
        let record = self.record_of(&room, id, id);
        self.setting.store.begin(&record, &room.take_fresh())?;
        let quotas = PerSeat::from_fn(|seat| match by {
            Some(quota) if room.seats()[seat].who == Who::Person => Arc::clone(quota),
            Some(_) | None => Arc::default(),
        });
        let cell = self.seat(room, record, quotas, by.is_some());
        if let Some(quota) = by {
            let mut opened = locked(&quota.opened);
            opened.push(cell.name());
            let surplus = opened.len().saturating_sub(self.setting.limits.opened);
            let closed: Vec<String> = opened.drain(..surplus).collect();
            drop(opened);
            for name in closed {
                if let Some(cell) = self.awake(&name) {
                    self.put_to_sleep(&cell);
                }
            }
        }
        self.settle(&cell);
        Ok(self.invitations(&cell.room(), &cell.secrets))
    }

    /// Lets requests reach a table.
    fn seat(&self, room: Room, record: TableRecord, quotas: PerSeat<Arc<Quota>>, opened: bool) -> Arc<Cell> {
        let secrets = PerSeat::from_fn(|seat| room.seats()[seat].secret.clone());
        let cell = Arc::new(Cell {
            changed: watch::Sender::new(room.number()),
            room: Mutex::new(Arc::new(room)),
            writer: Mutex::new(Writer {
                record,
                unsure: None,
                closed: false,
            }),
            secrets,
            quotas,
            presence: Arc::default(),
            reviews: Reviews::default(),
            budget: Mutex::default(),
            thinking: AtomicBool::new(false),
            used: Mutex::new(Instant::now()),
            opened,
            asleep: AtomicBool::new(false),
        });
        let mut seats = self.seats.write().unwrap_or_else(PoisonError::into_inner);
        for seat in Seat::BOTH {
            let name = cell.secrets[seat].public();
            seats.asleep.remove(&name);
            seats.awake.insert(name, (Arc::clone(&cell), seat));
        }
        cell
    }

    fn invitations(&self, room: &Room, secrets: &PerSeat<Secret>) -> Vec<Invitation> {
        let invite = |seat: Seat| Invitation {
            seat,
            who: room.seats()[seat].who,
            path: format!("/join/{}", secrets[seat].reveal()),
        };
        Seat::BOTH.map(invite).into()
    }

    /// The seats of a table: their secrets follow from the store's key, so that none lies in the store.
    fn places(&self, start: &Start, table: &str) -> PerSeat<Place> {
        PerSeat::from_fn(|seat| {
            let purpose = format!("cardwright seat {} of {table}", seat.index() + 1);
            let mut place = Place::new(start.who[seat], self.key.child(&purpose));
            if let (Who::Computer(_), Some(opponent)) = (place.who, &start.opponent) {
                place.name = Some(opponent.name.clone());
            }
            place
        })
    }

    /// The host's part in the shuffle of a duel.
    fn part_in_shuffle(&self, duel: &str) -> Secret {
        self.key.child(&format!("cardwright shuffle of {duel}"))
    }

    /// The name of the duel that follows this one at its table.
    fn next_id(&self, duel: &str) -> String {
        self.key.child(&format!("cardwright duel after {duel}")).public()
    }

    /// The host's part in the shuffle after this duel.
    fn next_part(&self, duel: &str) -> Secret {
        self.part_in_shuffle(&self.next_id(duel))
    }

    /// Lets a table do what the host allows.
    fn allow(&self, mut table: Table) -> Table {
        table.remarks = self.setting.limits.remarks;
        table
    }

    /// What a duel must have in common with this program to go on.
    fn fingerprint(&self) -> String {
        format!(
            "{}, {}",
            self.setting.package.game.fingerprint,
            cw_duel::RULES_VERSION
        )
    }

    fn record_of(&self, room: &Room, id: &str, table: &str) -> TableRecord {
        let record = StartRecord::of(room, table, &self.setting.package.game);
        TableRecord {
            id: id.to_owned(),
            fingerprint: self.fingerprint(),
            start: serde_json::to_string(&record).expect("texts and numbers are always JSON"),
            standing: Standing::Going,
        }
    }

    /// What a store has kept of a table, or why it cannot be had.
    fn restore(&self, record: &TableRecord) -> Result<Room, Broken> {
        let begun = StartRecord::read(&record.start)?;
        let start = Arc::new(begun.start(&self.setting.package.game, &self.setting.package.catalogue)?);
        let seats = self.places(&start, &begun.table);
        let log = self.setting.store.log(&record.id, 0)?;
        let (table, rest) = match begun.origin()? {
            Some(origin) => (
                Table::set_up(start, seats, origin, begun.number, self.next_part(&record.id)),
                &log[..],
            ),
            None => {
                let secret = self.part_in_shuffle(&record.id);
                let mut gathering = Gathering::new(start, seats, secret, begun.number);
                let done = gathering.redo(&log)?;
                match gathering.begin(self.next_part(&record.id)) {
                    None => return Ok(Room::Gathering(Box::new(gathering))),
                    Some(table) => (table, &log[done..]),
                }
            }
        };
        let table = table.map_err(|fault| Broken::Damaged(fault.to_string()))?;
        let mut table = self.allow(table);
        table.redo(rest)?;
        Ok(Room::Playing(Box::new(table)))
    }

    /// What an unfinished duel of another fingerprint was, if it was one of this game and something was done in it.
    fn changed_since(&self, record: &TableRecord) -> Option<Changed> {
        let begun = StartRecord::read(&record.start).ok()?;
        let is_told = record.standing == Standing::Going
            && !begun.is_staged()
            && begun.is_of(&self.setting.package.game)
            && self
                .setting
                .store
                .log(&record.id, 0)
                .is_ok_and(|log| !log.is_empty());
        is_told.then(|| Changed {
            id: record.id.clone(),
            decks: begun.names.clone(),
            begun: begun.begun,
        })
    }

    /// Unfinished duels that cannot go on since the game was changed.
    pub(crate) fn changed(&self) -> Vec<Changed> {
        locked(&self.changed).clone()
    }

    /// Forgets one of those; whether it was there.
    pub(crate) fn forget_changed(&self, id: &str) -> Result<bool, HostError> {
        let mut changed = locked(&self.changed);
        let Some(at) = changed.iter().position(|one| one.id == id) else {
            return Ok(false);
        };
        self.setting.store.forget(id)?;
        changed.remove(at);
        Ok(true)
    }

    fn resume(&self) -> Result<Resumed, HostError> {
        let mut resumed = Resumed::default();
        locked(&self.changed).clear();
        let fingerprint = self.fingerprint();
        let (mut tables, mut over) = (BTreeSet::new(), 0);
        for row in self.setting.store.duels()? {
            let record = match row {
                Ok(record) if record.fingerprint != fingerprint => {
                    if let Some(one) = self.changed_since(&record) {
                        resumed
                            .changed
                            .push(cw_pages::labels::decks(&one.decks[0], &one.decks[1]));
                        locked(&self.changed).push(one);
                    }
                    continue;
                }
                Ok(record) => record,
                Err((id, fault)) => {
                    resumed.aside.push(self.set_aside(&id, &fault.to_string()));
                    continue;
                }
            };
            let begun = match StartRecord::read(&record.start) {
                Ok(begun) => begun,
                Err(why) => {
                    resumed.aside.push(self.set_aside(&record.id, &why));
                    continue;
                }
            };
            if record.standing == Standing::Over {
                over += 1;
                if over > MOST_OVER {
                    // What cannot be forgotten now is forgotten another time.
                    let _ = self.setting.store.forget(&record.id);
                    continue;
                }
            }
            // The newest duel of a table is the one that its seats see.
            if !tables.insert(begun.table.clone()) {
                continue;
            }
            if record.standing == Standing::Over || resumed.going.len() >= MOST_GOING {
                let invitations = self.lay_asleep(record, &begun);
                resumed.over.push(invitations);
                continue;
            }
            match self.restore(&record) {
                Err(Broken::Damaged(why)) => resumed.aside.push(self.set_aside(&record.id, &why)),
                Err(Broken::Unread(fault)) => {
                    // Whoever asks for it tries again.
                    let told = format!("the duel {} cannot be read now: {fault}", record.id);
                    resumed.aside.push(told);
                    resumed.going.push(self.lay_asleep(record, &begun));
                }
                Ok(room) if !room.is_touched() && !begun.between_people() => {
                    let _ = self.setting.store.forget(&record.id);
                }
                Ok(room) => {
                    let is_over = room.table().is_some_and(Table::is_over);
                    if is_over {
                        let _ = self.setting.store.mark(&record.id, Standing::Over);
                    }
                    let cell = self.seat(room, record, PerSeat::default(), false);
                    let invitations = self.invitations(&cell.room(), &cell.secrets);
                    match is_over {
                        true => resumed.over.push(invitations),
                        false => resumed.going.push(invitations),
                    }
                }
            }
        }
        Ok(resumed)
    }

    fn set_aside(&self, id: &str, why: &str) -> String {
        let _ = self.setting.store.mark(id, Standing::Aside);
        format!("the duel {id} is damaged and set aside: {why}")
    }

    fn lay_asleep(&self, record: TableRecord, begun: &StartRecord) -> Vec<Invitation> {
        let secrets = PerSeat::from_fn(|seat: Seat| {
            let purpose = format!("cardwright seat {} of {}", seat.index() + 1, begun.table);
            self.key.child(&purpose)
        });
        let sleeping = Arc::new(Sleeping {
            record,
            quotas: PerSeat::default(),
            opened: false,
        });
        let mut seats = self.seats.write().unwrap_or_else(PoisonError::into_inner);
        for secret in &secrets.0 {
            seats.asleep.insert(secret.public(), Arc::clone(&sleeping));
        }
        let invite = |seat: Seat| Invitation {
            seat,
            who: begun.who[seat.index()],
            path: format!("/join/{}", secrets[seat].reveal()),
        };
        Seat::BOTH.map(invite).into()
    }

    /// Whether there is a seat of this name.
    pub(crate) fn knows(&self, name: &str) -> bool {
        let seats = self.seats.read().unwrap_or_else(PoisonError::into_inner);
        seats.awake.contains_key(name) || seats.asleep.contains_key(name)
    }

    fn awake(&self, name: &str) -> Option<Arc<Cell>> {
        self.find(name).map(|(cell, _)| cell)
    }

    /// The table behind a seat's name, if it is awake.
    pub(crate) fn find(&self, name: &str) -> Option<(Arc<Cell>, Seat)> {
        let seats = self.seats.read().unwrap_or_else(PoisonError::into_inner);
        seats.awake.get(name).cloned()
    }

    /// The table behind a seat's name; one that sleeps is woken. `None` if there is none.
    pub(crate) fn wake(self: &Arc<Inner>, name: &str) -> Result<Option<(Arc<Cell>, Seat)>, Refused> {
        let sleeping = {
            let seats = self.seats.read().unwrap_or_else(PoisonError::into_inner);
            if let Some(found) = seats.awake.get(name) {
                return Ok(Some(found.clone()));
            }
            match seats.asleep.get(name) {
                Some(sleeping) => Arc::clone(sleeping),
                None => return Ok(None),
            }
        };
        self.make_room().map_err(|_| Refused::Busy)?;
        let room = match self.restore(&sleeping.record) {
            Ok(room) => room,
            Err(Broken::Unread(fault)) => {
                self.note(&fault.to_string());
                return Err(Refused::NotRead);
            }
            Err(Broken::Damaged(why)) => {
                self.note(&self.set_aside(&sleeping.record.id, &why));
                let mut seats = self.seats.write().unwrap_or_else(PoisonError::into_inner);
                seats.asleep.retain(|_, other| !Arc::ptr_eq(other, &sleeping));
                return Ok(None);
            }
        };
        // Somebody else may have woken it meanwhile: the first one counts.
        if self.find(name).is_none() {
            let (record, quotas) = (sleeping.record.clone(), sleeping.quotas.clone());
            self.seat(room, record, quotas, sleeping.opened);
        }
        let found = self.find(name);
        if let Some((cell, _)) = &found {
            self.settle(cell);
        }
        Ok(found)
    }

    /// Only the store holds the table from now on; one in which nothing was done is forgotten.
    fn put_to_sleep(&self, cell: &Arc<Cell>) {
        let mut writer = locked(&cell.writer);
        if writer.unsure.is_some() || writer.closed {
            return;
        }
        writer.closed = true;
        let record = writer.record.clone();
        let keep = !cell.opened || cell.room().is_touched();
        let sleeping = Arc::new(Sleeping {
            record: record.clone(),
            quotas: cell.quotas.clone(),
            opened: cell.opened,
        });
        let mut seats = self.seats.write().unwrap_or_else(PoisonError::into_inner);
        for secret in &cell.secrets.0 {
            let name = secret.public();
            seats.awake.remove(&name);
            if keep {
                seats.asleep.insert(name, Arc::clone(&sleeping));
            }
        }
        drop((seats, writer));
        if !keep {
            let _ = self.setting.store.forget(&record.id);
        }
        // Whoever follows it comes back and wakes it.
        cell.asleep.store(true, Ordering::Release);
        cell.changed.send_modify(|_| {});
    }

    fn cells(&self) -> Vec<Arc<Cell>> {
        let seats = self.seats.read().unwrap_or_else(PoisonError::into_inner);
        let firsts = seats.awake.values().filter(|(_, seat)| *seat == Seat::One);
        firsts.map(|(cell, _)| Arc::clone(cell)).collect()
    }

    fn sweep(&self) {
        for cell in self.cells() {
            let idle = locked(&cell.used).elapsed() >= self.setting.limits.unwatched;
            if idle && !cell.is_followed() {
                self.put_to_sleep(&cell);
            }
        }
        locked(&self.tickets).retain(|_, ticket| ticket.is_good());
    }

    /// Puts the table to sleep that nobody has used for longest, if there are too many.
    fn make_room(&self) -> Result<(), HostError> {
        let mut cells = self.cells();
        if cells.len() < self.setting.limits.tables {
            return Ok(());
        }
        cells.retain(|cell| !cell.is_followed());
        let oldest = cells.iter().max_by_key(|cell| locked(&cell.used).elapsed());
        let oldest = oldest.ok_or(HostError::Full)?;
        self.put_to_sleep(oldest);
        Ok(())
    }

    /// The way that a ticket leads, once.
    pub(crate) fn take_ticket(&self, ticket: &str) -> Option<String> {
        let ticket = locked(&self.tickets).remove(ticket)?;
        ticket.is_good().then_some(ticket.way)
    }

    /// A way that leads there once, for as long as it lasts.
    fn issue(&self, way: String, lasts: Option<Duration>) -> String {
        let name = fresh_secret().reveal();
        let until = lasts.map(|lasts| Instant::now() + lasts);
        locked(&self.tickets).insert(name.clone(), Ticket { until, way });
        format!("/open/{name}")
    }

    fn link_for_guest(&self, invitation: &Invitation) -> String {
        let secret = Secret::read(invitation.path.trim_start_matches("/join/"));
        let found = secret.and_then(|secret| Some((secret.public(), self.find(&secret.public())?)));
        match found {
            Some((name, (cell, seat))) if cell.room().invites(seat) => self.path_of_invitation(&name),
            Some(_) | None => self.issue(invitation.path.clone(), None),
        }
    }

    pub(crate) fn note(&self, words: &str) {
        if let Some(note) = &self.setting.note {
            note(words);
        }
    }

    /// Tells once that a card takes too long.
    pub(crate) fn note_slow(&self, models: &[ModelId]) {
        for model in models {
            if locked(&self.slow).insert(*model) {
                let name = &self.setting.package.game.model(*model).name;
                self.note(&format!(
                    "“{name}” takes too long to be tried out; its rule computes too much"
                ));
            }
        }
    }
}

// --- Changes ------------------------------------------------------------------------------------------

impl Inner {
    /// Does something to a table: to a copy, which takes the table's place once it is stored.
    pub(crate) fn change(
        &self,
        cell: &Cell,
        act: impl FnOnce(&mut Room) -> Result<(), Refused>,
    ) -> Result<(), Refused> {
        let mut writer = self.write(cell)?;
        let mut room = Room::clone(&cell.room());
        act(&mut room)?;
        self.store(cell, &mut writer, room)
    }

    /// The right to change a table, once it is known what the store holds of it.
    fn write<'a>(&self, cell: &'a Cell) -> Result<MutexGuard<'a, Writer>, Refused> {
        let mut writer = locked(&cell.writer);
        if writer.closed {
            return Err(Refused::Elsewhere);
        }
        let Some((room, entries)) = writer.unsure.take() else {
            return Ok(writer);
        };
        let from = entries.first().map_or(0, |entry| entry.number);
        match self.setting.store.log(&writer.record.id, from) {
            Ok(kept) if kept.is_empty() => Ok(writer),
            Ok(kept) if kept == entries => {
                self.show(cell, &writer, room);
                Ok(writer)
            }
            Ok(_) => {
                writer.closed = true;
                Err(Refused::Elsewhere)
            }
            Err(_) => {
                writer.unsure = Some((room, entries));
                Err(Refused::NotKept)
            }
        }
    }

    /// Stores what is new, then shows it.
    fn store(&self, cell: &Cell, writer: &mut Writer, mut room: Room) -> Result<(), Refused> {
        let fresh = room.take_fresh();
        if fresh.is_empty() {
            return Ok(());
        }
        match self.setting.store.append(&writer.record.id, &fresh) {
            Ok(()) => {
                self.show(cell, writer, room);
                Ok(())
            }
            Err(fault @ StoreError::Taken { .. }) => {
                writer.closed = true;
                self.note(&fault.to_string());
                Err(Refused::Elsewhere)
            }
            Err(fault) => {
                writer.unsure = Some((room, fresh));
                self.note(&fault.to_string());
                Err(Refused::NotKept)
            }
        }
    }

    /// Everybody sees what was stored.
    fn show(&self, cell: &Cell, writer: &Writer, room: Room) {
        let was_over = cell.room().table().is_some_and(Table::is_over);
        let number = room.number();
        let room = Arc::new(room);
        *locked(&cell.room) = Arc::clone(&room);
        cell.changed.send_replace(number);
        let Some(table) = room.table().filter(|table| table.is_over() && !was_over) else {
            return;
        };
        // The log itself tells that it is over; the mark only spares reading it.
        let _ = self.setting.store.mark(&writer.record.id, Standing::Over);
        self.note_victory(table);
        if let Some(over) = self.setting.over.as_ref().filter(|_| table.start.stage.is_none()) {
            over(&table.record().write());
        }
    }

    /// Who beats an opponent of the package has done so for good.
    fn note_victory(&self, table: &Table) {
        let (start, winner) = (&table.start, table.duel().outcome().and_then(winner_of));
        let (Some(opponent), Some(winner)) = (&start.opponent, winner) else {
            return;
        };
        if start.who[winner] != Who::Person || start.stage.is_some() {
            return;
        }
        if let Err(fault) = self.setting.store.note_fact(&opponent.fact(&start.game), true) {
            self.note(&format!(
                "that {} was beaten cannot be kept: {fault}",
                opponent.name
            ));
        }
    }

    /// Puts another duel behind the same door.
    fn replace(&self, cell: &Cell, writer: &mut Writer, mut room: Room, id: &str) -> Result<(), Refused> {
        let begun = StartRecord::read(&writer.record.start);
        let table = begun.map_err(|_| Refused::NotKept)?.table;
        let record = self.record_of(&room, id, &table);
        let begun = self.setting.store.begin(&record, &room.take_fresh());
        begun.map_err(|fault| {
            self.note(&fault.to_string());
            Refused::NotKept
        })?;
        writer.record = record;
        self.show(cell, writer, room);
        Ok(())
    }

    /// A seat commits to its part of the shuffle.
    pub(crate) fn sit_down(
        &self,
        cell: &Cell,
        seat: Seat,
        commitment: &str,
        name: &str,
        deck: Option<usize>,
    ) -> Result<(), Refused> {
        let mut writer = self.write(cell)?;
        let mut room = Room::clone(&cell.room());
        let Room::Gathering(gathering) = &mut room else {
            return Err(Refused::Repeated);
        };
        let deck = deck
            .map(|deck| self.chosen_deck(gathering, seat, deck))
            .transpose()?;
        gathering.sit_down_with(seat, commitment, name, deck.flatten())?;
        self.store(cell, &mut writer, room)
    }

    /// A deck of the package for a seat, if it is not the one that was meant; it must be one that can be played.
    fn chosen_deck(
        &self,
        gathering: &Gathering,
        seat: Seat,
        deck: usize,
    ) -> Result<Option<ChosenDeck>, Refused> {
        let (name, cards) = self
            .setting
            .package
            .decks
            .get(deck)
            .cloned()
            .ok_or(Refused::NotOffered)?;
        if gathering.start.decks[seat] == cards {
            return Ok(None);
        }
        let mut start = Start::clone(&gathering.start);
        start.decks[seat].clone_from(&cards);
        Table::set_up(
            Arc::new(start),
            gathering.seats.clone(),
            Origin::drawn(&fresh_secret()),
            1,
            fresh_secret(),
        )
        .map_err(|_| Refused::NotOffered)?;
        Ok(Some(ChosenDeck { name, cards }))
    }

    /// A seat reveals the part to which it is bound by `commitment`; with the second one the duel begins, or goes on
    /// where it was taken back to.
    pub(crate) fn reveal(
        &self,
        cell: &Cell,
        seat: Seat,
        commitment: &str,
        nonce: &str,
    ) -> Result<(), Refused> {
        let mut writer = self.write(cell)?;
        let mut room = Room::clone(&cell.room());
        let bound = match &room {
            Room::Gathering(gathering) => gathering.agreeing().commitment(seat),
            Room::Playing(table) => table.bound_by(seat),
        };
        // A form of an earlier shuffle spoils nothing.
        if bound != Some(commitment) {
            return Err(Refused::Stale);
        }
        let revealed = match &mut room {
            Room::Gathering(gathering) => gathering.reveal(seat, nonce)?,
            Room::Playing(table) => table.reveal(seat, nonce)?,
        };
        if let Room::Gathering(gathering) = &room
            && let Some(begun) = gathering.begin(self.next_part(&writer.record.id))
        {
            let table = begun.map_err(|_| Refused::NotOffered)?;
            let mut table = self.allow(table);
            table.pass_for_the_idle();
            room = Room::Playing(Box::new(table));
        }
        self.store(cell, &mut writer, room)?;
        match revealed {
            Revealed::Fits => Ok(()),
            Revealed::Spoilt => Err(Refused::DoesNotFit),
        }
    }

    /// The lesson or puzzle begins again, for the form of this number.
    pub(crate) fn again(&self, cell: &Cell, number: u64) -> Result<(), Refused> {
        let mut writer = self.write(cell)?;
        let room = cell.room();
        let table = room.table().ok_or(Refused::NotBegun)?;
        if table.start.stage.is_none() {
            return Err(Refused::NotOffered);
        }
        if table.number() != number {
            return Err(Refused::Stale);
        }
        let old = writer.record.id.clone();
        let id = self.next_id(&old);
        let next = self.next_table(table, Arc::clone(&table.start), &id, table.origin.clone())?;
        self.replace(cell, &mut writer, Room::Playing(Box::new(next)), &id)?;
        let _ = self.setting.store.forget(&old);
        Ok(())
    }

    /// The seat would play again; when all would, the next duel begins at the same table.
    pub(crate) fn rematch(
        &self,
        cell: &Cell,
        seat: Seat,
        number: u64,
        commitment: &str,
        swap: bool,
    ) -> Result<(), Refused> {
        let mut writer = self.write(cell)?;
        let room = cell.room();
        let mut table = room.table().ok_or(Refused::NotBegun)?.clone();
        if !table.is_over() || table.start.stage.is_some() {
            return Err(Refused::NotOffered);
        }
        if number < table.first_number() {
            return Err(Refused::Stale);
        }
        table.want_rematch(seat, commitment, swap)?;
        let Some(commitments) = table.rematch_commitments() else {
            return self.store(cell, &mut writer, Room::Playing(Box::new(table)));
        };
        let mut start = (*table.start).clone();
        start.seed = None;
        start.first = None;
        if swap {
            start.decks.0.swap(0, 1);
            start.names.0.swap(0, 1);
        }
        let start = Arc::new(start);
        let id = self.next_id(&writer.record.id);
        let next = match start.between_people() {
            false => Room::Playing(Box::new(self.next_table(
                &table,
                start,
                &id,
                Origin::drawn(&fresh_secret()),
            )?)),
            true => {
                let secret = self.part_in_shuffle(&id);
                let seats = fresh_places(&table);
                let mut gathering = Gathering::new(start, seats, secret, table.number() + 1);
                for seat in Seat::BOTH {
                    let name = table.seats[seat].name.clone().unwrap_or_default();
                    gathering.take_settings(seat, &table.seats[seat].policy);
                    gathering.sit_down(seat, &commitments[seat.index()], &name)?;
                }
                // All are bound: the pages reveal their parts when they see it.
                Room::Gathering(Box::new(gathering))
            }
        };
        self.replace(cell, &mut writer, next, &id)
    }

    /// The next duel of the same seats.
    fn next_table(
        &self,
        table: &Table,
        start: Arc<Start>,
        id: &str,
        origin: Origin,
    ) -> Result<Table, Refused> {
        let next = Table::set_up(
            start,
            fresh_places(table),
            origin,
            table.number() + 1,
            self.next_part(id),
        );
        let next = next.map_err(|_| Refused::NotOffered)?;
        Ok(self.take_over(self.allow(next), table))
    }

    /// The seats go on with the settings that they made.
    fn take_over(&self, mut next: Table, table: &Table) -> Table {
        for seat in Seat::BOTH {
            next.take_settings(seat, &table.seats[seat].policy);
        }
        next.pass_for_the_idle();
        next
    }

    /// Begins a lesson or a puzzle of the shelf for a person; the way to their seat.
    pub(crate) fn open_stage(
        self: &Arc<Inner>,
        stage: &Arc<Stage>,
        by: Option<&Arc<Quota>>,
    ) -> Result<Invitation, HostError> {
        let start = Start {
            game: Arc::clone(&self.setting.package.game),
            catalogue: Arc::clone(&self.setting.package.catalogue),
            decks: PerSeat::default(),
            names: PerSeat([stage.name().to_owned(), String::new()]),
            who: PerSeat([Who::Person, Who::COMPUTER]),
            seed: Some(1.into()),
            first: None,
            allow_illegal_decks: true,
            stage: Some(Arc::clone(stage)),
            invites: None,
            opponent: None,
        };
        Ok(self.open(start, by)?[Stage::SEAT.index()].clone())
    }

    /// A table of its own that goes on from a step of this one; the way to the same seat of it.
    pub(crate) fn fork(
        self: &Arc<Inner>,
        table: &Table,
        at: usize,
        seat: Seat,
        by: &Arc<Quota>,
    ) -> Result<Invitation, HostError> {
        self.make_room()?;
        let id = fresh_secret().public();
        let start = Arc::new(table.start_of_fork(seat));
        let (places, origin) = (self.places(&start, &id), Origin::Given(table.origin.seed()));
        let mut forked = self.allow(Table::set_up(start, places, origin, 1, self.next_part(&id))?);
        forked.follow(table, at);
        forked.take_settings(seat, &table.seats[seat].policy);
        Ok(self.keep_and_seat(Room::Playing(Box::new(forked)), &id, Some(by))?[seat.index()].clone())
    }
}

fn winner_of(outcome: cw_duel::Outcome) -> Option<Seat> {
    match outcome {
        cw_duel::Outcome::Won { winner, .. } => Some(winner),
        cw_duel::Outcome::Drawn => None,
    }
}

/// The same people and secrets, and nothing that they have done.
fn fresh_places(table: &Table) -> PerSeat<Place> {
    PerSeat::from_fn(|seat| {
        let place = &table.seats[seat];
        let mut fresh = Place::new(table.start.who[seat], place.secret.clone());
        fresh.name.clone_from(&place.name);
        fresh
    })
}

// --- Computers ----------------------------------------------------------------------------------------

/// What a computer thinks about.
struct Thought {
    /// The decision, as the table numbers it.
    number: u64,
    /// How many steps were taken.
    step: u64,
    level: Level,
    against_a_person: bool,
    /// What a lesson's script wants.
    cue: Option<cw_duel::Choice>,
    duel: cw_duel::Duel,
}

impl Thought {
    /// The computer's choice. Its seed is what it sees and how far the duel has gone, so that the same
    /// position gives the same choice again, also after a restart. Against a person it knows no deck list.
    fn choose(&self, lists: &[Vec<ModelId>], values: Option<&Values>) -> Option<cw_duel::Choice> {
        let lists = match self.against_a_person {
            true => Lists::Closed(lists),
            false => Lists::Open,
        };
        let eyes = Eyes::of_who_is_asked(&self.duel)?.knowing(lists);
        let seed = mix(&[sight(&eyes.view()), self.step]);
        let ask = cw_players::Ask {
            budget: self.level.budget(),
            values,
            ..eyes.ask(seed)
        };
        // Lanes of a large search are shared among the processors; how many there are changes no choice.
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        Some(self.level.choose_on(&ask, threads))
    }
}

/// Tells that a computer thinks, as long as it lives.
struct Thinking<'a>(&'a AtomicBool);

impl Drop for Thinking<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}

impl Inner {
    /// After a change: lets a computer go on.
    pub(crate) fn settle(self: &Arc<Inner>, cell: &Arc<Cell>) {
        // Outside of a runtime nothing can wait; the server settles all tables when it starts.
        if next_thought(cell).is_some()
            && let Ok(runtime) = tokio::runtime::Handle::try_current()
        {
            runtime.spawn(Arc::clone(self).let_computers_play(Arc::clone(cell)));
        }
    }

    /// Computers answer until somebody else must, or the duel is over; one at a time for each table, no
    /// longer than its budget, and on threads of their own.
    async fn let_computers_play(self: Arc<Inner>, cell: Arc<Cell>) {
        while !cell.thinking.swap(true, Ordering::AcqRel) {
            let thinking = Thinking(&cell.thinking);
            while let Some(thought) = next_thought(&cell) {
                let Ok(permit) = self.thinkers.acquire().await else {
                    return;
                };
                let (inner, own) = (Arc::clone(&self), Arc::clone(&cell));
                let thought = tokio::task::spawn_blocking(move || inner.think(&own, &thought));
                let pause = match thought.await {
                    Ok((Ok(()), spent)) => locked(&cell.budget).spend(spent).min(MOST_PAUSE),
                    Ok((Err(Refused::NotKept), _)) => TRY_AGAIN,
                    Ok((Err(_), _)) | Err(_) => return,
                };
                drop(permit);
                // Who has used its share up thinks slower, so that others get theirs.
                tokio::time::sleep(pause).await;
            }
            drop(thinking);
            // Somebody may have answered between the last look and the release.
            if next_thought(&cell).is_none() {
                return;
            }
        }
    }

    fn think(&self, cell: &Cell, thought: &Thought) -> (Result<(), Refused>, Duration) {
        let begun = Instant::now();
        // A lesson is followed with the eyes.
        let choice = thought.cue.or_else(|| {
            thought.choose(
                &self.setting.package.lists,
                self.setting.package.values.as_deref(),
            )
        });
        let spent = begun.elapsed();
        if spent > LONG_THOUGHT {
            let cards = thought.duel.pending().into_iter();
            let cards = cards.flat_map(|decision| decision.options.iter().filter_map(|choice| choice.card()));
            let seat = thought.duel.pending().map(|decision| decision.seat);
            let known = cards.filter_map(|card| thought.duel.known_model(seat?, card));
            self.note_slow(&known.collect::<Vec<_>>());
        }
        let changed = self.change(cell, |room| {
            let table = room.playing()?;
            if let Some(choice) = choice {
                table.choose_for_computer(thought.number, choice);
            }
            Ok(())
        });
        (changed, spent)
    }
}

fn next_thought(cell: &Cell) -> Option<Thought> {
    let room = cell.room();
    let table = room.table()?;
    Some(Thought {
        number: table.number(),
        step: table.last() as u64,
        level: table.computer_to_move()?,
        against_a_person: table.computer_plays_a_person(),
        cue: table.cue(),
        duel: table.duel().clone(),
    })
}
