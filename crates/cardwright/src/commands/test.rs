//! `cardwright test`: runs scenario files.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, bail};
use clap::ValueEnum;
use cw_duel::Game;
use cw_octgn::FileTrouble;
use cw_scenario::{
    AnyScenarios, FreeScenario, RunOptions, Scenario, ScenarioFailure, ScenarioFault, ScenarioReport,
    StepReport,
};
use cw_table::Kit;
use cw_text::{Diagnostic, LineIndex, Sources, Span};
use rayon::prelude::*;

use crate::commands::free;
use crate::input::is_scenario;
use crate::output::{self, count, say};
use crate::progress::busy;
use crate::{game, output::raw, package};

/// The scenarios of the demo game.
const DEFAULT: &str = "games/saltmarsh-tests";

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Scenario files, or folders of them [default: those of the demo game]
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Folder or .o8g of the game, for files that do not name one [default: the one you are in, or the demo
    /// game]
    #[arg(long, value_name = "PATH")]
    game: Option<PathBuf>,
    /// Run only scenarios whose name contains these words
    #[arg(long, value_name = "WORDS")]
    only: Option<String>,
    /// Replace failing and empty (`expect = {}`) expectations in the files with what actually happens
    #[arg(long)]
    bless: bool,
    /// List the statements and branches of cards that no scenario has run
    #[arg(long)]
    coverage: bool,
    /// Format of the results
    #[arg(long, value_enum, default_value_t = TestFormat::Text)]
    format: TestFormat,
    /// The same as `--format json`
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TestFormat {
    /// For people
    Text,
    /// One JSON object, for programs
    Json,
    /// JUnit XML, for build servers
    Junit,
}

pub(crate) fn run(mut args: Args) -> anyhow::Result<ExitCode> {
    if args.json {
        args.format = TestFormat::Json;
    }
    let files = open_files(&args.paths, args.game.as_deref())?;
    let options = RunOptions {
        bless: args.bless,
        ..RunOptions::default()
    };
    let results = busy("running scenarios", || {
        run_all(&files, args.only.as_deref(), options)
    });
    if args.bless {
        bless(&files, &results)?;
    }
    match args.format {
        TestFormat::Text => say_text(&files, &results),
        TestFormat::Json => say!("{}", json(&files, &results)),
        TestFormat::Junit => raw(&junit(&files, &results)),
    }
    if args.coverage && args.format == TestFormat::Text {
        say_coverage(&files, &results);
    }
    let failed = results.iter().any(|result| result.report.failure.is_some());
    let unread = files.iter().any(|file| file.fault.is_some());
    Ok(if failed || unread {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}

/// A scenario file with the game it is about.
pub(crate) struct TestFile {
    pub name: String,
    pub text: String,
    pub lines: LineIndex,
    pub scenarios: Vec<Scenario>,
    pub game: Option<Arc<Game>>,
    /// Scenarios of the free table, with the package that they are about.
    pub free: Vec<FreeScenario>,
    pub kit: Option<Arc<Kit>>,
    /// Why it cannot be run.
    pub fault: Option<ScenarioFault>,
}

impl TestFile {
    pub fn line(&self, span: Span) -> u32 {
        self.lines.line_column(&self.text, span.start).line
    }
}

/// What came of a scenario, and of which file it is.
pub(crate) struct ScenarioOutcome {
    pub file: usize,
    pub report: ScenarioReport,
}

/// Reads all files, and each game once.
pub(crate) fn open_files(paths: &[PathBuf], default_game: Option<&Path>) -> anyhow::Result<Vec<TestFile>> {
    let mut found = Vec::new();
    if paths.is_empty() {
        if !Path::new(DEFAULT).is_dir() {
            bail!("name a scenario file or a folder of them; there is no {DEFAULT} here");
        }
        collect(Path::new(DEFAULT), &mut found)?;
    }
    for path in paths {
        let about = std::fs::metadata(path).with_context(|| format!("cannot open “{}”", path.display()))?;
        if about.is_dir() {
            collect(path, &mut found)?;
        } else {
            found.push(path.clone());
        }
    }
    if found.is_empty() {
        bail!("there are no scenario files (.toml or .json) here");
    }
    let mut games = OpenedGames::default();
    found
        .into_iter()
        .map(|path| open_file(&path, default_game, &mut games))
        .collect()
}

/// Adds the scenario files in a folder. What links lead to is read where it lies in the folder, too.
fn collect(folder: &Path, found: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    let files = cw_octgn::Folder::new(folder);
    let names = cw_octgn::PackageFiles::list(&files)
        .with_context(|| format!("cannot read the folder “{}”", folder.display()))?;
    if let Some((name, trouble)) = cw_octgn::PackageFiles::troubles(&files).into_iter().next() {
        let path = folder.join(name);
        let why = match trouble {
            FileTrouble::LeadsOut => "is a link that leads out of the folder; name its target instead",
            FileTrouble::LeadsNowhere => "is a link that leads nowhere, or around in a circle; remove it",
            FileTrouble::Closed => "is a folder that cannot be read",
        };
        bail!("“{}” {why}", path.display());
    }
    found.extend(
        names
            .iter()
            .filter(|name| is_scenario(name))
            .map(|name| folder.join(name)),
    );
    Ok(())
}

/// Each game is read once, as one of duels or of the free table.
#[derive(Default)]
struct OpenedGames {
    duels: BTreeMap<Option<PathBuf>, Arc<Game>>,
    free: BTreeMap<PathBuf, Arc<Kit>>,
}

fn open_file(path: &Path, default_game: Option<&Path>, games: &mut OpenedGames) -> anyhow::Result<TestFile> {
    let name = path.display().to_string();
    let text =
        cw_files::read_text(path, cw_files::SCENARIO).with_context(|| format!("cannot read “{name}”"))?;
    let mut file = TestFile {
        lines: LineIndex::new(&text),
        name,
        scenarios: Vec::new(),
        game: None,
        free: Vec::new(),
        kit: None,
        fault: None,
        text,
    };
    match cw_scenario::read_any(&file.text) {
        Err(fault) => file.fault = Some(fault),
        Ok(AnyScenarios::Free(read)) => {
            let folder = path.parent().unwrap_or(Path::new("")).join(&read.package.0);
            let kit = match games.free.get(&folder) {
                Some(kit) => Arc::clone(kit),
                None => {
                    let opened = package::open(Some(&folder));
                    let kit = opened.and_then(|opened| free::kit(opened.into_project(), None));
                    let kit =
                        kit.with_context(|| format!("the package of “{}” cannot be opened", file.name))?;
                    let kit = Arc::new(kit);
                    games.free.insert(folder, Arc::clone(&kit));
                    kit
                }
            };
            file.free = read.scenarios;
            file.kit = Some(kit);
        }
        Ok(AnyScenarios::Duels(read)) => {
            let folder = match &read.game {
                Some((game, _)) => Some(path.parent().unwrap_or(Path::new("")).join(game)),
                None => default_game.map(Path::to_owned),
            };
            let game = match games.duels.get(&folder) {
                Some(game) => Arc::clone(game),
                None => {
                    let (_, game) = game::open(folder.as_deref())
                        .with_context(|| format!("the game of “{}” cannot be opened", file.name))?;
                    games.duels.insert(folder, Arc::clone(&game));
                    game
                }
            };
            file.scenarios = read.scenarios;
            file.game = Some(game);
        }
    }
    Ok(file)
}

/// Runs every scenario, many at a time; the results are in the order of the files.
pub(crate) fn run_all(files: &[TestFile], only: Option<&str>, options: RunOptions) -> Vec<ScenarioOutcome> {
    let only = only.map(str::to_lowercase);
    let wanted = |name: &str| {
        only.as_ref()
            .is_none_or(|only| name.to_lowercase().contains(only))
    };
    let jobs: Vec<(usize, TestJob<'_>)> = files
        .iter()
        .enumerate()
        .flat_map(|(index, file)| file.jobs().map(move |job| (index, job)))
        .filter(|(_, job)| wanted(job.name()))
        .collect();
    jobs.par_iter()
        .map(|(file, job)| ScenarioOutcome {
            file: *file,
            report: match job {
                TestJob::Duel(scenario, game) => cw_scenario::run(scenario, game, options),
                TestJob::Free(scenario, kit) => cw_scenario::run_free(scenario, kit, options),
            },
        })
        .collect()
}

/// A scenario with what it is played on.
#[derive(Clone, Copy)]
enum TestJob<'a> {
    Duel(&'a Scenario, &'a Arc<Game>),
    Free(&'a FreeScenario, &'a Arc<Kit>),
}

impl TestJob<'_> {
    fn name(&self) -> &str {
        match self {
            TestJob::Duel(scenario, _) => &scenario.name,
            TestJob::Free(scenario, _) => &scenario.name,
        }
    }
}

impl TestFile {
    fn jobs(&self) -> impl Iterator<Item = TestJob<'_>> {
        let of_game = |game| {
            self.scenarios
                .iter()
                .map(move |scenario| TestJob::Duel(scenario, game))
        };
        let of_kit = |kit| self.free.iter().map(move |scenario| TestJob::Free(scenario, kit));
        let duels = self.game.as_ref().into_iter().flat_map(of_game);
        duels.chain(self.kit.as_ref().into_iter().flat_map(of_kit))
    }
}

fn bless(files: &[TestFile], results: &[ScenarioOutcome]) -> anyhow::Result<()> {
    for (index, file) in files.iter().enumerate() {
        let own = results.iter().filter(|result| result.file == index);
        let (text, changed) = cw_scenario::bless(&file.text, own.map(|result| &result.report));
        if changed == 0 {
            continue;
        }
        let written = cw_files::write(Path::new(&file.name), text.as_bytes());
        written.with_context(|| format!("cannot write “{}”", file.name))?;
        output::note(&format!(
            "{}: {} filled in",
            file.name,
            count(changed, "expectation")
        ));
    }
    Ok(())
}

/// Statements and branches that no scenario has run, game by game.
fn say_coverage(files: &[TestFile], results: &[ScenarioOutcome]) {
    let mut games: Vec<&Arc<Game>> = Vec::new();
    for game in files.iter().filter_map(|file| file.game.as_ref()) {
        if !games.iter().any(|known| Arc::ptr_eq(known, game)) {
            games.push(game);
        }
    }
    for game in games {
        let of_game = |result: &&ScenarioOutcome| {
            let own = files[result.file].game.as_ref();
            own.is_some_and(|own| Arc::ptr_eq(own, game))
        };
        let taken = results
            .iter()
            .filter(of_game)
            .flat_map(|result| result.report.taken.iter().copied())
            .collect();
        let cards = cw_scenario::coverage(game, &taken);
        let total: usize = cards.iter().map(|card| card.total).sum();
        let missing: usize = cards.iter().map(|card| card.missing.len()).sum();
        say!("");
        for card in cards.iter().filter(|card| !card.missing.is_empty()) {
            let name = &game.model(card.model).name;
            say!("{name}: {} of {} not run", card.missing.len(), card.total);
            for point in &card.missing {
                say!("  {}", point.what);
            }
        }
        let complete = cards.iter().filter(|card| card.missing.is_empty()).count();
        // Rounded down: 100 % means all.
        let percent = ((total - missing) * 100).checked_div(total).unwrap_or(100);
        say!(
            "{}: {} of {total} statements and branches run ({percent} %); {complete} of {} complete.",
            game.name,
            total - missing,
            count(cards.len(), "card with a rule").replace("card with a rules", "cards with rules"),
        );
    }
}

fn say_text(files: &[TestFile], results: &[ScenarioOutcome]) {
    for file in files {
        if let Some(fault) = &file.fault {
            say_fault(file, fault);
        }
    }
    for result in results {
        if let Some(failure) = &result.report.failure {
            say_failure(&files[result.file], &result.report, failure);
        }
    }
    let failed = results
        .iter()
        .filter(|result| result.report.failure.is_some())
        .count();
    let unread = files.iter().filter(|file| file.fault.is_some()).count();
    let mut summary = format!(
        "{} in {}: {} passed, {failed} failed",
        count(results.len(), "scenario"),
        count(files.len(), "file"),
        results.len() - failed
    );
    if unread > 0 {
        let _ = write!(summary, ", {} cannot be read", count(unread, "file"));
    }
    say!("{summary}.");
}

fn say_fault(file: &TestFile, fault: &ScenarioFault) {
    let mut sources = Sources::new();
    let id = sources.add(&*file.name, &*file.text);
    let found: [Diagnostic; 1] = [fault.diagnostic(id)];
    output::findings(&sources, &found);
}

fn say_failure(file: &TestFile, report: &ScenarioReport, failure: &ScenarioFailure) {
    say!("FAILED {}:{} {}", file.name, file.line(report.span), report.name);
    if let ScenarioFailure::Fault(fault) = failure {
        say_fault(file, fault);
    } else {
        for line in failure_lines(file, report, failure) {
            say!("  {line}");
        }
    }
    say!("  what happened:");
    for step in &report.steps {
        say!("    {}", step_line(file, step));
        for line in &step.trace {
            say!("      {line}");
        }
    }
    say!("");
}

fn step_line(file: &TestFile, step: &StepReport) -> String {
    match step.index {
        None => step.title.clone(),
        Some(index) => format!(
            "step {} (line {}): {}",
            index + 1,
            file.line(step.span),
            step.title
        ),
    }
}

/// What went wrong, with expected and actual values below each other.
pub(crate) fn failure_lines(
    file: &TestFile,
    report: &ScenarioReport,
    failure: &ScenarioFailure,
) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(step) = report.steps.last() {
        lines.push(step_line(file, step));
    }
    match failure {
        ScenarioFailure::Fault(fault) => {
            lines.push(format!("line {}: {}", file.line(fault.span), fault.message));
            lines.extend(fault.help.clone());
        }
        ScenarioFailure::Stuck { message, notes, .. } => {
            lines.push(message.clone());
            lines.extend(notes.iter().map(|note| format!("  {note}")));
        }
        ScenarioFailure::Unexpected { mismatches, .. } => {
            for mismatch in mismatches {
                lines.push(format!("{}:", mismatch.path));
                lines.push(format!("  - expected  {}", mismatch.expected));
                lines.push(format!("  + actual    {}", mismatch.actual));
            }
        }
    }
    lines
}

