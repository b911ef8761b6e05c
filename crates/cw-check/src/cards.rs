//! What the checker asks of a package: names, types and texts of its cards.

use std::collections::BTreeSet;

use cw_program::{CardNameId, CardType, ModelId, PackageNames, SubtypeId};
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
pub struct KnownCard {
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

/// The cards of a package: the one place where rules look names up.
#[derive(Clone, Debug, Default)]
pub struct KnownCards {
    // Invariant: `by_id` holds indices of `cards`; `by_id`, `by_name` and `by_subtype` are sorted.
    cards: Vec<KnownCard>,
    by_id: Vec<(u128, usize)>,
    /// Lower-cased names with their numbers.
    by_name: Vec<(Box<str>, u16)>,
    /// Lower-cased subtypes with their numbers.
    by_subtype: Vec<(Box<str>, u16)>,
}

impl KnownCards {
    /// Takes the cards of a package, in their order; subtypes and names are numbered as they come.
    pub fn new(cards: Vec<KnownCard>) -> KnownCards {
        let subtypes: Vec<Box<str>> = distinct(cards.iter().filter_map(|card| card.subtype.as_deref()));
        let names: Vec<Box<str>> = distinct(cards.iter().map(|card| card.name.as_str()));
        KnownCards::numbered(cards, &subtypes, &names)
    }

    /// As [`KnownCards::new`], where subtypes and names have numbers already: their places in these lists.
    /// The lists may hold more than cards have, as words of back-up icons.
    pub fn numbered(cards: Vec<KnownCard>, subtypes: &[Box<str>], names: &[Box<str>]) -> KnownCards {
        let mut by_id: Vec<(u128, usize)> = cards
            .iter()
            .enumerate()
            .filter_map(|(index, card)| Some((guid(&card.id)?, index)))
            .collect();
        // The first card with an id is the one that has it.
        by_id.sort_unstable();
        by_id.dedup_by_key(|(id, _)| *id);
        KnownCards {
            cards,
            by_id,
            by_name: sorted(names),
            by_subtype: sorted(subtypes),
        }
    }

    /// All cards.
    pub fn all(&self) -> &[KnownCard] {
        &self.cards
    }

    /// The card with this id, in any of its spellings (R120).
    pub fn find(&self, id: &str) -> Option<&KnownCard> {
        self.with_id(guid(id)?)
    }

    /// The number of the card with this id.
    pub fn model_with(&self, id: u128) -> Option<ModelId> {
        self.index_of(id).map(|index| ModelId(small(index)))
    }

    pub(crate) fn with_id(&self, id: u128) -> Option<&KnownCard> {
        self.index_of(id).map(|index| &self.cards[index])
    }

    /// The card of this name, in any case, if its id can stand above a rule.
    pub(crate) fn named(&self, name: &str) -> Option<&KnownCard> {
        let name = name.trim().to_lowercase();
        let mut named = self.cards.iter().filter(|card| card.name.to_lowercase() == name);
        named.find(|card| guid(&card.id).is_some())
    }

    /// The card whose id differs from this one by a slip or two, if it can stand above a rule.
    pub(crate) fn like(&self, id: &str) -> Option<&KnownCard> {
        let id = id.to_ascii_lowercase();
        let slips = |other: &str| {
            let differ = id.bytes().zip(other.bytes()).filter(|(one, other)| one != other);
            differ.count() + id.len().abs_diff(other.len())
        };
        let near = self
            .cards
            .iter()
            .filter(|card| slips(&card.id) <= 2 && guid(&card.id).is_some());
        near.min_by_key(|card| slips(&card.id))
    }

    /// The place of the first card with this id.
    pub(crate) fn index_of(&self, id: u128) -> Option<usize> {
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

/// The words without those that are the same but for case, in order of first appearance.
fn distinct<'w>(words: impl Iterator<Item = &'w str>) -> Vec<Box<str>> {
    let mut seen = BTreeSet::new();
    let new = words.filter(|word| seen.insert(word.to_lowercase()));
    new.map(Box::from).collect()
}

/// The words in lower case with their places.
fn sorted(words: &[Box<str>]) -> Vec<(Box<str>, u16)> {
    let numbered = words.iter().enumerate();
    let mut sorted: Vec<(Box<str>, u16)> = numbered
        .map(|(at, word)| (word.to_lowercase().into(), small(at)))
        .collect();
    sorted.sort();
    sorted.dedup_by(|next, first| next.0 == first.0);
    sorted
}

fn number(words: &[(Box<str>, u16)], name: &str) -> Option<u16> {
    let found = words.binary_search_by(|(known, _)| (**known).cmp(name)).ok();
    found.map(|index| words[index].1)
}

fn in_order(words: &[(Box<str>, u16)]) -> Vec<String> {
    let mut words: Vec<&(Box<str>, u16)> = words.iter().collect();
    words.sort_by_key(|(_, number)| *number);
    words.into_iter().map(|(word, _)| word.to_string()).collect()
}

impl PackageNames for KnownCards {
    fn subtype(&self, name: &str) -> Option<SubtypeId> {
        number(&self.by_subtype, name).map(SubtypeId)
    }

    fn card_name(&self, name: &str) -> Option<CardNameId> {
        number(&self.by_name, name).map(CardNameId)
    }

    fn model(&self, id: &str) -> Option<ModelId> {
        self.model_with(guid(id)?)
    }

    fn is_complete(&self) -> bool {
        !self.cards.is_empty()
    }

    fn subtypes(&self) -> Vec<String> {
        in_order(&self.by_subtype)
    }

    fn card_names(&self) -> Vec<String> {
        in_order(&self.by_name)
    }
}
