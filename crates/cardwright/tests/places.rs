//! Where games and decks are found, and that files with a byte-order mark are mended.

mod support;

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn run(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let done: Output = Command::new(env!("CARGO_BIN_EXE_cardwright"))
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .expect("the program starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (
        done.status.code().unwrap_or(-1),
        text(&done.stdout),
        text(&done.stderr),
    )
}

fn game(folder: &Path, path: &str) {
    let (code, _, told) = run(folder, &["new", path, "--seed", "1"]);
    assert_eq!(code, 0, "{told}");
}

/// Commands that take a game, with what they need.
const COMMANDS: &[&[&str]] = &[
    &["cards", "Captain", "--game"],
    &["deck", "check", "Starter", "--game"],
    &["packs", "list", "--game"],
    &[
        "play", "--plain", "--quiet", "--seat1", "random", "--seat2", "random", "--game",
    ],
    &["sim", "--players", "random", "--pairs", "1", "--game"],
    &["scenario", "new", "Captain", "--game"],
    &["sealed", "2:Booster", "--game"],
    &["table", "--actions"],
    &["check"],
    &["export", "-o", "out.o8g", "--force"],
];

/// Most repositories have their game in a folder beside other things.
#[test]
fn every_command_finds_a_game_in_a_folder_below() {
    let folder = tempfile::tempdir().unwrap();
    game(folder.path(), "repository/src/Harbour");
    fs::write(folder.path().join("repository/README.md"), "a game").unwrap();
    for path in [
        "repository",
        "repository/src/Harbour/definition.xml",
        "repository/src/Harbour/Sets",
    ] {
        for command in COMMANDS {
            let mut arguments = command.to_vec();
            arguments.push(path);
            let (code, _, told) = run(folder.path(), &arguments);
            assert_eq!(code, 0, "{arguments:?}: {told}");
            if told.starts_with("game: ") {
                let which = "game: Harbour, from “repository/src/Harbour”";
                assert!(told.starts_with(which), "{arguments:?}: {told}");
            }
        }
    }
}

/// Where there are several, they are named; where there is none, no empty game is made of the folder.
#[test]
fn several_games_are_asked_about_and_none_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    game(folder.path(), "two/Harbour");
    game(folder.path(), "two/Lagoon");
    fs::create_dir_all(folder.path().join("none/Sets")).unwrap();
    for command in COMMANDS.iter().filter(|command| command[0] != "check") {
        let mut several = command.to_vec();
        several.push("two");
        let (code, _, told) = run(folder.path(), &several);
        assert_eq!(code, 1, "{several:?}: {told}");
        for words in ["holds 2 games", "“two/Harbour”", "“two/Lagoon”"] {
            assert!(told.contains(words), "{several:?}: {told}");
        }
        let mut none = command.to_vec();
        none.push("none");
        let (code, _, told) = run(folder.path(), &none);
        assert_eq!(code, 1, "{none:?}: {told}");
        assert!(told.contains("holds no definition.xml"), "{none:?}: {told}");
    }
}

/// As `cargo new` and `uv init` do: the last part of the path is the name.
#[test]
fn a_new_game_may_lie_deep() {
    let folder = tempfile::tempdir().unwrap();
    game(folder.path(), "games/cards/Harbour");
    let definition = fs::read_to_string(folder.path().join("games/cards/Harbour/definition.xml")).unwrap();
    assert!(definition.contains("name=\"Harbour\""), "{definition}");
    let (code, _, told) = run(folder.path(), &["new", "games/a:b"]);
    assert_eq!(code, 1);
    assert!(
        told.contains("“a:b” cannot be the name of a game") && told.contains("--path"),
        "{told}"
    );
}

