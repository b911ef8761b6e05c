//! Duels: two seats, the rules, and computers that play.
//!
//! In reading order: this file says what a host of duels is made of; `hosting` what a hall must know of a
//! duel, `start` how one begins in the store. `tables` opens and lists them, `resume` brings them back when
//! the program starts, `changes` is what seats do together, `renewed` exchanges their game for another
//! version of it, `computers` answers for those that think, `judged` reviews what was played.

mod changes;
mod computers;
mod daily;
mod hosting;
mod judged;
mod renewed;
mod resume;
mod start;
mod tables;

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use async_lock::Semaphore;
use cw_duel::{Game, PerSeat, Seat};
use cw_faces::Catalogue;
use cw_octgn::PackageFiles;
use cw_players::{Level, Lists, PositionWeights, SeatEyes, Sight as _, mix, sight};
use cw_program::ModelId;

use crate::arena::ArenaBoard;
use crate::clock::Moment;
use crate::drafts::DraftRooms;
use crate::free::FreeHost;
use crate::hall::{Hall, HallTable, Host, HostError, Hosted, TableWriter, WakeError};
use crate::keys::HallKeys;
use crate::lock::locked;
use crate::quota::{HostLimits, Quota, TimeBudget};
use crate::reviews::Reviews;
use crate::runs::RunShelf;
use crate::shared::{NoticeBoard, SharedPackage, Workbench};
use crate::store::{DuelStanding, DuelStore, TableRecord};
use crate::tickets::TICKET;
use cw_pages::ladder::LadderProgress;
use cw_pages::ladder::Opponent;
use cw_pages::linked::{LinkedDuel, LinkedThing};
use cw_pages::listed::{Listed, OutdatedDuel, WantedDuel};
use cw_pages::package::DuelPackage;
use cw_pages::room::{ChosenDeck, Gathering, SeatRoom};
use cw_pages::secret::Secret;
use cw_pages::stage::ScenarioStage;
use cw_pages::table::{ChanceOrigin, DuelStart, DuelTable, Refused, Revealed, SeatPlayer, TablePlace};
pub use renewed::{RenewedTables, UnfitTable};
use start::StartRecord;

/// The way to a seat: whoever opens it sits there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invitation {
    /// Which seat.
    pub seat: Seat,
    /// Who sits there.
    pub who: SeatPlayer,
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
    /// What each unfinished duel was, as “Deck against deck”, that cannot go on since the game was changed.
    /// They are kept, and go on with the game as it was; the front page can forget them.
    pub changed: Vec<String>,
}

/// Takes the text of a record.
type Over = Box<dyn Fn(&str) + Send + Sync>;

/// Takes a sentence for whoever runs the host.
type HostNotice = Box<dyn Fn(&str) + Send + Sync>;

/// What a host is made of. [`HostSettings::new`] gives a plain one; its fields may be set.
pub struct HostSettings {
    /// The game of its tables, and what belongs to it.
    pub package: SharedPackage,
    /// What keeps the duels.
    pub store: Arc<dyn DuelStore>,
    /// The package's files, for its pictures.
    pub files: Option<Box<dyn PackageFiles + Send>>,
    /// Is given the record of each duel that ends, as `cardwright replay` reads it.
    pub over: Option<Over>,
    /// Is told what whoever runs the host should know: a store that fails, a card that takes too long.
    pub note: Option<HostNotice>,
    /// What a seat may use up.
    pub limits: HostLimits,
    /// The name or address of this machine under which others in the network reach the tables; if empty,
    /// the address that it has there. Nobody else reaches them if `None`, until the front page is asked to.
    pub reach: Option<String>,
    /// Secrets that nobody can foresee: the hall has no chance of its own.
    pub chance: fn() -> Secret,
    /// Whether somebody else can reach a table: friends are invited.
    pub has_friends: bool,
    /// The address of a page of this game that anybody can open: links to be shared lead there.
    pub page: Option<String>,
    /// Makes free tables of the same package, when somebody first wants one.
    pub free: Option<FreeMaker>,
    /// Somebody works on the package while it is played.
    pub workbench: Option<Arc<dyn Workbench>>,
}

/// Opens the tables of a host to a network, or says why that cannot be.
pub type NetworkOpener =
    Box<dyn Fn(DuelHost) -> Pin<Box<dyn Future<Output = Result<(), String>> + Send>> + Send + Sync>;

