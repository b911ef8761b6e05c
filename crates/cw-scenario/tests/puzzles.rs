//! Puzzles for the computer: positions that are won this turn by who finds the way.

use std::path::Path;
use std::sync::Arc;

use cw_duel::{Duel, Game, Outcome, Seat};
use cw_load::load;
use cw_octgn::Folder;
use cw_players::{Ask, Eyes, Level, Values, seed_of};
use cw_scenario::{begin, read};

const SALTMARSH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../games/saltmarsh");

fn puzzles() -> Vec<(String, Duel)> {
    let loaded = load(Folder::new(Path::new(SALTMARSH))).expect("the demo game can be read");
    let game: Arc<Game> = loaded.game.expect("the demo game can be played");
    let text = std::fs::read_to_string(format!("{SALTMARSH}/Lessons/2-puzzles.toml"));
    let file = read(&text.expect("it is there")).expect("they are scenarios");
    let begun = file.scenarios.iter().map(|scenario| {
        let (duel, _) = begin(scenario, &game).expect("it begins");
        (scenario.name.clone(), duel)
    });
    begun.collect()
}

/// Whether the level wins in the turn that the puzzle begins with; the other side plays `easy`.
fn solves(puzzle: &Duel, level: Level, values: Option<&Values>, seed: u64) -> bool {
    let mut duel = puzzle.clone();
    let (me, turn) = (duel.active(), duel.turn());
    let mut number = 0;
    while let Some(eyes) = Eyes::of_who_is_asked(&duel) {
        if duel.turn() != turn {
            break;
        }
        let seat = eyes.decision().seat;
        let level = if seat == me { level } else { Level::Easy };
        let eyes = eyes.valuing(values);
        let ask = Ask {
            budget: level.budget(),
            ..eyes.ask(seed_of(seed, seat, number))
        };
        number += 1;
        let choice = level.choose(&ask);
        duel.answer_silently(choice)
            .expect("levels choose what is offered");
    }
    won_by(&duel, me)
}

fn won_by(duel: &Duel, seat: Seat) -> bool {
    matches!(duel.outcome(), Some(Outcome::Won { winner, .. }) if winner == seat)
}

/// Which puzzles each level solves, whatever its chance: the failures are told in docs/players.md, and who
/// mends one changes both. The blind player, to whom only the end of the duel counts, is the control.
#[test]
fn what_the_levels_solve_is_known() {
    const SEEDS: u64 = 4;
    let puzzles = puzzles();
    let blind = Values::blind(puzzles[0].1.game());
    let solved = |name: &str, level: Level, values: Option<&Values>| -> Vec<String> {
        let always = puzzles.iter().filter(|(title, puzzle)| {
            let times = (0..SEEDS)
                .filter(|seed| solves(puzzle, level, values, *seed))
                .count() as u64;
            eprintln!("{name}: “{title}” {times} of {SEEDS}");
            assert!(times == 0 || times == SEEDS, "chance decides: {times} of {SEEDS}");
            times == SEEDS
        });
        always.map(|(title, _)| title.clone()).collect()
    };
    let stroke = "The stroke from the bank";
    assert_eq!(solved("easy", Level::Easy, None), [stroke]);
    assert_eq!(solved("normal", Level::Normal, None), [stroke]);
    assert_eq!(solved("hard", Level::Hard, None), [stroke]);
    let by_the_blind = solved("normal without weights", Level::Normal, Some(&blind));
    assert_eq!(by_the_blind, ["Manners before muscles", stroke]);
}
