//! One line of text to tokens. Brackets know their partners, so that everything above can jump
//! over what is nested (R118).

use cw_text::{FileId, Span, offset};

use crate::codes::{SyntaxReport, rs};
use crate::tree::is_word;

/// A piece of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleToken {
    /// What it is.
    pub kind: RuleTokenKind,
    /// First byte.
    pub start: u32,
    /// The byte after the last one.
    pub end: u32,
    /// Of a bracket, the index of its partner, or [`RuleToken::ALONE`].
    pub mate: u32,
}

impl RuleToken {
    /// The `mate` of what has no partner.
    pub const ALONE: u32 = u32::MAX;

    /// Where it lies.
    pub fn span(self) -> Span {
        Span::between(self.start, self.end)
    }
}

/// The kinds of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum RuleTokenKind {
    /// Letters, digits, `_`, and everything beyond ASCII.
    Word,
    /// Digits only.
    Number,
    /// `"…"` or `'…'`, with its quotes.
    Quoted,
    /// `(`
    LeftParen,
    /// `)`
    RightParen,
    /// `[`
    LeftBracket,
    /// `]`
    RightBracket,
    /// `{`
    LeftBrace,
    /// `}`
    RightBrace,
    /// `,`
    Comma,
    /// `;`
    Semicolon,
    /// `:`
    Colon,
    /// `::`
    ColonColon,
    /// `:=`
    ColonEqual,
    /// `=>`
    Arrow,
    /// `=`
    Equal,
    /// `==`
    EqualEqual,
    /// `!=`
    BangEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `<>`
    LessGreater,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `&`
    And,
    /// `&&`
    AndAnd,
    /// `|`
    Pipe,
    /// `||`
    PipePipe,
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `*`
    Star,
    /// `**`
    StarStar,
    /// `^`
    Caret,
    /// `!`
    Bang,
    /// `@`
    At,
    /// `~`
    Tilde,
    /// `?`
    Question,
    /// `.`
    Dot,
    /// A quote that nothing closes.
    StrayQuote,
    /// `# …` to the end of the line.
    Comment,
    /// Any other character.
    Other,
}

/// All tokens of a line, as the parser sees them.
pub fn tokens(line: &str) -> Vec<RuleToken> {
    let mut lexer = RuleLexer::default();
    let mut report = SyntaxReport::new(FileId::default());
    lexer.line(line, 0, line.len(), &mut report);
    lexer.tokens
}

/// Its buffers serve line after line.
#[derive(Debug, Default)]
pub(crate) struct RuleLexer {
    pub(crate) tokens: Vec<RuleToken>,
    /// Whether a bracket or quote of the line lacks its partner: then what else looks odd is
    /// probably a consequence and not reported.
    pub(crate) unbalanced: bool,
    /// The kinds of tokens that the line has: a bit each.
    kinds: u64,
    open: Vec<u32>,
}

/// How many brackets without partner are reported per line.
const UNBALANCED_REPORTS: usize = 4;

