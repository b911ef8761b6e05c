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
            let settings = DrawSettings::unhinted(Size::new(UNITS), LocationRef::default());
            // The fonts are our own, so a glyph that cannot be drawn is one without lines.
            let _drawn = outline.draw(settings, &mut path);
        }
        path.data
    }
}

/// Units of an outline to the size of the font: on a printed title, one is less than a fiftieth of a
/// millimetre.
pub(crate) const UNITS: f32 = 512.0;

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

/// Path data in whole units (SVG 1.1, section 8.3), as short as it can be written: relative to the point
/// before, without a command that stands already, level and upright lines by one number.
#[derive(Default)]
struct Path {
    data: String,
    at: (i32, i32),
    start: (i32, i32),
    /// What numbers without a command of their own would mean.
    command: Option<char>,
}

impl Path {
    fn step(&mut self, command: char, points: &[(f32, f32)]) {
        let whole = |(x, y): (f32, f32)| (nearest(x), nearest(y));
        let relative = |(x, y): (i32, i32)| (x - self.at.0, y - self.at.1);
        let steps: Vec<(i32, i32)> = points.iter().map(|point| relative(whole(*point))).collect();
        let (command, numbers): (char, Vec<i32>) = match (command, &*steps) {
            // Both ends of a short line may come to lie on one point.
            ('l', [(0, 0)]) => return,
            ('l', [(x, 0)]) => ('h', vec![*x]),
            ('l', [(0, y)]) => ('v', vec![*y]),
            _ => (command, steps.iter().flat_map(|(x, y)| [*x, *y]).collect()),
        };
        let mut stands_apart = self.command != Some(command);
        if stands_apart {
            self.data.push(command);
        }
        for number in numbers {
            if !stands_apart && number >= 0 {
                self.data.push(' ');
            }
            self.data.push_str(&number.to_string());
            stands_apart = false;
        }
        // What follows the point where a line begins is a line.
        self.command = Some(if command == 'm' { 'l' } else { command });
        if let Some(last) = points.last() {
            self.at = whole(*last);
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
        self.command = None;
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

    /// Read again, the data lead through the same points as the glyph's own outline.
    #[test]
    fn short_data_mean_the_same() {
        let mut path = Path::default();
        path.move_to(10.0, 20.0);
        path.line_to(13.0, 25.0);
        path.line_to(13.2, 25.3);
        path.line_to(30.0, 25.0);
        path.line_to(30.0, -5.0);
        path.line_to(20.0, -9.0);
        path.quad_to(18.0, -9.0, 17.0, 0.0);
        path.quad_to(16.0, 5.0, 15.0, 20.0);
        path.close();
        path.move_to(0.0, 0.0);
        path.line_to(0.0, 7.0);
        path.close();
        assert_eq!(path.data, "m10 20 3 5h17v-30l-10-4q-2 0-3 9-1 5-2 20zm-10-20v7z");
    }

    #[test]
    fn pairs_of_letters_close_up() {
        let glyph = |letter| Cut::Bold.glyph(letter).expect("a Latin letter").0;
        assert!(Cut::Bold.kerning(glyph('A'), glyph('V')) < 0);
        assert_eq!(Cut::Bold.kerning(glyph('H'), glyph('H')), 0);
    }
}
