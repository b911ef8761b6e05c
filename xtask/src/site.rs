//! The page that serves itself: its WebAssembly module, and the demo site made with it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail, ensure};

use crate::ci::cargo;
use crate::split::{WASM_FEATURES, split};
use crate::{dist, repository};

/// What the module is compiled for.
pub(crate) const TARGET: &str = "wasm32-unknown-unknown";

/// Whether that can be done here.
pub(crate) fn has_target() -> anyhow::Result<bool> {
    let folder = Command::new("rustc")
        .args(["--print", "target-libdir", "--target", TARGET])
        .output()
        .context("rustc cannot be started")?;
    Ok(Path::new(String::from_utf8_lossy(&folder.stdout).trim()).is_dir())
}

/// Where the module lies once it was built.
pub(crate) fn module_path() -> PathBuf {
    repository::root().join("target/site/cardwright.wasm")
}

/// Builds the modules that tests look at, where the toolchain can do that, and says where the whole one lies.
pub(crate) fn test_module() -> anyhow::Result<Option<PathBuf>> {
    if !has_target()? {
        eprintln!(
            "\n*** THE TESTS OF THE PAGE'S MODULE ARE SKIPPED: no {TARGET} here; \
             `rustup target add {TARGET}` brings it ***\n"
        );
        return Ok(None);
    }
    let folder = repository::root().join("target/site/test");
    fs::create_dir_all(&folder)?;
    for part in PARTS {
        fs::copy(build(part, "module-test")?, folder.join(part.file))?;
    }
    split(&folder.join(PLAY.file), &folder.join(REST))?;
    Ok(Some(folder.join(WHOLE.file)))
}

/// A module of the page.
struct ModulePart {
    /// Its file in a site.
    file: &'static str,
    /// What cargo is told beside the profile.
    features: &'static [&'static str],
}

/// All that a page can do.
const WHOLE: ModulePart = ModulePart {
    file: "cardwright.wasm",
    features: &[],
};

/// Duels alone: what a visitor waits for.
const PLAY: ModulePart = ModulePart {
    file: "play.wasm",
    features: &["--no-default-features"],
};

const PARTS: [&ModulePart; 2] = [&PLAY, &WHOLE];

/// What of [`PLAY`] does not run before the first choice, where that is split.
const REST: &str = "play-rest.wasm";

/// Builds a module with a profile; where it lies until the next one is built.
fn build(part: &ModulePart, profile: &str) -> anyhow::Result<PathBuf> {
    let mut arguments = vec![
        "rustc",
        "--package",
        "cw-browser",
        "--lib",
        "--crate-type",
        "cdylib",
        "--profile",
        profile,
        "--target",
        TARGET,
    ];
    arguments.extend(part.features);
    // A page is published as a program is.
    let flags = dist::path_flags()?.join("\u{1f}");
    cargo(&arguments, &[("CARGO_ENCODED_RUSTFLAGS", &flags)])?;
    Ok(repository::root().join(format!("target/{TARGET}/{profile}/cw_browser.wasm")))
}

/// Builds the modules of the page; where the whole one lies.
pub(crate) fn module() -> anyhow::Result<PathBuf> {
    if !has_target()? {
        bail!(
            "no {TARGET} here, so the page's module cannot be built; `rustup target add {TARGET}` brings it"
        );
    }
    let whole = module_path();
    let folder = whole.parent().context("the module lies in a folder")?;
    fs::create_dir_all(folder)?;
    for part in PARTS {
        let (built, path) = (build(part, "module")?, folder.join(part.file));
        let shrunk = shrink(&built, &path)?;
        if !shrunk {
            fs::copy(&built, &path)?;
        }
        strip(&path)?;
        let [before, after] = [&built, &path].map(|file| fs::metadata(file).map_or(0, |about| about.len()));
        let how = match shrunk {
            true => format!(", {:.1} MB before wasm-opt", before as f64 / 1e6),
            false => "; with `wasm-opt` in the path it would be smaller".to_owned(),
        };
        println!("{}: {:.1} MB{how}", path.display(), after as f64 / 1e6);
    }
    let (play, rest) = (folder.join(PLAY.file), folder.join(REST));
    if split(&play, &rest)? {
        // What only the rest called can go from the first part.
        let smaller = folder.join("smaller.wasm");
        if shrink(&play, &smaller)? {
            fs::rename(&smaller, &play)?;
        }
        for part in [play, rest] {
            strip(&part)?;
            check_compiles(&part)?;
            let bytes = fs::metadata(&part).map_or(0, |about| about.len());
            println!("{}: {:.1} MB, split", part.display(), bytes as f64 / 1e6);
        }
    }
    Ok(whole)
}

/// Makes it smaller, where there is a tool for that; whether it did.
fn shrink(built: &Path, path: &Path) -> anyhow::Result<bool> {
    let mut command = Command::new("wasm-opt");
    command
        .arg("-Oz")
        .args(WASM_FEATURES)
        .arg("-o")
        .arg(path)
        .arg(built);
    let Ok(status) = command.status() else {
        return Ok(false);
    };
    ensure!(status.success(), "wasm-opt failed");
    check_compiles(path)?;
    Ok(true)
}

/// Takes the custom sections out of a module (WebAssembly 2.0, section 5.5.3): notes of tools, which no
/// browser reads.
fn strip(path: &Path) -> anyhow::Result<()> {
    let bytes = fs::read(path)?;
    let stripped = without_custom_sections(&bytes)
        .with_context(|| format!("{} is not a module of WebAssembly", path.display()))?;
    Ok(fs::write(path, stripped)?)
}

