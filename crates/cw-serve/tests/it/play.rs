//! A game of plain fighters, and browsers without a browser: what the tests of the table share.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::{Request, Response, StatusCode, header};
use cw_duel::{CardModel, Game, PerSeat, Seat};
use cw_faces::Catalogue;
use cw_program::{CardNameId, CardType, ModelId, SubtypeId};
use cw_serve::{
    DuelHost, DuelStart, DuelStore, HostLimits, HostSettings, Invitation, Memory, SeatPlayer, Secret,
    Serve as _,
};
use cw_wire::Agreement;
use http_body_util::BodyExt;
use tower::ServiceExt;

use crate::opened::opened;

/// Names that occur nowhere else on a page.
pub(crate) fn name(seat: usize, number: u16) -> String {
    let deck = ["Quartz", "Velvet"][seat];
    format!(
        "{deck}{}{}x",
        (b'A' + (number / 5) as u8) as char,
        (b'a' + (number % 5) as u8) as char
    )
}

/// A game of plain fighters; the first half of the models is for the first deck.
pub(crate) fn game() -> Arc<Game> {
    let model = |index: u16| {
        let number = index % 25;
        CardModel {
            id: format!("{index:08}-0000-4000-8000-000000000000").into(),
            name: name(usize::from(index / 25), number).into(),
            name_id: CardNameId(index),
            card_type: Some(CardType::Character),
            subtype: Some(SubtypeId(number % 2)),
            bp: 200 + 100 * i32::from(number % 7),
            sp: 6 - i32::from(number % 7) * 2,
            ability: None,
            text: "".into(),
            backups: vec![SubtypeId(number % 2)],
            program: None,
        }
    };
    let models: Vec<CardModel> = (0..50).map(model).collect();
    Arc::new(Game {
        name: "Test".into(),
        fingerprint: "test".into(),
        names: models
            .iter()
            .map(|model| model.name.to_lowercase().into())
            .collect(),
        models,
        subtypes: vec!["One".into(), "Two".into()],
        ..Game::default()
    })
}

pub(crate) fn start(game: &Arc<Game>, who: [SeatPlayer; 2], seed: u64) -> DuelStart {
    let deck = |from: u16| (0..50).map(|at| ModelId(from + at / 2)).collect();
    DuelStart {
        game: Arc::clone(game),
        catalogue: Arc::new(Catalogue::blank(game)),
        decks: PerSeat([deck(0), deck(25)]),
        names: PerSeat(["One".into(), "Two".into()]),
        who: PerSeat(who),
        seed: Some(seed.into()),
        first: Some(Seat::One),
        allow_illegal_decks: false,
        stage: None,
        invites: None,
        opponent: None,
    }
}

pub(crate) fn host(store: Arc<dyn DuelStore>) -> DuelHost {
    host_with(store, HostLimits::default())
}

pub(crate) fn host_with(store: Arc<dyn DuelStore>, limits: HostLimits) -> DuelHost {
    DuelHost::new(setting(store, limits))
}

pub(crate) fn setting(store: Arc<dyn DuelStore>, limits: HostLimits) -> HostSettings {
    let game = game();
    let catalogue = Arc::new(Catalogue::blank(&game));
    HostSettings {
        limits,
        ..HostSettings::new(game, catalogue, store, cw_serve::fresh_secret)
    }
}

/// A browser: an address and a cookie.
pub(crate) struct Browser {
    pub(crate) router: Router,
    pub(crate) cookie: String,
    pub(crate) base: String,
}

impl Browser {
    pub(crate) async fn join(host: &DuelHost, path: &str) -> Browser {
        let router = host.router();
        let answer = send(&router, get(path, "")).await;
        assert_eq!(answer.status(), StatusCode::SEE_OTHER);
        let field = |name| answer.headers()[name].to_str().unwrap().to_owned();
        let cookie = field(header::SET_COOKIE);
        assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"));
        Browser {
            router,
            cookie: cookie.split(';').next().unwrap().to_owned(),
            base: field(header::LOCATION),
        }
    }

