//! Text to tokens: Python 2.7's lexical rules, and the two liberties of [`Syntax`].

use bumpalo::collections::Vec;
use cw_text::Span;
use num_bigint::BigUint;

use crate::base::error::{CompileError, ExceptionKind};
use crate::base::limits::ExprLimits;
use crate::base::syntax::Syntax;
use crate::tree::ast::{Arena, BinaryOp, Literal};
use crate::tree::literal;

/// One token with its place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ExprToken<'a> {
    pub(crate) kind: ExprTokenKind<'a>,
    pub(crate) span: Span,
}

const _: () = assert!(size_of::<ExprToken<'_>>() <= 32, "tokens are copied");

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum ExprTokenKind<'a> {
    Name(&'a str),
    Literal(Literal<'a>),
    /// 2^63 without `L`: an int only behind a minus sign.
    MinInt,
    Sign(OperatorToken),
    /// The `.N` of a syntax that has it: the index.
    DotIndex(u32),
    Newline,
    /// A block of a file begins here.
    Indent,
    /// A block of a file ends here.
    Dedent,
    End,
}

/// Operators, brackets and the keywords of expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OperatorToken {
    RoundOpen,
    RoundClose,
    SquareOpen,
    SquareClose,
    CurlyOpen,
    CurlyClose,
    Comma,
    Colon,
    Backquote,
    Dot,
    Ellipsis,
    Assign,
    Tilde,
    Plus,
    Minus,
    Star,
    StarStar,
    Slash,
    SlashSlash,
    Percent,
    Shl,
    Shr,
    Ampersand,
    Pipe,
    Caret,
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
    Ne,
    And,
    Or,
    Not,
    In,
    Is,
    If,
    Else,
    For,
    Lambda,
    /// What only statements have: `while` …
    Word(StatementWord),
    /// `+=` and the like.
    Augmented(BinaryOp),
    /// `;`, only in files.
    Semicolon,
    /// `@`, only in files.
    At,
}

/// The keywords that no expression has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StatementWord {
    As,
    Assert,
    Break,
    Class,
    Continue,
    Def,
    Del,
    Elif,
    Except,
    Exec,
    Finally,
    From,
    Global,
    Import,
    Pass,
    Print,
    Raise,
    Return,
    Try,
    While,
    With,
    Yield,
}

/// The operator or bracket that `rest` starts with, the longest one, and how long it is.
fn sign_at(rest: &[u8]) -> Option<(OperatorToken, usize)> {
    let second = rest.get(1).copied().unwrap_or_default();
    let third = rest.get(2).copied().unwrap_or_default();
    let assigns = |sign, len, next| match next {
        b'=' => (OperatorToken::Augmented(arithmetic(sign)), len + 1),
        _ => (sign, len),
    };
    Some(match *rest.first()? {
        b'(' => (OperatorToken::RoundOpen, 1),
        b')' => (OperatorToken::RoundClose, 1),
        b'[' => (OperatorToken::SquareOpen, 1),
        b']' => (OperatorToken::SquareClose, 1),
        b'{' => (OperatorToken::CurlyOpen, 1),
        b'}' => (OperatorToken::CurlyClose, 1),
        b',' => (OperatorToken::Comma, 1),
        b':' => (OperatorToken::Colon, 1),
        b'`' => (OperatorToken::Backquote, 1),
        b'~' => (OperatorToken::Tilde, 1),
        b'.' if (second, third) == (b'.', b'.') => (OperatorToken::Ellipsis, 3),
        b'.' => (OperatorToken::Dot, 1),
        b'*' if second == b'*' => assigns(OperatorToken::StarStar, 2, third),
        b'*' => assigns(OperatorToken::Star, 1, second),
        b'/' if second == b'/' => assigns(OperatorToken::SlashSlash, 2, third),
        b'/' => assigns(OperatorToken::Slash, 1, second),
        b'<' => match second {
            b'<' => assigns(OperatorToken::Shl, 2, third),
            b'=' => (OperatorToken::Le, 2),
            b'>' => (OperatorToken::Ne, 2),
            _ => (OperatorToken::Lt, 1),
        },
        b'>' => match second {
            b'>' => assigns(OperatorToken::Shr, 2, third),
            b'=' => (OperatorToken::Ge, 2),
            _ => (OperatorToken::Gt, 1),
        },
        b'=' if second == b'=' => (OperatorToken::Eq, 2),
        b'=' => (OperatorToken::Assign, 1),
        b'!' if second == b'=' => (OperatorToken::Ne, 2),
        b'+' => assigns(OperatorToken::Plus, 1, second),
        b'-' => assigns(OperatorToken::Minus, 1, second),
        b'%' => assigns(OperatorToken::Percent, 1, second),
        b'&' => assigns(OperatorToken::Ampersand, 1, second),
        b'|' => assigns(OperatorToken::Pipe, 1, second),
        b'^' => assigns(OperatorToken::Caret, 1, second),
        _ => return None,
    })
}

