//! Quirks of section 14 of the language that the reader and the checker mend or report.

use cw_check::{KnownCards, check_rule};
use cw_program::{AutoKind, CompiledRule, EventName, Scope, StatementKind};
use cw_syntax::{Arena, PropertyValueSyntax, parse};
use cw_text::{FileId, Severity, Span};

/// The program, the texts of the labels, and codes with severities in order of place.
fn read(text: &str) -> (CompiledRule, Vec<String>, Vec<(&'static str, Severity)>) {
    let arena = Arena::new();
    let parsed = parse(&arena, FileId(0), text, Span::new(0, text.len()));
    let labels = parsed
        .rule
        .properties
        .iter()
        .filter_map(|property| match property.value {
            PropertyValueSyntax::Label(label) => Some(label.text.text.to_string()),
            _ => None,
        });
    let labels = labels.collect();
    let checked = check_rule(FileId(0), text, &parsed.rule, &KnownCards::default(), None);
    let mut found = parsed.diagnostics;
    found.extend(checked.diagnostics);
    found.sort_by_key(|one| one.span);
    let codes = found.iter().map(|one| (one.code.0, one.severity)).collect();
    (checked.program, labels, codes)
}

#[track_caller]
fn check(text: &str, expected: &[(&str, Severity)]) {
    assert_eq!(read(text).2, expected, "{text}");
}

/// RQ16, R608, D26: where a restriction times nothing it is an error; where it times, none.
#[test]
fn restrictions_that_time_nothing() {
    check("action = hp(+100) to(me) ueot", &[("RS025", Severity::Error)]);
    check("action = bp(+100) to(character@myRing) ueot", &[]);
}

/// RQ24, R106: `#` in closed quotes is text, also in a label, and is reported; outside it is a comment.
#[test]
fn hashes_in_quotes() {
    let (_, labels, codes) = read("action = draw()\nlabel = \"Rule #1\" # the first");
    assert_eq!(labels, ["Rule #1"]);
    assert_eq!(codes, [("RS046", Severity::Warning)]);
    let (_, labels, codes) = read("action = draw()\nlabel = Rule #1");
    assert_eq!((labels, codes), (vec!["Rule".to_string()], vec![]));
}

/// RQ29, R509: a condition on a hand's size listens to that hand, and says so.
#[test]
fn implicit_events() {
    for (test, scope) in [("me.hand.size", Scope::My), ("opp.hand.size", Scope::Opp)] {
        let (program, _, codes) = read(&format!("auto = [[if {test} >= 2]] hp(+1) to(me)"));
        assert!(codes.contains(&("RS030", Severity::Hint)), "{codes:?}");
        let AutoKind::Events(events) = &program.autos[0].kind else {
            panic!("{test} listens to nothing");
        };
        assert_eq!((events[0].name, events[0].scope), (EventName::HandChanges, scope));
    }
}

/// RQ38, R1043: there is no interpreter behind expressions.
#[test]
fn the_interpreter_is_out_of_reach() {
    for name in ["open('x')", "eval('1')", "__import__('os')", "me.__class__"] {
        let (_, _, codes) = read(&format!("action = [[if {name}]] draw()"));
        assert_eq!(codes, [("RS042", Severity::Error)], "{name}");
    }
}

/// RQ39, R108, R609, R801, R219: unknown words are errors.
#[test]
fn unknown_words() {
    check("acton = draw()\naction = draw()", &[("RS001", Severity::Error)]);
    check("action = drow()", &[("RS003", Severity::Error)]);
    check("abilities = unblokable", &[("RS013", Severity::Error)]);
    check(
        "action = destroy() to(character@oppRings)",
        &[("RS012", Severity::Error)],
    );
}

/// RQ41, R105, R501: a question keeps its case; without one the standard text is asked.
#[test]
fn questions_keep_their_case() {
    for (mark, expected) in [("[[may 'Draw ONE?']]", Some("Draw ONE?")), ("[[may]]", None)] {
        let (program, _, _) = read(&format!("action = {mark} draw()"));
        let StatementKind::May { question, .. } = &program.actions[0].statements[0].kind else {
            panic!("{mark} asks nothing");
        };
        assert_eq!(question.as_deref(), expected);
    }
}
