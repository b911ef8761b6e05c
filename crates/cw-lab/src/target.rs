//! Looking for a few small changes that bring the figures to where they are wanted.

use std::collections::BTreeMap;

use cw_balance::{Patch, PatchChange, Suggestion, Versus, WhatIf};
use cw_duel::Seat;
use cw_players::mix;
use cw_program::ModelId;
use cw_sim::{DuelPlan, StopRule, Total};

use crate::changes::{both, changed};
use crate::contestant::Contestant;
use crate::crew::MachineSettings;

/// Changes that are made at most.
const ROUNDS: usize = 4;
/// Cards of the strongest and of the weakest deck that are tried.
const CARDS: usize = 4;
/// Pairs of each matchup that a change is tried on.
const PAIRS: u64 = 30;

/// Reads how far from even a game may be, `50±3` or `50+-3` in per cent, as a share: 0.03.
///
/// # Errors
/// If it is something else, with what it should be.
pub fn wanted(text: &str) -> Result<f64, String> {
    let parts = text
        .split_once('±')
        .or_else(|| text.split_once("+-"))
        .or_else(|| text.split_once("+/-"));
    let number = |text: &str| text.trim().trim_end_matches('%').trim().parse::<f64>().ok();
    match parts.map(|(middle, tolerance)| (number(middle), number(tolerance))) {
        Some((Some(50.0), Some(tolerance))) if tolerance > 0.0 && tolerance < 50.0 => Ok(tolerance / 100.0),
        Some((Some(_), Some(_))) => {
            Err("only 50 can be wanted, as in 50±3: what one side gets, the other loses".to_owned())
        }
        _ => Err("per cent and how far from it, as in 50±3".to_owned()),
    }
}

/// Scores of all matchups, and of going first.
#[derive(Clone)]
struct Scores {
    matchups: Vec<f64>,
    /// Which of them are a deck against itself: that is even, whatever the cards are, but for luck.
    mirrors: Vec<bool>,
    first: f64,
}

impl Scores {
    fn all(&self) -> impl Iterator<Item = f64> {
        let matchups = self.matchups.iter().zip(&self.mirrors);
        let apart = matchups.filter(|(_, is_mirror)| !**is_mirror);
        apart.map(|(score, _)| *score).chain([self.first])
    }

    fn worst(&self) -> f64 {
        self.all().map(|score| (score - 0.5).abs()).fold(0.0, f64::max)
    }

    /// What is to be made small: how far outside, the far ones counting more.
    fn outside(&self, tolerance: f64) -> f64 {
        let far = self
            .all()
            .map(|score| ((score - 0.5).abs() - tolerance * 0.7).max(0.0));
        far.map(|far| far * far).sum()
    }
}

/// Tries small changes one after the other, keeps the best of each round, and plays what was found on
/// fresh seeds.
pub(crate) fn search(
    player: &Contestant,
    here: &MachineSettings<'_>,
    plan: &DuelPlan,
    total: &Total,
    tolerance: f64,
) -> anyhow::Result<Suggestion> {
    let scores = |total: &Total| Scores {
        matchups: total
            .matchups
            .iter()
            .map(|sums| sums.results.pairs.score())
            .collect(),
        mirrors: plan
            .matchups
            .iter()
            .map(|matchup| matchup.names.0[0] == matchup.names.0[1])
            .collect(),
        first: total.firsts.score(),
    };
    let mut now = scores(total);
    let mut patch = Patch::default();
    let mut attempts = 0;
    let mut current = plan.clone();
    let pairs = (PAIRS * plan.matchups.len() as u64).min(plan.stop.most());
    for round in 0..ROUNDS {
        if now.worst() <= tolerance {
            break;
        }
        let mut best: Option<(f64, PatchChange, Scores)> = None;
        for change in candidates(&current, &now, tolerance) {
            let one = Patch {
                changes: vec![change.clone()],
            };
            let Ok(with) = changed(&current, &one) else {
                continue;
            };
            // The plan is tried on other seeds in each round, so that luck is not kept.
            let seed = mix(&[plan.seed, 0x7461_7267, round as u64]);
            attempts += 1;
            let versus = Versus {
                without: DuelPlan {
                    seed,
                    ..current.clone()
                },
                with: DuelPlan { seed, ..with },
            };
            let tried = both(player, here, &versus, pairs, None)?;
            let moved = Scores {
                matchups: now
                    .matchups
                    .iter()
                    .zip(&tried.changes)
                    .map(|(score, change)| score + change.mean())
                    .collect(),
                mirrors: now.mirrors.clone(),
                first: now.first + tried.first.mean(),
            };
            let outside = moved.outside(tolerance);
            if best.as_ref().is_none_or(|(least, ..)| outside < *least) {
                best = Some((outside, change, moved));
            }
        }
        let Some((outside, change, moved)) = best else {
            break;
        };
        if outside >= now.outside(tolerance) * 0.97 {
            break;
        }
        here.watch.note(&format!("target: {change}"));
        let one = Patch {
            changes: vec![change.clone()],
        };
        current = changed(&current, &one)?;
        patch.changes.push(change);
        now = moved;
    }
    // Several steps of one number are one change.
    patch.changes = joined(patch.changes);
    let seed = mix(&[plan.seed, 0x7072_6f6f]);
    let fresh = |plan: &DuelPlan| DuelPlan {
        seed,
        stop: StopRule::After(plan.stop.most()),
        ..plan.clone()
    };
    let versus = Versus {
        without: fresh(plan),
        with: fresh(&current),
    };
    let played = both(player, here, &versus, plan.stop.most(), None)?;
    let changes: Vec<String> = patch.changes.iter().map(ToString::to_string).collect();
    let proof = WhatIf::of(
        plan,
        [&played.before, &played.after],
        &played.changes,
        &played.first,
        changes.clone(),
    );
    // Both on duels that had no part in the search: there the first figure was what made it look.
    let (before, after) = (scores(&played.before).worst(), proof.worst());
    Ok(Suggestion {
        wanted: tolerance,
        tried: attempts,
        changes,
        worst: [before, after],
        reached: after <= tolerance,
        proof,
    })
}

