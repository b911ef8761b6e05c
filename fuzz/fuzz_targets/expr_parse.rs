//! Any bytes are an expression or a fault at a place in them, as plain Python and as RuleScript.
#![no_main]

use cw_expr::{Limits, Syntax, parse};
use cw_formula::{Arena, Place, Scope, compile, compile_group};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    if let Err(error) = parse(&text, &Arena::new(), &Syntax::default(), &Limits::CARD) {
        assert!(text.get(error.span.range()).is_some(), "{error:?}");
    }
    for place in [Place::Condition, Place::Argument] {
        match compile(&text, &Scope::new(place), &Arena::new()) {
            Ok(formula) => {
                assert!(formula.findings.iter().all(|finding| text.get(finding.span.range()).is_some()));
                assert!(formula.filters.iter().all(|filter| text.get(filter.span.range()).is_some()));
            }
            Err(finding) => assert!(text.get(finding.span.range()).is_some(), "{finding:?}"),
        }
    }
    if let Err(finding) = compile_group(&text, &Scope::new(Place::Condition), &Arena::new()) {
        assert!(text.get(finding.span.range()).is_some(), "{finding:?}");
    }
});
