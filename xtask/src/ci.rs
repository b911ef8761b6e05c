//! The steps of CI, each printed before it runs.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::JoinHandle;
use std::time::Instant;

use anyhow::{Context, anyhow, ensure};

use crate::repository;
use crate::{browser, python, rules, scripts, site, tidy};

/// Sets up what the tests need, then runs every test: of Rust, doctests included, then in a browser and in
/// Python. With more arguments, only those tests of Rust that they name.
pub(crate) fn test(more: &[String]) -> anyhow::Result<()> {
    if !repository::root().join("../shared/data").is_dir() {
        eprintln!("note: there is no ../shared/data; the tests on real packages skip themselves");
    }
    let module = site::test_module()?.map(|path| path.display().to_string());
    // Tests find the page's module by this name.
    let environment: Vec<(&str, &str)> = module.iter().map(|path| ("MODULE", path.as_str())).collect();
    let rust = [&["test", "--workspace"], &strs(more)[..]].concat();
    if !more.is_empty() {
        return cargo(&rust, &environment);
    }
    // The program is built with the tests. Building it by itself asks its dependencies for fewer features,
    // and so would build most of them again: three minutes and more.
    cargo(&["test", "--workspace", "--no-run"], &environment)?;
    // Those in a browser mostly wait for pages, for longer than all others take: they run beside them.
    let beside = BrowserTests::start(module.clone())?;
    // One test that fails does not keep the others from being seen.
    let rust = cargo(&[&rust[..], &["--no-fail-fast"]].concat(), &environment);
    println!("\n$ cargo xtask python");
    let python = python::test(&[]);
    rust.and(python).and(beside.end())
}

/// The tests in a browser beside others. What they print is shown at their end.
struct BrowserTests {
    log: PathBuf,
    running: JoinHandle<anyhow::Result<()>>,
}

impl BrowserTests {
    /// Starts `cargo xtask browser`; its log is a file of `target`, and `module` is the page's.
    fn start(module: Option<String>) -> anyhow::Result<Self> {
        let target = repository::root().join("target");
        std::fs::create_dir_all(&target)?;
        let log = target.join("browser-tests.log");
        println!("$ cargo xtask browser    # beside the next tests; its output follows them");
        let own = log.clone();
        let running = std::thread::spawn(move || run_into("browser", &own, module.as_deref()));
        Ok(Self { log, running })
    }

    fn end(self) -> anyhow::Result<()> {
        let result = self.running.join();
        let result = result.map_err(|_| anyhow!("the tests beside others broke off"))?;
        println!("\n$ cargo xtask browser");
        print!("{}", std::fs::read_to_string(&self.log).unwrap_or_default());
        result
    }
}

/// Runs `cargo xtask` with this word, for tests that are built; a file takes what they print.
fn run_into(tests: &str, log: &Path, module: Option<&str>) -> anyhow::Result<()> {
    let file = File::create(log).with_context(|| format!("cannot write {}", log.display()))?;
    let begun = Instant::now();
    let status = Command::new(std::env::current_exe().context("this program has no path")?)
        .args([tests, "--built"])
        .envs(module.map(|path| ("MODULE", path)))
        .stdin(Stdio::null())
        .stderr(file.try_clone()?)
        .stdout(file)
        .status()
        .context("cannot run xtask again")?;
    eprintln!(
        "# cargo xtask {tests}: ended after {} s",
        begun.elapsed().as_secs()
    );
    ensure!(status.success(), "the tests of `cargo xtask {tests}` failed");
    Ok(())
}

/// Builds the program, and tests and checks the Python package beside it.
pub(crate) fn python_tests(more: &[String]) -> anyhow::Result<()> {
    cargo(&["build", "--package", "cardwright"], &[])?;
    python::test(more)
}

/// Builds the program, unless it is said to be built, and plays at its table in a browser.
pub(crate) fn browser_tests(more: &[String]) -> anyhow::Result<()> {
    if more == ["--built"] {
        return browser::test(&[], std::env::var("MODULE").ok().as_deref());
    }
    cargo(&["build", "--package", "cardwright"], &[])?;
    let module = site::test_module()?.map(|path| path.display().to_string());
    browser::test(more, module.as_deref())
}

