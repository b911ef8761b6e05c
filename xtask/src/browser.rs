//! The table's tests in a real browser: finds or fetches what they need, then runs them.
//!
//! They need Node, a Chromium, and the Node packages of `tests/browser/package-lock.json`. What is
//! missing is installed by the system's package manager where this process may (as root with
//! `apt-get`) and by `npm ci`; otherwise the tests are skipped, and that is said aloud.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};

use crate::ci::watched;
use crate::repository;

/// The oldest Node that the packages of the lock file run on.
const NODE: u32 = 20;
const BROWSERS: [&str; 5] = [
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    "/usr/bin/google-chrome",
    "/usr/bin/google-chrome-stable",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/// Runs the browser tests; `more` goes to Node's test runner. The program is built already, and the page's
/// module where that can be.
pub(crate) fn test(more: &[String], module: Option<&str>) -> anyhow::Result<()> {
    let chromium = match prepare() {
        Ok(chromium) => chromium,
        Err(why) => {
            eprintln!("\n*** THE BROWSER TESTS ARE SKIPPED: {why:#} ***\n");
            return Ok(());
        }
    };
    let mut environment = vec![("CHROMIUM", chromium.as_os_str())];
    environment.extend(module.map(|path| ("MODULE", OsStr::new(path))));
    let report = repository::root().join("target/browser.tap");
    std::fs::create_dir_all(report.parent().expect("it is a file of target"))?;
    let destination = format!("--test-reporter-destination={}", report.display());
    // Most of a test's time is waiting for what a person would look at: two files at a time fill two cores.
    let mut arguments = vec![
        "--test",
        "--test-concurrency=2",
        "--test-reporter=spec",
        "--test-reporter-destination=stdout",
        "--test-reporter=tap",
        &destination,
    ];
    arguments.extend(more.iter().map(String::as_str));
    let Err(fault) = run(&folder(), "node", &arguments, &environment) else {
        return Ok(());
    };
    let failed = failed_tests(&std::fs::read_to_string(&report).unwrap_or_default());
    again(&failed, &environment, &report).map_err(|why| fault.context(format!("{why:#}")))
}

/// How many tests may fail and be run once more; more than that is no accident of a busy machine.
const AGAIN: usize = 3;

/// Runs each test that failed once more, alone. A page, a browser and a server beside another test's share
/// few cores, and a wait that is long enough everywhere else may end too early. A fault of the program fails
/// again; what passes is named as unsteady, for somebody to look at.
///
/// A pattern that fits no test would end well, too, and so would a file that cannot be loaded: the report
/// must say that the test was there and passed.
fn again(tests: &[FailedTest], environment: &[(&str, &OsStr)], report: &Path) -> anyhow::Result<()> {
    let destination = format!("--test-reporter-destination={}", report.display());
    ensure!(!tests.is_empty(), "the tests did not end");
    ensure!(tests.len() <= AGAIN, "{} tests failed", tests.len());
    for test in tests {
        let name = format!("--test-name-pattern=^{}$", pattern(&test.name));
        println!("\n*** failed, and runs once more, alone: {} ***", test.name);
        let files = importers(Path::new(&test.file))?;
        let mut arguments = vec![
            "--test",
            "--test-concurrency=1",
            "--test-reporter=spec",
            "--test-reporter-destination=stdout",
            "--test-reporter=tap",
            &destination,
            &name,
            &test.file,
        ];
        arguments.extend(files.iter().map(String::as_str));
        run(&folder(), "node", &arguments, environment)?;
        let results = std::fs::read_to_string(report).unwrap_or_default();
        ensure!(
            has_passed(&results, &test.name),
            "\u{201c}{}\u{201d} did not run again",
            test.name
        );
    }
    for test in tests {
        println!(
            "\n*** UNSTEADY: \u{201c}{}\u{201d} of {} passed alone only ***",
            test.name, test.file
        );
    }
    Ok(())
}

/// The files of tests that import this one, to run its tests elsewhere: a report does not tell in which of
/// them a test failed.
fn importers(file: &Path) -> anyhow::Result<Vec<String>> {
    let import = format!("\"./{}\"", file.file_name().unwrap_or_default().display());
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder())? {
        let path = entry?.path();
        let text = if path.extension() == Some(OsStr::new("mjs")) {
            std::fs::read_to_string(&path)?
        } else {
            continue;
        };
        if path.to_string_lossy().ends_with(".test.mjs") && text.contains(&import) {
            files.push(path.display().to_string());
        }
    }
    Ok(files)
}

