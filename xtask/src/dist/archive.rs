//! The program with manual pages, completions and licences, in one compressed archive.

use std::path::Path;

use super::program::StaticProgram;
use super::{DistPlace, FormResult, licences, tools};
use crate::repository;

/// Makes it.
pub(super) fn make(place: &DistPlace, program: &StaticProgram) -> anyhow::Result<FormResult> {
    let name = format!("cardwright-{}-{}", place.version, program.target);
    let parent = place.stage("archive")?;
    let folder = parent.join(&name);
    tools::copy(&program.path, &folder.join("cardwright"))?;
    copy_folder(&program.manual, &folder.join("man"))?;
    copy_folder(&program.completions, &folder.join("completions"))?;
    copy_papers(program, &folder)?;
    let readme = super::filled("archive.txt", &[("VERSION", &place.version)])?;
    tools::write(&folder.join("README.txt"), &readme)?;
    Ok(match tools::pack(&parent, &name, &place.out, &place.time)? {
        Ok(file) => FormResult::Made(file),
        Err(lack) => FormResult::Lacks(lack),
    })
}

/// Copies our licences and those of all parts.
pub(super) fn copy_papers(program: &StaticProgram, folder: &Path) -> anyhow::Result<()> {
    for own in tools::OWN_LICENCES {
        tools::copy(&repository::root().join(own), &folder.join(own))?;
    }
    tools::copy(&program.licences, &folder.join(licences::NAME))
}

/// Copies the files of a folder that has no folders.
pub(super) fn copy_folder(from: &Path, to: &Path) -> anyhow::Result<()> {
    for file in tools::files(from)? {
        if let Some(name) = file.file_name() {
            tools::copy(&file, &to.join(name))?;
        }
    }
    Ok(())
}
