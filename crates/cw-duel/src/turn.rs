//! The turn: its phases, playing cards, attacks and combat.

pub(crate) mod fight;
pub(crate) mod phases;
pub(crate) mod play;
