//! Puzzles for the computer: positions in which some options are right and the others wrong, whatever the
//! other side does. Everything that is claimed of them is proven by trying everything.
#![expect(
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "a campaign tells its figures, and new puzzles are printed"
)]

#[path = "puzzles/candidates.rs"]
mod candidates;

use std::path::Path;
use std::sync::Arc;

use cw_duel::{Choice, Duel, Game, Question, Seat};
use cw_load::load;
use cw_octgn::Folder;
use cw_players::{Ask, Level, PositionWeights, SearchBudget, SeatEyes, seed_of};
use cw_scenario::{
    PuzzleGoal as Goal, PuzzleOracle as Oracle, PuzzleWay, RunOptions, begin, puzzle_options, read,
    right_choices as right, run, state,
};

const SALTMARSH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../games/saltmarsh");
const PUZZLES: &str = include_str!("puzzles/puzzles.toml");
const NUMBERS: &str = include_str!("puzzles/numbers.toml");
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

/// D68: a United Attack that cannot be paid is not joined, whoever may attack besides. It could only be taken
/// back, and was, until the loop guard stepped in: in two of 400 duels of `hard` against `normal`.
#[test]
fn what_cannot_be_paid_is_not_joined() {
    let game = game();
    let text = "\
        [[scenario]]\n\
        name = \"three of them\"\n\
        phase = \"attack\"\n\
        me = { hp = 2200, sp = 3, ring = [\"Coxswain Kelp 100\", \"Marzipan Mei 500 fresh\", \
            \"Auntie Rye 500\", \"Second Fiddle 900 attacks\"], hand = [\"Cover Version\"] }\n\
        opponent = { hp = 2300, sp = 2, ring = [\"Master Flange 1100\"], \
            hand = [\"Wet Floor\", \"Rolling Pin\"] }\n";
    // With two that attack it is asked whom to join, and with one more to call back which one it is.
    let two = text.replace("Auntie Rye 500", "Auntie Rye 500 attacks");
    let mut starts: Vec<Duel> = Vec::new();
    for text in [text, &two] {
        let free = begun(text, &game).expect("it begins");
        let mut joined = free.clone();
        while let Some(decision) = joined.pending() {
            let mut options = decision.options.iter();
            let join = match decision.question {
                Question::JoinWhom(_) => options.next(),
                _ => options.find(|option| matches!(option, Choice::Join(_))),
            };
            let Some(join) = join.copied() else { break };
            joined.answer_silently(join).expect("it is offered");
        }
        starts.extend([free, joined]);
    }
    for level in Level::ALL.into_iter().filter(|level| *level != Level::Random) {
        for (duel, seed) in starts
            .iter()
            .flat_map(|duel| (0..SEEDS).map(move |seed| (duel, seed)))
        {
            let (mut duel, mut answers) = (duel.clone(), 0);
            while let Some(eyes) = SeatEyes::of_who_is_asked(&duel)
                .filter(|eyes| matches!(eyes.decision().question, Question::Attack | Question::JoinWhom(_)))
            {
                let ask = Ask {
                    budget: SearchBudget { playouts: 128 },
                    ..eyes.ask(seed_of(seed, Seat::One, answers))
                };
                let choice = level.choose(&ask);
                answers += 1;
                assert!(
                    answers <= 8,
                    "{} seed {seed}: {choice:?} is answer {answers}",
                    level.name()
                );
                duel.answer_silently(choice).expect("it is offered");
            }
        }
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
        goal: Goal::of(scenario.goal.as_deref().expect("a puzzle has a goal")).expect("it is known"),
        duel: begin(scenario, &game).expect("it begins").0,
        note: scenario.note.clone().expect("the note says what is right"),
    });
    puzzles.collect()
}

