//! What can be read off a state: nothing here changes it.

use cw_program::{CardType, ClosedWord, Keyword, ModelId, PileName, Program, RuleFlag, keyword_bit};
use smallvec::SmallVec;

use crate::Seat;
use crate::base::card::{CardId, ZoneKind};
use crate::base::list::CardList;
use crate::base::list::DuelObject;
use crate::game::{AbilityKind, CardModel, Constants, Game};
use crate::state::{ChangeKind, DuelState, LOST, Marks, ProgramFrame, RingSlot};

/// The game and a state of it.
#[derive(Clone, Copy)]
pub(crate) struct DuelFacts<'a> {
    pub game: &'a Game,
    pub s: &'a DuelState,
}

impl<'a> DuelFacts<'a> {
    pub fn constants(self) -> &'a Constants {
        &self.game.constants
    }

    #[inline]
    pub fn model(self, card: CardId) -> &'a CardModel {
        self.game.model(self.s.cards[card.index()].model)
    }

    #[inline]
    pub fn controller(self, card: CardId) -> Seat {
        self.s.cards[card.index()].controller()
    }

    #[inline]
    pub fn zone(self, card: CardId) -> ZoneKind {
        self.s.cards[card.index()].zone()
    }

    #[inline]
    pub fn in_ring(self, card: CardId) -> bool {
        self.s.cards[card.index()].is_in_ring()
    }

    /// BP: in the ring the counter, elsewhere printed; `None` for what is no character (G14).
    pub fn bp(self, card: CardId) -> Option<i32> {
        let model = self.model(card);
        if !model.is_character() {
            return None;
        }
        Some(if self.in_ring(card) {
            self.s.ring_bp(card)
        } else {
            model.bp
        })
    }

    /// Gives the most recent positive BP of a character (G15, D16).
    pub fn last_bp(self, card: CardId) -> Option<i32> {
        let model = self.model(card);
        let kept = self.s.cards[card.index()].bp;
        model.is_character().then_some(if kept == 0 {
            model.bp
        } else {
            kept.saturating_abs()
        })
    }

    /// The model whose ability the card has now; `None` if it was lost (G21).
    #[inline]
    pub fn ability_model(self, card: CardId) -> Option<ModelId> {
        match self.s.slot(card) {
            Some(slot) => (slot.ability != LOST).then_some(slot.ability),
            None => Some(self.s.cards[card.index()].model),
        }
    }

    /// The symbol of the ability it has now.
    #[inline]
    pub fn ability_kind(self, card: CardId) -> Option<AbilityKind> {
        self.game.model(self.ability_model(card)?).ability_kind()
    }

    /// Whether the ability it has now works as an instant does (D37).
    pub fn is_instant(self, card: CardId) -> bool {
        self.ability_model(card)
            .is_some_and(|model| self.game.model(model).is_instant())
    }

    /// Whether the ability it has now is that of a character.
    pub fn has_ability_of_character(self, card: CardId) -> bool {
        self.ability_model(card)
            .is_some_and(|model| self.game.model(model).is_character())
    }

    /// The program it has now.
    #[inline]
    pub fn program(self, card: CardId) -> Option<&'a Program> {
        self.game.model(self.ability_model(card)?).program.as_deref()
    }

    pub fn has_text(self, card: CardId) -> bool {
        self.ability_model(card).is_some_and(|model| {
            let model = self.game.model(model);
            !model.text.is_empty() || model.program.is_some()
        })
    }

    /// Whether the card or player has the keyword (G257, D35): printed, then every grant and
    /// suppression in order.
    #[inline]
    pub fn has_keyword(self, subject: DuelObject, keyword: Keyword) -> bool {
        let slot = subject.as_card().and_then(|card| self.s.slot(card));
        let printed = slot.is_some_and(|slot| self.prints_keyword(slot, keyword));
        if self.s.changes.is_empty() {
            return printed;
        }
        self.keeps_keyword(printed, subject, keyword)
    }

    /// All keywords of the card or player, as bits: as [`DuelFacts::has_keyword`] tells of each.
    pub fn keyword_bits(self, subject: DuelObject) -> u16 {
        let slot = subject.as_card().and_then(|card| self.s.slot(card));
        let printed = slot
            .filter(|slot| slot.ability != LOST)
            .map_or(0, |slot| self.game.model(slot.ability).keywords());
        if self.s.changes.is_empty() {
            return printed;
        }
        let all = Keyword::ALL.iter().copied();
        let has =
            all.filter(|keyword| self.keeps_keyword(printed & keyword_bit(*keyword) != 0, subject, *keyword));
        has.fold(0, |bits, keyword| bits | keyword_bit(keyword))
    }

    /// [`DuelFacts::has_keyword`] for a character whose slot is at hand.
    #[inline]
    pub fn slot_has_keyword(self, slot: &RingSlot, keyword: Keyword) -> bool {
        let printed = self.prints_keyword(slot, keyword);
        if self.s.changes.is_empty() {
            return printed;
        }
        self.keeps_keyword(printed, DuelObject::card(slot.card), keyword)
    }

    #[inline]
    fn prints_keyword(self, slot: &RingSlot, keyword: Keyword) -> bool {
        slot.ability != LOST && self.game.model(slot.ability).keywords() & keyword_bit(keyword) != 0
    }

    fn keeps_keyword(self, printed: bool, subject: DuelObject, keyword: Keyword) -> bool {
        self.s
            .changes
            .iter()
            .filter(|change| change.subject == subject)
            .fold(printed, |has, change| match change.kind {
                ChangeKind::Grant(granted) if granted == keyword => true,
                ChangeKind::Suppress(kept) if kept == keyword => false,
                ChangeKind::Grant(_)
                | ChangeKind::Suppress(_)
                | ChangeKind::Flag(..)
                | ChangeKind::BpLimit(_)
                | ChangeKind::CostAdd(..)
                | ChangeKind::CostSet(..)
                | ChangeKind::Bp(_)
                | ChangeKind::Ability(_)
                | ChangeKind::Form(_) => has,
            })
    }

    /// What changes on the player say, or where there are none those on the whole game (D25).
    fn in_force<T: 'a>(
        self,
        seat: Seat,
        read: impl Fn(ChangeKind) -> Option<T> + Copy + 'a,
    ) -> impl Iterator<Item = T> + 'a {
        let on = move |subject: DuelObject| {
            let changes = self
                .s
                .changes
                .iter()
                .filter(move |change| change.subject == subject);
            changes.filter_map(move |change| read(change.kind))
        };
        let own = DuelObject::player(seat);
        let has_own = on(own).next().is_some();
        on(if has_own { own } else { DuelObject::GAME })
    }

    /// D25: the player's own entries if there are any, else the global ones; any false wins.
    #[inline]
    pub fn flag(self, seat: Seat, flag: RuleFlag) -> bool {
        if self.s.changes.is_empty() {
            return flag.is_on_at_start();
        }
        self.changed_flag(seat, flag)
    }

    fn changed_flag(self, seat: Seat, flag: RuleFlag) -> bool {
        let mut values = self
            .in_force(seat, move |kind| match kind {
                ChangeKind::Flag(which, on) if which == flag => Some(on),
                _ => None,
            })
            .peekable();
        if values.peek().is_some() {
            values.all(|on| on)
        } else {
            flag.is_on_at_start()
        }
    }

    /// The least limit of `play_char_bp_limit` (G65.3).
    pub fn bp_limit(self, seat: Seat) -> Option<i32> {
        if self.s.changes.is_empty() {
            return None;
        }
        let limits = self.in_force(seat, |kind| match kind {
            ChangeKind::BpLimit(limit) => Some(limit),
            _ => None,
        });
        limits.min()
    }

    #[inline]
    pub fn is_frozen(self, card: CardId) -> bool {
        self.s.marked(card, Marks::FROZEN)
    }

    #[inline]
    pub fn attacks(self, card: CardId) -> bool {
        self.s.marked(card, Marks::ATTACKING)
    }

    /// Attackers of the active player with the `Attack` mark, in slot order.
    #[inline]
    pub fn leads(self) -> impl Iterator<Item = CardId> + 'a {
        self.s
            .ring(self.s.active)
            .filter(|slot| slot.marks.has(Marks::ATTACK))
            .map(|slot| slot.card)
    }

    #[inline]
    pub fn in_united(self, card: CardId) -> bool {
        self.s.united.contains(&card)
    }

    /// The opponent's character that faces a slot (G5).
    pub fn facing(self, seat: Seat, slot: usize) -> Option<CardId> {
        let slots = usize::from(self.constants().ring_slots);
        self.s.rings[seat.other()][slots - 1 - slot].card.some()
    }

    /// Free icons of a character for a subtype (G125.8).
    pub fn free_icons(self, host: CardId, subtype: cw_program::SubtypeId) -> usize {
        let icons = self
            .model(host)
            .backups
            .iter()
            .filter(|icon| **icon == subtype)
            .count();
        let attached = self
            .s
            .backups
            .iter()
            .filter(|(card, at)| *at == host && self.model(*card).subtype == Some(subtype));
        icons.saturating_sub(attached.count())
    }

    pub fn is_backed_up(self, card: CardId) -> bool {
        self.s.backups.iter().any(|(_, host)| *host == card)
    }

    /// Who controls the source of a run, or did when its identity ended (D87).
    pub fn source_controller(self, frame: &ProgramFrame) -> Seat {
        frame.lost.unwrap_or_else(|| self.controller(frame.source))
    }

    /// Whether an event-driven auto of the card is silent now (R907, G114, G115).
    pub fn is_silent(self, card: CardId) -> bool {
        if self.in_united(card) {
            return true;
        }
        self.in_ring(card) && self.s.ring_bp(card) == 0
    }

    /// Whether the card became another one (G13).
    pub fn is_transformed(self, card: CardId) -> bool {
        let object = DuelObject::card(card);
        self.s
            .changes
            .iter()
            .any(|change| change.subject == object && matches!(change.kind, ChangeKind::Form(_)))
    }

    /// The cards of a pile, top first; a hand has no order of its own and is listed by
    /// (name, id) (D29, D77).
    pub fn listed(self, seat: Seat, pile: PileName) -> CardList {
        let mut cards = CardList::from_slice(self.s.pile(seat, pile));
        if pile == PileName::Hand {
            self.sort(&mut cards);
        }
        cards
    }

    /// By (name, id), which is the order of the models; equal copies stay as they were.
    pub fn sort(self, cards: &mut [CardId]) {
        // One number a card: model, place, card.
        let mut keys: SmallVec<[u32; 64]> = (0u8..)
            .zip(cards.iter())
            .map(|(at, card)| {
                let [high, low] = self.s.cards[card.index()].model.0.to_be_bytes();
                u32::from_be_bytes([high, low, at, card.0])
            })
            .collect();
        keys.sort_unstable();
        for (card, key) in cards.iter_mut().zip(keys) {
            *card = CardId(key.to_be_bytes()[3]);
        }
    }

    pub fn is_type(self, card: CardId, card_type: CardType) -> bool {
        self.model(card).card_type == Some(card_type)
    }
}
