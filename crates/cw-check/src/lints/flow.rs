//! The order of statements and effects: RS034, RS035, RS053, RS058, RS059.

use cw_program::CommandName;
use cw_syntax::{BranchSyntax, JoinerSyntax, StatementBody, StatementSyntax, Target, rs};
use cw_text::Span;

use super::{Lints, triggers};
use crate::aim;
use crate::groups::{CheckedCall, StatementGroup, call};

pub(super) fn run(lints: &mut Lints<'_, '_>) {
    let mut told = false;
    for group in lints.groups {
        if !matches!(group.statements, [only] if matches!(only.body, StatementBody::Plain(_))) {
            after_else(lints, group);
            bare_conditions(lints, group);
        }
        search_without_shuffle(lints, group, &mut told);
        for part in group.parts {
            sure_joiners(lints, part.branch);
        }
    }
}

/// Reports a statement behind an `if` with other branches, which other engines may skip (R503, RS034).
fn after_else(lints: &mut Lints<'_, '_>, group: &StatementGroup<'_>) {
    for pair in group.statements.windows(2) {
        let StatementBody::If { arms, otherwise } = &pair[0].body else {
            continue;
        };
        if arms.len() > 1 || otherwise.is_some() {
            lints.help(
                rs::RS034,
                pair[1].span,
                "other engines skip this statement when another branch than the first ran",
                "put it in front of the condition, or into each branch",
            );
        }
    }
}

fn is_empty(branch: &BranchSyntax<'_>) -> bool {
    branch.effects.is_empty()
}

/// The condition of a statement that guards nothing.
fn bare_condition(statement: &StatementSyntax<'_>) -> Option<Span> {
    match &statement.body {
        StatementBody::If { arms, otherwise } => {
            let bare = arms.iter().all(|arm| is_empty(&arm.branch))
                && otherwise.as_ref().is_none_or(|(_, branch)| is_empty(branch));
            bare.then(|| arms[0].mark)
        }
        StatementBody::May { mark, branch, .. } => is_empty(branch).then_some(*mark),
        StatementBody::Plain(_) => None,
    }
}

/// Reports a condition that guards nothing, or the statements behind it, which never
/// run (R507, RS035, RS059).
fn bare_conditions(lints: &mut Lints<'_, '_>, group: &StatementGroup<'_>) {
    for (index, statement) in group.statements.iter().enumerate() {
        let Some(mark) = bare_condition(statement) else {
            continue;
        };
        if matches!(statement.body, StatementBody::May { .. }) && index + 1 < group.statements.len() {
            // A question may guard all that follows (R501).
            continue;
        }
        if let Some(next) = group.statements.get(index + 1) {
            let rest = next.span.to(group.statements[group.statements.len() - 1].span);
            let file = lints.file;
            let finding = lints.add(
                rs::RS059,
                rest,
                "never runs: the condition before it ends the list",
            );
            *finding = finding.clone().label(file, mark, "this condition guards nothing");
        } else if !triggers::answers(group) {
            lints.help(
                rs::RS035,
                mark,
                "this condition guards nothing",
                "write effects after it; only a hook can be a condition alone",
            );
        }
        return;
    }
}

/// Reports `&&` and `||` behind an effect that cannot fail (R604, RS058).
fn sure_joiners(lints: &mut Lints<'_, '_>, branch: &BranchSyntax<'_>) {
    for pair in branch.effects.windows(2) {
        let (Some(span), joiner) = (pair[1].joiner_span, pair[1].joiner) else {
            continue;
        };
        let can_fail = call(&pair[0]).is_some_and(|call| call.name.signature().can_fail);
        if can_fail || joiner == JoinerSyntax::Then {
            continue;
        }
        if joiner == JoinerSyntax::AndThen {
            lints.safe_fix(
                rs::RS058,
                span,
                "what stands before never fails, so `&&` is the same as `&`",
                "write `&`",
                &[(span, "&")],
            );
        } else {
            lints.help(
                rs::RS058,
                span,
                "what stands before never fails, so what follows `||` never runs",
                "only discard, rndDiscard and moveRevealedTo can fail; to let the player choose, \
                 write several actions, each on its own line with a `label` before it",
            );
        }
    }
}

/// R53 of the habits of card games: who has looked through a deck shuffles it. RS053. With `told` nothing
/// more is to be said of the rule's own targets.
fn search_without_shuffle(lints: &mut Lints<'_, '_>, group: &StatementGroup<'_>, told: &mut bool) {
    let rule_targets = lints.keys.target.map_or(&[][..], |clause| clause.targets);
    let is_shuffle = |call: &CheckedCall<'_>| call.name == CommandName::Shuffle;
    let mut shuffles: Option<bool> = None;
    for part in group.parts {
        let targets = match part.branch.to {
            Some(clause) => clause.targets,
            None if *told || part.branch.effects.is_empty() => continue,
            None => rule_targets,
        };
        for target in targets {
            if !chooses_from_deck(lints, target) {
                continue;
            }
            let all = || group.parts.iter().flat_map(|part| part.calls).any(is_shuffle);
            if *shuffles.get_or_insert_with(all) {
                return;
            }
            lints.help(
                rs::RS053,
                target.zone.map_or(target.text.span, |zone| zone.span),
                "a deck is searched but not shuffled",
                "add `& shuffle()`, with the prefix of the deck",
            );
        }
        *told |= part.branch.to.is_none();
    }
}

fn chooses_from_deck(lints: &Lints<'_, '_>, target: &Target<'_>) -> bool {
    aim::is_in_deck(target)
        && !aim::is_computed(target, lints.names)
        && target.pick.is_none()
        && !target.quantity.is_some_and(is_random)
        && !target.types.iter().any(|one| aim::is_plural(one, lints.names))
}

fn is_random(quantity: cw_syntax::QuantitySyntax) -> bool {
    matches!(quantity.form, cw_syntax::QuantityForm::Random(_))
}
