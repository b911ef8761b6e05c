//! The opponents of a package: for each a name, a face, a deck and a level of the computer's. They stand on a
//! ladder, the easiest first; who has beaten one may challenge the next.

use std::collections::BTreeSet;

use cw_duel::Game;
use cw_load::Loaded;
use cw_players::Level;
use cw_program::ModelId;
use cw_run::Run;
use serde::{Deserialize, Serialize};

use crate::runs;
use crate::table::SeatPlayer;

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
    /// A rule of their own, in words; empty for most.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub rule: String,
    /// Where in a run they are met; nothing outside of runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<RunPlace>,
}

/// Where in a run a duel is played, and what holds there besides the opponent's own rule.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunPlace {
    /// The seed of the run.
    pub seed: String,
    /// What the run is called.
    pub name: String,
    /// What the place is called.
    pub place: String,
    /// Which place it is, from 1, and how many there are.
    pub step: [usize; 2],
    /// What is otherwise at this place, one sentence each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub here: Vec<String>,
    /// The charms in force, each with what it does.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub charms: Vec<[String; 2]>,
}

impl RunPlace {
    /// Where the duel of a run is played that waits now.
    pub fn of(run: &Run) -> RunPlace {
        let book = run.book();
        let at = run.step().min(book.steps.len().saturating_sub(1));
        let step = &book.steps[at];
        let charms = run.charms().iter().map(|charm| {
            let charm = &book.charms[*charm];
            [charm.name.clone(), charm.about.clone()]
        });
        RunPlace {
            seed: run.seed().to_string(),
            name: book.name.clone(),
            place: step.place.clone(),
            step: [at + 1, book.steps.len()],
            here: step.twist.lines.iter().map(runs::twist_in_words).collect(),
            charms: charms.collect(),
        }
    }
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
            ..Opponent::default()
        });
        opponents.collect()
    }

    /// Who decides for them.
    pub fn who(&self) -> SeatPlayer {
        Level::named(&self.level).map_or(SeatPlayer::COMPUTER, SeatPlayer::Computer)
    }

    /// The card that shows their face.
    pub(crate) fn face(&self, game: &Game) -> Option<ModelId> {
        let at = game.models.iter().position(|model| *model.name == *self.card)?;
        u16::try_from(at).ok().map(ModelId)
    }

    /// The entry of the store that says that they were beaten.
    pub fn fact(&self, game: &Game) -> String {
        format!("beaten {}: {}", game.name, self.name)
    }
}

/// The entry of the store that says that all may be challenged.
pub fn all_open(game: &Game) -> String {
    format!("all opponents of {}", game.name)
}

/// How far somebody has come.
#[derive(Clone, Debug, Default)]
pub struct LadderProgress {
    /// By place on the ladder.
    pub(crate) beaten: Vec<bool>,
    pub(crate) all_open: bool,
}

impl LadderProgress {
    /// What these facts say of the opponents of a game.
    pub fn read(facts: &BTreeSet<String>, game: &Game, opponents: &[Opponent]) -> LadderProgress {
        LadderProgress {
            beaten: opponents
                .iter()
                .map(|opponent| facts.contains(&opponent.fact(game)))
                .collect(),
            all_open: facts.contains(&all_open(game)),
        }
    }

    /// Whether an opponent may be challenged: the first one, and whoever stands behind one that was beaten.
    pub fn is_open(&self, at: usize) -> bool {
        let beaten = |at: usize| self.beaten.get(at).copied().unwrap_or(false);
        self.all_open || at == 0 || beaten(at) || beaten(at - 1)
    }

    /// Whom to challenge next: the first one who may be and was not beaten; the last one if all were.
    pub fn next(&self) -> Option<usize> {
        let first = self.beaten.iter().position(|beaten| !beaten);
        first.or(self.beaten.len().checked_sub(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opponents() -> Vec<Opponent> {
        let named = |name: &str| Opponent {
            name: name.to_owned(),
            ..Opponent::default()
        };
        ["First", "Second", "Third"].map(named).into()
    }

    #[test]
    fn who_beats_one_may_challenge_the_next() {
        let (mut facts, game, all) = (BTreeSet::new(), Game::default(), opponents());
        let read = |facts: &BTreeSet<String>| LadderProgress::read(facts, &game, &all);
        let open = |progress: &LadderProgress| [0, 1, 2].map(|at| progress.is_open(at));
        assert_eq!(
            (open(&read(&facts)), read(&facts).next()),
            ([true, false, false], Some(0))
        );
        facts.insert(all[0].fact(&game));
        assert_eq!(
            (open(&read(&facts)), read(&facts).next()),
            ([true, true, false], Some(1))
        );
        facts.insert(all_open(&game));
        assert_eq!((open(&read(&facts)), read(&facts).next()), ([true; 3], Some(1)));
        facts.remove(&all_open(&game));
        assert_eq!(open(&read(&facts)), [true, true, false]);
        facts.extend(all.iter().map(|one| one.fact(&game)));
        assert_eq!(read(&facts).next(), Some(2), "the last one is played again");
        assert_eq!(LadderProgress::read(&facts, &game, &[]).next(), None);
    }

    /// The levels that `game.toml` may name are the computer's.
    #[test]
    fn the_names_of_levels_are_those_of_the_players() {
        assert_eq!(cw_load::LEVELS, Level::ALL.map(Level::name));
    }
}
