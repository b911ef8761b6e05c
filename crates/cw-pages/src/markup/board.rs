//! Bars, rings, ribbon, hand, and the sheets of piles.

use cw_duel::{CardId, ExplainedNumber, Phase, Seat};
use cw_program::{ModelId, PileName, PileViewState};
use maud::{Markup, html};

use super::{PageRegion, card, insight, region};
use crate::labels;
use crate::presence::Presence;
use crate::scene::SeatScene;
use crate::table::PhaseStop;

pub(super) fn board(out: &mut Vec<PageRegion>, scene: &SeatScene<'_>) {
    let them = scene.seat.other();
    out.push(region("them-bar", "table", bar(scene, them)));
    ring(out, scene, them);
    out.push(region("ribbon", "table", ribbon(scene)));
    out.push(region("arena", "table", arena(scene)));
    ring(out, scene, scene.seat);
    out.push(region("me-bar", "table", bar(scene, scene.seat)));
    out.push(region("hand", "table", hand(scene)));
    out.extend(super::holds::sheet(scene).map(|sheet| region("holds", "side", sheet)));
    for whose in [them, scene.seat] {
        for pile in piles(scene, whose).iter().filter(|pile| pile.opens()) {
            out.push(region(pile.sheet_id(), "side", pile.sheet()));
        }
    }
}

fn side(scene: &SeatScene<'_>, whose: Seat) -> &'static str {
    if whose == scene.seat { "me" } else { "them" }
}

/// Slots face each other: the opponent's are drawn from the right.
fn ring(out: &mut Vec<PageRegion>, scene: &SeatScene<'_>, whose: Seat) {
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
        let cue = offer.is_some_and(|offer| scene.table.cue() == Some(offer.choice));
        let markup = html! {
            li.slot id=(id) data-slot=(slot)
                aria-label=(labels::slot(
                    labels::from_the_left(slot, ring.len(), side == "me"),
                    ring[slot].is_none(),
                )) {
                @match (&ring[slot], offer) {
                    (Some(fighter), _) => (card::fighter(scene, whose, fighter)),
                    (None, Some(offer)) => button.empty.legal.cue[cue] type="submit" form="answer" name="o"
                        value=(offer.index) {
                        (offer.label)
                    },
                    (None, None) => span.empty {},
                }
            }
        };
        out.push(region(id, parent, markup));
    }
}

fn bar(scene: &SeatScene<'_>, whose: Seat) -> Markup {
    let mine = whose == scene.seat;
    let side = side(scene, whose);
    let player = &scene.view.players[whose];
    let full = scene.game().hp_of(whose).max(1);
    let active = scene.view.active == whose && scene.view.outcome.is_none();
    let name = if mine {
        labels::YOU
    } else {
        labels::opponent(scene.opponent(), scene.opponents_name())
    };
    let presence = scene.presence.filter(|_| !mine);
    html! {
        section.bar id=(format!("{side}-bar")) data-side=(side) data-active[active] aria-label=(name) {
            h2 {
                (portrait(scene, mine))
                @match presence {
                    Some(presence) => { span.who { (name) } (self::presence(presence)) },
                    None => (name)
                }
                @if active { span.turn { (if mine { labels::YOUR_TURN } else { labels::THEIR_TURN }) } }
            }
            div.hp {
                b { (insight::number(scene, ExplainedNumber::Hp(whose), &player.hp.to_string())) }
                span { "HP" }
                meter min="0" max=(full) value=(player.hp.clamp(0, full)) low=(full / 4)
                    data-low[player.hp * 4 <= full] aria-label=(labels::hp_of(player.hp, full)) {}
            }
            div.sp {
                b { (insight::number(scene, ExplainedNumber::Sp(whose), &player.sp.to_string())) }
                span { "SP" }
            }
            @if !mine { (super::holds::button(scene)) }
            @if let Some(words) = scene.says().filter(|_| !mine) { p.says { "“" (words) "”" } }
            @if !player.keywords.is_empty() {
                div.words {
                    @for keyword in &player.keywords {
                        i.m title=(labels::keyword(*keyword)) { (labels::keyword_mark(*keyword)) }
                    }
                }
            }
            @if !mine {
                span.in-hand { b { (player.hand.len()) } span { (labels::pile(PileName::Hand)) } }
                ol.backs aria-label=(labels::hand(false, player.hand.len(), &scene.other())) {
                    @for held in &player.hand { (card::hidden(scene, held.card, held.model)) }
                }
            }
            div.piles { @for pile in piles(scene, whose) { (pile.markup()) } }
        }
    }
}

