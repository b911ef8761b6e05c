//! Section 1 of the game's rules: what there is.

use cw_duel::{Choice, Phase, Seat, Silent};
use cw_program::{ClosedWord, PhaseName};

use cw_stage::{check, go, holds, start, triggered};

/// G2: eight phases in this order, and the names that `skip` has for them.
#[test]
fn phases_have_their_order_and_names() {
    let names: Vec<&str> = Phase::ALL.iter().map(|phase| phase.name()).collect();
    assert_eq!(
        names,
        [
            "Setup",
            "Activate",
            "Draw",
            "Main",
            "Attack",
            "Counter-attack",
            "End",
            "Cleanup"
        ]
    );
    for (index, name) in PhaseName::ALL.iter().enumerate() {
        assert!(name.word().eq_ignore_ascii_case(names[index]));
        assert_eq!(Phase::from_index(index).map(Phase::name), Some(names[index]));
    }
}

/// G7, G27: HP, SP, phases to be skipped and a player's own rules outlive the turn.
#[test]
fn what_a_turn_does_not_reset() {
    let cards = "Truce action: action = disableRule(attack) to(opp)";
    let mut play = check(
        cards,
        "me.hand Truce; me Rook*; opp Foe; me.hp 2500; me.sp 4; opp.skips draw; me.skips end",
        "play Truce, pass, pass, !attack Foe, pass",
        "turn 5; active me; me.hp 2500; me.sp 4; opp.skips; me.skips",
    );
    // The rule is the opponent's own: it binds that player only, in every later turn.
    go(&mut play, "pass, ?attack Rook, pass, pass, !attack Foe");
    holds(&play, "turn 6");
}

/// G12, G196, D6: listeners, timed abilities and the like belong to the card, wherever it goes; only a
/// deck ends them.
#[test]
fn a_card_keeps_its_identity() {
    let cards = "
        Spur action: action = +pierce to(character@myRing) ueot
        Lift action: action = moveTo(hand) to(character@myRing)
        Bury action: action = moveTo(deck) to(character@myRing); draw()
    ";
    check(
        cards,
        "me Rook; me.hand Spur Lift",
        "play Spur, play Lift, play Rook, slot 1",
        "me.ring Rook300*~pierce",
    );
    check(
        cards,
        "me Rook; me.hand Spur Bury",
        "play Spur, play Bury, play Rook, slot 1",
        "me.ring Rook300*",
    );
}

/// G13, G248: however often a card is transformed, it ends as what is printed.
#[test]
fn the_first_form_is_remembered() {
    let cards = "
        Egg plain 100
        Chick plain 200
        Hen plain 300
        Warm action: target = character@myDiscards;; vars = _into := tgt.0;; \
            action = transform(_into) to(character@myRing)
        End action: action = destroy() to(character@myRing)
    ";
    let mut play = check(
        cards,
        "me Egg; me.hand Warm Warm End; me.discards Chick Hen",
        "play Warm, to Chick, play Warm, to Hen",
        "me.ring Hen300",
    );
    go(&mut play, "play End");
    holds(&play, "me.ring; me.discards End Egg Warm Warm Chick Hen");
}

/// G15, D16, GQ21: the last BP above 0, exact at once; after leaving, the BP just before.
#[test]
fn the_last_bp_is_exact() {
    let cards = "
        Rook plain 800
        Tell action: target = \"Rook\";; vars = _r := tgt.0;; \
            action = bp(-200); bp(-900); hp(_r.lastBP) to(me)
        Toll action: target = \"Rook\";; vars = _r := tgt.0;; \
            action = bp(-200); destroy(); hp(_r.lastBP) to(me)
        Grow action: target = \"Rook\";; vars = _r := tgt.0;; \
            action = bp(-900); bp(+50); hp(_r.lastBP) to(me)
    ";
    check(cards, "me Rook; me.hand Tell", "play Tell", "me.hp 3600; me.ring");
    // The other player's characters as well.
    check(
        cards,
        "opp Rook; me.hand Tell",
        "play Tell",
        "me.hp 3600; opp.ring",
    );
    check(cards, "me Rook; me.hand Toll", "play Toll", "me.hp 3600; me.ring");
    // Raised again within the script, it lives (GQ3).
    check(
        cards,
        "me Rook; me.hand Grow",
        "play Grow",
        "me.hp 3050; me.ring Rook50",
    );
}

/// G16, G220: frozen or not; a toggle turns it over.
#[test]
fn frozen_or_not() {
    let cards = "
        Nip action: action = freeze() to(characters)
        Turn action: action = freeze(toggle) to(characters)
        Thaw action: action = unfreeze() to(characters)
    ";
    check(
        cards,
        "me Rook^ Foe; me.hand Nip Turn Thaw",
        "play Turn",
        "me.ring Rook300 Foe300^",
    );
    check(
        cards,
        "me Rook^ Foe; me.hand Nip Turn Thaw",
        "play Nip, play Turn",
        "me.ring Rook300 Foe300",
    );
    check(
        cards,
        "me Rook^ Foe; me.hand Nip Turn Thaw",
        "play Thaw",
        "me.ring Rook300 Foe300",
    );
}

