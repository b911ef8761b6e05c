//! The program is killed at any moment, while two seats play as fast as they can and the store fails now
//! and then: what was acknowledged is there, and every duel goes on.
//!
//! `CARDWRIGHT_KILLS=1000 cargo test -p cw-serve --test it kills -- --nocapture` kills it more often,
//! `CARDWRIGHT_KILLS_SEED` at other moments.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use cw_serve::{DuelEntry, DuelStore};

use crate::keep::{is_whole, next};
use crate::opened::opened;
use crate::play::*;

/// Answers after which the program is killed at the latest, if it is not killed while it starts.
const LONGEST_LIFE: usize = 20;

/// What the seats were told in one life of the program.
#[derive(Default)]
struct Told {
    /// By the question: the option that was acknowledged.
    acknowledged: Mutex<BTreeMap<u64, usize>>,
    refused: AtomicUsize,
    over: AtomicBool,
}

/// Plays a seat until the connection breaks.
fn play(mut client: Client, told: &Told, mut chance: u64) -> std::io::Result<()> {
    loop {
        let (status, page) = client.page()?;
        if page.contains("class=\"result\"") {
            told.over.store(true, Ordering::SeqCst);
            return Ok(());
        }
        chance = next(chance);
        let Some(answer) = form(&page, (chance >> 33) as usize % 7).filter(|_| status == 200) else {
            std::thread::sleep(Duration::from_millis(1));
            continue;
        };
        let question = hidden(&page, "n").parse().unwrap();
        let option = answer.rsplit('=').next().unwrap().parse().unwrap();
        // Told to try again, it sends the same form again.
        loop {
            let (status, words) = client.ask("POST", "answer", &answer)?;
            match status {
                303 => {
                    told.acknowledged.lock().unwrap().insert(question, option);
                    break;
                }
                429 | 503 => {
                    told.refused.fetch_add(1, Ordering::SeqCst);
                    std::thread::sleep(Duration::from_millis(2));
                }
                _ => panic!("{status}: {words}"),
            }
        }
    }
}

/// What a log holds by hand: each question once.
fn answers(log: &[DuelEntry]) -> BTreeMap<u64, &str> {
    let by_hand = log.iter().filter(|entry| !entry.choice.contains("\"auto\":true"));
    by_hand.map(|entry| (entry.question, &*entry.choice)).collect()
}

/// A disk that takes no more, as the operating system says it: the seats are told to try again, what was
/// acknowledged is there, and the duel goes on where there is room again.
#[cfg(unix)]
#[test]
fn a_file_that_may_not_grow_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("duels.db");
    // Half-kilobytes: enough for a few answers.
    let (mut child, ready) = Process::start_with(&path, None, Some(400));
    let (address, seats) = ready().expect("it serves");
    let told = Arc::new(Told::default());
    let players = seats.into_iter().zip([1, 2]).map(|(seat, chance)| {
        let told = Arc::clone(&told);
        std::thread::spawn(move || drop(play(Client::connect(address, seat).unwrap(), &told, chance)))
    });
    let players: Vec<_> = players.collect();
    let begun = Instant::now();
    while told.refused.load(Ordering::SeqCst) < 5 {
        assert!(
            begun.elapsed() < Duration::from_secs(120),
            "the disk is full at some time"
        );
        assert!(!told.over.load(Ordering::SeqCst), "before the duel ends");
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    for player in players {
        player.join().expect("a seat is answered as it should be");
    }
    let before = told.acknowledged.lock().unwrap().len();
    assert!(before > 3, "{before} were acknowledged");
    let again = Process::serving(&path, None);
    for seat in again.seats.clone() {
        let mut client = Client::connect(again.address, seat).unwrap();
        let (_, page) = client.page().unwrap();
        if let Some(answer) = form(&page, 0) {
            assert_eq!(
                client.ask("POST", "answer", &answer).unwrap().0,
                303,
                "it goes on"
            );
        }
    }
    drop(again);
    let store = run(opened(&path));
    let log = store
        .log(&store.duels().unwrap().remove(0).unwrap().id, 0)
        .unwrap();
    assert!(is_whole(&log));
    let kept = answers(&log);
    let lost = told
        .acknowledged
        .lock()
        .unwrap()
        .keys()
        .find(|question| !kept.contains_key(question))
        .copied();
    assert_eq!(lost, None);
    assert!(kept.len() > before);
}

