//! Pairs of duels of the demo game.

use std::path::Path;

use cw_duel::{DuelOutcome, PerSeat, WinReason};
use cw_load::load;
use cw_octgn::Folder;
use cw_players::{Ask, Level, Player, PlayerAnswer, SearchBudget};
use cw_sim::{Detail, DuelPlan, Exchange, Matchup, PacedSums, Results, StopRule};
use cw_stats::{Sprt, Verdict};

fn plan(seed: u64, stop: StopRule) -> DuelPlan {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/saltmarsh");
    let loaded = load(Folder::new(root)).expect("the demo game can be read");
    let matchup = |one: usize, two: usize| Matchup {
        names: PerSeat([loaded.decks[one].name.clone(), loaded.decks[two].name.clone()]),
        decks: PerSeat([loaded.decks[one].cards.clone(), loaded.decks[two].cards.clone()]),
    };
    DuelPlan {
        matchups: vec![matchup(0, 1), matchup(0, 0), matchup(1, 1)],
        game: loaded.game.expect("the demo game can be played"),
        seed,
        budgets: [SearchBudget::default(); 2],
        exchange: Exchange::Players,
        stop,
    }
}

fn played(plan: &DuelPlan, mut one: impl Player, mut two: impl Player) -> Results {
    let mut results = Results::default();
    for number in 0.. {
        if plan.stop.is_reached(&results) {
            break;
        }
        results.add(&plan.play(number, &mut one, &mut two));
    }
    results
}

/// Few playouts for who searches, so that tests are quick.
fn small(level: Level) -> [SearchBudget; 2] {
    match level {
        Level::Normal | Level::Hard | Level::Expert => [SearchBudget { playouts: 40 }; 2],
        _ => [SearchBudget::default(); 2],
    }
}

/// A player against itself gets exactly half of the points in every pair: anything else would be an
/// advantage that is none of the player's.
#[test]
fn a_mirror_scores_one_half_on_every_pair() {
    for level in Level::ALL {
        let pairs = if level == Level::Random { 60 } else { 12 };
        let mut plan = plan(1, StopRule::After(pairs));
        plan.budgets = small(level);
        let results = played(&plan, level, level);
        assert_eq!(results.pairs.counts, [0, 0, pairs, 0, 0], "{level:?}");
        assert_eq!(results.number_of_duels(), 2 * pairs);
    }
}

/// D68: no computer begins again and again what comes to nothing, and takes back what it has begun: the loop
/// guard never steps in, and duels are short. (`cardwright arena easy easy --pairs 100` looks at 200 duels.)
#[test]
fn no_computer_goes_in_circles() {
    for level in [Level::Easy, Level::Novice, Level::Plain] {
        let results = played(&plan(33, StopRule::After(10)), level, level);
        assert_eq!(results.guarded, 0, "{level:?}");
        assert!(
            results.most_decisions <= 400,
            "{level:?}: {}",
            results.most_decisions
        );
    }
}

/// A pair is what its number says, whoever played what before: threads may take them in any order.
#[test]
fn pairs_may_be_played_in_any_order() {
    let plan = plan(7, StopRule::After(12));
    let forwards: Vec<_> = (0..12)
        .map(|number| plan.play(number, &mut Level::Easy, &mut Level::Random))
        .collect();
    let backwards = (0..12)
        .rev()
        .map(|number| plan.play(number, &mut Level::Easy, &mut Level::Random));
    assert!(backwards.eq(forwards.iter().rev().cloned()));
    assert_ne!(forwards[0].seed, forwards[3].seed);
    assert_eq!(forwards[0].duels[0].first, forwards[1].duels[0].first);
    assert_ne!(forwards[0].duels[0].first, forwards[3].duels[0].first);
}

/// What is not noted of cards changes nothing else: a duel does not depend on who listens.
#[test]
fn without_the_cards_a_pair_comes_out_the_same() {
    let plan = plan(11, StopRule::After(40));
    for level in [Level::Random, Level::Easy] {
        for number in 0..if level == Level::Random { 40 } else { 4 } {
            let (mut one, mut two) = (level, level);
            let mut noted = plan.play(number, &mut one, &mut two);
            let without = plan.play_noting(Detail::Duel, number, &mut one, &mut two);
            for duel in &mut noted.duels {
                for rows in &mut duel.cards.0 {
                    assert!(!rows.is_empty(), "something happens in every duel");
                    rows.clear();
                }
            }
            assert_eq!(noted, without, "{level:?}, pair {number}");
        }
    }
}

