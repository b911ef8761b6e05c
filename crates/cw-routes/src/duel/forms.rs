//! What a seat asks for by forms: to sit down, to answer, to settle something, to go to another table.

use super::*;
use axum::extract::Form;
use cw_duel::Seat;
use cw_hall::duels::{Invitation, TableOpener};
use cw_hall::hall::HostError;
use cw_pages::table::{PhaseStop, Puzzle};

use crate::ways::come_from;
use crate::work::PRICE_OF_A_TABLE;

/// The form of who sits down before the shuffle.
#[derive(Debug, Deserialize)]
pub(super) struct SitDownForm {
    k: String,
    #[serde(default)]
    commit: String,
    #[serde(default)]
    name: String,
}

pub(super) async fn sit(sitter: SeatVisitor, Form(form): Form<SitDownForm>) -> Response {
    let (hall, cell) = (Arc::clone(&sitter.hall), Arc::clone(&sitter.table));
    let (seat, stamp) = (sitter.seat, sitter.stamp(0));
    let done = sitter.work(move || {
        if stamp != form.k {
            return Err(Refused::Forged);
        }
        hall.sit_down(&cell, seat, &form.commit, &form.name, None)
    });
    let result = done.await.and_then(|done| done);
    respond(&sitter, result).await
}

/// The form of who reveals its part of a shuffle.
#[derive(Debug, Deserialize)]
pub(super) struct Reveal {
    k: String,
    /// The commitment to it.
    c: String,
    #[serde(default)]
    nonce: String,
}

pub(super) async fn reveal(sitter: SeatVisitor, Form(form): Form<Reveal>) -> Response {
    let (hall, cell) = (Arc::clone(&sitter.hall), Arc::clone(&sitter.table));
    let (seat, stamp) = (sitter.seat, sitter.stamp(0));
    let done = sitter.work(move || {
        if stamp != form.k {
            return Err(Refused::Forged);
        }
        hall.reveal(&cell, seat, &form.c, &form.nonce)
    });
    let result = done.await.and_then(|done| done);
    respond(&sitter, result).await
}

/// A decision's form.
#[derive(Debug, Deserialize)]
pub(super) struct AnswerForm {
    n: u64,
    k: String,
    /// The option; or several candidates of one question, each with a comma behind it. A lone comma is none.
    o: String,
    /// A character that is played goes to this slot, counted from 0; “first” is the first free one.
    #[serde(default)]
    slot: Option<String>,
}

pub(super) async fn answer(sitter: SeatVisitor, Form(form): Form<AnswerForm>) -> Response {
    let seat = sitter.seat;
    let result = change(&sitter, move |room| {
        let table = room.playing()?;
        match form.o.contains(',') {
            true => {
                let chosen = form.o.split(',').filter(|option| !option.is_empty());
                let chosen: Result<Vec<usize>, _> = chosen.map(str::parse).collect();
                let chosen = chosen.map_err(|_| Refused::NotOffered)?;
                table.answer_several(seat, form.n, &form.k, &chosen)?;
            }
            false => {
                let option = form.o.parse().map_err(|_| Refused::NotOffered)?;
                table.answer(seat, form.n, &form.k, option)?;
            }
        }
        if let Some(slot) = form.slot {
            table.take_slot(seat, slot.parse().ok());
        }
        Ok(())
    });
    let result = result.await;
    respond(&sitter, result).await
}

/// Changes what is behind the door, on a thread of its own.
async fn change(
    sitter: &SeatVisitor,
    act: impl FnOnce(&mut SeatRoom) -> Result<(), Refused> + Send + 'static,
) -> Result<(), Refused> {
    let (hall, cell) = (Arc::clone(&sitter.hall), Arc::clone(&sitter.table));
    let quota = Arc::clone(sitter.quota());
    sitter
        .work(move || {
            hall.change(&cell, |room| {
                let begun = Moment::now();
                let done = act(room);
                quota.spend(begun.elapsed());
                done
            })
        })
        .await?
}