/// Makes what free tables need; nothing if that cannot be.
pub type FreeMaker = Box<dyn Fn() -> Option<FreeHost> + Send + Sync>;

impl HostSettings {
    /// Tables without pictures, texts of rules and lessons.
    pub fn new(
        game: Arc<Game>,
        catalogue: Arc<Catalogue>,
        store: Arc<dyn DuelStore>,
        chance: fn() -> Secret,
    ) -> HostSettings {
        HostSettings {
            package: DuelPackage::new(game, catalogue).into(),
            store,
            files: None,
            over: None,
            note: None,
            limits: HostLimits::default(),
            reach: None,
            free: None,
            workbench: None,
            has_friends: true,
            page: None,
            chance,
        }
    }
}

impl std::fmt::Debug for HostSettings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Setting")
            .field("package", &self.package)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}

/// The seat of the person who plays against the computer.
fn only_person(who: [SeatPlayer; 2]) -> Option<Seat> {
    match who {
        [SeatPlayer::Person, SeatPlayer::Computer(_)] => Some(Seat::One),
        [SeatPlayer::Computer(_), SeatPlayer::Person] => Some(Seat::Two),
        [SeatPlayer::Person, SeatPlayer::Person] | [SeatPlayer::Computer(_), SeatPlayer::Computer(_)] => None,
    }
}

/// What the duels of a host have in common.
pub struct DuelHosting {
    /// What the host was made of.
    pub setting: HostSettings,
    /// Drafts that somebody has opened.
    pub drafts: DraftRooms,
    /// What is known of runs.
    pub runs: RunShelf,
    /// The puzzle of the day.
    daily: daily::MadeToday,
    /// Who can show it may see the front page: whoever runs the host.
    pub home: Secret,
    /// Free tables of the same package, once somebody wanted one.
    pub free: OnceLock<Option<FreeHost>>,
    /// Where this machine's own browsers find the tables, once they are served.
    pub own: OnceLock<SocketAddr>,
    /// Opens the tables to a network, where something can.
    pub network: OnceLock<NetworkOpener>,
    /// The last run of the arena.
    pub arena: ArenaBoard,
    /// Computers that think at the same time.
    pub thinkers: Semaphore,
    /// Cards that took too long, each told once.
    slow: Mutex<BTreeSet<ModelId>>,
    /// What whoever works on the game tells every table.
    pub notices: Arc<NoticeBoard>,
    /// Unfinished duels that cannot go on since the game was changed, the newest first.
    changed: Mutex<Vec<OutdatedDuel>>,
}

impl std::fmt::Debug for DuelHosting {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("DuelHosting").field(&self.setting).finish()
    }
}

/// The duels of one game.
pub type DuelHall = Hall<DuelHosting>;
/// A handle of the duels of one game.
pub type DuelHost = Host<DuelHosting>;
/// A table of duels that is awake: one duel after the other is played there.
pub type HostedDuel = HallTable<DuelHosting>;

/// Who asks for a table.
#[derive(Clone, Copy, Debug)]
pub struct TableOpener<'a> {
    /// The seat that asks, if one does: what the table uses up counts as that seat's.
    pub seat: Option<&'a Arc<Quota>>,
    /// Whether it is somebody else than whoever runs the host.
    pub is_guest: bool,
}

impl TableOpener<'_> {
    /// Whoever runs the host, on a page of theirs that is no seat's.
    pub const HOST: TableOpener<'static> = TableOpener {
        seat: None,
        is_guest: false,
    };
}

/// What stands beside a duel.
#[derive(Debug, Default)]
pub struct BesideDuel {
    /// Somebody else than whoever runs the host has asked for the table. The store keeps it with the duel's
    /// beginning.
    of_guest: bool,
    /// What the choices of the duel that is over cost.
    pub reviews: Reviews,
    /// The time that computers may think about this table.
    budget: Mutex<TimeBudget>,
    /// Whether a computer thinks about this table already.
    thinking: AtomicBool,
}

/// With which deck somebody sits down.
#[derive(Clone, Debug)]
pub enum DeckWish {
    /// One of the package's, by its place.
    OfPackage(usize),
    /// One that they bring.
    Brought(ChosenDeck),
}

impl BesideDuel {
    fn of(of_guest: bool) -> BesideDuel {
        BesideDuel {
            of_guest,
            ..BesideDuel::default()
        }
    }
}

