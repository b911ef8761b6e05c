//! The free table in the browser: any cards, under people's hands, without rules (`docs/spec/free-table.md`).
//!
//! Each seat is sent what [`cw_table::TableView`] has for it and nothing else: what changed since it was last
//! sent, by the numbers that its own view has for cards (F150, F151). A request is a line of the table's
//! notation. It is written down before it is answered, so that nothing which somebody was shown is ever lost.
//!
//! In reading order: this file says what a host of free tables is made of; `hosting` what a hall must know of
//! a free table, `kept` how one is written down, `room` what is behind its links; `hand` changes a table,
//! `act` is what a seat may ask for; `bring` reads a deck that it brings; `host` opens tables; `wire` makes a
//! view into what is sent; `signals` are what passes and is not kept; `kit` tells the page once what the
//! package has.

pub mod act;
pub mod bring;
mod hand;
mod host;
mod hosting;
pub mod kept;
pub mod kit;
pub mod room;
pub mod signals;
pub mod wire;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use cw_duel::Game;
use cw_faces::Catalogue;
use cw_octgn::{Aliases, Deck, PackageFiles};
use cw_program::ModelId;
use cw_table::{DeckList, DeckProblem, Kit, TableSeat};
use cw_text::LineIndex;

use crate::hall::{Hall, HallTable, Host};
use crate::quota::HostLimits;
use crate::store::DuelStore;
use cw_pages::secret::Secret;

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
    /// The name or address under which a network reaches the tables, beside this machine's own; an empty one
    /// is found out. Nobody else reaches them without it.
    pub reach: Option<String>,
    /// All seats are on one device, and nobody else reaches it: it is handed over, and each seat's page is
    /// covered first.
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

/// Looks a deck up; what is done about what does not fit is said (F212), with its line if the deck's `text`
/// is given.
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
