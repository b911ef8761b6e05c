//! What is offered in a phase: what there is to try, and what of it the rules allow.

use cw_program::{PileName, RuleFlag};
use smallvec::SmallVec;

use crate::Seat;
use crate::base::card::CardId;
use crate::base::list::CardList;
use crate::base::refusal::holds;
use crate::machine::Machine;
use crate::state::decision::{Choice, Question};
use crate::state::{Marks, RingSlot};

/// What a card is, and who knows that.
type KnownFace = u32;

/// Numbers of so many attempts as there nearly always are.
const IN_ORDER: [u8; 64] = {
    let mut order = [0; 64];
    let mut at: u8 = 0;
    while (at as usize) < order.len() {
        order[at as usize] = at;
        at += 1;
    }
    order
};

/// How many things there are to try with a card, and with a slot: one or two.
fn ways(question: Question) -> (usize, usize) {
    match question {
        Question::Main => (2, 1),
        Question::Attack => (1, 2),
        _ => (1, 1),
    }
}

/// Which one, and in which way.
fn split(index: usize, ways: usize) -> (usize, usize) {
    let shift = ways - 1;
    (index >> shift, index & shift)
}

/// A way to play a card.
fn with_card(card: CardId, way: usize) -> Choice {
    match way {
        0 => Choice::Play(card),
        _ => Choice::BackUp(card),
    }
}

/// A thing to try with what stands in a slot, if there is one.
fn with_slot(RingSlot { card, marks, .. }: RingSlot, question: Question, way: usize) -> Option<Choice> {
    card.some()?;
    match (question, way) {
        (Question::Main, _) => Some(Choice::Activate(card)),
        (Question::Attack, 0) if marks.has(Marks::ATTACKING) => Some(Choice::CancelAttack(card)),
        (Question::Attack, 0) => Some(Choice::Attack(card)),
        (Question::Attack, _) => (!marks.has(Marks::ATTACKING)).then_some(Choice::Join(card)),
        _ if marks.has(Marks::BLOCK) => Some(Choice::CancelBlock(card)),
        _ => Some(Choice::Block(card)),
    }
}

