//! The face of a card: 630 units across for 63 mm, as high as its size says.

use cw_duel::Game;
use cw_load::PicturePlace;
use cw_octgn::PackageFiles;
use cw_program::ModelId;
use maud::{Markup, PreEscaped, html};

use crate::canvas::{Canvas, Used, number};
use crate::catalogue::{Catalogue, Printed, Shape};
use crate::embed::embedded;
use crate::layout::{FaceDrawing, INK};
use crate::parts::FaceParts;
use crate::round::narrow;

/// What the face is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaceSize {
    /// To lie on a table at 90 pixels: name, emblem, what it costs. The number of a character's BP is left
    /// out, since it changes during a duel; its plate is there.
    Small,
    /// To be read: everything.
    Full,
}

/// A card to be drawn.
#[derive(Clone, Copy, Debug)]
pub struct CardFace<'a> {
    /// Its game.
    pub game: &'a Game,
    /// Which card.
    pub model: ModelId,
    /// Which of its other forms, by its place among them; the base form if none.
    pub form: Option<usize>,
    /// What is printed on it beside the rules.
    pub catalogue: &'a Catalogue,
    /// The package's files, for its pictures; without them emblems are drawn, and symbols as letters in
    /// plates.
    pub files: Option<&'a dyn PackageFiles>,
    /// Where the package's picture of the card stands.
    pub picture: PicturePlace,
}

/// Millimetres of a card's width and height, of the default size if it is of none; scaled so that the
/// default card is as wide as cards are.
pub fn size_on_paper(face: CardFace<'_>) -> (f64, f64) {
    let (wide, tall, _) = measures(&face);
    (f64::from(wide) / 10.0, f64::from(tall) / 10.0)
}

/// The face as a stand-alone SVG; `None` if there is no such card or form.
pub fn face(face: CardFace<'_>, size: FaceSize) -> Option<String> {
    let mut used = Used::default();
    let inner = draw(&face, size, &mut used)?;
    let defs = definitions(face.catalogue, face.files, &used);
    Some(document(&face, &html! { (defs) (inner) }))
}

/// What stands on the face, without what it uses; that is added to `used`.
pub(crate) fn draw(face: &CardFace<'_>, size: FaceSize, used: &mut Used) -> Option<Markup> {
    let model = face.game.models.get(usize::from(face.model.0))?;
    let blank = Printed::default();
    let printed = face.catalogue.printed(face.model).unwrap_or(&blank);
    let card = face.catalogue.sources.get(usize::from(face.model.0));
    let parts = FaceParts::of(face.game, model, face.catalogue, card, printed, face.form)?;
    let own = match face.form {
        None => printed.picture.as_deref(),
        Some(form) => printed.alternates.get(form)?.picture.as_deref(),
    };
    let picture = match (face.picture, own, face.files) {
        (PicturePlace::Frame | PicturePlace::Full, Some(path), Some(files)) => embedded(files, path),
        _ => None,
    };
    let (wide, tall, corner) = measures(face);
    // Pictures of symbols can be missing, too.
    let mut symbols = face.catalogue.symbols.clone();
    for symbol in &mut symbols {
        symbol.picture = symbol.picture.take().filter(|_| face.files.is_some());
    }
    let mut drawing = FaceDrawing {
        canvas: Canvas::with(std::mem::take(used)),
        parts: &parts,
        symbols: &symbols,
        wide,
        tall,
        corner,
        picture,
    };
    match (face.picture, &drawing.picture) {
        (PicturePlace::Full, Some(_)) => drawing.full_picture(),
        _ => match size {
            FaceSize::Small => drawing.small(),
            FaceSize::Full => drawing.full(),
        },
    }
    *used = drawing.canvas.used;
    Some(PreEscaped(drawing.canvas.body))
}

