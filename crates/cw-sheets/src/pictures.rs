//! Pictures that a sheet names, or that have a card's name.

use crate::{PlannedPicture, SheetFinding};

/// Where the pictures of a sheet lie.
pub trait SheetPictures {
    /// The file of this path below the folder of pictures, if there is one.
    fn at(&self, path: &str) -> Option<String>;

    /// The first file of this name, in small letters, with its ending or without.
    fn called(&self, name: &str) -> Option<String>;

    /// All names that [`SheetPictures::called`] knows.
    fn names(&self) -> Vec<&str>;

    /// The bytes of a file that was found.
    ///
    /// # Errors
    /// Why it cannot be read, in words.
    fn read(&self, file: &str) -> Result<Vec<u8>, String>;

    /// Whether somebody said that they lie there; otherwise it is a guess.
    fn is_said(&self) -> bool;

    /// What to do about pictures that are not there.
    fn remedy(&self) -> &'static str;
}

/// Pictures with their places below the folder of the game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FoundPictures {
    /// Names and bytes.
    pub files: Vec<(String, Vec<u8>)>,
    /// What people should know beside.
    pub notes: Vec<String>,
}

/// Finds the pictures of rows. A row that names one has to get it; others get one that has the card's name,
/// if there is any.
///
/// # Errors
/// Every picture that is named and cannot be had.
pub fn find_pictures(
    wanted: &[PlannedPicture],
    sheet: &str,
    pictures: &dyn SheetPictures,
) -> Result<FoundPictures, Vec<SheetFinding>> {
    let mut found = FoundPictures::default();
    let mut wrong = Vec::new();
    let mut missing = Vec::new();
    let mut any = false;
    for one in wanted {
        let finding = |message: String| SheetFinding::new(sheet, one.place.clone(), message);
        if one.named.contains("://") {
            found.notes.push(format!(
                "{} has its picture on the web ({}): nothing is fetched",
                one.name, one.named
            ));
            continue;
        }
        let plain = one.named.replace('\\', "/");
        if plain.starts_with('/') || plain.contains(':') || plain.split('/').any(|part| part == "..") {
            let message = format!("the picture “{}” leads out of the folder of pictures", one.named);
            wrong.push(finding(message).help("write its name alone"));
            continue;
        }
        let name = plain.rsplit('/').next().unwrap_or(&plain);
        let whole = Some(&plain).filter(|plain| !plain.is_empty());
        let whole = whole.and_then(|plain| pictures.at(plain));
        let by_name = || match name.is_empty() {
            true => pictures.called(&one.name.to_lowercase()),
            false => pictures.called(&name.to_lowercase()),
        };
        let Some(file) = whole.or_else(by_name) else {
            if !one.named.is_empty() {
                let near = cw_text::nearest(name, pictures.names());
                let help = match near {
                    Some(near) => format!("did you mean “{near}”?"),
                    None => pictures.remedy().to_owned(),
                };
                missing.push(finding(format!("there is no picture “{}”", one.named)).help(help));
            }
            continue;
        };
        let bytes = match pictures.read(&file) {
            Ok(bytes) => bytes,
            Err(why) => {
                wrong.push(finding(format!("the picture “{file}” cannot be read: {why}")));
                continue;
            }
        };
        any |= !one.named.is_empty();
        match ending(&bytes) {
            Some(ending) => found.files.push((format!("{}.{ending}", one.target), bytes)),
            None if one.named.is_empty() => {}
            None => wrong.push(
                finding(format!("“{file}” is not a picture"))
                    .help("pictures are PNG, JPEG, GIF, WebP or BMP"),
            ),
        }
    }
    // Other programs' files always name pictures, which mostly lie elsewhere.
    if !pictures.is_said() && !any && wrong.is_empty() && missing.len() > 1 {
        found.notes.push(format!(
            "none of the {} pictures that the file names is here; {}",
            missing.len(),
            pictures.remedy()
        ));
        missing.clear();
    }
    wrong.extend(missing);
    match wrong.is_empty() {
        true => Ok(found),
        false => Err(wrong),
    }
}

/// Whether a file may be a picture, by its name.
pub fn is_picture(name: &str) -> bool {
    let lower = name.to_lowercase();
    let ends = ["png", "jpg", "jpeg", "gif", "webp", "bmp"];
    lower
        .rsplit_once('.')
        .is_some_and(|(_, ending)| ends.contains(&ending))
}

/// What a picture is, by its first bytes.
fn ending(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0x89, b'P', b'N', b'G', ..] => Some("png"),
        [0xff, 0xd8, 0xff, ..] => Some("jpg"),
        [b'G', b'I', b'F', b'8', ..] => Some("gif"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some("webp"),
        [b'B', b'M', ..] => Some("bmp"),
        _ => None,
    }
}
