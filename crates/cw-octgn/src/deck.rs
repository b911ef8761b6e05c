use cw_text::{Diagnostic, FileId, Sources};

use crate::codes::{PK006, PK007, PK010, PK020, PK120, PK125, PK126, PK127, PK128};
use crate::number::whole_number;
use crate::read::{GuidRules, clipped, guid_of, missing, required};
use crate::report::FileReport;
use crate::xml::{self, Child, Decoded, XmlElement, XmlTree};
use crate::{FilePlace, Guid, LocatedValue, PackageLimits, Str};

/// The most cards of one line that are not suspicious (PK125).
const HUGE: i32 = 250;

/// One `.o8d` file (section 7 of the package rules).
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Deck {
    /// The file it was read from.
    pub file: FileId,
    /// Its name: the file's without folder and extension.
    pub name: Str,
    /// The game it belongs to; nil if it cannot be read.
    pub game: LocatedValue<Guid>,
    /// Its sections in document order, those without cards left out (P135).
    pub sections: Vec<DeckSection>,
    /// Notes (P138).
    pub notes: Option<LocatedValue<Str>>,
    /// The sleeve (P139).
    pub sleeve: Option<LocatedValue<Sleeve>>,
}

/// A section of a deck.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct DeckSection {
    /// Its name.
    pub name: LocatedValue<Str>,
    /// Whether it is part of the shared deck (P133).
    pub shared: bool,
    /// Its lines.
    pub cards: Vec<DeckCard>,
}

/// A line of a deck.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct DeckCard {
    /// The card; nil if it cannot be read.
    pub id: LocatedValue<Guid>,
    /// How many; 0 and negative numbers are let through (P134).
    pub quantity: LocatedValue<i32>,
    /// The card's name as the deck says it: the way to find it when its id is stale (P134).
    pub name: LocatedValue<Str>,
    /// The start tag.
    pub place: FilePlace,
}

/// What the cards of a deck are sleeved in (P139).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sleeve {
    /// `custom:<name>:<base64 picture>`
    Custom {
        /// Its name.
        name: Str,
        /// The picture in base64.
        image: Str,
    },
    /// `game:<name>:<game>`
    Game {
        /// Its name.
        name: Str,
        /// The game it comes from.
        game: Guid,
    },
    /// `octgn:<name>:`
    Octgn {
        /// Its name.
        name: Str,
    },
}

impl Deck {
    /// Reads the bytes of an `.o8d` file; nothing if it is not well-formed (P174).
    ///
    /// The text joins `sources` under `name`, so that the findings can be shown.
    pub fn read(
        name: &str,
        bytes: Vec<u8>,
        limits: &PackageLimits,
        sources: &mut Sources,
    ) -> (Option<Deck>, Vec<Diagnostic>) {
        Deck::of_text(name, &xml::decode(bytes), limits, sources)
    }

    pub(crate) fn of_text(
        name: &str,
        decoded: &Decoded,
        limits: &PackageLimits,
        sources: &mut Sources,
    ) -> (Option<Deck>, Vec<Diagnostic>) {
        let text = decoded.text.clone();
        let mut report = FileReport::new(sources.add(name, text.clone()));
        let decodes = decoded.report(&mut report);
        let tree = xml::parse(text, decoded.is_utf16(), limits, &mut report);
        let deck = read(&tree, name, &mut report);
        let mut found = report.finish();
        found.sort_by_key(|finding| finding.span);
        (deck.filter(|_| decodes && tree.well_formed), found)
    }

    /// How many cards it has, negative lines not counted.
    pub fn count(&self) -> u64 {
        let cards = self.sections.iter().flat_map(|section| &section.cards);
        cards
            .map(|card| u64::try_from(card.quantity.value).unwrap_or(0))
            .sum()
    }
}

