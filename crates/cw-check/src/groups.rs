//! The statements of a rule with what surrounds them: the key they stand under, the trigger they
//! run on, the targets that reach them.

use cw_program::{CommandName, EventKind, EventName, Scope, Word as _};
use cw_syntax::{
    ArgForm, Argument, Body, Branch, Effect, EffectKind, Property, Rule, Statement, TargetClause, Value, Word,
};
use cw_text::Span;

/// An event that a group listens to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Listened<'a> {
    pub(crate) scope: Scope,
    pub(crate) name: EventName,
    pub(crate) suffixes: &'a [Word<'a>],
    pub(crate) span: Span,
}

impl Listened<'_> {
    pub(crate) fn has_suffix(&self, lower: &str) -> bool {
        self.suffixes.iter().any(|suffix| suffix.is(lower))
    }
}

/// The statements of one `action`, or of one trigger of an `auto` (D23).
#[derive(Clone, Debug)]
pub(crate) struct Group<'a> {
    /// Whether it is an `action`.
    pub(crate) action: bool,
    /// What starts it, if anything does.
    pub(crate) trigger: Option<cw_syntax::Trigger<'a>>,
    /// The known events of the trigger.
    pub(crate) events: Vec<Listened<'a>>,
    pub(crate) statements: &'a [Statement<'a>],
    /// All branches, in order.
    pub(crate) parts: Vec<Part<'a>>,
}

/// A branch with the known commands in it.
#[derive(Clone, Debug)]
pub(crate) struct Part<'a> {
    pub(crate) branch: Branch<'a>,
    /// Those within `each` included.
    pub(crate) calls: Vec<Call<'a>>,
}

fn parts<'a>(statements: &'a [Statement<'a>]) -> Vec<Part<'a>> {
    let mut out = Vec::with_capacity(statements.len());
    for statement in statements {
        each_branch(&statement.body, |branch| {
            out.push(Part {
                branch: *branch,
                calls: calls(branch.effects),
            });
        });
    }
    out
}

impl<'a> Group<'a> {
    /// Whether all events ask rather than tell (D18).
    pub(crate) fn is_query(&self) -> bool {
        !self.events.is_empty()
            && self
                .events
                .iter()
                .all(|event| event.name.form().kind == EventKind::Query)
    }

    /// Whether an answer of some event counts.
    pub(crate) fn is_hook(&self) -> bool {
        self.events
            .iter()
            .any(|event| event.name.form().kind != EventKind::Event)
    }

    pub(crate) fn listens_to(&self, names: &[EventName]) -> bool {
        self.events.iter().any(|event| names.contains(&event.name))
    }
}

/// The branches of a statement.
pub(crate) fn each_branch<'a>(body: &Body<'a>, mut visit: impl FnMut(&Branch<'a>)) {
    match body {
        Body::Plain(branch) | Body::May { branch, .. } => visit(branch),
        Body::If { arms, otherwise } => {
            arms.iter().for_each(|arm| visit(&arm.branch));
            otherwise.iter().for_each(|(_, branch)| visit(branch));
        }
    }
}

/// The branches of a statement, as a list.
pub(crate) fn branches<'a>(body: &Body<'a>) -> Vec<Branch<'a>> {
    let mut out = Vec::new();
    each_branch(body, |branch| out.push(*branch));
    out
}

/// The groups of a rule, in order.
pub(crate) fn groups<'a>(rule: &Rule<'a>) -> Vec<Group<'a>> {
    let mut out = Vec::new();
    let mut auto_seen = false;
    for property in rule.properties {
        match property.value {
            Value::Action(statements) => out.push(Group {
                action: true,
                trigger: None,
                events: Vec::new(),
                statements,
                parts: parts(statements),
            }),
            Value::Auto(statements) if !auto_seen => {
                auto_seen = true;
                auto_groups(statements, &mut out);
            }
            Value::Auto(_)
            | Value::Target(_)
            | Value::Requisite(_)
            | Value::Vars(_)
            | Value::Abilities(_)
            | Value::Label(_) => {}
        }
    }
    out
}

fn auto_groups<'a>(statements: &'a [Statement<'a>], out: &mut Vec<Group<'a>>) {
    let mut from = 0;
    while from < statements.len() {
        let more = statements[from + 1..]
            .iter()
            .position(|statement| statement.trigger.is_some());
        let to = more.map_or(statements.len(), |more| from + 1 + more);
        let trigger = statements[from].trigger;
        let events = trigger.map_or(&[][..], |trigger| trigger.events);
        out.push(Group {
            action: false,
            trigger,
            events: events.iter().filter_map(listened).collect(),
            statements: &statements[from..to],
            parts: parts(&statements[from..to]),
        });
        from = to;
    }
}

fn listened<'a>(event: &cw_syntax::Event<'a>) -> Option<Listened<'a>> {
    let (scope, name) = cw_program::event_name(event.name.text)?;
    Some(Listened {
        scope,
        name,
        suffixes: event.suffixes,
        span: event.span,
    })
}

/// The first property with this kind of value: the one that counts (R109).
pub(crate) fn first<'a>(rule: &Rule<'a>, wanted: fn(&Value<'a>) -> bool) -> Option<&'a Property<'a>> {
    rule.properties.iter().find(|property| wanted(&property.value))
}

/// The rule's own targets.
pub(crate) fn rule_target<'a>(rule: &Rule<'a>) -> Option<TargetClause<'a>> {
    rule.properties.iter().find_map(|property| match property.value {
        Value::Target(clause) => Some(clause),
        Value::Requisite(_)
        | Value::Vars(_)
        | Value::Abilities(_)
        | Value::Action(_)
        | Value::Auto(_)
        | Value::Label(_) => None,
    })
}

/// A call of a known command.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Call<'a> {
    pub(crate) name: CommandName,
    pub(crate) word: Word<'a>,
    pub(crate) arguments: &'a [Argument<'a>],
    pub(crate) span: Span,
}

/// The command that an effect calls, if it is a known one.
pub(crate) fn call<'a>(effect: &Effect<'a>) -> Option<Call<'a>> {
    match effect.kind {
        EffectKind::Call { name, arguments, .. } => Some(Call {
            name: CommandName::find(name.text)?,
            word: name,
            arguments,
            span: effect.span,
        }),
        EffectKind::Ability { .. } => None,
    }
}

/// The known commands among effects, those within `each` included.
pub(crate) fn calls<'a>(effects: &'a [Effect<'a>]) -> Vec<Call<'a>> {
    let mut out = Vec::new();
    collect(effects, &mut out);
    out
}

fn collect<'a>(effects: &'a [Effect<'a>], out: &mut Vec<Call<'a>>) {
    for effect in effects {
        let Some(call) = call(effect) else { continue };
        out.push(call);
        for argument in call.arguments {
            if let ArgForm::Each(each) = argument.form {
                collect(each.effects, out);
            }
        }
    }
}
