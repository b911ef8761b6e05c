//! Every word the page says by itself, in one place. What happened and what is asked comes from
//! `cw_words`; here is what buttons say.

use cw_duel::{CardId, Choice, Decision, Phase, Question, Reason, Seat, View};
use cw_program::{CardType, Keyword, PileName, Word};
use cw_words::Reader;

/// What a button for this choice says. Equal words mean equal consequences.
pub(crate) fn option(reader: Reader<'_>, decision: &Decision, view: &View, choice: Choice) -> String {
    let name = |card: CardId| reader.card(card);
    match choice {
        Choice::Pass => pass(decision, view).into(),
        Choice::Play(card) => format!("Play {}{}", name(card), price(reader, card)),
        Choice::BackUp(card) => format!("Back up with {}", name(card)),
        Choice::Activate(card) => match ability_name(reader, view, card) {
            Some(ability) => format!("{}: ■ {ability}", name(card)),
            None => format!("Use the ability of {}", name(card)),
        },
        Choice::Attack(card) => format!("Attack with {}", name(card)),
        Choice::Join(card) => format!("{} joins a United Attack", name(card)),
        Choice::CancelAttack(card) => format!("Call {} back", name(card)),
        Choice::Block(card) => format!("Counter with {}", name(card)),
        Choice::CancelBlock(card) => format!("Do not counter with {}", name(card)),
        Choice::Slot(slot) => format!("Slot {}", slot + 1),
        Choice::Card(card) => name(card),
        Choice::Yes => "Yes".into(),
        Choice::No => "No, leave it".into(),
        Choice::Top => "On top of the deck".into(),
        Choice::Bottom => "At the bottom of the deck".into(),
        Choice::Done => "Done choosing".into(),
        Choice::Decline => "Take it back".into(),
        Choice::Action(_) => action(reader, decision, choice),
        Choice::Copy(_)
        | Choice::Player(_)
        | Choice::Zone(_)
        | Choice::Type(_)
        | Choice::Heads
        | Choice::Tails => capital(&cw_words::choice(reader, decision, choice)),
    }
}

/// R307: a label of its own, or what the action does.
fn action(reader: Reader<'_>, decision: &Decision, choice: Choice) -> String {
    capital(&cw_words::choice(reader, decision, choice))
}

#[expect(clippy::wildcard_enum_match_arm, reason = "only the phases end by passing")]
fn pass(decision: &Decision, view: &View) -> &'static str {
    match decision.question {
        Question::Main => "End the Main phase",
        Question::Attack
            if view.players[decision.seat]
                .ring
                .iter()
                .flatten()
                .any(|fighter| fighter.attacks) =>
        {
            "Attack!"
        }
        Question::Attack => "Do not attack",
        Question::CounterAttack if view.blocks.is_empty() => "Let them through",
        Question::CounterAttack => "Done, fight",
        _ => "Pass",
    }
}

fn price(reader: Reader<'_>, card: CardId) -> String {
    let model = reader.seat.and_then(|seat| reader.duel.known_model(seat, card));
    match model.map(|model| reader.game().model(model).sp) {
        Some(0) | None => String::new(),
        Some(sp) => format!(" ({} SP)", cw_words::signed(sp)),
    }
}

fn ability_name<'a>(reader: Reader<'a>, view: &View, card: CardId) -> Option<&'a str> {
    let rings = Seat::BOTH.into_iter().flat_map(|seat| &view.players[seat].ring);
    let found = rings.flatten().find(|fighter| fighter.card == card)?;
    let ability = reader.game().model(found.ability?).ability.as_ref()?;
    (!ability.name.is_empty()).then_some(&ability.name)
}

/// The first letter large.
pub(crate) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// A phase on the ribbon.
pub(crate) fn phase(phase: Phase) -> &'static str {
    if phase == Phase::CounterAttack {
        "Counter"
    } else {
        phase.name()
    }
}

/// A pile as a heading.
pub(crate) fn pile(pile: PileName) -> &'static str {
    match pile {
        PileName::Hand => "Hand",
        PileName::Deck => "Deck",
        PileName::Discards => "Discards",
        PileName::Removed => "Removed",
    }
}

/// What a player's type of card is called.
pub(crate) fn card_type(card_type: Option<CardType>) -> &'static str {
    match card_type {
        Some(CardType::Character) => "character",
        Some(CardType::Action) => "action",
        Some(CardType::Reaction) => "reaction",
        None => "cannot be played",
    }
}

/// How a duel ended, from this seat.
pub(crate) fn reason(reason: Reason, won: bool) -> &'static str {
    match (reason, won) {
        (Reason::Hp, true) => "The opponent has no HP left.",
        (Reason::Hp, false) => "You have no HP left.",
        (Reason::DeckOut, true) => "The opponent had to draw and could not.",
        (Reason::DeckOut, false) => "You had to draw and could not.",
        (Reason::Forfeit, true) => "The opponent gave up.",
        (Reason::Forfeit, false) => "You gave up.",
    }
}

/// A keyword with what it means.
pub(crate) fn keyword(keyword: Keyword) -> String {
    format!("{}: {}.", keyword.word(), keyword.meaning())
}

/// Words of card texts that need a reminder.
const REMINDERS: [(&str, &str); 9] = [
    (
        "fresh",
        "Fresh: entered this turn. It cannot attack or use a trigger ability.",
    ),
    (
        "freeze",
        "Frozen: it cannot attack, counter or use a trigger ability until it unfreezes.",
    ),
    (
        "frozen",
        "Frozen: it cannot attack, counter or use a trigger ability until it unfreezes.",
    ),
    (
        "back up",
        "Back-up: a character card put under another from the hand; it gives BP.",
    ),
    (
        "united attack",
        "United Attack: up to three attack as one; only the leader can be countered.",
    ),
    (
        "pierce",
        "Piercing: what is left over the blocker's BP hits the player.",
    ),
    (
        "counter",
        "Counter: one blocker for an attack; both deal their BP.",
    ),
    ("ko", "KO: a character with 0 BP goes to the discard pile."),
    (
        "auto abilit",
        "Auto ●: works by itself, but not during a United Attack.",
    ),
];

/// Reminders for a card's text, each once.
pub(crate) fn reminders(text: &str) -> Vec<&'static str> {
    let text = text.to_lowercase();
    let mut found = Vec::new();
    for (word, reminder) in REMINDERS {
        if text.contains(word) && !found.contains(&reminder) {
            found.push(reminder);
        }
    }
    found
}

/// What the three symbols mean.
pub(crate) fn ability(kind: cw_duel::AbilityKind) -> &'static str {
    match kind {
        cw_duel::AbilityKind::Instant => "▲ Instant: once, when it is played.",
        cw_duel::AbilityKind::Triggered => "■ Trigger: in your Main phase, if neither fresh nor frozen.",
        cw_duel::AbilityKind::Auto => "● Auto: by itself, while it is in the ring.",
    }
}
