//! `cardwright check` and `cardwright fmt` as authors meet them: odd paths and files, pipes, fixes, waiting
//! for changes.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc;
use std::time::Duration;

const HEAD: &str = "[0f8fad5b-d9cb-469f-a165-70867728950e]\n";
const WORKS: &str = "the test can work with files";
const SET: &str = "Sets/48bbf5e7-da58-470c-b58b-b642cac888f3";
const DEMO: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../games/saltmarsh");

fn command(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cardwright"));
    command.args(args).current_dir(folder);
    command
}

/// Runs the program on this standard input.
fn piped(folder: &Path, args: &[&str], input: &str) -> Output {
    let pipes = || Stdio::piped();
    let mut child = command(folder, args)
        .stdin(pipes())
        .stdout(pipes())
        .stderr(pipes())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("it is piped");
    // A program that refuses its arguments reads nothing.
    match stdin.write_all(input.as_bytes()) {
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => {}
        written => written.expect("it is read"),
    }
    drop(stdin);
    child.wait_with_output().expect("the program ends")
}

fn run(folder: &Path, args: &[&str]) -> Output {
    piped(folder, args, "")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect(WORKS);
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("it lies in the folder")).expect(WORKS);
        fs::write(path, text).expect(WORKS);
    }
    folder
}

/// What is found, a line each, and the exit code.
#[track_caller]
fn check(folder: &Path, paths: &[&str], expected: &[&str], code: i32) {
    let args: Vec<&str> = ["check", "--format", "short"]
        .iter()
        .chain(paths)
        .copied()
        .collect();
    let output = run(folder, &args);
    let lines = text(&output.stdout);
    assert_eq!(
        lines.lines().collect::<Vec<_>>(),
        expected,
        "{}",
        text(&output.stderr)
    );
    assert_eq!(output.status.code(), Some(code), "{}", text(&output.stderr));
}

fn rule(line: &str) -> String {
    format!("{HEAD}{line}\n")
}

/// What two paths name is checked once, and said as it was typed.
#[test]
fn a_file_is_checked_once() {
    let folder = folder(&[("a b/c.rules", &rule("action = drow()"))]);
    let found = "a b/c.rules:2:10: error[RS003]: unknown command `drow`; did you mean `draw`?";
    check(folder.path(), &["a b"], &[found], 1);
    check(folder.path(), &["."], &[found], 1);
    check(
        folder.path(),
        &["./a b", "a b/../a b/c.rules", "a b/c.rules"],
        &[found],
        1,
    );
}

/// A package is checked once, too, also where another one lies between its paths.
#[test]
fn a_package_is_checked_once() {
    let card = "<game name=\"G\"";
    let folder = folder(&[
        ("gam/definition.xml", card),
        ("mid/definition.xml", card),
        ("z/a.txt", ""),
    ]);
    let output = run(
        folder.path(),
        &["check", "--format", "short", "gam", "mid", "z/../gam"],
    );
    let lines = text(&output.stdout);
    let found = |name: &str| lines.lines().filter(|line| line.contains(name)).count();
    assert!(found("mid/") > 0, "{lines}");
    assert_eq!(found("gam/"), found("mid/"), "{lines}");
}

/// A path that names nothing to check is a mistake, not a success.
#[test]
fn nothing_to_check_is_told() {
    let folder = folder(&[("empty/notes.md", ""), ("a.rules", &rule("action = draw()"))]);
    for (path, words) in [
        (
            "empty",
            "there are no rules, no scenarios and no package in `empty`",
        ),
        ("nothing", "there is no `nothing`"),
        (
            "empty/notes.md",
            "`empty/notes.md` is neither a rules file nor a scenario file nor part of a package",
        ),
    ] {
        for command in ["check", "fmt"] {
            let output = run(folder.path(), &[command, "a.rules", path]);
            assert!(text(&output.stderr).contains(words), "{}", text(&output.stderr));
            assert_eq!(output.status.code(), Some(1));
        }
    }
}

/// The package of the free table's scenarios, and a file about it with mistakes.
const LANTERNS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../cw-table/tests/packages/lanterns");
const SCENARIOS: &str = "[[scenario]]\nname = \"x\"\nme.Deck = [\"Candel\"]\nsteps = [{ run = \"Drav\" }, \
                         { run = \"Draw\", expect.me.Hnad = 1 }]\n";
