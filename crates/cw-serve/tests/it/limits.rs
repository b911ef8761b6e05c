//! What a seat may use up: each limit by itself, without a clock to compare with.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::http::{StatusCode, header};
use cw_duel::{Game, GameChange};
use cw_faces::Catalogue;
use cw_players::Level;
use cw_serve::{
    DuelHost, DuelPackage, DuelStart, DuelStore, HostLimits, Memory, ScenarioStage, SeatPlayer, Serve as _,
    UnfitTable,
};
use http_body_util::BodyExt as _;

use crate::play::*;

const PUZZLE: &str = "[[scenario]]\nname = \"A position\"\ngoal = \"Win.\"\nme = { ring = [\"QuartzAa\"] }\n";

pub(crate) fn host_with_shelf(store: Arc<dyn DuelStore>, limits: HostLimits) -> DuelHost {
    let mut setting = setting(store, limits);
    let package = setting.package.get_mut();
    package.shelf = shelf_of(&package.game);
    DuelHost::new(setting)
}

fn shelf_of(game: &Arc<Game>) -> Vec<Arc<ScenarioStage>> {
    let text = PUZZLE.replace("QuartzAa", &name(0, 0));
    ScenarioStage::read(&text, game).unwrap()
}

/// A seat that opens tables without end has as many as it may: the oldest go, those in which nothing was
/// done for good. Its requests pay for them.
#[test]
fn a_seat_opens_so_many_tables() {
    run(async {
        let limits = HostLimits {
            opened: 3,
            ..HostLimits::default()
        };
        let host = host_with_shelf(Arc::new(Memory::new(cw_serve::fresh_secret())), limits);
        let seats = host.open(start(&game(), [SeatPlayer::Person; 2], 7)).unwrap();
        let one = Browser::join(&host, &seats[0].path).await;
        let two = Browser::join(&host, &seats[1].path).await;
        let form = one.form("stage-0").await;
        let mut opened = Vec::new();
        let refused = loop {
            let answer = one.post("act", &form).await;
            if answer.status() != StatusCode::SEE_OTHER {
                break answer.status();
            }
            let path = answer.headers()[header::LOCATION].to_str().unwrap().to_owned();
            // Something is done at the second one: it is kept.
            if opened.len() == 1 {
                let lesson = Browser::join(&host, &path).await;
                lesson.act("control").await;
            }
            opened.push(path);
            assert!(opened.len() < 200, "there is an end to tables");
        };
        assert_eq!(refused, StatusCode::TOO_MANY_REQUESTS);
        assert!(opened.len() > 5, "a few are fine: {}", opened.len());
        let mut there = Vec::new();
        for (at, path) in opened.iter().enumerate() {
            if send(&host.router(), get(path, "")).await.status() == StatusCode::SEE_OTHER {
                there.push(at);
            }
        }
        let last = opened.len();
        assert_eq!(there, [1, last - 3, last - 2, last - 1]);
        assert!(
            two.page().await.contains("id=\"prompt\""),
            "the other seat does not suffer"
        );
    });
}

/// A log does not grow by what is no answer; answers go on.
#[test]
fn a_log_has_room_for_so_many_remarks() {
    run(async {
        let store = Arc::new(Memory::new(cw_serve::fresh_secret()));
        let host = host_with(
            store.clone(),
            HostLimits {
                remarks: 10,
                ..HostLimits::default()
            },
        );
        let seats = host.open(start(&game(), [SeatPlayer::Person; 2], 7)).unwrap();
        let one = Browser::join(&host, &seats[0].path).await;
        let two = Browser::join(&host, &seats[1].path).await;
        let mut settled = 0;
        for act in ["control", "stop-main", "dismiss"].iter().cycle().take(100) {
            settled += usize::from(one.act(act).await.status() == StatusCode::SEE_OTHER);
        }
        assert_eq!(settled, 10);
        assert_eq!(
            two.act("control").await.status(),
            StatusCode::SEE_OTHER,
            "each seat has its own"
        );
        assert!(one.take(&one.page().await, 0).await, "answers go on");
        assert_eq!(
            one.act("control").await.status(),
            StatusCode::SEE_OTHER,
            "and make room"
        );
        let id = store.duels().unwrap().remove(0).unwrap().id;
        assert_eq!(store.log(&id, 0).unwrap().len(), 13);
    });
}

