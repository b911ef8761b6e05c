//! Files that are written, and what is printed, where there is no room: the old file or the new one, never
//! less, and an exit code that says so.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use cw_octgn::{Folder, Package};

const PROGRAM: &str = env!("CARGO_BIN_EXE_cardwright");

/// A command that writes files.
struct Writer {
    /// With blanks between.
    arguments: &'static str,
    input: &'static str,
    /// Commands that make what it needs.
    given: &'static [&'static str],
    /// Whether it adds lines to a file, which is there before they are.
    appends: bool,
    /// A file that it writes anew, with what is in it before; a command of which none is named makes new
    /// ones.
    old: Option<(&'static str, &'static str)>,
}

const fn makes(arguments: &'static str) -> Writer {
    Writer {
        arguments,
        input: "",
        given: &[],
        appends: false,
        old: None,
    }
}

const fn rewrites(arguments: &'static str, file: &'static str, text: &'static str) -> Writer {
    Writer {
        old: Some((file, text)),
        ..makes(arguments)
    }
}

const fn appends(arguments: &'static str, given: &'static [&'static str]) -> Writer {
    Writer {
        given,
        appends: true,
        ..makes(arguments)
    }
}

const RULES: &str = "[01234567-89ab-cdef-0123-456789abcdef]\naction   =   draw( 2 )\n";
const MENDABLE: &str = "[01234567-89ab-cdef-0123-456789abcdef]\naction = drow(2)\n";
const OLD: &str = "what was here before\n";
const SCENARIO: &str = "[[scenario]]\nname = \"Crumb\"\nanswers = \"first\"\nme.hand = [\"Crumb\"]\n\
    steps = [{ play = \"Crumb\", expect = {} }]\n";
const GAME: &str = "new game --seed 1";
const PLAN: &str = "sim plan --players random --pairs 6 -o plan.json";
const DUEL: &str = "play --plain --quiet --seat1 random --seat2 random --record duel.json";

/// Every command that writes a file.
fn writers() -> Vec<Writer> {
    let empty_deck = "<deck game=\"7d6b8f7e-6f2c-4f3f-9a35-0f8d4e1b2c3a\"></deck>";
    vec![
        rewrites("fmt a.rules", "a.rules", RULES),
        rewrites("check --unsafe-fixes a.rules", "a.rules", MENDABLE),
        Writer {
            input: "add 3 Fop\nsave\nquit\n",
            ..rewrites("deck edit mine.o8d --plain", "mine.o8d", empty_deck)
        },
        rewrites("deck new new.o8d --force", "new.o8d", OLD),
        Writer {
            given: &[GAME],
            ..rewrites("export game -o game.o8g --force", "game.o8g", OLD)
        },
        rewrites("test --bless a.toml", "a.toml", SCENARIO),
        rewrites(
            "fuzz --card Potluck --positions 5 --duels 0 -o finds.toml --force",
            "finds.toml",
            OLD,
        ),
        rewrites(
            "balance --players random --pairs 6 --card-pairs 0 --out b.html --force",
            "b.html",
            OLD,
        ),
        rewrites(
            "sim --players random --pairs 6 -o result --choices 100 --force",
            "result/duels.parquet",
            OLD,
        ),
        rewrites(
            "sim --players random --pairs 6 -o result --force",
            "result/summary.json",
            OLD,
        ),
        rewrites("sim plan --players random -o plan.json --force", "plan.json", OLD),
        rewrites(
            "players fit --duels 10 --player random -o values.toml",
            "values.toml",
            OLD,
        ),
        makes("arena random plain --pairs 8 --losses lost"),
        makes("play --plain --quiet --seat1 random --seat2 random --record duel.json"),
        // A link with a game of two bytes.
        makes("open AYVj8c3MS5Vy4WlZdxtCMpowBXgDAA4T53Y --save sent.o8g"),
        makes("sealed 2:Booster --players 2 -o pools"),
        makes("draft 1:Booster -o pools"),
        Writer {
            input: "1\n2\n",
            ..rewrites("run --keep run.txt", "run.txt", "7.\n")
        },
        makes("cards render Fop -o faces"),
        makes("cards render Fop --sheet a4 -o faces"),
        makes("new some/folder/Harbour"),
        makes("new --from cards.csv some/folder/Rookery"),
        makes("cards export cards.xlsx"),
        makes("cards export folder --format cgs"),
        Writer {
            given: &[GAME],
            ..makes("cards import cards.csv --game game")
        },
        Writer {
            given: &[GAME],
            ..makes("rules say --all --write game")
        },
        makes("man -o pages"),
        makes("site --module module.wasm --out page"),
        Writer {
            given: &[GAME],
            ..makes("images add pictures.o8c --game game")
        },
        Writer {
            given: &[PLAN, "sim run plan.json -o parts"],
            ..rewrites(
                "sim merge plan.json parts -o result --force",
                "result/summary.json",
                OLD,
            )
        },
        Writer {
            given: &[DUEL],
            ..makes(
                "replay duel.json --at 5 --continue --seat1 random --seat2 random --quiet --record on.json",
            )
        },
        appends("sim run plan.json -o parts", &[PLAN]),
        appends("arena random plain --pairs 2 --keep kept.jsonl", &[]),
        Writer {
            input: "draw 1\nquit\n",
            ..appends("play --free --plain --record free.json", &[])
        },
    ]
}

/// The files below a folder by their names.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut out = BTreeMap::new();
    let mut open = vec![folder.to_owned()];
    while let Some(inner) = open.pop() {
        for entry in fs::read_dir(&inner).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().display().to_string();
                out.insert(name, fs::read(&path).unwrap());
            }
        }
    }
    out
}

