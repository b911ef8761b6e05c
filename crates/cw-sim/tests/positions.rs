//! Weights are fitted to duels, and come out the same from the same duels; duels of the levels that go by
//! them end without the loop guard.

use std::path::Path;
use std::sync::Arc;

use cw_duel::PerSeat;
use cw_load::load;
use cw_octgn::Folder;
use cw_players::{Level, PositionWeights, Positions, fit};
use cw_sim::{DuelPlan, Exchange, Matchup, StopRule};

fn plan() -> DuelPlan {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/saltmarsh");
    let loaded = load(Folder::new(root)).expect("the demo game can be read");
    let deck = |at: usize| (loaded.decks[at].name.clone(), loaded.decks[at].cards.clone());
    let matchup = |one: usize, two: usize| Matchup {
        names: PerSeat([deck(one).0, deck(two).0]),
        decks: PerSeat([deck(one).1, deck(two).1]),
    };
    DuelPlan {
        game: loaded.game.clone().expect("the demo game can be played"),
        matchups: vec![matchup(0, 0), matchup(0, 1), matchup(1, 1)],
        seed: 1,
        budgets: [Level::Easy.budget(); 2],
        exchange: Exchange::Players,
        stop: StopRule::After(400),
    }
}

/// A slice of what `cardwright players fit` does: the same duels, played in any order, give the same file
/// to the byte; it can be read, and foretells who wins better than a coin on duels it has not seen.
#[test]
fn the_same_duels_give_the_same_weights() {
    let plan = plan();
    let duels: Vec<Positions> = (0..400)
        .map(|number| plan.positions(number, Level::Easy))
        .collect();
    let one = fit(&plan.game, &duels);
    let backwards: Vec<Positions> = (0..400)
        .rev()
        .map(|number| plan.positions(number, Level::Easy))
        .collect();
    let again: Vec<Positions> = backwards.into_iter().rev().collect();
    assert_eq!(fit(&plan.game, &again).tables, one.tables);
    assert!(
        one.positions[0] > 2_000 && one.positions[1] > 200,
        "{:?}",
        one.positions
    );
    assert!(one.loss < 0.62, "{}", one.loss);
    let values = PositionWeights::read(&one.tables, &plan.game).expect("it is a file of weights");
    assert_ne!(values, PositionWeights::blind(&plan.game));
    assert_ne!(fit(&plan.game, &duels[..300]).tables, one.tables);
    assert!(Arc::strong_count(&plan.game) > 0);
}

/// D68: in this pair `normal` joined a United Attack that it could not pay (Coxswain Kelp makes it cheaper
/// only while not in the boat), took it back, and joined it again, until the loop guard ended it.
#[test]
fn an_attack_that_cannot_be_paid_is_not_joined_again_and_again() {
    let mut plan = plan();
    plan.budgets = [Level::Normal.budget(), Level::Easy.budget()];
    let pair = plan.play(142, &mut Level::Normal, &mut Level::Easy);
    for duel in &pair.duels {
        assert_eq!(duel.guarded, 0);
        assert!(duel.decisions < 200, "{} decisions", duel.decisions);
    }
}
