//! What refers to a card goes on meaning that card, and tells only what was known of it (D64).

use std::collections::BTreeMap;

use cw_duel::{CardId, Choice, DuelEvent, Seat, SeatSet, Silent};
use cw_program::PileName;

use cw_stage::{check, go, start};

/// D64, D6, R601: a card that was chosen before a shuffle is the same card after it.
#[test]
fn a_chosen_card_survives_a_shuffle() {
    const CARDS: &str = "Seek action: target = *@myDeck ;; action = shuffle(myDeck); moveTo(myHand) to(tgt)";
    for seed in 1..20 {
        let mut play = start(
            CARDS,
            &format!("me.hand Seek; me.deck Rook Knave Foe Fiend Wall Lead Fol Solo; seed {seed}"),
        );
        go(&mut play, "play Seek, to Wall");
        let hand = &play.duel.view(Seat::One).players[Seat::One].hand;
        let names: Vec<&str> = hand.iter().map(|held| play.name(held.card)).collect();
        assert_eq!(names, ["Wall"], "seed {seed}");
    }
}

/// D64: variables, results and `prevTgt` are carried along as well.
#[test]
fn every_list_of_a_script_survives_a_shuffle() {
    const CARDS: &str = "
        Keep action: vars = _a := getTargets('<1>*@myDeck') ;; action = shuffle(myDeck); moveTo(myHand) to(_a)
        Put action: action = moveTo(myDeck) to(<1>*@myHand); shuffle(myDeck); moveTo(myDiscards) to(moved)
        Prev action: action = moveTo(myDeck) & shuffle(myDeck) to(<1>*@myDiscards); \
            moveTo(myRemoved) to(prevTgt)";
    for (choices, pile, name) in [
        ("play Keep, to Wall", PileName::Hand, "Wall"),
        ("play Put, to Fop", PileName::Discards, "Fop"),
        ("play Prev, to Aid", PileName::Removed, "Aid"),
    ] {
        for seed in 1..8 {
            let position = format!(
                "me.hand Keep Put Prev Fop; me.deck Rook Knave Foe Fiend Wall; \
                 me.discards Lead Aid; seed {seed}"
            );
            let mut play = start(&format!("{CARDS}\n Fop plain"), &position);
            go(&mut play, choices);
            let player = &play.duel.view(Seat::One).players[Seat::One];
            let cards = match pile {
                PileName::Hand => &player.hand,
                PileName::Discards => &player.discards,
                PileName::Deck | PileName::Removed => &player.removed,
            };
            let found: Vec<&str> = cards.iter().map(|held| play.name(held.card)).collect();
            assert!(found.contains(&name), "seed {seed}: {found:?}");
        }
    }
}

/// D64, D6: a timed change goes on under the name of the card that made it, wherever that is; the
/// listing and the log name no other card, and point at none.
#[test]
fn a_timed_change_keeps_the_name_of_its_source() {
    const CARDS: &str = "Hush action: action = disableRule(attack) ueot; \
                         moveTo(myDeck) to(this); shuffle(myDeck); sp(1) to(me)";
    for seed in 1..12 {
        let mut play = start(
            CARDS,
            &format!("me.hand Hush; me.deck Rook Knave Foe Fiend Wall; seed {seed}"),
        );
        go(&mut play, "play Hush");
        let hush = play.duel.game().find("Hush");
        let changes = play.duel.snapshot().changes;
        let listed: Vec<_> = changes
            .iter()
            .map(|change| (change.source, change.named))
            .collect();
        assert_eq!(listed, [(None, hush)], "seed {seed}");
        go(&mut play, "pass");
        // After the shuffle, statements and the end of the change are told by the name alone.
        let shuffled = play
            .events
            .iter()
            .position(|event| matches!(event, DuelEvent::Shuffled { .. }));
        let mut told = 0;
        for event in &play.events[shuffled.expect("it shuffles") + 1..] {
            let source = match event {
                DuelEvent::Step { source, .. } | DuelEvent::Rule { source, .. } => *source,
                DuelEvent::Sp { by: Some(origin), .. } => origin.source,
                _ => continue,
            };
            told += 1;
            assert_eq!(
                (source.card, source.to),
                (CardId::NONE, SeatSet::BOTH),
                "{event:?}"
            );
            assert_eq!(Some(source.true_model()), hush, "{event:?}");
        }
        assert!(told >= 3, "{told}");
    }
}

