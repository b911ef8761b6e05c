//! Plans that are written down, and shares of them.

use std::path::Path;
use std::sync::Arc;

use cw_duel::{Game, PerSeat, Seat};
use cw_load::load;
use cw_octgn::Folder;
use cw_players::{Level, SearchBudget};
use cw_sim::{
    CardCount, DuelPlan, Exchange, Matchup, Pair, Shard, StopRule, Total, Unfit, Written, WrittenStop, digest,
};

fn plan(exchange: Exchange, pairs: u64) -> DuelPlan {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/saltmarsh");
    let loaded = load(Folder::new(root)).expect("the demo game can be read");
    let deck = |name: &str| {
        let deck = loaded.decks.iter().find(|deck| deck.name == name);
        deck.expect("the demo game has it").cards.clone()
    };
    DuelPlan {
        matchups: vec![Matchup {
            names: PerSeat(["Harbour Lights".to_owned(), "Night School".to_owned()]),
            decks: PerSeat([deck("Harbour Lights"), deck("Night School")]),
        }],
        game: loaded.game.expect("the demo game can be played"),
        seed: 5,
        budgets: [SearchBudget::default(); 2],
        exchange,
        stop: StopRule::After(pairs),
    }
}

fn random(plan: &DuelPlan, number: u64) -> Pair {
    plan.play(number, &mut Level::Random, &mut Level::Random)
}

/// Shares have nothing in common and leave nothing out, whatever their number.
#[test]
fn shares_cover_a_plan_once() {
    for blocks in [0, 1, 7, 40, 1001] {
        for of in [1, 2, 3, 40, 64] {
            let shares = (0..of).flat_map(|number| Shard { number, of }.blocks(blocks));
            assert!(shares.eq(0..blocks), "{blocks} blocks in {of} shares");
        }
    }
    for wrong in ["3", "3/3", "4/3", "-1/3", "0/0", "a/b", ""] {
        assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
    }
    assert_eq!("3/40".parse(), Ok(Shard { number: 3, of: 40 }));
}

/// A pair is its row: all but the choices comes back, and cut or changed rows are refused or differ.
#[test]
fn a_pair_is_read_back_from_its_numbers() {
    let plan = plan(Exchange::Turns, 20);
    for number in 0..20 {
        let mut pair = random(&plan, number);
        let numbers = pair.numbers();
        for duel in &mut pair.duels {
            duel.choices.clear();
        }
        assert_eq!(Pair::of_numbers(&numbers), Some(pair));
        for at in 0..numbers.len() {
            assert_eq!(Pair::of_numbers(&numbers[..at]), None);
            let mut changed = numbers.clone();
            changed[at] ^= 1;
            assert_ne!(digest(&[changed]), digest(std::slice::from_ref(&numbers)));
        }
    }
}

/// The same rows give the same sums, played here or read back.
#[test]
fn rows_give_the_same_sums_as_duels() {
    let plan = plan(Exchange::Turns, 30);
    let (mut here, mut there) = (Total::of(&plan), Total::of(&plan));
    for number in 0..30 {
        let pair = random(&plan, number);
        here.add(&plan, &pair);
        there.add(
            &plan,
            &Pair::of_numbers(&pair.numbers()).expect("its own numbers"),
        );
    }
    assert_eq!(here, there);
    let sums = &here.matchups[0];
    assert_eq!(here.results.number_of_duels(), 60);
    assert_eq!(sums.turns.values().sum::<u64>(), 60);
    assert_eq!(sums.endings.iter().sum::<u64>(), 60);
    // Each duel has an opening hand of five cards for each deck (G35).
    for seat in Seat::BOTH {
        let cards = || sums.cards[seat].values();
        assert_eq!(cards().map(|card| card.opening.number).sum::<u64>(), 5 * 60);
        assert_eq!(cards().map(|card| card.copies).sum::<u64>(), 50);
        // A copy that went back into the deck may be drawn again.
        let all = cards().map(|card| card.opening.number + card.drawn.number + card.unseen.number);
        assert!(all.sum::<u64>() >= 50 * 60, "every copy is drawn or not");
        for card in cards() {
            assert_eq!(card.with.number() + card.without.number(), 30);
            assert!(card.counts[CardCount::Played as usize] >= 0 && card.duels_idle <= card.duels_seen);
        }
    }
}

/// In pairs of decks the other side goes first in the second duel, with the same opening hands.
#[test]
fn the_other_deck_goes_first_in_the_second_duel() {
    let plan = plan(Exchange::Turns, 10);
    for number in 0..10 {
        let pair = random(&plan, number);
        assert_eq!(pair.duels.each_ref().map(|duel| duel.first), Seat::BOTH);
        assert_eq!(pair.duels.each_ref().map(|duel| duel.measured), [Seat::One; 2]);
        let opening = |duel: usize, seat: Seat| {
            let rows = pair.duels[duel].cards[seat].iter();
            let rows = rows.map(|row| (row.model, row.get(CardCount::Opening)));
            rows.filter(|(_, copies)| *copies > 0).collect::<Vec<_>>()
        };
        for seat in Seat::BOTH {
            assert_eq!(opening(0, seat), opening(1, seat));
        }
    }
}

