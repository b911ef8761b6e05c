//! Recorded duels at the command line: looked at, gone on from, taken back, cut into scenarios.

mod support;

use std::path::{Path, PathBuf};

use serde_json::Value;
use tempfile::TempDir;

use support::output;

#[derive(Debug)]
struct Run {
    code: i32,
    out: String,
    err: String,
}

fn run_with(input: &str, arguments: &[&str]) -> Run {
    let output = output(arguments, input.as_bytes());
    Run {
        code: output.status.code().expect("no signal ended it"),
        out: String::from_utf8(output.stdout).expect("it prints UTF-8"),
        err: String::from_utf8(output.stderr).expect("it prints UTF-8"),
    }
}

#[track_caller]
fn works(arguments: &[&str]) -> String {
    let run = run_with("", arguments);
    assert_eq!(run.code, 0, "{run:#?}");
    run.out
}

#[track_caller]
fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&works(arguments)).expect("it is JSON")
}

fn text(path: &Path) -> &str {
    path.to_str().expect("paths of tests are text")
}

/// A folder with a record of the demo game in it.
fn recorded() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("there is room");
    let path = folder.path().join("duel.json");
    works(&[
        "play",
        "--seat1",
        "random",
        "--seat2",
        "random",
        "--seed",
        "5",
        "--quiet",
        "--record",
        text(&path),
    ]);
    (folder, path)
}

/// Any choice can be looked at, from the start and from the end, as it is and as a player sees it.
#[test]
fn a_record_is_looked_at_anywhere() {
    let (_folder, path) = recorded();
    let file = text(&path);
    let start = json(&["replay", file, "--at", "0", "--json"]);
    assert_eq!(
        (&start["turn"], &start["me"]["hp"]),
        (&Value::from(1), &Value::from(3000))
    );
    let end = json(&["replay", file, "--json"]);
    assert_eq!(end["asked"], Value::Null);
    let last = json(&["replay", file, "--at", "-1", "--json"]);
    assert_ne!(last["asked"], Value::Null);
    let view = json(&["replay", file, "--at", "0", "--view", "1"]);
    assert_eq!(
        view["players"][0]["hand"][0].as_str().map(str::is_empty),
        Some(false)
    );
    // G267: the opponent's hand is not to be seen.
    assert_eq!(view["players"][1]["hand"][0], Value::Null);
    let words = works(&["replay", file, "--at", "0"]);
    assert!(
        words.contains("At 0 player ") && words.contains("; the answer was “"),
        "{words}"
    );
    let run = run_with("", &["replay", file, "--at", "9999"]);
    assert_eq!(run.code, 1);
    assert!(run.err.contains("there is no choice 9999"), "{}", run.err);
}

/// Going on from the middle gives a record that begins alike, ends otherwise and can be replayed.
#[test]
fn a_duel_goes_on_from_the_middle() {
    let (folder, path) = recorded();
    let other = folder.path().join("other.json");
    works(&[
        "replay",
        text(&path),
        "--at",
        "40",
        "--continue",
        "--seat1",
        "computer",
        "--seat2",
        "random",
        "--quiet",
        "--record",
        text(&other),
    ]);
    let read = |path: &Path| -> Value {
        let text = std::fs::read_to_string(path).expect("it was written");
        serde_json::from_str(&text).expect("it is JSON")
    };
    let (before, after) = (read(&path), read(&other));
    let moves = |replay: &Value| replay["moves"].as_array().expect("moves").clone();
    assert_eq!(moves(&before)[..40], moves(&after)[..40]);
    assert_ne!(moves(&before), moves(&after));
    works(&["replay", text(&other)]);
}

/// R1402: every statement that ran, with its line in the rules, in words and as JSON.
#[test]
fn a_duel_is_traced() {
    let (_folder, path) = recorded();
    let file = text(&path);
    let words = works(&["duel", "trace", file]);
    assert!(
        words.contains("Rules/core.rules:") && words.contains(": done"),
        "{words}"
    );
    let all = json(&["duel", "trace", file, "--json"]);
    let choices = all.as_array().expect("choices");
    let lines: Vec<&Value> = choices
        .iter()
        .flat_map(|choice| choice["trace"].as_array().expect("lines"))
        .collect();
    for step in ["begins", "effect", "targets", "condition", "ends"] {
        assert!(lines.iter().any(|line| line["step"] == step), "no {step}");
    }
    let effect = lines
        .iter()
        .find(|line| line["step"] == "effect")
        .expect("an effect");
    assert!(effect["line"].as_u64().is_some_and(|line| line > 0), "{effect}");
    assert!(
        effect["statement"].is_string() && effect["success"].is_boolean(),
        "{effect}"
    );
    let first = choices[0]["choice"].as_u64().expect("a number").to_string();
    let one = json(&["duel", "trace", file, "--json", "--at", &first]);
    assert_eq!(one.as_array().map(Vec::len), Some(1));
}

