//! Keyword abilities: given, taken, and what they do on arrival.

use cw_program::{Keyword, RuleEffectKind};
use smallvec::SmallVec;

use crate::base::card::CardId;
use crate::base::list::{DuelObject, Objects};
use crate::event::DuelEvent;
use crate::machine::{Guard, Machine};
use crate::script::commands::{Begun, Deed};
use crate::script::query::TargetQuery;
use crate::state::facts::DuelFacts;
use crate::state::{ChangeKind, FramePart, Life, Marks, ProgramFrame, StateChange};

impl Machine<'_> {
    /// Gives a keyword to all targets (R801, D27).
    pub fn grant_all(&mut self, keyword: Keyword, deed: &Deed) -> Result<Begun, Guard> {
        let source = self.frame().giver();
        for subject in keyword_subjects(self.facts(), self.frame(), keyword, &deed.targets) {
            self.tick()?;
            let life = self.life(source, deed.restriction, Life::WithSubject);
            self.grant(keyword, subject, source, life)?;
        }
        Ok(Begun::Done)
    }

    pub fn grant(
        &mut self,
        keyword: Keyword,
        subject: DuelObject,
        source: CardId,
        life: Life,
    ) -> Result<(), Guard> {
        let change = StateChange {
            kind: ChangeKind::Grant(keyword),
            subject,
            source,
            named: self.name_of(source),
            life,
        };
        // R801: stored once; a later one wins over a suppression (D35), so it moves to the end.
        self.s.changes.retain(|other| *other != change);
        self.s.changes.push(change)?;
        self.log.tell(|| DuelEvent::Keyword {
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
    pub fn keyword_arrives(&mut self, subject: DuelObject, keyword: Keyword) {
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

    /// Takes an ability from the targets, for a time if there is a restriction (R625, D35).
    pub fn remove_all(&mut self, keyword: Keyword, deed: &Deed) -> Result<Begun, Guard> {
        let restriction = deed.restriction;
        let source = self.frame().giver();
        for subject in keyword_subjects(self.facts(), self.frame(), keyword, &deed.targets) {
            self.tick()?;
            let had = self.facts().has_keyword(subject, keyword);
            if restriction.is_none() {
                self.s.changes.retain(|change| {
                    let granted = change.subject == subject
                        && matches!(change.kind, ChangeKind::Grant(other) if other == keyword);
                    !(granted && is_untimed(change.life))
                });
            }
            // What is printed, or granted for a time, is suppressed.
            if restriction.is_some() || self.facts().has_keyword(subject, keyword) {
                let life = self.life(source, restriction, Life::WithSubject);
                let kind = ChangeKind::Suppress(keyword);
                self.s.changes.push(StateChange {
                    kind,
                    subject,
                    source,
                    named: self.name_of(source),
                    life,
                })?;
            }
            if had {
                self.log.tell(|| DuelEvent::Keyword {
                    subject: self.s.subject(subject),
                    keyword,
                    gained: false,
                    source: Some(self.s.running_source()),
                });
            }
        }
        Ok(Begun::Done)
    }

    /// R505, D35: only untimed grants of the same source.
    pub fn take_back(&mut self, subject: DuelObject, keyword: Keyword, source: CardId) {
        let had = self.facts().has_keyword(subject, keyword);
        self.s.changes.retain(|change| {
            let granted = change.subject == subject
                && change.source == source
                && matches!(change.kind, ChangeKind::Grant(other) if other == keyword);
            !(granted && is_untimed(change.life))
        });
        if had && !self.facts().has_keyword(subject, keyword) {
            self.log.tell(|| DuelEvent::Keyword {
                subject: self.s.subject(subject),
                keyword,
                gained: false,
                source: Some(self.s.running_source()),
            });
        }
    }

    /// D24: continuous autos, after every effect step. Says whether they changed anything.
    #[inline]
    pub fn settle_continuous(&mut self) -> Result<bool, Guard> {
        if self.s.heard & CONTINUOUS == 0 {
            return Ok(false);
        }
        self.settle_each_continuous()
    }

    fn settle_each_continuous(&mut self) -> Result<bool, Guard> {
        let mut changed = false;
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
            let frame = ProgramFrame {
                model: listener.model,
                part: FramePart::Event,
                index: listener.auto,
                source: listener.card,
                executor: self.facts().controller(listener.card),
                ..ProgramFrame::BLANK
            };
            let wanted = self
                .silently(&frame, |query| Ok(query.continuous(statements)))
                .unwrap_or_default();
            if self.log.wants_steps() {
                self.tell_continuous(&frame);
            }
            changed |= self.apply_continuous(listener.card, &wanted)?;
        }
        Ok(changed)
    }

    fn apply_continuous(
        &mut self,
        source: CardId,
        wanted: &[(ChangeKind, DuelObject)],
    ) -> Result<bool, Guard> {
        let is_wanted = |change: &StateChange| wanted.contains(&(change.kind, change.subject));
        let gone: SmallVec<[StateChange; 4]> = self
            .s
            .changes
            .iter()
            .filter(|change| change.source == source && change.life == Life::Continuous && !is_wanted(change))
            .copied()
            .collect();
        let mut changed = !gone.is_empty();
        for change in gone {
            self.s.changes.retain(|other| *other != change);
            if let ChangeKind::Grant(keyword) | ChangeKind::Suppress(keyword) = change.kind {
                let subject = change.subject;
                let gained = self.facts().has_keyword(subject, keyword);
                self.log.tell(|| DuelEvent::Keyword {
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
            let change = StateChange {
                kind: *kind,
                subject: *subject,
                source,
                named: self.name_of(source),
                life: Life::Continuous,
            };
            if self.s.changes.contains(&change) {
                continue;
            }
            changed = true;
            match kind {
                ChangeKind::Grant(keyword) => {
                    self.grant(*keyword, *subject, source, Life::Continuous)?;
                }
                ChangeKind::Suppress(_) => self.s.changes.push(change)?,
                ChangeKind::Flag(..)
                | ChangeKind::BpLimit(_)
                | ChangeKind::CostAdd(..)
                | ChangeKind::CostSet(..)
                | ChangeKind::Bp(_)
                | ChangeKind::Ability(_)
                | ChangeKind::Form(_) => {}
            }
        }
        Ok(changed)
    }
}

/// R802, D27: of the targets those of the right kind; what bars players from playing is theirs, and
/// without a player the controller's of the source.
#[inline]
pub(crate) fn keyword_subjects(
    facts: DuelFacts<'_>,
    frame: &ProgramFrame,
    keyword: Keyword,
    targets: &[DuelObject],
) -> Objects {
    let in_ring = |object: &DuelObject| object.as_card().is_some_and(|card| facts.in_ring(card));
    let is_player = |object: &DuelObject| object.as_player().is_some();
    match keyword {
        Keyword::CantPlayAc | Keyword::CantPlayRe => {
            if frame.own_targets || targets.iter().any(is_player) {
                return targets.iter().copied().filter(is_player).collect();
            }
            let controller = DuelObject::player(facts.source_controller(frame));
            [controller].into_iter().collect()
        }
        Keyword::CantAttack
        | Keyword::CantBlock
        | Keyword::Rush
        | Keyword::Unblockable
        | Keyword::UnlimitedBackup
        | Keyword::Unfreezable
        | Keyword::Pierce
        | Keyword::PreventPierce
        | Keyword::Frosted => targets.iter().copied().filter(in_ring).collect(),
    }
}

impl TargetQuery<'_> {
    /// What the statements of a continuous auto grant and suppress now.
    pub fn continuous(
        &mut self,
        statements: &[cw_program::RuleStatement],
    ) -> SmallVec<[(ChangeKind, DuelObject); 4]> {
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
            let frame = ProgramFrame {
                own_targets: branch.to.is_some(),
                ..*self.frame
            };
            let targets: Objects = match &branch.to {
                Some(clause) => self.clause(clause).unwrap_or_default(),
                None => [DuelObject::card(frame.source)].into_iter().collect(),
            };
            for effect in &branch.effects {
                let (kind, keyword) = match &effect.kind {
                    RuleEffectKind::Grant(keyword) => (ChangeKind::Grant(*keyword), *keyword),
                    RuleEffectKind::Remove(keyword) => (ChangeKind::Suppress(*keyword), *keyword),
                    RuleEffectKind::Command(_) => continue,
                };
                let subjects = keyword_subjects(self.facts, &frame, keyword, &targets);
                wanted.extend(subjects.into_iter().map(|subject| (kind, subject)));
            }
        }
        wanted
    }
}

/// Set in [`crate::state::DuelState::heard`] while a continuous auto is registered.
pub(crate) const CONTINUOUS: u32 = 1 << 31;

fn is_untimed(life: Life) -> bool {
    match life {
        Life::WithSource | Life::WithSubject | Life::Forever | Life::Continuous => true,
        Life::Cleanup(_) | Life::Activate(_) | Life::NextAction(_) => false,
    }
}
