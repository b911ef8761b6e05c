//! Targets that are expressions (R230, D95), the element of `each` (R622) and what variables hold (D103).

use cw_duel::DuelEvent;
use cw_stage::{check, go, holds};

/// D95: filters, pick, `::not` and quantity work on the list that an expression gives.
#[test]
fn nothing_written_on_an_expression_target_is_ignored() {
    let board = "me Src; opp k200 Foe l500";
    let cases = [
        // Filters, on a variable and on an expression; as a to-clause and as the rule's target.
        ("_l[bp<=300]", "use Src", "opp.ring . . l500; opp.discards Foe k"),
        (
            "opp.ring[bp<=300]",
            "use Src",
            "opp.ring . . l500; opp.discards Foe k",
        ),
        (
            "opp.ring[-bp<=300]",
            "use Src",
            "opp.ring k200 Foe300; opp.discards l",
        ),
        (
            "opp.ring[bp==200,bp>=500]",
            "use Src",
            "opp.ring . Foe300; opp.discards l k",
        ),
        (
            "opp.ring[bp:lowest]",
            "use Src",
            "opp.ring . Foe300 l500; opp.discards k",
        ),
        // Picks, after the filters.
        ("_l<1>", "use Src", "opp.ring . Foe300 l500; opp.discards k"),
        ("_l<-1>", "use Src", "opp.ring k200 Foe300; opp.discards l"),
        (
            "opp.ring<2>[bp>=300]",
            "use Src",
            "opp.ring k200; opp.discards l Foe",
        ),
        (
            "opp.ring[bp>=300]<1>",
            "use Src",
            "opp.ring k200 . l500; opp.discards Foe",
        ),
        // What is excluded.
        (
            "_l::not(opp.ring.0)",
            "use Src",
            "opp.ring k200; opp.discards l Foe",
        ),
        (
            "opp.ring[bp>=300]::not(opp.ring.1)",
            "use Src",
            "opp.ring k200 Foe300; opp.discards l",
        ),
        // Quantities.
        (
            "<1>_l",
            "use Src, ?to k, ?to l, to Foe",
            "opp.ring k200 . l500; opp.discards Foe",
        ),
        (
            "<1>opp.ring",
            "use Src, to l",
            "opp.ring k200 Foe300; opp.discards l",
        ),
        (
            "<,2>opp.ring[bp>=300]",
            "use Src, !to k, to Foe, done",
            "opp.ring k200 . l500; opp.discards Foe",
        ),
        (
            "<2>opp.ring",
            "use Src, to k, to l",
            "opp.ring . Foe300; opp.discards l k",
        ),
        ("<5>opp.ring", "use Src", "opp.ring; opp.discards l Foe k"),
        (
            "<r>opp.ring[bp<=200]",
            "use Src",
            "opp.ring . Foe300 l500; opp.discards k",
        ),
        // An element, as in Python.
        ("_l[0]", "use Src", "opp.ring . Foe300 l500; opp.discards k"),
        ("_l[-1]", "use Src", "opp.ring k200 Foe300; opp.discards l"),
        ("opp.ring[1]", "use Src", "opp.ring k200 . l500; opp.discards Foe"),
        (
            "opp.ring[0:2]",
            "use Src",
            "opp.ring . . l500; opp.discards Foe k",
        ),
        (
            "opp.ring[_one]",
            "use Src",
            "opp.ring k200 . l500; opp.discards Foe",
        ),
    ];
    for (target, choices, facts) in cases {
        let vars = "vars = _l := opp.ring; _one := 1";
        let own = format!("Src triggered: {vars};; action = destroy() to({target})");
        eprintln!("{target}");
        check(&own, board, choices, facts);
        if target.contains("_l") || target.contains("_one") {
            continue;
        }
        let main = format!("Src triggered: target = {target};; action = destroy()");
        check(&main, board, choices, facts);
    }
}

/// D95, R409, R413, R420: lists of players, lists that filters or `::not` empty.
#[test]
fn expression_targets_that_are_players_or_empty() {
    let cards = "
        Rich action: vars = _p := [me, opp];; action = hp(-100) to(_p[sp>=3])
        One action: vars = _p := [me, opp];; action = hp(-100) to(<1>_p)
        None action: action = hp(-100) & destroy() to(opp.ring[bp>=900]); hp(-300) to(me)
        Gone action: action = hp(-100) to(opp.ring::not(opp.ring)); sp(+1) to(me)
    ";
    check(
        cards,
        "opp.sp 3; me.sp 2; me.hand Rich",
        "play Rich",
        "opp.hp 2900; me.hp 3000",
    );
    check(
        cards,
        "me.hand One",
        "play One, ?me, opp",
        "opp.hp 2900; me.hp 3000",
    );
    // Nothing passes the filter: the rest does not run (R305).
    check(
        cards,
        "opp Foe; me.hand None",
        "play None",
        "me.hp 3000; opp.ring Foe300",
    );
    // What `::not` empties is no failure.
    check(cards, "opp Foe; me.hand Gone", "play Gone", "me.hp 2900; me.sp 1");
}

/// D95, R621, R703: where a cost or a discard forces the zone, an expression finds only what lies there.
#[test]
fn forced_zones_hold_for_expressions() {
    let cards = "
        Toss action: vars = _c := [me.hand.0, me.discards.0, opp.hand.0];; action = discard(_c)
        Pay triggered: vars = _c := [opp.ring.0, me.ring.1];; action = {S(_c)}: sp(+1) to(me)
    ";
    check(
        cards,
        "me.hand Toss Rook; me.discards Aid; opp.hand Foe",
        "play Toss",
        "me.discards Toss Rook Aid; opp.hand Foe; me.hand",
    );
    check(
        cards,
        "me Pay Rook; opp Foe",
        "use Pay",
        "me.ring Pay300%; opp.ring Foe300; me.discards Rook; me.sp 1",
    );
}

