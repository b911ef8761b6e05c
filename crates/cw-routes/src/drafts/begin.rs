//! How a draft begins, and how friends sit down to it.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::{Form, Path, State};
use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Redirect, Response};
use cw_hall::drafts::{DraftFault, DraftRoom};
use cw_hall::duels::{DuelHall, DuelHost};
use cw_octgn::Deck;
use cw_pages::decks::{lines_of_deck, main_section, text_of};
use cw_pages::drafts::{DraftSource, KeptDraft, KeptSeat};
use cw_pages::markup::{self, NewDraftPage};

use super::{invitation, lead, refused, room_of, split_name, words_of};
use crate::decks::{DeckDesk, Desk, FOREIGN, SentFields, html, is_ours, made};
use crate::front::HostOwner;
use crate::visitor::not_found;

pub(super) async fn new(HostOwner(host): HostOwner, axum::Extension(desk): Desk) -> Response {
    setup(&host, &desk, None, String::new(), StatusCode::OK).await
}

async fn setup(
    host: &DuelHost,
    desk: &DeckDesk,
    notice: Option<String>,
    pasted: String,
    status: StatusCode,
) -> Response {
    let mut response = made(host, desk, move |hall, desk| {
        let page = NewDraftPage {
            stamp: &hall.home.stamp(0),
            notice: notice.as_deref(),
            pasted: &pasted,
            friends: hall.setting.has_friends,
        };
        Ok(html(markup::new_draft(
            &desk.library,
            &hall.setting.package.now(),
            page,
        )))
    })
    .await;
    if response.status() == StatusCode::OK {
        *response.status_mut() = status;
    }
    response
}

/// What is drafted, as the form says it.
fn source_of(desk: &DeckDesk, form: &BTreeMap<String, String>) -> Result<DraftSource, String> {
    let package = &desk.loaded.project.package;
    let number = |name: &str| form.get(name).and_then(|text| text.trim().parse().ok());
    let Some(cube) = form.get("cube") else {
        // In the order of the package, whatever the order of the fields.
        let ids = package
            .sets
            .iter()
            .flat_map(|set| &set.packs)
            .map(|pack| pack.id.value.to_string());
        let packs = ids.filter_map(|id| {
            let many: u32 = number(&format!("p.{id}")).filter(|many| *many > 0)?;
            Some((id, many))
        });
        return Ok(DraftSource::Packs(packs.collect()));
    };
    let whole = |copies: u32| {
        // The first of those with one id (P49), as decks have them.
        let cards = package.cards().filter(|(card, found)| {
            !package.set_of(*card).hidden && package.card_by_id(found.id.value) == Some(*card)
        });
        let ids = cards.map(|(_, found)| format!("{} {copies} {}\n", main_section(package), found.id.value));
        ids.collect::<String>()
    };
    let of_deck = |deck: &Deck| text_of(package, &lines_of_deck(package, deck, None));
    let cards = match cube.as_str() {
        "all" => whole(1),
        "three" => whole(3),
        "list" => {
            let pasted = form.get("list").cloned().unwrap_or_default();
            let file = if pasted.trim_start().starts_with('<') {
                "list.o8d"
            } else {
                "list.txt"
            };
            let read = desk.loaded.project.read_deck(file, pasted.into_bytes());
            let lines = read.deck.as_ref().map(of_deck).unwrap_or_default();
            if lines.is_empty() {
                let why = read.errors().first().map(|one| one.message.clone());
                let why = why.unwrap_or_else(|| "it names no card of this game".to_owned());
                return Err(format!("That list cannot be drafted: {why}."));
            }
            lines
        }
        at => {
            let deck = at.parse().ok().and_then(|at: usize| package.decks.get(at));
            deck.map(of_deck).ok_or("This game does not have that deck.")?
        }
    };
    Ok(DraftSource::Cube {
        cards,
        rounds: number("rounds").unwrap_or(3),
        size: number("size").unwrap_or(9),
    })
}

/// Who sits where: whoever opens it, friends at equal distances, computers between them.
fn seats_of(hall: &DuelHall, many: usize, friends: usize) -> Vec<KeptSeat> {
    let people = friends.min(many.saturating_sub(1)) + 1;
    let own: Vec<usize> = (0..people).map(|person| person * many / people.max(1)).collect();
    let package = hall.setting.package.now();
    let names = package.opponents.iter().map(|opponent| opponent.name.as_str());
    let mut names: Vec<&str> = names.collect();
    names.dedup();
    let (mut friend, mut computer) = (0, 0);
    let seat = |at: usize| match own.iter().position(|seat| *seat == at) {
        Some(0) => KeptSeat {
            name: "The host".to_owned(),
            is_person: true,
            has_come: true,
            is_ready: false,
        },
        Some(_) => {
            friend += 1;
            KeptSeat {
                name: format!("Friend {friend}"),
                is_person: true,
                has_come: false,
                is_ready: false,
            }
        }
        None => {
            let name = names
                .get(computer)
                .map_or_else(|| format!("Seat {}", at + 1), |name| (*name).to_owned());
            computer += 1;
            KeptSeat {
                name,
                ..KeptSeat::default()
            }
        }
    };
    (0..many).map(seat).collect()
}

