//! The verbs of the specification's catalogue and what the state keeps, rule by rule, where no scenario
//! reaches.

mod support;

use cw_table::{
    FreeRecord, Looker, OF_HOST, Quarter, Rights, Sides, TableSeat, TableSettings, TableSide, TableVerb,
    VERBS, VerbRefusal, Viewers,
};
use support::{ANN, BEN, People, kit};

/// Ann has two stones on the table; their handles, the lower one first.
fn stones(people: &mut People) -> [u32; 2] {
    people.does(ANN, "create Low at 0,10");
    people.does(ANN, "create High at 200,10");
    let view = people.table.view(ANN);
    [view.table[0].handle, view.table[1].handle]
}

/// F54: nobody is active, turn 0, no phase, the default board, nothing stopped, nobody ready.
#[test]
fn a_table_begins_with_nothing() {
    let people = People::new();
    let view = people.table.view(ANN);
    assert_eq!(
        (view.active, view.turn, view.phase, view.board),
        (None, 0, 0, Some(0))
    );
    assert_eq!(
        (view.stops, view.end_stop, view.background_turned),
        (0, false, false)
    );
    assert!(
        view.seats
            .iter()
            .all(|seat| !seat.ready && !seat.conceded && seat.present)
    );
    assert!(people.table.is_empty());
}

/// F41, F42, F47, F48, F49, F50, F97, F101: what a card has, and that each seat sees it.
#[test]
fn a_card_keeps_what_is_done_to_it() {
    let mut people = People::new();
    let [low, high] = stones(&mut people);
    for line in [
        format!("highlight {low} #00FF00"),
        format!("filter {low} #102030"),
        format!("anchor {low}"),
        format!("marker {low} Worm +2"),
        format!("target {low}"),
        format!("arrow {low} to {high}"),
    ] {
        people.does(ANN, &line);
    }
    let at_ben = people.table.view(BEN).table[0].handle;
    people.does(BEN, &format!("target {at_ben}"));
    let view = people.table.view(BEN);
    let card = &view.table[0];
    assert_eq!(
        card.highlight.map(|colour| colour.to_string()),
        Some("#00FF00".into())
    );
    assert_eq!(
        card.filter.map(|colour| colour.to_string()),
        Some("#102030".into())
    );
    assert_eq!((card.owner, card.controller), (Some(ANN), Some(ANN)));
    assert_eq!((card.x, card.y, card.anchored), (0, 10, true));
    // The last who targets it wins; arrows are told in the looker's own handles.
    assert_eq!(card.target, Some(BEN));
    assert_eq!(view.arrows, [(ANN, card.handle, view.table[1].handle)]);
    assert_eq!(
        people.fails(ANN, &format!("place {low} 5,5")),
        VerbRefusal::Impossible("moving an anchored card")
    );
    people.does(ANN, &format!("unanchor {low}"));
    people.does(ANN, &format!("place {low} 5,5"));
    people.does(ANN, "clearmarks");
    assert_eq!(people.table.view(ANN).arrows, []);
    assert_eq!(
        people.table.view(ANN).table[0].target,
        Some(BEN),
        "another's target stays"
    );
}

/// F43, F103: who lies higher is drawn later.
#[test]
fn cards_go_to_the_front_and_to_the_back() {
    let mut people = People::new();
    let [low, high] = stones(&mut people);
    let order = |people: &People| -> Vec<u32> {
        people
            .table
            .view(ANN)
            .table
            .iter()
            .map(|card| card.handle)
            .collect()
    };
    let told = people.does(ANN, &format!("front {low}"));
    assert_eq!(people.read(&told, BEN), "", "no line is made");
    assert_eq!(order(&people), [high, low]);
    people.does(ANN, &format!("back {low}"));
    assert_eq!(order(&people), [low, high]);
}

/// F45, F92: forms change name and size; on a face-down card only its controller is told which.
#[test]
fn forms_are_switched() {
    let mut people = People::with_decks();
    people.does(ANN, "draw 1");
    let apple = people.handle(ANN, "Apple");
    people.does(ANN, &format!("move {apple} to table"));
    let told = people.does(ANN, &format!("form {apple}"));
    assert!(
        people.read(&told, BEN).contains("Rotten Apple"),
        "{}",
        people.read(&told, BEN)
    );
    people.does(ANN, &format!("form {apple}"));
    people.does(ANN, &format!("turn {apple} down"));
    people.does(ANN, &format!("peek {apple}"));
    let told = people.does(ANN, &format!("form {apple} 1"));
    assert!(
        !people.read(&told, BEN).contains("Apple"),
        "{}",
        people.read(&told, BEN)
    );
}

