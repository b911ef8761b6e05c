//! Expressions.

use cw_expr::ast::Arena;
use cw_expr::oracle::{looks_at_identity, walk_repr};
use cw_expr::{
    CompileErrorKind, Error, ExprLimits, NoHost, PlainPython, Syntax, compile_ast, eval_repr, parse,
};
use cw_formula::{FormulaPlace, FormulaScope, compile, compile_group};

pub(crate) fn read(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Err(error) = parse(&text, &Arena::new(), &Syntax::default(), &ExprLimits::CARD) {
        assert!(text.get(error.span.range()).is_some(), "{error:?}");
    }
    for place in [FormulaPlace::Condition, FormulaPlace::Argument] {
        match compile(&text, &FormulaScope::new(place), &Arena::new()) {
            Ok(formula) => {
                let mut places = formula.findings.iter().map(|finding| finding.span);
                assert!(places.all(|span| text.get(span.range()).is_some()));
                let mut places = formula.filters.iter().map(|filter| filter.span);
                assert!(places.all(|span| text.get(span.range()).is_some()));
            }
            Err(finding) => assert!(text.get(finding.span.range()).is_some(), "{finding:?}"),
        }
    }
    if let Err(finding) = compile_group(&text, &FormulaScope::new(FormulaPlace::Condition), &Arena::new()) {
        assert!(text.get(finding.span.range()).is_some(), "{finding:?}");
    }
}

pub(crate) fn end(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let Ok(code) = cw_expr::compile(&text, &Syntax::default(), &PlainPython, &ExprLimits::CARD) else {
        return;
    };
    let first = eval_repr(&code, &mut NoHost, &ExprLimits::CARD);
    let second = eval_repr(&code, &mut NoHost, &ExprLimits::CARD);
    assert_eq!(first, second);
}

pub(crate) fn agree(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let limits = ExprLimits::CARD;
    let arena = Arena::new();
    let Ok(expr) = parse(&text, &arena, &Syntax::default(), &limits) else {
        return;
    };
    if looks_at_identity(expr) {
        return;
    }
    let compiled = match compile_ast(expr, &PlainPython) {
        Ok(code) => eval_repr(&code, &mut NoHost, &limits),
        // Refused before it runs; the walker refuses when it comes there, if it does.
        Err(error) => {
            assert_ne!(error.cause, CompileErrorKind::Limit, "{error:?}");
            return;
        }
    };
    let Some(walked) = walk_repr(expr, &limits) else {
        return;
    };
    // The two count their steps differently.
    let limited = |result: &Result<String, Error>| {
        result
            .as_ref()
            .is_err_and(|error| matches!(error.name(), "LimitExceeded" | "RuntimeError"))
    };
    if !limited(&compiled) && !limited(&walked) {
        assert_eq!(compiled, walked);
    }
}
