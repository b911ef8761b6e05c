//! What the host's paths and files are called stays with the host.
#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Words that stand in paths and in names of files only.
const TELLING: [&str; 6] = [
    "quixotic",
    "zephyr",
    "hidden-lists",
    "kumquat",
    "tamarind",
    "sapodilla",
];

/// Ends the program with the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The demo game in a folder with a telling name, two of its decks under telling names, a store of such a
/// name.
fn house() -> tempfile::TempDir {
    let demo = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/saltmarsh");
    let folder = tempfile::Builder::new().prefix("quixotic-").tempdir().unwrap();
    let game = folder.path().join("zephyr-house");
    copy(&demo, &game);
    let lists = folder.path().join("hidden-lists");
    fs::create_dir(&lists).unwrap();
    fs::copy(
        demo.join("Decks/Harbour Lights.o8d"),
        lists.join("kumquat-one.o8d"),
    )
    .unwrap();
    fs::copy(
        demo.join("Decks/Night School.o8d"),
        lists.join("tamarind-two.o8d"),
    )
    .unwrap();
    folder
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        match entry.file_type().unwrap().is_dir() {
            true => copy(&entry.path(), &to),
            false => drop(fs::copy(entry.path(), to).unwrap()),
        }
    }
}

/// What is answered within two seconds: a stream of events never ends, and says that it lives more often than
/// that.
fn ask(host: &str, path: &str, cookie: &str) -> String {
    let mut stream = TcpStream::connect(host).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(2))).unwrap();
    let request =
        format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nCookie: {cookie}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).unwrap();
    let (mut answer, mut part) = (Vec::new(), [0; 1 << 16]);
    let until = Instant::now() + Duration::from_secs(2);
    while Instant::now() < until {
        match stream.read(&mut part) {
            Ok(length) if length > 0 => answer.extend_from_slice(&part[..length]),
            _ => break,
        }
    }
    String::from_utf8_lossy(&answer).into_owned()
}

fn header<'a>(answer: &'a str, name: &str) -> &'a str {
    let mut lines = answer.lines();
    lines.find_map(|line| line.strip_prefix(name)).unwrap_or_default()
}

/// Opens a table by the program, comes to all seats, and asks for all that a seat may ask for.
fn sent_to_seats(arguments: &[&str], seats: usize, below: &[&str]) {
    let house = house();
    let path = |of: &str| house.path().join(of).to_string_lossy().into_owned();
    let child = Command::new(env!("CARGO_BIN_EXE_cardwright"))
        .args(["play", "--no-open", "--port", "0"])
        .args(["--game", &path("zephyr-house"), "--store", &path("sapodilla.db")])
        .args(arguments)
        .current_dir(house.path().join("hidden-lists"))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut running = Running(child);
    let lines = BufReader::new(running.0.stdout.take().unwrap()).lines();
    let mut links: Vec<String> = Vec::new();
    for line in lines.map_while(Result::ok) {
        if line.starts_with("Press Ctrl+C") {
            break;
        }
        let link = line
            .split("http://")
            .nth(1)
            .and_then(|link| link.split(' ').next());
        links.extend(link.map(str::to_owned));
    }
    let mut come = 0;
    for link in links {
        let (host, path) = link.split_once('/').unwrap();
        let led = ask(host, &format!("/{path}"), "");
        let cookie = header(&led, "set-cookie: ").split(';').next().unwrap();
        let base = header(&led, "location: ");
        let mut sent = led.clone();
        if !base.is_empty() {
            come += 1;
            for below in below {
                let path = match below.starts_with('/') {
                    true => (*below).to_owned(),
                    false => format!("{base}{below}"),
                };
                sent += &ask(host, &path, cookie);
            }
        }
        assert!(sent.len() > 500, "{link} says something");
        for word in TELLING {
            let place = sent.to_lowercase().find(word);
            let around = place.map(|at| {
                sent[at.saturating_sub(80)..]
                    .chars()
                    .take(160)
                    .collect::<String>()
            });
            assert_eq!(around, None, "{word} is sent to {link}");
        }
    }
    assert!(come >= seats, "{come} seats were come to");
}

/// No byte that a seat of a duel is sent names the host's folders, decks or store.
#[test]
fn no_seat_of_a_duel_reads_a_path() {
    let decks = ["--deck1", "kumquat-one.o8d", "--deck2", "tamarind-two.o8d"];
    let arguments = [&decks[..], &["--seat2", "human"]].concat();
    let below = [
        "",
        "events?number=0",
        "record.json",
        "shelf",
        "share",
        "moment/0",
        "/assets/table.js",
    ];
    sent_to_seats(&arguments, 2, &below);
}

/// Nor at the free table, to its seats and to those who watch.
#[test]
fn no_seat_of_a_free_table_reads_a_path() {
    let decks = ["--deck", "kumquat-one.o8d", "--deck", "tamarind-two.o8d"];
    let arguments = [&["--free", "--seats", "2"], &decks[..]].concat();
    let below = [
        "",
        "events",
        "record",
        "links",
        "lists",
        "find?q=a",
        "/free/kit.json",
    ];
    sent_to_seats(&arguments, 3, &below);
}
