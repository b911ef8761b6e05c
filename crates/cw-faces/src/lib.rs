//! Card faces, drawn rather than photographed: an SVG picture made of a card's data.
//!
//! Knows models, what is printed on cards, and geometry; does not know duels, seats or servers.
//! The same card gives the same bytes everywhere.
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation))]
#![warn(clippy::disallowed_types, clippy::disallowed_methods)]

mod catalogue;
mod emblem;
mod face;
mod inks;
mod sheet;
mod text;
mod token;

pub use catalogue::{Catalogue, Marker, OtherForm, Printed, Shape};
pub use emblem::emblem;
pub use face::{Face, HEIGHT, Size, WIDTH, back, face, other_face};
pub use inks::{Inks, inks};
pub use sheet::{Paper, sheet};
pub use token::{BUILT_IN, token};
