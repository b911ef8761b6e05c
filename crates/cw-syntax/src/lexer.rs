//! One line of text to tokens. Brackets know their partners, so that everything above can jump
//! over what is nested (R118).

use cw_text::{FileId, Span};

use crate::codes::{Report, rs};

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
    /// Whether there is a [`TokenKind::StrayQuote`].
    pub(crate) stray_quote: bool,
    /// Whether there is a [`TokenKind::Other`].
    pub(crate) odd: bool,
    open: Vec<u32>,
}

/// How many brackets without partner are reported per line.
const UNBALANCED_REPORTS: usize = 4;

impl Lexer {
    /// Reads `text[start..end]`, which holds no line end.
    pub(crate) fn line(&mut self, text: &str, start: usize, end: usize, report: &mut Report) {
        self.tokens.clear();
        self.unbalanced = false;
        self.stray_quote = false;
        self.odd = false;
        let bytes = &text.as_bytes()[..end];
        let mut at = start;
        // Brackets are joined on the way; only lines where some do not fit need a second look.
        let mut fits = true;
        self.open.clear();
        self.tokens.reserve((end.saturating_sub(start) / 2).min(256));
        while let Some(&byte) = bytes.get(at) {
            if matches!(byte, b' ' | b'\t' | b'\r' | 0x0b | 0x0c) {
                at += 1;
                continue;
            }
            let from = at;
            let mut mate = Token::ALONE;
            let next = || bytes.get(at + 1).copied().unwrap_or(b'\n');
            let (kind, length) = match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'_' => (TokenKind::Word, word_length(text, at, end)),
                b'0'..=b'9' => {
                    let digits = bytes[at..].iter().take_while(|byte| byte.is_ascii_digit());
                    let digits = digits.count();
                    let length = digits + word_length(text, at + digits, end);
                    let all = length == digits;
                    (if all { TokenKind::Number } else { TokenKind::Word }, length)
                }
                0x80.. => {
                    let letter = text[at..].chars().next().unwrap_or('\u{fffd}');
                    if is_blank(letter) {
                        at += letter.len_utf8();
                        continue;
                    }
                    (TokenKind::Word, word_length(text, at, end))
                }
                b'"' | b'\'' => match closing_quote(bytes, at) {
                    Some(close) => {
                        if bytes[at..close].contains(&b'#') {
                            report.add(
                                rs::RS046,
                                Span::new(at, close + 1),
                                "`#` inside quotes: other engines cut the line here",
                            );
                        }
                        (TokenKind::Quoted, close + 1 - at)
                    }
                    None => {
                        self.unbalanced = true;
                        self.stray_quote = true;
                        (TokenKind::StrayQuote, 1)
                    }
                },
                b'#' => (TokenKind::Comment, end - at),
                b'(' | b'[' | b'{' => {
                    self.open.push(self.tokens.len() as u32);
                    (bracket(byte), 1)
                }
                b')' | b']' | b'}' => {
                    let kind = bracket(byte);
                    let opener = self.open.pop();
                    let index = self.tokens.len() as u32;
                    match opener.map(|open| &mut self.tokens[open as usize]) {
                        Some(open) if open.kind == opener_of(kind) => open.mate = index,
                        _ => fits = false,
                    }
                    mate = opener.unwrap_or(Token::ALONE);
                    (kind, 1)
                }
                b',' => (TokenKind::Comma, 1),
                b';' => (TokenKind::Semicolon, 1),
                b':' => match next() {
                    b':' => (TokenKind::ColonColon, 2),
                    b'=' => (TokenKind::ColonEqual, 2),
                    _ => (TokenKind::Colon, 1),
                },
                b'=' => match next() {
                    b'>' => (TokenKind::Arrow, 2),
                    b'=' => (TokenKind::EqualEqual, 2),
                    _ => (TokenKind::Equal, 1),
                },
                b'!' if next() == b'=' => (TokenKind::BangEqual, 2),
                b'!' => (TokenKind::Bang, 1),
                b'<' => match next() {
                    b'=' => (TokenKind::LessEqual, 2),
                    b'>' => (TokenKind::LessGreater, 2),
                    _ => (TokenKind::Less, 1),
                },
                // `<1>=>` ends in `>` and an arrow.
                b'>' if next() == b'=' && bytes.get(at + 2) != Some(&b'>') => (TokenKind::GreaterEqual, 2),
                b'>' => (TokenKind::Greater, 1),
                b'&' if next() == b'&' => (TokenKind::AndAnd, 2),
                b'&' => (TokenKind::And, 1),
                b'|' if next() == b'|' => (TokenKind::PipePipe, 2),
                b'|' => (TokenKind::Pipe, 1),
                b'+' => (TokenKind::Plus, 1),
                b'-' => (TokenKind::Minus, 1),
                b'*' if next() == b'*' => (TokenKind::StarStar, 2),
                b'*' => (TokenKind::Star, 1),
                b'^' => (TokenKind::Caret, 1),
                b'@' => (TokenKind::At, 1),
                b'~' => (TokenKind::Tilde, 1),
                b'?' => (TokenKind::Question, 1),
                b'.' => (TokenKind::Dot, 1),
                _ => {
                    self.odd = true;
                    (TokenKind::Other, 1)
                }
            };
            at += length;
            self.tokens.push(Token {
                kind,
                start: from as u32,
                end: at as u32,
                mate,
            });
        }
        if !fits || !self.open.is_empty() {
            self.mate_brackets(text, report);
        }
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
    #[expect(clippy::wildcard_enum_match_arm, reason = "only brackets and `;` matter here")]
    fn mate(&mut self, text: &str, cut: bool) -> usize {
        let mut lost = 0;
        self.open.clear();
        for index in 0..self.tokens.len() {
            let kind = self.tokens[index].kind;
            match kind {
                TokenKind::LeftParen | TokenKind::LeftBracket | TokenKind::LeftBrace => {
                    self.tokens[index].mate = Token::ALONE;
                    self.open.push(index as u32);
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
                            self.tokens[open as usize].mate = index as u32;
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
    ["to", "target", "from"]
        .iter()
        .any(|known| word.eq_ignore_ascii_case(known))
}

fn bracket(byte: u8) -> TokenKind {
    match byte {
        b'(' => TokenKind::LeftParen,
        b')' => TokenKind::RightParen,
        b'[' => TokenKind::LeftBracket,
        b']' => TokenKind::RightBracket,
        b'{' => TokenKind::LeftBrace,
        _ => TokenKind::RightBrace,
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

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "only closing brackets are asked for"
)]
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
    let mut byte = 0;
    while byte < 0x80 {
        table[byte] = (byte as u8).is_ascii_alphanumeric() || byte as u8 == b'_';
        byte += 1;
    }
    table
};

/// The length of the word that starts at `start`.
#[inline]
fn word_length(text: &str, start: usize, end: usize) -> usize {
    let bytes = &text.as_bytes()[start..end];
    let length = bytes
        .iter()
        .take_while(|byte| IN_WORDS[usize::from(**byte)])
        .count();
    match bytes.get(length) {
        Some(0x80..) => wide_word_length(text, start + length, end) + length,
        _ => length,
    }
}

/// As [`word_length`], where there is more than ASCII.
#[cold]
fn wide_word_length(text: &str, start: usize, end: usize) -> usize {
    let in_word = |letter: &char| match u8::try_from(*letter) {
        Ok(byte) if byte.is_ascii() => IN_WORDS[usize::from(byte)],
        _ => !is_blank(*letter),
    };
    let letters = text[start..end].chars().take_while(in_word);
    letters.map(char::len_utf8).sum()
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
