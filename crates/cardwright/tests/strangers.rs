//! The command line as a stranger meets it: help, the game one stands in, packages of other kinds.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn run(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_cardwright"))
        .args(args)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .expect("the program starts")
}

fn told(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

#[track_caller]
fn says(folder: &Path, args: &[&str], code: i32, words: &[&str]) -> String {
    let output = run(folder, args);
    let text = told(&output);
    assert_eq!(output.status.code(), Some(code), "{args:?}: {text}");
    for wanted in words {
        assert!(text.contains(wanted), "{args:?}: “{wanted}” is not in {text}");
    }
    text
}

fn demo() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/saltmarsh")
}

/// A copy of the demo game, without the files that `leave` names.
fn copy(leave: fn(&str) -> bool) -> tempfile::TempDir {
    fn below(from: &Path, to: &Path, leave: fn(&str) -> bool) {
        fs::create_dir_all(to).expect("there is room");
        for entry in fs::read_dir(from).expect("it is a folder") {
            let path = entry.expect("it can be listed").path();
            let name = path.file_name().expect("it has a name");
            if path.is_dir() {
                below(&path, &to.join(name), leave);
            } else if !leave(&name.to_string_lossy()) {
                fs::copy(&path, to.join(name)).expect("there is room");
            }
        }
    }
    let folder = tempfile::tempdir().expect("there is room");
    below(&demo(), folder.path(), leave);
    folder
}

/// Everything can be found from `help`, in groups; shells and `man` know the same.
#[test]
fn help_leads_to_everything() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let help = says(
        here,
        &["help"],
        0,
        &["Play:", "Make:", "Check:", "Collect:", "completions", "man "],
    );
    for line in ["  play ", "  new ", "  check ", "  packs "] {
        assert!(help.contains(line), "{help}");
    }
    says(
        here,
        &["check", "--help"],
        0,
        &["Examples:", "--without-media", "--json"],
    );
    says(here, &["completions", "bash"], 0, &["cardwright", "--game"]);
    says(here, &["man"], 0, &[".TH cardwright"]);
    let folder = tempfile::tempdir().expect("there is room");
    says(
        folder.path(),
        &["man", "--output", "pages"],
        0,
        &["pages into pages"],
    );
    assert!(folder.path().join("pages/cardwright-check.1").is_file());
}

/// A command takes the game in whose folder somebody is, and says so; a named one comes first.
#[test]
fn the_game_one_stands_in_is_taken() {
    let game = copy(|_| false);
    let toml = game.path().join("Rules/game.toml");
    let text = fs::read_to_string(&toml).expect("it is there");
    fs::write(&toml, text.replace("name = \"Saltmarsh\"", "name = \"Mudflat\"")).expect("there is room");
    let words = "game: Mudflat, the one whose folder you are in";
    says(game.path(), &["cards", "Crumb"], 0, &[words, "Crumb"]);
    says(
        &game.path().join("Decks"),
        &["deck", "check", "Harbour Lights"],
        0,
        &[words, "a legal deck"],
    );
    let named = demo();
    let named = named.to_str().expect("it is text");
    let text = says(game.path(), &["cards", "--game", named, "Crumb"], 0, &["Crumb"]);
    assert!(!text.contains("Mudflat"), "{text}");
}

/// D72: without rules for cards nobody knows what a deck has to be; unknown is not illegal, and `play` says
/// in one sentence what it lacks.
#[test]
fn without_rules_a_deck_is_not_illegal() {
    let game = copy(|name| name.ends_with(".rules"));
    let deck = game.path().join("Decks/Harbour Lights.o8d");
    let text = fs::read_to_string(&deck).expect("it is there");
    fs::write(&deck, text.replacen("qty=\"3\"", "qty=\"9\"", 1)).expect("there is room");
    says(
        game.path(),
        &["deck", "check", "Harbour Lights"],
        0,
        &["rules are unknown"],
    );
    let play = ["play", "--seat1", "easy", "--seat2", "easy", "--quiet"];
    says(game.path(), &play, 1, &["has no rules for its cards", "--rules"]);
    let toml = game.path().join("Rules/game.toml");
    let text = fs::read_to_string(&toml).expect("it is there");
    fs::write(
        &toml,
        format!("{text}\n[deck]\nsize = {{ min = 40, max = 60 }}\ncopies = 9\n"),
    )
    .expect("there is room");
    says(
        game.path(),
        &["deck", "check", "Harbour Lights"],
        0,
        &["a legal deck"],
    );
}

/// One answer is one JSON document.
#[test]
fn an_answer_is_one_document() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    for args in [
        &["deck", "check", "Harbour Lights", "--json"][..],
        &["deck", "check", "Harbour Lights", "Night School", "--json"],
        &["cards", "Crumb", "--json"],
        &["packs", "open", "Booster", "-n", "3", "--json"],
        &["packs", "list", "--json"],
        &["packs", "odds", "Booster", "--json"],
        &["check", "../../games/saltmarsh", "--json"],
    ] {
        let output = run(here, args);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let read: Result<serde_json::Value, _> = serde_json::from_str(&text);
        assert!(read.is_ok(), "{args:?}: {text}");
    }
}

/// P150, P158: pictures that are kept elsewhere are one finding, and may be passed over.
#[test]
fn media_kept_elsewhere_is_passed_over() {
    let game = copy(|name| name.ends_with(".png"));
    says(
        game.path(),
        &["check", "."],
        1,
        &[
            "PK140",
            "pictures, sounds and fonts are not here",
            "--without-media",
        ],
    );
    let text = says(game.path(), &["check", ".", "--without-media"], 0, &[]);
    assert!(!text.contains("PK140"), "{text}");
}

