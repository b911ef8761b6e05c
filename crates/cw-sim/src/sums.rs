//! What the duels of one matchup came to.

use std::collections::BTreeMap;

use cw_duel::{DuelOutcome, PerSeat, Seat, WinReason};
use cw_program::ModelId;
use cw_stats::Pairs;

use crate::plan::Matchup;
use crate::play::{Pair, Played};
use crate::results::Results;
use crate::tally::{CardCount, CardCounts, CardRow};

/// Duels and how many half points came of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Wins {
    /// How many, or how many copies of a card in how many.
    pub number: u64,
    /// Half points: 2 for a win.
    pub halves: u64,
}

impl Wins {
    fn add(&mut self, number: u64, halves: u8) {
        self.number += number;
        self.halves += number * u64::from(halves);
    }

    /// Adds others.
    pub fn join(&mut self, other: Wins) {
        self.number += other.number;
        self.halves += other.halves;
    }
}

/// What came of a card of a deck.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct CardSums {
    /// Copies in the deck.
    pub copies: u64,
    /// All its counts; the first turn is left out.
    pub counts: [i64; CardCount::ALL.len()],
    /// Copies in the opening hand.
    pub opening: Wins,
    /// Copies drawn later.
    pub drawn: Wins,
    /// Copies that were never drawn.
    pub unseen: Wins,
    /// Times it was played.
    pub played: Wins,
    /// Copies that were in the hand in the end.
    pub stuck: Wins,
    /// Duels in which a copy was drawn, and duels in which none of those was played or used otherwise.
    pub duels_seen: u64,
    /// See [`CardSums::duels_seen`].
    pub duels_idle: u64,
    /// Duels in which it was played.
    pub duels_played: u64,
    /// The deck's score in pairs with a copy in the opening hand, and in the others. The opening hand
    /// is the same in both duels of a pair, and chance alone decides it.
    pub with: Pairs,
    /// See [`CardSums::with`].
    pub without: Pairs,
}

impl CardSums {
    /// Adds what came of the same card elsewhere.
    pub fn join(&mut self, other: &CardSums) {
        for (into, from) in self.counts.iter_mut().zip(other.counts) {
            *into += from;
        }
        self.copies = self.copies.max(other.copies);
        self.opening.join(other.opening);
        self.drawn.join(other.drawn);
        self.unseen.join(other.unseen);
        self.played.join(other.played);
        self.stuck.join(other.stuck);
        self.duels_seen += other.duels_seen;
        self.duels_idle += other.duels_idle;
        self.duels_played += other.duels_played;
        join(&mut self.with, other.with);
        join(&mut self.without, other.without);
    }

    fn add(&mut self, row: &CardRow, halves: u8) {
        let count = |what: CardCount| u64::try_from(row.get(what)).unwrap_or(0);
        for (into, what) in self.counts.iter_mut().zip(CardCount::ALL) {
            if what != CardCount::FirstTurn {
                *into += i64::from(row.get(what));
            }
        }
        let (opening, drawn) = (count(CardCount::Opening), count(CardCount::Drawn));
        self.opening.add(opening, halves);
        self.drawn.add(drawn, halves);
        self.unseen
            .add(self.copies.saturating_sub(opening + drawn), halves);
        self.played.add(count(CardCount::Played), halves);
        self.stuck.add(count(CardCount::LeftInHand), halves);
        let used = count(CardCount::Played) + count(CardCount::BackedUp);
        self.duels_seen += u64::from(opening + drawn > 0);
        self.duels_idle += u64::from(opening + drawn > 0 && used == 0);
        self.duels_played += u64::from(used > 0);
    }
}

fn join(into: &mut Pairs, from: Pairs) {
    for (into, from) in into.counts.iter_mut().zip(from.counts) {
        *into += from;
    }
}

