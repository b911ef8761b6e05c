//! New puzzles, by trying positions until one needs what its kind is about.

use std::sync::Arc;

use cw_duel::{Choice, Game};
use cw_players::{Level, PositionWeights, mix};
use cw_scenario::{PUZZLE_KINDS, PuzzleGoal, PuzzleKind, right_choices};

use crate::{ALL, Puzzle, begun, right_words, solves};

fn scenario(name: &str, note: &str, goal: PuzzleGoal, position: &str) -> String {
    format!(
        "[[scenario]]\nname = \"{name}\"\ngoal = \"{}\"\nnote = \"{note}\"\n{position}\n",
        goal.words()
    )
}

/// The same position, so much harder that what was right is wrong.
fn control(game: &Arc<Game>, kind: &PuzzleKind, text: &str, hp: usize, right: &[Choice]) -> Option<String> {
    let from = format!("{{ hp = {hp},");
    for step in 1..=8 {
        let hp = match kind.goal {
            PuzzleGoal::Win => hp + 100 * step,
            PuzzleGoal::Hold | PuzzleGoal::Last => hp.checked_sub(100 * step).filter(|hp| *hp > 0)?,
        };
        let position = text.replacen(&from, &format!("{{ hp = {hp},"), 1);
        let scenario = scenario("control", "", kind.goal, &position);
        let duel = begun(&scenario, game).ok()?;
        let still = right_choices(&duel, kind.goal, ALL)?;
        if right.iter().all(|option| !still.contains(option)) {
            return Some(position);
        }
    }
    None
}

/// Prints so many puzzles of these kinds with their controls, as the file has them.
pub fn print(game: &Arc<Game>, number: u64, seed: u64, kinds: impl Fn(&str) -> bool) {
    let blind = PositionWeights::blind(game);
    for (at, kind) in PUZZLE_KINDS.iter().enumerate() {
        if !kinds(kind.name) {
            continue;
        }
        let mut found = 0;
        for attempt in 0..12_000 {
            let Some(position) = kind.candidate(game, mix(&[seed, at as u64, attempt])) else {
                continue;
            };
            let (text, hp) = (position.text, position.hp);
            let Ok(duel) = begun(&scenario("candidate", "", kind.goal, &text), game) else {
                continue;
            };
            let Some(right) = kind.right(&duel) else { continue };
            // What is found without any judgement is not hard enough.
            let puzzle = Puzzle {
                name: String::new(),
                goal: kind.goal,
                duel,
                note: String::new(),
            };
            let stumbles = (0..4).filter(|seed| solves(&puzzle, Level::Normal, Some(&blind), 1_000 + seed));
            if kind.hard && stumbles.count() > 2 {
                continue;
            }
            let Some(control) = control(game, kind, &text, hp, &right) else {
                continue;
            };
            found += 1;
            let name = format!("{} {found}", kind.name);
            let words = right_words(&puzzle.duel, &right);
            println!("{}", scenario(&name, &words, kind.goal, &text));
            let hard = begun(&scenario("control", "", kind.goal, &control), game).expect("it began before");
            let still = right_choices(&hard, kind.goal, ALL).expect("it was found before");
            let words = right_words(&hard, &still);
            println!(
                "{}",
                scenario(&format!("{name}, control"), &words, kind.goal, &control)
            );
            if found == number {
                break;
            }
        }
        assert!(found > 0, "{}", kind.name);
    }
}
