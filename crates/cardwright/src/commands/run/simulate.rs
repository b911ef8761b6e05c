//! Many runs by computers: does the way get steeper as it was meant to?

use std::process::ExitCode;
use std::sync::Arc;

use anyhow::bail;
use cw_bot::BotLimits;
use cw_lab::{ContestantKind, MachineSettings, RunSurvival, rounded, simulate_runs};
use cw_load::Loaded;
use cw_run::{RunBook, RunSeed};
use serde_json::json;

use super::Args;
use crate::game;
use crate::output::{count, raw, say};
use crate::progress::Terminal;

/// How far a share may lie from the one that is meant.
const WITHIN: f64 = 0.03;

pub(super) fn run(loaded: &Loaded, book: &Arc<RunBook>, runs: u64, args: &Args) -> anyhow::Result<ExitCode> {
    if !matches!(args.player.kind, ContestantKind::Level(_)) {
        bail!("simulated runs are played by a level, as in `--player normal`");
    }
    let first_seed = match args.seed {
        None => 1,
        Some(RunSeed::Number(number)) => number,
        Some(RunSeed::Day(_)) => {
            bail!("simulated runs have numbers as seeds, each one more than the last; a date is one run")
        }
    };
    let terminal = Terminal::default();
    let here = MachineSettings {
        threads: args.threads,
        limits: BotLimits::default(),
        watch: &terminal,
    };
    let survival = simulate_runs(book, &args.player, runs, first_seed, &game::lists(loaded), &here)?;
    match args.json {
        true => raw(&format!("{}\n", json_of(book, &survival, first_seed, args))),
        false => print(book, &survival, first_seed, args),
    }
    Ok(ExitCode::SUCCESS)
}

/// How a share stands to the one that is meant.
fn verdict(survive: Option<u32>, survival: &RunSurvival, at: usize) -> &'static str {
    let Some(meant) = survive.map(|share| f64::from(share) / 100.0) else {
        return "";
    };
    let interval = survival.steps[at].interval(survival.runs);
    let (low, high) = (meant - WITHIN, meant + WITHIN);
    match (
        interval.low >= low && interval.high <= high,
        interval.high < low || interval.low > high,
    ) {
        (true, _) => "as meant",
        (_, true) => "otherwise",
        (false, false) => "too few runs to say",
    }
}

fn print(book: &RunBook, survival: &RunSurvival, first_seed: u64, args: &Args) {
    let runs = survival.runs;
    say!(
        "{}: {}, {} played by {}, seeds from {first_seed}; shares of all runs with 95 % intervals",
        book.game.name,
        book.name,
        count(runs, "run"),
        args.player
    );
    say!("step  past it  interval        meant  duels won  turns");
    for (at, step) in survival.steps.iter().enumerate() {
        let interval = step.interval(runs);
        let survive = book.steps[at].survive;
        let meant = survive.map_or_else(String::new, |share| format!("{share} %"));
        #[expect(clippy::cast_precision_loss, reason = "counts of turns are far below 2^52")]
        let turns = step.turns as f64 / step.duels.max(1) as f64;
        say!(
            "{:>4}  {:>5.1} %  {:>5.1}–{:>5.1} %  {meant:>7}  {:>7.1} %  {turns:>5.1}  {}",
            at + 1,
            step.share(runs) * 100.0,
            interval.low * 100.0,
            interval.high * 100.0,
            step.won() * 100.0,
            verdict(survive, survival, at)
        );
    }
    let lives = survival.lives.iter().enumerate();
    let lives: Vec<String> = lives.map(|(left, runs)| format!("{left}: {runs}")).collect();
    say!("runs by the lives left in the end: {}", lives.join(", "));
    say!("duels against each:");
    for (at, foe) in book.foes.iter().enumerate() {
        let [met, won] = survival.steps.iter().fold([0; 2], |[met, won], step| {
            [met + step.foes[at][0], won + step.foes[at][1]]
        });
        if met > 0 {
            #[expect(clippy::cast_precision_loss, reason = "counts of duels are far below 2^52")]
            let share = won as f64 / met as f64 * 100.0;
            let boss = if foe.is_boss() { ", boss" } else { "" };
            say!(
                "  {:<28} {met:>6}, {share:>5.1} % won",
                format!("{}{boss}", foe.name)
            );
        }
    }
}

fn json_of(book: &RunBook, survival: &RunSurvival, first_seed: u64, args: &Args) -> serde_json::Value {
    let runs = survival.runs;
    let step = |at: usize| {
        let step = &survival.steps[at];
        let interval = step.interval(runs);
        let foes = book.foes.iter().zip(&step.foes).filter(|(_, [met, _])| *met > 0);
        let foes: Vec<serde_json::Value> = foes
            .map(|(foe, [met, won])| {
                json!({ "name": foe.name, "boss": foe.is_boss(), "duels": met, "won": won })
            })
            .collect();
        json!({
            "place": book.steps[at].place,
            "reached": step.reached,
            "survived": step.survived,
            "share": rounded(step.share(runs)),
            "interval": [rounded(interval.low), rounded(interval.high)],
            "meant": book.steps[at].survive.map(|share| f64::from(share) / 100.0),
            "duels": step.duels,
            "turns": step.turns,
            "foes": foes,
        })
    };
    json!({
        "game": book.game.name,
        "run": book.name,
        "player": args.player.to_string(),
        "runs": runs,
        "seed": first_seed,
        "steps": (0..survival.steps.len()).map(step).collect::<Vec<_>>(),
        "lives": survival.lives,
    })
}
