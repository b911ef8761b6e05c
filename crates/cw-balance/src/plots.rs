//! Plots as SVG, drawn by hand: readable without colour, each with its numbers in a table beside it.

use maud::{Markup, html};

use crate::report::{Figure, TurnLeads};

/// The place of a value between two ends, along so many units.
fn at(value: f64, low: f64, high: f64, length: f64) -> f64 {
    let share = if high > low {
        (value - low) / (high - low)
    } else {
        0.5
    };
    (share.clamp(0.0, 1.0) * length * 10.0).round() / 10.0
}

fn percent(value: f64) -> String {
    format!("{:.0} %", value * 100.0)
}

/// Percentage points with their sign, but for none.
fn signed(value: f64) -> String {
    let number = (value * 100.0).round();
    if number == 0.0 {
        return "0".to_owned();
    }
    format!("{number:+.0}").replace('-', "−")
}

/// Round values between two ends, five or six of them: what an axis is marked with.
fn ticks(low: f64, high: f64) -> Vec<f64> {
    const STEPS: [u32; 8] = [1, 2, 5, 10, 20, 25, 50, 100];
    let step = STEPS.into_iter().map(|step| f64::from(step) / 100.0);
    let step = step
        .clone()
        .find(|step| (high - low) / step <= 6.0)
        .unwrap_or(1.0);
    let mut ticks = Vec::new();
    let mut at = (low / step).ceil();
    while at * step <= high && ticks.len() < 20 {
        ticks.push(at * step);
        at += 1.0;
    }
    ticks
}

/// Round numbers of duels up to the most, four of them at most.
fn counts(most: f64) -> Vec<f64> {
    let mut step = 1.0;
    for factor in [2.0, 2.5, 2.0].into_iter().cycle() {
        if most / step <= 4.0 {
            break;
        }
        step *= factor;
    }
    (1_u8..=4)
        .map(|at| f64::from(at) * step)
        .take_while(|at| *at <= most)
        .collect()
}

/// A value with its interval on a scale, with a line at `middle`.
pub(crate) fn interval(figure: Figure, low: f64, high: f64, middle: f64, strong: bool) -> Markup {
    const WIDE: f64 = 160.0;
    let x = |value: f64| 4.0 + at(value, low, high, WIDE - 8.0);
    html! {
        svg.interval viewBox={ "0 0 " (WIDE) " 16" } width=(WIDE) height="16" aria-hidden="true" {
            line.axis x1=(x(middle)) x2=(x(middle)) y1="0" y2="16" {}
            line.whisker x1=(x(figure.low)) x2=(x(figure.high)) y1="8" y2="8" {}
            // It goes on beyond the scale.
            @if figure.low < low { path.beyond d="M0,8 l6,-4 v8 z" {} }
            @if figure.high > high { path.beyond d={ "M" (WIDE) ",8 l-6,-4 v8 z" } {} }
            @if strong { circle.dot cx=(x(figure.value)) cy="8" r="4.5" {} }
            @else { circle.ring cx=(x(figure.value)) cy="8" r="3.5" {} }
        }
    }
}

