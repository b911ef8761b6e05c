//! The server: routes, and the tables behind them.

use std::collections::BTreeMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use axum::extract::{DefaultBodyLimit, Form, Path, Query, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::sse::{KeepAlive, Sse};
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use axum::{Router, middleware};
use cw_duel::{Game, PerSeat, Seat, SetupError};
use cw_faces::{Catalogue, Face, Size};
use cw_program::ModelId;
use serde::{Deserialize, Serialize};
use tokio::sync::watch;

use crate::Secret;
use crate::guard::{Allowance, cookie, guard};
use crate::pages;
use crate::scene::Scene;
use crate::store::{Store, StoreError, TableRecord};
use crate::stream::follow;
use crate::table::{Refused, Start, Stop, Table, Who};

/// Why there is no table.
#[derive(Debug, thiserror::Error)]
pub enum HostError {
    /// The duel cannot start.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// It cannot be kept.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// No port can be had.
    #[error("cannot listen on {address}: {source}")]
    Listen {
        /// Where.
        address: SocketAddr,
        /// Why not.
        source: std::io::Error,
    },
}

/// The way to a seat: whoever opens it sits there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invitation {
    /// Which seat.
    pub seat: Seat,
    /// Who sits there.
    pub who: Who,
    /// The path below the server's address. It holds the seat's secret.
    pub path: String,
}

/// Tables of one game, behind a server.
#[derive(Clone)]
pub struct Host {
    inner: Arc<Inner>,
}

struct Inner {
    game: Arc<Game>,
    catalogue: Arc<Catalogue>,
    store: Box<dyn Store>,
    /// Is given the record of each duel that ends.
    over: Option<Over>,
    /// By the public names of the seats.
    seats: RwLock<BTreeMap<String, (Arc<Cell>, Seat)>>,
}

/// Takes the text of a record.
type Over = Box<dyn Fn(&str) + Send + Sync>;

/// A table that several requests share.
#[derive(Debug)]
pub(crate) struct Cell {
    table: Mutex<Table>,
    /// The name under which the store keeps the duel, and how many entries it has.
    kept: Mutex<(String, u64)>,
    allowance: Mutex<Allowance>,
    pub(crate) changed: watch::Sender<u64>,
}

impl Cell {
    pub(crate) fn table(&self) -> MutexGuard<'_, Table> {
        locked(&self.table)
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// How a duel began, as the store keeps it.
#[derive(Debug, Serialize, Deserialize)]
struct StartRecord {
    seed: u64,
    first: Option<u8>,
    decks: [Vec<String>; 2],
    names: [String; 2],
    who: [Who; 2],
    secrets: [String; 2],
    illegal_decks: bool,
}

impl std::fmt::Debug for Host {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Host")
            .field("game", &self.inner.game.name)
            .finish_non_exhaustive()
    }
}

impl Host {
    /// A host for this game.
    pub fn new(game: Arc<Game>, catalogue: Arc<Catalogue>, store: Box<dyn Store>) -> Host {
        let seats = RwLock::default();
        Host {
            inner: Arc::new(Inner {
                game,
                catalogue,
                store,
                over: None,
                seats,
            }),
        }
    }

    /// Gives the record of each duel that ends, as `cardwright replay` reads it, to `over`.
    ///
    /// # Panics
    /// If the host is shared already.
    #[must_use]
    pub fn when_over(mut self, over: Box<dyn Fn(&str) + Send + Sync>) -> Host {
        let inner = Arc::get_mut(&mut self.inner).expect("a new host is not shared yet");
        inner.over = Some(over);
        self
    }

    /// Begins a duel.
    ///
    /// # Errors
    /// If it cannot start, or cannot be kept.
    pub fn open(&self, start: Start) -> Result<Vec<Invitation>, HostError> {
        let secrets = PerSeat::from_fn(|_| Secret::new());
        let table = Table::new(start, secrets)?;
        let id = self.inner.keep(&table)?;
        Ok(self.seat(table, id, 0))
    }

