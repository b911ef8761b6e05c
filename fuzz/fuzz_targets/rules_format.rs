//! The laws of the formatter: twice is once, the tree stays, and nothing is lost.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../crates/cw-check/tests/laws/mod.rs"]
#[expect(dead_code, reason = "other targets check the other laws")]
mod laws;

fuzz_target!(|text: &str| {
    laws::formatting(text);
});