/// Duels by the turn in which they ended.
pub(crate) fn lengths(lengths: &[(u16, u64)], quantiles: [u16; 3]) -> Markup {
    const WIDE: f64 = 640.0;
    const HIGH: f64 = 180.0;
    let first = lengths.first().map_or(1, |(turn, _)| *turn);
    // The longest duels, one in 200, would squeeze all others together: they have one bar at the end.
    let all: u64 = lengths.iter().map(|(_, number)| number).sum();
    let mut seen = 0;
    let last = lengths.iter().find(|(_, number)| {
        seen += number;
        seen * 1000 >= all * 995
    });
    let last = last.map_or(first, |(turn, _)| *turn);
    let (shown, longer) = lengths.split_at(lengths.partition_point(|(turn, _)| *turn <= last));
    let longer: u64 = longer.iter().map(|(_, number)| number).sum();
    let longest = lengths.last().map_or(last, |(turn, _)| *turn);
    let most = shown
        .iter()
        .map(|(_, number)| *number)
        .max()
        .unwrap_or(1)
        .max(longer) as f64;
    let end = if longer > 0 { last + 1 } else { last };
    let step = WIDE / f64::from(end - first + 1);
    let x = |turn: u16| 40.0 + f64::from(turn - first) * step;
    let label = |turn: u16| {
        turn == first || (turn.is_multiple_of(5) && end - turn > 1 && turn - first > 1) || turn == end
    };
    html! {
        svg.plot viewBox="-36 -12 736 236" role="img" aria-label="Duels by the turn in which they ended" {
            @for number in counts(most) {
                @let up = format!("{:.1}", 190.0 - number / most * HIGH);
                line.grid x1="40" x2="680" y1=(up) y2=(up) {}
                text.tick x="34" y=(up) dy="5" text-anchor="end" { (number) }
            }
            @for (turn, number) in shown {
                @let high = *number as f64 / most * HIGH;
                rect.bar.median[quantiles[1] == *turn]
                    x=(format!("{:.1}", x(*turn) + 1.0)) y=(format!("{:.1}", 190.0 - high))
                    width=(format!("{:.1}", (step - 2.0).max(1.0))) height=(format!("{high:.1}")) {
                    title { "turn " (turn) ": " (number) " duels" }
                }
                @if label(*turn) {
                    text.tick.under x=(format!("{:.1}", x(*turn) + step / 2.0)) y="195" text-anchor="middle" {
                        (turn)
                    }
                }
            }
            @if longer > 0 {
                @let high = longer as f64 / most * HIGH;
                rect.bar.longer
                    x=(format!("{:.1}", x(end) + 1.0)) y=(format!("{:.1}", 190.0 - high))
                    width=(format!("{:.1}", (step - 2.0).max(1.0))) height=(format!("{high:.1}")) {
                    title {
                        "turns " (end) " to " (longest) ": " (longer)
                        (if longer == 1 { " duel" } else { " duels" })
                    }
                }
                text.tick.under x=(format!("{:.1}", x(end) + step / 2.0)) y="195" text-anchor="middle" {
                    "≥ " (end)
                }
            }
            line.axis x1="40" x2="680" y1="190" y2="190" {}
        }
    }
}

/// How large the lead is, and how often it lasts, by turn.
pub(crate) fn leads(turns: &[TurnLeads]) -> Markup {
    let last = turns.len().max(2);
    let most = turns.iter().map(|turn| turn.ahead).fold(1.0, f64::max);
    let x = |turn: usize| format!("{:.1}", 46.0 + at(turn as f64, 1.0, last as f64, 600.0));
    // Down to the lowest interval's end, in tenths.
    let known = turns.iter().filter(|turn| turn.kept.n > 0);
    let floor = known.map(|turn| turn.kept.low).fold(0.5, f64::min);
    let floor = (floor * 10.0).floor() / 10.0;
    let upper = |value: f64| format!("{:.1}", 190.0 - at(value, floor, 1.0, 170.0));
    // Rounded to what suits the largest lead: tens for games of thousands of HP, tenths for games of a few.
    let hp = |share: f64| match most * share {
        hp if most >= 100.0 => format!("{:.0} HP", (hp / 10.0).round() * 10.0),
        hp if most >= 10.0 => format!("{hp:.0} HP"),
        hp => format!("{hp:.1} HP"),
    };
    let path = |of: &dyn Fn(&TurnLeads) -> Option<f64>| {
        let points = turns
            .iter()
            .filter_map(|turn| Some(format!("{},{}", x(turn.turn), upper(of(turn)?))));
        points.collect::<Vec<_>>().join(" ")
    };
    html! {
        svg.plot viewBox="-36 -12 800 236" role="img" aria-label="How often the player ahead wins, by turn" {
            @for share in [0.0, 0.5, 1.0] {
                text.tick x="652" y=(upper(floor + share * (1.0 - floor))) dy="4" { (hp(share)) }
            }
            @for share in ticks(floor, 1.0) {
                line.grid x1="46" x2="646" y1=(upper(share)) y2=(upper(share)) {}
                text.tick x="40" y=(upper(share)) dy="4" text-anchor="end" { (percent(share)) }
            }
            line.axis.even x1="46" x2="646" y1=(upper(0.5)) y2=(upper(0.5)) {}
            @for turn in turns.iter().filter(|turn| turn.kept.n > 0) {
                line.whisker x1=(x(turn.turn)) x2=(x(turn.turn))
                    y1=(upper(turn.kept.low)) y2=(upper(turn.kept.high)) {}
                circle.dot cx=(x(turn.turn)) cy=(upper(turn.kept.value)) r="3" {
                    title {
                        "turn " (turn.turn) ": the one ahead by " (format!("{:.0}", turn.ahead)) " HP wins "
                        (percent(turn.kept.value)) ", n = " (turn.kept.n)
                    }
                }
                @if turn.turn == 1 || turn.turn % 5 == 0 {
                    text.tick.under x=(x(turn.turn)) y="195" text-anchor="middle" { (turn.turn) }
                }
            }
            // In a turn in which nobody is ahead yet there is nothing to be kept.
            polyline.line points=(path(&|turn| (turn.kept.n > 0).then_some(turn.kept.value))) {}
            polyline.second points=(path(&|turn| Some(floor + turn.ahead / most * (1.0 - floor)))) {}
        }
    }
}

