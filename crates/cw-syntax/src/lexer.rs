//! One line of text to tokens. Brackets know their partners, so that everything above can jump
//! over what is nested (R118).

use cw_text::{FileId, Span, offset};

use crate::codes::{Report, rs};
use crate::tree::is_word;

/// A piece of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// First byte.
    pub start: u32,
    /// The byte after the last one.
    pub end: u32,
    /// Of a bracket, the index of its partner, or [`Token::ALONE`].
    pub mate: u32,
}

impl Token {
    /// The `mate` of what has no partner.
    pub const ALONE: u32 = u32::MAX;

    /// Where it lies.
    pub fn span(self) -> Span {
        Span {
            start: self.start,
            end: self.end,
        }
    }
}

/// The kinds of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum TokenKind {
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
pub fn tokens(line: &str) -> Vec<Token> {
    let mut lexer = Lexer::default();
    let mut report = Report::new(FileId::default());
    lexer.line(line, 0, line.len(), &mut report);
    lexer.tokens
}

/// Its buffers serve line after line.
#[derive(Debug, Default)]
pub(crate) struct Lexer {
    pub(crate) tokens: Vec<Token>,
    /// Whether a bracket or quote of the line lacks its partner: then what else looks odd is
    /// probably a consequence and not reported.
    pub(crate) unbalanced: bool,
    /// The kinds of tokens that the line has: a bit each.
    kinds: u64,
    open: Vec<u32>,
}

/// How many brackets without partner are reported per line.
const UNBALANCED_REPORTS: usize = 4;

