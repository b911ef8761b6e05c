//! Runs: seed and acts decide everything, and what cannot be done changes nothing.

#![allow(
    clippy::unwrap_used,
    reason = "helpers of tests: what is missing ends the test"
)]

use std::sync::Arc;

use cw_duel::Seat;
use cw_load::{Loaded, load};
use cw_octgn::{Folder, MemoryFiles, PackChance};
use cw_run::{
    FoughtDuel, MOST_RECORD, NoRun, NotThisRun, Run, RunAct, RunBook, RunHabit, RunPhase, RunRefused, RunSeed,
};

fn saltmarsh() -> Loaded {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../games/saltmarsh");
    load(Folder::new(folder)).unwrap()
}

fn book() -> Arc<RunBook> {
    Arc::new(RunBook::of(&saltmarsh()).unwrap())
}

fn run(book: &Arc<RunBook>, seed: u64) -> Run {
    Run::new(Arc::clone(book), RunSeed::Number(seed))
}

/// Goes on by the computer's habit; duels end as `won` says, by their number.
fn played(book: &Arc<RunBook>, seed: u64, won: &dyn Fn(usize) -> bool) -> Run {
    let (mut run, mut habit) = (run(book, seed), RunHabit::new(seed));
    while !run.is_over() {
        let act = habit.act(&run).unwrap_or(match won(run.fought().len()) {
            true => RunAct::Won,
            false => RunAct::Lost,
        });
        run.act(act).unwrap();
    }
    run
}

/// A package of six characters and two decks of them; `run` is its `Rules/run.toml`.
fn small(packs: &str, run: Option<&str>) -> Loaded {
    small_with("", packs, run)
}

/// As [`small`], with an attribute of its set.
fn small_with(attribute: &str, packs: &str, run: Option<&str>) -> Loaded {
    const GAME: &str = "6ac0a9aa-437c-4074-8135-5f1bef8a6dca";
    const SET: &str = "0a000000-0000-4000-8000-000000000001";
    let id = |n: u32| format!("0b000000-0000-4000-8000-{n:012}");
    let card = |n: u32| {
        format!(
            "<card id=\"{}\" name=\"c{n}\">\
                 <property name=\"Type\" value=\"Character\"/>\
                 <property name=\"Subtype\" value=\"Any\"/>\
                 <property name=\"BP\" value=\"{}00\"/>\
             </card>",
            id(n),
            n + 1
        )
    };
    let cards: String = (0..6).map(card).collect();
    let properties = [
        "Type", "Subtype", "BP", "SP", "Ability", "Rules", "Backup 1", "Backup 2", "Backup 3",
    ];
    let properties: String = properties
        .map(|name| format!("<property name=\"{name}\" type=\"String\"/>"))
        .concat();
    let definition = format!(
        "<game id=\"{GAME}\" name=\"Small\">\
             <card>{properties}</card>\
             <deck><section name=\"Main\"/></deck>\
         </game>"
    );
    let set = format!(
        "<set name=\"T\" id=\"{SET}\" gameId=\"{GAME}\" {attribute}>\
             <packaging>{packs}</packaging>\
             <cards>{cards}</cards>\
         </set>"
    );
    let deck = |first: u32| {
        let lines: String = (first..first + 3)
            .map(|n| format!("<card qty=\"7\" id=\"{}\">c{n}</card>", id(n)))
            .collect();
        format!("<deck game=\"{GAME}\"><section name=\"Main\" shared=\"False\">{lines}</section></deck>")
    };
    let files = MemoryFiles::new()
        .with("definition.xml", definition)
        .with(format!("Sets/{SET}/set.xml"), set)
        .with("Decks/Low.o8d", deck(0))
        .with("Decks/High.o8d", deck(3));
    load(match run {
        Some(text) => files.with("Rules/run.toml", text),
        None => files,
    })
    .unwrap()
}

/// The same seed and the same acts give the same run: packs, way, rewards, duels.
#[test]
fn seed_and_acts_decide_everything() {
    let book = book();
    for seed in 0..40 {
        let one = played(&book, seed, &|at| at % 3 != 2);
        let read = Run::read(Arc::clone(&book), &one.record()).unwrap();
        assert_eq!(
            (one.deck(), one.way(), one.phase()),
            (read.deck(), read.way(), read.phase())
        );
        assert_eq!(
            (one.charms(), one.fought(), one.lives()),
            (read.charms(), read.fought(), read.lives())
        );
        assert_eq!(one.record(), read.record());
        assert_eq!(one.result_line(), read.result_line());
    }
    assert_ne!(run(&book, 1).way(), run(&book, 2).way());
    let day = |text: &str| Run::new(Arc::clone(&book), text.parse().unwrap());
    assert_eq!(day("2026-11-27").phase(), day("2026-11-27").phase());
    assert_ne!(day("2026-11-27").phase(), day("2026-11-28").phase());
}

