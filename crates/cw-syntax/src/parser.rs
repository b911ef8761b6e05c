//! Lines to properties, values to statements: recursive descent over one line's tokens.

use bumpalo::Bump;
pub(crate) use bumpalo::collections::Vec as List;
use cw_text::{Diagnostic, FileId, Safety, Span, nearest, offset};
use memchr::memchr;

use crate::codes::{SyntaxReport, rs};
use crate::lexer::{RuleLexer, RuleToken, RuleTokenKind};
use crate::statement::StatementPlace;
use crate::tree::{
    Assign, LabelSyntax, PropertySyntax, PropertyValueSyntax, RuleSyntax, Target, TargetClauseSyntax,
    WordSyntax, is_word,
};

/// A rule and what is wrong with its text.
#[derive(Debug)]
pub struct Parse<'a> {
    /// Whatever could be read.
    pub rule: RuleSyntax<'a>,
    /// What is wrong, in order of place.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads one rule: the whole text, or the part of it at `span`. Any text gives a tree (R101–R118).
///
/// ```
/// use cw_syntax::{Arena, parse};
/// use cw_text::{FileId, Span};
///
/// // A tree comes of any text, with all that is wrong with it.
/// let (arena, text) = (Arena::new(), "action = draw(2");
/// let parsed = parse(&arena, FileId(0), text, Span::new(0, text.len()));
/// assert_eq!(parsed.rule.properties.len(), 1);
/// assert_eq!(parsed.diagnostics.len(), 1);
/// ```
pub fn parse<'a>(arena: &'a Bump, file: FileId, text: &'a str, span: Span) -> Parse<'a> {
    let mut parser = RuleParser::new(arena, file, text);
    let rule = parser.rule(span.start as usize, (span.end as usize).min(text.len()));
    Parse {
        rule,
        diagnostics: parser.finish(),
    }
}

/// Reads one target filter: the part of `text` at `span`, which lies within a line.
pub fn parse_target<'a>(
    arena: &'a Bump,
    file: FileId,
    text: &'a str,
    span: Span,
    out: &mut Vec<Diagnostic>,
) -> Target<'a> {
    let mut parser = RuleParser::new(arena, file, text);
    parser
        .lexer
        .line(text, span.start as usize, span.end as usize, &mut parser.report);
    // Brackets and quotes were reported when the line was read.
    parser.report.found.clear();
    let target = parser.target(0, parser.lexer.tokens.len(), span);
    out.append(&mut parser.report.found);
    target
}

/// Reads targets separated by `;`: the part of `text` at `span`, which lies within a line.
pub fn parse_targets<'a>(
    arena: &'a Bump,
    file: FileId,
    text: &'a str,
    span: Span,
    out: &mut Vec<Diagnostic>,
) -> &'a [Target<'a>] {
    let mut parser = RuleParser::new(arena, file, text);
    parser
        .lexer
        .line(text, span.start as usize, span.end as usize, &mut parser.report);
    let targets = parser.target_list(0, parser.lexer.tokens.len(), RuleTokenKind::Semicolon, span);
    out.append(&mut parser.report.found);
    targets
}

/// The longest line that is read.
const LONGEST_LINE: usize = 1 << 20;
/// How many lines of a rule are read.
const MOST_LINES: usize = 10_000;
/// The longest text that is read.
pub(crate) const LONGEST_TEXT: usize = 1 << 26;

/// The keys of properties (R108).
#[derive(Clone, Copy, PartialEq, Eq)]
enum PropertyKey {
    Target,
    OptionalTarget,
    Action,
    Abilities,
    Auto,
    Requisite,
    Vars,
    Label,
}

impl PropertyKey {
    const ALL: [PropertyKey; 8] = [
        PropertyKey::Target,
        PropertyKey::OptionalTarget,
        PropertyKey::Action,
        PropertyKey::Abilities,
        PropertyKey::Auto,
        PropertyKey::Requisite,
        PropertyKey::Vars,
        PropertyKey::Label,
    ];

