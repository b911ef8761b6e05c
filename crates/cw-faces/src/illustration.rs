//! Illustrations in the manner of block prints: few inks, flat shapes, cut lines for shade.
//!
//! A character is a bust: its school gives headgear and a tool (`drawing.rs` reads them), its id the face,
//! the hair, the build and what is behind it. An action or reaction is a thing, found by the words of its
//! name. Where no word is known there is no illustration. All of it lies in a field 222 units high around the
//! middle; the ground goes on as far as there is room.

use std::fmt::Write as _;

use cw_program::CardType;
use maud::{Markup, PreEscaped};

use crate::drawing::{self, DrawnShape, SchoolDrawing, ThingDrawing};
use crate::inks::Inks;

const INK: &str = "#11131a";
const PAPER: &str = "#f2ecdf";

/// Skins as print inks.
const SKINS: [&str; 6] = ["#f2d7b6", "#e7b98c", "#c98f62", "#9c6644", "#6e4530", "#f4e3cf"];
const HAIRS: [&str; 6] = ["#2a1d18", "#5a3420", "#a8642a", "#d9b25f", "#b9bcc4", "#3b3f52"];

/// Who or what is drawn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PortraitSitter<'a> {
    pub(crate) id: &'a str,
    pub(crate) name: &'a str,
    /// The word for its school; empty if it has none.
    pub(crate) school: &'a str,
    pub(crate) card_type: CardType,
    pub(crate) inks: Inks,
}

/// The illustration for a field that reaches so far to each side of the middle, 111 up and down. None where
/// nothing tells what to draw: somebody else's card is not to show a stranger's face.
pub(crate) fn illustration(sitter: PortraitSitter<'_>, half: f32) -> Option<Markup> {
    let (school, thing) = match sitter.card_type {
        CardType::Character => (drawing::school(sitter.school), None),
        CardType::Action | CardType::Reaction => (None, drawing::thing(sitter.name)),
    };
    if school.is_none() && thing.is_none() {
        return None;
    }
    let hash = blake3::hash(sitter.id.as_bytes());
    let mut print = BlockPrint {
        out: String::new(),
        bytes: *hash.as_bytes(),
        inks: sitter.inks,
        half,
    };
    print.backdrop();
    if let Some(school) = school {
        print.bust(school);
    }
    if let Some(thing) = thing {
        print.thing(thing);
    }
    Some(PreEscaped(print.out))
}

struct BlockPrint {
    out: String,
    bytes: [u8; 32],
    inks: Inks,
    half: f32,
}

impl BlockPrint {
    /// One of so many, by a byte of the id's hash.
    fn pick(&self, byte: usize, of: u8) -> u8 {
        self.bytes[byte % 32] % of
    }

    fn path(&mut self, d: &str, fill: &str) {
        let _ = write!(self.out, "<path d=\"{d}\" fill=\"{fill}\"/>");
    }

    /// A shape with a dark outline, as cut into a block.
    fn cut(&mut self, d: &str, fill: &str) {
        let _ = write!(
            self.out,
            "<path d=\"{d}\" fill=\"{fill}\" stroke=\"{INK}\" stroke-width=\"5\" stroke-linejoin=\"round\"/>"
        );
    }

    fn line(&mut self, d: &str, stroke: &str, wide: f32) {
        let _ = write!(
            self.out,
            "<path d=\"{d}\" fill=\"none\" stroke=\"{stroke}\" stroke-width=\"{wide}\" \
             stroke-linecap=\"round\" stroke-linejoin=\"round\"/>"
        );
    }

    fn disc(&mut self, x: f32, y: f32, radius: f32, fill: &str) {
        let _ = write!(
            self.out,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" fill=\"{fill}\"/>"
        );
    }

