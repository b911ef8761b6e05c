//! Expressions as words: RS040's neighbours RS044, RS064, RS072. What an expression means is
//! checked where it is compiled.

use cw_program::{CommandName, EventName};
use cw_syntax::{ArgForm, Body, Branch, CostArgument, Effect, EffectKind, Target, Value, Word, rs};
use cw_text::Span;

use super::Lints;
use crate::groups::{Group, branches, calls, rule_target};

pub(super) fn run(lints: &mut Lints<'_, '_>) {
    in_vars(lints);
    unused(lints);
    let groups = std::mem::take(&mut lints.groups);
    for group in &groups {
        too_early(lints, group);
        constant_conditions(lints, group);
    }
    lints.groups = groups;
}

/// The names in an expression: words that follow no dot and stand in no string.
pub(super) fn names(expression: Word<'_>) -> impl Iterator<Item = Word<'_>> {
    let bytes = expression.text.as_bytes();
    let mut at = 0;
    let mut after_dot = false;
    std::iter::from_fn(move || {
        while let Some(&byte) = bytes.get(at) {
            let start = at;
            if matches!(byte, b'"' | b'\'') {
                let close = bytes[at + 1..].iter().position(|other| *other == byte);
                at = close.map_or(bytes.len(), |close| at + close + 2);
                after_dot = false;
            } else if byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80 {
                let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80;
                at += bytes[at..]
                    .iter()
                    .position(|byte| !is_word(byte))
                    .unwrap_or(bytes.len() - at);
                let skip = std::mem::replace(&mut after_dot, false) || byte.is_ascii_digit();
                if !skip {
                    let from = expression.span.start as usize;
                    return Some(Word {
                        text: &expression.text[start..at],
                        span: Span::new(from + start, from + at),
                    });
                }
            } else {
                at += 1;
                if !byte.is_ascii_whitespace() {
                    after_dot = byte == b'.';
                }
            }
        }
        None
    })
}

/// Whether a text is an expression that speaks of something, not a plain number or word list.
fn argument_expressions<'a>(effects: &'a [Effect<'a>], out: &mut Vec<Word<'a>>) {
    for effect in effects {
        let EffectKind::Call { arguments, .. } = effect.kind else {
            continue;
        };
        for argument in arguments {
            match argument.form {
                ArgForm::Word | ArgForm::Text => out.push(argument.text),
                ArgForm::Each(each) => {
                    out.push(each.over);
                    argument_expressions(each.effects, out);
                }
                ArgForm::Int(_) | ArgForm::Quoted(_) | ArgForm::Question => {}
            }
        }
    }
}

fn target_expressions<'a>(targets: &[Target<'a>], out: &mut Vec<Word<'a>>) {
    for target in targets {
        out.extend(target.expression);
        out.extend(target.selector.map(|selector| selector.argument));
        if let [only] = target.types
            && target.expression.is_none()
            && !only.quoted
            && only.prefix.is_none()
            && cw_program::is_variable(only.name.text)
        {
            out.push(only.name);
        }
    }
}

/// R304, RS044: nothing was paid or done when `vars` are evaluated.
fn in_vars(lints: &mut Lints<'_, '_>) {
    let Some(vars) = lints
        .rule
        .properties
        .iter()
        .find_map(|property| match property.value {
            Value::Vars(assigns) => Some(assigns),
            Value::Target(_)
            | Value::Requisite(_)
            | Value::Abilities(_)
            | Value::Action(_)
            | Value::Auto(_)
            | Value::Label(_) => None,
        })
    else {
        return;
    };
    let declared: Vec<Word<'_>> = vars.iter().map(|assign| assign.name).collect();
    for assign in vars {
        for name in names(assign.value) {
            if declared
                .iter()
                .any(|known| known.text.eq_ignore_ascii_case(name.text))
            {
                continue;
            }
            if let Some(setter) = setter(name.text) {
                let message = format!(
                    "`{}` is set by {setter}, which comes later than `vars`",
                    name.text
                );
                lints.add(rs::RS044, name.span, message);
            }
        }
    }
}

