//! Sections 3 and 4 of the game's rules: the turn, and playing cards.

use cw_stage::{check, go, holds, triggered};

/// G54, GQ3: the Attack phase dispatches nothing and finds nobody at 0 BP; actions are gone already.
#[test]
fn the_attack_phase_begins_silently() {
    let cards = "
        Ear auto: auto = ~activatePhase, drawPhase, blockPhase, endPhase, cleanupPhase~ hp(+1) to(me)
        Spark action: action = damage(300) to(\"Foe\")
    ";
    let mut play = check(
        cards,
        "me Ear; opp Foe; me.hand Spark",
        "play Spark",
        "opp.ring; me.discards Spark; phase Main",
    );
    go(&mut play, "pass");
    holds(&play, "phase Attack; me.hp 3000");
    assert_eq!(triggered(&play, "Ear"), 0);
}

/// G61, GQ27: attack and block marks still hold during `cleanupPhase`, for both players' cards; they
/// are gone when the next turn begins.
#[test]
fn cleanup_effects_see_the_fight() {
    let cards = "
        Note auto: auto = ~anyCleanupPhase~ hp(+100 * _b.size + 10 * _a.size) to(me);; \
            vars = _b := getTargets('characters[block]'); _a := getTargets('characters[attack]')
    ";
    let mut play = check(
        cards,
        "phase attack; me Rook Note; opp Wall=900",
        "attack Rook, pass, block Wall, pass",
        "turn 4; me.hp 3100; opp.ring Wall600",
    );
    // The attacker fell; the blocker's mark counted. In the next turn there is neither.
    go(&mut play, "pass, pass");
    holds(&play, "turn 5; opp.hp 3000; me.hp 3100");
    check(
        cards,
        "phase attack; me Rook Note",
        "attack Rook, pass, pass",
        "me.hp 3010; turn 4; me.ring Rook300^ Note300",
    );
}

/// G62, G115, GQ6: a member of the United Attack stays silent through Cleanup, and speaks again in the
/// next turn.
#[test]
fn members_are_silent_through_cleanup() {
    let cards = "Monk auto: auto = ~anyCleanupPhase~ hp(+100) to(me)";
    let mut play = check(
        cards,
        "phase attack; me.sp 5; me Rook Monk",
        "attack Rook, join Monk, pass, pass",
        "turn 4; me.hp 3000; opp.hp 2400",
    );
    assert_eq!(triggered(&play, "Monk"), 0);
    go(&mut play, "pass, pass");
    holds(&play, "turn 5; opp.hp 2500");
    assert_eq!(triggered(&play, "Monk"), 1);
}

/// G68, G69, G92: an instant acts right after entering; then come `handChanges` and `ringChanges`.
#[test]
fn deferred_events_come_after_the_instant() {
    let cards = "
        Herald instant: action = sp(+1) to(me)
        Tens auto: auto = ~myHandChanges~ sp(=me.sp * 10) to(me)
        Plus auto: auto = ~myRingChanges~ sp(+me.ring.size) to(me)
    ";
    check(
        cards,
        "me Tens; me.hand Herald",
        "play Herald, slot 2",
        "me.sp 10; me.ring Tens300 Herald300*%",
    );
    check(cards, "me Plus; me.hand Herald", "play Herald, slot 2", "me.sp 3");
    // First the hand's, then the ring's: (1 · 10) + 3.
    check(
        cards,
        "me Plus Tens; me.hand Herald",
        "play Herald, slot 3",
        "me.sp 13",
    );
}

/// G90, G91, GQ4, D1: an action lies in the discards when its unit is over, resolved or not, and is
/// never tried again.
#[test]
fn an_action_is_played_once() {
    let cards = "
        Lost action -1: requisite = character@oppRing;; action = hp(+100) to(me)
        Good action -1: action = hp(+100) to(me)
    ";
    check(
        cards,
        "me.hand Lost Good; me.sp 2",
        "play Lost, !use Lost, !play Lost",
        "me.discards Lost; me.sp 1; me.hp 3000; phase Main",
    );
    check(
        cards,
        "me.hand Lost Good; me.sp 2",
        "play Good",
        "me.discards Good; me.hp 3100",
    );
    // While it works it lies in no pile that cards can see.
    let cards = "Look action: action = hp(+100 + 10 * me.discards.size) to(me)";
    check(cards, "me.hand Look", "play Look", "me.hp 3100; me.discards Look");
    // A reaction of the defender in the same way.
    let cards = "Late reaction: requisite = character@myRing;; action = hp(+100) to(me)";
    check(
        cards,
        "phase attack; me Rook; opp.hand Late",
        "attack Rook, pass, play Late, !use Late, !play Late",
        "opp.discards Late; opp.hp 3000",
    );
}

/// GQ28: phases go forward: nothing leads back.
#[test]
fn no_phase_comes_twice() {
    let play = check(
        "",
        "me Rook; me.hand filler",
        "?play filler, pass, !play filler, ?attack Rook, pass",
        "turn 4; active opp",
    );
    let phases: Vec<cw_duel::Phase> = play
        .events
        .iter()
        .filter_map(|event| match event {
            cw_duel::DuelEvent::PhaseBegan { phase } => Some(*phase),
            _ => None,
        })
        .take_while(|phase| *phase != cw_duel::Phase::Activate)
        .collect();
    assert!(phases.is_sorted() && phases.len() == 3, "{phases:?}");
}

/// GQ29: the voluntary actions are those of the rules; nobody freezes, KOs or passes a turn by hand.
#[test]
fn there_are_no_manual_changes() {
    let play = check(
        "Well triggered: action = sp(+1) to(me)",
        "me Well Rook; opp Foe; me.hand filler",
        "",
        "asks Main",
    );
    let mut offered = cw_stage::offered(&play);
    offered.sort();
    assert_eq!(offered, ["back filler", "pass", "play filler", "use Well"]);
}

/// GQ34, G39: running out of cards loses at the normal draw only.
#[test]
fn an_empty_deck_loses_at_the_draw_only() {
    let cards = "
        Empty action: action = trash(20); draw(5) to(me)
    ";
    let mut play = check(
        cards,
        "me.hand Empty; me Rook",
        "play Empty, pass, pass",
        "me.decksize 0; winner; turn 4; active opp",
    );
    go(&mut play, "pass");
    holds(&play, "winner opp; turn 5");
}

/// D69, G44: what is counted per turn is reset before the Activate phase's events.
#[test]
fn a_turn_counts_from_before_its_first_event() {
    let cards = "
        Zap action: action = damage(100) to(opp); sp(-2) to(me)
        Hurt auto: auto = ~anyActivatePhase~ [[if me.ncDamaged or opp.ncDamaged]] hp(+1) to(this.controller)
        Poor auto: auto = ~anyActivatePhase~ [[if me.lostSP + opp.lostSP > 0]] hp(+10) to(this.controller)
        More auto: auto = ~anyActivatePhase~ playExtraChar()
    ";
    check(
        cards,
        "me Hurt Poor; me.sp 5; me.hand Zap",
        "play Zap",
        "opp.hurt true; me.lost 2",
    );
    check(
        cards,
        "me Hurt Poor Rook; me.sp 5; me.hand Zap",
        "play Zap, pass, pass",
        "turn 4; me.hp 3000; opp.hurt false; me.lost 0",
    );
    // What the events do to the counters of the new turn stays.
    check(
        cards,
        "me Rook; opp More; me.hand Knave; me.backed 1",
        "play Knave, slot 2, pass, pass",
        "turn 4; opp.played 0/2; me.played 0/1; me.backed 0",
    );
}
