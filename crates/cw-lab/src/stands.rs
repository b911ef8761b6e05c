//! What each card wins, told by what comes of duels in which something else stands in its place.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use cw_balance::{CardComparison, CardReplacement, TriedCard, ordinary};
use cw_program::ModelId;
use cw_sim::DuelPlan;
use cw_stats::Changes;

use crate::contestant::Contestant;
use crate::crew::{Crew, MachineSettings};

/// A card and what it is compared with: itself without text, and the ordinary card of its type.
struct Stands {
    card: ModelId,
    blank: Option<CardComparison>,
    other: Option<(ModelId, CardComparison)>,
}

/// Replaces every card, pair by pair, by itself without text and by the ordinary card of its type.
///
/// # Errors
/// If a player cannot be started, or who looks on ends it.
pub fn replace_cards(
    plan: &DuelPlan,
    players: [&Contestant; 2],
    here: &MachineSettings<'_>,
    pairs: u64,
) -> anyhow::Result<BTreeMap<ModelId, TriedCard>> {
    let mut decks: Vec<&[ModelId]> = Vec::new();
    for deck in plan.matchups.iter().flat_map(|matchup| &matchup.decks.0) {
        if !decks.contains(&deck.as_slice()) {
            decks.push(deck);
        }
    }
    let mut cards: Vec<ModelId> = decks.iter().flat_map(|deck| deck.iter().copied()).collect();
    cards.sort_unstable();
    cards.dedup();
    let mut stands: Vec<Stands> = Vec::new();
    if pairs > 0 {
        for card in cards {
            let scripted = plan.game.model(card).program.is_some();
            let blank = scripted
                .then(|| CardComparison::of(plan, card, CardReplacement::Blank))
                .flatten();
            let other = ordinary(&plan.game, &decks, card);
            let other = other.and_then(|other| {
                Some((
                    other,
                    CardComparison::of(plan, card, CardReplacement::Other(other))?,
                ))
            });
            if blank.is_some() || other.is_some() {
                stands.push(Stands { card, blank, other });
            }
        }
    }
    let mut tried: BTreeMap<ModelId, TriedCard> = BTreeMap::new();
    let all = stands.len() as u64 * pairs;
    here.watch.begins(all);
    let stand_of = |at: u64| {
        usize::try_from(at / pairs)
            .ok()
            .and_then(|place| stands.get(place))
    };
    let crew = Crew {
        contestants: players,
        game: &plan.game,
        here: *here,
        timed: false,
    };
    let worked = crew.work(
        all,
        |at, one, two| {
            let Stands { blank, other, .. } = stand_of(at)?;
            let number = at % pairs;
            let base = blank.as_ref().or(other.as_ref().map(|(_, stand)| stand))?;
            let with_card = base.with_card(number, one, two);
            let without_text = blank.as_ref().map(|stand| stand.with_other(number, one, two));
            let with_other = other
                .as_ref()
                .map(|(_, stand)| stand.with_other(number, one, two));
            Some((with_card, without_text, with_other))
        },
        |at, came| {
            if let (Some((with_card, without_text, with_other)), Some(Stands { card, other, .. })) =
                (came, stand_of(at))
            {
                let tried = tried.entry(*card).or_default();
                if let Some(without) = without_text {
                    tried
                        .blank
                        .get_or_insert_with(Changes::default)
                        .add(without, with_card);
                }
                if let (Some(without), Some((other, _))) = (with_other, other) {
                    let (_, changes) = tried.ordinary.get_or_insert_with(|| (*other, Changes::default()));
                    changes.add(without, with_card);
                }
            }
            here.watch.done(at + 1, &|| "cards replaced".to_owned());
            Ok(ControlFlow::Continue(()))
        },
    );
    here.watch.ends();
    worked?;
    Ok(tried)
}
