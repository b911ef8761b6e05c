//! Puzzles for the computer: positions in which some options are right and the others wrong, whatever the
//! other side does. Everything that is claimed of them is proven by trying everything.
#![expect(
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "a campaign tells its figures, and new puzzles are printed"
)]

#[path = "puzzles/candidates.rs"]
mod candidates;
#[path = "puzzles/oracle.rs"]
mod oracle;

use std::path::Path;
use std::sync::Arc;

use cw_duel::{Choice, Duel, Game, Question, Seat};
use cw_load::load;
use cw_octgn::Folder;
use cw_players::{Ask, Eyes, Level, Values, mix, seed_of};
use cw_scenario::{begin, read, state};
use oracle::{Goal, Oracle};

const SALTMARSH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../games/saltmarsh");
const PUZZLES: &str = include_str!("puzzles/puzzles.toml");
const NUMBERS: &str = include_str!("puzzles/numbers.toml");
/// Deals of what `me` does not see on which an answer has to be right.
const DEALS: u64 = 24;
/// More positions than any puzzle has.
const ALL: u32 = 2_000_000;
/// How often a level is asked to solve a puzzle, each time with another chance of its own.
const SEEDS: u64 = 4;

/// The demo game, with the numbers that its cards had when the puzzles were made: who changes a number
/// there makes no puzzle wrong.
fn game() -> Arc<Game> {
    let loaded = load(Folder::new(Path::new(SALTMARSH))).expect("the demo game can be read");
    let game: Arc<Game> = loaded.game.expect("the demo game can be played");
    let mut game = Game::clone(&game);
    for line in NUMBERS.lines().filter(|line| !line.starts_with('#')) {
        let (name, numbers) = line.split_once(" = ").expect("a card and its numbers");
        let name = name.trim_matches('"');
        let numbers: Vec<i32> = numbers
            .trim_matches(['[', ']'])
            .split(", ")
            .map(|number| number.parse().expect("a number"))
            .collect();
        let model = game.models.iter_mut().find(|model| &*model.name == name);
        let model = model.unwrap_or_else(|| panic!("no card {name}"));
        (model.bp, model.sp) = (numbers[0], numbers[1]);
    }
    Arc::new(game)
}

fn begun(text: &str, game: &Arc<Game>) -> Result<Duel, String> {
    let file = read(text).map_err(|fault| format!("{fault:?}"))?;
    let (duel, _) = begin(&file.scenarios[0], game).map_err(|fault| format!("{fault:?}"))?;
    Ok(duel)
}

/// The options that are right, however the unknown cards lie: all attacks are declared before anything of
/// the other's is seen, so they have to be the same on all deals.
fn right(duel: &Duel, goal: Goal, left: u32) -> Option<Vec<Choice>> {
    let me = Seat::One;
    let mut oracle = Oracle::new(duel, me, goal, left);
    let mut all = vec![duel.clone()];
    for deal in 0..DEALS {
        all.push(duel.sample(me, mix(&[deal]))?);
    }
    let mut right = Vec::new();
    for option in oracle::options(duel) {
        if is_planned(&after(&all, option), me, &mut oracle)? {
            right.push(option);
        }
    }
    Some(right)
}

fn after(all: &[Duel], option: Choice) -> Vec<Duel> {
    let mut all = all.to_vec();
    for duel in &mut all {
        duel.answer_silently(option).expect("it is offered on all deals");
    }
    all
}

fn is_planned(all: &[Duel], me: Seat, oracle: &mut Oracle) -> Option<bool> {
    let declares = |duel: &Duel| {
        let decision = duel.pending();
        decision.is_some_and(|decision| {
            decision.seat == me && matches!(decision.question, Question::Attack | Question::JoinWhom(_))
        })
    };
    if declares(&all[0]) {
        // Where no deal holds no plan does.
        if !oracle.holds(&all[0])? {
            return Some(false);
        }
        for option in oracle::options(&all[0]) {
            if is_planned(&after(all, option), me, oracle)? {
                return Some(true);
            }
        }
        return Some(false);
    }
    for duel in all {
        if !oracle.holds(duel)? {
            return Some(false);
        }
    }
    Some(true)
}

/// Right options in words, as the notes of puzzles have them.
fn right_words(duel: &Duel, right: &[Choice]) -> String {
    let labels = state(duel)["options"].clone();
    let options = &duel.pending().expect("somebody is asked").options;
    let words = (0..).zip(options).filter(|(_, option)| right.contains(option));
    let words: Vec<&str> = words
        .map(|(at, _): (usize, _)| labels[at].as_str().unwrap_or(""))
        .collect();
    match words.is_empty() {
        true => "Nothing helps.".to_owned(),
        false => format!("Right: {}.", words.join("; ")),
    }
}

struct Puzzle {
    name: String,
    goal: Goal,
    duel: Duel,
    note: String,
}

/// All puzzles of the file, each followed by its control.
fn puzzles() -> Vec<Puzzle> {
    let game = game();
    let file = read(PUZZLES).expect("they are scenarios");
    let puzzles = file.scenarios.iter().map(|scenario| Puzzle {
        name: scenario.name.clone(),
        goal: Goal::of(scenario.goal.as_deref().expect("a puzzle has a goal")),
        duel: begin(scenario, &game).expect("it begins").0,
        note: scenario.note.clone().expect("the note says what is right"),
    });
    puzzles.collect()
}