/// A pair that is played one answer at a time comes to what it comes to when it is played in one go.
#[test]
fn a_paced_pair_comes_out_the_same() {
    for exchange in [Exchange::Players, Exchange::Turns] {
        let plan = DuelPlan {
            exchange,
            ..plan(11, StopRule::After(8))
        };
        let (mut sums, mut results) = (PacedSums::default(), Results::default());
        for number in 0..8 {
            let (mut one, mut two) = (Level::Plain, Level::Novice);
            results.add(&plan.play(number, &mut one, &mut two));
            let mut pair = plan.begin_pair(number);
            let ends = (0..100_000).find_map(|_| plan.go_on(&mut pair, [Level::Plain, Level::Novice], None));
            sums.add(ends.expect("it ends"));
        }
        assert_eq!(
            (sums.pairs, sums.duels, sums.first_won),
            (results.pairs, results.duels, results.first_won)
        );
    }
}

/// Both duels of a pair deal the same cards to the same seats, and so do plans with other players.
#[test]
fn the_cards_do_not_depend_on_the_players() {
    let plan = plan(3, StopRule::After(1));
    let seeds = |one: Level, two: Level| {
        let (mut one, mut two) = (one, two);
        (0..5)
            .map(|number| plan.play(number, &mut one, &mut two).seed)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        seeds(Level::Random, Level::Random),
        seeds(Level::Plain, Level::Random)
    );
}

/// A test stops at a look, and says what it came to.
#[test]
fn a_test_stops_as_soon_as_it_knows() {
    let stop = StopRule::Test {
        sprt: Sprt::new(0.55, 0.65),
        most: 400,
    };
    let plan = plan(1, stop);
    let results = played(&plan, Level::Plain, Level::Random);
    assert_eq!(stop.verdict(&results), Some(Verdict::Accepted));
    assert!(results.pairs.number().is_multiple_of(16) && results.pairs.number() < 100);
    let results = played(&plan, Level::Random, Level::Plain);
    assert_eq!(stop.verdict(&results), Some(Verdict::Rejected));
}

/// Gives up at its third decision.
struct Quitter(u32);

impl Player for Quitter {
    fn answer(&mut self, ask: &Ask<'_>) -> PlayerAnswer {
        self.0 += 1;
        match self.0 {
            3.. => PlayerAnswer::GiveUp,
            _ => PlayerAnswer::Choice(ask.decision.options[0]),
        }
    }

    fn begins(&mut self, _: cw_duel::Seat) {
        self.0 = 0;
    }
}

/// Who gives up loses the duel, and the plan goes on.
#[test]
fn who_gives_up_loses() {
    let plan = plan(1, StopRule::After(10));
    let results = played(&plan, Quitter(0), Level::Random);
    assert_eq!(results.pairs.counts, [10, 0, 0, 0, 0]);
    assert_eq!((results.gave_up, results.duels), ([20, 0], [0, 0, 20]));
    let pair = plan.play(0, &mut Level::Random, &mut Quitter(0));
    let gave_up = pair.duels.map(|duel| match duel.outcome {
        DuelOutcome::Won { winner, reason } => (reason == WinReason::Forfeit, winner.index()),
        DuelOutcome::Drawn => (false, 9),
    });
    assert_eq!(gave_up, [(true, 0), (true, 1)]);
}

/// What the levels choose is part of what results mean. If this fails, a level chooses otherwise than
/// before: if that is meant, raise `cw_players::VERSION`, measure the ladder of `docs/players.md` again
/// and write the new digests here.
#[test]
fn levels_choose_as_they_did() {
    let digest = |level: Level| {
        let mut plan = plan(11, StopRule::After(3));
        plan.budgets = small(level);
        let mut sum = 0xcbf2_9ce4_8422_2325_u64;
        for number in 0..3 {
            for duel in plan.play(number, &mut level.clone(), &mut level.clone()).duels {
                for byte in format!("{:?}", duel.choices).bytes() {
                    sum = (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
                }
            }
        }
        format!("{} {sum:016x}", level.name())
    };
    assert_eq!(cw_players::VERSION, 8);
    assert_eq!(
        Level::ALL.map(digest),
        [
            "random 323ad77e806191af",
            "plain eb6e23e964bf9e51",
            "novice 134fe3703753787d",
            "easy 7c4f934522421d89",
            "normal 14ccb8a595ac2059",
            "hard f0cef074a443c621",
            "expert 121313d259b62ed5"
        ]
    );
}
