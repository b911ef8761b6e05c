//! Section 16 of the game's rules: where the recommended behaviour is not the reference's.

use cw_stage::{check, go, holds, start, triggered};

/// GQ6: in a United Attack only event-driven autos are silent; granted keywords, rule and cost changes
/// of a member go on.
#[test]
fn what_a_united_attack_does_not_silence() {
    let cards = "
        Lord auto: auto = disableRule(attack_freeze)
        Purse auto: auto = alterCost(reaction, -3)
        Giver auto: auto = ~myActivatePhase~ +unblockable to(\"Lead\")
        Monk auto: auto = ~anyEndPhase~ hp(+100) to(me)
        Zap reaction -1: action = hp(+1) to(me)
    ";
    let united = "attack Lead, join";
    check(
        cards,
        "phase attack; me.sp 5; me Lead Lord",
        &format!("{united} Lord, pass, pass"),
        "me.ring Lead300 Lord300; turn 4",
    );
    check(
        cards,
        "phase attack; me.sp 5; me Lead Purse; opp.sp 9; opp.hand Zap",
        &format!("{united} Purse, pass, play Zap"),
        "opp.sp 5",
    );
    check(
        cards,
        "phase activate; me.sp 5; me Lead Giver; opp Foe",
        &format!("pass, {united} Giver, pass, !block Foe"),
        "",
    );
    let play = check(
        cards,
        "phase attack; me.sp 5; me Lead Monk",
        &format!("{united} Monk, pass, pass"),
        "me.hp 3000",
    );
    assert_eq!(triggered(&play, "Monk"), 0);
}

/// GQ8: the bonus is counted for each instance of damage anew.
#[test]
fn a_damage_bonus_does_not_pile_up() {
    let cards = "
        Amp auto: auto = ~beforeDamage~ modDamage(+100)
        Volley action: action = damage(100) & damage(100) & damage(100) to(opp)
    ";
    check(cards, "me Amp; me.hand Volley", "play Volley", "opp.hp 2400");
}

/// GQ9: `playerCombatDamaged` fires when the damage was replaced, not when the rule kept it.
#[test]
fn when_combat_damage_was_done() {
    let cards = "
        Ear auto: auto = ~playerCombatDamaged:this~ sp(+1) to(me)
        Sub auto: auto = ~cancelCombatDamage:any~ sp(+10) to(me)
    ";
    check(
        cards,
        "phase attack; me Ear",
        "attack Ear, pass, pass",
        "me.sp 1; opp.hp 2700",
    );
    check(
        cards,
        "phase attack; me Ear Sub",
        "attack Ear, pass, pass",
        "me.sp 11; opp.hp 3000",
    );
    check(
        cards,
        "phase attack; me Ear; rule dmg_combat_deal 0",
        "attack Ear, pass, pass",
        "me.sp 0; opp.hp 3000",
    );
}

/// GQ10, R912: the attackers' BP are read before `blocks` and `blocked`, the blocker's after them.
#[test]
fn when_bp_are_read() {
    let cards = "
        Wall auto 300: auto = ~blocks:this~ bp(=uaBP)
        Rook auto 500: auto = ~blocked:this~ bp(+500)
        Iron auto 300: auto = ~blocks:this~ bp(+400)
    ";
    // The blocker becomes as strong as the attack: nothing goes through.
    check(
        cards,
        "phase attack; me.sp 5; me Lead=500 Fol=200; opp Wall",
        "attack Lead, join Fol, pass, block Wall, pass",
        "opp.hp 3000; opp.ring; me.ring",
    );
    // The attacker's own gain comes too late for its blow, not for its life.
    check(
        cards,
        "phase attack; me Rook; opp Iron",
        "attack Rook, pass, block Iron, pass",
        "me.ring Rook300^; opp.ring Iron200",
    );
}

/// GQ15, G235, C19: who executes chooses the slot, also for a character of the opponent's.
#[test]
fn the_executor_chooses_the_slot() {
    let cards = "Push action: action = moveToSlot() to(\"Foe\")";
    let mut play = check(
        cards,
        "opp Foe; me.hand Push",
        "play Push",
        "decides me; asks MoveToSlot",
    );
    go(&mut play, "!slot 1, ?slot 2, ?slot 4, slot 3");
    holds(&play, "opp.ring . . Foe300");
    // One empty slot is taken without a question, none is no move.
    check(
        cards,
        "opp Rook Knave Foe; me.hand Push",
        "play Push",
        "opp.ring Rook300 Knave300 . Foe300",
    );
    check(
        cards,
        "opp Rook Knave Foe Fiend; me.hand Push",
        "play Push",
        "opp.ring Rook300 Knave300 Foe300 Fiend300; asks Main",
    );
}

/// GQ16, D34: two effects of one extra turn give one; an effect of two gives two.
#[test]
fn extra_turns_are_not_added() {
    let cards = "
        Again action: action = turns(1)
        Twice action: action = turns(2)
    ";
    let mut play = check(
        cards,
        "me.hand Again Again",
        "play Again, play Again, pass",
        "active me; turn 4",
    );
    go(&mut play, "pass");
    holds(&play, "active opp; turn 5");
    let mut play = check(
        cards,
        "me.hand Twice",
        "play Twice, pass, pass",
        "active me; turn 5",
    );
    go(&mut play, "pass");
    holds(&play, "active opp");
}

/// GQ19: `opp.hand.size` listens to the opponent's hand as well.
#[test]
fn a_condition_on_the_other_hand() {
    // Raised by the opponent: `opp` is the card's controller then, `me` the opponent (D5).
    let cards = "
        Fox auto: auto = [[if opp.hand.size == 1]] hp(+100) to(opp)
        Gift action: action = draw() to(opp)
    ";
    let play = check(
        cards,
        "me Fox; me.hand Gift filler",
        "play Gift",
        "me.hp 3100; opp.hand filler",
    );
    assert_eq!(triggered(&play, "Fox"), 1);
}

/// GQ20, G174: within one effect the ring is already smaller, in every way of counting it.
#[test]
fn ring_sizes_agree() {
    let cards = "Burn action: vars = _n := 0;; action = destroy() to(\"Foe\"); \
                 hp(+100 * opp.ring.size) to(me); hp(+10 * len(opp.ring)) to(me); \
                 each(characters@oppRing => hp(+1)) to(me)";
    check(
        cards,
        "opp Foe Fiend Wall; me.hand Burn",
        "play Burn",
        "me.hp 3222",
    );
}

/// GQ22: `each` and `activate` share cost and result lists with their run; the next card starts anew.
#[test]
fn lists_belong_to_a_run() {
    let cards = "
        Toll action: action = {D}: each(characters@myRing => hp(+100 * discarded.size)) to(me)
        Inner action: action = discard(<2>*) to(me)
        Outer action: vars = _i := getTargets('\"Inner\"s@myDiscards');; \
            action = activate(_i); hp(+100 * discarded.size) to(me)
        After action: action = hp(+1 + 100 * discarded.size + 100 * moved.size + 100 * sacrificed.size \
            + 100 * destroyed.size + 100 * trashed.size) to(me)
    ";
    check(
        cards,
        "me Rook Knave; me.hand Toll filler",
        "play Toll",
        "me.hp 3200",
    );
    check(
        cards,
        "me.hand Outer After filler Aid Aid; me.discards Inner",
        "play Outer, to Aid, to filler, play After",
        "me.hp 3201; me.hand Aid",
    );
}

/// GQ24, D5: `blocks` of the defender's character runs for the attacker, `canBlock` for the defender.
#[test]
fn who_is_me_in_a_fight() {
    let cards = "
        Wall auto: auto = ~blocks:this~ hp(+100) to(me)
        Duke auto: auto = ?canBlock:this? [[if me.ring.size < 2]]
        Rest auto: auto = ~oppEndPhase~ hp(+100) to(me)
    ";
    check(
        cards,
        "phase attack; me Rook; opp Wall",
        "attack Rook, pass, block Wall, pass",
        "me.hp 3100; opp.hp 3000",
    );
    check(
        cards,
        "phase attack; me Duke; opp Foe",
        "attack Duke, pass, ?block Foe",
        "",
    );
    check(
        cards,
        "phase attack; me Duke; opp Foe Fiend",
        "attack Duke, pass, !block Foe",
        "",
    );
    check(
        cards,
        "phase end; me Rook; opp Rest",
        "",
        "me.hp 3100; opp.hp 3000",
    );
}

/// GQ30, R607: zero is a number like any other.
#[test]
fn zero_is_a_number() {
    let cards = "
        Draw action: action = draw(0)
        Sight action: action = prophecy(0)
        Set action: action = bp(=0) to(\"Rook\")
        Sp action: action = sp(0) & sp(=0)
        Hp action: action = hp(0) & damage(0) to(me)
        Disc action: action = discard(0) || hp(+1) to(me)
        Low action: action = bp(x0) to(\"Rook\")
        Mill action: action = trash(0) & loseLife(0)
    ";
    check(cards, "me.hand Draw", "play Draw", "me.hand; me.decksize 10");
    check(cards, "me.hand Sight", "play Sight", "asks Main; me.decksize 10");
    check(
        cards,
        "me Rook; me.hand Set",
        "play Set",
        "me.ring; me.discards Rook Set",
    );
    check(cards, "me.sp 4; me.hand Sp", "play Sp", "me.sp 0; me.lost 4");
    check(cards, "me.hand Hp", "play Hp", "me.hp 3000; me.hurt false");
    check(cards, "me.hand Disc filler", "play Disc", "me.hand filler");
    check(cards, "me Rook; me.hand Low", "play Low", "me.ring");
    check(cards, "me.hand Mill", "play Mill", "me.hp 3000; me.decksize 10");
}

/// GQ32, GQ33, G64, G254: all cards of the removed pile come back, whatever put them there; they can
/// be addressed, and played while the rule lasts.
#[test]
fn the_removed_pile() {
    let cards = "
        Exile action: action = moveTo(removed) from(*s@myDiscards); enableRule(play_removed) to(me) ueot
        Home auto: auto = ~endPhase~ movePile(myRemoved, myDiscards)
        Call action: action = moveTo(hand) from(character@myRemoved)
        Spark action: action = hp(+1) to(me)
    ";
    let mut play = check(
        cards,
        "me Home; me.hand Exile Call; me.discards Spark Rook Knave; me.removed Foe",
        "play Exile, play Spark, play Call, to Rook",
        "me.hand Rook; me.removed Knave Foe; me.hp 3001",
    );
    go(&mut play, "?play Foe, pass, pass");
    holds(
        &play,
        "turn 4; me.removed; me.discards Foe Knave Call Spark Exile",
    );
}

/// GQ36, G172: KOed cards go to their controller, whoever brought them.
#[test]
fn owners_do_not_matter() {
    let cards = "
        Charm action: action = moveTo(myHand) from(\"Foe\"@oppDiscards)
        Burn action: action = destroy() to(\"Foe\")
        Home action: action = moveTo(ctrlHand) to(\"Foe\")
    ";
    let position = "me.hand Charm Burn Home; opp.discards Foe";
    check(
        cards,
        position,
        "play Charm, play Foe, slot 1, play Burn",
        "me.discards Burn Foe Charm; opp.discards",
    );
    check(
        cards,
        position,
        "play Charm, play Foe, slot 1, play Home",
        "me.hand Foe Burn; opp.hand",
    );
}

/// GQ37, GQ38: a grant that follows the hand survives joining; one for small solo attackers is for
/// both sides, and not for members of a United Attack.
#[test]
fn grants_around_a_united_attack() {
    let cards = "
        Void auto: auto = ~myHandChanges~ [[if me.hand.size == 0]] +unblockable
        Reed auto: auto = ?canBlock:any? [[if attacker.bp > 200 or inUAttack(attacker)]]
        Spark action: action = sp(+5) to(me)
    ";
    check(
        cards,
        "me Lead Void; me.hand Spark; opp Foe",
        "play Spark, pass, attack Void, join Lead, pass, !block Foe",
        "united Void Lead",
    );
    for reeds in [
        "me Rook=200 Knave Reed; opp Foe",
        "me Rook=200 Knave; opp Foe Reed^",
    ] {
        check(
            cards,
            &format!("phase attack; me.sp 5; {reeds}"),
            "attack Rook, pass, !block Foe",
            "",
        );
        check(
            cards,
            &format!("phase attack; me.sp 5; {reeds}"),
            "attack Rook, join Knave, pass, ?block Foe",
            "",
        );
        check(
            cards,
            &format!("phase attack; me.sp 5; {reeds}"),
            "attack Knave, pass, ?block Foe",
            "",
        );
    }
}

/// D10, G36: who goes first is drawn from the seed, or given.
#[test]
fn who_goes_first() {
    let game = start("", "").duel.game().clone();
    let filler = game.find("filler").expect("every game has it");
    let decks = cw_duel::PerSeat([vec![filler; 50], vec![filler; 50]]);
    let begin = |seed: u64, first| {
        let setup = cw_duel::DuelSetup {
            first,
            allow_illegal_decks: true,
            ..cw_duel::DuelSetup::from(seed)
        };
        cw_duel::Duel::new(game.clone(), &decks, setup)
            .expect("the decks are allowed")
            .active()
    };
    let drawn: Vec<cw_duel::Seat> = (0..40).map(|seed| begin(seed, None)).collect();
    for seat in cw_duel::Seat::BOTH {
        assert!(
            drawn.iter().filter(|first| **first == seat).count() > 8,
            "{drawn:?}"
        );
        assert!((0..8).all(|seed| begin(seed, Some(seat)) == seat));
    }
}

/// GQ43, G194: a listener of an attacker that left earlier in combat is not run.
#[test]
fn who_left_hears_no_more() {
    let cards = "
        Hit auto: auto = ~playerCombatDamaged:this~ moveTo(ctrlHand) to(\"Ear\")
        Ear auto: auto = ~playerCombatDamaged:any~ hp(+100) to(me)
    ";
    let play = check(
        cards,
        "phase attack; me Hit Ear",
        "attack Hit, attack Ear, pass, pass",
        "me.hand Ear; me.hp 3000; opp.hp 2700",
    );
    assert_eq!(triggered(&play, "Ear"), 0);
}

/// GQ44, R617: negative positions count from the bottom.
#[test]
fn positions_from_the_bottom() {
    let cards = "
        Last action: action = moveTo(deck, -1) from(\"Rook\"@myDiscards)
        Next action: action = moveTo(deck, -2) from(\"Rook\"@myDiscards)
        Second action: action = moveTo(deck, 1) from(\"Rook\"@myDiscards)
        Far action: action = moveTo(deck, -9) from(\"Rook\"@myDiscards)
        Deep action: action = moveTo(deck, 9) from(\"Rook\"@myDiscards)
    ";
    for (card, deck) in [
        ("Last", "Foe Fiend Wall Rook"),
        ("Next", "Foe Fiend Rook Wall"),
        ("Second", "Foe Rook Fiend Wall"),
        ("Far", "Rook Foe Fiend Wall"),
        ("Deep", "Foe Fiend Wall Rook"),
    ] {
        check(
            cards,
            &format!("me.hand {card}; me.discards Rook; me.deck Foe Fiend Wall"),
            &format!("play {card}"),
            &format!("me.deck {deck}"),
        );
    }
}

/// GQ46, G207: trashed cards go to the discards, the top one first.
#[test]
fn trashing_goes_to_the_discards() {
    let cards = "Mill action: action = trash(2) to(opp); bp(+trashed.size * 100) to(\"Knave\")";
    check(
        cards,
        "me Knave; me.hand Mill; opp.deck Rook Foe Wall",
        "play Mill",
        "opp.discards Foe Rook; opp.deck Wall; opp.removed; me.ring Knave500",
    );
}

/// GQ47, D32, D96: `oppLostSP` asks whether the opponent has lost SP by an effect this turn.
#[test]
fn losing_sp_is_known() {
    let cards = "
        Drain action: action = sp(-2) to(opp); [[if oppLostSP]] hp(+100) to(me) [[else]] hp(+1) to(me)
    ";
    check(cards, "me.hand Drain; opp.sp 1", "play Drain", "me.hp 3100");
    check(cards, "me.hand Drain; opp.sp 0", "play Drain", "me.hp 3001");
    check(
        cards,
        "me.hand Drain Drain; opp.sp 2",
        "play Drain, play Drain",
        "me.hp 3200; opp.lost 2",
    );
}

/// GQ50, G86: what a United Attack costs is counted when joining and when paying, and nothing stays
/// from the first count.
#[test]
fn united_costs_are_counted_twice() {
    let cards = "
        Oar auto: auto = ~beforePayCostUa2~ modCost(ua2, +2)
        Half auto: auto = ~beforePayCostUa2, beforePayCostUa3~ [[if me.sp >= 4]] modCost(ua2, +1)
        Leak reaction: action = sp(-1) to(opp)
    ";
    check(
        cards,
        "phase attack; me.sp 4; me Lead Fol Oar",
        "attack Lead, join Fol, cancel Fol, join Fol, pass",
        "me.sp 1; united Lead Fol",
    );
    check(
        cards,
        "phase attack; me.sp 2; me Lead Fol Oar",
        "attack Lead, !join Fol",
        "",
    );
    check(
        cards,
        "phase attack; me.sp 4; me Lead Fol Half",
        "attack Lead, join Fol, pass",
        "me.sp 0",
    );
}

/// GQ5: an instant that committed nothing may be tried once more.
#[test]
fn an_unsuccessful_instant_is_retried_once() {
    let cards = "Imp instant: target = character@oppRing;; action = damage(100)";
    check(
        cards,
        "me.hand Imp; opp Foe Fiend",
        "play Imp, slot 1, decline, use Imp, decline, !use Imp",
        "opp.ring Foe300 Fiend300",
    );
    check(
        cards,
        "me.hand Imp; opp Foe Fiend",
        "play Imp, slot 1, to Foe, !use Imp",
        "opp.ring Foe200 Fiend300",
    );
}

/// GQ17, GQ56: changes of SP and HP add up, within a run and across the events of one phase.
#[test]
fn changes_add_up() {
    let cards = "
        Sum action: action = hp(+500) to(opp); damage(100) to(opp); hp(+10) & hp(+1) to(opp)
        One auto: auto = ~endPhase~ hp(+1) to(me)
        Ten auto: auto = ~endPhase~ hp(+10) to(me)
    ";
    check(cards, "me.hand Sum", "play Sum", "opp.hp 3411");
    check(cards, "phase end; me One Ten One", "", "me.hp 3012");
}

/// GQ27: who blocked may block again when the attacker takes another turn.
#[test]
fn an_extra_turn_finds_no_old_blocks() {
    check(
        "",
        "phase attack; me Rook=100 Knave; opp Wall=900; me.turns 1",
        "attack Rook, pass, block Wall, pass, pass, attack Knave, pass, !unblock Wall, ?block Wall",
        "turn 4; active me; blocks",
    );
}

/// GQ40, G198: “until your next turn” binds its player in the rest of the turn as well.
#[test]
fn until_next_turn_binds_both() {
    let cards = "Calm action: action = disableRule(attack) uynt";
    let mut play = check(
        cards,
        "me Rook; opp Foe; me.hand Calm",
        "play Calm, pass, !attack Rook, pass",
        "turn 4",
    );
    go(&mut play, "pass, !attack Foe, pass, pass, ?attack Rook");
    holds(&play, "turn 5; active me; changes 0");
}

/// GQ55, G33: illegal decks are refused.
#[test]
fn illegal_decks_are_named() {
    let game = start("", "").duel.game().clone();
    let filler = game.find("filler").expect("every game has it");
    let decks = cw_duel::PerSeat([vec![filler; 50], vec![filler; 49]]);
    assert!(cw_duel::Duel::new(game.clone(), &decks, 1).is_err());
    assert_eq!(game.deck_faults(&decks.0[0]).len(), 1, "more than three copies");
    assert_eq!(game.deck_faults(&decks.0[1]).len(), 2, "and too few cards");
}
