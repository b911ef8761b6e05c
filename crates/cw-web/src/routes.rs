//! The routes: what each request may do, and what it gets.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError};
use std::time::Instant;

use axum::extract::{DefaultBodyLimit, Form, FromRequestParts, Path, Query, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::sse::{KeepAlive, Sse};
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use axum::{Router, middleware};
use cw_duel::Seat;
use cw_faces::{Face, Size};
use cw_program::ModelId;
use serde::Deserialize;

use crate::Secret;
use crate::guard::{cookie, guard};
use crate::pages;
use crate::scene::Scene;
use crate::server::{Cell, Host, HostError, Invitation, locked};
use crate::stream::{Follower, follow};
use crate::table::{Refused, Stop, Table};

pub(crate) fn router(host: &Host) -> Router {
    let seat = Router::new()
        .route("/", get(page))
        .route("/events", get(events))
        .route("/answer", post(answer))
        .route("/act", post(act))
        .route("/explain/{step}/{of}", get(explain))
        .route("/trace", get(trace))
        .route("/moment/{step}", get(moment))
        .route("/moment", get(moment_by_query))
        .route("/record.json", get(record));
    Router::new()
        .route("/", get(home))
        .route("/join/{secret}", get(join))
        .nest("/s/{seat}", seat)
        .route("/s/{seat}/", get(page))
        .route("/face/back.svg", get(back))
        .route("/face/{model}/form/{form}", get(other_form))
        .route("/back/{shape}", get(package_back))
        .route("/picture/{model}", get(card_picture))
        .route("/picture/{model}/{form}", get(form_picture))
        .route("/marker/{marker}", get(marker_picture))
        .route("/assets/cards.css", get(card_shapes))
        .route("/face/{model}/{size}", get(face))
        .route(
            "/assets/table.css",
            get(|| asset("text/css", include_str!("../assets/table.css"))),
        )
        .route(
            "/assets/table.js",
            get(|| asset("text/javascript", include_str!("../assets/table.js"))),
        )
        .fallback(nothing)
        .layer(DefaultBodyLimit::max(4096))
        .layer(middleware::from_fn(guard))
        .with_state(host.clone())
}

impl Host {
    fn knows(&self, name: &str) -> bool {
        let seats = self.inner.seats.read().unwrap_or_else(PoisonError::into_inner);
        seats.contains_key(name)
    }
}

/// Who asks: the table and the seat that the address and the cookie together stand for. A handler
/// that takes it is reached by nobody else.
struct Sitter {
    host: Host,
    cell: Arc<Cell>,
    seat: Seat,
    /// The seat's public name, in its address.
    name: String,
    /// Whether the page's script asks, not the browser itself.
    scripted: bool,
}

impl FromRequestParts<Host> for Sitter {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, host: &Host) -> Result<Sitter, Response> {
        let path = Path::<BTreeMap<String, String>>::from_request_parts(parts, host).await;
        let Path(mut path) = path.map_err(IntoResponse::into_response)?;
        let name = path.remove("seat").ok_or_else(not_found)?;
        let seats = host.inner.seats.read().unwrap_or_else(PoisonError::into_inner);
        let found = seats.get(&name).cloned();
        drop(seats);
        let token = cookie(&parts.headers);
        let allowed = found
            .filter(|(cell, seat)| token.is_some_and(|token| cell.table().seats[*seat].secret.is(token)));
        let refused = |status, title, words| (status, Html(pages::message(title, words))).into_response();
        let Some((cell, seat)) = allowed else {
            let words = "Open the link to your seat again: the program printed it when it started.";
            return Err(refused(StatusCode::FORBIDDEN, "This seat is not yours", words));
        };
        if !locked(&cell.allowance).take() || !locked(&cell.budget).has_some() {
            let words = "Too many requests at once. Wait a second.";
            return Err(refused(StatusCode::TOO_MANY_REQUESTS, "Slow down", words));
        }
        Ok(Sitter {
            host: host.clone(),
            cell,
            seat,
            name,
            scripted: parts.headers.contains_key("x-table"),
        })
    }
}

impl Sitter {
    /// Makes something of the table, on the table's budget.
    fn make<T>(&self, make: impl FnOnce(&Table) -> T) -> T {
        let begun = Instant::now();
        let made = make(&self.cell.table());
        locked(&self.cell.budget).spend(begun.elapsed());
        made
    }

    fn page(&self, notice: Option<&str>) -> String {
        self.make(|table| {
            let scene = Scene::now(table, self.seat);
            pages::document(&scene, &self.address(), notice, &self.host.inner.shelf)
        })
    }

