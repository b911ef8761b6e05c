//! Runs: where they begin, what is done in them, the way to their duels.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Form, Path};
use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use cw_hall::duels::{DuelHall, DuelHost};
use cw_hall::runs::RunFault;
use cw_pages::linked;
use cw_pages::markup::{self, ListedRun, RunDesk};
use cw_pages::package::DuelPackage;
use cw_run::{Run, RunAct, RunSeed};

use crate::decks::{DeckDesk, Desk, FOREIGN, SentFields, is_ours};
use crate::front::HostOwner;
use crate::visitor::not_found;
use crate::ways::lead_along;

pub(crate) fn routes() -> Router<DuelHost> {
    Router::new()
        .route("/front/runs", get(list).post(begin))
        .route("/front/run/{seed}", get(page).post(act))
        .route("/front/run/{seed}/duel", get(duel))
        .route("/front/run/{seed}/forget", post(forget))
        .route("/front/run/{seed}/link", get(link))
}

fn words_of(fault: &dyn std::fmt::Display) -> String {
    let words = fault.to_string();
    let mut letters = words.chars();
    let first = letters.next().map(char::to_uppercase);
    first.map_or_else(String::new, |first| {
        format!("{}{}.", first.collect::<String>(), letters.as_str())
    })
}

fn status_of(fault: &RunFault) -> StatusCode {
    match fault {
        RunFault::NoRun(_) | RunFault::Unknown => StatusCode::NOT_FOUND,
        RunFault::Refused(_) | RunFault::Stale | RunFault::Changed | RunFault::Damaged(_) => {
            StatusCode::CONFLICT
        }
        RunFault::Store(_) | RunFault::Host(_) => StatusCode::SERVICE_UNAVAILABLE,
    }
}

fn refused(fault: &RunFault) -> Response {
    let page = markup::message("Not now", &words_of(fault));
    (status_of(fault), Html(page)).into_response()
}

fn run_desk<'a>(
    package: &'a DuelPackage,
    desk: &'a DeckDesk,
    stamp: &'a str,
    notice: Option<&'a str>,
) -> RunDesk<'a> {
    RunDesk {
        package,
        library: &desk.library,
        loaded: &desk.loaded,
        stamp,
        notice,
    }
}

/// Does something where it holds nobody up.
async fn work<T: Send + 'static>(
    host: &DuelHost,
    job: impl FnOnce(&Arc<DuelHall>) -> Result<T, RunFault> + Send + 'static,
) -> Result<Result<T, RunFault>, Response> {
    let hall = Arc::clone(&host.hall);
    let done = host.hall.tasks.work(move || job(&hall)).await;
    done.map_err(|_| StatusCode::SERVICE_UNAVAILABLE.into_response())
}

async fn list(HostOwner(host): HostOwner, axum::Extension(desk): Desk) -> Response {
    listed(&host, &desk, None, StatusCode::OK).await
}

async fn listed(host: &DuelHost, desk: &DeckDesk, notice: Option<String>, status: StatusCode) -> Response {
    let desk = desk.clone();
    let made = work(host, move |hall| {
        let book = hall.run_book()?;
        let runs = hall.kept_runs()?.into_iter().map(|(seed, kept)| ListedRun {
            seed,
            run: Some(&kept)
                .filter(|kept| kept.fingerprint == hall.setting.package.now().game.fingerprint)
                .and_then(|kept| Run::read(Arc::clone(&book), &kept.record).ok()),
        });
        let runs: Vec<ListedRun> = runs.collect();
        let today = RunSeed::of_time(cw_hall::clock::today());
        let stamp = hall.home.stamp(0);
        let package = hall.setting.package.now();
        let desk = run_desk(&package, &desk, &stamp, notice.as_deref());
        Ok(markup::run_list(desk, &book, &runs, today))
    });
    match made.await {
        Ok(Ok(page)) => (status, Html(page)).into_response(),
        Ok(Err(fault)) => refused(&fault),
        Err(refusal) => refusal,
    }
}

async fn begin(HostOwner(host): HostOwner, axum::Extension(desk): Desk, Form(form): SentFields) -> Response {
    if !is_ours(&host, &form) {
        return (StatusCode::CONFLICT, FOREIGN).into_response();
    }
    let seed = form.get("seed").map(|text| text.trim().parse::<RunSeed>());
    let Some(Ok(seed)) = seed else {
        let words = "A run has a day as its seed, such as 2026-11-27, or a whole number.".to_owned();
        return listed(&host, &desk, Some(words), StatusCode::UNPROCESSABLE_ENTITY).await;
    };
    match work(&host, move |hall| hall.begin_run(seed)).await {
        Ok(Ok(())) => Redirect::to(&format!("/front/run/{seed}")).into_response(),
        Ok(Err(fault)) => refused(&fault),
        Err(refusal) => refusal,
    }
}

