//! `arena` and `bot check` at the command line.

mod support;

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::Value;
use support::output;

const SALTMARSH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../games/saltmarsh");

#[derive(Debug)]
struct Run {
    code: i32,
    out: String,
    err: String,
}

fn run(arguments: &[&str]) -> Run {
    let output = output(arguments, b"");
    Run {
        code: output.status.code().expect("no signal ended it"),
        out: String::from_utf8(output.stdout).expect("it prints UTF-8"),
        err: String::from_utf8(output.stderr).expect("it prints UTF-8"),
    }
}

#[track_caller]
fn json(arguments: &[&str]) -> Value {
    let run = run(arguments);
    assert_eq!(run.code, 0, "{run:#?}");
    serde_json::from_str(&run.out).expect("it is JSON")
}

/// One, two or eight threads: the same object, to the byte.
#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    let of = |threads: &str| {
        let run = run(&[
            "arena",
            "plain",
            "novice",
            "--pairs",
            "16",
            "--seed",
            "9",
            "--json",
            "--threads",
            threads,
        ]);
        assert_eq!(run.code, 0, "{run:#?}");
        run.out
    };
    let alone = of("1");
    assert_eq!(alone, of("2"));
    assert_eq!(alone, of("8"));
    let result: Value = serde_json::from_str(&alone).expect("it is JSON");
    assert_eq!(result["pairs"], 16);
    let [low, score, high] = ["low", "score", "high"].map(|key| result[key].as_f64().expect("a number"));
    assert!(0.0 < low && low < score && score < high && high < 1.0, "{result}");
    let won = ["won", "drawn", "lost"].map(|key| result[key].as_u64().expect("a number"));
    assert_eq!(won.iter().sum::<u64>(), 32);
}

/// A player against itself gets half of every pair.
#[test]
fn a_mirror_is_even() {
    let result = json(&["arena", "novice", "novice", "--pairs", "8", "--json"]);
    assert_eq!(result["counts"], serde_json::json!([0, 0, 8, 0, 0]));
    assert_eq!((&result["score"], &result["elo"]), (&0.5.into(), &0.0.into()));
}

/// Every player meets every other; the scores add up, and one, two or eight threads give the same
/// object.
#[test]
fn a_ladder_rates_all_players() {
    let of = |threads: &str| {
        let run = run(&[
            "arena",
            "--ladder",
            "novice",
            "easy@30",
            "random",
            "--pairs",
            "12",
            "--deck",
            "Harbour Lights",
            "--deck",
            "Night School",
            "--json",
            "--threads",
            threads,
        ]);
        assert_eq!(run.code, 0, "{run:#?}");
        run.out
    };
    let alone = of("1");
    assert_eq!(alone, of("2"));
    assert_eq!(alone, of("8"));
    let ladder: Value = serde_json::from_str(&alone).expect("it is JSON");
    let players = ladder["players"].as_array().expect("a list");
    assert_eq!(ladder["matches"].as_array().map(Vec::len), Some(3));
    assert_eq!(players[2]["player"], "random");
    let novice = players.iter().find(|player| player["player"] == "novice");
    assert_eq!(novice.expect("it is there")["elo"], 0.0);
    let [elo, low, high] = ["elo", "low", "high"].map(|key| players[2][key].as_f64().expect("a number"));
    assert!(low < elo && elo < high && high < -200.0, "{ladder}");
    let words = run(&["arena", "--ladder", "plain", "random", "--pairs", "4", "--times"]);
    assert!(
        words.out.contains("Elo above plain") && words.out.contains(" ms"),
        "{words:#?}"
    );
}

