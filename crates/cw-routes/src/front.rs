//! The front page: what whoever runs the host can go to. It needs a cookie of its own, since it leads to
//! the seats of all duels against the computer.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Router;
use axum::extract::{Form, FromRequestParts, Path, Query, State};
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use cw_duel::Seat;
use cw_players::Level;
use serde::Deserialize;

use crate::beside_duels::free_tables_of;
use crate::decks::{climbing, ladder_decks};
use crate::guard::named_cookie;
use crate::visitor::{lead_to_seat, not_found};
use crate::ways::{lead_along, lead_home, lead_to_duel, lead_to_run};
use cw_hall::duels::{DuelHost, Invitation, TableOpener};
use cw_hall::hall::HostError;
use cw_pages::ladder;
use cw_pages::linked::{self, LinkedThing};
use cw_pages::listed::WantedDuel;
use cw_pages::markup;
use cw_pages::secret::Secret;
use cw_pages::table::SeatPlayer;
use cw_run::RunSeed;
use cw_wire::{GameLink, LinkRefused};

pub(crate) fn routes() -> Router<DuelHost> {
    Router::new()
        .route("/front/", get(front))
        .route("/front/open/{secret}", get(open))
        .route("/front/enter/{seat}", get(enter))
        .route("/front/watch/{seat}", get(watch))
        .route("/front/new", post(new))
        .route("/front/invite", post(invite))
        .route("/front/learn", post(learn))
        .route("/front/forget", post(forget))
        .route("/front/challenge", post(challenge))
        .route("/front/open-all", post(open_all))
        .route("/front/link", get(link).post(open_link))
        .route("/front/share/deck/{at}", get(share_deck))
}

/// The way from the front page to free tables of the same package.
pub(crate) fn free_routes() -> Router<DuelHost> {
    Router::new().route("/front/free", post(free))
}

/// Whoever runs the host: the cookie shows it. A handler that takes it is reached by nobody else.
pub(crate) struct HostOwner(pub(crate) DuelHost);

impl FromRequestParts<DuelHost> for HostOwner {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, host: &DuelHost) -> Result<HostOwner, Response> {
        let token = named_cookie(&parts.headers, "home=").unwrap_or("");
        if host.hall.home.is(token) {
            return Ok(HostOwner(host.clone()));
        }
        let words =
            "Open the link to the front page, or to your seat: the program printed them when it started.";
        let page = markup::message("Cardwright", words);
        Err((StatusCode::FORBIDDEN, Html(page)).into_response())
    }
}

/// Where beside the front page somebody wants to go.
#[derive(Debug, Deserialize)]
struct WantedWay {
    run: Option<String>,
}

async fn open(
    State(host): State<DuelHost>,
    Path(secret): Path<String>,
    Query(wanted): Query<WantedWay>,
) -> Response {
    let run = wanted.run.and_then(|seed| seed.parse().ok());
    match (host.hall.home.is(&secret), run) {
        (true, Some(seed)) => lead_to_run(&host, seed),
        (true, None) => lead_home(&host),
        (false, _) => not_found(),
    }
}

async fn front(HostOwner(host): HostOwner) -> Response {
    page(&host, None).await
}

/// The front page, made on a thread of its own: it waits for tables that are being changed.
pub(crate) async fn page(host: &DuelHost, notice: Option<String>) -> Response {
    page_again(host, notice, String::new()).await
}

/// As [`page`], with the list of cards that was pasted and could not be taken.
async fn page_again(host: &DuelHost, notice: Option<String>, pasted: String) -> Response {
    let hall = Arc::clone(&host.hall);
    let made = host.hall.tasks.work(move || {
        let stamp = hall.home.stamp(0);
        let (built, last) = ladder_decks(&hall);
        markup::front(
            &hall.setting.package.now(),
            &hall.listed(),
            &hall.changed(),
            &hall.progress(),
            &stamp,
            markup::Untaken {
                notice: notice.as_deref(),
                pasted: &pasted,
            },
            markup::FrontWays {
                deck: markup::LadderDeck::Chosen {
                    built: &built,
                    last: last.as_deref(),
                },
                free_tables: hall.setting.free.is_some(),
                friends: hall.setting.has_friends,
                today: RunSeed::of_time(cw_hall::clock::today()),
            },
        )
    });
    match made.await {
        Ok(page) => Html(page).into_response(),
        Err(_) => not_found(),
    }
}

