//! Lines of a rule that belong into one: `trigger = attacks` and the `action` below it (R108, RS001).

use cw_program::event_name;
use cw_syntax::rs;
use cw_text::{Diagnostic, FileId, FindingFix, Safety, Span};

/// What an unknown key holds, and what its value becomes in front of the effects.
const KEYS: [(&[&str], OwnLine); 3] = [
    (
        &["trigger", "triggers", "event", "events", "when", "whenever", "on"],
        OwnLine::Event,
    ),
    (&["cost", "costs", "price", "pay", "payment"], OwnLine::Cost),
    (
        &[
            "condition",
            "conditions",
            "if",
            "require",
            "requires",
            "only if",
            "requirement",
        ],
        OwnLine::Condition,
    ),
];

/// What stands in a line of its own.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OwnLine {
    Event,
    Cost,
    Condition,
}

/// Offers to write a line with an unknown key and the `action` behind it as one.
pub(crate) fn joins_keys(file: FileId, text: &str, found: &mut [Diagnostic]) {
    for one in found
        .iter_mut()
        .filter(|one| one.code.0 == rs::RS001.code && one.fix.is_none())
    {
        let Some(joined) = joined(text, one.span) else {
            continue;
        };
        one.fix = Some(FindingFix::one(
            "write both lines as one",
            Safety::Unsafe,
            file,
            joined.0,
            joined.1,
        ));
    }
}

/// The two lines up to the effects, and what stands in their place.
fn joined(text: &str, key: Span) -> Option<(Span, String)> {
    let written = text.get(key.range())?.to_lowercase();
    let (_, what) = KEYS.iter().find(|(words, _)| words.contains(&written.as_str()))?;
    let rest = &text[key.end as usize..];
    let (line, below) = rest.split_once('\n')?;
    let value = line.trim_start().strip_prefix('=')?.trim();
    if value.contains('#') || value.is_empty() {
        return None;
    }
    let next = below.trim_start_matches([' ', '\t', '\r']);
    let behind = next
        .get(..6)
        .filter(|key| key.eq_ignore_ascii_case("action"))
        .map(|_| &next[6..])?;
    let effects = behind
        .trim_start()
        .strip_prefix('=')?
        .trim_start_matches([' ', '\t']);
    let end = text.len() - effects.len();
    let span = Span::new(key.start as usize, end);
    let front = match what {
        OwnLine::Event => {
            let events = value.trim_matches(['~', '?', '"', '\'', ' ']);
            let known = events.split(',').all(|event| {
                let name = event.split(':').next().unwrap_or_default();
                event_name(name.trim()).is_some()
            });
            if !known || effects.starts_with(['{', '~', '?']) {
                return None;
            }
            format!("auto = ~{events}~ ")
        }
        OwnLine::Cost => {
            let is_cost = value.starts_with('{') && value.trim_end_matches(':').trim_end().ends_with('}');
            if !is_cost || effects.starts_with('{') {
                return None;
            }
            format!("action = {}: ", value.trim_end_matches(':').trim_end())
        }
        OwnLine::Condition => {
            let is_plain =
                !value.contains(['[', ']', '{', '@', '~', ';']) && !effects.starts_with(['{', '[']);
            if !is_plain {
                return None;
            }
            format!("action = [[if {value}]] ")
        }
    };
    Some((span, front))
}
