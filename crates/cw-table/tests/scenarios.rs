//! The scenarios of the specification's appendix A, one by one, and what they do not reach.

mod support;

use std::collections::BTreeMap;
use std::sync::Arc;

use cw_octgn::{Booster, Deck, FilePlace, OpenedBooster, Opener, PackChance, PackageLimits};
use cw_table::{
    CardGroup, DeckList, DeckProblem, EntryMark, FreeRecord, Kit, Looker, LookerSet, Quarter, Rights,
    StateHash, TableEvent, TableSeat, TableSettings, TableVerb, TableView, VerbRefusal, Viewers,
};
use support::{ANN, BEN, People, kit, package_of};

/// Names as text.
fn names(list: &[&str]) -> Vec<String> {
    list.iter().map(|name| (*name).to_owned()).collect()
}

/// Scenario 1. F1, F98.
#[test]
fn s01_a_table_needs_a_readable_definition_only() {
    let bare =
        "<game name=\"Bare\"><card width=\"50\" height=\"70\"/><table name=\"Table\"/><player/></game>";
    let kit = Arc::new(Kit::of(package_of(bare)));
    let mut people = People::of(kit, TableSettings::for_seats(2), 1);
    people.does(ANN, "note 10,10 hello");
    let rolled = people.does(BEN, "roll 1d6");
    assert!(people.read(&rolled, ANN).starts_with("Seat 2 rolls 1d6: "));
    people.does(ANN, "create Stranger");
    let view = people.table.view(BEN);
    assert_eq!((view.notes.len(), view.table.len(), view.piles.len()), (1, 1, 0));
    assert_eq!(
        view.table[0].face.as_ref().map(|face| face.name.as_str()),
        Some("Stranger")
    );
    assert_eq!(people.fails(ANN, "draw 1"), VerbRefusal::NoDeck);
}

/// Scenario 2. F8, F9, F19, F26.
#[test]
fn s02_a_legacy_hand_is_shown_as_hand() {
    let definition = "\
        <game name=\"Old\">\
            <player summary=\"{#HQ/Grip} of {#Hand}\"><hand name=\"HQ/Grip\" visibility=\"me\"/></player>\
            <deck><section name=\"Start\" group=\"HQ/Grip\"/></deck>\
        </game>";
    let kit = Arc::new(Kit::of(package_of(definition)));
    assert_eq!(kit.piles[0].name, "Hand");
    assert_eq!(kit.section("Start", false), Some(0));
    let mut people = People::of(kit, TableSettings::for_seats(1), 1);
    people.does(ANN, "load Mine section Start own 0 2*Apple 1*Pear");
    assert_eq!(people.table.view(ANN).seats[0].summary, "3 of 3");
    assert_eq!(people.known(ANN, ANN, "Hand").len(), 3);
}

/// Scenario 3. F71, F74.
#[test]
fn s03_drawing_more_than_there_is() {
    let mut people = People::with_decks();
    people.does(ANN, "movetop Deck 10 to Shed");
    let drawn = people.does(ANN, "draw 3");
    assert_eq!(
        people.read(&drawn, BEN),
        "Ann draws 2 cards from Deck (3 were wanted)"
    );
    assert_eq!(
        people.read(&drawn, ANN),
        "Ann draws 2 cards: Apricot, Peach from Deck (3 were wanted)"
    );
}

/// Scenario 4. F67, F154, F155.
#[test]
fn s04_playing_a_card_up_and_down() {
    let mut people = People::with_decks();
    people.does(ANN, "draw 2");
    let apple = people.handle(ANN, "Apple");
    let played = people.does(ANN, &format!("move Hand:{apple} to table"));
    assert_eq!(
        people.read(&played, BEN),
        "Ann moves Apple from Hand to the table"
    );
    let pear = people.handle(ANN, "Pear");
    let played = people.does(ANN, &format!("move Hand:{pear} to table down"));
    assert_eq!(
        people.read(&played, BEN),
        "Ann moves a card from Hand to the table, face down"
    );
    assert_eq!(
        people.read(&played, ANN),
        "Ann moves Pear from Hand to the table, face down"
    );
    let view = people.table.view(BEN);
    let hidden = view.table.last().expect("it lies there");
    assert_eq!(
        (hidden.face.clone(), hidden.up, hidden.seen_by),
        (None, false, LookerSet::NONE)
    );
    assert_eq!(people.names_in(BEN), names(&["Apple"]));
}

/// Scenario 5. F66.
#[test]
fn s05_a_card_that_changes_its_group_loses_everything() {
    let mut people = People::with_decks();
    people.does(ANN, "draw 1");
    let apple = people.handle(ANN, "Apple");
    people.does(ANN, &format!("move {apple} to table"));
    for line in [
        "marker {} Worm +3",
        "highlight {} #FF0000",
        "rotate {}",
        "form {}",
        "anchor {}",
        "lock {}",
        "target {}",
    ] {
        people.does(ANN, &line.replace("{}", &apple.to_string()));
    }
    people.does(ANN, &format!("cardnote {apple} mine"));
    let view = people.table.view(BEN);
    let card = &view.table[0];
    assert_eq!(
        card.face.as_ref().map(|face| face.name.as_str()),
        Some("Rotten Apple")
    );
    assert_eq!(
        (card.markers.as_slice(), card.quarter),
        (&[(0, 3)][..], Quarter::One)
    );
    people.does(ANN, &format!("move {apple} to Basket"));
    people.does(ANN, &format!("move {apple} to table"));
    let view = people.table.view(BEN);
    let card = &view.table[0];
    assert_eq!(
        card.face.as_ref().map(|face| (face.name.as_str(), face.form)),
        Some(("Apple", 0))
    );
    assert!(
        card.markers.is_empty() && card.highlight.is_none() && card.target.is_none() && card.note.is_none()
    );
    assert!(!card.anchored && !card.locked && card.quarter == Quarter::Zero);
}

/// Scenario 6. F70.
#[test]
fn s06_moving_on_the_table_keeps_everything() {
    let mut people = People::with_decks();
    people.does(ANN, "movetop Deck 1 to table");
    let card = people.highest(ANN);
    people.does(ANN, &format!("marker {card} Worm +3"));
    people.does(ANN, &format!("rotate {card}"));
    let before = people.table.view(BEN).table[0].clone();
    let moved = people.does(ANN, &format!("place {card} {},{}", before.x + 10, before.y));
    assert_eq!(people.read(&moved, BEN), "", "a movement, no line (F73)");
    let after = people.table.view(BEN).table[0].clone();
    assert_eq!(after.x, before.x + 10);
    assert_eq!(cw_table::TableCardView { x: before.x, ..after }, before);
}

/// Scenario 7. F83.
#[test]
fn s07_peeking_is_told_and_lasts_until_the_card_is_turned() {
    let mut people = People::with_decks();
    people.does(ANN, "movetop Deck 1 to table down");
    let card = people.highest(ANN);
    assert!(people.names_in(ANN).is_empty());
    let peeked = people.does(ANN, &format!("peek {card}"));
    assert_eq!(people.read(&peeked, BEN), "Ann peeks at a card on the table");
    assert_eq!(people.read(&peeked, ANN), "Ann peeks at Apple on the table");
    assert_eq!(
        (people.names_in(ANN), people.names_in(BEN).len()),
        (names(&["Apple"]), 0)
    );
    people.does(ANN, &format!("turn {card} up"));
    people.does(ANN, &format!("turn {card} down"));
    assert!(
        people.names_in(ANN).is_empty(),
        "the peek ended when it was turned"
    );
    let peeked = people.does(ANN, "peek Deck:@3");
    assert_eq!(
        people.read(&peeked, BEN),
        "Ann peeks at a card in Deck, place 3 from the top"
    );
    people.does(ANN, "shuffle Deck");
    assert!(people.names_in(ANN).is_empty(), "and when it was shuffled");
}

/// The number of the question that waits.
fn question(people: &People) -> u32 {
    people
        .table
        .state()
        .questions
        .last()
        .expect("a question waits")
        .id
}

/// Scenario 8. F16, F80, F157.
#[test]
fn s08_looking_into_anothers_deck_needs_consent() {
    let mut people = People::with_decks();
    let asked = people.does(BEN, "look 1/Deck top 2");
    assert_eq!(
        people.read(&asked, ANN),
        "Ben asks Ann to let them look at the top 2 cards of Ann's Deck (question 1)"
    );
    assert!(people.names_in(BEN).is_empty());
    assert_eq!(people.fails(BEN, "answer 1 yes"), VerbRefusal::NoQuestion);
    let answered = people.does(ANN, "answer 1 yes");
    for looker in [Looker::Seat(ANN), Looker::Seat(BEN), Looker::Spectators] {
        let read = people.read(&answered, looker);
        assert!(
            read.ends_with("Ben looks at the top 2 cards of Ann's Deck"),
            "{read}"
        );
    }
    assert_eq!(people.names_in(BEN), names(&["Apple", "Pear"]));
    assert!(people.names_in(ANN).is_empty() && people.names_in(Looker::Spectators).is_empty());
    people.does(ANN, "draw 1");
    assert_eq!(
        people.known(BEN, ANN, "Deck"),
        [(Some(0), Some("Pear".to_owned()))]
    );
    people.does(BEN, "close 1/Deck");
    assert!(people.names_in(BEN).iter().all(|name| name != "Pear"));
    // This time only: the next look asks again.
    people.does(BEN, "look 1/Deck top 1");
    let id = question(&people);
    people.does(ANN, &format!("answer {id} always"));
    people.does(BEN, "close 1/Deck");
    people.does(BEN, "look 1/Deck top 1");
    assert!(people.table.state().questions.is_empty(), "for good is for good");
}

/// Who asks may withdraw the question; nobody else may for them (F16, F132).
#[test]
fn a_question_is_withdrawn_by_who_asked() {
    let mut people = People::with_decks();
    people.does(BEN, "look 1/Deck top 2");
    let id = question(&people);
    assert_eq!(
        people.fails(BEN, &format!("answer {id} yes")),
        VerbRefusal::NoQuestion
    );
    let withdrawn = people.does(BEN, &format!("answer {id} no"));
    assert_eq!(
        people.read(&withdrawn, ANN),
        format!("Ben withdraws question {id}")
    );
    assert_eq!(
        people.fails(ANN, &format!("answer {id} yes")),
        VerbRefusal::NoQuestion
    );
    people.does(ANN, "draw 1");
    people.does(ANN, "propose 2");
    let id = question(&people);
    people.does(ANN, &format!("answer {id} no"));
    assert!(people.table.state().questions.is_empty());
    // The next proposal need not wait for an answer to that one.
    people.does(BEN, "propose 2");
}

