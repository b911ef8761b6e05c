//! What cannot find, be or hold anything where it stands: zones and words of the ring in rules of cards that
//! stand in none (RS083, RS072), results of statements that had no targets (RS064), lists that are asked for
//! as one (RS088), and switches that are on already (RS076).

use cw_program::{ActsOn, CardType, ClosedWord as _, CommandName, RuleFlag, ZonePlace};
use cw_syntax::{
    ArgForm, Argument, BranchSyntax, EachSyntax, EffectSyntaxKind, StatementBody, Target, WordSyntax, rs,
};
use cw_text::Span;

use super::Lints;
use super::expressions::names;
use crate::aim;
use crate::groups::{StatementGroup, call, each_branch};

pub(super) fn run(lints: &mut Lints<'_, '_>) {
    let outside = lints.card.and_then(|card| match card.card_type? {
        CardType::Action => Some("an action card"),
        CardType::Reaction => Some("a reaction"),
        CardType::Character => None,
    });
    for group in lints.groups {
        if let Some(kind) = outside.filter(|_| group.action) {
            in_front_of_nobody(lints, group, kind);
            never_alone(lints, group, kind);
        }
        lost_targets(lints, group);
        size_of_one(lints, group);
        same_each_time(lints, group);
        already_on(lints, group);
    }
}

/// R631, G252, RS076: of several settings of a rule, false wins over true.
fn already_on(lints: &mut Lints<'_, '_>, group: &StatementGroup<'_>) {
    for call in group.parts.iter().flat_map(|part| part.calls) {
        let argument = call
            .arguments
            .first()
            .map_or("", |argument| argument.text.text.trim());
        let Some(rule) = RuleFlag::find(argument).filter(|rule| rule.is_on_at_start()) else {
            continue;
        };
        if call.name != CommandName::EnableRule {
            continue;
        }
        let message = format!("`{argument}` is on from the start: this changes nothing");
        let help = match rule {
            RuleFlag::Piercing => {
                "the rule says that United Attacks pierce; \
                 a character that pierces alone has the ability: `+pierce to(characters@myRing)`"
            }
            _ => "it does not lift a `disableRule` of another card, either: that wins",
        };
        lints.help(rs::RS076, call.span, message, help);
    }
}

/// R408, RS083: only a character stands opposite of another.
fn in_front_of_nobody(lints: &mut Lints<'_, '_>, group: &StatementGroup<'_>, kind: &str) {
    let own = group.parts.iter().filter_map(|part| part.branch.to);
    let clauses = lints.keys.target.copied().into_iter().chain(own);
    let in_front = |target: &Target<'_>| {
        let zone = target.zone?;
        let is_in_front = aim::zone(target).is_some_and(|zone| zone.place == ZonePlace::InFront);
        is_in_front.then_some(zone.span)
    };
    let found = clauses.flat_map(|clause| clause.targets).find_map(in_front);
    let Some(span) = found else { return };
    let message = format!(
        "`@infront` is the place opposite of this card, and {kind} stands in no ring: it finds nobody"
    );
    lints.help(
        rs::RS083,
        span,
        message,
        "only a character's own rule can use `@infront`, even if another character was chosen before; \
         here, let the player choose the enemy: `character@oppRing`",
    );
}

/// D35, RS072: `alone` asks about the card itself.
fn never_alone(lints: &mut Lints<'_, '_>, group: &StatementGroup<'_>, kind: &str) {
    let mut found = None;
    each_word(lints, group, &mut |word| {
        let is_own = |name: &WordSyntax<'_>| name.is("alone");
        found = found.or_else(|| names(word).find(is_own).map(|name| name.span));
    });
    let Some(span) = found else { return };
    let message =
        format!("`alone` asks whether this card is the only character of its ring; {kind} is in no ring");
    lints.rewrite(rs::RS072, span, message, "me.ring.size == 1").help =
        Some("it is never true here; how many characters you have is `me.ring.size`".to_owned());
}

/// Visits the expressions of a group: its conditions, its arguments and those within `each`.
fn each_word<'a>(lints: &Lints<'a, '_>, group: &StatementGroup<'a>, visit: &mut dyn FnMut(WordSyntax<'a>)) {
    for statement in group.statements {
        if let StatementBody::If { arms, .. } = &statement.body {
            arms.iter().for_each(|arm| visit(arm.test));
        }
    }
    for argument in group
        .parts
        .iter()
        .flat_map(|part| part.calls)
        .flat_map(|call| call.arguments)
    {
        match argument.form {
            ArgForm::Word | ArgForm::Text => visit(argument.text),
            ArgForm::Each(each) => visit(each.over),
            ArgForm::Int(_) | ArgForm::Quoted(_) | ArgForm::Question => {}
        }
    }
    for assign in lints.keys.vars.into_iter().flatten() {
        visit(assign.value);
    }
}

/// R1102, RS064: after each statement `prevTgt` is what that statement acted on, nothing behind one without
/// targets.
fn lost_targets(lints: &mut Lints<'_, '_>, group: &StatementGroup<'_>) {
    if lints.keys.target.is_some() {
        return;
    }
    let mut lost: Option<(Span, Span)> = None;
    for pair in 1..group.statements.len() {
        let [before, statement] = [&group.statements[pair - 1], &group.statements[pair]];
        let (StatementBody::Plain(first), Some(name)) = (&before.body, reads_before(statement)) else {
            continue;
        };
        let on_nothing = first.to.is_none()
            && !first.effects.is_empty()
            && first.effects.iter().all(|effect| {
                call(effect).is_some_and(|call| call.name.signature().acts_on == ActsOn::Players)
            });
        // Somebody meant the targets of an earlier statement.
        let had = group.statements[..pair - 1].iter().any(|earlier| {
            let mut has = false;
            each_branch(&earlier.body, |branch| has |= branch.to.is_some());
            has
        });
        if on_nothing && had {
            lost = Some((name, before.span));
            break;
        }
    }
    let Some((name, between)) = lost else { return };
    let file = lints.file;
    let finding = lints.add(
        rs::RS064,
        name,
        "`prevTgt` is empty here: the statement before this one has no targets",
    );
    finding.help = Some(
        "it holds the targets of the statement just before: \
         write the two statements about the same card one behind the other"
            .to_owned(),
    );
    *finding = finding
        .clone()
        .label(file, between, "this statement has no targets");
}

