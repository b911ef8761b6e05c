//! The commands about packages, cards, packs and decks, run as a user runs them.
#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use cw_octgn::{Folder, Package};

fn run_with(folder: &Path, arguments: &[&str], typed: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_cardwright"))
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that needs nothing typed may be gone already.
    let _ = child.stdin.take().unwrap().write_all(typed.as_bytes());
    child.wait_with_output().unwrap()
}

/// What was printed to both outputs, without the line that says which game it is about.
fn told(output: &Output) -> String {
    let notes = String::from_utf8_lossy(&output.stderr).into_owned();
    let rest = match notes.split_once('\n') {
        Some((first, rest)) if first.starts_with("game: ") => rest,
        _ => &notes,
    };
    String::from_utf8_lossy(&output.stdout).into_owned() + rest
}

/// The file of the only set of the new game `g`.
fn only_set(folder: &Path) -> PathBuf {
    let mut sets = std::fs::read_dir(folder.join("g/Sets")).unwrap();
    sets.next().unwrap().unwrap().path().join("set.xml")
}

/// Runs the program; it has to end with this code. Tells what it printed, to both outputs.
#[track_caller]
fn run(folder: &Path, code: i32, arguments: &[&str]) -> String {
    let output = run_with(folder, arguments, "");
    let text = told(&output);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {text}");
    text
}

/// `cardwright new` writes a package without findings, that plays.
#[test]
fn a_new_game_is_sound_and_plays() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), 0, &["new", "My Game", "--seed", "1"]);
    let package = Package::read(&Folder::new(folder.path().join("My Game"))).unwrap();
    let found = cw_octgn::check(&package);
    // Not even a hint: OCTGN's own builder takes it as it is (P239).
    assert!(found.is_empty(), "{found:#?}");
    let played = run(
        folder.path(),
        0,
        &[
            "play", "--game", "My Game", "--seat1", "random", "--seed", "1", "-q",
        ],
    );
    assert!(played.contains("wins by"), "{played}");
    let again = run(folder.path(), 1, &["new", "My Game"]);
    assert!(again.contains("not empty"), "{again}");
    assert!(run(folder.path(), 1, &["new", "a:b"]).contains("cannot be the name"));
    assert!(run(folder.path(), 1, &["new", "con"]).contains("device"));
}

/// The tutorial, step by step: commands are run, files are changed, and what it promises is printed.
#[test]
fn the_tutorial_works() {
    let text = include_str!("../../../docs/first-card.md");
    let folder = tempfile::tempdir().unwrap();
    let game = folder.path().join("mygame");
    let mut blocks = Vec::new();
    let mut rest = text;
    while let Some((_, after)) = rest.split_once("\n```") {
        let (kind, after) = after.split_once('\n').unwrap();
        let (content, after) = after.split_once("```").unwrap();
        blocks.push((kind, content));
        rest = after;
    }
    assert!(blocks.len() > 10);
    let mut printed = String::new();
    for (number, (kind, content)) in blocks.iter().enumerate() {
        match *kind {
            "sh" => {
                let typed = blocks
                    .get(number + 1)
                    .filter(|next| next.0 == "type")
                    .map_or("", |next| next.1);
                printed = command(folder.path(), content, typed);
            }
            "type" => {}
            "text" => assert!(printed.contains(content.trim()), "{content} is not in {printed}"),
            "xml" => {
                let set = std::fs::read_dir(game.join("Sets"))
                    .unwrap()
                    .next()
                    .unwrap()
                    .unwrap();
                let path = set.path().join("set.xml");
                let old = std::fs::read_to_string(&path).unwrap();
                std::fs::write(&path, old.replace("\t</cards>", &format!("{content}\t</cards>"))).unwrap();
            }
            "rules" => {
                let path = game.join("Rules/core.rules");
                let old = std::fs::read_to_string(&path).unwrap();
                std::fs::write(&path, format!("{old}\n{content}")).unwrap();
            }
            other => panic!("a block of kind {other}"),
        }
    }
    let package = Package::read(&Folder::new(&game)).unwrap();
    assert!(package.card_by_name("night porter").is_some());
}

