//! The module that a visitor waits for is split: the first part holds what runs until the first choice, the
//! rest is loaded while the visitor reads.
//!
//! `wasm-split` of Binaryen does it, with notes of a run: `first-choice.mjs` goes the way of a visitor with a
//! module that notes which of its functions run. A function that is not in the first part is a *placeholder*
//! there, which the page's worker fills by loading the rest (`complete` in `worker.js`).

use std::fs::{self, File};
use std::io::Write as _;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, ensure};
use zip::write::{SimpleFileOptions, ZipWriter};

use crate::repository;

/// What rustc's modules use of WebAssembly beside its first version, as Binaryen's tools call it. All that
/// they know (`--all-features`) is more than browsers do.
pub(crate) const WASM_FEATURES: [&str; 6] = [
    "--enable-bulk-memory",
    "--enable-multivalue",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-sign-ext",
];

/// The game that is played while the module notes what runs.
const GAME: &str = "games/saltmarsh/";

/// Splits a module into its first part, which takes its place, and the rest; whether the tools for that are
/// here.
pub(crate) fn split(module: &Path, rest: &Path) -> anyhow::Result<bool> {
    if rest.exists() {
        fs::remove_file(rest).context("an old part of the module cannot be removed")?;
    }
    for tool in ["wasm-split", "node"] {
        if Command::new(tool).arg("--version").output().is_err() {
            println!("SKIPPED: no `{tool}` here, so {} is not split", module.display());
            return Ok(false);
        }
    }
    let name = module.file_name().context("a module has a name")?;
    let file = |ending: &str| module.with_file_name(format!("{}.{ending}", name.to_string_lossy()));
    let [noting, game, notes, first] = ["noting", "o8g", "notes", "first"].map(file);
    run(Command::new("wasm-split")
        .args(["--instrument", "-o"])
        .args([&noting, module])
        .args(WASM_FEATURES))?;
    pack_game(&game)?;
    let script = repository::root().join("xtask/src/first-choice.mjs");
    run(Command::new("node").args([&script, &noting, &game, &notes]))?;
    run(Command::new("wasm-split")
        .arg("--split")
        .arg(module)
        .arg(format!("--profile={}", notes.display()))
        .arg("-o1")
        .arg(&first)
        .arg("-o2")
        .arg(rest)
        .args(WASM_FEATURES))?;
    fs::rename(&first, module)?;
    for file in [noting, game, notes] {
        fs::remove_file(file)?;
    }
    Ok(true)
}

/// Runs a tool; what it says is shown if it fails.
fn run(command: &mut Command) -> anyhow::Result<()> {
    let name = command.get_program().to_string_lossy().into_owned();
    let done = command
        .output()
        .with_context(|| format!("{name} cannot be started"))?;
    ensure!(
        done.status.success(),
        "{name} failed: {}{}",
        String::from_utf8_lossy(&done.stdout),
        String::from_utf8_lossy(&done.stderr)
    );
    Ok(())
}

/// Packs the demo game as an archive.
fn pack_game(file: &Path) -> anyhow::Result<()> {
    let mut zip = ZipWriter::new(File::create(file).context("the game cannot be packed")?);
    for name in repository::files()? {
        let Some(inner) = name.strip_prefix(GAME) else {
            continue;
        };
        zip.start_file(
            format!("def/{}", inner.replace(' ', "%20")),
            SimpleFileOptions::default(),
        )?;
        zip.write_all(&fs::read(repository::root().join(&name))?)?;
    }
    zip.finish()?;
    Ok(())
}
