//! The game of all tables is exchanged for another version of it, while they are played at (D108).

use cw_duel::{CarryFault, CarryNote, GameChange};
use cw_pages::notice::WorkNotice;

use super::*;

/// What became of the tables at which somebody sits.
#[derive(Debug, Default)]
pub struct RenewedTables {
    /// How many there were.
    pub tables: usize,
    /// How many choices were taken back at the one where it was most.
    pub back: usize,
    /// Whether cards that nobody knows were shuffled again somewhere.
    pub reshuffled: bool,
    /// What could not simply be carried over, each once.
    pub notes: Vec<CarryNote>,
    /// How many began again.
    pub begun: usize,
    /// How many were closed: they could not go on, and nobody was there.
    pub closed: usize,
}

/// What is done with a table at which somebody sits and that cannot go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnfitTable {
    /// All tables stay as they are.
    KeepsAll,
    /// It begins again under the new rules.
    BeginsAgain,
}

impl DuelHall {
    /// Exchanges the package for another version of it. Every table goes on from the same position; those
    /// that are over show it. A table that nobody follows and that cannot go on is closed.
    ///
    /// # Errors
    /// Why a table at which somebody sits cannot go on; then nothing has changed.
    pub fn renew(
        self: &Arc<DuelHall>,
        package: DuelPackage,
        change: &GameChange,
        unfit: UnfitTable,
    ) -> Result<RenewedTables, CarryFault> {
        let mut renewed = RenewedTables::default();
        let cells = self.tables();
        // From here on nobody chooses anything until all tables have the new game.
        let mut writers = Vec::new();
        for cell in &cells {
            if let Ok(writer) = self.write(cell) {
                writers.push((cell, writer));
            }
        }
        let mut rooms = Vec::new();
        for (cell, writer) in &writers {
            let room = cell.room();
            let id = self.next_id(&writer.record.id);
            let next = match &*room {
                SeatRoom::Playing(table) => self.table_under(table, change, &package, &id, &mut renewed),
                SeatRoom::Gathering(gathering) => {
                    let start = Arc::new(gathering.start.under(change, &package.catalogue));
                    let secret = self.part_in_shuffle(&id);
                    let number = gathering.number() + 1;
                    let next = Gathering::new(start, gathering.seats.clone(), secret, number);
                    Ok(SeatRoom::Gathering(Box::new(next)))
                }
            };
            let next = match (next, room.table()) {
                (Ok(next), _) => Some(next),
                (Err(_), Some(table)) if unfit == UnfitTable::BeginsAgain && !table.is_over() => {
                    renewed.begun += 1;
                    self.begun_under(table, change, &package, &id)
                }
                (Err(fault), Some(table)) if cell.is_followed() && !table.is_over() => return Err(fault),
                (Err(_), _) => None,
            };
            renewed.tables += 1;
            rooms.push((id, next));
        }
        self.setting.package.replace(package);
        locked(&self.drawn).clear();
        let mut closed = Vec::new();
        for ((cell, mut writer), (id, room)) in writers.into_iter().zip(rooms) {
            match room {
                // A store that cannot keep it says so by itself; the page asks again.
                Some(room) => drop(self.replace(cell, &mut writer, room, &id)),
                None => closed.push(cell.name.clone()),
            }
        }
        renewed.closed = closed.len();
        for name in closed {
            self.close_for_good(&name);
        }
        for cell in &cells {
            self.settle(cell);
        }
        Ok(renewed)
    }

    fn table_under(
        &self,
        table: &DuelTable,
        change: &GameChange,
        package: &DuelPackage,
        id: &str,
        renewed: &mut RenewedTables,
    ) -> Result<SeatRoom, CarryFault> {
        let carried = table.carried(change, &package.catalogue, self.next_part(id))?;
        renewed.back = renewed.back.max(carried.back);
        renewed.reshuffled |= carried.reshuffled;
        for note in carried.notes {
            if !renewed.notes.contains(&note) {
                renewed.notes.push(note);
            }
        }
        Ok(SeatRoom::Playing(Box::new(carried.table)))
    }

    /// The duel begins again with the same decks; `None` if it cannot.
    fn begun_under(
        &self,
        table: &DuelTable,
        change: &GameChange,
        package: &DuelPackage,
        id: &str,
    ) -> Option<SeatRoom> {
        let mut start = table.start.under(change, &package.catalogue);
        if start.stage.is_none() && table.start.stage.is_some() {
            // Its position cannot be set up any more.
            return None;
        }
        for seat in Seat::BOTH {
            // The deck may have been edited, too.
            let mut decks = package.decks.iter();
            if let Some((_, cards)) = decks.find(|(name, _)| *name == start.names[seat]) {
                start.decks[seat].clone_from(cards);
            }
        }
        let start = Arc::new(start);
        let origin = ChanceOrigin::drawn(&self.chance());
        let next = self.next_table(table, start, id, origin).ok()?;
        Some(SeatRoom::Playing(Box::new(next)))
    }

    /// All tables at which somebody sits begin again, with the same decks and the game as it is.
    pub fn begin_again(self: &Arc<DuelHall>) {
        for cell in self.tables() {
            let Ok(mut writer) = self.write(&cell) else {
                continue;
            };
            let room = cell.room();
            let Some(table) = room.table() else { continue };
            let id = self.next_id(&writer.record.id);
            let origin = ChanceOrigin::drawn(&self.chance());
            if let Ok(next) = self.next_table(table, Arc::clone(&table.start), &id, origin) {
                // A store that cannot keep it says so by itself.
                let _ = self.replace(&cell, &mut writer, SeatRoom::Playing(Box::new(next)), &id);
            }
            drop(writer);
            self.settle(&cell);
        }
    }

    /// Tables that are opened from now on have another version of the package in which no card has changed;
    /// those that are open go on as they are.
    pub fn take_package(&self, package: DuelPackage) {
        self.setting.package.replace(package);
        locked(&self.drawn).clear();
    }

    /// Shows a notice on the page of every seat.
    pub fn notify(&self, notice: WorkNotice) {
        self.notices.show(notice);
        for cell in self.tables() {
            cell.changed.ring();
        }
    }
}
