//! The riskiest joint: where a card's text meets the running game.

use cw_duel::{Choice, DuelEvent, Phase, Question, Seat};
use cw_stage::{AUTO, DuelScene, INSTANT, SceneCard, SceneCardKind, TRIGGERED, game};

use SceneCardKind::{Action, Character, Reaction};

const FILLER: SceneCard = SceneCard("Filler", Character(300, None, ""));

/// R1015, R1047, D42, G151, G150, C18: an expression that asks inside a condition inside a triggered
/// run inside combat; forked at that question, both branches finish.
#[test]
fn a_coin_in_the_middle_of_combat_can_be_forked() {
    let cards = [
        FILLER,
        SceneCard(
            "Gambler",
            Character(
                500,
                AUTO,
                "auto = ~blocked~ [[if flipCoin()]] bp(-300) to(blocker)",
            ),
        ),
        SceneCard("Wall", Character(400, None, "")),
    ];
    let mut play = DuelScene::new(game(&cards), Phase::Attack)
        .ring(Seat::One, &["Gambler"])
        .ring(Seat::Two, &["Wall"])
        .start();
    play.choose(Choice::Attack, "Gambler")
        .pass()
        .choose(Choice::Block, "Wall")
        .pass();
    assert_eq!(play.question(), Question::Coin);
    assert_eq!(play.duel.phase(), Phase::End);
    let mut lost = play.clone();
    // The scripted coin comes up heads.
    play.answer(Choice::Heads);
    lost.answer(Choice::Tails);
    // G151.4: the blocker's BP is read after the event.
    assert_eq!(play.bp("Gambler"), Some(500 - 100));
    assert_eq!(lost.bp("Gambler"), Some(500 - 400));
    assert_eq!((play.bp("Wall"), lost.bp("Wall")), (None, None));
    assert_ne!(play.duel.hash(), lost.duel.hash());
}

/// R507, R912, R916, G144, G147: a hook that refuses.
#[test]
fn a_hook_refuses_a_block() {
    let cards = [
        FILLER,
        SceneCard(
            "Duchess",
            Character(300, AUTO, "auto = ?oppCanBlock:this? [[if blocker.bp >= 600]]"),
        ),
        SceneCard("Page", Character(500, None, "")),
        SceneCard("Knight", Character(600, None, "")),
    ];
    let mut play = DuelScene::new(game(&cards), Phase::Attack)
        .ring(Seat::One, &["Duchess"])
        .ring(Seat::Two, &["Page", "Knight"])
        .start();
    play.choose(Choice::Attack, "Duchess").pass();
    let blockers: Vec<String> = play
        .duel
        .pending()
        .expect("the defender decides")
        .options
        .iter()
        .filter_map(|choice| match choice {
            Choice::Block(card) => Some(play.name(*card).to_owned()),
            _ => None,
        })
        .collect();
    assert_eq!(blockers, ["Knight"]);
}

/// G160, G190, GQ8, R908: an event raised by an effect of an event. The action is in the discards by
/// then; its `:once` still runs, exactly once (T21).
#[test]
fn an_effect_of_an_event_raises_an_event() {
    let cards = [
        FILLER,
        SceneCard("Fuse", Action("auto = ~endPhase:once~ damage(200) to(opp)")),
        SceneCard(
            "Amplifier",
            Character(300, AUTO, "auto = ~anyBeforeDamage~ modDamage(+100)"),
        ),
    ];
    let mut play = DuelScene::new(game(&cards), Phase::Main)
        .ring(Seat::One, &["Amplifier"])
        .hand(Seat::One, &["Fuse"])
        .start();
    play.choose(Choice::Play, "Fuse");
    assert_eq!(play.hp(Seat::Two), 3000);
    play.pass(); // Main
    play.pass(); // Attack
    assert_eq!(play.hp(Seat::Two), 2700);
    let triggered = play.count(|event| matches!(event, DuelEvent::Triggered { .. }));
    assert_eq!(triggered, 2, "the fuse, and the amplifier in its middle");
    // The other player's turn, and ours again: nothing more.
    for _ in 0..4 {
        if play.duel.turn() < 5 {
            play.pass();
        }
    }
    assert_eq!(play.hp(Seat::Two), 2700);
}

