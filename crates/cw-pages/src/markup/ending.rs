//! What stands after the end: how it went, what decided it, and what can be done now.

use cw_duel::{DuelOutcome, Seat, WinReason};
use maud::{Markup, html};

use crate::labels;
use crate::scene::SeatScene;
use crate::story::{self, LossReason, StoryEvent, StoryMoment, StoryMoments, StoryTurn};

/// The plot's room, in its own units: text in it is as large as on the page at 640 wide.
const WIDE: i32 = 640;
const TALL: i32 = 214;
const LEFT: i32 = 64;
/// Room for the crosses, and below them for the numbers of turns.
const FOOT: i32 = 40;

/// How the HP of both went, turn by turn, with what decided it.
pub(super) fn plot(scene: &SeatScene<'_>) -> Markup {
    let turns = story::turns(scene.table, scene.at);
    // A run gives more to one of the two.
    let begin = Seat::BOTH.map(|seat| scene.game().hp_of(seat));
    let full = begin[0].max(begin[1]).max(1);
    let most = turns
        .iter()
        .flat_map(|turn| turn.hp)
        .max()
        .unwrap_or(full)
        .max(full);
    let step = f64::from(WIDE - LEFT - 12) / turns.len().max(1) as f64;
    let x = |turns: f64| f64::from(LEFT) + step * turns;
    let y = |hp: i32| {
        let part = f64::from(hp.clamp(0, most)) / f64::from(most);
        f64::from(TALL - FOOT) - part * f64::from(TALL - FOOT - 12)
    };
    let line = |seat: usize| {
        let mut points = format!("{:.0},{:.1}", x(0.0), y(begin[seat]));
        for (at, turn) in turns.iter().enumerate() {
            points += &format!(" {:.0},{:.1}", x(at as f64 + 1.0), y(turn.hp[seat]));
        }
        points
    };
    let (own, other) = (scene.seat.index(), scene.seat.other().index());
    // As many numbers as have room.
    let every = turns.len() / 16 + 1;
    html! {
        figure.plot {
            svg viewBox=(format!("0 0 {WIDE} {TALL}")) role="img" aria-label=(labels::plot(turns.len())) {
                @for hp in [0, most / 2, most] {
                    path.rule d=(format!("M{LEFT} {:.1}H{}", y(hp), WIDE - 12)) {}
                    text x=(LEFT - 6) y=(format!("{:.1}", y(hp) + 4.5)) text-anchor="end" { (hp) }
                }
                @for (at, turn) in turns.iter().enumerate() {
                    @if at % every == 0 {
                        text x=(format!("{:.0}", x(at as f64 + 0.5))) y=(TALL - 6) text-anchor="middle" {
                            (turn.number)
                        }
                    }
                    @let both = turn.ko == [true; 2];
                    @for (seat, class, aside) in [(own, "ko me", -5.0), (other, "ko them", 5.0)] {
                        @if turn.ko[seat] {
                            (knot(
                                x(at as f64 + 0.5) + if both { aside } else { 0.0 },
                                f64::from(TALL - FOOT) + 9.0,
                                class,
                            ))
                        }
                    }
                }
                polyline.them points=(line(other)) {}
                polyline.me points=(line(own)) {}
            }
            figcaption {
                span.me { (labels::YOU) } " "
                span.them { (labels::opponent(scene.opponent(), scene.opponents_name())) } " · "
                (labels::PLOT_KEY)
            }
        }
    }
}

/// A cross below the plot's foot, above the numbers.
fn knot(x: f64, y: f64, class: &str) -> Markup {
    html! { path.(class) d=(format!("M{:.0} {:.0}l8 8m0 -8l-8 8", x - 4.0, y - 4.0)) {} }
}

/// What decided it, as links into the replay.
pub(super) fn moments(scene: &SeatScene<'_>) -> Markup {
    let StoryMoments {
        decided,
        list,
        closest,
    } = story::moments(scene.table, scene.seat);
    let link = |moment: &StoryMoment| format!("moment/{}", moment.step);
    html! {
        @if !list.is_empty() {
            h3 { @match list.first().filter(|_| decided) {
                Some(first) => (labels::what_decided_it(first.whose == scene.seat, &scene.other())),
                None => (labels::BIGGEST_MOMENTS),
            } }
            ol.moments { @for moment in &list { li { a href=(link(moment)) {
                @if decided { (told_briefly(scene, moment)) } @else { (told(scene, moment)) }
            } } } }
            @if let Some((moment, left)) = &closest {
                p.moments { (labels::closest(moment.whose == scene.seat, &scene.other())) " "
                    a href=(link(moment)) { (told(scene, moment)) (labels::left_over(*left)) } }
            }
        }
    }
}

