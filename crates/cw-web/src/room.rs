//! What is behind a seat's door: two people who have not agreed on a shuffle yet, or a table.

use std::sync::Arc;

use cw_duel::{PerSeat, Seat};
use cw_wire::Agreement;

use crate::Secret;
use crate::store::Entry;
use crate::table::{
    CannotBegin, Done, Log, Origin, Place, Refused, Start, Table, name_of, number_of, seat_of,
};

/// What is behind a seat's door.
#[derive(Clone, Debug)]
pub(crate) enum Room {
    Gathering(Box<Gathering>),
    Playing(Box<Table>),
}

impl Room {
    pub(crate) fn number(&self) -> u64 {
        match self {
            Room::Gathering(gathering) => gathering.log.number(),
            Room::Playing(table) => table.number(),
        }
    }

    pub(crate) fn table(&self) -> Option<&Table> {
        match self {
            Room::Gathering(_) => None,
            Room::Playing(table) => Some(table),
        }
    }

    /// The table, to be changed.
    pub(crate) fn playing(&mut self) -> Result<&mut Table, Refused> {
        match self {
            Room::Gathering(_) => Err(Refused::NotBegun),
            Room::Playing(table) => Ok(table),
        }
    }

    pub(crate) fn start(&self) -> &Start {
        match self {
            Room::Gathering(gathering) => &gathering.start,
            Room::Playing(table) => &table.start,
        }
    }

    pub(crate) fn seats(&self) -> &PerSeat<Place> {
        match self {
            Room::Gathering(gathering) => &gathering.seats,
            Room::Playing(table) => &table.seats,
        }
    }

    pub(crate) fn take_fresh(&mut self) -> Vec<Entry> {
        match self {
            Room::Gathering(gathering) => gathering.log.take_fresh(),
            Room::Playing(table) => table.take_fresh(),
        }
    }

    pub(crate) fn is_touched(&self) -> bool {
        match self {
            Room::Gathering(gathering) => gathering.log.len() > 0,
            Room::Playing(table) => table.is_touched(),
        }
    }
}

/// Two people who are about to play: each sends its part of the shuffle after it has seen the host's
/// commitment, so that nobody can choose or know what comes (D70).
#[derive(Clone, Debug)]
pub(crate) struct Gathering {
    pub start: Arc<Start>,
    pub seats: PerSeat<Place>,
    /// The host's part, which nobody sees before the end.
    secret: Secret,
    nonces: PerSeat<Option<String>>,
    log: Log,
}

impl Gathering {
    pub(crate) fn new(start: Arc<Start>, seats: PerSeat<Place>, secret: Secret, first: u64) -> Gathering {
        Gathering {
            start,
            seats,
            secret,
            nonces: PerSeat::default(),
            log: Log::new(first),
        }
    }

    /// What shows that the host has chosen its part.
    pub(crate) fn commitment(&self) -> String {
        Agreement::commitment_to(&self.secret.reveal())
    }

    /// Where its numbers begin.
    pub(crate) fn first_number(&self) -> u64 {
        self.log.first()
    }

    /// Whether the seat has sent its part.
    pub(crate) fn has_sat_down(&self, seat: Seat) -> bool {
        self.nonces[seat].is_some()
    }

    /// A seat sends its part, and says who sits there.
    ///
    /// # Errors
    /// If it has sent one already.
    pub(crate) fn sit_down(&mut self, seat: Seat, nonce: &str, name: &str) -> Result<(), Refused> {
        if self.has_sat_down(seat) {
            return Err(Refused::Repeated);
        }
        let nonce = Agreement::nonce(nonce);
        self.nonces[seat] = Some(nonce.clone());
        let name = name_of(name);
        self.seats[seat].name.clone_from(&name);
        let sat_down = Done::SatDown {
            seat: number_of(seat),
            nonce,
            name,
        };
        self.log.enter(self.log.number(), &sat_down);
        Ok(())
    }

    /// What all have agreed on, if both parts are there.
    pub(crate) fn agreement(&self) -> Option<Agreement> {
        let [one, two] = &self.nonces.0;
        Some(Agreement {
            secret: self.secret.reveal(),
            nonces: [one.clone()?, two.clone()?],
        })
    }

    /// The table, with the log as it is, if both parts are there.
    pub(crate) fn begin(&self) -> Option<Result<Table, CannotBegin>> {
        let agreement = self.agreement()?;
        let (start, seats) = (Arc::clone(&self.start), self.seats.clone());
        let table = Table::set_up(start, seats, Origin::Agreed(agreement), self.log.first());
        Some(table.map(|mut table| {
            table.continue_log(self.log.clone());
            table
        }))
    }

    /// Does again what the store remembers; how many entries of it.
    ///
    /// # Errors
    /// If an entry makes no sense here: which, and why.
    pub(crate) fn redo(&mut self, log: &[Entry]) -> Result<usize, String> {
        for entry in log.iter().take(2) {
            let fault = |why: String| format!("entry {} of its log {why}", entry.number);
            let done = self.log.read(entry).map_err(fault)?;
            let Done::SatDown { seat, nonce, name } = done else {
                return Err(fault("comes before the duel begins".to_owned()));
            };
            let seat = seat_of(seat).ok_or_else(|| fault("is of nobody".to_owned()))?;
            self.sit_down(seat, &nonce, &name.unwrap_or_default())
                .map_err(|_| fault("comes twice".to_owned()))?;
        }
        self.log.take_fresh();
        Ok(log.len().min(2))
    }
}
