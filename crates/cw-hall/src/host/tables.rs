//! Tables: opened, listed, brought back, put to sleep.

use super::*;

impl DuelHall {
    /// A secret that nobody can foresee.
    pub(super) fn fresh(&self) -> Secret {
        (self.setting.chance)()
    }

    /// How others in the network reach the tables, if they do.
    pub fn reach(&self) -> Option<NetworkReach> {
        self.reach.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Before the path of a link for this machine's own browsers, once the tables are served.
    pub(crate) fn own_origin(&self) -> Option<String> {
        let own = *self.own.read().unwrap_or_else(PoisonError::into_inner);
        own.map(|address| format!("http://{address}"))
    }

    /// Shows that whoever has it was invited to the seat of this name.
    pub fn invitation_to(&self, name: &str) -> Secret {
        self.keys.invitation(name)
    }

    /// Whether whoever runs the host sits at this seat: alone against the computer, or with a friend whom
    /// they have invited, and not at a table that another seat has opened.
    pub fn is_the_hosts(&self, name: &str) -> bool {
        self.find(name).is_some_and(|(cell, seat)| {
            let room = cell.room();
            let alone = only_person(Seat::BOTH.map(|seat| room.seats()[seat].who)).is_some();
            !cell.opened && (alone || room.start().invites == Some(seat))
        })
    }

    /// The duels of one person against the computer, and those to which somebody was invited, the newest
    /// first: those that go on, then those that are over. No page leads to a friend's seat.
    pub fn listed(&self) -> Vec<Listed> {
        let mut all: Vec<Listed> = self
            .cells()
            .iter()
            .filter_map(|cell| self.listed_cell(cell))
            .collect();
        let asleep: BTreeMap<String, Arc<SleepingDuel>> = {
            let seats = self.seats.read().unwrap_or_else(PoisonError::into_inner);
            let by_id = |sleeping: &Arc<SleepingDuel>| (sleeping.record.id.clone(), Arc::clone(sleeping));
            seats.asleep.values().map(by_id).collect()
        };
        for sleeping in asleep.values() {
            let Ok(begun) = StartRecord::read(&sleeping.record.start) else {
                continue;
            };
            let own = only_person(begun.who).or(begun.invites());
            let Some(seat) = own.filter(|_| !begun.is_staged()) else {
                continue;
            };
            all.push(Listed {
                seat: self.keys.seat(&begun.table, seat),
                opponent: begun.who[seat.other().index()],
                name: begun.opponent.map(|opponent| opponent.name),
                decks: [seat, seat.other()].map(|seat| sleeping.decks[seat.index()].clone()),
                turn: None,
                over: sleeping.record.standing == DuelStanding::Over,
                won: None,
                begun: begun.begun,
            });
        }
        all.sort_by_key(|one| (one.over, std::cmp::Reverse(one.begun)));
        all
    }

    pub(super) fn listed_cell(&self, cell: &Arc<SharedTable>) -> Option<Listed> {
        let begun = StartRecord::read(&locked(&cell.writer).record.start).ok()?;
        let room = cell.room();
        let start = room.start();
        let seat = only_person(start.who.0).or(start.invites);
        let seat = seat.filter(|_| start.stage.is_none())?;
        if !room.is_touched() && start.invites.is_none() {
            return None;
        }
        let duel = room.table().map(DuelTable::duel);
        Some(Listed {
            seat: cell.secrets[seat].clone(),
            opponent: start.who[seat.other()],
            name: room.seats()[seat.other()].name.clone(),
            decks: [seat, seat.other()].map(|seat| start.names[seat].clone()),
            turn: duel.map(cw_duel::Duel::turn),
            over: room.table().is_some_and(DuelTable::is_over),
            won: duel
                .and_then(cw_duel::Duel::outcome)
                .map(|outcome| match outcome {
                    cw_duel::DuelOutcome::Won { winner, .. } => Some(winner == seat),
                    cw_duel::DuelOutcome::Drawn => None,
                }),
            begun: begun.begun,
        })
    }

    /// Begins a duel for whoever runs the host: against the computer, or a friend who is yet to come.
    pub fn new_duel(self: &Arc<DuelHall>, wanted: &WantedDuel) -> Result<Invitation, HostError> {
        self.duel_against(wanted, None, None)
    }

    pub(super) fn duel_against(
        self: &Arc<DuelHall>,
        wanted: &WantedDuel,
        opponent: Option<Arc<Opponent>>,
        by: Option<&Arc<Quota>>,
    ) -> Result<Invitation, HostError> {
        let decks = &self.setting.package.decks;
        let deck = |at: usize| decks.get(at).or(decks.first()).cloned().unwrap_or_default();
        let [own, other] = wanted.decks.map(deck);
        let own = match &wanted.own {
            Some(brought) => (brought.name.clone(), brought.cards.clone()),
            None => own,
        };
        let other = match &wanted.against {
            Some(made) => (made.name.clone(), made.cards.clone()),
            None => other,
        };
        let start = DuelStart {
            game: Arc::clone(&self.setting.package.game),
            catalogue: Arc::clone(&self.setting.package.catalogue),
            names: PerSeat([own.0, other.0]),
            decks: PerSeat([own.1, other.1]),
            who: PerSeat([SeatPlayer::Person, wanted.opponent]),
            seed: None,
            first: wanted.first,
            allow_illegal_decks: wanted.against.is_some(),
            stage: None,
            invites: (wanted.opponent == SeatPlayer::Person).then_some(Seat::One),
            opponent,
        };
        Ok(self.open(start, by)?[Seat::One.index()].clone())
    }

    /// Begins a duel against an opponent of the package, if they may be challenged.
    pub fn challenge(self: &Arc<DuelHall>, at: usize, own: usize) -> Result<Invitation, HostError> {
        self.challenge_by(at, own, None)
    }

    /// After a lesson: begins a duel against whom to challenge next.
    pub fn real_duel(self: &Arc<DuelHall>, by: &Arc<Quota>) -> Result<Invitation, HostError> {
        self.challenge_by(self.progress().next().unwrap_or(0), 0, Some(by))
    }

    fn challenge_by(
        self: &Arc<DuelHall>,
        at: usize,
        own: usize,
        by: Option<&Arc<Quota>>,
    ) -> Result<Invitation, HostError> {
        let setting = &self.setting;
        let progress = self.progress();
        let at = if progress.is_open(at) {
            at
        } else {
            progress.next().unwrap_or(0)
        };
        let opponent = setting
            .package
            .opponents
            .get(at)
            .or(setting.package.opponents.last());
        let name = opponent.map_or("", |opponent| &*opponent.deck);
        let other = setting
            .package
            .decks
            .iter()
            .position(|(deck, _)| deck == name)
            .unwrap_or(0);
        self.duel_against(
            &WantedDuel {
                decks: [own, other],
                own: None,
                against: None,
                opponent: opponent.map_or(SeatPlayer::COMPUTER, Opponent::who),
                first: None,
            },
            opponent.cloned().map(Arc::new),
            by,
        )
    }

    /// How far whoever runs the host has come on the ladder.
    pub fn progress(&self) -> LadderProgress {
        let setting = &self.setting;
        LadderProgress::read(
            &setting.store.facts().unwrap_or_default(),
            &setting.package.game,
            &setting.package.opponents,
        )
    }

    /// Begins a table. `by` is the seat that asks for it, if it is not whoever runs the host.
    pub(super) fn open(
        self: &Arc<DuelHall>,
        start: DuelStart,
        by: Option<&Arc<Quota>>,
    ) -> Result<Vec<Invitation>, HostError> {
        self.make_room()?;
        let id = self.fresh().public();
        let room = self.room_for(Arc::new(start), &id)?;
        self.keep_and_seat(room, &id, by)
    }

    /// A table between two people that begins like this, and at which nobody has done anything.
    pub(super) fn untouched_like(&self, start: &DuelStart) -> Option<Arc<SharedTable>> {
        let is_like = |cell: &Arc<SharedTable>| {
            let room = cell.room();
            let other = room.start();
            !cell.opened
                && !room.is_touched()
                && other.between_people()
                && (&other.decks, &other.names) == (&start.decks, &start.names)
                && (other.seed, other.first, other.invites) == (start.seed, start.first, start.invites)
                && other.allow_illegal_decks == start.allow_illegal_decks
                && other.stage.is_none()
        };
        let wanted = start.between_people() && start.stage.is_none();
        self.cells().into_iter().filter(|_| wanted).find(is_like)
    }

    /// What is behind the door when a table is opened.
    pub(super) fn room_for(&self, start: Arc<DuelStart>, id: &str) -> Result<SeatRoom, HostError> {
        let seats = self.places(&start, id);
        if start.between_people() && start.seed.is_none() && start.stage.is_none() {
            // What cannot begin is refused now, not when everybody has come.
            DuelTable::set_up(
                Arc::clone(&start),
                seats.clone(),
                ChanceOrigin::drawn(&self.fresh()),
                1,
                self.fresh(),
            )?;
            let secret = self.part_in_shuffle(id);
            return Ok(SeatRoom::Gathering(Box::new(Gathering::new(
                start, seats, secret, 1,
            ))));
        }
        let origin = start
            .seed
            .map_or_else(|| ChanceOrigin::drawn(&self.fresh()), ChanceOrigin::Given);
        let mut table = self.allow(DuelTable::set_up(start, seats, origin, 1, self.next_part(id))?);
        table.pass_for_the_idle();
        Ok(SeatRoom::Playing(Box::new(table)))
    }

    pub(super) fn keep_and_seat(
        self: &Arc<DuelHall>,
        mut room: SeatRoom,
        id: &str,
        by: Option<&Arc<Quota>>,
    ) -> Result<Vec<Invitation>, HostError> {
        let record = self.record_of(&room, id, id);
        self.setting.store.begin(&record, &room.take_fresh())?;
        let quotas = PerSeat::from_fn(|seat| match by {
            Some(quota) if room.seats()[seat].who == SeatPlayer::Person => Arc::clone(quota),
            Some(_) | None => Arc::default(),
        });
        let cell = self.seat(room, record, quotas, by.is_some());
        if let Some(quota) = by {
            let mut opened = locked(&quota.opened);
            opened.push(cell.name());
            let surplus = opened.len().saturating_sub(self.setting.limits.opened);
            let closed: Vec<String> = opened.drain(..surplus).collect();
            drop(opened);
            for name in closed {
                if let Some(cell) = self.awake(&name) {
                    self.put_to_sleep(&cell);
                }
            }
        }
        self.settle(&cell);
        Ok(self.invitations(&cell.room(), &cell.secrets))
    }

    /// Lets requests reach a table.
    pub(super) fn seat(
        &self,
        room: SeatRoom,
        record: TableRecord,
        quotas: PerSeat<Arc<Quota>>,
        opened: bool,
    ) -> Arc<SharedTable> {
        let secrets = PerSeat::from_fn(|seat| room.seats()[seat].secret.clone());
        let cell = Arc::new(SharedTable {
            changed: Arc::default(),
            room: Mutex::new(Arc::new(room)),
            writer: Mutex::new(TableWriter {
                record,
                unsure: None,
                closed: false,
            }),
            secrets,
            quotas,
            presence: Arc::new(Attendance::new(self.tasks.clone())),
            reviews: Reviews::default(),
            budget: Mutex::default(),
            thinking: AtomicBool::new(false),
            used: Mutex::new(Moment::now()),
            opened,
            asleep: AtomicBool::new(false),
        });
        let mut seats = self.seats.write().unwrap_or_else(PoisonError::into_inner);
        for seat in Seat::BOTH {
            let name = cell.secrets[seat].public();
            seats.asleep.remove(&name);
            seats.awake.insert(name, (Arc::clone(&cell), seat));
        }
        cell
    }

    pub(super) fn invitations(&self, room: &SeatRoom, secrets: &PerSeat<Secret>) -> Vec<Invitation> {
        let invite = |seat: Seat| Invitation {
            seat,
            who: room.seats()[seat].who,
            path: format!("/join/{}", secrets[seat].reveal()),
        };
        Seat::BOTH.map(invite).into()
    }

    /// The seats of a table: their secrets follow from the store's key, so that none lies in the store.
    pub(super) fn places(&self, start: &DuelStart, table: &str) -> PerSeat<TablePlace> {
        PerSeat::from_fn(|seat| {
            let mut place = TablePlace::new(start.who[seat], self.keys.seat(table, seat));
            if let (SeatPlayer::Computer(_), Some(opponent)) = (place.who, &start.opponent) {
                place.name = Some(opponent.name.clone());
            }
            place
        })
    }

    /// The host's part in the shuffle of a duel.
    pub(super) fn part_in_shuffle(&self, duel: &str) -> Secret {
        self.keys.shuffle(duel)
    }

    /// The name of the duel that follows this one at its table.
    pub(super) fn next_id(&self, duel: &str) -> String {
        self.keys.next_duel(duel)
    }

    /// The host's part in the shuffle after this duel.
    pub(super) fn next_part(&self, duel: &str) -> Secret {
        self.part_in_shuffle(&self.next_id(duel))
    }

    /// Lets a table do what the host allows.
    pub(super) fn allow(&self, mut table: DuelTable) -> DuelTable {
        table.remarks = self.setting.limits.remarks;
        table
    }

    /// What a duel must have in common with this program to go on.
    pub(super) fn fingerprint(&self) -> String {
        format!(
            "{}, {}",
            self.setting.package.game.fingerprint,
            cw_duel::RULES_VERSION
        )
    }

    pub(super) fn record_of(&self, room: &SeatRoom, id: &str, table: &str) -> TableRecord {
        let record = StartRecord::of(room, table, &self.setting.package.game);
        TableRecord {
            id: id.to_owned(),
            fingerprint: self.fingerprint(),
            start: serde_json::to_string(&record).expect("texts and numbers are always JSON"),
            standing: DuelStanding::Going,
        }
    }

    /// What a store has kept of a table, or why it cannot be had.
    pub(super) fn restore(&self, record: &TableRecord) -> Result<SeatRoom, WakeError> {
        let begun = StartRecord::read(&record.start)?;
        let start = Arc::new(begun.start(&self.setting.package.game, &self.setting.package.catalogue)?);
        let seats = self.places(&start, &begun.table);
        let log = self.setting.store.log(&record.id, 0)?;
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

    /// What an unfinished duel of another fingerprint was, if it was one of this game and something was done in it.
    pub(super) fn changed_since(&self, record: &TableRecord) -> Option<OutdatedDuel> {
        let begun = StartRecord::read(&record.start).ok()?;
        let is_told = record.standing == DuelStanding::Going
            && !begun.is_staged()
            && begun.is_of(&self.setting.package.game)
            && self
                .setting
                .store
                .log(&record.id, 0)
                .is_ok_and(|log| !log.is_empty());
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
        self.setting.store.forget(id)?;
        changed.remove(at);
        Ok(true)
    }

    pub(super) fn resume(&self) -> Result<Resumed, HostError> {
        let mut resumed = Resumed::default();
        locked(&self.changed).clear();
        let fingerprint = self.fingerprint();
        let (mut tables, mut over) = (BTreeSet::new(), 0);
        for row in self.setting.store.duels()? {
            let record = match row {
                Ok(record) if record.fingerprint != fingerprint => {
                    if let Some(one) = self.changed_since(&record) {
                        resumed
                            .changed
                            .push(cw_pages::labels::decks(&one.decks[0], &one.decks[1]));
                        locked(&self.changed).push(one);
                    }
                    continue;
                }
                Ok(record) => record,
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
            if record.standing == DuelStanding::Over {
                over += 1;
                if over > MOST_OVER {
                    // What cannot be forgotten now is forgotten another time.
                    let _ = self.setting.store.forget(&record.id);
                    continue;
                }
            }
            // The newest duel of a table is the one that its seats see.
            if !tables.insert(begun.table.clone()) {
                continue;
            }
            if record.standing == DuelStanding::Over || resumed.going.len() >= MOST_GOING {
                let invitations = self.lay_asleep(record, &begun);
                resumed.over.push(invitations);
                continue;
            }
            match self.restore(&record) {
                Err(WakeError::Damaged(why)) => resumed.aside.push(self.set_aside(&record.id, &why)),
                Err(WakeError::Unread(fault)) => {
                    // Whoever asks for it tries again.
                    let told = format!("the duel {} cannot be read now: {fault}", record.id);
                    resumed.aside.push(told);
                    resumed.going.push(self.lay_asleep(record, &begun));
                }
                Ok(room) if !room.is_touched() && !begun.between_people() => {
                    let _ = self.setting.store.forget(&record.id);
                }
                Ok(room) => {
                    let is_over = room.table().is_some_and(DuelTable::is_over);
                    if is_over {
                        let _ = self.setting.store.mark(&record.id, DuelStanding::Over);
                    }
                    let cell = self.seat(room, record, PerSeat::default(), false);
                    let invitations = self.invitations(&cell.room(), &cell.secrets);
                    match is_over {
                        true => resumed.over.push(invitations),
                        false => resumed.going.push(invitations),
                    }
                }
            }
        }
        Ok(resumed)
    }

    pub(super) fn set_aside(&self, id: &str, why: &str) -> String {
        let _ = self.setting.store.mark(id, DuelStanding::Aside);
        format!("the duel {id} is damaged and set aside: {why}")
    }

    pub(super) fn lay_asleep(&self, record: TableRecord, begun: &StartRecord) -> Vec<Invitation> {
        let secrets = PerSeat::from_fn(|seat| self.keys.seat(&begun.table, seat));
        let mut decks = begun.names.clone();
        if begun.invites().is_some()
            && let Ok(log) = self.setting.store.log(&record.id, 0)
        {
            cw_pages::room::chosen_in(&log, &mut decks);
        }
        let sleeping = Arc::new(SleepingDuel {
            record,
            decks,
            quotas: PerSeat::default(),
            opened: false,
        });
        let mut seats = self.seats.write().unwrap_or_else(PoisonError::into_inner);
        for secret in &secrets.0 {
            seats.asleep.insert(secret.public(), Arc::clone(&sleeping));
        }
        let invite = |seat: Seat| Invitation {
            seat,
            who: begun.who[seat.index()],
            path: format!("/join/{}", secrets[seat].reveal()),
        };
        Seat::BOTH.map(invite).into()
    }

    /// Whether there is a seat of this name.
    pub fn knows(&self, name: &str) -> bool {
        let seats = self.seats.read().unwrap_or_else(PoisonError::into_inner);
        seats.awake.contains_key(name) || seats.asleep.contains_key(name)
    }

    pub(super) fn awake(&self, name: &str) -> Option<Arc<SharedTable>> {
        self.find(name).map(|(cell, _)| cell)
    }

    /// The table behind a seat's name, if it is awake.
    pub fn find(&self, name: &str) -> Option<(Arc<SharedTable>, Seat)> {
        let seats = self.seats.read().unwrap_or_else(PoisonError::into_inner);
        seats.awake.get(name).cloned()
    }

    /// The table behind a seat's name; one that sleeps is woken. `None` if there is none.
    pub fn wake(self: &Arc<DuelHall>, name: &str) -> Result<Option<(Arc<SharedTable>, Seat)>, Refused> {
        let sleeping = {
            let seats = self.seats.read().unwrap_or_else(PoisonError::into_inner);
            if let Some(found) = seats.awake.get(name) {
                return Ok(Some(found.clone()));
            }
            match seats.asleep.get(name) {
                Some(sleeping) => Arc::clone(sleeping),
                None => return Ok(None),
            }
        };
        self.make_room().map_err(|_| Refused::Busy)?;
        let room = match self.restore(&sleeping.record) {
            Ok(room) => room,
            Err(WakeError::Unread(fault)) => {
                self.note(&fault.to_string());
                return Err(Refused::NotRead);
            }
            Err(WakeError::Damaged(why)) => {
                self.note(&self.set_aside(&sleeping.record.id, &why));
                let mut seats = self.seats.write().unwrap_or_else(PoisonError::into_inner);
                seats.asleep.retain(|_, other| !Arc::ptr_eq(other, &sleeping));
                return Ok(None);
            }
        };
        // Somebody else may have woken it meanwhile: the first one counts.
        if self.find(name).is_none() {
            let (record, quotas) = (sleeping.record.clone(), sleeping.quotas.clone());
            self.seat(room, record, quotas, sleeping.opened);
        }
        let found = self.find(name);
        if let Some((cell, _)) = &found {
            self.settle(cell);
        }
        Ok(found)
    }

    /// Only the store holds the table from now on; one in which nothing was done is forgotten.
    pub(super) fn put_to_sleep(&self, cell: &Arc<SharedTable>) {
        let mut writer = locked(&cell.writer);
        if writer.unsure.is_some() || writer.closed {
            return;
        }
        writer.closed = true;
        let record = writer.record.clone();
        let keep = !cell.opened || cell.room().is_touched();
        let sleeping = Arc::new(SleepingDuel {
            record: record.clone(),
            decks: cell.room().start().names.0.clone(),
            quotas: cell.quotas.clone(),
            opened: cell.opened,
        });
        let mut seats = self.seats.write().unwrap_or_else(PoisonError::into_inner);
        for secret in &cell.secrets.0 {
            let name = secret.public();
            seats.awake.remove(&name);
            if keep {
                seats.asleep.insert(name, Arc::clone(&sleeping));
            }
        }
        drop((seats, writer));
        if !keep {
            let _ = self.setting.store.forget(&record.id);
        }
        // Whoever follows it comes back and wakes it.
        cell.asleep.store(true, Ordering::Release);
        cell.changed.ring();
    }

    /// The tables that are awake.
    pub fn cells(&self) -> Vec<Arc<SharedTable>> {
        let seats = self.seats.read().unwrap_or_else(PoisonError::into_inner);
        let firsts = seats.awake.values().filter(|(_, seat)| *seat == Seat::One);
        firsts.map(|(cell, _)| Arc::clone(cell)).collect()
    }

    pub(super) fn sweep(&self) {
        for cell in self.cells() {
            let idle = locked(&cell.used).elapsed() >= self.setting.limits.unwatched;
            if idle && !cell.is_followed() {
                self.put_to_sleep(&cell);
            }
        }
        self.tickets.sweep();
    }

    /// Puts the table to sleep that nobody has used for longest, if there are too many.
    pub(super) fn make_room(&self) -> Result<(), HostError> {
        let mut cells = self.cells();
        if cells.len() < self.setting.limits.tables {
            return Ok(());
        }
        cells.retain(|cell| !cell.is_followed());
        let oldest = cells.iter().max_by_key(|cell| locked(&cell.used).elapsed());
        let oldest = oldest.ok_or(HostError::Full)?;
        self.put_to_sleep(oldest);
        Ok(())
    }

    /// The way that a ticket leads, once.
    pub fn take_ticket(&self, ticket: &str) -> Option<String> {
        Some(self.tickets.take(ticket)?.way)
    }

    /// A way that leads there once, for as long as it lasts.
    pub(super) fn issue(&self, way: String, lasts: Option<Duration>) -> String {
        let name = self.tickets.issue(self.fresh().reveal(), Ticket::new(way, lasts));
        format!("/open/{name}")
    }

    pub(super) fn link_for_guest(&self, invitation: &Invitation) -> String {
        let secret = Secret::read(invitation.path.trim_start_matches("/join/"));
        let found = secret.and_then(|secret| Some((secret.public(), self.find(&secret.public())?)));
        match found {
            Some((name, (cell, seat))) if cell.room().invites(seat) => self.path_of_invitation(&name),
            Some(_) | None => self.issue(invitation.path.clone(), None),
        }
    }

    pub(crate) fn note(&self, words: &str) {
        if let Some(note) = &self.setting.note {
            note(words);
        }
    }

    /// Tells once that a card takes too long.
    pub fn note_slow(&self, models: &[ModelId]) {
        for model in models {
            if locked(&self.slow).insert(*model) {
                let name = &self.setting.package.game.model(*model).name;
                self.note(&format!(
                    "“{name}” takes too long to be tried out; its rule computes too much"
                ));
            }
        }
    }
}

impl DuelHall {
    /// The path by which a friend sits down at a seat.
    pub fn path_of_invitation(&self, name: &str) -> String {
        format!("/invite/{name}/{}", self.invitation_to(name).reveal())
    }

    /// The link that this seat may send to a friend, if it is the one that invites.
    pub fn invitation_of(&self, gathering: &Gathering, seat: Seat) -> Option<String> {
        let other = seat.other();
        if gathering.start.invites != Some(seat) || gathering.has_come(other) {
            return None;
        }
        let path = self.path_of_invitation(&gathering.seats[other].secret.public());
        let origin = self
            .reach()
            .map(|reach| reach.origin())
            .or_else(|| self.own_origin());
        // Without a server of its own the page knows where it is.
        let origin = origin.unwrap_or_default();
        Some(format!("{origin}{path}"))
    }
}
