//! How fast packages are read and checked, as a share of a bare parse of the same bytes by the same
//! XML reader, and how fast boosters open; all in one run, on one core.
//!
//! `cargo bench -p cw-octgn --bench octgn`; with `-- read`, `check`, `parse` or `packs` only that, to be
//! profiled. Skips itself where the real packages are missing. With `-- big` a generated package of 316 sets
//! and 64 MB, on one core and on all, and how much memory it takes.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a benchmark reports and fails loudly"
)]

use std::path::Path;
use std::time::{Duration, Instant};

use cw_octgn::{
    Booster, Folder, MemoryFiles, Odds, OpenedBooster, Opener, PackChance, Package, PackageFiles,
    PackageLimits,
};
use maker::{bare_parse, generated};

mod maker;

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data");

fn main() {
    if std::env::args().any(|word| word == "big") {
        return big();
    }
    let Ok(entries) = std::fs::read_dir(DATA) else {
        eprintln!("SKIPPED: no real packages at {DATA}");
        return;
    };
    rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build_global()
        .unwrap();
    let mut folders: Vec<_> = entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir())
        .collect();
    folders.sort();
    // In memory, so that the disk does not count.
    let packages: Vec<MemoryFiles> = folders.iter().map(|path| xml_of(path)).collect();
    let bytes: usize = packages.iter().flat_map(texts).map(|text| text.len()).sum();
    println!("{:.1} MB of XML", bytes as f64 / 1e6);

    let read_packages: Vec<Package> = packages
        .iter()
        .map(|files| Package::read(files).unwrap())
        .collect();
    let parse_all = || {
        for text in packages.iter().flat_map(texts) {
            std::hint::black_box(bare_parse(&text));
        }
    };
    let read_all = || {
        for package in &packages {
            std::hint::black_box(Package::read(package).unwrap());
        }
    };
    let check_all = || {
        for package in &read_packages {
            std::hint::black_box(cw_octgn::check(package));
        }
    };
    let only = std::env::args().skip(1).find(|word| !word.starts_with('-'));
    match only.as_deref() {
        // To be profiled, or counted by `perf stat`.
        Some("parse") => return (0..20).for_each(|_| parse_all()),
        Some("read") => return (0..20).for_each(|_| read_all()),
        Some("check") => return (0..20).for_each(|_| check_all()),
        Some("packs") => return boosters(&folders, &read_packages),
        _ => {}
    }
    // Turn by turn, so that what else the machine does strikes all alike.
    let mut shortest = [Duration::MAX; 3];
    for _ in 0..25 {
        for (time, run) in shortest
            .iter_mut()
            .zip([&parse_all as &dyn Fn(), &read_all, &check_all])
        {
            *time = best(1, run).min(*time);
        }
    }
    let [bare, read, check] = shortest;
    report("bare parse", bytes, bare, bare);
    report("read", bytes, read, bare);
    report("check what was read", bytes, check, bare);
    report("read and check", bytes, read + check, bare);

    boosters(&folders, &read_packages);
}

fn boosters(folders: &[std::path::PathBuf], packages: &[Package]) {
    let cfc = folders.iter().position(|path| path.ends_with("cfc")).unwrap();
    let package = &packages[cfc];
    let set = package.sets.iter().position(|set| !set.packs.is_empty()).unwrap();
    let booster = Booster::new(package, set, 0);
    let mut opener = Opener::new(&booster);
    let (mut chance, mut out) = (PackChance::new(1), OpenedBooster::default());
    const COUNT: u32 = 1_000_000;
    let time = best(5, || {
        for _ in 0..COUNT {
            opener.open(&mut chance, &mut out);
            std::hint::black_box(&out);
        }
    });
    let cards = out.limited.len();
    println!(
        "core-set booster of {cards} cards: {:.1} million packs/s",
        f64::from(COUNT) / time.as_secs_f64() / 1e6
    );

    let mut slowest = (Duration::ZERO, String::new());
    for package in packages {
        for (index, set) in package.sets.iter().enumerate() {
            for pack in 0..set.packs.len() {
                let time = best(3, || {
                    let booster = Booster::new(package, index, pack);
                    let odds = Odds::new(&booster);
                    std::hint::black_box((odds.expected(), odds.size().unwrap()));
                });
                if time > slowest.0 {
                    slowest = (time, format!("{}, {}", &*set.name, &*set.packs[pack].name));
                }
            }
        }
    }
    println!(
        "slowest odds: {:.2} ms ({})",
        slowest.0.as_secs_f64() * 1e3,
        slowest.1
    );
}

