//! Every number that a player sees is explained, and the explanation adds up.

use std::path::Path;
use std::sync::Arc;

use cw_duel::{
    Base, ChangeReason, Choice, Duel, DuelEvent, ExplainedNumber, Explanation, Ledger, PerSeat, Phase, Seat,
    Share, Sink,
};
use cw_load::load;
use cw_octgn::Folder;
use cw_players::RandomPlayer;
use cw_program::PileName;
use cw_stage::{AUTO, DuelScene, SceneCard, SceneCardKind, game};

use SceneCardKind::{Action, Character};

const FILLER: SceneCard = SceneCard("Filler", Character(300, None, ""));

/// G14, G66, G79, G126, G150, D15, D16: in random duels of the demo game, at a thousand positions,
/// inside effects too, every number in both views is explained, every effect with its statement; so
/// are the costs of the cards in hand and of attacks.
#[test]
fn every_number_is_explained_and_adds_up() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/saltmarsh");
    let loaded = load(Folder::new(root)).expect("the demo game can be read");
    let game = loaded.game.clone().expect("the demo game can be played");
    let (mut positions, mut numbers, mut effects) = (0, 0, 0);
    for seed in 0.. {
        if positions >= 1_000 {
            break;
        }
        let decks = PerSeat([loaded.decks[0].cards.clone(), loaded.decks[1].cards.clone()]);
        let mut duel = Duel::new(Arc::clone(&game), &decks, seed).expect("the decks are legal");
        let mut random = RandomPlayer::new(seed);
        let mut books = Ledger::new(&duel);
        while let Some(decision) = duel.pending().cloned() {
            if decision.place.is_some() || random.below(4) == 0 {
                positions += 1;
                for seat in Seat::BOTH {
                    for (value, number) in all_numbers(&duel, seat) {
                        let explained = books.explain(&duel, seat, value).expect("it is seen");
                        check_sum(&explained, number);
                        numbers += 1;
                        effects += statements(&explained, &duel);
                    }
                }
            }
            let choice = random.pick(&decision);
            let mut told = Told {
                books: &mut books,
                paid: None,
            };
            let cost = choice.card().and_then(|card| duel.cost_of(decision.seat, card));
            let sp = duel.view(decision.seat).players[decision.seat].sp;
            duel.answer(choice, &mut told).expect("an option is accepted");
            // G76: what was explained is what is paid.
            if let (Choice::Play(_), Some(paid), Some(cost)) = (choice, told.paid, cost) {
                assert_eq!(paid, (sp + cost).max(0) - sp);
            }
        }
    }
    assert!(
        numbers > 40_000 && effects > 2_000,
        "{numbers} numbers, {effects} effects"
    );
}

/// Passes events on, and notes what playing a card paid.
struct Told<'a> {
    books: &'a mut Ledger,
    paid: Option<i32>,
}

impl Sink for Told<'_> {
    fn event(&mut self, event: &DuelEvent) {
        self.books.event(event);
        if let DuelEvent::Sp {
            from,
            to,
            cause: cw_duel::ChangeCause::Play(_),
            ..
        } = event
        {
            self.paid = Some(to - from);
        }
    }
}

/// What a page shows: the view's numbers, the costs of known cards, what attacks cost and deal.
fn all_numbers(duel: &Duel, seat: Seat) -> Vec<(ExplainedNumber, i32)> {
    let view = duel.view(seat);
    let mut numbers = view.numbers();
    for card in &view.players[seat].hand {
        let cost = duel.cost_of(seat, card.card).expect("one's own hand is known");
        numbers.push((ExplainedNumber::Cost(card.card), cost));
    }
    for fighter in view.players[view.active].ring.iter().flatten() {
        if fighter.attacks {
            let followers = view.united.iter().skip(1);
            let bp = |card| {
                let ring = view.players[view.active].ring.iter().flatten();
                ring.filter(|other| other.card == card)
                    .map(|other| other.bp)
                    .sum::<i32>()
            };
            let leads = view.united.first() == Some(&fighter.card);
            let extra: i32 = followers.filter(|_| leads).map(|card| bp(*card)).sum();
            numbers.push((ExplainedNumber::Attack(fighter.card), fighter.bp + extra));
        }
    }
    numbers
}

#[track_caller]
fn check_sum(explained: &Explanation, number: i32) {
    assert_eq!(explained.value, number, "{explained:?}");
    assert_eq!(explained.sum(), number, "{explained:?}");
    let unknown = |share: &Share| share.why == ChangeReason::Unrecorded;
    assert!(!explained.shares.iter().any(unknown), "{explained:?}");
}