/// Decks go by their names, with `.o8d` or without; where two have one name, by their paths.
#[test]
fn decks_of_one_name_are_told_apart_by_their_paths() {
    let folder = tempfile::tempdir().unwrap();
    game(folder.path(), "Harbour");
    let harbour = folder.path().join("Harbour");
    let show = |deck: &str| run(&harbour, &["deck", "check", deck]);
    for name in ["Starter", "starter", "Starter.o8d", "Decks/Starter.o8d"] {
        assert_eq!(show(name).0, 0, "{name}: {}", show(name).2);
    }
    fs::create_dir(harbour.join("Decks/Old")).unwrap();
    fs::copy(
        harbour.join("Decks/Starter.o8d"),
        harbour.join("Decks/Old/Starter.o8d"),
    )
    .unwrap();
    let (code, _, told) = run(folder.path(), &["deck", "check", "Starter", "--game", "Harbour"]);
    assert_eq!(code, 1, "{told}");
    for words in [
        "2 decks are called “Starter”",
        "“Decks/Old/Starter.o8d”",
        "“Decks/Starter.o8d”",
    ] {
        assert!(told.contains(words), "{told}");
    }
    // All of the game's decks need no names.
    let (code, out, told) = run(folder.path(), &["deck", "check", "--game", "Harbour"]);
    assert_eq!(code, 0, "{told}");
    for line in [
        "Decks/Old/Starter.o8d: a legal deck",
        "Decks/Starter.o8d: a legal deck",
    ] {
        assert!(out.lines().any(|found| found == line), "{out}");
    }
    for name in ["Old/Starter", "Decks/Old/Starter.o8d"] {
        let (code, _, told) = run(folder.path(), &["deck", "check", name, "--game", "Harbour"]);
        assert_eq!(code, 0, "{name}: {told}");
    }
}

/// Files with a byte-order mark are mended like others (P3), and keep it.
#[test]
fn a_file_with_a_byte_order_mark_is_mended() {
    let utf8 = |text: &str| [b"\xef\xbb\xbf", text.as_bytes()].concat();
    let utf16 = |text: &str| -> Vec<u8> {
        let units = text.encode_utf16().flat_map(u16::to_le_bytes);
        b"\xff\xfe".iter().copied().chain(units).collect()
    };
    for (what, encode) in [("UTF-8", &utf8 as &dyn Fn(&str) -> Vec<u8>), ("UTF-16", &utf16)] {
        let folder = tempfile::tempdir().unwrap();
        game(folder.path(), "Harbour");
        let path = folder.path().join("Harbour/Decks/Starter.o8d");
        let text = fs::read_to_string(&path).unwrap();
        let text = match what {
            "UTF-16" => text.replace("encoding=\"utf-8\"", "encoding=\"utf-16\""),
            _ => text,
        };
        let id = text.split("id=\"").nth(1).unwrap()[..36].to_owned();
        // Another spelling of an id is mended where fixes may be bold.
        let odd = text.replacen(&id, &format!("{{{id}}}"), 1);
        fs::write(&path, encode(&odd)).unwrap();
        let (_, _, told) = run(folder.path(), &["check", "Harbour", "--unsafe-fixes"]);
        assert!(!told.contains("changed in the meantime"), "{what}: {told}");
        let mended = fs::read(&path).unwrap();
        assert_eq!(mended, encode(&text), "{what}: {told}");
    }
}

/// Where nothing says what a legal deck is (D72), nobody calls one legal; changes that are not saved are no
/// success.
#[test]
fn the_line_editor_says_what_deck_check_says() {
    let folder = tempfile::tempdir().unwrap();
    let package = folder.path().join("plain");
    fs::create_dir_all(package.join("Sets/11111111-1111-4111-8111-111111111111")).unwrap();
    let definition = "<game name=\"Plain\" id=\"22222222-2222-4222-8222-222222222222\" version=\"1.0.0.0\" \
                      octgnVersion=\"3.4.0.0\"><card><property name=\"Cost\" type=\"Integer\"/></card>\
                      <deck><section name=\"Main\" group=\"Deck\"/></deck></game>";
    fs::write(package.join("definition.xml"), definition).unwrap();
    let set = "<set name=\"One\" id=\"11111111-1111-4111-8111-111111111111\" \
               gameId=\"22222222-2222-4222-8222-222222222222\" version=\"1.0.0.0\" gameVersion=\"1.0.0.0\">\
               <cards><card name=\"Rook\" id=\"33333333-3333-4333-8333-333333333333\"/></cards></set>";
    fs::write(
        package.join("Sets/11111111-1111-4111-8111-111111111111/set.xml"),
        set,
    )
    .unwrap();
    let file = package.join("mine.o8d").display().to_string();
    let game = package.display().to_string();
    let edit = |input: &str| {
        support::output(
            &["deck", "edit", &file, "--plain", "--game", &game],
            input.as_bytes(),
        )
    };
    let unsaved = edit("add 2 Rook\n");
    assert_eq!(unsaved.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&unsaved.stderr).contains("the changes are not saved"));
    let saved = edit("add 2 Rook\nsave\n");
    let told = String::from_utf8_lossy(&saved.stdout);
    assert_eq!(saved.status.code(), Some(0), "{told}");
    assert!(!told.contains("a legal deck"), "{told}");
    let (_, checked, _) = run(folder.path(), &["deck", "check", &file, "--game", &game]);
    let words = checked.trim();
    assert!(
        !words.is_empty() && told.contains(words),
        "`{words}` is not in {told}"
    );
    assert_eq!(edit("remove 1 Rook\nquit\nquit\n").status.code(), Some(0));
}

