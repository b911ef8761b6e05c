//! Writing changes of cards into the text of a `set.xml`: values change where they stand, everything else
//! (comments, packs, unknown elements, the order and blanks) stays as it is written.

use std::collections::BTreeMap;

use cw_text::{FileId, Span};

use crate::report::FileReport;
use crate::rewrite::Rewriting;
use crate::write::{alternate_text, card_text, escape_attribute, property_text};
use crate::xml::{self, XmlElement};
use crate::{
    Alternate, CardProperty, LocatedValue, PackageCard, PackageLimits, PropertyValue, RichPiece, Str,
};

/// A form of a card by its place in a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FormPlace {
    /// The place of the card in [`PackageSet::cards`](crate::PackageSet::cards).
    pub card: usize,
    /// The place of the form in [`PackageCard::alternates`]; none: the base form.
    pub form: Option<usize>,
}

/// One change of a set.
#[derive(Clone, Debug, PartialEq)]
pub enum SetChange {
    /// Another name.
    Name(FormPlace, String),
    /// Another size; none: the default one.
    Size(FormPlace, Option<String>),
    /// Another value of a property; none removes it.
    Property(FormPlace, String, Option<PropertyValue>),
    /// A form more.
    AddForm(usize, Alternate),
    /// A form less.
    RemoveForm(usize, usize),
    /// A card more, behind the others.
    AddCard(PackageCard),
    /// A card less.
    RemoveCard(usize),
}

/// The bytes of a `set.xml` with some changes; nothing where the bytes are not those of a set, or a place is
/// none of it.
///
/// ```
/// use cw_octgn::{FormPlace, SetChange, rewrite_set};
///
/// let text = b"<set><cards><card id='1' name = 'Rook'/> <!-- mine --></cards></set>";
/// let rook = FormPlace { card: 0, form: None };
/// let bytes = rewrite_set(text, &[SetChange::Name(rook, "Raven".into())]).ok_or("not a set")?;
/// assert_eq!(bytes, b"<set><cards><card id='1' name = 'Raven'/> <!-- mine --></cards></set>");
/// # Ok::<(), &str>(())
/// ```
pub fn rewrite_set(original: &[u8], changes: &[SetChange]) -> Option<Vec<u8>> {
    let decoded = xml::decode(original.to_vec());
    let mut report = FileReport::new(FileId(0));
    let decodes = decoded.report(&mut report);
    let text = decoded.text.clone();
    let limits = PackageLimits::default();
    let tree = xml::parse(text.clone(), decoded.is_utf16(), &limits, &mut report);
    let root = tree.root().filter(|root| root.name() == "set")?;
    if !decodes || !tree.well_formed {
        return None;
    }
    let mut set = SetRewriting {
        cards: named(root.descendants(), "card"),
        root,
        rewriting: Rewriting {
            text: &text,
            edits: Vec::new(),
        },
        inserted: BTreeMap::new(),
    };
    for change in changes {
        set.change(change)?;
    }
    set.insert_forms();
    set.insert_cards(changes);
    Some(xml::encoded_like(original, &set.rewriting.finish()))
}

fn named<'t>(elements: impl Iterator<Item = XmlElement<'t>>, name: &str) -> Vec<XmlElement<'t>> {
    elements.filter(|element| element.name() == name).collect()
}

struct SetRewriting<'t> {
    root: XmlElement<'t>,
    cards: Vec<XmlElement<'t>>,
    rewriting: Rewriting<'t>,
    /// New elements of each form: properties, then forms. An element that is empty so far gets them in one
    /// piece.
    inserted: BTreeMap<FormPlace, (Vec<CardProperty>, Vec<Alternate>)>,
}

