//! Packages of our own that bring scripts, and people who choose their entries.

use std::sync::Arc;

use cw_octgn::{MemoryFiles, Package, PackageLimits};
use cw_table::{DeckList, DeckPart, Kit, ScriptQuestion, TableEvent, TableSeat, TableSettings, TableVerb};

use super::{ANN, BEN, People};

/// Reads a package with scripts from memory, with the text of its set.
pub fn kit_with(definition: &str, scripts: &[(&str, &str)], set: &str) -> Arc<Kit> {
    let mut files = MemoryFiles::new()
        .with("definition.xml", definition)
        .with("Sets/00000000-0000-0000-0002-000000000009/set.xml", set);
    for (name, text) in scripts {
        files = files.with(*name, *text);
    }
    let package = Package::read(&files).expect("memory can be read");
    let read = Kit::read(&files, package, &PackageLimits::default()).expect("memory can be read");
    Arc::new(read.kit)
}

/// A package of the folder `packages`, as it lies there.
pub fn on_disk(name: &str) -> Arc<Kit> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/packages");
    let files = cw_octgn::Folder::new(root.join(name));
    let package = Package::read(&files).expect("it can be read");
    let read = Kit::read(&files, package, &PackageLimits::default()).expect("it can be read");
    Arc::new(read.kit)
}

pub fn lanterns() -> Arc<Kit> {
    lanterns_with(&[])
}

/// The package with more files.
pub fn lanterns_with(more: &[(&str, &str)]) -> Arc<Kit> {
    lanterns_hearing(&[], more)
}

/// The package with another line in the place of the entry “Count up”.
pub fn lanterns_entry(entry: &str, more: &[(&str, &str)]) -> Arc<Kit> {
    lanterns_changed(
        |definition| {
            let old = "<groupaction menu=\"Count up\" execute=\"countUp\"/>";
            assert!(definition.contains(old), "the entry is there");
            definition.replace(old, entry)
        },
        more,
    )
}

/// The package with more files, whose functions hear of events.
pub fn lanterns_hearing(events: &[(&str, &str)], more: &[(&str, &str)]) -> Arc<Kit> {
    let events = events
        .iter()
        .map(|(name, function)| format!("<event name=\"{name}\" action=\"{function}\"/>"));
    let events = format!("<events>{}</events>", events.collect::<String>());
    let change = |definition: String| {
        definition.replace("  <globalvariables>", &format!("  {events}\n  <globalvariables>"))
    };
    lanterns_changed(change, more)
}

/// The package with another definition and more files.
pub fn lanterns_changed(change: impl FnOnce(String) -> String, more: &[(&str, &str)]) -> Arc<Kit> {
    let mut definition = include_str!("../packages/lanterns/definition.xml").to_owned();
    let mut scripts = vec![
        (
            "scripts/constants.py",
            include_str!("../packages/lanterns/scripts/constants.py"),
        ),
        (
            "scripts/setup.py",
            include_str!("../packages/lanterns/scripts/setup.py"),
        ),
        (
            "scripts/cards.py",
            include_str!("../packages/lanterns/scripts/cards.py"),
        ),
    ];
    definition = change(definition);
    for (name, text) in more {
        definition = definition.replace(
            "  </scripts>",
            &format!("    <script src=\"{name}\"/>\n  </scripts>"),
        );
        scripts.push((name, text));
    }
    let set = include_str!("../packages/lanterns/Sets/00000000-0000-0000-0002-000000000009/set.xml");
    kit_with(&definition, &scripts, set)
}

pub fn mill() -> Arc<Kit> {
    mill_with("")
}

/// The package with more lines behind its own.
pub fn mill_with(more: &str) -> Arc<Kit> {
    let text = format!("{}{more}", include_str!("../packages/mill/scripts/mill.py"));
    kit_with(
        include_str!("../packages/mill/definition.xml"),
        &[("scripts/mill.py", &text)],
        include_str!("../packages/mill/Sets/00000000-0000-0000-0002-000000000009/set.xml"),
    )
}

/// Ann and Ben, each with a deck of so many of each card, unshuffled.
pub fn people(kit: Arc<Kit>, each: u32, seed: u64) -> People {
    people_with(kit, each, seed, |_| ())
}

/// The same with other settings.
pub fn people_with(kit: Arc<Kit>, each: u32, seed: u64, change: impl FnOnce(&mut TableSettings)) -> People {
    let mut settings = TableSettings::for_people(&["Ann", "Ben"]);
    settings.shuffle_after_loading = false;
    change(&mut settings);
    let mut people = People::of(kit, settings, seed);
    let kit = people.table.kit().clone();
    let deck = kit.deck.and_then(|deck| u32::try_from(deck).ok());
    let cards = (0..kit.count()).map(|at| (cw_table::TableModel::Card(at), each));
    let deck = Arc::new(DeckList {
        name: "All".into(),
        parts: vec![DeckPart {
            section: "Main".into(),
            shared: false,
            pile: deck.and_then(|deck| deck.try_into().ok()),
            cards: cards.collect(),
        }],
        sleeve: None,
    });
    for seat in [ANN, BEN] {
        let deck = Arc::clone(&deck);
        people.act(seat, TableVerb::Load { deck }).expect("it fits");
    }
    people
}

impl People {
    /// What a seat is asked by a script.
    #[track_caller]
    pub fn asked(&self, seat: TableSeat) -> (u32, ScriptQuestion) {
        let view = self.table.view(seat);
        let run = view
            .runs
            .iter()
            .find_map(|run| Some((run.id, run.question.clone()?)));
        run.unwrap_or_else(|| panic!("seat {seat} is asked nothing"))
    }

    /// Answers what a seat is asked.
    #[track_caller]
    pub fn replies(&mut self, seat: TableSeat, answer: &str) -> Vec<TableEvent> {
        let (run, _) = self.asked(seat);
        self.does(seat, &format!("reply {run} {answer}"))
    }

    /// A counter of a seat.
    pub fn counter(&self, seat: TableSeat, name: &str) -> i32 {
        let counters = self.table.view(seat).seats[seat.index()].counters.clone();
        let found = counters.into_iter().find(|(own, _)| own == name);
        found.expect("the package has it").1
    }
}
