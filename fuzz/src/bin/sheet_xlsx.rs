#![no_main]

libfuzzer_sys::fuzz_target!(
    init: cardwright_fuzz::stay_on_this_thread(),
    |bytes: &[u8]| cw_laws::sheet_xlsx(bytes)
);
