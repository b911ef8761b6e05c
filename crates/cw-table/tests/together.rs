//! Several verbs as one step, and entries of a package that are filled in.

mod support;

use std::collections::BTreeMap;

use cw_table::{EntryMark, FreeRecord, VerbRefusal};
use support::{ANN, BEN, People, kit};

/// F63, F131: all lines are done or none, they are read where those before them lead, and one undo takes them
/// back.
#[test]
fn several_verbs_are_one_step() {
    let mut people = People::with_decks();
    people.does(ANN, "draw 3");
    let (apple, pear) = (people.handle(ANN, "Apple"), people.handle(ANN, "Pear"));
    let refused = vec![
        format!("move Hand:{apple} to table"),
        format!("marker {apple} Worm +1"),
        format!("marker {pear} Worm +1"),
    ];
    let before = (people.table.hash(), people.table.len());
    let verb = people
        .table
        .parse_together(ANN, &refused)
        .expect("every line is a verb");
    assert_eq!(people.act(ANN, verb), Err(VerbRefusal::NotOnTable));
    assert_eq!((people.table.hash(), people.table.len()), before);

    let done = vec![
        format!("move Hand:{apple} to table"),
        format!("marker {apple} Worm +2"),
        "counter Luck -1".to_owned(),
    ];
    let verb = people
        .table
        .parse_together(ANN, &done)
        .expect("every line is a verb");
    let events = people.act(ANN, verb).expect("all of it is possible");
    assert_eq!(
        people.read(&events, BEN),
        "Ann moves Apple from Hand to the table\n\
         Ann puts 2 × Worm on Apple\n\
         Ann changes Luck from 3 to 2 (-1)"
    );
    assert_eq!(people.table.len(), before.1 + 1);
    let record = FreeRecord::write(&people.table);
    let again = FreeRecord::read(&record).expect("it was just written");
    let again = again
        .play(people.table.kit())
        .expect("it leads to the same states");
    assert_eq!(FreeRecord::write(&again), record);
    // The Apple came to light: it is not taken back alone. What is open is.
    assert!(matches!(people.fails(ANN, "undo"), VerbRefusal::NotAlone(_)));
    people.does(
        ANN,
        &format!("together \"marker {apple} Worm +1\" \"rotate {apple}\""),
    );
    people.does(ANN, "undo");
    let view = people.table.view(ANN);
    assert_eq!((view.table[0].markers.len(), view.table[0].markers[0].1), (1, 2));
    assert_eq!(view.table[0].quarter.degrees(), 0);
}

/// F130: what came to light in the middle of a step is no secret at its end.
#[test]
fn a_step_that_shows_and_hides_is_not_taken_back_alone() {
    let mut people = People::with_decks();
    people.does(ANN, "draw 1");
    let apple = people.handle(ANN, "Apple");
    let shown = people.does(
        ANN,
        &format!("together \"reveal Hand:{apple} to 2\" \"hide Hand:{apple}\""),
    );
    assert!(people.read(&shown, BEN).contains("Apple"));
    assert!(matches!(people.fails(ANN, "undo"), VerbRefusal::NotAlone(_)));
}

/// F63, F200: no step in a step, no undo in one, no more than the limit.
#[test]
fn steps_have_their_limits() {
    let people = People::with_decks();
    let refused = |line: &str| {
        people
            .table
            .parse(ANN, line)
            .and_then(|verb| people.table.prepare(cw_table::Actor::Seat(ANN), verb).map(|_| ()))
    };
    assert!(refused("together").is_err());
    assert!(refused("together \"together \\\"coin\\\"\"").is_err());
    assert!(refused("together \"coin\" \"undo\"").is_err());
    assert!(refused("together \"coin\" \"away 2\"").is_err());
    let coins = |count: usize| format!("together{}", " \"coin\"".repeat(count));
    assert_eq!(refused(&coins(32)), Ok(()));
    assert_eq!(refused(&coins(33)), Err(VerbRefusal::Limit("verbs of one step")));
}

/// F34: what was recognised is filled in, what is open is named.
#[test]
fn likely_entries_are_filled_in() {
    let kit = kit();
    let entry = |menu: &str| {
        let mut entries = kit.actions.iter();
        entries
            .find(|entry| entry.definition.menu == menu)
            .expect("it is there")
    };
    let nothing = BTreeMap::new();
    let maybe = entry("Maybe a worm");
    assert_eq!(maybe.mark, EntryMark::Likely);
    assert_eq!(
        maybe.filled("417", "Deck", &nothing),
        Ok(vec!["marker 417 \"Worm\" +1".to_owned()])
    );
    assert_eq!(maybe.filled("", "Deck", &nothing), Err(vec!["cards".to_owned()]));
    let mut open = maybe.clone();
    open.lines = vec!["move {cards} to {to}".into(), "shuffle {to}".into()];
    assert_eq!(open.filled("417", "", &nothing), Err(vec!["to".to_owned()]));
    let to = BTreeMap::from([("to".to_owned(), "Deck".to_owned())]);
    assert_eq!(
        open.filled("417", "", &to),
        Ok(vec!["move 417 to Deck".to_owned(), "shuffle Deck".to_owned()])
    );
}

/// F63, F157, F163: a step that is refused has shown nothing: no card is named that was hidden before it.
#[test]
fn a_refused_step_names_no_hidden_card() {
    let mut people = People::with_decks();
    people.does(ANN, "movetop Deck 2 to table down");
    let cards: Vec<u32> = people
        .table
        .view(ANN)
        .table
        .iter()
        .map(|card| card.handle)
        .collect();
    for card in cards {
        // The Apple has two forms, the Pear one.
        let line = format!("together \"turn table:{card} up\" \"form table:{card} 9\" \"pass 9\"");
        let refused = people.fails(ANN, &line);
        assert_eq!(refused, VerbRefusal::NoSuchSeat, "{refused}");
        people.does(ANN, &format!("turn table:{card} up"));
        let refused = people.fails(ANN, &format!("together \"form table:{card} 9\" \"coin\""));
        let named = matches!(refused, VerbRefusal::OneForm(_) | VerbRefusal::NoSuchForm(..));
        assert!(named, "{refused}");
    }
}
