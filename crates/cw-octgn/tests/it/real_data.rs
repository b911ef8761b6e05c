//! Everything in the shared folder of real packages loads, and nothing is lost on the way.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use cw_octgn::{
    Booster, Folder, MemoryFiles, Odds, OpenedBooster, Opener, PackChance, PackDefinition, PackItem,
    PackOptions, Package, PackageFiles as _, codes, write_deck, write_set,
};
use cw_text::{FindingCode, Severity};

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data");

/// The real packages, or nothing (said loudly) where they are missing.
fn packages() -> Vec<(String, Folder)> {
    let Ok(entries) = std::fs::read_dir(DATA) else {
        eprintln!("SKIPPED: no real packages at {DATA}");
        return Vec::new();
    };
    let mut found: Vec<(String, Folder)> = entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.join("definition.xml").is_file())
        .map(|path| {
            (
                path.file_name().unwrap().to_string_lossy().into_owned(),
                Folder::new(path),
            )
        })
        .collect();
    found.sort_by(|a, b| a.0.cmp(&b.0));
    assert!(!found.is_empty(), "{DATA} is there, but holds no package");
    found
}

/// Counts of what the rules of P182 count.
#[derive(Debug, Default, PartialEq)]
struct Counts {
    cards: usize,
    alternates: usize,
    card_properties: usize,
    alternate_properties: usize,
    packs: usize,
    includes: usize,
    include_properties: usize,
    picks: usize,
    pick_properties: usize,
    options: usize,
    option: usize,
    markers: usize,
}

fn counted_by_model(package: &Package) -> Counts {
    let mut counts = Counts::default();
    for set in &package.sets {
        counts.markers += set.markers.len();
        for card in &set.cards {
            counts.cards += 1;
            counts.card_properties += card.properties.len();
            counts.alternates += card.alternates.len();
            counts.alternate_properties += card
                .alternates
                .iter()
                .map(|form| form.properties.len())
                .sum::<usize>();
        }
        for pack in &set.packs {
            pack_counts(pack, &mut counts);
        }
    }
    counts
}

fn pack_counts(pack: &PackDefinition, counts: &mut Counts) {
    counts.packs += 1;
    counts.includes += pack.includes.len();
    counts.include_properties += pack
        .includes
        .iter()
        .map(|include| include.properties.len())
        .sum::<usize>();
    item_counts(&pack.items, counts);
}

fn item_counts(items: &[PackItem], counts: &mut Counts) {
    for item in items {
        match item {
            PackItem::Pick(pick) => {
                counts.picks += 1;
                counts.pick_properties += pick.criteria.len() - 1;
            }
            PackItem::Options(PackOptions { options, .. }) => {
                counts.options += 1;
                counts.option += options.len();
                for option in options {
                    item_counts(&option.items, counts);
                }
            }
        }
    }
}

fn counted_by_another_library(root: &Path) -> Counts {
    let mut counts = Counts::default();
    let sets = std::fs::read_dir(root.join("Sets")).unwrap();
    for set in sets {
        let text = std::fs::read_to_string(set.unwrap().path().join("set.xml")).unwrap();
        let document = roxmltree::Document::parse(&text).unwrap();
        for node in document.descendants().filter(roxmltree::Node::is_element) {
            let parent = node
                .parent()
                .map(|parent| parent.tag_name().name())
                .unwrap_or_default();
            let count = match (parent, node.tag_name().name()) {
                (_, "card") => &mut counts.cards,
                (_, "alternate") => &mut counts.alternates,
                ("card", "property") => &mut counts.card_properties,
                ("alternate", "property") => &mut counts.alternate_properties,
                ("include", "property") => &mut counts.include_properties,
                ("pick", "property") => &mut counts.pick_properties,
                (_, "pack") => &mut counts.packs,
                (_, "include") => &mut counts.includes,
                (_, "pick") => &mut counts.picks,
                (_, "options") => &mut counts.options,
                (_, "option") => &mut counts.option,
                (_, "marker") => &mut counts.markers,
                _ => continue,
            };
            *count += 1;
        }
    }
    counts
}

/// What is counted in real packages agrees with another XML library (P5, P182).
#[test]
fn counts_agree_with_another_xml_library() {
    for (name, folder) in packages() {
        let package = Package::read(&folder).unwrap();
        assert_eq!(
            counted_by_model(&package),
            counted_by_another_library(folder.root()),
            "{name}"
        );
    }
}

/// P134: every line of every real deck here finds its card.
#[test]
fn decks_find_their_cards() {
    for (name, folder) in packages() {
        let package = Package::read(&folder).unwrap();
        assert!(
            !package.decks.is_empty() || name == "mtg-sample",
            "{name} has decks"
        );
        for deck in &package.decks {
            let resolved = package.resolve(deck);
            let lines: usize = resolved.sections.iter().map(|section| section.lines.len()).sum();
            let written: usize = deck.sections.iter().map(|section| section.cards.len()).sum();
            assert_eq!(lines + resolved.missing.len(), written, "{name}: {}", &*deck.name);
        }
    }
}