    pub(crate) async fn page(&self) -> String {
        text(send(&self.router, get(&self.base, &self.cookie)).await).await
    }

    pub(crate) async fn post(&self, action: &str, form: &str) -> Response<Body> {
        send(
            &self.router,
            post(&format!("{}{action}", self.base), &self.cookie, form),
        )
        .await
    }

    /// The form of an act from the page as it is.
    pub(crate) async fn form(&self, act: &str) -> String {
        let page = self.page().await;
        format!("n={}&k={}&act={act}", hidden(&page, "n"), hidden(&page, "k"))
    }

    /// Does an act from the page as it is.
    pub(crate) async fn act(&self, act: &str) -> Response<Body> {
        self.post("act", &self.form(act).await).await
    }

    /// Takes the option with this number; false if nothing is asked.
    pub(crate) async fn take(&self, page: &str, option: usize) -> bool {
        let Some(form) = form(page, option) else {
            return false;
        };
        // A seat may answer only so fast: it waits as it is told, and answers again.
        for _ in 0..200 {
            let answer = self.post("answer", &form).await;
            if answer.status() != StatusCode::TOO_MANY_REQUESTS {
                assert_eq!(answer.status(), StatusCode::SEE_OTHER);
                return true;
            }
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        false
    }
}

impl Browser {
    /// Takes the first option of the next question to this seat. A duel that begins with any seed may ask
    /// the other side first: a hand without a character is passed over.
    pub(crate) async fn take_when_asked(&self) {
        for _ in 0..400 {
            let page = self.page().await;
            if form(&page, 0).is_some() {
                return assert!(self.take(&page, 0).await, "{page}");
            }
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        panic!("nothing is asked in 20 s: {}", self.page().await);
    }
}

/// The form of the page's decision with its option of this number, counted on.
pub(crate) fn form(page: &str, option: usize) -> Option<String> {
    let offers: Vec<&str> = page
        .split("form=\"answer\" name=\"o\" value=\"")
        .skip(1)
        .map(|rest| rest.split('"').next().unwrap())
        .collect();
    let mut offer = (*offers.get(option % offers.len().max(1))?).to_owned();
    if offer == "," {
        // Several cards are one answer: the first ones, as few as must be.
        let least = page.split("data-min=\"").nth(1)?.split('"').next()?;
        offer = (0..least.parse().ok()?)
            .map(|at: usize| format!("{at},"))
            .collect();
        if offer.is_empty() {
            offer.push(',');
        }
    }
    Some(format!(
        "n={}&k={}&o={offer}",
        hidden(page, "n"),
        hidden(page, "k")
    ))
}

pub(crate) fn hidden<'a>(page: &'a str, name: &str) -> &'a str {
    let field = format!("name=\"{name}\" value=\"");
    page.split(&field).nth(1).unwrap().split('"').next().unwrap()
}

pub(crate) fn get(path: &str, cookie: &str) -> Request<Body> {
    let request = Request::get(path)
        .header(header::HOST, "127.0.0.1:7313")
        .header(header::COOKIE, cookie);
    request.body(Body::empty()).unwrap()
}

pub(crate) fn post(path: &str, cookie: &str, form: &str) -> Request<Body> {
    Request::post(path)
        .header(header::HOST, "127.0.0.1:7313")
        .header(header::ORIGIN, "http://127.0.0.1:7313")
        .header(header::COOKIE, cookie)
        .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
        .body(Body::from(form.to_owned()))
        .unwrap()
}

pub(crate) async fn send(router: &Router, request: Request<Body>) -> Response<Body> {
    router.clone().oneshot(request).await.unwrap()
}

pub(crate) async fn text(response: Response<Body>) -> String {
    let bytes = response.into_body().collect().await.unwrap().to_bytes();
    String::from_utf8(bytes.to_vec()).unwrap()
}

pub(crate) fn run<T>(test: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap()
        .block_on(test)
}

/// The digest that binds a page to this part of a shuffle.
pub(crate) fn bound_to(part: &str) -> String {
    Agreement::commitment_to(&Agreement::nonce(part))
}

