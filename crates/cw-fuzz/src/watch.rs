//! What happens while a duel goes on: which steps of which rules were taken, which effects changed something,
//! and what went wrong.

use std::collections::{BTreeMap, BTreeSet};

use cw_duel::{DuelEvent, RulePlace, Sink, StepResult};
use cw_program::{Keyword, ModelId};
use cw_scenario::TakenStep;

/// A step of a program.
pub(crate) type StepPlace = (ModelId, u16);

/// How often an effect ran, and how often it changed anything.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct EffectCount {
    pub(crate) runs: u64,
    pub(crate) changes: u64,
}

/// What a campaign has seen so far.
#[derive(Debug, Default)]
pub(crate) struct Watcher {
    pub(crate) taken: BTreeSet<TakenStep>,
    /// How often each result came of each step.
    pub(crate) results: BTreeMap<TakenStep, u64>,
    pub(crate) effects: BTreeMap<StepPlace, EffectCount>,
    /// The keywords that rules of these cards have given or taken: continuous ones do so apart from their
    /// steps.
    pub(crate) keywords: BTreeSet<(ModelId, Keyword)>,
    /// Whether something new was seen since this was last asked.
    pub(crate) is_news: bool,
    /// Where an expression failed since that.
    pub(crate) failed: Vec<RulePlace>,
    /// Where the loop guard ended something since that.
    pub(crate) guarded: Vec<RulePlace>,
    /// Places whose effects have changed something since the last step.
    changed: bool,
}

impl Sink for Watcher {
    fn event(&mut self, event: &DuelEvent) {
        match *event {
            DuelEvent::Step { place, result, .. } => self.step(place, result),
            DuelEvent::Failed { place, .. } => self.failed.extend(place),
            DuelEvent::Guarded { place, .. } => self.guarded.extend(place),
            DuelEvent::Keyword {
                keyword,
                source: Some(source),
                ..
            } => {
                self.keywords.insert((source.true_model(), keyword));
                self.changed = true;
            }
            // What led to a program is not what it does.
            DuelEvent::Played { .. } | DuelEvent::Activated { .. } | DuelEvent::Triggered { .. } => {
                self.changed = false;
            }
            _ if changes(event) => match origin(event) {
                Some(place) => self.effects.entry((place.model, place.step)).or_default().changes += 1,
                None => self.changed = true,
            },
            _ => {}
        }
    }
}

impl Watcher {
    fn step(&mut self, place: RulePlace, result: StepResult) {
        let taken = TakenStep {
            model: place.model,
            step: place.step,
            result,
        };
        self.is_news |= self.taken.insert(taken);
        *self.results.entry(taken).or_default() += 1;
        if let StepResult::Effect(_) = result {
            let count = self.effects.entry((place.model, place.step)).or_default();
            count.runs += 1;
            count.changes += u64::from(std::mem::take(&mut self.changed));
        }
        self.changed = false;
    }
}

/// Whether an event is a change that an effect may have made; what only tells how the duel goes is none.
fn changes(event: &DuelEvent) -> bool {
    match event {
        DuelEvent::Hp { from, to, .. } | DuelEvent::Sp { from, to, .. } | DuelEvent::Bp { from, to, .. } => {
            from != to
        }
        DuelEvent::Moved { .. }
        | DuelEvent::AttackCancelled { .. }
        | DuelEvent::BlockCancelled { .. }
        | DuelEvent::Joined { .. }
        | DuelEvent::Frozen { .. }
        | DuelEvent::KnockedOut { .. }
        | DuelEvent::Shuffled { .. }
        | DuelEvent::Shown { .. }
        | DuelEvent::Rolled { .. }
        | DuelEvent::Keyword { .. }
        | DuelEvent::Ability { .. }
        | DuelEvent::Transformed { .. }
        | DuelEvent::Rule { .. }
        | DuelEvent::Cost { .. }
        | DuelEvent::WillSkip { .. }
        | DuelEvent::ExtraTurns { .. }
        | DuelEvent::PlayLimit { .. }
        | DuelEvent::SlotChanged { .. }
        | DuelEvent::Looked { .. }
        | DuelEvent::BackedUp { .. }
        | DuelEvent::PileView { .. }
        | DuelEvent::Ended { .. } => true,
        _ => false,
    }
}

/// By which statement it happened, where the event says so.
fn origin(event: &DuelEvent) -> Option<RulePlace> {
    match event {
        DuelEvent::Moved { by, .. }
        | DuelEvent::AttackCancelled { by, .. }
        | DuelEvent::Hp { by, .. }
        | DuelEvent::Sp { by, .. }
        | DuelEvent::Bp { by, .. }
        | DuelEvent::Cost { by, .. }
        | DuelEvent::ExtraTurns { by, .. }
        | DuelEvent::PlayLimit { by, .. } => by.map(|by| by.place),
        _ => None,
    }
}
