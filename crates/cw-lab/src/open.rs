//! Finding games: folders, archives, and the demo game that the program carries.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, bail};
use cw_duel::Game;
use cw_load::{Project, ReadDeck, ReadOptions};
use cw_octgn::{Archive, Deck, EmbeddedFiles, Folder, Package, PackageFiles, PackageLimits};
use cw_players::PositionWeights;

/// Where a package keeps what positions are worth, as `cardwright players fit` writes it.
pub use cw_players::VALUES;

static DEMO: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/demo.rs"));

/// Reads a game: a folder, an archive, or the demo game where none is named. `progress` is told the number of
/// bytes of each file done.
///
/// # Errors
/// If it is none, or cannot be read.
pub fn open(
    path: Option<&Path>,
    reading: &ReadOptions<'_>,
    progress: &(dyn Fn(u64) + Sync),
) -> anyhow::Result<Project> {
    let project = match path {
        None => Project::read_with(Box::new(EmbeddedFiles(DEMO)), reading, progress),
        Some(path) => match source(path, &reading.limits)? {
            GameSource::Folder(folder) => Project::read_with(Box::new(folder), reading, progress),
            GameSource::Archive(archive) => Project::read_archive(archive, reading, progress),
        },
    };
    project.with_context(|| format!("cannot read “{}”", reading.at))
}

/// Reads a game from the bytes of an archive.
///
/// # Errors
/// If it is none.
pub fn open_bytes(bytes: Vec<u8>, reading: &ReadOptions<'_>) -> anyhow::Result<Project> {
    let archive = archive_of(bytes, &reading.limits, reading.at)?;
    let project = Project::read_archive(archive, reading, &|_| {});
    project.with_context(|| format!("cannot read “{}”", reading.at))
}

/// How deep games are looked for below a folder: repositories have them beside their other things.
const DEEPEST: usize = 4;

/// The game that a path means: a folder with a `definition.xml`, the only such folder below it or the one it
/// lies in, a file of such a folder, or an archive.
///
/// # Errors
/// If there is nothing, no game, or more than one.
pub fn find_game(path: &Path) -> anyhow::Result<PathBuf> {
    let shown = path.display();
    let about = fs::metadata(path).with_context(|| format!("cannot open the game “{shown}”"))?;
    if !about.is_dir() {
        let is_packed = |end: &std::ffi::OsStr| {
            let end = end.to_string_lossy().to_ascii_lowercase();
            ["o8g", "nupkg", "zip"].contains(&&*end)
        };
        let packed = path.extension().is_some_and(is_packed);
        let around = if packed { None } else { package_above(path) };
        return Ok(around.unwrap_or_else(|| path.to_owned()));
    }
    if is_game(path) {
        return Ok(path.to_owned());
    }
    let mut below = Vec::new();
    games_below(path, 0, &mut below);
    below.sort();
    match &below[..] {
        [only] => Ok(only.clone()),
        [] => package_above(&path.join("definition.xml")).with_context(|| {
            format!(
                "“{shown}” holds no definition.xml, nor does a folder in it, so it is no game; \
                 name the folder that does, or leave it out for the demo game"
            )
        }),
        several => {
            let names: Vec<String> = several
                .iter()
                .take(8)
                .map(|game| format!("“{}”", game.display()))
                .collect();
            let more = if several.len() > names.len() { ", …" } else { "" };
            bail!(
                "“{shown}” holds {} games; name one of them: {}{more}",
                several.len(),
                names.join(", ")
            )
        }
    }
}

/// Whether a folder is a game's.
fn is_game(folder: &Path) -> bool {
    let is_definition = |entry: fs::DirEntry| entry.file_name().eq_ignore_ascii_case("definition.xml");
    // Mostly it is spelled as it should be, and then nothing need be listed.
    folder.join("definition.xml").is_file()
        || fs::read_dir(folder).is_ok_and(|entries| entries.flatten().any(is_definition))
}

/// Folders of games below a folder. Links are not followed: they may lead in circles.
fn games_below(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if !is_folder || entry.file_name().to_string_lossy().starts_with('.') {
            continue;
        }
        let inner = entry.path();
        if is_game(&inner) {
            found.push(inner);
        } else if depth + 1 < DEEPEST {
            games_below(&inner, depth + 1, found);
        }
    }
}