/// P181: no real file is malformed; nothing is an error for the reader.
#[test]
fn reading_finds_no_errors() {
    for (name, folder) in packages() {
        let package = Package::read(&folder).unwrap();
        let errors = package
            .diagnostics
            .iter()
            .filter(|finding| finding.severity == Severity::Error);
        let errors: Vec<String> = errors
            .map(|finding| {
                format!(
                    "{} {}: {}",
                    finding.code,
                    package.sources.get(finding.file).name,
                    finding.message
                )
            })
            .collect();
        assert_eq!(errors, Vec::<String>::new(), "{name}");
    }
}

/// What is written reads back as the same package, and is written the same again.
#[test]
fn writing_and_reading_is_the_identity() {
    for (name, folder) in packages() {
        let package = Package::read(&folder).unwrap();
        let definition = std::fs::read(folder.root().join("definition.xml")).unwrap();
        let mut files = MemoryFiles::new().with("definition.xml", definition);
        for set in &package.sets {
            files = files.with(format!("Sets/{}/set.xml", set.folder), write_set(set));
        }
        for deck in &package.decks {
            files = files.with(package.sources.get(deck.file).name.clone(), write_deck(deck));
        }
        let again = Package::read(&files).unwrap();
        assert_eq!(again.sets.len(), package.sets.len());
        for (before, after) in package.sets.iter().zip(&again.sets) {
            let comparable = cw_octgn::PackageSet {
                file: before.file,
                ..(**after).clone()
            };
            assert!(**before == comparable, "{name}: set {}", &*before.name);
            assert_eq!(write_set(before), write_set(after));
        }
        assert_eq!(again.decks.len(), package.decks.len());
        for (before, after) in package.decks.iter().zip(&again.decks) {
            let comparable = cw_octgn::Deck {
                file: before.file,
                ..after.clone()
            };
            assert!(*before == comparable, "{name}: deck {}", &*before.name);
        }
    }
}

/// The errors of the real packages but those about pictures, sounds and fonts (PK140, which `--without-media`
/// leaves out), as lines of `confirmed.txt`: package, file, code, and what is missing or how often.
fn errors_of(name: &str, package: &Package) -> Vec<String> {
    let mut lines = BTreeMap::new();
    for finding in cw_octgn::check(package) {
        if finding.severity != Severity::Error || finding.code == codes::PK140 {
            continue;
        }
        let file = &package.sources.get(finding.file).name;
        let quoted = |text: &str| text.split('`').nth(1).map(str::to_owned);
        let (what, count) = match finding.code {
            codes::PK110 => (quoted(&finding.message).unwrap(), 0),
            codes::PK121 => {
                let number = finding.message.split(' ').find_map(|word| word.parse().ok());
                (String::new(), number.unwrap_or(1))
            }
            _ => (String::new(), 1),
        };
        *lines.entry((finding.code, file.clone(), what)).or_insert(0usize) += count;
    }
    let line = |((code, file, what), count): ((FindingCode, String, String), usize)| match count {
        0 => format!("{name} | {file} | {code} | {what}"),
        _ => format!("{name} | {file} | {code} | {count}"),
    };
    lines.into_iter().map(line).collect()
}

/// What another XML reader says of the same: which files that definitions name are not there, how many
/// includes are of sets that no file is, and how many lines of decks have no card.
fn errors_by_another_library(name: &str, folder: &Folder) -> Vec<String> {
    const MEDIA: [&str; 10] = [
        "jpg", "jpeg", "png", "mp3", "wav", "ogg", "ttf", "gif", "otf", "pdf",
    ];
    let files = folder.list().unwrap();
    let read = |file: &str| std::fs::read_to_string(folder.root().join(file)).unwrap();
    let (mut missing, mut includes, mut decks) = (Vec::new(), Vec::new(), Vec::new());
    let definition = read("definition.xml");
    let definition = roxmltree::Document::parse(&definition).unwrap();
    let named = definition.descendants().flat_map(|node| node.attributes());
    for path in named.filter(|one| ["src", "source", "definitionsrc"].contains(&one.name())) {
        let path = path.value().replace('\\', "/");
        let there = files.iter().any(|file| file.eq_ignore_ascii_case(&path));
        if !there && !MEDIA.iter().any(|end| path.ends_with(end)) {
            missing.push(format!("{name} | definition.xml | PK110 | {path}"));
        }
    }
    let folded = |text: &str| text.trim().replace('Æ', "AE").to_lowercase();
    let (mut sets, mut ids, mut names) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    let set_files = || files.iter().filter(|file| file.ends_with("/set.xml"));
    for file in set_files() {
        let text = read(file);
        let document = roxmltree::Document::parse(&text).unwrap();
        sets.extend(document.root_element().attribute("id").map(str::to_lowercase));
        for card in document.descendants().filter(|node| node.has_tag_name("card")) {
            ids.extend(card.attribute("id").map(str::to_lowercase));
            names.extend(card.attribute("name").map(folded));
        }
    }
    let counted = |file: &str, code: &str, count: usize| format!("{name} | {file} | {code} | {count}");
    for file in set_files() {
        let text = read(file);
        let document = roxmltree::Document::parse(&text).unwrap();
        let of = document.descendants().filter(|node| node.has_tag_name("include"));
        let lost = of.filter(|node| !sets.contains(&node.attribute("set").unwrap().to_lowercase()));
        includes.push(counted(file, "PK090", lost.count()));
    }
    for file in files.iter().filter(|file| file.ends_with(".o8d")) {
        let text = read(file);
        let document = roxmltree::Document::parse(text.trim_start_matches('\u{feff}')).unwrap();
        let lines = document.descendants().filter(|node| node.has_tag_name("card"));
        let lost = lines.filter(|node| {
            !ids.contains(&node.attribute("id").unwrap().to_lowercase())
                && !names.contains(&folded(node.text().unwrap_or_default()))
        });
        decks.push(counted(file, "PK121", lost.count()));
    }
    let all = missing.into_iter().chain(includes).chain(decks);
    all.filter(|line| !line.ends_with(" | 0")).collect()
}

