//! Amounts: what doubles, what costs, what grows and what shrinks (RS088, RS093).

use cw_program::{CardType, CommandName};
use cw_syntax::{
    ArgForm, EffectSyntaxKind, NumberSign, Operator, StatementBody, Target, TargetClauseSyntax, WordSyntax,
    rs,
};
use cw_text::{Severity, Span};

use super::Lints;
use super::said::{SaidText, number};
use crate::aim;
use crate::groups::{CheckedBranch, CheckedCall};

pub(super) fn run(lints: &mut Lints<'_, '_>, said: Option<&SaidText>) {
    for group in lints.groups {
        for part in group.parts {
            for call in part.calls.iter().filter(|call| !call.nested) {
                multiplies(lints, call, part, said);
                if let Some(said) = said {
                    sign(lints, call, said);
                    cards(lints, call, said);
                }
            }
        }
    }
    let Some(said) = said else { return };
    costs(lints, said);
    bounds(lints, said);
    until_when(lints, said);
}

/// R606, RS088: what is added to a number is more than the double of it.
fn multiplies(
    lints: &mut Lints<'_, '_>,
    call: &CheckedCall<'_>,
    part: &CheckedBranch<'_>,
    said: Option<&SaidText>,
) {
    let what = match call.name {
        CommandName::Bp => "bp",
        CommandName::Hp => "hp",
        CommandName::Sp => "sp",
        _ => return,
    };
    let [argument] = call.arguments else { return };
    if !matches!(argument.form, ArgForm::Text) {
        return;
    }
    let written: String = argument
        .text
        .text
        .to_ascii_lowercase()
        .split_whitespace()
        .collect();
    let written = written.trim_start_matches('+');
    let product =
        written
            .split_once('*')
            .and_then(|(one, other)| match (one.parse::<i64>(), other.parse::<i64>()) {
                (Ok(times), Err(_)) => Some((other.to_owned(), times)),
                (Err(_), Ok(times)) => Some((one.to_owned(), times)),
                _ => None,
            });
    let Some((value, times)) = product.filter(|(_, times)| (2..=9).contains(times)) else {
        return;
    };
    let Some(object) = value.strip_suffix(what).and_then(|value| value.strip_suffix('.')) else {
        return;
    };
    let clause = part.branch.to.as_ref().or(lints.keys.target);
    if !is_same(object, clause, what == "bp") {
        return;
    }
    let more = [
        "triple",
        "triples",
        "three times",
        "times three",
        "times as much more",
        "gains twice",
        "gain twice",
        "gains double",
        "gain double",
    ];
    if said.is_some_and(|said| said.any(&more)) {
        return;
    }
    let text = match what {
        "bp" => format!("x{times}"),
        _ if times == 2 => value.clone(),
        _ => format!("{value} * {}", times - 1),
    };
    let message = format!("`{what}` adds: this makes it {} times as much", times + 1);
    let help = match what {
        "bp" => format!("`bp(x{times})` multiplies, `bp(={value} * {times})` sets"),
        _ => format!("`{what}({text})` makes it {times} times as much"),
    };
    let finding = lints.rewrite(rs::RS088, argument.text.span, message, &text);
    finding.severity = Severity::Warning;
    finding.help = Some(help);
}

/// Whether an expression names what the effect acts on.
fn is_same(object: &str, clause: Option<&TargetClauseSyntax<'_>>, is_card: bool) -> bool {
    let only = clause.and_then(|clause| match clause.targets {
        [target] => Some(target),
        _ => None,
    });
    let names = |target: &Target<'_>, name: &str| {
        matches!(target.types, [one] if !one.quoted && one.name.is(name))
            || target.expression.is_some_and(|expression| expression.is(name))
    };
    match (object, clause, only) {
        ("this", None, _) if is_card => true,
        ("me", None, _) if !is_card => true,
        ("tgt" | "tgt.0", Some(_), _) => is_card,
        ("this" | "me" | "opp", Some(_), Some(target)) => names(target, object),
        _ => false,
    }
}

