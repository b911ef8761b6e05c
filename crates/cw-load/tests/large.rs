//! Packages with more cards than a game can number.

use std::fmt::Write as _;
use std::path::Path;

use cw_load::load;
use cw_octgn::{Folder, MemoryFiles};

/// The demo game with a further set of so many plain cards.
fn with_cards(count: usize) -> MemoryFiles {
    let folder = Folder::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/saltmarsh"));
    let files = MemoryFiles::copy_of(&folder, 1 << 24).expect("the demo game can be read");
    let loaded = load(files.clone()).expect("the demo game can be read");
    let game = loaded.project.package.definition.id.value;
    let mut set = format!(
        "<set name=\"Many\" id=\"0a000000-0000-4000-8000-000000000001\" \
         gameId=\"{game}\" gameVersion=\"1.0.0.0\" version=\"1.0.0.0\"><cards>"
    );
    for card in 0..count {
        write!(
            set,
            r#"<card id="0b000000-0000-4000-8000-{card:012}" name="C{card}"/>"#
        )
        .expect("it is a string");
    }
    set += "</cards></set>";
    files.with("Sets/many/set.xml", set)
}

/// G33: with more cards than it can number a package is not played, instead of with the wrong ones; just
/// below it is, and its decks hold what they should.
#[test]
fn more_cards_than_can_be_numbered_are_refused_in_a_sentence() {
    let plain = load(with_cards(0)).expect("it can be read");
    let own = plain.project.refs().len();
    let most = load(with_cards(65_535 - own)).expect("it can be read");
    let game = most.game.as_ref().expect("it can be played");
    assert_eq!(game.models.len(), 65_535);
    for (deck, same) in most.decks.iter().zip(&plain.decks) {
        let names = |loaded: &cw_load::Loaded, deck: &cw_load::LoadedDeck| -> Vec<String> {
            let game = loaded.game.as_ref().expect("it can be played");
            deck.cards
                .iter()
                .map(|model| game.model(*model).name.to_string())
                .collect()
        };
        assert_eq!(names(&most, deck), names(&plain, same));
    }
    let more = load(with_cards(65_536 - own)).expect("it can be read");
    assert!(more.game.is_none());
    let told: Vec<String> = more
        .project
        .obstacles()
        .iter()
        .filter(|found| found.code.0 == "CW007")
        .map(|found| found.message.clone())
        .collect();
    assert_eq!(
        told,
        ["the package has 65536 cards; at most 65535 can be played with"]
    );
}
