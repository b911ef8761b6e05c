//! `cardwright eval`: plain Python 2.7, one expression or one JSON string per line.

mod support;

use std::process::Output;

use serde_json::{Value, json};

use support::output;

fn run(arguments: &[&str], input: &[u8]) -> Output {
    output(&[&["eval"], arguments].concat(), input)
}

/// The answers to lines as they are.
fn answers(lines: &[&[u8]]) -> Vec<Value> {
    let output = run(&["--stdin"], &lines.join(&b'\n'));
    assert!(output.status.success(), "{output:?}");
    let out = String::from_utf8(output.stdout).expect("it prints UTF-8");
    out.lines()
        .map(|line| serde_json::from_str(line).expect("one object per line"))
        .collect()
}

/// D41: without RuleScript's words, case and group forms.
#[test]
fn eval_is_plain_python() {
    let output = run(&["'ABC', 7 / 2, `2L ** 64`"], b"");
    assert!(output.status.success());
    assert_eq!(output.stdout, b"('ABC', 3, '18446744073709551616L')\n");
    let output = run(&["me.hand"], b"");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(output.stderr, b"NameError: name 'me' is not defined\n");
    let answers = answers(&[br#""nil""#, br#""2 in [1, 2]""#, b"\"u'\\u00e9'\""]);
    assert_eq!(
        answers,
        [
            json!({ "error": "NameError", "message": "name 'nil' is not defined" }),
            json!({ "repr": "True" }),
            json!({ "repr": "u'\\xe9'" }),
        ]
    );
}

/// R1043, R1046: what would take hours, gigabytes or the machine ends as an error, and the next line is
/// answered.
#[test]
fn bad_lines_are_answered_and_do_not_stop_the_others() {
    let nested = format!("\"{}\"", "[".repeat(100_000));
    let long = format!("\"{}\"", "1+".repeat(5 << 20));
    let bad: [(&[u8], &str); 13] = [
        (br#""9**9**9""#, "LimitExceeded"),
        (br#""'a'*10**9""#, "LimitExceeded"),
        (br#""[[0]*10**6]*10**6""#, "LimitExceeded"),
        (br#""sorted(xrange(10**12))""#, "LimitExceeded"),
        (br#""'%0999999999d' % 1""#, "LimitExceeded"),
        (br#""eval('1')""#, "NotAvailable"),
        (br#""().__class__""#, "NotAvailable"),
        (nested.as_bytes(), "LimitExceeded"),
        (long.as_bytes(), "LimitExceeded"),
        (b"\"\xff\xfe\"", "InputError"),
        (b"\xc3", "InputError"),
        (b"1 + 1", "InputError"),
        (b"", "InputError"),
    ];
    for (line, wanted) in bad {
        let shown = String::from_utf8_lossy(&line[..line.len().min(40)]).into_owned();
        let answers = answers(&[line, br#""1 + 1""#]);
        assert_eq!(answers.len(), 2, "{shown}: {answers:?}");
        assert_eq!(answers[0]["error"], wanted, "{shown}: {}", answers[0]);
        assert_eq!(answers[1], json!({ "repr": "2" }), "{shown}");
    }
}
