//! One hall for all that is hosted: who sits where, what is awake, and what the store alone holds.
//!
//! A [`Hall`] is generic over what it hosts. Everything that is the same for a duel, a free table or a draft
//! is here, once; [`Hosted`] says what differs. In reading order: this file says what a hall is made of;
//! `doors` opens tables and finds them by the names of their seats, `sleep` puts them to sleep and wakes
//! them, `keep` changes them: a copy is changed, stored, and only then shown.
//!
//! Locks are taken in this order and never the other way: the hall's tables, a table's writer, what is shown
//! of it.

mod doors;
mod keep;
mod sleep;

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Deref;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_lock::Semaphore;
use cw_pages::entry::DuelEntry;
use cw_pages::secret::Secret;
use cw_pages::table::CannotBegin;

use crate::bell::Bell;
use crate::clock::Moment;
use crate::keys::HallKeys;
use crate::lock::locked;
use crate::presence::Attendance;
use crate::quota::{HostLimits, Quota};
use crate::reach::NetworkReach;
use crate::runtime::{Runtime, Tasks};
use crate::store::{DuelStanding, DuelStore, StoreError, TableRecord};
use crate::tickets::Tickets;

/// A kind of table that a hall hosts: what differs from one kind to the next.
///
/// The value itself is what all tables of a hall have in common: the package and its settings. The hall gives
/// access to it as if it were its own.
pub trait Hosted: Sized + Send + Sync + 'static {
    /// Who comes to a table: one of its seats, or those who watch.
    type Looker: Copy + Ord + fmt::Debug + Send + Sync + 'static;
    /// What is shown of a table. Nobody holds its lock while something is stored, so readers wait for no
    /// disk.
    type Live: Send + 'static;
    /// What a change makes of a copy: it is stored before it is shown.
    type Change: Send + 'static;
    /// What showing a change gives to whoever made it.
    type Told;
    /// What stands beside a table as long as it is awake, and is not kept.
    type Beside: Send + Sync + 'static;
    /// What is known of a table that sleeps, without its log.
    type Outline: Send + Sync + 'static;

    /// The path below which the secrets of seats lead to them, with slashes around it.
    const JOIN: &'static str;
    /// The path below which tickets lead somewhere once, with slashes around it.
    const OPEN: &'static str;
    /// How often tables are looked after.
    const LOOK: Duration;
    /// Whether a log that makes no sense is set aside for good, so that nobody comes to it again.
    const SETS_ASIDE: bool;

    /// What keeps the tables.
    fn store(&self) -> &dyn DuelStore;
    /// What a seat may use up.
    fn limits(&self) -> &HostLimits;
    /// A secret that nobody can foresee: the hall has no chance of its own.
    fn chance(&self) -> Secret;
    /// Tells whoever runs the host something, such as that the store fails.
    fn note(&self, _words: &str) {}

    /// The secret of a door of this table.
    fn secret(keys: &HallKeys, table: &str, looker: Self::Looker) -> Secret;
    /// All who can come to this table.
    fn lookers(live: &Self::Live) -> Vec<Self::Looker>;
    /// Whether a person sits there, or watches: a computer has no limits of its own.
    fn is_person(live: &Self::Live, looker: Self::Looker) -> bool;

    /// Brings a table back from what the store holds of it.
    ///
    /// # Errors
    /// If that makes no sense, or cannot be read now.
    fn restore(
        hall: &Hall<Self>,
        name: &str,
        record: &TableRecord,
    ) -> Result<(Self::Live, Self::Beside), WakeError>;
    /// What is told of the table while it sleeps.
    fn outline(live: &Self::Live) -> Self::Outline;
    /// Shows a change that is stored, and wakes whoever follows the table.
    fn show(
        hall: &Hall<Self>,
        table: &HallTable<Self>,
        record: &TableRecord,
        change: Self::Change,
    ) -> Self::Told;

    /// How much a table takes of what [`Hosted::space`] gives.
    fn weight(live: &Self::Live) -> usize;
    /// How much all tables may take that are awake.
    fn space(limits: &HostLimits) -> usize;
    /// Whether only the store need hold a table that nobody follows.
    fn may_sleep(table: &Arc<HallTable<Self>>) -> bool;
    /// Whether anything was done at the table. One that a seat has opened, and at which nothing was, is
    /// forgotten.
    fn is_touched(live: &Self::Live) -> bool;
    /// Whether what is played there goes on.
    fn standing(live: &Self::Live) -> DuelStanding;

    /// Lets computers go on after a change, or when the table has woken.
    fn settle(_hall: &Arc<Hall<Self>>, _table: &Arc<HallTable<Self>>) {}
    /// Looks after a table now and then: who is away, whose time is over.
    fn look_after(_hall: &Hall<Self>, _table: &Arc<HallTable<Self>>) {}
}

