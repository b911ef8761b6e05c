//! Answers of Python 2.7.18, produced beforehand by `golden/expressions.py` and `golden/systematic.py`.

use cw_expr::{ExprLimits, NoHost, PlainPython, Syntax, compile, eval_repr};

fn unescape(text: &str) -> String {
    let mut out = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        out.push(match (c, c == '\\') {
            (_, true) => match chars.next() {
                Some('t') => '\t',
                Some('n') => '\n',
                Some('r') => '\r',
                _ => '\\',
            },
            (c, false) => c,
        });
    }
    out
}

fn evaluate(text: &str) -> String {
    let limits = ExprLimits::PROMPT;
    let failed = |name: &str, message: String| format!("!{name}: {message}");
    match compile(text, &Syntax::default(), &PlainPython, &limits) {
        Ok(code) => match eval_repr(&code, &mut NoHost, &limits) {
            Ok(shown) => shown,
            Err(error) => failed(error.name(), error.message()),
        },
        Err(error) => failed(error.name(), error.text()),
    }
}

fn compare() {
    let mut wrong = Vec::new();
    let mut count = 0;
    let tables = [
        include_str!("golden/answers.txt"),
        include_str!("golden/systematic.txt"),
    ];
    for line in tables.into_iter().flat_map(str::lines) {
        let (text, wanted) = line.split_once('\t').expect("expression, tab, answer");
        let (text, wanted) = (unescape(text), unescape(wanted));
        count += 1;
        let got = evaluate(&text);
        if got != wanted {
            wrong.push(format!("{text}\n    wanted {wanted}\n    got    {got}"));
        }
    }
    assert_eq!(count, 26_596, "as the README says");
    assert!(
        wrong.is_empty(),
        "{} of {count} differ:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

/// D40, R1030 to R1035, R1040, R1041, R1042, R1045: syntax, operators, built-ins, methods and formats.
#[test]
fn answers_are_those_of_python_2_7() {
    let worker = std::thread::Builder::new().stack_size(32 << 20);
    let worker = worker.spawn(compare).expect("a thread can start");
    if let Err(panic) = worker.join() {
        std::panic::resume_unwind(panic);
    }
}
