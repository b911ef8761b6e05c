//! SVG to PNG, with the fonts of this machine.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, anyhow, bail};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{self, FontResolver, FontStyle, Tree, fontdb};

/// What is needed to paint any number of pictures.
pub(super) struct Painter {
    options: usvg::Options<'static>,
    /// How much narrower letters are set than the font has them; 1 where they fit.
    squeeze: f64,
    /// Dots per mm.
    density: f64,
}

const MM_PER_INCH: f64 = 25.4;
const MM_PER_METRE: f64 = 1000.0;

/// Families whose letters are as wide as those that faces are laid out for, and others that many
/// machines have, the narrower first.
const FAMILIES: [&str; 11] = [
    "Arial",
    "Liberation Sans",
    "Arimo",
    "Helvetica Neue",
    "Helvetica",
    "Roboto",
    "Segoe UI",
    "Noto Sans",
    "Open Sans",
    "DejaVu Sans Condensed",
    "DejaVu Sans",
];

/// Words, and how wide they are in those families, at a size of 100.
const SAMPLE: (&str, f64) = ("the opponent discards two cards", 1440.0);

impl Painter {
    /// With the first of these fonts, or one of the machine.
    ///
    /// # Errors
    /// If a font cannot be read, or there is none at all.
    pub(super) fn new(fonts: &[PathBuf], dpi: u16) -> anyhow::Result<Painter> {
        let mut known = fontdb::Database::new();
        for font in fonts {
            let before = known.len();
            known
                .load_font_file(font)
                .with_context(|| format!("cannot read the font “{}”", font.display()))?;
            if known.len() == before {
                bail!("“{}” holds no font that can be read", font.display());
            }
        }
        let own = any(&known);
        // Signs that it lacks come from others.
        known.load_system_fonts();
        let Some(family) = own.or_else(|| plain(&known)).or_else(|| any(&known)) else {
            bail!(
                "this machine has no fonts, and letters need one: install some (Debian and Ubuntu: `apt install \
                 fonts-liberation`), name one with --font, or leave --png out: SVG needs none"
            );
        };
        let options = usvg::Options {
            font_resolver: FontResolver {
                select_font: Box::new(move |wanted, known| one_of(&family, wanted, known)),
                ..FontResolver::default()
            },
            fontdb: Arc::new(known),
            ..usvg::Options::default()
        };
        Ok(Painter {
            squeeze: squeeze(&options)?,
            density: f64::from(dpi) / MM_PER_INCH,
            options,
        })
    }

    /// The picture so many mm wide, as the bytes of a PNG file.
    ///
    /// # Errors
    /// If the text is no SVG.
    pub(super) fn paint(&self, svg: &str, wide: f64) -> anyhow::Result<Vec<u8>> {
        let tree = Tree::from_str(&squeezed(svg, self.squeeze), &self.options)?;
        let size = tree.size();
        let scale = wide * self.density / f64::from(size.width());
        #[expect(
            clippy::cast_possible_truncation,
            reason = "whole, and too many dots are refused below"
        )]
        let dots = |units: f32| (f64::from(units) * scale).round().max(1.0) as u32;
        let (across, down) = (dots(size.width()), dots(size.height()));
        let mut picture =
            Pixmap::new(across, down).ok_or_else(|| anyhow!("{across} × {down} is too large"))?;
        let scale = Transform::from_scale(across as f32 / size.width(), down as f32 / size.height());
        resvg::render(&tree, scale, &mut picture.as_mut());
        self.encode(picture)
    }

    /// With its size on paper, so that it is printed as large as it is.
    fn encode(&self, picture: Pixmap) -> anyhow::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, picture.width(), picture.height());
        encoder.set_color(png::ColorType::Rgba);
        encoder.set_depth(png::BitDepth::Eight);
        #[expect(clippy::cast_possible_truncation, reason = "whole, and saturates")]
        let per_metre = (self.density * MM_PER_METRE).round() as u32;
        encoder.set_pixel_dims(Some(png::PixelDimensions {
            xppu: per_metre,
            yppu: per_metre,
            unit: png::Unit::Meter,
        }));
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&picture.take_demultiplied())?;
        writer.finish()?;
        Ok(bytes)
    }
}

/// The family of the first font.
fn any(known: &fontdb::Database) -> Option<String> {
    let mut families = known.faces().flat_map(|face| &face.families);
    families.next().map(|(name, _)| name.clone())
}

/// A plain family for reading.
fn plain(known: &fontdb::Database) -> Option<String> {
    let mut wanted = FAMILIES.iter();
    let has = |name: &&&str| {
        let mut families = known.faces().flat_map(|face| &face.families);
        families.any(|(family, _)| family == **name)
    };
    wanted.find(has).map(|name| (*name).to_owned())
}

