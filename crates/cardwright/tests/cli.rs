//! The program as people meet it: what it prints, how it ends, and one clear message for everything
//! that can be wrong.

mod support;

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tempfile::TempDir;

use support::output;

/// What a run printed, and its exit code.
#[derive(Debug)]
struct Run {
    code: i32,
    out: String,
    err: String,
}

fn run(arguments: &[&str]) -> Run {
    run_with("", arguments)
}

fn run_with(input: &str, arguments: &[&str]) -> Run {
    let output = output(arguments, input.as_bytes());
    Run {
        code: output.status.code().expect("no signal ended it"),
        out: String::from_utf8(output.stdout).expect("it prints UTF-8"),
        err: behind_the_game(&String::from_utf8(output.stderr).expect("it prints UTF-8")),
    }
}

/// What is told besides which game it is: that is the first line.
fn behind_the_game(told: &str) -> String {
    match told.split_once('\n') {
        Some((first, rest)) if first.starts_with("game: ") => rest.to_owned(),
        _ => told.to_owned(),
    }
}

/// Runs what must fail: with this exit code, saying all of this, and no backtrace.
#[track_caller]
fn fails(code: i32, arguments: &[&str], says: &[&str]) {
    let run = run(arguments);
    assert_eq!(run.code, code, "{run:#?}");
    for words in says {
        assert!(run.err.contains(words), "“{words}” is not in\n{}", run.err);
    }
    for backtrace in ["panicked", "stack backtrace", "RUST_BACKTRACE"] {
        assert!(!run.err.contains(backtrace), "{}", run.err);
    }
    assert!(
        run.err.starts_with("error"),
        "the message comes first:\n{}",
        run.err
    );
}

fn demo() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/saltmarsh")
}

/// A copy of the demo game, to be spoiled.
fn copy_of_demo() -> TempDir {
    let folder = tempfile::tempdir().expect("there is room");
    copy(&demo(), folder.path());
    folder
}

fn copy(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).expect("it is a folder") {
        let entry = entry.expect("it can be listed");
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            fs::create_dir_all(&target).expect("there is room");
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).expect("there is room");
        }
    }
}

fn text(path: &Path) -> &str {
    path.to_str().expect("the path is UTF-8")
}

/// Plays a copy of the demo game in which one file was changed; that must fail.
#[track_caller]
fn fails_when_changed(file: &str, change: impl FnOnce(String) -> String, says: &[&str]) {
    let game = copy_of_demo();
    let path = game.path().join(file);
    let before = fs::read_to_string(&path).expect("it is there");
    let after = change(before.clone());
    assert_ne!(before, after, "the change changes something");
    fs::write(&path, after).expect("there is room");
    fails(
        1,
        &["play", "--seat1", "random", "--game", text(game.path())],
        says,
    );
}

