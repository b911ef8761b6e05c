//! A package as rows: one for each form of each card, its texts as cells have them.

use std::collections::BTreeMap;

use cw_octgn::{
    CardProperty, Definition, FormPlace, Guid, Package, PackageCard, PropertyValue, RichText, Str,
};

use crate::marks::marked;

/// What tells a row from all others.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RowKey {
    /// The card's id, in its plain form; as it is written where it is none.
    pub id: String,
    /// The form; empty: the base one.
    pub form: String,
    /// Which of those that have the same id and form, from 0.
    pub nth: usize,
}

/// A form of a card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackageRow {
    /// What tells it from others.
    pub key: RowKey,
    /// The place of its set in the package.
    pub set: usize,
    /// Its place in the set.
    pub place: FormPlace,
    /// The card's name in this form.
    pub name: String,
    /// The size, if it is not the default one.
    pub size: String,
    /// What the form itself says of each property, by its name.
    pub values: BTreeMap<String, String>,
}

/// All forms of all cards, in the order of the package.
pub fn package_rows(package: &Package) -> Vec<PackageRow> {
    let mut counts: BTreeMap<(String, String), usize> = BTreeMap::new();
    let mut rows = Vec::new();
    for (set, of) in package.sets.iter().enumerate() {
        for (card, one) in of.cards.iter().enumerate() {
            let forms = one.alternates.iter().enumerate();
            let forms = forms.map(|(form, alternate)| {
                (
                    Some(form),
                    &alternate.name,
                    &alternate.size,
                    &alternate.properties,
                    alternate.kind.to_string(),
                )
            });
            let base = (None, &one.name, &one.size, &one.properties, String::new());
            for (form, name, size, properties, kind) in std::iter::once(base).chain(forms) {
                let id = plain_id(one);
                let count = counts.entry((id.clone(), kind.clone())).or_insert(0);
                let key = RowKey {
                    id,
                    form: kind,
                    nth: *count,
                };
                *count += 1;
                rows.push(PackageRow {
                    key,
                    set,
                    place: FormPlace { card, form },
                    name: name.to_string(),
                    size: size.as_ref().map(|size| size.to_string()).unwrap_or_default(),
                    values: values(properties, &package.definition),
                });
            }
        }
    }
    rows
}

fn plain_id(card: &PackageCard) -> String {
    match card.id.value.is_nil() {
        true => card.raw_id.to_string(),
        false => card.id.value.to_string(),
    }
}

/// An id as [`RowKey::id`] has it, if the text is one.
pub(crate) fn guid_text(text: &str) -> Option<String> {
    let id: Guid = text.trim().parse().ok()?;
    (!id.is_nil()).then(|| id.to_string())
}

fn values(properties: &[CardProperty], definition: &Definition) -> BTreeMap<String, String> {
    let mut values = BTreeMap::new();
    for property in properties {
        let text = match &property.value.value {
            PropertyValue::Null => String::new(),
            PropertyValue::Text(text) => text.to_string(),
            PropertyValue::Rich(rich) => rich_text(rich, definition),
        };
        // Of a property that is said twice, the first counts.
        values.entry(property.name.to_string()).or_insert(text);
    }
    values
}

pub(crate) fn rich_text(rich: &RichText, definition: &Definition) -> String {
    marked(rich, &|id| symbol_name(definition, id))
}

/// The name of a symbol by its id.
pub(crate) fn symbol_name(definition: &Definition, id: &str) -> Option<String> {
    definition.symbol(id).map(|symbol| match symbol.name.is_empty() {
        true => Str::from(id).to_string(),
        false => symbol.name.to_string(),
    })
}