/// The font of the family in the weight and style that is wanted.
fn one_of(family: &str, wanted: &usvg::Font, known: &fontdb::Database) -> Option<fontdb::ID> {
    known.query(&fontdb::Query {
        families: &[fontdb::Family::Name(family)],
        weight: fontdb::Weight(wanted.weight()),
        stretch: fontdb::Stretch::Normal,
        style: match wanted.style() {
            FontStyle::Normal => fontdb::Style::Normal,
            FontStyle::Italic => fontdb::Style::Italic,
            FontStyle::Oblique => fontdb::Style::Oblique,
        },
    })
}

/// How much narrower letters must be to be as wide as faces are laid out for.
fn squeeze(options: &usvg::Options<'_>) -> anyhow::Result<f64> {
    let (words, wide) = SAMPLE;
    let sample = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"9\"><text y=\"99\" font-size=\"100\">{words}</text></svg>"
    );
    let measured = Tree::from_str(&sample, options)?.root().bounding_box().width();
    Ok((wide / f64::from(measured).max(1.0)).min(1.0))
}

/// The picture with all letters narrower; each text stays where it is.
fn squeezed(svg: &str, by: f64) -> String {
    let mut parts = svg.split("<text x=\"");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let x = part.split('"').next().unwrap_or_default();
        out.push_str(&format!(
            "<text transform=\"translate({x} 0) scale({by:.4} 1) translate(-{x} 0)\" x=\"{part}"
        ));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const PICTURE: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 630 880\" width=\"630\" \
                           height=\"880\"><rect width=\"630\" height=\"440\" fill=\"#123456\"/><text x=\"20\" y=\"700\" \
                           font-size=\"80\" fill=\"#abcdef\">Crumb</text></svg>";

    fn painter(dpi: u16) -> Option<Painter> {
        let painter = Painter::new(&[], dpi);
        if let Err(why) = &painter {
            eprintln!("SKIPPED, nothing was painted: {why}");
        }
        painter.ok()
    }

    fn dots(bytes: &[u8]) -> (u32, u32, Vec<[u8; 4]>) {
        let mut reader = png::Decoder::new(std::io::Cursor::new(bytes))
            .read_info()
            .unwrap();
        let mut buffer = vec![0; reader.output_buffer_size().unwrap()];
        let about = reader.next_frame(&mut buffer).unwrap();
        let (dots, _) = buffer.as_chunks();
        (about.width, about.height, dots.to_vec())
    }

    /// A card is 63 × 88 mm at any density; what is drawn is there, letters too, and the rest is not.
    #[test]
    fn a_picture_has_its_size_and_what_is_drawn() {
        for (dpi, size) in [(300, (744, 1039)), (100, (248, 346)), (30, (74, 104))] {
            let Some(painter) = painter(dpi) else { return };
            let (across, down, dots) = dots(&painter.paint(PICTURE, 63.0).unwrap());
            assert_eq!((across, down), size);
            let count = |wanted: [u8; 4]| dots.iter().filter(|dot| **dot == wanted).count();
            let half = dots.len() / 2;
            // The row in the middle may be half of both.
            assert!(count([0x12, 0x34, 0x56, 255]).abs_diff(half) <= across as usize);
            let letters = half - count([0, 0, 0, 0]);
            assert!(letters > half / 100 && letters < half / 5, "{letters} of {half}");
        }
    }

    /// A wide font is set narrower, so that every text ends where a face has room for it.
    #[test]
    fn letters_keep_to_their_room() {
        let Some(mut painter) = painter(100) else { return };
        let right = |painter: &Painter| {
            let (across, _, dots) = dots(&painter.paint(PICTURE, 63.0).unwrap());
            let below = dots.iter().enumerate().skip(dots.len() / 2 + 1);
            let drawn = below.filter(|(_, dot)| dot[3] > 0);
            drawn.map(|(at, _)| at as u32 % across).max().unwrap()
        };
        painter.squeeze = 1.0;
        let whole = right(&painter);
        painter.squeeze = 0.5;
        let narrow = right(&painter);
        let left = 8;
        assert!(
            (narrow - left).abs_diff((whole - left) / 2) <= 2,
            "{narrow} and {whole}"
        );
    }

    #[test]
    fn what_is_no_font_is_said() {
        let wrong = Painter::new(&[PathBuf::from("Cargo.toml")], 300).err().unwrap();
        assert!(wrong.to_string().contains("holds no font"), "{wrong}");
        let missing = Painter::new(&[PathBuf::from("nowhere.ttf")], 300).err().unwrap();
        assert!(missing.to_string().contains("cannot read the font"), "{missing}");
    }
}
