//! How rules lie in files: `Rules/<set>.rules` (D60), and `RulesDict["guid"] = """…"""` in
//! Python scripts, which is read as data and never run.

use bumpalo::Bump;
use cw_text::{Diagnostic, FileId, Safety, Span};
use memchr::memchr_iter;

use crate::codes::rs;
use crate::parser::{LONGEST_TEXT, RuleParser, shorten, skip_mark, trim};
use crate::tree::{RuleSyntax, WordSyntax};

/// All rules of one file and what is wrong with its text.
#[derive(Debug)]
pub struct RuleFile<'a> {
    /// In order of place.
    pub rules: Vec<CardRule<'a>>,
    /// What is wrong, in order of place.
    pub diagnostics: Vec<Diagnostic>,
}

/// The rule of one card.
#[derive(Clone, Copy, Debug)]
pub struct CardRule<'a> {
    /// Which card: its GUID as written (R120).
    pub card: WordSyntax<'a>,
    /// The same as a number; `None` if it is none, which was reported.
    pub id: Option<u128>,
    /// The header or assignment it stands under.
    pub header: Header,
    /// The rule.
    pub rule: RuleSyntax<'a>,
}

/// Where the text of a rule lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// `[guid]`, or `RulesDict["guid"] =`.
    pub span: Span,
    /// The lines of the rule, comments included.
    pub body: Span,
}

/// Reads a `.rules` file: sections `[card-guid]`, each followed by the card's rule. Comments and
/// blank lines may stand anywhere.
///
/// ```
/// use cw_syntax::{Arena, parse_rules};
/// use cw_text::FileId;
///
/// let arena = Arena::new();
/// let text = "[0f8fad5b-d9cb-469f-a165-70867728950e]\naction = draw()\n";
/// assert_eq!(parse_rules(&arena, FileId(0), text).rules.len(), 1);
/// ```
pub fn parse_rules<'a>(arena: &'a Bump, file: FileId, text: &'a str) -> RuleFile<'a> {
    parse_part(arena, file, text, Span::new(0, text.len()), MOST_FINDINGS)
}

/// How many findings of the parser are kept per file; a person reads fewer.
pub const MOST_FINDINGS: usize = 20_000;

/// Bytes of a part: few enough that its trees stay in a core's own cache.
const PART: usize = 1 << 12;

/// Cuts a `.rules` file into parts of some kilobytes, each of which but the first starts with a
/// section: who reads and forgets one after the other needs little memory for a large file.
///
/// ```
/// let text = "[0f8fad5b-d9cb-469f-a165-70867728950e]\naction = draw()\n";
/// let parts: Vec<&str> = cw_syntax::parts(text).map(|part| &text[part.range()]).collect();
/// assert_eq!(parts, [text]);
/// ```
pub fn parts(text: &str) -> impl Iterator<Item = Span> {
    let mut from = 0;
    std::iter::from_fn(move || {
        if from >= text.len() {
            return None;
        }
        let start = from;
        let cut = (start + PART..text.len()).find(|at| text.is_char_boundary(*at));
        let next = cut.and_then(|cut| Some(cut + text[cut..].find("\n[")? + 1));
        from = next.unwrap_or(text.len());
        Some(Span::new(start, from))
    })
}

/// Reads one of the [`parts`] of a file; at most `most` findings are kept.
pub fn parse_part<'a>(arena: &'a Bump, file: FileId, text: &'a str, part: Span, most: usize) -> RuleFile<'a> {
    let mut parser = RuleParser::new(arena, file, text);
    parser.report.most = most;
    // An id alone has 38 bytes.
    let mut rules = Vec::with_capacity((part.range().len() / 64).min(PART));
    if !fits(&mut parser) {
        return RuleFile {
            rules,
            diagnostics: parser.finish(),
        };
    }
    let text = &text[..part.end as usize];
    let mut lines = lines(text, skip_mark(text, part.start as usize));
    let mut astray = false;
    let mut line = lines.next();
    while let Some(here) = line {
        if !here.is_header(text) {
            if !here.is_empty() && !text[here.start..].starts_with('#') && !astray {
                astray = true;
                parser.report.help(
                    rs::RS074,
                    Span::new(here.start, here.end),
                    "this line belongs to no card",
                    "a line `[card-guid]` goes in front of each card's rule",
                );
            }
            line = lines.next();
            continue;
        }
        let (card, id) = section_header(&mut parser, here.start, here.end);
        let mut rule = parser.open_rule();
        line = lines.next();
        while let Some(inner) = line.filter(|line| !line.is_header(text)) {
            parser.line(inner.start, inner.end, &mut rule);
            line = lines.next();
        }
        let end = line.map_or(text.len(), |next| next.from);
        rules.push(CardRule {
            card,
            id,
            header: Header {
                span: Span::new(here.start, here.end),
                body: Span::new(here.next, end),
            },
            rule: RuleParser::close_rule(rule, here.next),
        });
    }
    RuleFile {
        rules,
        diagnostics: parser.finish(),
    }
}