/// A test that failed, as the report tells it.
#[derive(Debug, PartialEq)]
struct FailedTest {
    name: String,
    /// The path of its file.
    file: String,
}

/// Reads which tests failed from a report in TAP version 13, as Node 20 and later write it:
/// `not ok 3 - NAME`, then lines with `location: 'FILE:LINE:COLUMN'` and others.
fn failed_tests(report: &str) -> Vec<FailedTest> {
    let mut lines = report.lines().map(str::trim_start);
    let mut tests = Vec::new();
    while let Some(line) = lines.next() {
        let Some((_, name)) = line
            .strip_prefix("not ok ")
            .and_then(|rest| rest.split_once(" - "))
        else {
            continue;
        };
        let location = lines
            .by_ref()
            .take(6)
            .find_map(|line| line.strip_prefix("location: '"));
        let file = location
            .and_then(|place| place.rsplitn(3, ':').nth(2))
            .unwrap_or_default();
        tests.push(FailedTest {
            name: unescaped(name),
            file: file.to_owned(),
        });
    }
    tests
}

/// Whether a report says that a test of this name ran and passed: one that is left out is `ok` with a remark.
fn has_passed(report: &str, name: &str) -> bool {
    let lines = report.lines().map(str::trim_start);
    let mut passed = lines.filter_map(|line| Some(line.strip_prefix("ok ")?.split_once(" - ")?.1));
    passed.any(|written| unescaped(written) == name)
}

/// A name as it is, of how TAP writes it.
fn unescaped(name: &str) -> String {
    name.replace("\\#", "#").replace("\\\\", "\\")
}

/// A regular expression of JavaScript that is this text.
fn pattern(text: &str) -> String {
    let mut pattern = String::with_capacity(text.len());
    for letter in text.chars() {
        if r"\^$.*+?()[]{}|/".contains(letter) {
            pattern.push('\\');
        }
        pattern.push(letter);
    }
    pattern
}

fn folder() -> PathBuf {
    repository::root().join("tests/browser")
}

/// Everything but the program; returns the path of Chromium.
fn prepare() -> anyhow::Result<PathBuf> {
    let (node, chromium) = (has_node(), chromium());
    let mut missing = Vec::new();
    if !node {
        missing.extend(["nodejs", "npm"]);
    }
    if chromium.is_none() {
        missing.push("chromium");
    }
    if !missing.is_empty() {
        install(&missing)?;
    }
    ensure!(
        has_node(),
        "Node {NODE} or later is needed for them; `node --version` says otherwise"
    );
    let chromium = self::chromium().context("there is no Chromium; set CHROMIUM to its path")?;
    packages()?;
    Ok(chromium)
}

/// Installs the Node packages of the tests, unless what the lock file names is installed.
pub(crate) fn packages() -> anyhow::Result<()> {
    // `npm ci` writes this file last: it is as old as what is installed.
    let (lock, installed) = (
        folder().join("package-lock.json"),
        folder().join("node_modules/.package-lock.json"),
    );
    if modified(&installed) < modified(&lock) {
        let arguments = ["ci", "--ignore-scripts", "--no-audit", "--no-fund"];
        run(&folder(), "npm", &arguments, &[])
            .context("the packages of the browser tests cannot be installed")?;
    }
    Ok(())
}