/// A module without its custom sections; `None` if it is none.
fn without_custom_sections(module: &[u8]) -> Option<Vec<u8>> {
    let (header, mut rest) = module.split_at_checked(8)?;
    if !header.starts_with(b"\0asm") {
        return None;
    }
    let mut kept = header.to_vec();
    while !rest.is_empty() {
        // A section begins with its number and its length (LEB128); custom ones have the number 0.
        let mut content = 0;
        let mut at = 1;
        loop {
            let byte = *rest.get(at)?;
            content |= usize::from(byte & 0x7f).checked_shl(7 * u32::try_from(at - 1).ok()?)?;
            at += 1;
            if byte < 0x80 {
                break;
            }
        }
        let (section, after) = rest.split_at_checked(at.checked_add(content)?)?;
        if section[0] != 0 {
            kept.extend(section);
        }
        rest = after;
    }
    Some(kept)
}

/// Lets Node compile what a tool made: its engine is that of a browser.
fn check_compiles(path: &Path) -> anyhow::Result<()> {
    let script = "WebAssembly.compile(require('fs').readFileSync(process.argv[1])).catch(why => { \
                  console.error(why.message); process.exit(1) })";
    match Command::new("node").args(["-e", script]).arg(path).status() {
        Ok(status) => ensure!(
            status.success(),
            "Node refuses {} as the tools made it",
            path.display()
        ),
        Err(_) => println!("SKIPPED: no Node here to try whether a browser takes the smaller module"),
    }
    Ok(())
}

/// Pairs of duels in the balance report of the demo site: enough to show what a report says.
const PAIRS: &str = "900";

/// Makes the demo site in `target/site/demo`: the demo game with its balance report, the game that
/// `cardwright new` begins, and the book where mdBook is at hand. Its first page leads to all of them.
pub(crate) fn demo() -> anyhow::Result<()> {
    let module = module()?;
    cargo(&["build", "--release", "--package", "cardwright"], &[])?;
    let program = repository::root().join("target/release/cardwright");
    let out = repository::root().join("target/site/demo");
    fs::create_dir_all(&out)?;
    let begun = repository::root().join("target/site/new-game");
    if begun.exists() {
        fs::remove_dir_all(&begun)?;
    }
    let run = |arguments: &[&Path]| -> anyhow::Result<()> {
        let status = Command::new(&program)
            .args(arguments)
            .current_dir(repository::root())
            .status()
            .context("the program cannot be started")?;
        ensure!(status.success(), "the program failed");
        Ok(())
    };
    run(&[Path::new("new"), &begun])?;
    let report = out.join("balance.html");
    let balance = [
        "balance",
        "--game",
        "games/saltmarsh",
        "--players",
        "easy",
        "--pairs",
        PAIRS,
        "--force",
        "--out",
    ];
    let balance: Vec<&Path> = balance.iter().map(Path::new).chain([&*report]).collect();
    run(&balance)?;
    for (game, name) in [
        (repository::root().join("games/saltmarsh"), "saltmarsh"),
        (begun, "new"),
    ] {
        let out = out.join(name);
        let mut words = vec![
            Path::new("site"),
            &game,
            Path::new("--out"),
            &out,
            Path::new("--module"),
            &module,
        ];
        if name == "saltmarsh" {
            words.extend([Path::new("--report"), &report]);
        }
        run(&words)?;
    }
    let book = out.join("book");
    if book.exists() {
        fs::remove_dir_all(&book)?;
    }
    crate::book::build()?;
    let built = repository::root().join("target/book");
    let has_book = built.join("index.html").is_file();
    if has_book {
        copy(&built, &book)?;
    }
    fs::write(out.join("index.html"), index(has_book))?;
    println!("the demo site lies in {}", out.display());
    Ok(())
}

/// Copies a folder with all that is in it.
fn copy(from: &Path, to: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let (path, place) = entry.map(|entry| (entry.path(), to.join(entry.file_name())))?;
        match path.is_dir() {
            true => copy(&path, &place)?,
            false => fs::copy(&path, &place).map(|_| ())?,
        }
    }
    Ok(())
}

/// The first page of the demo site.
fn index(has_book: bool) -> String {
    let mut ways = vec![
        (
            "saltmarsh/",
            "Saltmarsh",
            "Play the demo game: lessons, puzzles, nine opponents, a playground for its cards.",
        ),
        (
            "new/",
            "A game of your own",
            "What <code>cardwright new</code> begins with: open its playground and change it.",
        ),
        (
            "balance.html",
            "The balance report",
            "What 900 pairs of duels say about Saltmarsh: decks, cards, luck.",
        ),
    ];
    if has_book {
        ways.push(("book/", "The book", "How to play, and how to make a game."));
    }
    let items: String = ways
        .iter()
        .map(|(way, name, words)| format!("<li><a href=\"{way}\">{name}</a><p>{words}</p></li>\n"))
        .collect();
    include_str!("site.html").replace("<!-- WAYS -->", &items)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_custom_sections_are_left_out() {
        let header = b"\0asm\x01\0\0\0";
        let long = [&[10, 0x80, 0x01][..], &[7; 128]].concat();
        let custom = [&[0, 4][..], b"\x03abc"].concat();
        let all = [&header[..], &custom, &long, &[1, 0], &custom].concat();
        let kept = [&header[..], &long, &[1, 0]].concat();
        assert_eq!(without_custom_sections(&all), Some(kept));
        assert_eq!(without_custom_sections(header), Some(header.to_vec()));
        // Cut anywhere but between sections, it is no module.
        let ends = [8, 14, 145, 147];
        for end in (0..all.len()).filter(|end| !ends.contains(end)) {
            assert_eq!(without_custom_sections(&all[..end]), None, "{end}");
        }
        assert_eq!(without_custom_sections(b"\x7fELF\x02\x01\x01\0"), None);
    }
}
