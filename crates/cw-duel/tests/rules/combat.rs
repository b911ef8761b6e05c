//! Combat, damage and KO (sections 9 and 10).

use crate::{check, check_with};
use cw_duel::Constants;

/// G153, G160.4: an unblocked attack takes its BP from the defender's HP.
#[test]
fn unblocked_attacks_hit_the_player() {
    check(
        "phase attack; me a500",
        "attack a, pass, pass",
        "opp.hp 2500; me.hp 3000",
    );
    check(
        "phase attack; me a500 b300 c200; me.sp 10",
        "attack a, join b, join c, pass, pass",
        "opp.hp 2000",
    );
}

/// G151.4–G151.6, G155, G159: blocked, both are dealt the other's BP; nothing goes through.
#[test]
fn blocked_attacks_hit_the_blocker() {
    check(
        "phase attack; me a500; opp x400",
        "attack a, pass, block x, pass",
        "me.ring a100^; opp.ring; opp.discards x; opp.hp 3000",
    );
    check(
        "phase attack; me a400; opp x500",
        "attack a, pass, block x, pass",
        "me.ring; me.discards a; opp.ring x100",
    );
    check(
        "phase attack; me a400; opp x400",
        "attack a, pass, block x, pass",
        "me.ring; opp.ring",
    );
    // G159: amounts are not rounded.
    check(
        "phase attack; me a500=475; opp x400=123",
        "attack a, pass, block x, pass",
        "me.ring a352^; opp.ring",
    );
}

/// G151, G150, G158, T3: the worked examples of a United Attack of 500, 300 and 200.
#[test]
fn a_blocked_united_attack() {
    let united = |blocker: &str, facts: &str| {
        check(
            &format!("phase attack; me a500 b300 c200; me.sp 10; opp {blocker}"),
            "attack a, join b, join c, pass, block x, pass",
            facts,
        );
    };
    united("x400", "me.ring a100^ b300^ c200^; opp.ring; opp.hp 2400");
    united("x700", "me.ring . b100^ c200^; opp.ring; opp.hp 2700");
    united("x1200", "me.ring; opp.ring x200; opp.hp 3000");
    // The blocker as strong as all: no rest, no piercing.
    united("x1000", "me.ring; opp.ring; opp.hp 3000");
    united("x800", "me.ring . . c200^; opp.ring; opp.hp 2800");
    united("x801", "me.ring . . c199^; opp.ring; opp.hp 2801");
}

/// G134, G151.7: followers take the rest in the order of joining, not of slots.
#[test]
fn followers_are_hit_in_the_order_of_joining() {
    check(
        "phase attack; me a500 b300 c200; me.sp 10; opp x650",
        "attack a, join c, join b, pass, block x, pass",
        "me.ring . b300^ c50^; opp.hp 2650",
    );
}

/// G151.8, G152, T3: a solo attack pierces with the keyword only.
#[test]
fn piercing() {
    check(
        "phase attack; me a1000~pierce; opp x400",
        "attack a, pass, block x, pass",
        "opp.hp 2400",
    );
    check(
        "phase attack; me a1000~pierce; opp x400; rule piercing 0",
        "attack a, pass, block x, pass",
        "opp.hp 3000",
    );
    check(
        "phase attack; me a400~pierce; opp x400",
        "attack a, pass, block x, pass",
        "opp.hp 3000",
    );
    check(
        "phase attack; me a500 b300; me.sp 5; opp x400; rule piercing 0",
        "attack a, join b, pass, block x, pass",
        "opp.hp 3000",
    );
}

/// G151.8, G152, T22: who prevents piercing by a United Attack, but not by a lead that pierces.
#[test]
fn preventing_piercing() {
    check(
        "phase attack; me a500 b300; me.sp 5; opp x400~preventpierce",
        "attack a, join b, pass, block x, pass",
        "opp.hp 3000; opp.ring",
    );
    check(
        "phase attack; me a500~pierce b300; me.sp 5; opp x400~preventpierce",
        "attack a, join b, pass, block x, pass",
        "opp.hp 2600",
    );
}

/// G157, T23: nothing is dealt while the rule is off; attackers freeze all the same.
#[test]
fn a_rule_stops_combat_damage() {
    check(
        "phase attack; me a500 b300; opp x400; rule dmg_combat_deal 0",
        "attack a, attack b, pass, block x, to a, pass",
        "me.ring a500^ b300^; opp.ring x400; opp.hp 3000",
    );
}

/// G155, G57, D7, GQ13: one attack after another, in slot order.
#[test]
fn attacks_are_resolved_in_slot_order() {
    // The first attack ends the duel before the second one is fought.
    check(
        "phase attack; me a300 b500; opp.hp 300; opp x100",
        "attack b, attack a, pass, block x, to b, pass",
        "winner me; opp.ring x100#; me.ring a300^! b500^!",
    );
}

/// D2, GQ3, G169, G172: after combat the KOed leave, to their controller's discards.
#[test]
fn the_knocked_out_leave_after_combat() {
    check(
        "phase attack; me a500 b300; opp x500 y300; opp.discards z100",
        "attack a, attack b, pass, block x, to a, block y, pass",
        "me.ring; opp.ring; me.discards b a; opp.discards y x z",
    );
}

/// G160.6, G161, T20: combat damage, piercing too, is no non-combat damage.
#[test]
fn combat_damage_is_combat_damage() {
    check(
        "phase attack; me a500; opp.skips activate",
        "attack a, pass, pass",
        "opp.hurt false; opp.hp 2500",
    );
}

/// G3, G160.4: HP never fall below 0.
#[test]
fn hp_stop_at_zero() {
    check(
        "phase attack; me a500; opp.hp 100",
        "attack a, pass, pass",
        "opp.hp 0; winner me",
    );
}

/// D15: BP stay within 32 bits.
#[test]
fn huge_bp_saturate() {
    check(
        "phase attack; me a2147483647 b2147483647; me.sp 5; opp x1",
        "attack a, join b, pass, pass",
        "opp.hp 0; winner me",
    );
    let constants = Constants {
        backup_bp: i32::MAX,
        ..Constants::default()
    };
    check_with(
        constants,
        "me a500{r}; me.hand k100:r",
        "back k, to a",
        "me.ring a2147483647+",
    );
}

/// G14, G159: damage stays until the character leaves.
#[test]
fn damage_stays() {
    check(
        "phase attack; me a500; opp x600",
        "attack a, pass, block x, pass, pass, pass",
        "opp.ring x100; turn 5",
    );
}
