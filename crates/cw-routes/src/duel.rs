//! Duels: which requests there are, how somebody comes to a seat, and the seat's page.

mod beside;
mod forms;
mod pictures;

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use axum::extract::{DefaultBodyLimit, Path, Query, Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::sse::Sse;
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use axum::{Router, middleware};
use serde::Deserialize;
use tower::Service as _;

use crate::beside_duels::free_tables_of;
use crate::connection::Connection;
use crate::guard::{MOST_WITH_DECK, guard, named_cookie};
use crate::stream::{Follower, follow};
use crate::visitor::{SeatRoutes, Visitor, not_found, used_up};
use crate::ways::{is_own_way, lead_along, lead_home, lead_to_duel, lead_to_moment, lead_to_run};
use crate::work::work;
use cw_hall::clock::Moment;
use cw_hall::duels::{DuelHost, DuelHosting};
use cw_hall::hall::WakeError;
use cw_octgn::HAS_PATTERNS;
use cw_pages::markup;
use cw_pages::room::SeatRoom;
use cw_pages::scene::SeatScene;
use cw_pages::table::{DuelTable, Refused};

/// The routes of duels, and of the free tables of the same package. What runs beside requests runs on the
/// tasks of the hall.
pub fn router(host: &DuelHost) -> Router {
    let mut router = duels()
        .merge(pictures::routes())
        .merge(crate::page_files::of_duels())
        .merge(crate::page_files::of_cards())
        .merge(crate::front::free_routes())
        .merge(beside_duels(host))
        .merge(crate::workbench::routes())
        .fallback(elsewhere);
    if host.hall.setting.workbench.is_some() {
        // What is drawn may look otherwise in a second.
        router = router.layer(middleware::map_response(crate::workbench::keep_nothing));
    }
    guarded(router, host)
}

/// The routes of duels and cards, for a page that has its pictures, styles and scripts in files. Whatever
/// else is asked for gets the status 421 ("misdirected request", RFC 9110, section 15.5.20): a page that has
/// [`router`], too, asks that.
pub fn router_beside_files(host: &DuelHost) -> Router {
    // A visitor waits for the first question of a duel, and for nothing that makes other pages.
    let late = Arc::new(OnceLock::new());
    let beside = async move |State(host): State<DuelHost>, request: Request| {
        let made = late.get_or_init(|| {
            let mut router = beside_duels(&host).fallback(async || StatusCode::MISDIRECTED_REQUEST);
            if !HAS_PATTERNS {
                router = router.layer(middleware::from_fn(without_patterns));
            }
            router.with_state(host)
        });
        let mut router: Router = made.clone();
        router.call(request).await
    };
    guarded(duels().fallback(beside), host)
}

/// A search with a regular expression (`/…/`) is not understood by a module that has none, and is answered as
/// what it does not do.
async fn without_patterns(request: Request, next: Next) -> Response {
    let asked = Query::<BTreeMap<String, String>>::try_from_uri(request.uri());
    let has_one = asked.is_ok_and(|fields| fields.get("q").is_some_and(|text| text.contains('/')));
    match has_one {
        true => StatusCode::MISDIRECTED_REQUEST.into_response(),
        false => next.run(request).await,
    }
}

/// What every request must pass stands before the routes.
fn guarded(router: Router<DuelHost>, host: &DuelHost) -> Router {
    router
        // The guard takes less from most of them.
        .layer(DefaultBodyLimit::max(MOST_WITH_DECK))
        .layer(middleware::from_fn_with_state(host.clone(), guard::<DuelHosting>))
        .with_state(host.clone())
}

/// What is done at a seat and on the way to it.
fn duels() -> Router<DuelHost> {
    let seat = Router::new()
        .route("/", get(page))
        .route("/events", get(events))
        .route("/here", post(here))
        .route("/home", get(own_home))
        .route("/sit", post(forms::sit))
        .route("/reveal", post(forms::reveal))
        .route("/answer", post(forms::answer))
        .route("/act", post(forms::act))
        .route("/explain/{step}/{of}", get(beside::explain))
        .route("/trace", get(beside::trace))
        .route("/help", get(beside::help))
        .route("/shelf", get(beside::shelf))
        .route("/moment/{step}", get(beside::moment))
        .route("/moment", get(beside::moment_by_query))
        .route("/review", get(beside::review))
        .route("/think/{step}", get(beside::think))
        .route("/share", get(beside::share))
        .route("/record.json", get(beside::record));
    Router::new()
        .route("/", get(|| async { Redirect::to("/front/") }))
        .merge(crate::front::routes())
        .merge(crate::invite::routes())
        .route("/join/{secret}", get(join))
        .route("/join/{secret}/moment/{step}", get(join_at))
        .route("/open/{ticket}", get(open))
        .nest("/s/{seat}", seat)
        .route("/s/{seat}/", get(page))
}

/// What is done with the cards that are played there, and the puzzle of the day.
fn beside_duels(host: &DuelHost) -> Router<DuelHost> {
    crate::daily::routes().merge(crate::cards::of_duels(host))
}

/// Who sits at a duel.
type SeatVisitor = Visitor<DuelHosting>;

impl SeatRoutes for DuelHosting {
    const SEATS: &'static str = "/s/";

    fn not_woken(scripted: bool, fault: WakeError) -> Response {
        refused(
            scripted,
            match fault {
                WakeError::Full(_) => Refused::Busy,
                WakeError::Damaged(_) | WakeError::Unread(_) => Refused::NotRead,
            },
        )
    }

    fn too_much(scripted: bool) -> Response {
        refused(scripted, Refused::Busy)
    }
}

impl SeatVisitor {
    /// Does something on a thread of its own, when it is this seat's turn.
    async fn work<T: Send + 'static>(&self, job: impl FnOnce() -> T + Send + 'static) -> Result<T, Refused> {
        work(&self.hall.tasks, self.quota(), &self.hall.setting.limits, job).await
    }

    /// Makes a page of what is behind the door, on the seat's time.
    async fn show(&self, make: impl FnOnce(&DuelTable) -> Option<String> + Send + 'static) -> Response {
        let room = self.table.room();
        let quota = Arc::clone(self.quota());
        let made = self.work(move || {
            let begun = Moment::now();
            let made = room.table().and_then(make);
            quota.spend(begun.elapsed());
            made
        });
        match made.await {
            Ok(Some(page)) => Html(page).into_response(),
            Ok(None) => not_found(),
            Err(fault) => refused(self.scripted, fault),
        }
    }

    /// The seat's page as it stands.
    async fn page(&self, notice: Option<String>) -> Result<String, Refused> {
        let (room, seat, address) = (self.table.room(), self.seat, self.address());
        let (hall, quota) = (Arc::clone(&self.hall), Arc::clone(self.quota()));
        let presence = self.table.presence.of(seat.other());
        let work_notice = hall.notices.now();
        self.work(move || {
            let begun = Moment::now();
            let page = match &*room {
                SeatRoom::Gathering(gathering) => {
                    let invitation = hall.invitation_of(gathering, seat);
                    let gathering = markup::Gathered {
                        gathering,
                        seat,
                        invitation: invitation.as_deref(),
                        by_invitation: None,
                    };
                    markup::gathering(&gathering, &address, notice.as_deref())
                }
                SeatRoom::Playing(table) => {
                    let scene = hall
                        .setting
                        .limits
                        .timed(|trials| SeatScene::now(table, seat, trials))
                        .with(presence)
                        .noted(work_notice.as_deref());
                    hall.note_slow(&scene.slow);
                    markup::document(
                        &scene,
                        &address,
                        notice.as_deref(),
                        &hall.setting.package.now().shelf,
                    )
                }
            };
            quota.spend(begun.elapsed());
            page
        })
        .await
    }
}