fn prepare(folder: &Path, writer: &Writer) {
    if let Some((name, text)) = writer.old {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    if writer.arguments.contains("cards.csv") {
        fs::write(folder.join("cards.csv"), "name,Kind,SP\nRook,Action,2\n").unwrap();
    }
    if writer.arguments.starts_with("site") {
        fs::write(folder.join("module.wasm"), "\0asm").unwrap();
    }
    for given in writer.given {
        let made = run(folder, Command::new(PROGRAM).args(given.split(' ')), "");
        assert!(made.status.success(), "{given}: {made:?}");
    }
    if writer.arguments.starts_with("images") {
        fs::write(folder.join("pictures.o8c"), pictures(&folder.join("game"))).unwrap();
    }
}

/// An image pack with one picture for a game.
fn pictures(game: &Path) -> Vec<u8> {
    let package = Package::read(&Folder::new(game.to_owned())).unwrap();
    let (set, card) = (&package.sets[0], &package.sets[0].cards[0].id.value);
    let entry = format!(
        "{}/Sets/{}/Cards/{card}.png",
        package.definition.id.value, set.id.value
    );
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    zip.start_file(entry, zip::write::SimpleFileOptions::default())
        .unwrap();
    zip.write_all(b"\x89PNG\r\n\x1a\n").unwrap();
    zip.finish().unwrap().into_inner()
}

/// What a command leaves that could not write: the old files. One that adds lines may have made its file, and
/// has added whole lines or none.
fn is_kept(writer: &Writer, before: &BTreeMap<String, Vec<u8>>, after: &BTreeMap<String, Vec<u8>>) -> bool {
    if !writer.appends {
        return before == after;
    }
    let is_whole = |bytes: &[u8]| bytes.is_empty() || bytes.ends_with(b"\n");
    let mut added = after.iter().map(|(name, bytes)| (before.get(name), bytes));
    before.keys().all(|name| after.contains_key(name))
        && added.all(|(old, new)| {
            let old = old.map_or(&[][..], |old| old);
            new.strip_prefix(old).is_some_and(is_whole)
        })
}

fn run(folder: &Path, command: &mut Command, input: &str) -> Output {
    let mut child = command
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // It may end before it has read everything.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().expect("the program ends")
}

/// A shell that lets the program write no byte to any file; `signal` says what becomes of who tries.
fn without_room(writer: &Writer, signal: &str) -> Command {
    let mut command = Command::new("sh");
    let script = format!("{signal} ulimit -f 0; exec \"$0\" \"$@\"");
    command
        .args(["-c", &script, PROGRAM])
        .args(writer.arguments.split(' '));
    command
}

/// Whatever room there is: all of it is written, and nothing is left over.
#[test]
fn every_writer_writes_where_there_is_room() {
    for writer in writers() {
        let folder = tempfile::tempdir().unwrap();
        prepare(folder.path(), &writer);
        let before = files(folder.path());
        let done = run(
            folder.path(),
            Command::new(PROGRAM).args(writer.arguments.split(' ')),
            writer.input,
        );
        let told = String::from_utf8_lossy(&done.stderr);
        let after = files(folder.path());
        assert_ne!(before, after, "{:?} writes nothing: {told}", writer.arguments);
        if let Some((name, _)) = writer.old {
            assert_ne!(before[name], after[name], "{:?}: {told}", writer.arguments);
        }
        assert!(
            !after.keys().any(|name| name.ends_with(".part")),
            "{:?}",
            after.keys()
        );
    }
}

/// Where no byte can be written, the old file stays, the exit code is 1, and the message says what could not
/// be written.
#[test]
fn a_full_disk_is_told_and_loses_nothing() {
    for writer in writers() {
        let folder = tempfile::tempdir().unwrap();
        prepare(folder.path(), &writer);
        let before = files(folder.path());
        let failed = run(
            folder.path(),
            &mut without_room(&writer, "trap '' XFSZ;"),
            writer.input,
        );
        let told = String::from_utf8_lossy(&failed.stderr);
        assert_eq!(failed.status.code(), Some(1), "{:?}: {told}", writer.arguments);
        assert!(
            told.contains("cannot write") || told.contains("stays as it is"),
            "{:?}: {told}",
            writer.arguments
        );
        let after = files(folder.path());
        assert!(
            is_kept(&writer, &before, &after),
            "{:?}: {told}",
            writer.arguments
        );
    }
}

/// Who is killed in the middle of writing leaves the old file; what was begun is hidden.
#[test]
fn a_killed_writer_leaves_the_old_file() {
    for writer in writers() {
        let folder = tempfile::tempdir().unwrap();
        prepare(folder.path(), &writer);
        let before = files(folder.path());
        let killed = run(folder.path(), &mut without_room(&writer, ""), writer.input);
        assert!(
            killed.status.signal().is_some(),
            "{:?}: {killed:?}",
            writer.arguments
        );
        let mut after = files(folder.path());
        after.retain(|name, _| !name.ends_with(".part"));
        assert!(is_kept(&writer, &before, &after), "{:?}", writer.arguments);
    }
}

/// The same on a disk that is really full: a file system of its own, which only root may mount.
#[test]
fn a_full_file_system_loses_nothing() {
    let works = Command::new("unshare")
        .args(["-m", "mount", "-t", "tmpfs", "none", "/mnt"])
        .output();
    if !works.is_ok_and(|done| done.status.success()) {
        eprintln!("SKIPPED: no file system can be mounted here, so none can be full");
        return;
    }
    let script = "mount -t tmpfs -o size=16m none full && cp -a old/. full/ \
                  && { dd if=/dev/zero of=full/filler bs=4k 2>/dev/null; true; } && cd full || exit 99; \
                  \"$0\" \"$@\"; code=$?; rm filler; cp -a . ../after; exit $code";
    for writer in writers() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["old", "full", "after"] {
            fs::create_dir(folder.path().join(name)).unwrap();
        }
        prepare(&folder.path().join("old"), &writer);
        let before = files(&folder.path().join("old"));
        let mut command = Command::new("unshare");
        command
            .args(["-m", "sh", "-c", script, PROGRAM])
            .args(writer.arguments.split(' '));
        let failed = run(folder.path(), &mut command, writer.input);
        let told = String::from_utf8_lossy(&failed.stderr);
        assert_eq!(failed.status.code(), Some(1), "{:?}: {told}", writer.arguments);
        let after = files(&folder.path().join("after"));
        assert!(
            is_kept(&writer, &before, &after),
            "{:?}: {told}",
            writer.arguments
        );
    }
}