    /// What is behind: a sun, its rays, a window, hills, waves, or rain; always a horizon of cut lines.
    fn backdrop(&mut self) {
        let (middle, bright) = (self.inks.middle, self.inks.bright);
        let half = self.half;
        let side = if self.pick(1, 2) == 0 { -1.0 } else { 1.0 };
        let x = side * (20.0 + f32::from(self.pick(2, 4)) * 9.0);
        match self.pick(0, 7) {
            0 => {
                self.disc(x, -14.0, 84.0, middle);
                self.disc(x, -14.0, 66.0, self.inks.deep);
                self.disc(x, -14.0, 56.0, middle);
            }
            1 => {
                let mut d = String::new();
                for ray in 0..18_u8 {
                    let turn = f32::from(ray) * std::f32::consts::TAU / 18.0;
                    let far = half + 140.0;
                    let (a, b) = (turn - 0.07, turn + 0.07);
                    let _ = write!(
                        d,
                        "M{:.0} 10L{:.0} {:.0}L{:.0} {:.0}Z",
                        x * 0.3,
                        a.cos() * far,
                        a.sin() * far + 10.0,
                        b.cos() * far,
                        b.sin() * far + 10.0
                    );
                }
                self.path(&d, middle);
            }
            2 => {
                self.path("M-84 111V-24A84 84 0 0 1 84-24V111Z", middle);
                self.line("M0-108V111M-84-24H84M-84 44H84", self.inks.deep, 7.0);
            }
            3 => {
                let (left, right) = (-half, half);
                self.disc(x * 2.2, -52.0, 34.0, bright);
                self.path(
                    &format!(
                        "M{left:.0} 30Q{:.0}-40 {:.0} 16T{right:.0} 6V111H{left:.0}Z",
                        left * 0.5,
                        x * 0.6
                    ),
                    middle,
                );
            }
            4 => {
                for row in 0..6_u8 {
                    let y = -92.0 + f32::from(row) * 36.0;
                    let mut d = format!("M{:.0} {y:.0}", -half);
                    let mut at = -half;
                    while at < half {
                        d.push_str("q11-15 22 0t22 0");
                        at += 44.0;
                    }
                    self.line(&d, middle, 6.0);
                }
            }
            5 => {
                let mut d = String::new();
                let mut at = -half - 120.0;
                while at < half {
                    let _ = write!(d, "M{at:.0} 111L{:.0}-111", at + 110.0);
                    at += 26.0;
                }
                self.line(&d, middle, 8.0);
            }
            _ => {
                let mut row = 0;
                let mut y = -100.0;
                while y < 111.0 {
                    let mut at = -half + if row % 2 == 0 { 6.0 } else { 20.0 };
                    while at < half {
                        self.disc(at, y, 2.5 + (y + 111.0) * 0.035, middle);
                        at += 28.0;
                    }
                    y += 24.0;
                    row += 1;
                }
            }
        }
        // The ground: lines that grow thicker towards the viewer.
        for (y, wide) in [(84.0, 2.0), (93.0, 4.0), (104.0, 8.0)] {
            self.line(&format!("M{:.0} {y}H{:.0}", -half, half), bright, wide);
        }
    }

    fn bust(&mut self, school: &SchoolDrawing) {
        let turned = if self.pick(3, 2) == 0 { "" } else { " scale(-1 1)" };
        // The tool beside, then the figure before it.
        let _ = write!(self.out, "<g transform=\"translate(0 0){turned}\">");
        self.out.push_str("<g transform=\"translate(82 34) rotate(12)\">");
        self.one_of(&school.tools, 19, 0.0);
        self.out.push_str("</g><g transform=\"translate(-22 0)\">");
        match school.is_ghost {
            true => self.ghost(),
            false => self.person(school),
        }
        self.out.push_str("</g></g>");
    }

