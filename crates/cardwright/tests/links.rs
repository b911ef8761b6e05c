//! `cardwright open`: what a link carries is told, opened at a table, or refused with the reason.
#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::Arc;

use cw_duel::{Duel, Game, PerSeat, Seat, Seed, Silent};
use cw_players::RandomPlayer;
use cw_wire::{
    DuelTimeline, GameLink, LinkContent, LinkedDeck, LinkedGame, SharedDeck, SharedDuel, SharedStart,
    TimelineAct,
};

const PROGRAM: &str = env!("CARGO_BIN_EXE_cardwright");

fn demo() -> cw_load::Loaded {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/saltmarsh");
    cw_load::load(cw_octgn::Folder::new(root)).unwrap()
}

fn link(game: &Game, what: LinkContent) -> String {
    let game = LinkedGame::of(game);
    GameLink { game, what }.write().unwrap()
}

/// A duel by chance, opened in its middle.
fn duel(loaded: &cw_load::Loaded, plays_on: bool) -> LinkContent {
    let game = loaded.game.as_ref().unwrap();
    let lists: Vec<_> = loaded.decks.iter().map(|deck| deck.cards.clone()).collect();
    let decks = PerSeat([lists[0].clone(), lists[1].clone()]);
    let mut timeline = DuelTimeline::new(Duel::new(Arc::clone(game), &decks, 7).unwrap());
    let mut random = RandomPlayer::new(7);
    while let Some(decision) = timeline.now().pending().cloned() {
        let act = TimelineAct::Chose(random.pick(&decision));
        timeline.take(act, false, &mut Silent).unwrap();
    }
    let start = SharedStart {
        seed: Seed::from(7),
        first: None,
        illegal_decks: false,
        twist: String::new(),
        decks: PerSeat::from_fn(|seat| LinkedDeck::of(&decks[seat], game, &lists)),
        names: PerSeat([0, 1].map(|at| loaded.decks[at].name.clone())),
        who: PerSeat(["person".to_owned(), "easy".to_owned()]),
    };
    LinkContent::Duel(Box::new(
        SharedDuel::of(start, &timeline, Seat::One, 12, plays_on).unwrap(),
    ))
}

fn open(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(PROGRAM)
        .arg("open")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

/// Opens a link at a table; the page to which the printed address leads.
fn page(arguments: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let mut child = Command::new(PROGRAM)
        .args(["open", "--no-open", "--port", "0", "--store"])
        .arg(folder.path().join("duels.db"))
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    // A program whose output nobody takes any more ends.
    let mut lines = BufReader::new(child.stdout.take().unwrap())
        .lines()
        .map_while(Result::ok);
    let link = lines.find_map(|line| line.strip_prefix("The table is at http://").map(str::to_owned));
    let (host, path) = link.as_deref().and_then(|link| link.split_once('/')).unwrap();
    let ask = |path: &str, cookie: &str| {
        let mut stream = TcpStream::connect(host).unwrap();
        let request =
            format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nCookie: {cookie}\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    };
    let led = ask(&format!("/{path}"), "");
    let field = |name: &str| {
        let mut lines = led.lines();
        lines
            .find_map(|line| line.strip_prefix(name))
            .unwrap_or_else(|| panic!("no {name} in {led}"))
    };
    let cookie = field("set-cookie: ").split(';').next().unwrap();
    let shown = ask(field("location: "), cookie);
    child.kill().unwrap();
    child.wait().unwrap();
    shown
}

/// A puzzle, a deck and a duel at a moment are opened at the table, from a bare link or a whole message.
#[test]
fn what_a_link_carries_is_opened_at_the_table() {
    let loaded = demo();
    let game = loaded.game.as_ref().unwrap();
    let watched = link(game, duel(&loaded, false));
    let shown = page(&[&format!("Look: https://example.org/x/#open={watched}")]);
    assert!(
        shown.contains("class=\"replay\"") && shown.contains("value=\"12\""),
        "{shown}"
    );
    let played = page(&[&link(game, duel(&loaded, true))]);
    assert!(
        played.contains("id=\"prompt\"") && !played.contains("class=\"replay\""),
        "{played}"
    );
    let deck = SharedDeck::of("From afar", &loaded.decks[2].cards, game);
    let shown = page(&[&link(game, LinkContent::Deck(deck))]);
    assert!(shown.contains("You play “From afar” against"), "{shown}");
    let (shelf, _) = cw_serve::shelf(&*loaded.project.files, game).unwrap();
    let puzzle = shelf.iter().find(|stage| stage.goal().is_some()).unwrap();
    let shown = page(&[&link(game, LinkContent::Stage(puzzle.name().to_owned()))]);
    assert!(shown.contains(puzzle.name()), "{shown}");
}

/// What a link carries is told without a table; a game in it is saved, and never over something else.
#[test]
fn what_a_link_carries_is_told_and_saved() {
    let loaded = demo();
    let game = loaded.game.as_ref().unwrap();
    let watched = link(game, duel(&loaded, false));
    let told = open(&["--show", "-"], &format!("Look:\ncardwright open {watched}\n"));
    let words = String::from_utf8_lossy(&told.stdout).into_owned();
    assert!(
        told.status.success() && words.starts_with("Saltmarsh: A duel: “"),
        "{words}"
    );
    assert!(words.trim_end().ends_with("shown from choice 12 on."), "{words}");

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sent.o8g");
    let name = path.to_str().unwrap();
    let package = link(game, LinkContent::Package(b"PK sent".to_vec()));
    let saved = open(&[&package, "--save", name], "");
    assert!(
        saved.status.success(),
        "{}",
        String::from_utf8_lossy(&saved.stderr)
    );
    assert_eq!(std::fs::read(&path).unwrap(), b"PK sent");
    let again = open(&[&package, "--save", name], "");
    assert_eq!(again.status.code(), Some(1));
    assert_eq!(std::fs::read(&path).unwrap(), b"PK sent");
}

/// A link for something else is refused before any table is laid.
#[test]
fn what_cannot_be_opened_is_refused_with_the_reason() {
    let loaded = demo();
    let game = loaded.game.as_ref().unwrap();
    let stage = |game: LinkedGame, name: &str| {
        GameLink {
            game,
            what: LinkContent::Stage(name.to_owned()),
        }
        .write()
        .unwrap()
    };
    let own = LinkedGame::of(game);
    let id = game.fingerprint.split(' ').next().unwrap();
    let older = GameLink {
        game: LinkedGame::named("Saltmarsh", &format!("{id} old")),
        what: duel(&loaded, false),
    };
    let ruled = GameLink {
        game: own.clone().with_rules("cardwright duel 1"),
        what: duel(&loaded, false),
    };
    let cases = [
        ("nonsense".to_owned(), "this is not a link of Cardwright's"),
        (
            stage(LinkedGame::named("Harbour", "0 1"), "x"),
            "the link is for “Harbour”, and this table has “Saltmarsh”",
        ),
        (stage(own, "Nothing"), "no lesson or puzzle “Nothing”"),
        (
            older.write().unwrap(),
            "was played with another version of “Saltmarsh”",
        ),
        (
            ruled.write().unwrap(),
            "was played by the rules “cardwright duel 1”, and this table plays by “cardwright duel ",
        ),
        (
            link(game, LinkContent::Package(b"PK".to_vec())),
            "the link carries no game",
        ),
    ];
    for (letters, words) in cases {
        let refused = open(&[&letters, "--no-open"], "");
        let said = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert_eq!(refused.status.code(), Some(1), "{said}");
        assert!(said.contains(words), "{words}: {said}");
    }
}
