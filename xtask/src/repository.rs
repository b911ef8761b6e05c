//! Where things are in this repository.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, ensure};

/// The folder of the workspace.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Every file that git tracks or would add, relative to the root, with `/` between its parts.
pub(crate) fn files() -> anyhow::Result<Vec<String>> {
    let output = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(root())
        .output()
        .context("cannot run git")?;
    ensure!(
        output.status.success(),
        "git ls-files: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    let names = String::from_utf8(output.stdout).context("a file name is not UTF-8")?;
    let mut files: Vec<String> = names
        .split('\0')
        .filter(|name| !name.is_empty() && root().join(name).is_file())
        .map(str::to_owned)
        .collect();
    files.sort();
    files.dedup();
    Ok(files)
}

/// The text of a file; `None` if it is not text.
pub(crate) fn text(file: &str) -> anyhow::Result<Option<String>> {
    let bytes = std::fs::read(root().join(file)).with_context(|| format!("cannot read {file}"))?;
    Ok(String::from_utf8(bytes).ok().filter(|text| !text.contains('\0')))
}
