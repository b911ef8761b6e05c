//! Scenarios of `docs/spec/scripts.md` that need a package, a seat or a run of their own; the others are in
//! `scripts.rs`.

mod support;

use cw_table::{FreeRecord, Looker, ScriptQuestion, TableEvent};
use support::scripted::{lanterns, lanterns_changed, lanterns_hearing, lanterns_with, people, people_with};
use support::{ANN, BEN, People};

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

/// What a looker reads behind the line that says which entry runs.
#[track_caller]
fn behind(people: &People, events: &[TableEvent], looker: impl Into<Looker>) -> String {
    let read = people.read(events, looker);
    read.split_once('\n')
        .map_or(String::new(), |(_, rest)| rest.to_owned())
}

/// Runs the entry “Count up” and gives what Ann reads behind its first line.
#[track_caller]
fn said(people: &mut People) -> String {
    let events = people.does(ANN, "run \"Count up\"");
    behind(people, &events, ANN)
}

/// Names may have any letter: a counter “Æmber” is counted up by `me.Æmber += 1` (S2, scenario 3).
#[test]
fn names_have_any_letter() {
    let text = "def countUp(group, x=0, y=0):\n    me.Æmber += 1\n    mute()\n    me.æmber += 1\n";
    let change = |definition: String| {
        let counter = "<counter name=\"Light\" default=\"3\"/>";
        definition.replace(
            counter,
            &format!("{counter}<counter name=\"Æmber\" default=\"0\"/>"),
        )
    };
    let mut people = people(lanterns_changed(change, &[("scripts/more.py", text)]), 1, 7);
    assert_eq!(said(&mut people), "Ann changes Æmber from 0 to 1 (+1)");
    assert_eq!(people.counter(ANN, "Æmber"), 2);
    replays(&people);
}

/// A backslash before CR LF joins two lines of a text, and is nothing to report (S2, scenario 4).
#[test]
fn a_text_goes_on_behind_a_backslash() {
    let text = "\
        def countUp(group, x=0, y=0):\r\n\
        \x20   notify('one \\\r\n\
        two')\r\n\
        \x20   x = 1 + \\\r\n\
        \x20       1\r\n\
        \x20   notify(str(x))\r\n";
    let kit = lanterns_with(&[("scripts/more.py", text)]);
    assert_eq!(kit.script_findings(), []);
    let mut people = people(kit, 1, 7);
    assert_eq!(said(&mut people), "one two\n2");
}

/// Lines of the table inside `with mute()` are folded, those behind it and those of the script are not (S44,
/// scenario 17).
#[test]
fn a_block_is_mute() {
    let text = "\
        def countUp(group, x=0, y=0):\n\
        \x20   with mute():\n\
        \x20       me.Light += 1\n\
        \x20       notify('a')\n\
        \x20       me.Deck.shuffle()\n\
        \x20   me.Light += 1\n";
    let mut people = with_script(text);
    let events = people.does(ANN, "run \"Count up\"");
    assert_eq!(
        behind(&people, &events, BEN),
        "a\nAnn shuffles Deck\nAnn changes Light from 4 to 5 (+1)\nCount up drew by chance",
        "what is drawn by chance is told all the same"
    );
}