/// Scenario 9. F82, F164.
#[test]
fn s09_reordering_tells_a_number_and_nothing_else() {
    let mut views: Vec<TableView> = Vec::new();
    for order in ["1,2,3", "1,3,2", "2,1,3", "2,3,1", "3,1,2", "3,2,1"] {
        let mut people = People::with_decks();
        people.does(ANN, "look Deck top 3");
        let handles: Vec<String> = ["Apple", "Pear", "Plum"]
            .iter()
            .map(|name| people.handle(ANN, name).to_string())
            .collect();
        let told = people.does(ANN, &format!("reorder Deck:{} to {order}", handles.join(",")));
        assert_eq!(people.read(&told, BEN), "Ann reorders 3 cards of Deck");
        people.does(ANN, "close Deck");
        views.push(people.table.view(BEN));
        if order == "2,3,1" {
            assert_eq!(
                people.truth(ANN, "Deck")[..4],
                ["Plum", "Apple", "Pear", "Quince"]
            );
        }
    }
    assert!(views.windows(2).all(|pair| pair[0] == pair[1]));
}

/// Scenario 10. F78, F153.
#[test]
fn s10_shuffling_turns_the_top_card_down() {
    let mut people = People::with_decks();
    people.does(ANN, "turn Deck:@1 up");
    let before = people.handle(BEN, "Apple");
    assert_eq!(
        people.known(BEN, ANN, "Deck"),
        [(Some(0), Some("Apple".to_owned()))]
    );
    people.does(ANN, "shuffle Deck");
    assert!(people.known(BEN, ANN, "Deck").is_empty());
    // In a pile that all see, every handle is new.
    people.does(ANN, "movetop Deck 3 to Basket");
    let handles = |people: &People| -> Vec<u32> {
        let view = people.table.view(BEN);
        view.pile(people.pile(ANN, "Basket"))
            .expect("it is there")
            .cards
            .iter()
            .map(|card| card.card.handle)
            .collect()
    };
    let old = handles(&people);
    people.does(ANN, "shuffle Basket");
    let new = handles(&people);
    assert!(
        new.iter()
            .all(|handle| !old.contains(handle) && *handle != before)
    );
    assert_eq!(
        people.fails(BEN, &format!("point table:{before}")),
        VerbRefusal::NoSuchCard(before)
    );
}

/// Scenario 11. F87.
#[test]
fn s11_the_top_card_stays_shown() {
    let mut people = People::with_decks();
    people.does(ANN, "keeptop Deck everybody");
    assert_eq!(
        people.known(BEN, ANN, "Deck"),
        [(Some(0), Some("Apple".to_owned()))]
    );
    people.does(ANN, "draw 1");
    assert_eq!(
        people.known(BEN, ANN, "Deck"),
        [(Some(0), Some("Pear".to_owned()))]
    );
    people.does(ANN, "shuffle Deck");
    let top = people.truth(ANN, "Deck")[0].clone();
    assert_eq!(people.known(BEN, ANN, "Deck"), [(Some(0), Some(top))]);
    people.does(ANN, "keeptop Deck nobody");
    assert!(people.known(BEN, ANN, "Deck").is_empty());
    let again = FreeRecord::read(&FreeRecord::write(&people.table))
        .expect("a record")
        .play(people.table.kit());
    assert!(
        again
            .expect("it plays")
            .view(BEN)
            .pile(people.pile(ANN, "Deck"))
            .expect("a pile")
            .cards
            .is_empty()
    );
}

/// Scenario 12. F155, F156.
#[test]
fn s12_a_place_is_remembered_until_the_shuffle() {
    let mut people = People::with_decks();
    people.does(ANN, "movetop Deck 1 to table");
    let card = people.highest(ANN);
    let moved = people.does(ANN, &format!("move {card} to Deck top"));
    assert_eq!(
        people.read(&moved, BEN),
        "Ann moves Apple from the table to the top of Deck"
    );
    assert_eq!(
        people.known(BEN, ANN, "Deck"),
        [(Some(0), Some("Apple".to_owned()))]
    );
    assert!(
        people
            .table
            .view(BEN)
            .piles
            .iter()
            .flat_map(|pile| &pile.cards)
            .all(|card| card.card.remembered)
    );
    people.does(ANN, "movetop Deck 1 to Deck bottom");
    assert_eq!(
        people.known(BEN, ANN, "Deck"),
        [(Some(11), Some("Apple".to_owned()))]
    );
    people.does(ANN, "shuffle Deck");
    assert!(people.known(BEN, ANN, "Deck").is_empty());
}

/// Scenario 13. F152.
#[test]
fn s13_which_card_of_a_hand_left_is_not_told() {
    let play = |name: &str| {
        let mut people = People::with_decks();
        people.does(ANN, "draw 4");
        let card = people.handle(ANN, name);
        let told = people.does(ANN, &format!("move Hand:{card} to table down"));
        let messages: Vec<_> = told
            .iter()
            .filter_map(|event| event.message(BEN.into()))
            .collect();
        (messages, people.table.view(BEN))
    };
    assert_eq!(play("Plum"), play("Apple"));
}

/// F151, F152, F155: a card that all have seen go back into a hand is not told from the others there when one
/// of them leaves face down, or goes into the deck.
#[test]
fn a_card_seen_going_into_a_hand_is_lost_among_the_others() {
    for goal in ["table down", "Deck at 5"] {
        let leave = |name: &str| {
            let mut people = People::with_decks();
            people.does(ANN, "draw 1");
            let seen = people.handle(ANN, "Apple");
            people.does(ANN, &format!("move Hand:{seen} to table"));
            people.does(ANN, "draw 2");
            people.does(ANN, &format!("move table:{seen} to Hand"));
            people.does(ANN, "draw 1");
            let card = people.handle(ANN, name);
            let told = people.does(ANN, &format!("move Hand:{card} to {goal}"));
            let messages: Vec<_> = told
                .iter()
                .filter_map(|event| event.message(BEN.into()))
                .collect();
            (messages, people.table.view(BEN))
        };
        assert_eq!(leave("Apple"), leave("Plum"), "{goal}");
    }
}

/// F152: what has been shown of a hand has no place there, so that nothing tells where another card left.
#[test]
fn a_card_shown_in_a_hand_has_no_place() {
    let leave = |name: &str| {
        let mut people = People::with_decks();
        people.does(ANN, "draw 4");
        let shown = people.handle(ANN, "Pear");
        people.does(ANN, &format!("reveal Hand:{shown} to 2"));
        let card = people.handle(ANN, name);
        people.does(ANN, &format!("move Hand:{card} to table down"));
        people.table.view(BEN)
    };
    assert_eq!(leave("Apple"), leave("Plum"));
}

/// Scenario 14. F174, F176.
#[test]
fn s14_cards_beyond_the_middle_are_inverted() {
    let mut people = People::new();
    people.does(ANN, "create Stranger at 0,-44");
    people.does(ANN, "create Stranger at 0,-45");
    let view = people.table.view(BEN);
    let faces = [view.table[0].faces, view.table[1].faces];
    assert_eq!(faces, [cw_table::TableSide::A, cw_table::TableSide::B]);
    assert_eq!(cw_table::seen_from(cw_table::TableSide::B, (0, -45)), (0, 45));
}

/// Scenario 15. F44, F177.
#[test]
fn s15_a_card_lying_across_moves_on_at_the_middle() {
    let mut people = People::new();
    people.does(ANN, "create Stranger at 0,40");
    let card = people.highest(ANN);
    people.does(ANN, &format!("rotate {card}"));
    people.does(ANN, &format!("place {card} 0,-100"));
    let there = people.table.view(ANN).table[0].clone();
    assert_eq!((there.x, there.y), (25, -75));
    let id = people.table.state().table[0];
    let drawn = people.table.state().drawn(people.table.kit(), id);
    // Drawn where it was dropped: a card of 88×63 at (0, −75).
    assert_eq!((drawn.x, drawn.y, drawn.width, drawn.height), (0, -75, 88, 63));
    people.does(ANN, &format!("place {card} 25,60"));
    let back = people.table.view(ANN).table[0].clone();
    assert_eq!((back.x, back.y), (0, 35));
}

/// Which side a card faces is decided when it is put somewhere, by the middle of what is drawn there, and
/// stays until it is put somewhere again (D88).
#[test]
fn a_card_faces_a_side_until_it_is_put_elsewhere() {
    use cw_table::TableSide::{A, B};
    // Where a card lying across, 88×63, is dropped while it faces a side: it faces this one then, and lies
    // there. Faces A: y + h − w/2 < 0 turns it. Faces B: y + w/2 < 0 keeps it.
    for (facing, dropped, faces, lies) in [
        (A, (0, -56), A, (0, -56)),
        (A, (0, -57), B, (25, -32)),
        (B, (0, -32), B, (0, -32)),
        (B, (0, -31), A, (-25, -56)),
    ] {
        let mut people = People::new();
        let begins = if facing == A { "0,40" } else { "0,-300" };
        people.does(ANN, &format!("create Stranger at {begins}"));
        let card = people.highest(ANN);
        people.does(ANN, &format!("rotate {card}"));
        assert_eq!(people.table.view(ANN).table[0].faces, facing);
        people.does(ANN, &format!("place {card} {},{}", dropped.0, dropped.1));
        let there = people.table.view(ANN).table[0].clone();
        assert_eq!(
            (there.faces, (there.x, there.y)),
            (faces, lies),
            "{facing:?} {dropped:?}"
        );
        // What is drawn stays under the pointer.
        let state = people.table.state();
        let drawn = state.drawn(people.table.kit(), state.table[0]);
        let under_pointer = match facing {
            A => (dropped.0, dropped.1 + 25),
            _ => (dropped.0 - 25, dropped.1),
        };
        assert_eq!((drawn.x, drawn.y), under_pointer, "{facing:?} {dropped:?}");
    }
    // Turned by a quarter at the middle line, its middle lies in the other half: it faces where it faced.
    let mut people = People::new();
    people.does(ANN, "create Stranger at 0,-44");
    let card = people.highest(ANN);
    for _ in 0..4 {
        people.does(ANN, &format!("rotate {card}"));
        assert_eq!(people.table.view(ANN).table[0].faces, A);
    }
    // A card that leaves the table and comes back begins anew.
    people.does(ANN, &format!("place {card} 0,-200"));
    assert_eq!(people.table.view(ANN).table[0].faces, B);
    people.does(ANN, &format!("rotate {card}"));
    people.does(ANN, &format!("place {card} 0,-200"));
    assert_eq!(people.table.view(ANN).table[0].faces, B);
}

