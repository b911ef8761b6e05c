//! Section 14 of the game's rules: who is asked what, and how one may refuse.

use cw_stage::Play;
use cw_stage::{check, go, holds, offered, start};

/// C1, G65.5: the slot of a played character; declined, nothing was paid.
#[test]
fn c1_slots() {
    let cards = "Big plain 800 -3";
    let mut play = check(
        cards,
        "me Rook; me.sp 3; me.hand Big",
        "play Big",
        "decides me; asks SlotFor",
    );
    assert_eq!(offered(&play), ["slot 2", "slot 3", "slot 4", "decline"]);
    go(&mut play, "decline");
    holds(&play, "me.sp 3; me.hand Big; me.played 0/1; asks Main");
    check(
        cards,
        "me Rook . Knave Foe; me.sp 3; me.hand Big",
        "play Big",
        "me.ring Rook300 Big800* Knave300 Foe300; me.sp 0",
    );
}

/// C2, C4, C5, C6: back-up, joining and blocking ask whom, where there are several; C3, C20: declaring
/// ends with the next phase.
#[test]
fn c2_to_c6_whom() {
    let mut play = check("", "me Rook Knave^; me.hand Aid", "back Aid", "asks BackUpWhom");
    assert_eq!(offered(&play), ["to Rook", "decline"]);
    go(&mut play, "decline");
    holds(&play, "me.hand Aid; me.backed 0; asks Main");
    let mut play = check(
        "",
        "phase attack; me.sp 9; me Rook Knave Lead; opp Foe Fiend",
        "attack Rook, attack Knave, join Lead",
        "decides me; asks JoinWhom",
    );
    assert_eq!(offered(&play), ["to Rook", "to Knave", "decline"]);
    go(&mut play, "decline, cancel Rook, join Lead");
    holds(&play, "united Knave Lead; asks Attack");
    go(&mut play, "cancel Lead, attack Rook, pass");
    holds(&play, "decides opp; asks CounterAttack; phase Counter-attack");
    go(&mut play, "block Foe");
    holds(&play, "decides opp; asks BlockWhom");
    assert_eq!(offered(&play), ["to Rook", "to Knave", "decline"]);
    go(&mut play, "to Knave, block Fiend");
    holds(&play, "blocks Knave<Foe Rook<Fiend");
    go(&mut play, "unblock Foe, pass");
    holds(&play, "turn 4; opp.hp 2700");
}

/// C7, G98: choosing a `■` is its confirmation: nothing is paid until its targets are chosen, and
/// declining takes everything back.
#[test]
fn c7_activation() {
    let cards = "Well triggered: target = character@oppRing;; action = {D}{F}: damage(100)";
    let mut play = start(cards, "me Well; me.hand filler Aid; opp Foe Fiend");
    let before = stands(&play);
    go(&mut play, "use Well");
    holds(&play, "asks Target; me.hand filler Aid; me.ring Well300");
    go(&mut play, "decline");
    assert_eq!(stands(&play), before);
    go(&mut play, "use Well, to Foe");
    holds(&play, "asks DiscardCost; me.ring Well300");
    go(&mut play, "decline");
    assert_eq!(stands(&play), before);
    go(&mut play, "use Well, to Foe, to Aid");
    holds(
        &play,
        "me.ring Well300^%; opp.ring Foe200 Fiend300; me.discards Aid",
    );
}

/// Everything but the count of free actions (D14).
fn stands(play: &Play) -> cw_duel::Snapshot {
    cw_duel::Snapshot {
        hash: start("", "").duel.hash(),
        ..play.duel.snapshot()
    }
}

