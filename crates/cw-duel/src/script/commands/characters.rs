//! Commands on characters in a ring: BP, orientation, slots, attacks.

use cw_program::{Amount, Freezing, Restriction};
use smallvec::SmallVec;

use crate::base::card::CardId;
use crate::base::count::{byte, saturated};
use crate::base::list::DuelObject;
use crate::base::refusal::holds;
use crate::event::{ChangeCause, DuelEvent};
use crate::machine::{Guard, Machine};
use crate::script::commands::{Begun, Deed, PreparedEffect};
use crate::script::query::{FoundTargets, TargetQuery};
use crate::state::decision::{Choice, Question};
use crate::state::{ChangeKind, Life, Marks, StateChange};

impl Machine<'_> {
    pub fn change_bps(&mut self, how: Amount, deed: &Deed) -> Result<Begun, Guard> {
        for card in deed.cards() {
            self.tick()?;
            self.change_bp(card, how, deed.prepared.amount, deed.restriction)?;
        }
        Ok(Begun::Done)
    }

    /// Changes the BP of a character in a ring, for a time if there is a restriction (G166–G168, D26).
    pub fn change_bp(
        &mut self,
        card: CardId,
        how: Amount,
        amount: i32,
        restriction: Option<Restriction>,
    ) -> Result<(), Guard> {
        if !self.facts().in_ring(card) {
            return Ok(());
        }
        let source = self.frame().giver();
        let before = self.s.ring_bp(card);
        let after = match how {
            Amount::Add(_) => before.saturating_add(amount),
            Amount::Times(_) => before.saturating_mul(amount),
            Amount::Set(_) => round_to_hundreds(amount),
        };
        self.set_bp(card, after, ChangeCause::Effect(self.s.running_source()));
        let gained = self.s.ring_bp(card).saturating_sub(before);
        if restriction.is_some() && gained != 0 {
            let life = self.life(source, restriction, Life::WithSubject);
            let subject = DuelObject::card(card);
            self.s.changes.push(StateChange {
                kind: ChangeKind::Bp(gained),
                subject,
                source,
                named: self.name_of(source),
                life,
            })?;
        }
        Ok(())
    }

    /// Freezes the targets, or turns each from frozen to unfrozen and back (G220).
    pub fn freeze_all(&mut self, how: Freezing, deed: &Deed) -> Result<Begun, Guard> {
        for card in deed.cards() {
            self.tick()?;
            let frozen = match how {
                Freezing::Freezes => true,
                Freezing::Toggles => !self.facts().is_frozen(card),
            };
            self.set_frozen(card, frozen);
        }
        Ok(Begun::Done)
    }

    pub fn unfreeze_all(&mut self, deed: &Deed) -> Result<Begun, Guard> {
        for card in deed.cards() {
            self.tick()?;
            self.set_frozen(card, false);
        }
        Ok(Begun::Done)
    }

    /// D34: the mark of the cards of the statement's own clause, else of the source.
    pub fn clear(&mut self, deed: &Deed) -> Result<Begun, Guard> {
        let source = self.frame().present_source();
        let own_clause = self.frame().own_targets;
        let cards: SmallVec<[CardId; 16]> = if own_clause {
            deed.cards()
        } else {
            source.into_iter().collect()
        };
        for card in cards {
            if let Some(slot) = self.s.slot_mut(card) {
                slot.marks.clear(Marks::ACTIVATED);
            }
            // The mark that is about to be set as well, by whatever run: a rule that `activate` runs
            // is above the run of its caller, and an event may come in between.
            for frame in self.s.frames.iter_mut().filter(|frame| frame.source == card) {
                frame.cleared = true;
            }
        }
        Ok(Begun::Done)
    }
}