/// G119, D19, D21, T13: a card copies another's ability while its own trigger waits in the queue: what
/// it hears then is what it has become.
#[test]
fn a_pending_trigger_sees_the_copied_ability() {
    let cards = [
        FILLER,
        SceneCard(
            "Mimic",
            Character(300, AUTO, "auto = ~myHandChanges~ hp(+1) to(me)"),
        ),
        SceneCard(
            "Banker",
            Character(300, AUTO, "auto = ~myHandChanges~ hp(+100) to(me)"),
        ),
        SceneCard(
            "Study",
            Action(
                "target = \"Mimic\"; \"Banker\"\nvars = _banker := tgt.1\n\
                 action = draw() & copyAbility(_banker) to(tgt.0)",
            ),
        ),
    ];
    let mut play = DuelScene::new(game(&cards), Phase::Main)
        .ring(Seat::One, &["Mimic", "Banker"])
        .hand(Seat::One, &["Study"])
        .start();
    play.choose(Choice::Play, "Study");
    // Two hand changes (played, drawn) are heard by both after the unit, and by the mimic once at
    // once, because it was copied (R510): 5 × 100.
    assert_eq!(play.hp(Seat::One), 3500);
}

/// D13: a loop ends; what was done stays, and the log names the card.
#[test]
fn the_guard_ends_a_loop() {
    let cards = [
        FILLER,
        SceneCard(
            "Hamster",
            Character(
                300,
                AUTO,
                "auto = ~anyHandChanges~ draw(); moveTo(deck) from(*<1>@hand)",
            ),
        ),
        SceneCard("Snack", Action("action = draw()")),
    ];
    let mut play = DuelScene::new(game(&cards), Phase::Main)
        .ring(Seat::One, &["Hamster"])
        .hand(Seat::One, &["Snack", "Filler"])
        .start();
    play.choose(Choice::Play, "Snack");
    let guarded: Vec<_> = play
        .events
        .iter()
        .filter_map(|event| match event {
            DuelEvent::Guarded { source, place } => {
                Some((source.map(|card| play.name(card.card).to_owned()), *place))
            }
            _ => None,
        })
        .collect();
    assert!(!guarded.is_empty(), "the guard trips");
    assert!(
        guarded
            .iter()
            .all(|(name, place)| name.as_deref() == Some("Hamster") && place.is_some()),
        "{guarded:?}"
    );
    // The duel goes on.
    assert_eq!(play.question(), Question::Main);
    play.pass();
}

/// D13: so does a card that activates itself, and one whose ability is copied in a circle.
#[test]
fn deep_nesting_ends() {
    let cards = [
        FILLER,
        SceneCard("Mirror", Action("action = hp(+1) to(me) & activate(this)")),
        SceneCard(
            "Echo",
            Character(300, AUTO, "auto = ~powerless:any~ loseAbility() to(characters)"),
        ),
        SceneCard("Whisper", Action("action = loseAbility() to(character[abAuto])")),
    ];
    let mut play = DuelScene::new(game(&cards), Phase::Main)
        .ring(Seat::One, &["Echo", "Echo"])
        .hand(Seat::One, &["Mirror", "Whisper"])
        .start();
    play.choose(Choice::Play, "Mirror");
    assert_eq!(play.count(|event| matches!(event, DuelEvent::Guarded { .. })), 1);
    assert!(play.hp(Seat::One) > 3000, "what was done stays");
    play.choose(Choice::Play, "Whisper");
    play.choose(Choice::Card, "Echo");
    assert_eq!(play.question(), Question::Main);
}

