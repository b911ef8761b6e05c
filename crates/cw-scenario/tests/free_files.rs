//! Scenarios of the free table: the example runs, and each mistake is told at its place.

use std::sync::Arc;

use cw_octgn::{MemoryFiles, Package, PackageLimits};
use cw_scenario::{AnyScenarios, FreeFile, RunOptions, ScenarioFailure, ScenarioReport};
use cw_table::Kit;

const EXAMPLE: &str = include_str!("../../cw-table/tests/packages/lanterns-tests/lanterns.toml");

fn lanterns() -> Arc<Kit> {
    let files = MemoryFiles::new()
        .with(
            "definition.xml",
            include_str!("../../cw-table/tests/packages/lanterns/definition.xml"),
        )
        .with(
            "Sets/00000000-0000-0000-0002-000000000009/set.xml",
            include_str!(
                "../../cw-table/tests/packages/lanterns/Sets/00000000-0000-0000-0002-000000000009/set.xml"
            ),
        )
        .with(
            "scripts/constants.py",
            include_str!("../../cw-table/tests/packages/lanterns/scripts/constants.py"),
        )
        .with(
            "scripts/setup.py",
            include_str!("../../cw-table/tests/packages/lanterns/scripts/setup.py"),
        )
        .with(
            "scripts/cards.py",
            include_str!("../../cw-table/tests/packages/lanterns/scripts/cards.py"),
        );
    let package = Package::read(&files).expect("memory can be read");
    let read = Kit::read(&files, package, &PackageLimits::default()).expect("memory can be read");
    Arc::new(read.kit)
}

fn free(text: &str) -> FreeFile {
    match cw_scenario::read_any(text) {
        Ok(AnyScenarios::Free(file)) => file,
        other => panic!("{other:?}"),
    }
}

fn run(text: &str, options: RunOptions) -> Vec<ScenarioReport> {
    let (file, kit) = (free(text), lanterns());
    let scenarios = file.scenarios.iter();
    scenarios
        .map(|scenario| cw_scenario::run_free(scenario, &kit, options))
        .collect()
}

/// The example holds: answers, failures, refusals, undo, cards on the table, what others read.
#[test]
fn the_example_holds() {
    let reports = run(EXAMPLE, RunOptions::default());
    assert_eq!(reports.len(), 7);
    for report in reports {
        assert_eq!(report.failure, None, "{}: {:?}", report.name, report.steps);
    }
}

/// So does the one of the documentation.
#[test]
fn the_documented_example_holds() {
    let page = include_str!("../../../docs/scenarios.md");
    let (_, example) = page.split_once("```toml\ntable = ").expect("the page has it");
    let (example, _) = example.split_once("\n```").expect("it ends");
    for report in run(&format!("table = {example}"), RunOptions::default()) {
        assert_eq!(report.failure, None, "{}: {:?}", report.name, report.steps);
    }
}

/// One scenario with a body, and what is wrong with it: the text at its place, and a part of its words.
#[track_caller]
fn wrong(body: &str, place: &str, words: &str) {
    let text = format!(
        "table = \"../lanterns\"\n[[scenario]]\nname = \"x\"\nme.Deck = [\"Candle\", \"Torch\"]\n{body}\n"
    );
    let (span, message) = match cw_scenario::read_any(&text) {
        Err(fault) => (
            fault.span,
            format!("{} {}", fault.message, fault.help.unwrap_or_default()),
        ),
        Ok(_) => match run(&text, RunOptions::default()).remove(0).failure {
            Some(ScenarioFailure::Fault(fault)) => (
                fault.span,
                format!("{} {}", fault.message, fault.help.unwrap_or_default()),
            ),
            Some(ScenarioFailure::Stuck { span, message, notes }) => {
                (span, format!("{message} {}", notes.join(" ")))
            }
            Some(ScenarioFailure::Unexpected { mismatches, .. }) => {
                let first = &mismatches[0];
                let words = format!("{}: {} / {}", first.path, first.expected, first.actual);
                (first.span, words)
            }
            None => panic!("nothing is wrong with {body}"),
        },
    };
    assert!(message.contains(words), "{body}: {message}");
    assert_eq!(&text[span.range()], place, "{body}: {message}");
}

