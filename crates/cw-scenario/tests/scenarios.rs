//! Scenario files: what they accept, what they refuse, and that those of the demo game hold.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use cw_duel::Game;
use cw_octgn::Folder;
use cw_scenario::{RunOptions, ScenarioFailure, ScenarioFault, ScenarioReport, bless, read, run, skeleton};
use cw_stage::ByteSource;
use cw_text::LineIndex;

fn root() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

fn game() -> &'static Arc<Game> {
    static GAME: OnceLock<Arc<Game>> = OnceLock::new();
    GAME.get_or_init(|| {
        let loaded =
            cw_load::load(Folder::new(root().join("games/saltmarsh"))).expect("the demo game is there");
        loaded.game.expect("the demo game can be played")
    })
}

/// The scenario files of the demo game.
fn files() -> Vec<(PathBuf, String)> {
    let folder = root().join("games/saltmarsh-tests");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the demo game has scenarios")
        .map(|entry| entry.expect("a folder can be listed").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .collect();
    paths.sort();
    paths
        .into_iter()
        .map(|path| {
            let text = std::fs::read_to_string(&path).expect("a scenario file is text");
            (path, text)
        })
        .collect()
}

fn run_text(text: &str, options: RunOptions) -> Vec<ScenarioReport> {
    let file = read(text).unwrap_or_else(|fault| panic!("{}: {:?}", fault.message, fault.help));
    file.scenarios
        .iter()
        .map(|scenario| run(scenario, game(), options))
        .collect()
}

fn only(text: &str) -> ScenarioReport {
    run_text(text, RunOptions::default())
        .pop()
        .expect("there is a scenario")
}

/// The failure as `line: message; help`, or `line: path - expected + actual` for each mismatch.
fn words(text: &str, failure: &ScenarioFailure) -> Vec<String> {
    let index = LineIndex::new(text);
    let line = |span: cw_text::Span| index.line_column(text, span.start).line;
    match failure {
        ScenarioFailure::Fault(fault) => vec![fault_words(text, fault)],
        ScenarioFailure::Stuck { span, message, .. } => vec![format!("{}: {message}", line(*span))],
        ScenarioFailure::Unexpected { mismatches, .. } => mismatches
            .iter()
            .map(|found| {
                let at = line(found.span);
                format!("{at}: {} - {} + {}", found.path, found.expected, found.actual)
            })
            .collect(),
    }
}

fn fault_words(text: &str, fault: &ScenarioFault) -> String {
    let line = LineIndex::new(text).line_column(text, fault.span.start).line;
    let help = fault
        .help
        .as_ref()
        .map_or_else(String::new, |help| format!("; {help}"));
    format!("{line} {}: {}{help}", fault.code, fault.message)
}

/// A scenario fails like this. `text` is what follows the name.
#[track_caller]
fn check(text: &str, expected: &[&str]) {
    let text = format!("[[scenario]]\nname = \"it\"\n{text}");
    let found = match read(&text) {
        Err(fault) => vec![fault_words(&text, &fault)],
        Ok(_) => only(&text)
            .failure
            .map_or_else(Vec::new, |failure| words(&text, &failure)),
    };
    assert_eq!(found, expected);
}

/// T1 to T24 of the rules, and the cards: every scenario of the demo game holds.
#[test]
fn the_demo_games_scenarios_hold() {
    let mut count = 0;
    for (path, text) in files() {
        for report in run_text(&text, RunOptions::default()) {
            count += 1;
            if let Some(failure) = &report.failure {
                panic!(
                    "{}: {}: {:#?}",
                    path.display(),
                    report.name,
                    words(&text, failure)
                );
            }
        }
    }
    assert!(count >= 70, "{count}");
}

/// The same scenario gives the same states. In these builds every state on the way is checked
/// against the engine's invariants, so a position is a state of the rules.
#[test]
fn a_scenario_goes_the_same_way_twice() {
    for (path, text) in files() {
        let hashes = || -> Vec<_> {
            let options = RunOptions {
                record: true,
                ..RunOptions::default()
            };
            let reports = run_text(&text, options);
            let steps = reports.iter().flat_map(|report| &report.steps);
            steps
                .map(|step| {
                    let state = step.state.as_ref().expect("recorded");
                    state["hash"].as_str().expect("a hash is text").to_owned()
                })
                .collect()
        };
        assert_eq!(hashes(), hashes(), "{}", path.display());
    }
}

#[test]
fn unknown_cards_suggest_the_nearest() {
    check(
        "me.hand = [\"Crum\"]",
        &["3 SC004: Saltmarsh has no card “Crum”; did you mean “Crumb”?"],
    );
    check(
        "me.ring = [\"Aunty Rye 300\"]",
        &["3 SC004: Saltmarsh has no card “Aunty Rye”; did you mean “Auntie Rye”?"],
    );
}

#[test]
fn unknown_keys_suggest_the_nearest() {
    check(
        "me.rign = []",
        &["3 SC002: unknown key `rign`; did you mean `ring`?"],
    );
    check(
        "steps = [{ atack = \"Crumb\" }]",
        &["3 SC002: unknown key `atack`; did you mean `attack`?"],
    );
    check(
        "steps = [{ expect.me.hpp = 1 }]",
        &["3 SC002: unknown key `hpp`; did you mean `hp`?"],
    );
}

#[test]
fn values_of_the_wrong_kind_are_refused() {
    check(
        "me.hp = \"many\"",
        &["3 SC003: expected a whole number, found text"],
    );
    check(
        "phase = \"atack\"",
        &["3 SC003: “atack” means nothing here; did you mean “attack”?"],
    );
    check(
        "steps = [{ expect.me.hp = \"3000\" }]",
        &["3 SC003: `me.hp` is compared with a number, not with text"],
    );
    check(
        "me.ring = [\"Crumb 300 frosen\"]",
        &["3 SC003: “frosen” says nothing about a character; did you mean “frozen”?"],
    );
}

/// Positions that no duel can reach are refused (G3, G4, G38, D2, G125, G130).
#[test]
fn impossible_positions_are_refused() {
    check(
        "me.ring = [\"Crumb\", \"Crumb\", \"Crumb\", \"Crumb\", \"Crumb\"]",
        &["3 SC005: me: slot 5: the ring has only 4 slots (G4)"],
    );
    check(
        "me.ring = [\"Crumb\", { card = \"Gasket\", slot = 1 }]",
        &["3 SC005: slot 1 already holds “Crumb”"],
    );
    check(
        "me.ring = [{ card = \"Gasket\", slot = 5 }]",
        &["3 SC005: a ring has the slots 1 to 4"],
    );
    check(
        "me.ring = [\"Potluck\"]",
        &["3 SC005: me: slot 1: only characters stand in a ring (G4)"],
    );
    check(
        "me.ring = [\"Crumb 0\"]",
        &["3 SC005: me: slot 1: a character with 0 BP or less would have been KOed (D2)"],
    );
    check(
        "me.hp = 0",
        &["3 SC005: me: with 0 HP or less the duel would be over (G38)"],
    );
    check(
        "me.ring = [\"Crumb attacks\"]",
        &["3 SC005: me: slot 1: nobody attacks before the Attack phase \
           or blocks before the Counter-attack phase (G130, G144); \
           say in which phase the scenario begins: phase = \"attack\""],
    );
    check(
        "me.ring = [\"Crumb + Footman Fade\"]",
        &["3 SC005: me: slot 1: back-up 1 finds no free icon of its subtype (G125.8)"],
    );
    check(
        "phase = \"attack\"\nme.ring = [\"Crumb\"]\nunited = [\"Crumb\"]",
        &["4 SC005: me: slot 1: not a United Attack: too few, too many or the same character twice (G133)"],
    );
}

/// G130, G65, D17: a step that is not offered says why.
#[test]
fn steps_that_are_not_offered_say_why() {
    check(
        "phase = \"attack\"\nme.ring = [\"Crumb fresh\", \"Gasket\"]\nsteps = [\n{ attack = \"Crumb\" }]",
        &["6: “attack Crumb” is not offered: Crumb is fresh (G130.6, G133.3, G95)"],
    );
    check(
        "me.hand = [\"Potluck\"]\nsteps = [{ play = \"Potluck\" }]",
        &["4: “play Potluck” is not offered: Potluck costs more SP than there are (G70.3, G76)"],
    );
    check(
        "steps = [{ play = \"Crumb\" }]\nme.deck = []\nopponent.deck = []",
        &["3: “play Crumb” is not offered: there is no such card here"],
    );
    check(
        "me.hand = [\"Crumb\"]\nsteps = [{ play = \"Crumb\", refused = \"G65\" }]",
        &["4: this is allowed, and should be refused"],
    );
    check(
        "me.ring = [\"Crumb\"]\nsteps = [{ attack = \"Crumb\", refused = \"G130.6\" }]",
        &["4: refused - G130.6 + attacks only in its controller's Attack phase (G130.1)"],
    );
    check(
        "steps = [{ choose = \"yes\" }]",
        &["3: “yes” is not among the options"],
    );
}

#[test]
fn what_is_not_as_expected_is_shown() {
    check(
        "me.hand = [\"Crumb\"]\n\
         steps = [\n\
         { play = \"Crumb\", slot = 2, \
             expect = { me.sp = 6, me.hand-size = 0, me.ring = [\"Crumb 300\"], events = [\"draws\"] } }]",
        &[
            "5: me.sp - 6 + 7",
            "5: me.ring slot 1 - { card = Crumb, bp = 300 } + nobody",
            "5: me.ring slot 2 - nobody + Crumb 200 fresh",
            "5: events - draws + Player 1's SP: 0 → 7 (+7, for Crumb)., Player 1 plays Crumb in slot 2.",
        ],
    );
}

/// `--bless` changes expectations that do not hold, and nothing else.
#[test]
fn blessing_fills_expectations_in_and_keeps_comments() {
    let text = "\
        # before\n\
        [[scenario]]\n\
        name = \"it\" # a name\n\
        me.hand = [\"Crumb\"]\n\
        steps = [\n\
        \x20 { play = \"Crumb\", expect = {} }, # all of it\n\
        \x20 { expect = { me.sp = 1, me.ring = [\"Crumb 900\"], me.hand-size = 0 } },\n\
        ]\n";
    let options = RunOptions {
        bless: true,
        ..RunOptions::default()
    };
    let reports = run_text(text, options);
    let (blessed, changed) = bless(text, &reports);
    let expected = text
        .replace(
            "expect = {} }",
            "expect = { me.sp = 7, me.ring = [\"Crumb 200 fresh\"], me.hand = [] } }",
        )
        .replace("me.sp = 1,", "me.sp = 7,")
        .replace("\"Crumb 900\"", "\"Crumb 200 fresh\"");
    assert_eq!(blessed, expected);
    assert_eq!(changed, 3);
    let again = run_text(&blessed, options);
    assert_eq!(bless(&blessed, &again), (blessed.clone(), 0));
    assert_eq!(again[0].failure, None);
}

/// R1402: chance by list, the first of everything, or a seed; coins by name.
/// D50: who takes two of the top five cards of the own deck has seen which five they are, and nothing of
/// the order in which they lie, or of the cards below.
#[test]
fn who_looks_at_the_top_cards_learns_nothing_of_those_below() {
    let text = "\
        [[scenario]]\n\
        name = \"browsing\"\n\
        me = { sp = 9, hand = [\"Recommended Reading\"], \
            deck = [\"Crumb\", \"Fop\", \"Wet Floor\", \"Gasket\", \"Tag In\", \"Potluck\", \
            \"Trapdoor\", \"Encore Elsie\", \"Auntie Rye\", \"Bosun Brill\"] }\n";
    let file = read(text).expect("it is a scenario");
    let (mut duel, _) = cw_scenario::begin(&file.scenarios[0], game()).expect("it begins");
    for wanted in ["play Recommended Reading", "Browse"] {
        let labels = cw_scenario::state(&duel)["options"].clone();
        let labels = labels.as_array().expect("there are options");
        let at = labels
            .iter()
            .position(|label| label.as_str().is_some_and(|label| label.contains(wanted)));
        let option = duel.pending().expect("somebody is asked").options
            [at.unwrap_or_else(|| panic!("{wanted}: {labels:?}"))];
        duel.answer_silently(option).expect("it is offered");
    }
    let deck = |duel: &cw_duel::Duel| -> Vec<String> {
        let state = cw_scenario::state(duel);
        let cards = state["me"]["deck"].as_array().expect("a deck is a list");
        cards.iter().map(ToString::to_string).collect()
    };
    for chosen in 0..2 {
        let truth = deck(&duel);
        assert_eq!(truth.len(), 10, "{chosen}: nothing has been taken yet");
        let seat = duel.pending().expect("somebody is asked").seat;
        let (mut top, mut below) = (
            std::collections::BTreeSet::new(),
            std::collections::BTreeSet::new(),
        );
        for seed in 0..200 {
            let guess = deck(&duel.sample(seat, seed).expect("there are guesses"));
            for (now, of) in [(&guess[..5], &truth[..5]), (&guess[5..], &truth[5..])] {
                let sorted = |cards: &[String]| {
                    let mut cards = cards.to_vec();
                    cards.sort();
                    cards
                };
                assert_eq!(sorted(now), sorted(of));
            }
            top.insert(guess[..5].to_vec());
            below.insert(guess[5..].to_vec());
        }
        assert!(
            top.len() > 1 && below.len() > 20,
            "{chosen}: {} and {} orders",
            top.len(),
            below.len()
        );
        let option = duel.pending().expect("somebody is asked").options[0];
        duel.answer_silently(option).expect("it is offered");
    }
}

#[test]
fn chance_is_scripted() {
    let sp = |chance: &str| {
        let text = format!(
            "[[scenario]]\n\
             name = \"it\"\n\
             {chance}\n\
             answers = \"first\"\n\
             me.hand = [\"Fop\"]\n\
             me.ring = [\"\", \"Crumb\"]\n\
             steps = [{{ play = \"Fop\" }}]"
        );
        let report = run_text(
            &text,
            RunOptions {
                record: true,
                ..RunOptions::default()
            },
        )
        .remove(0);
        assert_eq!(report.failure, None, "{chance}");
        let last = report.steps.last().expect("a step was taken");
        last.state.as_ref().expect("recorded")["me"]["sp"]
            .as_i64()
            .expect("SP is a number")
    };
    let (heads, tails) = (sp("random = [\"heads\"]"), sp("random = [\"tails\"]"));
    assert_eq!((heads, tails), (8, 5), "the call is heads");
    assert_eq!(sp("random = \"first\""), heads);
    assert!([heads, tails].contains(&sp("seed = 7")));
}

/// The JSON form means the same as TOML.
#[test]
fn json_is_another_form_of_the_same() {
    let json = "\
        { \"scenario\": [{ \"name\": \"it\", \"me\": { \"hand\": [\"Crumb\"] },\n\
        \x20       \"steps\": [{ \"play\": \"Crumb\", \"slot\": 2, \
            \"expect\": { \"me\": { \"ring\": [\"\", \"Crumb 200 fresh\"] } } }, \"pass\"] }] }";
    let report = only(json);
    assert_eq!(report.failure, None);
    assert_eq!(report.steps.len(), 3);
    let fault = read("{ \"scenario\": ").expect_err("not JSON");
    assert_eq!(fault.code.0, "SC001");
}

/// Every card's skeleton can be played, and blessed to hold.
#[test]
fn skeletons_can_be_played() {
    let options = RunOptions {
        bless: true,
        ..RunOptions::default()
    };
    for model in &game().models {
        let text = skeleton(game(), &model.name).expect("the card is there");
        let reports = run_text(&text, options);
        let (blessed, _) = bless(&text, &reports);
        let report = only(&blessed);
        // A card may have nothing to act on in the plain position; the reason is told then.
        if let Some(failure) = &report.failure {
            let told = words(&blessed, failure).join("\n");
            assert!(
                told.contains("is not offered"),
                "{}: {told}\n{blessed}",
                model.name
            );
        }
    }
    let unknown = skeleton(game(), "Crum").expect_err("there is no such card");
    assert_eq!(unknown.help.as_deref(), Some("did you mean “Crumb”?"));
}

/// Any text is read without panic, and so is any beginning of a file.
#[test]
fn any_prefix_of_a_file_can_be_read() {
    for (path, text) in files() {
        let step = (text.len() / 300).max(1);
        let mut read_whole = false;
        for end in (0..=text.len()).step_by(step) {
            if let Some(part) = text.get(..end) {
                read_whole |= read(part).is_ok();
            }
        }
        assert!(read_whole || read(&text).is_ok(), "{}", path.display());
    }
}

/// The published schema names exactly the keys that the reader knows.
#[test]
fn the_schema_agrees_with_the_reader() {
    let path = root().join("docs/scenario.schema.json");
    let schema: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(&path).expect("the schema is there")).expect("JSON");
    let keys = |name: &str| -> Vec<String> {
        let properties = match name {
            "step" => &schema["$defs"]["step"]["oneOf"][1]["properties"],
            "character" => &schema["$defs"]["character"]["oneOf"][1]["properties"],
            _ => &schema["$defs"][name]["properties"],
        };
        let mut keys: Vec<String> = properties
            .as_object()
            .unwrap_or_else(|| panic!("the schema has {name}"))
            .keys()
            .cloned()
            .collect();
        keys.sort();
        keys
    };
    // The reader tells the keys that it knows when it meets one that is like none.
    let known = |text: &str| -> Vec<String> {
        let text = format!("[[scenario]]\nname = \"it\"\n{text}");
        let fault = match read(&text) {
            Err(fault) => fault,
            Ok(_) => match only(&text).failure {
                Some(ScenarioFailure::Fault(fault)) => fault,
                other => panic!("{other:?}"),
            },
        };
        let help = fault.help.expect("the keys are told");
        let list = help
            .strip_prefix("known here: ")
            .unwrap_or_else(|| panic!("{help}"));
        let mut keys: Vec<String> = list.split(", ").map(str::to_owned).collect();
        keys.sort();
        keys
    };
    assert_eq!(keys("scenario"), known("qqqqqqqq = 1"));
    assert_eq!(keys("player"), known("me.qqqqqqqq = 1"));
    assert_eq!(keys("step"), known("steps = [{ qqqqqqqq = 1 }]"));
    assert_eq!(
        keys("character"),
        known("me.ring = [{ card = \"Crumb\", qqqqqqqq = 1 }]")
    );
    assert_eq!(keys("expect"), known("steps = [{ expect.qqqqqqqq = 1 }]"));
    assert_eq!(
        keys("expected-player"),
        known("steps = [{ expect.me.qqqqqqqq = 1 }]")
    );
}

