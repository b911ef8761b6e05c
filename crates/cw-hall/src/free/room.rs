//! One table behind its links: the true state, what was told, which seats are open.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::{Arc, Mutex};

use cw_pages::presence::Presence;
use cw_table::{
    FreeTable, Looker, Pace, Piece, PreparedVerb, TableCardId, TableEvent, TableSeat, VerbRefusal,
};
use serde_json::Value;

use super::kept::KeptStates;
use super::signals::Signals;
use super::{FreeHall, FreeInvitation, FreeRoom};
use crate::clock::Moment;
use crate::hall::Hosted as _;
use crate::lock::locked;

/// Why not.
#[derive(Clone, Debug)]
pub struct No {
    /// Why not, as a sentence for whoever asked.
    pub words: String,
    /// It was too fast.
    pub wait: bool,
}

impl From<VerbRefusal> for No {
    fn from(refusal: VerbRefusal) -> No {
        No {
            words: refusal.to_string(),
            wait: false,
        }
    }
}

impl From<String> for No {
    fn from(words: String) -> No {
        No { words, wait: false }
    }
}

/// A verb that was prepared, and its line in the record.
#[derive(Debug)]
pub struct WrittenVerb {
    pub(super) next: PreparedVerb,
    pub(super) line: String,
}

/// What stands beside a free table as long as it is awake.
#[derive(Debug)]
pub struct BesideFree {
    /// Pointers and moves on their way to others.
    pub signals: Arc<Signals>,
    /// What was asked lately by requests with a number, and what came of it: who hears nothing sends it
    /// again.
    pub(crate) answered: Mutex<BTreeMap<TableSeat, Arc<Mutex<RecentAnswers>>>>,
    /// The table's name since it was woken: before, other numbers were given.
    pub(crate) born: String,
    /// Its record goes to the file that the host named.
    pub(crate) recorded: bool,
}

impl BesideFree {
    pub(crate) fn new(hall: &FreeHall) -> BesideFree {
        BesideFree {
            signals: Arc::default(),
            answered: Mutex::default(),
            born: hall.chance().public(),
            recorded: false,
        }
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
    /// Questions that wait: since when, and their words if they are at hand.
    pub(crate) questions: BTreeMap<u32, (Moment, Option<TableEvent>)>,
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
    /// The cards of the table that somebody points at, as each looker called them then: by their later names
    /// it would tell where a card has gone that nobody could follow (F151).
    pub(crate) pointed: Vec<(Looker, Vec<u32>)>,
}

/// Lines of the log that are kept for whoever comes.
const MOST_TOLD: usize = 400;

impl FreeRoom {
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
        let seats = live.table.state().seats.iter();
        let names: Vec<String> = seats.map(|seat| seat.name.to_string()).collect();
        invitations(self.ways(), &names)
    }

    /// Doors that a seat may show to others: that of those who watch, and seats where nobody was and nothing
    /// was done.
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
        self.presence.of(Looker::Seat(seat)) == Presence::Here
    }
}

impl Live {
    /// A table that goes on from here; nothing was told of it yet.
    pub(crate) fn new(table: FreeTable) -> Live {
        Live {
            seen: table
                .state()
                .seat_ids()
                .map(|seat| (seat, Moment::now()))
                .collect(),
            table,
            told: VecDeque::new(),
            before: 0,
            kept: KeptStates::default(),
            questions: BTreeMap::new(),
            asked: BTreeMap::new(),
            proposed: BTreeMap::new(),
            paces: BTreeMap::new(),
            begun: Moment::now(),
            there: BTreeSet::new(),
            came: BTreeSet::new(),
            over: false,
        }
    }

    /// What happened before, by steps.
    pub(crate) fn has_told(&mut self, told: Vec<(usize, Vec<TableEvent>)>) {
        for (step, events) in told {
            self.tell(step, events);
        }
    }

    /// Whether anybody was ever at a seat.
    pub(crate) fn has_come(&self, seat: TableSeat) -> bool {
        self.came.contains(&seat) || self.table.has_acted(seat)
    }

