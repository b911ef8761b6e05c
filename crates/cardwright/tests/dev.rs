//! `cardwright dev` as an author meets it: the real program, a copy of the demo game, and files that are
//! saved.
#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

const RULES: &str = "Rules/core.rules";
const SET: &str = "Sets/48bbf5e7-da58-470c-b58b-b642cac888f3/set.xml";

/// A program that watches a copy of the demo game, which ends with the test.
struct Author {
    program: Child,
    lines: Receiver<String>,
    folder: tempfile::TempDir,
}

impl Drop for Author {
    fn drop(&mut self) {
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        match entry.file_type().unwrap().is_dir() {
            true => copy(&entry.path(), &target),
            false => drop(fs::copy(entry.path(), target).unwrap()),
        }
    }
}

impl Author {
    /// Starts the program; `prepare` changes the game before.
    fn new(arguments: &[&str], prepare: impl FnOnce(&Path)) -> Author {
        let folder = tempfile::tempdir().unwrap();
        let demo = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/saltmarsh");
        copy(&demo, &folder.path().join("game"));
        prepare(&folder.path().join("game"));
        let mut program = Command::new(env!("CARGO_BIN_EXE_cardwright"))
            .arg("dev")
            .arg(folder.path().join("game"))
            .args(["--no-open", "--port", "0", "--seed", "7"])
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (sender, lines) = channel();
        let out: [Box<dyn std::io::Read + Send>; 2] = [
            Box::new(program.stdout.take().unwrap()),
            Box::new(program.stderr.take().unwrap()),
        ];
        for stream in out {
            let sender = sender.clone();
            std::thread::spawn(move || {
                for line in BufReader::new(stream).lines() {
                    if line.map(|line| sender.send(line)).is_err() {
                        return;
                    }
                }
            });
        }
        Author {
            program,
            lines,
            folder,
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join("game").join(name)
    }

    /// Waits for a line with these words; those before it.
    #[track_caller]
    fn until(&self, words: &str) -> Vec<String> {
        let mut before = Vec::new();
        loop {
            match self.lines.recv_timeout(Duration::from_secs(120)) {
                Ok(line) if line.contains(words) => {
                    before.push(line);
                    return before;
                }
                Ok(line) => before.push(line),
                Err(_) => panic!("no line with “{words}”: {before:#?}"),
            }
        }
    }

    /// Waits until each of these words stood in a line: errors and news are two streams, whose order is
    /// nobody's.
    #[track_caller]
    fn until_each(&self, words: &[&str]) {
        let mut open = words.to_vec();
        let mut read = Vec::new();
        while !open.is_empty() {
            match self.lines.recv_timeout(Duration::from_secs(120)) {
                Ok(line) => {
                    open.retain(|words| !line.contains(words));
                    read.push(line);
                }
                Err(_) => panic!("no line with {open:?}: {read:#?}"),
            }
        }
    }

    fn change(&self, name: &str, from: &str, to: &str) {
        let text = fs::read_to_string(self.path(name)).unwrap();
        assert!(text.contains(from), "{name} has no {from}");
        fs::write(self.path(name), text.replacen(from, to, 1)).unwrap();
    }
}

const SCENARIOS: &str = r#"
[[scenario]]
name = "Crumb fights"
phase = "attack"
me = { ring = ["Crumb"] }
steps = [{ attack = "Crumb" }, "end phase", { do = "pass", expect.opponent.hp = 2800 }]

[[scenario]]
name = "Auntie Rye fights"
phase = "attack"
me = { ring = ["Auntie Rye"] }
steps = [{ attack = "Auntie Rye" }, "end phase", { do = "pass", expect.opponent.hp = 2500 }]
"#;

/// D108: a saved rule, an error, a comment, a card that is gone, and scenarios that a change touches; the way
/// of watching makes no difference.
#[test]
fn each_save_is_told() {
    for arguments in [&[][..], &["--poll"]] {
        let author = Author::new(arguments, |game| {
            fs::create_dir_all(game.join("Tests")).unwrap();
            fs::write(game.join("Tests/fights.toml"), SCENARIOS).unwrap();
        });
        let start = author.until("all pass");
        assert!(start.iter().any(|line| line.contains("/join/")), "{start:#?}");
        let polls = start.iter().any(|line| line.contains("once a second"));
        assert_eq!(polls, !arguments.is_empty(), "{start:#?}");

        author.change(SET, "name=\"BP\" value=\"200\"", "name=\"BP\" value=\"300\"");
        let told = author.until("goes on with the new rules");
        assert!(
            told.last().unwrap().contains("“Crumb”: 200 BP → 300"),
            "{told:#?}"
        );
        let told = author.until("scenarios run");
        // Lessons have scenarios, too; that of the other card does not run again.
        assert!(!told.last().unwrap().contains(": all pass"), "{told:#?}");
        author.until("Crumb fights");

        author.change(RULES, "action = {F}: bp(+200", "action = {F}: pb(+200");
        author.until_each(&["RS003", "the table goes on with the game as it was"]);
        author.change(RULES, "pb(+200", "bp(+400");
        let told = author.until("goes on with the new rules");
        assert!(
            told.last().unwrap().contains("“Brioche Bruno”: another rule"),
            "{told:#?}"
        );

        author.change(RULES, "# Brioche Bruno", "# Bruno, with butter");
        author.until("no card has changed");
    }
}

/// Errors at the start keep no table from opening, unless nothing can be played; then it opens once they are
/// fixed.
#[test]
fn the_table_opens_as_soon_as_it_can() {
    let author = Author::new(&[], |game| {
        let path = game.join("definition.xml");
        fs::rename(&path, game.join("aside.bak")).unwrap();
        fs::write(&path, "<game").unwrap();
    });
    author.until("as soon as these errors are fixed");
    fs::rename(author.path("aside.bak"), author.path("definition.xml")).unwrap();
    author.until("/join/");
}
