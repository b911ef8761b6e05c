//! Bad input ends with findings, and soon. Time is not asserted; each of these is far below a
//! second, and would take minutes if reading were worse than linear: 200,000 brackets squared are
//! 40,000,000,000 steps.

use cw_check::{Cards, Settings, check_file};
use cw_syntax::{Arena, AsWritten, format_rules, parse_python, parse_rules};
use cw_text::FileId;

const HEAD: &str = "[0f8fad5b-d9cb-469f-a165-70867728950e]\n";

/// The number of findings.
fn check(text: &str) -> usize {
    let arena = Arena::new();
    let found = check_file(
        FileId(0),
        text,
        parse_rules(&arena, FileId(0), text),
        &Cards::default(),
        &Settings::default(),
    );
    assert!(
        found
            .diagnostics
            .iter()
            .all(|one| one.span.end as usize <= text.len())
    );
    let formatted = format_rules(text, &AsWritten);
    assert!(formatted.len() <= 2 * text.len() + 100);
    parse_python(&arena, FileId(0), text);
    found.diagnostics.len()
}

#[test]
fn ten_megabytes_of_brackets() {
    // In one line, which is too long to be read, and in lines that are not.
    for unit in ["(", "((((\n"] {
        let text = format!("{HEAD}action = {}", unit.repeat(10_000_000 / unit.len()));
        let arena = Arena::new();
        assert!(
            !parse_rules(&arena, FileId(0), &text).diagnostics.is_empty(),
            "{unit}"
        );
    }
    for unit in [
        "(",
        ")",
        "[",
        "{",
        "<",
        "\"",
        "'",
        "'\\",
        "each(card in moved => ",
        "[[if ",
        "((((\n",
    ] {
        let text = format!("{HEAD}action = {}", unit.repeat(200_000 / unit.len()));
        assert!(check(&text) > 0, "{unit}");
    }
}

#[test]
fn long_lines() {
    for unit in [
        "(",
        ")",
        "[",
        "{",
        "<",
        "\"",
        "'\\' ",
        "each(card in moved => ",
        "[[if ",
        "a & ",
        "~a,",
        "to(me) ",
        "x::not(",
        "+",
    ] {
        for key in [
            "action",
            "auto",
            "target",
            "vars",
            "requisite",
            "label",
            "abilities",
        ] {
            let text = format!("{HEAD}{key} = {}", unit.repeat(10_000 / unit.len()));
            check(&text);
        }
    }
}

#[test]
fn bytes_that_are_no_text() {
    assert!(check(&format!("{HEAD}action = draw(\u{0})\u{1}\u{fffd}")) > 0);
    assert!(check("\u{0}\u{0}\u{0}") > 0);
}

#[test]
fn a_rule_of_ten_thousand_statements() {
    let text = format!("{HEAD}action = {}", "draw(1) & hp(+1) to(me); ".repeat(10_000));
    assert_eq!(check(&text), 0);
}

#[test]
fn ten_thousand_wrong_rules() {
    let mut text = String::new();
    for index in 0..10_000 {
        text.push_str(&format!(
            "[0f8fad5b-d9cb-469f-a165-{index:012x}]\naction = drow({index})\n"
        ));
    }
    assert_eq!(check(&text), 10_000);
}
