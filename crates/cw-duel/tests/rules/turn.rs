//! The turn and its phases (section 3).

use crate::{check, check_with};
use cw_duel::Constants;

/// G44, G6: both players' counters begin anew.
#[test]
fn counters_begin_anew() {
    check(
        "phase end; me.played 1; me.backed 1; opp.played 1; opp.backed 1",
        "",
        "turn 4; me.played 0/1; me.backed 0; opp.played 0/1; opp.backed 0",
    );
}

/// G46: a turn in which nothing is done asks only for the end of the Main phase.
#[test]
fn phases_end_on_their_own() {
    check(
        "phase activate; me a500*^~frosted",
        "pass",
        "turn 4; active opp; phase Main; decides opp",
    );
}

/// G45: a phase on the skip list is passed over, once.
#[test]
fn phases_are_skipped_once() {
    check(
        "phase activate; me a500^; me.skips activate",
        "",
        "me.ring a500^; phase Main",
    );
    check("me a500; me.skips attack", "pass", "active opp");
    check(
        "phase attack; me a500; me.skips counter-attack; opp x400",
        "attack a, pass",
        "opp.hp 2500; active opp",
    );
    check(
        "phase attack; me a500; me.skips end",
        "attack a, pass, pass",
        "opp.hp 3000; me.ring a500; active opp",
    );
    check("me.skips main; phase draw; me a500", "", "phase Attack");
    // Only the active player's own list counts.
    check("phase draw; opp.skips main", "", "phase Main; active me");
}

/// G48: unfreeze, then the marks go; only the active player's.
#[test]
fn characters_unfreeze_in_their_own_activate_phase() {
    check(
        "phase activate; me a500^* b300*; opp x400^*",
        "",
        "me.ring a500 b300; opp.ring x400*^",
    );
}

/// G49, G48.1: `frosted` keeps frozen, but not fresh.
#[test]
fn frosted_characters_stay_frozen() {
    check(
        "phase activate; me a500^*~frosted b300^",
        "",
        "me.ring a500^~frosted b300",
    );
}

/// The active player draws one card in the Draw phase (G50).
#[test]
fn one_card_is_drawn() {
    check(
        "phase draw; me.hand k500; me.deck l500 m500",
        "",
        "me.hand k l; me.decksize 1",
    );
}

/// G53: without a character that could attack the phase is passed over.
#[test]
fn the_attack_phase_is_passed_over() {
    for ring in ["", "a500*", "a500^", "a500* b300^ . c200*^"] {
        check(&format!("me {ring}"), "pass", "active opp; phase Main");
    }
    check("me a500* b300", "pass", "active me; phase Attack");
    // The rule against attacking is not looked at.
    check(
        "me a500; rule attack 0",
        "pass, !attack a",
        "active me; phase Attack",
    );
}

/// G55, G46: without attackers neither Counter-attack nor End phase ask.
#[test]
fn the_counter_attack_phase_is_passed_over() {
    check(
        "phase attack; me a500; opp x400",
        "pass",
        "active opp; phase Main",
    );
}

/// G47, G56.4: only the defender decides in the Counter-attack phase.
#[test]
fn the_defender_ends_the_counter_attack_phase() {
    check(
        "phase attack; me a500; opp x400; me.hand acta; opp.hand reab",
        "attack a, pass, !play acta, ?play reab, ?block x",
        "phase Counter-attack; decides opp",
    );
}

/// G58.2, G59, GQ35: attackers freeze, unless the rule says otherwise.
#[test]
fn attackers_freeze() {
    check(
        "phase attack; me a500 b300 c200",
        "attack a, attack b, pass, pass",
        "me.ring a500^ b300^ c200; opp.hp 2200",
    );
    check(
        "phase attack; me a500 b300 c200; me.sp 10",
        "attack a, join b, join c, pass, pass",
        "me.ring a500^ b300^ c200^; opp.hp 2000",
    );
    check(
        "phase attack; me a500; rule attack_freeze 0",
        "attack a, pass, pass",
        "me.ring a500",
    );
}

/// GQ26, D12: an unfreezable character stays unfrozen after a solo attack only.
#[test]
fn unfreezable_protects_solo_attackers() {
    check(
        "phase attack; me a500~unfreezable b300",
        "attack a, attack b, pass, pass",
        "me.ring a500~unfreezable b300^",
    );
    check(
        "phase attack; me a500~unfreezable b300~unfreezable; me.sp 5",
        "attack a, join b, pass, pass",
        "me.ring a500^~unfreezable b300^~unfreezable",
    );
}

/// G60.4, GQ27: nobody attacks or counters any more when the turn is over.
#[test]
fn combat_marks_go_with_the_turn() {
    check(
        "phase attack; me a500; opp x900; me.sp 5",
        "attack a, pass, block x, pass",
        "me.ring; opp.ring x400; active opp",
    );
}

/// G52, GQ16, D34, T12: an extra turn is a turn like any other.
#[test]
fn an_extra_turn() {
    check(
        "phase attack; me a500; me.turns 1; me.played 1",
        "attack a, pass, pass",
        "active me; turn 4; me.played 0/1; me.ring a500; phase Main",
    );
    check(
        "phase attack; me a500; me.turns 1",
        "attack a, pass, pass, pass, pass",
        "active opp; turn 5",
    );
    // G52: what was owed before one's turn begins is lost.
    check("opp.turns 3", "pass, pass", "active me; turn 5");
}

/// G63, G22: turns alternate and are counted.
#[test]
fn turns_alternate() {
    check("turn 5", "pass", "active opp; turn 6");
    check("turn 5; active opp", "pass, pass", "active opp; turn 7");
}

/// G1, D9: rings of other sizes.
#[test]
fn rings_have_as_many_slots_as_the_game_says() {
    let constants = Constants {
        ring_slots: 2,
        ..Constants::default()
    };
    check_with(
        constants,
        "me a500; me.hand k500",
        "play k, !slot 1",
        "me.ring a500 k500*",
    );
}
