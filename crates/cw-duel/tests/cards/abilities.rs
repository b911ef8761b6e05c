//! Section 5 of the game's rules: abilities, costs, copying.

use cw_stage::read_rule;
use cw_stage::{check, go, holds, start, triggered};

/// G93, G96, R313: a `■` is used in its controller's Main phase and nowhere else.
#[test]
fn triggered_abilities_are_for_the_main_phase() {
    let cards = "Well triggered: action = sp(+1) to(me)";
    check(cards, "me Well", "?use Well, pass, !use Well", "phase Attack");
    check(
        cards,
        "phase attack; me Rook; opp Well",
        "attack Rook, pass, !use Well, pass, !use Rook, ?use Well",
        "active opp; phase Main",
    );
    check(cards, "me Well^ ", "!use Well", "asks Main");
    check(cards, "me Well*", "!use Well", "asks Main");
    check(
        cards,
        "me Well*; rule ab_trigger_fresh 1",
        "?use Well",
        "asks Main",
    );
    check(cards, "me Well; rule ab_trigger_act 0", "!use Well", "asks Main");
    // G96: without an ability there is nothing to use.
    let cards = "
        Well triggered: action = sp(+1) to(me)
        Lose action: action = loseAbility() to(\"Well\")
    ";
    check(
        cards,
        "me Well; me.hand Lose",
        "?use Well, play Lose, !use Well",
        "me.ring Well300-",
    );
}

/// G94, G99: a `●` is never used by hand; it works from entering until the character leaves or loses
/// it.
#[test]
fn autos_work_by_themselves() {
    let cards = "
        Spring auto: auto = ~endPhase~ hp(+100) to(me)
        Lose action: action = loseAbility() to(\"Spring\")
        Lift action: action = moveTo(hand) to(\"Spring\")
    ";
    check(
        cards,
        "me.hand Spring",
        "play Spring, slot 1, !use Spring, pass",
        "me.hp 3100; turn 4",
    );
    check(
        cards,
        "me Spring; me.hand Lose",
        "play Lose, pass, pass",
        "me.hp 3000; turn 4",
    );
    check(
        cards,
        "me Spring; me.hand Lift",
        "play Lift, pass",
        "me.hp 3000; turn 4",
    );
}

/// G11: what freezes a character is its cost, not the type of its ability.
#[test]
fn freezing_comes_from_the_cost() {
    let cards = "
        Free triggered: action = sp(+1) to(me)
        Paid triggered: action = {F}: sp(+1) to(me)
        Burst instant: action = {F}: sp(+1) to(me)
    ";
    check(
        cards,
        "me Free Paid",
        "use Free, use Paid",
        "me.ring Free300% Paid300^%; me.sp 2",
    );
    check(
        cards,
        "me.hand Burst",
        "play Burst, slot 1",
        "me.ring Burst300*^%; me.sp 1",
    );
}

/// G97, G98, G100: `▲` wants its rule and a fresh character, `■` its rule and one that is neither
/// frozen nor attacking.
#[test]
fn what_an_activation_needs() {
    let cards = "Herald instant: action = sp(+1) to(me)";
    check(
        cards,
        "me.hand Herald; rule ab_instant_act 0",
        "play Herald, slot 1, !use Herald",
        "me.sp 0; me.ring Herald300*",
    );
    check(cards, "me Herald", "!use Herald", "asks Main");
}

/// G101, G102, G107: “no effect” marks an instant as used, not a `■`.
#[test]
fn no_effect_uses_an_instant_up() {
    let cards = "
        Dud instant: action = [[if me.sp > 5]] hp(+100) to(me)
        Slow triggered: action = [[if me.sp > 5]] hp(+100) to(me)
    ";
    check(
        cards,
        "me.hand Dud",
        "play Dud, slot 1, !use Dud",
        "me.ring Dud300*%",
    );
    check(cards, "me Slow", "use Slow, ?use Slow", "me.ring Slow300");
}

/// G113: costs are the executor's, from its own zones: an event of the opponent's is paid by the
/// opponent.
#[test]
fn the_executor_pays() {
    let cards = "Toll auto: auto = {D}: ~oppEndPhase~ hp(+100) to(me)";
    let mut play = check(
        cards,
        "active opp; turn 4; me Toll; me.hand filler filler; opp.hand Solo; opp Foe",
        "pass, pass",
        "opp.hp 3100; me.hp 3000; opp.hand; opp.discards Solo; me.hand filler filler filler",
    );
    // D3: without a card the cost is unpaid and the list stops.
    assert_eq!(triggered(&play, "Toll"), 1);
    go(&mut play, "pass, pass");
    holds(&play, "turn 6; me.hp 3000");
}

/// G114, R907: a character at 0 BP hears nothing, though it still stands; one at 1 BP does.
#[test]
fn the_fallen_hear_nothing() {
    let cards = "
        Bell auto 300: auto = ~powerless:any~ hp(+100) to(me)
        Rook triggered: action = sp(+1) to(me)
        Hush action: action = damage(300) to(\"Bell\"); loseAbility() to(\"Rook\")
        Near action: action = damage(299) to(\"Bell\"); loseAbility() to(\"Rook\")
    ";
    let play = check(
        cards,
        "me Bell Rook; me.hand Hush",
        "play Hush",
        "me.hp 3000; me.ring . Rook300-",
    );
    assert_eq!(triggered(&play, "Bell"), 0);
    check(
        cards,
        "me Bell Rook; me.hand Near",
        "play Near",
        "me.hp 3100; me.ring Bell1 Rook300-",
    );
    // The first target of a run is the card itself, or its `target`; `trigger` is the event's card.
    let cards = "
        Self auto: auto = ~powerless:any~ bp(+100)
        Mate auto: target = \"Foe\";; auto = ~powerless:any~ bp(+100); bp(+10) to(trigger)
        Rook triggered: action = sp(+1) to(me)
        Hush action: action = loseAbility() to(\"Rook\")
    ";
    check(
        cards,
        "me Self Mate Rook; opp Foe; me.hand Hush",
        "play Hush",
        "me.ring Self400 Mate300 Rook310-; opp.ring Foe400",
    );
}

/// G117, G180, D5: who executes chooses, though the card is the other player's.
#[test]
fn the_executor_chooses_for_a_foreign_card() {
    let cards = "Gale auto: auto = ~oppEndPhase~ damage(100) to(character@oppRing)";
    let mut play = check(
        cards,
        "active opp; turn 4; phase end; me Gale Rook; opp Foe",
        "",
        "decides opp; asks Target",
    );
    go(&mut play, "?to Gale, to Rook");
    holds(&play, "me.ring Gale300 Rook200; opp.ring Foe300");
}

/// G124, D31: an ability may be copied from a card in any zone: its printed one.
#[test]
fn abilities_are_copied_from_any_zone() {
    let cards = "
        Well triggered: action = sp(+1) to(me)
        Learn action: target = \"Well\"@myDiscards;; vars = _from := tgt.0;; \
            action = copyAbility(_from) to(\"Rook\")
        Recall action: target = \"Well\"@myDeck;; vars = _from := tgt.0;; \
            action = copyAbility(_from) to(\"Rook\")
        Plain action: target = \"Foe\";; vars = _from := tgt.0;; \
            action = copyAbility(_from) to(\"Rook\")
        Rook auto: auto = ~endPhase~ hp(+1) to(me)
    ";
    check(
        cards,
        "me Rook; me.hand Learn; me.discards Well",
        "play Learn, use Rook",
        "me.sp 1; me.ring Rook300%@Well",
    );
    check(
        cards,
        "me Rook; me.hand Recall; me.deck filler Well filler",
        "play Recall, use Rook",
        "me.sp 1",
    );
    // G119: from a card without a text nothing is copied.
    check(
        cards,
        "me Rook Foe; me.hand Plain",
        "play Plain",
        "me.ring Rook300 Foe300",
    );
}

/// G119, GQ42: a `▲` copied onto a character that has acted stays used; a `■` may be used.
#[test]
fn a_copied_instant_keeps_the_mark() {
    let cards = "
        Well triggered: action = sp(+1) to(me)
        Herald instant: action = sp(+10) to(me)
        Other instant: action = sp(+100) to(me)
        BeWell action: target = \"Well\"@myDiscards;; vars = _from := tgt.0;; \
            action = copyAbility(_from) to(\"Herald\")
        BeOther action: target = \"Other\"@myDiscards;; vars = _from := tgt.0;; \
            action = copyAbility(_from) to(\"Herald\")
    ";
    let position = "me.hand Herald BeWell BeOther; me.discards Well Other; rule ab_trigger_fresh 1";
    check(
        cards,
        position,
        "play Herald, slot 1, play BeOther, !use Herald",
        "me.sp 10; me.ring Herald300*%@Other",
    );
    check(
        cards,
        position,
        "play Herald, slot 1, play BeWell, use Herald, !use Herald",
        "me.sp 11",
    );
    // G100: a fresh character that has not acted may use a copied `▲`, once.
    let cards = cards.replace(
        "Herald instant: action = sp(+10) to(me)",
        "Herald auto: auto = ~endPhase~ sp(+10) to(me)",
    );
    check(
        &cards,
        position,
        "play Herald, slot 1, play BeOther, use Herald, !use Herald",
        "me.sp 100; me.ring Herald300*%@Other",
    );
}

/// G112, R709: `{E}` is known to be a cost and does nothing yet; so that it is not free by accident,
/// the rule is an error (RS026), and a card with an error is not played (D38).
#[test]
fn exile_is_no_cost_yet() {
    let game = start("", "").duel.game().clone();
    let names = cw_stage::names(&game);
    let (rule, errors) = read_rule("action = {E}: hp(+100) to(me)", &names);
    assert!(errors.len() == 1 && errors[0].starts_with("RS026"), "{errors:?}");
    assert!(rule.actions.iter().all(|action| action.costs().is_empty()));
    let (_, errors) = read_rule("action = {F}: hp(+100) to(me)", &names);
    assert!(errors.is_empty(), "{errors:?}");
}

/// D37, R312, R313: without an ability type, a rule without cost acts on entering, one with a cost is
/// used by hand.
#[test]
fn without_ability_types_the_cost_decides() {
    let cards = "
        Free plain: action = hp(+100) to(me)
        Paid plain: action = {F}: hp(+10) to(me)
    ";
    check(
        cards,
        "me.hand Free",
        "play Free, slot 1, !use Free",
        "me.hp 3100",
    );
    check(
        cards,
        "me.hand Paid",
        "play Paid, slot 1, !use Paid",
        "me.hp 3000",
    );
    check(
        cards,
        "me Paid Free",
        "!use Free, use Paid, !use Paid",
        "me.hp 3010; me.ring Paid300^% Free300",
    );
}

/// D3, D78, G101, G102: an instant's single retry is remembered by itself; it is not *activated*, and
/// being unfrozen gives no further try.
#[test]
fn the_retry_of_an_instant_is_remembered_by_itself() {
    let cards = "
        Herald instant: target = character@oppRing;; action = damage(100)
        Thaw action: action = unfreeze() to(characters@myRing)
        Lend action: vars = _h := getTargets('\"Herald\"s@oppRing');; action = copyAbility(_h) to(\"Rook\")
    ";
    let mut play = check(
        cards,
        "me.hand Herald Thaw; opp Foe Fiend",
        "play Herald, slot 1, decline, ?use Herald, play Thaw, ?use Herald, use Herald, decline, !use Herald",
        "me.ring Herald300*",
    );
    let refusal = |play: &cw_stage::Play, name: &str| {
        let card = (0..100)
            .map(cw_duel::CardId)
            .find(|card| play.name(*card) == name && play.duel.slot_of(*card).is_some());
        let choice = cw_duel::Choice::Activate(card.expect("in the ring"));
        play.duel.why_not(choice, None).map(|refusal| refusal.to_string())
    };
    let why = refusal(&play, "Herald").expect("not offered");
    assert!(why.contains("in vain") && why.contains("D78"), "{why}");
    go(&mut play, "pass");
    // Success is what G101 marks; unfreezing clears only that.
    let mut play = check(
        cards,
        "me.hand Herald Thaw; opp Foe Fiend",
        "play Herald, slot 1, decline, use Herald, to Foe, !use Herald",
        "me.ring Herald300*%; opp.ring Foe200 Fiend300",
    );
    let why = refusal(&play, "Herald").expect("not offered");
    assert!(why.contains("G101"), "{why}");
    go(&mut play, "play Thaw, !use Herald");
    holds(&play, "me.ring Herald300*");
    // A copied instant comes with its own tries.
    check(
        cards,
        "me Rook*; opp Herald Fiend; me.hand Lend Lend",
        "play Lend, use Rook, decline, use Rook, decline, !use Rook, play Lend, ?use Rook",
        "me.ring Rook300*@Herald",
    );
}