/// Pictures of symbols.
pub(crate) fn definitions(catalogue: &Catalogue, files: Option<&dyn PackageFiles>, used: &Used) -> Markup {
    let pictures = used.symbols.iter().filter_map(|at| {
        let path = catalogue.symbols.get(*at)?.picture.as_deref()?;
        Some((*at, embedded(files?, path)?))
    });
    let pictures: Vec<(usize, String)> = pictures.collect();
    html! {
        @if !pictures.is_empty() {
            defs {
                @for (at, picture) in pictures {
                    symbol id=(format!("s{at}")) viewBox="0 0 1 1" {
                        image width="1" height="1" href=(picture) {}
                    }
                }
            }
        }
    }
}

/// Units of width and height, and of the corners' radius.
pub(crate) fn measures(face: &CardFace<'_>) -> (f32, f32, f32) {
    let shapes = &face.catalogue.shapes;
    let usual = shapes.first().and_then(sides).unwrap_or((63.0, 88.0));
    let shape = shape_of(face);
    let unit = 630.0 / usual.0;
    let (wide, tall) = shape.and_then(sides).unwrap_or(usual);
    let corner = shape.map_or(0.0, |shape| shape.corner.clamp(0.0, 1000.0)) * unit;
    let (wide, tall) = (narrow(wide * unit), narrow(tall * unit));
    // A card of no stated corners has those that cards have.
    let corner = if corner > 0.0 { narrow(corner) } else { 34.0 };
    (wide, tall, corner.min(wide.min(tall) / 2.0))
}

/// The shape of the card or form.
pub(crate) fn shape_of<'a>(face: &CardFace<'a>) -> Option<&'a Shape> {
    let printed = face.catalogue.printed(face.model);
    let shape = printed.map_or(0, |printed| match face.form {
        None => printed.shape,
        Some(form) => printed.alternates.get(form).map_or(0, |form| form.shape),
    });
    face.catalogue.shapes.get(shape)
}

/// Sides that a card can have.
fn sides(shape: &Shape) -> Option<(f64, f64)> {
    let (wide, tall) = shape.sides;
    let fits = |side: f64| side.is_finite() && (1.0..=10_000.0).contains(&side);
    let ratio = wide / tall;
    (fits(wide) && fits(tall) && (0.05..=20.0).contains(&ratio)).then_some((wide, tall))
}

/// The back of every card.
pub fn back() -> String {
    html! {
        svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 630 880" width="630" height="880" {
            (back_drawing())
        }
    }
    .into_string()
}

/// What stands on the back of every card.
pub(crate) fn back_drawing() -> Markup {
    html! {
        rect width="630" height="880" rx="34" fill=(INK) {}
        rect x="26" y="26" width="578" height="828" rx="20"
            fill="#1b2030" stroke="#3a4158" stroke-width="6" {}
        g transform="translate(315 440)" fill="none" stroke-linejoin="round" {
            path d="M0-250L150-90H90L0-185L-90-90H-150Z" fill="#4fb6ff" {}
            path d="M0 250L150 90H90L0 185L-90 90H-150Z" fill="#ff6b5e" {}
            path d="M-170-50H170M-170 50H170" stroke="#3a4158" stroke-width="14" {}
            path d="M0-110L110 0L0 110L-110 0Z" fill="#ffd166" {}
            path d="M0-50L50 0L0 50L-50 0Z" fill=(INK) {}
        }
    }
}

/// Families for letters that the open font lacks.
const OTHERS: &str = "system-ui, 'Noto Sans', 'Noto Sans CJK SC', sans-serif";

fn document(face: &CardFace<'_>, body: &Markup) -> String {
    let (wide, tall, _) = measures(face);
    let (wide, tall) = (number(wide), number(tall));
    let name = said(face);
    html! {
        svg xmlns="http://www.w3.org/2000/svg" viewBox=(format!("0 0 {wide} {tall}"))
            width=(wide) height=(tall) font-family=(OTHERS) {
            title { (name) }
            (body)
        }
    }
    .into_string()
}

/// The name of the card or form.
pub(crate) fn said(face: &CardFace<'_>) -> String {
    let printed = face.catalogue.printed(face.model);
    let form = face.form.and_then(|form| printed?.alternates.get(form));
    let model = face.game.models.get(usize::from(face.model.0));
    form.map(|form| form.name.clone())
        .or_else(|| Some(model?.name.to_string()))
        .unwrap_or_default()
}
