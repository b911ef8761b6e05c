//! One table behind its links: the true state, what was told, who is there.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use cw_table::{FreeTable, Looker, Pace, TableEvent, TableSeat};
use serde_json::Value;

use super::FreeInvitation;
use super::act::No;
use super::kept::KeptStates;
use super::signals::Signals;
use crate::bell::Bell;
use crate::clock::Moment;
use crate::keys::HallKeys;
use crate::lock::locked;
use crate::presence::Pulse;
use crate::quota::Quota;
use crate::store::TableRecord;
use cw_pages::secret::Secret;

/// A table that is awake.
pub struct FreeRoom {
    /// How the store began to keep it.
    pub record: TableRecord,
    /// When somebody last asked for anything.
    used: Mutex<Moment>,
    /// Whose view each secret opens.
    pub(crate) doors: Vec<(Looker, Secret)>,
    /// What each looker uses up.
    pub quotas: BTreeMap<Looker, Arc<Quota>>,
    /// What changes while it is played.
    pub live: Mutex<Live>,
    /// Rings at each change.
    pub changed: Arc<Bell>,
    /// Pointers and moves on their way to others.
    pub signals: Arc<Signals>,
    /// What was asked lately by requests with a number, and what came of it: who hears nothing sends it again.
    pub(crate) answered: BTreeMap<Looker, Mutex<RecentAnswers>>,
    /// Its name since it was woken: before, other numbers were given.
    pub(crate) born: String,
    /// When pages were last heard.
    pulses: Mutex<BTreeMap<Looker, Pulse>>,
    weight: AtomicUsize,
    /// Its record goes to the file that the host named.
    pub(crate) recorded: bool,
}

impl std::fmt::Debug for FreeRoom {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Room").finish_non_exhaustive()
    }
}

/// What changes.
pub struct Live {
    /// The true state.
    pub table: FreeTable,
    /// What happened, for the logs; what is older than these lines is left to the record.
    pub(crate) told: VecDeque<ToldEvent>,
    /// How many were told before them.
    pub(crate) before: usize,
    /// What the store keeps beside its log.
    pub(crate) kept: KeptStates,
    /// The words of questions that wait.
    pub(crate) questions: BTreeMap<u32, (Moment, TableEvent)>,
    /// Entries that wait: how many answers they have, and since when.
    pub(crate) asked: BTreeMap<u32, (usize, Moment)>,
    /// When a seat proposed last to take something back (F132).
    pub(crate) proposed: BTreeMap<TableSeat, Moment>,
    pub(crate) paces: BTreeMap<TableSeat, Pace>,
    /// When each seat was last there.
    pub(crate) seen: BTreeMap<TableSeat, Moment>,
    pub(crate) begun: Moment,
    /// Seats where somebody was when it was last looked after.
    pub(crate) there: BTreeSet<TableSeat>,
    /// Seats that somebody followed.
    pub came: BTreeSet<TableSeat>,
    /// All agreed that the game is over.
    pub(crate) over: bool,
}

impl std::fmt::Debug for Live {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Live").finish_non_exhaustive()
    }
}

/// Answers to the newest requests of one looker, by their numbers.
#[derive(Debug, Default)]
pub(crate) struct RecentAnswers(VecDeque<(String, Result<Value, No>)>);

impl RecentAnswers {
    /// Does what a request asks for, once: sent again, it has the same answer.
    pub(crate) fn once(
        &mut self,
        number: String,
        ask: impl FnOnce() -> Result<Value, No>,
    ) -> Result<Value, No> {
        if let Some((_, answer)) = self.0.iter().find(|(known, _)| *known == number) {
            return answer.clone();
        }
        let answer = ask();
        // Who was too fast or found the store full asks again, and means it.
        if !answer.as_ref().is_err_and(|no| no.wait) {
            self.0.push_back((number, answer.clone()));
            while self.0.len() > MOST_ANSWERED {
                self.0.pop_front();
            }
        }
        answer
    }
}

