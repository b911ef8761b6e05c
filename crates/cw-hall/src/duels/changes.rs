//! What seats do together at a table: they sit down, reveal their parts of a shuffle, and play again.

use super::*;
use crate::drafts::DraftFault;
use crate::hall::KeepFault;
use cw_pages::table::CannotBegin;

impl From<KeepFault> for Refused {
    fn from(fault: KeepFault) -> Refused {
        match fault {
            KeepFault::Elsewhere => Refused::Elsewhere,
            KeepFault::NotKept => Refused::NotKept,
        }
    }
}

impl DuelHall {
    /// Does something to a table: to a copy, which takes the table's place once it is stored.
    pub fn change(
        &self,
        cell: &HostedDuel,
        act: impl FnOnce(&mut SeatRoom) -> Result<(), Refused>,
    ) -> Result<(), Refused> {
        let mut writer = self.write(cell)?;
        let mut room = SeatRoom::clone(&cell.room());
        act(&mut room)?;
        self.store_room(cell, &mut writer, room)
    }

    /// Stores what is new, then shows it.
    fn store_room(
        &self,
        cell: &HostedDuel,
        writer: &mut TableWriter<DuelHosting>,
        mut room: SeatRoom,
    ) -> Result<(), Refused> {
        let fresh = room.take_fresh();
        match fresh.is_empty() {
            true => Ok(()),
            false => Ok(self.keep(cell, writer, room, fresh)?),
        }
    }

    /// Puts another duel behind the same door.
    pub(super) fn replace(
        &self,
        cell: &HostedDuel,
        writer: &mut TableWriter<DuelHosting>,
        mut room: SeatRoom,
        id: &str,
    ) -> Result<(), Refused> {
        let record = self.record_of(&room, id, &cell.name, cell.beside.of_guest);
        let begun = self.setting.store.begin(&record, &room.take_fresh());
        begun.map_err(|fault| {
            self.note(&fault.to_string());
            Refused::NotKept
        })?;
        writer.record = record;
        DuelHosting::show(self, cell, &writer.record, room);
        Ok(())
    }

    /// A seat commits to its part of the shuffle.
    pub fn sit_down(
        &self,
        cell: &HostedDuel,
        seat: Seat,
        commitment: &str,
        name: &str,
        deck: Option<DeckWish>,
    ) -> Result<(), Refused> {
        let mut writer = self.write(cell)?;
        let mut room = SeatRoom::clone(&cell.room());
        let SeatRoom::Gathering(gathering) = &mut room else {
            return Err(Refused::Repeated);
        };
        let deck = deck
            .map(|deck| self.chosen_deck(gathering, seat, deck))
            .transpose()?;
        gathering.sit_down_with(seat, commitment, name, deck.flatten())?;
        self.store_room(cell, &mut writer, room)
    }

    /// A deck for a seat, if it is not the one that was meant; it must be one that can be played.
    pub(super) fn chosen_deck(
        &self,
        gathering: &Gathering,
        seat: Seat,
        deck: DeckWish,
    ) -> Result<Option<ChosenDeck>, Refused> {
        let ChosenDeck { name, cards } = match deck {
            DeckWish::Brought(deck) => deck,
            DeckWish::OfPackage(at) => {
                let package = self.setting.package.now();
                let (name, cards) = package.decks.get(at).cloned().ok_or(Refused::NotOffered)?;
                ChosenDeck { name, cards }
            }
        };
        if gathering.start.decks[seat] == cards {
            return Ok(None);
        }
        let mut start = DuelStart::clone(&gathering.start);
        start.decks[seat].clone_from(&cards);
        DuelTable::set_up(
            Arc::new(start),
            gathering.seats.clone(),
            ChanceOrigin::drawn(&self.chance()),
            1,
            self.chance(),
        )
        .map_err(|_| Refused::NotOffered)?;
        Ok(Some(ChosenDeck { name, cards }))
    }

    /// A seat reveals the part to which it is bound by `commitment`; with the second one the duel begins, or
    /// goes on where it was taken back to.
    pub fn reveal(
        &self,
        cell: &HostedDuel,
        seat: Seat,
        commitment: &str,
        nonce: &str,
    ) -> Result<(), Refused> {
        let mut writer = self.write(cell)?;
        let mut room = SeatRoom::clone(&cell.room());
        let bound = match &room {
            SeatRoom::Gathering(gathering) => gathering.agreeing().commitment(seat),
            SeatRoom::Playing(table) => table.bound_by(seat),
        };
        // A form of an earlier shuffle spoils nothing.
        if bound != Some(commitment) {
            return Err(Refused::Stale);
        }
        let revealed = match &mut room {
            SeatRoom::Gathering(gathering) => gathering.reveal(seat, nonce)?,
            SeatRoom::Playing(table) => table.reveal(seat, nonce)?,
        };
        if let SeatRoom::Gathering(gathering) = &room
            && let Some(begun) = gathering.begin(self.next_part(&writer.record.id))
        {
            let table = begun.map_err(|_| Refused::NotOffered)?;
            let mut table = self.allow(table);
            table.pass_for_the_idle();
            room = SeatRoom::Playing(Box::new(table));
        }
        self.store_room(cell, &mut writer, room)?;
        match revealed {
            Revealed::Fits => Ok(()),
            Revealed::Spoilt => Err(Refused::DoesNotFit),
        }
    }

