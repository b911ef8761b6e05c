//! What a hall must know of a free table.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use cw_pages::secret::Secret;
use cw_table::{Looker, TableEvent};

use super::room::{BesideFree, Live, WrittenVerb, lookers};
use super::{FreeHall, FreeHosting, FreeRoom, hand, kept};
use crate::hall::{Hosted, WakeError};
use crate::keys::HallKeys;
use crate::lock::locked;
use crate::quota::HostLimits;
use crate::store::{DuelStanding, DuelStore, TableRecord};

impl Hosted for FreeHosting {
    type Looker = Looker;
    type Live = Live;
    type Change = WrittenVerb;
    type Told = Vec<TableEvent>;
    type Beside = BesideFree;
    type Outline = ();

    const JOIN: &'static str = "/free/join/";
    const OPEN: &'static str = "/free/open/";
    const LOOK: Duration = Duration::from_secs(1);
    // A table has no rules: what this program does not read, the one that has written it does.
    const SETS_ASIDE: bool = false;

    fn store(&self) -> &dyn DuelStore {
        &*self.setting.store
    }

    fn limits(&self) -> &HostLimits {
        &self.setting.limits
    }

    fn chance(&self) -> Secret {
        (self.setting.chance)()
    }

    fn secret(keys: &HallKeys, table: &str, looker: Looker) -> Secret {
        keys.looker(table, looker)
    }

    fn lookers(live: &Live) -> Vec<Looker> {
        lookers(live.table.state().seats.len()).collect()
    }

    fn is_person(_live: &Live, _looker: Looker) -> bool {
        true
    }

    /// Plays what the store holds of a table, as far as nothing was kept of it.
    fn restore(hall: &FreeHall, _name: &str, record: &TableRecord) -> Result<(Live, BesideFree), WakeError> {
        let woken = kept::wake(hall.store(), &hall.setting.kit, record)?;
        hall.replayed.fetch_add(woken.played, Ordering::Relaxed);
        let mut live = Live::new(woken.table);
        (live.before, live.kept) = (woken.before, woken.kept);
        // S210: what was asked is asked still, and its time begins anew.
        let told = woken.told.iter().flat_map(|(_, events)| events);
        live.note_questions(told);
        live.over = record.standing == DuelStanding::Over;
        live.has_told(woken.told);
        Ok((live, BesideFree::new(hall)))
    }

    fn outline(_live: &Live) {}

    fn show(hall: &FreeHall, room: &FreeRoom, record: &TableRecord, change: WrittenVerb) -> Vec<TableEvent> {
        if let Some(write) = hall.setting.record.as_ref().filter(|_| room.beside.recorded) {
            // The store has it; the file beside it is told by the next line that one is missing.
            let _ = write(&change.line);
        }
        let mut guard = locked(&room.live);
        let live = &mut *guard;
        let (at, back) = (live.table.len(), change.next.goes_back_to());
        let events = live.table.commit(change.next);
        room.weigh(live.table.weight());
        live.note_questions(events.iter());
        live.tell_now(at, events.clone());
        let told = live.told();
        live.kept.note(hall.store(), &record.id, &live.table, told, back);
        if live.table.state().ended != live.over {
            live.over = live.table.state().ended;
            let _ = hall.store().mark(&record.id, Self::standing(live));
        }
        drop(guard);
        room.changed.ring();
        events
    }

    fn weight(live: &Live) -> usize {
        live.table.weight()
    }

    fn space(limits: &HostLimits) -> usize {
        limits.memory
    }

    /// Nobody works with it, no question waits, and no file is written beside the store.
    fn may_sleep(room: &Arc<FreeRoom>) -> bool {
        // Whoever works with a room holds it, and gets it while the hall is locked, as it is now.
        let is_held = Arc::strong_count(room) > 1;
        let waits = || {
            let live = locked(&room.live);
            !live.table.state().questions.is_empty() || !live.table.state().runs.is_empty()
        };
        !is_held && !room.beside.recorded && !waits()
    }

    fn is_touched(live: &Live) -> bool {
        !live.table.is_empty()
    }

    fn standing(live: &Live) -> DuelStanding {
        match live.over {
            true => DuelStanding::Over,
            false => DuelStanding::Going,
        }
    }

    fn look_after(hall: &FreeHall, room: &Arc<FreeRoom>) {
        hand::look_after(hall, room);
    }
}
