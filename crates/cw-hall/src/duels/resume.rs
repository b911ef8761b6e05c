//! Duels that a store has kept: they go on when the program starts, or when somebody comes to them.

use std::collections::BTreeMap;

use super::*;

impl DuelHall {
    /// What a store has kept of a table, or why it cannot be had.
    pub(super) fn restore(&self, record: &TableRecord) -> Result<SeatRoom, WakeError> {
        let begun = StartRecord::read(&record.start)?;
        let start = Arc::new(begun.start(
            &self.setting.package.now().game,
            &self.setting.package.now().catalogue,
        )?);
        let seats = self.places(&start, &begun.table);
        let log = self.store().log(&record.id, 0)?;
        let (table, rest) = match begun.origin()? {
            Some(origin) => (
                DuelTable::set_up(start, seats, origin, begun.number, self.next_part(&record.id)),
                &log[..],
            ),
            None => {
                let secret = self.part_in_shuffle(&record.id);
                let mut gathering = Gathering::new(start, seats, secret, begun.number);
                let done = gathering.redo(&log)?;
                match gathering.begin(self.next_part(&record.id)) {
                    None => return Ok(SeatRoom::Gathering(Box::new(gathering))),
                    Some(table) => (table, &log[done..]),
                }
            }
        };
        let table = table.map_err(|fault| WakeError::Damaged(fault.to_string()))?;
        let mut table = self.allow(table);
        table.redo(rest)?;
        Ok(SeatRoom::Playing(Box::new(table)))
    }

    /// What an unfinished duel of another fingerprint was, if it was one of this game and something was done
    /// in it.
    pub(super) fn changed_since(&self, record: &TableRecord) -> Option<OutdatedDuel> {
        let begun = StartRecord::read(&record.start).ok()?;
        let is_told = record.standing == DuelStanding::Going
            && !begun.is_staged()
            && begun.is_of(&self.setting.package.now().game)
            && self.store().is_begun(&record.id).is_ok_and(|begun| begun);
        is_told.then(|| OutdatedDuel {
            id: record.id.clone(),
            decks: begun.names.clone(),
            begun: begun.begun,
        })
    }

    /// Unfinished duels that cannot go on since the game was changed.
    pub fn changed(&self) -> Vec<OutdatedDuel> {
        locked(&self.changed).clone()
    }

    /// Forgets one of those; whether it was there.
    pub fn forget_changed(&self, id: &str) -> Result<bool, HostError> {
        let mut changed = locked(&self.changed);
        let Some(at) = changed.iter().position(|one| one.id == id) else {
            return Ok(false);
        };
        self.store().forget(id)?;
        changed.remove(at);
        Ok(true)
    }

    pub(super) fn resume(&self) -> Result<Resumed, HostError> {
        let mut resumed = Resumed::default();
        locked(&self.changed).clear();
        let fingerprint = self.fingerprint();
        let (mut tables, mut over) = (BTreeSet::new(), 0);
        for row in self.store().duels()? {
            let record = match row {
                Ok(record) if record.fingerprint == fingerprint => record,
                Ok(record) => {
                    if let Some(one) = self.changed_since(&record) {
                        let [own, other] = &one.decks;
                        resumed.changed.push(cw_pages::labels::decks(own, other));
                        locked(&self.changed).push(one);
                    }
                    continue;
                }
                Err((id, fault)) => {
                    resumed.aside.push(self.set_aside(&id, &fault.to_string()));
                    continue;
                }
            };
            let begun = match StartRecord::read(&record.start) {
                Ok(begun) => begun,
                Err(why) => {
                    resumed.aside.push(self.set_aside(&record.id, &why));
                    continue;
                }
            };
            let is_over = record.standing == DuelStanding::Over;
            over += usize::from(is_over);
            if is_over && over > MOST_OVER {
                // What cannot be forgotten now is forgotten another time.
                let _ = self.store().forget(&record.id);
                continue;
            }
            // The newest duel of a table is the one that its seats see.
            if !tables.insert(begun.table.clone()) {
                continue;
            }
            if is_over || resumed.going.len() >= MOST_GOING {
                resumed.over.push(self.lay_duel_asleep(record, &begun));
                continue;
            }
            let room = match self.restore(&record) {
                Ok(room) => room,
                Err(WakeError::Damaged(why)) => {
                    resumed.aside.push(self.set_aside(&record.id, &why));
                    // The duel before it is seen again.
                    tables.remove(&begun.table);
                    continue;
                }
                Err(fault) => {
                    // Whoever asks for it tries again.
                    let why = match fault {
                        WakeError::Unread(source) => source.to_string(),
                        other => other.to_string(),
                    };
                    let told = format!("the duel {} cannot be read now: {why}", record.id);
                    resumed.aside.push(told);
                    resumed.going.push(self.lay_duel_asleep(record, &begun));
                    continue;
                }
            };
            if !room.is_touched() && !begun.between_people() {
                let _ = self.store().forget(&record.id);
                // If the seats had begun to play again, they see the duel that is over.
                tables.remove(&begun.table);
                continue;
            }
            let is_over = room.table().is_some_and(DuelTable::is_over);
            if is_over {
                let _ = self.store().mark(&record.id, DuelStanding::Over);
            }
            let parts = (Arc::new(room), BesideDuel::of(begun.of_guest));
            let cell = self.seat(begun.table, record, parts, BTreeMap::new(), false);
            match is_over {
                true => resumed.over.push(invitations(&cell)),
                false => resumed.going.push(invitations(&cell)),
            }
        }
        Ok(resumed)
    }

    /// The ways to the seats of a duel that goes on when somebody comes to it.
    fn lay_duel_asleep(&self, record: TableRecord, begun: &StartRecord) -> Vec<Invitation> {
        let mut decks = begun.names.clone();
        if begun.invites().is_some()
            && let Ok(log) = self.store().log(&record.id, 0)
        {
            cw_pages::room::chosen_in(&log, &mut decks);
        }
        self.lay_asleep(&begun.table, record, &Seat::BOTH, decks);
        let invite = |seat: Seat| Invitation {
            seat,
            who: begun.who[seat.index()],
            path: self.way_of(&begun.table, seat),
        };
        Seat::BOTH.map(invite).into()
    }
}
