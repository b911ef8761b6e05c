//! The printed text and the rule: RS071.

use cw_syntax::{
    Arena, ArgForm, CostArgument, PropertyValueSyntax, RuleSyntax, RuleTokenKind, WordSyntax, rs, tokens,
};
use cw_text::{Diagnostic, FileId, Span};

use crate::cards::KnownCard;
use crate::groups::{calls, each_branch};

/// Smaller numbers are written in words, or count something else.
const SMALLEST: i64 = 11;

/// RS071: where exactly one number of the rule is not in the text and one of the text is not in
/// the rule, one of them is probably wrong.
pub(crate) fn card_text<'a>(
    file: FileId,
    rule: &RuleSyntax<'a>,
    card: &KnownCard,
    arena: &'a Arena,
    out: &mut Vec<Diagnostic>,
) {
    if !card.text.bytes().any(|byte| byte.is_ascii_digit()) {
        return;
    }
    let printed = printed_numbers(&card.text);
    if printed.is_empty() {
        return;
    }
    let mut written: Vec<(i64, Span)> = Vec::new();
    for property in rule.properties {
        numbers_of(&property.value, property.text, arena, &mut written);
    }
    let mut odd: Vec<(i64, Span)> = written
        .iter()
        .filter(|(value, _)| !printed.contains(value))
        .copied()
        .collect();
    odd.dedup_by_key(|(value, _)| *value);
    let mut missing: Vec<i64> = printed
        .iter()
        .filter(|value| written.iter().all(|(known, _)| known != *value))
        .copied()
        .collect();
    missing.dedup();
    if let ([(value, span)], [text]) = (&odd[..], &missing[..]) {
        let message = format!("the rule says {value}, the card's text {text}");
        out.push(rs::RS071.at(file, *span, message));
    }
}

fn printed_numbers(text: &str) -> Vec<i64> {
    let mut out: Vec<i64> = text
        .split(|letter: char| !letter.is_ascii_digit())
        .filter_map(|digits| digits.parse().ok())
        .filter(|value| *value >= SMALLEST)
        .collect();
    out.sort_unstable();
    out.dedup();
    out
}

fn numbers_of<'a>(
    value: &PropertyValueSyntax<'a>,
    text: WordSyntax<'_>,
    arena: &'a Arena,
    out: &mut Vec<(i64, Span)>,
) {
    match value {
        PropertyValueSyntax::Label(_) | PropertyValueSyntax::Abilities(_) => {}
        PropertyValueSyntax::Target(_) | PropertyValueSyntax::Requisite(_) | PropertyValueSyntax::Vars(_) => {
            raw(text, out);
        }
        PropertyValueSyntax::Action(statements) | PropertyValueSyntax::Auto(statements) => {
            for statement in *statements {
                for cost in statement.costs {
                    if let CostArgument::Target(target) = cost.argument {
                        raw(target.text, out);
                    }
                }
                if let cw_syntax::StatementBody::If { arms, .. } = &statement.body {
                    arms.iter().for_each(|arm| raw(arm.test, out));
                }
                each_branch(&statement.body, |branch| {
                    if let Some(clause) = branch.to {
                        clause.targets.iter().for_each(|target| raw(target.text, out));
                    }
                    for call in calls(branch.effects, arena) {
                        for argument in call.arguments {
                            if !matches!(argument.form, ArgForm::Quoted(_) | ArgForm::Each(_)) {
                                raw(argument.text, out);
                            }
                        }
                    }
                });
            }
        }
    }
}

fn raw(word: WordSyntax<'_>, out: &mut Vec<(i64, Span)>) {
    for token in tokens(word.text) {
        if token.kind != RuleTokenKind::Number {
            continue;
        }
        let span = token.span();
        let value: i64 = word.text[span.range()].parse().unwrap_or(0);
        if value >= SMALLEST {
            out.push((
                value,
                Span::between(word.span.start + span.start, word.span.start + span.end),
            ));
        }
    }
}
