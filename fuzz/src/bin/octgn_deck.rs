#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| cw_laws::octgn_deck(bytes));