/// The page for whoever sends a form that was not made for it.
async fn foreign(host: &DuelHost, stamp: &str) -> Option<Response> {
    if stamp == host.hall.home.stamp(0) {
        return None;
    }
    Some(page(host, Some("That form was not made for this page.".to_owned())).await)
}

/// The seat of a duel on the page, by its public name.
async fn seat_of(host: &DuelHost, name: String) -> Option<Secret> {
    let hall = Arc::clone(&host.hall);
    let found = host.hall.tasks.work(move || {
        let mut listed = hall.listed().into_iter();
        listed.find(|one| one.seat.public() == name).map(|one| one.seat)
    });
    found.await.ok()?
}

async fn enter(HostOwner(host): HostOwner, Path(name): Path<String>) -> Response {
    match seat_of(&host, name).await {
        Some(seat) => lead_to_duel(&host, &seat.reveal()),
        None => not_found(),
    }
}

/// As [`enter`], to the first moment of the duel.
async fn watch(HostOwner(host): HostOwner, Path(name): Path<String>) -> Response {
    let Some(seat) = seat_of(&host, name.clone()).await else {
        return not_found();
    };
    let mut response = lead_to_duel(&host, &seat.reveal());
    if let Ok(way) = HeaderValue::from_str(&format!("/s/{}/moment/0", seat.public())) {
        response.headers_mut().insert(header::LOCATION, way);
    }
    response
}

/// The form of a new duel.
#[derive(Debug, Deserialize)]
struct NewDuel {
    k: String,
    #[serde(default)]
    own: usize,
    #[serde(default)]
    other: usize,
    #[serde(default)]
    level: String,
    #[serde(default)]
    first: String,
    /// Where a friend comes from: “network”, or this machine.
    #[serde(default)]
    reach: String,
    /// The deck that they bring, as they pasted it.
    #[serde(default)]
    list: String,
}

impl NewDuel {
    /// What is wanted, or the front page with the reason why it cannot be had.
    async fn wanted(&self, host: &DuelHost, opponent: SeatPlayer) -> Result<WantedDuel, Response> {
        let own = match crate::invite::brought(host, &self.list).await {
            Ok(own) => own,
            Err(why) => {
                let words = format!("That deck cannot be played: {why}.");
                return Err(page_again(host, Some(words), self.list.clone()).await);
            }
        };
        Ok(WantedDuel {
            decks: [self.own, self.other],
            own,
            against: None,
            opponent,
            first: match self.first.as_str() {
                "me" => Some(Seat::One),
                "them" => Some(Seat::Two),
                _ => None,
            },
        })
    }
}

async fn new(HostOwner(host): HostOwner, Form(form): Form<NewDuel>) -> Response {
    let level = Level::named(&form.level).unwrap_or(Level::BEST);
    let wanted = match form.wanted(&host, SeatPlayer::Computer(level)).await {
        Ok(wanted) => wanted,
        Err(page) => return page,
    };
    begin(host, form.k, move |hall| hall.new_duel(&wanted)).await
}

/// A duel with a friend: the page of one's own seat has the link for them.
async fn invite(HostOwner(host): HostOwner, Form(form): Form<NewDuel>) -> Response {
    if let Some(refusal) = foreign(&host, &form.k).await {
        return refusal;
    }
    if form.reach == "network" {
        let opened = match host.hall.network.get() {
            Some(open) => open(host.clone()).await,
            None => Err("nobody can reach this table from elsewhere".to_owned()),
        };
        if let Err(why) = opened {
            let words = format!("No friend in your network can join: {why}.");
            return page(&host, Some(words)).await;
        }
    }
    let wanted = match form.wanted(&host, SeatPlayer::Person).await {
        Ok(wanted) => wanted,
        Err(page) => return page,
    };
    begin(host, form.k, move |hall| hall.new_duel(&wanted)).await
}

/// The form of the ladder.
#[derive(Debug, Deserialize)]
struct Challenge {
    k: String,
    #[serde(default)]
    foe: usize,
    /// The place of a deck of the package, or the name of one that was built.
    #[serde(default)]
    own: String,
}

