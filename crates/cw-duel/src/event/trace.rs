//! The trace of running programs: every statement with its condition, targets, effects, success and
//! variables (R1402). It is made only for a [`Sink`](crate::Sink) that wants it.

use cw_program::{ModelId, StatementsEnding, StepResult};

use crate::base::card::CardId;
use crate::base::list::DuelObject;
use crate::base::place::RulePlace;
use crate::state::FramePart;
use crate::state::seen::Seen;
use crate::{Seat, SeatSet};

/// One line of the trace: what came of a step, and how things stand for the program after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Traced {
    /// Whose rule, and at which step of it.
    pub place: RulePlace,
    /// On behalf of which card it runs; [`CardId::NONE`] where it lies unseen, its name is in `cards`
    /// all the same (D64).
    pub source: CardId,
    /// For whom it runs (`me`).
    pub executor: Seat,
    /// Programs that wait for this one, this one included; 0 is a listener that only answers (D18).
    pub depth: usize,
    /// What came of the step.
    pub step: TraceStep,
    /// What the statement acts on.
    pub targets: Vec<DuelObject>,
    /// Everything an expression could read now, by its name in RuleScript; only what is set.
    pub variables: Vec<Variable>,
    /// The cards in it, as they are at this moment: a shuffle may change what an index stands for.
    pub cards: Vec<Seen>,
}

impl Traced {
    /// What a card of this line is.
    pub fn model(&self, card: CardId) -> Option<ModelId> {
        self.seen(card).map(Seen::true_model)
    }

    /// A card of this line, and who knows it.
    pub fn seen(&self, card: CardId) -> Option<Seen> {
        self.cards.iter().copied().find(|seen| seen.card == card)
    }
}

/// What a name stands for in a running program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// As RuleScript has it.
    pub name: Box<str>,
    /// Its value.
    pub value: TraceValue,
    /// Who may know it: a value that was made of cards which a player does not see may tell what
    /// they are, or how many there are of a kind.
    pub to: SeatSet,
}

/// What a line of the trace tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TraceStep {
    /// A program begins: by hand, inside another one, on an event, on entering play.
    Begins(FramePart),
    /// Whether every `requisite` found something (R304.1).
    Requisites(bool),
    /// Whether `target =` was resolved (R304.2); what it found is the variable `tgt`.
    Target(bool),
    /// `vars` were evaluated (R304.5).
    Vars,
    /// A step of a statement.
    Step(StepResult),
    /// The program is over.
    Ends(StatementsEnding),
}

/// The value of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TraceValue {
    /// Cards and players.
    Objects(Vec<DuelObject>),
    /// Anything else, as written.
    Text(String),
}
