//! Commands on the rules of the game and on costs.

use cw_program::{CostAmount, CostKind, RuleFlag, RuleValue};

use crate::base::cost::CostChange;
use crate::base::list::DuelObject;
use crate::event::DuelEvent;
use crate::machine::{Guard, Machine};
use crate::script::commands::{Begun, Deed};
use crate::state::{ChangeKind, Life, StateChange};

impl Machine<'_> {
    /// G250, G251, D25: a new entry of the same source replaces the old one.
    pub fn set_rule(&mut self, flag: RuleFlag, value: RuleValue, deed: &Deed) -> Result<Begun, Guard> {
        let source = self.frame().giver();
        let player = deed.targets.first().filter(|object| object.as_player().is_some());
        let subject = player.copied().unwrap_or(DuelObject::GAME);
        let (kind, told) = match value {
            RuleValue::Bool(on) => (ChangeKind::Flag(flag, on), i32::from(on)),
            RuleValue::Limit(limit) => (ChangeKind::BpLimit(limit), limit),
        };
        let life = self.life(source, deed.restriction, Life::Forever);
        self.s.changes.retain(|change| {
            let same = match change.kind {
                ChangeKind::Flag(other, _) => other == flag,
                ChangeKind::BpLimit(_) => flag == RuleFlag::PlayCharBpLimit,
                ChangeKind::Grant(_)
                | ChangeKind::Suppress(_)
                | ChangeKind::CostAdd(..)
                | ChangeKind::CostSet(..)
                | ChangeKind::Bp(_)
                | ChangeKind::Ability(_)
                | ChangeKind::Form(_) => false,
            };
            !(same && change.source == source && change.subject == subject)
        });
        self.s.changes.push(StateChange {
            kind,
            subject,
            source,
            named: self.name_of(source),
            life,
        })?;
        self.log.tell(|| DuelEvent::Rule {
            flag,
            source: self.s.running_source(),
            value: Some(told),
        });
        Ok(Begun::Done)
    }

    /// Changes what something costs (G80).
    pub fn alter_cost(&mut self, kind: CostKind, how: CostAmount, deed: &Deed) -> Result<Begun, Guard> {
        let source = self.frame().giver();
        let (change, told) = match how {
            CostAmount::Add(value) => (ChangeKind::CostAdd(kind, value), CostChange::Add(value)),
            CostAmount::Set(value) => (ChangeKind::CostSet(kind, value), CostChange::Set(value)),
        };
        let life = self.life(source, deed.restriction, Life::Forever);
        self.s.changes.push(StateChange {
            kind: change,
            subject: DuelObject::GAME,
            source,
            named: self.name_of(source),
            life,
        })?;
        let by = self.origin();
        self.log.tell(|| DuelEvent::Cost {
            kind,
            source: self.s.running_source(),
            made: true,
            how: told,
            by,
        });
        Ok(Begun::Done)
    }
}