/// Everything else that a seat can ask for.
#[derive(Debug, Deserialize)]
pub(super) struct SeatRequest {
    n: u64,
    k: String,
    act: String,
    /// What binds the seat in the next shuffle, where it would play again or take back.
    #[serde(default)]
    commit: String,
}

pub(super) async fn act(sitter: SeatVisitor, Form(form): Form<SeatRequest>) -> Response {
    if let Some(opened) = go_elsewhere(&sitter, &form).await {
        return match opened {
            Ok(invitation) => {
                let response = Redirect::to(&invitation.path).into_response();
                let is_guest =
                    sitter.table.room().start().between_people() && !sitter.table.is_the_hosts(sitter.seat);
                match is_guest {
                    true => come_from(response, &format!("{}home", sitter.address())),
                    false => response,
                }
            }
            Err(fault) => respond(&sitter, Err(fault)).await,
        };
    }
    let (hall, cell) = (Arc::clone(&sitter.hall), Arc::clone(&sitter.table));
    let seat = sitter.seat;
    let result = match form.act.as_str() {
        "again" | "rematch" | "swap" => {
            let stamped = stamped(&sitter, &form);
            let replaced = sitter.work(move || {
                stamped?;
                match form.act.as_str() {
                    "again" => hall.again(&cell, form.n),
                    other => hall.rematch(&cell, seat, form.n, &form.commit, other == "swap"),
                }
            });
            replaced.await.and_then(|done| done)
        }
        _ => {
            let stamped = stamped(&sitter, &form);
            change(&sitter, move |room| {
                stamped?;
                do_act(room.playing()?, seat, &form)
            })
            .await
        }
    };
    respond(&sitter, result).await
}

/// What leads to another table: a lesson or puzzle of the shelf, or an earlier moment of a duel that
/// is over, to be played on from there.
async fn go_elsewhere(sitter: &SeatVisitor, form: &SeatRequest) -> Option<Result<Invitation, Refused>> {
    let number = |prefix: &str| -> Option<usize> { form.act.strip_prefix(prefix)?.parse().ok() };
    let (stage, moment) = (number("stage-"), number("from-"));
    let (next, solution) = (form.act == "next", form.act == "solution");
    let real = form.act == "real-duel";
    if stage.or(moment).is_none() && !next && !solution && !real {
        return None;
    }
    if let Err(fault) = stamped(sitter, form) {
        return Some(Err(fault));
    }
    if !sitter.quota().take(PRICE_OF_A_TABLE) {
        return Some(Err(Refused::Busy));
    }
    let opened = |result: Result<Invitation, HostError>| {
        result.map_err(|fault| match fault {
            HostError::Store(_) => Refused::NotKept,
            HostError::Full(_) => Refused::Busy,
            HostError::Begin(_) => Refused::NotOffered,
        })
    };
    let (hall, quota, seat) = (Arc::clone(&sitter.hall), Arc::clone(sitter.quota()), sitter.seat);
    // What a guest opens is no table of whoever runs the host.
    let is_guest = !sitter.table.is_the_hosts(seat);
    // One look at the table: what is over in it is what the new one goes on from.
    let (room, asked) = (sitter.table.room(), form.n);
    let made = sitter.work(move || {
        let by = TableOpener {
            seat: Some(&quota),
            is_guest,
        };
        if let Some(at) = stage {
            let stage = hall.setting.package.now().shelf.get(at).cloned();
            return opened(hall.open_stage(&stage.ok_or(Refused::NoStage)?, by));
        }
        let table = room.table().ok_or(Refused::NotBegun)?;
        if asked < table.first_number() {
            return Err(Refused::Stale);
        }
        let own = table.start.stage.as_ref();
        if real {
            return opened(hall.real_duel(by));
        }
        if next {
            let next = own.and_then(|own| own.next_on(&hall.setting.package.now().shelf));
            return opened(hall.open_stage(&next.ok_or(Refused::NoStage)?, by));
        }
        if solution {
            // It is shown to who has tried.
            let own = own.filter(|own| own.has_solution() && table.puzzle() == Some(Puzzle::Failed));
            let solved = Arc::new(own.ok_or(Refused::NotOffered)?.after_its_steps());
            return opened(hall.open_stage(&solved, by));
        }
        // Before the end a second table would tell what lies in decks and hands.
        if !table.is_over() || table.is_carried() {
            return Err(Refused::NotOffered);
        }
        let at = moment.unwrap_or(0).min(table.last());
        opened(hall.fork(table, at, seat, by))
    });
    Some(made.await.and_then(|made| made))
}