/// P227: what a deck has beside its cards, and what the game does not know of it, stays when it is edited.
#[test]
fn editing_a_deck_keeps_what_it_does_not_understand() {
    let folder = tempfile::tempdir().unwrap();
    game(folder.path(), "Harbour");
    let path = folder.path().join("Harbour/Decks/Starter.o8d");
    let text = fs::read_to_string(&path).unwrap();
    let first = text.split("<card ").nth(1).unwrap();
    let name = first.split(['>', '<']).nth(1).unwrap().to_owned();
    let extra = "<card qty=\"2\" id=\"0a000000-0000-4000-8000-00000000000a\" \
                 foil=\"yes\">Nobody</card> <!-- lost -->";
    let text = text
        .replacen("<card ", &format!("{extra}\n    <card "), 1)
        .replace(
            "</deck>",
            "<section name=\"Attic\">\
             <card qty=\"1\" id=\"0a000000-0000-4000-8000-00000000000b\">Old</card></section>\
             <stats wins=\"3\"/><notes><![CDATA[Play fast.]]></notes><sleeve>octgn:plain:</sleeve></deck>",
        );
    let utf16 = |text: &str| -> Vec<u8> {
        let units = "\u{feff}".encode_utf16().chain(text.encode_utf16());
        units.flat_map(u16::to_le_bytes).collect()
    };
    let plain = |text: &str| text.as_bytes().to_vec();
    let file = path.display().to_string();
    let edit = |input: &str| {
        let game = folder.path().join("Harbour").display().to_string();
        let arguments = ["deck", "edit", &file, "--plain", "--game", &game];
        let done = support::output(&arguments, input.as_bytes());
        let told = String::from_utf8_lossy(&done.stdout).into_owned();
        assert_eq!(
            done.status.code(),
            Some(0),
            "{told}{}",
            String::from_utf8_lossy(&done.stderr)
        );
        told
    };
    for encode in [&plain as &dyn Fn(&str) -> Vec<u8>, &utf16] {
        let text = match encode(&text) == plain(&text) {
            true => text.clone(),
            false => text.replace("encoding=\"utf-8\"", "encoding=\"utf-16\""),
        };
        fs::write(&path, encode(&text)).unwrap();
        let told = edit(&format!(
            "add 1 {name}\nundo\nadd 1 {name}\nremove 1 {name}\nsave\nquit\n"
        ));
        assert!(
            told.contains("2 lines of cards or sections that the game does not have"),
            "{told}"
        );
        assert!(fs::read(&path).unwrap() == encode(&text), "the file changed");
        // Unknown lines leave where they are asked to, and nothing else does.
        edit("remove Nobody\nsave\nquit\n");
        let without = text.replacen(&extra.replace(" <!-- lost -->", ""), "", 1);
        assert!(
            fs::read(&path).unwrap() == encode(&without),
            "more than the line changed"
        );
    }
}

