//! The open font that faces are set in: Noto Sans, whose bytes a crate brings (OFL 1.1).
//!
//! Letters are drawn as outlines, never as text in a font that the reader may not have: a picture in an
//! `<img>` can load no font, and so every machine, printer and converter shows what was measured here.

use std::sync::OnceLock;

use skrifa::instance::{LocationRef, Size};
use skrifa::outline::{DrawSettings, OutlinePen};
use skrifa::raw::TableProvider;
use skrifa::raw::tables::gpos::{PairPos, PositionSubtables};
use skrifa::{FontRef, GlyphId, MetadataProvider, Tag};

use crate::round::nearest;

/// Which of the four cuts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Cut {
    #[default]
    Regular,
    Bold,
    Italic,
    BoldItalic,
}

impl Cut {
    pub(crate) fn of(bold: bool, italic: bool) -> Cut {
        match (bold, italic) {
            (false, false) => Cut::Regular,
            (true, false) => Cut::Bold,
            (false, true) => Cut::Italic,
            (true, true) => Cut::BoldItalic,
        }
    }

    /// A letter for ids in the picture.
    pub(crate) fn letter(self) -> char {
        match self {
            Cut::Regular => 'r',
            Cut::Bold => 'b',
            Cut::Italic => 'i',
            Cut::BoldItalic => 'j',
        }
    }

    fn font(self) -> Option<&'static FontRef<'static>> {
        static FONTS: OnceLock<[Option<FontRef<'static>>; 4]> = OnceLock::new();
        let fonts = FONTS.get_or_init(|| {
            [
                notosans::REGULAR_TTF,
                notosans::BOLD_TTF,
                notosans::ITALIC_TTF,
                notosans::BOLD_ITALIC_TTF,
            ]
            .map(|bytes| FontRef::new(bytes).ok())
        });
        fonts[self as usize].as_ref()
    }

    fn units_per_em(self) -> Option<i32> {
        Some(i32::from(self.font()?.head().ok()?.units_per_em()))
    }

    /// The glyph of a letter, and how far it advances in thousandths of the size; `None` if the font lacks
    /// it.
    pub(crate) fn glyph(self, letter: char) -> Option<(u16, i32)> {
        let font = self.font()?;
        let glyph = font.charmap().map(letter)?;
        let advance = i32::from(font.hmtx().ok()?.advance(glyph)?);
        let number = u16::try_from(glyph.to_u32()).ok()?;
        Some((number, advance * 1000 / self.units_per_em()?))
    }

    /// How much nearer, in thousandths of the size, the second glyph stands to the first.
    pub(crate) fn kerning(self, first: u16, second: u16) -> i32 {
        let kerning = || Some(i32::from(self.adjustment(first, second)?) * 1000 / self.units_per_em()?);
        kerning().unwrap_or(0)
    }

    /// What the font's feature `kern` adds to the advance of the first glyph, in its own units (OpenType,
    /// GPOS).
    fn adjustment(self, first: u16, second: u16) -> Option<i16> {
        let table = self.font()?.gpos().ok()?;
        let features = table.feature_list().ok()?;
        let is_kern = |tag: Tag| tag == Tag::new(b"kern");
        let record = features
            .feature_records()
            .iter()
            .find(|record| is_kern(record.feature_tag()))?;
        let feature = record.feature(features.offset_data()).ok()?;
        let lookups = table.lookup_list().ok()?.lookups();
        let (first, second) = (GlyphId::from(first), GlyphId::from(second));
        feature.lookup_list_indices().iter().find_map(|index| {
            let lookup = lookups.get(usize::from(index.get())).ok()?;
            let PositionSubtables::Pair(subtables) = lookup.subtables().ok()? else {
                return None;
            };
            subtables
                .iter()
                .flatten()
                .find_map(|subtable| pair(&subtable, first, second))
        })
    }

    /// The outline of a glyph as the data of a path, y growing upwards, [`UNITS`] to the size.
    pub(crate) fn outline(self, glyph: u16) -> String {
        let mut path = Path::default();
        let outline = self
            .font()
            .and_then(|font| font.outline_glyphs().get(GlyphId::from(glyph)));
        if let Some(outline) = outline {
            let settings = DrawSettings::unhinted(Size::unscaled(), LocationRef::default());
            // The fonts are our own, so a glyph that cannot be drawn is one without lines.
            let _drawn = outline.draw(settings, &mut path);
        }
        path.data
    }
}

/// Units of an outline to the size of the font.
pub(crate) const UNITS: f32 = 2048.0;

/// The advance that one subtable gives a pair; nothing if it does not speak of it.
fn pair(subtable: &PairPos<'_>, first: GlyphId, second: GlyphId) -> Option<i16> {
    let value = match subtable {
        PairPos::Format1(pairs) => {
            let set = usize::from(pairs.coverage().ok()?.get(first)?);
            let pairs = pairs.pair_sets().get(set).ok()?.pair_value_records();
            let found = pairs
                .iter()
                .flatten()
                .find(|pair| GlyphId::from(pair.second_glyph()) == second)?;
            found.value_record1().x_advance()
        }
        PairPos::Format2(pairs) => {
            pairs.coverage().ok()?.get(first)?;
            let class = usize::from(pairs.class_def1().ok()?.get(first));
            let other = usize::from(pairs.class_def2().ok()?.get(second));
            let row = pairs.class1_records().get(class).ok()?;
            let cell = row.class2_records().get(other).ok()?;
            cell.value_record1().x_advance()
        }
    };
    Some(value.unwrap_or(0))
}

/// Path data in whole units, relative to the point before: about half as long as absolute ones.
#[derive(Default)]
struct Path {
    data: String,
    at: (i32, i32),
    start: (i32, i32),
}

impl Path {
    fn step(&mut self, command: char, points: &[(f32, f32)]) {
        self.data.push(command);
        let whole = |(x, y): (f32, f32)| (nearest(x), nearest(y));
        for (index, point) in points.iter().map(|point| whole(*point)).enumerate() {
            let (x, y) = (point.0 - self.at.0, point.1 - self.at.1);
            if index > 0 && x >= 0 {
                self.data.push(' ');
            }
            let gap = if y < 0 { "" } else { " " };
            self.data.push_str(&format!("{x}{gap}{y}"));
            if index + 1 == points.len() {
                self.at = point;
            }
        }
    }
}

impl OutlinePen for Path {
    fn move_to(&mut self, x: f32, y: f32) {
        self.step('m', &[(x, y)]);
        self.start = self.at;
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.step('l', &[(x, y)]);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.step('q', &[(x1, y1), (x, y)]);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.step('c', &[(x1, y1), (x2, y2), (x, y)]);
    }

    fn close(&mut self) {
        self.data.push('z');
        self.at = self.start;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_have_widths_and_outlines_in_every_cut() {
        for cut in [Cut::Regular, Cut::Bold, Cut::Italic, Cut::BoldItalic] {
            let (glyph, advance) = cut.glyph('M').expect("a Latin letter");
            assert!((800..1000).contains(&advance), "{cut:?}: {advance}");
            assert!(cut.outline(glyph).starts_with('m'), "{cut:?}");
            assert!(cut.outline(glyph).ends_with('z'), "{cut:?}");
        }
        assert_eq!(Cut::Regular.glyph('中'), None);
    }

    #[test]
    fn pairs_of_letters_close_up() {
        let glyph = |letter| Cut::Bold.glyph(letter).expect("a Latin letter").0;
        assert!(Cut::Bold.kerning(glyph('A'), glyph('V')) < 0);
        assert_eq!(Cut::Bold.kerning(glyph('H'), glyph('H')), 0);
    }
}