/// The documentation's examples are scenarios that hold.
#[test]
fn the_documented_example_holds() {
    let page = std::fs::read_to_string(root().join("docs/scenarios.md")).expect("the page is there");
    let examples: Vec<&str> = page
        .split("```toml\n")
        .skip(1)
        .filter_map(|rest| rest.split("\n```").next())
        .collect();
    assert!(!examples.is_empty());
    // Those of the free table are run in `free_files.rs`.
    for example in examples
        .into_iter()
        .filter(|example| !example.starts_with("table ="))
    {
        let report = only(example);
        assert_eq!(report.failure, None, "{example}");
    }
    assert!(Path::new(&root().join("docs/scenario.schema.json")).is_file());
}

/// The demo game with another card called “Crumb”: an action, or a second character.
fn with_two_crumbs(second: &str) -> Arc<Game> {
    let mut game = Game::clone(game());
    let at = game.find(second).expect("a card of the demo game");
    game.models[usize::from(at.0)].name = "Crumb".into();
    Arc::new(game)
}

#[track_caller]
fn check_in(game: &Arc<Game>, text: &str, expected: &[&str]) {
    let text = format!("[[scenario]]\nname = \"it\"\n{text}");
    let file = read(&text).unwrap_or_else(|fault| panic!("{}: {:?}", fault.message, fault.help));
    let report = run(&file.scenarios[0], game, RunOptions::default());
    let found = report
        .failure
        .map_or_else(Vec::new, |failure| words(&text, &failure));
    assert_eq!(found, expected);
}