/// C8, G105.2, G262, R302: `target` is resolved by the executor, part by part: cards, players, types,
/// whose zone; without candidates the activation fails.
#[test]
fn c8_targets() {
    let cards = "
        Pair action: target = character@myRing; character@oppRing;; action = bp(+100)
        Who action: target = player;; action = hp(+100)
        Type action: target = opp,character@oppRing;; action = damage(100)
        Whose action: target = character@anyDiscards;; action = moveTo(myHand)
        Same action: target = <2>character@sameRing;; action = bp(+100)
        Few action: target = <1,2>character@oppRing;; action = bp(+100)
        None action -1: target = character@oppRing;; action = damage(100)
    ";
    let mut play = check(
        cards,
        "me Rook Knave; opp Foe Fiend; me.hand Pair",
        "play Pair, to Knave",
        "decides me; asks Target",
    );
    assert_eq!(offered(&play), ["to Foe", "to Fiend"]);
    go(&mut play, "to Foe");
    holds(&play, "me.ring Rook300 Knave400; opp.ring Foe400 Fiend300");
    check(
        cards,
        "me.hand Who",
        "play Who, ?me, opp",
        "opp.hp 3100; me.hp 3000",
    );
    check(
        cards,
        "opp Foe; me.hand Type",
        "play Type, ?type 1, type 2",
        "opp.ring Foe200; opp.hp 3000",
    );
    check(cards, "me.hand Type", "play Type", "opp.hp 2900");
    check(
        cards,
        "me.hand Whose; me.discards Rook; opp.discards Foe Fiend",
        "play Whose, ?me, opp, to Fiend",
        "me.hand Fiend; opp.discards Foe; asks Main",
    );
    check(
        cards,
        "me Rook Knave Lead; opp Foe Fiend; me.hand Same",
        "play Same, ?me, opp",
        "opp.ring Foe400 Fiend400",
    );
    check(
        cards,
        "opp Foe Fiend Wall; me.hand Few",
        "play Few, !done, to Fiend, !to Foe, ?to Wall, done",
        "opp.ring Foe300 Fiend400 Wall300",
    );
    check(
        cards,
        "me.sp 1; me.hand None",
        "play None",
        "me.sp 0; me.discards None; asks Main",
    );
}

/// C9, G105.3: with several actions the executor chooses one; before anything is committed it may
/// decline.
#[test]
fn c9_actions() {
    let cards = "
        Fork action: action = hp(+100) to(me);; action = sp(+1) to(me)
        Twin triggered: action = {F}: hp(+100) to(me);; action = sp(+1) to(me)
    ";
    let mut play = check(
        cards,
        "me.hand Fork; me Twin",
        "play Fork",
        "asks WhichAction; decides me",
    );
    assert_eq!(offered(&play), ["action 1", "action 2"]);
    go(&mut play, "action 2");
    holds(&play, "me.sp 1; me.hp 3000");
    go(&mut play, "use Twin, ?action 1, ?action 2, decline");
    holds(&play, "me.ring Twin300; asks Main");
    go(&mut play, "use Twin, action 1");
    holds(&play, "me.ring Twin300^%; me.hp 3100");
}

/// C10, C17, R501, R605: `may` ends the run on no; an optional command is passed over alone.
#[test]
fn c10_c17_yes_or_no() {
    let cards = "
        May action: action = [[may 'Really?']] hp(+100) to(me); sp(+1) to(me)
        Opt action: action = hp?(+100) & sp(+1) to(me); draw()
    ";
    check(
        cards,
        "me.hand May",
        "play May, !decline, no",
        "me.hp 3000; me.sp 0",
    );
    check(cards, "me.hand May", "play May, yes", "me.hp 3100; me.sp 1");
    check(
        cards,
        "me.hand Opt",
        "play Opt, !decline, no",
        "me.hp 3000; me.sp 1; me.hand filler",
    );
    check(
        cards,
        "me.hand Opt",
        "play Opt, yes",
        "me.hp 3100; me.sp 1; me.hand filler",
    );
}

