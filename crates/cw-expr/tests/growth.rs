//! A text that is sixteen times as long costs about sixteen times as much: memory, allocations, and what is
//! looked at on the way.

use allocation_counter::AllocationInfo;
use cw_expr::oracle::looked_at;
use cw_expr::{CompileError, ExprLimits, NoHost, PlainPython, Syntax, compile, eval_repr};

/// Everything a text may have that does not bound the native stack.
const WIDE: ExprLimits = ExprLimits {
    text: usize::MAX,
    steps: u64::MAX,
    sequence: usize::MAX,
    string: usize::MAX,
    memory: usize::MAX,
    ..ExprLimits::PROMPT
};

/// All the liberties a dialect may take.
const RULES: Syntax = Syntax {
    fold_case: true,
    dot_index: true,
    groups: true,
    constants: true,
};

const SHORT: usize = 64 << 10;
const LONG: usize = 1 << 20;

/// `before`, then `part` with its number for `#` again and again up to the length, then `after`.
fn text(length: usize, [before, part, after]: [&str; 3]) -> String {
    let mut out = before.to_owned();
    if !part.contains('#') {
        return out + &part.repeat(length / part.len()) + after;
    }
    let mut number = 0;
    while out.len() < length {
        out.push_str(&part.replace('#', &number.to_string()));
        number += 1;
    }
    out + after
}

/// What reading and compiling cost.
fn read(text: &str) -> (u64, AllocationInfo) {
    let before = looked_at();
    let allocated = allocation_counter::measure(|| {
        // Many of the texts are refused, and that must be as cheap.
        let _ = compile(text, &RULES, &PlainPython, &WIDE);
    });
    (looked_at() - before, allocated)
}

#[track_caller]
fn grows_like_the_text(what: &str, short: u64, long: u64) {
    let most = short * (LONG / SHORT) as u64 * 3 / 2 + 4_096;
    assert!(long <= most, "{what}: {short}, then {long}");
}

/// Beginning, what is repeated, and end of texts that have every construct of the grammar many times.
const TEXTS: [[&str; 3]; 62] = [
    ["", "'a'", ""],
    ["", "'a' ", ""],
    ["", "u'a'", ""],
    ["", "'a'u'a'", ""],
    ["u'a'", "'a\\n'", ""],
    ["[", "'a#',", "]"],
    ["[", "u'\\u1234#',", "]"],
    ["[", "'''a\n#''',", "]"],
    ["'", "a\\x41", "'"],
    ["'", "Ä", "'"],
    ["u'", "\\N{DIGIT ONE}", "'"],
    ["ur'", "\\\\u0041", "'"],
    ["'''", "''", "'''"],
    ["", "u", "'a'"],
    ["", "u", ""],
    ["", "'", ""],
    ["", "`", ""],
    ["", "1", ""],
    ["", "1", "."],
    ["", "1", "L"],
    ["", "0", ""],
    ["0x", "f", ""],
    ["[", "1e#,", "]"],
    ["[", "123456789012345678901234567890,", "]"],
    ["[", "9223372036854775808,", "]"],
    ["1", "+1", ""],
    ["1", "**1", ""],
    ["", "-", "1"],
    ["", "not ", "1"],
    ["x", " or x", ""],
    ["x", " and x#", ""],
    ["x", "<x", ""],
    ["x", " is not x#", ""],
    ["x", " not in x", ""],
    ["", "1 if x else ", "1"],
    ["x", ",x#", ""],
    ["[", "x,", "]"],
    ["{", "x#,", "}"],
    ["{", "x:x#,", "}"],
    ["x", ".a#", ""],
    ["x", ".0", ""],
    ["[", "x.a#,", "]"],
    ["x", "[1]", ""],
    ["x[", "1:2,", "]"],
    ["x[", "1:2:3,", "...]"],
    ["x", "()", ""],
    ["x(", "x,", ")"],
    ["x(", "a#=1,", ")"],
    ["[", "x(a=1),", "]"],
    ["[x", " for a# in y", "]"],
    ["{x for a in y", " if a", "}"],
    ["[lambda: ", "x#,", "1]"],
    ["lambda ", "a#=1,", "z=1: z"],
    ["[", "lambda a, (b, c), *d, **e: a,", "]"],
    ["[", "[a# for a# in y],", "]"],
    ["[", "(a for a in a#),", "]"],
    ["(lambda ", "a#=1,", "z=1: lambda: lambda: [a1, z])"],
    ["", "any (1) or ", "x"],
    ["", "any ~1 or ", "x"],
    ["", "all x in y or ", "x"],
    ["", "(any (1) or ", "x"],
    ["", "\n# a\n\\\n", "x"],
];

/// R1046: of 1 MB as of 64 KB.
#[test]
fn reading_and_compiling_take_time_and_memory_like_the_text() {
    let worker = std::thread::Builder::new().stack_size(32 << 20).spawn(|| {
        for parts in TEXTS {
            let (short, few) = read(&text(SHORT, parts));
            let (long, many) = read(&text(LONG, parts));
            grows_like_the_text(&format!("{parts:?}, looked at"), short, long);
            grows_like_the_text(
                &format!("{parts:?}, allocations"),
                few.count_total,
                many.count_total,
            );
            grows_like_the_text(&format!("{parts:?}, bytes"), few.bytes_max, many.bytes_max);
            let most = LONG as u64 * 400;
            assert!(many.bytes_total < most, "{parts:?}: {} bytes", many.bytes_total);
        }
    });
    worker
        .expect("a thread can start")
        .join()
        .expect("all is like the text");
}