    fn person(&mut self, school: &SchoolDrawing) {
        let skin = SKINS[usize::from(self.pick(4, 6))];
        let hair = HAIRS[usize::from(self.pick(5, 6))];
        let (middle, bright, deep) = (self.inks.middle, self.inks.bright, self.inks.deep);
        let broad = 58.0 + f32::from(self.pick(6, 4)) * 9.0;
        let long = f32::from(self.pick(7, 4)) * 5.0;
        let face = 33.0 + f32::from(self.pick(8, 3)) * 5.0;
        let jaw = [0.62, 0.8, 1.0][usize::from(self.pick(9, 3))] * face;
        let chin = 30.0 + long;
        // Long hair falls behind the shoulders.
        let locks = self.pick(10, 5);
        if locks == 0 || locks == 1 {
            let fall = if locks == 0 { 74.0 } else { 40.0 };
            self.cut(
                &format!(
                    "M{0:.0}-30Q0-92 {1:.0}-30L{2:.0} {fall}H{3:.0}Z",
                    -face - 12.0,
                    face + 12.0,
                    face + 16.0,
                    -face - 16.0
                ),
                hair,
            );
        }
        self.cut(
            &format!(
                "M{0:.0} 116Q{0:.0} 62 {1:.0} 56L-14 44H14L{2:.0} 56Q{3:.0} 62 {3:.0} 116Z",
                -broad,
                -broad * 0.55,
                broad * 0.55,
                broad
            ),
            middle,
        );
        // Cloth: an apron, lapels, stripes, or buttons.
        match self.pick(11, 4) {
            0 => self.path("M-26 58H26L34 116H-34Z", PAPER),
            1 => {
                self.cut("M-16 48L0 84L-34 66Z", bright);
                self.cut("M16 48L0 84L34 66Z", bright);
            }
            2 => self.line(
                &format!(
                    "M{0:.0} 78H{1:.0}M{2:.0} 94H{3:.0}",
                    -broad * 0.8,
                    broad * 0.8,
                    -broad * 0.9,
                    broad * 0.9
                ),
                bright,
                7.0,
            ),
            _ => {
                for y in [70.0, 86.0, 102.0] {
                    self.disc(0.0, y, 5.0, bright);
                }
                self.line("M0 56V116", deep, 3.0);
            }
        }
        self.cut("M-13 24H13V52Q0 64-13 52Z", skin);
        self.cut(
            &format!(
                "M{0:.0}-34Q{0:.0}-66 0-66T{1:.0}-34V-4Q{2:.0} {chin:.0} 0 {chin:.0}T{0:.0}-4Z",
                -face, face, jaw
            ),
            skin,
        );
        // Shade, cut into one cheek.
        let cheek = face - 5.0;
        self.line(
            &format!(
                "M{cheek:.0}-12l-14 7M{cheek:.0}-2l-16 8M{:.0} 8l-14 7",
                cheek - 2.0
            ),
            INK,
            3.0,
        );
        self.cut(&format!("M{:.0}-22q-12-2-10 12t12 8Z", -face + 2.0), skin);
        if locks >= 2 {
            let d = match locks {
                2 => format!(
                    "M{0:.0}-20Q{1:.0}-76 0-74T{2:.0}-20L{3:.0}-40Q0-58 {4:.0}-40Z",
                    -face - 4.0,
                    -face - 8.0,
                    face + 4.0,
                    face - 8.0,
                    -face + 8.0
                ),
                3 => format!(
                    "M{0:.0}-34Q{1:.0}-80 10-78T{2:.0}-30Q{3:.0}-52-6-48T{0:.0}-34Z",
                    -face - 2.0,
                    -face,
                    face + 4.0,
                    face - 6.0
                ),
                _ => format!(
                    "M{0:.0}-10Q{1:.0}-70 0-72T{2:.0}-10L{3:.0}-36H{4:.0}Z",
                    -face - 8.0,
                    -face - 16.0,
                    face + 8.0,
                    face - 4.0,
                    -face + 4.0
                ),
            };
            self.cut(&d, hair);
        } else {
            self.cut(
                &format!(
                    "M{0:.0}-26Q{0:.0}-76 0-76T{1:.0}-26Q{2:.0}-52-4-54T{0:.0}-26Z",
                    -face - 3.0,
                    face + 3.0,
                    face - 6.0
                ),
                hair,
            );
        }
        self.features(hair, school.reads);
        self.one_of(&school.hats, 18, face);
    }

