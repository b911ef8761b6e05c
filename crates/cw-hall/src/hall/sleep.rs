//! Sleeping and waking: a table that nobody looks at is held by the store alone, until somebody comes to it.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use super::{FoundTable, Hall, HallFull, HallTable, HallTables, Hosted, SleepingTable, WakeError};
use crate::lock::{locked, locked_now};
use crate::store::{DuelStanding, TableRecord};

impl<H: Hosted> Hall<H> {
    /// The table behind a seat's name; one that sleeps is woken, and nobody at another table waits for that.
    /// `None` if there is none.
    ///
    /// # Errors
    /// If it cannot be woken now, or never again.
    pub fn wake(self: &Arc<Self>, name: &str) -> Result<Option<FoundTable<H>>, WakeError> {
        loop {
            let (sleeping, looker) = {
                let tables = locked(&self.tables);
                let Some((table, looker)) = tables.doors.get(name) else {
                    return Ok(None);
                };
                if let Some(found) = tables.awake.get(table) {
                    return Ok(Some((Arc::clone(found), *looker)));
                }
                match tables.asleep.get(table) {
                    Some(sleeping) => (Arc::clone(sleeping), *looker),
                    None => return Ok(None),
                }
            };
            let waking = locked(&sleeping.waking);
            // Somebody else may have woken it meanwhile; it may even sleep again, as another one.
            let is_same = |other: &Arc<SleepingTable<H>>| Arc::ptr_eq(other, &sleeping);
            if !locked(&self.tables)
                .asleep
                .get(&sleeping.name)
                .is_some_and(is_same)
            {
                continue;
            }
            let Some(table) = self.wake_up(&sleeping)? else {
                return Ok(None);
            };
            drop(waking);
            H::settle(self, &table);
            return Ok(Some((table, looker)));
        }
    }

    /// Brings a table back, for whom nobody else does that; `None` if it was set aside.
    fn wake_up(&self, sleeping: &SleepingTable<H>) -> Result<Option<Arc<HallTable<H>>>, WakeError> {
        let parts = match H::restore(self, &sleeping.name, &sleeping.record) {
            Err(WakeError::Damaged(why)) if H::SETS_ASIDE => {
                self.note(&self.set_aside(&sleeping.record.id, &why));
                let mut tables = locked(&self.tables);
                tables.forget(&sleeping.name);
                return Ok(None);
            }
            Err(WakeError::Unread(fault)) => {
                self.note(&fault.to_string());
                return Err(WakeError::Unread(fault));
            }
            parts => parts?,
        };
        self.make_room(H::weight(&parts.0))?;
        let (record, quotas) = (sleeping.record.clone(), sleeping.quotas.clone());
        Ok(Some(self.seat(
            sleeping.name.clone(),
            record,
            parts,
            quotas,
            sleeping.opened,
        )))
    }

    /// A table that the store holds can be found from now on. Its seats' paths, in the order in which they
    /// are named.
    pub(crate) fn lay_asleep(
        &self,
        name: &str,
        record: TableRecord,
        lookers: &[H::Looker],
        outline: H::Outline,
    ) {
        let mut tables = locked(&self.tables);
        for looker in lookers {
            let door = H::secret(&self.keys, name, *looker).public();
            tables.doors.insert(door, (name.to_owned(), *looker));
        }
        let sleeping = SleepingTable {
            name: name.to_owned(),
            record,
            outline,
            quotas: BTreeMap::new(),
            opened: false,
            waking: Mutex::new(()),
        };
        tables.asleep.insert(name.to_owned(), Arc::new(sleeping));
    }

    /// The tables that only the store holds.
    pub(crate) fn sleeping(&self) -> Vec<Arc<SleepingTable<H>>> {
        locked(&self.tables).asleep.values().cloned().collect()
    }

    /// A log that makes no sense is kept for whoever wants to look at it; words for whoever runs the host.
    pub(crate) fn set_aside(&self, id: &str, why: &str) -> String {
        let _ = self.store().mark(id, DuelStanding::Aside);
        format!("the duel {id} is damaged and set aside: {why}")
    }

