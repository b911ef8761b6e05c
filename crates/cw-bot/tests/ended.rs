//! What a bot's duel comes to when the whole program is interrupted: nothing. A test program of its own, as
//! no bot begins after it.

use std::path::Path;
use std::process;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use cw_bot::{Bot, BotLimits, Command};
use cw_duel::PerSeat;
use cw_load::load;
use cw_octgn::Folder;
use cw_players::{Level, SearchBudget};
use cw_sim::{DuelPlan, Exchange, Matchup, StopRule};

/// A bot that is ended with the program has lost nothing: who waits for it waits until the program is gone.
#[test]
fn a_bot_that_is_ended_with_all_has_not_lost() {
    let answers = |program: &&str| process::Command::new(program).arg("--version").output().is_ok();
    let Some(python) = ["python3", "python"].into_iter().find(answers) else {
        eprintln!("SKIPPED: there is no Python, so no bot was ended");
        return;
    };
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let loaded = load(Folder::new(here.join("../../games/saltmarsh"))).expect("the demo game can be read");
    let game = loaded.game.expect("the demo game can be played");
    let bot = here.join("tests/hostile.py").display().to_string();
    let words = [python.to_owned(), bot, "silent".to_owned()];
    let command = Command::of(&words).expect("it is a command");
    let limits = BotLimits {
        ms: 60_000,
        start_ms: 60_000,
        ..BotLimits::default()
    };
    let mut bot = Bot::start(command, game.clone(), limits).expect("it starts");
    let [one, two] = [0, 1].map(|deck| (loaded.decks[deck].name.clone(), loaded.decks[deck].cards.clone()));
    let plan = DuelPlan {
        matchups: vec![Matchup {
            names: PerSeat([one.0, two.0]),
            decks: PerSeat([one.1, two.1]),
        }],
        game,
        seed: 1,
        budgets: [SearchBudget { playouts: 20 }; 2],
        exchange: Exchange::Players,
        stop: StopRule::After(1),
    };
    let (done, is_done) = channel();
    thread::spawn(move || {
        let pair = plan.play(0, &mut bot, &mut Level::Random);
        let _ = done.send(pair.duels.map(|duel| duel.gave_up()));
    });
    assert_eq!(
        is_done.recv_timeout(Duration::from_secs(1)),
        Err(RecvTimeoutError::Timeout)
    );
    cw_bot::end_all();
    assert_eq!(
        is_done.recv_timeout(Duration::from_secs(2)),
        Err(RecvTimeoutError::Timeout),
        "the duel goes on without its bot"
    );
}
