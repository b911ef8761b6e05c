//! Bots, well-behaved and hostile, in duels of the demo game. They are written in Python; where there
//! is none these tests skip themselves and say so.
#![expect(clippy::print_stderr, reason = "a test that skips itself says so")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{self, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use cw_bot::{Bot, BotLimits, Command, Faults, StartError};
use cw_duel::{Game, PerSeat};
use cw_load::load;
use cw_octgn::Folder;
use cw_players::{Level, SearchBudget};
use cw_sim::{DuelPlan, Matchup, Pair, StopRule};

fn python() -> Option<&'static str> {
    let runs = |program: &&str| {
        let mut command = process::Command::new(program);
        let status = command
            .arg("--version")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        status.is_ok_and(|status| status.success())
    };
    let found = ["python3", "python"].into_iter().find(|program| runs(program));
    if found.is_none() {
        eprintln!("SKIPPED: there is no Python, so no bot has played");
    }
    found
}

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

fn plan() -> DuelPlan {
    let loaded = load(Folder::new(file("../../games/saltmarsh"))).expect("the demo game can be read");
    let [one, two] = [0, 1].map(|deck| (loaded.decks[deck].name.clone(), loaded.decks[deck].cards.clone()));
    DuelPlan {
        matchups: vec![Matchup {
            names: PerSeat([one.0, two.0]),
            decks: PerSeat([one.1, two.1]),
        }],
        game: loaded.game.expect("the demo game can be played"),
        seed: 1,
        budgets: [SearchBudget { playouts: 20 }; 2],
        exchange: cw_sim::Exchange::Players,
        stop: StopRule::After(1),
    }
}

fn start(game: &Arc<Game>, how: &str, limits: BotLimits) -> Option<Result<Bot, StartError>> {
    let words = [
        python()?.to_owned(),
        file("tests/hostile.py").display().to_string(),
        how.to_owned(),
    ];
    let command = Command::of(&words).expect("it is a command");
    Some(Bot::start(command, Arc::clone(game), limits))
}

/// Short enough for those that never answer.
const SHORT: BotLimits = BotLimits {
    ms: 250,
    start_ms: 20_000,
    bytes: 65_536,
    twice: 5,
};
/// Long enough for those that do, however busy the machine is.
const LONG: BotLimits = BotLimits { ms: 20_000, ..SHORT };

/// Plays a pair against chance; both duels end, whatever the bot does.
#[track_caller]
fn played(how: &str, limits: BotLimits) -> Option<(Pair, Faults)> {
    let plan = plan();
    let mut bot = start(&plan.game, how, limits)?.expect("it starts");
    let pair = plan.play(0, &mut bot, &mut Level::Random);
    Some((pair, bot.faults().clone()))
}

/// The bot of this name gives both duels up after three faults of this kind in each.
#[track_caller]
fn gives_up(how: &str, limits: BotLimits, kind: fn(&Faults) -> u64) {
    let Some((pair, faults)) = played(how, limits) else {
        return;
    };
    for (seat, duel) in cw_duel::Seat::BOTH.into_iter().zip(&pair.duels) {
        assert_eq!(duel.gave_up(), Some(seat), "{how}: {faults:?}");
    }
    assert_eq!((kind(&faults), faults.number()), (6, 6), "{how}: {faults:?}");
}

#[test]
fn a_silent_bot_gives_up() {
    gives_up("silent", SHORT, |faults| faults.late);
}

#[test]
fn a_slow_bot_gives_up_and_its_late_answers_count_for_nothing_else() {
    gives_up("slow", SHORT, |faults| faults.late);
}

#[test]
fn a_bot_that_never_ends_its_line_gives_up() {
    gives_up("half-a-line", SHORT, |faults| faults.late);
}

#[test]
fn a_bot_that_reads_nothing_gives_up() {
    gives_up("deaf", SHORT, |faults| faults.late);
}

