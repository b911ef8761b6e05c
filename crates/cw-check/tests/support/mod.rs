//! What tests of several files need: cards that a rule can be written for.

use cw_check::KnownCard;
use cw_program::CardType;

/// A character without an ability and without a text.
pub(crate) fn character(id: &str, name: &str, subtype: &str) -> KnownCard {
    KnownCard {
        id: id.to_string(),
        name: name.to_string(),
        card_type: Some(CardType::Character),
        subtype: Some(subtype.to_string()),
        ability: None,
        text: String::new(),
    }
}
