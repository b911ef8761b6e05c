//! Drafts: how they begin, what a seat sees and does, links for friends, the duels afterwards.
//!
//! Every page of a seat is made of the seat's view; only looking back, when all cards are taken, tells what
//! others took.

mod after;
mod begin;
mod sealed;

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Router;
use axum::extract::{Form, FromRequestParts, Path};
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::sse::{self, Sse};
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use cw_hall::drafts::{DraftFault, DraftPresent, DraftRoom};
use cw_hall::duels::{DuelHall, DuelHost};
use cw_hall::quota::{Counted, Held};
use cw_pages::drafts::OpenedDraft;
use cw_pages::markup::{self, DraftPage, SeatShown};
use cw_pages::secret::Secret;

use crate::connection::{Busy, Connection};
use crate::decks::{DeckDesk, Desk, FOREIGN, SentFields};
use crate::guard::cookie;
use crate::stream::{RETRY, Reader, Woken};
use crate::visitor::not_found;

use after::{deck, duel, others, own_table, results, review};
use begin::{begin, enter, forget, invited, new, sit};
use sealed::{opening, ready};

pub(crate) use begin::begin_sealed;

pub(crate) fn routes() -> Router<DuelHost> {
    let seat = Router::new()
        .route("/", get(page))
        .route("/events", get(events))
        .route("/here", post(here))
        .route("/pick", post(pick))
        .route("/stand-in", post(stand_in))
        .route("/review", get(review))
        .route("/deck", get(deck))
        .route("/results", get(results))
        .route("/duel", post(duel))
        .route("/table/{other}", get(own_table))
        .route("/others", post(others))
        .route("/opening", get(opening))
        .route("/ready", post(ready))
        .merge(crate::decks::of_seat());
    Router::new()
        .route("/front/draft", get(new).post(begin))
        .route("/front/drafts/{id}", get(enter))
        .route("/front/drafts/{id}/forget", post(forget))
        .route("/draft/{name}/{token}", get(invited).post(sit))
        .nest("/d/{seat}", seat)
        .route("/d/{seat}/", get(page))
}

/// Who asks: the draft and the seat that the address and the cookie together stand for.
#[derive(Clone)]
pub(crate) struct DraftVisitor {
    hall: Arc<DuelHall>,
    room: Arc<DraftRoom>,
    seat: usize,
    secret: Secret,
    connection: Option<Arc<Connection>>,
    /// Whether the page's script asks, not the browser itself.
    scripted: bool,
}

/// The draft and the seat that a name in an address stands for.
fn split_name(name: &str) -> Option<(&str, usize)> {
    let (draft, seat) = name.split_once('-')?;
    let is_name = !draft.is_empty() && draft.bytes().all(|byte| byte.is_ascii_hexdigit());
    Some((draft, seat.parse().ok()?)).filter(|_| is_name)
}

fn words_of(fault: &DraftFault) -> String {
    let words = fault.to_string();
    let mut letters = words.chars();
    let first = letters.next().map(char::to_uppercase);
    first.map_or_else(String::new, |first| {
        format!("{}{}.", first.collect::<String>(), letters.as_str())
    })
}

fn status_of(fault: &DraftFault) -> StatusCode {
    match fault {
        DraftFault::Refused(_)
        | DraftFault::IsHere
        | DraftFault::Cannot(_)
        | DraftFault::NotLegal
        | DraftFault::NoDuel(_) => StatusCode::CONFLICT,
        DraftFault::Store(_) => StatusCode::SERVICE_UNAVAILABLE,
        DraftFault::NoPackage => StatusCode::NOT_FOUND,
        DraftFault::Taken | DraftFault::Forgotten => StatusCode::GONE,
    }
}

fn refused(fault: &DraftFault) -> Response {
    let page = markup::message("Not now", &words_of(fault));
    (status_of(fault), Html(page)).into_response()
}

/// A draft by its name, read where that holds nobody up.
async fn room_of(host: &DuelHost, draft: &str) -> Result<Arc<DraftRoom>, Response> {
    let (hall, draft) = (Arc::clone(&host.hall), draft.to_owned());
    let found = host.hall.tasks.work(move || hall.draft_room(&draft)).await;
    match found {
        Ok(Ok(Some(room))) => Ok(room),
        Ok(Ok(None)) => Err(not_found()),
        Ok(Err(fault)) => Err(refused(&fault)),
        Err(_) => Err(StatusCode::SERVICE_UNAVAILABLE.into_response()),
    }
}

