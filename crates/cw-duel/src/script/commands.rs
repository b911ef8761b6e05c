//! What each command does (section 6 of the language, section 12 of the game's rules): the tables of
//! contents. What a command asks stands beside what it does, in the file of its theme.

mod abilities;
mod characters;
pub(crate) mod keywords;
mod piles;
mod players;
mod rules;

use cw_program::{
    ActsOn, Amount, Command, ModelId, Restriction, RestrictionEnd, RuleEffectKind, RuleValue, Transform,
    Whose,
};
use smallvec::SmallVec;

use crate::Seat;
use crate::base::card::CardId;
use crate::base::list::{ArenaList, DuelObject, Objects};
use crate::machine::{Flow, Guard, Machine, MachineStep};
use crate::script::query::{FoundTargets, Purpose, TargetQuery};
use crate::state::facts::DuelFacts;
use crate::state::{AgendaTask, Doing, EffectStage, EffectTask, FramePart, Life, ProgramFrame, Register};

/// What an effect has asked and computed before it may change something.
#[derive(Clone, Debug, Default)]
pub(crate) struct PreparedEffect {
    pub amount: i32,
    pub objects: Objects,
    pub end: DeckEnd,
    /// Where a character goes; none: it stays.
    pub slot: Option<u8>,
}

/// An end of a pile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum DeckEnd {
    #[default]
    Top,
    Bottom,
}

/// A command that begins.
#[derive(Debug)]
pub(crate) struct Deed {
    /// The step of the program.
    pub effect: u16,
    /// What it acts on.
    pub targets: Objects,
    /// The same, kept for a task.
    pub list: ArenaList,
    pub prepared: PreparedEffect,
    pub restriction: Option<Restriction>,
}

/// What has become of a command that began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Begun {
    /// It is done, and has not failed.
    Done,
    /// It has failed (R604).
    Failed,
    /// A task goes on with it.
    GoesOn,
}

impl TargetQuery<'_> {
    /// Evaluates the arguments of an effect and makes its choices.
    pub fn prepare(&mut self, kind: &RuleEffectKind) -> FoundTargets<PreparedEffect> {
        let RuleEffectKind::Command(command) = kind else {
            return Ok(PreparedEffect::default());
        };
        self.preparing = true;
        let prepared = self.ask(command);
        self.preparing = false;
        prepared
    }

    /// What each command asks.
    fn ask(&mut self, command: &Command) -> FoundTargets<PreparedEffect> {
        match command {
            Command::Damage(number)
            | Command::Draw(number)
            | Command::Hp(number)
            | Command::LoseLife(number)
            | Command::Trash(number)
            | Command::Turns(number)
            | Command::ModCost(_, number)
            | Command::ModDamage(number)
            | Command::Bp(Amount::Add(number) | Amount::Times(number) | Amount::Set(number))
            | Command::Sp(Amount::Add(number) | Amount::Times(number) | Amount::Set(number)) => {
                Ok(PreparedEffect {
                    amount: self.number(*number)?,
                    ..PreparedEffect::default()
                })
            }
            Command::Activate(card)
            | Command::CopyAbility(card)
            | Command::Transform(Transform::Like(card)) => Ok(PreparedEffect::of(self.objects_of(*card)?)),
            Command::Steal(Some(thief)) => Ok(PreparedEffect::of(self.target(thief, Purpose::Target)?)),
            Command::Discard(which) | Command::RndDiscard(which) => {
                Ok(PreparedEffect::of(self.discards(which)?))
            }
            // Nothing to move: nothing to ask.
            Command::MoveTo(..) if self.acted_on(command).is_empty() => Ok(PreparedEffect::default()),
            Command::MoveTo(_, position, _) | Command::MoveRevealedTo(_, position) => self.ask_end(*position),
            Command::MoveToSlot => self.ask_slot(&self.acted_on(command)),
            Command::Prophecy(number, end) => self.ask_prophecy(*number, *end, &self.acted_on(command)),
            Command::AlterCost(..)
            | Command::Clear
            | Command::Destroy
            | Command::DisableRule(_)
            | Command::Each(_)
            | Command::EnableRule(_)
            | Command::Freeze(_)
            | Command::LoseAbility
            | Command::ModRule(..)
            | Command::MovePile(..)
            | Command::Peek
            | Command::PileView(..)
            | Command::PlayExtraChar
            | Command::RemoveFromAttack
            | Command::Reveal(_)
            | Command::Shuffle(_)
            | Command::Skip(_)
            | Command::Steal(None)
            | Command::SwapAbilities
            | Command::SwapChars
            | Command::SwapPiles(..)
            | Command::Transform(Transform::Model(_))
            | Command::Unfreeze
            | Command::Unite => Ok(PreparedEffect::default()),
        }
    }

    fn acted_on(&self, command: &Command) -> Objects {
        acted_on(self.facts, self.frame, command.name().signature().acts_on)
    }

    /// The players that a player command acts on (R602).
    pub fn players_hit(&self) -> SmallVec<[Seat; 2]> {
        let targets = acted_on(self.facts, self.frame, ActsOn::Players);
        players_of(&targets, self.facts.source_controller(self.frame))
    }
}

