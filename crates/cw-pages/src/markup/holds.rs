//! What is otherwise in a duel of a run than in the game: a boss's rule, the place, the charms in force.

use maud::{Markup, html};

use crate::ladder::{Opponent, RunPlace};
use crate::scene::SeatScene;

fn of<'a>(scene: &'a SeatScene<'_>) -> Option<(&'a Opponent, &'a RunPlace)> {
    let opponent = scene.table.start.opponent.as_deref()?;
    Some((opponent, opponent.run.as_ref()?))
}

/// The way to all of it, in the bar of the opponent.
pub(super) fn button(scene: &SeatScene<'_>) -> Markup {
    let Some((opponent, run)) = of(scene) else {
        return html! {};
    };
    let charms = match run.charms.len() {
        0 => None,
        1 => Some("1 charm".to_owned()),
        many => Some(format!("{many} charms")),
    };
    let [at, many] = run.step;
    html! {
        button.holds type="button" popovertarget="holds" data-boss[!opponent.rule.is_empty()] {
            span.sign aria-hidden="true" { @if opponent.rule.is_empty() { "✦" } @else { "◆" } }
            span.sr { "What holds in this duel: " }
            span.what {
                @if opponent.rule.is_empty() { "Place " (at) "/" (many) } @else { "Boss rule" }
                @if let Some(charms) = charms { " · " (charms) }
            }
        }
    }
}

/// The same where there is room: beside the table, until a card is enlarged there.
pub(super) fn beside(scene: &SeatScene<'_>) -> Markup {
    let Some((opponent, run)) = of(scene) else {
        return html! {};
    };
    html! {
        @if !opponent.rule.is_empty() { p { b { "◆ " (opponent.name) ": " } (opponent.rule) } }
        @for words in &run.here { p { (words) } }
        @for [name, about] in &run.charms { p { b { (name) ": " } (about) } }
    }
}

/// All of it.
pub(super) fn sheet(scene: &SeatScene<'_>) -> Option<Markup> {
    let (opponent, run) = of(scene)?;
    let [at, many] = run.step;
    Some(html! {
        div.sheet.narrow.holding popover id="holds" role="dialog" aria-label="What holds in this duel" {
            div.heading {
                h3 { "What holds in this duel" }
                button type="button" popovertarget="holds" popovertargetaction="hide" {
                    (crate::labels::CLOSE)
                }
            }
            p.quiet { (run.name) ", run " (run.seed) ", place " (at) " of " (many) ": " (run.place) }
            @if !opponent.rule.is_empty() { h4 { "The rule of " (opponent.name) } p { (opponent.rule) } }
            @if !run.here.is_empty() { h4 { "At this place" } @for words in &run.here { p { (words) } } }
            h4 { "Your charms" }
            @if run.charms.is_empty() { p.quiet { "None yet." } }
            @else { dl { @for [name, about] in &run.charms { dt { (name) } dd { (about) } } } }
            p.quiet {
                "A choice can be taken back until something comes to light \
                 or somebody else has chosen; the shuffles stay as they are. "
                "How the duel ends counts for the run. A duel that you do not win costs a life; \
                 then you may challenge either of the two again."
            }
        }
    })
}