/// A line, and where it lies without the blanks around it.
#[derive(Clone, Copy)]
struct FileLine {
    from: usize,
    start: usize,
    end: usize,
    /// Where the next line begins.
    next: usize,
}

impl FileLine {
    fn is_empty(self) -> bool {
        self.start >= self.end
    }

    /// Whether a section starts here.
    fn is_header(self, text: &str) -> bool {
        !self.is_empty() && text.as_bytes()[self.start] == b'['
    }
}

fn lines(text: &str, from: usize) -> impl Iterator<Item = FileLine> {
    let mut ends = memchr_iter(b'\n', &text.as_bytes()[from..]);
    let mut at = from;
    std::iter::from_fn(move || {
        if at >= text.len() {
            return None;
        }
        let line_end = ends.next().map_or(text.len(), |length| from + length);
        let (start, end) = trim(text, at, line_end);
        let line = FileLine {
            from: at,
            start,
            end,
            next: (line_end + 1).min(text.len()),
        };
        at = line.next;
        Some(line)
    })
}

fn fits(parser: &mut RuleParser<'_>) -> bool {
    let fits = parser.text.len() <= LONGEST_TEXT;
    if !fits {
        parser
            .report
            .add(rs::RS069, Span::at(0), "file of more than 64 MiB");
    }
    fits
}

/// `[guid]`, perhaps with a comment behind.
fn section_header<'a>(
    parser: &mut RuleParser<'a>,
    start: usize,
    end: usize,
) -> (WordSyntax<'a>, Option<u128>) {
    let line = &parser.text[start..end];
    // Nearly all are nothing but an id in brackets.
    if let Some(inner) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']'))
        && let Some(id) = guid(inner)
    {
        return (parser.word(Span::new(start + 1, end - 1)), Some(id));
    }
    let close = line.find(']');
    let comment = line.find('#').unwrap_or(line.len());
    let stop = close.unwrap_or(comment).min(comment);
    let (id_start, id_end) = trim(parser.text, start + 1, start + stop.max(1));
    let card = parser.word(Span::new(id_start, id_end.max(id_start)));
    match close {
        Some(close) if close < comment => {
            let (rest_start, rest_end) = trim(parser.text, start + close + 1, start + comment);
            if rest_start < rest_end {
                let rest = Span::new(rest_start, rest_end);
                parser.report.help(
                    rs::RS074,
                    rest,
                    "text after the card's id",
                    "a rule starts in the next line",
                );
            }
        }
        _ => {
            let at = Span::at(start + comment);
            parser.report.fix(
                rs::RS047,
                Span::new(start, start + 1),
                "`[` is never closed",
                "add `]`",
                Safety::Safe,
                &[(at, "]")],
            );
        }
    }
    let id = check_guid(parser, card, Span::new(start, end));
    (card, id)
}

/// What a byte is in a GUID: a digit below 16, or one of these.
const BETWEEN: u8 = 16;
const STRANGE: u8 = 17;
const GUID_BYTES: [u8; 256] = {
    let mut table = [STRANGE; 256];
    let mut digit = 0_u8;
    while digit < 16 {
        table[b"0123456789abcdef"[digit as usize] as usize] = digit;
        table[b"0123456789ABCDEF"[digit as usize] as usize] = digit;
        digit += 1;
    }
    let mut at = 0;
    while at < 5 {
        table[b"-{}()"[at] as usize] = BETWEEN;
        at += 1;
    }
    table
};

/// The number that a GUID is: 32 hexadecimal digits, with or without dashes and braces (P13).
///
/// ```
/// assert!(cw_syntax::guid("0f8fad5b-d9cb-469f-a165-70867728950e").is_some());
/// assert!(cw_syntax::guid("rook").is_none());
/// ```
pub fn guid(text: &str) -> Option<u128> {
    text.as_bytes()
        .try_into()
        .ok()
        .and_then(usual_guid)
        .or_else(|| any_guid(text))
}

/// In groups of 8, 4, 4, 4 and 12 digits.
fn usual_guid(text: &[u8; 36]) -> Option<u128> {
    if [text[8], text[13], text[18], text[23]] != *b"----" {
        return None;
    }
    let four = |at: usize| u32::from_be_bytes([text[at], text[at + 1], text[at + 2], text[at + 3]]);
    let eight = |first, second| eight_digits(u64::from(four(first)) << 32 | u64::from(four(second)));
    let (a, b, c, d) = (eight(0, 4), eight(9, 14), eight(19, 24), eight(28, 32));
    let high = u64::from(a?) << 32 | u64::from(b?);
    let low = u64::from(c?) << 32 | u64::from(d?);
    Some(u128::from(high) << 64 | u128::from(low))
}

