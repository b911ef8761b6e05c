//! Conditions and copies that concern the card itself: what it is compared or counted with, and what it can
//! never be (RS072, RS078); and amounts in which `*` binds tighter than meant (RS088).

use cw_program::{CardType, CommandName, EventKind, EventName, Scope};
use cw_syntax::{ArgForm, CostArgument, StatementBody, WordSyntax, rs};
use cw_text::{Severity, Span};

use super::Lints;
use super::expressions::names;
use super::said::SaidText;
use crate::groups::{CheckedBranch, CheckedCall, Listened, StatementGroup};

pub(super) fn run(lints: &mut Lints<'_, '_>, said: Option<&SaidText>) {
    let is_character = lints
        .card
        .is_some_and(|card| card.card_type == Some(CardType::Character));
    for group in lints.groups {
        for part in group.parts {
            for call in part.calls {
                binds_tighter(lints, call, said);
                copies_itself(lints, call, part);
            }
        }
        if is_character {
            counts_itself(lints, group);
            with_itself(lints, group);
            in_united_attack(lints, group);
        }
    }
}

/// The conditions of a group.
fn tests<'a>(group: &StatementGroup<'a>) -> impl Iterator<Item = WordSyntax<'a>> {
    group.statements.iter().flat_map(|statement| {
        let arms = match &statement.body {
            StatementBody::If { arms, .. } => *arms,
            StatementBody::Plain(_) | StatementBody::May { .. } => &[],
        };
        arms.iter().map(|arm| arm.test)
    })
}

fn packed(word: WordSyntax<'_>) -> String {
    word.text.to_ascii_lowercase().split_whitespace().collect()
}

/// R1031, RS088: `100 * n - 1` is one less than `n` hundreds.
fn binds_tighter(lints: &mut Lints<'_, '_>, call: &CheckedCall<'_>, said: Option<&SaidText>) {
    // Amounts of which a hundred is one step, and those that count.
    let least = match call.name {
        CommandName::Bp | CommandName::Hp | CommandName::Damage | CommandName::LoseLife => 50,
        CommandName::Sp | CommandName::Draw | CommandName::Trash => 2,
        _ => return,
    };
    let [argument] = call.arguments else { return };
    if !matches!(argument.form, ArgForm::Text) {
        return;
    }
    let text = argument.text.text.trim();
    let unsigned = text.strip_prefix('+').unwrap_or(text).trim_start();
    let Some(found) = loose_product(unsigned).filter(|found| found.times >= least) else {
        return;
    };
    let says_others = said.is_some_and(|said| {
        said.says_one(&[
            "each|every|of other|another|further|additional",
            "each|every .. beyond|but|except",
        ])
    });
    if least < 50 && !says_others {
        return;
    }
    let plus = if text.starts_with('+') { "+" } else { "" };
    let LooseProduct {
        times,
        value,
        sign,
        count,
        times_first,
    } = found;
    let right = match times_first {
        true => format!("{plus}{times} * ({value} {sign} {count})"),
        false => format!("{plus}({value} {sign} {count}) * {times}"),
    };
    let finding = lints.rewrite(
        rs::RS088,
        argument.text.span,
        format!("`*` binds tighter than `{sign}`: this multiplies before it counts {sign}{count}"),
        &right,
    );
    finding.severity = Severity::Warning;
    finding.help = Some("brackets come first, as in arithmetic".to_owned());
}

/// `100 * n - 1`, or `n - 1 * 100`, where brackets are missing.
struct LooseProduct<'a> {
    times: i64,
    value: &'a str,
    sign: char,
    /// A small number.
    count: i64,
    /// Whether the number that multiplies stands before.
    times_first: bool,
}

fn loose_product(text: &str) -> Option<LooseProduct<'_>> {
    let at = text.rfind(['+', '-'])?;
    let sign = text[at..].chars().next()?;
    let (left, right) = (text[..at].trim(), text[at + 1..].trim());
    let is_plain = |text: &str| {
        text.chars()
            .all(|letter| letter.is_alphanumeric() || matches!(letter, '.' | '_'))
            && text.parse::<i64>().is_err()
    };
    let is_count = |count: &i64| (1..10).contains(count);
    let number = |text: &str| text.trim().parse::<i64>().ok();
    if let Some(count) = number(right).filter(is_count) {
        let (one, other) = left
            .split_once('*')
            .map(|(one, other)| (one.trim(), other.trim()))?;
        let (times, value, times_first) = match (number(one), number(other)) {
            (Some(times), None) => (times, other, true),
            (None, Some(times)) => (times, one, false),
            _ => return None,
        };
        return is_plain(value).then_some(LooseProduct {
            times,
            value,
            sign,
            count,
            times_first,
        });
    }
    let (one, other) = right.split_once('*')?;
    let (count, times) = (number(one).filter(is_count)?, number(other)?);
    is_plain(left).then_some(LooseProduct {
        times,
        value: left,
        sign,
        count,
        times_first: false,
    })
}

