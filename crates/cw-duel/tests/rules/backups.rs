//! Back-ups (section 6).

use crate::{check, check_with};
use cw_duel::Constants;

/// G125.1: in one's own Main phase.
#[test]
fn backing_up_belongs_to_the_main_phase() {
    check("me a500{r}; me.hand k100:r", "?back k", "phase Main");
    check(
        "phase attack; me a500{r}; me.hand k100:r",
        "!back k",
        "phase Attack",
    );
    check(
        "phase attack; me a500; opp x400{r}; opp.hand k100:r",
        "attack a, pass, !back k",
        "decides opp",
    );
}

/// G125.2, G125.3, G125.7, C2: a character whose subtype is among the icons; whom is chosen.
#[test]
fn the_subtype_must_match_an_icon() {
    check(
        "me a500{r}; me.hand acta k100:b",
        "!back acta, !back k",
        "me.hand acta k",
    );
    check(
        "me a500{r} b300{b} c200{rb}; me.hand k100:b",
        "back k, !to a, ?to c, to b",
        "me.ring a500 b600+ c200; me.hand",
    );
    check(
        "me a500{r} b300{r}; me.hand k100:r",
        "back k, decline",
        "me.ring a500 b300; me.hand k; me.backed 0",
    );
    // Only one's own characters.
    check("opp x400{r}; me.hand k100:r", "!back k", "me.hand k");
}

/// G125.4, G125.5: neither frozen nor fresh, unless the rule allows it.
#[test]
fn frozen_and_fresh_characters_are_not_backed_up() {
    check("me a500{r}^; me.hand k100:r", "!back k", "me.hand k");
    check("me a500{r}*; me.hand k100:r", "!back k", "me.hand k");
    check(
        "me a500{r}*; me.hand k100:r; rule backup_fresh 1",
        "back k, to a",
        "me.ring a800*+",
    );
}

/// G125.6, T18: one back-up a turn, unless a rule or the character says otherwise.
#[test]
fn one_back_up_a_turn() {
    let hand = "me.hand k100:r l100:r";
    check(
        &format!("me a500{{rr}} b300{{r}}; {hand}"),
        "back k, to a, !back l",
        "me.ring a800+ b300; me.backed 1",
    );
    check(
        &format!("me a500{{rr}}~unlimitedbackup b300{{r}}; {hand}"),
        "back k, to b, back l, !to b, to a",
        "me.ring a800+~unlimitedbackup b600+",
    );
    check(
        &format!("me a500{{rr}} b300{{r}}; {hand}; rule backup_limit 0"),
        "back k, to a, back l, ?to b, to a",
        "me.ring a1100++ b300",
    );
}

/// G125.8, G129, GQ49, T18: never more than the icons of the subtype.
#[test]
fn each_icon_serves_once() {
    check(
        "me a500{rb}(k100:r); me.hand k100:r l100:b",
        "!back k, back l, to a",
        "me.ring a1100++",
    );
    check(
        "me a500{r}~unlimitedbackup; me.hand k100:r l100:r; rule backup_limit 0",
        "back k, to a, !back l",
        "me.ring a800+~unlimitedbackup",
    );
}

/// G126: +300 BP; no SP; it is no played character.
#[test]
fn a_back_up_raises_bp() {
    check(
        "me a500=250{r}; me.hand k900-9:r l500; me.sp 1",
        "back k, to a, ?play l",
        "me.ring a550+; me.sp 1; me.played 0/1; me.backed 1; me.hand l",
    );
    let constants = Constants {
        backup_bp: 150,
        ..Constants::default()
    };
    check_with(
        constants,
        "me a500{r}; me.hand k100:r",
        "back k, to a",
        "me.ring a650+",
    );
}

/// G254: from the removed pile too, while the rule says so.
#[test]
fn backing_up_from_the_removed_pile() {
    check("me a500{r}; me.removed k100:r", "!back k", "me.removed k");
    check(
        "me a500{r}; me.removed k100:r; rule play_removed 1",
        "back k, to a",
        "me.ring a800+; me.removed",
    );
}

/// G127: what is attached is in no ring and cannot act.
#[test]
fn back_ups_do_not_act() {
    check(
        "phase attack; me a500{r}(k900:r)",
        "!attack k, attack a, !join k, pass, pass",
        "opp.hp 2200",
    );
}

/// G128, G172, GQ31: all back-ups leave with their character and lie above it.
#[test]
fn back_ups_leave_with_their_character() {
    check(
        "phase attack; me a500; opp x100=100{rb}(k100:r/l100:b)",
        "attack a, pass, block x, pass",
        "opp.ring; opp.discards l k x",
    );
}