/// D64: what a delayed event does is told under the name of its source, which lies in the deck by then.
#[test]
fn a_delayed_event_keeps_the_name_of_its_source() {
    const CARDS: &str = "Later action: action = moveTo(myDeck) to(this); shuffle(myDeck) ;; \
                         auto = ~myEndPhase:once~ hp(+100) to(me)";
    for seed in 1..12 {
        let mut play = start(
            CARDS,
            &format!("me.hand Later; me.deck Rook Knave Foe Fiend Wall; seed {seed}"),
        );
        go(&mut play, "play Later, pass");
        let later = play.duel.game().find("Later");
        let mut told = play.events.iter().filter_map(|event| match event {
            DuelEvent::Triggered { card, .. } => Some((card.card, Some(card.true_model()), card.to)),
            _ => None,
        });
        assert_eq!(
            told.next(),
            Some((CardId::NONE, later, SeatSet::BOTH)),
            "seed {seed}"
        );
        assert_eq!(play.hp(Seat::One), 3100, "seed {seed}");
    }
}

/// R601: without a shuffle the results of a run are what they were.
#[test]
fn results_are_told_without_a_shuffle() {
    check(
        "Turn action: action = moveTo(myDeck) to(<1>*@myDiscards); moveTo(myHand) to(moved)",
        "me.hand Turn; me.discards Rook Knave; me.deck Foe",
        "play Turn, to Rook",
        "me.hand Rook",
    );
}

/// Both duels, after a character went back to the hand where a copy of it lay, and one or the other of the
/// two was chosen.
fn played_again(choose: fn(CardId) -> Choice, position: &str, rest: &str) -> Vec<(String, String)> {
    const CARDS: &str = "
        Back action: action = moveTo(myHand) to(character@myRing)
        Drop action: action = discard(1)
        Rook plain rope";
    let mut play = start(CARDS, position);
    go(&mut play, "play Back");
    let hand = play.duel.view(Seat::One).players[Seat::One].hand.clone();
    let rooks: Vec<CardId> = hand
        .iter()
        .map(|held| held.card)
        .filter(|card| play.name(*card) == "Rook")
        .collect();
    assert_eq!(rooks.len(), 2);
    rooks
        .into_iter()
        .map(|rook| {
            let mut play = play.clone();
            if rest == "discard" {
                go(&mut play, "play Drop");
            }
            play.events.clear();
            let offered = play
                .duel
                .pending()
                .expect("it goes on")
                .options
                .contains(&choose(rook));
            if !offered {
                return (String::new(), String::new());
            }
            play.answer(choose(rook));
            go(&mut play, if rest == "slot" { "slot 1, pass" } else { "pass" });
            let known = |event: &DuelEvent| match event {
                DuelEvent::Moved { card, .. } | DuelEvent::Played { card, .. } => {
                    format!("{:?} {:?}", card.card, card.model(Seat::Two))
                }
                _ => String::new(),
            };
            let events: Vec<String> = play.events.iter().map(known).collect();
            (format!("{:?}", play.duel.view(Seat::Two)), events.join("; "))
        })
        .filter(|(view, _)| !view.is_empty())
        .collect()
}

/// G271, D50: whether a card that is played or discarded is the one that went back to the hand, or the copy
/// that lay there, does not show in the other player's view or log.
#[test]
fn which_copy_is_played_again_does_not_show() {
    let position = "phase main; me Rook; me.hand Back Drop Rook Foe; me.sp 9";
    for (choose, rest) in [
        (Choice::Play as fn(CardId) -> Choice, "slot"),
        (Choice::Card as fn(CardId) -> Choice, "discard"),
    ] {
        let seen = played_again(choose, position, rest);
        assert!(!seen.is_empty(), "{rest}");
        assert!(seen.iter().all(|one| *one == seen[0]), "{rest}: {seen:#?}");
    }
}