impl PreparedEffect {
    fn of(objects: Objects) -> PreparedEffect {
        PreparedEffect {
            objects,
            ..PreparedEffect::default()
        }
    }

    /// The first card.
    pub fn card(&self) -> Option<CardId> {
        self.objects.first().and_then(|object| object.as_card())
    }
}

impl Deed {
    /// The targets that are cards.
    pub fn cards(&self) -> SmallVec<[CardId; 16]> {
        self.targets
            .iter()
            .filter_map(|object| object.as_card())
            .collect()
    }

    /// The first target, if it is a card.
    pub fn first_card(&self) -> Option<CardId> {
        self.targets.first().and_then(|object| object.as_card())
    }
}

/// What an effect acts on: what the clause in force has found, or without any clause the source,
/// unless the command names its own place then (R602, D27, D104). Actions and autos do not differ,
/// although `tgt` is the source only in autos (R1101).
#[inline]
pub(crate) fn acted_on(facts: DuelFacts<'_>, frame: &ProgramFrame, acts_on: ActsOn) -> Objects {
    let has_clause = frame.own_targets || has_main_clause(facts, frame);
    let found: Objects = if has_clause {
        facts.s.arena.objects(frame.targets).collect()
    } else {
        Objects::new()
    };
    let takes_source = match acts_on {
        ActsOn::CardsOrSource => found.is_empty(), // R309
        ActsOn::Cards | ActsOn::Both => !has_clause,
        ActsOn::CardsElsePile
        | ActsOn::BothElsePile
        | ActsOn::Players
        | ActsOn::PlayersOnly
        | ActsOn::Nothing
        | ActsOn::Rules => false,
    };
    if takes_source {
        return frame.present_source().map(DuelObject::card).into_iter().collect();
    }
    found
}

/// Whether the rule's own `target` is in force; on entering it is not (R902).
fn has_main_clause(facts: DuelFacts<'_>, frame: &ProgramFrame) -> bool {
    let program = facts.game.model(frame.model).program.as_deref();
    frame.part != FramePart::Entering && program.is_some_and(|program| program.rule.target.is_some())
}