/// G78, GQ2, GQ23, D3, R305: a mandatory choice after payment cannot be declined; before, declining
/// changes nothing.
#[test]
fn declining_ends_with_commitment() {
    let cards = [
        FILLER,
        SceneCard(
            "Bellows",
            Character(
                300,
                TRIGGERED,
                "target = character@oppRing\naction = {F}: damage(100)",
            ),
        ),
        SceneCard("Spark", Action("action = damage(100) to(character@oppRing)")),
        SceneCard("Rook", Character(500, None, "")),
        SceneCard("Knave", Character(600, None, "")),
    ];
    let mut play = DuelScene::new(game(&cards), Phase::Main)
        .ring(Seat::One, &["Bellows"])
        .ring(Seat::Two, &["Rook", "Knave"])
        .hand(Seat::One, &["Spark"])
        .start();
    let before = play.duel.snapshot();
    play.choose(Choice::Activate, "Bellows");
    assert!(play.offers(Choice::Decline));
    play.answer(Choice::Decline);
    assert_eq!(
        before.players,
        play.duel.snapshot().players,
        "nothing has changed"
    );
    play.choose(Choice::Activate, "Bellows")
        .choose(Choice::Card, "Rook");
    assert_eq!(play.bp("Rook"), Some(400));
    assert!(
        play.duel.snapshot().players[Seat::One]
            .ring
            .iter()
            .flatten()
            .any(|one| one.frozen)
    );
    play.choose(Choice::Play, "Spark");
    assert!(!play.offers(Choice::Decline), "the card was played");
    play.choose(Choice::Card, "Knave");
    assert_eq!(play.bp("Knave"), Some(500));
}

/// R504, G107, T16: `{F}` and a false first `if`: frozen, no effect.
#[test]
fn a_false_first_condition_keeps_the_cost() {
    let cards = [
        FILLER,
        SceneCard(
            "Oracle",
            Character(
                300,
                TRIGGERED,
                "action = {F}: [[if me.sp > 100]] draw(); hp(+100) to(me)",
            ),
        ),
    ];
    let mut play = DuelScene::new(game(&cards), Phase::Main)
        .ring(Seat::One, &["Oracle"])
        .start();
    play.choose(Choice::Activate, "Oracle");
    assert_eq!((play.hand(Seat::One), play.hp(Seat::One)), (0, 3000));
    assert!(
        play.duel.snapshot().players[Seat::One]
            .ring
            .iter()
            .flatten()
            .all(|one| one.frozen)
    );
}

/// D4, G106, T16: `{D}{F}` with an empty hand is unpayable: nothing is frozen, it is not offered.
#[test]
fn costs_are_checked_together() {
    let cards = [
        FILLER,
        SceneCard("Barter", Character(300, TRIGGERED, "action = {D}{F}: draw(2)")),
    ];
    let play = DuelScene::new(game(&cards), Phase::Main)
        .ring(Seat::One, &["Barter"])
        .start();
    let activates = play
        .duel
        .pending()
        .expect("goes on")
        .options
        .iter()
        .any(|choice| matches!(choice, Choice::Activate(_)));
    assert!(!activates);
}

/// R312, G92, G97, G100, GQ5, D3: an instant acts on entering; one that committed nothing may be
/// tried once more by hand.
#[test]
fn an_instant_may_be_tried_once_more() {
    let cards = [
        FILLER,
        SceneCard(
            "Herald",
            Character(300, INSTANT, "target = character@oppRing\naction = damage(100)"),
        ),
        SceneCard("Rook", Character(500, None, "")),
        SceneCard("Knave", Character(600, None, "")),
    ];
    let mut play = DuelScene::new(game(&cards), Phase::Main)
        .ring(Seat::Two, &["Rook", "Knave"])
        .hand(Seat::One, &["Herald"])
        .start();
    play.choose(Choice::Play, "Herald").answer(Choice::Slot(0));
    play.answer(Choice::Decline);
    play.choose(Choice::Activate, "Herald")
        .choose(Choice::Card, "Knave");
    assert_eq!(play.bp("Knave"), Some(500));
    let again = play
        .duel
        .pending()
        .expect("goes on")
        .options
        .iter()
        .any(|choice| matches!(choice, Choice::Activate(_)));
    assert!(!again, "never twice");
}

