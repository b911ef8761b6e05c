//! The free table at the command line: its prompt, its record, its choice beside duels.

mod support;

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use support::output;

const DEFINITION: &str = "<game name=\"Orchard\" id=\"7a0a0c9e-0b52-4bd4-9e6f-1a2b3c4d5e6f\" \
    version=\"1.0.0.0\">\n\
    <card width=\"63\" height=\"88\"/>\n\
    <scripts><script src=\"Scripts/fruit.py\"/></scripts>\n\
    <table><cardactions menu=\"Fruit\"><cardaction menu=\"Pick\" execute=\"pick\"/></cardactions>\
    <groupaction menu=\"Wait\" execute=\"nothing\"/></table>\n\
    <player><counter name=\"Luck\" default=\"3\"/>\
    <group name=\"Hand\" visibility=\"me\" ordered=\"False\"/>\n\
    <group name=\"Deck\" visibility=\"none\"/><group name=\"Basket\" visibility=\"all\"/></player>\n\
    <deck><section name=\"Main\" group=\"Deck\"/></deck></game>";

const SET: &str = "<set name=\"First\" id=\"00000000-0000-0000-0002-000000000001\"\n\
    gameId=\"7a0a0c9e-0b52-4bd4-9e6f-1a2b3c4d5e6f\" gameVersion=\"1.0.0.0\" version=\"1.0.0.0\"><cards>\n\
    <card id=\"00000000-0000-0000-0001-000000000001\" name=\"Apple\"/>\
    <card id=\"00000000-0000-0000-0001-000000000002\" name=\"Pear\"/>\n\
    </cards></set>";

const DECK: &str = r#"<deck game="7a0a0c9e-0b52-4bd4-9e6f-1a2b3c4d5e6f"><section name="Main">
<card qty="5" id="00000000-0000-0000-0001-000000000001">Apple</card>
<card qty="5" id="00000000-0000-0000-0001-000000000002">Pear</card></section></deck>"#;

fn orchard() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("there is room");
    let sets = folder.path().join("Sets/00000000-0000-0000-0002-000000000001");
    std::fs::create_dir_all(&sets).expect("there is room");
    std::fs::create_dir_all(folder.path().join("Decks")).expect("there is room");
    let put = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("there is room");
    put("definition.xml", DEFINITION);
    put("Sets/00000000-0000-0000-0002-000000000001/set.xml", SET);
    put("Decks/Fruit.o8d", DECK);
    std::fs::create_dir_all(folder.path().join("Scripts")).expect("there is room");
    put(
        "Scripts/fruit.py",
        "def pick(card, x = 0, y = 0):\n    setGlobalVariable('Picked', '1')\n",
    );
    folder
}

fn text(path: &Path) -> &str {
    path.to_str().expect("paths of tests are text")
}

fn run(input: &str, arguments: &[&str]) -> (i32, String) {
    let output = output(arguments, input.as_bytes());
    let words = [output.stdout, output.stderr].concat();
    (
        output.status.code().expect("no signal ended it"),
        String::from_utf8(words).expect("it prints UTF-8"),
    )
}

/// Scenario 36. F220, F221, F222, D75.
#[test]
fn s36_which_table_is_opened() {
    let orchard = orchard();
    let game = text(orchard.path());
    let (code, out) = run("", &["play", "--plain", "--game", game]);
    assert_eq!(code, 0, "{out}");
    assert!(
        out.starts_with("Orchard: the free table, because the package has no rules"),
        "{out}"
    );
    let (code, out) = run("", &["play", "--plain", "--free"]);
    assert_eq!(code, 0, "{out}");
    assert!(out.contains(": the free table, as you asked"), "{out}");
    let (code, out) = run("", &["play", "--plain", "--rules", "--game", game]);
    assert_eq!(code, 1, "{out}");
    let (code, _) = run("", &["play", "--free", "--lesson"]);
    assert_eq!(code, 2);
    for refused in [
        &["--seats", "9"][..],
        &["--seat2", "easy"],
        &["--rules"],
        &["--plain", "--port", "1"],
    ] {
        let (code, out) = run("", &[&["play", "--free"], refused].concat());
        assert_eq!(code, 2, "{refused:?}: {out}");
    }
    let (code, out) = run(
        "",
        &[
            "play", "--plain", "--quiet", "--seat1", "random", "--seat2", "random",
        ],
    );
    assert_eq!(code, 0, "{out}");
    assert!(!out.contains("free table"), "{out}");
}