/// What is kept is not played again: an interrupted run goes on, also after a line that was cut off,
/// and comes to the same.
#[test]
fn an_interrupted_run_goes_on() {
    let folder = tempfile::tempdir().expect("there is room");
    let path = folder.path().join("kept.jsonl");
    let file = path.to_str().expect("paths of tests are text");
    let of = |pairs: &str, keep: bool| {
        let mut arguments = vec!["arena", "plain", "novice", "--json", "--pairs", pairs];
        if keep {
            arguments.extend(["--keep", file]);
        }
        let run = run(&arguments);
        assert_eq!(run.code, 0, "{run:#?}");
        run.out
    };
    of("5", true);
    let kept = std::fs::read_to_string(&path).expect("it is there");
    assert_eq!(kept.lines().count(), 6, "{kept}");
    std::fs::write(&path, &kept[..kept.len() - 7]).expect("there is room");
    assert_eq!(of("9", true), of("9", false));
    let kept = std::fs::read_to_string(&path).expect("it is there");
    // The plan, four whole lines, the one that was cut off, and five more.
    assert_eq!(kept.lines().count(), 11, "{kept}");
    assert_eq!(of("9", true), of("9", false));
    let again = std::fs::read_to_string(&path).expect("it is there");
    assert_eq!(again, kept, "nothing was played again");
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder");
    for entry in std::fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry");
        let to = to.join(entry.file_name());
        if entry.file_type().expect("a type").is_dir() {
            copy(&entry.path(), &to);
        } else {
            std::fs::copy(entry.path(), to).expect("the file is copied");
        }
    }
}

/// Weights of the game's own are part of what was played: with others the same file begins anew, and says so.
#[test]
fn pairs_with_other_weights_are_not_counted() {
    let folder = tempfile::tempdir().expect("there is room");
    let game = folder.path().join("game");
    copy(Path::new(SALTMARSH), &game);
    std::fs::create_dir(game.join("Players")).expect("there is room");
    let weights = concat!(env!("CARGO_MANIFEST_DIR"), "/../cw-players/src/values.toml");
    let weights = std::fs::read_to_string(weights).expect("it is there");
    let own = game.join("Players/values.toml");
    let kept = folder.path().join("kept.jsonl");
    let of = |weights: &str| {
        std::fs::write(&own, weights).expect("there is room");
        let [game, kept] = [&game, &kept].map(|path| path.to_str().expect("paths of tests are text"));
        let run = run(&[
            "arena", "normal@5", "random", "--game", game, "--pairs", "1", "--keep", kept,
        ]);
        assert_eq!(run.code, 0, "{run:#?}");
        let lines = std::fs::read_to_string(kept)
            .expect("it is there")
            .lines()
            .count();
        (lines, run.err.contains("begins anew"))
    };
    assert_eq!(of(&weights), (2, false));
    assert_eq!(of(&weights), (2, false));
    let other = weights.replacen("\"hp\" = ", "\"hp\" = 1", 1);
    assert_eq!(of(&other), (4, true));
    assert_eq!(of(&weights), (4, false));
}

fn python() -> Option<&'static str> {
    ["python3", "python"].into_iter().find(|program| {
        let found = Command::new(program).arg("--version").output();
        found.is_ok_and(|output| output.status.success())
    })
}

/// A bot plays where a level can: a whole duel at the command line, recorded and replayed.
#[test]
fn a_bot_plays_a_duel() {
    let Some(python) = python() else {
        eprintln!("SKIPPED: there is no Python, so no bot has played");
        return;
    };
    let bots = concat!(env!("CARGO_MANIFEST_DIR"), "/../cw-bot");
    let folder = tempfile::tempdir().expect("there is room");
    let path = folder.path().join("duel.json");
    let record = path.to_str().expect("paths of tests are text");
    let well = format!("cmd:{python} {bots}/examples/bot.py");
    let played = run(&[
        "play", "--seat1", "novice", "--seat2", &well, "--seed", "3", "--quiet", "--record", record,
    ]);
    assert_eq!(
        (played.code, &*played.err),
        (0, "game: Saltmarsh, the demo game\n"),
        "{played:#?}"
    );
    assert_eq!(run(&["replay", record]).code, 0);
    let lies = format!("cmd:{python} {bots}/tests/hostile.py lies");
    let played = run(&[
        "play", "--seat1", &lies, "--seat2", "easy", "--seed", "3", "--quiet",
    ]);
    assert!(played.out.contains("because the opponent gave up"), "{played:#?}");
    assert!(
        played
            .err
            .contains("the bot of player 1 made 3 faults; the last: it chose")
    );
}

