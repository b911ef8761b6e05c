//! A slice of the same duels here and in the page's module, where Node and the module are at hand.
//!
//! `TWIN_DUELS=100000 cargo test --release --package cw-browser --test twin` is the campaign. The module is
//! built by `cargo xtask module`.
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

/// The packages with scripts whose calls are compared with Python's; those of four seats beside those of two.
const SCRIPTED: [&str; 6] = ["lanterns", "mill", "ferry", "herbal", "harvest", "novice"];

/// Tables with scripts come to the same bytes on both platforms: entries by chance with answers by chance,
/// undone now and then, played again from their records (S209). `TWIN_TABLES=100` is the campaign.
#[test]
fn tables_with_scripts_are_the_same_in_the_module() {
    let set = std::env::var("TWIN_TABLES").ok();
    let tables: u64 = set.and_then(|number| number.parse().ok()).unwrap_or(2);
    for name in SCRIPTED {
        let archive = archive(&format!("crates/cw-table/tests/packages/{name}"));
        let records: Vec<String> = (0..tables).map(|number| record(&archive, number)).collect();
        let tasks: Vec<serde_json::Value> = records
            .iter()
            .map(|record| serde_json::json!({ "record": record }))
            .collect();
        let Some(answers) = in_node(&archive, &tasks) else {
            return;
        };
        assert_eq!(answers.len(), records.len());
        for (number, (record, answer)) in records.iter().zip(answers).enumerate() {
            let here = twin::replay(archive.clone(), record);
            let here = here.unwrap_or_else(|why| panic!("{name}, table {number}: {why}\n{record}"));
            let own = serde_json::json!({ "entries": here.entries, "digest": here.digest });
            assert_eq!(answer, own, "{name}, table {number}:\n{record}");
            assert!(record.matches(" run ").count() > 10, "{record}");
        }
    }
}

/// The record of a table where entries are chosen by chance.
fn record(archive: &[u8], number: u64) -> String {
    use std::sync::Arc;

    use cw_table::{FreeRecord, FreeTable, Kit, TableSettings};
    let limits = cw_octgn::PackageLimits::default();
    let files = cw_octgn::Archive::new(archive.to_vec(), &limits).expect("an archive");
    let files = cw_octgn::MemoryFiles::copy_of(&files.package(), u64::MAX).expect("its files");
    let package = cw_octgn::Package::read(&files).expect("it can be read");
    let read = Kit::read(&files, package, &limits).expect("it can be read");
    let kit = Arc::new(read.kit);
    let mut settings = TableSettings::for_people(
        &["Ann", "Ben", "Cleo", "Dan"][..if number.is_multiple_of(2) { 2 } else { 4 }],
    );
    settings.remote = cw_table::RemoteRule::Free;
    let mut table = FreeTable::new(Arc::clone(&kit), settings, number.into());
    let mut drawn = 0;
    let mut below = |most: usize| {
        drawn += 1;
        usize::try_from(cw_players::mix(&[number, drawn]) % most.max(1) as u64).unwrap_or_default()
    };
    let seats: Vec<cw_table::TableSeat> = table.state().seat_ids().collect();
    let is_shared = kit.deck.is_none();
    for seat in &seats {
        let pile = kit.deck.and_then(|deck| u16::try_from(deck).ok()).unwrap_or(0);
        let list = cw_table::DeckList {
            name: "All".into(),
            parts: vec![cw_table::DeckPart {
                section: "Main".into(),
                shared: is_shared,
                pile: Some(pile),
                cards: (0..kit.count())
                    .map(|at| (cw_table::TableModel::Card(at), 3))
                    .collect(),
            }],
            sleeve: None,
        };
        let _ = table.act(*seat, cw_table::TableVerb::Load { deck: Arc::new(list) });
        for line in [
            "draw 4",
            "movetop Deck 2 to table",
            "movetop Deck 1 to table down",
        ] {
            let _ = table.parse(*seat, line).and_then(|verb| table.act(*seat, verb));
        }
    }
    let entries: Vec<usize> = (0..kit.actions.len())
        .filter(|at| {
            let stops = ["neverEnds", "grows", "makesThousands", "floods", "callsItself"];
            kit.runs(*at) && !stops.contains(&kit.actions[*at].definition.execute.as_str())
        })
        .collect();
    for _ in 0..60 {
        let seat = seats[below(seats.len())];
        let entry = entries[below(entries.len())];
        let of_card = kit.actions[entry].definition.of_card;
        let lie = &table.state().table;
        let line = match (of_card, lie.len()) {
            (true, there) if there > 0 => {
                let card = table.state().handle(seat.into(), lie[below(there)]);
                format!("run #{entry} on table:{card}")
            }
            _ => format!("run #{entry}"),
        };
        let _ = table.parse(seat, &line).and_then(|verb| table.act(seat, verb));
        for _ in 0..8 {
            let waits = table.state().runs.first();
            let Some((run, of)) = waits.and_then(|run| Some((run.id, run.waits()?.seat))) else {
                break;
            };
            let answers = [
                "yes",
                "2",
                "1",
                "places 0",
                "counted 0 2",
                "\"word\"",
                "places 0,1",
                "no",
            ];
            let from = below(answers.len());
            let answers = answers.iter().cycle().skip(from).take(8).chain(&["closed"]);
            for answer in answers {
                let verb = table.parse(of, &format!("reply {run} {answer}"));
                if verb.and_then(|verb| table.act(of, verb)).is_ok() {
                    break;
                }
            }
        }
        if below(8) == 0 {
            let _ = table.parse(seat, "undo").and_then(|verb| table.act(seat, verb));
        }
    }
    FreeRecord::write(&table)
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
