//! Every text ends within the limits of a card, twice with the same answer.
#![no_main]

use cw_expr::{Limits, NoHost, Plain, Syntax, compile, eval_repr};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok(code) = compile(text, &Syntax::default(), &Plain, &Limits::CARD) else { return };
    let first = eval_repr(&code, &mut NoHost, &Limits::CARD);
    let second = eval_repr(&code, &mut NoHost, &Limits::CARD);
    assert_eq!(first, second);
});
