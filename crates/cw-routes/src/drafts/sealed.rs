//! Sealed games between people: the packs of a seat, and the duel that begins when everybody is ready.

use std::sync::Arc;

use axum::extract::Form;
use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Redirect, Response};
use cw_hall::drafts::DraftFault;
use cw_pages::drafts::{KeptMatch, OpenedDraft};
use cw_pages::markup::{self, SealedShown};

use super::after::{chosen_deck, deck_of_seat, duel_of_people, judged, way_to_duel};
use super::{DraftVisitor, status_of, words_of};
use crate::decks::{DeckDesk, Desk, FOREIGN, SentFields};
use crate::visitor::not_found;

/// How far a sealed game is, as a seat may know it; nothing of drafts.
pub(super) fn shown(own: &DraftVisitor, desk: &DeckDesk, now: &OpenedDraft) -> Option<SealedShown> {
    let game = now.kept.sealed_game()?;
    let (deck, reason) = match deck_of_seat(own, desk, now, own.seat) {
        Ok(found) => {
            let cards = markup::cards_in_words(found.deck.count());
            let words = match found.is_built {
                true => format!("{cards} in it"),
                false => format!("{cards} are suggested"),
            };
            let reason = judged(desk, now, own.seat, &found.deck);
            (words, reason)
        }
        Err(fault) => (words_of(&fault), None),
    };
    Some(SealedShown {
        packs: markup::packs_of(&desk.library, &game),
        ready: now.kept.seats.iter().map(|seat| seat.is_ready).collect(),
        deck,
        reason,
        duel: way_to_duel(own, now),
        score: now.kept.score(own.seat),
    })
}

/// The packs of the seat, card by card.
pub(super) async fn opening(visitor: DraftVisitor, axum::Extension(desk): Desk) -> Response {
    let made = visitor.work(move |own| {
        let game = own.room.now().kept.sealed_game()?;
        let packs = game.opened(desk.library.package(), own.seat as u64);
        let builder = format!("{}deck", own.base());
        Some(markup::opening(&desk.library, &packs, &builder))
    });
    match made.await {
        Ok(Some(page)) => Html(page).into_response(),
        Ok(None) => not_found(),
        Err(refusal) => refusal,
    }
}

/// Somebody is ready, or takes that back. Who is the last one to be ready goes to the duel at once.
pub(super) async fn ready(
    visitor: DraftVisitor,
    axum::Extension(desk): Desk,
    Form(form): SentFields,
) -> Response {
    if !visitor.is_ours(&form) {
        return (StatusCode::CONFLICT, FOREIGN).into_response();
    }
    let is_ready = form.get("ready").is_some_and(|word| word == "yes");
    let own_desk = desk.clone();
    let done = visitor.work(move |own| {
        if !own.room.now().kept.sealed {
            return None;
        }
        // A duel that is over makes room for the next one.
        let done = own.hall.see_how_duels_ended(&own.room).and_then(|()| {
            let now = own.room.now();
            if is_ready && now.kept.open_duel(own.seat).is_none() {
                let found = deck_of_seat(own, &own_desk, &now, own.seat)?;
                if judged(&own_desk, &now, own.seat, &found.deck).is_some() {
                    return Err(DraftFault::NotLegal);
                }
            }
            let begin = |now: &OpenedDraft| begin_duel(own, &own_desk, now);
            own.hall.be_ready(&own.room, own.seat, is_ready, begin)
        });
        Some(done.map(|()| way_to_duel(own, &own.room.now())))
    });
    match done.await {
        Ok(Some(Ok(Some(way)))) => Redirect::to(&way).into_response(),
        Ok(Some(Ok(None))) => Redirect::to(&visitor.base()).into_response(),
        Ok(Some(Err(fault))) => {
            // Why the own deck is not legal stands on the page as it is.
            let words = (!matches!(fault, DraftFault::NotLegal)).then(|| words_of(&fault));
            let page = visitor.work(move |own| own.region(&desk, words.as_deref(), true));
            match page.await {
                Ok(page) => (status_of(&fault), Html(page)).into_response(),
                Err(refusal) => refusal,
            }
        }
        Ok(None) => not_found(),
        Err(refusal) => refusal,
    }
}

/// The duel of both seats, with the decks that they have now.
fn begin_duel(own: &DraftVisitor, desk: &DeckDesk, now: &OpenedDraft) -> Result<KeptMatch, DraftFault> {
    let mut decks = Vec::new();
    for seat in [0, 1] {
        let found = deck_of_seat(own, desk, now, seat)?;
        if let Some(why) = judged(desk, now, seat, &found.deck) {
            let name = &now.kept.seats[seat].name;
            return Err(DraftFault::NoDuel(format!(
                "the deck of {name} cannot be played: {why}"
            )));
        }
        decks.push(chosen_deck(desk, now, seat, &found.deck));
    }
    let [first, second]: [_; 2] = decks
        .try_into()
        .map_err(|_| DraftFault::NoDuel("a duel has two seats".to_owned()))?;
    duel_of_people(&Arc::clone(&own.hall), [0, 1], [first, second])
}