/// The face of an opponent who is somebody.
fn portrait(scene: &SeatScene<'_>, mine: bool) -> Markup {
    let opponent = scene.table.start.opponent.as_deref().filter(|_| !mine);
    let face = opponent.and_then(|opponent| opponent.face(scene.game()));
    html! {
        @if let Some(model) = face {
            span.portrait aria-hidden="true" { (card::picture(scene, model, "small")) }
        }
    }
}

/// Whether the other person is at the table.
fn presence(presence: Presence) -> Markup {
    let words = labels::presence(presence);
    html! {
        span.presence data-presence=(words.0) title=(words.1) {
            span {
                (words.1)
                @if let Presence::Away(since) = presence { " " time data-seconds=(since) data-short {} }
            }
        }
    }
}

/// The piles of a seat, as somebody looks at its bar.
fn piles<'a>(scene: &'a SeatScene<'a>, whose: Seat) -> Vec<PileButton<'a>> {
    let player = &scene.view.players[whose];
    let known = player.deck.iter().flatten().copied();
    let deck = PileButton {
        scene,
        whose,
        name: PileName::Deck,
        count: player.deck.len(),
        cards: known.map(|model| (None, Some(model))).collect(),
        top: player.deck.first().copied().flatten(),
    };
    let open = |name, cards: &[cw_duel::CardView]| PileButton {
        scene,
        whose,
        name,
        count: cards.len(),
        cards: cards.iter().map(|held| (Some(held.card), held.model)).collect(),
        top: cards.first().and_then(|held| held.model),
    };
    let mut all = vec![deck, open(PileName::Discards, &player.discards)];
    if !player.removed.is_empty() {
        all.push(open(PileName::Removed, &player.removed));
    }
    all
}

/// A pile: a button with its count in the bar, and the sheet that the button opens. The sheet is a region of
/// its own, since it is the larger part by far and changes seldom, while a bar changes with nearly every
/// choice.
struct PileButton<'a> {
    scene: &'a SeatScene<'a>,
    whose: Seat,
    name: PileName,
    count: usize,
    /// What may be seen of it.
    cards: Vec<(Option<CardId>, Option<ModelId>)>,
    top: Option<ModelId>,
}

impl PileButton<'_> {
    /// Whether a click opens it: a deck of which nothing is known does not.
    fn opens(&self) -> bool {
        self.name != PileName::Deck || !self.cards.is_empty()
    }

    fn sheet_id(&self) -> String {
        format!("pile-{}-{}", side(self.scene, self.whose), self.name)
    }

    fn title(&self) -> String {
        let own = self.whose == self.scene.seat;
        labels::whose_pile(own, self.name, &self.scene.other())
    }

    fn markup(&self) -> Markup {
        let side = side(self.scene, self.whose);
        let view = self.scene.pile_view(self.whose, self.name);
        // G240: a pile shows its top card, or all of them, where a card says so.
        let top = self.top.filter(|_| view == Some(PileViewState::Pile));
        html! {
            @if view == Some(PileViewState::Expanded) && !self.cards.is_empty() {
                ol.spread aria-label=(self.title()) {
                    @for model in self.cards.iter().filter_map(|card| card.1) {
                        li { (card::loose(self.scene, model, "card mini")) }
                    }
                }
            }
            @if self.opens() {
                button.pile type="button" popovertarget=(self.sheet_id())
                    data-pile=(format!("{side}-{}", self.name))
                    aria-label=(labels::count_of_pile(
                        side == "me",
                        self.name,
                        self.count,
                        &self.scene.other(),
                    )) {
                    @if let Some(model) = top { span.top { (card::picture(self.scene, model, "small")) } }
                    b { (self.count) } " " span { (labels::pile(self.name)) }
                }
            } @else {
                div.pile data-pile=(format!("{side}-{}", self.name)) title=(labels::NOBODY_LOOKS) {
                    b {
                        (insight::number(
                            self.scene,
                            ExplainedNumber::Cards(self.whose, self.name),
                            &self.count.to_string(),
                        ))
                    }
                    " " span { (labels::pile(self.name)) }
                }
            }
        }
    }

    fn sheet(&self) -> Markup {
        let (id, title) = (self.sheet_id(), self.title());
        html! {
            div.sheet popover id=(id) role="dialog" aria-label=(title) {
                div.heading {
                    h3 {
                        (title) " · "
                        (insight::number(
                            self.scene,
                            ExplainedNumber::Cards(self.whose, self.name),
                            &self.count.to_string(),
                        ))
                    }
                    @if self.cards.len() > 6 {
                        input type="search" placeholder=(labels::FIND_A_CARD) aria-label=(labels::FIND_A_CARD)
                            data-search;
                    }
                    button type="button" popovertarget=(id) popovertargetaction="hide" { (labels::CLOSE) }
                }
                @if self.name == PileName::Deck {
                    p.hint { (labels::NOBODY_LOOKS) @if !self.cards.is_empty() { (labels::KNOWN_TO_YOU) } }
                } @else if self.cards.is_empty() {
                    p.hint { (labels::EMPTY_PILE) }
                }
                ul.grid { @for (card, model) in &self.cards { (self.card(*card, *model)) } }
            }
        }
    }

    fn card(&self, card: Option<CardId>, model: Option<ModelId>) -> Markup {
        let Some(model) = model else {
            return html! { li.card.back { (card::unknown(self.scene)) } };
        };
        let name = self.scene.game().model(model).name.to_lowercase();
        html! {
            li data-name=(name) {
                @match card {
                    Some(card) => (card::known(self.scene, card, model, "card", None)),
                    None => (card::loose(self.scene, model, "card")),
                }
            }
        }
    }
}

