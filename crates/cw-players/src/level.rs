//! The players that come with the program, by name.

use cw_duel::Choice;

use crate::door::{Ask, Player, PlayerAnswer, SearchBudget};
use crate::insight::SearchInsight;
use crate::one_step;
use crate::proof;
use crate::random::{RandomPlayer, mix};
use crate::search::{self, SearchStyle};

/// How well the computer plays. A level is a pure function of what it is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Any option, all equally likely.
    Random,
    /// The first option after which the table looks better than before: a yardstick.
    Plain,
    /// One step of look-ahead; better options are taken more often, not always.
    Novice,
    /// One step of look-ahead; the best option is taken, and attacks that are proven to win.
    Easy,
    /// A search over many guesses, a few turns ahead.
    Normal,
    /// The same with a larger budget.
    Hard,
    /// The same with the largest.
    Expert,
}

impl Level {
    /// All, the weakest first.
    pub const ALL: [Level; 7] = [
        Level::Random,
        Level::Plain,
        Level::Novice,
        Level::Easy,
        Level::Normal,
        Level::Hard,
        Level::Expert,
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
            Level::Hard => "hard",
            Level::Expert => "expert",
        }
    }

    /// The level of this name; “computer” is the usual one.
    pub fn named(name: &str) -> Option<Level> {
        match name {
            "computer" => Some(Level::BEST),
            name => Level::ALL.into_iter().find(|level| level.name() == name),
        }
    }

    /// How it plays, in a few words.
    pub fn manner(self) -> &'static str {
        match self {
            Level::Random => "takes any option, as chance has it",
            Level::Plain => "takes the first thing that looks good",
            Level::Novice => "looks one step ahead, and errs",
            Level::Easy => "looks one step ahead",
            Level::Normal => "searches a few turns ahead",
            Level::Hard => "searches longer",
            Level::Expert => "searches as long as a person waits",
        }
    }

    /// How much it tries out for an answer, if nobody says otherwise.
    pub fn budget(self) -> SearchBudget {
        let playouts = match self {
            Level::Random => 1,
            Level::Plain | Level::Novice | Level::Easy => 1500,
            Level::Normal => 200,
            Level::Hard => 1200,
            Level::Expert => 5000,
        };
        SearchBudget { playouts }
    }

    /// Returns whether an answer may take long: whether the level grows a tree of what may follow.
    pub fn searches(self) -> bool {
        self.style().is_some()
    }

    /// How it searches, if it does.
    fn style(self) -> Option<SearchStyle> {
        let normal = SearchStyle {
            pool: 64,
            lanes: 1,
            horizon: 2,
            turns: 1,
            here: 0.5,
        };
        match self {
            Level::Random | Level::Plain | Level::Novice | Level::Easy => None,
            Level::Normal => Some(normal),
            Level::Hard => Some(SearchStyle {
                pool: 128,
                turns: 2,
                here: 0.0,
                ..normal
            }),
            Level::Expert => Some(SearchStyle {
                pool: 256,
                lanes: 4,
                turns: 2,
                here: 0.25,
                ..normal
            }),
        }
    }

    /// What it thinks about the question, with all options that it looks at. The one it would choose is the
    /// first. `None` for levels that do not search, for slots, which they do not search either, and where
    /// nothing can be said without looking.
    pub fn think(self, ask: &Ask<'_>, threads: usize) -> Option<SearchInsight> {
        search::thought(ask, self.style()?, threads)
    }

    /// Its choice: always one of the options, and the same for the same question.
    pub fn choose(self, ask: &Ask<'_>) -> Choice {
        self.choose_on(ask, 1)
    }

    /// As [`Level::choose`], on up to so many threads: their number changes nothing in the choice.
    pub fn choose_on(self, ask: &Ask<'_>, threads: usize) -> Choice {
        if let [only] = ask.decision.options[..] {
            return only;
        }
        if let Some(style) = self.style() {
            return search::best(ask, style, threads);
        }
        match self {
            Level::Random => RandomPlayer::new(mix(&[ask.seed])).pick(ask.decision),
            Level::Plain => one_step::first_good(ask),
            Level::Novice => one_step::mostly_good(ask),
            Level::Easy | Level::Normal | Level::Hard | Level::Expert => {
                proof::attack(ask).unwrap_or_else(|| one_step::best(ask))
            }
        }
    }
}

impl Player for Level {
    fn answer(&mut self, ask: &Ask<'_>) -> PlayerAnswer {
        PlayerAnswer::Choice(self.choose(ask))
    }
}