/// A hand, and a pile that its definition calls unordered, have no places: no verb names one, and moving
/// within them changes nothing that anybody is told (F14, F152, D80).
#[test]
fn piles_without_order_have_no_places() {
    let mut people = People::with_decks();
    people.does(ANN, "draw 3");
    people.does(ANN, "movetop Deck 1 to table");
    let card = people.highest(ANN);
    for pile in ["Hand", "*/Stall"] {
        let refused = people.fails(ANN, &format!("move table:{card} to {pile} at 1"));
        assert!(matches!(refused, VerbRefusal::Unordered(_)), "{pile}: {refused}");
        assert!(
            matches!(
                people.fails(ANN, &format!("move {pile}:@1 to table")),
                VerbRefusal::Unordered(_)
            ),
            "{pile}"
        );
    }
    let held = people.handle(ANN, "Apple");
    let before = (people.table.view(ANN), people.table.view(BEN));
    for spot in ["", " top", " bottom"] {
        let told = people.does(ANN, &format!("move Hand:{held} to Hand{spot}"));
        assert!(
            told.iter().all(|event| event.message(BEN.into()).is_none()),
            "{spot}: {told:?}"
        );
        assert_eq!((people.table.view(ANN), people.table.view(BEN)), before, "{spot}");
    }
    for pile in people.table.view(ANN).piles {
        if !pile.ordered {
            assert!(
                pile.cards.iter().all(|card| card.place.is_none()),
                "{}",
                pile.name
            );
        }
    }
}

/// Who saw a card go where it lies knows it, and reads its name in later sentences (F71, F155, D82).
#[test]
fn a_card_that_is_remembered_is_named() {
    let mut people = People::with_decks();
    people.does(ANN, "movetop Deck 1 to table");
    let card = people.highest(ANN);
    people.does(ANN, &format!("move table:{card} to Deck top"));
    assert_eq!(people.known(BEN, ANN, "Deck").len(), 1);
    let name = people.known(BEN, ANN, "Deck")[0].1.clone().expect("it is known");
    let told = people.does(ANN, "peek Deck:@1");
    assert!(
        people.read(&told, BEN).contains(&name),
        "{}",
        people.read(&told, BEN)
    );
    // After a shuffle nobody does.
    people.does(ANN, "shuffle Deck");
    let told = people.does(ANN, "peek Deck:@1");
    assert!(
        !people.read(&told, BEN).contains(&name),
        "{}",
        people.read(&told, BEN)
    );
}

/// Spectators see what was made known to everybody, not what every seat learnt by itself (F159, D89).
#[test]
fn what_each_seat_learns_by_itself_is_not_public() {
    let mut people = People::with_decks();
    people.does(ANN, "movetop Deck 1 to */Market");
    let piles = people.table.view(ANN).piles;
    let market = piles
        .iter()
        .find(|pile| pile.name == "Market")
        .expect("it is there")
        .id;
    for seat in [ANN, BEN] {
        people.does(seat, "look */Market");
    }
    let id = people.table.state().of_group(CardGroup::Pile(market))[0];
    let (state, kit) = (people.table.state(), people.table.kit());
    assert!([ANN, BEN].iter().all(|seat| state.knows(kit, *seat, id)));
    assert!(!state.knows(kit, Looker::Spectators, id));
    assert!(people.names_in(Looker::Spectators).is_empty());
    // Shown to all, it is.
    people.does(ANN, "turn */Market:@1 up");
    assert_eq!(people.names_in(Looker::Spectators).len(), 1);
}

/// A handle stays as long as its view was told the place; it is another one after a shuffle, and for a card
/// that comes out of a place that the view could not tell apart; none comes twice (F151, D90).
#[test]
fn a_handle_lasts_as_long_as_its_place_is_told() {
    let mut people = People::with_decks();
    let mut met = std::collections::BTreeSet::new();
    people.does(ANN, "movetop Deck 1 to table");
    let card = people.highest(ANN);
    let theirs = people.table.view(BEN).table[0].handle;
    assert!(met.insert(theirs));
    // Onto the deck, down to its bottom, and out again by its place: all told.
    people.does(ANN, &format!("move table:{card} to Deck top"));
    people.does(ANN, "movetop Deck 1 to Deck bottom");
    let last = people.truth(ANN, "Deck").len();
    people.does(ANN, &format!("move Deck:@{last} to table"));
    assert_eq!(people.table.view(BEN).table[0].handle, theirs);
    // Out of a hand it could be any of those there; after a shuffle it could be any card.
    for steps in [
        ["move table:{} to Hand", "move Hand:{} to table"],
        ["move table:{} to Deck top", ""],
    ] {
        let card = people.highest(ANN);
        people.does(ANN, "draw 2");
        people.does(ANN, &steps[0].replace("{}", &card.to_string()));
        if steps[1].is_empty() {
            people.does(ANN, "shuffle Deck");
            people.does(ANN, "movetop Deck 1 to table");
        } else {
            let name = people.names_in(ANN);
            let held = people.table.view(ANN);
            let pile = people.pile(ANN, "Hand");
            let hand = held.piles.iter().find(|one| one.id == pile).expect("a hand");
            let own = hand.cards.last().expect("cards").card.handle;
            assert!(!name.is_empty());
            people.does(ANN, &format!("move Hand:{own} to table"));
        }
        let now = people.table.view(BEN).table[0].handle;
        assert!(met.insert(now), "{now} came before");
    }
}

/// Scenario 16. F66, F106.
#[test]
fn s16_a_given_card_comes_back_with_its_pile() {
    let mut people = People::with_decks();
    people.does(ANN, "movetop Deck 1 to table down");
    let card = people.highest(ANN);
    people.does(ANN, &format!("give {card} to Ben"));
    assert_eq!(
        people.fails(ANN, &format!("turn {card} up")),
        VerbRefusal::NotYours
    );
    let bens = people.highest(BEN);
    people.does(BEN, &format!("turn {bens} up"));
    people.does(BEN, &format!("move {bens} to 1/Basket"));
    let state = people.table.state();
    let basket = state.of_group(CardGroup::Pile(people.pile(ANN, "Basket")))[0];
    assert_eq!(state.card(basket).controller, Some(ANN));
    // F72: into another's pile at its ends only.
    people.does(BEN, "movetop Deck 1 to table");
    let own = people.highest(BEN);
    assert_eq!(
        people.fails(BEN, &format!("move {own} to 1/Deck at 2")),
        VerbRefusal::EndsOnly
    );
}

/// Scenario 17. F60.
#[test]
fn s17_shared_piles_belong_to_nobody() {
    let mut people = People::with(|settings| settings.shuffle_after_loading = false);
    people.does(ANN, "load Common section Common shared 0 2*Apple 2*Pear");
    people.does(ANN, "draw */Market 1");
    people.does(BEN, "draw */Market 1");
    assert_eq!(
        (people.names_in(ANN), people.names_in(BEN)),
        (names(&["Apple"]), names(&["Apple"]))
    );
    assert_eq!(
        people.fails(BEN, "load Common section Common shared 0 1*Apple"),
        VerbRefusal::SharedLoaded
    );
}

/// Scenario 18. F62, F63.
#[test]
fn s18_rights_say_on_whose_cards_one_may_act() {
    for (rights, possible) in [(Rights::Own, false), (Rights::Open, true)] {
        let mut people = People::with(|settings| settings.rights = rights);
        people.load(ANN, 1);
        people.does(ANN, "movetop Deck 1 to table");
        let card = people.highest(BEN);
        let line = format!("place {card} 5,5");
        if possible {
            people.does(BEN, &line);
            let turned = people.does(BEN, &format!("rotate {card}"));
            assert!(people.read(&turned, ANN).starts_with("Ben rotates "));
        } else {
            assert_eq!(people.fails(BEN, &line), VerbRefusal::NotYours);
        }
        // Hidden piles keep their owner.
        assert_eq!(people.fails(BEN, "shuffle 1/Deck"), VerbRefusal::NotYours);
    }
}

/// Scenario 19. F131, F132.
#[test]
fn s19_ones_own_last_steps_are_taken_back_alone() {
    let mut people = People::new();
    people.does(ANN, "create Stranger 5 at 0,0");
    let cards: Vec<String> = people
        .table
        .view(ANN)
        .table
        .iter()
        .map(|card| card.handle.to_string())
        .collect();
    let before = people.table.state().clone();
    people.does(ANN, &format!("place table:{} 100,100", cards.join(",")));
    people.does(BEN, "say nice");
    people.does(ANN, "undo");
    assert_eq!(people.table.state().table, before.table);
    let places = |state: &cw_table::TableState| -> Vec<_> {
        state
            .table
            .iter()
            .map(|id| (state.card(*id).x, state.card(*id).y))
            .collect()
    };
    assert_eq!(places(people.table.state()), places(&before));
    people.does(ANN, &format!("place table:{} 100,100", cards.join(",")));
    people.does(BEN, "counter Luck +1");
    assert!(matches!(people.fails(ANN, "undo"), VerbRefusal::NotAlone(_)));
}

/// The end of a look is no step: what was done while looking, or before, is taken back as if it were not
/// there (F131).
#[test]
fn the_end_of_a_look_does_not_stand_in_the_way() {
    let mut people = People::with_decks();
    people.does(ANN, "look Deck");
    people.does(ANN, "counter Luck +1");
    let before = people.table.state().seats[0].counters.clone();
    people.does(ANN, "counter Luck +1");
    people.does(ANN, "leave Deck");
    people.does(ANN, "undo");
    assert_eq!(people.table.state().seats[0].counters, before);
    // Nor is somebody else's.
    people.does(BEN, "look Deck");
    people.does(ANN, "counter Luck +1");
    people.does(BEN, "leave Deck");
    people.does(ANN, "undo");
    assert_eq!(people.table.state().seats[0].counters, before);
}

