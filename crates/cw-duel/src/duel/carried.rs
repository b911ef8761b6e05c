//! A duel that goes on under another version of its game: the same position, the new rules (D108).
//!
//! The state is a value, and little of it depends on the game: numbers of cards, the places of programs, and
//! what listens. Numbers are exchanged, listeners are compared auto by auto, and the question that waits is
//! asked again. A program that has begun cannot go on as another one: in the middle of an effect a duel is
//! not carried, and whoever has its history goes back to a step before the effect.

use std::sync::Arc;

use cw_program::{
    AutoKind, ClosedWord as _, CompiledRule, Keyword, ModelId, RuleBranch, RuleEffectKind, StatementKind,
    keyword_bit,
};

use crate::base::card::CardId;
use crate::base::list::DuelObject;
use crate::duel::{Duel, SetupError, check_limits};
use crate::game::Game;
use crate::game::change::GameChange;
use crate::machine::{Flow, Guard, Machine};
use crate::state::{
    AgendaTask, ChangeKind, Doing, EventListener, LOST, Life, Marks, ProgramFrame, Queued, RingSlot,
    StateChange, Tie,
};
use crate::{Seat, SeatSet};

/// A duel under the new version of its game.
#[derive(Debug)]
pub struct CarriedDuel {
    /// The duel; it waits for an answer, or is over.
    pub duel: Duel,
    /// What is not as it was, or not as a duel under the new rules would have it. It tells only of cards that
    /// both players see.
    pub notes: Vec<CarryNote>,
}

/// Something that could not simply be carried over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CarryNote {
    /// A character's printed BP has changed, and its BP in the ring by as much.
    Bp {
        /// Its number in the new version.
        card: ModelId,
        /// In the ring, before.
        from: i32,
        /// And now.
        to: i32,
    },
    /// A character keeps its BP in the ring: with its new printed BP its damage would have KOed it.
    BpKept {
        /// Its number in the new version.
        card: ModelId,
    },
    /// What the new rule does on entering is not done for a character that has entered already.
    NotEnteredAgain {
        /// Its number in the new version.
        card: ModelId,
    },
    /// A card that has left play would still have done something; its new rule does not.
    DelayedLost {
        /// Its number in the new version.
        card: ModelId,
    },
}

/// Why a duel cannot go on under the new version. The duel is as before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CarryFault {
    /// An effect is in progress, or a card is being played.
    Inside,
    /// Cards of the duel are gone.
    Gone {
        /// Those that both players see, by their numbers in the old version.
        seen: Vec<ModelId>,
        /// Whether there are others.
        hidden: bool,
    },
    /// A card in a ring is not a character any more: its number in the new version.
    NotACharacter(ModelId),
    /// A ring has a character beyond the slots of the new version.
    Slots(Seat),
    /// The United Attack has more members than the new version allows.
    United,
    /// The engine cannot hold the new version.
    Limits(SetupError),
    /// More listens and lasts than the engine holds (D13).
    TooMuch,
}

impl Duel {
    /// The duel with the same position under the new version of its game (D108).
    ///
    /// Cards, zones, numbers, damage, marks, changes that last, what the players know, and chance stay. What
    /// listens follows the new rules: an auto whose trigger is the same goes on listening, others stop or
    /// begin. The pending question is asked again.
    ///
    /// # Errors
    /// If the position cannot stand in the new version, or an effect is in progress that may have changed.
    pub fn carried(&self, change: &GameChange) -> Result<CarriedDuel, CarryFault> {
        check_limits(change.new_game()).map_err(CarryFault::Limits)?;
        self.fits(change)?;
        if self.is_inside() && !change.is_unfelt() {
            return Err(CarryFault::Inside);
        }
        let mut notes = Vec::new();
        let mut duel = self.clone();
        duel.take_new_listeners(change, &mut notes);
        duel.take_new_numbers(change);
        duel.use_game(Arc::clone(change.new_game()));
        let abilities = self.abilities();
        duel.take_printed(self, change, &mut notes);
        let mut machine = duel.machine(None);
        machine.refresh_heard();
        for (card, ability) in abilities {
            machine
                .take_new_ability(card, ability, change, &mut notes)
                .map_err(|Guard| CarryFault::TooMuch)?;
        }
        if machine.s.outcome.is_none() {
            // The question that waits is asked again; nothing else runs.
            machine.run();
        }
        Ok(CarriedDuel { duel, notes })
    }

