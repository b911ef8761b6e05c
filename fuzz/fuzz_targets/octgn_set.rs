//! Any bytes are a set.xml: they are read, checked, and what is made of them is written and read back.
#![no_main]

use cw_octgn::{MemoryFiles, Package, check, write_set};
use cw_text::Severity;
use libfuzzer_sys::fuzz_target;

const DEFINITION: &str = include_str!("../seeds/definition.xml");

fuzz_target!(|bytes: &[u8]| {
    let files = |set: Vec<u8>| MemoryFiles::new().with("definition.xml", DEFINITION).with("Sets/s/set.xml", set);
    let package = Package::read(&files(bytes.to_vec())).expect("memory can be read");
    check(&package);
    let errors = package.diagnostics.iter().any(|finding| finding.severity == Severity::Error);
    if let Some(set) = package.sets.first().filter(|_| !errors) {
        let again = Package::read(&files(write_set(set).into_bytes())).expect("memory can be read");
        assert_eq!(again.sets.first(), Some(set));
    }
});
