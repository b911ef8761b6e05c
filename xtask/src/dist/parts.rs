//! The crates that are inside the program and the Python module: their names, sources, licences and
//! dependencies.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context;
use serde_json::Value;

use super::{program, tools};
use crate::repository;

/// A crate that is inside.
#[derive(Debug)]
pub(super) struct PartCrate {
    pub(super) name: String,
    pub(super) version: String,
    /// As its manifest says it; for people it is enough.
    pub(super) licence: String,
    /// Where its sources are here.
    pub(super) folder: PathBuf,
    /// Whether it is of this repository.
    pub(super) is_own: bool,
    pub(super) repository: Option<String>,
    /// The SHA-256 sum in the lock file.
    pub(super) checksum: Option<String>,
    /// The ids of those that it uses.
    pub(super) uses: Vec<String>,
}

/// All crates that are inside, by cargo's ids.
#[derive(Debug)]
pub(super) struct ProgramParts {
    pub(super) crates: BTreeMap<String, PartCrate>,
}

/// The crates that everything else is a part of: the program and the module.
pub(super) const ROOTS: [&str; 2] = ["cardwright", "cw-python"];

impl ProgramParts {
    /// Asks cargo.
    pub(super) fn of_workspace() -> anyhow::Result<ProgramParts> {
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo
            .args([
                "metadata",
                "--locked",
                "--format-version",
                "1",
                "--features",
                "cardwright/png",
            ])
            .args(["--filter-platform", &program::target()])
            .current_dir(repository::root());
        let metadata = tools::output(&mut cargo)?;
        let lock = repository::text("Cargo.lock")?.context("Cargo.lock is not text")?;
        ProgramParts::read(&metadata, &lock)
    }

    /// Reads what `cargo metadata` says, and the checksums of a lock file.
    fn read(metadata: &str, lock: &str) -> anyhow::Result<ProgramParts> {
        let metadata: Value = serde_json::from_str(metadata).context("cargo metadata is not JSON")?;
        let packages = list(&metadata["packages"]);
        let uses: BTreeMap<&str, Vec<String>> = list(&metadata["resolve"]["nodes"])
            .iter()
            .map(|node| (text(&node["id"]), used_by(node)))
            .collect();
        let checksums = checksums(lock);
        let mut open: Vec<&str> = packages
            .iter()
            .filter(|package| package["source"].is_null() && ROOTS.contains(&text(&package["name"])))
            .map(|package| text(&package["id"]))
            .collect();
        let mut inside = BTreeSet::new();
        while let Some(id) = open.pop() {
            if inside.insert(id) {
                open.extend(uses.get(id).into_iter().flatten().map(String::as_str));
            }
        }
        let crates = packages
            .iter()
            .filter(|package| inside.contains(text(&package["id"])))
            .map(|package| {
                let id = text(&package["id"]);
                let (name, version) = (text(&package["name"]), text(&package["version"]));
                let part = PartCrate {
                    name: name.to_owned(),
                    version: version.to_owned(),
                    licence: text(&package["license"]).to_owned(),
                    folder: Path::new(text(&package["manifest_path"]))
                        .parent()
                        .map(Path::to_path_buf)
                        .unwrap_or_default(),
                    is_own: package["source"].is_null(),
                    repository: package["repository"].as_str().map(str::to_owned),
                    checksum: checksums.get(&(name, version)).map(|sum| (*sum).to_owned()),
                    uses: uses.get(id).cloned().unwrap_or_default(),
                };
                (id.to_owned(), part)
            })
            .collect();
        Ok(ProgramParts { crates })
    }

    /// Those of others, by name.
    pub(super) fn of_others(&self) -> Vec<&PartCrate> {
        let mut crates: Vec<&PartCrate> = self.crates.values().filter(|part| !part.is_own).collect();
        crates.sort_by_key(|part| (&part.name, &part.version));
        crates
    }

    /// The folders in which cargo keeps the sources of others.
    pub(super) fn registries(&self) -> BTreeSet<PathBuf> {
        let others = self.of_others().into_iter();
        others
            .filter_map(|part| part.folder.parent().map(Path::to_path_buf))
            .collect()
    }
}

/// The ids of what is linked into a crate: not what builds or tests it.
fn used_by(node: &Value) -> Vec<String> {
    let is_linked = |used: &&Value| list(&used["dep_kinds"]).iter().any(|kind| kind["kind"].is_null());
    let used = list(&node["deps"]).iter().filter(is_linked);
    used.map(|used| text(&used["pkg"]).to_owned()).collect()
}

/// The checksums of a lock file, by name and version.
fn checksums(lock: &str) -> BTreeMap<(&str, &str), &str> {
    let value = |package: &'_ str, key: &str| -> Option<(usize, usize)> {
        let from = package.find(&format!("\n{key} = \""))? + key.len() + 5;
        Some((from, from + package[from..].find('"')?))
    };
    lock.split("[[package]]")
        .filter_map(|package| {
            let at = |key| value(package, key).map(|(from, to)| &package[from..to]);
            Some(((at("name")?, at("version")?), at("checksum")?))
        })
        .collect()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    const METADATA: &str = r#"{
      "packages": [
        {"id": "own", "name": "cardwright", "version": "1.0.0", "license": "MIT", "source": null,
         "manifest_path": "/here/crates/cardwright/Cargo.toml", "repository": null},
        {"id": "a", "name": "a", "version": "0.1.0", "license": "Zlib", "source": "registry",
         "manifest_path": "/there/a-0.1.0/Cargo.toml", "repository": "https://example.org/a"},
        {"id": "b", "name": "b", "version": "0.2.0", "license": "MIT", "source": "registry",
         "manifest_path": "/there/b-0.2.0/Cargo.toml", "repository": null},
        {"id": "t", "name": "t", "version": "0.3.0", "license": "MIT", "source": "registry",
         "manifest_path": "/there/t-0.3.0/Cargo.toml", "repository": null}
      ],
      "resolve": {"nodes": [
        {"id": "own", "deps": [
          {"pkg": "a", "dep_kinds": [{"kind": null}]},
          {"pkg": "t", "dep_kinds": [{"kind": "dev"}]}]},
        {"id": "a", "deps": [{"pkg": "b", "dep_kinds": [{"kind": "build"}, {"kind": null}]}]},
        {"id": "b", "deps": []},
        {"id": "t", "deps": []}
      ]}
    }"#;
    const LOCK: &str = "version = 4\n\n\
        [[package]]\nname = \"a\"\nversion = \"0.1.0\"\nsource = \"registry\"\nchecksum = \"abc\"\n\n\
        [[package]]\nname = \"cardwright\"\nversion = \"1.0.0\"\n";

    /// A program of our own that uses `a`, which uses `b`, and is tested with `t`.
    pub(in crate::dist) fn small() -> ProgramParts {
        ProgramParts::read(METADATA, LOCK).expect("it is JSON")
    }

    #[test]
    fn parts_are_what_is_linked() {
        let parts = small();
        assert_eq!(parts.crates.keys().collect::<Vec<_>>(), ["a", "b", "own"]);
        assert_eq!(parts.crates["a"].checksum.as_deref(), Some("abc"));
        assert_eq!(parts.crates["b"].checksum, None);
        assert_eq!(parts.crates["own"].uses, ["a"]);
        let others = parts.of_others();
        assert_eq!(
            others.iter().map(|part| part.name.as_str()).collect::<Vec<_>>(),
            ["a", "b"]
        );
        assert_eq!(parts.registries().len(), 1);
    }
}