/// Whether there is a Node that they run on.
pub(crate) fn has_node() -> bool {
    node_version() >= NODE
}

fn chromium() -> Option<PathBuf> {
    let named = std::env::var_os("CHROMIUM").map(PathBuf::from);
    let usual = BROWSERS.iter().map(PathBuf::from);
    named.into_iter().chain(usual).find(|path| path.is_file())
}

/// The major version; 0 where there is none.
fn node_version() -> u32 {
    let output = Command::new("node").arg("--version").output();
    let text = output.map_or_else(
        |_| String::new(),
        |output| String::from_utf8_lossy(&output.stdout).into_owned(),
    );
    let major = text.trim().trim_start_matches('v').split('.').next();
    major.and_then(|major| major.parse().ok()).unwrap_or(0)
}

fn modified(path: &Path) -> Option<std::time::SystemTime> {
    std::fs::metadata(path).and_then(|about| about.modified()).ok()
}

/// Installs packages of the system where this process may.
fn install(packages: &[&str]) -> anyhow::Result<()> {
    let output = Command::new("id").arg("-u").stderr(Stdio::null()).output();
    let root = output.is_ok_and(|output| output.stdout.starts_with(b"0\n"));
    let list = packages.join(", ");
    ensure!(
        root && Path::new("/usr/bin/apt-get").is_file(),
        "they need {list}, and this process may not install that"
    );
    let quiet = [("DEBIAN_FRONTEND", OsStr::new("noninteractive"))];
    let anywhere = repository::root();
    let update = ["update", "-q"];
    run(&anywhere, "apt-get", &update, &quiet).with_context(|| format!("cannot install {list}"))?;
    let mut arguments = vec!["install", "-y", "-q", "--no-install-recommends"];
    arguments.extend(packages);
    run(&anywhere, "apt-get", &arguments, &quiet).with_context(|| format!("cannot install {list}"))
}

fn run(
    folder: &Path,
    program: &str,
    arguments: &[&str],
    environment: &[(&str, &OsStr)],
) -> anyhow::Result<()> {
    println!("$ {program} {}", arguments.join(" "));
    let mut command = Command::new(program);
    command
        .args(arguments)
        .current_dir(folder)
        .envs(environment.iter().copied())
        .stdin(Stdio::null());
    watched(&mut command, &format!("{program} {}", arguments.join(" ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What Node writes of a test that failed, between two that did not.
    #[test]
    fn failed_tests_are_read_from_the_report() {
        let report = "TAP version 13\nok 1 - one\n  ---\n  duration_ms: 3\n  ...\n\
                      not ok 2 - a list (of 3) is \\# long: desk\n  \
                      ---\n  duration_ms: 21267.06\n  type: 'test'\n  \
                      location: '/a/b c/site.test.mjs:204:1'\n  \
                      failureType: 'testCodeFailure'\n  ...\nok 3 - three\n";
        let expected = FailedTest {
            name: "a list (of 3) is # long: desk".to_owned(),
            file: "/a/b c/site.test.mjs".to_owned(),
        };
        assert_eq!(failed_tests(report), [expected]);
        assert_eq!(failed_tests("TAP version 13\nok 1 - one\n"), []);
    }

    /// What is left out has not passed, nor has a test of another name.
    #[test]
    fn a_test_that_ran_again_is_in_the_report() {
        let report = "ok 1 - one # SKIP test name does not match pattern\nok 2 - a \\# b\nnot ok 3 - three\n";
        assert!(has_passed(report, "a # b"));
        for name in ["one", "three", "a", "/folder/site.test.mjs"] {
            assert!(!has_passed(report, name), "{name}");
        }
    }

    #[test]
    fn names_are_patterns_of_themselves() {
        assert_eq!(pattern("from a link (desk) 1/2?"), r"from a link \(desk\) 1\/2\?");
    }
}