impl FromRequestParts<DuelHost> for DraftVisitor {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, host: &DuelHost) -> Result<DraftVisitor, Response> {
        let path = Path::<BTreeMap<String, String>>::from_request_parts(parts, host).await;
        let Path(path) = path.map_err(IntoResponse::into_response)?;
        let name = path.get("seat").map(String::as_str).unwrap_or_default();
        let (draft, seat) = split_name(name).ok_or_else(not_found)?;
        // A secret is computed, not looked up: who cannot show it wakes nothing.
        let secret = host.hall.draft_secret(draft, seat);
        if !secret.is(cookie(&parts.headers).unwrap_or("")) {
            let words = "Open the link to your seat again, or the draft from the page of your decks.";
            let page = markup::message("This seat is not yours", words);
            return Err((StatusCode::FORBIDDEN, Html(page)).into_response());
        }
        let room = room_of(host, draft).await?;
        let quota = room.quotas.get(seat).ok_or_else(not_found)?;
        let connection = parts.extensions.get::<Arc<Connection>>().cloned();
        let limits = &host.hall.setting.limits;
        let has_room = connection.as_ref().is_none_or(|one| one.shows(quota, limits));
        if !has_room || !quota.take(1.0) || !quota.has_time() {
            let page = markup::message("Not now", "You ask for too much at once; wait a moment.");
            return Err((StatusCode::TOO_MANY_REQUESTS, Html(page)).into_response());
        }
        Ok(DraftVisitor {
            hall: Arc::clone(&host.hall),
            room,
            seat,
            secret,
            connection,
            scripted: parts.headers.contains_key("x-table"),
        })
    }
}

impl DraftVisitor {
    /// The name of the seat in addresses; its deck is kept under it.
    pub(crate) fn name(&self) -> String {
        name_of(&self.room, self.seat)
    }

    /// The address of the seat.
    pub(crate) fn base(&self) -> String {
        format!("/d/{}/", self.name())
    }

    /// What forms must carry.
    pub(crate) fn stamp(&self) -> String {
        self.secret.stamp(0)
    }

    /// Whether nothing goes round here.
    pub(crate) fn is_sealed(&self) -> bool {
        self.room.now().kept.sealed
    }

    /// A deck that is changed is not ready any more.
    pub(crate) fn is_not_ready(&self) -> Result<(), DraftFault> {
        let now = self.room.now();
        if !now.kept.seats.get(self.seat).is_some_and(|seat| seat.is_ready) {
            return Ok(());
        }
        // Nobody begins a duel by this.
        let begin = |_: &OpenedDraft| Err(DraftFault::NoDuel("nobody is ready".to_owned()));
        self.hall.be_ready(&self.room, self.seat, false, begin)
    }

    fn is_ours(&self, form: &BTreeMap<String, String>) -> bool {
        form.get("k") == Some(&self.stamp())
    }

    /// The seats as this one sees them.
    fn shown(&self, now: &OpenedDraft) -> Vec<SeatShown> {
        let is_owner = now.kept.owner() == self.seat;
        let seats = now.kept.seats.iter().enumerate();
        let shown = seats.map(|(at, seat)| SeatShown {
            name: seat.name.clone(),
            presence: seat.is_person.then(|| self.room.presence.of(at)),
            link: (is_owner && seat.is_person && !seat.has_come).then(|| self.link(at)),
        });
        shown.collect()
    }

    /// The link by which a friend sits down at another seat.
    fn link(&self, seat: usize) -> String {
        let token = invitation(&self.hall, &self.room.id, seat).reveal();
        let path = format!("/draft/{}/{token}", name_of(&self.room, seat));
        let own = self.hall.own.get();
        let origin = self
            .hall
            .reach()
            .map(|reach| reach.origin())
            .or_else(|| own.map(|address| format!("http://{address}")));
        format!("{}{path}", origin.unwrap_or_default())
    }

    /// What stands on the page and changes.
    fn region(&self, desk: &DeckDesk, notice: Option<&str>, whole: bool) -> String {
        let now = self.room.now();
        let view = now.record.draft().view(self.seat);
        let (seats, base, stamp) = (self.shown(&now), self.base(), self.stamp());
        let sealed = sealed::shown(self, desk, &now);
        let page = DraftPage {
            seats: &seats,
            base: &base,
            stamp: &stamp,
            seconds: self.room.seconds_left(self.seat),
            is_owner: now.kept.owner() == self.seat,
            notice,
            late: self.room.taken_late(self.seat),
            sealed: sealed.as_ref(),
        };
        match whole {
            true => markup::draft_document(&desk.library, &desk.loaded, &view, page),
            false => markup::draft_region(&desk.library, &desk.loaded, &view, page).into_string(),
        }
    }

    /// Does something where it holds nobody up.
    async fn work<T: Send + 'static>(
        &self,
        job: impl FnOnce(&DraftVisitor) -> T + Send + 'static,
    ) -> Result<T, Response> {
        let own = self.clone();
        let done = self.hall.tasks.work(move || job(&own)).await;
        done.map_err(|_| StatusCode::SERVICE_UNAVAILABLE.into_response())
    }

    /// Back to the page, or the words of what went wrong.
    fn answer(&self, done: Result<(), DraftFault>) -> Response {
        match done {
            Ok(()) if self.scripted => StatusCode::NO_CONTENT.into_response(),
            Ok(()) => Redirect::to(&self.base()).into_response(),
            Err(fault) if self.scripted => (status_of(&fault), words_of(&fault)).into_response(),
            Err(fault) => refused(&fault),
        }
    }
}

