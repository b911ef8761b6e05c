//! OCTGN packages: definition, sets, packs and decks, read with the place of everything, and all
//! that is wrong with them.
//!
//! Knows the file formats of OCTGN and how its boosters are filled; does not know RuleScript, nor
//! how any game is played. Files enter through [`Files`]; only [`Folder`] touches a file system.
//!
//! ```
//! let files = cw_octgn::MemoryFiles::new().with("definition.xml", "<game/>");
//! let package = cw_octgn::Package::read(&files)?;
//! assert!(!package.diagnostics.is_empty(), "the game has neither id nor name");
//! # Ok::<(), cw_octgn::FilesError>(())
//! ```
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation))]
#![warn(clippy::disallowed_types, clippy::disallowed_methods)]

mod archive;
mod booster;
mod chance;
mod check;
pub mod codes;
mod deck;
mod definition;
mod export;
mod files;
mod fold;
mod folder;
mod guid;
mod images;
mod limited;
mod limits;
mod list;
mod number;
mod odds;
mod open;
mod package;
mod pages;
mod pool;
mod proxy;
mod query;
mod read;
mod report;
mod rewrite;
mod rich;
mod schema;
mod script;
mod set;
mod share;
mod shared;
mod tabletop;
mod version;
mod write;
mod xml;

pub use archive::{Archive, ArchiveError};
pub use booster::{Booster, BoosterItem, BoosterOption, BoosterOptions, BoosterPick, PoolEntry, pool_text};
pub use chance::Chance;
pub use check::{Checked, check, check_after, check_deck};
pub use deck::{Deck, DeckCard, DeckSection, Sleeve};
pub use definition::{
    CardSize, Definition, FileReference, MarkerDefinition, PropertyDefinition, PropertyKind,
    SectionDefinition, Symbol, TextKind,
};
pub use export::{ExportError, Exported, export};
pub use files::{EmbeddedFiles, FileTrouble, Files, FilesError, MemoryFiles};
pub use folder::Folder;
pub use guid::{Guid, GuidForm, NotAGuid};
pub use images::{Picture, image_pack};
pub use limited::{Draft, Ratings, build, counted, deck_of, sealed};
pub use limits::Limits;
pub use list::{ListLine, NameMatch, is_card_list};
pub use number::{NotANumber, Probability, Quantity};
pub use odds::{Bounds, CardOdds, Distribution, Odds, TooManyCards, chance_to_draw};
pub use open::{Drawn, Opened, Opener};
pub use package::{CardRef, ContentHash, FoundBy, Package, ResolvedDeck, ResolvedLine, ResolvedSection};
pub use pages::{ExampleKind, PAGES, Page, Trips, page};
pub use pool::{IncludeRef, Pool, PoolCard};
pub use query::{Aliases, Form, Query, QueryError, forms};
pub use rewrite::rewrite_deck;
pub use rich::{RichPiece, RichText, Style};
pub use script::Script;
pub use set::{
    Alternate, Card, Criterion, Include, Options, Pack, PackItem, PackOption, Pick, Property, Set, SetMarker,
    Value,
};
pub use share::{BigRational, Shares, rational, shares, to_f64};
pub use shared::{At, Place, Str};
pub use tabletop::{
    ActionDefinition, BoardDefinition, CounterDefinition, ModeDefinition, Named, PileDefinition, Tabletop,
};
pub use version::Version;
pub use write::{deck_text, write_deck, write_set};
pub use xml::encoded_like;