/// F8, F30, F36, F38, F125, D74: an evening by lines.
#[test]
fn an_evening_by_lines() {
    let orchard = orchard();
    std::fs::create_dir_all(orchard.path().join("Rules")).expect("there is room");
    let mapping = "[actions.Wait]\nask = { n = \"How many?\" }\n\
        when = \"count(Hand) < 9\"\nverbs = [\"draw {n}\"]\n\
        [actions.Wayt]\nverbs = [\"draw\"]\n";
    std::fs::write(orchard.path().join("Rules/table.toml"), mapping).expect("there is room");
    let script =
        "draw 2\n2: draw 1\ndo Wait n=3\ndo Fruit/Pick on 1\n/roll 2d6\n/rol 1\nview\nfrob\n2: view\nquit\n";
    let arguments = [
        "play",
        "--free",
        "--scripts",
        "off",
        "--plain",
        "--game",
        text(orchard.path()),
        "--deck",
        "Fruit",
        "--deck",
        "Fruit",
        "--seed",
        "1",
    ];
    let (code, out) = run(script, &arguments);
    assert_eq!(code, 0, "{out}");
    for words in [
        "FT002",
        "did you mean `Wait`?",
        "Seat 1 loads a deck “Fruit”: 10 into Deck",
        "Seat 1 shuffles Deck",
        "Seat 1 draws 2 cards: ",
        "Seat 2 draws ",
        "Seat 1 draws 3 cards: ",
        "The table runs no scripts: “Pick” would call pick of ",
        "Scripts/fruit.py.",
        "Seat 1 rolls 2d6: ",
        "No: “/rol” is not understood; did you mean /roll?",
        "Deck (5)",
        "No: “frob” is not understood",
    ] {
        assert!(out.contains(words), "{words} in {out}");
    }
    let (code, listed) = run("", &["table", text(orchard.path()), "--actions"]);
    assert_eq!(code, 1, "the mapping has a mistake: {listed}");
    assert!(
        listed.contains("table · card · Fruit/Pick · runs · its script pick"),
        "{listed}"
    );
    assert!(listed.contains("table · group · Wait · mapped"), "{listed}");
}

/// F34, F63, D74: an entry of several verbs is done as a whole or not at all and taken back at once; what an
/// entry probably means waits for a yes.
#[test]
fn entries_are_done_as_a_whole() {
    let orchard = orchard();
    let rules = orchard.path().join("Rules");
    std::fs::create_dir_all(&rules).expect("there is room");
    let mapping = "[actions.Wait]\nverbs = [\"counter Luck -1\", \"marker table:9 white +1\"]\n\
        [actions.\"Fruit/Pick\"]\nverbs = [\"rotate {cards}\", \"counter Luck +2\"]\n";
    std::fs::write(rules.join("table.toml"), mapping).expect("there is room");
    let script = "do Wait\nview\ncreate Stone\nview\nquit\n";
    let game = text(orchard.path());
    let arguments = [
        "play",
        "--free",
        "--plain",
        "--game",
        game,
        "--seed",
        "1",
        "--scripts",
        "off",
    ];
    let (_, out) = run(script, &arguments);
    assert!(out.contains("No: "), "{out}");
    assert!(out.contains("Seat 1  Luck 3"), "{out}");
    assert!(!out.contains("Luck 2"), "{out}");
    let handle = out
        .lines()
        .find_map(|line| line.trim().strip_prefix('[')?.split(']').next())
        .expect("the stone lies there")
        .to_owned();
    let script = format!("create Stone\ndo Fruit/Pick on {handle}\nview\nundo\nview\nquit\n");
    let (code, out) = run(&script, &arguments);
    assert_eq!(code, 0, "{out}");
    let places: Vec<usize> = ["90°", "Luck 5", "takes back: step 2", "Seat 1  Luck 3"]
        .iter()
        .map(|words| out.find(words).unwrap_or_else(|| panic!("{words} in {out}")))
        .collect();
    assert!(places.is_sorted(), "{out}");

    std::fs::remove_file(rules.join("table.toml")).expect("it is there");
    let likely = "def pick(card, x = 0, y = 0):\n    if confirm('?'):\n        card.highlight = choice()\n";
    std::fs::write(orchard.path().join("Scripts/fruit.py"), likely).expect("there is room");
    let script = format!(
        "yes\ncreate Stone\ndo Fruit/Pick on {handle}\nyes\n\
         2: yes colour=#102030\nyes colour=#102030\nyes\nquit\n"
    );
    let (code, out) = run(&script, &arguments);
    assert_eq!(code, 0, "{out}");
    for words in [
        "No: nothing waits for a yes",
        &format!("Probably: highlight {handle} <colour>. To do it: yes colour=…"),
        "No: still open: colour",
        "No: that waits for Seat 1",
    ] {
        assert!(out.contains(words), "{words} in {out}");
    }
    assert_eq!(out.matches("nothing waits for a yes").count(), 2, "{out}");
}