/// Scenario 20. F130, F132, F134, F135.
#[test]
fn s20_a_shuffle_goes_back_by_consent_and_comes_out_otherwise() {
    let mut people = People::with_decks();
    people.does(ANN, "draw 2");
    let before = people.truth(ANN, "Deck");
    let step = people.table.len();
    people.does(ANN, "shuffle Deck");
    let first = people.truth(ANN, "Deck");
    people.does(ANN, "draw 1");
    assert!(matches!(people.fails(ANN, "undo 2"), VerbRefusal::NotAlone(_)));
    people.does(ANN, &format!("propose {step}"));
    assert_eq!(
        people.fails(BEN, &format!("propose {step}")),
        VerbRefusal::OneProposal
    );
    let id = question(&people);
    let agreed = people.does(BEN, &format!("answer {id} yes"));
    assert_eq!(people.truth(ANN, "Deck"), before);
    let log = people.read(&agreed, BEN);
    assert!(
        log.contains("Ann had seen 1 card of Ann's Deck") && log.contains("Ann's Deck was seen: shuffle it?"),
        "{log}"
    );
    people.does(ANN, "shuffle Deck");
    assert_ne!(people.truth(ANN, "Deck"), first, "chance does not go back");
    // One refusal ends a proposal, and so does the clock (D74).
    people.does(ANN, &format!("propose {step}"));
    let id = question(&people);
    people.does(BEN, &format!("answer {id} no"));
    people.does(ANN, &format!("propose {step}"));
    let id = question(&people);
    people
        .table
        .host(TableVerb::TimeOut { question: id })
        .expect("it waits");
    assert!(people.table.state().questions.is_empty());
}

/// Scenario 21. F112, F113, F120.
#[test]
fn s21_a_stopped_phase_halts_once() {
    let mut people = People::new();
    people.does(ANN, "active Ann");
    people.does(ANN, "phase 2");
    let stopped = people.does(BEN, "stop 4");
    assert_eq!(people.read(&stopped, ANN), "", "stops are known when they act");
    let gone = people.does(ANN, "phase 5");
    assert_eq!(people.read(&gone, ANN), "Ann goes to Evening: a stop was set");
    assert_eq!(people.table.view(ANN).phase, 4);
    people.does(ANN, "phase night");
    assert_eq!(people.table.view(ANN).phase, 5);
    people.does(ANN, "phase 2");
    assert_eq!(people.table.view(ANN).phase, 2, "going back never halts");
    people.does(ANN, "phase 5 force");
    assert_eq!(people.fails(BEN, "phase 1"), VerbRefusal::NotYourTurn(ANN));
}

/// Scenario 22. F114, F121.
#[test]
fn s22_an_end_of_turn_stop_halts_once() {
    let mut people = People::new();
    people.does(ANN, "pass Ann");
    people.does(ANN, "phase 2");
    people.does(BEN, "pass");
    people.does(ANN, "pass");
    let view = people.table.view(ANN);
    assert_eq!((view.turn, view.phase, view.active), (1, 2, Some(ANN)));
    people.does(ANN, "pass");
    let view = people.table.view(ANN);
    assert_eq!((view.turn, view.phase, view.active), (2, 0, Some(BEN)));
}

/// Scenario 23. F123, F124.
#[test]
fn s23_a_soft_reset_loads_the_decks_again() {
    let mut people = People::with_decks();
    people.does(ANN, "draw 3");
    people.does(ANN, "counter Luck +5");
    people.does(ANN, "counter Harvest +5");
    people.does(ANN, "reset");
    let id = question(&people);
    people.does(BEN, &format!("answer {id} yes"));
    let state = people.table.state();
    assert_eq!(state.seat(ANN).counters, [3, 5]);
    assert_eq!(
        (people.truth(ANN, "Deck").len(), people.truth(ANN, "Hand").len()),
        (12, 0)
    );
    assert_eq!(people.truth(BEN, "Deck").len(), 12);
    assert!(
        matches!(people.fails(ANN, "propose 1"), VerbRefusal::Never(_)),
        "an earlier game stays as it was (F133)"
    );
    // Between two games cards are exchanged privately.
    let cards: Vec<String> = support::FRUIT[1..]
        .iter()
        .map(|name| format!("1*{name}"))
        .collect();
    let deck = format!(
        "Fruit section Main own 1 {} section Sideboard own 3 1*Apple",
        cards.join(" ")
    );
    let told = people.does(ANN, &format!("sideboard {deck}"));
    assert!(
        people
            .read(&told, BEN)
            .starts_with("Ann exchanges 1 card between sections")
    );
    people.does(BEN, "draw 1");
    let other = format!("sideboard Fruit section Main own 1 {} 1*Apple", cards.join(" "));
    assert_eq!(people.fails(BEN, &other), VerbRefusal::Touched);
}

/// What was done right after something was taken back can be taken back as well; nobody goes back to what was
/// taken back itself (F132).
#[test]
fn what_follows_a_going_back_can_be_taken_back() {
    for alone in [true, false] {
        let mut people = People::with_decks();
        people.does(ANN, "counter Luck +1");
        let taken = people.table.len();
        people.does(ANN, "counter Luck +1");
        if alone {
            people.does(ANN, "undo 1");
        } else {
            people.does(ANN, &format!("propose {taken}"));
            let id = question(&people);
            people.does(BEN, &format!("answer {id} yes"));
        }
        let back = people.table.len();
        assert_eq!(people.table.state().seat(ANN).counters[0], 4);
        people.does(BEN, "draw 1");
        people.does(BEN, &format!("propose {back}"));
        let id = question(&people);
        people.does(ANN, &format!("answer {id} yes"));
        assert_eq!(
            (
                people.truth(BEN, "Hand").len(),
                people.table.state().seat(ANN).counters[0]
            ),
            (0, 4)
        );
        // To the moment before the first of them: what went back twice is not there any more.
        people.does(ANN, &format!("propose {}", taken - 1));
        let id = question(&people);
        people.does(BEN, &format!("answer {id} yes"));
        assert_eq!(people.table.state().seat(ANN).counters[0], 3);
        for gone in [taken, taken + 1, back] {
            assert!(
                matches!(
                    people.fails(BEN, &format!("propose {gone}")),
                    VerbRefusal::Never(_)
                ),
                "{gone}"
            );
        }
        // The record tells the same game.
        let record = FreeRecord::read(&FreeRecord::write(&people.table)).expect("a record");
        assert_eq!(
            record.play(people.table.kit()).expect("it is the same").hash(),
            people.table.hash()
        );
    }
}

/// Shared cards are nobody's. An exchange with the sideboard leaves them, once, and so does a seat that
/// clears its cards (F124, F210, F216).
#[test]
fn shared_sections_stay_through_sideboards_and_clearing() {
    let common = "section Common shared 0 2*Apple 1*Pear";
    let mut people = People::with(|settings| settings.shuffle_after_loading = false);
    people.does(
        ANN,
        &format!("load Mine section Main own 1 2*Fig 1*Sloe section Sideboard own 3 1*Plum {common}"),
    );
    let market = |people: &People| people.names(&people.table.state().piles[0].cards);
    assert_eq!(market(&people), names(&["Apple", "Apple", "Pear"]));
    let other = "sideboard Mine section Main own 1 2*Fig 1*Plum section Sideboard own 3 1*Sloe";
    for (also, moved) in [("", 2), (common, 0)] {
        people.does(ANN, "reset");
        let id = question(&people);
        people.does(BEN, &format!("answer {id} yes"));
        let told = people.does(ANN, &format!("{other} {also}"));
        let words = format!(
            "Ann exchanges {moved} cards between sections\nAnn loads a deck: 3 into Deck, 1 into Shed (list"
        );
        assert!(
            people.read(&told, BEN).starts_with(&words),
            "{}",
            people.read(&told, BEN)
        );
        assert_eq!(people.truth(ANN, "Deck"), names(&["Fig", "Fig", "Plum"]));
        assert_eq!(people.truth(ANN, "Shed"), names(&["Sloe"]));
        assert_eq!(market(&people), names(&["Apple", "Apple", "Pear"]));
    }
    people.does(ANN, "reset");
    let id = question(&people);
    people.does(BEN, &format!("answer {id} yes"));
    assert_eq!(
        market(&people),
        names(&["Apple", "Apple", "Pear"]),
        "they are in the deck that is loaded again"
    );
    let mixed = [
        "sideboard Mine section Main own 1 2*Fig 1*Plum 1*Apple section Sideboard own 3 1*Sloe".to_owned(),
        format!("{other} section Common shared 0 3*Apple"),
        "sideboard Mine section Main own 1 2*Fig \
         section Sideboard own 3 1*Sloe \
         section Common shared 0 2*Apple 1*Pear 1*Plum"
            .to_owned(),
    ];
    for line in mixed {
        assert!(
            matches!(people.fails(ANN, &line), VerbRefusal::Impossible(_)),
            "{line}"
        );
    }
    people.does(ANN, "clear");
    assert_eq!(market(&people), names(&["Apple", "Apple", "Pear"]));
    assert_eq!(
        people.fails(BEN, &format!("load Ours {common}")),
        VerbRefusal::SharedLoaded
    );
    assert_eq!(
        people.fails(ANN, &format!("load Mine {common}")),
        VerbRefusal::SharedLoaded
    );
    people.does(ANN, "load Mine section Main own 1 2*Fig");
}

/// Scenario 24. F69, F206.
#[test]
fn s24_a_token_ceases_in_the_hand() {
    let mut people = People::new();
    people.does(ANN, "create Apple");
    let token = people.highest(ANN);
    people.does(ANN, &format!("copy {token}"));
    assert_eq!(people.table.state().cards().count(), 2);
    let moved = people.does(ANN, &format!("move {token} to Hand"));
    assert!(people.read(&moved, BEN).contains("loses the token"));
    assert_eq!(people.table.state().cards().count(), 1);
    let token = people.highest(ANN);
    people.does(ANN, &format!("delete {token}"));
    assert_eq!(people.table.state().cards().count(), 0);
    people.load(ANN, 1);
    people.does(ANN, "movetop Deck 1 to table");
    let card = people.highest(ANN);
    assert_eq!(
        people.fails(ANN, &format!("delete {card}")),
        VerbRefusal::NotDeletable
    );
}