    /// Brings back the duels of this game that were not over when the program ended, the newest
    /// first. Those that no longer fit the game are left alone.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn resume(&self) -> Result<Vec<Vec<Invitation>>, HostError> {
        let inner = &self.inner;
        let mut found = Vec::new();
        for record in inner.store.unfinished()? {
            if record.fingerprint != inner.game.fingerprint {
                continue;
            }
            let log = inner.store.log(&record.id)?;
            if let Some(table) = inner.restore(&record, &log) {
                found.push(self.seat(table, record.id, log.len() as u64));
            }
        }
        Ok(found)
    }

    fn seat(&self, table: Table, id: String, entries: u64) -> Vec<Invitation> {
        let invitations = Seat::BOTH.map(|seat| Invitation {
            seat,
            who: table.seats[seat].who,
            path: format!("/join/{}", table.seats[seat].secret.reveal()),
        });
        let names = Seat::BOTH.map(|seat| (table.seats[seat].secret.public(), seat));
        let cell = Arc::new(Cell {
            changed: watch::Sender::new(table.number()),
            table: Mutex::new(table),
            kept: Mutex::new((id, entries)),
            allowance: Mutex::default(),
        });
        let mut seats = self.inner.seats.write().unwrap_or_else(PoisonError::into_inner);
        for (name, seat) in names {
            seats.insert(name, (Arc::clone(&cell), seat));
        }
        drop(seats);
        self.inner.settle(&cell);
        invitations.into()
    }

    /// The routes.
    pub fn router(&self) -> Router {
        let seat = Router::new()
            .route("/", get(page))
            .route("/events", get(events))
            .route("/answer", post(answer))
            .route("/act", post(act))
            .route("/moment/{step}", get(moment))
            .route("/moment", get(moment_by_query))
            .route("/record.json", get(record));
        Router::new()
            .route("/", get(home))
            .route("/join/{secret}", get(join))
            .nest("/s/{seat}", seat)
            .route("/s/{seat}/", get(page))
            .route("/face/back.svg", get(back))
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
            .with_state(self.clone())
    }

    /// Serves on this machine until the program ends. `ready` is told the address.
    ///
    /// # Errors
    /// If the port cannot be had. Without a wish, the usual port is tried, then any.
    pub fn serve(self, port: Option<u16>, ready: impl FnOnce(SocketAddr)) -> Result<(), HostError> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .map_err(|source| HostError::Listen {
                address: local(port.unwrap_or(0)),
                source,
            })?;
        runtime.block_on(async {
            let listener = match port {
                Some(port) => listen(port).await,
                None => match listen(USUAL_PORT).await {
                    Ok(listener) => Ok(listener),
                    Err(_) => listen(0).await,
                },
            }?;
            let address = listener.local_addr().unwrap_or(local(port.unwrap_or(USUAL_PORT)));
            ready(address);
            self.inner.settle_all();
            axum::serve(listener, self.router())
                .await
                .map_err(|source| HostError::Listen { address, source })
        })
    }
}

/// Where the table is if nobody else is there: so that a page finds it again after a restart.
const USUAL_PORT: u16 = 7313;

fn local(port: u16) -> SocketAddr {
    SocketAddr::from((Ipv4Addr::LOCALHOST, port))
}

async fn listen(port: u16) -> Result<tokio::net::TcpListener, HostError> {
    let address = local(port);
    let listening = tokio::net::TcpListener::bind(address).await;
    listening.map_err(|source| HostError::Listen { address, source })
}

impl Inner {
    /// Writes the beginning of a duel down; returns its name.
    fn keep(&self, table: &Table) -> Result<String, StoreError> {
        let start = &table.start;
        let ids = |seat: Seat| {
            let cards = start.decks[seat].iter();
            cards
                .map(|model| self.game.model(*model).id.to_string())
                .collect()
        };
        let record = StartRecord {
            seed: start.seed,
            first: start.first.map(|seat| seat.index() as u8 + 1),
            decks: Seat::BOTH.map(ids),
            names: start.names.0.clone(),
            who: start.who.0,
            secrets: Seat::BOTH.map(|seat| table.seats[seat].secret.reveal()),
            illegal_decks: start.allow_illegal_decks,
        };
        let id = Secret::new().public();
        self.store.begin(&TableRecord {
            id: id.clone(),
            fingerprint: self.game.fingerprint.clone(),
            start: serde_json::to_string(&record).expect("texts and numbers are always JSON"),
        })?;
        Ok(id)
    }