/// F210, P142: every command that takes a deck takes a list of cards; names are read as people write them.
#[test]
fn a_list_of_cards_is_a_deck() {
    let folder = tempfile::tempdir().unwrap();
    game(folder.path(), "Harbour");
    let here = folder.path();
    let (code, text, told) = run(here, &["deck", "show", "Starter", "--text", "--game", "Harbour"]);
    assert_eq!(code, 0, "{told}");
    let pasted = text.lines().map(|line| match line.split_once("x ") {
        Some((count, name)) => format!("{} x{count} // ok\n", name.to_uppercase()),
        None => format!("{line}\n"),
    });
    fs::write(here.join("export.txt"), &text).unwrap();
    fs::write(
        here.join("pasted.txt"),
        format!("// mine\n{}", pasted.collect::<String>()),
    )
    .unwrap();
    let (_, list, _) = run(here, &["deck", "show", "Starter", "--json", "--game", "Harbour"]);
    let sections = |text: &str| {
        let deck: serde_json::Value = serde_json::from_str(text).unwrap();
        deck["sections"].clone()
    };
    for file in ["export.txt", "pasted.txt"] {
        let (code, read, told) = run(here, &["deck", "show", file, "--json", "--game", "Harbour"]);
        assert_eq!(code, 0, "{file}: {told}");
        assert_eq!(sections(&read), sections(&list), "{file}");
        for command in [
            &["deck", "check", file, "--game", "Harbour"][..],
            &["deck", "stats", file, "--game", "Harbour"],
            &[
                "deck", "new", "made.o8d", "--from", file, "--force", "--game", "Harbour",
            ],
            &[
                "sim",
                "--players",
                "random",
                "--pairs",
                "1",
                "--deck",
                file,
                "--deck",
                "Starter",
                "--game",
                "Harbour",
            ],
            &[
                "play", "--plain", "--quiet", "--seat1", "random", "--seat2", "random", "--deck1", file,
                "--game", "Harbour",
            ],
        ] {
            let (code, _, told) = run(here, command);
            assert_eq!(code, 0, "{command:?}: {told}");
        }
    }
    fs::write(here.join("wrong.txt"), "3 Nobody at all\n0 Captain\n").unwrap();
    let (code, shown, told) = run(here, &["deck", "check", "wrong.txt", "--game", "Harbour"]);
    assert_eq!(code, 1, "{shown}{told}");
    assert!(shown.contains("PK121") || told.contains("PK121"), "{shown}{told}");

    // Edited, it becomes a deck beside the list, which stays.
    let pasted = here.join("pasted.txt").display().to_string();
    let game = here.join("Harbour").display().to_string();
    let arguments = ["deck", "edit", &pasted, "--plain", "--game", &game];
    let done = support::output(&arguments, b"save\nquit\n");
    assert_eq!(done.status.code(), Some(0));
    assert!(
        fs::read_to_string(here.join("pasted.txt"))
            .unwrap()
            .starts_with("// mine")
    );
    let (_, read, _) = run(
        here,
        &["deck", "show", "pasted.o8d", "--json", "--game", "Harbour"],
    );
    assert_eq!(sections(&read), sections(&list));
}

/// A folder of scenarios is read as a package is: settings are no scenarios, a link to a file beside is
/// followed, a link that leads out or in a circle is told, and nothing behind it is read.
#[cfg(unix)]
#[test]
fn a_folder_of_scenarios_is_read_within() {
    use std::os::unix::fs::symlink;
    let folder = tempfile::tempdir().expect("a folder can be made");
    game(folder.path(), "Harbour");
    let harbour = folder.path().join("Harbour");
    let (code, scenario, told) = run(
        folder.path(),
        &["scenario", "new", "Captain", "--game", "Harbour"],
    );
    assert_eq!(code, 0, "{told}");
    fs::create_dir(harbour.join("tests")).expect("it can be made");
    let scenario = scenario.replace("game = \"Harbour\"", "game = \"..\"");
    fs::write(harbour.join("tests/one.toml"), scenario).expect("it can be written");
    let (code, out, told) = run(folder.path(), &["test", "Harbour"]);
    assert_eq!(code, 0, "{out}{told}");
    symlink(harbour.join("tests/one.toml"), harbour.join("tests/again.toml")).expect("links work");
    let (code, again, told) = run(folder.path(), &["test", "Harbour"]);
    assert_eq!(code, 0, "{again}{told}");
    assert_ne!(out, again, "the link is followed");
    fs::write(folder.path().join("secret.toml"), "secret = \"words\"\n").expect("it can be written");
    for (name, target, why) in [
        (
            "out.toml",
            folder.path().join("secret.toml"),
            "leads out of the folder",
        ),
        ("out", folder.path().to_path_buf(), "leads out of the folder"),
        ("circle", harbour.clone(), "around in a circle"),
        ("gone.toml", harbour.join("gone.toml"), "leads nowhere"),
    ] {
        let link = harbour.join("tests").join(name);
        symlink(&target, &link).expect("links work");
        let (code, out, told) = run(folder.path(), &["test", "Harbour"]);
        assert_eq!(code, 1, "{name}: {out}{told}");
        assert!(
            told.contains(why) && told.contains(name) && !told.contains("words"),
            "{told}"
        );
        fs::remove_file(&link).expect("it can be removed");
    }
}
