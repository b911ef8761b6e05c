//! Proxies to print and cut: cards in their own sizes with crop marks, as many to a page as it holds.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::canvas::{Used, number};
use crate::face::{Face, Size, definitions, draw, measures, said};
use crate::round::times;

/// The sheet of paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paper {
    /// 210 × 297 mm.
    A4,
    /// 8.5 × 11 inches.
    Letter,
}

impl Paper {
    /// Its name in style sheets, and its sides in millimetres; a hair less high, so that no page is empty.
    fn sides(self) -> (&'static str, f32, f32) {
        match self {
            Paper::A4 => ("A4", 210.0, 296.5),
            Paper::Letter => ("letter", 215.9, 278.9),
        }
    }
}

/// Between cards, in millimetres.
const GAP: f32 = 2.0;
/// Free at each edge of the paper, in millimetres: printers do not reach it.
const EDGE: f32 = 5.0;
const MARKS: [&str; 8] = ["h a", "h b", "h c", "h d", "v e", "v f", "v g", "v k"];

/// One self-contained HTML document with these cards, ready to print at 100 %, and how many pages it has. Cards of
/// different sizes stand on different pages: those of one size come together, in their order, whatever stands between
/// them. One that is wider than the paper is printed smaller.
pub fn sheet(faces: &[Face<'_>], paper: Paper) -> (String, usize) {
    let (name, wide, tall) = paper.sides();
    let mut used = Used::default();
    let mut pages: Vec<Markup> = Vec::new();
    let size = |face: &Face<'_>| {
        let (across, down, _) = measures(face);
        let fit = ((wide - 2.0 * EDGE) / (across / 10.0)).min((tall - 2.0 * EDGE) / (down / 10.0));
        let scale = fit.min(1.0) / 10.0;
        (across * scale, down * scale)
    };
    for ((across, down), same) in by_size(faces, size) {
        let fits = |room: f32, side: f32| times((room - 2.0 * EDGE + GAP) / (side + GAP));
        let columns = fits(wide, across);
        for page in same.chunks(columns * fits(tall, down)) {
            pages.push(html! {
                section style=(format!("grid-template-columns:repeat({columns},{}mm)", number(across))) {
                    @for face in page {
                        div style=(format!("width:{}mm;height:{}mm", number(across), number(down))) {
                            (picture(face, &mut used))
                            @for mark in MARKS { i class=(mark) {} }
                        }
                    }
                }
            });
        }
    }
    let style = format!(
        "@page{{size:{name};margin:0}}body{{margin:0}}\
         section{{width:{wide}mm;height:{tall}mm;display:grid;align-content:center;justify-content:center;gap:{GAP}mm;\
         break-after:page}}\
         div{{position:relative}}div>svg{{width:100%;height:100%;display:block}}\
         i{{position:absolute;background:#000}}i.h{{width:1.5mm;height:.15mm}}i.v{{width:.15mm;height:1.5mm}}\
         .a{{left:-1.7mm;top:0}}.b{{right:-1.7mm;top:0}}.c{{left:-1.7mm;bottom:0}}.d{{right:-1.7mm;bottom:0}}\
         .e{{left:0;top:-1.7mm}}.f{{right:0;top:-1.7mm}}.g{{left:0;bottom:-1.7mm}}.k{{right:0;bottom:-1.7mm}}"
    );
    let game = faces.first().map_or("", |face| face.game.name.as_str());
    // Letters and symbols stand once on the page for all its cards.
    let shared = faces
        .first()
        .map(|face| definitions(face.catalogue, face.files, &used));
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head { meta charset="utf-8"; title { (game) " proxies" } style { (PreEscaped(style)) } }
            body {
                @if let Some(shared) = shared {
                    svg width="0" height="0" style="position:absolute" aria-hidden="true" { (shared) }
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

fn picture(face: &Face<'_>, used: &mut Used) -> Markup {
    let (wide, tall, _) = measures(face);
    html! {
        svg viewBox=(format!("0 0 {} {}", number(wide), number(tall))) font-family="system-ui, sans-serif" {
            title { (said(face)) }
            @if let Some(inner) = draw(face, Size::Full, used) { (inner) }
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
