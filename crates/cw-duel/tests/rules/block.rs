//! Counter-attacks (section 8).

use crate::check;

/// G144.1, G144.2: own characters of the defender, in the Counter-attack phase.
#[test]
fn the_defender_blocks() {
    check(
        "phase attack; me a500 b300; opp x400",
        "!block x, attack a, pass, ?block x, !block b",
        "decides opp",
    );
}

/// G144.3, G146: frozen characters do not block, fresh ones do.
#[test]
fn frozen_characters_do_not_block() {
    check(
        "phase attack; me a500; opp x400^ y300*",
        "attack a, pass, !block x, block y",
        "opp.ring x400^ y300*#",
    );
}

/// G144.4: who cannot block.
#[test]
fn a_keyword_forbids_blocks() {
    check(
        "phase attack; me a500; opp x400~cantblock y300",
        "attack a, pass, !block x, ?block y",
        "decides opp",
    );
}

/// G144.5, G148: a block is cancelled, and nothing of it remains.
#[test]
fn a_block_is_cancelled() {
    check(
        "phase attack; me a500; opp x400 y300",
        "attack a, pass, block x, !block y, unblock x, block y, pass",
        "opp.ring x400; opp.hp 3000; me.ring a200^",
    );
}

/// G144.6, G144.7, G146, C5: one blocker for an attacker, one attacker for a blocker; chosen if
/// there are several.
#[test]
fn one_blocker_for_an_attacker() {
    check(
        "phase attack; me a500 b300; opp x400 y300 z100",
        "attack a, attack b, pass, block x, ?to a, to b, !block x, block y, !block z",
        "opp.ring x400# y300# z100",
    );
    check(
        "phase attack; me a500 b300; opp x400",
        "attack a, attack b, pass, block x, decline, pass",
        "opp.hp 2200; opp.ring x400",
    );
}

/// G144.8: who cannot be blocked.
#[test]
fn unblockable_attackers() {
    check(
        "phase attack; me a500~unblockable b300; opp x400",
        "attack a, pass, !block x",
        "decides opp",
    );
    check(
        "phase attack; me a500~unblockable b300; opp x400",
        "attack a, attack b, pass, block x, pass",
        "opp.hp 2500; opp.ring x100",
    );
}

/// G138: of a United Attack only the lead is blocked.
#[test]
fn followers_are_not_blocked() {
    check(
        "phase attack; me a500 b300 c200; me.sp 5; opp x400 y100",
        "attack a, join b, attack c, pass, block x, !to b, to a, block y",
        "opp.ring x400# y100#",
    );
}