/// Who interrupts the program ends its bots, too, with all that they started: a terminal's signal does not
/// reach them.
#[test]
fn an_interrupted_program_leaves_no_bot_behind() {
    let Some(python) = python().filter(|_| cfg!(unix)) else {
        eprintln!("SKIPPED: there is no Python, or no `kill`, so no bot was interrupted");
        return;
    };
    let folder = tempfile::tempdir().expect("there is room");
    let bots = concat!(env!("CARGO_MANIFEST_DIR"), "/../cw-bot");
    for signal in ["INT", "TERM"] {
        let written = folder.path().join(signal);
        let bot = format!(
            "cmd:{python} {bots}/tests/hostile.py keeps-a-child {}",
            written.display()
        );
        let mut program = Command::new(env!("CARGO_BIN_EXE_cardwright"))
            .args(["play", "--seat1", "random", "--seat2", &bot, "--quiet"])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        while !written.exists() {
            thread::sleep(Duration::from_millis(20));
        }
        let number = program.id().to_string();
        let sent = Command::new("kill").args(["-s", signal, &number]).status();
        assert!(sent.expect("there is `kill`").success());
        let code = program.wait().expect("it ends").code();
        assert_eq!(code, Some(130), "SIG{signal}");
        let length = || fs::metadata(&written).expect("it is there").len();
        let before = length();
        thread::sleep(Duration::from_millis(500));
        assert_eq!(
            length(),
            before,
            "SIG{signal}: a program that the bot started goes on"
        );
    }
}

/// The exit code of a test says what it came to.
#[test]
fn a_test_ends_with_a_code() {
    let code = |one: &str, two: &str, bounds: &str, most: &str| {
        let run = run(&["arena", one, two, "--sprt", bounds, "--pairs", most]);
        (
            run.code,
            run.out.lines().last().unwrap_or_default().trim().to_owned(),
        )
    };
    let (accepted, words) = code("plain", "random", "0.55:0.65", "500");
    assert_eq!(accepted, 0);
    assert!(
        words.starts_with("SPRT 0.55:0.65: accepted, log-likelihood ratio +"),
        "{words}"
    );
    assert_eq!(code("random", "plain", "0.55:0.65", "500").0, 3);
    assert_eq!(code("random", "random", "0.50:0.51", "16").0, 4);
}

/// Duels that were lost can be played again, choice by choice.
#[test]
fn losses_are_records() {
    let folder = tempfile::tempdir().expect("there is room");
    let path = folder.path().join("lost");
    let losses = path.to_str().expect("paths of tests are text");
    let result = json(&[
        "arena", "random", "plain", "--pairs", "6", "--json", "--losses", losses,
    ]);
    let written: Vec<_> = std::fs::read_dir(&path).expect("it is there").flatten().collect();
    assert_eq!(Some(written.len() as u64), result["lost"].as_u64());
    let record = written[0].path();
    let run = run(&["replay", record.to_str().expect("paths of tests are text")]);
    assert_eq!(run.code, 0, "{run:#?}");
}

/// What cannot be understood is refused before anything is played.
#[test]
fn mistakes_are_told() {
    for (arguments, code, words) in [
        (
            &["arena", "easy", "nobody"][..],
            2,
            "a player is random, plain, novice, easy, normal, hard, expert, computer, or cmd:PROGRAM",
        ),
        (&["arena", "easy", "cmd:'x"], 2, "a quote is not closed"),
        (
            &["arena", "easy", "easy", "--sprt", "0.6:0.5"],
            2,
            "two scores between 0 and 1",
        ),
        (
            &["arena", "easy", "easy", "--deck", "No Such Deck"],
            1,
            "there is no deck",
        ),
        (
            &["arena", "random", "cmd:no-such-program-here"],
            1,
            "cannot be started",
        ),
        (&["arena", "easy"], 2, "two players are measured"),
        (&["arena", "--ladder", "easy", "easy"], 2, "named twice"),
        (&["arena", "easy@0", "easy"], 2, "as in easy@500"),
        (
            &["play", "--seat2", "robot"],
            2,
            "a player is human, random, plain",
        ),
        (
            &["play", "--seat2", "cmd:x", "--no-open"],
            2,
            "plays whole duels, at the line prompt",
        ),
        (&["bot", "check", "no-such-program-here"], 1, "cannot be started"),
    ] {
        let run = run(arguments);
        assert!(
            run.code == code && run.err.contains(words),
            "{arguments:?}: {run:#?}"
        );
    }
}
