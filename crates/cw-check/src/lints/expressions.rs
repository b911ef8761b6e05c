//! Expressions as words: RS040's neighbours RS044, RS064, RS072. What an expression means is
//! checked where it is compiled.

use cw_formula::NameSet;
use cw_program::{CommandName, CompiledRule as Program, EventName};
use cw_syntax::{
    ArgForm, CostArgument, EffectSyntax, EffectSyntaxKind, StatementBody, Target, TargetClauseSyntax,
    WordSyntax, rs,
};
use cw_text::Span;

use super::Lints;
use crate::groups::{CheckedBranch, CheckedCall, StatementGroup};

pub(super) fn run(lints: &mut Lints<'_, '_>) {
    in_vars(lints);
    unused(lints);
    let passing = uses_passing(lints.program);
    for group in lints.groups {
        if passing {
            too_early(lints, group);
        }
        constant_conditions(lints, group);
        targets_that_are_not(lints, group);
    }
}

/// D27, R1104, RS064: `tgt` where nothing looks for targets, and targets beyond those that are looked for.
fn targets_that_are_not<'a>(lints: &mut Lints<'a, '_>, group: &StatementGroup<'a>) {
    // Without targets an auto has its source.
    if !group.action {
        return;
    }
    let main = lints.keys.target;
    let mut words: Vec<(WordSyntax<'a>, Option<&TargetClauseSyntax<'a>>)> = Vec::new();
    for statement in group.statements {
        if let StatementBody::If { arms, .. } = &statement.body {
            words.extend(arms.iter().map(|arm| (arm.test, main)));
        }
    }
    for part in group.parts {
        let branch = part.branch;
        if let Some(clause) = &branch.to {
            target_expressions(clause.targets, &mut |word| words.push((word, main)));
        }
        let own = branch.to.as_ref().or(main);
        argument_expressions(branch.effects, &mut |word| words.push((word, own)));
    }
    for (word, clause) in words {
        let Some(name) = names(word).find(|name| name.is("tgt")) else {
            continue;
        };
        let Some(clause) = clause else {
            if super::order::no_targets(lints, group, name) {
                return;
            }
            lints.help(
                rs::RS064,
                name.span,
                "there are no targets here",
                "set `tgt` with a line `target = character@oppRing` before the action",
            );
            return;
        };
        let behind = &lints.text[name.span.end as usize..word.span.end as usize];
        let digits = behind.strip_prefix('.').map(|rest| {
            let end = rest.bytes().take_while(u8::is_ascii_digit).count();
            &rest[..end]
        });
        let Some(place) = digits.and_then(|digits| digits.parse::<u32>().ok()) else {
            continue;
        };
        if crate::aim::most_of_clause(clause, lints.names).is_some_and(|most| place >= most) {
            let most = crate::aim::most_of_clause(clause, lints.names).unwrap_or_default();
            let message = match most {
                1 => "there is only one target, and `tgt.0` is the first".to_owned(),
                most => format!("there are at most {most} targets, and `tgt.0` is the first"),
            };
            lints.help(
                rs::RS064,
                name.span,
                message,
                "to find two, write `<2>character` or `character@myRing; character@oppRing`",
            );
            return;
        }
    }
}

/// Whether an expression of the rule names what does not always exist, or could not be read.
fn uses_passing(program: &Program) -> bool {
    let mut formulas = program.formulas.iter();
    formulas.any(|formula| formula.code.as_ref().is_none_or(|code| code.uses.meets(PASSING)))
}

/// The bytes that names are made of.
const IN_NAMES: [bool; 256] = {
    let mut table = [true; 256];
    let mut byte = 0_u8;
    while byte < 0x80 {
        table[byte as usize] = byte.is_ascii_alphanumeric() || byte == b'_';
        byte += 1;
    }
    table
};