/// F51, F52, F84, F88: a card of a pile is shown to named seats, and to all by turning it up.
#[test]
fn cards_of_piles_are_shown() {
    let mut people = People::of(kit(), TableSettings::for_people(&["Ann", "Ben", "Cay"]), 7);
    people.load(ANN, 1);
    people.does(ANN, "draw 2");
    let shown = people
        .table
        .view(ANN)
        .cards()
        .next()
        .expect("a card of the hand")
        .1
        .clone();
    let name = shown.face.expect("Ann sees her hand").name;
    let told = people.does(ANN, &format!("reveal Hand:{} to 2", shown.handle));
    assert!(people.read(&told, BEN).contains(&name));
    let cay = people.read(&told, TableSeat(2));
    assert!(cay.starts_with("Ann shows ") && !cay.contains(&name), "{cay}");
    assert_eq!(people.names_in(BEN), std::slice::from_ref(&name));
    assert!(people.names_in(TableSeat(2)).is_empty() && people.names_in(Looker::Spectators).is_empty());
    people.does(ANN, &format!("hide Hand:{}", shown.handle));
    assert!(people.names_in(BEN).is_empty());
    people.does(ANN, &format!("turn Hand:{} up", shown.handle));
    assert_eq!(people.names_in(Looker::Spectators), [name]);
    people.does(ANN, &format!("turn Hand:{} down", shown.handle));
    assert!(people.names_in(Looker::Spectators).is_empty());
}

/// F61: targets, arrows, pointing, chat and dice need no control. F102: pointing makes no line, shaking does.
#[test]
fn some_verbs_need_no_control() {
    let mut people = People::new();
    let [low, _] = stones(&mut people);
    let of = |people: &People, at: usize| people.table.view(BEN).table[at].handle;
    let (ben_low, ben_high) = (of(&people, 0), of(&people, 1));
    people.does(BEN, &format!("target {ben_low}"));
    people.does(BEN, &format!("arrow {ben_low} to {ben_high}"));
    let pointed = people.does(BEN, &format!("point {ben_low}"));
    assert_eq!(people.read(&pointed, ANN), "");
    let shaken = people.does(ANN, &format!("shake {low}"));
    assert!(people.read(&shaken, BEN).starts_with("Ann shakes Low"));
    people.does(BEN, "coin");
    assert_eq!(
        people.fails(BEN, &format!("rotate {ben_low}")),
        VerbRefusal::NotYours
    );
}

/// F64: cards of one group, in its order, whatever order they are named in.
#[test]
fn a_selection_has_the_order_of_its_group() {
    let mut people = People::with_decks();
    people.does(ANN, "draw 3");
    let (apple, pear) = (people.handle(ANN, "Apple"), people.handle(ANN, "Pear"));
    people.does(ANN, &format!("move Hand:{pear},{apple} to Basket bottom"));
    assert_eq!(people.truth(ANN, "Basket"), ["Apple", "Pear"]);
    assert_eq!(
        people.fails(ANN, &format!("move Basket:{apple},{apple} to table")),
        VerbRefusal::Twice
    );
    let plum = people.handle(ANN, "Plum");
    assert_eq!(
        people.fails(ANN, &format!("move Basket:{apple},{plum} to table")),
        VerbRefusal::Moved
    );
}

/// F68: on top of a pile, last in the hand, at a place from either end; beyond the end is the end.
#[test]
fn cards_arrive_where_they_should() {
    let mut people = People::with_decks();
    people.does(ANN, "movetop Deck 4 to Shed");
    assert_eq!(people.truth(ANN, "Shed"), ["Apple", "Pear", "Plum", "Quince"]);
    for (place, expected) in [
        ("", ["Cherry", "Apple", "Pear", "Plum", "Quince"]),
        (" bottom", ["Apple", "Pear", "Plum", "Quince", "Cherry"]),
        (" at 1", ["Cherry", "Apple", "Pear", "Plum", "Quince"]),
        (" at 2", ["Apple", "Cherry", "Pear", "Plum", "Quince"]),
        (" at -2", ["Apple", "Pear", "Plum", "Cherry", "Quince"]),
        (" at 99", ["Apple", "Pear", "Plum", "Quince", "Cherry"]),
    ] {
        let mut other = People {
            table: people.table.clone(),
            told: Vec::new(),
        };
        other.does(ANN, &format!("movetop Deck 1 to Shed{place}"));
        assert_eq!(other.truth(ANN, "Shed"), expected, "{place}");
    }
}

