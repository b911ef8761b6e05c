//! What was shown to the seat and not put away yet.

use maud::{Markup, html};

use super::card;
use crate::labels;
use crate::scene::SeatScene;
use crate::shown::shown;

pub(super) fn panel(scene: &SeatScene<'_>) -> Markup {
    let found = shown(scene);
    html! {
        aside.shown id="shown" hidden[found.is_empty()] aria-label=(labels::SHOWN_TO_YOU) {
            @for one in &found {
                p { (one.words) }
                @if !one.cards.is_empty() {
                    ul.faces {
                        @for model in one.cards.iter().take(12) {
                            li { (card::loose(scene, *model, "card")) }
                        }
                    }
                }
            }
            @if scene.live && !found.is_empty() {
                button.small type="submit" form="act" name="act" value="dismiss" { (labels::PUT_AWAY) }
            }
            // Where there is no room for faces, they are a tap away.
            @let many = found.iter().map(|one| one.cards.len()).sum::<usize>();
            @if many > 0 {
                button.small.look type="button" popovertarget="shown-sheet" { (labels::look_at(many)) }
                div.sheet popover id="shown-sheet" role="dialog" aria-label=(labels::SHOWN_TO_YOU) {
                    div.heading {
                        h3 { (labels::SHOWN_TO_YOU) }
                        button type="button" popovertarget="shown-sheet" popovertargetaction="hide" {
                            (labels::CLOSE)
                        }
                    }
                    @for one in found.iter().filter(|one| !one.cards.is_empty()) {
                        p { (one.words) }
                        ul.grid { @for model in &one.cards { li { (card::loose(scene, *model, "card")) } } }
                    }
                }
            }
        }
    }
}
