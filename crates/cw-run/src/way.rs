//! What lies on the way of a run: places, foes, charms.

use cw_load::RuleTwist;
use cw_program::ModelId;

/// A place on the way.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunStep {
    /// What it is called.
    pub place: String,
    /// What it is like there.
    pub about: String,
    /// Who may wait there: places in [`RunBook::foes`](crate::RunBook::foes).
    pub foes: Vec<usize>,
    /// How many of a hundred runs are meant to get past it.
    pub survive: Option<u32>,
    /// What holds in duels there.
    pub twist: RuleTwist,
    /// The level of foes that have none of their own.
    pub level: &'static str,
}

/// Somebody whom one may meet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunFoe {
    /// What they are called.
    pub name: String,
    /// The name of the card whose illustration is their face; empty if there is none.
    pub card: String,
    /// The name of their deck.
    pub deck_name: String,
    /// Its cards.
    pub deck: Vec<ModelId>,
    /// Their level, if they have one of their own.
    pub level: Option<String>,
    /// Who they are, in a few words.
    pub about: String,
    /// What they say when a duel begins, after a good blow of theirs, and at the end.
    pub lines: [String; 3],
    /// The rule of a boss, in words; empty for others.
    pub rule: String,
    /// What that rule changes.
    pub twist: RuleTwist,
}

impl RunFoe {
    /// Whether they have a rule of their own.
    pub fn is_boss(&self) -> bool {
        !self.rule.is_empty()
    }
}

/// A small change of the rules that one may find.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunCharm {
    /// What it is called.
    pub name: String,
    /// What it does, in words.
    pub about: String,
    /// What it changes.
    pub twist: RuleTwist,
}
