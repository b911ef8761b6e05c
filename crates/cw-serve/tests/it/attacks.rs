//! One seat misbehaves, the other one is served.
//!
//! `CARDWRIGHT_ATTACKS=400 cargo test --release -p cw-serve --test it attacks -- --nocapture` compares how
//! long the other seat waits with and without each attack, in one run; the ordinary test only looks that
//! it is answered every time.

use std::io::Write as _;
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::play::*;

/// Misbehaves until it is told to stop.
type Attack = fn(&Process, &AtomicBool);

/// The ways to misbehave.
const ATTACKS: [(&str, Attack); 4] = [
    ("32 streams and a page without end", streams),
    ("tables opened without end", tables),
    ("half-open requests", half_open),
    ("slow bodies", slow_bodies),
];

fn streams(served: &Process, stop: &AtomicBool) {
    let seat = &served.seats[1];
    let mut open: Vec<Client> = Vec::new();
    for _ in 0..32 {
        let Ok(mut client) = Client::connect(served.address, seat.clone()) else {
            continue;
        };
        let _ = client.send("GET", "events?number=0", 0, "");
        open.push(client);
    }
    while !stop.load(Ordering::Relaxed) {
        let Ok(mut client) = Client::connect(served.address, seat.clone()) else {
            continue;
        };
        while !stop.load(Ordering::Relaxed) && client.page().is_ok() {}
    }
}

fn tables(served: &Process, stop: &AtomicBool) {
    let seat = &served.seats[1];
    let Ok((_, page)) = Client::connect(served.address, seat.clone()).and_then(|mut one| one.page()) else {
        return;
    };
    let form = format!("n={}&k={}&act=stage-0", hidden(&page, "n"), hidden(&page, "k"));
    while !stop.load(Ordering::Relaxed) {
        if let Ok(mut client) = Client::connect(served.address, seat.clone()) {
            while !stop.load(Ordering::Relaxed) && client.ask("POST", "act", &form).is_ok() {}
        }
    }
}

fn half_open(served: &Process, stop: &AtomicBool) {
    let mut open = std::collections::VecDeque::new();
    while !stop.load(Ordering::Relaxed) {
        if let Ok(mut stream) = TcpStream::connect(served.address) {
            let _ = stream.write_all(b"GET / HTTP/1.1\r\nHost: ");
            open.push_back(stream);
        }
        if open.len() > 500 {
            open.pop_front();
        }
        std::thread::sleep(Duration::from_micros(500));
    }
}

fn slow_bodies(served: &Process, stop: &AtomicBool) {
    let seat = &served.seats[1];
    let mut open = Vec::new();
    while !stop.load(Ordering::Relaxed) {
        if let Ok(mut client) = Client::connect(served.address, seat.clone()) {
            let _ = client.send("POST", "answer", 4000, "n=1");
            open.push(client);
        }
        if open.len() > 300 {
            open.remove(0);
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// How long the honest seat waits for its page, and for an answer to a form that is late.
fn honest(served: &Process, samples: usize) -> Vec<Duration> {
    let mut waits = Vec::new();
    let mut client = Client::connect(served.address, served.seats[0].clone()).unwrap();
    for sample in 0..samples {
        // Who comes anew is served as well.
        if sample % 10 == 0 {
            client = Client::connect(served.address, served.seats[0].clone()).unwrap();
        }
        let begun = Instant::now();
        let (status, page) = client.page().unwrap();
        assert_eq!(status, 200, "{page}");
        let late = format!("n=0&k={}&o=0", hidden(&page, "k"));
        let (status, _) = client.ask("POST", "answer", &late).unwrap();
        assert_eq!(status, 409);
        waits.push(begun.elapsed());
        std::thread::sleep(Duration::from_millis(15));
    }
    waits.sort();
    waits
}

fn p99(waits: &[Duration]) -> Duration {
    waits[(waits.len() * 99).div_ceil(100) - 1]
}

#[test]
fn the_other_seat_is_served_while_one_misbehaves() {
    let samples = std::env::var("CARDWRIGHT_ATTACKS")
        .ok()
        .and_then(|count| count.parse().ok());
    let compared = samples.is_some();
    let samples: usize = samples.unwrap_or(20);
    for (name, attack) in ATTACKS {
        let folder = tempfile::tempdir().unwrap();
        let served = Arc::new(Process::serving(&folder.path().join("duels.db"), None));
        let calm = honest(&served, samples);
        let stop = Arc::new(AtomicBool::new(false));
        let attacker = std::thread::spawn({
            let (served, stop) = (Arc::clone(&served), Arc::clone(&stop));
            move || attack(&served, &stop)
        });
        std::thread::sleep(Duration::from_millis(if compared { 2000 } else { 200 }));
        let attacked = honest(&served, samples);
        stop.store(true, Ordering::Relaxed);
        attacker.join().unwrap();
        let [calm, attacked] = [calm, attacked].map(|waits| p99(&waits));
        let ratio = attacked.as_secs_f64() / calm.as_secs_f64();
        println!("{name}: p99 {calm:?} alone, {attacked:?} beside it: {ratio:.2}×");
        assert!(!compared || ratio <= 3.0, "{name}: {ratio:.2}× as long");
    }
}