    fn restore(&self, record: &TableRecord, log: &[String]) -> Option<Table> {
        let start: StartRecord = serde_json::from_str(&record.start).ok()?;
        let model = |id: &String| {
            let at = self.game.models.iter().position(|model| *model.id == **id)?;
            Some(ModelId(at as u16))
        };
        let deck = |index: usize| {
            start.decks[index]
                .iter()
                .map(model)
                .collect::<Option<Vec<ModelId>>>()
        };
        let secrets = PerSeat([Secret::read(&start.secrets[0])?, Secret::read(&start.secrets[1])?]);
        let decks = PerSeat([deck(0)?, deck(1)?]);
        let start = Start {
            game: Arc::clone(&self.game),
            catalogue: Arc::clone(&self.catalogue),
            decks,
            names: PerSeat(start.names),
            who: PerSeat(start.who),
            seed: start.seed,
            first: start
                .first
                .map(|first| Seat::from_index(usize::from(first).saturating_sub(1))),
            allow_illegal_decks: start.illegal_decks,
        };
        let mut table = Table::new(start, secrets).ok()?;
        table.redo(log).ok()?;
        Some(table)
    }

    /// After a change: keeps what was done, tells the readers, and lets a computer go on.
    fn settle(self: &Arc<Inner>, cell: &Arc<Cell>) {
        let (number, thinking) = {
            let mut table = cell.table();
            self.write_down(cell, &mut table);
            (table.number(), table.computer_to_move().is_some())
        };
        cell.changed.send_replace(number);
        // Outside of a runtime nothing can wait; the server settles all tables when it starts.
        if thinking && let Ok(runtime) = tokio::runtime::Handle::try_current() {
            let (inner, cell) = (Arc::clone(self), Arc::clone(cell));
            runtime.spawn_blocking(move || inner.let_computers_play(&cell));
        }
    }

    fn settle_all(self: &Arc<Inner>) {
        let seats = self.seats.read().unwrap_or_else(PoisonError::into_inner);
        let cells: Vec<Arc<Cell>> = seats
            .values()
            .filter(|(_, seat)| *seat == Seat::One)
            .map(|(cell, _)| Arc::clone(cell))
            .collect();
        drop(seats);
        for cell in cells {
            self.settle(&cell);
        }
    }

    /// A store that fails does not stop the duel: it only cannot be resumed.
    fn write_down(&self, cell: &Cell, table: &mut Table) {
        let mut kept = locked(&cell.kept);
        let done = table.take_done();
        if let Some(over) = self
            .over
            .as_ref()
            .filter(|_| !done.is_empty() && table.duel().outcome().is_some())
        {
            over(&table.record().replay().write());
        }
        for done in done {
            let text = serde_json::to_string(&done).expect("texts and numbers are always JSON");
            if self.store.append(&kept.0, kept.1, &text).is_ok() {
                kept.1 += 1;
            }
        }
        if table.duel().outcome().is_some() {
            self.store.finish(&kept.0).ok();
        }
    }

    /// Computers answer until somebody else must, or the duel is over. The table is not locked
    /// while they think.
    fn let_computers_play(&self, cell: &Arc<Cell>) {
        loop {
            let (number, thought) = {
                let table = cell.table();
                let Some((seat, who)) = table.computer_to_move() else {
                    return;
                };
                (table.number(), (seat, who, table.duel().clone()))
            };
            let choice = think(thought.0, thought.1, &thought.2);
            let mut table = cell.table();
            match choice {
                Some(choice) => table.choose_for_computer(number, choice),
                None => table.choose_by_chance(),
            }
            self.write_down(cell, &mut table);
            let number = table.number();
            drop(table);
            cell.changed.send_replace(number);
        }
    }

