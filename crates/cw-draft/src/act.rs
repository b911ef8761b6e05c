//! What can be done in a draft, as it is written down.

use std::fmt;
use std::str::FromStr;

/// Something that is done in a draft. As text it is a line: `pick 2 0 5`, `leave 2`, `return 2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DraftAct {
    /// A seat takes a card.
    Pick {
        /// Which seat, from 0.
        seat: usize,
        /// Its picks so far: whoever sends the same pick twice has made it once.
        number: usize,
        /// The card's place in the pack before the seat.
        place: usize,
    },
    /// A person is gone: a computer picks for them.
    Leave {
        /// Which seat.
        seat: usize,
    },
    /// The person is back.
    Return {
        /// Which seat.
        seat: usize,
    },
}

/// Why something cannot be done. Nothing has changed then.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DraftRefused {
    /// There is no such seat.
    #[error("there is no such seat")]
    NoSeat,
    /// All cards are taken.
    #[error("the draft is over")]
    Over,
    /// No pack lies before the seat.
    #[error("no pack has come to you yet")]
    NoPack,
    /// The seat has made this pick already, or does not come to it yet.
    #[error("that pick has been made already")]
    Stale {
        /// The pick that it comes to.
        next: usize,
    },
    /// The pack has no card at this place.
    #[error("the pack has no such card")]
    NoPlace,
    /// No person sits there.
    #[error("no person sits there")]
    NoPerson,
    /// They are not gone.
    #[error("nobody picks for this seat")]
    NotAway,
}

impl fmt::Display for DraftAct {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DraftAct::Pick { seat, number, place } => write!(f, "pick {seat} {number} {place}"),
            DraftAct::Leave { seat } => write!(f, "leave {seat}"),
            DraftAct::Return { seat } => write!(f, "return {seat}"),
        }
    }
}

impl FromStr for DraftAct {
    type Err = ();

    fn from_str(line: &str) -> Result<DraftAct, ()> {
        let (word, rest) = line.split_once(' ').ok_or(())?;
        let numbers: Result<Vec<usize>, _> = rest.split(' ').map(str::parse).collect();
        match (word, numbers.map_err(|_| ())?.as_slice()) {
            ("pick", &[seat, number, place]) => Ok(DraftAct::Pick { seat, number, place }),
            ("leave", &[seat]) => Ok(DraftAct::Leave { seat }),
            ("return", &[seat]) => Ok(DraftAct::Return { seat }),
            _ => Err(()),
        }
    }
}
