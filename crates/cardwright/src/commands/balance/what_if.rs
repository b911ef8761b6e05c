//! What a patch would do.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use anyhow::Context;
use cw_balance::{Patch, PatchError, Versus, WhatIf};
use cw_duel::Game;
use cw_lab::{Crew, Watch as _};
use cw_program::{ModelId, Rule};
use cw_sim::{BLOCK, Pair, Plan, Total};
use cw_stats::Changes;
use cw_syntax::{Arena, parse_rules};
use cw_text::{Severity, Sources};

use super::Args;
use crate::progress::Terminal;

pub(super) fn read(path: &Path) -> anyhow::Result<Patch> {
    let shown = path.display();
    let text = fs::read_to_string(path).with_context(|| format!("cannot read “{shown}”"))?;
    Patch::read(&text).with_context(|| format!("“{shown}” cannot be used"))
}

pub(super) fn refused(args: &Args, why: &PatchError) -> anyhow::Error {
    let path = args.what_if.as_deref().unwrap_or(Path::new(""));
    anyhow::anyhow!("“{}” cannot be used: {why}", path.display())
}

/// Makes a rule of its text.
pub(super) fn compile(game: &Game, card: ModelId, text: &str) -> Result<Rule, String> {
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
pub(super) struct Both {
    pub before: Total,
    pub after: Total,
    /// By matchup.
    pub changes: Vec<Changes>,
    pub first: Changes,
}

/// Plays so many pairs with and without the changes. Where the duels without them were played, they are
/// not played again.
pub(super) fn both(args: &Args, versus: &Versus, pairs: u64, before: Option<&Total>) -> anyhow::Result<Both> {
    let plan = &versus.without;
    let mut both = Both {
        before: Total::of(plan),
        after: Total::of(&versus.with),
        changes: vec![Changes::default(); plan.matchups.len()],
        first: Changes::default(),
    };
    let terminal = Terminal::default();
    terminal.begins(pairs);
    let crew = Crew {
        contestants: [&args.players; 2],
        game: &versus.with.game,
        here: args.here.with(&terminal),
        timed: false,
    };
    crew.work(
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
            terminal.done(both.before.results.pairs.number(), &|| {
                "with the changes".to_owned()
            });
            Ok(ControlFlow::Continue(()))
        },
    )?;
    terminal.ends();
    debug_assert!(
        before.is_none_or(|before| before.results.pairs.number() != pairs || before == &both.before)
    );
    Ok(both)
}

/// Plays the plan with a patch.
pub(super) fn play(args: &Args, plan: &Plan, total: &Total, patch: &Patch) -> anyhow::Result<WhatIf> {
    let with = patch.apply(plan, &compile).map_err(|why| refused(args, &why))?;
    let versus = Versus {
        without: plan.clone(),
        with,
    };
    let both = both(args, &versus, plan.stop.most(), Some(total))?;
    let changes = patch.changes.iter().map(ToString::to_string).collect();
    Ok(WhatIf::of(
        plan,
        [&both.before, &both.after],
        &both.changes,
        &both.first,
        changes,
    ))
}
