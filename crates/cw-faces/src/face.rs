//! The face of a card, 630 × 880 units: 63 × 88 mm.

use cw_duel::{Game, Model};
use cw_program::{CardType, ModelId};
use maud::{Markup, PreEscaped, html};

use crate::catalogue::{Catalogue, Printed};
use crate::emblem::emblem;
use crate::inks::{Inks, inks};
use crate::text::{count, fit, width};

/// Units across.
pub const WIDTH: u32 = 630;
/// Units down.
pub const HEIGHT: u32 = 880;

/// What the face is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// To lie on a table at 90 pixels: name, emblem, SP. The number of a character's BP is left
    /// out, since it changes during a duel; its plate is there.
    Small,
    /// To be read: everything.
    Full,
}

/// A card to be drawn.
#[derive(Clone, Copy, Debug)]
pub struct Face<'a> {
    /// Its game.
    pub game: &'a Game,
    /// Which card.
    pub model: ModelId,
    /// What is printed on it beside the rules.
    pub catalogue: &'a Catalogue,
}

const INK: &str = "#11131a";
const PAPER: &str = "#f2ecdf";
const FONT: &str = "system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";
const HEAVY: &str =
    "'Avenir Next Condensed', 'Roboto Condensed', 'Arial Narrow', 'Helvetica Neue', Arial, sans-serif";

/// The face as a stand-alone SVG.
pub fn face(face: Face<'_>, size: Size) -> String {
    let model = face.game.model(face.model);
    let blank = Printed::default();
    let printed = face.catalogue.printed(face.model).unwrap_or(&blank);
    let drawn = Drawn {
        game: face.game,
        model,
        printed,
        inks: inks(model),
    };
    let body = match size {
        Size::Small => drawn.small(),
        Size::Full => drawn.full(),
    };
    document(&model.name, &body)
}

/// The face of one of the card's other forms, by its place among them; `None` if it has no such.
pub fn other_face(face: Face<'_>, form: usize, size: Size) -> Option<String> {
    let printed = face.catalogue.printed(face.model)?;
    let form = printed.alternates.get(form)?;
    let base = face.game.model(face.model);
    let model = Model {
        name: form.name.as_str().into(),
        text: form.text.as_str().into(),
        bp: form.bp,
        sp: form.sp,
        ..base.clone()
    };
    let drawn = Drawn {
        game: face.game,
        model: &model,
        printed,
        inks: inks(base),
    };
    let body = match size {
        Size::Small => drawn.small(),
        Size::Full => drawn.full(),
    };
    Some(document(&model.name, &body))
}

/// The back of every card.
pub fn back() -> String {
    let body = html! {
        rect width="630" height="880" rx="34" fill=(INK) {}
        rect x="26" y="26" width="578" height="828" rx="20" fill="#1b2030" stroke="#3a4158" stroke-width="6" {}
        g transform="translate(315 440)" fill="none" stroke-linejoin="round" {
            path d="M0-250L150-90H90L0-185L-90-90H-150Z" fill="#4fb6ff" {}
            path d="M0 250L150 90H90L0 185L-90 90H-150Z" fill="#ff6b5e" {}
            path d="M-170-50H170M-170 50H170" stroke="#3a4158" stroke-width="14" {}
            path d="M0-110L110 0L0 110L-110 0Z" fill="#ffd166" {}
            path d="M0-50L50 0L0 50L-50 0Z" fill=(INK) {}
        }
    };
    document("", &body)
}

fn document(title: &str, body: &Markup) -> String {
    html! {
        svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 630 880" width="630" height="880" font-family=(FONT) {
            @if !title.is_empty() { title { (title) } }
            (body)
        }
    }
    .into_string()
}

struct Drawn<'a> {
    game: &'a Game,
    model: &'a Model,
    printed: &'a Printed,
    inks: Inks,
}

