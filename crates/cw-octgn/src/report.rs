use cw_text::{Diagnostic, FileId, FindingCode, Severity, Span};

use crate::codes::{PK014, PK061};

/// The most findings kept of one kind in one file; more are counted.
const MAX_PER_CODE: usize = 200;

/// Collects what is wrong with one file.
#[derive(Debug)]
pub(crate) struct FileReport {
    pub(crate) file: FileId,
    found: Vec<Diagnostic>,
    counts: Vec<(FindingCode, usize)>,
}

impl FileReport {
    pub(crate) fn new(file: FileId) -> FileReport {
        FileReport {
            file,
            found: Vec::new(),
            counts: Vec::new(),
        }
    }

    /// Keeps the finding, unless there are very many of its kind.
    pub(crate) fn add(&mut self, finding: Diagnostic) {
        let count = match self.counts.iter_mut().find(|(code, _)| *code == finding.code) {
            Some((_, count)) => count,
            None => {
                self.counts.push((finding.code, 0));
                &mut self.counts.last_mut().expect("just pushed").1
            }
        };
        *count += 1;
        if *count <= MAX_PER_CODE {
            self.found.push(finding);
        }
    }

    /// Whether something is found at exactly this place.
    pub(crate) fn has(&self, span: Span) -> bool {
        self.found.iter().any(|found| found.span == span)
    }

    /// Whether it is said already that the element with this name lacks the attribute.
    pub(crate) fn lacks(&self, element: Span, attribute: &str) -> bool {
        let quoted = format!("`{attribute}`");
        let mut here = self.found.iter().filter(|found| found.span == element);
        // A colour that is missing is told as one that cannot be read.
        here.any(|found| found.code == PK061 || found.message.contains(&quoted))
    }

    pub(crate) fn error(&self, code: FindingCode, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(code, Severity::Error, self.file, span, message)
    }

    pub(crate) fn warning(&self, code: FindingCode, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(code, Severity::Warning, self.file, span, message)
    }

    pub(crate) fn hint(&self, code: FindingCode, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(code, Severity::Hint, self.file, span, message)
    }

    /// What was found; where findings of a kind were dropped, the last one kept says how many.
    pub(crate) fn finish(mut self) -> Vec<Diagnostic> {
        for (code, count) in self.counts {
            let dropped = count.saturating_sub(MAX_PER_CODE);
            if dropped > 0
                && let Some(last) = self.found.iter_mut().rev().find(|found| found.code == code)
            {
                last.message
                    .push_str(&format!(" (and {dropped} more of {code} in this file)"));
            }
        }
        self.found
    }
}

/// Findings up to a limit; more are counted.
#[derive(Debug)]
pub(crate) struct LimitedFindings {
    limit: usize,
    kept: Vec<Diagnostic>,
    dropped: usize,
}

impl LimitedFindings {
    pub(crate) fn new(limit: usize) -> LimitedFindings {
        LimitedFindings {
            limit,
            kept: Vec::new(),
            dropped: 0,
        }
    }

    pub(crate) fn extend(&mut self, found: impl IntoIterator<Item = Diagnostic>) {
        for finding in found {
            if self.kept.len() < self.limit {
                self.kept.push(finding);
            } else {
                self.dropped += 1;
            }
        }
    }

    /// By file and place; PK014 says in `file` how many there are more.
    pub(crate) fn finish(mut self, file: FileId) -> Vec<Diagnostic> {
        if self.dropped > 0 {
            let message = format!("{} more findings are not shown", self.dropped);
            let finding = Diagnostic::new(PK014, Severity::Error, file, Span::at(0), message);
            self.kept.push(finding.help(format!(
                "--limit findings={} shows all",
                self.limit + self.dropped
            )));
        }
        self.kept.sort_by_key(|finding| (finding.file, finding.span));
        self.kept
    }
}
