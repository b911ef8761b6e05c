//! Whole duels by chance: laws that hold in all of them.

mod common;

use common::{Dice, decks, plain_game, start, step};
use cw_duel::{AnswerError, CardId, Choice, Duel, Outcome, Seat, Silent};

/// G38, G39, D2, D14: random duels end, nothing illegal on the way, the same seed gives the same
/// states.
#[test]
fn random_duels_obey_the_invariants() {
    let mut ends = [0; 3];
    for seed in 0..400 {
        let mut hashes = Vec::new();
        for round in 0..2 {
            let mut duel = start(seed);
            let mut dice = Dice(seed + 1);
            let mut at = 0;
            while duel.outcome().is_none() {
                if let Err(broken) = duel.check_invariants() {
                    panic!("seed {seed}, decision {at}: {broken}");
                }
                let hash = duel.hash();
                if round == 0 {
                    hashes.push(hash);
                } else {
                    assert_eq!(hashes[at], hash, "seed {seed}, decision {at}");
                }
                step(&mut duel, &mut dice);
                at += 1;
                assert!(at < 100_000, "seed {seed} does not end");
            }
            match duel.outcome() {
                Some(Outcome::Won {
                    reason: cw_duel::Reason::Hp,
                    ..
                }) => ends[0] += 1,
                Some(Outcome::Won { .. }) => ends[1] += 1,
                Some(Outcome::Drawn) | None => ends[2] += 1,
            }
        }
    }
    assert_eq!(ends.iter().sum::<i32>(), 800, "every duel ends: {ends:?}");
    assert!(ends[0] > 0, "some by a player at 0 HP: {ends:?}");
}

/// A copy taken at any decision goes on exactly like the original.
#[test]
fn a_copy_goes_on_like_the_original() {
    for seed in 0..100 {
        let mut duel = start(seed);
        let mut dice = Dice(seed + 99);
        for _ in 0..dice.below(300) {
            if step(&mut duel, &mut dice).is_none() {
                break;
            }
        }
        let mut copy = duel.clone();
        let mut same_dice = dice.clone();
        while step(&mut duel, &mut dice).is_some() {
            step(&mut copy, &mut same_dice);
            assert_eq!(duel.hash(), copy.hash(), "seed {seed}");
        }
        assert_eq!(duel.outcome(), copy.outcome());
    }
}

/// D3: every option is accepted, everything else is refused and changes nothing.
#[test]
fn only_what_is_offered_is_accepted() {
    let cards = || (0..100).map(CardId);
    let all: Vec<Choice> = [
        Choice::Pass,
        Choice::Yes,
        Choice::No,
        Choice::Done,
        Choice::Decline,
        Choice::Top,
    ]
    .into_iter()
    .chain(cards().map(Choice::Play))
    .chain(cards().map(Choice::BackUp))
    .chain(cards().map(Choice::Attack))
    .chain(cards().map(Choice::Join))
    .chain(cards().map(Choice::Block))
    .chain(cards().map(Choice::Card))
    .chain((0..9).map(Choice::Slot))
    .collect();
    for seed in 0..20 {
        let mut duel = start(seed);
        let mut dice = Dice(seed + 7);
        while let Some(decision) = duel.pending().cloned() {
            let hash = duel.hash();
            for choice in &all {
                let mut copy = duel.clone();
                let answer = copy.answer(*choice, &mut Silent);
                if decision.options.contains(choice) {
                    assert_eq!(answer, Ok(()));
                } else {
                    assert_eq!(answer, Err(AnswerError::NotOffered { got: *choice }));
                    assert_eq!(copy.hash(), hash);
                    assert_eq!(copy.pending(), Some(&decision));
                }
            }
            step(&mut duel, &mut dice);
        }
    }
}

/// D14: giving up loses at once.
#[test]
fn forfeit_is_a_loss() {
    let mut duel = start(1);
    duel.forfeit(Seat::One, &mut Silent);
    assert_eq!(
        duel.outcome(),
        Some(Outcome::Won {
            winner: Seat::Two,
            reason: cw_duel::Reason::Forfeit
        })
    );
    assert!(duel.pending().is_none());
    assert_eq!(duel.answer(Choice::Pass, &mut Silent), Err(AnswerError::Over));
}

/// G33: an illegal deck is refused, unless an author wants it (D9).
#[test]
fn illegal_decks_are_refused() {
    let mut illegal = decks();
    illegal.0[1].pop();
    let refused = Duel::new(plain_game(), &illegal, 1).unwrap_err();
    assert!(
        matches!(refused, cw_duel::SetupError::IllegalDeck { seat: Seat::Two, .. }),
        "{refused}"
    );
    let setup = cw_duel::Setup {
        allow_illegal_decks: true,
        ..cw_duel::Setup::from(1)
    };
    assert!(Duel::new(plain_game(), &illegal, setup).is_ok());
}
