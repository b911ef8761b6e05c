//! Prepares a release: checks the repository, sets the version everywhere, and writes the notes.
//!
//! It commits, tags and publishes nothing. Everything is checked before the first file is written, and all
//! that is wrong is reported at once, so one run is enough to know what is missing.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, bail, ensure};

use crate::{repository, tidy};

const CHANGELOG: &str = "CHANGELOG.md";
const MANIFEST: &str = "Cargo.toml";
/// The lock files that name the version of our own crates. The fuzz targets are a workspace of their own.
const LOCKS: [&str; 2] = ["Cargo.lock", "fuzz/Cargo.lock"];

/// Whether files are written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Checks and writes.
    Write,
    /// Checks, and says what would be written.
    DryRun,
}

/// Prepares the release `version` of this repository.
///
/// # Errors
/// If the repository is not ready for it. Nothing is written then.
pub(crate) fn run(version: &str, mode: Mode) -> anyhow::Result<()> {
    let root = repository::root();
    let plan = prepare(&root, version)?;
    tidy::check()?;
    let notes = format!("target/release-notes-{version}.md");
    for file in &plan.files {
        println!("{}: {}", file.path, file.what);
    }
    println!("{notes}: the section of the changelog");
    if mode == Mode::DryRun {
        println!("\n{}\nnothing was written (--dry-run)", plan.notes);
        return Ok(());
    }
    std::fs::create_dir_all(root.join("target")).context("cannot make the folder target")?;
    write(&root, &notes, &plan.notes)?;
    for file in &plan.files {
        write(&root, &file.path, &file.text)?;
    }
    print!(
        "
Next:
  git diff                                  # read what was changed
  cargo xtask ci                            # every check and test
  git commit -am 'release: Cardwright {version}'
  git tag -a v{version} -F {notes} --cleanup=whitespace
  git push --follow-tags
"
    );
    Ok(())
}

/// A release that may be made: the new texts of the files that change, and the notes.
#[derive(Debug)]
struct ReleasePlan {
    files: Vec<ChangedFile>,
    notes: String,
}

#[derive(Debug)]
struct ChangedFile {
    path: String,
    /// The change in a few words.
    what: String,
    text: String,
}

/// Checks the repository in `root` and computes its new files.
fn prepare(root: &Path, version: &str) -> anyhow::Result<ReleasePlan> {
    let Some(new) = numbers(version) else {
        bail!("`{version}` is not a version; write three numbers, for example 0.2.0");
    };
    let manifest = read(root, MANIFEST)?;
    let old = workspace_version(&manifest)?;
    let changelog = read(root, CHANGELOG)?;
    let date = git(root, &["log", "-1", "--format=%cs"])?;

    let mut faults = Vec::new();
    if numbers(old).is_some_and(|old| old >= new) {
        faults.push(format!(
            "{MANIFEST}: the version is {old} already; {version} is not later"
        ));
    }
    state_of_git(root, version, &mut faults)?;
    let section = released_section(&changelog, version, &mut faults);
    if !faults.is_empty() {
        let mut message = format!("{version} cannot be released yet:");
        for fault in faults {
            write!(message, "\n  {fault}")?;
        }
        bail!(message);
    }

    let what = format!("version {old} becomes {version}");
    let mut files = vec![ChangedFile {
        path: MANIFEST.to_owned(),
        what: what.clone(),
        text: with_workspace_version(&manifest, version)?,
    }];
    for lock in LOCKS {
        files.push(ChangedFile {
            path: lock.to_owned(),
            what: what.clone(),
            text: relock(&read(root, lock)?, old, version),
        });
    }
    let heading = format!("## [{version}]");
    let dated = format!("{heading} - {date}");
    let text: String = changelog
        .split_inclusive('\n')
        .map(|line| match line.trim_end() == heading {
            true => format!("{dated}\n"),
            false => line.to_owned(),
        })
        .collect();
    if text != changelog {
        files.push(ChangedFile {
            path: CHANGELOG.to_owned(),
            what: format!("the section {version} gets the date {date}"),
            text,
        });
    }
    let notes = format!("Cardwright {version}\n\n{}\n", section.trim());
    Ok(ReleasePlan { files, notes })
}

