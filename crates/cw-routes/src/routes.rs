//! The routes: what each request may do, and what it gets.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::{DefaultBodyLimit, Form, FromRequestParts, Path, Query, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::sse::Sse;
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::{get, post};

use axum::{Router, middleware};
use cw_duel::Seat;
use cw_faces::{CardFace, FaceSize};
use cw_load::PicturePlace;
use cw_octgn::PackageFiles;
use cw_program::ModelId;
use serde::Deserialize;
use tower::Service as _;

use crate::asset::PageAsset;
use crate::connection::Connection;
use crate::free::free_tables_of;
use crate::guard::{MOST_WITH_DECK, cookie, guard, named_cookie};
use crate::stream::{Follower, follow};
use crate::work::{off_hand, work};
use cw_hall::clock::Moment;
use cw_hall::duels::{DuelHall, DuelHost, HostedDuel, Invitation};
use cw_hall::hall::{HostError, WakeError};
use cw_hall::lock::locked;
use cw_hall::quota::{Counted, Quota};
use cw_pages::beats::beats;
use cw_pages::linked;
use cw_pages::markup;
use cw_pages::review::ReviewProgress;
use cw_pages::room::SeatRoom;
use cw_pages::scene::SeatScene;
use cw_pages::secret::Secret;
use cw_pages::table::{DuelTable, PhaseStop, Puzzle, Refused};

/// The routes of duels, and of the free tables of the same package. What runs beside requests runs on the tasks of the
/// hall.
pub fn router(host: &DuelHost) -> Router {
    let router = duels()
        .merge(drawn())
        .merge(crate::front::free_routes())
        .merge(crate::cards::of_duels(host))
        .fallback(elsewhere);
    guarded(router, host)
}

/// The routes of duels alone, for a page that has its pictures, styles and scripts in files. Whatever else is asked for
/// gets the status 421 ("misdirected request", RFC 9110, section 15.5.20): a page that has [`router`], too, asks that.
pub fn router_beside_files(host: &DuelHost) -> Router {
    guarded(duels().fallback(async || StatusCode::MISDIRECTED_REQUEST), host)
}

/// What every request must pass stands before the routes.
fn guarded(router: Router<DuelHost>, host: &DuelHost) -> Router {
    router
        // The guard takes less from most of them.
        .layer(DefaultBodyLimit::max(MOST_WITH_DECK))
        .layer(middleware::from_fn_with_state(host.clone(), guard))
        .with_state(host.clone())
}

/// What is done at a seat and on the way to it.
fn duels() -> Router<DuelHost> {
    let seat = Router::new()
        .route("/", get(page))
        .route("/events", get(events))
        .route("/here", post(here))
        .route("/home", get(own_home))
        .route("/sit", post(sit))
        .route("/reveal", post(reveal))
        .route("/answer", post(answer))
        .route("/act", post(act))
        .route("/explain/{step}/{of}", get(explain))
        .route("/trace", get(trace))
        .route("/help", get(help))
        .route("/shelf", get(shelf))
        .route("/moment/{step}", get(moment))
        .route("/moment", get(moment_by_query))
        .route("/review", get(review))
        .route("/think/{step}", get(think))
        .route("/share", get(share))
        .route("/record.json", get(record));
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

/// Pictures that are drawn, and the files of the pages: the same for everybody.
fn drawn() -> Router<DuelHost> {
    let rooms = ROOMS.iter().fold(Router::new(), |router, (name, asset)| {
        router.route(&format!("/assets/duel/{name}"), asset.route())
    });
    rooms
        .route("/face/back.svg", get(back))
        .route("/face/{model}/form/{form}", get(other_form))
        .route("/back/{shape}", get(package_back))
        .route("/picture/{model}", get(card_picture))
        .route("/picture/{model}/{form}", get(form_picture))
        .route("/marker/{marker}", get(marker_picture))
        .route("/assets/cards.css", get(card_shapes))
        .route("/face/{model}/{size}", get(face))
        .route("/assets/table.css", STYLE.route())
        .route("/assets/front.css", FRONT_STYLE.route())
        .route("/assets/table.js", TABLE_SCRIPT.route())
        .route("/assets/shuffle.js", SHUFFLE_SCRIPT.route())
        .route("/assets/share.js", SHARE_SCRIPT.route())
        .merge(surfaces())
}

/// What tables lie on.
pub(crate) fn surfaces<S: Clone + Send + Sync + 'static>() -> Router<S> {
    Router::new()
        .route(
            "/assets/surface/planks.svg",
            get(|| async { picture(include_str!("../../cw-pages/assets/surface/planks.svg")) }),
        )
        .route(
            "/assets/surface/canvas.svg",
            get(|| async { picture(include_str!("../../cw-pages/assets/surface/canvas.svg")) }),
        )
}

/// Who asks: the table and the seat that the address and the cookie together stand for. A handler
/// that takes it is reached by nobody else.
struct SeatVisitor {
    hall: Arc<DuelHall>,
    cell: Arc<HostedDuel>,
    seat: Seat,
    /// The seat's public name, in its address.
    name: String,
    /// Whether the page's script asks, not the browser itself.
    scripted: bool,
    /// The connection, where there is one.
    connection: Option<Arc<Connection>>,
}