/// D60, G4: of several cards of a name the place decides which is meant.
#[test]
fn a_name_means_the_card_that_can_be_there() {
    let espresso = game()
        .find("Double Espresso")
        .expect("an action of the demo game");
    let id = &game().model(espresso).id;
    let game = with_two_crumbs("Double Espresso");
    let ring = "me.ring = [\"Crumb 700 fresh\", \"Auntie Rye + Crumb\"]";
    check_in(
        &game,
        &format!(
            "{ring}\nsteps = [{{ expect.me.ring = [\"Crumb 700 fresh\", \"Auntie Rye 800 + Crumb\"] }}]"
        ),
        &[],
    );
    // In the hand only the id tells; what is played is what lies there.
    check_in(
        &game,
        &format!(
            "me.sp = 9\n\
             me.hand = [\"{id}\"]\n\
             me.ring = [\"Crumb\"]\n\
             steps = [{{ play = \"Crumb\", expect.me.discards = [\"Crumb\"] }}]"
        ),
        &[],
    );
    // A card that nobody can play is never meant where another one is.
    let mut odd = Game::clone(&game);
    odd.models[usize::from(espresso.0)].card_type = None;
    check_in(
        &Arc::new(odd),
        "me.hand = [\"Crumb\"]\nsteps = [{ play = \"Crumb\", slot = 1 }]",
        &[],
    );
}