/// Whether the level reaches the goal; the other side does what prevents it, if there is such a thing, and
/// what `easy` does otherwise.
fn solves(puzzle: &Puzzle, level: Level, values: Option<&PositionWeights>, seed: u64) -> bool {
    let mut duel = puzzle.duel.clone();
    let me = Seat::One;
    let mut oracle = Oracle::new(&duel, me, puzzle.goal, ALL);
    let last = duel.turn() + u16::from(puzzle.goal == Goal::Last);
    let mut number = 0;
    while let Some(eyes) = SeatEyes::of_who_is_asked(&duel) {
        if duel.turn() > last {
            break;
        }
        let seat = eyes.decision().seat;
        let refutes = |option: &Choice| oracle.after(&duel, *option) == Some(false);
        let refuted = match seat == me {
            true => None,
            false => puzzle_options(&duel).into_iter().find(refutes),
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
    let mut wrong = Vec::new();
    for pair in puzzles.chunks(2) {
        let [puzzle, control] = pair else {
            panic!("a puzzle without control")
        };
        assert_eq!(control.name, format!("{}, control", puzzle.name));
        let all = [puzzle, control].map(|puzzle| {
            let right = right(&puzzle.duel, puzzle.goal, ALL).expect("everything can be tried");
            let words = right_words(&puzzle.duel, &right);
            if words != puzzle.note {
                wrong.push(format!("{}: {words}", puzzle.name));
            }
            right
        });
        let options = puzzle_options(&puzzle.duel).len();
        if all[0].is_empty() || all[0].len() == options || all[0].iter().any(|option| all[1].contains(option))
        {
            wrong.push(format!("{} is no puzzle", puzzle.name));
        }
    }
    assert_eq!(wrong, [""; 0]);
    assert!(puzzles.len() >= 120, "{} and their controls", puzzles.len() / 2);
}

/// Puzzles that a level does not solve with every chance, by name.
fn failures<'a>(
    puzzles: &'a [Puzzle],
    name: &str,
    level: Level,
    values: Option<&PositionWeights>,
) -> Vec<&'a str> {
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
    let blind = PositionWeights::blind(puzzles[0].duel.game());
    let easy = failures(&puzzles, "easy", Level::Easy, None);
    let by_the_blind = failures(&puzzles, "normal without weights", Level::Normal, Some(&blind));
    let normal = failures(&puzzles, "normal", Level::Normal, None);
    assert_eq!(
        normal,
        [
            "a back-up 7",
            "somebody stays at home 1",
            "somebody stays at home 4"
        ]
    );
    assert!(normal.len() * 10 <= number, "90 % are wanted");
    assert!(by_the_blind.len() * 2 >= number, "the blind solve half");
    assert!(easy.len() > normal.len());
}

/// Who asks what a level thinks is told of a proof, and nothing that contradicts it.
#[test]
fn a_proof_is_told() {
    let puzzles = puzzles();
    let puzzle = puzzles.iter().find(|puzzle| puzzle.name == "as one 1");
    let duel = &puzzle.expect("it is there").duel;
    let eyes = SeatEyes::of_who_is_asked(duel).expect("the duel goes on");
    let ask = Ask {
        budget: Level::Normal.budget(),
        ..eyes.ask(1)
    };
    let insight = Level::Normal.think(&ask, 1).expect("it searches");
    let first = &insight.options[0];
    assert!(first.proven && first.low == 1.0 && insight.against.is_empty());
    assert_eq!(Level::Normal.choose(&ask), first.choice);
    assert!(!insight.options[1..].iter().any(|other| other.proven));
}

/// Prints the positions that can be shipped with the numbers that the cards have now, each with a way to its
/// goal: `CARDWRIGHT_WAYS=1 cargo test -p cw-scenario --test puzzles ways_ -- --nocapture`.
#[test]
fn ways_can_be_printed() {
    let loaded = load(Folder::new(Path::new(SALTMARSH))).expect("the demo game can be read");
    let game: Arc<Game> = loaded.game.expect("the demo game can be played");
    let file = read(PUZZLES).expect("they are scenarios");
    let all = std::env::var("CARDWRIGHT_WAYS").is_ok();
    let wanted = file
        .scenarios
        .iter()
        .filter(|one| !one.name.ends_with("control") && one.goal.as_deref() == Some(Goal::Win.words()));
    let mut printed = 0;
    for scenario in wanted.take(if all { usize::MAX } else { 1 }) {
        let puzzle = Puzzle {
            name: scenario.name.clone(),
            goal: Goal::Win,
            duel: begin(scenario, &game).expect("it begins").0,
            note: String::new(),
        };
        let Some(right) = right(&puzzle.duel, Goal::Win, ALL).filter(|right| !right.is_empty()) else {
            println!("# {}: not with these numbers", puzzle.name);
            continue;
        };
        let options = puzzle_options(&puzzle.duel).len();
        let Some(PuzzleWay { steps, hard }) = PuzzleWay::of(&puzzle.duel, puzzle.goal, ALL) else {
            continue;
        };
        println!(
            "# {}: {} of {options}, {hard} hard; {}",
            puzzle.name,
            right.len(),
            right_words(&puzzle.duel, &right)
        );
        println!("steps = [{}]", steps.join(", "));
        printed += 1;
    }
    assert!(printed > 0);
}

