//! The open font that faces are set in: Noto Sans, whose bytes a crate brings (OFL 1.1).
//!
//! Letters are drawn as outlines, never as text in a font that the reader may not have: a picture in an
//! `<img>` can load no font, and so every machine, printer and converter shows what was measured here.

use std::sync::OnceLock;

use ttf_parser::gpos::{PairAdjustment, PositioningSubtable};
use ttf_parser::{Face, GlyphId, OutlineBuilder, Tag};

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

    fn face(self) -> Option<&'static Face<'static>> {
        static FACES: OnceLock<[Option<Face<'static>>; 4]> = OnceLock::new();
        let faces = FACES.get_or_init(|| {
            [
                notosans::REGULAR_TTF,
                notosans::BOLD_TTF,
                notosans::ITALIC_TTF,
                notosans::BOLD_ITALIC_TTF,
            ]
            .map(|bytes| Face::parse(bytes, 0).ok())
        });
        faces[self as usize].as_ref()
    }

    /// The glyph of a letter, and how far it advances in thousandths of the size; `None` if the font lacks it.
    pub(crate) fn glyph(self, letter: char) -> Option<(u16, i32)> {
        let face = self.face()?;
        let glyph = face.glyph_index(letter)?;
        let advance = i32::from(face.glyph_hor_advance(glyph)?);
        Some((glyph.0, advance * 1000 / i32::from(face.units_per_em())))
    }

    /// How much nearer, in thousandths of the size, the second glyph stands to the first.
    pub(crate) fn kerning(self, first: u16, second: u16) -> i32 {
        let kerning = || {
            let face = self.face()?;
            let table = face.tables().gpos?;
            let feature = table.features.find(Tag::from_bytes(b"kern"))?;
            let lookups = feature.lookup_indices.into_iter();
            let found = lookups
                .filter_map(|at| table.lookups.get(at))
                .find_map(|lookup| {
                    let subtables = lookup.subtables.into_iter::<PositioningSubtable<'_>>();
                    subtables
                        .filter_map(|subtable| match subtable {
                            PositioningSubtable::Pair(pairs) => pair(pairs, GlyphId(first), GlyphId(second)),
                            _ => None,
                        })
                        .next()
                })?;
            Some(i32::from(found) * 1000 / i32::from(face.units_per_em()))
        };
        kerning().unwrap_or(0)
    }

    /// The outline of a glyph as the data of a path, y growing upwards, [`UNITS`] to the size.
    pub(crate) fn outline(self, glyph: u16) -> String {
        let mut path = Path::default();
        if let Some(face) = self.face() {
            face.outline_glyph(GlyphId(glyph), &mut path);
        }
        path.data
    }
}

/// Units of an outline to the size of the font.
pub(crate) const UNITS: f32 = 2048.0;

fn pair(pairs: PairAdjustment<'_>, first: GlyphId, second: GlyphId) -> Option<i16> {
    match pairs {
        PairAdjustment::Format1 { coverage, sets } => {
            let (adjusted, _) = sets.get(coverage.get(first)?)?.get(second)?;
            Some(adjusted.x_advance)
        }
        PairAdjustment::Format2 {
            coverage,
            classes,
            matrix,
        } => {
            coverage.get(first)?;
            let (adjusted, _) = matrix.get((classes.0.get(first), classes.1.get(second)))?;
            Some(adjusted.x_advance)
        }
    }
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

impl OutlineBuilder for Path {
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
