//! `cardwright check`: all that is wrong with packages and rules.

use std::fs;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant, SystemTime};

use anyhow::{Context, Result};
use clap::ValueEnum;
use cw_check::{CheckedFile, check_file, check_package, check_part};
use cw_octgn::Limits;
use cw_syntax::{Arena, parse_python, parts, rs};
use cw_text::{
    Catalog, Counts, Diagnostic, FileId, Format, Safety, Severity, Sources, Span, apply_fixes, render,
};
use rayon::prelude::*;

use crate::input::{Input, Loaded, join, load};

/// Finds every mistake in packages and rules.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Packages, folders, `.rules` files, scripts with RulesDict.
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// How findings are written.
    #[arg(long, value_enum, default_value_t = Style::Text)]
    format: Style,
    /// Applies the fixes that keep the meaning or are surely meant.
    #[arg(long)]
    fix: bool,
    /// Applies all fixes; look at the difference afterwards.
    #[arg(long)]
    unsafe_fixes: bool,
    /// Shows only findings of this severity and above.
    #[arg(long, value_enum, default_value_t = Least::Hint)]
    level: Least,
    /// Counts warnings as errors.
    #[arg(long)]
    strict: bool,
    /// Checks again whenever a file changes.
    #[arg(long)]
    watch: bool,
    /// Colours the text; by default only on a terminal.
    #[arg(long, value_enum, default_value_t = Color::Auto)]
    color: Color,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Style {
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

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Color {
    Auto,
    Always,
    Never,
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

/// How often fixes are applied and the result is checked again.
const MOST_ROUNDS: usize = 10;

#[expect(clippy::needless_pass_by_value, reason = "every command is run the same way")]
pub(crate) fn run(args: Args) -> Result<ExitCode> {
    if args.fix || args.unsafe_fixes {
        mend(&args)?;
    }
    if args.watch {
        return watch(&args);
    }
    once(&args)
}

/// Everything found, with the texts it speaks of.
struct Findings {
    sources: Sources,
    found: Vec<Diagnostic>,
    rules: usize,
    files: usize,
}

fn once(args: &Args) -> Result<ExitCode> {
    let start = Instant::now();
    let mut findings = find(&args.paths)?;
    let counts = Counts::of(&findings.found);
    let least = match args.level {
        Least::Hint => Severity::Hint,
        Least::Warning => Severity::Warning,
        Least::Error => Severity::Error,
    };
    findings.found.retain(|found| found.severity >= least);
    let format = match args.format {
        Style::Text => Format::Text,
        Style::Short => Format::Short,
        Style::Json => Format::Json,
        Style::Sarif => Format::Sarif,
        Style::Github => Format::Github,
    };
    let color = match args.color {
        Color::Auto => std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none(),
        Color::Always => true,
        Color::Never => false,
    };
    let text = render(format, &findings.sources, &findings.found, color, &Pages);
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())
        .and_then(|()| out.flush())
        .or_else(super::ignore_closed_pipe)?;
    let summary = format!(
        "checked {} rule{} in {} file{}: {counts} ({} ms)",
        findings.rules,
        if findings.rules == 1 { "" } else { "s" },
        findings.files,
        if findings.files == 1 { "" } else { "s" },
        start.elapsed().as_millis()
    );
    writeln!(std::io::stderr(), "{summary}").or_else(super::ignore_closed_pipe)?;
    let wrong = counts.errors > 0 || (args.strict && counts.warnings > 0);
    Ok(if wrong {
        ExitCode::from(1)
    } else {
        ExitCode::SUCCESS
    })
}

fn find(paths: &[PathBuf]) -> Result<Findings> {
    let input = Input::find(paths)?;
    let mut findings = Findings {
        sources: Sources::new(),
        found: Vec::new(),
        rules: 0,
        files: 0,
    };
    for root in &input.packages {
        package(root, &mut findings)?;
    }
    for (path, root) in &input.files {
        let loaded = match root {
            Some(root) => Some(load(root, &mut findings.sources)?),
            None => None,
        };
        rules_file(path, loaded.as_ref(), &mut findings)?;
    }
    findings.found.sort_by_key(|found| (found.file, found.span));
    Ok(findings)
}

/// A package: its own findings, all its rules, and what concerns both.
fn package(root: &Path, findings: &mut Findings) -> Result<()> {
    let loaded = load(root, &mut findings.sources)?;
    let mut own = cw_octgn::check(&loaded.package);
    own.dedup();
    silence(&loaded.package.sources, &mut own);
    own.iter_mut().for_each(|found| shift(found, loaded.base));
    loaded.settings.apply(&mut own);
    findings.found.append(&mut own);
    findings.found.extend(loaded.found.iter().cloned());
    findings.files += loaded.package.sources.len();

    let mut names: Vec<&String> = loaded
        .package
        .files
        .iter()
        .filter(|name| holds_rules(name))
        .collect();
    // D60: `.rules` files count before scripts.
    names.sort_by_key(|name| (name.ends_with(".py"), name.as_str()));
    let mut checked: Vec<(FileId, CheckedFile)> = Vec::new();
    for name in names {
        let path = root.join(name);
        let bytes = loaded.files.read(name, Limits::default().file);
        let bytes = bytes.with_context(|| format!("cannot read `{}`", path.display()))?;
        let Some((file, text)) = decode(bytes, join(root, name), findings)? else {
            continue;
        };
        if name.ends_with(".py") && !text.contains("RulesDict") {
            continue;
        }
        let result = check_source(file, &text, &path, Some(&loaded));
        findings.rules += result.rules.len();
        findings.files += 1;
        checked.push((file, result));
    }
    if !checked.is_empty() {
        let files: Vec<(FileId, &CheckedFile)> =
            checked.iter().map(|(file, result)| (*file, result)).collect();
        let places = |card: &cw_check::Card| printed_at(&loaded, card);
        findings
            .found
            .extend(check_package(&files, &loaded.cards, &places, &loaded.settings));
    }
    findings
        .found
        .extend(checked.into_iter().flat_map(|(_, result)| result.diagnostics));
    Ok(())
}

/// What a comment in an XML file begins with that silences findings in it (P173).
const SILENCE: &str = "<!-- cardwright: allow ";

/// Drops findings that a comment in their file names; a code that does not exist is one itself (RS073).
fn silence(sources: &Sources, found: &mut Vec<Diagnostic>) {
    for (file, source) in sources.iter() {
        let mut from = 0;
        while let Some(at) = source.text[from..].find(SILENCE) {
            let start = from + at + SILENCE.len();
            let length = source.text[start..].find("-->").unwrap_or(0);
            from = start + length;
            for code in source.text[start..from]
                .split([',', ' '])
                .filter(|code| !code.is_empty())
            {
                if cw_octgn::page(code).is_some() {
                    found.retain(|one| one.file != file || !one.code.0.eq_ignore_ascii_case(code));
                } else {
                    let span = Span::new(start, from);
                    let message = format!("no finding has the code `{code}`");
                    let known = cw_octgn::PAGES.iter().map(|page| page.code.0);
                    let finding = rs::RS073.at(file, span, message);
                    found.push(match cw_text::nearest(code, known) {
                        Some(near) => finding.help(format!("did you mean `{near}`?")),
                        None => finding,
                    });
                }
            }
        }
    }
}

fn holds_rules(name: &str) -> bool {
    (name.starts_with("Rules/") && name.ends_with(".rules"))
        || (name.starts_with("Scripts/") && name.ends_with(".py"))
}

/// Where the package prints a card.
fn printed_at(loaded: &Loaded, card: &cw_check::Card) -> Option<(FileId, Span)> {
    let (reference, found) = loaded
        .package
        .cards()
        .find(|(_, found)| found.id.value.to_string() == card.id)?;
    let set = loaded.package.set_of(reference);
    Some((FileId(set.file.0 + loaded.base), found.place.0))
}

fn rules_file(path: &Path, loaded: Option<&Loaded>, findings: &mut Findings) -> Result<()> {
    let name = path.display().to_string().replace('\\', "/");
    let Some((file, text)) = read(path, name, findings)? else {
        return Ok(());
    };
    let result = check_source(file, &text, path, loaded);
    findings.rules += result.rules.len();
    findings.files += 1;
    findings.found.extend(result.diagnostics);
    Ok(())
}

/// Reads a text; bytes that are no UTF-8 are a finding (RS070), and the rest is read.
fn read(path: &Path, name: String, findings: &mut Findings) -> Result<Option<(FileId, String)>> {
    let bytes = fs::read(path).with_context(|| format!("cannot read `{}`", path.display()))?;
    decode(bytes, name, findings)
}

fn decode(bytes: Vec<u8>, name: String, findings: &mut Findings) -> Result<Option<(FileId, String)>> {
    let text = match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let at = error.utf8_error().valid_up_to();
            let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
            let file = findings.sources.add(name, text.as_str());
            findings.found.push(
                rs::RS070
                    .at(file, Span::new(at, at + 3), "these bytes are not UTF-8")
                    .help("save the file as UTF-8"),
            );
            return Ok(Some((file, text)));
        }
    };
    let file = findings.sources.add(name, text.as_str());
    Ok(Some((file, text)))
}