impl Drawn<'_> {
    fn small(&self) -> Markup {
        let (size, lines) = fit(&self.model.name, &[84, 76, 68, 60], (560, 190));
        let band = 40 + count(&lines) * (size + 8);
        let middle = (band + 690) / 2;
        let scale = f64::from(690 - band) / 225.0;
        html! {
            (self.silhouette())
            (self.panel(band, 690))
            g transform=(format!("translate(315 {middle}) scale({scale:.2})")) { (emblem(&self.model.id, self.inks)) }
            (self.stripe(band, 690, 30))
            g fill=(PAPER) font-family=(HEAVY) font-weight="800" font-size=(size) {
                @for (at, line) in (0u32..).zip(&lines) {
                    (self.line(line, (32, 26 + size * 9 / 10 + at * (size + 8)), size, 566))
                }
            }
            (self.sp_plate((608, 714), 132, 84))
            @if let Some(kind) = self.model.ability_kind() {
                text x="424" y="806" font-size="76" text-anchor="middle" fill=(self.inks.bright) { (cw_words::ability_symbol(kind)) }
            }
        }
    }

    fn full(&self) -> Markup {
        let (size, lines) = fit(&self.model.name, &[60, 54, 48, 42, 36], (380, 76));
        let name = lines.join(" ");
        html! {
            (self.silhouette())
            g fill=(PAPER) font-family=(HEAVY) font-weight="800" font-size=(size) { (self.line(&name, (34, 78), size, 440)) }
            text x="34" y="116" font-size="26" letter-spacing="3" fill=(self.inks.bright) { (self.kind_words()) }
            (self.sp_plate((602, 28), 96, 62))
            (self.panel(136, 452))
            g transform="translate(325 294) scale(1.42)" { (emblem(&self.model.id, self.inks)) }
            (self.stripe(136, 452, 34))
            (self.words())
            (self.foot())
        }
    }

    /// The outline tells the type: actions lack the lower right corner, reactions the lower left.
    fn silhouette(&self) -> Markup {
        let outline = match self.model.card_type {
            Some(CardType::Action) => {
                "M34 0H596A34 34 0 0 1 630 34V740L490 880H34A34 34 0 0 1 0 846V34A34 34 0 0 1 34 0Z"
            }
            Some(CardType::Reaction) => {
                "M34 0H596A34 34 0 0 1 630 34V846A34 34 0 0 1 596 880H140L0 740V34A34 34 0 0 1 34 0Z"
            }
            Some(CardType::Character) | None => {
                "M34 0H596A34 34 0 0 1 630 34V846A34 34 0 0 1 596 880H34A34 34 0 0 1 0 846V34A34 34 0 0 1 34 0Z"
            }
        };
        html! { path d=(outline) fill=(INK) {} }
    }

    /// The ground of the emblem: level for characters, slanted for the others.
    fn panel(&self, from: u32, to: u32) -> Markup {
        let slant = 44;
        let corners = match self.model.card_type {
            Some(CardType::Action) => {
                format!("20,{} 610,{from} 610,{} 20,{to}", from + slant, to - slant)
            }
            Some(CardType::Reaction) => {
                format!("20,{from} 610,{} 610,{to} 20,{}", from + slant, to - slant)
            }
            Some(CardType::Character) | None => format!("20,{from} 610,{from} 610,{to} 20,{to}"),
        };
        html! { polygon points=(corners) fill=(self.inks.deep) {} }
    }

    /// The rarity at the left edge, as colour and as letter.
    fn stripe(&self, from: u32, to: u32, size: u32) -> Markup {
        let colour = match self.printed.rarity.as_str() {
            "S" => "#ffd166",
            "A" => "#ff8a72",
            "B" => "#6cc4ff",
            "C" => "#93e59a",
            "" => return PreEscaped(String::new()),
            _ => "#b4bac8",
        };
        let (from, to) = match self.model.card_type {
            Some(CardType::Action | CardType::Reaction) => (from + 44, to - 44),
            Some(CardType::Character) | None => (from, to),
        };
        html! {
            rect x="20" y=(from) width="36" height=(to - from) fill=(colour) {}
            text x="38" y=(to - 12) font-size=(size) font-weight="800" text-anchor="middle" fill=(INK) { (self.printed.rarity) }
        }
    }

    /// A line that never grows beyond its room, whatever font the reader has.
    fn line(&self, text: &str, at: (u32, u32), size: u32, room: u32) -> Markup {
        let wide = width(text, size) > room * 85 / 100;
        html! {
            @if wide {
                text x=(at.0) y=(at.1) textLength=(room) lengthAdjust="spacingAndGlyphs" { (text) }
            } @else {
                text x=(at.0) y=(at.1) { (text) }
            }
        }
    }

    /// SP with its sign on a plate, its upper right corner at `at`.
    fn sp_plate(&self, at: (u32, u32), tall: u32, size: u32) -> Markup {
        let sp = self.model.sp;
        if sp == 0 && self.model.is_character() {
            return PreEscaped(String::new());
        }
        let fill = match sp {
            1.. => "#5fd38d",
            0 => "#d6d9e0",
            _ => "#ff8296",
        };
        let words = cw_words::signed(sp);
        let wide = (width(&words, size) + 34).max(tall);
        html! {
            rect x=(at.0.saturating_sub(wide)) y=(at.1) width=(wide) height=(tall) rx="14" fill=(fill) {}
            text x=(at.0.saturating_sub(wide / 2)) y=(at.1 + tall / 2 + size * 35 / 100)
                font-size=(size) font-weight="800" text-anchor="middle" fill=(INK) { (words) }
        }
    }

    fn kind_words(&self) -> String {
        let school = self
            .model
            .subtype
            .and_then(|school| self.game.subtypes.get(usize::from(school.0)));
        match (self.model.card_type, school) {
            (Some(CardType::Character), Some(school)) => school.to_uppercase(),
            (Some(CardType::Character), None) => "CHARACTER".into(),
            (Some(CardType::Action), _) => "ACTION".into(),
            (Some(CardType::Reaction), _) => "REACTION".into(),
            (None, _) => "CANNOT BE PLAYED".into(),
        }
    }

    /// Ability and text on paper; flavour if there is room.
    fn words(&self) -> Markup {
        let bottom = if self.model.is_character() { 754 } else { 828 };
        let y = 506;
        let ability = self.model.ability.as_ref();
        let below = if ability.is_some() { 548 } else { y };
        let (size, lines) = fit(
            &self.model.text,
            &[30, 28, 26, 24, 22, 20],
            (550, bottom - below + 10),
        );
        let leading = size * 5 / 4;
        let after = below + count(&lines) * leading + if lines.is_empty() { 10 } else { 18 };
        let (flavour_size, flavour) = fit(
            &self.printed.flavour,
            &[26, 24, 22],
            (550, bottom.saturating_sub(after)),
        );
        let room = after + count(&flavour) * flavour_size * 5 / 4 <= bottom + 14;
        let box_to = bottom + 12;
        let corners = match self.model.card_type {
            Some(CardType::Action) => format!("20,462 610,462 610,732 506,{box_to} 20,{box_to}"),
            Some(CardType::Reaction) => format!("20,462 610,462 610,{box_to} 124,{box_to} 20,732"),
            Some(CardType::Character) | None => format!("20,462 610,462 610,{box_to} 20,{box_to}"),
        };
        html! {
            polygon points=(corners) fill=(PAPER) {}
            @if let Some(ability) = ability {
                text x="38" y=(y) font-size="32" font-weight="800" fill=(INK) {
                    tspan fill=(self.inks.middle) { (cw_words::ability_symbol(ability.kind)) }
                    " " (ability.name)
                }
            }
            g fill=(INK) font-size=(size) {
                @for (at, line) in (0u32..).zip(&lines) { text x="38" y=(below + at * leading) { (line) } }
            }
            @if room {
                g fill="#5a5348" font-size=(flavour_size) font-style="italic" {
                    @for (at, line) in (0u32..).zip(&flavour) {
                        text x="38" y=(after + at * flavour_size * 5 / 4) { (line) }
                    }
                }
            }
        }
    }

    /// BP, back-up icons, and where the card is from.
    fn foot(&self) -> Markup {
        let origin = [self.printed.number.as_str(), self.printed.set.as_str()];
        let origin: Vec<&str> = origin.into_iter().filter(|words| !words.is_empty()).collect();
        let origin = origin.join(" · ");
        html! {
            @if self.model.is_character() {
                text x="34" y="850" font-size="92" font-weight="800" font-family=(HEAVY) fill=(PAPER) {
                    (self.model.bp)
                    tspan font-size="30" dx="8" fill="#9aa1b5" { "BP" }
                }
                @for (at, icon) in (0u32..).zip(&self.model.backups) {
                    @let name = self.game.subtypes.get(usize::from(icon.0)).map_or("?", |name| name);
                    @let right = 600 - 74 * (count(&self.model.backups) - 1 - at);
                    rect x=(right - 66) y="778" width="66" height="46" rx="10" fill=(self.inks.deep) stroke=(self.inks.bright) stroke-width="3" {}
                    text x=(right - 33) y="812" font-size="30" font-weight="700" text-anchor="middle" fill=(self.inks.bright) {
                        (name.chars().take(2).collect::<String>())
                    }
                }
                text x="604" y="864" font-size="15" text-anchor="end" fill="#9aa1b5" { (origin) }
            } @else {
                text x=(if self.model.card_type == Some(CardType::Reaction) { "610" } else { "20" }) y="866" font-size="18"
                    text-anchor=(if self.model.card_type == Some(CardType::Reaction) { "end" } else { "start" }) fill="#9aa1b5" { (origin) }
            }
        }
    }
}
