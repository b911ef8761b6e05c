//! Cards in spreadsheets and in other programs' files: bytes in, rows with the place of every cell out, and
//! back.
//!
//! Knows CSV, XLSX, and how Lackey, Cockatrice, MTGJSON, Tabletop Simulator and Card Game Simulator write
//! cards; how columns become properties, and what changed in a sheet, in a package, or in both. Does not know
//! files, folders, or how any game is played.
//!
//! ```
//! use cw_sheets::{SheetForm, SheetLimits, read};
//!
//! let bytes = b"Name;Cost\nRook;3\n";
//! let book = read("cards.csv", bytes, SheetForm::Delimited, &SheetLimits::default())
//!     .expect("a sound sheet");
//! assert_eq!(book.tables[0].text(0, 1), "3");
//! ```
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation))]
#![warn(clippy::disallowed_types, clippy::disallowed_methods)]

mod base;
mod cards;
mod cockatrice;
mod columns;
mod decode;
mod delimited;
mod doubts;
mod draft;
mod export;
mod forms;
mod marks;
mod merge;
mod mtgjson;
mod pictures;
mod plan;
mod rows;
mod settings;
mod simulators;
mod table;
mod xlsx;
mod xlsx_write;
mod xml;

pub use base::read_base;
pub use columns::{ColumnUse, KnownColumns, SheetColumns, columns_of, columns_with};
pub use delimited::write_delimited;
pub use doubts::left_out;
pub use draft::{DraftRequest, DraftedGame, draft_game};
pub use export::{export_cockatrice, export_lackey, export_tables};
pub use forms::{SheetForm, read};
pub use marks::{marked, unmarked};
pub use merge::{CellMerge, merge_cell};
pub use pictures::{FoundPictures, SheetPictures, find_pictures, is_picture};
pub use plan::{ImportPlan, ImportPreference, ImportRequest, PlannedPicture, plan};
pub use rows::{PackageRow, RowKey, package_rows};
pub use settings::with_columns;
pub use simulators::{SimulatorSheet, card_game_simulator, tabletop_object};
pub use table::{SheetBook, SheetFinding, SheetLimits, SheetPlace, SheetRow, SheetTable, excel_letters};
pub use xlsx_write::write_xlsx;