/// The operator between operands that a sign is.
fn arithmetic(sign: OperatorToken) -> BinaryOp {
    match sign {
        OperatorToken::StarStar => BinaryOp::Pow,
        OperatorToken::Star => BinaryOp::Mul,
        OperatorToken::SlashSlash => BinaryOp::FloorDiv,
        OperatorToken::Slash => BinaryOp::Div,
        OperatorToken::Shl => BinaryOp::Shl,
        OperatorToken::Shr => BinaryOp::Shr,
        OperatorToken::Minus => BinaryOp::Sub,
        OperatorToken::Percent => BinaryOp::Mod,
        OperatorToken::Ampersand => BinaryOp::And,
        OperatorToken::Pipe => BinaryOp::Or,
        OperatorToken::Caret => BinaryOp::Xor,
        _ => BinaryOp::Add,
    }
}

/// The keyword that `word` is.
fn keyword(word: &str) -> Option<OperatorToken> {
    if !(2..=8).contains(&word.len()) {
        return None;
    }
    let statement = match word {
        "if" => return Some(OperatorToken::If),
        "in" => return Some(OperatorToken::In),
        "is" => return Some(OperatorToken::Is),
        "or" => return Some(OperatorToken::Or),
        "and" => return Some(OperatorToken::And),
        "for" => return Some(OperatorToken::For),
        "not" => return Some(OperatorToken::Not),
        "else" => return Some(OperatorToken::Else),
        "lambda" => return Some(OperatorToken::Lambda),
        "as" => StatementWord::As,
        "assert" => StatementWord::Assert,
        "break" => StatementWord::Break,
        "class" => StatementWord::Class,
        "continue" => StatementWord::Continue,
        "def" => StatementWord::Def,
        "del" => StatementWord::Del,
        "elif" => StatementWord::Elif,
        "except" => StatementWord::Except,
        "exec" => StatementWord::Exec,
        "finally" => StatementWord::Finally,
        "from" => StatementWord::From,
        "global" => StatementWord::Global,
        "import" => StatementWord::Import,
        "pass" => StatementWord::Pass,
        "print" => StatementWord::Print,
        "raise" => StatementWord::Raise,
        "return" => StatementWord::Return,
        "try" => StatementWord::Try,
        "while" => StatementWord::While,
        "with" => StatementWord::With,
        "yield" => StatementWord::Yield,
        _ => return None,
    };
    Some(OperatorToken::Word(statement))
}

/// What a byte may be, by bits.
static CLASS: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0_u8;
    loop {
        table[byte as usize] = match byte {
            b'a'..=b'z' | b'0'..=b'9' | b'_' => WORD,
            b'A'..=b'Z' => WORD | FOLDS,
            b'\\' | b'\r' => ESCAPES,
            128.. => FOLDS,
            _ => 0,
        };
        if byte == u8::MAX {
            break table;
        }
        byte += 1;
    }
};
/// Part of a word.
const WORD: u8 = 1;
/// Perhaps different in lower case.
const FOLDS: u8 = 2;
/// Reads differently in a string.
const ESCAPES: u8 = 4;

