//! One function per finding. Each looks at the tree; names are looked up in the tables of
//! `cw-program`.

mod chain;
mod effects;
mod expressions;
mod flow;
mod heard;
mod later;
mod left_out;
mod moments;
mod never;
mod order;
mod phrases;
mod printed;
mod rule;
mod said;
mod said_amounts;
mod said_events;
mod said_kinds;
mod said_sides;
mod said_targets;
mod steps;
mod targets;
mod traps;
mod triggers;
mod void;

use cw_program::{CompiledRule as Program, PackageNames};
use cw_syntax::{Arena, Keys, Lint, RuleSyntax};
use cw_text::{Diagnostic, FileId, FindingFix, Safety, Span, TextEdit};

use crate::cards::KnownCard;
use crate::groups::{StatementGroup, groups};

pub(crate) use never::COUNTS_ITSELF;
pub(crate) use printed::card_text;

/// Everything a lint may look at.
pub(crate) struct Lints<'a, 'o> {
    file: FileId,
    text: &'a str,
    rule: &'o RuleSyntax<'a>,
    program: &'o Program,
    names: &'o dyn PackageNames,
    card: Option<&'o KnownCard>,
    keys: Keys<'a>,
    groups: &'a [StatementGroup<'a>],
    arena: &'a Arena,
    /// The rule's own text with its ASCII letters in lower case: as long as it is written.
    lower: &'a str,
    out: &'o mut Vec<Diagnostic>,
}

/// What surrounds a rule.
#[derive(Clone, Copy)]
pub(crate) struct Context<'a> {
    pub(crate) names: &'a dyn PackageNames,
    pub(crate) card: Option<&'a KnownCard>,
    /// Where what is found out about the rule lies.
    pub(crate) arena: &'a Arena,
}

/// Runs all lints on one rule and what it was compiled to. With `broken`, names were unknown, and what
/// follows from that is not reported.
pub(crate) fn run<'a>(
    file: FileId,
    text: &'a str,
    rule: &RuleSyntax<'a>,
    program: &Program,
    context: &Context<'a>,
    broken: bool,
    out: &mut Vec<Diagnostic>,
) {
    let lower = context.arena.alloc_str(&text[rule.span.range()]);
    lower.make_ascii_lowercase();
    let mut lints = Lints {
        file,
        text,
        rule,
        program,
        names: context.names,
        card: context.card,
        keys: rule.keys(),
        groups: groups(rule, context.arena),
        arena: context.arena,
        lower,
        out,
    };
    rule::run(&mut lints);
    targets::run(&mut lints);
    expressions::run(&mut lints);
    if !broken {
        triggers::run(&mut lints);
        flow::run(&mut lints);
        effects::run(&mut lints);
        traps::run(&mut lints);
        moments::run(&mut lints);
        order::run(&mut lints);
        chain::run(&mut lints);
        void::run(&mut lints);
        let said = said::SaidText::of(lints.card);
        never::run(&mut lints, said.as_ref());
        said_amounts::run(&mut lints, said.as_ref());
        let before = lints.out.len();
        if let Some(said) = &said {
            said_events::run(&mut lints, said);
            said_targets::run(&mut lints, said);
            said_sides::run(&mut lints, said);
            phrases::run(&mut lints, said);
            heard::run(&mut lints, said);
            steps::run(&mut lints, said);
            later::run(&mut lints, said);
            said_kinds::run(&mut lints, said);
            if lints.out.len() == before {
                left_out::run(&mut lints, said);
            }
        }
    }
}

impl Lints<'_, '_> {
    fn add(&mut self, lint: Lint, span: Span, message: impl Into<String>) -> &mut Diagnostic {
        self.out.push(lint.at(self.file, span, message));
        self.out.last_mut().expect("one was pushed")
    }

    fn help(&mut self, lint: Lint, span: Span, message: impl Into<String>, help: impl Into<String>) {
        self.add(lint, span, message).help = Some(help.into());
    }

    /// A finding that writes something else in its place mends.
    fn rewrite(&mut self, lint: Lint, span: Span, message: impl Into<String>, text: &str) -> &mut Diagnostic {
        let title = format!("write `{text}`");
        self.fix(lint, span, message, title, &[(span, text)])
    }

    /// A finding with a fix that nobody may apply unasked.
    fn fix(
        &mut self,
        lint: Lint,
        span: Span,
        message: impl Into<String>,
        title: impl Into<String>,
        edits: &[(Span, &str)],
    ) -> &mut Diagnostic {
        self.mend(lint, span, message, title, Safety::Unsafe, edits)
    }

    /// A finding with a fix that changes no meaning.
    fn safe_fix(
        &mut self,
        lint: Lint,
        span: Span,
        message: impl Into<String>,
        title: impl Into<String>,
        edits: &[(Span, &str)],
    ) -> &mut Diagnostic {
        self.mend(lint, span, message, title, Safety::Safe, edits)
    }

    fn mend(
        &mut self,
        lint: Lint,
        span: Span,
        message: impl Into<String>,
        title: impl Into<String>,
        safety: Safety,
        edits: &[(Span, &str)],
    ) -> &mut Diagnostic {
        let file = self.file;
        let edits = edits.iter().map(|(span, text)| TextEdit {
            file,
            span: *span,
            text: (*text).to_string(),
        });
        let fix = FindingFix {
            title: title.into(),
            safety,
            edits: edits.collect(),
        };
        let finding = self.add(lint, span, message);
        finding.fix = Some(fix);
        finding
    }
}
