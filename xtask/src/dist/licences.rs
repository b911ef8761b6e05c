//! The licences of all parts in one file: each text once, with the parts that it is for.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context;

use super::parts::{PartCrate, ProgramParts};
use super::{DistPlace, tools};
use crate::repository;

/// The name of the file.
pub(super) const NAME: &str = "LICENSES-OF-PARTS.txt";

/// How files with licences begin.
const BEGINNINGS: [&str; 6] = [
    "LICENSE",
    "LICENCE",
    "UNLICENSE",
    "COPYING",
    "COPYRIGHT",
    "NOTICE",
];

/// How deep they may lie in a crate: a font has its own beside it.
const DEEPEST: usize = 3;

/// The largest file that may be one.
const LARGEST: u64 = 1 << 20;

/// Writes the file, and returns where it is.
pub(super) fn write(place: &DistPlace, parts: &ProgramParts) -> anyhow::Result<PathBuf> {
    let path = place.out.join(format!("cardwright-{}-{NAME}", place.version));
    tools::write(&path, &all(parts)?)?;
    Ok(path)
}

/// The text of the file.
fn all(parts: &ProgramParts) -> anyhow::Result<String> {
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut out = String::from(
        "Cardwright is made with the works of others below. \
         First which work has which licence, then the licences' texts, each\n\
         with the works that it came with.\n\n",
    );
    for part in parts.of_others() {
        writeln!(out, "{} {}: {}", part.name, part.version, part.licence)?;
        let mut found = texts_of(part)?;
        if found.is_empty() {
            // Its manifest names the licence; the usual texts are those of ours, and its source says who
            // wrote it.
            let source = part.repository.as_deref().unwrap_or("its registry");
            writeln!(
                out,
                "    has no file with its licence; its authors are named at {source}"
            )?;
            for own in tools::OWN_LICENCES.iter().filter(|own| own.ends_with("APACHE")) {
                found.push(repository::text(own)?.with_context(|| format!("{own} is not text"))?);
            }
        }
        for text in found {
            let works = texts.entry(tidied(&text)).or_default();
            let work = format!("{} {}", part.name, part.version);
            if !works.contains(&work) {
                works.push(work);
            }
        }
    }
    let line = "=".repeat(100);
    for beside in ["packaging/beside-crates.txt", crate::editor::LICENCES] {
        writeln!(
            out,
            "\n{line}\n{}",
            repository::text(beside)?.context("it is not text")?.trim_end()
        )?;
    }
    let mut texts: Vec<(String, Vec<String>)> = texts.into_iter().collect();
    texts.sort_by(|one, other| one.1.cmp(&other.1));
    for (text, works) in texts {
        writeln!(out, "\n{line}\n{}\n\n{text}", works.join(", "))?;
    }
    Ok(out)
}

/// The texts of the licence files of a crate, in the order of their names.
fn texts_of(part: &PartCrate) -> anyhow::Result<Vec<String>> {
    let mut files = Vec::new();
    search(&part.folder, 0, &mut files)?;
    files.sort();
    files
        .into_iter()
        .map(|file| {
            let bytes = std::fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?;
            Ok(String::from_utf8_lossy(&bytes).into_owned())
        })
        .collect()
}

fn search(folder: &Path, depth: usize, files: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    for entry in std::fs::read_dir(folder).with_context(|| format!("cannot list {}", folder.display()))? {
        let path = entry
            .with_context(|| format!("cannot list {}", folder.display()))?
            .path();
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .to_uppercase();
        let is_code = [".RS", ".C", ".H", ".PY", ".TOML"]
            .iter()
            .any(|end| name.ends_with(end));
        if path.is_dir() {
            let is_looked_into = depth < DEEPEST && !name.starts_with('.') && name != "TESTS";
            if is_looked_into {
                search(&path, depth + 1, files)?;
            }
        } else if BEGINNINGS.iter().any(|beginning| name.starts_with(beginning)) && !is_code {
            let is_small = path.metadata().is_ok_and(|metadata| metadata.len() <= LARGEST);
            if is_small {
                files.push(path);
            }
        }
    }
    Ok(())
}

/// The text with one kind of line end and no blanks at ends, so that the same licence is found to be the
/// same.
fn tidied(text: &str) -> String {
    let lines: Vec<&str> = text
        .trim_start_matches('\u{feff}')
        .lines()
        .map(str::trim_end)
        .collect();
    lines.join("\n").trim_matches('\n').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dist::parts::tests::small;

    #[test]
    fn the_same_text_stands_once_with_all_its_works() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut parts = small();
        for (id, text) in [("a", "Be kind.\r\n"), ("b", "\nBe kind.  \n")] {
            let place = folder.path().join(id);
            tools::write(&place.join("fonts/LICENSE_FONT.txt"), text).expect("it can be written");
            tools::write(&place.join("src/licence.rs"), "fn main() {}").expect("it can be written");
            parts.crates.get_mut(id).expect("it is there").folder = place;
        }
        let text = all(&parts).expect("all can be read");
        assert_eq!(text.matches("Be kind.").count(), 1, "{text}");
        assert!(text.contains("a 0.1.0, b 0.2.0\n\nBe kind."), "{text}");
        assert!(
            text.contains("a 0.1.0: Zlib") && !text.contains("fn main"),
            "{text}"
        );
    }
}
