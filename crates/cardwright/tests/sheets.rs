//! `new --from`, `cards import` and `cards export`: the way of an author with a spreadsheet.
#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const PROGRAM: &str = env!("CARGO_BIN_EXE_cardwright");

#[track_caller]
fn run(folder: &Path, arguments: &[&str], code: i32) -> String {
    let output: Output = Command::new(PROGRAM)
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap();
    let all = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {all}");
    all
}

/// Everything below a folder, by name.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut out = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(inner) = open.pop() {
        for entry in fs::read_dir(&inner).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => open.push(path),
                false => out.push((
                    path.strip_prefix(folder).unwrap().display().to_string(),
                    fs::read(&path).unwrap(),
                )),
            }
        }
    }
    out.sort();
    out
}

/// Sixty cards of a designer, with pictures that have the cards' names or stand in a column.
fn sheet() -> String {
    let mut text = "Name;Type;Cost;Rules text;Image\n".to_owned();
    for number in 1..=60 {
        let picture = if number == 2 { "two.png" } else { "" };
        text.push_str(&format!(
            "Card {number};{};{};*Swift.* Deal {number}.;{picture}\n",
            ["Bird", "Stone"][number % 2],
            number % 7
        ));
    }
    text
}

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n and more";

/// P145: a sheet becomes a game that has no findings, with a deck, which opens on the free table.
#[test]
fn a_sheet_becomes_a_game() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::write(at.join("birds.csv"), sheet()).unwrap();
    fs::write(at.join("Card 1.png"), PNG).unwrap();
    fs::write(at.join("two.png"), PNG).unwrap();
    let told = run(at, &["new", "--from", "birds.csv", "--seed", "1"], 0);
    assert!(
        told.contains("birds is a game of 60 cards and 2 pictures now"),
        "{told}"
    );
    assert!(
        told.contains("  Type: Card Type\n") && told.contains("  Image: @picture\n"),
        "{told}"
    );
    let checked = run(at, &["check", "--strict", "birds"], 0);
    assert!(
        !checked.contains("warning") && !checked.contains("error["),
        "{checked}"
    );
    let names: Vec<String> = files(&at.join("birds"))
        .into_iter()
        .map(|(name, _)| name)
        .collect();
    assert_eq!(
        names.iter().filter(|name| name.contains("/Cards/")).count(),
        2,
        "{names:?}"
    );
    assert!(names.contains(&"Decks/Starter.o8d".to_owned()));
    let shown = run(at, &["deck", "show", "Starter", "--game", "birds"], 0);
    assert!(shown.contains("Card 60"), "{shown}");
    // The same sheet again changes nothing.
    let before = files(&at.join("birds"));
    let told = run(at, &["cards", "import", "birds.csv", "--game", "birds"], 0);
    assert!(told.contains("0 changes"), "{told}");
    assert_eq!(files(&at.join("birds")), before);
    // It is not made over what is there.
    run(at, &["new", "--from", "birds.csv"], 1);
    // A free table reads commands from a pipe.
    let told = run(at, &["table", "birds", "--help"], 0);
    assert!(told.contains("table"), "{told}");
}

