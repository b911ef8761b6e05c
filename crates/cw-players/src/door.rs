//! The door between a duel and who plays it: what a player is given, and who gives it.
//!
//! [`SeatEyes`] and [`Guess::of`] are the only things in this crate that meet the true duel. A player
//! gets an [`Ask`], through which the truth cannot be reached (D50).

use std::ops::Deref;

use cw_duel::{Choice, Decision, Duel, DuelOutcome, DuelView, Seat};
use cw_program::ModelId;

use crate::random::mix;
use crate::values::PositionWeights;

/// Somebody who answers for a seat: a [`Level`](crate::Level), or a program of somebody's own.
pub trait Player {
    /// Answers one decision.
    fn answer(&mut self, ask: &Ask<'_>) -> PlayerAnswer;

    /// A duel begins, in which the player has this seat.
    fn begins(&mut self, _seat: Seat) {}

    /// The duel is over.
    fn ends(&mut self, _outcome: Option<DuelOutcome>) {}
}

/// What a player does when it is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayerAnswer {
    /// One of the options.
    Choice(Choice),
    /// It gives the duel up.
    GiveUp,
}

/// A question to a player, with all that it may know. A good player's answer depends on nothing else.
#[derive(Clone, Copy)]
pub struct Ask<'a> {
    /// Who is asked, about what, and every legal answer.
    pub decision: &'a Decision,
    /// What the seat sees.
    pub sight: &'a dyn Sight,
    /// Chance for the player's own use: never made from the chance that deals the cards.
    pub seed: u64,
    /// How much it may try out.
    pub budget: SearchBudget,
    /// What positions of this game are worth; the shared weights if there are none.
    pub values: Option<&'a PositionWeights>,
}

impl Ask<'_> {
    /// What the seat sees.
    pub fn view(&self) -> DuelView {
        self.sight.view()
    }

    /// A duel that looks the same to the seat, another one for each number; `None` where nothing can
    /// be said without looking.
    pub fn guess(&self, number: u64) -> Option<Guess> {
        self.sight.guess(mix(&[self.seed, number]))
    }
}

impl std::fmt::Debug for Ask<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Ask")
            .field("decision", &self.decision)
            .field("seed", &self.seed)
            .field("budget", &self.budget)
            .finish_non_exhaustive()
    }
}

/// What a seat may see of a duel.
pub trait Sight {
    /// The view.
    fn view(&self) -> DuelView;
    /// A guess at what is hidden, made from this seed.
    fn guess(&self, seed: u64) -> Option<Guess>;
}

/// How much a player may try out for one answer. It is counted, not timed: the same budget gives the
/// same answer on any machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SearchBudget {
    /// Options tried on a guess, and followed to where the player judges the table.
    pub playouts: u32,
}

impl Default for SearchBudget {
    fn default() -> SearchBudget {
        SearchBudget { playouts: 1500 }
    }
}

/// What a seat knows of the other's deck beforehand.
#[derive(Clone, Copy, Debug)]
pub enum Lists<'a> {
    /// All of it, as in a tournament with open lists: unknown cards are the true ones, dealt anew
    /// ([`Duel::sample`]).
    Open,
    /// That it is probably one of these decks: unknown cards are those of a deck that agrees with all
    /// that was seen, or any cards if none does ([`Duel::sample_from`]).
    Closed(&'a [Vec<ModelId>]),
}

/// A duel that a seat cannot tell from the true one: unknown cards are dealt anew and chance is
/// another. It can be read and tried out without giving anything away.
#[derive(Clone, Debug)]
pub struct Guess(Duel);

impl Guess {
    /// Deals what this seat does not know of `truth` anew, by this seed.
    pub fn of(truth: &Duel, seat: Seat, lists: Lists<'_>, seed: u64) -> Option<Guess> {
        let dealt = match lists {
            Lists::Open => truth.sample(seat, seed),
            Lists::Closed(lists) => truth.sample_from(seat, lists, seed),
        };
        dealt.map(Guess)
    }

    /// A copy to be played on.
    pub fn fork(&self) -> Duel {
        self.0.clone()
    }
}

impl Deref for Guess {
    type Target = Duel;

    fn deref(&self) -> &Duel {
        &self.0
    }
}

/// What the seat that is asked may see: the owner of a duel makes it, and asks a player with it.
#[derive(Clone, Copy, Debug)]
pub struct SeatEyes<'a> {
    truth: &'a Duel,
    decision: &'a Decision,
    lists: Lists<'a>,
    values: Option<&'a PositionWeights>,
}

impl<'a> SeatEyes<'a> {
    /// Of the seat whose decision is pending, with open lists; `None` if the duel is over.
    pub fn of_who_is_asked(truth: &'a Duel) -> Option<SeatEyes<'a>> {
        Some(SeatEyes {
            truth,
            decision: truth.pending()?,
            lists: Lists::Open,
            values: None,
        })
    }

    /// The same eyes, knowing this of the other's deck.
    #[must_use]
    pub fn knowing(self, lists: Lists<'a>) -> SeatEyes<'a> {
        SeatEyes { lists, ..self }
    }

    /// The same eyes, for players who judge by these weights.
    #[must_use]
    pub fn valuing(self, values: Option<&'a PositionWeights>) -> SeatEyes<'a> {
        SeatEyes { values, ..self }
    }

    /// The pending decision.
    pub fn decision(&self) -> &'a Decision {
        self.decision
    }

    /// The question, for a player with this chance of its own and the usual budget.
    pub fn ask(&self, seed: u64) -> Ask<'_> {
        Ask {
            decision: self.decision,
            sight: self,
            seed,
            budget: SearchBudget::default(),
            values: self.values,
        }
    }
}

impl Sight for SeatEyes<'_> {
    fn view(&self) -> DuelView {
        self.truth.view(self.decision.seat)
    }

    fn guess(&self, seed: u64) -> Option<Guess> {
        Guess::of(self.truth, self.decision.seat, self.lists, seed)
    }
}
