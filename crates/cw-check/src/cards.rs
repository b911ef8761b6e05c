//! What the checker asks of a package: names, types and texts of its cards.

use std::collections::BTreeMap;

use cw_program::{CardType, ModelId, NameId, Names, SubtypeId};
use cw_syntax::guid;

/// The type of an ability, which decides how it starts (D37).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AbilityType {
    /// Runs when the character enters.
    Instant,
    /// Is used by its controller.
    Triggered,
    /// Runs by itself.
    Auto,
}

/// What is known about one card.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Card {
    /// The id, 32 hexadecimal digits in lower case with dashes.
    pub id: String,
    /// The name as printed.
    pub name: String,
    /// The type, if the game knows it.
    pub card_type: Option<CardType>,
    /// The subtype as printed, if there is one.
    pub subtype: Option<String>,
    /// The ability type, if there is one.
    pub ability: Option<AbilityType>,
    /// The printed rules text, empty where there is none.
    pub text: String,
}

/// The cards of a package.
#[derive(Clone, Debug, Default)]
pub struct Cards {
    // Invariant: `by_id` and `by_name` hold indices of `cards`; `by_id` and `subtypes` are sorted.
    cards: Vec<Card>,
    by_id: Vec<(u128, usize)>,
    by_name: BTreeMap<String, usize>,
    subtypes: Vec<String>,
}

impl Cards {
    /// Takes the cards of a package, in their order.
    pub fn new(cards: Vec<Card>) -> Cards {
        let mut by_id = Vec::with_capacity(cards.len());
        let mut by_name = BTreeMap::new();
        let mut subtypes: Vec<String> = Vec::new();
        for (index, card) in cards.iter().enumerate() {
            if let Some(id) = guid(&card.id) {
                by_id.push((id, index));
            }
            by_name.entry(card.name.to_lowercase()).or_insert(index);
            subtypes.extend(card.subtype.iter().map(|subtype| subtype.to_lowercase()));
        }
        // The first card with an id is the one that has it.
        by_id.sort_unstable();
        by_id.dedup_by_key(|(id, _)| *id);
        subtypes.sort();
        subtypes.dedup();
        Cards {
            cards,
            by_id,
            by_name,
            subtypes,
        }
    }

    /// All cards.
    pub fn all(&self) -> &[Card] {
        &self.cards
    }

    /// The card with this id, in any of its spellings (R120).
    pub fn find(&self, id: &str) -> Option<&Card> {
        self.with_id(guid(id)?)
    }

    pub(crate) fn with_id(&self, id: u128) -> Option<&Card> {
        self.index_of(id).map(|index| &self.cards[index])
    }

    fn index_of(&self, id: u128) -> Option<usize> {
        // A binary search that does not branch on what it finds, since ids come in any order.
        let mut left = self.by_id.as_slice();
        while left.len() > 1 {
            let (low, high) = left.split_at(left.len() / 2);
            left = if high[0].0 <= id { high } else { low };
        }
        left.first()
            .filter(|(known, _)| *known == id)
            .map(|(_, index)| *index)
    }
}

fn small(index: usize) -> u16 {
    u16::try_from(index).unwrap_or(u16::MAX - 1)
}

impl Names for Cards {
    fn subtype(&self, name: &str) -> Option<SubtypeId> {
        let found = self
            .subtypes
            .binary_search_by(|known| known.as_str().cmp(name))
            .ok();
        found.map(|index| SubtypeId(small(index)))
    }

    fn card_name(&self, name: &str) -> Option<NameId> {
        self.by_name.get(name).map(|index| NameId(small(*index)))
    }

    fn model(&self, id: &str) -> Option<ModelId> {
        let index = self.index_of(guid(id)?)?;
        Some(ModelId(small(index)))
    }

    fn is_complete(&self) -> bool {
        !self.cards.is_empty()
    }

    fn subtypes(&self) -> Vec<String> {
        self.subtypes.clone()
    }

    fn card_names(&self) -> Vec<String> {
        self.by_name.keys().cloned().collect()
    }
}
