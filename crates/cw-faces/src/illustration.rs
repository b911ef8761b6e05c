//! Illustrations in the manner of block prints: few inks, flat shapes, cut lines for shade.
//!
//! A character is a bust: its school gives headgear and a tool, its id the face, the hair, the build and what
//! is behind it. An action or reaction is a thing, found by the words of its name. Where no word is known there
//! is no illustration. All of it lies in a field 222 units high around the middle; the ground goes on as far as there is room.

use std::fmt::Write as _;

use cw_program::CardType;
use maud::{Markup, PreEscaped};

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
    let (words, table): (&str, &[&[&str]]) = match sitter.card_type {
        CardType::Character => (sitter.school, &KITS),
        CardType::Action | CardType::Reaction => (sitter.name, &THINGS),
    };
    let drawn = known(words, table)?;
    let hash = blake3::hash(sitter.id.as_bytes());
    let mut print = BlockPrint {
        out: String::new(),
        bytes: *hash.as_bytes(),
        inks: sitter.inks,
        half,
    };
    print.backdrop();
    match sitter.card_type {
        CardType::Character => print.bust(drawn),
        CardType::Action | CardType::Reaction => print.thing(drawn),
    }
    Some(PreEscaped(print.out))
}

/// Which row of the table has one of the words: a short one whole, a longer one as a beginning.
fn known(words: &str, table: &[&[&str]]) -> Option<usize> {
    let words = words.to_lowercase();
    let of = |known: &str| {
        let mut words = words.split(|letter: char| !letter.is_alphabetic());
        words.any(|word| word == known || (known.len() > 3 && word.starts_with(known)))
    };
    table.iter().position(|row| row.iter().any(|word| of(word)))
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
            "<path d=\"{d}\" fill=\"none\" stroke=\"{stroke}\" stroke-width=\"{wide}\" stroke-linecap=\"round\" \
             stroke-linejoin=\"round\"/>"
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

    fn bust(&mut self, kit: usize) {
        let turned = if self.pick(3, 2) == 0 { "" } else { " scale(-1 1)" };
        // The tool beside, then the figure before it.
        let _ = write!(self.out, "<g transform=\"translate(0 0){turned}\">");
        self.out.push_str("<g transform=\"translate(82 34) rotate(12)\">");
        self.tool(kit);
        self.out.push_str("</g><g transform=\"translate(-22 0)\">");
        match kit {
            GHOST => self.ghost(),
            _ => self.person(kit),
        }
        self.out.push_str("</g></g>");
    }

    fn person(&mut self, kit: usize) {
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
        self.features(hair, kit);
        self.hat(kit, face);
    }

    /// Eyes, brows, nose, mouth, beard, glasses.
    fn features(&mut self, hair: &str, kit: usize) {
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
        if self.pick(17, 4) == 0 || (kit == LIBRARIAN && self.pick(17, 4) < 3) {
            let radius = apart - 2.5;
            for x in [-apart, apart] {
                let _ = write!(
                    self.out,
                    "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" fill=\"{PAPER}\" fill-opacity=\".35\" stroke=\"{INK}\" \
                     stroke-width=\"4\"/>"
                );
            }
            self.line(&format!("M-3 {y}H3"), INK, 4.0);
        }
    }

    fn hat(&mut self, kit: usize, face: f32) {
        let (middle, bright, deep) = (self.inks.middle, self.inks.bright, self.inks.deep);
        let edge = face + 6.0;
        let other = self.pick(18, 3);
        match (kit, other) {
            (0, 0) => {
                self.cut(&format!("M{0:.0}-46L{1:.0}-74Q-70-84-50-102Q-24-118 0-108Q28-118 50-102Q70-84 {2:.0}-74L{3:.0}-46Z", -edge + 6.0, -edge, edge, edge - 6.0), PAPER);
                self.line("M-16-54V-78M0-54V-84M16-54V-78", INK, 3.0);
            }
            (0, 1) => {
                self.cut(
                    &format!(
                        "M{0:.0}-44Q0-56 {1:.0}-44L{2:.0}-84Q0-100 {3:.0}-84Z",
                        -edge,
                        edge,
                        edge - 4.0,
                        -edge + 4.0
                    ),
                    PAPER,
                );
                self.line(
                    &format!("M{:.0}-56Q0-68 {:.0}-56", -edge + 3.0, edge - 3.0),
                    bright,
                    6.0,
                );
            }
            (0, _) => self.cut(
                &format!(
                    "M{0:.0}-42Q{1:.0}-100 0-96T{2:.0}-42Q0-58 {0:.0}-42Z",
                    -edge,
                    -edge - 6.0,
                    edge
                ),
                bright,
            ),
            (1, 0) => {
                self.cut(
                    &format!("M{0:.0}-52Q{0:.0}-106 0-106T{1:.0}-52Z", -face, face),
                    INK,
                );
                self.cut(
                    &format!(
                        "M{0:.0}-48Q0-62 {1:.0}-48Q0-40 {0:.0}-48Z",
                        -edge - 16.0,
                        edge + 16.0
                    ),
                    INK,
                );
                self.line(&format!("M{:.0}-60H{:.0}", -face + 4.0, face - 4.0), bright, 7.0);
            }
            (1, 1) => {
                self.cut(
                    &format!(
                        "M{0:.0}-40Q0-66 {1:.0}-40L{2:.0}-30Q0-46 {3:.0}-30Z",
                        -edge,
                        edge,
                        edge + 16.0,
                        -edge - 4.0
                    ),
                    bright,
                );
            }
            (1, _) => {
                self.line("M-6-76q-24-24 2-30", INK, 4.0);
                self.cut("M-14-74L34-112L40-104L-8-66Z", PAPER);
            }
            (LIBRARIAN, 0) => {
                self.disc(0.0, -84.0, 22.0, INK);
                self.disc(0.0, -84.0, 17.0, middle);
                self.line("M-30-98L30-72", bright, 5.0);
            }
            (LIBRARIAN, 1) => self.cut("M-60-62L0-88L60-62L0-42ZM0-64", INK),
            (LIBRARIAN, _) => {
                self.cut(
                    &format!("M{0:.0}-40Q0-66 {1:.0}-40V-54Q0-80 {0:.0}-54Z", -edge, edge),
                    bright,
                );
            }
            (3, 0) => {
                self.cut(
                    &format!("M{0:.0}-54Q-70-84-30-92H30Q70-84 {1:.0}-54Z", -edge, edge),
                    PAPER,
                );
                self.cut(
                    &format!("M{0:.0}-44Q0-54 {1:.0}-44V-60Q0-68 {0:.0}-60Z", -edge, edge),
                    INK,
                );
                self.line(&format!("M{edge:.0} -46q14 24 10 46"), INK, 5.0);
            }
            (3, 1) => {
                self.cut(&format!("M{0:.0}-56Q-76-92 0-98T{1:.0}-56Z", -edge, edge), deep);
                self.cut(
                    &format!(
                        "M{0:.0}-46Q0-58 {1:.0}-46L{2:.0}-34Q0-46 {3:.0}-34Z",
                        -edge,
                        edge,
                        edge - 6.0,
                        -edge - 8.0
                    ),
                    INK,
                );
                self.disc(0.0, -70.0, 10.0, bright);
            }
            (3, _) => {
                self.cut(
                    &format!("M{0:.0}-38Q{0:.0}-84 0-82T{1:.0}-38Q0-54 {0:.0}-38Z", -edge, edge),
                    bright,
                );
                self.cut(&format!("M{0:.0}-42l22-10l-4 26l-14-8Z", edge - 4.0), bright);
                for (x, y) in [(-18.0, -60.0), (2.0, -70.0), (22.0, -60.0)] {
                    self.disc(x, y, 4.0, deep);
                }
            }
            (4, 0) => {
                self.cut(
                    &format!("M{0:.0}-46Q{0:.0}-96 0-96T{1:.0}-46Z", -edge, edge),
                    bright,
                );
                self.cut(
                    &format!("M{:.0}-42H{:.0}V-52H{0:.0}Z", -edge - 12.0, edge + 12.0),
                    bright,
                );
                self.line("M0-94V-54", INK, 4.0);
            }
            (4, 1) => {
                self.cut(&format!("M{0:.0}-46Q-58-84 0-84T{1:.0}-46Z", -edge, edge), middle);
                self.cut(
                    &format!("M{0:.0}-44L{1:.0}-50L{2:.0}-36Z", -edge - 22.0, 4.0, -edge + 4.0),
                    INK,
                );
            }
            (4, _) => {
                self.cut(
                    &format!("M{0:.0}-44Q{0:.0}-92 0-92T{1:.0}-44V-56H{0:.0}Z", -edge, edge),
                    middle,
                );
                self.disc(0.0, -64.0, 14.0, INK);
                self.disc(0.0, -64.0, 9.0, PAPER);
            }
            (5, 0) => {
                self.cut(
                    &format!(
                        "M{0:.0}-50L{1:.0}-110H{2:.0}L{3:.0}-50Z",
                        -face + 2.0,
                        -face - 2.0,
                        face + 2.0,
                        face - 2.0
                    ),
                    INK,
                );
                self.cut(
                    &format!("M{:.0}-44H{:.0}V-54H{0:.0}Z", -edge - 18.0, edge + 18.0),
                    INK,
                );
                self.line(&format!("M{:.0}-64H{:.0}", -face + 3.0, face - 3.0), bright, 8.0);
            }
            (5, 1) => {
                self.cut(
                    &format!("M{0:.0}-44V-100H{1:.0}V-44Q0-54 {0:.0}-44Z", -face, face),
                    middle,
                );
                self.line(
                    &format!("M{:.0}-92L0-68L{:.0}-92", -face + 4.0, face - 4.0),
                    bright,
                    6.0,
                );
                self.cut("M-6-98Q-20-124 4-134Q18-116 6-98Z", PAPER);
            }
            (5, _) => {
                self.cut(
                    &format!(
                        "M{0:.0}-48Q-72-88-10-92Q62-92 {1:.0}-54Q0-68 {0:.0}-48Z",
                        -edge, edge
                    ),
                    bright,
                );
                self.disc(-4.0, -94.0, 6.0, INK);
            }
            (6, 0) => {
                self.cut(
                    &format!(
                        "M{:.0}-44Q-40-72-30-92Q0-104 30-90Q38-70 {:.0}-50Q10-58 {0:.0}-44Z",
                        -edge - 24.0,
                        edge + 26.0
                    ),
                    INK,
                );
                self.cut("M18-78Q60-124 86-84Q60-90 30-66Z", bright);
            }
            (6, 1) => {
                self.cut(
                    &format!(
                        "M{0:.0}-28Q0-40 {1:.0}-28L{2:.0}-8Q20-4 8-12Q0-14-8-12Q-20-4 {3:.0}-8Z",
                        -face - 2.0,
                        face + 2.0,
                        face - 4.0,
                        -face + 4.0
                    ),
                    INK,
                );
                for x in [-16.0, 16.0] {
                    self.disc(x, -18.0, 6.5, PAPER);
                    self.disc(x, -18.0, 3.5, INK);
                }
            }
            (6, _) => {
                self.cut(
                    &format!("M{0:.0}-40Q{0:.0}-70 0-72T{1:.0}-40Q0-54 {0:.0}-40Z", -edge, edge),
                    bright,
                );
                self.cut(&format!("M{:.0}-44q24 8 20 34q-10-6-24-20Z", edge - 4.0), bright);
            }
            _ => {}
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
                    "<circle cx=\"{:.0}\" cy=\"{y:.0}\" r=\"13\" fill=\"none\" stroke=\"{middle}\" stroke-width=\"4\"/>",
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
                self.cut(&format!("M-26 {0:.0}V{1:.0}H26V{0:.0}Z", tall + 14.0, tall - 28.0), INK);
                self.cut(&format!("M-44 {0:.0}H44V{1:.0}H-44Z", tall + 18.0, tall + 8.0), INK);
                self.line(&format!("M-22 {tall:.0}H22"), bright, 7.0);
            }
            1 => self.cut(&format!("M-40 {0:.0}Q-46 {1:.0} 0 {1:.0}T 40 {0:.0}Q50 {2:.0} 34 {3:.0}Q0 {0:.0}-34 {3:.0}Q-50 {2:.0}-40 {0:.0}Z", tall + 18.0, tall - 18.0, tall + 30.0, tall + 40.0), bright),
            2 => {
                self.cut(&format!("M-30 {0:.0}L-34 {1:.0}L-12 {2:.0}L0 {3:.0}L12 {2:.0}L34 {1:.0}L30 {0:.0}Z", tall + 14.0, tall - 18.0, tall - 4.0, tall - 28.0), bright);
            }
            3 => self.line(&format!("M-34 {0:.0}q34-24 68 0", tall - 6.0), bright, 6.0),
            _ => {}
        }
    }

    /// What somebody of this school carries.
    fn tool(&mut self, kit: usize) {
        let bright = self.inks.bright;
        let other = self.pick(19, 2);
        match (kit, other) {
            (0, 0) => {
                self.cut("M-12-62H12V34H-12Z", PAPER);
                self.cut("M-6-90H6V-62H-6ZM-6 34H6V62H-6Z", bright);
            }
            (0, _) => {
                self.cut("M-34 30Q-44-36 0-40Q44-36 34 30Q0 46-34 30Z", "#d9974a");
                self.line("M-18-18L-6 6M0-26L8 2M16-20L24 4", PAPER, 6.0);
            }
            (1, 0) => {
                self.cut("M-30 34H30V54H-30ZM-10 34L-16-10Q0-44 16-10L10 34Z", bright);
            }
            (1, _) => {
                self.cut("M-32-52H32V56H-32Z", PAPER);
                self.line("M-20-34H20M-20-18H20M-20-2H8M-20 14H20", INK, 4.0);
                self.disc(16.0, 36.0, 12.0, "#e2534a");
            }
            (LIBRARIAN, 0) => {
                self.cut(
                    "M0-30Q-24-46-48-32V32Q-24 18 0 34Q24 18 48 32V-32Q24-46 0-30Z",
                    PAPER,
                );
                self.line(
                    "M0-30V34M-38-18Q-24-26-10-16M-38-2Q-24-10-10 0M10-16Q24-26 38-18M10 0Q24-10 38-2",
                    INK,
                    4.0,
                );
            }
            (LIBRARIAN, _) => {
                self.cut("M-44 36H36V58H-44Z", bright);
                self.cut("M-34 12H44V36H-34Z", PAPER);
                self.cut("M-42-12H30V12H-42Z", "#e2534a");
                self.cut("M-28-36H40V-12H-28Z", bright);
            }
            (3, 0) => {
                self.line("M0-50V48M-26-28H26M-42 16Q-36 50 0 50T42 16", INK, 19.0);
                self.line("M0-50V48M-26-28H26M-42 16Q-36 50 0 50T42 16", bright, 11.0);
                self.disc(0.0, -60.0, 15.0, INK);
                self.disc(0.0, -60.0, 9.0, bright);
            }
            (3, _) => {
                self.cut("M-14-20H14L12 30H-12Z", "#c98f62");
                self.cut("M-18-64H18L14-20H-14Z", bright);
                self.cut("M-22-76H22V-62H-22Z", INK);
            }
            (4, 0) => {
                self.cut(
                    "M-9-10V62H9V-10Q30-22 26-50L10-34H-10L-26-50Q-30-22-9-10Z",
                    "#d6d9e0",
                );
            }
            (4, _) => {
                self.cut("M-40-44H-18V-6Q-18 8-4 8H34V30H-8Q-40 30-40-6Z", "#d6d9e0");
                self.cut("M-46-56H-12V-42H-46ZM32 2H46V36H32Z", bright);
                self.path("M22 50q14 20 0 26q-14-6 0-26Z", "#6cc4ff");
            }
            (5, 0) => {
                self.cut(
                    "M0-8Q26-10 22 14Q14 22 24 34Q32 64 0 66Q-32 64-24 34Q-14 22-22 14Q-26-10 0-8Z",
                    "#b5652a",
                );
                self.cut("M-5-74H5V24H-5Z", INK);
                self.line("M-12 14H12M-10 42H10", INK, 4.0);
            }
            (5, _) => {
                self.cut("M-38 6V52Q0 70 38 52V6Z", "#e2534a");
                self.cut("M-38 6Q0-12 38 6Q0 24-38 6Z", PAPER);
                self.line("M-30 14L-12 58L10 20L30 54", bright, 4.0);
                self.line("M-24-34L6 2M34-40L10 4", INK, 6.0);
            }
            (6, 0) => {
                self.cut("M-5-96L5-96L6 18H-6Z", "#d6d9e0");
                self.cut("M-30 18Q0 2 30 18Q30 34 6 28V56H-6V28Q-30 34-30 18Z", bright);
            }
            (6, _) => {
                self.line("M-30 60L24-84", INK, 12.0);
                self.line("M-30 60L24-84", "#d6d9e0", 6.0);
                self.line("M30 60L-24-84", INK, 12.0);
                self.line("M30 60L-24-84", "#d6d9e0", 6.0);
                self.line("M-36 28L-8 40M36 28L8 40", bright, 9.0);
            }
            (GHOST, 0) => {
                self.cut("M-12-8H12V52H-12Z", PAPER);
                self.cut("M0-58Q20-32 0-12Q-20-32 0-58Z", "#ffd166");
                self.cut("M-34 50H34L26 66H-26Z", bright);
            }
            (GHOST, _) => {
                self.cut("M-34 34Q-22 20-22-10Q-20-44 0-44T22-10Q22 20 34 34Z", "#ffd166");
                self.disc(0.0, 42.0, 9.0, INK);
                self.line("M0-46V-60", INK, 7.0);
            }
            _ => {}
        }
    }

    /// What an action or reaction is about.
    fn thing(&mut self, thing: usize) {
        let turn = f32::from(self.pick(22, 5)) * 4.0 - 8.0;
        let _ = write!(self.out, "<g transform=\"rotate({turn}) scale(1.12)\">");
        let (bright, middle) = (self.inks.bright, self.inks.middle);
        match thing {
            0 => {
                self.cut(
                    "M-44-80H44V-64Q44-36 10-4Q44 30 44 62V78H-44V62Q-44 30-10-4Q-44-36-44-64Z",
                    PAPER,
                );
                self.path(
                    "M-34 70V62Q-30 36 0 22Q30 36 34 62V70ZM-26-48H26Q18-26 0-10Q-18-26-26-48Z",
                    bright,
                );
                self.line("M-54-84H54M-54 80H54", INK, 12.0);
            }
            1 => {
                self.cut(
                    "M-110 76Q-90-20-20-66Q50-96 84-36Q50-58 24-30Q0 8 40 28Q80 40 110 20V80Z",
                    bright,
                );
                self.line("M-74 60Q-60-2-14-34M-40 66Q-30 26-2 6", PAPER, 7.0);
                self.line("M54-58q14 2 22 14M10-74q24-10 40 0", PAPER, 6.0);
            }
            2 => {
                self.cut("M-58-14H44V30Q40 66 6 68H-20Q-54 66-58 30Z", PAPER);
                self.line("M44 0Q80-6 74 24Q66 44 40 38", INK, 16.0);
                self.line("M44 0Q80-6 74 24Q66 44 40 38", PAPER, 7.0);
                self.cut("M-84 70H72L56 86H-68Z", middle);
                self.line(
                    "M-34-30q-14-16 0-30t0-28M-4-30q-14-16 0-30t0-28M26-30q-14-16 0-30t0-28",
                    bright,
                    7.0,
                );
            }
            3 => {
                self.cut("M-78-40Q-40-62-6-46V10Q-10 52-44 60Q-78 40-78-40Z", PAPER);
                self.cut("M78-26Q40-48 6-32V24Q10 66 44 74Q78 54 78-26Z", bright);
                self.path("M-64-14q10-10 20 0q-10 10-20 0ZM-36-14q10-10 20 0q-10 10-20 0ZM18 0q10-10 20 0q-10 10-20 0ZM46 0q10-10 20 0q-10 10-20 0Z", INK);
                self.line("M-62 22q20 24 40 0M24 50q18-22 40 0", INK, 6.0);
            }
            4 => {
                self.cut("M-50-76H36Q52-76 52-60V76H-36Q-50 76-50 62Z", bright);
                self.cut("M-36 60H52V76H-36Q-46 76-46 68T-36 60Z", PAPER);
                self.line("M-34-76V60", INK, 5.0);
                self.cut(
                    "M6-44L14-24L34-22L18-8L24 12L6 2L-12 12L-6-8L-22-22L-2-24Z",
                    PAPER,
                );
            }
            5 => {
                self.cut("M-50-76H26L54-48V80H-50Z", PAPER);
                self.line("M-32-46H14M-32-24H34M-32-2H34M-32 20H10", INK, 6.0);
                self.disc(22.0, 50.0, 21.0, INK);
                self.disc(22.0, 50.0, 16.0, bright);
                self.cut("M12 62L8 92L22 82L36 92L32 62Z", bright);
            }
            6 => {
                self.out.push_str("<g transform=\"rotate(-38)\">");
                self.cut("M-60-20H60V20H-60Z", "#d9a066");
                self.cut("M-96-9H-60V9H-96ZM60-9H96V9H60Z", bright);
                self.line("M-44-8H44", PAPER, 5.0);
                self.out.push_str("</g>");
            }
            7 => {
                self.cut("M-80 40L-30-30H80L30 40Z", INK);
                self.cut("M-30-30L-6-92H98L80-30Z", "#a8642a");
                self.line("M-4-34L16-90M34-34L54-90", INK, 5.0);
                self.line("M-46 30L-4-24", middle, 5.0);
                self.disc(66.0, -60.0, 7.0, bright);
            }
            8 => {
                self.out.push_str("<g transform=\"rotate(-32)\">");
                self.cut("M-36-66H36V-18H-36Z", "#a8642a");
                self.cut("M-48-72H-34V-12H-48ZM34-72H48V-12H34Z", bright);
                self.cut("M-7-18H7V84H-7Z", "#d9a066");
                self.out.push_str("</g>");
                self.cut("M-86 70H-10V88H-86Z", middle);
            }
            9 => {
                self.cut(
                    "M-18 38Q-20 22-38 4Q-56-20-40-52Q-24-80 0-80T40-52Q56-20 38 4Q20 22 18 38Z",
                    PAPER,
                );
                self.cut("M-18 38H18V64Q0 82-18 64Z", middle);
                self.line("M-14 34L-8-14L0 4L8-14L14 34", INK, 5.0);
                self.line("M-84-60L84 70", "#e2534a", 12.0);
            }
            10 => {
                let _ = write!(
                    self.out,
                    "<ellipse cx=\"0\" cy=\"-22\" rx=\"52\" ry=\"62\" fill=\"{bright}\" stroke=\"{INK}\" stroke-width=\"5\"/>\
                     <ellipse cx=\"0\" cy=\"-22\" rx=\"40\" ry=\"50\" fill=\"{PAPER}\"/>"
                );
                self.line("M-22-10L10-54M-8 8L24-36", middle, 7.0);
                self.cut("M-9 40H9L13 92H-13Z", bright);
            }
            11 => {
                self.cut("M-70 78L-18-82H18L70 78H34L0-40L-34 78Z", "#f4dc70");
                self.cut("M-44 30H44L34-2H-34Z", PAPER);
                self.path("M0-66q14 20 0 26q-14-6 0-26Z", "#2468b8");
            }
            12 => {
                self.cut("M-7-92H7V20H-7Z", "#d9a066");
                self.cut("M-26 10H26L46 88Q0 70-46 88Z", bright);
                self.line("M-14 26L-24 76M0 24V74M14 26L24 76", INK, 4.0);
            }
            13 => {
                self.cut("M-7-70H7V14H-7ZM-26-86H26V-70H-26Z", "#d9a066");
                self.cut("M-34 10H34V44Q26 84 0 92Q-26 84-34 44Z", "#d6d9e0");
                self.line("M0 24V62", INK, 5.0);
            }
            14 => {
                self.cut("M-64-20H64L54 58Q0 84-54 58Z", middle);
                self.cut("M-76-34H76V-16H-76ZM-12-52H12V-34H-12Z", bright);
                self.line("M-44-62q-10-14 0-26M44-62q-10-14 0-26", PAPER, 6.0);
            }
            15 => {
                self.cut("M-70 40Q-70-60 0-62T70 40Z", bright);
                self.cut("M-92 40H92Q84 60 0 60T-92 40Z", bright);
                self.line("M0-60V36M-34-44Q-44-10-42 34M34-44Q44-10 42 34", INK, 5.0);
            }
            16 => {
                self.line("M-70 20A70 62 0 0 1 48-46", INK, 26.0);
                self.line("M-70 20A70 62 0 0 1 48-46", bright, 15.0);
                self.cut("M30-84L88-50L36-8Z", bright);
                self.line("M70-4A70 62 0 0 1-48 62", INK, 26.0);
                self.line("M70-4A70 62 0 0 1-48 62", PAPER, 15.0);
                self.cut("M-30 100L-88 66L-36 24Z", PAPER);
            }
            17 => {
                self.disc(-30.0, 50.0, 26.0, INK);
                self.disc(-30.0, 50.0, 20.0, bright);
                self.disc(50.0, 34.0, 26.0, INK);
                self.disc(50.0, 34.0, 20.0, bright);
                self.line("M-9 50V-62L71-78V34", INK, 13.0);
                self.line("M-9-44L71-60", INK, 20.0);
                self.line("M-9-44L71-60", bright, 8.0);
            }
            18 => {
                self.cut("M-58-18L44-70V52L-58 12Z", bright);
                self.cut("M-82-20H-58V14H-82ZM-40 18L-30 70H-8L-14 28Z", INK);
                self.line("M62-30Q74-8 62 14M78-50Q102-8 78 34", PAPER, 7.0);
            }
            _ => {
                let mut d = String::new();
                for tooth in 0..8_u8 {
                    let turn = f32::from(tooth) * std::f32::consts::TAU / 8.0;
                    for (radius, shift) in [(58.0_f32, -0.3_f32), (84.0, -0.18), (84.0, 0.18), (58.0, 0.3)] {
                        let sign = if d.is_empty() { 'M' } else { 'L' };
                        let at = turn + shift;
                        let _ = write!(d, "{sign}{:.1} {:.1}", at.cos() * radius, at.sin() * radius);
                    }
                }
                d.push('Z');
                self.cut(&d, bright);
                self.disc(0.0, 0.0, 30.0, INK);
                self.disc(0.0, 0.0, 22.0, middle);
            }
        }
        self.out.push_str("</g>");
    }
}

