//! What can be done in a run, as it is written down.

use std::fmt;
use std::str::FromStr;

/// Something that is done in a run. As text it is a letter and perhaps a number: `p3`, `f1`, `w`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RunAct {
    /// Takes the card at this place of the pack (`p`).
    Pick(usize),
    /// Goes to one of the opponents that wait (`f`).
    Fight(usize),
    /// Has won the duel (`w`).
    Won,
    /// Has not won it (`l`).
    Lost,
    /// Takes the card that is offered (`c`).
    TakeCard,
    /// Takes a card out of the deck: its place among the deck's different cards (`r`).
    Remove(usize),
    /// Takes the charm that is offered (`m`).
    TakeCharm,
    /// Ends the run (`x`).
    GiveUp,
}

/// Why something cannot be done. Nothing has changed then.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RunRefused {
    /// The run has not come to it, or has gone past it.
    #[error("that cannot be done at this point of the run")]
    NotNow,
    /// There is no such card or opponent.
    #[error("there is no such choice")]
    NoPlace,
    /// The deck is too small.
    #[error("a deck of {0} cards cannot lose one more")]
    TooSmall(usize),
    /// All charms are taken.
    #[error("no charm is offered")]
    NoCharm,
    /// No card is offered.
    #[error("no card is offered")]
    NoCard,
    /// The run is over.
    #[error("the run is over")]
    Over,
}

impl fmt::Display for RunAct {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunAct::Pick(place) => write!(f, "p{place}"),
            RunAct::Fight(place) => write!(f, "f{place}"),
            RunAct::Won => f.write_str("w"),
            RunAct::Lost => f.write_str("l"),
            RunAct::TakeCard => f.write_str("c"),
            RunAct::Remove(place) => write!(f, "r{place}"),
            RunAct::TakeCharm => f.write_str("m"),
            RunAct::GiveUp => f.write_str("x"),
        }
    }
}

/// A text is nothing that can be done in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("that is nothing that can be done in a run")]
pub struct NoRunAct;

impl FromStr for RunAct {
    type Err = NoRunAct;

    fn from_str(text: &str) -> Result<RunAct, NoRunAct> {
        match RunAct::read(text) {
            Some((act, "")) => Ok(act),
            Some(_) | None => Err(NoRunAct),
        }
    }
}

impl RunAct {
    /// The first act of a text, and what follows it.
    pub(crate) fn read(text: &str) -> Option<(RunAct, &str)> {
        let mut letters = text.chars();
        let letter = letters.next()?;
        let rest = letters.as_str();
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let (number, after) = rest.split_at(digits);
        // `p07` would be another way to write `p7`.
        let plain = number == "0" || !number.starts_with('0');
        let place = number.parse::<usize>().ok().filter(|_| plain);
        let act = match (letter, place) {
            ('p', Some(place)) => RunAct::Pick(place),
            ('f', Some(place)) => RunAct::Fight(place),
            ('r', Some(place)) => RunAct::Remove(place),
            ('w', None) => RunAct::Won,
            ('l', None) => RunAct::Lost,
            ('c', None) => RunAct::TakeCard,
            ('m', None) => RunAct::TakeCharm,
            ('x', None) => RunAct::GiveUp,
            _ => return None,
        };
        Some((act, after)).filter(|_| place.is_some() || number.is_empty())
    }
}
