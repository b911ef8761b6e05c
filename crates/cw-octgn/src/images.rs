use cw_text::{Diagnostic, FindingCode, Severity, Sources, Span};

use crate::check::orphan_card;
use crate::codes::{PK136, PK137, PK139};
use crate::read::clipped_path;
use crate::{Archive, FilesError, Guid, Package, PackageFiles, PackageLimits};

/// A picture of an image pack that has its place in the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImagePackPicture {
    /// The entry of the archive.
    pub entry: String,
    /// The set it belongs to.
    pub set: Guid,
    /// Where it goes below the set's folder: `Cards/…` or `Cards/Crops/…` (P76).
    pub path: String,
}

/// Checks an image pack (P148): the pictures that can be kept, and what is wrong (PK136, PK137, PK139).
///
/// # Errors
/// When the archive cannot be read.
pub fn image_pack(
    archive: &Archive,
    name: &str,
    package: &Package,
    limits: &PackageLimits,
    sources: &mut Sources,
) -> Result<(Vec<ImagePackPicture>, Vec<Diagnostic>), FilesError> {
    let mut found = archive.findings(name, sources);
    let file = sources.add(name, "");
    let mut add = |code: FindingCode, severity: Severity, message: String| {
        found.push(Diagnostic::new(code, severity, file, Span::at(0), message));
    };
    let mut pictures = Vec::new();
    for entry in archive.list()? {
        // P148: such names are skipped, as Windows leaves thumbnails behind.
        if entry.to_lowercase().ends_with("db") {
            continue;
        }
        let shown = clipped_path(&entry).to_owned();
        let (set, path) = match place(&entry, package) {
            Ok(place) => place,
            Err(reason) => {
                add(PK136, Severity::Error, format!("`{shown}` {reason}"));
                continue;
            }
        };
        let file_name = path.rsplit('/').next().unwrap_or(&path).to_owned();
        let bytes = archive.read(&entry, limits.file)?;
        match (
            kind_of(&bytes),
            file_name
                .rsplit_once('.')
                .map(|(_, extension)| extension.to_lowercase()),
        ) {
            (None, _) => {
                add(PK137, Severity::Warning, format!("`{shown}` is not a picture"));
                continue;
            }
            (Some(kind), Some(extension)) if !fits(kind, &extension) => {
                add(PK137, Severity::Warning, format!("`{shown}` is a {kind} picture"));
            }
            _ => {}
        }
        let stem = file_name.split('.').next().unwrap_or_default();
        let marker = package
            .sets
            .iter()
            .flat_map(|set| &set.markers)
            .any(|marker| marker.id.eq_ignore_ascii_case(stem));
        if marker {
            let message =
                format!("`{shown}` is a picture of a marker: OCTGN looks for those in the game package");
            add(PK139, Severity::Warning, message);
            continue;
        }
        if package.set_by_id(set).is_none() {
            add(
                PK137,
                Severity::Warning,
                format!("`{shown}` belongs to an unknown set"),
            );
            continue;
        }
        if let Some(reason) = orphan_card(package, &file_name) {
            add(PK137, Severity::Warning, format!("`{shown}` {reason}"));
            continue;
        }
        pictures.push(ImagePackPicture { entry, set, path });
    }
    Ok((pictures, found))
}

/// Set and path of `<game>/Sets/<set>/Cards[/Crops]/<file>`, exact spelling.
fn place(entry: &str, package: &Package) -> Result<(Guid, String), &'static str> {
    let parts: Vec<&str> = entry.split('/').collect();
    let (game, set, path) = match parts.as_slice() {
        [game, "Sets", set, "Cards", file] => (game, set, format!("Cards/{file}")),
        [game, "Sets", set, "Cards", "Crops", file] => (game, set, format!("Cards/Crops/{file}")),
        _ => return Err("is not `<game>/Sets/<set>/Cards/<card>.<extension>`"),
    };
    let Ok(game) = game.parse::<Guid>() else {
        return Err("does not begin with a GUID");
    };
    if game != package.definition.id.value {
        return Err("belongs to another game");
    }
    let Ok(set) = set.parse::<Guid>() else {
        return Err("names a set without a GUID");
    };
    Ok((set, path))
}

/// What the first bytes say a picture is (P149).
fn kind_of(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0x89, b'P', b'N', b'G', ..] => Some("png"),
        [0xff, 0xd8, 0xff, ..] => Some("jpg"),
        [b'B', b'M', ..] => Some("bmp"),
        [b'G', b'I', b'F', b'8', ..] => Some("gif"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some("webp"),
        _ => None,
    }
}

fn fits(kind: &str, extension: &str) -> bool {
    extension == kind || (kind == "jpg" && matches!(extension, "jpeg" | "jpe"))
}
