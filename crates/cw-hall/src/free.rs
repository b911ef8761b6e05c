//! The free table in the browser: any cards, under people's hands, without rules (`docs/spec/free-table.md`).
//!
//! Each seat is sent what [`cw_table::TableView`] has for it and nothing else: what changed since it was last sent, by the
//! numbers that its own view has for cards (F150, F151). A request is a line of the table's notation. It is written
//! down before it is answered, so that nothing which somebody was shown is ever lost.
//!
//! In reading order: `room` is one table behind its links; `kept` says how it is written down; `act` what a seat
//! may ask for; `bring` reads a deck that it brings; `wire` makes a view into what is sent; `stream` sends it;
//! `signals` are what passes and is not kept; `kit` tells the page once what the package has; `page` is its frame;
//! `routes` are the addresses.

pub mod act;
pub mod bring;
pub mod kept;
pub mod kit;
pub mod room;
pub mod signals;
pub mod wire;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_lock::Semaphore;
use cw_duel::{Game, Seed};
use cw_faces::Catalogue;
use cw_octgn::{Aliases, Deck, PackageFiles};
use cw_program::ModelId;
use cw_table::{DeckList, DeckProblem, FreeTable, Kit, Looker, TableEvent, TableSeat, TableSettings};
use cw_text::LineIndex;

use crate::host::HostError;
use crate::keys::HallKeys;
use crate::lock::locked;
use crate::quota::HostLimits;
use crate::reach::NetworkReach;
use crate::runtime::Tasks;
use crate::store::{DuelStanding, DuelStore, StoreError, TableRecord};
use crate::tickets::{TICKET, Ticket, Tickets};
use cw_pages::secret::Secret;
use room::FreeRoom;

/// What free tables are made of: a package, and where they are kept.
pub struct FreeSetting {
    /// The package as tables see it.
    pub kit: Arc<Kit>,
    /// The same cards as they are drawn; nothing where the package has none.
    pub game: Option<Arc<Game>>,
    /// How they are drawn.
    pub catalogue: Arc<Catalogue>,
    /// The package's short names of properties, for who looks for cards.
    pub aliases: Aliases,
    /// The package's files, for its pictures.
    pub files: Option<Box<dyn PackageFiles + Send>>,
    /// Pictures of cards that the host has added, by the card's id and form.
    pub pictures: Option<PicturePacks>,
    /// Decks that seats may load.
    pub decks: Vec<Deck>,
    /// Where tables are kept.
    pub store: Arc<dyn DuelStore>,
    /// What a seat may use up.
    pub limits: HostLimits,
    /// Secrets that nobody can foresee: the hall has no chance of its own.
    pub chance: fn() -> Secret,
    /// The name or address under which a network reaches the tables, beside this machine's own; an empty one is found
    /// out. Nobody else reaches them without it.
    pub reach: Option<String>,
    /// All seats are on one device, and nobody else reaches it: it is handed over, and each seat's page is covered first.
    pub one_device: bool,
    /// Gets every line of the first table's record before it is answered.
    pub record: Option<RecordSink>,
}

/// Where the lines of a record go, beside the store.
pub type RecordSink = Box<dyn Fn(&str) -> std::io::Result<()> + Send + Sync>;

/// Pictures of cards from image packs: archives, and where in them each card's picture lies.
#[derive(Debug, Default)]
pub struct PicturePacks {
    /// The packs, the first one wins.
    pub packs: Vec<Box<dyn PackageFiles + Send>>,
    /// Pack and name of the file, by the name of the picture in lower case (P76).
    pub files: BTreeMap<String, (usize, String)>,
}

impl std::fmt::Debug for FreeSetting {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FreeSetting").finish_non_exhaustive()
    }
}

/// A way to a seat, or to where those watch who have none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FreeInvitation {
    /// The seat; nobody's for those who watch.
    pub seat: Option<TableSeat>,
    /// The name of who sits there.
    pub name: String,
    /// The path of its link, below the server's address.
    pub path: String,
}

/// Free tables of one package, and the server for them.
#[derive(Clone)]
pub struct FreeHost {
    /// What all handles of the host share.
    pub hall: Arc<FreeHall>,
}

impl std::fmt::Debug for FreeHost {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FreeHost").finish_non_exhaustive()
    }
}