/// The tables of one kind, behind all handles of their host.
pub struct Hall<H: Hosted> {
    hosted: H,
    pub(crate) keys: HallKeys,
    tables: Mutex<HallTables<H>>,
    /// Ways to a seat that lead there once.
    tickets: Tickets,
    reach: Mutex<Option<NetworkReach>>,
    /// Pictures that were drawn.
    pub drawn: Mutex<BTreeMap<String, Arc<str>>>,
    /// Pictures that are drawn or read at the same time.
    pub drawing: Arc<Semaphore>,
    /// What runs beside requests.
    pub tasks: Tasks,
}

/// What all tables have in common is reached through their hall.
impl<H: Hosted> Deref for Hall<H> {
    type Target = H;

    fn deref(&self) -> &H {
        &self.hosted
    }
}

impl<H: Hosted> fmt::Debug for Hall<H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hall").finish_non_exhaustive()
    }
}

/// The tables of a hall, by the names from which the secrets of their doors follow.
struct HallTables<H: Hosted> {
    /// Public names of seats: the table's name, and who comes by that door.
    doors: BTreeMap<String, (String, H::Looker)>,
    awake: BTreeMap<String, Arc<HallTable<H>>>,
    asleep: BTreeMap<String, Arc<SleepingTable<H>>>,
}

/// What a door of a table is to whoever comes by it.
#[derive(Clone, Debug)]
struct HallDoor {
    secret: Secret,
    quota: Arc<Quota>,
}

/// A table that is awake. Several requests share it.
pub struct HallTable<H: Hosted> {
    /// The secrets of its doors follow from this name. Logs that follow one another at a table have it in
    /// common.
    pub(crate) name: String,
    /// What is shown of it.
    pub live: Mutex<H::Live>,
    writer: Mutex<TableWriter<H>>,
    doors: BTreeMap<H::Looker, HallDoor>,
    /// Who is at the table.
    pub presence: Arc<Attendance<H::Looker>>,
    /// Rings at each change.
    pub changed: Arc<Bell>,
    /// What stands beside it and is not kept.
    pub beside: H::Beside,
    /// When a seat last asked for anything.
    used: Mutex<Moment>,
    weight: AtomicUsize,
    /// A seat opened it: nobody misses it if nothing was done there.
    pub(crate) opened: bool,
    asleep: AtomicBool,
}

impl<H: Hosted> fmt::Debug for HallTable<H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HallTable").finish_non_exhaustive()
    }
}

/// The right to change a table.
pub(crate) struct TableWriter<H: Hosted> {
    /// How the store calls what is played there now.
    pub(crate) record: TableRecord,
    /// What was to be stored when the store failed: it may have been stored all the same.
    unsure: Option<(H::Change, Vec<DuelEntry>)>,
    /// This program does not play the table on.
    closed: bool,
}

/// A table that only the store holds.
pub(crate) struct SleepingTable<H: Hosted> {
    pub(crate) name: String,
    pub(crate) record: TableRecord,
    pub(crate) outline: H::Outline,
    /// What its seats had used up; nothing if they were not here since the program began.
    quotas: BTreeMap<H::Looker, Arc<Quota>>,
    opened: bool,
    /// Held by who wakes it: whoever else comes to this table waits for that, and nobody else does.
    waking: Mutex<()>,
}

/// No table can be woken or opened: all that take memory are in use.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error(
    "too many tables are open, and there is no memory for another one; \
     close one that nobody needs, and try again"
)]
pub struct HallFull;

