//! `cardwright run`: at the prompt, kept in a file, and simulated.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn cardwright(here: &Path, arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_cardwright"))
        .args(arguments)
        .current_dir(here)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("it is piped");
    // The program may end before it has read everything.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    child.wait_with_output().expect("it ends")
}

fn said(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("it writes text")
}

/// A run goes on where it was left, from its file or from its text, and the day gives everybody the same one.
#[test]
fn a_run_goes_on_where_it_was_left() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let picks = "1\n".repeat(15);
    let first = cardwright(
        here,
        &["run", "2026-11-27", "--keep", "run.txt"],
        &format!("{picks}deck\n"),
    );
    let words = said(&first);
    assert!(first.status.success(), "{words}");
    for part in [
        "Saltmarsh: The Long Way to Thursday, the run of 2026-11-27",
        "Pack 1 of 3: take 5 cards, one after the other.",
        "♥♥♥ 1 of 7: The Fish Steps.",
        "Your deck: 30 cards",
        "To continue: cardwright run --from 2026-11-27.p0p0",
    ] {
        assert!(words.contains(part), "{part} in {words}");
    }
    let kept = fs::read_to_string(here.join("run.txt")).unwrap();
    assert_eq!(kept, format!("2026-11-27.{}\n", "p0".repeat(15)));
    // Challenges, and gives the duel up.
    let second = cardwright(here, &["run", "--keep", "run.txt"], "2\ngive up\nlater\n");
    let words = said(&second);
    assert!(
        words.contains("You play against") && words.contains("That costs a life."),
        "{words}"
    );
    let kept = fs::read_to_string(here.join("run.txt")).unwrap();
    assert_eq!(kept, format!("2026-11-27.{}f1l\n", "p0".repeat(15)));
    let from = cardwright(here, &["run", "--from", kept.trim(), "--show"], "");
    assert!(said(&from).contains("0 of 7 won"), "{}", said(&from));
    let other = cardwright(here, &["run", "2026-11-28", "--show"], "");
    assert_ne!(said(&other), said(&from));
}

/// Simulated runs are the same on any number of threads, and the first ones do not depend on how many there
/// are.
#[test]
fn simulated_runs_do_not_depend_on_threads() {
    let folder = tempfile::tempdir().unwrap();
    let simulate = |threads: &str, runs: &str| {
        let arguments = [
            "run",
            "--simulate",
            runs,
            "--player",
            "random",
            "--json",
            "--threads",
            threads,
        ];
        let output = cardwright(folder.path(), &arguments, "");
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        said(&output)
    };
    let one = simulate("1", "6");
    assert_eq!(one, simulate("3", "6"));
    let report: serde_json::Value = serde_json::from_str(&one).unwrap();
    assert_eq!(report["runs"], 6);
    assert_eq!(report["steps"].as_array().unwrap().len(), 7);
    assert_eq!(report["steps"][0]["reached"], 6);
    assert_eq!(report["steps"][6]["meant"], 0.68);
}

/// A mistake in `Rules/run.toml` is shown at its place, by `run` and by `check`, and keeps nobody from a
/// duel (GT003).
#[test]
fn a_mistake_in_run_toml_is_shown_at_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    assert!(cardwright(here, &["new", "Harbour"], "").status.success());
    fs::write(here.join("Harbour/Rules/run.toml"), "[run]\nlifes = 3\n").unwrap();
    for command in [&["run", "--show", "--game", "Harbour"][..], &["check", "Harbour"]] {
        let output = cardwright(here, command, "");
        assert_eq!(output.status.code(), Some(1));
        let words = format!("{}{}", said(&output), String::from_utf8_lossy(&output.stderr));
        assert!(
            words.contains("GT003") && words.contains("run.toml:2:1"),
            "{words}"
        );
    }
    let duel = [
        "play", "--plain", "--quiet", "--seat1", "random", "--seat2", "random", "--game", "Harbour",
    ];
    assert!(cardwright(here, &duel, "").status.success());
}