    /// Eyes, brows, nose, mouth, beard, glasses.
    fn features(&mut self, hair: &str, reads: bool) {
        let apart = 13.0 + f32::from(self.pick(12, 3)) * 2.0;
        let y = -18.0;
        match self.pick(13, 4) {
            0 => self.line(
                &format!(
                    "M{0:.0} {y}q5 5 10 0M{1:.0} {y}q5 5 10 0",
                    -apart - 5.0,
                    apart - 5.0
                ),
                INK,
                4.0,
            ),
            1 => {
                for x in [-apart, apart] {
                    self.disc(x, y, 7.0, PAPER);
                    self.disc(x + 1.5, y + 1.0, 4.2, INK);
                }
            }
            _ => {
                for x in [-apart, apart] {
                    self.disc(x, y, 4.6, INK);
                }
            }
        }
        let brow = [-4.0, 0.0, 4.0][usize::from(self.pick(14, 3))];
        self.line(
            &format!(
                "M{:.0} {:.0}L{:.0} {:.0}M{:.0} {:.0}L{:.0} {:.0}",
                -apart - 9.0,
                y - 12.0,
                -apart + 7.0,
                y - 12.0 + brow,
                apart - 7.0,
                y - 12.0 + brow,
                apart + 9.0,
                y - 12.0
            ),
            INK,
            4.5,
        );
        self.line(
            if self.pick(15, 2) == 0 {
                "M1-14L-7 3H2"
            } else {
                "M0-12q-10 16 3 16"
            },
            INK,
            3.5,
        );
        match self.pick(16, 7) {
            0 => {
                self.cut("M-24 12Q-12 2 0 10Q12 2 24 12Q12 22 0 15Q-12 22-24 12Z", hair);
            }
            1 => {
                self.cut("M-30-2Q-28 52 0 56T30-2Q20 10 0 8T-30-2Z", hair);
                self.line("M-8 20Q0 25 8 20", PAPER, 4.0);
            }
            2 => {
                self.line("M-9 16Q0 22 9 16", INK, 4.0);
                self.cut("M-7 27L0 48L7 27Q0 22-7 27Z", hair);
            }
            3 => self.line("M-10 17H10", INK, 4.0),
            4 => self.path("M-12 13Q0 16 12 13Q8 27 0 27T-12 13Z", INK),
            5 => self.line("M-10 19Q0 12 10 19", INK, 4.0),
            _ => self.line("M-12 13Q0 25 12 13", INK, 4.0),
        }
        // Who reads wears glasses more often.
        if self.pick(17, 4) == 0 || (reads && self.pick(17, 4) < 3) {
            let radius = apart - 2.5;
            for x in [-apart, apart] {
                let _ = write!(
                    self.out,
                    "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" fill=\"{PAPER}\" \
                     fill-opacity=\".35\" stroke=\"{INK}\" stroke-width=\"4\"/>"
                );
            }
            self.line(&format!("M-3 {y}H3"), INK, 4.0);
        }
    }

