//! Bars, rings, ribbon and hand.

use cw_duel::{Phase, PlayerView, Seat};
use cw_program::PileName;
use maud::{Markup, html};

use super::{Region, card, region};
use crate::labels;
use crate::scene::Scene;
use crate::table::Stop;

pub(super) fn board(out: &mut Vec<Region>, scene: &Scene<'_>) {
    let them = scene.seat.other();
    out.push(region("them-bar", "table", bar(scene, them)));
    ring(out, scene, them);
    out.push(region("ribbon", "table", ribbon(scene)));
    out.push(region("arena", "table", arena(scene)));
    ring(out, scene, scene.seat);
    out.push(region("me-bar", "table", bar(scene, scene.seat)));
    out.push(region("hand", "table", hand(scene)));
}

fn side(scene: &Scene<'_>, whose: Seat) -> &'static str {
    if whose == scene.seat { "me" } else { "them" }
}

/// Slots face each other: the opponent's are drawn from the right.
fn ring(out: &mut Vec<Region>, scene: &Scene<'_>, whose: Seat) {
    let side = side(scene, whose);
    let ring = &scene.view.players[whose].ring;
    let parent = if side == "me" { "me-ring" } else { "them-ring" };
    let mut slots: Vec<usize> = (0..ring.len()).collect();
    if side == "them" {
        slots.reverse();
    }
    for slot in slots {
        let id = format!("{side}-slot-{}", slot + 1);
        let offer = scene.offer_on_slot(whose, slot);
        let markup = html! {
            li.slot id=(id) data-slot=(slot) aria-label=(format!("slot {}{}", slot + 1, if ring[slot].is_none() { ", empty" } else { "" })) {
                @match (&ring[slot], offer) {
                    (Some(fighter), _) => (card::fighter(scene, whose, fighter)),
                    (None, Some(offer)) => button.empty.legal type="submit" form="answer" name="o" value=(offer.index) {
                        "Slot " (slot + 1)
                    },
                    (None, None) => span.empty {},
                }
            }
        };
        out.push(region(id, parent, markup));
    }
}

fn bar(scene: &Scene<'_>, whose: Seat) -> Markup {
    let side = side(scene, whose);
    let player = &scene.view.players[whose];
    let full = scene.game().constants.hp.max(1);
    let active = scene.view.active == whose;
    let name = if side == "me" { "You" } else { opponent_name(scene) };
    html! {
        section.bar id=(format!("{side}-bar")) data-side=(side) data-active[active] aria-label=(name) {
            h2 { (name) @if active { span.turn { (if side == "me" { "your turn" } else { "their turn" }) } } }
            div.hp {
                b data-number=(format!("{side}-hp")) { (player.hp) } span { "HP" }
                meter min="0" max=(full) value=(player.hp.clamp(0, full)) low=(full / 4) aria-label=(format!("{} of {full} HP", player.hp)) {}
            }
            div.sp { b data-number=(format!("{side}-sp")) { (player.sp) } span { "SP" } (pips(player.sp)) }
            @if !player.keywords.is_empty() {
                div.words { @for keyword in &player.keywords { i.m { (keyword) } } }
            }
            @if side == "them" {
                ol.backs aria-label=(format!("opponent's hand, {} cards", player.hand.len())) {
                    @for held in &player.hand { (card::hidden(scene, held.card, held.model)) }
                }
            }
            div.piles { (piles(scene, whose, player)) }
        }
    }
}

fn opponent_name(scene: &Scene<'_>) -> &'static str {
    match scene.opponent() {
        crate::Who::Person => "Opponent",
        crate::Who::Computer | crate::Who::Random => "Computer",
    }
}

/// A dot for each point up to twelve; the number says the rest.
fn pips(sp: i32) -> Markup {
    let lit = sp.clamp(0, 12);
    html! { span.pips aria-hidden="true" { @for at in 0..12 { i .lit[at < lit] {} } } }
}

fn piles(scene: &Scene<'_>, whose: Seat, player: &PlayerView) -> Markup {
    let side = side(scene, whose);
    let deck_known: Vec<_> = player.deck.iter().flatten().collect();
    html! {
        (pile_of(side, PileName::Deck, player.deck.len(), html! {
            p.hint { "Nobody may look through a deck." @if !deck_known.is_empty() { " Known to you, from the top:" } }
            ul.grid {
                @for model in deck_known {
                    li data-name=(scene.game().model(*model).name.to_lowercase()) { (loose(scene, *model)) }
                }
            }
        }))
        @for (pile, cards) in [(PileName::Discards, &player.discards), (PileName::Removed, &player.removed)] {
            @if pile == PileName::Discards || !cards.is_empty() {
                (pile_of(side, pile, cards.len(), html! {
                    @if cards.is_empty() { p.hint { "Nothing yet." } }
                    ul.grid {
                        @for held in cards {
                            @if let Some(model) = held.model {
                                li data-name=(scene.game().model(model).name.to_lowercase()) {
                                    (card::known(scene, held.card, model, "card", None))
                                }
                            } @else {
                                li.card.back { img src="/face/back.svg" alt="unknown card" width="63" height="88"; }
                            }
                        }
                    }
                }))
            }
        }
    }
}

/// A card that has no place of its own on the table: only its face.
fn loose(scene: &Scene<'_>, model: cw_program::ModelId) -> Markup {
    let printed = scene.game().model(model);
    html! {
        button.card type="button" data-model=(model.0) aria-label=(format!("{}, {}", printed.name, card::summary(printed))) {
            img src=(card::picture(model, "small")) alt="" width="63" height="88";
            @if printed.is_character() { b.bp { (printed.bp) } }
        }
    }
}

#[expect(clippy::needless_pass_by_value, reason = "markup is made for the call")]
fn pile_of(side: &str, pile: PileName, count: usize, inside: Markup) -> Markup {
    let id = format!("pile-{side}-{pile}");
    let title = labels::pile(pile);
    let whose = if side == "me" { "Your" } else { "Opponent's" };
    html! {
        button.pile type="button" popovertarget=(id) data-pile=(format!("{side}-{pile}"))
            aria-label=(format!("{whose} {}: {count} cards", title.to_lowercase())) { b { (count) } span { (title) } }
        div.sheet popover id=(id) role="dialog" aria-label=(format!("{whose} {}", title.to_lowercase())) {
            header {
                h3 { (whose) " " (title.to_lowercase()) " · " (count) }
                @if count > 6 { input type="search" placeholder="Find a card" aria-label="Find a card" data-search; }
                button type="button" popovertarget=(id) popovertargetaction="hide" { "Close" }
            }
            (inside)
        }
    }
}

fn ribbon(scene: &Scene<'_>) -> Markup {
    let now = scene.view.phase;
    let mine = scene.view.active == scene.seat;
    let place = &scene.table.seats[scene.seat];
    let phases = [
        Phase::Activate,
        Phase::Draw,
        Phase::Main,
        Phase::Attack,
        Phase::CounterAttack,
        Phase::End,
    ];
    html! {
        nav.ribbon id="ribbon" .mine[mine] aria-label="Phases" {
            strong { "Turn " (scene.view.turn) }
            ol {
                @for phase in phases {
                    @let stop = stop_of(phase, mine);
                    li .now[phase == now] aria-current=[(phase == now).then_some("step")] {
                        @match stop {
                            Some(stop) if scene.live => button type="submit" form="act" name="act" value=(format!("stop-{}", stop.word()))
                                aria-pressed=(place.stops.contains(&stop))
                                title="Stop here even if there is nothing to do" { (labels::phase(phase)) },
                            _ => span { (labels::phase(phase)) },
                        }
                    }
                }
            }
            @if scene.live {
                button.control type="submit" form="act" name="act" value="control" aria-pressed=(place.full_control)
                    title="Ask me in every phase (F)" { "Full control" }
            }
        }
    }
}

/// The stop that a click on a phase sets: one's own phases, and the opponent's attack.
fn stop_of(phase: Phase, mine: bool) -> Option<Stop> {
    match (phase, mine) {
        (Phase::Main, true) => Some(Stop::Main),
        (Phase::Attack, true) => Some(Stop::Attack),
        (Phase::CounterAttack, false) => Some(Stop::Counter),
        _ => None,
    }
}

/// Actions and reactions in play.
fn arena(scene: &Scene<'_>) -> Markup {
    html! {
        ol.arena id="arena" aria-label="Cards being played" {
            @for played in &scene.view.table {
                @if let Some(model) = played.model { li { (card::known(scene, played.card, model, "card", None)) } }
            }
        }
    }
}

fn hand(scene: &Scene<'_>) -> Markup {
    let player = &scene.view.players[scene.seat];
    html! {
        ol.hand id="hand" data-count=(player.hand.len()) aria-label=(format!("your hand, {} cards", player.hand.len())) {
            @for held in &player.hand {
                @if let Some(model) = held.model {
                    @let why = scene.why_not(held.card);
                    li { (card::known(scene, held.card, model, "card", why.as_deref())) }
                }
            }
        }
    }
}