impl FromRequestParts<DuelHost> for SeatVisitor {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, host: &DuelHost) -> Result<SeatVisitor, Response> {
        let path = Path::<BTreeMap<String, String>>::from_request_parts(parts, host).await;
        let Path(mut path) = path.map_err(IntoResponse::into_response)?;
        let name = path.remove("seat").ok_or_else(not_found)?;
        let token = cookie(&parts.headers).unwrap_or("");
        // A name follows from its secret: who cannot show it wakes nothing.
        let shown = Secret::read(token).filter(|secret| secret.public() == name);
        let found = match shown.and_then(|_| host.hall.find(&name)) {
            None if Secret::read(token).is_some_and(|secret| secret.public() == name) => {
                let (hall, name) = (Arc::clone(&host.hall), name.clone());
                let woken = host.hall.tasks.work(move || hall.wake(&name)).await;
                match woken {
                    Ok(Ok(found)) => found,
                    Ok(Err(WakeError::Full(_))) => {
                        return Err(refused(parts.headers.contains_key("x-table"), Refused::Busy));
                    }
                    Ok(Err(_)) | Err(_) => {
                        return Err(refused(parts.headers.contains_key("x-table"), Refused::NotRead));
                    }
                }
            }
            found => found,
        };
        let allowed = found.filter(|(cell, seat)| cell.secret(*seat).is(token));
        let Some((cell, seat)) = allowed else {
            let words = "Open the link to your seat again: the program printed it when it started.";
            let page = markup::message("This seat is not yours", words);
            return Err((StatusCode::FORBIDDEN, Html(page)).into_response());
        };
        let quota = cell.quota(seat);
        let connection = parts.extensions.get::<Arc<Connection>>().cloned();
        let limits = &host.hall.setting.limits;
        let room_for_it = connection.as_ref().is_none_or(|one| one.shows(quota, limits));
        let scripted = parts.headers.contains_key("x-table");
        if !room_for_it || !quota.take(1.0) || !quota.has_time() {
            return Err(refused(scripted, Refused::Busy));
        }
        cell.use_now();
        Ok(SeatVisitor {
            hall: Arc::clone(&host.hall),
            cell,
            seat,
            name,
            scripted,
            connection,
        })
    }
}

impl SeatVisitor {
    fn quota(&self) -> &Arc<Quota> {
        self.cell.quota(self.seat)
    }

    /// Does something on a thread of its own, when it is this seat's turn.
    async fn work<T: Send + 'static>(&self, job: impl FnOnce() -> T + Send + 'static) -> Result<T, Refused> {
        work(&self.hall.tasks, self.quota(), &self.hall.setting.limits, job).await
    }

    /// Makes a page of what is behind the door, on the seat's time.
    async fn show(&self, make: impl FnOnce(&DuelTable) -> Option<String> + Send + 'static) -> Response {
        let room = self.cell.room();
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
        let (room, seat, address) = (self.cell.room(), self.seat, self.address());
        let (hall, quota) = (Arc::clone(&self.hall), Arc::clone(self.quota()));
        let presence = self.cell.presence.of(seat.other());
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
                        .with(presence);
                    hall.note_slow(&scene.slow);
                    markup::document(&scene, &address, notice.as_deref(), &hall.setting.package.shelf)
                }
            };
            quota.spend(begun.elapsed());
            page
        })
        .await
    }

    /// The address of the seat.
    fn address(&self) -> String {
        format!("/s/{}/", self.name)
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
        Some(free) => match crate::free::routes::router(&free).call(request).await {
            Ok(response) => response,
            Err(never) => match never {},
        },
        None => not_found(),
    }
}

pub(crate) fn not_found() -> Response {
    let page = markup::message("Nothing here", "There is no page at this address.");
    (StatusCode::NOT_FOUND, Html(page)).into_response()
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
    lead_to_seat(&host, &secret)
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
        None if way.as_deref() == Some(&*host.front_page()) => crate::front::lead_home(&host),
        None => {
            let words = "This link to the table has already been used, or is too old. Open the link that the program printed.";
            let page = markup::message("This link no longer works", words);
            (StatusCode::GONE, Html(page)).into_response()
        }
    }
}

/// Where the rest of a way behind `/join/` leads: to a seat, or to a moment of its duel.
pub(crate) fn lead_along(host: &DuelHost, way: &str) -> Response {
    let moment = way.split_once("/moment/");
    match moment.and_then(|(secret, step)| Some((secret, step.parse().ok()?))) {
        Some((secret, step)) => lead_to_moment(host, secret, step),
        None => lead_to_seat(host, way),
    }
}

/// As [`lead_to_seat`], to a moment of the duel.
fn lead_to_moment(host: &DuelHost, secret: &str, step: usize) -> Response {
    let mut response = lead_to_seat(host, secret);
    let name = Secret::read(secret).map(|secret| secret.public());
    if let Some(name) = name.filter(|_| response.status().is_redirection())
        && let Ok(way) = HeaderValue::from_str(&format!("/s/{name}/moment/{step}"))
    {
        response.headers_mut().insert(header::LOCATION, way);
    }
    response
}

pub(crate) fn lead_to_seat(host: &DuelHost, secret: &str) -> Response {
    let Some(secret) = Secret::read(secret) else {
        return not_found();
    };
    let name = secret.public();
    if !host.hall.knows(&name) {
        return not_found();
    }
    let cookie = format!(
        "seat={}; Path=/s/{name}; HttpOnly; SameSite=Strict; Max-Age=2592000",
        secret.reveal()
    );
    let mut response = Redirect::to(&format!("/s/{name}/")).into_response();
    let value = HeaderValue::from_str(&cookie).expect("a cookie of hexadecimal digits is a header");
    response.headers_mut().insert(header::SET_COOKIE, value);
    if host.hall.is_the_hosts(&name) {
        response
            .headers_mut()
            .append(header::SET_COOKIE, crate::front::home_cookie(host));
    }
    response
}

