//! OCTGN packages: definition, sets, packs and decks, read with the place of everything, and all
//! that is wrong with them.
//!
//! Knows the file formats of OCTGN and how its boosters are filled; does not know RuleScript, nor
//! how any game is played. Files enter through [`PackageFiles`]; only [`Folder`] touches a file system.
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
mod blocks;
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
mod index;
mod limited;
mod limits;
mod list;
mod number;
mod odds;
mod open;
mod package;
mod pattern;
mod pool;
mod proxy;
mod query;
mod read;
mod report;
mod rewrite;
mod rewrite_set;
mod rich;
mod schema;
mod script;
mod set;
mod share;
mod shared;
mod tabletop;
mod trips;
mod version;
mod write;
mod xml;

pub use archive::{Archive, ArchiveError};
pub use booster::{Booster, BoosterItem, BoosterOption, BoosterOptions, BoosterPick, PoolEntry, pool_text};
pub use chance::PackChance;
pub use check::{CheckedPackage, check, check_after, check_deck};
pub use deck::{Deck, DeckCard, DeckSection, Sleeve};
pub use definition::{
    CardSize, Definition, FileReference, MarkerDefinition, PropertyDefinition, PropertyKind,
    SectionDefinition, SymbolDefinition, TextKind,
};
pub use export::{ExportError, Exported, export, zip_of};
pub use files::{EmbeddedFiles, FileTrouble, FilesError, MemoryFiles, PackageFiles};
pub use folder::Folder;
pub use guid::{Guid, GuidForm, NotAGuid};
pub use images::{ImagePackPicture, image_pack};
pub use index::{CardFacet, CardIndex, FacetChoice, FacetValue, QueryCompletion};
pub use limited::{Ratings, build, counted, deck_of, sealed};
pub use limits::PackageLimits;
pub use list::{ListLine, NameMatch, is_card_list};
pub use number::{NotANumber, PickQuantity, Probability};
pub use odds::{BoundedNumber, CardOdds, Distribution, Odds, TooManyCards, chance_to_draw};
pub use open::{DrawnCard, OpenedBooster, Opener};
pub use package::{CardRef, ContentHash, FoundBy, Package, ResolvedDeck, ResolvedLine, ResolvedSection};
pub use pattern::HAS_PATTERNS;
pub use pool::{IncludeRef, Pool, PoolCard};
pub use query::{Aliases, CardQuery, QueryError, SearchedForm, forms};
pub use rewrite::rewrite_deck;
pub use rewrite_set::{FormPlace, SetChange, rewrite_set};
pub use rich::{RichPiece, RichStyle, RichText};
pub use script::PackageScript;
pub use set::{
    Alternate, CardProperty, Criterion, Include, PackDefinition, PackItem, PackOption, PackOptions, PackPick,
    PackageCard, PackageSet, PropertyValue, SetMarker,
};
pub use share::{BigRational, Shares, rational, shares, to_f64};
pub use shared::{FilePlace, LocatedValue, Str};
pub use tabletop::{
    ActionDefinition, BoardDefinition, CounterDefinition, EventDefinition, ModeDefinition, NamedPath,
    PileDefinition, Tabletop,
};
pub use trips::Trips;
pub use version::Version;
pub use write::{deck_text, write_deck, write_set};
pub use xml::encoded_like;

/// The pages of the findings about packages; [`Trips`] says who refuses the mistakes.
pub static PAGES: cw_text::FindingPages =
    cw_text::FindingPages::new(include_str!("../../../docs/findings/packages.md"));
