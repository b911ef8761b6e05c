use std::fmt;

/// Where the bytes of a package come from: a folder, an archive, memory.
///
/// Names are relative, use `/`, and never begin with one.
pub trait PackageFiles: Sync + fmt::Debug {
    /// All names, sorted by their bytes; folders themselves are not listed.
    ///
    /// # Errors
    /// When the place cannot be looked into.
    fn list(&self) -> Result<Vec<String>, FilesError>;

    /// The bytes of one file, if there are at most `limit` of them.
    ///
    /// # Errors
    /// When there is no such file, it is larger than `limit`, or cannot be read.
    fn read(&self, name: &str, limit: u64) -> Result<Vec<u8>, FilesError>;

    /// What is there and is not listed, since it cannot be read or must not be.
    fn troubles(&self) -> Vec<(String, FileTrouble)> {
        Vec::new()
    }
}

/// Why something in a folder is not listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FileTrouble {
    /// A link that leads out of the folder.
    LeadsOut,
    /// A link that leads nowhere, or around in a circle.
    LeadsNowhere,
    /// A folder that cannot be looked into.
    Closed,
}

/// Why files could not be had: the world is wrong, not the package.
#[derive(Debug, thiserror::Error)]
pub enum FilesError {
    /// There is no file of this name.
    #[error("no file `{name}`")]
    NotFound {
        /// The name asked for.
        name: String,
    },
    /// The file is larger than it may be (P178).
    #[error("`{name}` is larger than {limit} bytes")]
    TooLarge {
        /// The name asked for.
        name: String,
        /// The most that would have been read, in bytes.
        limit: u64,
    },
    /// A link leads out of the place.
    #[error("`{name}` is a link that leads out of the package")]
    LeadsOut {
        /// The name asked for.
        name: String,
    },
    /// The operating system says no.
    #[error("cannot read `{name}`")]
    Io {
        /// The file or folder.
        name: String,
        /// What the system said.
        source: std::io::Error,
    },
}

/// Files in memory, for tests and generated packages.
#[derive(Clone, Default)]
pub struct MemoryFiles {
    files: std::collections::BTreeMap<String, Vec<u8>>,
}

impl MemoryFiles {
    /// Makes an empty place.
    pub fn new() -> MemoryFiles {
        MemoryFiles::default()
    }

    /// Adds or replaces one file.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, bytes: impl Into<Vec<u8>>) -> MemoryFiles {
        self.files.insert(name.into(), bytes.into());
        self
    }

    /// The files, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.files
            .iter()
            .map(|(name, bytes)| (name.as_str(), bytes.as_slice()))
    }

    /// Copies all files of another place, each at most `limit` bytes long.
    ///
    /// # Errors
    /// Whatever the other place says.
    pub fn copy_of(files: &dyn PackageFiles, limit: u64) -> Result<MemoryFiles, FilesError> {
        let mut copy = MemoryFiles::new();
        for name in files.list()? {
            let bytes = files.read(&name, limit)?;
            copy.files.insert(name, bytes);
        }
        Ok(copy)
    }
}

impl fmt::Debug for MemoryFiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.files.keys()).finish()
    }
}

impl PackageFiles for MemoryFiles {
    fn list(&self) -> Result<Vec<String>, FilesError> {
        Ok(self.files.keys().cloned().collect())
    }

    fn read(&self, name: &str, limit: u64) -> Result<Vec<u8>, FilesError> {
        bounded(name, self.files.get(name).map(Vec::as_slice), limit)
    }
}

/// Files compiled into the program: names with their bytes.
#[derive(Clone, Copy, Debug)]
pub struct EmbeddedFiles(pub &'static [(&'static str, &'static [u8])]);

impl PackageFiles for EmbeddedFiles {
    fn list(&self) -> Result<Vec<String>, FilesError> {
        let mut names: Vec<String> = self.0.iter().map(|(name, _)| (*name).to_owned()).collect();
        names.sort_unstable();
        Ok(names)
    }

    fn read(&self, name: &str, limit: u64) -> Result<Vec<u8>, FilesError> {
        let file = self.0.iter().find(|(other, _)| *other == name);
        bounded(name, file.map(|(_, bytes)| *bytes), limit)
    }
}

fn bounded(name: &str, bytes: Option<&[u8]>, limit: u64) -> Result<Vec<u8>, FilesError> {
    let Some(bytes) = bytes else {
        return Err(FilesError::NotFound {
            name: name.to_owned(),
        });
    };
    if bytes.len() as u64 > limit {
        return Err(FilesError::TooLarge {
            name: name.to_owned(),
            limit,
        });
    }
    Ok(bytes.to_vec())
}