fn json(files: &[TestFile], results: &[ScenarioOutcome]) -> String {
    let scenarios: Vec<serde_json::Value> = results
        .iter()
        .map(|result| {
            let file = &files[result.file];
            let report = &result.report;
            let failure = report
                .failure
                .as_ref()
                .map(|failure| failure_lines(file, report, failure));
            serde_json::json!({
                "file": file.name,
                "line": file.line(report.span),
                "name": report.name,
                "passed": failure.is_none(),
                "failure": failure,
            })
        })
        .collect();
    let unread: Vec<serde_json::Value> = files
        .iter()
        .filter_map(|file| {
            let fault = file.fault.as_ref()?;
            Some(serde_json::json!({
                "file": file.name,
                "line": file.line(fault.span),
                "code": fault.code.0,
                "message": fault.message,
                "help": fault.help,
            }))
        })
        .collect();
    let failed = results
        .iter()
        .filter(|result| result.report.failure.is_some())
        .count();
    let all = serde_json::json!({
        "passed": results.len() - failed,
        "failed": failed,
        "scenarios": scenarios,
        "unreadable": unread,
    });
    serde_json::to_string_pretty(&all).expect("texts and numbers are always JSON")
}

fn junit(files: &[TestFile], results: &[ScenarioOutcome]) -> String {
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
    for (index, file) in files.iter().enumerate() {
        let own: Vec<&ScenarioOutcome> = results.iter().filter(|result| result.file == index).collect();
        let failed = own
            .iter()
            .filter(|result| result.report.failure.is_some())
            .count();
        let errors = usize::from(file.fault.is_some());
        let name = xml(&file.name);
        let tests = own.len() + errors;
        let _ = writeln!(
            out,
            "  <testsuite name=\"{name}\" tests=\"{tests}\" failures=\"{failed}\" errors=\"{errors}\">"
        );
        if let Some(fault) = &file.fault {
            let line = file.line(fault.span);
            let message = xml(&fault.message);
            let _ = writeln!(
                out,
                "    <testcase name=\"the file can be read\" classname=\"{name}\">\
                 <error message=\"line {line}: {message}\"/></testcase>"
            );
        }
        for result in own {
            let title = xml(&result.report.name);
            let _ = write!(out, "    <testcase name=\"{title}\" classname=\"{name}\"");
            match &result.report.failure {
                None => out.push_str("/>\n"),
                Some(failure) => {
                    let lines = failure_lines(file, &result.report, failure);
                    let first = xml(lines.get(1).or(lines.first()).map_or("", String::as_str));
                    let all = xml(&lines.join("\n"));
                    let _ = writeln!(
                        out,
                        ">\n      <failure message=\"{first}\">{all}</failure>\n    </testcase>"
                    );
                }
            }
        }
        out.push_str("  </testsuite>\n");
    }
    out.push_str("</testsuites>\n");
    out
}

/// Text as XML writes it; characters that XML cannot hold become `?`.
fn xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#10;"),
            '\t' => out.push(letter),
            _ if letter.is_control() => out.push('?'),
            _ => out.push(letter),
        }
    }
    out
}