/// R1101, RS078: without `to` a card becomes a copy of itself.
fn copies_itself(lints: &mut Lints<'_, '_>, call: &CheckedCall<'_>, part: &CheckedBranch<'_>) {
    if !matches!(call.name, CommandName::Transform | CommandName::CopyAbility) || call.nested {
        return;
    }
    let [argument] = call.arguments else { return };
    let of = packed(argument.text);
    let is_target = matches!(of.as_str(), "tgt" | "tgt.0" | "tgt[0]");
    let acts_on_it = match (&part.branch.to, lints.keys.target) {
        (None, Some(_)) => is_target,
        (None, None) => {
            of == "this"
                && lints
                    .groups
                    .iter()
                    .all(|group| group.action || group.trigger.is_some())
        }
        (Some(clause), _) => {
            let written = clause
                .targets
                .iter()
                .map(|target| packed(target.text))
                .collect::<Vec<_>>();
            written.len() == 1 && written[0] == of && (of == "this" || is_target)
        }
    };
    if !acts_on_it {
        return;
    }
    let (message, help) = match call.name {
        CommandName::Transform => (
            "this turns a card into a copy of itself: nothing changes",
            "in the brackets stands what it becomes, in `to(…)` who changes",
        ),
        _ => (
            "this gives a card a copy of its own ability: nothing changes",
            "in the brackets stands whose ability it is, in `to(…)` who gets a copy",
        ),
    };
    let is_alone = part.branch.effects.len() == 1 && part.branch.to.is_none() && is_target;
    if !is_alone {
        let finding = lints.add(rs::RS078, call.span, message);
        finding.severity = Severity::Warning;
        finding.help = Some(help.to_owned());
        return;
    }
    let right = format!("{}(prevTgt.0) to(this)", call.word.text);
    let finding = lints.rewrite(rs::RS078, call.span, message, &right);
    finding.severity = Severity::Warning;
    finding.help = Some(format!("{help}; what `target =` found is `prevTgt` there"));
}

/// Why the size of the ring is never 0; what somebody wrote may mean that size all the same.
pub(crate) const COUNTS_ITSELF: &str = "this character itself stands in your ring";

/// R312, RS072: while its rule runs, a character stands in its player's ring.
fn counts_itself(lints: &mut Lints<'_, '_>, group: &StatementGroup<'_>) {
    let leaves = |event: &Listened<'_>| {
        event.scope != Scope::My
            || event.has_suffix("any")
            || matches!(
                event.name,
                EventName::LeavesRing | EventName::Removed | EventName::PlayAsFresh
            )
            || event.name.form().kind != EventKind::Event
    };
    let pays_itself = group.statements.iter().flat_map(|one| one.costs).any(|cost| {
        cost.letter.is("s")
            && match &cost.argument {
                CostArgument::None => true,
                CostArgument::Count(_) => false,
                CostArgument::Target(target) => target.types.iter().any(|one| one.prefix.is_none()),
            }
    });
    let rule = lints.lower;
    let may_leave = ["moveto(", "destroy(", "bp(-", "damage(", "steal("]
        .iter()
        .any(|word| rule.contains(word));
    if group.events.iter().any(leaves) || pays_itself || may_leave {
        return;
    }
    for test in tests(group) {
        let text = packed(test);
        const COUNTS: [&str; 3] = [
            "me.ring.size",
            "getTargets('characters@myring').size",
            "len(me.ring)",
        ];
        let count = COUNTS
            .iter()
            .find_map(|count| text.strip_prefix(&*count.to_ascii_lowercase()));
        let (never, right) = match (count, text.as_str()) {
            (Some("==0" | "<1" | "<=0"), _) | (_, "notme.ring" | "notme.ring.size") => (true, "alone"),
            (Some("!=0" | ">0" | ">=1" | ""), _) | (_, "me.ring") => (false, "me.ring.size > 1"),
            _ => continue,
        };
        let message = match never {
            true => format!("never true here: {COUNTS_ITSELF}"),
            false => format!("always true here: {COUNTS_ITSELF}"),
        };
        let help = match never {
            true => "`alone` asks whether it is the only one there",
            false => "whether there are others is `me.ring.size > 1`",
        };
        lints.rewrite(rs::RS072, test.span, message, right).help = Some(help.to_owned());
    }
}

