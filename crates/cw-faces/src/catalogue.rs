//! What a card says beyond what the rules need, and the pictures that a package brings.

use std::collections::BTreeMap;

use cw_duel::Game;
use cw_load::{PicturePlace, Project};
use cw_octgn::{CardSize, Definition, Package, PackageCard, PackageSet};
use cw_program::ModelId;

use crate::inks::symbol_ground;
use crate::plan::FacePlan;
use crate::text::FaceSymbol;
use crate::token::BUILT_IN;

/// Printed on a card and of no concern to the rules.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Printed {
    /// The letter of its rarity; empty if it has none.
    pub rarity: String,
    /// Its number in the set.
    pub number: String,
    /// The set's name.
    pub set: String,
    /// A line that means nothing to the rules.
    pub flavour: String,
    /// The package's picture of it, as a path in the package.
    pub picture: Option<String>,
    /// Its size: an index of [`Catalogue::shapes`].
    pub shape: usize,
    /// Its other forms.
    pub alternates: Vec<OtherForm>,
}

/// Another form of a card (P70–P76): what it says differently.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OtherForm {
    /// Which form.
    pub kind: String,
    /// Its name.
    pub name: String,
    /// Its rules text.
    pub text: String,
    /// Its BP.
    pub bp: i32,
    /// Its SP.
    pub sp: i32,
    /// Its picture, else the base form's.
    pub picture: Option<String>,
    /// Its size (P74): an index of [`Catalogue::shapes`].
    pub shape: usize,
}

/// A size of cards: shape and back (P54).
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    /// Its name.
    pub name: String,
    /// Width and height, in the package's units.
    pub sides: (f64, f64),
    /// Radius of the corners, in the same units.
    pub corner: f64,
    /// Picture of the back, as a path in the package.
    pub back: Option<String>,
    /// Picture of a card whose own is missing.
    pub front: Option<String>,
}

/// A marker of the package (P57, P121).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marker {
    /// What is said of it (D61).
    pub name: String,
    /// Its picture, as a path in the package.
    pub picture: Option<String>,
    /// Which of those that every game has it is; [`token`](crate::token) draws it.
    pub built_in: Option<usize>,
}

impl Marker {
    /// Whether there is a picture of it.
    pub fn is_drawn(&self) -> bool {
        self.picture.is_some() || self.built_in.is_some()
    }
}

/// What is printed on every card of a game, by model, and what else the package draws.
#[derive(Clone, Debug, Default)]
pub struct Catalogue {
    // Invariant: as long as the game's models, or empty.
    cards: Vec<Printed>,
    // Invariant: as long as the cards, or empty.
    pub(crate) sources: Vec<PackageCard>,
    /// Where properties stand, without those that the rules of the game have their own places for.
    pub(crate) plan: FacePlan,
    /// Where all properties stand: for games without rules, and for cards of no known type.
    pub(crate) whole: FacePlan,
    /// The definition's symbols.
    pub(crate) symbols: Vec<FaceSymbol>,
    /// Whether the cards are of a game with rules.
    pub(crate) has_rules: bool,
    /// What the game calls things.
    pub(crate) words: GameWords,
    /// Where the package's own pictures stand, unless a face is asked for otherwise.
    pub picture: PicturePlace,
    /// Sizes of cards; the default one first.
    pub shapes: Vec<Shape>,
    /// Markers: the definition's, then those of sets; the first of an id counts.
    pub markers: Vec<Marker>,
}

/// Words of a game with rules, as its package writes them.
#[derive(Clone, Debug)]
pub(crate) struct GameWords {
    pub(crate) character: String,
    pub(crate) action: String,
    pub(crate) reaction: String,
    pub(crate) bp: String,
}

impl Default for GameWords {
    fn default() -> GameWords {
        let (types, properties) = (cw_load::Types::default(), cw_load::Properties::default());
        GameWords {
            character: types.character,
            action: types.action,
            reaction: types.reaction,
            bp: properties.bp,
        }
    }
}

