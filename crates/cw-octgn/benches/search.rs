//! How fast the pages' search answers on 80,000 forms: every real package, its cards repeated under other
//! names and texts until there are so many.
//!
//! `cargo bench -p cw-octgn --bench search`. Skips itself where the real packages are missing.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a benchmark reports and fails loudly"
)]

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use cw_octgn::{Aliases, CardIndex, CardQuery, Folder, Package, PropertyValue, Str};

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data");
const FORMS: usize = 80_000;
/// What players type, letter by letter, and what is hard: patterns, orders, comparisons, what no card has.
const QUERIES: [&str; 16] = [
    "",
    "d",
    "dra",
    "draw a card",
    "name:el",
    "-the or of",
    "type:creature",
    "t",
    "set:a order:-name",
    "/\\bdraws? (two|three)\\b/",
    "name:/^s.*r$/ -is:alternate",
    "cost>=3 or cmc>=3",
    "(one or two) three not four order:name",
    "unique:cards order:name",
    "name=\"No such name\"",
    "text:nosuchwordatall",
];

fn main() {
    let Ok(entries) = std::fs::read_dir(DATA) else {
        eprintln!("SKIPPED: no real packages at {DATA}");
        return;
    };
    let mut folders: Vec<_> = entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir())
        .collect();
    folders.sort();
    for folder in folders {
        measure(&folder);
    }
}

fn measure(folder: &Path) {
    let mut package = Package::read(&Folder::new(folder)).unwrap();
    let own = CardIndex::new(&package).len();
    let sets = package.sets.clone();
    for time in 2..=FORMS.div_ceil(own) {
        for set in &sets {
            let mut set = (**set).clone();
            for card in &mut set.cards {
                card.name.value = Str::from(format!("{} {time}", *card.name));
                for property in &mut card.properties {
                    // Long texts are the ones that differ from card to card.
                    if let PropertyValue::Text(text) = &mut property.value.value
                        && text.len() > 30
                    {
                        *text = Str::from(format!("{text} {time}"));
                    }
                }
            }
            package.sets.push(Arc::new(set));
        }
    }
    let begun = Instant::now();
    let index = CardIndex::new(&package);
    let made = begun.elapsed();
    let every = CardQuery::parse("", &package.definition).unwrap();
    let mut times: Vec<(Duration, &str, usize)> = Vec::new();
    for text in QUERIES {
        let Ok(query) = CardQuery::parse_with(text, &package.definition, &Aliases::new()) else {
            continue;
        };
        for _ in 0..20 {
            let begun = Instant::now();
            let found = index.select(&package, &query, false, &[]);
            // A page shows the values of every facet, and what may have been meant.
            for facet in 0..index.facets().len() {
                std::hint::black_box(index.values(facet, &found));
            }
            if found.is_empty() {
                std::hint::black_box(index.near_misses(&package, &query, false));
            }
            times.push((begun.elapsed(), text, found.len()));
        }
    }
    let all = index.select(&package, &every, true, &[]).len();
    times.sort();
    let at = |part: usize| times[times.len() * part / 100].0.as_secs_f64() * 1000.0;
    let (slowest, text, found) = times[times.len() - 1];
    println!(
        "{}: {all} forms laid out in {:.0} ms; a search with {} facets: \
         median {:.1} ms, 95 % within {:.1} ms, slowest {:.1} ms (`{text}`, {found} found)",
        folder.file_name().unwrap_or_default().display(),
        made.as_secs_f64() * 1000.0,
        index.facets().len(),
        at(50),
        at(95),
        slowest.as_secs_f64() * 1000.0,
    );
}
