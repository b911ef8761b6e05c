//! A package's own scripts at the table: the scenarios of `docs/spec/scripts.md`, and what must hold for any
//! of them.

mod support;

use cw_table::{EntryRuns, FreeRecord, Looker, ScriptQuestion, TableSettings};
use support::scripted::{lanterns, lanterns_hearing, lanterns_with, mill, on_disk, people};
use support::{ANN, BEN, People};

fn lantern_people() -> People {
    people(lanterns(), 2, 7)
}

/// Lanterns with a script of the test's own, whose functions stand in the place of others by their names.
fn with_script(text: &str) -> People {
    people(lanterns_with(&[("scripts/more.py", text)]), 2, 7)
}

/// Everything again from the record.
#[track_caller]
fn replays(people: &People) {
    let record = FreeRecord::read(&FreeRecord::write(&people.table)).expect("it is a record");
    let again = record.play(people.table.kit()).expect("it plays");
    assert_eq!(again.hash(), people.table.hash());
}

/// Runs an entry of the table's menu that says one thing, and gives what Ann reads of it after the first
/// line.
#[track_caller]
fn said(people: &mut People, entry: &str) -> String {
    let events = people.does(ANN, &format!("run \"{entry}\""));
    let read = people.read(&events, ANN);
    read.split_once('\n')
        .map_or(read.clone(), |(_, rest)| rest.to_owned())
}

/// An entry that draws a card: the script's words, one step, one undo (S171, S175, S206).
#[test]
fn an_entry_runs_its_script() {
    let mut people = lantern_people();
    let events = people.does(ANN, "run Draw in Deck");
    assert_eq!(
        people.read(&events, BEN),
        "Ann runs “Draw”\nAnn moves a card from Deck to Hand\nAnn draws a card."
    );
    assert_eq!(people.truth(ANN, "Hand"), ["Candle"]);
    replays(&people);
}

/// A set-up asks, moves cards, shuffles, sets counters and variables, and others see nothing of it
/// before (S175–S177).
#[test]
fn a_set_up_is_one_step() {
    let mut people = lantern_people();
    let events = people.does(ANN, "run \"Game/Set up\"");
    assert_eq!(people.read(&events, BEN), "Ann runs “Set up” …");
    let seen = people.table.view(BEN);
    assert_eq!(people.asked(ANN).1.text(), "Set up the game?");
    assert!(
        seen.runs[0].question.is_none(),
        "what another seat is asked is nobody's affair"
    );
    let before = people.table.view(Looker::Spectators);
    let events = people.replies(ANN, "yes");
    let read = people.read(&events, BEN);
    assert_eq!(
        read,
        "Ann runs “Set up”\n\
         Ann shuffles Deck\n\
         Ann shuffles Deck\n\
         Ann sets up: 4 cards in hand, 7 in the deck.\n\
         Ann's Set up looked at 12 cards of Ann's Deck\n\
         Set up drew by chance"
    );
    assert_ne!(people.table.view(Looker::Spectators), before);
    assert_eq!(people.truth(ANN, "Hand").len(), 4);
    assert_eq!(people.table.view(BEN).table.len(), 1);
    replays(&people);
}

/// An entry that asks twice is run again from its beginning for each answer; other seats see the end at once,
/// and the record holds the answers (S175–S177, scenario 57).
#[test]
fn questions_run_the_entry_again() {
    let mut people = lantern_people();
    let before = people.table.view(BEN);
    people.does(ANN, "run \"Draw many\"");
    people.replies(ANN, "4");
    let (_, question) = people.asked(ANN);
    let expected = ScriptQuestion::Number {
        text: "How many of them do you keep?".into(),
        default: 4,
    };
    assert_eq!(question, expected);
    let mut now = people.table.view(BEN);
    assert_eq!(now.runs.len(), 1);
    now.runs.clear();
    assert_eq!(now, before, "nothing of it is to be seen yet");
    let (preview, _) = people.table.preview(ANN).expect("Ann is asked");
    let hand = people.pile(ANN, "Hand");
    assert_eq!(
        preview.pile(hand).map(|pile| pile.count),
        Some(4),
        "Ann sees what she would have"
    );
    assert_eq!(people.table.view(ANN).pile(hand).map(|pile| pile.count), Some(0));
    let events = people.replies(ANN, "1");
    assert!(
        people
            .read(&events, BEN)
            .ends_with("Ann draws 4 cards and keeps 1.")
    );
    assert_eq!(people.truth(ANN, "Discard").len(), 3);
    let written = FreeRecord::write(&people.table);
    assert!(
        written.contains("run \"Draw many\"") && written.contains(" reply "),
        "{written}"
    );
    replays(&people);
    // One undo takes the whole run back, proposed as cards came to light (S206).
    people.does(ANN, "propose 2");
    let id = people.table.state().questions[0].id;
    people.does(BEN, &format!("answer {id} yes"));
    assert_eq!(people.truth(ANN, "Deck").len(), 12);
    replays(&people);
}

/// An open run is taken back by one undo of its seat alone, with variables, counters and what modules keep
/// (S174, S206, scenarios 9, 10, 62).
#[test]
fn undo_takes_all_back() {
    let mut people = lantern_people();
    assert_eq!(said(&mut people, "Count up"), "Ann 1 1");
    let first = people.table.state().clone();
    assert_eq!(said(&mut people, "Count up"), "Ann 2 2");
    people.does(ANN, "undo");
    let carried = |state: &cw_table::TableState| format!("{:?}", state.seats);
    assert_eq!(carried(people.table.state()), carried(&first));
    assert_eq!(said(&mut people, "Count up"), "Ann 2 2");
    let events = people.does(BEN, "run \"Count up\"");
    assert_eq!(
        people.read(&events, ANN),
        "Ben runs “Count up”\nBen 1 1",
        "each seat has names of its own"
    );
    replays(&people);
}

/// Questions of every kind, their answers and what does not fit (S53–S60a).
#[test]
fn questions_are_answered() {
    let mut people = lantern_people();
    people.does(ANN, "run \"How many?\"");
    let (run, _) = people.asked(ANN);
    assert_eq!(
        people.fails(ANN, &format!("reply {run} -2")).to_string(),
        "that does not answer this question"
    );
    people.fails(BEN, &format!("reply {run} 2"));
    let refusal = people.fails(ANN, "run \"Count up\"");
    assert_eq!(refusal.to_string(), "“How many?” waits for an answer");
    // Computing with a window that was shut is no failure of the package (S198).
    let events = people.replies(ANN, "closed");
    assert_eq!(
        people.read(&events, ANN),
        "How many? was cancelled. Nothing has changed."
    );
    assert_eq!(people.read(&events, BEN), "");
    people.does(ANN, "run \"How many?\"");
    people.replies(ANN, "4");
    assert_eq!(people.counter(ANN, "Light"), 7);

    people.does(ANN, "run \"Which?\"");
    let events = people.replies(ANN, "-1");
    assert!(people.read(&events, BEN).ends_with("\n-1"));
    people.does(ANN, "run \"Which?\"");
    people.replies(ANN, "2");
    people.replies(ANN, "\"deux\"");
    let events = people.replies(ANN, "counted 0 3");
    assert!(
        people.read(&events, BEN).ends_with("\ntwo deux Oil 3"),
        "{}",
        people.read(&events, BEN)
    );
    people.does(ANN, "run \"Which?\"");
    let events = people.replies(ANN, "closed");
    assert!(people.read(&events, BEN).ends_with("\n0"));
    replays(&people);
}

/// Cards of one's own deck are shown to who is asked, which is a look that all are told of; nobody else
/// learns what they are (S59, S192, S207).
#[test]
fn cards_of_a_deck_are_chosen() {
    let mut people = lantern_people();
    people.does(ANN, "run Search");
    let (run, question) = people.asked(ANN);
    let ScriptQuestion::Cards { cards, text, .. } = &question else {
        panic!("{question:?}")
    };
    assert_eq!((cards.len(), text.as_str()), (3, "Take one of them"));
    assert!(cards.iter().all(|card| card.face.is_some()));
    let refusal = people.fails(ANN, &format!("reply {run} places 0,1"));
    assert_eq!(refusal.to_string(), "choose 1 to 1 cards, not 2");
    let events = people.replies(ANN, "places 2");
    assert_eq!(people.truth(ANN, "Hand"), ["Torch"]);
    let read = people.read(&events, BEN);
    assert!(
        read.contains("Ann's Search looked at 3 cards of Ann's Deck"),
        "{read}"
    );
    assert!(!read.contains("Torch"), "{read}");
    replays(&people);
}

/// Who breaks a run off has seen what the preview showed, and the log says so; the draws are other ones the
/// next time (S178, S181, scenario 60).
#[test]
fn breaking_off_tells_what_was_seen() {
    let mut people = lantern_people();
    people.does(ANN, "run Search");
    let before = people.truth(ANN, "Deck");
    let (run, _) = people.asked(ANN);
    people.fails(BEN, &format!("breakoff {run}"));
    let events = people.does(ANN, &format!("breakoff {run}"));
    assert_eq!(
        people.read(&events, BEN),
        "Ann cancels “Search” after it revealed 3 cards of Deck"
    );
    assert_eq!(people.truth(ANN, "Deck"), before);
    assert!(people.table.state().runs.is_empty());
    replays(&people);
}