/// Commands that write no file.
const READERS: &[&str] = &[
    "bot",
    "cards",
    "completions",
    "deck",
    "dev",
    "duel",
    "eval",
    "explain",
    "lsp",
    "packs",
    "players",
    "rules",
    "scenario",
    "table",
    "help",
];

/// Options that name what is written, wherever they stand.
const WRITING: &[&str] = &[
    "--bless",
    "--fix",
    "--keep",
    "--losses",
    "--out",
    "--output",
    "--record",
    "--save",
    "--unsafe-fixes",
    "--write",
];

/// No command that writes is forgotten above: each one is a writer or a reader, and so is each of its
/// commands that has an option to write.
#[test]
fn every_command_that_writes_is_a_writer() {
    let writers = writers();
    let mut open = vec![String::new()];
    let mut seen = 0;
    while let Some(command) = open.pop() {
        let words = command.split_whitespace();
        let help = Command::new(PROGRAM).args(words).arg("--help").output().unwrap();
        let help = String::from_utf8(help.stdout).unwrap();
        let starts = |line: &&str| line.starts_with("  ") && !line.starts_with("   ");
        let listed = help
            .lines()
            .skip_while(|line| !line.ends_with(':'))
            .filter(starts);
        let names = listed.filter_map(|line| line.split_whitespace().next());
        let inner = names.filter(|name| name.starts_with(|first: char| first.is_ascii_lowercase()));
        open.extend(
            inner
                .filter(|name| !matches!(*name, "help" | "cardwright"))
                .map(|name| format!("{command} {name}").trim().to_owned()),
        );
        let is_written = |option: &str| {
            writers.iter().any(|writer| {
                let mut words = writer.arguments.split(' ');
                let short = if option == "--output" { "-o" } else { option };
                writer.arguments.starts_with(&command) && words.any(|word| word == option || word == short)
            })
        };
        for option in WRITING {
            let is_listed = help.lines().any(|line| {
                let mut words = line.split_whitespace();
                line.trim_start().starts_with('-') && words.any(|word| word.trim_end_matches(',') == *option)
            });
            assert!(
                !is_listed || *option == "--fix" || is_written(option),
                "`{command} {option}` writes, and no writer does so"
            );
        }
        if !command.is_empty() && !command.contains(' ') {
            seen += 1;
            let is_known = READERS.contains(&&*command)
                || writers
                    .iter()
                    .any(|writer| writer.arguments.split(' ').next() == Some(&*command));
            assert!(is_known, "does `{command}` write?");
        }
    }
    assert!(seen > 25, "{seen} commands");
}

