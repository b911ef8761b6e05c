//! What the fuzz targets start from and what they have found worth keeping, as ordinary tests.

use std::path::{Path, PathBuf};

use cw_laws::LAWS;

const SEEDS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/seeds");

/// The files of a folder, in order; none if there is no such folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("a folder entry").path())
        .collect();
    paths.sort();
    paths
}

/// P178, R1046: every seed, and all that fuzzing has found, of all laws of one family.
#[test]
fn every_law_holds_for_its_corpus() {
    for law in LAWS {
        let mut tried = 0;
        for other in LAWS.iter().filter(|other| other.family() == law.family()) {
            let seeds = files(&Path::new(SEEDS).join(other.name));
            let found = files(&Path::new(SEEDS).join("found").join(other.name));
            for path in seeds.iter().chain(&found) {
                // The name shows where a panic comes from.
                println!("{}: {}", law.name, path.display());
                (law.holds)(&std::fs::read(path).expect("a seed can be read"));
                tried += 1;
            }
        }
        assert!(tried > 0, "{} has no seeds", law.name);
    }
}

/// A target without a law, or a law without a target, would be run by nobody.
#[test]
fn every_law_has_a_target() {
    let targets = files(&Path::new(SEEDS).join("../src/bin"));
    let names: Vec<_> = targets
        .iter()
        .filter_map(|path| path.file_stem()?.to_str())
        .collect();
    let mut laws: Vec<_> = LAWS.iter().map(|law| law.name).collect();
    laws.sort_unstable();
    assert_eq!(names, laws);
}