/// The names in an expression: words that follow no dot and stand in no string.
pub(super) fn names(expression: WordSyntax<'_>) -> impl Iterator<Item = WordSyntax<'_>> {
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
            } else if IN_NAMES[usize::from(byte)] {
                while bytes.get(at).is_some_and(|byte| IN_NAMES[usize::from(*byte)]) {
                    at += 1;
                }
                let skip = std::mem::replace(&mut after_dot, false) || byte.is_ascii_digit();
                if !skip {
                    let from = expression.span.start as usize;
                    return Some(WordSyntax {
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

/// The expressions in the arguments of effects, those within `each` included.
fn argument_expressions<'a>(effects: &[EffectSyntax<'a>], visit: &mut dyn FnMut(WordSyntax<'a>)) {
    for effect in effects {
        let EffectSyntaxKind::Call { arguments, .. } = effect.kind else {
            continue;
        };
        for argument in arguments {
            match argument.form {
                ArgForm::Word | ArgForm::Text => visit(argument.text),
                ArgForm::Each(each) => {
                    visit(each.over);
                    argument_expressions(each.effects, visit);
                }
                ArgForm::Int(_) | ArgForm::Quoted(_) | ArgForm::Question => {}
            }
        }
    }
}

fn target_expressions<'a>(targets: &[Target<'a>], visit: &mut dyn FnMut(WordSyntax<'a>)) {
    for target in targets {
        if let Some(expression) = target.expression {
            visit(expression);
        } else if let [only] = target.types
            && !only.quoted
            && only.prefix.is_none()
            && cw_program::is_variable(only.name.text)
        {
            visit(only.name);
        }
        if let Some(selector) = target.selector {
            visit(selector.argument);
        }
    }
}

/// The variables that do not always exist.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Passing {
    Discarded,
    Sacrificed,
    Destroyed,
    Moved,
    Trashed,
    Attacker,
    Blocker,
    UaBp,
    Trigger,
    PrevTarget,
}

/// The same, as names of expressions.
const PASSING: NameSet = NameSet::spelt(&[
    "discarded",
    "sacrificed",
    "destroyed",
    "moved",
    "trashed",
    "attacker",
    "blocker",
    "uaBP",
    "trigger",
    "prevTgt",
]);

impl Passing {
    fn find(name: &str) -> Option<Passing> {
        let known: &[(&str, Passing)] = match name.len() {
            4 => &[("uabp", Passing::UaBp)],
            5 => &[("moved", Passing::Moved)],
            7 => &[
                ("trashed", Passing::Trashed),
                ("blocker", Passing::Blocker),
                ("trigger", Passing::Trigger),
                ("prevtgt", Passing::PrevTarget),
            ],
            8 => &[("attacker", Passing::Attacker)],
            9 => &[
                ("discarded", Passing::Discarded),
                ("destroyed", Passing::Destroyed),
            ],
            10 => &[("sacrificed", Passing::Sacrificed)],
            _ => return None,
        };
        known
            .iter()
            .find(|(word, _)| word.eq_ignore_ascii_case(name))
            .map(|(_, passing)| *passing)
    }

    /// How the same is found outside its events.
    fn elsewhere(self) -> Option<&'static str> {
        match self {
            Passing::Attacker => Some(
                "elsewhere, find attackers with a target: \
                 `character[attack]@oppRing`, `character[attack & bp >= 500]@oppRing`",
            ),
            Passing::Blocker => {
                Some("elsewhere, find counter-attackers with a target: `character[block]@myRing`")
            }
            Passing::UaBp => {
                Some("elsewhere, get the BP of characters with `sum([one.bp for one in me.ring])`")
            }
            Passing::Trigger => Some(
                "what a card does by itself begins with its event: \
                 `auto = ~myBackedUp~ bp(+100) to(trigger)`",
            ),
            _ => None,
        }
    }

    /// What sets a list, for messages.
    fn setter(self) -> Option<&'static str> {
        match self {
            Passing::Discarded => Some("a cost `{D}` or `discard`"),
            Passing::Sacrificed => Some("a cost `{S}`"),
            Passing::Destroyed => Some("`destroy`"),
            Passing::Moved => Some("`moveTo`"),
            Passing::Trashed => Some("`trash`"),
            Passing::Attacker | Passing::Blocker | Passing::UaBp | Passing::Trigger | Passing::PrevTarget => {
                None
            }
        }
    }
}

