//! What a player thought, in its own numbers.

use cw_duel::Choice;
use cw_program::ModelId;

/// What a search found out about a question. All of it is of the player's model of the duel, not of the
/// truth: it knows no more than its seat.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct SearchInsight {
    /// The options that were looked at, the chosen one first, then by how often they were tried.
    pub options: Vec<Weighed>,
    /// Options that were not looked at, with the reason.
    pub left_out: Vec<(Choice, LeftOut)>,
    /// The guesses on which the chosen option does worst and best, in that order, where they differ; none
    /// where it is proven to win.
    pub against: Vec<HandGuess>,
    /// Playouts in all.
    pub playouts: u32,
}

/// An option and what came of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Weighed {
    /// The option.
    pub choice: Choice,
    /// Options of the question that its player cannot tell from it: they are one to the search.
    pub alike: Vec<Choice>,
    /// Playouts that began with it.
    pub visits: u32,
    /// Whether it is proven to win in this turn, whatever the other does: on all guesses that were tried.
    pub proven: bool,
    /// The chance of winning that it leaves, 0 to 1, and the interval of 95 % that the playouts give; 1 where
    /// it is proven to win. It says nothing where there were no playouts.
    pub win: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// How good it looked before it was tried, as the share of the first playouts it is given.
    pub prior: f64,
}

/// Why an option was not looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeftOut {
    /// It comes to nothing on every guess (D68), or could only be taken back.
    ComesToNothing,
    /// It takes back what was begun.
    TakesBack,
    /// The other wins after it, by the end of its turn, whatever is done then: proven on a few guesses.
    Loses,
}

/// A guess at the other's hand, and the chance of winning with the chosen option on it.
#[derive(Clone, Debug, PartialEq)]
pub struct HandGuess {
    /// What the other holds on this guess.
    pub hand: Vec<ModelId>,
    /// The chance of winning, 0 to 1.
    pub win: f64,
}

impl SearchInsight {
    /// What was found out about an option, if it was looked at.
    pub fn of(&self, choice: Choice) -> Option<&Weighed> {
        let is_it = |weighed: &&Weighed| weighed.choice == choice || weighed.alike.contains(&choice);
        self.options.iter().find(is_it)
    }

    /// The option that leaves the best chance of winning, of those that were tried often enough to say so:
    /// at least a tenth as often as the chosen one.
    pub fn best(&self) -> Option<&Weighed> {
        let most = self.options.first()?.visits;
        let often = self.options.iter().filter(|weighed| weighed.visits * 10 >= most);
        often.reduce(|best, next| if next.win > best.win { next } else { best })
    }

    /// What a choice cost in chance of winning against the best option, 0 to 1: 0 for the option that the
    /// search would choose, and never below it. `None` if it was not tried.
    pub fn cost(&self, choice: Choice) -> Option<f64> {
        let chosen = self
            .of(choice)
            .filter(|chosen| chosen.visits > 0 || chosen.proven)?;
        let best = self.best()?;
        if chosen.choice == self.options.first()?.choice {
            return Some(0.0);
        }
        Some((best.win - chosen.win).max(0.0))
    }
}