/// The three numbers of a version; `None` for anything else.
fn numbers(version: &str) -> Option<[u32; 3]> {
    let parts: Vec<u32> = version
        .split('.')
        .map(
            |part| match part.starts_with('0') && part.len() > 1 || part.starts_with('+') {
                true => None,
                false => part.parse().ok(),
            },
        )
        .collect::<Option<_>>()?;
    parts.try_into().ok()
}

/// The place of the version in the section `[workspace.package]`.
fn version_place(manifest: &str) -> anyhow::Result<std::ops::Range<usize>> {
    let (section, key) = ("[workspace.package]\n", "version = \"");
    let start = manifest
        .find(section)
        .with_context(|| format!("{MANIFEST}: there is no section [workspace.package]"))?
        + section.len();
    let end = manifest[start..]
        .find("\n[")
        .map_or(manifest.len(), |end| start + end);
    let body = &manifest[start..end];
    let at = match body.starts_with(key) {
        true => Some(0),
        false => body.find(&format!("\n{key}")).map(|at| at + 1),
    };
    let from = start
        + key.len()
        + at.with_context(|| format!("{MANIFEST}: [workspace.package] has no `version`"))?;
    let length = manifest[from..]
        .find('"')
        .with_context(|| format!("{MANIFEST}: the quote after `version` is not closed"))?;
    Ok(from..from + length)
}

fn workspace_version(manifest: &str) -> anyhow::Result<&str> {
    Ok(&manifest[version_place(manifest)?])
}

fn with_workspace_version(manifest: &str, version: &str) -> anyhow::Result<String> {
    let mut text = manifest.to_owned();
    text.replace_range(version_place(manifest)?, version);
    Ok(text)
}

/// Sets the version of our own crates in a lock file. They are the packages without a source: they come from
/// this repository. A crate of another registry may have the same version, and keeps it.
fn relock(lock: &str, old: &str, new: &str) -> String {
    let (old, new) = (
        format!("\nversion = \"{old}\"\n"),
        format!("\nversion = \"{new}\"\n"),
    );
    lock.split_inclusive("[[package]]")
        .map(|package| match package.contains("\nsource = ") {
            true => package.to_owned(),
            false => package.replacen(&old, &new, 1),
        })
        .collect()
}

/// Checks that the commit may be tagged.
fn state_of_git(root: &Path, version: &str, faults: &mut Vec<String>) -> anyhow::Result<()> {
    let branch = git(root, &["branch", "--show-current"])?;
    if branch != "main" {
        let branch = if branch.is_empty() { "no branch" } else { &branch };
        faults.push(format!(
            "git: this is {branch}; releases are made on main: git switch main"
        ));
    }
    let changes = git(root, &["status", "--porcelain"])?;
    if let Some(first) = changes.lines().next() {
        let count = changes.lines().count();
        faults.push(format!(
            "git: {count} changed or new files, the first is `{}`; commit or stash them",
            first
                .trim_start()
                .split_once(' ')
                .map_or(first, |(_, file)| file.trim())
        ));
    }
    let tag = format!("v{version}");
    if !git(root, &["tag", "--list", &tag])?.is_empty() {
        faults.push(format!("git: the tag {tag} exists; choose a later version"));
    }
    Ok(())
}

