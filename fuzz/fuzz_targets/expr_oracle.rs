//! The compiled form answers as the evaluator that walks the tree.
#![no_main]

use cw_expr::ast::Arena;
use cw_expr::oracle::{looks_at_identity, walk_repr};
use cw_expr::{Cause, Error, Limits, NoHost, Plain, Syntax, compile_ast, eval_repr, parse};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let limits = Limits::CARD;
    let arena = Arena::new();
    let Ok(expr) = parse(text, &arena, &Syntax::default(), &limits) else { return };
    if looks_at_identity(expr) {
        return;
    }
    let compiled = match compile_ast(expr, &Plain) {
        Ok(code) => eval_repr(&code, &mut NoHost, &limits),
        // Refused before it runs; the walker refuses when it comes there, if it does.
        Err(error) => {
            assert_eq!(error.cause, Cause::NotAvailable, "{error:?}");
            return;
        }
    };
    let Some(walked) = walk_repr(expr, &limits) else { return };
    // The two count their steps differently.
    let limited = |result: &Result<String, Error>| {
        result.as_ref().is_err_and(|error| matches!(error.name(), "LimitExceeded" | "RuntimeError"))
    };
    if !limited(&compiled) && !limited(&walked) {
        assert_eq!(compiled, walked);
    }
});
