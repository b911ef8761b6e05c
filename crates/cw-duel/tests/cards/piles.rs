//! In which order cards lie and leave: discards, hands, options from what is hidden.

use cw_stage::{check, go, holds, offered, start};

/// G128, G172, G173: the character goes to the discards first, its back-ups lie on top of it.
#[test]
fn backups_lie_above_their_character() {
    let cards = "
        Bane action: action = destroy() to(\"Rook\")
        Lift action: action = moveTo(hand) to(\"Rook\")
        Mind auto: auto = ~leavesRing:any~ sp(+1) to(me)
    ";
    check(
        cards,
        "me Rook(Knave/Aid) Mind; me.hand Bane; me.discards Foe",
        "play Bane",
        "me.discards Bane Aid Knave Rook Foe; me.sp 3",
    );
    check(
        cards,
        "me Rook(Knave) Mind; me.hand Lift; me.discards Foe",
        "play Lift",
        "me.hand Rook; me.discards Lift Knave Foe; me.sp 2",
    );
    // In combat, by damage.
    check(
        cards,
        "phase attack; me Lead; opp Wall=200(Knave)",
        "attack Lead, pass, block Wall, pass",
        "opp.discards Knave Wall",
    );
    // D21: what the character itself hears of its back-ups.
    check(
        "Host auto: auto = ~leavesRing:any~ sp(+1) to(me)\nBane action: action = destroy() to(\"Host\")",
        "me Host(Knave); me.hand Bane",
        "play Bane",
        "me.sp 2; me.discards Bane Knave Host",
    );
}

/// D77: several cards that leave a hand without a choice go in (name, id) order.
#[test]
fn a_hand_has_no_order() {
    let cards = "
        Purge action: action = discard(all)
        Drop action: action = moveTo(discards) to(all@myHand)
        Pour action: action = movePile(myHand, myDiscards)
        Turn action: action = swapPiles(myHand, myDiscards)
        Loop action: vars = _h := me.hand;; action = moveTo(discards) to(_h)
        Most action: action = discard(<3>character)
        Dig action: action = moveRevealedTo(discards) to(reaction@myHand)
        Zest reaction
    ";
    for way in ["Purge", "Drop", "Pour", "Loop", "Most"] {
        check(
            cards,
            &format!("me.hand {way} Wall Aid Foe"),
            &format!("play {way}"),
            &format!("me.discards {way} Wall Foe Aid"),
        );
    }
    check(
        cards,
        "me.hand Turn Wall Aid Foe; me.discards Rook",
        "play Turn",
        "me.hand Rook; me.discards Turn Aid Foe Wall",
    );
    // What is above the found card is what comes before it by name.
    check(
        cards,
        "me.hand Dig Zest Wall Aid",
        "play Dig",
        "me.hand Zest; me.discards Dig Wall Aid",
    );
}

/// D77: random picks from a hand draw over the (name, id) order.
#[test]
fn random_picks_draw_over_the_order_of_names() {
    let cards = "
        Loss action: action = rndDiscard(1)
        Toll triggered: action = {D(<r1>*)}: hp(+1)
    ";
    for hand in ["Wall Aid Foe", "Foe Wall Aid", "Aid Foe Wall"] {
        for (drawn, card) in [(0, "Aid"), (1, "Foe"), (2, "Wall")] {
            check(
                cards,
                &format!("me.hand Loss {hand}; random {drawn}"),
                "play Loss",
                &format!("me.discards Loss {card}"),
            );
            check(
                cards,
                &format!("me Toll; me.hand {hand}; random {drawn}"),
                "use Toll",
                &format!("me.discards {card}"),
            );
        }
    }
}

/// D29: options from hidden piles stand by (name, id), those of the own hand too.
#[test]
fn options_from_hidden_piles_stand_by_name() {
    let cards = "
        Seek action: action = moveTo(discards) to(<1>character@myDeck)
        Look action: action = moveTo(discards) to(<1>character@oppHand)
        Part action: action = moveTo(discards) to(<1>character@myHand)
    ";
    for pile in ["Wall Aid Foe", "Foe Wall Aid", "Aid Foe Wall"] {
        for (way, position) in [
            ("Seek", format!("me.hand Seek; me.deck {pile}")),
            ("Look", format!("me.hand Look; opp.hand {pile}")),
            ("Part", format!("me.hand Part {pile}")),
        ] {
            let mut play = start(cards, &position);
            go(&mut play, &format!("play {way}"));
            assert_eq!(
                offered(&play).iter().take(3).collect::<Vec<_>>(),
                ["to Aid", "to Foe", "to Wall"],
                "{way}"
            );
        }
        let play = start(cards, &format!("me.hand {pile}; me Rook"));
        assert_eq!(
            offered(&play),
            [
                "play Aid",
                "back Aid",
                "play Foe",
                "back Foe",
                "play Wall",
                "back Wall",
                "pass"
            ]
        );
        holds(&play, "asks Main");
    }
}
