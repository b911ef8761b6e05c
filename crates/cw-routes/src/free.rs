//! Free tables: which requests there are, how somebody comes to a seat, and what a seat asks for.

mod pictures;
mod stream;

use std::time::Duration;

use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, Path, Query, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::sse::Sse;
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Router, middleware};
use cw_table::{Kit, Looker, TableModel, TableSeat};
use serde::Deserialize;
use serde_json::json;

use crate::connection::Connection;
use crate::guard::{MOST_WITH_DECK, guard};
use crate::visitor::{SeatRoutes, Visitor, gone, lead_to_seat, not_found, used_up, wake};
use cw_hall::free::act::{self, FreeRequest};
use cw_hall::free::bring;
use cw_hall::free::kept;
use cw_hall::free::room::No;
use cw_hall::free::signals::{SentSignal, Signal};
use cw_hall::free::{FreeHost, FreeHosting};
use cw_hall::hall::WakeError;
use cw_hall::lock::locked;
use cw_pages::free_page::OneDevice;
use cw_pages::markup;
use cw_pages::secret::Secret;
use stream::follow;

/// The routes of free tables. What runs beside requests runs on the tasks of the hall.
pub fn router(host: &FreeHost) -> Router {
    let seat = Router::new()
        .route("/", get(page))
        .route("/events", get(events))
        .route("/here", post(here))
        .route("/do", post(ask))
        .route("/signal", post(signal))
        .route("/find", get(find))
        .route("/links", get(links))
        .route("/lists", get(lists))
        .route("/record", get(record));
    Router::new()
        .route("/", get(without_seat))
        .route("/free/join/{secret}", get(join))
        .route("/free/open/{ticket}", get(open))
        .nest("/f/{seat}", seat)
        .route("/f/{seat}/", get(page))
        .route("/free/kit.json", get(kit))
        .route("/free/card/{model}/{form}", get(card))
        .merge(pictures::routes())
        .merge(crate::page_files::of_free_tables())
        .merge(crate::cards::of_free(host))
        .fallback(async || not_found())
        // The guard takes less from most of them.
        .layer(DefaultBodyLimit::max(MOST_WITH_DECK))
        .layer(middleware::from_fn_with_state(host.clone(), guard::<FreeHosting>))
        .with_state(host.clone())
}

/// Who comes without a link, as to the name alone that a host was opened with.
async fn without_seat() -> Response {
    let words = "Each seat of this table has a link of its own. \
                 Open the one that you were sent, or that the program printed.";
    Html(markup::message("Open your link", words)).into_response()
}

/// Who looks at a free table.
type FreeVisitor = Visitor<FreeHosting>;

impl SeatRoutes for FreeHosting {
    const SEATS: &'static str = "/f/";

    fn not_woken(_scripted: bool, fault: WakeError) -> Response {
        let page = markup::message("This table cannot be opened", &fault.to_string());
        (StatusCode::CONFLICT, Html(page)).into_response()
    }

    fn too_much(_scripted: bool) -> Response {
        wait("slow down a little")
    }
}

/// The seat of somebody who may do something at the table.
fn seat_of(guest: &FreeVisitor) -> Result<TableSeat, No> {
    match guest.seat {
        Looker::Seat(seat) => Ok(seat),
        Looker::Spectators | Looker::Referee => Err("you only watch this table".to_owned().into()),
    }
}

/// A refusal for now.
fn wait(words: &str) -> Response {
    no(&No {
        words: words.to_owned(),
        wait: true,
    })
}

fn no(no: &No) -> Response {
    let status = if no.wait {
        StatusCode::TOO_MANY_REQUESTS
    } else {
        StatusCode::CONFLICT
    };
    (
        status,
        [(header::CONTENT_TYPE, "application/json")],
        json!({ "no": no.words }).to_string(),
    )
        .into_response()
}

fn answer(value: &serde_json::Value) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], value.to_string()).into_response()
}

/// Whoever shows the secret gets it as a cookie, and the address is clean again.
async fn join(State(host): State<FreeHost>, Path(secret): Path<String>) -> Response {
    lead_to_seat(&host, &secret)
}

