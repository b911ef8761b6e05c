//! Any text is a query or an error at a place in it.
#![no_main]

use std::sync::LazyLock;

use cw_octgn::{MemoryFiles, Package, Query, forms};
use libfuzzer_sys::fuzz_target;

const DEFINITION: &str = include_str!("../seeds/definition.xml");
const SET: &str = include_str!("../seeds/octgn_set/sound.xml");

static PACKAGE: LazyLock<Package> = LazyLock::new(|| {
    let files = MemoryFiles::new().with("definition.xml", DEFINITION).with("Sets/s/set.xml", SET);
    Package::read(&files).expect("memory can be read")
});

fuzz_target!(|text: &str| {
    match Query::parse(text, &PACKAGE.definition) {
        Ok(query) => {
            forms(&PACKAGE).filter(|form| query.matches(form)).count();
        }
        Err(error) => assert!(text.get(error.span.range()).is_some()),
    }
});
