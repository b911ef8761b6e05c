//! Playing cards and backing up (sections 4 and 6 of the game's rules).

use cw_program::{CardType, CostKind, EventName, Keyword, RuleFlag, StatementsEnding};

use smallvec::SmallVec;

use crate::base::card::{CardId, ZoneKind};
use crate::base::count::byte;
use crate::base::list::DuelObject;
use crate::base::refusal::holds;
use crate::event::{ChangeCause, DuelEvent};
use crate::game::AbilityKind;
use crate::machine::{Flow, Machine, MachineStep};
use crate::state::decision::{Choice, Question};
use crate::state::seen::Seen;
use crate::state::{AgendaTask, FramePart, Life, Marks, Register};
use crate::{Seat, SeatSet};

impl Machine<'_> {
    pub fn empty_slots(&self, seat: Seat) -> impl Iterator<Item = usize> + '_ {
        let slots = usize::from(self.game.constants.ring_slots);
        (0..slots).filter(move |at| self.s.rings[seat][*at].card == CardId::NONE)
    }

    /// The amount that playing the card adds to its player's SP (G79–G82).
    pub fn cost_of(&mut self, card: CardId, seat: Seat) -> i32 {
        let model = self.facts().model(card);
        let kind = match model.card_type {
            Some(CardType::Character) => CostKind::Character,
            Some(CardType::Action) => CostKind::Action,
            Some(CardType::Reaction) | None => CostKind::Reaction,
        };
        let printed = model.sp;
        self.modified_cost(kind, printed, Some(card), seat)
    }

    pub fn is_payable(&mut self, card: CardId, seat: Seat) -> bool {
        let amount = self.cost_of(card, seat);
        amount >= 0 || self.s.players[seat].sp.saturating_add(amount) >= 0
    }

    /// G75, G76; not a loss of SP in the sense of `lostSP` (G77).
    pub fn pay(&mut self, seat: Seat, amount: i32, cause: ChangeCause) {
        let from = self.s.players[seat].sp;
        let to = from.saturating_add(amount).max(0);
        self.s.players[seat].sp = to;
        if from != to {
            let by = self.origin();
            self.log.tell(|| DuelEvent::Sp {
                seat,
                from,
                to,
                cause,
                by,
            });
        }
    }

    /// Playing a card, step by step.
    pub fn play(&mut self, card: CardId, step: u8, slot: u8) -> MachineStep {
        let card = if step == 1 {
            self.leaving_openly(card)
        } else {
            card
        };
        let seat = self.facts().controller(card);
        let is_character = self.facts().model(card).is_character();
        let at = |step| AgendaTask::Play { card, step, slot };
        match step {
            // C1: the slot.
            0 if is_character => {
                let slot = match self.s.reply.take() {
                    Some(Choice::Slot(slot)) => Some(slot),
                    Some(_) => return Ok(self.pop()),
                    None => {
                        let mut empty = self.empty_slots(seat).map(byte);
                        match (empty.next(), empty.next()) {
                            (only, None) => only,
                            (_, Some(_)) => None,
                        }
                    }
                };
                match slot {
                    Some(slot) => *self.top() = AgendaTask::Play { card, step: 1, slot },
                    None => {
                        let empty: SmallVec<[usize; crate::MAX_SLOTS]> = self.empty_slots(seat).collect();
                        self.question(seat, Question::SlotFor(card), Some(card));
                        for slot in empty {
                            self.offer(Choice::Slot(byte(slot)));
                        }
                        self.offer_decline();
                        return Ok(Flow::Ask);
                    }
                }
            }
            0 => *self.top() = at(1),
            // Payment, then the card enters play (G66, G71, D15).
            1 => {
                let amount = self.cost_of(card, seat);
                // It is played in the open, though it still lies in the hand.
                let played = Seen::new(card, self.s.cards[card.index()].model, SeatSet::BOTH);
                self.pay(seat, amount, ChangeCause::Play(played));
                *self.top() = at(2);
                if is_character {
                    self.put_in_ring(card, seat, usize::from(slot))?;
                } else {
                    self.put_on_table(card, seat)?;
                }
                self.initialise(card, false)?;
            }
            2 => {
                *self.top() = at(3);
                if is_character {
                    self.settle_fresh(card, seat);
                    let player = &mut self.s.players[seat];
                    player.chars_played = player.chars_played.saturating_add(1);
                    self.tell_play_limit(seat, Some(card));
                } else if self.facts().is_type(card, CardType::Action) {
                    // G71: timed effects until the next action end before its effect.
                    self.expire(Life::NextAction(seat))?;
                }
            }
            3 => {
                *self.top() = at(4);
                if self.activates_on_entering(card, seat) {
                    self.begin_activation(card, seat, self.s.cards[card.index()].model)?;
                } else {
                    self.keep_instant_for_later(card);
                    return Ok(self.pop());
                }
            }
            _ => {
                self.finish_activation(card);
                return Ok(self.pop());
            }
        }
        Ok(Flow::Go)
    }

    pub fn tell_play_limit(&mut self, seat: Seat, card: Option<CardId>) {
        let player = self.s.players[seat];
        let by = self.origin();
        self.log.tell(|| DuelEvent::PlayLimit {
            seat,
            played: player.chars_played,
            limit: player.chars_per_turn,
            card: card.map(|card| self.s.seen(card)),
            by,
        });
    }

    /// Makes a character that is played fresh, unless something lets it be ready (G66, G67).
    fn settle_fresh(&mut self, card: CardId, seat: Seat) {
        // Rush stands on the card itself; what lets it be ready otherwise lies elsewhere, and is told.
        if self.facts().has_keyword(DuelObject::card(card), Keyword::Rush) {
            return;
        }
        if self.hook_allows(EventName::PlayAsFresh, None, Some(card), seat) {
            if let Some(slot) = self.s.slot_mut(card) {
                slot.marks.set(Marks::FRESH);
            }
        } else {
            self.log.tell(|| DuelEvent::NotFresh {
                card: self.s.seen(card),
            });
        }
    }

    /// R312, G68, G88: instants, actions and reactions with a program.
    fn activates_on_entering(&self, card: CardId, seat: Seat) -> bool {
        let facts = self.facts();
        let Some(program) = facts.program(card) else {
            return false;
        };
        if program.rule.actions.is_empty() && program.rule.target.is_none() {
            return false;
        }
        match facts.zone(card) {
            ZoneKind::Ring => {
                facts
                    .ability_kind(card)
                    .map_or(program.actions_are_free(), |kind| kind == AbilityKind::Instant)
                    && facts.flag(seat, RuleFlag::AbInstantAct)
            }
            ZoneKind::Table => true,
            ZoneKind::Pile(_) | ZoneKind::Backup => false,
        }
    }

    /// G100: an instant that a rule kept from acting may be tried by hand once the rule allows it.
    fn keep_instant_for_later(&mut self, card: CardId) {
        let instant = self.facts().is_instant(card);
        let acts = self
            .facts()
            .program(card)
            .is_some_and(|program| !program.rule.actions.is_empty());
        if let Some(slot) = self.s.slot_mut(card)
            && instant
            && acts
        {
            slot.marks.set(Marks::RETRY);
        }
    }

    /// Reads how the activation ended and marks the card (G101, D3, D78).
    pub fn finish_activation(&mut self, card: CardId) {
        let Register::Ended {
            ending,
            worked,
            committed,
            cleared,
            ..
        } = self.take_register()
        else {
            return;
        };
        let instant = self.facts().is_instant(card);
        let succeeded = match ending {
            StatementsEnding::Done | StatementsEnding::True => true,
            StatementsEnding::NoEffect => instant,
            StatementsEnding::Cancelled | StatementsEnding::False => false,
        };
        if matches!(ending, StatementsEnding::Cancelled) {
            self.log.tell(|| DuelEvent::Unresolved {
                card: self.s.seen(card),
                worked: worked.0,
            });
        }
        if let Some(slot) = self.s.slot_mut(card) {
            let retried = slot.marks.has(Marks::RETRY);
            slot.marks.clear(Marks::RETRY);
            if succeeded && !cleared {
                slot.marks.set(Marks::ACTIVATED);
            }
            if instant && !succeeded {
                // D3: tried once more, unless something had happened already.
                let last = committed || retried;
                slot.marks.set(if last { Marks::SPENT } else { Marks::RETRY });
            }
        }
    }

    /// A character's ability by hand (G96–G100).
    pub fn activate(&mut self, card: CardId, step: u8) -> MachineStep {
        if step == 0 {
            *self.top() = AgendaTask::Activate { card, step: 1 };
            let seat = self.facts().controller(card);
            let Some(model) = self.facts().ability_model(card) else {
                return Ok(self.pop());
            };
            self.begin_activation(card, seat, model)?;
            return Ok(Flow::Go);
        }
        self.finish_activation(card);
        Ok(self.pop())
    }

    fn begin_activation(&mut self, card: CardId, seat: Seat, model: cw_program::ModelId) -> MachineStep {
        self.log.tell(|| DuelEvent::Activated {
            card: self.s.seen(card),
            seat,
        });
        self.push_frame(card, seat, model, FramePart::Activation, 0)?;
        Ok(Flow::Go)
    }

    /// Says whether the number of back-ups this turn allows one for this character (G125.6).
    pub fn backup_limit_allows(&mut self, host: CardId, seat: Seat) -> bool {
        self.s.players[seat].backups_played < self.game.backups_per_turn_of(seat)
            || !self.facts().flag(seat, RuleFlag::BackupLimit)
            || self
                .facts()
                .has_keyword(DuelObject::card(host), Keyword::UnlimitedBackup)
            || !self.hook_allows(EventName::BackupLimit, Some(host), Some(host), seat)
    }

    /// Backing up: whom, then G126.
    pub fn back_up(&mut self, card: CardId) -> MachineStep {
        let seat = self.facts().controller(card);
        let host = match self.s.reply.take() {
            Some(Choice::Card(host)) => host,
            Some(_) => return Ok(self.pop()),
            None => {
                let mut hosts: SmallVec<[CardId; crate::MAX_SLOTS]> =
                    self.s.ring(seat).map(|slot| slot.card).collect();
                hosts.retain(|host| holds(self.backing_up_host(card, *host, seat)));
                self.question(seat, Question::BackUpWhom(card), Some(card));
                for host in hosts {
                    self.offer(Choice::Card(host));
                }
                self.offer_decline();
                return Ok(Flow::Ask);
            }
        };
        self.pop();
        let card = self.leaving_openly(card);
        self.attach(card, host, seat)?;
        let bp = self.s.ring_bp(host).saturating_add(self.game.constants.backup_bp);
        self.set_bp(host, bp, ChangeCause::BackUp(self.s.seen(card)));
        let player = &mut self.s.players[seat];
        player.backups_played = player.backups_played.saturating_add(1);
        self.push_dispatch(EventName::BackedUp, None, Some(host), seat)?;
        Ok(Flow::Go)
    }

    /// Sets BP and keeps the last positive value (G15, G159, D15, D16).
    pub fn set_bp(&mut self, card: CardId, bp: i32, cause: ChangeCause) {
        let from = self.s.ring_bp(card);
        let entry = &mut self.s.cards[card.index()];
        if bp > 0 {
            entry.bp = bp;
        } else if from > 0 {
            entry.bp = -from;
        }
        let to = bp.max(0);
        self.may_fall |= to == 0;
        if from != to {
            let by = self.origin();
            self.log.tell(|| DuelEvent::Bp {
                card: self.s.seen(card),
                from,
                to,
                cause,
                by,
            });
            self.witness();
        }
    }

    /// GQ5: only the retry of an unsuccessful own instant, and a copied one.
    pub fn instant_may_be_tried(&self, card: CardId) -> bool {
        let copied = self.facts().ability_model(card) != Some(self.s.cards[card.index()].model);
        copied || self.s.marked(card, Marks::RETRY) || self.facts().is_transformed(card)
    }
}
