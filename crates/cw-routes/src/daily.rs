//! The puzzle of the day.

use std::collections::BTreeMap;

use axum::Router;
use axum::extract::Form;
use axum::response::Response;
use axum::routing::post;
use cw_hall::duels::{DuelHost, TableOpener};
use cw_run::RunSeed;

use crate::front::{HostOwner, begin, page};
use crate::visitor::not_found;

pub(crate) fn routes() -> Router<DuelHost> {
    Router::new().route("/front/daily", post(daily))
}

/// Opens today's puzzle; it is made when somebody first asks for it.
async fn daily(HostOwner(host): HostOwner, Form(form): Form<BTreeMap<String, String>>) -> Response {
    let stamp = form.get("k").cloned().unwrap_or_default();
    let hall = std::sync::Arc::clone(&host.hall);
    let made = host.hall.tasks.work(move || {
        let today = RunSeed::of_time(cw_hall::clock::today());
        hall.puzzle_of(today)
    });
    match made.await {
        Ok(Some(stage)) => {
            begin(host, stamp, move |hall| {
                hall.open_stage(&stage, TableOpener::HOST)
            })
            .await
        }
        Ok(None) => {
            let words = "This game has too few cards for a puzzle of the day.".to_owned();
            page(&host, Some(words)).await
        }
        Err(_) => not_found(),
    }
}