/// One way of printing for each command that prints.
const PRINTERS: &[&str] = &[
    "help",
    "help play",
    "cards --help",
    "--version",
    "arena random random --pairs 2",
    "balance --players random --pairs 6 --card-pairs 0 --json",
    "cards Captain",
    "cards Captain --json",
    "check . --format sarif",
    "check . --json",
    "completions bash",
    "deck show Starter --game .",
    "deck check Starter --game .",
    "deck stats Starter --game .",
    "draft 1:Booster --game .",
    "eval 7/2",
    "explain RS021",
    "explain",
    "export -o other.o8g",
    "fmt --diff sloppy.rules",
    "man",
    "packs list",
    "packs odds Booster --game .",
    "packs open Booster --game .",
    "play --plain --seat1 random --seat2 random --seed 1",
    "players",
    "rules program Rules/core.rules",
    "scenario new Captain --game .",
    "sealed 2:Booster --game .",
    "sim --players random --pairs 2",
    "sim plan --players random",
];

/// A result that goes to a file on a full disk is not thought to be there.
#[test]
fn what_cannot_be_printed_is_told() {
    if !Path::new("/dev/full").exists() {
        eprintln!("SKIPPED: this system has no /dev/full");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let game = folder.path().join("game");
    let made = run(
        folder.path(),
        Command::new(PROGRAM).args(["new", "game", "--seed", "1"]),
        "",
    );
    assert!(made.status.success(), "{made:?}");
    fs::write(game.join("sloppy.rules"), RULES).unwrap();
    for arguments in PRINTERS {
        let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
        let failed = Command::new(PROGRAM)
            .args(arguments.split(' '))
            .current_dir(&game)
            .stdin(Stdio::null())
            .stdout(full)
            .output()
            .unwrap();
        let told = String::from_utf8_lossy(&failed.stderr);
        assert_eq!(failed.status.code(), Some(1), "{arguments:?}: {told}");
        assert!(
            told.contains("cannot write to standard output"),
            "{arguments:?}: {told}"
        );
        // Who has read enough is no full disk.
        let mut child = Command::new(PROGRAM)
            .args(arguments.split(' '))
            .current_dir(&game)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let quiet = child.wait_with_output().unwrap();
        let told = String::from_utf8_lossy(&quiet.stderr);
        assert!(
            !told.contains("standard output") && !told.contains("panicked"),
            "{arguments:?}: {told}"
        );
        let _ = fs::remove_file(game.join("other.o8g"));
    }
}

/// P178: what is named is not read whatever its size; a sparse file costs no memory.
#[test]
fn a_file_that_is_too_large_is_refused_in_a_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let huge = folder.path().join("huge");
    fs::File::create(&huge).unwrap().set_len(6 << 30).unwrap();
    for given in [PLAN, GAME] {
        let made = run(folder.path(), Command::new(PROGRAM).args(given.split(' ')), "");
        assert!(made.status.success(), "{given}: {made:?}");
    }
    for arguments in [
        &["replay", "huge"][..],
        &["duel", "trace", "huge"],
        &["test", "huge"],
        &["play", "--scenario", "huge"],
        &["sim", "run", "huge"],
        &["balance", "--players", "random", "--what-if", "huge"],
        &["deck", "show", "huge"],
        &["cards", "--game", "huge"],
        &["check", "huge.rules"],
        &["fmt", "huge.rules"],
        &["arena", "random", "random", "--pairs", "1", "--keep", "huge"],
        &["sim", "merge", "plan.json", "huge"],
        &["sim", "merge", "huge", "huge"],
        &["scenario", "run", "huge"],
        &["export", "huge"],
        &["images", "add", "huge", "--game", "game"],
        &["draft", "--cube", "huge"],
        &["play", "--free", "--plain", "--resume", "huge"],
        &["play", "--free", "--plain", "--mapping", "huge"],
        &[
            "play", "--plain", "--seat1", "random", "--seat2", "random", "--deck1", "huge",
        ],
    ] {
        if arguments.last() == Some(&"huge.rules") {
            let _ = fs::hard_link(&huge, folder.path().join("huge.rules"));
        }
        let refused = run(folder.path(), Command::new(PROGRAM).args(arguments), "");
        let told = String::from_utf8_lossy(&refused.stderr);
        assert_eq!(refused.status.code(), Some(1), "{arguments:?}: {told}");
        assert!(
            told.contains("larger than") && told.contains("the most that"),
            "{arguments:?}: {told}"
        );
    }
}