/// S171, S176, S196: an entry runs its script at the prompt and from the shell; what it asks is answered,
/// what fails is said.
#[test]
fn entries_run_their_scripts() {
    let orchard = orchard();
    let script = "def pick(card, x = 0, y = 0):\n\
                  \x20   if confirm('Pick it?'):\n\
                  \x20       notify('{} is picked'.format(card))\n\n\
                  def nothing(group, x = 0, y = 0):\n\
                  \x20   return group.nothing\n";
    std::fs::write(orchard.path().join("Scripts/fruit.py"), script).expect("there is room");
    let game = text(orchard.path());
    let arguments = ["play", "--free", "--plain", "--game", game, "--seed", "1"];
    let (_, out) = run("create Apple\nview\n", &arguments);
    let apple = out
        .lines()
        .find_map(|line| line.trim().strip_prefix('[')?.split(']').next())
        .expect("the apple lies there");
    let lines = format!("create Apple\ndo Fruit/Pick on {apple}\nreply 1 yes\ndo Wait\nquit\n");
    let (code, out) = run(&lines, &arguments);
    assert_eq!(code, 0, "{out}");
    for words in [
        "Pick asks: Pick it?",
        "To answer: reply 1 yes|no|closed",
        "Apple is picked",
        "Wait failed: AttributeError",
        "Scripts/fruit.py, line 6, in nothing",
    ] {
        assert!(out.contains(words), "{words} in {out}");
    }
    let (code, out) = run(
        "",
        &[
            "table",
            "run",
            game,
            "Fruit/Pick",
            "--cards",
            "Pear",
            "--answer",
            "yes",
        ],
    );
    assert_eq!(code, 0, "{out}");
    assert!(out.contains("Pear is picked"), "{out}");
    let (code, out) = run("", &["table", "run", game, "Wait"]);
    assert_eq!(code, 1, "{out}");
    // The last part of an entry's path is enough where only one has it.
    let arguments = ["table", "run", game, "pick", "--cards", "Pear", "--answer", "yes"];
    let (code, out) = run("", &arguments);
    assert_eq!(code, 0, "{out}");
    assert!(out.contains("Pear is picked"), "{out}");
    let (code, out) = run("", &["table", "run", game, "Fruit/Pick", "--cards", "Pear"]);
    assert_eq!(code, 1, "an answer is missing: {out}");
}