/// R1046: 150 KB of literals side by side once took 1.7 GB, and 500 KB all there was.
#[test]
fn literals_side_by_side_are_joined_once() {
    let texts = |count: usize| "'a' u'b' ".repeat(count);
    let limits = ExprLimits::PROMPT;
    let shown = |count: usize| {
        let code = compile(&texts(count), &Syntax::default(), &PlainPython, &limits)?;
        Ok::<_, CompileError>(eval_repr(&code, &mut NoHost, &limits).expect("a text has no faults"))
    };
    assert_eq!(shown(2).as_deref(), Ok("u'abab'"));
    assert_eq!(shown(50_000).map(|text| text.len()), Ok(100_003));
    let counted = allocation_counter::measure(|| {
        let _ = compile(&texts(50_000), &Syntax::default(), &PlainPython, &limits);
    });
    assert!(counted.bytes_total < 64 << 20, "{} bytes", counted.bytes_total);
}

/// R1046: together they are one text, which has the length limit of one.
#[test]
fn literals_side_by_side_are_no_longer_than_one_may_be() {
    let limits = ExprLimits {
        string: 8,
        ..ExprLimits::CARD
    };
    let read = |text: &str| {
        let code = compile(text, &Syntax::default(), &PlainPython, &limits);
        code.map(|_| ()).map_err(|error| error.to_string())
    };
    assert_eq!(read("'1234' '5678'"), Ok(()));
    let refused = Err("LimitExceeded: string is too long".to_owned());
    assert_eq!(read("'1234' '56789'"), refused);
    assert_eq!(read("'1234' u'56789'"), refused);
}

/// D40: where a byte that is not ASCII stands, the texts before the first unicode are one text.
#[test]
fn a_byte_that_is_not_ascii_has_its_place_in_what_python_decodes() {
    let read = |text: &str| {
        let code = compile(text, &Syntax::default(), &PlainPython, &ExprLimits::CARD);
        code.map(|_| ()).map_err(|error| error.message)
    };
    assert_eq!(read("'ab' '\\xe4'"), Ok(()));
    let at = |place| {
        Err(format!(
            "'ascii' codec can't decode byte 0xe4 in position {place}: ordinal not in range(128)"
        ))
    };
    assert_eq!(read("'ab' '\\xe4' u'c'"), at(2));
    assert_eq!(read("u'c' 'ab' '\\xe4'"), at(0));
}

/// D40: as CPython 2 has it; a call of any length would also be searched for names again and again.
#[test]
fn a_call_has_at_most_255_arguments() {
    let read = |plain: usize, named: usize| {
        let named: String = (0..named).map(|number| format!("a{number}=1,")).collect();
        let text = format!("dict({}{named})", "1,".repeat(plain));
        let code = compile(&text, &Syntax::default(), &PlainPython, &ExprLimits::CARD);
        code.map(|_| ()).map_err(|error| error.message)
    };
    assert_eq!(read(5, 250), Ok(()));
    assert_eq!(read(5, 251), Err("more than 255 arguments".to_owned()));
    assert_eq!(read(256, 0), Err("more than 255 arguments".to_owned()));
}

/// R1046: loops lie inside each other, also on the native stack.
#[test]
fn loops_of_a_comprehension_are_levels() {
    let loops = |count: usize| format!("[1{}]", " for a in 'a'".repeat(count));
    let read =
        |count| compile(&loops(count), &Syntax::default(), &PlainPython, &ExprLimits::CARD).map(|_| ());
    assert_eq!(read(100), Ok(()));
    let refused = read(200).expect_err("the limit is 128 levels");
    assert_eq!(refused.message, "expression is nested too deeply");
}

/// R1046: what an evaluation does inside one step is charged all the same.
#[test]
fn long_work_of_one_step_is_charged() {
    let parameters: String = (0..900).map(|number| format!("a{number}=0,")).collect();
    let bound: String = (0..900)
        .map(|number| format!("[0 for b{number} in []] or "))
        .collect();
    for text in [
        // Names of `**` against each other.
        "[[(lambda **k: 0)(**d) for j in range(99)] for d in [{str(i): 0 for i in range(200)}]]",
        // Parameters and variables of every call.
        &format!("[f() for f in [lambda {parameters} z=0: 0] for j in range(500)]"),
        &format!("[list({{x for x in [] if {bound} 1}}) for j in range(500)]"),
        // Keys that all fall into one place of a table.
        "len({i << 40 for i in range(900)})",
        // A text as unicode again for each affix.
        "('a' * 60000).startswith(tuple([u'b'] * 1000))",
    ] {
        let code =
            compile(text, &Syntax::default(), &PlainPython, &ExprLimits::CARD).expect("it is an expression");
        let error = eval_repr(&code, &mut NoHost, &ExprLimits::CARD).map_err(|error| error.to_string());
        let most = text.char_indices().nth(60).map_or(text.len(), |(at, _)| at);
        assert_eq!(
            error,
            Err("LimitExceeded: too many evaluation steps".to_owned()),
            "{}",
            &text[..most]
        );
    }
}
