//! `arena` and `bot check` at the command line.

mod support;

use serde_json::Value;
use support::output;

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
            "a player is random, plain, novice, easy, computer, or cmd:PROGRAM",
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
        (&["bot", "check", "no-such-program-here"], 1, "cannot be started"),
    ] {
        let run = run(arguments);
        assert!(
            run.code == code && run.err.contains(words),
            "{arguments:?}: {run:#?}"
        );
    }
}
