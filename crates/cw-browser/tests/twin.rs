//! A slice of the same duels here and in the page's module, where Node and the module are at hand.
//!
//! `TWIN_DUELS=100000 cargo test --release --package cw-browser --test twin` is the campaign. The module is built by
//! `cargo xtask module`.
#![expect(clippy::print_stderr, reason = "what is skipped is said aloud")]

use std::path::{Path, PathBuf};
use std::process::Command;

use cw_browser::twin;
use cw_players::Level;

/// The module: what `MODULE` names, as `cargo xtask test` does, or what `cargo xtask module` made.
fn module() -> PathBuf {
    if let Some(path) = std::env::var_os("MODULE") {
        return PathBuf::from(path);
    }
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/site/cardwright.wasm")
}

fn archive(game: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(game);
    let project = cw_lab::open(Some(&path), &cw_load::ReadOptions::default(), &|_| {}).expect("the game");
    let limits = cw_octgn::PackageLimits::default();
    let packed = cw_octgn::export(&*project.files, &project.package, &limits);
    packed.expect("it can be packed").bytes
}

/// Asks the module in Node: one JSON value a line.
fn in_node(game: &[u8], tasks: &[serde_json::Value]) -> Option<Vec<serde_json::Value>> {
    if !module().is_file() {
        eprintln!("SKIPPED: there is no module; `cargo xtask module` builds it");
        return None;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let (game_path, task_path) = (folder.path().join("game.o8g"), folder.path().join("tasks.json"));
    std::fs::write(&game_path, game).expect("the game is written");
    std::fs::write(&task_path, serde_json::json!(tasks).to_string()).expect("the tasks are written");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/twin.mjs");
    let Ok(done) = Command::new("node")
        .args([&script, &module(), &game_path, &task_path])
        .output()
    else {
        eprintln!("SKIPPED: there is no Node here");
        return None;
    };
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let lines = String::from_utf8_lossy(&done.stdout).into_owned();
    Some(
        lines
            .lines()
            .map(|line| serde_json::from_str(line).expect("a line is JSON"))
            .collect(),
    )
}

fn compare(game: &str, level: Level, duels: u64) {
    let archive = archive(game);
    let batches: Vec<std::ops::Range<u64>> = (0..duels)
        .step_by(100)
        .map(|from| from..(from + 100).min(duels))
        .collect();
    let tasks: Vec<_> = batches
        .iter()
        .map(|batch| serde_json::json!({ "level": level.name(), "from": batch.start, "to": batch.end }))
        .collect();
    let Some(answers) = in_node(&archive, &tasks) else {
        return;
    };
    assert_eq!(answers.len(), batches.len());
    for (batch, answer) in batches.into_iter().zip(answers) {
        let here = twin::play(archive.clone(), level, batch.clone()).expect("the duels are played");
        let there = (
            answer["duels"].as_u64(),
            answer["choices"].as_u64(),
            answer["digest"].as_str(),
        );
        let own = (Some(here.duels), Some(here.choices), Some(&*here.digest));
        assert_eq!(there, own, "{game}, {batch:?} by {}: {answer}", level.name());
    }
}

fn wanted(slice: u64) -> u64 {
    let set = std::env::var("TWIN_DUELS").ok();
    set.and_then(|number| number.parse().ok()).unwrap_or(slice)
}

#[test]
fn duels_of_chance_are_the_same_in_the_module() {
    compare("games/saltmarsh", Level::Random, wanted(60));
}

#[test]
fn duels_of_players_who_think_are_the_same_in_the_module() {
    compare("games/saltmarsh", Level::Easy, wanted(200) / 100);
}

#[test]
fn duels_of_a_package_without_rules_are_the_same_in_the_module() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/cfc");
    if !data.is_dir() {
        eprintln!("SKIPPED: there are no real packages here");
        return;
    }
    compare("../shared/data/cfc", Level::Random, wanted(40));
}

/// A package says the same of itself on both platforms, however it was damaged.
#[test]
fn a_package_has_the_same_findings_in_the_module() {
    let sound = archive("games/saltmarsh");
    let project = cw_octgn::Archive::new(sound, &cw_octgn::PackageLimits::default()).expect("an archive");
    let files = cw_octgn::MemoryFiles::copy_of(&project.package(), u64::MAX).expect("its files");
    let times = wanted(12).min(1000);
    for number in 0..times {
        let damaged = damage(&files, number);
        let Some(answers) = in_node(&damaged, &[serde_json::json!({ "from": 0, "to": 0 })]) else {
            return;
        };
        let here = twin::findings(damaged);
        let expected = match here {
            Ok(found) => serde_json::json!({ "found": found }),
            Err(why) => serde_json::json!({ "why": why }),
        };
        assert_eq!(answers, [expected], "package {number}");
    }
}

/// The package with one byte of one file changed, packed again.
fn damage(files: &cw_octgn::MemoryFiles, number: u64) -> Vec<u8> {
    use std::io::Write as _;

    use cw_octgn::PackageFiles as _;
    let names = files.list().expect("the names");
    let texts: Vec<&String> = names
        .iter()
        .filter(|name| name.ends_with(".xml") || name.ends_with(".rules") || name.ends_with(".toml"))
        .collect();
    let pick = |salt: u64, most: usize| {
        let mixed = cw_players::mix(&[number, salt]);
        usize::try_from(mixed % most.max(1) as u64).unwrap_or_default()
    };
    let chosen = texts[pick(1, texts.len())];
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for name in &names {
        let mut bytes = files.read(name, u64::MAX).expect("a file");
        if name == chosen && !bytes.is_empty() {
            let at = pick(2, bytes.len());
            bytes[at] = b"\"<>()=;x0 "[pick(3, 10)];
        }
        let options = zip::write::SimpleFileOptions::default();
        zip.start_file(format!("def/{name}"), options)
            .expect("a file begins");
        zip.write_all(&bytes).expect("it is written");
    }
    zip.finish().expect("the archive ends").into_inner()
}
