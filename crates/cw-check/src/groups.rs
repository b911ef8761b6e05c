//! The statements of a rule with what surrounds them: the key they stand under, the trigger they
//! run on, the targets that reach them.

use cw_program::{CommandName, EventKind, EventName, Scope, Word as _};
use cw_syntax::{
    Arena, ArgForm, Argument, Assign, Body, Branch, Effect, EffectKind, Property, Rule, Statement,
    TargetClause, Value, Word,
};
use cw_text::Span;
use smallvec::SmallVec;

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
#[derive(Clone, Copy, Debug)]
pub(crate) struct Group<'a> {
    /// Whether it is an `action`.
    pub(crate) action: bool,
    /// What starts it, if anything does.
    pub(crate) trigger: Option<cw_syntax::Trigger<'a>>,
    /// The known events of the trigger.
    pub(crate) events: &'a [Listened<'a>],
    pub(crate) statements: &'a [Statement<'a>],
    /// All branches, in order.
    pub(crate) parts: &'a [Part<'a>],
}

/// A branch with the known commands in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part<'a> {
    pub(crate) branch: &'a Branch<'a>,
    /// Which statement of the group it belongs to.
    pub(crate) statement: usize,
    /// Those within `each` included.
    pub(crate) calls: &'a [Call<'a>],
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
pub(crate) fn branches<'b, 'a>(body: &'b Body<'a>) -> impl Iterator<Item = &'b Branch<'a>> {
    let (only, arms, otherwise) = match body {
        Body::Plain(branch) | Body::May { branch, .. } => (Some(branch), &[][..], None),
        Body::If { arms, otherwise } => (None, *arms, otherwise.as_ref().map(|(_, branch)| branch)),
    };
    only.into_iter()
        .chain(arms.iter().map(|arm| &arm.branch))
        .chain(otherwise)
}

/// Buffers in which lists grow before they move to the arena; most rules are small.
#[derive(Default)]
struct Grouping<'a> {
    groups: SmallVec<[Group<'a>; 2]>,
    parts: SmallVec<[Part<'a>; 4]>,
    calls: SmallVec<[Call<'a>; 4]>,
}

/// The groups of a rule, in order.
pub(crate) fn groups<'a>(rule: &Rule<'a>, arena: &'a Arena) -> &'a [Group<'a>] {
    let mut grouping = Grouping::default();
    let mut auto_seen = false;
    for property in rule.properties {
        match property.value {
            Value::Action(statements) => {
                let group = Group {
                    action: true,
                    trigger: None,
                    events: &[],
                    statements,
                    parts: grouping.parts(statements, arena),
                };
                grouping.groups.push(group);
            }
            Value::Auto(statements) if !auto_seen => {
                auto_seen = true;
                grouping.auto(statements, arena);
            }
            Value::Auto(_)
            | Value::Target(_)
            | Value::Requisite(_)
            | Value::Vars(_)
            | Value::Abilities(_)
            | Value::Label(_) => {}
        }
    }
    arena.alloc_slice_copy(&grouping.groups)
}

impl<'a> Grouping<'a> {
    fn auto(&mut self, statements: &'a [Statement<'a>], arena: &'a Arena) {
        let mut from = 0;
        while from < statements.len() {
            let more = statements[from + 1..]
                .iter()
                .position(|statement| statement.trigger.is_some());
            let to = more.map_or(statements.len(), |more| from + 1 + more);
            let trigger = statements[from].trigger;
            let events = trigger.map_or(&[][..], |trigger| trigger.events);
            let events: SmallVec<[Listened<'a>; 4]> = events.iter().filter_map(listened).collect();
            let group = Group {
                action: false,
                trigger,
                events: arena.alloc_slice_copy(&events),
                statements: &statements[from..to],
                parts: self.parts(&statements[from..to], arena),
            };
            self.groups.push(group);
            from = to;
        }
    }

    fn parts(&mut self, statements: &'a [Statement<'a>], arena: &'a Arena) -> &'a [Part<'a>] {
        self.parts.clear();
        for (index, statement) in statements.iter().enumerate() {
            for branch in branches(&statement.body) {
                self.calls.clear();
                collect(branch.effects, false, &mut self.calls);
                self.parts.push(Part {
                    branch,
                    statement: index,
                    calls: arena.alloc_slice_copy(&self.calls),
                });
            }
        }
        arena.alloc_slice_copy(&self.parts)
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

/// The keys of a rule: of those that count once, the first (R109).
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Keys<'a> {
    pub(crate) target: Option<&'a TargetClause<'a>>,
    pub(crate) requisite: Option<&'a Property<'a>>,
    pub(crate) abilities: Option<&'a [Word<'a>]>,
    pub(crate) vars: Option<&'a [Assign<'a>]>,
    pub(crate) auto: Option<&'a [Statement<'a>]>,
    /// How many there are.
    pub(crate) actions: usize,
    /// How many there are.
    pub(crate) labels: usize,
}

impl<'a> Keys<'a> {
    pub(crate) fn of(rule: &Rule<'a>) -> Keys<'a> {
        let mut keys = Keys::default();
        for property in rule.properties {
            match &property.value {
                Value::Target(clause) => _ = keys.target.get_or_insert(clause),
                Value::Requisite(_) => _ = keys.requisite.get_or_insert(property),
                Value::Abilities(words) => _ = keys.abilities.get_or_insert(words),
                Value::Vars(assigns) => _ = keys.vars.get_or_insert(assigns),
                Value::Auto(statements) => _ = keys.auto.get_or_insert(statements),
                Value::Action(_) => keys.actions += 1,
                Value::Label(_) => keys.labels += 1,
            }
        }
        keys
    }
}

/// A call of a known command.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Call<'a> {
    /// Whether it stands within an `each`.
    pub(crate) nested: bool,
    pub(crate) name: CommandName,
    pub(crate) word: Word<'a>,
    pub(crate) arguments: &'a [Argument<'a>],
    pub(crate) span: Span,
}

/// The command that an effect calls, if it is a known one.
pub(crate) fn call<'a>(effect: &Effect<'a>) -> Option<Call<'a>> {
    match effect.kind {
        EffectKind::Call { name, arguments, .. } => Some(Call {
            nested: false,
            name: CommandName::find(name.text)?,
            word: name,
            arguments,
            span: effect.span,
        }),
        EffectKind::Ability { .. } => None,
    }
}

/// The known commands among effects, those within `each` included.
pub(crate) fn calls<'a>(effects: &'a [Effect<'a>]) -> SmallVec<[Call<'a>; 4]> {
    let mut out = SmallVec::new();
    collect(effects, false, &mut out);
    out
}

fn collect<'a>(effects: &'a [Effect<'a>], nested: bool, out: &mut SmallVec<[Call<'a>; 4]>) {
    for effect in effects {
        let Some(call) = call(effect) else { continue };
        out.push(Call { nested, ..call });
        for argument in call.arguments {
            if let ArgForm::Each(each) = argument.form {
                collect(each.effects, true, out);
            }
        }
    }
}
