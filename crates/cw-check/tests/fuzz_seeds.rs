//! What the fuzz targets start from holds their laws here too, and so does every prefix of it.

use cw_check::{Cards, Settings, check_file};
use cw_program::Manual;
use cw_syntax::{Arena, dump, format_rules, parse_python, parse_rules};
use cw_text::FileId;

fn seeds(name: &str) -> Vec<String> {
    let folder = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/seeds")).join(name);
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .expect("the seeds are in the repository")
        .map(|entry| entry.expect("a folder entry").path())
        .collect();
    paths.sort();
    let read = |path| String::from_utf8_lossy(&std::fs::read(path).expect("a seed can be read")).into_owned();
    paths.into_iter().map(read).collect()
}

fn tree(text: &str) -> String {
    let arena = Arena::new();
    let file = parse_rules(&arena, FileId(0), text);
    let dumps: String = file.rules.iter().map(|rule| dump(&rule.rule)).collect();
    dumps
        .to_lowercase()
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}

#[test]
fn rules_keep_the_laws() {
    for text in seeds("rules_check") {
        let arena = Arena::new();
        for (end, _) in text.char_indices().chain([(text.len(), ' ')]) {
            let text = &text[..end];
            let parsed = parse_rules(&arena, FileId(0), text);
            let checked = check_file(FileId(0), text, parsed, &Cards::default(), &Settings::default());
            assert!(
                checked
                    .diagnostics
                    .iter()
                    .all(|found| text.get(found.span.range()).is_some()),
                "{text}"
            );
            let formatted = format_rules(text, &Manual);
            assert_eq!(format_rules(&formatted, &Manual), formatted);
            assert_eq!(tree(&formatted), tree(text));
        }
    }
}

#[test]
fn scripts_are_read() {
    for text in seeds("rules_python") {
        let arena = Arena::new();
        assert_eq!(parse_python(&arena, FileId(0), &text).rules.len(), 2);
        for (end, _) in text.char_indices() {
            assert!(parse_python(&arena, FileId(0), &text[..end]).rules.len() <= 2);
        }
    }
}