/// Requests of one looker that may be sent again: a page sends one after the other.
const MOST_ANSWERED: usize = 32;

/// Something that happened, with the step that it belongs to.
#[derive(Clone, Debug)]
pub(crate) struct ToldEvent {
    /// How many entries the table had before it.
    pub(crate) step: usize,
    pub(crate) event: TableEvent,
}

/// Lines of the log that are kept for whoever comes.
const MOST_TOLD: usize = 400;

impl FreeRoom {
    pub(crate) fn new(
        record: TableRecord,
        table: FreeTable,
        keys: &HallKeys,
        born: String,
        recorded: bool,
    ) -> FreeRoom {
        let id = record.id.clone();
        let doors = lookers(table.state().seats.len()).map(|looker| (looker, keys.looker(&id, looker)));
        let doors: Vec<(Looker, Secret)> = doors.collect();
        let quotas = doors
            .iter()
            .map(|(looker, _)| (*looker, Arc::new(Quota::default())));
        let seats: Vec<TableSeat> = table.state().seat_ids().collect();
        let answered = doors.iter().map(|(looker, _)| (*looker, Mutex::default()));
        FreeRoom {
            answered: answered.collect(),
            born,
            quotas: quotas.collect(),
            weight: AtomicUsize::new(table.weight()),
            doors,
            live: Mutex::new(Live {
                table,
                told: VecDeque::new(),
                before: 0,
                kept: KeptStates::default(),
                questions: BTreeMap::new(),
                asked: BTreeMap::new(),
                proposed: BTreeMap::new(),
                paces: BTreeMap::new(),
                seen: seats.into_iter().map(|seat| (seat, Moment::now())).collect(),
                begun: Moment::now(),
                there: BTreeSet::new(),
                came: BTreeSet::new(),
                over: false,
            }),
            changed: Arc::default(),
            signals: Arc::default(),
            pulses: Mutex::default(),
            recorded,
            used: Mutex::new(Moment::now()),
            record,
        }
    }

    pub(crate) fn id(&self) -> &str {
        &self.record.id
    }

    /// Notes that somebody asks for something.
    pub(crate) fn use_now(&self) {
        *locked(&self.used) = Moment::now();
    }

    /// How long nobody has asked for anything.
    pub(crate) fn unused(&self) -> Duration {
        locked(&self.used).elapsed()
    }

    /// Whether only the store need hold it: nobody follows it, no question waits, and no file is written beside the
    /// store.
    pub(crate) fn may_sleep(&self, unused: Duration) -> bool {
        let is_followed = self.quotas.values().any(|quota| quota.is_followed());
        let waits = || {
            let live = locked(&self.live);
            !live.table.state().questions.is_empty() || !live.table.state().runs.is_empty()
        };
        !self.recorded && !is_followed && self.unused() >= unused && !waits()
    }

    /// How much memory it takes, about.
    pub(crate) fn weight(&self) -> usize {
        self.weight.load(Ordering::Relaxed)
    }

    /// The table has grown.
    pub(crate) fn weigh(&self, table: &FreeTable) {
        self.weight.store(table.weight(), Ordering::Relaxed);
    }

    /// Whether somebody else may be invited to a seat: nobody was there, and nothing was done.
    pub(crate) fn is_open(&self, seat: TableSeat) -> bool {
        !locked(&self.live).has_come(seat) && !self.is_there(seat)
    }

    /// Somebody who was invited sits down; whether the seat was open.
    pub fn take_seat(&self, seat: TableSeat) -> bool {
        self.is_open(seat) && locked(&self.live).came.insert(seat)
    }

    /// Ways to all seats, and to where those watch who have none.
    pub fn invitations(&self) -> Vec<FreeInvitation> {
        let live = locked(&self.live);
        let names: Vec<String> = live
            .table
            .state()
            .seats
            .iter()
            .map(|seat| seat.name.to_string())
            .collect();
        invite(self.doors.iter().cloned(), &names)
    }