/// F75, F76, F79: whole piles, cards of an end face down, and a shuffled part.
#[test]
fn piles_are_moved_and_shuffled_in_part() {
    let mut people = People::with_decks();
    let told = people.does(ANN, "movetop Deck 2 to table down");
    assert_eq!(
        people.read(&told, BEN),
        "Ann moves 2 cards from the top of Deck to the table, face down"
    );
    assert!(
        people
            .table
            .view(BEN)
            .table
            .iter()
            .all(|card| card.face.is_none() && !card.up)
    );
    people.does(ANN, "movebottom Deck 1 to Basket");
    assert_eq!(people.truth(ANN, "Basket"), ["Peach"]);
    let rest = people.truth(ANN, "Deck");
    let told = people.does(ANN, "shuffle Deck bottom 4");
    assert_eq!(people.read(&told, BEN), "Ann shuffles the bottom 4 cards of Deck");
    assert_eq!(people.truth(ANN, "Deck")[..5], rest[..5]);
    let told = people.does(ANN, "moveall Deck to Shed");
    assert_eq!(
        people.read(&told, BEN),
        "Ann moves all 9 cards of Deck to the top of Shed"
    );
    assert_eq!(people.truth(ANN, "Shed")[..5], rest[..5], "in order");
}

/// F89, F44: to an angle, by an angle, and to and fro.
#[test]
fn cards_are_rotated() {
    let mut people = People::new();
    let [low, high] = stones(&mut people);
    let quarters = |people: &People| {
        people
            .table
            .view(ANN)
            .table
            .iter()
            .map(|card| card.quarter)
            .collect::<Vec<_>>()
    };
    people.does(ANN, &format!("rotate {low} to 180"));
    people.does(ANN, &format!("rotate {low} by 270"));
    assert_eq!(quarters(&people), [Quarter::One, Quarter::Zero]);
    people.does(ANN, &format!("rotate {low},{high}"));
    assert_eq!(
        quarters(&people),
        [Quarter::Zero, Quarter::Zero],
        "not all were upright"
    );
    people.does(ANN, &format!("rotate {low},{high}"));
    assert_eq!(quarters(&people), [Quarter::One, Quarter::One]);
    assert_eq!(
        people.fails(ANN, &format!("rotate {low} to 45")),
        VerbRefusal::Impossible("that angle")
    );
}

/// F93, F46: removing more markers than there are removes all.
#[test]
fn markers_are_counted() {
    let mut people = People::new();
    let [low, _] = stones(&mut people);
    let count = |people: &People| {
        people.table.view(BEN).table[0]
            .markers
            .first()
            .map(|(_, count)| *count)
    };
    people.does(ANN, &format!("marker {low} worm +3"));
    people.does(ANN, &format!("marker {low} Worm =5"));
    assert_eq!(count(&people), Some(5));
    people.does(ANN, &format!("marker {low} Worm -9"));
    assert_eq!(count(&people), None);
}

/// F95: colours make no line. F96: counters say old, new and difference; another's need `rights open`.
#[test]
fn colours_and_counters() {
    let mut people = People::new();
    let [low, _] = stones(&mut people);
    let told = people.does(ANN, &format!("highlight {low} #123456"));
    assert_eq!((people.read(&told, BEN), told.len()), (String::new(), 1));
    let told = people.does(ANN, "counter Luck +2");
    assert_eq!(people.read(&told, BEN), "Ann changes Luck from 3 to 5 (+2)");
    people.does(ANN, "counter Luck =2147483647");
    people.does(ANN, "counter Luck +9");
    assert_eq!(
        people.table.view(BEN).seats[0].counters[0],
        ("Luck".to_owned(), i32::MAX)
    );
    people.does(BEN, "counter */Rain +1");
    assert_eq!(people.fails(BEN, "counter 1/Luck -1"), VerbRefusal::NotYours);
    let mut open = People::with(|settings| settings.rights = Rights::Open);
    open.does(BEN, "counter 1/Luck -1");
}

/// F99, F100: what one knows is copied; tokens and cards of one's own making are deleted, others are not.
#[test]
fn cards_are_copied_and_deleted() {
    let mut people = People::with_decks();
    people.does(ANN, "movetop Deck 1 to table");
    let apple = people.handle(ANN, "Apple");
    assert_eq!(
        people.fails(ANN, &format!("delete {apple}")),
        VerbRefusal::NotDeletable
    );
    people.does(BEN, &format!("copy {}", people.handle(BEN, "Apple")));
    let view = people.table.view(BEN);
    let copy = view.table.last().expect("the copy lies there");
    assert_eq!((copy.owner, copy.token), (Some(BEN), true));
    let handle = copy.handle;
    people.does(BEN, &format!("delete {handle}"));
    assert_eq!(people.table.view(BEN).table.len(), 1);
    people.does(ANN, &format!("turn {apple} down"));
    let down = people.table.view(BEN).table[0].handle;
    // Ben saw it turn: but its face is not there to be copied.
    assert!(people.tries(BEN, &format!("copy {down}")).is_err());
}

/// F130: an open copy of a hidden card tells what that one is, and is not taken back alone.
#[test]
fn a_copy_of_a_hidden_card_comes_to_light() {
    let mut people = People::with_decks();
    people.does(ANN, "draw 1");
    people.does(ANN, &format!("copy Hand:{}", people.handle(ANN, "Apple")));
    assert!(matches!(people.fails(ANN, "undo"), VerbRefusal::NotAlone(_)));
}

