//! A card on the page: a button if it can be chosen, otherwise something to look at.

use cw_duel::{CardId, CharacterView, Model, Seat};
use cw_program::ModelId;
use maud::{Markup, html};

use crate::effects::key;
use crate::labels;
use crate::scene::{Offer, Scene};

/// The address of a card's picture.
pub(crate) fn picture(model: ModelId, size: &str) -> String {
    format!("/face/{}/{size}.svg", model.0)
}

/// The back of a card that nobody here knows, or a known one in small.
pub(crate) fn hidden(scene: &Scene<'_>, card: CardId, model: Option<ModelId>) -> Markup {
    match model {
        Some(model) => html! {
            li { (known(scene, card, model, "card mini known", None)) }
        },
        None => html! {
            li.card.mini.back data-card=(key(card)) { img src="/face/back.svg" alt="unknown card" width="63" height="88" draggable="false"; }
        },
    }
}

/// A card whose face is known and which is not in a ring.
pub(crate) fn known(
    scene: &Scene<'_>,
    card: CardId,
    model: ModelId,
    class: &str,
    why: Option<&str>,
) -> Markup {
    let printed = scene.game().model(model);
    let offers = scene.offers_on(card);
    let number = html! { @if printed.is_character() { b.bp { (printed.bp) } } };
    let label = format!("{}, {}", printed.name, summary(printed));
    button(
        card,
        &offers,
        class,
        &label,
        html! {
            img src=(picture(model, "small")) alt="" width="63" height="88" draggable="false";
            (number)
            (facts(printed, None, why))
        },
        model,
    )
}

/// A character in a ring.
pub(crate) fn fighter(scene: &Scene<'_>, whose: Seat, fighter: &CharacterView) -> Markup {
    let model = scene.game().model(fighter.model);
    let offers = scene.offers_on(fighter.card);
    let mut marks: Vec<String> = Vec::new();
    let flags = [
        (fighter.fresh, "fresh"),
        (fighter.frozen, "frozen"),
        (fighter.activated, "used"),
        (fighter.attacks, "attacks"),
        (fighter.follows, "joins"),
        (fighter.blocks, "counters"),
        (fighter.bp == 0, "cracked"),
    ];
    marks.extend(
        flags
            .iter()
            .filter(|(holds, _)| *holds)
            .map(|(_, mark)| (*mark).to_owned()),
    );
    let mut class = String::from("card fighter");
    for mark in &marks {
        class.push(' ');
        class.push_str(mark);
    }
    let blocked = scene
        .view
        .blocks
        .iter()
        .find(|(_, by)| *by == fighter.card)
        .map(|(attacker, _)| *attacker);
    let lead = scene.view.united.first().copied().filter(|_| fighter.follows);
    let side = match fighter.bp.cmp(&model.bp) {
        std::cmp::Ordering::Greater => "bp up",
        std::cmp::Ordering::Less => "bp down",
        std::cmp::Ordering::Equal => "bp",
    };
    let why = scene.why_not(fighter.card).filter(|_| whose == scene.seat);
    let lost = model.ability.is_some() && fighter.ability.is_none();
    let owner = if whose == scene.seat {
        "yours"
    } else {
        "the opponent's"
    };
    let label = format!("{}, {owner}, {} BP{}", model.name, fighter.bp, list(&marks));
    button(
        fighter.card,
        &offers,
        &class,
        &label,
        html! {
            img src=(picture(fighter.model, "small")) alt="" width="63" height="88" draggable="false";
            b class=(side) { (fighter.bp) }
            span.marks {
                @if fighter.fresh { i.m title="entered this turn" { "fresh" } }
                @if fighter.frozen { i.m.cold { "frozen" } }
                @if fighter.activated { i.m { "used" } }
                @if fighter.attacks { i.m.hot { (if scene.view.united.first() == Some(&fighter.card) { "leads" } else { "attacks" }) } }
                @if fighter.follows { i.m.hot { "joins" } }
                @if fighter.blocks { i.m.hot { "counters" } }
                @if lost { i.m { "no ability" } }
                @if !fighter.backups.is_empty() { i.m { "+" (fighter.backups.len()) " back-up" } }
                @for keyword in fighter.keywords.iter().take(2) { i.m { (keyword) } }
            }
            @if let Some(attacker) = blocked { span hidden data-blocks=(key(attacker)) {} }
            @if let Some(lead) = lead { span hidden data-joins=(key(lead)) {} }
            (facts(model, Some((scene, fighter)), why.as_deref()))
        },
        fighter.model,
    )
}

fn list(marks: &[String]) -> String {
    marks.iter().map(|mark| format!(", {mark}")).collect()
}

/// What a card is, for those who do not see its picture.
pub(crate) fn summary(model: &Model) -> String {
    let mut words = labels::card_type(model.card_type).to_owned();
    if model.is_character() {
        words.push_str(&format!(", {} BP", model.bp));
    }
    words.push_str(&format!(", {} SP", cw_words::signed(model.sp)));
    if !model.text.is_empty() {
        words.push_str(&format!(". {}", model.text));
    }
    words
}

#[expect(clippy::needless_pass_by_value, reason = "markup is made for the call")]
fn button(
    card: CardId,
    offers: &[&Offer],
    class: &str,
    label: &str,
    inside: Markup,
    model: ModelId,
) -> Markup {
    let key = key(card);
    html! {
        @match offers {
            [] => button.(class) type="button" data-card=(key) data-model=(model.0) aria-label=(label) { (inside) },
            [only] => button.(class).legal type="submit" form="answer" name="o" value=(only.index) data-card=(key)
                data-model=(model.0) aria-label=(format!("{}. {label}", only.label)) { (inside) },
            several => {
                button.(class).legal type="button" popovertarget=(format!("menu-{key}")) data-card=(key)
                    data-model=(model.0) aria-haspopup="menu" aria-label=(format!("Choose what to do. {label}")) { (inside) }
                div.menu popover id=(format!("menu-{key}")) data-of=(key) {
                    @for offer in several {
                        button type="submit" form="answer" name="o" value=(offer.index) {
                            span { (offer.label) @if let Some(then) = &offer.consequence { small.then { (then) } } }
                        }
                    }
                }
            }
        }
    }
}

/// What the enlarged card says beside its picture.
fn facts(model: &Model, now: Option<(&Scene<'_>, &CharacterView)>, why: Option<&str>) -> Markup {
    let kind = model.ability_kind();
    html! {
        span.facts hidden {
            @if let Some((scene, fighter)) = now {
                span { b { (fighter.bp) " BP" } @if fighter.bp != model.bp { " (printed " (model.bp) ")" } }
                @if let Some(of) = fighter.ability.filter(|of| *of != fighter.model) {
                    span { "Has the ability of " b { (scene.game().model(of).name) } ": " (scene.game().model(of).text) }
                }
                @for backup in &fighter.backups {
                    @if let Some(model) = backup.model { span { "Backed up by " (scene.game().model(model).name) "." } }
                }
                @for keyword in &fighter.keywords { span { (labels::keyword(*keyword)) } }
            }
            @if let Some(why) = why { span.why { (why) } }
            @if let Some(kind) = kind { span { (labels::ability(kind)) } }
            @for reminder in labels::reminders(&model.text) { span { (reminder) } }
        }
    }
}