/// D60: what nothing decides is an error that lists the ids.
#[test]
fn an_ambiguous_name_lists_the_ids() {
    let id = |name: &str| game().model(game().find(name).expect("a card")).id.clone();
    let (crumb, espresso, gasket) = (id("Crumb"), id("Double Espresso"), id("Gasket"));
    let listed = |other: &str| {
        let mut ids = [&*crumb, other];
        ids.sort_by_key(|id| game().models.iter().position(|model| model.id.as_ref() == *id));
        format!(
            "SC004: 2 cards are called “Crumb”; write the id of the one you mean: {}, {}",
            ids[0], ids[1]
        )
    };
    let game_of = with_two_crumbs;
    check_in(
        &game_of("Double Espresso"),
        "me.hand = [\"Crumb\"]",
        &[&format!("3 {}", listed(&espresso))],
    );
    check_in(
        &game_of("Gasket"),
        "me.ring = [\"Crumb\"]",
        &[&format!("3 {}", listed(&gasket))],
    );
    check_in(
        &game_of("Gasket"),
        &format!("me.hand = [\"{crumb}\", \"{gasket}\"]\nsteps = [{{ play = \"Crumb\", slot = 1 }}]"),
        &[&format!("4 {}", listed(&gasket))],
    );
    // In a ring the short form takes an id, too.
    check_in(
        &game_of("Gasket"),
        &format!(
            "me.ring = [\"{gasket} 900 frozen\"]\nsteps = [{{ expect.me.ring = [\"Crumb 900 frozen\"] }}]"
        ),
        &[],
    );
}