    /// Puts all tables to sleep that nobody has looked at for a while, and forgets old tickets.
    pub(crate) fn sweep(&self) {
        self.tickets.sweep();
        while self.put_one_to_sleep(self.limits().unwatched) {}
    }

    /// Puts tables to sleep, those first that nobody has used for longest, until another one of this weight
    /// has room.
    pub(crate) fn make_room(&self, weight: usize) -> Result<(), HallFull> {
        let most = H::space(self.limits());
        loop {
            let tables = locked(&self.tables);
            let weights = tables
                .awake
                .values()
                .map(|one| one.weight.load(Ordering::Relaxed));
            let taken: usize = weights.sum();
            drop(tables);
            if taken.saturating_add(weight) <= most {
                return Ok(());
            }
            if !self.put_one_to_sleep(Duration::ZERO) {
                return Err(HallFull);
            }
        }
    }

    /// Only the store holds the table from now on that was not used for longest, if that is so long; whether
    /// there was one.
    fn put_one_to_sleep(&self, unused: Duration) -> bool {
        let tables = locked(&self.tables);
        let is_idle = |table: &&Arc<HallTable<H>>| {
            table.unused() >= unused
                && !table.is_followed()
                && H::may_sleep(table)
                // Who is changing it uses it; and what may have been stored must not be asked of the store
                // twice.
                && locked_now(&table.writer).is_some_and(|writer| writer.unsure.is_none() && !writer.closed)
        };
        let idle = tables.awake.values().filter(is_idle);
        let Some(oldest) = idle.max_by_key(|table| table.unused()).map(Arc::clone) else {
            return false;
        };
        self.close(tables, &oldest);
        true
    }

    /// Puts a table to sleep, whoever follows it; nothing happens if it is not awake, or may not sleep.
    pub(crate) fn put_to_sleep(&self, name: &str) {
        let tables = locked(&self.tables);
        let table = tables.awake.get(name).filter(|table| H::may_sleep(table));
        if let Some(table) = table.map(Arc::clone) {
            self.close(tables, &table);
        }
    }

    /// The table is gone, for whoever follows it, too.
    pub(crate) fn close_for_good(&self, name: &str) {
        let mut tables = locked(&self.tables);
        let Some(table) = tables.awake.get(name).map(Arc::clone) else {
            return;
        };
        tables.forget(name);
        drop(tables);
        let mut writer = locked(&table.writer);
        writer.closed = true;
        // What cannot be forgotten is set aside when somebody wants to wake it.
        let _ = self.store().forget(&writer.record.id);
        drop(writer);
        table.asleep.store(true, Ordering::Release);
        table.changed.ring();
    }

    /// Only the store holds the table from now on; one in which nothing was done is forgotten.
    fn close(&self, mut tables: MutexGuard<'_, HallTables<H>>, table: &Arc<HallTable<H>>) {
        let mut writer = locked(&table.writer);
        if writer.unsure.is_some() || writer.closed {
            return;
        }
        writer.closed = true;
        let live = locked(&table.live);
        let keep = !table.opened || H::is_touched(&live);
        if keep {
            let quotas = table.doors.iter();
            let quotas = quotas.map(|(looker, door)| (*looker, Arc::clone(&door.quota)));
            let sleeping = SleepingTable {
                name: table.name.clone(),
                record: TableRecord {
                    standing: H::standing(&live),
                    ..writer.record.clone()
                },
                outline: H::outline(&live),
                quotas: quotas.collect(),
                opened: table.opened,
                waking: Mutex::new(()),
            };
            tables.awake.remove(&table.name);
            tables.asleep.insert(table.name.clone(), Arc::new(sleeping));
        } else {
            tables.forget(&table.name);
        }
        drop((live, tables));
        if !keep {
            let _ = self.store().forget(&writer.record.id);
        }
        drop(writer);
        // Whoever follows it comes back and wakes it.
        table.asleep.store(true, Ordering::Release);
        table.changed.ring();
    }
}

impl<H: Hosted> HallTables<H> {
    /// Nobody finds the table any more.
    fn forget(&mut self, name: &str) {
        self.awake.remove(name);
        self.asleep.remove(name);
        self.doors.retain(|_, (table, _)| table != name);
    }
}