/// The number that eight hexadecimal digits spell, all at once: a byte each, the first one highest.
fn eight_digits(digits: u64) -> Option<u32> {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x80 * ONES;
    if digits & HIGH != 0 {
        return None;
    }
    // The high bit of each byte tells whether it is at least `from`, since no byte is above 0x7f.
    let at_least = |bytes: u64, from: u8| (bytes + u64::from(0x80 - from) * ONES) & HIGH;
    let lower = digits | (0x20 * ONES);
    let number = at_least(digits, b'0') & !at_least(digits, b'9' + 1);
    let letter = at_least(lower, b'a') & !at_least(lower, b'f' + 1);
    if (number | letter) != HIGH {
        return None;
    }
    // A letter is worth 9 more than its low four bits.
    let values = (digits & (0x0f * ONES)) + (letter >> 7) * 9;
    let pairs = (values >> 4 | values) & 0x00ff_00ff_00ff_00ff;
    let fours = (pairs >> 8 | pairs) & 0x0000_ffff_0000_ffff;
    Some(((fours >> 16 | fours) & 0xffff_ffff) as u32)
}

/// In any of its forms.
fn any_guid(text: &str) -> Option<u128> {
    let (mut high, mut low) = (0_u64, 0_u64);
    let mut digits = 0;
    for byte in text.bytes() {
        match GUID_BYTES[usize::from(byte)] {
            BETWEEN => {}
            STRANGE => return None,
            digit => {
                (high, low) = (high << 4 | low >> 60, low << 4 | u64::from(digit));
                digits += 1;
            }
        }
    }
    (digits == 32).then_some(u128::from(high) << 64 | u128::from(low))
}

fn check_guid(parser: &mut RuleParser<'_>, card: WordSyntax<'_>, around: Span) -> Option<u128> {
    let id = guid(card.text);
    if id.is_none() {
        let span = if card.is_empty() { around } else { card.span };
        let message = format!("`{}` is not the id of a card", shorten(card.text));
        parser.report.help(
            rs::RS050,
            span,
            message,
            "an id looks like 01234567-89ab-cdef-0123-456789abcdef",
        );
    }
    id
}

/// Reads the assignments `RulesDict["guid"] = """…"""` of a Python script. Everything else in the
/// script is passed over.
pub fn parse_python<'a>(arena: &'a Bump, file: FileId, text: &'a str) -> RuleFile<'a> {
    let mut parser = RuleParser::new(arena, file, text);
    let mut rules = Vec::new();
    if fits(&mut parser) {
        let mut at = 0;
        while at < text.len() {
            at = python_step(&mut parser, &mut rules, at);
        }
    }
    RuleFile {
        rules,
        diagnostics: parser.finish(),
    }
}

/// How much of the script a string that never ends takes with it: its line, or all.
fn unclosed(rest: &str) -> usize {
    let triple = rest.starts_with("\"\"\"") || rest.starts_with("'''");
    let line = rest.find('\n').unwrap_or(rest.len());
    if triple { rest.len() } else { line.max(1) }
}

const DICT: &str = "RulesDict";

/// Passes over a comment, a string, a word or a character of the script; takes an assignment.
fn python_step<'a>(parser: &mut RuleParser<'a>, rules: &mut Vec<CardRule<'a>>, at: usize) -> usize {
    let rest = &parser.text[at..];
    let Some(first) = rest.chars().next() else {
        return parser.text.len();
    };
    match first {
        '#' => at + rest.find('\n').unwrap_or(rest.len()),
        '"' | '\'' => python_string(rest).map_or_else(|| at + unclosed(rest), |string| at + string.whole),
        letter if letter.is_alphanumeric() || letter == '_' => {
            let length = rest
                .find(|letter: char| !letter.is_alphanumeric() && letter != '_')
                .unwrap_or(rest.len());
            match &rest[..length] {
                DICT => assignment(parser, rules, at),
                _ => at + length,
            }
        }
        other => at + other.len_utf8(),
    }
}

