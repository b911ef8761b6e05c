//! What one card says, put into the places of a face.

use cw_duel::{AbilityKind, CardModel, Game};
use cw_octgn::{Alternate, PackageCard, PropertyValue};
use cw_program::CardType;

use crate::catalogue::{Catalogue, Printed};
use crate::inks::{Inks, inks, inks_of};
use crate::plan::{Placed, PropertyRole};
use crate::text::{Cells, SignStyle, letters, paragraphs, push, rich_paragraphs};

/// A value with its name.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Plate {
    /// Empty: it needs none.
    pub(crate) label: String,
    pub(crate) value: Cells,
    pub(crate) tone: Tone,
}

/// The colour of a plate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Tone {
    #[default]
    Plain,
    Gain,
    Even,
    Cost,
}

/// Everything that stands on a face.
#[derive(Clone, Debug)]
pub(crate) struct FaceParts {
    pub(crate) id: String,
    pub(crate) name: String,
    /// The word for a character's school; empty if it has none.
    pub(crate) school: String,
    pub(crate) kind: Cells,
    pub(crate) corner: Vec<Plate>,
    pub(crate) lines: Vec<Plate>,
    pub(crate) heading: Option<(AbilityKind, String)>,
    pub(crate) text: Vec<Cells>,
    pub(crate) flavour: Vec<Cells>,
    pub(crate) numbers: Vec<Plate>,
    /// The largest number on the card.
    pub(crate) main: Option<Plate>,
    /// A few letters each.
    pub(crate) icons: Vec<String>,
    pub(crate) foot: Vec<Plate>,
    /// A letter at the edge of the illustration.
    pub(crate) stripe: String,
    /// The type, for the outline; only of cards that the rules know.
    pub(crate) card_type: Option<CardType>,
    pub(crate) inks: Inks,
}

impl FaceParts {
    /// What a card says in its base form or in another one (P72); `None` if there is no such form.
    pub(crate) fn of(
        game: &Game,
        model: &CardModel,
        catalogue: &Catalogue,
        card: Option<&PackageCard>,
        printed: &Printed,
        form: Option<usize>,
    ) -> Option<FaceParts> {
        let alternate = match (form, card) {
            (None, _) => None,
            (Some(form), Some(card)) => Some(card.alternates.get(form)?),
            (Some(_), None) => return None,
        };
        let mut parts = FaceParts {
            id: model.id.to_string(),
            name: alternate
                .map_or(&*model.name, |form| form.name.value.as_str())
                .to_owned(),
            school: String::new(),
            kind: Cells::new(),
            corner: Vec::new(),
            lines: Vec::new(),
            heading: None,
            text: Vec::new(),
            flavour: Vec::new(),
            numbers: Vec::new(),
            main: None,
            icons: Vec::new(),
            foot: Vec::new(),
            stripe: String::new(),
            card_type: model.card_type.filter(|_| catalogue.has_rules),
            inks: inks(model),
        };
        if let Some(card) = card {
            parts.place(
                FormReading {
                    catalogue,
                    card,
                    form: alternate,
                },
                printed,
            );
        }
        if parts.card_type.is_some() || card.is_none() {
            parts.rules(game, model, catalogue, printed, form);
        }
        Some(parts)
    }

    /// What the plan places.
    fn place(&mut self, reading: FormReading<'_>, printed: &Printed) {
        let plan = match self.card_type {
            Some(_) => &reading.catalogue.plan,
            None => &reading.catalogue.whole,
        };
        let plates = |role| {
            let plates = plan.at(role).filter_map(|placed| reading.plate(placed));
            plates.collect::<Vec<Plate>>()
        };
        for plate in plates(PropertyRole::Kind) {
            if !self.kind.is_empty() {
                " · "
                    .chars()
                    .for_each(|letter| push(&mut self.kind, letter, SignStyle::QUIET));
            }
            self.kind.extend(plate.value);
        }
        self.corner = plates(PropertyRole::Corner);
        self.lines = plates(PropertyRole::Line);
        self.numbers = plates(PropertyRole::Number);
        for placed in plan.at(PropertyRole::Text) {
            let mut text = reading.paragraphs(placed, SignStyle::default());
            if let (false, Some(first)) = (self.text.is_empty(), text.first_mut()) {
                let mut labelled = letters(&format!("{}: ", placed.label), SignStyle::BOLD);
                labelled.append(first);
                *first = labelled;
            }
            self.text.append(&mut text);
        }
        for placed in plan.at(PropertyRole::Flavour) {
            let style = SignStyle {
                quiet: true,
                ..SignStyle::ITALIC
            };
            self.flavour.append(&mut reading.paragraphs(placed, style));
        }
        let set = Plate {
            value: letters(&printed.set, SignStyle::default()),
            ..Plate::default()
        };
        // Number and set, as cards have them, then the rest; two of them need no name.
        let mut foot = plates(PropertyRole::Foot);
        foot.push(set);
        let rank = |plate: &Plate| match plate.label.to_lowercase().as_str() {
            "number" | "card number" | "collector number" => 0,
            "" => 1,
            "rarity" => 2,
            _ => 3,
        };
        foot.sort_by_key(rank);
        for plate in foot.iter_mut().filter(|plate| rank(plate) < 3) {
            plate.label.clear();
        }
        foot.retain(|plate| !plate.value.is_empty());
        self.foot = foot;
        let value = |name: &str| {
            reading
                .card
                .form_value(reading.form, name)
                .and_then(PropertyValue::plain)
        };
        if let Some((name, known)) = &plan.colour
            && self.card_type.is_none()
        {
            self.inks = inks_of(value(name).unwrap_or_default().trim(), known);
        }
    }