/// Every number is explained and adds up; every action that is not offered names a rule.
#[test]
fn numbers_and_refusals_are_explained() {
    let (_folder, path) = recorded();
    let file = text(&path);
    let all = json(&["duel", "explain", file, "--at", "60", "--seat", "2", "--json"]);
    for one in all.as_array().expect("numbers") {
        let changes = one["changes"].as_array().expect("changes").iter();
        let sum: i64 = changes.map(|change| change.as_i64().expect("a number")).sum();
        assert_eq!(
            one["value"],
            Value::from(one["base"].as_i64().expect("a number") + sum),
            "{one}"
        );
    }
    let words = works(&["duel", "explain", file]);
    assert!(
        words.contains("your HP: ") && words.contains("3000 at the start"),
        "{words}"
    );
    let all = json(&["duel", "why-not", file, "--at", "10", "--json"]);
    for one in all.as_array().expect("actions") {
        let offered = one["offered"] == true;
        assert_eq!(offered, one["rules"].is_null(), "{one}");
    }
    assert!(works(&["duel", "why-not", file, "--at", "10"]).contains(" (G"));
}

/// A scenario cut out of a record passes when it is run.
#[test]
fn a_cut_scenario_passes() {
    let (folder, path) = recorded();
    for at in ["0", "25", "-3"] {
        let scenario = works(&["replay", text(&path), "--at", at, "--to-scenario"]);
        assert!(scenario.starts_with("[[scenario]]"), "{scenario}");
        let file = folder.path().join("cut.toml");
        std::fs::write(&file, scenario).expect("there is room");
        let out = works(&["test", text(&file)]);
        assert!(out.contains("1 passed, 0 failed"), "{out}");
    }
}

/// G267: at the prompt a choice is taken back while nothing came to light, and not when something did.
#[test]
fn a_choice_is_taken_back_at_the_prompt() {
    let first = run_with("undo\n", &["play", "--plain", "--seed", "3", "--first", "1"]);
    assert!(first.out.contains("That cannot be taken back"), "{}", first.out);
    // A character is played into a slot; the slot is chosen again after it is taken back.
    let played = run_with(
        "play\n1\n2\nundo\n",
        &[
            "play", "--plain", "--seed", "3", "--first", "1", "--seat2", "human",
        ],
    );
    assert_eq!(played.out.matches("Taken back.").count(), 1, "{}", played.out);
    assert_eq!(
        played.out.matches("Which slot do you put").count(),
        2,
        "{}",
        played.out
    );
    // After the turn nobody's choice of it comes back.
    let later = run_with(
        "1\n2\nend the\nundo\n",
        &[
            "play", "--plain", "--seed", "3", "--first", "1", "--seat2", "human",
        ],
    );
    assert!(later.out.contains("That cannot be taken back"), "{}", later.out);
}

