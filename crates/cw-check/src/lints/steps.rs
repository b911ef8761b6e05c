//! The printed text and the order of statements: what runs in any case, what is paid, the same card again,
//! and who receives it (RS093).

use cw_program::CommandName;
use cw_syntax::{ArgForm, BranchSyntax, EffectSyntaxKind, StatementBody, StatementSyntax, Target, rs};
use cw_text::Span;

use super::Lints;
use super::said::{SaidText, number};
use crate::aim;
use crate::groups::{StatementGroup, call};

pub(super) fn run(lints: &mut Lints<'_, '_>, said: &SaidText) {
    // Of several choices nobody knows which one the words are about.
    if lints.keys.actions > 1 {
        return;
    }
    for group in lints.groups {
        if group.action {
            in_any_case(lints, group, said);
            after_condition(lints, group, said);
            pays(lints, group, said);
        }
        same_again(lints, group, said);
        for part in group.parts {
            for_you(lints, part.branch, said);
        }
    }
}

/// The branch of a statement without a condition.
pub(super) fn plain<'s, 'a>(statement: &'s StatementSyntax<'a>) -> Option<&'s BranchSyntax<'a>> {
    match &statement.body {
        StatementBody::Plain(branch) => Some(branch),
        StatementBody::May { .. } | StatementBody::If { .. } => None,
    }
}

/// A target of which one card is chosen.
pub(super) fn is_choice(lints: &Lints<'_, '_>, target: &Target<'_>) -> bool {
    let is_player = target.types.iter().any(aim::is_player);
    let [one] = target.types else { return false };
    !is_player
        && !one.name.is("this")
        && !aim::is_computed(target, lints.names)
        && !aim::is_plural(one, lints.names)
}

/// Two statements in the other order, as edits.
pub(super) fn swapped(text: &str, first: Span, second: Span) -> [(Span, &str); 2] {
    [(first, &text[second.range()]), (second, &text[first.range()])]
}

/// Whether a statement reads what others have done.
pub(super) fn reads_results(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    [
        "tgt",
        "destroyed",
        "moved",
        "trashed",
        "discarded",
        "sacrificed",
        "lostsp",
    ]
    .iter()
    .any(|word| text.contains(word))
}

/// R303, RS093: a statement that finds no target ends the list.
fn in_any_case(lints: &mut Lints<'_, '_>, group: &StatementGroup<'_>, said: &SaidText) {
    if group.statements.len() < 2 {
        return;
    }
    let says = said.says_one(&[
        "if there is|are|was one|any|some",
        "if any",
        "if possible|able",
        "if you can|have one|any",
        "if it|they can",
    ]);
    if !says {
        return;
    }
    for pair in 1..group.statements.len() {
        let [before, next] = [&group.statements[pair - 1], &group.statements[pair]];
        let Some(clause) = plain(before).and_then(|branch| branch.to) else {
            continue;
        };
        let Some(target) = clause.targets.iter().find(|target| is_choice(lints, target)) else {
            continue;
        };
        let text = lints.text;
        let (next_text, file) = (&text[next.span.range()], lints.file);
        if clause.optional || reads_results(next_text) || plain(next).is_none() {
            continue;
        }
        let message =
            "if nothing is found here, what follows does not run; the card's text says that it does";
        let edits = swapped(text, before.span, next.span);
        let finding = lints.fix(
            rs::RS093,
            target.text.span,
            message,
            "write it behind the other",
            &edits,
        );
        finding.help = Some("write what happens in any case first".to_owned());
        *finding = finding
            .clone()
            .label(file, next.span, "this does not run without a target");
        return;
    }
}

/// Words of a text for what a command does.
pub(super) fn words_for(name: CommandName) -> &'static [&'static str] {
    match name {
        CommandName::Draw => &["draw|draws"],
        CommandName::Sp => &["gain|gains|get|gets|lose|loses # sp", "sp"],
        CommandName::Hp => &["gain|gains|heal|heals|recover|recovers # hp", "hp"],
        CommandName::LoseLife => &["lose|loses # hp"],
        CommandName::Damage => &["damage"],
        CommandName::Discard | CommandName::RndDiscard => &["discard|discards"],
        CommandName::Destroy => &["ko|kos|destroy|destroys"],
        CommandName::Freeze => &["freeze|freezes"],
        CommandName::Unfreeze => &["unfreeze|unfreezes"],
        CommandName::Bp => &["bp"],
        CommandName::MoveTo => &["return|returns|put|puts|move|moves"],
        CommandName::Shuffle => &["shuffle|shuffles"],
        CommandName::Prophecy => &["look|looks"],
        _ => &[],
    }
}