/// Sits down, bound to this part.
pub(crate) async fn commit(browser: &Browser, part: &str) -> StatusCode {
    let form = format!(
        "k={}&commit={}",
        hidden(&browser.page().await, "k"),
        bound_to(part)
    );
    browser.post("sit", &form).await.status()
}

/// What a page sends that is asked for its part.
pub(crate) fn revealing(page: &str, part: &str) -> Option<String> {
    let form = page.split("id=\"reveal\"").nth(1)?;
    Some(format!(
        "k={}&c={}&nonce={part}",
        hidden(form, "k"),
        hidden(form, "c")
    ))
}

/// Reveals this part.
pub(crate) async fn reveal(browser: &Browser, part: &str) -> StatusCode {
    let form = revealing(&browser.page().await, part).expect("it is asked for");
    browser.post("reveal", &form).await.status()
}

/// Both commit to these parts, and reveal them.
pub(crate) async fn shuffle(people: [&Browser; 2], parts: [&str; 2]) {
    for (browser, part) in people.into_iter().zip(parts) {
        assert_eq!(commit(browser, part).await, StatusCode::SEE_OTHER);
    }
    for (browser, part) in people.into_iter().zip(parts) {
        assert_eq!(reveal(browser, part).await, StatusCode::SEE_OTHER);
    }
}

pub(crate) async fn two_people() -> (DuelHost, Browser, Browser) {
    let host = host(Arc::new(Memory::new(cw_serve::fresh_secret())));
    let seats = host.open(start(&game(), [SeatPlayer::Person; 2], 7)).unwrap();
    let one = Browser::join(&host, &seats[0].path).await;
    let two = Browser::join(&host, &seats[1].path).await;
    (host, one, two)
}

/// Names in the page's own hand.
pub(crate) fn hand(page: &str) -> Vec<String> {
    let hand = page
        .split("id=\"hand\"")
        .nth(1)
        .unwrap()
        .split("</ol>")
        .next()
        .unwrap();
    let labels = hand.split("aria-label=\"").skip(2);
    let names = labels.filter_map(|label| {
        let words = label.split('"').next()?.split([' ', ',', '.', ':']);
        words
            .map(str::to_owned)
            .find(|word| word.starts_with("Quartz") || word.starts_with("Velvet"))
    });
    names.collect()
}

/// The address and the cookie of a seat.
pub(crate) fn way(invitation: &Invitation) -> (String, String) {
    let secret = Secret::read(invitation.path.rsplit('/').next().unwrap()).unwrap();
    (
        format!("/s/{}/", secret.public()),
        format!("seat={}", secret.reveal()),
    )
}

/// A browser on a real connection.
pub(crate) struct Client {
    stream: BufReader<TcpStream>,
    address: SocketAddr,
    /// The seat's address and cookie.
    pub(crate) seat: (String, String),
}

impl Client {
    pub(crate) fn connect(address: SocketAddr, seat: (String, String)) -> io::Result<Client> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(Duration::from_secs(60)))?;
        Ok(Client {
            stream: BufReader::new(stream),
            address,
            seat,
        })
    }

    pub(crate) fn page(&mut self) -> io::Result<(u16, String)> {
        self.ask("GET", "", "")
    }

    /// One request to an address below the seat's, and its answer.
    pub(crate) fn ask(&mut self, method: &str, below: &str, form: &str) -> io::Result<(u16, String)> {
        self.send(method, below, form.len(), form)?;
        let mut status = String::new();
        self.stream.read_line(&mut status)?;
        let status = status.split(' ').nth(1).and_then(|status| status.parse().ok());
        let mut length = 0;
        loop {
            let mut line = String::new();
            if self.stream.read_line(&mut line)? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            let line = line.trim().to_ascii_lowercase();
            if let Some(said) = line.strip_prefix("content-length: ") {
                length = said.parse().unwrap();
            }
            if line.is_empty() {
                break;
            }
        }
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body)?;
        let status = status.ok_or(io::ErrorKind::InvalidData)?;
        Ok((status, String::from_utf8_lossy(&body).into_owned()))
    }

    /// Sends a request whose body is said to have this length.
    pub(crate) fn send(&mut self, method: &str, below: &str, length: usize, form: &str) -> io::Result<()> {
        let (path, cookie) = &self.seat;
        let request = format!(
            "{method} {path}{below} HTTP/1.1\r\nHost: {}\r\nCookie: {cookie}\r\n\
             Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {length}\r\n\r\n{form}",
            self.address
        );
        self.stream.get_mut().write_all(request.as_bytes())
    }
}