/// The tables of one package, behind all handles of their host.
pub struct FreeHall {
    /// What it was made of.
    pub setting: FreeSetting,
    /// The card to draw for each card of the kit.
    pub models: Vec<Option<ModelId>>,
    /// Backs that cards can have, by their paths in the package.
    pub backs: Vec<String>,
    /// What the page is told once.
    pub kit_json: String,
    /// Entries that were played to wake tables.
    replayed: AtomicUsize,
    keys: HallKeys,
    fingerprint: String,
    rooms: Mutex<Rooms>,
    tickets: Tickets,
    /// How a network reaches the tables, if it does.
    pub reach: Mutex<Option<NetworkReach>>,
    /// Faces that were drawn.
    pub drawn: Mutex<BTreeMap<String, Arc<str>>>,
    /// Faces that are drawn at the same time.
    pub drawing: Arc<Semaphore>,
    /// What runs beside requests.
    pub tasks: Tasks,
}

impl std::fmt::Debug for FreeHall {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FreeHall").finish_non_exhaustive()
    }
}

#[derive(Default)]
struct Rooms {
    /// Public names of seats: the table's name, and whose view it is.
    doors: BTreeMap<String, (String, Looker)>,
    awake: BTreeMap<String, Arc<FreeRoom>>,
    asleep: BTreeMap<String, Arc<SleepingFreeTable>>,
}

/// A table that only the store holds.
struct SleepingFreeTable {
    record: TableRecord,
    /// Held by who wakes it: whoever else comes to this table waits for that, and nobody else does.
    waking: Mutex<()>,
}

impl SleepingFreeTable {
    fn new(record: TableRecord) -> Arc<SleepingFreeTable> {
        let waking = Mutex::new(());
        Arc::new(SleepingFreeTable { record, waking })
    }
}

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
        let hall = FreeHall {
            kit_json: kit::json(&setting, &backs).to_string(),
            models,
            backs,
            keys,
            fingerprint,
            rooms: Mutex::default(),
            tickets: Tickets::default(),
            reach: Mutex::default(),
            drawn: Mutex::default(),
            drawing: Arc::new(Semaphore::new(2)),
            tasks: Tasks::default(),
            replayed: AtomicUsize::new(0),
            setting,
        };
        FreeHost { hall: Arc::new(hall) }
    }

    /// Opens a table with nothing on it.
    ///
    /// # Errors
    /// If it cannot be kept, or too many are open.
    pub fn open(&self, settings: TableSettings, seed: Seed) -> Result<Vec<FreeInvitation>, HostError> {
        let table = FreeTable::new(Arc::clone(&self.hall.setting.kit), settings, seed);
        self.take_over(table, Vec::new())
    }

    /// Opens a table with nothing on it for so many, one of whom plays all seats if there is one only; nobody can
    /// foresee its chance.
    pub fn open_for(&self, seats: usize) -> Result<Vec<FreeInvitation>, HostError> {
        let mut settings = TableSettings::for_seats(seats);
        settings.solo = seats == 1;
        self.open(settings, Seed((self.hall.setting.chance)().bytes()))
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
        let id = format!("free-{}", (hall.setting.chance)().public());
        let (record, entries) = kept::beginning(&id, &hall.fingerprint, &table);
        hall.make_room(table.weight())?;
        hall.setting.store.begin(&record, &entries)?;
        let mut rooms = locked(&hall.rooms);
        let first = rooms.awake.is_empty();
        let room = FreeRoom::new(
            record,
            table,
            &hall.keys,
            (hall.setting.chance)().public(),
            first && hall.setting.record.is_some(),
        );
        room.has_told(told);
        let invitations = room.invitations();
        rooms.seat(&room);
        rooms.awake.insert(id, Arc::new(room));
        Ok(invitations)
    }

    /// Puts tables that nobody looks at to sleep. The server does that by itself now and then.
    pub fn sweep(&self) {
        self.hall.sweep();
    }

    /// How many entries of logs were played to wake tables.
    pub fn replayed(&self) -> usize {
        self.hall.replayed.load(Ordering::Relaxed)
    }

    /// How many tables are awake.
    pub fn awake(&self) -> usize {
        locked(&self.hall.rooms).awake.len()
    }

    /// Lets a seat load a deck, as if it had asked for it.
    ///
    /// # Errors
    /// Why that is not possible.
    pub fn load_deck(&self, invitation: &FreeInvitation, deck: &Deck) -> Result<Vec<String>, String> {
        let name =
            Secret::read(invitation.path.trim_start_matches("/free/join/")).map(|secret| secret.public());
        let room = name.and_then(|name| self.hall.find(&name).ok().flatten());
        match room {
            Some((room, Looker::Seat(seat))) => {
                act::load_deck(&self.hall, &room, seat, deck).map_err(|no| no.words)
            }
            _ => Err("there is no such seat".to_owned()),
        }
    }

    /// Finds the tables of this package that were kept: their links lead back to them, whether they go on or are over.
    /// Told are those that go on, the newest first. One on which nothing was done is forgotten, and no other. What is
    /// wrong with a table is found when somebody comes to it.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn resume(&self) -> Result<Vec<Vec<FreeInvitation>>, StoreError> {
        let hall = &self.hall;
        let mut found = Vec::new();
        for record in hall.setting.store.duels()?.into_iter().flatten() {
            if record.fingerprint != hall.fingerprint {
                continue;
            }
            if matches!(hall.setting.store.is_begun(&record.id), Ok(false)) {
                let _ = hall.setting.store.forget(&record.id);
                continue;
            }
            let names = kept::names(&record.start);
            let mut rooms = locked(&hall.rooms);
            if record.standing == DuelStanding::Going && found.len() < MOST_TOLD {
                found.push(room::invitations(&hall.keys, &record.id, &names));
            }
            rooms
                .doors
                .extend(room::doors(&hall.keys, &record.id, names.len()));
            rooms
                .asleep
                .insert(record.id.clone(), SleepingFreeTable::new(record));
        }
        Ok(found)
    }

    /// A way to a seat that leads there once, and soon: what stands in the list of processes may be read by others.
    pub fn ticket(&self, invitation: &FreeInvitation) -> String {
        self.hall
            .issue(Ticket::new(invitation.path.clone(), Some(TICKET)))
    }

    /// Where a network reaches the tables, if it does: what stands before the path of a link.
    pub fn origin(&self) -> Option<String> {
        locked(&self.hall.reach).as_ref().map(NetworkReach::origin)
    }

    /// A network reaches the tables by the way of the host of duels.
    pub fn is_reached_as(&self, reach: Option<NetworkReach>) {
        if reach.is_some() {
            *locked(&self.hall.reach) = reach;
        }
    }

    /// Looks once after all tables: who is away, whose time is over, which may sleep.
    pub fn look(&self) {
        let hall = &self.hall;
        hall.sweep();
        let rooms: Vec<Arc<FreeRoom>> = locked(&hall.rooms).awake.values().cloned().collect();
        for room in rooms {
            act::look_after(hall, &room);
        }
    }
}

