//! What an import would change: the sheet, the package and the base of both, merged cell by cell.

mod ending;

use std::collections::{BTreeMap, BTreeSet};

use cw_octgn::{
    Alternate, CardProperty, Guid, LocatedValue, Package, PackageCard, PackageFiles, PackageSet,
    PropertyKind, PropertyValue, SetChange, Str,
};

use crate::base::{BaseRows, base_rows};
use crate::cards::{KnownCards, SheetCard, clipped, read_cards};
use crate::rows::symbol_name;
use crate::{
    CellMerge, PackageRow, RowKey, SheetBook, SheetColumns, SheetFinding, SheetPlace, SheetTable, merge_cell,
    package_rows, unmarked,
};

/// Whose value counts where both changed it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImportPreference {
    /// The sheet's.
    Sheet,
    /// The package's.
    Package,
}

/// An import, before it is done.
#[derive(Clone, Copy, Debug)]
pub struct ImportRequest<'r> {
    /// The game as it is.
    pub package: &'r Package,
    /// Its files.
    pub files: &'r dyn PackageFiles,
    /// What comes.
    pub book: &'r SheetBook,
    /// What its columns mean, table by table.
    pub columns: &'r [SheetColumns],
    /// What the sheet said last.
    pub base: Option<&'r SheetTable>,
    /// Whether cards go that the sheet had last and does not have any more.
    pub delete: bool,
    /// Whose value counts where both changed it; none: that is refused.
    pub prefer: Option<ImportPreference>,
}

/// What an import does.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ImportPlan {
    /// A line for each change: `~ Rook (Core): Cost 2 → 3`.
    pub changes: Vec<String>,
    /// What people should know beside.
    pub notes: Vec<String>,
    /// The sets that change, or are new: name and bytes of their files.
    pub files: Vec<(String, Vec<u8>)>,
    /// Pictures that rows name.
    pub pictures: Vec<PlannedPicture>,
    /// How many of each card a starter deck has, by id, where a column says so.
    pub counts: Vec<(String, u32)>,
    /// The base of the next import.
    pub base: SheetTable,
}

/// A picture that a row names, or could have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedPicture {
    /// What the row says; empty: a picture may have the card's name.
    pub named: String,
    /// The card's name.
    pub name: String,
    /// Where it goes, without its ending (P76).
    pub target: String,
    /// Where it was named.
    pub place: SheetPlace,
}

/// Merges a sheet into a package.
///
/// # Errors
/// Everything that is wrong with the sheet, and all cells that both changed: then nothing is to be done.
pub fn plan(request: &ImportRequest<'_>) -> Result<ImportPlan, Vec<SheetFinding>> {
    let rows = package_rows(request.package);
    let base = request.base.and_then(base_rows);
    let sets = &request.package.sets;
    let only_set = match sets.as_slice() {
        [] => Some("Core"),
        [one] => Some(one.name.as_str()),
        _ => None,
    };
    let mut known = KnownCards {
        game: request.package.definition.id.value,
        counts: BTreeMap::new(),
        names: BTreeMap::new(),
        only_set,
    };
    for row in &rows {
        *known
            .counts
            .entry((row.key.id.clone(), row.key.form.clone()))
            .or_insert(0) += 1;
        if row.key.form.is_empty() {
            let name = (sets[row.set].name.trim().to_lowercase(), row.name.clone());
            known.names.entry(name).or_default().push(row.key.id.clone());
        }
    }
    for (key, fields) in base.iter().flatten() {
        let count = known
            .counts
            .entry((key.id.clone(), key.form.clone()))
            .or_insert(0);
        *count = (*count).max(key.nth + 1);
        let text = |field: &str| fields.get(field).cloned().unwrap_or_default();
        let ids = known
            .names
            .entry((text("set").trim().to_lowercase(), text("name")))
            .or_default();
        if key.form.is_empty() && !ids.contains(&key.id) {
            ids.push(key.id.clone());
        }
    }
    let cards = read_cards(request.book, request.columns, &known)?;
    let mut planning = ImportPlanning {
        request,
        rows: rows.iter().map(|row| (row.key.clone(), row)).collect(),
        base,
        changes: BTreeMap::new(),
        new_sets: Vec::new(),
        new_cards: Vec::new(),
        plan: ImportPlan::default(),
        found: Vec::new(),
        kept: 0,
        looks: 0,
    };
    for card in &cards {
        planning.card(card);
    }
    let in_sheet: BTreeSet<&RowKey> = cards.iter().map(|card| &card.key).collect();
    planning.missing(&rows, &in_sheet);
    if !planning.found.is_empty() {
        return Err(planning.found);
    }
    planning.pictures(&cards);
    planning.keep_base(&cards);
    planning.finish()
}

