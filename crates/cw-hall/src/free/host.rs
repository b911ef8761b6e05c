//! Free tables are opened, and found again in the store.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use cw_duel::Seed;
use cw_octgn::Deck;
use cw_program::ModelId;
use cw_table::{FreeTable, Looker, TableEvent, TableSettings};

use super::room::{self, BesideFree, Live};
use super::{FreeHall, FreeHost, FreeHosting, FreeInvitation, FreeSetting, act, hex, kept, kit};
use crate::hall::{Host, HostError, Hosted as _};
use crate::keys::HallKeys;
use crate::store::{DuelStanding, StoreError, TableRecord};
use crate::tickets::TICKET;

/// Unfinished tables that are told when the program starts, the newest.
const MOST_TOLD: usize = 64;

impl FreeHost {
    /// Free tables of a package. Nothing is opened yet.
    pub fn new(setting: FreeSetting) -> FreeHost {
        let kit = &setting.kit;
        let drawn = setting
            .game
            .iter()
            .flat_map(|game| game.models.iter().enumerate().rev());
        let by_id: BTreeMap<&str, usize> = drawn.map(|(at, model)| (&*model.id, at)).collect();
        let model = |index: u32| {
            let card = kit.card(&cw_table::TableModel::Card(index))?;
            let at = by_id.get(card.id.value.to_string().as_str())?;
            u16::try_from(*at).ok().map(ModelId)
        };
        let models = (0..kit.count()).map(model).collect();
        let mut backs = vec![String::new()];
        for size in std::iter::once(&kit.package.definition.card).chain(&kit.package.definition.sizes) {
            if let Some(back) = size
                .back
                .as_ref()
                .filter(|back| !backs.iter().any(|known| known.as_str() == back.as_str()))
            {
                backs.push(back.to_string());
            }
        }
        let keys = HallKeys::new(setting.store.key());
        let fingerprint = format!("free {}", hex(&kit.hash));
        let hosting = FreeHosting {
            kit_json: kit::json(&setting, &backs).to_string(),
            models,
            backs,
            fingerprint,
            replayed: AtomicUsize::new(0),
            setting,
        };
        Host::of(hosting, keys)
    }

    /// Opens a table with nothing on it.
    ///
    /// # Errors
    /// If it cannot be kept, or too many are open.
    pub fn open(&self, settings: TableSettings, seed: Seed) -> Result<Vec<FreeInvitation>, HostError> {
        let table = FreeTable::new(Arc::clone(&self.hall.setting.kit), settings, seed);
        self.take_over(table, Vec::new())
    }

    /// Opens a table with nothing on it for so many, one of whom plays all seats if there is one only; nobody
    /// can foresee its chance.
    pub fn open_for(&self, seats: usize) -> Result<Vec<FreeInvitation>, HostError> {
        let mut settings = TableSettings::for_seats(seats);
        settings.solo = seats == 1;
        self.open(settings, Seed(self.hall.chance().bytes()))
    }

    /// Opens a table that was played elsewhere so far; what happened there, by steps, stands in its log.
    ///
    /// # Errors
    /// If it cannot be kept, or too many are open.
    pub fn take_over(
        &self,
        table: FreeTable,
        told: Vec<(usize, Vec<TableEvent>)>,
    ) -> Result<Vec<FreeInvitation>, HostError> {
        let hall = &self.hall;
        let id = format!("free-{}", hall.chance().public());
        let (record, entries) = kept::beginning(&id, &hall.fingerprint, &table);
        let mut live = Live::new(table);
        live.has_told(told);
        let beside = BesideFree {
            recorded: hall.setting.record.is_some() && self.awake() == 0,
            ..BesideFree::new(hall)
        };
        Ok(hall
            .open_table(record, &entries, (live, beside), None)?
            .invitations())
    }

    /// How many entries of logs were played to wake tables.
    pub fn replayed(&self) -> usize {
        self.hall.replayed.load(Ordering::Relaxed)
    }

    /// Lets a seat load a deck, as if it had asked for it.
    ///
    /// # Errors
    /// Why that is not possible.
    pub fn load_deck(&self, invitation: &FreeInvitation, deck: &Deck) -> Result<Vec<String>, String> {
        let name = FreeHall::name_on(&invitation.path);
        let room = name.and_then(|name| self.hall.wake(&name).ok().flatten());
        match room {
            Some((room, Looker::Seat(seat))) => {
                act::load_deck(&self.hall, &room, seat, deck).map_err(|no| no.words)
            }
            _ => Err("there is no such seat".to_owned()),
        }
    }

    /// Finds the tables of this package that were kept: their links lead back to them, whether they go on or
    /// are over. Told are those that go on, the newest first. One on which nothing was done is forgotten, and
    /// no other. What is wrong with a table is found when somebody comes to it.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn resume(&self) -> Result<Vec<Vec<FreeInvitation>>, StoreError> {
        let hall = &self.hall;
        let mut found = Vec::new();
        for record in hall.store().duels()?.into_iter().flatten() {
            if record.fingerprint != hall.fingerprint {
                continue;
            }
            if matches!(hall.store().is_begun(&record.id), Ok(false)) {
                let _ = hall.store().forget(&record.id);
                continue;
            }
            let (id, names) = (record.id.clone(), kept::names(&record.start));
            let lookers: Vec<Looker> = room::lookers(names.len()).collect();
            if record.standing == DuelStanding::Going && found.len() < MOST_TOLD {
                let path = |looker| (looker, hall.way_of(&id, looker));
                found.push(room::invitations(lookers.iter().copied().map(path), &names));
            }
            hall.lay_asleep(&id, record, &lookers, ());
        }
        Ok(found)
    }

    /// A way to a seat that leads there once, and soon: what stands in the list of processes may be read by
    /// others.
    pub fn ticket(&self, invitation: &FreeInvitation) -> String {
        self.hall.issue(invitation.path.clone(), Some(TICKET))
    }
}

impl FreeHall {
    /// All that was ever done at a table that is awake: something goes back further than what is at hand.
    pub(super) fn whole(&self, record: &TableRecord) -> Result<FreeTable, String> {
        let woken = kept::from_beginning(self.store(), &self.setting.kit, record);
        let woken = woken.map_err(|fault| fault.to_string())?;
        self.replayed.fetch_add(woken.played, Ordering::Relaxed);
        Ok(woken.table)
    }
}