async fn page(sitter: SeatVisitor) -> Response {
    match sitter.page(None).await {
        Ok(page) => Html(page).into_response(),
        Err(fault) => refused(sitter.scripted, fault),
    }
}

/// Where *Home* leads: who runs the host goes on to the front page, others have a page of their own, and from a lesson or
/// an earlier moment that somebody opened it goes back to where they came from.
async fn own_home(sitter: SeatVisitor, headers: HeaderMap) -> Response {
    let room = sitter.cell.room();
    if !room.start().between_people() || sitter.hall.is_the_hosts(&sitter.name) {
        let way = named_cookie(&headers, "came=").filter(|way| is_own_way(way));
        let way = way.filter(|_| !sitter.hall.is_the_hosts(&sitter.name));
        return Redirect::to(way.unwrap_or("/front/")).into_response();
    }
    let (seat, number) = (sitter.seat, room.number());
    let stamped = markup::Stamped {
        number,
        stamp: sitter.cell.secret(seat).stamp(number),
    };
    let shelf = &sitter.hall.setting.package.shelf;
    Html(markup::home(
        room.start(),
        seat,
        &sitter.address(),
        &stamped,
        shelf,
    ))
    .into_response()
}

/// Whether it is an address to which *Home* may lead back: a seat's own page, or an invitation.
pub(crate) fn is_own_way(way: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'/';
    (way.starts_with("/s/") || way.starts_with("/invite/")) && way.bytes().all(plain)
}