/// If another step was made meanwhile that changes what was asked about, the run is broken off (S180,
/// scenario 59).
#[test]
fn a_changed_table_breaks_the_run_off() {
    let mut people = lantern_people();
    people.does(ANN, "run Search");
    people.does(ANN, "movetop Deck 1 to Discard");
    let events = people.replies(ANN, "places 0");
    assert_eq!(
        people.read(&events, ANN),
        "The table has changed; choose the entry again."
    );
    // A step that changes nothing of it stands in nobody's way (scenario 58).
    people.does(ANN, "run Search");
    people.does(BEN, "roll 1d6");
    people.replies(ANN, "places 0");
    assert_eq!(people.truth(ANN, "Hand").len(), 1);
    replays(&people);
}

/// Whatever goes wrong, the table is as before, and who chose it reads one sentence with file and line
/// (S195–S199, scenarios 67, 68).
#[test]
fn what_fails_changes_nothing() {
    let mut people = lantern_people();
    people.does(ANN, "draw 2");
    let expected = [
        (
            "Fails in the middle",
            "failed: ZeroDivisionError: integer division or modulo by zero \
             (scripts/cards.py, line 68, in failsInTheMiddle)",
        ),
        ("Never ends", "stopped: it ran for too long (20,000,000 steps)"),
        ("Grows", "stopped: it needed too much memory"),
        ("Calls itself", "stopped: it called itself too often"),
        ("Floods", "stopped: it wanted to write too much"),
        (
            "Makes thousands",
            "stopped: it wanted to do more than 5000 things",
        ),
    ];
    for (entry, words) in expected {
        let (views, light) = (people.table.view(BEN), people.counter(ANN, "Light"));
        let events = people.does(ANN, &format!("run \"{entry}\""));
        assert_eq!(
            people.read(&events, ANN),
            format!("{entry} {words}. Nothing has changed.")
        );
        assert!(
            people
                .read(&events, BEN)
                .starts_with(&format!("Ann runs “{entry}”. {entry} "))
        );
        assert_eq!(
            (people.table.view(BEN), people.counter(ANN, "Light")),
            (views, light)
        );
        assert!(!people.table.taken().last().expect("it was taken").is_step);
    }
    let refusal = people.fails(ANN, "run \"Is not there\"");
    assert_eq!(
        refusal.to_string(),
        "“Is not there” calls noSuchFunction, which no script defines"
    );
    replays(&people);
}

/// Card entries: once for each chosen card, or once for all of them; markers, faces, colours, properties,
/// tokens (S172, S66–S107).
#[test]
fn entries_of_cards() {
    let mut people = lantern_people();
    people.does(ANN, "draw 5");
    for name in ["Candle", "Torch"] {
        let card = people.handle(ANN, name);
        people.does(ANN, &format!("place Hand:{card} 0,0"));
    }
    let both = |people: &People| {
        format!(
            "table:{},{}",
            people.handle(ANN, "Candle"),
            people.handle(ANN, "Torch")
        )
    };
    let on = both(&people);
    let events = people.does(ANN, &format!("run \"Oil up\" on {on}"));
    assert_eq!(
        people.read(&events, BEN),
        "Ann runs “Oil up”\nAnn pours oil on Candle: 1 now.\nAnn pours oil on Torch: 1 now."
    );
    let events = people.does(
        ANN,
        &format!("run Light on table:{}", people.handle(ANN, "Candle")),
    );
    assert!(people.read(&events, BEN).ends_with("Ann lights Candle."));
    let view = people.table.view(BEN);
    let lit: Vec<String> = view
        .table
        .iter()
        .filter_map(|card| Some(card.highlight?.to_string()))
        .collect();
    assert_eq!(lit, ["#FFCC00"]);
    let events = people.does(
        ANN,
        &format!("run Show on table:{}", people.handle(ANN, "Candle")),
    );
    assert_eq!(
        people.read(&events, ANN),
        "Ann runs “Show”\nAnn: Candle is worth 2."
    );
    assert_eq!(
        people.read(&events, BEN),
        "Ann runs “Show”",
        "a whisper is for one"
    );
    people.does(ANN, &format!("run Copy on table:{}", people.handle(ANN, "Torch")));
    let tokens = people
        .table
        .view(BEN)
        .table
        .iter()
        .filter(|card| card.token)
        .count();
    assert_eq!(tokens, 2);
    people.does(ANN, &format!("run \"Discard all\" on {on}"));
    assert_eq!(people.truth(ANN, "Discard").len(), 2);
    // A face-down card is named to who knows it only (S50, scenario 82).
    let card = people.handle(ANN, "Moth");
    people.does(ANN, &format!("place Hand:{card} 5,5 down"));
    let card = people.highest(ANN);
    people.does(ANN, &format!("peek table:{card}"));
    let events = people.does(ANN, &format!("run \"Oil up\" on table:{card}"));
    assert!(
        people
            .read(&events, ANN)
            .ends_with("Ann pours oil on Moth: 1 now.")
    );
    assert!(
        people
            .read(&events, BEN)
            .ends_with("Ann pours oil on a card: 1 now.")
    );
    replays(&people);
}

/// Reading the face of an own hidden card is a look; another seat's hidden cards read as backs (S191–S193,
/// scenarios 71, 73, 79).
#[test]
fn scripts_know_what_their_seat_knows() {
    let text = "\
        def countUp(group, x=0, y=0):\n\
        \x20   other = players[1]\n\
        \x20   for card in other.hand:\n\
        \x20       notify('{}|{}|{}'.format(card.name, card.Type, card.model))\n\
        \x20       card.moveTo(other.Discard)\n\
        \x20   notify(other.Deck.top().name)\n\
        \x20   notify(me.Deck.top().name)\n";
    let mut people = with_script(text);
    people.does(BEN, "draw 2");
    let events = people.does(ANN, "run \"Count up\"");
    assert_eq!(
        people.read(&events, ANN),
        "Ann runs “Count up”\n\
         Card||None\n\
         Card||None\n\
         Card\n\
         Candle\n\
         Ann's Count up looked at 1 card of Ann's Deck\n\
         Not done: you do not control it"
    );
    assert_eq!(people.truth(BEN, "Hand").len(), 2);
    replays(&people);
}

/// A resource game: variables, a marker that only scripts name, text that is read back with
/// `eval` (S81, S117–S119, S22).
#[test]
fn variables_and_markers_of_scripts() {
    let mut people = people(mill(), 1, 3);
    people.does(ANN, "draw 1");
    people.does(ANN, &format!("place Hand:{} 0,0", people.handle(ANN, "Field 0")));
    people.does(ANN, "run Upkeep");
    let events = people.does(ANN, "run Upkeep");
    assert_eq!(
        people.read(&events, BEN),
        "Ann runs “Upkeep”\nAnn's upkeep 2: 14 gold, stores 2."
    );
    let card = people.handle(ANN, "Field 0");
    people.does(ANN, &format!("run Grind on table:{card}"));
    let view = people.table.view(BEN);
    let kit = people.table.kit();
    let markers = view.table[0].markers.iter();
    let markers: Vec<(&str, u16)> = markers
        .map(|(kind, count)| (kit.markers[usize::from(*kind)].name.as_str(), *count))
        .collect();
    assert_eq!(markers, [("Wheat", 1), ("Flour", 2)]);
    replays(&people);
}

/// A remote call runs with the other seat's rights and its own `me`, while the caller waits in a loop (S182,
/// S183, scenario 64).
#[test]
fn remote_calls_run_at_the_other_seat() {
    let mut people = people(mill(), 1, 3);
    let events = people.does(ANN, "run Raid");
    assert!(
        people.read(&events, BEN).contains("Ann raids Ben: 7 gold left."),
        "{}",
        people.read(&events, BEN)
    );
    assert!(people.read(&events, ANN).contains("You get 3."));
    assert_eq!(
        (people.counter(ANN, "Gold"), people.counter(BEN, "Gold")),
        (13, 7)
    );
    replays(&people);
}

/// Another seat's question goes to that seat, and the run waits for it (S184, scenario 66).
#[test]
fn another_seat_is_asked() {
    let mut people = people(mill(), 1, 3);
    let events = people.does(ANN, "run \"Ask the other\"");
    assert_eq!(
        people.read(&events, BEN),
        "Ann runs “Ask the other”, which asks Ben"
    );
    assert!(people.table.view(ANN).runs[0].question.is_none());
    let events = people.replies(BEN, "yes");
    assert_eq!(
        people.read(&events, ANN),
        "Ann runs “Ask the other”\nBen changes Gold from 10 to 11 (+1)\nBen does.\nAnn has asked."
    );
    // The caller's question comes first, then the other's.
    people.does(ANN, "run Trade");
    people.replies(ANN, "2");
    people.replies(BEN, "yes");
    assert_eq!(
        (people.counter(ANN, "Gold"), people.counter(BEN, "Gold")),
        (8, 13)
    );
    // Who is away has shut the window.
    people.does(ANN, "run \"Ask the other\"");
    let run = people.table.state().runs[0].id;
    people
        .table
        .host(cw_table::TableVerb::TimeOut { question: run })
        .expect("its time is over");
    assert!(people.table.state().runs.is_empty());
    replays(&people);
}