/// Reads a deck from a tree; nothing where the root is another element.
pub(crate) fn read(tree: &XmlTree, name: &str, report: &mut FileReport) -> Option<Deck> {
    let root = tree.root()?;
    let file_name = name.rsplit('/').next().unwrap_or(name);
    let stem = file_name.rsplit_once('.').map_or(file_name, |(stem, _)| stem);
    let mut deck = Deck {
        file: report.file,
        name: Str::from(stem),
        ..Deck::default()
    };
    if root.name() != "deck" {
        let message = format!("the outermost element is `{}`, not `deck`", clipped(root.name()));
        report.add(report.error(PK006, root.name_span(), message));
        return None;
    }
    deck.game = match root.attribute("game") {
        Some(game) => guid_of(game, GuidRules::Set, report),
        None => {
            let message = "deck without attribute `game`";
            report.add(report.error(PK120, root.name_span(), message));
            LocatedValue::default()
        }
    };
    // Old style: `shared` on the deck makes all sections shared (P133).
    let all_shared = root.attribute("shared").is_some() && boolean(root, "shared", report);
    for element in root.descendants() {
        match element.name() {
            "section" => {
                let section = section(element, all_shared, report);
                if !section.cards.is_empty() {
                    deck.sections.push(section);
                }
            }
            "notes" => deck.notes = notes(element, report),
            "sleeve" => deck.sleeve = sleeve(element, report),
            "card" => {}
            other => {
                let message = format!("`{}` does not belong in a deck", clipped(other));
                report.add(report.warning(PK007, element.name_span(), message));
            }
        }
    }
    repeated(&deck, report);
    Some(deck)
}

fn section(element: XmlElement<'_>, all_shared: bool, report: &mut FileReport) -> DeckSection {
    DeckSection {
        name: required(element, "name", report).unwrap_or_default(),
        shared: boolean(element, "shared", report) || all_shared,
        cards: element
            .descendants()
            .filter(|inner| inner.name() == "card")
            .map(|card| line(card, report))
            .collect(),
    }
}

/// Whether a boolean of a deck is true, in any case (P133).
pub(crate) fn truth(text: &str) -> bool {
    text.trim().eq_ignore_ascii_case("true")
}

/// `True` or `False` in any case; other text is a corrupt deck (P133).
fn boolean(element: XmlElement<'_>, name: &str, report: &mut FileReport) -> bool {
    let Some(attribute) = element.attribute(name) else {
        return false;
    };
    let text = attribute.value();
    match text.trim().to_ascii_lowercase().as_str() {
        "true" => true,
        "false" => false,
        _ => {
            let message = format!(
                "`{}` is not `True` or `False`: OCTGN calls the deck corrupt",
                clipped(&text)
            );
            report.add(report.error(PK010, attribute.value_span(), message));
            false
        }
    }
}

fn line(element: XmlElement<'_>, report: &mut FileReport) -> DeckCard {
    let id = match element.attribute("id") {
        Some(id) => guid_of(id, GuidRules::Set, report),
        None => {
            missing(element, "id", report);
            LocatedValue::new(Guid::NIL, element.name_span())
        }
    };
    let inner = element.children().find_map(|child| match child {
        Child::Text(text) => Some(text.span()),
        Child::Element(_) | Child::Blank(_) | Child::Comment(_) => None,
    });
    DeckCard {
        id,
        quantity: quantity(element, report),
        name: LocatedValue::new(element.inner_text(), inner.unwrap_or(element.tag_span())),
        place: FilePlace(element.tag_span()),
    }
}

/// Reads the number of copies, and reports an odd one (P134, PK125).
fn quantity(element: XmlElement<'_>, report: &mut FileReport) -> LocatedValue<i32> {
    let Some(attribute) = element.attribute("qty") else {
        missing(element, "qty", report);
        return LocatedValue::new(0, element.name_span());
    };
    let text = attribute.value();
    let span = attribute.value_span();
    let Some(number) = whole_number(&text) else {
        let message = format!(
            "`{}` is not a whole number: OCTGN calls the deck corrupt",
            clipped(&text)
        );
        report.add(report.error(PK010, span, message));
        return LocatedValue::new(0, span);
    };
    if number <= 0 {
        report.add(report.warning(PK125, span, format!("{number} of a card")));
    } else if number > HUGE {
        report.add(report.warning(
            PK125,
            span,
            format!("{number} of a card are more than any deck holds"),
        ));
    }
    LocatedValue::new(number, span)
}

