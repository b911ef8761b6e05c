//! What each command does (section 6 of the language, section 12 of the game's rules).

use cw_program::{
    Amount, Command, CostAmount, EffectKind, EventName, Keyword, ModelId, Number, Pile, PileName, Position,
    Restriction, RuleFlag, RuleValue, TargetKind, Transform, Until, Whose, Word,
};
use smallvec::SmallVec;

use crate::base::card::CardId;
use crate::base::cost::CostChange;
use crate::base::list::Object;
use crate::base::list::{Cards, Objects};
use crate::event::{Cause, Event};
use crate::game::AbilityKind;
use crate::machine::zones::Show;
use crate::machine::{Flow, Guard, Machine, Step};
use crate::script::query::{Found, Purpose, Query, Stop};
use crate::state::decision::{Choice, Question};
use crate::state::facts::WHOLE_GAME;
use crate::state::{
    Change, ChangeKind, Dispatch, EffectTask, Frame, LOST, Life, Marks, Part, Register, Task,
};
use crate::{Phase, Seat, Seats};

/// Everything an effect needs to know before it may change something.
#[derive(Clone, Debug, Default)]
pub(crate) struct Prepared {
    pub amount: i32,
    pub objects: Objects,
    /// Top rather than bottom.
    pub top: bool,
}

impl Query<'_> {
    /// Evaluates the arguments of an effect and makes its choices.
    pub fn prepare(&mut self, kind: &EffectKind) -> Found<Prepared> {
        self.preparing = true;
        let prepared = self.prepare_command(kind);
        self.preparing = false;
        prepared
    }

    fn prepare_command(&mut self, kind: &EffectKind) -> Found<Prepared> {
        let EffectKind::Command(command) = kind else {
            return Ok(Prepared::default());
        };
        let mut prepared = Prepared {
            top: true,
            ..Prepared::default()
        };
        match command {
            Command::Damage(number)
            | Command::Draw(number)
            | Command::Hp(number)
            | Command::LoseLife(number)
            | Command::Trash(number)
            | Command::Turns(number)
            | Command::ModCost(_, number)
            | Command::ModDamage(number) => prepared.amount = self.number(*number)?,
            Command::Bp(amount) | Command::Sp(amount) => {
                let (Amount::Add(number) | Amount::Times(number) | Amount::Set(number)) = amount;
                prepared.amount = self.number(*number)?;
            }
            Command::Activate(expr)
            | Command::CopyAbility(expr)
            | Command::Transform(Transform::Like(expr)) => {
                prepared.objects = self.objects_of(*expr)?;
            }
            Command::Discard(target) => prepared.objects = self.discards(target)?,
            Command::MoveTo {
                position: Position::Ask,
                ..
            }
            | Command::MoveRevealedTo(_, Position::Ask) => {
                if !self.targets().is_empty() {
                    prepared.top = self.choose(Question::TopOrBottom, [Choice::Top, Choice::Bottom])? == 1;
                }
            }
            Command::MoveToSlot => prepared.amount = self.slot_to_move_to()?,
            Command::Prophecy(number, position) => self.prophecy(*number, *position, &mut prepared)?,
            Command::Steal(Some(target)) => prepared.objects = self.target(target, Purpose::Target)?,
            Command::AlterCost(..)
            | Command::Clear
            | Command::Destroy
            | Command::Each(_)
            | Command::Freeze { .. }
            | Command::LoseAbility
            | Command::SetRule(..)
            | Command::MovePile(..)
            | Command::MoveRevealedTo(..)
            | Command::MoveTo { .. }
            | Command::Peek
            | Command::PileView(..)
            | Command::PlayExtraChar
            | Command::RemoveFromAttack
            | Command::Reveal
            | Command::RevealPile(_)
            | Command::Shuffle(..)
            | Command::Skip(_)
            | Command::Steal(None)
            | Command::SwapAbilities
            | Command::SwapChars
            | Command::SwapPiles(..)
            | Command::Transform(Transform::Model(_))
            | Command::Unfreeze
            | Command::Unite => {}
        }
        Ok(prepared)
    }

    /// What the statement acts on.
    fn targets(&self) -> Objects {
        self.facts.s.arena.objects(self.frame.targets).collect()
    }

    /// The players that a player command acts on (R602).
    fn players_hit(&self) -> SmallVec<[Seat; 2]> {
        players_of(&self.targets(), self.facts.controller(self.frame.source))
    }

    /// R621, G205: the executor chooses, also from the opponent's hand.
    fn discards(&mut self, target: &cw_program::Target) -> Found<Objects> {
        let players = self.players_hit();
        let me = self.executor();
        let mut all = Objects::new();
        // Shown as a whole only where one player is hit and it is the opponent.
        if players[..] == [me.other()] && !is_random(target) && !is_plural(target) {
            self.shown = true;
        }
        for seat in players {
            self.forced = Some(seat);
            let found = self.target(target, Purpose::Discard(seat));
            self.forced = None;
            match found {
                Ok(found) => all.extend(found),
                Err(Stop::Fail) => {}
                Err(Stop::Ask) => return Err(Stop::Ask),
            }
        }
        if all.is_empty() { Err(Stop::Fail) } else { Ok(all) }
    }

    /// G235, GQ15: the executor chooses; one empty slot is taken, none is no move (-1).
    fn slot_to_move_to(&mut self) -> Found<i32> {
        let first = self.targets().first().and_then(|object| object.as_card());
        let Some((card, (seat, _))) = first.and_then(|card| Some((card, self.facts.s.slot_of(card)?))) else {
            return Ok(-1);
        };
        let slots = usize::from(self.facts.constants().ring_slots);
        let empty: SmallVec<[u8; 8]> = (0..slots)
            .filter(|at| self.facts.s.rings[seat][*at].card == CardId::NONE)
            .map(|at| at as u8)
            .collect();
        match empty[..] {
            [] => Ok(-1),
            [only] => Ok(i32::from(only)),
            _ => {
                let options = empty.iter().map(|slot| Choice::Slot(*slot));
                Ok(i32::from(self.choose(Question::MoveToSlot(card), options)?))
            }
        }
    }

    /// G216, D33: mandatory; the cards in the order of putting back, then where.
    fn prophecy(&mut self, number: Number, position: Option<Position>, prepared: &mut Prepared) -> Found<()> {
        let count = self.number(number)?.max(0) as usize;
        let (seat, pile) = self.prophecy_pile();
        let mut rest = self.facts.listed(seat, pile);
        rest.truncate(count);
        let of = rest.len() as u8;
        self.shown |= !rest.is_empty();
        prepared.amount = i32::from(of);
        prepared.top = !matches!(position, Some(Position::FromBottom(_)));
        while !rest.is_empty() {
            let chosen = prepared.objects.len() as u8;
            let at = if rest.len() == 1 {
                0
            } else {
                let options = rest.iter().map(|card| Choice::Card(*card));
                let entry = self.choose(
                    Question::Prophecy { chosen, of },
                    options.collect::<SmallVec<[_; 16]>>(),
                )?;
                rest.iter().position(|card| card.0 == entry).ok_or(Stop::Fail)?
            };
            prepared.objects.push(Object::card(rest.remove(at)));
            if chosen == 0 && matches!(position, None | Some(Position::Ask)) {
                prepared.top = self.choose(Question::TopOrBottom, [Choice::Top, Choice::Bottom])? == 1;
            }
        }
        Ok(())
    }

    /// The pile of the first target, else the deck of the source's controller.
    fn prophecy_pile(&self) -> (Seat, PileName) {
        let deck = |seat| (seat, PileName::Deck);
        match self.targets().first() {
            Some(object) => match (object.as_player(), object.as_card()) {
                (Some(seat), _) => deck(seat),
                (None, Some(card)) => match self.facts.zone(card) {
                    crate::base::card::ZoneKind::Pile(pile) => (self.facts.controller(card), pile),
                    _ => deck(self.facts.controller(self.frame.source)),
                },
                (None, None) => deck(self.executor()),
            },
            None => deck(self.facts.controller(self.frame.source)),
        }
    }
}

