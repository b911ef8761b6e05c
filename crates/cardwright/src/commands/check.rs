//! `cardwright check`: all that is wrong with packages, rules and scenario files.

use std::collections::BTreeSet;
use std::fs;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant, SystemTime};

use anyhow::Result;
use clap::{CommandFactory, ValueEnum, error::ErrorKind};
use cw_lab::package_above;
use cw_text::{Catalog, Diagnostic, FindingFormat, Safety, Severity, SeverityCounts, apply_fixes, render};

use crate::findings::{find, is_piped};
use crate::game;
use crate::input;
use crate::output::{self, note};

/// Find every mistake in packages, rules and scenario files
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Packages, folders, `.rules` files, scenario files, Python scripts that contain `RulesDict`; `-` for a
    /// rules file on standard input
    /// [default: the game you are in]
    paths: Vec<PathBuf>,
    /// The same as a path, as in other commands
    #[arg(long, value_name = "PATH")]
    game: Option<PathBuf>,
    /// Format of the findings
    #[arg(long, value_enum, default_value_t = OutputStyle::Text)]
    format: OutputStyle,
    /// The same as `--format json`
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// Path of the file on standard input, which is checked as part of that file's package
    #[arg(long, value_name = "PATH")]
    stdin_path: Option<PathBuf>,
    /// Apply fixes that preserve the meaning or are certainly intended
    #[arg(long)]
    fix: bool,
    /// Apply all fixes; review the diff afterwards
    #[arg(long)]
    unsafe_fixes: bool,
    /// Show only findings of this severity and above
    #[arg(long, value_enum, default_value_t = Least::Hint)]
    level: Least,
    /// Do not report missing pictures, sounds and fonts
    #[arg(long)]
    without_media: bool,
    /// Count warnings as errors
    #[arg(long)]
    strict: bool,
    /// Check again whenever a file changes
    #[arg(long)]
    watch: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum OutputStyle {
    /// With the source lines underlined.
    Text,
    /// `file:line:column: severity[code]: message`.
    Short,
    /// One JSON object.
    Json,
    /// SARIF 2.1.0.
    Sarif,
    /// Annotations for GitHub Actions.
    Github,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Least {
    Hint,
    Warning,
    Error,
}

/// Pages of all codes, for SARIF.
struct Pages;

impl Catalog for Pages {
    fn title(&self, code: &str) -> Option<String> {
        super::explain::title(code)
    }

    fn page(&self, code: &str) -> Option<String> {
        super::explain::markdown(code)
    }
}

/// Findings about pictures, sounds and fonts that are not here.
const MEDIA: [&str; 3] = ["PK100", "PK139", "PK140"];

/// How often fixes are applied and the result is checked again.
const MOST_ROUNDS: usize = 10;

pub(crate) fn run(mut args: Args) -> Result<ExitCode> {
    if args.json {
        args.format = OutputStyle::Json;
    }
    args.paths.extend(args.game.take());
    if args.paths.is_empty() {
        args.paths.push(game::standing_in(None)?);
    }
    let mends = args.fix || args.unsafe_fixes;
    if args.paths.iter().any(|path| is_piped(path)) && (mends || args.watch) {
        let message = "standard input can be checked, but not fixed or watched";
        crate::CommandLine::command()
            .error(ErrorKind::ArgumentConflict, message)
            .exit();
    }
    if args.watch {
        return watch(&args);
    }
    let mended = !mends || mend(&args)?;
    let clean = once(&args)?;
    Ok(if clean && mended {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(1)
    })
}

/// Checks and shows what is found; tells whether all is well.
fn once(args: &Args) -> Result<bool> {
    let start = Instant::now();
    let mut findings = find(&args.paths, args.stdin_path.as_deref())?;
    if args.without_media {
        findings.found.retain(|found| !MEDIA.contains(&found.code.0));
    }
    let counts = SeverityCounts::of(&findings.found);
    let fixes = offered(&findings.found);
    let least = match args.level {
        Least::Hint => Severity::Hint,
        Least::Warning => Severity::Warning,
        Least::Error => Severity::Error,
    };
    findings.found.retain(|found| found.severity >= least);
    let format = match args.format {
        OutputStyle::Text => FindingFormat::Text,
        OutputStyle::Short => FindingFormat::Short,
        OutputStyle::Json => FindingFormat::Json,
        OutputStyle::Sarif => FindingFormat::Sarif,
        OutputStyle::Github => FindingFormat::Github,
    };
    let color = output::is_coloured(&std::io::stdout());
    let text = render(format, &findings.sources, &findings.found, color, &Pages);
    output::raw(&text);
    let (rules, files) = (findings.rules, findings.files);
    if !args.watch {
        // The program ends: giving back millions of small pieces of memory would be a tenth of its work.
        std::mem::forget(std::mem::take(&mut findings.projects));
    }
    let mut summary = format!(
        "checked {} in {}: {counts} ({} ms)\n",
        output::count(rules, "rule"),
        output::count(files, "file"),
        start.elapsed().as_millis()
    );
    if let Some(fixes) = fixes {
        summary.push_str(&fixes);
    }
    if args.format == OutputStyle::Text
        && let Some(first) = findings.found.iter().max_by_key(|found| found.severity)
    {
        summary.push_str(&format!(
            "`cardwright explain {}` says more about a finding\n",
            first.code
        ));
    }
    note(summary.trim_end());
    Ok(counts.errors == 0 && !(args.strict && counts.warnings > 0))
}

/// How many findings could be mended at once, if any.
fn offered(found: &[Diagnostic]) -> Option<String> {
    let of = |safety| {
        let fixes = found.iter().filter_map(|one| one.fix.as_ref());
        fixes.filter(|fix| fix.safety == safety).count()
    };
    let (safe, bold) = (of(Safety::Safe), of(Safety::Unsafe));
    match (safe, bold) {
        (0, 0) => None,
        (_, 0) => Some(format!("{safe} can be fixed with `--fix`\n")),
        (0, _) => Some(format!("{bold} can be fixed with `--unsafe-fixes`\n")),
        _ => Some(format!(
            "{safe} can be fixed with `--fix`, {bold} more with `--unsafe-fixes`\n"
        )),
    }
}

/// Applies fixes until none is left; tells whether all could be written.
fn mend(args: &Args) -> Result<bool> {
    let allowed = if args.unsafe_fixes {
        Safety::Unsafe
    } else {
        Safety::Safe
    };
    let mut total = 0;
    let mut kept: BTreeSet<String> = BTreeSet::new();
    for _ in 0..MOST_ROUNDS {
        let findings = find(&args.paths, None)?;
        let mut applied = 0;
        for (file, source) in findings.sources.iter() {
            let (text, count) = apply_fixes(file, &source.text, &findings.found, allowed);
            if count == 0 || kept.contains(&source.name) {
                continue;
            }
            match write_back(Path::new(&source.name), &source.text, &text) {
                Ok(()) => applied += count,
                Err(why) => {
                    note(&format!("`{}` stays as it is: {why}", source.name));
                    kept.insert(source.name.clone());
                }
            }
        }
        total += applied;
        if applied == 0 {
            break;
        }
    }
    note(&format!("applied {}", output::count(total, "fix")));
    Ok(kept.is_empty())
}

/// Writes a mended text over the one that was read, and over no other.
fn write_back(path: &Path, old: &str, new: &str) -> Result<(), String> {
    let bytes = input::read(path).map_err(|error| error.to_string())?;
    // Rules files keep their byte-order mark as a part of the text; others are read without it (P3).
    let is_plain = bytes == old.as_bytes();
    let encoded = |text: &str| match is_plain {
        true => text.as_bytes().to_vec(),
        false => cw_octgn::encoded_like(&bytes, text),
    };
    if encoded(old) != bytes {
        let is_text = std::str::from_utf8(&bytes).is_ok()
            || bytes.starts_with(b"\xff\xfe")
            || bytes.starts_with(b"\xfe\xff");
        let why = if is_text {
            "it changed in the meantime"
        } else {
            "it is not UTF-8"
        };
        return Err(why.to_string());
    }
    cw_files::write(path, &encoded(new)).map_err(|error| error.to_string())
}

/// How long to wait between looks at the files.
const PAUSE: Duration = Duration::from_millis(250);
/// Clears the screen and what was scrolled off it, as a terminal understands it.
const CLEAR: &str = "\u{1b}[2J\u{1b}[3J\u{1b}[H";

/// Checks, waits until a file changed, checks again; ends with the program.
fn watch(args: &Args) -> Result<ExitCode> {
    let watched = watched(&args.paths);
    let screen = args.format == OutputStyle::Text && std::io::stdout().is_terminal();
    loop {
        if screen {
            output::raw(CLEAR);
        }
        let mut result = Ok(true);
        if args.fix || args.unsafe_fixes {
            result = mend(args);
        }
        let before = stamps(&watched);
        if let Err(error) = result.and_then(|_| once(args)) {
            output::error(&error);
        }
        note("watching for changes; Ctrl-C ends");
        while stamps(&watched) == before {
            std::thread::sleep(PAUSE);
        }
    }
}

/// The paths, and the packages that files among them belong to: names of cards and severities lie there.
fn watched(paths: &[PathBuf]) -> Vec<PathBuf> {
    let packages = paths.iter().filter_map(|path| package_above(&path.join("x")));
    let mut all: Vec<PathBuf> = paths.iter().cloned().chain(packages).collect();
    all.extend(paths.iter().filter_map(|path| package_above(path)));
    all
}

/// A file as `watch` sees it: its name, time and size.
type Stamp = (PathBuf, Option<SystemTime>, u64);

/// The files below the paths that a check may read.
fn stamps(paths: &[PathBuf]) -> Vec<Stamp> {
    let mut out = Vec::new();
    let mut open: Vec<PathBuf> = paths.to_vec();
    while let Some(path) = open.pop() {
        // What was named may be a link; below it links are not followed: they may lead in circles.
        let named = paths.contains(&path);
        let about = if named {
            fs::metadata(&path)
        } else {
            fs::symlink_metadata(&path)
        };
        let Ok(about) = about else { continue };
        if about.is_dir() {
            let entries = fs::read_dir(&path).into_iter().flatten().flatten();
            let hidden = |entry: &fs::DirEntry| entry.file_name().to_string_lossy().starts_with('.');
            open.extend(entries.filter(|entry| !hidden(entry)).map(|entry| entry.path()));
        } else if named || is_read(&path) {
            out.push((path, about.modified().ok(), about.len()));
        }
    }
    out.sort();
    out.dedup();
    out
}

fn is_read(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    matches!(extension, Some("rules" | "py" | "xml" | "toml"))
}
