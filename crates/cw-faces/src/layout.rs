//! Where things stand on a face of any size.
//!
//! From the top: name and kind, with the corner's plates at the right; the illustration; lines of short
//! properties; the box of text; plates of numbers; the small letters. A long text makes the illustration
//! smaller before it is set in small letters; a card that lies on its side has the illustration at its left.

use cw_duel::AbilityKind;
use cw_program::CardType;
use maud::{Markup, html};

use crate::canvas::{Align, Area, Canvas, Colours, number};
use crate::emblem::emblem;
use crate::illustration::{PortraitSitter, illustration};
use crate::parts::{FaceParts, Plate, Tone};
use crate::round::times;
use crate::text::{
    Cells, FaceSymbol, LEADING, SignStyle, TextCell, TextLine, TextSign, TypesetText, fit, fit_line, letters,
    push, width,
};

pub(crate) const INK: &str = "#11131a";
const PAPER: &str = "#f2ecdf";

const ON_INK: Colours = Colours {
    text: PAPER,
    quiet: "#9aa1b5",
    on_light: false,
};
const ON_PAPER: Colours = Colours {
    text: INK,
    quiet: "#5a5348",
    on_light: true,
};

/// Between the edge and all that is not the name.
const MARGIN: f32 = 20.0;
/// From the edge to text on the card's own ground.
const INDENT: f32 = 34.0;
/// Where the illustration begins.
const HEAD: f32 = 136.0;
/// A smaller illustration is none.
const LEAST_ART: f32 = 84.0;

/// A face in the making.
#[derive(Debug)]
pub(crate) struct FaceDrawing<'a> {
    pub(crate) canvas: Canvas,
    pub(crate) parts: &'a FaceParts,
    pub(crate) symbols: &'a [FaceSymbol],
    pub(crate) wide: f32,
    pub(crate) tall: f32,
    pub(crate) corner: f32,
    /// The illustration, as a `data:` address.
    pub(crate) picture: Option<String>,
}

/// The text of the box at the size that was found for it.
struct FittedText {
    text: TypesetText,
    flavour: TypesetText,
}

const GAP: f32 = 12.0;

impl FittedText {
    fn height(&self) -> f32 {
        let gap = if self.flavour.lines.is_empty() || self.text.lines.is_empty() {
            0.0
        } else {
            GAP
        };
        self.text.height() + gap + self.flavour.height()
    }
}

