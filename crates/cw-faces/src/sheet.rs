//! Proxies to print and cut: cards in their own sizes with crop marks, as many to a page as it holds.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::canvas::{Used, number};
use crate::embed::embedded;
use crate::face::{CardFace, FaceSize, back_drawing, definitions, draw, measures, said, shape_of};
use crate::round::times;

/// The sheet of paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PaperSheet {
    /// 210 × 297 mm.
    A4,
    /// 8.5 × 11 inches.
    Letter,
}

impl PaperSheet {
    /// Its name in style sheets, and its sides in millimetres; a hair less high, so that no page is empty.
    fn sides(self) -> (&'static str, f32, f32) {
        match self {
            PaperSheet::A4 => ("A4", 210.0, 296.5),
            PaperSheet::Letter => ("letter", 215.9, 278.9),
        }
    }
}

/// What is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SheetContent {
    /// On what.
    pub paper: PaperSheet,
    /// Whether each card goes on beyond its edge, so that a cut beside the line shows no white.
    pub bleed: bool,
    /// Whether a page of backs follows each page of cards, for printing on both sides of the paper.
    pub backs: bool,
}

/// Between cards, or between what they are printed on, in millimetres.
const GAP: f32 = 2.0;
/// Free at each edge of the paper, in millimetres: printers do not reach it.
const EDGE: f32 = 5.0;
/// How far a card goes on beyond its edge, in millimetres.
const BLEED: f32 = 3.0;
const MARKS: [&str; 8] = ["h a", "h b", "h c", "h d", "v e", "v f", "v g", "v k"];

/// One self-contained HTML document with these cards, ready to print at 100 %, and how many pages it has.
/// Cards of different sizes stand on different pages: those of one size come together, in their order,
/// whatever stands between them. One that is wider than the paper is printed smaller. Backs lie where their
/// cards are when the paper is turned over its long edge.
pub fn sheet(faces: &[CardFace<'_>], print: SheetContent) -> (String, usize) {
    let (name, wide, tall) = print.paper.sides();
    let bleed = if print.bleed { BLEED } else { 0.0 };
    let mut drawn = DrawnPages {
        bleed: print.bleed,
        ..DrawnPages::default()
    };
    let mut pages: Vec<Markup> = Vec::new();
    let size = |face: &CardFace<'_>| {
        let (across, down, _) = measures(face);
        let room = |side: f32| side - 2.0 * (EDGE + bleed);
        let fit = (room(wide) / (across / 10.0)).min(room(tall) / (down / 10.0));
        let scale = fit.min(1.0) / 10.0;
        (across * scale + 2.0 * bleed, down * scale + 2.0 * bleed)
    };
    for ((across, down), same) in by_size(faces, size) {
        let fits = |room: f32, side: f32| times((room - 2.0 * EDGE + GAP) / (side + GAP));
        let columns = fits(wide, across);
        let page = |cells: Vec<Option<Markup>>| {
            html! {
                section style=(format!("grid-template-columns:repeat({columns},{}mm)", number(across))) {
                    @for cell in cells {
                        div style=(format!("width:{}mm;height:{}mm", number(across), number(down))) {
                            @if let Some(cell) = cell {
                                (cell)
                                @for mark in MARKS { i class=(mark) {} }
                            }
                        }
                    }
                }
            }
        };
        for cards in same.chunks(columns * fits(tall, down)) {
            pages.push(page(cards.iter().map(|face| Some(drawn.front(face))).collect()));
            if print.backs {
                let mut cells = Vec::new();
                for row in cards.chunks(columns) {
                    // The paper is turned over: what was left lies right.
                    cells.extend((row.len()..columns).map(|_| None));
                    cells.extend(row.iter().rev().map(|face| Some(drawn.back(face))));
                }
                pages.push(page(cells));
            }
        }
    }
    let inset = number(bleed);
    let style = format!(
        "@page{{size:{name};margin:0}}body{{margin:0}}\
         section{{width:{wide}mm;height:{tall}mm;display:grid;align-content:center;justify-content:center;\
         gap:{GAP}mm;break-after:page}}div{{position:relative}}\
         div>svg{{position:absolute;inset:{inset}mm;width:calc(100% - 2*{inset}mm);\
         height:calc(100% - 2*{inset}mm);display:block}}\
         div>svg.bleed{{inset:0;width:100%;height:100%}}\
         i{{position:absolute;background:#000}}i.h{{width:1.5mm;height:.15mm}}i.v{{width:.15mm;height:1.5mm}}\
         .a{{left:-1.7mm;top:{inset}mm}}.b{{right:-1.7mm;top:{inset}mm}}\
         .c{{left:-1.7mm;bottom:{inset}mm}}.d{{right:-1.7mm;bottom:{inset}mm}}\
         .e{{left:{inset}mm;top:-1.7mm}}.f{{right:{inset}mm;top:-1.7mm}}\
         .g{{left:{inset}mm;bottom:-1.7mm}}.k{{right:{inset}mm;bottom:-1.7mm}}"
    );
    let game = faces.first().map_or("", |face| face.game.name.as_str());
    // Letters and symbols stand once on the page for all its cards.
    let shared = faces
        .first()
        .map(|face| definitions(face.catalogue, face.files, &drawn.used));
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head { meta charset="utf-8"; title { (game) " proxies" } style { (PreEscaped(style)) } }
            body {
                @if let Some(shared) = shared {
                    svg width="0" height="0" style="position:absolute" aria-hidden="true" {
                        (shared)
                        @for back in &drawn.backs { (back.1) }
                    }
                }
                @for page in &pages { (page) }
            }
        }
    };
    (page.into_string(), pages.len())
}

