//! Where somebody works on the game while it is played: what its pages may ask for.

use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::Path;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use cw_live::SandboxBoard;
use cw_program::ModelId;

use crate::front::HostOwner;
use crate::visitor::not_found;
use cw_hall::duels::{DuelHost, TableOpener};
use cw_hall::shared::Workbench;
use cw_pages::markup;
use cw_pages::stage::ScenarioStage;

/// The routes; without a workbench they lead nowhere.
pub(crate) fn routes() -> Router<DuelHost> {
    Router::new()
        .route("/front/dev/", get(whole))
        .route("/front/dev/card/{card}", get(card))
        .route("/front/dev/board/play", post(play))
        .route("/front/dev/board/keep", post(keep))
        .route("/front/dev/again", post(again))
        .merge(crate::page_files::of_work())
}

/// No browser keeps what it got.
pub(crate) async fn keep_nothing(mut response: Response) -> Response {
    let never = HeaderValue::from_static("no-store");
    response.headers_mut().insert(header::CACHE_CONTROL, never);
    response
}

/// All tables begin again; the page goes back to where it came from.
async fn again(HostOwner(host): HostOwner, headers: HeaderMap) -> Response {
    let Some(workbench) = host.hall.setting.workbench.clone() else {
        return not_found();
    };
    let begun = host.hall.tasks.work(move || workbench.begin_again()).await;
    match begun {
        Ok(Ok(())) => Redirect::to(&way_back(&headers)).into_response(),
        Ok(Err(words)) => (StatusCode::CONFLICT, Html(markup::message("Not now", &words))).into_response(),
        Err(_) => not_found(),
    }
}

/// The path of the page that asked, on this host; else the front page.
fn way_back(headers: &HeaderMap) -> String {
    let from = headers.get(header::REFERER).and_then(|from| from.to_str().ok());
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    let path = from.zip(host).and_then(|(from, host)| {
        let rest = from.split_once("://")?.1.strip_prefix(host)?;
        rest.starts_with("/s/").then(|| rest.to_owned())
    });
    path.unwrap_or_else(|| "/front/".to_owned())
}

fn bench(host: &DuelHost) -> Option<Arc<dyn Workbench>> {
    host.hall.setting.workbench.clone()
}

async fn whole(HostOwner(host): HostOwner) -> Response {
    page(&host, None).await
}

async fn card(HostOwner(host): HostOwner, Path(card): Path<u16>) -> Response {
    page(&host, Some(ModelId(card))).await
}

/// The workbench, with a card on it or without.
async fn page(host: &DuelHost, card: Option<ModelId>) -> Response {
    let (Some(workbench), hall) = (bench(host), Arc::clone(&host.hall)) else {
        return not_found();
    };
    let made = host.hall.tasks.work(move || {
        let package = hall.setting.package.now();
        let model = match card {
            Some(card) => Some(package.game.models.get(usize::from(card.0))?),
            None => None,
        };
        let scenarios = model.map_or_else(Vec::new, |model| workbench.scenarios_of(&model.id));
        Some(markup::workbench(&markup::WorkbenchPage {
            package: &package,
            card,
            scenarios: &scenarios,
            notice: hall.notices.now().as_deref(),
        }))
    });
    match made.await {
        Ok(Some(page)) => Html(page).into_response(),
        Ok(None) | Err(_) => not_found(),
    }
}

/// A table that begins with the board; the way to it.
async fn play(HostOwner(host): HostOwner, body: Bytes) -> Response {
    if bench(&host).is_none() {
        return not_found();
    }
    let hall = Arc::clone(&host.hall);
    let opened = host.hall.tasks.work(move || {
        let game = Arc::clone(&hall.setting.package.now().game);
        let text = read(&body)?.scenario(&game)?;
        let stages = ScenarioStage::read(&text, &game).map_err(|fault| fault.message)?;
        let stage = stages.first().ok_or("there is no board")?;
        let opened = hall.open_stage(stage, TableOpener::HOST);
        let invitation = opened.map_err(|fault| fault.to_string())?;
        Ok(invitation.path)
    });
    said(
        opened
            .await
            .unwrap_or_else(|_| Err("it takes too long".to_owned())),
    )
}

/// The board as a scenario file; what it is called.
async fn keep(HostOwner(host): HostOwner, body: Bytes) -> Response {
    let Some(workbench) = bench(&host) else {
        return not_found();
    };
    let hall = Arc::clone(&host.hall);
    let kept = host.hall.tasks.work(move || {
        let board = read(&body)?;
        let text = board.scenario(&hall.setting.package.now().game)?;
        workbench.keep_scenario(&board.name, &text)
    });
    said(kept.await.unwrap_or_else(|_| Err("it takes too long".to_owned())))
}

fn read(body: &[u8]) -> Result<SandboxBoard, String> {
    serde_json::from_slice(body).map_err(|why| format!("this is not a board: {why}"))
}

/// What was asked for, or why not, in words for the page.
fn said(result: Result<String, String>) -> Response {
    match result {
        Ok(words) => words.into_response(),
        Err(words) => (StatusCode::CONFLICT, words).into_response(),
    }
}