const LIBRARIAN: usize = 2;
const GHOST: usize = 7;

/// Words for schools, by kit.
const KITS: [&[&str]; 8] = [
    &["baker", "cook", "chef"],
    &["clerk", "notary", "lawyer", "official"],
    &["librarian", "scholar", "student", "teacher"],
    &["sailor", "pirate", "captain", "fisher"],
    &["plumber", "engineer", "mechanic", "smith"],
    &["musician", "bard", "singer"],
    &["duelist", "fencer", "knight", "swordsman", "samurai"],
    &["ghost", "spirit", "undead", "wraith"],
];

/// Words in names of actions and reactions, by what is drawn.
const THINGS: [&[&str]; 20] = [
    &["time", "hour", "clock"],
    &["tide", "wave", "sea", "flood", "shore"],
    &["espresso", "coffee", "tea"],
    &["costume", "mask", "disguise"],
    &["edition", "book", "reading", "story"],
    &["claim", "contract", "insurance", "letter"],
    &["rolling"],
    &["trap", "pit"],
    &["objection", "court", "judge"],
    &["power", "light", "dark"],
    &["mirror", "copy", "reflect"],
    &["floor", "wet", "slip"],
    &["sweep", "broom", "clean"],
    &["exhum", "grave", "dig"],
    &["potluck", "feast", "soup"],
    &["safety", "helmet", "guard"],
    &["tag", "swap", "switch", "restructur"],
    &["version", "song", "music"],
    &["meeting", "call", "shout"],
    &["industr", "project", "machine", "work"],
];