/// Shares of effects; each names its statement, which is a place in a rule.
#[track_caller]
fn statements(explained: &Explanation, duel: &Duel) -> usize {
    let by_effect = explained.shares.iter().filter(|share| {
        matches!(
            share.why,
            ChangeReason::Cause(cw_duel::ChangeCause::Effect(_)) | ChangeReason::InForce(_)
        )
    });
    let mut count = 0;
    for share in by_effect {
        let statement = share.statement.unwrap_or_else(|| panic!("{explained:?}"));
        assert!(duel.game().model(statement.place.model).program.is_some());
        count += 1;
    }
    count
}

#[track_caller]
fn shares(books: &Ledger, duel: &Duel, value: ExplainedNumber) -> (i32, Vec<i32>) {
    let explained = books.explain(duel, Seat::One, value).expect("it is seen");
    check_sum(&explained, explained.value);
    (
        explained.base,
        explained.shares.iter().map(|share| share.by).collect(),
    )
}

/// G82, G80, G81: base, settings, additions, listeners, and the floor of 1 SP, each a share of its
/// own.
#[test]
fn a_cost_is_taken_apart() {
    let cards = [
        FILLER,
        SceneCard("Bargain", Action("action = alterCost(action, +2)")),
        SceneCard(
            "Haggler",
            Character(300, AUTO, "auto = ~anyBeforePayCostAction~ modCost(action, 1)"),
        ),
        SceneCard("Fixed", Action("action = alterCost(action, =-9)")),
    ];
    let mut play = DuelScene::new(game(&cards), Phase::Main)
        .ring(Seat::One, &["Haggler"])
        .hand(Seat::One, &["Bargain", "Fixed", "Bargain"])
        .start();
    let mut books = Ledger::new(&play.duel);
    let answer = |play: &mut cw_stage::Play, books: &mut Ledger, name: &str| {
        let before = play.events.len();
        play.choose(Choice::Play, name);
        play.events[before..].iter().for_each(|event| books.event(event));
    };
    let bargain = play.duel.view(Seat::One).players[Seat::One].hand[2].card;
    let cost = ExplainedNumber::Cost(bargain);
    // Printed 0; a card that costs nothing is not made to give SP (G82).
    assert_eq!(shares(&books, &play.duel, cost), (0, vec![1, -1]));
    answer(&mut play, &mut books, "Bargain");
    assert_eq!(shares(&books, &play.duel, cost), (0, vec![2, 1, -3]));
    answer(&mut play, &mut books, "Fixed");
    assert_eq!(shares(&books, &play.duel, cost), (0, vec![-9, 2, 1]));
    let explained = books.explain(&play.duel, Seat::One, cost).expect("it is known");
    let sources: Vec<&str> = explained
        .shares
        .iter()
        .filter_map(|share| share.statement)
        .map(|statement| play.name(statement.source.card))
        .collect();
    assert_eq!(sources, ["Fixed", "Bargain", "Haggler"]);
    // G267: the opponent may not ask about a card it does not know.
    assert_eq!(books.explain(&play.duel, Seat::Two, cost), None);
}

/// G126, G166, D26: BP begins with what is printed; a back-up, an effect and its end are shares.
#[test]
fn bp_is_taken_apart() {
    let cards = [
        FILLER,
        SceneCard("Drum", Action("action = bp(+200) to(character) ueot")),
        SceneCard("Page", Character(400, None, "")),
    ];
    let mut play = DuelScene::new(game(&cards), Phase::Main)
        .hand(Seat::One, &["Page", "Drum"])
        .start();
    let mut books = Ledger::new(&play.duel);
    play.choose(Choice::Play, "Page").answer(Choice::Slot(0));
    play.choose(Choice::Play, "Drum");
    let page = play.duel.view(Seat::One).players[Seat::One].ring[0]
        .clone()
        .expect("it was played");
    let value = ExplainedNumber::Bp(page.card);
    play.events.iter().for_each(|event| books.event(event));
    assert_eq!(shares(&books, &play.duel, value), (400, vec![200]));
    let told = play.events.len();
    play.pass();
    play.events[told..].iter().for_each(|event| books.event(event));
    assert_eq!(shares(&books, &play.duel, value), (400, vec![200, -200]));
    let explained = books
        .explain(&play.duel, Seat::Two, value)
        .expect("BP are public");
    assert_eq!(explained.from, Base::Printed(page.model));
    assert_eq!(
        explained.shares[1].why,
        ChangeReason::Cause(cw_duel::ChangeCause::Expiry)
    );
    let hand = ExplainedNumber::Cards(Seat::One, PileName::Hand);
    assert_eq!(shares(&books, &play.duel, hand), (2, vec![-1, -1]));
}
