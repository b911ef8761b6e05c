use std::fmt;

use crate::{FileId, Span};

/// The stable name of a kind of finding, as `RS021` or `PK003`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FindingCode(pub &'static str);

impl fmt::Display for FindingCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing (I in the tables of the specifications).
    Hint,
    /// Works, probably not as meant (W).
    Warning,
    /// Cannot work (E).
    Error,
}

impl Severity {
    /// Every severity, the least first.
    const ALL: [Severity; 3] = [Severity::Hint, Severity::Warning, Severity::Error];

    /// Returns the word for it, as people read it.
    pub fn word(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Hint => "hint",
        }
    }

    /// Returns the severity of a word.
    pub fn find(word: &str) -> Option<Severity> {
        Severity::ALL.into_iter().find(|severity| severity.word() == word)
    }
}

/// One finding about a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// What kind of finding.
    pub code: FindingCode,
    /// How much it matters.
    pub severity: Severity,
    /// Where: the text.
    pub file: FileId,
    /// Where: the bytes that are wrong, as few as possible.
    pub span: Span,
    /// What is wrong: terse, lower case, no full stop.
    pub message: String,
    /// Other places that belong to it.
    pub labels: Vec<FindingLabel>,
    /// What to do about it.
    pub help: Option<String>,
    /// A change that mends it.
    pub fix: Option<FindingFix>,
}

impl Diagnostic {
    /// Makes a finding without labels, help or fix.
    pub fn new(
        code: FindingCode,
        severity: Severity,
        file: FileId,
        span: Span,
        message: impl Into<String>,
    ) -> Diagnostic {
        Diagnostic {
            code,
            severity,
            file,
            span,
            message: message.into(),
            labels: Vec::new(),
            help: None,
            fix: None,
        }
    }

    /// Adds a second place.
    #[must_use]
    pub fn label(mut self, file: FileId, span: Span, text: impl Into<String>) -> Diagnostic {
        self.labels.push(FindingLabel {
            file,
            span,
            text: text.into(),
        });
        self
    }

    /// Says what to do.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Diagnostic {
        self.help = Some(text.into());
        self
    }

    /// The same finding where the places of a file moved.
    #[must_use]
    pub fn moved(mut self, file: FileId, to: impl Fn(Span) -> Span) -> Diagnostic {
        let own = (self.file, &mut self.span);
        let labels = self.labels.iter_mut().map(|label| (label.file, &mut label.span));
        let edits = self.fix.iter_mut().flat_map(|fix| &mut fix.edits);
        let edits = edits.map(|edit| (edit.file, &mut edit.span));
        for (_, span) in std::iter::once(own)
            .chain(labels)
            .chain(edits)
            .filter(|(of, _)| *of == file)
        {
            *span = to(*span);
        }
        self
    }

    /// Offers to write a text in its place.
    #[must_use]
    pub fn instead(self, title: impl Into<String>, safety: Safety, text: impl Into<String>) -> Diagnostic {
        let fix = FindingFix::one(title, safety, self.file, self.span, text);
        self.fix(fix)
    }

    /// Offers a change.
    #[must_use]
    pub fn fix(mut self, fix: FindingFix) -> Diagnostic {
        self.fix = Some(fix);
        self
    }
}

/// A second place of a finding, with what it has to do with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FindingLabel {
    /// The text it lies in.
    pub file: FileId,
    /// The bytes.
    pub span: Span,
    /// Why it is shown.
    pub text: String,
}

/// Whether a fix may be applied without looking.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Safety {
    /// Keeps the meaning, or is surely what was meant.
    Safe,
    /// Probably what was meant; a person should look.
    Unsafe,
}

/// A change to the text that mends a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FindingFix {
    /// What it does, as "replace with `draw`".
    pub title: String,
    /// Whether it may be applied without looking.
    pub safety: Safety,
    /// Replacements that do not overlap.
    pub edits: Vec<TextEdit>,
}

impl FindingFix {
    /// A fix that writes a text in one place.
    pub fn one(
        title: impl Into<String>,
        safety: Safety,
        file: FileId,
        span: Span,
        text: impl Into<String>,
    ) -> FindingFix {
        let text = text.into();
        FindingFix {
            title: title.into(),
            safety,
            edits: vec![TextEdit { file, span, text }],
        }
    }
}

/// One replacement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextEdit {
    /// The text it changes.
    pub file: FileId,
    /// The bytes that go.
    pub span: Span,
    /// What comes in their place.
    pub text: String,
}