/// Splits `text` into tokens; the last one is `End`.
pub(crate) fn lex<'a>(
    text: &'a str,
    arena: &'a Arena,
    syntax: &Syntax,
    limits: &ExprLimits,
) -> Result<&'a [ExprToken<'a>], CompileError> {
    let mut lexer = ExprLexer::new(text, arena, syntax, limits)?;
    // Python's `eval` forgives blanks before the expression.
    while matches!(lexer.peek(0), Some(b' ' | b'\t')) {
        lexer.at += 1;
    }
    while lexer.token()? {}
    Ok(lexer.out.into_bump_slice())
}

/// Splits a file of statements into tokens, its blocks between `Indent` and `Dedent`. Lines end with `\n`
/// alone (S2).
pub(crate) fn lex_file<'a>(
    text: &'a str,
    arena: &'a Arena,
    limits: &ExprLimits,
) -> Result<&'a [ExprToken<'a>], CompileError> {
    let syntax = Syntax::default();
    let mut lexer = ExprLexer::new(text, arena, &syntax, limits)?;
    lexer.columns = Some(std::vec![0]);
    lexer.begin_line()?;
    while lexer.token()? {}
    Ok(lexer.out.into_bump_slice())
}

/// Blocks within blocks, as in CPython.
const MOST_BLOCKS: usize = 99;

/// Whether a line has just ended, or none has begun.
fn is_end_of_line(kind: ExprTokenKind<'_>) -> bool {
    matches!(
        kind,
        ExprTokenKind::Newline | ExprTokenKind::Indent | ExprTokenKind::Dedent
    )
}

struct ExprLexer<'a, 's> {
    text: &'a str,
    arena: &'a Arena,
    at: usize,
    brackets: u16,
    syntax: &'s Syntax,
    limits: &'s ExprLimits,
    out: Vec<'a, ExprToken<'a>>,
    /// Where the lines of the open blocks begin, in a file; an expression has none.
    columns: Option<std::vec::Vec<usize>>,
}

impl<'a, 's> ExprLexer<'a, 's> {
    fn new(
        text: &'a str,
        arena: &'a Arena,
        syntax: &'s Syntax,
        limits: &'s ExprLimits,
    ) -> Result<ExprLexer<'a, 's>, CompileError> {
        if text.len() > limits.text {
            return Err(CompileError::limit(Span::at(0), "text is too long"));
        }
        Ok(ExprLexer {
            text,
            arena,
            at: 0,
            brackets: 0,
            syntax,
            limits,
            out: Vec::with_capacity_in(text.len() / 2 + 2, arena),
            columns: None,
        })
    }

    fn is_file(&self) -> bool {
        self.columns.is_some()
    }

    /// Looks at the blanks before a line of a file: a tab leads to the next multiple of eight (S2). Lines
    /// without anything count for nothing.
    fn begin_line(&mut self) -> Result<(), CompileError> {
        loop {
            let (start, mut column) = (self.at, 0);
            loop {
                match self.peek(0) {
                    Some(b' ') => column += 1,
                    Some(b'\t') => column = (column / 8 + 1) * 8,
                    Some(b'\x0c') => column = 0,
                    _ => break,
                }
                self.at += 1;
            }
            match self.peek(0) {
                None => return Ok(()),
                Some(b'\n') => self.at += 1,
                Some(b'#') => self.skip_comment(),
                Some(b'\\') if self.peek(1) == Some(b'\n') && self.peek(2).is_none() => self.at += 2,
                Some(_) => return self.indent(start, column),
            }
        }
    }

    fn indent(&mut self, start: usize, column: usize) -> Result<(), CompileError> {
        let mut columns = self.columns.take().unwrap_or_default();
        let indentation = |at, words: &str| {
            Err(CompileError::new(
                Span::at(at),
                ExceptionKind::IndentationError,
                words,
            ))
        };
        if column > columns.last().copied().unwrap_or(0) {
            if columns.len() > MOST_BLOCKS {
                return indentation(start, "too many levels of indentation");
            }
            columns.push(column);
            self.push(ExprTokenKind::Indent, start);
        }
        while columns.last().is_some_and(|last| column < *last) {
            columns.pop();
            if columns.last().is_some_and(|last| *last < column) {
                let words = "unindent does not match any outer indentation level";
                return indentation(self.at, words);
            }
            self.push(ExprTokenKind::Dedent, start);
        }
        self.columns = Some(columns);
        Ok(())
    }

