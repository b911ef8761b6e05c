//! `cardwright fmt`: one layout for all rules.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use cw_load::Language;
use cw_program::Manual;
use cw_syntax::{Arena, format_rules, parse_rules};
use cw_text::{FileId, LineIndex, Severity};

use crate::findings::is_piped;
use crate::input::{self, Input, shown};
use crate::output::{count, note, raw};

/// Format `.rules` files; lines with mistakes stay as they are and make the command fail
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Packages, folders, `.rules` files; `-` formats standard input
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Do not change files; list those that would change, and fail if there are any
    #[arg(long)]
    check: bool,
    /// Do not change files; show what would change, and fail if anything would
    #[arg(long)]
    diff: bool,
}

pub(crate) fn run(args: Args) -> Result<ExitCode> {
    let mut files = rules_files(&args.paths)?;
    if args.paths.iter().any(|path| is_piped(path)) {
        files.push(PathBuf::from("-"));
    }
    let only_shown = args.check || args.diff;
    let mut out = String::new();
    let (mut changed, mut failed) = (0, false);
    for path in &files {
        match one_file(path, &args, &mut out) {
            Ok(laid_out) => {
                changed += usize::from(laid_out.is_changed);
                failed |= laid_out.has_mistakes;
            }
            Err(error) => {
                crate::output::error(&error);
                failed = true;
            }
        }
    }
    raw(&out);
    let verb = if only_shown { "would change" } else { "changed" };
    note(&format!("{verb} {changed} of {}", count(files.len(), "file")));
    Ok(if failed || (only_shown && changed > 0) {
        ExitCode::from(1)
    } else {
        ExitCode::SUCCESS
    })
}

/// The outcome for one file.
struct LaidOut {
    /// It was changed, or would be.
    is_changed: bool,
    /// Lines that cannot be read stayed as they were.
    has_mistakes: bool,
}

/// Lays out one file.
fn one_file(path: &Path, args: &Args, out: &mut String) -> Result<LaidOut> {
    let name = if is_piped(path) {
        "<stdin>".to_string()
    } else {
        shown(path)
    };
    let text = read(path).with_context(|| format!("cannot read `{name}`"))?;
    let Ok(text) = String::from_utf8(text) else {
        bail!("`{name}` is not UTF-8; it stays as it is");
    };
    let mistakes = lines_with_mistakes(&text);
    if mistakes > 0 {
        let lines = count(mistakes, "line");
        note(&format!(
            "{name}: {lines} with mistakes, left as they are; `cardwright check` explains them"
        ));
    }
    let formatted = format_rules(&text, &Manual);
    let is_changed = formatted != text;
    if args.diff {
        if is_changed {
            difference(&name, &text, &formatted, out);
        }
    } else if args.check {
        if is_changed {
            let _ = writeln!(out, "would change {name}");
        }
    } else if is_piped(path) {
        out.push_str(&formatted);
    } else if is_changed {
        cw_files::write(path, formatted.as_bytes()).with_context(|| format!("cannot write `{name}`"))?;
        let _ = writeln!(out, "changed {name}");
    }
    Ok(LaidOut {
        is_changed,
        has_mistakes: mistakes > 0,
    })
}

fn read(path: &Path) -> Result<Vec<u8>, cw_files::FileReadError> {
    if is_piped(path) {
        input::read_piped()
    } else {
        input::read(path)
    }
}

/// How many lines cannot be read, and so stay as they are.
fn lines_with_mistakes(text: &str) -> usize {
    let arena = Arena::new();
    let found = parse_rules(&arena, FileId(0), text).diagnostics;
    let index = LineIndex::new(text);
    let errors = found.iter().filter(|one| one.severity == Severity::Error);
    let mut lines: Vec<u32> = errors
        .map(|one| index.line_column(text, one.span.start).line)
        .collect();
    lines.dedup();
    lines.len()
}

/// The rules files that the paths name.
fn rules_files(paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let named: Vec<PathBuf> = paths.iter().filter(|path| !is_piped(path)).cloned().collect();
    let input = Input::find(&named)?;
    if let Some(path) = input.scenarios.iter().find(|path| named.contains(path)) {
        bail!(
            "`{}` is a scenario file; only rules files are laid out",
            shown(path)
        );
    }
    let is_script = |path: &Path| path.extension().is_some_and(|extension| extension == "py");
    let mut files: Vec<PathBuf> = input.files.into_iter().map(|(path, _)| path).collect();
    if let Some(script) = files.iter().find(|path| is_script(path)) {
        bail!("`{}` is a script; only rules files are laid out", shown(script));
    }
    for root in &input.packages {
        if !root.is_dir() {
            bail!("`{}` is packed; only files in a folder are laid out", shown(root));
        }
        let package = cw_octgn::Folder::new(root);
        let names = cw_octgn::PackageFiles::list(&package)
            .with_context(|| format!("cannot look into `{}`", shown(root)))?;
        let rules = names
            .iter()
            .filter(|name| Language::in_package(name) == Some(Language::Rules));
        files.extend(rules.map(|name| root.join(name)));
    }
    files.sort();
    files.dedup();
    Ok(files)
}

