//! Moving cards, with everything that follows from it at once (G173, D6, D21).

use cw_program::{EventName, Keyword, PileName};
use smallvec::SmallVec;

use crate::base::card::{CardId, ZoneKind};
use crate::base::count::byte;
use crate::base::list::DuelObject;
use crate::event::{DuelEvent, ZoneLocation};
use crate::game::MAX_BACKUPS;
use crate::machine::{Guard, Machine};
use crate::state::seen::Seen;
use crate::state::{ChangeKind, LOST, Life, Marks, Queued, RingSlot, StateChange};
use crate::{Phase, Seat, SeatSet};

/// The back-ups of one character.
type Backups = SmallVec<[CardId; MAX_BACKUPS]>;

/// Who is to know what a moved card is, beyond what the zones tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MoveReveal {
    /// Nobody but those who know or see it anyway.
    Nobody,
    /// Both players (`reveal`, G269).
    Both,
}

impl Machine<'_> {
    /// Moves a card to a pile with `index` cards above it; ring, back-ups, listeners, changes and
    /// knowledge follow, events are queued.
    pub fn move_card(
        &mut self,
        card: CardId,
        seat: Seat,
        pile: PileName,
        index: usize,
        show: MoveReveal,
    ) -> Result<(), Guard> {
        let card = self.leaving(card, pile, show == MoveReveal::Both);
        let entry = self.s.cards[card.index()];
        let from = ZoneLocation {
            seat: entry.controller(),
            zone: entry.zone(),
        };
        let to = ZoneLocation {
            seat,
            zone: ZoneKind::Pile(pile),
        };
        let was_known = entry.known();
        let mut backups = Backups::new();
        let hand_before = from.zone == ZoneKind::Pile(PileName::Hand);
        // It enters: a move within one removed pile is none (D21).
        if pile == PileName::Removed && from != to {
            self.queue_heard(EventName::Removed, card, from.seat)?;
        }
        match from.zone {
            ZoneKind::Pile(_) => self.s.take_out(card),
            ZoneKind::Ring => backups = self.leave_ring(card)?,
            ZoneKind::Backup => self.s.backups.retain(|(attached, _)| *attached != card),
            ZoneKind::Table => {
                self.s.table.retain(|other| *other != card);
                self.drop_listeners(card);
            }
        }
        self.s.insert(card, seat, pile, index);
        let restored = pile != PileName::Hand && self.restore_form(card);
        if pile == PileName::Deck {
            self.forget_identity(card);
        }
        let known = match (pile, show) {
            (PileName::Discards | PileName::Removed, _) | (_, MoveReveal::Both) => SeatSet::BOTH,
            // Whoever knew it in a public zone, or saw it in the pile, goes on knowing (G271, G274).
            (PileName::Hand, MoveReveal::Nobody) => was_known.union(SeatSet::only(seat)),
            (PileName::Deck, MoveReveal::Nobody) => SeatSet::NONE,
        };
        // Revealed into a deck: everybody sees it now, nobody keeps knowing it (D6).
        let kept = if pile == PileName::Deck {
            SeatSet::NONE
        } else {
            known
        };
        self.s.cards[card.index()].set_known(kept);
        let seen_by = if is_public(from.zone) {
            SeatSet::BOTH
        } else {
            known.union(was_known)
        };
        let seen = Seen::new(card, entry.model, seen_by);
        let by = self.origin();
        self.log.tell(|| DuelEvent::Moved {
            card: seen,
            from,
            to,
            by,
        });
        if restored {
            // Who could not see the card before it was transformed does not learn it in the deck.
            let now = self.s.seen(card);
            let knows = match from.zone {
                ZoneKind::Pile(PileName::Deck) => now.to,
                ZoneKind::Pile(PileName::Hand | PileName::Discards | PileName::Removed)
                | ZoneKind::Ring
                | ZoneKind::Backup
                | ZoneKind::Table => now.to.union(SeatSet::only(from.seat)),
            };
            self.log.tell(|| DuelEvent::Transformed {
                card: seen,
                into: Seen::new(card, now.true_model(), knows),
            });
        }
        // G128, G172: the character lies below them.
        for backup in backups {
            self.discard_card(backup)?;
        }
        let same_hand = from == to;
        if hand_before && !same_hand {
            self.queue_changes(EventName::HandChanges, from.seat)?;
        }
        if pile == PileName::Hand && !same_hand {
            self.queue_changes(EventName::HandChanges, seat)?;
        }
        if from.zone == ZoneKind::Ring {
            self.queue_changes(EventName::RingChanges, from.seat)?;
        }
        Ok(())
    }

    /// To the top of its controller's discards (G172).
    pub fn discard_card(&mut self, card: CardId) -> Result<(), Guard> {
        let seat = self.facts().controller(card);
        self.move_card(card, seat, PileName::Discards, 0, MoveReveal::Nobody)
    }

    /// The resolved Action or Reaction leaves (D1).
    pub fn leave_table(&mut self, card: CardId) -> Result<(), Guard> {
        self.discard_card(card)
    }

    /// What happens to the ring when a character leaves it (O7, G173). The card is in no zone
    /// afterwards; its back-ups are to follow it.
    fn leave_ring(&mut self, card: CardId) -> Result<Backups, Guard> {
        let Some((seat, at)) = self.s.slot_of(card) else {
            return Ok(Backups::new());
        };
        self.queue_heard(EventName::LeavesRing, card, seat)?;
        let backups = self.backups_leave(card)?;
        let last = self.s.cards[card.index()].bp.saturating_abs();
        self.s.rings[seat][at] = RingSlot::EMPTY;
        self.s.cards[card.index()].bp = last;
        self.drop_listeners(card);
        self.drop_changes_of_source(card);
        self.drop_lasting_changes_on(card);
        self.s.blocks.retain(|(attacker, _)| *attacker != card);
        self.rearrange(card);
        Ok(backups)
    }

    /// All back-ups of a character go to their controller's discards (G128, GQ31).
    pub fn discard_backups(&mut self, host: CardId) -> Result<(), Guard> {
        for card in self.backups_leave(host)? {
            self.discard_card(card)?;
        }
        Ok(())
    }

    /// The back-ups of a character, in order of attaching; who hears them leave is remembered (D21).
    fn backups_leave(&mut self, host: CardId) -> Result<Backups, Guard> {
        let backups: Backups = self
            .s
            .backups
            .iter()
            .filter(|(_, at)| *at == host)
            .map(|(card, _)| *card)
            .collect();
        for card in &backups {
            let seat = self.facts().controller(*card);
            self.queue_heard(EventName::LeavesRing, *card, seat)?;
        }
        Ok(backups)
    }

    /// Puts a card in a slot of its controller's ring, with nothing on it.
    pub fn put_in_ring(&mut self, card: CardId, seat: Seat, slot: usize) -> Result<(), Guard> {
        let from = ZoneLocation {
            seat: self.facts().controller(card),
            zone: self.facts().zone(card),
        };
        self.s.take_out(card);
        let entry = &mut self.s.cards[card.index()];
        entry.set_zone(ZoneKind::Ring);
        entry.set_controller(seat);
        entry.set_known(SeatSet::BOTH);
        let model = entry.model;
        // D15: slot, then BP.
        entry.bp = self.game.model(model).bp;
        self.may_fall |= entry.bp <= 0;
        self.s.rings[seat][slot] = RingSlot {
            card,
            marks: Marks(0),
            ability: model,
        };
        let seen = Seen::new(card, model, SeatSet::BOTH);
        self.log.tell(|| DuelEvent::Played {
            card: seen,
            seat,
            slot: Some(byte(slot)),
        });
        if from.zone == ZoneKind::Pile(PileName::Hand) {
            self.queue_changes(EventName::HandChanges, from.seat)?;
        }
        self.queue_changes(EventName::RingChanges, seat)
    }

    /// Puts an Action or Reaction in play (G71).
    pub fn put_on_table(&mut self, card: CardId, seat: Seat) -> Result<(), Guard> {
        let from = ZoneLocation {
            seat: self.facts().controller(card),
            zone: self.facts().zone(card),
        };
        self.s.take_out(card);
        let entry = &mut self.s.cards[card.index()];
        entry.set_zone(ZoneKind::Table);
        entry.set_controller(seat);
        entry.set_known(SeatSet::BOTH);
        let seen = Seen::new(card, entry.model, SeatSet::BOTH);
        self.s.table.push(card)?;
        self.log.tell(|| DuelEvent::Played {
            card: seen,
            seat,
            slot: None,
        });
        if from.zone == ZoneKind::Pile(PileName::Hand) {
            self.queue_changes(EventName::HandChanges, from.seat)?;
        }
        Ok(())
    }

    /// Attaches a card to a character (G126).
    pub fn attach(&mut self, card: CardId, host: CardId, seat: Seat) -> Result<(), Guard> {
        let from = ZoneLocation {
            seat: self.facts().controller(card),
            zone: self.facts().zone(card),
        };
        self.s.take_out(card);
        let entry = &mut self.s.cards[card.index()];
        entry.set_zone(ZoneKind::Backup);
        entry.set_controller(seat);
        entry.set_known(SeatSet::BOTH);
        let seen = Seen::new(card, entry.model, SeatSet::BOTH);
        self.s.backups.push((card, host))?;
        self.log.tell(|| DuelEvent::Played {
            card: seen,
            seat,
            slot: None,
        });
        self.log.tell(|| DuelEvent::BackedUp {
            card: self.s.seen(card),
            host: self.s.seen(host),
        });
        if from.zone == ZoneKind::Pile(PileName::Hand) {
            self.queue_changes(EventName::HandChanges, from.seat)?;
        }
        Ok(())
    }

    /// Draws as many cards as there are (G39, G208).
    pub fn draw(&mut self, seat: Seat, count: usize) -> Result<usize, Guard> {
        let count = count.min(self.s.pile_count(seat, PileName::Deck));
        for _ in 0..count {
            let top = self.s.pile(seat, PileName::Deck)[0];
            let bottom = self.s.pile_count(seat, PileName::Hand);
            self.move_card(top, seat, PileName::Hand, bottom, MoveReveal::Nobody)?;
        }
        Ok(count)
    }

    /// Uniform shuffle. What the cards are is permuted, not where they lie (D50): afterwards
    /// nobody knows any position (G274). What refers to a card follows it (D64).
    pub fn shuffle(&mut self, seat: Seat, pile: PileName) {
        self.permute(seat, pile);
        self.log.tell(|| DuelEvent::Shuffled { seat, pile });
    }

    /// D6: what a card was ends when it enters a deck.
    fn forget_identity(&mut self, card: CardId) {
        self.s.cards[card.index()].bp = 0;
        let object = DuelObject::card(card);
        self.s.changes.retain(|change| change.subject != object);
        for change in self.s.changes.iter_mut().filter(|change| change.source == card) {
            change.source = CardId::NONE;
        }
        let character = self.facts().model(card).is_character();
        if character {
            self.s
                .listeners
                .retain(|listener| listener.card != card || listener.is_orphan());
            self.refresh_heard();
        }
        self.lose_listeners(card);
    }

    /// G248: in deck, discards and removed pile a transformed card is what it was. Says whether the
    /// card is one.
    fn restore_form(&mut self, card: CardId) -> bool {
        let object = DuelObject::card(card);
        let form = self.s.changes.iter().find_map(|change| match change.kind {
            ChangeKind::Form(model) if change.subject == object => Some(model),
            _ => None,
        });
        let Some(model) = form else { return false };
        self.s.cards[card.index()].model = model;
        self.s
            .changes
            .retain(|change| !(change.subject == object && matches!(change.kind, ChangeKind::Form(_))));
        true
    }

    /// Untimed changes end with their subject (R803); timed ones follow the card (G196), but not
    /// those that only make sense in the ring.
    fn drop_lasting_changes_on(&mut self, card: CardId) {
        let object = DuelObject::card(card);
        self.s.changes.retain(|change| {
            change.subject != object
                || match change.kind {
                    ChangeKind::Form(_) => true,
                    ChangeKind::Bp(_) | ChangeKind::Ability(_) => false,
                    ChangeKind::Grant(_) | ChangeKind::Suppress(_) => !matches!(
                        change.life,
                        Life::WithSource | Life::WithSubject | Life::Forever | Life::Continuous
                    ),
                    ChangeKind::Flag(..)
                    | ChangeKind::BpLimit(_)
                    | ChangeKind::CostAdd(..)
                    | ChangeKind::CostSet(..) => true,
                }
        });
    }

    /// Lasting changes end when their source leaves the ring or loses its ability (G257, R630).
    pub fn drop_changes_of_source(&mut self, source: CardId) {
        let ends = |change: &StateChange| {
            change.source == source && matches!(change.life, Life::WithSource | Life::Continuous)
        };
        let mut suppressed: SmallVec<[(DuelObject, Keyword); 2]> = SmallVec::new();
        for change in self.s.changes.iter().filter(|change| ends(change)) {
            if let ChangeKind::Suppress(keyword) = change.kind {
                suppressed.push((change.subject, keyword));
            }
        }
        self.s.changes.retain(|change| !ends(change));
        for (subject, keyword) in suppressed {
            self.keyword_arrives(subject, keyword);
        }
    }

    pub fn queue_changes(&mut self, event: EventName, seat: Seat) -> Result<(), Guard> {
        if let Some(Queued::Changes {
            event: last,
            seat: whose,
            times,
        }) = self.s.queue.last_mut()
            && (*last, *whose) == (event, seat)
        {
            *times = times.saturating_add(1);
            return Ok(());
        }
        Ok(self.s.queue.push(Queued::Changes {
            event,
            seat,
            times: 1,
        })?)
    }

    /// Freezes or unfreezes; a card that is unfrozen by an effect may be activated again (G220).
    pub fn set_frozen(&mut self, card: CardId, frozen: bool) {
        let Some(slot) = self.s.slot_mut(card) else { return };
        let was = slot.marks.has(Marks::FROZEN);
        if frozen {
            slot.marks.set(Marks::FROZEN);
        } else {
            slot.marks.clear(Marks::FROZEN);
            slot.marks.clear(Marks::ACTIVATED);
        }
        if was != frozen {
            self.log.tell(|| DuelEvent::Frozen {
                card: self.s.seen(card),
                frozen,
            });
        }
    }

    /// Whether leaving or losing an attacker rearranges the United Attack now (D12).
    pub fn rearranges(&self) -> bool {
        matches!(self.s.phase, Phase::Attack | Phase::CounterAttack)
    }

    /// The ability that a character shows now is no longer its own (G118, G119).
    pub fn set_ability(&mut self, card: CardId, model: Option<cw_program::ModelId>) {
        if let Some(slot) = self.s.slot_mut(card) {
            slot.ability = model.unwrap_or(LOST);
            self.log.tell(|| DuelEvent::Ability {
                card: self.s.seen(card),
                of: model,
            });
        }
    }
}

fn is_public(zone: ZoneKind) -> bool {
    match zone {
        ZoneKind::Pile(PileName::Hand | PileName::Deck) => false,
        ZoneKind::Pile(PileName::Discards | PileName::Removed)
        | ZoneKind::Ring
        | ZoneKind::Backup
        | ZoneKind::Table => true,
    }
}
