//! Pairs that are played again, because of them only the numbers were kept.

use std::path::Path;

use anyhow::{Context as _, bail};
use cw_sim::{DuelPlan, Oddity, Pair, Total};

use crate::cannot_write;
use crate::contestant::{Contestant, Seated};
use crate::crew::MachineSettings;
use crate::play::record;

/// Plays pairs again: the same plan and players give the same choices.
#[derive(Debug)]
pub struct Again<'a> {
    plan: &'a DuelPlan,
    players: [Seated; 2],
}

impl<'a> Again<'a> {
    /// Lets the players of a plan sit down.
    ///
    /// # Errors
    /// If one cannot be started.
    pub fn of(
        plan: &'a DuelPlan,
        contestants: [&Contestant; 2],
        here: &MachineSettings<'_>,
    ) -> anyhow::Result<Again<'a>> {
        let [one, two] = contestants;
        let players = [
            one.seat(&plan.game, here.limits)?,
            two.seat(&plan.game, here.limits)?,
        ];
        Ok(Again { plan, players })
    }

    /// Plays a pair of the plan again, with all its choices.
    ///
    /// # Errors
    /// If it does not come out as it did: a player is not deterministic.
    pub fn play(&mut self, pair: &Pair) -> anyhow::Result<Pair> {
        let again = self.number(pair.number);
        let same = again.numbers() == pair.numbers();
        if !same {
            bail!(
                "pair {} did not come out as it did before: a player is not deterministic",
                pair.number
            );
        }
        Ok(again)
    }

    fn number(&mut self, number: u64) -> Pair {
        let [one, two] = &mut self.players;
        self.plan.play(number, one, two)
    }
}

/// Plays the first duels of each kind of oddity again, and writes them into the folder, as
/// [`play`](crate::play) does while it plays.
///
/// # Errors
/// If a player cannot be started, a duel has no such oddity any more, or something cannot be written.
pub fn write_oddities(
    plan: &DuelPlan,
    contestants: [&Contestant; 2],
    here: &MachineSettings<'_>,
    total: &Total,
    folder: &Path,
) -> anyhow::Result<()> {
    if total.oddities.iter().all(|(_, named)| named.is_empty()) {
        return Ok(());
    }
    let mut again = Again::of(plan, contestants, here)?;
    for (oddity, (_, named)) in Oddity::ALL.into_iter().zip(&total.oddities) {
        for (number, half) in named {
            here.watch.goes_on()?;
            let pair = again.number(*number);
            if !oddity.is_in(&pair.duels[*half]) {
                bail!("pair {number} did not come out as it did before: a player is not deterministic");
            }
            write_oddity(plan, &pair, *half, oddity, folder)?;
        }
    }
    Ok(())
}

/// Writes a duel as a record, named by its oddity, its pair and which of the two it is.
///
/// # Errors
/// If it cannot be written.
///
/// # Panics
/// As [`record`].
pub fn write_oddity(
    plan: &DuelPlan,
    pair: &Pair,
    half: usize,
    oddity: Oddity,
    folder: &Path,
) -> anyhow::Result<()> {
    let name = format!("{}-pair-{}-{}.json", oddity.name(), pair.number, half + 1);
    let path = folder.join(name);
    cw_files::write(&path, record(plan, pair, half).write().as_bytes()).with_context(|| cannot_write(&path))
}
