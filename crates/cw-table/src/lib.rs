//! The free table: cards under people's hands, without rules (`docs/spec/free-table.md`).
//!
//! Knows piles, faces, marks, seats and who has seen what; does not know any game's rules, RuleScript, files,
//! clocks, threads, JSON or screens. What a package is comes from [`cw_octgn::Package`].
//!
//! # Design
//!
//! * **The state is a value.** [`TableState`] holds all that changes, a [`Kit`] all that does not and is
//!   shared. A copy at any step goes on like the original; equal seed and equal verbs give equal states and
//!   hashes (F40).
//! * **Verbs are data.** A [`TableVerb`] is one request of a seat. It names cards by the handles of that
//!   seat's own view (F151), so a log of verbs says nothing that the seat did not know, and has one notation
//!   for the prompt, the record and `Rules/table.toml`. A verb is tried on a copy; if anything in it cannot
//!   be, the copy is thrown away and nothing has changed (F63, F206).
//! * **Knowledge is part of the state.** Who sees a card follows from where it lies, never from a list of
//!   its own (F52). Two sets a card keep what looking alone does not tell: who can still *follow* a card in a
//!   hidden pile, and who *remembers* its face there (F156). One function moves cards, `relocate`, and it
//!   alone decides what each looker can follow; one function shuffles. So nothing leaks by an omission
//!   elsewhere.
//! * **Events have audiences.** Each [`TableEvent`] is made of pieces, each piece with the [`LookerSet`] that
//!   may read it; [`TableEvent::read_by`] makes the sentence for one looker. A [`TableView`] is made for one
//!   looker and cannot hold a card that the looker does not know.
//! * **Undo is a step.** [`FreeTable`] keeps the log of accepted verbs; going back restores an earlier state,
//!   but not the position of chance, nor the log (F133, F135). Whether a step can be taken back alone follows
//!   from what changed in what people know and from whether chance was asked (F130), not from a list of
//!   verbs.
//! * **Consent is a verb that waits.** What needs others' agreement becomes a [`ConsentQuestion`] with the
//!   verb inside; the last *yes* performs it, one *no* or the host's clock ends it (D74).
//!
//! What a package's own menu entries mean is read out of its scripts without running them (F29–F36,
//! [`recognise`]) or said by the package in `Rules/table.toml` ([`Mapping`], D74).
//!
//! ```
//! use std::sync::Arc;
//! use cw_table::{Kit, TableSeat, TableSettings, FreeTable};
//!
//! let files = cw_octgn::MemoryFiles::new()
//!     .with("definition.xml", r#"<game name="Orchard"><card width="63" height="88"/></game>"#);
//! let package = Arc::new(cw_octgn::Package::read(&files)?);
//! let mut table = FreeTable::new(
//!     Arc::new(Kit::of(package)),
//!     TableSettings::for_seats(2),
//!     cw_chance::Seed::from(7),
//! );
//! let roll = table.parse(TableSeat(0), "roll 2d6+1").expect("it is a verb");
//! let events = table.act(TableSeat(0), roll).expect("anybody may roll");
//! assert!(events[0].read_by(TableSeat(1).into()).unwrap().starts_with("Seat 1 rolls 2d6+1: "));
//! # Ok::<(), cw_octgn::FilesError>(())
//! ```
#![warn(clippy::disallowed_types, clippy::disallowed_methods)]
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation))]

mod act;
mod command;
mod count;
mod deck;
mod event;
mod eyes;
mod hash;
mod invariants;
mod kept;
mod kit;
mod limits;
mod mapping;
mod menu;
mod notation;
mod pace;
mod place;
mod position;
mod read;
mod recognise;
mod record;
mod refusal;
mod script;
mod sight;
mod state;
mod table;
mod verb;
mod view;

pub use command::{COMMANDS, ChatLine};
pub use cw_history::StateHash;
pub use deck::{DeckList, DeckPart, DeckProblem};
pub use event::{LookerMessage, Piece, TableEvent};
pub use eyes::{Looker, LookerSet, TableSeat};
pub use kit::{Kit, MarkerKind, Measures, PileKind, Protection, TableModel, Visibility};
pub use limits::TableLimits;
pub use mapping::{Mapped, Mapping, MappingRule};
pub use menu::TableMenu;
pub use pace::Pace;
pub use place::{CardPlacement, TableSide, seen_from, side_of};
pub use position::{NamedTexts, PlacedCard, TablePosition};
pub use read::{MAPPING, ReadKit};
pub use recognise::{EntryMark, PackageAction, ScriptEffect, recognise};
pub use record::{FreeRecord, RecordError};
pub use refusal::VerbRefusal;
pub use script::{
    AskedMove, AskedScript, EntryRuns, FT006, FT007, FT008, FT009, MovedCard, ScriptAnswer, ScriptEvent,
    ScriptKit, ScriptQuestion, ShownCard, WaitingRun,
};
pub use state::{
    CardGroup, CardSide, Colour, ConsentQuestion, PileId, Quarter, QuestionKind, RemoteRule, Rights,
    ScriptReach, ScriptRule, SeatState, Sides, TableCard, TableCardId, TableNote, TablePile, TableSettings,
    TableState, TakeRule, Viewers,
};
pub use table::{Actor, FreeTable, PreparedVerb, TakenVerb, VerbEntry};
pub use verb::{
    ArrivalSpot, CardAt, Created, NumberChange, OF_HOST, PileEnd, PilePart, Rotation, TableVerb, Then,
    Turning, VERBS, VerbCards,
};
pub use view::{FaceView, PileCard, PileView, QuestionView, RunView, SeatView, TableCardView, TableView};

/// The pages of the findings about `Rules/table.toml`.
pub static PAGES: cw_text::FindingPages =
    cw_text::FindingPages::new(include_str!("../../../docs/findings/tables.md"));