/// The text below the heading of the version. News above it would be in the release but not in its notes.
fn released_section(changelog: &str, version: &str, faults: &mut Vec<String>) -> String {
    let heading = format!("## [{version}]");
    let mut current = None;
    let mut section = String::new();
    let mut found = None;
    for (number, line) in (1..).zip(changelog.lines()) {
        if line.starts_with("## ") {
            current = Some(line);
            if line == heading || line.starts_with(&format!("{heading} ")) {
                found = Some(number);
            }
            continue;
        }
        match current {
            Some("## [Unreleased]") if line.starts_with("- ") => {
                faults.push(format!(
                    "{CHANGELOG}:{number}: this line stands below `## [Unreleased]`; \
                     move it below `{heading}`"
                ));
                current = None; // one message is enough
            }
            Some(at) if at == heading || at.starts_with(&format!("{heading} ")) => {
                section.push_str(line);
                section.push('\n');
            }
            _ => {}
        }
    }
    match found {
        None => faults.push(format!(
            "{CHANGELOG}: there is no section `{heading}`; \
             write it below `## [Unreleased]`, for the people who use it"
        )),
        Some(number) if !section.lines().any(|line| line.starts_with("- ")) => faults.push(format!(
            "{CHANGELOG}:{number}: the section `{heading}` is empty; \
             say what is new, a line each that begins with `- `"
        )),
        Some(_) => {}
    }
    section
}

fn read(root: &Path, file: &str) -> anyhow::Result<String> {
    std::fs::read_to_string(root.join(file)).with_context(|| format!("cannot read {file}"))
}

fn write(root: &Path, file: &str, text: &str) -> anyhow::Result<()> {
    std::fs::write(root.join(file), text).with_context(|| format!("cannot write {file}"))
}