impl RuleLexer {
    /// Reads `text[start..end]`, which holds no line end.
    pub(crate) fn line(&mut self, text: &str, start: usize, end: usize, report: &mut SyntaxReport) {
        self.tokens.clear();
        self.unbalanced = false;
        let mut kinds = 0_u64;
        let bytes = &text.as_bytes()[..end];
        let mut at = start;
        // Brackets are joined on the way; only lines where some do not fit need a second look.
        let mut fits = true;
        self.open.clear();
        self.tokens.reserve((end.saturating_sub(start) / 2).min(256));
        while let Some(&byte) = bytes.get(at) {
            let from = at;
            at += 1;
            let mut mate = RuleToken::ALONE;
            let kind = match BYTES[usize::from(byte)] {
                Byte::Blank => continue,
                Byte::Letter => {
                    at = word_end(text, at, end);
                    RuleTokenKind::Word
                }
                Byte::Alone(kind) => kind,
                Byte::Digit => {
                    let digits = bytes[at..].iter().take_while(|byte| byte.is_ascii_digit());
                    let digits_end = at + digits.count();
                    at = word_end(text, digits_end, end);
                    if at == digits_end {
                        RuleTokenKind::Number
                    } else {
                        RuleTokenKind::Word
                    }
                }
                Byte::Open(kind) => {
                    self.open.push(offset(self.tokens.len()));
                    kind
                }
                Byte::Close(kind) => {
                    let index = offset(self.tokens.len());
                    let opener = self.open.pop();
                    match opener.map(|open| &mut self.tokens[open as usize]) {
                        Some(open) if open.kind == opener_of(kind) => open.mate = index,
                        _ => fits = false,
                    }
                    mate = opener.unwrap_or(RuleToken::ALONE);
                    kind
                }
                Byte::Operator => {
                    let (kind, length) = operator(byte, &bytes[at..]);
                    at += length - 1;
                    kind
                }
                Byte::Quote => match closing_quote(bytes, from) {
                    Some(close) => {
                        if bytes[from..close].contains(&b'#') {
                            report.add(
                                rs::RS046,
                                Span::new(from, close + 1),
                                "`#` inside quotes: other engines cut the line here",
                            );
                        }
                        at = close + 1;
                        RuleTokenKind::Quoted
                    }
                    None => RuleTokenKind::StrayQuote,
                },
                Byte::Comment => {
                    at = end;
                    RuleTokenKind::Comment
                }
                Byte::Wide => {
                    let letter = text[from..].chars().next().unwrap_or('\u{fffd}');
                    at = from + letter.len_utf8();
                    if is_blank(letter) {
                        continue;
                    }
                    at = word_end(text, at, end);
                    RuleTokenKind::Word
                }
                Byte::Other => RuleTokenKind::Other,
            };
            kinds |= 1 << kind as u8;
            self.tokens.push(RuleToken {
                kind,
                start: offset(from),
                end: offset(at),
                mate,
            });
        }
        self.kinds = kinds;
        if !fits || !self.open.is_empty() {
            self.mate_brackets(text, report);
        }
        if self.has(RuleTokenKind::StrayQuote) {
            self.stray_quotes(text);
        }
    }

    /// Looks at quotes without partner. In `[[may Don't you want to?]]` one is an apostrophe, and made an
    /// ordinary character; one that opens a question is meant to be closed.
    fn stray_quotes(&mut self, text: &str) {
        let mut question = 0..0;
        let mut stray = false;
        for index in 0..self.tokens.len() {
            let token = self.tokens[index];
            let asks = |next: &[RuleToken]| {
                next[0].kind == RuleTokenKind::LeftBracket
                    && text[next[1].span().range()].eq_ignore_ascii_case("may")
            };
            if token.kind == RuleTokenKind::StrayQuote {
                let apostrophe = question.contains(&index);
                stray |= !apostrophe;
                if apostrophe {
                    self.tokens[index].kind = RuleTokenKind::Other;
                }
            } else if token.kind == RuleTokenKind::LeftBracket
                && token.mate != RuleToken::ALONE
                && self.tokens.get(index + 1..index + 3).is_some_and(asks)
            {
                question = index + 4..token.mate as usize;
            }
        }
        self.unbalanced |= stray;
        if !stray {
            self.kinds &= !(1 << RuleTokenKind::StrayQuote as u8);
            self.kinds |= 1 << RuleTokenKind::Other as u8;
        }
    }

    /// Whether the line has a token of this kind.
    pub(crate) fn has(&self, kind: RuleTokenKind) -> bool {
        self.kinds >> kind as u8 & 1 == 1
    }

