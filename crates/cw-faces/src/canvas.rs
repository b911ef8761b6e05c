//! The picture in the making: shapes, texts, and the symbols that texts use.

use std::collections::{BTreeMap, BTreeSet};

use maud::{Markup, Render, html};

use crate::font::{Cut, UNITS};
use crate::round::nearest;
use crate::text::{
    FaceSymbol, IN_PLATE, PLATE, SignStyle, TextCell, TextLine, TextSign, TypesetText, fit_line, letters,
    width,
};

/// A place, in units: left, top, width, height.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Area {
    pub(crate) x: f32,
    pub(crate) y: f32,
    pub(crate) wide: f32,
    pub(crate) tall: f32,
}

impl Area {
    pub(crate) fn right(self) -> f32 {
        self.x + self.wide
    }

    pub(crate) fn bottom(self) -> f32 {
        self.y + self.tall
    }

    pub(crate) fn inset(self, by: f32) -> Area {
        Area {
            x: self.x + by,
            y: self.y + by,
            wide: self.wide - 2.0 * by,
            tall: self.tall - 2.0 * by,
        }
    }
}

/// Where a line stands in its room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Align {
    Left,
    Middle,
    Right,
}

impl Align {
    /// How much of the free room is at the left.
    fn share(self) -> f32 {
        match self {
            Align::Left => 0.0,
            Align::Middle => 0.5,
            Align::Right => 1.0,
        }
    }
}

/// The colours of a text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Colours {
    pub(crate) text: &'static str,
    pub(crate) quiet: &'static str,
    /// Whether it stands on a light ground.
    pub(crate) on_light: bool,
}

/// What a picture, or several on one page, must define once.
#[derive(Clone, Debug, Default)]
pub(crate) struct Used {
    /// Symbols with a picture, by their places in the definition.
    pub(crate) symbols: BTreeSet<usize>,
}

/// A number as short as it can be written, to a tenth.
pub(crate) fn number(value: f32) -> String {
    let tenths = nearest(value * 10.0);
    match tenths % 10 {
        0 => (tenths / 10).to_string(),
        _ => format!(
            "{}{}.{}",
            if tenths < 0 { "-" } else { "" },
            tenths.abs() / 10,
            tenths.abs() % 10
        ),
    }
}

/// What is drawn so far.
#[derive(Debug, Default)]
pub(crate) struct Canvas {
    pub(crate) body: String,
    pub(crate) used: Used,
    /// Outlines of the glyphs so far: most letters come again.
    outlines: BTreeMap<(Cut, u16), String>,
}

impl Canvas {
    /// An empty one, of which something may be used already.
    pub(crate) fn with(used: Used) -> Canvas {
        Canvas {
            used,
            ..Canvas::default()
        }
    }

    pub(crate) fn add(&mut self, markup: &Markup) {
        markup.render_to(&mut self.body);
    }

    /// One line in its room; `baseline` from the top of the picture.
    pub(crate) fn line(
        &mut self,
        line: &TextLine,
        room: Area,
        baseline: f32,
        align: Align,
        colours: Colours,
        symbols: &[FaceSymbol],
    ) {
        if line.cells.is_empty() {
            return;
        }
        let x = room.x + align.share() * (room.wide - line.wide());
        self.open(room);
        self.cells(
            &line.cells,
            (x, baseline),
            line.size,
            line.squeeze,
            colours,
            symbols,
        );
        self.body.push_str("</g>");
    }

    /// A text in its room, from the top.
    pub(crate) fn text(
        &mut self,
        set: &TypesetText,
        room: Area,
        align: Align,
        colours: Colours,
        symbols: &[FaceSymbol],
    ) {
        if set.lines.is_empty() {
            return;
        }
        self.open(room);
        let mut baseline = room.y + set.size;
        for (cells, gap) in &set.lines {
            baseline += gap;
            let x = room.x + align.share() * (room.wide - width(cells) as f32 * set.size / 1000.0);
            self.cells(cells, (x, baseline), set.size, 1.0, colours, symbols);
        }
        self.body.push_str("</g>");
    }

    /// The room goes along, so that a test can measure what is drawn against it.
    fn open(&mut self, room: Area) {
        let room = [room.x, room.y, room.wide, room.tall].map(number).join(" ");
        self.body
            .push_str(&format!("<g class=\"t\" data-room=\"{room}\">"));
    }

    fn cells(
        &mut self,
        cells: &[TextCell],
        at: (f32, f32),
        size: f32,
        squeeze: f32,
        colours: Colours,
        symbols: &[FaceSymbol],
    ) {
        let (mut x, y) = at;
        let scale = size / 1000.0 * squeeze;
        for run in runs(cells) {
            let wide = run.iter().map(|cell| cell.wide).sum::<i32>() as f32 * scale;
            let Some(first) = run.first() else { continue };
            match first.sign {
                TextSign::Glyph(_) | TextSign::Blank => self.outlined(run, (x, y), size, squeeze, colours),
                TextSign::Foreign => self.foreign(run, (x, y), size, wide, colours),
                TextSign::Symbol(of) => {
                    if let Some(symbol) = symbols.get(of) {
                        self.symbol(symbol, of, (x, y), size, squeeze);
                    }
                }
            }
            if first.style.underline {
                let line = html! {
                    rect x=(number(x)) y=(number(y + size * 0.1))
                        width=(number(wide)) height=(number(size * 0.06))
                        fill=(fill(first.style, colours)) {}
                };
                self.add(&line);
            }
            x += wide;
        }
    }