    /// What the rules know of a card: its numbers, its ability, its back-up icons.
    fn rules(
        &mut self,
        game: &Game,
        model: &CardModel,
        catalogue: &Catalogue,
        printed: &Printed,
        form: Option<usize>,
    ) {
        let other = form.and_then(|form| printed.alternates.get(form));
        let (bp, sp) = other.map_or((model.bp, model.sp), |form| (form.bp, form.sp));
        let text = other.map_or(&*model.text, |form| form.text.as_str());
        let school = model
            .subtype
            .and_then(|school| game.subtypes.get(usize::from(school.0)));
        let kind = match (model.card_type, school) {
            (Some(CardType::Character), Some(school)) => school.to_uppercase(),
            (Some(CardType::Character), None) => catalogue.words.character.to_uppercase(),
            (Some(CardType::Action), _) => catalogue.words.action.to_uppercase(),
            (Some(CardType::Reaction), _) => catalogue.words.reaction.to_uppercase(),
            (None, _) => String::new(),
        };
        self.school = school.map_or_else(String::new, ToString::to_string);
        self.kind = letters(&kind, SignStyle::default());
        self.kind.iter_mut().for_each(|cell| cell.wide += SPACED);
        if model.card_type.is_some() && (sp != 0 || !model.is_character()) {
            self.corner.push(Plate {
                label: String::new(),
                value: letters(&cw_words::signed(sp), SignStyle::BOLD),
                tone: match sp {
                    1.. => Tone::Gain,
                    0 => Tone::Even,
                    _ => Tone::Cost,
                },
            });
        }
        if model.is_character() {
            self.main = Some(Plate {
                label: catalogue.words.bp.clone(),
                value: letters(&bp.to_string(), SignStyle::BOLD),
                tone: Tone::Plain,
            });
            let name = |icon: &cw_program::SubtypeId| game.subtypes.get(usize::from(icon.0));
            let names = model
                .backups
                .iter()
                .map(|icon| name(icon).map_or("?", |name| name));
            self.icons = names.map(|name| name.chars().take(2).collect()).collect();
        }
        self.heading = model
            .ability
            .as_ref()
            .map(|ability| (ability.kind, ability.name.to_string()));
        let mut text = paragraphs(text, SignStyle::default());
        text.append(&mut self.text);
        self.text = text;
        self.stripe.clone_from(&printed.rarity);
    }
}

/// Between the capitals of a type, in thousandths of the size.
const SPACED: i32 = 115;

#[derive(Clone, Copy)]
struct FormReading<'a> {
    catalogue: &'a Catalogue,
    card: &'a PackageCard,
    form: Option<&'a Alternate>,
}

impl FormReading<'_> {
    fn plate(self, placed: &Placed) -> Option<Plate> {
        let values = placed.properties.iter().map(|name| self.line(name));
        let values: Vec<Cells> = values.collect();
        if values.iter().all(Vec::is_empty) {
            return None;
        }
        let mut joined = Cells::new();
        for (index, value) in values.into_iter().enumerate() {
            if index > 0 {
                push(&mut joined, '/', SignStyle::default());
            }
            match value.is_empty() {
                true => push(&mut joined, '–', SignStyle::default()),
                false => joined.extend(value),
            }
        }
        Some(Plate {
            label: placed.label.clone(),
            value: joined,
            tone: Tone::Plain,
        })
    }

    /// A value in one line.
    fn line(self, name: &str) -> Cells {
        let mut out = Cells::new();
        for paragraph in self.value(name, SignStyle::default()) {
            if !out.is_empty() {
                push(&mut out, ' ', SignStyle::default());
            }
            out.extend(paragraph);
        }
        out
    }

    fn paragraphs(self, placed: &Placed, style: SignStyle) -> Vec<Cells> {
        let names = placed.properties.iter();
        names.flat_map(|name| self.value(name, style)).collect()
    }

    fn value(self, name: &str, style: SignStyle) -> Vec<Cells> {
        match self.card.form_value(self.form, name) {
            None | Some(PropertyValue::Null) => Vec::new(),
            Some(PropertyValue::Text(text)) => paragraphs(text, style),
            Some(PropertyValue::Rich(rich)) => rich_paragraphs(rich, style, &|id| {
                let mut symbols = self.catalogue.symbols.iter();
                let at = symbols.position(|symbol| symbol.id == id)?;
                Some((at, self.catalogue.symbols.get(at)?.wide()))
            }),
        }
    }
}
