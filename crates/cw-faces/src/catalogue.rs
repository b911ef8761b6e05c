//! What a card says beyond what the rules need.

use cw_duel::Game;
use cw_load::Loaded;
use cw_program::ModelId;

/// Printed on a card and of no concern to the rules.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Printed {
    /// The letter of its rarity; empty if it has none.
    pub rarity: String,
    /// Its number in the set.
    pub number: String,
    /// The set's name.
    pub set: String,
    /// A line that means nothing to the rules.
    pub flavour: String,
}

/// What is printed on every card of a game, by model.
#[derive(Clone, Debug, Default)]
pub struct Catalogue {
    // Invariant: as long as the game's models, or empty.
    cards: Vec<Printed>,
}

impl Catalogue {
    /// Reads the properties of the package's cards. A property that the package lacks is empty.
    pub fn of(loaded: &Loaded) -> Catalogue {
        let rarity = &loaded.config.properties.rarity;
        let cards = loaded.package.cards().map(|(at, card)| {
            let text = |name: &str| card.text(name).unwrap_or("").trim().to_owned();
            let first = |names: &[&str]| {
                let mut found = names.iter().map(|name| text(name));
                found.find(|value| !value.is_empty()).unwrap_or_default()
            };
            let set = loaded.package.sets.get(at.set as usize);
            Printed {
                rarity: text(rarity).chars().take(2).collect(),
                number: first(&["Number", "Card Number", "Collector Number"]),
                set: set.map_or_else(String::new, |set| set.name.value.to_string()),
                flavour: first(&["Flavor", "Flavour", "Flavor Text"]),
            }
        });
        Catalogue {
            cards: cards.collect(),
        }
    }

    /// A catalogue that knows nothing but how many cards there are.
    pub fn blank(game: &Game) -> Catalogue {
        Catalogue {
            cards: vec![Printed::default(); game.models.len()],
        }
    }

    /// What is printed on this card.
    pub fn printed(&self, model: ModelId) -> Option<&Printed> {
        self.cards.get(usize::from(model.0))
    }
}