/// G17, G173: marks tell lead, follower and blocker apart, and are lost with the ring.
#[test]
fn marks_tell_who_does_what() {
    let cards = "
        Count reaction: vars = _a := getTargets('characters[attack]@oppRing'); \
            _u := getTargets('characters[uattack]@oppRing'); _b := getTargets('characters[block]@myRing');; \
            action = hp(100 * _a.size + 10 * _u.size + _b.size) to(me)
        Back reaction: action = moveTo(ctrlHand) to(characters@oppRing)
    ";
    let mut play = check(
        cards,
        "phase attack; me.sp 10; me Lead Fol Solo; opp Foe; opp.hand Count Back",
        "attack Lead, join Fol, attack Solo, pass, block Foe, to Solo, play Count",
        "opp.hp 3221; me.ring Lead300! Fol300& Solo300!; opp.ring Foe300#",
    );
    go(&mut play, "play Back");
    holds(&play, "me.ring; united; me.hand Solo Fol Lead");
}

/// G18, G101, G103: used once; unfrozen by an effect, it may be used again.
#[test]
fn a_used_ability_waits() {
    let cards = "
        Well triggered: action = sp(+1) to(me)
        Thaw action: action = unfreeze() to(characters)
    ";
    check(
        cards,
        "me Well; me.hand Thaw",
        "use Well, !use Well, play Thaw, use Well, !use Well",
        "me.sp 2; me.ring Well300%",
    );
}

/// G19, G133.4, G259: the hook says no to an attack, not to joining one, where the keyword does.
#[test]
fn joining_is_not_attacking() {
    let mut play = check(
        "",
        "phase attack; me.sp 5; me Rook Knave~cantattack",
        "!attack Knave, !join Knave, attack Rook, !attack Knave, join Knave",
        "me.ring Rook300! Knave300&~cantattack; united Rook Knave",
    );
    // The `beforeAttack` hook of a card knows no such difference.
    go(&mut play, "cancel Rook");
    let cards = "Prim auto: auto = ?beforeAttack:this? [[if me.sp > 99]]";
    check(
        cards,
        "phase attack; me.sp 5; me Rook Prim",
        "!attack Prim, attack Rook, !join Prim",
        "united",
    );
}

