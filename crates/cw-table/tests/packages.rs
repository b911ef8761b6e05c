//! Every real package that is at hand and each of its decks: loaded, dealt, played for five turns, ended.

mod support;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use cw_chance::Seed;
use cw_octgn::{Folder, Package};
use cw_table::{DeckList, DeckProblem, FreeRecord, FreeTable, Kit, TableSeat, TableSettings, TableVerb};

/// Real packages lie beside the project where they are at hand.
fn data() -> Option<PathBuf> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    data.is_dir().then_some(data)
}

fn does(table: &mut FreeTable, seat: TableSeat, line: &str) {
    let verb = table
        .parse(seat, line)
        .unwrap_or_else(|refusal| panic!("{line}: {refusal}"));
    table
        .act(seat, verb)
        .unwrap_or_else(|refusal| panic!("{line}: {refusal}"));
}

/// Plays one deck against itself; says how many cards it has.
fn evening(kit: &Arc<Kit>, deck: &DeckList) -> u64 {
    let mut table = FreeTable::new(
        Arc::clone(kit),
        TableSettings::for_people(&["Ann", "Ben"]),
        Seed::from(7),
    );
    for seat in [TableSeat(0), TableSeat(1)] {
        let mut deck = deck.clone();
        if seat == TableSeat(1) {
            // The shared deck is loaded once.
            deck.parts.retain(|part| !part.shared);
        }
        table
            .act(seat, TableVerb::Load { deck: Arc::new(deck) })
            .expect("the deck fits");
    }
    let has_deck = kit.deck.is_some();
    for seat in [TableSeat(0), TableSeat(1)] {
        if has_deck {
            does(&mut table, seat, "hand 7");
        }
    }
    does(&mut table, TableSeat(0), "active 1");
    for turn in 0..5u8 {
        let seat = TableSeat(turn % 2);
        if has_deck {
            does(&mut table, seat, "draw 1");
        }
        let hand = table
            .state()
            .hand(kit, seat)
            .expect("every package here has a hand");
        let first = table
            .view(seat)
            .pile(hand)
            .and_then(|pile| pile.cards.first().map(|card| card.card.handle));
        if let Some(card) = first {
            let face = if turn == 3 { " down" } else { "" };
            does(&mut table, seat, &format!("move {card} to table{face}"));
            does(&mut table, seat, &format!("rotate {card}"));
            does(&mut table, seat, &format!("marker {card} white +2"));
        }
        if !kit.counters().is_empty() {
            does(&mut table, seat, "counter #0 -1");
        }
        if kit.phases() > 1 {
            does(&mut table, seat, "phase 2");
        }
        does(&mut table, seat, "straighten");
        does(&mut table, seat, "pass");
    }
    assert_eq!(table.state().turn, 5);
    for seat in [TableSeat(0), TableSeat(1)] {
        does(&mut table, seat, "endgame");
    }
    assert!(table.view(TableSeat(0)).ended);
    let text = FreeRecord::write(&table);
    let again = FreeRecord::read(&text)
        .expect("a record")
        .play(kit)
        .expect("it leads to the same states");
    assert_eq!(FreeRecord::write(&again), text);
    deck.count()
}

/// Each deck of each real package is loaded and played with for five
/// turns (F1, F9, F10, F26, F210–F214).
#[test]
fn each_deck_of_each_package_is_played() {
    let Some(data) = data() else {
        eprintln!("SKIPPED each_deck_of_each_package_is_played: there is no ../shared/data");
        return;
    };
    let mut found = Vec::new();
    let mut folders: Vec<PathBuf> = std::fs::read_dir(data)
        .expect("it can be listed")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.join("definition.xml").is_file())
        .collect();
    folders.sort();
    for folder in folders {
        let package = Package::read(&Folder::new(&folder)).expect("it can be read");
        let decks = package.decks.clone();
        let kit = Arc::new(Kit::of(Arc::new(package)));
        let name = folder.file_name().expect("a name").to_string_lossy().into_owned();
        let mut cards = 0;
        for deck in &decks {
            let (mut list, problems) = DeckList::of(&kit, deck);
            for problem in problems {
                if let DeckProblem::Section(section) = problem {
                    list.choose(&section, kit.deck.or(kit.hand).unwrap_or(0) as u16);
                }
            }
            cards += evening(&kit, &list);
        }
        println!(
            "{name}: {} decks, {cards} cards, {} menu entries, {} piles",
            decks.len(),
            kit.actions
                .iter()
                .filter(|action| !action.definition.separator)
                .count(),
            kit.piles.len()
        );
        found.push((name, decks.len()));
    }
    assert!(found.iter().all(|(_, decks)| *decks > 0), "{found:?}");
}