/// What changes in the sheet comes into the game; what changes in both is refused with the cell, and nothing
/// is written.
#[test]
fn a_sheet_and_a_game_are_merged() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::write(at.join("birds.csv"), sheet()).unwrap();
    fs::write(at.join("two.png"), PNG).unwrap();
    run(at, &["new", "--from", "birds.csv", "--seed", "1"], 0);
    let game = at.join("birds");
    fs::write(
        at.join("birds.csv"),
        sheet().replace("Card 7;Stone;0;", "Card 7;Stone;5;"),
    )
    .unwrap();
    let before = files(&game);
    let told = run(
        at,
        &["cards", "import", "birds.csv", "--game", "birds", "--dry-run"],
        0,
    );
    assert!(told.contains("~ Card 7 (Core): Cost \"0\" → \"5\""), "{told}");
    assert_eq!(files(&game), before);
    run(at, &["cards", "import", "birds.csv", "--game", "birds"], 0);
    assert!(run(at, &["cards", "--game", "birds", "--full", "!\"Card 7\""], 0).contains("Cost: 5"));
    // Somebody changes the game by hand, and the sheet otherwise.
    let (set, text) = files(&game)
        .into_iter()
        .find(|(name, _)| name.ends_with("set.xml"))
        .unwrap();
    let text = String::from_utf8(text).unwrap();
    let (before, card) = text.split_at(text.find("name=\"Card 7\"").unwrap());
    let by_hand = card.replacen("value=\"5\"", "value=\"6\"", 1);
    fs::write(game.join(set), format!("{before}{by_hand}")).unwrap();
    fs::write(
        at.join("birds.csv"),
        sheet()
            .replace("Card 7;Stone;0;", "Card 7;Stone;9;")
            .replace("Card 12;Bird;5;", "Card 12;Bird;9;"),
    )
    .unwrap();
    let before = files(&game);
    let told = run(at, &["cards", "import", "birds.csv", "--game", "birds"], 1);
    assert!(
        told.contains(
            "birds.csv: row 8, column C (\"Cost\"): both changed it: \
             the sheet says \"9\", the game \"6\", and before it was \"5\""
        ),
        "{told}"
    );
    assert!(told.contains("nothing is written"), "{told}");
    assert_eq!(files(&game), before);
    run(
        at,
        &[
            "cards",
            "import",
            "birds.csv",
            "--game",
            "birds",
            "--prefer",
            "game",
        ],
        0,
    );
    assert!(run(at, &["cards", "--game", "birds", "--full", "!\"Card 7\""], 0).contains("Cost: 6"));
    assert!(run(at, &["cards", "--game", "birds", "--full", "!\"Card 12\""], 0).contains("Cost: 9"));
}

/// Every form is written, and not over what is there; what `cards export` writes, `new --from` makes a game
/// of.
#[test]
fn every_form_goes_out_and_becomes_a_game() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for (name, cards) in [
        ("a.csv", true),
        ("a.tsv", true),
        ("a.xlsx", true),
        ("a.xml", true),
        ("carddata.txt", true),
    ] {
        run(at, &["cards", "export", name], 0);
        assert!(run(at, &["cards", "export", name], 1).contains("--force"));
        run(at, &["cards", "export", name, "--force"], 0);
        if cards {
            let game = format!("of-{}", name.replace('.', "-"));
            run(at, &["new", "--from", name, &game, "--seed", "1"], 0);
            let told = run(at, &["check", &game], 0);
            assert!(!told.contains("error["), "{told}");
        }
    }
    run(at, &["cards", "export", "a.bin"], 1);
    run(at, &["cards", "export", "simulator", "--format", "cgs"], 0);
    let cards = fs::read_to_string(at.join("simulator/AllCards.json")).unwrap();
    let cards: serde_json::Value = serde_json::from_str(&cards).unwrap();
    assert!(cards.as_array().unwrap().len() > 50);
    run(at, &["cards", "export", "simulator", "--format", "cgs"], 1);
    // Tabletop Simulator wants pictures of dots.
    let output = Command::new(PROGRAM)
        .args(["cards", "export", "t.json", "--format", "tts"])
        .current_dir(at)
        .output()
        .unwrap();
    match cfg!(feature = "png") {
        true => assert!(
            output.status.success() && at.join("t-1.png").is_file() && at.join("t-back.png").is_file()
        ),
        false => {
            assert!(String::from_utf8_lossy(&output.stderr).contains("--features png"));
            assert!(!at.join("t.json").exists());
        }
    }
}

/// Pictures that are named and missing, or are none, are told at their cells.
#[test]
fn pictures_are_told_at_their_cells() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::write(
        at.join("a.csv"),
        "name,picture\nRook,rok.png\nRaven,../raven.png\nOwl,owl.png\n",
    )
    .unwrap();
    fs::write(at.join("rook.png"), PNG).unwrap();
    fs::write(at.join("owl.png"), "text").unwrap();
    let told = run(at, &["new", "--from", "a.csv", "game"], 1);
    assert!(
        told.contains(
            "a.csv: row 2, column B (\"picture\"): there is no picture “rok.png”; did you mean “rook.png”?"
        ),
        "{told}"
    );
    assert!(
        told.contains("row 3, column B (\"picture\"): the picture “../raven.png” leads out"),
        "{told}"
    );
    assert!(
        told.contains("row 4, column B (\"picture\"):") && told.contains("is not a picture"),
        "{told}"
    );
    assert!(!at.join("game").exists());
}

