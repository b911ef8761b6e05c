//! Scenarios cut out of random duels.

use std::path::Path;
use std::sync::Arc;

use cw_duel::{Choice, Duel, Game, PerSeat};
use cw_load::load;
use cw_octgn::Folder;
use cw_scenario::{CutError, RunOptions, cut, read, run};

/// xorshift64* (Marsaglia 2003).
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let word = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 32;
        ((word * bound as u64) >> 32) as usize
    }
}

/// A scenario cut at any choice, inside effects too, passes when it is run, and its last step expects
/// what the choice changed.
#[test]
fn a_cut_scenario_passes() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/saltmarsh");
    let loaded = load(Folder::new(root)).expect("the demo game can be read");
    let game = loaded.game.clone().expect("the demo game can be played");
    let (mut passed, mut inexpressible, mut inside, mut steps) = (0, 0, 0, 0);
    for seed in 1..13 {
        let decks = PerSeat([loaded.decks[0].cards.clone(), loaded.decks[1].cards.clone()]);
        let mut states = vec![Duel::new(Arc::clone(&game), &decks, seed).expect("legal decks")];
        let mut choices: Vec<Choice> = Vec::new();
        let mut dice = Dice(seed);
        while let Some(decision) = states.last().and_then(Duel::pending).cloned() {
            let choice = decision.options[dice.below(decision.options.len())];
            let mut duel = states.last().expect("never empty").clone();
            duel.answer_silently(choice).expect("it is offered");
            states.push(duel);
            choices.push(choice);
        }
        let asked_by_rules = |at: &usize| {
            let decision = states[*at].pending().expect("it was answered");
            decision.place.is_some()
        };
        let by_rules: Vec<usize> = (0..choices.len()).filter(asked_by_rules).collect();
        for turn in 0..8 {
            let at = match by_rules[..] {
                [] => dice.below(choices.len()),
                _ if turn < 4 => dice.below(choices.len()),
                _ => by_rules[dice.below(by_rules.len())],
            };
            match cut(&states[..=at + 1], &choices[..=at], "cut") {
                Ok(text) => {
                    let file = read(&text).unwrap_or_else(|fault| panic!("{}: {text}", fault.message));
                    let [scenario] = &file.scenarios[..] else {
                        panic!("one scenario: {text}")
                    };
                    let report = run(scenario, &game, RunOptions::default());
                    assert_eq!(report.failure, None, "{text}");
                    assert!(!text.contains("expect = {}"), "nothing is expected:\n{text}");
                    passed += 1;
                    steps += scenario.steps.len();
                    let decision = states[at].pending().expect("it was answered");
                    inside += usize::from(decision.place.is_some());
                }
                Err(CutError::Inexpressible) => inexpressible += 1,
                Err(CutError::Empty) => panic!("there is a choice"),
            }
        }
    }
    assert!(
        passed > 70 && inside > 20,
        "{passed} passed, {inside} inside, {inexpressible} not"
    );
    assert!(steps < 12 * passed, "{steps} steps for {passed} scenarios");
    assert_eq!(cut(&[], &[], "nothing"), Err(CutError::Empty));
}

/// A duel can be cut where cards share a name.
#[test]
fn a_doubled_name_is_no_bar() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/saltmarsh");
    let loaded = load(Folder::new(root)).expect("the demo game can be read");
    let mut game = Game::clone(loaded.game.as_ref().expect("the demo game can be played"));
    let names: Vec<_> = game.models.iter().map(|model| model.name.clone()).collect();
    for (at, model) in game.models.iter_mut().enumerate() {
        model.name = names[at / 2 * 2].clone();
    }
    let game = Arc::new(game);
    let decks = PerSeat([loaded.decks[0].cards.clone(), loaded.decks[1].cards.clone()]);
    let mut states = vec![Duel::new(Arc::clone(&game), &decks, 1).expect("legal decks")];
    let mut choices: Vec<Choice> = Vec::new();
    let mut dice = Dice(1);
    while choices.len() < 60
        && let Some(decision) = states.last().and_then(Duel::pending).cloned()
    {
        let choice = decision.options[dice.below(decision.options.len())];
        let mut duel = states.last().expect("never empty").clone();
        duel.answer_silently(choice).expect("it is offered");
        states.push(duel);
        choices.push(choice);
    }
    let cuts = (0..choices.len()).step_by(5);
    let passed = cuts.filter(|at| cut(&states[..=at + 1], &choices[..=*at], "cut").is_ok());
    assert!(passed.count() > 6);
}
