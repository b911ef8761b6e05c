//! Values of properties across the whole package.

use std::collections::BTreeMap;

use cw_text::{Diagnostic, FileId, Span, nearest};

use crate::codes::PK038;
use crate::read::clipped;
use crate::report::Report;
use crate::set::named;
use crate::{Package, TextKind, Value};

/// Properties with more values are not a list of a few.
const MAX_VALUES: usize = 300;

/// PK038: values of an Enum property that differ by a letter or by case.
pub(super) fn near_duplicates(package: &Package) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for property in &package.definition.properties {
        if property.text_kind == TextKind::Enum {
            found.extend(of_property(package, &property.name));
        }
    }
    found
}

struct Use {
    count: usize,
    file: FileId,
    span: Span,
}

fn of_property(package: &Package, name: &str) -> Vec<Diagnostic> {
    let mut values: BTreeMap<&str, Use> = BTreeMap::new();
    let mut guess = 0;
    for set in &package.sets {
        for card in &set.cards {
            let forms = card.alternates.iter().map(|alternate| &alternate.properties);
            for properties in std::iter::once(&card.properties).chain(forms) {
                let Some(own) = named(properties, name, &mut guess) else {
                    continue;
                };
                let Value::Text(text) = &own.value.value else {
                    continue;
                };
                let used = values.entry(text).or_insert(Use {
                    count: 0,
                    file: set.file,
                    span: own.value.span(),
                });
                used.count += 1;
            }
        }
        if values.len() > MAX_VALUES {
            return Vec::new();
        }
    }
    let mut found = Vec::new();
    for (value, used) in &values {
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
            let report = Report::new(used.file);
            let message = format!(
                "`{}` ({} times) and `{}` ({} times) are nearly the same value of `{name}`",
                clipped(value),
                used.count,
                clipped(other),
                values[other].count
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