    /// Joins brackets with their partners and reports those that have none (RS047).
    fn mate_brackets(&mut self, text: &str, report: &mut SyntaxReport) {
        let lost = self.mate(text, false);
        if lost == 0 {
            return;
        }
        self.unbalanced = true;
        // An unclosed bracket would swallow all statements behind it. If ending it at the next
        // `;` leaves no more brackets without partner, that is the better reading.
        if self.mate(text, true) > lost {
            self.mate(text, false);
        }
        // `[[` is one mark: its brackets are lost together.
        let mut lost: Vec<(usize, Span)> = Vec::new();
        for (index, token) in self.tokens.iter().enumerate() {
            if !is_bracket(token.kind) || token.mate != RuleToken::ALONE {
                continue;
            }
            let full = lost.len() == UNBALANCED_REPORTS;
            match lost.last_mut() {
                Some((last, span)) if self.tokens[*last].kind == token.kind && span.end == token.start => {
                    (*last, span.end) = (index, token.end);
                }
                _ if full => break,
                _ => lost.push((index, token.span())),
            }
        }
        // `{frozen]`: one slip.
        if let [(first, open), (second, close)] = lost[..]
            && is_opener(self.tokens[first].kind)
            && !is_opener(self.tokens[second].kind)
        {
            let message = format!(
                "`{}` and `{}` do not match",
                &text[open.range()],
                &text[close.range()]
            );
            report.labelled(
                rs::RS047,
                open,
                message,
                close,
                "this closes another kind of bracket",
            );
            return;
        }
        for (index, span) in lost {
            let brackets = &text[span.range()];
            let brackets = brackets.get(..2).unwrap_or(brackets);
            if is_opener(self.tokens[index].kind) {
                let message = format!("`{brackets}` is never closed");
                report.labelled(
                    rs::RS047,
                    span,
                    message,
                    self.behind(index),
                    "it ends somewhere here",
                );
            } else {
                let message = format!("`{brackets}` closes nothing");
                report.labelled(
                    rs::RS047,
                    span,
                    message,
                    self.before(index),
                    "it starts somewhere here",
                );
            }
        }
    }

    /// From a lost opening bracket to where it must have ended: the next `;`, the end of what it
    /// lies in, or the end of the line.
    fn behind(&self, index: usize) -> Span {
        let encloses = |token: &RuleToken| token.mate != RuleToken::ALONE && (token.mate as usize) < index;
        let end = self.tokens[index + 1..]
            .iter()
            .find(|token| {
                token.kind == RuleTokenKind::Semicolon
                    || token.kind == RuleTokenKind::Comment
                    || encloses(token)
            })
            .map_or_else(|| self.tokens[self.tokens.len() - 1].end, |token| token.start);
        Span::between(self.tokens[index].end, end.max(self.tokens[index].end))
    }

    /// From where a lost closing bracket must have been opened to the bracket.
    fn before(&self, index: usize) -> Span {
        let encloses = |token: &RuleToken| token.mate != RuleToken::ALONE && token.mate as usize > index;
        let start = self.tokens[..index]
            .iter()
            .rev()
            .find(|token| token.kind == RuleTokenKind::Semicolon || encloses(token))
            .map_or_else(|| self.tokens[0].start, |token| token.end);
        Span::between(start, self.tokens[index].start)
    }

    /// Sets `mate` of every bracket and counts those without partner. With `cut`, a `;` ends
    /// every bracket except that of a to-clause.
    fn mate(&mut self, text: &str, cut: bool) -> usize {
        let mut lost = 0;
        self.open.clear();
        for index in 0..self.tokens.len() {
            let kind = self.tokens[index].kind;
            match kind {
                RuleTokenKind::LeftParen | RuleTokenKind::LeftBracket | RuleTokenKind::LeftBrace => {
                    self.tokens[index].mate = RuleToken::ALONE;
                    self.open.push(offset(index));
                }
                RuleTokenKind::RightParen | RuleTokenKind::RightBracket | RuleTokenKind::RightBrace => {
                    self.tokens[index].mate = RuleToken::ALONE;
                    let opener = opener_of(kind);
                    let tokens = &self.tokens;
                    // Looking deeper than a few levels would cost the square of a hostile line.
                    let reach = self.open.len().saturating_sub(8);
                    let found = self.open[reach..]
                        .iter()
                        .rposition(|open| tokens[*open as usize].kind == opener);
                    match found {
                        Some(depth) => {
                            lost += self.open.len() - reach - depth - 1;
                            self.open.truncate(reach + depth + 1);
                            let open = self.open.pop().unwrap_or_default();
                            self.tokens[open as usize].mate = offset(index);
                            self.tokens[index].mate = open;
                        }
                        None => lost += 1,
                    }
                }
                RuleTokenKind::Semicolon if cut => {
                    while let Some(&open) = self.open.last() {
                        if self.opens_clause(text, open as usize) {
                            break;
                        }
                        self.open.pop();
                        lost += 1;
                    }
                }
                _ => {}
            }
        }
        lost + self.open.len()
    }
}