/// F223: records say which kind they are; `replay` takes both, what asks about rules refuses free ones.
/// F204: a package whose files go while the table is up leaves names.
#[test]
fn records_of_free_tables_are_told_apart() {
    let orchard = orchard();
    let game = text(orchard.path());
    let record = orchard.path().join("evening.record");
    let arguments = [
        "play",
        "--free",
        "--plain",
        "--game",
        game,
        "--deck",
        "Fruit",
        "--record",
        text(&record),
    ];
    let (code, out) = run("draw 2\nroll 1d6\nundo\nquit\n", &arguments);
    assert_eq!(code, 0, "{out}");
    let (code, out) = run("", &["replay", text(&record), "--game", game]);
    assert_eq!(
        (code, out.starts_with("3 steps of a free table verified, state ")),
        (0, true),
        "{out}"
    );
    for refused in [
        &["duel", "trace", text(&record)][..],
        &["replay", text(&record)],
        &["replay", text(&record), "--game", game, "--json"],
    ] {
        let (code, out) = run("", refused);
        assert_eq!(code, 1, "{refused:?}: {out}");
        assert!(out.contains("the record of a free table"), "{out}");
    }

    let mut child = Command::new(env!("CARGO_BIN_EXE_cardwright"))
        .args([
            "play", "--free", "--plain", "--game", game, "--deck", "Fruit", "--seed", "1",
        ])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program is there");
    let mut input = child.stdin.take().expect("it is piped");
    let mut lines = std::io::BufReader::new(child.stdout.take().expect("it is piped"));
    let mut first = String::new();
    std::io::BufRead::read_line(&mut lines, &mut first).expect("it says what it opens");
    input.write_all(b"draw 2\n").expect("it reads");
    // Until the hand is drawn the package is there; then its files go.
    while !first.contains("draws 2 cards") {
        assert!(
            std::io::BufRead::read_line(&mut lines, &mut first).expect("it speaks") > 0,
            "{first}"
        );
    }
    std::fs::remove_dir_all(orchard.path()).expect("it was there");
    input.write_all(b"draw 8\nview\nquit\n").expect("it reads");
    drop(input);
    let mut rest = String::new();
    std::io::Read::read_to_string(&mut lines, &mut rest).expect("it speaks");
    assert!(child.wait().expect("it ends").success());
    assert!(
        rest.contains("Apple") && rest.contains("Pear") && rest.contains("Hand (10)"),
        "{rest}"
    );
}

/// F40, D74: whatever was accepted is in the record, even if the program is killed; the game goes on from
/// there.
#[test]
fn a_killed_prompt_loses_nothing() {
    let orchard = orchard();
    let record = orchard.path().join("evening.record");
    let mut child = Command::new(env!("CARGO_BIN_EXE_cardwright"))
        .args(["play", "--free", "--plain", "--game", text(orchard.path())])
        .args(["--deck", "Fruit", "--seed", "4", "--record", text(&record)])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program runs");
    let mut input = child.stdin.take().expect("it listens");
    let mut shown = std::io::BufReader::new(child.stdout.take().expect("it speaks"));
    let mut accepted = 0;
    for line in ["draw 2", "roll 1d6", "counter Luck +1", "shuffle Deck", "draw 1"] {
        writeln!(input, "{line}").expect("it listens");
        // Each line's answer is read before the next is given: it was accepted.
        let mut answer = String::new();
        while !answer.starts_with("Seat 1 ")
            || answer.contains(" loads ")
            || (answer.contains("shuffles") && line != "shuffle Deck")
        {
            answer.clear();
            assert_ne!(
                std::io::BufRead::read_line(&mut shown, &mut answer).expect("it speaks"),
                0,
                "{line}"
            );
        }
        accepted += 1;
    }
    child.kill().expect("it can be killed");
    child.wait().expect("it ends");
    let written = std::fs::read_to_string(&record).expect("it was written");
    let steps = written.split("---\n").nth(1).expect("a record").lines().count();
    assert_eq!(steps, accepted + 1, "the deck and five lines: {written}");
    // A half line of a program that was killed while writing is no step.
    std::fs::write(&record, format!("{written}1 draw 1/De")).expect("there is room");
    let (code, out) = run(
        "view\n",
        &[
            "play",
            "--free",
            "--plain",
            "--game",
            text(orchard.path()),
            "--resume",
            text(&record),
        ],
    );
    assert_eq!(code, 0, "{out}");
    assert!(out.contains("Hand (3)") && out.contains("Luck 4"), "{out}");
    assert_eq!(std::fs::read_to_string(&record).expect("a record"), written);
}