/// `RulesDict["guid"] = """…"""` or `RulesDict = { "guid": """…""", … }`; returns the byte behind.
fn assignment<'a>(parser: &mut RuleParser<'a>, rules: &mut Vec<CardRule<'a>>, start: usize) -> usize {
    let text = parser.text;
    let after = start + DICT.len();
    let at = skip_blank(text, after);
    if text[at..].starts_with('[') {
        let key_at = skip_blank(text, at + 1);
        let Some(key) = python_string(&text[key_at..]) else {
            return after;
        };
        let at = skip_blank(text, key_at + key.whole);
        let Some(at) = eat(text, at, ']') else {
            return after;
        };
        let Some(at) = eat(text, skip_blank(text, at), '=') else {
            return after;
        };
        let header = Span::new(start, at);
        return entry(parser, rules, header, key_at, &key, at).unwrap_or(after);
    }
    let Some(at) = eat(text, at, '=') else {
        return after;
    };
    let Some(mut at) = eat(text, skip_blank(text, at), '{') else {
        return after;
    };
    loop {
        at = skip_blank(text, at);
        let key_at = at;
        let Some(key) = python_string(&text[at..]) else {
            return at.max(after);
        };
        let Some(colon) = eat(text, skip_blank(text, at + key.whole), ':') else {
            return at + key.whole;
        };
        let header = Span::new(key_at, colon);
        let Some(end) = entry(parser, rules, header, key_at, &key, colon) else {
            return colon;
        };
        at = skip_blank(text, end);
        let Some(comma) = eat(text, at, ',') else {
            return at;
        };
        at = comma;
    }
}

/// Reads the string behind a key as a rule.
fn entry<'a>(
    parser: &mut RuleParser<'a>,
    rules: &mut Vec<CardRule<'a>>,
    header: Span,
    key_at: usize,
    key: &PythonString,
    at: usize,
) -> Option<usize> {
    let value_at = skip_blank(parser.text, at);
    let value = python_string(&parser.text[value_at..])?;
    let card = parser.word(Span::new(key_at + key.start, key_at + key.end));
    let id = check_guid(parser, card, header);
    let body = Span::new(value_at + value.start, value_at + value.end);
    let rule = parser.rule(body.start as usize, body.end as usize);
    rules.push(CardRule {
        card,
        id,
        header: Header { span: header, body },
        rule,
    });
    Some(value_at + value.whole)
}

fn skip_blank(text: &str, at: usize) -> usize {
    let mut at = at;
    loop {
        let rest = &text[at..];
        let trimmed = rest.trim_start_matches(|letter: char| letter.is_whitespace() || letter == '\\');
        at += rest.len() - trimmed.len();
        if !trimmed.starts_with('#') {
            return at;
        }
        at += trimmed.find('\n').unwrap_or(trimmed.len());
    }
}

fn eat(text: &str, at: usize, wanted: char) -> Option<usize> {
    text[at..].starts_with(wanted).then(|| at + wanted.len_utf8())
}

/// A Python string: where its content lies and how long it is in all.
struct PythonString {
    start: usize,
    end: usize,
    whole: usize,
}

/// Reads the string that `text` starts with, if it does.
fn python_string(text: &str) -> Option<PythonString> {
    let prefix = text
        .bytes()
        .take_while(|byte| matches!(byte | 0x20, b'u' | b'r' | b'b'))
        .count();
    let rest = text.get(prefix..)?;
    if prefix > 2 {
        return None;
    }
    let quote = ["\"\"\"", "'''", "\"", "'"]
        .into_iter()
        .find(|quote| rest.starts_with(quote))?;
    let bytes = text.as_bytes();
    let start = prefix + quote.len();
    let mut at = start;
    while at < bytes.len() {
        if bytes[at] == b'\\' {
            at += 2;
        } else if bytes[at..].starts_with(quote.as_bytes()) {
            return Some(PythonString {
                start,
                end: at,
                whole: at + quote.len(),
            });
        } else if quote.len() == 1 && bytes[at] == b'\n' {
            return None;
        } else {
            at += 1;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{any_guid, guid};

    /// P13: all spellings of an id are one number; what is no id is none.
    #[test]
    fn ids() {
        let id = "01234567-89aB-cDef-fEdc-ba9876543210";
        let number = 0x0123_4567_89ab_cdef_fedc_ba98_7654_3210;
        for text in [
            id.to_string(),
            id.to_uppercase(),
            id.replace('-', ""),
            format!("{{{id}}}"),
        ] {
            assert_eq!(guid(&text), Some(number), "{text}");
            assert_eq!(any_guid(&text), Some(number), "{text}");
        }
        // Each digit by itself, with every byte of ASCII in its place.
        for at in 0..id.len() {
            for byte in 0..0x80_u8 {
                let mut other = id.as_bytes().to_vec();
                other[at] = byte;
                let other = String::from_utf8(other).unwrap();
                assert_eq!(guid(&other), any_guid(&other), "{other}");
            }
        }
        assert_eq!(guid("01234567-89ab-cdef-fedc-ba987654321ü"), None);
    }
}