/// A window of .NET is a question with the words of its labels, a button for each that does something and a
/// tick for each that can be ticked; the handlers run, and the caller reads what they have set (S30–S33,
/// scenario 19).
#[test]
fn a_window_is_a_question() {
    let text = "\
        import clr\n\
        clr.AddReference('System.Windows.Forms')\n\
        clr.AddReference('System.Drawing')\n\
        from System.Windows.Forms import *\n\
        from System.Drawing import Color, Point, Size\n\n\
        class Lamp(Form):\n\
        \x20   def __init__(self):\n\
        \x20       self.Text = 'Which lamp?'\n\
        \x20       self.StartPosition = FormStartPosition.CenterScreen\n\
        \x20       self.Size = Size(300, 200)\n\
        \x20       self.label = Label()\n\
        \x20       self.label.Text = 'Both burn.'\n\
        \x20       self.label.ForeColor = Color.Red\n\
        \x20       panel = Panel()\n\
        \x20       panel.Controls.Add(self.label)\n\
        \x20       self.twice = CheckBox()\n\
        \x20       self.twice.Text = 'twice'\n\
        \x20       self.twice.CheckedChanged += self.ticked\n\
        \x20       panel.Controls.Add(self.twice)\n\
        \x20       self.Controls.Add(panel)\n\
        \x20       self.lit = 'none'\n\
        \x20       self.ticks = 0\n\
        \x20       for word in ['Candle', 'Torch']:\n\
        \x20           button = Button()\n\
        \x20           button.Text = word\n\
        \x20           button.Click += self.chosen\n\
        \x20           self.Controls.Add(button)\n\
        \x20   def ticked(self, sender, args):\n\
        \x20       self.ticks += 1\n\
        \x20   def chosen(self, sender, args):\n\
        \x20       self.lit = sender.Text\n\
        \x20       self.Close()\n\n\
        def countUp(group, x=0, y=0):\n\
        \x20   box = Lamp()\n\
        \x20   SHOW\n\
        \x20   notify('{} {} {}'.format(box.lit, box.ticks, box.twice.Checked))\n";
    for show in ["showWinForm(box)", "box.ShowDialog()"] {
        let mut people = with_script(&text.replace("SHOW", show));
        let faults = &people
            .table
            .kit()
            .scripts
            .as_ref()
            .expect("it has scripts")
            .faults;
        assert_eq!(faults.as_slice(), [] as [String; 0]);
        people.does(ANN, "run \"Count up\"");
        let (_, question) = people.asked(ANN);
        let ScriptQuestion::Choice { text, choices, .. } = question else {
            panic!("{question:?}")
        };
        assert_eq!(text, "Which lamp?\nBoth burn.");
        let words: Vec<&str> = choices.iter().map(|(words, _)| words.as_str()).collect();
        assert_eq!(words, ["[ ] twice", "Candle", "Torch"]);
        people.replies(ANN, "1");
        let (_, question) = people.asked(ANN);
        assert!(
            matches!(&question, ScriptQuestion::Choice { choices, .. } if choices[0].0 == "[x] twice"),
            "the box stays until it is closed: {question:?}"
        );
        let events = people.replies(ANN, "3");
        assert_eq!(behind(&people, &events, BEN), "Torch 1 True");
        // Who closes the box has pressed the last button.
        people.does(ANN, "run \"Count up\"");
        let events = people.replies(ANN, "closed");
        assert_eq!(behind(&people, &events, BEN), "Torch 0 False");
        replays(&people);
    }
    // A box that no button closes is left after thirty choices, one without anything to press at once.
    let text = "\
        from System.Windows.Forms import *\n\
        def countUp(group, x=0, y=0):\n\
        \x20   box = Form()\n\
        \x20   empty = Form()\n\
        \x20   showWinForm(empty)\n\
        \x20   for word in ['one', 'two']:\n\
        \x20       tick = RadioButton()\n\
        \x20       tick.Text = word\n\
        \x20       tick.CheckedChanged += lambda sender, args: None\n\
        \x20       box.Controls.Add(tick)\n\
        \x20   showWinForm(box)\n\
        \x20   notify(str([tick.Checked for tick in box.Controls]))\n";
    let mut people = with_script(text);
    people.does(ANN, "run \"Count up\"");
    for at in 1..30 {
        people.replies(ANN, ["1", "2"][at % 2]);
    }
    let events = people.replies(ANN, "1");
    assert_eq!(behind(&people, &events, BEN), "[True, False]");
    people.does(ANN, "run \"Count up\"");
    let events = people.replies(ANN, "closed");
    assert_eq!(behind(&people, &events, BEN), "[False, False]");
}

/// Buttons beside no choices at all: the first gives −1, a closed window 0 (S56, scenario 37).
#[test]
fn buttons_stand_alone() {
    let text = "def countUp(group, x=0, y=0):\n    notify(str(askChoice('?', [], customButtons=['Stop'])))\n";
    for (answer, said) in [("-1", "-1"), ("closed", "0")] {
        let mut people = with_script(text);
        people.does(ANN, "run \"Count up\"");
        let (run, _) = people.asked(ANN);
        people.fails(ANN, &format!("reply {run} 1"));
        let events = people.replies(ANN, answer);
        assert_eq!(behind(&people, &events, BEN), said);
    }
}