/// What a level thinks of a choice: the options with their chances, the best tried first, and why others are
/// left out; a review judges every choice, and its turning points are among them. The same record gives the
/// same thoughts.
#[test]
fn choices_are_thought_about_and_reviewed() {
    let (_folder, path) = recorded();
    let file = text(&path);
    let of = |at: &str| json(&["duel", "think", file, "--at", at, "--playouts", "60", "--json"]);
    let review = || json(&["duel", "review", file, "--playouts", "30", "--json"]);
    let judged = review();
    assert_eq!(review(), judged);
    let choices = judged["choices"].as_array().expect("choices");
    assert!(choices.len() > 20, "{judged}");
    for one in choices {
        let chance = |what: &str| {
            one[what]
                .as_f64()
                .is_none_or(|share| (0.0..=1.0).contains(&share))
        };
        assert!(
            ["win_before", "win_with", "cost"].iter().all(|what| chance(what)),
            "{one}"
        );
    }
    for point in judged["turning_points"].as_array().expect("turning points") {
        let found = choices
            .iter()
            .find(|one| one["choice"] == *point)
            .expect("it is a choice");
        assert!(found["cost"].as_f64().is_some_and(|cost| cost >= 0.03), "{found}");
    }
    let at = choices[5]["choice"].to_string();
    let thought = of(&at);
    assert_eq!(of(&at), thought);
    let options = thought["options"].as_array().expect("options");
    let visits: Vec<u64> = options
        .iter()
        .filter_map(|option| option["visits"].as_u64())
        .collect();
    assert!(visits.is_sorted_by(|one, other| one >= other), "{visits:?}");
    assert_eq!(visits.iter().sum::<u64>(), 60);
    let words = works(&[
        "duel",
        "think",
        file,
        "--at",
        &at,
        "--level",
        "hard",
        "--playouts",
        "60",
    ]);
    assert!(
        words.contains("60 playouts of hard") && words.contains("tried"),
        "{words}"
    );
    let words = works(&["duel", "review", file, "--playouts", "30", "--all"]);
    assert!(
        words.contains("player 1: ") && words.contains("turn 1, player "),
        "{words}"
    );
    let nobody = run_with("", &["duel", "think", file]);
    assert_eq!(nobody.code, 1, "{nobody:#?}");
    assert!(nobody.err.contains("the duel is over"), "{nobody:#?}");
    let easy = run_with("", &["duel", "review", file, "--level", "easy"]);
    assert_eq!(easy.code, 2, "{easy:#?}");
    assert!(easy.err.contains("normal, hard and expert"), "{easy:#?}");
}

/// `players fit` writes the same file on any number of threads, a game's folder is given its own weights, and
/// every command takes them.
#[test]
fn weights_are_fitted_and_taken() {
    let folder = tempfile::tempdir().expect("there is room");
    let game = folder.path().join("mygame");
    let made = std::process::Command::new(env!("CARGO_BIN_EXE_cardwright"))
        .args(["new", "mygame"])
        .current_dir(folder.path())
        .output();
    assert!(made.is_ok_and(|made| made.status.success()));
    let file = game.join("Players").join("values.toml");
    let fit = |threads: &str| {
        let out = works(&[
            "players",
            "fit",
            "--game",
            text(&game),
            "--duels",
            "40",
            "--threads",
            threads,
        ]);
        assert!(out.contains("log-loss"), "{out}");
        std::fs::read_to_string(&file).expect("it was written")
    };
    let one = fit("1");
    assert_eq!(fit("3"), one);
    assert!(one.contains("[active]") && one.contains("duels = 40"), "{one}");
    let play = || {
        let arguments = [
            "arena",
            "normal@30",
            "easy",
            "--pairs",
            "2",
            "--json",
            "--game",
            text(&game),
        ];
        run_with("", &arguments)
    };
    assert_eq!(play().code, 0);
    std::fs::write(&file, "[active]\nluck = 1\n").expect("there is room");
    let told = play();
    assert_eq!(told.code, 0, "{told:#?}");
    assert!(
        told.err.contains("“luck” is no number of a position"),
        "{told:#?}"
    );
    let demo = run_with("", &["players", "fit", "--duels", "10"]);
    assert_eq!(demo.code, 1, "{demo:#?}");
    assert!(demo.err.contains("--output"), "{demo:#?}");
    assert!(works(&["players"]).contains("expert"));
}

/// Somebody to beat: a plain player, who takes the first good thing, beats the first opponent of the demo
/// game in at least 60 of 100 duels. docs/players.md has the figures of all of them.
#[test]
fn a_plain_player_beats_the_first_opponent() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/saltmarsh");
    let loaded = cw_load::load(cw_octgn::Folder::new(folder)).expect("the demo game can be read");
    let first = cw_serve::Opponent::of(&loaded).remove(0);
    let beats = |seed: u32| {
        let seed = seed.to_string();
        let (level, deck) = (&*first.level, &*first.deck);
        let seats = ["play", "--quiet", "--seat1", "plain", "--seat2", level];
        let decks = ["--deck1", "Harbour Lights", "--deck2", deck, "--seed", &seed];
        works(&[&seats[..], &decks[..]].concat()).contains("Player 1 wins")
    };
    let beaten = |from: u32| (from..=100).step_by(2).filter(|seed| beats(*seed)).count();
    let beaten = std::thread::scope(|scope| {
        let halves = [1, 2].map(|from| scope.spawn(move || beaten(from)));
        halves
            .map(|half| half.join().expect("it plays"))
            .iter()
            .sum::<usize>()
    });
    assert!(beaten >= 60, "{} is beaten in {beaten} of 100 duels", first.name);
}