/// Switched off, scripts are not there, and the built-ins are (S170).
#[test]
fn scripts_can_be_switched_off() {
    let mut settings = cw_table::TableSettings::for_people(&["Ann", "Ben"]);
    settings.scripts = cw_table::ScriptRule::Off;
    let mut people = People::of(lanterns(), settings, 7);
    assert_eq!(
        people.fails(ANN, "run \"Count up\"").to_string(),
        "no scripts run at this table"
    );
    assert!(!people.table.runs(0));
    let written = FreeRecord::write(&people.table);
    assert!(written.contains("set scripts off"));
    replays(&people);
}

/// A file that fails is left where it failed, the others are loaded, and its line is told (S1, S3, scenarios
/// 1, 2, 8).
#[test]
fn a_file_that_fails_keeps_what_it_did() {
    let text = "def countUp(group):\n    notify('the later one')\n\nbefore = 1\nconfirm('?')\nafter = 2\n";
    let mut people = with_script(text);
    assert_eq!(said(&mut people, "Count up"), "the later one");
    let kit = people.table.kit().clone();
    let faults = &kit.scripts.as_ref().expect("it has scripts").faults;
    assert_eq!(
        faults.as_slice(),
        ["scripts/more.py of the package could not be loaded: \
          ImportError: scripts ask nothing while they are loaded, line 5"]
    );
}

/// What scripts may not have ends the entry with words (S10, S21, S27, S31, scenarios 14, 20, 21).
#[test]
fn the_room_is_closed() {
    for (line, words) in [
        ("import os", "ImportError"),
        ("from System.Net import WebClient", "ImportError"),
        ("eval(\"__import__('os')\")", "NotAvailable"),
        ("open('x')", "IOError"),
        ("me.hand[0].markers[('a', 'b')] = 'x'", "AttributeError: no card"),
        ("me.Deck = 3", "AttributeError"),
        ("notify(5)", "TypeError"),
        ("me.Light = 1.5", "TypeError"),
    ] {
        let text = format!("def countUp(group):\n    {line}\n");
        let mut people = with_script(&text);
        let events = people.does(ANN, "run \"Count up\"");
        let read = people.read(&events, ANN);
        let expected = words.split(':').next().unwrap_or(words);
        assert!(
            read.contains(expected) && read.contains("scripts/more.py, line 2"),
            "{line}: {read}"
        );
    }
}

/// Lanterns whose scripts hear of these events.
fn hearing(events: &[(&str, &str)], text: &str) -> People {
    people(lanterns_hearing(events, &[("scripts/more.py", text)]), 2, 7)
}

/// What a person does is told to scripts of all seats, the actor's first; it is one step
/// with it (S142, S143, S204).
#[test]
fn scripts_hear_of_moves() {
    let text = "\
        def moved(args):\n\
        \x20   if args.player == me:\n\
        \x20       notify('{} {} {} {}'.format(\
                       len(args.cards), args.fromGroups[0].name, args.toGroups[0].name, args.nothing))\n\
        \x20       args.cards[0].markers[OIL] += 1\n\n\
        def marked(args):\n\
        \x20   if args.scripted and me.isActive:\n\
        \x20       notify('{} had {}'.format(args.marker, args.value))\n\n\
        def scripted(args):\n\
        \x20   notify('never: markers are no moves')\n";
    let events = [
        ("OnCardsMoved", "moved"),
        ("OnMarkerChanged", "marked"),
        ("OnScriptedCardsMoved", "scripted"),
        ("OnMoveCards", "scripted"),
    ];
    let mut people = hearing(&events, text);
    people.does(ANN, "active 1");
    people.does(ANN, "draw 1");
    let card = people.handle(ANN, "Candle");
    let events = people.does(ANN, &format!("place Hand:{card} 0,0"));
    let read = people.read(&events, ANN);
    assert_eq!(
        read,
        "Ann moves Candle from Hand to the table\n1 Hand Table None\nAnn puts 1 × Oil on Candle\nOil had 0"
    );
    people.does(ANN, "propose 4");
    let id = people.table.state().questions[0].id;
    people.does(BEN, &format!("answer {id} yes"));
    assert!(
        people.table.view(BEN).table.is_empty(),
        "verb and handlers go back together"
    );
    replays(&people);
}

/// The game's beginning is told once, with the first step; functions without parameters are called without
/// (S141, S216, scenario 53).
#[test]
fn scripts_hear_of_the_beginning() {
    let text = "\
        def begun():\n\
        \x20   me.Light = 9\n\
        \x20   notify('{} is ready'.format(me))\n\n\
        def loaded(args):\n\
        \x20   if args.player == me:\n\
        \x20       notify('{} {}'.format(me, [g.name for g in args.groups]))\n";
    let people = hearing(&[("OnGameStarted", "begun"), ("OnDeckLoaded", "loaded")], text);
    let said: Vec<String> = people
        .told
        .iter()
        .filter(|event| event.kind == "script")
        .filter_map(|event| event.read_by(BEN.into()))
        .collect();
    assert_eq!(
        said,
        ["Ann is ready", "Ben is ready", "Ann ['Deck']", "Ben ['Deck']"]
    );
    assert_eq!(people.counter(BEN, "Light"), 9);
    replays(&people);
}

/// Handlers that set each other off are stopped, one that fails ends only itself, and the person's verb
/// stands either way (S148, S149, scenarios 50, 54).
#[test]
fn handlers_that_fail_hold_nobody_up() {
    let text = "\
        def back(args):\n\
        \x20   if args.player == me:\n\
        \x20       args.cards[0].moveTo(me.Deck)\n\n\
        def loops(args):\n\
        \x20   me.Light += 1\n\n\
        def fails(args):\n\
        \x20   me.Light = 1\n\
        \x20   return 1 / 0\n";
    let mut people = hearing(&[("OnCardsMoved", "back")], text);
    people.does(ANN, "draw 1");
    assert_eq!(
        (people.truth(ANN, "Hand").len(), people.truth(ANN, "Deck").len()),
        (0, 12)
    );
    let mut people = hearing(&[("OnCounterChanged", "loops")], text);
    let events = people.does(ANN, "counter Light +1");
    assert_eq!(people.counter(ANN, "Light"), 4);
    assert!(
        people
            .read(&events, ANN)
            .ends_with("loops stopped: it triggered too many events. Nothing has changed.")
    );
    replays(&people);
    let mut people = hearing(&[("OnCounterChanged", "fails")], text);
    let events = people.does(ANN, "counter Light +1");
    assert_eq!(people.counter(ANN, "Light"), 4);
    assert!(people.read(&events, ANN).contains("ZeroDivisionError"));
    replays(&people);
}

/// How many pairs of tables: an ordinary test does a slice of what the campaign does.
fn pairs() -> u64 {
    let count = std::env::var("CARDWRIGHT_SCRIPTED").ok();
    count.and_then(|count| count.parse().ok()).unwrap_or(40)
}

/// A table in the middle of a game, with cards of both seats everywhere.
fn midgame(kit: std::sync::Arc<cw_table::Kit>, seed: u64) -> People {
    let mut people = people(kit, 2, seed);
    for seat in [ANN, BEN] {
        people.does(seat, "shuffle");
        people.does(seat, "draw 4");
        let view = people.table.view(seat);
        let hand = view.pile(people.pile(seat, "Hand")).expect("a seat has a hand");
        let cards: Vec<u32> = hand.cards.iter().map(|card| card.card.handle).collect();
        people.does(seat, &format!("place Hand:{} {},0", cards[0], seed % 90));
        people.does(seat, &format!("place Hand:{} 0,90 down", cards[1]));
    }
    people
}

/// Every entry that the scripts define, on what a seat would choose it on.
fn entries(people: &People) -> Vec<String> {
    let kit = people.table.kit();
    let cards = |group: cw_table::CardGroup| {
        let view = people.table.view(ANN);
        let all: Vec<(cw_table::CardGroup, u32)> =
            view.cards().map(|(group, card)| (group, card.handle)).collect();
        all.into_iter()
            .filter(|(own, _)| *own == group)
            .map(|(_, handle)| handle.to_string())
            .collect::<Vec<_>>()
    };
    let mut lines = Vec::new();
    for (at, action) in kit.actions.iter().enumerate().filter(|(at, _)| kit.runs(*at)) {
        // What stops at a limit is tried elsewhere: it takes long.
        if ["neverEnds", "grows", "makesThousands"].contains(&action.definition.execute.as_str()) {
            continue;
        }
        if !action.definition.of_card {
            lines.push(format!("run #{at}"));
            continue;
        }
        let (name, group) = match &action.pile {
            None => ("table".to_owned(), cw_table::CardGroup::Table),
            Some(pile) => (pile.clone(), cw_table::CardGroup::Pile(people.pile(ANN, pile))),
        };
        let cards = cards(group);
        if !cards.is_empty() {
            lines.push(format!("run #{at} on {name}:{}", cards.join(",")));
        }
    }
    lines
}

