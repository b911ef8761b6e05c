//! Commands that move abilities and forms between characters.

use cw_program::{EventName, ModelId, PileName, Restriction, Transform};

use crate::base::card::CardId;
use crate::base::list::DuelObject;
use crate::event::DuelEvent;
use crate::machine::{Flow, Guard, Machine, MachineStep};
use crate::script::commands::{Begun, Deed};
use crate::state::{ChangeKind, Doing, EffectStage, EffectTask, FramePart, LOST, Life, Marks, StateChange};
use crate::{SeatSet, ZoneKind};

impl Machine<'_> {
    /// Gives the targets a copy of the ability of a card (G119).
    pub fn copy_ability(&mut self, deed: &Deed) -> Result<Begun, Guard> {
        let Some(model) = deed.prepared.card().and_then(|card| self.copyable(card)) else {
            return Ok(Begun::Done);
        };
        self.go_on_with(deed, deed.list, Doing::CopyAbility(model))
    }

    /// G224: from the first target.
    pub fn steal_ability(&mut self, deed: &Deed) -> Result<Begun, Guard> {
        let Some(victim) = deed.first_card() else {
            return Ok(Begun::Done);
        };
        let Some(model) = self.copyable(victim) else {
            return Ok(Begun::Done);
        };
        let source = self.frame().present_source().map(DuelObject::card);
        let Some(thief) = deed.prepared.objects.first().copied().or(source) else {
            return Ok(Begun::Done);
        };
        let list = self.keep(&[thief, DuelObject::card(victim)])?;
        self.go_on_with(deed, list, Doing::Steal(model))
    }

    /// G122, D33: two characters that both have an ability.
    pub fn swap_abilities(&mut self, deed: &Deed) -> Result<Begun, Guard> {
        let [first, second, ..] = deed.targets[..] else {
            return Ok(Begun::Done);
        };
        let ability = |object| self.ring_character(object).and_then(|card| self.copyable(card));
        let (Some(of_first), Some(of_second)) = (ability(first), ability(second)) else {
            return Ok(Begun::Done);
        };
        let list = self.keep(&[first, second])?;
        self.go_on_with(deed, list, Doing::SwapAbilities { of_first, of_second })
    }

    /// One character gets another ability, or none: `powerless` for it, then the change.
    pub fn ability_step(&mut self, task: EffectTask, target: DuelObject) -> MachineStep {
        let card = self.ring_character(target);
        if !self.can_go_on(task) {
            self.pop();
            return self.finish(true);
        }
        if let Some(card) = card
            && task.doing == Doing::LoseAbility
            && self.s.slot(card).is_some_and(|slot| slot.ability == LOST)
        {
            self.tick()?;
            self.next_target(task);
            let restriction = self.running().effects[usize::from(task.effect)].restriction;
            self.lose_again(card, restriction)?;
            return Ok(Flow::Go);
        }
        let Some(card) = card.filter(|card| task.doing != Doing::LoseAbility || self.facts().has_text(*card))
        else {
            self.next_target(task);
            return Ok(Flow::Go);
        };
        match task.stage {
            EffectStage::Announces => {
                self.tick()?;
                self.announced(task);
                let executor = match task.doing {
                    Doing::CopyAbility(_) => self.facts().controller(card),
                    Doing::LoseAbility
                    | Doing::Steal(_)
                    | Doing::SwapAbilities { .. }
                    | Doing::Damage(_)
                    | Doing::Waits => self.frame().executor,
                };
                self.push_dispatch(EventName::Powerless, Some(card), Some(card), executor)?;
            }
            EffectStage::Acts => {
                // The autos of the new ability run above this task.
                self.next_target(task);
                let restriction = self.running().effects[usize::from(task.effect)].restriction;
                self.replace_ability(card, received(task), restriction)?;
            }
        }
        Ok(Flow::Go)
    }

    /// G121, G122: nothing more happens when the thief, or one of two that swap, is not there any more.
    fn can_go_on(&self, task: EffectTask) -> bool {
        let stands = |at: usize| {
            let object = self.s.arena.objects(task.list).nth(at);
            object.is_some_and(|object| self.ring_character(object).is_some())
        };
        match task.doing {
            Doing::Steal(_) => stands(0),
            Doing::SwapAbilities { .. } => stands(0) && stands(1),
            Doing::Damage(_) | Doing::LoseAbility | Doing::CopyAbility(_) | Doing::Waits => true,
        }
    }

    /// The model whose ability the card has, if it has a text (G119).
    pub fn copyable(&self, card: CardId) -> Option<ModelId> {
        self.facts()
            .has_text(card)
            .then(|| self.facts().ability_model(card))
            .flatten()
    }

    fn ring_character(&self, object: DuelObject) -> Option<CardId> {
        object.as_card().filter(|card| self.facts().in_ring(*card))
    }

    /// The character's ability becomes that of `model`, or none (G118, G119, D26).
    pub fn replace_ability(
        &mut self,
        card: CardId,
        model: Option<ModelId>,
        restriction: Option<Restriction>,
    ) -> Result<(), Guard> {
        let Some(slot) = self.s.slot(card).copied() else {
            return Ok(());
        };
        if let Some(restriction) = restriction {
            let source = self.frame().giver();
            let life = self.life(source, Some(restriction), Life::WithSubject);
            self.s.changes.push(StateChange {
                kind: ChangeKind::Ability(slot.ability),
                subject: DuelObject::card(card),
                source,
                named: self.name_of(source),
                life,
            })?;
        } else {
            self.forget_abilities_before(card);
        }
        self.switch_ability(card, model)
    }

    /// What a timed change would give back is no more, as a later one lasts (D26).
    fn forget_abilities_before(&mut self, card: CardId) {
        let subject = DuelObject::card(card);
        self.s
            .changes
            .retain(|change| change.subject != subject || !matches!(change.kind, ChangeKind::Ability(_)));
    }

    /// A character that has lost its ability loses it again, for another time (D26).
    fn lose_again(&mut self, card: CardId, restriction: Option<Restriction>) -> Result<(), Guard> {
        let Some(restriction) = restriction else {
            self.forget_abilities_before(card);
            return Ok(());
        };
        let source = self.frame().giver();
        let life = self.life(source, Some(restriction), Life::WithSubject);
        Ok(self.s.changes.push(StateChange {
            kind: ChangeKind::Ability(LOST),
            subject: DuelObject::card(card),
            source,
            named: self.name_of(source),
            life,
        })?)
    }

    pub fn switch_ability(&mut self, card: CardId, model: Option<ModelId>) -> Result<(), Guard> {
        self.drop_listeners(card);
        self.drop_changes_of_source(card);
        self.set_ability(card, model);
        let Some(model) = model else { return Ok(()) };
        let instant = self.game.model(model).is_instant();
        if let Some(slot) = self.s.slot_mut(card) {
            slot.marks.clear(Marks::SPENT);
            if !instant {
                slot.marks.clear(Marks::ACTIVATED);
            }
        }
        self.initialise(card, true)
    }

    /// A timed change of ability or form ends (D26), which was the one at this place among the changes.
    pub fn undo_form(&mut self, change: StateChange, at: usize) -> Result<(), Guard> {
        let Some(card) = change.subject.as_card() else {
            return Ok(());
        };
        // A newer change is still in force. It stays, and gives back later what this one would have given
        // back now: `loseAbility() ueot` and then `copyAbility(x) uynt` ends with the card's own ability.
        let newer = self.s.changes.iter_mut().skip(at).find(|other| {
            let same_kind = matches!(
                (other.kind, change.kind),
                (ChangeKind::Ability(_), ChangeKind::Ability(_)) | (ChangeKind::Form(_), ChangeKind::Form(_))
            );
            other.subject == change.subject && same_kind
        });
        if let Some(newer) = newer {
            newer.kind = change.kind;
            return Ok(());
        }
        match change.kind {
            ChangeKind::Ability(before) if self.facts().in_ring(card) => {
                self.switch_ability(card, (before != LOST).then_some(before))
            }
            ChangeKind::Form(before) if self.facts().in_ring(card) => self.become_model(card, before),
            // D26, G248: outside the ring it stays what it is until it goes to a pile.
            ChangeKind::Form(_) => Ok(self.s.changes.push(StateChange {
                life: Life::WithSubject,
                ..change
            })?),
            ChangeKind::Ability(_)
            | ChangeKind::Grant(_)
            | ChangeKind::Suppress(_)
            | ChangeKind::Flag(..)
            | ChangeKind::BpLimit(_)
            | ChangeKind::CostAdd(..)
            | ChangeKind::CostSet(..)
            | ChangeKind::Bp(_) => Ok(()),
        }
    }

    /// Transforms the targets into another card (G243–G248).
    pub fn transform_all(&mut self, into: Transform, deed: &Deed) -> Result<Begun, Guard> {
        let model = match into {
            Transform::Model(model) => model,
            Transform::Like(_) => deed.prepared.card().map(|card| self.s.cards[card.index()].model),
        };
        let Some(model) = model else {
            return Ok(Begun::Done);
        };
        // The new form's autos run above this task, which then tells that it is done.
        self.go_on_with(deed, deed.list, Doing::Waits)?;
        let restriction = deed.restriction;
        for card in deed.cards() {
            self.tick()?;
            let in_ring = self.facts().in_ring(card);
            // D6: a model that is no character does nothing in a ring.
            if in_ring && !self.game.model(model).is_character() {
                continue;
            }
            let before = self.s.cards[card.index()].model;
            self.become_model(card, model)?;
            let subject = DuelObject::card(card);
            let has_form = self
                .s
                .changes
                .iter()
                .any(|change| change.subject == subject && matches!(change.kind, ChangeKind::Form(_)));
            let source = self.frame().giver();
            match restriction {
                // G13: the first original counts. A timed form that it covers ends no more (D26).
                None if has_form => self.keep_first_form(subject),
                _ => {
                    // G248: what it was belongs to the card, not to what transformed it.
                    let life = match restriction {
                        Some(_) => self.life(source, restriction, Life::WithSubject),
                        None => Life::WithSubject,
                    };
                    self.s.changes.push(StateChange {
                        kind: ChangeKind::Form(before),
                        subject,
                        source,
                        named: self.name_of(source),
                        life,
                    })?;
                }
            }
        }
        Ok(Begun::GoesOn)
    }

    fn keep_first_form(&mut self, subject: DuelObject) {
        let mut is_first = true;
        self.s.changes.retain(|change| {
            let is_form = change.subject == subject && matches!(change.kind, ChangeKind::Form(_));
            !is_form || std::mem::take(&mut is_first)
        });
        let first = self
            .s
            .changes
            .iter_mut()
            .find(|change| change.subject == subject && matches!(change.kind, ChangeKind::Form(_)));
        if let Some(first) = first {
            first.life = Life::WithSubject;
        }
    }

    /// The card is another model now, in the same place (G243, G247, D6).
    pub fn become_model(&mut self, card: CardId, model: ModelId) -> Result<(), Guard> {
        let subject = DuelObject::card(card);
        if let Some((seat, at)) = self.s.slot_of(card) {
            if !self.game.model(model).is_character() {
                return Ok(());
            }
            self.queue_heard(EventName::LeavesRing, card, seat)?;
            self.discard_backups(card)?;
            self.drop_listeners(card);
            self.drop_changes_of_source(card);
            // Timed effects on it are not kept.
            self.s
                .changes
                .retain(|change| change.subject != subject || matches!(change.kind, ChangeKind::Form(_)));
            let slot = &mut self.s.rings[seat][at];
            slot.ability = model;
            slot.marks.clear(Marks::TRIED);
            // D79, D25: what the former model's keywords left.
            slot.marks.clear(Marks(Marks::UNFREEZABLE.0 | Marks::PIERCE.0));
            let before = self.s.seen(card);
            let entry = &mut self.s.cards[card.index()];
            entry.model = model;
            entry.bp = self.game.model(model).bp;
            self.may_fall |= entry.bp <= 0;
            // D97: what runs was the former model's; its mark is not the new one's.
            for frame in self.s.frames.iter_mut().filter(|frame| frame.source == card) {
                frame.cleared = true;
            }
            self.log.tell(|| DuelEvent::Transformed {
                card: before,
                into: self.s.seen(card),
            });
            return self.initialise(card, true);
        }
        let before = self.s.seen(card);
        let entry = &mut self.s.cards[card.index()];
        entry.model = model;
        // In a deck nobody knows which card lies where, also if it was transformed there (G267).
        if entry.zone() != ZoneKind::Pile(PileName::Deck) {
            entry.set_known(SeatSet::BOTH);
        }
        self.log.tell(|| DuelEvent::Transformed {
            card: before,
            into: self.s.seen(card),
        });
        Ok(())
    }

    /// Runs the rule of another card as if it were printed on the source (G226, D31).
    pub fn activate_rule_of(&mut self, deed: &Deed) -> Result<Begun, Guard> {
        let Some(model) = deed
            .prepared
            .card()
            .and_then(|card| self.facts().ability_model(card))
        else {
            return Ok(Begun::Done);
        };
        let Some(program) = self.game.model(model).program.as_deref() else {
            return Ok(Begun::Done);
        };
        let caller = *self.frame();
        self.tick()?;
        let source_is_character = self.facts().model(caller.source).is_character();
        if !source_is_character {
            self.register_autos_of(caller.source, model)?;
        }
        if program.rule.actions.is_empty() {
            return Ok(Begun::Done);
        }
        self.go_on_with(deed, deed.list, Doing::Waits)?;
        self.push_frame(caller.source, caller.executor, model, FramePart::Nested, 0)?;
        let nested = self.frame_mut();
        nested.committed = caller.committed;
        nested.discarded = caller.discarded;
        nested.sacrificed = caller.sacrificed;
        nested.destroyed = caller.destroyed;
        nested.moved = caller.moved;
        nested.trashed = caller.trashed;
        nested.trigger = caller.trigger;
        // A source that is only known from memory stays so in the nested run (D87).
        (nested.lost, nested.named) = (caller.lost, caller.named);
        (nested.attacker, nested.blocker, nested.ua_bp) = (caller.attacker, caller.blocker, caller.ua_bp);
        Ok(Begun::GoesOn)
    }
}

/// The ability that the target at which the effect stands receives.
fn received(task: EffectTask) -> Option<ModelId> {
    match task.doing {
        Doing::CopyAbility(model) => Some(model),
        Doing::Steal(model) => (task.at == 0).then_some(model),
        Doing::SwapAbilities { of_first, of_second } => Some(if task.at == 0 { of_second } else { of_first }),
        Doing::LoseAbility | Doing::Damage(_) | Doing::Waits => None,
    }
}