    fn word(self) -> &'static str {
        match self {
            PropertyKey::Target => "target",
            PropertyKey::OptionalTarget => "target?",
            PropertyKey::Action => "action",
            PropertyKey::Abilities => "abilities",
            PropertyKey::Auto => "auto",
            PropertyKey::Requisite => "requisite",
            PropertyKey::Vars => "vars",
            PropertyKey::Label => "label",
        }
    }

    /// The key with this spelling, in any case (R104).
    fn find(text: &str) -> Option<PropertyKey> {
        // Length and second letter tell which one it can be.
        let key = match (text.len(), text.as_bytes().get(1)? | 0x20) {
            (4, b'u') => PropertyKey::Auto,
            (4, _) => PropertyKey::Vars,
            (5, _) => PropertyKey::Label,
            (6, b'c') => PropertyKey::Action,
            (6, _) => PropertyKey::Target,
            (7, _) => PropertyKey::OptionalTarget,
            (9, b'b') => PropertyKey::Abilities,
            (9, _) => PropertyKey::Requisite,
            _ => return None,
        };
        is_word(text, key.word()).then_some(key)
    }
}

/// A range of the line's tokens.
pub(crate) type TokenRange = usize;

/// A rule whose lines are being read.
pub(crate) struct OpenRule<'a> {
    properties: List<'a, PropertySyntax<'a>>,
    /// From its first to its last line.
    span: Option<Span>,
    /// Whether it has all the lines that a rule may have.
    full: bool,
}

/// Behind the byte order mark that a text may start with (R101).
pub(crate) fn skip_mark(text: &str, at: usize) -> usize {
    let mark = '\u{feff}';
    if text[at..].starts_with(mark) {
        at + mark.len_utf8()
    } else {
        at
    }
}

pub(crate) struct RuleParser<'a> {
    pub(crate) arena: &'a Bump,
    pub(crate) text: &'a str,
    pub(crate) lexer: RuleLexer,
    pub(crate) report: SyntaxReport,
    pub(crate) each_depth: u32,
}