    /// It was woken: so many lines were told before those that are at hand, and this is kept of it.
    pub(crate) fn goes_on(&self, before: usize, kept: KeptStates) {
        let mut live = locked(&self.live);
        live.before = before;
        live.kept = kept;
    }

    /// What happened before it was opened, by steps.
    pub(crate) fn has_told(&self, told: Vec<(usize, Vec<TableEvent>)>) {
        let mut live = locked(&self.live);
        for (step, events) in told {
            live.tell(step, events);
        }
    }

    /// The secret of a door.
    pub fn secret(&self, looker: Looker) -> Option<&Secret> {
        self.doors
            .iter()
            .find(|(of, _)| *of == looker)
            .map(|(_, secret)| secret)
    }

    /// Doors that a seat may show to others: that of those who watch, and seats where nobody was and nothing was done.
    pub fn open_doors(&self, own: TableSeat) -> Vec<FreeInvitation> {
        let is_open = |seat: TableSeat| seat != own && self.is_open(seat);
        let mut invitations = self.invitations();
        invitations.retain(|invitation| invitation.seat.is_none_or(is_open));
        invitations
    }

    /// The other seats of a table on one device, each to be handed the device.
    pub fn other_seats(&self, own: TableSeat) -> Vec<FreeInvitation> {
        let mut invitations = self.invitations();
        invitations.retain(|invitation| invitation.seat.is_some_and(|seat| seat != own));
        invitations
    }

    /// Somebody who looks is there: a page follows the table, and has not stopped answering beats.
    pub fn is_there(&self, seat: TableSeat) -> bool {
        let looker = Looker::Seat(seat);
        let is_followed = self.quotas.get(&looker).is_some_and(|quota| quota.is_followed());
        let pulses = locked(&self.pulses);
        is_followed && pulses.get(&looker).is_none_or(|pulse| !pulse.is_silent())
    }

    /// A page comes, or answers a beat.
    pub fn hear(&self, looker: Looker, pulse: Pulse) {
        locked(&self.pulses).insert(looker, pulse);
    }
}

impl Live {
    /// Whether anybody was ever at a seat.
    pub(crate) fn has_come(&self, seat: TableSeat) -> bool {
        self.came.contains(&seat) || self.table.has_acted(seat)
    }

    /// Adds to the log.
    pub(crate) fn tell(&mut self, step: usize, events: Vec<TableEvent>) {
        self.told
            .extend(events.into_iter().map(|event| ToldEvent { step, event }));
        while self.told.len() > MOST_TOLD {
            self.told.pop_front();
            self.before += 1;
        }
    }

    /// How much was told altogether.
    pub(crate) fn told(&self) -> usize {
        self.before + self.told.len()
    }
}

fn lookers(seats: usize) -> impl Iterator<Item = Looker> {
    (0..seats)
        .map(|seat| Looker::Seat(TableSeat::at(seat)))
        .chain([Looker::Spectators])
}

/// The links to a table that may be asleep.
pub(crate) fn invitations(keys: &HallKeys, id: &str, names: &[String]) -> Vec<FreeInvitation> {
    invite(
        lookers(names.len()).map(|looker| (looker, keys.looker(id, looker))),
        names,
    )
}

/// Public names of the doors of a table that is asleep.
pub(crate) fn doors(keys: &HallKeys, id: &str, seats: usize) -> Vec<(String, (String, Looker))> {
    let door = |looker| (keys.looker(id, looker).public(), (id.to_owned(), looker));
    lookers(seats).map(door).collect()
}

fn invite(doors: impl Iterator<Item = (Looker, Secret)>, names: &[String]) -> Vec<FreeInvitation> {
    let invitation = |(looker, secret): (Looker, Secret)| {
        let seat = match looker {
            Looker::Seat(seat) => Some(seat),
            Looker::Spectators | Looker::Referee => None,
        };
        FreeInvitation {
            seat,
            name: seat
                .and_then(|seat| names.get(seat.index()).cloned())
                .unwrap_or_default(),
            path: format!("/free/join/{}", secret.reveal()),
        }
    };
    doors.map(invitation).collect()
}