/// G20, G25, G126, G128: a back-up belongs to one character and leaves with it.
#[test]
fn back_ups_point_at_one_character() {
    let cards = "
        Count action: action = hp(+100) to(me);; requisite = character[backedup]@myRing
        Drop action: action = destroy() to(\"Knave\")
    ";
    let mut play = check(
        cards,
        "me Rook Knave(filler); me.hand Aid Drop; me.sp 0",
        "back Aid, to Rook",
        "me.ring Rook600+ Knave600+",
    );
    go(&mut play, "play Drop");
    holds(&play, "me.ring Rook600+; me.discards Drop filler Knave");
}

/// G24, G145: who blocks is marked, and stands beside its attacker.
#[test]
fn a_block_is_noted() {
    check(
        "",
        "phase attack; me Rook Knave; opp Foe Fiend",
        "attack Rook, attack Knave, pass, block Foe, to Knave, block Fiend",
        "blocks Knave<Foe Rook<Fiend; opp.ring Foe300# Fiend300#; me.ring Rook300! Knave300!",
    );
}

/// G26, G181, R914: all listeners stand in one list, in order of registration, whoever's they are.
#[test]
fn listeners_stand_in_one_list() {
    let cards = "
        Twice auto: auto = ~anyEndPhase~ bp(x2) to(\"Rook\")
        More auto: auto = ~anyEndPhase~ bp(+100) to(\"Rook\")
    ";
    check(
        cards,
        "phase end; me Rook Twice; opp More",
        "",
        "me.ring Rook700 Twice300",
    );
    check(
        cards,
        "phase end; me Rook More; opp Twice",
        "",
        "me.ring Rook800 More300",
    );
    // What entered later is heard later.
    check(
        cards,
        "me Rook; me.hand Twice; opp More",
        "play Twice, slot 2, pass, pass",
        "me.ring Rook800 Twice300*",
    );
}

/// G28, G84, G231: cost changes of several cards add up, for both players, and end with their sources.
#[test]
fn cost_changes_stand_in_a_list() {
    let cards = "
        Dear auto: auto = alterCost(action, -1)
        Dearer auto: auto = alterCost(action, -2)
        Spark action 0 -1: action = hp(+100) to(me)
        Drop action: action = destroy() to(\"Dearer\")
    ";
    check(
        cards.replace("action 0 -1", "action -1").as_str(),
        "me Dear; opp Dearer; me.sp 10; me.hand Spark",
        "play Spark",
        "me.sp 6",
    );
    check(
        cards.replace("action 0 -1", "action -1").as_str(),
        "me Dear; opp Dearer; me.sp 10; me.hand Spark Drop",
        "play Drop, play Spark",
        "me.sp 5",
    );
}

/// G21, G29, G120: the override replaces symbol, name, text and script; nothing else.
#[test]
fn an_override_replaces_the_ability_only() {
    let cards = "
        Well triggered 500 bell: action = {F}: sp(+1) to(me)
        Bell auto 400 rope: auto = ~endPhase~ hp(+1) to(me)
        Copy action: vars = _from := tgt.0;; action = copyAbility(_from) to(\"Well\");; target = \"Bell\"
        Lose action: action = loseAbility() to(\"Well\")
        Count action: vars = _auto := getTargets('characters[abauto]'); \
            _none := getTargets('characters[powerless]'); _bell := getTargets('bells@myRing');; \
            action = hp(100 * _auto.size + 10 * _none.size + _bell.size) to(me)
    ";
    let mut play = check(
        cards,
        "me Well=700^ Bell; me.hand Copy Lose Count Count Count",
        "play Count",
        "me.hp 3101",
    );
    go(&mut play, "play Copy, play Count");
    holds(&play, "me.hp 3302; me.ring Well700^@Bell Bell400");
    go(&mut play, "play Lose, play Count");
    holds(&play, "me.hp 3413; me.ring Well700^- Bell400");
}

/// G30, R104: the names that the game writes are there in any case of letters.
#[test]
fn names_are_written_in_any_case() {
    let cards = "
        Pay action: action = {D(2)}: hp(+100 * DISCARDED.Size) to(me)
        Mill action: action = trash(3); hp(+100 * Trashed.size) to(me)
        Burn action: action = destroy() to(characters@oppRing); hp(100 * desTroyed.size) to(me)
        Send action: action = moveTo(hand) from(*<2>@myDiscards); hp(100 * mOved.size) to(me)
        Give action: action = {S(character)}: hp(+Sacrificed.0.LASTBP) to(me)
        Keep action: vars = _Sum := me.SP + 1;; action = hp(100 * _sUm) to(ME)
    ";
    check(
        cards,
        "me.hand Pay filler filler; me.hp 1000",
        "play Pay",
        "me.hp 1200",
    );
    check(
        cards,
        "me.hand Mill; me.hp 1000",
        "play Mill",
        "me.hp 1300; me.decksize 7",
    );
    check(
        cards,
        "me.hand Burn; me.hp 1000; opp Rook Knave",
        "play Burn",
        "me.hp 1200",
    );
    check(
        cards,
        "me.hand Send; me.hp 1000; me.discards Rook Knave Foe",
        "play Send",
        "me.hp 1200; me.hand Knave Rook",
    );
    check(
        cards,
        "me.hand Give; me Rook=250; me.hp 1000",
        "play Give",
        "me.hp 1250",
    );
    check(
        cards,
        "me.hand Keep; me.sp 3; me.hp 1000",
        "play Keep",
        "me.hp 1400",
    );
}

/// G31, GQ22: every run begins with fresh variables: nothing leaks from one card to the next.
#[test]
fn variables_do_not_leak() {
    let cards = "
        Pay action: vars = _n := 7;; action = {D}: hp(+1) to(me)
        Ask action: vars = _n := discarded.size;; action = hp(+100 + 10 * _n) to(me)
        Ghost auto: auto = ~endPhase~ hp(+1000 * discarded.size) to(me)
    ";
    let play = check(
        cards,
        "me Ghost; me.hand Pay Ask filler filler",
        "play Pay, to filler, play Ask, pass, pass",
        "me.hp 3101; turn 4",
    );
    assert_eq!(triggered(&play, "Ghost"), 1);
}

/// G32, D31, R1102: the previous targets are those of this run, and there are none at its start.
#[test]
fn previous_targets_begin_undefined() {
    let cards = "
        First action: action = bp(+100) to(\"Rook\"); bp(+50) to(prevTgt.0)
        Second action: action = [[if prevTgt]] hp(+100) to(me) [[else]] hp(+1) to(me)
    ";
    check(
        cards,
        "me Rook; me.hand First Second",
        "play First, play Second",
        "me.ring Rook450; me.hp 3001",
    );
}

/// G43, D14: giving up is no choice of the rules: it is possible at any time, whoever is asked.
#[test]
fn giving_up_is_outside_the_rules() {
    let cards = "Ask action: action = damage(100) to(character@oppRing)";
    let mut play = start(cards, "me.hand Ask; opp Rook Knave");
    go(&mut play, "play Ask");
    holds(&play, "decides me; asks Target");
    let options = &play.duel.pending().expect("goes on").options;
    assert!(options.iter().all(|option| matches!(option, Choice::Card(_))));
    play.duel.forfeit(Seat::Two, &mut Silent);
    holds(&play, "winner me");
}
