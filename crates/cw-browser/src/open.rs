//! The tables of a package in a page: duels where it has rules, and free tables of any package.

use std::sync::Arc;

use axum::Router;
use cw_hall::duels::{DuelHost, HostSettings};
use cw_hall::runtime::Runtime;
use cw_hall::store::DuelStore;
use cw_load::{Loaded, Project, ReadOptions};
use cw_octgn::{Archive, MemoryFiles, PackageLimits};
use cw_pages::package::DuelPackage;
use cw_pages::secret::Secret;
use cw_program::ModelId;
#[cfg(feature = "whole")]
use cw_routes::duels as routes;
#[cfg(not(feature = "whole"))]
use cw_routes::duels_beside_files as routes;

use crate::free;

/// The tables of one package.
pub struct PackageHall {
    /// What answers requests.
    pub router: Router,
    /// Where the page begins. It leads to a secret, which is why it can be gone once.
    pub entry: String,
    /// The name of the game.
    pub name: String,
    /// Whether it is played by rules.
    pub has_rules: bool,
    /// What whoever opened the page should know.
    pub remarks: Vec<String>,
    /// Addresses of pictures that every visitor sees the same, and often: they may lie in files.
    pub pictures: Vec<String>,
    /// What there is, in a few words, for whoever is asked to open the page.
    pub holds: String,
}

impl std::fmt::Debug for PackageHall {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PackageHall").field("name", &self.name).finish()
    }
}

/// What a page gives its halls.
#[derive(Clone)]
pub struct HallParts {
    /// What keeps its tables.
    pub store: Arc<dyn DuelStore>,
    /// What runs beside requests.
    pub runtime: Arc<dyn Runtime>,
    /// Secrets that nobody can foresee.
    pub chance: fn() -> Secret,
    /// The address of the page, for links that are shared.
    pub page: Option<String>,
}

impl std::fmt::Debug for HallParts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HallParts").finish_non_exhaustive()
    }
}

/// Opens the package in an archive: duels where its cards have rules, else a free table.
///
/// # Errors
/// Words for whoever opened it, if it is no package or nothing can be laid with it.
pub fn open(archive: Vec<u8>, parts: &HallParts) -> Result<PackageHall, String> {
    of_files(&unpacked(archive)?, parts)
}

/// The files of the package in an archive.
///
/// # Errors
/// Words for whoever opened it.
pub(crate) fn unpacked(archive: Vec<u8>) -> Result<MemoryFiles, String> {
    let limits = PackageLimits::default();
    let archive = Archive::new(archive, &limits).map_err(|why| format!("this is not a game: {why}"))?;
    if archive.is_of_octgn2() {
        return Err(
            "this is an archive of OCTGN 2, which is not read: a game has def/definition.xml".to_owned(),
        );
    }
    // Archives are read in order, so their files are unpacked once.
    MemoryFiles::copy_of(&archive.package(), limits.file)
        .map_err(|why| format!("the game cannot be unpacked: {why}"))
}

/// Opens the package that these files make.
///
/// # Errors
/// As [`open`].
pub fn of_files(files: &MemoryFiles, parts: &HallParts) -> Result<PackageHall, String> {
    let project = read(files)?;
    if !project.package.has_definition {
        return Err("there is no readable definition.xml, so this is not a game".to_owned());
    }
    let name = project.name().to_owned();
    let is_playable = project.has_rules();
    let holds = several(project.package.cards().count(), "card").unwrap_or_default();
    let loaded = Loaded::of(project).map_err(|why| why.to_string())?;
    let package = match is_playable {
        true => DuelPackage::of(Arc::new(loaded)).map_err(|why| why.to_string())?,
        false => None,
    };
    match package {
        Some((package, remarks)) => duels(name, package, (holds, remarks), files, parts),
        None => free::hall(name, holds, files, parts),
    }
}

fn duels(
    name: String,
    package: DuelPackage,
    (cards, remarks): (String, Vec<String>),
    files: &MemoryFiles,
    parts: &HallParts,
) -> Result<PackageHall, String> {
    let holds = [
        Some(cards),
        several(package.decks.len(), "deck"),
        several(
            package.shelf.iter().filter(|stage| stage.is_lesson()).count(),
            "lesson",
        ),
        several(
            package
                .shelf
                .iter()
                .filter(|stage| stage.goal().is_some())
                .count(),
            "puzzle",
        ),
    ];
    let holds: Vec<String> = holds.into_iter().flatten().collect();
    let pictures = pictures(&package);
    let setting = HostSettings {
        files: Some(Box::new(files.clone())),
        free: Some(free::maker(files, parts)),
        // Nobody else reaches this page.
        has_friends: false,
        page: parts.page.clone(),
        ..HostSettings::new(
            Arc::clone(&package.game),
            Arc::clone(&package.catalogue),
            Arc::clone(&parts.store),
            parts.chance,
        )
    };
    let host = DuelHost::new(HostSettings {
        package: package.into(),
        ..setting
    });
    let resumed = host.resume().map_err(|why| why.to_string())?;
    host.run_on(Arc::clone(&parts.runtime));
    Ok(PackageHall {
        router: routes(&host),
        entry: host.front_page(),
        name,
        has_rules: true,
        pictures,
        holds: holds.join(", "),
        remarks: remarks.into_iter().chain(resumed.aside).collect(),
    })
}

fn several(many: usize, what: &str) -> Option<String> {
    match many {
        0 => None,
        1 => Some(format!("1 {what}")),
        many => Some(format!("{many} {what}s")),
    }
}

/// The pictures of a game's duels.
fn pictures(package: &DuelPackage) -> Vec<String> {
    let mut all = vec!["/face/back.svg".to_owned()];
    for at in 0..package.game.models.len() {
        let Ok(model) = u16::try_from(at) else { break };
        all.extend(["small", "full"].map(|size| format!("/face/{at}/{size}.svg")));
        let Some(printed) = package.catalogue.printed(ModelId(model)) else {
            continue;
        };
        all.extend(printed.picture.iter().map(|_| format!("/picture/{at}")));
        for (number, form) in printed.alternates.iter().enumerate() {
            all.push(format!("/face/{at}/form/{number}.svg"));
            all.extend(form.picture.iter().map(|_| format!("/picture/{at}/{number}")));
        }
    }
    let shapes = package.catalogue.shapes.iter().enumerate();
    all.extend(
        shapes
            .filter(|(_, shape)| shape.back.is_some())
            .map(|(at, _)| format!("/back/{at}")),
    );
    all.extend((0..package.catalogue.markers.len()).map(|at| format!("/marker/{at}")));
    all
}

pub(crate) fn read(files: &MemoryFiles) -> Result<Project, String> {
    Project::read_with(Box::new(files.clone()), &ReadOptions::default(), &|_| {})
        .map_err(|why| format!("the game cannot be read: {why}"))
}