/// F40, D74: a record that is there is not written over, and only one program at a time goes on with it.
#[test]
fn a_record_is_written_by_one_program_once() {
    let orchard = orchard();
    let record = orchard.path().join("evening.record");
    let game = text(orchard.path());
    let begins = [
        "play",
        "--free",
        "--plain",
        "--game",
        game,
        "--record",
        text(&record),
    ];
    let (code, out) = run("roll 1d6\n", &begins);
    assert_eq!(code, 0, "{out}");
    let written = std::fs::read(&record).expect("it was written");
    for others in [
        &begins[..],
        &["play", "--seat1", "random", "--quiet", "--record", text(&record)],
    ] {
        let (code, out) = run("", others);
        assert_eq!(code, 1, "{out}");
        assert!(out.contains("is not overwritten; name another file"), "{out}");
    }
    assert!(run("", &begins).1.contains("`--resume` goes on with it"));
    assert_eq!(std::fs::read(&record).expect("a record"), written);

    let goes_on = [
        "play",
        "--free",
        "--plain",
        "--game",
        game,
        "--resume",
        text(&record),
    ];
    let mut child = Command::new(env!("CARGO_BIN_EXE_cardwright"))
        .args(goes_on)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program runs");
    let mut input = child.stdin.take().expect("it listens");
    let mut shown = std::io::BufReader::new(child.stdout.take().expect("it speaks"));
    writeln!(input, "roll 1d6").expect("it listens");
    let mut answer = String::new();
    while !answer.contains("rolls") {
        let read = std::io::BufRead::read_line(&mut shown, &mut answer).expect("it speaks");
        assert!(read > 0, "{answer}");
    }
    let (code, out) = run("roll 1d6\n", &goes_on);
    assert_eq!(code, 1, "{out}");
    assert!(out.contains("is being written by another Cardwright"), "{out}");
    writeln!(input, "quit").expect("it listens");
    assert!(child.wait().expect("it ends").success());
    let (code, out) = run("roll 1d6\n", &goes_on);
    assert_eq!(code, 0, "{out}");
    let (code, out) = run("", &["replay", text(&record), "--game", game]);
    assert_eq!(code, 0, "{out}");
    assert!(out.starts_with("3 steps"), "{out}");
}

/// F210: a deck is loaded by its name under either word; a list without cards is none.
#[test]
fn a_deck_without_cards_is_refused() {
    let orchard = orchard();
    let arguments = ["play", "--free", "--plain", "--game", text(orchard.path())];
    let (code, out) = run("load Fruit\nload Froot\nbuild Fruit\n", &arguments);
    assert_eq!(code, 0, "{out}");
    for words in [
        "loads a deck “Fruit”: 10 into Deck",
        "No: there is no deck “Froot”; did you mean “Fruit”?",
        "No: there are no cards in the deck “Fruit”; `deck NAME` loads a deck",
    ] {
        assert!(out.contains(words), "{words} in {out}");
    }
}

/// D74: `check` and `table --actions` fail on a faulty mapping, `explain` knows its codes; a `Rules` folder
/// that holds nothing else is no lost rules.
#[test]
fn a_mapping_is_checked() {
    let orchard = orchard();
    let rules = orchard.path().join("Rules");
    std::fs::create_dir_all(&rules).expect("there is room");
    let game = text(orchard.path());
    let file = rules.join("table.toml");
    let check = |mapping: &[u8]| {
        std::fs::write(&file, mapping).expect("there is room");
        run("", &["check", "--format", "short", game])
    };
    let (_, clean) = check(b"[actions.Wait]\nverbs = [\"draw\"]\n");
    assert!(!clean.contains("FT0") && !clean.contains("CW009"), "{clean}");
    let (code, out) = check(b"[actions.Wait]\nverbs = [\"drow\"]\n");
    assert_eq!(code, 1, "{out}");
    assert!(
        out.contains("table.toml:2:") && out.contains("error[FT003]"),
        "{out}"
    );
    let (code, out) = run("", &["table", game, "--actions"]);
    assert_eq!(code, 1, "{out}");
    let (code, out) = check(&[0xff, 0xfe, 0x00]);
    assert_eq!(code, 1, "{out}");
    assert!(out.contains("error[FT001]: the file is not UTF-8 text"), "{out}");
    for code in ["FT001", "FT002", "FT003", "FT004", "FT005"] {
        let (exit, out) = run("", &["explain", code]);
        assert_eq!(exit, 0, "{out}");
        assert!(out.starts_with(&format!("# {code}: ")), "{out}");
    }
}