fn check_source(file: FileId, text: &str, path: &Path, loaded: Option<&Loaded>) -> CheckedFile {
    let (cards, settings) = match loaded {
        Some(loaded) => (&loaded.cards, &loaded.settings),
        None => (&cw_check::Cards::default(), &cw_check::Settings::default()),
    };
    if path.extension().is_some_and(|extension| extension == "py") {
        let arena = Arena::new();
        check_file(file, text, parse_python(&arena, file, text), cards, settings)
    } else {
        let all: Vec<Span> = parts(text).collect();
        let checked: Vec<CheckedFile> = all
            .into_par_iter()
            .map(|part| check_part(file, text, part, cards, settings))
            .collect();
        let mut whole = CheckedFile::default();
        checked.into_iter().for_each(|part| whole.append(part));
        whole
    }
}

/// The findings of a package speak of its own list of texts.
fn shift(found: &mut Diagnostic, base: u32) {
    found.file.0 += base;
    found.labels.iter_mut().for_each(|label| label.file.0 += base);
    if let Some(fix) = &mut found.fix {
        fix.edits.iter_mut().for_each(|edit| edit.file.0 += base);
    }
}

/// Applies fixes until none is left.
fn mend(args: &Args) -> Result<()> {
    let allowed = if args.unsafe_fixes {
        Safety::Unsafe
    } else {
        Safety::Safe
    };
    let mut total = 0;
    for _ in 0..MOST_ROUNDS {
        let findings = find(&args.paths)?;
        let mut applied = 0;
        for (file, source) in findings.sources.iter() {
            let path = Path::new(&source.name);
            let rules = path
                .extension()
                .is_some_and(|extension| extension == "rules" || extension == "py" || extension == "xml");
            if !rules {
                continue;
            }
            let (text, count) = apply_fixes(file, &source.text, &findings.found, allowed);
            // Only what was read as it is may be written back.
            if count > 0 && fs::read(path).is_ok_and(|bytes| bytes == source.text.as_bytes()) {
                fs::write(path, text).with_context(|| format!("cannot write `{}`", path.display()))?;
                applied += count;
            }
        }
        total += applied;
        if applied == 0 {
            break;
        }
    }
    let plural = if total == 1 { "" } else { "es" };
    writeln!(std::io::stderr(), "applied {total} fix{plural}").or_else(super::ignore_closed_pipe)?;
    Ok(())
}

