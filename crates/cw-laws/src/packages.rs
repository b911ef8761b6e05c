//! Packages, their archives, decks, packs and queries.

use std::sync::LazyLock;

use cw_octgn::{
    Archive, BigRational, Booster, CardQuery, Deck, MemoryFiles, Odds, OpenedBooster, Opener, PackChance,
    Package, PackageFiles, PackageLimits, check, deck_text, forms, is_card_list, write_deck, write_set,
};
use cw_text::{Diagnostic, Severity, Sources};

pub(crate) const DEFINITION: &str = include_str!("../../../fuzz/seeds/definition.xml");
pub(crate) const SET: &str = include_str!("../../../fuzz/seeds/octgn_set/sound.xml");

/// A package of one set.
fn package(definition: &[u8], set: &[u8]) -> Package {
    let files = MemoryFiles::new()
        .with("definition.xml", definition)
        .with("Sets/s/set.xml", set);
    Package::read(&files).expect("memory can be read")
}

/// Checks a package; every finding stands at a place.
fn checked(package: &Package) {
    let found = check(package);
    let in_text = |found: &Diagnostic| {
        let text = &package.sources.get(found.file).text;
        text.get(found.span.range()).is_some()
    };
    let mut all = package.diagnostics.iter().chain(&found);
    assert!(all.all(in_text));
}

pub(crate) fn definition(bytes: &[u8]) {
    checked(&package(bytes, SET.as_bytes()));
}

pub(crate) fn set(bytes: &[u8]) {
    let read = package(DEFINITION.as_bytes(), bytes);
    checked(&read);
    let errors = read
        .diagnostics
        .iter()
        .any(|finding| finding.severity == Severity::Error);
    if let Some(set) = read.sets.first().filter(|_| !errors) {
        let again = package(DEFINITION.as_bytes(), write_set(set).as_bytes());
        assert_eq!(again.sets.first(), Some(set));
    }
}

/// What was opened is of the pool, and as many cards as can come: sizes, shares and expectation agree.
pub(crate) fn packs(bytes: &[u8]) {
    let package = package(DEFINITION.as_bytes(), bytes);
    let Some(set) = package.sets.first() else {
        return;
    };
    for number in 0..set.packs.len().min(3) {
        let booster = Booster::new(&package, 0, number);
        let (mut opener, mut opened) = (Opener::new(&booster), OpenedBooster::default());
        let odds = Odds::new(&booster);
        let expected: BigRational = odds.expected().into_iter().sum();
        let sizes = odds.size().ok();
        if let Some(sizes) = &sizes {
            assert_eq!(sizes.mean(), expected);
        }
        for seed in 0..3 {
            opener.open(&mut PackChance::new(seed), &mut opened);
            let in_pool = |entry: u32| (entry as usize) < booster.pool.len();
            let mut drawn = opened.limited.iter().chain(&opened.unlimited);
            assert!(drawn.all(|drawn| in_pool(drawn.entry)));
            if let Some(sizes) = &sizes {
                let none = BigRational::from_integer(0.into());
                assert!(sizes.exactly(opened.limited.len()) > none);
            }
        }
    }
}

pub(crate) fn deck(bytes: &[u8]) {
    let read = |bytes: Vec<u8>| Deck::read("d.o8d", bytes, &PackageLimits::default(), &mut Sources::new()).0;
    if let Some(deck) = read(bytes.to_vec()) {
        let again = read(write_deck(&deck).into_bytes()).expect("what is written can be read");
        assert_eq!(again.sections, deck.sections);
    }
}

/// Cards whose names look like something else, and two sections.
fn list_package() -> Package {
    let sections = "<section name=\"Main\" group=\"Deck\"/><section name=\"Sideboard\" group=\"Deck\"/>";
    let definition = DEFINITION.replace("<section name=\"Main\" group=\"Deck\"/>", sections);
    let names = [
        "A",
        "Rook",
        "3 A",
        "3x A",
        "A x3",
        "x",
        "7 Wonders",
        "A // B",
        "#1 Fan",
        "A (S)",
        "Séance",
        "Resume",
        "Résumé",
        "Boeing x7",
        "A:",
        "- A",
    ];
    let card = |(number, name): (usize, &&str)| {
        format!("<card id=\"0b000000-0000-4000-8000-0000000000{number:02}\" name=\"{name}\"/>")
    };
    let cards: String = names.iter().enumerate().map(card).collect();
    let set = format!(
        "<set name=\"S\" id=\"0a000000-0000-4000-8000-000000000002\" \
         gameId=\"0a000000-0000-4000-8000-000000000001\"><cards>{cards}</cards></set>"
    );
    package(definition.as_bytes(), set.as_bytes())
}

/// What is read of a list is written and read back: the same cards, as often, in the same sections.
pub(crate) fn list(bytes: &[u8]) {
    static PACKAGE: LazyLock<Package> = LazyLock::new(list_package);
    let read = |bytes: Vec<u8>| {
        let mut sources = Sources::new();
        let (deck, found) = PACKAGE.read_deck("list.txt", bytes, &PackageLimits::default(), &mut sources);
        let in_text = |found: &Diagnostic| sources.get(found.file).text.get(found.span.range()).is_some();
        assert!(found.iter().all(in_text));
        deck
    };
    let lines = |deck: &Deck| {
        let mut lines: Vec<(String, String, i64)> = Vec::new();
        for section in &deck.sections {
            for card in section.cards.iter().filter(|card| !card.id.is_nil()) {
                let count = i64::from(card.quantity.value);
                lines.push((section.name.to_string(), card.id.value.to_string(), count));
            }
        }
        lines
    };
    if let Some(deck) = read(bytes.to_vec()).filter(|_| is_card_list("list.txt", bytes)) {
        let again = read(deck_text(&PACKAGE, &deck).into_bytes()).expect("what is written can be read");
        assert_eq!(lines(&again), lines(&deck));
    }
}

pub(crate) fn query(bytes: &[u8]) {
    static PACKAGE: LazyLock<Package> = LazyLock::new(|| package(DEFINITION.as_bytes(), SET.as_bytes()));
    let text = String::from_utf8_lossy(bytes);
    match CardQuery::parse(&text, &PACKAGE.definition) {
        Ok(query) => {
            let found = forms(&PACKAGE).filter(|form| query.matches(form)).count();
            assert!(found <= forms(&PACKAGE).count());
        }
        Err(error) => assert!(text.get(error.span.range()).is_some()),
    }
}

pub(crate) fn archive(bytes: &[u8]) {
    let limits = PackageLimits {
        file: 1 << 20,
        unpacked: 8 << 20,
        ..PackageLimits::default()
    };
    let Ok(archive) = Archive::new(bytes.to_vec(), &limits) else {
        return;
    };
    for name in archive.list().expect("an archive can be listed") {
        assert!(!name.starts_with('/') && !name.split('/').any(|part| part == ".."));
        if let Ok(bytes) = archive.read(&name, limits.file) {
            assert!(bytes.len() as u64 <= limits.file);
        }
    }
    if let Ok(package) = Package::read_with(&archive.package(), &limits, cw_text::Sources::new(), &|_| {}) {
        checked(&package);
    }
}