#[test]
fn nothing_acknowledged_is_lost_when_the_program_is_killed() {
    let number = |name: &str| {
        std::env::var(name)
            .ok()
            .and_then(|number| number.parse::<u64>().ok())
    };
    let kills = number("CARDWRIGHT_KILLS").unwrap_or(10);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("duels.db");
    let mut chance = number("CARDWRIGHT_KILLS_SEED").unwrap_or(20_261_122);
    let (mut acknowledged, mut refused, mut early, mut duels) = (0, 0, 0, 0);
    let mut before: Option<(String, BTreeMap<u64, String>)> = None;
    for kill in 0..kills {
        chance = next(chance);
        let faults = chance;
        let (mut child, ready) = Process::start(&path, Some(faults));
        let told = Arc::new(Told::default());
        let is_early = (chance >> 40).is_multiple_of(4);
        let wait = Duration::from_micros((chance >> 20) % 150_000);
        let players: Vec<_> = if is_early {
            // While it starts.
            early += 1;
            std::thread::sleep(wait);
            Vec::new()
        } else {
            let (address, seats) = ready().unwrap_or_else(|| panic!("kill {kill}: it does not serve again"));
            let players = seats.into_iter().zip([chance, !chance]).map(|(seat, chance)| {
                let told = Arc::clone(&told);
                std::thread::spawn(move || {
                    if let Ok(client) = Client::connect(address, seat) {
                        let _ = play(client, &told, chance);
                    }
                })
            });
            let players: Vec<_> = players.collect();
            // A life is so many answers long, on a slow machine as on a fast one, and ends somewhere in
            // the next.
            let life = 1 + (chance >> 34) as usize % LONGEST_LIFE;
            let (mut seen, mut since, mut pace) = (0, Instant::now(), Duration::ZERO);
            while seen < life && !told.over.load(Ordering::SeqCst) {
                let now = told.acknowledged.lock().unwrap().len();
                if now > seen {
                    pace = since.elapsed() / u32::try_from(now - seen).unwrap();
                    (seen, since) = (now, Instant::now());
                }
                assert!(
                    since.elapsed() < Duration::from_secs(120),
                    "kill {kill}: the duel does not go on"
                );
                std::thread::sleep(Duration::from_micros(200));
            }
            std::thread::sleep(pace.mul_f64((chance >> 20) as u8 as f64 / 256.0));
            players
        };
        child.kill().unwrap();
        child.wait().unwrap();
        for player in players {
            player.join().expect("a seat is answered as it should be");
        }
        // The dead process holds no lock, and its log is whole.
        let store = run(opened(&path));
        let Some(newest) = store.duels().unwrap().into_iter().next() else {
            assert!(is_early, "a duel that was played is there");
            continue;
        };
        let id = newest.unwrap().id;
        let log = store.log(&id, 0).unwrap();
        assert!(is_whole(&log), "kill {kill}: {log:?}");
        let kept = answers(&log);
        let told_now = told.acknowledged.lock().unwrap();
        for question in told_now.keys() {
            assert!(
                kept.contains_key(question),
                "kill {kill}: the answer to {question} is lost"
            );
        }
        // What was there after the kill before is there still.
        if let Some((old, answered)) = before {
            duels += usize::from(old != id);
            let log = store.log(&old, 0).unwrap();
            let kept = answers(&log);
            let lost = answered
                .iter()
                .find(|(question, choice)| kept.get(question) != Some(&choice.as_str()));
            assert_eq!(lost, None, "kill {kill}: an answer of an earlier life is lost");
        }
        acknowledged += told_now.len();
        refused += told.refused.load(Ordering::SeqCst);
        let kept = kept.into_iter();
        before = Some((
            id,
            kept.map(|(question, choice)| (question, choice.to_owned()))
                .collect(),
        ));
    }
    println!(
        "{kills} kills ({early} while it started): {acknowledged} answers acknowledged, \
         {refused} told to try again, {duels} duels ended, 0 answers lost"
    );
    assert!(acknowledged as u64 > 3 * kills, "{acknowledged}");
}
