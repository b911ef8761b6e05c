//! The Python package: makes an environment, builds the wheel, installs it there, and tests and checks it.
//!
//! It needs Python 3.11 or later and, the first time, the package index. Where they are missing it is
//! skipped, and that is said aloud.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, bail};

use crate::ci::watched;
use crate::repository;

/// The oldest Python that the wheel is for.
const PYTHON: (u32, u32) = (3, 11);
const NAMES: [&str; 6] = [
    "python3",
    "python3.14",
    "python3.13",
    "python3.12",
    "python3.11",
    "python",
];

/// Builds the wheel, tests it in its environment, and checks types, stubs and style; `more` goes to pytest,
/// and then nothing else is checked. The program is built already.
///
/// # Errors
/// If something fails; not if there is no Python, or no way to the package index.
pub(crate) fn test(more: &[String]) -> anyhow::Result<()> {
    let python = match prepare() {
        Ok(python) => python,
        Err(why) => {
            eprintln!("\n*** THE TESTS IN PYTHON ARE SKIPPED: {why:#} ***\n");
            return Ok(());
        }
    };
    let wheel = wheel(&python)?;
    let install = [
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--no-deps",
        "--force-reinstall",
    ];
    python.run(
        &[&install[..], &[&wheel.to_string_lossy()]].concat(),
        &environment(),
    )?;
    let mut pytest = vec!["-P", "-m", "pytest", "--rootdir", ".", "--quiet"];
    pytest.extend(more.iter().map(String::as_str));
    // Its own folder is not on the path (-P): what is tested is what was installed.
    python.run_in(
        &folder(),
        &pytest,
        &[
            ("CARDWRIGHT_BIN", program().into_os_string()),
            // Nor for the programs that tests start, such as a bot.
            ("PYTHONSAFEPATH", "1".into()),
        ],
    )?;
    if !more.is_empty() {
        return Ok(());
    }
    python.run_in(&folder(), &["-m", "ruff", "check", "."], &[])?;
    python.run_in(&folder(), &["-m", "ruff", "format", "--check", "."], &[])?;
    python.run_in(&folder(), &["-m", "mypy"], &[])?;
    python.run_in(
        &environment(),
        &["-P", "-m", "mypy.stubtest", "cardwright._engine"],
        &[],
    )
}

/// An interpreter in an environment of our own.
struct Python(PathBuf);

impl Python {
    fn run(&self, arguments: &[&str], folder: &Path) -> anyhow::Result<()> {
        self.run_in(folder, arguments, &[])
    }

    fn run_in(&self, folder: &Path, arguments: &[&str], more: &[(&str, OsString)]) -> anyhow::Result<()> {
        println!("$ python {}", arguments.join(" "));
        let mut command = Command::new(&self.0);
        command
            .args(arguments)
            .current_dir(folder)
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .envs(more.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::null());
        watched(&mut command, &format!("python {}", arguments.join(" ")))
    }
}

fn folder() -> PathBuf {
    repository::root().join("python")
}

/// Where the environment is.
fn environment() -> PathBuf {
    target().join("python")
}

fn target() -> PathBuf {
    let named = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    named.unwrap_or_else(|| repository::root().join("target"))
}

/// The command line, with whose results those of Python are compared.
fn program() -> PathBuf {
    let name = format!("cardwright{}", std::env::consts::EXE_SUFFIX);
    let path = target().join("debug").join(name);
    path.canonicalize().unwrap_or(path)
}

/// The environment with everything in it but the wheel.
fn prepare() -> anyhow::Result<Python> {
    let inside = match cfg!(windows) {
        true => environment().join("Scripts/python.exe"),
        false => environment().join("bin/python"),
    };
    let wanted = std::fs::read_to_string(folder().join("requirements-test.txt"))
        .context("python/requirements-test.txt cannot be read")?;
    let installed = environment().join("installed.txt");
    if std::fs::read_to_string(&installed).is_ok_and(|there| there == wanted) {
        return Ok(Python(inside));
    }
    let Some(system) = NAMES.iter().find(|name| version(name) >= PYTHON) else {
        bail!("they need Python {}.{} or later", PYTHON.0, PYTHON.1);
    };
    let system = Python(PathBuf::from(system));
    let place = environment();
    let made = system.run(&["-m", "venv", "--clear", &place.to_string_lossy()], &folder());
    made.context("an environment cannot be made (on Debian that is the package python3-venv)")?;
    let python = Python(inside);
    let install = [
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--no-deps",
    ];
    let install = [&install[..], &["--requirement", "requirements-test.txt"]].concat();
    python
        .run(&install, &folder())
        .context("their dependencies cannot be installed from the package index")?;
    std::fs::write(&installed, wanted).context("cannot write into the environment")?;
    Ok(python)
}

/// The version of an interpreter; 0.0 where there is none.
fn version(name: &str) -> (u32, u32) {
    let code = "import sys; print(*sys.version_info[:2])";
    let output = Command::new(name).args(["-c", code]).output();
    let text = output.map_or_else(
        |_| String::new(),
        |output| String::from_utf8_lossy(&output.stdout).into_owned(),
    );
    let mut numbers = text.split_whitespace().filter_map(|number| number.parse().ok());
    (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0))
}

/// Builds the wheel, and tells where it is.
fn wheel(python: &Python) -> anyhow::Result<PathBuf> {
    let out = target().join("wheels");
    if out.is_dir() {
        std::fs::remove_dir_all(&out).context("an old wheel cannot be removed")?;
    }
    let (target, place) = (target(), out.to_string_lossy().into_owned());
    let target = target.canonicalize().unwrap_or(target).into_os_string();
    // Without `--release`: what the other tests have built serves here, too.
    let build = [
        "-m",
        "maturin",
        "build",
        "--quiet",
        "--locked",
        "--profile",
        "dev",
        "--out",
        &place,
    ];
    python.run_in(&folder(), &build, &[("CARGO_TARGET_DIR", target)])?;
    let mut wheels = std::fs::read_dir(&out).context("there is no wheel")?;
    let wheel = wheels.next().context("there is no wheel")?;
    Ok(wheel.context("the wheel cannot be found")?.path())
}