/// RS077.
fn unused(lints: &mut Lints<'_, '_>) {
    let mut vars: Vec<(Word<'_>, bool)> = Vec::new();
    for property in lints.rule.properties {
        if let Value::Vars(assigns) = property.value {
            vars.extend(assigns.iter().map(|assign| (assign.name, false)));
            break;
        }
    }
    if vars.is_empty() {
        return;
    }
    for property in lints.rule.properties {
        // Strings count: `getTargets` takes filters, which may name variables.
        let text = property.text;
        for word in text
            .text
            .split(|letter: char| !letter.is_alphanumeric() && letter != '_')
        {
            let at = text.span.start as usize + (word.as_ptr() as usize - text.text.as_ptr() as usize);
            for (name, used) in &mut vars {
                *used |= name.span.start as usize != at && name.text.eq_ignore_ascii_case(word);
            }
        }
    }
    for (name, used) in vars {
        if !used {
            lints.add(rs::RS077, name.span, format!("nothing uses `{}`", name.text));
        }
    }
}

/// What sets a list, for messages.
fn setter(name: &str) -> Option<&'static str> {
    let known = [
        ("discarded", "a cost `{D}` or `discard`"),
        ("sacrificed", "a cost `{S}`"),
        ("destroyed", "`destroy`"),
        ("moved", "`moveTo`"),
        ("trashed", "`trash`"),
    ];
    known
        .iter()
        .find(|(word, _)| word.eq_ignore_ascii_case(name))
        .map(|(_, setter)| *setter)
}

/// What exists while the statements of a group run.
#[derive(Clone, Copy, Default)]
struct Exists {
    discarded: bool,
    sacrificed: bool,
    destroyed: bool,
    moved: bool,
    trashed: bool,
}

impl Exists {
    fn after(&mut self, command: CommandName) {
        match command.signature().sets {
            Some("discarded") => self.discarded = true,
            Some("destroyed") => self.destroyed = true,
            Some("moved") => self.moved = true,
            Some("trashed") => self.trashed = true,
            _ => {}
        }
        // The rule of another card may do anything (D31: lists are shared).
        if command == CommandName::Activate {
            *self = Exists {
                discarded: true,
                sacrificed: true,
                destroyed: true,
                moved: true,
                trashed: true,
            };
        }
    }

    fn has(&self, name: &str) -> bool {
        match name.to_ascii_lowercase().as_str() {
            "discarded" => self.discarded,
            "sacrificed" => self.sacrificed,
            "destroyed" => self.destroyed,
            "moved" => self.moved,
            "trashed" => self.trashed,
            _ => true,
        }
    }
}

/// R912, R910, R1102, R1103: RS044 and RS064.
fn too_early(lints: &mut Lints<'_, '_>, group: &Group<'_>) {
    let mut exists = Exists::default();
    for (index, statement) in group.statements.iter().enumerate() {
        for cost in statement.costs {
            exists.discarded |= cost.letter.is("d");
            exists.sacrificed |= cost.letter.is("s");
            if let CostArgument::Target(target) = cost.argument {
                let mut words = Vec::new();
                target_expressions(&[target], &mut words);
                check_words(lints, group, &exists, &words);
            }
        }
        if let Body::If { arms, .. } = &statement.body {
            let tests: Vec<Word<'_>> = arms.iter().map(|arm| arm.test).collect();
            check_words(lints, group, &exists, &tests);
            prev_target(lints, group, index, None, &tests);
        }
        let before = exists;
        for branch in branches(&statement.body) {
            let mut within = before;
            branch_words(lints, group, index, &branch, &mut within);
            for call in calls(branch.effects) {
                exists.after(call.name);
            }
        }
    }
}

fn branch_words(
    lints: &mut Lints<'_, '_>,
    group: &Group<'_>,
    index: usize,
    branch: &Branch<'_>,
    exists: &mut Exists,
) {
    let mut words = Vec::new();
    if let Some(clause) = branch.to {
        target_expressions(clause.targets, &mut words);
    }
    check_words(lints, group, exists, &words);
    prev_target(lints, group, index, None, &words);
    for effect in branch.effects {
        let mut words = Vec::new();
        argument_expressions(std::slice::from_ref(effect), &mut words);
        // Within `each` the effect itself may have set the list.
        if let Some(call) = crate::groups::call(effect)
            && call.name == CommandName::Each
        {
            for inner in calls(branch.effects) {
                exists.after(inner.name);
            }
        }
        check_words(lints, group, exists, &words);
        prev_target(lints, group, index, Some(branch), &words);
        for call in calls(std::slice::from_ref(effect)) {
            exists.after(call.name);
        }
    }
}