/// D60, G4: for any two cards of one name and each place: the one that can be there is meant, and two
/// are an error.
#[test]
fn type_and_place_decide_between_two_cards_of_a_name() {
    use cw_program::CardType;
    let types = [
        Some(CardType::Character),
        Some(CardType::Action),
        Some(CardType::Reaction),
        None,
    ];
    let (first, second) = (game().find("Crumb"), game().find("Gasket"));
    let (first, second) = (first.expect("a card"), second.expect("a card"));
    for of_first in types {
        for of_second in types {
            let mut game = Game::clone(game());
            game.models[usize::from(first.0)].card_type = of_first;
            game.models[usize::from(second.0)].card_type = of_second;
            game.models[usize::from(second.0)].name = "Crumb".into();
            let game = Arc::new(game);
            for (place, fits) in [
                (
                    "ring",
                    [of_first, of_second].map(|kind| kind == Some(CardType::Character)),
                ),
                ("hand", [of_first, of_second].map(|kind| kind.is_some())),
            ] {
                let text = format!(
                    "[[scenario]]\n\
                     name = \"it\"\n\
                     me.{place} = [\"Crumb\"]\n\
                     steps = [{{ expect.me.{place} = [\"Crumb\"] }}]"
                );
                let file = read(&text).expect("a scenario");
                let options = RunOptions {
                    record: true,
                    ..RunOptions::default()
                };
                let report = run(&file.scenarios[0], &game, options);
                let found = report
                    .failure
                    .map_or_else(Vec::new, |failure| words(&text, &failure));
                let name = format!("{of_first:?} and {of_second:?} in the {place}: {found:?}");
                match fits {
                    [true, true] => assert!(found[0].contains("2 cards are called “Crumb”"), "{name}"),
                    [false, false] if place == "ring" => assert!(found[0].contains("SC005"), "{name}"),
                    _ => assert!(found.is_empty(), "{name}"),
                }
            }
        }
    }
}

