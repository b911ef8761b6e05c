//! The statements of a rule with what surrounds them: the key they stand under, the trigger they
//! run on, the targets that reach them.

use cw_program::{ClosedWord as _, CommandName, EventKind, EventName, Scope};
use cw_syntax::{
    Arena, ArgForm, Argument, BranchSyntax, EffectSyntax, EffectSyntaxKind, List, PropertyValueSyntax,
    RuleSyntax, StatementBody, StatementSyntax, WordSyntax,
};
use cw_text::Span;

/// An event that a group listens to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Listened<'a> {
    pub(crate) scope: Scope,
    pub(crate) name: EventName,
    pub(crate) suffixes: &'a [WordSyntax<'a>],
    pub(crate) span: Span,
}

impl Listened<'_> {
    pub(crate) fn has_suffix(&self, lower: &str) -> bool {
        self.suffixes.iter().any(|suffix| suffix.is(lower))
    }
}

/// The statements of one `action`, or of one trigger of an `auto` (D23).
#[derive(Clone, Copy, Debug)]
pub(crate) struct StatementGroup<'a> {
    /// Whether it is an `action`.
    pub(crate) action: bool,
    /// What starts it, if anything does.
    pub(crate) trigger: Option<cw_syntax::Trigger<'a>>,
    /// The known events of the trigger.
    pub(crate) events: &'a [Listened<'a>],
    pub(crate) statements: &'a [StatementSyntax<'a>],
    /// All branches, in order.
    pub(crate) parts: &'a [CheckedBranch<'a>],
}

/// A branch with the known commands in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CheckedBranch<'a> {
    pub(crate) branch: &'a BranchSyntax<'a>,
    /// Which statement of the group it belongs to.
    pub(crate) statement: usize,
    /// Those within `each` included.
    pub(crate) calls: &'a [CheckedCall<'a>],
}

impl<'a> StatementGroup<'a> {
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

/// Visits the branches of a statement.
#[inline]
pub(crate) fn each_branch<'b, 'a>(body: &'b StatementBody<'a>, mut visit: impl FnMut(&'b BranchSyntax<'a>)) {
    match body {
        StatementBody::Plain(branch) | StatementBody::May { branch, .. } => visit(branch),
        StatementBody::If { arms, otherwise } => {
            arms.iter().for_each(|arm| visit(&arm.branch));
            otherwise.iter().for_each(|(_, branch)| visit(branch));
        }
    }
}

/// The groups of a rule, in order.
pub(crate) fn groups<'a>(rule: &RuleSyntax<'a>, arena: &'a Arena) -> &'a [StatementGroup<'a>] {
    let mut groups = List::with_capacity_in(1, arena);
    let mut auto_seen = false;
    for property in rule.properties {
        match property.value {
            PropertyValueSyntax::Action(statements) => groups.push(StatementGroup {
                action: true,
                trigger: None,
                events: &[],
                statements,
                parts: parts(statements, arena),
            }),
            PropertyValueSyntax::Auto(statements) if !auto_seen => {
                auto_seen = true;
                auto_groups(statements, arena, &mut groups);
            }
            PropertyValueSyntax::Auto(_)
            | PropertyValueSyntax::Target(_)
            | PropertyValueSyntax::Requisite(_)
            | PropertyValueSyntax::Vars(_)
            | PropertyValueSyntax::Abilities(_)
            | PropertyValueSyntax::Label(_) => {}
        }
    }
    groups.into_bump_slice()
}

fn auto_groups<'a>(
    statements: &'a [StatementSyntax<'a>],
    arena: &'a Arena,
    groups: &mut List<'a, StatementGroup<'a>>,
) {
    let mut from = 0;
    while from < statements.len() {
        let more = statements[from + 1..]
            .iter()
            .position(|statement| statement.trigger.is_some());
        let to = more.map_or(statements.len(), |more| from + 1 + more);
        let trigger = statements[from].trigger;
        let written = trigger.map_or(&[][..], |trigger| trigger.events);
        let mut events = List::with_capacity_in(written.len(), arena);
        events.extend(written.iter().filter_map(listened));
        groups.push(StatementGroup {
            action: false,
            trigger,
            events: events.into_bump_slice(),
            statements: &statements[from..to],
            parts: parts(&statements[from..to], arena),
        });
        from = to;
    }
}

fn parts<'a>(statements: &'a [StatementSyntax<'a>], arena: &'a Arena) -> &'a [CheckedBranch<'a>] {
    let mut parts = List::with_capacity_in(statements.len(), arena);
    for (statement, StatementSyntax { body, .. }) in statements.iter().enumerate() {
        each_branch(body, |branch| {
            parts.push(CheckedBranch {
                branch,
                statement,
                calls: calls(branch.effects, arena),
            });
        });
    }
    parts.into_bump_slice()
}

fn listened<'a>(event: &cw_syntax::EventSyntax<'a>) -> Option<Listened<'a>> {
    let (scope, name) = cw_program::event_name(event.name.text)?;
    Some(Listened {
        scope,
        name,
        suffixes: event.suffixes,
        span: event.span,
    })
}

/// A call of a known command.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CheckedCall<'a> {
    /// Whether it stands within an `each`.
    pub(crate) nested: bool,
    pub(crate) name: CommandName,
    pub(crate) word: WordSyntax<'a>,
    pub(crate) arguments: &'a [Argument<'a>],
    pub(crate) span: Span,
}

/// The command that an effect calls, if it is a known one.
#[inline]
pub(crate) fn call<'a>(effect: &EffectSyntax<'a>) -> Option<CheckedCall<'a>> {
    let EffectSyntaxKind::Call {
        name: word,
        arguments,
        ..
    } = effect.kind
    else {
        return None;
    };
    Some(CheckedCall {
        nested: false,
        name: CommandName::find(word.text)?,
        word,
        arguments,
        span: effect.span,
    })
}

/// The known commands among effects, those within `each` included.
pub(crate) fn calls<'a>(effects: &'a [EffectSyntax<'a>], arena: &'a Arena) -> &'a [CheckedCall<'a>] {
    let mut calls = List::with_capacity_in(effects.len(), arena);
    collect(effects, false, &mut calls);
    calls.into_bump_slice()
}

fn collect<'a>(effects: &'a [EffectSyntax<'a>], nested: bool, out: &mut List<'a, CheckedCall<'a>>) {
    for effect in effects {
        let Some(call) = call(effect) else { continue };
        out.push(CheckedCall { nested, ..call });
        for argument in call.arguments {
            if let ArgForm::Each(each) = argument.form {
                collect(each.effects, true, out);
            }
        }
    }
}