fn check_words(lints: &mut Lints<'_, '_>, group: &Group<'_>, exists: &Exists, words: &[Word<'_>]) {
    for word in words {
        for name in names(*word) {
            if !exists.has(name.text) {
                let setter = setter(name.text).unwrap_or("nothing");
                let message = format!(
                    "`{}` is still empty here: {setter} sets it, and comes later or never",
                    name.text
                );
                lints.add(rs::RS044, name.span, message);
            }
            if let Some(message) = outside_event(group, name.text) {
                lints.add(rs::RS044, name.span, message);
            }
        }
    }
}

/// Variables that only some events bring along.
fn outside_event(group: &Group<'_>, name: &str) -> Option<String> {
    let fights = [EventName::Blocks, EventName::Blocked];
    let is = |known: &str| name.eq_ignore_ascii_case(known);
    let missing = if is("attacker") || is("blocker") {
        !group.listens_to(&[EventName::CanBlock]) && !group.listens_to(&fights)
    } else if is("uabp") {
        !group.listens_to(&fights)
    } else if is("trigger") {
        group.action
            || !group
                .events
                .iter()
                .any(|event| event.name.form().trigger.is_some())
    } else {
        false
    };
    let events = if is("uabp") {
        "`blocks` and `blocked`"
    } else if is("trigger") {
        "events that carry a card"
    } else {
        "`canBlock`, `blocks` and `blocked`"
    };
    missing.then(|| format!("`{name}` exists only in {events}"))
}

/// R1102, RS064.
fn prev_target(
    lints: &mut Lints<'_, '_>,
    group: &Group<'_>,
    index: usize,
    branch: Option<&Branch<'_>>,
    words: &[Word<'_>],
) {
    if index > 0 {
        return;
    }
    let has_main = !group.action || rule_target(lints.rule).is_some();
    if has_main && branch.is_some_and(|branch| branch.to.is_some()) {
        return;
    }
    for word in words {
        for name in names(*word) {
            if name.is("prevtgt") {
                lints.help(
                    rs::RS064,
                    name.span,
                    "there are no previous targets yet",
                    "`prevTgt` is what the statement before acted on",
                );
            }
        }
    }
}

/// RS072: a condition that says the same in every game.
fn constant_conditions(lints: &mut Lints<'_, '_>, group: &Group<'_>) {
    for statement in group.statements {
        let Body::If { arms, .. } = &statement.body else {
            continue;
        };
        let mut before: Vec<(String, Span)> = Vec::new();
        for arm in *arms {
            if let Some(answer) = constant(arm.test) {
                let message = format!("this condition is always {answer}");
                lints.add(rs::RS072, arm.test.span, message);
            }
            let text: String = arm
                .test
                .text
                .split_whitespace()
                .collect::<Vec<_>>()
                .join(" ")
                .to_lowercase();
            if text.is_empty() {
                continue;
            }
            if let Some((_, first)) = before.iter().find(|(known, _)| *known == text) {
                let (file, first) = (lints.file, *first);
                let finding = lints.add(
                    rs::RS072,
                    arm.test.span,
                    "never true here: the same condition was tested before",
                );
                *finding = finding.clone().label(file, first, "tested here");
            }
            before.push((text, arm.test.span));
        }
    }
}

fn constant(test: Word<'_>) -> Option<bool> {
    let lower = test.text.trim().to_ascii_lowercase();
    match lower.as_str() {
        "true" => return Some(true),
        "false" | "nil" | "none" => return Some(false),
        _ => {}
    }
    if let Ok(number) = lower.parse::<i64>() {
        return Some(number != 0);
    }
    // A size is never below 0.
    let compact: String = lower.split_whitespace().collect();
    let path = compact
        .strip_suffix("<0")
        .map(|path| (path, false))
        .or_else(|| compact.strip_suffix(">=0").map(|path| (path, true)));
    let (path, answer) = path?;
    let is_path = path
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_'));
    (is_path && path.ends_with(".size")).then_some(answer)
}
