//! Scenarios of the free table: the example runs, and each mistake is told at its place.

use std::sync::Arc;

use cw_octgn::{MemoryFiles, Package, PackageLimits};
use cw_scenario::{AnyScenarios, FreeFile, RunOptions, ScenarioFailure, ScenarioReport};
use cw_table::Kit;

const EXAMPLE: &str = include_str!("../../cw-table/tests/packages/lanterns-tests/lanterns.toml");

const DEFINITION: &str = include_str!("../../cw-table/tests/packages/lanterns/definition.xml");

fn lanterns() -> Arc<Kit> {
    lanterns_with(DEFINITION)
}

fn lanterns_with(definition: &str) -> Arc<Kit> {
    let files = MemoryFiles::new()
        .with("definition.xml", definition)
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

/// Equal cards on the table may be told apart in any order.
#[test]
fn equal_cards_are_paired_in_any_order() {
    let lie = "[{ card = \"Candle\", markers = { Oil = 1 } }, { card = \"Candle\", at = [50, 0] }]";
    let (one, other) = (
        "{ card = \"Candle\", face = \"up\" }",
        "{ card = \"Candle\", markers = { Oil = 1 } }",
    );
    for (first, second, holds) in [(one, other, true), (other, one, true), (other, other, false)] {
        let text = format!(
            "table = \"lanterns\"\n[[scenario]]\nname = \"it\"\ntable = {lie}\n\
             steps = [{{ expect.table = [{first}, {second}] }}]\n"
        );
        let failure = run(&text, RunOptions::default())[0].failure.clone();
        assert_eq!(failure.is_none(), holds, "{text}: {failure:?}");
    }
}

/// A pile whose name begins with that of another has its own order.
#[test]
fn a_pile_is_known_by_its_whole_name() {
    let own = "<group name=\"Discard\" visibility=\"all\"/>";
    let with = format!("{own}<group name=\"Hand of night\" visibility=\"all\"/>");
    let kit = lanterns_with(&DEFINITION.replace(own, &with));
    let text = "table = \"lanterns\"\n[[scenario]]\nname = \"it\"\n\
        me.\"Hand of night\" = [\"Torch\", \"Candle\"]\n\
        steps = [{ expect.me.\"Hand of night\" = [\"Torch\", \"Candle\"] }]\n";
    let report = cw_scenario::run_free(&free(text).scenarios[0], &kit, RunOptions::default());
    assert_eq!(report.failure, None);
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
    let text = "\
        table = \"../lanterns\"\n\
        [[scenario]]\n\
        name = \"x\" # kept\n\
        me.Deck = [\"Candle\", \"Torch\"]\n\
        table = [\"Owl\"]\n\
        steps = [\n\
        \x20 { run = \"Draw\", expect = {} },\n\
        \x20 { run = \"Oil up\", on = \"Owl\", \
                 expect.table = [{ card = \"Owl\", markers = { Oil = 4 } }] },\n\
        \x20 { run = \"Draw\", expect = { me.Hand = [\"Dawn\"], me.Deck = 7 } },\n\
        ]\n";
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

/// What `check` finds without running anything: each text with its place, its code and a part of its words.
#[track_caller]
fn found(body: &str, expected: &[(&str, &str, &str)]) {
    let text = format!(
        "table = \"../lanterns\"\n[[scenario]]\nname = \"x\"\nme.Deck = [\"Candle\", \"Torch\"]\n{body}\n"
    );
    let scenario = &free(&text).scenarios[0];
    let faults = cw_scenario::check_free(scenario, &lanterns());
    let shown: Vec<(&str, &str)> = faults
        .iter()
        .map(|fault| (&text[fault.span.range()], fault.code.0))
        .collect();
    let wanted: Vec<(&str, &str)> = expected.iter().map(|(place, code, _)| (*place, *code)).collect();
    assert_eq!(shown, wanted, "{body}: {faults:?}");
    for (fault, (_, _, words)) in faults.iter().zip(expected) {
        let said = format!("{} {}", fault.message, fault.help.as_deref().unwrap_or_default());
        assert!(said.contains(words), "{body}: {said}");
    }
}

/// Names of the package are checked without running anything: all of them, at their places.
#[test]
fn names_are_checked_without_running() {
    found("", &[]);
    found(
        "opponent.Deck = [\"Candel\"]",
        &[("\"Candel\"", "SC004", "did you mean “Candle”?")],
    );
    found("me.Dekc = []", &[("Dekc", "SC002", "did you mean `Deck`?")]);
    found(
        "phase = \"Noon\"\n\
         steps = [{ run = \"Drav\" }, { run = \"Light\", on = \"Owk\" }, \
             \"drav 1\", \"place {Candel} 0,0\"]",
        &[
            ("\"Noon\"", "SC003", "Dusk, Night"),
            ("\"Drav\"", "SC006", "did you mean “Draw”?"),
            ("\"Owk\"", "SC004", "did you mean “Owl”?"),
            ("\"drav 1\"", "SC003", "draw"),
            ("\"place {Candel} 0,0\"", "SC004", "did you mean “Candle”?"),
        ],
    );
    found(
        "steps = [\"draw Dekc 1\", \"draw 1 from Deck\", \"counter Ligth +1\"]",
        &[
            ("\"draw Dekc 1\"", "SC003", "pile"),
            ("\"draw 1 from Deck\"", "SC003", "“from Deck” is not understood"),
            ("\"counter Ligth +1\"", "SC003", "counter"),
        ],
    );
    found(
        "steps = [{ run = \"Search\", \
         answers = [[\"Owk\"], { marker = \"Oyl\", count = 2 }, { card = \"Owk\" }] }]",
        &[
            ("\"Owk\"", "SC004", "Owl"),
            ("\"Oyl\"", "SC003", "Oil"),
            ("\"Owk\"", "SC004", "Owl"),
        ],
    );
    found(
        "steps = [{ run = \"Draw\", expect.me.Hnad = 1 }, { run = \"Draw\", expect.trun = 1 }, \
         { run = \"Draw\", expect.table = [{ crad = 1 }] }]",
        &[
            ("Hnad", "SC002", "did you mean `Hand`?"),
            ("trun", "SC002", "did you mean `turn`?"),
            ("{ crad = 1 }", "SC003", "which card?"),
        ],
    );
}

/// What is only told by running is no finding: cards that do not lie there yet, questions, refusals,
/// expectations.
#[test]
fn what_steps_come_to_is_no_finding() {
    found(
        "steps = [{ run = \"Draw\" }, \"place {Candle} 0,0\", { run = \"Oil up\", on = \"Candle #2\" }, \
         { run = \"Draw\", expect.me.Deck = 7 }, { do = \"nonsense\", refused = true }, \
         { run = \"Which?\", answer = \"four\" }, \"answer 7 yes\", \"undo\", \
         { answer = 3, expect = { table = 2, asked = \"nobody\", log = \"rain\" } }]",
        &[],
    );
    for scenario in free(EXAMPLE).scenarios {
        assert_eq!(
            cw_scenario::check_free(&scenario, &lanterns()),
            [],
            "{}",
            scenario.name
        );
    }
}

/// The published schema names exactly the keys that the reader of the free table's files knows.
#[test]
fn the_schema_agrees_with_the_reader() {
    let schema: serde_json::Value =
        serde_json::from_str(include_str!("../../../docs/scenario.schema.json")).expect("JSON");
    let keys = |name: &str, properties: &serde_json::Value| -> Vec<String> {
        let properties = properties.as_object();
        let properties = properties.unwrap_or_else(|| panic!("the schema has {name}"));
        let mut keys: Vec<String> = properties.keys().cloned().collect();
        keys.sort();
        keys
    };
    let plain = |name: &str| keys(name, &schema["$defs"][name]["properties"]);
    let second = |name: &str| keys(name, &schema["$defs"][name]["oneOf"][1]["properties"]);
    // The reader tells the keys that it knows when it meets one that is like none.
    let known = |text: &str| -> Vec<String> {
        let text = format!("table = \"../lanterns\"\n{text}");
        let fault = match cw_scenario::read_any(&text) {
            Err(fault) => fault,
            Ok(_) => {
                let faults = cw_scenario::check_free(&free(&text).scenarios[0], &lanterns());
                faults.into_iter().next().expect("a key is wrong")
            }
        };
        let help = fault.help.expect("the keys are told");
        let list = help.strip_prefix("known here: ");
        let list = list.unwrap_or_else(|| panic!("{help}"));
        let mut keys: Vec<String> = list.split(", ").map(str::to_owned).collect();
        keys.sort();
        keys
    };
    let scenario = "[[scenario]]\nname = \"it\"\nseats = 8\n";
    let in_step = |text: &str| known(&format!("{scenario}steps = [{{ {text} }}]"));
    assert_eq!(plain("free-file"), known("qqqqqqqq = 1"));
    assert_eq!(plain("free-scenario"), known(&format!("{scenario}qqqqqqqq = 1")));
    assert_eq!(
        second("free-card"),
        known(&format!("{scenario}table = [{{ card = \"Owl\", qqqqqqqq = 1 }}]"))
    );
    assert_eq!(second("free-step"), in_step("qqqqqqqq = 1"));
    assert_eq!(
        plain("free-expect"),
        in_step("run = \"Draw\", expect.qqqqqqqq = 1")
    );
    assert_eq!(
        second("free-expected-card"),
        in_step("run = \"Draw\", expect.table = [{ card = \"Owl\", qqqqqqqq = 1 }]")
    );
}

/// The wrong examples of the findings' pages about the free table have their finding, the right ones have
/// none.
#[test]
fn the_pages_examples_are_true() {
    let check = |text: &str| -> Vec<&'static str> {
        match cw_scenario::read_any(text) {
            Err(fault) => vec![fault.code.0],
            Ok(AnyScenarios::Free(file)) if file.package.0 != "../lanterns" => vec!["SC007"],
            Ok(AnyScenarios::Free(file)) => {
                let faults = file.scenarios.iter();
                let faults = faults.flat_map(|one| cw_scenario::check_free(one, &lanterns()));
                faults.map(|fault| fault.code.0).collect()
            }
            Ok(AnyScenarios::Duels(_)) => Vec::new(),
        }
    };
    let pages: Vec<_> = cw_scenario::PAGES
        .iter()
        .filter(|page| page.wrong.starts_with("table"))
        .collect();
    assert_eq!(pages.len(), 2);
    for page in pages {
        assert_eq!(check(page.wrong), [page.code.0]);
        assert_eq!(check(page.right), Vec::<&str>::new(), "{}", page.code);
    }
}
