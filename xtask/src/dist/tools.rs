//! Programs of this machine that making the forms needs.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};

use crate::repository;

/// The name of the file with checksums.
pub(super) const SUMS: &str = "SHA256SUMS";

/// Cargo's folder, absolute.
pub(super) fn target() -> PathBuf {
    let named = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    let target = named.unwrap_or_else(|| repository::root().join("target"));
    let root = repository::root();
    let root = root.canonicalize().unwrap_or(root);
    match target.is_absolute() {
        true => target.canonicalize().unwrap_or(target),
        false => root.join(target),
    }
}

/// Whether a program can be started here.
pub(super) fn is_there(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

/// The first program that is missing.
pub(super) fn missing<'a>(programs: &[&'a str]) -> Option<&'a str> {
    programs.iter().find(|program| !is_there(program)).copied()
}

/// Runs a command, shown first, and fails if it does.
pub(super) fn run(command: &mut Command) -> anyhow::Result<()> {
    println!("$ {}", shown(command));
    let status = command
        .stdin(Stdio::null())
        .status()
        .with_context(|| format!("cannot start {}", command.get_program().display()))?;
    ensure!(status.success(), "`{}` failed", shown(command));
    Ok(())
}

/// What a command prints; if it fails, what it complains of.
pub(super) fn output(command: &mut Command) -> anyhow::Result<String> {
    let output = command
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("cannot start {}", command.get_program().display()))?;
    ensure!(
        output.status.success(),
        "`{}` failed: {}{}",
        shown(command),
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr).trim()
    );
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn shown(command: &Command) -> String {
    let mut words = vec![command.get_program().to_string_lossy()];
    words.extend(command.get_args().map(|word| word.to_string_lossy()));
    words.join(" ")
}

/// Makes the folder, without what was in it.
pub(super) fn empty_folder(folder: &Path) -> anyhow::Result<()> {
    if folder.exists() {
        std::fs::remove_dir_all(folder).with_context(|| format!("cannot empty {}", folder.display()))?;
    }
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))
}

/// Copies a file into a place that may not be there yet.
pub(super) fn copy(from: &Path, to: &Path) -> anyhow::Result<()> {
    if let Some(folder) = to.parent() {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    std::fs::copy(from, to).with_context(|| format!("cannot copy {} to {}", from.display(), to.display()))?;
    Ok(())
}

/// Writes a file into a place that may not be there yet.
pub(super) fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}

/// The licences of our own work.
pub(super) const OWN_LICENCES: [&str; 2] = ["LICENSE-MIT", "LICENSE-APACHE"];

/// The time of the last commit, which stands in archives instead of today's.
pub(super) fn time_of_commit() -> anyhow::Result<String> {
    if let Ok(given) = std::env::var("SOURCE_DATE_EPOCH") {
        return Ok(given);
    }
    let mut git = Command::new("git");
    git.args(["log", "-1", "--format=%ct"])
        .current_dir(repository::root());
    Ok(output(&mut git)?.trim().to_owned())
}

/// Packs the folder `name` in `parent`, with xz where it is installed and else with gzip.
pub(super) fn pack(
    parent: &Path,
    name: &str,
    out: &Path,
    time: &str,
) -> anyhow::Result<Result<PathBuf, String>> {
    let (packer, ending) = match is_there("xz") {
        true => (["xz", "-9e", "--stdout"], "tar.xz"),
        false => (["gzip", "-9n", "--stdout"], "tar.gz"),
    };
    if let Some(lack) = missing(&["tar", packer[0]]) {
        return Ok(Err(format!("it needs {lack}; install it")));
    }
    let path = out.join(format!("{name}.{ending}"));
    pack_with(&packer, parent, name, &path, time)?;
    Ok(Ok(path))
}

/// Packs what is inside the folder, with gzip.
pub(super) fn pack_inside(folder: &Path, file: &Path, time: &str) -> anyhow::Result<()> {
    pack_with(&["gzip", "-9n", "--stdout"], folder, ".", file, time)
}

/// Packs. Owners, times and the order of files are always the same.
fn pack_with(packer: &[&str], parent: &Path, name: &str, path: &Path, time: &str) -> anyhow::Result<()> {
    let file = std::fs::File::create(path).with_context(|| format!("cannot write {}", path.display()))?;
    let mut tar = Command::new("tar");
    tar.args(["--create", "--format=ustar", "--sort=name", "--numeric-owner"])
        .args([
            "--owner=0",
            "--group=0",
            "--mode=u=rwX,go=rX",
            &format!("--mtime=@{time}"),
        ])
        .arg("--directory")
        .arg(parent)
        .arg(name);
    println!("$ {} | {}", shown(&tar), packer.join(" "));
    let mut tar = tar
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .context("cannot start tar")?;
    let packed = tar.stdout.take().context("tar has no output")?;
    let status = Command::new(packer[0])
        .args(&packer[1..])
        .stdin(packed)
        .stdout(file)
        .status()
        .with_context(|| format!("cannot start {}", packer[0]))?;
    let tar = tar.wait().context("tar was lost")?;
    ensure!(tar.success(), "tar failed; it must be GNU tar");
    ensure!(status.success(), "{} failed", packer[0]);
    Ok(())
}

/// The files of a folder by name, without those in its folders.
pub(super) fn files(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).with_context(|| format!("cannot list {}", folder.display()))? {
        let path = entry
            .with_context(|| format!("cannot list {}", folder.display()))?
            .path();
        if path.is_file() {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// Writes the checksums of the files, and returns them; nothing where there is no program for it.
pub(super) fn checksums(out: &Path, files: &[&Path]) -> anyhow::Result<String> {
    let mut command = if is_there("sha256sum") {
        Command::new("sha256sum")
    } else if is_there("shasum") {
        let mut command = Command::new("shasum");
        command.args(["-a", "256"]);
        command
    } else {
        return Ok(String::new());
    };
    if files.is_empty() {
        return Ok(String::new());
    }
    command
        .args(files.iter().filter_map(|file| file.file_name()))
        .current_dir(out);
    let sums = output(&mut command)?;
    write(&out.join(SUMS), &sums)?;
    Ok(sums)
}

/// The size of a file for people.
pub(super) fn megabytes(path: &Path) -> String {
    let bytes = path.metadata().map_or(0, |metadata| metadata.len());
    // Tenths of a megabyte, rounded.
    let tenths = (bytes + 50_000) / 100_000;
    format!("{}.{} MB", tenths / 10, tenths % 10)
}