/// Why there is no table.
#[derive(Debug, thiserror::Error)]
pub enum HostError {
    /// The duel cannot start.
    #[error(transparent)]
    Begin(#[from] CannotBegin),
    /// It cannot be kept.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// There are too many tables.
    #[error(transparent)]
    Full(#[from] HallFull),
}

/// Why a table cannot be brought back.
#[derive(Debug, thiserror::Error)]
pub enum WakeError {
    /// What is kept of it makes no sense, and never will.
    #[error("{0}")]
    Damaged(String),
    /// It cannot be read now.
    #[error("this table cannot be read from the disk right now; none of it is lost")]
    Unread(#[source] StoreError),
    /// There are too many tables.
    #[error(transparent)]
    Full(#[from] HallFull),
}

impl From<String> for WakeError {
    fn from(why: String) -> WakeError {
        WakeError::Damaged(why)
    }
}

impl From<StoreError> for WakeError {
    fn from(fault: StoreError) -> WakeError {
        match fault {
            StoreError::Damaged(why) => WakeError::Damaged(why),
            other => WakeError::Unread(other),
        }
    }
}

/// Why a change was not made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KeepFault {
    /// The table is played on elsewhere, or has gone to sleep.
    Elsewhere,
    /// It cannot be stored now, or it is not known whether it is.
    NotKept,
}

/// A table, and who comes to it.
pub type FoundTable<H> = (Arc<HallTable<H>>, <H as Hosted>::Looker);

impl<H: Hosted> HallTable<H> {
    /// The secret that opens this door.
    ///
    /// # Panics
    /// If the table has no such door.
    pub fn secret(&self, looker: H::Looker) -> &Secret {
        &self.door(looker).secret
    }

    /// What whoever comes by this door uses up.
    ///
    /// # Panics
    /// If the table has no such door.
    pub fn quota(&self, looker: H::Looker) -> &Arc<Quota> {
        &self.door(looker).quota
    }

    fn door(&self, looker: H::Looker) -> &HallDoor {
        let door = self.doors.get(&looker);
        door.expect("whoever comes to a table came by one of its doors")
    }

    /// All who can come to the table, with the paths that lead them there.
    pub(crate) fn ways(&self) -> impl Iterator<Item = (H::Looker, String)> {
        let doors = self.doors.iter();
        doors.map(|(looker, door)| (*looker, way_to::<H>(&door.secret)))
    }

    /// Notes that a seat asks for something.
    pub fn use_now(&self) {
        *locked(&self.used) = Moment::now();
    }

    /// Whether only the store holds it.
    pub fn is_asleep(&self) -> bool {
        self.asleep.load(Ordering::Acquire)
    }

    /// The table has grown, or shrunk.
    pub(crate) fn weigh(&self, weight: usize) {
        self.weight.store(weight, Ordering::Relaxed);
    }

    /// How the store calls what is played there now.
    pub fn record(&self) -> TableRecord {
        locked(&self.writer).record.clone()
    }

    /// How long nobody has asked for anything.
    fn unused(&self) -> Duration {
        locked(&self.used).elapsed()
    }

    /// Whether anybody reads what changes there.
    pub(crate) fn is_followed(&self) -> bool {
        self.doors.values().any(|door| door.quota.is_followed())
    }
}

/// The path that leads to a seat, below the server's address.
fn way_to<H: Hosted>(secret: &Secret) -> String {
    format!("{}{}", H::JOIN, secret.reveal())
}

/// Tables of one kind, behind a server. Handles are cheap to copy.
pub struct Host<H: Hosted> {
    /// What all handles of the host share.
    pub hall: Arc<Hall<H>>,
}

impl<H: Hosted> Clone for Host<H> {
    fn clone(&self) -> Host<H> {
        Host {
            hall: Arc::clone(&self.hall),
        }
    }
}

impl<H: Hosted> fmt::Debug for Host<H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Host").finish_non_exhaustive()
    }
}

impl<H: Hosted> Host<H> {
    /// A host without tables.
    pub(crate) fn of(hosted: H, keys: HallKeys) -> Host<H> {
        let hall = Hall {
            hosted,
            keys,
            tables: Mutex::new(HallTables {
                doors: BTreeMap::new(),
                awake: BTreeMap::new(),
                asleep: BTreeMap::new(),
            }),
            tickets: Tickets::default(),
            reach: Mutex::default(),
            drawn: Mutex::default(),
            drawing: Arc::new(Semaphore::new(2)),
            tasks: Tasks::default(),
        };
        Host { hall: Arc::new(hall) }
    }

    /// What runs beside requests runs on this runtime from now on, if it had none; computers go on that
    /// waited for it.
    pub fn run_on(&self, runtime: Arc<dyn Runtime>) -> bool {
        let is_first = self.hall.tasks.run_on(runtime);
        if is_first {
            for table in self.hall.tables() {
                H::settle(&self.hall, &table);
            }
        }
        is_first
    }

    /// Puts tables that nobody looks at to sleep. A server does that by itself now and then.
    pub fn sweep(&self) {
        self.hall.sweep();
    }

    /// Looks once after all tables: who is away, whose time is over, which may sleep.
    pub fn look(&self) {
        self.hall.sweep();
        for table in self.hall.tables() {
            H::look_after(&self.hall, &table);
        }
    }

    /// How many tables are awake.
    pub fn awake(&self) -> usize {
        locked(&self.hall.tables).awake.len()
    }

    /// Where a network reaches the tables, if it does: what stands before the path of a link.
    pub fn reached_at(&self) -> Option<String> {
        self.hall.reach().map(|reach| reach.origin())
    }

    /// A network reaches the tables in this way from now on, if in any.
    pub fn is_reached_as(&self, reach: Option<NetworkReach>) {
        if reach.is_some() {
            *locked(&self.hall.reach) = reach;
        }
    }
}