impl<'a> RuleParser<'a> {
    pub(crate) fn new(arena: &'a Bump, file: FileId, text: &'a str) -> RuleParser<'a> {
        RuleParser {
            arena,
            text,
            lexer: RuleLexer::default(),
            report: SyntaxReport::new(file),
            each_depth: 0,
        }
    }

    pub(crate) fn finish(mut self) -> Vec<Diagnostic> {
        self.report.found.sort_by_key(|found| found.span);
        self.report.found
    }

    /// Reads the properties in `text[start..end]`.
    pub(crate) fn rule(&mut self, start: usize, end: usize) -> RuleSyntax<'a> {
        let mut at = skip_mark(&self.text[..end], start);
        let mut open = self.open_rule();
        while at < end {
            let line = &self.text.as_bytes()[at..end];
            let length = memchr(b'\n', line).unwrap_or(line.len());
            let (line_start, line_end) = trim(self.text, at, at + length);
            self.line(line_start, line_end, &mut open);
            at += length + 1;
        }
        RuleParser::close_rule(open, start)
    }

    pub(crate) fn open_rule(&self) -> OpenRule<'a> {
        OpenRule {
            properties: List::with_capacity_in(1, self.arena),
            span: None,
            full: false,
        }
    }

    /// The rule whose lines were read; `start` is where an empty one lies.
    pub(crate) fn close_rule(open: OpenRule<'a>, start: usize) -> RuleSyntax<'a> {
        RuleSyntax {
            span: open.span.unwrap_or(Span::at(start)),
            properties: open.properties.into_bump_slice(),
        }
    }

    /// Reads one line, which is trimmed.
    pub(crate) fn line(&mut self, start: usize, end: usize, rule: &mut OpenRule<'a>) {
        let line = &self.text[start..end];
        if line.is_empty() || line.starts_with('#') {
            return;
        }
        if end - start > LONGEST_LINE {
            let span = Span::new(start, start + line.chars().next().map_or(1, char::len_utf8));
            self.report
                .add(rs::RS069, span, "line of more than a million bytes");
            return;
        }
        if rule.properties.len() >= MOST_LINES {
            if !rule.full {
                let message = "rule of more than ten thousand lines";
                self.report.add(rs::RS069, Span::new(start, end), message);
            }
            rule.full = true;
            return;
        }
        self.property(start, end, &mut rule.properties);
        let read = Span::new(start, end);
        rule.span = Some(rule.span.map_or(read, |all| all.to(read)));
    }

    fn property(&mut self, start: usize, end: usize, out: &mut List<'a, PropertySyntax<'a>>) {
        let line = &self.text[start..end];
        let Some(equal) = line.bytes().position(|byte| matches!(byte, b'=' | b'#')) else {
            self.not_a_property(start, end);
            return;
        };
        if line.as_bytes()[equal] == b'#' {
            self.not_a_property(start, start + equal);
            return;
        }
        let equal = start + equal;
        let (key_start, key_end) = trim(self.text, start, equal);
        let key = WordSyntax {
            text: &self.text[key_start..key_end],
            span: Span::new(key_start, key_end),
        };
        let Some(known) = PropertyKey::find(key.text) else {
            self.unknown_key(key, equal);
            return;
        };
        let reported = self.report.found.len();
        self.lexer.line(self.text, equal + 1, end, &mut self.report);
        if known == PropertyKey::Label {
            // A label is any text; only where its comment starts matters.
            self.lexer.unbalanced = false;
            let new = self.report.found.split_off(reported);
            self.report
                .found
                .extend(new.into_iter().filter(|found| found.code.0 != rs::RS047.code));
        }
        let comment = match self.lexer.tokens.last().copied() {
            Some(token) if token.kind == RuleTokenKind::Comment => {
                self.lexer.tokens.pop();
                Some(token_span_to(self.text, token.start as usize, end))
            }
            _ => None,
        };
        let value_end = comment.map_or(end, |comment| comment.start as usize);
        let (value_start, value_end) = trim(self.text, equal + 1, value_end);
        let text = self.word(Span::new(value_start.min(value_end), value_end));
        let text = if text.is_empty() {
            self.word(Span::at(equal + 1))
        } else {
            text
        };
        if self.lexer.has(RuleTokenKind::Other) {
            self.odd_characters();
        }
        let hi = self.lexer.tokens.len();
        let value = match known {
            PropertyKey::Label => PropertyValueSyntax::Label(label(self.text, text)),
            PropertyKey::Target | PropertyKey::OptionalTarget => {
                PropertyValueSyntax::Target(TargetClauseSyntax {
                    keyword: self.word(Span::new(key_start, key_start + "target".len())),
                    optional: known == PropertyKey::OptionalTarget,
                    targets: self.target_list(0, hi, RuleTokenKind::Semicolon, text.span),
                    span: text.span,
                })
            }
            PropertyKey::Requisite => {
                PropertyValueSyntax::Requisite(self.target_list(0, hi, RuleTokenKind::AndAnd, text.span))
            }
            PropertyKey::Vars => PropertyValueSyntax::Vars(self.assigns(hi)),
            PropertyKey::Abilities => PropertyValueSyntax::Abilities(self.abilities(hi, text.span)),
            PropertyKey::Action => PropertyValueSyntax::Action(self.statements(hi, StatementPlace::Action)),
            PropertyKey::Auto => PropertyValueSyntax::Auto(self.statements(hi, StatementPlace::Auto)),
        };
        if text.is_empty() {
            let blank = self.text[equal + 1..]
                .find(|letter: char| letter != ' ')
                .unwrap_or_default();
            let span = Span::new(key_start, equal + 1 + blank);
            self.report
                .add(rs::RS002, span, format!("`{}` has no value", known.word()));
        }
        if known != PropertyKey::Label && self.lexer.has(RuleTokenKind::StrayQuote) {
            self.stray_quotes();
        }
        out.push(PropertySyntax {
            key,
            span: key.span.to(text.span),
            text,
            value,
            comment,
        });
    }

    /// A line without `=` (RS002).
    fn not_a_property(&mut self, start: usize, end: usize) {
        let (start, end) = trim(self.text, start, end);
        let line = &self.text[start..end];
        let span = Span::new(start, end);
        if let Some(colon) = line.find(':') {
            let key = line[..colon].trim();
            if PropertyKey::find(key).is_some() {
                let colon = Span::new(start + colon, start + colon + 1);
                self.report.fix(
                    rs::RS002,
                    colon,
                    "a key is followed by `=`",
                    "replace `:` with `=`",
                    Safety::Safe,
                    &[(colon, " =")],
                );
                return;
            }
        }
        self.report.help(
            rs::RS002,
            span,
            "this line is not `key = value`",
            "a value never goes on in the next line; a comment starts with `#`",
        );
    }

    fn unknown_key(&mut self, key: WordSyntax<'a>, equal: usize) {
        if key.is_empty() {
            let line = self.text[..equal].rfind('\n').map_or(0, |at| at + 1);
            let span = Span::new(line, equal + 1);
            self.report.add(rs::RS002, span, "no key in front of `=`");
            return;
        }
        let bare: String = key.text.split_whitespace().collect();
        let bare = bare.trim_end_matches([':', '=']);
        if let Some(known) = PropertyKey::find(bare).map(PropertyKey::word) {
            self.report.fix(
                rs::RS002,
                key.span,
                format!("write this key as `{known}`"),
                format!("write `{known}`"),
                Safety::Safe,
                &[(key.span, known)],
            );
            return;
        }
        if self.report.is_full() {
            return;
        }
        let message = format!("unknown key `{}`", shorten(key.text));
        if let Some(meant) = meant_by_key(key.text) {
            self.report.help(rs::RS001, key.span, message, meant);
            return;
        }
        match nearest(key.text, PropertyKey::ALL.map(PropertyKey::word)) {
            Some(near) => self.report.fix(
                rs::RS001,
                key.span,
                format!("{message}; did you mean `{near}`?"),
                format!("replace with `{near}`"),
                Safety::Unsafe,
                &[(key.span, near)],
            ),
            None => self.report.help(
                rs::RS001,
                key.span,
                message,
                "keys are target, action, abilities, auto, requisite, vars and label",
            ),
        };
    }

    /// Characters that no text has (RS070).
    fn odd_characters(&mut self) {
        let odd = self.lexer.tokens.iter().find(|token| {
            token.kind == RuleTokenKind::Other
                && self.text.as_bytes()[token.start as usize].is_ascii_control()
        });
        if let Some(token) = odd {
            self.report.add(rs::RS070, token.span(), "control character");
        }
    }

    /// Quotes that nothing closes (RS047).
    fn stray_quotes(&mut self) {
        for token in &self.lexer.tokens {
            if token.kind != RuleTokenKind::StrayQuote {
                continue;
            }
            let (before, behind) = self.text.split_at(token.start as usize);
            let is_possessive = before.ends_with(char::is_alphabetic) && behind.starts_with("'s ");
            if is_possessive || before.ends_with('s') && behind.starts_with("' ") {
                self.report.help(
                    rs::RS047,
                    token.span(),
                    "quote is never closed",
                    "put whose cards they are in the name of the place: `character@oppRing`, `*@oppHand`",
                );
            } else {
                self.report.add(rs::RS047, token.span(), "quote is never closed");
            }
        }
    }

    // ---- Tokens ----

    pub(crate) fn kind(&self, at: TokenRange) -> Option<RuleTokenKind> {
        self.lexer.tokens.get(at).map(|token| token.kind)
    }

    /// The kind of the token at `at` if it lies before `hi`.
    pub(crate) fn kind_before(&self, at: TokenRange, hi: TokenRange) -> Option<RuleTokenKind> {
        if at < hi { self.kind(at) } else { None }
    }

    pub(crate) fn word(&self, span: Span) -> WordSyntax<'a> {
        WordSyntax {
            text: &self.text[span.range()],
            span,
        }
    }

    pub(crate) fn token_word(&self, at: TokenRange) -> WordSyntax<'a> {
        self.word(self.lexer.tokens[at].span())
    }

    /// The text from token `lo` up to token `hi`; where there is none, the empty text at `lo`.
    #[inline]
    pub(crate) fn words(&self, lo: TokenRange, hi: TokenRange) -> WordSyntax<'a> {
        self.word(self.span(lo, hi))
    }

    /// Where [`RuleParser::words`] lies.
    #[inline]
    pub(crate) fn span(&self, lo: TokenRange, hi: TokenRange) -> Span {
        let tokens = &self.lexer.tokens;
        if lo < hi {
            return Span::between(tokens[lo].start, tokens[hi - 1].end);
        }
        let start = match (tokens.get(lo), tokens.last()) {
            (Some(token), _) => token.start,
            (None, Some(last)) => last.end,
            (None, None) => 0,
        };
        Span::at(start as usize)
    }

    /// The token behind `at` and, if a bracket opens there, behind what it holds.
    pub(crate) fn next(&self, at: TokenRange, hi: TokenRange) -> TokenRange {
        let token = self.lexer.tokens[at];
        if token.mate != RuleToken::ALONE && (token.mate as usize) > at {
            (token.mate as usize + 1).min(hi)
        } else {
            at + 1
        }
    }

    /// The first token of that kind that is not nested (R118), or `hi`.
    pub(crate) fn find(&self, lo: TokenRange, hi: TokenRange, kind: RuleTokenKind) -> TokenRange {
        if !self.lexer.has(kind) {
            return hi;
        }
        let mut at = lo;
        while at < hi && self.lexer.tokens[at].kind != kind {
            at = self.next(at, hi);
        }
        at.min(hi)
    }

    /// Reports what cannot stand here, unless a lost bracket explains it.
    /// Tells whether it was.
    pub(crate) fn unexpected(&mut self, span: Span, help: &str) -> bool {
        if self.lexer.unbalanced || self.is_reported(span) || self.is_reported_before(span) {
            return false;
        }
        let text = &self.text[span.range()];
        let message = format!("unexpected `{}`", shorten(text));
        // An effect before a `:` tells more than the sign alone.
        if let Some(meant) = meant_by(text).filter(|_| !help.starts_with("costs are braces")) {
            self.report.help(rs::RS068, span, message, meant)
        } else if help.is_empty() {
            let usual = "a statement is `{costs}: ~events~ [[if …]] effects to(targets) restriction`, \
                         and effects are joined by `&` or `;`";
            self.report.help(rs::RS068, span, message, usual)
        } else {
            self.report.help(rs::RS068, span, message, help)
        }
    }

    /// As [`RuleParser::unexpected`], for the second of what stands once.
    pub(crate) fn unexpected_second(&mut self, span: Span, help: &str, first: Span) {
        if self.unexpected(span, help) {
            self.report.label_last(first, "the first");
        }
    }

    /// Whether the text just before is wrong: then what follows without a blank is a consequence.
    fn is_reported_before(&self, span: Span) -> bool {
        let last = self.report.found.last();
        last.is_some_and(|found| found.severity == cw_text::Severity::Error && found.span.end == span.start)
    }

    pub(crate) fn is_reported(&self, span: Span) -> bool {
        let last = self.report.found.last();
        last.is_some_and(|found| {
            found.severity == cw_text::Severity::Error
                && found.span.start < span.end
                && span.start < found.span.end
        }) || self.lexer.has(RuleTokenKind::StrayQuote) && self.text[span.range()].contains(['"', '\''])
    }

    // ---- Short values ----

    pub(crate) fn abilities(&mut self, hi: TokenRange, value: Span) -> &'a [WordSyntax<'a>] {
        let mut words = List::with_capacity_in(1, self.arena);
        let mut at = 0;
        while at < hi {
            let end = self.find(at, hi, RuleTokenKind::Comma);
            let item = self.words(at, end);
            if item.is_empty() {
                let comma = if end < hi { end } else { hi - 1 };
                self.empty_item(self.lexer.tokens[comma].span());
            } else {
                words.push(item);
            }
            at = end + 1;
        }
        if hi > 0 && self.kind(hi - 1) == Some(RuleTokenKind::Comma) && !value.is_empty() {
            self.empty_item(self.lexer.tokens[hi - 1].span());
        }
        words.into_bump_slice()
    }

    pub(crate) fn empty_item(&mut self, comma: Span) {
        let blanks = self.text[comma.end as usize..]
            .bytes()
            .take_while(|byte| *byte == b' ')
            .count();
        let comma = Span::between(comma.start, comma.end + offset(blanks));
        self.report.fix(
            rs::RS006,
            comma,
            "nothing between the separators",
            "remove the separator",
            Safety::Safe,
            &[(comma, "")],
        );
    }

    /// `name := expression; …` (R114, RS036, RS037).
    pub(crate) fn assigns(&mut self, hi: TokenRange) -> &'a [Assign<'a>] {
        let mut assigns = List::with_capacity_in(1, self.arena);
        let mut at = 0;
        while at < hi {
            let end = self.find(at, hi, RuleTokenKind::Semicolon);
            if at < end {
                self.assign(at, end, &mut assigns);
            } else {
                self.empty_item(self.lexer.tokens[end].span());
            }
            at = end + 1;
        }
        assigns.into_bump_slice()
    }

    fn assign(&mut self, lo: TokenRange, hi: TokenRange, out: &mut List<'a, Assign<'a>>) {
        let span = self.span(lo, hi);
        let sign = self.find(lo, hi, RuleTokenKind::ColonEqual);
        if sign == hi {
            let equal = self.find(lo, hi, RuleTokenKind::Equal);
            if equal < hi {
                let equal = self.lexer.tokens[equal].span();
                self.report.fix(
                    rs::RS036,
                    equal,
                    "a variable is set with `:=`",
                    "replace `=` with `:=`",
                    Safety::Safe,
                    &[(equal, ":=")],
                );
            } else {
                self.report.help(
                    rs::RS036,
                    span,
                    "no `:=` in this item",
                    "write `_name := expression`",
                );
            }
            return;
        }
        let name = self.words(lo, sign);
        if name.is_empty() {
            let sign = self.lexer.tokens[sign].span();
            let blanks = self.text[..sign.start as usize]
                .bytes()
                .rev()
                .take_while(|byte| *byte == b' ')
                .count();
            let span = Span::between(sign.start - offset(blanks), sign.end);
            self.report.add(rs::RS037, span, "no name in front of `:=`");
            return;
        }
        if !is_identifier(name.text) {
            self.report.help(
                rs::RS037,
                name.span,
                format!("`{}` is not a name", shorten(name.text)),
                "a name has letters, digits and `_`, and does not start with a digit",
            );
            return;
        }
        let second = self.find(sign + 1, hi, RuleTokenKind::ColonEqual);
        if second < hi {
            let span = self.lexer.tokens[second].span();
            self.report.help(
                rs::RS036,
                span,
                "second `:=` in one item",
                "put `;` between two variables",
            );
        }
        let value = self.words(sign + 1, second);
        if value.is_empty() {
            let span = self.lexer.tokens[sign].span();
            self.report
                .add(rs::RS036, span, format!("`{}` gets no value", name.text));
            return;
        }
        out.push(Assign { name, value, span });
    }

    /// Targets separated by `separator` at depth 0.
    pub(crate) fn target_list(
        &mut self,
        lo: TokenRange,
        hi: TokenRange,
        separator: RuleTokenKind,
        around: Span,
    ) -> &'a [Target<'a>] {
        let mut targets = List::with_capacity_in(1, self.arena);
        let mut at = lo;
        let mut pieces = 0;
        while at < hi {
            let end = self.find(at, hi, separator);
            if at < end {
                let target = self.target(at, end, around);
                targets.push(target);
            } else {
                self.empty_item(self.lexer.tokens[end].span());
            }
            pieces += 1;
            at = end + 1;
        }
        if pieces > 0 && hi > lo && self.kind(hi - 1) == Some(separator) && targets.len() == pieces {
            self.empty_item(self.lexer.tokens[hi - 1].span());
        }
        targets.into_bump_slice()
    }
}

