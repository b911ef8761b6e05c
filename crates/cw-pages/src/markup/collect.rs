//! A question for several cards: a click takes one in or lets it go, and one button sends them all (D29).

use cw_duel::{Choice, Decision};
use maud::{Markup, html};

use super::card;
use crate::labels;
use crate::scene::SeatScene;
use crate::several::Collection;

/// Faces beyond which they are searched.
const SEARCHED: usize = 8;

pub(super) fn question(scene: &SeatScene<'_>, decision: &Decision, collection: &Collection) -> Markup {
    let Collection { candidates, min, max } = collection;
    let words = labels::Collecting::of(decision.question);
    let search = candidates.len() > SEARCHED;
    let declines = scene.offers.iter().find(|offer| offer.choice == Choice::Decline);
    html! {
        h2 id="question" tabindex="-1" { (labels::question(scene.reader(), decision, &scene.other())) }
        @if let Some((_, text)) = scene.because() { p.because { (text) } }
        p.progress {
            span data-count data-of=(labels::collected_of(*min, *max)) role="status" {
                (labels::collected(0, *min, *max))
            }
        }
        div.choices {
            @if scene.pays_for_nothing() { p.warns { (labels::PAYS_FOR_NOTHING) } }
            @if search {
                input.find type="search" placeholder=(labels::FIND_A_CARD) aria-label=(labels::FIND_A_CARD)
                    data-search;
            }
            ul.faces.pickable data-many[search] {
                @for (at, candidate) in candidates.iter().enumerate() { (face(scene, *candidate, at)) }
            }
        }
        ol.options.onward {
            li {
                button.go.collected type="submit" form="answer" name="o" value="," disabled[*min > 0]
                    data-min=(min) data-max=(max) data-none=(words.none) data-some=(words.some)
                    data-more=(labels::CHOOSE_MORE) {
                    span { (if *min > 0 { labels::choose_more(*min) } else { words.none.to_owned() }) }
                }
            }
            @if let Some(offer) = declines {
                li {
                    button.back type="submit" form="answer" name="o" value=(offer.index) {
                        span { (offer.label) }
                    }
                }
            }
        }
    }
}

fn face(scene: &SeatScene<'_>, candidate: Choice, at: usize) -> Markup {
    let id = candidate.card();
    let model = match candidate {
        Choice::Copy(model) => Some(model),
        _ => id.and_then(|card| scene.known(card)),
    };
    // Without a script a click answers with this one card, as far as the engine asks for it now.
    let alone = scene.offers.iter().find(|offer| offer.choice == candidate);
    let kind = if alone.is_some() { "submit" } else { "button" };
    let [form, name] = ["answer", "o"].map(|word| alone.map(|_| word));
    let value = alone.map(|offer| offer.index);
    let Some(model) = model else {
        let words = labels::unknown_card(at + 1);
        return html! {
            li {
                button.option type=(kind) form=[form] name=[name] value=[value] aria-pressed="false"
                    data-pick=(at) data-for=[id.map(crate::effects::key)] { (words) }
            }
        };
    };
    let printed = scene.game().model(model);
    html! {
        li data-name=(printed.name.to_lowercase()) {
            button.card.legal type=(kind) form=[form] name=[name] value=[value] aria-pressed="false"
                data-pick=(at) data-for=[id.map(crate::effects::key)] data-model=(model.0)
                aria-label=(labels::choose(&printed.name, &card::summary(scene.game(), printed))) {
                (card::picture(scene, model, "small"))
                @if printed.is_character() { b.bp { (printed.bp) } }
                (card::facts(scene, model, None, None))
            }
        }
    }
}