/// How long to wait between looks at the files.
const PAUSE: Duration = Duration::from_millis(250);

/// Checks, waits until a file changed, checks again; ends with the program.
fn watch(args: &Args) -> Result<ExitCode> {
    loop {
        let before = stamps(&args.paths);
        if let Err(error) = once(args) {
            writeln!(std::io::stderr(), "{error:#}").or_else(super::ignore_closed_pipe)?;
        }
        while stamps(&args.paths) == before {
            std::thread::sleep(PAUSE);
        }
    }
}

/// Names, times and sizes of all files below the paths.
fn stamps(paths: &[PathBuf]) -> Vec<(PathBuf, Option<SystemTime>, u64)> {
    let mut out = Vec::new();
    let mut open: Vec<PathBuf> = paths.to_vec();
    while let Some(path) = open.pop() {
        let Ok(about) = fs::metadata(&path) else { continue };
        if about.is_dir() {
            let entries = fs::read_dir(&path).into_iter().flatten().flatten();
            let hidden = |entry: &fs::DirEntry| entry.file_name().to_string_lossy().starts_with('.');
            open.extend(entries.filter(|entry| !hidden(entry)).map(|entry| entry.path()));
        } else {
            out.push((path, about.modified().ok(), about.len()));
        }
    }
    out.sort();
    out
}