/// Lines kept around a change.
const CONTEXT: usize = 2;

/// A unified difference, as `patch` applies it. Lines are compared in order: laying out moves none.
fn difference(name: &str, old: &str, new: &str, out: &mut String) {
    let (old, new): (Vec<&str>, Vec<&str>) = (
        old.split_inclusive('\n').collect(),
        new.split_inclusive('\n').collect(),
    );
    let steps = steps(&old, &new);
    let _ = writeln!(out, "--- {name}\n+++ {name}");
    let mut at = 0;
    while at < steps.len() {
        let Some(first) = steps[at..]
            .iter()
            .position(|step| !matches!(step, DiffStep::Same(..)))
            .map(|more| at + more)
        else {
            break;
        };
        let mut last = first;
        for (index, step) in steps.iter().enumerate().skip(first) {
            if !matches!(step, DiffStep::Same(..)) {
                last = index;
            } else if index > last + 2 * CONTEXT {
                break;
            }
        }
        let hunk = &steps[first.saturating_sub(CONTEXT).max(at)..(last + 1 + CONTEXT).min(steps.len())];
        write_hunk(hunk, &old, &new, out);
        at = (last + 1 + CONTEXT).min(steps.len());
    }
}

#[derive(Clone, Copy)]
enum DiffStep {
    Same(usize, usize),
    Old(usize, usize),
    New(usize, usize),
}

impl DiffStep {
    fn places(self) -> (usize, usize) {
        match self {
            DiffStep::Same(old, new) | DiffStep::Old(old, new) | DiffStep::New(old, new) => (old, new),
        }
    }
}

/// Walks both texts. Where lines differ, a line that comes again within reach ends the change.
fn steps(old: &[&str], new: &[&str]) -> Vec<DiffStep> {
    const REACH: usize = 8;
    let (mut i, mut j) = (0, 0);
    let mut out = Vec::new();
    while i < old.len() || j < new.len() {
        if i < old.len() && j < new.len() && old[i] == new[j] {
            out.push(DiffStep::Same(i, j));
            (i, j) = (i + 1, j + 1);
            continue;
        }
        let meets = |skip: &usize| {
            let (a, b) = (skip / REACH, skip % REACH);
            old.get(i + a)
                .zip(new.get(j + b))
                .is_some_and(|(one, other)| one == other && (!one.trim().is_empty() || a == b))
        };
        let nearest = (1..REACH * REACH)
            .filter(meets)
            .min_by_key(|skip| skip / REACH + skip % REACH);
        let (skip_old, skip_new) = nearest.map_or((1, 1), |skip| (skip / REACH, skip % REACH));
        for _ in 0..skip_old.min(old.len() - i) {
            out.push(DiffStep::Old(i, j));
            i += 1;
        }
        for _ in 0..skip_new.min(new.len() - j) {
            out.push(DiffStep::New(i, j));
            j += 1;
        }
    }
    out
}

fn write_hunk(hunk: &[DiffStep], old: &[&str], new: &[&str], out: &mut String) {
    let Some(first) = hunk.first() else { return };
    let olds = hunk
        .iter()
        .filter(|step| !matches!(step, DiffStep::New(..)))
        .count();
    let news = hunk
        .iter()
        .filter(|step| !matches!(step, DiffStep::Old(..)))
        .count();
    let (old_start, new_start) = first.places();
    // A side without lines is said to lie behind the line before.
    let line = |start: usize, count: usize| start + usize::from(count > 0);
    let _ = writeln!(
        out,
        "@@ -{},{olds} +{},{news} @@",
        line(old_start, olds),
        line(new_start, news)
    );
    for step in hunk {
        let (sign, text) = match *step {
            DiffStep::Same(index, _) => (' ', old[index]),
            DiffStep::Old(index, _) => ('-', old[index]),
            DiffStep::New(_, index) => ('+', new[index]),
        };
        out.push(sign);
        out.push_str(text);
        if !text.ends_with('\n') {
            out.push_str("\n\\ No newline at end of file\n");
        }
    }
}