async fn challenge(HostOwner(host): HostOwner, Form(form): Form<Challenge>) -> Response {
    if let Some(refusal) = foreign(&host, &form.k).await {
        return refusal;
    }
    let (hall, own) = (Arc::clone(&host.hall), form.own.clone());
    match host.hall.tasks.work(move || climbing(&hall, &own)).await {
        Ok(Ok(brought)) => {
            let at = form.own.parse().unwrap_or(0);
            begin(host, form.k, move |hall| hall.challenge(form.foe, at, brought)).await
        }
        Ok(Err(words)) => page(&host, Some(words)).await,
        Err(_) => not_found(),
    }
}

/// Opens all opponents, or one after another again.
async fn open_all(HostOwner(host): HostOwner, Form(form): Form<BTreeMap<String, String>>) -> Response {
    if let Some(refusal) = foreign(&host, form.get("k").map_or("", String::as_str)).await {
        return refusal;
    }
    let open = form.get("open").is_some_and(|open| open == "yes");
    let hall = Arc::clone(&host.hall);
    let done = host.hall.tasks.work(move || {
        let setting = &hall.setting;
        setting
            .store
            .note_fact(&ladder::all_open(&setting.package.now().game), open)
    });
    match done.await {
        Ok(Ok(())) => Redirect::to("/front/").into_response(),
        Ok(Err(fault)) => page(&host, Some(format!("That cannot be saved: {fault}."))).await,
        Err(_) => not_found(),
    }
}

async fn learn(HostOwner(host): HostOwner, Form(form): Form<BTreeMap<String, String>>) -> Response {
    let stage = form.get("stage").and_then(|at| at.parse().ok());
    let stage = stage.and_then(|at: usize| host.hall.setting.package.now().shelf.get(at).cloned());
    let Some(stage) = stage else {
        return not_found();
    };
    let stamp = form.get("k").cloned().unwrap_or_default();
    begin(host, stamp, move |hall| {
        hall.open_stage(&stage, TableOpener::HOST)
    })
    .await
}

/// Forgets a duel that cannot go on.
async fn forget(HostOwner(host): HostOwner, Form(form): Form<BTreeMap<String, String>>) -> Response {
    if let Some(refusal) = foreign(&host, form.get("k").map_or("", String::as_str)).await {
        return refusal;
    }
    let id = form.get("duel").cloned().unwrap_or_default();
    let hall = Arc::clone(&host.hall);
    let words = match host.hall.tasks.work(move || hall.forget_changed(&id)).await {
        Ok(Ok(true)) => "The duel has been forgotten.".to_owned(),
        Ok(Ok(false)) => "That duel no longer exists.".to_owned(),
        Ok(Err(fault)) => format!("The duel cannot be forgotten: {fault}."),
        Err(_) => return not_found(),
    };
    page(&host, Some(words)).await
}

/// The form of a free table.
#[derive(Debug, Deserialize)]
struct NewFree {
    k: String,
    #[serde(default)]
    seats: usize,
}

/// A table without rules, for the same cards.
async fn free(HostOwner(host): HostOwner, Form(form): Form<NewFree>) -> Response {
    if let Some(refusal) = foreign(&host, &form.k).await {
        return refusal;
    }
    let Some(free) = free_tables_of(&host).await else {
        return page(
            &host,
            Some("No free table can be set up with this package.".to_owned()),
        )
        .await;
    };
    let opened = free.open_for(form.seats.clamp(1, 8));
    match opened.as_deref() {
        Ok([first, ..]) => lead_to_seat(&free, first.path.trim_start_matches("/free/join/")),
        Ok([]) => not_found(),
        Err(fault) => page(&host, Some(format!("That table cannot be opened: {fault}."))).await,
    }
}

/// A link that somebody has sent.
#[derive(Debug, Deserialize)]
struct SentLink {
    link: Option<String>,
}

/// What became of a link.
struct ReadLink {
    /// What it says of itself, if it can be read.
    link: Option<GameLink>,
    /// What it means here, or why it cannot be opened.
    meaning: Result<LinkedThing, String>,
}

async fn read_link(host: &DuelHost, text: String) -> ReadLink {
    let hall = Arc::clone(&host.hall);
    // The duel in it is played, to see whether it goes as it was meant.
    let read = host.hall.tasks.work(move || match GameLink::read(&text) {
        Ok(link) => {
            let mut meaning = linked::meaning(link.clone(), &hall.setting.package.now());
            if let Ok(LinkedThing::Run(linked)) = &mut meaning {
                linked.replaces = hall.replaced_by(&linked.run);
            }
            ReadLink {
                link: Some(link),
                meaning: meaning.map_err(|why| why.to_string()),
            }
        }
        Err(why) => ReadLink {
            link: None,
            meaning: Err(why.to_string()),
        },
    });
    read.await.unwrap_or_else(|_| ReadLink {
        link: None,
        meaning: Err(LinkRefused::NoLink.to_string()),
    })
}

