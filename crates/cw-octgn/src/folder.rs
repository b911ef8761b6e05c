use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::{FileTrouble, FilesError, PackageFiles};

/// The deepest folder that is looked into; deeper ones are not listed.
const MAX_DEPTH: usize = 32;

/// Files below a folder of the file system.
///
/// Links are followed as long as what they lead to lies in the folder, too; those that lead out are told and
/// never read. A link to a folder that it lies in is not followed, so a listing ends. Names that start
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

    fn walk(&self) -> Result<FolderWalk, FilesError> {
        let error = |source| FilesError::Io {
            name: self.root.display().to_string(),
            source,
        };
        let mut walk = FolderWalk {
            root: fs::canonicalize(&self.root).map_err(error)?,
            names: Vec::new(),
            troubles: Vec::new(),
        };
        let root = walk.root.clone();
        walk.below(&root, "", 0).map_err(error)?;
        walk.names.sort_unstable();
        walk.troubles.sort_unstable();
        Ok(walk)
    }
}

impl PackageFiles for Folder {
    fn list(&self) -> Result<Vec<String>, FilesError> {
        Ok(self.walk()?.names)
    }

    fn troubles(&self) -> Vec<(String, FileTrouble)> {
        self.walk().map(|walk| walk.troubles).unwrap_or_default()
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
        let path = fs::canonicalize(self.root.join(name)).map_err(error)?;
        if !path.starts_with(fs::canonicalize(&self.root).map_err(error)?) {
            return Err(FilesError::LeadsOut {
                name: name.to_owned(),
            });
        }
        let file = fs::File::open(path).map_err(error)?;
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

/// A folder while it is listed.
struct FolderWalk {
    /// Without links.
    root: PathBuf,
    names: Vec<String>,
    troubles: Vec<(String, FileTrouble)>,
}

impl FolderWalk {
    /// Lists what lies in a folder, whose path has no links.
    fn below(&mut self, folder: &Path, prefix: &str, depth: usize) -> std::io::Result<()> {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let Some(name) = entry.file_name().to_str().map(str::to_owned) else {
                continue;
            };
            let mut kind = entry.file_type()?;
            let is_set = !kind.is_file() && prefix.eq_ignore_ascii_case("sets/");
            if name.starts_with('.') && !is_set {
                continue;
            }
            let name = format!("{prefix}{name}");
            let mut path = entry.path();
            if kind.is_symlink() {
                let target = fs::canonicalize(&path).and_then(|path| Ok((fs::metadata(&path)?, path)));
                let trouble = match &target {
                    Err(_) => Some(FileTrouble::LeadsNowhere),
                    Ok((_, target)) if !target.starts_with(&self.root) => Some(FileTrouble::LeadsOut),
                    // What lies in the folder that it leads to would be listed for ever.
                    Ok((_, target)) if folder.starts_with(target) => Some(FileTrouble::LeadsNowhere),
                    Ok(_) => None,
                };
                match (trouble, target) {
                    (None, Ok((metadata, target))) => (kind, path) = (metadata.file_type(), target),
                    (trouble, _) => {
                        self.troubles
                            .push((name, trouble.unwrap_or(FileTrouble::LeadsNowhere)));
                        continue;
                    }
                }
            }
            if kind.is_file() {
                self.names.push(name);
            } else if kind.is_dir() && depth < MAX_DEPTH {
                let below = self.below(&path, &format!("{name}/"), depth + 1);
                if below.is_err() {
                    self.troubles.push((name, FileTrouble::Closed));
                }
            }
        }
        Ok(())
    }
}