/// C11, G108, G266: the targets of a statement are chosen when it is reached, by the executor, who
/// cannot refuse once something was committed; the other player is never asked.
#[test]
fn c11_statement_targets() {
    let cards = "
        Two action: action = hp(+1) to(me); damage(100) to(character@oppRing); hp(+10) to(me)
        Opt action: action = damage(100) to?(character@oppRing)
        Gust auto: auto = ~endPhase~ damage(100) to(character@oppRing)
    ";
    let mut play = check(
        cards,
        "opp Foe Fiend; me.hand Two",
        "play Two",
        "me.hp 3001; asks Target; decides me",
    );
    assert_eq!(offered(&play), ["to Foe", "to Fiend"]);
    go(&mut play, "to Foe");
    holds(&play, "me.hp 3011; opp.ring Foe200 Fiend300");
    // Missing: the list stops there, what was done stays.
    check(cards, "me.hand Two", "play Two", "me.hp 3001; me.discards Two");
    check(
        cards,
        "opp Foe Fiend; me.hand Opt",
        "play Opt, decline",
        "opp.ring Foe300 Fiend300",
    );
    check(
        cards,
        "phase end; me Gust; opp Foe Fiend",
        "?to Foe, to Fiend",
        "opp.ring Foe300 Fiend200",
    );
}

/// C12, G110: a cost takes cards of one's own hand, exactly as many as it says.
#[test]
fn c12_discard_costs() {
    let cards = "
        One triggered: action = {D}: hp(+100) to(me)
        Two triggered: action = {D(2)}: hp(+100) to(me)
        Rope triggered: action = {D(rope)}: hp(+100) to(me)
        Bell triggered: action = {D(bell)}: hp(+100) to(me)
        Ding plain 300 bell
    ";
    let mut play = check(
        cards,
        "me One; me.hand Rook Knave",
        "use One",
        "asks DiscardCost; decides me",
    );
    assert_eq!(offered(&play), ["to Knave", "to Rook", "decline"]);
    go(&mut play, "to Knave");
    holds(&play, "me.hand Rook; me.discards Knave; me.hp 3100");
    check(
        cards,
        "me Two; me.hand Rook Knave Foe",
        "use Two, !to Rook, to Foe, !to Foe, ?to Rook, to Knave",
        "me.hand Rook; me.discards Knave Foe",
    );
    check(
        cards,
        "me Two; me.hand Rook Knave",
        "use Two",
        "me.hand; me.hp 3100",
    );
    check(cards, "me Two; me.hand Rook", "!use Two", "me.hp 3000");
    check(
        cards,
        "me Rope; me.hand Rook Ding",
        "use Rope",
        "me.hand Ding; me.hp 3100",
    );
    check(cards, "me Bell; me.hand Rook Foe", "!use Bell", "");
}

/// C13, G111, R703: a character of one's own ring, whatever zone is written.
#[test]
fn c13_sacrifices() {
    let cards = "
        Pyre triggered: action = {S(^character)}: hp(+sacrificed.0.lastBP) to(me)
        Grab triggered: action = {S(^character@oppRing)}: hp(+1) to(me)
    ";
    let mut play = check(
        cards,
        "me Pyre Rook=250 Knave; opp Foe",
        "use Pyre",
        "asks SacrificeCost; decides me",
    );
    assert_eq!(offered(&play), ["to Rook", "to Knave", "decline"]);
    go(&mut play, "to Rook");
    holds(&play, "me.hp 3250; me.ring Pyre300% . Knave300; me.discards Rook");
    check(cards, "me Grab; opp Foe", "!use Grab", "");
    check(
        cards,
        "me Grab Rook; opp Foe",
        "use Grab",
        "me.ring Grab300%; opp.ring Foe300",
    );
}

/// C14, G205, GQ23: the executor chooses what is discarded, also for the opponent, and cannot refuse,
/// but before `||`.
#[test]
fn c14_discards() {
    let cards = "
        Own action: action = discard()
        Rob action: action = discard(<2>*) to(opp)
        Else action: action = discard() || hp(+1) to(me)
        All action: action = discard(all) to(players)
    ";
    let play = check(
        cards,
        "me.hand Own Rook Knave",
        "play Own, !decline",
        "asks Discard; decides me",
    );
    assert_eq!(offered(&play), ["to Knave", "to Rook"]);
    check(
        cards,
        "me.hand Rob; opp.hand Rook Knave Foe",
        "play Rob, !decline, to Knave",
        "opp.hand Foe; me.knows Foe; decides me",
    );
    check(
        cards,
        "me.hand Else Rook Knave",
        "play Else, decline",
        "me.hp 3001; me.hand Rook Knave",
    );
    check(
        cards,
        "me.hand Else Rook Knave",
        "play Else, to Rook",
        "me.hp 3000; me.hand Knave",
    );
    // G205: fewer than asked for: all there are; none is a failure.
    check(
        cards,
        "me.hand Rob; opp.hand Rook",
        "play Rob",
        "opp.hand; opp.discards Rook",
    );
    check(cards, "me.hand Else", "play Else", "me.hp 3001");
    check(
        cards,
        "me.hand All Rook; opp.hand Foe",
        "play All",
        "me.hand; opp.hand; asks Main",
    );
}

