//! Reads all of a package that a table needs: its scripts, its content's digest, its mapping.

use std::sync::Arc;

use cw_octgn::{ContentHash, FilesError, Package, PackageFiles, PackageLimits};
use cw_text::{Diagnostic, Sources};

use crate::kit::Kit;
use crate::mapping::Mapping;

/// Where a package says what its menu entries do (D74).
pub const MAPPING: &str = "Rules/table.toml";

/// A package as tables see it, with what is wrong with its own mapping.
#[derive(Debug)]
pub struct ReadKit {
    /// The package.
    pub kit: Kit,
    /// The text of the mapping, for the findings.
    pub sources: Sources,
    /// What is wrong with it.
    pub findings: Vec<Diagnostic>,
}

/// The scripts that a package's definition names and that are there, in its order.
fn program(files: &dyn PackageFiles, package: &Package, limits: &PackageLimits) -> Vec<(String, Vec<u8>)> {
    // OCTGN runs where names of files have no case.
    let find = |name: String| package.files.iter().find(|file| file.eq_ignore_ascii_case(&name));
    let scripts = &package.definition.tabletop.scripts;
    let scripts = scripts.iter().filter_map(|name| find(name.replace('\\', "/")));
    scripts
        .filter_map(|file| Some((file.clone(), files.read(file, limits.file).ok()?)))
        .collect()
}

impl Kit {
    /// A package with its scripts, and without all that only a table needs: enough to say what they lack.
    pub fn to_check(files: &dyn PackageFiles, package: Package, limits: &PackageLimits) -> Kit {
        let scripts = program(files, &package, limits);
        Kit::of(Arc::new(package)).with_program(&scripts)
    }

    /// Reads a package for the table, from its files: scripts are read, never run (F29); its mapping is
    /// checked (D74).
    ///
    /// # Errors
    /// If the files cannot be had any more.
    pub fn read(
        files: &dyn PackageFiles,
        package: Package,
        limits: &PackageLimits,
    ) -> Result<ReadKit, FilesError> {
        let hash = ContentHash::of(files, limits)?;
        let scripts = program(files, &package, limits);
        let mut kit = Kit::of(Arc::new(package))
            .with_program(&scripts)
            .with_hash(hash.0);
        let (mut sources, mut findings) = (Sources::new(), Vec::new());
        if kit.package.files.iter().any(|name| name == MAPPING) {
            let bytes = files.read(MAPPING, limits.file)?;
            let (mapping, found) = Mapping::read_bytes(&bytes, MAPPING, &mut sources, &kit);
            kit = kit.with_mapping(mapping);
            findings = found;
        }
        Ok(ReadKit {
            kit,
            sources,
            findings,
        })
    }
}