/// D60, G4: in random games in which up to five cards share each name, a name does in a step what the id
/// does of the only card of that name that can do it; several are an error that lists just their ids;
/// where none can, the step is refused.
#[test]
fn in_random_games_a_name_does_what_the_only_fitting_id_does() {
    let (mut one, mut several, mut none) = (0, 0, 0);
    for seed in 0..400 {
        let mut dice = ByteSource::of_seed(seed);
        let mut twins = Game::clone(game());
        let named: Vec<usize> = (0..2 + dice.below(4))
            .map(|_| dice.below(twins.models.len()))
            .collect();
        for model in &named {
            twins.models[*model].name = "Twin".into();
        }
        let twins = Arc::new(twins);
        let id = |model: usize| twins.models[model].id.to_string();
        // A hand with cards of the name, some of them twice, and others; a ring that is mostly full.
        let hand: Vec<usize> = (0..1 + dice.below(6))
            .map(|_| match dice.percent(70) {
                true => *dice.pick(&named),
                false => dice.below(twins.models.len()),
            })
            .collect();
        let listed = |cards: &[usize]| {
            let ids: Vec<String> = cards.iter().map(|card| format!("{:?}", id(*card))).collect();
            ids.join(", ")
        };
        let setup = format!(
            "me.sp = {}\n\
             me.hand = [{}]\n\
             me.ring = [\"Gasket 700\", \"{}\"]\n\
             opponent.ring = [\"Gasket 700\"]\n",
            dice.below(12),
            listed(&hand),
            if dice.percent(50) { "Gasket 300" } else { "" },
        )
        .replace("Gasket", &game().model(game().find("Gasket").expect("a card")).id);
        let run_with = |name: &str, verb: &str| {
            let text = format!("[[scenario]]\nname = \"it\"\n{setup}steps = [{{ {verb} = {name:?} }}]");
            let file = read(&text).expect("a scenario");
            let options = RunOptions {
                record: true,
                ..RunOptions::default()
            };
            let report = run(&file.scenarios[0], &twins, options);
            let faults = report
                .failure
                .as_ref()
                .map(|failure| words(&text, failure).join("; "));
            let steps = report.steps.into_iter();
            let seen: Vec<_> = steps
                .map(|step| (step.answers, step.events, step.state))
                .collect();
            (faults, seen)
        };
        let verb = *dice.pick(&["play", "back-up"]);
        let mut distinct: Vec<usize> = hand
            .iter()
            .copied()
            .filter(|card| &*twins.models[*card].name == "Twin")
            .collect();
        distinct.sort_unstable();
        distinct.dedup();
        let able: Vec<usize> = distinct
            .iter()
            .copied()
            .filter(|card| {
                let (fault, _) = run_with(&id(*card), verb);
                !fault.is_some_and(|fault| fault.contains("is not offered"))
            })
            .collect();
        let (fault, seen) = run_with("Twin", verb);
        match able[..] {
            [] => {
                none += 1;
                assert!(
                    fault.expect("nothing fits").contains("is not offered"),
                    "seed {seed}"
                );
            }
            [only] => {
                one += 1;
                assert_eq!((fault, seen), run_with(&id(only), verb), "seed {seed}");
            }
            _ => {
                several += 1;
                let ids: Vec<String> = able.iter().map(|card| id(*card)).collect();
                let fault = fault.expect("several fit");
                let said = fault.split("you mean: ").nth(1).expect(&fault);
                let mut said: Vec<&str> = said.split(", ").collect();
                said.sort_unstable();
                let mut expected = ids;
                expected.sort_unstable();
                assert_eq!(said, expected, "seed {seed}");
            }
        }
    }
    assert!(one > 50 && several > 50 && none > 20, "{one} {several} {none}");
}