fn command(folder: &Path, line: &str, typed: &str) -> String {
    let line = line.trim().strip_prefix("cardwright ").unwrap();
    let mut words = Vec::new();
    for (number, part) in line.split('"').enumerate() {
        if number % 2 == 1 {
            words.push(part);
        } else {
            words.extend(part.split_whitespace());
        }
    }
    let output = run_with(folder, &words, typed);
    let text = told(&output);
    assert!(output.status.success(), "{line}: {text}");
    text
}

/// A sealed pool and a draft of four, run by the computer, end in legal decks that play a duel.
#[test]
fn sealed_and_drafted_decks_play() {
    let folder = tempfile::tempdir().unwrap();
    let sealed = run(
        folder.path(),
        0,
        &["sealed", "6:booster", "--seed", "1", "--output", "sealed"],
    );
    assert_eq!(sealed.matches("a legal deck").count(), 2, "{sealed}");
    let drafted = run(
        folder.path(),
        0,
        &[
            "draft",
            "5:booster",
            "--seats",
            "4",
            "--seed",
            "1",
            "--output",
            "draft",
        ],
    );
    assert_eq!(drafted.matches("a legal deck").count(), 4, "{drafted}");
    for (one, two) in [
        ("sealed/player 1 deck.o8d", "sealed/player 2 deck.o8d"),
        ("draft/seat 1 deck.o8d", "draft/seat 4 deck.o8d"),
    ] {
        assert!(run(folder.path(), 0, &["deck", "check", one]).contains("a legal deck"));
        let arguments = [
            "play", "--deck1", one, "--deck2", two, "--seat1", "random", "--seed", "5", "-q",
        ];
        let played = run(folder.path(), 0, &arguments);
        assert!(played.contains("wins by"), "{played}");
    }
    // A small pool makes a small deck: legal for who has that pool, and for nobody else.
    let small = run(
        folder.path(),
        0,
        &["sealed", "1:booster", "--seed", "2", "--output", "small"],
    );
    assert!(small.contains("from this pool"), "{small}");
    let (deck, pool) = ("small/player 1 deck.o8d", "small/player 1 pool.o8d");
    let built = run(folder.path(), 1, &["deck", "check", deck]);
    assert!(
        built.contains("not a legal deck") && built.contains("--pool FILE"),
        "{built}"
    );
    let of_pool = run(folder.path(), 0, &["deck", "check", deck, "--pool", pool]);
    assert!(of_pool.contains("a legal deck"), "{of_pool}");
    let other = "small/player 2 pool.o8d";
    let of_other = run(folder.path(), 1, &["deck", "check", deck, "--pool", other]);
    assert!(of_other.contains("CW004"), "{of_other}");
    // A pool that is saved can be loaded as the pool of a deck.
    let made = run(
        folder.path(),
        0,
        &["deck", "new", "again.o8d", "--from", "sealed/player 1 pool.o8d"],
    );
    assert!(made.contains("a legal deck"), "{made}");
}

/// A new game with two sets that have everything the document on packs speaks of, one of them hidden.
fn game_of_the_letter(here: &Path) {
    run(here, 0, &["new", "g", "--seed", "1"]);
    for (id, text) in [
        (
            "a1000000-0000-4000-8000-000000000001",
            include_str!("../../../tests/browser/letter/harvest.xml"),
        ),
        (
            "b1000000-0000-4000-8000-000000000001",
            include_str!("../../../tests/browser/letter/vault.xml"),
        ),
    ] {
        let folder = here.join("g/Sets").join(id);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("set.xml"), text).unwrap();
    }
}

