//! The book in `docs/`: its links lead somewhere, every page is in it, and its command lines are understood.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// Every page: the path below the root, and the text.
fn pages() -> Vec<(PathBuf, String)> {
    let mut found = vec![PathBuf::from("README.md"), PathBuf::from("python/README.md")];
    let mut folders = vec![PathBuf::from("docs")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(Path::new(ROOT).join(&folder)).expect("a folder") {
            let entry = entry.expect("an entry");
            let path = folder.join(entry.file_name());
            if entry.path().is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|kind| kind == "md") {
                found.push(path);
            }
        }
    }
    found.sort();
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(Path::new(ROOT).join(&path)).expect("a page");
        (path, text)
    };
    found.into_iter().map(read).collect()
}

/// The text without blocks of code.
fn prose(text: &str) -> String {
    let mut inside = false;
    let mut out = String::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            inside = !inside;
        } else if !inside {
            out.push_str(line);
            out.push('\n');
        }
    }
    out
}

/// What `[…](…)` leads to.
fn links(text: &str) -> Vec<String> {
    let targets = text.split("](").skip(1);
    let targets = targets.filter_map(|rest| rest.split([')', ' ']).next());
    targets.map(str::to_owned).collect()
}

/// A heading as the address of its place, as mdBook and forges make it.
fn anchor(heading: &str) -> String {
    let heading = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = heading
        .chars()
        .filter(|letter| letter.is_alphanumeric() || " -_".contains(*letter));
    kept.map(|letter| if letter == ' ' { '-' } else { letter })
        .collect()
}

