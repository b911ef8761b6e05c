//! Decks, setup and the end of the game (sections 1 and 2).

use std::sync::Arc;

use crate::{check, check_with};
use cw_duel::{
    CardModel, CardView, ChangedThing, Constants, Decks, Duel, DuelEvent, DuelSetup, DuelTwist, Game,
    PerSeat, Phase, Question, Seat, SeatTwist, SetupError,
};
use cw_program::{CardNameId, CardType, ModelId, RuleFlag, SubtypeId};

fn game(constants: Constants) -> Arc<Game> {
    let model = |index: u16| CardModel {
        id: format!("card {index}").into(),
        name: format!("Card {index}").into(),
        name_id: CardNameId(index),
        card_type: Some(CardType::Character),
        subtype: Some(SubtypeId(0)),
        bp: 500,
        sp: 0,
        ability: None,
        text: "".into(),
        backups: Vec::new(),
        program: None,
    };
    let models: Vec<CardModel> = (0..30).map(model).collect();
    Arc::new(Game {
        constants,
        names: models.iter().map(|model| model.name.clone()).collect(),
        models,
        subtypes: vec!["Any".into()],
        ..Game::default()
    })
}

fn deck(cards: usize, copies: usize) -> Vec<ModelId> {
    (0..cards).map(|at| ModelId((at / copies) as u16)).collect()
}

fn decks() -> Decks {
    PerSeat([deck(50, 3), deck(50, 2)])
}

/// The constants are the numbers of the game (G1).
#[test]
fn the_numbers_of_the_game() {
    let Constants {
        ring_slots,
        characters_per_turn,
        backups_per_turn,
        backup_bp,
        united_followers,
        united_sp,
        copies,
        opening_hand,
        hp,
        sp,
        deck_size,
        max_turns,
        max_free_actions,
        max_steps,
        max_depth,
        max_asks: _,
    } = Constants::default();
    assert_eq!((ring_slots, characters_per_turn, backups_per_turn), (4, 1, 1));
    assert_eq!((backup_bp, united_followers, united_sp), (300, 2, -5));
    assert_eq!((copies, opening_hand, hp, sp, deck_size), (3, 5, 3000, 0, 50));
    // Loops, turns and free actions have limits (D13, D14).
    assert_eq!((max_steps, max_depth), (10_000, 16));
    assert_eq!((max_turns, max_free_actions), (200, 200));
}

/// G35, G44: HP, SP, five cards, and the first player's Main phase (G37).
#[test]
fn a_duel_begins() {
    for seed in 0..20 {
        let duel = Duel::new(game(Constants::default()), &decks(), seed).expect("legal decks");
        let first = duel.active();
        let view = duel.view(first);
        for seat in Seat::BOTH {
            let player = &view.players[seat];
            assert_eq!((player.hp, player.sp, player.hand.len()), (3000, 0, 5));
            assert_eq!(player.deck.len(), 45);
            assert!(player.ring.iter().all(Option::is_none));
        }
        assert_eq!((duel.turn(), duel.phase()), (1, Phase::Main));
        let decision = duel.pending().expect("somebody begins");
        assert_eq!((decision.seat, decision.question), (first, Question::Main));
    }
}

/// G36, D10: drawn from the seed unless given.
#[test]
fn who_goes_first() {
    let game = game(Constants::default());
    let first_of = |first, seed| {
        let setup = DuelSetup {
            first,
            ..DuelSetup::from(seed)
        };
        Duel::new(Arc::clone(&game), &decks(), setup)
            .expect("legal decks")
            .active()
    };
    for seat in Seat::BOTH {
        assert!((0..20).all(|seed| first_of(Some(seat), seed) == seat));
    }
    let ones = (0..200).filter(|seed| first_of(None, *seed) == Seat::One).count();
    assert!((70..130).contains(&ones), "{ones} of 200");
}

