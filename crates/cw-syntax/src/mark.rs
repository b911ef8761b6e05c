//! The marks `[[if …]]`, `[[elif …]]`, `[[else]]` and `[[may …]]` (R234–R236, R501, R502).

use cw_text::{Safety, Span, nearest};

use crate::codes::rs;
use crate::lexer::{Token, TokenKind};
use crate::parser::{At, Parser};
use crate::tree::Word;

/// The mark that a branch hangs on.
#[derive(Clone, Copy)]
pub(crate) enum Mark<'a> {
    May(Span, Option<Word<'a>>),
    If(Span, Word<'a>),
    Elif(Span, Word<'a>),
    Else(Span),
    /// Reported; what it guards is read and dropped.
    Lost,
}

impl<'a> Parser<'a> {
    /// `[[…]]` at `at`; returns the token behind (R234–R236).
    pub(crate) fn mark(&mut self, at: At, hi: At) -> (Mark<'a>, At) {
        let double = self.kind_before(at + 1, hi) == Some(TokenKind::LeftBracket);
        let inner = at + usize::from(double);
        let (close, mut next) = self.closing(inner, hi, TokenKind::RightBracket);
        if (double || self.lexer.unbalanced) && self.kind_before(next, hi) == Some(TokenKind::RightBracket) {
            next += 1;
        }
        let span = self.span(at, next);
        if !double && !self.lexer.unbalanced {
            let inside = format!("[{}]", &self.text[span.range()]);
            self.report.fix(
                rs::RS068,
                span,
                "a condition stands in double brackets",
                "double the brackets",
                Safety::Safe,
                &[(span, &inside)],
            );
        }
        // `[[a] b]]`: the outer brackets hold more than the inner ones.
        let outer = self.lexer.tokens[at].mate;
        if double && outer != Token::ALONE && outer as usize != next - 1 && (outer as usize) < hi {
            let rest = self.span(close, outer as usize);
            self.unexpected(rest, "a condition ends in `]]`");
            return (
                self.mark_content(inner + 1, outer as usize, self.span(at, outer as usize + 1)),
                outer as usize + 1,
            );
        }
        (self.mark_content(inner + 1, close, span), next)
    }

    fn mark_content(&mut self, lo: At, hi: At, span: Span) -> Mark<'a> {
        if lo >= hi {
            self.report.help(
                rs::RS068,
                span,
                "empty condition",
                "write `[[if …]]`, `[[elif …]]`, `[[else]]` or `[[may]]`",
            );
            return Mark::Lost;
        }
        let word = self.token_word(lo);
        let rest = self.words(lo + 1, hi);
        if word.is("if") || word.is("elif") {
            if rest.is_empty() {
                self.report
                    .add(rs::RS068, span, format!("`{}` without an expression", word.text));
            }
            return if word.is("if") {
                Mark::If(span, rest)
            } else {
                Mark::Elif(span, rest)
            };
        }
        if word.is("may") {
            return Mark::May(span, self.question(lo + 1, hi));
        }
        if word.is("else") {
            return self.else_mark(lo, hi, span);
        }
        self.odd_mark(lo, hi, span)
    }

    fn question(&self, lo: At, hi: At) -> Option<Word<'a>> {
        let raw = self.words(lo, hi);
        if raw.is_empty() {
            return None;
        }
        if hi == lo + 1 && self.kind(lo) == Some(TokenKind::Quoted) {
            return Some(self.word(Span {
                start: raw.span.start + 1,
                end: raw.span.end - 1,
            }));
        }
        Some(raw)
    }

    fn else_mark(&mut self, lo: At, hi: At, span: Span) -> Mark<'a> {
        if hi == lo + 1 {
            return Mark::Else(span);
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
            return Mark::Elif(span, self.words(lo + 2, hi));
        }
        let rest = self.span(lo + 1, hi);
        self.report.help(
            rs::RS068,
            rest,
            "`else` takes no expression",
            "write `elif` to test another one",
        );
        Mark::Else(span)
    }

    /// A mark that starts with none of the four words.
    fn odd_mark(&mut self, lo: At, hi: At, span: Span) -> Mark<'a> {
        let word = self.token_word(lo);
        if word.is("cond") && lo + 1 < hi {
            // D44.
            let cond = Span {
                start: word.span.start,
                end: self.lexer.tokens[lo + 1].start,
            };
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
            && self.kind(lo) == Some(TokenKind::Word)
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
                "if" => Mark::If(span, rest),
                "elif" => Mark::Elif(span, rest),
                "else" => Mark::Else(span),
                _ => Mark::May(span, self.question(lo + 1, hi)),
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
        Mark::If(span, self.words(lo, hi))
    }
}