fn ribbon(scene: &SeatScene<'_>) -> Markup {
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
        nav.ribbon id="ribbon" .mine[mine] aria-label=(labels::PHASES) {
            strong {
                (labels::turn_number(scene.view.turn))
                @if scene.view.outcome.is_none() { span.whose { (labels::whose_turn(mine)) } }
            }
            ol {
                @for phase in phases {
                    @let stop = stop_of(phase, mine);
                    li .now[phase == now] aria-current=[(phase == now).then_some("step")] {
                        @match stop {
                            Some(stop) if scene.is_played() => button type="submit" form="act" name="act"
                                value=(format!("stop-{}", stop.word()))
                                aria-pressed=(place.policy.stops.contains(&stop)) title=(labels::STOP_HINT) {
                                (labels::phase(phase))
                            },
                            _ => span { (labels::phase(phase)) },
                        }
                    }
                }
            }
            @if scene.is_played() {
                button.control type="submit" form="act" name="act" value="control"
                    aria-pressed=(place.policy.full_control) title=(labels::FULL_CONTROL_HINT) {
                    (labels::FULL_CONTROL)
                }
            }
        }
    }
}

/// The stop that a click on a phase sets: one's own phases, and the opponent's attack.
fn stop_of(phase: Phase, mine: bool) -> Option<PhaseStop> {
    match (phase, mine) {
        (Phase::Main, true) => Some(PhaseStop::Main),
        (Phase::Attack, true) => Some(PhaseStop::Attack),
        (Phase::CounterAttack, false) => Some(PhaseStop::Counter),
        _ => None,
    }
}

/// Actions and reactions in play.
fn arena(scene: &SeatScene<'_>) -> Markup {
    html! {
        ol.arena id="arena" aria-label=(labels::PLAYED_CARDS) data-words=(labels::BEING_PLAYED[0])
            data-word=(labels::BEING_PLAYED[1]) {
            @for played in &scene.view.table {
                @if let Some(model) = played.model {
                    li { (card::known(scene, played.card, model, "card", None)) }
                }
            }
        }
    }
}

fn hand(scene: &SeatScene<'_>) -> Markup {
    let player = &scene.view.players[scene.seat];
    html! {
        ol.hand id="hand" data-count=(player.hand.len()) data-none=(labels::NO_CARDS)
            aria-label=(labels::hand(true, player.hand.len(), &scene.other())) {
            @for held in &player.hand {
                @if let Some(model) = held.model {
                    @let why = scene.why_not(held.card);
                    li { (card::known(scene, held.card, model, "card", why.as_deref())) }
                }
            }
        }
    }
}