    /// Begins the next duel at the same table with the same seats.
    fn rematch(&self, cell: &Cell, swap: bool) -> Result<(), HostError> {
        let mut table = cell.table();
        let mut start = table.start.clone();
        start.seed = start.seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1) % 1_000_000;
        start.first = None;
        if swap {
            start.decks.0.swap(0, 1);
            start.names.0.swap(0, 1);
        }
        let secrets = PerSeat::from_fn(|seat| table.seats[seat].secret.clone());
        let number = table.number();
        let mut next = Table::new(start, secrets)?;
        next.continue_numbers(number);
        let id = self.keep(&next)?;
        *locked(&cell.kept) = (id, 0);
        *table = next;
        Ok(())
    }
}

/// A computer's choice; `None` leaves it to chance.
fn think(seat: Seat, who: Who, duel: &cw_duel::Duel) -> Option<cw_duel::Choice> {
    let decision = duel.pending()?;
    if who != Who::Computer {
        return None;
    }
    // The seed is the state: the same duel gives the same choices again.
    let words = duel.hash().to_string();
    let seed = words
        .get(..15)
        .and_then(|digits| u64::from_str_radix(digits, 16).ok())
        .unwrap_or(1);
    let guess = |seed| duel.with_unknown_redealt(seat, seed);
    Some(cw_players::Sensible::new(seed).choose(decision, &duel.view(seat), &guess))
}

/// A request that stops here.
type Stopped = Box<Response>;

impl Host {
    fn knows(&self, name: &str) -> bool {
        let seats = self.inner.seats.read().unwrap_or_else(PoisonError::into_inner);
        seats.contains_key(name)
    }

