//! Any bytes are a deck: what is made of them is written and read back.
#![no_main]

use cw_octgn::{Deck, Limits, write_deck};
use cw_text::Sources;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let read = |bytes: Vec<u8>| Deck::read("d.o8d", bytes, &Limits::default(), &mut Sources::new()).0;
    if let Some(deck) = read(bytes.to_vec()) {
        let again = read(write_deck(&deck).into_bytes()).expect("what is written can be read");
        assert_eq!(again.sections, deck.sections);
    }
});
