//! Any script is read without panic.
#![no_main]

use cw_syntax::{Arena, dump, parse_python};
use cw_text::FileId;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let arena = Arena::new();
    for rule in parse_python(&arena, FileId(0), text).rules {
        let _ = dump(&rule.rule);
    }
});