/// Decks that are too small, too large or have too many copies are refused (G33, G34, GQ55, D9).
#[test]
fn illegal_decks() {
    let game = game(Constants::default());
    let start = |deck: Vec<ModelId>| {
        let decks = PerSeat([deck, self::deck(50, 2)]);
        Duel::new(Arc::clone(&game), &decks, 1).map(|_| ())
    };
    assert_eq!(start(deck(50, 3)), Ok(()), "any mix of types");
    for wrong in [deck(49, 3), deck(51, 3), deck(50, 4), Vec::new()] {
        let error = start(wrong).expect_err("it is illegal");
        assert!(
            matches!(error, SetupError::IllegalDeck { seat: Seat::One, .. }),
            "{error}"
        );
    }
}

/// D9: an author may play them, but not more cards than a duel holds.
#[test]
fn authors_play_illegal_decks() {
    let game = game(Constants::default());
    let start = |cards: [usize; 2]| {
        let setup = DuelSetup {
            allow_illegal_decks: true,
            ..DuelSetup::from(1)
        };
        let decks = PerSeat(cards.map(|cards| deck(cards, 30)));
        Duel::new(Arc::clone(&game), &decks, setup)
    };
    // G35: fewer than five if the deck has fewer.
    let view = start([3, 40]).expect("an author's deck").view(Seat::One);
    assert_eq!(view.players.0.map(|player| player.hand.len()), [3, 5]);
    assert!(start([125, 125]).is_ok());
    let error = start([126, 125]).expect_err("251 cards");
    assert_eq!(error, SetupError::TooManyCards { cards: 251 });
}

/// D9: eight slots a ring at most.
#[test]
fn games_beyond_the_engine_are_refused() {
    let constants = Constants {
        ring_slots: 9,
        ..Constants::default()
    };
    let refused = Duel::new(game(constants), &decks(), 1).expect_err("nine slots");
    assert!(
        matches!(refused, SetupError::TooLarge { limit: 8, .. }),
        "{refused}"
    );
}

/// G267, D50: the own hand is known, the opponent's and both decks are not.
#[test]
fn what_a_player_knows_at_the_start() {
    let duel = Duel::new(game(Constants::default()), &decks(), 3).expect("legal decks");
    for seat in Seat::BOTH {
        let view = duel.view(seat);
        let knows = |cards: &[CardView]| cards.iter().filter(|card| card.model.is_some()).count();
        assert_eq!(knows(&view.players[seat].hand), 5);
        assert_eq!(knows(&view.players[seat.other()].hand), 0);
        for whose in Seat::BOTH {
            assert!(view.players[whose].deck.iter().all(Option::is_none));
        }
        assert_eq!(
            view.decision.is_some(),
            view.to_decide == Some(seat),
            "only one's own decision"
        );
    }
}

/// G268: a drawn card is told to its player only.
#[test]
fn drawing_shows_nothing_to_the_opponent() {
    let mut events: Vec<DuelEvent> = Vec::new();
    Duel::new_with(game(Constants::default()), &decks(), 3, &mut events).expect("legal decks");
    let mut drawn = 0;
    for event in events {
        if let DuelEvent::Moved { card, to, .. } = event {
            assert!(card.model(to.seat).is_some());
            assert_eq!(card.model(to.seat.other()), None);
            drawn += 1;
        }
    }
    assert_eq!(drawn, 10);
}

/// G37, G40: no draw and no deck-out test in turn 1; the second player draws.
#[test]
fn the_first_player_does_not_draw() {
    check(
        "phase draw; turn 1; me.deck; me.hand",
        "",
        "phase Main; me.hand; winner",
    );
    check(
        "phase draw; turn 2; me.hand; me.deck k500 l500",
        "",
        "phase Main; me.hand k; me.decksize 1",
    );
}

/// G39, G50, T11: an empty deck at the draw of the Draw phase loses.
#[test]
fn an_empty_deck_loses_at_the_draw() {
    check("phase draw; me.deck", "", "winner opp; by deck");
    check("phase draw; me.deck k500", "", "winner; me.decksize 0; me.hand k");
    // G40: skipped, so not tested.
    check("phase draw; me.deck; me.skips draw", "", "winner; phase Main");
}