    /// Whether something has begun that is not over: the agenda holds more than the phase.
    fn is_inside(&self) -> bool {
        let is_phase = |task: &AgendaTask| matches!(task, AgendaTask::Turn | AgendaTask::Phase { .. });
        self.state.outcome.is_none()
            && (!self.state.frames.is_empty() || !self.state.tasks.iter().all(is_phase))
    }

    /// What would make the position impossible.
    fn fits(&self, change: &GameChange) -> Result<(), CarryFault> {
        let mut seen: Vec<ModelId> = Vec::new();
        let mut hidden = false;
        for card in &self.state.cards[..] {
            if change.number(card.model).is_some() {
                continue;
            }
            match card.known() == SeatSet::BOTH {
                true => seen.push(card.model),
                false => hidden = true,
            }
        }
        // Names that everybody knows: of abilities, of sources, of what a card was.
        seen.extend(self.told_models().filter(|model| change.number(*model).is_none()));
        seen.sort_unstable();
        seen.dedup();
        if hidden || !seen.is_empty() {
            return Err(CarryFault::Gone { seen, hidden });
        }
        let new = change.new_game();
        let slots = usize::from(new.constants.ring_slots);
        for seat in Seat::BOTH {
            for slot in self.state.ring(seat) {
                let number = change.number(self.state.cards[slot.card.index()].model);
                if let Some(number) = number.filter(|number| !new.model(*number).is_character()) {
                    return Err(CarryFault::NotACharacter(number));
                }
            }
            let beyond = self.state.rings[seat].iter().skip(slots);
            if beyond.into_iter().any(|slot| slot.card != CardId::NONE) {
                return Err(CarryFault::Slots(seat));
            }
        }
        if self.state.united.len() > usize::from(new.constants.united_followers) + 1 {
            return Err(CarryFault::United);
        }
        Ok(())
    }