/// F33, D74: what an entry was chosen on and asks for is never guessed.
#[test]
fn entries_say_what_they_need() {
    let orchard = orchard();
    let rules = orchard.path().join("Rules");
    std::fs::create_dir_all(&rules).expect("there is room");
    let mapping = "[actions.Wait]\nask = { n = \"How many?\" }\nverbs = [\"draw {pile} {n}\"]\n\
        [actions.\"Fruit/Pick\"]\nverbs = [\"rotate {cards}\"]\n";
    std::fs::write(rules.join("table.toml"), mapping).expect("there is room");
    let script = "do Wait on Deck\ndo Wait n=1\ndo Wait on Deck m=2 n=1\n\
                  do Fruit/Pick\ndo Fruit/Pick n=1\ndo Wait on Deck n=2\n";
    let game = text(orchard.path());
    let (code, out) = run(
        script,
        &["play", "--plain", "--free", "--game", game, "--deck", "Fruit"],
    );
    assert_eq!(code, 0, "{out}");
    for words in [
        "No: How many? Say n=2, for example",
        "No: say on which pile, with “on …” after the entry",
        "No: “m” is not understood; the entry asks for n",
        "No: say on which cards, with “on …” after the entry",
        "No: “n” is not understood; the entry asks for nothing",
        "Seat 1 draws 2 cards",
    ] {
        assert!(out.contains(words), "{words} in {out}");
    }
}

/// F53, F109, F132, F159: `view` shows notes and marks, and what spectators see; one proposal a minute.
#[test]
fn a_view_shows_all_marks() {
    let orchard = orchard();
    let game = text(orchard.path());
    let arguments = [
        "play", "--free", "--plain", "--game", game, "--deck", "Fruit", "--seed", "1",
    ];
    let (_, out) = run("create Stone\nview\n", &arguments);
    let stone = out
        .lines()
        .find_map(|line| line.trim().strip_prefix('[')?.split(']').next())
        .expect("the stone lies there")
        .to_owned();
    let script = format!(
        "create Stone\nnote 10,20 Our rule\nnote 0,0 private mine\n\
         cardnote {stone} heavy\nhighlight {stone} #102030\n\
         lock {stone}\nanchor {stone}\ntarget {stone}\ndraw 1\nview\nVIEW spectator\nview 2\n\
         propose 1\n2: answer 1 no\npropose 1\nquit now\nQUIT\nroll 1d6\n"
    );
    let (code, out) = run(&script, &arguments);
    assert_eq!(code, 0, "{out}");
    for words in [
        "of Seat 1 at 10,20: “Our rule”",
        "at 0,0, for you alone: “mine”",
        "highlighted #102030, target of Seat 1, locked, anchored, “heavy”",
        "No: “2” has no view here",
        "No: only one proposal a minute: wait ",
        "No: `quit` stands alone",
    ] {
        assert!(out.contains(words), "{words} in {out}");
    }
    assert_eq!(out.matches("“mine”").count(), 2, "written and seen once: {out}");
    assert!(!out.contains("rolls"), "{out}");
}

/// F212, F220, F222: decks by `--deck` for duels, too; what does not fit is a wrong command line, with the
/// names.
#[test]
fn the_command_line_names_what_there_is() {
    let orchard = orchard();
    let game = text(orchard.path());
    let free = ["play", "--free", "--plain", "--game", game];
    for (more, words) in [
        (
            &["--deck", "Zzzzzz"][..],
            "there is no deck “Zzzzzz”; the package has “Fruit”",
        ),
        (&["--mode", "Foo"], "the package has none, leave --mode out"),
        (&["--resume", "x", "--rights", "open"], "cannot be used with"),
        (&["--resume", "x", "--one-sided"], "cannot be used with"),
    ] {
        let (code, out) = run("", &[&free[..], more].concat());
        assert_eq!(code, 2, "{out}");
        assert!(out.contains(words), "{words} in {out}");
    }
    let (code, out) = run(
        "",
        &[
            "play",
            "--plain",
            "--deck",
            "Night School",
            "--seat1",
            "random",
            "--seed",
            "1",
        ],
    );
    assert_eq!(code, 0, "{out}");
    assert!(
        out.contains("“Night School” against") && !out.contains("free table"),
        "{out}"
    );
    let (code, _) = run(
        "",
        &[
            "play",
            "--plain",
            "--deck",
            "Night School",
            "--deck1",
            "Night School",
        ],
    );
    assert_eq!(code, 2);

    let other = DECK.replace("7a0a0c9e", "11111111");
    std::fs::write(orchard.path().join("Decks/Strange.o8d"), other).expect("there is room");
    let (_, out) = run("deck Strange\n", &free);
    assert!(
        out.contains("“Strange” says that it belongs to another game than “Orchard”"),
        "{out}"
    );

    let record = orchard.path().join("torn.record");
    let (code, out) = run("roll 1d6\n", &[&free[..], &["--record", text(&record)]].concat());
    assert_eq!(code, 0, "{out}");
    let written = std::fs::read_to_string(&record).expect("a record");
    std::fs::write(&record, format!("{written}1 roll 1d")).expect("there is room");
    let (code, out) = run("", &["replay", text(&record), "--game", game]);
    assert_eq!(code, 0, "{out}");
    assert!(out.contains("the last line is incomplete"), "{out}");
}

