//! The compiled form against the evaluator that walks the tree.

use cw_expr::ast::Arena;
use cw_expr::oracle::{looks_at_identity, walk_repr};
use cw_expr::{Error, ExprLimits, NoHost, PlainPython, Syntax, compile, compile_ast, eval_repr, parse};

/// Compares the two; whether there was something to compare.
fn same(text: &str, limits: &ExprLimits) -> bool {
    let arena = Arena::new();
    let Ok(expr) = parse(text, &arena, &Syntax::default(), limits) else {
        return false;
    };
    let (Ok(code), false) = (compile_ast(expr, &PlainPython), looks_at_identity(expr)) else {
        return false;
    };
    let compiled = eval_repr(&code, &mut NoHost, limits);
    let Some(walked) = walk_repr(expr, limits) else {
        return false;
    };
    let limited = |result: &Result<String, Error>| {
        result
            .as_ref()
            .is_err_and(|error| matches!(error.name(), "LimitExceeded" | "RuntimeError"))
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
        texts.filter(|text| same(text, &ExprLimits::PROMPT)).count()
    });
    let compared = worker.expect("a thread can start").join().expect("no panic");
    assert!(compared > 5_000, "only {compared}");
}

/// A small generator of numbers, the same everywhere.
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit.max(1)
    }
}

/// Pieces of golden expressions, joined and nested at random.
fn mutant(texts: &[&str], chance: &mut Chance) -> String {
    const JOINTS: [&str; 14] = [
        " + ",
        " * ",
        " % ",
        ", ",
        " in ",
        " if 1 else ",
        ")(",
        "][",
        ".",
        " and ",
        " for x in ",
        "**",
        ": ",
        " < ",
    ];
    const WRAPS: [(&str, &str); 8] = [
        ("[", "]"),
        ("(", ")"),
        ("{", "}"),
        ("`", "`"),
        ("sorted(", ")"),
        ("[x for x in ", "]"),
        ("repr(", ")"),
        ("list(", ")"),
    ];
    let piece = |chance: &mut Chance| {
        let text = texts[chance.below(texts.len())];
        let cuts: Vec<usize> = text
            .char_indices()
            .map(|(at, _)| at)
            .chain([text.len()])
            .collect();
        let (a, b) = (chance.below(cuts.len()), chance.below(cuts.len()));
        if chance.below(3) == 0 {
            text[cuts[a.min(b)]..cuts[a.max(b)]].to_owned()
        } else {
            text.to_owned()
        }
    };
    let mut out = piece(chance);
    for _ in 0..chance.below(4) {
        if chance.below(2) == 0 {
            let (open, close) = WRAPS[chance.below(WRAPS.len())];
            out = format!("{open}{out}{close}");
        } else {
            out = format!("{out}{}{}", JOINTS[chance.below(JOINTS.len())], piece(chance));
        }
    }
    out
}

/// R1046: random texts end within the limits of a card, on an ordinary stack, twice with the same
/// answer, and the walker agrees.
#[test]
fn random_texts_end_and_agree() {
    let texts: Vec<&str> = include_str!("golden/answers.txt")
        .lines()
        .filter_map(|line| line.split('\t').next())
        .filter(|text| !text.contains('\\'))
        .collect();
    let mut chance = Chance(2_026);
    let (mut ran, mut compared) = (0, 0);
    for _ in 0..20_000 {
        let text = mutant(&texts, &mut chance);
        if let Ok(code) = compile(&text, &Syntax::default(), &PlainPython, &ExprLimits::CARD) {
            let first = eval_repr(&code, &mut NoHost, &ExprLimits::CARD);
            assert_eq!(first, eval_repr(&code, &mut NoHost, &ExprLimits::CARD), "{text}");
            ran += 1;
        }
        compared += usize::from(same(&text, &ExprLimits::CARD));
    }
    assert!(ran > 1_000 && compared > 500, "{ran} ran, {compared} compared");
}