/// OCTGN's document on packs, sentence by sentence, by commands (P26, P31–P38, P80–P90, P110–P115).
#[test]
fn packs_are_as_the_document_says() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    game_of_the_letter(here);
    let cards = |query: &str| run(here, 0, &["cards", "--game", "g", query]);

    // “Any number of <pack> child elements can be included, each one representing a different type of pack”,
    // also in sets that are hidden from the deck editor.
    let packs = run(here, 0, &["packs", "list", "--game", "g"]);
    for pack in [
        "Harvest, Harvest Pack",
        "Harvest, Windfall Pack",
        "Vault, Vault Pack",
    ] {
        assert!(packs.contains(pack), "{packs}");
    }
    // “Links to an existing card from a different set, adding it to the pool of possible cards”; “these tags
    // will OVERRIDE the existing property values … customize how it gets selected”; “the probability
    // attribute … of selecting that option”: of the four packs in which the option is a rare card, the
    // Apprentice is in every second.
    let odds = run(here, 0, &["packs", "odds", "harvest pack", "--game", "g"]);
    let line = |name: &str| {
        let found = odds.lines().find(|line| line.starts_with(name));
        found.map(|line| line.split_whitespace().rev().nth(2).unwrap().to_owned())
    };
    for (card, copies) in [
        ("Golden Sheaf", "1/4"),
        ("Scythe Dancer", "3/8"),
        ("Apprentice", "3/8"),
        // “The number of unique cards to be selected from the filtered list of matching cards”: two of three.
        ("Barn Owl", "2/3"),
        // “Each <property> tag represents an additional Custom Property value to filter by”: five of six
        // commons, and one of the two students among them.
        ("Thatcher", "5/6"),
        ("Gleaner", "4/3"),
    ] {
        assert_eq!(line(card).as_deref(), Some(copies), "{card}: {odds}");
    }
    // What no pick asks for does not come: the windfalls, the Core set, the hidden cards.
    for absent in ["Fallen Apple", "Porter", "Duellist", "Vault"] {
        assert_eq!(line(absent), None, "{odds}");
    }
    // The card itself stays as it is.
    assert!(cards("apprentice").contains("Student · D · 300"));

    // “If the filtered selection of cards is less than the defined qty value, then the generated pack will be
    // less than expected”; “it will never duplicate them”.
    let vault = run(
        here,
        0,
        &[
            "packs",
            "open",
            "vault pack",
            "-n",
            "1",
            "--seed",
            "5",
            "--game",
            "g",
        ],
    );
    assert_eq!(
        (
            vault.matches("Vault Door").count(),
            vault.matches("Vault Key").count()
        ),
        (1, 1),
        "{vault}"
    );
    // “If "unlimited" is used …, then the entire filtered selection of cards in this pick will be added to
    // the pack”.
    let windfall = run(
        here,
        0,
        &[
            "packs",
            "open",
            "windfall pack",
            "-n",
            "1",
            "--seed",
            "5",
            "--game",
            "g",
        ],
    );
    assert!(
        windfall.contains("Fallen Apple") && windfall.contains("Porter"),
        "{windfall}"
    );

    // A sealed game of them: “players can [add] an unlimited amount of those cards to their decks”.
    let sealed = run(
        here,
        0,
        &[
            "sealed",
            "4:harvest pack",
            "windfall pack",
            "vault pack",
            "--seed",
            "3",
            "--game",
            "g",
            "-o",
            "out",
        ],
    );
    assert_eq!(
        sealed
            .matches("38 cards and 2 unlimited; a legal deck of 50")
            .count(),
        2,
        "{sealed}"
    );
    let check = |deck: &str, code: i32| {
        run(
            here,
            code,
            &[
                "deck",
                "check",
                deck,
                "--game",
                "g",
                "--pool",
                "out/player 1 pool.o8d",
            ],
        )
    };
    check("out/player 1 deck.o8d", 0);
    let deck = |lines: &str| {
        std::fs::write(
            here.join("own.o8d"),
            format!(
                "<deck game=\"182991b8-cd4d-8733-afd1-c48212ff9407\">\
                 <section name=\"Main\">{lines}</section></deck>"
            ),
        )
        .unwrap();
    };
    deck("<card qty=\"50\" id=\"a3000000-0000-4000-8000-000000000012\">Fallen Apple</card>");
    check("own.o8d", 0);
    // Of all others there are as many as the packs had, and never more than three of one card.
    deck(
        "<card qty=\"45\" id=\"a3000000-0000-4000-8000-000000000012\">Fallen Apple</card>\
         <card qty=\"5\" id=\"a3000000-0000-4000-8000-000000000006\">Gleaner</card>",
    );
    assert!(check("own.o8d", 1).contains("at most 3"));
    deck(
        "<card qty=\"48\" id=\"a3000000-0000-4000-8000-000000000012\">Fallen Apple</card>\
         <card qty=\"2\" id=\"b3000000-0000-4000-8000-000000000001\">Vault Door</card>",
    );
    assert!(check("own.o8d", 1).contains("at most 1"));

    // “Note that this will override the card's property value in the sealed deck editor's filter as well”: in
    // filters and in searches, also of a saved pool.
    let edit = |pool: &[&str], typed: &str| {
        let mut arguments = vec!["deck", "edit", "new.o8d", "--plain", "--game", "g"];
        arguments.extend(pool);
        told(&run_with(here, &arguments, &format!("{typed}\nquit\nquit\n")))
    };
    let pool = ["--pool", "out/player 1 pool.o8d"];
    let found = edit(&pool, "find bp>=900");
    assert!(
        found.contains("#1 Apprentice") && !found.contains("#2"),
        "{found}"
    );
    let printed = edit(&pool, "find rarity=d");
    assert!(!printed.contains("#1"), "{printed}");
    let windfalls = edit(&pool, "filter Rarity=Windfall\nfind");
    assert!(
        windfalls.contains("Fallen Apple") && windfalls.contains("Porter"),
        "{windfalls}"
    );
    assert!(!windfalls.contains("Gleaner"), "{windfalls}");
    // “If True, the set and its cards will be hidden from the deck editor”: but not from a pool that has
    // them.
    assert!(edit(&pool, "find vault").contains("Vault Door"));
    let ordinary = edit(&[], "find vault");
    assert!(!ordinary.contains("Vault Door"), "{ordinary}");
    assert!(!edit(&[], "find").contains("Vault"));
    assert!(!cards("set:vault").contains("Vault Door"));
    assert!(run(here, 0, &["cards", "--game", "g", "--hidden", "set:vault"]).contains("Vault Door"));

    // “This card's GUID must exist in a different set”, “the set GUID must exist”, the property “must match
    // one of the game's defined Custom Properties”, “all probability values MUST add together to equal 1”.
    assert_eq!(
        run(here, 0, &["check", "g"]).matches("error[").count(),
        0,
        "the game itself is sound"
    );
    let set = here.join("g/Sets/a1000000-0000-4000-8000-000000000001/set.xml");
    let text = std::fs::read_to_string(&set).unwrap();
    for (from, to, code) in [
        (
            "id=\"ef5d2d66-21f9-8627-bbee-34d7cc5ced0f\" set=\"eae034f6-e6b9-852c-8a49-3a5aee5f2565\"",
            "id=\"a3000000-0000-4000-8000-000000000006\" set=\"a1000000-0000-4000-8000-000000000001\"",
            "PK092",
        ),
        (
            "ef5d2d66-21f9-8627-bbee-34d7cc5ced0f",
            "ef5d2d66-21f9-8627-bbee-34d7cc5ced0e",
            "PK091",
        ),
        (
            "set=\"eae034f6-e6b9-852c-8a49-3a5aee5f2565\"",
            "set=\"eae034f6-e6b9-852c-8a49-3a5aee5f2566\"",
            "PK090",
        ),
        (
            "name=\"BP\" value=\"900\"",
            "name=\"Strength\" value=\"900\"",
            "PK094",
        ),
        ("probability=\"0.25\"", "probability=\"0.5\"", "PK08"),
    ] {
        assert!(text.contains(from));
        std::fs::write(&set, text.replacen(from, to, 1)).unwrap();
        let found = told(&run_with(here, &["check", "g"], ""));
        assert!(found.contains(&format!("[{code}")), "{code}: {found}");
    }
}

