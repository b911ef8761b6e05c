//! Faults that were planted in the cards of the demo game, not in its rules, are found and named with their
//! card.

use std::path::Path;

use cw_fuzz::{FuzzOptions, fuzz};
use cw_octgn::{Folder, MemoryFiles, PackageFiles};

const SET: &str = "Sets/48bbf5e7-da58-470c-b58b-b642cac888f3/set.xml";
const RULES: &str = "Rules/core.rules";

fn demo() -> MemoryFiles {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/saltmarsh");
    MemoryFiles::copy_of(&Folder::new(root), 1 << 24).expect("the demo game can be read")
}

fn text(files: &MemoryFiles, name: &str) -> String {
    String::from_utf8(files.read(name, u64::MAX).expect("it is there")).expect("it is text")
}

/// What is done to a card.
#[derive(Clone, Copy, Debug)]
enum CardFault {
    /// Its text says something else in place of this.
    Text(&'static str, &'static str),
    /// A property has another value.
    Property(&'static str, &'static str),
    /// Its rule has other words in place of these.
    Rule(&'static str, &'static str),
    /// It has no rule.
    NoRule,
    /// It has neither text nor rule.
    Bare,
}

use CardFault::{Bare, NoRule, Property, Rule, Text};

/// Card, fault, and words of the hint, or of the reason why its rule never ran.
const FAULTS: [(&str, CardFault, &str); 20] = [
    ("Potluck", Text("two cards", "four cards"), "says 4 cards"),
    ("Sourdough Starter", Text("200 BP", "300 BP"), "says 300 BP"),
    ("Sourdough Starter", Text("700 BP", "800 BP"), "says 800 BP"),
    ("Auditor Grimm", Text("300 HP", "500 HP"), "says 500 HP"),
    ("Fop", Text("3 SP", "5 SP"), "says 5 SP"),
    ("Rolling Pin", Text("300 damage", "400 damage"), "says 400 damage"),
    ("Shore Leave", Text("4 SP", "6 SP"), "says 6 SP"),
    (
        "The Late Mr. Bell",
        Text("two cards", "three cards"),
        "says 3 cards",
    ),
    ("Lady Needle", Text("300 BP", "30 BP"), "says 30 BP"),
    ("Drum Major Doro", Text("100 BP", "10 BP"), "says 10 BP"),
    ("Potluck", Property("Rules", ""), "a rule and no text"),
    ("Hungry Echo", NoRule, "a text and no rule"),
    ("Hungry Echo", Bare, "without a text and without a rule"),
    (
        "Countess Ombra",
        Text(
            "Pierce: damage beyond the BP of the character that counters it hits the player. ",
            "",
        ),
        "`pierce`",
    ),
    (
        "Sourdough Starter",
        Rule("abilities = cantblock\n", ""),
        "says “cannot counter”",
    ),
    ("Crumb", Property("BP", "0"), "0 BP"),
    (
        "Crumb",
        Property("Backup 1", "Fisher"),
        "no character is a Fisher",
    ),
    (
        "Hungry Echo",
        Property("Kind", "Action"),
        "nothing of it ever began",
    ),
    (
        "Brioche Bruno",
        Property("Ability Type", "¤"),
        "nothing of it ever began",
    ),
    ("Potluck", Property("SP", "-99"), "nothing of it ever began"),
];

/// The part of a text from `from` to `to` with other words in it.
fn within(text: &str, from: &str, to: &str, change: impl Fn(&str) -> String) -> String {
    let start = text.find(from).expect("it begins somewhere");
    let end = text[start..].find(to).map_or(text.len(), |end| start + end);
    format!("{}{}{}", &text[..start], change(&text[start..end]), &text[end..])
}

fn replaced(part: &str, old: &str, new: &str) -> String {
    assert!(part.contains(old), "{old:?} in {part}");
    part.replacen(old, new, 1)
}

fn with_property(part: &str, name: &str, value: &str) -> String {
    let start = format!("name=\"{name}\" value=\"");
    within(part, &start, "/>", |_| format!("{start}{value}\" "))
}

/// The demo game with a fault in one card.
fn planted(name: &str, fault: CardFault) -> MemoryFiles {
    let files = demo();
    let (set, rules) = (text(&files, SET), text(&files, RULES));
    let head = format!("name=\"{name}\"");
    let card = |change: &dyn Fn(&str) -> String| within(&set, &head, "</card>", change);
    let before = &set[..set.find(&head).expect("the demo game has this card")];
    let id = before.rsplit("id=\"").next().expect("cards have ids");
    let id = &id[..id.find('"').expect("an id ends")];
    let section = |change: &dyn Fn(&str) -> String| within(&rules, &format!("[{id}]"), "\n\n", change);
    match fault {
        Text(old, new) => files.with(SET, card(&|part| replaced(part, old, new))),
        Property(property, value) => files.with(SET, card(&|part| with_property(part, property, value))),
        Rule(old, new) => files.with(RULES, section(&|part| replaced(part, old, new))),
        NoRule => files.with(RULES, section(&|_| String::new())),
        Bare => {
            let set = card(&|part| with_property(part, "Rules", ""));
            files.with(RULES, section(&|_| String::new())).with(SET, set)
        }
    }
}

/// Twenty faults in cards are named with their card: by a hint with a short scenario, or by what kept its
/// rule from running.
#[test]
fn faults_in_cards_are_named() {
    let mut out = String::new();
    for (name, fault, words) in FAULTS {
        let loaded = cw_load::load(planted(name, fault)).expect("memory can be read");
        let game = loaded.game.expect("it can be played");
        let options = FuzzOptions {
            cards: game.named(name).collect(),
            duels: 0,
            positions: 40,
            ..FuzzOptions::default()
        };
        let report = fuzz(&game, &[], &options);
        for hint in &report.hints {
            let Some(text) = &hint.scenario else {
                out += &format!("{name}, {fault:?}: no scenario\n");
                continue;
            };
            assert!(text.contains("name = \"") && !text.contains("(G…)"), "{text}");
            let lines = text.lines().filter(|line| !line.is_empty());
            if lines.count() > 12 {
                out += &format!("{name}, {fault:?}: too long\n{text}\n");
            }
            let file = cw_scenario::read(text).expect("a hint's scenario can be read");
            let again = cw_scenario::run(&file.scenarios[0], &game, cw_scenario::RunOptions::default());
            assert!(again.failure.is_none(), "{name}: {:?}\n{text}", again.failure);
        }
        let hints = report.hints.iter().map(|hint| (hint.model, hint.what.clone()));
        let missing = report.cards.iter().flat_map(|card| {
            let why = card.missing.iter().map(|one| one.why.clone());
            why.map(|why| (card.model, why))
        });
        let told: Vec<_> = hints.chain(missing).collect();
        let is_named = told
            .iter()
            .any(|(model, what)| *game.model(*model).name == *name && what.contains(words));
        if !is_named {
            out += &format!("{name}, {fault:?}: {told:?}\n");
        }
    }
    assert_eq!(out, "");
}

/// No card of the demo game has a hint.
#[test]
fn the_demo_game_has_no_hints() {
    let game = cw_load::load(demo())
        .expect("memory can be read")
        .game
        .expect("it can be played");
    let options = FuzzOptions {
        duels: 0,
        positions: 0,
        ..FuzzOptions::default()
    };
    let report = fuzz(&game, &[], &options);
    let hints = report
        .hints
        .iter()
        .map(|hint| format!("{}: {}", game.model(hint.model).name, hint.what));
    assert_eq!(hints.collect::<Vec<_>>(), [""; 0]);
}
