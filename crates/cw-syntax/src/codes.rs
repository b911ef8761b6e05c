//! The codes of what can be wrong with a rule: name, severity, title. `cw-check` has a page for
//! each; the parser reports those that need only the grammar.

use cw_text::{Diagnostic, FileId, FindingCode, FindingFix, Safety, Severity, Span, TextEdit};

use crate::files::MOST_FINDINGS;

/// A kind of finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lint {
    /// `RS001` and so on.
    pub code: &'static str,
    /// How much it matters unless the author says otherwise.
    pub severity: Severity,
    /// What it is about, in a few words.
    pub title: &'static str,
}

impl Lint {
    /// Makes a finding of this kind.
    pub fn at(self, file: FileId, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(FindingCode(self.code), self.severity, file, span, message)
    }
}

macro_rules! lints {
    ($($code:ident $severity:ident $title:literal;)*) => {
        /// Every kind of finding by its code.
        pub mod rs {
            use super::{Lint, Severity};
            $(
                #[doc = $title]
                pub const $code: Lint = Lint {
                    code: stringify!($code),
                    severity: Severity::$severity,
                    title: $title,
                };
            )*
        }
        /// All kinds of findings, in order of their codes.
        pub const LINTS: &[Lint] = &[$(rs::$code,)*];
    };
}

lints! {
    RS001 Error "unknown key";
    RS002 Error "line that is not `key = value`";
    RS003 Error "unknown command";
    RS004 Error "effect without parentheses or sign";
    RS005 Error "wrong number of arguments";
    RS006 Warning "empty argument or item";
    RS007 Error "argument of the wrong kind";
    RS008 Error "rule without action, auto and abilities";
    RS009 Warning "key given twice";
    RS010 Warning "more labels than actions";
    RS011 Hint "actions without label";
    RS012 Error "unknown zone";
    RS013 Error "unknown ability";
    RS014 Warning "ability on the wrong kind of object";
    RS015 Error "unknown event";
    RS016 Warning "event suffix without meaning here";
    RS017 Warning "quantity on a plural";
    RS018 Error "malformed quantity or pick";
    RS019 Error "quantity that nothing can meet";
    RS020 Warning "quantity behind the type is a pick";
    RS021 Error "`,` and `&` mixed between types";
    RS022 Warning "`&` between types means one of each";
    RS023 Warning "undocumented comparison in a filter";
    RS024 Error "number that is not an integer";
    RS025 Error "restriction without effect";
    RS026 Error "unknown cost";
    RS027 Error "trigger or cost in the wrong place";
    RS028 Error "costs without `:`";
    RS029 Warning "hook and event confused";
    RS030 Hint "condition that registers an event";
    RS031 Error "condition in the wrong place";
    RS032 Warning "second to-clause or restriction";
    RS033 Error "clause inside `each`";
    RS034 Warning "statement after an if/else";
    RS035 Warning "condition without effects";
    RS036 Error "malformed `vars` item";
    RS037 Error "invalid identifier";
    RS038 Error "unknown name in an expression";
    RS039 Error "unknown attribute";
    RS040 Warning "ambiguous `in` or `is`";
    RS041 Warning "variable hides a known name";
    RS042 Error "not available in card rules";
    RS043 Error "expression beyond the limits";
    RS044 Warning "variable that cannot exist yet";
    RS045 Warning "effect falls back to the source";
    RS046 Warning "`#` inside quotes";
    RS047 Error "unbalanced bracket or quote";
    RS048 Warning "subtype that no card has";
    RS049 Warning "card name that no card has";
    RS050 Warning "card id that no card has";
    RS051 Warning "rule and card do not match";
    RS052 Warning "filter that is never true";
    RS053 Warning "search without shuffle";
    RS054 Warning "requisite without pick";
    RS055 Warning "requisite or label without action";
    RS056 Warning "cost or damage change outside its event";
    RS057 Warning "auto that dies with its card";
    RS058 Warning "joiner behind a command that cannot fail";
    RS059 Warning "statement that never runs";
    RS060 Warning "too many or too few targets";
    RS061 Warning "`me` in an opponent's event";
    RS062 Warning "card moved to the wrong player's pile";
    RS063 Hint "command without effect on these targets";
    RS064 Warning "`prevTgt` before there is one";
    RS065 Warning "construct that other engines ignore";
    RS066 Warning "effect that hits its own card";
    RS067 Error "joiner missing or left over";
    RS068 Error "unexpected text";
    RS069 Error "too large to be read";
    RS070 Error "not plain text";
    RS071 Hint "card text and rule disagree";
    RS072 Warning "condition that is always the same";
    RS073 Warning "unknown setting for findings";
    RS074 Error "malformed section of a rules file";
    RS075 Warning "rule given twice for a card";
    RS076 Warning "effect that does nothing";
    RS077 Warning "variable that is never used";
    RS078 Hint "card that steals its own ability";
    RS079 Hint "rule without printed text";
    RS080 Error "card that cannot be frozen pays by freezing";
    RS081 Warning "condition of a block that may be meant the other way round";
    RS082 Error "expression that always fails";
    RS083 Warning "zone that is not searched";
    RS084 Hint "auto without an event that runs once";
    RS085 Warning "event that only this card hears";
    RS086 Warning "cost that can never be paid";
    RS087 Hint "change that outlasts its card";
    RS088 Hint "argument or target that means something else";
    RS089 Warning "target or time that does not fit the phase";
    RS090 Warning "value that was changed before it is read";
    RS091 Warning "targets that nothing uses";
    RS092 Warning "auto that raises its own event";
    RS093 Warning "card text and rule say different things";
}

