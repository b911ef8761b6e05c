//! Positions counted and states pinned: the rules cannot change unnoticed.
//!
//! `perft.txt` holds, for fixed positions, the number of sequences of 1, 2, 3 … decisions that can
//! follow; `golden.txt` the digest of states on the way of fixed duels. `cargo xtask bless` writes
//! both anew; a change of either belongs into the commit that changed the rules, with its reason.

mod common;

use std::fmt::Write as _;
use std::path::Path;

use common::{Dice, games, start_in, step};
use cw_duel::Duel;

/// Seeds of the duels, and after how many random decisions the positions are taken.
const SEEDS: [u64; 8] = [1, 2, 3, 4, 5, 6, 7, 8];
const CUTS: [usize; 4] = [0, 17, 40, 75];

/// Positions with more leaves than this are not counted one decision deeper.
const ENOUGH: u64 = 20_000;

/// G51, C3, C6, C1, C2, C4, C5: every option of every decision, counted.
#[test]
fn the_number_of_decision_sequences_is_pinned() {
    let games = games();
    let mut table = String::new();
    for seed in SEEDS {
        for cut in CUTS {
            let mut duel = start_in(&games[seed as usize % games.len()], seed);
            let mut dice = Dice(seed + 1);
            for _ in 0..cut {
                step(&mut duel, &mut dice);
            }
            let Some(decision) = duel.pending() else { continue };
            write!(
                table,
                "seed {seed} after {cut}, turn {} {:?}:",
                duel.turn(),
                decision.question
            )
            .expect("a string takes everything");
            let mut leaves = 1;
            for depth in 1.. {
                if leaves > ENOUGH || depth > 8 {
                    break;
                }
                leaves = count(&duel, depth);
                write!(table, " {leaves}").expect("a string takes everything");
            }
            table.push('\n');
        }
    }
    check("perft.txt", &table);
}

/// Sequences of so many decisions; a duel that ends before counts once.
fn count(duel: &Duel, depth: u32) -> u64 {
    let Some(decision) = duel.pending() else { return 1 };
    if depth == 1 {
        return decision.options.len() as u64;
    }
    let after = |choice| {
        let mut copy = duel.clone();
        copy.answer_silently(choice).expect("it was offered");
        count(&copy, depth - 1)
    };
    decision.options.iter().copied().map(after).sum()
}

/// G275, D10: the same everywhere; another platform, library or build would show.
#[test]
fn golden_hashes() {
    let mut table = String::new();
    for (seed, game) in (1..).zip(games()) {
        let mut duel = start_in(&game, seed);
        let mut dice = Dice(seed + 1);
        let mut decisions = 0;
        loop {
            if decisions % 50 == 0 || duel.outcome().is_some() {
                writeln!(table, "seed {seed} after {decisions}: {}", duel.hash())
                    .expect("a string takes everything");
            }
            if step(&mut duel, &mut dice).is_none() {
                break;
            }
            decisions += 1;
        }
    }
    check("golden.txt", &table);
}

/// Compares with a file beside this one, line by line, or writes it.
#[track_caller]
fn check(file: &str, actual: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(file);
    if std::env::var_os("CARDWRIGHT_BLESS").is_some() {
        std::fs::write(&path, actual).expect("the file can be written");
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    let differs = expected
        .lines()
        .zip(actual.lines())
        .find(|(expected, actual)| expected != actual);
    if let Some((expected, actual)) = differs {
        panic!("{file}: expected\n  {expected}\ngot\n  {actual}\n`cargo xtask bless` accepts what is");
    }
    assert_eq!(
        expected.lines().count(),
        actual.lines().count(),
        "{file} has another number of lines"
    );
}