    /// The lesson or puzzle begins again, for the form of this number.
    pub fn again(&self, cell: &HostedDuel, number: u64) -> Result<(), Refused> {
        let mut writer = self.write(cell)?;
        let room = cell.room();
        let table = room.table().ok_or(Refused::NotBegun)?;
        if table.start.stage.is_none() {
            return Err(Refused::NotOffered);
        }
        if table.number() != number {
            return Err(Refused::Stale);
        }
        let old = writer.record.id.clone();
        let id = self.next_id(&old);
        let next = self.next_table(table, Arc::clone(&table.start), &id, table.origin.clone())?;
        self.replace(cell, &mut writer, SeatRoom::Playing(Box::new(next)), &id)?;
        let _ = self.setting.store.forget(&old);
        Ok(())
    }

    /// The seat would play again; when all would, the next duel begins at the same table.
    pub fn rematch(
        self: &Arc<DuelHall>,
        cell: &HostedDuel,
        seat: Seat,
        number: u64,
        commitment: &str,
        swap: bool,
    ) -> Result<(), Refused> {
        // Whoever looks later finds the next duel in its place. Other tables may be woken for it, so nobody
        // may hold this one yet.
        if cell.room().table().is_some_and(DuelTable::is_over)
            && let Err(DraftFault::Store(fault)) = self.note_end_in_drafts(cell)
        {
            self.note(&fault.to_string());
            return Err(Refused::NotKept);
        }
        let mut writer = self.write(cell)?;
        let room = cell.room();
        let mut table = room.table().ok_or(Refused::NotBegun)?.clone();
        // A duel of a run counts as it was played: the run leads to the next one.
        if !table.is_over() || table.start.stage.is_some() || table.start.is_of_run() {
            return Err(Refused::NotOffered);
        }
        if number < table.first_number() {
            return Err(Refused::Stale);
        }
        table.want_rematch(seat, commitment, swap)?;
        let Some(commitments) = table.rematch_commitments() else {
            return self.store_room(cell, &mut writer, SeatRoom::Playing(Box::new(table)));
        };
        let mut start = (*table.start).clone();
        start.seed = None;
        start.first = None;
        if swap {
            start.decks.0.swap(0, 1);
            start.names.0.swap(0, 1);
        }
        let start = Arc::new(start);
        let id = self.next_id(&writer.record.id);
        let next = match start.between_people() {
            false => SeatRoom::Playing(Box::new(self.next_table(
                &table,
                start,
                &id,
                ChanceOrigin::drawn(&self.chance()),
            )?)),
            true => {
                let secret = self.part_in_shuffle(&id);
                let seats = fresh_places(&table);
                let mut gathering = Gathering::new(start, seats, secret, table.number() + 1);
                for seat in Seat::BOTH {
                    let name = table.seats[seat].name.clone().unwrap_or_default();
                    gathering.take_settings(seat, &table.seats[seat].policy);
                    gathering.sit_down(seat, &commitments[seat.index()], &name)?;
                }
                // All are bound: the pages reveal their parts when they see it.
                SeatRoom::Gathering(Box::new(gathering))
            }
        };
        self.replace(cell, &mut writer, next, &id)
    }

    /// The next duel of the same seats.
    pub(super) fn next_table(
        &self,
        table: &DuelTable,
        start: Arc<DuelStart>,
        id: &str,
        origin: ChanceOrigin,
    ) -> Result<DuelTable, Refused> {
        let next = DuelTable::set_up(
            start,
            fresh_places(table),
            origin,
            table.number() + 1,
            self.next_part(id),
        );
        let next = next.map_err(|_| Refused::NotOffered)?;
        Ok(self.take_over(self.allow(next), table))
    }

    /// The seats go on with the settings that they made.
    pub(super) fn take_over(&self, mut next: DuelTable, table: &DuelTable) -> DuelTable {
        for seat in Seat::BOTH {
            next.take_settings(seat, &table.seats[seat].policy);
        }
        next.pass_for_the_idle();
        next
    }

    /// Begins a lesson or a puzzle of the shelf for a person; the way to their seat.
    pub fn open_stage(
        self: &Arc<DuelHall>,
        stage: &Arc<ScenarioStage>,
        by: TableOpener<'_>,
    ) -> Result<Invitation, HostError> {
        let start = self.start_of_stage(stage);
        Ok(self.open(start, by)?[ScenarioStage::SEAT.index()].clone())
    }