impl<'t> SetRewriting<'t> {
    fn form(&self, place: FormPlace) -> Option<XmlElement<'t>> {
        let card = *self.cards.get(place.card)?;
        match place.form {
            None => Some(card),
            Some(form) => named(card.elements(), "alternate").get(form).copied(),
        }
    }

    fn change(&mut self, change: &SetChange) -> Option<()> {
        match change {
            SetChange::Name(place, name) => {
                let form = self.form(*place)?;
                self.attribute(form, "name", name);
            }
            SetChange::Size(place, Some(size)) => {
                let form = self.form(*place)?;
                self.attribute(form, "size", size);
            }
            SetChange::Size(place, None) => {
                let form = self.form(*place)?;
                if let Some(size) = form.attribute("size") {
                    // The blank before it goes, too.
                    let start = size.span().start.saturating_sub(1);
                    let end = size.span().end;
                    self.rewriting.edits.push((Span { start, end }, String::new()));
                }
            }
            SetChange::Property(place, name, value) => self.property(*place, name, value.as_ref())?,
            SetChange::AddForm(card, alternate) => {
                let place = FormPlace {
                    card: *card,
                    form: None,
                };
                self.form(place)?;
                self.inserted.entry(place).or_default().1.push(alternate.clone());
            }
            SetChange::RemoveForm(card, form) => {
                let place = FormPlace {
                    card: *card,
                    form: Some(*form),
                };
                let form = self.form(place)?;
                self.rewriting.remove(form);
            }
            SetChange::RemoveCard(card) => {
                let card = *self.cards.get(*card)?;
                self.rewriting.remove(card);
            }
            SetChange::AddCard(_) => {}
        }
        Some(())
    }

    fn attribute(&mut self, element: XmlElement<'_>, name: &str, value: &str) {
        let mut escaped = String::new();
        escape_attribute(value, &mut escaped);
        match element.attribute(name) {
            Some(old) => {
                let span = old.value_span();
                let quote = self.rewriting.text.as_bytes()[span.start as usize - 1];
                if quote == b'\'' {
                    escaped = escaped.replace('\'', "&apos;");
                }
                self.rewriting.edits.push((span, escaped));
            }
            None => {
                let at = element.name_span().end;
                let text = format!(" {name}=\"{escaped}\"");
                self.rewriting.edits.push((Span { start: at, end: at }, text));
            }
        }
    }

    fn property(&mut self, place: FormPlace, name: &str, value: Option<&PropertyValue>) -> Option<()> {
        let form = self.form(place)?;
        let is_named = |property: &XmlElement<'_>| {
            let found = property.attribute("name").map(xml::XmlAttribute::value);
            property.name() == "property" && found.is_some_and(|found| *found == *name)
        };
        let old = form.elements().find(is_named);
        match (old, value) {
            (Some(old), None) => self.rewriting.remove(old),
            (None, None) => {}
            (Some(old), Some(value)) => {
                let is_bare = old.is_empty_tag() || old.children().next().is_none();
                match plain(value) {
                    Some(text) if is_bare && old.attribute("value").is_some() => {
                        self.attribute(old, "value", text);
                    }
                    _ => {
                        let text = property_text(&card_property(name, value));
                        self.rewriting.edits.push((old.span(), text));
                    }
                }
            }
            (None, Some(value)) => {
                let new = card_property(name, value);
                self.inserted.entry(place).or_default().0.push(new);
            }
        }
        Some(())
    }

    /// New properties stand behind the old ones, new forms at the end of their card.
    fn insert_forms(&mut self) {
        for (place, (properties, forms)) in std::mem::take(&mut self.inserted) {
            let Some(element) = self.form(place) else { continue };
            let outer = self.rewriting.indent(element);
            let first = element.elements().next();
            let indent = first.map_or_else(|| format!("{outer}\t"), |first| self.rewriting.indent(first));
            let end = self.rewriting.line_end();
            let mut added = String::new();
            for property in &properties {
                added.push_str(&format!("{end}{indent}{}", property_text(property)));
            }
            let mut more = String::new();
            for form in &forms {
                more.push_str(&format!("\n{indent}{}", alternate_text(form, &indent)));
            }
            let more = more.replace('\n', end);
            let last = named(element.elements(), "property").last().copied();
            if first.is_none() {
                self.rewriting.inside(element, None, &(added + &more), &outer);
                continue;
            }
            if !added.is_empty() {
                self.rewriting.inside(element, last, &added, &outer);
            }
            if !more.is_empty() {
                let behind = element.elements().last();
                self.rewriting.inside(element, behind, &more, &outer);
            }
        }
    }

    fn insert_cards(&mut self, changes: &[SetChange]) {
        let new = changes.iter().filter_map(|change| match change {
            SetChange::AddCard(card) => Some(card),
            SetChange::Name(..)
            | SetChange::Size(..)
            | SetChange::Property(..)
            | SetChange::AddForm(..)
            | SetChange::RemoveForm(..)
            | SetChange::RemoveCard(_) => None,
        });
        let new: Vec<&PackageCard> = new.collect();
        if new.is_empty() {
            return;
        }
        let wrapper = named(self.root.elements(), "cards").last().copied();
        let last = self.cards.last().copied();
        let outer = wrapper.map_or_else(|| "\t".to_owned(), |wrapper| self.rewriting.indent(wrapper));
        let indent = last.map_or_else(|| format!("{outer}\t"), |last| self.rewriting.indent(last));
        let end = self.rewriting.line_end();
        let text: String = new
            .iter()
            .map(|card| format!("\n{indent}{}", card_text(card, &indent)))
            .collect();
        let text = text.replace('\n', end);
        match (last, wrapper) {
            (Some(last), _) => {
                let at = last.span().end;
                self.rewriting.edits.push((Span { start: at, end: at }, text));
            }
            (None, Some(wrapper)) => {
                let behind = wrapper.elements().last();
                self.rewriting.inside(wrapper, behind, &text, &outer);
            }
            (None, None) => {
                let text = format!("{end}{outer}<cards>{text}{end}{outer}</cards>");
                let behind = self.root.elements().last();
                self.rewriting.inside(self.root, behind, &text, "");
            }
        }
    }
}

