//! Bad input ends with findings, and soon. Time is not asserted; each of these is far below a
//! second, and would take minutes if reading were worse than linear: 200,000 brackets squared are
//! 40,000,000,000 steps.

use cw_check::{KnownCards, SeveritySettings, check_file, check_text};
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
        &KnownCards::default(),
        &SeveritySettings::default(),
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

/// What is found in a text; the last of it tells when there is more (RS069).
#[track_caller]
fn bounded(text: &str, most: usize) {
    let found = check_text(
        FileId(0),
        text,
        &KnownCards::default(),
        &SeveritySettings::default(),
    )
    .diagnostics;
    assert!(
        found.len() <= most + 1,
        "{}: {}",
        &text[..60.min(text.len())],
        found.len()
    );
    if found.len() > most {
        assert!(found.iter().any(|one| one.code.0 == "RS069"), "{}", &text[..60]);
    }
}

/// RS069: a rule of thirty thousand lines is read as far as a rule goes, and no work is squared with its
/// length.
#[test]
fn rules_of_many_lines() {
    for line in [
        "action = draw(1)",
        "action = drow(1)",
        "action = draw() && hp(1) # cardwright: hint RS058",
        "# cardwright: allow RS999, foo, bar",
        "action = freeze() to(character@deck)",
        "action = moveTo(hand)",
        "action = ((((((((",
        "action = [[[[[[[[",
        "action = \"\"\"\"\"\"\"\"",
        "action = [[if [[if [[if",
        "action = each(card in moved => each(card in moved => ",
        "action = draw(\u{0})",
        "auto = ~myEndPhase~ draw()",
        "target = character@deck",
        "vars = _a := 1; _b := discarded",
        "abilities = rsh",
        "label = x",
        "actoin = draw()",
        "nonsense",
    ] {
        bounded(&format!("{HEAD}{}", format!("{line}\n").repeat(30_000)), 2_000);
        bounded(
            &format!(
                "{HEAD}target = character@deck\n{}",
                format!("{line}\n").repeat(30_000)
            ),
            2_000,
        );
    }
    let lines = "label = x\naction = draw(1)\n".repeat(5_001);
    let found = check_text(
        FileId(0),
        &format!("{HEAD}{lines}"),
        &KnownCards::default(),
        &SeveritySettings::default(),
    );
    let codes: Vec<&str> = found.diagnostics.iter().map(|one| one.code.0).collect();
    // More actions than a rule may have, and more labels than are read.
    assert_eq!(codes, ["RS043", "RS069"]);
}

/// Nor is it squared with the length of a line.
#[test]
fn very_long_lines() {
    for (before, unit, behind) in [
        ("target = ", "warrior,", "me"),
        ("target = ", "\"a\"&", "me"),
        ("target = character[", "frozen & ", "frozen]"),
        ("target = character[", "bp<=3, ", "frozen]"),
        ("target = ", "me;", "me"),
        ("target = character@ring", "::not(tgt)", ""),
        ("abilities = ", "rsh,", "rush"),
        ("action = ", "draw();", "hp(1)"),
        ("action = ", "hpp(1) & ", "hp(1)"),
        ("action = draw() ", "to(me) ", ""),
        ("action = +rush ", "ueot ", ""),
        ("action = [[if alone]] draw() ", "[[elif alone]] hp(1) ", ""),
        ("action = ", "[[may don't]] draw();", "hp(1)"),
        ("action = ", "[[if x]] ", "draw()"),
        ("action = draw(", "1,", "1)"),
        ("action = draw(", "(", ")"),
        ("action = draw(me", ".ring", ")"),
        ("action = ", "{D}", ": draw()"),
        ("auto = ~", "enphase,", "endphase~ draw()"),
        ("auto = ~endPhase", ":once", "~ draw()"),
        ("auto = ", "~myEndPhase~ draw();", "hp(1)"),
    ] {
        let units = unit.repeat(300_000 / unit.len());
        bounded(&format!("{HEAD}{before}{units}{behind}\naction = hp(1)\n"), 2_000);
    }
    let vars: String = (0..20_000)
        .map(|index| format!("_v{index} := {index}; "))
        .collect();
    let uses: String = (0..20_000).map(|index| format!("draw(_w{index}) & ")).collect();
    bounded(&format!("{HEAD}vars = {vars}\naction = {uses} hp(1)\n"), 2_000);
}

/// RS069: of a file with very many findings as many are told as somebody may read.
#[test]
fn files_of_many_findings() {
    let section = |line: &str| {
        let rule = |index: usize| format!("[0f8fad5b-d9cb-469f-a165-{index:012x}]\n{line}\n");
        (0..100_000).map(rule).collect::<String>()
    };
    for text in [section("action = drow(1)"), section(""), "[a]\n".repeat(200_000)] {
        bounded(&text, 20_000);
        let found = check_text(
            FileId(0),
            &text,
            &KnownCards::default(),
            &SeveritySettings::default(),
        );
        assert!(found.is_full() && found.rules.len() < 100_000);
    }
    let good = check_text(
        FileId(0),
        &section("action = draw(1)"),
        &KnownCards::default(),
        &SeveritySettings::default(),
    );
    assert_eq!((good.diagnostics.len(), good.rules.len()), (0, 100_000));
}