/// Where a statement reads `prevTgt`.
fn reads_before(statement: &cw_syntax::StatementSyntax<'_>) -> Option<Span> {
    let mut found = None;
    let mut visit = |word: WordSyntax<'_>| {
        let name = names(word).find(|name| name.is("prevtgt"));
        found = found.or(name.map(|name| name.span));
    };
    if let StatementBody::If { arms, .. } = &statement.body {
        arms.iter().for_each(|arm| visit(arm.test));
    }
    each_branch(&statement.body, |branch| {
        for target in branch.to.iter().flat_map(|clause| clause.targets) {
            visit(target.text);
        }
        for effect in branch.effects {
            if let EffectSyntaxKind::Call { arguments, .. } = effect.kind {
                arguments.iter().for_each(|argument| visit(argument.text));
            }
        }
    });
    found
}

/// R1015, RS088: `getTargets` with a singular lets the player choose one.
fn size_of_one(lints: &mut Lints<'_, '_>, group: &StatementGroup<'_>) {
    let mut found = None;
    each_word(lints, group, &mut |word| {
        found = found.or_else(|| counted_one(word));
    });
    let Some((span, noun, end)) = found else { return };
    lints
        .fix(
            rs::RS088,
            span,
            "this lets the player choose one: its `size` is 1, or 0",
            format!("write `{noun}s`"),
            &[(Span::at(end), "s")],
        )
        .help = Some("the plural finds all of them and asks nobody".to_owned());
}

/// The filter in `getTargets('character…').size`, its noun, and where the noun ends.
fn counted_one<'a>(word: WordSyntax<'a>) -> Option<(Span, &'a str, usize)> {
    let name = names(word).find(|name| name.is("gettargets"))?;
    let from = (name.span.end - word.span.start) as usize;
    let rest = word.text.get(from..)?;
    let open = rest.find(['\'', '"'])?;
    if rest[..open].trim() != "(" {
        return None;
    }
    let quote = &rest[open..=open];
    let inner = &rest[open + 1..];
    let close = inner.find(quote)?;
    let behind = inner[close + 1..].trim_start().strip_prefix(')')?.trim_start();
    let is_size = behind.strip_prefix('.').is_some_and(|behind| {
        behind
            .trim_start()
            .get(.."size".len())
            .is_some_and(|size| size.eq_ignore_ascii_case("size"))
    });
    let noun_end = inner
        .find(|letter: char| !letter.is_alphanumeric())
        .unwrap_or(inner.len());
    let noun = &inner[..noun_end];
    let is_one = ["character", "action", "reaction"]
        .iter()
        .any(|known| noun.eq_ignore_ascii_case(known));
    let start = word.span.start as usize + from + open + 1;
    (is_size && is_one).then(|| (Span::new(start, start + close), noun, start + noun_end))
}

/// R622, RS088: an `each` that never names its card does the same again and again to the same targets.
fn same_each_time(lints: &mut Lints<'_, '_>, group: &StatementGroup<'_>) {
    for part in group.parts {
        for effect in part.branch.effects {
            let EffectSyntaxKind::Call { arguments, .. } = effect.kind else {
                continue;
            };
            let each = arguments.iter().find_map(|argument| match argument.form {
                ArgForm::Each(each) => Some(each),
                _ => None,
            });
            if let Some(each) = each {
                repeats(lints, part.branch, &each);
            }
        }
    }
}

fn repeats(lints: &mut Lints<'_, '_>, branch: &BranchSyntax<'_>, each: &EachSyntax<'_>) {
    let lower = each.over.text.to_ascii_lowercase();
    let Some((name, list)) = lower
        .split_once(" in ")
        .map(|(name, list)| (name.trim(), list.trim()))
    else {
        return;
    };
    let zone = match list {
        "me.ring" => "myring",
        "opp.ring" => "oppring",
        _ => return,
    };
    let Some(clause) = &branch.to else { return };
    let [target] = clause.targets else { return };
    let is_all = target.types.iter().any(|one| aim::is_plural(one, lints.names));
    let is_same = target.zone.is_some_and(|written| written.is(zone));
    let used = |argument: &Argument<'_>| names(argument.text).any(|one| one.is(name));
    let is_used = each.effects.iter().any(|effect| match effect.kind {
        EffectSyntaxKind::Call { arguments, .. } => arguments.iter().any(used),
        _ => true,
    });
    if !is_all || !is_same || is_used {
        return;
    }
    let message = format!(
        "this runs once for every card of `{list}`, and each time on all of them: `{name}` is not used"
    );
    lints.help(
        rs::RS088,
        each.over.span,
        message,
        "leave `each` out: a plural in `to(…)` takes every card once",
    );
}

/// Whether false forbids what a hook asks about: such a condition may be the same in every game.
pub(super) fn forbids_always(group: &StatementGroup<'_>) -> bool {
    use cw_program::EventName::{BeforeAttack, BeforeBlock, BeforePlayAc, BeforePlayRe, CanBlock};
    group.is_query() && group.listens_to(&[BeforeAttack, BeforeBlock, BeforePlayAc, BeforePlayRe, CanBlock])
}
