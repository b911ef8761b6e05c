//! The players that come with the program, by name.

use cw_duel::Choice;

use crate::door::{Answer, Ask, Player};
use crate::random::{Random, mix};
use crate::{one_step, search};

/// How well the computer plays. A level is a pure function of what it is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Any option, all equally likely.
    Random,
    /// The first option after which the table looks better than before: a yardstick.
    Plain,
    /// One step of look-ahead; better options are taken more often, not always.
    Novice,
    /// One step of look-ahead; the best option is taken.
    Easy,
    /// A search over many guesses, a few turns ahead.
    Normal,
}

impl Level {
    /// All, the weakest first.
    pub const ALL: [Level; 5] = [
        Level::Random,
        Level::Plain,
        Level::Novice,
        Level::Easy,
        Level::Normal,
    ];
    /// The usual one: who asks for “computer” gets it.
    pub const BEST: Level = Level::Easy;

    /// Its name on command lines and in reports.
    pub fn name(self) -> &'static str {
        match self {
            Level::Random => "random",
            Level::Plain => "plain",
            Level::Novice => "novice",
            Level::Easy => "easy",
            Level::Normal => "normal",
        }
    }

    /// The level of this name; “computer” is the usual one.
    pub fn named(name: &str) -> Option<Level> {
        match name {
            "computer" => Some(Level::BEST),
            name => Level::ALL.into_iter().find(|level| level.name() == name),
        }
    }

    /// Its choice: always one of the options, and the same for the same question.
    pub fn choose(self, ask: &Ask<'_>) -> Choice {
        if let [only] = ask.decision.options[..] {
            return only;
        }
        match self {
            Level::Random => Random::new(mix(&[ask.seed])).pick(ask.decision),
            Level::Plain => one_step::first_good(ask),
            Level::Novice => one_step::mostly_good(ask),
            Level::Easy => one_step::best(ask),
            Level::Normal => search::best(ask),
        }
    }
}

impl Player for Level {
    fn answer(&mut self, ask: &Ask<'_>) -> Answer {
        Answer::Choice(self.choose(ask))
    }
}
