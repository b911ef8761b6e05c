//! One slip gives one message: findings that another one explains are dropped.

use std::collections::BTreeMap;

use cw_syntax::rs;
use cw_text::{Diagnostic, Severity, Span};

/// Drops from what compiling found what follows from text that could not be read: names next to it,
/// warnings in its line, and expressions that a lost bracket cuts.
pub(crate) fn drop_of_parser(text: &str, of_parser: &[Diagnostic], out: &mut Vec<Diagnostic>) {
    if of_parser.is_empty() || out.is_empty() {
        return;
    }
    // The errors of each line, by where it starts.
    let mut lines: BTreeMap<u32, (Span, Vec<&Diagnostic>)> = BTreeMap::new();
    // A line may be long and hold many errors, which come in order: it is looked for once.
    let mut here = Span::at(0);
    for error in of_parser.iter().filter(|found| found.severity == Severity::Error) {
        if here.is_empty() || error.span.start < here.start || error.span.end > here.end {
            here = line(text, error.span);
        }
        lines
            .entry(here.start)
            .or_insert((here, Vec::new()))
            .1
            .push(error);
    }
    out.retain(|found| {
        let line = lines.range(..=found.span.start).next_back();
        let Some((_, (_, errors))) = line.filter(|(_, (line, _))| found.span.end <= line.end) else {
            return true;
        };
        let next = |error: &&Diagnostic| {
            found.span.start <= error.span.end + 1 && error.span.start <= found.span.end + 1
        };
        let cut = found.code.0 == rs::RS038.code && errors.iter().any(|error| error.code.0 == rs::RS047.code);
        found.severity == Severity::Error && !cut && !errors.iter().any(next)
    });
}

/// Drops from `out[own..]`, which looks at a rule as a whole, what may follow from the errors in it: all
/// that is no error itself, and that there seems to be nothing in the rule.
pub(crate) fn drop_of_errors(out: &mut Vec<Diagnostic>, own: usize) {
    let mut index = 0;
    out.retain(|found| {
        index += 1;
        let is_error = found.severity == Severity::Error && found.code.0 != rs::RS008.code;
        index <= own || is_error
    });
}

fn line(text: &str, span: Span) -> Span {
    let (start, end) = (span.start as usize, span.end as usize);
    let before = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let behind = text[end..].find('\n').map_or(text.len(), |at| end + at);
    Span::new(before, behind)
}
