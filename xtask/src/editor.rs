//! The editor of the playground: CodeMirror and our modes in one file, which is committed with the licences
//! of its parts.
//!
//! It is built by npm and esbuild from a lock file, so that the same sources make the same file. Nobody who
//! builds Cardwright needs Node: only who changes the editor does.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail, ensure};
use serde_json::Value;

use crate::repository;

/// Where its sources are.
const PLACE: &str = "crates/cw-browser/editor";
/// What is made of them.
const BUNDLE: &str = "crates/cw-browser/assets/editor.js";
/// The licences of what is inside.
pub(crate) const LICENCES: &str = "crates/cw-browser/editor/LICENSES.txt";
/// The largest file that is still light enough for a page.
const LARGEST: usize = 400_000;

/// What becomes of the files that were made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EditorFiles {
    /// They are written.
    Write,
    /// They are compared with those that are there.
    Compare,
}

/// Builds the editor.
pub(crate) fn build(files: EditorFiles) -> anyhow::Result<()> {
    let place = repository::root().join(PLACE);
    run(
        &place,
        "npm",
        &["ci", "--ignore-scripts", "--no-audit", "--no-fund"],
    )?;
    let out = repository::root().join("target/editor");
    fs::create_dir_all(&out).context("no folder for what is made")?;
    let (made, about) = (out.join("editor.js"), out.join("about.json"));
    let (outfile, metafile) = (
        format!("--outfile={}", made.display()),
        format!("--metafile={}", about.display()),
    );
    let arguments = [
        "editor.js",
        "--bundle",
        "--minify",
        "--format=esm",
        "--target=es2022",
        "--legal-comments=none",
        "--log-level=warning",
        "--banner:js=// CodeMirror and our modes in one file, made by `cargo xtask editor`. \
         The licences of its parts are in editor/LICENSES.txt.",
        &outfile,
        &metafile,
    ];
    let esbuild = place.join("node_modules/.bin/esbuild");
    run(&place, &esbuild.to_string_lossy(), &arguments)?;
    let bundle = fs::read_to_string(&made).context("esbuild has made nothing")?;
    ensure!(
        bundle.len() <= LARGEST,
        "the editor has {} bytes; a page should not carry more than {LARGEST}",
        bundle.len()
    );
    let about: Value =
        serde_json::from_slice(&fs::read(&about)?).context("esbuild tells nothing of its parts")?;
    let licences = licences(&place, &about)?;
    for (path, text) in [(BUNDLE, &bundle), (LICENCES, &licences)] {
        let file = repository::root().join(path);
        match files {
            EditorFiles::Write => fs::write(&file, text).with_context(|| format!("cannot write {path}"))?,
            EditorFiles::Compare => {
                let is = fs::read_to_string(&file).with_context(|| format!("cannot read {path}"))?;
                if is != *text {
                    bail!("{path} is not what its sources make; `cargo xtask editor` writes it");
                }
            }
        }
    }
    println!("{BUNDLE}: {} bytes", bundle.len());
    Ok(())
}

fn run(place: &Path, program: &str, arguments: &[&str]) -> anyhow::Result<()> {
    let status = Command::new(program).args(arguments).current_dir(place).status();
    let status = status.with_context(|| format!("{program} cannot be started"))?;
    ensure!(status.success(), "{program} failed");
    Ok(())
}

/// The licences of all packages of which something is inside, each text once.
fn licences(place: &Path, about: &Value) -> anyhow::Result<String> {
    let inputs = about["inputs"].as_object().context("there are no inputs")?;
    let folders = inputs.keys().filter_map(|input| package_of(input));
    let folders: std::collections::BTreeSet<PathBuf> = folders.collect();
    ensure!(!folders.is_empty(), "nothing of others is inside");
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for folder in folders {
        let folder = place.join(folder);
        let manifest = fs::read_to_string(folder.join("package.json"))?;
        let manifest: Value = serde_json::from_str(&manifest)?;
        let [name, version, licence] =
            ["name", "version", "license"].map(|key| manifest[key].as_str().unwrap_or(""));
        ensure!(
            licence == "MIT",
            "{name} has the licence “{licence}”: decide whether it may be inside"
        );
        let text =
            fs::read_to_string(folder.join("LICENSE")).with_context(|| format!("{name} has no LICENSE"))?;
        texts
            .entry(text.trim().to_owned())
            .or_default()
            .push(format!("{name} {version}"));
    }
    let mut out = String::from("The editor of the playground is made with the works of others below.\n");
    for (text, works) in texts {
        write!(out, "\n{}\n\n{text}\n", works.join(", "))?;
    }
    Ok(out)
}

/// The folder of the package that a file of `node_modules` belongs to.
fn package_of(input: &str) -> Option<PathBuf> {
    let (before, rest) = input.rsplit_once("node_modules/")?;
    let parts = if rest.starts_with('@') { 2 } else { 1 };
    let name: Vec<&str> = rest.splitn(parts + 1, '/').take(parts).collect();
    Some(Path::new(before).join("node_modules").join(name.join("/")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_belongs_to_the_innermost_package() {
        let of = |input| package_of(input).map(|path| path.to_string_lossy().into_owned());
        assert_eq!(of("editor.js"), None);
        assert_eq!(
            of("node_modules/crelt/index.js").as_deref(),
            Some("node_modules/crelt")
        );
        assert_eq!(
            of("node_modules/@lezer/lr/node_modules/@lezer/common/dist/index.js").as_deref(),
            Some("node_modules/@lezer/lr/node_modules/@lezer/common")
        );
    }

    /// What is committed says of itself where it comes from, and is light enough.
    #[test]
    fn the_editor_is_there_with_its_licences() {
        let bundle = fs::read_to_string(repository::root().join(BUNDLE)).expect("it is committed");
        assert!(
            bundle.starts_with("// CodeMirror") && bundle.len() <= LARGEST,
            "{}",
            bundle.len()
        );
        let licences = fs::read_to_string(repository::root().join(LICENCES)).expect("it is committed");
        for part in ["@codemirror/view", "@codemirror/state", "@lezer/common"] {
            assert!(licences.contains(part), "{part}");
        }
    }
}
