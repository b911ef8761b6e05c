//! Duels are opened, and listed for whoever runs the host.

use super::*;

impl DuelHall {
    /// Before the path of a link for this machine's own browsers, once the tables are served.
    fn own_origin(&self) -> Option<String> {
        self.own.get().map(|address| format!("http://{address}"))
    }

    /// Shows that whoever has it was invited to the seat of this name.
    pub fn invitation_to(&self, name: &str) -> Secret {
        self.keys.invitation(name)
    }

    /// Whether whoever runs the host sits at the seat of this name ([`HostedDuel::is_the_hosts`]).
    pub fn is_the_hosts(&self, name: &str) -> bool {
        self.find(name)
            .is_some_and(|(cell, seat)| cell.is_the_hosts(seat))
    }

    /// The duels of one person against the computer, and those to which somebody was invited, the newest
    /// first: those that go on, then those that are over. No page leads to a friend's seat.
    pub fn listed(&self) -> Vec<Listed> {
        let awake = self.tables();
        let mut all: Vec<Listed> = awake.iter().filter_map(|cell| listed(cell)).collect();
        for sleeping in self.sleeping() {
            let Ok(begun) = StartRecord::read(&sleeping.record.start) else {
                continue;
            };
            let own = only_person(begun.who).or(begun.invites());
            let Some(seat) = own.filter(|_| !begun.is_staged() && !begun.of_guest) else {
                continue;
            };
            all.push(Listed {
                seat: self.keys.seat(&begun.table, seat),
                opponent: begun.who[seat.other().index()],
                name: begun.opponent.map(|opponent| opponent.name),
                decks: [seat, seat.other()].map(|seat| sleeping.outline[seat.index()].clone()),
                turn: None,
                over: sleeping.record.standing == DuelStanding::Over,
                won: None,
                begun: begun.begun,
            });
        }
        // Friends who have drafted here play duels of their own. Those that an earlier program has kept do
        // not say whose they are.
        let theirs = self.seats_of_guests();
        all.retain(|one| !theirs.contains(&one.seat.public()));
        all.sort_by_key(|one| (one.over, std::cmp::Reverse(one.begun)));
        all
    }

    /// Begins a duel for whoever runs the host: against the computer, or a friend who is yet to come.
    pub fn new_duel(self: &Arc<DuelHall>, wanted: &WantedDuel) -> Result<Invitation, HostError> {
        self.duel_for(wanted, TableOpener::HOST)
    }

    /// As [`DuelHall::new_duel`], for whoever asks for it.
    pub fn duel_for(
        self: &Arc<DuelHall>,
        wanted: &WantedDuel,
        by: TableOpener<'_>,
    ) -> Result<Invitation, HostError> {
        self.duel_against(wanted, None, by)
    }

    /// Begins a duel between two people who have these decks and no others: nobody is invited, each comes to
    /// their own seat. The ways there.
    pub fn duel_of_two(self: &Arc<DuelHall>, decks: [ChosenDeck; 2]) -> Result<[Invitation; 2], HostError> {
        let package = self.setting.package.now();
        let start = DuelStart {
            game: Arc::clone(&package.game),
            catalogue: Arc::clone(&package.catalogue),
            names: PerSeat(decks.each_ref().map(|deck| deck.name.clone())),
            decks: PerSeat(decks.map(|deck| deck.cards)),
            who: PerSeat([SeatPlayer::Person; 2]),
            seed: None,
            first: None,
            allow_illegal_decks: true,
            stage: None,
            invites: None,
            opponent: None,
        };
        let ways = self.open(start, TableOpener::HOST)?;
        Ok(Seat::BOTH.map(|seat| ways[seat.index()].clone()))
    }

