//! `cardwright scenario`: makes scenarios, and plays them with everything shown.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::bail;
use cw_scenario::{RunOptions, ScenarioFailure, ScenarioReport};

use crate::commands::test::{TestFile, failure_lines, open_files, run_all};
use crate::game;
use crate::output::{raw, say};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: ScenarioCommand,
}

#[derive(Debug, clap::Subcommand)]
enum ScenarioCommand {
    /// Write a scenario that plays a card, to be filled in by `cardwright test --bless`
    New {
        /// The card's name
        card: String,
        /// Folder or .o8g of the game [default: the one you are in, or the demo game]
        #[arg(long, value_name = "PATH")]
        game: Option<PathBuf>,
    },
    /// Play the scenarios of a file and show what happens, step by step
    Run {
        /// The scenario file
        file: PathBuf,
        /// Folder or .o8g of the game, for a file that does not name one [default: the one you are in, or the
        /// demo game]
        #[arg(long, value_name = "PATH")]
        game: Option<PathBuf>,
        /// Run only scenarios whose name contains these words
        #[arg(long, value_name = "WORDS")]
        only: Option<String>,
        /// Print the complete state after every step as JSON
        #[arg(long)]
        json: bool,
    },
}

pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    match args.what {
        ScenarioCommand::New { card, game } => new(&card, game.as_deref()),
        ScenarioCommand::Run {
            file,
            game,
            only,
            json,
        } => {
            let files = open_files(&[file], game.as_deref())?;
            play(&files, only.as_deref(), json)
        }
    }
}

fn new(card: &str, folder: Option<&std::path::Path>) -> anyhow::Result<ExitCode> {
    let (_, game) = game::open(folder)?;
    match cw_scenario::skeleton(&game, card) {
        Ok(text) => {
            if let Some(folder) = folder {
                raw(&format!("game = {:?}\n\n", folder.display().to_string()));
            }
            raw(&text);
            Ok(ExitCode::SUCCESS)
        }
        Err(fault) => {
            let help = fault.help.map_or_else(String::new, |help| format!("; {help}"));
            bail!("{}{help}", fault.message)
        }
    }
}

fn play(files: &[TestFile], only: Option<&str>, json: bool) -> anyhow::Result<ExitCode> {
    if let Some((file, fault)) = files.iter().find_map(|file| Some((file, file.fault.as_ref()?))) {
        let line = file.line(fault.span);
        let help = fault
            .help
            .as_ref()
            .map_or_else(String::new, |help| format!("; {help}"));
        bail!("{}:{line}: {}{help}", file.name, fault.message);
    }
    let options = RunOptions {
        record: json,
        ..RunOptions::default()
    };
    let results = run_all(files, only, options);
    if json {
        let reports: Vec<serde_json::Value> = results
            .iter()
            .map(|result| report_json(&files[result.file], &result.report))
            .collect();
        say!(
            "{}",
            serde_json::to_string_pretty(&reports).expect("texts and numbers are always JSON")
        );
    } else {
        for result in &results {
            show(&files[result.file], &result.report);
        }
    }
    let failed = results.iter().any(|result| result.report.failure.is_some());
    Ok(if failed {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}

fn show(file: &TestFile, report: &ScenarioReport) {
    say!("{}", report.name);
    for step in &report.steps {
        say!("  {}", step.title);
        for line in &step.trace {
            say!("    {line}");
        }
    }
    if let Some(failure) = &report.failure {
        say!("  FAILED");
        for line in failure_lines(file, report, failure) {
            say!("    {line}");
        }
    }
    say!("");
}

fn report_json(file: &TestFile, report: &ScenarioReport) -> serde_json::Value {
    let steps: Vec<serde_json::Value> = report
        .steps
        .iter()
        .map(|step| {
            let answers: Vec<serde_json::Value> = step
                .answers
                .iter()
                .map(|answered| {
                    serde_json::json!({
                        "asked": answered.seat,
                        "question": answered.question,
                        "options": answered.options,
                        "answer": answered.answer,
                    })
                })
                .collect();
            serde_json::json!({
                "step": step.title,
                "line": file.line(step.span),
                "answers": answers,
                "events": step.events,
                "trace": step.trace,
                "refused-by": step.refused_by,
                "state": step.state,
            })
        })
        .collect();
    let failure = report
        .failure
        .as_ref()
        .map(|failure: &ScenarioFailure| failure_lines(file, report, failure));
    serde_json::json!({ "scenario": report.name, "steps": steps, "failure": failure })
}
