//! Playing a whole plan on this machine.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use anyhow::Context;
use cw_sim::{BLOCK, NAMED, Oddity, Pair, Plan, Total};

use super::Here;
use crate::commands::arena::{cannot_write, record};
use crate::contestant::Contestant;
use crate::crew::{Bar, Crew};

/// How a plan is played.
pub(crate) struct How<'a> {
    pub here: &'a Here,
    /// Where duels with oddities are written.
    pub oddities: Option<&'a Path>,
}

/// Plays a plan until it wants no more. `on_pair` is given every pair that counts, in order.
pub(crate) fn all(
    plan: &Plan,
    contestants: [&Contestant; 2],
    how: &How<'_>,
    mut on_pair: impl FnMut(&Pair) -> anyhow::Result<()>,
) -> anyhow::Result<Total> {
    let mut total = Total::of(plan);
    let most = plan.stop.most();
    let crew = Crew {
        contestants,
        game: &plan.game,
        limits: how.here.limits(),
        threads: how.here.threads,
        timed: false,
    };
    let bar = Bar::new(most);
    crew.work(
        most.div_ceil(BLOCK),
        |block, one, two| {
            let pairs = block * BLOCK..((block + 1) * BLOCK).min(most);
            pairs
                .map(|number| plan.play(number, one, two))
                .collect::<Vec<Pair>>()
        },
        |_, pairs| {
            for pair in &pairs {
                on_pair(pair)?;
                let more = total.add(plan, pair);
                if let Some(folder) = how.oddities {
                    write_oddities(plan, pair, &total, folder)?;
                }
                if !more {
                    return Ok(ControlFlow::Break(()));
                }
            }
            bar.show(total.results.pairs.number(), || leading(plan, &total));
            Ok(ControlFlow::Continue(()))
        },
    )?;
    bar.clear();
    Ok(total)
}

/// What is known so far.
pub(crate) fn leading(plan: &Plan, total: &Total) -> String {
    let interval = total
        .results
        .pairs
        .sequence(plan.stop.planned(), super::report::CONFIDENCE);
    let score = total.results.pairs.score();
    format!("{score:.3} [{:.3}, {:.3}]", interval.low, interval.high)
}

fn write_oddities(plan: &Plan, pair: &Pair, total: &Total, folder: &Path) -> anyhow::Result<()> {
    for (half, duel) in pair.duels.iter().enumerate() {
        for (oddity, (_, named)) in Oddity::ALL.into_iter().zip(&total.oddities) {
            if oddity.is_in(duel) && named.len() <= NAMED && named.contains(&(pair.number, half)) {
                let path = folder.join(format!(
                    "{}-pair-{}-{}.json",
                    oddity.name(),
                    pair.number,
                    half + 1
                ));
                fs::write(&path, record(plan, pair, half).write()).with_context(|| cannot_write(&path))?;
            }
        }
    }
    Ok(())
}