/// G205, G271, T17, R621: discarding from the enemy's hand shows it all, and the rest stays known.
#[test]
fn a_seen_hand_stays_known() {
    let cards = [
        FILLER,
        SceneCard("Audit", Action("action = discard(character) to(opp)")),
        SceneCard("Rook", Character(500, None, "")),
        SceneCard("Knave", Character(600, None, "")),
        SceneCard("Plea", Reaction("action = draw()")),
    ];
    let mut play = DuelScene::new(game(&cards), Phase::Main)
        .hand(Seat::One, &["Audit"])
        .hand(Seat::Two, &["Rook", "Plea", "Knave"])
        .start();
    let unknown = |play: &cw_stage::Play| {
        play.duel.view(Seat::One).players[Seat::Two]
            .hand
            .iter()
            .filter(|card| card.model.is_none())
            .count()
    };
    assert_eq!(unknown(&play), 3);
    play.choose(Choice::Play, "Audit");
    assert_eq!(unknown(&play), 0, "the whole hand is shown");
    assert_eq!(
        play.duel.pending().expect("goes on").options.len(),
        2,
        "only characters may be chosen"
    );
    play.choose(Choice::Card, "Knave");
    assert_eq!((unknown(&play), play.hand(Seat::Two)), (0, 2));
}

/// D24, R1505: a continuous auto is gained and lost as its condition changes, in any turn.
#[test]
fn a_continuous_auto_follows_its_condition() {
    let cards = [
        FILLER,
        SceneCard("Loner", Character(300, AUTO, "auto = [[if alone]] +unblockable")),
        SceneCard("Rook", Character(500, None, "")),
    ];
    let keywords = |play: &cw_stage::Play| {
        let view = play.duel.view(Seat::One);
        view.players[Seat::One]
            .ring
            .iter()
            .flatten()
            .filter(|one| !one.keywords.is_empty())
            .count()
    };
    let mut play = DuelScene::new(game(&cards), Phase::Main)
        .ring(Seat::One, &["Loner"])
        .hand(Seat::One, &["Rook"])
        .start();
    assert_eq!(keywords(&play), 1);
    play.choose(Choice::Play, "Rook").answer(Choice::Slot(2));
    assert_eq!(keywords(&play), 0);
}

/// G243, G247, G248, D6, T24: a transformed card is its original again in the discards, whatever
/// transformed it, and stays transformed in the hand.
#[test]
fn a_transformed_card_is_itself_again_in_the_discards() {
    let cards = [
        FILLER,
        SceneCard(
            "Dough",
            Character(
                300,
                AUTO,
                "auto = ~myEndPhase~ transform(\"00000000-0000-0000-0000-000000000002\") to(this)",
            ),
        ),
        SceneCard("Loaf", Character(700, None, "")),
        SceneCard("Knife", Action("action = destroy() to(character@myRing)")),
        SceneCard("Basket", Action("action = moveTo(ctrlHand) to(character@myRing)")),
    ];
    for (tool, in_hand) in [("Knife", false), ("Basket", true)] {
        let mut scene = DuelScene::new(game(&cards), Phase::End)
            .ring(Seat::One, &["Dough"])
            .hand(Seat::One, &["Knife", "Basket"]);
        scene.position.players[Seat::One].extra_turns = 1;
        let mut play = scene.start();
        assert_eq!(play.bp("Loaf"), Some(700));
        play.choose(Choice::Play, tool);
        let view = play.duel.view(Seat::One);
        let me = &view.players[Seat::One];
        let names = |cards: &[cw_duel::CardView]| -> Vec<String> {
            cards.iter().map(|card| play.name(card.card).to_owned()).collect()
        };
        let (loaf, dough) = ("Loaf".to_owned(), "Dough".to_owned());
        assert_eq!(names(&me.hand).contains(&loaf), in_hand);
        assert_eq!(names(&me.discards).contains(&dough), !in_hand);
    }
}