/// Steps of one number as one change: the last one.
fn joined(changes: Vec<PatchChange>) -> Vec<PatchChange> {
    let key = |change: &PatchChange| {
        (
            change.card.clone(),
            change.property.clone(),
            change.constant.clone(),
        )
    };
    let mut joined: Vec<PatchChange> = Vec::new();
    for change in changes {
        joined.retain(|other| key(other) != key(&change));
        joined.push(change);
    }
    joined
}

/// Small changes that may help: cards of the strongest deck made weaker and of the weakest made stronger,
/// those first that few other decks have; and, where going first is what is off, numbers of the game.
fn candidates(plan: &DuelPlan, scores: &Scores, tolerance: f64) -> Vec<PatchChange> {
    let mut decks: BTreeMap<&str, (&[ModelId], f64, u32)> = BTreeMap::new();
    for (matchup, score) in plan.matchups.iter().zip(&scores.matchups) {
        for seat in Seat::BOTH {
            let of_seat = if seat == Seat::One { *score } else { 1.0 - score };
            let entry = decks
                .entry(&matchup.names[seat])
                .or_insert((&matchup.decks[seat], 0.0, 0));
            entry.1 += of_seat;
            entry.2 += 1;
        }
    }
    let mean = |(_, sum, number): &(&[ModelId], f64, u32)| sum / f64::from(*number);
    let mut ranked: Vec<_> = decks.values().collect();
    ranked.sort_by(|one, two| mean(one).total_cmp(&mean(two)));
    let mut changes = Vec::new();
    let (Some(weakest), Some(strongest)) = (ranked.first(), ranked.last()) else {
        return changes;
    };
    for ((deck, ..), up) in [(weakest, true), (strongest, false)] {
        let mut cards: Vec<ModelId> = deck.to_vec();
        cards.sort_unstable();
        cards.dedup();
        cards.retain(|card| plan.game.model(*card).is_character());
        let copies = |deck: &[ModelId], card: ModelId| deck.iter().filter(|other| **other == card).count();
        let elsewhere = |card: ModelId| -> usize { ranked.iter().map(|(deck, ..)| copies(deck, card)).sum() };
        // Own copies against all copies.
        cards.sort_by_key(|card| (elsewhere(*card) * 10 / copies(deck, *card).max(1), *card));
        for card in cards.into_iter().take(CARDS) {
            let model = plan.game.model(card);
            let numbers = match up {
                true => [("bp", model.bp + 100), ("sp", model.sp + 1)],
                false => [("bp", (model.bp - 100).max(100)), ("sp", model.sp - 1)],
            };
            changes.extend(numbers.into_iter().map(|(property, to)| PatchChange {
                card: Some(model.name.to_string()),
                property: Some(property.to_owned()),
                to: Some(to),
                ..PatchChange::default()
            }));
        }
    }
    if (scores.first - 0.5).abs() > tolerance {
        let constants = &plan.game.constants;
        let hp = constants.hp;
        for (name, to) in [
            ("hp", hp + hp / 6),
            ("hp", hp - hp / 6),
            ("opening-hand", i32::from(constants.opening_hand) + 1),
            ("sp", constants.sp + 2),
            ("backup-bp", constants.backup_bp - 50),
            ("backup-bp", constants.backup_bp + 50),
        ] {
            changes.push(PatchChange {
                constant: Some(name.to_owned()),
                to: Some(to),
                ..PatchChange::default()
            });
        }
    }
    changes
}

#[cfg(test)]
mod tests {
    use super::Scores;

    /// What a deck scores against itself is luck, and no change makes it even.
    #[test]
    fn a_deck_against_itself_is_no_target() {
        let scores = Scores {
            matchups: vec![0.9, 0.52],
            mirrors: vec![true, false],
            first: 0.5,
        };
        assert!((scores.worst() - 0.02).abs() < 1e-9);
        assert!(scores.outside(0.05) < 1e-9);
    }
}