    pub(super) fn duel_against(
        self: &Arc<DuelHall>,
        wanted: &WantedDuel,
        opponent: Option<Arc<Opponent>>,
        by: TableOpener<'_>,
    ) -> Result<Invitation, HostError> {
        let package = self.setting.package.now();
        let decks = &package.decks;
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
            game: Arc::clone(&self.setting.package.now().game),
            catalogue: Arc::clone(&self.setting.package.now().catalogue),
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

    /// Begins a duel against an opponent of the package, if they may be challenged: with a deck of the
    /// package, or with one that is brought.
    pub fn challenge(
        self: &Arc<DuelHall>,
        at: usize,
        own: usize,
        brought: Option<ChosenDeck>,
    ) -> Result<Invitation, HostError> {
        self.challenge_by(at, own, brought, TableOpener::HOST)
    }

    /// After a lesson: begins a duel against whom to challenge next.
    pub fn real_duel(self: &Arc<DuelHall>, by: TableOpener<'_>) -> Result<Invitation, HostError> {
        self.challenge_by(self.progress().next().unwrap_or(0), 0, None, by)
    }

    fn challenge_by(
        self: &Arc<DuelHall>,
        at: usize,
        own: usize,
        brought: Option<ChosenDeck>,
        by: TableOpener<'_>,
    ) -> Result<Invitation, HostError> {
        let package = &self.setting.package.now();
        let progress = self.progress();
        let open = Some(at).filter(|at| progress.is_open(*at));
        let at = open.or(progress.next()).unwrap_or(0);
        let opponent = package.opponents.get(at).or(package.opponents.last());
        let name = opponent.map_or("", |opponent| &*opponent.deck);
        let other = package.decks.iter().position(|(deck, _)| deck == name);
        let other = other.unwrap_or(0);
        self.duel_against(
            &WantedDuel {
                decks: [own, other],
                own: brought,
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
        let facts = setting.store.facts().unwrap_or_default();
        LadderProgress::read(
            &facts,
            &setting.package.now().game,
            &setting.package.now().opponents,
        )
    }

    /// Begins a table for whoever runs the host.
    pub(crate) fn open_duel(self: &Arc<DuelHall>, start: DuelStart) -> Result<Vec<Invitation>, HostError> {
        self.open(start, TableOpener::HOST)
    }

    /// Begins a table.
    pub(super) fn open(
        self: &Arc<DuelHall>,
        start: DuelStart,
        by: TableOpener<'_>,
    ) -> Result<Vec<Invitation>, HostError> {
        let id = self.chance().public();
        let room = self.room_for(Arc::new(start), &id)?;
        self.keep_and_seat(room, &id, by)
    }

    /// A table between two people that begins like this, and at which nobody has done anything.
    pub(super) fn untouched_like(&self, start: &DuelStart) -> Option<Arc<HostedDuel>> {
        let is_like = |cell: &Arc<HostedDuel>| {
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
        self.tables().into_iter().filter(|_| wanted).find(is_like)
    }

    /// What is behind the door when a table is opened.
    pub(super) fn room_for(&self, start: Arc<DuelStart>, id: &str) -> Result<SeatRoom, HostError> {
        let seats = self.places(&start, id);
        if start.between_people() && start.seed.is_none() && start.stage.is_none() {
            // What cannot begin is refused now, not when everybody has come.
            DuelTable::set_up(
                Arc::clone(&start),
                seats.clone(),
                ChanceOrigin::drawn(&self.chance()),
                1,
                self.chance(),
            )?;
            let secret = self.part_in_shuffle(id);
            return Ok(SeatRoom::Gathering(Box::new(Gathering::new(
                start, seats, secret, 1,
            ))));
        }
        let origin = start
            .seed
            .map_or_else(|| ChanceOrigin::drawn(&self.chance()), ChanceOrigin::Given);
        let mut table = self.allow(DuelTable::set_up(start, seats, origin, 1, self.next_part(id))?);
        table.pass_for_the_idle();
        Ok(SeatRoom::Playing(Box::new(table)))
    }

    pub(super) fn keep_and_seat(
        self: &Arc<DuelHall>,
        mut room: SeatRoom,
        id: &str,
        by: TableOpener<'_>,
    ) -> Result<Vec<Invitation>, HostError> {
        let (record, fresh) = (self.record_of(&room, id, id, by.is_guest), room.take_fresh());
        let parts = (Arc::new(room), BesideDuel::of(by.is_guest));
        Ok(invitations(&*self.open_table(record, &fresh, parts, by.seat)?))
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
            self.setting.package.now().game.fingerprint,
            cw_duel::RULES_VERSION
        )
    }

    pub(super) fn record_of(&self, room: &SeatRoom, id: &str, table: &str, of_guest: bool) -> TableRecord {
        let record = StartRecord::of(room, table, &self.setting.package.now().game, of_guest);
        TableRecord {
            id: id.to_owned(),
            fingerprint: self.fingerprint(),
            start: serde_json::to_string(&record).expect("texts and numbers are always JSON"),
            standing: DuelStanding::Going,
        }
    }

    pub(super) fn link_for_guest(&self, invitation: &Invitation) -> String {
        let name = DuelHall::name_on(&invitation.path);
        let found = name.and_then(|name| self.find(&name).map(|found| (name, found)));
        match found {
            Some((name, (cell, seat))) if cell.room().invites(seat) => self.path_of_invitation(&name),
            Some(_) | None => self.issue(invitation.path.clone(), None),
        }
    }

    /// Tells once that a card takes too long.
    pub fn note_slow(&self, models: &[ModelId]) {
        for model in models {
            if locked(&self.slow).insert(*model) {
                let game = Arc::clone(&self.setting.package.now().game);
                let name = &game.model(*model).name;
                self.note(&format!(
                    "“{name}” takes too long to be tried out; its rule computes too much"
                ));
            }
        }
    }

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

/// A table as the front page lists it, if it does.
fn listed(cell: &HostedDuel) -> Option<Listed> {
    let begun = StartRecord::read(&cell.record().start).ok()?;
    let room = cell.room();
    let start = room.start();
    let seat = only_person(start.who.0).or(start.invites);
    let seat = seat.filter(|_| start.stage.is_none() && !begun.of_guest)?;
    if !room.is_touched() && start.invites.is_none() {
        return None;
    }
    let duel = room.table().map(DuelTable::duel);
    Some(Listed {
        seat: cell.secret(seat).clone(),
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
