//! Findings as text, JSON, SARIF, GitHub annotations, or one line each.

mod machine;
mod sarif;
mod text;

use std::collections::BTreeMap;
use std::fmt;

use crate::{Diagnostic, LineColumn, LineIndex, Severity, Sources, Span};

/// How findings are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FindingFormat {
    /// With the source lines underlined, for people.
    Text,
    /// `file:line:column: severity[code]: message`, a line each, for editors.
    Short,
    /// One JSON object, for programs.
    Json,
    /// SARIF 2.1.0, for code-scanning services.
    Sarif,
    /// Workflow commands that annotate a pull request.
    Github,
}

/// What a reader of findings may want to know about a code.
pub trait Catalog {
    /// What the code is about, in a few words.
    fn title(&self, code: &str) -> Option<String>;
    /// The page about it, as Markdown.
    fn page(&self, code: &str) -> Option<String>;
}

/// Knows no code.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoCatalog;

impl Catalog for NoCatalog {
    fn title(&self, _code: &str) -> Option<String> {
        None
    }
    fn page(&self, _code: &str) -> Option<String> {
        None
    }
}

/// How many findings there are of each severity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SeverityCounts {
    /// Errors.
    pub errors: usize,
    /// Warnings.
    pub warnings: usize,
    /// Hints.
    pub hints: usize,
}

impl SeverityCounts {
    /// Counts findings.
    ///
    /// ```
    /// assert_eq!(cw_text::SeverityCounts::of(&[]).errors, 0);
    /// ```
    pub fn of(found: &[Diagnostic]) -> SeverityCounts {
        let mut counts = SeverityCounts::default();
        for one in found {
            match one.severity {
                Severity::Error => counts.errors += 1,
                Severity::Warning => counts.warnings += 1,
                Severity::Hint => counts.hints += 1,
            }
        }
        counts
    }
}

/// `2 errors, 1 warning`, or `no findings`.
impl fmt::Display for SeverityCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        for (count, one) in [
            (self.errors, "error"),
            (self.warnings, "warning"),
            (self.hints, "hint"),
        ] {
            match count {
                0 => {}
                1 => parts.push(format!("1 {one}")),
                _ => parts.push(format!("{count} {one}s")),
            }
        }
        f.write_str(if parts.is_empty() { "no findings" } else { "" })?;
        f.write_str(&parts.join(", "))
    }
}

/// Writes findings. `color` matters only to [`FindingFormat::Text`]; `catalog` only to SARIF.
pub fn render(
    format: FindingFormat,
    sources: &Sources,
    found: &[Diagnostic],
    color: bool,
    catalog: &dyn Catalog,
) -> String {
    let mut places = Places::new(sources);
    match format {
        FindingFormat::Text => text::render(&mut places, found, color),
        FindingFormat::Short => machine::short(&mut places, found),
        FindingFormat::Json => machine::json(&mut places, found),
        FindingFormat::Github => machine::github(&mut places, found),
        FindingFormat::Sarif => sarif::render(&mut places, found, catalog),
    }
}

/// Lines of the sources, found once per file.
pub(crate) struct Places<'a> {
    sources: &'a Sources,
    lines: BTreeMap<crate::FileId, LineIndex>,
}

impl<'a> Places<'a> {
    fn new(sources: &'a Sources) -> Places<'a> {
        Places {
            sources,
            lines: BTreeMap::new(),
        }
    }

    /// The file's name; a finding about no file that is known has none.
    pub(crate) fn name(&self, file: crate::FileId) -> &'a str {
        self.sources.find(file).map_or("", |source| &source.name)
    }

    pub(crate) fn text(&self, file: crate::FileId) -> &'a str {
        self.sources.find(file).map_or("", |source| &source.text)
    }

    /// Where a span starts and ends.
    pub(crate) fn range(&mut self, file: crate::FileId, span: Span) -> (LineColumn, LineColumn) {
        let text = self.text(file);
        let span = clamp(text, span);
        if self.sources.find(file).is_none() {
            let start = LineColumn { line: 1, column: 1 };
            return (start, start);
        }
        let index = self.lines.entry(file).or_insert_with(|| LineIndex::new(text));
        (
            index.line_column(text, span.start),
            index.line_column(text, span.end),
        )
    }
}

/// The span moved to character borders within the text.
pub(crate) fn clamp(text: &str, span: Span) -> Span {
    let border = |offset: u32| {
        let mut at = (offset as usize).min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let start = border(span.start);
    Span::new(start, border(span.end).max(start))
}