/// Collects findings about one file.
#[derive(Debug)]
pub(crate) struct SyntaxReport {
    file: FileId,
    pub(crate) found: Vec<Diagnostic>,
    /// How many findings are kept.
    pub(crate) most: usize,
}

impl SyntaxReport {
    pub(crate) fn new(file: FileId) -> SyntaxReport {
        SyntaxReport {
            file,
            found: Vec::new(),
            most: MOST_FINDINGS,
        }
    }

    pub(crate) fn add(&mut self, lint: Lint, span: Span, message: impl Into<String>) -> bool {
        self.push(lint.at(self.file, span, message))
    }

    /// With a second place.
    pub(crate) fn labelled(
        &mut self,
        lint: Lint,
        span: Span,
        message: impl Into<String>,
        at: Span,
        label: &str,
    ) -> bool {
        self.push(lint.at(self.file, span, message).label(self.file, at, label))
    }

    /// With a line that says what to do.
    pub(crate) fn help(
        &mut self,
        lint: Lint,
        span: Span,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> bool {
        self.push(lint.at(self.file, span, message).help(help))
    }

    /// With a change that mends it.
    pub(crate) fn fix(
        &mut self,
        lint: Lint,
        span: Span,
        message: impl Into<String>,
        title: impl Into<String>,
        safety: Safety,
        edits: &[(Span, &str)],
    ) -> bool {
        let edits = edits.iter().map(|(span, text)| TextEdit {
            file: self.file,
            span: *span,
            text: (*text).to_string(),
        });
        let fix = FindingFix {
            title: title.into(),
            safety,
            edits: edits.collect(),
        };
        self.push(lint.at(self.file, span, message).fix(fix))
    }

    /// Keeps a finding unless there are enough; tells whether it did.
    pub(crate) fn push(&mut self, diagnostic: Diagnostic) -> bool {
        let room = !self.is_full();
        if room {
            self.found.push(diagnostic);
        }
        room
    }

    /// Adds a second place to what was kept last.
    pub(crate) fn label_last(&mut self, at: Span, label: &str) {
        if let Some(last) = self.found.pop() {
            let file = self.file;
            self.found.push(last.label(file, at, label));
        }
    }

    /// Adds a line that says what to do to what was kept last.
    pub(crate) fn help_last(&mut self, help: &str) {
        if let Some(last) = self.found.last_mut() {
            last.help = Some(help.to_owned());
        }
    }

    /// Whether there are as many findings as are kept.
    pub(crate) fn is_full(&self) -> bool {
        self.found.len() >= self.most
    }
}