/// R115 with a first character that is no digit.
fn is_identifier(text: &str) -> bool {
    text.bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && !text.starts_with(|first: char| first.is_ascii_digit())
}

fn label<'a>(text: &'a str, value: WordSyntax<'a>) -> LabelSyntax<'a> {
    let inner = value.text;
    let quote = inner.chars().next().filter(|first| matches!(first, '"' | '\''));
    // R111: one matching pair.
    match quote {
        Some(quote) if inner.len() >= 2 && inner.ends_with(quote) => {
            let span = Span::between(value.span.start + 1, value.span.end - 1);
            LabelSyntax {
                text: WordSyntax {
                    text: &text[span.range()],
                    span,
                },
                quoted: true,
            }
        }
        _ => LabelSyntax {
            text: value,
            quoted: false,
        },
    }
}

/// The part of `text[start..end]` without blanks around it.
#[inline]
pub(crate) fn trim(text: &str, start: usize, end: usize) -> (usize, usize) {
    let bytes = text.as_bytes();
    if start + 1 < end {
        // At most one blank stands there, nearly always.
        let first = start + usize::from(bytes[start] == b' ');
        let last = end - 1 - usize::from(bytes[end - 1] == b' ');
        if first <= last && bytes[first].is_ascii_graphic() && bytes[last].is_ascii_graphic() {
            return (first, last + 1);
        }
    }
    trim_blanks(text, start, end)
}

