//! A step cut into moments. A fight comes of one choice, and everything in it happens at once for the rules'
//! sake of who decides; people want to see each blow. The states between are those of the duel itself.

use std::ops::Range;

use cw_duel::{ChangeCause, Duel, DuelEvent};

use crate::table::DuelTable;

/// A moment of a step: what happens in it, and the duel after it.
#[derive(Debug)]
pub struct Beat {
    /// Its events among those of the step.
    pub(crate) events: Range<usize>,
    pub(crate) duel: Duel,
}

/// The moments of a step, in order; empty if it is one moment as a whole. The last one ends with the step.
///
/// No moment holds more than one blow, KO or change of a player's HP. What a card does in a fight has a
/// moment of its own, too.
pub fn beats(table: &DuelTable, at: usize) -> Vec<Beat> {
    let step = &table.steps()[at];
    let Some(choice) = step.choice.filter(|_| at > 0 && may_be_cut(&step.events)) else {
        return Vec::new();
    };
    let Ok(states) = table.duel_at(at - 1).course(choice) else {
        return Vec::new();
    };
    let all = step.events.len();
    let known: Vec<usize> = states.iter().map(|(told, _)| *told).collect();
    let mut ends = cuts(&step.events, &known);
    if ends.is_empty() || known.last() != Some(&all) {
        return Vec::new();
    }
    ends.push(all);
    let mut from = 0;
    let mut states = states.into_iter();
    let beats = ends.into_iter().filter_map(|end| {
        let (_, duel) = states.find(|(told, _)| *told == end)?;
        let events = std::mem::replace(&mut from, end)..end;
        Some(Beat { events, duel })
    });
    beats.collect()
}

/// After how many events a moment ends and another one follows, of the places where the state is `known`.
fn cuts(events: &[DuelEvent], known: &[usize]) -> Vec<usize> {
    let mut ends = Vec::new();
    let mut fights = false;
    // Behind what the moment holds already, if it holds something to look at.
    let mut filled: Option<usize> = None;
    for (at, event) in events.iter().enumerate() {
        fights = (fights || matches!(event, DuelEvent::Fought { .. }))
            && !matches!(event, DuelEvent::TurnBegan { .. });
        if let Some(from) = filled.filter(|_| begins(event, fights)) {
            let end = known.iter().rev().find(|told| (from..=at).contains(*told));
            if let Some(end) = end {
                ends.push(*end);
                filled = None;
            }
        }
        if is_blow(event) || acts(event) && fights {
            filled = Some(at + 1);
        }
    }
    ends
}

/// Whether the step may have several moments: most have not, and their states are not asked for.
fn may_be_cut(events: &[DuelEvent]) -> bool {
    let mut blows = events.iter().filter(|event| is_blow(event) || acts(event));
    blows.next().is_some() && events.iter().filter(|event| begins(event, true)).nth(1).is_some()
}

/// A blow of a fight, a KO, or a change of a player's HP.
pub(crate) fn is_blow(event: &DuelEvent) -> bool {
    match event {
        DuelEvent::Bp { from, to, cause, .. } => {
            matches!(cause, ChangeCause::Combat(_) | ChangeCause::Piercing(_)) && to < from
        }
        DuelEvent::Hp { from, to, .. } => from != to,
        DuelEvent::KnockedOut { .. } => true,
        _ => false,
    }
}

/// What a card does.
fn acts(event: &DuelEvent) -> bool {
    matches!(event, DuelEvent::Triggered { .. } | DuelEvent::Activated { .. })
}

/// What does not belong to the moment before it.
fn begins(event: &DuelEvent, fights: bool) -> bool {
    is_blow(event)
        || acts(event) && fights
        || matches!(
            event,
            DuelEvent::Fought { .. } | DuelEvent::TurnBegan { .. } | DuelEvent::Ended { .. }
        )
}
