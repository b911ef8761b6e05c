//! The free table without a browser: what each seat is sent, what is kept, who may ask for what.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use cw_faces::Catalogue;
use cw_octgn::{Deck, MemoryFiles, Package};
use cw_serve::{
    DuelEntry, DuelStanding, DuelStore, FreeHost, FreeInvitation, FreeSetting, HostLimits, KeptDuel, Memory,
    Secret, Serve as _, StoreError, TableRecord,
};
use cw_table::{Kit, OF_HOST, TableSettings, VERBS};
use http_body_util::BodyExt as _;
use serde_json::{Value, json};

use crate::opened::opened;
use crate::play::{get, post, run, send, text};

const GAME: &str = "7a0a0c9e-0b52-4bd4-9e6f-1a2b3c4d5e6f";

fn definition() -> String {
    format!(
        r#"<game name="Orchard" id="{GAME}" version="1.0.0.0"><card width="63" height="88"/>
        <markers><marker id="worm" name="Worm" src="w.png"/></markers>
        <phases><phase name="Dawn" icon=""/><phase name="Noon" icon=""/></phases>
        <table width="1000" height="800"><cardaction menu="Sing" execute="nothing"/></table>
        <player><counter name="Luck" default="3"/><group name="Hand" visibility="me"/>
        <group name="Deck" visibility="none"/><group name="Basket" visibility="all"/></player>
        <deck><section name="Main" group="Deck"/></deck></game>"#
    )
}

/// Cards of the first deck are called Quartz…, those of the second Velvet….
fn name(of: usize, number: usize) -> String {
    let last = char::from(b'a' + u8::try_from(number).unwrap());
    format!("{}{last}x", ["Quartz", "Velvet"][of])
}