/// An earlier result is not written over, and that is said before the work.
#[test]
fn results_are_not_written_over() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, OLD).unwrap();
    };
    for name in [
        "b.html",
        "plan.json",
        "result/cards.parquet",
        "pools/player 2 pool.o8d",
        "pools/seat 4 deck.o8d",
        "player 1 deck.o8d",
        "seat 1 deck.o8d",
    ] {
        write(name);
    }
    let before = files(folder.path());
    for arguments in [
        &["balance", "--players", "random", "--out", "b.html"][..],
        &["sim", "--players", "random", "-o", "result"],
        &["sim", "plan", "--players", "random", "-o", "plan.json"],
        &["sealed", "2:Booster", "--seat", "1", "-o", "pools"],
        &["draft", "Booster", "--seat", "1", "-o", "pools"],
        &["sealed", "2:Booster", "--seat", "1"],
        &["draft", "Booster", "--seat", "1"],
    ] {
        let refused = run(folder.path(), Command::new(PROGRAM).args(arguments), "");
        let told = String::from_utf8_lossy(&refused.stderr);
        assert_eq!(refused.status.code(), Some(1), "{arguments:?}: {told}");
        assert!(
            told.contains("already exists; --force replaces it"),
            "{arguments:?}: {told}"
        );
        // Nobody has been asked to pick a card.
        assert!(refused.stdout.is_empty(), "{arguments:?}: {refused:?}");
    }
    assert_eq!(before, files(folder.path()));
    // A proposed deck is not what the old file holds.
    let sealed = ["sealed", "2:Booster", "--seat", "1", "--force"];
    let left = run(folder.path(), Command::new(PROGRAM).args(sealed), "quit\n");
    assert_eq!(left.status.code(), Some(1), "{left:?}");
    assert_eq!(before, files(folder.path()));
    let saved = run(folder.path(), Command::new(PROGRAM).args(sealed), "save\nquit\n");
    assert!(saved.status.success(), "{saved:?}");
    assert_ne!(before, files(folder.path()));
}

/// What is read from a pipe may be written to `/dev/stdout`.
#[cfg(target_os = "linux")]
#[test]
fn standard_output_is_a_place_to_write_to() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = [
        "sim",
        "plan",
        "--players",
        "random",
        "--pairs",
        "6",
        "-o",
        "/dev/stdout",
    ];
    let written = run(folder.path(), Command::new(PROGRAM).args(arguments), "");
    assert!(written.status.success(), "{written:?}");
    assert!(
        String::from_utf8_lossy(&written.stdout).contains('{'),
        "{written:?}"
    );
}