/// G38, G42, GQ1, D8: at 0 HP the duel ends at once.
#[test]
fn no_hp_is_the_end() {
    let attack = "attack a, attack b, pass, pass";
    check(
        "phase attack; me a500 b300; opp.hp 500",
        attack,
        "winner me; by hp; opp.hp 0; phase End",
    );
    check(
        "phase attack; me a500 b300; opp.hp 801",
        attack,
        "winner; opp.hp 1; active opp",
    );
}

/// D14: after 200 turns nobody wins.
#[test]
fn a_duel_is_drawn_in_the_end() {
    check("turn 200", "pass", "winner nobody; by turns");
    check("turn 199", "pass", "winner; turn 200");
}

/// D14: after so many free actions in a phase only ending it is offered.
#[test]
fn free_actions_are_limited() {
    let constants = Constants {
        max_free_actions: 4,
        ..Constants::default()
    };
    check_with(
        constants.clone(),
        "phase attack; me a500 b300",
        "attack a, cancel a, attack a, ?attack b, cancel a, !attack a, !attack b, pass",
        "active opp",
    );
    check_with(
        constants,
        "me.hand acta acta acta acta actb",
        "play acta, play acta, play acta, ?play actb, play acta, !play actb, pass",
        "active opp; me.hand actb",
    );
}

/// D109: a twist adds to the numbers of one seat, and no number falls below the least that can be played
/// with.
#[test]
fn a_twist_changes_what_a_seat_begins_with() {
    let begins = |seats: PerSeat<SeatTwist>| {
        let twisted = Game {
            twist: DuelTwist {
                seats,
                rules: Vec::new(),
            },
            ..(*game(Constants::default())).clone()
        };
        let duel = Duel::new(Arc::new(twisted), &decks(), 7).expect("legal decks");
        let view = duel.view(Seat::One);
        Seat::BOTH.map(|seat| {
            let player = &view.players[seat];
            (player.hp, player.sp, player.hand.len(), player.characters.1)
        })
    };
    let more = SeatTwist {
        hp: 300,
        sp: 3,
        opening_hand: 1,
        characters_per_turn: 1,
        backups_per_turn: 0,
    };
    let plain = SeatTwist::default();
    assert_eq!(begins(PerSeat([more, plain])), [(3300, 3, 6, 2), (3000, 0, 5, 1)]);
    let less = SeatTwist {
        hp: -9000,
        sp: -3,
        opening_hand: -9,
        characters_per_turn: -5,
        backups_per_turn: -1,
    };
    assert_eq!(begins(PerSeat([plain, less])), [(3000, 0, 5, 1), (1, 0, 0, 0)]);
    assert_eq!(begins(PerSeat([plain, plain])), [(3000, 0, 5, 1); 2]);
}

/// D109, G249: a rule that a twist switches holds for a seat or for both, from the first decision on.
#[test]
fn a_twist_switches_rules_of_the_game() {
    let attacks = |rules: Vec<(RuleFlag, Option<Seat>, bool)>| {
        let twisted = Game {
            twist: DuelTwist {
                seats: PerSeat::default(),
                rules,
            },
            ..(*game(Constants::default())).clone()
        };
        let setup = DuelSetup {
            first: Some(Seat::One),
            ..DuelSetup::from(3)
        };
        let duel = Duel::new(Arc::new(twisted), &decks(), setup).expect("legal decks");
        let changed = duel.snapshot().changes;
        changed.iter().map(|change| change.what).collect::<Vec<_>>()
    };
    assert_eq!(attacks(Vec::new()), []);
    assert_eq!(
        attacks(vec![
            (RuleFlag::AttackFreeze, None, false),
            (RuleFlag::Attack, Some(Seat::Two), false)
        ]),
        [
            ChangedThing::Rule(RuleFlag::AttackFreeze, 0),
            ChangedThing::Rule(RuleFlag::Attack, 0)
        ]
    );
}