/// F104: rows, grids and stacks change positions only.
#[test]
fn cards_are_arranged() {
    let mut people = People::new();
    let [low, high] = stones(&mut people);
    let places = |people: &People| {
        people
            .table
            .view(ANN)
            .table
            .iter()
            .map(|card| (card.x, card.y))
            .collect::<Vec<_>>()
    };
    let told = people.does(ANN, &format!("arrange {low},{high} row"));
    assert_eq!(
        (people.read(&told, BEN), places(&people)),
        (String::new(), vec![(0, 10), (67, 10)])
    );
    people.does(ANN, &format!("arrange {low},{high} 1"));
    assert_eq!(places(&people), [(0, 10), (0, 103)]);
    people.does(ANN, &format!("arrange {low},{high} stack"));
    assert_eq!(places(&people), [(0, 10), (0, 10)]);
}

/// F109: a line below a card is for who knows the card.
#[test]
fn notes_on_cards_are_for_who_knows_them() {
    let mut people = People::with_decks();
    people.does(ANN, "movetop Deck 1 to table down");
    let card = people.highest(ANN);
    people.does(ANN, &format!("peek {card}"));
    let told = people.does(ANN, &format!("cardnote {card} the Apple"));
    assert!(
        !people.read(&told, BEN).contains("Apple"),
        "{}",
        people.read(&told, BEN)
    );
    assert_eq!(people.table.view(ANN).table[0].note.as_deref(), Some("the Apple"));
    assert_eq!(people.table.view(BEN).table[0].note, None);
}

/// F115, F116, F118, F119: whose turn it is, readiness, boards and chat.
#[test]
fn turns_boards_and_chat() {
    let mut people = People::new();
    people.does(ANN, "active 2");
    assert_eq!(
        (people.table.view(ANN).active, people.table.view(ANN).turn),
        (Some(BEN), 0)
    );
    people.does(ANN, "active none");
    people.does(ANN, "ready");
    assert!(people.table.view(BEN).seats[0].ready);
    let told = people.does(BEN, "ready");
    assert_eq!(people.read(&told, ANN), "Ben is ready\nAll are ready");
    people.does(ANN, "board winter");
    people.does(ANN, "background");
    assert_eq!(
        (
            people.table.view(BEN).board,
            people.table.view(BEN).background_turned
        ),
        (Some(1), true)
    );
    let said = people.does(ANN, "say hello");
    assert_eq!(people.read(&said, Looker::Spectators), "Ann: hello");
    let whispered = people.does(ANN, "whisper 2 psst");
    assert_eq!(people.read(&whispered, BEN), "Ann whispers to Ben: psst");
    assert_eq!(people.read(&whispered, Looker::Spectators), "");
}

/// F175: every view has the same coordinates, whoever looks.
#[test]
fn coordinates_are_side_as() {
    let mut people = People::new();
    stones(&mut people);
    let places = |looker: Looker| {
        let view = people.table.view(looker);
        view.table.iter().map(|card| (card.x, card.y)).collect::<Vec<_>>()
    };
    assert_eq!(places(ANN.into()), places(BEN.into()));
    assert_eq!(cw_table::seen_from(TableSide::B, (200, 10)), (-200, -10));
}

/// F178: on four-sided tables a card faces the side in whose triangle its middle lies, and lies across there.
#[test]
fn cards_face_the_side_where_they_lie() {
    let mut settings = TableSettings::for_people(&["Ann", "Ben", "Cay", "Dan"]);
    settings.sides = Some(Sides::Four);
    let mut people = People::of(kit(), settings, 7);
    // The table is 1000×800, a stone 63×88.
    for (place, side, area) in [
        ((-31, 200), TableSide::A, (-31, 200, 63, 88)),
        ((-31, -300), TableSide::B, (-31, -300, 63, 88)),
        ((-400, -44), TableSide::Left, (-412, -32, 88, 63)),
        ((300, -44), TableSide::Right, (288, -32, 88, 63)),
    ] {
        people.does(ANN, &format!("create Stone at {},{}", place.0, place.1));
        let state = people.table.state();
        let id = *state.table.last().expect("it was just made");
        let drawn = state.drawn(people.table.kit(), id);
        assert_eq!(drawn.faces, side, "{place:?}");
        assert_eq!((drawn.x, drawn.y, drawn.width, drawn.height), area, "{place:?}");
        assert_eq!(
            people.table.view(BEN).table.last().map(|card| card.faces),
            Some(side)
        );
    }
}

