//! The turn and its phases (section 3 of the game's rules).

use cw_program::{CostKind, EventName, Keyword, PileName, RuleFlag};

use crate::base::card::CardId;
use crate::base::list::DuelObject;
use crate::base::place::RulePlace;
use crate::base::table::FixedTable;
use crate::event::DuelEvent;
use crate::machine::{Flow, Guard, Machine, MachineStep};
use crate::state::decision::{Choice, Question};
use crate::state::seen::Seen;
use crate::state::{AgendaTask, ChangeKind, DuelOutcome, Life, Marks, StateChange, WinReason};
use crate::{Phase, Seat};

impl Machine<'_> {
    /// Begins a turn with what is counted for each turn set back (G44).
    pub fn begin_turn(&mut self) -> MachineStep {
        if self.s.turn >= self.game.constants.max_turns {
            self.end(DuelOutcome::Drawn); // D14
            return Ok(Flow::Go);
        }
        self.s.turn += 1;
        for seat in Seat::BOTH {
            let player = &mut self.s.players[seat];
            player.chars_played = 0;
            player.chars_per_turn = self.game.characters_per_turn_of(seat);
            player.backups_played = 0;
            player.nc_damaged = false;
            player.lost_sp = 0;
        }
        self.s.united.clear();
        self.s.blocks.clear();
        let (turn, seat) = (self.s.turn, self.s.active);
        self.log.tell_course(|| DuelEvent::TurnBegan { turn, seat });
        *self.top() = AgendaTask::Phase {
            phase: Phase::Activate,
            step: 0,
        };
        Ok(Flow::Go)
    }

    #[inline(always)]
    pub fn phase(&mut self, phase: Phase, step: u8) -> MachineStep {
        if step == 0 {
            // No condition of a card knows the phase, which is all that begins here.
            self.settled &= matches!(phase, Phase::Main | Phase::Attack);
            if self.is_skipped(phase) {
                return Ok(self.next_phase(phase));
            }
        }
        match phase {
            Phase::Setup => Ok(self.next_phase(phase)),
            Phase::Activate => self.activate_phase(step),
            Phase::Draw => self.draw_phase(step),
            Phase::Main => self.main_phase(step),
            Phase::Attack => self.attack_phase(step),
            Phase::CounterAttack => self.counter_attack_phase(step),
            Phase::End => self.end_phase(step),
            Phase::Cleanup => self.cleanup_phase(step),
        }
    }

    /// G45: a phase on the active player's list is passed over, once.
    fn is_skipped(&mut self, phase: Phase) -> bool {
        let bit = 1 << phase as u8;
        let player = &mut self.s.players[self.s.active];
        let skipped = player.skip & bit != 0;
        if skipped {
            player.skip &= !bit;
            self.log.tell(|| DuelEvent::PhaseSkipped { phase });
        }
        skipped
    }

    fn go_to_step(&mut self, phase: Phase, step: u8) {
        *self.top() = AgendaTask::Phase { phase, step };
    }

    fn next_phase(&mut self, phase: Phase) -> Flow {
        match Phase::from_index(phase as usize + 1) {
            Some(next) => self.go_to_step(next, 0),
            None => self.end_turn(),
        }
        Flow::Go
    }

    /// Takes a step of the Activate phase (G48).
    fn activate_phase(&mut self, step: u8) -> MachineStep {
        let phase = Phase::Activate;
        let active = self.s.active;
        match step {
            0 => {
                self.enter_phase(phase);
                for at in 0..usize::from(self.game.constants.ring_slots) {
                    let card = self.s.rings[active][at].card;
                    if card == CardId::NONE {
                        continue;
                    }
                    if !self
                        .facts()
                        .slot_has_keyword(&self.s.rings[active][at], Keyword::Frosted)
                    {
                        self.set_frozen(card, false);
                    }
                    let gone = Marks(Marks::FRESH.0 | Marks::BLOCK.0 | Marks::TRIED.0);
                    self.s.rings[active][at].marks.clear(gone);
                }
                self.go_to_step(phase, 1);
                self.begin_unit()?;
                self.push_dispatch(EventName::ActivatePhase, None, None, active)?;
            }
            1 => {
                self.go_to_step(phase, 2);
                self.begin_unit()?;
                self.expire(Life::Activate(active))?;
            }
            _ => return Ok(self.next_phase(phase)),
        }
        Ok(Flow::Go)
    }

    /// Takes a step of the Draw phase, which the first turn does without (G50, G37, G39).
    fn draw_phase(&mut self, step: u8) -> MachineStep {
        let phase = Phase::Draw;
        let active = self.s.active;
        match step {
            0 if self.s.turn == 1 => return Ok(self.next_phase(phase)),
            0 => {
                self.enter_phase(phase);
                if self.s.pile_count(active, PileName::Deck) == 0 {
                    self.lose(active, WinReason::DeckOut);
                    return Ok(Flow::Go);
                }
                self.go_to_step(phase, 1);
                self.begin_unit()?;
                self.draw(active, 1)?;
            }
            1 => {
                self.go_to_step(phase, 2);
                self.begin_unit()?;
                self.push_dispatch(EventName::DrawPhase, None, None, active)?;
            }
            _ => return Ok(self.next_phase(phase)),
        }
        Ok(Flow::Go)
    }

    /// Counts a free action; the last one that is allowed in a phase is told (D14).
    fn count_action(&mut self, card: CardId, activates: bool) {
        self.s.free_actions += 1;
        if self.may_act() {
            return;
        }
        let model = activates.then(|| self.facts().ability_model(card)).flatten();
        let place = model.and_then(|model| {
            let program = self.game.model(model).program.as_deref()?;
            let step = *program.actions.first()?;
            Some(RulePlace { model, step })
        });
        self.log.tell_course(|| DuelEvent::Guarded {
            source: Some(self.s.seen(card)),
            place,
        });
    }

    /// A voluntary action that is a unit of its own (D2).
    fn act(&mut self, task: AgendaTask, card: CardId) -> MachineStep {
        self.count_action(card, matches!(task, AgendaTask::Activate { .. }));
        self.begin_unit()?;
        self.push(task)?;
        Ok(Flow::Go)
    }

    pub(crate) fn may_act(&self) -> bool {
        self.s.free_actions < self.game.constants.max_free_actions
    }

    fn pass(&mut self, seat: Seat, phase: Phase) -> MachineStep {
        self.log.tell(|| DuelEvent::Passed { seat, phase });
        Ok(self.next_phase(phase))
    }

    /// Takes a step of the Main phase, in which the active player acts until ending it (G51).
    fn main_phase(&mut self, step: u8) -> MachineStep {
        let phase = Phase::Main;
        let active = self.s.active;
        if step == 0 {
            self.enter_phase(phase);
            self.s.free_actions = 0;
            self.go_to_step(phase, 1);
            return Ok(Flow::Go);
        }
        match self.reply_in_phase(active, Question::Main) {
            None => Ok(Flow::Ask),
            Some(Choice::Play(card)) => self.act(
                AgendaTask::Play {
                    card,
                    step: 0,
                    slot: 0,
                },
                card,
            ),
            Some(Choice::BackUp(card)) => self.act(AgendaTask::BackUp { card }, card),
            Some(Choice::Activate(card)) => self.act(AgendaTask::Activate { card, step: 0 }, card),
            Some(_) => self.pass(active, phase),
        }
    }

    /// Takes a step of the Attack phase, which needs a character that is able to attack (G53, G54).
    fn attack_phase(&mut self, step: u8) -> MachineStep {
        let phase = Phase::Attack;
        let active = self.s.active;
        if step == 0 {
            let able = self.s.ring(active).any(|slot| {
                !slot.marks.has(Marks(Marks::FRESH.0 | Marks::FROZEN.0)) && self.s.ring_bp(slot.card) > 0
            });
            if !able {
                return Ok(self.next_phase(phase));
            }
            self.enter_phase(phase);
            self.s.free_actions = 0;
            self.go_to_step(phase, 1);
            return Ok(Flow::Go);
        }
        match self.reply_in_phase(active, Question::Attack) {
            None => Ok(Flow::Ask),
            Some(Choice::Attack(card)) => {
                self.count_action(card, false);
                self.declare_attack(card);
                Ok(Flow::Go)
            }
            Some(Choice::Join(card)) => self.act(AgendaTask::Join { card }, card),
            Some(Choice::CancelAttack(card)) => {
                self.count_action(card, false);
                self.cancel_attack(card);
                Ok(Flow::Go)
            }
            Some(_) => self.pass(active, phase),
        }
    }

    /// Takes a step of the Counter-attack phase, which needs an attacker (G55, G56).
    fn counter_attack_phase(&mut self, step: u8) -> MachineStep {
        let phase = Phase::CounterAttack;
        let active = self.s.active;
        let defender = active.other();
        match step {
            0 => {
                if !self.s.ring(active).any(|slot| slot.marks.has(Marks::ATTACKING)) {
                    return Ok(self.next_phase(phase));
                }
                self.enter_phase(phase);
                self.s.free_actions = 0;
                self.pay_united();
                self.go_to_step(phase, 1);
                self.begin_unit()?;
                self.push_dispatch(EventName::BlockPhase, None, None, active)?;
                Ok(Flow::Go)
            }
            1 => {
                self.go_to_step(phase, 2);
                self.take_attackers(Marks::ATTACKING);
                self.push(AgendaTask::Attacks)?;
                Ok(Flow::Go)
            }
            _ => match self.reply_in_phase(defender, Question::CounterAttack) {
                None => Ok(Flow::Ask),
                Some(Choice::Play(card)) => self.act(
                    AgendaTask::Play {
                        card,
                        step: 0,
                        slot: 0,
                    },
                    card,
                ),
                Some(Choice::Block(card)) => self.act(AgendaTask::Block { card }, card),
                Some(Choice::CancelBlock(card)) => {
                    self.count_action(card, false);
                    self.cancel_block(card);
                    Ok(Flow::Go)
                }
                Some(_) => self.pass(defender, phase),
            },
        }
    }

    /// The active player's characters with any of the marks, in slot order (D7).
    fn take_attackers(&mut self, marks: Marks) {
        let mut attackers = FixedTable::EMPTY;
        for slot in self.s.ring(self.s.active).filter(|slot| slot.marks.has(marks)) {
            attackers
                .push(slot.card)
                .expect("as many places as a ring has slots");
        }
        self.s.fight.attackers = attackers;
        self.s.fight.cursor = 0;
    }

    /// `attacks` for each attacker, a unit each (G56.3, D2).
    pub fn attacks(&mut self) -> MachineStep {
        let cursor = usize::from(self.s.fight.cursor);
        let Some(card) = self.s.fight.attackers.get(cursor).copied() else {
            return Ok(self.pop());
        };
        self.s.fight.cursor += 1;
        if self.facts().attacks(card) {
            // D12, GQ26: solo attackers only.
            let unfreezable = self
                .facts()
                .has_keyword(DuelObject::card(card), Keyword::Unfreezable);
            if unfreezable
                && !self.facts().in_united(card)
                && let Some(slot) = self.s.slot_mut(card)
            {
                slot.marks.set(Marks::UNFREEZABLE);
            }
            self.begin_unit()?;
            let active = self.s.active;
            self.push_dispatch(EventName::Attacks, Some(card), Some(card), active)?;
        }
        Ok(Flow::Go)
    }

    /// Takes a step of the End phase, to which combat belongs (G58).
    fn end_phase(&mut self, step: u8) -> MachineStep {
        let phase = Phase::End;
        let active = self.s.active;
        match step {
            0 => {
                self.enter_phase(phase);
                if self.facts().flag(active, RuleFlag::AttackFreeze) {
                    for at in 0..usize::from(self.game.constants.ring_slots) {
                        let slot = self.s.rings[active][at];
                        if slot.card != CardId::NONE
                            && slot.marks.has(Marks::ATTACKING)
                            && !slot.marks.has(Marks::UNFREEZABLE)
                        {
                            self.set_frozen(slot.card, true);
                        }
                    }
                }
                self.take_attackers(Marks::ATTACK);
                self.go_to_step(phase, 1);
                self.begin_unit()?;
                self.push(AgendaTask::Combat { step: 0 })?;
            }
            1 => {
                self.go_to_step(phase, 2);
                self.begin_unit()?;
                self.push_dispatch(EventName::EndPhase, None, None, active)?;
            }
            _ => return Ok(self.next_phase(phase)),
        }
        Ok(Flow::Go)
    }

    /// Takes a step of the Cleanup phase (G60).
    fn cleanup_phase(&mut self, step: u8) -> MachineStep {
        let phase = Phase::Cleanup;
        let active = self.s.active;
        match step {
            0 => {
                self.enter_phase(phase);
                for slot in &mut self.s.rings[active] {
                    slot.marks.clear(Marks::TRIED);
                }
                self.go_to_step(phase, 1);
                self.begin_unit()?;
                self.push_dispatch(EventName::CleanupPhase, None, None, active)?;
            }
            1 => {
                for slot in &mut self.s.rings[active] {
                    slot.marks.clear(Marks::FIGHTING);
                }
                self.go_to_step(phase, 2);
                self.begin_unit()?;
                // R805: first `ueot`, then `unac`.
                self.expire(Life::Cleanup(active))?;
                self.expire(Life::NextAction(active))?;
            }
            _ => return Ok(self.next_phase(phase)),
        }
        Ok(Flow::Go)
    }

    /// Ends the turn, and says whose turn is next (G52, GQ16, GQ27, D34).
    fn end_turn(&mut self) {
        for seat in Seat::BOTH {
            for slot in &mut self.s.rings[seat] {
                slot.marks.clear(Marks::FIGHTING);
            }
        }
        let active = self.s.active;
        if self.s.players[active].extra_turns > 0 {
            self.s.players[active].extra_turns -= 1;
        } else {
            self.s.active = active.other();
            // G52: what was owed before one's turn begins is lost.
            self.s.players[active.other()].extra_turns = 0;
        }
        *self.top() = AgendaTask::Turn;
    }

    /// Ends the timed changes that end now, the newest first (G197).
    pub fn expire(&mut self, life: Life) -> Result<(), Guard> {
        let mut at = self.s.changes.len();
        while at > 0 {
            at -= 1;
            // Undoing one change may end others; the index stays valid or is past the end.
            if self.s.changes.get(at).is_some_and(|change| change.life == life) {
                let change = self.s.changes.remove(at);
                self.undo(change, at)?;
            }
        }
        Ok(())
    }

    fn undo(&mut self, change: StateChange, at: usize) -> Result<(), Guard> {
        let subject = change.subject;
        let source = self.s.source_seen(change.source, change.named);
        match change.kind {
            ChangeKind::Grant(keyword) | ChangeKind::Suppress(keyword) => {
                let gained = self.facts().has_keyword(subject, keyword);
                self.log.tell(|| DuelEvent::Keyword {
                    subject: self.s.subject(subject),
                    keyword,
                    gained,
                    source: None,
                });
                if matches!(change.kind, ChangeKind::Suppress(_)) {
                    self.keyword_arrives(subject, keyword);
                }
            }
            ChangeKind::Flag(flag, _) => self.tell_rule_ended(flag, source),
            ChangeKind::BpLimit(_) => self.tell_rule_ended(RuleFlag::PlayCharBpLimit, source),
            ChangeKind::CostAdd(kind, value) => {
                self.tell_cost_ended(kind, crate::CostChange::Add(value), source);
            }
            ChangeKind::CostSet(kind, value) => {
                self.tell_cost_ended(kind, crate::CostChange::Set(value), source);
            }
            ChangeKind::Bp(gained) => {
                if let Some(card) = subject.as_card()
                    && self.facts().in_ring(card)
                {
                    let bp = self.s.ring_bp(card).saturating_sub(gained);
                    self.set_bp(card, bp, crate::ChangeCause::Expiry);
                }
            }
            ChangeKind::Ability(_) | ChangeKind::Form(_) => self.undo_form(change, at)?,
        }
        Ok(())
    }

    fn tell_rule_ended(&mut self, flag: RuleFlag, source: Seen) {
        self.log.tell(|| DuelEvent::Rule {
            flag,
            source,
            value: None,
        });
    }

    fn tell_cost_ended(&mut self, kind: CostKind, how: crate::CostChange, source: Seen) {
        self.log.tell(|| DuelEvent::Cost {
            kind,
            source,
            made: false,
            how,
            by: None,
        });
    }
}