/// A card that comes new, in one of the sets that are there or of the new ones.
struct NewCard {
    set: Result<usize, usize>,
    card: PackageCard,
}

struct ImportPlanning<'p> {
    request: &'p ImportRequest<'p>,
    rows: BTreeMap<RowKey, &'p PackageRow>,
    base: Option<BaseRows>,
    /// Changes of each set.
    changes: BTreeMap<usize, Vec<SetChange>>,
    new_sets: Vec<PackageSet>,
    new_cards: Vec<NewCard>,
    plan: ImportPlan,
    found: Vec<SheetFinding>,
    kept: usize,
    looks: usize,
}

impl ImportPlanning<'_> {
    fn wrong(&mut self, card: &SheetCard, column: Option<usize>, message: String, help: &str) {
        let table = &self.request.book.tables[card.table];
        let place = match column {
            Some(column) => table.place(card.row, column),
            None => table.row_place(card.row),
        };
        let found = SheetFinding::new(&self.request.book.file, place, message);
        self.found
            .push(if help.is_empty() { found } else { found.help(help) });
    }

    fn card(&mut self, card: &SheetCard) {
        match self.rows.get(&card.key).copied() {
            Some(row) => self.merge(card, row),
            None => self.only_in_sheet(card),
        }
        if let Some((text, column)) = &card.count {
            match text.parse::<u32>() {
                Ok(count) if count <= 1000 => self.plan.counts.push((card.key.id.clone(), count)),
                _ => self.wrong(
                    card,
                    Some(*column),
                    format!("`{}` is not a number of cards", clipped(text)),
                    "write a whole number from 0 to 1000",
                ),
            }
        }
    }

    /// A row that both have.
    fn merge(&mut self, card: &SheetCard, row: &PackageRow) {
        let set = &self.request.package.sets[row.set];
        let own = set.name.trim().to_lowercase();
        if let Some(column) = card.set_column
            && card.set.to_lowercase() != own
        {
            let message = format!(
                "the card is in the set \"{}\", not in \"{}\"",
                *set.name, card.set
            );
            self.wrong(
                card,
                Some(column),
                message,
                "a card stays in its set; give it a new id to make another card of it",
            );
            return;
        }
        let set_name = set.name.to_string();
        let told = told(&row.name, &card.key.form, &set_name);
        for (field, text, column) in &card.fields {
            let old = of_row(row, field);
            let base = match &self.base {
                None => None,
                Some(base) => match base.get(&card.key) {
                    Some(fields) => fields.get(field).map(String::as_str),
                    None => Some(""),
                },
            };
            let name = field.strip_prefix("property:").unwrap_or(field);
            match merge_cell(text, old, base) {
                CellMerge::Same => continue,
                CellMerge::Keep => {
                    self.kept += 1;
                    continue;
                }
                CellMerge::Looks => {
                    self.looks += 1;
                    continue;
                }
                CellMerge::Conflict => match self.request.prefer {
                    Some(ImportPreference::Package) => {
                        self.kept += 1;
                        continue;
                    }
                    Some(ImportPreference::Sheet) => {}
                    None => {
                        let base = base.unwrap_or_default();
                        let message = format!(
                            "both changed it: the sheet says \"{}\", \
                             the game \"{}\", and before it was \"{}\"",
                            clipped(text),
                            clipped(old),
                            clipped(base)
                        );
                        self.wrong(
                            card,
                            Some(*column),
                            message,
                            "--prefer sheet or --prefer game decides",
                        );
                        continue;
                    }
                },
                CellMerge::Take => {}
            }
            let change = match name {
                _ if field == "name" => {
                    if text.trim().is_empty() {
                        self.wrong(
                            card,
                            Some(*column),
                            "the card has no name".to_owned(),
                            "write one",
                        );
                        continue;
                    }
                    SetChange::Name(row.place, text.clone())
                }
                _ if field == "size" => {
                    if !self.size_is_known(card, text, *column) {
                        continue;
                    }
                    SetChange::Size(row.place, (!text.is_empty()).then(|| text.clone()))
                }
                name => match self.value(card, name, text, *column) {
                    Ok(value) => SetChange::Property(row.place, name.to_owned(), value),
                    Err(()) => continue,
                },
            };
            self.changes.entry(row.set).or_default().push(change);
            let line = format!("~ {told}: {name} \"{}\" → \"{}\"", clipped(old), clipped(text));
            self.plan.changes.push(line);
        }
    }

    fn size_is_known(&mut self, card: &SheetCard, text: &str, column: usize) -> bool {
        let sizes = &self.request.package.definition.sizes;
        let is_known = text.is_empty() || sizes.iter().any(|size| *size.name == *text);
        if !is_known {
            let names: Vec<String> = sizes.iter().map(|size| format!("`{}`", *size.name)).collect();
            let help = match names.is_empty() {
                true => "the game has one size; leave the cell empty".to_owned(),
                false => format!("sizes are {}, or nothing", names.join(", ")),
            };
            self.wrong(
                card,
                Some(column),
                format!("the game has no size `{}`", clipped(text)),
                &help,
            );
        }
        is_known
    }

    /// A text as the value of a property; none for an empty one.
    fn value(
        &mut self,
        card: &SheetCard,
        name: &str,
        text: &str,
        column: usize,
    ) -> Result<Option<PropertyValue>, ()> {
        let definition = &self.request.package.definition;
        if text.is_empty() {
            return Ok(None);
        }
        let Some(property) = definition.property(name) else {
            let message = format!("the game has no property `{name}`");
            self.wrong(card, Some(column), message, "add it to definition.xml first");
            return Err(());
        };
        match property.kind {
            PropertyKind::Integer => match whole(text) {
                Some(number) => Ok(Some(PropertyValue::Text(Str::from(number.to_string())))),
                None => {
                    let message = format!("`{}` is not a whole number", clipped(text));
                    let help =
                        format!("`{name}` is a property of numbers; write one, or leave the cell empty");
                    self.wrong(card, Some(column), message, &help);
                    Err(())
                }
            },
            PropertyKind::RichText => match unmarked(text, &|id| symbol_name(definition, id)) {
                Ok(rich) => Ok(Some(PropertyValue::Rich(Box::new(rich)))),
                Err(why) => {
                    self.wrong(card, Some(column), why, "write `\\<` for the sign itself");
                    Err(())
                }
            },
            _ => Ok(Some(PropertyValue::Text(Str::from(text)))),
        }
    }

    fn only_in_sheet(&mut self, card: &SheetCard) {
        if let Some(fields) = self.base.as_ref().and_then(|base| base.get(&card.key)) {
            let is_same = |(field, text, _): &(String, String, usize)| {
                fields
                    .get(field)
                    .is_some_and(|base| merge_cell(text, base, None) == CellMerge::Same)
            };
            match (card.fields.iter().all(is_same), self.request.prefer) {
                (true, _) | (false, Some(ImportPreference::Package)) => {
                    self.kept += 1;
                    return;
                }
                (false, None) => {
                    let message = "the game has this card no more, and the sheet has changed it".to_owned();
                    self.wrong(
                        card,
                        None,
                        message,
                        "--prefer sheet brings it back, --prefer game leaves it out",
                    );
                    return;
                }
                (false, Some(ImportPreference::Sheet)) => {}
            }
        }
        let mut properties = Vec::new();
        let mut size = None;
        for (field, text, column) in &card.fields {
            match field.strip_prefix("property:") {
                // An unknown size is told here, and the card goes without.
                None if field == "size" && !text.is_empty() && self.size_is_known(card, text, *column) => {
                    size = Some(LocatedValue::from(Str::from(text.as_str())));
                }
                None => {}
                Some(name) => {
                    if let Ok(Some(value)) = self.value(card, name, text, *column) {
                        properties.push(CardProperty {
                            name: LocatedValue::from(Str::from(name)),
                            value: LocatedValue::from(value),
                            place: cw_octgn::FilePlace::default(),
                        });
                    }
                }
            }
        }
        let order = |property: &CardProperty| {
            let all = &self.request.package.definition.properties;
            all.iter().position(|found| *found.name == **property.name)
        };
        properties.sort_by_key(order);
        match card.key.form.is_empty() {
            true => self.new_card(card, size, properties),
            false => self.new_form(card, size, properties),
        }
    }

    fn new_card(&mut self, card: &SheetCard, size: Option<LocatedValue<Str>>, properties: Vec<CardProperty>) {
        let name_column = card
            .fields
            .iter()
            .find(|(field, ..)| field == "name")
            .map(|(.., column)| *column);
        if card.name.trim().is_empty() {
            self.wrong(
                card,
                name_column,
                "the card has no name".to_owned(),
                "write one, or empty the whole row",
            );
            return;
        }
        let Some(set) = self.set_of(card) else { return };
        let shown = match set {
            Ok(set) => self.request.package.sets[set].name.to_string(),
            Err(new) => self.new_sets[new].name.to_string(),
        };
        self.plan
            .changes
            .push(format!("+ {}", told(&card.name, "", &shown)));
        self.new_cards.push(NewCard {
            set,
            card: PackageCard {
                id: LocatedValue::from(card.key.id.parse::<Guid>().unwrap_or(Guid::NIL)),
                raw_id: Str::from(card.key.id.as_str()),
                name: LocatedValue::from(Str::from(card.name.as_str())),
                size,
                properties,
                ..PackageCard::default()
            },
        });
    }

    /// The set that a new card goes into; one of a new name is made.
    fn set_of(&mut self, card: &SheetCard) -> Option<Result<usize, usize>> {
        let package = self.request.package;
        if card.set.is_empty() {
            let help = "add a column \"set\"";
            self.wrong(
                card,
                None,
                "nobody knows which set the card is of".to_owned(),
                help,
            );
            return None;
        }
        let wanted = card.set.to_lowercase();
        let is_wanted = |name: &str| name.trim().to_lowercase() == wanted;
        let mut there = package
            .sets
            .iter()
            .enumerate()
            .filter(|(_, set)| is_wanted(&set.name));
        if let Some((set, _)) = there.next() {
            return Some(Ok(set));
        }
        if let Some(new) = self.new_sets.iter().position(|set| is_wanted(&set.name)) {
            return Some(Err(new));
        }
        let game = package.definition.id.value;
        let id = Guid::of_bytes(format!("{game}\nset\n{wanted}").as_bytes());
        let version = package.definition.version;
        self.new_sets.push(PackageSet {
            id: LocatedValue::from(id),
            folder: Str::from(id.to_string()),
            raw_id: Str::from(id.to_string()),
            name: LocatedValue::from(Str::from(card.set.as_str())),
            game_id: LocatedValue::from(game),
            game_version: version,
            version,
            ..PackageSet::default()
        });
        self.plan.changes.push(format!("+ set \"{}\"", card.set));
        Some(Err(self.new_sets.len() - 1))
    }

    fn new_form(&mut self, card: &SheetCard, size: Option<LocatedValue<Str>>, properties: Vec<CardProperty>) {
        let base_key = RowKey {
            form: String::new(),
            nth: 0,
            ..card.key.clone()
        };
        let id = &card.key.id;
        let new = self.new_cards.iter_mut().find(|new| *new.card.raw_id == **id);
        let base_name = match (&new, self.rows.get(&base_key)) {
            (Some(new), _) => new.card.name.to_string(),
            (None, Some(row)) => row.name.clone(),
            (None, None) => {
                let message = format!("the form `{}` belongs to a card that is not there", card.key.form);
                self.wrong(card, None, message, "write the card's own row above it");
                return;
            }
        };
        let name = if card.name.trim().is_empty() {
            &base_name
        } else {
            &card.name
        };
        let alternate = Alternate {
            name: LocatedValue::from(Str::from(name.as_str())),
            kind: LocatedValue::from(Str::from(card.key.form.as_str())),
            size,
            properties,
            ..Alternate::default()
        };
        match (new, self.rows.get(&base_key).copied()) {
            (Some(new), _) => new.card.alternates.push(alternate),
            (None, Some(row)) => {
                let changes = self.changes.entry(row.set).or_default();
                changes.push(SetChange::AddForm(row.place.card, alternate));
            }
            (None, None) => {}
        }
        let line = format!("+ {base_name} [{}]", card.key.form);
        self.plan.changes.push(line);
    }
}

fn told(name: &str, form: &str, set: &str) -> String {
    match form {
        "" => format!("{} ({set})", clipped(name)),
        form => format!("{} [{form}] ({set})", clipped(name)),
    }
}

/// What a row of the package says of a field.
fn of_row<'r>(row: &'r PackageRow, field: &str) -> &'r str {
    match field.strip_prefix("property:") {
        Some(name) => row.values.get(name).map_or("", String::as_str),
        None if field == "size" => &row.size,
        None => &row.name,
    }
}

/// A whole number, also if a spreadsheet wrote it as 3.0.
fn whole(text: &str) -> Option<i32> {
    let text = text.trim();
    let cut = text
        .split_once('.')
        .filter(|(_, zeros)| !zeros.is_empty() && zeros.bytes().all(|digit| digit == b'0'));
    cut.map_or(text, |(whole, _)| whole).parse().ok()
}
