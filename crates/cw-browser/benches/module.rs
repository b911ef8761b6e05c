//! What thinking costs in the page's module, as a multiple of the same duels here; both in one run, turn by
//! turn.
//!
//! `cargo xtask module` makes the module; then `cargo bench -p cw-browser --bench module`. It needs Node,
//! whose engine is that of Chromium. `MODULE` names another module. A level's first batch is played before
//! the clock runs, since Node compiles while it plays.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark reports and fails loudly"
)]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use cw_browser::twin;
use cw_players::Level;

/// Levels, and how many duels each plays in a batch.
const LEVELS: [(Level, u64); 3] = [(Level::Random, 100), (Level::Easy, 2), (Level::Normal, 1)];
/// Batches whose time is taken.
const ROUNDS: u64 = 3;

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let module =
        std::env::var_os("MODULE").map_or_else(|| root.join("target/site/cardwright.wasm"), PathBuf::from);
    if !module.is_file() {
        println!(
            "SKIPPED: there is no module at {}; `cargo xtask module` builds it",
            module.display()
        );
        return;
    }
    let project = cw_lab::open(
        Some(&root.join("games/saltmarsh")),
        &cw_load::ReadOptions::default(),
        &|_| {},
    )
    .unwrap();
    let packed = cw_octgn::export(
        &*project.files,
        &project.package,
        &cw_octgn::PackageLimits::default(),
    )
    .unwrap();
    let folder = tempfile::tempdir().unwrap();
    let (game, tasks) = (folder.path().join("game.o8g"), folder.path().join("tasks.json"));
    std::fs::write(&game, &packed.bytes).unwrap();
    println!(
        "{:<8} {:>8} {:>12} {:>12} {:>6}",
        "level", "choices", "here", "module", "ratio"
    );
    for (level, duels) in LEVELS {
        let batches: Vec<_> = (0..=ROUNDS)
            .map(|round| round * duels..(round + 1) * duels)
            .collect();
        let words: Vec<_> = batches
            .iter()
            .map(|batch| serde_json::json!({ "level": level.name(), "from": batch.start, "to": batch.end }))
            .collect();
        std::fs::write(&tasks, serde_json::json!(words).to_string()).unwrap();
        let done = Command::new("node")
            .arg(root.join("crates/cw-browser/tests/twin.mjs"))
            .args([&module, &game, &tasks])
            .arg("--time")
            .output()
            .unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        let there: Vec<serde_json::Value> = String::from_utf8_lossy(&done.stdout)
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        let (mut choices, mut own, mut other) = (0, 0.0, 0.0);
        for (batch, answer) in batches.into_iter().zip(&there) {
            let warm = batch.start > 0;
            let begun = Instant::now();
            let here = twin::play(packed.bytes.clone(), level, batch).unwrap();
            let took = begun.elapsed().as_secs_f64() * 1e3;
            assert_eq!(
                answer["digest"].as_str(),
                Some(&*here.digest),
                "both play the same duels"
            );
            if warm {
                choices += here.choices;
                own += took;
                other += answer["took"].as_f64().unwrap();
            }
        }
        let (own, other) = (own / choices as f64, other / choices as f64);
        println!(
            "{:<8} {choices:>8} {own:>9.3} ms {other:>9.3} ms {:>6.2}",
            level.name(),
            other / own
        );
    }
}