/// P91: the same seed opens the same packs, and a person in a draft may take what he likes.
#[test]
fn packs_and_drafts_are_reproducible() {
    let folder = tempfile::tempdir().unwrap();
    let open = |seed: &str| {
        run(
            folder.path(),
            0,
            &["packs", "open", "booster", "-n", "3", "--seed", seed],
        )
    };
    assert_eq!(open("7"), open("7"));
    assert_ne!(open("7"), open("8"));
    let arguments = ["draft", "booster", "--seats", "2", "--seat", "1", "--seed", "1"];
    let output = run_with(folder.path(), &arguments, "2\nx\n99\n1\n\n");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("a number from 1 to"), "{text}");
    assert!(text.contains("seat 2: 12 cards"), "{text}");
}

/// A cube is a list of cards as people paste it: each comes as often as it stands there, and in no pack
/// twice.
#[test]
fn a_list_of_cards_is_drafted_as_a_cube() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let deck = run(here, 0, &["deck", "show", "Harbour Lights", "--text"]);
    std::fs::write(here.join("cube.txt"), &deck).unwrap();
    let arguments = |more: &[&str]| {
        let own = [
            "draft", "--cube", "cube.txt", "--seats", "2", "--rounds", "2", "--seed", "1",
        ];
        own.iter()
            .chain(more)
            .map(|word| (*word).to_owned())
            .collect::<Vec<String>>()
    };
    let drafted = |code, more: &[&str]| {
        let words = arguments(more);
        run(here, code, &words.iter().map(String::as_str).collect::<Vec<_>>())
    };
    let told = drafted(0, &["--pack-size", "5"]);
    assert_eq!(told.matches(": 10 cards;").count(), 2, "{told}");
    assert_eq!(told, drafted(0, &["--pack-size", "5"]));
    assert!(drafted(1, &["--pack-size", "50"]).contains("2 seats with 2 packs of 50 need 200"));
    run(here, 2, &["draft", "1:Booster", "--cube", "cube.txt"]);
    std::fs::write(here.join("cube.txt"), "3 Nobody At All\n").unwrap();
    assert!(drafted(1, &[]).contains("cannot be drafted as it is"));
}