impl Machine<'_> {
    /// The answer to the question of a phase, if it is there; otherwise the question is put.
    pub fn reply_in_phase(&mut self, seat: Seat, question: Question) -> Option<Choice> {
        if let Some(reply) = self.s.reply.take() {
            self.settled = false;
            return Some(reply);
        }
        self.settle_at_phase();
        if let Some(choice) = self.drawn_in_phase(seat, question) {
            self.settled = false;
            return Some(choice);
        }
        self.question(seat, question, None);
        if !self.unlisted {
            self.list_in_phase(seat, question);
        }
        None
    }

    /// Lists what may be answered to the question of a phase, which was put.
    pub fn list_in_phase(&mut self, seat: Seat, question: Question) {
        let (ways_with_cards, ways_with_slots) = ways(question);
        for card in self.cards_to_play(seat, question) {
            // Only characters back up (G125.2).
            let is_character = self.facts().model(card).is_character();
            for way in 0..if is_character { ways_with_cards } else { 1 } {
                self.offer_if_allowed(question, with_card(card, way));
            }
        }
        for at in 0..usize::from(self.game.constants.ring_slots) {
            for way in 0..ways_with_slots {
                if let Some(choice) = with_slot(self.s.rings[seat][at], question, way) {
                    self.offer_if_allowed(question, choice);
                }
            }
        }
        self.offer_if_allowed(question, Choice::Pass);
    }

    fn offer_if_allowed(&mut self, question: Question, choice: Choice) {
        if self.is_offered(question, choice) {
            self.offer(choice);
        }
    }

    /// One of the options, all equally likely, where chance plays: the first that is allowed of all
    /// attempts in random order. The others need not be looked at.
    fn drawn_in_phase(&mut self, seat: Seat, question: Question) -> Option<Choice> {
        self.by_chance.as_ref().filter(|chance| chance.left > 0)?;
        let (hand, removed) = self.piles_to_play_from(seat, question);
        let in_hand = if hand {
            self.s.pile_count(seat, PileName::Hand)
        } else {
            0
        };
        let in_all = in_hand
            + if removed {
                self.s.pile_count(seat, PileName::Removed)
            } else {
                0
            };
        let (ways_with_cards, ways_with_slots) = ways(question);
        let with_cards = in_all * ways_with_cards;
        let with_slots = usize::from(self.game.constants.ring_slots) * ways_with_slots;
        let mut order = IN_ORDER;
        let order = order.get_mut(..with_cards + with_slots + 1)?;
        for left in (1..=order.len()).rev() {
            let chance = self.by_chance.as_mut()?;
            let at = (chance.below)(left);
            let index = usize::from(order[at]);
            order[at] = order[left - 1];
            let choice = if index < with_cards {
                let (at, way) = split(index, ways_with_cards);
                Some(with_card(
                    match at.checked_sub(in_hand) {
                        None => self.s.pile(seat, PileName::Hand)[at],
                        Some(at) => self.s.pile(seat, PileName::Removed)[at],
                    },
                    way,
                ))
            } else if index < with_cards + with_slots {
                let (at, way) = split(index - with_cards, ways_with_slots);
                with_slot(self.s.rings[seat][at], question, way)
            } else {
                Some(Choice::Pass)
            };
            if let Some(choice) = choice
                && self.is_offered(question, choice)
                && self.is_no_copy(choice)
            {
                self.by_chance.as_mut()?.left -= 1;
                return Some(choice);
            }
        }
        None
    }

    /// The cards that may be played, where the question is about cards at all.
    fn cards_to_play(&self, seat: Seat, question: Question) -> CardList {
        let (hand, removed) = self.piles_to_play_from(seat, question);
        let mut cards = CardList::new();
        if hand {
            cards = self.playable(seat, PileName::Hand);
        }
        if removed {
            cards.extend(self.playable(seat, PileName::Removed));
        }
        cards
    }

    /// Whether cards of the hand and of the removed pile may be played.
    fn piles_to_play_from(&self, seat: Seat, question: Question) -> (bool, bool) {
        let hand = question != Question::Attack && self.may_act();
        (hand, hand && self.facts().flag(seat, RuleFlag::PlayRemoved))
    }

    /// Whether the rules allow it now.
    pub(crate) fn is_offered(&mut self, question: Question, choice: Choice) -> bool {
        match choice {
            // When it cannot be paid, cancelling is the only way on (D14).
            Choice::CancelAttack(_) => self.may_act() || !self.united_is_payable(),
            Choice::Pass => question != Question::Attack || self.united_is_payable(),
            _ if !self.may_act() => false,
            Choice::Play(card) => holds(self.playing(card)),
            Choice::BackUp(card) => holds(self.backing_up(card, None)),
            Choice::Activate(card) => holds(self.activating(card)),
            Choice::Attack(card) => holds(self.attacking(card)),
            Choice::Join(card) => holds(self.joining(card, None)),
            Choice::Block(card) => holds(self.blocking(card, None)),
            _ => true,
        }
    }

    /// The cards of a pile as they are offered to its player (D29): of equal ones that are equally
    /// well known the first.
    pub(crate) fn playable(&self, seat: Seat, pile: PileName) -> CardList {
        if pile != PileName::Hand {
            let mut cards = self.facts().listed(seat, pile);
            cards.retain(|card| self.is_first_of_equals(*card));
            return cards;
        }
        // One number a card: what it is, its place, who knows it, which one. A hand is listed by what
        // its cards are, so that equal ones stand together.
        let mut keys: SmallVec<[u64; 32]> = SmallVec::new();
        for (place, card) in (0u64..).zip(self.s.pile(seat, pile)) {
            let entry = self.s.cards[card.index()];
            let [model, known] = [u64::from(entry.model.0), u64::from(entry.known().0)];
            keys.push(model << 24 | place << 16 | known << 8 | u64::from(card.0));
        }
        keys.sort_unstable();
        let mut cards = CardList::new();
        for (at, key) in keys.iter().enumerate() {
            let mut same = keys[..at]
                .iter()
                .rev()
                .take_while(|other| **other >> 24 == key >> 24);
            let card = |key: u64| CardId(key.to_le_bytes()[0]);
            let is_own = |key: u64| self.facts().is_transformed(card(key));
            let is_equal = |other: &u64| (other ^ key) & 0xFF00 == 0 && !is_own(*other);
            // Copies are rare: what changes have made of a card is looked up only for them.
            if !same.any(is_equal) || is_own(*key) {
                cards.push(card(*key));
            }
        }
        cards
    }

    /// By which the cards of a pile can be told apart, in one number; but for what lies beneath them.
    fn face(&self, card: CardId) -> KnownFace {
        let entry = self.s.cards[card.index()];
        u32::from(entry.model.0) << 8 | u32::from(entry.known().0)
    }

    /// Whether it is not about another one of equal cards than the one that is offered.
    fn is_no_copy(&self, choice: Choice) -> bool {
        match choice {
            Choice::Play(card) | Choice::BackUp(card) => self.is_first_of_equals(card),
            _ => true,
        }
    }

    /// Of equal cards in a pile the topmost is offered (D29): whether it is that one.
    pub(crate) fn is_first_of_equals(&self, card: CardId) -> bool {
        let Some((seat, pile)) = self.pile_of(card) else {
            return true;
        };
        let face = self.face(card);
        let mut cards = self.s.pile_cards(seat, pile);
        // What lies beneath a transformed card may be nobody's to know: it is equal to none.
        let is_own = |card: CardId| self.facts().is_transformed(card);
        let first = cards.find(|other| *other == card || (self.face(*other) == face && !is_own(*other)));
        first == Some(card) || is_own(card)
    }
}
