//! The program as people install it: `cargo xtask dist` makes every form of it in `target/dist`.
//!
//! One statically linked program goes into all of them; the wheel holds the Python module besides. What this
//! machine lacks a tool for is skipped, and said aloud. Nothing is published: that is a person's act.

mod archive;
mod choice;
mod container;
mod deb;
mod licences;
mod npm;
mod parts;
mod program;
mod sbom;
mod tools;
mod trial;
mod wheel;

use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::{repository, site};
use choice::{DistForm, DistPlan};
use parts::ProgramParts;
use program::StaticProgram;

/// What one form came to.
enum FormResult {
    /// The file that was made.
    Made(PathBuf),
    /// What this machine lacks, and how to get it.
    Lacks(String),
}

/// Where things are made, and for which version.
struct DistPlace {
    /// What is handed out.
    out: PathBuf,
    /// What it is packed from.
    stage: PathBuf,
    version: String,
    /// Seconds since 1970 that stand in the archives, so that the same commit gives the same bytes.
    time: String,
}

impl DistPlace {
    /// Makes the folders.
    fn make() -> anyhow::Result<DistPlace> {
        let target = tools::target();
        let place = DistPlace {
            out: target.join("dist"),
            stage: target.join("dist-stage"),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            time: tools::time_of_commit()?,
        };
        std::fs::create_dir_all(&place.out).context("cannot make the folder target/dist")?;
        Ok(place)
    }

    /// An empty folder for this form to be packed from.
    fn stage(&self, name: &str) -> anyhow::Result<PathBuf> {
        let folder = self.stage.join(name);
        tools::empty_folder(&folder)?;
        Ok(folder)
    }
}

/// Makes what the arguments ask for, and with `--test` installs and tries each.
///
/// # Errors
/// If something cannot be made or does not work; not if a tool is missing.
pub(crate) fn run(arguments: &[String]) -> anyhow::Result<()> {
    let plan = DistPlan::read(arguments)?;
    let place = DistPlace::make()?;
    remove_old(&place.out)?;
    let parts = ProgramParts::of_workspace()?;
    let mut results = Vec::new();
    let module = match plan.needs_program() {
        true => page_module()?,
        false => None,
    };
    let program = match plan.needs_program() {
        true => program::build(&place, &parts, module.as_deref())?,
        false => Err("it was not asked for".to_owned()),
    };
    for form in plan.forms {
        let result = match (form, &program) {
            (DistForm::Sbom, _) => FormResult::Made(sbom::write(&place, &parts)?),
            (DistForm::Licences, _) => FormResult::Made(licences::write(&place, &parts)?),
            (_, Err(lack)) => FormResult::Lacks(lack.clone()),
            (DistForm::Archive, Ok(program)) => archive::make(&place, program)?,
            (DistForm::Wheel, Ok(program)) => wheel::make(&place, program)?,
            (DistForm::Npm, Ok(program)) => {
                for result in npm::make(&place, program)? {
                    results.push((form, result));
                }
                continue;
            }
            (DistForm::Deb, Ok(program)) => deb::make(&place, program)?,
            (DistForm::Container, Ok(program)) => container::make(&place, program)?,
        };
        results.push((form, result));
    }
    let made: Vec<&Path> = results
        .iter()
        .filter_map(|(_, result)| match result {
            FormResult::Made(file) => Some(file.as_path()),
            FormResult::Lacks(_) => None,
        })
        .collect();
    let sums = tools::checksums(&place.out, &made)?;
    report(&place, &program, &results, &sums);
    match plan.is_tried {
        true => trial::run(&place, &results, module.is_some()),
        false => Ok(()),
    }
}

/// The module with which an installed program makes pages of games, where it can be built.
fn page_module() -> anyhow::Result<Option<PathBuf>> {
    if site::has_target()? {
        return site::module().map(Some);
    }
    eprintln!(
        "\n*** THE PROGRAM IS MADE WITHOUT THE MODULE OF A PAGE, so `cardwright site` needs --module: \
         no {0} here; `rustup target add {0}` brings it ***\n",
        site::TARGET
    );
    Ok(None)
}

/// The flags by which what is handed out names no folders of this machine.
pub(crate) fn path_flags() -> anyhow::Result<Vec<String>> {
    Ok(program::path_flags(&ProgramParts::of_workspace()?))
}

/// Removes what an earlier run handed out; cargo keeps its own files beside them.
fn remove_old(out: &Path) -> anyhow::Result<()> {
    for entry in std::fs::read_dir(out).context("cannot list target/dist")? {
        let path = entry.context("cannot list target/dist")?.path();
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let is_ours =
            name.starts_with("cardwright-") || name.starts_with("cardwright_") || name == tools::SUMS;
        if is_ours && path.is_file() {
            std::fs::remove_file(&path).with_context(|| format!("cannot remove {}", path.display()))?;
        }
    }
    Ok(())
}

/// Prints what was made, how large it is, and what was not made.
fn report(
    place: &DistPlace,
    program: &Result<StaticProgram, String>,
    results: &[(DistForm, FormResult)],
    sums: &str,
) {
    println!("\nCardwright {} in {}", place.version, place.out.display());
    if let Ok(program) = program {
        let size = tools::megabytes(&program.path);
        println!("  {size:>8}  the program itself, {}", program.target);
    }
    for (form, result) in results {
        match result {
            FormResult::Made(file) => {
                let name = file.file_name().unwrap_or_default().to_string_lossy();
                let sum = sums
                    .lines()
                    .find(|line| line.ends_with(name.as_ref()))
                    .unwrap_or_default();
                let sum: String = sum.chars().take(12).collect();
                println!("  {:>8}  {name}  {sum}", tools::megabytes(file));
            }
            FormResult::Lacks(what) => eprintln!("*** {} IS SKIPPED: {what} ***", form.name().to_uppercase()),
        }
    }
    if sums.is_empty() {
        eprintln!(
            "*** {} IS SKIPPED: neither sha256sum nor shasum is installed ***",
            tools::SUMS
        );
    } else {
        println!("  {:>8}  {}", "", tools::SUMS);
    }
}

/// A template of the folder `packaging`, with `@NAME@` replaced.
fn filled(template: &str, values: &[(&str, &str)]) -> anyhow::Result<String> {
    let file = format!("packaging/{template}");
    let mut text = repository::text(&file)?.with_context(|| format!("{file} is not text"))?;
    for (name, value) in values {
        text = text.replace(&format!("@{name}@"), value);
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_are_filled_completely() {
        let values = [("VERSION", "1.2.3"), ("ARCHITECTURE", "amd64"), ("SIZE", "7")];
        for template in ["Containerfile", "control"] {
            let text = filled(template, &values).expect("it is there");
            assert!(
                !text.contains("@VERSION@") && text.contains("1.2.3"),
                "{template}"
            );
            assert!(!text.contains(" @"), "{template}: {text}");
        }
    }

    #[test]
    fn only_what_was_handed_out_is_removed() {
        let folder = tempfile::tempdir().expect("a folder");
        let names = [
            "cardwright",
            "cardwright.d",
            "cardwright-1.tar.xz",
            "cardwright_1.deb",
            "SHA256SUMS",
        ];
        for name in names {
            std::fs::write(folder.path().join(name), "").expect("a file");
        }
        remove_old(folder.path()).expect("it can be listed");
        let left = |name: &&str| folder.path().join(name).exists();
        assert_eq!(names.iter().filter(|name| left(name)).count(), 2);
    }
}
