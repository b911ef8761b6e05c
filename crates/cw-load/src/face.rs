//! `[face]` and `[search]` of `Rules/game.toml`: what stands where on the faces of cards, and how cards are
//! searched. Neither means anything to the rules.

use std::collections::BTreeMap;

/// `[face]`: names of properties by their place on the faces of cards, in any case.
///
/// What is not named here stands where its values suggest. `A/B` is two properties in one place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FaceSection {
    /// Below the name, joined.
    pub kind: Vec<String>,
    /// At the upper right, as a plate or as symbols.
    pub corner: Vec<String>,
    /// A line each, with the property's name, below the illustration.
    pub lines: Vec<String>,
    /// In the box; the second and further ones with their names.
    pub text: Vec<String>,
    /// In italics below the text.
    pub flavour: Vec<String>,
    /// A plate each, below the box.
    pub numbers: Vec<String>,
    /// In small letters, at the bottom.
    pub foot: Vec<String>,
    /// Nowhere.
    pub hide: Vec<String>,
    /// The property whose value chooses the colours.
    pub colour: Option<String>,
    /// What properties are called on the face, by name.
    pub labels: BTreeMap<String, String>,
    /// Where the package's own pictures stand.
    pub picture: PicturePlace,
}

/// `picture` of `[face]`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PicturePlace {
    /// As the illustration inside the frame.
    #[default]
    Frame,
    /// Instead of the drawn face.
    Full,
    /// Not shown: the emblem is drawn.
    None,
}

impl PicturePlace {
    /// The place of this name in `game.toml`.
    pub(crate) fn find(word: &str) -> Option<PicturePlace> {
        match word {
            "frame" => Some(PicturePlace::Frame),
            "full" => Some(PicturePlace::Full),
            "none" => Some(PicturePlace::None),
            _ => None,
        }
    }
}

/// `[import]`: what the columns of spreadsheets mean that cards are imported from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImportSection {
    /// A property's name, a word as `@id`, or `-` for a column that is left out; by the column's heading.
    pub columns: BTreeMap<String, String>,
}

/// `[search]`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchSection {
    /// Short names of properties, by the short name.
    pub aliases: BTreeMap<String, String>,
}
