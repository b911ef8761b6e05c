//! How severe findings are: per code, per game, and per card by a comment.

use std::collections::BTreeMap;

use cw_syntax::{LINTS, rs};
use cw_text::{Diagnostic, FileId, Severity, Span, nearest};

use crate::check::MOST_IN_RULE;

/// What a game or a card says about a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeverityLevel {
    /// Not reported.
    Allow,
    /// Reported as a hint.
    Hint,
    /// Reported as a warning.
    Warning,
    /// Reported as an error.
    Error,
}

impl SeverityLevel {
    /// Reads `allow`, `hint`, `warning` or `error`; `off`, `warn` and `deny` mean the same.
    pub fn find(word: &str) -> Option<SeverityLevel> {
        match word.to_ascii_lowercase().as_str() {
            "allow" | "off" => Some(SeverityLevel::Allow),
            "hint" => Some(SeverityLevel::Hint),
            "warn" | "warning" => Some(SeverityLevel::Warning),
            "deny" | "error" => Some(SeverityLevel::Error),
            _ => None,
        }
    }

    fn severity(self) -> Option<Severity> {
        match self {
            SeverityLevel::Allow => None,
            SeverityLevel::Hint => Some(Severity::Hint),
            SeverityLevel::Warning => Some(Severity::Warning),
            SeverityLevel::Error => Some(Severity::Error),
        }
    }
}

/// The severities of one game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SeveritySettings {
    levels: BTreeMap<String, SeverityLevel>,
}

impl SeveritySettings {
    /// Sets the level of a code, in any case.
    pub fn set(&mut self, code: &str, level: SeverityLevel) {
        self.levels.insert(code.to_ascii_uppercase(), level);
    }

    /// Gives findings the severity the game wants, and drops those it does not want.
    pub fn apply(&self, found: &mut Vec<Diagnostic>) {
        if !self.levels.is_empty() {
            found.retain_mut(|one| keep(one, self.levels.get(one.code.0).copied()));
        }
    }
}

fn keep(one: &mut Diagnostic, level: Option<SeverityLevel>) -> bool {
    let Some(level) = level else { return true };
    match level.severity() {
        Some(severity) => {
            one.severity = severity;
            true
        }
        None => false,
    }
}

/// The word that makes a comment a setting.
const WORD: &str = "cardwright:";

/// Whether a text may have comments that are settings.
pub(crate) fn has_comments(text: &str) -> bool {
    memchr::memchr(b'#', text.as_bytes()).is_some() && text.contains(WORD)
}

/// What the comments of one card say: for all of it, and for single lines, in order of place.
#[derive(Debug, Default)]
struct Comments {
    card: BTreeMap<&'static str, SeverityLevel>,
    lines: Vec<(Span, BTreeMap<&'static str, SeverityLevel>)>,
}

impl Comments {
    /// What they say of a finding; its line's word counts before the card's.
    fn level(&self, one: &Diagnostic) -> Option<SeverityLevel> {
        let behind = self
            .lines
            .partition_point(|(line, _)| line.start <= one.span.start);
        let line = behind.checked_sub(1).map(|index| &self.lines[index]);
        line.filter(|(line, _)| one.span.end <= line.end)
            .and_then(|(_, levels)| levels.get(one.code.0))
            .or_else(|| self.card.get(one.code.0))
            .copied()
    }
}

/// Applies the comments `# cardwright: allow RS061, RS045` within `body` to the findings there,
/// and reports what is wrong with these comments (RS073). Such a comment behind a value holds for
/// its line, on a line of its own for the whole card. Of two about the same the last counts.
pub(crate) fn apply_comments(file: FileId, text: &str, body: Span, found: &mut Vec<Diagnostic>) {
    let part = &text[body.range()];
    if !part.contains(WORD) {
        return;
    }
    let mut comments = Comments::default();
    let mut wrong = Vec::new();
    let mut at = body.start as usize;
    for line in part.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let Some(hash) = line.find('#') else { continue };
        let Some(word) = line[hash..].find(WORD) else {
            continue;
        };
        let from = start + hash + word + WORD.len();
        let alone = line[..hash].trim().is_empty();
        if alone {
            comment(file, text, Span::new(from, at), &mut comments.card, &mut wrong);
        } else {
            let mut levels = BTreeMap::new();
            comment(file, text, Span::new(from, at), &mut levels, &mut wrong);
            comments.lines.push((Span::new(start, at), levels));
        }
    }
    found.retain_mut(|one| {
        let level = comments.level(one).filter(|_| one.file == file);
        keep(one, level)
    });
    found.append(&mut wrong);
}

/// In comments of a card mistakes are looked for until there are more than are kept.
const MOST_WRONG: usize = MOST_IN_RULE + 1;

fn comment(
    file: FileId,
    text: &str,
    span: Span,
    levels: &mut BTreeMap<&'static str, SeverityLevel>,
    wrong: &mut Vec<Diagnostic>,
) {
    if wrong.len() >= MOST_WRONG {
        return;
    }
    let mut words = words(text, span);
    let Some((level_word, level_span)) = words.next() else {
        let message = "nothing behind `cardwright:`";
        wrong.push(
            rs::RS073
                .at(file, Span::at(span.start as usize), message)
                .help(HELP),
        );
        return;
    };
    let Some(level) = SeverityLevel::find(level_word) else {
        let message = format!("unknown setting `{level_word}`");
        wrong.push(rs::RS073.at(file, level_span, message).help(HELP));
        return;
    };
    for (code, code_span) in words {
        // What follows `--` or another dash is the reason.
        if code.starts_with('-') || code == "because" {
            break;
        }
        match known(code) {
            Some(code) => {
                levels.insert(code, level);
            }
            None => wrong.push(unknown_code(file, code, code_span)),
        }
    }
}

const HELP: &str = "write `# cardwright: allow RS061`, or hint, warning or error in place of allow";

fn words(text: &str, span: Span) -> impl Iterator<Item = (&str, Span)> {
    let part = &text[span.range()];
    part.split(|letter: char| letter.is_whitespace() || letter == ',')
        .filter(|word| !word.is_empty())
        .map(move |word| {
            let at = span.start as usize + (word.as_ptr() as usize - part.as_ptr() as usize);
            (word, Span::new(at, at + word.len()))
        })
}

fn known(code: &str) -> Option<&'static str> {
    let lint = LINTS.iter().find(|lint| lint.code.eq_ignore_ascii_case(code))?;
    Some(lint.code)
}

/// RS073 for a code that does not exist.
pub(crate) fn unknown_code(file: FileId, code: &str, span: Span) -> Diagnostic {
    let message = format!("no finding has the code `{code}`");
    let finding = rs::RS073.at(file, span, message);
    match nearest(code, LINTS.iter().map(|lint| lint.code)) {
        Some(near) => finding.help(format!("did you mean `{near}`?")),
        None => finding.help("codes are RS001 and so on"),
    }
}