/// The cards of each size, in the order in which sizes come first.
fn by_size<T: Copy, S: PartialEq>(faces: &[T], size: impl Fn(&T) -> S) -> Vec<(S, Vec<T>)> {
    let mut sizes: Vec<(S, Vec<T>)> = Vec::new();
    for face in faces {
        let size = size(face);
        match sizes.iter_mut().find(|(known, _)| *known == size) {
            Some((_, same)) => same.push(*face),
            None => sizes.push((size, vec![*face])),
        }
    }
    sizes
}

/// What stands on the pages so far.
#[derive(Default)]
struct DrawnPages {
    used: Used,
    bleed: bool,
    /// How many fronts there are.
    fronts: usize,
    /// The backs, each once: its picture and size, and the symbol that draws it.
    backs: Vec<((Option<String>, String), Markup)>,
}

impl DrawnPages {
    fn front(&mut self, face: &CardFace<'_>) -> Markup {
        let (wide, tall, _) = measures(face);
        let id = format!("c{}", self.fronts);
        self.fronts += 1;
        let inner = draw(face, FaceSize::Full, &mut self.used);
        let view = format!("0 0 {} {}", number(wide), number(tall));
        html! {
            (self.beyond(&id, &view))
            svg viewBox=(view) font-family="system-ui, sans-serif" {
                title { (said(face)) }
                @if let Some(inner) = inner {
                    @if self.bleed { g id=(id) { (inner) } } @else { (inner) }
                }
            }
        }
    }

    fn back(&mut self, face: &CardFace<'_>) -> Markup {
        let (wide, tall, _) = measures(face);
        let view = format!("0 0 {} {}", number(wide), number(tall));
        let key = (shape_of(face).and_then(|shape| shape.back.clone()), view.clone());
        let known = self.backs.iter().position(|(other, _)| *other == key);
        let at = known.unwrap_or_else(|| {
            let id = format!("b{}", self.backs.len());
            let picture = key.0.as_deref().and_then(|path| embedded(face.files?, path));
            let drawn = match picture {
                Some(picture) => html! {
                    symbol id=(id) viewBox=(view) preserveAspectRatio="none" {
                        image width=(number(wide)) height=(number(tall))
                            preserveAspectRatio="xMidYMid slice" href=(picture) {}
                    }
                },
                None => html! {
                    symbol id=(id) viewBox="0 0 630 880" preserveAspectRatio="none" { (back_drawing()) }
                },
            };
            self.backs.push((key, drawn));
            self.backs.len() - 1
        });
        let id = format!("b{at}");
        html! {
            (self.beyond(&id, &view))
            svg viewBox=(view) { use href=(format!("#{id}")) width=(number(wide)) height=(number(tall)) {} }
        }
    }

    /// What lies around a card: the card itself, as large as card and bleed together, so that its edges go
    /// on.
    fn beyond(&self, id: &str, view: &str) -> Markup {
        html! {
            @if self.bleed {
                svg.bleed viewBox=(view) preserveAspectRatio="none" aria-hidden="true" {
                    use href=(format!("#{id}")) {}
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sizes that alternate take as many sheets as if they were sorted.
    #[test]
    fn cards_of_one_size_come_together_in_their_order() {
        let cards = [(1, 'a'), (2, 'b'), (1, 'c'), (2, 'd'), (1, 'e')];
        let sorted = by_size(&cards, |card| card.0);
        let names: Vec<(i32, String)> = sorted
            .into_iter()
            .map(|(size, same)| (size, same.iter().map(|card| card.1).collect()))
            .collect();
        assert_eq!(names, [(1, "ace".to_owned()), (2, "bd".to_owned())]);
    }
}
