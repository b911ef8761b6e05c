//! A friend's way to a seat: a link that is good until somebody has sat down by it.
//!
//! Whoever opens it gets nothing yet. The seat's secret goes to the first one who sits down, so that
//! whoever has sent the link cannot sit there, too, without being seen.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Form, Path, State};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{get, post};
use cw_duel::Seat;
use serde::Deserialize;

use crate::visitor::{gone, not_found, wake};
use crate::ways::{come_from, lead_to_duel};
use crate::work::PRICE_OF_A_TABLE;
use cw_hall::duels::{DeckWish, DuelHost, HostedDuel, TableOpener};
use cw_pages::markup;
use cw_pages::room::{ChosenDeck, SeatRoom};
use cw_pages::stage::ScenarioStage;
use cw_pages::table::Refused;

pub(crate) fn routes() -> Router<DuelHost> {
    Router::new()
        .route("/invite/{seat}/{token}", get(show).post(sit))
        .route("/invite/{seat}/{token}/learn", post(learn))
}

/// The table to which an invitation leads, and the seat.
async fn invited(host: &DuelHost, name: &str, token: &str) -> Result<(Arc<HostedDuel>, Seat), Response> {
    if !host.hall.invitation_to(name).is(token) {
        return Err(not_found());
    }
    let Ok(Some((cell, seat))) = wake(host, name).await else {
        return Err(not_found());
    };
    match cell.room().invites(seat) {
        true => Ok((cell, seat)),
        false => Err(used()),
    }
}

fn used() -> Response {
    let words = "Somebody has already used this invitation. \
                 If that was you, go back to the browser you used; if not, ask for a new one.";
    gone("This seat is taken", words)
}

async fn show(State(host): State<DuelHost>, Path((name, token)): Path<(String, String)>) -> Response {
    match invited(&host, &name, &token).await {
        Ok((cell, seat)) => page(&host, &cell, seat, &name, markup::Untaken::default()),
        Err(refusal) => refusal,
    }
}

/// The deck that somebody brings, if they have pasted one.
pub(crate) async fn brought(host: &DuelHost, list: &str) -> Result<Option<ChosenDeck>, String> {
    if list.trim().is_empty() {
        return Ok(None);
    }
    let (hall, list) = (Arc::clone(&host.hall), list.to_owned());
    let read = host
        .hall
        .tasks
        .work(move || hall.setting.package.now().brought_deck(&list))
        .await;
    read.unwrap_or_else(|_| Err("it cannot be read".to_owned()))
        .map(Some)
}

fn page(
    host: &DuelHost,
    cell: &HostedDuel,
    seat: Seat,
    name: &str,
    untaken: markup::Untaken<'_>,
) -> Response {
    let room = cell.room();
    let SeatRoom::Gathering(gathering) = &*room else {
        return used();
    };
    let path = host.hall.path_of_invitation(name);
    let package = &host.hall.setting.package.now();
    let start = &gathering.start;
    let gathered = markup::Gathered {
        gathering,
        seat,
        invitation: None,
        by_invitation: Some(markup::Invited {
            path: &path,
            decks: markup::decks_of_guest(package, &start.names[seat], &start.decks[seat], untaken.pasted),
            teaches: first_lesson(host).is_some(),
        }),
    };
    Html(markup::gathering(&gathered, "/", untaken.notice)).into_response()
}

/// The form of who sits down by an invitation.
#[derive(Debug, Deserialize)]
struct InviteForm {
    #[serde(default)]
    commit: String,
    #[serde(default)]
    name: String,
    /// One of the package's decks; the one that was meant if none.
    deck: Option<usize>,
    /// The deck that they bring, as they pasted it.
    #[serde(default)]
    list: String,
}

fn untaken<'a>(notice: &'a str, pasted: &'a str) -> markup::Untaken<'a> {
    markup::Untaken {
        notice: Some(notice),
        pasted,
    }
}

fn told(notice: &str) -> markup::Untaken<'_> {
    untaken(notice, "")
}

/// The lesson with which somebody begins.
fn first_lesson(host: &DuelHost) -> Option<Arc<ScenarioStage>> {
    let package = host.hall.setting.package.now();
    let mut shelf = package.shelf.iter();
    shelf.find(|stage| stage.is_lesson()).cloned()
}

/// A lesson before sitting down. Its *Home* leads back to the invitation, which stays good.
async fn learn(State(host): State<DuelHost>, Path((name, token)): Path<(String, String)>) -> Response {
    let (cell, seat) = match invited(&host, &name, &token).await {
        Ok(found) => found,
        Err(refusal) => return refusal,
    };
    let quota = Arc::clone(cell.quota(seat));
    if !quota.take(PRICE_OF_A_TABLE) {
        return page(&host, &cell, seat, &name, told(&Refused::Busy.to_string()));
    }
    let Some(lesson) = first_lesson(&host) else {
        return not_found();
    };
    let hall = Arc::clone(&host.hall);
    let opened = host
        .hall
        .tasks
        .work(move || {
            let guest = TableOpener {
                seat: Some(&quota),
                is_guest: true,
            };
            hall.open_stage(&lesson, guest)
        })
        .await;
    match opened {
        Ok(Ok(way)) => {
            let back = host.hall.path_of_invitation(&name);
            come_from(lead_to_duel(&host, way.path.trim_start_matches("/join/")), &back)
        }
        Ok(Err(fault)) => page(&host, &cell, seat, &name, told(&format!("{fault}."))),
        Err(_) => not_found(),
    }
}

async fn sit(
    State(host): State<DuelHost>,
    Path((name, token)): Path<(String, String)>,
    Form(form): Form<InviteForm>,
) -> Response {
    let (cell, seat) = match invited(&host, &name, &token).await {
        Ok(found) => found,
        Err(refusal) => return refusal,
    };
    let deck = match brought(&host, &form.list).await {
        Ok(Some(deck)) => Some(DeckWish::Brought(deck)),
        Ok(None) => form.deck.map(DeckWish::OfPackage),
        Err(why) => {
            let words = format!("That deck cannot be played: {why}.");
            return page(&host, &cell, seat, &name, untaken(&words, &form.list));
        }
    };
    let (hall, own) = (Arc::clone(&host.hall), Arc::clone(&cell));
    let (commit, called) = (form.commit.clone(), form.name.clone());
    let sat = host
        .hall
        .tasks
        .work(move || hall.sit_down(&own, seat, &commit, &called, deck))
        .await;
    match sat {
        Ok(Ok(())) => lead_to_duel(&host, &cell.secret(seat).reveal()),
        Ok(Err(Refused::Repeated | Refused::Stale)) => used(),
        Ok(Err(fault)) => {
            let words = fault.to_string();
            page(&host, &cell, seat, &name, untaken(&words, &form.list))
        }
        Err(_) => not_found(),
    }
}
