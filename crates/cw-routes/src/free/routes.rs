//! The addresses of free tables: what each request may do, and what it gets.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, FromRequestParts, Path, Query, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::sse::Sse;
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use axum::{Router, middleware};
use cw_faces::{CardFace, FaceSize};
use cw_load::PicturePlace;
use cw_octgn::PackageFiles;
use cw_table::{Kit, Looker, TableModel, TableSeat};
use serde::Deserialize;
use serde_json::json;

use super::stream::follow;
use crate::asset::PageAsset;
use crate::connection::Connection;
use crate::guard::{MOST_LINES, cookie, pass};
use crate::routes::{FRONT_STYLE, SHUFFLE_SCRIPT, STYLE, kind_of, not_found, picture};
use crate::work::off_hand;
use cw_hall::free::act::{self, FreeRequest, No};
use cw_hall::free::bring;
use cw_hall::free::kept;
use cw_hall::free::signals::{SentSignal, Signal};
use cw_hall::free::{FreeHall, FreeHost, FreeRoom};
use cw_hall::lock::locked;
use cw_hall::quota::Counted;
use cw_hall::reach::NetworkReach;
use cw_pages::free_page::OneDevice;
use cw_pages::markup;
use cw_pages::secret::Secret;

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
    let mut router = Router::new()
        .route("/free/join/{secret}", get(join))
        .route("/free/open/{ticket}", get(open))
        .nest("/f/{seat}", seat)
        .route("/f/{seat}/", get(page))
        .route("/free/kit.json", get(kit))
        .route("/free/face/{model}/{form}/{size}", get(face))
        .route("/free/card/{model}/{form}", get(card))
        .route("/free/back/{number}", get(back))
        .route("/free/marker/{number}", get(marker))
        .route("/free/board/{number}", get(board))
        .route("/free/background", get(background))
        .route("/free/document/{number}", get(document))
        .route("/free/sound/{number}", get(sound));
    for (name, asset) in ASSETS {
        router = router.route(&format!("/assets/free/{name}"), asset.route());
    }
    router = router
        .route("/face/back.svg", get(|| async { picture(&cw_faces::back()) }))
        .route("/assets/table.css", STYLE.route())
        .route("/assets/cards.css", NO_STYLE.route())
        .route("/assets/table.js", NO_SCRIPT.route())
        .route("/assets/front.css", FRONT_STYLE.route())
        .merge(crate::routes::surfaces())
        .merge(crate::cards::of_free(host))
        .fallback(async || not_found());
    router
        .layer(DefaultBodyLimit::max(MOST_LINES))
        .layer(middleware::from_fn_with_state(host.clone(), guard))
        .with_state(host.clone())
}

static FREE_STYLE: PageAsset = PageAsset::style(include_str!("../../../cw-pages/assets/free/free.css"));
static STATE_SCRIPT: PageAsset = PageAsset::script(include_str!("../../../cw-pages/assets/free/state.js"));
static TABLE_SCRIPT: PageAsset = PageAsset::script(include_str!("../../../cw-pages/assets/free/table.js"));
static DIALOGS_SCRIPT: PageAsset =
    PageAsset::script(include_str!("../../../cw-pages/assets/free/dialogs.js"));
static ENTRIES_SCRIPT: PageAsset =
    PageAsset::script(include_str!("../../../cw-pages/assets/free/entries.js"));
static DECKS_SCRIPT: PageAsset = PageAsset::script(include_str!("../../../cw-pages/assets/free/decks.js"));
static WINDOWS_SCRIPT: PageAsset =
    PageAsset::script(include_str!("../../../cw-pages/assets/free/windows.js"));
static MENU_SCRIPT: PageAsset = PageAsset::script(include_str!("../../../cw-pages/assets/free/menu.js"));
static PANELS_SCRIPT: PageAsset = PageAsset::script(include_str!("../../../cw-pages/assets/free/panels.js"));
static QUESTIONS_SCRIPT: PageAsset =
    PageAsset::script(include_str!("../../../cw-pages/assets/free/questions.js"));
static LOG_SCRIPT: PageAsset = PageAsset::script(include_str!("../../../cw-pages/assets/free/log.js"));
static DRAG_SCRIPT: PageAsset = PageAsset::script(include_str!("../../../cw-pages/assets/free/drag.js"));
static KEYS_SCRIPT: PageAsset = PageAsset::script(include_str!("../../../cw-pages/assets/free/keys.js"));
static FREE_SCRIPT: PageAsset = PageAsset::script(include_str!("../../../cw-pages/assets/free/free.js"));