/// How fast and with how much memory a large package is read and checked.
fn big() {
    let files = generated(316, 64 << 20, 0);
    let texts = texts(&files);
    let bytes: usize = texts.iter().map(String::len).sum();
    println!("{:.1} MB of XML in {} files", bytes as f64 / 1e6, texts.len());
    let pool = |threads| {
        rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap()
    };
    let (one, all) = (pool(1), pool(0));
    let parse = || {
        for text in &texts {
            std::hint::black_box(bare_parse(std::str::from_utf8(text.as_bytes()).unwrap()));
        }
    };
    let read = || std::hint::black_box(Package::read(&files).unwrap());
    let package = read();
    let check = || std::hint::black_box(cw_octgn::check(&package));
    println!("{} cards, {} findings", package.cards().count(), check().len());
    // Turn by turn, so that what else the machine does strikes all alike; what was read is let go off the
    // clock.
    let mut shortest = [Duration::MAX; 5];
    let mut clock = |at: usize, run: &mut dyn FnMut()| {
        let start = Instant::now();
        run();
        shortest[at] = start.elapsed().min(shortest[at]);
    };
    for _ in 0..10 {
        let mut kept = None;
        clock(0, &mut || parse());
        clock(1, &mut || kept = Some(one.install(read)));
        kept = None;
        clock(2, &mut || _ = one.install(check));
        clock(3, &mut || kept = Some(all.install(read)));
        clock(4, &mut || _ = all.install(check));
        drop(kept);
    }
    let [bare, read_one, check_one, read_all, check_all] = shortest;
    report("bare parse", bytes, bare, bare);
    report("read, one core", bytes, read_one, bare);
    report("check, one core", bytes, check_one, bare);
    report("read and check, one core", bytes, read_one + check_one, bare);
    println!("{} cores:", all.current_num_threads());
    report("read and check, all cores", bytes, read_all + check_all, bare);
    let allocated = one.install(|| {
        allocation_counter::measure(|| {
            let package = Package::read(&files).unwrap();
            std::hint::black_box(cw_octgn::check(&package));
        })
    });
    println!(
        "memory at most: {:.0} MB, {:.2} times the XML",
        allocated.bytes_max as f64 / 1e6,
        allocated.bytes_max as f64 / bytes as f64
    );
}

fn xml_of(root: &Path) -> MemoryFiles {
    let folder = Folder::new(root);
    let limits = PackageLimits::default();
    let mut files = MemoryFiles::new();
    for name in folder.list().unwrap() {
        if name.ends_with(".xml") || name.ends_with(".o8d") {
            files = files.with(name.clone(), folder.read(&name, limits.file).unwrap());
        }
    }
    files
}

fn texts(files: &MemoryFiles) -> Vec<String> {
    let names = files.list().unwrap();
    names
        .iter()
        .map(|name| String::from_utf8(files.read(name, u64::MAX).unwrap()).unwrap())
        .collect()
}

/// The shortest of several runs.
fn best(runs: u32, mut run: impl FnMut()) -> Duration {
    let one = |_| {
        let start = Instant::now();
        run();
        start.elapsed()
    };
    (0..runs).map(one).min().unwrap()
}

fn report(what: &str, bytes: usize, time: Duration, bare: Duration) {
    let speed = bytes as f64 / 1e6 / time.as_secs_f64();
    let share = bare.as_secs_f64() / time.as_secs_f64();
    println!(
        "{what}: {speed:.0} MB/s, {share:.2} of a bare parse ({:.1} ms)",
        time.as_secs_f64() * 1e3
    );
}