const MISTAKES: [&str; 3] = [
    ":4:12: error[SC004]: no card is called “Candel”",
    ":5:18: error[SC006]: the package has no entry “Drav”",
    ":5:54: error[SC002]: unknown key `Hnad`",
];

/// Scenario files are checked where they lie: by the game that they name, and in its package; duels as well
/// as the free table, without running any.
#[test]
fn scenario_files_are_checked() {
    let duel = "[[scenario]]\nname = \"x\"\nme.hand = [\"Crum\"]\n";
    let free = format!("table = \"{LANTERNS}\"\n{SCENARIOS}");
    let lost = "table = \"nowhere\"\n[[scenario]]\nname = \"x\"\n";
    let files = [
        ("tests/free.toml", free.as_str()),
        ("tests/lost.toml", lost),
        ("tests/duel.toml", &format!("game = \"{DEMO}\"\n{duel}")),
        ("tests/broken.toml", "[[scenario]]\nname = \"x\n"),
        ("tests/Cargo.toml", "[package]\nname = \"x\"\n"),
    ];
    let folder = folder(&files);
    let found: Vec<String> = MISTAKES
        .iter()
        .map(|rest| format!("tests/free.toml{rest}"))
        .collect();
    let found: Vec<&str> = found.iter().map(String::as_str).collect();
    check(folder.path(), &["tests/free.toml"], &found, 1);
    let output = run(folder.path(), &["check", "--format", "short", "tests"]);
    let lines = text(&output.stdout);
    for part in found.iter().copied().chain([
        "tests/duel.toml:4:12: error[SC004]: ",
        "tests/lost.toml:1:9: error[SC007]: the game cannot be opened: ",
        "tests/broken.toml:2:10: error[SC001]: ",
    ]) {
        assert!(lines.contains(part), "{part}: {lines}");
    }
    assert!(!lines.contains("Cargo.toml"), "{lines}");
    let output = run(folder.path(), &["fmt", "tests/free.toml"]);
    assert!(text(&output.stderr).contains("only rules files are laid out"));

    // In a package, its own scenarios are part of it.
    let package = self::folder(&[("tests/own.toml", &format!("table = \"..\"\n{SCENARIOS}"))]);
    for file in [
        "definition.xml",
        "Sets/00000000-0000-0000-0002-000000000009/set.xml",
        "scripts/constants.py",
        "scripts/setup.py",
        "scripts/cards.py",
    ] {
        let path = package.path().join(file);
        fs::create_dir_all(path.parent().expect(WORKS)).expect(WORKS);
        fs::copy(Path::new(LANTERNS).join(file), path).expect(WORKS);
    }
    let output = run(package.path(), &["check", "--format", "short", "."]);
    let lines = text(&output.stdout);
    for rest in MISTAKES {
        assert!(lines.contains(&format!("tests/own.toml{rest}")), "{lines}");
    }
}

/// Files and folders of a package are checked as parts of it: against its cards, with its severities.
#[test]
fn parts_of_a_package_know_it() {
    let folder = tempfile::tempdir().expect(WORKS);
    let read = |name: &str| fs::read_to_string(Path::new(DEMO).join(name)).expect(WORKS);
    for (name, text) in [
        ("definition.xml", read("definition.xml")),
        ("Rules/game.toml", "[severities]\nRS048 = \"error\"\n".to_string()),
        ("Rules/a.rules", rule("action = freeze() to(warrior)")),
    ] {
        fs::create_dir_all(folder.path().join("Rules")).expect(WORKS);
        fs::write(folder.path().join(name), text).expect(WORKS);
    }
    fs::create_dir(folder.path().join("Decks")).expect(WORKS);
    fs::create_dir_all(folder.path().join(SET)).expect(WORKS);
    fs::write(
        folder.path().join(SET).join("set.xml"),
        read(&format!("{SET}/set.xml")),
    )
    .expect(WORKS);
    for path in ["Rules", "Rules/a.rules", ".", "Decks", "definition.xml"] {
        let output = run(folder.path(), &["check", "--format", "short", path]);
        let lines = text(&output.stdout);
        let found = "Rules/a.rules:2:22: error[RS048]: no card has the subtype `warrior`";
        assert_eq!(lines.matches(found).count(), 1, "{path}: {lines}");
    }
    let twice = run(
        folder.path(),
        &["check", "--format", "short", ".", "Rules/a.rules", "Rules"],
    );
    assert_eq!(text(&twice.stdout).matches("RS048").count(), 1);
}