    fn start_of_stage(&self, stage: &Arc<ScenarioStage>) -> DuelStart {
        DuelStart {
            game: Arc::clone(&self.setting.package.now().game),
            catalogue: Arc::clone(&self.setting.package.now().catalogue),
            decks: PerSeat::default(),
            names: PerSeat([stage.name().to_owned(), String::new()]),
            who: PerSeat([SeatPlayer::Person, SeatPlayer::COMPUTER]),
            seed: Some(1.into()),
            first: None,
            allow_illegal_decks: true,
            stage: Some(Arc::clone(stage)),
            invites: None,
            opponent: None,
        }
    }

    /// Opens what a link carries, for whoever runs the host; the way to their seat, or to the moment that the
    /// link means. `against` says how a deck is played.
    pub fn open_linked(
        self: &Arc<DuelHall>,
        thing: LinkedThing,
        against: &WantedDuel,
    ) -> Result<Invitation, HostError> {
        match thing {
            LinkedThing::Deck(deck) => self.new_duel(&WantedDuel {
                own: Some(deck),
                against: None,
                ..*against
            }),
            // A run is taken over ([`DuelHall::take_run`]); what opens here is its duel, if one waits.
            LinkedThing::Run(linked) => {
                let why = || CannotBegin::Stage("no duel of the run waits".to_owned());
                let duel = linked.run.duel().ok_or_else(why)?;
                let start = self.start_of_run(&linked.run, &duel);
                self.open_sent(start, Seat::One, &[])
            }
            LinkedThing::Stage(stage) => {
                self.open_sent(self.start_of_stage(&stage), ScenarioStage::SEAT, &[])
            }
            LinkedThing::Duel(duel) => {
                let LinkedDuel {
                    start,
                    steps,
                    seat,
                    at,
                    ..
                } = *duel;
                let invitation = self.open_sent(start, seat, &steps)?;
                let is_over = self.is_over(&invitation);
                Ok(match is_over {
                    true => Invitation {
                        path: format!("{}/moment/{at}", invitation.path),
                        ..invitation
                    },
                    false => invitation,
                })
            }
        }
    }

    /// Whether the duel of a seat is over.
    fn is_over(&self, invitation: &Invitation) -> bool {
        let found = DuelHall::name_on(&invitation.path).and_then(|name| self.find(&name));
        found.is_some_and(|(cell, _)| cell.room().table().is_some_and(DuelTable::is_over))
    }

    /// A table that has gone a way already, which somebody has sent. It stays there when the program ends,
    /// also if nothing was done in it yet.
    fn open_sent(
        self: &Arc<DuelHall>,
        start: DuelStart,
        seat: Seat,
        steps: &[(cw_wire::TimelineAct, bool)],
    ) -> Result<Invitation, HostError> {
        let id = self.chance().public();
        let start = Arc::new(start);
        let origin = start
            .seed
            .map_or_else(|| ChanceOrigin::drawn(&self.chance()), ChanceOrigin::Given);
        let places = self.places(&start, &id);
        let mut table = self.allow(DuelTable::set_up(start, places, origin, 1, self.next_part(&id))?);
        table.take_steps(steps);
        // A new table has room for it.
        let _ = table.dismiss(seat);
        table.pass_for_the_idle();
        let room = SeatRoom::Playing(Box::new(table));
        Ok(self.keep_and_seat(room, &id, TableOpener::HOST)?[seat.index()].clone())
    }

    /// A table of its own that goes on from a step of this one; the way to the same seat of it.
    pub fn fork(
        self: &Arc<DuelHall>,
        table: &DuelTable,
        at: usize,
        seat: Seat,
        by: TableOpener<'_>,
    ) -> Result<Invitation, HostError> {
        let id = self.chance().public();
        let start = Arc::new(table.start_of_fork(seat));
        let (places, origin) = (self.places(&start, &id), ChanceOrigin::Given(table.origin.seed()));
        let mut forked = self.allow(DuelTable::set_up(start, places, origin, 1, self.next_part(&id))?);
        forked.follow(table, at);
        forked.take_settings(seat, &table.seats[seat].policy);
        let room = SeatRoom::Playing(Box::new(forked));
        Ok(self.keep_and_seat(room, &id, by)?[seat.index()].clone())
    }
}

/// The same people and secrets, and nothing that they have done.
fn fresh_places(table: &DuelTable) -> PerSeat<TablePlace> {
    PerSeat::from_fn(|seat| {
        let place = &table.seats[seat];
        let mut fresh = TablePlace::new(table.start.who[seat], place.secret.clone());
        fresh.name.clone_from(&place.name);
        fresh
    })
}