/// The known commands of a branch, without those within `each`.
pub(super) fn names_of(branch: &BranchSyntax<'_>) -> Vec<CommandName> {
    branch
        .effects
        .iter()
        .filter_map(|effect| call(effect).map(|call| call.name))
        .collect()
}

/// R504, RS093: in an action, a first condition that is false ends all of it.
fn after_condition(lints: &mut Lints<'_, '_>, group: &StatementGroup<'_>, said: &SaidText) {
    let [first, rest @ ..] = group.statements else {
        return;
    };
    let StatementBody::If {
        arms: [arm],
        otherwise: None,
    } = &first.body
    else {
        return;
    };
    let guarded = names_of(&arm.branch);
    let always = rest.iter().find(|statement| {
        let Some(branch) = plain(statement) else {
            return false;
        };
        let own = names_of(branch);
        let [name] = own[..] else { return false };
        let words = words_for(name);
        let mut sentences = said.sentences();
        !guarded.is_empty()
            && !guarded.contains(&name)
            && sentences.any(|sentence| {
                sentence.says_one(words)
                    && !sentence.says_one(&["if|while|when|unless|otherwise|instead|with", "^ then|it|they"])
            })
    });
    // The other sentence has the condition.
    let is_guarded = said.sentences().any(|sentence| {
        let mut names = guarded.iter();
        sentence.says("if|while|when|unless|with") && names.any(|name| sentence.says_one(words_for(*name)))
    });
    let Some(always) = always.filter(|_| is_guarded) else {
        return;
    };
    let text = lints.text;
    let message = "this does not run if the condition before it is false; the card's text says that it does";
    let help = "a first condition that is false ends the action: write what happens in any case before it";
    let reads = {
        let test = arm.test.text.to_ascii_lowercase();
        let own = plain(always).map(names_of).unwrap_or_default();
        own.iter().any(|name| match name {
            CommandName::Sp => test.contains("sp"),
            CommandName::Hp | CommandName::LoseLife | CommandName::Damage => test.contains("hp"),
            CommandName::Draw | CommandName::Discard | CommandName::RndDiscard => test.contains("hand"),
            CommandName::Bp | CommandName::Destroy => test.contains("bp") || test.contains("ring"),
            _ => true,
        })
    };
    let file = lints.file;
    let finding = if reads || reads_results(&text[always.span.range()]) || rest.len() != 1 {
        lints.add(rs::RS093, always.span, message)
    } else {
        let edits = swapped(text, first.span, always.span);
        lints.fix(rs::RS093, always.span, message, "write it first", &edits)
    };
    finding.help = Some(help.to_owned());
    *finding = finding.clone().label(file, arm.mark, "this condition");
}

/// R301, RS093: an effect that takes SP is no cost.
fn pays(lints: &mut Lints<'_, '_>, group: &StatementGroup<'_>, said: &SaidText) {
    let Some(first) = group.statements.first() else {
        return;
    };
    let Some(branch) = plain(first).filter(|branch| branch.to.is_none() && first.costs.is_empty()) else {
        return;
    };
    let Some(paid) = branch
        .effects
        .first()
        .and_then(call)
        .filter(|call| call.name == CommandName::Sp)
    else {
        return;
    };
    let written = paid.arguments.first().map_or("", |one| one.text.text.trim());
    let Some(count) = written
        .strip_prefix('-')
        .and_then(|count| count.trim().parse::<i64>().ok())
    else {
        return;
    };
    let words = said.words();
    let says = words.windows(3).any(|three| {
        ["pay", "pays", "spend", "spends"].contains(&three[0])
            && number(three[1]) == Some(count)
            && three[2] == "sp"
    });
    let more = group.statements.len() > 1 || branch.effects.len() > 1;
    let asks = lints.text[lints.rule.span.range()]
        .to_ascii_lowercase()
        .contains("me.sp");
    if !says || !more || asks || lints.keys.requisite.is_some() || lints.keys.target.is_some() {
        return;
    }
    let is_action = |property: &&cw_syntax::PropertySyntax<'_>| property.key.is("action");
    let Some(property) = lints.rule.properties.iter().find(is_action) else {
        return;
    };
    let line = format!("requisite = me[sp>={count}]\n");
    lints
        .fix(
            rs::RS093,
            paid.span,
            "this is an effect, not a cost: \
             who has fewer SP loses what there is, and the rest happens all the same",
            format!("add `{}`", line.trim_end()),
            &[(Span::at(property.span.start as usize), &line)],
        )
        .help = Some("`requisite` says what must be so before an action can be chosen".to_owned());
}