/// Does an entry with answers that come in turn; gives what Ann and those who watch read and see of it.
fn watched(people: &mut People, line: &str, policy: u64) -> String {
    let mut seen = String::new();
    let mut events = match people.tries(ANN, line) {
        Ok(events) => events,
        Err(refusal) => return refusal.to_string(),
    };
    for round in policy.. {
        for looker in [Looker::Seat(ANN), Looker::Spectators] {
            seen.push_str(&format!(
                "{}\n{:?}\n",
                people.read(&events, looker),
                people.table.view(looker)
            ));
        }
        let Some((id, seat)) = people
            .table
            .state()
            .runs
            .first()
            .and_then(|run| Some((run.id, run.waits()?.seat)))
        else {
            break;
        };
        let answers = [
            "yes",
            "2",
            "\"two\"",
            "1",
            "places 0",
            "counted 0 1",
            "places 0,1",
            "closed",
        ];
        let answers = answers
            .iter()
            .cycle()
            .skip((round % 8) as usize)
            .take(8)
            .chain(&["closed"]);
        let found = answers
            .into_iter()
            .find_map(|answer| people.tries(seat, &format!("reply {id} {answer}")).ok());
        events = found.expect("every window can be closed");
    }
    let taken = people.table.taken().last().expect("it was taken");
    seen.push_str(&format!("{} {} {:?}", taken.is_step, taken.open, taken.learned));
    seen
}

/// Two tables that differ in what Ann neither knows nor may look at: every entry says, asks, shows and
/// refuses the same (S225, F164, scenario 84).
#[test]
fn what_is_hidden_does_not_show() {
    // An entry that reads all it can of another seat's cards.
    let curious = "\
        def countUp(group, x=0, y=0):\n\
        \x20   for pile in [players[1].hand, players[1].Deck, table]:\n\
        \x20       for card in pile:\n\
        \x20           notify('{} {} {} {} {}'.format(\
                           card.name, card.Cost, card.model, card.alternates, card.hasProperty('Cost')))\n\
        \x20           notify('{} {} {} {}'.format(card, card._id, card.isFaceUp, card.width))\n\
        \x20       notify(str(sorted([card._id for card in pile])))\n";
    let mut kits = vec![lanterns_with(&[("scripts/curious.py", curious)]), mill()];
    kits.extend(["ferry", "herbal", "novice"].map(on_disk));
    let mut compared = 0;
    for seed in 0..pairs() {
        let first = midgame(kits[seed as usize % kits.len()].clone(), seed);
        for pile in ["Hand", "Deck"] {
            let group = cw_table::CardGroup::Pile(first.pile(BEN, pile));
            let cards = first.table.state().of_group(group);
            let (one, other) = (cards[0], cards[cards.len() - 1]);
            if first.names(&[one]) == first.names(&[other]) {
                continue;
            }
            for line in entries(&first) {
                let mut people = People {
                    table: first.table.clone(),
                    told: Vec::new(),
                };
                let mut others = People {
                    table: first.table.clone(),
                    told: Vec::new(),
                };
                others.table.exchange_faces(one, other);
                assert_eq!(people.table.view(ANN), others.table.view(ANN));
                let policy = seed + compared;
                let (seen, others) = (
                    watched(&mut people, &line, policy),
                    watched(&mut others, &line, policy),
                );
                assert!(seen == others, "seed {seed}, {line}:\n{seen}\n\n{others}");
                compared += 1;
            }
        }
    }
    assert!(compared > 20 * pairs(), "{compared} pairs were compared");
}

/// Any run keeps the invariants, a record leads to the same bytes, and one undo leads
/// back (S206, S209, F206).
#[test]
fn runs_keep_the_table_whole() {
    let kits = ["lanterns", "mill", "ferry", "herbal", "novice"].map(on_disk);
    for seed in 0..pairs() {
        let kit = &kits[seed as usize % kits.len()];
        let mut people = midgame(kit.clone(), seed);
        for (at, line) in entries(&people).into_iter().enumerate() {
            let before = people.table.clone();
            watched(&mut people, &line, seed + at as u64);
            let state = people.table.state();
            assert_eq!(state.broken(people.table.kit()), None, "seed {seed}, {line}");
            let is_step = people.table.taken().last().is_some_and(|taken| taken.is_step);
            if people.table.len() > before.len() && is_step {
                let steps = before.len();
                let mut back = People {
                    table: people.table.clone(),
                    told: Vec::new(),
                };
                back.does(ANN, &format!("propose {steps}"));
                let id = back.table.state().questions[0].id;
                back.does(BEN, &format!("answer {id} yes"));
                assert_eq!(
                    back.table.view(Looker::Referee),
                    before.view(Looker::Referee),
                    "seed {seed}, {line}"
                );
                assert_eq!(back.table.variables(), before.variables(), "seed {seed}, {line}");
            }
            // The next entry is chosen where the cards lie now.
            if at % 5 == 4 {
                people = midgame(kit.clone(), seed + 1000);
            }
        }
        replays(&people);
    }
}

/// A setting of a table with Lanterns and a script of the test's own.
fn with_settings(text: &str, change: impl FnOnce(&mut TableSettings)) -> People {
    let kit = lanterns_with(&[("scripts/more.py", text)]);
    support::scripted::people_with(kit, 2, 7, change)
}

/// What another seat's entry does to a seat's hidden cards needs that seat's yes; it reads what would be
/// done, and the runner reads nothing of it before (S185, scenario 63).
#[test]
fn hidden_cards_are_touched_with_consent() {
    let text = "\
        def countUp(group):\n\
        \x20   remoteCall(players[1], 'discardOne', [])\n\n\
        def discardOne():\n\
        \x20   card = me.hand[0]\n\
        \x20   card.moveTo(me.Discard)\n\
        \x20   notify('{} discards {}'.format(me, card))\n";
    for (answer, done) in [("1", true), ("2", false), ("closed", false), ("3", true)] {
        let mut people = with_script(text);
        people.does(BEN, "draw 2");
        let before = people.table.view(ANN);
        let events = people.does(ANN, "run \"Count up\"");
        assert_eq!(people.read(&events, ANN), "Ann runs “Count up”, which asks Ben");
        let mut now = people.table.view(ANN);
        assert!(now.runs[0].question.is_none());
        now.runs.clear();
        assert_eq!(now, before, "nothing of it is to be seen yet");
        assert_eq!(
            people.asked(BEN).1.text(),
            "Ann's “Count up” would for you:\n\
             Ben moves Candle from Hand to the top of Discard\n\
             say: Ben discards Candle\n\
             Do you allow it?"
        );
        let events = people.replies(BEN, answer);
        let read = people.read(&events, ANN);
        assert_eq!(people.truth(BEN, "Discard").len(), usize::from(done), "{read}");
        if !done {
            assert_eq!(
                read,
                "Ann runs “Count up”, which Ben does not allow. Nothing has changed."
            );
            assert_eq!(people.table.view(ANN), before);
        }
        let again = people.does(ANN, "run \"Count up\"");
        let asks = people.read(&again, ANN).contains("which asks Ben");
        assert_eq!(asks, answer != "3", "always is for good");
        replays(&people);
    }
    let mut people = with_settings(text, |settings| settings.remote = cw_table::RemoteRule::Free);
    people.does(BEN, "draw 2");
    people.does(ANN, "run \"Count up\"");
    assert_eq!(people.truth(BEN, "Discard").len(), 1);
    replays(&people);
}

/// Whatever a call for another seat reads, shows, moves or changes of what is hidden is asked for (S185);
/// what lies open is not.
#[test]
fn what_needs_consent() {
    let rows = [
        ("me.hand[0].moveTo(me.Deck)", true),
        ("me.Deck.shuffle()", true),
        ("me.Deck.top().moveTo(me.Discard)", true),
        ("notify(me.hand[0].name)", true),
        ("x = me.hand[0].Cost", true),
        ("x = me.hand[0].alternate", true),
        ("setGlobalVariable('round', me.Deck.top().model)", true),
        ("me.hand.visibility = 'all'", true),
        ("me.hand.addViewer(players[1])", true),
        ("me.hand.controller = players[1]", true),
        ("x = len(me.hand)", false),
        ("me.Light -= 1", false),
        ("notify('hello')", false),
        ("for card in table: card.markers[OIL] += 1", false),
        ("for card in table: card.isFaceUp = not card.isFaceUp", true),
        ("for card in table: card.controller = players[1]", true),
        ("for card in table: card.orientation = Rot90", false),
        ("raise ValueError(me.hand[0].name)", true),
    ];
    for (line, asks) in rows {
        let text = format!(
            "def countUp(group):\n    remoteCall(players[1], 'remote', [])\n\ndef remote():\n    {line}\n"
        );
        let mut people = with_script(&text);
        people.does(BEN, "draw 3");
        let card = people.handle(BEN, "Torch");
        people.does(BEN, &format!("place Hand:{card} 0,0"));
        let events = people.does(ANN, "run \"Count up\"");
        let read = people.read(&events, ANN);
        assert_eq!(read.contains("which asks Ben"), asks, "{line}: {read}");
        assert!(!read.contains("Candle"), "{line}: {read}");
        // The same as one's own entry asks nobody.
        let text = format!("def countUp(group):\n    {line}\n");
        let mut people = with_script(&text);
        people.does(ANN, "draw 3");
        people.does(ANN, "run \"Count up\"");
        assert!(people.table.state().runs.is_empty(), "{line}");
    }
}