/// What is no address of a duel: free tables answer for themselves.
async fn elsewhere(State(host): State<DuelHost>, request: Request) -> Response {
    let path = request.uri().path();
    let is_free = ["/f/", "/free/", "/assets/free/"]
        .iter()
        .any(|start| path.starts_with(start));
    let free = if is_free {
        free_tables_of(&host).await
    } else {
        None
    };
    match free {
        Some(free) => match crate::free::router(&free).call(request).await {
            Ok(response) => response,
            Err(never) => match never {},
        },
        None => not_found(),
    }
}

/// A script gets a status and words; a plain form gets a page.
fn refused(scripted: bool, fault: Refused) -> Response {
    let words = fault.to_string();
    let status = status_of(fault);
    let mut response = match scripted {
        true => (status, words).into_response(),
        false => (status, Html(markup::message("Not now", &words))).into_response(),
    };
    if status != StatusCode::CONFLICT {
        let soon = HeaderValue::from_static("1");
        response.headers_mut().insert(header::RETRY_AFTER, soon);
    }
    response
}

fn status_of(fault: Refused) -> StatusCode {
    match fault {
        Refused::NotKept | Refused::NotRead | Refused::TooLong => StatusCode::SERVICE_UNAVAILABLE,
        Refused::Busy => StatusCode::TOO_MANY_REQUESTS,
        Refused::Stale
        | Refused::Repeated
        | Refused::NotYours
        | Refused::NotOffered
        | Refused::Over
        | Refused::NoUndo
        | Refused::Forged
        | Refused::Lesson
        | Refused::NoStage
        | Refused::Elsewhere
        | Refused::TooMuch
        | Refused::NotBegun
        | Refused::NoCommitment
        | Refused::NotBound
        | Refused::DoesNotFit => StatusCode::CONFLICT,
    }
}

