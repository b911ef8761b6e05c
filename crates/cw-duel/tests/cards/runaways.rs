//! What runs too long ends, what it did stays, and the log names card and statement (D13, D14).

use cw_duel::DuelEvent;
use cw_words::EventReader;

use cw_stage::Play;
use cw_stage::{check, go, holds, offered, start};

/// What the log says of every runaway that was ended.
fn guarded(play: &Play) -> Vec<String> {
    let reader = EventReader {
        duel: &play.duel,
        seat: None,
    };
    let events = play.events.iter();
    events
        .filter(|event| matches!(event, DuelEvent::Guarded { .. }))
        .filter_map(|event| cw_words::event(reader, event))
        .collect()
}

#[track_caller]
fn is_told(play: &Play, line: &str) {
    let found = guarded(play);
    assert_eq!(found, [line]);
}

/// D13: a trigger that causes itself.
#[test]
fn a_trigger_loop_ends() {
    let cards = "
        Hamster auto: auto = ~anyHandChanges~ hp(+1) to(me); draw(); moveTo(deck) from(*<1>@hand)
        Snack action: action = draw()
    ";
    let mut play = check(
        cards,
        "me Hamster; me.hand Snack filler",
        "play Snack",
        "asks Main; decides me",
    );
    let hp = play.hp(cw_duel::Seat::One);
    assert!(hp > 3100, "what was done stays: {hp}");
    is_told(
        &play,
        "The loop guard ends what Hamster began, at “move” of Hamster.",
    );
    go(&mut play, "pass, pass");
    holds(&play, "turn 4");
}

/// D13: two triggers that cause each other, of both players.
#[test]
fn a_loop_of_two_ends() {
    let cards = "
        Ping auto: auto = ~anyHandChanges~ moveTo(oppHand) from(*<1>@hand)
        Pong auto: auto = ~oppHandChanges~ moveTo(oppHand) from(*<1>@hand)
        Snack action: action = draw()
    ";
    let play = check(
        cards,
        "me Ping; opp Pong; me.hand Snack filler filler; opp.hand Rook",
        "play Snack",
        "asks Main; phase Main",
    );
    assert_eq!(guarded(&play).len(), 1, "{:?}", guarded(&play));
}

/// D13, D30: `each` runs over the list as it was: it ends by itself though the list grows; a loop of
/// loops beyond the limit is ended.
#[test]
fn a_growing_list_ends() {
    let cards = "
        Grow action: action = each(card in me.hand => draw(2)) to(me)
        Nest action: action = each(card in me.deck => each(card in me.deck => hp(+1))) to(me)
        Deep action: action = \
            each(card in me.hand => each(card in me.hand => each(card in me.hand => hp(+1)))) to(me)
    ";
    let play = check(cards, "me.hand Grow Rook Knave Foe", "play Grow", "me.decksize 4");
    assert_eq!(guarded(&play), Vec::<String>::new());
    let deck = ["filler"; 80].join(" ");
    let play = check(
        cards,
        &format!("me.hand Nest; me.deck {deck}"),
        "play Nest",
        "asks Main; me.discards Nest",
    );
    is_told(
        &play,
        "The loop guard ends what Nest began, at “change HP” of Nest.",
    );
    let hp = play.hp(cw_duel::Seat::One) - 3000;
    assert!((4_000..6_400).contains(&hp), "what was done stays: {hp}");
    // Deeper nesting than a frame has room for ends as full tables do.
    let play = check(
        cards,
        "me.hand Deep Rook",
        "play Deep",
        "me.hp 3000; me.discards Deep",
    );
    is_told(
        &play,
        "The loop guard ends what Deep began, at “change HP” of Deep.",
    );
}

/// D13: a list that grows in a trigger of its own growing.
#[test]
fn a_list_that_grows_by_its_own_loop_ends() {
    let cards = "
        Echo auto: auto = ~anyHandChanges~ each(card in me.hand => sp(+1)) to(me); draw(2); \
            moveTo(deck) from(*<1>@hand)
        Snack action: action = draw(2)
    ";
    let play = check(cards, "me Echo; me.hand Snack Rook", "play Snack", "asks Main");
    assert_eq!(guarded(&play).len(), 1, "{:?}", guarded(&play));
    assert!(guarded(&play)[0].contains("Echo"), "{:?}", guarded(&play));
}

