//! Where games lie, and their files with the open texts over them.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use cw_octgn::{FileTrouble, FilesError, PackageFiles};
use cw_text::SharedText;

/// Where games lie. Paths are absolute, with `/` between their parts.
pub trait GameFolders {
    /// The folder of the game that a file lies in; the file need not exist.
    fn above(&self, path: &str) -> Option<String>;

    /// The files of a game's folder.
    fn open(&self, root: &str) -> Box<dyn PackageFiles + Send>;

    /// Texts with scenarios of a game that lie outside of its folder, by their paths.
    fn scenarios(&self, _root: &str) -> Vec<(String, String)> {
        Vec::new()
    }

    /// Whether [`GameFolders::table`] can open tables.
    fn opens_tables(&self) -> bool {
        false
    }

    /// Opens a table; returns its address.
    ///
    /// # Errors
    /// Why not, in words.
    fn table(&self, _asked: AskedTable) -> Result<String, String> {
        Err("no table can be opened from here".to_owned())
    }
}

/// A table that somebody wants to play at.
#[derive(Debug)]
pub struct AskedTable {
    /// The folder of the game.
    pub root: String,
    /// The files of the game, with what is not saved yet.
    pub files: Box<dyn PackageFiles + Send>,
    /// A scenario file with one scenario: where the duel begins.
    pub scenario: String,
}

/// The files of a folder as they were when somebody last said that they changed.
pub(crate) struct KeptFiles {
    below: Box<dyn PackageFiles + Send>,
    kept: Mutex<KeptTexts>,
}

#[derive(Default)]
struct KeptTexts {
    names: Option<Vec<String>>,
    texts: BTreeMap<String, Arc<Vec<u8>>>,
}

impl KeptFiles {
    pub(crate) fn new(below: Box<dyn PackageFiles + Send>) -> KeptFiles {
        KeptFiles {
            below,
            kept: Mutex::default(),
        }
    }

    fn kept(&self) -> std::sync::MutexGuard<'_, KeptTexts> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Forgets what one file said, and which files there are.
    pub(crate) fn forget(&self, name: &str) {
        let mut kept = self.kept();
        kept.names = None;
        kept.texts.remove(name);
    }

    fn list(&self) -> Result<Vec<String>, FilesError> {
        if let Some(names) = &self.kept().names {
            return Ok(names.clone());
        }
        let names = self.below.list()?;
        self.kept().names = Some(names.clone());
        Ok(names)
    }

    fn read(&self, name: &str, limit: u64) -> Result<Vec<u8>, FilesError> {
        if let Some(bytes) = self.kept().texts.get(name) {
            return within(name, bytes, limit);
        }
        let bytes = self.below.read(name, limit)?;
        // A package shares its sets and decks with the one before; a large game's would only lie here twice.
        let lower = name.to_ascii_lowercase();
        if is_text(name) && !lower.ends_with(".xml") && !lower.ends_with(".o8d") {
            self.kept().texts.insert(name.to_owned(), Arc::new(bytes.clone()));
        }
        Ok(bytes)
    }
}

/// The kinds of files that a game reads at every change.
pub(crate) fn is_text(name: &str) -> bool {
    let ends = [".rules", ".xml", ".toml", ".o8d", ".py"];
    let lower = name.to_ascii_lowercase();
    ends.iter().any(|end| lower.ends_with(end))
}

fn within(name: &str, bytes: &[u8], limit: u64) -> Result<Vec<u8>, FilesError> {
    if bytes.len() as u64 > limit {
        return Err(FilesError::TooLarge {
            name: name.to_owned(),
            limit,
        });
    }
    Ok(bytes.to_vec())
}

/// A folder with the open texts over its files.
#[derive(Clone)]
pub(crate) struct OpenFiles {
    pub(crate) below: Arc<KeptFiles>,
    pub(crate) open: BTreeMap<String, SharedText>,
}

impl fmt::Debug for OpenFiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.open.keys()).finish()
    }
}

impl PackageFiles for OpenFiles {
    fn list(&self) -> Result<Vec<String>, FilesError> {
        let mut names = self.below.list()?;
        names.extend(self.open.keys().cloned());
        names.sort();
        names.dedup();
        Ok(names)
    }

    fn read(&self, name: &str, limit: u64) -> Result<Vec<u8>, FilesError> {
        match self.open.get(name) {
            Some(text) => within(name, text.as_bytes(), limit),
            None => self.below.read(name, limit),
        }
    }

    fn troubles(&self) -> Vec<(String, FileTrouble)> {
        self.below.below.troubles()
    }
}

/// The game or the package that a scenario file names in its first table.
pub(crate) fn named_game(text: &str) -> Option<&str> {
    let head = text
        .lines()
        .take_while(|line| !line.trim_start().starts_with('['));
    let mut named = head.filter_map(|line| {
        let line = line.trim();
        let value = line
            .strip_prefix("game")
            .or_else(|| line.strip_prefix("table"))?
            .trim_start()
            .strip_prefix('=')?
            .trim();
        let quote = value
            .chars()
            .next()
            .filter(|letter| matches!(letter, '"' | '\''))?;
        value[1..].split(quote).next()
    });
    named.next()
}

/// A path seen from a folder, without `.` and `..`.
pub(crate) fn joined(folder: &str, path: &str) -> String {
    let whole = match path.starts_with('/') {
        true => path.to_owned(),
        false => format!("{folder}/{path}"),
    };
    let mut parts: Vec<&str> = Vec::new();
    for part in whole.split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop()),
            part if part.is_empty() && !parts.is_empty() => {}
            part => parts.push(part),
        }
    }
    parts.join("/")
}
