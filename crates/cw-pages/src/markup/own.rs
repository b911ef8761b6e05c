//! A page of their own for people who do not run the host: their seat, how to play, the lessons.

use std::sync::Arc;

use cw_duel::{Constants, Seat};
use cw_faces::Catalogue;
use cw_program::ModelId;
use maud::{Markup, html};

use super::card;
use super::document::page_with;
use super::gallery::WayBack;
use crate::labels;
use crate::stage::ScenarioStage;
use crate::table::DuelStart;

/// What the forms of the page carry: the number of the question that waits, and its stamp.
#[derive(Debug)]
pub struct Stamped {
    /// The number of the question.
    pub number: u64,
    /// Shows that the form was made for this seat.
    pub stamp: String,
}

/// Where *Home* leads from a seat of two people. `base` is the seat's address.
pub fn home(
    start: &DuelStart,
    seat: Seat,
    base: &str,
    stamped: &Stamped,
    shelf: &[Arc<ScenarioStage>],
) -> String {
    let lessons = shelf.iter().enumerate().filter(|(_, stage)| stage.is_lesson());
    let mut lessons = lessons.peekable();
    let here = format!("{base}home");
    let cards = WayBack(Some(&here)).along("/cards");
    let body = html! {
        body.front {
            header.masthead {
                div {
                    h1 { (start.game.name) }
                    p { (labels::versus(&start.names[seat], &start.names[seat.other()])) }
                }
                (fan(start, seat))
            }
            main.home {
                section.room.foe {
                    h2 { (labels::YOUR_SEAT) }
                    p { (labels::SEAT_WAITS) }
                    p { a.way href=(base) { b { (labels::BACK_TO_TABLE) } } }
                    @if lessons.peek().is_some() {
                        h2 { (labels::LEARN) }
                        p { (labels::LEARN_HINT) }
                        form.stages method="post" action="act" data-plain {
                            input type="hidden" name="n" value=(stamped.number);
                            input type="hidden" name="k" value=(stamped.stamp);
                            @for (at, stage) in lessons {
                                button.way type="submit" name="act" value=(format!("stage-{at}"))
                                    data-stage=(stage.name()) {
                                    b { (stage.name()) }
                                }
                            }
                        }
                    }
                }
                section.room {
                    (how_to_play(&start.game.constants))
                    p { a.way href=(cards) { (labels::all_cards(start.game.models.len())) } }
                }
            }
        }
    };
    page_with(&start.game.name, base, style(), body)
}

/// What these pages look like.
pub(super) fn style() -> Markup {
    html! { link rel="stylesheet" href="/assets/front.css"; }
}

/// The strongest cards of a seat's deck: the game's picture.
pub(super) fn fan(start: &DuelStart, seat: Seat) -> Markup {
    let mut models = start.decks[seat].clone();
    models.sort_by_key(|model| (std::cmp::Reverse(start.game.model(*model).bp), *model));
    models.dedup();
    html! {
        div.fan aria-hidden="true" {
            @for model in models.into_iter().take(5) { (face(&start.catalogue, model)) }
        }
    }
}

fn face(catalogue: &Catalogue, model: ModelId) -> Markup {
    html! { img src=(card::source(catalogue, model, "small")) alt="" width="63" height="88"; }
}

/// The rules on one page.
pub(super) fn how_to_play(constants: &Constants) -> Markup {
    html! {
        h2 { (labels::HOW_TO_PLAY) }
        dl.rules { @for (heading, words) in labels::rules(constants) { dt { (heading) } dd { (words) } } }
    }
}
