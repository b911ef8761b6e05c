//! A package for Debian and what comes from it. It needs no other package, since the program is linked
//! statically.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::Context;

use super::archive::{copy_folder, copy_papers};
use super::program::StaticProgram;
use super::{DistPlace, FormResult, tools};
use crate::repository;

/// Where Debian looks for completions, with the name for each shell's.
const COMPLETIONS: [(&str, &str); 3] = [
    (
        "cardwright.bash",
        "usr/share/bash-completion/completions/cardwright",
    ),
    ("_cardwright", "usr/share/zsh/vendor-completions/_cardwright"),
    (
        "cardwright.fish",
        "usr/share/fish/vendor_completions.d/cardwright.fish",
    ),
];

/// Makes it.
pub(super) fn make(place: &DistPlace, program: &StaticProgram) -> anyhow::Result<FormResult> {
    if let Some(lack) = tools::missing(&["dpkg-deb", "gzip"]) {
        return Ok(FormResult::Lacks(format!(
            "it needs {lack}, which Debian's package dpkg brings"
        )));
    }
    let folder = place.stage("deb")?;
    tools::copy(&program.path, &folder.join("usr/bin/cardwright"))?;
    let manual = folder.join("usr/share/man/man1");
    copy_folder(&program.manual, &manual)?;
    for (name, to) in COMPLETIONS {
        tools::copy(&program.completions.join(name), &folder.join(to))?;
    }
    let papers = folder.join("usr/share/doc/cardwright");
    copy_papers(program, &papers)?;
    tools::write(&papers.join("copyright"), &super::filled("copyright", &[])?)?;
    tools::copy(
        &repository::root().join("CHANGELOG.md"),
        &papers.join("changelog"),
    )?;
    let mut packed = tools::files(&manual)?;
    packed.push(papers.join("changelog"));
    tools::output(Command::new("gzip").args(["-9", "--no-name"]).args(&packed))?;

    let architecture = architecture();
    let values = [
        ("VERSION", place.version.as_str()),
        ("ARCHITECTURE", architecture),
        ("SIZE", &kilobytes(&folder)?.to_string()),
    ];
    tools::write(
        &folder.join("DEBIAN/control"),
        &super::filled("control", &values)?,
    )?;
    modes(&folder)?;
    let file = place
        .out
        .join(format!("cardwright_{}_{architecture}.deb", place.version));
    let mut dpkg = Command::new("dpkg-deb");
    dpkg.args(["--root-owner-group", "-Zxz", "--build"])
        .args([&folder, &file])
        .env("SOURCE_DATE_EPOCH", &place.time);
    tools::run(&mut dpkg)?;
    Ok(FormResult::Made(file))
}

/// This machine's processor, as Debian calls it.
fn architecture() -> &'static str {
    match std::env::consts::ARCH {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        other => other,
    }
}

/// What the files take when they are installed.
fn kilobytes(folder: &Path) -> anyhow::Result<u64> {
    let mut sum = 0;
    for entry in fs::read_dir(folder).with_context(|| format!("cannot list {}", folder.display()))? {
        let path = entry
            .with_context(|| format!("cannot list {}", folder.display()))?
            .path();
        sum += match path.is_dir() {
            true => kilobytes(&path)? + 1,
            false => path
                .metadata()
                .map_or(0, |metadata| metadata.len().div_ceil(1024)),
        };
    }
    Ok(sum)
}

/// Everybody may read all and start the program, whatever the umask here is.
fn modes(folder: &Path) -> anyhow::Result<()> {
    let mut chmod = Command::new("chmod");
    chmod.args(["--recursive", "u=rwX,go=rX"]).arg(folder);
    tools::output(&mut chmod)?;
    Ok(())
}