#[test]
fn links_lead_somewhere() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for (path, text) in pages() {
        // Specifications quote the syntax of other things.
        if path.starts_with("docs/spec") {
            continue;
        }
        for link in links(&prose(&text)) {
            if link.contains("://") || link.starts_with("mailto:") {
                continue;
            }
            count += 1;
            let (file, place) = link.split_once('#').unwrap_or((&link, ""));
            let target = match file {
                "" => path.clone(),
                file => path.parent().unwrap_or(Path::new("")).join(file),
            };
            let target = Path::new(ROOT).join(target);
            let there = target.exists();
            let text = std::fs::read_to_string(&target).unwrap_or_default();
            let named = place.is_empty()
                || text.contains(&format!("id=\"{place}\""))
                || prose(&text)
                    .lines()
                    .any(|line| line.starts_with('#') && anchor(line) == place);
            if !there || !named {
                wrong.push(format!("{}: {link}", path.display()));
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
    assert!(count > 40, "{count} links");
}

/// Pages about findings lie beside the book: `explain` shows them, and the reference is made of those about
/// rules.
#[test]
fn every_page_is_in_the_book() {
    let summary = std::fs::read_to_string(format!("{ROOT}/docs/SUMMARY.md")).expect("the book's contents");
    let listed: BTreeSet<PathBuf> = links(&summary)
        .iter()
        .map(|link| Path::new("docs").join(link))
        .collect();
    let there: BTreeSet<PathBuf> = pages().into_iter().map(|(path, _)| path).collect();
    let there = there.into_iter().filter(|path| {
        let is_beside = path.starts_with("docs/findings") || path.ends_with("SUMMARY.md");
        path.starts_with("docs") && !is_beside
    });
    assert_eq!(listed, there.collect());
}

/// The words of a command line, up to a comment or where the shell has more to do.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for letter in line.chars() {
        match (letter, quote) {
            ('\'' | '"', None) => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (letter, Some(open)) if letter == open => quote = None,
            ('#' | '>' | '|' | ';', None) if word.is_none() => break,
            (' ', None) => words.extend(word.take()),
            (letter, _) => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    words
}

/// The command lines of a page, in order.
fn commands(text: &str) -> Vec<Vec<String>> {
    let mut out = Vec::new();
    let mut inside = false;
    for line in text.replace("\\\n", " ").lines() {
        if line.starts_with("```") {
            inside = line == "```sh";
            continue;
        }
        let line = line.trim();
        let called = line.strip_prefix("cardwright ");
        let called = called.or_else(|| line.strip_prefix("cargo run --release -- "));
        if let (true, Some(rest)) = (inside, called) {
            out.push(words(rest));
        }
    }
    out
}

/// The first table of the page about sheets, as the sheet that it shows: pages make a game of it.
fn sheet() -> Vec<Vec<String>> {
    let page = format!("{ROOT}/docs/import.md");
    let text = std::fs::read_to_string(page).expect("the page about sheets");
    let lines = text.lines().skip_while(|line| !line.starts_with('|'));
    let lines = lines.take_while(|line| line.starts_with('|'));
    let cells = |line: &str| {
        let cells = line.trim_matches('|').split('|');
        cells.map(|cell| cell.trim().replace('\\', "")).collect()
    };
    let mut rows: Vec<Vec<String>> = lines.map(cells).collect();
    // The line between the headings and the rows.
    rows.remove(1);
    rows
}

/// Writes `birds.csv` with the pictures that its rows name.
fn write_sheet(folder: &Path) {
    const PNG: &[u8] = b"\x89PNG\r\n\x1a\n and more";
    let mut text = String::new();
    for row in sheet() {
        assert!(!row.iter().any(|cell| cell.contains([',', '"'])), "{row:?}");
        text.push_str(&row.join(","));
        text.push('\n');
        for cell in row.iter().filter(|cell| cell.ends_with(".png")) {
            std::fs::write(folder.join(cell), PNG).expect("a picture");
        }
    }
    std::fs::write(folder.join("birds.csv"), text).expect("a sheet");
}

/// Whether a command can be run as it stands: it ends by itself, soon, and needs nothing that the page does
/// not make.
fn runs(words: &[String]) -> bool {
    // The last is a card that the reader has written.
    const GIVEN: [&str; 10] = [
        "GAME",
        "FILE",
        "COMMAND",
        "CARD",
        "NAME",
        "PATH",
        "FIRST",
        "SECOND",
        "PICTURES.o8c",
        "Night Porter",
    ];
    let first = words.first().map(String::as_str);
    let quick = [
        "cards", "check", "explain", "new", "eval", "packs", "export", "rules",
    ];
    let is_new_scenario = words.starts_with(&["scenario".to_owned(), "new".to_owned()]);
    (is_new_scenario || quick.contains(&first.unwrap_or_default()))
        && !words
            .iter()
            .any(|word| GIVEN.contains(&word.as_str()) || word == "--png")
}

#[test]
fn command_lines_are_understood() {
    let (mut run, mut read) = (0, 0);
    for (path, text) in pages() {
        // The tutorial has a test of its own, which does what stands between its commands.
        let has_own = text.contains("Everything here is run by a test");
        let folder = tempfile::tempdir().expect("a folder");
        write_sheet(folder.path());
        for words in commands(&text) {
            // All that follows is the bot's own command.
            let words = match words.as_slice() {
                [bot, check, ..] if bot == "bot" && check == "check" => words[..2].to_vec(),
                _ => words,
            };
            let runs = !has_own && runs(&words);
            let mut command = Command::new(env!("CARGO_BIN_EXE_cardwright"));
            command.current_dir(folder.path()).args(&words);
            if runs {
                run += 1;
            } else {
                // Only whether its options are known.
                read += 1;
                command.arg("--help");
            }
            let output = command.output().expect("the program starts");
            assert!(
                output.status.success(),
                "{}: cardwright {}\n{}",
                path.display(),
                words.join(" "),
                String::from_utf8_lossy(&output.stderr)
            );
        }
    }
    assert!(run >= 12 && read >= 20, "{run} run, {read} read");
}

/// What a command prints.
fn printed(words: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cardwright"));
    let output = command.args(words).output().expect("the program starts");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout)
        .expect("it prints text")
        .replace("\r\n", "\n")
}

/// Compares a file with what it should be, or with `CARDWRIGHT_BLESS=1` writes it.
fn fresh(path: &str, wanted: &str) {
    let path = Path::new(ROOT).join(path);
    if std::env::var_os("CARDWRIGHT_BLESS").is_some() {
        std::fs::write(&path, wanted).expect("a page can be written");
    }
    let text = std::fs::read_to_string(&path)
        .expect("the file is there")
        .replace("\r\n", "\n");
    assert!(
        text == wanted,
        "{} is stale: CARDWRIGHT_BLESS=1 cargo test -p cardwright --test book",
        path.display()
    );
}

/// D60: the table of keys and the schema are those of the reader.
#[test]
fn the_keys_of_game_toml_are_those_of_the_reader() {
    fresh(
        "docs/game.schema.json",
        &printed(&["explain", "game.toml", "--schema"]),
    );
    let page = "docs/game-toml.md";
    let text = std::fs::read_to_string(Path::new(ROOT).join(page))
        .expect("the page is there")
        .replace("\r\n", "\n");
    let mark = "`cardwright explain game.toml`. -->\n\n";
    let (before, _) = text.split_once(mark).expect("the table has its mark");
    fresh(
        page,
        &format!("{before}{mark}{}", printed(&["explain", "game.toml"])),
    );
}

/// Every example of settings in the book is read without findings about the file itself, and changes
/// something.
#[test]
fn settings_in_the_book_are_understood() {
    let mut count = 0;
    for page in ["docs/game-toml.md", "docs/faces.md", "docs/search.md"] {
        let text = std::fs::read_to_string(Path::new(ROOT).join(page)).expect("the page is there");
        for block in text.split("```toml\n").skip(1) {
            let block = block.split("```").next().unwrap_or_default();
            let mut found = Vec::new();
            let config = cw_load::Config::read(block, cw_text::FileId(0), &mut found);
            let words: Vec<&str> = found.iter().map(|finding| finding.message.as_str()).collect();
            assert_eq!(words, Vec::<&str>::new(), "{page}: {block}");
            assert!(config != cw_load::Config::default(), "{page}: {block}");
            count += 1;
        }
    }
    assert!(count >= 8, "{count} examples");
}
