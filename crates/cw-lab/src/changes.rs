//! What a patch would do.

use std::ops::ControlFlow;

use cw_balance::{Patch, PatchError, Versus, WhatIf};
use cw_duel::Game;
use cw_program::{CompiledRule, ModelId};
use cw_sim::{BLOCK, DuelPlan, Pair, Total};
use cw_stats::Changes;
use cw_syntax::{Arena, parse_rules};
use cw_text::{Severity, Sources};

use crate::contestant::Contestant;
use crate::crew::{Crew, MachineSettings};

/// The plan with all changes of a patch made.
///
/// # Errors
/// If a change names what is not there, or cannot be made, or its rule has an error.
pub fn changed(plan: &DuelPlan, patch: &Patch) -> Result<DuelPlan, PatchError> {
    patch.apply(plan, &compile)
}

/// Makes a rule of its text.
fn compile(game: &Game, card: ModelId, text: &str) -> Result<CompiledRule, String> {
    let names = cw_load::names(game);
    let whole = format!("[{}]\n{text}\n", game.model(card).id);
    let mut sources = Sources::new();
    let file = sources.add("rules", whole.as_str());
    let arena = Arena::new();
    let parsed = parse_rules(&arena, file, &whole);
    let mut found = parsed.diagnostics.clone();
    let mut rule = None;
    for one in &parsed.rules {
        let compiled = cw_program::compile(file, &whole, &one.rule, &names);
        found.extend(compiled.diagnostics);
        rule = Some(compiled.rule);
    }
    let error = found.iter().find(|finding| finding.severity == Severity::Error);
    match (error, rule) {
        (Some(error), _) => Err(format!("the rule has an error: {}", error.message)),
        (None, Some(rule)) => Ok(rule),
        (None, None) => Err("there is no rule in that text".to_owned()),
    }
}

/// What pairs played both ways came to.
pub(crate) struct Both {
    pub(crate) before: Total,
    pub(crate) after: Total,
    /// By matchup.
    pub(crate) changes: Vec<Changes>,
    pub(crate) first: Changes,
}

/// Plays so many pairs with and without the changes. Where the duels without them were played, they are
/// not played again.
pub(crate) fn both(
    player: &Contestant,
    here: &MachineSettings<'_>,
    versus: &Versus,
    pairs: u64,
    before: Option<&Total>,
) -> anyhow::Result<Both> {
    let plan = &versus.without;
    let mut both = Both {
        before: Total::of(plan),
        after: Total::of(&versus.with),
        changes: vec![Changes::default(); plan.matchups.len()],
        first: Changes::default(),
    };
    here.watch.begins(pairs);
    let crew = Crew {
        contestants: [player; 2],
        game: &versus.with.game,
        here: *here,
        timed: false,
    };
    let worked = crew.work(
        pairs.div_ceil(BLOCK),
        |block, one, two| {
            let numbers = block * BLOCK..((block + 1) * BLOCK).min(pairs);
            numbers
                .map(|number| versus.play(number, one, two))
                .collect::<Vec<[Pair; 2]>>()
        },
        |_, played| {
            for [without, with] in &played {
                let matchup =
                    usize::try_from(without.number % plan.matchups.len() as u64).unwrap_or_default();
                both.before.add(plan, without);
                both.after.add(&versus.with, with);
                both.changes[matchup].add(without.quarters(), with.quarters());
                both.first
                    .add(without.quarters_of_first(), with.quarters_of_first());
            }
            here.watch.done(both.before.results.pairs.number(), &|| {
                "with the changes".to_owned()
            });
            Ok(ControlFlow::Continue(()))
        },
    );
    here.watch.ends();
    worked?;
    debug_assert!(
        before.is_none_or(|before| before.results.pairs.number() != pairs || before == &both.before)
    );
    Ok(both)
}

/// Plays the plan with a patch; `total` is what it came to without.
pub(crate) fn play(
    player: &Contestant,
    here: &MachineSettings<'_>,
    plan: &DuelPlan,
    total: &Total,
    patch: &Patch,
) -> anyhow::Result<WhatIf> {
    let versus = Versus {
        without: plan.clone(),
        with: changed(plan, patch)?,
    };
    let both = both(player, here, &versus, plan.stop.most(), Some(total))?;
    let changes = patch.changes.iter().map(ToString::to_string).collect();
    Ok(WhatIf::of(
        plan,
        [&both.before, &both.after],
        &both.changes,
        &both.first,
        changes,
    ))
}