/// A page of the duels' table asks for these as well: here they are empty.
static NO_STYLE: PageAsset = PageAsset::style("");
static NO_SCRIPT: PageAsset = PageAsset::script("");

/// The page's own files.
pub(crate) static ASSETS: [(&str, &PageAsset); 15] = [
    ("free.css", &FREE_STYLE),
    ("shuffle.js", &SHUFFLE_SCRIPT),
    ("state.js", &STATE_SCRIPT),
    ("table.js", &TABLE_SCRIPT),
    ("dialogs.js", &DIALOGS_SCRIPT),
    ("entries.js", &ENTRIES_SCRIPT),
    ("decks.js", &DECKS_SCRIPT),
    ("windows.js", &WINDOWS_SCRIPT),
    ("menu.js", &MENU_SCRIPT),
    ("panels.js", &PANELS_SCRIPT),
    ("questions.js", &QUESTIONS_SCRIPT),
    ("log.js", &LOG_SCRIPT),
    ("drag.js", &DRAG_SCRIPT),
    ("keys.js", &KEYS_SCRIPT),
    ("free.js", &FREE_SCRIPT),
];

/// What every request must pass.
async fn guard(State(host): State<FreeHost>, request: Request, next: Next) -> Response {
    let reach = host.hall.reach();
    let name = reach.as_ref().map(NetworkReach::name);
    pass(&host.hall.tasks, host.hall.setting.limits, name, request, next).await
}

/// Who asks: the table, and whose view the address and the cookie together stand for.
struct FreeVisitor {
    hall: Arc<FreeHall>,
    room: Arc<FreeRoom>,
    looker: Looker,
    name: String,
    connection: Option<Arc<Connection>>,
}

impl FromRequestParts<FreeHost> for FreeVisitor {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, host: &FreeHost) -> Result<FreeVisitor, Response> {
        let path = Path::<BTreeMap<String, String>>::from_request_parts(parts, host).await;
        let Path(mut path) = path.map_err(IntoResponse::into_response)?;
        let name = path.remove("seat").ok_or_else(not_found)?;
        let token = cookie(&parts.headers).unwrap_or("");
        // A name follows from its secret: who cannot show it wakes nothing.
        let shown = Secret::read(token).is_some_and(|secret| secret.public() == name);
        if !shown || !host.hall.knows(&name) {
            let words = "Open the link to your seat again: the program printed it when it started.";
            let page = markup::message("This seat is not yours", words);
            return Err((StatusCode::FORBIDDEN, Html(page)).into_response());
        }
        let (hall, wanted) = (Arc::clone(&host.hall), name.clone());
        let found = host.hall.tasks.work(move || hall.wake(&wanted)).await;
        let (room, looker) = match found {
            Ok(Ok(Some(found))) => found,
            Ok(Ok(None)) | Err(_) => return Err(not_found()),
            Ok(Err(why)) => {
                let page = markup::message("This table cannot be opened", &why.to_string());
                return Err((StatusCode::CONFLICT, Html(page)).into_response());
            }
        };
        room.use_now();
        let quota = room.quota(looker);
        let connection = parts.extensions.get::<Arc<Connection>>().cloned();
        let limits = &host.hall.setting.limits;
        let has_room = connection.as_ref().is_none_or(|one| one.shows(quota, limits));
        if !has_room || !quota.take(1.0) {
            return Err(no(&No {
                words: "slow down a little".to_owned(),
                wait: true,
            }));
        }
        Ok(FreeVisitor {
            hall: Arc::clone(&host.hall),
            room,
            looker,
            name,
            connection,
        })
    }
}

impl FreeVisitor {
    fn stamp(&self) -> String {
        self.room.secret(self.looker).stamp(0)
    }

    fn seat(&self) -> Result<TableSeat, No> {
        match self.looker {
            Looker::Seat(seat) => Ok(seat),
            Looker::Spectators | Looker::Referee => Err("you only watch this table".to_owned().into()),
        }
    }
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
    lead(&host, &secret)
}

