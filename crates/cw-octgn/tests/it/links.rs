//! Links in the folder of a package.

use std::fs;
use std::os::unix::fs::symlink;

use cw_octgn::{FileTrouble, FilesError, Folder, Package, PackageFiles as _};

/// P178: reading stays in the folder, whatever links say; links inside are followed, and a listing ends.
#[test]
fn links_are_followed_inside_only() {
    let place = tempfile::tempdir().unwrap();
    let (out, root) = (place.path().join("out"), place.path().join("game"));
    for folder in [&out, &root.join("Sets/real"), &root.join("Rules")] {
        fs::create_dir_all(folder).unwrap();
    }
    fs::write(out.join("secret"), "secret").unwrap();
    fs::write(root.join("Sets/real/set.xml"), "<set/>").unwrap();
    symlink(&out, root.join("Rules/away")).unwrap();
    symlink(out.join("secret"), root.join("leak.png")).unwrap();
    symlink("../../out/secret", root.join("Rules/core.rules")).unwrap();
    symlink("real", root.join("Sets/alias")).unwrap();
    symlink("..", root.join("Rules/round")).unwrap();
    symlink("nothing", root.join("Rules/broken")).unwrap();
    let files = Folder::new(&root);
    assert_eq!(files.list().unwrap(), ["Sets/alias/set.xml", "Sets/real/set.xml"]);
    let troubles = files.troubles();
    let told: Vec<(&str, FileTrouble)> = troubles.iter().map(|(name, why)| (name.as_str(), *why)).collect();
    assert_eq!(
        told,
        [
            ("Rules/away", FileTrouble::LeadsOut),
            ("Rules/broken", FileTrouble::LeadsNowhere),
            ("Rules/core.rules", FileTrouble::LeadsOut),
            ("Rules/round", FileTrouble::LeadsNowhere),
            ("leak.png", FileTrouble::LeadsOut),
        ]
    );
    for name in ["leak.png", "Rules/core.rules", "Rules/away/secret"] {
        assert!(
            matches!(files.read(name, 100), Err(FilesError::LeadsOut { .. })),
            "{name}"
        );
    }
    assert_eq!(files.read("Sets/alias/set.xml", 100).unwrap(), b"<set/>");
}

/// PK155, PK156: what leads out or cannot be read is a finding; the rest of the package is read.
#[test]
fn what_is_not_read_is_told() {
    let place = tempfile::tempdir().unwrap();
    let root = place.path().join("game");
    fs::create_dir_all(root.join("Sets/one")).unwrap();
    fs::write(place.path().join("secret.xml"), "<set name=\"secret\"/>").unwrap();
    fs::write(root.join("definition.xml"), crate::support::DEFINITION).unwrap();
    fs::write(root.join("Sets/one/set.xml"), crate::support::set("")).unwrap();
    symlink(place.path().join("secret.xml"), root.join("Sets/set.xml")).unwrap();
    symlink(place.path(), root.join("Sets/two")).unwrap();
    symlink("nothing.png", root.join("front.png")).unwrap();
    let package = Package::read(&Folder::new(&root)).unwrap();
    assert_eq!(package.sets.len(), 1);
    let told = package
        .diagnostics
        .iter()
        .filter(|found| matches!(found.code.0, "PK155" | "PK156"));
    let told: Vec<&str> = told.map(|found| found.message.as_str()).collect();
    assert_eq!(
        told,
        [
            "`Sets/set.xml` is a link that leads out of the package; it is not read",
            "`Sets/two` is a link that leads out of the package; it is not read",
            "`front.png` is a link that leads nowhere, or around in a circle",
        ]
    );
}

/// PK156: a file that cannot be had is one finding, not the end.
#[test]
fn a_file_that_cannot_be_read_is_one_finding() {
    #[derive(Debug)]
    struct Broken(cw_octgn::MemoryFiles);
    impl cw_octgn::PackageFiles for Broken {
        fn list(&self) -> Result<Vec<String>, FilesError> {
            self.0.list()
        }
        fn read(&self, name: &str, limit: u64) -> Result<Vec<u8>, FilesError> {
            if name.ends_with("bad.o8d") || name.starts_with("Proxy/") {
                let source = std::io::Error::from(std::io::ErrorKind::PermissionDenied);
                return Err(FilesError::Io {
                    name: name.to_owned(),
                    source,
                });
            }
            self.0.read(name, limit)
        }
    }
    let files = crate::support::files(&crate::support::set(""))
        .with("Decks/bad.o8d", "x")
        .with(
            "Decks/good.o8d",
            "<deck game=\"0a000000-0000-4000-8000-000000000001\"/>",
        );
    let package = Package::read(&Broken(files)).unwrap();
    assert_eq!((package.sets.len(), package.decks.len()), (1, 1));
    let told = package.diagnostics.iter().filter(|found| found.code.0 == "PK156");
    let told: Vec<&str> = told.map(|found| found.message.as_str()).collect();
    assert_eq!(
        told,
        [
            "cannot read `Decks/bad.o8d`: permission denied",
            "cannot read `Proxy/p.xml`: permission denied",
        ]
    );
}
