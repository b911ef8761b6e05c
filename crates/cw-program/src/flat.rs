//! A rule as a flat list of small steps, so that "where it stands" is one number.
//!
//! Whoever runs a [`Program`] keeps that number and looks the rest up by the numbers in its [`Op`]s.

use crate::{
    AutoKind, CompiledRule, EachGroup, EffectJoiner, EventName, FormulaId, Keyword, PileName, Restriction,
    RuleBranch, RuleCost, RuleEffect, RuleEffectKind, RuleStatement, StatementKind, TargetClause, Zone,
    ZonePlace, ZoneSide,
};

/// A compiled rule with its flat form.
#[derive(Clone, Debug)]
pub struct Program {
    /// The rule as compiled; expressions and targets are looked up here.
    pub rule: CompiledRule,
    /// Printed keyword abilities, as bits.
    pub keywords: u16,
    /// All steps of all actions and autos.
    pub ops: Vec<Op>,
    /// Where each action begins.
    pub actions: Vec<u16>,
    /// Where each auto begins, and what it hears.
    pub autos: Vec<AutoEntry>,
    /// What [`Op::Effect`] runs.
    pub effects: Vec<ProgramStep>,
    /// Where [`Op::To`] looks for targets.
    pub clauses: Vec<TargetClause>,
    /// What [`Op::Costs`] pays.
    pub costs: Vec<Vec<RuleCost>>,
    /// What [`Op::May`] asks; `None`: what the effect itself says.
    pub questions: Vec<Option<Box<str>>>,
    /// What [`Op::Revert`] takes back.
    pub reverts: Vec<Revert>,
    /// What [`Op::EachStart`] repeats over.
    pub groups: Vec<EachGroup>,
}

/// Where an auto begins.
#[derive(Clone, Debug)]
pub struct AutoEntry {
    /// Its first step.
    pub start: u16,
    /// The events it hears, as bits.
    pub events: u32,
    /// Whether it holds all the time, rather than hearing events.
    pub continuous: bool,
}

/// An effect with what it needs from its statement.
#[derive(Clone, Debug)]
pub struct ProgramStep {
    /// The effect.
    pub effect: RuleEffect,
    /// How long it lasts.
    pub restriction: Option<Restriction>,
}

/// What a statement takes back when its `if` is false (R505).
#[derive(Clone, Debug)]
pub struct Revert {
    /// The keywords that were granted.
    pub keywords: Vec<Keyword>,
    /// To whom, as a number in [`Program::clauses`]; `None`: as the rule says.
    pub clause: Option<u16>,
}

/// How a list of statements ends (R306, R507).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StatementsEnding {
    /// It ran to its end.
    Done,
    /// The first `if` of an action was false.
    NoEffect,
    /// A requisite, target or cost was missing or refused.
    Cancelled,
    /// A bare condition was true.
    True,
    /// A bare condition was false.
    False,
}

/// One step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// Pays costs that stand in a later statement (D23).
    Costs(u16),
    /// Goes on if the expression holds, else to `otherwise`.
    If {
        /// What must hold.
        condition: FormulaId,
        /// The step to go on with if it does not.
        otherwise: u16,
    },
    /// Asks; no ends the list (R501).
    May(u16),
    /// The statement acts on what the clause finds.
    To(u16),
    /// The statement acts on the main targets.
    NoTo,
    /// Runs an effect.
    Effect(u16),
    /// `||`: after success.
    SkipIfDone(u16),
    /// `&&`: after failure.
    SkipIfFailed(u16),
    /// Computes what `each` repeats over.
    EachStart {
        /// How many loops it lies in.
        level: u8,
        /// A number in [`Program::groups`].
        group: u16,
    },
    /// Takes the next element, or goes to `end`.
    EachNext {
        /// How many loops it lies in.
        level: u8,
        /// The step after the loop.
        end: u16,
    },
    /// Takes back untimed grants of a statement (R505).
    Revert(u16),
    /// The statement is over (R1102).
    EndStatement,
    /// Goes on elsewhere.
    Jump(u16),
    /// The list is over.
    Stop(StatementsEnding),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ProgramPart {
    Action,
    Auto,
}

impl Program {
    /// Whether no action has a cost: without ability types, the card is then an instant (D37).
    pub fn actions_are_free(&self) -> bool {
        self.rule.actions.iter().all(|action| action.costs().is_empty())
    }