/// A ticket leads to a seat once.
async fn open(State(host): State<FreeHost>, Path(ticket): Path<String>) -> Response {
    let taken = host.hall.take_ticket(&ticket);
    let secret = taken
        .as_ref()
        .and_then(|ticket| ticket.way.strip_prefix("/free/join/"));
    let Some(secret) = secret.and_then(Secret::read) else {
        let words = "This link to the table has already been used, or is too old. Open the link that the program printed.";
        return (
            StatusCode::GONE,
            Html(markup::message("This link no longer works", words)),
        )
            .into_response();
    };
    if taken.as_ref().is_some_and(|ticket| ticket.invites) {
        let (hall, name) = (Arc::clone(&host.hall), secret.public());
        let found = host.hall.tasks.work(move || hall.wake(&name)).await;
        if let Ok(Ok(Some((room, Looker::Seat(seat))))) = found
            && !room.take_seat(seat)
        {
            let words = "Somebody is already sitting there. Ask for another seat, or for a link to watch.";
            return (
                StatusCode::GONE,
                Html(markup::message("This seat is taken", words)),
            )
                .into_response();
        }
    }
    lead(&host, &secret.reveal())
}

pub(crate) fn lead(host: &FreeHost, secret: &str) -> Response {
    let Some(secret) = Secret::read(secret).filter(|secret| host.hall.knows(&secret.public())) else {
        return not_found();
    };
    let name = secret.public();
    let cookie = format!(
        "seat={}; Path=/f/{name}; HttpOnly; SameSite=Strict; Max-Age=2592000",
        secret.reveal()
    );
    let mut response = Redirect::to(&format!("/f/{name}/")).into_response();
    if let Ok(value) = HeaderValue::from_str(&cookie) {
        response.headers_mut().insert(header::SET_COOKIE, value);
    }
    response
}

async fn page(guest: FreeVisitor) -> Html<String> {
    let title = &*guest.hall.setting.kit.package.definition.name;
    // Who had the device before must not see these cards.
    let seat = guest.seat().ok().filter(|_| guest.hall.setting.one_device);
    let own = seat.filter(|seat| !guest.room.other_seats(*seat).is_empty());
    let mut invitations = guest.room.invitations().into_iter();
    let name = own.and_then(|own| invitations.find(|one| one.seat == Some(own)));
    let device = match (guest.hall.setting.one_device, name) {
        (false, _) => OneDevice::No,
        (true, None) => OneDevice::Alone,
        (true, Some(invitation)) => OneDevice::Shared(invitation.name),
    };
    Html(cw_pages::free_page::page(
        title,
        &format!("/f/{}/", guest.name),
        &guest.stamp(),
        &device,
    ))
}

async fn events(guest: FreeVisitor) -> Response {
    let limits = guest.hall.setting.limits;
    let quota = guest.room.quota(guest.looker);
    let Some(held) = quota.hold(Counted::Stream, limits.streams) else {
        return no(&No {
            words: "this table is open in too many places".to_owned(),
            wait: true,
        });
    };
    let held = (held, guest.connection.as_ref().map(Connection::begin));
    Sse::new(follow(guest.hall, guest.room, guest.looker, held)).into_response()
}

/// A page answers a beat of its stream.
async fn here(guest: FreeVisitor) -> StatusCode {
    guest.room.presence.answer_beat(guest.looker);
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
    if asked.k != guest.stamp() {
        return no(&"that was not sent by this page: load it again".to_owned().into());
    }
    let seat = match guest.seat() {
        Ok(seat) => seat,
        Err(why) => return no(&why),
    };
    let tasks = guest.hall.tasks.clone();
    let done = tasks
        .work(move || act::answer(&guest.hall, &guest.room, seat, asked))
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
    let (Ok(seat), Ok(sent)) = (guest.seat(), serde_json::from_slice::<SentSignal>(&body)) else {
        return StatusCode::BAD_REQUEST;
    };
    let signal = Signal::of(&locked(&guest.room.live).table, seat, &sent);
    guest.room.beside.signals.send(signal);
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
    let Ok(own) = guest.seat() else {
        return no(&"you only watch this table".to_owned().into());
    };
    let origin = guest.hall.reach().map(|reach| reach.origin());
    let one_device = guest.hall.setting.one_device;
    let doors = match one_device {
        true => guest.room.other_seats(own),
        false => guest.room.open_doors(own),
    };
    let doors = doors.into_iter();
    let links = doors.map(|invitation| {
        let path = match invitation.seat {
            // Who watches knows nothing that others do not; a way to a seat is used up by the first who goes it.
            None => invitation.path,
            Some(_) if one_device => invitation.path,
            Some(_) => guest.hall.invite(&invitation.path, INVITED),
        };
        json!({ "seat": invitation.seat.map(TableSeat::index), "name": invitation.name, "path": path, "origin": origin })
    });
    answer(&links.collect())
}