/// A dialog of cards from which none is taken puts them in another order (S60a, scenario 39).
#[test]
fn a_dialog_orders_cards() {
    let text = "\
        def countUp(group, x=0, y=0):\n\
        \x20   dialog = cardDlg(list(me.Deck.top(3)))\n\
        \x20   dialog.max = 0\n\
        \x20   taken = dialog.show()\n\
        \x20   whisper('{} {}'.format(taken, [card.name for card in dialog.list]))\n";
    let mut people = with_script(text);
    let top = people.truth(ANN, "Deck");
    people.does(ANN, "run \"Count up\"");
    let (run, _) = people.asked(ANN);
    people.fails(ANN, &format!("reply {run} places 1,0"));
    let events = people.replies(ANN, "places 1,0,2");
    let read = people.read(&events, ANN);
    let expected = format!("[] ['{}', '{}', '{}']", top[1], top[0], top[2]);
    assert!(read.contains(&expected), "{read}");
    people.does(ANN, "run \"Count up\"");
    let events = people.replies(ANN, "closed");
    let read = people.read(&events, ANN);
    let expected = format!("None ['{}', '{}', '{}']", top[0], top[1], top[2]);
    assert!(read.contains(&expected), "a closed box leaves the list: {read}");
    replays(&people);
}

/// A dialog of two boxes is not left with too many or too few cards in the first (S60a, scenario 40).
#[test]
fn a_dialog_of_two_boxes_has_bounds() {
    let text = "\
        def countUp(group, x=0, y=0):\n\
        \x20   dialog = cardDlg(list(me.Deck.top(2)), list(me.Deck.bottom(2)))\n\
        \x20   dialog.min = 1\n\
        \x20   dialog.max = 2\n\
        \x20   taken = dialog.show()\n\
        \x20   whisper('{} {} {}'.format(taken, len(dialog.list), len(dialog.bottomList)))\n\n\
        def roll(group, x=0, y=0):\n\
        \x20   dialog = cardDlg(list(me.Deck.top(2)))\n\
        \x20   dialog.min = -1\n";
    let mut people = with_script(text);
    people.does(ANN, "run \"Count up\"");
    let (run, _) = people.asked(ANN);
    for (places, count) in [("0,1,2", 3), ("", 0)] {
        let refusal = people.fails(ANN, &format!("reply {run} places {places}"));
        assert_eq!(refusal.to_string(), format!("choose 1 to 2 cards, not {count}"));
    }
    let events = people.replies(ANN, "places 3");
    let read = people.read(&events, ANN);
    assert!(read.contains("[] 1 3"), "{read}");
    let events = people.does(ANN, "run \"Game/Roll\"");
    let read = people.read(&events, ANN);
    assert!(read.contains("ValueError: min must not be negative"), "{read}");
}

/// A card's measures are numbers and can be called, whatever version the package declares (S74, scenario 47).
#[test]
fn measures_are_values_and_methods() {
    let text = "\
        def upkeep(group, x=0, y=0):\n\
        \x20   card = me.Hand[0]\n\
        \x20   notify('{} {} {} {}'.format(card.width, card.width(), card.height + 1, card.height() / 2))\n\
        \x20   notify('{} {}'.format(Card.width(), Card.height()))\n\
        \x20   notify('{}{}'.format(card.size, card.size() == card.size))\n";
    let count_up = text.replace("def upkeep", "def countUp");
    let mill = support::scripted::mill_with(text);
    for (kit, entry) in [
        (mill, "Upkeep"),
        (lanterns_with(&[("scripts/more.py", &count_up)]), "Count up"),
    ] {
        let mut people = people(kit, 1, 7);
        people.does(ANN, "draw 1");
        let events = people.does(ANN, &format!("run \"{entry}\""));
        let read = behind(&people, &events, BEN);
        assert!(read.starts_with("63 63 89 44\n63 88\n"), "{read}");
        assert!(read.ends_with("True"), "{read}");
    }
}

