//! Attacks, counter-attacks and combat (sections 7 to 10 of the game's rules).

use cw_program::{CostKind, EventName, Keyword, RuleFlag};
use smallvec::SmallVec;

use crate::Seat;
use crate::base::card::CardId;
use crate::base::count::byte;
use crate::base::list::DuelObject;
use crate::base::refusal::holds;
use crate::event::{ChangeCause, DuelEvent};
use crate::machine::{Flow, Machine, MachineStep};
use crate::state::decision::{Choice, Question};
use crate::state::{AgendaTask, Doing, DuelOutcome, HookAnswer, Marks, Register, WinReason};

impl Machine<'_> {
    pub fn declare_attack(&mut self, card: CardId) {
        if let Some(slot) = self.s.slot_mut(card) {
            slot.marks.set(Marks::ATTACK);
            self.log.tell(|| DuelEvent::AttackDeclared {
                card: self.s.seen(card),
            });
        }
    }

    /// What a United Attack with so many followers adds to the active player's SP (G133.9, G137).
    fn united_cost(&mut self, followers: u8) -> i32 {
        let kind = if followers <= 1 {
            CostKind::Ua2
        } else {
            CostKind::Ua3
        };
        let base = self.game.constants.united_sp.saturating_mul(i32::from(followers));
        self.modified_cost(kind, base, None, self.s.active)
    }

    pub fn can_pay_united(&mut self, followers: u8) -> bool {
        let cost = self.united_cost(followers);
        self.s.players[self.s.active].sp.saturating_add(cost) >= 0
    }

    /// GQ14: whether the phase may be left.
    pub fn united_is_payable(&mut self) -> bool {
        match self.s.united.len() {
            0 => true,
            members => self.can_pay_united(byte(members - 1)),
        }
    }

    /// G137: once, at the start of the Counter-attack phase.
    pub fn pay_united(&mut self) {
        if let Some(followers) = byte(self.s.united.len()).checked_sub(1) {
            let cost = self.united_cost(followers);
            self.pay(self.s.active, cost, ChangeCause::UnitedAttack);
        }
    }

    /// Joining: whom (C4), then G134.
    pub fn join(&mut self, card: CardId) -> MachineStep {
        let lead = match self.s.reply.take() {
            Some(Choice::Card(lead)) => lead,
            Some(_) => return Ok(self.pop()),
            None => match self.s.united.first() {
                Some(lead) => *lead, // G133.7: only one per turn
                None => {
                    let leads: smallvec::SmallVec<[CardId; 8]> = self.facts().leads().collect();
                    if let [only] = leads[..] {
                        only
                    } else {
                        self.question(self.s.active, Question::JoinWhom(card), Some(card));
                        for lead in leads {
                            self.offer(Choice::Card(lead));
                        }
                        self.offer_decline();
                        return Ok(Flow::Ask);
                    }
                }
            },
        };
        self.pop();
        self.unite_with(card, lead);
        Ok(Flow::Go)
    }

    /// Makes a character join the attack of another one, the lead (G134).
    pub fn unite_with(&mut self, card: CardId, lead: CardId) {
        const ROOM: &str = "followers are limited below the table's size";
        if self.s.united.is_empty() {
            self.s.united.push(lead).expect(ROOM);
        }
        self.s.united.push(card).expect(ROOM);
        if let Some(slot) = self.s.slot_mut(card) {
            slot.marks.clear(Marks::ATTACK);
            slot.marks.set(Marks::FOLLOWER);
        }
        // `unfreezable` protects solo attackers only (D12).
        for member in [lead, card] {
            if let Some(slot) = self.s.slot_mut(member) {
                slot.marks.clear(Marks::UNFREEZABLE);
            }
        }
        self.log.tell(|| DuelEvent::Joined {
            card: self.s.seen(card),
            lead: self.s.seen(lead),
        });
    }

    /// Cancels the attack of a character (G140).
    pub fn cancel_attack(&mut self, card: CardId) {
        let Some(slot) = self.s.slot_mut(card) else { return };
        if !slot.marks.has(Marks::ATTACKING) {
            return;
        }
        slot.marks.clear(Marks::ATTACKING);
        slot.marks.clear(Marks::UNFREEZABLE);
        slot.marks.clear(Marks::ACTIVATED);
        let by = self.origin();
        self.log.tell(|| DuelEvent::AttackCancelled {
            card: self.s.seen(card),
            by,
        });
        self.rearrange(card);
    }

    /// G141, D12: after a member stopped attacking or left.
    pub fn rearrange(&mut self, card: CardId) {
        if !self.rearranges() || !self.s.united.contains(&card) {
            return;
        }
        let was_lead = self.s.is_lead(card);
        self.s.united.retain(|member| *member != card);
        if !was_lead && self.s.united.len() > 1 {
            return;
        }
        let members: smallvec::SmallVec<[CardId; 8]> = self.s.united.iter().copied().collect();
        self.s.united.clear();
        for member in members {
            let may = holds(self.able_to_attack(member, false));
            let Some(slot) = self.s.slot_mut(member) else {
                continue;
            };
            slot.marks.clear(Marks::ATTACKING);
            if may {
                slot.marks.set(Marks::ATTACK);
                self.log.tell(|| DuelEvent::AttackDeclared {
                    card: self.s.seen(member),
                });
            } else {
                let by = self.origin();
                self.log.tell(|| DuelEvent::AttackCancelled {
                    card: self.s.seen(member),
                    by,
                });
            }
        }
    }

    /// Attackers that the character may counter-attack, in slot order (G144).
    fn blockable(&mut self, card: CardId) -> smallvec::SmallVec<[CardId; 8]> {
        let mut leads: smallvec::SmallVec<[CardId; 8]> = self.facts().leads().collect();
        leads.retain(|attacker| holds(self.blocking(card, Some(*attacker))));
        leads
    }

    /// Counter-attacking: whom (C5), then G145.
    pub fn block(&mut self, card: CardId) -> MachineStep {
        let seat = self.facts().controller(card);
        let attacker = match self.s.reply.take() {
            Some(Choice::Card(attacker)) => attacker,
            Some(_) => return Ok(self.pop()),
            None => {
                let attackers = self.blockable(card);
                if let [only] = attackers[..] {
                    only
                } else {
                    self.question(seat, Question::BlockWhom(card), Some(card));
                    for attacker in attackers {
                        self.offer(Choice::Card(attacker));
                    }
                    self.offer_decline();
                    return Ok(Flow::Ask);
                }
            }
        };
        self.pop();
        self.s.blocks.push((attacker, card))?;
        if let Some(slot) = self.s.slot_mut(card) {
            slot.marks.set(Marks::BLOCK);
        }
        self.log.tell(|| DuelEvent::BlockDeclared {
            card: self.s.seen(card),
            attacker: self.s.seen(attacker),
        });
        Ok(Flow::Go)
    }

    /// Cancels the block of a character (G144.5, G148).
    pub fn cancel_block(&mut self, card: CardId) {
        let Some(slot) = self.s.slot_mut(card) else { return };
        if !slot.marks.has(Marks::BLOCK) {
            return;
        }
        slot.marks.clear(Marks::BLOCK);
        self.s.blocks.retain(|(_, blocker)| *blocker != card);
        self.log.tell(|| DuelEvent::BlockCancelled {
            card: self.s.seen(card),
        });
    }

    /// Combat, one attack after another (G149–G155).
    pub fn combat(&mut self, step: u8) -> MachineStep {
        let cursor = usize::from(self.s.fight.cursor);
        let Some(attacker) = self.s.fight.attackers.get(cursor).copied() else {
            return Ok(self.pop());
        };
        // G148, D12: one that left or was taken out deals and takes nothing.
        if !self.s.marked(attacker, Marks::ATTACK) {
            self.s.fight.cursor += 1;
            self.take_register();
            *self.top() = AgendaTask::Combat { step: 0 };
            return Ok(Flow::Go);
        }
        let active = self.s.active;
        let blocker = self.s.blocker_of(attacker);
        let then = |machine: &mut Self, step: u8| *machine.top() = AgendaTask::Combat { step };
        match (step, blocker) {
            (0, _) => {
                self.capture_attack(attacker);
                then(self, if blocker.is_some() { 1 } else { 5 });
            }
            (1, Some(blocker)) => {
                then(self, 2);
                if self.facts().in_ring(blocker) {
                    self.push_dispatch(EventName::Blocks, Some(blocker), Some(blocker), active)?;
                }
            }
            (2, _) => {
                then(self, 3);
                if self
                    .facts()
                    .has_keyword(DuelObject::card(attacker), Keyword::Pierce)
                    && let Some(slot) = self.s.slot_mut(attacker)
                {
                    slot.marks.set(Marks::PIERCE);
                }
                self.push_dispatch(EventName::Blocked, Some(attacker), Some(attacker), active)?;
            }
            (3, Some(blocker)) => {
                // Where `preventPierce` is not asked, the answer of `blocked` must not be read for it.
                self.take_register();
                then(self, 4);
                self.exchange_blows(attacker, blocker)?;
            }
            (4, Some(blocker)) => {
                self.pierce(attacker, blocker);
                self.next_attack();
            }
            (5, _) => {
                then(self, 6);
                self.push_dispatch(
                    EventName::CancelCombatDamage,
                    Some(attacker),
                    Some(attacker),
                    active,
                )?;
            }
            (6, _) => self.hit_player(attacker)?,
            // The blocker's block was cancelled in the middle: nothing more is dealt.
            _ => self.next_attack(),
        }
        Ok(Flow::Go)
    }

    fn next_attack(&mut self) {
        self.take_register();
        self.s.fight.cursor += 1;
        *self.top() = AgendaTask::Combat { step: 0 };
    }

    /// G150: captured now and not read again.
    fn capture_attack(&mut self, attacker: CardId) {
        let lead = self.s.ring_bp(attacker);
        let mut extra = 0i32;
        if self.s.is_lead(attacker) {
            for follower in &self.s.united[1..] {
                if self.facts().in_ring(*follower) {
                    extra = extra.saturating_add(self.s.ring_bp(*follower));
                }
            }
        }
        (self.s.fight.lead, self.s.fight.extra) = (lead, extra);
        let blocker = self.s.blocker_of(attacker);
        let damage = lead.saturating_add(extra);
        self.log.tell(|| DuelEvent::Fought {
            attacker: self.s.seen(attacker),
            blocker: blocker.map(|blocker| self.s.seen(blocker)),
            damage,
        });
    }

    /// G151.4–G151.7, then the question of piercing.
    fn exchange_blows(&mut self, attacker: CardId, blocker: CardId) -> Result<(), crate::machine::Guard> {
        let (lead, extra) = (self.s.fight.lead, self.s.fight.extra);
        let blocks = self.s.marked(blocker, Marks::BLOCK);
        let back = if blocks { self.s.ring_bp(blocker) } else { 0 };
        let total = lead.saturating_add(extra);
        if blocks {
            self.damage_character(
                blocker,
                total,
                attacker,
                ChangeCause::Combat(self.s.seen(attacker)),
            );
        }
        self.damage_character(attacker, back, blocker, ChangeCause::Combat(self.s.seen(blocker)));
        if self.s.is_lead(attacker) {
            let mut rest = back - lead;
            let followers: smallvec::SmallVec<[CardId; 8]> = self.s.united[1..].iter().copied().collect();
            for follower in followers {
                if rest <= 0 {
                    break;
                }
                let bp = self.s.ring_bp(follower);
                if self.facts().in_ring(follower) {
                    self.damage_character(follower, rest, blocker, ChangeCause::Combat(self.s.seen(blocker)));
                    rest -= bp;
                }
            }
        }
        self.s.fight.extra = total.saturating_sub(back); // what may pierce
        let asks = self.s.is_lead(attacker)
            && self.facts().in_ring(blocker)
            && !self
                .facts()
                .has_keyword(DuelObject::card(blocker), Keyword::PreventPierce);
        if asks && self.s.fight.extra > 0 {
            let active = self.s.active;
            self.push_dispatch(EventName::PreventPierce, Some(blocker), Some(blocker), active)?;
        }
        Ok(())
    }

    /// Deals the defending player what the blocker's BP leave of the attack, if the attack
    /// pierces (G151.8, G152).
    fn pierce(&mut self, attacker: CardId, blocker: CardId) {
        let prevented = matches!(
            self.take_register(),
            Register::Answered {
                answer: HookAnswer::True,
                ..
            }
        ) || self
            .facts()
            .has_keyword(DuelObject::card(blocker), Keyword::PreventPierce);
        let excess = self.s.fight.extra;
        let pierces = (self.s.is_lead(attacker) && !prevented) || self.s.marked(attacker, Marks::PIERCE);
        if excess > 0 && pierces && self.facts().flag(self.s.active, RuleFlag::Piercing) {
            let defender = self.s.active.other();
            self.damage_player(
                defender,
                excess,
                attacker,
                ChangeCause::Piercing(self.s.seen(attacker)),
            );
            self.settle_hp(&[defender]);
        }
    }

    /// Deals the defending player the damage of an unblocked attack, unless a hook forbids it (G153).
    fn hit_player(&mut self, attacker: CardId) -> Result<(), crate::machine::Guard> {
        let cancelled = matches!(
            self.take_register(),
            Register::Answered {
                answer: HookAnswer::True,
                ..
            }
        );
        let damage = self.s.fight.lead.saturating_add(self.s.fight.extra);
        let active = self.s.active;
        let deals = self.deals_damage(attacker);
        if !cancelled {
            self.damage_player(
                active.other(),
                damage,
                attacker,
                ChangeCause::Combat(self.s.seen(attacker)),
            );
            self.settle_hp(&[active.other()]);
        }
        self.s.fight.cursor += 1;
        *self.top() = AgendaTask::Combat { step: 0 };
        // GQ9, D76: not when nothing was dealt, unless something else took its place.
        if cancelled || deals && damage > 0 {
            self.push_dispatch(
                EventName::PlayerCombatDamaged,
                Some(attacker),
                Some(attacker),
                active,
            )?;
        }
        Ok(())
    }

    /// G157: attackers and blockers deal nothing while the rule is off. D35: followers do with
    /// their abilities.
    pub fn deals_damage(&self, source: CardId) -> bool {
        let fights = self.s.marked(source, Marks(Marks::ATTACK.0 | Marks::BLOCK.0));
        !fights || self.facts().flag(self.s.active, RuleFlag::DmgCombatDeal)
    }

    /// Deals damage to a character in a ring (G159).
    pub fn damage_character(&mut self, card: CardId, amount: i32, source: CardId, cause: ChangeCause) {
        if amount <= 0 || !self.facts().in_ring(card) || !self.deals_damage(source) {
            return;
        }
        let bp = self.s.ring_bp(card).saturating_sub(amount);
        self.set_bp(card, bp, cause);
    }

    /// G160.4–G160.6; damage of 0 is none (D76).
    pub fn damage_player(&mut self, seat: Seat, amount: i32, source: CardId, cause: ChangeCause) {
        if !self.deals_damage(source) {
            return;
        }
        let non_combat = !self.facts().model(source).is_character() || !self.s.marked(source, Marks::ATTACK);
        if amount > 0 && non_combat {
            self.s.players[seat].nc_damaged = true;
        }
        self.change_hp(seat, -amount.max(0), cause);
    }

    /// HP never falls below 0. Who makes it fall settles afterwards who has lost (D93).
    pub fn change_hp(&mut self, seat: Seat, by: i32, cause: ChangeCause) {
        let from = self.s.players[seat].hp;
        let to = from.saturating_add(by).max(0);
        self.s.players[seat].hp = to;
        if from != to {
            let by = self.origin();
            self.log.tell_course(|| DuelEvent::Hp {
                seat,
                from,
                to,
                cause,
                by,
            });
            self.witness();
        }
    }

    /// Whether a command that damages goes on: it ends before it is seen who has lost (D93).
    pub fn is_damaging(&self) -> bool {
        self.s.tasks.iter().any(is_damage)
    }

    /// G38, D8, D93: of those who were hit, who is at 0 HP after a command or a blow has lost; if both
    /// are, nobody has won.
    pub fn settle_hp(&mut self, hit: &[Seat]) {
        if self.is_damaging() {
            return;
        }
        let falls = |seat: &Seat| hit.contains(seat) && self.s.players[*seat].hp == 0;
        let fallen: SmallVec<[Seat; 2]> = Seat::BOTH.into_iter().filter(falls).collect();
        match fallen[..] {
            [] => {}
            [loser] => self.lose(loser, WinReason::Hp),
            _ => self.end(DuelOutcome::Drawn),
        }
    }
}

/// Whether the task is a command that damages, in its middle.
pub(crate) fn is_damage(task: &AgendaTask) -> bool {
    match task {
        AgendaTask::Effect(effect) => matches!(effect.doing, Doing::Damage(_)),
        AgendaTask::Turn
        | AgendaTask::Phase { .. }
        | AgendaTask::Unit { .. }
        | AgendaTask::Combat { .. }
        | AgendaTask::Attacks
        | AgendaTask::Play { .. }
        | AgendaTask::Enter { .. }
        | AgendaTask::Activate { .. }
        | AgendaTask::BackUp { .. }
        | AgendaTask::Join { .. }
        | AgendaTask::Block { .. }
        | AgendaTask::Dispatch(_)
        | AgendaTask::Heard { .. }
        | AgendaTask::Run => false,
    }
}