/// A card whose option takes too long to be tried out is named to whoever runs the host, once; where the
/// options of a question take too long together, the rest is offered untried.
#[test]
fn cards_that_take_too_long_are_named() {
    run(async {
        for (trials, trial) in [(1000, 0), (0, 1000)] {
            let notes = Arc::new(std::sync::Mutex::new(Vec::<String>::new()));
            let limits = HostLimits {
                trials: Duration::from_secs(trials),
                trial: Duration::from_secs(trial),
                ..HostLimits::default()
            };
            let mut setting = setting(Arc::new(Memory::new(cw_serve::fresh_secret())), limits);
            let told = Arc::clone(&notes);
            setting.note = Some(Box::new(move |words| told.lock().unwrap().push(words.to_owned())));
            let host = DuelHost::new(setting);
            let seats = host.open(start(&game(), [SeatPlayer::Person; 2], 7)).unwrap();
            let one = Browser::join(&host, &seats[0].path).await;
            let pages = [one.page().await, one.page().await];
            let notes = notes.lock().unwrap();
            for page in &pages {
                assert_eq!(page.contains("not tried out"), trials == 0);
                assert!(form(page, 0).is_some(), "it is offered all the same");
            }
            assert_eq!(notes.is_empty(), trials == 0, "{notes:?}");
            let mut once = notes.clone();
            once.dedup();
            assert_eq!(once, *notes);
            assert!(notes.iter().all(|words| words.contains("“Quartz")), "{notes:?}");
        }
    });
}

/// Tables that nobody looks at sleep in the store, and wake when somebody comes back. There are never
/// more awake than may be.
#[test]
fn tables_that_nobody_looks_at_sleep() {
    run(async {
        let host = host_with(
            Arc::new(Memory::new(cw_serve::fresh_secret())),
            HostLimits {
                tables: 4,
                unwatched: Duration::ZERO,
                ..HostLimits::default()
            },
        );
        let mut browsers = Vec::new();
        for seed in 0..10 {
            let seats = host.open(start(&game(), [SeatPlayer::Person; 2], seed)).unwrap();
            let one = Browser::join(&host, &seats[0].path).await;
            one.take(&one.page().await, 0).await;
            let page = one.page().await;
            browsers.push((one, page));
        }
        for (browser, page) in &browsers {
            assert_eq!(browser.page().await, *page, "as it was left");
        }
        host.sweep();
        for (browser, page) in &browsers {
            assert_eq!(browser.page().await, *page, "as it was left");
            assert!(browser.take(page, 0).await, "and it goes on");
        }
    });
}

/// A server; its address, and what two seats need to ask.
struct Served {
    address: SocketAddr,
    seats: Vec<(String, String)>,
}

fn serve(start: DuelStart, limits: HostLimits) -> Served {
    let host = host_with(Arc::new(Memory::new(cw_serve::fresh_secret())), limits);
    let seats = host.open(start).unwrap().iter().map(way).collect();
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || host.serve(Some(0), |address| sender.send(address).unwrap()));
    Served {
        address: receiver.recv().unwrap(),
        seats,
    }
}

impl Served {
    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream
    }

    fn head(&self, method: &str, path: &str, cookie: &str, more: &str) -> String {
        format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nCookie: {cookie}\r\n{more}",
            self.address
        )
    }
}

/// What comes until the connection is closed.
fn rest(mut stream: TcpStream) -> String {
    let mut all = Vec::new();
    // A connection that is reset is closed, too.
    let _ = stream.read_to_end(&mut all);
    String::from_utf8_lossy(&all).into_owned()
}

fn impatient() -> HostLimits {
    HostLimits {
        head: Duration::from_millis(100),
        idle: Duration::from_millis(300),
        body: Duration::from_millis(100),
        ..HostLimits::default()
    }
}

/// Nothing, half a head, half a body, and silence after an answer: each is closed by the server.
#[test]
fn slow_connections_are_closed() {
    let served = serve(start(&game(), [SeatPlayer::Person; 2], 7), impatient());
    let (path, cookie) = &served.seats[0];
    assert_eq!(rest(served.connect()), "", "nothing was asked");
    let mut half = served.connect();
    half.write_all(b"GET / HTTP/1.1\r\nHost: 127").unwrap();
    assert_eq!(rest(half), "", "half a head");
    let mut body = served.connect();
    let head = served.head(
        "POST",
        &format!("{path}answer"),
        cookie,
        "Content-Length: 100\r\n\r\nn=1",
    );
    body.write_all(head.as_bytes()).unwrap();
    let answer = rest(body);
    assert!(answer.starts_with("HTTP/1.1 408"), "{answer}");
    let mut silent = served.connect();
    let head = served.head("GET", path, cookie, "\r\n");
    silent.write_all(head.as_bytes()).unwrap();
    assert!(
        rest(silent).contains("id=\"prompt\""),
        "it is answered, then closed"
    );
    // A stream may be silent as long as it likes.
    let mut stream = served.connect();
    let head = served.head("GET", &format!("{path}events?number=0"), cookie, "\r\n");
    stream.write_all(head.as_bytes()).unwrap();
    stream
        .set_read_timeout(Some(Duration::from_millis(1500)))
        .unwrap();
    let begun = Instant::now();
    let mut closed = false;
    while begun.elapsed() < Duration::from_millis(1200) && !closed {
        let mut some = [0; 4096];
        closed = matches!(stream.read(&mut some), Ok(0));
    }
    assert!(!closed, "a stream goes on");
}