/// R602: the players in the list, or the controller where it is empty or begins with a card.
fn players_of(targets: &[DuelObject], controller: Seat) -> SmallVec<[Seat; 2]> {
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
    /// Begins an effect whose choices are made. Short ones are done at once; those that dispatch
    /// events in their middle become a task.
    pub fn begin_effect(&mut self, effect: u16, prepared: PreparedEffect) -> MachineStep {
        let step = &self.running().effects[usize::from(effect)];
        let acts_on = match &step.effect.kind {
            RuleEffectKind::Grant(_) | RuleEffectKind::Remove(_) => ActsOn::CardsOrSource,
            RuleEffectKind::Command(command) => command.name().signature().acts_on,
        };
        let targets = acted_on(self.facts(), self.frame(), acts_on);
        let found = self.frame().targets;
        let is_found = self.s.arena.objects(found).eq(targets.iter().copied());
        let deed = Deed {
            effect,
            list: if is_found { found } else { self.keep(&targets)? },
            targets,
            prepared,
            restriction: step.restriction,
        };
        let begun = match &step.effect.kind {
            RuleEffectKind::Grant(keyword) => self.grant_all(*keyword, &deed)?,
            RuleEffectKind::Remove(keyword) => self.remove_all(*keyword, &deed)?,
            RuleEffectKind::Command(command) => self.begin(command, &deed)?,
        };
        match begun {
            Begun::Done => self.finish(true),
            Begun::Failed => self.finish(false),
            Begun::GoesOn => Ok(Flow::Go),
        }
    }

    /// What each command does.
    fn begin(&mut self, command: &Command, deed: &Deed) -> Result<Begun, Guard> {
        match command {
            Command::Activate(_) => self.activate_rule_of(deed),
            Command::AlterCost(kind, amount) => self.alter_cost(*kind, *amount, deed),
            Command::Bp(how) => self.change_bps(*how, deed),
            Command::Clear => self.clear(deed),
            Command::CopyAbility(_) => self.copy_ability(deed),
            Command::Damage(_) => self.go_on_with(deed, deed.list, Doing::Damage(deed.prepared.amount)),
            Command::Destroy => self.destroy(deed),
            Command::DisableRule(flag) => self.set_rule(*flag, RuleValue::Bool(false), deed),
            Command::Discard(which) | Command::RndDiscard(which) => self.discard_found(which, deed),
            Command::Draw(_) => self.draw_all(deed),
            Command::EnableRule(flag) => self.set_rule(*flag, RuleValue::Bool(true), deed),
            Command::Freeze(how) => self.freeze_all(*how, deed),
            Command::Hp(_) => self.change_hps(deed),
            Command::LoseAbility => self.go_on_with(deed, deed.list, Doing::LoseAbility),
            Command::LoseLife(_) => self.lose_life(deed),
            Command::ModDamage(_) => self.mod_damage(deed),
            Command::ModRule(flag, value) => self.set_rule(*flag, *value, deed),
            Command::MovePile(from, to) => self.move_pile(*from, *to),
            Command::MoveRevealedTo(pile, position) => self.move_revealed(*pile, *position, deed),
            Command::MoveTo(pile, position, reveal) => self.move_all(*pile, *position, *reveal, deed),
            Command::MoveToSlot => self.move_to_slot(deed),
            Command::Peek => self.peek(deed),
            Command::PileView(pile, view) => self.view_pile(*pile, *view),
            Command::PlayExtraChar => self.play_extra_char(),
            Command::Prophecy(..) => self.put_back(deed),
            Command::RemoveFromAttack => self.remove_from_attack(deed),
            Command::Reveal(pile) => self.reveal(*pile, deed),
            Command::Shuffle((whose, pile)) => self.shuffle_pile(*whose, *pile, deed),
            Command::Skip(phase) => self.skip_phase(*phase, deed),
            Command::Sp(how) => self.change_sps(*how, deed),
            Command::Steal(_) => self.steal_ability(deed),
            Command::SwapAbilities => self.swap_abilities(deed),
            Command::SwapChars => self.swap_chars(deed),
            Command::SwapPiles(one, other) => self.swap_piles(*one, *other),
            Command::Transform(into) => self.transform_all(*into, deed),
            Command::Trash(_) => self.trash(deed),
            Command::Turns(_) => self.add_turns(deed),
            Command::Unfreeze => self.unfreeze_all(deed),
            Command::Unite => self.unite(deed),
            // Asked by hooks, and made into a loop by the program.
            Command::ModCost(..) | Command::Each(_) => Ok(Begun::Done),
        }
    }

    /// An effect in its middle.
    pub fn effect(&mut self, task: EffectTask) -> MachineStep {
        let target = self.s.arena.objects(task.list).nth(usize::from(task.at));
        match (target, task.doing) {
            (None, _) | (_, Doing::Waits) => {
                self.pop();
                // What was lost while the damage was dealt was put off (`is_damaging`), and may be either
                // player's: also of one whom this command did not hit (D8).
                if matches!(task.doing, Doing::Damage(_)) {
                    self.settle_hp(&Seat::BOTH);
                }
                self.finish(true)
            }
            (Some(target), Doing::Damage(amount)) => self.damage_step(task, target, amount),
            (
                Some(target),
                Doing::LoseAbility | Doing::CopyAbility(_) | Doing::Steal(_) | Doing::SwapAbilities { .. },
            ) => self.ability_step(task, target),
        }
    }

    /// A task goes through the list.
    fn go_on_with(&mut self, deed: &Deed, list: ArenaList, doing: Doing) -> Result<Begun, Guard> {
        self.push(AgendaTask::Effect(EffectTask {
            effect: deed.effect,
            list,
            at: 0,
            stage: EffectStage::Announces,
            doing,
        }))?;
        Ok(Begun::GoesOn)
    }

    /// The event before the target at which the effect stands is sent.
    fn announced(&mut self, mut task: EffectTask) {
        task.stage = EffectStage::Acts;
        *self.top() = AgendaTask::Effect(task);
    }

    /// The effect goes on with the next target.
    fn next_target(&mut self, mut task: EffectTask) {
        task.stage = EffectStage::Announces;
        task.at = task.at.saturating_add(1);
        *self.top() = AgendaTask::Effect(task);
    }

    pub fn finish(&mut self, success: bool) -> MachineStep {
        self.s.register = Register::Effect(success);
        Ok(Flow::Go)
    }

    pub fn hit_players(&self, deed: &Deed) -> SmallVec<[Seat; 2]> {
        players_of(&deed.targets, self.facts().source_controller(self.frame()))
    }

    /// What a source is called by all that it makes and that outlives it (D64).
    pub fn name_of(&self, source: CardId) -> ModelId {
        let runs = |frame: &&ProgramFrame| frame.source == source || source == CardId::NONE;
        let running = self.s.frames.last().filter(runs);
        running.map_or(self.s.cards[source.index()].model, |frame| frame.named)
    }

    pub fn whose(&self, whose: Whose) -> Seat {
        let executor = self.frame().executor;
        match whose {
            Whose::Mine => executor,
            Whose::Opponent => executor.other(),
            Whose::Controller => self.facts().source_controller(self.frame()),
        }
    }

    /// How long a change lasts (R803, R804, D1, D26): without restriction as long as a character
    /// source keeps its ability; otherwise, and where it does not have it any more, `lasting` (D94).
    pub fn life(&self, source: CardId, restriction: Option<Restriction>, lasting: Life) -> Life {
        let Some(restriction) = restriction else {
            let stays = source.some().is_some_and(|source| self.facts().in_ring(source));
            return if stays && self.runs_its_own_ability() {
                Life::WithSource
            } else {
                lasting
            };
        };
        let owner = match source.some() {
            Some(source) => self.facts().controller(source),
            None => self.facts().source_controller(self.frame()),
        };
        let seat = if restriction.opponent {
            owner.other()
        } else {
            owner
        };
        match restriction.until {
            RestrictionEnd::EndOfTurn => Life::Cleanup(seat),
            RestrictionEnd::NextTurn => Life::Activate(seat),
            RestrictionEnd::NextAction => Life::NextAction(seat),
        }
    }

    /// Whether the source of what runs has the ability that runs; a rule that `activate` runs is run as
    /// if it belonged to its caller (D31).
    fn runs_its_own_ability(&self) -> bool {
        let mut own = self.s.frames.iter().rev();
        let own = own.find(|frame| frame.part != FramePart::Nested);
        own.is_none_or(|frame| self.facts().ability_model(frame.source) == Some(frame.model))
    }
}
