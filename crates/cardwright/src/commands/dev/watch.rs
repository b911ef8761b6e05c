//! Which files of a folder were saved: the system tells, or somebody looks once a second.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, SystemTime};

use cw_octgn::{Folder, PackageFiles as _};
use notify::{RecommendedWatcher, RecursiveMode, Watcher as _};

/// Editors save in several steps: this long nothing more must happen.
const SETTLES: Duration = Duration::from_millis(20);
/// How often somebody looks where the system does not tell.
const POLLS: Duration = Duration::from_secs(1);
/// Texts that belong to a game.
const ENDINGS: [&str; 7] = [".rules", ".xml", ".toml", ".o8d", ".json", ".py", ".txt"];

/// Watches a game's folder, and the places of its scenarios.
pub(super) struct FolderWatch {
    folders: Vec<PathBuf>,
    /// Files outside of these folders.
    files: Vec<PathBuf>,
    seen: BTreeMap<PathBuf, SeenFile>,
    told: Option<Receiver<()>>,
    /// Ends the watch when it is dropped.
    _watcher: Option<RecommendedWatcher>,
}

/// A file as it was last seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct SeenFile {
    length: u64,
    saved: Option<SystemTime>,
    /// Of what stands in it: only that decides whether it has changed.
    digest: u64,
    /// Whether it was saved long before it was read. What had just been saved may have been saved again
    /// within what the clock can tell, so it is read once more.
    is_settled: bool,
}

impl FolderWatch {
    /// Watches the folder of a game and these places; the words say why nobody tells of changes, if nobody
    /// does.
    pub(super) fn new(folder: &Path, scenarios: &[PathBuf], polls: bool) -> (FolderWatch, Option<String>) {
        let (folders, files): (Vec<PathBuf>, Vec<PathBuf>) =
            scenarios.iter().cloned().partition(|path| path.is_dir());
        let folders: Vec<PathBuf> = std::iter::once(folder.to_owned()).chain(folders).collect();
        let mut why = polls.then(|| "looking for changes once a second".to_owned());
        let (mut told, mut watcher) = (None, None);
        if !polls {
            match watched(folders.iter().chain(&files)) {
                Ok((receiver, made)) => (told, watcher) = (Some(receiver), Some(made)),
                Err(fault) => {
                    why = Some(format!(
                        "the system does not tell of changes here ({fault}); \
                         looking for them once a second instead"
                    ));
                }
            }
        }
        let mut watch = FolderWatch {
            folders,
            files,
            seen: BTreeMap::new(),
            told,
            _watcher: watcher,
        };
        watch.look();
        (watch, why)
    }

    /// Waits until what stands in a file has changed, or a file has come or gone; which ones.
    pub(super) fn wait(&mut self) -> Vec<PathBuf> {
        loop {
            match &self.told {
                Some(told) => {
                    if told.recv().is_err() {
                        // Nobody tells any more.
                        self.told = None;
                        continue;
                    }
                    while matches!(told.recv_timeout(SETTLES), Ok(())) {}
                }
                None => thread::sleep(POLLS),
            }
            let changed = self.look();
            if !changed.is_empty() {
                return changed;
            }
        }
    }

    /// Files that may hold scenarios.
    pub(super) fn scenarios(&self) -> Vec<PathBuf> {
        let is_scenario = |path: &&PathBuf| {
            let name = path.to_string_lossy();
            let settings = ["Rules/game.toml", "Rules/table.toml"];
            (name.ends_with(".toml") || name.ends_with(".json"))
                && !settings.iter().any(|settings| name.ends_with(settings))
        };
        self.seen.keys().filter(is_scenario).cloned().collect()
    }

    /// Which files differ from what was last seen.
    fn look(&mut self) -> Vec<PathBuf> {
        let mut now = BTreeMap::new();
        for folder in &self.folders {
            // A folder that is just being moved is there again at the next look.
            let names = Folder::new(folder).list().unwrap_or_default();
            let texts = names.iter().filter(|name| {
                let lower = name.to_ascii_lowercase();
                ENDINGS.iter().any(|ending| lower.ends_with(ending))
            });
            for name in texts {
                let path = folder.join(name);
                if let Some(seen) = see(&path, self.seen.get(&path)) {
                    now.insert(path, seen);
                }
            }
        }
        for path in &self.files {
            if let Some(seen) = see(path, self.seen.get(path)) {
                now.insert(path.clone(), seen);
            }
        }
        let before = std::mem::replace(&mut self.seen, now);
        let digest = |seen: Option<&SeenFile>| seen.map(|seen| seen.digest);
        let all = before.keys().chain(self.seen.keys());
        let changed = all.filter(|path| digest(before.get(*path)) != digest(self.seen.get(*path)));
        let mut changed: Vec<PathBuf> = changed.cloned().collect();
        changed.sort();
        changed.dedup();
        changed
    }
}

/// The file as it is; it is read only if its length or time is another one.
fn see(path: &Path, before: Option<&SeenFile>) -> Option<SeenFile> {
    let about = std::fs::metadata(path).ok()?;
    let (length, saved) = (about.len(), about.modified().ok());
    let is_same = |before: &&SeenFile| before.is_settled && (before.length, before.saved) == (length, saved);
    if let Some(before) = before.filter(is_same) {
        return Some(*before);
    }
    let is_settled = saved.is_some_and(|saved| saved.elapsed().is_ok_and(|age| age > POLLS));
    let (folder, name) = (path.parent()?, path.file_name()?.to_str()?);
    let bytes = Folder::new(folder).read(name, super::reading().file).ok()?;
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    Some(SeenFile {
        length,
        saved,
        digest: hasher.finish(),
        is_settled,
    })
}

/// Tells whenever anything happens in these places.
fn watched<'p>(
    places: impl Iterator<Item = &'p PathBuf>,
) -> Result<(Receiver<()>, RecommendedWatcher), notify::Error> {
    let (sender, receiver) = channel();
    let mut watcher = notify::recommended_watcher(move |happened: notify::Result<notify::Event>| {
        // To look is to read, which is told, too.
        let is_reading = happened.is_ok_and(|event| event.kind.is_access());
        if !is_reading {
            // What happened does not matter: somebody looks. Nobody may listen any more.
            let _ = sender.send(());
        }
    })?;
    for place in places {
        watcher.watch(place, RecursiveMode::Recursive)?;
    }
    Ok((receiver, watcher))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file that is saved as it was is no change; one that is saved by renaming is.
    #[test]
    fn only_what_stands_in_files_counts() {
        for polls in [false, true] {
            let folder = tempfile::tempdir().expect("a folder");
            let rules = folder.path().join("core.rules");
            std::fs::write(&rules, "one").expect("it can be written");
            let (mut watch, _) = FolderWatch::new(folder.path(), &[], polls);
            std::fs::write(&rules, "one").expect("it can be written");
            assert_eq!(watch.look(), Vec::<PathBuf>::new());
            let aside = folder.path().join("core.rules~");
            std::fs::write(&aside, "two").expect("it can be written");
            std::fs::rename(&aside, &rules).expect("it can be renamed");
            assert_eq!(watch.wait(), std::slice::from_ref(&rules));
            std::fs::remove_file(&rules).expect("it is there");
            assert_eq!(watch.wait(), [rules]);
        }
    }
}