/// Scenario 25. F65, F90, F91.
#[test]
fn s25_straightening_leaves_out_what_is_locked() {
    let mut people = People::new();
    people.does(ANN, "create Stranger 12 at 0,0");
    let cards: Vec<String> = people
        .table
        .view(ANN)
        .table
        .iter()
        .map(|card| card.handle.to_string())
        .collect();
    people.does(ANN, &format!("rotate table:{}", cards.join(",")));
    people.does(ANN, &format!("lock table:{}", cards[..3].join(",")));
    let told = people.does(ANN, "straighten");
    let read = people.read(&told, BEN);
    assert!(read.starts_with("Ann straightens 9 cards: Stranger, "), "{read}");
    let upright = people
        .table
        .view(ANN)
        .table
        .iter()
        .filter(|card| card.quarter == Quarter::Zero)
        .count();
    assert_eq!(upright, 9);
}

/// Scenario 26. F85.
#[test]
fn s26_a_random_discard_says_so() {
    for (goal, named) in [("Basket", true), ("Shed", false)] {
        let mut people = People::with_decks();
        people.does(ANN, "draw 5");
        let told = people.does(ANN, &format!("random Hand 1 to {goal}"));
        for looker in [ANN, BEN] {
            assert!(people.read(&told, looker).contains(" at random from Hand to "));
        }
        let name = people.truth(ANN, goal)[0].clone();
        assert_eq!(people.read(&told, BEN).contains(&name), named, "{goal}");
    }
}

/// Scenario 27. F111, F133.
#[test]
fn s27_sealed_values_are_opened_together() {
    let mut people = People::new();
    people.does(ANN, "seal 3");
    assert_eq!(people.fails(ANN, "seal 4"), VerbRefusal::SealedAlready);
    people.does(ANN, "openall");
    assert_eq!(people.table.view(BEN).sealed, None);
    assert!(people.table.view(BEN).seats[0].has_sealed);
    let told = people.does(BEN, "seal 5");
    for looker in [Looker::Seat(ANN), Looker::Seat(BEN), Looker::Spectators] {
        let read = people.read(&told, looker);
        assert!(
            read.contains("Ann had sealed “3”") && read.contains("Ben had sealed “5”"),
            "{read}"
        );
    }
    assert!(matches!(people.fails(ANN, "propose 0"), VerbRefusal::Never(_)));
}

/// Scenario 28. F212, F211.
#[test]
fn s28_what_a_deck_lacks_is_asked() {
    let text = "\
        <deck game=\"7a0a0c9e-0b52-4bd4-9e6f-1a2b3c4d5e6f\">\
            <section name=\"Main\">\
                <card qty=\"2\" id=\"00000000-0000-0000-0001-000000000001\">Pear</card>\
                <card qty=\"1\" id=\"00000000-0000-0000-0009-000000000009\">Durian</card>\
            </section>\
            <section name=\"Odd\">\
                <card qty=\"1\" id=\"00000000-0000-0000-0001-000000000002\">Plum</card>\
            </section>\
        </deck>";
    let mut sources = cw_text::Sources::new();
    let (deck, _) = Deck::read("odd.o8d", text.into(), &PackageLimits::default(), &mut sources);
    let kit = kit();
    let (mut list, problems) = DeckList::of(&kit, &deck.expect("it is well-formed"));
    assert_eq!(
        problems,
        [
            DeckProblem::Card("Durian".into(), FilePlace::default()),
            DeckProblem::Section("Odd".into())
        ]
    );
    let mut people = People::with(|settings| settings.shuffle_after_loading = false);
    let refused = people.act(
        ANN,
        TableVerb::Load {
            deck: Arc::new(list.clone()),
        },
    );
    assert_eq!(refused, Err(VerbRefusal::NoPileForSection("Odd".into())));
    list.choose("Odd", 3);
    let told = people
        .act(ANN, TableVerb::Load { deck: Arc::new(list) })
        .expect("it was chosen");
    // F211: which deck it is reads only who brings it.
    let own = people.read(&told, ANN);
    assert!(own.starts_with("Ann loads a deck “odd”: 3 into Deck"), "{own}");
    let read = people.read(&told, BEN);
    assert!(
        read.starts_with("Ann loads a deck: 3 into Deck, 1 into Shed (list "),
        "{read}"
    );
    assert_eq!(people.truth(ANN, "Deck"), ["Pear", "Pear", "Durian"]);
    assert_eq!(people.truth(ANN, "Shed"), ["Plum"]);
}

/// Scenario 29. F30, F33–F36, F194. An entry is a form: what was recognised is filled in and can be changed.
#[test]
fn s29_menu_entries_of_the_package() {
    let kit = kit();
    let action = |path: &str| {
        kit.actions
            .iter()
            .find(|action| action.definition.path() == path)
            .expect("an entry")
    };
    let answered = |answers: &[(&str, &str)]| -> BTreeMap<String, String> {
        let answers = answers.iter();
        answers
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect()
    };
    let pick = action("Fruit/Pick");
    assert_eq!(
        (pick.mark, pick.lines[0].as_str()),
        (EntryMark::Exact, "move {cards} to {to=\"Basket\"}")
    );
    let mut people = People::with_decks();
    people.does(ANN, "movetop Deck 2 to table");
    let card = people.highest(ANN).to_string();
    assert_eq!(pick.filled("", "", &answered(&[])), Err(vec!["cards".to_owned()]));
    let lines = pick.filled(&card, "", &answered(&[])).expect("all is known");
    lines.iter().for_each(|line| drop(people.does(ANN, line)));
    let picked = people.truth(ANN, "Basket");
    assert_eq!(picked.len(), 1);
    // What was recognised can be answered otherwise.
    let card = people.highest(ANN).to_string();
    let lines = pick
        .filled(&card, "", &answered(&[("to", "Shed")]))
        .expect("all is known");
    lines.iter().for_each(|line| drop(people.does(ANN, line)));
    assert_eq!(
        (people.truth(ANN, "Shed").len(), people.truth(ANN, "Basket")),
        (1, picked)
    );
    let maybe = action("Maybe a worm");
    assert_eq!(maybe.mark, EntryMark::Likely);
    let fields = maybe.fields();
    let names: Vec<&str> = fields.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["cards", "marker", "change"]);
    people.does(ANN, "movetop Deck 1 to table");
    let card = people.highest(ANN).to_string();
    let lines = maybe.filled(&card, "", &answered(&[])).expect("all is known");
    lines.iter().for_each(|line| drop(people.does(ANN, line)));
    let view = people.table.view(ANN);
    assert_eq!(view.table.last().expect("it lies there").markers, [(0, 1)]);
    assert_eq!(action("No rain.").mark, EntryMark::Says);
    let said = people.does(ANN, "announce \"No rain.\"");
    assert_eq!(people.read(&said, BEN), "Ann says “No rain.”");
    let storm = action("Draw the storm");
    assert_eq!(
        (storm.mark, storm.offers.as_slice()),
        (EntryMark::Script, &["draw"][..])
    );
    // The first entry with a key has it.
    assert_eq!(
        (action("Worm").key.as_deref(), action("Wormy").key.as_deref()),
        (Some("ctrl+w"), None)
    );
    let draw = action("Draw");
    let held = people.known(ANN, ANN, "Hand").len();
    let lines = draw.filled("", "Deck", &answered(&[])).expect("all is known");
    assert_eq!(lines, ["draw Deck 1"]);
    lines.iter().for_each(|line| drop(people.does(ANN, line)));
    assert_eq!(people.known(ANN, ANN, "Hand").len(), held + 1);
}

/// Scenario 30. F110, F125.
#[test]
fn s30_rolling_by_command() {
    let mut people = People::new();
    let Ok(cw_table::ChatLine::Verb(verb)) = people.table.chat(ANN, "/roll 2d6+1", "") else {
        panic!("a command")
    };
    let told = people.act(ANN, *verb).expect("anybody may roll");
    let read = people.read(&told, BEN);
    let numbers: Vec<i64> = read
        .trim_start_matches("Ann rolls 2d6+1: ")
        .split([' ', '+', '='])
        .filter_map(|part| part.parse().ok())
        .collect();
    let [first, second, one, sum] = numbers[..] else {
        panic!("{read}")
    };
    assert!((1..=6).contains(&first) && (1..=6).contains(&second) && one == 1);
    assert_eq!(sum, first + second + 1);
    let before = people.table.len();
    let refused = people
        .table
        .chat(ANN, "/rol 2d6", "")
        .expect_err("no such command");
    assert_eq!(
        refused.to_string(),
        "“/rol” is not understood; did you mean /roll?"
    );
    assert_eq!(people.table.len(), before, "nobody reads it");
    let Ok(cw_table::ChatLine::Verb(said)) = people.table.chat(ANN, "//roll", "") else {
        panic!("a line")
    };
    assert_eq!(
        *said,
        TableVerb::Say {
            text: "/roll".to_owned()
        }
    );
}

/// Scenario 31. F136, F171; the cover of F172 is the page's: a view names no seat's cards but its looker's.
#[test]
fn s31_alone_everything_can_be_taken_back() {
    let mut people = People::with(|settings| {
        settings.solo = true;
        settings.shuffle_after_loading = false;
    });
    people.load(ANN, 1);
    people.does(ANN, "draw 2");
    people.does(BEN, "counter Luck +1");
    people.does(ANN, "undo 2");
    assert_eq!(people.truth(ANN, "Hand").len(), 0);
    people.does(ANN, "redo");
    assert_eq!(people.truth(ANN, "Hand").len(), 2);
    assert_eq!(people.table.state().seat(BEN).counters[0], 4);
    assert_eq!(people.fails(ANN, "redo"), VerbRefusal::NothingToRedo);
    assert!(people.names_in(BEN).is_empty());
}

/// Scenario 32. F202.
#[test]
fn s32_the_first_of_two_verbs_wins() {
    let mut people = People::with(|settings| settings.rights = Rights::Open);
    people.load(ANN, 1);
    people.does(ANN, "movetop Deck 1 to table");
    let (anns, bens) = (people.highest(ANN), people.highest(BEN));
    people.does(ANN, &format!("move table:{anns} to Basket"));
    assert_eq!(
        people.fails(BEN, &format!("move table:{bens} to 1/Basket")),
        VerbRefusal::Moved
    );
    people.does(ANN, "counter */Rain +1");
    people.does(BEN, "counter */Rain +1");
    assert_eq!(people.table.view(ANN).shared_counters, [("Rain".to_owned(), 2)]);
}