/// However many half-open requests there are, the next whole one is answered.
#[test]
fn half_open_requests_keep_nobody_out() {
    let served = serve(
        start(&game(), [SeatPlayer::Person; 2], 7),
        HostLimits {
            strangers: 8,
            ..HostLimits::default()
        },
    );
    let half: Vec<TcpStream> = (0..60)
        .map(|_| {
            let mut stream = served.connect();
            // The oldest are closed meanwhile.
            let _ = stream.write_all(b"GET / HTTP/1.1\r\n");
            stream
        })
        .collect();
    let (path, cookie) = &served.seats[0];
    let mut honest = served.connect();
    let head = served.head("GET", path, cookie, "Connection: close\r\n\r\n");
    honest.write_all(head.as_bytes()).unwrap();
    assert!(rest(honest).contains("id=\"prompt\""));
    drop(half);
}

/// One seat has so many connections; the other seat's do not suffer.
#[test]
fn a_seat_has_so_many_connections() {
    let served = serve(
        start(&game(), [SeatPlayer::Person; 2], 7),
        HostLimits {
            connections: 4,
            ..HostLimits::default()
        },
    );
    let ask = |seat: usize| {
        let (path, cookie) = &served.seats[seat];
        let mut stream = served.connect();
        let head = served.head("GET", &format!("{path}record.json"), cookie, "\r\n");
        stream.write_all(head.as_bytes()).unwrap();
        let mut some = [0; 256];
        let read = stream.read(&mut some).unwrap();
        (String::from_utf8_lossy(&some[..read]).into_owned(), stream)
    };
    let answers: Vec<_> = (0..8).map(|_| ask(0)).collect();
    let refused = answers
        .iter()
        .filter(|(answer, _)| answer.starts_with("HTTP/1.1 429"))
        .count();
    assert_eq!(refused, 4);
    assert!(ask(1).0.starts_with("HTTP/1.1 403"), "the other seat is answered");
}

/// The host sends beats between news, and a page that answers them is there.
#[test]
fn a_page_hears_beats_and_answers_them() {
    run(async {
        let (_, one, _) = two_people().await;
        let stream = send(&one.router, get(&format!("{}events", one.base), &one.cookie)).await;
        let mut body = stream.into_body();
        let heard = tokio::time::timeout(Duration::from_secs(20), async {
            loop {
                let frame = body.frame().await.unwrap().unwrap().into_data().unwrap();
                if String::from_utf8_lossy(&frame).contains("event: beat\ndata: .\n") {
                    return;
                }
            }
        });
        heard.await.expect("a beat comes");
        assert_eq!(one.post("here", "").await.status(), StatusCode::NO_CONTENT);
        let foreign = get(&format!("{}here", one.base), "");
        assert_ne!(send(&one.router, foreign).await.status(), StatusCode::NO_CONTENT);
    });
}

/// A table of whoever runs the host at which a duel is over, and a seat that opens one table at a time.
async fn host_with_finished_duel() -> (DuelHost, Browser) {
    let limits = HostLimits {
        opened: 1,
        ..HostLimits::default()
    };
    let host = host_with_shelf(Arc::new(Memory::new(cw_serve::fresh_secret())), limits);
    let computer = SeatPlayer::Computer(Level::Random);
    let seats = host
        .open(start(&game(), [SeatPlayer::Person, computer], 7))
        .unwrap();
    let one = Browser::join(&host, &seats[0].path).await;
    one.act("concede").await;
    (host, one)
}