/// A text that comes through a pipe is checked, as part of the package that it is said to belong to.
#[test]
fn standard_input_is_checked() {
    let wrong = rule("action = drow()");
    let drow = ":2:10: error[RS003]: unknown command `drow`; did you mean `draw`?\n";
    let output = piped(Path::new(DEMO), &["check", "--format", "short", "-"], &wrong);
    assert_eq!(text(&output.stdout), format!("<stdin>{drow}"));
    let as_part = [
        "check",
        "--format",
        "short",
        "--stdin-path",
        "Rules/new.rules",
        "-",
    ];
    let output = piped(Path::new(DEMO), &as_part, &wrong);
    let unknown = "Rules/new.rules:1:2: warning[RS051]: no card of the package has this id\n";
    assert_eq!(text(&output.stdout), format!("{unknown}Rules/new.rules{drow}"));
    let mend = piped(Path::new(DEMO), &["check", "--fix", "-"], &wrong);
    assert_eq!(mend.status.code(), Some(2));
}

/// RS070: a bad byte is one finding, and the file is not written.
#[test]
fn bad_bytes_are_one_finding() {
    let folder = folder(&[("a.rules", "")]);
    let bytes = [HEAD.as_bytes(), b"action = draw() \xff\nlabel: x\n"].concat();
    fs::write(folder.path().join("a.rules"), &bytes).expect(WORKS);
    let found = [
        "a.rules:2:17: error[RS070]: these bytes are not UTF-8",
        "a.rules:3:6: error[RS002]: a key is followed by `=`",
    ];
    check(folder.path(), &["a.rules"], &found, 1);
    check(folder.path(), &["--fix", "a.rules"], &found, 1);
    let output = run(folder.path(), &["fmt", "a.rules"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("is not UTF-8; it stays as it is"));
    assert_eq!(fs::read(folder.path().join("a.rules")).expect(WORKS), bytes);
}

/// Fixes that touch are applied one after the other, in several files, whatever ends their lines.
#[test]
fn fixes_mend_files_of_any_kind() {
    let folder = folder(&[
        ("a.rules", &rule("action = draw(,,2)\nlabel: Go")),
        (
            "b.txt",
            "\u{feff}[0f8fad5b-d9cb-469f-a165-70867728950e]\r\naction = draw(2) && hp(1)\r\nlabel: Go",
        ),
    ]);
    let output = run(folder.path(), &["check", "--fix", "a.rules", "b.txt"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).expect(WORKS);
    assert_eq!(read("a.rules"), rule("action = draw(2)\nlabel = Go"));
    assert_eq!(
        read("b.txt"),
        "\u{feff}[0f8fad5b-d9cb-469f-a165-70867728950e]\r\naction = draw(2) & hp(1)\r\nlabel = Go"
    );
    assert!(
        text(&output.stderr).starts_with("applied 5 fixes\n"),
        "{}",
        text(&output.stderr)
    );
}

/// The summary says what could be mended, and where to read on.
#[test]
fn the_summary_names_the_next_step() {
    let folder = folder(&[("a.rules", &rule("action = drow(2)\nlabel: Go"))]);
    let output = run(folder.path(), &["check", "a.rules"]);
    let lines = text(&output.stderr);
    assert!(
        lines.contains(
            "\n1 can be fixed with `--fix`, 1 more with `--unsafe-fixes`\n`cardwright explain RS00"
        ),
        "{lines}"
    );
    assert!(
        !text(&output.stdout).contains('\u{1b}'),
        "colours go to terminals only"
    );
    let colored = run(folder.path(), &["check", "--color", "always", "a.rules"]);
    assert!(text(&colored.stdout).contains("\u{1b}["));
}

/// Runs until it is dropped.
struct Watching(Child, mpsc::Receiver<String>);

impl Watching {
    fn start(folder: &Path, args: &[&str]) -> Watching {
        let mut child = command(folder, args)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let lines = BufReader::new(child.stderr.take().expect("it is piped")).lines();
        let (send, receive) = mpsc::channel();
        std::thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                let _ = send.send(line);
            }
        });
        Watching(child, receive)
    }

    /// The first line about the next check.
    #[track_caller]
    fn next(&self) -> String {
        let mut first = None;
        loop {
            let line = self
                .1
                .recv_timeout(Duration::from_secs(60))
                .expect("it goes on watching");
            if line.starts_with("watching") {
                return first.expect("it says what it found");
            }
            first.get_or_insert(line);
        }
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A file may be saved by renaming, be deleted and come again; other files may join it.
#[test]
fn watch_sees_what_editors_do() {
    let folder = folder(&[("w/a.rules", &rule("action = drow(2)"))]);
    let path = |name: &str| folder.path().join("w").join(name);
    let watching = Watching::start(folder.path(), &["check", "--watch", "w"]);
    let starts = |line: &str| {
        let next = watching.next();
        assert!(next.starts_with(line), "{next}");
    };
    starts("checked 1 rule in 1 file: 1 error (");
    fs::write(path("a.rules~"), rule("action = draw(22)")).expect(WORKS);
    fs::rename(path("a.rules~"), path("a.rules")).expect(WORKS);
    starts("checked 1 rule in 1 file: no findings (");
    fs::write(path("b.rules"), rule("action = hpp(2)")).expect(WORKS);
    starts("checked 2 rules in 2 files: 1 error (");
    fs::remove_dir_all(path("")).expect(WORKS);
    let gone = watching.next();
    assert!(
        gone.starts_with("error: ") || gone.starts_with("checked 1"),
        "{gone}"
    );
}

/// Applies a unified difference.
fn patched(old: &str, diff: &str) -> String {
    let lines: Vec<&str> = old.split_inclusive('\n').collect();
    let mut out = String::new();
    let mut at = 0;
    for line in diff.split_inclusive('\n').skip(2) {
        let rest = line.get(1..).unwrap_or_default();
        match line.as_bytes()[0] {
            b'@' => {
                let numbers = line
                    .split(['-', ',', ' '])
                    .filter_map(|word| word.parse::<usize>().ok());
                let numbers: Vec<usize> = numbers.collect();
                let start = numbers[0] - usize::from(numbers[1] > 0);
                lines[at..start].iter().for_each(|line| out.push_str(line));
                at = start;
            }
            b' ' | b'-' => {
                assert_eq!(lines[at].trim_end_matches('\n'), rest.trim_end_matches('\n'));
                if line.starts_with(' ') {
                    out.push_str(rest);
                }
                at += 1;
            }
            b'+' => out.push_str(rest),
            // Laid out, every file ends with its last line's end: this is about the old one.
            b'\\' => {}
            other => panic!("{}", other as char),
        }
    }
    lines[at..].iter().for_each(|line| out.push_str(line));
    out
}

/// The difference that `fmt --diff` shows is the one that `fmt` makes.
#[test]
fn differences_can_be_applied() {
    let demo = fs::read_to_string(Path::new(DEMO).join("Rules/core.rules")).expect(WORKS);
    let untidy = demo
        .replace(" = ", "=")
        .replace("\n\n", "\n\n\n")
        .replace("& ", "&");
    let some = demo.replacen("action = ", "ACTION=", 3).replacen("\n\n", "\n", 5);
    for old in [
        untidy.as_str(),
        &some,
        &some.replace('\n', "\r\n"),
        &untidy[..untidy.len() - 1],
        "[a]\naction = draw()",
        "\n\n[a]\naction=draw()\n\n\n",
    ] {
        let folder = folder(&[("a.rules", old)]);
        let diff = run(folder.path(), &["fmt", "--diff", "a.rules"]);
        assert_eq!(diff.status.code(), Some(1));
        run(folder.path(), &["fmt", "a.rules"]);
        let new = fs::read_to_string(folder.path().join("a.rules")).expect(WORKS);
        assert_eq!(patched(old, &text(&diff.stdout)), new);
        assert_eq!(
            run(folder.path(), &["fmt", "--check", "a.rules"]).status.code(),
            Some(0)
        );
        assert_eq!(text(&piped(folder.path(), &["fmt", "-"], old).stdout), new);
    }
}

/// Lines with mistakes stay, and that is said; scripts and archives are refused.
#[test]
fn fmt_says_what_it_leaves() {
    let folder = folder(&[
        ("a.rules", &rule("action=draw(\nlabel  =  x")),
        ("b.py", "RulesDict = {}\n"),
    ]);
    let output = run(folder.path(), &["fmt", "a.rules"]);
    assert_eq!(
        text(&output.stderr),
        "a.rules: 1 line with mistakes, left as they are; `cardwright check` explains them\n\
         changed 1 of 1 file\n"
    );
    let kept = fs::read_to_string(folder.path().join("a.rules")).expect(WORKS);
    assert_eq!(kept, rule("action=draw(\nlabel = x"));
    assert_eq!(run(folder.path(), &["fmt", "b.py"]).status.code(), Some(1));
}

/// RS051: every card of a large package that has text but no rule is told, each once, where it is printed.
#[test]
fn cards_without_rules_are_told_where_they_are_printed() {
    const CARDS: usize = 5_000;
    let id = |index: usize| format!("0f8fad5b-d9cb-469f-a165-{index:012x}");
    let card = |index: usize| {
        let text = "<property name=\"Rules\" value=\"Draw a card.\" />";
        format!("<card id=\"{}\" name=\"Rook {index}\">{text}</card>\n", id(index))
    };
    let mut set = fs::read_to_string(Path::new(DEMO).join(format!("{SET}/set.xml"))).expect(WORKS);
    let start = set.find("<cards>").expect("a set has cards") + "<cards>\n".len();
    let end = set.find("</cards>").expect("a set has cards");
    set.replace_range(start..end, &(0..CARDS).map(card).collect::<String>());
    let first = set[..start].lines().count();
    let definition = fs::read_to_string(Path::new(DEMO).join("definition.xml")).expect(WORKS);
    let rules = format!("[{}]\naction = draw()\n", id(7));
    let name = format!("{SET}/set.xml");
    let folder = folder(&[
        ("definition.xml", &definition),
        (&name, &set),
        ("Rules/a.rules", &rules),
    ]);
    let output = run(folder.path(), &["check", "--format", "json", "."]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    let found = report["findings"].as_array().expect("there are findings").iter();
    let lines = found.filter(|one| one["code"] == "RS051").map(|one| {
        let line = one["start"]["line"].as_u64().expect("places have lines");
        usize::try_from(line).expect("the file is short") - first - 1
    });
    let without: Vec<usize> = (0..CARDS).filter(|index| *index != 7).collect();
    assert_eq!(lines.collect::<Vec<_>>(), without);
}

/// P178, PK012: a limit is told, and raised by the option that the finding names.
#[test]
fn a_limit_is_raised_by_its_option() {
    let set = "<set name=\"S\" id=\"48bbf5e7-da58-470c-b58b-b642cac888f3\" \
               gameId=\"6ac0a9aa-437c-4074-8135-5f1bef8a6dca\"><cards><card/><card/><card/></cards></set>";
    let folder = folder(&[("definition.xml", "<game/>"), (&format!("{SET}/set.xml"), set)]);
    let limited = run(folder.path(), &["check", ".", "--limit", "cards=2"]);
    let shown = text(&limited.stdout) + &text(&limited.stderr);
    assert!(
        shown.contains("PK012") && shown.contains("--limit cards=8"),
        "{shown}"
    );
    let raised = run(folder.path(), &["check", ".", "--limit", "cards=8"]);
    assert!(!text(&raised.stdout).contains("PK012"));
    let wrong = run(folder.path(), &["check", ".", "--limit", "players=8"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(
        text(&wrong.stderr)
            .contains("limits are `cards` (cards of a package), `entries` (files in an archive)"),
        "{}",
        text(&wrong.stderr)
    );
}
