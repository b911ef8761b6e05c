//! What checking a large package costs, as a share of a bare parse of the same bytes; all in one run, on one core.
//!
//! `cargo bench -p cw-load --bench packages` makes a package of 60 MB: most lines of its decks have ids of other days,
//! some name cards that are not there, so mends are offered and tried. With `-- FOLDER` it takes that package; with
//! `-- made check` or `-- FOLDER check` it does only one thing, five times, to be profiled.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark reports and fails loudly"
)]

use std::fmt::Write as _;
use std::hint::black_box;
use std::time::{Duration, Instant};

use cw_load::Project;
use cw_octgn::{Folder, MemoryFiles, Package, PackageFiles, PackageLimits};
use quick_xml::Reader;
use quick_xml::events::Event;

const GAME: &str = "0a000000-0000-4000-8000-000000000000";

/// Properties of the game's cards.
const NAMES: [&str; 10] = [
    "Kind", "Subtype", "Cost", "Colour", "Rarity", "Power", "Number", "Artist", "Text", "Flavor",
];

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
        None => generated(316, 180, 200),
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
            "mends are tried"
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

/// What any reader has to do: all events, all attributes.
fn bare_parse(text: &str) -> usize {
    let mut reader = Reader::from_str(text);
    let mut count = 0;
    loop {
        match reader.read_event().unwrap() {
            Event::Eof => return count,
            Event::Start(tag) | Event::Empty(tag) => {
                for attribute in tag.attributes() {
                    count += attribute.unwrap().value.len();
                }
            }
            _ => {}
        }
    }
}

/// A word of no language, another one for each number.
fn word(number: usize) -> String {
    let syllables = [
        "ka", "lo", "mir", "tus", "ven", "zy", "ba", "dro", "fel", "gin", "hu", "qua", "rex",
    ];
    let mixed = number.wrapping_mul(2_654_435_761);
    (0..4)
        .map(|at| syllables[(mixed >> (at * 5 + 3)) % syllables.len()])
        .collect()
}

/// A package of so many sets, each of so many kB, and so many decks.
fn generated(sets: usize, kilobytes: usize, decks: usize) -> MemoryFiles {
    let properties = NAMES
        .map(|name| format!(r#"<property name="{name}" type="String"/>"#))
        .concat();
    let definition = format!(
        r#"<game name="Big" id="{GAME}" octgnVersion="3.4.0.0" version="1.0.0.0" tags="x" authors="x" gameurl="https://example.org" iconurl="https://example.org/i.png"><card name="Default" front="f.png" back="b.png" width="63" height="88" cornerRadius="3">{properties}</card><deck><section name="Main" group="Deck"/></deck></game>"#
    );
    let mut files = MemoryFiles::new().with("definition.xml", definition);
    let mut names = Vec::new();
    for set in 0..sets {
        let id = format!("0b000000-0000-4000-8000-{set:012}");
        let mut text = format!(
            "<set name=\"Set {set}\" id=\"{id}\" gameId=\"{GAME}\" version=\"1.0.0.0\">\r\n<cards>\r\n"
        );
        let mut card = 0;
        while text.len() < kilobytes << 10 {
            let number = set * 1000 + card;
            let name = format!("{} of {} {number}", word(number), word(number / 7 + 3));
            write!(
                text,
                "<card id=\"0c{set:06}-0000-4000-8000-{card:012}\" name=\"{name}\">\r\n"
            )
            .unwrap();
            for (at, property) in NAMES.iter().enumerate() {
                let value = match at {
                    8 => format!(
                        "Look at the top {} cards of your library.&#10;Put one into your hand.",
                        number % 7
                    ),
                    9 => format!(
                        "“Nobody counts the {} steps twice,” said the keeper.",
                        number % 997
                    ),
                    _ => format!("{property} {}", number * (at + 3) % 89),
                };
                write!(text, "<property name=\"{property}\" value=\"{value}\" />\r\n").unwrap();
            }
            text.push_str("</card>\r\n");
            names.push(name);
            card += 1;
        }
        text.push_str("</cards>\r\n</set>\r\n");
        files = files.with(format!("Sets/{id}/set.xml"), text);
    }
    for deck in 0..decks {
        let mut text = format!("<deck game=\"{GAME}\"><section name=\"Main\" shared=\"False\">\r\n");
        for line in 0..20 {
            let name = &names[(deck * 977 + line * 31) % names.len()];
            // One of five has a slip, so that somebody has to look for the name that was meant.
            let name = if line % 5 == 0 {
                name.replacen('e', "o", 1)
            } else {
                name.clone()
            };
            write!(
                text,
                "<card qty=\"1\" id=\"0d{deck:06}-0000-4000-8000-{line:012}\">{name}</card>\r\n"
            )
            .unwrap();
        }
        text.push_str("</section></deck>\r\n");
        files = files.with(format!("Decks/Deck {deck}.o8d"), text);
    }
    files
}