/// Plays on from the beginning of a duel that is over, at a table of its own.
async fn play_on(host: &DuelHost, over: &Browser) -> Browser {
    let opened = over.act("from-0").await;
    assert_eq!(opened.status(), StatusCode::SEE_OTHER);
    let path = opened.headers()[header::LOCATION].to_str().unwrap().to_owned();
    let answer = send(&host.router(), get(&path, "")).await;
    let cookie = answer.headers()[header::SET_COOKIE].to_str().unwrap();
    Browser {
        router: host.router(),
        cookie: cookie.split(';').next().unwrap().to_owned(),
        base: answer.headers()[header::LOCATION].to_str().unwrap().to_owned(),
    }
}

/// A duel that is over when its table falls asleep is listed as such.
#[test]
fn a_finished_duel_that_sleeps_is_over() {
    run(async {
        let (host, one) = host_with_finished_duel().await;
        let first = play_on(&host, &one).await;
        first.act("concede").await;
        let lists = |host: &DuelHost| {
            let name = first.base.trim_start_matches("/s/").trim_end_matches('/');
            let mut listed = host.hall.listed().into_iter();
            listed.find(|one| one.seat.public() == name).map(|one| one.over)
        };
        assert_eq!(lists(&host), Some(true));
        let awake = host.awake();
        play_on(&host, &one).await;
        assert_eq!(host.awake(), awake, "one goes for the other");
        assert_eq!(lists(&host), Some(true));
    });
}

/// A table falls asleep at which the seats would play again and have not begun: the duel before is there
/// still, and so is the one that waits.
#[test]
fn a_rematch_that_waits_is_not_forgotten() {
    run(async {
        let (host, one) = host_with_finished_duel().await;
        let first = play_on(&host, &one).await;
        first.act("concede").await;
        assert_eq!(first.act("rematch").await.status(), StatusCode::SEE_OTHER);
        play_on(&host, &one).await;
        let back = send(&host.router(), get(&first.base, &first.cookie)).await;
        assert_eq!(back.status(), StatusCode::OK);
    });
}

/// The page of a seat once it is asked something: the computer does nothing meanwhile.
async fn page_that_asks(seat: &Browser) -> String {
    for _ in 0..600 {
        let page = seat.page().await;
        if form(&page, 0).is_some() {
            return page;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("the computer goes on")
}

/// The game as it is, and a version of it in which the first card is stronger.
fn changed_game() -> (DuelPackage, DuelPackage) {
    let (old, mut new) = (game(), Game::clone(&game()));
    new.models[0].bp += 100;
    new.fingerprint = "changed".to_owned();
    let new = Arc::new(new);
    let package = |game: &Arc<Game>| {
        let mut package = DuelPackage::new(Arc::clone(game), Arc::new(Catalogue::blank(game)));
        package.shelf = shelf_of(game);
        package
    };
    (package(&old), package(&new))
}

/// D108: a table that sleeps while the game is changed is not read by rules that it was not played by: it
/// waits for its own, and is not set aside.
#[test]
fn a_table_that_slept_while_the_game_was_changed_is_kept() {
    run(async {
        let store = Arc::new(Memory::new(cw_serve::fresh_secret()));
        let limits = HostLimits {
            unwatched: Duration::ZERO,
            ..HostLimits::default()
        };
        let host = host_with_shelf(store.clone(), limits);
        let seats = host.open(start(&game(), [SeatPlayer::Person; 2], 7)).unwrap();
        let one = Browser::join(&host, &seats[0].path).await;
        one.take(&one.page().await, 0).await;
        let page = one.page().await;
        host.sweep();
        assert_eq!(host.awake(), 0);
        let (old, new) = changed_game();
        host.hall.take_package(new);
        let refused = send(&host.router(), get(&one.base, &one.cookie)).await;
        assert_eq!(refused.status(), StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(store.duels().unwrap().len(), 1, "it is not set aside");
        host.hall.take_package(old);
        assert_eq!(one.page().await, page);
    });
}

/// D108: a table that goes on under another version of the game is held by memory alone, so it stays awake,
/// also where its seat opens more tables than it may.
#[test]
fn a_table_that_was_carried_over_stays_awake() {
    run(async {
        let (host, one) = host_with_finished_duel().await;
        let first = play_on(&host, &one).await;
        for step in 0..4 {
            let page = page_that_asks(&first).await;
            first.take(&page, step).await;
        }
        page_that_asks(&first).await;
        let (old, new) = changed_game();
        let change = GameChange::between(&old.game, &new.game);
        host.hall.renew(new, &change, UnfitTable::KeepsAll).unwrap();
        let carried = page_that_asks(&first).await;
        let awake = host.awake();
        assert_eq!(one.act("stage-0").await.status(), StatusCode::SEE_OTHER);
        assert_eq!(host.awake(), awake + 1);
        assert_eq!(first.page().await, carried);
    });
}
