use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::{Files, FilesError};

/// The deepest folder that is looked into; deeper ones are not listed.
const MAX_DEPTH: usize = 32;

/// Files below a folder of the file system.
///
/// Links to folders are not followed, so a listing ends and stays below the folder. Names that start
/// with a dot (`.git`) are not listed, but for folders of sets: the client reads those.
#[derive(Clone, Debug)]
pub struct Folder {
    root: PathBuf,
}

impl Folder {
    /// Speaks of the folder; nothing is read yet.
    pub fn new(root: impl Into<PathBuf>) -> Folder {
        Folder { root: root.into() }
    }

    /// The folder.
    pub fn root(&self) -> &Path {
        &self.root
    }
}

impl Files for Folder {
    fn list(&self) -> Result<Vec<String>, FilesError> {
        let mut names = Vec::new();
        list_below(&self.root, "", 0, &mut names)?;
        names.sort_unstable();
        Ok(names)
    }

    fn read(&self, name: &str, limit: u64) -> Result<Vec<u8>, FilesError> {
        let error = |source: std::io::Error| {
            let name = name.to_owned();
            if source.kind() == std::io::ErrorKind::NotFound {
                return FilesError::NotFound { name };
            }
            FilesError::Io { name, source }
        };
        let escapes = name.split('/').any(|part| part == ".." || part.is_empty());
        if escapes {
            return Err(FilesError::NotFound {
                name: name.to_owned(),
            });
        }
        let file = fs::File::open(self.root.join(name)).map_err(error)?;
        let size = file.metadata().map_err(error)?.len();
        let mut bytes = Vec::with_capacity(usize::try_from(size.min(limit)).unwrap_or(0) + 1);
        file.take(limit.saturating_add(1))
            .read_to_end(&mut bytes)
            .map_err(error)?;
        if bytes.len() as u64 > limit {
            return Err(FilesError::TooLarge {
                name: name.to_owned(),
                limit,
            });
        }
        Ok(bytes)
    }
}

fn list_below(folder: &Path, prefix: &str, depth: usize, out: &mut Vec<String>) -> Result<(), FilesError> {
    let error = |source| FilesError::Io {
        name: folder.display().to_string(),
        source,
    };
    for entry in fs::read_dir(folder).map_err(error)? {
        let entry = entry.map_err(error)?;
        let Some(name) = entry.file_name().to_str().map(str::to_owned) else {
            continue;
        };
        let kind = entry.file_type().map_err(error)?;
        let is_set = kind.is_dir() && prefix.eq_ignore_ascii_case("sets/");
        if name.starts_with('.') && !is_set {
            continue;
        }
        let path = format!("{prefix}{name}");
        if kind.is_dir() && depth < MAX_DEPTH {
            list_below(&entry.path(), &format!("{path}/"), depth + 1, out)?;
        } else if kind.is_file() || (kind.is_symlink() && entry.path().is_file()) {
            out.push(path);
        }
    }
    Ok(())
}