/// D50: a card that is taken from inside a deck leaves under the index of the topmost: the other player
/// does not learn where it lay, now or when the rest is drawn.
#[test]
fn a_card_from_inside_a_deck_does_not_tell_its_place() {
    const CARDS: &str = "
        Seek action: action = moveTo(myHand) to(<1>*@myDeck)
        Dig action: action = draw(3)";
    let seen: Vec<String> = ["Rook", "Foe", "Wall", "Solo"]
        .into_iter()
        .map(|name| {
            let mut play = start(
                CARDS,
                "me.hand Seek Dig; me.deck Rook Knave Foe Fiend Wall Lead Fol Solo",
            );
            go(&mut play, &format!("play Seek, to {name}, play Dig"));
            let told = play.events.iter().filter_map(|event| match event {
                DuelEvent::Moved { card, from, to, .. } => Some(format!(
                    "{:?} {:?} {from:?} {to:?}",
                    card.card,
                    card.model(Seat::Two)
                )),
                _ => None,
            });
            let told: Vec<String> = told.collect();
            let held = play.duel.view(Seat::One).players[Seat::One].hand.clone();
            assert!(held.iter().any(|held| play.name(held.card) == name), "{name}");
            format!("{:?} {told:?}", play.duel.view(Seat::Two))
        })
        .collect();
    assert!(seen.iter().all(|view| *view == seen[0]), "{seen:#?}");
}

/// G271, D50: a player who puts a card of the hand on the deck unseen does not tell whether it was one that
/// the other knew there: the other one forgets them, and every index may be that of the card.
#[test]
fn a_card_put_away_unseen_does_not_tell_what_it_was() {
    const CARDS: &str = "
        Back action: action = moveTo(myHand) to(character@myRing)
        Put action: action = moveTo(myDeck) to(<1>*@myHand)";
    let mut left: [BTreeMap<CardId, u32>; 2] = [BTreeMap::new(), BTreeMap::new()];
    for seed in 0..400 {
        for (name, left) in ["Rook", "Foe"].into_iter().zip(&mut left) {
            let mut play = start(
                CARDS,
                &format!("me Rook; me.hand Back Put Foe Fiend Wall; me.deck Lead Lead; seed {seed}"),
            );
            go(&mut play, "play Back, play Put");
            play.events.clear();
            go(&mut play, &format!("to {name}"));
            let view = play.duel.view(Seat::Two);
            let hand = &view.players[Seat::One].hand;
            assert!(hand.iter().all(|held| held.model.is_none()), "{hand:?}");
            let moved = play.events.iter().find_map(|event| match event {
                DuelEvent::Moved { card, .. } => Some(*card),
                _ => None,
            });
            let moved = moved.expect("it moved");
            assert_eq!(moved.model(Seat::Two), None);
            assert_eq!(moved.model(Seat::One), play.duel.game().find(name));
            *left.entry(moved.card).or_default() += 1;
        }
    }
    for left in &left {
        // Four cards: each index a hundred times, give or take six standard deviations.
        assert_eq!(left.len(), 4, "{left:?}");
        assert!(left.values().all(|count| (48..=152).contains(count)), "{left:?}");
    }
}

/// T17, G205: who chooses from the other hand goes on knowing the rest of it.
#[test]
fn who_puts_a_card_of_the_other_hand_away_knows_the_rest() {
    let mut play = start(
        "Push action: action = peek(); moveTo(oppDeck) to(<1>*@oppHand)",
        "me.hand Push; opp.hand Rook Foe Wall",
    );
    go(&mut play, "play Push, to Foe");
    let hand = play.duel.view(Seat::One).players[Seat::Two].hand.clone();
    assert!(hand.iter().all(|held| held.model.is_some()), "{hand:?}");
    assert!(play.duel.answer(Choice::Pass, &mut Silent).is_ok());
}