/// F216: another deck may be added, and a seat may take all of its own away.
#[test]
fn decks_are_added_and_cleared() {
    let mut people = People::with_decks();
    people.load(ANN, 1);
    assert_eq!(people.truth(ANN, "Deck").len(), 24);
    people.does(ANN, "clear");
    assert_eq!(
        (people.truth(ANN, "Deck").len(), people.truth(BEN, "Deck").len()),
        (0, 12)
    );
}

/// F225, F122: the table ends no game and forbids nothing for its sake.
#[test]
fn the_table_knows_no_rule() {
    let mut people = People::with_decks();
    people.does(BEN, "concede");
    assert!(!people.table.state().ended);
    people.does(BEN, "draw 12");
    people.does(ANN, "counter Luck -99");
    people.does(ANN, "draw 12");
    let empty = people.does(ANN, "draw 1");
    assert!(
        people.read(&empty, ANN).contains("draws 0 cards"),
        "{}",
        people.read(&empty, ANN)
    );
    people.does(ANN, "pass");
}

/// F217, F200: a deck of a pool that asks for billions of cards is refused at once.
#[test]
fn a_deck_of_billions_is_refused() {
    let mut people = People::new();
    people.does(ANN, "packs 0.0");
    assert_eq!(
        people.fails(ANN, "build Huge section Main own 1 4000000000*Apple"),
        VerbRefusal::Limit("cards")
    );
}

/// F132, F161: whoever leaves agrees by silence to what all are asked, and gives away nothing of their own.
#[test]
fn who_leaves_gives_nothing_away() {
    let mut people = People::with_decks();
    people.does(ANN, "look 2/Deck top 1");
    people.does(ANN, "reset");
    assert_eq!(people.table.state().questions.len(), 2);
    people
        .table
        .host(cw_table::TableVerb::Away { seat: BEN })
        .expect("the host says so");
    assert!(people.names_in(ANN).is_empty(), "Ben's deck stays his");
    assert_eq!(
        people.table.state().game_start as usize,
        people.table.len(),
        "the game began again"
    );
    assert_eq!(
        people.table.state().pile(people.pile(ANN, "Row")).viewers,
        Viewers::ByFace
    );
}

/// F68, F82: places count from 1 wherever they are written; beyond an end is that end, and the log says so.
#[test]
fn places_count_from_one() {
    let mut people = People::with_decks();
    people.does(ANN, "movetop Deck 4 to Shed");
    let refused = people.fails(ANN, "movetop Deck 1 to Shed at 0").to_string();
    assert!(refused.contains("places count from 1"), "{refused}");
    for (place, said) in [
        ("at 1", "the top of Shed"),
        ("at 2", "place 2 from the top of Shed"),
        ("at 999", "the bottom of Shed"),
        ("at -999", "the top of Shed"),
        ("at -1", "the bottom of Shed"),
    ] {
        let told = people.does(ANN, &format!("movetop Deck 1 to Shed {place}"));
        let read = people.read(&told, ANN);
        assert!(read.ends_with(said), "{place}: {read}");
        let written = people
            .table
            .write(&people.table.entries().next_back().expect("it is done").verb);
        let again = people.table.parse(ANN, &written).expect("it was written");
        assert_eq!(
            Some(&again),
            people.table.entries().next_back().map(|entry| &entry.verb),
            "{written}"
        );
    }
}

/// F63: a line that breaks off is refused with what is missing, and never taken for another one.
#[test]
fn what_is_missing_is_named() {
    let mut people = People::with_decks();
    for (line, missing) in [
        ("phase", "a phase is expected here"),
        ("stop", "a phase is expected here"),
        ("unstop", "a phase is expected here"),
        ("board", "a board is expected here"),
        ("create", "the name of a card is expected here"),
        ("counter", "the name of a counter is expected here"),
        ("counter Luck", "+N, -N or =N is expected here"),
        ("movetop Deck 1 to", "a pile or `table` is expected here"),
        ("whisper", "a seat is expected here"),
        ("answer 1", "yes, no or always is expected here"),
        ("draw -1", "a number above zero is expected here"),
        ("draw 0", "at least one"),
        ("look Hand top 1", "Hand has no order"),
    ] {
        let refused = people.fails(ANN, line).to_string();
        assert!(refused.contains(missing), "{line}: {refused}");
        assert!(!refused.contains("“”"), "{line}: {refused}");
    }
}