/// R304, RS044: nothing was paid or done when `vars` are evaluated.
fn in_vars(lints: &mut Lints<'_, '_>) {
    let Some(vars) = lints.keys.vars else { return };
    let declared: Vec<WordSyntax<'_>> = vars.iter().map(|assign| assign.name).collect();
    for assign in vars {
        for name in names(assign.value) {
            let setter = Passing::find(name.text).and_then(Passing::setter);
            let is_own = |known: &WordSyntax<'_>| known.text.eq_ignore_ascii_case(name.text);
            if let Some(setter) = setter
                && !declared.iter().any(is_own)
            {
                let message = format!(
                    "`{}` is set by {setter}, which comes later than `vars`",
                    name.text
                );
                lints.add(rs::RS044, name.span, message);
            }
        }
    }
}

/// In more variables than these nobody looks for one that is unused.
const MOST_VARIABLES: usize = 64;

/// Reports variables of `vars` that nothing uses (RS077).
fn unused(lints: &mut Lints<'_, '_>) {
    let Some(vars) = lints.keys.vars.filter(|vars| vars.len() <= MOST_VARIABLES) else {
        return;
    };
    let mut vars: Vec<(WordSyntax<'_>, bool)> = vars.iter().map(|assign| (assign.name, false)).collect();
    for property in lints.rule.properties {
        // Strings count: `getTargets` takes filters, which may name variables.
        let text = property.text;
        let in_name = |byte: &u8| IN_NAMES[usize::from(*byte)];
        let mut at = text.span.start as usize;
        for word in text.text.as_bytes().split(|byte| !in_name(byte)) {
            for (name, used) in &mut vars {
                *used |= name.span.start as usize != at && name.text.as_bytes().eq_ignore_ascii_case(word);
            }
            at += word.len() + 1;
        }
    }
    for (name, used) in vars {
        if !used {
            lints.add(rs::RS077, name.span, format!("nothing uses `{}`", name.text));
        }
    }
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

    fn has(&self, what: Passing) -> bool {
        match what {
            Passing::Discarded => self.discarded,
            Passing::Sacrificed => self.sacrificed,
            Passing::Destroyed => self.destroyed,
            Passing::Moved => self.moved,
            Passing::Trashed => self.trashed,
            Passing::Attacker | Passing::Blocker | Passing::UaBp | Passing::Trigger | Passing::PrevTarget => {
                true
            }
        }
    }
}

/// Reports names that are read before they have a value (R912, R910, R1102, R1103; RS044 and RS064).
fn too_early<'a>(lints: &mut Lints<'a, '_>, group: &StatementGroup<'a>) {
    let mut exists = Exists::default();
    let mut parts = group.parts;
    // R1102: before the first statement there are only the rule's own targets, or the source of an auto.
    let has_main = !group.action || lints.keys.target.is_some();
    for (index, statement) in group.statements.iter().enumerate() {
        for cost in statement.costs {
            exists.discarded |= cost.letter.is("d");
            exists.sacrificed |= cost.letter.is("s");
            if let CostArgument::Target(target) = cost.argument {
                target_expressions(&[target], &mut |word| {
                    check_word(lints, group, &exists, word, false);
                });
            }
        }
        let none_before = index == 0;
        if let StatementBody::If { arms, .. } = &statement.body {
            for arm in *arms {
                check_word(lints, group, &exists, arm.test, none_before);
            }
        }
        let before = exists;
        let here = parts.iter().take_while(|part| part.statement == index).count();
        let (own, rest) = parts.split_at(here);
        parts = rest;
        for part in own {
            let mut within = before;
            branch_words(lints, group, part, &mut within, none_before, has_main);
            for call in part.calls {
                exists.after(call.name);
            }
        }
    }
}

fn branch_words<'a>(
    lints: &mut Lints<'a, '_>,
    group: &StatementGroup<'a>,
    part: &CheckedBranch<'a>,
    exists: &mut Exists,
    none_before: bool,
    has_main: bool,
) {
    let branch = part.branch;
    if let Some(clause) = &branch.to {
        target_expressions(clause.targets, &mut |word| {
            check_word(lints, group, exists, word, none_before);
        });
    }
    let none_before = none_before && !(has_main && branch.to.is_some());
    let mut calls = part.calls.iter();
    for effect in branch.effects {
        let EffectSyntaxKind::Call { arguments, .. } = effect.kind else {
            continue;
        };
        // Within `each` the effect itself may have set the list.
        if arguments
            .iter()
            .any(|argument| matches!(argument.form, ArgForm::Each(_)))
        {
            part.calls.iter().for_each(|call| exists.after(call.name));
        }
        argument_expressions(std::slice::from_ref(effect), &mut |word| {
            check_word(lints, group, exists, word, none_before);
        });
        let within = |call: &&CheckedCall<'_>| call.span.start < effect.span.end;
        let mine = calls.clone().take_while(within).count();
        calls.by_ref().take(mine).for_each(|call| exists.after(call.name));
    }
}