/// What is called an error in the real packages is one: `confirmed.txt` says why, line by line, and another
/// reader comes to the same.
#[test]
fn errors_in_real_packages_are_those_that_a_person_has_confirmed() {
    let confirmed: BTreeSet<&str> = include_str!("confirmed.txt")
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .collect();
    let (mut found, mut true_ones) = (BTreeSet::new(), BTreeSet::new());
    for (name, folder) in packages() {
        let package = Package::read(&folder).unwrap();
        found.extend(errors_of(&name, &package));
        true_ones.extend(errors_by_another_library(&name, &folder));
    }
    if packages().is_empty() {
        return;
    }
    let found: BTreeSet<&str> = found.iter().map(String::as_str).collect();
    let lines = |some: &BTreeSet<&str>, others: &BTreeSet<&str>| {
        some.difference(others)
            .map(ToString::to_string)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        lines(&found, &confirmed),
        Vec::<String>::new(),
        "nobody has confirmed these"
    );
    assert_eq!(
        lines(&confirmed, &found),
        Vec::<String>::new(),
        "these are not found any more"
    );
    let true_ones: BTreeSet<&str> = true_ones.iter().map(String::as_str).collect();
    assert_eq!(
        lines(&found, &true_ones),
        Vec::<String>::new(),
        "another reader sees no error here"
    );
    assert_eq!(
        lines(&true_ones, &found),
        Vec::<String>::new(),
        "only another reader sees these"
    );
}

/// P117: for ten real packs, the exact odds and a million opened packs agree; sums are exactly 1.
#[test]
fn odds_of_real_packs_agree_with_opened_ones() {
    const PACKS: u32 = 1_000_000;
    let mut left = 10;
    for (name, folder) in packages() {
        let package = Package::read(&folder).unwrap();
        // Not more than six of one game.
        let mut of_game = 6;
        for (index, set) in package.sets.iter().enumerate() {
            for (place, pack) in set.packs.iter().enumerate() {
                let booster = Booster::new(&package, index, place);
                let odds = Odds::new(&booster);
                let size = odds.size().unwrap();
                if left == 0 || of_game == 0 || size.exactly(0) == size.at_least(0) {
                    continue;
                }
                left -= 1;
                of_game -= 1;
                assert_eq!(size.at_least(0).to_string(), "1", "{name}: {}", &*pack.name);
                agree(&booster, &odds, PACKS, &format!("{name}: {}", &*set.name));
            }
        }
    }
    assert!(left == 0 || packages().is_empty());
}

#[track_caller]
fn agree(booster: &Booster, odds: &Odds<'_>, packs: u32, what: &str) {
    let expected = odds.expected();
    let mut counts = vec![0u32; booster.pool.len()];
    let mut cards = 0usize;
    let mut opener = Opener::new(booster);
    let (mut chance, mut out) = (PackChance::new(9), OpenedBooster::default());
    for _ in 0..packs {
        opener.open(&mut chance, &mut out);
        cards += out.limited.len();
        for drawn in &out.limited {
            counts[drawn.entry as usize] += 1;
        }
    }
    for (entry, (count, exact)) in counts.iter().zip(&expected).enumerate() {
        let exact = cw_octgn::to_f64(exact);
        let mean = f64::from(*count) / f64::from(packs);
        // Six standard deviations, of up to three copies in a pack.
        let bound = 6.0 * (3.0 * exact / f64::from(packs)).sqrt() + 1e-12;
        assert!(
            (mean - exact).abs() <= bound,
            "{what}: entry {entry}: {mean} against {exact}"
        );
    }
    let mean = cw_octgn::to_f64(&odds.size().unwrap().mean());
    assert!((cards as f64 / f64::from(packs) - mean).abs() < 0.05, "{what}");
}