/// GQ26: the word `unfreezable` is the ability, in positions and in expectations.
#[test]
fn unfreezable_is_an_ability() {
    let steps = "steps = [{ expect.me.ring = [\"Crumb unfreezable\"] }, \
        { expect.me.ring = [{ card = \"Crumb\", abilities = [\"unfreezable\"] }] }]";
    check(&format!("me.ring = [\"Crumb unfreezable\"]\n{steps}"), &[]);
    let without = format!("[[scenario]]\nname = \"it\"\nme.ring = [\"Crumb\"]\n{steps}");
    assert!(only(&without).failure.is_some(), "it has no such ability");
}

/// An empty list of characters means that nobody stands in the ring.
#[test]
fn no_characters_are_an_empty_ring() {
    let scenario = |ring: &str| {
        let text = format!(
            "[[scenario]]\nname = \"nobody\"\nme.ring = {ring}\nsteps = [ {{ expect.me.characters = [] }} ]\n"
        );
        only(&text).failure.is_none()
    };
    assert!(scenario("[]"));
    assert!(!scenario("[\"Crumb\"]"));
}

/// The text with what happens filled in, and whether it holds then.
fn blessed(text: &str) -> (String, bool) {
    let options = RunOptions {
        bless: true,
        ..RunOptions::default()
    };
    let reports = run_text(text, options);
    let holds = reports.iter().all(|report| report.failure.is_none());
    (bless(text, &reports).0, holds)
}

