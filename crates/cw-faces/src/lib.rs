//! Card faces, drawn rather than photographed: an SVG picture made of a card's data.
//!
//! Knows models, what is printed on cards, and geometry; does not know duels, seats or servers.
//! The same card gives the same bytes everywhere.
//!
//! A [`Catalogue`] is made once for a game; it holds a plan of where each property stands, made of the
//! definition, of what the cards' values are like, and of `[face]` in `game.toml` (`plan.rs`). A face is what
//! one card says put into those places (`parts.rs`), set in an open font whose letters are drawn as outlines
//! (`font.rs`), each text fitted into its room: smaller, in more lines, narrower, and only then cut
//! (`text.rs`, `layout.rs`).
//!
//! ```
//! use cw_faces::{Catalogue, CardFace, FaceSize, face};
//!
//! let game = cw_stage::start("", "me").duel.game().clone();
//! let catalogue = Catalogue::blank(&game);
//! let rook = game.find("Rook").expect("a card of the stage");
//! let rook = CardFace {
//!     game: &game,
//!     model: rook,
//!     form: None,
//!     catalogue: &catalogue,
//!     files: None,
//!     picture: cw_load::PicturePlace::default(),
//! };
//! let picture = face(rook, FaceSize::Full).expect("there is such a card");
//! assert!(picture.starts_with("<svg"));
//! assert_eq!(face(rook, FaceSize::Full), Some(picture), "the same card gives the same bytes");
//! ```
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation))]
#![warn(clippy::disallowed_types, clippy::disallowed_methods)]

mod canvas;
mod catalogue;
mod drawing;
mod embed;
mod emblem;
mod face;
mod font;
mod illustration;
mod inks;
mod layout;
mod parts;
mod plan;
mod round;
mod sheet;
mod text;
mod token;

pub use catalogue::{Catalogue, Marker, OtherForm, Printed, Shape};
pub use embed::base64;
pub use emblem::emblem;
pub use face::{CardFace, FaceSize, back, face, size_on_paper};
pub use inks::{Inks, inks};
pub use sheet::{PaperSheet, SheetContent, sheet};
pub use token::{BUILT_IN, token};
