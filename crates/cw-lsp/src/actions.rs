//! Fixes of findings, and the layout of rules.

use cw_load::Language;
use cw_program::Manual;
use cw_text::{Diagnostic, FileId, FindingFix, Safety, Span, apply_fixes};
use serde_json::{Map, Value, json};

use crate::protocol::TextRange;
use crate::told::{GamePlaces, changes};

/// The kind of the action that applies every safe fix of a text.
pub(crate) const FIX_ALL: &str = "source.fixAll.cardwright";

/// What can be done about the findings in a stretch. `only` names the kinds that are wanted.
pub(crate) fn actions(
    places: &GamePlaces<'_>,
    file: FileId,
    range: TextRange,
    only: Option<&[String]>,
) -> Vec<Value> {
    let is_wanted = |kind: &str| match only {
        None => true,
        Some(only) => only.iter().any(|one| {
            let is_part = kind.strip_prefix(one.as_str());
            is_part.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        }),
    };
    let span = places.span(file, range);
    let mut all = Vec::new();
    if is_wanted("quickfix") {
        let here = places
            .read
            .tried(|one| one.file == file && one.span.touches(span));
        all.extend(here.iter().filter_map(|one| fix(places, one)));
    }
    // Editors that list actions without being asked for a kind would show it at every caret.
    if only.is_some() && is_wanted(FIX_ALL) {
        all.extend(fix_all(places, file));
    }
    all
}

fn fix(places: &GamePlaces<'_>, one: &Diagnostic) -> Option<Value> {
    let FindingFix { title, safety, edits } = one.fix.as_ref()?;
    let mut by_file: Map<String, Value> = Map::new();
    for edit in edits {
        let told = json!({ "range": places.range(edit.file, edit.span), "newText": edit.text });
        let list = by_file.entry(places.uri(edit.file)).or_insert_with(|| json!([]));
        if let Value::Array(list) = list {
            list.push(told);
        }
    }
    let is_safe = *safety == Safety::Safe;
    let title = match is_safe {
        true => title.clone(),
        false => format!("{title} (unsafe: look at the result)"),
    };
    Some(json!({
        "title": title,
        "kind": "quickfix",
        "isPreferred": is_safe,
        "diagnostics": [places.finding(one, false)],
        "edit": { "changes": by_file },
    }))
}

fn is_safe_in(fix: &FindingFix, file: FileId) -> bool {
    fix.safety == Safety::Safe && fix.edits.iter().any(|edit| edit.file == file)
}

fn fix_all(places: &GamePlaces<'_>, file: FileId) -> Option<Value> {
    let source = places.read.sources.find(file)?;
    let tried = places
        .read
        .tried(|one| one.fix.as_ref().is_some_and(|fix| is_safe_in(fix, file)));
    let (text, count) = apply_fixes(file, &source.text, &tried, Safety::Safe);
    if count == 0 {
        return None;
    }
    let uri = places.uri(file);
    Some(json!({
        "title": format!("Apply {} of this file", cw_text::count(count, "safe fix")),
        "kind": FIX_ALL,
        "edit": { "changes": { uri: edits(places, file, changes(&source.text, &text)) } },
    }))
}

fn edits(places: &GamePlaces<'_>, file: FileId, changes: Vec<(Span, String)>) -> Value {
    let all = changes.into_iter().map(|(span, text)| {
        let range = places.range(file, span);
        json!({ "range": range, "newText": text })
    });
    all.collect()
}

/// The changes that lay out a file of rules; nothing for other texts. Of a stretch only changes in it are
/// given.
pub(crate) fn layout(places: &GamePlaces<'_>, file: FileId, range: Option<TextRange>) -> Option<Value> {
    let source = places.read.sources.find(file)?;
    if Language::in_package(&source.name) != Some(Language::Rules) {
        return None;
    }
    let laid_out = cw_syntax::format_rules(&source.text, &Manual);
    let mut all = changes(&source.text, &laid_out);
    if let Some(range) = range {
        let wanted = places.span(file, range);
        all.retain(|(span, _)| span.touches(wanted));
    }
    Some(edits(places, file, all))
}
