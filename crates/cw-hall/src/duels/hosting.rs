//! What a hall must know of a duel.

use super::*;
use crate::store::StoreError;

impl Hosted for DuelHosting {
    type Looker = Seat;
    /// Readers take the value and let go of the lock: a page is made of it for long.
    type Live = Arc<SeatRoom>;
    type Change = SeatRoom;
    type Told = ();
    type Beside = BesideDuel;
    /// What the decks are called with which it is played, as its pages say: a guest may have chosen another
    /// one.
    type Outline = [String; 2];

    const JOIN: &'static str = "/join/";
    const OPEN: &'static str = "/open/";
    const LOOK: Duration = Duration::from_secs(60);
    // The rules have checked each entry: a log that they refuse is not that of a duel.
    const SETS_ASIDE: bool = true;

    fn store(&self) -> &dyn DuelStore {
        &*self.setting.store
    }

    fn limits(&self) -> &HostLimits {
        &self.setting.limits
    }

    fn chance(&self) -> Secret {
        (self.setting.chance)()
    }

    fn note(&self, words: &str) {
        if let Some(note) = &self.setting.note {
            note(words);
        }
    }

    fn secret(keys: &HallKeys, table: &str, seat: Seat) -> Secret {
        keys.seat(table, seat)
    }

    fn lookers(_room: &Arc<SeatRoom>) -> Vec<Seat> {
        Seat::BOTH.into()
    }

    fn is_person(room: &Arc<SeatRoom>, seat: Seat) -> bool {
        room.seats()[seat].who == SeatPlayer::Person
    }

    fn restore(
        hall: &DuelHall,
        _name: &str,
        record: &TableRecord,
    ) -> Result<(Arc<SeatRoom>, BesideDuel), WakeError> {
        // Under other rules its log leads elsewhere, or nowhere (D108): it waits for those of its own.
        if record.fingerprint != hall.fingerprint() {
            let words = "the game has changed since this duel was played".to_owned();
            return Err(WakeError::Unread(StoreError::Failed(words)));
        }
        let of_guest = StartRecord::read(&record.start)?.of_guest;
        Ok((Arc::new(hall.restore(record)?), BesideDuel::of(of_guest)))
    }

    fn outline(room: &Arc<SeatRoom>) -> [String; 2] {
        room.start().names.0.clone()
    }

    fn show(hall: &DuelHall, cell: &HostedDuel, record: &TableRecord, room: SeatRoom) {
        let room = Arc::new(room);
        let before = std::mem::replace(&mut *locked(&cell.live), Arc::clone(&room));
        cell.changed.ring();
        let was_over = before.table().is_some_and(DuelTable::is_over);
        let Some(table) = room.table().filter(|table| table.is_over() && !was_over) else {
            return;
        };
        // The log itself tells that it is over; the mark only spares reading it.
        let _ = hall.store().mark(&record.id, DuelStanding::Over);
        // The ladder is climbed by whoever runs the host.
        if !cell.beside.of_guest {
            hall.note_victory(table);
        }
        let is_whole = table.start.stage.is_none() && !table.is_carried();
        if let Some(over) = hall.setting.over.as_ref().filter(|_| is_whole) {
            over(&table.record().write());
        }
    }

    /// All duels are small, and about alike.
    fn weight(_room: &Arc<SeatRoom>) -> usize {
        1
    }

    fn space(limits: &HostLimits) -> usize {
        limits.tables
    }

    /// A computer that thinks about it finds it closed, and goes on when somebody wakes it.
    /// The log of a table that goes on under other rules does not lead there: only memory holds it.
    fn may_sleep(cell: &Arc<HostedDuel>) -> bool {
        !cell.room().table().is_some_and(DuelTable::is_carried)
    }

    /// A duel that its seats have played before this one is at the same table, and must not be forgotten with
    /// it; a lesson that begins again has none.
    fn is_touched(room: &Arc<SeatRoom>) -> bool {
        let first = match &**room {
            SeatRoom::Gathering(gathering) => gathering.first_number(),
            SeatRoom::Playing(table) => table.first_number(),
        };
        room.is_touched() || (first > 1 && room.start().stage.is_none())
    }

    fn standing(room: &Arc<SeatRoom>) -> DuelStanding {
        match room.table().is_some_and(DuelTable::is_over) {
            true => DuelStanding::Over,
            false => DuelStanding::Going,
        }
    }

    fn settle(hall: &Arc<DuelHall>, cell: &Arc<HostedDuel>) {
        hall.let_computers_go_on(cell);
    }
}

impl DuelHosting {
    /// Who beats an opponent of the package has done so for good.
    fn note_victory(&self, table: &DuelTable) {
        let winner = table.duel().outcome().and_then(|outcome| match outcome {
            cw_duel::DuelOutcome::Won { winner, .. } => Some(winner),
            cw_duel::DuelOutcome::Drawn => None,
        });
        let (start, store) = (&table.start, self.store());
        let (Some(opponent), Some(winner)) = (&start.opponent, winner) else {
            return;
        };
        if start.who[winner] != SeatPlayer::Person || start.stage.is_some() || opponent.run.is_some() {
            return;
        }
        if let Err(fault) = store.note_fact(&opponent.fact(&start.game), true) {
            self.note(&format!(
                "that {} was beaten cannot be kept: {fault}",
                opponent.name
            ));
        }
    }
}