/// R910, RS072: in events of this card itself, `trigger` is this card.
fn with_itself(lints: &mut Lints<'_, '_>, group: &StatementGroup<'_>) {
    let is_itself = |event: &Listened<'_>| {
        let form = event.name.form();
        form.object.is_some() && form.object == form.trigger && !event.has_suffix("any")
    };
    if group.events.is_empty() || !group.events.iter().all(is_itself) {
        return;
    }
    for test in tests(group) {
        let text = packed(test);
        let Some((left, sign, right)) = compared(&text) else {
            continue;
        };
        let behind = |side: &str, name: &str| side.strip_prefix(name).map(str::to_owned);
        let same = match (behind(left, "trigger"), behind(right, "this")) {
            (Some(one), Some(other)) => one == other,
            _ => match (behind(left, "this"), behind(right, "trigger")) {
                (Some(one), Some(other)) => one == other,
                _ => false,
            },
        };
        if !same {
            continue;
        }
        let answer = if sign.contains('=') && sign != "!=" {
            "always"
        } else {
            "never"
        };
        let message = format!("{answer} true: `trigger` is this card itself in this event");
        let (event, against) = (group.events[0], ["trigger", "this"]);
        let hook = match event.name {
            EventName::BeforeBlock if group.statements.len() == 1 && group.events.len() == 1 => {
                test.text.replacen(against[0], "attacker", 1)
            }
            EventName::BeforeBlock => {
                lints.help(rs::RS072, test.span, message, ATTACKER);
                continue;
            }
            _ => {
                lints.help(
                    rs::RS072,
                    test.span,
                    message,
                    "the other one is `blocker` in `~blocked~` and `attacker` in `~blocks~`",
                );
                continue;
            }
        };
        let hook = format!("blocker != this or {hook}");
        lints
            .fix(
                rs::RS072,
                test.span,
                message,
                "ask `?anyCanBlock:any?` instead",
                &[(event.span, "anyCanBlock:any"), (test.span, &hook)],
            )
            .help = Some(ATTACKER.to_owned());
    }
}

const ATTACKER: &str = "nobody knows yet whom it will counter; `?anyCanBlock:any? \
                        [[if blocker != this or attacker.bp < this.bp]]` asks for each attacker";

/// The two sides of a comparison, and its sign.
fn compared(text: &str) -> Option<(&str, &'static str, &str)> {
    let signs = ["<=", ">=", "==", "!=", "<", ">"];
    let (sign, at) = signs.iter().find_map(|sign| Some((*sign, text.find(sign)?)))?;
    Some((&text[..at], sign, &text[at + sign.len()..]))
}

/// R907, RS072: an auto does not work while its card is part of a United Attack.
fn in_united_attack(lints: &mut Lints<'_, '_>, group: &StatementGroup<'_>) {
    if group.action || group.events.is_empty() {
        return;
    }
    for test in tests(group) {
        let text = packed(test);
        let negated = text.contains("notinuattack(this)");
        if !text.contains("inuattack(this)") || text.contains("or") && !negated {
            continue;
        }
        let name = names(test).find(|name| name.is("inuattack"));
        let Some(name) = name else { continue };
        let close = lints.text[name.span.end as usize..].find(')');
        let end = close.map_or(name.span.end as usize, |at| name.span.end as usize + at + 1);
        let message = match negated {
            true => "always true: an auto does not work while its card is part of a United Attack",
            false => "never true: an auto does not work while its card is part of a United Attack",
        };
        lints.help(
            rs::RS072,
            Span::new(name.span.start as usize, end),
            message,
            "give it for attacking alone, or write the auto on another card: \
             `~attacks:any~ [[if inUAttack(trigger) and trigger.controller == this.controller]] \
             bp(+300) to(trigger) ueot`",
        );
    }
}