/// Everything that is looked at without running it.
pub(crate) fn lint() -> anyhow::Result<()> {
    cargo(&["fmt", "--all", "--check"], &[])?;
    cargo(
        &["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"],
        &[],
    )?;
    cargo(
        &["doc", "--workspace", "--no-deps"],
        &[("RUSTDOCFLAGS", "-D warnings")],
    )?;
    // The fuzz targets are a workspace of their own: a change of a dependency must reach their lock file too.
    cargo(
        &[
            "update",
            "--workspace",
            "--locked",
            "--manifest-path",
            "fuzz/Cargo.toml",
        ],
        &[],
    )?;
    page()?;
    scripts::check()?;
    licences()?;
    tidy::check()?;
    rules::report(rules::Detail::Counts)
}

/// Whether the page that serves itself compiles, where the toolchain can do that. CI builds it for its tests.
fn page() -> anyhow::Result<()> {
    let target = site::TARGET;
    if std::env::var_os("CI").is_some() {
        println!("cw-browser is built for pages with the tests");
        return Ok(());
    }
    if !site::has_target()? {
        println!(
            "no {target} here: cw-browser is not checked for pages (`rustup target add {target}` brings it)"
        );
        return Ok(());
    }
    cargo(&["check", "--package", "cw-browser", "--target", target], &[])
}

/// Licences, bans and sources of the dependencies; their advisories where the database lies at hand, since it
/// comes from outside (`cargo deny fetch db` brings it).
fn licences() -> anyhow::Result<()> {
    let installed = Command::new("cargo-deny").arg("--version").output();
    if !installed.is_ok_and(|output| output.status.success()) {
        println!("cargo-deny is not installed: licences, bans, sources and advisories are not looked at");
        return Ok(());
    }
    cargo(&["deny", "check", "licenses", "bans", "sources"], &[])?;
    if !advisories().is_some_and(|database| database.is_dir()) {
        println!("there is no database of advisories here: fetch it with `cargo deny fetch db`");
        return Ok(());
    }
    cargo(&["deny", "check", "--disable-fetch", "advisories"], &[])
}

/// Where cargo-deny keeps its database of advisories.
fn advisories() -> Option<PathBuf> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cargo")))?;
    Some(home.join("advisory-dbs"))
}

/// Runs the tests and lets them write what they would otherwise compare with.
pub(crate) fn bless() -> anyhow::Result<()> {
    let accept = [("INSTA_UPDATE", "always"), ("CARDWRIGHT_BLESS", "1")];
    cargo(&["test", "--workspace", "--no-fail-fast"], &accept)
}

fn strs(words: &[String]) -> Vec<&str> {
    words.iter().map(String::as_str).collect()
}

/// Runs cargo in the workspace. In CI the lock file is law.
pub(crate) fn cargo(arguments: &[&str], environment: &[(&str, &str)]) -> anyhow::Result<()> {
    let mut arguments = arguments.to_vec();
    let in_ci = std::env::var_os("CI").is_some();
    if in_ci && !["fmt", "deny", "update"].contains(&arguments[0]) {
        arguments.insert(1, "--locked");
    }
    let mut shown = String::from("$");
    for (name, value) in environment {
        shown.push_str(&format!(" {name}='{value}'"));
    }
    println!("{shown} cargo {}", arguments.join(" "));
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(program);
    command
        .args(&arguments)
        .current_dir(repository::root())
        .envs(environment.iter().copied());
    if in_ci && !environment.iter().any(|(name, _)| *name == "INSTA_UPDATE") {
        command.env("INSTA_UPDATE", "no");
    }
    watched(&mut command, &format!("cargo {}", arguments.join(" ")))
}

/// Runs a command that is printed already, and says how long it took.
///
/// # Errors
/// If it cannot be started, or fails; `name` is what it is called then.
pub(crate) fn watched(command: &mut Command, name: &str) -> anyhow::Result<()> {
    let begun = Instant::now();
    let status = command
        .status()
        .with_context(|| format!("cannot run {}", command.get_program().display()))?;
    println!("# {name}: {} s", begun.elapsed().as_secs());
    ensure!(status.success(), "`{name}` failed");
    Ok(())
}
