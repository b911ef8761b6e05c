//! The right to change a free table: verbs are written down before they are shown. The host has some of its
//! own.

use std::collections::BTreeSet;
use std::sync::MutexGuard;
use std::time::Duration;

use cw_table::{Actor, FreeRecord, Pace, TableEvent, TableSeat, TableVerb, VerbRefusal};
use serde_json::{Value, json};

use super::room::{Live, No, WrittenVerb};
use super::{FreeHall, FreeHosting, FreeRoom, kept};
use crate::clock::Moment;
use crate::hall::{KeepFault, TableWriter};
use crate::lock::locked;

/// Consent waits so long, then it is "no" (D74).
const TO_ANSWER: Duration = Duration::from_mins(2);
/// A run that nobody answers for so long is broken off (S181).
const TO_REPLY: Duration = Duration::from_mins(10);
/// A seat proposes to take back once in so long (F132).
const BETWEEN_PROPOSALS: Duration = Duration::from_mins(1);
/// A seat that was not heard of for so long is shown as away (F161).
const AWAY: Duration = Duration::from_mins(1);

/// The right to change a table, in the hands of one request. What is shown of the table is held only for
/// moments: whoever looks waits for no disk.
pub(super) struct TableHand<'a> {
    pub(super) hall: &'a FreeHall,
    room: &'a FreeRoom,
    writer: MutexGuard<'a, TableWriter<FreeHosting>>,
}

impl From<KeepFault> for No {
    fn from(_fault: KeepFault) -> No {
        No {
            words: "this cannot be saved right now, so nothing has changed".to_owned(),
            wait: true,
        }
    }
}

impl<'a> TableHand<'a> {
    pub(super) fn take(hall: &'a FreeHall, room: &'a FreeRoom) -> Result<TableHand<'a>, No> {
        let writer = hall.write(room)?;
        Ok(TableHand { hall, room, writer })
    }

    /// What is shown of the table. It is let go of before something is done.
    pub(super) fn live(&self) -> MutexGuard<'a, Live> {
        locked(&self.room.live)
    }

    /// Does all of these lines, or nothing.
    pub(super) fn all(&mut self, seat: TableSeat, lines: &[String]) -> Result<Value, No> {
        let verb = self.live().table.parse_together(seat, lines)?;
        self.commit(seat, verb)?;
        Ok(json!({}))
    }

    /// Does a verb of a seat, if the seat may do it now.
    pub(super) fn commit(&mut self, seat: TableSeat, verb: TableVerb) -> Result<Vec<TableEvent>, No> {
        let mut live = self.live();
        let since = u64::try_from(live.begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        // F201: a seat that is too fast loses nothing but this verb.
        let pace = live.paces.entry(seat).or_insert_with(Pace::of_verbs);
        if !pace.allows(since) {
            return Err(No {
                words: "slow down a little".to_owned(),
                wait: true,
            });
        }
        let proposes = matches!(verb, TableVerb::Propose { .. }) && !live.table.state().settings.solo;
        let last = live.proposed.get(&seat).filter(|_| proposes);
        if let Some(left) = last.and_then(|last| BETWEEN_PROPOSALS.checked_sub(last.elapsed())) {
            return Err(format!("only one proposal a minute: wait {} seconds", left.as_secs() + 1).into());
        }
        drop(live);
        if verb.is_of_host() {
            return Err(VerbRefusal::NoSuchSeat.into());
        }
        let events = self.settle(Actor::Seat(seat), verb)?;
        if proposes {
            self.live().proposed.insert(seat, Moment::now());
        }
        Ok(events)
    }

    /// Writes a verb down, does it, and tells everybody.
    fn settle(&mut self, actor: Actor, verb: TableVerb) -> Result<Vec<TableEvent>, No> {
        let (hall, room) = (self.hall, self.room);
        let prepared = self.live().table.prepare(actor, verb.clone());
        let next = match prepared {
            Err(VerbRefusal::FurtherBack) => {
                let whole = hall.whole(&self.writer.record)?;
                let mut live = self.live();
                live.table = whole;
                live.table.prepare(actor, verb)?
            }
            next => next?,
        };
        let live = self.live();
        let (line, at) = (FreeRecord::next_line(&live.table, &next), live.table.len());
        drop(live);
        let entries = vec![kept::entry(at, &line)];
        let change = WrittenVerb { next, line };
        match hall.keep(room, &mut self.writer, change, entries) {
            // It may be there all the same: then the next one would not follow. What is there decides.
            Err(KeepFault::NotKept) => {
                let kept = hall.make_sure(room, &mut self.writer)?;
                kept.ok_or(KeepFault::NotKept.into())
            }
            done => Ok(done?),
        }
    }
}

/// Who is away, who is back, whose time to answer is over.
pub(crate) fn look_after(hall: &FreeHall, room: &FreeRoom) {
    // A store that fails is tried again at the next look.
    let Ok(mut hand) = TableHand::take(hall, room) else {
        return;
    };
    let verbs = due(room, &mut hand.live());
    for verb in verbs {
        let question = match verb {
            TableVerb::TimeOut { question } => Some(question),
            _ => None,
        };
        if let (Err(_), Some(question)) = (hand.settle(Actor::Host, verb), question) {
            hand.live().questions.remove(&question);
        }
    }
}

/// What the host does at the table now, if anything.
fn due(room: &FreeRoom, live: &mut Live) -> Vec<TableVerb> {
    let state = live.table.state();
    let solo = state.settings.solo;
    let seats = state.seat_ids().zip(state.seats.iter().map(|seat| seat.present));
    let seats: Vec<(TableSeat, bool)> = seats.collect();
    let all = seats.iter().map(|(seat, _)| *seat);
    let there: BTreeSet<TableSeat> = all.filter(|seat| room.is_there(*seat)).collect();
    if live.there != there {
        // Somebody has fallen silent, or is heard again: pages show it.
        live.there = there;
        room.changed.ring();
    }
    let mut verbs = Vec::new();
    for (seat, present) in seats {
        let there = live.there.contains(&seat);
        if there {
            live.seen.insert(seat, Moment::now());
        }
        let gone = live.seen.get(&seat).is_none_or(|seen| seen.elapsed() > AWAY);
        match (there, present) {
            (true, false) => verbs.push(TableVerb::Present { seat }),
            (false, true) if gone && !solo => verbs.push(TableVerb::Away { seat }),
            _ => {}
        }
    }
    let asked = live.questions.iter();
    let late = asked.filter(|(_, (asked, _))| asked.elapsed() > TO_ANSWER);
    let late = late.map(|(id, _)| *id);
    // S181, S184: who chose an entry has longer than whom it asks.
    let slow = live.table.state().runs.iter().filter(|run| {
        let own = run.waits().is_none_or(|asked| asked.seat == run.by);
        let most = if own { TO_REPLY } else { TO_ANSWER };
        let since = live.asked.get(&run.id);
        since.is_none_or(|(_, since)| since.elapsed() > most)
    });
    let questions = late.chain(slow.map(|run| run.id));
    verbs.extend(questions.map(|question| TableVerb::TimeOut { question }));
    verbs
}