/// Each expected character has a slot of its own; one that is not there is not blessed to be another, and
/// others are blessed to be the nearest of the same card.
#[test]
fn each_character_stands_in_a_slot_of_its_own() {
    let with = |ring: &str, expected: &str| {
        format!(
            "[[scenario]]\nname = \"it\"\nme.ring = {ring}\n\
             steps = [{{ expect.me.characters = {expected} }}]\n"
        )
    };
    let check = |ring: &str, expected: &str, told: &[&str]| {
        let text = with(ring, expected);
        let failure = only(&text).failure;
        assert_eq!(
            failure.map_or_else(Vec::new, |failure| words(&text, &failure)),
            told,
            "{text}"
        );
    };
    let missing = "4: me.characters - { card = Crumb } + Auntie Rye 500";
    check(r#"["Auntie Rye"]"#, r#"["Crumb"]"#, &[missing]);
    check(
        r#"["Crumb 300"]"#,
        r#"["Crumb", "Crumb"]"#,
        &["4: me.characters - { card = Crumb } + Crumb 300"],
    );
    // The first takes the slot that the second cannot have.
    check(r#"["Crumb 300", "Crumb 400"]"#, r#"["Crumb", "Crumb 300"]"#, &[]);
    check(r#"["Crumb 300", "Crumb 400"]"#, r#"["Crumb 300", "Crumb"]"#, &[]);
    check(
        "[]",
        r#"["Crumb"]"#,
        &["4: me.characters - { card = Crumb } + none"],
    );
    let text = with(r#"["Auntie Rye"]"#, r#"["Crumb"]"#);
    assert_eq!(blessed(&text), (text, false));
    let both = r#"["Crumb 300", "Crumb 400"]"#;
    let right = with(both, r#"["Crumb 400", "Crumb 300"]"#);
    assert_eq!(
        blessed(&with(both, r#"["Crumb 900", "Crumb 300"]"#)),
        (right, true)
    );
}

/// Empty words are a question only where nothing is asked, and parts of "none" are not.
#[test]
fn words_of_a_question_are_not_empty() {
    let ends = "phase = \"attack\"\nme.ring = [\"Crumb 200\"]\nopponent.hp = 100\n\
        steps = [{ attack = \"Crumb\" }, \"end phase\", { do = \"pass\", expect.question = WORDS }]";
    check(&ends.replace("WORDS", "\"none\""), &[]);
    check(&ends.replace("WORDS", "\"\""), &[]);
    check(&ends.replace("WORDS", "\"on\""), &["6: question - on + none"]);
    let asks = |words: &str| {
        let text = format!("[[scenario]]\nname = \"it\"\nsteps = [{{ expect.question = \"{words}\" }}]");
        only(&text).failure.is_none()
    };
    assert!(!asks("") && !asks("none"));
}

/// In JSON nothing can be filled in: what does not hold fails there with `--bless`, too.
#[test]
fn blessing_does_not_pass_over_json() {
    let json = "{\"scenario\": [{\"name\": \"it\", \"steps\": [{\"expect\": {\"me\": {\"hp\": 1}}}]}]}";
    assert_eq!(blessed(json), (json.to_owned(), false));
}

/// Where cards share a name, a new scenario names its card by the id, and can be read.
#[test]
fn a_skeleton_of_a_doubled_name_can_be_read() {
    let mut game = Game::clone(game());
    let crumb = game.find("Crumb").expect("there is such a card");
    let other = game.models.iter_mut().find(|model| &*model.name == "Auntie Rye");
    other.expect("there is such a card").name = "Crumb".into();
    let game = Arc::new(game);
    let id = game.model(crumb).id.to_string();
    let text = skeleton(&game, &id).expect("the id names it");
    let file = read(&text).expect("a skeleton can be read");
    let options = RunOptions {
        bless: true,
        ..RunOptions::default()
    };
    let report = run(&file.scenarios[0], &game, options);
    assert_eq!(report.failure, None, "{text}");
}
