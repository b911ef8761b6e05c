//! Any text is a query or an error at a place in it.
#![no_main]

use cw_octgn::{MemoryFiles, Package, Query, forms};
use libfuzzer_sys::fuzz_target;

const DEFINITION: &str = include_str!("../seeds/definition.xml");
const SET: &str = include_str!("../seeds/octgn_set/sound.xml");

fuzz_target!(|text: &str| {
    let files = MemoryFiles::new().with("definition.xml", DEFINITION).with("Sets/s/set.xml", SET);
    let package = Package::read(&files).expect("memory can be read");
    match Query::parse(text, &package.definition) {
        Ok(query) => {
            forms(&package).filter(|form| query.matches(form)).count();
        }
        Err(error) => assert!(text.get(error.span.range()).is_some()),
    }
});