impl Rooms {
    fn seat(&mut self, room: &FreeRoom) {
        let doors = room
            .doors
            .iter()
            .map(|(looker, secret)| (secret.public(), (room.id().to_owned(), *looker)));
        self.doors.extend(doors);
    }
}

impl FreeHall {
    /// The room behind a door and whose view it is, woken if it is asleep. Nobody at another table waits for that.
    pub fn find(&self, name: &str) -> Result<Option<(Arc<FreeRoom>, Looker)>, String> {
        let (id, looker) = {
            let rooms = locked(&self.rooms);
            match rooms.doors.get(name) {
                Some(door) => door.clone(),
                None => return Ok(None),
            }
        };
        let Some(sleeping) = (match self.awake_or_asleep(&id) {
            Ok(room) => return Ok(Some((room, looker))),
            Err(sleeping) => sleeping,
        }) else {
            return Ok(None);
        };
        let _waking = locked(&sleeping.waking);
        // Somebody else may have woken it meanwhile.
        if let Ok(room) = self.awake_or_asleep(&id) {
            return Ok(Some((room, looker)));
        }
        let room = Arc::new(self.wake(&sleeping.record)?);
        let mut rooms = locked(&self.rooms);
        rooms.asleep.remove(&id);
        rooms.awake.insert(id, Arc::clone(&room));
        Ok(Some((room, looker)))
    }

    /// The table if it is awake, else what the store holds of it.
    fn awake_or_asleep(&self, id: &str) -> Result<Arc<FreeRoom>, Option<Arc<SleepingFreeTable>>> {
        let rooms = locked(&self.rooms);
        match rooms.awake.get(id) {
            Some(room) => {
                room.use_now();
                Ok(Arc::clone(room))
            }
            None => Err(rooms.asleep.get(id).cloned()),
        }
    }

    /// Plays what the store holds of a table, as far as nothing was kept of it.
    fn wake(&self, record: &TableRecord) -> Result<FreeRoom, String> {
        let woken = kept::wake(&*self.setting.store, &self.setting.kit, record)?;
        self.replayed.fetch_add(woken.played, Ordering::Relaxed);
        self.make_room(woken.table.weight())
            .map_err(|fault| fault.to_string())?;
        let room = FreeRoom::new(
            record.clone(),
            woken.table,
            &self.keys,
            (self.setting.chance)().public(),
            false,
        );
        room.goes_on(woken.before, woken.kept);
        room.has_told(woken.told);
        Ok(room)
    }