fn check_word(
    lints: &mut Lints<'_, '_>,
    group: &StatementGroup<'_>,
    exists: &Exists,
    word: WordSyntax<'_>,
    none_before: bool,
) {
    for name in names(word) {
        let Some(what) = Passing::find(name.text) else {
            continue;
        };
        if !exists.has(what) {
            let setter = what.setter().unwrap_or("nothing");
            let message = format!(
                "`{}` is still empty here: {setter} sets it, but comes later or never",
                name.text
            );
            let help = super::order::set_instead(group, name);
            lints.add(rs::RS044, name.span, message).help = help;
        }
        if let Some(events) = missing_events(group, what) {
            let message = format!("`{}` exists only in {events}", name.text);
            lints.add(rs::RS044, name.span, message).help = what.elsewhere().map(str::to_owned);
        }
        if what == Passing::PrevTarget && none_before {
            lints.help(
                rs::RS064,
                name.span,
                "there are no previous targets yet",
                "`prevTgt` is what the previous statement acted on",
            );
        }
    }
}

/// The events that bring a variable along, if the group listens to none of them.
fn missing_events(group: &StatementGroup<'_>, what: Passing) -> Option<&'static str> {
    let fights = [EventName::Blocks, EventName::Blocked];
    let (there, events) = match what {
        Passing::Attacker | Passing::Blocker => (
            group.listens_to(&[EventName::CanBlock]) || group.listens_to(&fights),
            "`canBlock`, `blocks` and `blocked`",
        ),
        Passing::UaBp => (group.listens_to(&fights), "`blocks` and `blocked`"),
        Passing::Trigger => (
            !group.action
                && group
                    .events
                    .iter()
                    .any(|event| event.name.form().trigger.is_some()),
            "events that carry a card",
        ),
        Passing::Discarded
        | Passing::Sacrificed
        | Passing::Destroyed
        | Passing::Moved
        | Passing::Trashed
        | Passing::PrevTarget => return None,
    };
    (!there).then_some(events)
}

/// The conditions of a statement that are compared with each other.
const MOST_ARMS: usize = 256;

/// RS072: a condition that says the same in every game.
fn constant_conditions(lints: &mut Lints<'_, '_>, group: &StatementGroup<'_>) {
    for statement in group.statements {
        let StatementBody::If { arms, .. } = &statement.body else {
            continue;
        };
        let mut before: Vec<(String, Span)> = Vec::new();
        for arm in *arms {
            let forbids = super::void::forbids_always(group);
            if let Some(answer) = constant(arm.test).filter(|answer| *answer || !forbids) {
                let message = format!("this condition is always {answer}");
                lints.add(rs::RS072, arm.test.span, message);
            }
            if arms.len() == 1 {
                continue;
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
            if before.len() > MOST_ARMS {
                break;
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

fn constant(test: WordSyntax<'_>) -> Option<bool> {
    let text = test.text.trim();
    let first = text.as_bytes().first()?;
    if text.len() > "false".len() && !first.is_ascii_digit() {
        return None;
    }
    let is = |known: &str| text.eq_ignore_ascii_case(known);
    if is("true") {
        return Some(true);
    }
    if is("false") || is("nil") || is("none") {
        return Some(false);
    }
    text.parse::<i64>().ok().map(|number| number != 0)
}

#[cfg(test)]
mod tests {
    use cw_formula::{NAMES, NameSet};

    use super::{PASSING, Passing};

    /// R1102, R1103: the set and the search know the same names.
    #[test]
    fn passing_names_agree() {
        for name in NAMES {
            let set = PASSING.meets(NameSet::spelt(&[name.word]));
            assert_eq!(set, Passing::find(name.word).is_some(), "{}", name.word);
        }
    }
}