/// As [`trim`], where a blank, or what is not ASCII, stands at an end.
fn trim_blanks(text: &str, start: usize, end: usize) -> (usize, usize) {
    let (mut start, mut end) = (start, end);
    let bytes = text.as_bytes();
    let plain = |byte: u8| matches!(byte, b' ' | b'\t' | b'\r');
    while start < end && plain(bytes[start]) {
        start += 1;
    }
    while start < end && plain(bytes[end - 1]) {
        end -= 1;
    }
    if start == end || bytes[start].is_ascii_graphic() && bytes[end - 1].is_ascii_graphic() {
        return (start, end);
    }
    let part = &text[start..end];
    let blank = |letter: char| letter.is_whitespace() || letter == '\u{feff}';
    let left = part.trim_start_matches(blank);
    let start = start + (part.len() - left.len());
    (start, start + left.trim_end_matches(blank).len())
}

fn token_span_to(text: &str, start: usize, end: usize) -> Span {
    let (start, end) = trim(text, start, end);
    Span::new(start, end)
}

/// As much of a text as fits into a message.
pub(crate) fn shorten(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
    }
}

/// Keys that people expect, and the line in which what they mean stands.
const OTHER_KEYS: [(&[&str], &str); 7] = [
    (
        &["cost", "costs", "price", "pay", "payment"],
        "put costs in braces at the start of the action: `action = {F}: draw(1)`",
    ),
    (
        &[
            "effect",
            "effects",
            "do",
            "does",
            "then",
            "script",
            "rule",
            "ability",
            "onplay",
            "on play",
            "when played",
            "play",
            "instant",
            "activate",
            "activated",
            "triggered",
            "use",
            "text",
        ],
        "what a card does is its `action`: `action = draw(1)`",
    ),
    (
        &[
            "trigger",
            "triggers",
            "event",
            "events",
            "when",
            "whenever",
            "on",
            "passive",
            "always",
            "continuous",
            "static",
            "automatic",
            "hook",
            "hooks",
        ],
        "for what happens by itself, write an `auto` with its event between two `~`: \
         `auto = ~attacks~ draw(1)`",
    ),
    (
        &[
            "require",
            "requires",
            "required",
            "requirement",
            "requirements",
            "condition",
            "conditions",
            "if",
            "needs",
            "only if",
            "restriction",
        ],
        "write a condition before the effects: `action = [[if alone]] draw(1)`; \
         a target that must be there is `requisite = character@oppRing`",
    ),
    (
        &["var", "variable", "variables", "let", "set", "define", "const"],
        "put variables on one line: `vars = _a := me.hp; _b := me.sp`",
    ),
    (
        &["keyword", "keywords", "abilitys", "trait", "traits", "has"],
        "abilities that a card always has are `abilities = rush, pierce`",
    ),
    (
        &[
            "name",
            "title",
            "text of action",
            "choice",
            "option",
            "description",
            "caption",
        ],
        "put the name of an action before it: `label = \"Draw a card\"`",
    ),
];