/// The runner is asked nothing that a call for another seat has read, before that seat agrees (S185).
#[test]
fn no_question_tells_what_was_read() {
    let text = "\
        def countUp(group):\n\
        \x20   remoteCall(players[1], 'peek', [me])\n\
        \x20   update()\n\n\
        def peek(who):\n\
        \x20   remoteCall(who, 'hear', [me.hand[0].name])\n\n\
        def hear(name):\n\
        \x20   askString('Ben holds ' + name, name)\n";
    let mut people = with_script(text);
    people.does(BEN, "draw 1");
    people.does(ANN, "run \"Count up\"");
    assert!(people.asked(BEN).1.text().contains("read Candle of Ben's Hand"));
    people.replies(BEN, "1");
    assert_eq!(people.asked(ANN).1.text(), "Ben holds Candle");
    people.replies(ANN, "closed");
    replays(&people);
}

/// What no call may name at another seat (S183).
#[test]
fn not_everything_can_be_called() {
    for (call, refused) in [
        ("'eval', ['me.hand[0].name']", true),
        ("'_table_fire', ['f', {}]", true),
        ("'open', ['x']", true),
        ("'notify', ['hello']", false),
    ] {
        let mut people = with_script(&format!(
            "def countUp(group):\n    remoteCall(players[1], {call})\n"
        ));
        let events = people.does(ANN, "run \"Count up\"");
        assert_eq!(
            people.read(&events, ANN).contains("Not done: a call of"),
            refused,
            "{call}"
        );
    }
}

/// A card object of another run goes on meaning its card for who followed it, and is lost for who did not
/// (S221, S222, scenario 75).
#[test]
fn cards_are_held_across_runs() {
    let text = "\
        kept = []\n\n\
        def countUp(group):\n\
        \x20   del kept[:]\n\
        \x20   kept.extend([card for card in table])\n\
        \x20   kept.extend([card for card in players[1].hand])\n\n\
        def roll(group):\n\
        \x20   notify('{}'.format(\
                   [(card.name, card.group.name, card in players[1].hand) for card in kept]))\n";
    let mut people = with_script(text);
    people.does(ANN, "draw 2");
    let card = people.handle(ANN, "Candle");
    people.does(ANN, &format!("place Hand:{card} 0,0"));
    people.does(ANN, "run \"Count up\"");
    people.does(BEN, "run \"Count up\"");
    // It goes to Ann's hand, to another she holds: Ann follows it, Ben does not.
    let card = people.table.view(ANN).table[0].handle;
    people.does(ANN, &format!("move table:{card} to Hand"));
    let events = people.does(ANN, "run \"Game/Roll\"");
    assert!(
        people.read(&events, ANN).ends_with("[('Candle', 'Hand', False)]"),
        "{}",
        people.read(&events, ANN)
    );
    let events = people.does(BEN, "run \"Game/Roll\"");
    let read = people.read(&events, ANN);
    assert!(
        read.ends_with("[('Candle', 'Hand', True), ('Card', 'Hand', False)]"),
        "Ben saw it go there: {read}"
    );
    // One of the hand leaves it unseen: Ben has lost both, where he saw them last, and no verb reaches them.
    let card = people.handle(ANN, "Candle");
    people.does(ANN, &format!("move Hand:{card} to Deck bottom"));
    let events = people.does(BEN, "run \"Game/Roll\"");
    let read = people.read(&events, ANN);
    assert!(
        read.ends_with("[('Card', 'Hand', False), ('Card', 'Hand', False)]"),
        "{read}"
    );
    // Undo and the record lead to what was held.
    replays(&people);
}

/// Numbers of cards that a seat does not know are of this run alone, and none that it was never given means
/// anything (S223, scenario 74).
#[test]
fn unknown_cards_have_no_lasting_number() {
    let text = "\
        def countUp(group):\n\
        \x20   notify(str([card._id for card in players[1].hand]))\n\n\
        def roll(group):\n\
        \x20   found = []\n\
        \x20   for n in range(1, 2000):\n\
        \x20       try:\n\
        \x20           found.append(Card(n).group.name)\n\
        \x20       except AttributeError:\n\
        \x20           pass\n\
        \x20   notify(str(sorted(set(found))))\n";
    let mut people = with_script(text);
    people.does(BEN, "draw 3");
    people.does(ANN, "draw 1");
    let first = said(&mut people, "Count up");
    let second = said(&mut people, "Count up");
    let numbers = |text: &str| -> Vec<u32> {
        let inside = text.trim_matches(['[', ']']).split(", ");
        inside.map(|number| number.parse().expect("a number")).collect()
    };
    let (first, second) = (numbers(&first), numbers(&second));
    assert_eq!((first.len(), second.len()), (3, 3));
    assert!(
        first.iter().all(|number| !second.contains(number)),
        "{first:?} {second:?}"
    );
    assert_eq!(
        said(&mut people, "Game/Roll"),
        "['Deck', 'Hand']",
        "only Ann's own are found"
    );
    replays(&people);
}

/// An overriding handler does what is done in the place of a person's move; if it fails the move is made
/// without it, with a line, and its own moves override nothing (S145, scenario 52).
#[test]
fn handlers_override_moves() {
    let text = "\
        def moves(args):\n\
        \x20   card = args.cards[0]\n\
        \x20   if args.toGroups[0].name == 'Discard':\n\
        \x20       return 1 / 0\n\
        \x20   notify('{} {} {} {}'.format(\
                   len(args.cards), args.toGroups[0].name, args.xs[0], args.faceups[0]))\n\
        \x20   card.moveToTable(-100, 50)\n\n\
        def moved(args):\n\
        \x20   notify('never')\n\n\
        def scripted(args):\n\
        \x20   if args.player == me:\n\
        \x20       notify('scripted')\n";
    let events = [
        ("OverrideCardsMoved", "moves"),
        ("OnCardsMoved", "moved"),
        ("OnScriptedCardsMoved", "scripted"),
    ];
    let mut people = hearing(&events, text);
    let events = people.does(ANN, "draw 1");
    assert_eq!(
        people.read(&events, ANN),
        "1 Hand 0.0 False\nAnn moves Candle from Deck to the table\nscripted"
    );
    let card = &people.table.view(BEN).table[0];
    assert_eq!((card.x, card.y), (-100, 50));
    let events = people.does(ANN, "movetop Deck 1 to Discard");
    let read = people.read(&events, ANN);
    assert!(
        read.starts_with("moves failed: ZeroDivisionError") && read.contains("never"),
        "{read}"
    );
    assert_eq!(people.truth(ANN, "Discard").len(), 1);
    assert!(people.table.taken().last().expect("it was taken").is_step);
    // What is refused is refused before any script hears of it.
    let refusal = people.fails(BEN, "movetop Deck 99 to Nowhere");
    assert!(!refusal.to_string().is_empty());
    replays(&people);
    for (event, function, line) in [
        ("OverrideTurnPassed", "passes", "pass"),
        ("OverridePhaseClicked", "clicks", "phase 2"),
        ("OverrideGameReset", "again", "reset hard"),
        ("OverrideGameSoftReset", "again", "reset"),
    ] {
        let text = "\
            def passes(args):\n\
            \x20   notify('to {}'.format(args.player))\n\n\
            def clicks(args):\n\
            \x20   notify('{} {}'.format(args.name, args.id))\n\n\
            def again():\n\
            \x20   notify('not now')\n";
        let mut people = hearing(&[(event, function)], text);
        people.does(ANN, "active 1");
        let before = people.table.view(BEN);
        let events = people.does(ANN, line);
        let words = match function {
            "passes" => "to Ben",
            "clicks" => "Night 2",
            _ => "not now",
        };
        assert_eq!(people.read(&events, BEN), words, "{event}");
        let now = people.table.view(BEN);
        assert_eq!(
            (now.turn, now.phase, now.questions),
            (before.turn, before.phase, before.questions)
        );
        replays(&people);
    }
}

/// An overriding handler may ask: nothing is done before the answer, and then it is one step (S145, S176).
#[test]
fn an_overriding_handler_asks() {
    let text =
        "def moves(args):\n    if confirm('Really?'):\n        args.cards[0].moveTo(args.toGroups[0])\n";
    let mut people = hearing(&[("OverrideCardsMoved", "moves")], text);
    for (answer, drawn) in [("no", 0), ("yes", 1)] {
        people.does(ANN, "draw 1");
        assert_eq!(people.truth(ANN, "Hand").len(), 0);
        people.replies(ANN, answer);
        assert_eq!(people.truth(ANN, "Hand").len(), drawn);
    }
    replays(&people);
}

