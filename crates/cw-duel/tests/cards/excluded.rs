//! `::not` works on every target (R243, R420), and costs are paid together (D4).

use cw_duel::{Question, Seat};
use cw_stage::{check, go, holds, offered, read_rule, start};

/// D4, D50: two `{D}` discard two cards, also if the hand holds two copies of which the opponent knows one.
#[test]
fn two_discards_take_two_copies() {
    let cards = "
        Well triggered: action = {D}{D}: sp(+9) to(me)
        Show action: action = reveal() to(\"Copy\"@myHand)
        Fetch action: action = moveTo(myHand) to(\"Copy\"@myDeck)
        Copy plain 100 0
    ";
    for hand in ["Copy Show Fetch", "Show Fetch Copy"] {
        let position = format!("me Well; me.sp 9; me.hand {hand}; me.deck Copy filler");
        let mut play = start(cards, &position);
        go(&mut play, "play Show, play Fetch, use Well, to Copy");
        holds(&play, "me.hand; me.discards Copy Copy Fetch Show; me.sp 18");
    }
}

/// D4: what the first `{D}` takes cannot pay the second; with too few cards left nothing is paid.
#[test]
fn a_card_pays_one_cost() {
    let cards = "Well triggered: action = {D}{D(action)}: sp(+9) to(me)";
    let position = "me Well; me.sp 0; me.hand Aid filler";
    let mut play = start(&format!("{cards}\nAid action: action = sp(+1) to(me)"), position);
    go(&mut play, "use Well, to Aid");
    holds(&play, "me.hand Aid filler; me.sp 0; me.discards");
    go(&mut play, "use Well, to filler");
    holds(&play, "me.hand; me.sp 9; me.discards Aid filler");
}

/// D4, R420: a cost is not free because `::not` excludes the only card for it.
#[test]
fn a_cost_of_excluded_cards_is_unpaid() {
    let cards = "
        Pyre triggered: action = {S(character@myRing::not(this))}: sp(+9) to(me)
        Heap triggered: action = {D(cards::not(me.hand))}: sp(+9) to(me)
    ";
    for (position, used) in [("me Pyre", "use Pyre"), ("me Heap; me.hand filler", "use Heap")] {
        let play = start(cards, &format!("{position}; me.sp 0"));
        assert!(!offered(&play).contains(&used.to_owned()), "{:?}", offered(&play));
    }
    let mut play = start(cards, "me Pyre Rook; me.sp 0");
    go(&mut play, "use Pyre");
    holds(&play, "me.ring Pyre300%; me.sp 9; me.discards Rook");
}

/// R243, R420: in front, for players, and for the plural part of several types.
#[test]
fn not_excludes_from_every_target() {
    let cards = "
        Front triggered: action = damage(100) to(character@infront::not(opp.ring.0))
        Both action: action = hp(+100) to(players::not(me))
        One action: action = hp(+100) to(player::not(me))
        Mixed action: action = damage(100) to(characters,\"Foe\"::not(me.ring))
    ";
    let rows = [
        ("me Front; opp . . . Foe", "use Front", "opp.ring . . . Foe300"),
        ("me Rook; me.hand Both", "play Both", "me.hp 3000; opp.hp 3100"),
        ("me Rook; me.hand One", "play One", "me.hp 3000; opp.hp 3100"),
        (
            "me Rook; opp Foe; me.hand Mixed",
            "play Mixed",
            "me.ring Rook300; opp.ring Foe200",
        ),
    ];
    for (position, steps, expected) in rows {
        check(cards, position, steps, expected);
    }
}

/// R425, D4: a character with 0 BP cannot be chosen, so it does not count for a cost either.
#[test]
fn nobody_without_bp_pays() {
    let cards = "
        Hurt action: action = damage(300) to(\"Knave\"@myRing)
        Pyre triggered: action = {S(<2>character@myRing::not(this))}: sp(+9) to(me)
    ";
    let mut play = start(cards, "me Pyre Rook Knave; me.sp 0; me.hand Hurt");
    assert!(
        offered(&play).contains(&"use Pyre".to_owned()),
        "{:?}",
        offered(&play)
    );
    go(&mut play, "play Hurt");
    assert!(
        !offered(&play).contains(&"use Pyre".to_owned()),
        "{:?}",
        offered(&play)
    );
}

/// R603, R604, D18: in a query an effect behind `||` is left out, since the one before it has succeeded.
#[test]
fn or_holds_in_queries() {
    let cards = "
        Dear auto: auto = ?myBeforePayCostAction? modCost(action, -1) || modCost(action, -1)
        Cheap auto: auto = ?myBeforePayCostAction? modCost(action, 1) && modCost(action, 1)
        Aid action -3: action = hp(+100) to(me)
    ";
    check(cards, "me Dear; me.sp 9; me.hand Aid", "play Aid", "me.sp 5");
    check(cards, "me Cheap; me.sp 9; me.hand Aid", "play Aid", "me.sp 8");
}

/// R243, R420: whatever the form of a target and whatever is chosen, what `::not` excludes is never hit. The
/// forms are made of their parts, so that a new way to find targets is looked at, too.
#[test]
fn no_form_of_a_target_hits_what_is_excluded() {
    let types = [
        "character",
        "characters",
        "\"Foe\"",
        "\"Foe\",\"Fiend\"",
        "characters,\"Foe\"",
        "character & player",
        "opp,character",
        "opp.ring",
    ];
    let quantities = ["", "<1>", "<2>", "<1,2>", "<**>", "<r1>", "<r2>"];
    let picks = ["", "<1>", "<-1>", "<2>"];
    let zones = ["", "@oppRing", "@arena", "@infront"];
    let mut tried = 0;
    for quantity in quantities {
        for kind in types {
            for pick in picks {
                for zone in zones {
                    let text = format!("{quantity}{kind}{pick}{zone}");
                    tried += usize::from(never_hits(&text));
                }
            }
        }
    }
    // Not every combination is a target: a zone of an expression, two numbers.
    assert!(tried > 200, "{tried} forms");
}

/// Whether the text is a target, which then never hits the first character of the opponent's ring.
fn never_hits(text: &str) -> bool {
    let rule = format!("action = damage(100) to({text}::not(opp.ring.0))");
    let position = "me Rook . . Lead; opp Foe . . Fiend; me.hand Hit";
    let known = cw_stage::names(start("", position.trim_end_matches("; me.hand Hit")).duel.game());
    if !read_rule(&rule, &known).1.is_empty() {
        return false;
    }
    let play = start(&format!("Hit action: {rule}"), position);
    let mut open = vec![(play, "play Hit".to_owned())];
    while let Some((mut play, choice)) = open.pop() {
        go(&mut play, &choice);
        if play.duel.pending().expect("the duel goes on").question == Question::Main {
            let foe = play.duel.snapshot().players[Seat::Two].ring[0].clone();
            assert_eq!(foe.map(|foe| foe.bp), Some(300), "{text} after {choice}");
            continue;
        }
        open.extend(offered(&play).into_iter().map(|option| (play.clone(), option)));
    }
    true
}
