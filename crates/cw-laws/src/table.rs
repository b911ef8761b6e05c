//! The table in the browser: what requests may say, and what may stand in a store.

use std::sync::{Arc, LazyLock};

use axum::Router;
use axum::body::Body;
use axum::http::{Method, Request, Response, StatusCode, header};
use cw_duel::{PerSeat, Seat};
use cw_faces::Catalogue;
use cw_serve::{
    DuelEntry, DuelHost, DuelStanding, DuelStart, DuelStore, HostSettings, Invitation, Memory, SeatPlayer,
    Serve as _, TableRecord,
};
use http_body_util::BodyExt;
use tower::ServiceExt;

use crate::games::{decks, loaded, saltmarsh};

/// Requests or entries that are taken from one input at most.
const MOST: usize = 16;

static CATALOGUE: LazyLock<Arc<Catalogue>> = LazyLock::new(|| Arc::new(Catalogue::of(&loaded().project)));

fn host(store: Arc<dyn DuelStore>) -> DuelHost {
    DuelHost::new(HostSettings::new(
        Arc::clone(saltmarsh()),
        Arc::clone(&CATALOGUE),
        store,
        cw_serve::fresh_secret,
    ))
}

fn start() -> DuelStart {
    DuelStart {
        game: Arc::clone(saltmarsh()),
        catalogue: Arc::clone(&CATALOGUE),
        decks: decks(),
        names: PerSeat(["One".into(), "Two".into()]),
        who: PerSeat([SeatPlayer::Person; 2]),
        seed: Some(5.into()),
        first: Some(Seat::One),
        allow_illegal_decks: true,
        stage: None,
        invites: None,
        opponent: None,
    }
}

/// Each line is a request of the first seat: `GET path` or `POST path form`, where `{n}` and `{k}` stand
/// for what the seat's page says. Whatever it is, it is answered, and never by a fault of the server.
pub(crate) fn requests(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let host = host(Arc::new(Memory::new(cw_serve::fresh_secret())));
    let invitations = host.open(start()).expect("the decks can be played");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.expect("a runtime can be made").block_on(async {
        let Some(mut seat) = SeatCookie::join(&host, &invitations[0]).await else {
            return;
        };
        for line in text.lines().take(MOST) {
            seat.say(line).await;
        }
    });
}

/// A seat with its cookie.
struct SeatCookie {
    router: Router,
    base: String,
    cookie: String,
}

impl SeatCookie {
    async fn join(host: &DuelHost, invitation: &Invitation) -> Option<SeatCookie> {
        let router = host.router();
        let answer = ask(&router, Method::GET, &invitation.path, "", "").await?;
        let field = |name| answer.headers().get(name)?.to_str().ok().map(str::to_owned);
        Some(SeatCookie {
            cookie: field(header::SET_COOKIE)?.split(';').next()?.to_owned(),
            base: field(header::LOCATION)?,
            router,
        })
    }

    async fn say(&mut self, line: &str) {
        let mut words = line.splitn(3, ' ');
        let method = match words.next() {
            Some("POST") => Method::POST,
            _ => Method::GET,
        };
        let path = format!("{}{}", self.base, words.next().unwrap_or_default());
        let mut form = words.next().unwrap_or_default().to_owned();
        if form.contains('{') {
            let page = ask(&self.router, Method::GET, &self.base, &self.cookie, "").await;
            let Some(page) = page else { return };
            let page = page.into_body().collect().await;
            let page = page.expect("a page ends").to_bytes();
            let page = String::from_utf8_lossy(&page);
            for name in ["n", "k"] {
                let mark = format!("name=\"{name}\" value=\"");
                let value = page.split(&mark).nth(1).and_then(|rest| rest.split('"').next());
                form = form.replace(&format!("{{{name}}}"), value.unwrap_or_default());
            }
        }
        if let Some(answer) = ask(&self.router, method, &path, &self.cookie, &form).await {
            // A busy machine may answer that it has no time.
            let fault =
                answer.status().is_server_error() && answer.status() != StatusCode::SERVICE_UNAVAILABLE;
            assert!(!fault, "{}: {line:?}", answer.status());
        }
    }
}

/// Nothing where that is no request at all.
async fn ask(
    router: &Router,
    method: Method,
    path: &str,
    cookie: &str,
    form: &str,
) -> Option<Response<Body>> {
    let request = Request::builder()
        .method(method)
        .uri(path)
        .header(header::HOST, "127.0.0.1:7313")
        .header(header::ORIGIN, "http://127.0.0.1:7313")
        .header(header::COOKIE, cookie)
        .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
        .body(Body::from(form.to_owned()));
    Some(
        router
            .clone()
            .oneshot(request.ok()?)
            .await
            .expect("it cannot fail"),
    )
}

/// The first line is how a duel began, or empty for one that begins well; each of the others is an entry
/// of its log. The duel goes on, is over, or is set aside; the host goes on.
pub(crate) fn log(bytes: &[u8]) {
    static BEGUN: LazyLock<TableRecord> = LazyLock::new(|| {
        let store = Memory::new(cw_serve::fresh_secret());
        let seen = Arc::new(store);
        let host = host(seen.clone());
        host.open(start()).expect("the decks can be played");
        let mut kept = seen.duels().expect("memory can be read");
        kept.remove(0).expect("it was just kept")
    });
    let text = String::from_utf8_lossy(bytes);
    let mut lines = text.lines();
    let mut record = BEGUN.clone();
    if let Some(first) = lines.next().filter(|first| !first.is_empty()) {
        record.start = first.to_owned();
    }
    let entries: Vec<DuelEntry> = (0..)
        .zip(lines.take(MOST))
        .map(|(number, choice)| DuelEntry {
            version: DuelEntry::VERSION,
            number,
            question: number + 1,
            choice: choice.to_owned(),
        })
        .collect();
    let store = Arc::new(Memory::new(cw_serve::fresh_secret()));
    store.begin(&record, &entries).expect("memory keeps it");
    let host = host(store.clone());
    let resumed = host.resume().expect("the store can be read");
    let kept = store.duels().expect("memory can be read");
    let standing = kept.iter().flatten().map(|record| record.standing);
    assert!(
        resumed.going.len()
            <= standing
                .filter(|standing| *standing == DuelStanding::Going)
                .count()
    );
}