/// D13, R510: two characters that copy their ability onto each other, without end.
#[test]
fn mutual_copies_end() {
    let cards = "
        Mirror auto: auto = ~myHandChanges~ hp(+1) to(me); copyAbility(this) to(^characters@myRing)
        Snack action: action = draw()
    ";
    let mut play = check(
        cards,
        "me Mirror Rook; me.hand Snack",
        "play Snack",
        "asks Main; decides me",
    );
    is_told(
        &play,
        "The loop guard ends what Rook began, at “copy the ability” of Mirror.",
    );
    assert!(play.hp(cw_duel::Seat::One) > 3005);
    go(&mut play, "pass");
    holds(&play, "phase Attack");
}

/// D13: cards that turn into each other on entering, and one that activates itself.
#[test]
fn endless_changes_end() {
    let cards = "
        Day auto: auto = hp(+1) to(me); transform(\"00000000-0000-0000-0000-000000000002\") to(this)
        Night auto: auto = hp(+1) to(me); transform(\"00000000-0000-0000-0000-000000000001\") to(this)
        Self action: action = hp(+1) to(me) & activate(this)
    ";
    let play = check(cards, "me.hand Day", "play Day, slot 1", "asks Main");
    assert_eq!(guarded(&play).len(), 1, "{:?}", guarded(&play));
    assert!(play.hp(cw_duel::Seat::One) > 3002);
    let play = check(cards, "me.hand Self", "play Self", "asks Main; me.discards Self");
    is_told(
        &play,
        "The loop guard ends what Self began, at “use another card's rule” of Self.",
    );
}

/// D13: after the guard the KOs of the unit still happen, and its queue is empty.
#[test]
fn the_unit_is_cleaned_up() {
    let cards = "Self action: action = damage(300) to(characters); activate(this)";
    let play = check(
        cards,
        "opp Foe; me.hand Self",
        "play Self",
        "opp.ring; opp.discards Foe; asks Main",
    );
    assert_eq!(guarded(&play).len(), 1);
    assert!(play.duel.snapshot().queue.is_empty());
}

/// D14: an ability that may be used without end: after 200 actions only ending the phase is offered.
#[test]
fn toggling_actions_end() {
    let cards = "Well triggered: action = sp(+1) & clear()";
    let mut play = start(cards, "me Well Rook; me.hand filler");
    for _ in 0..199 {
        go(&mut play, "use Well");
    }
    assert_eq!(guarded(&play), Vec::<String>::new());
    go(&mut play, "use Well");
    assert_eq!(offered(&play), ["pass"]);
    holds(&play, "me.sp 200; phase Main");
    is_told(
        &play,
        "The loop guard ends what Well began, at “change SP” of Well.",
    );
    go(&mut play, "pass, ?attack Well");
    // Attacking and not attacking in turns.
    for _ in 0..100 {
        go(&mut play, "attack Rook, cancel Rook");
    }
    assert_eq!(offered(&play), ["pass"]);
    assert_eq!(guarded(&play).len(), 2);
    assert_eq!(guarded(&play)[1], "The loop guard ends what Rook began.");
}

/// D14: blocking and not blocking in turns; attacking in the next turn is free again.
#[test]
fn toggling_blocks_end() {
    let mut play = start("", "phase attack; me Rook Knave; opp Foe");
    go(&mut play, "attack Rook, attack Knave, pass");
    for _ in 0..100 {
        go(&mut play, "block Foe, to Rook, unblock Foe");
    }
    assert_eq!(offered(&play), ["pass"]);
    assert_eq!(guarded(&play).len(), 1);
    go(&mut play, "pass, pass");
    holds(&play, "phase Attack; turn 4");
    go(&mut play, "?attack Foe");
}