/// R804, RS093: a restriction belongs to its own statement, and the text's sentence to both.
fn shared_time(lints: &mut Lints<'_, '_>, said: &SaidText) {
    for group in lints.groups {
        let [one, other] = group.statements else { continue };
        let (StatementBody::Plain(first), StatementBody::Plain(second)) = (&one.body, &other.body) else {
            continue;
        };
        let Some(until) = second.restriction.filter(|_| first.restriction.is_none()) else {
            continue;
        };
        let [effect] = first.effects else { continue };
        let sentence = said.sentences().find(|sentence| sentence.says("until .. turn"));
        let Some(sentence) = sentence else { continue };
        let is_said = match effect.kind {
            EffectSyntaxKind::Ability { name, sign, .. } => {
                sign == NumberSign::Plus && sentence.has(&name.text.to_lowercase())
            }
            EffectSyntaxKind::Call { .. } => crate::groups::call(effect).is_some_and(|call| {
                let amount = call
                    .arguments
                    .first()
                    .and_then(|one| number(one.text.text.trim()));
                let words = sentence.words();
                let is_there = |amount: i64| {
                    words
                        .windows(2)
                        .any(|pair| number(pair[0]).map(i64::abs) == Some(amount.abs()) && pair[1] == "bp")
                };
                call.name == CommandName::Bp && amount.is_some_and(is_there)
            }),
        };
        if !is_said {
            continue;
        }
        let word = lints.text[until.span.range()].trim();
        let text = format!(" {word}");
        lints
            .fix(
                rs::RS093,
                first.span,
                format!(
                    "this lasts: `{word}` is for the statement before it alone; the card's text says both"
                ),
                format!("write `{word}` behind it, too"),
                &[(Span::at(first.span.end as usize), &text)],
            )
            .help = Some(
            "`;` ends a statement; effects joined by `&` share their targets and how long they last"
                .to_owned(),
        );
        return;
    }
}

/// R310, R422, RS093: a cost is a negative SP.
fn costs(lints: &mut Lints<'_, '_>, said: &SaidText) {
    let costs = said.any(&["cost", "costs", "costing", "that cost", "cost of"]);
    if !costs
        || said.any(&[
            "give",
            "gives",
            "giving",
            "printed sp",
            "positive",
            "gain",
            "gains",
        ])
    {
        return;
    }
    let own = lints
        .groups
        .iter()
        .flat_map(|group| group.parts)
        .filter_map(|part| part.branch.to);
    let clauses: Vec<_> = lints.keys.target.copied().into_iter().chain(own).collect();
    let mut targets: Vec<Target<'_>> = clauses
        .iter()
        .flat_map(|clause| clause.targets)
        .copied()
        .collect();
    for group in lints.groups {
        for cost in group.statements.iter().flat_map(|statement| statement.costs) {
            if let cw_syntax::CostArgument::Target(target) = cost.argument {
                targets.push(target);
            }
        }
        for call in group.parts.iter().flat_map(|part| part.calls) {
            if let (CommandName::Discard, [one]) = (call.name, call.arguments)
                && matches!(one.form, ArgForm::Text)
            {
                let (text, span) = (lints.text, one.text.span);
                let parsed = cw_syntax::parse_targets(lints.arena, lints.file, text, span, &mut Vec::new());
                targets.extend(parsed);
            }
        }
    }
    for target in targets {
        if target.types.iter().any(aim::is_player) {
            continue;
        }
        for filter in target.filters.iter().copied().flatten() {
            let Some((operator, value)) = filter.compare.filter(|_| filter.name.is("sp")) else {
                continue;
            };
            let Some(count) = value.text.trim().parse::<i64>().ok().filter(|count| *count > 0) else {
                continue;
            };
            let sign = match operator {
                Operator::Equal => "==",
                Operator::NotEqual => "!=",
                Operator::Less => ">",
                Operator::LessOrEqual => ">=",
                Operator::Greater => "<",
                Operator::GreaterOrEqual => "<=",
                Operator::Colon => continue,
            };
            let text = format!("sp {sign} -{count}");
            lints
                .rewrite(
                    rs::RS093,
                    filter.span,
                    "a positive SP is what a card gives; a cost is negative",
                    &text,
                )
                .help = Some(format!(
                "a cost of {count} is `sp == -{count}`, of {count} or more `sp <= -{count}`"
            ));
        }
    }
}