fn is_random(target: &cw_program::Target) -> bool {
    matches!(target.quantity, cw_program::Quantity::Random(_))
}

fn is_plural(target: &cw_program::Target) -> bool {
    match &target.kind {
        TargetKind::Either(items) | TargetKind::Each(items) => items.iter().all(|item| item.plural),
        TargetKind::Computed(_) => true,
    }
}

/// R602: the players in the list, or the controller where it is empty or begins with a card.
fn players_of(targets: &[Object], controller: Seat) -> SmallVec<[Seat; 2]> {
    match targets.first().and_then(|object| object.as_player()) {
        Some(_) => {
            let mut players = SmallVec::new();
            for seat in targets.iter().filter_map(|object| object.as_player()) {
                if !players.contains(&seat) {
                    players.push(seat);
                }
            }
            players
        }
        None => [controller].into_iter().collect(),
    }
}

impl Machine<'_> {
    fn hit_players(&self, targets: &[Object]) -> SmallVec<[Seat; 2]> {
        players_of(targets, self.facts().controller(self.frame().source))
    }

    /// Target cards of a command that acts on cards; where it has the source as default (R602, D27).
    fn hit_cards(&self, targets: &[Object], default_source: bool) -> SmallVec<[CardId; 16]> {
        if targets.is_empty() && default_source {
            return [self.frame().source].into_iter().collect();
        }
        targets.iter().filter_map(|object| object.as_card()).collect()
    }

    /// Begins an effect whose choices are made. Short ones are done at once; those that dispatch
    /// events in their middle become a task.
    pub fn begin_effect(&mut self, step: u16, prepared: &Prepared) -> Step {
        let program = self.running();
        let restriction = program.effects[usize::from(step)].restriction;
        let kind = &program.effects[usize::from(step)].effect.kind;
        let targets = self.objects(self.frame().targets);
        let command = match kind {
            EffectKind::Grant(keyword) => {
                self.grant_all(*keyword, &targets, restriction)?;
                return self.finish(true);
            }
            EffectKind::Remove(keyword) => {
                self.remove_all(*keyword, &targets, restriction)?;
                return self.finish(true);
            }
            EffectKind::Command(command) => command,
        };
        let mut task = EffectTask {
            effect: step,
            step: 0,
            index: 0,
            list: self.frame().targets,
            amount: prepared.amount,
        };
        match command {
            Command::Damage(_) => return self.push_effect(task),
            Command::LoseAbility | Command::SwapAbilities => {
                return self.push_effect(task);
            }
            Command::CopyAbility(_) => {
                let from = prepared.objects.first().and_then(|object| object.as_card());
                let Some(model) = from.and_then(|card| self.copyable(card)) else {
                    return self.finish(true);
                };
                task.amount = i32::from(model.0);
                task.list = self.default_to_source(&targets)?;
                return self.push_effect(task);
            }
            Command::Steal(_) => {
                let Some(victim) = targets.first().and_then(|object| object.as_card()) else {
                    return self.finish(true);
                };
                let Some(model) = self.copyable(victim) else {
                    return self.finish(true);
                };
                let thief = match &prepared.objects[..] {
                    [] => Object::card(self.frame().source),
                    [first, ..] => *first,
                };
                task.list = self.keep(&[thief, Object::card(victim)])?;
                task.amount = i32::from(model.0);
                return self.push_effect(task);
            }
            Command::Transform(into) => {
                let model = match into {
                    Transform::Model(model) => *model,
                    Transform::Like(_) => {
                        let card = prepared.objects.first().and_then(|object| object.as_card());
                        card.map(|card| self.s.cards[card.index()].model)
                    }
                };
                let Some(model) = model else {
                    return self.finish(true);
                };
                // The new form's autos run above this task, which then tells that it is done.
                self.push(Task::Effect(task))?;
                self.transform_all(&targets, model, restriction)?;
                return Ok(Flow::Go);
            }
            Command::Activate(_) => {
                let card = prepared.objects.first().and_then(|object| object.as_card());
                return self.activate_rule_of(card, task);
            }
            _ => {}
        }
        let success = self.do_at_once(command, &targets, prepared, restriction)?;
        self.finish(success)
    }

    fn default_to_source(&mut self, targets: &[Object]) -> Result<crate::base::list::List, Guard> {
        if targets.is_empty() {
            let source = self.frame().source;
            self.keep(&[Object::card(source)])
        } else {
            Ok(self.frame().targets)
        }
    }

    fn finish(&mut self, success: bool) -> Step {
        self.s.register = Register::Effect(success);
        Ok(Flow::Go)
    }

    /// An effect in its middle.
    pub fn effect(&mut self, task: EffectTask) -> Step {
        let program = self.running();
        let step = &program.effects[usize::from(task.effect)];
        let restriction = step.restriction;
        let EffectKind::Command(command) = &step.effect.kind else {
            return self.finish_task();
        };
        match command {
            Command::Damage(_) => self.damage_step(task),
            Command::LoseAbility => self.lose_step(task, restriction),
            Command::CopyAbility(_) => self.copy_step(task, restriction),
            Command::Steal(_) => self.steal_step(task, restriction),
            Command::SwapAbilities => self.swap_step(task, restriction),
            Command::Activate(_) => self.finish_task(),
            _ => self.finish_task(),
        }
    }

    fn finish_task(&mut self) -> Step {
        self.pop();
        self.finish(true)
    }

    fn target_at(&self, task: EffectTask, index: usize) -> Option<Object> {
        self.s.arena.objects(task.list).nth(index)
    }

    fn again(&mut self, task: EffectTask) -> Step {
        *self.top() = Task::Effect(task);
        Ok(Flow::Go)
    }

    /// G202, G160: each target in order; damage to a player from a card that is no character asks
    /// `beforeDamage` first.
    fn damage_step(&mut self, mut task: EffectTask) -> Step {
        let Some(target) = self.target_at(task, usize::from(task.index)) else {
            return self.finish_task();
        };
        let source = self.frame().source;
        let cause = Cause::Effect(self.s.running_source());
        if let Some(card) = target.as_card() {
            self.tick()?;
            self.damage_character(card, task.amount, source, cause);
        } else if let Some(seat) = target.as_player() {
            if task.step == 0 && !self.facts().model(source).is_character() {
                self.tick()?;
                task.step = 1;
                self.again(task)?;
                let executor = self.frame().executor;
                self.push_dispatch(EventName::BeforeDamage, None, Some(source), executor)?;
                return Ok(Flow::Go);
            }
            let sum = match self.take_register() {
                Register::Answered { sum, .. } => sum,
                _ => 0,
            };
            self.damage_player(seat, task.amount.saturating_add(sum), source, cause);
        }
        task.step = 0;
        task.index += 1;
        self.again(task)
    }

    /// The model whose ability the card has, if it has a text (G119).
    fn copyable(&self, card: CardId) -> Option<ModelId> {
        self.facts()
            .has_text(card)
            .then(|| self.facts().ability_model(card))
            .flatten()
    }

    fn ring_character(&self, object: Option<Object>) -> Option<CardId> {
        object
            .and_then(crate::base::list::Object::as_card)
            .filter(|card| self.facts().in_ring(*card))
    }

    /// G118.
    fn lose_step(&mut self, mut task: EffectTask, restriction: Option<Restriction>) -> Step {
        let Some(target) = self.target_at(task, usize::from(task.index)) else {
            return self.finish_task();
        };
        let card = self
            .ring_character(Some(target))
            .filter(|card| self.facts().has_text(*card));
        match (task.step, card) {
            (0, Some(card)) => {
                self.tick()?;
                task.step = 1;
                self.again(task)?;
                let executor = self.frame().executor;
                self.push_dispatch(EventName::Powerless, Some(card), Some(card), executor)?;
                return Ok(Flow::Go);
            }
            (1, Some(card)) => self.replace_ability(card, None, restriction)?,
            _ => {}
        }
        task.step = 0;
        task.index += 1;
        self.again(task)
    }

    /// G119.
    fn copy_step(&mut self, mut task: EffectTask, restriction: Option<Restriction>) -> Step {
        let Some(target) = self.target_at(task, usize::from(task.index)) else {
            return self.finish_task();
        };
        let card = self.ring_character(Some(target));
        match (task.step, card) {
            (0, Some(card)) => {
                self.tick()?;
                task.step = 1;
                self.again(task)?;
                let executor = self.facts().controller(card);
                self.push_dispatch(EventName::Powerless, Some(card), Some(card), executor)?;
                return Ok(Flow::Go);
            }
            (1, Some(card)) => {
                task.step = 0;
                task.index += 1;
                self.again(task)?;
                self.replace_ability(card, Some(ModelId(task.amount as u16)), restriction)?;
                return Ok(Flow::Go);
            }
            _ => {}
        }
        task.step = 0;
        task.index += 1;
        self.again(task)
    }

    /// G121: the thief gets the ability, then the victim loses it.
    fn steal_step(&mut self, mut task: EffectTask, restriction: Option<Restriction>) -> Step {
        let thief = self.ring_character(self.target_at(task, 0));
        let victim = self.ring_character(self.target_at(task, 1));
        let Some(thief) = thief else {
            return self.finish_task();
        };
        let executor = self.frame().executor;
        task.step += 1;
        self.again(task)?;
        match (task.step, victim) {
            (1, _) => {
                self.tick()?;
                self.push_dispatch(EventName::Powerless, Some(thief), Some(thief), executor)?;
            }
            (2, _) => self.replace_ability(thief, Some(ModelId(task.amount as u16)), restriction)?,
            (3, Some(victim)) => {
                self.push_dispatch(EventName::Powerless, Some(victim), Some(victim), executor)?;
            }
            // D65: also if it is the thief itself.
            (4, Some(victim)) => self.replace_ability(victim, None, restriction)?,
            _ => return self.finish_task(),
        }
        Ok(Flow::Go)
    }

    /// G122, D33: two characters that both have an ability.
    fn swap_step(&mut self, mut task: EffectTask, restriction: Option<Restriction>) -> Step {
        let first = self.ring_character(self.target_at(task, 0));
        let second = self.ring_character(self.target_at(task, 1));
        let (Some(first), Some(second)) = (first, second) else {
            return self.finish_task();
        };
        let executor = self.frame().executor;
        if task.step == 0 {
            let (Some(of_first), Some(of_second)) = (self.copyable(first), self.copyable(second)) else {
                return self.finish_task();
            };
            task.amount = i32::from(of_first.0) | i32::from(of_second.0) << 16;
        }
        let of_first = ModelId(task.amount as u16);
        let of_second = ModelId((task.amount >> 16) as u16);
        task.step += 1;
        self.again(task)?;
        match task.step {
            1 => {
                self.tick()?;
                self.push_dispatch(EventName::Powerless, Some(first), Some(first), executor)?;
            }
            2 => self.replace_ability(first, Some(of_second), restriction)?,
            3 => self.push_dispatch(EventName::Powerless, Some(second), Some(second), executor)?,
            4 => self.replace_ability(second, Some(of_first), restriction)?,
            _ => return self.finish_task(),
        }
        Ok(Flow::Go)
    }

    /// The character's ability becomes that of `model`, or none (G118, G119, D26).
    fn replace_ability(
        &mut self,
        card: CardId,
        model: Option<ModelId>,
        restriction: Option<Restriction>,
    ) -> Result<(), Guard> {
        let Some(slot) = self.s.slot(card).copied() else {
            return Ok(());
        };
        if let Some(restriction) = restriction {
            let source = self.frame().source;
            let life = self.life(source, Some(restriction), Life::WithSubject);
            self.s.changes.push(Change {
                kind: ChangeKind::Ability(slot.ability),
                subject: Object::card(card).0,
                source,
                named: self.name_of(source),
                life,
            })?;
        }
        self.switch_ability(card, model)
    }

    fn switch_ability(&mut self, card: CardId, model: Option<ModelId>) -> Result<(), Guard> {
        self.drop_listeners(card);
        self.drop_changes_of_source(card);
        self.set_ability(card, model);
        let Some(model) = model else { return Ok(()) };
        let instant = self.game.model(model).ability_kind() == Some(AbilityKind::Instant);
        if let Some(slot) = self.s.slot_mut(card) {
            slot.marks.clear(Marks::SPENT);
            if !instant {
                slot.marks.clear(Marks::ACTIVATED);
            }
        }
        self.initialise(card, true)
    }

    /// A timed change of ability or form ends (D26).
    pub fn undo_form(&mut self, change: Change) -> Result<(), Guard> {
        let Some(card) = Object(change.subject).as_card() else {
            return Ok(());
        };
        match change.kind {
            ChangeKind::Ability(before) if self.facts().in_ring(card) => {
                self.switch_ability(card, (before != LOST).then_some(before))
            }
            ChangeKind::Form(before) if self.facts().in_ring(card) => self.become_model(card, before),
            // D26, G248: outside the ring it stays what it is until it goes to a pile.
            ChangeKind::Form(_) => Ok(self.s.changes.push(Change {
                life: Life::WithSubject,
                ..change
            })?),
            _ => Ok(()),
        }
    }

    /// G243–G248.
    fn transform_all(
        &mut self,
        targets: &[Object],
        model: ModelId,
        restriction: Option<Restriction>,
    ) -> Result<(), Guard> {
        for card in targets.iter().filter_map(|object| object.as_card()) {
            self.tick()?;
            let in_ring = self.facts().in_ring(card);
            // D6: a model that is no character does nothing in a ring.
            if in_ring && !self.game.model(model).is_character() {
                continue;
            }
            let before = self.s.cards[card.index()].model;
            self.become_model(card, model)?;
            let subject = Object::card(card).0;
            let has_form = self
                .s
                .changes
                .iter()
                .any(|change| change.subject == subject && matches!(change.kind, ChangeKind::Form(_)));
            let source = self.frame().source;
            match restriction {
                // G13: the first original counts.
                None if has_form => {}
                _ => {
                    // G248: what it was belongs to the card, not to what transformed it.
                    let life = match restriction {
                        Some(_) => self.life(source, restriction, Life::WithSubject),
                        None => Life::WithSubject,
                    };
                    self.s.changes.push(Change {
                        kind: ChangeKind::Form(before),
                        subject,
                        source,
                        named: self.name_of(source),
                        life,
                    })?;
                }
            }
        }
        Ok(())
    }

    /// The card is another model now, in the same place (G243, G247, D6).
    fn become_model(&mut self, card: CardId, model: ModelId) -> Result<(), Guard> {
        let subject = Object::card(card).0;
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
            self.log.tell(|| Event::Transformed {
                card: before,
                into: self.s.seen(card),
            });
            return self.initialise(card, true);
        }
        let before = self.s.seen(card);
        let entry = &mut self.s.cards[card.index()];
        entry.model = model;
        entry.set_known(Seats::BOTH);
        self.log.tell(|| Event::Transformed {
            card: before,
            into: self.s.seen(card),
        });
        Ok(())
    }

    /// G226, D31.
    fn activate_rule_of(&mut self, card: Option<CardId>, task: EffectTask) -> Step {
        let Some(model) = card.and_then(|card| self.facts().ability_model(card)) else {
            return self.finish(true);
        };
        let Some(program) = self.game.model(model).program.as_ref() else {
            return self.finish(true);
        };
        let caller = *self.frame();
        self.tick()?;
        let source_is_character = self.facts().model(caller.source).is_character();
        if !source_is_character {
            self.register_autos_of(caller.source, model)?;
        }
        if program.rule.actions.is_empty() {
            return self.finish(true);
        }
        self.push_effect(task)?;
        self.push_frame(caller.source, caller.executor, model, Part::Nested, 0)?;
        let nested = self.frame_mut();
        nested.committed = caller.committed;
        nested.discarded = caller.discarded;
        nested.sacrificed = caller.sacrificed;
        nested.destroyed = caller.destroyed;
        nested.moved = caller.moved;
        nested.trashed = caller.trashed;
        nested.trigger = caller.trigger;
        (nested.attacker, nested.blocker, nested.ua_bp) = (caller.attacker, caller.blocker, caller.ua_bp);
        Ok(Flow::Go)
    }

    /// Commands that need no dispatch in their middle.
    fn do_at_once(
        &mut self,
        command: &Command,
        targets: &[Object],
        prepared: &Prepared,
        restriction: Option<Restriction>,
    ) -> Result<bool, Guard> {
        let executor = self.frame().executor;
        let source = self.frame().source;
        let cause = Cause::Effect(self.s.running_source());
        let amount = prepared.amount;
        match command {
            Command::Bp(how) => {
                for card in self.hit_cards(targets, true) {
                    self.tick()?;
                    self.change_bp(card, *how, amount, restriction)?;
                }
            }
            Command::Sp(how) => {
                for seat in self.hit_players(targets) {
                    self.tick()?;
                    self.change_sp(seat, *how, amount, cause);
                }
            }
            Command::Hp(_) => {
                for seat in self.hit_players(targets) {
                    self.tick()?;
                    self.change_hp(seat, amount, cause, amount < 0); // G163
                }
            }
            Command::LoseLife(_) => {
                for seat in self.hit_players(targets) {
                    self.tick()?;
                    self.change_hp(seat, -amount.max(0), cause, true); // G162
                }
            }
            Command::Draw(_) => {
                for seat in self.hit_players(targets) {
                    self.tick()?;
                    self.draw(seat, amount.max(0) as usize)?;
                }
            }
            Command::Trash(_) => self.trash(targets, amount)?,
            Command::Discard(target) => self.discard_found(targets, target, &prepared.objects)?,
            Command::Destroy => {
                let cards = self.hit_cards(targets, true);
                let all: Objects = cards.iter().map(|card| Object::card(*card)).collect();
                let list = self.keep(&all)?;
                self.frame_mut().destroyed = list; // R611
                self.each_card(&cards, |machine, card| {
                    machine.tick()?;
                    match machine.pile_of(card) {
                        Some((_, PileName::Discards)) => Ok(()),
                        _ => machine.discard_card(card),
                    }
                })?;
            }
            Command::MoveTo {
                pile,
                position,
                reveal,
            } => {
                let position = resolve_ask(*position, prepared.top);
                self.move_all(targets, *pile, position, *reveal)?;
            }
            Command::MoveRevealedTo(pile, position) => {
                return self.move_revealed(targets, *pile, resolve_ask(*position, prepared.top));
            }
            Command::MovePile(from, to) => {
                let (from_seat, to_seat) = (self.whose(from.whose), self.whose(to.whose));
                let cards = self.facts().listed(from_seat, from.name);
                self.each_card(&cards, |machine, card| {
                    machine.tick()?;
                    machine.move_card(card, to_seat, to.name, 0, Show::Nobody)
                })?;
            }
            Command::SwapPiles(a, b) => self.swap_piles(*a, *b)?,
            Command::Shuffle(whose, pile) => {
                let seat = match whose {
                    None => targets
                        .first()
                        .and_then(|object| object.as_player())
                        .unwrap_or(executor),
                    Some(Whose::Mine) => executor,
                    Some(Whose::Opponent) => executor.other(),
                    Some(Whose::Controller) => {
                        let first = targets.first().and_then(|object| object.as_card());
                        self.facts().controller(first.unwrap_or(source))
                    }
                };
                self.shuffle(seat, *pile);
            }
            Command::Freeze { toggle } => {
                for card in self.hit_cards(targets, false) {
                    self.tick()?;
                    let frozen = !(*toggle && self.facts().is_frozen(card));
                    self.set_frozen(card, frozen);
                }
            }
            Command::Unfreeze => {
                for card in self.hit_cards(targets, false) {
                    self.tick()?;
                    self.set_frozen(card, false);
                }
            }
            Command::Clear => self.clear(targets),
            Command::PlayExtraChar => {
                let player = &mut self.s.players[executor];
                player.chars_per_turn = player.chars_per_turn.saturating_add(1);
                self.tell_play_limit(executor, None);
            }
            Command::Skip(phase) => {
                let phase = Phase::from_index(*phase as usize).expect("phases have the same order");
                for seat in self.hit_players(targets) {
                    self.s.players[seat].skip |= 1 << phase as u8;
                    self.log.tell(|| Event::WillSkip { seat, phase });
                }
            }
            Command::Turns(_) => {
                // D34: at least so many; two effects of one give one (GQ16).
                let player = &mut self.s.players[executor];
                player.extra_turns = player.extra_turns.max(amount.clamp(0, 100) as u8);
                let turns = player.extra_turns;
                let by = self.origin();
                self.log.tell(|| Event::ExtraTurns {
                    seat: executor,
                    turns,
                    by,
                });
            }
            Command::SetRule(flag, value) => self.set_rule(*flag, *value, targets, restriction)?,
            Command::AlterCost(kind, how) => {
                let (change, told) = match how {
                    CostAmount::Add(value) => {
                        (ChangeKind::CostAdd(*kind as u8, *value), CostChange::Add(*value))
                    }
                    CostAmount::Set(value) => {
                        (ChangeKind::CostSet(*kind as u8, *value), CostChange::Set(*value))
                    }
                };
                let life = self.life(source, restriction, Life::Forever);
                self.s.changes.push(Change {
                    kind: change,
                    subject: WHOLE_GAME,
                    source,
                    named: self.name_of(source),
                    life,
                })?;
                let (kind, by) = (*kind, self.origin());
                self.log.tell(|| Event::Cost {
                    kind,
                    source: self.s.running_source(),
                    made: true,
                    how: told,
                    by,
                });
            }
            Command::ModDamage(_) => self.mod_damage(amount),
            Command::ModCost(..) | Command::Each(_) => {}
            Command::Reveal => {
                for card in self.hit_cards(targets, false) {
                    self.show_card_to(card, Seats::BOTH);
                }
            }
            Command::RevealPile(pile) => {
                for seat in self.hit_players(targets) {
                    self.show_pile_to(seat.other(), seat, *pile);
                }
            }
            Command::Peek => self.peek(targets),
            Command::PileView(pile, view) => {
                let seat = self.whose(pile.whose);
                self.log.tell(|| Event::PileView {
                    seat,
                    pile: pile.name,
                    view: *view,
                });
            }
            Command::Prophecy(..) => self.put_back(prepared)?,
            Command::MoveToSlot => self.move_to_slot(targets, amount),
            Command::SwapChars => self.swap_chars(targets),
            Command::RemoveFromAttack => {
                for card in self.hit_cards(targets, false) {
                    self.tick()?;
                    if self.facts().controller(card) != executor {
                        self.cancel_attack(card);
                    }
                }
            }
            Command::Unite => self.unite(targets)?,
            Command::Activate(_)
            | Command::CopyAbility(_)
            | Command::Damage(_)
            | Command::LoseAbility
            | Command::Steal(_)
            | Command::SwapAbilities
            | Command::Transform(_) => unreachable!("these are tasks of their own"),
        }
        Ok(true)
    }

    /// What a source is called by all that it makes and that outlives it (D64).
    fn name_of(&self, source: CardId) -> ModelId {
        let running = self.s.frames.last().filter(|frame| frame.source == source);
        running.map_or(self.s.cards[source.index()].model, |frame| frame.named)
    }

    fn whose(&self, whose: Whose) -> Seat {
        let executor = self.frame().executor;
        match whose {
            Whose::Mine => executor,
            Whose::Opponent => executor.other(),
            Whose::Controller => self.facts().controller(self.frame().source),
        }
    }

    /// How long a change lasts (R803, R804, D1, D26): without restriction as long as a character
    /// source keeps its ability; otherwise `lasting`.
    pub fn life(&self, source: CardId, restriction: Option<Restriction>, lasting: Life) -> Life {
        let Some(restriction) = restriction else {
            return if self.facts().in_ring(source) {
                Life::WithSource
            } else {
                lasting
            };
        };
        let owner = self.facts().controller(source);
        let seat = if restriction.opponent {
            owner.other()
        } else {
            owner
        };
        match restriction.until {
            Until::EndOfTurn => Life::Cleanup(seat),
            Until::NextTurn => Life::Activate(seat),
            Until::NextAction => Life::NextAction(seat),
        }
    }

    /// G166–G168, D26.
    fn change_bp(
        &mut self,
        card: CardId,
        how: Amount,
        amount: i32,
        restriction: Option<Restriction>,
    ) -> Result<(), Guard> {
        if !self.facts().in_ring(card) {
            return Ok(());
        }
        let source = self.frame().source;
        let before = self.s.ring_bp(card);
        let after = match how {
            Amount::Add(_) => before.saturating_add(amount),
            Amount::Times(_) => before.saturating_mul(amount),
            Amount::Set(_) => round_to_hundreds(amount),
        };
        self.set_bp(card, after, Cause::Effect(self.s.running_source()));
        let gained = self.s.ring_bp(card).saturating_sub(before);
        if restriction.is_some() && gained != 0 {
            let life = self.life(source, restriction, Life::WithSubject);
            let subject = Object::card(card).0;
            self.s.changes.push(Change {
                kind: ChangeKind::Bp(gained),
                subject,
                source,
                named: self.name_of(source),
                life,
            })?;
        }
        Ok(())
    }

    /// G164, G165, D32.
    fn change_sp(&mut self, seat: Seat, how: Amount, amount: i32, cause: Cause) {
        let from = self.s.players[seat].sp;
        let to = match how {
            Amount::Add(_) | Amount::Times(_) => from.saturating_add(amount),
            Amount::Set(_) => amount,
        }
        .max(0);
        self.s.players[seat].sp = to;
        let loses = match how {
            Amount::Add(_) | Amount::Times(_) => amount < 0,
            Amount::Set(_) => to < from,
        };
        if loses {
            self.s.players[seat].lost_sp = from - to;
        }
        if from != to {
            let by = self.origin();
            self.log.tell(|| Event::Sp {
                seat,
                from,
                to,
                cause,
                by,
            });
        }
    }

    /// G207.
    fn trash(&mut self, targets: &[Object], amount: i32) -> Result<(), Guard> {
        for seat in self.hit_players(targets) {
            self.tick()?;
            let cards: SmallVec<[CardId; 16]> = self
                .s
                .pile_cards(seat, PileName::Deck)
                .take(amount.max(0) as usize)
                .collect();
            for card in &cards {
                self.move_card(*card, seat, PileName::Discards, 0, Show::Nobody)?;
            }
            let all: Objects = cards.iter().map(|card| Object::card(*card)).collect();
            let list = self.keep(&all)?;
            self.frame_mut().trashed = list; // the last player's (R611)
        }
        Ok(())
    }

    /// R621, G205.
    fn discard_found(
        &mut self,
        targets: &[Object],
        target: &cw_program::Target,
        found: &[Object],
    ) -> Result<(), Guard> {
        let executor = self.frame().executor;
        let players = self.hit_players(targets);
        let whole_hand_shown = players[..] == [executor.other()] && !is_random(target) && !is_plural(target);
        if whole_hand_shown {
            self.let_see_hand(executor, executor.other());
        }
        let found: SmallVec<[CardId; 16]> = found.iter().filter_map(|object| object.as_card()).collect();
        // R611: those of the last player who discards any. Their indices are known when they have left.
        let hit = |seat: &&Seat| found.iter().any(|card| self.facts().controller(*card) == **seat);
        let last = players.iter().rev().find(hit).copied();
        let mut discarded = Objects::new();
        self.each_card(&found, |machine, card| {
            machine.tick()?;
            let seat = machine.facts().controller(card);
            let card = machine.leaving(card, PileName::Discards, true);
            if Some(seat) == last {
                discarded.push(Object::card(card));
            }
            machine.discard_card(card)
        })?;
        let list = self.keep(&discarded)?;
        self.frame_mut().discarded = list;
        Ok(())
    }

    /// G209, R617, R618.
    fn move_all(
        &mut self,
        targets: &[Object],
        pile: Pile,
        position: Position,
        reveal: Option<bool>,
    ) -> Result<(), Guard> {
        let list = self.keep(targets)?;
        self.frame_mut().moved = list;
        let executor = self.frame().executor;
        let show = if reveal == Some(true) {
            Show::Both
        } else {
            Show::Nobody
        };
        let cards: SmallVec<[CardId; 16]> = targets.iter().filter_map(|object| object.as_card()).collect();
        self.each_card(&cards, |machine, card| {
            machine.tick()?;
            let seat = match pile.whose {
                Whose::Mine => executor,
                Whose::Opponent => executor.other(),
                Whose::Controller => machine.facts().controller(card),
            };
            machine.move_to_position(card, seat, pile.name, position, show)
        })
    }

    fn move_to_position(
        &mut self,
        card: CardId,
        seat: Seat,
        pile: PileName,
        position: Position,
        show: Show,
    ) -> Result<(), Guard> {
        let same = self.pile_of(card) == Some((seat, pile));
        let others = self.s.pile_count(seat, pile) - usize::from(same);
        let index = match position {
            Position::FromTop(above) => usize::from(above),
            Position::FromBottom(below) => others.saturating_sub(usize::from(below)),
            Position::Ask => 0,
        };
        self.move_card(card, seat, pile, index, show)
    }

    /// R623, G213, D33, GQ41.
    fn move_revealed(&mut self, targets: &[Object], pile: Pile, position: Position) -> Result<bool, Guard> {
        let executor = self.frame().executor;
        let hit = targets
            .iter()
            .filter_map(|object| object.as_card())
            .find_map(|card| {
                let (seat, pile) = self.pile_of(card)?;
                Some((card, seat, pile))
            });
        let searched = self.frame().searched;
        let (seat, from) = match hit {
            Some((_, seat, from)) => (seat, from),
            None => searched.unwrap_or((executor, PileName::Deck)),
        };
        let mut cards = self.facts().listed(seat, from);
        if cards.is_empty() {
            return Ok(false);
        }
        if let Some((found, ..)) = hit {
            let at = cards.iter().position(|card| *card == found).unwrap_or(0);
            cards.truncate(at);
        }
        let to = match pile.whose {
            Whose::Mine => executor,
            Whose::Opponent => executor.other(),
            Whose::Controller => seat, // the owner of the searched pile
        };
        let found = hit.map(|(found, ..)| found);
        self.held.extend(found);
        let moved = self.each_card(&cards, |machine, card| {
            machine.tick()?;
            machine.show_card_to(card, Seats::BOTH);
            machine.move_to_position(card, to, pile.name, position, Show::Both)
        });
        let found = found.and_then(|_| self.held.pop());
        moved?;
        if let Some(found) = found {
            self.show_card_to(found, Seats::BOTH); // G273
        }
        Ok(true)
    }

    /// D33: contents exchanged, each keeping its order; a hand has none (D77).
    fn swap_piles(&mut self, a: Pile, b: Pile) -> Result<(), Guard> {
        let (seat_a, seat_b) = (self.whose(a.whose), self.whose(b.whose));
        if (seat_a, a.name) == (seat_b, b.name) {
            return Ok(());
        }
        let of_a = self.facts().listed(seat_a, a.name);
        let of_b = self.facts().listed(seat_b, b.name);
        let all: SmallVec<[CardId; 64]> = of_b.iter().chain(&of_a).copied().collect();
        let mut index = 0_usize;
        self.each_card(&all, |machine, card| {
            let at = index;
            index += 1;
            match at.checked_sub(of_b.len()) {
                None => machine.move_card(card, seat_a, a.name, at, Show::Nobody),
                Some(at) => machine.move_card(card, seat_b, b.name, at, Show::Nobody),
            }
        })
    }

    /// D34: the mark of the cards of the statement's own clause, else of the source.
    fn clear(&mut self, targets: &[Object]) {
        let source = self.frame().source;
        let own_clause = self.frame().own_targets;
        let cards: SmallVec<[CardId; 16]> = if own_clause {
            targets.iter().filter_map(|object| object.as_card()).collect()
        } else {
            [source].into_iter().collect()
        };
        for card in cards {
            if let Some(slot) = self.s.slot_mut(card) {
                slot.marks.clear(Marks::ACTIVATED);
            }
            if card == source {
                self.frame_mut().cleared = true;
            }
        }
    }

    /// G250, G251, D25: a new entry of the same source replaces the old one.
    fn set_rule(
        &mut self,
        flag: RuleFlag,
        value: RuleValue,
        targets: &[Object],
        restriction: Option<Restriction>,
    ) -> Result<(), Guard> {
        let source = self.frame().source;
        let player = targets.first().filter(|object| object.as_player().is_some());
        let subject = player.map_or(WHOLE_GAME, |object| object.0);
        let value = match value {
            RuleValue::Bool(on) => i32::from(on),
            RuleValue::Limit(limit) => limit,
        };
        let life = self.life(source, restriction, Life::Forever);
        self.s.changes.retain(|change| {
            let same = matches!(change.kind, ChangeKind::Flag(other, _) if other == flag as u8);
            !(same && change.source == source && change.subject == subject)
        });
        self.s.changes.push(Change {
            kind: ChangeKind::Flag(flag as u8, value),
            subject,
            source,
            named: self.name_of(source),
            life,
        })?;
        self.log.tell(|| Event::Rule {
            flag,
            source: self.s.running_source(),
            value: Some(value),
        });
        Ok(())
    }

    /// G233, GQ8: adds to the damage being dealt.
    fn mod_damage(&mut self, amount: i32) {
        let event = EventName::BeforeDamage as u8;
        for task in self.s.tasks.iter_mut().rev() {
            if let Task::Dispatch(Dispatch { event: of, sum, .. }) = task
                && *of == event
            {
                *sum = sum.saturating_add(amount);
                return;
            }
        }
    }

    /// D34, G271.
    fn peek(&mut self, targets: &[Object]) {
        let executor = self.frame().executor;
        let own_clause = self.frame().own_targets || self.frame().main.is_defined();
        let opponent = executor.other();
        match targets.first() {
            Some(object) if own_clause => match object.as_player() {
                Some(seat) => self.show_pile_to(executor, seat, PileName::Hand),
                None => {
                    for card in targets.iter().filter_map(|object| object.as_card()) {
                        if matches!(self.pile_of(card), Some((_, PileName::Hand | PileName::Deck))) {
                            self.show_card_to(card, Seats::only(executor));
                        }
                    }
                }
            },
            _ => self.show_pile_to(executor, opponent, PileName::Hand),
        }
    }

    /// G216, G272.
    fn put_back(&mut self, prepared: &Prepared) -> Result<(), Guard> {
        let executor = self.frame().executor;
        let Some(first) = prepared.objects.first().and_then(|object| object.as_card()) else {
            return Ok(());
        };
        let Some((seat, pile)) = self.pile_of(first) else {
            return Ok(());
        };
        let cards = prepared.objects.len() as u8;
        self.log.tell(|| Event::Looked {
            seat: executor,
            deck: seat,
            cards,
        });
        let places: Cards = self.s.pile_cards(seat, pile).collect();
        for card in prepared.objects.iter().filter_map(|object| object.as_card()) {
            self.tick()?;
            self.show_card_to(card, Seats::only(executor));
            self.s.take_out(card);
            let index = if prepared.top {
                0
            } else {
                self.s.pile_count(seat, pile)
            };
            self.s.insert(card, seat, pile, index);
        }
        // The order is nobody else's business: the indices stay where they were.
        let order: Cards = self.s.pile_cards(seat, pile).collect();
        if !self.moves_cards {
            self.exchange(&order, &places);
            self.s.set_top(seat, pile, &places);
        }
        Ok(())
    }

    fn move_to_slot(&mut self, targets: &[Object], slot: i32) {
        let first = targets.first().and_then(|object| object.as_card());
        let Some((seat, at)) = first.and_then(|card| self.s.slot_of(card)) else {
            return;
        };
        let Ok(to) = usize::try_from(slot) else { return };
        self.s.rings[seat].swap(at, to);
        let card = self.s.rings[seat][to].card;
        self.log.tell(|| Event::SlotChanged {
            card: self.s.seen(card),
            slot: to as u8,
        });
    }

    /// G234, GQ48: both in one ring.
    fn swap_chars(&mut self, targets: &[Object]) {
        let mut cards = targets.iter().filter_map(|object| object.as_card());
        let (Some(a), Some(b)) = (cards.next(), cards.next()) else {
            return;
        };
        let (Some((seat, at)), Some((other, to))) = (self.s.slot_of(a), self.s.slot_of(b)) else {
            return;
        };
        if seat == other {
            self.s.rings[seat].swap(at, to);
            self.log.tell(|| Event::SlotChanged {
                card: self.s.seen(a),
                slot: to as u8,
            });
            self.log.tell(|| Event::SlotChanged {
                card: self.s.seen(b),
                slot: at as u8,
            });
        }
    }

    /// G236, G139, D12: the opponent's attackers are forced into one United Attack.
    fn unite(&mut self, targets: &[Object]) -> Result<(), Guard> {
        let active = self.s.active;
        if self.frame().executor == active {
            return Ok(());
        }
        let attackers: SmallVec<[CardId; 8]> = targets
            .iter()
            .filter_map(|object| object.as_card())
            .filter(|card| self.facts().attacks(*card) && self.facts().controller(*card) == active)
            .collect();
        let Some(anchor) = self.s.united.first().copied().or(attackers.first().copied()) else {
            return Ok(());
        };
        for card in attackers {
            self.tick()?;
            let full = self.s.united.len() > usize::from(self.game.constants.united_followers);
            if card == anchor
                || self.facts().in_united(card)
                || full
                || self.able_to_attack(card, true).is_err()
            {
                continue;
            }
            self.unite_with(card, anchor);
        }
        Ok(())
    }

    /// Gives a keyword to all targets (R801, D27).
    fn grant_all(
        &mut self,
        keyword: Keyword,
        targets: &[Object],
        restriction: Option<Restriction>,
    ) -> Result<(), Guard> {
        let source = self.frame().source;
        for subject in self.keyword_subjects(keyword, targets) {
            self.tick()?;
            let life = self.life(source, restriction, Life::WithSubject);
            self.grant(keyword, subject, source, life)?;
        }
        Ok(())
    }

    /// R802: the targets of the right kind.
    fn keyword_subjects(&self, keyword: Keyword, targets: &[Object]) -> Objects {
        let source = self.frame().source;
        let on_players = matches!(keyword, Keyword::CantPlayAc | Keyword::CantPlayRe);
        if on_players {
            let own = self.frame().own_targets || targets.iter().any(|object| object.as_player().is_some());
            if !own {
                return [Object::player(self.facts().controller(source))]
                    .into_iter()
                    .collect();
            }
            return targets
                .iter()
                .copied()
                .filter(|object| object.as_player().is_some())
                .collect();
        }
        let all: Objects = if targets.is_empty() {
            [Object::card(source)].into_iter().collect()
        } else {
            targets.into()
        };
        all.into_iter()
            .filter(|object| object.as_card().is_some_and(|card| self.facts().in_ring(card)))
            .collect()
    }

    pub fn grant(
        &mut self,
        keyword: Keyword,
        subject: Object,
        source: CardId,
        life: Life,
    ) -> Result<(), Guard> {
        let change = Change {
            kind: ChangeKind::Grant(keyword as u8),
            subject: subject.0,
            source,
            named: self.name_of(source),
            life,
        };
        // R801: stored once; a later one wins over a suppression (D35), so it moves to the end.
        self.s.changes.retain(|other| *other != change);
        self.s.changes.push(change)?;
        self.log.tell(|| Event::Keyword {
            subject: self.s.subject(subject),
            keyword,
            gained: true,
            source: Some(self.s.source_seen(source, change.named)),
        });
        self.keyword_arrives(subject, keyword);
        Ok(())
    }

    /// What a keyword does on arrival (G257, G258), however it arrives: printed on what the card
    /// becomes or takes over (G104.1), granted (R801), or in force again because what suppressed it
    /// is over (D35).
    pub fn keyword_arrives(&mut self, subject: Object, keyword: Keyword) {
        let Some(card) = subject.as_card() else { return };
        if !self.facts().has_keyword(subject, keyword) {
            return;
        }
        match keyword {
            Keyword::CantAttack => self.cancel_attack(card),
            Keyword::CantBlock => self.cancel_block(card), // G148
            Keyword::Rush => {
                if let Some(slot) = self.s.slot_mut(card) {
                    slot.marks.clear(Marks::FRESH);
                }
            }
            Keyword::Unblockable
            | Keyword::UnlimitedBackup
            | Keyword::Unfreezable
            | Keyword::Pierce
            | Keyword::PreventPierce
            | Keyword::Frosted
            | Keyword::CantPlayAc
            | Keyword::CantPlayRe => {}
        }
    }

    /// R625, D35.
    fn remove_all(
        &mut self,
        keyword: Keyword,
        targets: &[Object],
        restriction: Option<Restriction>,
    ) -> Result<(), Guard> {
        let source = self.frame().source;
        for subject in self.keyword_subjects(keyword, targets) {
            self.tick()?;
            let had = self.facts().has_keyword(subject, keyword);
            if restriction.is_none() {
                self.s.changes.retain(|change| {
                    let granted = change.subject == subject.0
                        && matches!(change.kind, ChangeKind::Grant(other) if other == keyword as u8);
                    !(granted && is_untimed(change.life))
                });
            }
            // What is printed, or granted for a time, is suppressed.
            if restriction.is_some() || self.facts().has_keyword(subject, keyword) {
                let life = self.life(source, restriction, Life::WithSubject);
                let kind = ChangeKind::Suppress(keyword as u8);
                self.s.changes.push(Change {
                    kind,
                    subject: subject.0,
                    source,
                    named: self.name_of(source),
                    life,
                })?;
            }
            if had {
                self.log.tell(|| Event::Keyword {
                    subject: self.s.subject(subject),
                    keyword,
                    gained: false,
                    source: Some(self.s.running_source()),
                });
            }
        }
        Ok(())
    }

    /// R505, D35: only untimed grants of the same source.
    pub fn take_back(&mut self, subject: Object, keyword: Keyword, source: CardId) {
        let had = self.facts().has_keyword(subject, keyword);
        self.s.changes.retain(|change| {
            let granted = change.subject == subject.0
                && change.source == source
                && matches!(change.kind, ChangeKind::Grant(other) if other == keyword as u8);
            !(granted && is_untimed(change.life))
        });
        if had && !self.facts().has_keyword(subject, keyword) {
            self.log.tell(|| Event::Keyword {
                subject: self.s.subject(subject),
                keyword,
                gained: false,
                source: Some(self.s.running_source()),
            });
        }
    }

    /// D24: continuous autos, after every effect step.
    pub fn settle_continuous(&mut self) -> Result<(), Guard> {
        if self.s.heard & CONTINUOUS == 0 {
            return Ok(());
        }
        for at in 0..self.s.listeners.len() {
            let Some(listener) = self.s.listeners.get(at).copied() else {
                break;
            };
            let Some(program) = self.facts().listener_program(&listener) else {
                continue;
            };
            if !program.autos[usize::from(listener.auto)].continuous {
                continue;
            }
            let statements = &program.rule.autos[usize::from(listener.auto)].statements;
            let frame = Frame {
                model: listener.model,
                part: Part::Event,
                index: listener.auto,
                source: listener.card,
                executor: self.facts().controller(listener.card),
                ..Frame::BLANK
            };
            let wanted = self
                .silently(&frame, |query| Ok(query.continuous(statements)))
                .unwrap_or_default();
            if self.log.0.is_some() {
                self.tell_continuous(&frame);
            }
            self.apply_continuous(listener.card, &wanted)?;
        }
        Ok(())
    }

    fn apply_continuous(&mut self, source: CardId, wanted: &[(ChangeKind, Object)]) -> Result<(), Guard> {
        let is_wanted = |change: &Change| wanted.contains(&(change.kind, Object(change.subject)));
        let gone: SmallVec<[Change; 4]> = self
            .s
            .changes
            .iter()
            .filter(|change| change.source == source && change.life == Life::Continuous && !is_wanted(change))
            .copied()
            .collect();
        for change in gone {
            self.s.changes.retain(|other| *other != change);
            if let ChangeKind::Grant(keyword) | ChangeKind::Suppress(keyword) = change.kind {
                let keyword = Keyword::ALL[usize::from(keyword)];
                let subject = Object(change.subject);
                let gained = self.facts().has_keyword(subject, keyword);
                self.log.tell(|| Event::Keyword {
                    subject: self.s.subject(subject),
                    keyword,
                    gained,
                    source: Some(self.s.source_seen(source, change.named)),
                });
                if matches!(change.kind, ChangeKind::Suppress(_)) {
                    self.keyword_arrives(subject, keyword);
                }
            }
        }
        for (kind, subject) in wanted {
            let change = Change {
                kind: *kind,
                subject: subject.0,
                source,
                named: self.name_of(source),
                life: Life::Continuous,
            };
            if self.s.changes.contains(&change) {
                continue;
            }
            match kind {
                ChangeKind::Grant(keyword) => {
                    self.grant(
                        Keyword::ALL[usize::from(*keyword)],
                        *subject,
                        source,
                        Life::Continuous,
                    )?;
                }
                ChangeKind::Suppress(_) => self.s.changes.push(change)?,
                _ => {}
            }
        }
        Ok(())
    }
}

