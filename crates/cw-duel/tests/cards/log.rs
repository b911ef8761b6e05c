//! What the log says: cards are called what they were when it happened, by those who knew it then.

use cw_duel::Seat;
use cw_words::EventReader;

use cw_stage::{go, start};

/// Plays the choices; what the reader is told of them all.
#[track_caller]
fn told(cards: &str, position: &str, choices: &str, seat: Option<Seat>, expected: &[&str]) {
    let mut play = start(cards, position);
    play.events.clear();
    go(&mut play, choices);
    let reader = EventReader {
        duel: &play.duel,
        seat,
    };
    let story = cw_words::story(reader, &play.events);
    let words: Vec<&str> = story.iter().map(|(_, words)| &**words).collect();
    assert_eq!(words, expected, "{seat:?}");
}

const ONE: Option<Seat> = Some(Seat::One);
const TWO: Option<Seat> = Some(Seat::Two);

/// G243, D26: a card that becomes another one in the middle of an answer, and back.
#[test]
fn a_transformed_card_is_called_what_it_was() {
    let cards = "
        Lord plain 700
        Mask action: target = \"Lord\"@myDiscards;; vars = _l := tgt.0;; action = \
            bp(+100) to(\"Rook\"); transform(_l) to(\"Rook\") ueot; freeze() to(\"Lord\"@ring)
    ";
    told(
        cards,
        "me Rook; me.hand Mask; me.discards Lord",
        "play Mask, pass",
        None,
        &[
            "Player 1 plays Mask.",
            "Mask acts.",
            "Rook: 300 → 400 BP (+100, Mask).",
            "Rook becomes Lord.",
            "Lord freezes.",
            "Lord becomes Rook.",
            "── Turn 4: Player 2 ──",
            "Player 2 draws filler.",
        ],
    );
}

/// G248, D6, G267: what a card was in a hand before it was transformed there is not told to the
/// other player when it goes back to a deck. That it is this card which goes is not told either: it
/// is put away unseen (G271, D50).
#[test]
fn a_form_that_was_hidden_stays_hidden() {
    let cards = "
        Lord plain 700
        Mask action: target = \"Lord\"@myDiscards;; vars = _l := tgt.0;; \
            action = transform(_l) to(\"Aid\"@hand)
        Sink action: action = moveTo(deck) from(character@hand)
    ";
    let position = "me.hand Mask Sink Aid; me.discards Lord";
    let choices = "play Mask, play Sink";
    let words = |who: &'static str, whose: &'static str, known: &'static [&'static str]| {
        let mut lines = vec![format!("{who} Mask."), "Mask acts.".to_owned()];
        lines.push(format!("{} becomes Lord.", known[0]));
        lines.push(format!("{who} Sink."));
        lines.push("Sink acts.".to_owned());
        let goes = if known.len() > 1 { "Lord" } else { "A card" };
        lines.push(format!("{goes} goes to {whose} deck."));
        lines.extend(known.get(1).map(|name| format!("Lord becomes {name}.")));
        lines
    };
    for (seat, lines) in [
        (ONE, words("You play", "your", &["Aid", "Aid"])),
        (TWO, words("The opponent plays", "the opponent's", &["A card"])),
    ] {
        let lines: Vec<&str> = lines.iter().map(|line| &**line).collect();
        told(cards, position, choices, seat, &lines);
    }
}

/// G172, D50: a card that is shuffled away later in the same answer was known when it acted; to the
/// cause of a number no other card lends its name.
#[test]
fn a_card_that_leaves_keeps_its_name() {
    let cards = "
        Imp triggered 200: action = damage(100) to(opp); moveTo(deck) to(this); shuffle()
    ";
    for (seat, imp) in [(ONE, "your"), (TWO, "the opponent's")] {
        let mut play = start(cards, "me Imp");
        play.events.clear();
        go(&mut play, "use Imp");
        let reader = EventReader {
            duel: &play.duel,
            seat,
        };
        let story = cw_words::story(reader, &play.events);
        let words: Vec<&str> = story.iter().map(|(_, words)| &**words).collect();
        assert_eq!(words[0], "Imp acts.");
        assert!(words[1].ends_with("HP: 3000 → 2900 (−100, Imp)."), "{words:?}");
        assert_eq!(words[2], format!("Imp goes to {imp} deck."));
    }
}

