//! What can be looked at beside the table: moments of the past, explanations, reviews, and what may be
//! shared.

use super::*;
use cw_pages::beats::beats;
use cw_pages::linked;
use cw_pages::review::ReviewProgress;

use crate::work::PRICE_OF_A_TABLE;

/// A moment of the past: which, and through whose eyes.
#[derive(Debug, Deserialize)]
pub(super) struct MomentForm {
    #[serde(default)]
    step: usize,
    /// The other seat's view, when the duel is over.
    #[serde(default)]
    other: bool,
    /// Which moment of a fight, from 0; all of it if `None`.
    beat: Option<usize>,
}

/// What a path says besides the seat.
#[derive(Debug, Deserialize)]
pub(super) struct AtStep {
    step: usize,
}

pub(super) async fn moment(
    sitter: SeatVisitor,
    Path(at): Path<AtStep>,
    Query(wanted): Query<MomentForm>,
) -> Response {
    let AtStep { step } = at;
    show_moment(&sitter, MomentForm { step, ..wanted }).await
}

pub(super) async fn moment_by_query(sitter: SeatVisitor, Query(wanted): Query<MomentForm>) -> Response {
    show_moment(&sitter, wanted).await
}

async fn show_moment(sitter: &SeatVisitor, wanted: MomentForm) -> Response {
    let (own, address) = (sitter.seat, sitter.address());
    let shown = sitter.show(move |table| {
        let step = wanted.step.min(table.last());
        // Before the end nobody looks into the other hand.
        let other = wanted.other && table.is_over();
        let eyes = if other { own.other() } else { own };
        let beat = wanted.beat.and_then(|at| beats(table, step).into_iter().nth(at));
        let mut scene = match beat {
            Some(beat) => SeatScene::beat(table, eyes, step, &beat),
            None => SeatScene::at(table, eyes, step),
        };
        scene.own = own;
        Some(markup::moment(&scene, &address))
    });
    shown.await
}

/// A number of a step: its place among the steps, or [`markup::NOW`].
#[derive(Debug, Deserialize)]
pub(super) struct StepNumber {
    step: String,
    of: String,
}

/// Where a number comes from.
pub(super) async fn explain(
    sitter: SeatVisitor,
    Path(StepNumber { step, of }): Path<StepNumber>,
) -> Response {
    let (seat, insight) = (sitter.seat, InsightForm::of(&sitter));
    let shown = sitter.show(move |table| {
        let at = if step == markup::NOW {
            table.last()
        } else {
            step.parse().ok()?
        };
        let scene = SeatScene::at(table, seat, at.min(table.last()));
        let explained = markup::value(seat, &of).and_then(|value| scene.explain(value))?;
        Some(insight.page(&markup::explanation(&scene, &explained)))
    });
    shown.await
}

/// What the engine did last, for those who write rules.
pub(super) async fn trace(sitter: SeatVisitor) -> Response {
    let (seat, insight, hall) = (sitter.seat, InsightForm::of(&sitter), Arc::clone(&sitter.hall));
    let shown = sitter.show(move |table| {
        let scene = hall
            .setting
            .limits
            .timed(|trials| SeatScene::now(table, seat, trials));
        let words = markup::trace(
            &scene,
            &scene.trace(),
            &hall.setting.package.now().rules,
            table.is_over(),
        );
        Some(insight.page(&words))
    });
    shown.await
}

/// How to play at the table.
pub(super) async fn help(sitter: SeatVisitor) -> Response {
    let (seat, insight, limits) = (sitter.seat, InsightForm::of(&sitter), sitter.hall.setting.limits);
    let shown = sitter.show(move |table| {
        let scene = limits.timed(|trials| SeatScene::now(table, seat, trials));
        Some(insight.page(&markup::help_words(&scene)))
    });
    shown.await
}

/// What can be opened beside the lessons.
pub(super) async fn shelf(sitter: SeatVisitor) -> Response {
    Html(markup::rest_of_shelf(&sitter.hall.setting.package.now().shelf).into_string()).into_response()
}

/// A script shows it over the table; without one it is a page.
struct InsightForm {
    scripted: bool,
    address: String,
}

impl InsightForm {
    fn of(sitter: &SeatVisitor) -> InsightForm {
        InsightForm {
            scripted: sitter.scripted,
            address: sitter.address(),
        }
    }