/// D95, RS012: a zone behind an expression is an error, and so is nothing silently left out.
#[test]
fn a_zone_on_an_expression_is_an_error() {
    let game = cw_stage::start("", "").duel.game().clone();
    let names = cw_stage::names(&game);
    for target in [
        "_l@oppRing",
        "opp.ring@myRing",
        "opp.ring[bp>=300]@oppRing",
        "tgt.0@hand",
    ] {
        let text = format!("vars = _l := opp.ring\naction = destroy() to({target})");
        let (_, errors) = cw_stage::read_rule(&text, &names);
        assert_eq!(errors.len(), 1, "{target}: {errors:?}");
        assert!(
            errors[0].starts_with("RS012 an expression says by itself"),
            "{errors:?}"
        );
    }
}

/// R622, D30, D103: `card`, `char`, `action` and `reaction` are the element inside the effect of `each`.
#[test]
fn the_element_is_known_inside_each() {
    let cards = "
        Sum action: action = each(card in me.ring => hp(-card.bp))
        Own action: action = each(character@myRing => hp(-card.bp))
        All action: action = each(characters@myRing => hp(-card.bp))
        Half action: action = each(card in me.ring => hp(-card.bp / 2) & sp(+1))
        Kind action: action = each(card in me.discards => hp(-100 * (1 if char else 2)))
        In action: action = each(card in me.ring => each(card in opp.ring => hp(-card.bp)))
        Out action: action = each(card in me.ring => each(card.bp >= 0 in [card] => hp(-card.bp)))
        Take action: action = each(card in me.discards => copyAbility(card)) to(\"Rook\")
        Spring auto: auto = ~endPhase~ hp(+100)
    ";
    check(cards, "me k200 l500; me.hand Sum", "play Sum", "me.hp 2300");
    check(cards, "me k200; me.hand Own", "play Own", "me.hp 2800");
    check(cards, "me k200 l500; me.hand All", "play All", "me.hp 2300");
    check(
        cards,
        "me k200 l500; me.hand Half",
        "play Half",
        "me.hp 2650; me.sp 2",
    );
    check(
        cards,
        "me.hand Kind; me.discards Rook act",
        "play Kind",
        "me.hp 2700",
    );
    check(
        cards,
        "me k200 l500; opp Foe; me.hand In",
        "play In",
        "me.hp 2400",
    );
    check(cards, "me k200 l500; me.hand Out", "play Out", "me.hp 2300");
    check(
        cards,
        "me Rook; me.hand Take; me.discards Spring",
        "play Take",
        "me.ring Rook300@Spring",
    );
}

/// D103: variables hold floats, texts, truth values and lists of them; nothing is quietly nil.
#[test]
fn variables_hold_what_expressions_give() {
    let cases = [
        ("me.hp * 0.5", "_v", 1500),
        ("1e2 + 0.9", "_v", 100),
        ("'rope'", "100 * len(_v)", 400),
        ("me.hp > 100", "100 if _v else 7", 100),
        ("[0.5, 1.5]", "100 * (_v[0] + _v[1])", 200),
        ("['a', 'bc']", "100 * len(_v[1])", 200),
        ("[me.hp, 'x', 2.5, opp]", "100 * _v[2] + _v[3].sp", 250),
        ("'x' * 200", "len(_v)", 200),
        ("-0.0", "100 if str(_v) == '-0.0' else 1", 100),
    ];
    for (value, amount, hp) in cases {
        let card = format!("Src action: vars = _v := {value};; action = hp(-({amount})) to(me)");
        let play = check(&card, "me.hand Src", "play Src", "");
        assert_eq!(play.hp(cw_duel::Seat::One), 3000 - hp, "{value}");
        assert_eq!(
            play.count(|event| matches!(event, DuelEvent::Failed { .. })),
            0,
            "{value}"
        );
    }
    // What cannot be held is told where it is made, and where it is used.
    let card = "Src action: vars = _v := 2 ** 80;; action = hp(-(_v)) to(me)";
    let play = check(card, "me.hand Src", "play Src", "me.hp 3000");
    assert_eq!(play.count(|event| matches!(event, DuelEvent::Failed { .. })), 2);
}

/// D103, RS043: what its words tell is found before anybody plays.
#[test]
fn what_no_variable_holds_is_found_by_the_compiler() {
    let game = cw_stage::start("", "").duel.game().clone();
    let names = cw_stage::names(&game);
    for value in ["{1: 2}", "lambda: 1", "{1, 2}", "3j", "[[1], 2]"] {
        let text = format!("vars = _v := {value}\naction = draw()");
        let (_, errors) = cw_stage::read_rule(&text, &names);
        assert_eq!(errors.len(), 1, "{value}: {errors:?}");
        assert!(
            errors[0].starts_with("RS043 a variable cannot hold"),
            "{errors:?}"
        );
    }
}

/// D103: a float in a variable is the same after a copy, and after a choice was asked for in between.
#[test]
fn floats_outlive_a_question() {
    let card = "Src action: vars = _v := me.hp * 0.5;; action = discard(<1>*); hp(-_v) to(me)";
    let mut play = check(card, "me.hand Src Rook Aid", "play Src", "asks Discard");
    go(&mut play, "to Rook");
    holds(&play, "me.hp 1500");
}