/// C15, C16, G209, G216, D33: top or bottom is asked once for all; a prophecy is mandatory, its place
/// is asked after the first pick.
#[test]
fn c15_c16_order_and_place() {
    let cards = "
        Sort action: action = moveTo(deck, ?) from(*s@myDiscards)
        Sight action: action = prophecy(3)
        Deep action: action = prophecy(2, bottom)
    ";
    let position = "me.hand Sort; me.discards Rook Knave; me.deck Foe";
    check(cards, position, "play Sort, top", "me.deck Knave Rook Foe");
    check(cards, position, "play Sort, bottom", "me.deck Foe Rook Knave");
    let mut play = check(
        cards,
        "me.hand Sight; me.deck Rook Knave Foe Fiend",
        "play Sight, !decline, to Knave",
        "asks TopOrBottom",
    );
    go(&mut play, "top");
    holds(&play, "asks Prophecy");
    go(&mut play, "!top, to Foe");
    // The last one put back is uppermost.
    holds(&play, "me.deck Rook Foe Knave Fiend; asks Main");
    check(
        cards,
        "me.hand Sight; me.deck Rook Knave Foe Fiend",
        "play Sight, to Knave, bottom, to Rook",
        "me.deck Fiend Knave Rook Foe",
    );
    check(
        cards,
        "me.hand Deep; me.deck Rook Knave Foe",
        "play Deep, to Knave",
        "me.deck Foe Knave Rook",
    );
}

/// C18, G264: the side is called before the coin falls; it is true if they agree.
#[test]
fn c18_coins() {
    let cards = "Flip action: action = [[if flipCoin()]] hp(+100) to(me) [[else]] hp(+1) to(me)";
    for (outcome, called, hp) in [
        (0, "heads", 3100),
        (0, "tails", 3001),
        (1, "heads", 3001),
        (1, "tails", 3100),
    ] {
        check(
            cards,
            &format!("me.hand Flip; random {outcome}"),
            &format!("play Flip, {called}"),
            &format!("me.hp {hp}"),
        );
    }
}

/// G264, G275: a coin is told as a coin, a random pick between two is not.
#[test]
fn a_random_pick_is_no_coin() {
    let cards = "
        Flip action: action = [[if flipCoin()]] hp(+100) to(me)
        Rnd action: action = damage(100) to(<r>character)
    ";
    let coins = |play: &Play| {
        play.count(|event| {
            matches!(
                event,
                cw_duel::DuelEvent::Rolled {
                    coin: true,
                    of: 2,
                    ..
                }
            )
        })
    };
    let play = check(cards, "me.hand Flip", "play Flip, heads", "me.hp 3100");
    assert_eq!(coins(&play), 1);
    let play = check(
        cards,
        "me Rook; opp Foe; me.hand Rnd; random 1",
        "play Rnd",
        "opp.ring Foe200",
    );
    assert_eq!(coins(&play), 0);
    assert_eq!(
        play.count(|event| matches!(
            event,
            cw_duel::DuelEvent::Rolled {
                coin: false,
                of: 2,
                ..
            }
        )),
        1
    );
}

/// C19, G235: an empty slot of the ring, where there are several.
#[test]
fn c19_moving_to_a_slot() {
    let cards = "Step triggered: action = {F}: moveToSlot() to(this)";
    let mut play = check(cards, "me Step Rook", "use Step", "asks MoveToSlot; decides me");
    assert_eq!(offered(&play), ["slot 3", "slot 4"], "the cost is paid");
    go(&mut play, "slot 4");
    holds(&play, "me.ring . Rook300 . Step300^%");
}