/// Any record of any acts, sensible or not, leads to the state that it was written in, and is short; what is
/// refused changes nothing.
#[test]
fn what_is_refused_changes_nothing() {
    let book = book();
    for seed in 0..60 {
        let (mut run, mut chance) = (run(&book, seed), PackChance::new(seed));
        for _ in 0..200 {
            let place = chance.below(40) as usize;
            let act = match chance.below(12) {
                0 | 1 => RunAct::Pick(place),
                2 => RunAct::Pick(0),
                3 => RunAct::Fight(place % 3),
                4 | 5 => RunAct::Won,
                6 => RunAct::Lost,
                7 => RunAct::TakeCard,
                8 => RunAct::TakeCharm,
                9 | 10 => RunAct::Remove(place),
                _ if place == 0 => RunAct::GiveUp,
                _ => RunAct::Fight(0),
            };
            let before = run.clone();
            if run.act(act).is_err() {
                assert_eq!(before.record(), run.record());
                assert_eq!((before.deck(), before.phase()), (run.deck(), run.phase()));
            }
            let read = Run::read(Arc::clone(&book), &run.record()).unwrap();
            assert_eq!(
                (read.deck(), read.phase(), read.lives()),
                (run.deck(), run.phase(), run.lives())
            );
            assert!(run.record().len() <= MOST_RECORD);
        }
    }
}

/// A run has fifteen cards out of three packs beside its starter, seven steps, and three lives.
#[test]
fn a_run_goes_its_way() {
    let book = book();
    let mut one = run(&book, 5);
    let starter = book.starter.len();
    assert_eq!((one.deck().len(), one.lives(), one.way().len()), (starter, 3, 7));
    for pick in 0..15 {
        let RunPhase::Draft { pack, left, .. } = one.phase() else {
            panic!("pick {pick} is waited for");
        };
        assert_eq!((*pack, *left), (pick / 5, 5 - pick % 5));
        one.act(RunAct::Pick(0)).unwrap();
    }
    assert_eq!((one.phase(), one.deck().len()), (&RunPhase::Way, starter + 15));
    assert_eq!(one.act(RunAct::Won), Err(RunRefused::NotNow));
    assert_eq!(one.act(RunAct::Fight(2)), Err(RunRefused::NoPlace));
    one.act(RunAct::Fight(1)).unwrap();
    one.act(RunAct::Lost).unwrap();
    assert_eq!((one.phase(), one.lives(), one.step()), (&RunPhase::Way, 2, 0));
    one.act(RunAct::Fight(0)).unwrap();
    let foe = one.foe_now().unwrap();
    one.act(RunAct::Won).unwrap();
    assert_eq!(
        one.fought()[1],
        FoughtDuel {
            step: 0,
            foe,
            won: true
        }
    );
    let RunPhase::Reward { card, charm } = one.phase().clone() else {
        panic!("a reward is chosen");
    };
    one.act(RunAct::TakeCharm).unwrap();
    assert_eq!(one.charms(), [charm.unwrap()]);
    assert!(card.is_some() && one.step() == 1);
}

/// With the last life the run is over, and with the last step.
#[test]
fn a_run_ends() {
    let book = book();
    let lost = played(&book, 3, &|_| false);
    assert_eq!((lost.phase(), lost.lives()), (&RunPhase::Over { won: false }, 0));
    assert_eq!(lost.fought().len(), 3);
    let mut won = played(&book, 3, &|_| true);
    assert_eq!(
        (won.phase(), won.step(), won.lives()),
        (&RunPhase::Over { won: true }, 7, 3)
    );
    assert_eq!(won.act(RunAct::GiveUp), Err(RunRefused::Over));
    // Six rewards: none after the last duel.
    assert_eq!(won.charms().len(), 6);
}