    /// Flattens a rule.
    pub fn new(mut rule: CompiledRule) -> Program {
        force_zones(&mut rule);
        let mut program = Program {
            keywords: rule
                .abilities
                .iter()
                .fold(0, |bits, keyword| bits | keyword_bit(*keyword)),
            ops: Vec::new(),
            actions: Vec::new(),
            autos: Vec::new(),
            effects: Vec::new(),
            clauses: Vec::new(),
            costs: Vec::new(),
            questions: Vec::new(),
            reverts: Vec::new(),
            groups: Vec::new(),
            rule: CompiledRule::default(),
        };
        for action in &rule.actions {
            let start = program.here();
            program.actions.push(start);
            program.list(&action.statements, ProgramPart::Action);
        }
        for auto in &rule.autos {
            let (events, continuous) = match &auto.kind {
                AutoKind::Events(events) => {
                    (events.iter().fold(0, |bits, e| bits | event_bit(e.name)), false)
                }
                AutoKind::Entering => (0, false),
                AutoKind::Continuous => (0, true),
            };
            let start = program.here();
            program.autos.push(AutoEntry {
                start,
                events,
                continuous,
            });
            program.list(&auto.statements, ProgramPart::Auto);
        }
        program.rule = rule;
        program
    }

    fn here(&self) -> u16 {
        number(self.ops.len())
    }

    fn list(&mut self, statements: &[RuleStatement], part: ProgramPart) {
        for (index, statement) in statements.iter().enumerate() {
            self.statement(statement, part, index == 0);
        }
        self.ops.push(Op::Stop(StatementsEnding::Done));
    }

    fn statement(&mut self, statement: &RuleStatement, part: ProgramPart, first: bool) {
        // The first statement's costs are the action's own and paid before the list begins.
        if !statement.costs.is_empty() && !first {
            let costs = add(&mut self.costs, statement.costs.clone());
            self.ops.push(Op::Costs(costs));
        }
        match &statement.kind {
            StatementKind::Plain(branch) => self.branch(branch),
            StatementKind::May { question, body } => {
                let question = add(&mut self.questions, question.clone());
                self.ops.push(Op::May(question));
                self.branch(body);
            }
            StatementKind::If { arms, otherwise } => {
                self.conditional(arms, otherwise.as_ref(), part, first);
            }
        }
    }

    fn conditional(
        &mut self,
        arms: &[(FormulaId, RuleBranch)],
        otherwise: Option<&RuleBranch>,
        part: ProgramPart,
        first: bool,
    ) {
        let alone = arms.len() == 1 && otherwise.is_none();
        let bare = alone && arms[0].1.effects.is_empty();
        let mut to_end = Vec::new();
        for (condition, branch) in arms {
            let test = self.ops.len();
            self.ops.push(Op::If {
                condition: *condition,
                otherwise: 0,
            });
            if bare {
                // R507: a condition without effects is the result of the list.
                self.ops.push(Op::Stop(StatementsEnding::True));
            } else {
                // R511: an empty branch beside others does nothing.
                self.branch(branch);
                to_end.push(self.ops.len());
                self.ops.push(Op::Jump(0));
            }
            self.ops[test] = Op::If {
                condition: *condition,
                otherwise: self.here(),
            };
        }
        match (otherwise, part) {
            (Some(branch), _) => self.branch(branch),
            (None, ProgramPart::Action) if first => self.ops.push(
                Op::Stop(StatementsEnding::NoEffect), // R504, R508
            ),
            (None, ProgramPart::Action) if bare => self.ops.push(
                Op::Stop(StatementsEnding::Cancelled), // R507
            ),
            (None, ProgramPart::Auto) if bare => self.ops.push(Op::Stop(StatementsEnding::False)),
            // R505: with several branches nothing is taken back.
            (None, _) if alone => self.revert(&arms[0].1),
            (None, _) => {}
        }
        let end = self.here();
        for jump in to_end {
            self.ops[jump] = Op::Jump(end);
        }
    }

    fn revert(&mut self, branch: &RuleBranch) {
        let granted = |effect: &RuleEffect| match &effect.kind {
            RuleEffectKind::Grant(keyword) => Some(*keyword),
            RuleEffectKind::Remove(_) | RuleEffectKind::Command(_) => None,
        };
        let keywords: Vec<Keyword> = branch.effects.iter().filter_map(granted).collect();
        // Only grants without a restriction are taken back.
        if keywords.is_empty() || branch.restriction.is_some() {
            return;
        }
        let clause = branch.to.clone().map(|clause| add(&mut self.clauses, clause));
        let revert = add(&mut self.reverts, Revert { keywords, clause });
        self.ops.push(Op::Revert(revert));
    }

    fn branch(&mut self, branch: &RuleBranch) {
        if branch.effects.is_empty() {
            return;
        }
        match &branch.to {
            Some(clause) => {
                let clause = add(&mut self.clauses, clause.clone());
                self.ops.push(Op::To(clause));
            }
            None => self.ops.push(Op::NoTo),
        }
        self.effects(&branch.effects, branch.restriction, 0);
        self.ops.push(Op::EndStatement);
    }

