//! The statically linked program, with its manual pages and completions: it runs on any Linux, whatever its
//! libraries.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context;

use super::parts::ProgramParts;
use super::{DistPlace, licences, tools};
use crate::repository;

/// What every form holds.
pub(super) struct StaticProgram {
    pub(super) path: PathBuf,
    /// For which processor and system, as Rust calls it.
    pub(super) target: String,
    /// A folder with a page for each command.
    pub(super) manual: PathBuf,
    /// A folder with `cardwright.bash`, `_cardwright` and `cardwright.fish`.
    pub(super) completions: PathBuf,
    /// The licences of all parts.
    pub(super) licences: PathBuf,
}

/// The shells, and the names that they expect.
const SHELLS: [(&str, &str); 3] = [
    ("bash", "cardwright.bash"),
    ("zsh", "_cardwright"),
    ("fish", "cardwright.fish"),
];

/// The target of the static program on this machine's processor.
pub(super) fn target() -> String {
    format!("{}-unknown-linux-musl", std::env::consts::ARCH)
}

/// Builds it with the modules of a page, if there are any, or tells what this machine lacks.
pub(super) fn build(
    place: &DistPlace,
    parts: &ProgramParts,
    module: Option<&Path>,
) -> anyhow::Result<Result<StaticProgram, String>> {
    let target = target();
    if let Some(lack) = lack(&target)? {
        return Ok(Err(lack));
    }
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo
        .args([
            "build",
            "--locked",
            "--profile",
            "dist",
            "--package",
            "cardwright",
        ])
        .args(["--features", "png", "--target", &target])
        .env("CARGO_ENCODED_RUSTFLAGS", rust_flags(parts).join("\u{1f}"))
        .current_dir(repository::root());
    match module {
        Some(module) => cargo.env("CARDWRIGHT_MODULE", module),
        None => cargo.env_remove("CARDWRIGHT_MODULE"),
    };
    tools::run(&mut cargo)?;
    let program = StaticProgram {
        path: tools::target().join(&target).join("dist/cardwright"),
        target,
        manual: place.stage("manual")?,
        completions: place.stage("completions")?,
        licences: licences::write(place, parts)?,
    };
    tools::output(
        Command::new(&program.path)
            .args(["man", "--output"])
            .arg(&program.manual),
    )?;
    for (shell, name) in SHELLS {
        let script = tools::output(Command::new(&program.path).args(["completions", shell]))?;
        tools::write(&program.completions.join(name), &script)?;
    }
    Ok(Ok(program))
}

/// What is missing for a static program.
fn lack(target: &str) -> anyhow::Result<Option<String>> {
    if !cfg!(target_os = "linux") {
        return Ok(Some("the static program is built on Linux".to_owned()));
    }
    let mut rustc = Command::new("rustc");
    rustc.args(["--print", "target-libdir", "--target", target]);
    let library = tools::output(&mut rustc).context("rustc does not know the target")?;
    if !PathBuf::from(library.trim()).is_dir() {
        return Ok(Some(format!(
            "it needs the target {target}: rustup target add {target}"
        )));
    }
    Ok(tools::missing(&["musl-gcc"]).map(|lack| {
        format!(
            "it needs {lack}, which compiles SQLite for a static program; on Debian: apt install musl-tools"
        )
    }))
}

/// Rust's own linker, which folds functions with the same code into one, and keeps the list of addresses that
/// a program loaded anywhere needs in an eighth of the space.
const LINKING: [&str; 5] = [
    "-Clinker=rust-lld",
    "-Clinker-flavor=ld.lld",
    "-Clink-self-contained=yes",
    "-Clink-arg=--icf=all",
    "-Clink-arg=--pack-dyn-relocs=relr",
];

/// Messages of a panic name files of the sources. They name them without the folders of this machine, so that
/// the same commit gives the same program anywhere.
pub(super) fn path_flags(parts: &ProgramParts) -> Vec<String> {
    let root = repository::root();
    let root = root.canonicalize().unwrap_or(root);
    let mut flags = vec![format!("--remap-path-prefix={}=cardwright", root.display())];
    for folder in parts.registries() {
        flags.push(format!("--remap-path-prefix={}=registry", folder.display()));
    }
    flags
}

/// The flags of the program.
pub(super) fn rust_flags(parts: &ProgramParts) -> Vec<String> {
    let mut flags = path_flags(parts);
    flags.extend(LINKING.map(str::to_owned));
    flags
}