/// What git answers, without the last line end.
fn git(root: &Path, arguments: &[&str]) -> anyhow::Result<String> {
    let output = Command::new("git")
        .args(arguments)
        .current_dir(root)
        .output()
        .context("cannot run git; install it")?;
    ensure!(
        output.status.success(),
        "`git {}` failed: {}",
        arguments.join(" "),
        String::from_utf8_lossy(&output.stderr).trim()
    );
    Ok(String::from_utf8_lossy(&output.stdout).trim_end().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD_CHANGELOG: &str = "# Changelog\n\n## [Unreleased]\n\n\
        ## [0.2.0]\n\n### Play\n\n- A table.\n\n## [0.1.0] - 2025-01-01\n\n- All.\n";
    const GOOD_MANIFEST: &str = "[workspace]\nmembers = []\n\n\
        [workspace.package]\nedition = \"2024\"\nversion = \"0.1.0\"\n\n\
        [workspace.dependencies]\nother = \"0.1.0\"\n";
    const GOOD_LOCK: &str = "version = 4\n\n\
        [[package]]\nname = \"cw-text\"\nversion = \"0.1.0\"\n\n\
        [[package]]\nname = \"other\"\nversion = \"0.1.0\"\nsource = \"registry\"\n";

    /// A repository on `main` with one commit, ready for 0.2.0.
    fn repository() -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path();
        std::fs::create_dir(root.join("fuzz")).expect("a folder");
        for (file, text) in [
            (CHANGELOG, GOOD_CHANGELOG),
            (MANIFEST, GOOD_MANIFEST),
            ("Cargo.lock", GOOD_LOCK),
            ("fuzz/Cargo.lock", GOOD_LOCK),
        ] {
            write(root, file, text).expect("a file");
        }
        git(root, &["init", "--quiet", "--initial-branch", "main"]).expect("a repository");
        commit(root);
        folder
    }

    fn commit(root: &Path) {
        git(root, &["add", "."]).expect("the files are added");
        let who = ["-c", "user.name=Ann", "-c", "user.email=ann@example.org"];
        git(root, &[&who[..], &["commit", "--quiet", "-m", "all"]].concat()).expect("a commit");
    }

    /// Changes a ready repository, and compares why 0.2.0 cannot be released.
    #[track_caller]
    fn check(version: &str, change: impl FnOnce(&Path), wanted: &str) {
        let folder = repository();
        change(folder.path());
        let error = prepare(folder.path(), version).expect_err("it is not ready");
        assert!(error.to_string().contains(wanted), "{error}");
    }

    #[track_caller]
    fn check_changelog(text: &str, wanted: &str) {
        check(
            "0.2.0",
            |root| {
                write(root, CHANGELOG, text).expect("a changelog");
                commit(root);
            },
            wanted,
        );
    }

    #[test]
    fn a_release_sets_every_version_and_dates_its_section() {
        let folder = repository();
        let plan = prepare(folder.path(), "0.2.0").expect("it is ready");
        let texts: Vec<_> = plan
            .files
            .iter()
            .map(|file| (file.path.as_str(), file.text.as_str()))
            .collect();
        let date = git(folder.path(), &["log", "-1", "--format=%cs"]).expect("a date");
        let manifest = GOOD_MANIFEST.replace("\nversion = \"0.1.0\"", "\nversion = \"0.2.0\"");
        let lock = GOOD_LOCK.replacen("0.1.0", "0.2.0", 1);
        let changelog = GOOD_CHANGELOG.replace("[0.2.0]", &format!("[0.2.0] - {date}"));
        assert_eq!(
            texts,
            [
                (MANIFEST, manifest.as_str()),
                ("Cargo.lock", &lock),
                ("fuzz/Cargo.lock", &lock),
                (CHANGELOG, &changelog),
            ]
        );
        assert_eq!(plan.notes, "Cardwright 0.2.0\n\n### Play\n\n- A table.\n");
    }

    #[test]
    fn a_date_that_is_there_is_kept() {
        let folder = repository();
        let dated = GOOD_CHANGELOG.replace("[0.2.0]", "[0.2.0] - 2026-01-02");
        write(folder.path(), CHANGELOG, &dated).expect("a changelog");
        commit(folder.path());
        let plan = prepare(folder.path(), "0.2.0").expect("it is ready");
        assert!(plan.files.iter().all(|file| file.path != CHANGELOG));
        assert_eq!(plan.notes, "Cardwright 0.2.0\n\n### Play\n\n- A table.\n");
    }

    #[test]
    fn what_is_missing_is_said_with_its_place() {
        check("0.2", |_| {}, "`0.2` is not a version; write three numbers");
        check("0.02.0", |_| {}, "`0.02.0` is not a version");
        check("v0.2.0", |_| {}, "`v0.2.0` is not a version");
        check("0.1.0", |_| {}, "Cargo.toml: the version is 0.1.0 already");
        check("0.3.0", |_| {}, "CHANGELOG.md: there is no section `## [0.3.0]`");
        check(
            "0.2.0",
            |root| write(root, "new.txt", "new").expect("a file"),
            "1 changed or new files, the first is `new.txt`; commit or stash them",
        );
        check(
            "0.2.0",
            |root| drop(git(root, &["switch", "--quiet", "-c", "side"]).expect("a branch")),
            "git: this is side; releases are made on main",
        );
        check(
            "0.2.0",
            |root| drop(git(root, &["tag", "v0.2.0"]).expect("a tag")),
            "git: the tag v0.2.0 exists",
        );
        check_changelog(
            &GOOD_CHANGELOG.replace("[Unreleased]\n", "[Unreleased]\n\n- New.\n"),
            "CHANGELOG.md:5: this line stands below `## [Unreleased]`",
        );
        check_changelog(
            &GOOD_CHANGELOG.replace("- A table.\n", ""),
            "CHANGELOG.md:5: the section `## [0.2.0]` is empty",
        );
    }

    #[test]
    fn everything_that_is_wrong_is_reported_at_once() {
        let folder = repository();
        write(folder.path(), CHANGELOG, "# Changelog\n").expect("a changelog");
        let error = prepare(folder.path(), "0.2.0").expect_err("it is not ready");
        assert_eq!(error.to_string().lines().count(), 3, "{error}");
    }

    #[test]
    fn this_repository_says_its_version_in_one_place() {
        let root = crate::repository::root();
        let manifest = read(&root, MANIFEST).expect("the manifest");
        let version = workspace_version(&manifest).expect("a version").to_owned();
        for lock in LOCKS {
            let text = read(&root, lock).expect("a lock file");
            assert!(
                relock(&text, &version, "9.9.9").contains("version = \"9.9.9\""),
                "{lock}"
            );
        }
    }
}
