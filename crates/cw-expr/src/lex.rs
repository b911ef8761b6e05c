//! Text to tokens: Python 2.7's lexical rules, and the two liberties of [`Syntax`].

use cw_text::Span;
use num_bigint::BigInt;
use smol_str::SmolStr;

use crate::error::{CompileError, ExceptionKind};
use crate::limits::Limits;
use crate::literal;
use crate::syntax::Syntax;

/// One token with its place.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) span: Span,
    /// Whether a blank stands before it.
    pub(crate) spaced: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum TokenKind {
    Name(SmolStr),
    Keyword(&'static str),
    Int(i64),
    /// 2^63 without `L`: an int only behind a minus sign.
    MinInt,
    Long(BigInt),
    Float(f64),
    Imaginary(f64),
    Str(Vec<u8>),
    Unicode(Vec<u32>),
    Op(&'static str),
    /// The `.N` of a syntax that has it: the index.
    DotIndex(u32),
    Newline,
    End,
}

/// Python's keywords, by their length.
const KEYWORDS: [&[&str]; 9] = [
    &[],
    &[],
    &["as", "if", "in", "is", "or"],
    &["and", "def", "del", "for", "not", "try"],
    &["elif", "else", "exec", "from", "pass", "with"],
    &["break", "class", "print", "raise", "while", "yield"],
    &["assert", "except", "global", "import", "lambda", "return"],
    &["finally"],
    &["continue"],
];

/// The operator that `rest` starts with: the longest one.
fn operator_at(rest: &[u8]) -> Option<&'static str> {
    let second = rest.get(1).copied().unwrap_or_default();
    let third = rest.get(2).copied().unwrap_or_default();
    Some(match rest.first()? {
        b'(' => "(",
        b')' => ")",
        b'[' => "[",
        b']' => "]",
        b'{' => "{",
        b'}' => "}",
        b',' => ",",
        b':' => ":",
        b'`' => "`",
        b'~' => "~",
        b'.' if (second, third) == (b'.', b'.') => "...",
        b'.' => ".",
        b'*' => match (second, third) {
            (b'*', b'=') => "**=",
            (b'*', _) => "**",
            (b'=', _) => "*=",
            _ => "*",
        },
        b'/' => match (second, third) {
            (b'/', b'=') => "//=",
            (b'/', _) => "//",
            (b'=', _) => "/=",
            _ => "/",
        },
        b'<' => match (second, third) {
            (b'<', b'=') => "<<=",
            (b'<', _) => "<<",
            (b'=', _) => "<=",
            (b'>', _) => "<>",
            _ => "<",
        },
        b'>' => match (second, third) {
            (b'>', b'=') => ">>=",
            (b'>', _) => ">>",
            (b'=', _) => ">=",
            _ => ">",
        },
        b'=' if second == b'=' => "==",
        b'=' => "=",
        b'!' if second == b'=' => "!=",
        b'+' if second == b'=' => "+=",
        b'+' => "+",
        b'-' if second == b'=' => "-=",
        b'-' => "-",
        b'%' if second == b'=' => "%=",
        b'%' => "%",
        b'&' if second == b'=' => "&=",
        b'&' => "&",
        b'|' if second == b'=' => "|=",
        b'|' => "|",
        b'^' if second == b'=' => "^=",
        b'^' => "^",
        _ => return None,
    })
}

/// Splits `text` into tokens; the last one is `End`.
pub(crate) fn lex(text: &str, syntax: &Syntax, limits: &Limits) -> Result<Vec<Token>, CompileError> {
    if text.len() > limits.text {
        return Err(CompileError::limit(Span::at(0), "text is too long"));
    }
    let mut lexer = Lexer {
        text,
        at: 0,
        brackets: 0,
        syntax,
        limits,
        out: Vec::with_capacity((text.len() / 3 + 4).min(64)),
    };
    // Python's `eval` forgives blanks before the expression.
    while matches!(lexer.peek(0), Some(b' ' | b'\t')) {
        lexer.at += 1;
    }
    while lexer.token()? {}
    Ok(lexer.out)
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    brackets: u16,
    syntax: &'a Syntax,
    limits: &'a Limits,
    out: Vec<Token>,
}

impl<'a> Lexer<'a> {
    fn peek(&self, ahead: usize) -> Option<u8> {
        self.text.as_bytes().get(self.at + ahead).copied()
    }

    fn push(&mut self, kind: TokenKind, start: usize, spaced: bool) {
        self.out.push(Token {
            kind,
            span: Span::new(start, self.at),
            spaced,
        });
    }

    fn error(&self, start: usize, message: &str) -> CompileError {
        CompileError::syntax(Span::new(start, self.at.max(start)), message)
    }

    /// Reads one token; false at the end.
    fn token(&mut self) -> Result<bool, CompileError> {
        let before = self.at;
        self.skip_blanks();
        let spaced = self.at > before;
        let start = self.at;
        let Some(byte) = self.peek(0) else {
            self.push(TokenKind::End, start, spaced);
            return Ok(false);
        };
        match byte {
            b'\n' => {
                self.at += 1;
                self.push(TokenKind::Newline, start, spaced);
            }
            b'0'..=b'9' => self.number(start, spaced)?,
            b'.' if matches!(self.peek(1), Some(b'0'..=b'9')) => {
                if self.syntax.dot_index && self.after_primary() {
                    self.dot_index(start, spaced)?;
                } else {
                    self.number(start, spaced)?;
                }
            }
            b'"' | b'\'' => self.string(start, spaced)?,
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => self.word(start, spaced)?,
            _ => self.operator(start, spaced)?,
        }
        Ok(true)
    }

    fn skip_blanks(&mut self) {
        while let Some(byte) = self.peek(0) {
            match byte {
                b' ' | b'\t' | b'\x0c' | b'\r' => self.at += 1,
                b'\n' if self.brackets > 0 => self.at += 1,
                b'\\' if self.peek(1) == Some(b'\n') => self.at += 2,
                b'\\' if self.peek(1) == Some(b'\r') && self.peek(2) == Some(b'\n') => self.at += 3,
                b'#' => {
                    while self.peek(0).is_some_and(|byte| byte != b'\n') {
                        self.at += 1;
                    }
                }
                _ => return,
            }
        }
    }

    /// Whether the token before ends a primary that is not a number, so that `.0` takes an element.
    fn after_primary(&self) -> bool {
        self.out.last().is_some_and(|token| match &token.kind {
            TokenKind::Name(_) | TokenKind::DotIndex(_) | TokenKind::Str(_) | TokenKind::Unicode(_) => true,
            TokenKind::Op(op) => matches!(*op, ")" | "]" | "}" | "`"),
            TokenKind::Keyword(_)
            | TokenKind::Int(_)
            | TokenKind::MinInt
            | TokenKind::Long(_)
            | TokenKind::Float(_)
            | TokenKind::Imaginary(_)
            | TokenKind::Newline
            | TokenKind::End => false,
        })
    }

    fn dot_index(&mut self, start: usize, spaced: bool) -> Result<(), CompileError> {
        self.at += 1;
        let digits = self.take_while(|byte| byte.is_ascii_digit());
        let Ok(index) = digits.parse() else {
            return Err(self.error(start, "index is too large"));
        };
        self.push(TokenKind::DotIndex(index), start, spaced);
        Ok(())
    }

    fn take_while(&mut self, keep: impl Fn(u8) -> bool) -> &'a str {
        let start = self.at;
        while self.peek(0).is_some_and(&keep) {
            self.at += 1;
        }
        &self.text[start..self.at]
    }

    fn number(&mut self, start: usize, spaced: bool) -> Result<(), CompileError> {
        if self.peek(0) == Some(b'0') {
            let radix = match self.peek(1) {
                Some(b'x' | b'X') => 16,
                Some(b'o' | b'O') => 8,
                Some(b'b' | b'B') => 2,
                _ => 10,
            };
            if radix != 10 {
                self.at += 2;
                let digits = self.take_while(|byte| (byte as char).is_digit(radix));
                if digits.is_empty() || self.peek(0).is_some_and(|byte| byte.is_ascii_digit()) {
                    return Err(self.error(start, "invalid token"));
                }
                return self.integer(start, spaced, digits, radix);
            }
        }
        let digits = self.take_while(|byte| byte.is_ascii_digit());
        let mut real = false;
        if self.peek(0) == Some(b'.') {
            real = true;
            self.at += 1;
            self.take_while(|byte| byte.is_ascii_digit());
        }
        if matches!(self.peek(0), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(self.peek(1), Some(b'+' | b'-')));
            if self.peek(1 + sign).is_some_and(|byte| byte.is_ascii_digit()) {
                real = true;
                self.at += 1 + sign;
                self.take_while(|byte| byte.is_ascii_digit());
            } else if sign == 1 {
                return Err(self.error(start, "invalid token"));
            }
        }
        let imaginary = matches!(self.peek(0), Some(b'j' | b'J'));
        if real || imaginary {
            let value: f64 = self.text[start..self.at].parse().unwrap_or(f64::NAN);
            if imaginary {
                self.at += 1;
                self.push(TokenKind::Imaginary(value), start, spaced);
            } else {
                self.push(TokenKind::Float(value), start, spaced);
            }
            return Ok(());
        }
        if digits.len() > 1 && digits.starts_with('0') {
            if digits.bytes().any(|byte| byte > b'7') {
                return Err(self.error(start, "invalid token"));
            }
            return self.integer(start, spaced, digits, 8);
        }
        self.integer(start, spaced, digits, 10)
    }

    fn integer(&mut self, start: usize, spaced: bool, digits: &str, radix: u32) -> Result<(), CompileError> {
        let long = matches!(self.peek(0), Some(b'l' | b'L'));
        self.at += usize::from(long);
        let kind = match i64::from_str_radix(digits, radix) {
            Ok(value) if !long => TokenKind::Int(value),
            Ok(value) => TokenKind::Long(value.into()),
            Err(_) => {
                // log2(10) < 3.33, so this bounds the bits before the work is done.
                if digits.len() as u64 > self.limits.bits {
                    return Err(CompileError::limit(
                        Span::new(start, self.at),
                        "integer is too large",
                    ));
                }
                let value = BigInt::parse_bytes(digits.as_bytes(), radix).unwrap_or_default();
                if value.bits() > self.limits.bits {
                    return Err(CompileError::limit(
                        Span::new(start, self.at),
                        "integer is too large",
                    ));
                }
                if !long && value == BigInt::from(1_u64 << 63) {
                    TokenKind::MinInt
                } else {
                    TokenKind::Long(value)
                }
            }
        };
        self.push(kind, start, spaced);
        Ok(())
    }

    fn word(&mut self, start: usize, spaced: bool) -> Result<(), CompileError> {
        let word = self.take_while(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if matches!(self.peek(0), Some(b'"' | b'\'')) {
            let prefix = word.to_ascii_lowercase();
            if matches!(prefix.as_str(), "u" | "r" | "b" | "ur" | "br") {
                self.at = start;
                return self.string(start, spaced);
            }
        }
        let word = if self.syntax.fold_case && word.bytes().any(|byte| byte.is_ascii_uppercase()) {
            SmolStr::from(word.to_ascii_lowercase())
        } else {
            SmolStr::new(word)
        };
        let keywords = KEYWORDS.get(word.len()).copied().unwrap_or_default();
        let kind = match keywords.iter().find(|keyword| ***keyword == *word) {
            Some(keyword) => TokenKind::Keyword(keyword),
            None => TokenKind::Name(word),
        };
        self.push(kind, start, spaced);
        Ok(())
    }

    fn string(&mut self, start: usize, spaced: bool) -> Result<(), CompileError> {
        let prefix = self
            .take_while(|byte| byte.is_ascii_alphabetic())
            .to_ascii_lowercase();
        let quote = self.peek(0).unwrap_or(b'"');
        let triple = self.peek(1) == Some(quote) && self.peek(2) == Some(quote);
        self.at += if triple { 3 } else { 1 };
        let body = self.at;
        loop {
            match self.peek(0) {
                None if triple => {
                    return Err(self.error(start, "EOF while scanning triple-quoted string literal"));
                }
                None => return Err(self.error(start, "EOL while scanning string literal")),
                Some(b'\n') if !triple => {
                    return Err(self.error(start, "EOL while scanning string literal"));
                }
                Some(b'\\') => self.at += if self.peek(1).is_some() { 2 } else { 1 },
                Some(byte) if byte == quote => {
                    if !triple {
                        break;
                    }
                    if self.peek(1) == Some(quote) && self.peek(2) == Some(quote) {
                        break;
                    }
                    self.at += 1;
                }
                Some(_) => self.at += 1,
            }
        }
        // A backslash may have stepped into the middle of a character; the quote is ASCII, so `at` is
        // a boundary again.
        let body = &self.text[body..self.at];
        let folded;
        let body = if self.syntax.fold_case {
            folded = lower(body);
            &folded
        } else {
            body
        };
        self.at += if triple { 3 } else { 1 };
        if body.len() > self.limits.string {
            return Err(CompileError::limit(
                Span::new(start, self.at),
                "string is too long",
            ));
        }
        let span = Span::new(start, self.at);
        let raw = prefix.contains('r');
        let kind = if prefix.contains('u') {
            let points = if raw {
                literal::raw_unicode(body)
            } else {
                literal::unicode(body)
            };
            TokenKind::Unicode(
                points.map_err(|message| CompileError::new(span, ExceptionKind::SyntaxError, message))?,
            )
        } else if raw {
            TokenKind::Str(body.as_bytes().to_vec())
        } else {
            let bytes = literal::bytes(body.as_bytes());
            TokenKind::Str(
                bytes.map_err(|message| CompileError::new(span, ExceptionKind::ValueError, message))?,
            )
        };
        self.push(kind, start, spaced);
        Ok(())
    }

    fn operator(&mut self, start: usize, spaced: bool) -> Result<(), CompileError> {
        let rest = &self.text.as_bytes()[self.at..];
        let Some(op) = operator_at(rest) else {
            let backslash = rest.first() == Some(&b'\\');
            self.at += self.text[self.at..].chars().next().map_or(1, char::len_utf8);
            let message = if backslash {
                "unexpected character after line continuation character"
            } else if self.at == self.text.len() && rest.first().is_some_and(u8::is_ascii) {
                "unexpected EOF while parsing"
            } else {
                "invalid syntax"
            };
            return Err(self.error(start, message));
        };
        // `...` is three points: only a subscript gives them a meaning.
        self.at += op.len();
        match op {
            "(" | "[" | "{" => {
                self.brackets += 1;
                if self.brackets > self.limits.nesting {
                    return Err(CompileError::limit(
                        Span::new(start, self.at),
                        "too many nested brackets",
                    ));
                }
            }
            ")" | "]" | "}" => self.brackets = self.brackets.saturating_sub(1),
            _ => {}
        }
        self.push(TokenKind::Op(op), start, spaced);
        Ok(())
    }
}

/// Lower-cases character by character, keeping the number of characters (R104: simple lower-casing).
fn lower(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    text.chars()
        .map(|c| {
            let mut lowered = c.to_lowercase();
            match (lowered.next(), lowered.next()) {
                (Some(one), None) => one,
                _ => c,
            }
        })
        .collect()
}