fn name_of(room: &DraftRoom, seat: usize) -> String {
    format!("{}-{seat}", room.id)
}

/// Shows that whoever has it was invited to the seat.
fn invitation(hall: &DuelHall, draft: &str, seat: usize) -> Secret {
    hall.draft_secret(draft, seat)
        .child("cardwright invitation to a draft")
}

/// Gives the browser the cookie of a seat.
fn lead(hall: &DuelHall, room: &DraftRoom, seat: usize) -> Response {
    let name = name_of(room, seat);
    let cookie = format!(
        "seat={}; Path=/d/{name}; HttpOnly; SameSite=Strict; Max-Age=2592000",
        hall.draft_secret(&room.id, seat).reveal()
    );
    let mut response = Redirect::to(&format!("/d/{name}/")).into_response();
    let value = HeaderValue::from_str(&cookie).expect("a cookie of hexadecimal digits is a header");
    response.headers_mut().insert(header::SET_COOKIE, value);
    response
}

async fn page(visitor: DraftVisitor, axum::Extension(desk): Desk) -> Response {
    let made = visitor.work(move |own| {
        // What cannot be kept now is kept with the next pick: the page is shown all the same.
        let _ = own.hall.is_back(&own.room, own.seat);
        if own.room.now().kept.sealed {
            let _ = own.hall.see_how_duels_ended(&own.room);
        }
        own.region(&desk, None, true)
    });
    match made.await {
        Ok(page) => Html(page).into_response(),
        Err(refusal) => refusal,
    }
}

async fn pick(visitor: DraftVisitor, Form(form): SentFields) -> Response {
    if !visitor.is_ours(&form) {
        return (StatusCode::CONFLICT, FOREIGN).into_response();
    }
    let number = |name: &str| form.get(name).and_then(|text| text.parse::<usize>().ok());
    let (Some(number), Some(place)) = (number("n"), number("at")) else {
        return (StatusCode::BAD_REQUEST, "Which card?").into_response();
    };
    let done = visitor.work(move |own| own.hall.pick(&own.room, own.seat, number, place));
    match done.await {
        Ok(done) => visitor.answer(done),
        Err(refusal) => refusal,
    }
}

async fn stand_in(visitor: DraftVisitor, Form(form): SentFields) -> Response {
    let seat = form.get("seat").and_then(|seat| seat.parse::<usize>().ok());
    let Some(seat) = seat.filter(|seat| visitor.is_ours(&form) && *seat != visitor.seat) else {
        return (StatusCode::CONFLICT, FOREIGN).into_response();
    };
    match visitor.work(move |own| own.hall.stand_in(&own.room, seat)).await {
        Ok(done) => visitor.answer(done),
        Err(refusal) => refusal,
    }
}

/// A page answers a beat of its stream.
async fn here(visitor: DraftVisitor) -> StatusCode {
    visitor.room.presence.answer_beat(visitor.seat);
    StatusCode::NO_CONTENT
}

/// One connection that follows a draft.
struct DraftFollower {
    visitor: DraftVisitor,
    desk: DeckDesk,
    _held: (Held, Option<Busy>, DraftPresent),
}

async fn events(visitor: DraftVisitor, axum::Extension(desk): Desk) -> Response {
    let limits = visitor.hall.setting.limits;
    let Some(held) = visitor.room.quotas[visitor.seat].hold(Counted::Stream, limits.streams) else {
        let page = markup::message("Too many", "This draft is open in too many places already.");
        return (StatusCode::TOO_MANY_REQUESTS, Html(page)).into_response();
    };
    let back = visitor.work(|own| own.hall.is_back(&own.room, own.seat)).await;
    if let Err(refusal) = back {
        return refusal;
    }
    let follower = DraftFollower {
        _held: (
            held,
            visitor.connection.as_ref().map(Connection::begin),
            visitor.hall.come_to_draft(&visitor.room, visitor.seat),
        ),
        visitor,
        desk,
    };
    let tasks = follower.visitor.hall.tasks.clone();
    let (reader, messages) = Reader::new(tasks.clone(), 2);
    tasks.spawn(follow(follower, reader));
    Sse::new(messages).into_response()
}

/// Sends the page's changing part whenever it is another one, and beats in between.
async fn follow(follower: DraftFollower, mut reader: Reader) {
    let DraftFollower { visitor, desk, .. } = &follower;
    let mut changed = visitor.room.changed.listen();
    let mut coming = visitor.room.presence.changes();
    let mut last = String::new();
    loop {
        let desk = desk.clone();
        let Ok(region) = visitor.work(move |own| own.region(&desk, None, false)).await else {
            return;
        };
        if region != last {
            let message = sse::Event::default().retry(RETRY).data(&region);
            if !reader.send(message).await {
                return;
            }
            last = region;
        }
        // A beat is news as well: the time that is left may have changed.
        if let Woken::ReaderLeft = reader
            .wait(futures_lite::future::or(changed.rung(), coming.rung()))
            .await
        {
            return;
        }
    }
}
