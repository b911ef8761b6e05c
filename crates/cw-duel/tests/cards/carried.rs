//! D108: a duel goes on under another version of its game, from the same position.

use std::sync::Arc;

use cw_duel::{CarriedDuel, CarryFault, CarryNote, Game, GameChange, PrintedChange};
use cw_stage::{Play, go, holds, offered, start};

/// The duel under cards with other rules or numbers; the position lists the same cards, so that they have the
/// same ids.
fn carried(play: &Play, cards: &str, position: &str) -> Result<CarriedDuel, CarryFault> {
    let new = Arc::clone(start(cards, position).duel.game());
    play.duel.carried(&GameChange::between(play.duel.game(), &new))
}

#[track_caller]
fn goes_on(play: &mut Play, cards: &str, position: &str) -> Vec<CarryNote> {
    let carried = carried(play, cards, position).expect("the position can stand");
    carried.duel.check_invariants().expect("they hold");
    play.duel = carried.duel;
    carried.notes
}

/// D108: an auto with the same trigger goes on listening, with its new statements; the question is asked
/// again.
#[test]
fn a_character_follows_its_new_rule() {
    let (cards, position) = (
        "Ears auto: auto = ~anyRingChanges~ sp(+1) to(me)",
        "me Ears; me.hand Rook Wall",
    );
    let mut play = start(cards, position);
    go(&mut play, "play Rook, slot 2");
    holds(&play, "me.sp 1; me.ring Ears300 Rook300*");
    let before = play.duel.view(cw_duel::Seat::One);
    let notes = goes_on(&mut play, &cards.replace("+1", "+5"), position);
    assert_eq!(notes, []);
    assert_eq!(play.duel.view(cw_duel::Seat::One), before);
    go(&mut play, "pass, pass, pass, pass");
    // The next turns are the same game: the ring changes again when a character is played.
    let offered = offered(&play);
    assert!(!offered.is_empty());
}

/// D108: a trigger that is another one stops, and the new one begins.
#[test]
fn another_trigger_begins_to_listen() {
    let (cards, position) = (
        "Ears auto: auto = ~endPhase~ sp(+1) to(me)",
        "me Ears; me.hand Rook",
    );
    let mut play = start(cards, position);
    goes_on(
        &mut play,
        "Ears auto: auto = ~anyRingChanges~ sp(+7) to(me)",
        position,
    );
    go(&mut play, "play Rook, slot 2");
    holds(&play, "me.sp 7");
    assert_eq!(play.duel.snapshot().listeners.len(), 1);
}

/// D108, R909: what happens once and has happened does not happen again.
#[test]
fn once_stays_once() {
    let (cards, position) = (
        "Ears auto: auto = ~myRingChanges:once~ sp(+1) to(me)",
        "me Ears; me.hand Rook Wall Knave",
    );
    let mut play = start(cards, position);
    go(&mut play, "play Rook, slot 2");
    holds(&play, "me.sp 1");
    goes_on(&mut play, &cards.replace("+1", "+5"), position);
    assert_eq!(play.duel.snapshot().listeners.len(), 0);
}

/// D108: damage stays, unless it would KO the character.
#[test]
fn damage_stays() {
    let position = "me Tower=200; opp Foe";
    for (bp, ring, note) in [
        (700, "Tower400", Some((200, 400))),
        (400, "Tower100", Some((200, 100))),
        (300, "Tower200", None),
    ] {
        let mut play = start("Tower plain 500", position);
        let notes = goes_on(&mut play, &format!("Tower plain {bp}"), position);
        holds(&play, &format!("me.ring {ring}"));
        let card = play.duel.game().find("Tower").expect("it is there");
        let expected = match note {
            Some((from, to)) => CarryNote::Bp { card, from, to },
            None => CarryNote::BpKept { card },
        };
        assert_eq!(notes, [expected]);
    }
}

/// D108: what a character gets on entering, and as long as it stands there, is exchanged; anything else that
/// it does on entering is not done again.
#[test]
fn what_holds_on_entering_is_exchanged() {
    let position = "me Wisp";
    let mut play = start("Wisp auto: auto = +pierce", position);
    holds(&play, "me.ring Wisp300~pierce");
    assert_eq!(goes_on(&mut play, "Wisp auto: auto = +unblockable", position), []);
    holds(&play, "me.ring Wisp300~unblockable");
    let card = play.duel.game().find("Wisp").expect("it is there");
    let notes = goes_on(&mut play, "Wisp auto: auto = sp(+3) to(me)", position);
    assert_eq!(notes, [CarryNote::NotEnteredAgain { card }]);
    holds(&play, "me.sp 0");
}

/// D108: keywords that are printed hold at once, and do their work on arrival.
#[test]
fn printed_keywords_hold_at_once() {
    let position = "phase attack; me Wisp!; opp Foe";
    let mut play = start("Wisp auto: abilities = pierce", position);
    goes_on(&mut play, "Wisp auto: abilities = cantattack", position);
    holds(&play, "me.ring Wisp300~cantattack");
}

