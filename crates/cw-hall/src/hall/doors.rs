//! Doors: tables are opened, and found by the names of their seats; ways lead there for good, or once.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use cw_pages::entry::DuelEntry;
use cw_pages::secret::Secret;

use super::{FoundTable, Hall, HallDoor, HallTable, HostError, Hosted, TableWriter, way_to};
use crate::clock::Moment;
use crate::lock::locked;
use crate::presence::Attendance;
use crate::quota::Quota;
use crate::reach::NetworkReach;
use crate::store::TableRecord;
use crate::tickets::Ticket;

impl<H: Hosted> Hall<H> {
    /// How others in the network reach the tables, if they do.
    pub fn reach(&self) -> Option<NetworkReach> {
        locked(&self.reach).clone()
    }

    /// Opens a table: it is kept from now on, and requests reach it. `by` is the seat that asks for it, if it
    /// is not whoever runs the host; what the table uses up counts as that seat's.
    pub(crate) fn open_table(
        self: &Arc<Self>,
        record: TableRecord,
        entries: &[DuelEntry],
        (live, beside): (H::Live, H::Beside),
        by: Option<&Arc<Quota>>,
    ) -> Result<Arc<HallTable<H>>, HostError> {
        self.make_room(H::weight(&live))?;
        self.store().begin(&record, entries)?;
        let lookers = H::lookers(&live).into_iter();
        let people = lookers.filter(|looker| H::is_person(&live, *looker));
        let quotas = by.map(|quota| people.map(|looker| (looker, Arc::clone(quota))).collect());
        let name = record.id.clone();
        let table = self.seat(
            name,
            record,
            (live, beside),
            quotas.unwrap_or_default(),
            by.is_some(),
        );
        if let Some(quota) = by {
            for surplus in quota.opens(&table.name, self.limits().opened) {
                self.put_to_sleep(&surplus);
            }
        }
        H::settle(self, &table);
        Ok(table)
    }

    /// Lets requests reach a table. Seats that have used nothing up yet begin with nothing.
    pub(crate) fn seat(
        &self,
        name: String,
        record: TableRecord,
        (live, beside): (H::Live, H::Beside),
        mut quotas: BTreeMap<H::Looker, Arc<Quota>>,
        opened: bool,
    ) -> Arc<HallTable<H>> {
        let door = |looker: H::Looker| {
            let secret = H::secret(&self.keys, &name, looker);
            let quota = quotas.remove(&looker).unwrap_or_default();
            (looker, HallDoor { secret, quota })
        };
        let doors: BTreeMap<H::Looker, HallDoor> = H::lookers(&live).into_iter().map(door).collect();
        let table = Arc::new(HallTable {
            weight: AtomicUsize::new(H::weight(&live)),
            live: Mutex::new(live),
            writer: Mutex::new(TableWriter {
                record,
                unsure: None,
                closed: false,
            }),
            presence: Arc::new(Attendance::new(self.tasks.clone())),
            changed: Arc::default(),
            beside,
            used: Mutex::new(Moment::now()),
            opened,
            asleep: AtomicBool::new(false),
            doors,
            name,
        });
        let mut tables = locked(&self.tables);
        for (looker, door) in &table.doors {
            let leads_to = (table.name.clone(), *looker);
            tables.doors.insert(door.secret.public(), leads_to);
        }
        tables.asleep.remove(&table.name);
        tables.awake.insert(table.name.clone(), Arc::clone(&table));
        drop(tables);
        table
    }

    /// Lets computers go on at a table after a change.
    pub fn settle(self: &Arc<Self>, table: &Arc<HallTable<H>>) {
        H::settle(self, table);
    }

    /// The tables that are awake.
    pub fn tables(&self) -> Vec<Arc<HallTable<H>>> {
        locked(&self.tables).awake.values().cloned().collect()
    }

    /// Whether there is a seat of this name.
    pub fn knows(&self, name: &str) -> bool {
        locked(&self.tables).doors.contains_key(name)
    }

    /// The table behind a seat's name, if it is awake.
    pub fn find(&self, name: &str) -> Option<FoundTable<H>> {
        let tables = locked(&self.tables);
        let (table, looker) = tables.doors.get(name)?;
        Some((Arc::clone(tables.awake.get(table)?), *looker))
    }

    /// The path that leads to a seat of this table.
    pub(crate) fn way_of(&self, table: &str, looker: H::Looker) -> String {
        way_to::<H>(&H::secret(&self.keys, table, looker))
    }

    /// The name of the seat to which a path leads.
    pub(crate) fn name_on(path: &str) -> Option<String> {
        Secret::read(path.strip_prefix(H::JOIN)?).map(|secret| secret.public())
    }

    /// A way that leads there once, for as long as it lasts; until the program ends if `None`.
    pub(crate) fn issue(&self, way: String, lasts: Option<Duration>) -> String {
        let name = self
            .tickets
            .issue(self.chance().reveal(), Ticket::new(way, lasts));
        format!("{}{name}", H::OPEN)
    }

    /// A way by which one person more may come to a link. Whoever asks again for the same one gets the same
    /// way.
    pub fn invite(&self, way: &str, lasts: Duration) -> String {
        let name = self.tickets.invite(|| self.chance().reveal(), way, lasts);
        format!("{}{name}", H::OPEN)
    }

    /// What a ticket of this name is good for, once. No other invitation leads there from now on.
    pub fn take_ticket(&self, name: &str) -> Option<Ticket> {
        self.tickets.take(name)
    }
}