fn seed_of(text: &str) -> Option<RunSeed> {
    text.parse().ok()
}

async fn page(HostOwner(host): HostOwner, axum::Extension(desk): Desk, Path(seed): Path<String>) -> Response {
    shown(&host, &desk, &seed, None, StatusCode::OK).await
}

async fn shown(
    host: &DuelHost,
    desk: &DeckDesk,
    seed: &str,
    notice: Option<String>,
    status: StatusCode,
) -> Response {
    let Some(seed) = seed_of(seed) else {
        return not_found();
    };
    let desk = desk.clone();
    let made = work(host, move |hall| {
        let standing = hall.run_now(seed)?;
        let stamp = hall.home.stamp(0);
        Ok(markup::run_page(
            run_desk(&hall.setting.package.now(), &desk, &stamp, notice.as_deref()),
            &standing,
        ))
    });
    match made.await {
        Ok(Ok(page)) => (status, Html(page)).into_response(),
        Ok(Err(fault)) => refused(&fault),
        Err(refusal) => refusal,
    }
}

async fn act(
    HostOwner(host): HostOwner,
    axum::Extension(desk): Desk,
    Path(name): Path<String>,
    Form(form): SentFields,
) -> Response {
    if !is_ours(&host, &form) {
        return (StatusCode::CONFLICT, FOREIGN).into_response();
    }
    let Some(seed) = seed_of(&name) else {
        return not_found();
    };
    let act: Option<RunAct> = form.get("act").and_then(|text| text.parse().ok());
    let known = form.get("n").and_then(|text| text.parse::<usize>().ok());
    let (Some(act), Some(known)) = (act, known) else {
        return (StatusCode::BAD_REQUEST, "What is to be done?").into_response();
    };
    let done = work(&host, move |hall| {
        hall.act_in_run(seed, known, act)?;
        match act {
            RunAct::Fight(_) => hall.duel_of_run(seed).map(Some),
            _ => Ok(None),
        }
    });
    match done.await {
        Ok(Ok(Some(secret))) => lead_along(&host, &secret),
        Ok(Ok(None)) => Redirect::to(&format!("/front/run/{seed}")).into_response(),
        // What was pressed twice has been done once.
        Ok(Err(fault @ (RunFault::Stale | RunFault::Refused(_)))) => {
            shown(&host, &desk, &name, Some(words_of(&fault)), status_of(&fault)).await
        }
        Ok(Err(fault)) => refused(&fault),
        Err(refusal) => refusal,
    }
}

async fn duel(HostOwner(host): HostOwner, Path(name): Path<String>) -> Response {
    let Some(seed) = seed_of(&name) else {
        return not_found();
    };
    match work(&host, move |hall| hall.duel_of_run(seed)).await {
        Ok(Ok(secret)) => lead_along(&host, &secret),
        Ok(Err(RunFault::Refused(_))) => Redirect::to(&format!("/front/run/{seed}")).into_response(),
        Ok(Err(fault)) => refused(&fault),
        Err(refusal) => refusal,
    }
}

/// The run as text to be pasted.
async fn link(HostOwner(host): HostOwner, Path(name): Path<String>) -> Response {
    let Some(seed) = seed_of(&name) else {
        return not_found();
    };
    let made = work(&host, move |hall| {
        let run = hall.run_now(seed)?.run;
        let setting = &hall.setting;
        Ok(linked::of_run(
            &run,
            &setting.package.now(),
            setting.page.as_deref(),
        ))
    });
    match made.await {
        Ok(Ok(Ok(shared))) => {
            Html(markup::share_page(&[shared], &format!("/front/run/{seed}"))).into_response()
        }
        Ok(Ok(Err(why))) => {
            let page = markup::message("This run cannot be shared", &words_of(&why));
            (StatusCode::UNPROCESSABLE_ENTITY, Html(page)).into_response()
        }
        Ok(Err(fault)) => refused(&fault),
        Err(refusal) => refusal,
    }
}

async fn forget(HostOwner(host): HostOwner, Path(name): Path<String>, Form(form): SentFields) -> Response {
    if !is_ours(&host, &form) {
        return (StatusCode::CONFLICT, FOREIGN).into_response();
    }
    let Some(seed) = seed_of(&name) else {
        return not_found();
    };
    match work(&host, move |hall| hall.forget_run(seed)).await {
        Ok(Ok(())) => Redirect::to("/front/runs").into_response(),
        Ok(Err(fault)) => refused(&fault),
        Err(refusal) => refusal,
    }
}