/// A ticket leads to a seat once.
async fn open(State(host): State<FreeHost>, Path(ticket): Path<String>) -> Response {
    let taken = host.hall.take_ticket(&ticket);
    let secret = taken
        .as_ref()
        .and_then(|ticket| ticket.way.strip_prefix("/free/join/"));
    let Some(secret) = secret.and_then(Secret::read) else {
        return used_up();
    };
    if taken.is_some_and(|ticket| ticket.invites)
        && let Ok(Some((room, Looker::Seat(seat)))) = wake(&host, &secret.public()).await
        && !room.take_seat(seat)
    {
        let words = "Somebody is already sitting there. Ask for another seat, or for a link to watch.";
        return gone("This seat is taken", words);
    }
    lead_to_seat(&host, &secret.reveal())
}

async fn page(guest: FreeVisitor) -> Html<String> {
    let title = &*guest.hall.setting.kit.package.definition.name;
    // Who had the device before must not see these cards.
    let seat = seat_of(&guest).ok().filter(|_| guest.hall.setting.one_device);
    let own = seat.filter(|seat| !guest.table.other_seats(*seat).is_empty());
    let mut invitations = guest.table.invitations().into_iter();
    let name = own.and_then(|own| invitations.find(|one| one.seat == Some(own)));
    let device = match (guest.hall.setting.one_device, name) {
        (false, _) => OneDevice::No,
        (true, None) => OneDevice::Alone,
        (true, Some(invitation)) => OneDevice::Shared(invitation.name),
    };
    Html(cw_pages::free_page::page(
        title,
        &guest.address(),
        &guest.stamp(0),
        &device,
    ))
}

async fn events(guest: FreeVisitor) -> Response {
    let Some(held) = guest.hold_stream() else {
        return wait("this table is open in too many places");
    };
    let held = (held, guest.connection.as_ref().map(Connection::begin));
    Sse::new(follow(guest.hall, guest.table, guest.seat, held)).into_response()
}

/// A page answers a beat of its stream.
async fn here(guest: FreeVisitor) -> StatusCode {
    guest.table.presence.answer_beat(guest.seat);
    StatusCode::NO_CONTENT
}

async fn ask(guest: FreeVisitor, body: Bytes) -> Response {
    let asked: FreeRequest = match serde_json::from_slice(&body) {
        Ok(asked) => asked,
        Err(fault) => {
            return no(&No {
                words: format!("this request is not valid: {fault}"),
                wait: false,
            });
        }
    };
    if asked.k != guest.stamp(0) {
        return no(&"that was not sent by this page: load it again".to_owned().into());
    }
    let seat = match seat_of(&guest) {
        Ok(seat) => seat,
        Err(why) => return no(&why),
    };
    let tasks = guest.hall.tasks.clone();
    let done = tasks
        .work(move || act::answer(&guest.hall, &guest.table, seat, asked))
        .await;
    match done {
        Ok(Ok(value)) => answer(&value),
        Ok(Err(why)) => no(&why),
        Err(_) => no(&"something went wrong at the table; nothing has changed"
            .to_owned()
            .into()),
    }
}

async fn signal(guest: FreeVisitor, body: Bytes) -> StatusCode {
    let (Ok(seat), Ok(sent)) = (seat_of(&guest), serde_json::from_slice::<SentSignal>(&body)) else {
        return StatusCode::BAD_REQUEST;
    };
    let signal = Signal::of(&locked(&guest.table.live).table, seat, &sent);
    guest.table.beside.signals.send(signal);
    StatusCode::NO_CONTENT
}

#[derive(Debug, Deserialize)]
struct CardSearchForm {
    #[serde(default)]
    q: String,
    /// `card`: anywhere on the card, and only the numbers of those found.
    #[serde(default)]
    on: String,
}

/// Cards that are found at once.
const MOST_FOUND: usize = 60;

/// Cards of the package by their names, for tokens (F98). What is printed is no secret.
async fn find(guest: FreeVisitor, Query(wanted): Query<CardSearchForm>) -> Response {
    let kit = &guest.hall.setting.kit;
    let words = wanted.q.to_lowercase();
    if wanted.on == "card" {
        let found: Vec<u32> = (0..kit.count())
            .filter(|index| says(kit, *index, &words))
            .collect();
        return answer(&json!(found));
    }
    let named = (0..kit.count()).map(|index| (index, kit.name(&TableModel::Card(index), 0).to_owned()));
    let found = named.filter(|(_, name)| name.to_lowercase().contains(&words));
    let id = |index: u32| {
        kit.card(&TableModel::Card(index))
            .map(|card| card.id.value.to_string())
    };
    let found: Vec<_> = found
        .take(MOST_FOUND)
        .map(|(index, name)| json!([index, name, id(index), set_of(kit, index)]))
        .collect();
    answer(&json!(found))
}

