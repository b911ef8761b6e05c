//! What a container is built from: the program, an empty folder for the store, the licences and the
//! Containerfile, in one archive that `podman build` and `docker build` take as it is.

use super::archive::copy_papers;
use super::program::StaticProgram;
use super::{DistPlace, FormResult, tools};

/// Makes it.
pub(super) fn make(place: &DistPlace, program: &StaticProgram) -> anyhow::Result<FormResult> {
    if let Some(lack) = tools::missing(&["tar", "gzip"]) {
        return Ok(FormResult::Lacks(format!("it needs {lack}; install it")));
    }
    let folder = place.stage("container")?;
    tools::copy(&program.path, &folder.join("cardwright"))?;
    copy_papers(program, &folder.join("licenses"))?;
    std::fs::create_dir_all(folder.join("data"))?;
    let text = super::filled("Containerfile", &[("VERSION", &place.version)])?;
    // Engines look for either name.
    for name in ["Containerfile", "Dockerfile"] {
        tools::write(&folder.join(name), &text)?;
    }
    let name = format!(
        "cardwright-{}-container-{}",
        place.version,
        std::env::consts::ARCH
    );
    let file = place.out.join(format!("{name}.tar.gz"));
    tools::pack_inside(&folder, &file, &place.time)?;
    Ok(FormResult::Made(file))
}