fn files() -> MemoryFiles {
    let cards: String = (0..40)
        .map(|at| {
            format!(
                r#"<card id="00000000-0000-0000-0001-{at:012}" name="{}"/>"#,
                name(at / 20, at % 20)
            )
        })
        .collect();
    let set = format!(
        r#"<set name="First" id="00000000-0000-0000-0002-000000000001" gameId="{GAME}" gameVersion="1.0.0.0"
        version="1.0.0.0"><cards>{cards}</cards></set>"#
    );
    let mut files = MemoryFiles::new()
        .with("definition.xml", definition())
        .with("Sets/00000000-0000-0000-0002-000000000001/set.xml", set);
    for of in 0..2 {
        let lines: String = (0..20)
            .map(|at| {
                format!(
                    r#"<card qty="1" id="00000000-0000-0000-0001-{:012}">{}</card>"#,
                    of * 20 + at,
                    name(of, at)
                )
            })
            .collect();
        let deck = format!(r#"<deck game="{GAME}"><section name="Main">{lines}</section></deck>"#);
        files = files.with(format!("Decks/{of}.o8d"), deck);
    }
    files
}

fn host(store: Arc<dyn DuelStore>) -> FreeHost {
    host_with(store, HostLimits::default())
}

fn host_with(store: Arc<dyn DuelStore>, limits: HostLimits) -> FreeHost {
    let package = Arc::new(Package::read(&files()).unwrap());
    host_of(store, limits, Arc::new(Kit::of(package)))
}

/// A host of free tables for another package.
fn host_of(store: Arc<dyn DuelStore>, limits: HostLimits, kit: Arc<Kit>) -> FreeHost {
    let decks: Vec<Deck> = kit.package.decks.clone();
    let game = crate::play::game();
    FreeHost::new(FreeSetting {
        one_device: false,
        chance: cw_serve::fresh_secret,
        kit,
        catalogue: Arc::new(Catalogue::blank(&game)),
        aliases: cw_octgn::Aliases::new(),
        game: None,
        files: None,
        pictures: None,
        decks,
        store,
        limits,
        reach: None,
        record: None,
    })
}

/// A page without a browser: it takes what it is sent.
struct Page {
    router: Router,
    base: String,
    cookie: String,
    stamp: String,
    stream: Body,
    /// Every byte that came over the stream.
    sent: String,
}

impl Page {
    async fn open(host: &FreeHost, path: &str) -> Page {
        let router = host.router();
        let answer = send(&router, get(path, "")).await;
        assert_eq!(answer.status(), StatusCode::SEE_OTHER, "{path}");
        let field = |name| answer.headers()[name].to_str().unwrap().to_owned();
        let cookie = field(header::SET_COOKIE);
        assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"));
        let cookie = cookie.split(';').next().unwrap().to_owned();
        let base = field(header::LOCATION);
        let page = text(send(&router, get(&base, &cookie)).await).await;
        let stamp = page
            .split("data-stamp=\"")
            .nth(1)
            .unwrap()
            .split('"')
            .next()
            .unwrap()
            .to_owned();
        let stream = send(&router, get(&format!("{base}events"), &cookie))
            .await
            .into_body();
        Page {
            router,
            base,
            cookie,
            stamp,
            stream,
            sent: String::new(),
        }
    }

    fn request(&self, path: &str, body: &Value) -> Request<Body> {
        Request::post(format!("{}{path}", self.base))
            .header(header::HOST, "127.0.0.1:7313")
            .header(header::ORIGIN, "http://127.0.0.1:7313")
            .header(header::COOKIE, &self.cookie)
            .body(Body::from(body.to_string()))
            .unwrap()
    }

    async fn ask(&self, what: Value) -> (StatusCode, Value) {
        let mut body = json!({ "k": self.stamp });
        body.as_object_mut()
            .unwrap()
            .extend(what.as_object().unwrap().clone());
        let answer = send(&self.router, self.request("do", &body)).await;
        let status = answer.status();
        (status, serde_json::from_str(&text(answer).await).unwrap())
    }

    async fn does(&self, line: &str) {
        let (status, answer) = self.ask(json!({ "lines": [line] })).await;
        assert_eq!(status, StatusCode::OK, "{line}: {answer}");
    }

    async fn fails(&self, line: &str) -> String {
        let (status, answer) = self.ask(json!({ "lines": [line] })).await;
        assert_ne!(status, StatusCode::OK, "{line}");
        answer["no"].as_str().unwrap().to_owned()
    }

    /// Takes what waits; returns only the new.
    async fn take(&mut self) -> String {
        let mut fresh = String::new();
        while let Ok(Some(Ok(frame))) =
            tokio::time::timeout(Duration::from_millis(60), self.stream.frame()).await
        {
            if let Ok(data) = frame.into_data() {
                fresh.push_str(std::str::from_utf8(&data).unwrap());
            }
        }
        self.sent.push_str(&fresh);
        fresh
    }

    /// Where the counter stands that was sent last.
    fn luck(&self) -> i64 {
        let after = self.sent.rsplit("[\"Luck\",").next().expect("it was sent");
        after.split(']').next().unwrap().parse().unwrap()
    }

    /// The handle of a card that stands in what was sent, by its name.
    fn handle(&self, name: &str) -> u64 {
        let before = self
            .sent
            .rsplit(&format!("\"name\":\"{name}\""))
            .nth(1)
            .expect("it was sent");
        let at = before.rfind("\"h\":").expect("a card begins with its handle");
        before[at + 4..]
            .split([',', '}'])
            .next()
            .unwrap()
            .parse()
            .unwrap()
    }
}

async fn two(store: Arc<dyn DuelStore>) -> (FreeHost, Vec<FreeInvitation>, Page, Page) {
    let host = host(store);
    let seats = host
        .open(TableSettings::for_people(&["Ann", "Ben"]), 7.into())
        .unwrap();
    let ann = Page::open(&host, &seats[0].path).await;
    let ben = Page::open(&host, &seats[1].path).await;
    (host, seats, ann, ben)
}

/// Names of a deck that stand in a text.
fn named(text: &str, of: usize) -> Vec<String> {
    (0..20)
        .map(|at| name(of, at))
        .filter(|name| text.contains(name.as_str()))
        .collect()
}

/// F150, F152, F155, F159: no byte that a seat, or who watches, is sent names a card that it may not know.
#[test]
fn nothing_hidden_is_sent() {
    run(async {
        let (host, seats, mut ann, mut ben) = two(Arc::new(Memory::new(cw_serve::fresh_secret()))).await;
        let mut watching = Page::open(&host, &seats[2].path).await;
        assert_eq!(ann.ask(json!({ "deck": 0 })).await.0, StatusCode::OK);
        assert_eq!(ben.ask(json!({ "deck": 1 })).await.0, StatusCode::OK);
        ann.does("hand 5").await;
        ben.does("hand 5").await;
        ann.take().await;
        let own = named(&ann.sent, 0);
        assert_eq!(own.len(), 5, "whoever draws them sees them");
        let played = own[0].clone();
        let handle = ann.handle(&played);
        ann.does(&format!("place Hand:{handle} 0,100 down")).await;
        ann.does("mulligan 4").await;
        ann.does("movetop Deck 1 to table down").await;
        ann.does("look Deck top 2").await;
        ann.does("close Deck shuffle").await;
        ann.does("say my hand is good").await;
        ben.take().await;
        watching.take().await;
        assert!(
            ben.sent.contains("my hand is good"),
            "the other seat is told what happens"
        );
        assert_eq!(named(&ben.sent, 0), Vec::<String>::new());
        assert_eq!(named(&watching.sent, 0), Vec::<String>::new());
        assert_eq!(named(&watching.sent, 1), Vec::<String>::new());
        // What is turned up is named to all, and nothing else is.
        ann.take().await;
        let lying = ann.handle(&played);
        ann.does(&format!("turn table:{lying} up")).await;
        ben.take().await;
        watching.take().await;
        let turned = vec![played];
        assert_eq!(named(&ben.sent, 0), turned);
        assert_eq!(named(&watching.sent, 0), turned);
        ann.take().await;
        assert_eq!(named(&ann.sent, 1), Vec::<String>::new());
    });
}

/// F40, F161, F223: what was answered is there again after the program has ended, by the same links.
#[test]
fn what_was_answered_is_kept() {
    run(async {
        let store: Arc<dyn DuelStore> = Arc::new(Memory::new(cw_serve::fresh_secret()));
        let (first, seats, mut ann, _ben) = two(Arc::clone(&store)).await;
        assert_eq!(ann.ask(json!({ "deck": 0 })).await.0, StatusCode::OK);
        ann.does("hand 3").await;
        ann.does("counter Luck +4").await;
        ann.take().await;
        drop(first);
        let second = host(store);
        let again = second.resume().unwrap();
        assert_eq!(again, std::slice::from_ref(&seats));
        let mut back = Page::open(&second, &seats[0].path).await;
        back.take().await;
        assert_eq!(named(&back.sent, 0), named(&ann.sent, 0), "the same hand");
        assert!(back.sent.contains(r#"["Luck",7]"#));
        assert!(
            back.sent.contains("changes Luck from 3 to 7"),
            "the log is there again"
        );
        // A table on which nothing was done is forgotten.
        second.open(TableSettings::for_seats(2), 1.into()).unwrap();
        assert_eq!(
            host(Arc::new(Memory::new(cw_serve::fresh_secret())))
                .resume()
                .unwrap(),
            Vec::<Vec<FreeInvitation>>::new()
        );
    });
}

/// A store that fails when it is told to.
struct Full {
    store: Memory,
    fails: AtomicBool,
}

impl DuelStore for Full {
    fn key(&self) -> Secret {
        self.store.key()
    }
    fn begin(&self, duel: &TableRecord, entries: &[DuelEntry]) -> Result<(), StoreError> {
        self.store.begin(duel, entries)
    }
    fn append(&self, duel: &str, entries: &[DuelEntry]) -> Result<(), StoreError> {
        match self.fails.load(Ordering::Relaxed) {
            true => Err(StoreError::Failed("the disk is full".to_owned())),
            false => self.store.append(duel, entries),
        }
    }
    fn log(&self, duel: &str, from: u64) -> Result<Vec<DuelEntry>, StoreError> {
        self.store.log(duel, from)
    }
    fn mark(&self, duel: &str, standing: DuelStanding) -> Result<(), StoreError> {
        self.store.mark(duel, standing)
    }
    fn forget(&self, duel: &str) -> Result<(), StoreError> {
        self.store.forget(duel)
    }
    fn duels(&self) -> Result<Vec<KeptDuel>, StoreError> {
        self.store.duels()
    }
}

/// What cannot be written down does not happen: nobody is shown anything, and it works again later.
#[test]
fn what_cannot_be_kept_does_not_happen() {
    run(async {
        let full = Arc::new(Full {
            store: Memory::new(cw_serve::fresh_secret()),
            fails: AtomicBool::new(false),
        });
        let (_host, _seats, mut ann, mut ben) = two(Arc::clone(&full) as Arc<dyn DuelStore>).await;
        ann.take().await;
        ben.take().await;
        full.fails.store(true, Ordering::Relaxed);
        assert!(ann.fails("roll 1d6").await.contains("nothing has changed"));
        assert_eq!(ben.take().await, "");
        full.fails.store(false, Ordering::Relaxed);
        ann.does("roll 1d6").await;
        assert!(ben.take().await.contains("rolls 1d6"));
    });
}

/// F173, F201: a seat is only for who shows its secret, asks from its own page and asks for what is possible.
#[test]
fn others_are_refused() {
    run(async {
        let (host, seats, ann, ben) = two(Arc::new(Memory::new(cw_serve::fresh_secret()))).await;
        let router = host.router();
        let foreign = send(&router, get(&ann.base, &ben.cookie)).await;
        assert_eq!(foreign.status(), StatusCode::FORBIDDEN);
        let stamped = json!({ "k": ben.stamp, "lines": ["roll 1d6"] });
        assert_eq!(
            send(&router, ann.request("do", &stamped)).await.status(),
            StatusCode::CONFLICT
        );
        let mut elsewhere = ann.request("do", &json!({ "k": ann.stamp, "lines": ["roll 1d6"] }));
        elsewhere
            .headers_mut()
            .insert(header::ORIGIN, "http://127.0.0.1:9".parse().unwrap());
        assert_eq!(send(&router, elsewhere).await.status(), StatusCode::FORBIDDEN);
        let large = json!({ "k": ann.stamp, "lines": ["x".repeat(20_000)] });
        assert_eq!(
            send(&router, ann.request("do", &large)).await.status(),
            StatusCode::PAYLOAD_TOO_LARGE
        );
        let watching = Page::open(&host, &seats[2].path).await;
        assert!(watching.fails("roll 1d6").await.contains("only watch"));
        assert!(
            ann.fails("away 2").await.contains("no such seat"),
            "that is the host's to say"
        );
        assert!(ann.fails("rol 1d6").await.contains("roll"));
        // Who has no link is told so.
        let bare = send(&router, get("/", "")).await;
        assert_eq!(bare.status(), StatusCode::OK);
        // A seat that is too fast must wait, and nobody else.
        let mut refused = String::new();
        for _ in 0..200 {
            let (status, answer) = ann.ask(json!({ "lines": ["say quick"] })).await;
            if status == StatusCode::TOO_MANY_REQUESTS {
                refused = answer["no"].to_string();
                break;
            }
        }
        assert!(refused.contains("slow down"));
        ben.does("roll 1d6").await;
    });
}

/// F152: what somebody does with a card of the hand is not told; cards of the table are, by the reader's
/// numbers.
#[test]
fn signals_name_only_cards_of_the_table() {
    run(async {
        let (_host, _seats, mut ann, mut ben) = two(Arc::new(Memory::new(cw_serve::fresh_secret()))).await;
        assert_eq!(ann.ask(json!({ "deck": 0 })).await.0, StatusCode::OK);
        ann.does("hand 2").await;
        ann.does("movetop Deck 1 to table down").await;
        ann.take().await;
        ben.take().await;
        let hand = ann.handle(&named(&ann.sent, 0)[0]);
        let signal = json!({ "at": [1, 2], "cards": [hand] });
        send(&ann.router, ann.request("signal", &signal)).await;
        let told = ben.take().await;
        assert!(
            told.contains(r#""at":[1,2]"#) && told.contains(r#""cards":[]"#),
            "{told}"
        );
        assert_eq!(ann.take().await, "", "nobody is told of oneself");
        let on_table = ann
            .sent
            .rsplit(r#""table":["#)
            .next()
            .unwrap()
            .split(']')
            .next()
            .unwrap()
            .to_owned();
        let seen = ben
            .sent
            .rsplit(r#""table":["#)
            .next()
            .unwrap()
            .split(']')
            .next()
            .unwrap()
            .to_owned();
        let signal = json!({ "at": null, "cards": [on_table.parse::<u64>().unwrap()], "shift": [5, 5] });
        send(&ann.router, ann.request("signal", &signal)).await;
        let told = ben.take().await;
        assert!(told.contains(&format!(r#""cards":[{seen}]"#)), "{told}");
    });
}

/// F173: a link that a seat passes on leads to another seat once, and never to one that somebody has taken.
#[test]
fn an_invitation_works_once() {
    run(async {
        let host = host(Arc::new(Memory::new(cw_serve::fresh_secret())));
        let seats = host
            .open(TableSettings::for_people(&["Ann", "Ben"]), 7.into())
            .unwrap();
        let ann = Page::open(&host, &seats[0].path).await;
        let links = text(send(&ann.router, get(&format!("{}links", ann.base), &ann.cookie)).await).await;
        let links: Vec<Value> = serde_json::from_str(&links).unwrap();
        assert_eq!(links.len(), 2, "Ben's seat, and to watch");
        let way = links[0]["path"].as_str().unwrap();
        // Whoever asks again gets the same one: two people cannot sit down by two of them, and none pile up.
        for _ in 0..50 {
            let again = text(send(&ann.router, get(&format!("{}links", ann.base), &ann.cookie)).await).await;
            let again: Vec<Value> = serde_json::from_str(&again).unwrap();
            assert_eq!(again[0]["path"], links[0]["path"]);
        }
        let ben = Page::open(&host, way).await;
        let again = send(&host.router(), get(way, "")).await;
        assert_eq!(again.status(), StatusCode::GONE);
        ben.does("roll 1d6").await;
        let links = text(send(&ann.router, get(&format!("{}links", ann.base), &ann.cookie)).await).await;
        assert!(!links.contains("\"Ben\""), "{links}");
    });
}

/// Links that a seat asks for again and again are the same ones, and asking so often is refused.
#[test]
fn so_many_links_are_asked_for() {
    run(async {
        let host = host(Arc::new(Memory::new(cw_serve::fresh_secret())));
        let seats = host
            .open(TableSettings::for_people(&["Ann", "Ben"]), 7.into())
            .unwrap();
        let ann = Page::open(&host, &seats[0].path).await;
        let links = format!("{}links", ann.base);
        let (mut refused, mut ways) = (0, std::collections::BTreeSet::new());
        for _ in 0..15_000 {
            let answer = send(&ann.router, get(&links, &ann.cookie)).await;
            match answer.status() {
                StatusCode::TOO_MANY_REQUESTS => refused += 1,
                _ => {
                    let links: Vec<Value> = serde_json::from_str(&text(answer).await).unwrap();
                    ways.extend(links.iter().map(|link| link["path"].as_str().unwrap().to_owned()));
                }
            }
        }
        assert!(refused > 0, "asking has its limit");
        assert_eq!(ways.len(), 2, "Ben's seat, and to watch");
    });
}

/// An invitation leads nowhere once somebody has come to the seat by another way.
#[test]
fn an_invitation_leads_to_no_seat_that_is_taken() {
    run(async {
        let host = host(Arc::new(Memory::new(cw_serve::fresh_secret())));
        let seats = host
            .open(TableSettings::for_people(&["Ann", "Ben"]), 7.into())
            .unwrap();
        let ann = Page::open(&host, &seats[0].path).await;
        let links = text(send(&ann.router, get(&format!("{}links", ann.base), &ann.cookie)).await).await;
        let links: Vec<Value> = serde_json::from_str(&links).unwrap();
        let ben = Page::open(&host, &seats[1].path).await;
        ben.does("roll 1d6").await;
        let late = send(&host.router(), get(links[0]["path"].as_str().unwrap(), "")).await;
        assert_eq!(late.status(), StatusCode::GONE);
        assert!(late.headers().get(header::SET_COOKIE).is_none());
    });
}

/// However many tables there are, none on which something was done is deleted, and none is refused because
/// nobody sits at the others.
#[test]
fn no_table_that_holds_a_step_is_lost() {
    run(async {
        let store = Arc::new(Memory::new(cw_serve::fresh_secret()));
        let first = host(Arc::clone(&store) as Arc<dyn DuelStore>);
        let mut all = Vec::new();
        for number in 0..70u64 {
            let seats = first.open(TableSettings::for_seats(1), number.into()).unwrap();
            let deck = Package::read(&files()).unwrap().decks[0].clone();
            first.load_deck(&seats[0], &deck).unwrap();
            all.push(seats);
        }
        drop(first);
        let second = host(Arc::clone(&store) as Arc<dyn DuelStore>);
        let told = second.resume().unwrap();
        assert_eq!(told.len(), 64, "the newest are told");
        assert_eq!(store.duels().unwrap().len(), 70, "and all are there");
        for seats in &all {
            let page = Page::open(&second, &seats[0].path).await;
            assert!(page.base.starts_with("/f/"));
        }
    });
}

/// Nobody looks at a table: only the store holds it, until somebody comes back by the same link to the same
/// view.
#[test]
fn tables_sleep_and_wake() {
    run(async {
        let limits = HostLimits {
            unwatched: Duration::ZERO,
            ..HostLimits::default()
        };
        let host = host_with(Arc::new(Memory::new(cw_serve::fresh_secret())), limits);
        let seats = host
            .open(TableSettings::for_people(&["Ann", "Ben"]), 7.into())
            .unwrap();
        let mut ann = Page::open(&host, &seats[0].path).await;
        ann.ask(json!({ "deck": 0 })).await;
        ann.does("hand 3").await;
        ann.take().await;
        host.sweep();
        assert_eq!(host.awake(), 1, "somebody looks at it");
        let hand = named(&ann.sent, 0);
        drop(ann);
        for _ in 0..200 {
            host.sweep();
            if host.awake() == 0 {
                break;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        assert_eq!(host.awake(), 0, "nobody does");
        let mut back = Page::open(&host, &seats[0].path).await;
        back.take().await;
        assert_eq!(named(&back.sent, 0), hand);
        back.does("counter Luck +1").await;
    });
}

/// A table of so many steps of one person, as it is written down.
fn long_table(steps: usize) -> cw_table::FreeTable {
    let kit = Arc::new(Kit::of(Arc::new(Package::read(&files()).unwrap())));
    let deck = Package::read(&files()).unwrap().decks[0].clone();
    let (list, _) = cw_table::DeckList::of(&kit, &deck);
    let mut table = cw_table::FreeTable::new(kit, TableSettings::for_seats(1), 7.into());
    let seat = cw_table::TableSeat(0);
    table
        .act(seat, cw_table::TableVerb::Load { deck: Arc::new(list) })
        .unwrap();
    let lines = [
        "draw 1",
        "counter Luck +1",
        "roll 1d6",
        "shuffle Deck",
        "say on",
        "counter Luck -1",
    ];
    for step in 1..steps {
        let verb = table.parse(seat, lines[step % lines.len()]).unwrap();
        table.act(seat, verb).unwrap();
    }
    table
}

/// Puts all tables to sleep.
async fn sleep(host: &FreeHost) {
    for _ in 0..200 {
        host.sweep();
        if host.awake() == 0 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("somebody looks at a table");
}

/// However long a table was played, waking it plays only the last steps; one from a store that kept nothing
/// but its log is played once. What goes back further than that is played then, and the log that follows is
/// the same.
#[test]
fn waking_plays_only_the_last_steps() {
    run(async {
        let limits = HostLimits {
            unwatched: Duration::ZERO,
            ..HostLimits::default()
        };
        let store = Arc::new(Memory::new(cw_serve::fresh_secret()));
        let host = host_with(Arc::clone(&store) as Arc<dyn DuelStore>, limits);
        let seats = host.take_over(long_table(1_500), Vec::new()).unwrap();
        sleep(&host).await;
        let wake = async || {
            let mut page = Page::open(&host, &seats[0].path).await;
            let seen = page.take().await;
            drop(page);
            // Woken, it has another name for numbers of requests; all else is the same.
            let (before, after) = seen.split_once("\"born\":\"").expect("it is sent");
            let seen = format!("{before}{}", &after[16..]);
            let awake = host.replayed();
            sleep(&host).await;
            (seen, awake)
        };
        let (seen, first) = wake().await;
        assert_eq!(first, 1_500, "nothing was kept of it yet");
        for times in 1..4 {
            let (again, played) = wake().await;
            assert_eq!(again, seen);
            let each = (played - first) / times;
            assert!((256..768).contains(&each), "{each} steps each");
        }
        // Undo of what lies far back: all is played once more, and then it is as if nobody had slept.
        let before = host.replayed();
        let page = Page::open(&host, &seats[0].path).await;
        page.does("propose 40").await;
        assert!(host.replayed() - before >= 1_500);
        page.does("counter Luck +1").await;
        drop(page);
        sleep(&host).await;
        let before = host.replayed();
        let page = Page::open(&host, &seats[0].path).await;
        page.does("counter Luck +1").await;
        assert!(
            host.replayed() - before <= 1,
            "what lies behind a long way back was kept"
        );
        drop(page);
        // Damage of what was kept costs time and nothing else.
        sleep(&host).await;
        let record = store.duels().unwrap().remove(0).unwrap();
        for (number, state) in store.states(&record.id).unwrap() {
            store
                .keep_state(&record.id, number, &state.replace('1', "2"), 0)
                .unwrap();
        }
        let before = host.replayed();
        let page = Page::open(&host, &seats[0].path).await;
        page.does("counter Luck +1").await;
        assert!(host.replayed() - before > 1_500);
    });
}

/// Many tables of many steps in one store: it starts at once, none is lost, and nobody waits for another
/// table's waking. `FREE_STORE=1` has 200 tables of 20,000 steps and looks at the clock; without it a few are
/// counted.
#[test]
fn many_long_tables_in_one_store() {
    let campaign = std::env::var_os("FREE_STORE").is_some();
    let (tables, steps) = if campaign { (200, 20_000) } else { (5, 1_200) };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("duels.db");
    let open = async || Arc::new(opened(&path).await);
    let first = host(run(open()));
    let table = long_table(steps);
    let mut all = Vec::new();
    for _ in 0..tables {
        all.push(first.take_over(table.clone(), Vec::new()).unwrap());
    }
    run(async {
        // Something is done at each, as always before a table sleeps.
        for seats in &all {
            let page = Page::open(&first, &seats[0].path).await;
            page.does("counter Luck +1").await;
        }
    });
    drop((first, table));
    run(async {
        let begun = std::time::Instant::now();
        let second = host(open().await);
        second.resume().unwrap();
        let started = begun.elapsed();
        let (mut longest, mut held_up) = (Duration::ZERO, Duration::ZERO);
        let mut last = Page::open(&second, &all[0][0].path).await;
        // All tables are alike; where this counter stands tells whether the last step is there.
        last.take().await;
        let luck = last.luck();
        let waking = second.clone();
        let paths: Vec<String> = all[1..].iter().map(|seats| seats[0].path.clone()).collect();
        let woken = tokio::task::spawn_blocking(move || {
            let mut longest = Duration::ZERO;
            run(async {
                for path in paths {
                    let begun = std::time::Instant::now();
                    let mut page = Page::open(&waking, &path).await;
                    longest = longest.max(begun.elapsed());
                    page.take().await;
                    assert_eq!(page.luck(), luck, "{path}: a step is lost");
                    page.does("counter Luck +1").await;
                }
            });
            longest
        });
        while !woken.is_finished() {
            let begun = std::time::Instant::now();
            last.ask(json!({ "chat": { "line": "still here", "selected": "" } }))
                .await;
            held_up = held_up.max(begun.elapsed());
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        longest = longest.max(woken.await.unwrap());
        assert!(second.replayed() <= tables * 768, "{} steps", second.replayed());
        // Those that found no memory sleep again; each of them was there.
        assert!(campaign || second.awake() == tables, "{} awake", second.awake());
        println!(
            "{tables} tables of {steps} steps: start {started:?}, waking {longest:?}, answers {held_up:?}"
        );
        if campaign {
            assert!(started <= Duration::from_secs(2), "{started:?}");
            assert!(longest <= Duration::from_millis(200), "{longest:?}");
            assert!(held_up <= Duration::from_millis(100), "{held_up:?}");
        }
    });
}

/// The limit is one of memory: tables that nobody looks at make room; where all are in use, that is said.
#[test]
fn tables_make_room_for_each_other() {
    run(async {
        let kit = Arc::new(Kit::of(Arc::new(Package::read(&files()).unwrap())));
        let weight = cw_table::FreeTable::new(kit, TableSettings::for_seats(1), 1.into()).weight();
        let limits = HostLimits {
            memory: weight * 5 / 2,
            ..HostLimits::default()
        };
        let host = host_with(Arc::new(Memory::new(cw_serve::fresh_secret())), limits);
        let open = |seed: u64| host.open(TableSettings::for_seats(1), seed.into());
        let mut pages = Vec::new();
        for seed in 0..6 {
            let seats = open(seed).unwrap();
            assert!(host.awake() <= 2);
            if seed >= 4 {
                let mut page = Page::open(&host, &seats[0].path).await;
                page.take().await;
                pages.push(page);
            }
        }
        let full = open(9).unwrap_err().to_string();
        assert!(full.contains("no memory for another one"), "{full}");
    });
}

/// A store in which reading one table's log takes until it is let go on.
struct Slow {
    store: Memory,
    /// The table, and whether somebody reads it.
    slow: std::sync::Mutex<Option<String>>,
    reads: AtomicBool,
}

impl DuelStore for Slow {
    fn key(&self) -> Secret {
        self.store.key()
    }
    fn begin(&self, duel: &TableRecord, entries: &[DuelEntry]) -> Result<(), StoreError> {
        self.store.begin(duel, entries)
    }
    fn append(&self, duel: &str, entries: &[DuelEntry]) -> Result<(), StoreError> {
        self.store.append(duel, entries)
    }
    fn log(&self, duel: &str, from: u64) -> Result<Vec<DuelEntry>, StoreError> {
        while self.slow.lock().unwrap().as_deref() == Some(duel) {
            self.reads.store(true, Ordering::Release);
            std::thread::sleep(Duration::from_millis(5));
        }
        self.store.log(duel, from)
    }
    fn is_begun(&self, duel: &str) -> Result<bool, StoreError> {
        self.store.is_begun(duel)
    }
    fn mark(&self, duel: &str, standing: DuelStanding) -> Result<(), StoreError> {
        self.store.mark(duel, standing)
    }
    fn forget(&self, duel: &str) -> Result<(), StoreError> {
        self.store.forget(duel)
    }
    fn duels(&self) -> Result<Vec<KeptDuel>, StoreError> {
        self.store.duels()
    }
}

/// A table that takes long to be woken holds nobody up at another one.
#[test]
fn waking_one_table_holds_up_no_other() {
    run(async {
        let store = Arc::new(Slow {
            store: Memory::new(cw_serve::fresh_secret()),
            slow: std::sync::Mutex::default(),
            reads: AtomicBool::default(),
        });
        let first = host(Arc::clone(&store) as Arc<dyn DuelStore>);
        let mut all = Vec::new();
        for seed in 0..2u64 {
            let seats = first.open(TableSettings::for_seats(1), seed.into()).unwrap();
            let deck = Package::read(&files()).unwrap().decks[0].clone();
            first.load_deck(&seats[0], &deck).unwrap();
            all.push(seats);
        }
        drop(first);
        let second = host(Arc::clone(&store) as Arc<dyn DuelStore>);
        second.resume().unwrap();
        // The newest comes first.
        let slow = store.duels().unwrap()[1].as_ref().unwrap().id.clone();
        *store.slow.lock().unwrap() = Some(slow);
        let (host, path) = (second.clone(), all[0][0].path.clone());
        let (sender, receiver) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            run(async move {
                let page = Page::open(&host, &path).await;
                sender.send(page.base).unwrap();
            });
        });
        while !store.reads.load(Ordering::Acquire) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        let other = tokio::time::timeout(Duration::from_secs(20), Page::open(&second, &all[1][0].path));
        let other = other.await.expect("nobody waits for another table");
        other.does("counter Luck +1").await;
        assert!(receiver.try_recv().is_err(), "that one still waits");
        *store.slow.lock().unwrap() = None;
        let base = receiver.recv_timeout(Duration::from_secs(20)).unwrap();
        assert!(base.starts_with("/f/"));
    });
}

/// F33–F36: an entry of the package that is a script says so, and what can be done by hand.
#[test]
fn a_script_is_explained() {
    run(async {
        let (_host, _seats, ann, _ben) = two(Arc::new(Memory::new(cw_serve::fresh_secret()))).await;
        let (status, answer) = ann
            .ask(json!({ "entry": { "number": 0, "cards": "table:1" } }))
            .await;
        assert_eq!(status, StatusCode::OK);
        assert!(
            answer["script"].as_str().unwrap().contains("runs no scripts"),
            "{answer}"
        );
        let (status, answer) = ann.ask(json!({ "chat": { "line": "/rol 1d6" } })).await;
        assert_eq!(status, StatusCode::CONFLICT);
        assert!(answer["no"].as_str().unwrap().contains("/roll"), "{answer}");
    });
}

/// The page's help names every line that a seat can write, from the same list that reads them.
#[test]
fn the_page_lists_every_verb_of_a_seat() {
    run(async {
        let (host, ..) = two(Arc::new(Memory::new(cw_serve::fresh_secret()))).await;
        let kit: Value =
            serde_json::from_str(&text(send(&host.router(), get("/free/kit.json", "")).await).await).unwrap();
        let listed: Vec<&str> = kit["verbs"]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| row[0].as_str().unwrap().split(' ').next().unwrap())
            .collect();
        let all: Vec<&str> = VERBS
            .iter()
            .filter(|(.., what)| !what.starts_with(OF_HOST))
            .map(|(word, ..)| *word)
            .collect();
        assert_eq!(listed, all);
        assert!(all.contains(&"build") && all.contains(&"sideboard"));
    });
}

/// F220, F223: beside duels of the same cards, free tables are opened from the front page, by its own cookie
/// only.
#[test]
fn the_front_page_opens_free_tables() {
    run(async {
        let store: Arc<dyn DuelStore> = Arc::new(Memory::new(cw_serve::fresh_secret()));
        let kept = Arc::clone(&store);
        let setting = cw_serve::HostSettings {
            free: Some(Box::new(move || Some(host(Arc::clone(&kept))))),
            ..crate::play::setting(store, HostLimits::default())
        };
        let duels = cw_serve::DuelHost::new(setting);
        let router = duels.router();
        let answer = send(&router, get(&duels.front_page(), "")).await;
        let cookie = answer.headers()[header::SET_COOKIE].to_str().unwrap();
        let cookie = cookie.split(';').next().unwrap().to_owned();
        let front = text(send(&router, get("/front/", &cookie)).await).await;
        assert!(front.contains("action=\"/front/free\""));
        let stamp = crate::play::hidden(&front, "k").to_owned();
        let form = format!("k={stamp}&seats=2");
        let foreign = send(&router, crate::play::post("/front/free", "", &form)).await;
        assert_eq!(foreign.status(), StatusCode::FORBIDDEN);
        let forged = send(&router, crate::play::post("/front/free", &cookie, "k=1&seats=2")).await;
        assert_eq!(forged.status(), StatusCode::OK, "the page says why not");
        let opened = send(&router, crate::play::post("/front/free", &cookie, &form)).await;
        assert_eq!(opened.status(), StatusCode::SEE_OTHER);
        let (seat, way) = (
            &opened.headers()[header::SET_COOKIE],
            &opened.headers()[header::LOCATION],
        );
        let seat = seat.to_str().unwrap().split(';').next().unwrap();
        let way = way.to_str().unwrap();
        let page = text(send(&router, get(way, seat)).await).await;
        assert!(page.contains("data-stamp"));
        let kit = send(&router, get("/free/card/3/0", "")).await;
        assert_eq!(kit.status(), StatusCode::OK);
        let denied = send(&router, get(way, &cookie)).await;
        assert_eq!(denied.status(), StatusCode::FORBIDDEN);
    });
}

/// What is sent again with its number, because no answer was heard, is done once and has the same answer; a
/// table that was reloaded in the meantime knows no number, and says so (F202).
#[test]
fn what_is_sent_twice_is_done_once() {
    run(async {
        let (_host, _, mut ann, mut ben) = two(Arc::new(Memory::new(cw_serve::fresh_secret()))).await;
        let sent = ann.take().await;
        let born = sent
            .split("\"born\":\"")
            .nth(1)
            .unwrap()
            .split('"')
            .next()
            .unwrap();
        let roll = |number: &str| json!({ "n": number, "lines": ["counter Luck +1"] });
        let first = ann.ask(roll(&format!("{born}-a-1"))).await;
        assert_eq!(first.0, StatusCode::OK);
        assert_eq!(ann.ask(roll(&format!("{born}-a-1"))).await, first);
        let no = json!({ "n": format!("{born}-a-2"), "lines": ["sing"] });
        let refused = ann.ask(no.clone()).await;
        assert_eq!(refused.0, StatusCode::CONFLICT);
        assert_eq!(ann.ask(no).await, refused);
        let told = ben.take().await;
        assert!(told.contains("[\"Luck\",4]"), "{told}");
        assert!(!told.contains("[\"Luck\",5]"), "{told}");
        // Another seat's numbers are its own.
        assert_eq!(ben.ask(roll(&format!("{born}-a-1"))).await.0, StatusCode::OK);
        let (status, answer) = ann.ask(roll("0000-a-1")).await;
        assert_eq!(status, StatusCode::CONFLICT);
        assert!(
            answer["no"]
                .as_str()
                .unwrap()
                .contains("reloaded in the meantime"),
            "{answer}"
        );
    });
}

/// D72: decks of a game without rules lie beside each other, too; cards and sections are judged, the rest is
/// for people.
#[test]
fn decks_of_a_game_without_rules_are_compared() {
    run(async {
        let host = host(Arc::new(Memory::new(cw_serve::fresh_secret())));
        let page = async |address: &str| text(send(&host.router(), get(address, "")).await).await;
        let decks = page("/cards/compare?a=deck:0&b=deck:1").await;
        assert!(
            decks.contains("They have no card in common.") && decks.contains("only people know"),
            "{decks}"
        );
        assert!(!decks.contains("A legal deck."), "{decks}");
        let form = "a=deck:0&b=list&list-b=1+Quartzax%0A2+Velvetax";
        let list = text(send(&host.router(), post("/cards/compare", "", form)).await).await;
        assert!(
            list.contains("In common: <b>1 card</b>. Only in one of them: <b>19</b> and <b>2</b>."),
            "{list}"
        );
        let wrong = page("/cards/compare?a=deck:7&b=kept:x").await;
        assert!(
            wrong.contains("not in the game any more") && wrong.contains("not kept any more"),
            "{wrong}"
        );
        let cards = page("/cards").await;
        assert!(cards.contains("href=\"/cards/compare\""), "{cards}");
    });
}

/// The events of a page's stream, as the page reads them.
fn messages(sent: &str) -> Vec<Value> {
    let data = sent.lines().filter_map(|line| line.strip_prefix("data:"));
    data.filter_map(|data| serde_json::from_str(data.trim()).ok())
        .collect()
}

/// What was sent last of a part of the table.
fn last_of(sent: &str, part: &str) -> Value {
    let mut messages = messages(sent);
    messages.retain(|message| message.get(part).is_some());
    messages.pop().expect("it was sent")[part].take()
}

/// The lines of the log that point at something: the cards.
fn pointed(sent: &str) -> Vec<Vec<u64>> {
    let messages = messages(sent);
    let lines = messages.iter().filter_map(|message| message["log"].as_array());
    let lines = lines
        .flatten()
        .filter(|line| line["kind"] == "point" || line["kind"] == "shake");
    let cards = lines.filter_map(|line| serde_json::from_value(line["cards"].clone()).ok());
    cards.filter(|cards: &Vec<u64>| !cards.is_empty()).collect()
}

/// F151: somebody pointed at a card that was known. It is shuffled away and lies on the table again, face
/// down beside others: whoever opens the table anew is not told which one it is.
#[test]
fn what_was_pointed_at_tells_nothing_later() {
    run(async {
        let (host, seats, mut ann, mut ben) = two(Arc::new(Memory::new(cw_serve::fresh_secret()))).await;
        assert_eq!(ann.ask(json!({ "deck": 0 })).await.0, StatusCode::OK);
        ann.does("movetop Deck 1 to table up").await;
        ben.take().await;
        let card: u64 = serde_json::from_value(last_of(&ben.sent, "table")[0].clone()).unwrap();
        ben.does(&format!("point {card}")).await;
        ann.take().await;
        let own: u64 = serde_json::from_value(last_of(&ann.sent, "table")[0].clone()).unwrap();
        ann.does(&format!("shake {own}")).await;
        let told = ann.take().await;
        assert_eq!(pointed(&told), [[own]], "whoever follows the table sees it");
        assert_eq!(pointed(&ann.sent), [[own], [own]]);
        assert_eq!(pointed(&(ben.sent.clone() + &ben.take().await)), [[card], [card]]);

        ann.does(&format!("move {own} to Deck")).await;
        ann.does("shuffle Deck").await;
        ann.does("movetop Deck 20 to table down").await;
        for seat in &seats {
            let mut late = Page::open(&host, &seat.path).await;
            late.take().await;
            let lying: Vec<u64> = serde_json::from_value(last_of(&late.sent, "table")).unwrap();
            assert_eq!(lying.len(), 20);
            let told = pointed(&late.sent).concat();
            assert!(
                told.iter().all(|card| !lying.contains(card)),
                "{told:?}: {lying:?}"
            );
        }
    });
}

/// D74: a question that waits when the program ends keeps its words, whatever is said afterwards.
#[test]
fn a_question_keeps_its_words_when_the_program_ends() {
    run(async {
        let store: Arc<dyn DuelStore> = Arc::new(Memory::new(cw_serve::fresh_secret()));
        let (first, seats, mut ann, ben) = two(Arc::clone(&store)).await;
        ann.does("counter Luck +1").await;
        ben.does("say wait").await;
        ben.does("propose 0").await;
        ann.does("say let me think").await;
        ann.take().await;
        let before = last_of(&ann.sent, "questions");
        assert!(
            before[0]["words"]
                .as_str()
                .unwrap()
                .contains("proposes to take back"),
            "{before}"
        );
        drop((first, ann, ben));
        let second = host(store);
        second.resume().unwrap();
        let mut ann = Page::open(&second, &seats[0].path).await;
        ann.take().await;
        assert_eq!(last_of(&ann.sent, "questions"), before);
        ann.does("say I ate a banana").await;
        second.look();
        let mut ben = Page::open(&second, &seats[1].path).await;
        ben.take().await;
        assert_eq!(last_of(&ben.sent, "questions")[0]["words"], before[0]["words"]);
    });
}

/// S181, S210: an entry that waits for an answer when the program ends waits for it still: nobody breaks it
/// off.
#[test]
fn an_entry_that_waits_is_asked_again_when_the_program_ends() {
    run(async {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../cw-table/tests/packages/novice");
        let files = cw_octgn::Folder::new(folder);
        let package = Package::read(&files).unwrap();
        let kit = Kit::read(&files, package, &cw_octgn::PackageLimits::default()).unwrap();
        let kit = Arc::new(kit.kit);
        let store: Arc<dyn DuelStore> = Arc::new(Memory::new(cw_serve::fresh_secret()));
        let open = |limits| host_of(Arc::clone(&store), limits, Arc::clone(&kit));
        let first = open(HostLimits::default());
        let seats = first
            .open(TableSettings::for_people(&["Ann", "Ben"]), 7.into())
            .unwrap();
        let mut ann = Page::open(&first, &seats[0].path).await;
        ann.does("run \"Counts None\"").await;
        ann.take().await;
        let before = last_of(&ann.sent, "runs");
        assert_eq!(before[0]["q"]["kind"], "number", "{before}");
        drop((first, ann));
        let second = open(HostLimits::default());
        second.resume().unwrap();
        let mut ann = Page::open(&second, &seats[0].path).await;
        second.look();
        ann.take().await;
        assert_eq!(last_of(&ann.sent, "runs"), before);
        assert!(!ann.sent.contains("broke off"), "{}", ann.sent);
    });
}

/// A list as long as its field takes is compared, where decks have no rules, too.
#[test]
fn a_long_list_is_compared() {
    run(async {
        let host = host(Arc::new(Memory::new(cw_serve::fresh_secret())));
        let list = "1+Quartzax%0A".repeat(500);
        let form = format!("a=list&b=list&list-a={list}&list-b={list}");
        let answer = send(&host.router(), post("/cards/compare", "", &form)).await;
        assert_eq!(answer.status(), StatusCode::OK);
        let answer = send(&host.router(), post("/cards/compare", "", &form.repeat(9))).await;
        assert_eq!(answer.status(), StatusCode::PAYLOAD_TOO_LARGE);
    });
}