impl Catalogue {
    /// Reads the properties of the package's cards. A property that the package lacks is empty.
    pub fn of(project: &Project) -> Catalogue {
        let package = &project.package;
        let definition = &package.definition;
        let pictures = FacePictures::of(package);
        let shapes = std::iter::once(&definition.card).chain(&definition.sizes);
        let shapes: Vec<Shape> = shapes.map(|size| shape(size, &pictures)).collect();
        // By models: they have another order than the cards of the package.
        let cards = project.refs().iter().map(|at| {
            let set = package.sets.get(at.set as usize).map(AsRef::as_ref);
            printed(package.card(*at), set, project, &pictures, &shapes)
        });
        let config = &project.config;
        let types = &config.types;
        let has_rules = definition.property(&config.properties.bp).is_some()
            && package.cards().any(|(_, card)| {
                let value = card.text(&config.properties.card_type).unwrap_or_default();
                let known = [&types.character, &types.action, &types.reaction];
                known.iter().any(|known| known.eq_ignore_ascii_case(value.trim()))
            });
        let whole = FacePlan::of(package, &config.face, &[]);
        Catalogue {
            cards: cards.collect(),
            sources: project
                .refs()
                .iter()
                .map(|at| package.card(*at).clone())
                .collect(),
            plan: match has_rules {
                true => FacePlan::of(package, &config.face, &known(&config.properties)),
                false => whole.clone(),
            },
            whole,
            symbols: symbols(definition, &pictures),
            has_rules,
            words: GameWords {
                character: types.character.clone(),
                action: types.action.clone(),
                reaction: types.reaction.clone(),
                bp: config.properties.bp.clone(),
            },
            picture: config.face.picture,
            markers: markers(package, &pictures),
            shapes,
        }
    }

    /// A catalogue that knows nothing but how many cards there are.
    pub fn blank(game: &Game) -> Catalogue {
        Catalogue {
            cards: vec![Printed::default(); game.models.len()],
            has_rules: true,
            markers: built_in().collect(),
            ..Catalogue::default()
        }
    }

    /// What is printed on this card.
    pub fn printed(&self, model: ModelId) -> Option<&Printed> {
        self.cards.get(usize::from(model.0))
    }

    /// The marker of this name, whatever its capitals.
    pub fn marker(&self, name: &str) -> Option<(usize, &Marker)> {
        let mut markers = self.markers.iter().enumerate();
        markers.find(|(_, marker)| marker.name.eq_ignore_ascii_case(name))
    }

    /// The marker that stands for one of the rules (G17), for which the package may have no picture
    /// of its own: then it is one of those that every game has.
    pub fn marker_or(&self, name: &str, built_in: &str) -> Option<(usize, &Marker)> {
        let own = self.marker(name).filter(|(_, marker)| marker.is_drawn());
        own.or_else(|| self.marker(built_in).filter(|(_, marker)| marker.is_drawn()))
    }
}

/// Properties that the rules have their own places for.
fn known(properties: &cw_load::Properties) -> Vec<&str> {
    let names = [
        &properties.card_type,
        &properties.subtype,
        &properties.bp,
        &properties.sp,
        &properties.ability,
        &properties.ability_type,
        &properties.ability_name,
        &properties.rules,
        &properties.rarity,
    ];
    let names = names.into_iter().chain(&properties.backups);
    names.map(String::as_str).collect()
}

/// The symbols of rich text (P57): their pictures, or a few letters to stand in a plate.
fn symbols(definition: &Definition, pictures: &FacePictures<'_>) -> Vec<FaceSymbol> {
    let symbols = definition.symbols.iter().map(|symbol| FaceSymbol {
        id: symbol.id.value.to_string(),
        text: symbol.id.value.to_string(),
        picture: pictures.file(symbol.source.as_str()),
        ground: symbol_ground(&symbol.name),
    });
    symbols.collect()
}

/// The package's files by the ways in which cards and markers name them.
struct FacePictures<'a> {
    /// Folder and name up to the extension, both in lower case.
    by_stem: BTreeMap<(String, String), &'a str>,
    files: &'a [String],
}

const KINDS: [&str; 6] = ["png", "jpg", "jpeg", "gif", "webp", "bmp"];