/// A draft begins.
pub(super) async fn begin(
    HostOwner(host): HostOwner,
    axum::Extension(desk): Desk,
    Form(form): SentFields,
) -> Response {
    let pasted = form.get("list").cloned().unwrap_or_default();
    if !is_ours(&host, &form) {
        return setup(
            &host,
            &desk,
            Some(FOREIGN.to_owned()),
            pasted,
            StatusCode::CONFLICT,
        )
        .await;
    }
    let (hall, own) = (Arc::clone(&host.hall), desk.clone());
    let begun = host.hall.tasks.work(move || {
        let number = |name: &str| form.get(name).and_then(|text| text.trim().parse::<usize>().ok());
        let seats = number("seats").unwrap_or(8);
        if !(2..=8).contains(&seats) {
            return Err("A draft has 2 to 8 seats.".to_owned());
        }
        let friends = if hall.setting.has_friends {
            number("friends").unwrap_or(0)
        } else {
            0
        };
        let timer = form.get("timer").and_then(|text| text.split_once('+'));
        let timer = timer.and_then(|(base, more)| Some((base.parse().ok()?, more.parse().ok()?)));
        let kept = KeptDraft {
            source: source_of(&own, &form)?,
            seats: seats_of(&hall, seats, friends),
            timer,
            ..KeptDraft::default()
        };
        begun(&hall, kept)
    });
    match begun.await {
        Ok(Ok(response)) => response,
        Ok(Err(words)) => {
            setup(
                &host,
                &desk,
                Some(words),
                pasted,
                StatusCode::UNPROCESSABLE_ENTITY,
            )
            .await
        }
        Err(_) => StatusCode::SERVICE_UNAVAILABLE.into_response(),
    }
}

/// Begins a draft, with a seed that nobody chooses, and leads to the seat of its owner.
fn begun(hall: &Arc<DuelHall>, mut kept: KeptDraft) -> Result<Response, String> {
    let secret = (hall.setting.chance)().bytes();
    kept.seed = u64::from_le_bytes(std::array::from_fn(|at| secret[at]));
    let id = hall.begin_draft(kept).map_err(|fault| words_of(&fault))?;
    match hall.draft_room(&id) {
        Ok(Some(room)) => Ok(lead(hall, &room, room.now().kept.owner())),
        Ok(None) => Err("The draft is gone.".to_owned()),
        Err(fault) => Err(words_of(&fault)),
    }
}

/// Begins a sealed game with a friend: both open these packs, and nobody chooses the seed.
pub(crate) fn begin_sealed(hall: &Arc<DuelHall>, packs: Vec<(String, u32)>) -> Result<Response, String> {
    let kept = KeptDraft {
        source: DraftSource::Packs(packs),
        sealed: true,
        seats: seats_of(hall, 2, 1),
        ..KeptDraft::default()
    };
    begun(hall, kept)
}

/// Whoever runs the host goes to their seat.
pub(super) async fn enter(HostOwner(host): HostOwner, Path(id): Path<String>) -> Response {
    match room_of(&host, &id).await {
        Ok(room) => lead(&host.hall, &room, room.now().kept.owner()),
        Err(refusal) => refusal,
    }
}

pub(super) async fn forget(
    HostOwner(host): HostOwner,
    Path(id): Path<String>,
    Form(form): SentFields,
) -> Response {
    if !is_ours(&host, &form) {
        return (StatusCode::CONFLICT, FOREIGN).into_response();
    }
    let hall = Arc::clone(&host.hall);
    match host.hall.tasks.work(move || hall.forget_draft(&id)).await {
        Ok(Ok(())) => Redirect::to("/front/decks").into_response(),
        Ok(Err(fault)) => refused(&fault),
        Err(_) => StatusCode::SERVICE_UNAVAILABLE.into_response(),
    }
}

/// The draft to which a link leads, and the seat.
async fn invited_to(host: &DuelHost, name: &str, token: &str) -> Result<(Arc<DraftRoom>, usize), Response> {
    let (draft, seat) = split_name(name).ok_or_else(not_found)?;
    if !invitation(&host.hall, draft, seat).is(token) {
        return Err(not_found());
    }
    let room = room_of(host, draft).await?;
    let now = room.now();
    let own = now.kept.seats.get(seat).ok_or_else(not_found)?;
    match own.has_come {
        true => Err(refused(&DraftFault::Taken)),
        false => Ok((room, seat)),
    }
}

type InvitedPath = Path<(String, String)>;

pub(super) async fn invited(
    State(host): State<DuelHost>,
    axum::Extension(desk): Desk,
    Path((name, token)): InvitedPath,
) -> Response {
    match invited_to(&host, &name, &token).await {
        Ok((room, _)) => {
            let now = room.now();
            let path = format!("/draft/{name}/{token}");
            Html(markup::draft_invitation(&desk.library, &now.kept, &path)).into_response()
        }
        Err(refusal) => refusal,
    }
}

/// A friend sits down: the seat is theirs alone from now on.
pub(super) async fn sit(
    State(host): State<DuelHost>,
    Path((name, token)): InvitedPath,
    Form(form): SentFields,
) -> Response {
    let (room, seat) = match invited_to(&host, &name, &token).await {
        Ok(found) => found,
        Err(refusal) => return refusal,
    };
    let (hall, own) = (Arc::clone(&host.hall), Arc::clone(&room));
    let called = form.get("name").cloned().unwrap_or_default();
    match host
        .hall
        .tasks
        .work(move || hall.sit_down_to_draft(&own, seat, &called))
        .await
    {
        Ok(Ok(())) => lead(&host.hall, &room, seat),
        Ok(Err(fault)) => refused(&fault),
        Err(_) => StatusCode::SERVICE_UNAVAILABLE.into_response(),
    }
}
