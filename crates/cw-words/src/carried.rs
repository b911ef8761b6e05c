//! A change of the game while a duel goes on, in words. Nothing here names a card that only one player knows.

use cw_duel::{CarryFault, CarryNote, Game, GameChange, PrintedChange, Seat};
use cw_program::ModelId;

/// What has changed from one version of a game to the next, a sentence for each card.
pub fn changes(change: &GameChange) -> Vec<String> {
    let (old, new) = (change.old(), change.new_game());
    let mut told: Vec<String> = Vec::new();
    for (number, card) in change.cards() {
        let Some(now) = change.number(number) else {
            continue;
        };
        let (before, after) = (old.model(number), new.model(now));
        let mut parts: Vec<String> = card
            .printed
            .iter()
            .map(|what| match what {
                PrintedChange::Name => format!("was called “{}”", before.name),
                PrintedChange::Type => "another type".to_owned(),
                PrintedChange::Subtype => "another subtype".to_owned(),
                PrintedChange::Bp { from, to } => format!("{from} BP → {to}"),
                PrintedChange::Sp { from, to } => format!("{from} SP → {to}"),
                PrintedChange::Ability => "another ability".to_owned(),
                PrintedChange::Backups => "other back-up icons".to_owned(),
                PrintedChange::Text => "another text".to_owned(),
            })
            .collect();
        if card.rule {
            parts.push(
                match (before.program.is_some(), after.program.is_some()) {
                    (false, _) => "a rule",
                    (true, false) => "no rule any more",
                    (true, true) => "another rule",
                }
                .to_owned(),
            );
        }
        told.push(format!("“{}”: {}", after.name, parts.join(", ")));
    }
    for number in change.added() {
        told.push(format!("“{}” is new", new.model(*number).name));
    }
    for number in change.gone() {
        told.push(format!("“{}” is gone", old.model(number).name));
    }
    if change.has_other_numbers() {
        told.push(
            "numbers of the game have changed; those of the beginning count from the next duel on".to_owned(),
        );
    }
    told
}

/// Something that could not simply be carried over; `game` is the new version.
pub fn carry_note(note: CarryNote, game: &Game) -> String {
    let name = |card: ModelId| &game.model(card).name;
    match note {
        CarryNote::Bp { card, from, to } => {
            format!(
                "“{}” keeps its damage: {from} BP in the ring are now {to}",
                name(card)
            )
        }
        CarryNote::BpKept { card } => format!(
            "“{}” keeps its BP in the ring: with its new printed BP it would have been KOed",
            name(card)
        ),
        CarryNote::NotEnteredAgain { card } => format!(
            "“{}” has entered already: what its new rule does on entering is not done",
            name(card)
        ),
        CarryNote::DelayedLost { card } => format!(
            "what “{}” would still have done is dropped: its rule is another one",
            name(card)
        ),
    }
}

/// Why a duel cannot go on under the new version, and what can be done.
pub fn carry_fault(fault: &CarryFault, change: &GameChange) -> String {
    let new = |card: &ModelId| &change.new_game().model(*card).name;
    match fault {
        CarryFault::Inside => {
            "the duel began in the middle of an effect, and there is nothing before it to go back to"
                .to_owned()
        }
        CarryFault::Gone { seen, hidden } => {
            let mut names: Vec<String> = seen
                .iter()
                .map(|card| format!("“{}”", change.old().model(*card).name))
                .collect();
            names.dedup();
            let others = match names.is_empty() {
                true => "a card that not everybody sees",
                false => "another card that not everybody sees",
            };
            if *hidden {
                names.push(others.to_owned());
            }
            format!(
                "this duel is played with cards that are gone: {}",
                names.join(", ")
            )
        }
        CarryFault::NotACharacter(card) => {
            format!("“{}” is in a ring and is no longer a character", new(card))
        }
        CarryFault::Slots(seat) => format!(
            "the ring of player {} has a character beyond the {} slots that a ring has now",
            number(*seat),
            change.new_game().constants.ring_slots
        ),
        CarryFault::United => "the United Attack has more members than are allowed now".to_owned(),
        CarryFault::Limits(error) => error.to_string(),
        CarryFault::TooMuch => {
            "more changes and listeners would be in force than the engine holds".to_owned()
        }
    }
}

fn number(seat: Seat) -> usize {
    seat.index() + 1
}
