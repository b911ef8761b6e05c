//! A game made of a spreadsheet and the pictures beside it.

use std::collections::BTreeMap;

use cw_octgn::{Guid, MemoryFiles};
use cw_sheets::{
    DraftRequest, SheetFinding, SheetForm, SheetLimits, SheetPictures, draft_game, find_pictures, is_picture,
    read,
};

/// A drafted game, and what whoever made the sheet should know.
#[derive(Debug)]
pub(crate) struct SheetGame {
    pub(crate) files: MemoryFiles,
    pub(crate) remarks: Vec<String>,
}

/// Files by their names, with and without their endings, in small letters; the first counts.
struct PicturesBeside<'f> {
    /// The folder of the sheet, with the `/` behind it.
    folder: &'f str,
    files: BTreeMap<&'f str, &'f [u8]>,
    known: BTreeMap<String, &'f str>,
}

/// Findings that are told at once.
const MOST_FOUND: usize = 12;
/// Remarks that are told at once: they are shown for a few seconds.
const MOST_REMARKS: usize = 4;

/// Makes a game of the sheet among files of a visitor; nothing if there is none.
///
/// # Errors
/// Words for whoever brought them: each cell that is wrong, or that it is not clear which sheet is meant.
pub(crate) fn game_of(files: &[(String, Vec<u8>)]) -> Result<Option<SheetGame>, String> {
    let is_sheet = |name: &str| {
        let lower = name.to_lowercase();
        let last = lower.rsplit('/').next().unwrap_or_default();
        // Offices leave files like `~$cards.xlsx` beside an open sheet.
        !last.starts_with(['.', '~']) && [".csv", ".tsv", ".xlsx"].iter().any(|end| last.ends_with(end))
    };
    let depth = |name: &str| name.matches('/').count();
    let sheets = || files.iter().filter(|(name, _)| is_sheet(name));
    let Some(least) = sheets().map(|(name, _)| depth(name)).min() else {
        return Ok(None);
    };
    let highest: Vec<&(String, Vec<u8>)> = sheets().filter(|(name, _)| depth(name) == least).collect();
    let [(path, bytes)] = highest.as_slice() else {
        let names: Vec<&str> = highest.iter().map(|(name, _)| name.as_str()).collect();
        return Err(format!(
            "there is more than one spreadsheet ({}); give the one with the cards, and its pictures",
            names.join(", ")
        ));
    };
    let file = path.rsplit('/').next().unwrap_or(path);
    let folder = &path[..path.len() - file.len()];
    let name = file.rsplit_once('.').map_or(file, |(name, _)| name);
    let book =
        read(file, bytes, SheetForm::of(file, bytes), &SheetLimits::default()).map_err(|one| told(&[one]))?;
    let request = DraftRequest {
        name,
        // The same sheet makes the same game: what was played with it is found again.
        id: Guid::of_bytes(&[name.as_bytes(), bytes].concat()),
        book: &book,
        said: &BTreeMap::new(),
    };
    let drafted = draft_game(&request).map_err(|found| told(&found))?;
    let pictures = find_pictures(&drafted.plan.pictures, file, &PicturesBeside::of(folder, files))
        .map_err(|found| told(&found))?;
    let doubts = drafted.doubts.iter().map(ToString::to_string);
    let remarks = book.notes.iter().cloned().chain(doubts).chain(pictures.notes);
    let mut game = SheetGame {
        files: MemoryFiles::new(),
        remarks: clipped(remarks.collect(), MOST_REMARKS),
    };
    for (name, bytes) in drafted.files.into_iter().chain(pictures.files) {
        game.files = game.files.with(name, bytes);
    }
    Ok(Some(game))
}

fn told(found: &[SheetFinding]) -> String {
    clipped(found.iter().map(ToString::to_string).collect(), MOST_FOUND).join("\n")
}

/// The first lines; where there are more, the last says so.
fn clipped(mut lines: Vec<String>, most: usize) -> Vec<String> {
    let more = lines.len().saturating_sub(most);
    if more > 0 {
        lines.truncate(most);
        lines.push(format!("and {more} more"));
    }
    lines
}

impl<'f> PicturesBeside<'f> {
    fn of(folder: &'f str, files: &'f [(String, Vec<u8>)]) -> PicturesBeside<'f> {
        let pictures = files.iter().filter(|(name, _)| is_picture(name));
        let pictures: BTreeMap<&str, &[u8]> = pictures.map(|(name, bytes)| (&**name, &**bytes)).collect();
        let mut known = BTreeMap::new();
        for path in pictures.keys() {
            let name = path.rsplit('/').next().unwrap_or(path).to_lowercase();
            let stem = name.rsplit_once('.').map(|(stem, _)| stem.to_owned());
            for name in std::iter::once(name).chain(stem) {
                known.entry(name).or_insert(*path);
            }
        }
        PicturesBeside {
            folder,
            files: pictures,
            known,
        }
    }
}

impl SheetPictures for PicturesBeside<'_> {
    fn at(&self, path: &str) -> Option<String> {
        // As beside a sheet on a disk.
        let below = ["", "pictures/", "images/"].map(|inner| format!("{}{inner}{path}", self.folder));
        below
            .into_iter()
            .find(|path| self.files.contains_key(path.as_str()))
    }

    fn called(&self, name: &str) -> Option<String> {
        self.known.get(name).map(|path| (*path).to_owned())
    }

    fn names(&self) -> Vec<&str> {
        self.known.keys().map(String::as_str).collect()
    }

    fn read(&self, file: &str) -> Result<Vec<u8>, String> {
        let bytes = self.files.get(file).ok_or("it is gone")?;
        Ok(bytes.to_vec())
    }

    fn is_said(&self) -> bool {
        false
    }

    fn remedy(&self) -> &'static str {
        "choose or drop the pictures together with the sheet"
    }
}