#[test]
fn a_bot_that_tries_for_ever_gives_up() {
    gives_up("tries-for-ever", SHORT, |faults| faults.late);
}

#[test]
fn a_bot_that_answers_old_questions_for_ever_gives_up() {
    gives_up("old-questions", SHORT, |faults| faults.late);
}

#[test]
fn a_bot_that_always_dies_gives_up() {
    gives_up("dies", LONG, |faults| faults.dead);
}

#[test]
fn a_bot_that_closes_its_output_gives_up() {
    gives_up("closes-its-output", LONG, |faults| faults.dead);
}

#[test]
fn a_lying_bot_gives_up() {
    gives_up("lies", LONG, |faults| faults.not_offered);
}

#[test]
fn bots_that_cannot_be_read_give_up() {
    for how in ["negative", "huge", "junk", "binary", "deep", "wrong-question"] {
        gives_up(how, LONG, |faults| faults.unreadable);
    }
}

#[test]
fn flooding_bots_give_up_and_need_no_memory() {
    gives_up("floods", LONG, |faults| faults.unreadable);
    // The first endless line ends its process, the second one that of its restart; and so for one that
    // ends itself in the middle of a line.
    for how in ["endless-line", "half-a-line-and-dies"] {
        let Some((pair, faults)) = played(how, LONG) else {
            return;
        };
        assert!(pair.duels.iter().all(|duel| duel.gave_up().is_some()), "{how}");
        assert_eq!((faults.unreadable, faults.dead), (4, 2), "{how}: {faults:?}");
    }
}

/// What is odd but follows the protocol is no fault.
#[test]
fn odd_bots_play_on() {
    for how in [
        "well",
        "floods-stderr",
        "says-it-twice",
        "tries-too-much",
        "answers-ahead",
        "in-pieces",
    ] {
        let Some((pair, faults)) = played(how, LONG) else {
            return;
        };
        assert_eq!((faults.number(), faults.differed), (0, 0), "{how}: {faults:?}");
        assert!(pair.duels.iter().all(|duel| duel.gave_up().is_none()), "{how}");
    }
}

/// Who dies once in a duel is started again, and plays on.
#[test]
fn a_bot_that_dies_now_and_then_is_started_again() {
    let Some((pair, faults)) = played("dies-now-and-then", LONG) else {
        return;
    };
    assert!(faults.dead > 0 && faults.number() == faults.dead, "{faults:?}");
    assert!(pair.duels.iter().any(|duel| duel.choices.len() > 20));
}

/// Who says that its answers are always the same is asked twice now and then.
#[test]
fn a_bot_that_changes_its_mind_is_told_of() {
    let Some((_, faults)) = played("changes-its-mind", LONG) else {
        return;
    };
    assert!(faults.differed > 0 && faults.number() == 0, "{faults:?}");
}

#[test]
fn bots_that_are_never_ready_do_not_start() {
    let plan = plan();
    let impatient = BotLimits {
        start_ms: 400,
        ..LONG
    };
    for (how, limits, why) in [
        ("never-ready", impatient, "400 ms went by"),
        ("other-version", LONG, "it speaks version 2 of the protocol"),
        ("not-a-bot", LONG, "it wrote “usage: not-a-bot FILE”"),
        ("dies-at-once", LONG, "it has ended"),
    ] {
        let Some(started) = start(&plan.game, how, limits) else {
            return;
        };
        let error = started.expect_err(how).to_string();
        assert!(error.contains(why), "{how}: {error}");
    }
    let command = Command::read("there-is-no-such-program").expect("it is a command");
    let error = Bot::start(command, Arc::clone(&plan.game), LONG).expect_err("it does not exist");
    assert!(matches!(error, StartError::Program { .. }), "{error}");
}

/// `bye` is waited for, but not for ever.
#[test]
fn a_bot_that_stays_is_ended() {
    let plan = plan();
    let leave = |how: &str| Some(start(&plan.game, how, LONG)?.expect("it starts").leave());
    assert_ne!(leave("stays"), Some(true));
    assert_ne!(leave("well"), Some(false));
}