    /// The table and the seat that the address and the cookie together stand for.
    fn sit(&self, name: &str, headers: &HeaderMap) -> Result<(Arc<Cell>, Seat), Stopped> {
        let seats = self.inner.seats.read().unwrap_or_else(PoisonError::into_inner);
        let found = seats.get(name).cloned();
        drop(seats);
        let allowed = found.filter(|(cell, seat)| {
            cookie(headers).is_some_and(|token| cell.table().seats[*seat].secret.is(token))
        });
        let Some((cell, seat)) = allowed else {
            let words = "Open the link to your seat again: the program printed it when it started.";
            return Err(Box::new(
                (
                    StatusCode::FORBIDDEN,
                    Html(pages::message("This seat is not yours", words)),
                )
                    .into_response(),
            ));
        };
        if !locked(&cell.allowance).take() {
            let words = "Too many requests at once. Wait a second.";
            return Err(Box::new(
                (
                    StatusCode::TOO_MANY_REQUESTS,
                    Html(pages::message("Slow down", words)),
                )
                    .into_response(),
            ));
        }
        Ok((cell, seat))
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

async fn page(State(host): State<Host>, Path(seat): Path<String>, headers: HeaderMap) -> Response {
    match host.sit(&seat, &headers) {
        Ok((cell, at)) => Html(seat_page(&cell, at, &seat, None)).into_response(),
        Err(stopped) => *stopped,
    }
}

fn seat_page(cell: &Cell, at: Seat, name: &str, notice: Option<&str>) -> String {
    let table = cell.table();
    pages::document(&Scene::now(&table, at), &format!("/s/{name}/"), notice)
}

#[derive(Debug, Deserialize)]
struct Since {
    number: Option<u64>,
}

async fn events(
    State(host): State<Host>,
    Path(seat): Path<String>,
    Query(since): Query<Since>,
    headers: HeaderMap,
) -> Response {
    let (cell, at) = match host.sit(&seat, &headers) {
        Ok(found) => found,
        Err(stopped) => return *stopped,
    };
    let last = headers.get("last-event-id").and_then(|id| id.to_str().ok());
    let number = last.and_then(|id| id.parse().ok()).or(since.number).unwrap_or(0);
    Sse::new(follow(cell, at, number))
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

async fn answer(
    State(host): State<Host>,
    Path(seat): Path<String>,
    headers: HeaderMap,
    Form(form): Form<Answer>,
) -> Response {
    let (cell, at) = match host.sit(&seat, &headers) {
        Ok(found) => found,
        Err(stopped) => return *stopped,
    };
    let result = cell.table().answer(at, form.n, &form.k, form.o);
    respond(&host, &cell, at, &seat, &headers, result)
}

/// Everything else that a seat can ask for.
#[derive(Debug, Deserialize)]
struct Act {
    n: u64,
    k: String,
    act: String,
}

async fn act(
    State(host): State<Host>,
    Path(seat): Path<String>,
    headers: HeaderMap,
    Form(form): Form<Act>,
) -> Response {
    let (cell, at) = match host.sit(&seat, &headers) {
        Ok(found) => found,
        Err(stopped) => return *stopped,
    };
    let result = do_act(&host, &cell, at, &form);
    respond(&host, &cell, at, &seat, &headers, result)
}

fn do_act(host: &Host, cell: &Cell, seat: Seat, form: &Act) -> Result<(), Refused> {
    let mut table = cell.table();
    if table.seats[seat].secret.stamp(form.n) != form.k {
        return Err(Refused::Forged);
    }
    let stop = |word: &str| Stop::ALL.into_iter().find(|stop| stop.word() == word);
    match form.act.as_str() {
        "concede" => table.forfeit(seat),
        // What is taken back must be what the page showed.
        "undo" if form.n != table.number() => Err(Refused::Stale),
        "undo" => table.undo(seat),
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
                true => host
                    .inner
                    .rematch(cell, form.act == "swap")
                    .map_err(|_| Refused::NotOffered),
                false => Ok(()),
            }
        }
        other => match other.strip_prefix("stop-").and_then(stop) {
            Some(stop) => {
                table.toggle_stop(seat, stop);
                Ok(())
            }
            None => Err(Refused::NotOffered),
        },
    }
}

/// A script gets a status; a plain form gets the page.
fn respond(
    host: &Host,
    cell: &Arc<Cell>,
    at: Seat,
    name: &str,
    headers: &HeaderMap,
    result: Result<(), Refused>,
) -> Response {
    let scripted = headers.contains_key("x-table");
    match result {
        Ok(()) | Err(Refused::Repeated) => {
            host.inner.settle(cell);
            if scripted {
                StatusCode::NO_CONTENT.into_response()
            } else {
                Redirect::to(&format!("/s/{name}/")).into_response()
            }
        }
        Err(refused) => {
            let words = refused.to_string();
            if scripted {
                (StatusCode::CONFLICT, words).into_response()
            } else {
                (
                    StatusCode::CONFLICT,
                    Html(seat_page(cell, at, name, Some(&words))),
                )
                    .into_response()
            }
        }
    }
}

#[derive(Debug, Deserialize)]
struct Moment {
    step: usize,
}

async fn moment(
    State(host): State<Host>,
    Path((seat, step)): Path<(String, usize)>,
    headers: HeaderMap,
) -> Response {
    show_moment(&host, &seat, step, &headers)
}

async fn moment_by_query(
    State(host): State<Host>,
    Path(seat): Path<String>,
    Query(wanted): Query<Moment>,
    headers: HeaderMap,
) -> Response {
    show_moment(&host, &seat, wanted.step, &headers)
}

fn show_moment(host: &Host, seat: &str, step: usize, headers: &HeaderMap) -> Response {
    match host.sit(seat, headers) {
        Ok((cell, at)) => {
            let table = cell.table();
            let step = step.min(table.steps.len() - 1);
            let over = table.duel().outcome().is_some();
            Html(pages::moment(
                &Scene::at(&table, at, step),
                &format!("/s/{seat}/"),
                over,
            ))
            .into_response()
        }
        Err(stopped) => *stopped,
    }
}

/// Only when the duel is over: a record shows both hands.
async fn record(State(host): State<Host>, Path(seat): Path<String>, headers: HeaderMap) -> Response {
    let (cell, _) = match host.sit(&seat, &headers) {
        Ok(found) => found,
        Err(stopped) => return *stopped,
    };
    let table = cell.table();
    if table.duel().outcome().is_none() {
        let page = pages::message(
            "Not yet",
            "The record of a duel shows both hands; it can be had when the duel is over.",
        );
        return (StatusCode::FORBIDDEN, Html(page)).into_response();
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