impl HostedDuel {
    /// Whether whoever runs the host sits at this seat: alone against the computer, or with a friend whom
    /// they have invited, and not at a table that a guest has opened.
    pub fn is_the_hosts(&self, seat: Seat) -> bool {
        let room = self.room();
        let alone = only_person(Seat::BOTH.map(|seat| room.seats()[seat].who)).is_some();
        !self.beside.of_guest && (alone || room.start().invites == Some(seat))
    }

    /// What is behind the door now.
    pub fn room(&self) -> Arc<SeatRoom> {
        Arc::clone(&locked(&self.live))
    }
}

/// Finished duels that are kept to be watched.
const MOST_OVER: usize = 200;
/// Unfinished duels that are looked through when the program starts.
const MOST_GOING: usize = 64;
/// The longest pause of a computer between two choices.
const MOST_PAUSE: Duration = Duration::from_secs(5);
/// When a computer whose choice could not be stored tries again.
const TRY_AGAIN: Duration = Duration::from_secs(1);
/// A thought that takes longer is told to whoever runs the host.
const LONG_THOUGHT: Duration = Duration::from_secs(2);

impl DuelHost {
    /// A host without tables.
    pub fn new(setting: HostSettings) -> DuelHost {
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        let keys = HallKeys::new(setting.store.key());
        let hosting = DuelHosting {
            setting,
            drafts: DraftRooms::default(),
            runs: RunShelf::default(),
            daily: daily::MadeToday::default(),
            home: keys.front_page(),
            free: OnceLock::new(),
            own: OnceLock::new(),
            network: OnceLock::new(),
            arena: ArenaBoard::default(),
            thinkers: Semaphore::new(cores),
            slow: Mutex::default(),
            notices: Arc::default(),
            changed: Mutex::default(),
        };
        Host::of(hosting, keys)
    }

    /// Begins a duel, or lets two people agree on its shuffle first.
    ///
    /// # Errors
    /// If it cannot start, or cannot be kept.
    pub fn open(&self, start: DuelStart) -> Result<Vec<Invitation>, HostError> {
        self.hall.open(start, TableOpener::HOST)
    }

    /// Begins a duel as [`DuelHost::open`] does. Where such a duel between two people waits in which nobody
    /// has done anything, it is that one: whoever starts the program again and again leaves no empty ones
    /// behind, and links stay good.
    ///
    /// # Errors
    /// If it cannot start, or cannot be kept.
    pub fn open_or_find(&self, start: DuelStart) -> Result<Vec<Invitation>, HostError> {
        match self.hall.untouched_like(&start) {
            Some(cell) => Ok(invitations(&cell)),
            None => self.open(start),
        }
    }

    /// Brings back the duels of this game. Those that no longer fit the game are left alone and told, those
    /// in which nothing was done are forgotten, those that make no sense are set aside.
    ///
    /// # Errors
    /// If the store cannot be read at all.
    pub fn resume(&self) -> Result<Resumed, HostError> {
        self.hall.resume()
    }

    /// A way to the seat that leads there once, and soon: what stands in the list of processes may be
    /// read by others.
    pub fn ticket(&self, invitation: &Invitation) -> String {
        self.hall.issue(invitation.path.clone(), Some(TICKET))
    }

    /// The link for somebody else's seat: good until one person has sat down by it, or has opened it where
    /// the duel goes on already.
    pub fn link_for_guest(&self, invitation: &Invitation) -> String {
        self.hall.link_for_guest(invitation)
    }

    /// The path of the front page, below the server's address. It holds a secret: the page leads to all
    /// duels of one person against the computer.
    pub fn front_page(&self) -> String {
        format!("/front/open/{}", self.hall.home.reveal())
    }

    /// The path of a run, below the server's address; it leads through the front page.
    pub fn way_to_run(&self, seed: cw_run::RunSeed) -> String {
        format!("{}?run={seed}", self.front_page())
    }

    /// A way to a run that leads there once, and soon.
    pub fn ticket_to_run(&self, seed: cw_run::RunSeed) -> String {
        self.hall.issue(self.way_to_run(seed), Some(TICKET))
    }

    /// A way to the front page that leads there once, and soon.
    pub fn ticket_to_front_page(&self) -> String {
        self.hall.issue(self.front_page(), Some(TICKET))
    }
}

/// The ways to both seats.
fn invitations(cell: &HostedDuel) -> Vec<Invitation> {
    let room = cell.room();
    let invite = |(seat, path): (Seat, String)| Invitation {
        seat,
        who: room.seats()[seat].who,
        path,
    };
    cell.ways().map(invite).collect()
}
