//! The marks `[[if …]]`, `[[elif …]]`, `[[else]]` and `[[may …]]` (R234–R236, R501, R502).

use cw_text::{Safety, Span, nearest};

use crate::codes::rs;
use crate::lexer::{RuleToken, RuleTokenKind};
use crate::parser::{RuleParser, TokenRange};
use crate::tree::WordSyntax;

/// The mark that a branch hangs on.
#[derive(Clone, Copy)]
pub(crate) enum BranchMark<'a> {
    May(Span, Option<WordSyntax<'a>>),
    If(Span, WordSyntax<'a>),
    Elif(Span, WordSyntax<'a>),
    Else(Span),
    /// Reported; what it guards is read and dropped.
    Lost,
}

impl<'a> RuleParser<'a> {
    /// `[[…]]` at `at`; returns the token behind (R234–R236).
    pub(crate) fn mark(&mut self, at: TokenRange, hi: TokenRange) -> (BranchMark<'a>, TokenRange) {
        let double = self.kind_before(at + 1, hi) == Some(RuleTokenKind::LeftBracket);
        let inner = at + usize::from(double);
        let (close, mut next) = self.closing(inner, hi, RuleTokenKind::RightBracket);
        if (double || self.lexer.unbalanced)
            && self.kind_before(next, hi) == Some(RuleTokenKind::RightBracket)
        {
            next += 1;
        }
        let span = self.span(at, next);
        if !double && !self.lexer.unbalanced {
            let inside = format!("[{}]", &self.text[span.range()]);
            self.report.fix(
                rs::RS068,
                span,
                "put a condition in double brackets",
                "double the brackets",
                Safety::Safe,
                &[(span, &inside)],
            );
        }
        // `[[a] b]]`: the outer brackets hold more than the inner ones.
        let outer = self.lexer.tokens[at].mate;
        if double && outer != RuleToken::ALONE && outer as usize != next - 1 && (outer as usize) < hi {
            let rest = self.span(close, outer as usize);
            self.unexpected(rest, "a condition ends in `]]`");
            return (
                self.mark_content(inner + 1, outer as usize, self.span(at, outer as usize + 1)),
                outer as usize + 1,
            );
        }
        (self.mark_content(inner + 1, close, span), next)
    }

    fn mark_content(&mut self, lo: TokenRange, hi: TokenRange, span: Span) -> BranchMark<'a> {
        if lo >= hi {
            self.report.help(
                rs::RS068,
                span,
                "empty condition",
                "write `[[if …]]`, `[[elif …]]`, `[[else]]` or `[[may]]`",
            );
            return BranchMark::Lost;
        }
        let word = self.token_word(lo);
        let rest = self.words(lo + 1, hi);
        if word.is("if") || word.is("elif") {
            if rest.is_empty() {
                self.report
                    .add(rs::RS068, span, format!("`{}` without an expression", word.text));
            }
            return if word.is("if") {
                BranchMark::If(span, rest)
            } else {
                BranchMark::Elif(span, rest)
            };
        }
        if word.is("may") {
            let mut words = rest.text.split_whitespace();
            let first = words.find(|word| !word.eq_ignore_ascii_case("and"));
            if first.is_some_and(|first| first.eq_ignore_ascii_case("if")) {
                self.report.help(
                    rs::RS031,
                    rest.span,
                    "a condition in `may` is but its question",
                    "to make an effect optional, put a `?` in it: `[[if me.sp >= 2]] sp?(-2) & draw(1)`",
                );
            }
            return BranchMark::May(span, self.question(lo + 1, hi));
        }
        if word.is("else") {
            return self.else_mark(lo, hi, span);
        }
        self.odd_mark(lo, hi, span)
    }

    fn question(&self, lo: TokenRange, hi: TokenRange) -> Option<WordSyntax<'a>> {
        let raw = self.words(lo, hi);
        if raw.is_empty() {
            return None;
        }
        if hi == lo + 1 && self.kind(lo) == Some(RuleTokenKind::Quoted) {
            return Some(self.word(Span::between(raw.span.start + 1, raw.span.end - 1)));
        }
        Some(raw)
    }

    fn else_mark(&mut self, lo: TokenRange, hi: TokenRange, span: Span) -> BranchMark<'a> {
        if hi == lo + 1 {
            return BranchMark::Else(span);
        }
        let second = self.token_word(lo + 1);
        if second.is("if") {
            let both = self.span(lo, lo + 2);
            self.report.fix(
                rs::RS031,
                both,
                "`else if` is written `elif`",
                "replace with `elif`",
                Safety::Safe,
                &[(both, "elif")],
            );
            return BranchMark::Elif(span, self.words(lo + 2, hi));
        }
        let rest = self.span(lo + 1, hi);
        self.report.help(
            rs::RS068,
            rest,
            "`else` takes no expression",
            "write `elif` to test another one",
        );
        BranchMark::Else(span)
    }

    /// A mark that starts with none of the four words.
    fn odd_mark(&mut self, lo: TokenRange, hi: TokenRange, span: Span) -> BranchMark<'a> {
        let word = self.token_word(lo);
        if word.is("cond") && lo + 1 < hi {
            // `cond` is a word of the manual only: an error with a fix (D44).
            let cond = Span::between(word.span.start, self.lexer.tokens[lo + 1].start);
            self.report.fix(
                rs::RS068,
                cond,
                "`cond` is only a word of the manual",
                "remove `cond`",
                Safety::Safe,
                &[(cond, "")],
            );
            return self.mark_content(lo + 1, hi, span);
        }
        if let Some(near) = nearest(word.text, ["if", "elif", "else", "may"])
            && self.kind(lo) == Some(RuleTokenKind::Word)
        {
            self.report.fix(
                rs::RS068,
                word.span,
                format!("unexpected `{}`; did you mean `{near}`?", word.text),
                format!("replace with `{near}`"),
                Safety::Unsafe,
                &[(word.span, near)],
            );
            let rest = self.words(lo + 1, hi);
            return match near {
                "if" => BranchMark::If(span, rest),
                "elif" => BranchMark::Elif(span, rest),
                "else" => BranchMark::Else(span),
                _ => BranchMark::May(span, self.question(lo + 1, hi)),
            };
        }
        let start = Span::at(word.span.start as usize);
        self.report.fix(
            rs::RS068,
            word.span,
            "a condition starts with `if`, `elif`, `else` or `may`",
            "add `if`",
            Safety::Unsafe,
            &[(start, "if ")],
        );
        BranchMark::If(span, self.words(lo, hi))
    }
}
