//! Indices that tell nothing (D50): which card leaves a hidden pile, and under which index.

use cw_program::PileName;

use crate::base::card::{CardId, ZoneKind};
use crate::base::list::{CardList, DuelObject};
use crate::base::seat::{Seat, SeatSet};
use crate::machine::{Guard, Machine};

impl Machine<'_> {
    /// Does something with each of these cards, whatever index it has by then.
    pub fn each_card(
        &mut self,
        cards: &[CardId],
        mut act: impl FnMut(&mut Self, CardId) -> Result<(), Guard>,
    ) -> Result<(), Guard> {
        let start = self.held.len();
        self.held.extend_from_slice(cards);
        let done = (start..start + cards.len()).try_for_each(|at| {
            let card = self.held[at];
            act(self, card)
        });
        self.held.truncate(start);
        done
    }

    /// The cards of a pile in random order: what they are is exchanged, not where they lie (D50).
    pub fn permute(&mut self, seat: Seat, pile: PileName) {
        let cards = CardList::from_slice(self.s.pile(seat, pile));
        let mut order = cards.clone();
        self.s.chance.shuffle(&mut order);
        if self.moves_cards {
            self.s.set_top(seat, pile, &order);
        } else {
            self.exchange(&order, &cards);
        }
        let known = match pile {
            PileName::Deck => SeatSet::NONE,
            PileName::Hand => SeatSet::only(seat),
            PileName::Discards | PileName::Removed => SeatSet::BOTH,
        };
        let all = &mut self.s.cards[..];
        for card in &cards {
            all[card.index()].set_known(known);
        }
    }

    /// The card by the index with which it leaves its pile. What everybody can follow by counting, an
    /// index may tell; which card of a hidden pile it was, it must not.
    pub fn leaving(&mut self, card: CardId, to: PileName, shown: bool) -> CardId {
        let entry = self.s.cards[card.index()];
        let owner = entry.controller();
        let public = shown || matches!(to, PileName::Discards | PileName::Removed);
        match entry.zone() {
            ZoneKind::Pile(PileName::Deck) => self.surfacing(card, owner),
            ZoneKind::Pile(PileName::Hand) if public => self.leaving_openly(card),
            ZoneKind::Pile(PileName::Hand) if to == PileName::Deck => self.leaving_secretly(card, owner),
            ZoneKind::Pile(_) | ZoneKind::Ring | ZoneKind::Backup | ZoneKind::Table => card,
        }
    }

    /// The indices of a deck stay at their places, and the topmost leaves: a card that is taken from
    /// below does not tell where it lay.
    fn surfacing(&mut self, card: CardId, seat: Seat) -> CardId {
        let at = self
            .s
            .pile(seat, PileName::Deck)
            .iter()
            .position(|other| *other == card);
        let at = at.unwrap_or(0);
        if at == 0 || self.moves_cards {
            return card;
        }
        let cards: CardList = self.s.pile_cards(seat, PileName::Deck).take(at + 1).collect();
        let mut places = cards.clone();
        places.rotate_left(1);
        self.exchange(&cards, &places);
        self.s.set_top(seat, PileName::Deck, &places);
        cards[0]
    }

    /// Of equal cards in a hand that one leaves openly which the other player knows of (G271): which
    /// of them it was, nobody can see.
    pub fn leaving_openly(&mut self, card: CardId) -> CardId {
        let entry = self.s.cards[card.index()];
        let seat = entry.controller();
        if entry.zone() != ZoneKind::Pile(PileName::Hand) || entry.known() == SeatSet::BOTH {
            return card;
        }
        let is_equal = |other: &CardId| {
            let other = self.s.cards[other.index()];
            (other.model, other.owner(), other.known()) == (entry.model, entry.owner(), SeatSet::BOTH)
        };
        let known = self.s.pile_cards(seat, PileName::Hand).find(is_equal);
        let Some(known) = known.filter(|known| !self.is_marked_out(card) && !self.is_marked_out(*known))
        else {
            return card;
        };
        self.s.carry(|other| match other {
            _ if other == card => known,
            _ if other == known => card,
            _ => other,
        });
        self.follow(&[card, known], &[known, card]);
        known
    }

    /// Whether something lasting tells the card from its copies.
    fn is_marked_out(&self, card: CardId) -> bool {
        let subject = DuelObject::card(card);
        let mut changes = self.s.changes.iter();
        changes.any(|change| change.subject == subject || change.source == card)
            || self.s.listeners.iter().any(|listener| listener.card == card)
    }

    /// A player puts a card of the own hand away unseen: the other one does not learn whether it is one
    /// of those that it knew there.
    fn leaving_secretly(&mut self, card: CardId, seat: Seat) -> CardId {
        let other = seat.other();
        let chosen_by_other = self.s.frames.last().is_some_and(|frame| frame.executor == other);
        let is_known = |held: CardId| self.s.cards[held.index()].known().contains(other);
        let knows = self.s.pile_cards(seat, PileName::Hand).any(is_known);
        if chosen_by_other || !knows {
            return card;
        }
        self.held.push(card);
        self.permute(seat, PileName::Hand);
        self.held.pop().unwrap_or(card)
    }

    /// [`State::exchange`], and what the machine remembers beside the state.
    pub fn exchange(&mut self, cards: &[CardId], places: &[CardId]) {
        self.s.exchange(cards, places);
        self.follow(cards, places);
    }

    fn follow(&mut self, cards: &[CardId], places: &[CardId]) {
        let now = |card: &mut CardId| {
            if let Some(at) = cards.iter().position(|old| old == card) {
                *card = places[at];
            }
        };
        self.held.iter_mut().for_each(now);
        if let Some(last) = &mut self.last {
            now(&mut last.source);
        }
    }
}
