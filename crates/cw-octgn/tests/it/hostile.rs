//! Any prefix and any small change of any seed is read without panic, and in bounds. The seeds are those
//! of the fuzz targets, which do the same with anything.

use std::path::PathBuf;

use cw_octgn::{
    Archive, CardQuery, Deck, MemoryFiles, PackChance, Package, PackageFiles, PackageLimits, check, forms,
    write_deck, write_set,
};
use cw_text::{Severity, Sources};

const SEEDS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/seeds");

fn seeds(target: &str) -> Vec<Vec<u8>> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(format!("{SEEDS}/{target}"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    assert!(!paths.is_empty());
    paths.iter().map(|path| std::fs::read(path).unwrap()).collect()
}

/// Every prefix of every seed, and thousands of changes: bytes replaced, dropped, doubled, swapped in.
fn each_variant(target: &str, changes: u32, try_one: &dyn Fn(&[u8])) {
    const INTERESTING: &[u8] = b"<>&\"'/=:;![]-{}()\0\xff\x80 \n0a";
    let seeds = seeds(target);
    let mut chance = PackChance::new(1);
    for seed in &seeds {
        for length in 0..=seed.len() {
            try_one(&seed[..length]);
        }
        for _ in 0..changes {
            let mut bytes = seed.clone();
            for _ in 0..=chance.below(3) {
                let length = bytes.len() as u32;
                let at = chance.below(length) as usize;
                match chance.below(4) {
                    0 if !bytes.is_empty() => {
                        bytes[at] = INTERESTING[chance.below(INTERESTING.len() as u32) as usize];
                    }
                    1 if !bytes.is_empty() => {
                        let end = (at + 1 + chance.below(16) as usize).min(bytes.len());
                        bytes.drain(at..end);
                    }
                    2 => {
                        let other = &seeds[chance.below(seeds.len() as u32) as usize];
                        let from = chance.below(other.len() as u32) as usize;
                        let end = (from + chance.below(24) as usize).min(other.len());
                        bytes.splice(at..at, other[from..end].iter().copied());
                    }
                    _ => {
                        let copy = bytes[at..].to_vec();
                        bytes.extend(copy);
                    }
                }
            }
            try_one(&bytes);
        }
    }
}

/// PK001–PK011, P174: whatever becomes a set is written and read back as the same set.
#[test]
fn sets() {
    let definition = std::fs::read(format!("{SEEDS}/definition.xml")).unwrap();
    let read = |set: &[u8]| {
        let files = MemoryFiles::new()
            .with("definition.xml", definition.clone())
            .with("Sets/s/set.xml", set);
        Package::read(&files).unwrap()
    };
    each_variant("octgn_set", 3000, &|bytes| {
        let package = read(bytes);
        for finding in check(&package) {
            let text = &package.sources.get(finding.file).text;
            assert!(text.get(finding.span.range()).is_some(), "{finding:?}");
        }
        let errors = package
            .diagnostics
            .iter()
            .any(|finding| finding.severity == Severity::Error);
        if let Some(set) = package.sets.first().filter(|_| !errors) {
            let again = read(write_set(set).as_bytes());
            assert_eq!(
                again.sets.first(),
                Some(set),
                "{}",
                String::from_utf8_lossy(bytes)
            );
        }
    });
}

/// Damaged decks are read without panic, and keep their sections when written and read
/// again (P130–P139).
#[test]
fn decks() {
    let read = |bytes: &[u8]| {
        let mut sources = Sources::new();
        let (deck, found) = Deck::read("d.o8d", bytes.to_vec(), &PackageLimits::default(), &mut sources);
        for finding in found {
            assert!(
                sources.get(finding.file).text.get(finding.span.range()).is_some(),
                "{finding:?}"
            );
        }
        deck
    };
    each_variant("octgn_deck", 3000, &|bytes| {
        if let Some(deck) = read(bytes) {
            let again = read(write_deck(&deck).as_bytes()).unwrap();
            assert_eq!(again.sections, deck.sections);
        }
    });
}

/// PK130–PK132: nothing that is listed leaves the target, and nothing larger than the limit comes out.
#[test]
fn archives() {
    let limits = PackageLimits {
        file: 1 << 16,
        unpacked: 1 << 20,
        ..PackageLimits::default()
    };
    each_variant("octgn_archive", 5000, &|bytes| {
        let Ok(archive) = Archive::new(bytes.to_vec(), &limits) else {
            return;
        };
        for name in archive.list().unwrap() {
            assert!(!name.starts_with('/') && !name.split('/').any(|part| part == ".."));
            if let Ok(bytes) = archive.read(&name, limits.file) {
                assert!(bytes.len() as u64 <= limits.file);
            }
        }
        let _ = Package::read_with(&archive.package(), &limits, cw_text::Sources::new(), &|_| {});
    });
}

#[test]
fn queries() {
    let definition = std::fs::read(format!("{SEEDS}/definition.xml")).unwrap();
    let set = std::fs::read(format!("{SEEDS}/octgn_set/sound.xml")).unwrap();
    let files = MemoryFiles::new()
        .with("definition.xml", definition)
        .with("Sets/s/set.xml", set);
    let package = Package::read(&files).unwrap();
    assert_eq!(forms(&package).count(), 2);
    each_variant("octgn_query", 3000, &|bytes| {
        let Ok(text) = std::str::from_utf8(bytes) else {
            return;
        };
        match CardQuery::parse(text, &package.definition) {
            Ok(query) => assert!(forms(&package).filter(|form| query.matches(form)).count() <= 2),
            Err(error) => assert!(text.get(error.span.range()).is_some(), "{error:?} in {text:?}"),
        }
    });
}