    /// The address of the seat.
    fn address(&self) -> String {
        format!("/s/{}/", self.name)
    }
}

async fn home() -> Html<String> {
    Html(pages::message(
        "Cardwright",
        "A duel is being played here. Open the link to your seat: the program printed it when it started.",
    ))
}

async fn nothing() -> Response {
    not_found()
}

fn not_found() -> Response {
    let page = pages::message("Nothing here", "There is no page at this address.");
    (StatusCode::NOT_FOUND, Html(page)).into_response()
}

/// Whoever shows the secret gets it as a cookie, and the address is clean again.
async fn join(State(host): State<Host>, Path(secret): Path<String>) -> Response {
    let Some(secret) = Secret::read(&secret) else {
        return not_found();
    };
    let name = secret.public();
    if !host.knows(&name) {
        return not_found();
    }
    let cookie = format!(
        "seat={}; Path=/s/{name}; HttpOnly; SameSite=Strict; Max-Age=2592000",
        secret.reveal()
    );
    let mut response = Redirect::to(&format!("/s/{name}/")).into_response();
    let value = HeaderValue::from_str(&cookie).expect("a cookie of hexadecimal digits is a header");
    response.headers_mut().insert(header::SET_COOKIE, value);
    response
}

async fn page(sitter: Sitter) -> Html<String> {
    Html(sitter.page(None))
}

#[derive(Debug, Deserialize)]
struct Since {
    number: Option<u64>,
}

async fn events(sitter: Sitter, Query(since): Query<Since>, headers: HeaderMap) -> Response {
    let Some(follower) = Follower::new(&sitter.cell) else {
        let words = "This table is open in too many places already.";
        let page = pages::message("Too many", words);
        return (StatusCode::TOO_MANY_REQUESTS, Html(page)).into_response();
    };
    let last = headers.get("last-event-id").and_then(|id| id.to_str().ok());
    let number = last.and_then(|id| id.parse().ok()).or(since.number).unwrap_or(0);
    Sse::new(follow(follower, sitter.seat, number))
        .keep_alive(KeepAlive::default())
        .into_response()
}

/// A decision's form.
#[derive(Debug, Deserialize)]
struct Answer {
    n: u64,
    k: String,
    o: usize,
}

async fn answer(sitter: Sitter, Form(form): Form<Answer>) -> Response {
    let result = sitter.cell.table().answer(sitter.seat, form.n, &form.k, form.o);
    respond(&sitter, result)
}

/// Everything else that a seat can ask for.
#[derive(Debug, Deserialize)]
struct Act {
    n: u64,
    k: String,
    act: String,
}

async fn act(sitter: Sitter, Form(form): Form<Act>) -> Response {
    match go_elsewhere(&sitter, &form) {
        Some(Ok(invitation)) => Redirect::to(&invitation.path).into_response(),
        Some(Err(refused)) => respond(&sitter, Err(refused)),
        None => respond(&sitter, do_act(&sitter, &form)),
    }
}

/// What leads to another table: a lesson or puzzle of the shelf, or an earlier moment of a duel that
/// is over, to be played on from there.
fn go_elsewhere(sitter: &Sitter, form: &Act) -> Option<Result<Invitation, Refused>> {
    let opened = |result: Result<Invitation, HostError>| result.map_err(|_| Refused::NotOffered);
    let number = |prefix: &str| -> Option<usize> { form.act.strip_prefix(prefix)?.parse().ok() };
    if let Some(at) = number("stage-") {
        if let Err(refused) = stamped(sitter, form) {
            return Some(Err(refused));
        }
        let stage = sitter.host.inner.shelf.get(at).ok_or(Refused::NoStage);
        return Some(stage.and_then(|stage| opened(sitter.host.open_stage(stage))));
    }
    let at = number("from-")?;
    if let Err(refused) = stamped(sitter, form) {
        return Some(Err(refused));
    }
    // Before the end a second table would tell what lies in decks and hands.
    let over = sitter.cell.table().duel().outcome().is_some();
    Some(if over {
        opened(sitter.host.fork(&sitter.cell, at, sitter.seat))
    } else {
        Err(Refused::NotOffered)
    })
}

fn stamped(sitter: &Sitter, form: &Act) -> Result<(), Refused> {
    let table = sitter.cell.table();
    if table.seats[sitter.seat].secret.stamp(form.n) == form.k {
        Ok(())
    } else {
        Err(Refused::Forged)
    }
}