    fn skip_comment(&mut self) {
        while self.peek(0).is_some_and(|byte| byte != b'\n') {
            self.at += 1;
        }
    }

    fn peek(&self, ahead: usize) -> Option<u8> {
        self.text.as_bytes().get(self.at + ahead).copied()
    }

    fn push(&mut self, kind: ExprTokenKind<'a>, start: usize) {
        let span = Span::new(start, self.at);
        self.out.push(ExprToken { kind, span });
    }

    fn error(&self, start: usize, message: &str) -> CompileError {
        CompileError::syntax(Span::new(start, self.at.max(start)), message)
    }

    /// Reads one token; false at the end.
    fn token(&mut self) -> Result<bool, CompileError> {
        self.skip_blanks();
        let start = self.at;
        let Some(byte) = self.peek(0) else {
            if let Some(columns) = &self.columns
                && self.brackets == 0
            {
                // CPython ends the last line, and every block, where the text ends.
                let blocks = columns.len() - 1;
                if self.out.last().is_some_and(|last| !is_end_of_line(last.kind)) {
                    self.push(ExprTokenKind::Newline, start);
                }
                for _ in 0..blocks {
                    self.push(ExprTokenKind::Dedent, start);
                }
            }
            self.push(ExprTokenKind::End, start);
            return Ok(false);
        };
        match byte {
            b'\n' => {
                self.at += 1;
                self.push(ExprTokenKind::Newline, start);
                if self.is_file() {
                    self.begin_line()?;
                }
            }
            b'0'..=b'9' => self.number(start)?,
            b'.' if matches!(self.peek(1), Some(b'0'..=b'9')) => {
                if self.syntax.dot_index && self.after_primary() {
                    self.dot_index(start)?;
                } else {
                    self.number(start)?;
                }
            }
            b'"' | b'\'' => self.string(start)?,
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => self.word(start)?,
            128.. if self.is_file() && self.letter().is_some() => self.word(start)?,
            _ => self.operator(start)?,
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
                b'#' => self.skip_comment(),
                _ => return,
            }
        }
    }

    /// Whether the token before ends a primary that is not a number, so that `.0` takes an element.
    fn after_primary(&self) -> bool {
        self.out.last().is_some_and(|token| match token.kind {
            ExprTokenKind::Name(_) | ExprTokenKind::DotIndex(_) => true,
            ExprTokenKind::Literal(literal) => matches!(literal, Literal::Str(_) | Literal::Unicode(_)),
            ExprTokenKind::Sign(sign) => matches!(
                sign,
                OperatorToken::RoundClose
                    | OperatorToken::SquareClose
                    | OperatorToken::CurlyClose
                    | OperatorToken::Backquote
            ),
            ExprTokenKind::MinInt
            | ExprTokenKind::Newline
            | ExprTokenKind::Indent
            | ExprTokenKind::Dedent
            | ExprTokenKind::End => false,
        })
    }

    /// A letter or digit beyond ASCII, which names of a file may have (S2).
    fn letter(&self) -> Option<char> {
        self.text[self.at..]
            .chars()
            .next()
            .filter(|c| c.is_alphanumeric())
    }

    fn dot_index(&mut self, start: usize) -> Result<(), CompileError> {
        self.at += 1;
        let digits = self.take_while(|byte| byte.is_ascii_digit());
        let Ok(index) = digits.parse() else {
            return Err(self.error(start, "index is too large"));
        };
        self.push(ExprTokenKind::DotIndex(index), start);
        Ok(())
    }

    fn take_while(&mut self, keep: impl Fn(u8) -> bool) -> &'a str {
        let start = self.at;
        while self.peek(0).is_some_and(&keep) {
            self.at += 1;
        }
        &self.text[start..self.at]
    }

    fn number(&mut self, start: usize) -> Result<(), CompileError> {
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
                return self.integer(start, digits, radix);
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
                self.push(ExprTokenKind::Literal(Literal::Imaginary(value)), start);
            } else {
                self.push(ExprTokenKind::Literal(Literal::Float(value)), start);
            }
            return Ok(());
        }
        if digits.len() > 1 && digits.starts_with('0') {
            if digits.bytes().any(|byte| byte > b'7') {
                return Err(self.error(start, "invalid token"));
            }
            return self.integer(start, digits, 8);
        }
        self.integer(start, digits, 10)
    }

    fn integer(&mut self, start: usize, digits: &str, radix: u32) -> Result<(), CompileError> {
        let long = matches!(self.peek(0), Some(b'l' | b'L'));
        self.at += usize::from(long);
        let kind = match i64::from_str_radix(digits, radix) {
            Ok(value) if !long => ExprTokenKind::Literal(Literal::Int(value)),
            Ok(value) => ExprTokenKind::Literal(self.long(&BigUint::from(value.unsigned_abs()))),
            Err(_) => {
                let too_large = || CompileError::limit(Span::new(start, self.at), "integer is too large");
                // log2(10) < 3.33, so this bounds the bits before the work is done.
                if digits.len() as u64 > self.limits.bits {
                    return Err(too_large());
                }
                let value = BigUint::parse_bytes(digits.as_bytes(), radix).unwrap_or_default();
                if value.bits() > self.limits.bits {
                    return Err(too_large());
                }
                if !long && value == BigUint::from(1_u64 << 63) {
                    ExprTokenKind::MinInt
                } else {
                    ExprTokenKind::Literal(self.long(&value))
                }
            }
        };
        self.push(kind, start);
        Ok(())
    }

    fn long(&self, value: &BigUint) -> Literal<'a> {
        Literal::Long(self.arena.alloc_slice_copy(&value.to_u32_digits()))
    }

    fn word(&mut self, start: usize) -> Result<(), CompileError> {
        let mut seen = 0;
        while let Some(byte) = self.peek(0) {
            let class = CLASS[usize::from(byte)];
            if class & WORD != 0 {
                seen |= class;
                self.at += 1;
            } else if byte >= 128
                && self.is_file()
                && let Some(letter) = self.letter()
            {
                self.at += letter.len_utf8();
            } else {
                break;
            }
        }
        let mut word = &self.text[start..self.at];
        if matches!(self.peek(0), Some(b'"' | b'\''))
            && matches!(&*word.to_ascii_lowercase(), "u" | "r" | "b" | "ur" | "br")
        {
            self.at = start;
            return self.string(start);
        }
        if self.syntax.fold_case && seen & FOLDS != 0 {
            word = self.lower(word);
        }
        let kind = keyword(word).map_or(ExprTokenKind::Name(word), ExprTokenKind::Sign);
        self.push(kind, start);
        Ok(())
    }

    fn string(&mut self, start: usize) -> Result<(), CompileError> {
        let prefix = self
            .take_while(|byte| byte.is_ascii_alphabetic())
            .to_ascii_lowercase();
        let quote = self.peek(0).unwrap_or(b'"');
        let triple = self.peek(1) == Some(quote) && self.peek(2) == Some(quote);
        self.at += if triple { 3 } else { 1 };
        let body = self.at;
        let mut seen = 0;
        loop {
            match self.peek(0) {
                None if triple => {
                    return Err(self.error(start, "EOF while scanning triple-quoted string literal"));
                }
                None => return Err(self.error(start, "EOL while scanning string literal")),
                Some(b'\n') if !triple => {
                    return Err(self.error(start, "EOL while scanning string literal"));
                }
                Some(byte) if byte == quote => {
                    if !triple {
                        break;
                    }
                    if self.peek(1) == Some(quote) && self.peek(2) == Some(quote) {
                        break;
                    }
                    self.at += 1;
                }
                Some(byte) => {
                    seen |= CLASS[usize::from(byte)];
                    self.at += 1;
                    if byte == b'\\'
                        && let Some(escaped) = self.peek(0)
                    {
                        seen |= CLASS[usize::from(escaped)];
                        self.at += 1;
                    }
                }
            }
        }
        // A backslash may have stepped into the middle of a character; the quote is ASCII, so `at` is
        // a boundary again.
        let mut body = &self.text[body..self.at];
        if self.syntax.fold_case && seen & FOLDS != 0 {
            body = self.lower(body);
        }
        self.at += if triple { 3 } else { 1 };
        let span = Span::new(start, self.at);
        if body.len() > self.limits.string {
            return Err(CompileError::limit(span, "string is too long"));
        }
        let raw = prefix.contains('r');
        let literal = if self.is_file() && !prefix.contains('u') {
            self.one_text(body, raw)
                .map_err(|message| CompileError::new(span, ExceptionKind::ValueError, message))?
        } else if prefix.contains('u') {
            let points = if raw {
                literal::raw_unicode(body)
            } else {
                literal::unicode(body)
            };
            let points =
                points.map_err(|message| CompileError::new(span, ExceptionKind::SyntaxError, message))?;
            Literal::Unicode(self.arena.alloc_slice_copy(&points))
        } else if raw || seen & ESCAPES == 0 {
            Literal::Str(body.as_bytes())
        } else {
            let bytes = literal::bytes(body.as_bytes())
                .map_err(|message| CompileError::new(span, ExceptionKind::ValueError, message))?;
            Literal::Str(self.arena.alloc_slice_copy(&bytes))
        };
        self.push(ExprTokenKind::Literal(literal), start);
        Ok(())
    }

    /// A literal of a file, where texts have one type: a `str` if it is ASCII, else a `unicode` (S15).
    fn one_text(&self, body: &'a str, raw: bool) -> Result<Literal<'a>, String> {
        if body.is_ascii() {
            if raw || !body.contains('\\') {
                return Ok(Literal::Str(body.as_bytes()));
            }
            let bytes = literal::bytes(body.as_bytes())?;
            if bytes.is_ascii() {
                return Ok(Literal::Str(self.arena.alloc_slice_copy(&bytes)));
            }
        }
        let mut points = Vec::with_capacity_in(body.len(), self.arena);
        // No escape has a letter beyond ASCII in it, so that it may be read between them.
        let mut rest = body;
        while let Some(c) = rest.chars().next() {
            let len = rest.find(|c: char| c.is_ascii() != rest.starts_with(|c: char| c.is_ascii()));
            let (piece, after) = rest.split_at(len.unwrap_or(rest.len()));
            rest = after;
            if c.is_ascii() && !raw {
                points.extend(literal::bytes(piece.as_bytes())?.into_iter().map(u32::from));
            } else {
                points.extend(piece.chars().map(u32::from));
            }
        }
        Ok(Literal::Unicode(points.into_bump_slice()))
    }

    fn operator(&mut self, start: usize) -> Result<(), CompileError> {
        let rest = &self.text.as_bytes()[self.at..];
        if self.is_file()
            && let Some(sign) = match rest.first() {
                Some(b';') => Some(OperatorToken::Semicolon),
                Some(b'@') => Some(OperatorToken::At),
                _ => None,
            }
        {
            self.at += 1;
            self.push(ExprTokenKind::Sign(sign), start);
            return Ok(());
        }
        let Some((sign, len)) = sign_at(rest) else {
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
        self.at += len;
        match sign {
            OperatorToken::RoundOpen | OperatorToken::SquareOpen | OperatorToken::CurlyOpen => {
                self.brackets += 1;
                if self.brackets > self.limits.nesting {
                    return Err(CompileError::limit(
                        Span::new(start, self.at),
                        "too many nested brackets",
                    ));
                }
            }
            OperatorToken::RoundClose | OperatorToken::SquareClose | OperatorToken::CurlyClose => {
                self.brackets = self.brackets.saturating_sub(1);
            }
            _ => {}
        }
        self.push(ExprTokenKind::Sign(sign), start);
        Ok(())
    }

    /// Lower-cases character by character, keeping the number of characters (R104: simple lower-casing).
    fn lower(&self, text: &str) -> &'a str {
        if text.is_ascii() {
            let lowered = self.arena.alloc_str(text);
            lowered.make_ascii_lowercase();
            return lowered;
        }
        let lowered = text.chars().map(|c| {
            let mut lowered = c.to_lowercase();
            match (lowered.next(), lowered.next()) {
                (Some(one), None) => one,
                _ => c,
            }
        });
        self.arena.alloc_str(&lowered.collect::<String>())
    }
}
