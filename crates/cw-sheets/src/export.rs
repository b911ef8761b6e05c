//! Packages as sheets, for spreadsheets and for other programs.

use cw_octgn::{Package, PropertyKind};

use crate::base::{BaseRows, base_table};
use crate::cockatrice::write_cockatrice;
use crate::{PackageRow, SheetRow, SheetTable, package_rows};

/// What every row begins with.
const WORDS: [&str; 5] = ["id", "form", "set", "name", "size"];

/// The tables of a package, and what an import of them is compared with: one for all cards, or one for each
/// set. The third part are the headings of columns of whole numbers.
pub fn export_tables(package: &Package, by_set: bool) -> (Vec<SheetTable>, SheetTable, Vec<String>) {
    let properties: Vec<&str> = package
        .definition
        .properties
        .iter()
        .map(|property| property.name.as_str())
        .collect();
    let heading = |name: &str| match WORDS.iter().any(|word| word.eq_ignore_ascii_case(name))
        || name.starts_with("property:")
    {
        true => format!("property:{name}"),
        false => name.to_owned(),
    };
    let headings: Vec<String> = WORDS
        .iter()
        .map(ToString::to_string)
        .chain(properties.iter().map(|name| heading(name)))
        .collect();
    let table = |name: &str| SheetTable {
        name: name.to_owned(),
        counted: true,
        heading_row: 1,
        headings: headings.clone(),
        rows: Vec::new(),
    };
    let mut tables: Vec<SheetTable> = match by_set {
        true => package.sets.iter().map(|set| table(&set.name)).collect(),
        false => vec![table("")],
    };
    let mut base = BaseRows::new();
    for row in package_rows(package) {
        let set = &package.sets[row.set];
        let table = &mut tables[if by_set { row.set } else { 0 }];
        let values = properties
            .iter()
            .map(|name| row.values.get(*name).cloned().unwrap_or_default());
        let words = [
            &row.key.id,
            &row.key.form,
            &set.name.to_string(),
            &row.name,
            &row.size,
        ]
        .map(Clone::clone);
        let cells: Vec<String> = words.into_iter().chain(values).collect();
        let number = table.rows.len() + 2;
        base.insert(row.key.clone(), base_fields(&row, &set.name, &properties));
        table.rows.push(SheetRow { number, cells });
    }
    tables.retain(|table| !table.rows.is_empty() || !by_set);
    let fields: Vec<String> = ["name".to_owned(), "size".to_owned()]
        .into_iter()
        .chain(properties.iter().map(|name| format!("property:{name}")))
        .collect();
    let numbers = package.definition.properties.iter();
    let numbers = numbers.filter(|property| property.kind == PropertyKind::Integer);
    let numbers = numbers.map(|property| heading(&property.name)).collect();
    (tables, base_table(&fields, &base), numbers)
}

fn base_fields(
    row: &PackageRow,
    set: &str,
    properties: &[&str],
) -> std::collections::BTreeMap<String, String> {
    let own = [
        ("set", set),
        ("name", row.name.as_str()),
        ("size", row.size.as_str()),
    ];
    let own = own.map(|(field, text)| (field.to_owned(), text.to_owned()));
    let values = properties.iter().map(|name| {
        (
            format!("property:{name}"),
            row.values.get(*name).cloned().unwrap_or_default(),
        )
    });
    own.into_iter().chain(values).collect()
}

/// The base forms of all cards as Lackey's `carddata.txt`: tabs, no quotes, no line ends in cells.
pub fn export_lackey(package: &Package) -> String {
    let names: Vec<&str> = package
        .definition
        .properties
        .iter()
        .map(|property| property.name.as_str())
        .collect();
    let one_line = |text: &str| {
        text.split(['\t', '\n', '\r'])
            .map(str::trim)
            .collect::<Vec<_>>()
            .join(" ")
    };
    let mut out = String::from("Name\tSet\tImageFile\tid");
    for name in &names {
        let taken = ["name", "set", "imagefile", "id"].contains(&name.to_lowercase().as_str());
        let before = if taken { "property:" } else { "" };
        out.push_str(&format!("\t{before}{}", one_line(name)));
    }
    out.push_str("\r\n");
    for row in package_rows(package).iter().filter(|row| row.key.form.is_empty()) {
        let set = &package.sets[row.set];
        let (name, id) = (one_line(&row.name), &row.key.id);
        out.push_str(&format!("{name}\t{}\t{id}\t{id}", one_line(&set.name)));
        for name in &names {
            out.push('\t');
            out.push_str(&one_line(row.values.get(*name).map_or("", String::as_str)));
        }
        out.push_str("\r\n");
    }
    out
}

/// The base forms of all cards for Cockatrice.
pub fn export_cockatrice(package: &Package) -> String {
    // A name of a property as the name of an element.
    let element = |name: &str| {
        let plain: String = name
            .chars()
            .map(|letter| if letter.is_alphanumeric() { letter } else { '_' })
            .collect();
        let lower = plain.to_lowercase();
        // What a card has outside of its properties.
        let taken = ["name", "set", "id", "form", "prop", "related"].contains(&lower.as_str());
        match !taken && lower.starts_with(|letter: char| letter.is_alphabetic()) {
            true => lower,
            false => format!("p{lower}"),
        }
    };
    let sets: Vec<(String, String)> = package
        .sets
        .iter()
        .map(|set| (set.name.to_string(), set.name.to_string()))
        .collect();
    let rows = package_rows(package);
    let cards = rows.iter().filter(|row| row.key.form.is_empty()).map(|row| {
        let properties = package.definition.properties.iter();
        let values = properties.filter_map(|property| {
            let text = row
                .values
                .get(property.name.as_str())
                .filter(|text| !text.is_empty())?;
            Some((element(&property.name), text.clone()))
        });
        let set = package.sets[row.set].name.to_string();
        (row.name.clone(), set, row.key.id.clone(), values.collect())
    });
    write_cockatrice(&sets, &cards.collect::<Vec<_>>())
}
