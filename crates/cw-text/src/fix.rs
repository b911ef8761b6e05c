use std::collections::BTreeMap;

use crate::{Diagnostic, FileId, Safety, Span, TextEdit};

/// Applies the fixes of findings about one file to its text. Unsafe ones only where `allowed` is
/// [`Safety::Unsafe`]. Of fixes that touch each other the first wins; check again and apply again
/// until nothing is left. Returns the new text and how many fixes were applied.
pub fn apply_fixes(file: FileId, text: &str, found: &[Diagnostic], allowed: Safety) -> (String, usize) {
    let mut edits: BTreeMap<Span, &TextEdit> = BTreeMap::new();
    let mut applied = 0;
    for fix in found.iter().filter_map(|one| one.fix.as_ref()) {
        let fits = fix.safety <= allowed
            && fix
                .edits
                .iter()
                .all(|edit| edit.file == file && in_text(text, edit))
            && fix.edits.iter().all(|edit| is_free(&edits, edit.span));
        if fits {
            edits.extend(fix.edits.iter().map(|edit| (edit.span, edit)));
            applied += 1;
        }
    }
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for edit in edits.into_values() {
        out.push_str(&text[at..edit.span.start as usize]);
        out.push_str(&edit.text);
        at = edit.span.end as usize;
    }
    out.push_str(&text[at..]);
    (out, applied)
}

/// Whether no edit touches a span. Edits do not overlap, so only the last one that starts before the
/// span's end can.
fn is_free(edits: &BTreeMap<Span, &TextEdit>, span: Span) -> bool {
    let reach = Span::between(span.end, u32::MAX);
    let last = edits.range(..=reach).next_back();
    last.is_none_or(|(taken, _)| !taken.touches(span))
}

fn in_text(text: &str, edit: &TextEdit) -> bool {
    edit.span.start <= edit.span.end
        && text.is_char_boundary(edit.span.start as usize)
        && text.is_char_boundary(edit.span.end as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FindingCode, FindingFix, Severity};

    fn finding(span: Span, text: &str, safety: Safety) -> Diagnostic {
        let file = FileId(0);
        let edit = TextEdit {
            file,
            span,
            text: text.to_string(),
        };
        Diagnostic::new(FindingCode("XX001"), Severity::Error, file, span, "wrong").fix(FindingFix {
            title: "mend it".to_string(),
            safety,
            edits: vec![edit],
        })
    }

    #[test]
    fn fixes_that_touch_wait_for_the_next_round() {
        let found = [
            finding(Span::new(0, 2), "A", Safety::Safe),
            finding(Span::new(1, 3), "B", Safety::Safe),
            finding(Span::new(4, 5), "C", Safety::Unsafe),
        ];
        assert_eq!(
            apply_fixes(FileId(0), "abcdef", &found, Safety::Safe),
            ("Acdef".to_string(), 1)
        );
        assert_eq!(
            apply_fixes(FileId(0), "abcdef", &found, Safety::Unsafe),
            ("AcdCf".to_string(), 2)
        );
        assert_eq!(
            apply_fixes(FileId(0), "", &found, Safety::Unsafe),
            (String::new(), 0)
        );
    }
}
