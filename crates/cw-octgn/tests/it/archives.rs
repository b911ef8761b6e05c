//! Archives cannot write outside of their target, over another file, or without bounds.

use std::io::{Cursor, Write as _};

use cw_octgn::{
    Archive, Folder, MemoryFiles, Package, PackageFiles, PackageLimits, check, export, image_pack,
};
use cw_text::Sources;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::support::{DEFINITION, GAME, SET, files, set};

fn zipped(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in entries {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// A game of OCTGN 2 is of the same convention, with its parts named by relationships; one of OCTGN 3 may
/// have any.
#[test]
fn archives_of_octgn_2_are_known() {
    let relations: &[u8] = b"<Relationships><Relationship Type=\"http://schemas.octgn.org/game/definition\" \
                             Target=\"/d.xml\"/></Relationships>";
    let is_known = |entries: &[(&str, &[u8])]| {
        Archive::new(zipped(entries), &PackageLimits::default())
            .unwrap()
            .is_of_octgn2()
    };
    assert!(is_known(&[("_rels/.rels", relations), ("d.xml", b"<game/>")]));
    assert!(!is_known(&[
        ("_rels/.rels", relations),
        ("def/definition.xml", b"<game/>")
    ]));
    assert!(!is_known(&[
        ("_rels/.rels", b"<Relationships/>"),
        ("d.xml", b"<game/>")
    ]));
    assert!(!is_known(&[("d.xml", b"<game/>")]));
}

/// Codes of what is wrong with an archive, and how many entries are left.
fn troubles(bytes: Vec<u8>) -> (Vec<&'static str>, usize) {
    let archive = Archive::new(bytes, &PackageLimits::default()).unwrap();
    let codes = archive.troubles().iter().map(|(code, _)| code.0).collect();
    (codes, archive.list().unwrap().len())
}

/// PK130, P147: every kind of name that leaves the target or means another file.
#[test]
fn unsafe_names_are_refused() {
    let names = [
        "../evil",
        "def/../../evil",
        "/etc/passwd",
        "C:/evil",
        "c:evil",
        "def\\evil",
        "def/..\\evil",
        "def//evil",
        "./evil",
        "def/evil.",
        "def/evil ",
        "def/ evil",
        "def/NUL",
        "def/com1.txt",
        "def/evil\0.txt",
        "def/evil:stream",
        "def/ev\nil",
    ];
    for name in names {
        assert_eq!(troubles(zipped(&[(name, b"x")])), (vec!["PK130"], 0), "{name:?}");
    }
    for name in [
        "def/a.b.c",
        "def/Sets/x y/set.xml",
        "def/nulls",
        "def/com10",
        "def/…",
        ".hidden/a",
    ] {
        assert_eq!(troubles(zipped(&[(name, b"x")])), (vec![], 1), "{name:?}");
    }
}

/// Links, encrypted entries and duplicate entries are refused (PK131).
#[test]
fn links_encrypted_and_duplicate_entries_are_refused() {
    assert_eq!(
        troubles(zipped(&[("def/A", b"x"), ("def/a", b"y")])),
        (vec!["PK131"], 1)
    );
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    zip.add_symlink("def/link", "/etc/passwd", SimpleFileOptions::default())
        .unwrap();
    assert_eq!(troubles(zip.finish().unwrap().into_inner()), (vec!["PK131"], 0));

    let sound = zipped(&[("def/aa", b"x"), ("def/ab", b"y")]);
    let central = sound.windows(4).position(|four| four == b"PK\x01\x02").unwrap();
    let changed = |at: usize, byte: u8| {
        let mut bytes = sound.clone();
        bytes[at] = byte;
        bytes
    };
    // The flag for encryption, in the directory.
    assert_eq!(troubles(changed(central + 8, 1)).0, ["PK131"]);
    // Another name in the local header: what is listed is not what is unpacked.
    assert_eq!(troubles(changed(30 + 5, b'z')).0, ["PK131"]);
    // Another size in the local header.
    assert_eq!(troubles(changed(22, 9)).0, ["PK131"]);
    // Two records with one name in the directory.
    let second = sound.windows(4).rposition(|four| four == b"PK\x01\x02").unwrap();
    let mut twice = sound.clone();
    twice[second + 46 + 5] = b'a';
    assert_eq!(troubles(twice).0, ["PK131"]);
}

/// Archives that grow too much, or hold others, are refused (PK132, P178).
#[test]
fn bombs_are_refused() {
    let bomb = zipped(&[("def/zeros", &vec![0; 8 << 20])]);
    assert!(bomb.len() < 20_000);
    assert_eq!(troubles(bomb), (vec!["PK132"], 0));
    assert_eq!(troubles(zipped(&[("def/zeros", &vec![0; 1 << 19])])), (vec![], 1));
    assert_eq!(troubles(zipped(&[("def/inner.zip", b"PK")])), (vec!["PK132"], 0));

    let limits = PackageLimits {
        entries: 2,
        unpacked: 3,
        ..PackageLimits::default()
    };
    let many = Archive::new(zipped(&[("a", b""), ("b", b""), ("c", b"")]), &limits).unwrap();
    assert_eq!((many.troubles()[0].0.0, many.list().unwrap().len()), ("PK132", 0));
    let large = Archive::new(zipped(&[("a", b"12"), ("b", b"34")]), &limits).unwrap();
    assert_eq!(
        (large.troubles()[0].0.0, large.list().unwrap().len()),
        ("PK132", 1)
    );
}

/// Truncated and damaged archives are errors or troubles, never panics.
#[test]
fn damaged_archives_are_no_archives() {
    let sound = zipped(&[("def/definition.xml", DEFINITION.as_bytes()), ("def/b", b"y")]);
    for length in 0..sound.len() {
        let cut = Archive::new(sound[..length].to_vec(), &PackageLimits::default());
        assert!(cut.is_err(), "{length} bytes");
    }
    for at in 0..sound.len() {
        let mut bytes = sound.clone();
        bytes[at] ^= 0xff;
        if let Ok(archive) = Archive::new(bytes, &PackageLimits::default()) {
            let _ = Package::read(&archive.package());
        }
    }
}

/// P143–P145: a package that is exported is read back as the same; PK133, PK134 near misses.
#[test]
fn an_exported_package_reads_back() {
    let folder = files(&set("<cards/>")).with("readme.txt", "left out");
    let package = Package::read(&folder).unwrap();
    let exported = export(&folder, &package, &PackageLimits::default()).unwrap();
    assert_eq!(exported.file_name, "G-1.0.0.0.o8g");
    assert_eq!(
        exported.left_out,
        ["back.png", "fire.png", "front.png", "readme.txt"]
    );
    assert_eq!(
        exported.bytes,
        export(&folder, &package, &PackageLimits::default())
            .unwrap()
            .bytes
    );
    let archive = Archive::new(exported.bytes, &PackageLimits::default())
        .unwrap()
        .package();
    let mut again = Package::read(&archive).unwrap();
    archive.report("G.o8g", &mut again);
    assert_eq!(again.diagnostics, []);
    assert_eq!(again.sets, package.sets);
    assert_eq!(
        archive.list().unwrap(),
        [
            "Proxy/p.xml".to_owned(),
            format!("Sets/{SET}/set.xml"),
            "definition.xml".to_owned()
        ]
    );
}

/// Packages whose manifest and folders do not say what they are get findings (PK133, PK134).
#[test]
fn packages_that_do_not_say_what_they_are() {
    let nuspec = |id: &str, version: &str| {
        format!("<package><metadata><id>{id}</id><version>{version}</version></metadata></package>")
    };
    let found = |nuspec: &str, folder: &str| {
        let sound = set("");
        let bytes = zipped(&[
            ("g.nuspec", nuspec.as_bytes()),
            ("def/definition.xml", DEFINITION.as_bytes()),
            (&format!("def/Sets/{folder}/set.xml"), sound.as_bytes()),
        ]);
        let archive = Archive::new(bytes, &PackageLimits::default()).unwrap().package();
        let mut package = Package::read(&archive).unwrap();
        archive.report("g.o8g", &mut package);
        package
            .diagnostics
            .iter()
            .map(|finding| finding.code.0)
            .collect::<Vec<_>>()
    };
    assert_eq!(found(&nuspec(GAME, "1.0.0.0"), SET), Vec::<&str>::new());
    assert_eq!(found(&nuspec(SET, "1.0.0.0"), SET), ["PK133"]);
    assert_eq!(found(&nuspec(GAME, "1.0.0.1"), SET), ["PK133"]);
    assert_eq!(found(&nuspec(GAME, "1.0.0.0"), "Core"), ["PK134"]);
    let outside = Archive::new(
        zipped(&[("definition.xml", DEFINITION.as_bytes())]),
        &PackageLimits::default(),
    )
    .unwrap();
    let package = Package::read(&outside.package()).unwrap();
    assert_eq!(package.diagnostics[0].code.0, "PK133");
}

/// Pictures of an image pack are found by their paths, and reported if nothing shows
/// them (PK136, PK137, PK139, P148, P149, D61).
#[test]
fn image_packs() {
    let card = "0a000000-0000-4000-8000-000000000005";
    let marker = "0a000000-0000-4000-8000-000000000006";
    let content = format!(
        "<markers><marker name=\"M\" id=\"{marker}\"/></markers><cards>\
         <card id=\"{card}\" name=\"A\"><alternate name=\"B\" type=\"b\"/></card></cards>"
    );
    let package = Package::read(&files(&set(&content))).unwrap();
    let png: &[u8] = b"\x89PNG\r\n";
    let found = |entry: &str, bytes: &[u8]| {
        let archive = Archive::new(zipped(&[(entry, bytes)]), &PackageLimits::default()).unwrap();
        let (pictures, found) = image_pack(
            &archive,
            "x.o8c",
            &package,
            &PackageLimits::default(),
            &mut Sources::new(),
        )
        .unwrap();
        (
            pictures.len(),
            found.iter().map(|finding| finding.code.0).collect::<Vec<_>>(),
        )
    };
    let at = |path: &str| format!("{GAME}/Sets/{SET}/{path}");
    assert_eq!(found(&at(&format!("Cards/{card}.png")), png), (1, vec![]));
    assert_eq!(found(&at(&format!("Cards/Crops/{card}.b.png")), png), (1, vec![]));
    assert_eq!(found(&at("Cards/Thumbs.db"), b"x"), (0, vec![]));
    assert_eq!(found(&at(&format!("cards/{card}.png")), png), (0, vec!["PK136"]));
    assert_eq!(
        found(&format!("{SET}/Sets/{SET}/Cards/{card}.png"), png),
        (0, vec!["PK136"])
    );
    assert_eq!(
        found(&format!("x/{}", at(&format!("Cards/{card}.png"))), png),
        (0, vec!["PK136"])
    );
    assert_eq!(
        found(&at(&format!("Cards/{card}.png")), b"text"),
        (0, vec!["PK137"])
    );
    assert_eq!(found(&at(&format!("Cards/{card}.jpg")), png), (1, vec!["PK137"]));
    assert_eq!(
        found(&at(&format!("Cards/{card}.c.png")), png),
        (0, vec!["PK137"])
    );
    assert_eq!(found(&at(&format!("Cards/{GAME}.png")), png), (0, vec!["PK137"]));
    assert_eq!(
        found(&format!("{GAME}/Sets/{GAME}/Cards/{card}.png"), png),
        (0, vec!["PK137"])
    );
    assert_eq!(
        found(&at(&format!("Cards/{marker}.png")), png),
        (0, vec!["PK139"])
    );
}

/// Links to folders are not followed, and names cannot leave the folder.
#[test]
fn folders_stay_below_their_root() {
    let root = tempfile::tempdir().unwrap();
    std::fs::create_dir(root.path().join("inside")).unwrap();
    std::fs::write(root.path().join("inside/a.txt"), "a").unwrap();
    std::fs::write(root.path().join("secret"), "s").unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(root.path(), root.path().join("inside/loop")).unwrap();
    let folder = Folder::new(root.path().join("inside"));
    assert_eq!(folder.list().unwrap(), ["a.txt"]);
    assert_eq!(folder.read("a.txt", 1).unwrap(), b"a");
    assert!(folder.read("../secret", 9).is_err());
    assert!(folder.read("a.txt", 0).is_err());
    assert!(Package::read(&Folder::new(root.path().join("nowhere"))).is_err());
}

/// P178: a package of a hundred thousand files or a set of a million elements is read in bounds.
#[test]
fn many_small_things_are_read_in_time() {
    let cards: String = (0..20_000)
        .map(|n| format!("<card id=\"0b000000-0000-4000-8000-{n:012}\" name=\"c{n}\"/>"))
        .collect();
    let picks = "<pick qty=\"1\" key=\"Rarity\" value=\"\"/>".repeat(3000);
    let content =
        format!("<packaging><pack id=\"{GAME}\" name=\"p\">{picks}</pack></packaging><cards>{cards}</cards>");
    let package = Package::read(&files(&set(&content))).unwrap();
    let found = check(&package);
    assert!(found.len() < 1000, "{}", found.len());
    let copy = MemoryFiles::copy_of(&files(""), 1 << 20).unwrap();
    assert_eq!(copy.list().unwrap(), files("").list().unwrap());
}

/// P145: names of entries are part names of the packaging convention; each has a type; what was packed is
/// there again, byte for byte, also of real packages.
#[test]
fn packed_names_follow_the_convention_and_come_back() {
    let folder = files(&set("<cards/>"))
        .with("Documents/How to play.txt", "first")
        .with("Documents/\u{c6}ther 100%.txt", "second")
        .with("Documents/LICENCE", "third");
    comes_back(&folder);
    let exported = export(
        &folder,
        &Package::read(&folder).unwrap(),
        &PackageLimits::default(),
    )
    .unwrap();
    let raw = Archive::new(exported.bytes, &PackageLimits::default()).unwrap();
    let names = raw.list().unwrap();
    for name in [
        "def/Documents/How%20to%20play.txt",
        "def/Documents/%C3%86ther%20100%25.txt",
    ] {
        assert!(names.iter().any(|known| known == name), "{names:?}");
    }
    assert!(
        names.iter().all(|name| name.is_ascii() && !name.contains(' ')),
        "{names:?}"
    );
    let types = String::from_utf8(raw.read("[Content_Types].xml", 1 << 20).unwrap()).unwrap();
    for name in names.iter().filter(|name| *name != "[Content_Types].xml") {
        let file = name.rsplit('/').next().unwrap();
        let wanted = match file.rsplit_once('.') {
            Some((_, extension)) => format!("Extension=\"{extension}\""),
            None => format!("PartName=\"/{name}\""),
        };
        assert!(types.contains(&wanted), "{wanted}: {types}");
    }
    let real = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let Ok(games) = std::fs::read_dir(&real) else {
        eprintln!("SKIPPED: there is no ../shared/data");
        return;
    };
    for game in games {
        let path = game.unwrap().path();
        if path.join("definition.xml").is_file() {
            comes_back(&cw_octgn::Folder::new(path));
        }
    }
}

#[track_caller]
fn comes_back(folder: &dyn PackageFiles) {
    let package = Package::read(folder).unwrap();
    let exported = export(folder, &package, &PackageLimits::default()).unwrap();
    let archive = Archive::new(exported.bytes, &PackageLimits::default())
        .unwrap()
        .package();
    assert_eq!(archive.troubles(), []);
    let again = Package::read(&archive).unwrap();
    let cards = |package: &Package| {
        let mut cards: Vec<_> = package
            .cards()
            .map(|(_, card)| (card.id.value, card.name.to_string()))
            .collect();
        cards.sort();
        cards
    };
    assert_eq!(cards(&again), cards(&package));
    assert_eq!(again.decks.len(), package.decks.len());
    // Folders of sets are called by their ids there.
    let packed: std::collections::BTreeMap<Vec<u8>, usize> = count(&archive, &again.files);
    let kept: Vec<String> = package
        .files
        .iter()
        .filter(|name| !exported.left_out.contains(name))
        .cloned()
        .collect();
    assert_eq!(packed, count(folder, &kept));
}

/// How often each content occurs.
fn count(files: &dyn PackageFiles, names: &[String]) -> std::collections::BTreeMap<Vec<u8>, usize> {
    let mut contents = std::collections::BTreeMap::new();
    for name in names {
        *contents.entry(files.read(name, u64::MAX).unwrap()).or_insert(0) += 1;
    }
    contents
}

/// P145, PK130: an archive that another tool made by the letter of the convention reads the same; what is
/// dangerous is so in that spelling, too.
#[test]
fn archives_of_other_tools_are_read() {
    use std::io::Write as _;
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default();
    let definition = String::from_utf8(files("").read("definition.xml", 1 << 20).unwrap()).unwrap();
    let entries: [(&str, &str); 5] = [
        ("G.nuspec", "<package/>"),
        ("def/definition.xml", &definition),
        ("def/Decks/My%20first%20d%C3%A9ck.o8d", "<deck/>"),
        ("def/Scripts/100%.py", "x = 1"),
        ("def/%2E%2E/up.txt", "no"),
    ];
    for (name, text) in entries {
        zip.start_file(name, options).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    let bytes = zip.finish().unwrap().into_inner();
    let archive = Archive::new(bytes, &PackageLimits::default()).unwrap().package();
    assert_eq!(
        archive.list().unwrap(),
        [
            "Decks/My first d\u{e9}ck.o8d",
            "Scripts/100%.py",
            "definition.xml"
        ]
    );
    let codes: Vec<_> = archive.troubles().iter().map(|(code, _)| code.0).collect();
    assert_eq!(codes, ["PK130"]);
}
