//! A text in which little changed: what was found in all other rules is kept.

use std::sync::Arc;

use cw_text::{Diagnostic, FileId, Span, offset};

use crate::cards::KnownCards;
use crate::check::{CheckedFile, CheckedRule, MOST_IN_RULE, check_part};
use crate::settings::SeveritySettings;

/// A text longer than this is read anew: how long texts may be is looked at there.
const LONGEST: usize = 1 << 24;

/// Checks a `.rules` file that was checked before, with another text: only rules in which something changed.
/// The rest is what [`check_part`] gives for all of its parts, since rules know nothing of each other.
///
/// Nothing if all has to be checked: most of it changed, or there is so much to tell that limits count.
pub fn check_again(
    file: FileId,
    (before, checked): (&str, &CheckedFile),
    text: &str,
    cards: &KnownCards,
    settings: &SeveritySettings,
) -> Option<CheckedFile> {
    if before.len().max(text.len()) > LONGEST || checked.diagnostics.len() >= MOST_IN_RULE {
        return None;
    }
    let same = SameEnds::of(before, text);
    let rules = &checked.rules;
    // A rule ends where the line of another card begins: that line did not change either, nor what stands in
    // front of it.
    let headers = rules.partition_point(|rule| (rule.body.start as usize) < same.front);
    let front = headers.saturating_sub(1);
    let behind = before.len() - same.back;
    let back = 1 + rules.partition_point(|rule| (rule.body.end as usize) <= behind);
    let start_of = |index: usize| match index.checked_sub(1) {
        None => 0,
        Some(last) => rules[last].body.end as usize,
    };
    let back = back.max(front + 1).min(rules.len());
    let from = start_of(front);
    let to_before = match back < rules.len() {
        true => start_of(back),
        false => before.len(),
    };
    let to = text.len() - (before.len() - to_before);
    if to < from || to - from > text.len() / 2 {
        return None;
    }
    let changed = check_part(file, text, Span::new(from, to), cards, settings);
    let (from, to_before, to) = (offset(from), offset(to_before), offset(to));
    let found = &checked.diagnostics;
    let kept = found.partition_point(|one| one.span.start < from);
    let first_behind = found.partition_point(|one| one.span.start < to_before);
    let moved = |at: u32| at - to_before + to;
    let is_front = |span: Span| span.end <= from;
    let is_behind = |span: Span| span.start >= to_before;
    // Of a place between two rules nobody knows which of them it belongs to.
    let is_between = |one: &Diagnostic| one.span.is_empty();
    let mut between = found[first_behind..]
        .iter()
        .take_while(|one| one.span.start == to_before)
        .chain(found[kept..].iter().take_while(|one| one.span.start == from));
    if between.any(is_between)
        || !found[..kept].iter().all(|one| is_within(file, one, is_front))
        || !found[first_behind..]
            .iter()
            .all(|one| is_within(file, one, is_behind))
    {
        return None;
    }
    let shift = |span: Span| Span::between(moved(span.start), moved(span.end));
    let mut all = CheckedFile {
        rules: rules[..front].to_vec(),
        diagnostics: found[..kept].to_vec(),
    };
    all.rules.extend(changed.rules);
    all.rules.extend(rules[back..].iter().map(|rule| CheckedRule {
        header: shift(rule.header),
        body: shift(rule.body),
        program: rule.program.as_ref().map(Arc::clone),
        moved: rule.moved + to as isize - to_before as isize,
        ..*rule
    }));
    all.diagnostics.extend(changed.diagnostics);
    let behind = found[first_behind..]
        .iter()
        .map(|one| one.clone().moved(file, shift));
    all.diagnostics.extend(behind);
    (all.diagnostics.len() < MOST_IN_RULE).then_some(all)
}

/// Whether all places of a finding in its file are such ones.
pub(crate) fn is_within(file: FileId, found: &Diagnostic, is_there: impl Fn(Span) -> bool) -> bool {
    let edits = found.fix.iter().flat_map(|fix| &fix.edits);
    let edits = edits.map(|edit| (edit.file, edit.span));
    let labels = found.labels.iter().map(|label| (label.file, label.span));
    let mut others = edits.chain(labels).filter(|(other, _)| *other == file);
    is_there(found.span) && others.all(|(_, span)| is_there(span))
}

/// How many bytes two texts have in common at both ends; no byte counts twice, and ends lie between letters.
struct SameEnds {
    front: usize,
    back: usize,
}

impl SameEnds {
    fn of(one: &str, other: &str) -> SameEnds {
        let (a, b) = (one.as_bytes(), other.as_bytes());
        let least = a.len().min(b.len());
        let mut front = same(a[..least].chunks(CHUNK), b[..least].chunks(CHUNK), |a, b| {
            a.iter().zip(b).take_while(|(a, b)| a == b).count()
        });
        while !one.is_char_boundary(front) || !other.is_char_boundary(front) {
            front -= 1;
        }
        let (a, b) = (&a[front..], &b[front..]);
        let mut back = same(a.rchunks(CHUNK), b.rchunks(CHUNK), |a, b| {
            let pairs = a.iter().rev().zip(b.iter().rev());
            pairs.take_while(|(a, b)| a == b).count()
        });
        while !one.is_char_boundary(one.len() - back) {
            back -= 1;
        }
        SameEnds { front, back }
    }
}

/// Bytes that are compared at once.
const CHUNK: usize = 256;

/// How many bytes of the chunks are the same; `in_chunk` counts those of two that differ.
fn same<'t>(
    one: impl Iterator<Item = &'t [u8]>,
    other: impl Iterator<Item = &'t [u8]>,
    in_chunk: impl Fn(&[u8], &[u8]) -> usize,
) -> usize {
    let mut count = 0;
    for (a, b) in one.zip(other) {
        if a != b {
            return count + in_chunk(a, b);
        }
        count += a.len();
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(one: &str, other: &str, front: usize, back: usize) {
        let same = SameEnds::of(one, other);
        assert_eq!((same.front, same.back), (front, back), "{one:?} {other:?}");
    }

    #[test]
    fn what_two_texts_have_in_common_counts_once() {
        check("abc", "abc", 3, 0);
        check("aa", "aaa", 2, 0);
        check("abxcd", "abycd", 2, 2);
        check("", "a", 0, 0);
        // Both letters begin, or end, with the same byte.
        check("é", "è", 0, 0);
        check("xĨy", "xèy", 1, 1);
        let long = "abc".repeat(1000);
        check(&long, &format!("{long}d{long}"), 3000, 0);
        check(&format!("x{long}"), &format!("y{long}"), 0, 3000);
    }
}