/// Where scripts hear of a loaded deck, the table leaves shuffling to them, and each pile is named once
/// (S216, scenario 55).
#[test]
fn a_deck_is_shuffled_by_who_hears_of_it() {
    let text = "\
        def loaded(args):\n\
        \x20   if args.player == me:\n\
        \x20       notify('{} {} {}'.format(me, [g.name for g in args.groups], args.isLimited))\n";
    let shuffled = |events: &[(&str, &str)]| {
        let kit = lanterns_hearing(events, &[("scripts/more.py", text)]);
        let people = people_with(kit, 3, 7, |settings| settings.shuffle_after_loading = true);
        let names = people.truth(ANN, "Deck");
        let mut sorted = names.clone();
        let order = ["Candle", "Torch", "Moth", "Owl", "Old tale", "Dawn"];
        sorted.sort_by_key(|name| order.iter().position(|other| other == name));
        (people, names != sorted)
    };
    let (people, is_shuffled) = shuffled(&[("OnDeckLoaded", "loaded")]);
    assert!(!is_shuffled);
    let said = people.told.iter().filter(|event| event.kind == "script");
    let said: Vec<String> = said.filter_map(|event| event.read_by(ANN.into())).collect();
    assert_eq!(said, ["Ann ['Deck'] False", "Ben ['Deck'] False"]);
    replays(&people);
    assert!(shuffled(&[]).1);
    // Names of events of another version are not heard, and shuffle nothing (S140).
    assert!(shuffled(&[("OnLoadDeck", "loaded")]).1);
}

/// A table that is played again from what was kept asks the same question and shows the same preview (S210,
/// scenario 61).
#[test]
fn a_waiting_run_survives_a_restart() {
    let mut people = people(lanterns(), 2, 7);
    people.does(ANN, "run \"Draw many\"");
    people.replies(ANN, "4");
    assert_eq!(people.table.kept(), None, "what waits is not cut off");
    let before = (people.asked(ANN), people.table.preview(ANN));
    let record = FreeRecord::read(&FreeRecord::write(&people.table)).expect("it is a record");
    let table = record.play(people.table.kit()).expect("it plays");
    let mut again = People {
        table,
        told: Vec::new(),
    };
    assert_eq!((again.asked(ANN), again.table.preview(ANN)), before);
    let (events, others) = (people.replies(ANN, "1"), again.replies(ANN, "1"));
    assert_eq!(people.read(&events, ANN), again.read(&others, ANN));
    assert_eq!(people.table.hash(), again.table.hash());
}

/// A call of oneself comes after the caller's last statement, and before events that were caused later (S182,
/// S186, scenario 65).
#[test]
fn a_call_of_oneself_waits_for_the_caller() {
    let text = "\
        def countUp(group, x=0, y=0):\n\
        \x20   mute()\n\
        \x20   remoteCall(me, 'later', [])\n\
        \x20   me.Light += 1\n\
        \x20   update()\n\
        \x20   rnd(1, 10)\n\
        \x20   notify('last')\n\n\
        def later():\n\
        \x20   notify('later')\n\n\
        def counted(args):\n\
        \x20   notify('counted')\n";
    let kit = lanterns_hearing(&[("OnCounterChanged", "counted")], &[("scripts/more.py", text)]);
    let mut people = people(kit, 2, 7);
    let events = people.does(ANN, "run \"Count up\"");
    assert!(
        people.read(&events, BEN).contains("last\nlater\ncounted"),
        "{}",
        people.read(&events, BEN)
    );
    replays(&people);
}

/// A record is played again to the same digests, and refused where one byte of a script is another (S209,
/// scenario 69).
#[test]
fn a_record_is_of_its_scripts() {
    let text = "def countUp(group, x=0, y=0):\n    notify('one')\n";
    let mut people = with_script(text);
    people.does(ANN, "run \"Draw many\"");
    people.replies(ANN, "4");
    people.replies(ANN, "1");
    people.does(ANN, "run \"Count up\"");
    replays(&people);
    let written = FreeRecord::write(&people.table);
    let record = FreeRecord::read(&written).expect("it is a record");
    let other = lanterns_with(&[("scripts/more.py", &text.replace("one", "two"))]);
    let error = record.play(&other).expect_err("another script");
    assert_eq!(
        error.to_string(),
        "this record is of “Lanterns” 1.2.0.0 before its files were changed; go back to those files"
    );
    // Another edition of the interpreter is another version of the record.
    let first = written.lines().next().expect("it has a title");
    let older = written.replacen(first, "cardwright free table 1", 1);
    let error = FreeRecord::read(&older).expect_err("another version");
    assert!(
        error.to_string().starts_with("this record is of version 1;"),
        "{error}"
    );
    // An answer that the question does not take is no step of it either.
    let lines: Vec<&str> = written.lines().collect();
    let at = lines
        .iter()
        .rposition(|line| line.contains(" reply "))
        .expect("it was answered");
    let forged = written.replacen(lines[at], &lines[at].replace(" 1 = ", " yes = "), 1);
    let error = FreeRecord::read(&forged)
        .expect("it is a record")
        .play(people.table.kit());
    assert!(error.is_err());
}

