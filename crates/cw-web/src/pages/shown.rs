//! What was shown to the seat and not put away yet.

use maud::{Markup, html};

use super::card;
use crate::labels;
use crate::scene::Scene;
use crate::shown::shown;

pub(super) fn panel(scene: &Scene<'_>) -> Markup {
    let found = shown(scene);
    html! {
        aside.shown id="shown" hidden[found.is_empty()] aria-label=(labels::SHOWN_TO_YOU) {
            @for one in &found {
                p { (one.words) }
                @if !one.cards.is_empty() {
                    ul.faces {
                        @for model in one.cards.iter().take(12) { li { (card::loose(scene, *model, "card")) } }
                    }
                }
            }
            @if scene.live && !found.is_empty() {
                button.small type="submit" form="act" name="act" value="dismiss" { (labels::PUT_AWAY) }
            }
        }
    }
}