    /// R603: flat, left to right.
    fn effects(&mut self, effects: &[RuleEffect], restriction: Option<Restriction>, level: u8) {
        let mut drops = Vec::new();
        for effect in effects {
            let skip = self.ops.len();
            match effect.joiner {
                EffectJoiner::Then => {}
                EffectJoiner::AndThen => {
                    drops.push(skip);
                    self.ops.push(Op::SkipIfFailed(0));
                }
                EffectJoiner::OrElse => self.ops.push(Op::SkipIfDone(0)),
            }
            self.effect(effect, restriction, level);
            if effect.joiner == EffectJoiner::OrElse {
                self.ops[skip] = Op::SkipIfDone(self.here());
            }
        }
        let end = self.here();
        for drop in drops {
            self.ops[drop] = Op::SkipIfFailed(end);
        }
    }

    fn effect(&mut self, effect: &RuleEffect, restriction: Option<Restriction>, level: u8) {
        if let RuleEffectKind::Command(crate::Command::Each(each)) = &effect.kind {
            // An optional `each` asks through the effect that stands before its loop.
            let step = add(
                &mut self.effects,
                ProgramStep {
                    effect: effect.clone(),
                    restriction,
                },
            );
            let ask = self.ops.len();
            self.ops.push(Op::Effect(step));
            let group = add(&mut self.groups, each.over.clone());
            self.ops.push(Op::EachStart { level, group });
            let next = self.here();
            self.ops.push(Op::EachNext { level, end: 0 });
            self.effects(&each.body, restriction, level + 1);
            self.ops.push(Op::Jump(next));
            let end = self.here();
            self.ops[usize::from(next)] = Op::EachNext { level, end };
            debug_assert!(
                matches!(self.ops[ask], Op::Effect(_)),
                "the loop's question comes first"
            );
        } else {
            let step = add(
                &mut self.effects,
                ProgramStep {
                    effect: effect.clone(),
                    restriction,
                },
            );
            self.ops.push(Op::Effect(step));
        }
    }
}

fn add<T>(pool: &mut Vec<T>, item: T) -> u16 {
    pool.push(item);
    number(pool.len() - 1)
}

/// # Panics
/// Never: the compiler refuses rules of more than 65,535 steps or parts.
fn number(at: usize) -> u16 {
    u16::try_from(at).expect("the compiler refuses rules of more than 65,535 steps or parts")
}

/// The bit that stands for an event in [`AutoEntry::events`].
#[inline]
pub fn event_bit(event: EventName) -> u32 {
    1 << event as u8
}

/// R703, R705: costs are paid from the executor's ring and hand, whatever is written.
fn force_zones(rule: &mut CompiledRule) {
    let actions = rule.actions.iter_mut().map(|action| &mut action.statements);
    let autos = rule.autos.iter_mut().map(|auto| &mut auto.statements);
    for statement in actions.chain(autos).flatten() {
        for cost in &mut statement.costs {
            let (target, place) = match cost {
                RuleCost::Sacrifice(target) => (target, ZonePlace::Ring),
                RuleCost::Discard(target) => (target, ZonePlace::Pile(PileName::Hand)),
                RuleCost::Freeze | RuleCost::SacrificeSelf => continue,
            };
            target.zone = Zone {
                side: ZoneSide::Mine,
                place,
            };
        }
    }
}

/// What the steps are, for questions and traces.
impl Program {
    /// The effect of a step in words.
    pub fn describe(&self, step: u16) -> Option<String> {
        let Op::Effect(effect) = self.ops.get(usize::from(step))? else {
            return None;
        };
        let effect = &self.effects[usize::from(*effect)].effect;
        Some(match &effect.kind {
            RuleEffectKind::Grant(keyword) => format!("gain {keyword}"),
            RuleEffectKind::Remove(keyword) => format!("lose {keyword}"),
            RuleEffectKind::Command(command) => command.describe().to_owned(),
        })
    }

    /// The statement that a step belongs to, in words: its next effect, else its last.
    pub fn statement_at(&self, step: u16) -> Option<String> {
        let step = usize::from(step).min(self.ops.len());
        let is_end = |op: &Op| matches!(op, Op::EndStatement | Op::Stop(_));
        let ahead = self.ops[step..].iter().position(is_end);
        let end = ahead.map_or(self.ops.len(), |ahead| step + ahead);
        let start = self.ops[..step].iter().rposition(is_end).map_or(0, |at| at + 1);
        let mut steps = (step..end).chain((start..step).rev());
        steps.find_map(|step| self.describe(u16::try_from(step).ok()?))
    }

