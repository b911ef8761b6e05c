//! Several files that belong together: all of them, or none.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crate::{FileDraft, write};

/// Writes several files; folders that are missing are made. Nothing has its name before all lie on the disk.
/// If one cannot be put in its place then, those before it get back what they were.
///
/// # Errors
/// If one cannot be written, with its path; all are as they were.
pub fn write_all(files: &[(PathBuf, Vec<u8>)]) -> Result<(), (PathBuf, io::Error)> {
    let mut made = Vec::new();
    let done = draft_all(files, &mut made).and_then(|drafts| keep_all(files, drafts));
    if done.is_err() {
        // Folders that were made for files which are not there; one with something in it stays.
        for folder in made.iter().rev() {
            let _ = fs::remove_dir(folder);
        }
    }
    done
}

fn draft_all(
    files: &[(PathBuf, Vec<u8>)],
    made: &mut Vec<PathBuf>,
) -> Result<Vec<FileDraft>, (PathBuf, io::Error)> {
    let mut drafts = Vec::with_capacity(files.len());
    for (path, bytes) in files {
        let draft = || {
            make_folder(path.parent().unwrap_or(Path::new("")), made)?;
            let mut draft = FileDraft::begin(path)?;
            draft.write_all(bytes)?;
            Ok(draft)
        };
        drafts.push({ draft }().map_err(|error| (path.clone(), error))?);
    }
    Ok(drafts)
}

fn make_folder(folder: &Path, made: &mut Vec<PathBuf>) -> io::Result<()> {
    if folder.as_os_str().is_empty() || folder.is_dir() {
        return Ok(());
    }
    make_folder(folder.parent().unwrap_or(Path::new("")), made)?;
    fs::create_dir(folder)?;
    made.push(folder.to_owned());
    Ok(())
}

fn keep_all(files: &[(PathBuf, Vec<u8>)], drafts: Vec<FileDraft>) -> Result<(), (PathBuf, io::Error)> {
    let mut old: Vec<(&Path, Option<Vec<u8>>)> = Vec::new();
    for ((path, _), draft) in files.iter().zip(drafts) {
        let before = match fs::read(path) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        };
        let kept = before.and_then(|before| draft.keep().map(|()| before));
        match kept {
            Ok(before) => old.push((path, before)),
            Err(error) => {
                for (path, before) in old.into_iter().rev() {
                    // What cannot be put back has its new text, whole.
                    let _ = match before {
                        Some(bytes) => write(path, &bytes),
                        None => fs::remove_file(path),
                    };
                }
                return Err((path.clone(), error));
            }
        }
    }
    Ok(())
}

/// Makes a folder with these files, where nothing is or an empty folder: it gets its name when all are in it.
///
/// # Errors
/// If one cannot be written, with its path; then there is no such folder.
pub fn write_folder(folder: &Path, files: &[(String, Vec<u8>)]) -> Result<(), (PathBuf, io::Error)> {
    let told = |error| (folder.to_owned(), error);
    let place = folder.parent().unwrap_or(Path::new(""));
    let Some(name) = folder.file_name() else {
        return Err(told(io::ErrorKind::InvalidInput.into()));
    };
    let mut hidden = std::ffi::OsString::from(".");
    hidden.push(name);
    hidden.push(format!(".{}.part", std::process::id()));
    let part = place.join(hidden);
    let inside: Vec<(PathBuf, Vec<u8>)> = files
        .iter()
        .map(|(name, bytes)| (part.join(name), bytes.clone()))
        .collect();
    let moved = write_all(&inside).and_then(|()| {
        // An empty folder may be there; some systems move nothing over it.
        let _ = fs::remove_dir(folder);
        fs::rename(&part, folder).map_err(told)
    });
    if moved.is_err() {
        let _ = fs::remove_dir_all(&part);
    }
    moved
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_files_are_written_or_none() {
        let folder = tempfile::tempdir().unwrap();
        let (one, two) = (folder.path().join("one"), folder.path().join("deep/two"));
        fs::write(&one, "old").unwrap();
        // A folder stands where the third file should.
        let three = folder.path().join("three");
        fs::create_dir(&three).unwrap();
        let files = [
            (one.clone(), b"1".to_vec()),
            (two.clone(), b"2".to_vec()),
            (three, b"3".to_vec()),
        ];
        assert!(write_all(&files).is_err());
        assert_eq!(fs::read(&one).unwrap(), b"old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
        write_all(&files[..2]).unwrap();
        assert_eq!(
            (fs::read(&one).unwrap(), fs::read(&two).unwrap()),
            (b"1".to_vec(), b"2".to_vec())
        );
    }

    #[test]
    fn a_folder_comes_whole() {
        let folder = tempfile::tempdir().unwrap();
        let game = folder.path().join("game");
        fs::create_dir(&game).unwrap();
        write_folder(&game, &[("a/b".to_owned(), b"1".to_vec())]).unwrap();
        assert_eq!(fs::read(game.join("a/b")).unwrap(), b"1");
        assert!(
            write_folder(&game, &[("c".to_owned(), b"1".to_vec())]).is_err(),
            "something is in it"
        );
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