/// Scenario 33. F159, F160.
#[test]
fn s33_spectators_see_what_all_know() {
    for hands in [false, true] {
        let mut people = People::with(|settings| {
            settings.spectators_see_hands = hands;
            settings.shuffle_after_loading = false;
        });
        people.load(ANN, 1);
        people.load(BEN, 1);
        let lines = [
            "draw 3",
            "movetop Deck 2 to table",
            "movetop Deck 1 to table down",
            "look Deck top 2",
            "close Deck",
            "turn Deck:@1 up",
            "keeptop Deck everybody",
            "shuffle Deck",
            "keeptop Deck nobody",
            "movetop Deck 1 to Basket",
        ];
        for line in lines {
            people.does(ANN, line);
            let (state, kit) = (people.table.state(), people.table.kit());
            let view = people.table.view(Looker::Spectators);
            for (group, card) in view.cards() {
                let id = state
                    .by_handle(Looker::Spectators, card.handle)
                    .expect("a card of the view");
                let by_all = [ANN, BEN].iter().all(|seat| state.knows(kit, *seat, id));
                let hand = group == CardGroup::Pile(people.pile(ANN, "Hand")) && hands;
                let looked = !state.card(id).lookers.is_empty() && hands;
                assert_eq!(card.face.is_some(), by_all || hand || looked, "{line}");
            }
        }
        let all = people.names_in(Looker::Spectators).len();
        assert_eq!(all, if hands { 6 } else { 3 });
        // A referee sees all and has no seat.
        assert_eq!(people.names_in(Looker::Referee).len(), 24);
    }
}

/// Scenario 34. F46, F200.
#[test]
fn s34_limits_refuse_and_clamp() {
    let mut people = People::new();
    for _ in 0..416 {
        people.load(ANN, 1);
    }
    assert_eq!(people.table.state().cards().count(), 4992);
    people.does(ANN, "create Stranger 8 kept");
    assert_eq!(people.fails(ANN, "create Stranger"), VerbRefusal::Limit("cards"));
    let card = people.highest(ANN);
    people.does(ANN, &format!("marker {card} Worm =65535"));
    people.does(ANN, &format!("marker {card} Worm +1"));
    assert_eq!(
        people.table.view(ANN).table.last().expect("a card").markers,
        [(0, 65_535)]
    );
    people.does(ANN, &format!("place {card} 1000000000,-1000000000"));
    let there = people.table.view(ANN).table.last().expect("a card").clone();
    assert_eq!((there.x, there.y), (100_000, -100_000));
    people.does(ANN, "counter Luck +9223372036854775807");
    assert_eq!(people.table.state().seat(ANN).counters[0], i32::MAX);
}

/// Scenario 35. F40, F162.
#[test]
fn s35_a_record_is_played_again() {
    let mut people = People::with_decks();
    people.does(BEN, "draw 3");
    people.does(ANN, "draw 3");
    let record = FreeRecord::read(&FreeRecord::write(&people.table)).expect("it was just written");
    let again = record
        .play(people.table.kit())
        .expect("it leads to the same states");
    assert_eq!(again.hash(), people.table.hash());
    // What Ann got to read names no card of Ben's hand.
    let anns: Vec<String> = people
        .told
        .iter()
        .filter_map(|event| event.read_by(ANN.into()))
        .collect();
    assert!(
        anns.iter().any(|line| line == "Ben draws 3 cards from Deck"),
        "{anns:?}"
    );
    assert_eq!(people.known(ANN, BEN, "Hand"), []);
}

/// Scenario 37. F63: every verb that is refused leaves everything as it was; `tests/laws.rs` does it at
/// random.
#[test]
fn s37_refused_verbs_leave_all_views_as_they_were() {
    let mut people = People::with_decks();
    people.does(ANN, "movetop Deck 2 to table");
    let views = |people: &People| [ANN, BEN].map(|seat| people.table.view(seat));
    let before = views(&people);
    for line in [
        "move 1/Deck:@1 to Hand",
        "place 999999 1,1",
        "draw 1/Deck 1",
        "shuffle 1/Deck",
        "peek 1/Deck:@1",
        "phase 9",
        "board 7",
        "answer 5 yes",
        "undo",
        "redo",
        "open",
        "load x section Main own 99 1*Apple",
        "give 1/Deck:@1 to 2",
        "showhidden",
        "frobnicate",
    ] {
        people.fails(BEN, line);
    }
    assert_eq!(views(&people), before);
}

// ---- what the scenarios do not reach ------------------------------------------------------------

/// F13, F86: viewers of a pile.
#[test]
fn viewers_are_set_and_taken_away_at_once() {
    let mut people = People::with_decks();
    people.does(ANN, "viewers Deck Ben");
    assert_eq!(people.known(BEN, ANN, "Deck").len(), 12);
    people.does(ANN, "viewers Deck nobody");
    assert!(people.known(BEN, ANN, "Deck").is_empty());
    people.does(ANN, "viewers Deck everybody");
    assert_eq!(
        people
            .table
            .view(BEN)
            .pile(people.pile(ANN, "Deck"))
            .map(|pile| pile.viewers),
        Some(Viewers::Everybody)
    );
    assert_eq!(people.names_in(Looker::Spectators).len(), 12);
}

/// F77: turning over until a card fits.
#[test]
fn cards_are_turned_over_until_one_fits() {
    let mut people = People::with_decks();
    people.does(ANN, "shuffle Deck top 1");
    let told = people.does(ANN, "until Deck Kind Stone");
    assert_eq!(
        people.read(&told, BEN),
        "Ann turns over 2 cards: Apple, Pear of Deck until Kind is “Stone”"
    );
}

/// F80, F81: a window on the whole pile shows what arrives, and a search ends with a shuffle.
#[test]
fn searching_ends_with_a_shuffle() {
    let mut people = People::with_decks();
    people.does(ANN, "search Deck");
    let plum = people.handle(ANN, "Plum");
    let taken = people.does(ANN, &format!("move Deck:{plum} to Hand"));
    assert_eq!(people.read(&taken, BEN), "Ann moves a card from Deck to Hand");
    let told = people.does(ANN, "close Deck shuffle");
    assert_eq!(
        people.read(&told, BEN),
        "Ann stops looking at Deck\nAnn shuffles Deck"
    );
    assert_eq!(people.names_in(ANN), names(&["Plum"]));
}

/// F107: control is taken on the table at once, of hidden piles by consent, of who is away by all present.
#[test]
fn control_is_taken() {
    let mut people = People::with_decks();
    people.does(ANN, "movetop Deck 1 to table");
    let card = people.highest(BEN);
    people.does(BEN, &format!("take {card}"));
    people.does(BEN, &format!("rotate {card}"));
    people.does(BEN, "takepile 1/Deck");
    let id = question(&people);
    people.does(ANN, &format!("answer {id} yes"));
    people.does(BEN, "shuffle 1/Deck");
    people
        .table
        .host(TableVerb::Away { seat: ANN })
        .expect("the host says so");
    people.does(BEN, "takepile 1/Hand");
    assert!(
        people.table.state().questions.is_empty(),
        "nobody else is there to be asked"
    );
}

/// D106: what lies face down on the table is taken by its controller's consent, and seen by its owner's;
/// taken in an open pile it is free as before.
#[test]
fn what_lies_face_down_is_asked_for_twice() {
    let mut people = People::with_decks();
    people.does(ANN, "movetop Deck 1 to table down");
    let card = people.highest(BEN);
    assert_eq!(people.fails(BEN, &format!("peek {card}")), VerbRefusal::NotYours);
    people.does(BEN, &format!("take {card}"));
    let id = question(&people);
    assert_eq!(
        people.fails(BEN, &format!("peek {card}")),
        VerbRefusal::NotYours,
        "it is only asked for"
    );
    people.does(ANN, &format!("answer {id} yes"));
    let told = people.does(BEN, &format!("peek {card}"));
    let id = question(&people);
    assert_eq!(
        people.read(&told, ANN),
        format!("Ben asks Ann to let them peek at 1 card of the table (question {id})")
    );
    assert!(people.names_in(BEN).is_empty(), "control is not sight");
    people.does(ANN, &format!("answer {id} yes"));
    assert_eq!(people.names_in(BEN), names(&["Apple"]));
    // An own card is looked at as before, and so is one that is seen already.
    people.does(BEN, "movetop Deck 1 to table down");
    let own = people.highest(BEN);
    people.does(BEN, &format!("peek {own}"));
    people.does(BEN, &format!("peek {card}"));
    assert!(people.table.state().questions.is_empty());
}

/// D83: with nobody else there, what came to light is not taken back; what did not is.
#[test]
fn who_is_away_has_not_agreed_to_going_back() {
    let mut people = People::with_decks();
    people.does(ANN, "draw 1");
    let closed = people.table.len();
    people.does(ANN, "counter Luck +1");
    people
        .table
        .host(TableVerb::Away { seat: BEN })
        .expect("the host says so");
    let before = closed - 1;
    assert_eq!(
        people.fails(ANN, &format!("propose {before}")),
        VerbRefusal::NobodyToAsk
    );
    people.does(ANN, &format!("propose {closed}"));
    people
        .table
        .host(TableVerb::Present { seat: BEN })
        .expect("the host says so");
    people.does(ANN, &format!("propose {before}"));
    let id = question(&people);
    people.does(BEN, &format!("answer {id} yes"));
    assert!(people.truth(ANN, "Hand").is_empty());
}

/// F105, F101: attached cards follow, marks end with the group.
#[test]
fn attached_cards_follow_their_host() {
    let mut people = People::new();
    people.does(ANN, "create Stranger 2 at 0,0");
    let [host, guest] = [0, 1].map(|at| people.table.view(ANN).table[at].handle);
    people.does(ANN, &format!("attach {guest} to {host}"));
    assert_eq!(
        people.fails(ANN, &format!("attach {host} to {guest}")),
        VerbRefusal::Circle
    );
    people.does(ANN, &format!("arrow {guest} to {host}"));
    let before = people.table.view(ANN).table[1].x;
    people.does(ANN, &format!("place {host} 50,0"));
    assert_eq!(people.table.view(ANN).table[1].x, before + 50);
    people.does(ANN, &format!("delete {host}"));
    let view = people.table.view(ANN);
    assert_eq!((view.arrows.len(), view.table[0].host), (0, None));
}