/// A plan means the same after it was written and read; one for something else is refused with its name.
#[test]
fn a_plan_is_read_back_and_checked() {
    let mut plan = plan(Exchange::Turns, 100);
    plan.stop = StopRule::Width {
        half: 0.02,
        most: 100,
    };
    let written = Written::of(&plan, ["easy".to_owned(), "easy".to_owned()]);
    assert_eq!(written.until, WrittenStop::Width(0.02));
    let read = Written::read(&written.write()).expect("it was written");
    assert_eq!((read.id(), read.write()), (written.id(), written.write()));
    let again = read.plan(&plan.game).expect("it is for this game");
    assert_eq!((&again.matchups, again.stop), (&plan.matchups, plan.stop));
    assert_eq!(
        (again.seed, again.exchange, again.budgets),
        (plan.seed, plan.exchange, plan.budgets)
    );
    assert_eq!(again.duel(3, 1).hash(), plan.duel(3, 1).hash());

    plan.stop = StopRule::Each { half: 0.04, most: 90 };
    let each = Written::of(&plan, ["easy".to_owned(), "easy".to_owned()]);
    let read = Written::read(&each.write()).expect("it was written");
    assert_eq!(read.until, WrittenStop::Each(0.04));
    assert_eq!(read.plan(&plan.game).map(|plan| plan.stop).ok(), Some(plan.stop));

    let read = Written::read(&written.write()).expect("it was written");
    let other = Arc::new(Game {
        fingerprint: "another".to_owned(),
        ..Game::clone(&plan.game)
    });
    let wanted = "Saltmarsh".to_owned();
    assert_eq!(read.plan(&other).err(), Some(Unfit::OtherGame { wanted }));
    let old = written.write().replace(&written.rules, "0");
    assert!(matches!(Written::read(&old), Err(Unfit::OtherVersion(_))));
    assert!(matches!(Written::read("{}"), Err(Unfit::Unreadable(_))));
    let mut wrong = written.clone();
    wrong.matchups = vec![[0, 7]];
    assert!(matches!(wrong.plan(&plan.game), Err(Unfit::Contradicts(_))));
    wrong = written.clone();
    wrong.decks[0].cards[0].0 = "no such card".to_owned();
    assert!(matches!(wrong.plan(&plan.game), Err(Unfit::Contradicts(_))));
}

/// Each matchup is played until it is known, and no longer; none is given up too early, and in the end all
/// are as narrow as was wanted, by all pairs.
#[test]
fn known_matchups_are_left_out() {
    let mut plan = plan(Exchange::Turns, 1);
    let one = plan.matchups[0].clone();
    let turned = Matchup {
        names: PerSeat([one.names.0[1].clone(), one.names.0[0].clone()]),
        decks: PerSeat([one.decks.0[1].clone(), one.decks.0[0].clone()]),
    };
    let mirror = Matchup {
        names: PerSeat([one.names.0[0].clone(), one.names.0[0].clone()]),
        decks: PerSeat([one.decks.0[0].clone(), one.decks.0[0].clone()]),
    };
    plan.matchups = vec![one, turned, mirror];
    plan.stop = StopRule::known(0.07, Exchange::Turns, 3, None);
    assert_eq!(
        plan.stop,
        StopRule::Each {
            half: 0.07,
            most: 6000
        }
    );
    let mut total = Total::of(&plan);
    let (mut left_out, mut passed) = (0, 0);
    for number in 0..plan.stop.most() {
        passed += 1;
        let more = if total.wants(&plan, number) {
            total.add(&plan, &random(&plan, number))
        } else {
            left_out += 1;
            total.pass(&plan, number)
        };
        if !more {
            break;
        }
        let is_look = number >= 95 && (number + 1).is_multiple_of(12);
        assert!(
            !is_look || total.unknown(0.07) > 0,
            "it stops at the look at which all are known"
        );
    }
    assert_eq!((total.unknown(0.07), passed % 12), (0, 0), "{passed} pairs");
    assert_eq!(total.results.pairs.number() + left_out, passed);
    let numbers: Vec<u64> = total
        .matchups
        .iter()
        .map(|sums| sums.results.pairs.number())
        .collect();
    assert!(
        numbers.iter().all(|number| *number >= 32 && number % 4 == 0),
        "{numbers:?}"
    );
    assert!(left_out > 0, "some matchup was known before another: {numbers:?}");
}
