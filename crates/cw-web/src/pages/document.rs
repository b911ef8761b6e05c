//! Whole pages around the regions.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::{Region, regions};
use crate::scene::Scene;

#[expect(clippy::needless_pass_by_value, reason = "markup is made for the call")]
fn page(title: &str, base: &str, body: Markup) -> String {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover";
                meta name="color-scheme" content="dark light";
                title { (title) }
                base href=(base);
                link rel="icon" href="/face/back.svg" type="image/svg+xml";
                link rel="stylesheet" href="/assets/table.css";
                script type="module" src="/assets/table.js" {}
            }
            (body)
        }
    }
    .into_string()
}

/// The table of a seat. `base` is the seat's address, with a slash at its end.
pub(crate) fn document(scene: &Scene<'_>, base: &str, notice: Option<&str>) -> String {
    let body = html! {
        body {
            (table(scene, notice))
            (menu(scene))
            (help())
        }
    };
    page(&scene.game().name, base, body)
}

/// An earlier moment, with a scrub bar.
pub(crate) fn moment(scene: &Scene<'_>, base: &str, both: bool) -> String {
    let last = scene.table.steps.len() - 1;
    let me = scene.at;
    let at = |step: usize| format!("moment/{step}");
    let body = html! {
        body.replay {
            (table(scene, None))
            nav.scrub aria-label="Replay" {
                a.small href=(base) { "Back to the table" }
                a.small href=(at(0)) rel="first" { "First" }
                a.small href=(at(me.saturating_sub(1))) rel="prev" { "Earlier" }
                form method="get" action="moment" {
                    input type="range" name="step" min="0" max=(last) value=(me) aria-label="Moment of the duel" data-scrub;
                    noscript { button type="submit" { "Go" } }
                }
                a.small href=(at((me + 1).min(last))) rel="next" { "Later" }
                output { (me) " / " (last) }
                @if both { span.quiet { "The duel is over." } }
            }
        }
    };
    page(&scene.game().name, base, body)
}

/// A page that only says something.
pub(crate) fn message(title: &str, words: &str) -> String {
    page(
        title,
        "/",
        html! { body { main.message { h1 { (title) } p { (words) } } } },
    )
}

fn table(scene: &Scene<'_>, notice: Option<&str>) -> Markup {
    let all = regions(scene);
    let of = |id: &str| -> Markup {
        let found: Vec<&Region> = all.iter().filter(|region| region.id == id).collect();
        PreEscaped(found.iter().map(|region| region.markup.as_str()).collect())
    };
    let under = |parent: &str| -> Markup {
        let found = all.iter().filter(|region| region.parent == parent);
        PreEscaped(found.map(|region| region.markup.as_str()).collect())
    };
    html! {
        main.table id="table" data-at=(scene.at) data-number=(scene.table.number()) {
            h1.sr { (scene.game().name) }
            (of("them-bar"))
            div.felt {
                ol.ring.them id="them-ring" aria-label="opponent's ring" { (under("them-ring")) }
                (of("ribbon"))
                (of("arena"))
                ol.ring.me id="me-ring" aria-label="your ring" { (under("me-ring")) }
                svg.lines id="lines" aria-hidden="true" {}
            }
            (of("me-bar"))
            div.near { (of("hand")) (of("prompt")) }
            aside.zoom id="zoom" aria-label="Enlarged card" {
                p.hint { "Point at a card to read it." }
            }
            aside.log id="log" aria-label="Log" { h2 { "Log" } div id="log-turns" { (under("log-turns")) } }
            div.notice id="notice" role="status" { @if let Some(notice) = notice { (notice) } }
            div.sr id="aloud" aria-live="polite" {}
        }
    }
}

fn menu(scene: &Scene<'_>) -> Markup {
    html! {
        div.tools {
            button.small type="button" data-act="theme" title="Dark or light" { "Theme" }
            button.small type="button" data-act="sound" aria-pressed="false" { "Sound" }
            button.small type="button" popovertarget="help" { "Help" }
            button.small.tab type="button" data-act="log" { "Log" }
            @if scene.view.outcome.is_none() {
                button.small type="button" popovertarget="concede" { "Concede" }
            }
        }
        div.sheet.narrow popover id="concede" role="dialog" aria-label="Concede" {
            h3 { "Give this duel up?" }
            p { "The opponent wins at once." }
            button.back type="submit" form="act" name="act" value="concede" { "Concede the duel" }
            button.go type="button" popovertarget="concede" popovertargetaction="hide" { "Play on" }
        }
    }
}

fn help() -> Markup {
    let keys = [
        ("1 – 9", "take an option"),
        ("Space", "go on: end the phase, pass, done"),
        ("Esc", "back out, or close what is open"),
        ("Arrows", "move between cards"),
        ("Enter", "play, attack or choose the card"),
        ("Z", "undo"),
        ("F", "full control"),
        ("L", "the log"),
        ("?", "this help"),
    ];
    html! {
        div.sheet.narrow popover id="help" role="dialog" aria-label="Help" {
            h3 { "Keys" }
            dl { @for (key, what) in keys { dt { kbd { (key) } } dd { (what) } } }
            h3 { "The game" }
            p { "Bring the opponent to 0 HP. In your Main phase play one character and any actions; then attack. "
                "A green number is SP you gain, a red one SP you pay. An attack that nobody counters takes its BP from HP." }
            button.go type="button" popovertarget="help" popovertargetaction="hide" { "Close" }
        }
    }
}