/// The lists of its own that a seat can change (F124, F217).
async fn lists(guest: FreeVisitor) -> Response {
    let Ok(own) = guest.seat() else {
        return no(&"you only watch this table".to_owned().into());
    };
    let live = locked(&guest.room.live);
    let [pool, free, deck] = bring::lists(&guest.hall.setting.kit, live.table.state().seat(own));
    drop(live);
    answer(&json!({ "build": pool, "free": free, "sideboard": deck }))
}

/// The record, when all have agreed that the game is over (F162).
async fn record(guest: FreeVisitor) -> Response {
    let may = {
        let live = locked(&guest.room.live);
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
        let record = guest.room.record();
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

/// Faces that are remembered.
const MOST_DRAWN: usize = 4096;
/// Bytes of a picture that are sent at most (F204).
const MOST_PICTURE: u64 = 8 << 20;

/// A card's face: the picture that the host has added, else drawn from its data.
async fn face(State(host): State<FreeHost>, Path((model, form, size)): Path<(u32, u8, String)>) -> Response {
    let size = match size.as_str() {
        "small" => FaceSize::Small,
        "full" => FaceSize::Full,
        _ => return not_found(),
    };
    let hall = Arc::clone(&host.hall);
    let made = off_hand(&host.hall.tasks, &host.hall.drawing, move || {
        if let Some(bytes) = own_picture(&hall, model, form) {
            return Some(MadePicture::Picture(bytes));
        }
        draw(&hall, model, form, size).map(MadePicture::Drawn)
    });
    match made.await {
        Some(MadePicture::Picture(bytes)) => image(bytes),
        Some(MadePicture::Drawn(svg)) => picture(&svg),
        None => not_found(),
    }
}

enum MadePicture {
    Picture(Vec<u8>),
    Drawn(Arc<str>),
}

/// From the packs that the host has added (P76).
fn own_picture(hall: &FreeHall, model: u32, form: u8) -> Option<Vec<u8>> {
    let pictures = hall.setting.pictures.as_ref()?;
    let card = hall.setting.kit.card(&TableModel::Card(model))?;
    let alternate = form
        .checked_sub(1)
        .and_then(|at| card.alternates.get(usize::from(at)));
    let name = card.picture_name(alternate).to_lowercase();
    let (pack, file) = pictures.files.get(&name)?;
    let bytes = pictures.packs.get(*pack)?.read(file, MOST_PICTURE).ok()?;
    kind_of(&bytes).map(|_| bytes)
}

fn draw(hall: &FreeHall, model: u32, form: u8, size: FaceSize) -> Option<Arc<str>> {
    let key = format!("{model} {form} {}", matches!(size, FaceSize::Full));
    if let Some(drawn) = locked(&hall.drawn).get(&key) {
        return Some(Arc::clone(drawn));
    }
    let number = (*hall.models.get(usize::try_from(model).ok()?)?)?;
    let face = CardFace {
        game: hall.setting.game.as_ref()?,
        model: number,
        form: form.checked_sub(1).map(usize::from),
        catalogue: &hall.setting.catalogue,
        files: hall
            .setting
            .files
            .as_deref()
            .map(|files| files as &dyn PackageFiles),
        picture: hall.setting.catalogue.picture,
    };
    let drawn = cw_faces::face(face, size).or_else(|| {
        cw_faces::face(
            CardFace {
                picture: PicturePlace::None,
                files: None,
                ..face
            },
            size,
        )
    })?;
    let drawn: Arc<str> = drawn.into();
    let mut all = locked(&hall.drawn);
    if all.len() < MOST_DRAWN {
        all.insert(key, Arc::clone(&drawn));
    }
    Some(drawn)
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

async fn back(State(host): State<FreeHost>, Path(number): Path<usize>) -> Response {
    let path = host
        .hall
        .backs
        .get(number)
        .filter(|path| !path.is_empty())
        .cloned();
    let own = path.or_else(|| {
        let back = host.hall.setting.kit.default_measures().back.clone();
        (number == 0 && !back.is_empty()).then_some(back)
    });
    file(&host, own)
        .await
        .unwrap_or_else(|| picture(&cw_faces::back()))
}

async fn marker(State(host): State<FreeHost>, Path(number): Path<usize>) -> Response {
    let kit = &host.hall.setting.kit;
    let Some(kind) = kit.markers.get(number) else {
        return not_found();
    };
    let markers = &host.hall.setting.catalogue.markers;
    let known = markers.iter().find(|marker| marker.name == kind.name);
    let token = known.and_then(|marker| marker.built_in).and_then(cw_faces::token);
    if let Some(token) = token.or_else(|| built_in(number, kit.markers.len()).and_then(cw_faces::token)) {
        return picture(&token);
    }
    let own = known.and_then(|marker| marker.picture.clone());
    file(&host, own).await.unwrap_or_else(not_found)
}

/// The eight built-in markers stand last (F23).
fn built_in(number: usize, all: usize) -> Option<usize> {
    number.checked_sub(all.checked_sub(cw_faces::BUILT_IN.len())?)
}

async fn board(State(host): State<FreeHost>, Path(number): Path<usize>) -> Response {
    let boards = &host.hall.setting.kit.package.definition.tabletop.boards;
    let path = boards.get(number).map(|board| board.source.to_string());
    file(&host, path).await.unwrap_or_else(not_found)
}

async fn background(State(host): State<FreeHost>) -> Response {
    let path = host
        .hall
        .setting
        .kit
        .package
        .definition
        .tabletop
        .background
        .as_ref();
    file(&host, path.map(ToString::to_string))
        .await
        .unwrap_or_else(not_found)
}

/// A document of the package: PDF, plain text and pictures are served, nothing else is (F24).
async fn document(State(host): State<FreeHost>, Path(number): Path<usize>) -> Response {
    let documents = &host.hall.setting.kit.package.definition.tabletop.documents;
    let Some(path) = documents.get(number).map(|document| document.path.to_string()) else {
        return not_found();
    };
    let is_text = cw_hall::free::kit::is_text(&path);
    let Some(bytes) = read_file(&host, path).await else {
        return not_found();
    };
    let kind = match kind_of(&bytes) {
        Some(kind) => kind,
        None if bytes.starts_with(b"%PDF-") => "application/pdf",
        None if is_text => "text/plain; charset=utf-8",
        None => return not_found(),
    };
    ([(header::CONTENT_TYPE, kind)], bytes).into_response()
}

/// A sound of the package (F24).
async fn sound(State(host): State<FreeHost>, Path(number): Path<usize>) -> Response {
    let sounds = &host.hall.setting.kit.package.definition.tabletop.sounds;
    let Some(path) = sounds.get(number).map(|sound| sound.path.to_string()) else {
        return not_found();
    };
    let kind = match read_file(&host, path).await {
        Some(bytes) => sound_of(&bytes).map(|kind| (kind, bytes)),
        None => None,
    };
    match kind {
        Some((kind, bytes)) => ([(header::CONTENT_TYPE, kind)], bytes).into_response(),
        None => not_found(),
    }
}

fn sound_of(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'A', b'V', b'E', ..] => Some("audio/wav"),
        [b'O', b'g', b'g', b'S', ..] => Some("audio/ogg"),
        [b'f', b'L', b'a', b'C', ..] => Some("audio/flac"),
        [b'I', b'D', b'3', ..] | [0xff, 0xe0..=0xff, ..] => Some("audio/mpeg"),
        _ => None,
    }
}

async fn read_file(host: &FreeHost, path: String) -> Option<Vec<u8>> {
    let path = path.replace('\\', "/");
    let hall = Arc::clone(&host.hall);
    let read = off_hand(&host.hall.tasks, &host.hall.drawing, move || {
        let known = hall.setting.kit.package.files.iter();
        let name = known.into_iter().find(|file| file.eq_ignore_ascii_case(&path))?;
        hall.setting.files.as_ref()?.read(name, MOST_PICTURE).ok()
    });
    read.await
}

/// A picture of the package; OCTGN runs where names of files have no case.
async fn file(host: &FreeHost, path: Option<String>) -> Option<Response> {
    let bytes = read_file(host, path?).await?;
    kind_of(&bytes).is_some().then(|| image(bytes))
}

fn image(bytes: Vec<u8>) -> Response {
    let Some(kind) = kind_of(&bytes) else {
        return not_found();
    };
    let headers = [
        (header::CONTENT_TYPE, kind),
        (header::CACHE_CONTROL, "private, max-age=3600"),
    ];
    (headers, bytes).into_response()
}