/// Whether the level reaches the goal; the other side does what prevents it, if there is such a thing, and
/// what `easy` does otherwise.
fn solves(puzzle: &Puzzle, level: Level, values: Option<&Values>, seed: u64) -> bool {
    let mut duel = puzzle.duel.clone();
    let me = Seat::One;
    let mut oracle = Oracle::new(&duel, me, puzzle.goal, ALL);
    let last = duel.turn() + u16::from(puzzle.goal == Goal::Last);
    let mut number = 0;
    while let Some(eyes) = Eyes::of_who_is_asked(&duel) {
        if duel.turn() > last {
            break;
        }
        let seat = eyes.decision().seat;
        let refutes = |option: &Choice| oracle.after(&duel, *option) == Some(false);
        let refuted = match seat == me {
            true => None,
            false => oracle::options(&duel).into_iter().find(refutes),
        };
        let level = if seat == me { level } else { Level::Easy };
        let eyes = eyes.valuing(values);
        let ask = Ask {
            budget: level.budget(),
            ..eyes.ask(seed_of(seed, seat, number))
        };
        number += 1;
        let choice = refuted.unwrap_or_else(|| level.choose(&ask));
        duel.answer_silently(choice).expect("it is offered");
    }
    oracle.holds(&duel) == Some(true)
}

/// What the notes say is right, and nothing else; in the control, the same position made harder, none of it
/// is.
#[test]
fn answers_are_proven() {
    let puzzles = puzzles();
    for pair in puzzles.chunks(2) {
        let [puzzle, control] = pair else {
            panic!("a puzzle without control")
        };
        assert_eq!(control.name, format!("{}, control", puzzle.name));
        let all = [puzzle, control].map(|puzzle| {
            let right = right(&puzzle.duel, puzzle.goal, ALL).expect("everything can be tried");
            assert_eq!(right_words(&puzzle.duel, &right), puzzle.note, "{}", puzzle.name);
            right
        });
        assert!(!all[0].is_empty(), "{}", puzzle.name);
        assert!(
            all[0].len() < oracle::options(&puzzle.duel).len(),
            "{}",
            puzzle.name
        );
        assert!(
            all[0].iter().all(|option| !all[1].contains(option)),
            "{}",
            puzzle.name
        );
    }
    assert!(puzzles.len() >= 120, "{} and their controls", puzzles.len() / 2);
}

/// Puzzles that a level does not solve with every chance, by name.
fn failures<'a>(puzzles: &'a [Puzzle], name: &str, level: Level, values: Option<&Values>) -> Vec<&'a str> {
    let fails = |puzzle: &&Puzzle| !(0..SEEDS).all(|seed| solves(puzzle, level, values, seed));
    let puzzles = puzzles.iter().step_by(2);
    let number = puzzles.len();
    let failures: Vec<&str> = puzzles.filter(fails).map(|puzzle| &*puzzle.name).collect();
    eprintln!(
        "{name} solves {} of {number}, not {failures:?}",
        number - failures.len()
    );
    failures
}

/// Which puzzles the levels do not solve: they are told in docs/players.md, and who mends one changes both.
/// The blind player, to whom only the end of the duel counts and who proves nothing, is the control.
#[test]
fn what_the_levels_solve_is_known() {
    let puzzles = puzzles();
    let number = puzzles.len() / 2;
    let blind = Values::blind(puzzles[0].duel.game());
    let easy = failures(&puzzles, "easy", Level::Easy, None);
    let by_the_blind = failures(&puzzles, "normal without weights", Level::Normal, Some(&blind));
    let normal = failures(&puzzles, "normal", Level::Normal, None);
    assert_eq!(
        normal,
        [
            "a back-up 2",
            "which card 5",
            "somebody stays at home 1",
            "somebody stays at home 4"
        ]
    );
    assert!(normal.len() * 10 <= number, "90 % are wanted");
    assert!(by_the_blind.len() * 2 >= number, "the blind solve half");
    assert!(easy.len() > normal.len());
}

/// `normal` wins the puzzles of the demo game, each in the turn that it begins with.
#[test]
fn normal_solves_the_puzzles_of_the_demo_game() {
    let loaded = load(Folder::new(Path::new(SALTMARSH))).expect("the demo game can be read");
    let game: Arc<Game> = loaded.game.expect("the demo game can be played");
    let text = std::fs::read_to_string(format!("{SALTMARSH}/Lessons/2-puzzles.toml"));
    let file = read(&text.expect("it is there")).expect("they are scenarios");
    for scenario in &file.scenarios {
        let puzzle = Puzzle {
            name: scenario.name.clone(),
            goal: Goal::Win,
            duel: begin(scenario, &game).expect("it begins").0,
            note: String::new(),
        };
        for seed in 0..SEEDS {
            assert!(solves(&puzzle, Level::Normal, None, seed), "{}", puzzle.name);
        }
    }
}

/// Puzzles can be made: one of each of the first kinds here, and with
/// `CARDWRIGHT_PUZZLES=6 cargo test -p cw-scenario --test puzzles new_ -- --nocapture` so many of all.
#[test]
fn new_puzzles_can_be_made() {
    let asked = std::env::var("CARDWRIGHT_PUZZLES").ok();
    match asked.and_then(|asked| asked.parse().ok()) {
        Some(number) => candidates::print(&game(), number, 1, usize::MAX),
        None => candidates::print(&game(), 1, 1, 1),
    }
}
