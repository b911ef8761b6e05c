//! Proxies to print and cut: cards of 63 × 88 mm with crop marks, nine to a page.

use cw_duel::Game;
use cw_program::ModelId;
use maud::{DOCTYPE, PreEscaped, html};

use crate::catalogue::Catalogue;
use crate::face::{Face, Size, face};

/// The sheet of paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paper {
    /// 210 × 297 mm.
    A4,
    /// 8.5 × 11 inches.
    Letter,
}

/// One self-contained HTML document with these cards, in this order, ready to print at 100 %.
pub fn sheet(game: &Game, catalogue: &Catalogue, cards: &[ModelId], paper: Paper) -> String {
    let (name, wide, tall) = match paper {
        Paper::A4 => ("A4", "210mm", "296.5mm"),
        Paper::Letter => ("letter", "215.9mm", "278.9mm"),
    };
    let style = format!(
        "@page{{size:{name};margin:0}}body{{margin:0}}\
         section{{width:{wide};height:{tall};display:grid;grid-template-columns:repeat(3,63mm);grid-auto-rows:88mm;\
         align-content:center;justify-content:center;gap:2mm;break-after:page}}\
         div{{position:relative}}svg{{width:63mm;height:88mm;display:block}}\
         i{{position:absolute;background:#000}}i.h{{width:1.5mm;height:.15mm}}i.v{{width:.15mm;height:1.5mm}}\
         .a{{left:-1.7mm;top:0}}.b{{right:-1.7mm;top:0}}.c{{left:-1.7mm;bottom:0}}.d{{right:-1.7mm;bottom:0}}\
         .e{{left:0;top:-1.7mm}}.f{{right:0;top:-1.7mm}}.g{{left:0;bottom:-1.7mm}}.k{{right:0;bottom:-1.7mm}}"
    );
    html! {
        (DOCTYPE)
        html lang="en" {
            head { meta charset="utf-8"; title { (game.name) " proxies" } style { (PreEscaped(style)) } }
            body {
                @for page in cards.chunks(9) {
                    section {
                        @for model in page {
                            div {
                                (PreEscaped(face(Face { game, model: *model, catalogue }, Size::Full)))
                                @for mark in ["h a", "h b", "h c", "h d", "v e", "v f", "v g", "v k"] { i class=(mark) {} }
                            }
                        }
                    }
                }
            }
        }
    }
    .into_string()
}