/// Wrong requests say what is meant, and end with exit code 1; wrong command lines with 2.
#[test]
fn wrong_requests_are_answered() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    assert!(run(here, 1, &["packs", "odds", "boster"]).contains("did you mean “Booster”?"));
    assert!(run(here, 1, &["packs", "odds", "booster", "--by", "rarty"]).contains("did you mean “Rarity”?"));
    assert!(run(here, 1, &["cards", "knd:action"]).contains("did you mean `Kind`?"));
    assert!(run(here, 1, &["cards", "--game", "nowhere"]).contains("nowhere"));
    assert!(run(here, 1, &["deck", "show", "nobody"]).contains("there is no deck"));
    assert!(run(here, 1, &["sealed", "0:booster"]).contains("from 1 to 1000"));
    run(here, 2, &["sealed", "booster", "--players", "0"]);
    run(here, 2, &["packs", "open", "booster", "-n", "1000000000"]);
    let deck = "<deck game=\"6ac0a9aa-437c-4074-8135-5f1bef8a6dca\"><section name=\"Main\">\
                <card qty=\"1000000000\" id=\"7abd72f1-6ace-4a58-98dc-2863810537b0\">x</card>\
                <card qty=\"1\" id=\"0\">nobody</card></section></deck>";
    std::fs::write(here.join("huge.o8d"), deck).unwrap();
    let found = run(here, 1, &["deck", "check", "huge.o8d"]);
    assert!(
        found.contains("PK125") && found.contains("PK121") && found.contains("PK020"),
        "{found}"
    );
    assert!(run(here, 1, &["deck", "stats", "huge.o8d"]).contains("not a deck"));
}