/// Cards by score when drawn and by what they win, with intervals both ways.
pub(crate) fn scatter(points: &[(String, Figure, Figure, bool)]) -> Markup {
    // What holds is seen with its whole interval; of the others the dot.
    let of = |pick: fn(&(String, Figure, Figure, bool)) -> Figure| {
        let ends = points.iter().map(|point| {
            let figure = pick(point);
            if point.3 {
                (figure.low, figure.high)
            } else {
                (figure.value, figure.value)
            }
        });
        let (low, high) = ends.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), end| {
            (low.min(end.0), high.max(end.1))
        });
        let room = ((high - low) * 0.08).max(0.01);
        (low - room, high + room)
    };
    let middle = |pick: fn(&(String, Figure, Figure, bool)) -> Figure| {
        let mut widths: Vec<f64> = points
            .iter()
            .map(|point| pick(point).high - pick(point).low)
            .collect();
        widths.sort_by(f64::total_cmp);
        widths.get(widths.len() / 2).copied().unwrap_or(0.0)
    };
    let (left, right) = of(|point| point.1);
    let (left, right) = (left.max(0.0), right.min(1.0)); // a score lies between these
    let (bottom, top) = of(|point| point.2);
    let x = |value: f64| format!("{:.1}", 60.0 + at(value, left, right, 600.0));
    let y = |value: f64| format!("{:.1}", 350.0 - at(value, bottom, top, 330.0));
    let named = points.iter().map(|(name, one, two, strong)| {
        let dot = (
            60.0 + at(one.value, left, right, 600.0),
            350.0 - at(two.value, bottom, top, 330.0),
        );
        (strong.then_some(name.as_str()), dot)
    });
    let places = name_places(named);
    html! {
        svg.plot.scatter viewBox="-20 0 740 402"
            role="img" aria-label="Cards as dots; the table has the numbers" {
            @for up in ticks(bottom, top) {
                line.grid x1="60" x2="660" y1=(y(up)) y2=(y(up)) {}
                text.tick x="54" y=(y(up)) dy="4" text-anchor="end" { (signed(up)) }
            }
            @for across in ticks(left, right) {
                line.grid x1=(x(across)) x2=(x(across)) y1="350" y2="355" {}
                text.tick.under x=(x(across)) y="358" text-anchor="middle" { (percent(across)) }
            }
            @if bottom < 0.0 && top > 0.0 { line.axis x1="60" x2="660" y1=(y(0.0)) y2=(y(0.0)) {} }
            @for ((name, one, two, strong), place) in points.iter().zip(&places) {
                g.card-dot.strong[*strong] {
                    title {
                        (name) ": " (percent(one.value)) ", "
                        (format!(
                            "{:+.1} points [{:+.1}, {:+.1}]",
                            two.value * 100.0,
                            two.low * 100.0,
                            two.high * 100.0
                        )
                        .replace('-', "−"))
                    }
                    line.thin x1=(x(one.value)) x2=(x(one.value)) y1=(y(two.low)) y2=(y(two.high)) {}
                    line.thin x1=(x(one.low)) x2=(x(one.high)) y1=(y(two.value)) y2=(y(two.value)) {}
                    @if *strong {
                        circle.dot cx=(x(one.value)) cy=(y(two.value)) r="5" {}
                        @if let Some((across, up)) = place {
                            text.name x=(format!("{across:.1}")) y=(format!("{up:.1}")) { (name) }
                        }
                    } @else { circle.ring cx=(x(one.value)) cy=(y(two.value)) r="3.5" {} }
                }
            }
            // Beside the plot and under it: within there are dots.
            @let wide = (middle(|point| point.1) / (right - left).max(1e-9) * 600.0).min(600.0);
            @let high = (middle(|point| point.2) / (top - bottom).max(1e-9) * 330.0).min(330.0);
            g.usual {
                title { "The usual interval of 95 %: half of the cards have a shorter one" }
                line.whisker
                    x1=(format!("{:.1}", 360.0 - wide / 2.0)) x2=(format!("{:.1}", 360.0 + wide / 2.0))
                    y1="392" y2="392" {}
                line.whisker x1="676" x2="676"
                    y1=(format!("{:.1}", 185.0 - high / 2.0)) y2=(format!("{:.1}", 185.0 + high / 2.0)) {}
            }
        }
    }
}

