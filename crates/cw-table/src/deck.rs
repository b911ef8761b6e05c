use std::sync::Arc;

use cw_octgn::{Deck, FilePlace, Sleeve};

use crate::{Kit, TableModel};

/// A deck, ready to be loaded (F210).
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct DeckList {
    /// Its name.
    pub name: String,
    /// Its sections.
    pub parts: Vec<DeckPart>,
    /// What its cards are sleeved in, if others may see that (F211).
    pub sleeve: Option<String>,
}

/// A section of a deck with the pile that it fills.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DeckPart {
    /// The section's name.
    pub section: String,
    /// Part of the shared deck.
    pub shared: bool,
    /// Which of the piles it fills; none: to be chosen (F212).
    pub pile: Option<u16>,
    /// Cards with how many of each.
    pub cards: Vec<(TableModel, u32)>,
}

/// What has to be asked before a deck can be loaded (F212).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeckProblem {
    /// The section fills no pile: choose one.
    Section(String),
    /// There is no such card: a blank with this name stands in for it. With the place of its line in the
    /// deck's file.
    Card(String, FilePlace),
    /// The deck has a sleeve with a picture of its own.
    CustomSleeve(String),
}

impl DeckList {
    /// Looks a deck up, with what has to be asked.
    pub fn of(kit: &Kit, deck: &Deck) -> (DeckList, Vec<DeckProblem>) {
        let mut problems = Vec::new();
        let mut parts = Vec::new();
        for section in &deck.sections {
            let pile = kit.section(&section.name, section.shared);
            if pile.is_none() {
                problems.push(DeckProblem::Section(section.name.to_string()));
            }
            let mut cards = Vec::new();
            for line in &section.cards {
                let count = u32::try_from(line.quantity.value).unwrap_or(0);
                if count == 0 {
                    continue;
                }
                let model = kit.package.find(line).and_then(|(card, _)| kit.model_of(card));
                let model = model.unwrap_or_else(|| {
                    problems.push(DeckProblem::Card(line.name.to_string(), line.place));
                    let name = crate::state::plain(&line.name, 80, "unknown card");
                    TableModel::Blank(Arc::from(name))
                });
                cards.push((model, count));
            }
            parts.push(DeckPart {
                section: section.name.to_string(),
                shared: section.shared,
                pile: pile.and_then(|pile| u16::try_from(pile).ok()),
                cards,
            });
        }
        let sleeve = match deck.sleeve.as_ref().map(|sleeve| &sleeve.value) {
            None => None,
            Some(Sleeve::Game { name, .. }) => Some(format!("game:{name}")),
            Some(Sleeve::Octgn { name }) => Some(format!("octgn:{name}")),
            Some(Sleeve::Custom { name, .. }) => {
                problems.push(DeckProblem::CustomSleeve(name.to_string()));
                None
            }
        };
        let list = DeckList {
            name: deck.name.to_string(),
            parts,
            sleeve,
        };
        (list, problems)
    }

    /// Binds a section without a pile to one (F212).
    pub fn choose(&mut self, section: &str, pile: u16) {
        for part in self
            .parts
            .iter_mut()
            .filter(|part| part.section == section && part.pile.is_none())
        {
            part.pile = Some(pile);
        }
    }

    /// How many cards it has.
    pub fn count(&self) -> u64 {
        let cards = self.parts.iter().flat_map(|part| &part.cards);
        cards.map(|(_, count)| u64::from(*count)).sum()
    }
}
