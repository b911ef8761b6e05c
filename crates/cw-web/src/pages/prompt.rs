//! The one question, always in the same place.

use cw_duel::{Choice, Question};
use maud::{Markup, html};

use super::card;
use crate::labels;
use crate::scene::{Offer, Scene};

pub(super) fn prompt(scene: &Scene<'_>) -> Markup {
    let number = scene.table.number();
    let stamp = scene.table.seats[scene.seat].secret.stamp(number);
    let kind = scene.decision().map(|decision| kind(decision.question));
    html! {
        section.prompt id="prompt" data-number=(number) data-kind=[kind] data-mine[scene.decision().is_some()]
            data-source=[scene.decision().and_then(|decision| decision.source).map(crate::effects::key)]
            aria-label="What to do" {
            form id="answer" method="post" action="answer" {
                input type="hidden" name="n" value=(number);
                input type="hidden" name="k" value=(stamp);
            }
            form id="act" method="post" action="act" {
                input type="hidden" name="n" value=(number);
                input type="hidden" name="k" value=(stamp);
            }
            @match (scene.result(), scene.decision()) {
                (Some(won), _) => (over(scene, won)),
                (None, Some(_)) => (question(scene)),
                (None, None) if !scene.live => p.quiet { "An earlier moment of the duel." },
                (None, None) => p.quiet {
                    (if scene.opponent() == crate::Who::Person { "The opponent decides." } else { "The computer decides." })
                },
            }
            @if scene.live && scene.view.outcome.is_none() {
                footer {
                    @if scene.table.undo_step(scene.seat).is_some() {
                        button.small type="submit" form="act" name="act" value="undo" title="Take the last choice back (Z)" { "Undo" }
                    }
                }
            }
        }
    }
}

/// A word for the kind of question: the page's style and its tests know it.
fn kind(question: Question) -> &'static str {
    match question {
        Question::Main => "main",
        Question::Attack => "attack",
        Question::CounterAttack => "counter",
        Question::SlotFor(_) => "slot",
        Question::BackUpWhom(_) => "back-up",
        Question::JoinWhom(_) => "join",
        Question::BlockWhom(_) => "block",
        Question::Target { .. } => "target",
        Question::DiscardCost { .. } => "discard-cost",
        Question::SacrificeCost { .. } => "sacrifice",
        Question::Discard { .. } => "discard",
        Question::Player => "player",
        Question::Zone => "zone",
        Question::Type => "type",
        Question::WhichAction => "action",
        Question::May(_) => "may",
        Question::Optional => "optional",
        Question::TopOrBottom => "top-or-bottom",
        Question::Prophecy { .. } => "prophecy",
        Question::Coin => "coin",
        Question::MoveToSlot(_) => "move",
    }
}

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "what stands last is named, the rest keeps its order"
)]
fn question(scene: &Scene<'_>) -> Markup {
    let Some(decision) = scene.decision() else {
        return html! {};
    };
    let words = cw_words::question(scene.reader(), decision);
    let hidden: Vec<&Offer> = scene
        .offers
        .iter()
        .filter(|offer| needs_face(scene, offer))
        .collect();
    let mut listed: Vec<(&Offer, usize)> = Vec::new();
    for offer in scene.offers.iter().filter(|offer| !needs_face(scene, offer)) {
        match listed.iter_mut().find(|(other, _)| other.label == offer.label) {
            // Equal copies in a hand are one button; each of them can be clicked.
            Some((other, copies)) if in_hand(scene, other) && in_hand(scene, offer) => *copies += 1,
            _ => listed.push((offer, 1)),
        }
    }
    // What goes on or back stands last.
    listed.sort_by_key(|(offer, _)| match offer.choice {
        Choice::CancelAttack(_) | Choice::CancelBlock(_) => 1,
        Choice::Pass | Choice::Done => 2,
        Choice::Decline => 3,
        _ => 0,
    });
    html! {
        h2 id="question" tabindex="-1" { (words) }
        @if !hidden.is_empty() {
            ul.faces {
                @for offer in &hidden {
                    li { (face_of(scene, offer)) }
                }
            }
        }
        ol.options {
            @for (at, (offer, copies)) in listed.iter().enumerate() {
                li {
                    button.(tone(offer)) type="submit" form="answer" name="o" value=(offer.index)
                        data-for=[offer.card().map(crate::effects::key)] {
                        @if at < 9 { kbd { (at + 1) } }
                        span { (offer.label) @if *copies > 1 { small { " ×" (copies) } }
                            @if let Some(consequence) = &offer.consequence { small.then { (consequence) } }
                        }
                    }
                }
            }
        }
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "the rest are equal choices")]
fn tone(offer: &Offer) -> &'static str {
    match offer.choice {
        Choice::Pass | Choice::Done | Choice::Yes => "go",
        Choice::Decline | Choice::No => "back",
        _ => "option",
    }
}

/// Cards in piles and shown hands cannot be clicked on the table: their faces lie in the prompt.
#[expect(clippy::wildcard_enum_match_arm, reason = "only cards have faces")]
fn needs_face(scene: &Scene<'_>, offer: &Offer) -> bool {
    match offer.choice {
        Choice::Copy(_) => true,
        Choice::Card(card) => !scene.is_in_the_open(card) && scene.known(card).is_some(),
        _ => false,
    }
}

fn in_hand(scene: &Scene<'_>, offer: &Offer) -> bool {
    let hand = &scene.view.players[scene.seat].hand;
    offer
        .card()
        .is_some_and(|card| hand.iter().any(|held| held.card == card))
}

fn face_of(scene: &Scene<'_>, offer: &Offer) -> Markup {
    let model = if let Choice::Copy(model) = offer.choice {
        Some(model)
    } else {
        offer.card().and_then(|card| scene.known(card))
    };
    let Some(model) = model else {
        return html! {};
    };
    let printed = scene.game().model(model);
    html! {
        button.card.legal type="submit" form="answer" name="o" value=(offer.index) data-model=(model.0)
            aria-label=(format!("Choose {}. {}", printed.name, card::summary(printed))) {
            img src=(card::picture(model, "small")) alt="" width="63" height="88";
            @if printed.is_character() { b.bp { (printed.bp) } }
        }
    }
}

fn over(scene: &Scene<'_>, won: Option<bool>) -> Markup {
    let reason = match scene.view.outcome {
        Some(cw_duel::Outcome::Won { reason, .. }) => labels::reason(reason, won == Some(true)),
        Some(cw_duel::Outcome::Drawn) | None => "Nobody won in time.",
    };
    let place = &scene.table.seats[scene.seat];
    html! {
        h2.result id="question" tabindex="-1" data-won=[won] {
            (match won { Some(true) => "You win", Some(false) => "You lose", None => "A draw" })
        }
        p { (reason) }
        @if scene.live {
            div.after {
                @if place.wants_rematch { p.quiet { "Waiting for the opponent to agree." } }
                button.go type="submit" form="act" name="act" value="rematch" { "Rematch" }
                button.option type="submit" form="act" name="act" value="swap" { "Rematch with the other deck" }
                a.option href="moment/0" { "Watch it again" }
                a.option href="record.json" download="duel.json" { "Save the record" }
            }
        }
    }
}
