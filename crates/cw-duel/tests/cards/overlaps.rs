//! What overlaps: changes that end in another order than they began, two departures in one unit, a loss of HP
//! inside another, and cards that went on to a shuffled deck.

use cw_stage::{check, go, holds, start};

/// D8, G38: a player who falls to 0 HP inside a command that damages the other has lost.
#[test]
fn a_loss_of_hp_inside_a_damage_counts() {
    let cards = "
        Martyr auto: auto = ~anyBeforeDamage~ loseLife(9999) to(me)
        Zap action: action = damage(100) to(opp)
    ";
    check(cards, "me Martyr; me.hand Zap", "play Zap", "winner opp");
    check(
        cards,
        "me Martyr; me.hand Zap; opp.hp 100",
        "play Zap",
        "winner nobody",
    );
}

const TIMED: &str = "
    Lord auto: abilities = pierce
    Free auto: abilities = unblockable
    Mute action: action = loseAbility() to(\"Lord\"@myRing) ueot
    MuteLong action: action = loseAbility() to(\"Lord\"@myRing) uynt
    MuteAll action: action = loseAbility() to(\"Lord\"@myRing)
    CopyLong action: action = copyAbility(getTargets('\"Free\"@anyRing')) to(\"Lord\"@myRing) uynt
    CopyAll action: action = copyAbility(getTargets('\"Free\"@anyRing')) to(\"Lord\"@myRing)
    Hen plain 700
    Cock plain 800
    ToHen action: action = transform(me.removed.0) to(\"Lord\"@myRing) ueot
    ToCock action: action = transform(me.removed.1) to(\"Hen\"@myRing) uynt
    ToCockAll action: action = transform(me.removed.1) to(\"Hen\"@myRing)
";

/// D26, R803: a change that ends under a newer one leaves that in force, and the newer one gives back what
/// the card had before both.
#[test]
fn timed_changes_end_in_any_order() {
    let rows = [
        ("Mute CopyLong", "Lord300@Free~unblockable", "Lord300~pierce"),
        (
            "Mute CopyAll",
            "Lord300@Free~unblockable",
            "Lord300@Free~unblockable",
        ),
        ("Mute MuteLong", "Lord300-", "Lord300~pierce"),
        ("Mute MuteAll", "Lord300-", "Lord300-"),
        ("MuteLong Mute", "Lord300-", "Lord300~pierce"),
    ];
    for (played, then, at_last) in rows {
        let mut play = start(TIMED, &format!("me Lord Free; me.hand {played}"));
        for card in played.split(' ') {
            go(&mut play, &format!("play {card}"));
        }
        go(&mut play, "pass, pass");
        holds(&play, &format!("turn 4; me.ring {then} Free300~unblockable"));
        go(&mut play, "pass, pass, pass");
        holds(&play, &format!("turn 6; me.ring {at_last} Free300~unblockable"));
    }
}

/// D26, G13, G248: the same for forms, of which the first original counts.
#[test]
fn timed_forms_end_in_any_order() {
    for (second, at_last) in [("ToCock", "Lord300~pierce"), ("ToCockAll", "Cock800")] {
        let mut play = start(
            TIMED,
            &format!("me Lord; me.removed Hen Cock; me.hand ToHen {second}"),
        );
        go(&mut play, &format!("play ToHen, play {second}, pass, pass"));
        holds(&play, "turn 4; me.ring Cock800");
        go(&mut play, "pass, pass, pass");
        holds(&play, &format!("turn 6; me.ring {at_last}"));
    }
}

/// G151, T6: an auto that heard `blocked` says nothing about piercing.
#[test]
fn an_auto_of_blocked_does_not_prevent_piercing() {
    let cards = "
        Watch auto: auto = ~blocked:any~ hp(+1) to(me)
        Away reaction: action = moveTo(myHand) to(character@myRing)
    ";
    for (third, hp) in [("Watch", 3001), ("Rook", 3000)] {
        check(
            cards,
            &format!("phase attack; me.sp 9; me a900 b500 {third}; opp Foe; opp.hand Away"),
            "attack a, join b, pass, block Foe, play Away, pass",
            &format!("opp.hp 1600; me.hp {hp}"),
        );
    }
}

/// G148, D64: the blocker that went into a shuffled deck is remembered, not the card that now has its index.
#[test]
fn a_blocker_in_a_deck_is_not_another_card() {
    let cards = "
        Spy auto: auto = ~blocked:any~ hp(+blocker.bp) to(me)
        Hide reaction: action = moveTo(myDeck) to(character@myRing); shuffle(myDeck)
        Big plain 900
    ";
    let mut bp = std::collections::BTreeSet::new();
    for seed in 0u64..20 {
        let mut play = start(cards, "phase attack; me Rook Spy; opp Big; opp.hand Hide");
        play.duel.reseed(seed.into());
        go(&mut play, "attack Rook, pass, block Big, play Hide, pass");
        bp.insert(play.duel.snapshot().players[cw_duel::Seat::One].hp);
    }
    assert_eq!(bp, [3900].into());
}

/// D2, D21: a listener that is registered by what waits in the queue hears the changes behind it.
#[test]
fn changes_behind_a_listener_are_heard() {
    let cards = "
        Recall action: action = moveTo(myHand) to(\"Rook\"@myRing;\"Leaver\"@myRing)
        Leaver auto: auto = ~leavesRing:this~ transform(me.removed.0) to(\"Wall\"@myRing)
        Ear auto: auto = ~myHandChanges~ damage(100) to(opp)
        Other auto: auto = ~myHandChanges~ hp(+1) to(me)
    ";
    for other in ["Other", "Knave"] {
        check(
            cards,
            &format!("me Rook Leaver Wall {other}; me.removed Ear; me.hand Recall"),
            "play Recall",
            "opp.hp 2800",
        );
    }
}

/// D19, G186: `:once` is once, also if two cards leave in one unit.
#[test]
fn once_is_once_in_a_unit() {
    let cards = "
        Once auto: auto = ~leavesRing:once~ hp(+100) to(me)
        Twice action: action = transform(me.removed.0) to(\"Once\"@myRing) & moveTo(myHand)
    ";
    check(
        cards,
        "me Once; me.removed Rook; me.hand Twice",
        "play Twice",
        "me.hp 3100",
    );
}

/// D87: a source that is lost in a deck stays so in the rule that it activates.
#[test]
fn a_lost_source_is_lost_in_what_it_activates() {
    let cards = "
        Later action: auto = ~myEndPhase:once~ activate(getTargets('\"Fetch\"@anyRing'));; action = draw(0)
        Fetch triggered: action = moveTo(myHand) to(this)
        Bury action: action = moveTo(myDeck,-1) to(\"Later\"@myDiscards); shuffle(myDeck)
    ";
    check(
        cards,
        "me Fetch; me.hand Later Bury",
        "play Later, play Bury, pass, pass",
        "turn 4; me.hand; me.decksize 11",
    );
}

/// G267: what is transformed in a deck is not known by its place there.
#[test]
fn a_card_transformed_in_a_deck_stays_hidden() {
    let cards = "
        Hen plain 700
        Morph action: action = transform(me.removed.0) to(\"Rook\"@myDeck)
    ";
    let mut play = start(cards, "me.hand Morph; me.removed Hen; me.deck Rook filler");
    go(&mut play, "play Morph");
    holds(&play, "opp.knows");
    // Drawn, it is still unknown to the opponent.
    go(&mut play, "pass, pass");
    holds(&play, "turn 5; me.hand Hen; opp.knows");
}

/// D37, D3, GQ42: without ability types a free action is an instant in everything: it is retried once, and no
/// more.
#[test]
fn a_free_action_is_an_instant() {
    let cards = "
        Half plain: action = draw(1); destroy() to(\"Big\"@oppRing)
        Give action: action = copyAbility(getTargets('\"Half\"@anyRing')) to(\"Rook\"@myRing)
    ";
    let mut play = start(cards, "me Rook* Half; me.hand Give");
    go(&mut play, "play Give, use Rook, !use Rook");
    holds(&play, "me.hand filler");
}

/// D12: `unfreezable` protects solo attackers, so not one that is made to join.
#[test]
fn a_joined_attacker_freezes() {
    let cards = "
        Firm auto: abilities = unfreezable
        Bind reaction: action = unite() to(characters[attack]@oppRing)
    ";
    check(
        cards,
        "phase attack; me.sp 9; me Firm Rook; opp.hand Bind",
        "attack Firm, attack Rook, pass, play Bind, pass",
        "turn 4; me.ring Firm300^~unfreezable Rook300^",
    );
}

/// D34, D21: `peek` looks at the hands of all its players, and a move within the removed pile is no arrival.
#[test]
fn peek_and_removed() {
    let cards = "
        Look action: action = peek() to(players)
        Again action: action = moveTo(myRemoved) to(cards@myRemoved)
        Ear auto: auto = ~removed:any~ hp(+1) to(me)
    ";
    let mut play = start(cards, "me.hand Look; opp.hand Knave");
    go(&mut play, "play Look");
    holds(&play, "me.knows Knave");
    check(
        cards,
        "me Ear; me.hand Again; me.removed filler",
        "play Again",
        "me.hp 3000",
    );
}

/// D13: the limit of a unit are its steps, not how many events wait.
#[test]
fn a_wiped_out_board_is_wiped_out() {
    let cards = "
        Any auto: auto = ~leavesRing:any~ hp(+1) to(me)
        Tiny plain 100 bell
        Wipe action: action = destroy() to(characters)
    ";
    check(
        cards,
        "me Any(filler/filler/Tiny) Any(filler/filler/Tiny) Any(filler/filler/Tiny) Any(filler/filler/Tiny); \
         opp Any Any Any; me.hand Wipe",
        "play Wipe",
        "me.ring; opp.ring",
    );
}