impl<'a> FacePictures<'a> {
    fn of(package: &'a Package) -> FacePictures<'a> {
        let mut by_stem = BTreeMap::new();
        for file in &package.files {
            let Some((folder, name)) = file.rsplit_once('/') else {
                continue;
            };
            let Some((stem, kind)) = name.rsplit_once('.') else {
                continue;
            };
            if KINDS.contains(&kind.to_lowercase().as_str()) {
                let key = (folder.to_lowercase(), stem.to_lowercase());
                by_stem.entry(key).or_insert(file.as_str());
            }
        }
        FacePictures {
            by_stem,
            files: &package.files,
        }
    }

    fn named(&self, folder: &str, stem: &str) -> Option<String> {
        let key = (folder.to_lowercase(), stem.to_lowercase());
        self.by_stem.get(&key).map(|file| (*file).to_owned())
    }

    /// A path of the definition, if there is such a file.
    fn file(&self, path: &str) -> Option<String> {
        let path = path.replace('\\', "/");
        let found = self.files.iter().find(|file| file.eq_ignore_ascii_case(&path));
        found.cloned()
    }

    /// `{cardGUID}.{type}.{img}` of an alternate, `{cardGUID}.{img}` of the base form (P76).
    fn card(&self, set: &PackageSet, card: &PackageCard, form: Option<&str>) -> Option<String> {
        let folder = format!("Sets/{}/Cards", set.folder);
        let id = card.raw_id.as_str();
        match form {
            Some(form) => self.named(&folder, &format!("{id}.{form}")),
            None => self.named(&folder, id),
        }
    }
}

fn shape(size: &CardSize, pictures: &FacePictures<'_>) -> Shape {
    let picture = |path: &Option<cw_octgn::LocatedValue<cw_octgn::Str>>| {
        let path = path.as_ref()?;
        pictures.file(path.value.as_str())
    };
    Shape {
        name: size.name.value.to_string(),
        sides: (size.width, size.height),
        corner: size.corner_radius,
        back: picture(&size.back),
        front: picture(&size.front),
    }
}

fn printed(
    card: &PackageCard,
    set: Option<&PackageSet>,
    project: &Project,
    pictures: &FacePictures<'_>,
    shapes: &[Shape],
) -> Printed {
    let properties = &project.config.properties;
    let text = |name: &str| card.text(name).unwrap_or("").trim().to_owned();
    let first = |names: &[&str]| {
        let mut found = names.iter().map(|name| text(name));
        found.find(|value| !value.is_empty()).unwrap_or_default()
    };
    let picture = set.and_then(|set| pictures.card(set, card, None));
    let alternates = card.alternates.iter().map(|form| {
        let value = |name: &str| {
            let value = card.form_value(Some(form), name);
            value.and_then(|value| value.plain()).unwrap_or("").trim()
        };
        let own = set.and_then(|set| pictures.card(set, card, Some(form.kind.value.as_str())));
        let size = form.size.as_ref().map(|size| size.value.as_str());
        OtherForm {
            shape: place(size, shapes),
            kind: form.kind.value.to_string(),
            name: form.name.value.to_string(),
            text: value(&properties.rules).to_owned(),
            bp: value(&properties.bp).parse().unwrap_or(0),
            sp: value(&properties.sp).parse().unwrap_or(0),
            picture: own.or_else(|| picture.clone()),
        }
    });
    let size = card.size.as_ref().map(|size| size.value.as_str());
    Printed {
        rarity: text(&properties.rarity).chars().take(2).collect(),
        number: first(&["Number", "Card Number", "Collector Number"]),
        set: set.map_or_else(String::new, |set| set.name.value.to_string()),
        flavour: first(&["Flavor", "Flavour", "Flavor Text"]),
        alternates: alternates.collect(),
        picture,
        shape: place(size, shapes),
    }
}

/// The size of this name; the default one where there is none.
fn place(size: Option<&str>, shapes: &[Shape]) -> usize {
    let found = size.and_then(|size| shapes.iter().position(|shape| shape.name == size));
    found.unwrap_or(0)
}

/// P121: the definition's markers, then those of the sets; the first of an id counts.
fn markers(package: &Package, pictures: &FacePictures<'_>) -> Vec<Marker> {
    let mut found: Vec<(String, Marker)> = Vec::new();
    let mut add = |id: &str, marker: Marker| {
        if !found.iter().any(|(other, _)| other == id) {
            found.push((id.to_owned(), marker));
        }
    };
    for marker in &package.definition.markers {
        add(
            marker.id.value.as_str(),
            Marker {
                name: marker.name.to_string(),
                picture: pictures.file(marker.source.as_str()),
                built_in: None,
            },
        );
    }
    for set in &package.sets {
        let folder = format!("Sets/{}/Markers", set.folder);
        for marker in &set.markers {
            let id = marker.id.value.as_str();
            add(
                id,
                Marker {
                    name: marker.name.value.to_string(),
                    picture: pictures.named(&folder, id),
                    built_in: None,
                },
            );
        }
    }
    let own = found.into_iter().map(|(_, marker)| marker);
    own.chain(built_in()).collect()
}

/// The markers that every game has (P123).
fn built_in() -> impl Iterator<Item = Marker> {
    BUILT_IN.iter().enumerate().map(|(number, name)| Marker {
        name: (*name).to_owned(),
        picture: None,
        built_in: Some(number),
    })
}