/// Runs of two seats wait at once, and are put in place in the order in which they end (S180, scenario 70).
#[test]
fn two_seats_wait_at_once() {
    let mut people = people(lanterns(), 2, 7);
    people.does(ANN, "run \"Draw many\"");
    people.replies(ANN, "3");
    people.does(BEN, "run \"How many?\"");
    assert_eq!(people.table.state().runs.len(), 2);
    assert!(
        people
            .table
            .view(ANN)
            .runs
            .iter()
            .any(|run| run.question.is_some())
    );
    let events = people.replies(BEN, "5");
    assert_eq!(
        people.read(&events, ANN),
        "Ben runs “How many?”\nBen changes Light from 3 to 8 (+5)\n5"
    );
    assert_eq!(people.counter(BEN, "Light"), 8);
    let events = people.replies(ANN, "2");
    assert!(
        people
            .read(&events, BEN)
            .ends_with("Ann draws 3 cards and keeps 2.")
    );
    assert_eq!(people.truth(ANN, "Hand").len(), 2);
    assert!(people.table.state().runs.is_empty());
    replays(&people);
}

/// One's own face-down card is read: without a word if one laid it knowing it, else as a look that all are
/// told of (S192, scenario 77).
#[test]
fn own_face_down_cards_are_read() {
    let text = "\
        def countUp(group, x=0, y=0):\n\
        \x20   for card in table:\n\
        \x20       if card.controller == me:\n\
        \x20           whisper(card.Type)\n";
    let mut people = with_script(text);
    people.does(ANN, "draw 1");
    let card = people.handle(ANN, "Candle");
    people.does(ANN, &format!("place Hand:{card} 0,0 down"));
    let events = people.does(ANN, "run \"Count up\"");
    assert_eq!(behind(&people, &events, ANN), "Lamp");
    assert_eq!(behind(&people, &events, BEN), "", "no look is told");

    let mut people = with_script(text);
    people.does(ANN, "movetop Deck 1 to table down");
    let events = people.does(ANN, "run \"Count up\"");
    assert_eq!(
        behind(&people, &events, ANN),
        "Lamp\nAnn's Count up looked at 1 card of the table"
    );
    assert_eq!(
        behind(&people, &events, BEN),
        "Ann's Count up looked at 1 card of the table"
    );
    // Another seat's is masked.
    let text = text.replace("controller == me", "controller != me");
    let mut people = with_script(&text);
    people.does(BEN, "movetop Deck 1 to table down");
    let events = people.does(ANN, "run \"Count up\"");
    assert_eq!(behind(&people, &events, BEN), "");
    replays(&people);
}

/// Who watches gets nothing of a question, of its preview or of what is answered before the step is made
/// (S211, scenario 83).
#[test]
fn watchers_see_no_question() {
    let mut people = people(lanterns(), 2, 7);
    let watched = |people: &People| {
        let mut view = people.table.view(Looker::Spectators);
        assert!(view.runs.iter().all(|run| run.question.is_none()));
        view.runs.clear();
        format!("{view:?}")
    };
    let before = watched(&people);
    let events = people.does(ANN, "run \"Draw many\"");
    assert_eq!(people.read(&events, Looker::Spectators), "Ann runs “Draw many” …");
    assert_eq!(watched(&people), before);
    let events = people.replies(ANN, "4");
    assert_eq!(people.read(&events, Looker::Spectators), "");
    assert_eq!(watched(&people), before);
    let (preview, _) = people.table.preview(ANN).expect("Ann is asked");
    assert_ne!(format!("{preview:?}"), before);
    let events = people.replies(ANN, "1");
    assert!(
        people
            .read(&events, Looker::Spectators)
            .ends_with("Ann draws 4 cards and keeps 1.")
    );
    assert_ne!(watched(&people), before);
}

