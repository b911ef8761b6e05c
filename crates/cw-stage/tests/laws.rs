//! Laws of duels, over games of random rules.

use cw_duel::{Choice, Duel, DuelView, PerSeat, Question};
use cw_stage::{ByteSource, RandomGame};

/// Whatever the bytes are, every rule compiles, and no two of a few hundred games are the same.
#[test]
fn every_rule_compiles() {
    let mut rules = 0;
    let (mut games, mut refused) = (Vec::new(), Vec::new());
    for seed in 0..600 {
        let random = RandomGame::read(&mut ByteSource::of_seed(seed));
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
        let [one, two] = [0, 1].map(|_| RandomGame::read(&mut ByteSource::new(&bytes)));
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
        let mut bytes = ByteSource::of_seed(seed);
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

/// D68: in a sample an idle option leads back to the view it came from, whatever is chosen on the way; it
/// is offered all the same. What is not idle nearly always changes something.
#[test]
fn an_idle_option_changes_nothing_that_its_player_sees() {
    let (mut idle, mut other) = (0_u64, 0_u64);
    for seed in 0..160 {
        let mut bytes = ByteSource::of_seed(seed);
        let random = RandomGame::read(&mut bytes);
        let mut duel = Duel::new(random.game.clone(), &random.decks, seed).expect("legal decks");
        while let Some(decision) = duel.pending().cloned() {
            let acts = |option: &&Choice| matches!(option, Choice::Play(_) | Choice::Activate(_));
            for option in decision.options.iter().filter(acts) {
                let Some(sample) = duel.sample(decision.seat, seed) else {
                    continue;
                };
                if !sample.is_idle(*option) {
                    other += 1;
                    continue;
                }
                idle += 1;
                let mut tried = sample.clone();
                let mut next = *option;
                loop {
                    tried.answer_silently(next).expect("it is offered");
                    let pending = tried.pending().expect("nothing has ended");
                    if matches!(
                        pending.question,
                        Question::Main | Question::Attack | Question::CounterAttack
                    ) {
                        break;
                    }
                    next = *bytes.pick(&pending.options);
                }
                let text = random.texts.join("\n--\n");
                let [before, after] = [&sample, &tried].map(|duel| plain(duel.view(decision.seat)));
                assert_eq!(before, after, "seed {seed}, {option:?}\n{text}");
            }
            let choice = *bytes.pick(&decision.options);
            duel.answer_silently(choice).expect("it is offered");
        }
    }
    assert!(idle > 100 && other > idle, "{idle} idle, {other} not");
}

/// A view without what using an option leaves in any case: the card laid aside, SP paid, the mark of use.
fn plain(mut view: DuelView) -> DuelView {
    view.decision = None;
    let ring_and_piles = PerSeat::from_fn(|seat| {
        let player = &view.players[seat];
        player.hand.len() + player.discards.len()
    });
    for seat in cw_duel::Seat::BOTH {
        let player = &mut view.players[seat];
        player.sp = 0;
        player.hand.clear();
        player.discards.clear();
        player
            .ring
            .iter_mut()
            .flatten()
            .for_each(|one| one.activated = false);
        player.backups += u8::try_from(ring_and_piles[seat]).expect("few cards");
    }
    view
}