/// Where a process serves, and the ways to both seats.
type Serving = (SocketAddr, [(String, String); 2]);

/// A server in a process of its own, that can be killed.
pub(crate) struct Process {
    child: Child,
    pub(crate) address: SocketAddr,
    pub(crate) seats: [(String, String); 2],
}

/// Names the store of a [`Process`]; what it finds there is its task.
const STORE: &str = "CARDWRIGHT_TEST_STORE";
/// The chance by which its store fails; never where this is missing.
const FAULTS: &str = "CARDWRIGHT_TEST_FAULTS";

impl Process {
    /// Starts one; where it serves is told when it does.
    pub(crate) fn start(store: &Path, faults: Option<u64>) -> (Child, impl FnOnce() -> Option<Serving>) {
        Process::start_with(store, faults, None)
    }

    /// The same, with files that grow to so many half-kilobytes at most.
    pub(crate) fn start_with(
        store: &Path,
        faults: Option<u64>,
        most: Option<u32>,
    ) -> (Child, impl FnOnce() -> Option<Serving>) {
        let own = std::env::current_exe().unwrap();
        let mut command = match most {
            None => Command::new(own),
            Some(most) => {
                // What may not grow is an error then, not the end of the process.
                let script = format!("trap '' XFSZ; ulimit -f {most}; exec \"$0\" \"$@\"");
                let mut shell = Command::new("sh");
                shell.arg("-c").arg(script).arg(own);
                shell
            }
        };
        command
            .args(["play::a_server_in_a_process_of_its_own", "--exact", "--nocapture"])
            .env(STORE, store)
            .stdin(Stdio::null())
            .stdout(Stdio::piped());
        if let Some(seed) = faults {
            command.env(FAULTS, seed.to_string());
        }
        let mut child = command.spawn().unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        let ready = move || {
            let lines = out.lines().map_while(Result::ok);
            let mut said =
                lines.filter_map(|line| line.split_once("SERVING ").map(|(_, said)| said.to_owned()));
            let said = said.next()?;
            let mut words = said.split(' ').map(str::to_owned);
            let address = words.next()?.parse().ok()?;
            let mut seat = || Some((words.next()?, words.next()?));
            Some((address, [seat()?, seat()?]))
        };
        (child, ready)
    }

    pub(crate) fn serving(store: &Path, faults: Option<u64>) -> Process {
        let (child, ready) = Process::start(store, faults);
        let (address, seats) = ready().expect("it serves");
        Process {
            child,
            address,
            seats,
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Not a test but what tests start: serves the newest duel of a store, or a new one, until it is killed.
#[test]
fn a_server_in_a_process_of_its_own() {
    let Some(path) = std::env::var_os(STORE) else {
        return;
    };
    let store = run(opened(Path::new(&path)));
    let faults = std::env::var(FAULTS).ok().and_then(|seed| seed.parse().ok());
    let store = crate::keep::Failing::new(store);
    let host = crate::limits::host_with_shelf(Arc::new(store.clone()), HostLimits::default());
    let resumed = host.resume().unwrap();
    assert!(resumed.aside.is_empty(), "{:?}", resumed.aside);
    let mut going = resumed.going.into_iter();
    let seats = going
        .next()
        .unwrap_or_else(|| host.open(start(&game(), [SeatPlayer::Person; 2], 7)).unwrap());
    if let Some(seed) = faults {
        store.fail_by_chance(seed);
    }
    let ways: Vec<String> = seats
        .iter()
        .map(way)
        .map(|(path, cookie)| format!("{path} {cookie}"))
        .collect();
    let serving = |address| println!("SERVING {address} {}", ways.join(" "));
    host.serve(Some(0), serving).unwrap();
}
