//! Chance as a player that looks at no more options than it has to (G51, C3, C6, C20): it chooses as
//! one that lists them all.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use cw_duel::{Choice, Decks, Duel, Game, PerSeat, Question, StateHash};
use cw_load::load;
use cw_octgn::Folder;
use cw_players::RandomPlayer;

/// How many more attempts than options there may be where every way through the draws is followed.
const IN_VAIN: usize = 5;

fn demo() -> (Arc<Game>, Decks) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/saltmarsh");
    let loaded = load(Folder::new(root)).expect("the demo game can be read");
    let decks = PerSeat([loaded.decks[0].cards.clone(), loaded.decks[1].cards.clone()]);
    (loaded.game.expect("the demo game can be played"), decks)
}

/// A duel, the option by which it comes to a question of a phase, and the duel there.
type Before = (Duel, usize, Duel);

/// Positions of random duels just before a player may do this or that in a phase.
fn before_phase_questions(duels: u64) -> Vec<Before> {
    let (game, decks) = demo();
    let mut found = Vec::new();
    for seed in 0..duels {
        let mut duel = Duel::new(Arc::clone(&game), &decks, seed).expect("the decks are legal");
        let mut random = RandomPlayer::new(seed);
        while let Some(decision) = duel.pending() {
            let before = duel.clone();
            let at = random.below(decision.options.len());
            let choice = decision.options[at];
            duel.answer_silently(choice).expect("it was offered");
            let asked = duel.pending().map(|decision| decision.question);
            if matches!(
                asked,
                Some(Question::Main | Question::Attack | Question::CounterAttack)
            ) {
                found.push((before, at, duel.clone()));
            }
        }
    }
    found
}

/// What comes of each option, with how likely it is if all are equally likely.
fn expected(duel: &Duel) -> BTreeMap<StateHash, f64> {
    let options: Vec<Choice> = duel.pending().expect("it is asked").options.to_vec();
    let mut likely = BTreeMap::new();
    for option in &options {
        let mut copy = duel.clone();
        copy.answer_silently(*option).expect("it is offered");
        *likely.entry(copy.hash()).or_default() += 1.0 / options.len() as f64;
    }
    likely
}

/// What comes of the second decision, over every way that the draws can go; none where there are
/// more of them than are followed.
fn every_way((before, first, duel): &Before) -> Option<BTreeMap<StateHash, f64>> {
    let options = duel.pending().expect("it is asked").options.len();
    let mut likely = BTreeMap::new();
    let mut script: Vec<usize> = vec![*first];
    loop {
        let mut bounds = Vec::new();
        let mut duel = before.clone();
        let answered = duel.play_by_chance(2, &mut |bound| {
            if bounds.len() == script.len() {
                script.push(0);
            }
            bounds.push(bound);
            script[bounds.len() - 1]
        });
        assert_eq!(answered, 2);
        if bounds[1] > options + IN_VAIN {
            return None;
        }
        let way: f64 = bounds[1..].iter().map(|bound| 1.0 / *bound as f64).product();
        *likely.entry(duel.hash()).or_default() += way;
        // The next way: the last draw that can be higher is.
        while script.len() > 1 && script[script.len() - 1] + 1 == bounds[script.len() - 1] {
            script.pop();
        }
        if script.len() == 1 {
            return Some(likely);
        }
        *script.last_mut().expect("it is not empty") += 1;
    }
}

/// Exactly: over all ways that the draws can go, each option is as likely as any other, and nothing
/// else happens.
#[test]
fn every_option_is_as_likely_as_any_other() {
    let (mut counts, mut options) = ([0; 3], 0);
    for position in before_phase_questions(40) {
        let decision = position.2.pending().expect("it is asked");
        let kind = match decision.question {
            Question::Main => 0,
            Question::Attack => 1,
            _ => 2,
        };
        if counts[kind] >= 40 {
            continue;
        }
        let Some(likely) = every_way(&position) else {
            continue;
        };
        counts[kind] += 1;
        options += decision.options.len();
        let expected = expected(&position.2);
        assert_eq!(
            likely.keys().collect::<Vec<_>>(),
            expected.keys().collect::<Vec<_>>(),
            "{decision:?}"
        );
        for (hash, likely) in likely {
            assert!((likely - expected[&hash]).abs() < 1e-9, "{decision:?}");
        }
    }
    assert!(counts.iter().all(|count| *count >= 20), "{counts:?}");
    assert!(options > 2 * counts.iter().sum::<usize>(), "{options}");
}

/// Where there are too many ways to follow them all, 500 draws from each of many positions: χ² over
/// all of them is within four standard deviations of what chance gives.
#[test]
fn large_choices_are_even_too() {
    let (mut squares, mut freedom, mut positions) = (0.0, 0.0, 0);
    let mut random = RandomPlayer::new(20);
    for (before, first, duel) in before_phase_questions(12) {
        if duel.pending().expect("it is asked").options.len() < 6 {
            continue;
        }
        positions += 1;
        let expected = expected(&duel);
        let mut counts: BTreeMap<StateHash, f64> = BTreeMap::new();
        for _ in 0..500 {
            let mut copy = before.clone();
            let mut is_first = true;
            copy.play_by_chance(2, &mut |bound| {
                if std::mem::take(&mut is_first) {
                    first
                } else {
                    random.below(bound)
                }
            });
            *counts.entry(copy.hash()).or_default() += 1.0;
        }
        assert!(counts.keys().all(|hash| expected.contains_key(hash)));
        for (hash, likely) in &expected {
            let mean = 500.0 * likely;
            squares += (counts.get(hash).unwrap_or(&0.0) - mean).powi(2) / mean;
        }
        freedom += expected.len() as f64 - 1.0;
    }
    assert!(positions >= 100, "{positions}");
    let off: f64 = (squares - freedom) / (2.0 * freedom).sqrt();
    assert!(off.abs() < 4.0, "{off:.2}");
}

/// After any number of answers the next decision waits with all its options; the same draws lead to
/// the same duel, and whole duels end.
#[test]
fn chance_stops_where_it_is_told() {
    let (game, decks) = demo();
    let mut ended = 0;
    for seed in 0..60 {
        let start = Duel::new(Arc::clone(&game), &decks, seed).expect("the decks are legal");
        let play = |most: u32| {
            let mut duel = start.clone();
            let mut random = RandomPlayer::new(seed);
            let answered = duel.play_by_chance(most, &mut |bound| random.below(bound));
            duel.check_invariants().expect("a sound state");
            (answered, duel)
        };
        let mut whole = None;
        for most in [0, 1, 2, 7, 50, 100, 100_000] {
            let (answered, duel) = play(most);
            assert_eq!(play(most).1.hash(), duel.hash());
            assert!(answered <= most);
            if let Some(decision) = duel.pending() {
                assert_eq!(answered, most);
                for option in &decision.options {
                    assert_eq!(duel.why_not(*option, None), None);
                }
            }
            whole = duel.outcome();
        }
        ended += u32::from(whole.is_some());
    }
    assert_eq!(ended, 60);
}