/// F125: commands do what `/help` says, also where nothing is selected.
#[test]
fn commands_name_their_cards_where_none_are_selected() {
    let mut people = People::with_decks();
    people.does(ANN, "draw 1");
    let apple = people.handle(ANN, "Apple");
    let read = |people: &People, line: &str, selected: &str| match people.table.chat(ANN, line, selected) {
        Ok(cw_table::ChatLine::Verb(verb)) => people.table.write(&verb),
        Ok(cw_table::ChatLine::Help(text)) => text,
        Err(refusal) => refusal.to_string(),
    };
    assert_eq!(
        read(&people, &format!("/move {apple} Basket"), ""),
        format!("move 1/Hand:{apple} to 1/Basket")
    );
    assert_eq!(
        read(&people, "/move Basket bottom", &apple.to_string()),
        format!("move 1/Hand:{apple} to 1/Basket bottom")
    );
    assert!(read(&people, "/move Basket", "").contains("no cards are chosen"));
    assert_eq!(read(&people, &format!("/marker {apple} Worm +2"), ""), {
        let worm = people.table.parse(ANN, &format!("marker {apple} Worm +2"));
        people.table.write(&worm.expect("it is a verb"))
    });
    assert_eq!(read(&people, "/phase Night", ""), "phase 5");
    assert_eq!(read(&people, "/phase Night force", ""), "phase 5 force");
    assert!(read(&people, "/phase", "").contains("a phase is expected here"));
    assert!(read(&people, "/token", "").contains("the name of a card"));
}

/// F132: a proposal lists what it would take back, by seat and verb, and tells nothing else.
#[test]
fn a_proposal_lists_what_goes() {
    let mut people = People::with_decks();
    let before = people.table.len();
    people.does(ANN, "draw 2");
    people.does(BEN, "seal secret");
    people.does(BEN, "roll 1d6");
    let told = people.does(ANN, &format!("propose {before}"));
    let read = people.read(&told, BEN);
    let (a, b, c) = (before + 1, before + 2, before + 3);
    let steps = format!(": steps {a} (Ann draw), {b} (Ben seal), {c} (Ben roll) (question ");
    assert!(read.contains(&steps), "{read}");
    assert!(!read.contains("secret"), "{read}");
}

/// F92, F163, F200: what cannot be is refused of known cards; what is cut is said.
#[test]
fn nothing_is_cut_in_silence() {
    let mut people = People::with_decks();
    people.does(ANN, "create Stranger at 0,0");
    let stranger = people.handle(ANN, "Stranger");
    let refused = people.fails(ANN, &format!("form table:{stranger} 1")).to_string();
    assert_eq!(refused, "Stranger has one form only");
    people.does(ANN, &format!("marker table:{stranger} Worm =65535"));
    let told = people.does(ANN, &format!("marker table:{stranger} Worm +1"));
    assert_eq!(people.read(&told, BEN), "A card holds at most 65535 × Worm");
    let long = "x".repeat(81);
    assert_eq!(
        people.fails(ANN, &format!("create {long}")),
        VerbRefusal::Limit("80 characters of a name")
    );
}

/// What somebody writes cannot look like a line of the table: neither as a whole nor by a break within it.
#[test]
fn chat_cannot_look_like_a_line_of_the_table() {
    let mut people = People::with_decks();
    let done = people.does(BEN, "draw 1");
    let done = people.read(&done, ANN);
    let said = done
        .strip_prefix("Ben ")
        .expect("it begins with who did it")
        .to_owned();
    for text in [
        said.clone(),
        format!("\u{2028}{done}"),
        format!("\u{200b}{done}\n{done}"),
    ] {
        let verbs = [
            TableVerb::Me { text: text.clone() },
            TableVerb::Say { text: text.clone() },
            TableVerb::Announce { text },
        ];
        for verb in verbs {
            let told = people.act(BEN, verb).expect("anybody may speak");
            let read = people.read(&told, ANN);
            let mut lines = read.split(['\n', '\u{2028}', '\u{2029}']);
            assert!(
                lines.all(|line| line != done && !line.starts_with(&done)),
                "{read:?}"
            );
        }
    }
}

/// What a person is called is said at every seat, is not taken back with other steps or by a new game, and
/// stands in the record (F131, F137, F179).
#[test]
fn a_seat_takes_a_name() {
    let mut people = People::with_decks();
    people.does(ANN, "create Stone at 0,0");
    let told = people.does(ANN, "rename  Anna\u{202e}\u{200b} of  the\u{7} Dunes ");
    assert_eq!(people.read(&told, BEN), "Ann is now called Anna of the Dunes");
    let told = people.does(ANN, "draw 1");
    assert_eq!(
        people.read(&told, BEN),
        "Anna of the Dunes draws a card from Deck"
    );
    people.does(ANN, "rename Anna");
    people.does(BEN, "whisper Anna hello");
    people.does(ANN, &format!("propose {}", people.table.len() - 4));
    let question = people.table.view(BEN).questions[0].id;
    let told = people.does(BEN, &format!("answer {question} yes"));
    assert!(
        people.read(&told, BEN).contains("Anna takes back"),
        "{}",
        people.read(&told, BEN)
    );
    assert_eq!(&*people.table.view(BEN).seats[0].name, "Anna");
    people.does(ANN, "reset");
    let question = people.table.view(BEN).questions[0].id;
    people.does(BEN, &format!("answer {question} yes"));
    assert_eq!(&*people.table.view(BEN).seats[0].name, "Anna");
    let mut record = cw_table::FreeRecord::header(&people.table);
    for at in 0..people.table.len() {
        record.push_str(&cw_table::FreeRecord::line(&people.table, at));
    }
    let record = cw_table::FreeRecord::read(&record).expect("it is a record");
    let replayed = record.play(people.table.kit()).expect("it replays");
    assert_eq!(replayed.hash(), people.table.hash());
    assert_eq!(&*replayed.view(BEN).seats[0].name, "Anna");
}