/// Whoever shows the secret gets it as a cookie, and the address is clean again.
async fn join(State(host): State<DuelHost>, Path(secret): Path<String>) -> Response {
    lead_to_duel(&host, &secret)
}

/// As [`join`], to a moment of the duel.
async fn join_at(State(host): State<DuelHost>, Path((secret, step)): Path<(String, usize)>) -> Response {
    lead_to_moment(&host, &secret, step)
}

/// A ticket leads to a seat once.
async fn open(State(host): State<DuelHost>, Path(ticket): Path<String>) -> Response {
    let way = host.hall.take_ticket(&ticket).map(|ticket| ticket.way);
    match way.as_deref().and_then(|way| way.strip_prefix("/join/")) {
        Some(secret) => lead_along(&host, secret),
        None if way.as_deref() == Some(&*host.front_page()) => lead_home(&host),
        None => match run_on(&host, way.as_deref()) {
            Some(seed) => lead_to_run(&host, seed),
            None => used_up(),
        },
    }
}

/// The run to which a way leads.
fn run_on(host: &DuelHost, way: Option<&str>) -> Option<cw_run::RunSeed> {
    let rest = way?.strip_prefix(&host.front_page())?;
    rest.strip_prefix("?run=")?.parse().ok()
}

async fn page(sitter: SeatVisitor) -> Response {
    match sitter.page(None).await {
        Ok(page) => Html(page).into_response(),
        Err(fault) => refused(sitter.scripted, fault),
    }
}

/// Where *Home* leads: who runs the host goes on to the front page, others have a page of their own, and from
/// a lesson or an earlier moment that somebody opened it goes back to where they came from.
async fn own_home(sitter: SeatVisitor, headers: HeaderMap) -> Response {
    let room = sitter.table.room();
    let is_the_hosts = sitter.table.is_the_hosts(sitter.seat);
    if !room.start().between_people() || is_the_hosts {
        let way = named_cookie(&headers, "came=").filter(|way| is_own_way(way));
        let way = way.filter(|_| !is_the_hosts);
        return Redirect::to(way.unwrap_or("/front/")).into_response();
    }
    let (seat, number) = (sitter.seat, room.number());
    let stamped = markup::Stamped {
        number,
        stamp: sitter.stamp(number),
    };
    let shelf = &sitter.hall.setting.package.now();
    let shelf = &shelf.shelf;
    Html(markup::home(
        room.start(),
        seat,
        &sitter.address(),
        &stamped,
        shelf,
    ))
    .into_response()
}

#[derive(Debug, Deserialize)]
struct Since {
    number: Option<u64>,
}

async fn events(sitter: SeatVisitor, Query(since): Query<Since>, headers: HeaderMap) -> Response {
    let limits = sitter.hall.setting.limits;
    let Some(held) = sitter.hold_stream() else {
        let words = "This table is open in too many places already.";
        let page = markup::message("Too many", words);
        return (StatusCode::TOO_MANY_REQUESTS, Html(page)).into_response();
    };
    let last = headers.get("last-event-id").and_then(|id| id.to_str().ok());
    let number = last.and_then(|id| id.parse().ok()).or(since.number).unwrap_or(0);
    let follower = Follower {
        tasks: sitter.hall.tasks.clone(),
        table: Arc::clone(&sitter.table),
        seat: sitter.seat,
        limits,
        notices: Arc::clone(&sitter.hall.notices),
        _held: (
            held,
            sitter.connection.as_ref().map(Connection::begin),
            sitter.table.presence.come(sitter.seat),
        ),
    };
    Sse::new(follow(follower, number)).into_response()
}

/// A page answers a beat of its stream.
async fn here(sitter: SeatVisitor) -> StatusCode {
    sitter.table.presence.answer_beat(sitter.seat);
    StatusCode::NO_CONTENT
}