/// How many cards of the ring the text has somebody choose.
fn choices(said: &SaidText) -> usize {
    let words = said.words();
    let starts = |at: usize| {
        let near = &words[at + 1..words.len().min(at + 5)];
        let noun = near
            .iter()
            .position(|word| word.starts_with("character") || word.starts_with("attacker"));
        noun.is_some_and(|noun| {
            !near[..noun]
                .iter()
                .any(|word| ["and", "to", "card", "if", "that"].contains(word))
        })
    };
    (0..words.len())
        .filter(|at| ["a", "an", "one", "another", "target"].contains(&words[*at]) && starts(*at))
        .count()
}

/// R601, RS093: each `to(…)` asks anew.
fn same_again(lints: &mut Lints<'_, '_>, group: &StatementGroup<'_>, said: &SaidText) {
    for pair in 1..group.statements.len() {
        let [before, next] = [&group.statements[pair - 1], &group.statements[pair]];
        let (Some(before), Some(next)) = (plain(before), plain(next)) else {
            continue;
        };
        let (Some(one), Some(other)) = (before.to, next.to) else {
            continue;
        };
        let ([first], [second]) = (one.targets, other.targets) else {
            continue;
        };
        let packed = |target: &Target<'_>| -> String {
            target.text.text.to_ascii_lowercase().split_whitespace().collect()
        };
        if packed(first) != packed(second)
            || !is_choice(lints, first)
            || group.statements.len() != 2
            || choices(said) != 1
        {
            continue;
        }
        let again = said.says_one(&[
            "another|other|second|more|then .. another|other|a|an|one",
            "twice|again|different",
        ]);
        if again {
            continue;
        }
        let (file, span) = (lints.file, other.span);
        let finding = lints.rewrite(
            rs::RS093,
            span,
            "this asks again, and another character may be chosen; the card's text speaks of one",
            "to(prevTgt)",
        );
        finding.help = Some(
            "`prevTgt` is what the statement before acted on; \
             with `&` both effects have the targets of one `to(…)`"
                .to_owned(),
        );
        *finding = finding.clone().label(file, one.span, "asked here first");
    }
}

/// R602, RS093: what the text gives to the reader, and the rule to the opponent.
fn for_you(lints: &mut Lints<'_, '_>, branch: &BranchSyntax<'_>, said: &SaidText) {
    let (Some(clause), [effect]) = (&branch.to, branch.effects) else {
        return;
    };
    let is_opp = matches!(clause.targets, [target] if target.text.is("opp"));
    let EffectSyntaxKind::Call { arguments, .. } = effect.kind else {
        return;
    };
    let inner = arguments.iter().find_map(|argument| match argument.form {
        ArgForm::Each(each) => each.effects.first().and_then(call),
        _ => None,
    });
    let Some(called) = inner.or_else(|| call(effect)) else {
        return;
    };
    let amount = called
        .arguments
        .first()
        .map_or("", |argument| argument.text.text.trim());
    let (yours, theirs): (&[&str], &[&str]) = match called.name {
        CommandName::Sp | CommandName::Hp if amount.starts_with('+') => (
            &[
                "^ ?then gain|recover|heal .. hp|sp",
                "you gain|recover|heal|get .. hp|sp",
            ],
            &["gains|recovers|heals|gets", "they|opponent|player gain|get|each"],
        ),
        CommandName::Draw => (&["^ ?then draw", "you draw"], &["draws", "they|players draw"]),
        _ => return,
    };
    if !is_opp || !said.says_one(yours) || said.says_one(theirs) || lints.groups.len() != 1 {
        return;
    }
    let from = lints.text[..clause.span.start as usize].trim_end().len();
    lints
        .fix(
            rs::RS093,
            clause.span,
            "this gives it to the opponent; the card's text gives it to you",
            "leave `to(opp)` out",
            &[(Span::new(from, clause.span.end as usize), "")],
        )
        .help = Some("without `to` an effect on players is for the card's own player".to_owned());
}