/// Nobody takes another seat's name, or one with which a line could pass for the table's
/// own (F119, F200, F203).
#[test]
fn names_that_mislead_are_refused() {
    let mut people = People::new();
    for (name, why) in [
        ("BEN", "the name of another seat"),
        ("\u{200b}Be\u{ad}n", "the name of another seat"),
        ("2", "a mere number"),
        ("* Ben draws", "a name with *"),
        ("Ben: yes", "a name with *"),
        ("\u{202e}\u{200b}", "a name without letters"),
        (&"x".repeat(25), "characters of a name"),
    ] {
        let refused = people.fails(ANN, &format!("rename {name}")).to_string();
        assert!(refused.contains(why), "{name}: {refused}");
    }
}

/// The list of what can be asked for lacks nothing and has nothing that is not there: what is not in it is
/// not understood, and what it says is the host's is the host's alone. Both helps are made of it.
#[test]
fn the_list_of_verbs_is_what_can_be_asked_for() {
    let people = People::with_decks();
    let understood = |line: &str| match people.table.parse(ANN, line) {
        Err(VerbRefusal::NotUnderstood(what, _)) => what != line,
        Ok(_) | Err(_) => true,
    };
    for (at, (word, _, what)) in VERBS.iter().enumerate() {
        assert!(understood(word), "{word}");
        assert!(!what.is_empty(), "{word}");
        assert!(
            !VERBS[..at].iter().any(|(other, ..)| other == word),
            "{word} stands there twice"
        );
        let lines = [word.to_string(), format!("{word} 1")];
        let of_host = lines
            .iter()
            .any(|line| people.table.parse(ANN, line).is_ok_and(|verb| verb.is_of_host()));
        assert_eq!(of_host, what.starts_with(OF_HOST), "{word}");
    }
    assert!(!understood("frobnicate"));
}

/// F125, F53, F40: a line break in a text does not begin a line of the record, and a name in quotes is read
/// as it was written.
#[test]
fn a_text_of_two_lines_is_one_line_of_the_record() {
    let names = TableSettings::for_people(&["Ann \"Red\"", "Ben"]);
    let mut people = People::of(kit(), names.clone(), 7);
    people.does(ANN, "say a\n2 concede = 0");
    people.does(ANN, "note \"first\nsecond\r\"");
    people.does(ANN, "say \"a back\\\\n is no break\"");
    let written = FreeRecord::write(&people.table);
    let (_, lines) = written.split_once("---\n").expect("it has a header");
    assert_eq!(lines.lines().count(), 3, "{lines}");
    let record = FreeRecord::read(&written).expect("it is a record");
    assert_eq!(record.settings.names, names.names);
    let again = record.play(people.table.kit()).expect("it plays");
    assert_eq!(again.hash(), people.table.hash());
    assert!(again.entries().eq(people.table.entries()));
}

/// D83, F132: with the last other one away, going back waits; nobody has said yes to it.
#[test]
fn nobody_left_is_no_yes_to_going_back() {
    let mut people = People::with_decks();
    people.does(ANN, "draw 1");
    people.does(ANN, "propose 2");
    people
        .table
        .host(TableVerb::Away { seat: BEN })
        .expect("the host may");
    assert_eq!(people.truth(ANN, "Hand").len(), 1);
    let id = people.table.state().questions[0].id;
    people
        .table
        .host(TableVerb::Present { seat: BEN })
        .expect("the host may");
    people.does(BEN, &format!("answer {id} yes"));
    assert!(people.truth(ANN, "Hand").is_empty());
}

/// D106, F132: of two owners who are asked one leaves: the other cannot agree for both.
#[test]
fn who_leaves_is_not_agreed_for() {
    let cay = TableSeat(2);
    let mut settings = TableSettings::for_people(&["Ann", "Ben", "Cay"]);
    settings.rights = Rights::Open;
    let mut people = People::of(kit(), settings, 7);
    for seat in [BEN, cay] {
        people.load(seat, 1);
        people.does(seat, "movetop Deck 1 to table down");
    }
    let view = people.table.view(ANN);
    let (one, other) = (view.table[0].handle, view.table[1].handle);
    people.does(ANN, &format!("peek table:{one},{other}"));
    let id = people.table.state().questions[0].id;
    people
        .table
        .host(TableVerb::Away { seat: BEN })
        .expect("the host may");
    people.does(cay, &format!("answer {id} yes"));
    assert!(people.names_in(ANN).is_empty());
    people
        .table
        .host(TableVerb::Present { seat: BEN })
        .expect("the host may");
    people.does(BEN, &format!("answer {id} yes"));
    assert_eq!(people.names_in(ANN).len(), 2);
}

