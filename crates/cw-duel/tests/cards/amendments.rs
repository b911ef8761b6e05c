//! What decisions D84 to D102 settled, one by one.

use cw_duel::DuelEvent;
use cw_stage::{check, go, holds};

/// D34, G101: `clear()` counts for the activation that is going on, also in a rule that `activate` runs,
/// and in one that an event brings in between.
#[test]
fn clear_reaches_the_mark_about_to_be_set() {
    let cards = "
        Ape triggered: action = activate(me.discards.0)
        Ready action: action = sp(+1) & clear()
        Main action: target = \"Ape\";; action = sp(+1) & clear()
        Deep action: action = activate(me.discards.1)
        Well triggered: action = loseAbility() to(\"Rook\")
        Rook auto: auto = ~powerless~ clear() to(\"Well\")
    ";
    check(
        cards,
        "me Ape; me.discards Ready",
        "use Ape, ?use Ape",
        "me.ring Ape300; me.sp 1",
    );
    check(
        cards,
        "me Ape; me.discards Main",
        "use Ape, ?use Ape",
        "me.ring Ape300",
    );
    check(
        cards,
        "me Ape; me.discards Deep Ready",
        "use Ape, ?use Ape",
        "me.ring Ape300; me.sp 1",
    );
    check(
        cards,
        "me Well Rook",
        "use Well, ?use Well",
        "me.ring Well300 Rook300-",
    );
}

/// D101, R702: `{S}` on an Action or Reaction is the card itself: it goes to the discards at once.
#[test]
fn actions_pay_with_themselves() {
    let cards = "
        Burn action: action = {S}: hp(+100 * me.discards.size) to(me)
        Ash reaction: action = {S}: hp(+100 * sacrificed.size) to(me)
        Both action: action = {S}{D}: hp(+100) to(me)
        Late action: action = sp(+0) to(me);; auto = {S}: ~endPhase:once~ hp(+100) to(me)
    ";
    check(cards, "me.hand Burn", "play Burn", "me.hp 3100; me.discards Burn");
    check(
        cards,
        "phase attack; active opp; opp Foe; me.hand Ash",
        "attack Foe, pass, play Ash",
        "me.hp 3100; me.discards Ash",
    );
    check(
        cards,
        "me.hand Both Rook Aid",
        "play Both, to Aid",
        "me.hp 3100; me.discards Aid Both",
    );
    // Where it lies in the discards already, it cannot go there.
    check(cards, "me.hand Late", "play Late, pass", "me.hp 3000; turn 4");
}

/// D93, amends D8: one command that brings both players to 0 HP is a draw; two commands are not.
#[test]
fn one_command_for_both_is_a_draw() {
    let cards = "
        Both action: action = damage(3000) to(players)
        Life action: action = loseLife(3000) to(players)
        Less action: action = hp(-3000) to(players)
        Two action: action = damage(3000) to(opp); damage(3000) to(me)
        Amp auto: auto = ~anyBeforeDamage~ modDamage(+1)
    ";
    for card in ["Both", "Life", "Less"] {
        let position = format!("me.hand {card}");
        let choices = format!("play {card}");
        check(cards, &position, &choices, "me.hp 0; opp.hp 0; winner nobody");
        check(
            cards,
            &format!("me.hp 3100; {position}"),
            &choices,
            "me.hp 100; winner me",
        );
    }
    check(cards, "me Amp; me.hand Both", "play Both", "winner nobody");
    check(
        cards,
        "me.hand Two",
        "play Two",
        "me.hp 3000; opp.hp 0; winner me",
    );
}

/// D96, amends D32: a loss of 0 is none and does not hide the loss before it.
#[test]
fn a_loss_of_nothing_is_no_loss() {
    let cards = "
        Drain action: action = sp(-3) to(opp)
        Dry action: action = sp(-3) to(opp)
        See action: action = [[if oppLostSP]] hp(+100 * opp.lostSP) to(me)
    ";
    let mut play = check(
        cards,
        "opp.sp 3; me.hand Drain Dry See",
        "play Drain",
        "opp.lost 3",
    );
    go(&mut play, "play Dry");
    holds(&play, "opp.lost 3; opp.sp 0");
    go(&mut play, "play See");
    holds(&play, "me.hp 3300");
    check(
        cards,
        "me.hand Dry See",
        "play Dry, play See",
        "opp.lost 0; me.hp 3000",
    );
}

/// D97: the mark of the run that transformed its own card is not set on what the card is now.
#[test]
fn a_transformed_card_is_not_marked() {
    let cards = "
        Grub triggered: action = transform(me.discards.0)
        Moth triggered: action = hp(+100) to(me)
    ";
    check(
        cards,
        "me Grub; me.discards Moth",
        "use Grub, ?use Moth, use Moth, !use Moth",
        "me.ring Moth300%; me.hp 3100",
    );
}

/// D98, D37: a rule copied from an Action onto a character has no kind: it is not activated, its autos
/// and abilities work.
#[test]
fn a_copied_action_is_not_activated() {
    let cards = "
        Ape action: action = copyAbility(me.discards.0) to(\"Rook\")
        Deal action: action = sp(+5) to(me);; auto = ~endPhase~ hp(+100) to(me);; abilities = pierce
        Free action: action = {D}: sp(+5) to(me)
    ";
    check(
        cards,
        "me Rook*; me.hand Ape; me.discards Deal",
        "play Ape, !use Rook, pass, pass",
        "me.ring Rook300@Deal~pierce; me.hp 3100; me.sp 0",
    );
    check(
        cards,
        "me Rook; me.hand Ape Aid; me.discards Free",
        "play Ape, !use Rook",
        "me.ring Rook300@Free",
    );
}

/// D99: a requisite needs as many as its quantity or its pick names.
#[test]
fn a_requisite_needs_its_number() {
    let cases = [
        ("<2>character@oppRing", 2),
        ("character<3>@oppRing", 3),
        ("character@oppRing", 1),
        ("<2,3>character@oppRing", 2),
        ("<,2>character@oppRing", 1),
        ("<0,2>character@oppRing", 0),
        ("<r2>character@oppRing", 2),
        ("characters@oppRing", 1),
        ("<2>opp.ring", 2),
        ("opp.ring[bp>=300]<2>", 2),
        ("<2>character,action@oppDiscards", 2),
        ("<2>*@oppHand", 2),
    ];
    for (requisite, needed) in cases {
        let cards = format!("Src triggered: requisite = {requisite};; action = hp(+100) to(me)");
        for there in 0..=4 {
            let board = match requisite {
                _ if requisite.contains("Discards") => format!("opp.discards{}", " Foe".repeat(there)),
                _ if requisite.contains("Hand") => format!("opp.hand{}", " Foe".repeat(there)),
                _ => format!("opp{}", " Foe".repeat(there)),
            };
            let position = format!("me Src; {board}");
            let choices = if there >= needed { "use Src" } else { "!use Src" };
            let hp = if there >= needed {
                "me.hp 3100"
            } else {
                "me.hp 3000"
            };
            eprintln!("{requisite}, {there} there");
            check(&cards, &position, choices, hp);
        }
    }
}

/// D100: of several actions those that cannot be paid are not offered while another can.
#[test]
fn actions_that_cannot_be_paid_are_not_offered() {
    let cards = "
        Pick action: action = {D(<2>)}: hp(+100) to(me);; action = {D}: hp(+10) to(me);; \
            action = hp(+1) to(me)
        Dear action: action = {D(<2>)}: hp(+100) to(me);; action = {D}: hp(+10) to(me)
        Var action: vars = _c := me.hand.0;; action = {D(_c)}: hp(+100) to(me);; \
            action = {D(<2>)}: hp(+10) to(me)
    ";
    check(
        cards,
        "me.hand Pick Rook Aid",
        "play Pick, ?action 1, ?action 2, action 3",
        "me.hp 3001",
    );
    check(
        cards,
        "me.hand Pick Rook",
        "play Pick, !action 1, action 2",
        "me.hp 3010",
    );
    check(cards, "me.hand Pick", "play Pick", "me.hp 3001");
    check(
        cards,
        "me.hand Dear Rook",
        "play Dear",
        "me.hp 3010; me.discards Dear Rook",
    );
    // Nothing can be paid: all are offered, and nothing comes of them.
    check(
        cards,
        "me.hand Dear",
        "play Dear, ?action 2, action 1",
        "me.hp 3000; me.discards Dear",
    );
    // What a variable will hold is not known yet.
    check(cards, "me.hand Var Rook", "play Var", "me.hp 3100");
}

/// D84, D66, G236: the lead of a United Attack that is there counts as one of the two; beyond three
/// members targets are skipped in their order.
#[test]
fn uniting_counts_the_lead() {
    let cards = "
        Herd reaction: action = unite() to(characters@oppRing)
        Lone reaction: action = unite() to(\"Rook\"@oppRing)
    ";
    let united = "phase attack; active opp; opp.sp 90; opp Lead Fol Rook Knave; me.hand Herd Lone";
    check(
        cards,
        united,
        "attack Lead, join Fol, attack Rook, attack Knave, pass, play Herd",
        "united Lead Fol Rook",
    );
    check(
        cards,
        united,
        "attack Lead, join Fol, attack Rook, pass, play Lone",
        "united Lead Fol Rook",
    );
    // One alone is no United Attack.
    check(
        cards,
        united,
        "attack Lead, attack Rook, pass, play Lone",
        "united",
    );
}

/// D85: taken without a choice, cards keep the order in which they lie; only hands go by (name, id).
#[test]
fn taken_without_a_choice_in_the_order_of_the_zone() {
    let deck = "me.deck Wall Foe Aid Rook";
    let cases = [
        ("*s@myDeck", "me.removed Rook Aid Foe Wall"),
        ("*<2>@myDeck", "me.removed Foe Wall"),
        ("*<-2>@myDeck", "me.removed Rook Aid"),
        ("<4>*@myDeck", "me.removed Rook Aid Foe Wall"),
        ("<**>*<1>@myDeck", "me.removed Wall"),
        ("*s@myHand", "me.removed Solo Lead Knave"),
        ("<3>*@myHand", "me.removed Solo Lead Knave"),
        ("characters@myRing", "me.removed Fol Fiend"),
    ];
    for (target, facts) in cases {
        let cards = format!("Src action: action = moveTo(myRemoved) to({target})");
        let position = format!("{deck}; me Fiend Fol; me.hand Src Lead Knave Solo");
        eprintln!("{target}");
        check(&cards, &position, "play Src", facts);
    }
}

/// D86, D35: when what suppressed a keyword ends, the keyword has arrived: by time, with the giver, or
/// when a condition does not hold any more.
#[test]
fn a_suppressed_keyword_arrives_again() {
    let cards = "
        Calm auto: abilities = cantattack
        Loud auto: abilities = cantblock
        Hush reaction: action = -cantattack to(\"Calm\") ueot
        Free triggered: action = -rush to(\"Dash\")
        Dash auto: abilities = rush
        Gag action: action = loseAbility() to(\"Free\")
        While auto: auto = [[if me.sp >= 3]] -cantattack to(\"Calm\")
        Spend action 0 -3: action = hp(+1)
    ";
    // The giver goes: `rush` ends freshness then.
    check(
        cards,
        "me Free Dash; me.hand Gag",
        "use Free, play Gag",
        "me.ring Free300%- Dash300~rush",
    );
    // The condition ends: the attack is taken back.
    let mut play = check(
        cards,
        "phase attack; me While Calm; me.sp 3",
        "attack Calm",
        "me.ring While300 Calm300!",
    );
    go(&mut play, "pass");
    holds(&play, "me.sp 3");
}

/// D94: an untimed change whose giver does not have the ability that runs stands on its own.
#[test]
fn changes_of_a_giver_that_is_gone_stay() {
    let cards = "
        Pay triggered: action = {S}: disableRule(attack)
        Mute triggered: action = loseAbility(); +pierce to(\"Rook\")
        Keep triggered: action = +pierce to(\"Rook\")
        Out action: action = moveTo(hand) to(\"Mute\"; \"Rook\")
        Off action: action = moveTo(hand) to(\"Mute\")
        Bye action: action = moveTo(hand) to(\"Keep\")
    ";
    check(cards, "me Pay Rook", "use Pay, pass, !attack Rook", "changes 1");
    // The giver lost its ability before it gave: the grant is the object's.
    check(
        cards,
        "me Mute Rook; me.hand Off",
        "use Mute, play Off",
        "me.ring . Rook300~pierce",
    );
    check(
        cards,
        "me Keep Rook; me.hand Bye",
        "use Keep, play Bye",
        "me.ring . Rook300",
    );
}

/// D87, D6: a delayed listener whose card has entered a deck runs; `this` is what was known of it last,
/// and finds nothing.
#[test]
fn a_delayed_listener_does_not_find_its_card_in_a_deck() {
    let cards = "
        Egg action: action = sp(+0) to(me);; auto = ~endPhase:once~ moveTo(myHand) to?(this); hp(+100) to(me)
        Name action: action = sp(+0) to(me);; auto = ~endPhase:once~ \
            [[if this.name == 'name' and this.sp == 0 and this.controller == me \
            and this.type == 'action']] hp(+100) to(me)
        Bare action: action = sp(+0) to(me);; auto = ~endPhase:once~ moveTo(myHand); hp(+100) to(me)
        Nest auto: auto = ~leavesRing:this~ moveTo(myHand) to?(this); hp(+10) to(me)
        Fold action: action = moveTo(myDeck) to(*s@myDiscards)
        Sink action: action = moveTo(myDeck) to(\"Nest\")
    ";
    for (card, hp) in [
        ("Egg", "me.hp 3100"),
        ("Name", "me.hp 3100"),
        ("Bare", "me.hp 3100"),
    ] {
        let mut play = check(
            cards,
            &format!("me.hand {card} Fold; me.deck Rook"),
            &format!("play {card}, play Fold"),
            &format!("me.deck {card} Rook; me.hand"),
        );
        go(&mut play, "pass");
        holds(&play, hp);
        holds(&play, &format!("me.deck {card} Rook; me.hand"));
        let told = play.events.iter().any(|event| match event {
            DuelEvent::Triggered { card: seen, .. } => seen.card == cw_duel::CardId::NONE,
            _ => false,
        });
        assert!(told, "the name is told, and no card is pointed at (D64)");
    }
    // The card in the discards is still itself.
    check(cards, "me.hand Egg", "play Egg, pass", "me.hp 3100; me.hand Egg");
    check(cards, "me Nest; me.hand Sink", "play Sink", "me.hp 3010; me.hand");
}

/// D29, G248: equal copies are one option only if what they were printed as is equal too.
#[test]
fn transformed_copies_are_options_of_their_own() {
    let cards = "
        Turn action: action = transform(me.discards.0) to(\"Foe\"@myHand)
        Drop action: action = discard(<1>\"Rook\")
    ";
    let mut play = check(
        cards,
        "me.hand Turn Drop Foe Rook Rook; me.discards Rook",
        "play Turn, play Drop",
        "asks Discard",
    );
    let options = cw_stage::offered(&play);
    assert_eq!(
        options.iter().filter(|option| *option == "to Rook").count(),
        2,
        "{options:?}"
    );
    go(&mut play, "to Rook");
    let alike = check(cards, "me.hand Drop Rook Rook Rook", "play Drop", "asks Discard");
    let options = cw_stage::offered(&alike);
    assert_eq!(
        options.iter().filter(|option| *option == "to Rook").count(),
        1,
        "{options:?}"
    );
}

/// D102, G167: `bp(=n)` rounds to hundreds, halves away from zero.
#[test]
fn setting_bp_rounds() {
    for (written, bp) in [("=340", 300), ("=350", 400), ("=49", 0), ("=700", 700)] {
        let cards = format!("Set action: action = bp({written}) to(\"Rook\")");
        let facts = if bp == 0 {
            "me.ring".into()
        } else {
            format!("me.ring Rook{bp}")
        };
        check(&cards, "me Rook; me.hand Set", "play Set", &facts);
    }
}
