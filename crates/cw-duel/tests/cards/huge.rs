//! Rules larger than anything real: they are refused, or run like others, and never end the program.

use cw_duel::{Choice, Game, Phase, Seat};
use cw_stage::{AUTO, DuelScene, SceneCard, SceneCardKind, game, read_rule};

use SceneCardKind::{Action, Character};

const FILLER: SceneCard = SceneCard("Filler", Character(300, None, ""));

fn leaked(text: String) -> &'static str {
    Box::leak(text.into_boxed_str())
}

/// R910: a trigger of many events hears each of them.
#[test]
fn a_trigger_of_many_events_hears_the_last() {
    let events = "drawPhase, attacks, blocks, blocked, removed, powerless, \
                  backedUp, leavesRing, blockPhase, cleanupPhase, anyEndPhase";
    let rule = leaked(format!("auto = ~{events}~ hp(+100) to(me)"));
    let cards = [FILLER, SceneCard("Ear", Character(300, AUTO, rule))];
    let mut play = DuelScene::new(game(&cards), Phase::Main)
        .ring(Seat::One, &["Ear"])
        .start();
    play.pass();
    while play.duel.phase() != Phase::Main {
        play.pass();
    }
    // The End and the Cleanup phase of this turn.
    assert_eq!(play.hp(Seat::One), 3200);
}

/// D23: each of many groups of an auto hears its own event.
#[test]
fn each_of_many_groups_hears_its_event() {
    let mut groups = vec!["~attacks~ hp(+1) to(me)"; 199];
    groups.push("~myEndPhase~ hp(+100) to(me)");
    let rule = leaked(format!("auto = {}", groups.join("; ")));
    let cards = [FILLER, SceneCard("Choir", Character(300, AUTO, rule))];
    let mut play = DuelScene::new(game(&cards), Phase::Main)
        .ring(Seat::One, &["Choir"])
        .start();
    play.pass();
    while play.duel.turn() == 3 {
        play.pass();
    }
    assert_eq!(play.hp(Seat::One), 3100);
}

/// C9: of many actions each can be chosen.
#[test]
fn one_of_many_actions_can_be_chosen() {
    let actions: Vec<String> = (0..200)
        .map(|amount| format!("action = hp(+{amount}) to(me)"))
        .collect();
    let cards = [FILLER, SceneCard("Menu", Action(leaked(actions.join("\n"))))];
    let mut play = DuelScene::new(game(&cards), Phase::Main)
        .hand(Seat::One, &["Menu"])
        .start();
    play.choose(Choice::Play, "Menu");
    play.answer(Choice::Action(199));
    assert_eq!(play.hp(Seat::One), 3199);
}

/// RS043: a rule of more parts than can be counted is refused in a sentence, and what is left of it can be
/// made a program all the same.
#[test]
fn a_rule_beyond_the_limits_is_refused() {
    let plain = Game::default();
    let names = cw_stage::names(&plain);
    let events = ["drawPhase"; 300].join(", ");
    for (text, told) in [
        (format!("auto = ~{events}~ draw()"), "16 events of a trigger"),
        (
            format!("auto = {}", ["~attacks~ draw()"; 300].join("; ")),
            "200 groups of an auto",
        ),
        (["action = draw()"; 300].join("\n"), "200 actions"),
        (
            format!("action = {}", ["draw()"; 70_000].join("; ")),
            "60000 steps",
        ),
        (
            format!("action = {}", ["draw()"; 70_000].join(" & ")),
            "60000 steps",
        ),
        (
            format!("action = {}", ["[[if alone]] draw()"; 30_000].join("; ")),
            "60000 steps",
        ),
    ] {
        let (rule, errors) = read_rule(&text, &names);
        let message = format!("RS043 beyond the limits of card rules: more than {told}");
        assert!(errors.contains(&message), "{told}: {:?}", errors.first());
        let mut model = cw_stage::model(0, "Large", cw_program::CardType::Action, 0);
        model.set_rule(rule);
    }
}
