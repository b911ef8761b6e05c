//! Any text is checked without panic, in every setting, and its findings are shown and mended.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../crates/cw-check/tests/laws/mod.rs"]
#[expect(dead_code, reason = "other targets check the other laws")]
mod laws;

fuzz_target!(|text: &str| {
    laws::checking(text);
});
