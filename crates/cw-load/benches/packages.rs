//! What checking a large package costs, as a share of a bare parse of the same bytes; all in one run, on one
//! core.
//!
//! `cargo bench -p cw-load --bench packages` makes a package of 60 MB: most lines of its decks have ids of
//! other days, some name cards that are not there, so fixes are offered and tried. With `-- FOLDER` it takes
//! that package; with `-- made check` or `-- FOLDER check` it does only one thing, five times, to be
//! profiled.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark reports and fails loudly"
)]

use std::hint::black_box;
use std::time::{Duration, Instant};

use cw_load::Project;
use cw_octgn::{Folder, MemoryFiles, Package, PackageFiles, PackageLimits};
use maker::{bare_parse, generated};

#[path = "../../cw-octgn/benches/maker/mod.rs"]
mod maker;

fn main() {
    rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build_global()
        .unwrap();
    let mut words = std::env::args().skip(1).filter(|word| !word.starts_with('-'));
    let (folder, only) = (words.next().filter(|word| word != "made"), words.next());
    // In memory, so that the disk does not count.
    let files = match &folder {
        Some(folder) => in_memory(&Folder::new(folder)),
        None => generated(316, 57 << 20, 200),
    };
    let texts: Vec<String> = files
        .list()
        .unwrap()
        .iter()
        .filter(|name| name.ends_with(".xml") || name.ends_with(".o8d"))
        .map(|name| String::from_utf8_lossy(&files.read(name, u64::MAX).unwrap()).into_owned())
        .collect();
    let bytes: usize = texts.iter().map(String::len).sum();
    println!("{:.1} MB of XML in {} files", bytes as f64 / 1e6, texts.len());
    let parse = || {
        for text in &texts {
            black_box(bare_parse(text));
        }
    };
    let read = || drop(black_box(Package::read(&files).unwrap()));
    let open = || drop(black_box(Project::read(files.clone()).unwrap()));
    let check = || {
        let project = Project::read(files.clone()).unwrap();
        let found = project.check().found;
        assert!(
            folder.is_some() || found.iter().any(|one| one.fix.is_some()),
            "fixes are tried"
        );
        black_box(found);
    };
    // Turn by turn, so that what else the machine does strikes all alike.
    let runs: [(&str, &dyn Fn()); 4] = [
        ("parse", &parse),
        ("read", &read),
        ("open", &open),
        ("check", &check),
    ];
    if let Some((_, run)) = runs.iter().find(|(name, _)| Some(*name) == only.as_deref()) {
        return (0..5).for_each(|_| run());
    }
    let mut shortest = [Duration::MAX; 4];
    for _ in 0..5 {
        for (time, (_, run)) in shortest.iter_mut().zip(&runs) {
            let start = Instant::now();
            run();
            *time = start.elapsed().min(*time);
        }
    }
    for (time, (name, _)) in shortest.iter().zip(&runs) {
        let (seconds, bare) = (time.as_secs_f64(), shortest[0].as_secs_f64());
        println!(
            "{name:<6} {:>6.0} ms  {:.2} of a bare parse",
            seconds * 1e3,
            seconds / bare
        );
    }
}

fn in_memory(folder: &Folder) -> MemoryFiles {
    let most = PackageLimits::default().file;
    let names = folder.list().unwrap();
    names.iter().fold(MemoryFiles::new(), |files, name| {
        files.with(name.clone(), folder.read(name, most).unwrap())
    })
}
