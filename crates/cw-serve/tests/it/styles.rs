//! Laws of the style sheets.

use std::fs;
use std::path::Path;

/// The style sheets under a folder, with their names.
fn sheets(folder: &Path, found: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sheets(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "css") {
            found.push((path.display().to_string(), fs::read_to_string(&path).unwrap()));
        }
    }
}

/// A `:has()` on what holds the whole page, if it looks for something at any depth, makes the browser ask
/// again after every change anywhere, and style every element anew where the answer differs. So its argument
/// begins at a child (`> …`), and at the duel's table and its near half it ends there: what rules of the
/// table hang on deeper down, the page's script marks with a class (`has-…`). On a part of the page (a
/// prompt, a bar) it may look at any depth.
#[test]
fn whole_pages_do_not_look_for_something_at_any_depth() {
    let mut found = Vec::new();
    sheets(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("../cw-pages/assets"),
        &mut found,
    );
    assert!(found.len() >= 2, "{found:?}");
    let mut looked_at = 0;
    for (name, sheet) in found {
        for (at, _) in sheet.match_indices(":has(") {
            let compound = sheet[..at]
                .rsplit(|one: char| one.is_whitespace() || matches!(one, '{' | '}' | ',' | '>' | '+' | '~'))
                .next()
                .unwrap();
            let whole = compound
                .split(['.', '#', ':', '['])
                .any(|part| matches!(part, "root" | "html" | "body" | "table" | "near"));
            if whole {
                looked_at += 1;
                let argument = sheet[at + ":has(".len()..].trim_start();
                let line = sheet[..at].lines().count();
                let shown: String = argument.chars().take(40).collect();
                assert!(argument.starts_with('>'), "{name}:{line}: {compound}:has({shown}");
                let ends = argument.split(')').next().unwrap_or(argument);
                let duel = compound.contains(".table") || compound.contains(".near");
                assert!(
                    !duel || ends.split_whitespace().count() <= 2,
                    "{name}:{line}: {compound}:has({shown}: mark it by a class"
                );
            }
        }
    }
    assert!(looked_at >= 3, "the law looks at something: {looked_at}");
}