    /// A sheet with somebody in it, or nobody.
    fn ghost(&mut self) {
        let (middle, bright) = (self.inks.middle, self.inks.bright);
        let tall = -70.0 - f32::from(self.pick(6, 4)) * 7.0;
        let broad = 46.0 + f32::from(self.pick(7, 4)) * 8.0;
        let hem = match self.pick(8, 3) {
            0 => "q-10-18-22 0t-22 0t-22 0t-22 0",
            1 => "l-14-16l-14 14l-14-14l-14 16l-14-16l-14 16",
            _ => "q-12-26-30-6t-30 2t-24-4",
        };
        self.cut(
            &format!(
                "M{0:.0} 106{hem}L{1:.0} 104Q{2:.0} {3:.0} 0 {tall:.0}T{0:.0} 106Z",
                broad,
                -broad,
                -broad - 8.0,
                tall + 6.0
            ),
            PAPER,
        );
        self.line(
            &format!(
                "M{0:.0} 20q-8 40 2 66M{1:.0} 30q8 30-2 60M6 50q-6 24 0 40",
                broad * 0.7,
                -broad * 0.62
            ),
            middle,
            4.0,
        );
        let apart = 13.0 + f32::from(self.pick(9, 3)) * 3.0;
        let y = tall + 46.0;
        match self.pick(10, 4) {
            0 => {
                for x in [-apart, apart] {
                    let _ = write!(
                        self.out,
                        "<ellipse cx=\"{x:.0}\" cy=\"{y:.0}\" rx=\"7\" ry=\"12\" fill=\"{INK}\"/>"
                    );
                }
            }
            1 => self.line(
                &format!(
                    "M{0:.0} {y:.0}q7 9 14 0M{1:.0} {y:.0}q7 9 14 0",
                    -apart - 7.0,
                    apart - 7.0
                ),
                INK,
                5.0,
            ),
            2 => {
                for x in [-apart, apart] {
                    self.disc(x, y, 10.0, INK);
                    self.disc(x + 3.0, y - 3.0, 3.5, bright);
                }
            }
            _ => {
                self.disc(-apart, y, 7.0, INK);
                self.line(&format!("M{:.0} {y:.0}h14", apart - 7.0), INK, 5.0);
                let _ = write!(
                    self.out,
                    "<circle cx=\"{:.0}\" cy=\"{y:.0}\" r=\"13\" \
                     fill=\"none\" stroke=\"{middle}\" stroke-width=\"4\"/>",
                    -apart
                );
            }
        }
        match self.pick(11, 4) {
            0 => {
                let _ = write!(
                    self.out,
                    "<ellipse cx=\"0\" cy=\"{:.0}\" rx=\"9\" ry=\"14\" fill=\"{INK}\"/>",
                    y + 32.0
                );
            }
            1 => self.line(&format!("M-14 {:.0}q14 14 28 0", y + 26.0), INK, 5.0),
            2 => self.line(&format!("M-14 {:.0}q5-8 10 0t10 0t10 0", y + 30.0), INK, 4.0),
            _ => self.path(&format!("M-16 {0:.0}q16-10 32 0q-16 8-32 0Z", y + 28.0), INK),
        }
        match self.pick(12, 5) {
            0 => {
                self.cut(
                    &format!("M-26 {0:.0}V{1:.0}H26V{0:.0}Z", tall + 14.0, tall - 28.0),
                    INK,
                );
                self.cut(
                    &format!("M-44 {0:.0}H44V{1:.0}H-44Z", tall + 18.0, tall + 8.0),
                    INK,
                );
                self.line(&format!("M-22 {tall:.0}H22"), bright, 7.0);
            }
            1 => self.cut(
                &format!(
                    "M-40 {0:.0}Q-46 {1:.0} 0 {1:.0}T 40 {0:.0}\
                     Q50 {2:.0} 34 {3:.0}Q0 {0:.0}-34 {3:.0}Q-50 {2:.0}-40 {0:.0}Z",
                    tall + 18.0,
                    tall - 18.0,
                    tall + 30.0,
                    tall + 40.0
                ),
                bright,
            ),
            2 => {
                self.cut(
                    &format!(
                        "M-30 {0:.0}L-34 {1:.0}L-12 {2:.0}L0 {3:.0}\
                         L12 {2:.0}L34 {1:.0}L30 {0:.0}Z",
                        tall + 14.0,
                        tall - 18.0,
                        tall - 4.0,
                        tall - 28.0
                    ),
                    bright,
                );
            }
            3 => self.line(&format!("M-34 {0:.0}q34-24 68 0", tall - 6.0), bright, 6.0),
            _ => {}
        }
    }

