//! A recorded session in real editors: the language server as Neovim and Emacs use it, and our extension for
//! VS Code, with a stand-in for VS Code itself. Where one is missing, its session skips itself and says so.
#![expect(clippy::print_stderr, reason = "a test that skips itself says so")]

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("there is room");
    for entry in fs::read_dir(from).expect("it is a folder") {
        let entry = entry.expect("it can be read");
        let target = to.join(entry.file_name());
        match entry.file_type().expect("it is there").is_dir() {
            true => copy(&entry.path(), &target),
            false => drop(fs::copy(entry.path(), target).expect("there is room")),
        }
    }
}

/// Runs a session in a copy of the demo game; what its steps showed. Nothing if the editor is missing.
fn session(editor: &str, arguments: &[&str], script: &str) -> Option<Vec<String>> {
    let answers = Command::new(editor).arg("--version").output();
    if !answers.is_ok_and(|answer| answer.status.success()) {
        eprintln!("SKIPPED: there is no {editor}, so no session was held in it");
        return None;
    }
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = tempfile::tempdir().expect("there is room");
    let game = folder.path().join("game");
    copy(&here.join("../../games/saltmarsh"), &game);
    copy(
        &here.join("../../games/saltmarsh-tests"),
        &folder.path().join("game-tests"),
    );
    fs::write(folder.path().join("other.js"), "").expect("there is room");
    let shown = folder.path().join("shown");
    let done = Command::new(editor)
        .args(arguments)
        .arg(here.join(script))
        .current_dir(&game)
        .env("CARDWRIGHT", env!("CARGO_BIN_EXE_cardwright"))
        .env("CARDWRIGHT_SHOWN", &shown)
        .env("HOME", folder.path())
        .stdin(Stdio::null())
        .output()
        .expect("it starts");
    let told = fs::read_to_string(&shown).unwrap_or_default();
    // Distributions bring Eglot as a package of its own, or within Emacs; an old Emacs may have neither.
    let errors = String::from_utf8_lossy(&done.stderr);
    if errors.contains("open load file") && errors.contains("eglot") {
        eprintln!("SKIPPED: {editor} has no Eglot, so no session was held in it");
        return None;
    }
    assert!(
        done.status.success(),
        "{editor}: {told}\n{}",
        String::from_utf8_lossy(&done.stderr)
    );
    Some(told.lines().map(str::to_owned).collect())
}

/// A slip is told as it is typed, its fix is applied, and it is gone.
const FIXED: [&str; 3] = [
    "RS003",
    "fix: replace with `bp` (unsafe: look at the result)",
    "fixed: auto = ~myActivatePhase~ bp(+200); \
     [[if this.bp >= 700]] transform(\"da37f8d1-8c1c-4f66-9831-52989e6f5158\")",
];

#[track_caller]
fn assert_shown(shown: &[String], steps: &[&str]) {
    assert_eq!(shown.len(), FIXED.len() + steps.len(), "{shown:#?}");
    for (line, words) in shown.iter().zip(FIXED.iter().chain(steps)) {
        assert!(line.contains(words), "{words:?} in {shown:#?}");
    }
}

/// A slip, its fix, completion, hover, arguments, the way to the printed card, symbols, another name, layout;
/// then a deck.
#[test]
fn a_session_in_neovim() {
    let arguments = ["--headless", "-u", "NONE", "-S"];
    if let Some(shown) = session("nvim", &arguments, "tests/editors/session.lua") {
        assert_shown(
            &shown,
            &[
                "completion: bp is offered",
                "hover: `bp(n)` – command",
                "signature: bp(n)",
                "definition: set.xml",
                "symbols: many",
                "rename: in many texts",
                "format: action = sp(+1)",
                "deck: PK020",
            ],
        );
    }
}

/// The same in Emacs, with Eglot.
#[test]
fn a_session_in_emacs() {
    if let Some(shown) = session("emacs", &["--batch", "-l"], "tests/editors/session.el") {
        assert_shown(
            &shown,
            &[
                "completion: bp is offered",
                "format: action = sp(+1)",
                "definition: set.xml",
                "deck: PK020",
            ],
        );
    }
}

/// The same in the extension for VS Code with all that it registers: clicks above a card, files that change
/// by other hands, a server that is killed, and one that is not there.
#[test]
fn a_session_in_vs_code() {
    let Some(shown) = session("node", &[], "../../editors/vscode/test/session.js") else {
        return;
    };
    let expected = [
        "slip: 8:26 RS003",
        "page: # RS003",
        "fix: replace with `bp` (unsafe: look at the result)",
        FIXED[2],
        "completion: bp is offered",
        "hover: `bp(n)` – command",
        "signature: bp(n)",
        "definition: set.xml",
        "references: many",
        "symbols: many",
        "rename: Sourdough Starter in many texts",
        "folds: many",
        "hints: The Loaf",
        "tokens: many",
        "format: abilities = cantblock",
        "lens: run its scenarios",
        "scenarios: Information: Cardwright: Sourdough Starter: ",
        "outcome: ✓ ",
        "table: 127.0.0.1 answers",
        "nothing open: Information: Cardwright: open a text of the game first.",
        "all: Information: Cardwright: ",
        "deck: PK122",
        "again: 0 errors, watching",
        "missing: Error: “…/no-such-program” cannot be started (spawn ",
        "end: 0 providers, 0 findings",
        "commands left: 0",
    ];
    assert_eq!(shown.len(), expected.len(), "{shown:#?}");
    for (line, words) in shown.iter().zip(expected) {
        assert!(line.contains(words), "{words:?} in {shown:#?}");
    }
}

/// The grammar of the extension colours what it should.
#[test]
fn the_grammar_colours_rules() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../editors/vscode/test/grammar.js");
    match Command::new("node").arg(script).output() {
        Ok(done) => assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr)),
        Err(_) => eprintln!("SKIPPED: there is no node, so nobody looked at the grammar"),
    }
}