impl Lexer {
    /// Reads `text[start..end]`, which holds no line end.
    pub(crate) fn line(&mut self, text: &str, start: usize, end: usize, report: &mut Report) {
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
            let mut mate = Token::ALONE;
            let kind = match BYTES[usize::from(byte)] {
                Byte::Blank => continue,
                Byte::Letter => {
                    at = word_end(text, at, end);
                    TokenKind::Word
                }
                Byte::Alone(kind) => kind,
                Byte::Digit => {
                    let digits = bytes[at..].iter().take_while(|byte| byte.is_ascii_digit());
                    let digits_end = at + digits.count();
                    at = word_end(text, digits_end, end);
                    if at == digits_end {
                        TokenKind::Number
                    } else {
                        TokenKind::Word
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
                    mate = opener.unwrap_or(Token::ALONE);
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
                        TokenKind::Quoted
                    }
                    None => TokenKind::StrayQuote,
                },
                Byte::Comment => {
                    at = end;
                    TokenKind::Comment
                }
                Byte::Wide => {
                    let letter = text[from..].chars().next().unwrap_or('\u{fffd}');
                    at = from + letter.len_utf8();
                    if is_blank(letter) {
                        continue;
                    }
                    at = word_end(text, at, end);
                    TokenKind::Word
                }
                Byte::Other => TokenKind::Other,
            };
            kinds |= 1 << kind as u8;
            self.tokens.push(Token {
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
        if self.has(TokenKind::StrayQuote) {
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
            let asks = |next: &[Token]| {
                next[0].kind == TokenKind::LeftBracket
                    && text[next[1].span().range()].eq_ignore_ascii_case("may")
            };
            if token.kind == TokenKind::StrayQuote {
                let apostrophe = question.contains(&index);
                stray |= !apostrophe;
                if apostrophe {
                    self.tokens[index].kind = TokenKind::Other;
                }
            } else if token.kind == TokenKind::LeftBracket
                && token.mate != Token::ALONE
                && self.tokens.get(index + 1..index + 3).is_some_and(asks)
            {
                question = index + 4..token.mate as usize;
            }
        }
        self.unbalanced |= stray;
        if !stray {
            self.kinds &= !(1 << TokenKind::StrayQuote as u8);
            self.kinds |= 1 << TokenKind::Other as u8;
        }
    }

    /// Whether the line has a token of this kind.
    pub(crate) fn has(&self, kind: TokenKind) -> bool {
        self.kinds >> kind as u8 & 1 == 1
    }

    /// Joins brackets with their partners and reports those that have none (RS047).
    fn mate_brackets(&mut self, text: &str, report: &mut Report) {
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
            if !is_bracket(token.kind) || token.mate != Token::ALONE {
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
        let encloses = |token: &Token| token.mate != Token::ALONE && (token.mate as usize) < index;
        let end = self.tokens[index + 1..]
            .iter()
            .find(|token| {
                token.kind == TokenKind::Semicolon || token.kind == TokenKind::Comment || encloses(token)
            })
            .map_or_else(|| self.tokens[self.tokens.len() - 1].end, |token| token.start);
        Span {
            start: self.tokens[index].end,
            end: end.max(self.tokens[index].end),
        }
    }

    /// From where a lost closing bracket must have been opened to the bracket.
    fn before(&self, index: usize) -> Span {
        let encloses = |token: &Token| token.mate != Token::ALONE && token.mate as usize > index;
        let start = self.tokens[..index]
            .iter()
            .rev()
            .find(|token| token.kind == TokenKind::Semicolon || encloses(token))
            .map_or_else(|| self.tokens[0].start, |token| token.end);
        Span {
            start,
            end: self.tokens[index].start,
        }
    }

    /// Sets `mate` of every bracket and counts those without partner. With `cut`, a `;` ends
    /// every bracket except that of a to-clause.
    fn mate(&mut self, text: &str, cut: bool) -> usize {
        let mut lost = 0;
        self.open.clear();
        for index in 0..self.tokens.len() {
            let kind = self.tokens[index].kind;
            match kind {
                TokenKind::LeftParen | TokenKind::LeftBracket | TokenKind::LeftBrace => {
                    self.tokens[index].mate = Token::ALONE;
                    self.open.push(offset(index));
                }
                TokenKind::RightParen | TokenKind::RightBracket | TokenKind::RightBrace => {
                    self.tokens[index].mate = Token::ALONE;
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
                TokenKind::Semicolon if cut => {
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

impl Lexer {
    /// Whether the parenthesis at `open` is that of `to(`, `target?(` or the like.
    fn opens_clause(&self, text: &str, open: usize) -> bool {
        let before = self.tokens[..open]
            .iter()
            .rev()
            .find(|token| token.kind != TokenKind::Question);
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
    Alone(TokenKind),
    Open(TokenKind),
    Close(TokenKind),
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
            b'(' => Byte::Open(TokenKind::LeftParen),
            b'[' => Byte::Open(TokenKind::LeftBracket),
            b'{' => Byte::Open(TokenKind::LeftBrace),
            b')' => Byte::Close(TokenKind::RightParen),
            b']' => Byte::Close(TokenKind::RightBracket),
            b'}' => Byte::Close(TokenKind::RightBrace),
            b',' => Byte::Alone(TokenKind::Comma),
            b';' => Byte::Alone(TokenKind::Semicolon),
            b'+' => Byte::Alone(TokenKind::Plus),
            b'-' => Byte::Alone(TokenKind::Minus),
            b'^' => Byte::Alone(TokenKind::Caret),
            b'@' => Byte::Alone(TokenKind::At),
            b'~' => Byte::Alone(TokenKind::Tilde),
            b'?' => Byte::Alone(TokenKind::Question),
            b'.' => Byte::Alone(TokenKind::Dot),
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
fn operator(byte: u8, rest: &[u8]) -> (TokenKind, usize) {
    let next = rest.first().copied().unwrap_or(b'\n');
    match (byte, next) {
        (b':', b':') => (TokenKind::ColonColon, 2),
        (b':', b'=') => (TokenKind::ColonEqual, 2),
        (b':', _) => (TokenKind::Colon, 1),
        (b'=', b'>') => (TokenKind::Arrow, 2),
        (b'=', b'=') => (TokenKind::EqualEqual, 2),
        (b'=', _) => (TokenKind::Equal, 1),
        (b'!', b'=') => (TokenKind::BangEqual, 2),
        (b'!', _) => (TokenKind::Bang, 1),
        (b'<', b'=') => (TokenKind::LessEqual, 2),
        (b'<', b'>') => (TokenKind::LessGreater, 2),
        (b'<', _) => (TokenKind::Less, 1),
        // `<1>=>` ends in `>` and an arrow.
        (b'>', b'=') if rest.get(1) != Some(&b'>') => (TokenKind::GreaterEqual, 2),
        (b'>', _) => (TokenKind::Greater, 1),
        (b'&', b'&') => (TokenKind::AndAnd, 2),
        (b'&', _) => (TokenKind::And, 1),
        (b'|', b'|') => (TokenKind::PipePipe, 2),
        (b'|', _) => (TokenKind::Pipe, 1),
        (b'*', b'*') => (TokenKind::StarStar, 2),
        (b'*', _) => (TokenKind::Star, 1),
        _ => (TokenKind::Other, 1),
    }
}

fn is_bracket(kind: TokenKind) -> bool {
    (TokenKind::LeftParen..=TokenKind::RightBrace).contains(&kind)
}

fn is_opener(kind: TokenKind) -> bool {
    matches!(
        kind,
        TokenKind::LeftParen | TokenKind::LeftBracket | TokenKind::LeftBrace
    )
}

fn opener_of(kind: TokenKind) -> TokenKind {
    match kind {
        TokenKind::RightParen => TokenKind::LeftParen,
        TokenKind::RightBracket => TokenKind::LeftBracket,
        _ => TokenKind::LeftBrace,
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