/// The browser remembers from where it went to a lesson or an earlier moment.
pub(crate) fn come_from(mut response: Response, way: &str) -> Response {
    let cookie = format!("came={way}; Path=/s; HttpOnly; SameSite=Strict; Max-Age=2592000");
    if let Ok(cookie) = HeaderValue::from_str(&cookie) {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    response
}

#[derive(Debug, Deserialize)]
struct Since {
    number: Option<u64>,
}

async fn events(sitter: SeatVisitor, Query(since): Query<Since>, headers: HeaderMap) -> Response {
    let limits = sitter.hall.setting.limits;
    let Some(held) = sitter.quota().hold(Counted::Stream, limits.streams) else {
        let words = "This table is open in too many places already.";
        let page = markup::message("Too many", words);
        return (StatusCode::TOO_MANY_REQUESTS, Html(page)).into_response();
    };
    let last = headers.get("last-event-id").and_then(|id| id.to_str().ok());
    let number = last.and_then(|id| id.parse().ok()).or(since.number).unwrap_or(0);
    let follower = Follower {
        tasks: sitter.hall.tasks.clone(),
        cell: Arc::clone(&sitter.cell),
        seat: sitter.seat,
        limits,
        _held: (
            held,
            sitter.connection.as_ref().map(Connection::begin),
            sitter.cell.presence.come(sitter.seat),
        ),
    };
    Sse::new(follow(follower, number)).into_response()
}

/// A page answers a beat of its stream.
async fn here(sitter: SeatVisitor) -> StatusCode {
    sitter.cell.presence.answer_beat(sitter.seat);
    StatusCode::NO_CONTENT
}

/// The form of who sits down before the shuffle.
#[derive(Debug, Deserialize)]
struct SitDownForm {
    k: String,
    #[serde(default)]
    commit: String,
    #[serde(default)]
    name: String,
}

async fn sit(sitter: SeatVisitor, Form(form): Form<SitDownForm>) -> Response {
    let (hall, cell) = (Arc::clone(&sitter.hall), Arc::clone(&sitter.cell));
    let seat = sitter.seat;
    let done = sitter.work(move || {
        if cell.secret(seat).stamp(0) != form.k {
            return Err(Refused::Forged);
        }
        hall.sit_down(&cell, seat, &form.commit, &form.name, None)
    });
    let result = done.await.and_then(|done| done);
    respond(&sitter, result).await
}

/// The form of who reveals its part of a shuffle.
#[derive(Debug, Deserialize)]
struct Reveal {
    k: String,
    /// The commitment to it.
    c: String,
    #[serde(default)]
    nonce: String,
}

async fn reveal(sitter: SeatVisitor, Form(form): Form<Reveal>) -> Response {
    let (hall, cell) = (Arc::clone(&sitter.hall), Arc::clone(&sitter.cell));
    let seat = sitter.seat;
    let done = sitter.work(move || {
        if cell.secret(seat).stamp(0) != form.k {
            return Err(Refused::Forged);
        }
        hall.reveal(&cell, seat, &form.c, &form.nonce)
    });
    let result = done.await.and_then(|done| done);
    respond(&sitter, result).await
}

/// A decision's form.
#[derive(Debug, Deserialize)]
struct AnswerForm {
    n: u64,
    k: String,
    /// The option; or several candidates of one question, each with a comma behind it. A lone comma is none.
    o: String,
    /// A character that is played goes to this slot, counted from 0; “first” is the first free one.
    #[serde(default)]
    slot: Option<String>,
}

async fn answer(sitter: SeatVisitor, Form(form): Form<AnswerForm>) -> Response {
    let seat = sitter.seat;
    let result = change(&sitter, move |room| {
        let table = room.playing()?;
        match form.o.contains(',') {
            true => {
                let chosen = form.o.split(',').filter(|option| !option.is_empty());
                let chosen: Result<Vec<usize>, _> = chosen.map(str::parse).collect();
                let chosen = chosen.map_err(|_| Refused::NotOffered)?;
                table.answer_several(seat, form.n, &form.k, &chosen)?;
            }
            false => {
                let option = form.o.parse().map_err(|_| Refused::NotOffered)?;
                table.answer(seat, form.n, &form.k, option)?;
            }
        }
        if let Some(slot) = form.slot {
            table.take_slot(seat, slot.parse().ok());
        }
        Ok(())
    });
    let result = result.await;
    respond(&sitter, result).await
}

/// Changes what is behind the door, on a thread of its own.
async fn change(
    sitter: &SeatVisitor,
    act: impl FnOnce(&mut SeatRoom) -> Result<(), Refused> + Send + 'static,
) -> Result<(), Refused> {
    let (hall, cell) = (Arc::clone(&sitter.hall), Arc::clone(&sitter.cell));
    let quota = Arc::clone(sitter.quota());
    sitter
        .work(move || {
            hall.change(&cell, |room| {
                let begun = Moment::now();
                let done = act(room);
                quota.spend(begun.elapsed());
                done
            })
        })
        .await?
}

/// Everything else that a seat can ask for.
#[derive(Debug, Deserialize)]
struct SeatRequest {
    n: u64,
    k: String,
    act: String,
    /// What binds the seat in the next shuffle, where it would play again or take back.
    #[serde(default)]
    commit: String,
}

async fn act(sitter: SeatVisitor, Form(form): Form<SeatRequest>) -> Response {
    if let Some(opened) = go_elsewhere(&sitter, &form).await {
        return match opened {
            Ok(invitation) => {
                let response = Redirect::to(&invitation.path).into_response();
                let is_guest =
                    sitter.cell.room().start().between_people() && !sitter.hall.is_the_hosts(&sitter.name);
                match is_guest {
                    true => come_from(response, &format!("{}home", sitter.address())),
                    false => response,
                }
            }
            Err(fault) => respond(&sitter, Err(fault)).await,
        };
    }
    let (hall, cell) = (Arc::clone(&sitter.hall), Arc::clone(&sitter.cell));
    let seat = sitter.seat;
    let result = match form.act.as_str() {
        "again" | "rematch" | "swap" => {
            let stamped = stamped(&sitter, &form);
            let replaced = sitter.work(move || {
                stamped?;
                match form.act.as_str() {
                    "again" => hall.again(&cell, form.n),
                    other => hall.rematch(&cell, seat, form.n, &form.commit, other == "swap"),
                }
            });
            replaced.await.and_then(|done| done)
        }
        _ => {
            let stamped = stamped(&sitter, &form);
            change(&sitter, move |room| {
                stamped?;
                do_act(room.playing()?, seat, &form)
            })
            .await
        }
    };
    respond(&sitter, result).await
}

/// Requests that a table costs which a seat opens.
pub(crate) const PRICE_OF_A_TABLE: f64 = 25.0;

/// What leads to another table: a lesson or puzzle of the shelf, or an earlier moment of a duel that
/// is over, to be played on from there.
async fn go_elsewhere(sitter: &SeatVisitor, form: &SeatRequest) -> Option<Result<Invitation, Refused>> {
    let number = |prefix: &str| -> Option<usize> { form.act.strip_prefix(prefix)?.parse().ok() };
    let (stage, moment) = (number("stage-"), number("from-"));
    let (next, solution) = (form.act == "next", form.act == "solution");
    let real = form.act == "real-duel";
    if stage.or(moment).is_none() && !next && !solution && !real {
        return None;
    }
    if let Err(fault) = stamped(sitter, form) {
        return Some(Err(fault));
    }
    if !sitter.quota().take(PRICE_OF_A_TABLE) {
        return Some(Err(Refused::Busy));
    }
    let opened = |result: Result<Invitation, HostError>| {
        result.map_err(|fault| match fault {
            HostError::Store(_) => Refused::NotKept,
            HostError::Full(_) => Refused::Busy,
            HostError::Begin(_) => Refused::NotOffered,
        })
    };
    let (hall, quota, seat) = (Arc::clone(&sitter.hall), Arc::clone(sitter.quota()), sitter.seat);
    // One look at the table: what is over in it is what the new one goes on from.
    let (room, asked) = (sitter.cell.room(), form.n);
    let made = sitter.work(move || {
        if let Some(at) = stage {
            let stage = hall.setting.package.shelf.get(at).ok_or(Refused::NoStage)?;
            return opened(hall.open_stage(stage, Some(&quota)));
        }
        let table = room.table().ok_or(Refused::NotBegun)?;
        if asked < table.first_number() {
            return Err(Refused::Stale);
        }
        let own = table.start.stage.as_ref();
        if real {
            return opened(hall.real_duel(&quota));
        }
        if next {
            let next = own.and_then(|own| own.next_on(&hall.setting.package.shelf));
            return opened(hall.open_stage(&next.ok_or(Refused::NoStage)?, Some(&quota)));
        }
        if solution {
            // It is shown to who has tried.
            let own = own.filter(|own| own.has_solution() && table.puzzle() == Some(Puzzle::Failed));
            let solved = Arc::new(own.ok_or(Refused::NotOffered)?.after_its_steps());
            return opened(hall.open_stage(&solved, Some(&quota)));
        }
        // Before the end a second table would tell what lies in decks and hands.
        if !table.is_over() {
            return Err(Refused::NotOffered);
        }
        let at = moment.unwrap_or(0).min(table.last());
        opened(hall.fork(table, at, seat, &quota))
    });
    Some(made.await.and_then(|made| made))
}

fn stamped(sitter: &SeatVisitor, form: &SeatRequest) -> Result<(), Refused> {
    match sitter.cell.secret(sitter.seat).stamp(form.n) == form.k {
        true => Ok(()),
        false => Err(Refused::Forged),
    }
}

/// Every act carries the number of the question on its page. What depends on the question needs it to
/// be the one that waits; conceding, like a setting, needs only to be meant for this duel.
fn do_act(table: &mut DuelTable, seat: Seat, form: &SeatRequest) -> Result<(), Refused> {
    let stop = |word: &str| PhaseStop::ALL.into_iter().find(|stop| stop.word() == word);
    if form.n < table.first_number() || form.n > table.number() {
        return Err(Refused::Stale);
    }
    let newest = form.n == table.number();
    match form.act.as_str() {
        "concede" => table.forfeit(seat, form.n),
        "control" => table.toggle_full_control(seat),
        // What is taken back, answered or put away must be what the page showed.
        "undo" | "attack-all" | "always-yes" | "always-no" | "dismiss" | "ask-back" | "let-back"
        | "play-on" | "offer-draw" | "accept-draw" | "no-rematch"
            if !newest =>
        {
            Err(Refused::Stale)
        }
        "undo" => table.undo(seat),
        "attack-all" => table.attack_with_all(seat),
        "always-yes" => table.answer_always(seat, true),
        "always-no" => table.answer_always(seat, false),
        "dismiss" => table.dismiss(seat),
        "ask-back" => table.ask_back(seat, &form.commit),
        "let-back" => table.answer_asking(seat, true, &form.commit),
        "play-on" => table.answer_asking(seat, false, ""),
        "offer-draw" => table.offer_draw(seat),
        "accept-draw" => table.accept_draw(seat, form.n),
        "no-rematch" => table.decline_rematch(seat),
        other => {
            if let Some(at) = other.strip_prefix("ask-").and_then(|at| at.parse().ok()) {
                return match newest {
                    true => table.ask_again(seat, at),
                    false => Err(Refused::Stale),
                };
            }
            let stop = other.strip_prefix("stop-").and_then(stop);
            let stop = stop.ok_or(Refused::NotOffered)?;
            table.toggle_stop(seat, stop)
        }
    }
}

/// A script gets a status; a plain form gets the page.
async fn respond(sitter: &SeatVisitor, result: Result<(), Refused>) -> Response {
    let fault = match result {
        Ok(()) | Err(Refused::Repeated) => {
            sitter.hall.settle(&sitter.cell);
            return if sitter.scripted {
                StatusCode::NO_CONTENT.into_response()
            } else {
                Redirect::to(&sitter.address()).into_response()
            };
        }
        Err(fault) => fault,
    };
    if fault == Refused::NotKept {
        // What a computer could not keep, or what turns out to be kept, goes on by itself.
        sitter.hall.settle(&sitter.cell);
    }
    let page = match sitter.scripted {
        true => None,
        false => sitter.page(Some(fault.to_string())).await.ok(),
    };
    let mut response = refused(sitter.scripted, fault);
    if let Some(page) = page {
        let retry = response.headers().get(header::RETRY_AFTER).cloned();
        response = (status_of(fault), Html(page)).into_response();
        if let Some(retry) = retry {
            response.headers_mut().insert(header::RETRY_AFTER, retry);
        }
    }
    response
}

/// A moment of the past: which, and through whose eyes.
#[derive(Debug, Deserialize)]
struct MomentForm {
    #[serde(default)]
    step: usize,
    /// The other seat's view, when the duel is over.
    #[serde(default)]
    other: bool,
    /// Which moment of a fight, from 0; all of it if `None`.
    beat: Option<usize>,
}

/// What a path says besides the seat.
#[derive(Debug, Deserialize)]
struct AtStep {
    step: usize,
}

async fn moment(sitter: SeatVisitor, Path(at): Path<AtStep>, Query(wanted): Query<MomentForm>) -> Response {
    let AtStep { step } = at;
    show_moment(&sitter, MomentForm { step, ..wanted }).await
}

async fn moment_by_query(sitter: SeatVisitor, Query(wanted): Query<MomentForm>) -> Response {
    show_moment(&sitter, wanted).await
}

async fn show_moment(sitter: &SeatVisitor, wanted: MomentForm) -> Response {
    let (own, address) = (sitter.seat, sitter.address());
    let shown = sitter.show(move |table| {
        let step = wanted.step.min(table.last());
        // Before the end nobody looks into the other hand.
        let other = wanted.other && table.is_over();
        let eyes = if other { own.other() } else { own };
        let beat = wanted.beat.and_then(|at| beats(table, step).into_iter().nth(at));
        let mut scene = match beat {
            Some(beat) => SeatScene::beat(table, eyes, step, &beat),
            None => SeatScene::at(table, eyes, step),
        };
        scene.own = own;
        Some(markup::moment(&scene, &address))
    });
    shown.await
}

/// A number of a step: its place among the steps, or [`markup::NOW`].
#[derive(Debug, Deserialize)]
struct StepNumber {
    step: String,
    of: String,
}

/// Where a number comes from.
async fn explain(sitter: SeatVisitor, Path(StepNumber { step, of }): Path<StepNumber>) -> Response {
    let (seat, insight) = (sitter.seat, InsightForm::of(&sitter));
    let shown = sitter.show(move |table| {
        let at = if step == markup::NOW {
            table.last()
        } else {
            step.parse().ok()?
        };
        let scene = SeatScene::at(table, seat, at.min(table.last()));
        let explained = markup::value(seat, &of).and_then(|value| scene.explain(value))?;
        Some(insight.page(&markup::explanation(&scene, &explained)))
    });
    shown.await
}

/// What the engine did last, for those who write rules.
async fn trace(sitter: SeatVisitor) -> Response {
    let (seat, insight, hall) = (sitter.seat, InsightForm::of(&sitter), Arc::clone(&sitter.hall));
    let shown = sitter.show(move |table| {
        let scene = hall
            .setting
            .limits
            .timed(|trials| SeatScene::now(table, seat, trials));
        let words = markup::trace(
            &scene,
            &scene.trace(),
            &hall.setting.package.rules,
            table.is_over(),
        );
        Some(insight.page(&words))
    });
    shown.await
}

/// How to play at the table.
async fn help(sitter: SeatVisitor) -> Response {
    let (seat, insight, limits) = (sitter.seat, InsightForm::of(&sitter), sitter.hall.setting.limits);
    let shown = sitter.show(move |table| {
        let scene = limits.timed(|trials| SeatScene::now(table, seat, trials));
        Some(insight.page(&markup::help_words(&scene)))
    });
    shown.await
}

/// What can be opened beside the lessons.
async fn shelf(sitter: SeatVisitor) -> Response {
    Html(markup::rest_of_shelf(&sitter.hall.setting.package.shelf).into_string()).into_response()
}

/// A script shows it over the table; without one it is a page.
struct InsightForm {
    scripted: bool,
    address: String,
}

impl InsightForm {
    fn of(sitter: &SeatVisitor) -> InsightForm {
        InsightForm {
            scripted: sitter.scripted,
            address: sitter.address(),
        }
    }

    fn page(&self, words: &cw_pages::markup::Markup) -> String {
        match self.scripted {
            true => words.clone().into_string(),
            false => markup::aside(words, &self.address),
        }
    }
}

/// What the seat's choices cost in chance of winning: a script asks again until it is ready.
async fn review(sitter: SeatVisitor) -> Response {
    let room = sitter.cell.room();
    let over = |table: &&DuelTable| table.is_over() && table.start.stage.is_none();
    let Some(table) = room.table().filter(over) else {
        return not_found();
    };
    let address = sitter.address();
    match sitter.cell.beside.reviews.of(table.first_number(), sitter.seat) {
        Some(ReviewProgress::Done(review)) => {
            let insight = InsightForm::of(&sitter);
            let seat = sitter.seat;
            let shown = sitter.show(move |table| {
                let scene = SeatScene::at(table, seat, table.last());
                Some(insight.page(&markup::review(&scene, &review)))
            });
            return shown.await;
        }
        Some(ReviewProgress::Running) => {}
        None => {
            if !sitter.quota().take(PRICE_OF_A_TABLE) {
                return refused(sitter.scripted, Refused::Busy);
            }
            sitter.hall.begin_review(&sitter.cell, sitter.seat);
        }
    }
    let mut response = match sitter.scripted {
        true => StatusCode::ACCEPTED.into_response(),
        false => (StatusCode::ACCEPTED, Html(markup::review_to_come(&address))).into_response(),
    };
    let soon = HeaderValue::from_static("1");
    response.headers_mut().insert(header::RETRY_AFTER, soon);
    response
}

/// What a computer would have done at a step where this seat chose, once the duel is over.
async fn think(sitter: SeatVisitor, Path(at): Path<AtStep>) -> Response {
    let (seat, insight) = (sitter.seat, InsightForm::of(&sitter));
    let hall = Arc::clone(&sitter.hall);
    let hall_of_permit = Arc::clone(&sitter.hall);
    let permit = hall_of_permit.thinkers.acquire().await;
    let shown = sitter.show(move |table| {
        if !table.is_over() {
            return None;
        }
        let scene = SeatScene::at(table, seat, at.step.min(table.last()));
        let decision = scene.duel.pending().filter(|decision| decision.seat == seat)?;
        let found = cw_pages::review::insight(&hall.setting.package, &scene.duel)?;
        Some(insight.page(&markup::thoughts(&scene, decision, &found)))
    });
    let shown = shown.await;
    drop(permit);
    shown
}

/// Which moment is shared; the whole duel if none is named.
#[derive(Debug, Deserialize)]
struct SharedMoment {
    step: Option<usize>,
}

/// What the seat may share, as text to be pasted.
async fn share(sitter: SeatVisitor, Query(wanted): Query<SharedMoment>) -> Response {
    let (seat, hall) = (sitter.seat, Arc::clone(&sitter.hall));
    let (scripted, address) = (sitter.scripted, sitter.address());
    let shown = sitter.show(move |table| {
        let at = wanted.step.map_or(table.last(), |step| step.min(table.last()));
        let setting = &hall.setting;
        let texts = linked::of_table(table, seat, at, &setting.package, setting.page.as_deref());
        Some(match texts {
            Ok(texts) if scripted => markup::share(&texts).into_string(),
            Ok(texts) => markup::share_page(&texts, &address),
            Err(why) if scripted => markup::not_shared(&why.to_string()).into_string(),
            Err(why) => markup::aside(&markup::not_shared(&why.to_string()), &address),
        })
    });
    shown.await
}

/// Only when the duel is over: a record shows both hands.
async fn record(sitter: SeatVisitor) -> Response {
    let room = sitter.cell.room();
    let Some(table) = room.table().filter(|table| table.is_over()) else {
        let page = markup::message(
            "Not yet",
            "The record of a duel shows both hands; you can get it when the duel is over.",
        );
        return (StatusCode::FORBIDDEN, Html(page)).into_response();
    };
    if table.start.stage.is_some() {
        return not_found();
    }
    let made = sitter.work(move || room.table().map(|table| table.record().write()));
    match made.await {
        Ok(text) => (
            [(header::CONTENT_TYPE, "application/json")],
            text.unwrap_or_default(),
        )
            .into_response(),
        Err(fault) => refused(sitter.scripted, fault),
    }
}

/// The table's style.
pub(crate) static STYLE: PageAsset = PageAsset::style(include_str!("../../cw-pages/assets/table.css"));

/// The style of the front page and of the gallery of cards.
pub(crate) static FRONT_STYLE: PageAsset = PageAsset::style(include_str!("../../cw-pages/assets/front.css"));

/// The table's script, which imports its rooms.
static TABLE_SCRIPT: PageAsset = PageAsset::script(include_str!("../../cw-pages/assets/table.js"));

/// The rooms of the table's script: its modules, by their names.
pub(crate) static ROOMS: [(&str, PageAsset); 16] = [
    (
        "answers.js",
        PageAsset::script(include_str!("../../cw-pages/assets/duel/answers.js")),
    ),
    (
        "drag.js",
        PageAsset::script(include_str!("../../cw-pages/assets/duel/drag.js")),
    ),
    (
        "ending.js",
        PageAsset::script(include_str!("../../cw-pages/assets/duel/ending.js")),
    ),
    (
        "forms.js",
        PageAsset::script(include_str!("../../cw-pages/assets/duel/forms.js")),
    ),
    (
        "frames.js",
        PageAsset::script(include_str!("../../cw-pages/assets/duel/frames.js")),
    ),
    (
        "hints.js",
        PageAsset::script(include_str!("../../cw-pages/assets/duel/hints.js")),
    ),
    (
        "keyboard.js",
        PageAsset::script(include_str!("../../cw-pages/assets/duel/keyboard.js")),
    ),
    (
        "layout.js",
        PageAsset::script(include_str!("../../cw-pages/assets/duel/layout.js")),
    ),
    (
        "motion.js",
        PageAsset::script(include_str!("../../cw-pages/assets/duel/motion.js")),
    ),
    (
        "pace.js",
        PageAsset::script(include_str!("../../cw-pages/assets/duel/pace.js")),
    ),
    (
        "page.js",
        PageAsset::script(include_str!("../../cw-pages/assets/duel/page.js")),
    ),
    (
        "replay.js",
        PageAsset::script(include_str!("../../cw-pages/assets/duel/replay.js")),
    ),
    (
        "settings.js",
        PageAsset::script(include_str!("../../cw-pages/assets/duel/settings.js")),
    ),
    (
        "sheets.js",
        PageAsset::script(include_str!("../../cw-pages/assets/duel/sheets.js")),
    ),
    (
        "stream.js",
        PageAsset::script(include_str!("../../cw-pages/assets/duel/stream.js")),
    ),
    (
        "zoom.js",
        PageAsset::script(include_str!("../../cw-pages/assets/duel/zoom.js")),
    ),
];

/// The part of it that two people shuffle with; the free table reads it only where packs were opened.
pub(crate) static SHUFFLE_SCRIPT: PageAsset =
    PageAsset::script(include_str!("../../cw-pages/assets/shuffle.js"));

/// The part of it that is read when somebody shares something.
static SHARE_SCRIPT: PageAsset = PageAsset::script(include_str!("../../cw-pages/assets/share.js"));

async fn back() -> Response {
    picture(&cw_faces::back())
}

async fn face(State(host): State<DuelHost>, Path((model, size)): Path<(u16, String)>) -> Response {
    let wanted = match size.as_str() {
        "small.svg" => FaceSize::Small,
        "full.svg" => FaceSize::Full,
        _ => return not_found(),
    };
    draw(host, format!("{model} {size}"), model, None, wanted).await
}

async fn other_form(State(host): State<DuelHost>, Path((model, form)): Path<(u16, String)>) -> Response {
    let Some(number) = form.strip_suffix(".svg").and_then(|form| form.parse().ok()) else {
        return not_found();
    };
    draw(
        host,
        format!("{model} form {number}"),
        model,
        Some(number),
        FaceSize::Full,
    )
    .await
}

/// Faces that are remembered.
const MOST_DRAWN: usize = 4096;

/// A face, drawn once and on a thread of its own.
async fn draw(host: DuelHost, key: String, model: u16, form: Option<usize>, size: FaceSize) -> Response {
    let drawn = locked(&host.hall.drawn).get(&key).cloned();
    if let Some(drawn) = drawn {
        return picture(&drawn);
    }
    if usize::from(model) >= host.hall.setting.package.game.models.len() {
        return not_found();
    }
    let hall = Arc::clone(&host.hall);
    let drawn = off_hand(&host.hall.tasks, &host.hall.drawing, move || {
        // The package's picture of the card has an address of its own.
        let face = CardFace {
            game: &hall.setting.package.game,
            model: ModelId(model),
            form,
            catalogue: &hall.setting.package.catalogue,
            files: hall
                .setting
                .files
                .as_deref()
                .map(|files| files as &dyn PackageFiles),
            picture: PicturePlace::None,
        };
        let drawn: Arc<str> = cw_faces::face(face, size)?.into();
        let mut all = locked(&hall.drawn);
        if all.len() < MOST_DRAWN {
            all.insert(key, Arc::clone(&drawn));
        }
        Some(drawn)
    });
    drawn.await.map_or_else(not_found, |drawn| picture(&drawn))
}

pub(crate) fn picture(svg: &str) -> Response {
    let headers = [
        (header::CONTENT_TYPE, "image/svg+xml"),
        (header::CACHE_CONTROL, "private, max-age=3600"),
    ];
    (headers, svg.to_owned()).into_response()
}

async fn package_back(State(host): State<DuelHost>, Path(shape): Path<usize>) -> Response {
    let shape = host.hall.setting.package.catalogue.shapes.get(shape);
    let path = shape.and_then(|shape| shape.back.clone());
    file(&host, path).await
}

async fn card_picture(State(host): State<DuelHost>, Path(model): Path<u16>) -> Response {
    let printed = host.hall.setting.package.catalogue.printed(ModelId(model));
    let path = printed.and_then(|printed| printed.picture.clone());
    file(&host, path).await
}

async fn form_picture(State(host): State<DuelHost>, Path((model, form)): Path<(u16, usize)>) -> Response {
    let printed = host.hall.setting.package.catalogue.printed(ModelId(model));
    let form = printed.and_then(|printed| printed.alternates.get(form));
    let path = form.and_then(|form| form.picture.clone());
    file(&host, path).await
}

async fn marker_picture(State(host): State<DuelHost>, Path(marker): Path<usize>) -> Response {
    let Some(marker) = host.hall.setting.package.catalogue.markers.get(marker) else {
        return not_found();
    };
    match (&marker.picture, marker.built_in.and_then(cw_faces::token)) {
        (None, Some(token)) => picture(&token),
        (own, _) => file(&host, own.clone()).await,
    }
}

/// A picture of the package. Only paths that the catalogue found in the package come here.
async fn file(host: &DuelHost, path: Option<String>) -> Response {
    let Some(path) = path else {
        return not_found();
    };
    let hall = Arc::clone(&host.hall);
    let read = off_hand(&host.hall.tasks, &host.hall.drawing, move || {
        hall.setting.files.as_ref()?.read(&path, MOST_PICTURE).ok()
    });
    let Some(bytes) = read.await else {
        return not_found();
    };
    let Some(kind) = kind_of(&bytes) else {
        return not_found();
    };
    let headers = [
        (header::CONTENT_TYPE, kind),
        (header::CACHE_CONTROL, "private, max-age=3600"),
    ];
    (headers, bytes).into_response()
}

/// Bytes of a picture that are sent at most.
const MOST_PICTURE: u64 = 4 << 20;

/// What the first bytes say a picture is: a package's file is sent as nothing else.
pub(crate) fn kind_of(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0x89, b'P', b'N', b'G', ..] => Some("image/png"),
        [0xff, 0xd8, 0xff, ..] => Some("image/jpeg"),
        [b'G', b'I', b'F', b'8', ..] => Some("image/gif"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some("image/webp"),
        _ => None,
    }
}

