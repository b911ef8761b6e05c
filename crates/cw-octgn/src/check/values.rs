//! Values of properties across the whole package.

use std::collections::BTreeMap;

use cw_text::{Diagnostic, FileId, Span, nearest};

use crate::codes::PK038;
use crate::read::clipped;
use crate::report::FileReport;
use crate::{Definition, LocatedValue, PropertyValue, TextKind};

/// Properties with more values are not a list of a few.
const MAX_VALUES: usize = 300;

/// How often the values of the Enum properties are used, gathered while a set's cards are checked.
#[derive(Debug)]
pub(super) struct Uses<'p> {
    /// By the definition's order; nothing for other properties and for those with too many values.
    of: Vec<Option<BTreeMap<&'p str, Use>>>,
}

#[derive(Clone, Copy, Debug)]
struct Use {
    count: usize,
    file: FileId,
    span: Span,
}

impl<'p> Uses<'p> {
    pub(super) fn new(definition: &Definition) -> Uses<'p> {
        let enums = definition.properties.iter().map(|property| {
            let few = property.text_kind == TextKind::Enum;
            few.then(BTreeMap::new)
        });
        Uses { of: enums.collect() }
    }

    /// Counts a value of the property with this index.
    pub(super) fn count(&mut self, index: usize, value: &'p LocatedValue<PropertyValue>, file: FileId) {
        let (Some(values), PropertyValue::Text(text)) = (&mut self.of[index], &value.value) else {
            return;
        };
        let text: &'p str = text;
        if let Some(used) = values.get_mut(text) {
            used.count += 1;
        } else if values.len() > MAX_VALUES {
            self.of[index] = None;
        } else {
            let span = value.span();
            values.insert(text, Use { count: 1, file, span });
        }
    }

    /// Takes in those of a later set.
    pub(super) fn add(&mut self, later: &Uses<'p>) {
        for (own, later) in self.of.iter_mut().zip(&later.of) {
            let (Some(values), Some(later)) = (own.as_mut(), later) else {
                *own = None;
                continue;
            };
            for (text, used) in later {
                values
                    .entry(*text)
                    .and_modify(|own| own.count += used.count)
                    .or_insert(*used);
            }
        }
    }

    /// PK038: values of an Enum property that differ by a letter or by case.
    pub(super) fn near_duplicates(&self, definition: &Definition) -> Vec<Diagnostic> {
        let of = self.of.iter().zip(&definition.properties);
        let few = of.filter_map(|(values, property)| Some((values.as_ref()?, property)));
        few.filter(|(values, _)| values.len() <= MAX_VALUES)
            .flat_map(|(values, property)| of_property(values, &property.name))
            .collect()
    }
}

fn of_property(values: &BTreeMap<&str, Use>, name: &str) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (value, used) in values {
        let words = value.chars().all(|c| c.is_alphabetic() || c == ' ') && value.chars().count() >= 4;
        if !words {
            continue;
        }
        // The rarer one is probably the slip; of equals the later one in the alphabet.
        let commoner = values
            .iter()
            .filter(|(other, use_of_other)| (use_of_other.count, value) > (used.count, other))
            .map(|(other, _)| *other)
            .filter(|other| looks_alike(value, other));
        if let Some(other) = nearest(value, commoner) {
            let report = FileReport::new(used.file);
            let message = format!(
                "`{}` ({}) and `{}` ({}) are nearly the same value of `{name}`",
                clipped(value),
                cw_text::count(used.count, "time"),
                clipped(other),
                cw_text::count(values[other].count, "time")
            );
            found.push(report.hint(PK038, used.span, message));
        }
    }
    found
}

/// The same but for case, blanks around, or one letter at the end.
fn looks_alike(a: &str, b: &str) -> bool {
    let (a, b) = (a.trim().to_lowercase(), b.trim().to_lowercase());
    a == b || a.strip_suffix('s') == Some(&b) || b.strip_suffix('s') == Some(&a)
}