    /// What an action or reaction is about.
    fn thing(&mut self, thing: &ThingDrawing) {
        let turn = f32::from(self.pick(22, 5)) * 4.0 - 8.0;
        let _ = write!(self.out, "<g transform=\"rotate({turn}) scale(1.12)\">");
        self.shapes(&thing.shapes, 0.0);
        self.out.push_str("</g>");
    }

    /// One of the drawings, by a byte of the id's hash; nothing where there is none.
    fn one_of(&mut self, drawings: &[Vec<DrawnShape>], byte: usize, face: f32) {
        let of = u8::try_from(drawings.len()).expect("a school has a few hats and tools");
        if of > 0 {
            self.shapes(&drawings[usize::from(self.pick(byte, of))], face);
        }
    }

    /// The shapes of a drawing, for a face that is so wide to each side of the middle.
    fn shapes(&mut self, shapes: &[DrawnShape], face: f32) {
        for shape in shapes {
            match *shape {
                DrawnShape::Cut { ink, path } => self.cut(&self.filled(path, face), self.ink(ink)),
                DrawnShape::Path { ink, path } => self.path(&self.filled(path, face), self.ink(ink)),
                DrawnShape::Line { ink, wide, path } => {
                    self.line(&self.filled(path, face), self.ink(ink), wide);
                }
                DrawnShape::Disc { ink, x, y, radius } => self.disc(x, y, radius, self.ink(ink)),
                DrawnShape::Svg(element) => {
                    let element = self.filled(element, face);
                    self.out.push_str(&element);
                }
            }
        }
    }

    /// The colour of an ink: one with a name, or the colour itself.
    fn ink<'a>(&self, word: &'a str) -> &'a str {
        match word {
            "ink" => INK,
            "paper" => PAPER,
            "bright" => self.inks.bright,
            "middle" => self.inks.middle,
            "deep" => self.inks.deep,
            colour => colour,
        }
    }

    /// A text of a drawing with everything in braces worked out: the name of an ink, or a sum as `-edge + 6`.
    fn filled(&self, text: &str, face: f32) -> String {
        let mut parts = text.split('{');
        let mut out = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let (inside, rest) = part.split_once('}').unwrap_or((part, ""));
            let colour = self.ink(inside);
            match colour == inside {
                true => {
                    let _ = write!(out, "{:.0}", sum(inside, face));
                }
                false => out.push_str(colour),
            }
            out.push_str(rest);
        }
        out
    }
}

/// A sum of whole numbers, of `face`, half of a face's width, and of `edge`, which stands out 6 from it.
fn sum(words: &str, face: f32) -> f32 {
    let mut sum = 0.0;
    let mut sign = 1.0;
    for word in words.split(' ') {
        let name = word.trim_start_matches('-');
        if word.starts_with('-') {
            sign = -1.0;
        }
        match name {
            "" => continue,
            "+" => {
                sign = 1.0;
                continue;
            }
            _ => {}
        }
        sum += sign
            * match name {
                "face" => face,
                "edge" => face + 6.0,
                number => number.parse().expect("the tests draw every line"),
            };
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every hat, tool and thing of the file is drawn by some id, with all braces worked out.
    #[test]
    fn every_drawing_is_drawn() {
        let inks = crate::inks::inks_of("blue", &[]);
        for words in drawing::all_words() {
            let mut drawn = std::collections::BTreeSet::new();
            for id in 0..100 {
                for card_type in [CardType::Character, CardType::Action] {
                    let sitter = PortraitSitter {
                        id: &id.to_string(),
                        name: words,
                        school: words,
                        card_type,
                        inks,
                    };
                    drawn.extend(illustration(sitter, 111.0).map(PreEscaped::into_string));
                }
            }
            assert!(!drawn.is_empty(), "{words} is not drawn");
            assert!(drawn.iter().all(|svg| !svg.contains(['{', '}'])), "{words}");
        }
    }
}