/// The game's folder that a file lies in: at most four folders up. The file need not exist.
pub fn package_above(path: &Path) -> Option<PathBuf> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let whole = folder.unwrap_or(Path::new(".")).canonicalize().ok()?;
    let folders: Vec<&Path> = whole.ancestors().take(4).collect();
    let found = folders
        .iter()
        .position(|folder| folder.join("definition.xml").is_file())?;
    // Say it as the user did, as far as that goes: with `..` in it, a part of the path may be another folder.
    let typed = path
        .ancestors()
        .nth(found + 1)
        .filter(|typed| !typed.as_os_str().is_empty())
        .filter(|typed| typed.canonicalize().is_ok_and(|whole| whole == folders[found]));
    Some(typed.map_or_else(|| folders[found].to_path_buf(), Path::to_path_buf))
}

enum GameSource {
    Folder(Folder),
    Archive(Archive),
}

fn source(path: &Path, limits: &PackageLimits) -> anyhow::Result<GameSource> {
    let shown = path.display();
    let about = std::fs::metadata(path).with_context(|| format!("cannot open the game “{shown}”"))?;
    if about.is_dir() {
        return Ok(GameSource::Folder(Folder::new(path)));
    }
    let kind = cw_files::FileKind {
        most: limits.unpacked,
        ..cw_files::IMAGE_PACK
    };
    let bytes = cw_files::read(path, kind).with_context(|| format!("cannot read “{shown}”"))?;
    archive_of(bytes, limits, &shown.to_string()).map(GameSource::Archive)
}

fn archive_of(bytes: Vec<u8>, limits: &PackageLimits, shown: &str) -> anyhow::Result<Archive> {
    let archive = Archive::new(bytes, limits).with_context(|| {
        let lower = shown.to_ascii_lowercase();
        let is_sheet = [".csv", ".tsv", ".xlsx"].iter().any(|end| lower.ends_with(end));
        let help = match is_sheet {
            true => format!("; `cardwright new --from {shown} NAME` makes a game of a sheet"),
            false => String::new(),
        };
        format!("“{shown}” is no game: a game is a folder with a definition.xml in it, or an .o8g{help}")
    })?;
    if archive.is_of_octgn2() {
        bail!(
            "“{shown}” is an archive of OCTGN 2, which is not read: \
             OCTGN 3 and Cardwright need a package with `def/definition.xml`"
        );
    }
    Ok(archive)
}

/// The files of a game: a folder, an archive, or the demo game.
///
/// # Errors
/// If it is none.
pub fn open_files(
    path: Option<&Path>,
    limits: &PackageLimits,
) -> anyhow::Result<Box<dyn PackageFiles + Send>> {
    let Some(path) = path else {
        return Ok(Box::new(EmbeddedFiles(DEMO)));
    };
    Ok(match source(path, limits)? {
        GameSource::Folder(folder) => Box::new(folder),
        GameSource::Archive(archive) => Box::new(archive.package()),
    })
}

/// Of the games that were loaded, by their fingerprints.
static OWN_VALUES: Mutex<Vec<(String, Arc<PositionWeights>)>> = Mutex::new(Vec::new());

/// What positions of this game are worth to the computer, where its package says so; else it goes by what
/// comes with the program.
pub fn values(game: &Game) -> Option<Arc<PositionWeights>> {
    let own = OWN_VALUES.lock().ok()?;
    let found = own.iter().find(|(game_of, _)| *game_of == game.fingerprint);
    found.map(|(_, values)| Arc::clone(values))
}

/// Reads the package's own values, if it has any. Those that cannot be read are left out: the text says why.
///
/// # Errors
/// If the files cannot be had any more.
pub fn keep_values(project: &Project, game: &Game) -> anyhow::Result<Option<String>> {
    const MOST: u64 = 1 << 22;
    if !project.files.list()?.iter().any(|name| name == VALUES) {
        return Ok(None);
    }
    let bytes = project.files.read(VALUES, MOST)?;
    match PositionWeights::read(&String::from_utf8_lossy(&bytes), game) {
        Ok(values) => {
            let mut own = OWN_VALUES.lock().unwrap_or_else(PoisonError::into_inner);
            own.retain(|(game_of, _)| *game_of != game.fingerprint);
            own.push((game.fingerprint.clone(), Arc::new(values)));
            Ok(None)
        }
        Err(why) => Ok(Some(format!("{VALUES} is left out: {why}"))),
    }
}