/// P145: what is exported can be used in place of the folder; damaged archives are refused.
#[test]
fn an_exported_game_is_a_game() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    run(here, 0, &["new", "g", "--seed", "1"]);
    run(here, 0, &["export", "g", "--output", "g.o8g"]);
    assert!(run(here, 1, &["export", "g", "--output", "g.o8g"]).contains("--force"));
    let cards = |game: &str| run(here, 0, &["cards", "--game", game, "--csv"]);
    assert_eq!(cards("g"), cards("g.o8g"));
    assert!(run(here, 0, &["check", "g.o8g", "--level", "warning"]).contains("checked 5 rules"));
    std::fs::write(here.join("bad.o8g"), b"PK no").unwrap();
    assert!(run(here, 1, &["check", "bad.o8g"]).contains("not a zip archive"));
    assert!(run(here, 1, &["cards", "--game", "bad.o8g"]).contains("not a zip archive"));
}

/// P72: a line of `cards` shows the values of the form that was found, not those of its base.
#[test]
fn alternates_are_shown_by_their_own_values() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    run(here, 0, &["new", "g", "--seed", "1"]);
    let file = only_set(here);
    let text = std::fs::read_to_string(&file).unwrap();
    let twin =
        "<alternate name=\"Twin\" type=\"b\"><property name=\"BP\" value=\"12300\"/></alternate></card>";
    std::fs::write(&file, text.replacen("</card>", twin, 1)).unwrap();
    let shown = run(here, 0, &["cards", "--game", "g", "twin"]);
    assert!(shown.contains("12300"), "{shown}");
}

/// All forms of output of the odds hold the same numbers.
#[test]
fn odds_come_in_all_forms() {
    let folder = tempfile::tempdir().unwrap();
    let odds = |format: &str| {
        let arguments = [
            "packs",
            "odds",
            "booster",
            "--by",
            "rarity",
            "--packs",
            "2",
            "--complete",
            "--format",
            format,
        ];
        run(folder.path(), 0, &arguments)
    };
    assert!(odds("table").contains("packs until every card came: between"));
    let json: serde_json::Value = serde_json::from_str(&odds("json")).unwrap();
    assert_eq!(json["by"]["Rarity"][0]["name"], "A");
    assert_eq!(json["by"]["Rarity"][0]["copies"]["fraction"], "3/4");
    assert!(odds("csv").contains("Rarity,A,,0.750000,3/4,0.937500,15/16,1.333333,4/3"));
    let html = odds("html");
    assert!(
        html.starts_with("<!doctype html>") && html.contains("<svg role=\"img\"") && !html.contains("src=")
    );
}

/// P114, P142: the deck builder line by line, as scripts use it; wrong words are answered.
#[test]
fn decks_are_built_line_by_line() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let typed = "filter\nfilter Knd\nfilter kind=reaction\nfind\nadd 2 #1\nadd 1 nobody\n\
                 add 5000 #1\nundo\nadd 3 #2\nfilter off\nfind (\nstats\nquit\nsave\ncheck\nquit\n";
    let output = run_with(here, &["deck", "edit", "my.o8d"], typed);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{text}");
    for wanted in [
        "Kind (3 values)",
        "did you mean `Kind`?",
        "Kind=Reaction: ",
        "there is no card `nobody`",
        "1000 of one card is the most",
        "3 cards instead of 50",
        "a search term is missing",
        "chance to have drawn one",
        "not saved; `quit` again",
        "wrote my.o8d",
    ] {
        assert!(text.contains(wanted), "{wanted} is missing in {text}");
    }
    let shown = run(here, 0, &["deck", "show", "my.o8d", "--text"]);
    assert!(
        shown.starts_with("Main\n3x ") && shown.ends_with("\n\nSaltmarsh\n"),
        "{shown}"
    );
}