    /// Letters of the font as one path: with an element for each, the page of a duel takes a browser ten
    /// megabytes more, and an outline that comes again costs a compressed file next to nothing.
    fn outlined(&mut self, run: &[TextCell], at: (f32, f32), size: f32, squeeze: f32, colours: Colours) {
        let Some(first) = run.first() else { return };
        let cut = first.style.cut();
        let scale = size / UNITS;
        let mut data = String::new();
        let mut x = 0;
        for cell in run {
            if let TextSign::Glyph(glyph) = cell.sign {
                let outline = self
                    .outlines
                    .entry((cut, glyph))
                    .or_insert_with(|| cut.outline(glyph));
                if !outline.is_empty() {
                    // What follows is relative to here, also after a letter that was closed.
                    data.push_str(&format!("M{} 0{outline}", nearest(x as f32 * UNITS / 1000.0)));
                }
            }
            x += cell.wide;
        }
        if data.is_empty() {
            return;
        }
        let place = format!(
            "translate({} {}) scale({:.5} {:.5})",
            number(at.0),
            number(at.1),
            scale * squeeze,
            -scale
        );
        self.add(&html! { path transform=(place) fill=(fill(first.style, colours)) d=(data) {} });
    }

    /// Letters that only the reader's fonts have, in the room that was set aside for them.
    fn foreign(&mut self, run: &[TextCell], at: (f32, f32), size: f32, wide: f32, colours: Colours) {
        let Some(first) = run.first() else { return };
        let letters: String = run.iter().map(|cell| cell.letter).collect();
        self.add(&html! {
            text x=(number(at.0)) y=(number(at.1)) font-size=(number(size)) textLength=(number(wide))
                lengthAdjust="spacingAndGlyphs" font-weight=[first.style.bold.then_some("bold")]
                font-style=[first.style.italic.then_some("italic")] fill=(fill(first.style, colours)) {
                (letters)
            }
        });
    }

    /// A symbol's picture, or its text in a round plate.
    fn symbol(&mut self, symbol: &FaceSymbol, of: usize, at: (f32, f32), size: f32, squeeze: f32) {
        let tall = PLATE as f32 / 1000.0 * size;
        let wide = symbol.wide() as f32 / 1000.0 * size * squeeze;
        // The middle of the plate is the middle of capital letters.
        let (x, y) = (at.0, at.1 - 0.357 * size - tall / 2.0);
        if symbol.picture.is_some() {
            self.used.symbols.insert(of);
            self.add(&html! {
                use href=(format!("#s{of}"))
                    x=(number(x)) y=(number(y)) width=(number(wide)) height=(number(tall)) {}
            });
            return;
        }
        self.add(&html! {
            rect x=(number(x)) y=(number(y)) width=(number(wide)) height=(number(tall))
                rx=(number(tall.min(wide) / 2.0))
                fill=(symbol.ground) stroke="#11131a" stroke-width=(number(size * 0.04)) {}
        });
        let inner = fit_line(
            &letters(&symbol.text, SignStyle::BOLD),
            &[IN_PLATE * size],
            wide * 0.76,
        );
        let start = x + (wide - inner.wide()) / 2.0;
        let baseline = at.1 - 0.357 * size + inner.size * 0.357;
        self.cells(
            &inner.cells,
            (start, baseline),
            inner.size,
            inner.squeeze,
            ON_PLATE,
            &[],
        );
    }
}

const ON_PLATE: Colours = Colours {
    text: "#11131a",
    quiet: "#11131a",
    on_light: true,
};

/// Neighbours that are drawn as one: the same style, and all of the font or all of others.
fn runs(cells: &[TextCell]) -> impl Iterator<Item = &[TextCell]> {
    let kind = |cell: &TextCell| match cell.sign {
        TextSign::Glyph(_) | TextSign::Blank => 0,
        TextSign::Foreign => 1,
        TextSign::Symbol(at) => at + 2,
    };
    cells.chunk_by(move |a, b| {
        // Each symbol stands alone.
        a.style == b.style && kind(a) == kind(b) && kind(a) < 2
    })
}

/// A text's own colour where it can be read on its ground, else that of the place.
fn fill(style: SignStyle, colours: Colours) -> String {
    if let Some([red, green, blue]) = style.colour {
        let bright = (u32::from(red) * 299 + u32::from(green) * 587 + u32::from(blue) * 114) / 1000;
        if (bright < 150) == colours.on_light {
            return format!("#{red:02x}{green:02x}{blue:02x}");
        }
    }
    if style.quiet { colours.quiet } else { colours.text }.to_owned()
}
