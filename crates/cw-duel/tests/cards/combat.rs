//! Sections 7 to 10 of the game's rules, where cards change a fight.

use cw_stage::{check, triggered};

/// G142, D12: in combat membership is fixed: a follower that left after the blow was measured counts;
/// when the lead has left, nothing is dealt.
#[test]
fn membership_is_fixed_in_combat() {
    let cards = "
        Net auto: auto = ~blocks:this~ moveTo(ctrlHand) to(attacker)
        Hook auto: auto = ~blocks:this~ moveTo(ctrlHand) to(\"Fol\")
    ";
    let united = "attack Lead, join Fol, pass";
    check(
        cards,
        "phase attack; me.sp 5; me Lead Fol; opp Net",
        &format!("{united}, block Net, pass"),
        "opp.hp 3000; opp.ring Net300; me.ring . Fol300^; me.hand Lead",
    );
    // G150: lead 300 and follower 300 were captured before; 300 go through.
    check(
        cards,
        "phase attack; me.sp 5; me Lead Fol; opp Hook",
        &format!("{united}, block Hook, pass"),
        "opp.hp 2700; opp.ring; me.ring; me.hand Fol; me.discards Lead",
    );
    // In the Counter-attack phase the others go on (G141, GQ11).
    let cards = "Pull reaction: action = moveTo(ctrlHand) to(\"Lead\")";
    check(
        cards,
        "phase attack; me.sp 5; me Lead Fol; opp.hand Pull",
        &format!("{united}, play Pull, pass"),
        "opp.hp 2700; me.ring . Fol300^; me.sp 0",
    );
}

/// G154: what pierces is no `playerCombatDamaged`; an unblocked attack is.
#[test]
fn piercing_is_not_heard_as_combat_damage() {
    let cards = "
        Lance auto 900: abilities = pierce;; auto = ~playerCombatDamaged:this~ hp(+1) to(me)
    ";
    let play = check(
        cards,
        "phase attack; me Lance; opp Foe",
        "attack Lance, pass, block Foe, pass",
        "opp.hp 2400; me.hp 3000",
    );
    assert_eq!(triggered(&play, "Lance"), 0);
    check(
        cards,
        "phase attack; me Lance; opp Foe",
        "attack Lance, pass, pass",
        "opp.hp 2100; me.hp 3001",
    );
}

/// G156, D2: who fell in combat still stands until it is over, but hears nothing.
#[test]
fn the_fallen_stand_until_combat_is_over() {
    let cards = "
        Last auto: auto = ~playerCombatDamaged:this~ hp(+1000 * opp.ring.size) to(me)
        Dying auto 100: auto = ~playerCombatDamaged:any~ hp(+1) to(me)
    ";
    // Rook meets Foe and both fall; the second attack still counts both as standing.
    let play = check(
        cards,
        "phase attack; me Rook Last; opp Dying=300 Foe",
        "attack Rook, attack Last, pass, block Dying, to Rook, pass",
        "me.hp 5000; opp.ring . Foe300; opp.hp 2700; me.ring . Last300^",
    );
    assert_eq!(triggered(&play, "Dying"), 0);
}

/// G163: gained HP have no limit and win nothing; a negative amount is life lost.
#[test]
fn hp_are_added_without_limit() {
    let cards = "
        Feast action: action = hp(+9000) to(me)
        Bleed action: action = hp(-500) to(opp)
        End action: action = hp(-9000) to(opp)
    ";
    check(cards, "me.hand Feast", "play Feast", "me.hp 12000; winner");
    check(
        cards,
        "me.hand Bleed",
        "play Bleed",
        "opp.hp 2500; opp.hurt false",
    );
    check(cards, "me.hand End", "play End", "opp.hp 0; winner me");
}

/// G166, G167, G168, GQ30: BP are added, multiplied and set; only setting rounds, there is no upper
/// limit, and cards that are no characters are passed over.
#[test]
fn bp_are_changed() {
    let cards = "
        Add action: action = bp(+25) to(characters)
        Times action: action = bp(x3) to(characters)
        Low action: action = bp(=149) to(characters)
        High action: action = bp(=250) to(characters)
        Much action: action = bp(+999999) to(characters)
        Less action: action = bp(-9000) to(characters)
        None action: action = bp(=0) to(characters)
        Odd action: action = bp(+100) to(*s@myDiscards)
    ";
    check(cards, "me Rook; me.hand Add", "play Add", "me.ring Rook325");
    check(
        cards,
        "me Rook=125; me.hand Times",
        "play Times",
        "me.ring Rook375",
    );
    check(cards, "me Rook; me.hand Low", "play Low", "me.ring Rook100");
    check(cards, "me Rook; me.hand High", "play High", "me.ring Rook300");
    check(cards, "me Rook; me.hand Much", "play Much", "me.ring Rook1000299");
    check(
        cards,
        "me Rook; me.hand Less",
        "play Less",
        "me.ring; me.discards Rook Less",
    );
    check(
        cards,
        "me Rook; me.hand None",
        "play None",
        "me.ring; me.discards Rook None",
    );
    check(
        cards,
        "me Rook; me.hand Odd; me.discards Add Foe",
        "play Odd",
        "me.ring Rook300; me.discards Odd Add Foe",
    );
}

/// G171, G172, GQ36: a KO by effect is immediate, to its controller's discards.
#[test]
fn destroying_is_immediate() {
    let cards = "
        Burn action: action = destroy() to(\"Foe\"); hp(+100 * opp.ring.size) to(me)
        Scald action: action = damage(300) to(\"Foe\"); hp(+100 * opp.ring.size) to(me)
        Charm action: target = \"Foe\"@oppDiscards;; action = moveTo(myHand)
    ";
    check(
        cards,
        "me.hand Burn; opp Foe Fiend",
        "play Burn",
        "me.hp 3100; opp.discards Foe; opp.ring . Fiend300",
    );
    // KO by damage waits for the end of the unit.
    check(
        cards,
        "me.hand Scald; opp Foe Fiend",
        "play Scald",
        "me.hp 3200; opp.discards Foe; opp.ring . Fiend300",
    );
    // Whoever brought it: who controls it now gets it.
    check(
        cards,
        "me.hand Charm Burn; opp.discards Foe; opp Fiend",
        "play Charm, play Foe, slot 1, play Burn",
        "me.hp 3100; me.discards Burn Foe Charm; opp.discards",
    );
}

/// G170, R422: a character at 0 BP is filtered by its printed BP.
#[test]
fn the_fallen_are_filtered_by_their_print() {
    let cards = "
        Big plain 800
        Sweep action: action = damage(800) to(\"Big\"); moveTo(ctrlHand) to(characters[bp>=800]@oppRing)
    ";
    check(
        cards,
        "me.hand Sweep; opp Big Foe",
        "play Sweep",
        "opp.hand Big; opp.ring . Foe300",
    );
}

/// D76, G160.6, GQ9, D22: what is 0 after all changes is no damage; nothing hears of it.
#[test]
fn damage_of_nothing_is_none() {
    let cards = "
        Ear auto: auto = ~playerCombatDamaged:any~ sp(+1) to(me)
        Thorn auto: auto = ~blocks~ damage(300) to(\"Knave\")
        Null auto: auto = ~cancelCombatDamage~ hp(+1) to(me)
        Shield auto: auto = ~anyBeforeDamage~ modDamage(-300)
        Zap action: action = damage(300) to(opp)
        Zip action: action = damage(0) to(opp)
    ";
    // Knave has no BP left when its blow would fall.
    check(
        cards,
        "phase attack; me Rook Knave Ear; opp Thorn",
        "attack Rook, attack Knave, pass, block Thorn, to Rook, pass",
        "opp.hp 3000; me.sp 0",
    );
    check(
        cards,
        "phase attack; me Knave Ear",
        "attack Knave, pass, pass",
        "opp.hp 2700; me.sp 1",
    );
    // Something took the place of the damage: that is heard of (GQ9).
    check(
        cards,
        "phase attack; me Null Ear",
        "attack Null, pass, pass",
        "opp.hp 3000; me.hp 3001; me.sp 1",
    );
    check(
        cards,
        "me.hand Zap; opp Shield",
        "play Zap",
        "opp.hp 3000; opp.hurt false",
    );
    check(cards, "me.hand Zap", "play Zap", "opp.hp 2700; opp.hurt true");
    check(cards, "me.hand Zip", "play Zip", "opp.hp 3000; opp.hurt false");
}