    /// Cards that the state names beside its own.
    fn told_models(&self) -> impl Iterator<Item = ModelId> + '_ {
        let state = &self.state;
        let rings = state.rings.0.iter().flatten().map(|slot| slot.ability);
        let listeners = state
            .listeners
            .iter()
            .flat_map(|listener| [listener.model, listener.named]);
        let changes = state.changes.iter().flat_map(|change| {
            let model = match change.kind {
                ChangeKind::Ability(model) | ChangeKind::Form(model) => model,
                ChangeKind::Grant(_)
                | ChangeKind::Suppress(_)
                | ChangeKind::Flag(..)
                | ChangeKind::BpLimit(_)
                | ChangeKind::CostAdd(..)
                | ChangeKind::CostSet(..)
                | ChangeKind::Bp(_) => LOST,
            };
            [model, change.named]
        });
        let all = rings.chain(listeners).chain(changes);
        all.filter(|model| *model != LOST)
    }

    /// The characters in the rings and whose ability each has, the active player's first, in slot order.
    fn abilities(&self) -> Vec<(CardId, ModelId)> {
        let seats = [self.state.active, self.state.active.other()];
        let slots = seats.into_iter().flat_map(|seat| self.state.ring(seat));
        slots
            .filter(|slot| slot.ability != LOST)
            .map(|slot| (slot.card, slot.ability))
            .collect()
    }

    /// Autos go on listening if the new rule has the same trigger in the same place. Numbers are still those
    /// of the old version.
    fn take_new_listeners(&mut self, change: &GameChange, notes: &mut Vec<CarryNote>) {
        self.state.listeners.retain(|listener| {
            let differs = change.card(listener.model).is_some_and(|card| card.rule);
            if !differs || change.has_same_trigger(listener.model, usize::from(listener.auto)) {
                return true;
            }
            // Those of characters begin again if the new rule has others; what outlived its card is over.
            if listener.tie != Tie::Source
                && let Some(card) = change.number(listener.named)
            {
                notes.push(CarryNote::DelayedLost { card });
            }
            false
        });
    }

    /// Every number of a card becomes that of the new version.
    fn take_new_numbers(&mut self, change: &GameChange) {
        let number = |model: &mut ModelId| {
            if *model != LOST {
                *model = change.number(*model).unwrap_or(LOST);
            }
        };
        let listener = |listener: &mut EventListener| {
            number(&mut listener.model);
            number(&mut listener.named);
        };
        let state = &mut *self.state;
        for card in state.cards.iter_mut() {
            number(&mut card.model);
        }
        for RingSlot { ability, .. } in state.rings.0.iter_mut().flatten() {
            number(ability);
        }
        state.listeners.iter_mut().for_each(listener);
        for StateChange { kind, named, .. } in state.changes.iter_mut() {
            number(named);
            match kind {
                ChangeKind::Ability(model) | ChangeKind::Form(model) => number(model),
                ChangeKind::Grant(_)
                | ChangeKind::Suppress(_)
                | ChangeKind::Flag(..)
                | ChangeKind::BpLimit(_)
                | ChangeKind::CostAdd(..)
                | ChangeKind::CostSet(..)
                | ChangeKind::Bp(_) => {}
            }
        }
        // In the middle of an effect every card keeps its number; what is left of an effect holds none else.
        for ProgramFrame { model, named, .. } in state.frames.iter_mut() {
            number(model);
            number(named);
        }
        for queued in state.queue.iter_mut() {
            match queued {
                Queued::Heard { listener: heard, .. } => listener(heard),
                Queued::Changes { .. } => {}
            }
        }
        for task in state.tasks.iter_mut() {
            let AgendaTask::Effect(effect) = task else {
                continue;
            };
            match &mut effect.doing {
                Doing::CopyAbility(model) | Doing::Steal(model) => number(model),
                Doing::SwapAbilities { of_first, of_second } => {
                    number(of_first);
                    number(of_second);
                }
                Doing::Damage(_) | Doing::LoseAbility | Doing::Waits => {}
            }
        }
    }

    /// Numbers of the state that begin with a printed one.
    fn take_printed(&mut self, before: &Duel, change: &GameChange, notes: &mut Vec<CarryNote>) {
        let (old, new) = (change.old(), change.new_game());
        for seat in Seat::BOTH {
            let player = &mut self.state.players[seat];
            let [from, to] = [old, new].map(|game| game.constants.characters_per_turn);
            let more = i16::from(to) - i16::from(from);
            let limit = i16::from(player.chars_per_turn) + more;
            player.chars_per_turn = u8::try_from(limit.max(0)).unwrap_or(u8::MAX);
            for at in 0..self.state.rings[seat].len() {
                let card = self.state.rings[seat][at].card;
                if card == CardId::NONE {
                    continue;
                }
                let model = before.state.cards[card.index()].model;
                if let Some(number) = change.number(model) {
                    let (from, to) = (old.model(model).bp, new.model(number).bp);
                    self.take_printed_bp(card, number, to.saturating_sub(from), notes);
                }
                // What a character owes of an instant it may do by hand.
                let slot = &mut self.state.rings[seat][at];
                if is_instant(new, slot.ability) != is_instant(old, before.state.rings[seat][at].ability) {
                    slot.marks.clear(Marks(Marks::RETRY.0 | Marks::SPENT.0));
                }
            }
        }
    }

    /// Damage stays, so a character's BP changes by as much as what is printed on it.
    fn take_printed_bp(&mut self, card: CardId, number: ModelId, more: i32, notes: &mut Vec<CarryNote>) {
        let entry = &mut self.state.cards[card.index()];
        let from = entry.ring_bp();
        if more == 0 || from == 0 {
            return;
        }
        match from.saturating_add(more) {
            to if to > 0 => {
                entry.bp = to;
                notes.push(CarryNote::Bp {
                    card: number,
                    from,
                    to,
                });
            }
            _ => notes.push(CarryNote::BpKept { card: number }),
        }
    }
}

fn is_instant(game: &Game, ability: ModelId) -> bool {
    ability != LOST && game.model(ability).is_instant()
}