    /// The target filter in force at a step: of the clause, the effect, or the rule.
    pub fn target_with(&self, step: u16, index: usize) -> Option<&crate::Target> {
        let has = |target: &&crate::Target| match &target.kind {
            crate::TargetKind::Either(items) | crate::TargetKind::Each(items) => {
                items.len() > index && items.len() > 1
            }
            crate::TargetKind::Computed(_) => false,
        };
        let of_clause = match self.ops.get(usize::from(step)) {
            Some(Op::To(clause)) => self.clauses[usize::from(*clause)].targets.iter().find(has),
            _ => None,
        };
        of_clause.or_else(|| self.rule.target.as_ref()?.targets.iter().find(has))
    }

    /// The bytes of the rule's text that a step comes from.
    pub fn span_of(&self, step: u16) -> Option<std::ops::Range<usize>> {
        let span = match self.ops.get(usize::from(step))? {
            Op::Effect(effect) => self.effects[usize::from(*effect)].effect.span,
            Op::To(clause) => self.clauses[usize::from(*clause)].span,
            Op::If { condition, .. } => self.rule.formulas.get(usize::from(condition.0))?.span,
            _ => return None,
        };
        let moved = |at: usize| at.saturating_add_signed(self.rule.moved);
        let written = span.range();
        Some(moved(written.start)..moved(written.end))
    }
}

/// Something of a rule that a test should reach once: a statement, or one way out of a branch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    /// The step of the program.
    pub step: u16,
    /// What has to come of it.
    pub goal: Goal,
    /// What it is, as the author would call it.
    pub what: String,
}

/// What has to come of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Goal {
    /// The effect runs.
    Runs,
    /// The condition, or the answer to `may`, comes out like this.
    Is(bool),
    /// The costs are paid.
    IsPaid,
}

impl Goal {
    /// Whether this result of the step is what has to come of it.
    pub fn is_reached_by(self, result: StepResult) -> bool {
        match (self, result) {
            (Goal::Runs, StepResult::Effect(_)) | (Goal::IsPaid, StepResult::Paid) => true,
            (Goal::Is(wanted), StepResult::Condition(is)) => wanted == is,
            (Goal::Runs | Goal::IsPaid | Goal::Is(_), _) => false,
        }
    }
}

impl Program {
    /// All statements and branches, in the order of the program.
    pub fn points(&self) -> Vec<Point> {
        let mut points = Vec::new();
        for (start, action) in self.actions.iter().zip(&self.rule.actions) {
            if !action.costs().is_empty() {
                points.push(Point {
                    step: *start,
                    goal: Goal::IsPaid,
                    what: "paying the costs".into(),
                });
            }
        }
        for (index, op) in self.ops.iter().enumerate() {
            let step = number(index);
            let mut add = |goal: Goal, what: String| points.push(Point { step, goal, what });
            match op {
                Op::Effect(_) => add(Goal::Runs, self.describe(step).unwrap_or_default()),
                Op::If { condition, .. } => {
                    let formula = self.rule.formulas.get(usize::from(condition.0));
                    let text = formula.map_or("", |formula| &formula.text);
                    add(Goal::Is(true), format!("if {text}: true"));
                    add(Goal::Is(false), format!("if {text}: false"));
                }
                Op::May(_) => {
                    add(Goal::Is(true), "may: yes".into());
                    add(Goal::Is(false), "may: no".into());
                }
                Op::Costs(_) => add(Goal::IsPaid, "paying the costs".into()),
                Op::To(_)
                | Op::NoTo
                | Op::SkipIfDone(_)
                | Op::SkipIfFailed(_)
                | Op::EachStart { .. }
                | Op::EachNext { .. }
                | Op::Revert(_)
                | Op::EndStatement
                | Op::Jump(_)
                | Op::Stop(_) => {}
            }
        }
        points
    }
}

/// The bit that stands for a keyword in [`Program::keywords`].
#[inline]
pub fn keyword_bit(keyword: Keyword) -> u16 {
    1 << keyword as u8
}

/// What came of a step of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum StepResult {
    /// A condition held or not.
    Condition(bool),
    /// Targets were found: how many.
    Targets(u8),
    /// No targets: the statement list stops.
    NoTargets,
    /// An effect ran: whether it succeeded.
    Effect(bool),
    /// An effect was not run (declined, or skipped in a query).
    Skipped,
    /// Costs were paid.
    Paid,
    /// Costs could not be paid.
    Unpaid,
    /// Grants of the statement were taken back.
    Reverted,
}
