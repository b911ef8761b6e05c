//! One way to read a file, one way to write it.

use std::fs;
use std::io::Write as _;
use std::path::Path;

use cw_files::{FileDraft, FileKind, FileReadError, read, read_from, read_text, write, write_new};

const SMALL: FileKind = FileKind {
    name: "a note",
    most: 4096,
    remedy: Some("write less"),
};

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("the folder is there");
    let mut names: Vec<String> = entries
        .map(|entry| {
            entry
                .expect("it can be read")
                .file_name()
                .into_string()
                .expect("it is UTF-8")
        })
        .collect();
    names.sort();
    names
}

#[test]
fn a_file_is_replaced_as_a_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.txt");
    fs::write(&path, "old").unwrap();
    let mut draft = FileDraft::begin(&path).unwrap();
    draft.write_all(b"half of the n").unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"old");
    drop(draft);
    assert_eq!(fs::read(&path).unwrap(), b"old");
    assert_eq!(names(folder.path()), ["a.txt"]);
    write(&path, b"new").unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"new");
    assert_eq!(names(folder.path()), ["a.txt"]);
}

/// A killed program drops nothing: the old file is whole, and what is left over is hidden.
#[test]
fn a_draft_that_nobody_ends_leaves_the_old_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.txt");
    fs::write(&path, "old").unwrap();
    let mut draft = FileDraft::begin(&path).unwrap();
    draft.write_all(b"half of the n").unwrap();
    std::mem::forget(draft);
    assert_eq!(fs::read(&path).unwrap(), b"old");
    let names = names(folder.path());
    assert!(
        names[0].starts_with(".a.txt.") && names[0].ends_with(".part"),
        "{names:?}"
    );
    write(&path, b"new").unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"new");
}

#[test]
fn what_is_there_is_not_written_over_by_something_new() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.txt");
    write_new(&path, b"first").unwrap();
    let refused = write_new(&path, b"second").unwrap_err();
    assert_eq!(refused.kind(), std::io::ErrorKind::AlreadyExists);
    // Whatever came into being meanwhile stays, too.
    let late = folder.path().join("b.txt");
    let mut draft = FileDraft::begin_new(&late).unwrap();
    draft.write_all(b"mine").unwrap();
    fs::write(&late, "theirs").unwrap();
    assert_eq!(
        draft.keep().unwrap_err().kind(),
        std::io::ErrorKind::AlreadyExists
    );
    assert_eq!(fs::read(&late).unwrap(), b"theirs");
    assert_eq!(names(folder.path()), ["a.txt", "b.txt"]);
}

#[test]
fn a_folder_is_no_file() {
    let folder = tempfile::tempdir().unwrap();
    assert!(write(folder.path(), b"x").is_err());
    assert!(write(&folder.path().join("none").join("a.txt"), b"x").is_err());
    assert!(names(folder.path()).is_empty());
}

#[cfg(unix)]
#[test]
fn permissions_stay_and_links_keep_leading_to_their_file() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("real")).unwrap();
    let path = folder.path().join("real/a.sh");
    fs::write(&path, "old").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o750)).unwrap();
    let link = folder.path().join("link");
    symlink("real/a.sh", &link).unwrap();
    let second = folder.path().join("second");
    symlink("link", &second).unwrap();
    write(&second, b"new").unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"new");
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o750);
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    // A link to nothing yet makes what it leads to.
    symlink("real/b.txt", folder.path().join("to_new")).unwrap();
    write(&folder.path().join("to_new"), b"b").unwrap();
    assert_eq!(fs::read(folder.path().join("real/b.txt")).unwrap(), b"b");
    symlink("round", folder.path().join("round")).unwrap();
    let circle = write(&folder.path().join("round"), b"x").unwrap_err();
    assert_eq!(circle.to_string(), "its links lead in a circle");
}

/// Devices and pipes are written to, not replaced.
#[cfg(unix)]
#[test]
fn devices_stay_devices() {
    write(Path::new("/dev/null"), b"x").unwrap();
    assert!(!fs::metadata("/dev/null").unwrap().is_file());
    if Path::new("/dev/full").exists() {
        let full = write(Path::new("/dev/full"), b"x").unwrap_err();
        assert_eq!(full.kind(), std::io::ErrorKind::StorageFull);
    }
}

/// A pipe is written to through the links that lead to it, as `/dev/stdout` does: it has no other name.
#[cfg(target_os = "linux")]
#[test]
fn a_pipe_is_written_to_through_its_links() {
    use std::io::Read as _;
    use std::os::fd::AsRawFd as _;
    let (mut reader, writer) = std::io::pipe().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let link = folder.path().join("stdout");
    std::os::unix::fs::symlink(format!("/proc/self/fd/{}", writer.as_raw_fd()), &link).unwrap();
    write(&link, b"text").unwrap();
    drop(writer);
    let mut text = String::new();
    reader.read_to_string(&mut text).unwrap();
    assert_eq!(text, "text");
}

/// A file above its limit is refused in a sentence, and its bytes are never asked for (P178).
#[test]
fn what_is_too_large_is_told_and_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a");
    fs::write(&path, [b'x'; 4096]).unwrap();
    assert_eq!(read(&path, SMALL).unwrap().len(), 4096);
    // Sparse: larger than all memory.
    fs::File::create(&path).unwrap().set_len(1 << 42).unwrap();
    let error = read(&path, SMALL).unwrap_err();
    assert!(matches!(error, FileReadError::TooLarge { .. }));
    assert_eq!(
        error.to_string(),
        "it is larger than 4 KiB, the most that a note may have; write less"
    );
    let endless = read_from(std::io::repeat(b'x'), 0, SMALL).unwrap_err();
    assert!(matches!(endless, FileReadError::TooLarge { .. }));
    #[cfg(unix)]
    assert!(matches!(
        read(Path::new("/dev/zero"), SMALL),
        Err(FileReadError::TooLarge { .. })
    ));
    fs::write(&path, [0xff]).unwrap();
    assert!(matches!(read_text(&path, SMALL), Err(FileReadError::NotText)));
}