fn stamped(sitter: &SeatVisitor, form: &SeatRequest) -> Result<(), Refused> {
    match sitter.stamp(form.n) == form.k {
        true => Ok(()),
        false => Err(Refused::Forged),
    }
}

/// Every act carries the number of the question on its page. What depends on the question needs it to
/// be the one that waits; conceding, like a setting, needs only to be meant for this duel.
fn do_act(table: &mut DuelTable, seat: Seat, form: &SeatRequest) -> Result<(), Refused> {
    let stop = |word: &str| PhaseStop::ALL.into_iter().find(|stop| stop.word() == word);
    if form.n < table.first_number() || form.n > table.number() {
        return Err(Refused::Stale);
    }
    let newest = form.n == table.number();
    match form.act.as_str() {
        "concede" => table.forfeit(seat, form.n),
        "control" => table.toggle_full_control(seat),
        // What is taken back, answered or put away must be what the page showed.
        "undo" | "attack-all" | "always-yes" | "always-no" | "dismiss" | "ask-back" | "let-back"
        | "play-on" | "offer-draw" | "accept-draw" | "no-rematch"
            if !newest =>
        {
            Err(Refused::Stale)
        }
        "undo" => table.undo(seat),
        "attack-all" => table.attack_with_all(seat),
        "always-yes" => table.answer_always(seat, true),
        "always-no" => table.answer_always(seat, false),
        "dismiss" => table.dismiss(seat),
        "ask-back" => table.ask_back(seat, &form.commit),
        "let-back" => table.answer_asking(seat, true, &form.commit),
        "play-on" => table.answer_asking(seat, false, ""),
        "offer-draw" => table.offer_draw(seat),
        "accept-draw" => table.accept_draw(seat, form.n),
        "no-rematch" => table.decline_rematch(seat),
        other => {
            if let Some(at) = other.strip_prefix("ask-").and_then(|at| at.parse().ok()) {
                return match newest {
                    true => table.ask_again(seat, at),
                    false => Err(Refused::Stale),
                };
            }
            let stop = other.strip_prefix("stop-").and_then(stop);
            let stop = stop.ok_or(Refused::NotOffered)?;
            table.toggle_stop(seat, stop)
        }
    }
}

/// A script gets a status; a plain form gets the page.
async fn respond(sitter: &SeatVisitor, result: Result<(), Refused>) -> Response {
    let fault = match result {
        Ok(()) | Err(Refused::Repeated) => {
            sitter.hall.settle(&sitter.table);
            return if sitter.scripted {
                StatusCode::NO_CONTENT.into_response()
            } else {
                Redirect::to(&sitter.address()).into_response()
            };
        }
        Err(fault) => fault,
    };
    if fault == Refused::NotKept {
        // What a computer could not keep, or what turns out to be kept, goes on by itself.
        sitter.hall.settle(&sitter.table);
    }
    let page = match sitter.scripted {
        true => None,
        false => sitter.page(Some(fault.to_string())).await.ok(),
    };
    let mut response = refused(sitter.scripted, fault);
    if let Some(page) = page {
        let retry = response.headers().get(header::RETRY_AFTER).cloned();
        response = (status_of(fault), Html(page)).into_response();
        if let Some(retry) = retry {
            response.headers_mut().insert(header::RETRY_AFTER, retry);
        }
    }
    response
}
