//! What was shown to a seat without a choice: reveals, looks into decks, coins, searches that found
//! nothing (G267–G274). Cards stay on the table until the seat puts them away, sentences until its next
//! choice; all of it is in the log for good.

use cw_duel::{CardId, DuelEvent, Seat, StepResult, ZoneKind, ZoneLocation};
use cw_program::{ModelId, PileName};

use crate::labels;
use crate::scene::SeatScene;

/// One thing that was shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Shown {
    /// At which step.
    pub(crate) step: usize,
    pub(crate) words: String,
    pub(crate) cards: Vec<ModelId>,
}

/// The pile in which cards were, if it was one, and the cards.
type ShownGroup = (Option<(Seat, PileName)>, Vec<ModelId>);

/// Things that are shown at once; older ones are in the log.
const MOST: usize = 4;

/// What the seat has not put away, the newest last.
pub(crate) fn shown(scene: &SeatScene<'_>) -> Vec<Shown> {
    let turn = scene.view.turn;
    let from = match scene.live {
        true => scene.table.seats[scene.seat].dismissed + 1,
        false => scene.at,
    };
    let mut found = Vec::new();
    for at in (from..=scene.at).rev() {
        let step = &scene.table.steps()[at];
        if step.turn + 1 < turn || found.len() >= MOST {
            break;
        }
        let mut here = of_step(scene, at);
        // A sentence is read when the next choice is made; cards are looked at again.
        if scene.live && scene.table.has_chosen_since(scene.seat, at) {
            here.retain(|shown| !shown.cards.is_empty());
        }
        here.reverse();
        found.extend(here);
    }
    found.truncate(MOST);
    found.reverse();
    found
}

fn of_step(scene: &SeatScene<'_>, at: usize) -> Vec<Shown> {
    let (step, events) = (&scene.table.steps()[at], scene.events_of(at));
    if !events.iter().any(may_show) {
        return Vec::new();
    }
    let duel = scene.table.duel_at(at);
    let (seat, reader) = (
        scene.seat,
        cw_words::EventReader {
            duel: &duel,
            seat: Some(scene.seat),
        },
    );
    let mut found: Vec<Shown> = Vec::new();
    let mut seen: Vec<CardId> = Vec::new();
    // By where they were.
    let mut groups: Vec<ShownGroup> = Vec::new();
    let mut collect = |from: Option<ZoneLocation>, model: Option<ModelId>| {
        let from = from.and_then(|from| match from.zone {
            ZoneKind::Pile(pile) => Some((from.seat, pile)),
            _ => None,
        });
        // One's own hand is no news to anybody here.
        let Some(model) = model.filter(|_| from != Some((seat, PileName::Hand))) else {
            return;
        };
        match groups.iter_mut().find(|(place, _)| *place == from) {
            Some((_, cards)) => cards.push(model),
            None => groups.push((from, vec![model])),
        }
    };
    let mut say = |words: String, cards: Vec<ModelId>| {
        found.push(Shown {
            step: at,
            words,
            cards,
        });
    };
    for (place, event) in events.iter().enumerate() {
        match *event {
            DuelEvent::Shown { card } if !seen.contains(&card.card) => {
                seen.push(card.card);
                let from = cw_words::place_when_shown(&duel, &step.events[place + 1..], card.card);
                collect(from, card.model(seat));
            }
            DuelEvent::Moved { card, from, to, .. }
                if is_revealed(seat, from, to) && !seen.contains(&card.card) =>
            {
                seen.push(card.card);
                collect(Some(from), card.model(seat));
            }
            DuelEvent::Rolled { coin: true, .. } | DuelEvent::Looked { .. } => {
                let words = cw_words::event(reader, event).unwrap_or_default();
                say(labels::calling(&words, &scene.other()), Vec::new());
            }
            // Only who runs the search learns that nothing matched.
            DuelEvent::Step {
                source,
                result: StepResult::NoTargets,
                ..
            } if step.by == Some(seat) && came_to_nothing(events, source.card) => {
                say(labels::nothing_matches(&reader.seen(source)), Vec::new());
            }
            _ => {}
        }
    }
    for (from, cards) in groups {
        let words = from.map_or_else(
            || labels::SHOWN.to_owned(),
            |(whose, pile)| labels::shown(whose == seat, pile, &scene.other()),
        );
        say(words, cards);
    }
    found
}

/// Whether an event is of a kind that may show something.
fn may_show(event: &DuelEvent) -> bool {
    matches!(
        event,
        DuelEvent::Shown { .. }
            | DuelEvent::Moved { .. }
            | DuelEvent::Rolled { .. }
            | DuelEvent::Looked { .. }
            | DuelEvent::Step { .. }
    )
}

/// A card of the opponent on its way between hidden zones, or of anybody's deck into view.
fn is_revealed(seat: Seat, from: ZoneLocation, to: ZoneLocation) -> bool {
    let hand = ZoneKind::Pile(PileName::Hand);
    let deck = ZoneKind::Pile(PileName::Deck);
    (from.zone == deck && to.zone == hand && to.seat != seat)
        || (from.zone == hand && to.zone == deck && from.seat != seat)
}

/// Whether the card ended without success and without any effect.
fn came_to_nothing(events: &[DuelEvent], wanted: CardId) -> bool {
    events
        .iter()
        .any(|event| matches!(event, DuelEvent::Unresolved { card, worked: false } if card.card == wanted))
}