/// A number of the text with the words around it.
struct SaidNumber {
    value: i64,
    unit: String,
    verb: SaidVerb,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum SaidVerb {
    Gains,
    Loses,
    Becomes,
    Open,
}

/// The numbers before BP, SP and HP.
fn numbers(said: &SaidText) -> Vec<SaidNumber> {
    let mut out = Vec::new();
    for sentence in said.sentences() {
        let words = sentence.words();
        for (at, word) in words.iter().enumerate() {
            // `its BP becomes 500`, `the BP of an enemy character is set to 500`
            let sets = |at: usize| match words[at - 1] {
                "becomes" | "become" => true,
                "to" => at > 1 && ["set", "sets"].contains(&words[at - 2]),
                _ => false,
            };
            let unit = words[..at].iter().rfind(|word| ["bp", "sp", "hp"].contains(word));
            if let (Some(unit), Some(value)) = (unit, number(word))
                && sets(at)
                && !words
                    .get(at + 1)
                    .is_some_and(|next| ["bp", "sp", "hp"].contains(next))
            {
                out.push(SaidNumber {
                    value,
                    unit: (*unit).to_owned(),
                    verb: SaidVerb::Becomes,
                });
                continue;
            }
            let Some(unit) = words.get(at + 1).filter(|unit| ["bp", "sp", "hp"].contains(unit)) else {
                continue;
            };
            let Some(value) = number(word).map(i64::abs) else {
                continue;
            };
            let signed = match word.as_bytes().first() {
                Some(b'+') => Some(SaidVerb::Gains),
                Some(b'-') => Some(SaidVerb::Loses),
                _ => None,
            };
            let before = words[..at].iter().rev().take(4);
            let verb = signed
                .or_else(|| before.copied().find_map(verb))
                .unwrap_or(SaidVerb::Open);
            // Conditions and bounds are about numbers that are there already.
            let next = words.get(at + 2).copied().unwrap_or_default();
            let is_bound = matches!(next, "or" | "more" | "less")
                || words[..at]
                    .iter()
                    .rev()
                    .take(2)
                    .any(|word| ["than", "least", "most", "with", "exactly"].contains(word));
            let has = words[..at]
                .last()
                .is_some_and(|word| ["has", "have"].contains(word));
            let verb = match is_bound {
                true => SaidVerb::Open,
                // `It has 500 BP until the end of the turn.`
                false if has && next == "until" => SaidVerb::Becomes,
                false => verb,
            };
            out.push(SaidNumber {
                value,
                unit: (*unit).to_owned(),
                verb,
            });
        }
    }
    out
}

fn verb(word: &str) -> Option<SaidVerb> {
    match word {
        "gain" | "gains" | "get" | "gets" | "receives" | "heal" | "heals" | "recover" | "recovers"
        | "grows" => Some(SaidVerb::Gains),
        "lose" | "loses" | "pay" | "pays" | "reduced" => Some(SaidVerb::Loses),
        "become" | "becomes" | "exactly" => Some(SaidVerb::Becomes),
        _ => None,
    }
}

/// R606, RS093: what grows and what shrinks.
fn sign(lints: &mut Lints<'_, '_>, call: &CheckedCall<'_>, said: &SaidText) {
    let unit = match call.name {
        CommandName::Bp => "bp",
        CommandName::Sp => "sp",
        CommandName::Hp => "hp",
        _ => return,
    };
    let [argument] = call.arguments else { return };
    let written = argument.text.text.trim();
    let set = written.strip_prefix('=').map(str::trim);
    let Ok(value) = set.unwrap_or(written).trim_start_matches('+').parse::<i64>() else {
        return;
    };
    let found = numbers(said);
    let mut same = found
        .iter()
        .filter(|one| one.unit == unit && one.value == value.abs());
    let (Some(one), None) = (same.next(), same.next()) else {
        return;
    };
    let amount = value.abs();
    let (right, says) = match (one.verb, set.is_some(), value) {
        (SaidVerb::Loses, false, 1..) => (format!("-{amount}"), "loses"),
        (SaidVerb::Gains, false, ..=-1) => (format!("+{amount}"), "gains"),
        (SaidVerb::Gains, true, 1..) => (format!("+{amount}"), "gains"),
        (SaidVerb::Loses, true, 1..) => (format!("-{amount}"), "loses"),
        (SaidVerb::Becomes, false, 1..) if unit != "hp" => (format!("={amount}"), "becomes"),
        _ => return,
    };
    let does = match (set.is_some(), value) {
        (true, _) => "sets",
        (false, 0..) => "adds",
        (false, _) => "takes away",
    };
    lints
        .rewrite(
            rs::RS093,
            argument.text.span,
            format!(
                "this {does} {amount} {}; the card's text says {says}",
                unit.to_uppercase()
            ),
            &right,
        )
        .help = Some(match unit {
        "hp" => "`+` gives and `-` takes".to_owned(),
        _ => "`+` gives, `-` takes, `=` sets".to_owned(),
    });
}

/// RS093: how many cards are drawn, discarded or taken from the deck, where the text has one number for it.
fn cards(lints: &mut Lints<'_, '_>, call: &CheckedCall<'_>, said: &SaidText) {
    let verbs: &[&str] = match call.name {
        CommandName::Draw => &["draw", "draws"],
        CommandName::Discard => &["discard", "discards"],
        _ => return,
    };
    let written = match call.arguments {
        [] => 1,
        [one] => match one.form {
            ArgForm::Int(count) => count,
            _ => return,
        },
        _ => return,
    };
    let same = lints
        .groups
        .iter()
        .flat_map(|group| group.parts)
        .flat_map(|part| part.calls);
    if same.filter(|one| one.name == call.name).count() != 1 {
        return;
    }
    let words = said.words();
    let mut counts: Vec<i64> = Vec::new();
    for (at, word) in words.iter().enumerate() {
        if !verbs.contains(word) {
            continue;
        }
        let rest = &words[at + 1..words.len().min(at + 4)];
        let count = match rest {
            ["a" | "an" | "one", "card", ..] => 1,
            [count, "cards", ..] | [count, "more", "cards"] => match number(count) {
                Some(count) => count,
                None => return,
            },
            _ => return,
        };
        counts.push(count);
    }
    let [count] = counts[..] else { return };
    if count == written || said.any(&["for each", "for every", "up to", "at most"]) {
        return;
    }
    let word = call.word.text;
    let text = format!("{word}({count})");
    lints.rewrite(
        rs::RS093,
        call.span,
        format!("this is {written}; the card's text says {count}"),
        &text,
    );
}

/// How the text compares with a number.
fn said_bound(said: &SaidText, value: i64) -> Option<&'static str> {
    const WORDS: [&str; 11] = [
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    ];
    let digits = value.to_string();
    let mut names = vec![digits];
    names.extend(
        usize::try_from(value)
            .ok()
            .and_then(|at| WORDS.get(at))
            .map(|word| (*word).to_owned()),
    );
    let mut found: Vec<&'static str> = Vec::new();
    for name in &names {
        let table: [(&[&str], &'static str); 4] = [
            (
                &[
                    "N or more",
                    "N bp or more",
                    "N sp or more",
                    "N hp or more",
                    "N cards or more",
                    "N characters or more",
                    "at least N",
                ],
                ">=",
            ),
            (
                &[
                    "N or less",
                    "N or fewer",
                    "N bp or less",
                    "N sp or less",
                    "N hp or less",
                    "N cards or fewer",
                    "N cards or less",
                    "N characters or fewer",
                    "at most N",
                ],
                "<=",
            ),
            (&["more than N", "over N", "above N"], ">"),
            (&["less than N", "fewer than N", "under N", "below N"], "<"),
        ];
        for (phrases, sign) in table {
            if phrases.iter().any(|phrase| said.has(&phrase.replace('N', name))) {
                found.push(sign);
            }
        }
    }
    match found[..] {
        [sign] => Some(sign),
        _ => None,
    }
}

/// RS093: `or more` and `more than`.
fn bounds(lints: &mut Lints<'_, '_>, said: &SaidText) {
    let mut wrong: Vec<(Span, &'static str, &'static str, i64)> = Vec::new();
    let mut ask = |at: usize, written: &'static str, value: i64| {
        let Some(right) = said_bound(said, value) else {
            return;
        };
        let near = matches!(
            (written, right),
            (">", ">=") | (">=", ">") | ("<", "<=") | ("<=", "<")
        );
        if near {
            wrong.push((Span::new(at, at + written.len()), written, right, value));
        }
    };
    for group in lints.groups {
        for statement in group.statements {
            if let StatementBody::If { arms, .. } = &statement.body {
                for arm in *arms {
                    comparisons(arm.test, &mut ask);
                }
            }
        }
    }
    let own = lints
        .groups
        .iter()
        .flat_map(|group| group.parts)
        .filter_map(|part| part.branch.to);
    for target in lints
        .keys
        .target
        .copied()
        .into_iter()
        .chain(own)
        .flat_map(|clause| clause.targets)
    {
        for filter in target
            .filters
            .iter()
            .copied()
            .flatten()
            .filter(|one| one.prefix.is_none())
        {
            let Some((_, value)) = filter.compare else {
                continue;
            };
            let start = filter.name.span.end as usize;
            let Some(between) = lints.text.get(start..value.span.start as usize) else {
                continue;
            };
            let at = start + between.len() - between.trim_start().len();
            let sign = match between.trim() {
                ">" => ">",
                ">=" => ">=",
                "<" => "<",
                "<=" => "<=",
                _ => continue,
            };
            if let Ok(value) = value.text.trim().parse::<i64>()
                && value > 0
            {
                ask(at, sign, value);
            }
        }
    }
    for (span, written, right, value) in wrong {
        let says = match right {
            ">=" => format!("{value} or more"),
            "<=" => format!("{value} or less"),
            ">" => format!("more than {value}"),
            _ => format!("less than {value}"),
        };
        lints.rewrite(
            rs::RS093,
            span,
            format!("`{written}` is not what the card's text says: {says}"),
            right,
        );
    }
}