    /// Adds what has happened before to the log: nobody looks any more at what was pointed at then.
    fn tell(&mut self, step: usize, events: Vec<TableEvent>) {
        let told = events.into_iter().map(|event| ToldEvent {
            step,
            event,
            pointed: Vec::new(),
        });
        self.add(told.collect());
    }

    /// Adds what happens now to the log.
    pub(crate) fn tell_now(&mut self, step: usize, events: Vec<TableEvent>) {
        let told = events.into_iter().map(|event| ToldEvent {
            step,
            pointed: self.pointed(&event),
            event,
        });
        let told = told.collect();
        self.add(told);
    }

    /// The cards of the table at which an event points, as each looker calls them now.
    fn pointed(&self, event: &TableEvent) -> Vec<(Looker, Vec<u32>)> {
        if !matches!(event.kind, "point" | "shake") {
            return Vec::new();
        }
        let state = self.table.state();
        let cards = event.pieces.iter().filter_map(|piece| match piece {
            Piece::Card { card, .. } => Some(*card),
            Piece::Text(_) | Piece::Only(..) => None,
        });
        let cards: Vec<TableCardId> = cards.filter(|card| state.table.contains(card)).collect();
        let called = |looker| {
            let handles = cards.iter().map(|card| state.handle(looker, *card));
            (looker, handles.collect())
        };
        lookers(state.seats.len()).map(called).collect()
    }

    fn add(&mut self, told: Vec<ToldEvent>) {
        self.told.extend(told);
        while self.told.len() > MOST_TOLD {
            self.told.pop_front();
            self.before += 1;
        }
    }

    /// Keeps the words of questions as long as they wait.
    pub(crate) fn note_questions<'a>(&mut self, events: impl Iterator<Item = &'a TableEvent>) {
        let waiting: Vec<u32> = self
            .table
            .state()
            .questions
            .iter()
            .map(|question| question.id)
            .collect();
        let asked = self.table.state().runs.iter();
        let asked: Vec<(u32, usize)> = asked.map(|run| (run.id, run.answers.len())).collect();
        self.asked
            .retain(|id, _| asked.iter().any(|(known, _)| known == id));
        for (id, answers) in asked {
            let since = self.asked.entry(id).or_insert_with(|| (answers, Moment::now()));
            if since.0 != answers {
                *since = (answers, Moment::now());
            }
        }
        self.questions.retain(|id, _| waiting.contains(id));
        let asking: Vec<&TableEvent> = events.filter(|event| event.kind == "ask").collect();
        for id in waiting {
            self.questions.entry(id).or_insert_with(|| {
                let event = asking.iter().find(|event| asks(event, id));
                (Moment::now(), event.map(|event| (*event).clone()))
            });
        }
    }

    /// What a looker may read of a question that waits.
    pub(crate) fn question_words(&self, id: u32, looker: Looker) -> Option<String> {
        self.questions
            .get(&id)
            .and_then(|(_, event)| event.as_ref()?.read_by(looker))
    }

    /// How much was told altogether.
    pub(crate) fn told(&self) -> usize {
        self.before + self.told.len()
    }
}

/// Whether an event asks the question of this number: its sentence ends with it.
fn asks(event: &TableEvent, id: u32) -> bool {
    let end = format!("(question {id})");
    event
        .pieces
        .iter()
        .any(|piece| matches!(piece, Piece::Text(text) if text.ends_with(&end)))
}

/// The ways that lead to a table, with the names of its seats.
pub(crate) fn invitations(
    ways: impl Iterator<Item = (Looker, String)>,
    names: &[String],
) -> Vec<FreeInvitation> {
    let invitation = |(looker, path): (Looker, String)| {
        let seat = match looker {
            Looker::Seat(seat) => Some(seat),
            Looker::Spectators | Looker::Referee => None,
        };
        let name = seat.and_then(|seat| names.get(seat.index()).cloned());
        FreeInvitation {
            seat,
            name: name.unwrap_or_default(),
            path,
        }
    };
    ways.map(invitation).collect()
}

/// The seats of a table with so many, and those who watch.
pub(super) fn lookers(seats: usize) -> impl Iterator<Item = Looker> {
    let seats = (0..seats).map(|seat| Looker::Seat(TableSeat::at(seat)));
    seats.chain([Looker::Spectators])
}