/// F94: markers that cannot be dragged stay.
#[test]
fn markers_are_moved_if_they_can_be_dragged() {
    let mut people = People::new();
    people.does(ANN, "create Stranger 2 at 0,0");
    let [one, two] = [0, 1].map(|at| people.table.view(ANN).table[at].handle);
    people.does(ANN, &format!("marker {one} Worm +3"));
    people.does(ANN, &format!("marker {one} Stone +1"));
    people.does(ANN, &format!("movemarker {one} to {two} Worm 2"));
    assert_eq!(
        people.fails(ANN, &format!("movemarker {one} to {two} Stone 1")),
        VerbRefusal::CannotDrag
    );
    let view = people.table.view(BEN);
    assert_eq!(
        (view.table[0].markers.as_slice(), view.table[1].markers.as_slice()),
        (&[(0, 1), (1, 1)][..], &[(0, 2)][..])
    );
    people.does(ANN, &format!("marker {one} Worm -9"));
    assert_eq!(people.table.view(BEN).table[0].markers, [(1, 1)]);
}

/// F23, P123: the definition's markers, then the eight built-in ones.
#[test]
fn every_table_has_eight_markers() {
    let names: Vec<String> = kit().markers.iter().map(|marker| marker.name.clone()).collect();
    assert_eq!(names.len(), 10);
    assert_eq!((names[0].as_str(), names[9].as_str()), ("Worm", "yellow"));
}

/// F108, F53: private notes are their author's.
#[test]
fn private_notes_are_private() {
    let mut people = People::new();
    people.does(ANN, "note 0,0 private secret");
    people.does(ANN, "note 0,0 open");
    assert_eq!(
        (
            people.table.view(BEN).notes.len(),
            people.table.view(ANN).notes.len()
        ),
        (1, 2)
    );
    let private = people.table.view(ANN).notes[0].id;
    assert_eq!(
        people.fails(BEN, &format!("removenote {private}")),
        VerbRefusal::NoSuchNote
    );
}

/// F117: a mulligan is one step.
#[test]
fn a_mulligan_is_one_step() {
    let mut people = People::with_decks();
    people.does(ANN, "draw 4");
    let before = people.table.len();
    let told = people.does(ANN, "mulligan");
    assert_eq!(people.table.len(), before + 1);
    assert!(
        people
            .read(&told, BEN)
            .starts_with("Ann puts 4 cards back, shuffles and draws 4 cards")
    );
    assert_eq!(
        (people.truth(ANN, "Hand").len(), people.truth(ANN, "Deck").len()),
        (4, 8)
    );
}

/// F217, F113: each seat's pool is its own; the deck built comes of it, the rest goes to the sideboard.
#[test]
fn a_limited_pool_becomes_a_deck() {
    let mut people = People::new();
    let told = people.does(ANN, "packs 0.0 0.0");
    let words = "Ann opens 2 packs for every seat: Bag, Bag; the seed is committed to as ";
    assert!(people.read(&told, BEN).starts_with(words));
    let pool = people.table.view(ANN).pool;
    assert_eq!(pool.iter().map(|(_, count)| count).sum::<usize>(), 10);
    assert_ne!(pool, people.table.view(BEN).pool, "each has its own luck");
    let first = &pool[0].0;
    people.does(
        ANN,
        &format!("build Mine section Main own 1 1*\"{first}\" 7*Apple"),
    );
    assert_eq!(
        (people.truth(ANN, "Deck").len(), people.truth(ANN, "Shed").len()),
        (8, 9)
    );
    assert_eq!(
        people.fails(BEN, "build Mine section Main own 1 40*Pear"),
        VerbRefusal::NotInPool
    );
}

/// A pool outlives the game: after a reset decks are built of it anew, and the end still opens
/// its seed (F123, F217).
#[test]
fn a_pool_is_there_after_a_reset() {
    let mut people = People::new();
    people.does(ANN, "packs 0.0 0.0");
    people.does(BEN, "rename Benjamin");
    let pools = |people: &People| [ANN, BEN].map(|seat| people.table.view(seat).pool);
    let before = pools(&people);
    people.does(ANN, "reset hard");
    let id = question(&people);
    people.does(BEN, &format!("answer {id} yes"));
    assert_eq!(pools(&people), before);
    assert_eq!(&*people.table.view(ANN).seats[1].name, "Benjamin");
    let first = &before[0][0].0;
    people.does(
        ANN,
        &format!("build Mine section Main own 1 1*\"{first}\" 7*Apple"),
    );
    people.does(ANN, "endgame");
    let told = people.does(BEN, "endgame");
    assert!(people.read(&told, ANN).contains("The seed of the packs was "));
}

/// What packs hold is settled before anybody knows: the log has the digest of the seed at once, the seed at
/// the end, however it comes, once (F217).
#[test]
fn the_seed_of_packs_is_committed_to_and_opened() {
    let promised = |people: &mut People, packs: &str| {
        let told = people.does(ANN, packs);
        let words = people.read(&told, Looker::Spectators);
        words
            .rsplit_once(' ')
            .expect("a digest ends the line")
            .1
            .to_owned()
    };
    let opened = |people: &People, events: &[TableEvent]| -> Vec<(String, String)> {
        let words = people.read(events, Looker::Spectators);
        let lines = words
            .lines()
            .filter_map(|line| line.strip_prefix("The seed of the packs was "));
        lines
            .map(|rest| rest.split_once("; its BLAKE3 digest is ").expect("both"))
            .map(|(seed, digest)| (seed.to_owned(), digest.to_owned()))
            .collect()
    };
    let bytes = |hex: &str| -> Vec<u8> {
        hex.as_bytes()
            .chunks(2)
            .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).expect("ASCII"), 16).expect("hex"))
            .collect()
    };
    for end in [&[(ANN, "endgame"), (BEN, "endgame")][..], &[(BEN, "concede")]] {
        let mut people = People::new();
        let digests = [
            promised(&mut people, "packs 0.0"),
            promised(&mut people, "packs 0.0 0.0"),
        ];
        assert_ne!(digests[0], digests[1]);
        let pools: Vec<_> = people
            .table
            .state()
            .seats
            .iter()
            .map(|seat| seat.pool.clone())
            .collect();
        let mut told = Vec::new();
        for (seat, line) in end {
            assert!(opened(&people, &told).is_empty());
            told = people.does(*seat, line);
        }
        let seeds = opened(&people, &told);
        assert_eq!(
            seeds.iter().map(|(_, digest)| digest.clone()).collect::<Vec<_>>(),
            digests
        );
        for (seed, digest) in &seeds {
            assert_eq!(blake3::hash(&bytes(seed)).to_hex().as_str(), digest);
        }
        // It is the seed that the pools came of: 64 bits for each seat.
        let kit = kit();
        let booster = Booster::new(&kit.package, 0, 0);
        for (at, pool) in pools.iter().enumerate() {
            let mut models = Vec::new();
            for (opening, (seed, _)) in seeds.iter().enumerate() {
                let own = bytes(seed)[8 * at..8 * at + 8].try_into().expect("eight of them");
                let mut chance = PackChance::new(u64::from_be_bytes(own));
                for _ in 0..=opening {
                    let mut opened = OpenedBooster::default();
                    Opener::new(&booster).open(&mut chance, &mut opened);
                    models.extend(
                        opened
                            .limited
                            .iter()
                            .filter_map(|drawn| kit.model_of(booster.pool[drawn.entry as usize].card)),
                    );
                }
            }
            assert_eq!(&models, pool, "seat {at}");
        }
        if !people.table.state().ended {
            let again = people.does(ANN, "endgame");
            assert!(opened(&people, &again).is_empty(), "it was told already");
        }
    }
}

/// F122, F162: hidden cards are shown after the end only.
#[test]
fn the_end_opens_what_its_owner_shows() {
    let mut people = People::with_decks();
    people.does(ANN, "draw 2");
    assert!(matches!(
        people.fails(ANN, "showhidden"),
        VerbRefusal::Impossible(_)
    ));
    people.does(ANN, "endgame");
    people.does(BEN, "endgame");
    assert!(people.table.view(BEN).ended);
    people.does(ANN, "showhidden");
    assert_eq!(people.names_in(BEN).len(), 12);
}

/// F215, F211: equal lists have equal digests within one table.
#[test]
fn equal_lists_have_equal_digests_at_one_table() {
    let digest = |people: &mut People, seat| {
        let deck = Arc::new(people.deck(1));
        let events = people.act(seat, TableVerb::Load { deck }).expect("it fits");
        let read = people.read(&events, ANN);
        read.split("(list ").nth(1).map(|rest| rest[..6].to_owned())
    };
    let mut people = People::new();
    let (anns, bens) = (digest(&mut people, ANN), digest(&mut people, BEN));
    assert_eq!(anns, bens);
    let mut other = People::of(kit(), TableSettings::for_people(&["Ann", "Ben"]), 8);
    assert_ne!(digest(&mut other, ANN), anns);
}

/// F203: control characters and direction overrides are taken out of texts.
#[test]
fn texts_are_plain() {
    let mut people = People::new();
    let said = people.does(ANN, "say a\u{202e}b\u{7}c");
    assert_eq!(people.read(&said, BEN), "Ann: abc");
    assert_eq!(
        people.fails(ANN, &format!("say {}", "x".repeat(501))),
        VerbRefusal::Limit("characters of a line")
    );
    assert_eq!(
        people.fails(ANN, &"x".repeat(20_000)),
        VerbRefusal::Limit("bytes of a request")
    );
}

/// F180: cards arrive beside each other, in their seat's half, whatever they are.
#[test]
fn arriving_cards_lie_beside_each_other() {
    let mut people = People::with_decks();
    people.does(ANN, "movetop Deck 6 to table");
    people.does(BEN, "movetop Deck 6 to table");
    let view = people.table.view(ANN);
    for (at, card) in view.table.iter().enumerate() {
        assert_eq!(card.y < 0, at >= 6, "Ben sits on the far side");
        let beneath = view.table[..at]
            .iter()
            .any(|other| (other.x - card.x).abs() < 63 && (other.y - card.y).abs() < 88);
        assert!(!beneath);
    }
}

/// F12, F3, F16: what is read otherwise than written is said.
#[test]
fn readings_are_remarked() {
    let odd = "\
        <game name=\"Odd\">\
            <table visibility=\"all\"/>\
            <shared><group name=\"Pot\" visibility=\"me\"/></shared>\
            <player><group name=\"Box\" visibility=\"none\" protectionState=\"true\"/></player>\
        </game>";
    let kit = Arc::new(Kit::of(package_of(odd)));
    assert_eq!(kit.remarks.len(), 2);
    let mut people = People::of(kit, TableSettings::for_seats(2), 1);
    assert_eq!(people.fails(BEN, "look 1/Box"), VerbRefusal::Protected);
}

