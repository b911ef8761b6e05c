//! The tables of a package in a page: duels where it has rules, and free tables of any package.

use std::sync::{Arc, Mutex};

use axum::Router;
use cw_faces::Catalogue;
use cw_hall::free::{FreeHost, FreeSetting};
use cw_hall::host::{DuelHost, FreeMaker, HostSettings};
use cw_hall::lock::locked;
use cw_hall::quota::HostLimits;
use cw_hall::runtime::Runtime;
use cw_hall::store::DuelStore;
use cw_load::{Loaded, Project, ReadOptions};
use cw_octgn::{Archive, MemoryFiles, PackageFiles, PackageLimits};
use cw_pages::package::DuelPackage;
use cw_pages::secret::Secret;
use cw_program::ModelId;
use cw_table::Kit;

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
    let limits = PackageLimits::default();
    let archive = Archive::new(archive, &limits).map_err(|why| format!("this is no game: {why}"))?;
    if archive.is_of_octgn2() {
        return Err(
            "this is an archive of OCTGN 2, which is not read: a game has def/definition.xml".to_owned(),
        );
    }
    // Archives are read in order, so their files are unpacked once.
    let files = MemoryFiles::copy_of(&archive.package(), limits.file)
        .map_err(|why| format!("the game cannot be unpacked: {why}"))?;
    of_files(&files, parts)
}

/// Opens the package that these files make.
///
/// # Errors
/// As [`open`].
pub fn of_files(files: &MemoryFiles, parts: &HallParts) -> Result<PackageHall, String> {
    let project = read(files)?;
    if !project.package.has_definition {
        return Err("there is no definition.xml that can be read, so this is no game".to_owned());
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
        None => {
            let (host, remarks) = free_host(files, parts)?;
            host.hall.tasks.run_on(Arc::clone(&parts.runtime));
            // Tables that cannot be read now are no reason against a new one.
            let _ = host.resume();
            let opened = host.open_for(1).map_err(|why| why.to_string())?;
            cw_routes::watch(&host);
            Ok(PackageHall {
                router: cw_routes::free_tables(&host),
                entry: opened.first().map(|seat| seat.path.clone()).unwrap_or_default(),
                name,
                has_rules: false,
                remarks,
                pictures: Vec::new(),
                holds,
            })
        }
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
    let (own, own_parts) = (files.clone(), parts.clone());
    // Free tables are made when they are first wanted, and only once.
    let made: Mutex<Option<FreeHost>> = Mutex::default();
    let free: FreeMaker = Box::new(move || {
        let mut made = locked(&made);
        if made.is_none() {
            *made = free_host(&own, &own_parts).ok().map(|(host, _)| host);
        }
        made.clone()
    });
    let pictures = pictures(&package);
    let setting = HostSettings {
        files: Some(Box::new(files.clone())),
        free: Some(free),
        // Nobody else reaches this page.
        has_friends: false,
        page: parts.page.clone(),
        ..HostSettings::new(
            Arc::clone(&package.game),
            Arc::clone(&package.catalogue),
            Box::new(Arc::clone(&parts.store)),
            parts.chance,
        )
    };
    let host = DuelHost::new(HostSettings { package, ..setting });
    let resumed = host.resume().map_err(|why| why.to_string())?;
    if host.hall.tasks.run_on(Arc::clone(&parts.runtime)) {
        for cell in host.hall.cells() {
            host.hall.settle(&cell);
        }
    }
    Ok(PackageHall {
        router: cw_routes::duels(&host),
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

/// Free tables of a package, and what is wrong with its own mapping of menu entries.
fn free_host(files: &MemoryFiles, parts: &HallParts) -> Result<(FreeHost, Vec<String>), String> {
    let loaded = Loaded::of(read(files)?).map_err(|why| why.to_string())?;
    let catalogue = Arc::new(Catalogue::of(&loaded.project));
    let (game, decks) = (loaded.game.clone(), loaded.project.package.decks.clone());
    let Project {
        files: own, package, ..
    } = loaded.project;
    let read = Kit::read(&*own, package, &PackageLimits::default()).map_err(|why| why.to_string())?;
    let remarks: Vec<String> = read
        .kit
        .remarks
        .iter()
        .cloned()
        .chain(read.findings.iter().map(|one| one.message.clone()))
        .collect();
    let host = FreeHost::new(FreeSetting {
        one_device: true,
        kit: Arc::new(read.kit),
        game,
        catalogue,
        files: Some(Box::new(files.clone()) as Box<dyn PackageFiles + Send>),
        pictures: None,
        decks,
        store: Arc::clone(&parts.store),
        limits: HostLimits::default(),
        chance: parts.chance,
        reach: None,
        record: None,
    });
    Ok((host, remarks))
}
