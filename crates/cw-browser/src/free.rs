//! Free tables of a package in a page.

use std::sync::{Arc, Mutex};

use cw_faces::Catalogue;
use cw_hall::duels::FreeMaker;
use cw_hall::free::{FreeHost, FreeSetting};
use cw_hall::lock::locked;
use cw_hall::quota::HostLimits;
use cw_load::{Loaded, Project};
use cw_octgn::{MemoryFiles, PackageFiles, PackageLimits};
use cw_table::Kit;

use crate::open::{HallParts, PackageHall, read};

/// A free table of the package.
pub(crate) fn hall(
    name: String,
    holds: String,
    files: &MemoryFiles,
    parts: &HallParts,
) -> Result<PackageHall, String> {
    let (host, remarks) = free_host(files, parts)?;
    host.run_on(Arc::clone(&parts.runtime));
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

/// Free tables beside the duels of a package: they are made when they are first wanted, and only once.
pub(crate) fn maker(files: &MemoryFiles, parts: &HallParts) -> FreeMaker {
    let (own, own_parts) = (files.clone(), parts.clone());
    let made: Mutex<Option<FreeHost>> = Mutex::default();
    Box::new(move || {
        let mut made = locked(&made);
        if made.is_none() {
            *made = free_host(&own, &own_parts).ok().map(|(host, _)| host);
        }
        made.clone()
    })
}

/// Free tables of a package, and what is wrong with its own mapping of menu entries.
fn free_host(files: &MemoryFiles, parts: &HallParts) -> Result<(FreeHost, Vec<String>), String> {
    let loaded = Loaded::of(read(files)?).map_err(|why| why.to_string())?;
    let catalogue = Arc::new(Catalogue::of(&loaded.project));
    let (game, decks) = (loaded.game.clone(), loaded.project.package.decks.clone());
    let aliases = loaded.project.config.search.aliases.clone();
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
        aliases,
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
