//! Writes into a scenario file what really happens.

use cw_text::Span;

use crate::run::ScenarioReport;

/// The text of a TOML scenario file with the expectations of the reports' scenarios filled in;
/// everything else stays as it is, comments included. Tells how many places were changed.
pub fn bless<'r>(text: &str, reports: impl IntoIterator<Item = &'r ScenarioReport>) -> (String, usize) {
    let mut edits: Vec<(Span, &str)> = reports
        .into_iter()
        .flat_map(|report| &report.blessings)
        .map(|(span, text)| (*span, &**text))
        .collect();
    // The widest first where several begin alike: it says all that the others say.
    edits.sort_by_key(|(span, _)| (span.start, std::cmp::Reverse(span.end)));
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    let mut changed = 0;
    for (span, replacement) in edits {
        let range = span.range();
        if range.start < at || range.is_empty() {
            continue;
        }
        let (Some(before), Some(old)) = (text.get(at..range.start), text.get(range.clone())) else {
            continue;
        };
        changed += usize::from(old != replacement);
        out.push_str(before);
        out.push_str(replacement);
        at = range.end;
    }
    out.push_str(text.get(at..).unwrap_or_default());
    (out, changed)
}
