//! The compiled form against the evaluator that walks the tree, and the corpus of fuzzing.

use std::path::Path;

use cw_expr::oracle::{looks_at_identity, walk_repr};
use cw_expr::{Error, Limits, NoHost, Plain, Syntax, compile, compile_ast, eval_repr, parse};

/// Compares the two; whether there was something to compare.
fn same(text: &str) -> bool {
    let limits = Limits {
        depth: 400,
        ..Limits::PROMPT
    };
    let Ok(expr) = parse(text, &Syntax::default(), &limits) else {
        return false;
    };
    let (Ok(code), false) = (compile_ast(&expr, &Plain), looks_at_identity(&expr)) else {
        return false;
    };
    let compiled = eval_repr(&code, &mut NoHost, &limits);
    let Some(walked) = walk_repr(&expr, &limits) else {
        return false;
    };
    let limited = |result: &Result<String, Error>| {
        result
            .as_ref()
            .is_err_and(|error| error.name() == "LimitExceeded")
    };
    if !limited(&compiled) && !limited(&walked) {
        assert_eq!(compiled, walked, "{text}");
    }
    true
}

/// R1031, R1047: the golden expressions have the same value both ways.
#[test]
fn compiled_and_walked_agree() {
    let worker = std::thread::Builder::new().stack_size(32 << 20).spawn(|| {
        let lines = include_str!("golden/answers.txt").lines();
        let texts = lines
            .filter_map(|line| line.split('\t').next())
            .filter(|text| !text.contains('\\'));
        texts.filter(|text| same(text)).count()
    });
    let compared = worker.expect("a thread can start").join().expect("no panic");
    assert!(compared > 5_000, "only {compared}");
}

/// R1046: what fuzzing found worth keeping ends without a panic.
#[test]
fn the_corpus_of_fuzzing_ends() {
    let seeds = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/seeds"));
    let mut files = 0;
    for target in ["expr_parse", "expr_eval", "expr_oracle"] {
        for entry in std::fs::read_dir(seeds.join(target))
            .expect("the corpus is there")
            .flatten()
        {
            let bytes = std::fs::read(entry.path()).expect("a seed can be read");
            let text = String::from_utf8_lossy(&bytes);
            files += 1;
            if let Ok(code) = compile(&text, &Syntax::default(), &Plain, &Limits::CARD) {
                let first = eval_repr(&code, &mut NoHost, &Limits::CARD);
                assert_eq!(first, eval_repr(&code, &mut NoHost, &Limits::CARD), "{text}");
            }
            same(&text);
        }
    }
    assert!(files >= 3, "only {files} seeds");
}