/// Under a heading that says whose loss it was.
fn told_briefly(scene: &SeatScene<'_>, moment: &StoryMoment) -> Markup {
    let name = moment.card.map(|model| &*scene.game().model(model).name);
    html! {
        span.quiet { (labels::turn_number(moment.turn)) } " "
        @match moment.what {
            StoryEvent::Blow { hp, united } => {
                b.(if moment.whose == scene.seat { "them" } else { "me" }) { "−" (hp) }
                @if let Some(name) = name { " " (labels::by(name, united)) }
            },
            StoryEvent::Ko => (labels::is_koed(name)),
        }
    }
}

fn told(scene: &SeatScene<'_>, moment: &StoryMoment) -> Markup {
    let name = moment.card.map(|model| &*scene.game().model(model).name);
    let mine = moment.whose == scene.seat;
    html! {
        span.quiet { (labels::turn_number(moment.turn)) } " "
        @match moment.what {
            StoryEvent::Blow { hp, united } => {
                b.(if mine { "them" } else { "me" }) { "−" (hp) } " "
                (labels::blow(mine, name, united, &scene.other()))
            },
            StoryEvent::Ko => { (labels::koed(mine, name, &scene.other())) },
        }
    }
}

/// Why somebody lost all HP: what the record shows, with links to where.
pub(super) fn reasons(scene: &SeatScene<'_>) -> Markup {
    let Some(DuelOutcome::Won {
        winner,
        reason: WinReason::Hp,
    }) = scene.view.outcome
    else {
        return html! {};
    };
    let loser = winner.other();
    let mine = loser == scene.seat;
    let whys = story::reasons(scene.table, loser);
    let turns = |turns: &[(u16, usize)]| {
        html! {
            @for (at, (turn, step)) in turns.iter().enumerate() {
                @if at > 0 { ", " }
                a href=(format!("moment/{step}")) { (turn) }
            }
        }
    };
    html! {
        @if !whys.is_empty() {
            h3 { @if mine { (labels::WHY_YOU_LOST) } @else { (labels::why_they_lost(&scene.other())) } }
            ul.whys {
                @for why in &whys {
                    li {
                        @match why {
                            LossReason::Took { card, hp, how, step } => {
                                a href=(format!("moment/{step}")) { (scene.game().model(*card).name) } " "
                                (labels::took(mine, *hp, *how))
                            },
                            LossReason::Open { hp, turns: open } => {
                                (labels::open(mine, *hp, open.len())) " " (turns(open)) "."
                            },
                            LossReason::Idle { turns: idle } => {
                                (labels::idle(mine, idle.len())) " " (turns(idle)) "."
                            },
                            LossReason::Left { sp, cards } => (labels::left(mine, *sp, *cards)),
                        }
                    }
                }
            }
        }
    }
}

/// The turns, as links of a replay.
pub(super) fn turns(scene: &SeatScene<'_>, eyes: &str) -> Markup {
    let turns = story::turns(scene.table, scene.table.last());
    let now = turns.iter().rposition(|turn| turn.step <= scene.at);
    let link = |at: usize, turn: &StoryTurn| {
        let ko = [scene.seat, scene.seat.other()].map(|seat| turn.ko[seat.index()]);
        html! {
            a.at-turn.mine[turn.whose == scene.seat] href=(format!("moment/{}{eyes}", turn.step))
                aria-current=[(now == Some(at)).then_some("step")]
                title=(labels::turn_of_replay(turn.number, turn.whose == scene.seat, ko)) {
                (turn.number)
                @for (fell, class) in ko.into_iter().zip(["ko me", "ko them"]) {
                    @if fell { i.(class) aria-hidden="true" {} }
                }
            }
        }
    };
    html! {
        nav.turns aria-label=(labels::TURNS) {
            @for (at, turn) in turns.iter().enumerate() { (link(at, turn)) }
        }
    }
}