impl RuleLexer {
    /// Whether the parenthesis at `open` is that of `to(`, `target?(` or the like.
    fn opens_clause(&self, text: &str, open: usize) -> bool {
        let before = self.tokens[..open]
            .iter()
            .rev()
            .find(|token| token.kind != RuleTokenKind::Question);
        before.is_some_and(|token| is_clause_word(&text[token.span().range()]))
    }
}

/// Whether a word opens a to-clause.
pub(crate) fn is_clause_word(word: &str) -> bool {
    ["to", "target", "from"].iter().any(|known| is_word(word, known))
}

/// What a byte begins.
#[derive(Clone, Copy)]
enum Byte {
    Blank,
    Letter,
    Digit,
    /// A token of its own, whatever follows.
    Alone(RuleTokenKind),
    Open(RuleTokenKind),
    Close(RuleTokenKind),
    /// What follows tells which.
    Operator,
    Quote,
    Comment,
    /// A letter beyond ASCII.
    Wide,
    Other,
}

const BYTES: [Byte; 256] = {
    let mut table = [Byte::Other; 256];
    let mut byte = 0_u8;
    loop {
        table[byte as usize] = match byte {
            b' ' | b'\t' | b'\r' | 0x0b | 0x0c => Byte::Blank,
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => Byte::Letter,
            b'0'..=b'9' => Byte::Digit,
            0x80.. => Byte::Wide,
            b'"' | b'\'' => Byte::Quote,
            b'#' => Byte::Comment,
            b'(' => Byte::Open(RuleTokenKind::LeftParen),
            b'[' => Byte::Open(RuleTokenKind::LeftBracket),
            b'{' => Byte::Open(RuleTokenKind::LeftBrace),
            b')' => Byte::Close(RuleTokenKind::RightParen),
            b']' => Byte::Close(RuleTokenKind::RightBracket),
            b'}' => Byte::Close(RuleTokenKind::RightBrace),
            b',' => Byte::Alone(RuleTokenKind::Comma),
            b';' => Byte::Alone(RuleTokenKind::Semicolon),
            b'+' => Byte::Alone(RuleTokenKind::Plus),
            b'-' => Byte::Alone(RuleTokenKind::Minus),
            b'^' => Byte::Alone(RuleTokenKind::Caret),
            b'@' => Byte::Alone(RuleTokenKind::At),
            b'~' => Byte::Alone(RuleTokenKind::Tilde),
            b'?' => Byte::Alone(RuleTokenKind::Question),
            b'.' => Byte::Alone(RuleTokenKind::Dot),
            b':' | b'=' | b'!' | b'<' | b'>' | b'&' | b'|' | b'*' => Byte::Operator,
            _ => Byte::Other,
        };
        if byte == u8::MAX {
            break table;
        }
        byte += 1;
    }
};

