//! A recorded session in real editors: the language server as Neovim and Emacs use it. Where one is missing, its session
//! skips itself and says so.
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
    let shown = folder.path().join("shown");
    let done = Command::new(editor)
        .args(arguments)
        .arg(here.join("tests/editors").join(script))
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
    "fixed: auto = ~myActivatePhase~ bp(+200); [[if this.bp >= 700]] transform(\"da37f8d1-8c1c-4f66-9831-52989e6f5158\")",
];

#[track_caller]
fn assert_shown(shown: &[String], steps: &[&str]) {
    assert_eq!(shown.len(), FIXED.len() + steps.len(), "{shown:#?}");
    for (line, words) in shown.iter().zip(FIXED.iter().chain(steps)) {
        assert!(line.contains(words), "{words:?} in {shown:#?}");
    }
}

/// A slip, its fix, completion, hover, arguments, the way to the printed card, symbols, another name, layout; then a deck.
#[test]
fn a_session_in_neovim() {
    let arguments = ["--headless", "-u", "NONE", "-S"];
    if let Some(shown) = session("nvim", &arguments, "session.lua") {
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
    if let Some(shown) = session("emacs", &["--batch", "-l"], "session.el") {
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