/// Whether a program writes to the file now: twice within half a second it has the same length if not.
fn is_written_to(file: &Path) -> bool {
    let length = || fs::metadata(file).map_or(0, |found| found.len());
    let before = length();
    thread::sleep(Duration::from_millis(500));
    length() > before
}

/// What a bot started ends with it, whether it leaves when it is told to or is ended.
#[test]
fn what_a_bot_started_ends_with_it() {
    let plan = plan();
    let Some(python) = python() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    for (how, leaves) in [("has-a-child", false), ("leaves-a-child", true)] {
        let written = folder.path().join(how);
        let words = [
            python,
            &file("tests/hostile.py").display().to_string(),
            how,
            &written.display().to_string(),
        ];
        let command = Command::of(&words.map(str::to_owned)).expect("it is a command");
        let bot = Bot::start(command, Arc::clone(&plan.game), LONG).expect("it starts");
        while !written.exists() {
            thread::sleep(Duration::from_millis(20));
        }
        assert!(is_written_to(&written), "{how}: the child lives");
        if leaves {
            assert!(bot.leave());
        } else {
            drop(bot);
        }
        assert!(!is_written_to(&written), "{how}: the child is left over");
    }
}

/// Plays six duels without a fault and always in the same way; the score is in quarters of a pair.
#[track_caller]
fn example(words: &[String], name: &str) -> u8 {
    let plan = plan();
    let command = Command::of(words).expect("it is a command");
    let mut bot = Bot::start(command, Arc::clone(&plan.game), LONG).expect("it starts");
    assert_eq!((bot.name(), bot.is_deterministic()), (name, true));
    let pairs = (0..3).map(|number| plan.play(number, &mut bot, &mut Level::Random).quarters());
    let quarters = pairs.sum();
    let faults = bot.faults().clone();
    assert_eq!((faults.number(), faults.differed), (0, 0), "{faults:?}");
    assert!(bot.leave(), "it ends after bye");
    quarters
}

/// The example in Python plays better than chance.
#[test]
fn the_example_in_python_plays() {
    let Some(python) = python() else { return };
    let quarters = example(
        &[python.to_owned(), file("examples/bot.py").display().to_string()],
        "bot.py",
    );
    assert!(quarters >= 9, "{quarters} of 12");
}

/// The example in Rust, which Cargo builds beside the tests.
#[test]
fn the_example_in_rust_plays() {
    let tests = std::env::current_exe().expect("a test is a program");
    let folder = tests.ancestors().nth(2).expect("it lies in a folder of its own");
    let bot = folder
        .join("examples")
        .join(format!("bot{}", std::env::consts::EXE_SUFFIX));
    if !bot.is_file() {
        eprintln!("SKIPPED: {} was not built", bot.display());
        return;
    }
    example(&[bot.display().to_string(), "x".to_owned()], "bot.rs");
}

/// Every line to a bot is as `docs/bot.schema.json` says; a bot that knows the schema would complain.
#[test]
fn every_line_is_as_the_schema_says() {
    let Some(python) = python() else { return };
    let plan = plan();
    let files =
        ["tests/schema.py", "../../docs/bot.schema.json"].map(|name| file(name).display().to_string());
    let command = Command::of(&[&[python.to_owned()], &files[..]].concat()).expect("it is a command");
    let mut bot = Bot::start(command, Arc::clone(&plan.game), LONG).expect("it starts");
    if bot.name() == "no jsonschema" {
        eprintln!("SKIPPED: Python has no jsonschema, so no line was checked");
        return;
    }
    for number in 0..4 {
        plan.play(number, &mut bot, &mut Level::Random);
    }
    assert_eq!(bot.faults().number(), 0, "{:?} {}", bot.faults(), bot.errors());
    assert!(bot.leave(), "it ends after bye");
}