fn do_act(sitter: &Sitter, form: &Act) -> Result<(), Refused> {
    stamped(sitter, form)?;
    let seat = sitter.seat;
    let mut table = sitter.cell.table();
    let stop = |word: &str| Stop::ALL.into_iter().find(|stop| stop.word() == word);
    match form.act.as_str() {
        "concede" => table.forfeit(seat),
        // What is taken back must be what the page showed.
        "undo" if form.n != table.number() => Err(Refused::Stale),
        "undo" => table.undo(seat),
        "always-yes" | "always-no" if form.n != table.number() => Err(Refused::Stale),
        "always-yes" => table.answer_always(seat, true),
        "always-no" => table.answer_always(seat, false),
        "dismiss" => {
            table.dismiss(seat);
            Ok(())
        }
        "again" if table.start.stage.is_some() => {
            table.again();
            Ok(())
        }
        "control" => {
            table.toggle_full_control(seat);
            Ok(())
        }
        "rematch" | "swap" => {
            if table.duel().outcome().is_none() {
                return Err(Refused::NotOffered);
            }
            table.want_rematch(seat);
            let agreed = table.agree_on_rematch();
            drop(table);
            match agreed {
                true => sitter
                    .host
                    .inner
                    .rematch(&sitter.cell, form.act == "swap")
                    .map_err(|_| Refused::NotOffered),
                false => Ok(()),
            }
        }
        other => {
            if let Some(at) = other.strip_prefix("ask-").and_then(|at| at.parse().ok()) {
                return table.ask_again(seat, at);
            }
            let stop = other.strip_prefix("stop-").and_then(stop);
            let stop = stop.ok_or(Refused::NotOffered)?;
            table.toggle_stop(seat, stop);
            Ok(())
        }
    }
}

/// A script gets a status; a plain form gets the page.
fn respond(sitter: &Sitter, result: Result<(), Refused>) -> Response {
    match result {
        Ok(()) | Err(Refused::Repeated) => {
            sitter.host.inner.settle(&sitter.cell);
            if sitter.scripted {
                StatusCode::NO_CONTENT.into_response()
            } else {
                Redirect::to(&sitter.address()).into_response()
            }
        }
        Err(refused) => {
            let words = refused.to_string();
            if sitter.scripted {
                (StatusCode::CONFLICT, words).into_response()
            } else {
                (StatusCode::CONFLICT, Html(sitter.page(Some(&words)))).into_response()
            }
        }
    }
}

/// A moment of the past: which, and through whose eyes.
#[derive(Debug, Deserialize)]
struct Moment {
    #[serde(default)]
    step: usize,
    /// The other seat's view, when the duel is over.
    #[serde(default)]
    other: bool,
}

/// What a path says besides the seat.
#[derive(Debug, Deserialize)]
struct AtStep {
    step: usize,
}

async fn moment(sitter: Sitter, Path(at): Path<AtStep>, Query(wanted): Query<Moment>) -> Html<String> {
    let AtStep { step } = at;
    show_moment(&sitter, &Moment { step, ..wanted })
}

async fn moment_by_query(sitter: Sitter, Query(wanted): Query<Moment>) -> Html<String> {
    show_moment(&sitter, &wanted)
}

fn show_moment(sitter: &Sitter, wanted: &Moment) -> Html<String> {
    let own = sitter.seat;
    Html(sitter.make(|table| {
        let step = wanted.step.min(table.steps.len() - 1);
        // Before the end nobody looks into the other hand.
        let other = wanted.other && table.duel().outcome().is_some();
        let eyes = if other { own.other() } else { own };
        let mut scene = Scene::at(table, eyes, step);
        scene.own = own;
        pages::moment(&scene, &sitter.address())
    }))
}

/// A number of a step.
#[derive(Debug, Deserialize)]
struct Number {
    step: usize,
    of: String,
}

/// Where a number comes from.
async fn explain(sitter: Sitter, Path(Number { step, of }): Path<Number>) -> Response {
    let words = sitter.make(|table| {
        let scene = Scene::at(table, sitter.seat, step.min(table.steps.len() - 1));
        let explained = pages::value(sitter.seat, &of).and_then(|value| scene.explain(value));
        explained.map(|explained| pages::explanation(&scene, &explained))
    });
    words.map_or_else(not_found, |words| insight(&sitter, &words))
}

/// What the engine did last, for those who write rules.
async fn trace(sitter: Sitter) -> Response {
    let words = sitter.make(|table| {
        let over = table.duel().outcome().is_some();
        let scene = Scene::now(table, sitter.seat);
        pages::trace(&scene, &scene.trace(), &sitter.host.inner.rules, over)
    });
    insight(&sitter, &words)
}