/// Several cards that are dragged at once are one move that scripts may do in its place; if their function
/// fails, the cards are moved as they were dragged (S145).
#[test]
fn handlers_override_moves_of_several_cards() {
    let text = "\
        def moves(args):\n\
        \x20   if args.xs[0] == 7:\n\
        \x20       return 1 / 0\n\
        \x20   for card, x in zip(args.cards, args.xs):\n\
        \x20       card.moveToTable(x + 100, 50)\n\
        \x20   notify('{} cards'.format(len(args.cards)))\n";
    let kit = lanterns_hearing(&[("OverrideCardsMoved", "moves")], &[("scripts/more.py", text)]);
    for (x, places) in [(0, [(100, 50), (120, 50)]), (7, [(7, 0), (27, 0)])] {
        let mut people = people(kit.clone(), 2, 7);
        people.does(ANN, "create \"Owl\" kept");
        people.does(ANN, "create \"Owl\" kept");
        let cards: Vec<u32> = people
            .table
            .view(ANN)
            .table
            .iter()
            .map(|card| card.handle)
            .collect();
        let line = format!(
            "place table:{} {x},0; place table:{} {},0",
            cards[0],
            cards[1],
            x + 20
        );
        let verbs: Vec<cw_table::TableVerb> = line
            .split("; ")
            .map(|part| people.table.parse(ANN, part).expect("it is a verb"))
            .collect();
        let events = people
            .act(ANN, cw_table::TableVerb::Together { verbs: verbs.into() })
            .expect("it is possible");
        let read = people.read(&events, BEN);
        let mut lie: Vec<(i32, i32)> = people
            .table
            .view(BEN)
            .table
            .iter()
            .map(|card| (card.x, card.y))
            .collect();
        lie.sort_unstable();
        assert_eq!(lie, places, "{read}");
        assert_eq!(read.contains("2 cards"), x == 0, "{read}");
        replays(&people);
    }
}

/// How a run ends that another seat's part has taken to a limit or an error tells of what was read there:
/// that seat agrees before, whatever it comes to (S185).
#[test]
fn the_end_of_a_run_tells_nothing_before_consent() {
    let remote = "\
        def remote():\n\
        \x20   setGlobalVariable('round', me.hand[0].name)\n\
        \x20   while me.hand[0].name == 'NAME': pass\n";
    let rows = [
        ("update()", "Candle", "stopped: it ran for too long"),
        ("update()", "Owl", ""),
        (
            "update()\n    if getGlobalVariable('round') == 'Candle': notify(5)",
            "Owl",
            "failed: TypeError",
        ),
        (
            "update()\n    if getGlobalVariable('round') == 'Torch': notify(5)",
            "Owl",
            "",
        ),
    ];
    let mut before = Vec::new();
    for (caller, name, ends) in rows {
        let text = format!(
            "def countUp(group):\n    remoteCall(players[1], 'remote', [])\n    {caller}\n\n{}",
            remote.replace("NAME", name)
        );
        let mut people = with_script(&text);
        people.does(BEN, "draw 1");
        let events = people.does(ANN, "run \"Count up\"");
        before.push((people.read(&events, ANN), format!("{:?}", people.table.view(ANN))));
        assert_eq!(people.table.state().runs.len(), 1, "{ends}: Ben is asked");
        let mut denied = People {
            table: people.table.clone(),
            told: Vec::new(),
        };
        let events = denied.replies(BEN, "2");
        assert_eq!(
            denied.read(&events, ANN),
            "Ann runs “Count up”, which Ben does not allow. Nothing has changed."
        );
        let events = people.replies(BEN, "1");
        let read = people.read(&events, ANN);
        assert!(read.contains(ends), "{read}");
        assert_eq!(ends.is_empty(), read.contains("runs “Count up”"), "{read}");
        replays(&people);
    }
    assert!(before.windows(2).all(|pair| pair[0] == pair[1]), "{before:?}");
}

/// A package's scripts are compiled once, however many tables it has and however those are set (S201, S217).
#[test]
fn tables_share_compiled_scripts() {
    let kit = lanterns();
    let first = people(kit.clone(), 1, 7);
    let before = cw_script::compiled_files();
    let mut weights = Vec::new();
    for number in 0..200 {
        let mut settings = cw_table::TableSettings::for_people(&[&format!("Ann {number}"), "Ben"]);
        settings.solo = number % 2 == 0;
        let mut people = People::of(kit.clone(), settings, number);
        let events = people.does(ANN, "run \"Count up\"");
        assert!(people.read(&events, ANN).ends_with(&format!("Ann {number} 1 1")));
        weights.push(people.table.weight());
    }
    assert_eq!(cw_script::compiled_files(), before, "no table compiles anything");
    drop(first);
    let other = lanterns_with(&[("scripts/more.py", "x = 1\n")]);
    assert_eq!(
        cw_script::compiled_files(),
        before + 4,
        "another package has its own files"
    );
    drop(other);
}

