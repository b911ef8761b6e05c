//! References that follow their cards (D64).
//!
//! A shuffle exchanges what the cards are, not where they lie (D50). Whatever refers to a card goes
//! on meaning that card: everything in the state that names an index is carried along here.

use cw_program::PileName;
use smallvec::SmallVec;

use crate::card::{CardId, ZoneKind};
use crate::formula::variable_objects;
use crate::list::{List, Object};
use crate::machine::{Guard, Machine};
use crate::query::Cards;
use crate::state::{Change, Dispatch, Fight, Frame, Listener, Queued, State, Task};
use crate::{Seat, Seats};

impl State {
    /// The cards now are where others of them were: card `cards[i]` gets the index `places[i]`, and
    /// all that it is with it. Both lists hold the same cards, of one pile.
    pub fn exchange(&mut self, cards: &[CardId], places: &[CardId]) {
        let entries: SmallVec<[_; 64]> = cards.iter().map(|card| self.cards[card.index()]).collect();
        for (place, entry) in places.iter().zip(entries) {
            self.cards[place.index()] = entry;
        }
        let mut new = [CardId::NONE; 256];
        for (card, place) in cards.iter().zip(places) {
            new[card.index()] = *place;
        }
        self.carry(|card| new[card.index()].some().unwrap_or(card));
    }

    /// Every reference to a card becomes one to its new index. Every field is named, so that a new
    /// one cannot be forgotten; those with `_` name no card that lies in a pile.
    fn carry(&mut self, new: impl Fn(CardId) -> CardId) {
        let State {
            cards: _,
            order: _,
            pile_len: _,
            players: _,
            rings: _,
            backups: _,
            table: _,
            united: _,
            blocks: _,
            fight:
                Fight {
                    attackers,
                    cursor: _,
                    lead: _,
                    extra: _,
                },
            turn: _,
            phase: _,
            active: _,
            first: _,
            outcome: _,
            chance: _,
            free_actions: _,
            steps: _,
            depth: _,
            reply: _, // taken before an effect begins
            register: _,
            tasks,
            frames,
            arena,
            listeners,
            serial: _,
            heard: _,
            changes,
            queue,
            decision: _, // written anew when the next question is put
        } = self;
        let card = |card: &mut CardId| *card = new(*card);
        let object = |object: &mut u8| {
            if let Some(card) = Object(*object).as_card() {
                *object = new(card).0;
            }
        };
        attackers.iter_mut().for_each(card);
        // Two names may stand for one list.
        let mut lists: SmallVec<[List; 32]> = SmallVec::new();
        let mut variables: SmallVec<[List; 4]> = SmallVec::new();
        for task in tasks.iter_mut() {
            match task {
                Task::Play { card: one, .. }
                | Task::Enter { card: one, .. }
                | Task::Activate { card: one, .. }
                | Task::BackUp { card: one }
                | Task::Join { card: one }
                | Task::Block { card: one } => card(one),
                Task::Dispatch(Dispatch { object, argument, .. }) => {
                    card(object);
                    card(argument);
                }
                Task::Effect(effect) => lists.push(effect.list),
                Task::Turn
                | Task::Phase { .. }
                | Task::Unit { .. }
                | Task::Combat { .. }
                | Task::Attacks
                | Task::Heard { .. }
                | Task::Run => {}
            }
        }
        for frame in frames.iter_mut() {
            let Frame {
                model: _,
                named: _,
                part: _,
                index: _,
                source,
                executor: _,
                stage: _,
                pc: _,
                committed: _,
                cleared: _,
                own_targets: _,
                acted: _,
                worked: _,
                done: _,
                main,
                targets,
                previous,
                discarded,
                sacrificed,
                destroyed,
                moved,
                trashed,
                vars,
                tape: _, // read no more once an effect has begun
                trigger,
                attacker,
                blocker,
                element,
                ua_bp: _,
                searched: _,
                each,
                base: _,
            } = frame;
            [source, trigger, attacker, blocker].into_iter().for_each(card);
            if let Some(Object(element)) = element {
                object(element);
            }
            lists.extend([
                *main,
                *targets,
                *previous,
                *discarded,
                *sacrificed,
                *destroyed,
                *moved,
                *trashed,
            ]);
            lists.extend(each.iter().map(|(list, _)| *list));
            variables.push(*vars);
        }
        lists.sort_unstable_by_key(|list| list.raw());
        lists.dedup();
        for list in lists {
            arena.get_mut(list).iter_mut().for_each(object);
        }
        for list in variables {
            variable_objects(arena.get_mut(list), object);
        }
        let listener = |listener: &mut Listener| card(&mut listener.card);
        listeners.iter_mut().for_each(listener);
        for change in changes.iter_mut() {
            let Change { subject, source, .. } = change;
            card(source);
            if *subject != crate::facts::WHOLE_GAME {
                object(subject);
            }
        }
        for queued in queue.iter_mut() {
            match queued {
                Queued::Changes { .. } => {}
                Queued::Heard {
                    listener: heard,
                    object,
                    ..
                } => {
                    listener(heard);
                    card(object);
                }
            }
        }
    }
}

impl State {
    /// Calls with the source of everything that runs, waits or lasts: its name is no secret (D64).
    pub fn sources_mut(&mut self, mut source: impl FnMut(&mut CardId)) {
        self.frames.iter_mut().for_each(|frame| source(&mut frame.source));
        self.listeners
            .iter_mut()
            .for_each(|listener| source(&mut listener.card));
        self.changes
            .iter_mut()
            .for_each(|change| source(&mut change.source));
        for queued in self.queue.iter_mut() {
            if let Queued::Heard { listener, .. } = queued {
                source(&mut listener.card);
            }
        }
    }
}

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
        let cards: Cards = self.s.pile_cards(seat, pile).collect();
        let mut order = cards.clone();
        self.s.chance.shuffle(&mut order);
        if self.moves_cards {
            self.s.set_top(seat, pile, &order);
        } else {
            self.exchange(&order, &cards);
        }
        let known = match pile {
            PileName::Deck => Seats::NONE,
            PileName::Hand => Seats::only(seat),
            PileName::Discards | PileName::Removed => Seats::BOTH,
        };
        for card in &cards {
            self.s.cards[card.index()].set_known(known);
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
            .position(|other| *other == card.0);
        let at = at.unwrap_or(0);
        if at == 0 || self.moves_cards {
            return card;
        }
        let cards: Cards = self.s.pile_cards(seat, PileName::Deck).take(at + 1).collect();
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
        if entry.zone() != ZoneKind::Pile(PileName::Hand) || entry.known() == Seats::BOTH {
            return card;
        }
        let is_equal = |other: &CardId| {
            let other = self.s.cards[other.index()];
            (other.model, other.owner(), other.known()) == (entry.model, entry.owner(), Seats::BOTH)
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
        let subject = Object::card(card).0;
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
