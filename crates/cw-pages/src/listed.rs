//! Duels as the front page lists them, and the duel that it asks for.

use cw_duel::Seat;

use crate::room::ChosenDeck;
use crate::secret::Secret;
use crate::table::SeatPlayer;

/// A duel on the front page.
#[derive(Debug)]
pub struct Listed {
    /// The way to the person's seat.
    pub seat: Secret,
    /// Who plays the other seat.
    pub opponent: SeatPlayer,
    /// The name of the person there.
    pub name: Option<String>,
    /// The names of the person's deck and of the other one.
    pub decks: [String; 2],
    /// Not known without reading the whole duel, if nobody has looked at it since the program started.
    pub turn: Option<u16>,
    /// Whether it has ended.
    pub over: bool,
    /// How it ended for the person, if that is known: won, lost or drawn.
    pub won: Option<Option<bool>>,
    /// When it began, in seconds since 1970; 0 if that was not kept.
    pub begun: u64,
}

/// The duel that somebody wants.
#[derive(Debug)]
pub struct WantedDuel {
    /// Places among the package's decks: the person's and the opponent's.
    pub decks: [usize; 2],
    /// The deck that the person brings, instead of one of those.
    pub own: Option<ChosenDeck>,
    /// The deck of the opponent, instead of one of those: of the packs of the same sealed game. Both are
    /// judged by the rules of limited play then, before the duel.
    pub against: Option<ChosenDeck>,
    /// Who is to play the other seat.
    pub opponent: SeatPlayer,
    /// Who goes first; drawn if `None`.
    pub first: Option<Seat>,
}

/// An unfinished duel of this game as it was before it was changed.
#[derive(Clone, Debug)]
pub struct OutdatedDuel {
    /// How the store calls it.
    pub id: String,
    /// The names of the decks.
    pub decks: [String; 2],
    /// When it began, in seconds since 1970; 0 if that was not kept.
    pub begun: u64,
}
