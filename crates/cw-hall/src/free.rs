//! The free table in the browser: any cards, under people's hands, without rules (`docs/spec/free-table.md`).
//!
//! Each seat is sent what [`cw_table::TableView`] has for it and nothing else: what changed since it was last sent, by the
//! numbers that its own view has for cards (F150, F151). A request is a line of the table's notation. It is written
//! down before it is answered, so that nothing which somebody was shown is ever lost.
//!
//! In reading order: this file says what a host of free tables is made of; `hosting` what a hall must know of a free
//! table, `kept` how one is written down, `room` who can do what behind its links; `act` what a seat may ask for; `bring`
//! reads a deck that it brings; `wire` makes a view into what is sent; `signals` are what passes and is not kept; `kit`
//! tells the page once what the package has.

pub mod act;
pub mod bring;
mod hosting;
pub mod kept;
pub mod kit;
pub mod room;
pub mod signals;
pub mod wire;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use cw_duel::{Game, Seed};
use cw_faces::Catalogue;
use cw_octgn::{Aliases, Deck, PackageFiles};
use cw_program::ModelId;
use cw_table::{DeckList, DeckProblem, FreeTable, Kit, Looker, TableEvent, TableSeat, TableSettings};
use cw_text::LineIndex;

use crate::hall::{Hall, HallTable, Host, HostError, Hosted as _};
use crate::keys::HallKeys;
use crate::quota::HostLimits;
use crate::store::{DuelStanding, DuelStore, StoreError, TableRecord};
use crate::tickets::TICKET;
use cw_pages::secret::Secret;
use room::{BesideFree, Live};

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

/// What the free tables of a host have in common.
pub struct FreeHosting {
    /// What the host was made of.
    pub setting: FreeSetting,
    /// The card to draw for each card of the kit.
    pub models: Vec<Option<ModelId>>,
    /// Backs that cards can have, by their paths in the package.
    pub backs: Vec<String>,
    /// What the page is told once.
    pub kit_json: String,
    /// Entries that were played to wake tables.
    replayed: AtomicUsize,
    fingerprint: String,
}

impl std::fmt::Debug for FreeHosting {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("FreeHosting").field(&self.setting).finish()
    }
}

/// The free tables of one package.
pub type FreeHall = Hall<FreeHosting>;
/// A handle of the free tables of one package.
pub type FreeHost = Host<FreeHosting>;
/// A free table that is awake.
pub type FreeRoom = HallTable<FreeHosting>;

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

    /// Opens a table with nothing on it for so many, one of whom plays all seats if there is one only; nobody can
    /// foresee its chance.
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

    /// Finds the tables of this package that were kept: their links lead back to them, whether they go on or are over.
    /// Told are those that go on, the newest first. One on which nothing was done is forgotten, and no other. What is
    /// wrong with a table is found when somebody comes to it.
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
            let lookers: Vec<Looker> = hosting::lookers(names.len()).collect();
            if record.standing == DuelStanding::Going && found.len() < MOST_TOLD {
                let path = |looker| (looker, hall.way_of(&id, looker));
                found.push(room::invitations(lookers.iter().copied().map(path), &names));
            }
            hall.lay_asleep(&id, record, &lookers, ());
        }
        Ok(found)
    }

    /// A way to a seat that leads there once, and soon: what stands in the list of processes may be read by others.
    pub fn ticket(&self, invitation: &FreeInvitation) -> String {
        self.hall.issue(invitation.path.clone(), Some(TICKET))
    }
}

impl FreeHall {
    /// All that was ever done at a table that is awake: something goes back further than what is at hand.
    fn whole(&self, record: &TableRecord) -> Result<FreeTable, String> {
        let woken = kept::from_beginning(self.store(), &self.setting.kit, record);
        let woken = woken.map_err(|fault| fault.to_string())?;
        self.replayed.fetch_add(woken.played, Ordering::Relaxed);
        Ok(woken.table)
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
