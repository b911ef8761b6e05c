//! Brackets and quotes without a partner: where the partner may have stood.

use cw_syntax::{RuleToken, RuleTokenKind};

use super::pattern::Line;

/// What a bracket that opens is closed by.
fn closing(kind: RuleTokenKind) -> Option<&'static str> {
    Some(match kind {
        RuleTokenKind::LeftParen => ")",
        RuleTokenKind::LeftBracket => "]",
        RuleTokenKind::LeftBrace => "}",
        _ => return None,
    })
}

fn is_closing(kind: RuleTokenKind) -> bool {
    use RuleTokenKind::{RightBrace, RightBracket, RightParen};
    matches!(kind, RightParen | RightBracket | RightBrace)
}

/// Adds the lines in which one bracket or quote more, or less, stands.
pub(super) fn repair(line: &Line<'_>, out: &mut Vec<(u32, String)>) {
    for (at, token) in line.tokens.iter().enumerate() {
        let is_alone = token.mate == RuleToken::ALONE;
        if let Some(close) = closing(token.kind).filter(|_| is_alone) {
            out.push((2, line.with(at, at + 1, "")));
            for end in at + 1..=line.tokens.len() {
                out.push((2, line.behind(end - 1, close)));
            }
        } else if is_alone && is_closing(token.kind) {
            out.push((2, line.with(at, at + 1, "")));
        } else if token.kind == RuleTokenKind::StrayQuote {
            out.push((2, line.with(at, at + 1, "")));
            for end in at + 1..line.tokens.len() {
                out.push((2, line.behind(end, line.token(at))));
            }
        }
    }
}
