//! A package with other texts is what reading them all would make of it.

use std::collections::BTreeMap;

use cw_octgn::{CheckedPackage, MemoryFiles, Package, PackageLimits, check, check_after};
use cw_text::FileId;

use crate::support::{GAME, files};

const SETS: [&str; 3] = [
    "0a000000-0000-4000-8000-00000000000a",
    "0a000000-0000-4000-8000-00000000000b",
    "0a000000-0000-4000-8000-00000000000c",
];

fn card(number: u32, name: &str) -> String {
    format!(
        "<card id=\"0b000000-0000-4000-8000-{number:012}\" name=\"{name}\">\n\
         <property name=\"Rarity\" value=\"Rare\"/>\n<property name=\"Power\" value=\"{number}\"/>\n</card>\n"
    )
}

/// Three sets, of which the first includes cards of the second and of none, and two decks, with faults of all
/// sorts.
fn package() -> MemoryFiles {
    let include = |number: u32, set: &str| {
        format!("<include id=\"0b000000-0000-4000-8000-{number:012}\" set=\"{set}\"/>\n")
    };
    let pack = format!(
        "<packaging>\n<pack id=\"0a000000-0000-4000-8000-000000000006\" name=\"p\">\n{}{}\
         <pick qty=\"2\" key=\"Rarity\" value=\"Rare\"/>\n\
         <pick qty=\"1\" key=\"Rarity\" value=\"Rar\"/>\n</pack>\n</packaging>\n",
        include(3, SETS[1]),
        include(4, "0a000000-0000-4000-8000-00000000000d")
    );
    let inside = [
        format!("{pack}<cards>\n{}{}</cards>\n", card(1, "Ada"), card(2, "Ben")),
        format!("<cards>\n{}{}</cards>\n", card(3, "Cleo"), card(4, "Dora")),
        // The same id stands in the first set.
        format!("<cards>\n{}</cards>\n", card(1, "Ada")),
    ];
    let mut files = files("<set/>");
    for (id, inside) in SETS.iter().zip(inside) {
        let text = format!("<set name=\"S\" id=\"{id}\" gameId=\"{GAME}\">\n{inside}</set>\n");
        files = files.with(format!("Sets/{id}/set.xml"), text);
    }
    let line = |number: u32, name: &str| {
        format!("<card qty=\"1\" id=\"0b000000-0000-4000-8000-{number:012}\">{name}</card>\n")
    };
    for (name, lines) in [
        ("one", line(3, "Cleo") + &line(77, "Ben")),
        ("two", line(78, "Adda") + &line(2, "Ben")),
    ] {
        let text = format!("<deck game=\"{GAME}\">\n<section name=\"Main\">\n{lines}</section>\n</deck>\n");
        files = files.with(format!("Decks/{name}.o8d"), text);
    }
    files
}

/// Each text without one of its lines, with one twice, and with its ids counted on.
fn changes(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let mut changed = Vec::new();
    for at in 0..lines.len() {
        let (before, after) = (lines[..at].concat(), lines[at + 1..].concat());
        changed.push(before.clone() + &after);
        changed.push(before.clone() + lines[at] + lines[at] + &after);
        changed.push(before + &lines[at].replace('3', "4") + &after);
    }
    changed.push(text.replace("-00000000000b", "-00000000000d"));
    changed.push(String::new());
    changed
}

/// What is read and checked again is only what a change can touch, and nobody can tell.
#[test]
fn a_change_is_found_as_if_everything_were_read_again() {
    let files = package();
    let before = Package::read(&files).unwrap();
    let checked = check_after(&before, &CheckedPackage::default());
    assert_eq!(checked.found, check(&before));
    let texts: Vec<(FileId, String, String)> = before
        .sources
        .iter()
        .map(|(file, source)| (file, source.name.clone(), source.text.to_string()))
        .filter(|(_, name, _)| name.ends_with("set.xml") || name.ends_with(".o8d"))
        .collect();
    let mut trials: Vec<BTreeMap<FileId, (&str, String)>> = Vec::new();
    for (file, name, text) in &texts {
        trials.extend(
            changes(text)
                .into_iter()
                .map(|text| BTreeMap::from([(*file, (name.as_str(), text))])),
        );
    }
    // Two at once: a set that changes beside one, and beside a deck.
    for pair in texts.windows(2) {
        let both = pair
            .iter()
            .map(|(file, name, text)| (*file, (name.as_str(), text.replace("<card ", "<kard "))));
        trials.push(both.collect());
    }
    trials.push(BTreeMap::new());
    let mut differ = 0;
    for trial in &trials {
        let mut other = files.clone();
        for (name, text) in trial.values() {
            other = other.with(*name, text.as_str());
        }
        let wanted = Package::read(&other).unwrap();
        let given = trial
            .iter()
            .map(|(file, (name, text))| (*file, (*name, text.as_str())))
            .collect();
        let package = before.with_texts(&given).unwrap();
        assert_eq!(
            (&package.sets, &package.decks),
            (&wanted.sets, &wanted.decks),
            "{trial:?}"
        );
        let found = check_after(&package, &checked).found;
        assert_eq!(found, check(&wanted), "{trial:?}");
        differ += usize::from(found != checked.found);
    }
    assert!(trials.len() > 150 && differ > 100, "{} {differ}", trials.len());
}

/// Where not everything was read, or something else changes, all has to be read again.
#[test]
fn what_cannot_be_told_from_a_part_is_not() {
    let files = package();
    let name = |package: &Package, wanted: &str| {
        let mut sources = package.sources.iter();
        sources.find(|(_, source)| source.name == wanted).unwrap().0
    };
    let few = PackageLimits {
        cards: 3,
        ..PackageLimits::default()
    };
    let cut = Package::read_with(&files, &few, cw_text::Sources::new(), &|_| {}).unwrap();
    assert!(cut.with_texts(&BTreeMap::new()).is_none());
    let package = Package::read(&files).unwrap();
    assert!(package.with_texts(&BTreeMap::new()).is_some());
    let definition = name(&package, "definition.xml");
    let change = BTreeMap::from([(definition, ("definition.xml", "<game/>"))]);
    assert!(package.with_texts(&change).is_none());
}