/// The operator that starts with `byte`, in front of `rest`, and its length.
fn operator(byte: u8, rest: &[u8]) -> (RuleTokenKind, usize) {
    let next = rest.first().copied().unwrap_or(b'\n');
    match (byte, next) {
        (b':', b':') => (RuleTokenKind::ColonColon, 2),
        (b':', b'=') => (RuleTokenKind::ColonEqual, 2),
        (b':', _) => (RuleTokenKind::Colon, 1),
        (b'=', b'>') => (RuleTokenKind::Arrow, 2),
        (b'=', b'=') => (RuleTokenKind::EqualEqual, 2),
        (b'=', _) => (RuleTokenKind::Equal, 1),
        (b'!', b'=') => (RuleTokenKind::BangEqual, 2),
        (b'!', _) => (RuleTokenKind::Bang, 1),
        (b'<', b'=') => (RuleTokenKind::LessEqual, 2),
        (b'<', b'>') => (RuleTokenKind::LessGreater, 2),
        (b'<', _) => (RuleTokenKind::Less, 1),
        // `<1>=>` ends in `>` and an arrow.
        (b'>', b'=') if rest.get(1) != Some(&b'>') => (RuleTokenKind::GreaterEqual, 2),
        (b'>', _) => (RuleTokenKind::Greater, 1),
        (b'&', b'&') => (RuleTokenKind::AndAnd, 2),
        (b'&', _) => (RuleTokenKind::And, 1),
        (b'|', b'|') => (RuleTokenKind::PipePipe, 2),
        (b'|', _) => (RuleTokenKind::Pipe, 1),
        (b'*', b'*') => (RuleTokenKind::StarStar, 2),
        (b'*', _) => (RuleTokenKind::Star, 1),
        _ => (RuleTokenKind::Other, 1),
    }
}

fn is_bracket(kind: RuleTokenKind) -> bool {
    (RuleTokenKind::LeftParen..=RuleTokenKind::RightBrace).contains(&kind)
}

fn is_opener(kind: RuleTokenKind) -> bool {
    matches!(
        kind,
        RuleTokenKind::LeftParen | RuleTokenKind::LeftBracket | RuleTokenKind::LeftBrace
    )
}

fn opener_of(kind: RuleTokenKind) -> RuleTokenKind {
    match kind {
        RuleTokenKind::RightParen => RuleTokenKind::LeftParen,
        RuleTokenKind::RightBracket => RuleTokenKind::LeftBracket,
        _ => RuleTokenKind::LeftBrace,
    }
}

/// The bytes below 0x80 that words are made of.
const IN_WORDS: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0_u8;
    while byte < 0x80 {
        table[byte as usize] = byte.is_ascii_alphanumeric() || byte == b'_';
        byte += 1;
    }
    table
};

/// Behind the rest of a word, which goes on at `start` or ends there.
#[inline]
fn word_end(text: &str, start: usize, end: usize) -> usize {
    let bytes = &text.as_bytes()[..end];
    let mut at = start;
    while let Some(&byte) = bytes.get(at) {
        if !IN_WORDS[usize::from(byte)] {
            if byte >= 0x80 {
                return wide_word_end(text, at, end);
            }
            break;
        }
        at += 1;
    }
    at
}

/// As [`word_end`], where there is more than ASCII.
#[cold]
fn wide_word_end(text: &str, start: usize, end: usize) -> usize {
    let in_word = |letter: &char| match u8::try_from(*letter) {
        Ok(byte) if byte.is_ascii() => IN_WORDS[usize::from(byte)],
        _ => !is_blank(*letter),
    };
    let letters = text[start..end].chars().take_while(in_word);
    start + letters.map(char::len_utf8).sum::<usize>()
}

/// Blanks beyond ASCII come with text copied from web pages.
fn is_blank(letter: char) -> bool {
    letter.is_whitespace() || matches!(letter, '\u{feff}' | '\u{200b}')
}

/// How far behind an escaped quote the real one is looked for.
const ESCAPE_REACH: usize = 256;

/// The place of the quote that closes the one at `open`. R116 knows no escapes, but Python's
/// strings do: a quote behind a backslash closes only if no other near it can.
fn closing_quote(bytes: &[u8], open: usize) -> Option<usize> {
    let quote = bytes[open];
    let mut escaped = None;
    for (at, byte) in bytes.iter().enumerate().skip(open + 1) {
        if escaped.is_some_and(|first| at > first + ESCAPE_REACH) {
            return escaped;
        }
        if *byte == quote {
            if bytes[at - 1] != b'\\' {
                return Some(at);
            }
            escaped.get_or_insert(at);
        }
    }
    escaped
}
