//! Writing: beside the file, then in its place.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};

/// Writes a file anew; whoever looks meanwhile sees the old one. Permissions stay, a link keeps leading to
/// its file.
///
/// # Errors
/// If it cannot be written; the old file is as it was.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut draft = FileDraft::begin(path)?;
    draft.write_all(bytes)?;
    draft.keep()
}

/// Writes a file that is not there yet.
///
/// # Errors
/// If something is there ([`io::ErrorKind::AlreadyExists`]), or it cannot be written; then there is nothing.
pub fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut draft = FileDraft::begin_new(path)?;
    draft.write_all(bytes)?;
    draft.keep()
}

/// A file on its way: it lies beside its place under another name, until it is kept.
///
/// One that is not kept is removed. After a `kill -9` it stays: its name begins with a dot and ends with
/// `.part`, so that no reader takes it for anything.
#[derive(Debug)]
pub struct FileDraft {
    file: File,
    /// None: what is written to is no file that could be replaced, as `/dev/stdout` or a pipe.
    beside: Option<Beside>,
}

#[derive(Debug)]
struct Beside {
    /// Where it lies until then.
    part: PathBuf,
    /// Where it is wanted.
    place: PathBuf,
    /// Whether another file may lie there.
    replaces: bool,
    kept: bool,
}

/// How many links lead from one to the next before they are taken for a circle.
const MOST_LINKS: usize = 40;

impl FileDraft {
    /// Begins a file that replaces what is at its place.
    ///
    /// # Errors
    /// If nothing can be written there: that is known before the work, not after it.
    pub fn begin(path: &Path) -> io::Result<FileDraft> {
        // The link `/dev/stdout` may lead to a pipe, which has no other name.
        if fs::metadata(path).is_ok_and(|about| !about.is_file() && !about.is_dir()) {
            let file = OpenOptions::new().write(true).open(path)?;
            return Ok(FileDraft { file, beside: None });
        }
        let place = behind_links(path)?;
        let old = match fs::metadata(&place) {
            Ok(old) => Some(old),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        if let Some(old) = &old {
            // A file that may not be written is not replaced either, though its folder would allow that.
            let file = OpenOptions::new().write(true).open(&place)?;
            if !old.is_file() {
                return Ok(FileDraft { file, beside: None });
            }
        }
        FileDraft::beside(place, old.as_ref(), true)
    }

    /// Begins a file at a place where nothing is.
    ///
    /// # Errors
    /// If something is there ([`io::ErrorKind::AlreadyExists`]), or nothing can be written there.
    pub fn begin_new(path: &Path) -> io::Result<FileDraft> {
        match fs::symlink_metadata(path) {
            Ok(_) => Err(io::ErrorKind::AlreadyExists.into()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                FileDraft::beside(path.to_owned(), None, false)
            }
            Err(error) => Err(error),
        }
    }

    fn beside(place: PathBuf, old: Option<&Metadata>, replaces: bool) -> io::Result<FileDraft> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let Some(name) = place.file_name() else {
            return Err(io::ErrorKind::IsADirectory.into());
        };
        // Programs, and threads of one, that write the same file at the same time do not meet.
        loop {
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let mut hidden = std::ffi::OsString::from(".");
            // Names may have 255 bytes, and this one gets longer.
            hidden.push(if name.len() <= 200 { name } else { "draft".as_ref() });
            hidden.push(format!(".{}-{number}.part", process::id()));
            let part = place.with_file_name(hidden);
            match OpenOptions::new().write(true).create_new(true).open(&part) {
                // Of a program with the same number that was killed.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
                Ok(file) => {
                    let beside = Beside {
                        part,
                        place,
                        replaces,
                        kept: false,
                    };
                    let draft = FileDraft {
                        file,
                        beside: Some(beside),
                    };
                    if let Some(old) = old {
                        keep_permissions(&draft.file, old)?;
                    }
                    return Ok(draft);
                }
            }
        }
    }

    /// Puts the file in its place, when all of it is on the disk.
    ///
    /// # Errors
    /// If not all of it is there, or it cannot be moved; then the old file is as it was.
    pub fn keep(mut self) -> io::Result<()> {
        self.file.flush()?;
        let Some(beside) = &mut self.beside else {
            return Ok(());
        };
        // Only now a full disk or a network may say that what was taken cannot be kept.
        self.file.sync_all()?;
        if beside.replaces {
            fs::rename(&beside.part, &beside.place)?;
        } else {
            place_new(&beside.part, &beside.place)?;
        }
        beside.kept = true;
        sync_folder(&beside.place);
        Ok(())
    }
}

/// Moves a file to where nothing is. A second name tells for sure that nothing was there; where files have
/// but one name, as on FAT, it is looked for.
fn place_new(part: &Path, place: &Path) -> io::Result<()> {
    match fs::hard_link(part, place) {
        Ok(()) => fs::remove_file(part),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(error),
        Err(_) if fs::symlink_metadata(place).is_ok() => Err(io::ErrorKind::AlreadyExists.into()),
        Err(_) => fs::rename(part, place),
    }
}

impl Drop for FileDraft {
    fn drop(&mut self) {
        if let Some(beside) = self.beside.as_ref().filter(|beside| !beside.kept) {
            // If it cannot be removed, nothing is lost but room.
            let _ = fs::remove_file(&beside.part);
        }
    }
}

impl Write for FileDraft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Seek for FileDraft {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

/// The place that a path's links lead to, whether something is there or not.
fn behind_links(path: &Path) -> io::Result<PathBuf> {
    let mut place = path.to_owned();
    for _ in 0..MOST_LINKS {
        let is_link = fs::symlink_metadata(&place).is_ok_and(|about| about.is_symlink());
        if !is_link {
            return Ok(place);
        }
        let target = fs::read_link(&place)?;
        place = place.parent().unwrap_or(Path::new("")).join(target);
    }
    Err(io::Error::other("its links lead in a circle"))
}

/// Who may read and write the old file may do so with the new one, and it belongs to the same people.
fn keep_permissions(file: &File, old: &Metadata) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt as _, fchown};
        // Only its owner may give a file away, and mostly is its owner; else the new one belongs to who
        // writes it.
        let _ = fchown(file, Some(old.uid()), Some(old.gid()));
    }
    file.set_permissions(old.permissions())
}

/// The new name itself is on the disk, too. Where folders cannot be opened, as on Windows, the system sees to
/// it.
fn sync_folder(place: &Path) {
    let folder = place.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Ok(folder) = File::open(folder.unwrap_or(Path::new("."))) {
        let _ = folder.sync_all();
    }
}