/// D108, D24: a continuous auto holds by its new condition, or no longer.
#[test]
fn continuous_autos_hold_by_their_new_condition() {
    let (cards, position) = ("Wisp auto: auto = [[if me.sp >= 3]] +pierce", "me Wisp; me.sp 3");
    let mut play = start(cards, position);
    holds(&play, "me.ring Wisp300~pierce");
    goes_on(&mut play, &cards.replace(">= 3", ">= 4"), position);
    holds(&play, "me.ring Wisp300");
    goes_on(&mut play, cards, position);
    holds(&play, "me.ring Wisp300~pierce");
    goes_on(&mut play, "Wisp auto: action = draw()", position);
    holds(&play, "me.ring Wisp300");
}

/// D108: in the middle of an effect, and while a card is being played, a duel is not carried; but it is if
/// only a comment or a text has changed.
#[test]
fn inside_an_effect_only_texts_may_change() {
    let (cards, position) = (
        "Burn action: action = destroy() to(character@oppRing)",
        "opp Foe Fiend; me.hand Burn Rook",
    );
    let mut play = start(cards, position);
    go(&mut play, "play Burn");
    let other = cards.replace("destroy", "freeze");
    assert_eq!(carried(&play, &other, position).err(), Some(CarryFault::Inside));
    goes_on(&mut play, cards, position);
    go(&mut play, "to Foe");
    holds(&play, "opp.ring . Fiend300");
}

/// D108: without its cards a duel does not go on; what only one player knows is not named.
#[test]
fn gone_cards_are_said_without_what_is_hidden() {
    let without = |play: &Play, name: &str| {
        let mut game = Game::clone(play.duel.game());
        let at = game.find(name).expect("it is there");
        game.models.remove(usize::from(at.0));
        let change = GameChange::between(play.duel.game(), &Arc::new(game));
        assert_eq!(change.gone().collect::<Vec<_>>(), [at]);
        (play.duel.carried(&change).err(), at)
    };
    let play = start("", "me Rook; opp.hand Spark300; opp.discards Ash300");
    let (fault, _) = without(&play, "Spark");
    let seen = Vec::new();
    assert_eq!(fault, Some(CarryFault::Gone { seen, hidden: true }));
    let (fault, at) = without(&play, "Ash");
    let seen = vec![at];
    assert_eq!(fault, Some(CarryFault::Gone { seen, hidden: false }));
    // A card that nobody plays with may go: the others have other numbers then.
    let (fault, _) = without(&play, "Aid");
    assert_eq!(fault, None);
}

/// D108: an id that is written anew is the same card by its name.
#[test]
fn a_card_with_another_id_is_known_by_its_name() {
    let play = start("", "me Rook");
    let mut game = Game::clone(play.duel.game());
    let rook = game.find("Rook").expect("it is there");
    game.models[usize::from(rook.0)].id = "11111111-0000-0000-0000-000000000000".into();
    game.models[usize::from(rook.0)].sp = 2;
    let change = GameChange::between(play.duel.game(), &Arc::new(game));
    let changed: Vec<_> = change.cards().collect();
    assert_eq!(changed.len(), 1);
    assert_eq!(changed[0].1.printed, [PrintedChange::Sp { from: 0, to: 2 }]);
    assert!(play.duel.carried(&change).is_ok());
}

/// D108: what stands in a ring must be a character, and have a slot.
#[test]
fn what_cannot_stand_is_said() {
    let play = start("", "me . . . Rook");
    let mut game = Game::clone(play.duel.game());
    let rook = game.find("Rook").expect("it is there");
    game.models[usize::from(rook.0)].card_type = Some(cw_program::CardType::Action);
    let change = GameChange::between(play.duel.game(), &Arc::new(game));
    assert_eq!(
        play.duel.carried(&change).err(),
        Some(CarryFault::NotACharacter(rook))
    );
    let mut game = Game::clone(play.duel.game());
    game.constants.ring_slots = 3;
    let change = GameChange::between(play.duel.game(), &Arc::new(game));
    assert_eq!(
        play.duel.carried(&change).err(),
        Some(CarryFault::Slots(cw_duel::Seat::One))
    );
}

/// D108: how a rule is written does not count.
#[test]
fn comments_and_blanks_are_no_change() {
    let [one, two] = [
        "Ears auto: auto = ~anyRingChanges~ sp(+1) to(me)",
        "Ears auto: # what it hears ;; auto = ~anyRingChanges~  sp( +1 )  to(me)",
    ]
    .map(|cards| Arc::clone(start(cards, "").duel.game()));
    let change = GameChange::between(&one, &two);
    assert!(change.is_empty(), "{:?}", change.cards().collect::<Vec<_>>());
}