/// The rewards: a card more, a card less, a charm; a deck of twenty cards loses none.
#[test]
fn rewards_are_a_card_a_card_less_and_a_charm() {
    let book = book();
    let at_reward = |seed: u64| {
        let (mut run, mut habit) = (run(&book, seed), RunHabit::new(seed));
        while !matches!(run.phase(), RunPhase::Reward { .. }) {
            run.act(habit.act(&run).unwrap_or(RunAct::Won)).unwrap();
        }
        run
    };
    let mut one = at_reward(9);
    let (many, cards) = (one.deck().len(), one.cards());
    assert_eq!(one.act(RunAct::Remove(cards.len())), Err(RunRefused::NoPlace));
    one.act(RunAct::Remove(2)).unwrap();
    let (model, copies) = cards[2];
    let left = one.deck().iter().filter(|card| **card == model).count();
    assert_eq!((one.deck().len(), left), (many - 1, copies - 1));
    let mut one = at_reward(9);
    let RunPhase::Reward { card: Some(card), .. } = *one.phase() else {
        panic!("a card is offered");
    };
    one.act(RunAct::TakeCard).unwrap();
    assert_eq!((one.deck().len(), one.deck().last()), (many + 1, Some(&card)));
}

/// Charms, the place and the rule of a boss hold in the duel, and nowhere else.
#[test]
fn a_duel_has_the_charms_and_the_rule_of_its_boss() {
    let book = book();
    let one = played(&book, 1, &|_| true);
    let mut again = run(&book, 1);
    for act in one.acts() {
        if let Some(duel) = again.duel() {
            let foe = &book.foes[duel.foe];
            let step = &book.steps[again.step()];
            let lines = again
                .charms()
                .iter()
                .map(|charm| book.charms[*charm].twist.lines.len());
            let lines = step.twist.lines.len() + foe.twist.lines.len() + lines.sum::<usize>();
            assert_eq!(duel.twist.lines.len(), lines);
            assert_eq!(duel.decks[Seat::One], again.deck());
            assert_eq!(duel.decks[Seat::Two], foe.deck);
            assert_eq!(duel.seed, again.duel().unwrap().seed);
            assert_eq!(foe.is_boss(), [2, 4, 6].contains(&again.step()));
            assert!(duel.game.fingerprint.starts_with(&book.game.fingerprint));
        }
        again.act(*act).unwrap();
    }
    // Another attempt has other shuffles.
    let mut lost = run(&book, 1);
    let mut habit = RunHabit::new(1);
    while lost.duel().is_none() {
        lost.act(habit.act(&lost).unwrap()).unwrap();
    }
    let first = lost.duel().unwrap().seed;
    lost.act(RunAct::Lost).unwrap();
    lost.act(RunAct::Fight(0)).unwrap();
    assert_ne!(first, lost.duel().unwrap().seed);
}

/// The line to share says how far a run has come and names nobody.
#[test]
fn the_result_line_spoils_nothing() {
    let book = book();
    let one = played(&book, 1, &|at| at != 2);
    let line = one.result_line();
    assert_eq!(
        line,
        "Saltmarsh, The Long Way to Thursday #1: ●●○◆●◆●◆ 7 of 7, 2 lives left"
    );
    for foe in &book.foes {
        assert!(!line.contains(&foe.name), "{line}");
    }
}

/// Texts that are no runs are refused in words.
#[test]
fn what_is_no_record_is_refused() {
    let book = book();
    let read = |text: &str| Run::read(Arc::clone(&book), text).map(|run| run.record());
    assert_eq!(read("7"), Ok("7.".to_owned()));
    assert_eq!(read("7.p0"), Ok("7.p0".to_owned()));
    for (text, why) in [
        (
            "",
            "a run has a day as its seed, as 2026-11-27, or a whole number",
        ),
        ("7.q", "“q” is nothing that can be done in a run"),
        ("7.p00", "“p00” is nothing that can be done in a run"),
        ("7.w1", "“w1” is nothing that can be done in a run"),
        (
            "7.p99",
            "step 1 of the run cannot be done: there is no such choice",
        ),
        (
            "7.p0w",
            "step 2 of the run cannot be done: that cannot be done at this point of the run",
        ),
    ] {
        assert_eq!(read(text).unwrap_err().to_string(), why, "{text}");
    }
    assert_eq!(read(&"1".repeat(MOST_RECORD + 1)), Err(NotThisRun::TooLong));
}

/// A package that says nothing of a run has one all the same: with its packs or without any.
#[test]
fn any_game_with_a_set_and_two_decks_has_a_run() {
    let pack = "\
        <pack id=\"0a000000-0000-4000-8000-000000000006\" name=\"p\">\
            <pick qty=\"4\" key=\"Type\" value=\"Character\"/>\
        </pack>";
    for (packs, picks) in [("", 15), (pack, 12)] {
        let loaded = small(packs, None);
        let book = Arc::new(RunBook::of(&loaded).unwrap());
        assert_eq!((book.starter.len(), book.steps.len(), book.lives), (15, 7, 3));
        for seed in 0..20 {
            let one = played(&book, seed, &|at| at % 4 != 3);
            // A pack of four gives four.
            assert_eq!(taken(&one), picks);
            assert_eq!(one.phase(), &RunPhase::Over { won: true });
            for (at, two) in one.way().iter().enumerate() {
                let boss = two.map(|foe| book.foes[foe].is_boss());
                assert_eq!(boss, [[2, 4, 6].contains(&at); 2]);
            }
        }
    }
}

