//! The two laws of the formatter: twice is once, and the tree stays.
#![no_main]

use cw_program::Manual;
use cw_syntax::{Arena, dump, format_rules, parse_rules};
use cw_text::FileId;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let formatted = format_rules(text, &Manual);
    assert_eq!(format_rules(&formatted, &Manual), formatted);
    assert_eq!(tree(&formatted), tree(text));
});

/// The trees without case and blanks.
fn tree(text: &str) -> String {
    let arena = Arena::new();
    let file = parse_rules(&arena, FileId(0), text);
    let dumps: String = file.rules.iter().map(|rule| dump(&rule.rule)).collect();
    dumps.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
}
