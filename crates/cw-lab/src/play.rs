//! Playing a whole plan on this machine.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use cw_duel::Silent;
use cw_sim::{BLOCK, Detail, DuelPlan, Exchange, NAMED, Oddity, Pair, StopRule, Total};
use cw_wire::{Recorder, Replay};

use crate::again::write_oddity;
use crate::contestant::Contestant;
use crate::crew::{Crew, MachineSettings};
use crate::summary::CONFIDENCE;

/// How much is noted of each duel: what the cards did where somebody wants tables, and where the luck of the
/// draw is taken out, as it is where one player plays both sides.
pub fn detail(plan: &DuelPlan, tables: bool) -> Detail {
    match plan.exchange {
        Exchange::Turns => Detail::Cards,
        Exchange::Players if tables => Detail::Cards,
        Exchange::Players => Detail::Duel,
    }
}

/// Plays a plan until it wants no more, noting so much of each duel. `on_pair` is given every pair that
/// counts, in order; duels with oddities are written into the folder.
///
/// # Errors
/// If a player cannot be started, something cannot be written, `on_pair` fails, or who looks on ends it.
pub fn play(
    plan: &DuelPlan,
    contestants: [&Contestant; 2],
    here: &MachineSettings<'_>,
    detail: Detail,
    oddities: Option<&Path>,
    mut on_pair: impl FnMut(&Pair) -> anyhow::Result<()>,
) -> anyhow::Result<Total> {
    let mut total = Total::of(plan);
    let most = plan.stop.most();
    // By matchup: whether its pairs need not be played. The players look at it ahead of the sums, and what
    // they play too much is thrown away.
    let known: Vec<AtomicBool> = plan.matchups.iter().map(|_| AtomicBool::new(false)).collect();
    let crew = Crew {
        contestants,
        game: &plan.game,
        here: *here,
        timed: false,
    };
    here.watch.begins(most);
    let mut from = Some(0);
    let mut worked = Ok(());
    while let (Some(first), Ok(())) = (from.take(), &worked) {
        let crewed = crew.work(
            (most - first).div_ceil(BLOCK),
            |block, one, two| {
                let begins = first + block * BLOCK;
                let played = (begins..(begins + BLOCK).min(most)).map(|number| {
                    let is_known = known[plan.place(number)].load(Ordering::Relaxed);
                    let pair = (!is_known).then(|| plan.play_noting(detail, number, one, two));
                    (number, pair)
                });
                played.collect::<Vec<(u64, Option<Pair>)>>()
            },
            |_, pairs| {
                let mut flow = ControlFlow::Continue(());
                for (number, pair) in &pairs {
                    let more = match pair {
                        _ if !total.wants(plan, *number) => total.pass(plan, *number),
                        Some(pair) => {
                            on_pair(pair)?;
                            let more = total.add(plan, pair);
                            if let Some(folder) = oddities {
                                write_oddities(plan, pair, &total, folder)?;
                            }
                            more
                        }
                        // Its matchup was known, and is not any more: whoever passed over it begins here
                        // again.
                        None => {
                            from = Some(*number);
                            false
                        }
                    };
                    if !more {
                        flow = ControlFlow::Break(());
                        break;
                    }
                }
                for (place, known) in (0..).zip(&known) {
                    known.store(!total.wants(plan, place), Ordering::Relaxed);
                }
                here.watch
                    .done(total.results.pairs.number(), &|| leading(plan, &total));
                Ok(flow)
            },
        );
        worked = crewed.map(drop);
    }
    here.watch.ends();
    worked?;
    Ok(total)
}

/// What is known so far.
fn leading(plan: &DuelPlan, total: &Total) -> String {
    if let StopRule::Each { .. } = plan.stop {
        let known = (0..)
            .zip(&plan.matchups)
            .filter(|(place, _)| !total.wants(plan, *place));
        return format!("{} of {} matchups are known", known.count(), plan.matchups.len());
    }
    let interval = total.results.pairs.sequence(plan.stop.planned(), CONFIDENCE);
    let score = total.results.pairs.score();
    format!("{score:.3} [{:.3}, {:.3}]", interval.low, interval.high)
}

fn write_oddities(plan: &DuelPlan, pair: &Pair, total: &Total, folder: &Path) -> anyhow::Result<()> {
    for (half, duel) in pair.duels.iter().enumerate() {
        for (oddity, (_, named)) in Oddity::ALL.into_iter().zip(&total.oddities) {
            if oddity.is_in(duel) && named.len() <= NAMED && named.contains(&(pair.number, half)) {
                write_oddity(plan, pair, half, oddity, folder)?;
            }
        }
    }
    Ok(())
}

/// A duel of a pair that was just played, as a record.
///
/// # Panics
/// If the pair is none of the plan, or was read back from a file, which keeps no choices.
pub fn record(plan: &DuelPlan, pair: &Pair, half: usize) -> Replay {
    let played = &pair.duels[half];
    let decks = &plan.matchup(pair.number).decks;
    let mut recorder = Recorder::new(&plan.game, decks, pair.seed, Some(played.first));
    let mut duel = plan.duel(pair.number, half);
    for choice in &played.choices {
        let taken = recorder.answer(&mut duel, *choice, &mut Silent);
        taken.expect("it was taken in the same duel");
    }
    if let Some(quitter) = played.gave_up() {
        recorder.forfeit(&mut duel, quitter, &mut Silent);
    }
    recorder.replay().clone()
}