/// A menu has a budget for all its entries together: those behind the one that used it up are shown as they
/// are, and each alone is asked as before (S201).
#[test]
fn a_menu_has_a_budget() {
    let entries: String = (0..60)
        .map(|at| {
            let asks = if at == 59 { "hidden" } else { "endless" };
            format!("<groupaction menu=\"Entry {at}\" execute=\"countUp\" showIf=\"{asks}\"/>")
        })
        .collect();
    let text = "\
        def endless(group, x=0, y=0):\n\
        \x20   while True: pass\n\n\
        def hidden(group, x=0, y=0):\n\
        \x20   return False\n";
    let kit = support::scripted::lanterns_entry(&entries, &[("scripts/more.py", text)]);
    let people = people(kit, 1, 7);
    let run = |at: usize| {
        people
            .table
            .parse(ANN, &format!("run \"Entry {at}\""))
            .expect("it is an entry")
    };
    let all = people.table.menu(ANN, (0..60).map(run).collect()).looks();
    assert_eq!(all.len(), 60);
    assert!(all.iter().all(|(is_shown, name)| *is_shown && name.is_none()));
    let few = people.table.menu(ANN, vec![run(0), run(59), run(1)]).looks();
    assert_eq!(
        few.iter().map(|(is_shown, _)| *is_shown).collect::<Vec<_>>(),
        [true, false, true]
    );
}

/// What a menu shows is found once for each seat and step: asked again, it costs nothing and says the same;
/// the next step, an undo, another seat, other cards and a copy of the table are asked for themselves (S201).
#[test]
fn menus_are_found_once_for_each_step() {
    let entries = "<groupaction menu=\"First\" execute=\"countUp\" showIf=\"few\" getName=\"called\"/>\
                   <groupaction menu=\"Second\" execute=\"countUp\" showIf=\"many\"/>";
    let text = "def few(group, x=0, y=0):\n    return len(me.hand) < 2\n\n\
                def many(group, x=0, y=0):\n    return len(me.hand) > 1\n\n\
                def called(group, x=0, y=0):\n    return '{} at {}'.format(len(me.hand), x)\n";
    let kit = support::scripted::lanterns_entry(entries, &[("scripts/more.py", text)]);
    let mut people = people(kit, 1, 7);
    let menu = |people: &People, seat| {
        let run = |line: &str| people.table.parse(seat, line).expect("it is an entry");
        people.table.menu(seat, vec![run("run First"), run("run Second")])
    };
    let named = |name: &str| vec![(true, Some(name.to_owned())), (false, None)];
    let asked = |people: &People| people.table.menu_questions();
    let late = menu(&people, ANN);
    assert_eq!(menu(&people, ANN).looks(), named("0 at 0"));
    assert_eq!(asked(&people), 2);
    for _ in 0..3 {
        assert_eq!(menu(&people, ANN).looks(), named("0 at 0"));
    }
    assert_eq!(asked(&people), 2, "it is known for the rest of the step");
    assert_eq!(menu(&people, BEN).looks(), named("0 at 0"));
    assert_eq!(asked(&people), 4, "each seat has its own");
    let elsewhere = people
        .table
        .parse(ANN, "run First at 3,4")
        .expect("it is an entry");
    let looks = people.table.menu(ANN, vec![elsewhere]).looks();
    assert_eq!(looks, [(true, Some("0 at 3.0".to_owned()))]);
    assert_eq!(asked(&people), 5, "each place has its own");

    people.does(ANN, "draw 1");
    assert_eq!(asked(&people), 0);
    assert_eq!(
        late.looks(),
        named("0 at 0"),
        "a menu is of the moment it was opened at"
    );
    assert_eq!(menu(&people, ANN).looks(), named("1 at 0"));
    assert_eq!(menu(&people, BEN).looks(), named("0 at 0"));
    assert_eq!(asked(&people), 4);
    let copy = people.table.clone();
    people.does(ANN, "draw 1");
    assert_eq!(
        menu(&people, ANN).looks(),
        [(false, Some("2 at 0".to_owned())), (true, None)]
    );
    people.table = copy;
    assert_eq!(menu(&people, ANN).looks(), named("1 at 0"));
    people.does(ANN, "counter Light -1");
    assert_eq!(menu(&people, ANN).looks(), named("1 at 0"));
    people.does(ANN, "undo");
    assert_eq!(asked(&people), 0);
    assert_eq!(menu(&people, ANN).looks(), named("1 at 0"));
}