/// Headings that OCTGN or `game.toml` would read otherwise make a game that has no findings, and a second
/// import finds the same columns.
#[test]
fn odd_headings_make_a_game() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let sheet = "name,Power/Toughness,@home,-,property:Size,property:Tempo\nRook,2/3,x,y,big,7\n";
    fs::write(at.join("odd.csv"), sheet).unwrap();
    let told = run(at, &["new", "--from", "odd.csv", "--seed", "1"], 0);
    for line in [
        "  Power/Toughness: Power/Toughness\n",
        "  @home: Card @home\n",
        "  -: Card -\n",
        "  property:Size: Card Size\n",
        "  property:Tempo: Tempo\n",
    ] {
        assert!(told.contains(line), "{line}: {told}");
    }
    let checked = run(at, &["check", "--strict", "odd"], 0);
    assert!(
        !checked.contains("warning") && !checked.contains("error["),
        "{checked}"
    );
    let before = files(&at.join("odd"));
    let told = run(at, &["cards", "import", "odd.csv", "--game", "odd"], 0);
    assert!(told.contains("0 changes"), "{told}");
    assert_eq!(files(&at.join("odd")), before);
    fs::write(
        at.join("odd.csv"),
        sheet.replace("2/3", "4/4").replace("big", "small"),
    )
    .unwrap();
    let told = run(at, &["cards", "import", "odd.csv", "--game", "odd"], 0);
    assert!(
        told.contains("Power/Toughness \"2/3\" → \"4/4\"") && told.contains("Card Size \"big\" → \"small\""),
        "{told}"
    );
}

/// A new picture takes the place of one with another ending (P76); pictures of other cards stay.
#[test]
fn a_picture_with_another_ending_is_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let sheet = |picture: &str| format!("name,picture\nRook,{picture}\nCrow,crow.jpg\n");
    const JPG: &[u8] = b"\xff\xd8\xff\xe0 and more";
    for (name, bytes) in [("rook.jpg", JPG), ("crow.jpg", JPG), ("new.png", PNG)] {
        fs::write(at.join(name), bytes).unwrap();
    }
    fs::write(at.join("a.csv"), sheet("rook.jpg")).unwrap();
    run(at, &["new", "--from", "a.csv", "--seed", "1"], 0);
    let pictures = || -> Vec<Vec<u8>> {
        let all = files(&at.join("a")).into_iter();
        all.filter(|(name, _)| name.contains("/Cards/"))
            .map(|(_, bytes)| bytes)
            .collect()
    };
    assert_eq!(pictures(), [JPG, JPG]);
    fs::write(at.join("a.csv"), sheet("new.png")).unwrap();
    let import = ["cards", "import", "a.csv", "--game", "a"];
    let told = run(at, &[&import[..], &["--dry-run"]].concat(), 0);
    assert!(told.contains("+ picture") && told.contains("- picture"), "{told}");
    assert_eq!(pictures(), [JPG, JPG]);
    run(at, &import, 0);
    let mut shown = pictures();
    shown.sort();
    assert_eq!(shown, [PNG, JPG]);
}

/// Settings that are not UTF-8 are not written back otherwise.
#[test]
fn settings_that_are_not_utf8_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::write(at.join("a.csv"), "Title,Cost\nRook,1\n").unwrap();
    run(at, &["new", "--from", "a.csv", "--seed", "1"], 0);
    let settings = at.join("a/Rules/game.toml");
    let mut bytes = fs::read(&settings).unwrap();
    bytes.extend(b"# caf\xe9\n");
    fs::write(&settings, &bytes).unwrap();
    fs::write(at.join("a.csv"), "Title,Cost,Card\nRook,1,x\n").unwrap();
    let import = ["cards", "import", "a.csv", "--game", "a", "--column", "Card=-"];
    let told = run(at, &import, 1);
    let wrong = "cannot keep the columns in Rules/game.toml";
    assert!(told.contains(wrong) && told.contains("invalid utf-8"), "{told}");
    assert_eq!(fs::read(&settings).unwrap(), bytes);
}