impl TargetQuery<'_> {
    /// G235, GQ15: the executor chooses; one empty slot is taken, none is no move.
    pub fn ask_slot(&mut self, targets: &[DuelObject]) -> FoundTargets<PreparedEffect> {
        let first = targets.first().and_then(|object| object.as_card());
        let Some((card, (seat, _))) = first.and_then(|card| Some((card, self.facts.s.slot_of(card)?))) else {
            return Ok(PreparedEffect::default());
        };
        let slots = self.facts.constants().ring_slots;
        let empty: SmallVec<[u8; 8]> = (0..slots)
            .filter(|at| self.facts.s.rings[seat][usize::from(*at)].card == CardId::NONE)
            .collect();
        let slot = match empty[..] {
            [] => None,
            [only] => Some(only),
            _ => {
                let options = empty.iter().map(|slot| Choice::Slot(*slot));
                Some(self.choose(Question::MoveToSlot(card), options)?)
            }
        };
        Ok(PreparedEffect {
            slot,
            ..PreparedEffect::default()
        })
    }
}

impl Machine<'_> {
    pub fn move_to_slot(&mut self, deed: &Deed) -> Result<Begun, Guard> {
        let place = deed.first_card().and_then(|card| self.s.slot_of(card));
        if let (Some((seat, at)), Some(slot)) = (place, deed.prepared.slot) {
            self.s.rings[seat].swap(at, usize::from(slot));
            let card = self.s.rings[seat][usize::from(slot)].card;
            self.log.tell(|| DuelEvent::SlotChanged {
                card: self.s.seen(card),
                slot,
            });
        }
        Ok(Begun::Done)
    }

    /// G234, GQ48: both in one ring.
    pub fn swap_chars(&mut self, deed: &Deed) -> Result<Begun, Guard> {
        let mut cards = deed.targets.iter().filter_map(|object| object.as_card());
        let (Some(a), Some(b)) = (cards.next(), cards.next()) else {
            return Ok(Begun::Done);
        };
        let (Some((seat, at)), Some((other, to))) = (self.s.slot_of(a), self.s.slot_of(b)) else {
            return Ok(Begun::Done);
        };
        if seat == other {
            self.s.rings[seat].swap(at, to);
            self.log.tell(|| DuelEvent::SlotChanged {
                card: self.s.seen(a),
                slot: byte(to),
            });
            self.log.tell(|| DuelEvent::SlotChanged {
                card: self.s.seen(b),
                slot: byte(at),
            });
        }
        Ok(Begun::Done)
    }

    /// G237: the opponent's attackers only.
    pub fn remove_from_attack(&mut self, deed: &Deed) -> Result<Begun, Guard> {
        let executor = self.frame().executor;
        for card in deed.cards() {
            self.tick()?;
            if self.facts().controller(card) != executor {
                self.cancel_attack(card);
            }
        }
        Ok(Begun::Done)
    }

    /// G236, G139, D12: the opponent's attackers are forced into one United Attack.
    pub fn unite(&mut self, deed: &Deed) -> Result<Begun, Guard> {
        let active = self.s.active;
        if self.frame().executor == active {
            return Ok(Begun::Done);
        }
        let attackers: SmallVec<[CardId; 8]> = deed
            .targets
            .iter()
            .filter_map(|object| object.as_card())
            .filter(|card| self.facts().attacks(*card) && self.facts().controller(*card) == active)
            .collect();
        let Some(anchor) = self.s.united.first().copied().or(attackers.first().copied()) else {
            return Ok(Begun::Done);
        };
        for card in attackers {
            self.tick()?;
            let full = self.s.united.len() > usize::from(self.game.constants.united_followers);
            if card == anchor
                || self.facts().in_united(card)
                || full
                || !holds(self.able_to_attack(card, true))
            {
                continue;
            }
            self.unite_with(card, anchor);
        }
        Ok(Begun::Done)
    }
}

/// G167: halves away from zero.
fn round_to_hundreds(amount: i32) -> i32 {
    let rounded = (i64::from(amount).abs() + 50) / 100 * 100 * i64::from(amount.signum());
    saturated(rounded)
}
