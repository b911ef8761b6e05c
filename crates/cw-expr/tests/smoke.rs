//! A first look: ordinary expressions, and the bad input that must end at once.

use cw_expr::{ExprLimits, NoHost, PlainPython, Syntax, compile, eval_repr};

/// Evaluates on a stack as large as the limits ask for.
fn run(text: &str) -> String {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(32 << 20);
        thread
            .spawn_scoped(scope, || run_here(text))
            .expect("a thread can start")
            .join()
            .expect("no panic")
    })
}

fn run_here(text: &str) -> String {
    let limits = ExprLimits::PROMPT;
    match compile(text, &Syntax::default(), &PlainPython, &limits) {
        Ok(code) => match eval_repr(&code, &mut NoHost, &limits) {
            Ok(shown) => shown,
            Err(error) => error.to_string(),
        },
        Err(error) => error.to_string(),
    }
}

#[track_caller]
fn check(text: &str, wanted: &str) {
    assert_eq!(run(text), wanted, "{text}");
}

/// Numbers divide, become long, round and compare as in Python 2 (R1030, R1031, R1034).
#[test]
fn numbers() {
    check("7 / 2, -7 / 2, -7 % 3, 2 ** 3 ** 2", "(3, -4, 2, 512)");
    check(
        "2 ** 64, 9223372036854775807 + 1, -9223372036854775808",
        "(18446744073709551616L, 9223372036854775808L, -9223372036854775808)",
    );
    check(
        "round(2.5), round(-0.5), 1 / 3.0",
        "(3.0, -1.0, 0.3333333333333333)",
    );
    check("1 < 2 < 3 and not 4 <> 4", "True");
}

/// Comprehensions, lambdas and generators have the scopes of Python 2 (D40).
#[test]
fn scopes_follow_python_2() {
    check("[x for x in range(3)], x", "([0, 1, 2], 2)");
    check("[f() for f in [lambda: x for x in range(3)]]", "[2, 2, 2]");
    check(
        "(lambda a, (b, c), *d, **e: (a, b, c, d, e))(1, (2, 3), 4, f=5)",
        "(1, 2, 3, (4,), {'f': 5})",
    );
    check(
        "list(x + y for x in range(2) for y in range(2) if x != y)",
        "[1, 1]",
    );
    check(
        "(lambda f, n: f(f, n))(lambda f, n: 1 if n < 2 else n * f(f, n - 1), 20)",
        "2432902008176640000",
    );
    check(
        "{k: v for k, v in zip('abc', range(3))}",
        "{'a': 0, 'c': 2, 'b': 1}",
    );
}

/// R1031: each level binds looser than the next, the levels in order, and `**` from the right.
#[test]
fn precedence_is_pythons() {
    for (text, grouped) in [
        ("1 if 0 else 0 or 5", "1 if 0 else (0 or 5)"),
        ("1 or 0 and 0", "1 or (0 and 0)"),
        ("not 0 and 0", "(not 0) and 0"),
        ("not 1 == 2", "not (1 == 2)"),
        ("1 | 2 == 2", "(1 | 2) == 2"),
        ("6 | 3 ^ 5", "6 | (3 ^ 5)"),
        ("6 ^ 3 & 5", "6 ^ (3 & 5)"),
        ("7 & 1 << 2", "7 & (1 << 2)"),
        ("1 << 2 + 1", "1 << (2 + 1)"),
        ("2 + 3 * 4", "2 + (3 * 4)"),
        ("-7 / 2", "(-7) / 2"),
        ("-2 ** 2", "-(2 ** 2)"),
        ("2 ** 3 ** 2", "2 ** (3 ** 2)"),
        ("2 ** -1 ** 2", "2 ** (-(1 ** 2))"),
        ("-[3, 4][1]", "-([3, 4][1])"),
        ("2 ** [3, 4][0]", "2 ** ([3, 4][0])"),
        ("10 - 4 - 3", "(10 - 4) - 3"),
        ("100 / 10 * 2 % 7 // 2", "(((100 / 10) * 2) % 7) // 2"),
        ("1 < 3 > 2 != 1", "(1 < 3) and (3 > 2) and (2 != 1)"),
        ("1 in [1] == False", "(1 in [1]) and ([1] == False)"),
    ] {
        assert_eq!(run(text), run(grouped), "{text}");
    }
    check("0 or 'x', 1 and 'y', '' and 1, 3 or 1 / 0", "('x', 'y', '', 3)");
    check("1 < 2 <> 3 not in [] is not None", "True");
}

/// R1032: nil, numbers, then the others by the names of their types; booleans are 0 and 1.
#[test]
fn mixed_values_have_an_order() {
    check(
        "sorted(['b', 2, None, (1,), [0], {}, 1.5, True, u'a', 'a'])",
        "[None, True, 1.5, 2, {}, [0], u'a', 'a', 'b', (1,)]",
    );
    check(
        "True + True, True == 1, False < 0.5 < True, 10 < 'a'",
        "(2, True, True, True)",
    );
}

/// R1034: `round` gives a float and goes away from zero; `int` goes toward zero.
#[test]
fn rounding_is_pythons() {
    check(
        "round(0.5), round(-0.5), round(1.5), round(-1234.5678, 2)",
        "(1.0, -1.0, 2.0, -1234.57)",
    );
    check(
        "round(125, -1), int(1.99), int(-1.99), int(1e20)",
        "(130.0, 1, -1, 100000000000000000000L)",
    );
}

/// D40: names of characters, also those that Unicode got after Python 2.7.
#[test]
fn characters_have_names() {
    check("u'\\N{BLACK SPADE SUIT}\\N{die face-1}'", "u'\\u2660\\u2680'");
    check("'\\N{DIGIT ONE}'", "'\\\\N{DIGIT ONE}'");
    check("u'\\N{GAME DIE}'", "u'\\U0001f3b2'");
}

/// Names that are refused, and what goes beyond the limits, end at once with an error (R1043, R1046).
#[test]
fn bad_input_ends_at_once() {
    check("eval('1')", "NotAvailable: not available in card rules: eval");
    check(
        "().__class__",
        "NotAvailable: not available in card rules: __class__",
    );
    for text in [
        "9**9**9",
        "'a'*10**9",
        "[[0]*10**6]*10**6",
        "sorted(xrange(10**12))",
        "'%0999999999d' % 1",
        &"(".repeat(100_000),
        &"x".repeat(10 << 20),
        "(lambda f: f(f))(lambda f: f(f))",
        "reduce(lambda a, b: [a], range(100000))",
    ] {
        let shown = run(text);
        let start = &text[..text.len().min(40)];
        assert!(
            shown.starts_with("LimitExceeded") || shown.starts_with("RuntimeError"),
            "{start}: {shown}"
        );
    }
}