/// Whether these words stand in the name or a property of a card, in any of its forms.
fn says(kit: &Kit, index: u32, words: &str) -> bool {
    let model = TableModel::Card(index);
    let has = |text: &str| text.to_lowercase().contains(words);
    (0..kit.forms(&model)).any(|form| {
        let properties = kit.package.definition.properties.iter();
        let mut values = properties.filter_map(|property| kit.property(&model, form, &property.name));
        has(kit.name(&model, form)) || values.any(has)
    })
}

/// The name of the set that a card is of.
fn set_of(kit: &Kit, index: u32) -> Option<String> {
    let id = kit.card(&TableModel::Card(index))?.id.value;
    let card = kit.package.card_by_id(id)?;
    Some(kit.package.set_of(card).name.to_string())
}

/// How long an invitation waits.
const INVITED: Duration = Duration::from_hours(24);

/// Ways to this table that a seat may pass on: to watch it, and to seats where nobody ever was.
async fn links(guest: FreeVisitor) -> Response {
    let Ok(own) = seat_of(&guest) else {
        return no(&"you only watch this table".to_owned().into());
    };
    let origin = guest.hall.reach().map(|reach| reach.origin());
    let one_device = guest.hall.setting.one_device;
    let doors = match one_device {
        true => guest.table.other_seats(own),
        false => guest.table.open_doors(own),
    };
    let doors = doors.into_iter();
    let links = doors.map(|invitation| {
        let path = match invitation.seat {
            // Who watches knows nothing that others do not; a way to a seat is used up by the first who goes
            // it.
            None => invitation.path,
            Some(_) if one_device => invitation.path,
            Some(_) => guest.hall.invite(&invitation.path, INVITED),
        };
        json!({
            "seat": invitation.seat.map(TableSeat::index),
            "name": invitation.name,
            "path": path,
            "origin": origin,
        })
    });
    answer(&links.collect())
}

/// The lists of its own that a seat can change (F124, F217).
async fn lists(guest: FreeVisitor) -> Response {
    let Ok(own) = seat_of(&guest) else {
        return no(&"you only watch this table".to_owned().into());
    };
    let live = locked(&guest.table.live);
    let [pool, free, deck] = bring::lists(&guest.hall.setting.kit, live.table.state().seat(own));
    drop(live);
    answer(&json!({ "build": pool, "free": free, "sideboard": deck }))
}

/// The record, when all have agreed that the game is over (F162).
async fn record(guest: FreeVisitor) -> Response {
    let may = {
        let live = locked(&guest.table.live);
        live.table.state().ended || live.table.state().settings.solo
    };
    if !may {
        let words =
            "The record shows every card; you can get it once all seats have agreed that the game is over.";
        return (StatusCode::FORBIDDEN, Html(markup::message("Not yet", words))).into_response();
    }
    // What is awake may be the end of it: the store has all.
    let tasks = guest.hall.tasks.clone();
    let read = tasks.work(move || {
        let record = guest.table.record();
        let log = guest.hall.setting.store.log(&record.id, 0).ok()?;
        kept::read(&record, &log, 0).ok()
    });
    match read.await {
        Ok(Some(text)) => ([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response(),
        Ok(None) | Err(_) => {
            let words = "The record cannot be read from the disk right now. None of it is lost.";
            (
                StatusCode::SERVICE_UNAVAILABLE,
                Html(markup::message("Not now", words)),
            )
                .into_response()
        }
    }
}

async fn kit(State(host): State<FreeHost>) -> Response {
    let headers = [
        (header::CONTENT_TYPE, "application/json"),
        (header::CACHE_CONTROL, "no-cache"),
    ];
    (headers, host.hall.kit_json.clone()).into_response()
}

/// What is printed on a card, as text: for readers of screens, and to be read large.
async fn card(State(host): State<FreeHost>, Path((model, form)): Path<(u32, u8)>) -> Response {
    let kit = &host.hall.setting.kit;
    let model = TableModel::Card(model);
    if !kit.knows(&model) || form >= kit.forms(&model) {
        return not_found();
    }
    let properties = kit.package.definition.properties.iter();
    let lines: Vec<_> = properties
        .filter_map(|property| {
            let value = kit.property(&model, form, &property.name)?;
            (!value.trim().is_empty()).then(|| json!([property.name.as_str(), value]))
        })
        .collect();
    let mut response = answer(&json!({ "name": kit.name(&model, form), "properties": lines }));
    let kept = HeaderValue::from_static("private, max-age=3600");
    response.headers_mut().insert(header::CACHE_CONTROL, kept);
    response
}
