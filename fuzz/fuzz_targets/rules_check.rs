//! Any text is read and checked without panic, and every span lies in it.
#![no_main]

use cw_check::{Cards, Settings, check_file};
use cw_syntax::{Arena, parse_rules};
use cw_text::FileId;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let arena = Arena::new();
    let parsed = parse_rules(&arena, FileId(0), text);
    let checked = check_file(FileId(0), text, parsed, &Cards::default(), &Settings::default());
    for found in checked.diagnostics {
        assert!(text.get(found.span.range()).is_some(), "{found:?}");
    }
});
