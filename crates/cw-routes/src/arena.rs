//! The arena of a deck that somebody builds: computers play it against the other decks of the game.

use std::sync::Arc;

use axum::extract::Form;
use axum::response::{IntoResponse, Redirect, Response};
use cw_hall::duels::DuelHall;
use cw_hall::store::StoreError;
use cw_pages::arena::{ArenaRun, LEVELS, USUAL_PAIRS};
use cw_pages::labels;
use cw_pages::markup::{self, ArenaPage};
use cw_players::Level;

use crate::decks::{DeckDesk, DeckHolder, Desk, FOREIGN, SentFields, SittingDeck, gone, html, made};
use crate::front::HostOwner;

pub(crate) async fn page(_: HostOwner, holder: DeckHolder, axum::Extension(desk): Desk) -> Response {
    shown(holder, desk, None).await
}

/// The page, with words for the person.
async fn shown(holder: DeckHolder, desk: DeckDesk, notice: Option<String>) -> Response {
    with_run(holder, desk, notice, markup::arena).await
}

/// What of the page changes.
pub(crate) async fn now(_: HostOwner, holder: DeckHolder, axum::Extension(desk): Desk) -> Response {
    with_run(holder, desk, None, |page| markup::arena_now(page).into_string()).await
}

async fn with_run(
    holder: DeckHolder,
    desk: DeckDesk,
    notice: Option<String>,
    write: fn(ArenaPage<'_>) -> String,
) -> Response {
    let host = holder.host.clone();
    made(&host, &desk, move |hall: &Arc<DuelHall>, desk: &DeckDesk| {
        let Some(opened) = desk.open(hall, &holder.id)? else {
            return Ok(Some(gone()));
        };
        let run = hall.arena.now();
        let page = ArenaPage {
            base: &holder.base,
            name: &opened.deck.name,
            lines: &opened.deck.cards,
            stamp: &holder.stamp,
            notice: notice.as_deref(),
            is_own: run.as_ref().is_some_and(|run| run.deck == holder.id),
            run: run.as_ref(),
        };
        Ok(html(write(page)))
    })
    .await
}

/// What a form came to: the page again, with or without words.
enum ArenaAnswer {
    Done,
    Words(String),
    Gone,
}

/// Does what a form asks for.
async fn done(
    holder: DeckHolder,
    desk: DeckDesk,
    form: std::collections::BTreeMap<String, String>,
    act: impl FnOnce(
        &Arc<DuelHall>,
        &DeckDesk,
        &DeckHolder,
        &dyn Fn(&str) -> String,
    ) -> Result<ArenaAnswer, StoreError>
    + Send
    + 'static,
) -> Response {
    if form.get("k") != Some(&holder.stamp) {
        return shown(holder, desk, Some(FOREIGN.to_owned())).await;
    }
    let (hall, own, own_desk) = (Arc::clone(&holder.host.hall), holder.clone(), desk.clone());
    let answer = holder.host.hall.tasks.work(move || {
        let field = |name: &str| form.get(name).cloned().unwrap_or_default();
        act(&hall, &own_desk, &own, &field)
    });
    match answer.await {
        Ok(Ok(ArenaAnswer::Done)) => Redirect::to(&format!("{}/arena", holder.base)).into_response(),
        Ok(Ok(ArenaAnswer::Words(words))) => shown(holder, desk, Some(words)).await,
        Ok(Ok(ArenaAnswer::Gone)) => gone(),
        Ok(Err(fault)) => shown(holder, desk, Some(format!("Your decks cannot be read: {fault}."))).await,
        Err(_) => gone(),
    }
}

/// A run begins. In a sealed game the other deck is that of the computer's packs.
pub(crate) async fn begin(
    _: HostOwner,
    holder: DeckHolder,
    axum::Extension(desk): Desk,
    Form(form): SentFields,
) -> Response {
    done(holder, desk, form, |hall, desk, holder, field| {
        let Some(opened) = desk.open(hall, &holder.id)? else {
            return Ok(ArenaAnswer::Gone);
        };
        let project = &desk.loaded.project;
        let sitting = SittingDeck::of(project, &opened.deck, opened.pool());
        if let Some(refused) = sitting.refused() {
            return Ok(ArenaAnswer::Words(refused));
        }
        let package = hall.setting.package.now();
        let against = opened.against(project).map(|deck| vec![(deck.name, deck.cards)]);
        let level = Level::named(&field("level")).filter(|level| LEVELS.contains(level));
        let pairs = field("pairs").parse().unwrap_or(USUAL_PAIRS);
        let run = ArenaRun::new(
            &package.game,
            &sitting.brought,
            against.as_deref().unwrap_or(&package.decks),
            level.unwrap_or(Level::BEST),
            pairs,
        );
        let run = match run {
            Ok(run) => run.of_deck(&holder.id, &opened.deck.cards),
            Err(why) => {
                return Ok(ArenaAnswer::Words(labels::cannot_run(
                    &sitting.brought.name,
                    &why.to_string(),
                )));
            }
        };
        Ok(match hall.begin_arena(run) {
            true => ArenaAnswer::Done,
            false => ArenaAnswer::Words(
                hall.arena
                    .now()
                    .map_or_else(String::new, |other| labels::arena_is_busy(&other.name)),
            ),
        })
    })
    .await
}

pub(crate) async fn stop(
    _: HostOwner,
    holder: DeckHolder,
    axum::Extension(desk): Desk,
    Form(form): SentFields,
) -> Response {
    done(holder, desk, form, |hall, _, holder, _| {
        hall.arena.stop(&holder.id);
        Ok(ArenaAnswer::Done)
    })
    .await
}

/// Stops the run of another deck, so that this one can play.
pub(crate) async fn stop_other(
    _: HostOwner,
    holder: DeckHolder,
    axum::Extension(desk): Desk,
    Form(form): SentFields,
) -> Response {
    done(holder, desk, form, |hall, _, _, _| {
        if let Some(run) = hall.arena.now() {
            hall.arena.stop(&run.deck);
        }
        Ok(ArenaAnswer::Done)
    })
    .await
}

pub(crate) async fn go_on(
    _: HostOwner,
    holder: DeckHolder,
    axum::Extension(desk): Desk,
    Form(form): SentFields,
) -> Response {
    done(holder, desk, form, |hall, _, holder, _| {
        // One that goes on already, in another tab, is what was wanted.
        hall.go_on_in_arena(&holder.id);
        Ok(ArenaAnswer::Done)
    })
    .await
}