/// The comparisons of a condition whose right side is a number, if nothing turns them round.
fn comparisons(test: WordSyntax<'_>, ask: &mut dyn FnMut(usize, &'static str, i64)) {
    let text = test.text;
    if super::expressions::names(test).any(|name| name.is("not")) {
        return;
    }
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let sign = match (bytes[at], bytes.get(at + 1)) {
            (b'>', Some(b'=')) => ">=",
            (b'<', Some(b'=')) => "<=",
            (b'>', _) => ">",
            (b'<', Some(b'>')) => {
                at += 2;
                continue;
            }
            (b'<', _) => "<",
            _ => {
                at += 1;
                continue;
            }
        };
        let behind = &text[at + sign.len()..];
        let digits: String = behind
            .trim_start()
            .chars()
            .take_while(char::is_ascii_digit)
            .collect();
        if let Ok(value) = digits.parse::<i64>() {
            ask(test.span.start as usize + at, sign, value);
        }
        at += sign.len();
    }
}

/// R608, RS093: the text says until when, and nothing in the rule ends.
fn until_when(lints: &mut Lints<'_, '_>, said: &SaidText) {
    let this_turn = said.any(&[
        "until the end of the turn",
        "until end of turn",
        "until the end of this turn",
        "until the turn ends",
        "for this turn",
    ]);
    let theirs = said.any(&[
        "until the end of the opponent's turn",
        "until the end of the opponent's next turn",
        "until the end of your opponent's turn",
        "until the end of their turn",
        "until the end of their next turn",
    ]);
    let timed = |part: &&CheckedBranch<'_>| part.branch.restriction.is_some();
    let parts = || lints.groups.iter().flat_map(|group| group.parts);
    if this_turn == theirs {
        return;
    }
    if parts().any(|part| timed(&part)) {
        shared_time(lints, said);
        return;
    }
    let lasting = |part: &&CheckedBranch<'_>| {
        part.branch.effects.iter().any(|effect| match effect.kind {
            EffectSyntaxKind::Ability { sign, .. } => sign == NumberSign::Plus,
            EffectSyntaxKind::Call { .. } => {
                crate::groups::call(effect).is_some_and(|call| call.name.signature().timed)
            }
        })
    };
    let mut lasting = parts().filter(lasting);
    let (Some(part), None) = (lasting.next(), lasting.next()) else {
        return;
    };
    let is_reaction = lints
        .card
        .is_some_and(|card| card.card_type == Some(CardType::Reaction));
    let word = if theirs || is_reaction { "oppUeot" } else { "ueot" };
    let span = part.branch.span;
    let text = format!(" {word}");
    lints
        .fix(
            rs::RS093,
            span,
            "this lasts; the card's text says until when",
            format!("write `{word}` behind it"),
            &[(Span::at(span.end as usize), &text)],
        )
        .help =
        Some("`ueot` is until the end of your turn, `oppUeot` until the end of the opponent's".to_owned());
}