/// Cards of the same name that fight each other say whose they are, to a seat and to who sees both.
#[test]
fn twins_of_both_players_say_whose_they_are() {
    for (seat, own, other) in [
        (ONE, "yours", "the opponent's"),
        (TWO, "the opponent's", "yours"),
        (None, "player 1's", "player 2's"),
    ] {
        let mut play = start("", "me Rook; opp Rook");
        play.events.clear();
        go(&mut play, "pass, attack Rook, pass, block Rook, pass");
        let reader = EventReader {
            duel: &play.duel,
            seat,
        };
        let story = cw_words::story(reader, &play.events);
        let words: Vec<&str> = story.iter().map(|(_, words)| &**words).collect();
        for line in [
            format!("Rook ({own}) attacks."),
            format!("Rook ({other}) counters Rook ({own})."),
            format!("Rook ({own}): 300 → 0 BP (−300, Rook ({other}))."),
        ] {
            assert!(words.contains(&&*line), "{line}: {words:?}");
        }
        // Where it goes says whose it is.
        assert!(
            words
                .iter()
                .all(|line| !line.contains("goes to") || !line.contains('(')),
            "{words:?}"
        );
    }
}

/// G205, G270: a hand that is asked for several cards is shown once, and to the one who sees it; who
/// does not see the cards is told that somebody looks.
#[test]
fn what_is_shown_is_said_once() {
    let cards = "Rob action: action = discard(<2>*) to(opp)";
    let position = "me.hand Rob; opp.hand Foe Foe Wall";
    told(
        cards,
        position,
        "play Rob, to Foe, to Wall",
        ONE,
        &[
            "You play Rob.",
            "Rob acts.",
            "The opponent shows Foe (2×).",
            "The opponent shows Wall.",
            "Foe goes to the opponent's discard pile.",
            "Wall goes to the opponent's discard pile.",
        ],
    );
    // Whose hand it is reads that they show it.
    told(
        cards,
        position,
        "play Rob, to Foe, to Wall",
        TWO,
        &[
            "The opponent plays Rob.",
            "Rob acts.",
            "You show Foe (2×).",
            "You show Wall.",
            "Foe goes to your discard pile.",
            "Wall goes to your discard pile.",
        ],
    );
}

/// D19, R603: what hit and then found nothing more to do has not come to nothing.
#[test]
fn what_did_something_has_not_come_to_nothing() {
    let cards = "
        Pin action: action = damage(100) to(\"Foe\"@oppRing); draw() to(me[sp==7])
        Dud action: action = draw() to(me[sp==7])
    ";
    told(
        cards,
        "me.hand Pin Dud; opp Foe",
        "play Pin, play Dud",
        TWO,
        &[
            "The opponent plays Pin.",
            "Pin acts.",
            "Foe: 300 → 200 BP (−100, Pin).",
            "The opponent plays Dud.",
            "Dud acts.",
            "Dud has no effect.",
        ],
    );
}

/// What happens to two equal cards is said of both; cards that the reader does not see are counted.
#[test]
fn what_is_the_same_is_counted() {
    let cards = "Quake action: action = damage(100) to(characters@oppRing); draw(2)";
    told(
        cards,
        "me.hand Quake; opp Foe Foe",
        "play Quake",
        TWO,
        &[
            "The opponent plays Quake.",
            "Quake acts.",
            "Foe: 300 → 200 BP (−100, Quake) (2×).",
            "The opponent draws 2 cards.",
        ],
    );
}