/// How things stood at the beginning of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct TurnStanding {
    /// Duels that got there.
    pub duels: u64,
    /// By how many HP the one ahead was ahead, in all.
    pub ahead: u64,
    /// By how many HP who went first was ahead, in all.
    pub first: i64,
    /// Duels in which somebody was ahead and somebody won.
    pub led: u64,
    /// Those that the one ahead won.
    pub kept: u64,
}

/// What the duels of a matchup came to. Integers only: they add up to the same in any order.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Sums {
    /// The score of the first player, or of the first deck, and what was counted besides.
    pub results: Results,
    /// The score of who went first, by pair.
    pub firsts: Pairs,
    /// Duels by how they ended: 0 HP, no card to draw, given up, drawn.
    pub endings: [u64; 4],
    /// Duels by the turn in which they ended.
    pub turns: BTreeMap<u16, u64>,
    /// By turn, from the first.
    pub standings: Vec<TurnStanding>,
    /// What came of the cards of each deck.
    pub cards: PerSeat<BTreeMap<ModelId, CardSums>>,
}

impl Sums {
    /// Of no duels between these decks.
    pub fn of(matchup: &Matchup) -> Sums {
        let mut sums = Sums::default();
        for seat in Seat::BOTH {
            for model in &matchup.decks[seat] {
                sums.cards[seat].entry(*model).or_default().copies += 1;
            }
        }
        sums
    }

    /// Adds a pair.
    pub fn add(&mut self, pair: &Pair) {
        self.results.add(pair);
        self.firsts.add(pair.quarters_of_first());
        pair.duels.iter().for_each(|duel| self.add_duel(duel));
        for seat in Seat::BOTH {
            let [one, two] = &pair.duels;
            if one.cards[seat].is_empty() {
                continue;
            }
            let quarters = one.halves(seat) + two.halves(seat);
            for (model, card) in &mut self.cards[seat] {
                let rows = &one.cards[seat];
                let opened = rows
                    .binary_search_by_key(model, |row| row.model)
                    .is_ok_and(|at| rows[at].get(CardCount::Opening) > 0);
                let into = if opened { &mut card.with } else { &mut card.without };
                into.add(quarters);
            }
        }
    }

    fn add_duel(&mut self, duel: &Played) {
        let (ending, winner) = match duel.outcome {
            DuelOutcome::Won { winner, reason } => {
                let ending = match reason {
                    WinReason::Hp => 0,
                    WinReason::DeckOut => 1,
                    WinReason::Forfeit => 2,
                };
                (ending, Some(winner))
            }
            DuelOutcome::Drawn => (3, None),
        };
        self.endings[ending] += 1;
        *self.turns.entry(duel.turns).or_default() += 1;
        if self.standings.len() < duel.leads.len() {
            self.standings.resize(duel.leads.len(), TurnStanding::default());
        }
        for (standing, lead) in self.standings.iter_mut().zip(&duel.leads) {
            let first = match duel.first {
                Seat::One => *lead,
                Seat::Two => -lead,
            };
            standing.duels += 1;
            standing.ahead += u64::from(lead.unsigned_abs());
            standing.first += i64::from(first);
            if let Some(winner) = winner.filter(|_| *lead != 0) {
                standing.led += 1;
                standing.kept += u64::from((*lead > 0) == (winner == Seat::One));
            }
        }
        for seat in Seat::BOTH {
            let halves = duel.halves(seat);
            // Of a duel in which something was noted of cards, something was noted of each deck's.
            if duel.cards[seat].is_empty() {
                continue;
            }
            let mut rows = duel.cards[seat].iter().peekable();
            for (model, card) in &mut self.cards[seat] {
                while rows.peek().is_some_and(|row| row.model < *model) {
                    rows.next();
                }
                let nothing = CardRow {
                    model: *model,
                    counts: CardCounts::default(),
                    surprise: 0,
                };
                let row = rows.peek().filter(|row| row.model == *model);
                card.add(row.unwrap_or(&&nothing), halves);
            }
        }
    }
}