/// Clicks are told to who clicked, a double click runs the default entry after its handler, people who come
/// back or give up are told to all (S143, S203, scenario 56).
#[test]
fn clicks_and_people_are_told() {
    let text = "\
        def clicked(args):\n\
        \x20   notify('{} {} {}'.format(me, args.card, args.mouseButton))\n\n\
        def twice(args):\n\
        \x20   notify('twice')\n\n\
        def here(args):\n\
        \x20   if args.player == me:\n\
        \x20       notify('{} is back'.format(me))\n\n\
        def quits(args):\n\
        \x20   notify('{} hears that {} quits'.format(me, args.player))\n";
    let events = [
        ("OnCardClicked", "clicked"),
        ("OnCardDoubleClicked", "twice"),
        ("OnPlayerConnected", "here"),
        ("OnPlayerQuit", "quits"),
    ];
    let mut people = hearing(&events, text);
    people.does(ANN, "draw 1");
    let card = people.handle(ANN, "Candle");
    people.does(ANN, &format!("place Hand:{card} 0,0"));
    let card = people.table.view(ANN).table[0].handle;
    let events = people.does(ANN, &format!("click table:{card} button 2"));
    assert_eq!(people.read(&events, BEN), "Ann Candle 2");
    let events = people.does(ANN, &format!("doubleclick table:{card}"));
    assert_eq!(
        people.read(&events, BEN),
        "Ann runs “Light”\ntwice\nAnn lights Candle."
    );
    let ben = cw_table::TableVerb::Away { seat: BEN };
    people.table.host(ben).expect("the host may");
    let events = people
        .table
        .host(cw_table::TableVerb::Present { seat: BEN })
        .expect("the host may");
    assert_eq!(people.read(&events, ANN), "Ben is here\nBen is back");
    let events = people.does(BEN, "concede");
    let read = people.read(&events, ANN);
    assert!(
        read.contains("Ben hears that Ben quits\nAnn hears that Ben quits"),
        "{read}"
    );
    replays(&people);
    let mut people = lantern_people();
    people.does(ANN, "draw 1");
    let card = people.handle(ANN, "Candle");
    people.does(ANN, &format!("place Hand:{card} 0,0"));
    let card = people.table.view(ANN).table[0].handle;
    let refusal = people.fails(ANN, &format!("click table:{card}"));
    assert_eq!(refusal.to_string(), "the package hears of no clicks");
}

/// What `showIf` and `getName` say of an entry, without any look, effect, message or question (S194, S201,
/// S202, scenario 80).
#[test]
fn functions_say_how_menus_look() {
    let rows = [
        ("return True", true),
        ("return False", false),
        ("return 1", false),
        ("return 1 / 0", true),
        ("return confirm('?')", true),
        ("while True: pass", true),
        (
            "return me.Deck.top().name == 'Card' and me.Deck.top().Type == ''",
            true,
        ),
        ("return me.Deck.top().name == 'Candle'", false),
        (
            "me.Light = 99\n    notify('seen')\n    return me.Light == 99",
            true,
        ),
    ];
    for (line, shown) in rows {
        let text = format!(
            "def maybe(group, x=0, y=0):\n\
             \x20   {line}\n\n\
             def called(group, x=0, y=0):\n\
             \x20   return 'Count to {{}}'.format(me.Light + 1)\n"
        );
        let kit = support::scripted::lanterns_entry(
            "<groupaction menu=\"Count up\" execute=\"countUp\" showIf=\"maybe\" getName=\"called\"/>",
            &[("scripts/more.py", &text)],
        );
        let mut people = people(kit, 2, 7);
        let before = people.table.hash();
        let run = people
            .table
            .parse(ANN, "run \"Count up\"")
            .expect("it is an entry");
        let (is_shown, name) = people.table.shows(ANN, &run);
        assert_eq!((is_shown, name.as_deref()), (shown, Some("Count to 4")), "{line}");
        assert_eq!(people.table.hash(), before);
        if shown {
            let events = people.does(ANN, "run \"Count up\"");
            assert_eq!(
                people.read(&events, BEN),
                "Ann runs “Count up”\nAnn 1 1",
                "{line}"
            );
        } else {
            let refusal = people.fails(ANN, "run \"Count up\"");
            assert_eq!(refusal.to_string(), "the package does not offer “Count up” now");
        }
    }
}

/// Where scripts are asked for, each seat agrees once before the first runs (S170).
#[test]
fn scripts_run_once_all_agree() {
    let mut people = with_settings("", |settings| settings.scripts = cw_table::ScriptRule::Ask);
    let events = people.does(ANN, "run \"Count up\"");
    let read = people.read(&events, BEN);
    assert!(
        read.starts_with("Ann asks Ben to let the package's scripts run: "),
        "{read}"
    );
    let id = people.table.state().questions[0].id;
    people.does(BEN, &format!("answer {id} no"));
    people.does(ANN, "run \"Count up\"");
    let id = people.table.state().questions[0].id;
    let events = people.does(BEN, &format!("answer {id} yes"));
    assert!(
        people
            .read(&events, ANN)
            .ends_with("Ann runs “Count up”\nAnn 1 1"),
        "{}",
        people.read(&events, ANN)
    );
    assert_eq!(said(&mut people, "Count up"), "Ann 2 2");
    let events = people.does(BEN, "run \"Count up\"");
    assert_eq!(people.read(&events, ANN), "Ben runs “Count up”\nBen 1 1");
    replays(&people);
}

/// Marks on others' open cards are put by default and named; where scripts reach their own seat's things only
/// they are refused (S189, scenario 81).
#[test]
fn scripts_reach_what_they_may() {
    let text = "\
        def countUp(group):\n\
        \x20   mute()\n\
        \x20   for card in table:\n\
        \x20       card.markers[OIL] += 1\n\
        \x20       card.highlight = '#ff0000'\n\
        \x20   players[1].Light += 1\n";
    for own in [false, true] {
        let mut people = with_settings(text, |settings| {
            if own {
                settings.reach = cw_table::ScriptReach::Own;
            }
        });
        people.does(BEN, "draw 1");
        let card = people.handle(BEN, "Candle");
        people.does(BEN, &format!("place Hand:{card} 0,0"));
        let events = people.does(ANN, "run \"Count up\"");
        let read = people.read(&events, ANN);
        let card = &people.table.view(ANN).table[0];
        assert_eq!(
            (card.markers.is_empty(), card.highlight.is_none()),
            (own, own),
            "{read}"
        );
        assert_eq!(people.counter(BEN, "Light"), if own { 3 } else { 4 });
        assert_eq!(read.contains("Not done: you do not control it"), own, "{read}");
        replays(&people);
    }
}

/// One's own card that cannot be followed shows where it lies by a look (S224, scenario 76).
#[test]
fn where_a_card_lies_is_a_look() {
    let text = "\
        def countUp(group):\n\
        \x20   card = me.hand[0]\n\
        \x20   card.moveTo(me.Deck)\n\
        \x20   me.Deck.shuffle()\n\
        \x20   x = card.index\n";
    let mut people = with_script(text);
    people.does(ANN, "draw 1");
    let events = people.does(ANN, "run \"Count up\"");
    let read = people.read(&events, BEN);
    assert!(
        read.contains("Ann's Count up looked at 1 card of Ann's Deck"),
        "{read}"
    );
    replays(&people);
}