/// Each mistake is told where it stands, with what may be meant.
#[test]
fn mistakes_are_told_at_their_place() {
    wrong("stepps = []", "stepps", "did you mean `steps`?");
    wrong("seats = 9", "9", "1 to 8 seats");
    wrong("seat-3.Deck = []", "seat-3", "this table has 2 seats");
    wrong("opponent.Dekc = []", "Dekc", "did you mean `Deck`?");
    wrong(
        "opponent.Deck = [\"Candel\"]",
        "\"Candel\"",
        "did you mean “Candle”?",
    );
    wrong("opponent.Light = \"x\"", "\"x\"", "whole number");
    wrong(
        "table = [{ card = \"Owl\", turned = 45 }]",
        "45",
        "0, 90, 180 or 270",
    );
    wrong(
        "table = [{ card = \"Owl\", markers = { Oyl = 1 } }]",
        "Oyl",
        "did you mean “Oil”?",
    );
    wrong("phase = \"Noon\"", "\"Noon\"", "Dusk, Night");
    wrong("active = \"Bob\"", "\"Bob\"", "is no seat");
    wrong("steps = [{ run = \"Drav\" }]", "\"Drav\"", "did you mean “Draw”?");
    wrong(
        "steps = [{ run = \"Draw\", do = \"draw\" }]",
        "\"draw\"",
        "does one thing",
    );
    wrong("steps = [{ by = \"me\" }]", "{ by = \"me\" }", "does nothing");
    wrong(
        "steps = [{ on = \"Owl\", do = \"draw\" }]",
        "{ on = \"Owl\", do = \"draw\" }",
        "belong to a menu entry",
    );
    wrong(
        "steps = [{ run = \"Light\", on = \"Owl\" }]",
        "\"Owl\"",
        "no card lies there",
    );
    wrong("steps = [\"drav 1\"]", "\"drav 1\"", "draw");
    wrong(
        "steps = [\"place {Owl} 0,0\"]",
        "\"place {Owl} 0,0\"",
        "there lie: Candle, Torch",
    );
    wrong(
        "steps = [{ run = \"Draw\", refused = true }]",
        "true",
        "is done, and not refused",
    );
    wrong(
        "steps = [{ run = \"Is not there\", refused = \"rain\" }]",
        "\"rain\"",
        "for another reason: “Is not there” calls",
    );
    wrong(
        "steps = [{ run = \"Draw\", fails = \"x\" }]",
        "\"x\"",
        "nothing fails here",
    );
    wrong(
        "steps = [{ run = \"Grows\", fails = \"Zero\" }]",
        "\"Zero\"",
        "too much memory",
    );
    wrong(
        "steps = [{ run = \"Grows\" }]",
        "{ run = \"Grows\" }",
        "Grows stopped: it needed too much memory",
    );
    wrong(
        "steps = [{ run = \"Draw\", answer = 1 }]",
        "1",
        "nothing is asked here",
    );
    wrong(
        "steps = [{ run = \"Set up\", answer = 3 }]",
        "3",
        "it takes yes, no",
    );
    wrong(
        "steps = [{ run = \"Which?\", answer = \"four\" }]",
        "\"four\"",
        "it takes “one”, “two”, “three”, “None of them”",
    );
    wrong(
        "steps = [{ run = \"Search\", answer = [\"Owl\"] }]",
        "[\"Owl\"]",
        "a list out of Candle, Torch",
    );
    wrong(
        "steps = [{ run = \"Search\", answer = [1, 2] }]",
        "[1, 2]",
        "choose 1 to 1 cards, not 2",
    );
    wrong(
        "steps = [{ run = \"Set up\" }]",
        "{ run = \"Set up\" }",
        "a question is left without an answer",
    );
    wrong(
        "steps = [{ run = \"Draw\", expect.me.Hand = [] }]",
        "[]",
        "me.Hand: none / Candle",
    );
    wrong(
        "steps = [{ run = \"Draw\", expect.me.Deck = 2 }]",
        "2",
        "me.Deck: 2 / 1",
    );
    wrong(
        "steps = [{ run = \"Draw\", expect.me.Hnad = 1 }]",
        "Hnad",
        "did you mean `Hand`?",
    );
    wrong(
        "steps = [{ run = \"Draw\", expect.log = [\"rain\"] }]",
        "[\"rain\"]",
        "Seat 1 draws a card.",
    );
    wrong(
        "steps = [{ run = \"Draw\", expect.no-log = \"draws a\" }]",
        "\"draws a\"",
        "Seat 1 draws a card.",
    );
    wrong(
        "steps = [{ run = \"Draw\", expect.table = [\"Owl\"] }]",
        "[\"Owl\"]",
        "table: Owl / none",
    );
    wrong(
        "steps = [{ run = \"Draw\", expect.variables.round = 3 }]",
        "3",
        "variables.round: 3 / 0",
    );
    wrong(
        "steps = [{ run = \"Draw\", expect.asked = \"opponent\" }]",
        "\"opponent\"",
        "asked: opponent / nobody",
    );
}

/// What really happens is filled in, and holds then.
#[test]
fn expectations_are_filled_in() {
    let text = "table = \"../lanterns\"\n[[scenario]]\nname = \"x\" # kept\nme.Deck = [\"Candle\", \"Torch\"]\ntable = [\"Owl\"]\nsteps = [\n  { run = \"Draw\", expect = {} },\n  { run = \"Oil up\", on = \"Owl\", expect.table = [{ card = \"Owl\", markers = { Oil = 4 } }] },\n  { run = \"Draw\", expect = { me.Hand = [\"Dawn\"], me.Deck = 7 } },\n]\n";
    let options = RunOptions {
        bless: true,
        ..RunOptions::default()
    };
    let reports = run(text, options);
    assert_eq!(reports[0].failure, None);
    let (filled, changed) = cw_scenario::bless(text, &reports);
    assert_eq!(changed, 4, "{filled}");
    assert!(filled.contains("name = \"x\" # kept"), "{filled}");
    assert!(
        filled.contains("expect = { me.Deck = [\"Torch\"], me.Hand = [\"Candle\"], log = ["),
        "{filled}"
    );
    assert!(
        filled.contains("me.Hand = [\"Candle\", \"Torch\"], me.Deck = 0"),
        "{filled}"
    );
    let again = run(&filled, RunOptions::default());
    assert_eq!(again[0].failure, None, "{filled}");
}

/// A file of the free table is none of duels.
#[test]
fn kinds_of_files_are_told_apart() {
    let fault = cw_scenario::read(EXAMPLE).expect_err("it is of the free table");
    assert!(fault.message.contains("free table"), "{}", fault.message);
    assert!(matches!(
        cw_scenario::read_any("[[scenario]]\nname = \"x\"\n"),
        Ok(AnyScenarios::Duels(_))
    ));
    let fault = cw_scenario::read_any("table = \"../lanterns\"\n").expect_err("it is empty");
    assert_eq!(fault.message, "the file holds no scenario");
}
