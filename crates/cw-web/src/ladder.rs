//! The opponents of a package: for each a name, a face, a deck and a level of the computer's. They stand on a
//! ladder, the easiest first; who has beaten one may challenge the next.

use std::collections::BTreeSet;

use cw_duel::Game;
use cw_load::Loaded;
use cw_players::Level;
use cw_program::ModelId;
use serde::{Deserialize, Serialize};

use crate::store::{Store, StoreError};
use crate::table::Who;

/// Somebody for whom the computer plays.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opponent {
    /// What they are called.
    pub name: String,
    /// The name of the card whose illustration is their face; empty if there is none.
    pub card: String,
    /// The name of their deck.
    pub deck: String,
    /// The name of the level at which the computer plays for them.
    pub level: String,
    /// Who they are, in a few words.
    pub about: String,
    /// What they say when a duel begins, after a good blow of theirs, and at the end.
    pub lines: [String; 3],
}

impl Opponent {
    /// The opponents of a package, the easiest first.
    pub fn of(loaded: &Loaded) -> Vec<Opponent> {
        let config = &loaded.project.config;
        let first = loaded.decks.first().map_or("", |deck| &*deck.name);
        let named = |name: &Option<cw_load::Mention>| name.as_ref().map(|one| one.name.clone());
        let opponents = config.opponents.iter().map(|one| Opponent {
            name: one.name.clone(),
            card: named(&one.card).unwrap_or_default(),
            deck: named(&one.deck).unwrap_or_else(|| first.to_owned()),
            level: one.level.clone(),
            about: one.about.clone(),
            lines: one.lines.clone(),
        });
        opponents.collect()
    }

    /// Who decides for them.
    pub(crate) fn who(&self) -> Who {
        Level::named(&self.level).map_or(Who::COMPUTER, Who::Computer)
    }

    /// The card that shows their face.
    pub(crate) fn face(&self, game: &Game) -> Option<ModelId> {
        let at = game.models.iter().position(|model| *model.name == *self.card)?;
        u16::try_from(at).ok().map(ModelId)
    }

    /// The entry of the store that says that they were beaten.
    fn fact(&self, game: &Game) -> String {
        format!("beaten {}: {}", game.name, self.name)
    }
}

/// The entry of the store that says that all may be challenged.
fn all_open(game: &Game) -> String {
    format!("all opponents of {}", game.name)
}

/// Notes that somebody was beaten.
pub(crate) fn note_beaten(store: &dyn Store, game: &Game, opponent: &Opponent) -> Result<(), StoreError> {
    store.note_fact(&opponent.fact(game), true)
}

/// Opens all of them, or only those that were reached.
pub(crate) fn open_all(store: &dyn Store, game: &Game, open: bool) -> Result<(), StoreError> {
    store.note_fact(&all_open(game), open)
}

/// How far somebody has come.
#[derive(Clone, Debug, Default)]
pub(crate) struct Progress {
    /// By place on the ladder.
    pub beaten: Vec<bool>,
    pub all_open: bool,
}

impl Progress {
    /// What the store says; nobody is beaten where it cannot be read.
    pub(crate) fn read(store: &dyn Store, game: &Game, opponents: &[Opponent]) -> Progress {
        let facts: BTreeSet<String> = store.facts().unwrap_or_default();
        Progress {
            beaten: opponents
                .iter()
                .map(|opponent| facts.contains(&opponent.fact(game)))
                .collect(),
            all_open: facts.contains(&all_open(game)),
        }
    }

    /// Whether an opponent may be challenged: the first one, and whoever stands behind one that was beaten.
    pub(crate) fn is_open(&self, at: usize) -> bool {
        let beaten = |at: usize| self.beaten.get(at).copied().unwrap_or(false);
        self.all_open || at == 0 || beaten(at) || beaten(at - 1)
    }

    /// Whom to challenge next: the first one who may be and was not beaten; the last one if all were.
    pub(crate) fn next(&self) -> Option<usize> {
        let first = self.beaten.iter().position(|beaten| !beaten);
        first.or(self.beaten.len().checked_sub(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Memory;

    fn opponents() -> Vec<Opponent> {
        let named = |name: &str| Opponent {
            name: name.to_owned(),
            ..Opponent::default()
        };
        ["First", "Second", "Third"].map(named).into()
    }

    #[test]
    fn who_beats_one_may_challenge_the_next() {
        let (store, game, all) = (Memory::default(), Game::default(), opponents());
        let read = || Progress::read(&store, &game, &all);
        let open = |progress: &Progress| [0, 1, 2].map(|at| progress.is_open(at));
        assert_eq!((open(&read()), read().next()), ([true, false, false], Some(0)));
        note_beaten(&store, &game, &all[0]).unwrap();
        note_beaten(&store, &game, &all[0]).unwrap();
        assert_eq!((open(&read()), read().next()), ([true, true, false], Some(1)));
        open_all(&store, &game, true).unwrap();
        assert_eq!((open(&read()), read().next()), ([true; 3], Some(1)));
        open_all(&store, &game, false).unwrap();
        assert_eq!(open(&read()), [true, true, false]);
        for one in &all {
            note_beaten(&store, &game, one).unwrap();
        }
        assert_eq!(read().next(), Some(2), "the last one is played again");
        assert_eq!(Progress::read(&store, &game, &[]).next(), None);
    }

    /// The levels that `game.toml` may name are the computer's.
    #[test]
    fn the_names_of_levels_are_those_of_the_players() {
        assert_eq!(cw_load::LEVELS, Level::ALL.map(Level::name));
    }
}
