//! What everything else is made of: seats, phases, cards, lists and places.

pub(crate) mod bounded;
pub(crate) mod card;
pub(crate) mod cost;
pub(crate) mod count;
pub(crate) mod list;
pub(crate) mod phase;
pub(crate) mod place;
pub(crate) mod refusal;
pub(crate) mod seat;
pub(crate) mod table;
