//! Attacks and United Attacks (section 7).

use crate::{check, check_with};
use cw_duel::Constants;

/// G130.1, G130.2: own characters, in the Attack phase.
#[test]
fn attacks_are_declared_in_the_attack_phase() {
    check(
        "me a500; opp x400",
        "!attack a, pass, ?attack a, !attack x",
        "phase Attack",
    );
}

/// G130.3: the rule of attacking.
#[test]
fn a_rule_forbids_attacks() {
    check(
        "phase attack; me a500; rule attack 0",
        "!attack a, pass",
        "active opp",
    );
}

/// G130.4, G259: who cannot attack.
#[test]
fn a_keyword_forbids_attacks() {
    check(
        "phase attack; me a500~cantattack b300",
        "!attack a, ?attack b",
        "phase Attack",
    );
}

/// G130.5, G140: an attacker may be taken out again.
#[test]
fn an_attack_is_cancelled() {
    check(
        "phase attack; me a500 b300",
        "attack a, !attack a, attack b, cancel a, ?attack a, pass, pass",
        "me.ring a500 b300^; opp.hp 2700",
    );
}

/// G130.6, G130.7, T1: neither fresh nor frozen.
#[test]
fn fresh_and_frozen_characters_do_not_attack() {
    check(
        "phase attack; me a500* b300^ c200",
        "!attack a, !attack b, ?attack c",
        "phase Attack",
    );
}

/// G130, G131: any number attacks.
#[test]
fn everybody_may_attack() {
    check(
        "phase attack; me a500 b300 c200 d100",
        "attack a, attack b, attack c, attack d, pass, pass",
        "opp.hp 1900; me.ring a500^ b300^ c200^ d100^",
    );
}

/// G132: nobody attacks, so nobody can be joined.
#[test]
fn joining_needs_an_attacker() {
    check(
        "phase attack; me a500 b300; me.sp 10",
        "!join a, !join b, attack a, !join a, ?join b",
        "phase Attack",
    );
}

/// G133.2–G133.5, GQ12: rule, fresh, frozen, already attacking.
#[test]
fn who_may_join() {
    check(
        "phase attack; me a500 b300* c200^ d100; me.sp 10",
        "attack a, !join b, !join c, ?join d, attack d, !join d, cancel d, ?join d",
        "phase Attack",
    );
}

/// G133.4, G259, T7: who cannot attack may join, and stops when the United Attack dissolves.
#[test]
fn a_character_that_cannot_attack_may_join() {
    let position = "phase attack; me a500 b300~cantattack c200; me.sp 10";
    check(
        position,
        "attack a, join b, pass, pass",
        "opp.hp 2200; me.ring a500^ b300^~cantattack c200",
    );
    check(
        position,
        "attack a, join b, cancel a",
        "me.ring a500 b300~cantattack c200",
    );
    check(
        position,
        "attack a, join b, join c, cancel a",
        "me.ring a500 b300~cantattack c200!",
    );
}

/// G133.6, C4: whom to join is chosen among several attackers.
#[test]
fn the_lead_is_chosen() {
    check(
        "phase attack; me a500 b300 c200; me.sp 10",
        "attack a, attack b, join c, ?to a, to b",
        "me.ring a500! b300! c200&",
    );
    check(
        "phase attack; me a500 b300 c200; me.sp 10",
        "attack a, attack b, join c, decline",
        "me.ring a500! b300! c200",
    );
}

/// G133.7, G23: one United Attack a turn; whoever joins joins it.
#[test]
fn one_united_attack_a_turn() {
    check(
        "phase attack; me a500 b300 c200 d100; me.sp 10",
        "attack a, join b, attack c, join d",
        "me.ring a500! b300& c200! d100&",
    );
}

/// G133.8, G1: two followers at most.
#[test]
fn two_followers_at_most() {
    check(
        "phase attack; me a500 b300 c200 d100; me.sp 100",
        "attack a, join b, join c, !join d, ?attack d",
        "me.ring a500! b300& c200& d100",
    );
    let constants = Constants {
        united_followers: 1,
        ..Constants::default()
    };
    check_with(
        constants,
        "phase attack; me a500 b300 c200; me.sp 100",
        "attack a, join b, !join c",
        "phase Attack",
    );
}

/// G133.9, G135: SP must be there when joining, but are not taken then.
#[test]
fn joining_needs_sp() {
    check(
        "phase attack; me a500 b300; me.sp 4",
        "attack a, !join b",
        "me.sp 4",
    );
    check(
        "phase attack; me a500 b300 c200; me.sp 9",
        "attack a, join b, !join c",
        "me.sp 9",
    );
    check(
        "phase attack; me a500 b300 c200; me.sp 10",
        "attack a, join b, join c",
        "me.sp 10",
    );
}

/// G137, G56.1, T4: paid once, at the start of the Counter-attack phase.
#[test]
fn a_united_attack_is_paid_once() {
    check(
        "phase attack; me a500 b300; me.sp 12; opp x100",
        "attack a, join b, pass",
        "me.sp 7; phase Counter-attack",
    );
    check(
        "phase attack; me a500 b300 c200; me.sp 12; opp x100",
        "attack a, join b, join c, pass, pass",
        "me.sp 2",
    );
    // G143, G136: what is taken out before is not paid.
    check(
        "phase attack; me a500 b300; me.sp 12",
        "attack a, join b, cancel b, pass, pass",
        "me.sp 12; opp.hp 2500",
    );
}

/// G137, G86, G80, T4: other costs for two and for three.
#[test]
fn modified_costs_of_united_attacks() {
    let costs = "cost ua2 =0; cost ua3 =-5";
    check(
        &format!("phase attack; me a500 b300; me.sp 2; {costs}"),
        "attack a, join b, pass",
        "me.sp 2",
    );
    check(
        &format!("phase attack; me a500 b300 c200; me.sp 6; {costs}"),
        "attack a, join b, join c, pass",
        "me.sp 1",
    );
    check(
        &format!("phase attack; me a500 b300 c200; me.sp 4; {costs}"),
        "attack a, join b, !join c, pass",
        "me.sp 4",
    );
    // G86: a cost changed to a gain is gained.
    check(
        "phase attack; me a500 b300; cost ua2 +8",
        "attack a, join b, pass",
        "me.sp 3",
    );
}

/// G140, G141, D12: cancelling rearranges.
#[test]
fn cancelling_rearranges() {
    let position = "phase attack; me a500 b300 c200; me.sp 10";
    // A follower of two: the lead attacks alone.
    check(position, "attack a, join b, cancel b", "me.ring a500! b300 c200");
    // The lead of two: the follower attacks alone.
    check(position, "attack a, join b, cancel a", "me.ring a500 b300! c200");
    // A follower of three: the others go on.
    check(
        position,
        "attack a, join b, join c, cancel b, pass, pass",
        "me.ring a500^ b300 c200^; opp.hp 2300; me.sp 5",
    );
    // The lead of three: it dissolves.
    check(
        position,
        "attack a, join b, join c, cancel a",
        "me.ring a500 b300! c200!",
    );
    // G23: after that, another United Attack may form.
    check(
        position,
        "attack a, join b, cancel a, join a",
        "me.ring a500& b300! c200",
    );
}

/// G140: who was taken out may do everything anew.
#[test]
fn a_follower_may_attack_alone_after_all() {
    check(
        "phase attack; me a500 b300; me.sp 5",
        "attack a, join b, cancel b, attack b, pass, pass",
        "opp.hp 2200; me.sp 5",
    );
}
