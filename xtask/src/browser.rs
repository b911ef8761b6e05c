//! The table's tests in a real browser: finds or fetches what they need, then runs them.
//!
//! They need Node, a Chromium, and the Node packages of `tests/browser/package-lock.json`. What is
//! missing is installed by the system's package manager where this process may (as root with
//! `apt-get`) and by `npm ci`; otherwise the tests are skipped, and that is said aloud.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};

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

/// Runs the browser tests; `more` goes to Node's test runner. The program is built already, and the page's module where
/// that can be.
pub(crate) fn test(more: &[String], module: Option<&str>) -> anyhow::Result<()> {
    let chromium = match prepare() {
        Ok(chromium) => chromium,
        Err(why) => {
            eprintln!("\n*** THE BROWSER TESTS ARE SKIPPED: {why:#} ***\n");
            return Ok(());
        }
    };
    // Most of a test's time is waiting for what a person would look at: two files at a time fill two cores.
    let mut arguments = vec!["--test", "--test-reporter=spec", "--test-concurrency=2"];
    arguments.extend(more.iter().map(String::as_str));
    let mut environment = vec![("CHROMIUM", chromium.as_os_str())];
    environment.extend(module.map(|path| ("MODULE", OsStr::new(path))));
    run(&folder(), "node", &arguments, &environment)
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
    let status = Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .envs(environment.iter().copied())
        .stdin(Stdio::null())
        .status()
        .with_context(|| format!("cannot run {program}"))?;
    ensure!(status.success(), "`{program} {}` failed", arguments.join(" "));
    Ok(())
}
