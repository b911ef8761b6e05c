//! What a person's choices cost, and what a computer would have done: for the page after a duel, and the
//! replay.

use cw_duel::{Decision, Seat};
use cw_players::SearchInsight;
use maud::{Markup, html};

use super::document::page_with;
use crate::labels;
use crate::review::{JudgedChoice, Review, words};
use crate::scene::SeatScene;
use crate::story;

/// The plot's room, in its own units: text in it is as large as on the page at 640 wide.
const WIDE: f64 = 640.0;
const TALL: f64 = 140.0;
const LEFT: f64 = 78.0;
const RIGHT: f64 = 12.0;
const HEAD: f64 = 10.0;
const FOOT: f64 = 24.0;

/// Where a review will stand; the page's script puts it there when it is ready.
pub(super) fn place() -> Markup {
    html! {
        section.review id="review" data-review="review" {
            h3 { (labels::CHANCE_OF_WINNING) }
            p.quiet { (labels::REVIEW_COMES) " " noscript { a href="review" { (labels::LOOK_THROUGH) } } }
        }
    }
}

/// A page that asks again by itself.
pub fn review_to_come(base: &str) -> String {
    let head = html! { meta http-equiv="refresh" content="2"; };
    let body = html! {
        body {
            main.message {
                h1 { (labels::CHANCE_OF_WINNING) }
                p { (labels::REVIEW_COMES) }
                p { a href=(base) { (labels::BACK_TO_TABLE) } }
            }
        }
    };
    page_with(labels::CHANCE_OF_WINNING, base, head, body)
}

/// The chance of winning over the duel, and the costliest choices as links into the replay.
pub fn review(scene: &SeatScene<'_>, review: &Review) -> Markup {
    let points = review.turning_points();
    html! {
        h3 { (labels::CHANCE_OF_WINNING) }
        @if review.choices.is_empty() {
            p.quiet { (labels::NOTHING_TO_REVIEW) }
        } @else {
            (plot(scene, review, &points))
            @if points.is_empty() {
                p { (labels::NO_TURNING_POINT) }
            } @else {
                h3 { (labels::COSTLIEST) }
                ol.points { @for point in &points { li {
                    a href=(format!("moment/{}", point.step)) {
                        span.quiet { (labels::turn_number(point.turn)) } " "
                        (labels::turning_point(&point.what, point.cost.unwrap_or(0.0), &point.best))
                    }
                } } }
            }
            @let falls = review.falls();
            @if !falls.is_empty() {
                h3 { (labels::LARGEST_FALLS) }
                ol.points {
                    @for fall in &falls {
                        li {
                            a href=(format!("moment/{}", fall.step)) {
                                span.quiet { (labels::turn_number(fall.turn)) } " "
                                (labels::fall(fall, &scene.other()))
                            }
                        }
                    }
                }
            }
            p.hint { (labels::REVIEW_MEANS) }
        }
    }
}

fn plot(scene: &SeatScene<'_>, review: &Review, points: &[&JudgedChoice]) -> Markup {
    let turns = story::turns(scene.table, scene.table.last());
    let width = (WIDE - LEFT - RIGHT) / turns.len().max(1) as f64;
    // A choice stands in its turn as far as the turn had gone.
    let x = |step: usize| {
        let at = turns.iter().rposition(|turn| turn.step <= step).unwrap_or(0);
        let begin = turns.get(at).map_or(0, |turn| turn.step);
        let end = turns.get(at + 1).map_or(scene.table.last(), |turn| turn.step);
        let part = step.saturating_sub(begin) as f64 / end.saturating_sub(begin).max(1) as f64;
        LEFT + width * (at as f64 + part.min(1.0))
    };
    let y = |win: f64| HEAD + (1.0 - win.clamp(0.0, 1.0)) * (TALL - HEAD - FOOT);
    let line: Vec<String> = review
        .choices
        .iter()
        .map(|one| format!("{:.0},{:.1}", x(one.step), y(one.before)))
        .collect();
    let every = turns.len() / 16 + 1;
    html! {
        figure.plot {
            svg viewBox=(format!("0 0 {WIDE} {TALL}")) role="img"
                aria-label=(labels::plot_of_chance(review.choices.len())) {
                @for win in [0.0, 0.5, 1.0] {
                    path.rule d=(format!("M{LEFT} {:.1}H{}", y(win), WIDE - RIGHT)) {}
                    text x=(LEFT - 6.0) y=(format!("{:.1}", y(win) + 4.5)) text-anchor="end" {
                        (labels::percent(win))
                    }
                }
                @for (at, turn) in turns.iter().enumerate() {
                    @if at % every == 0 {
                        text x=(format!("{:.0}", LEFT + width * (at as f64 + 0.5))) y=(TALL - 6.0)
                            text-anchor="middle" { (turn.number) }
                    }
                }
                polyline.me points=(line.join(" ")) {}
                @for point in points {
                    circle.costly cx=(format!("{:.0}", x(point.step))) cy=(format!("{:.1}", y(point.before)))
                        r="6" {}
                }
            }
            @if !points.is_empty() { figcaption { b.bad { "●" } " " (labels::COSTLY_KEY) } }
        }
    }
}

/// Where the replay leads to what a computer would have done: a question that its reader was asked.
pub(super) fn question_here(scene: &SeatScene<'_>) -> Markup {
    let asked: Option<Seat> = scene.duel.pending().map(|decision| decision.seat);
    let over = scene.table.is_over();
    html! {
        @if over && asked == Some(scene.own) && scene.seat == scene.own {
            a.small href=(format!("think/{}", scene.at)) data-insight { (labels::WHAT_WOULD_COMPUTER_DO) }
        }
    }
}

/// What a computer thinks of each option of a question.
pub fn thoughts(scene: &SeatScene<'_>, decision: &Decision, insight: &SearchInsight) -> Markup {
    let chosen = scene.table.steps().get(scene.at + 1).and_then(|step| step.choice);
    html! {
        h3 { (labels::WHAT_WOULD_COMPUTER_DO) }
        ol.thoughts {
            @for option in &insight.options {
                @let here = chosen
                    .is_some_and(|choice| option.choice == choice || option.alike.contains(&choice));
                li {
                    b { (labels::percent(option.win)) } " "
                    (words(&scene.duel, decision, option.choice)) (labels::and_like_it(option.alike.len()))
                    @if here { " " small.then { (labels::CHOSEN_HERE) } }
                }
            }
        }
        @if !insight.left_out.is_empty() {
            p.quiet { (labels::LEFT_OUT) }
            ul { @for (choice, _) in &insight.left_out { li { (words(&scene.duel, decision, *choice)) } } }
        }
        p.hint { (labels::THOUGHTS_MEAN) }
    }
}