#[test]
fn two_computers_play_the_demo() {
    let run = run(&["play", "--seat1", "random", "--seed", "7"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{run:#?}");
    for words in ["Saltmarsh: ", "── Turn 1: Player ", " plays ", " attacks"] {
        assert!(run.out.contains(words), "“{words}” is not in\n{}", run.out);
    }
    let summary = run.out.lines().last().expect("a summary");
    assert!(
        summary.contains(" wins ") && summary.contains(" choices; HP "),
        "{summary}"
    );
}

/// G275: the seed is all there is to a duel of two computers.
#[test]
fn the_same_seed_prints_the_same_duel() {
    let play = |seed| run(&["play", "--seat1", "random", "--seed", seed]).out;
    assert_eq!(play("11"), play("11"));
    assert_ne!(play("11"), play("12"));
}

#[test]
fn quiet_prints_the_result_only() {
    let run = run(&["play", "--seat1", "random", "--seed", "7", "--quiet"]);
    assert_eq!(run.out.lines().count(), 2, "{}", run.out);
}

/// A person at a pipe: numbers, beginnings of words, nonsense, and a duel that ends.
#[test]
fn a_person_plays_through_a_pipe() {
    let folder = tempfile::tempdir().expect("there is room");
    let record = folder.path().join("duel.json");
    let script = "end the\nnonsense\n\n99\n1\n".repeat(1_000);
    let played = run_with(&script, &["play", "--seed", "3", "--record", text(&record)]);
    assert_eq!((played.code, played.err.as_str()), (0, ""), "{}", played.out);
    for words in [
        "Hand: ",
        "Main phase. What do you do?",
        "  1  ",
        "Type the number of an option",
    ] {
        assert!(played.out.contains(words), "“{words}” is not in\n{}", played.out);
    }
    // G267: the person does not see what the opponent draws.
    assert!(played.out.contains("The opponent draws a card."));
    let replayed = run(&["replay", text(&record)]);
    assert_eq!(replayed.code, 0, "{replayed:#?}");
}

/// D14: giving up is a loss, and recorded as one.
#[test]
fn a_person_gives_up() {
    let folder = tempfile::tempdir().expect("there is room");
    let record = folder.path().join("duel.json");
    let played = run_with("give up\n", &["play", "--seed", "3", "--record", text(&record)]);
    assert_eq!(played.code, 0, "{played:#?}");
    assert!(played.out.contains("Player 2 wins because the opponent gave up"));
    assert_eq!(run(&["replay", text(&record)]).code, 0);
}

#[test]
fn the_end_of_input_ends_the_duel() {
    let run = run_with("1\n", &["play", "--seed", "3"]);
    assert_eq!(run.code, 1);
    assert_eq!(run.err, "the input ended before the duel was over\n");
}

/// A record of the demo game.
fn record(folder: &TempDir) -> PathBuf {
    let path = folder.path().join("duel.json");
    let arguments = ["play", "--seat1", "random", "--seed", "5", "--quiet", "--record"];
    let run = run(&[&arguments[..], &[text(&path)]].concat());
    assert_eq!(run.code, 0, "{run:#?}");
    path
}

#[test]
fn a_record_is_replayed() {
    let folder = tempfile::tempdir().expect("there is room");
    let path = record(&folder);
    let replayed = run(&["replay", text(&path)]);
    assert_eq!(replayed.code, 0, "{replayed:#?}");
    let moves = read(&path)["moves"].as_array().expect("moves").len();
    assert!(
        replayed
            .out
            .starts_with(&format!("{moves} choices verified, state ")),
        "{}",
        replayed.out
    );
    let logged = run(&["replay", text(&path), "--log"]);
    assert!(logged.out.contains("── Turn 1: Player "), "{}", logged.out);
}

fn read(path: &Path) -> Value {
    let text = fs::read_to_string(path).expect("it is there");
    serde_json::from_str(&text).expect("it is JSON")
}

/// Replays a record that was changed; that must fail.
#[track_caller]
fn fails_when_tampered(change: impl FnOnce(&mut Value), says: &[&str]) {
    let folder = tempfile::tempdir().expect("there is room");
    let path = record(&folder);
    let mut json = read(&path);
    change(&mut json);
    fs::write(&path, json.to_string()).expect("there is room");
    fails(1, &["replay", text(&path)], says);
}

/// A record that goes another way is told with the choice, what it says and what is.
#[test]
fn a_tampered_record_names_the_choice() {
    fails_when_tampered(
        |json| json["moves"][4]["choice"] = "dance".into(),
        &[
            "diverges at choice 5: expected player ",
            "to choose “dance”",
            "with the options: ",
        ],
    );
    fails_when_tampered(
        |json| json["moves"][6]["hash"] = "0123456789abcdef0123456789abcdef".into(),
        &[
            "diverges at choice 7: expected state 0123456789abcdef0123456789abcdef",
            ", got state ",
        ],
    );
    fails_when_tampered(
        |json| json["seed"] = 6.into(),
        &["diverges at choice 1: expected "],
    );
    fails_when_tampered(
        |json| {
            let moves = json["moves"].as_array_mut().expect("moves");
            moves.push(moves[0].clone());
        },
        &["got the end of the duel"],
    );
}

#[test]
fn a_record_of_another_package_is_refused() {
    let folder = tempfile::tempdir().expect("there is room");
    let path = record(&folder);
    let game = copy_of_demo();
    let rules = game.path().join("Rules/game.toml");
    let before = fs::read_to_string(&rules).expect("it is there");
    fs::write(
        &rules,
        before.replace("name = \"Saltmarsh\"", "name = \"Dry Land\""),
    )
    .expect("there is room");
    fails(
        1,
        &["replay", text(&path), "--game", text(game.path())],
        &["the record is of “Saltmarsh” (", "this package is “Dry Land” ("],
    );
}

#[test]
fn what_is_no_record_is_refused() {
    let folder = tempfile::tempdir().expect("there is room");
    let write = |content: &[u8]| {
        let path = folder.path().join("no.json");
        fs::write(&path, content).expect("there is room");
        path
    };
    fails(
        1,
        &["replay", "nowhere.json"],
        &["cannot read the record “nowhere.json”"],
    );
    fails(
        1,
        &["replay", text(&write(b"{"))],
        &["not a recorded duel", "line 1 column 1"],
    );
    fails(1, &["replay", text(&write(b"{}"))], &["missing field `format`"]);
    fails(
        1,
        &["replay", text(&write(b"\xff\xfe"))],
        &["cannot read the record"],
    );
    fails_when_tampered(
        |json| json["format"] = "cardwright-replay-9".into(),
        &["a record of the format “cardwright-replay-9”"],
    );
    fails_when_tampered(
        |json| json["first"] = 0.into(),
        &["`first` is 0, players are 1 and 2"],
    );
    fails_when_tampered(
        |json| json["moves"][2]["seat"] = 3.into(),
        &["`seat of choice 3` is 3, players are 1 and 2"],
    );
    fails_when_tampered(|json| json["surprise"] = 1.into(), &["unknown field `surprise`"]);
    fails_when_tampered(
        |json| json["decks"][0][0]["id"] = "00000000-0000-0000-0000-000000000000".into(),
        &["the game has no card 00000000-0000-0000-0000-000000000000"],
    );
    // A deck of too many cards is not legal (G33).
    fails_when_tampered(
        |json| json["decks"][1][0]["copies"] = 4.into(),
        &["the deck of player 2 is not legal: the deck has 51 cards"],
    );
    // Where illegal decks are allowed, a duel still holds only so many cards (D9).
    fails_when_tampered(
        |json| {
            json["decks"][1][0]["copies"] = 255.into();
            json["illegal_decks"] = true.into();
        },
        &["a duel holds at most 250"],
    );
}

#[test]
fn a_path_that_is_no_game_is_refused() {
    let folder = tempfile::tempdir().expect("there is room");
    let file = folder.path().join("file");
    fs::write(&file, "").expect("there is room");
    fails(
        1,
        &["play", "--game", "nowhere"],
        &["cannot open the game “nowhere”"],
    );
    fails(
        1,
        &["play", "--game", text(folder.path())],
        &["holds no definition.xml"],
    );
    fails(
        1,
        &["play", "--game", text(&file)],
        &["is no game: a game is a folder"],
    );
}

/// PK001: the place, and the line underlined.
#[test]
fn malformed_xml_is_shown() {
    fails_when_changed(
        "definition.xml",
        |xml| xml.replacen("</game>", "</gam>", 1),
        &[
            "error[PK0",
            "/definition.xml:",
            "^",
            "the definition cannot be read, so there is no game",
        ],
    );
    fails_when_changed(
        "definition.xml",
        |_| "\n  <game id=\"x".into(),
        &["/definition.xml:2:", "<game id=\"x", "^"],
    );
    fails_when_changed(
        "definition.xml",
        |_| String::new(),
        &["error[PK001]: no element in this file", "definition.xml"],
    );
    let game = copy_of_demo();
    let sets = game.path().join("Sets");
    let set = fs::read_dir(&sets)
        .expect("sets")
        .next()
        .expect("a set")
        .expect("it can be listed");
    let xml = set.path().join("set.xml");
    let before = fs::read_to_string(&xml).expect("it is there");
    fs::write(&xml, before.replacen("</cards>", "", 1)).expect("there is room");
    fails(
        1,
        &["play", "--seat1", "random", "--game", text(game.path())],
        &["error[PK0", "set.xml:", "^"],
    );
}

/// A mistake in `Rules/game.toml` is shown, and the command fails (D60).
#[test]
fn a_bad_game_toml_is_shown() {
    let file = "Rules/game.toml";
    fails_when_changed(
        file,
        |toml| toml.replace("[game]", "[game"),
        &["error[GT001]", "Rules/game.toml:4:", "^"],
    );
    fails_when_changed(
        file,
        |toml| toml.replace("[constants]", "[constants]\nhitpoints = 3"),
        &["error[GT001]", "hitpoints", "Rules/game.toml:9:1"],
    );
    fails_when_changed(
        file,
        |toml| toml.replace("# ring-slots = 4", "ring-slots = 9"),
        &["`ring-slots` is 9, it must be from 1 to 8"],
    );
    fails_when_changed(
        file,
        |toml| toml.replace("# hp = 3000", "hp = \"many\""),
        &["error[GT001]", "Rules/game.toml:"],
    );
}

/// A deck file of the demo game with a change in it.
fn deck(folder: &TempDir, change: impl FnOnce(String) -> String) -> PathBuf {
    let before = fs::read_to_string(demo().join("Decks/Night School.o8d")).expect("it is there");
    let path = folder.path().join("mine.o8d");
    fs::write(&path, change(before)).expect("there is room");
    path
}

/// G33, P134: which rule, which card.
#[test]
fn an_illegal_deck_is_refused() {
    let folder = tempfile::tempdir().expect("there is room");
    let check = |change: fn(String) -> String, says: &[&str]| {
        let path = deck(&folder, change);
        fails(1, &["play", "--seat1", "random", "--deck2", text(&path)], says);
    };
    check(
        |xml| xml.replacen("qty=\"3\"", "qty=\"4\"", 1),
        &[
            "the deck “mine” is not legal",
            "the deck has 51 cards instead of 50",
            "4 copies of “Junior Clerk Finch”, at most 3 are allowed",
            "--illegal-decks",
        ],
    );
    check(
        |xml| {
            xml.replace("086f75f3", "00000000")
                .replace("Junior Clerk Finch", "Nobody")
        },
        &["no card has this id, and none is called `Nobody`"],
    );
    check(
        |xml| xml.replace("</deck>", ""),
        &["error[PK", "mine.o8d:", "cannot be read"],
    );
    check(|_| String::new(), &["mine.o8d"]);
}

/// D9: an author plays it all the same, and its record too.
#[test]
fn an_author_plays_an_illegal_deck() {
    let folder = tempfile::tempdir().expect("there is room");
    let path = deck(&folder, |xml| xml.replacen("qty=\"3\"", "qty=\"4\"", 1));
    let record = folder.path().join("duel.json");
    let arguments = [
        "play",
        "--seat1",
        "random",
        "--quiet",
        "--illegal-decks",
        "--seed",
        "1",
    ];
    let more = ["--deck2", text(&path), "--record", text(&record)];
    let played = run(&[&arguments[..], &more].concat());
    assert_eq!(played.code, 0, "{played:#?}");
    assert_eq!(run(&["replay", text(&record)]).code, 0);
}

#[test]
fn an_unknown_deck_is_told_with_the_nearest() {
    fails(
        1,
        &["play", "--deck1", "Night Shool"],
        &["did you mean “Night School”?"],
    );
    fails(
        1,
        &["play", "--deck1", "Zzz"],
        &["no deck “Zzz”", "“Harbour Lights”, “Night School”"],
    );
}

/// Told before the duel is played, not after it.
#[test]
fn a_record_that_cannot_be_written_is_told_at_once() {
    let folder = tempfile::tempdir().expect("there is room");
    let path = folder.path().join("missing/duel.json");
    fails(
        1,
        &["play", "--seat1", "random", "--record", text(&path)],
        &["cannot write the record to “"],
    );
    let run = run(&["play", "--seat1", "random", "--record", text(&path)]);
    assert_eq!(run.out, "", "nothing was played");
}

#[test]
fn wrong_usage_has_its_own_exit_code() {
    fails(2, &["fly"], &["unrecognized subcommand 'fly'"]);
    fails(2, &["play", "--seat1", "robot"], &["invalid value 'robot'"]);
    fails(2, &["play", "--seed", "many"], &["invalid value 'many'"]);
    fails(2, &["play", "--first", "3"], &["3 is not in 1..=2"]);
    fails(2, &["play", "--speed"], &["unexpected argument '--speed'"]);
    fails(2, &["replay"], &["<FILE>"]);
}

/// Two computers need no table: a scenario that they play ends.
#[test]
fn a_scenario_between_computers_ends() {
    let folder = tempfile::tempdir().expect("there is room");
    let file = folder.path().join("a.toml");
    let made = run(&["scenario", "new", "Fop"]);
    assert_eq!(made.code, 0, "{made:#?}");
    fs::write(&file, &made.out).expect("there is room");
    let seats = ["--seat1", "random", "--seat2", "random"];
    for more in [&[][..], &["--after-steps"]] {
        let played = run(&[&["play", "--scenario", text(&file)], &seats[..], more].concat());
        assert_eq!(played.code, 0, "{played:#?}");
        assert!(played.out.contains("HP "), "{played:#?}");
    }
}

/// What is wrong in a folder of scenarios is told of the file in which it is.
#[test]
fn scenarios_of_a_folder_are_shown_with_their_own_lines() {
    let folder = tempfile::tempdir().expect("the test can work with files");
    let scenario =
        |before: &str, steps: &str| format!("{before}[[scenario]]\nname = \"it\"\nsteps = [{{ {steps} }}]\n");
    let write = |name: &str, text: &str| {
        std::fs::write(folder.path().join(name), text).expect("the test can work with files");
    };
    write("a.toml", &scenario("", "expect.turn = 1"));
    write("b.toml", &scenario("# one\n# two\n\n", "expect.turn = 9"));
    let failed = run(&["scenario", "run", text(folder.path())]);
    assert!(
        failed.code == 1 && failed.out.contains("step 1 (line 6)"),
        "{}",
        failed.out
    );
    write("b.toml", &scenario("# one\n# two\n\n", "atack = \"Crumb\""));
    fails(
        1,
        &["scenario", "run", text(folder.path())],
        &["b.toml:6: ", "unknown key `atack`"],
    );
}