/// Of a finding: its code, the text that is meant, a part of its words.
type FoundPart = (&'static str, &'static str, &'static str);

/// The codes of a package's script findings, each with its line and the text that is meant.
fn findings(text: &str) -> Vec<(&'static str, String, String)> {
    let kit = lanterns_with(&[("scripts/more.py", text)]);
    let found = kit.script_findings();
    found
        .into_iter()
        .map(|found| {
            let file = kit.package.sources.get(found.file);
            assert!(file.name.ends_with("more.py"), "{found:?} in {}", file.name);
            let meant = file.text[found.span.range()].to_owned();
            (
                found.code.0,
                meant,
                found.message + &found.help.unwrap_or_default(),
            )
        })
        .collect()
}

/// What scripts cannot do is found without running it: names, modules, calls, files (S10, S27, S31, S260).
#[test]
fn scripts_are_checked() {
    assert_eq!(findings(""), [], "the package itself is sound");
    let rows: [(&str, &[FoundPart]); 12] = [
        (
            "def f(g):\n    notifi('x')\n",
            &[("FT006", "notifi", "did you mean `notify`?")],
        ),
        (
            "def f(g):\n    return Rot45\n",
            &[("FT006", "Rot45", "nothing defines")],
        ),
        ("class A(object):\n    x = 1\n    y = x\n", &[]),
        (
            "def f(g):\n    global late\n    late = 1\n\ndef h(g):\n    return late\n",
            &[],
        ),
        ("import os\n", &[("FT007", "os", "no module `os`")]),
        (
            "try:\n    import os\nexcept ImportError:\n    pass\n",
            &[("FT007", "os", "no module")],
        ),
        (
            "from System.Net import WebClient\n",
            &[("FT007", "System.Net", "no .NET")],
        ),
        (
            "import re, math, collections, clr\nfrom System.Windows.Forms import *\n",
            &[],
        ),
        (
            "def f(g):\n    rnd(6)\n    drawMany(me.Deck, 2, 3)\n    drawMany(grp=me.Deck)\n",
            &[
                ("FT008", "rnd", "takes at least 2 arguments, and gets 1"),
                ("FT008", "drawMany", "takes at most 2 arguments, and gets 3"),
                ("FT008", "drawMany", "has no argument `grp`"),
            ],
        ),
        (
            "def f(g):\n\
             \x20   drawMany(me.Deck)\n\
             \x20   drawMany(me.Deck, count=rnd(1, len(me.hand)))\n\
             \x20   say('x', 1, 2, 3)\n",
            &[],
        ),
        ("x = 1 / 0\n", &[("FT009", "x = 1 / 0", "ZeroDivisionError")]),
        (
            "def f(g):\n    exec 'x = 1'\n",
            &[("FT009", "exec 'x = 1'", "exec")],
        ),
    ];
    for (text, expected) in rows {
        let found = findings(text);
        assert_eq!(found.len(), expected.len(), "{text}: {found:?}");
        for ((code, meant, words), (wanted, place, part)) in found.iter().zip(expected) {
            assert_eq!((code, meant.as_str()), (wanted, *place), "{text}");
            assert!(words.contains(part), "{text}: {words}");
        }
    }
}

/// Each page of a finding about scripts shows one that has it, and one that has not.
#[test]
fn pages_of_script_findings_are_true() {
    let pages: Vec<_> = cw_table::PAGES
        .iter()
        .filter(|page| page.language == "script")
        .collect();
    assert_eq!(pages.len(), 4);
    for page in pages {
        let has = |text: &str| findings(text).iter().any(|(code, ..)| *code == page.code.0);
        assert!(has(page.wrong) && !has(page.right), "{}", page.code);
    }
}

/// What is said of each entry before it runs: it runs, it runs without something, it cannot, and why.
#[test]
fn entries_are_foretold() {
    let text = "\
        def countUp(group):\n\
        \x20   helper()\n\n\
        def helper():\n\
        \x20   saveFileDlg()\n\
        \x20   nothingLikeThat()\n\n\
        def roll(a, b, c, d):\n\
        \x20   pass\n";
    let kit = lanterns_with(&[("scripts/more.py", text)]);
    let runs = |menu: &str| {
        let found = kit
            .actions
            .iter()
            .find(|action| action.definition.menu.as_str() == menu);
        kit.entry_runs(found.expect("it is there"))
            .expect("it names a function")
    };
    assert_eq!(runs("Draw"), EntryRuns::Well);
    let lacks = [
        "gets no files",
        "nothing defines the name nothingLikeThat (scripts/more.py, line 6)",
    ];
    assert_eq!(
        runs("Count up"),
        EntryRuns::But(lacks.map(str::to_owned).to_vec())
    );
    assert_eq!(
        runs("Is not there"),
        EntryRuns::Not("no script defines noSuchFunction".to_owned())
    );
    assert_eq!(
        runs("Roll"),
        EntryRuns::Not("roll wants 4 arguments (scripts/more.py, line 8)".to_owned())
    );
}

/// What one entry says: a function's body, with what comes out of it.
struct Said {
    /// The scenario's number in the specification.
    scenario: u8,
    /// The body of the function, indented by four.
    body: &'static str,
    /// What Ann reads of it, or a part of why it failed.
    reads: &'static str,
}

const fn says(scenario: u8, body: &'static str, reads: &'static str) -> Said {
    Said {
        scenario,
        body,
        reads,
    }
}

/// Values, texts, modules and errors of the language, as OCTGN's Python has them (S6, S11–S34, scenarios 5–7,
/// 11–18, 22, 23).
#[test]
fn the_language_is_python() {
    let rows = [
        says(
            6,
            "\x20   d = collections.defaultdict(list)\n\
             \x20   d['a'].append(1)\n\
             \x20   notify(str(dict(d)))",
            "'a': [1]",
        ),
        says(7, "    notify(WHO)", "Ann"),
        says(11, "    notify('{} {}'.format(-7 / 2, 7 / 2))", "-4 3"),
        says(
            11,
            "    for card in table: notify(str(card.position[0] / 2))",
            "2.5",
        ),
        says(12, "    notify(str(sorted(['b', None, 3])))", "[None, 3, 'b']"),
        says(
            13,
            "    notify(str(len(filter(lambda c: c.Type == 'Guest', table))))",
            "1",
        ),
        says(13, "    notify(str(len(me.Deck.top(3))))", "TypeError"),
        says(
            14,
            "\x20   setGlobalVariable('L', \"[1, 'a', None]\")\n\
             \x20   notify(str(eval(getGlobalVariable('L'))[1:]))",
            "['a', None]",
        ),
        says(14, "    eval(\"__import__('os')\")", "NotAvailable"),
        says(
            15,
            "\x20   x = {1: [me.name]}\n\
             \x20   setGlobalVariable('L', x)\n\
             \x20   notify(str(eval(getGlobalVariable('L')) == x))",
            "True",
        ),
        says(
            16,
            "\x20   try:\n\
             \x20       int('x')\n\
             \x20   except:\n\
             \x20       pass\n\
             \x20   notify('on')",
            "on",
        ),
        says(
            16,
            "\x20   while True:\n\
             \x20       try:\n\
             \x20           int('x')\n\
             \x20       except:\n\
             \x20           pass",
            "Count up stopped: it",
        ),
        says(
            18,
            "\x20   import re\n\
             \x20   notify(re.search(r'(?<=a+)b', 'aab').group(0))",
            "b",
        ),
        says(
            18,
            "\x20   import re\n\
             \x20   notify(str(re.match(r'(a+)+$', 'a' * 40 + 'b')))",
            "None",
        ),
        says(
            20,
            "\x20   try:\n\
             \x20       from System.Net import WebClient\n\
             \x20   except ImportError as e:\n\
             \x20       notify(str(e))",
            "the table has no .NET: System.Net",
        ),
        says(21, "    import os", "the table gives scripts no os"),
        says(
            22,
            "\x20   import time\n\
             \x20   before = time.time()\n\
             \x20   time.sleep(60)\n\
             \x20   notify(str(time.time() - before))",
            "0.0",
        ),
        says(24, "    notify(str([x for x in (1, 2)]) + str(x))", "[1, 2]2"),
    ];
    for row in rows {
        check_said(&row);
    }
}

/// Cards, markers, questions and turns of the interface (S43, S66–S134, scenarios 25–36, 41–49).
#[test]
fn the_interface_is_octgns() {
    let rows = [
        says(
            25,
            "\x20   card = me.hand[0]\n\
             \x20   mute()\n\
             \x20   card.moveTo(me.piles['Discard'])\n\
             \x20   notify('{} {}'.format(me.Discard[0].name, len(me.Discard)))",
            "Candle 1",
        ),
        says(
            25,
            "\x20   mute()\n\
             \x20   for card in list(me.hand): card.moveTo(me.Discard, -1)\n\
             \x20   notify(str([c.name for c in me.Discard]))",
            "['Candle', 'Torch']",
        ),
        says(
            26,
            "\x20   mute()\n\
             \x20   me.hand[0].moveTo(me.Deck, 99)\n\
             \x20   notify(me.Deck.bottom().name)",
            "Candle",
        ),
        says(
            27,
            "\x20   mute()\n\
             \x20   made = table.create(me.hand[0].model, 0, 0)\n\
             \x20   made.moveTo(me.Discard)\n\
             \x20   notify(made.group.name)",
            "AttributeError: no card",
        ),
        says(
            28,
            "\x20   mute()\n\
             \x20   card = me.hand[0]\n\
             \x20   card.moveToTable(1.9, -1.9)\n\
             \x20   notify('{} {}'.format(card.position, card.isFaceUp))",
            "(1.0, -1.0) True",
        ),
        says(
            28,
            "\x20   mute()\n\
             \x20   card = me.hand[0]\n\
             \x20   card.moveToTable(0, 0, True)\n\
             \x20   notify(str(card.isFaceUp))",
            "False",
        ),
        says(
            29,
            "\x20   mute()\n\
             \x20   for card in table:\n\
             \x20       card.markers[OIL] += 2\n\
             \x20       notify(str(card.markers[OIL]))",
            "2",
        ),
        says(
            30,
            "\x20   mute()\n\
             \x20   for card in table:\n\
             \x20       card.markers[OIL] = 70000\n\
             \x20       notify(str(card.markers[OIL]))",
            "65535",
        ),
        says(
            30,
            "\x20   mute()\n\
             \x20   for card in table:\n\
             \x20       card.markers[OIL] = 3\n\
             \x20       card.markers[OIL] = -5\n\
             \x20       notify(str(len(card.markers)))",
            "0",
        ),
        says(
            31,
            "\x20   mute()\n\
             \x20   for card in table:\n\
             \x20       card.markers[OIL] = 1\n\
             \x20       for k in list(card.markers): del card.markers[k]\n\
             \x20       notify(str(OIL in card.markers))",
            "False",
        ),
        says(
            32,
            "\x20   mute()\n\
             \x20   for card in table:\n\
             \x20       card.orientation ^= Rot90\n\
             \x20       card.orientation ^= Rot90\n\
             \x20       notify(str(card.orientation))",
            "0",
        ),
        says(32, "    for card in table: card.orientation = 4", "IndexError"),
        says(
            33,
            "\x20   mute()\n\
             \x20   for card in table:\n\
             \x20       card.highlight = '#FF0000'\n\
             \x20       notify(card.highlight)",
            "#ff0000",
        ),
        says(
            33,
            "    for card in table: card.highlight = 'nonsense'",
            "ValueError",
        ),
        says(
            34,
            "\x20   mute()\n\
             \x20   for card in table:\n\
             \x20       card.Cost = '7'\n\
             \x20       was = card.Cost\n\
             \x20       card.moveTo(me.hand)\n\
             \x20       notify('{} {}'.format(was, card.Cost))",
            "7 0",
        ),
        says(35, "    for card in table: card.Cost = 7", "TypeError"),
        says(36, "    notify(str(me.Discard[0].name))", "None"),
        says(36, "    me.Discard[0].Type", "AttributeError: no card"),
        says(
            42,
            "    notify(str(len(queryCard({'Type': ['Lamp', 'Story']}, True))))",
            "4",
        ),
        says(
            43,
            "\x20   setActivePlayer(players[1])\n\
             \x20   mute()\n\
             \x20   setPhase(2)\n\
             \x20   notify(str(currentPhase()[1]))",
            "0",
        ),
        says(
            44,
            "\x20   mute()\n\
             \x20   nextTurn(players[1])\n\
             \x20   notify('{} {} {}'.format(turnNumber(), players[1].isActive, currentPhase()[1]))",
            "1 True 0",
        ),
        says(
            45,
            "    notify('{} {}'.format(players[0], players[1]))",
            "Ann Ben",
        ),
        says(
            46,
            "\x20   mute()\n\
             \x20   made = table.create(me.hand[0].model, 0, 0, 2)\n\
             \x20   notify('{} {}'.format(len(made), made[0].position == made[1].position))",
            "2 True",
        ),
        says(
            46,
            "    notify('{} {}'.format(table.create('nothing', 0, 0, 2), table.create('nothing', 0, 0)))",
            "[] None",
        ),
        says(
            48,
            "\x20   mute()\n\
             \x20   for card in table:\n\
             \x20       card.setController(players[1])\n\
             \x20       notify(card.controller.name)",
            "Ben",
        ),
        says(49, "    notify('{} {}'.format(me, me.hand[0]))", "Ann Candle"),
        says(
            72,
            "\x20   card = me.Deck.top()\n\
             \x20   mute()\n\
             \x20   card.moveTo(me.hand)\n\
             \x20   whisper(card.name)",
            "Moth",
        ),
        says(
            78,
            "\x20   mute()\n\
             \x20   for card in players[1].hand: card.peek()\n\
             \x20   notify('on')",
            "on",
        ),
    ];
    for row in rows {
        check_said(&row);
    }
}

/// Runs a body as an entry of Ann's: a Candle and a Torch in her hand, a Moth on the table.
fn check_said(row: &Said) {
    let text = format!("def countUp(group, x=0, y=0):\n{}\n", row.body);
    let mut people = with_script(&text);
    people.does(ANN, "draw 5");
    let moth = people.handle(ANN, "Moth");
    people.does(ANN, &format!("place Hand:{moth} 5,0"));
    for card in ["Candle", "Torch"] {
        let card = people.handle(ANN, card);
        people.does(ANN, &format!("move Hand:{card} to Deck bottom"));
    }
    people.does(BEN, "draw 1");
    let events = people.does(ANN, "run \"Count up\"");
    let read = people.read(&events, ANN);
    let fails = events.iter().any(|event| event.kind == "failed");
    let scenario = row.scenario;
    if fails {
        assert!(
            read.contains(row.reads),
            "scenario {scenario}: {read}\n{}",
            row.body
        );
    } else {
        let said = read.lines().any(|line| line == row.reads);
        assert!(said, "scenario {scenario}: {read}\n{}", row.body);
    }
    replays(&people);
}

/// Scripts hear once of a new beginning, and of each deck, whichever verb has loaded it (F213, S216).
#[test]
fn scripts_hear_of_every_loaded_deck() {
    let text = "\
        def begun():\n\
        \x20   notify('{} is ready'.format(me))\n\n\
        def loaded(args):\n\
        \x20   if args.player == me:\n\
        \x20       notify('{} {}'.format(me, [g.name for g in args.groups]))\n";
    let events = [("OnGameStarted", "begun"), ("OnDeckLoaded", "loaded")];
    let said = |people: &People, events: &[cw_table::TableEvent]| -> Vec<String> {
        let said = events.iter().filter(|event| event.kind == "script");
        let mut said: Vec<String> = said.filter_map(|event| event.read_by(ANN.into())).collect();
        assert_eq!(people.truth(ANN, "Deck").len(), 12);
        said.sort();
        said
    };
    let all = ["Ann ['Deck']", "Ann is ready", "Ben ['Deck']", "Ben is ready"];
    let mut people = hearing(&events, text);
    people.does(ANN, "reset");
    let id = people.table.state().questions[0].id;
    let told = people.does(BEN, &format!("answer {id} yes"));
    assert_eq!(said(&people, &told), all);
    let deck = people.table.state().seat(ANN).decks[0].clone();
    let told = people.act(ANN, cw_table::TableVerb::Sideboard { deck });
    assert_eq!(
        said(&people, &told.expect("nothing else was done")),
        ["Ann ['Deck']"]
    );
    // Whoever leaves agrees to it in silence.
    people.does(ANN, "reset");
    let away = cw_table::TableVerb::Away { seat: BEN };
    let told = people.table.host(away).expect("the host may");
    assert_eq!(said(&people, &told), all);
    replays(&people);
}

/// Neither chance of scripts nor a seat that was added ends with an agreed reset (S178, S212).
#[test]
fn a_reset_repeats_no_chance_and_keeps_every_seat() {
    let cay = cw_table::TableSeat(2);
    let settings = TableSettings::for_people(&["Ann", "Ben"]);
    let mut people = People::of(lanterns(), settings, 7);
    people.does(ANN, "addseat Cay");
    let rolls = |people: &mut People| -> Vec<String> {
        let roll = |_| {
            let events = people.does(cay, "run \"Game/Roll\"");
            people.read(&events, ANN)
        };
        (0..12).map(roll).collect()
    };
    let before = rolls(&mut people);
    assert!(before[0].contains("Cay rolls"), "{}", before[0]);
    people.does(ANN, "reset hard");
    let id = people.table.state().questions[0].id;
    people.does(BEN, &format!("answer {id} yes"));
    people.does(cay, &format!("answer {id} yes"));
    let after = rolls(&mut people);
    assert!(after[0].contains("Cay rolls"), "{}", after[0]);
    assert_ne!(before, after);
    replays(&people);
}

/// What a failing handler has made is taken out with the rest of it: the person's verb stands (S149).
#[test]
fn a_handler_that_makes_a_card_and_fails_blocks_nothing() {
    let text = "\
        def makes(args):\n\
        \x20   table.create('00000000-0000-0000-0001-000000000000', 0, 0, 2)\n\
        \x20   return 1 / 0\n";
    let mut people = hearing(&[("OnCounterChanged", "makes")], text);
    let events = people.does(ANN, "counter Light +1");
    assert!(people.read(&events, ANN).contains("ZeroDivisionError"));
    assert_eq!(people.counter(ANN, "Light"), 4);
    assert!(people.table.view(ANN).table.is_empty());
    replays(&people);
}

/// An entry that waits is broken off when its card has ceased to be, also where another card has the place by
/// now (S180, F206).
#[test]
fn an_entry_does_not_go_on_with_another_card() {
    let text = "\
        def oilUp(card, x=0, y=0):\n\
        \x20   count = askInteger('How much?', 1)\n\
        \x20   card.markers[OIL] += count\n";
    for again in [false, true] {
        let mut people = with_script(text);
        people.does(ANN, "create Candle");
        let card = people.highest(ANN);
        people.does(ANN, &format!("run \"Oil up\" on table:{card}"));
        people.does(ANN, &format!("delete table:{card}"));
        if again {
            people.does(BEN, "create Torch");
        }
        let events = people.replies(ANN, "2");
        assert_eq!(
            people.read(&events, ANN),
            "The table has changed; choose the entry again."
        );
        let view = people.table.view(ANN);
        assert!(view.table.iter().all(|card| card.markers.is_empty()));
        replays(&people);
    }
}

/// What a script asks another seat for is done once that seat agrees (D106, S187).
#[test]
fn what_a_script_asks_for_is_done_when_it_is_agreed_to() {
    let text = "\
        def flip(card, x=0, y=0):\n\
        \x20   card.peek()\n";
    let mut people = with_script(text);
    let agrees = |people: &mut People| {
        let id = people.table.state().questions[0].id;
        people.does(ANN, &format!("answer {id} yes"))
    };
    people.does(ANN, "movetop Deck 1 to table down");
    let card = people.highest(BEN);
    people.does(BEN, &format!("take table:{card}"));
    agrees(&mut people);
    people.does(BEN, &format!("run \"Turn\" on table:{card}"));
    agrees(&mut people);
    assert_eq!(people.names_in(BEN), ["Candle"]);
    replays(&people);
}