/// P111–P113: a sealed pool and a draft end in the deck builder for whoever sits there.
#[test]
fn limited_games_end_in_the_deck_builder() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let arguments = ["sealed", "6:booster", "--seed", "1", "--seat", "2", "-o", "out"];
    let output = run_with(here, &arguments, "find bp>0\nadd 9 #1\nremove 1 #1\nsave\n");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        text.contains("in the pool") && text.contains("wrote out/player 2 deck.o8d"),
        "{text}"
    );
    assert!(
        text.contains("the pool has only") || text.contains("all of "),
        "{text}"
    );
    assert!(run(here, 1, &["sealed", "booster", "--seat", "9"]).contains("the players are 1 to 2"));
    let drafted = run_with(
        here,
        &["draft", "booster", "--seats", "2", "--seat", "1", "--seed", "1"],
        &("\n".repeat(12) + "show\n"),
    );
    let text = String::from_utf8_lossy(&drafted.stdout).into_owned();
    assert!(
        text.contains("Main: 12 cards") && text.contains("Main (12)"),
        "{text}"
    );
}

/// Card faces as files, as pages to print, and the pictures of one deck.
#[test]
fn faces_are_drawn_into_files() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let drawn = run(here, 0, &["cards", "render", "type:reaction", "-o", "faces"]);
    let files: Vec<_> = std::fs::read_dir(here.join("faces"))
        .unwrap()
        .map(|file| file.unwrap().path())
        .collect();
    assert!(
        !files.is_empty() && drawn.contains(&format!("wrote {} faces", files.len())),
        "{drawn}"
    );
    for file in &files {
        let text = std::fs::read_to_string(file).unwrap();
        assert!(
            text.starts_with("<svg xmlns") && text.contains("<title>"),
            "{}",
            file.display()
        );
        // P76: pictures are named by the card's id.
        assert_eq!(file.file_stem().unwrap().len(), 36);
    }
    assert!(run(here, 1, &["cards", "render", "type:reaction", "-o", "faces"]).contains("--force"));
    run(
        here,
        0,
        &[
            "cards",
            "render",
            "type:reaction",
            "-o",
            "faces",
            "--force",
            "--small",
        ],
    );
    let sheet = run(
        here,
        0,
        &[
            "cards",
            "render",
            "--deck",
            "night school",
            "--sheet",
            "letter",
            "-o",
            "print",
        ],
    );
    assert!(sheet.contains("50 cards on 6 sheets"), "{sheet}");
    let page = std::fs::read_to_string(here.join("print/sheet-letter.html")).unwrap();
    assert!(page.contains("63mm") && page.matches("<svg viewBox").count() == 50 && !page.contains("src="));
    // Backs lie where their cards are when the paper is turned: two of the last page's five stand right of
    // nothing.
    let deck = [
        "cards",
        "render",
        "--deck",
        "night school",
        "--sheet",
        "a4",
        "--backs",
        "-o",
    ];
    assert!(run(here, 0, &[&deck[..], &["backs"]].concat()).contains("50 cards on 12 sheets"));
    let page = std::fs::read_to_string(here.join("backs/sheet-a4.html")).unwrap();
    let empty = "<div style=\"width:63mm;height:88mm\"></div>";
    let last = page.rsplit("<section").next().unwrap();
    assert_eq!((page.matches(empty).count(), last.matches(empty).count()), (1, 1));
    assert_eq!(
        last.find(empty),
        last.match_indices("<div").nth(3).map(|(at, _)| at)
    );
    // A card with 3 mm around it: its marks stand 3 mm inside of what is printed.
    assert!(run(here, 0, &[&deck[..], &["bleed", "--bleed"]].concat()).contains("50 cards on 18 sheets"));
    let page = std::fs::read_to_string(here.join("bleed/sheet-a4.html")).unwrap();
    assert!(page.contains("width:69mm;height:94mm") && page.contains(".a{left:-1.7mm;top:3mm}"));
    assert_eq!(page.matches("<svg class=\"bleed\"").count(), 100);
    run(here, 2, &["cards", "render", "--backs", "-o", "x"]);
    assert!(run(here, 1, &["cards", "render", "zzzz", "-o", "x"]).contains("no card is found"));
    assert!(run(here, 1, &["cards", "render", "typ:x", "-o", "x"]).contains("did you mean `type`?"));
    run(here, 2, &["cards", "render"]);
}