/// C20, G46, G47: the active player ends Main and Attack, the defender the Counter-attack phase; the
/// other phases end by themselves.
#[test]
fn c20_ending_phases() {
    let mut play = check("", "phase activate; me Rook", "", "phase Main; decides me");
    go(&mut play, "pass");
    holds(&play, "phase Attack; decides me");
    go(&mut play, "attack Rook, pass");
    holds(&play, "phase Counter-attack; decides opp");
    go(&mut play, "pass");
    holds(&play, "turn 4; phase Main; decides opp");
}

/// G262, G117: every choice is the executor's, in the opponent's zones as well.
#[test]
fn the_executor_makes_every_choice() {
    let cards = "
        Take action: action = moveTo(myHand) from(*@oppHand)
        Dig action: action = moveTo(myHand) from(*@oppDeck)
        Pick action: action = moveTo(myHand) from(*@oppDiscards)
    ";
    let piles = "opp.hand Rook Knave; opp.deck Foe Fiend; opp.discards Lead Fol";
    for (card, first, second) in [
        ("Take", "Rook", "Knave"),
        ("Dig", "Foe", "Fiend"),
        ("Pick", "Lead", "Fol"),
    ] {
        check(
            cards,
            &format!("me.hand {card}; {piles}"),
            &format!("play {card}, ?to {first}, to {second}"),
            &format!("me.hand {second}; decides me"),
        );
    }
}

/// G263, R425: there is no choice with plurals, random picks, a lone pick and `infront`; characters at
/// 0 BP are not offered; one's own ring stands before the other.
#[test]
fn where_there_is_no_choice() {
    let cards = "
        All action: action = damage(100) to(characters)
        Rnd action: action = damage(100) to(<r>character)
        Pick action: action = moveTo(hand) from(character<1>@myDiscards)
        Front triggered: action = damage(100) to(character@infront)
        Any action: action = damage(100) to(character)
        Fell action: action = damage(300) to(\"Foe\"); bp(+100) to(character@oppRing)
    ";
    check(
        cards,
        "me Rook; opp Foe; me.hand All",
        "play All",
        "me.ring Rook200; opp.ring Foe200",
    );
    check(
        cards,
        "me Rook; opp Foe; me.hand Rnd; random 1",
        "play Rnd",
        "me.ring Rook300; opp.ring Foe200",
    );
    check(
        cards,
        "me.hand Pick; me.discards Rook Knave",
        "play Pick",
        "me.hand Rook",
    );
    check(
        cards,
        "me Front; opp Foe . . Fiend",
        "use Front",
        "opp.ring Foe300 . . Fiend200",
    );
    let play = check(
        cards,
        "me Rook Knave; opp Foe . Fiend; me.hand Any",
        "play Any",
        "asks Target",
    );
    assert_eq!(offered(&play), ["to Rook", "to Knave", "to Foe", "to Fiend"]);
    check(
        cards,
        "opp Foe Fiend; me.hand Fell",
        "play Fell",
        "opp.ring . Fiend400",
    );
}

/// G265: as many as are needed or fewer are taken without a choice; with a minimum of 0 it is real.
#[test]
fn when_a_choice_is_real() {
    let cards = "
        Two action: action = damage(100) to(<2>character@oppRing)
        Up action: action = damage(100) to(<0,2>character@oppRing)
    ";
    check(cards, "opp Foe; me.hand Two", "play Two", "opp.ring Foe200");
    check(
        cards,
        "opp Foe Fiend; me.hand Two",
        "play Two",
        "opp.ring Foe200 Fiend200",
    );
    let play = check(
        cards,
        "opp Foe Fiend Wall; me.hand Two",
        "play Two",
        "asks Target",
    );
    assert_eq!(
        offered(&play),
        ["to Foe", "to Fiend"],
        "one must remain behind the first"
    );
    check(
        cards,
        "opp Foe; me.hand Up",
        "play Up, ?to Foe, done",
        "opp.ring Foe300",
    );
}