/// Shows what a link carries, or where one can be pasted. Nothing is opened before somebody asks for it.
async fn link(HostOwner(host): HostOwner, Query(sent): Query<SentLink>) -> Response {
    let Some(text) = sent.link else {
        return Html(markup::link_field()).into_response();
    };
    let read = read_link(&host, text).await;
    match (&read.link, &read.meaning) {
        (Some(link), Ok(thing)) => {
            let letters = link.write().unwrap_or_default();
            let shown = markup::LinkPage {
                letters: &letters,
                link,
                thing,
            };
            let stamp = host.hall.home.stamp(0);
            Html(markup::link_page(
                &shown,
                &host.hall.setting.package.now(),
                &stamp,
            ))
            .into_response()
        }
        (link, meaning) => refused_link(link.as_ref(), meaning.as_ref().err().map_or("", String::as_str)),
    }
}

fn refused_link(link: Option<&GameLink>, why: &str) -> Response {
    (
        StatusCode::UNPROCESSABLE_ENTITY,
        Html(markup::link_refused(link, why)),
    )
        .into_response()
}

/// The form that opens a link.
#[derive(Debug, Deserialize)]
struct OpenedLink {
    k: String,
    #[serde(default)]
    link: String,
    /// For a deck: which of the package's it plays against, and who plays that.
    #[serde(default)]
    other: usize,
    #[serde(default)]
    level: String,
}

async fn open_link(HostOwner(host): HostOwner, Form(form): Form<OpenedLink>) -> Response {
    let read = read_link(&host, form.link).await;
    let thing = match read.meaning {
        Ok(thing) => thing,
        Err(why) => return refused_link(read.link.as_ref(), &why),
    };
    if let LinkedThing::Run(linked) = thing {
        if let Some(refusal) = foreign(&host, &form.k).await {
            return refusal;
        }
        let (hall, seed) = (Arc::clone(&host.hall), linked.run.seed());
        return match host.hall.tasks.work(move || hall.take_run(&linked.run)).await {
            Ok(Ok(())) => Redirect::to(&format!("/front/run/{seed}")).into_response(),
            Ok(Err(fault)) => page(&host, Some(format!("That run cannot be opened: {fault}."))).await,
            Err(_) => not_found(),
        };
    }
    let against = WantedDuel {
        decks: [0, form.other],
        own: None,
        against: None,
        opponent: SeatPlayer::Computer(Level::named(&form.level).unwrap_or(Level::BEST)),
        first: None,
    };
    begin(host, form.k, move |hall| hall.open_linked(thing, &against)).await
}

/// A deck of the package as text to be pasted.
async fn share_deck(HostOwner(host): HostOwner, Path(at): Path<usize>) -> Response {
    let setting = &host.hall.setting;
    let package = setting.package.now();
    let Some((name, cards)) = package.decks.get(at) else {
        return not_found();
    };
    match linked::of_deck(name, cards, &package, setting.page.as_deref()) {
        Ok(shared) => Html(markup::share_page(&[shared], "/front/")).into_response(),
        Err(why) => page(&host, Some(format!("That deck cannot be shared: {why}."))).await,
    }
}

/// Begins something and leads there; if it cannot begin, the page says why.
pub(crate) async fn begin(
    host: DuelHost,
    stamp: String,
    open: impl FnOnce(&Arc<cw_hall::duels::DuelHall>) -> Result<Invitation, HostError> + Send + 'static,
) -> Response {
    if let Some(refusal) = foreign(&host, &stamp).await {
        return refusal;
    }
    let hall = Arc::clone(&host.hall);
    let opened = host.hall.tasks.work(move || open(&hall)).await;
    match opened {
        Ok(Ok(invitation)) => lead_along(&host, invitation.path.trim_start_matches("/join/")),
        Ok(Err(fault)) => page(&host, Some(format!("That duel cannot begin: {fault}."))).await,
        Err(_) => not_found(),
    }
}
