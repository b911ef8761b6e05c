//! What stands on the pages of a table while somebody works on its game.

/// A notice of whoever works on the game: how the files stand, and what their last change has done to this
/// table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkNotice {
    /// Names it: another number is another notice.
    pub serial: u64,
    /// What it tells.
    pub kind: WorkNoticeKind,
    /// Its first sentence.
    pub title: String,
    /// What is told in detail.
    pub lines: Vec<NoticeLine>,
    /// Whether the table can begin again with the files as they are.
    pub again: bool,
}

/// What a notice tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkNoticeKind {
    /// Nothing has happened yet.
    Watching,
    /// The files have errors: the table goes on with the game as it was.
    Errors,
    /// The table goes on under the new rules.
    Changed,
    /// The files are right, but the table cannot go on with them.
    Stays,
}

impl WorkNoticeKind {
    /// The class of its element.
    pub(crate) fn word(self) -> &'static str {
        match self {
            WorkNoticeKind::Watching => "watching",
            WorkNoticeKind::Errors => "errors",
            WorkNoticeKind::Changed => "changed",
            WorkNoticeKind::Stays => "stays",
        }
    }
}

/// A line of a notice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoticeLine {
    /// Where in the files, as `file:line:column`.
    pub place: Option<String>,
    /// What.
    pub words: String,
    /// Whether something is wrong there.
    pub wrong: bool,
}

/// A scenario that a card is in, as it last ran.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkScenario {
    /// Its file.
    pub file: String,
    /// What it is called.
    pub name: String,
    /// Why it failed; nothing if it did not.
    pub why: Vec<String>,
}