/// Every puzzle that ships is proven: there is a way to its goal whatever the other side does and however the
/// unknown cards lie, not everything is right, its solution begins with what is, and its grade says how many
/// of the own choices can be wrong. Each has a hint, and there are enough of every grade.
#[test]
fn shipped_puzzles_are_proven() {
    let loaded = load(Folder::new(Path::new(SALTMARSH))).expect("the demo game can be read");
    let game: Arc<Game> = loaded.game.expect("the demo game can be played");
    let text = std::fs::read_to_string(format!("{SALTMARSH}/Lessons/5-puzzles.toml"));
    let file = read(&text.expect("it is there")).expect("they are scenarios");
    let (mut wrong, mut grades) = (Vec::new(), [0; 3]);
    for scenario in &file.scenarios {
        let puzzle = Puzzle {
            name: scenario.name.clone(),
            goal: Goal::of(scenario.goal.as_deref().expect("a puzzle has a goal")).expect("it is known"),
            duel: begin(scenario, &game).expect("it begins").0,
            note: String::new(),
        };
        let name = &puzzle.name;
        assert!(
            scenario.note.as_ref().is_some_and(|hint| hint.len() > 20),
            "{name} has a hint"
        );
        let right = right(&puzzle.duel, puzzle.goal, ALL).expect("everything can be tried");
        let report = run(scenario, &game, RunOptions::default());
        let first = report.steps.iter().flat_map(|step| &step.answers).next();
        let first = first.expect("it has a solution").choice;
        if report.failure.is_some() || !right.contains(&first) {
            wrong.push(format!("{name}: the solution is none"));
        }
        let way = PuzzleWay::of(&puzzle.duel, puzzle.goal, ALL).expect("there is a way");
        let (hard, grade) = (way.hard, way.grade());
        if scenario.grade != Some(grade) {
            wrong.push(format!(
                "{name}: {hard} choices can be wrong, that is grade {grade}"
            ));
            continue;
        }
        grades[usize::from(grade) - 1] += 1;
    }
    assert_eq!(wrong, [""; 0]);
    assert!(grades.iter().sum::<i32>() >= 24, "{grades:?}");
    assert!(grades.iter().all(|many| *many >= 6), "{grades:?}");
}

/// `normal` wins the puzzles of the demo game, each in the turn that it begins with.
#[test]
fn normal_solves_the_puzzles_of_the_demo_game() {
    let loaded = load(Folder::new(Path::new(SALTMARSH))).expect("the demo game can be read");
    let game: Arc<Game> = loaded.game.expect("the demo game can be played");
    let text = std::fs::read_to_string(format!("{SALTMARSH}/Lessons/5-puzzles.toml"));
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

/// Puzzles can be made: one of the first kind here, and with
/// `CARDWRIGHT_PUZZLES=6 cargo test -p cw-scenario --test puzzles new_ -- --nocapture` so many of all, or of
/// `CARDWRIGHT_KIND`, by the chance of `CARDWRIGHT_SEED`.
#[test]
fn new_puzzles_can_be_made() {
    let asked = |name| std::env::var(name).ok();
    let number = |name| asked(name).and_then(|number| number.parse::<u64>().ok());
    let kind = asked("CARDWRIGHT_KIND");
    match number("CARDWRIGHT_PUZZLES") {
        Some(most) => {
            let seed = number("CARDWRIGHT_SEED").unwrap_or(1);
            candidates::print(&game(), most, seed, |name| {
                kind.as_deref().is_none_or(|kind| kind == name)
            });
        }
        None => candidates::print(&game(), 1, 1, |name| name == "all who can"),
    }
}

/// A puzzle of the day is the same wherever it is made, other days have others, and what is said of it is
/// proven: there is a way to its goal whatever the other side does, its steps are one, and not everything is
/// right. `CARDWRIGHT_DAYS=1000` runs the campaign.
#[test]
fn puzzles_of_days_are_proven() {
    let loaded = load(Folder::new(Path::new(SALTMARSH))).expect("the demo game can be read");
    let game: Arc<Game> = loaded.game.expect("the demo game can be played");
    let days = std::env::var("CARDWRIGHT_DAYS")
        .ok()
        .and_then(|days| days.parse().ok());
    let mut texts = std::collections::BTreeSet::new();
    let (mut kinds, mut longest) = (std::collections::BTreeMap::new(), std::time::Duration::ZERO);
    let days: u64 = days.unwrap_or(6);
    for day in 20_784..20_784 + days {
        let begun = std::time::Instant::now();
        let made = cw_scenario::puzzle_for(&game, day, "A “day” \"\\").expect("there is one for each day");
        longest = longest.max(begun.elapsed());
        assert_eq!(
            Some(&made),
            cw_scenario::puzzle_for(&game, day, "A “day” \"\\").as_ref()
        );
        *kinds.entry(made.kind).or_insert(0) += 1;
        let file = read(&made.text).unwrap_or_else(|fault| panic!("{fault:?}: {}", made.text));
        let scenario = &file.scenarios[0];
        let duel = begin(scenario, &game).expect("it begins").0;
        let all = right(&duel, Goal::Win, ALL).expect("everything can be tried");
        let report = run(scenario, &game, RunOptions::default());
        assert!(report.failure.is_none(), "{:?}: {}", report.failure, made.text);
        let first = report
            .steps
            .iter()
            .flat_map(|step| &step.answers)
            .next()
            .expect("it has steps");
        assert!(
            all.contains(&first.choice) && all.len() < puzzle_options(&duel).len(),
            "{}",
            made.text
        );
        texts.insert(made.text);
    }
    eprintln!("{days} days: {kinds:?}, the longest took {longest:?}");
    assert_eq!(texts.len() as u64, days, "each day has its own");
}
