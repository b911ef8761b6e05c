//! The wheel: the Python module, and the program beside it, which pip puts where programs are.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, ensure};

use super::program::StaticProgram;
use super::{DistPlace, FormResult, licences, tools};
use crate::repository;

/// What building it needs from the package index, in an environment of its own.
const NEEDS: &str = "python/requirements-dist.txt";

/// Makes it.
pub(super) fn make(place: &DistPlace, program: &StaticProgram) -> anyhow::Result<FormResult> {
    let python = match environment() {
        Ok(python) => python,
        Err(lack) => return Ok(FormResult::Lacks(lack)),
    };
    let stage = place.stage("wheel")?;
    let mut maturin = Command::new(&python);
    // Zig links for an old glibc, so that the module loads on every Linux of the last ten years.
    maturin
        .args(["-m", "maturin", "build", "--locked", "--profile", "dist", "--zig"])
        .args(["--compatibility", "manylinux2014", "--target"])
        .arg(format!("{}-unknown-linux-gnu", std::env::consts::ARCH))
        .arg("--out")
        .arg(&stage)
        .env("CARGO_TARGET_DIR", tools::target())
        .env("PATH", first_in_path(&python)?)
        .current_dir(repository::root().join("python"));
    tools::run(&mut maturin)?;
    let made = tools::files(&stage)?;
    let made = made.first().context("maturin made no wheel")?;
    add_program(place, program, &python, made, &stage)?;
    let file = place.out.join(made.file_name().context("the wheel has no name")?);
    ensure!(file.is_file(), "the wheel has got another name");
    Ok(FormResult::Made(file))
}

/// Puts the program beside the module: pip copies `scripts` to the programs and `data` to the environment.
fn add_program(
    place: &DistPlace,
    program: &StaticProgram,
    python: &Path,
    module: &Path,
    stage: &Path,
) -> anyhow::Result<()> {
    let mut unpack = Command::new(python);
    unpack
        .args(["-m", "wheel", "unpack", "--dest"])
        .args([stage, module]);
    tools::output(&mut unpack)?;
    let name = format!("cardwright-{}", place.version);
    let folder = stage.join(&name);
    let data = folder.join(format!("{name}.data"));
    tools::copy(&program.path, &data.join("scripts/cardwright"))?;
    let shared = data.join("data/share");
    tools::copy(
        &program.manual.join("cardwright.1"),
        &shared.join("man/man1/cardwright.1"),
    )?;
    tools::copy(
        &program.licences,
        &shared.join("licenses/cardwright").join(licences::NAME),
    )?;
    let mut pack = Command::new(python);
    pack.args(["-m", "wheel", "pack", "--dest-dir"])
        .args([&place.out, &folder])
        .env("SOURCE_DATE_EPOCH", &place.time);
    tools::output(&mut pack)?;
    Ok(())
}

/// An environment with maturin and Zig, or what is missing for it.
fn environment() -> Result<PathBuf, String> {
    let place = tools::target().join("dist-python");
    let python = place.join("bin/python");
    let wanted = repository::text(NEEDS).ok().flatten().unwrap_or_default();
    let installed = place.join("installed.txt");
    if std::fs::read_to_string(&installed).is_ok_and(|there| there == wanted) {
        return Ok(python);
    }
    if let Some(lack) = tools::missing(&["python3"]) {
        return Err(format!(
            "it needs {lack} with venv; on Debian: apt install python3-venv"
        ));
    }
    tools::run(
        Command::new("python3")
            .args(["-m", "venv", "--clear"])
            .arg(&place),
    )
    .map_err(|_| "an environment of Python cannot be made; on Debian: apt install python3-venv".to_owned())?;
    let mut pip = Command::new(&python);
    pip.args([
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--requirement",
    ])
    .arg(repository::root().join(NEEDS));
    tools::run(&mut pip)
        .map_err(|_| format!("{NEEDS} cannot be installed; it needs a way to the package index"))?;
    std::fs::write(&installed, wanted).map_err(|error| format!("{}: {error}", installed.display()))?;
    Ok(python)
}

/// The path of programs, with the environment's own first.
fn first_in_path(python: &Path) -> anyhow::Result<OsString> {
    let own = python.parent().map(Path::to_path_buf).unwrap_or_default();
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::join_paths([own].into_iter().chain(std::env::split_paths(&path)))
        .context("PATH cannot be written")
}