/// What a package says of its run holds, and the rest is as for any other.
#[test]
fn a_package_says_what_its_run_is() {
    let loaded = small(
        "",
        Some(
            "[run]\n\
             name = \"Two doors\"\n\
             lives = 1\n\
             picks = 2\n\
             [starter]\n\
             c5 = 3\n\
             [[steps]]\n\
             place = \"A\"\n\
             [[steps]]\n\
             place = \"B\"\n",
        ),
    );
    let book = Arc::new(RunBook::of(&loaded).unwrap());
    assert_eq!(
        (book.name.as_str(), book.lives, book.starter.len()),
        ("Two doors", 1, 3)
    );
    assert_eq!(book.steps.len(), 2);
    let one = played(&book, 4, &|_| true);
    assert_eq!(
        (one.deck().len(), one.phase()),
        (5, &RunPhase::Over { won: true })
    );
}

const EMPTY: &str = "\
    <pack id=\"0a000000-0000-4000-8000-000000000007\" name=\"Empty\">\
        <pick qty=\"4\" key=\"Type\" value=\"Nothing\"/>\
    </pack>";

/// How many cards the draft of a run took.
fn taken(run: &Run) -> usize {
    let acts = run.acts().iter();
    acts.filter(|act| matches!(act, RunAct::Pick(_))).count()
}

/// Where no reward can be taken, the way goes on.
#[test]
fn a_run_without_rewards_goes_on() {
    let steps = "[[steps]]\nplace = \"A\"\n".repeat(3);
    let text = format!("[run]\npacks = [\"Empty\"]\n[starter]\nc5 = 3\n{steps}");
    let book = Arc::new(RunBook::of(&small(EMPTY, Some(&text))).unwrap());
    let one = played(&book, 1, &|_| true);
    assert_eq!(one.phase(), &RunPhase::Over { won: true });
}

/// What a short pack cannot give, the later ones do.
#[test]
fn picks_of_a_short_pack_are_not_lost() {
    let of = |id: u32, name: &str, cards: u32| {
        format!(
            "<pack id=\"0a000000-0000-4000-8000-00000000000{id}\" name=\"{name}\">\
                 <pick qty=\"{cards}\" key=\"Type\" value=\"Character\"/>\
             </pack>"
        )
    };
    let packs = format!("{EMPTY}{}{}", of(8, "Two", 2), of(9, "Six", 6));
    for (named, many) in [
        ("\"Two\", \"Six\"", 5),
        ("\"Empty\", \"Six\"", 5),
        ("\"Six\", \"Two\"", 5),
        ("\"Two\", \"Two\"", 4),
    ] {
        let text = format!("[run]\npicks = 5\npacks = [{named}]\n[[steps]]\nplace = \"A\"\n");
        let book = Arc::new(RunBook::of(&small(&packs, Some(&text))).unwrap());
        assert_eq!(taken(&played(&book, 1, &|_| true)), many, "{named}");
    }
}

/// P80, P110: a pack of a hidden set is opened where it is named.
#[test]
fn a_named_pack_of_a_hidden_set_is_opened() {
    let pack = "\
        <pack id=\"0a000000-0000-4000-8000-000000000006\" name=\"Secret\">\
            <pick qty=\"4\" key=\"Type\" value=\"Character\"/>\
        </pack>";
    let text = "[run]\npicks = 2\npacks = [\"Secret\"]\n[[steps]]\nplace = \"A\"\n";
    let loaded = small_with("hidden=\"True\"", pack, Some(text));
    let run = run(&Arc::new(RunBook::of(&loaded).unwrap()), 1);
    let RunPhase::Draft { cards, .. } = run.phase() else {
        panic!("{:?}", run.phase());
    };
    assert_eq!(cards.len(), 4);
}

/// A package without a game, decks or a right file says why it has no run.
#[test]
fn who_has_no_run_is_told_why() {
    let no_game = load(MemoryFiles::new()).unwrap();
    assert_eq!(RunBook::of(&no_game).unwrap_err(), NoRun::NoGame);
    let wrong = small("", Some("[run]\nlives = 99\n"));
    assert_eq!(RunBook::of(&wrong).unwrap_err(), NoRun::Mistakes);
    assert_eq!(
        wrong.project.run_mistakes()[0].message,
        "`lives` is 99, it must be from 1 to 9"
    );
}
