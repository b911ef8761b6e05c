//! The trace of running programs: every statement with its condition, targets, effects, success and
//! variables (R1402). It is made only for a [`Sink`](crate::Sink) that wants it.

use cw_program::ModelId;

use crate::Seat;
use crate::card::CardId;
use crate::decision::RulePlace;
use crate::event::StepResult;
use crate::list::{List, Object};
use crate::machine::Machine;
use crate::program::Ending;
use crate::state::{Frame, Part};

/// One line of the trace: what came of a step, and how things stand for the program after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Traced {
    /// Whose rule, and at which step of it.
    pub place: RulePlace,
    /// On behalf of which card it runs.
    pub source: CardId,
    /// For whom it runs (`me`).
    pub executor: Seat,
    /// Programs that wait for this one, this one included; 0 is a listener that only answers (D18).
    pub depth: usize,
    /// What came of the step.
    pub step: TraceStep,
    /// What the statement acts on.
    pub targets: Vec<Object>,
    /// Everything an expression could read now, by its name in RuleScript; only what is set.
    pub variables: Vec<(Box<str>, TraceValue)>,
    /// What the cards in it are at this moment: a shuffle may change what an index stands for.
    pub models: Vec<(CardId, ModelId)>,
}

impl Traced {
    /// What a card of this line is.
    pub fn model(&self, card: CardId) -> Option<ModelId> {
        let mut found = self.models.iter().filter(|(other, _)| *other == card);
        found.next().map(|(_, model)| *model)
    }
}

/// What a line of the trace tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TraceStep {
    /// A program begins: by hand, inside another one, on an event, on entering play.
    Begins(Part),
    /// Whether every `requisite` found something (R304.1).
    Requisites(bool),
    /// Whether `target =` was resolved (R304.2); what it found is the variable `tgt`.
    Target(bool),
    /// `vars` were evaluated (R304.5).
    Vars,
    /// A step of a statement.
    Step(StepResult),
    /// The program is over.
    Ends(Ending),
}

/// The value of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TraceValue {
    /// Cards and players.
    Objects(Vec<Object>),
    /// Anything else, as written.
    Text(String),
}

impl Machine<'_> {
    /// A line about the top frame.
    pub fn trace(&mut self, step: TraceStep) {
        let Some(frame) = self.s.frames.last().copied() else {
            return;
        };
        let depth = self.s.frames.len();
        self.trace_frame(&frame, depth, step);
    }

    /// A line about a frame that may be on no stack.
    pub fn trace_frame(&mut self, frame: &Frame, depth: usize, step: TraceStep) {
        if !self.log.0.as_ref().is_some_and(|sink| sink.wants_trace()) {
            return;
        }
        let targets: Vec<Object> = self.s.arena.objects(frame.targets).collect();
        let variables = self.variables_of(frame);
        let in_variables = variables.iter().flat_map(|(_, value)| match value {
            TraceValue::Objects(objects) => &objects[..],
            TraceValue::Text(_) => &[],
        });
        let mut cards: Vec<CardId> = in_variables
            .chain(&targets)
            .filter_map(|object| object.as_card())
            .collect();
        cards.push(frame.source);
        cards.sort_unstable();
        cards.dedup();
        let model = |card: CardId| Some((card, self.s.cards.get(card.index())?.model));
        let models = cards.into_iter().filter_map(model).collect();
        let traced = Traced {
            place: RulePlace {
                model: frame.model,
                step: frame.pc,
            },
            source: frame.source,
            executor: frame.executor,
            depth,
            step,
            targets,
            variables,
            models,
        };
        if let Some(sink) = &mut self.log.0 {
            sink.traced(&traced);
        }
    }

    fn variables_of(&self, frame: &Frame) -> Vec<(Box<str>, TraceValue)> {
        let lists = [
            ("tgt", frame.main),
            ("prevtgt", frame.previous),
            ("discarded", frame.discarded),
            ("sacrificed", frame.sacrificed),
            ("destroyed", frame.destroyed),
            ("moved", frame.moved),
            ("trashed", frame.trashed),
        ];
        let mut found = Vec::new();
        for (name, list) in lists {
            if list.is_defined() && list != List::EMPTY {
                let objects = self.s.arena.objects(list).collect();
                found.push((name.into(), TraceValue::Objects(objects)));
            }
        }
        let cards = [
            ("trigger", frame.trigger),
            ("attacker", frame.attacker),
            ("blocker", frame.blocker),
        ];
        for (name, card) in cards {
            if let Some(card) = card.some() {
                found.push((name.into(), TraceValue::Objects(vec![Object::card(card)])));
            }
        }
        if frame.attacker.some().is_some() {
            found.push(("uabp".into(), TraceValue::Text(frame.ua_bp.to_string())));
        }
        if let Some(element) = frame.element {
            found.push(("card".into(), TraceValue::Objects(vec![element])));
        }
        let program = self.game.model(frame.model).program.as_ref();
        let names = program.map_or(&[][..], |program| &program.rule.vars);
        let values = crate::formula::traced_values(self.s.arena.get(frame.vars));
        for (var, value) in names.iter().zip(values) {
            if let Some(value) = value {
                found.push((var.name.clone(), value));
            }
        }
        found
    }
}
