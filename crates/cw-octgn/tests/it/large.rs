//! Packages of valid form that are larger than anything real: each limit ends the reading, says so once, and
//! can be raised.

use cw_octgn::{MemoryFiles, Package, PackageLimits, check};

use crate::support::{DEFINITION, GAME};

/// A set with this many of the smallest cards.
fn set(number: usize, cards: usize) -> String {
    let cards = "<card/>".repeat(cards);
    format!(
        "<set name=\"S\" id=\"0a000000-0000-4000-8000-0000000{number:05}\" gameId=\"{GAME}\">\
         <cards>{cards}</cards></set>"
    )
}

fn package(sets: usize, cards: usize) -> MemoryFiles {
    let files = MemoryFiles::new().with("definition.xml", DEFINITION);
    (0..sets).fold(files, |files, number| {
        files.with(format!("Sets/{number:05}/set.xml"), set(number, cards))
    })
}

fn read(files: &MemoryFiles, limits: &PackageLimits) -> Package {
    Package::read_with(files, limits, cw_text::Sources::new(), &|_| {}).unwrap()
}

fn found(package: &Package, code: &str) -> Vec<String> {
    let of_code = package
        .diagnostics
        .iter()
        .filter(|finding| finding.code.0 == code);
    of_code
        .map(|finding| format!("{}: {}", package.sources.get(finding.file).name, finding.message))
        .collect()
}

fn limits(name: &str, most: u64) -> PackageLimits {
    let mut limits = PackageLimits::default();
    assert!(limits.set(name, most));
    limits
}

/// Cards after the limit are not read, and a finding says so (P178, PK012).
#[test]
fn cards_after_the_limit_are_not_read() {
    let files = package(12, 100);
    let few = read(&files, &limits("cards", 250));
    assert_eq!(few.cards().count(), 250);
    assert_eq!(
        found(&few, "PK012"),
        ["Sets/00002/set.xml: more than 250 cards; this and what follows is not read"]
    );
    let all = read(&files, &limits("cards", 1_200));
    assert_eq!((all.cards().count(), found(&all, "PK012").len()), (1_200, 0));
}

/// XML after the limit is not read, and a finding says so (P178, PK013).
#[test]
fn xml_after_the_limit_is_not_read() {
    let files = package(12, 100);
    let size = set(0, 100).len() as u64;
    let few = read(&files, &limits("xml", 3 * size));
    assert_eq!((few.sets.len(), few.has_definition), (3, true));
    let message = format!(
        "more than {} bytes of XML; this and what follows is not read",
        3 * size
    );
    assert_eq!(found(&few, "PK013"), [format!("Sets/00003/set.xml: {message}")]);
    let all = read(&files, &limits("xml", 16 * size));
    assert_eq!((all.sets.len(), found(&all, "PK013").len()), (12, 0));
}

/// P178, PK014: reading and checking together.
#[test]
fn findings_after_the_limit_are_counted() {
    let files = package(12, 100);
    let all = check(&read(&files, &limits("findings", 100_000)));
    let few = check(&read(&files, &limits("findings", 30)));
    let counted = few.iter().filter(|finding| finding.code.0 == "PK014");
    let words: Vec<_> = counted.map(|finding| finding.message.as_str()).collect();
    assert!(
        all.len() > 1_000 && (30..=32).contains(&few.len()),
        "{}, {}",
        all.len(),
        few.len()
    );
    assert!(
        !words.is_empty()
            && words
                .iter()
                .all(|words| words.ends_with("more findings are not shown"))
    );
    assert!(all.iter().all(|finding| finding.code.0 != "PK014"));
}

/// P178, PK015: the definition is read, though its name comes last.
#[test]
fn files_after_the_limit_are_not_read() {
    let files = package(12, 1);
    let few = read(&files, &limits("files", 5));
    assert_eq!((few.sets.len(), few.has_definition), (4, true));
    assert_eq!(
        found(&few, "PK015"),
        ["definition.xml: 8 sets and decks are not read: more than 5 files"]
    );
    assert_eq!(found(&read(&files, &limits("files", 13)), "PK015").len(), 0);
    // Nothing else is said about sets that are there and were not read.
    let codes: Vec<&str> = check(&few).iter().map(|finding| finding.code.0).collect();
    assert_eq!(codes.iter().filter(|code| **code == "PK138").count(), 0);
}

/// H6 of an attack: 12 sets of 600,000 cards took more than 4 GB. Here they are a tenth.
#[test]
fn memory_is_bounded_by_the_limits() {
    let files = package(12, 60_000);
    let mut cards = 0;
    // Only what this thread allocates is counted.
    let here = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let allocated = here.install(|| {
        allocation_counter::measure(|| {
            let package = read(&files, &limits("cards", 25_000));
            cards = package.cards().count();
            check(&package);
        })
    });
    assert_eq!(cards, 25_000);
    // The texts themselves, twice, and one group of files beyond the limit.
    let texts = 12 * 60_000 * 7 * 2;
    assert!(
        allocated.bytes_max < texts + (128 << 20),
        "{} bytes",
        allocated.bytes_max
    );
}

/// P178, PK015: twice as many files, read or not, take twice the work. Work is counted in allocations: a
/// clock would tell how busy the machine is.
#[test]
fn work_grows_with_the_files() {
    let here = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let work = |half: usize| {
        let files = package(2 * half, 0);
        here.install(|| {
            allocation_counter::measure(|| {
                check(&read(&files, &limits("files", half as u64)));
            })
        })
        .count_total
    };
    let (once, twice) = (work(500), work(1_000));
    assert!(twice < once * 5 / 2, "{once} for 1,000 files, {twice} for 2,000");
}