/// F60, F81: who looks at another's pile shuffles it only after a search of what is hidden.
#[test]
fn who_only_looks_does_not_shuffle() {
    let mut people = People::with_decks();
    people.does(ANN, "movetop Deck 4 to Basket");
    people.does(BEN, "look 1/Basket");
    assert_eq!(people.fails(BEN, "close 1/Basket shuffle"), VerbRefusal::NotYours);
    let answers = |people: &mut People| {
        let id = people.table.state().questions[0].id;
        people.does(ANN, &format!("answer {id} yes"));
    };
    people.does(BEN, "look 1/Deck top 1");
    answers(&mut people);
    assert_eq!(people.fails(BEN, "close 1/Deck shuffle"), VerbRefusal::NotYours);
    people.does(BEN, "close 1/Deck");
    people.does(BEN, "search 1/Deck");
    answers(&mut people);
    people.does(BEN, "close 1/Deck shuffle");
    people.does(ANN, "look Basket");
    people.does(ANN, "close Basket shuffle");
}

/// F214, F124, F60: an opening hand that another deals ends the exchange of cards; it is drawn of what one
/// controls.
#[test]
fn an_opening_hand_is_seen_and_own() {
    let mut people = People::with_decks();
    people.does(ANN, "hand 3 everyone");
    let id = people.table.state().questions[0].id;
    people.does(BEN, &format!("answer {id} yes"));
    assert_eq!(people.truth(BEN, "Hand").len(), 3);
    let deck = people.table.state().seat(BEN).decks[0].clone();
    let refused = people.act(BEN, TableVerb::Sideboard { deck });
    assert_eq!(refused, Err(VerbRefusal::Touched));
    people.does(ANN, "givepile Deck to 2");
    assert_eq!(people.fails(ANN, "hand 3"), VerbRefusal::NotYours);
}

/// F217, F133: an opened seed stays known, and a card of the pool is in one deck.
#[test]
fn a_pool_is_opened_and_built_of_once() {
    let mut people = People::new();
    people.does(ANN, "packs 0.0");
    people.does(ANN, "build Mine section Main own 1 2*Apple");
    let refused = people.fails(ANN, "build Mine section Main own 1 2*Apple");
    assert!(matches!(refused, VerbRefusal::Impossible(_)), "{refused}");
    people.does(ANN, "clear");
    people.does(ANN, "build Mine section Main own 1 2*Apple");
    let before = people.table.len();
    people.does(BEN, "concede");
    let refused = people.fails(ANN, &format!("propose {before}"));
    assert!(matches!(refused, VerbRefusal::Never(_)), "{refused}");
}

/// F67: a pile that is laid on the table in random order lies face up there.
#[test]
fn a_random_order_on_the_table_lies_open() {
    let mut people = People::with_decks();
    people.does(ANN, "moveall Deck to table random");
    assert_eq!(people.names_in(BEN).len(), 12);
}

/// F170, F179: a new seat is called as any may be called.
#[test]
fn a_new_seat_has_a_name_of_its_own() {
    let mut people = People::new();
    for name in ["ann", "Host: Ann", "* Ann", "7"] {
        let refused = people.fails(ANN, &format!("addseat {name}")).to_string();
        assert!(refused.contains("name"), "{name}: {refused}");
    }
    people.does(ANN, "addseat Cay");
}

/// F83, F88: turning a card up ends peeking at it, in a pile too.
#[test]
fn turning_up_in_a_pile_ends_peeking() {
    let mut people = People::with_decks();
    people.does(ANN, "peek Deck:@1");
    assert_eq!(people.names_in(ANN), ["Apple"]);
    people.does(ANN, "turn Deck:@1 up");
    people.does(ANN, "turn Deck:@1 down");
    assert!(people.names_in(ANN).is_empty());
}

/// D81, F94: markers that the other card has no room for stay where they are.
#[test]
fn markers_without_room_stay() {
    let mut people = People::new();
    let [low, high] = stones(&mut people);
    people.does(ANN, &format!("marker {high} Worm =65530"));
    people.does(ANN, &format!("marker {low} Worm =10"));
    let told = people.does(ANN, &format!("movemarker {low} to {high} Worm 10"));
    assert!(people.read(&told, BEN).contains("at most 65535"));
    let view = people.table.view(ANN);
    assert_eq!(
        [view.table[0].markers[0].1, view.table[1].markers[0].1],
        [5, 65_535]
    );
}
