//! The folder with the pictures of a sheet.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use cw_sheets::{SheetPictures, is_picture};

/// Files of a folder that are looked at.
const MOST_FILES: usize = 100_000;

/// The pictures in a folder, or beside the sheet.
pub(crate) struct PictureFolder {
    roots: Vec<PathBuf>,
    /// By name, with and without ending, in small letters; the first counts.
    known: BTreeMap<String, PathBuf>,
    is_said: bool,
}

impl PictureFolder {
    /// The folder that somebody named, or those where pictures of the sheet `file` are looked for.
    pub(crate) fn of(file: &Path, folder: Option<&Path>) -> PictureFolder {
        let beside = file.parent().filter(|folder| !folder.as_os_str().is_empty());
        let beside = beside.unwrap_or(Path::new("."));
        let roots: Vec<PathBuf> = match folder {
            Some(folder) => vec![folder.to_owned()],
            None => ["", "pictures", "images"].map(|name| beside.join(name)).to_vec(),
        };
        PictureFolder {
            known: listed(&roots),
            roots,
            is_said: folder.is_some(),
        }
    }

    fn below(&self, path: &str) -> Option<PathBuf> {
        let mut paths = self.roots.iter().map(|root| root.join(path));
        paths.find(|path| path.is_file())
    }
}

impl SheetPictures for PictureFolder {
    fn at(&self, path: &str) -> Option<String> {
        self.below(path).map(|_| path.to_owned())
    }

    fn called(&self, name: &str) -> Option<String> {
        let file = self.known.get(name)?.file_name()?;
        Some(file.to_string_lossy().into_owned())
    }

    fn names(&self) -> Vec<&str> {
        self.known.keys().map(String::as_str).collect()
    }

    fn read(&self, file: &str) -> Result<Vec<u8>, String> {
        let known = || self.known.get(&file.to_lowercase()).cloned();
        let path = self.below(file).or_else(known).ok_or("it is gone")?;
        cw_files::read(&path, cw_files::PICTURE).map_err(|why| why.to_string())
    }

    fn remedy(&self) -> &'static str {
        "--pictures says in which folder the pictures lie"
    }

    fn is_said(&self) -> bool {
        self.is_said
    }
}

fn listed(roots: &[PathBuf]) -> BTreeMap<String, PathBuf> {
    let mut known = BTreeMap::new();
    for root in roots {
        let Ok(entries) = root.read_dir() else { continue };
        let paths = entries
            .take(MOST_FILES)
            .filter_map(|entry| Some(entry.ok()?.path()));
        let mut paths: Vec<PathBuf> = paths.filter(|path| is_picture(&path.to_string_lossy())).collect();
        paths.sort();
        for path in paths {
            for name in [path.file_name(), path.file_stem()].into_iter().flatten() {
                known
                    .entry(name.to_string_lossy().to_lowercase())
                    .or_insert_with(|| path.clone());
            }
        }
    }
    known
}