/// The shapes of the package's cards (P54): everything else takes its proportions from there.
async fn card_shapes(State(host): State<DuelHost>) -> Response {
    let shapes = host.hall.setting.package.catalogue.shapes.iter().enumerate();
    let rule = |(at, shape): (usize, &cw_faces::Shape)| {
        let (wide, tall) = shape.sides;
        let fits = |side: f64| side.is_finite() && (1.0..=10_000.0).contains(&side);
        if !fits(wide) || !fits(tall) {
            return String::new();
        }
        let corner = (shape.corner / wide).clamp(0.0, 0.5) * 100.0;
        format!(".shape-{at}{{aspect-ratio:{wide}/{tall};--corner:{corner:.1}%}}\n")
    };
    let text: String = shapes.map(rule).collect();
    ([(header::CONTENT_TYPE, "text/css")], text).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All scripts of the pages.
    fn scripts() -> impl Iterator<Item = &'static str> {
        let free = crate::free::routes::ASSETS.iter().map(|(_, asset)| *asset);
        let rooms = ROOMS.iter().map(|(_, asset)| asset);
        let all = free.chain(rooms).chain([&TABLE_SCRIPT, &SHARE_SCRIPT]);
        all.filter_map(PageAsset::as_script)
    }

    /// Lines of comment are not sent, so no line may look like one and be text.
    #[test]
    fn no_text_of_a_script_goes_over_several_lines() {
        for line in scripts().flat_map(|script| {
            let sent = crate::asset::without_comments(script);
            sent.lines().map(str::to_owned).collect::<Vec<_>>()
        }) {
            let marks = line.replace("\\`", "").matches('`').count();
            assert!(marks.is_multiple_of(2), "{line}");
        }
    }

    /// What the page of a table names ahead is what its script imports.
    #[test]
    fn rooms_are_named_ahead() {
        let table = TABLE_SCRIPT.as_script().unwrap();
        let asset = |name: &str| {
            let found = ROOMS.iter().find(|(room, _)| *room == format!("{name}.js"));
            found.and_then(|(_, asset)| asset.as_script())
        };
        for name in cw_pages::markup::ROOMS {
            assert!(asset(name).is_some(), "{name}");
            let import = format!("/{name}.js\";");
            let mut importing = cw_pages::markup::ROOMS.iter().filter_map(|other| asset(other));
            assert!(
                table.contains(&import) || importing.any(|script| script.contains(&import)),
                "{name}"
            );
        }
        let later: Vec<&str> = ROOMS
            .iter()
            .filter_map(|(room, _)| room.strip_suffix(".js"))
            .filter(|room| !cw_pages::markup::ROOMS.contains(room))
            .collect();
        assert_eq!(later, ["replay"], "it is imported where it is needed");
    }

    /// On a silent network nothing comes back: whatever a page asks for is asked by the one function of each table that
    /// ends it.
    #[test]
    fn no_request_of_a_page_waits_for_ever() {
        let asking: Vec<&str> = scripts()
            .flat_map(str::lines)
            .filter(|line| line.contains("fetch(") || line.contains("XMLHttpRequest"))
            .collect();
        assert_eq!(asking.len(), 2, "one function of each table: {asking:#?}");
        for line in asking {
            assert!(
                line.starts_with("const request = ")
                    && line.contains("signal: AbortSignal.timeout(patience)"),
                "{line}"
            );
        }
    }
}