    /// All that was ever done at a table that is awake: something goes back further than what is at hand.
    fn whole(&self, room: &FreeRoom) -> Result<FreeTable, String> {
        let woken = kept::from_beginning(&*self.setting.store, &self.setting.kit, &room.record)?;
        self.replayed.fetch_add(woken.played, Ordering::Relaxed);
        Ok(woken.table)
    }

    /// Puts tables to sleep, those first that nobody has used for longest, until another one of this weight has room.
    fn make_room(&self, weight: usize) -> Result<(), HostError> {
        let most = self.setting.limits.memory;
        loop {
            let weights = |rooms: &Rooms| rooms.awake.values().map(|room| room.weight()).sum::<usize>();
            if weights(&locked(&self.rooms)).saturating_add(weight) <= most {
                return Ok(());
            }
            if !self.put_one_to_sleep(Duration::ZERO) {
                return Err(HostError::Full);
            }
        }
    }

    /// Puts all tables to sleep that nobody has looked at for a while.
    fn sweep(&self) {
        self.tickets.sweep();
        while self.put_one_to_sleep(self.setting.limits.unwatched) {}
    }

    /// Only the store holds the table from now on that was not used for longest, if that is so long; whether there was
    /// one.
    fn put_one_to_sleep(&self, unused: Duration) -> bool {
        let mut rooms = locked(&self.rooms);
        // Whoever works with a room holds it, and gets it under this lock.
        let idle = |room: &&Arc<FreeRoom>| Arc::strong_count(room) == 1 && room.may_sleep(unused);
        let oldest = rooms.awake.values().filter(idle).max_by_key(|room| room.unused());
        let Some(room) = oldest
            .map(|room| room.id().to_owned())
            .and_then(|id| rooms.awake.remove(&id))
        else {
            return false;
        };
        let record = room.record.clone();
        rooms
            .asleep
            .insert(record.id.clone(), SleepingFreeTable::new(record));
        true
    }

    /// The name under which a network reaches the tables.
    pub fn reached_as(&self) -> Option<String> {
        locked(&self.reach).as_ref().map(|reach| reach.name().to_owned())
    }

    /// Whether there is a seat of this name.
    pub fn knows(&self, name: &str) -> bool {
        locked(&self.rooms).doors.contains_key(name)
    }

    /// A way that leads to a link once, as long as it is not too old.
    fn issue(&self, ticket: Ticket) -> String {
        let name = self.tickets.issue((self.setting.chance)().reveal(), ticket);
        format!("/free/open/{name}")
    }

    /// A way by which one person more may come to a link. Whoever asks again for the same one gets the same way.
    pub fn invite(&self, way: &str, lasts: Duration) -> String {
        let name = self
            .tickets
            .invite(|| (self.setting.chance)().reveal(), way, lasts);
        format!("/free/open/{name}")
    }

    /// What a ticket of this name is good for. No other invitation leads there from now on.
    pub fn take_ticket(&self, name: &str) -> Option<Ticket> {
        self.tickets.take(name)
    }
}

/// Looks a deck up; what is done about what does not fit is said (F212), with its line if the deck's `text` is given.
pub(crate) fn deck_list(
    kit: &Kit,
    deck: &Deck,
    text: Option<&str>,
) -> Result<(DeckList, Vec<String>), String> {
    let mut remarks = Vec::new();
    if deck.game.value != kit.package.definition.id.value {
        remarks.push(format!(
            "The deck “{}” says that it belongs to another game.",
            deck.name
        ));
    }
    let (mut list, problems) = DeckList::of(kit, deck);
    for problem in problems {
        match problem {
            DeckProblem::Section(section) => {
                let pile = kit
                    .deck
                    .or(kit.hand)
                    .ok_or("the package has no piles for a deck")?;
                remarks.push(format!(
                    "The section “{section}” has no pile; its cards go to {}.",
                    kit.piles[pile].name
                ));
                list.choose(&section, u16::try_from(pile).unwrap_or(0));
            }
            DeckProblem::Card(name, place) => {
                let there = text.map_or("There".to_owned(), |text| {
                    let line = LineIndex::new(text).line_column(text, place.0.start).line;
                    format!("Line {line}: there")
                });
                remarks.push(format!("{there} is no card “{name}”: a blank takes its place."));
            }
            DeckProblem::CustomSleeve(name) => remarks.push(format!("The sleeve “{name}” is left out.")),
        }
    }
    match list.count() {
        0 => Err(format!("the deck “{}” has no cards", list.name)),
        _ => Ok((list, remarks)),
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
