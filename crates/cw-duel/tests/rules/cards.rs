//! Playing cards (section 4).

use crate::check;

/// G65.1, G51, G87: characters are played in one's own Main phase only.
#[test]
fn characters_are_played_in_the_main_phase() {
    check("me.hand k500", "?play k", "phase Main");
    check("me a500; phase attack; me.hand k500", "!play k", "phase Attack");
    check(
        "me a500; phase attack; opp.hand k500; opp x400",
        "attack a, pass, !play k",
        "decides opp",
    );
}

/// A player plays one character a turn (G65.2, G1, G66).
#[test]
fn one_character_a_turn() {
    check(
        "me.hand k500 l500",
        "play k, slot 1, !play l",
        "me.ring k500*; me.played 1/1",
    );
}

/// A character is played only if its printed BP are below the lowest limit (G65.3).
#[test]
fn a_limit_of_bp_for_characters() {
    let rules = "rule play_char_bp_limit 600; rule play_char_bp_limit 500";
    check(
        &format!("me.hand k500 l499; {rules}"),
        "!play k, ?play l",
        "phase Main",
    );
}

/// A character cannot be played into a full ring (G65.4).
#[test]
fn a_full_ring_takes_nobody() {
    check("me a500 b500 c500 d500; me.hand k500", "!play k", "me.hand k");
}

/// G65.5, C1: the slot is chosen, unless only one is empty; declining takes the play back (D3).
#[test]
fn the_slot_is_chosen() {
    check(
        "me a500 . b500; me.hand k500-2; me.sp 2",
        "play k, !slot 1, !slot 3, ?slot 2, slot 4",
        "me.ring a500 . b500 k500*; me.sp 0",
    );
    check(
        "me a500 . b500 c500; me.hand k500",
        "play k",
        "me.ring a500 k500* b500 c500",
    );
    check(
        "me.hand k500+3; me.sp 1",
        "play k, decline, ?play k",
        "me.ring; me.hand k; me.sp 1; me.played 0/1",
    );
}

/// G65.7, G75, G76: a positive value is gained, a negative one must be there.
#[test]
fn characters_cost_or_give_sp() {
    check("me.hand k500-3; me.sp 2", "!play k", "me.sp 2");
    check("me.hand k500-3; me.sp 3", "play k, slot 1", "me.sp 0");
    check("me.hand k500+4; me.sp 3", "play k, slot 1", "me.sp 7");
    check("me.hand k500; me.sp 0", "play k, slot 1", "me.sp 0");
}

/// G66, G95, G48, T1: a character is fresh until its controller's next Activate phase.
#[test]
fn a_character_enters_fresh() {
    let position = "me.hand k500; me b300";
    check(
        position,
        "play k, slot 2, pass, !attack k, ?attack b",
        "me.ring b300 k500*",
    );
    check(
        position,
        "play k, slot 2, pass, pass, pass, pass, ?attack k",
        "turn 5; me.ring b300 k500",
    );
    // It is still fresh in the opponent's turn.
    check(
        position,
        "play k, slot 2, pass, pass",
        "turn 4; me.ring b300 k500*",
    );
}

/// G70, G71, D1, GQ4: an Action is paid, acts, and goes to the discards at once.
#[test]
fn actions_go_to_the_discards() {
    check(
        "me.hand acta-3 actb-3; me.sp 4",
        "play acta, !play actb",
        "me.discards acta; me.sp 1; me.hand actb",
    );
    // G74: any number.
    check(
        "me.hand acta-1 actb-1 actc; me.sp 2",
        "play acta, play actb, play actc",
        "me.discards actc actb acta; me.sp 0",
    );
    // G76: an Action may give SP as well.
    check("me.hand acta+2", "play acta", "me.sp 2");
}

/// G70.1, G72.2: players who cannot play them.
#[test]
fn keywords_forbid_actions_and_reactions() {
    check(
        "me.hand acta; me.keyword cantplayac",
        "!play acta",
        "me.hand acta",
    );
    check(
        "phase attack; me a500; opp.hand reaa; opp.keyword cantplayre",
        "attack a, pass, !play reaa",
        "decides opp",
    );
}

/// G72, G73, G74: Reactions in the defender's window, between blocks too.
#[test]
fn reactions_are_played_by_the_defender() {
    check("me.hand reaa; opp.hand reab", "!play reaa", "decides me");
    check(
        "phase attack; me a500 b300; opp x400; opp.hand reaa-1 reab-1 reac-1; opp.sp 2",
        "attack a, pass, play reaa, block x, play reab, !play reac, unblock x, pass",
        "opp.discards reab reaa; opp.sp 0; opp.hp 2500",
    );
}

/// G254, G64: cards are played from the removed pile while the rule says so.
#[test]
fn playing_from_the_removed_pile() {
    check("me.removed k500 acta", "!play k, !play acta", "me.removed k acta");
    check(
        "me.removed k500 acta; rule play_removed 1",
        "play acta, play k, slot 1",
        "me.removed; me.ring k500*; me.discards acta",
    );
}

/// G79–G83, G85, T2: what changes of costs do to a printed value.
#[test]
fn modified_costs() {
    let amount = |printed: &str, changes: &[&str]| {
        let kind = if printed.starts_with("act") {
            "action"
        } else {
            "character"
        };
        let costs: Vec<String> = changes
            .iter()
            .map(|change| format!("cost {kind} {change}"))
            .collect();
        let name = if kind == "action" { "acta" } else { "k" };
        let position = format!("me.hand {printed}; me.sp 10; {}", costs.join(";"));
        (
            position,
            format!("play {name}{}", if kind == "action" { "" } else { ", slot 1" }),
        )
    };
    for (printed, changes, result) in [
        ("acta-3", &["+2"][..], -1),
        ("acta-1", &["+2"], -1),
        ("acta-2", &["+3"], -1),
        ("acta", &["+2"], 0),
        ("acta", &["-3"], -3),
        ("acta-4", &["=0"], 0),
        ("acta-4", &["=0", "+2"], 0),
        ("acta-4", &["=0", "-3"], -3),
        ("acta-4", &["=-2", "=-6"], -6),
        ("k500+4", &["-6"], -2),
        ("k500+4", &["+1"], 4),
        ("k500-4", &["+1", "+2"], -1),
        ("k500-4", &["-2", "-2"], -8),
    ] {
        let (position, choices) = amount(printed, changes);
        check(&position, &choices, &format!("me.sp {}", 10 + result));
    }
}

/// G84: changes of costs bind both players; G65.7 looks at the changed value.
#[test]
fn a_changed_cost_must_be_payable() {
    check("me.hand acta-3; me.sp 3; cost action -1", "!play acta", "me.sp 3");
    check(
        "active opp; opp.hand acta-3; opp.sp 2; cost action +1",
        "play acta",
        "opp.sp 0",
    );
    check(
        "phase attack; me a500; opp.hand reaa-2; opp.sp 2; cost reaction -1",
        "attack a, pass, !play reaa",
        "opp.sp 2",
    );
}

/// G77: paying is no loss of SP, and SP never fall below 0 (G3).
#[test]
fn equal_cards_are_one_option() {
    check(
        "me.hand k500 k500 k500",
        "play k, slot 1",
        "me.hand k k; me.ring k500*",
    );
}
