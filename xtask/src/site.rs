//! The page that serves itself: its WebAssembly module, and the demo site made with it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail, ensure};

use crate::ci::cargo;
use crate::repository;

/// What the module is compiled for.
pub(crate) const TARGET: &str = "wasm32-unknown-unknown";

/// Whether that can be done here.
pub(crate) fn has_target() -> anyhow::Result<bool> {
    let folder = Command::new("rustc")
        .args(["--print", "target-libdir", "--target", TARGET])
        .output()
        .context("rustc cannot be started")?;
    Ok(Path::new(String::from_utf8_lossy(&folder.stdout).trim()).is_dir())
}

/// Where the module lies once it was built.
pub(crate) fn module_path() -> PathBuf {
    repository::root().join("target/site/cardwright.wasm")
}

/// Builds the module that tests look at, where the toolchain can do that, and says where it lies.
pub(crate) fn test_module() -> anyhow::Result<Option<PathBuf>> {
    if !has_target()? {
        eprintln!(
            "\n*** THE TESTS OF THE PAGE'S MODULE ARE SKIPPED: no {TARGET} here; `rustup target add {TARGET}` brings it ***\n"
        );
        return Ok(None);
    }
    build("module-test").map(Some)
}

/// Builds the module with a profile; where it lies.
fn build(profile: &str) -> anyhow::Result<PathBuf> {
    let arguments = [
        "rustc",
        "--package",
        "cw-browser",
        "--lib",
        "--crate-type",
        "cdylib",
        "--profile",
        profile,
        "--target",
        TARGET,
    ];
    cargo(&arguments, &[])?;
    Ok(repository::root().join(format!("target/{TARGET}/{profile}/cw_browser.wasm")))
}

/// Builds the module of the page.
pub(crate) fn module() -> anyhow::Result<PathBuf> {
    if !has_target()? {
        bail!(
            "no {TARGET} here, so the page's module cannot be built; `rustup target add {TARGET}` brings it"
        );
    }
    let built = build("module")?;
    let path = module_path();
    let folder = path.parent().context("the module lies in a folder")?;
    fs::create_dir_all(folder)?;
    let shrunk = shrink(&built, &path)?;
    if !shrunk {
        fs::copy(&built, &path)?;
    }
    let [before, after] = [&built, &path].map(|file| fs::metadata(file).map_or(0, |about| about.len()));
    let how = match shrunk {
        true => format!(", {:.1} MB before wasm-opt", before as f64 / 1e6),
        false => "; with `wasm-opt` in the path it would be smaller".to_owned(),
    };
    println!("{}: {:.1} MB{how}", path.display(), after as f64 / 1e6);
    Ok(path)
}

/// Makes it smaller, where there is a tool for that; whether it did.
fn shrink(built: &Path, path: &Path) -> anyhow::Result<bool> {
    let mut command = Command::new("wasm-opt");
    command.args(["-Os", "--all-features", "-o"]).arg(path).arg(built);
    match command.status() {
        Ok(status) => {
            ensure!(status.success(), "wasm-opt failed");
            Ok(true)
        }
        Err(_) => Ok(false),
    }
}

/// Makes the demo site in `target/site/demo`: the demo game, and the game that `cardwright new` begins.
pub(crate) fn demo() -> anyhow::Result<()> {
    let module = module()?;
    cargo(&["build", "--release", "--package", "cardwright"], &[])?;
    let program = repository::root().join("target/release/cardwright");
    let out = repository::root().join("target/site/demo");
    fs::create_dir_all(&out)?;
    let begun = repository::root().join("target/site/new-game");
    if begun.exists() {
        fs::remove_dir_all(&begun)?;
    }
    let run = |arguments: &[&Path]| -> anyhow::Result<()> {
        let status = Command::new(&program)
            .args(arguments)
            .current_dir(repository::root())
            .status()
            .context("the program cannot be started")?;
        ensure!(status.success(), "the program failed");
        Ok(())
    };
    run(&[Path::new("new"), &begun])?;
    for (game, name) in [
        (repository::root().join("games/saltmarsh"), "saltmarsh"),
        (begun, "new"),
    ] {
        let out = out.join(name);
        run(&[
            Path::new("site"),
            &game,
            Path::new("--out"),
            &out,
            Path::new("--module"),
            &module,
        ])?;
    }
    println!("the demo site lies in {}", out.display());
    Ok(())
}
