//! SVG to PNG. Faces bring their letters as outlines; the fonts of this machine draw what those lack.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, anyhow, bail};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{self, FontResolver, FontStyle, Tree, fontdb};

/// What is needed to paint any number of pictures.
pub(super) struct PicturePainter {
    options: usvg::Options<'static>,
    /// Dots per mm.
    density: f64,
}

const MM_PER_INCH: f64 = 25.4;
const MM_PER_METRE: f64 = 1000.0;

/// Families that many machines have.
const FAMILIES: [&str; 8] = [
    "Noto Sans",
    "Arial",
    "Liberation Sans",
    "Helvetica Neue",
    "Helvetica",
    "Segoe UI",
    "Open Sans",
    "DejaVu Sans",
];

impl PicturePainter {
    /// With the first of these fonts for what faces bring no outlines of, or one of the machine.
    ///
    /// # Errors
    /// If a font that is named cannot be read.
    pub(super) fn new(fonts: &[PathBuf], dpi: u16) -> anyhow::Result<PicturePainter> {
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
        let family = own
            .or_else(|| plain(&known))
            .or_else(|| any(&known))
            .unwrap_or_default();
        let options = usvg::Options {
            font_resolver: FontResolver {
                select_font: Box::new(move |wanted, known| one_of(&family, wanted, known)),
                ..FontResolver::default()
            },
            fontdb: Arc::new(known),
            ..usvg::Options::default()
        };
        Ok(PicturePainter {
            density: f64::from(dpi) / MM_PER_INCH,
            options,
        })
    }

    /// The picture so many mm wide, as the bytes of a PNG file.
    ///
    /// # Errors
    /// If the text is no SVG.
    pub(super) fn paint(&self, svg: &str, wide: f64) -> anyhow::Result<Vec<u8>> {
        let tree = Tree::from_str(svg, &self.options)?;
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

    /// Pictures in a grid, each so many dots wide and high; an empty text leaves its place empty.
    ///
    /// # Errors
    /// If a text is no SVG.
    pub(super) fn grid(
        &self,
        pictures: &[&str],
        columns: usize,
        cell: (u32, u32),
    ) -> anyhow::Result<Vec<u8>> {
        let (wide, high) = cell;
        let rows = u32::try_from(pictures.len().div_ceil(columns))?;
        let (across, down) = (wide * u32::try_from(columns)?, high * rows);
        let mut grid = Pixmap::new(across, down).ok_or_else(|| anyhow!("{across} × {down} is too large"))?;
        for (place, svg) in pictures.iter().enumerate().filter(|(_, svg)| !svg.is_empty()) {
            let tree = Tree::from_str(svg, &self.options)?;
            let size = tree.size();
            let at = (
                u32::try_from(place % columns)? * wide,
                u32::try_from(place / columns)? * high,
            );
            let (x, y) = (wide as f32 / size.width(), high as f32 / size.height());
            let scale = Transform::from_row(x, 0.0, 0.0, y, at.0 as f32, at.1 as f32);
            resvg::render(&tree, scale, &mut grid.as_mut());
        }
        self.encode(grid)
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

#[cfg(test)]
mod tests {
    use super::*;

    const PICTURE: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 630 880\" \
                           width=\"630\" height=\"880\">\
                           <rect width=\"630\" height=\"440\" fill=\"#123456\"/>\
                           <path id=\"a\" d=\"m20 700l80 0l0 -80z\" fill=\"#abcdef\"/>\
                           <use href=\"#a\" x=\"100\"/></svg>";

    fn painter(dpi: u16) -> PicturePainter {
        PicturePainter::new(&[], dpi).expect("no font has to be read")
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
            let painter = painter(dpi);
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

    #[test]
    fn what_is_no_font_is_said() {
        let wrong = PicturePainter::new(&[PathBuf::from("Cargo.toml")], 300)
            .err()
            .unwrap();
        assert!(wrong.to_string().contains("holds no font"), "{wrong}");
        let missing = PicturePainter::new(&[PathBuf::from("nowhere.ttf")], 300)
            .err()
            .unwrap();
        assert!(missing.to_string().contains("cannot read the font"), "{missing}");
    }
}