/// A deck by the path of a file, or by its name in the package, with all that is wrong with it. Where several
/// have one name, the path in the package tells them apart.
///
/// # Errors
/// If there is none, or more than one; the nearest name is told.
pub fn find_deck(project: &Project, wanted: &str) -> anyhow::Result<ReadDeck> {
    let path = Path::new(wanted);
    match fs::metadata(path) {
        Ok(about) if about.is_file() => {
            let bytes = cw_files::read(path, cw_files::DECK)
                .with_context(|| format!("cannot read the deck “{wanted}”"))?;
            return Ok(project.read_deck(wanted, bytes));
        }
        Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => {
            return Err(error).with_context(|| format!("cannot read the deck “{wanted}”"));
        }
        Ok(_) | Err(_) => {}
    }
    let package = &project.package;
    let named: Vec<&Deck> = package
        .decks
        .iter()
        .filter(|deck| is_called(package, deck, wanted))
        .collect();
    match named[..] {
        [deck] => return Ok(project.deck_of_package(deck)),
        [] => {}
        _ => {
            let places: Vec<String> = named
                .iter()
                .map(|deck| format!("“{}”", place_of(package, deck)))
                .collect();
            bail!(
                "{} decks are called “{wanted}”; name one by its path in the game: {}",
                named.len(),
                places.join(", ")
            );
        }
    }
    if package.files.iter().any(|file| is_path_of(file, wanted)) {
        bail!("the deck “{wanted}” cannot be read; `cardwright check` says why");
    }
    let decks = &package.decks;
    match cw_text::nearest(wanted, decks.iter().map(|deck| deck.name.as_str())) {
        Some(nearest) => bail!("there is no deck “{wanted}”; did you mean “{nearest}”?"),
        None => {
            let names: Vec<String> = decks.iter().map(|deck| format!("“{}”", deck.name)).collect();
            let has = match names.is_empty() {
                true => "none".to_owned(),
                false => names.join(", "),
            };
            bail!("there is no deck “{wanted}”, neither as a file nor in the game; it has {has}")
        }
    }
}

/// Where a deck of the package lies, as the package calls it.
pub fn place_of<'a>(package: &'a Package, deck: &'a Deck) -> &'a str {
    let called = &*package.sources.get(deck.file).name;
    let inside = package
        .files
        .iter()
        .filter(|file| file.to_ascii_lowercase().ends_with(".o8d"));
    let place = inside.filter(|file| called == **file || called.ends_with(&format!("/{file}")));
    place.max_by_key(|file| file.len()).map_or(called, String::as_str)
}

/// Whether a deck goes by this name: its own, its file's, or its path in the package or the end of that.
fn is_called(package: &Package, deck: &Deck, wanted: &str) -> bool {
    deck.name.eq_ignore_ascii_case(wanted) || is_path_of(place_of(package, deck), wanted)
}

/// Whether a path ends with these names, with `.o8d` or without.
fn is_path_of(file: &str, wanted: &str) -> bool {
    let bare = |name: &str| {
        let name = name.replace('\\', "/").to_ascii_lowercase();
        name.strip_suffix(".o8d").map(str::to_owned).unwrap_or(name)
    };
    let (file, wanted) = (
        match file.to_ascii_lowercase().ends_with(".o8d") {
            true => bare(file),
            false => return false,
        },
        bare(wanted),
    );
    file == wanted || file.ends_with(&format!("/{wanted}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With `..` in it, a part of the path that was typed may be another folder than the one found.
    #[test]
    fn a_game_is_found_from_inside_it() {
        let place = tempfile::tempdir().expect("a folder");
        let inside = place.path().join("g/Sets/a/b");
        std::fs::create_dir_all(&inside).expect("it can be made");
        let definition = place.path().join("g/definition.xml");
        std::fs::write(&definition, "<game/>").expect("it can be written");
        let game = place.path().join("g").canonicalize().expect("it is there");
        for typed in [
            "g/Sets/a/b",
            "g/Sets/a/b/..",
            "g/Sets/a",
            "g/Sets/a/b/../..",
            "g/Sets/../Sets/a",
        ] {
            let found = find_game(&place.path().join(typed)).expect(typed);
            assert_eq!(found.canonicalize().expect("it is there"), game, "{typed}");
        }
    }
}