/// Reads the notes, and reports those that OCTGN loses (P138, PK126).
fn notes(element: XmlElement<'_>, report: &mut FileReport) -> Option<LocatedValue<Str>> {
    let mut first = None;
    for child in element.children() {
        let Child::Text(text) = child else {
            continue;
        };
        if first.is_none() && text.is_cdata() {
            first = Some(LocatedValue::new(text.value(), text.span()));
            continue;
        }
        let value = text.value();
        if value.trim().is_empty() {
            continue;
        }
        let message = match first {
            None => "notes that are not CDATA are lost",
            Some(_) => "OCTGN reads notes only up to the first `]]>`",
        };
        report.add(report.warning(PK126, text.span(), message));
        if first.is_none() {
            // Nothing is lost here: the notes are kept, and written as CDATA.
            first = Some(LocatedValue::new(value, text.span()));
        }
    }
    first
}

/// Reads the sleeve, and reports a bad one (P139, PK127).
fn sleeve(element: XmlElement<'_>, report: &mut FileReport) -> Option<LocatedValue<Sleeve>> {
    let text = element.inner_text();
    if text.is_empty() {
        return None;
    }
    let span = cw_text::Span::between(element.tag_span().end, element.span().end);
    let mut parts = text.splitn(3, ':');
    let parts = (parts.next(), parts.next(), parts.next());
    let sleeve = match parts {
        (Some("custom"), Some(name), Some(image)) if is_base64(image) => Ok(Sleeve::Custom {
            name: Str::from(name),
            image: Str::from(image),
        }),
        (Some("custom"), Some(_), Some(_)) => Err("the sleeve's picture is not base64"),
        (Some("game"), Some(name), Some(game)) => match game.parse() {
            Ok(game) => Ok(Sleeve::Game {
                name: Str::from(name),
                game,
            }),
            Err(_) => {
                let message = format!("the sleeve's game `{}` is not a GUID", clipped(game));
                report.add(report.error(PK020, element.name_span(), message));
                return None;
            }
        },
        (Some("octgn"), Some(name), Some(_)) => Ok(Sleeve::Octgn {
            name: Str::from(name),
        }),
        (Some("custom" | "game" | "octgn"), _, _) => Err("a sleeve has three parts with colons between"),
        _ => Err("a sleeve is `custom:…`, `game:…` or `octgn:…`"),
    };
    match sleeve {
        Ok(sleeve) => Some(LocatedValue::new(sleeve, span)),
        Err(message) => {
            let help = "OCTGN refuses the deck; remove the sleeve";
            report.add(report.error(PK127, element.name_span(), message).help(help));
            None
        }
    }
}

fn is_base64(text: &str) -> bool {
    let digits = text.trim_end_matches('=');
    text.len().is_multiple_of(4)
        && text.len() - digits.len() <= 2
        && digits
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/'))
}

/// Reports sections, and cards of a section, that appear twice (PK128, P137).
fn repeated(deck: &Deck, report: &mut FileReport) {
    let mut sections = std::collections::BTreeMap::new();
    for section in &deck.sections {
        let key = (section.name.value.clone(), section.shared);
        if let Some(first) = sections.get(&key) {
            let message = format!("section `{}` appears twice", clipped(&section.name));
            let finding = report.hint(PK128, section.name.span(), message);
            report.add(finding.label(report.file, *first, "first here"));
        } else {
            sections.insert(key, section.name.span());
        }
        let mut cards = std::collections::BTreeMap::new();
        for card in section.cards.iter().filter(|card| !card.id.is_nil()) {
            if let Some(first) = cards.get(&card.id.value) {
                let message = format!("`{}` appears twice in this section", clipped(&card.name));
                let help = "the copies of both lines are added up: put them on one line";
                let finding = report.hint(PK128, card.id.span(), message).help(help);
                report.add(finding.label(report.file, *first, "first here"));
            } else {
                cards.insert(card.id.value, card.id.span());
            }
        }
    }
}
