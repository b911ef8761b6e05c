//! All that is wrong with what the paths name: packages, rules files, scripts with rules, scenario files, or
//! a text that comes through a pipe.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use cw_lab::package_above;
use cw_load::{Language, Project, RuleSource};
use cw_text::{Diagnostic, Sources};

use crate::commands::free;
use crate::game;
use crate::input::{self, Input, shown};
use crate::progress::busy;
use crate::scenario_files::{NamedGames, ReadScenarios};

/// Everything found, with the texts it speaks of.
#[derive(Default)]
pub(crate) struct ReportedFindings {
    pub(crate) sources: Sources,
    /// In order of place.
    pub(crate) found: Vec<Diagnostic>,
    /// How many rules were checked.
    pub(crate) rules: usize,
    /// How many files were checked.
    pub(crate) files: usize,
    /// The package that was checked, if it is the only one.
    pub(crate) projects: Vec<Project>,
}

/// Whether a path stands for the text that comes through a pipe.
pub(crate) fn is_piped(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Checks what the paths name; the text of `-` is taken for that of the file `piped`.
///
/// # Errors
/// A path names nothing that can be checked, or cannot be read.
pub(crate) fn find(paths: &[PathBuf], piped: Option<&Path>) -> Result<ReportedFindings> {
    let named: Vec<PathBuf> = paths.iter().filter(|path| !is_piped(path)).cloned().collect();
    let input = Input::find(&named)?;
    let mut findings = ReportedFindings::default();
    for root in &input.packages {
        let mut project = project(root, &mut findings)?;
        let mut checked = busy("checking", || project.check());
        findings.found.append(&mut checked.found);
        findings.rules += checked.rules;
        findings.files += checked.files;
        let mut scenarios = ReadScenarios::of_package(&project, root, &mut findings.sources)?;
        let name = shown(&root.join(cw_table::MAPPING));
        let (mut found, files) =
            free::check_table(&mut project, &name, &mut scenarios, &mut findings.sources)?;
        findings.found.append(&mut found);
        findings.found.append(&mut scenarios.found);
        findings.files += files + scenarios.files;
        // Of several, each makes room for the next.
        findings
            .projects
            .extend(Some(project).filter(|_| input.packages.len() == 1));
    }
    let mut games = NamedGames::default();
    for path in &input.scenarios {
        let mut found = games.check(path, &mut findings.sources)?;
        findings.found.append(&mut found);
        findings.files += 1;
    }
    // Files of one package need it read once.
    let mut packages: BTreeMap<PathBuf, Project> = BTreeMap::new();
    for (path, root) in &input.files {
        let owner = owner(root.as_deref(), &mut packages, &mut findings)?;
        let bytes = input::read(path).with_context(|| format!("cannot read `{}`", path.display()))?;
        rules_file(bytes, path, &shown(path), owner, &mut findings);
    }
    if named.len() < paths.len() {
        let root = piped.and_then(package_above);
        let owner = owner(root.as_deref(), &mut packages, &mut findings)?;
        let bytes = input::read_piped().context("cannot read standard input")?;
        let name = piped.map_or_else(|| "<stdin>".to_string(), shown);
        rules_file(
            bytes,
            piped.unwrap_or(Path::new("-")),
            &name,
            owner,
            &mut findings,
        );
    }
    findings.found.sort_by_key(|found| (found.file, found.span));
    Ok(findings)
}

/// Reads a package; its texts join those of the findings.
fn project(root: &Path, findings: &mut ReportedFindings) -> Result<Project> {
    let project = game::project_behind(Some(root), &findings.sources)?;
    findings.sources.join(&project.package.sources);
    Ok(project)
}

/// The package that a file belongs to.
fn owner<'a>(
    root: Option<&Path>,
    packages: &'a mut BTreeMap<PathBuf, Project>,
    findings: &mut ReportedFindings,
) -> Result<Option<&'a Project>> {
    let Some(root) = root else { return Ok(None) };
    if !packages.contains_key(root) {
        packages.insert(root.to_path_buf(), project(root, findings)?);
    }
    Ok(packages.get(root))
}

/// Checks one file by itself; `path` tells what it is.
fn rules_file(
    bytes: Vec<u8>,
    path: &Path,
    name: &str,
    owner: Option<&Project>,
    findings: &mut ReportedFindings,
) {
    let language = Language::of_file(&path.to_string_lossy());
    let source = RuleSource::new(bytes, name, language, &mut findings.sources, &mut findings.found);
    let result = match owner {
        Some(project) => source.check_and_try(project.cards(), &project.config.severities),
        None => source.check_and_try(
            &cw_check::KnownCards::default(),
            &cw_check::SeveritySettings::default(),
        ),
    };
    findings.rules += result.rules.len();
    findings.files += 1;
    findings.found.extend(result.diagnostics);
}