    fn page(&self, words: &cw_pages::markup::Markup) -> String {
        match self.scripted {
            true => words.clone().into_string(),
            false => markup::aside(words, &self.address),
        }
    }
}

/// What the seat's choices cost in chance of winning: a script asks again until it is ready.
pub(super) async fn review(sitter: SeatVisitor) -> Response {
    let room = sitter.table.room();
    let over = |table: &&DuelTable| table.is_over() && table.start.stage.is_none();
    let Some(table) = room.table().filter(over) else {
        return not_found();
    };
    let address = sitter.address();
    match sitter.table.beside.reviews.of(table.first_number(), sitter.seat) {
        Some(ReviewProgress::Done(review)) => {
            let insight = InsightForm::of(&sitter);
            let seat = sitter.seat;
            let shown = sitter.show(move |table| {
                let scene = SeatScene::at(table, seat, table.last());
                Some(insight.page(&markup::review(&scene, &review)))
            });
            return shown.await;
        }
        Some(ReviewProgress::Running) => {}
        None => {
            if !sitter.quota().take(PRICE_OF_A_TABLE) {
                return refused(sitter.scripted, Refused::Busy);
            }
            sitter.hall.begin_review(&sitter.table, sitter.seat);
        }
    }
    let mut response = match sitter.scripted {
        true => StatusCode::ACCEPTED.into_response(),
        false => (StatusCode::ACCEPTED, Html(markup::review_to_come(&address))).into_response(),
    };
    let soon = HeaderValue::from_static("1");
    response.headers_mut().insert(header::RETRY_AFTER, soon);
    response
}

/// What a computer would have done at a step where this seat chose, once the duel is over.
pub(super) async fn think(sitter: SeatVisitor, Path(at): Path<AtStep>) -> Response {
    let (seat, insight) = (sitter.seat, InsightForm::of(&sitter));
    let hall = Arc::clone(&sitter.hall);
    let hall_of_permit = Arc::clone(&sitter.hall);
    let permit = hall_of_permit.thinkers.acquire().await;
    let shown = sitter.show(move |table| {
        if !table.is_over() {
            return None;
        }
        let scene = SeatScene::at(table, seat, at.step.min(table.last()));
        let decision = scene.duel.pending().filter(|decision| decision.seat == seat)?;
        let found = cw_pages::review::insight(&hall.setting.package.now(), &scene.duel)?;
        Some(insight.page(&markup::thoughts(&scene, decision, &found)))
    });
    let shown = shown.await;
    drop(permit);
    shown
}

/// Which moment is shared; the whole duel if none is named.
#[derive(Debug, Deserialize)]
pub(super) struct SharedMoment {
    step: Option<usize>,
}

/// What the seat may share, as text to be pasted.
pub(super) async fn share(sitter: SeatVisitor, Query(wanted): Query<SharedMoment>) -> Response {
    let (seat, hall) = (sitter.seat, Arc::clone(&sitter.hall));
    let (scripted, address) = (sitter.scripted, sitter.address());
    let shown = sitter.show(move |table| {
        let at = wanted.step.map_or(table.last(), |step| step.min(table.last()));
        let setting = &hall.setting;
        let texts = linked::of_table(table, seat, at, &setting.package.now(), setting.page.as_deref());
        Some(match texts {
            Ok(texts) if scripted => markup::share(&texts).into_string(),
            Ok(texts) => markup::share_page(&texts, &address),
            Err(why) if scripted => markup::not_shared(&why.to_string()).into_string(),
            Err(why) => markup::aside(&markup::not_shared(&why.to_string()), &address),
        })
    });
    shown.await
}

/// Only when the duel is over: a record shows both hands.
pub(super) async fn record(sitter: SeatVisitor) -> Response {
    let room = sitter.table.room();
    let Some(table) = room.table().filter(|table| table.is_over()) else {
        let page = markup::message(
            "Not yet",
            "The record of a duel shows both hands; you can get it when the duel is over.",
        );
        return (StatusCode::FORBIDDEN, Html(page)).into_response();
    };
    // The rules changed on the way: no game has all of its choices.
    if table.start.stage.is_some() || table.is_carried() {
        return not_found();
    }
    let made = sitter.work(move || room.table().map(|table| table.record().write()));
    match made.await {
        Ok(text) => (
            [(header::CONTENT_TYPE, "application/json")],
            text.unwrap_or_default(),
        )
            .into_response(),
        Err(fault) => refused(sitter.scripted, fault),
    }
}
