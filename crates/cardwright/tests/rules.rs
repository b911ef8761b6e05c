//! The commands for rules are wired: what they print, what they write, how they exit.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const HEAD: &str = "[0f8fad5b-d9cb-469f-a165-70867728950e]\n";

fn cardwright(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_cardwright"))
        .args(args)
        .current_dir(folder)
        .output()
        .expect("the test can work with files")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A folder with one rules file.
fn folder(rule: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("the test can work with files");
    fs::write(folder.path().join("a.rules"), format!("{HEAD}{rule}\n"))
        .expect("the test can work with files");
    folder
}

/// `check` says where an unknown command stands, and fails (RS003).
#[test]
fn check_says_where_and_fails() {
    let folder = folder("action = drow(2)");
    let output = cardwright(folder.path(), &["check", "--format", "short", "a.rules"]);
    assert_eq!(
        text(&output.stdout),
        "a.rules:2:10: error[RS003]: unknown command `drow`; did you mean `draw`?\n"
    );
    assert_eq!(output.status.code(), Some(1));
    assert!(
        text(&output.stderr).starts_with("checked 1 rule in 1 file: 1 error"),
        "{}",
        text(&output.stderr)
    );
    for format in ["text", "json", "sarif", "github"] {
        let output = cardwright(folder.path(), &["check", "--format", format, "."]);
        assert!(text(&output.stdout).contains("RS003"), "{format}");
    }
}

#[test]
fn check_of_a_good_rule_succeeds() {
    let folder = folder("action = draw(2)");
    let output = cardwright(folder.path(), &["check", "a.rules"]);
    assert_eq!(
        (output.status.code(), text(&output.stdout)),
        (Some(0), String::new())
    );
    let none = cardwright(folder.path(), &["check", "b.rules"]);
    assert_eq!(none.status.code(), Some(1));
    let usage = cardwright(folder.path(), &["check"]);
    assert_eq!(usage.status.code(), Some(2));
}

/// RS058 is a warning: `--strict` makes it fail, `--level error` hides it.
#[test]
fn check_weighs_findings() {
    let folder = folder("action = draw(2) && hp(1)");
    assert_eq!(cardwright(folder.path(), &["check", "."]).status.code(), Some(0));
    assert_eq!(
        cardwright(folder.path(), &["check", "--strict", "."])
            .status
            .code(),
        Some(1)
    );
    assert!(
        cardwright(folder.path(), &["check", "--level", "error", "."])
            .stdout
            .is_empty()
    );
}

/// Safe fixes by `--fix`, all by `--unsafe-fixes`.
#[test]
fn check_mends() {
    let folder = folder("action = drow(2) && hp(1)\nlabel: Go");
    let file = folder.path().join("a.rules");
    cardwright(folder.path(), &["check", "--fix", "a.rules"]);
    assert_eq!(
        fs::read_to_string(&file).expect("the test can work with files"),
        format!("{HEAD}action = drow(2) && hp(1)\nlabel = Go\n")
    );
    let output = cardwright(folder.path(), &["check", "--unsafe-fixes", "a.rules"]);
    assert_eq!(
        fs::read_to_string(&file).expect("the test can work with files"),
        format!("{HEAD}action = draw(2) & hp(1)\nlabel = Go\n")
    );
    assert_eq!(output.status.code(), Some(0));
}

/// RS070: bytes that are no text are found, and the rest is read.
#[test]
fn check_reads_what_is_no_text() {
    let folder = tempfile::tempdir().expect("the test can work with files");
    fs::write(
        folder.path().join("a.rules"),
        [HEAD.as_bytes(), b"action = dr\xffw()\n"].concat(),
    )
    .expect("the test can work with files");
    let output = cardwright(folder.path(), &["check", "--format", "short", "a.rules"]);
    assert!(text(&output.stdout).contains("RS070"), "{}", text(&output.stdout));
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn fmt_writes_checks_and_shows() {
    let folder = folder("ACTION={f}:draw( 2 )");
    let file = folder.path().join("a.rules");
    let check = cardwright(folder.path(), &["fmt", "--check", "."]);
    assert_eq!(check.status.code(), Some(1));
    let diff = cardwright(folder.path(), &["fmt", "--diff", "a.rules"]);
    assert!(
        text(&diff.stdout).contains("-ACTION={f}:draw( 2 )\n+action = {F}: draw(2)"),
        "{}",
        text(&diff.stdout)
    );
    assert_eq!(
        cardwright(folder.path(), &["fmt", "a.rules"]).status.code(),
        Some(0)
    );
    assert_eq!(
        fs::read_to_string(&file).expect("the test can work with files"),
        format!("{HEAD}action = {{F}}: draw(2)\n")
    );
    assert_eq!(
        cardwright(folder.path(), &["fmt", "--check", "."]).status.code(),
        Some(0)
    );
}

#[test]
fn explain_shows_pages() {
    let folder = tempfile::tempdir().expect("the test can work with files");
    let page = cardwright(folder.path(), &["explain", "rs021"]);
    assert!(text(&page.stdout).starts_with("# RS021: "));
    for code in ["RS21", "rs021", "rs0021"] {
        assert_eq!(
            cardwright(folder.path(), &["explain", code]).stdout,
            page.stdout,
            "{code}"
        );
    }
    let near = cardwright(folder.path(), &["explain", "RS012."]);
    let hint = "no finding has the code `RS012.`; did you mean `RS012`?\n";
    assert_eq!(
        (near.status.code(), text(&near.stderr)),
        (Some(1), hint.to_string())
    );
    assert!(
        text(&cardwright(folder.path(), &["explain"]).stdout)
            .lines()
            .count()
            > 100
    );
    assert_eq!(
        cardwright(folder.path(), &["explain", "RS999"]).status.code(),
        Some(1)
    );
}

#[test]
fn rules_shows_each_stage() {
    let folder = folder("action = draw(2)");
    for (stage, part) in [
        ("tokens", "Number \"2\""),
        ("tree", "int 2"),
        ("program", "draw("),
    ] {
        let output = cardwright(folder.path(), &["rules", stage, "a.rules"]);
        assert!(
            text(&output.stdout).contains(part),
            "{stage}: {}",
            text(&output.stdout)
        );
    }
    let demo = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/saltmarsh");
    let tree = cardwright(&demo, &["rules", "tree", "Brioche Bruno"]);
    assert!(
        text(&tree.stdout).contains("] Brioche Bruno\nvars"),
        "{}",
        text(&tree.stderr)
    );
    let near = cardwright(&demo, &["rules", "tree", "Briosche Bruno"]);
    assert!(
        text(&near.stderr).contains("did you mean `Brioche Bruno`?"),
        "{}",
        text(&near.stderr)
    );
    assert_eq!(near.status.code(), Some(1));
}

/// RS093: the texts of a new game are written from its rules in its own words, `check` finds nothing in them,
/// and a second run has nothing left to change.
#[test]
fn rules_say_writes_the_texts_of_a_game() {
    let folder = tempfile::tempdir().expect("the test can work with files");
    let made = cardwright(folder.path(), &["new", "game", "--seed", "1"]);
    assert_eq!(made.status.code(), Some(0), "{}", text(&made.stderr));
    // What people begin with has nothing to be told of.
    let check = cardwright(folder.path(), &["check", "game"]);
    let told = text(&check.stdout) + &text(&check.stderr);
    assert!(told.contains(": no findings"), "{told}");
    let one = cardwright(folder.path(), &["rules", "say", "Old Fencer", "game"]);
    let said = "Freeze this character: an enemy character takes 200 damage points.\n";
    assert_eq!(text(&one.stdout), said, "{}", text(&one.stderr));
    let all = cardwright(folder.path(), &["rules", "say", "--all", "--json", "game"]);
    let all: serde_json::Value = serde_json::from_slice(&all.stdout).expect("it is JSON");
    let all = all.as_array().expect("a list of cards");
    assert_eq!(all.len(), 5);
    assert!(
        all.iter()
            .all(|one| one["unsaid"].as_array().is_some_and(Vec::is_empty)),
        "{all:?}"
    );
    let written = cardwright(folder.path(), &["rules", "say", "--all", "--write", "game"]);
    assert_eq!(written.status.code(), Some(0), "{}", text(&written.stderr));
    assert!(
        text(&written.stderr).contains("changed in 1 file"),
        "{}",
        text(&written.stderr)
    );
    let checked = cardwright(folder.path(), &["check", "--strict", "game"]);
    assert_eq!(checked.status.code(), Some(0), "{}", text(&checked.stdout));
    let again = cardwright(folder.path(), &["rules", "say", "--all", "--write", "game"]);
    assert!(
        text(&again.stderr).contains("0 texts changed"),
        "{}",
        text(&again.stderr)
    );
}

/// What has no words is listed, nothing is written, and the exit code says so.
#[test]
fn rules_say_lists_what_it_has_no_words_for() {
    let folder = tempfile::tempdir().expect("the test can work with files");
    cardwright(folder.path(), &["new", "game", "--seed", "1"]);
    let rules = folder.path().join("game/Rules/core.rules");
    let old = fs::read_to_string(&rules).expect("the test can work with files");
    fs::write(&rules, old.replace("sp(+3)", "sp(me.hand.size ** 2)")).expect("the test can work with files");
    let before = cardwright(
        folder.path(),
        &["cards", "Good Harvest", "--game", "game", "--json"],
    );
    let said = cardwright(
        folder.path(),
        &["rules", "say", "Good Harvest", "game", "--write"],
    );
    assert!(
        text(&said.stdout).contains("no words: action: `me.hand.size ** 2`"),
        "{}",
        text(&said.stdout)
    );
    assert!(
        text(&said.stderr).contains("nothing is written"),
        "{}",
        text(&said.stderr)
    );
    assert_eq!(said.status.code(), Some(1));
    let after = cardwright(
        folder.path(),
        &["cards", "Good Harvest", "--game", "game", "--json"],
    );
    assert_eq!(text(&before.stdout), text(&after.stdout));
}