impl Machine<'_> {
    /// A character whose ability was `old` in the old version follows what that is now.
    fn take_new_ability(
        &mut self,
        card: CardId,
        old: ModelId,
        change: &GameChange,
        notes: &mut Vec<CarryNote>,
    ) -> Result<(), Guard> {
        if !change.card(old).is_some_and(|what| what.rule) {
            return Ok(());
        }
        let [before, now] = change.rules(old);
        let is_continuous = |rule: &CompiledRule| {
            let mut autos = rule.autos.iter();
            autos.any(|auto| matches!(auto.kind, AutoKind::Continuous))
        };
        self.register_autos(card, |auto| !change.has_same_trigger(old, auto))?;
        if !now.is_some_and(is_continuous) {
            self.end_changes(card, |change| change.life == Life::Continuous);
        }
        if !change.enters_alike(old) {
            match (held_on_entering(before), held_on_entering(now)) {
                // What holds as long as the character stands there is exchanged.
                (Some(given), Some(_)) => {
                    self.end_changes(card, |change| {
                        change.life == Life::WithSource && given.contains(&change.kind)
                    });
                    self.enter_again(card)?;
                }
                _ => {
                    if let Some(number) = change.number(old) {
                        notes.push(CarryNote::NotEnteredAgain { card: number });
                    }
                }
            }
        }
        let keywords = |rule: Option<&CompiledRule>| {
            let all = rule.iter().flat_map(|rule| &rule.abilities);
            all.fold(0, |bits, keyword| bits | keyword_bit(*keyword))
        };
        let arrived = keywords(now) & !keywords(before);
        for keyword in Keyword::ALL {
            if arrived & keyword_bit(*keyword) != 0 {
                self.keyword_arrives(DuelObject::card(card), *keyword);
            }
        }
        Ok(())
    }

    /// Changes that this card has made end, those that it had suppressed hold again.
    fn end_changes(&mut self, source: CardId, ends: impl Fn(&StateChange) -> bool) {
        let ends = |change: &StateChange| change.source == source && ends(change);
        let gone: Vec<StateChange> = self
            .s
            .changes
            .iter()
            .filter(|change| ends(change))
            .copied()
            .collect();
        self.s.changes.retain(|change| !ends(change));
        for change in gone {
            if let ChangeKind::Suppress(keyword) = change.kind {
                self.keyword_arrives(change.subject, keyword);
            }
        }
    }

    /// Runs what the character does on entering; it asks nothing, as it only gives and takes keywords.
    fn enter_again(&mut self, card: CardId) -> Result<(), Guard> {
        let below = self.s.tasks.len();
        self.begin_unit()?;
        self.push(AgendaTask::Enter {
            card,
            auto: 0,
            copied: false,
        })?;
        while self.s.tasks.len() > below && self.s.outcome.is_none() {
            match self.step() {
                Ok(Flow::Go) => {}
                Ok(Flow::Ask) => self.s.reply = self.s.decision.options.first().copied(),
                Err(Guard) => self.guard(),
            }
        }
        Ok(())
    }
}

/// What a card gives and takes on entering for as long as it stands in the ring, if its rule does nothing
/// else then.
fn held_on_entering(rule: Option<&CompiledRule>) -> Option<Vec<ChangeKind>> {
    let mut held = Vec::new();
    let autos = rule.iter().flat_map(|rule| &rule.autos);
    for statement in autos
        .filter(|auto| matches!(auto.kind, AutoKind::Entering))
        .flat_map(|auto| &auto.statements)
    {
        let branches: Vec<&RuleBranch> = match &statement.kind {
            StatementKind::Plain(branch) => vec![branch],
            StatementKind::If { arms, otherwise } => {
                arms.iter().map(|(_, branch)| branch).chain(otherwise).collect()
            }
            StatementKind::May { .. } => return None,
        };
        if !statement.costs.is_empty() {
            return None;
        }
        for branch in branches {
            // Without a clause of its own the statement is about the character itself: nobody is asked.
            if branch.to.is_some() || branch.restriction.is_some() {
                return None;
            }
            for effect in &branch.effects {
                held.push(match effect.kind {
                    RuleEffectKind::Grant(keyword) if !effect.optional => ChangeKind::Grant(keyword),
                    RuleEffectKind::Remove(keyword) if !effect.optional => ChangeKind::Suppress(keyword),
                    RuleEffectKind::Grant(_) | RuleEffectKind::Remove(_) | RuleEffectKind::Command(_) => {
                        return None;
                    }
                });
            }
        }
    }
    // A target of the whole rule would be chosen.
    let asks = rule.is_some_and(|rule| rule.target.is_some() || !rule.requisites.is_empty());
    (held.is_empty() || !asks).then_some(held)
}