/// P173: findings are silenced by file and by game; a code that does not exist is one itself.
#[test]
fn findings_are_silenced_by_file_and_by_game() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    run(here, 0, &["new", "g", "--seed", "1"]);
    let set = only_set(here);
    let sound = std::fs::read_to_string(&set).unwrap();
    let wrong = sound.replacen("<card ", "<card strange=\"1\" ", 1);
    std::fs::write(&set, &wrong).unwrap();
    assert!(run(here, 0, &["check", "g"]).contains("PK008"));
    let close = wrong.rfind("</set>").unwrap();
    let with = |comment: &str| format!("{}{comment}{}", &wrong[..close], &wrong[close..]);
    std::fs::write(&set, with("<!-- cardwright: allow PK008 -->")).unwrap();
    assert!(!run(here, 0, &["check", "g"]).contains("PK008"));
    std::fs::write(&set, with("<!-- cardwright: allow PK0O8 -->")).unwrap();
    let found = run(here, 0, &["check", "g"]);
    assert!(
        found.contains("RS073") && found.contains("did you mean `PK008`?"),
        "{found}"
    );
    std::fs::write(&set, &wrong).unwrap();
    let toml = here.join("g/Rules/game.toml");
    let text = std::fs::read_to_string(&toml).unwrap();
    std::fs::write(&toml, format!("{text}\n[severities]\nPK008 = \"error\"\n")).unwrap();
    assert!(run(here, 1, &["check", "g"]).contains("error[PK008]"));
}

/// An image pack is unpacked into the game and nowhere else, whatever its folders are links to.
#[cfg(unix)]
#[test]
fn pictures_are_not_put_outside_of_the_game() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    run(here, 0, &["new", "g", "--seed", "1"]);
    let package = Package::read(&Folder::new(here.join("g"))).unwrap();
    let (set, card) = (&package.sets[0], package.sets[0].cards[0].id.value);
    let entry = format!(
        "{}/Sets/{}/Cards/{card}.png",
        package.definition.id.value, set.id.value
    );
    let mut zip = zip::ZipWriter::new(std::fs::File::create(here.join("p.o8c")).unwrap());
    zip.start_file(entry, zip::write::SimpleFileOptions::default())
        .unwrap();
    zip.write_all(b"\x89PNG\r\n\x1a\n").unwrap();
    zip.finish().unwrap();
    let add = ["images", "add", "p.o8c", "--game", "g"];
    let own = here.join("g/Sets").join(&*set.folder);
    let outside = here.join("outside");
    std::fs::create_dir(&outside).unwrap();
    // A folder elsewhere, one that is not there yet, and a picture that is a link.
    let is_refused = || assert!(run(here, 1, &add).contains("leads out"));
    std::os::unix::fs::symlink(&outside, own.join("Cards")).unwrap();
    is_refused();
    std::fs::remove_file(own.join("Cards")).unwrap();
    std::os::unix::fs::symlink(here.join("later"), own.join("Cards")).unwrap();
    is_refused();
    std::fs::remove_file(own.join("Cards")).unwrap();
    std::fs::create_dir(own.join("Cards")).unwrap();
    let picture = own.join(format!("Cards/{card}.png"));
    std::os::unix::fs::symlink(outside.join("a.png"), &picture).unwrap();
    is_refused();
    assert!(!here.join("later").exists() && std::fs::read_dir(&outside).unwrap().next().is_none());
    std::fs::remove_file(&picture).unwrap();
    assert!(run(here, 0, &add).contains("1 picture added"));
    assert_eq!(std::fs::read(&picture).unwrap(), b"\x89PNG\r\n\x1a\n");
}
