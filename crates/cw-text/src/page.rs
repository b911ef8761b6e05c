//! Pages about findings, read from the Markdown files of `docs/findings`.

use std::ops::Deref;
use std::sync::OnceLock;

use crate::{FindingCode, Severity};

/// A page that says what a kind of finding means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FindingPage {
    /// The code.
    pub code: FindingCode,
    /// How much it usually matters; the text says where it differs.
    pub severity: Severity,
    /// The parties that refuse or notice the mistake, as words with commas between them; empty where that is
    /// not said.
    pub trips: &'static str,
    /// The title: a few words.
    pub title: &'static str,
    /// The meaning of the finding, why it matters, and what to do.
    pub text: &'static str,
    /// The language of the examples; may be empty.
    pub language: &'static str,
    /// The kind of thing that the examples are; empty where it is the only one.
    pub example: &'static str,
    /// An example that has the finding.
    pub wrong: &'static str,
    /// The same example, corrected.
    pub right: &'static str,
}

impl FindingPage {
    /// Returns the page as Markdown. `who` follows the severity, as in "Severity: error; OCTGN refuses it.".
    pub fn markdown(&self, who: &str) -> String {
        let Self {
            code,
            severity,
            title,
            text,
            language,
            wrong,
            right,
            ..
        } = self;
        format!(
            "# {code}: {title}\n\nSeverity: {}{who}\n\n{text}\n\nWrong:\n\n\
             ```{language}\n{wrong}\n```\n\nRight:\n\n```{language}\n{right}\n```\n",
            severity.word()
        )
    }
}

/// The pages of one file of `docs/findings`, read when the first one is wanted.
///
/// ```
/// use cw_text::{FindingPages, Severity};
///
/// static PAGES: FindingPages = FindingPages::new(
///     "# Numbers\n\n## NO001: a zero\n\nSeverity: hint\n\nIt counts nothing.\n\n\
///      Wrong:\n\n```text\n0\n```\n\nRight:\n\n```text\n1\n```\n",
/// );
/// assert_eq!(PAGES.find("no001").map(|page| (page.severity, page.wrong)), Some((Severity::Hint, "0")));
/// assert_eq!(PAGES.len(), 1);
/// ```
#[derive(Debug)]
pub struct FindingPages {
    file: &'static str,
    pages: OnceLock<Vec<FindingPage>>,
}

impl FindingPages {
    /// Takes the text of a file, which is part of the program.
    pub const fn new(file: &'static str) -> Self {
        Self {
            file,
            pages: OnceLock::new(),
        }
    }

    /// Returns the page of a code, in any letter case.
    pub fn find(&self, code: &str) -> Option<&FindingPage> {
        self.iter().find(|page| page.code.0.eq_ignore_ascii_case(code))
    }
}

/// The pages, in the order of the file.
///
/// # Panics
/// If a section of the file is not written as a page; the text is part of the program, and tests read all of
/// it.
impl Deref for FindingPages {
    type Target = [FindingPage];

    fn deref(&self) -> &[FindingPage] {
        self.pages.get_or_init(|| {
            let sections = self.file.split("\n## ").skip(1);
            sections
                .map(|section| {
                    let heading = section.lines().next();
                    page(section).unwrap_or_else(|| {
                        panic!("this section is not written as docs/findings/README.md says: {heading:?}")
                    })
                })
                .collect()
        })
    }
}

/// Reads a section, from behind the `## ` of its heading.
fn page(section: &'static str) -> Option<FindingPage> {
    let (heading, rest) = section.split_once("\n\n")?;
    let (code, title) = heading.split_once(": ")?;
    let (severity, rest) = rest.strip_prefix("Severity: ")?.split_once("\n\n")?;
    let (severity, trips) = severity.split_once("; trips: ").unwrap_or((severity, ""));
    // An example ends with the last fence before what follows, so that it may itself hold anything but that.
    let (text, rest) = rest.split_once("\n\nWrong:\n\n```")?;
    let (wrong, right) = rest.split_once("\n```\n\nRight:\n\n```")?;
    let (kind, wrong) = wrong.split_once('\n')?;
    let (same, right) = right.trim_end().strip_suffix("\n```")?.split_once('\n')?;
    let (language, example) = kind.split_once(' ').unwrap_or((kind, ""));
    (kind == same).then_some(FindingPage {
        code: FindingCode(code),
        severity: Severity::find(severity)?,
        trips,
        title,
        text,
        language,
        example,
        wrong,
        right,
    })
}
