//! Pictures that a sheet names, or that have a card's name.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use cw_sheets::{PlannedPicture, SheetFinding};

/// Pictures with their places below the folder of the game.
#[derive(Default)]
pub(crate) struct FoundPictures {
    pub(crate) files: Vec<(String, Vec<u8>)>,
    pub(crate) notes: Vec<String>,
}

/// Files of a folder that are looked at.
const MOST_FILES: usize = 100_000;

/// Finds the pictures of rows in `folder`, or beside the sheet. A row that names one has to get it; others get one that has
/// the card's name, if there is any.
pub(crate) fn find(
    wanted: &[PlannedPicture],
    sheet: &str,
    file: &Path,
    folder: Option<&Path>,
) -> Result<FoundPictures, Vec<SheetFinding>> {
    let beside = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    let beside = beside.unwrap_or(Path::new("."));
    let roots: Vec<PathBuf> = match folder {
        Some(folder) => vec![folder.to_owned()],
        None => ["", "pictures", "images"].map(|name| beside.join(name)).to_vec(),
    };
    let known = listed(&roots);
    let mut found = FoundPictures::default();
    let mut wrong = Vec::new();
    let mut missing = Vec::new();
    let mut any = false;
    for one in wanted {
        let finding = |message: String| SheetFinding::new(sheet, one.place.clone(), message);
        if one.named.contains("://") {
            found.notes.push(format!(
                "{} has its picture on the web ({}): nothing is fetched",
                one.name, one.named
            ));
            continue;
        }
        let plain = one.named.replace('\\', "/");
        if plain.starts_with('/') || plain.contains(':') || plain.split('/').any(|part| part == "..") {
            wrong.push(
                finding(format!(
                    "the picture “{}” leads out of the folder of pictures",
                    one.named
                ))
                .help("write its name alone"),
            );
            continue;
        }
        let name = plain.rsplit('/').next().unwrap_or(&plain);
        let whole = roots
            .iter()
            .map(|root| root.join(&plain))
            .find(|path| !plain.is_empty() && path.is_file());
        let by_name = || {
            known.get(&if name.is_empty() {
                one.name.to_lowercase()
            } else {
                name.to_lowercase()
            })
        };
        let Some(path) = whole.or_else(|| by_name().cloned()) else {
            if !one.named.is_empty() {
                let near = cw_text::nearest(name, known.keys().map(String::as_str));
                let help = match near {
                    Some(near) => format!("did you mean “{near}”?"),
                    None => "--pictures says in which folder the pictures lie".to_owned(),
                };
                missing.push(finding(format!("there is no picture “{}”", one.named)).help(help));
            }
            continue;
        };
        let bytes = match cw_files::read(&path, cw_files::PICTURE) {
            Ok(bytes) => bytes,
            Err(why) => {
                wrong.push(finding(format!(
                    "the picture “{}” cannot be read: {why}",
                    path.display()
                )));
                continue;
            }
        };
        any |= !one.named.is_empty();
        match ending(&bytes) {
            Some(ending) => found.files.push((format!("{}.{ending}", one.target), bytes)),
            None if one.named.is_empty() => {}
            None => wrong.push(
                finding(format!("“{}” is not a picture", path.display()))
                    .help("pictures are PNG, JPEG, GIF, WebP or BMP"),
            ),
        }
    }
    // Other programs' files always name pictures, which mostly lie elsewhere.
    if folder.is_none() && !any && wrong.is_empty() && missing.len() > 1 {
        found.notes.push(format!(
            "none of the {} pictures that the file names is here; --pictures says where they lie",
            missing.len()
        ));
        missing.clear();
    }
    wrong.extend(missing);
    match wrong.is_empty() {
        true => Ok(found),
        false => Err(wrong),
    }
}

/// Files by name, with and without ending, in small letters; the first counts.
fn listed(roots: &[PathBuf]) -> BTreeMap<String, PathBuf> {
    let mut known = BTreeMap::new();
    for root in roots {
        let Ok(entries) = root.read_dir() else { continue };
        let mut paths: Vec<PathBuf> = entries
            .take(MOST_FILES)
            .filter_map(|entry| Some(entry.ok()?.path()))
            .collect();
        paths.sort();
        for path in paths {
            let ends = path.extension().is_some_and(|ending| {
                let ending = ending.to_string_lossy().to_lowercase();
                ["png", "jpg", "jpeg", "gif", "webp", "bmp"].contains(&ending.as_str())
            });
            if !ends {
                continue;
            }
            for name in [path.file_name(), path.file_stem()].into_iter().flatten() {
                known
                    .entry(name.to_string_lossy().to_lowercase())
                    .or_insert_with(|| path.clone());
            }
        }
    }
    known
}

/// What a picture is, by its first bytes.
fn ending(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0x89, b'P', b'N', b'G', ..] => Some("png"),
        [0xff, 0xd8, 0xff, ..] => Some("jpg"),
        [b'G', b'I', b'F', b'8', ..] => Some("gif"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some("webp"),
        [b'B', b'M', ..] => Some("bmp"),
        _ => None,
    }
}