/// F161, F132: who is away does not hold up a proposal.
#[test]
fn silence_of_the_absent_agrees() {
    let mut people = People::of(kit(), TableSettings::for_people(&["Ann", "Ben", "Cay"]), 7);
    people.load(ANN, 1);
    people.does(ANN, "draw 1");
    people
        .table
        .host(TableVerb::Away { seat: TableSeat(2) })
        .expect("the host says so");
    people.does(ANN, "propose 1");
    let id = question(&people);
    people.does(BEN, &format!("answer {id} yes"));
    assert_eq!(people.truth(ANN, "Hand").len(), 0);
}

/// F170: a seat is added freely before the start, by consent later.
#[test]
fn seats_are_added() {
    let mut people = People::new();
    people.does(ANN, "addseat Cay");
    assert_eq!(people.table.state().seats.len(), 3);
    people.load(TableSeat(2), 1);
    people.does(ANN, "addseat Dan");
    assert_eq!(people.table.state().seats.len(), 3);
    assert_eq!(people.table.state().questions.len(), 1);
}

/// F14, F82: in a pile without order nothing is reordered, and moving within it makes no line.
#[test]
fn unordered_piles_have_no_places() {
    let mut people = People::with_decks();
    people.does(ANN, "draw 3");
    assert!(
        people
            .known(ANN, ANN, "Hand")
            .iter()
            .all(|(place, _)| place.is_none())
    );
    let pear = people.handle(ANN, "Pear");
    let moved = people.does(ANN, &format!("move Hand:{pear} to Hand top"));
    assert!(moved.is_empty());
    assert_eq!(
        people.fails(ANN, "peek Hand:@1").to_string(),
        "Hand has no order, so it has no top, bottom or places: name its cards by the numbers of your view"
    );
}

/// A look at a deck without order never tells what is drawn next, and nobody can settle it in
/// silence (F14, F81, D80).
#[test]
fn a_look_at_a_deck_without_order_tells_no_draw() {
    let deck = "<group name=\"Deck\" visibility=\"none\"";
    let definition = support::DEFINITION.replace(deck, &format!("{deck} ordered=\"False\""));
    let kit = Arc::new(Kit::of(package_of(&definition)));
    let table = |shuffles: usize| {
        let mut settings = TableSettings::for_people(&["Ann", "Ben"]);
        settings.shuffle_after_loading = false;
        let mut people = People::of(Arc::clone(&kit), settings, 7);
        people.load(ANN, 1);
        people.does(ANN, "roll 1d6");
        for _ in 0..shuffles {
            people.does(ANN, "shuffle Deck");
        }
        people
    };
    // Two orders: what Ann and Ben see of a look is the same.
    let looked = |mut people: People| {
        people.does(ANN, "look Deck");
        let shown = people.known(ANN, ANN, "Deck");
        (people.truth(ANN, "Deck"), shown)
    };
    let ((first, one), (second, other)) = (looked(table(1)), looked(table(2)));
    assert_ne!(first, second);
    assert_eq!(one.len(), 12);
    assert_eq!(
        one, other,
        "the order of what is shown follows nothing that lies there"
    );
    // A card that one looks at cannot be put where it is drawn next.
    let next = |lines: &[&str]| {
        let mut people = table(1);
        people.does(ANN, "look Deck");
        for line in lines {
            let fig = people.handle(ANN, "Fig");
            let told = people.does(ANN, &line.replace("FIG", &fig.to_string()));
            assert!(told.is_empty() || line.contains("Hand"), "{line}");
        }
        people.does(ANN, "close Deck");
        people.does(ANN, "draw 1");
        people.truth(ANN, "Hand")
    };
    let untouched = next(&[]);
    assert_ne!(untouched, names(&["Fig"]));
    for lines in [
        &["move Deck:FIG to Deck top"][..],
        &["move Deck:FIG to Hand", "move Hand:FIG to Deck top"],
    ] {
        assert_eq!(next(lines), untouched, "{lines:?}");
    }
    // What came last is not at hand at the other end.
    for line in [
        "draw 1 bottom",
        "movebottom Deck 1 to Basket",
        "moveall Basket to Deck at 1",
    ] {
        assert_eq!(
            table(1).fails(ANN, line),
            VerbRefusal::Unordered("Deck".to_owned())
        );
    }
}

/// F40: the digest is of the state, whoever looks.
#[test]
fn equal_games_have_equal_digests() {
    let game = || {
        let mut people = People::with_decks();
        people.does(ANN, "draw 3");
        people.does(ANN, "shuffle Deck");
        people.table.hash()
    };
    let first: StateHash = game();
    assert_eq!(first, game());
}

/// F205: a record of another package is refused.
#[test]
fn records_of_another_package_are_refused() {
    let people = People::new();
    let record = FreeRecord::read(&FreeRecord::write(&people.table)).expect("a record");
    let other = Arc::new(Kit::of(package_of("<game name=\"Other\"/>")).with_hash([1; 32]));
    let refused = record.play(&other).expect_err("another game").to_string();
    assert_eq!(
        refused,
        "this record is of the game “Orchard”, and this is “Other”"
    );
    assert!(FreeRecord::read("nothing").is_err());
}

/// D74: a mapping says what menu entries do; what is wrong in it has its place, the rest works.
#[test]
fn a_mapping_gives_entries_their_verbs() {
    let text = "\
        [actions.\"Fruit/Pick\"]\n\
        of = \"card\"\n\
        verbs = [\"move {cards} to Shed\"]\n\
        [actions.\"No rain.\"]\n\
        ask = { n = \"How many?\" }\n\
        when = \"count(Hand) < 2 and n > 0\"\n\
        verbs = [\"draw {n}\"]\n\
        [actions.\"No rein.\"]\n\
        verbs = [\"draw\"]\n\
        [actions.Worm]\n\
        verbs = [\"drow 1\"]\n\
        [actions.Wormy]\n\
        verbs = [\"draw {m}\"]\n\
        [actions.\"Maybe a worm\"]\n\
        when = \"face(Deck) == 1\"\n\
        verbs = [\"draw\"]\n";
    let kit = kit();
    let mut sources = cw_text::Sources::new();
    let file = sources.add("table.toml", text);
    let (mapping, findings) = cw_table::Mapping::read(text, file, &kit);
    let said: Vec<String> = findings
        .iter()
        .map(|found| format!("{} {}", found.code.0, found.message))
        .collect();
    assert_eq!(said.len(), 4, "{said:?}");
    for part in [
        "FT002 the package has no menu entry `No rein.`",
        "FT003 “drow” is not understood",
        "FT005 `{m}`",
        "FT004 `face(Deck)`",
    ] {
        assert!(
            said.iter().any(|found| found.starts_with(part)),
            "{part} in {said:?}"
        );
    }
    assert!(mapping.rule("Fruit/Pick", false).is_none(), "it is of cards");
    let mut people = People::with_decks();
    let rule = mapping.rule("No rain.", false).expect("it is mapped").clone();
    let answers = std::collections::BTreeMap::from([("n".to_owned(), 2)]);
    let lines = rule.lines(&people.table, ANN, "", "Deck", &answers);
    assert_eq!(lines, Ok(cw_table::Mapped::Lines(names(&["draw 2"]))));
    assert!(
        rule.lines(&people.table, ANN, "", "Deck", &std::collections::BTreeMap::new())
            .is_err(),
        "n is missing"
    );
    people.does(ANN, "draw 2");
    let lines = rule.lines(&people.table, ANN, "", "Deck", &answers);
    assert!(matches!(lines, Ok(cw_table::Mapped::NotNow(_))));
    // The user's own file goes over the package's.
    let (own, _) = cw_table::Mapping::read("[actions.\"No rain.\"]\nverbs = [\"coin\"]\n", file, &kit);
    let both = mapping.under(own);
    assert_eq!(
        both.rule("No rain.", false).map(|rule| rule.verbs.clone()),
        Some(names(&["coin"]))
    );
}

/// D74: what no entry could ever do is found when the mapping is read.
#[test]
fn a_mapping_is_judged_as_a_whole() {
    let kit = kit();
    let found = |text: &str| {
        let mut sources = cw_text::Sources::new();
        let (mapping, found) =
            cw_table::Mapping::read_bytes(text.as_bytes(), "table.toml", &mut sources, &kit);
        assert_eq!(
            mapping.rule("No rain.", false).is_none(),
            !found.is_empty(),
            "{text}"
        );
        found
            .first()
            .map(|found| format!("{} {}", found.code.0, found.message))
            .unwrap_or_default()
    };
    for (entry, code) in [
        (
            "verbs = [\"turn {cards}\"]",
            "FT005 an entry of a group is not chosen on cards",
        ),
        ("verbs = []", "FT003 `No rain.` has no verbs"),
        (
            "of = \"card\"\nverbs = [\"draw\"]",
            "FT002 `No rain.` is not an entry of a card",
        ),
        ("verbs = [\"undo\"]", "FT003 taking back"),
        (
            "verbs = [\"together \\\"draw\\\" \\\"answer 1 yes\\\"\"]",
            "FT003 ",
        ),
        (
            "verbs = [\"load Fruit\"]",
            "FT003 there are no cards in the deck “Fruit”",
        ),
        ("of = \"group\"\nverbs = [\"draw\"]", ""),
    ] {
        let said = found(&format!("[actions.\"No rain.\"]\n{entry}\n"));
        assert!(said.starts_with(code), "{entry}: {said}");
        assert_eq!(said.is_empty(), code.is_empty(), "{entry}: {said}");
    }
}

/// F77: a property that the package does not have turns nothing over.
#[test]
fn until_knows_its_properties() {
    let mut people = People::with_decks();
    let refused = people.fails(ANN, "until Deck Nonsense Foo");
    assert_eq!(
        refused.to_string(),
        "the package has no property “Nonsense”; it has Name, Kind, Sweet"
    );
    people.does(ANN, "until Deck kind Fruit");
    people.does(ANN, "until Deck name Pear");
}

/// Who asked to act before the turn ends is named when it is passed, once; the next pass ends
/// it (F114, F121).
#[test]
fn the_stop_before_the_end_of_a_turn_says_who_asked() {
    let mut people = People::new();
    people.does(ANN, "pass Ann");
    people.does(BEN, "pass");
    let told = people.does(ANN, "pass");
    assert_eq!(
        people.read(&told, BEN),
        "Ann stops before the end of the turn, as Ben asked"
    );
    let told = people.does(ANN, "pass");
    assert!(people.read(&told, BEN).contains("turn 2, Ben"));
}