fn card_property(name: &str, value: &PropertyValue) -> CardProperty {
    CardProperty {
        name: LocatedValue::from(Str::from(name)),
        value: LocatedValue::from(value.clone()),
        place: crate::FilePlace::default(),
    }
}

/// What an attribute can hold.
fn plain(value: &PropertyValue) -> Option<&str> {
    match value {
        PropertyValue::Null => None,
        PropertyValue::Text(text) => Some(text),
        PropertyValue::Rich(rich) => match rich.pieces.as_slice() {
            [RichPiece::Text(text)] => Some(text),
            _ => None,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ORIGINAL: &str = "<?xml version=\"1.0\"?>\r\n<set name='S'>\r\n  \
        <!-- packs -->\r\n  <cards>\r\n    \
        <card id=\"1\" name='A'>\r\n      <property name=\"Cost\" value='1'/>\r\n      \
        <property name=\"Text\">Hi <b>you</b></property>\r\n    </card><!-- of A -->\r\n    \
        <card name=\"B\" id=\"2\"/>\r\n  </cards>\r\n</set>\r\n";

    const A: FormPlace = FormPlace { card: 0, form: None };
    const B: FormPlace = FormPlace { card: 1, form: None };

    fn text(value: &str) -> Option<PropertyValue> {
        Some(PropertyValue::Text(Str::from(value)))
    }

    #[track_caller]
    fn check(changes: &[SetChange], replaced: &[(&str, &str)]) {
        let bytes = rewrite_set(ORIGINAL.as_bytes(), changes).unwrap();
        let wanted = replaced.iter().fold(ORIGINAL.to_owned(), |text, (old, new)| {
            assert!(text.contains(old), "{old}");
            text.replacen(old, new, 1)
        });
        assert_eq!(String::from_utf8(bytes).unwrap(), wanted);
    }

    /// P5, P59: what is not changed stays to the byte.
    #[test]
    fn values_change_where_they_stand() {
        check(&[], &[]);
        check(
            &[SetChange::Name(A, "d'A".into())],
            &[("name='A'", "name='d&apos;A'")],
        );
        check(
            &[SetChange::Property(A, "Cost".into(), text("2"))],
            &[("value='1'", "value='2'")],
        );
        check(
            &[SetChange::Property(A, "Text".into(), text("Hi"))],
            &[(
                "<property name=\"Text\">Hi <b>you</b></property>",
                "<property name=\"Text\" value=\"Hi\" />",
            )],
        );
        check(
            &[SetChange::Property(A, "Cost".into(), None)],
            &[("\r\n      <property name=\"Cost\" value='1'/>", "")],
        );
        check(
            &[SetChange::Property(B, "Cost".into(), text("<3>"))],
            &[(
                "<card name=\"B\" id=\"2\"/>",
                "<card name=\"B\" id=\"2\">\r\n    \
                 \t<property name=\"Cost\" value=\"&lt;3>\" />\r\n    </card>",
            )],
        );
    }

    /// P5: new cards and forms stand behind the old ones.
    #[test]
    fn cards_and_forms_come_and_go() {
        let form = Alternate {
            name: LocatedValue::from(Str::from("A2")),
            kind: LocatedValue::from(Str::from("back")),
            ..Alternate::default()
        };
        check(
            &[SetChange::AddForm(0, form)],
            &[(
                "</property>\r\n    </card>",
                "</property>\r\n      <alternate name=\"A2\" type=\"back\">\r\n      \
                 </alternate>\r\n    </card>",
            )],
        );
        let card = PackageCard {
            raw_id: Str::from("3"),
            name: LocatedValue::from(Str::from("C")),
            ..PackageCard::default()
        };
        check(
            &[SetChange::RemoveCard(1), SetChange::AddCard(card)],
            &[(
                "\r\n    <card name=\"B\" id=\"2\"/>",
                "\r\n    <card name=\"C\" id=\"3\">\r\n    </card>",
            )],
        );
        assert_eq!(rewrite_set(b"<deck/>", &[]), None);
        assert_eq!(rewrite_set(b"<set/>", &[SetChange::RemoveCard(0)]), None);
    }
}