/// A script shows it over the table; without one it is a page.
fn insight(sitter: &Sitter, words: &maud::Markup) -> Response {
    if sitter.scripted {
        return Html(words.clone().into_string()).into_response();
    }
    Html(pages::aside(words, &sitter.address())).into_response()
}

/// Only when the duel is over: a record shows both hands.
async fn record(sitter: Sitter) -> Response {
    let table = sitter.cell.table();
    if table.duel().outcome().is_none() {
        let page = pages::message(
            "Not yet",
            "The record of a duel shows both hands; it can be had when the duel is over.",
        );
        return (StatusCode::FORBIDDEN, Html(page)).into_response();
    }
    if table.start.stage.is_some() {
        return not_found();
    }
    let text = table.record().replay().write();
    ([(header::CONTENT_TYPE, "application/json")], text).into_response()
}

async fn asset(kind: &'static str, text: &'static str) -> Response {
    (
        [(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "no-cache")],
        text,
    )
        .into_response()
}

async fn back() -> Response {
    picture(cw_faces::back())
}

async fn face(State(host): State<Host>, Path((model, size)): Path<(u16, String)>) -> Response {
    let size = match size.as_str() {
        "small.svg" => Size::Small,
        "full.svg" => Size::Full,
        _ => return not_found(),
    };
    if usize::from(model) >= host.inner.game.models.len() {
        return not_found();
    }
    picture(cw_faces::face(
        Face {
            game: &host.inner.game,
            model: ModelId(model),
            catalogue: &host.inner.catalogue,
        },
        size,
    ))
}

fn picture(svg: String) -> Response {
    let headers = [
        (header::CONTENT_TYPE, "image/svg+xml"),
        (header::CACHE_CONTROL, "private, max-age=3600"),
    ];
    (headers, svg).into_response()
}

async fn other_form(State(host): State<Host>, Path((model, form)): Path<(u16, String)>) -> Response {
    let form = form.strip_suffix(".svg").and_then(|form| form.parse().ok());
    let known = usize::from(model) < host.inner.game.models.len();
    let face = Face {
        game: &host.inner.game,
        model: ModelId(model),
        catalogue: &host.inner.catalogue,
    };
    let drawn = form
        .filter(|_| known)
        .and_then(|form| cw_faces::other_face(face, form, Size::Full));
    drawn.map_or_else(not_found, picture)
}

async fn package_back(State(host): State<Host>, Path(shape): Path<usize>) -> Response {
    let shape = host.inner.catalogue.shapes.get(shape);
    file(&host, shape.and_then(|shape| shape.back.as_deref()))
}

async fn card_picture(State(host): State<Host>, Path(model): Path<u16>) -> Response {
    let printed = host.inner.catalogue.printed(ModelId(model));
    file(&host, printed.and_then(|printed| printed.picture.as_deref()))
}

async fn form_picture(State(host): State<Host>, Path((model, form)): Path<(u16, usize)>) -> Response {
    let printed = host.inner.catalogue.printed(ModelId(model));
    let form = printed.and_then(|printed| printed.alternates.get(form));
    file(&host, form.and_then(|form| form.picture.as_deref()))
}

async fn marker_picture(State(host): State<Host>, Path(marker): Path<usize>) -> Response {
    let Some(marker) = host.inner.catalogue.markers.get(marker) else {
        return not_found();
    };
    match (&marker.picture, marker.built_in.and_then(cw_faces::token)) {
        (None, Some(token)) => picture(token),
        (own, _) => file(&host, own.as_deref()),
    }
}

/// A picture of the package. Only paths that the catalogue found in the package come here.
fn file(host: &Host, path: Option<&str>) -> Response {
    let read = |path: &str| host.inner.files.as_ref()?.read(path, MOST_PICTURE).ok();
    let Some(bytes) = path.and_then(read) else {
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
fn kind_of(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0x89, b'P', b'N', b'G', ..] => Some("image/png"),
        [0xff, 0xd8, 0xff, ..] => Some("image/jpeg"),
        [b'G', b'I', b'F', b'8', ..] => Some("image/gif"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some("image/webp"),
        _ => None,
    }
}

/// The shapes of the package's cards (P54): everything else takes its proportions from there.
async fn card_shapes(State(host): State<Host>) -> Response {
    let shapes = host.inner.catalogue.shapes.iter().enumerate();
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