impl FaceDrawing<'_> {
    /// The package's picture, and nothing else.
    pub(crate) fn full_picture(&mut self) {
        let (wide, tall) = (number(self.wide), number(self.tall));
        let picture = self.picture.clone().unwrap_or_default();
        self.canvas.add(&html! {
            rect width=(wide) height=(tall) rx=(number(self.corner)) fill=(INK) {}
            image width=(wide) height=(tall) preserveAspectRatio="xMidYMid meet" href=(picture) {}
        });
    }

    pub(crate) fn full(&mut self) {
        self.silhouette();
        if self.wide < 380.0 || self.tall < 380.0 {
            return self.badge();
        }
        self.head();
        let bottom = self.foot();
        let body = Area {
            x: MARGIN,
            y: HEAD,
            wide: self.wide - 2.0 * MARGIN,
            tall: bottom - HEAD,
        };
        if self.wide > 1.1 * self.tall {
            let left = Area {
                wide: body.wide * 0.38,
                ..body
            };
            self.art(left);
            self.body(Area {
                x: left.right() + 10.0,
                wide: body.wide - left.wide - 10.0,
                ..body
            });
        } else {
            self.body(body);
        }
    }

    /// The outline tells the type: actions lack the lower right corner, reactions the lower left.
    fn silhouette(&mut self) {
        let (w, h, r) = (self.wide, self.tall, self.corner);
        let (right, left) = match self.parts.card_type {
            Some(CardType::Action) => (CUT, r),
            Some(CardType::Reaction) => (r, CUT),
            Some(CardType::Character) | None => (r, r),
        };
        let corner = |size: f32, x: f32, y: f32| match size == r {
            true => format!("A{0} {0} 0 0 1 {1} {2}", number(r), number(x), number(y)),
            false => format!("L{} {}", number(x), number(y)),
        };
        let path = format!(
            "M{} 0H{}{}V{}{}H{}{}V{}{}Z",
            number(r),
            number(w - r),
            corner(r, w, r),
            number(h - right),
            corner(right, w - right, h),
            number(left),
            corner(left, 0.0, h - left),
            number(r),
            corner(r, r, 0.0),
        );
        self.canvas.add(&html! { path d=(path) fill=(INK) {} });
    }

    /// Name and kind, beside the plates of the corner.
    fn head(&mut self) {
        let parts = self.parts;
        let mut right = self.wide - 28.0;
        for plate in &parts.corner {
            let wide = self.corner_plate(plate, right);
            right -= wide + 10.0;
        }
        let room = right - INDENT - 6.0;
        let name = letters(&parts.name, SignStyle::BOLD);
        let area = Area {
            x: INDENT,
            y: 18.0,
            wide: room,
            tall: 70.0,
        };
        let single = fit_line(&name, &[56.0, 52.0, 48.0, 44.0, 40.0], room);
        if width(&name) as f32 * 0.04 <= room {
            self.line(&single, area, 76.0, Align::Left, ON_INK);
        } else {
            let sizes = [34.0, 32.0, 30.0, 28.0, 26.0, 24.0];
            let set = fit(std::slice::from_ref(&name), &sizes, (room, 78.0));
            match set.lines.len() > 1 && !set.cut {
                true => self.canvas.text(
                    &set,
                    Area {
                        y: 12.0,
                        tall: 78.0,
                        ..area
                    },
                    Align::Left,
                    ON_INK,
                    self.symbols,
                ),
                false => {
                    let line = fit_line(&name, &[40.0, 36.0, 32.0, 28.0], room);
                    self.line(&line, area, 70.0, Align::Left, ON_INK);
                }
            }
        }
        let kind = fit_line(&parts.kind, &[26.0, 24.0, 22.0, 20.0, 18.0], room);
        let colours = Colours {
            text: parts.inks.bright,
            ..ON_INK
        };
        let area = Area {
            y: 92.0,
            tall: 34.0,
            ..area
        };
        self.line(&kind, area, 117.0, Align::Left, colours);
    }

    /// A plate whose right edge is at `right`; how wide it is.
    fn corner_plate(&mut self, plate: &Plate, right: f32) -> f32 {
        let most = self.wide * 0.42;
        let (fill, tall, size) = match plate.tone {
            Tone::Gain => ("#5fd38d", 96.0, 62.0),
            Tone::Even => ("#d6d9e0", 96.0, 62.0),
            Tone::Cost => ("#ff8296", 96.0, 62.0),
            Tone::Plain => (self.parts.inks.bright, 72.0, 46.0),
        };
        let only_symbols = !plate
            .value
            .iter()
            .any(|cell| matches!(cell.sign, TextSign::Glyph(_)));
        let sizes = [size, size * 0.9, size * 0.8, size * 0.7, size * 0.6, size * 0.5];
        let value = bold(&plate.value);
        let line = fit_line(&value, &sizes, most - 34.0);
        let top = if plate.tone == Tone::Plain { 24.0 } else { 28.0 };
        let wide = match only_symbols {
            true => line.wide(),
            false => (line.wide() + 34.0).max(tall),
        };
        let area = Area {
            x: right - wide,
            y: top,
            wide,
            tall,
        };
        if only_symbols {
            self.line(
                &line,
                area,
                top + tall / 2.0 + line.size * 0.357,
                Align::Left,
                ON_INK,
            );
        } else {
            self.plate_ground(area, fill);
            self.line(
                &line,
                area,
                top + tall / 2.0 + line.size * 0.357,
                Align::Middle,
                ON_PAPER,
            );
        }
        if !plate.label.is_empty() {
            let label = fit_line(
                &letters(&plate.label, SignStyle::QUIET),
                &[20.0, 18.0, 16.0, 14.0],
                wide.max(72.0),
            );
            let wide = wide.max(label.wide());
            let area = Area {
                x: right - wide,
                y: 100.0,
                wide,
                tall: 22.0,
            };
            self.line(&label, area, 117.0, Align::Middle, ON_INK);
            return wide;
        }
        wide
    }

    fn plate_ground(&mut self, area: Area, fill: &str) {
        self.canvas.add(&html! {
            rect x=(number(area.x)) y=(number(area.y)) width=(number(area.wide)) height=(number(area.tall))
                rx="14" fill=(fill) {}
        });
    }

    /// Illustration, lines and box, one below the other.
    fn body(&mut self, area: Area) {
        let beside = area.x > MARGIN;
        let parts = self.parts;
        let lines = self.lines_set(area);
        let lines_tall = if lines.lines.is_empty() {
            0.0
        } else {
            lines.height() + 16.0
        };
        let usual = if beside { 0.0 } else { self.tall * 0.36 };
        let heading = if parts.heading.is_some() { 42.0 } else { 0.0 };
        let has_words = heading > 0.0 || !parts.text.is_empty() || !parts.flavour.is_empty();
        // A cut corner takes the lowest lines' room.
        let cut = match parts.card_type {
            Some(CardType::Action | CardType::Reaction) => 90.0,
            Some(CardType::Character) | None => 0.0,
        };
        let across = area.wide - 40.0;
        // Without lines a gap parts box and illustration.
        let gap = if lines_tall == 0.0 { 10.0 } else { 0.0 };
        let around = 26.0 + gap + heading + cut;
        let room = area.tall - lines_tall;
        let (words, art) = self.words(across, room - around, usual);
        let needed = around + words.height();
        let art = match (has_words, beside) {
            (_, true) => 0.0,
            (false, false) => room - 10.0,
            (true, false) if parts.card_type.is_some() => {
                // Who has nothing to say has more to show.
                let silent = heading == 0.0 && parts.text.is_empty();
                let (least, most) = if silent { (130.0, 0.6) } else { (220.0, 0.48) };
                let usual = art.min(room);
                (room - needed.max(least)).clamp(usual, (self.tall * most).max(usual))
            }
            (true, false) => (room - needed.max(150.0)).clamp(art.min(room), self.tall * 0.5),
        };
        let art = if art < LEAST_ART { 0.0 } else { art };
        if art > 0.0 {
            self.art(Area { tall: art, ..area });
        }
        let mut y = area.y + art;
        if !lines.lines.is_empty() {
            let colours = Colours {
                quiet: parts.inks.bright,
                ..ON_INK
            };
            let area = Area {
                x: area.x + 14.0,
                y: y + 6.0,
                wide: area.wide - 28.0,
                tall: lines.height(),
            };
            self.canvas.text(&lines, area, Align::Left, colours, self.symbols);
            y += lines_tall;
        }
        if has_words {
            let gap = if art > 0.0 && lines_tall == 0.0 { 10.0 } else { 0.0 };
            let paper = Area {
                y: y + gap,
                tall: area.bottom() - y - gap,
                ..area
            };
            self.paper(paper, &words);
        }
    }

    /// The text at the largest size that leaves room for the illustration, and how much.
    fn words(&self, across: f32, room: f32, usual: f32) -> (FittedText, f32) {
        const SIZES: [f32; 12] = [
            30.0, 28.0, 26.0, 24.0, 22.0, 20.0, 18.0, 17.0, 16.0, 15.0, 14.0, 13.0,
        ];
        for size in SIZES {
            let (text, whole) = TypesetText::at(&self.parts.text, size, across);
            let (flavour, whole_too) = TypesetText::at(&self.parts.flavour, (size * 0.88).max(12.0), across);
            let words = FittedText { text, flavour };
            let left = room - words.height();
            // Cards of a game with rules keep their places where they can.
            let share = match (self.parts.card_type, size) {
                (Some(_), 22.0..) | (None, 27.0..) => 1.0,
                (_, 24.0..) => 0.8,
                (_, 20.0..) => 0.62,
                (_, 17.0..) => 0.4,
                _ => 0.0,
            };
            let enough = usual * share;
            if left >= enough && whole && whole_too {
                return (words, left.min(usual));
            }
        }
        let text = fit(&self.parts.text, &[13.0], (across, room));
        let left = (room - text.height() - GAP).max(0.0);
        let flavour = fit(&self.parts.flavour, &[12.0], (across, left));
        (FittedText { text, flavour }, 0.0)
    }

    fn lines_set(&self, area: Area) -> TypesetText {
        let labelled = |plate: &Plate| {
            let mut cells = letters(&plate.label, SignStyle::QUIET);
            push(&mut cells, ' ', SignStyle::default());
            push(&mut cells, ' ', SignStyle::default());
            cells.extend(plate.value.iter().copied());
            cells
        };
        let mut lines: Vec<Cells> = self.parts.lines.iter().map(labelled).collect();
        if lines.len() > 3 {
            let gap = letters("  · ", SignStyle::QUIET);
            let joined = lines
                .iter()
                .enumerate()
                .fold(Cells::new(), |mut all, (at, line)| {
                    if at > 0 {
                        all.extend(gap.iter().copied());
                    }
                    all.extend(line.iter().copied());
                    all
                });
            lines = vec![joined];
        }
        let sizes = [24.0, 22.0, 20.0, 18.0, 16.0, 15.0, 14.0, 13.0];
        fit(&lines, &sizes, (area.wide - 28.0, area.tall * 0.3))
    }

    /// The illustration: the package's picture, or the card's emblem on a ground in its colour.
    fn art(&mut self, area: Area) {
        self.panel(area);
        if let Some(picture) = self.picture.clone() {
            let [x, y, wide, tall] = [area.x, area.y, area.wide, area.tall].map(number);
            self.canvas.add(&html! {
                image x=(x) y=(y) width=(wide) height=(tall)
                    preserveAspectRatio="xMidYMid slice" href=(picture) {}
            });
        } else if let Some(print) = self.print(area) {
            self.canvas.add(&print);
            self.slants(area);
        } else {
            let scale = (area.tall / 222.0).min(area.wide / 222.0);
            let (x, y) = (area.x + area.wide / 2.0, area.y + area.tall / 2.0);
            let place = format!("translate({} {}) scale({scale:.3})", number(x), number(y));
            let (id, inks) = (&self.parts.id, self.parts.inks);
            self.canvas
                .add(&html! { g transform=(place) { (emblem(id, inks)) } });
            self.slants(area);
        }
        self.stripe(area);
    }

    /// The card's illustration, if its words tell what to draw.
    fn print(&self, area: Area) -> Option<Markup> {
        let half = 111.0 * area.wide / area.tall;
        let sitter = PortraitSitter {
            id: &self.parts.id,
            name: &self.parts.name,
            school: &self.parts.school,
            card_type: self.parts.card_type?,
            inks: self.parts.inks,
        };
        let drawn = illustration(sitter, half)?;
        let [x, y, wide, tall] = [area.x, area.y, area.wide, area.tall].map(number);
        let field = format!("{} -111 {} 222", number(-half), number(2.0 * half));
        Some(html! { svg x=(x) y=(y) width=(wide) height=(tall) viewBox=(field) { (drawn) } })
    }

    /// What the slanted edges of a picture leave free.
    fn slants(&mut self, area: Area) {
        let slant = SLANT.min(area.tall / 4.0);
        let (left, right) = match self.parts.card_type {
            Some(CardType::Action) => (area.x, area.right()),
            Some(CardType::Reaction) => (area.right(), area.x),
            Some(CardType::Character) | None => return,
        };
        let [left, right] = [left, right].map(number);
        let [from, to, low, high] =
            [area.y, area.bottom(), area.y + slant, area.bottom() - slant].map(number);
        let path = format!("M{left} {from}H{right}L{left} {low}ZM{right} {to}H{left}L{right} {high}Z");
        self.canvas.add(&html! { path d=(path) fill=(INK) {} });
    }

    /// The ground of the illustration: level for characters, slanted for the others.
    fn panel(&mut self, area: Area) {
        let (from, to, right) = (area.y, area.bottom(), area.right());
        let slant = SLANT.min(area.tall / 4.0);
        let corners = match self.parts.card_type {
            Some(CardType::Action) => [from + slant, from, to - slant, to],
            Some(CardType::Reaction) => [from, from + slant, to, to - slant],
            Some(CardType::Character) | None => [from, from, to, to],
        };
        let [upper_left, upper_right, lower_right, lower_left] = corners.map(number);
        let (left, right) = (number(area.x), number(right));
        let points =
            format!("{left},{upper_left} {right},{upper_right} {right},{lower_right} {left},{lower_left}");
        self.canvas
            .add(&html! { polygon points=(points) fill=(self.parts.inks.deep) {} });
    }

    /// The rarity at the left edge, as colour and as letter.
    fn stripe(&mut self, area: Area) {
        let colour = match self.parts.stripe.as_str() {
            "S" => "#ffd166",
            "A" => "#ff8a72",
            "B" => "#6cc4ff",
            "C" => "#93e59a",
            "" => return,
            _ => "#b4bac8",
        };
        let slant = match self.parts.card_type {
            Some(CardType::Action | CardType::Reaction) => SLANT,
            Some(CardType::Character) | None => 0.0,
        };
        let (from, to) = (area.y + slant, area.bottom() - slant);
        self.canvas.add(&html! {
            rect x=(number(area.x)) y=(number(from)) width="36" height=(number((to - from).max(40.0)))
                fill=(colour) {}
        });
        let line = fit_line(
            &letters(&self.parts.stripe, SignStyle::BOLD),
            &[32.0, 24.0, 18.0],
            32.0,
        );
        let room = Area {
            x: area.x,
            y: to - 44.0,
            wide: 36.0,
            tall: 44.0,
        };
        self.line(&line, room, to - 12.0, Align::Middle, ON_PAPER);
    }

    /// The box: the ability's heading, the text, the flavour.
    fn paper(&mut self, area: Area, words: &FittedText) {
        let (left, right, from, to) = (area.x, area.right(), area.y, area.bottom());
        let cut = CUT - 36.0;
        let points = match self.parts.card_type {
            Some(CardType::Action) => {
                vec![
                    (left, from),
                    (right, from),
                    (right, to - cut),
                    (right - cut, to),
                    (left, to),
                ]
            }
            Some(CardType::Reaction) => {
                vec![
                    (left, from),
                    (right, from),
                    (right, to),
                    (left + cut, to),
                    (left, to - cut),
                ]
            }
            Some(CardType::Character) | None => vec![(left, from), (right, from), (right, to), (left, to)],
        };
        let points = points
            .iter()
            .map(|(x, y)| format!("{},{}", number(*x), number(*y)));
        let points = points.collect::<Vec<_>>().join(" ");
        self.canvas
            .add(&html! { polygon points=(points) fill=(PAPER) {} });
        let x = left + 18.0;
        let across = area.wide - 36.0;
        let mut y = from + 14.0;
        if let Some((kind, name)) = &self.parts.heading {
            self.ability_mark(*kind, (x, y + 29.0), 30.0, self.parts.inks.middle);
            let line = fit_line(
                &letters(name, SignStyle::BOLD),
                &[32.0, 30.0, 28.0, 26.0, 24.0],
                across - 42.0,
            );
            let room = Area {
                x: x + 40.0,
                y,
                wide: across - 40.0,
                tall: 42.0,
            };
            self.line(&line, room, y + 30.0, Align::Left, ON_PAPER);
            y += 42.0;
        }
        let text = Area {
            x,
            y,
            wide: across,
            tall: words.text.height(),
        };
        self.canvas
            .text(&words.text, text, Align::Left, ON_PAPER, self.symbols);
        let gap = if words.text.lines.is_empty() { 0.0 } else { GAP };
        let flavour = Area {
            y: text.bottom() + gap,
            tall: words.flavour.height(),
            ..text
        };
        self.canvas
            .text(&words.flavour, flavour, Align::Left, ON_PAPER, self.symbols);
    }

    /// Numbers and small letters; where the box above them ends.
    fn foot(&mut self) -> f32 {
        let parts = self.parts;
        let mut end = match parts.card_type {
            Some(CardType::Character) => self.main_number(),
            Some(CardType::Action | CardType::Reaction) => {
                let right = parts.card_type == Some(CardType::Reaction);
                let wide = self.wide - INDENT - CUT;
                let x = if right { CUT } else { INDENT };
                let set = self.foot_set((wide, 44.0));
                let tall = set.height();
                let room = Area {
                    x,
                    y: self.tall - 12.0 - tall,
                    wide,
                    tall,
                };
                let align = if right { Align::Right } else { Align::Left };
                self.canvas.text(&set, room, align, ON_INK, self.symbols);
                room.y.min(self.tall - 36.0) - 6.0
            }
            None => {
                let across = self.wide - 2.0 * INDENT;
                let set = self.foot_set((across, 50.0));
                let tall = set.height();
                let room = Area {
                    x: INDENT,
                    y: self.tall - 14.0 - tall,
                    wide: across,
                    tall,
                };
                self.canvas.text(&set, room, Align::Middle, ON_INK, self.symbols);
                if tall > 0.0 {
                    room.y - 8.0
                } else {
                    self.tall - MARGIN
                }
            }
        };
        if !parts.numbers.is_empty() {
            end = self.numbers(end);
        }
        end
    }

    /// The card's largest number, its icons and its small letters.
    fn main_number(&mut self) -> f32 {
        let parts = self.parts;
        let (base, mut left) = (self.tall - 30.0, INDENT);
        if let Some(main) = &parts.main {
            let value = fit_line(&main.value, &[92.0, 80.0, 68.0], self.wide * 0.4);
            let room = Area {
                x: left,
                y: self.tall - 112.0,
                wide: value.wide(),
                tall: 96.0,
            };
            self.line(&value, room, base, Align::Left, ON_INK);
            left = room.right() + 10.0;
            let label = fit_line(
                &letters(
                    &main.label,
                    SignStyle {
                        bold: true,
                        ..SignStyle::QUIET
                    },
                ),
                &[30.0, 24.0, 18.0],
                110.0,
            );
            let room = Area {
                x: left,
                y: base - 34.0,
                wide: label.wide(),
                tall: 42.0,
            };
            self.line(&label, room, base, Align::Left, ON_INK);
            left = room.right() + 14.0;
        }
        let count = parts.icons.len() as f32;
        let icon_wide = ((self.wide - 30.0 - left) / count.max(1.0) - 8.0).clamp(30.0, 66.0);
        for (at, icon) in parts.icons.iter().enumerate() {
            let from_right = count - at as f32;
            let area = Area {
                x: self.wide - 30.0 - from_right * (icon_wide + 8.0) + 8.0,
                y: self.tall - 104.0,
                wide: icon_wide,
                tall: 44.0,
            };
            let [x, y, wide, tall] = [area.x, area.y, area.wide, area.tall].map(number);
            self.canvas.add(&html! {
                rect x=(x) y=(y) width=(wide) height=(tall) rx="10"
                    fill=(parts.inks.deep) stroke=(parts.inks.bright) stroke-width="3" {}
            });
            let colours = Colours {
                text: parts.inks.bright,
                ..ON_INK
            };
            let line = fit_line(
                &letters(icon, SignStyle::BOLD),
                &[30.0, 24.0, 18.0],
                icon_wide - 8.0,
            );
            self.line(&line, area, area.y + 33.0, Align::Middle, colours);
        }
        let wide = self.wide - 30.0 - left;
        let set = self.foot_set((wide, 44.0));
        let tall = set.height();
        let room = Area {
            x: left,
            y: self.tall - 10.0 - tall,
            wide,
            tall,
        };
        self.canvas.text(&set, room, Align::Right, ON_INK, self.symbols);
        self.tall - 114.0
    }

    /// The small letters in this room. What does not fit at a size that can be read on paper is left out, the
    /// least important first.
    fn foot_set(&self, room: (f32, f32)) -> TypesetText {
        const SIZES: [f32; 5] = [20.0, 19.0, 18.0, 17.0, 16.0];
        let all = self.parts.foot.len();
        let sets = (1..=all)
            .rev()
            .map(|count| fit(&[self.foot_cells(count)], &SIZES, room));
        let mut last = TypesetText::default();
        for set in sets {
            if !set.cut {
                return set;
            }
            last = set;
        }
        last
    }

    /// The first of the small letters.
    fn foot_cells(&self, count: usize) -> Cells {
        let mut cells = Cells::new();
        for plate in self.parts.foot.iter().take(count) {
            if !cells.is_empty() {
                cells.extend(letters(" · ", SignStyle::QUIET));
            }
            if !plate.label.is_empty() {
                cells.extend(letters(&format!("{} ", plate.label), SignStyle::QUIET));
            }
            let value = plate.value.iter().copied().map(|mut cell| {
                cell.style.quiet = true;
                cell
            });
            cells.extend(value);
        }
        cells
    }

    /// Rows of plates that end at `end`; where they begin.
    fn numbers(&mut self, end: f32) -> f32 {
        const TALL: f32 = 94.0;
        const BETWEEN: f32 = 8.0;
        let parts = self.parts;
        let across = self.wide - 2.0 * MARGIN;
        let in_row = times((across + BETWEEN) / (92.0 + BETWEEN));
        let rows = parts.numbers.len().div_ceil(in_row);
        let in_row = parts.numbers.len().div_ceil(rows);
        let wide = ((across + BETWEEN) / in_row as f32 - BETWEEN).min(220.0);
        let top = end - rows as f32 * (TALL + BETWEEN);
        for (row, plates) in parts.numbers.chunks(in_row).enumerate() {
            for (at, plate) in plates.iter().enumerate() {
                let area = Area {
                    x: MARGIN + at as f32 * (wide + BETWEEN),
                    y: top + BETWEEN + row as f32 * (TALL + BETWEEN),
                    wide,
                    tall: TALL,
                };
                self.number_plate(plate, area);
            }
        }
        top
    }

    fn number_plate(&mut self, plate: &Plate, area: Area) {
        self.plate_ground(area, self.parts.inks.deep);
        let inner = area.inset(6.0);
        let value = fit_line(
            &bold(&plate.value),
            &[42.0, 38.0, 34.0, 30.0, 26.0, 22.0],
            inner.wide,
        );
        let upper = Area { tall: 44.0, ..inner };
        self.line(&value, upper, inner.y + 38.0, Align::Middle, ON_INK);
        let colours = Colours {
            quiet: self.parts.inks.bright,
            ..ON_INK
        };
        let label = letters(&plate.label, SignStyle::QUIET);
        let set = fit(
            std::slice::from_ref(&label),
            &[20.0, 19.0, 18.0, 17.0, 16.0],
            (inner.wide, 28.0),
        );
        let set = match set.cut {
            false => set,
            true => fit(
                &[label],
                &[16.0, 15.0, 14.0, 13.0, 12.0, 11.0],
                (inner.wide, 40.0),
            ),
        };
        let tall = set.height();
        let lower = Area {
            y: inner.bottom() - (40.0 + tall) / 2.0 + 3.0,
            tall,
            ..inner
        };
        self.canvas
            .text(&set, lower, Align::Middle, colours, self.symbols);
    }

    /// All of a card that has no room for a frame: its name, and what it says in one text.
    fn badge(&mut self) {
        let parts = self.parts;
        let inner = Area {
            x: 0.0,
            y: 0.0,
            wide: self.wide,
            tall: self.tall,
        };
        let inner = inner.inset((self.wide.min(self.tall) * 0.08).max(8.0));
        let mut rest: Vec<Cells> = Vec::new();
        if !parts.kind.is_empty() {
            rest.push(parts.kind.clone());
        }
        for plate in parts.corner.iter().chain(&parts.lines).chain(&parts.numbers) {
            let mut cells = letters(&format!("{} ", plate.label), SignStyle::QUIET);
            cells.extend(plate.value.iter().copied());
            rest.push(cells);
        }
        rest.extend(parts.text.iter().chain(&parts.flavour).cloned());
        let share = if rest.is_empty() { 1.0 } else { 0.62 };
        let sizes: Vec<f32> = (0..12)
            .map(|step| (72.0 - step as f32 * 5.0).min(self.tall * 0.5))
            .collect();
        let name = fit(
            &[letters(&parts.name, SignStyle::BOLD)],
            &sizes,
            (inner.wide, inner.tall * share),
        );
        let left = inner.tall - name.height();
        let rest = fit(
            &rest,
            &[30.0, 26.0, 22.0, 18.0, 16.0, 14.0, 12.0],
            (inner.wide, left),
        );
        let free = (inner.tall - name.height() - rest.height()).max(0.0);
        let upper = Area {
            y: inner.y + free / 2.0,
            tall: name.height(),
            ..inner
        };
        self.canvas
            .text(&name, upper, Align::Middle, ON_INK, self.symbols);
        let colours = Colours {
            text: parts.inks.bright,
            ..ON_INK
        };
        let lower = Area {
            y: upper.bottom(),
            tall: rest.height(),
            ..inner
        };
        self.canvas
            .text(&rest, lower, Align::Middle, colours, self.symbols);
    }

    pub(crate) fn small(&mut self) {
        self.silhouette();
        let parts = self.parts;
        let area = Area {
            x: 32.0,
            y: 26.0,
            wide: self.wide - 64.0,
            tall: self.tall * 0.22,
        };
        let name = [letters(&parts.name, SignStyle::BOLD)];
        let set = fit(
            &name,
            &[84.0, 76.0, 68.0, 60.0, 52.0, 44.0, 36.0],
            (area.wide, area.tall),
        );
        let set = tight(set);
        self.canvas.text(&set, area, Align::Left, ON_INK, self.symbols);
        let from = 44.0 + set.lines.len().max(1) as f32 * (set.size + 10.0);
        let to = self.tall - 190.0;
        if to - from > LEAST_ART {
            self.art(Area {
                x: MARGIN,
                y: from,
                wide: self.wide - 2.0 * MARGIN,
                tall: to - from,
            });
        }
        // Where the lower right corner is cut off, what stands there stands further in.
        let inwards = match parts.card_type {
            Some(CardType::Action) => CUT - 44.0,
            _ => 0.0,
        };
        if let Some(plate) = parts.corner.first() {
            self.small_plate(plate, inwards);
        }
        if let Some((kind, _)) = &parts.heading {
            self.ability_mark(
                *kind,
                (self.wide - 240.0 - inwards, self.tall - 76.0),
                64.0,
                parts.inks.bright,
            );
        }
    }

    fn small_plate(&mut self, plate: &Plate, inwards: f32) {
        let fill = match plate.tone {
            Tone::Gain => "#5fd38d",
            Tone::Even => "#d6d9e0",
            Tone::Cost => "#ff8296",
            Tone::Plain => self.parts.inks.bright,
        };
        let tall = 132.0;
        let line = fit_line(&bold(&plate.value), &[84.0, 70.0, 56.0, 44.0], self.wide * 0.6);
        let wide = (line.wide() + 34.0).max(tall);
        let area = Area {
            x: self.wide - 22.0 - inwards - wide,
            y: self.tall - 166.0,
            wide,
            tall,
        };
        self.plate_ground(area, fill);
        let baseline = area.y + tall / 2.0 + line.size * 0.357;
        self.line(&line, area, baseline, Align::Middle, ON_PAPER);
    }

    /// ▲ ■ ●, its lower left corner at `at`.
    fn ability_mark(&mut self, kind: AbilityKind, at: (f32, f32), size: f32, fill: &str) {
        let half = size / 2.0;
        let (x, y) = (at.0 + half, at.1 - half);
        self.canvas.add(&match kind {
            AbilityKind::Instant => {
                let points = [(0.0, -half * 0.9), (half, half * 0.8), (-half, half * 0.8)];
                let points = points.map(|(dx, dy)| format!("{},{}", number(x + dx), number(y + dy)));
                html! { polygon points=(points.join(" ")) fill=(fill) {} }
            }
            AbilityKind::Triggered => html! {
                rect x=(number(x - half * 0.8)) y=(number(y - half * 0.8))
                    width=(number(half * 1.6)) height=(number(half * 1.6))
                    fill=(fill) {}
            },
            AbilityKind::Auto => html! {
                circle cx=(number(x)) cy=(number(y)) r=(number(half * 0.85)) fill=(fill) {}
            },
        });
    }

    fn line(&mut self, line: &TextLine, room: Area, baseline: f32, align: Align, colours: Colours) {
        self.canvas
            .line(line, room, baseline, align, colours, self.symbols);
    }
}

/// How much of a corner actions and reactions lack.
const CUT: f32 = 140.0;
/// How much their illustrations slant.
const SLANT: f32 = 44.0;

fn bold(cells: &[TextCell]) -> Cells {
    let mut out = Cells::new();
    for cell in cells {
        match cell.sign {
            TextSign::Glyph(_) => push(
                &mut out,
                cell.letter,
                SignStyle {
                    bold: true,
                    ..cell.style
                },
            ),
            TextSign::Blank | TextSign::Foreign | TextSign::Symbol(_) => out.push(*cell),
        }
    }
    out
}

/// A name's lines stand nearer than those of a text.
fn tight(mut set: TypesetText) -> TypesetText {
    for (_, gap) in &mut set.lines {
        *gap *= 1.08 / LEADING;
    }
    set
}