/// Where the names of dots begin: beside each, as near as no other name is in the way. A name for which there
/// is no room is left out; pointing at its dot tells it.
fn name_places<'a>(dots: impl Iterator<Item = (Option<&'a str>, (f64, f64))>) -> Vec<Option<(f64, f64)>> {
    /// Of letters eleven units high, rather too much.
    const LETTER: f64 = 6.4;
    const LINE: f64 = 12.0;
    let mut taken: Vec<(f64, f64, f64)> = Vec::new();
    let place = |(name, (x, y)): (Option<&str>, (f64, f64))| {
        let wide = name?.chars().count() as f64 * LETTER;
        let rows = [-6.0, 14.0, -18.0, 26.0, -30.0, 38.0, -42.0, 50.0];
        let places = rows
            .into_iter()
            .flat_map(|row| [(x + 7.0, y + row), (x - 7.0 - wide, y + row)]);
        let free = |(across, up): &(f64, f64)| {
            let inside = *across >= 60.0 && across + wide <= 672.0 && (12.0..346.0).contains(up);
            let apart = |(other, other_up, other_wide): &(f64, f64, f64)| {
                (up - other_up).abs() >= LINE || across + wide <= *other || other + other_wide <= *across
            };
            inside && taken.iter().all(apart)
        };
        let found = places.into_iter().find(free)?;
        taken.push((found.0, found.1, wide));
        Some(found)
    };
    dots.map(place).collect()
}

/// Shares of the equilibrium, with how sure it is that the deck is in it.
pub(crate) fn share(share: f64, support: f64) -> Markup {
    html! {
        svg.interval viewBox="0 0 160 16" width="160" height="16" aria-hidden="true" {
            rect.frame x="4" y="3" width=(format!("{:.1}", at(support, 0.0, 1.0, 152.0))) height="10" {}
            rect.bar x="4" y="5" width=(format!("{:.1}", at(share, 0.0, 1.0, 152.0))) height="6" {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names of dots that lie side by side are not written over each other; only those of named dots take
    /// room.
    #[test]
    fn names_lie_apart() {
        let row = |at: u32| (300.0 + 12.0 * f64::from(at), 180.0);
        let dots = (0..9).map(|at| ((at != 4).then_some("The Late Mr. Bell"), row(at)));
        let places = name_places(dots);
        assert_eq!(places[0], Some((307.0, 174.0)), "beside its dot");
        assert_eq!(places[4], None);
        let found: Vec<(f64, f64)> = places.into_iter().flatten().collect();
        assert_eq!(found.len(), 8);
        for (at, one) in found.iter().enumerate() {
            for two in &found[at + 1..] {
                let apart = (one.1 - two.1).abs() >= 12.0 || (one.0 - two.0).abs() >= 17.0 * 6.0;
                assert!(apart, "{one:?} {two:?}");
            }
        }
        // Of a heap some have no room, and none leaves the plot.
        let heap = name_places((0..60).map(|_| (Some("Recommended Reading"), (650.0, 30.0))));
        assert!(heap.contains(&None));
        assert!(heap.iter().flatten().all(|(x, _)| *x < 560.0));
    }
}