/// The prompt's help names every line that can be written there.
#[test]
fn the_prompt_lists_every_verb() {
    let orchard = orchard();
    let (_, out) = run(
        "help\nquit\n",
        &["play", "--free", "--plain", "--game", text(orchard.path())],
    );
    let listed: Vec<&str> = out
        .lines()
        .filter_map(|line| line.split_whitespace().find(|word| *word != ">"))
        .collect();
    for (word, ..) in cw_table::VERBS {
        assert!(listed.contains(word), "{word}");
    }
}

/// Scenarios of the free table: text, JSON and JUnit, exit codes, faults with their place, and what is filled
/// in.
#[test]
fn authors_test_their_scripts() {
    let packages = Path::new(env!("CARGO_MANIFEST_DIR")).join("../cw-table/tests/packages");
    let out = output(
        &[
            "test",
            packages.join("lanterns-tests").to_str().expect("a plain path"),
        ],
        b"",
    );
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    assert!(
        out.status.success() && text.contains("7 scenarios in 1 file: 7 passed, 0 failed."),
        "{text}"
    );

    let folder = orchard();
    std::fs::create_dir_all(folder.path().join("tests")).expect("there is room");
    let file = folder.path().join("tests/fruit.toml");
    let path = file.to_str().expect("a plain path");
    let scenarios = "table = \"..\"\n\n[[scenario]]\nname = \"picking is remembered\"\ntable = [\"Pear\"]\n\
                     steps = [\n  { run = \"Pick\", on = \"Pear\", expect.variables.Picked = 2 },\n]\n";
    std::fs::write(&file, scenarios).expect("there is room");
    let out = output(&["test", path], b"");
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    assert_eq!(out.status.code(), Some(1), "{text}");
    assert!(
        text.contains("fruit.toml:3 picking is remembered") && text.contains("step 1 (line 7)"),
        "{text}"
    );
    assert!(
        text.contains("- expected  2") && text.contains("+ actual    1"),
        "{text}"
    );
    let out = output(&["test", "--json", path], b"");
    let json: serde_json::Value = serde_json::from_slice(&out.stdout).expect("it is JSON");
    assert_eq!(
        (&json["failed"], out.status.code()),
        (&serde_json::json!(1), Some(1))
    );
    assert_eq!(json["scenarios"][0]["line"], 3);
    let out = output(&["test", "--format", "junit", path], b"");
    assert!(String::from_utf8_lossy(&out.stdout).contains("failures=\"1\""));
    let out = output(&["test", "--bless", path], b"");
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let filled = std::fs::read_to_string(&file).expect("it is there");
    assert!(filled.contains("expect.variables.Picked = \"1\""), "{filled}");
    assert!(output(&["test", path], b"").status.success());

    std::fs::write(&file, scenarios.replace("Pear", "Paer")).expect("there is room");
    let out = output(&["test", path], b"");
    let text = String::from_utf8_lossy(&out.stdout).into_owned() + &String::from_utf8_lossy(&out.stderr);
    assert!(
        text.contains("no card is called “Paer”") && text.contains("did you mean “Pear”?"),
        "{text}"
    );
    std::fs::write(&file, scenarios.replace("\"..\"", "\"../nowhere\"")).expect("there is room");
    let out = output(&["test", path], b"");
    let text = String::from_utf8_lossy(&out.stderr).into_owned();
    assert!(
        !out.status.success() && text.contains("cannot be opened"),
        "{text}"
    );
    // Played with everything shown.
    std::fs::write(&file, scenarios).expect("there is room");
    let out = output(&["scenario", "run", path], b"");
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    assert!(
        text.contains("Seat 1: run “Pick”") && text.contains("FAILED"),
        "{text}"
    );
}
