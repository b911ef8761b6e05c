//! `cardwright fmt`: one layout for all rules.

use std::fmt::Write as _;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use cw_program::Manual;
use cw_syntax::format_rules;

use crate::input::Input;

/// Lays out `.rules` files; lines with mistakes stay as they are.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Packages, folders, `.rules` files.
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Changes nothing; says which files would change, and fails if there is one.
    #[arg(long)]
    check: bool,
    /// Changes nothing; shows what would change.
    #[arg(long)]
    diff: bool,
}

pub(crate) fn run(args: Args) -> Result<ExitCode> {
    let Args { paths, check, diff } = args;
    let mut out = String::new();
    let mut changed = 0;
    for path in rules_files(&paths)? {
        let name = path.display();
        let bytes = fs::read(&path).with_context(|| format!("cannot read `{name}`"))?;
        let Ok(text) = String::from_utf8(bytes) else {
            writeln!(std::io::stderr(), "`{name}` is not UTF-8; it stays as it is")
                .or_else(super::ignore_closed_pipe)?;
            continue;
        };
        let formatted = format_rules(&text, &Manual);
        if formatted == text {
            continue;
        }
        changed += 1;
        if diff {
            difference(&name.to_string(), &text, &formatted, &mut out);
        } else if check {
            let _ = writeln!(out, "would change {name}");
        } else {
            fs::write(&path, formatted).with_context(|| format!("cannot write `{name}`"))?;
            let _ = writeln!(out, "changed {name}");
        }
    }
    std::io::stdout()
        .write_all(out.as_bytes())
        .or_else(super::ignore_closed_pipe)?;
    let fails = changed > 0 && (check || diff);
    Ok(if fails {
        ExitCode::from(1)
    } else {
        ExitCode::SUCCESS
    })
}

/// The `.rules` files that the paths name.
fn rules_files(paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let input = Input::find(paths)?;
    let is_rules = |path: &Path| path.extension().is_some_and(|extension| extension == "rules");
    let mut files: Vec<PathBuf> = input
        .files
        .into_iter()
        .map(|(path, _)| path)
        .filter(|path| is_rules(path))
        .collect();
    for root in &input.packages {
        let Ok(entries) = fs::read_dir(root.join("Rules")) else {
            continue;
        };
        files.extend(
            entries
                .flatten()
                .map(|entry| entry.path())
                .filter(|path| is_rules(path)),
        );
    }
    files.sort();
    files.dedup();
    Ok(files)
}

/// Lines kept around a change.
const CONTEXT: usize = 2;

/// A unified difference. Lines are compared in order: formatting moves none.
fn difference(name: &str, old: &str, new: &str, out: &mut String) {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let steps = steps(&old, &new);
    let _ = writeln!(out, "--- {name}\n+++ {name} formatted");
    let mut at = 0;
    while at < steps.len() {
        let Some(first) = steps[at..]
            .iter()
            .position(|step| !matches!(step, Step::Same(..)))
            .map(|more| at + more)
        else {
            break;
        };
        let mut last = first;
        for (index, step) in steps.iter().enumerate().skip(first) {
            if !matches!(step, Step::Same(..)) {
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
enum Step {
    Same(usize, usize),
    Old(usize, usize),
    New(usize, usize),
}

impl Step {
    fn places(self) -> (usize, usize) {
        match self {
            Step::Same(old, new) | Step::Old(old, new) | Step::New(old, new) => (old, new),
        }
    }
}

/// Walks both texts. Where lines differ, a line that comes again within reach ends the change.
fn steps(old: &[&str], new: &[&str]) -> Vec<Step> {
    const REACH: usize = 8;
    let (mut i, mut j) = (0, 0);
    let mut out = Vec::new();
    while i < old.len() || j < new.len() {
        if i < old.len() && j < new.len() && old[i] == new[j] {
            out.push(Step::Same(i, j));
            (i, j) = (i + 1, j + 1);
            continue;
        }
        let meets = |skip: &usize| {
            let (a, b) = (skip / REACH, skip % REACH);
            old.get(i + a)
                .zip(new.get(j + b))
                .is_some_and(|(one, other)| one == other && (!one.is_empty() || a == b))
        };
        let nearest = (1..REACH * REACH)
            .filter(meets)
            .min_by_key(|skip| skip / REACH + skip % REACH);
        let (skip_old, skip_new) = nearest.map_or((1, 1), |skip| (skip / REACH, skip % REACH));
        for _ in 0..skip_old.min(old.len() - i) {
            out.push(Step::Old(i, j));
            i += 1;
        }
        for _ in 0..skip_new.min(new.len() - j) {
            out.push(Step::New(i, j));
            j += 1;
        }
    }
    out
}

fn write_hunk(hunk: &[Step], old: &[&str], new: &[&str], out: &mut String) {
    let Some(first) = hunk.first() else { return };
    let olds = hunk.iter().filter(|step| !matches!(step, Step::New(..))).count();
    let news = hunk.iter().filter(|step| !matches!(step, Step::Old(..))).count();
    let (old_start, new_start) = first.places();
    let _ = writeln!(out, "@@ -{},{olds} +{},{news} @@", old_start + 1, new_start + 1);
    for step in hunk {
        let _ = match *step {
            Step::Same(index, _) => writeln!(out, " {}", old[index]),
            Step::Old(index, _) => writeln!(out, "-{}", old[index]),
            Step::New(_, index) => writeln!(out, "+{}", new[index]),
        };
    }
}