fn meant_by_key(key: &str) -> Option<&'static str> {
    let key = key.to_lowercase();
    let mut known = OTHER_KEYS.iter();
    known
        .find(|(words, _)| words.contains(&&*key))
        .map(|(_, meant)| *meant)
}

/// What is meant by something that cannot stand where it does, if that shows.
fn meant_by(text: &str) -> Option<&'static str> {
    let inner = text.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
    let is_time = |word: &str| {
        ["ueot", "uynt", "unac"]
            .iter()
            .any(|time| word.eq_ignore_ascii_case(time))
    };
    if text.starts_with("//") {
        Some("`#` begins a comment")
    } else if text.starts_with(['(', '[']) && text.ends_with(':') {
        Some("put costs in braces: `{F}: draw(1)`")
    } else if text == ":" {
        Some(
            "`:` goes after costs, as in `{F}: draw(1)`; \
             after an event or a condition, the effects follow directly",
        )
    } else if text.starts_with('{') && text.ends_with([':', '}']) {
        Some("put costs side by side in front of the condition and the event: `{F}{D}: [[if alone]] draw(1)`")
    } else if text.starts_with(['+', '-']) && text[1..].trim().bytes().all(|byte| byte.is_ascii_digit()) {
        Some("what grows is named: `bp(+100)`, `hp(+100)`, `sp(+3)`")
    } else if text == "()" {
        Some("an ability has no parentheses: `+rush`")
    } else if text.starts_with('@') {
        Some("put where cards are inside the parentheses: `to(character@oppRing)`")
    } else if text.starts_with(['+', '-']) && text.contains(['"', '\'']) {
        Some("write an ability without quotes: `+rush`")
    } else if text.starts_with('{') && text.contains('}') {
        Some("put how many in `<…>`: `<2>character`; costs come before everything else: `{F}: draw(1)`")
    } else if text.starts_with(['x', 'X']) && text[1..].bytes().all(|byte| byte.is_ascii_digit()) {
        Some("put how much in the parentheses: `draw(2)`, `bp(x2)`")
    } else if text == "?" {
        Some("to make an effect optional, put the `?` before the parentheses: `draw?(1)`")
    } else if text.eq_ignore_ascii_case("or") {
        Some(
            "to let the player choose, write several actions, each on its own line with a `label` before it; \
             `||` runs an effect where the one before it failed",
        )
    } else if text.ends_with('*') && text.starts_with(|first: char| first.is_ascii_digit()) {
        Some(
            "put how much in the parentheses: `damage(200)`; \
             to repeat an effect, use `&` or `each(characters => …)`",
        )
    } else if text.eq_ignore_ascii_case("if") {
        Some("put a condition before its effects, in two brackets: `[[if me.sp > 3]] sp(+3)`")
    } else if text.starts_with("in ") {
        Some("write where cards are after `@`: `character@oppRing`")
    } else if inner.is_some_and(|inner| is_time(inner.trim())) {
        Some("write a time after the effect, without parentheses: `+rush ueot`")
    } else {
        None
    }
}