/// P72, P76: other forms of a card are drawn as well.
#[test]
fn other_forms_are_drawn_into_files() {
    let game = copy(|_| false);
    let sets = fs::read_dir(game.path().join("Sets")).expect("it has sets");
    let set = sets
        .flatten()
        .next()
        .expect("it has a set")
        .path()
        .join("set.xml");
    let text = fs::read_to_string(&set).expect("it is there");
    let form =
        "<alternate name=\"Risen\" type=\"risen\"><property name=\"BP\" value=\"900\" /></alternate></card>";
    fs::write(&set, text.replacen("</card>", form, 1)).expect("there is room");
    says(
        game.path(),
        &["cards", "render", "--output", "out", "name=Crumb"],
        0,
        &["wrote 2 faces into out"],
    );
    // Letters are outlines; the title tells the form, and the drawing is another one.
    let read = |name: &str| fs::read_to_string(game.path().join("out").join(name)).expect("it was written");
    let form = read("7abd72f1-6ace-4a58-98dc-2863810537b0.risen.svg");
    let card = read("7abd72f1-6ace-4a58-98dc-2863810537b0.svg");
    assert!(form.contains("<title>Risen</title>"), "{form}");
    assert_ne!(form.replace("Risen", "Crumb"), card);
}

/// `--color` means the same everywhere; without a terminal nothing is coloured unless somebody wants it.
#[test]
fn colour_is_a_matter_of_every_command() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    for args in [
        &["cards", "Crumb"][..],
        &["check", "../../games/saltmarsh/Rules/nothing.rules"],
        &["deck", "check", "Crumbs"],
        &["eval", "1"],
    ] {
        for (when, _) in [("never", false), ("always", true), ("auto", false)] {
            let mut args = args.to_vec();
            args.extend(["--color", when]);
            let output = run(here, &args);
            assert_ne!(output.status.code(), Some(2), "{args:?}: {}", told(&output));
        }
    }
    let coloured = |when: &str| told(&run(here, &["cards", "Crumb", "--color", when])).contains('\u{1b}');
    assert!(coloured("always") && !coloured("never") && !coloured("auto"));
}

/// The first line says which game it is, whichever it is.
#[test]
fn the_first_line_names_the_game() {
    let here = tempfile::tempdir().expect("there is room");
    let game = demo();
    let named = game.to_str().expect("it is text");
    for (args, words) in [
        (&["cards", "Crumb"][..], "game: Saltmarsh, the demo game"),
        (&["deck", "check"], "game: Saltmarsh, the demo game"),
        (&["packs", "list", "--game", named], "game: Saltmarsh, from “"),
        (
            &["arena", "random", "random", "--pairs", "1", "--game", named],
            "game: Saltmarsh, from “",
        ),
    ] {
        let output = run(here.path(), args);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(text.starts_with(words), "{args:?}: {text}");
    }
    says(
        here.path(),
        &["check"],
        2,
        &["name the folder of a game, or change to one"],
    );
    says(
        here.path(),
        &["export"],
        2,
        &["name the folder of a game, or change to one"],
    );
    let copied = copy(|_| false);
    says(copied.path(), &["check"], 0, &["checked"]);
    says(
        copied.path(),
        &["table", "--json"],
        0,
        &["game: Saltmarsh, the one whose folder you are in"],
    );
}

/// Every command's help is in the imperative, has examples at its foot, tells more where there is more to
/// tell, and names no rule of the specification.
#[test]
fn help_is_in_plain_words() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let commands = says(here, &["help"], 0, &[]);
    let names = commands.lines().filter_map(|line| {
        let name = line.strip_prefix("  ")?.split(' ').next()?;
        (!name.is_empty() && name.chars().all(|letter| letter.is_ascii_lowercase())).then_some(name)
    });
    let is_id = |word: &str| {
        let word = word.trim_matches(|letter: char| !letter.is_ascii_alphanumeric());
        let digits = word.trim_start_matches(['C', 'D', 'F', 'G', 'P', 'R']);
        word.len() == digits.len() + 1 && digits.len() > 1 && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    let mut seen = 0;
    for name in names {
        let text = says(here, &[name, "--help"], 0, &["--color", "Print help"]);
        assert_eq!(
            text.split_whitespace().find(|word| is_id(word)),
            None,
            "{name}: {text}"
        );
        let first = text.split_whitespace().next().unwrap_or_default();
        assert!(!first.ends_with('s'), "{name} is not in the imperative: {first}");
        for third in [
            " Prints ",
            " Writes ",
            " Plays ",
            " Replaces ",
            " Shows ",
            " Takes ",
            " Stops ",
        ] {
            let options = text.split("Options:").nth(1).unwrap_or_default();
            assert!(!options.contains(&format!(" {third}")), "{name}: {third}");
        }
        seen += usize::from(text.contains("Examples:"));
    }
    assert!(seen >= 21, "{seen}");
    says(here, &["cards", "--help"], 0, &["is a regular expression"]);
    says(
        here,
        &["sealed", "--help"],
        0,
        &["Every player opens all the packs"],
    );
    says(here, &["draft", "--help"], 0, &["every seat opens a pack"]);
    says(here, &["new", "--help"], 0, &["whatever you like"]);
    says(here, &["cards", "render", "--help"], 0, &["cutting marks"]);
}