impl Query<'_> {
    /// What the statements of a continuous auto grant and suppress now.
    fn continuous(&mut self, statements: &[cw_program::Statement]) -> SmallVec<[(ChangeKind, Object); 4]> {
        let mut wanted = SmallVec::new();
        for statement in statements {
            let cw_program::StatementKind::If { arms, otherwise } = &statement.kind else {
                continue;
            };
            let arm = arms
                .iter()
                .position(|(condition, _)| self.truth(*condition) == Ok(true));
            let Some(branch) = arm.map(|arm| &arms[arm].1).or(otherwise.as_ref()) else {
                continue;
            };
            let targets = match &branch.to {
                Some(clause) => self.clause(clause).unwrap_or_default(),
                None => [Object::card(self.frame.source)].into_iter().collect(),
            };
            for effect in &branch.effects {
                let kind = match &effect.kind {
                    EffectKind::Grant(keyword) => ChangeKind::Grant(*keyword as u8),
                    EffectKind::Remove(keyword) => ChangeKind::Suppress(*keyword as u8),
                    EffectKind::Command(_) => continue,
                };
                wanted.extend(targets.iter().map(|target| (kind, *target)));
            }
        }
        wanted
    }
}

/// Set in [`crate::state::State::heard`] while a continuous auto is registered.
pub(crate) const CONTINUOUS: u32 = 1 << 31;

fn is_untimed(life: Life) -> bool {
    match life {
        Life::WithSource | Life::WithSubject | Life::Forever | Life::Continuous => true,
        Life::Cleanup(_) | Life::Activate(_) | Life::NextAction(_) => false,
    }
}

/// G167: halves away from zero.
fn round_to_hundreds(amount: i32) -> i32 {
    let rounded = (i64::from(amount).abs() + 50) / 100 * 100 * i64::from(amount.signum());
    rounded.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32
}

fn resolve_ask(position: Position, top: bool) -> Position {
    match position {
        Position::Ask if top => Position::FromTop(0),
        Position::Ask => Position::FromBottom(0),
        Position::FromTop(_) | Position::FromBottom(_) => position,
    }
}
