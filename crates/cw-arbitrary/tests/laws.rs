//! Laws of duels, over games of random rules.

use cw_arbitrary::{Bytes, RandomGame};
use cw_duel::Duel;

/// Whatever the bytes are, every rule compiles, and no two of a few hundred games are the same.
#[test]
fn every_rule_compiles() {
    let mut rules = 0;
    let (mut games, mut refused) = (Vec::new(), Vec::new());
    for seed in 0..600 {
        let random = RandomGame::read(&mut Bytes::of_seed(seed));
        refused.extend(random.refused);
        rules += random.texts.iter().filter(|text| !text.is_empty()).count();
        games.push(random.texts.join("\n"));
    }
    assert!(refused.is_empty(), "{refused:#?}");
    games.sort_unstable();
    games.dedup();
    assert_eq!(games.len(), 600);
    assert!(rules > 3000, "only {rules} rules");
}

/// Few bytes make a small game, and the same bytes the same.
#[test]
fn the_same_bytes_make_the_same_game() {
    for length in 0..80_u8 {
        let bytes: Vec<u8> = (0..length).map(|at| at.wrapping_mul(37)).collect();
        let [one, two] = [0, 1].map(|_| RandomGame::read(&mut Bytes::new(&bytes)));
        assert_eq!((&one.texts, &one.decks), (&two.texts, &two.decks));
        assert_eq!(one.refused, [""; 0]);
        assert!(Duel::new(one.game, &one.decks, 1).is_ok());
    }
}

/// D2, D13, D14: duels of random rules come to an end, with every invariant kept at every decision.
#[test]
fn duels_of_random_rules_obey_the_invariants() {
    let (mut decisions, mut inside) = (0_u64, 0_u64);
    for seed in 0..300 {
        let mut bytes = Bytes::of_seed(seed);
        let random = RandomGame::read(&mut bytes);
        let mut duel = Duel::new(random.game, &random.decks, seed).expect("the decks are legal");
        let mut steps = 0;
        while let Some(decision) = duel.pending() {
            decisions += 1;
            inside += u64::from(decision.place.is_some());
            let choice = *bytes.pick(&decision.options);
            duel.answer_silently(choice).expect("it is offered");
            if let Err(broken) = duel.check_invariants() {
                panic!(
                    "seed {seed}, decision {steps}: {broken}\n{}",
                    random.texts.join("\n--\n")
                );
            }
            steps += 1;
            assert!(steps < 50_000, "seed {seed} does not end");
        }
    }
    assert!(
        decisions > 20_000 && inside * 20 > decisions,
        "{inside} of {decisions}"
    );
}
